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
  /** There is none, and what was signed for it is out of date: it can no longer arrive. */
  | 'expired'
  /** The chain cannot be read from here. */
  | 'unknown';

/** What the source chain shows of the payment into an order. What it does not tell is absent. */
export interface DepositOnChain {
  readonly state: DepositState;
  /** What was ever paid in, in the smallest unit. */
  readonly amount?: bigint;
  /** Its transactions, where the chain names them. */
  readonly hashes?: readonly string[];
  /** The block that holds all of it; absent while a part is in none. */
  readonly block?: bigint;
  /** Whether it still lies there: neither redeemed by the other side nor refunded. */
  readonly isHeld?: boolean;
  /** Whether the contract would pay it back to the payer now. */
  readonly isRefundOpen?: boolean;
}

/** What the destination chain shows of the payment to the recipient. */
export interface PayoutOnChain {
  /** What the recipient got by the transactions that were looked at, in the smallest unit; 0 where they gave nothing. */
  readonly amount: bigint;
  /** The block that holds them; absent while one is in none. */
  readonly block?: bigint;
  /** The secret that they reveal: hex digits in lower case without a prefix. */
  readonly secret?: string;
}

/** What was read from the chains about one order. */
export interface SwapOnChain {
  readonly deposit?: DepositOnChain;
  /** Absent until the service names a payment to the recipient, and where the destination chain cannot be read. */
  readonly payout?: PayoutOnChain;
}
