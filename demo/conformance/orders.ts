/** New orders: their deposits, whether they are read back as placed, and invalid signatures. */
import {
  hashOfWords,
  hexText,
  numberOf,
  readEvmCall,
  readSolanaTransaction,
  readStarknetCall,
  type Locked,
} from './deposits.js';
import {lookAtRead, lookUntouched} from './read.js';
import {addressOn, chainOf, differs, noteUnknown, type Offer, type Run} from './run.js';
import {compare, dig, textAt, type Difference} from './shapes.js';
import {familyOf, isTestChain, knownChain, PLACED, type Family} from './specification.js';

interface Placed extends Offer {
  readonly id: string;
  readonly family: Family;
  readonly owner: string;
  readonly recipient: string;
  readonly result: unknown;
}

export const bodyOf = ({from, to, amount, receive}: Offer, owner: string, recipient: string) => ({
  source: {asset: from, owner, amount},
  destination: {asset: to, owner: recipient, amount: receive},
});

/** Invalid signatures of the right length. */
export const NOBODYS = {evm: `0x${'11'.repeat(64)}1b`, starknet: ['0x111', '0x222']} as const;

/** Places an order for an offer, reads it, and submits an invalid signature. */
export async function lookAtOrder(run: Run, offer: Offer) {
  const {service, findings} = run;
  const [owner, recipient] = [addressOn(run, offer.from), addressOn(run, offer.to)];
  const family = familyOf(chainOf(offer.from));
  const result = await service.result('/v2/orders', {method: 'POST', body: bodyOf(offer, owner, recipient)});
  if (result === undefined) return;
  const request = `POST /v2/orders, from ${offer.from}`;
  findings.add(`order.${family}`, request, compare(PLACED[family], result, 'result'));
  noteUnknown(run, PLACED[family], result, `an order from ${family}`);
  const order: Placed = {...offer, family, owner, recipient, result, id: textAt(result, 'order_id')};
  const locked = lookAtDeposit(run, order, request);
  if (!order.id) return;
  const path = `/v2/orders/${encodeURIComponent(order.id)}`;
  const read = await service.result(path);
  if (read !== undefined) {
    lookAtRead(run, order.id, read, `GET ${path}`);
    lookAtAgreed(run, order, locked, read, `GET ${path}`);
    lookUntouched(run, read, `GET ${path}`);
  }
  if (family === 'evm' || family === 'starknet') await lookAtInitiate(run, order, path);
}

function lookAtDeposit(run: Run, order: Placed, request: string): Locked | undefined {
  const {findings} = run;
  const {result, family, amount} = order;
  const add = (
    id: 'deposit.call' | 'deposit.typed-data' | 'deposit.same' | 'deposit.chain' | 'deposit.amount',
    found: Difference[],
  ) => {
    findings.add(id, request, found);
  };
  const field = (...path: string[]) => dig(result, ...path);
  if (family === 'bitcoin') {
    const prefix = chainOf(order.from) === 'bitcoin' ? /^(?:bc1|[13])/ : /^(?:tb1|bcrt1|[mn2])/;
    const to = textAt(result, 'to');
    add('deposit.chain', differs(!prefix.test(to), 'result.to', `an address on ${chainOf(order.from)}`, to));
    add(
      'deposit.amount',
      differs(textAt(result, 'amount') !== amount, 'result.amount', amount, textAt(result, 'amount')),
    );
    return undefined;
  }
  const locked = readCall(order);
  const at = family === 'solana' ? 'result.versioned_tx' : 'result.transaction';
  add('deposit.call', differs(!locked, at, 'a call of initiate', 'something else'));
  if (!locked) return undefined;
  add('deposit.amount', differs(String(locked.amount) !== amount, at, amount, String(locked.amount)));
  const chain = chainOf(order.from);
  const id = family === 'starknet' ? `SN_${isTestChain(chain) ? 'SEPOLIA' : 'MAIN'}` : knownChain(chain)?.chainId;
  if (family === 'solana') {
    const {feePayer = '', initiator = ''} = readSolanaTransaction(textAt(result, 'versioned_tx')) ?? {};
    add('deposit.chain', [
      ...differs(feePayer !== order.owner, `${at}, fee payer`, order.owner, feePayer),
      ...differs(initiator !== order.owner, `${at}, initiator`, order.owner, initiator),
    ]);
    return locked;
  }
  findings.note(`Deposits of ${order.from} go to ${textAt(result, 'transaction', 'to') || 'no contract'}.`);
  const message = (...path: string[]) => field('typed_data', 'message', ...path);
  const domain = (name: string) => textAt(result, 'typed_data', 'domain', name);
  const known =
    family === 'evm' ? {name: /^HTLC$/, version: /^[23]$/} : {name: /^HTLC$/, version: /^(?:1|0x31)$/, revision: /^1$/};
  add(
    'deposit.typed-data',
    Object.entries(known).flatMap(([name, value]) =>
      differs(!value.test(domain(name)), `result.typed_data.domain.${name}`, value.source, domain(name)),
    ),
  );
  const same = (what: string, expected: unknown, found: unknown) =>
    differs(String(expected) !== String(found), `result.typed_data.message.${what}`, String(expected), String(found));
  if (family === 'evm') {
    const value = numberOf(field('transaction', 'value'));
    add('deposit.chain', [
      ...differs(
        id !== undefined && field('transaction', 'chain_id') !== id,
        'result.transaction.chain_id',
        String(id),
        String(field('transaction', 'chain_id')),
      ),
      ...differs(
        id !== undefined && numberOf(domain('chainId')) !== BigInt(id),
        'result.typed_data.domain.chainId',
        String(id),
        domain('chainId'),
      ),
      ...differs(
        textAt(result, 'transaction', 'to').toLowerCase() !== domain('verifyingContract').toLowerCase(),
        'result.typed_data.domain.verifyingContract',
        textAt(result, 'transaction', 'to'),
        domain('verifyingContract'),
      ),
      ...differs(
        value !== undefined && value !== 0n && value !== locked.amount,
        'result.transaction.value',
        `0x0, or the amount of a coin`,
        String(value),
      ),
    ]);
    add('deposit.same', [
      ...same('redeemer', locked.redeemer, String(message('redeemer')).toLowerCase()),
      ...same('timelock', locked.timelock, numberOf(message('timelock'))),
      ...same('amount', locked.amount, numberOf(message('amount'))),
      ...same('secretHash', `0x${locked.secretHash}`, String(message('secretHash')).toLowerCase()),
    ]);
  } else {
    add(
      'deposit.chain',
      differs(
        id !== undefined && domain('chainId') !== id,
        'result.typed_data.domain.chainId',
        String(id),
        domain('chainId'),
      ),
    );
    const [high, low] = [numberOf(message('amount', 'high')), numberOf(message('amount', 'low'))];
    add('deposit.same', [
      ...same('redeemer', BigInt(locked.redeemer), numberOf(message('redeemer'))),
      ...same('timelock', locked.timelock, numberOf(message('timelock'))),
      ...same('amount', locked.amount, high === undefined || low === undefined ? undefined : (high << 128n) + low),
      ...same('secretHash', locked.secretHash, hashOfWords(message('secretHash'))),
    ]);
  }
  return locked;
}

