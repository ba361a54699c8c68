/* What a chain shows of a swap: what was paid into its contract, and what was paid out to a recipient. */
import type {Asset} from '../../domain/asset.js';
import type {Deal} from '../../domain/deposit.js';
import type {DepositEnd, DepositOnChain, PayoutOnChain} from '../../domain/evidence.js';
import type {ReadDepositOptions} from '../adapter.js';
import {sha256} from '../checks.js';
import {tryRead} from '../errors.js';
import {addPayouts, type Gift, type PayoutOptions} from '../witness.js';
import type {AnyDialect, Event, KeptOrder, Node, Terms} from './dialect.js';

/** An order that was found in a contract. */
export interface FoundOrder extends KeptOrder {
  readonly id: string;
}

/**
 * The order that was paid into a contract, with its id; `undefined` where there is none. Which generation a contract is of
 * is not known, so every id that one would have is looked up, and the one in the order as read. What is kept there counts
 * only as it was agreed: a service may name the id of any order, of an earlier one of this payer too. Such an id binds no
 * secret hash, so that is the one that the contract's own event says.
 *
 * `paid`: ids that the contract said with this secret hash. `at`: the block whose state counts.
 */
export async function findOrder(
  dialect: AnyDialect,
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

/** The id in the order as read, if it can be one. */
export function namedId(dialect: AnyDialect, {order}: Deal): string | undefined {
  return order && dialect.id(order.source.swapId);
}

/** The ids of the orders with a secret hash that were paid into a contract, by its own events. */
function paidIds(dialect: AnyDialect, events: readonly Event[], contract: string, {secretHash}: Terms) {
  return events.flatMap(({by, said}) =>
    by === dialect.address(contract) && said.what === 'paid' && said.secretHash === secretHash ? [said.id] : [],
  );
}

/**
 * Reads what a deal's call paid in, and what became of it. Rejects where a read failed.
 *
 * A transaction that is in a block and well paid nothing where the contract keeps no order of it: in an account that is a
 * contract, the call itself may have failed. The state of that block decides, or a later one: nodes lag behind.
 */
export async function readDeposit(
  dialect: AnyDialect,
  node: Node<unknown>,
  deal: Deal,
  {hash = '', ends = []}: Pick<ReadDepositOptions, 'hash' | 'ends'>,
): Promise<DepositOnChain> {
  const payload: unknown = dialect.payload(deal);
  const terms = payload ? dialect.terms(payload) : undefined;
  const contract = payload ? dialect.contract(payload) : '';
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
  const isKnown = found !== undefined && !dialect.hasOtherIds?.(payload);
  const none = {state: isKnown ? 'none' : 'unknown'} as const;
  if (dialect.hash(hash) === undefined) return none;
  const state = await node.status(hash);
  if (state === 'none') return none;
  if (state !== 'done') return {state};
  const receipt = await node.receipt(hash);
  if (receipt?.block === undefined) throw new Error('The transaction is in a block, and not known.');
  const {block, events} = receipt;
  const head = await node.head();
  const paid = paidIds(dialect, events, contract, terms);
  const then = await look({paid, at: head > block ? head : block});
  if (then?.order) return showOrder(dialect, node, deal, contract, then.order, ends);
  return {state: then && isKnown ? 'empty' : 'unknown'};
}

/** What is kept of a payment, as far as the chain can be read. */
async function showOrder(
  dialect: AnyDialect,
  node: Node<unknown>,
  deal: Deal,
  contract: string,
  order: FoundOrder,
  ends: readonly string[],
): Promise<DepositOnChain> {
  const {id, amount, block, isHeld} = order;
  // Anyone may ask for it, and the money goes to the payer.
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

/** Finds how an order ended: by the transactions that may have done it, else by what the contract says. */
async function findEnd(
  dialect: AnyDialect,
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
  const found = endIn(named.flat()) ?? (endedIn === undefined ? undefined : await said(endedIn, endedIn));
  return found ?? said(block);
}

function isEnd(said: Event['said']) {
  return said.what === 'redeemed' || said.what === 'refunded';
}

/** Reads what transactions gave a recipient. Rejects where a read failed. */
export async function readPayout(
  dialect: AnyDialect,
  node: Node<unknown>,
  {token, contracts}: Asset,
  recipient: string,
  hashes: readonly string[],
  options: PayoutOptions,
): Promise<PayoutOnChain | undefined> {
  if (!dialect.isContract(recipient) || (token === undefined && !node.sent)) return undefined;
  const to = dialect.address(recipient);
  const known = contracts.map(contract => dialect.address(contract));
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
    const swaps = await readSwaps(events);
    const secrets = swaps.flatMap(({secret}) => secret ?? []);
    const amount = token === undefined ? await coinsOf(block) : movedTo(events, dialect.address(token));
    return {amount, block, secrets, ...(block !== undefined && amount > 0n && {at: await timeOf(block)})};

    /**
     * No event says that coins moved, so that is by what a contract kept, beside what was just sent; by a contract that is
     * not known, only as far as they came.
     */
    async function coinsOf(block: bigint | undefined): Promise<bigint> {
      const paid = swaps.reduce((sum, swap) => sum + swap.amount, 0n);
      const given = paid + ((await node.sent?.(hash, to)) ?? 0n);
      if (known.length || paid === 0n || block === undefined) return given;
      const before = await node.balance(undefined, to, block - 1n);
      const came = (await node.balance(undefined, to, block)) - before;
      return came < given ? came : given;
    }
  });

  /** What a token's own events say that the recipient got, less what it gave. */
  function movedTo(events: readonly Event[], mover: string): bigint {
    return events.reduce((sum, {by, said}) => {
      if (by !== mover || said.what !== 'moved') return sum;
      return sum + (said.to === to ? said.value : 0n) - (said.from === to ? said.value : 0n);
    }, 0n);
  }

  /** The swaps that a transaction paid out, or back, to the recipient, from known contracts where any are. */
  async function readSwaps(events: readonly Event[]) {
    const swaps = events
      .filter(({by}) => !known.length || known.includes(by))
      .map(async ({by, said}) => {
        if (!isEnd(said)) return [];
        const secret = said.what === 'redeemed' ? said.secret : undefined;
        // What shows no secret of its hash is no payout of a swap.
        const isReal = said.what === 'refunded' || (secret !== undefined && (await sha256(secret)) === said.secretHash);
        const order = isReal && (await node.order(by, said.id).catch((error: unknown) => noneIn(dialect, error)));
        const receiver = order && (said.what === 'redeemed' ? order.redeemer : order.initiator);
        return order && receiver === to ? [{amount: order.amount, secret}] : [];
      });
    return (await Promise.all(swaps)).flat();
  }
}

/** A hash that is written in two ways is one. */
function distinct(dialect: AnyDialect, hashes: readonly string[]): readonly string[] {
  const plain = hashes.map(hash => dialect.hash(hash) ?? hash);
  return hashes.filter((_, at) => plain.indexOf(plain[at] ?? '') === at);
}

/** A contract that gives no known answer keeps nothing that can be read: anything may say what a swap contract says. */
function noneIn(dialect: AnyDialect, error: unknown): undefined {
  if (!dialect.isAnswer(error)) throw error;
}
