/**
 * The widget without its UI, for pages with their own: the session with its state and actions, the service's client,
 * the adapters of the chains, and the domain. It also runs outside browsers.
 */
import {createSession} from './session/session.js';
import type {SessionOptions, SwapSession} from './session/types.js';

export {createSwapApi, type SwapApiOptions} from './api/settings.js';
export type {SwapApi} from './api/client.js';
export type {Account, Adapters, ChainAdapter, Wallet} from './chains/adapter.js';
export {adapters} from './chains/families.js';
export type {AffiliateFee} from './domain/affiliate.js';
export {formatAmount, parseAmount} from './domain/amount.js';
export type {Asset, AssetId, AssetSettings, Catalogue, Chain, ChainFamily, ChainSettings} from './domain/asset.js';
export {createCatalogue} from './domain/catalogue.js';
export type {CheckReport, Deal, Policy} from './domain/deposit.js';
export {SwapError, type SwapErrorCode} from './domain/error.js';
export {createFeeLedger, type FeeLedger} from './domain/fee-ledger.js';
export {swapLink} from './domain/link.js';
export type {Order} from './domain/order.js';
export type {Quote} from './domain/quote.js';
export {valueOf, type Remote} from './domain/remote.js';
export type {Stage} from './domain/stage.js';
export type {Story} from './domain/story.js';
export type {JournalEntry} from './session/order/journal.js';
export type {Host, PlacedOrder, SessionConfig, SessionEvent, SessionOptions, SwapSession} from './session/types.js';
export {atom, type ReadableAtom} from 'nanostores';

/** Creates the stores and the actions of one widget. Nothing happens until it is configured and started. */
export function createSwapSession(options: SessionOptions): SwapSession {
  return createSession(options);
}
