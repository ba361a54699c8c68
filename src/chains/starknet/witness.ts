/* What Starknet shows of a swap: what was paid into its contract, and what was paid out to a recipient. */
import {hash as felts} from 'starknet';
import type {Asset} from '../../domain/asset.js';
import type {Deal} from '../../domain/deposit.js';
import type {DepositEnd, DepositOnChain, PayoutOnChain} from '../../domain/evidence.js';
import type {ReadDepositOptions} from '../adapter.js';
import {tryRead} from '../errors.js';
import {hex} from '../rpc.js';
import {addPayouts, type KeptOrder, type Gift, type PayoutOptions} from '../witness.js';
import {starknetPayloadOf} from './check.js';
import {
  addressText,
  decodeInitiate,
  idParts,
  isAnswer,
  isContractAddress,
  isFelt,
  isSameStarknetAddress,
  namedId,
  paidIds,
  readEnd,
  readEnds,
  readHead,
  readOrder,
  readPayments,
  readReceipt,
  readRedeemed,
  readTime,
  readTransfer,
  transactionStatus,
  wouldRefund,
  type ContractEvent,
  type MinedEvent,
  type Terms,
} from './htlc.js';
import {chainIdOf, type Read} from './rpc.js';

/** A hash is a number of this chain: for any other text a node has an error. */
const HASH = {test: isFelt};

/** The ids that were worked out last: each look at the chain wants them again, and a hash takes milliseconds. */
let last: {readonly of: string; readonly ids: readonly string[]} | undefined;

/** The ids that contracts of the known generations give a deal's order. */
export function ownIds({agreed}: Deal, contract: string, terms: Terms): readonly string[] {
  const parts = idParts(chainIdOf(agreed.from.chain), agreed.owner, contract, terms);
  const of = parts.join(';');
  if (last?.of !== of) last = {of, ids: parts.map(one => felts.computePoseidonHashOnElements([...one]))};
  return last.ids;
}

/** An order that was found in a contract. */
interface FoundOrder extends KeptOrder {
  readonly id: string;
}

/**
 * The order that was paid into a contract, with its id; `undefined` where there is none. What is kept under an id counts
 * only as it was agreed: a service may name the id of any order, of an earlier one of this payer too. Such an id binds no
 * secret hash, so that is the one of the contract's own event.
 *
 * `paid`: ids that the contract told with this secret hash. `at`: the block whose state counts.
 */
export async function findOrder(
  read: Read,
  deal: Deal,
  contract: string,
  terms: Terms,
  {paid = [], at}: {readonly paid?: readonly string[]; readonly at?: bigint} = {},
): Promise<FoundOrder | undefined> {
  const {redeemer, timelock, amount, secretHash} = terms;
  const bound = [...ownIds(deal, contract, terms), ...paid];
  const named = namedId(deal.order);
  const wanted = [addressText(deal.agreed.owner), redeemer, timelock, amount].join();
  for (const id of new Set([...bound, ...(named === undefined ? [] : [named])])) {
    const kept = await readOrder(read, contract, id, at);
    if (!kept || [kept.initiator, kept.redeemer, kept.timelock, kept.amount].join() !== wanted) continue;
    const order = {...kept, id};
    if (bound.includes(id) || paidIds(await readPayments(read, contract, order), contract, secretHash).includes(id)) {
      return order;
    }
  }
  return undefined;
}

/**
 * Reads what a deal's call paid in, and what became of it. Rejects where a read failed.
 *
 * A transaction that is in a block and well paid nothing where the contract keeps no order of it. The state of that block
 * decides, or a later one: nodes lag behind. The first generation of contracts cannot be asked what it keeps.
 */
export async function readDeposit(
  read: Read,
  deal: Deal,
  {hash = '', ends = []}: Pick<ReadDepositOptions, 'hash' | 'ends'>,
): Promise<DepositOnChain> {
  const payload = starknetPayloadOf(deal);
  const terms = payload && decodeInitiate(payload.call);
  if (!terms || ![deal.agreed.owner, payload.call.to].every(isContractAddress)) return {state: 'unknown'};
  const contract = payload.call.to;
  const look = async (options?: Parameters<typeof findOrder>[4]) => {
    try {
      return {order: await findOrder(read, deal, contract, terms, options)};
    } catch (error) {
      return noneIn(error);
    }
  };
  const found = await look();
  if (found?.order) return showOrder(read, contract, found.order, ends);
  const none = {state: found ? 'none' : 'unknown'} as const;
  if (!HASH.test(hash)) return none;
  const state = await transactionStatus(read, hash);
  if (state === 'none') return none;
  if (state !== 'done') return {state};
  const [receipt, head] = [await readReceipt(read, hash), await readHead(read)];
  if (receipt?.block_number === undefined) throw new Error('The transaction is in a block, and not known.');
  const block = BigInt(receipt.block_number);
  const paid = paidIds(receipt.events, contract, terms.secretHash);
  const then = await look({paid, at: head > block ? head : block});
  if (then?.order) return showOrder(read, contract, then.order, ends);
  return {state: then ? 'empty' : 'unknown'};
}

