/** Where a swap stands, as a person sees it. */
export type Stage =
  /** The form. */
  | 'editing'
  /** The person looks at what is about to be agreed. */
  | 'reviewing'
  /** The order is being placed and checked. */
  | 'ordering'
  /** Nothing has been paid yet. */
  | 'awaiting-deposit'
  /** The wallet is being asked, or has answered and nobody has seen the payment yet. */
  | 'funding'
  /** The payment is seen and not in a block yet. */
  | 'deposit-seen'
  /** The payment is in a block and waits for more. */
  | 'confirming'
  /** The payment counts; the other side pays or has paid. */
  | 'settling'
  /** The recipient has the money. */
  | 'complete'
  /** The swap did not happen; the money is on its way back, or will be once the timelock is over. */
  | 'refunding'
  /** The payer has the money back. */
  | 'refunded'
  /** Nothing was paid in time. */
  | 'expired'
  /** A check failed before anything was signed. */
  | 'stopped';

/** Whether an order has come to an end that stays: it need not be read any more. */
export function isTerminal(stage: Stage): boolean {
  return stage === 'complete' || stage === 'refunded' || stage === 'stopped';
}
