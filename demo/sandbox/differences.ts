/**
 * The ways in which a third-party service may differ from the specification, one at a time: the fault `differs`. Each
 * takes the honest answer and changes one thing in it.
 */
import type {Endpoint} from './faults.js';

export interface Answering {
  status: number;
  readonly headers: Headers;
  /** Its JSON body. */
  body: unknown;
}

interface Way {
  readonly on: readonly Endpoint[];
  /** Whether only successes differ, only errors, or both. */
  readonly of: 'successes' | 'errors' | 'all';
  readonly change: (answer: Answering) => void;
}

type Fields = Record<string, unknown>;
/** Field names down from the body; `*` is each element of a list. */
type Path = readonly string[];

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Changes whatever is at the end of a path. */
function change(body: unknown, [name = '', ...rest]: Path, to: (parent: Fields, name: string) => void): void {
  if (!isFields(body)) return;
  const names = name === '*' ? Object.keys(body) : [name];
  for (const one of names) {
    if (!Object.hasOwn(body, one)) continue;
    if (rest.length) change(body[one], rest, to);
    else to(body, one);
  }
}

const of =
  (...on: readonly Endpoint[]) =>
  (change: Way['change'], of: Way['of'] = 'successes'): Way => ({on, of, change});
const [every, inQuotes, inOrders, inReads, inInitiates] = [
  of('quote', 'order', 'initiate', 'read'),
  of('quote'),
  of('order'),
  of('read'),
  of('initiate'),
];

const set = (path: string, value: (old: unknown) => unknown) => (answer: Answering) => {
  change(answer.body, path.split('.'), (parent, name) => (parent[name] = value(parent[name])));
};
const drop = (path: string) => (answer: Answering) => {
  change(answer.body, path.split('.'), (parent, name) => Reflect.deleteProperty(parent, name));
};
const rename = (path: string, to: string) => (answer: Answering) => {
  change(answer.body, path.split('.'), (parent, name) => {
    parent[to] = parent[name];
    Reflect.deleteProperty(parent, name);
  });
};
const legs = (path: string, edit: (path: string) => Way['change']) => (answer: Answering) => {
  for (const side of ['source_swap', 'destination_swap']) edit(`result.${side}.${path}`)(answer);
};

