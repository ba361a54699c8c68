/* What a chain shows of a swap: the payment into its contract, and the payout to a recipient. */
import {contractsOf, type Asset} from '../../domain/asset.js';
import type {Deal} from '../../domain/deposit.js';
import type {DepositEnd, DepositOnChain, PayoutOnChain} from '../../domain/evidence.js';
import type {ReadDepositOptions} from '../adapter.js';
import {sha256, standingOf} from '../checks.js';
import {tryRead} from '../errors.js';
import {addPayouts, latest, total, type Gift, type PayoutOptions} from '../witness.js';
import {paidTerms, readPayload} from './check.js';
import type {AnyContractDialect, AnyDialect, Event, KeptOrder, Node, Receipt, Terms} from './dialect.js';

export interface FoundOrder extends KeptOrder {
  readonly id: string;
}

/**
 * The order that was paid into a contract. A contract's generation is unknown, so all its possible ids are looked up,
 * and the one in the order as read. A record only counts if it matches the agreement: a service may name the id of any
 * order, including an earlier one of this payer. Such an id does not commit to the secret hash, so the hash is taken
 * from the contract's own event. `paid`: ids from the contract's events with this secret hash. `at`: the block whose
 * state counts.
 */
export async function findOrder(
  dialect: AnyContractDialect,
  node: Node<unknown>,
  deal: Deal,
  contract: string,
  terms: Terms,
  {paid = [], at}: {readonly paid?: readonly string[]; readonly at?: bigint} = {},
): Promise<FoundOrder | undefined> {
  const {owner, from} = deal.agreed;
  const bound = [...(await dialect.ids(from.chain, owner, contract, terms)), ...paid];
  const named = namedId(dialect, deal);
  const wanted = [dialect.address(owner), terms.redeemer, terms.timelock, terms.amount].join();
  for (const id of new Set([...bound, ...(named === undefined ? [] : [named])])) {
    const kept = await node.order(contract, id, at);
    if (!kept || [kept.initiator, kept.redeemer, kept.timelock, kept.amount].join() !== wanted) continue;
    const {block} = kept;
    const isBound = async () =>
      paidIds(dialect, await node.events(contract, id, 'payment', block, block), contract, terms).includes(id);
    if (bound.includes(id) || (await isBound())) return {...kept, id};
  }
  return undefined;
}

export function namedId(dialect: AnyContractDialect, {order}: Deal): string | undefined {
  return order && dialect.id(order.source.swapId);
}

function paidIds(dialect: AnyContractDialect, events: readonly Event[], contract: string, {secretHash}: Terms) {
  return events.flatMap(({by, said}) =>
    by === dialect.address(contract) && said.what === 'paid' && said.secretHash === secretHash ? [said.id] : [],
  );
}

/**
 * A confirmed, successful transaction paid nothing if the contract has no order for it: if the account is a contract,
 * the inner call may have failed. The state after that block decides, or a later one: nodes lag behind. The same holds
 * once another transaction has the payment's nonce: one that pays more for its gas, or one that canceled it. Rejects if
 * reading failed.
 */
export async function readDeposit(
  dialect: AnyDialect,
  node: Node<unknown>,
  deal: Deal,
  options: ReadPaidOptions,
): Promise<DepositOnChain> {
  const payload: unknown = dialect.payload(deal);
  if (!payload) return {state: 'unknown'};
  const reading = readPayload(dialect, deal, payload);
  if (deal.unverified) return readUnverified(dialect, node, deal, reading.contract, options);
  const terms = paidTerms(dialect, deal, reading);
  // Only its owner knows what a contract does with a call in another form.
  const hasOtherIds = (reading.standing !== 'known' && !reading.called) || dialect.hasOtherIds?.(payload);
  return readPaid(dialect, node, deal, {contract: reading.contract, terms, hasOtherIds}, options);
}

type ReadPaidOptions = Pick<ReadDepositOptions, 'hash' | 'ends' | 'lifetime' | 'calls' | 'given'>;

