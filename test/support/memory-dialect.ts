/**
 * A third dialect of the contract family, which no chain uses: calls are words, addresses are lowercase, and its wallet
 * reads the chain (as on EVM chains) and sends several calls as one transaction (as on Starknet). Behavior that is the
 * same in all three comes from the engine, not from a family.
 */
import {id} from 'ethers';
import type {Account} from '../../src/chains/adapter.js';
import {resultOf} from '../../src/chains/checks.js';
import {layersOf} from '../../src/chains/errors.js';
import {requestWallet, type FundingContext} from '../../src/chains/funding.js';
import {within, type Timeouts} from '../../src/chains/timeouts.js';
import type {Dialect, Node, Purse, Terms} from '../../src/chains/token-htlc/dialect.js';
import {createConnectors, createWallet, moveToChain, waitForChain} from '../../src/chains/wallet.js';
import {deepFreeze, type Deal, type EvmPayload, type TypedData} from '../../src/domain/deposit.js';
import {SwapError} from '../../src/domain/error.js';
import type {Leg} from '../../src/domain/order.js';
import {Fault, HtlcLedger, type Call, type HtlcLedgerOptions} from './htlc-ledger.js';

const COIN = `0x${'c0'.repeat(20)}`;

/** The chain, and the wallet on it. */
export class MemoryLedger extends HtlcLedger {
  /** The requests that open a window in the wallet. */
  readonly windows: string[] = [];
  isAway = false;
  #isOther = false;

  constructor(options: Omit<HtlcLedgerOptions, 'coin'>) {
    super({...options, coin: COIN});
  }

  get isThis(): boolean {
    return !this.#isOther && !this.isAway;
  }

  leave(): void {
    this.isAway = true;
  }

  arrive(): void {
    this.isAway = false;
  }

  isOther(): void {
    this.#isOther = true;
  }

  forget(): void {
    this.windows.length = 0;
  }

  idsOf = idsOf;
}

function idsOf({redeemer, timelock, amount, secretHash}: Terms, payer: string): [string, string] {
  return [id([payer, secretHash].join()), id([payer, secretHash, redeemer, timelock, amount].join())];
}

const connectors = createConnectors<MemoryLedger>();

/** An account in the ledger's wallet. */
export function connectMemory(ledger: MemoryLedger, timeouts: Timeouts): Promise<Account> {
  const source = {connect: () => Promise.resolve(ledger.accounts[0]), watch: () => undefined, faultOf: failureOf};
  const facts = {id: 'memory', name: 'Ledger of the tests', icon: undefined};
  return connectors.add(createWallet('evm', facts, source, timeouts), ledger).connect();
}

/** The failure, also where it is the cause of one of our errors. */
function failureOf(error: unknown): string | undefined {
  const fault = layersOf(error).find(layer => layer instanceof Fault);
  return fault?.failure === 'no' ? 'rejected' : fault?.failure;
}

/** The ledger's responses, each with a timeout, like those of a node. */
function nodeOf({node}: MemoryLedger, {read}: Timeouts, signal: AbortSignal | undefined): Node<Call> {
  const bounded = Object.fromEntries(
    Object.entries(node).map(([name, ask]) => [
      name,
      (...of: never[]) => within(read, (ask as (...of: never[]) => Promise<unknown>)(...of), signal),
    ]),
  ) as unknown as Node<Call>;
  return {
    ...bounded,
    token: contract =>
      bounded.token(contract).catch((error: unknown) => {
        if (isAnswer(error)) return undefined;
        throw error;
      }),
  };
}

function isAnswer(error: unknown): boolean {
  return ['reverts', 'mute', 'strange', 'absent'].includes(failureOf(error) ?? '');
}

/** A payment in words. */
export const initiateText = ({redeemer, timelock, amount, secretHash}: Terms | Leg): string =>
  ['initiate', redeemer.toLowerCase(), timelock, amount, secretHash].join(' ');

function readTerms([, redeemer = '', timelock = '', amount = '', secretHash = '']: readonly string[]): Terms {
  return {redeemer, timelock: BigInt(timelock), amount: BigInt(amount), secretHash};
}

const INITIATE = /^initiate (0x[0-9a-f]{40}) (\d+) (\d+) ([0-9a-f]{64})$/;
const isText = (value: unknown) => typeof value === 'string';

function signedTerms({message}: TypedData): Terms | undefined {
  const {redeemer, timelock, amount, secretHash} = message;
  const found = [redeemer, timelock, amount, secretHash].every(isText)
    ? INITIATE.exec(['initiate', redeemer, timelock, amount, secretHash].join(' '))
    : undefined;
  return found ? readTerms(found) : undefined;
}

const text = (...names: readonly string[]) => names.map(name => ({name, type: 'text'}));
export const MEMORY_TYPES = {
  MemoryDomain: text('name', 'version', 'chain'),
  Initiate: text('redeemer', 'timelock', 'amount', 'secretHash'),
};