function readCall({family, result}: Placed): Locked | undefined {
  switch (family) {
    case 'evm':
      return readEvmCall(textAt(result, 'transaction', 'data'));
    case 'solana':
      return readSolanaTransaction(textAt(result, 'versioned_tx'));
    case 'starknet':
      return readStarknetCall(dig(result, 'transaction', 'selector'), dig(result, 'transaction', 'calldata'));
    case 'bitcoin':
      return undefined;
  }
}

/** Checks that the order is the placed one, and the deposit belongs to it. */
function lookAtAgreed({findings}: Run, order: Placed, locked: Locked | undefined, read: unknown, request: string) {
  const of = (side: string, name: string) => textAt(read, `${side}_swap`, name);
  const same = (side: string, name: string, expected: string) =>
    differs(normal(of(side, name)) !== normal(expected), `result.${side}_swap.${name}`, expected, of(side, name));
  findings.add('read.agreed', request, [
    ...same('source', 'asset', order.from),
    ...same('source', 'chain', chainOf(order.from)),
    ...same('source', 'amount', order.amount),
    ...same('source', 'initiator', order.owner),
    ...same('destination', 'asset', order.to),
    ...same('destination', 'chain', chainOf(order.to)),
    ...same('destination', 'amount', order.receive),
    ...same('destination', 'redeemer', order.recipient),
  ]);
  const fees = dig(read, 'affiliate_fees');
  findings.add(
    'fees.read',
    request,
    differs(
      !Array.isArray(fees) || fees.length > 0,
      'result.affiliate_fees',
      'an empty list',
      Array.isArray(fees) ? `${String(fees.length)} entries` : String(fees),
    ),
  );
  if (order.family === 'bitcoin') {
    findings.add('deposit.order', request, same('source', 'swap_id', textAt(order.result, 'to')));
  } else if (locked) {
    findings.add('deposit.order', request, [
      ...same('source', 'redeemer', locked.redeemer),
      ...same('source', 'secret_hash', locked.secretHash),
      ...differs(
        dig(read, 'source_swap', 'timelock') !== Number(locked.timelock),
        'result.source_swap.timelock',
        String(locked.timelock),
        String(dig(read, 'source_swap', 'timelock')),
      ),
    ]);
  }
}

/** The canonical form of an address: hex in lower case, without leading zeros. */
function normal(text: string): string {
  if (/^0x[0-9a-f]+$/i.test(text)) return hexText(BigInt(text));
  return /^(?:tb1|bc1|[0-9a-f]{64}$)/i.test(text) ? text.toLowerCase() : text;
}

async function lookAtInitiate(run: Run, order: Placed, path: string) {
  const {service, findings} = run;
  const signature = order.family === 'evm' ? NOBODYS.evm : NOBODYS.starknet;
  const address = `${path}?action=initiate`;
  const text = await service.refused('initiate.refuses', 'a signature by nobody', address, {
    method: 'PATCH',
    body: {signature},
  });
  const isUnserved = /not supported|no such endpoint|not found|not allowed/i.test(text);
  findings.add(
    'initiate.served',
    `PATCH ${address}`,
    differs(isUnserved, 'answer', 'a word on the signature', text.slice(0, 120)),
  );
  const after = await service.result(path);
  const begun = textAt(after, 'source_swap', 'initiate_tx_hash');
  findings.add(
    'initiate.refuses',
    `GET ${path}`,
    differs(begun !== '', 'result.source_swap.initiate_tx_hash', 'nothing', begun),
  );
}