const toNumber = (old: unknown) => Number(old);
const decimalOf = (old: unknown) => String(BigInt(String(old)));
const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export const DIFFERENCES: Readonly<Record<string, Way>> = {
  // Envelope and headers.
  'no-status': every(drop('status')),
  'status-lowercase': every(set('status', () => 'ok')),
  'status-boolean': every(set('status', () => true)),
  'result-as-data': every(rename('result', 'data')),
  'result-as-text': every(set('result', JSON.stringify)),
  'no-envelope': every(answer => (answer.body = (answer.body as Fields)['result'])),
  'type-html': every(({headers}) => headers.set('content-type', 'text/html')),
  'no-cors': every(({headers}) => headers.delete('access-control-allow-origin'), 'all'),
  'no-cors-on-errors': every(({headers}) => headers.delete('access-control-allow-origin'), 'errors'),
  'cors-for-another': every(({headers}) => headers.set('access-control-allow-origin', 'https://other.example'), 'all'),
  'cached-orders': inReads(({headers}) => headers.set('cache-control', 'public, max-age=60')),
  'errors-as-text': every(answer => (answer.body = 'Bad Request'), 'errors'),
  'errors-500': every(answer => (answer.status = 500), 'errors'),
  'errors-accepted': every(answer => {
    answer.status = 200;
    answer.body = {status: 'Ok', result: null};
  }, 'errors'),

  // Quotes.
  'quote-alone': inQuotes(answer =>
    change(answer.body, ['result'], (parent, name) => (parent[name] = (parent[name] as unknown[])[0])),
  ),
  'quote-amount-number': inQuotes(set('result.*.destination.amount', toNumber)),
  'quote-amount-whole-units': inQuotes(set('result.*.destination.amount', () => '0.5')),
  'quote-display-missing': inQuotes(drop('result.*.source.display')),
  'quote-display-wrong': inQuotes(set('result.*.destination.display', () => '7.00000000')),
  'quote-value-number': inQuotes(set('result.*.source.value', toNumber)),
  'quote-solver-missing': inQuotes(drop('result.*.solver_id')),
  'quote-side-renamed': inQuotes(rename('result.*.destination', 'target')),
  'quote-other-asset': inQuotes(set('result.*.destination.asset', () => 'base_sepolia:usdc')),
  'quote-asset-upper-case': inQuotes(set('result.*.source.asset', old => String(old).toUpperCase())),
  'quote-other-amount': inQuotes(set('result.*.source.amount', old => `${String(old)}0`)),
  'quote-too-good': inQuotes(set('result.*.destination.value', old => String(Number(old) * 2))),

  // New orders.
  'order-id-number': inOrders(set('result.order_id', () => 17)),
  'order-id-renamed': inOrders(rename('result.order_id', 'id')),
  'bitcoin-amount-number': inOrders(answer =>
    change(answer.body, ['result', 'amount'], (parent, name) => (parent[name] = Number(parent[name]))),
  ),
  'bitcoin-to-renamed': inOrders(rename('result.to', 'address')),
  'evm-transaction-missing': inOrders(drop('result.transaction.data')),
  'evm-value-decimal': inOrders(set('result.transaction.value', () => '0')),
  'evm-gas-limit-number': inOrders(set('result.transaction.gas_limit', toNumber)),
  'evm-chain-id-hex': inOrders(set('result.transaction.chain_id', old => `0x${Number(old).toString(16)}`)),
  'typed-data-text': inOrders(set('result.typed_data', JSON.stringify)),
  'typed-data-other-type': inOrders(set('result.typed_data.primaryType', () => 'Permit')),
  'typed-data-no-domain-type': inOrders(drop('result.typed_data.types.EIP712Domain')),
  'evm-domain-chain-id-number': inOrders(answer =>
    change(answer.body, ['result', 'typed_data', 'domain', 'chainId'], (parent, name) => {
      if (/^0x/.test(String(parent[name]))) parent[name] = Number(parent[name]);
    }),
  ),
  'evm-message-decimal': inOrders(answer =>
    change(answer.body, ['result', 'typed_data', 'message', 'amount'], (parent, name) => {
      if (typeof parent[name] === 'string') parent[name] = decimalOf(parent[name]);
    }),
  ),
  'evm-hash-without-prefix': inOrders(answer =>
    change(answer.body, ['result', 'typed_data', 'message', 'secretHash'], (parent, name) => {
      if (typeof parent[name] === 'string') parent[name] = parent[name].slice(2);
    }),
  ),
  'solana-base64': inOrders(set('result.versioned_tx', old => Buffer.from(String(old), 'hex').toString('base64'))),
  'starknet-selector-name': inOrders(set('result.transaction.selector', () => 'initiate')),
  'starknet-calldata-decimal': inOrders(set('result.transaction.calldata.*', decimalOf)),
  'starknet-amount-whole': inOrders(answer =>
    change(answer.body, ['result', 'typed_data', 'message', 'amount'], (parent, name) => {
      if (isFields(parent[name])) parent[name] = parent[name]['low'];
    }),
  ),

  // Orders.
  'order-time-number': inReads(set('result.created_at', old => Date.parse(String(old)))),
  'order-nonce-number': inReads(set('result.nonce', toNumber)),
  'order-version-number': inReads(set('result.version', () => 2)),
  'order-fees-null': inReads(set('result.affiliate_fees', () => null)),
  'order-of-another': inReads(set('result.order_id', () => '5a'.repeat(32))),
  'order-flat': inReads(rename('result.source_swap', 'source')),
  'leg-camel-case': inReads(answer => {
    for (const name of ['filled_amount', 'secret_hash', 'initiate_tx_hash'])
      legs(name, path => rename(path, camel(name)))(answer);
  }),
  'leg-timelock-text': inReads(legs('timelock', path => set(path, String))),
  'leg-price-text': inReads(legs('asset_price', path => set(path, String))),
  'leg-hash-prefixed': inReads(legs('secret_hash', path => set(path, old => `0x${String(old)}`))),
  'leg-hash-of-another': inReads(set('result.destination_swap.secret_hash', () => '5a'.repeat(32))),
  'leg-block-number': inReads(legs('initiate_block_number', path => set(path, toNumber))),
  'leg-hash-null': inReads(legs('redeem_tx_hash', path => set(path, old => (old === '' ? null : old)))),
  'leg-time-empty': inReads(legs('initiate_timestamp', path => set(path, old => old ?? ''))),
  'leg-confirmations-text': inReads(legs('current_confirmations', path => set(path, String))),
  'leg-no-delegate': inReads(legs('delegate', drop)),
  'leg-delegate-everywhere': inReads(answer => {
    const {result} = answer.body as {result: {source_swap: Fields; destination_swap: Fields}};
    for (const leg of [result.source_swap, result.destination_swap]) leg['delegate'] ??= '5a'.repeat(32);
  }),
  'leg-other-chain': inReads(set('result.source_swap.chain', () => 'litecoin_testnet')),
  'leg-swap-id-of-another': inReads(set('result.source_swap.swap_id', () => 'tb1q')),
  'leg-secret-early': inReads(legs('secret', path => set(path, old => (old === '' ? '5a'.repeat(32) : old)))),
  'leg-paid-early': inReads(
    set('result.destination_swap.initiate_tx_hash', old => (old === '' ? `0x${'5a'.repeat(32)}` : old)),
  ),
  'leg-lock-too-long': inReads(set('result.destination_swap.timelock', old => Number(old) * 1_000)),

  // Signatures.
  'initiate-accepts-all': inInitiates(answer => {
    answer.status = 200;
    answer.body = {status: 'Ok', result: `0x${'5a'.repeat(32)}`};
  }, 'errors'),
  'initiate-not-there': inInitiates(answer => {
    answer.status = 404;
    answer.body = {status: 'Error', error: 'no such endpoint'};
  }, 'all'),
};

/** Differences of the preflight response: it carries no app id, so it differs for all of them. */
export const PREFLIGHTS: Readonly<Record<string, (answer: Answering) => void>> = {
  'preflight-404': answer => (answer.status = 404),
  'preflight-redirect': answer => {
    answer.status = 307;
    answer.headers.set('location', '/');
  },
  'preflight-no-origin': ({headers}) => headers.delete('access-control-allow-origin'),
  'preflight-no-headers': ({headers}) => headers.delete('access-control-allow-headers'),
  'preflight-no-patch': ({headers}) => headers.set('access-control-allow-methods', 'GET, POST'),
};