/** Reads the payment of a deal on these terms into a contract, which may have ids that cannot be derived. */
export async function readPaid(
  dialect: AnyContractDialect,
  node: Node<unknown>,
  deal: Deal,
  {
    contract,
    terms,
    hasOtherIds = false,
  }: {contract: string; terms: Terms | undefined; hasOtherIds?: boolean | undefined},
  {hash = '', ends = [], lifetime, calls}: ReadPaidOptions,
): Promise<DepositOnChain> {
  if (!terms || ![deal.agreed.owner, contract].every(one => dialect.isContract(one))) return {state: 'unknown'};
  const look = async (options?: Parameters<typeof findOrder>[5]) => {
    try {
      return {order: await findOrder(dialect, node, deal, contract, terms, options)};
    } catch (error) {
      return noneIn(dialect, error);
    }
  };
  const found = await look();
  if (found?.order) return showOrder(dialect, node, deal, contract, found.order, ends);
  const isKnown = found !== undefined && !hasOtherIds;
  const none = {state: isKnown ? 'none' : 'unknown'} as const;
  if (dialect.hash(hash) === undefined) return none;
  const state = await node.status(hash);
  if (state === 'none') {
    // Only a known contract, and only a transaction that the account itself sent.
    const isOwn = isKnown && calls === undefined && isContractOf(dialect, deal, contract);
    const at = isOwn && lifetime !== undefined ? await blockPast(node, deal.agreed.owner, lifetime) : undefined;
    if (at === undefined) return none;
    const then = await look({at});
    if (then?.order) return showOrder(dialect, node, deal, contract, then.order, ends);
    // It may have come into a block meanwhile.
    return then && (await node.status(hash)) === 'none' ? {state: 'canceled'} : none;
  }
  if (state === 'seen') {
    const sender = await tryRead(async () => node.sender?.(hash));
    const isPayers = sender?.address === dialect.address(deal.agreed.owner);
    return {state, ...(isPayers && {lifetime: String(sender.nonce)})};
  }
  if (state === 'reverted') return {state};
  const receipt = await node.receipt(hash);
  if (receipt?.block === undefined) throw new Error('The transaction is in a block, and not known.');
  const {block, events} = receipt;
  const paid = paidIds(dialect, events, contract, terms);
  const then = await look({paid, at: latest([block, await node.head()])});
  if (then?.order) return showOrder(dialect, node, deal, contract, then.order, ends);
  return {state: then && isKnown ? 'empty' : 'unknown'};
}

/**
 * How far a node, or another one behind the same address, may lag behind its chain: in seconds, and at most in blocks, as
 * full nodes keep the states of the last 128.
 */
const LAG_SECONDS = 60;
const MOST_LAG = 100;

/**
 * What a chain shows of a payment to a contract that was unverified: its record, its events and its refusals are its
 * owner's to write. The chain itself says that a transaction did nothing, the token what left the payer. Nothing is paid
 * if in a block that all nodes have, with all that was sent in it or before it, nothing is allowed, nothing has left, and
 * nothing is on its way: the contract took nothing, and cannot any more.
 */
async function readUnverified(
  dialect: AnyContractDialect,
  node: Node<unknown>,
  {agreed: {owner, amount, from}}: Deal,
  contract: string,
  {hash = '', given}: ReadPaidOptions,
): Promise<DepositOnChain> {
  const unknown = {state: 'unknown'} as const;
  const {token, chain} = from;
  const newest = (await node.head()) - BigInt(Math.min(Math.ceil(LAG_SECONDS / chain.blockSeconds), MOST_LAG));
  const at = latest([newest, given?.after ?? newest]);
  const isOld = (receipt: Receipt | undefined) => receipt?.block !== undefined && receipt.block <= at;
  const own = dialect.hash(hash) === undefined ? undefined : await node.receipt(hash);
  if (own?.isReverted) return isOld(own) ? {state: 'reverted'} : unknown;
  if (token === undefined) return unknown;
  const left = (events: readonly Event[] = []) => -movedTo(events, dialect.address(token), dialect.address(owner));
  if (left(own?.events) >= amount) return {...unknown, isTaken: true};
  // In this order: what comes into a block in between shows in the next read.
  const sent = await Promise.all((given?.hashes ?? []).map(one => node.receipt(one)));
  const isComing = await node.hasUnconfirmed?.(owner);
  const before = given && (await node.allowance(token, owner, contract, at));
  const allowed = await node.allowance(token, owner, contract);
  const isAllowed = allowed > 0n;
  if (!given || !node.moves) return {...unknown, isAllowed};
  const hasLeft = left(await node.moves(token, owner, given.after)) > given.others;
  const isSpent = sent.every(isOld) && !before && !isAllowed;
  return {
    state: isSpent && !isComing && !hasLeft ? 'none' : 'unknown',
    isTaken: hasLeft,
    isAllowed,
    ...(isSpent && {spent: given.hashes}),
  };
}

