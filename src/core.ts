/**
 * The widget without its UI, for pages with their own: the session with its state and actions, the service's client,
 * the adapters of the chains, and the domain. It also runs outside browsers.
 */
import {assembleSession} from './session/session.js';
import type {SessionOptions, SwapSession} from './session/types.js';
import {engage} from './session/work.js';

export {createSwapApi, type SwapApiOptions} from './api/settings.js';
export type {SwapApi, Timeouts} from './api/client.js';
export {
  type Account,
  type Adapters,
  type ChainAdapter,
  type DepositState,
  type FundOptions,
  type Wallet,
} from './chains/adapter.js';
export {adapters} from './chains/families.js';
export * from './domain/affiliate.js';
export * from './domain/amount.js';
export * from './domain/asset.js';
export * from './domain/catalogue.js';
export * from './domain/deposit.js';
export * from './domain/draft.js';
export * from './domain/error.js';
export type {Certainty, DepositOnChain, Movement, Movements, PayoutOnChain, Proof} from './domain/evidence.js';
export * from './domain/fee-ledger.js';
export {swapLink} from './domain/link.js';
export * from './domain/order.js';
export * from './domain/quote.js';
export * from './domain/remote.js';
export * from './domain/stage.js';
export type {Action, Note, RefundRight, Story} from './domain/story.js';
export type {VouchedSettings} from './domain/vouched.js';
export * from './domain/web-address.js';
export type * from './session/types.js';
export type {JournalEntry} from './session/order/journal.js';
export {atom, type ReadableAtom} from 'nanostores';

/** Creates the stores and the actions of one widget. Nothing happens until it is configured and started. */
export function createSwapSession(options: SessionOptions): SwapSession {
  return assembleSession(options, (...all) => engage(...all, options.adapters));
}
