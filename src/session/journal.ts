import type {Agreement, Ask, Deposit} from '../domain/deposit.js';
import type {Stage} from '../domain/order.js';

/** An order of this browser, as it is remembered. */
export interface JournalEntry {
  readonly orderId: string;
  readonly service: string;
  /** Milliseconds since 1970. */
  readonly placedAt: number;
  readonly agreed: Agreement;
  readonly deposit: Deposit;
  readonly asks: readonly Ask[];
  /** Where it last stood. */
  readonly stage: Stage;
}
