/**
 * The widget without its UI, for pages with their own: the session with its state and actions, the service's client,
 * the adapters of the chains, and what is needed to use them. It also runs outside browsers. Other types follow from
 * these, or are exported by `swap-widget`, which registers nothing.
 */
import {createSession} from './session/session.js';
import type {SessionOptions, SwapSession} from './session/types.js';

export {createSwapApi} from './api/settings.js';
export type {SwapApi} from './api/client.js';
export type {Account, Wallet} from './chains/adapter.js';
export {adapters} from './chains/families.js';
export type {AffiliateFee} from './domain/affiliate-fee.js';
export {formatAmount, parseAmount} from './domain/amount.js';
export type {Asset, AssetId, AssetSettings, Catalogue, ChainSettings} from './domain/asset.js';
export {createCatalogue} from './domain/catalogue.js';
export {SwapError} from './domain/error.js';
export {createFeeLedger} from './domain/fee-ledger.js';
export {swapLink} from './domain/link.js';
export type {Order} from './domain/order.js';
export type {Quote} from './domain/quote.js';
export {valueOf, type Remote} from './domain/remote.js';
export type {Stage} from './domain/stage.js';
export type {Host, SessionConfig, SessionEvent, SessionOptions, SwapSession} from './session/types.js';
export {atom, type ReadableAtom} from 'nanostores';

/** Creates the stores and the actions of one widget. Nothing happens until it is configured and started. */
export function createSwapSession(options: SessionOptions): SwapSession {
  return createSession(options);
}
