import type {Agreement, Deposit} from '../domain/deposit.js';
import type {Order} from '../domain/order.js';
import type {Quote, QuoteRequest} from '../domain/quote.js';

export interface SwapApi {
  quote(request: QuoteRequest, options?: {signal?: AbortSignal}): Promise<readonly Quote[]>;
  createOrder(agreed: Agreement, options?: {nameSolver?: boolean}): Promise<{orderId: string; deposit: Deposit}>;
  initiate(orderId: string, signature: unknown): Promise<void>;
  readOrder(orderId: string, options?: {signal?: AbortSignal}): Promise<Order>;
}
