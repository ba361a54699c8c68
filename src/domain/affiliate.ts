import {splitAssetId, type AssetId} from './asset.js';
import {SwapError} from './error.js';

/** A share of the fee for one payee (API, Affiliate fee entry). */
export interface AffiliateFee {
  /** The asset in which it is paid out. */
  readonly asset: AssetId;
  /** The payee's address on that asset's chain. */
  readonly address: string;
  /** Basis points of the source's value: 1 is 0.01 %. */
  readonly bps: number;
}

/** The most that a widget charges for its partner, all payees together, unless `policy.maxAffiliateBps` says otherwise. */
export const MAX_AFFILIATE_BPS = 300;

/**
 * Reads the `affiliate-fees` attribute: entries of `asset address bps`, with commas between them.
 * @throws SwapError `config`, `affiliate-fees`. A bad entry stops the widget: it never swaps silently without the fee.
 */
export function parseAffiliateFees(text: string): readonly AffiliateFee[] {
  if (text.trim() === '') return [];
  return text.split(',').map(entry => {
    const [asset = '', address = '', bps = '', ...rest] = entry.trim().split(/\s+/);
    if (rest.length || !/^\d{1,5}$/.test(bps)) {
      throw fault(`“${entry.trim()}” is not asset, address and basis points.`);
    }
    return {asset: asset as AssetId, address, bps: Number(bps)};
  });
}

/**
 * Holds affiliate fees against the rules of the service (API, Affiliate fee entry) and the widget's own limit.
 * @throws SwapError `config`, `affiliate-fees`, that names the entry.
 */
export function checkAffiliateFees(fees: readonly AffiliateFee[], maxBps = MAX_AFFILIATE_BPS): readonly AffiliateFee[] {
  for (const {asset, address, bps} of fees) {
    const parts = splitAssetId(asset);
    if (!parts) throw fault(`“${asset}” is not an asset. Write it as chain:name.`);
    if (!PAYOUT_ASSETS.includes(parts.name.toLowerCase())) {
      throw fault(`“${asset}” is no payout asset. Fees are paid in USDC or cbBTC.`);
    }
    if (!/^0x[0-9a-f]{40}$/i.test(address)) throw fault(`“${address}” is not an address on ${parts.chain}.`);
    if (!Number.isInteger(bps) || bps < 1) throw fault(`“${String(bps)}” is not a whole number of basis points.`);
  }
  const total = totalBps(fees);
  if (total > maxBps) throw fault(`The fees add up to ${String(total)} basis points; ${String(maxBps)} are allowed.`);
  return Object.freeze(fees.map(fee => Object.freeze({...fee})));
}

/** The whole fee, in basis points: what a quote is asked with. */
export function totalBps(fees: readonly AffiliateFee[]): number {
  return fees.reduce((sum, {bps}) => sum + bps, 0);
}

const PAYOUT_ASSETS = ['usdc', 'cbbtc'];

function fault(detail: string): SwapError {
  return new SwapError('config', {field: 'affiliate-fees', detail});
}
