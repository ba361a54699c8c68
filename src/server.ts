/*
 * For a merchant's back end: what happened to a swap's money, according to the chains. Neither the page that names an
 * order nor the service that describes it is trusted. For a partner's back end: what swaps earned, compared with what
 * was paid out.
 */

export type {SwapApiOptions} from './api/settings.js';
export type {AssetId, AssetSettings, ChainFamily, ChainSettings} from './domain/asset.js';
export {SwapError, type SwapErrorCode} from './domain/error.js';
export type {Certainty} from './domain/evidence.js';
export type {Stage} from './domain/stage.js';
export {createFollower, type Follower, type FollowerOptions, type SwapEvent} from './server/follower.js';
export {
  checkPayouts,
  type CheckPayoutsOptions,
  type EarnedFee,
  type PayoutReport,
  type PayoutTransfer,
  type PayoutVerdict,
  type PayoutWeek,
} from './server/payouts.js';
export {
  verifyOrder,
  type Expected,
  type VerifiedMovement,
  type VerifiedOrder,
  type VerifyOptions,
} from './server/verify-order.js';
