export {SwapWidget} from './elements/swap-widget.js';
export type {SwapOrder} from './elements/event-of.js';
export type {ServiceDialect} from './api/dialect.js';
export type {PolicySettings, Settings} from './elements/settings/settings.js';
export type {PaymentRequest, PaymentRequestEnd, PaymentRequestError} from './elements/request.js';
export * from './events.js';
export type {MessageOverrides, Messages} from './locales/messages.js';
export type {AffiliateFee} from './domain/affiliate-fee.js';
export type {Asset, AssetId, AssetSettings, Chain, ChainFamily, ChainSettings} from './domain/asset.js';
export type {Agreement, CheckName, CheckReport, CheckResult, Deposit, Funding, FundWay} from './domain/deposit.js';
export type {LockedField} from './domain/draft.js';
export {SwapError, type SwapErrorCode} from './domain/error.js';
export type {ChargedFee, ChainEvent, Leg, Order} from './domain/order.js';
export type {Stage} from './domain/stage.js';
export type {Quote, QuoteRequest, Quotes, QuoteSide} from './domain/quote.js';
export type {ReferencePrice} from './domain/reference.js';

import type {SwapWidget} from './elements/swap-widget.js';

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget': SwapWidget;
  }
}