export const memoryDialect: Dialect<EvmPayload, Call> = {
  family: 'evm',
  isContract: address => /^0x[0-9a-f]{40}$/i.test(address) && BigInt(address) > 0n,
  address: address => (/^0x[0-9a-f]{40}$/i.test(address) ? address.toLowerCase() : address),
  hash: hash => (/^0x[0-9a-f]{64}$/i.test(hash) ? hash.toLowerCase() : undefined),
  id: name => memoryDialect.hash(`0x${name.replace(/^0x/i, '')}`),
  ids: (_, payer, __, terms) => idsOf(terms, payer.toLowerCase()),

  payload: ({deposit}) =>
    deposit.how === 'wallet' &&
    deposit.payload.family === 'evm' &&
    isText((deposit.payload.transaction as {to?: unknown} | null)?.to)
      ? deposit.payload
      : undefined,
  contract: ({transaction}) => transaction.to,
  terms({transaction: {data}}) {
    const found = INITIATE.exec(data);
    return found ? readTerms(found) : undefined;
  },
  callName: ({transaction: {data}}) => data.split(' ')[0],
  deposit(leg, to, {chainId = 0}) {
    const data = initiateText(leg);
    if (!INITIATE.test(data) || leg.amount >= 2n ** 256n) throw new TypeError('invalid terms');
    const transaction = {to, value: 0n, data, gasLimit: 0n, chainId};
    return {how: 'wallet', ways: ['transaction'], payload: {family: 'evm', transaction}};
  },
  hasOtherIds: ({typedData}) => ((typedData?.domain['version'] as string | undefined) ?? '1') !== '1',
  checkChain({agreed}, _, signed) {
    const {chain} = agreed.from;
    const found = signed ? String(signed.domain['chain']) : chain.name;
    return resultOf(found === chain.name, chain.title, found === chain.name ? chain.title : found, [
      'agreed',
      'signature',
    ]);
  },

  form: {domain: {name: ['HTLC'], version: ['1']}, domainType: 'MemoryDomain', types: MEMORY_TYPES},
  signedTerms,
  strangeValue: typedData => !signedTerms(typedData) && 'message',

  approveCall: (to, spender, amount) => ({to, what: 'approve', spender, amount}),
  refundCall: (to, order) => ({to, what: 'refund', id: order}),
  paymentCall: payload => ({
    to: payload.transaction.to,
    what: 'initiate',
    terms: memoryDialect.terms(payload)!,
    coins: payload.transaction.value,
  }),
  sender: purse,
  purse,
  isOnChain: (account, _, {read}, signal) => within(read, isThere(connectors.get(account)), signal),
  async node(_, {account, signal}, timeouts) {
    const ledger = connectors.find(account);
    const isThis: unknown =
      ledger &&
      (await within(
        timeouts.read,
        ledger.ask('chain', () => ledger.isThis),
        signal,
      ));
    if (ledger && typeof isThis !== 'boolean') throw new Error('The answer is no chain.');
    return ledger && isThis ? nodeOf(ledger, timeouts, signal) : undefined;
  },
  isAnswer,
  isMute: error => failureOf(error) === 'mute',
  coin: {
    address: COIN,
    of: () => ({name: 'Crumb', symbol: 'CRUMB', decimals: 18}),
    value: ({transaction}) => transaction.value,
  },
};

function isThere(ledger: MemoryLedger): Promise<boolean> {
  return ledger.ask('wallet chain', () => !ledger.isAway);
}

function purse(deal: Deal, account: Account, context: FundingContext): Purse<Call> {
  const ledger = connectors.get(account);
  const {timeouts, signal} = context;
  const there = () => within(timeouts.read, isThere(ledger), signal);
  const open = <T>(window: string, ask: () => Promise<T>) => {
    ledger.windows.push(window);
    return ask();
  };
  const refusalOf = (error: unknown) => (failureOf(error) === 'rejected' ? 'rejected' : undefined);
  return {
    node: nodeOf(ledger, timeouts, signal),
    reads: true,
    batches: true,
    address: async () => {
      const [address] = await within(
        timeouts.read,
        ledger.ask('accounts', () => ledger.accounts),
        signal,
      );
      return address;
    },
    moveToChain() {
      const move = () =>
        waitForChain(
          open('switch', () => ledger.ask('move', () => ledger.arrive())),
          there,
          timeouts,
          signal,
        );
      return moveToChain(
        deal.agreed.from.chain,
        {isThere: there, move, faultOf: failureOf, onMove: context.onMove},
        signal,
      );
    },
    transaction: (from, calls) => deepFreeze({from: memoryDialect.address(from), calls: [...calls]}),
    send: (kind, transaction) =>
      requestWallet(context, kind, {
        request() {
          const {from, calls} = transaction as {from: string; calls: readonly Call[]};
          return open('send', () => ledger.send(from, calls));
        },
        read(hash) {
          if (typeof hash !== 'string' || !memoryDialect.hash(hash)) throw new SwapError('wallet-unclear');
          return {state: 'sent', hash, value: hash};
        },
        refusalOf,
      }),
    sign: typedData =>
      requestWallet<{signature: string} | {fallback: string}>(context, 'sign', {
        request() {
          ledger.typed.push(typedData);
          return open('sign', () => ledger.ask('sign', () => `signed by ${ledger.accounts[0] ?? ''}`));
        },
        read(answer) {
          if (answer === '0x') return {state: 'refused', value: {fallback: '0x'}};
          if (typeof answer !== 'string' || !answer.startsWith('signed')) throw new SwapError('wallet-unclear');
          return {state: 'signed', value: {signature: answer}};
        },
        refusalOf,
      }),
  };
}
