import {isPart, type ChainEvent, type Leg, type Order} from './order.js';

/*
 * What the chains themselves show of a swap. Where a chain can be read, what is said about money comes from it; a
 * service's word alone never ends a right that the chain still gives.
 */

/** Whether the payment into an order is on its chain. */
export type DepositState =
  /** The chain was read, and there is none. One that is still on its way may not show. */
  | 'none'
  /** It is there, or on its way. */
  | 'seen'
  /** Its transaction was refused by the chain; nothing was paid. */
  | 'reverted'
  /**
   * Its transaction is in a block, and the contract keeps no order of it: nothing was paid. So it is where the account is
   * a contract whose inner call failed.
   */
  | 'empty'
  /** There is none, and what was signed for it is out of date: it can no longer arrive. */
  | 'expired'
  /** The chain cannot be read from here. */
  | 'unknown';

/** What the source chain shows of the payment into an order. What it does not tell is absent. */
export interface DepositOnChain {
  readonly state: DepositState;
  /** What was ever paid in, in the smallest unit, by the contract's own record. Absent where only a transaction is known. */
  readonly amount?: bigint;
  /** Its transactions, where the chain names them. */
  readonly hashes?: readonly string[];
  /** The block that holds all of it; absent while a part is in none. */
  readonly block?: bigint;
  /** Whether it still lies there: neither redeemed by the other side nor refunded. */
  readonly isHeld?: boolean;
  /** Whether the contract would pay it back to the payer now. */
  readonly isRefundOpen?: boolean;
  /** What became of it, where it no longer lies there and the chain tells. */
  readonly end?: DepositEnd;
}

/** How a payment left the contract, by what ties it to this order: its id, its account, or its own outputs. */
export interface DepositEnd {
  /** It went back to its payer, or was taken with the secret. */
  readonly how: 'refunded' | 'redeemed';
  /** What came back to the payer, in the smallest unit; 0 where it was taken. */
  readonly amount: bigint;
  /** Its transactions. */
  readonly hashes: readonly string[];
  /** The block that holds all of them; absent while one is in none. */
  readonly block?: bigint;
}

/** What the destination chain shows of the payment to the recipient, by the transactions that were looked at. */
export interface PayoutOnChain {
  /** What the recipient got by those that reveal the order's own secret, in the smallest unit. */
  readonly amount: bigint;
  /** What they got by the others: real money, and nothing that ties it to the order. */
  readonly loose: bigint;
  /** What they got, either way, before the order was made: it is another swap's, or anybody's. */
  readonly earlier: bigint;
  /** The transactions that make up `amount`. */
  readonly hashes: readonly string[];
  /** The block that holds all of `hashes`; absent while one is in none. */
  readonly block?: bigint;
  /** The secret that they reveal: hex digits in lower case without a prefix. */
  readonly secret?: string;
}

/** What was read from the chains about one order. */
export interface SwapOnChain {
  readonly deposit?: DepositOnChain;
  /** Absent until the service names a payment to the recipient, and where the destination chain cannot be read. */
  readonly payout?: PayoutOnChain;
  /** What came back to the payer, likewise. */
  readonly refund?: PayoutOnChain;
}

/**
 * An order as its service tells it, with what the chains show laid over it. A payment is as large as the chain shows it,
 * and neither back nor taken while its contract holds it; the recipient has the money once their own chain shows it.
 * `ownRefunds`: the transactions by which this browser's wallet took the money back.
 */
export function witnessed(
  order: Order,
  {deposit, payout, refund}: SwapOnChain,
  ownRefunds: readonly string[] = [],
): Order {
  const held = deposit ? withDeposit(order.source, deposit) : order.source;
  const source = refund ? withRefund(held, refund, ownRefunds) : held;
  const destination = payout ? withPayout(order.destination, payout) : order.destination;
  return source === order.source && destination === order.destination ? order : {...order, source, destination};
}

function withDeposit(leg: Leg, deposit: DepositOnChain): Leg {
  const {initiated, redeemed, refunded, ...terms} = leg;
  const {state, amount, hashes, block = initiated?.block, isHeld} = deposit;
  // A part that nobody paid would have the person pay too little. All else that is only told asks nothing of them.
  if (state === 'none' && isPart(leg)) return {...terms, filled: 0n};
  if (state !== 'seen' || (amount === undefined && isHeld === undefined)) return leg;
  return {
    ...terms,
    filled: amount ?? (initiated ? leg.filled : leg.amount),
    initiated: {...event(hashes?.length ? hashes : initiated?.hashes, block, initiated), onChain: true},
    ...(redeemed && !isHeld && {redeemed}),
    ...(refunded && !isHeld && {refunded}),
  };
}

function withRefund(leg: Leg, {amount, block}: PayoutOnChain, own: readonly string[]): Leg {
  const {refunded, ...rest} = leg;
  if (amount === 0n) return rest;
  const back = event(refunded?.hashes ?? own, block ?? refunded?.block, refunded);
  return {...rest, refunded: {...back, onChain: true}};
}

function withPayout(leg: Leg, {amount, block, secret}: PayoutOnChain): Leg {
  const {redeemed, ...rest} = leg;
  // The chain was read and does not have it: it may be on its way, and is nothing to rely on.
  if (amount === 0n) return rest;
  const paid = {...event(redeemed?.hashes, block ?? redeemed?.block, redeemed), onChain: true as const};
  return {...rest, ...(secret && {secret}), redeemed: paid};
}

function event(hashes: readonly string[] = [], block: bigint | undefined, told: ChainEvent | undefined): ChainEvent {
  return {hashes, ...(block !== undefined && {block}), ...(told?.at !== undefined && {at: told.at})};
}

/** What the chains show of a swap now, or showed of its payout before, as this browser wrote it down. */
export function everShown(
  chain: SwapOnChain,
  record: {readonly paidOut?: bigint | undefined} | undefined,
): SwapOnChain {
  const {paidOut} = record ?? {};
  return chain.payout?.amount || !paidOut ? chain : {...chain, payout: {amount: paidOut}};
}

/** Whether the recipient's chain bears out that the money arrived. */
export function isArrivalSeen(order: Order | undefined, {payout}: SwapOnChain): boolean {
  return order?.destination.redeemed?.onChain === true || Boolean(payout?.amount);
}

/** What was read, as text to compare. */
export function plainText(read: unknown): string {
  return JSON.stringify(read, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
