import {totalBps, type AffiliateFee} from './affiliate-fee.js';
import type {AssetId} from './asset.js';
import type {ChargedFee} from './order.js';

/** Whether two addresses on an asset's chain are the same; `undefined` if unknown. */
export type SameAddress = (asset: AssetId, one: string, other: string) => boolean | undefined;

/**
 * By the total of each payee: order and splits do not matter. `other`: one is certainly missing, has another payee or
 * another size. `unknown`: too little of them is readable to decide.
 */
export function compareFees(
  agreed: readonly AffiliateFee[],
  charged: readonly ChargedFee[] | undefined,
  isSameAddress: SameAddress,
): 'same' | 'other' | 'unknown' {
  if (!charged) return 'unknown';
  const payees: {readonly fee: AffiliateFee; agreed: number; charged: number; open: boolean}[] = [];
  for (const fee of agreed) {
    const known = payees.find(payee => isFor(fee, payee.fee, isSameAddress));
    if (known) known.agreed += fee.bps;
    else payees.push({fee, agreed: fee.bps, charged: 0, open: false});
  }

  let isVague = false;
  for (const fee of charged) {
    const mine = payees.find(payee => isFor(fee, payee.fee, isSameAddress));
    const takes = fee.bps ?? fee.amount;
    const others = payees.filter(payee => isFor(fee, payee.fee, isSameAddress) === undefined);
    if (mine && fee.bps !== undefined) mine.charged += fee.bps;
    else if (mine) mine.open = true;
    else if (others.length) others.forEach(payee => (payee.open = true));
    else if (takes === undefined) isVague = true;
    else if (takes) return 'other';
  }
  if (payees.some(payee => payee.charged > payee.agreed || (payee.charged < payee.agreed && !payee.open)))
    return 'other';
  return isVague || payees.some(({open}) => open) ? 'unknown' : 'same';
}

/** Whether a fee is for a payee; `undefined` if its readable parts allow it. */
function isFor(
  {asset, address}: ChargedFee,
  payee: Pick<AffiliateFee, 'asset' | 'address'>,
  isSameAddress: SameAddress,
): boolean | undefined {
  const isAsset = asset && asset.toLowerCase() === payee.asset.toLowerCase();
  const isAddress = address && (address === payee.address || isSameAddress(payee.asset, address, payee.address));
  if (isAsset === false || isAddress === false) return false;
  return isAsset && isAddress ? true : undefined;
}

/** The basis points that an order certainly charges beyond the agreed ones, at the recipient's expense. */
export function chargedBeyond(agreed: readonly AffiliateFee[], charged: readonly ChargedFee[] = []): number {
  return Math.max(0, totalBps(charged.map(({bps = 0}) => ({bps}))) - totalBps(agreed));
}

export function feesText(fees: readonly ChargedFee[]): string {
  const texts = fees.map(({asset = '?', address = '?', bps = '?'}) => `${asset} ${address} ${String(bps)}`);
  return texts.join(', ') || 'none';
}