/** What is kept of a payment, as far as the chain can be read. */
async function showOrder(
  read: Read,
  contract: string,
  order: FoundOrder,
  ends: readonly string[],
): Promise<DepositOnChain> {
  const {id, amount, block, isHeld} = order;
  const [payments = [], opens, end] = await Promise.all([
    tryRead(() => readPayments(read, contract, order)),
    isHeld ? tryRead(() => wouldRefund(read, contract, id)) : false,
    isHeld ? undefined : findEnd(read, contract, order, ends),
  ]);
  const hashes = [...new Set(payments.map(({transaction_hash}) => transaction_hash))];
  return {
    state: 'seen',
    amount,
    block,
    isHeld,
    ...(hashes.length > 0 && {hashes}),
    ...(opens !== undefined && {isRefundOpen: opens}),
    ...(end && {end}),
  };
}

/** Finds how an order ended: by the transactions that may have done it, else by the contract's events. */
async function findEnd(
  read: Read,
  contract: string,
  {id, amount, block, endedIn}: FoundOrder,
  hashes: readonly string[],
): Promise<DepositEnd | undefined> {
  const endIn = (events: readonly MinedEvent[]): DepositEnd | undefined => {
    for (const event of events) {
      const how = readEnd(event, contract, id);
      if (!how) continue;
      const {transaction_hash: hash, block_number: number} = event;
      const back = how === 'refunded' ? amount : 0n;
      return {how, amount: back, hashes: [hash], ...(number !== undefined && {block: BigInt(number)})};
    }
    return undefined;
  };
  const eventsOf = async (hash: string) => {
    const receipt = await tryRead(() => readReceipt(read, hash));
    const {events = [], block_number} = receipt?.execution_status === 'REVERTED' ? {} : (receipt ?? {});
    return events.map(event => ({...event, transaction_hash: hash, block_number}));
  };
  const told = (from: bigint, to?: bigint) => tryRead(async () => endIn(await readEnds(read, contract, id, from, to)));
  const named = await Promise.all(hashes.filter(hash => HASH.test(hash)).map(eventsOf));
  const found = endIn(named.flat()) ?? (endedIn === undefined ? undefined : await told(endedIn, endedIn));
  return found ?? told(block);
}

/** Reads what transactions gave a recipient. Rejects where a read failed. */
export async function readPayout(
  read: Read,
  {token, contracts}: Asset,
  recipient: string,
  hashes: readonly string[],
  options: PayoutOptions,
): Promise<PayoutOnChain | undefined> {
  if (token === undefined || !isContractAddress(recipient)) return undefined;
  const times = new Map<bigint, Promise<number>>();
  const timeOf = (block: bigint) => {
    const time = times.get(block) ?? readTime(read, block);
    times.set(block, time);
    return time;
  };
  const isKnown = ({from_address: address}: ContractEvent) =>
    !contracts.length || contracts.some(contract => isSameStarknetAddress(contract, address));
  return addPayouts(distinct(hashes), HASH, options, async (hash): Promise<Gift | undefined> => {
    const receipt = await readReceipt(read, hash);
    if (!receipt) return undefined;
    const {block_number: number, execution_status: status, events} = receipt;
    const block = number === undefined ? undefined : BigInt(number);
    if (status === 'REVERTED') return {amount: 0n, block};
    const amount = movedTo(addressText(recipient), token, events);
    const secrets = await readSecrets(read, addressText(recipient), events.filter(isKnown));
    return {amount, block, secrets, ...(block !== undefined && amount > 0n && {at: await timeOf(block)})};
  });
}

/** A hash that is written in two ways is one. */
function distinct(hashes: readonly string[]): readonly string[] {
  const plain = hashes.map(hash => (HASH.test(hash) ? hex(BigInt(hash)) : hash));
  return hashes.filter((_, at) => plain.indexOf(plain[at] ?? '') === at);
}

/** What a token's own events say that an address got, less what it gave. */
function movedTo(recipient: string, token: string, events: readonly ContractEvent[]): bigint {
  return events
    .filter(({from_address: address}) => isSameStarknetAddress(address, token))
    .map(readTransfer)
    .reduce((sum, moved) => {
      if (!moved) return sum;
      return sum + (moved.to === recipient ? moved.value : 0n) - (moved.from === recipient ? moved.value : 0n);
    }, 0n);
}

/** The secrets of the swaps that were paid out to a recipient. */
async function readSecrets(read: Read, recipient: string, events: readonly ContractEvent[]) {
  const secrets = events.map(async event => {
    const redeemed = await readRedeemed(event);
    const order = redeemed && (await readOrder(read, event.from_address, redeemed.id).catch(noneIn));
    return order?.redeemer === recipient ? [redeemed?.secret ?? ''] : [];
  });
  return (await Promise.all(secrets)).flat();
}

/** A contract that gives no known answer keeps nothing that can be read: anything may tell what a swap contract tells. */
function noneIn(error: unknown): undefined {
  if (!isAnswer(error)) throw error;
}