function isContractOf(dialect: AnyContractDialect, deal: Deal, contract: string): boolean {
  return standingOf(deal, contract, text => dialect.address(text)) !== 'unknown';
}

/** A block after which an account's nonce is past another; `undefined` if it is not, or if the account is a contract. */
async function blockPast(node: Node<unknown>, owner: string, nonce: string): Promise<bigint | undefined> {
  if (!node.nonce || !/^\d+$/.test(nonce)) return undefined;
  const head = await node.head();
  return (await node.nonce(owner, head)) > BigInt(nonce) && !(await node.hasCode(owner)) ? head : undefined;
}

async function showOrder(
  dialect: AnyContractDialect,
  node: Node<unknown>,
  deal: Deal,
  contract: string,
  order: FoundOrder,
  ends: readonly string[],
): Promise<DepositOnChain> {
  const {id, amount, block, isHeld} = order;
  // Anyone may call the refund, and the money goes to the payer.
  const refusal = () => node.refusalOf(dialect.refundCall(contract, id), deal.agreed.owner);
  const [payments = [], opens, end] = await Promise.all([
    tryRead(() => node.events(contract, id, 'payment', block, block)),
    isHeld ? tryRead(async () => !(await refusal())) : false,
    isHeld ? undefined : findEnd(dialect, node, contract, order, ends),
  ]);
  const hashes = [...new Set(payments.map(({hash}) => hash))];
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

/** Finds how an order ended: from the transactions that may have ended it, otherwise from the contract's events. */
async function findEnd(
  dialect: AnyContractDialect,
  node: Node<unknown>,
  contract: string,
  {id, amount, block, endedIn}: FoundOrder,
  hashes: readonly string[],
): Promise<DepositEnd | undefined> {
  const endIn = (events: readonly Event[]): DepositEnd | undefined => {
    const end = events.find(({by, said}) => by === dialect.address(contract) && isEnd(said) && said.id === id);
    if (!end || !isEnd(end.said)) return undefined;
    const {what: how} = end.said;
    const back = how === 'refunded' ? amount : 0n;
    return {how, amount: back, hashes: [end.hash], ...(end.block !== undefined && {block: end.block})};
  };
  const eventsOf = async (hash: string) => {
    const receipt = await tryRead(() => node.receipt(hash));
    return !receipt || receipt.isReverted ? [] : receipt.events;
  };
  const said = (from: bigint, to?: bigint) =>
    tryRead(async () => endIn(await node.events(contract, id, 'end', from, to)));
  const named = await Promise.all(hashes.filter(hash => dialect.hash(hash) !== undefined).map(eventsOf));
  const found = endIn(named.flat()) ?? (endedIn !== undefined && (await said(endedIn, endedIn)));
  return found || said(block);
}

function isEnd(said: Event['said']) {
  return said.what === 'redeemed' || said.what === 'refunded';
}

/** Reads the payments of transactions to a recipient. Rejects if reading failed. */
export async function readPayout(
  dialect: AnyDialect,
  node: Node<unknown>,
  {token, ...asset}: Asset,
  recipient: string,
  hashes: readonly string[],
  options: PayoutOptions,
): Promise<PayoutOnChain | undefined> {
  if (!dialect.isContract(recipient) || (token ?? dialect.coin) === undefined) return undefined;
  const {leg, after} = options;
  const to = dialect.address(recipient);
  // An unknown contract's events and records are its owner's to write.
  const known = contractsOf(asset).map(contract => dialect.address(contract));
  const times = new Map<bigint, Promise<number>>();
  const timeOf = (block: bigint) => {
    const time = times.get(block) ?? node.time(block);
    times.set(block, time);
    return time;
  };
  const form = {test: (hash: string) => dialect.hash(hash) !== undefined};
  return addPayouts(distinct(dialect, hashes), form, options, async (hash): Promise<Gift | undefined> => {
    const receipt = await node.receipt(hash);
    if (!receipt) return undefined;
    const {block, events} = receipt;
    if (receipt.isReverted) return {amount: 0n, block};
    const swaps = await readEnded(
      dialect,
      node,
      events.filter(({by}) => known.includes(by)),
      to,
    );
    const amount = token === undefined ? await coinsOf(swaps, block) : movedTo(events, dialect.address(token), to);
    const redeems = swaps.flatMap(order => {
      const {id: swap, secret, amount: held} = order;
      if (secret === undefined) return [];
      return [{swap, secret, amount: held, isNamed: leg && isOfLeg(dialect, order, leg)}];
    });
    const isDated = block !== undefined && amount > 0n && after === undefined;
    return {amount, block, redeems, ...(isDated && {at: await timeOf(block)})};

    /**
     * Native transfers emit no event, so they are measured by the known contracts' records, in addition to direct
     * transfers; if no contract is known, by the change of the balance in the block.
     */
    async function coinsOf(ended: readonly EndedOrder[], at: bigint | undefined): Promise<bigint> {
      const given = total(ended.map(({amount: paid}) => paid)) + (await node.sent(hash, to));
      if (known.length || given !== 0n || at === undefined) return given;
      const before = await node.balance(undefined, to, at - 1n);
      return (await node.balance(undefined, to, at)) - before;
    }
  });
}

function movedTo(events: readonly Event[], token: string, account: string): bigint {
  return events.reduce((sum, {by, said}) => {
    if (by !== token || said.what !== 'moved') return sum;
    return sum + (said.to === account ? said.value : 0n) - (said.from === account ? said.value : 0n);
  }, 0n);
}

interface EndedOrder extends FoundOrder {
  /** Absent after a refund. */
  readonly secret: string | undefined;
}

/** The orders that were redeemed or refunded to a recipient, by contracts' events and records, each once. */
async function readEnded(
  dialect: AnyDialect,
  node: Node<unknown>,
  events: readonly Event[],
  to: string,
): Promise<readonly EndedOrder[]> {
  const ended = events.map(async ({by, said}) => {
    if (!isEnd(said)) return [];
    // Without a preimage of its hash it is not the payout of a swap.
    if (said.what === 'redeemed' && (said.secret === undefined || (await sha256(said.secret)) !== said.secretHash))
      return [];
    const order = await node.order(by, said.id).catch((error: unknown) => noneIn(dialect, error));
    const [receiver, secret] = said.what === 'redeemed' ? [order?.redeemer, said.secret] : [order?.initiator];
    return order && receiver === to ? [{...order, id: said.id, secret}] : [];
  });
  const all = (await Promise.all(ended)).flat();
  return all.filter(({id}, at) => all.findIndex(one => one.id === id) === at);
}

/**
 * Whether an order in a contract is a leg's: by the id in the leg, or by its terms. A leg may have an id of the service's
 * own, and the contract may hold less than the leg says; but not both another id and other terms.
 */
function isOfLeg(
  dialect: AnyDialect,
  {id, initiator, timelock, amount}: FoundOrder,
  leg: NonNullable<PayoutOptions['leg']>,
): boolean | undefined {
  const named = dialect.id(leg.swapId);
  if (named === id) return true;
  const wanted = [dialect.address(leg.initiator), leg.timelock, leg.amount];
  const hasTerms = [initiator, timelock, amount].join() === wanted.join();
  if (named === undefined) return hasTerms || undefined;
  return hasTerms ? undefined : false;
}

function distinct(dialect: AnyDialect, hashes: readonly string[]): readonly string[] {
  const plain = hashes.map(hash => dialect.hash(hash));
  return hashes.filter((_, at) => plain.indexOf(plain[at]) === at);
}

/** Any contract may emit the same events, so one without a readable record counts for nothing. */
function noneIn(dialect: AnyContractDialect, error: unknown): undefined {
  if (!dialect.isAnswer(error)) throw error;
}
