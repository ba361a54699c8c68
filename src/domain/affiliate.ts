import {
  contractsOf,
  splitAssetId,
  type Asset,
  type AssetId,
  type Catalogue,
  type Chain,
  type ChainFamily,
} from './asset.js';
import type {Addresses} from './address.js';
import {ALL_KNOWN} from './known/all.js';
import {fault, type SwapError} from './error.js';
import {neverMixed} from './networks.js';
import {totalBps, type AffiliateFee} from './affiliate-fee.js';
import {isMeant} from './routes.js';
import {warnOnce} from './warn-once.js';

export interface AffiliateRules extends Pick<Catalogue, 'findChain' | 'test'> {
  /** The maximum that a widget charges for its partner, all payees together; `MAX_AFFILIATE_BPS` unless set. */
  readonly maxBps?: number | undefined;
  /** The assets that fees are paid out in, as ids or patterns; `PAYOUT` unless set. */
  readonly payout?: readonly string[] | undefined;
}

export const MAX_AFFILIATE_BPS = 300;

/** The payout assets (API, Affiliate fee entry, rule 3). Their chains are not listed, so any may be one. */
export const PAYOUT: readonly string[] = ['*:usdc', '*:cbbtc'];

/**
 * Comma-separated entries of `asset address bps`.
 * @throws SwapError `config`, `affiliate-fees[0]` and so on: the widget never swaps silently without the fee.
 */
export function parseAffiliateFees(text: string): readonly AffiliateFee[] {
  if (text.trim() === '') return [];
  return text.split(',').map((entry, at) => {
    const [asset = '', address = '', bps = '', ...rest] = entry.trim().split(/\s+/);
    if (rest.length || !/^\d{1,5}$/.test(bps)) {
      throw fault(entryAt(at), `“${entry.trim()}” is not asset, address and basis points.`);
    }
    return {asset: asset as AssetId, address, bps: Number(bps)};
  });
}

/**
 * Checks affiliate fees against the service's rules (API, Affiliate fee entry) and the widget's own limit. Whether each
 * address is valid on its chain is checked by that family's adapter (`isAddress`).
 * @throws SwapError `config` that names the entry: `affiliate-fees[1].asset`.
 */
export function checkAffiliateFees(
  fees: readonly AffiliateFee[],
  {findChain, test, maxBps = MAX_AFFILIATE_BPS, payout = PAYOUT}: AffiliateRules,
): readonly AffiliateFee[] {
  fees.forEach(({asset, address, bps}, at) => {
    const parts = splitAssetId(asset);
    if (!parts) throw fault(entryAt(at, 'asset'), `“${asset}” is not an asset. ${HOW_WRITTEN}`);
    if (!payout.some(pattern => isMeant(pattern, asset))) {
      const detail = `“${asset}” is no payout asset (${payout.join(', ')}). If fees are paid in it, name it in service.payout.`;
      throw fault(entryAt(at, 'asset'), detail);
    }
    const chain = findChain(parts.chain);
    if (!chain) tellUnknown(asset, parts.chain);
    else if (chain.test !== test) throw fault(entryAt(at, 'asset'), `“${asset}” ${neverMixed(test)}`);
    if (!address) throw fault(entryAt(at, 'address'), 'The address to pay to is missing.');
    if (!Number.isInteger(bps) || bps < 1) {
      throw fault(entryAt(at, 'bps'), `“${String(bps)}” is not a whole number of basis points.`);
    }
  });
  const total = totalBps(fees);
  if (total > maxBps) {
    throw fault(FIELD, `The fees add up to ${String(total)} basis points; ${String(maxBps)} are allowed.`);
  }
  return Object.freeze(fees.map(({asset, address, bps}) => Object.freeze({asset, address, bps})));
}

/** A chain that this version does not know may still be one that the service pays out on. */
function tellUnknown(asset: string, chain: string): void {
  warnOnce(`affiliate-fees: “${chain}” is an unknown chain, so the address to pay ${asset} to is not checked.`);
}

/**
 * The service's reason for refusing an order may name the asset that a payee is paid in, by its id, token or contract.
 * `undefined` if it does not, or names one of the two that are swapped.
 */
export function payeeFault(
  reason: string,
  fees: readonly AffiliateFee[],
  pair: readonly Asset[],
  {find}: Pick<Catalogue, 'find'>,
): SwapError | undefined {
  const text = reason.toLowerCase();
  const isNamed = (id: string) => {
    const asset: Partial<Asset> = find(id) ?? ALL_KNOWN.assets.find(known => known.id === id) ?? {};
    // The same address may be another asset's on another chain.
    const chain = `${splitAssetId(id)?.chain ?? ''}:`;
    const isIn = (address: string) => {
      const [before = ''] = text.split(address.toLowerCase(), 1);
      return before !== text && (!before.endsWith(':') || before.endsWith(chain));
    };
    return text.includes(id.toLowerCase()) || [asset.token ?? id, ...contractsOf(asset)].some(isIn);
  };
  const fee = fees.find(({asset}) => isNamed(asset));
  if (!fee || pair.some(({id}) => isNamed(id))) return undefined;
  return fault(entryAt(fees.indexOf(fee), 'asset'), `The service pays no fee in “${fee.asset}”: ${reason}`);
}

/** Why a text that a page sets is not an address: all letters of a wrong checksum in lower case are one. */
export function noAddress(text: string, chain: Chain, {addresses}: Addresses): string {
  const isTypo = addresses.withChecksum && addresses.isAddress(chain, text.toLowerCase());
  return `“${text}” is not an address on ${chain.title}${isTypo ? ': its checksum (EIP-55) is wrong' : ''}.`;
}

/**
 * Checks the payees' addresses with the code of their chains, as far as these are known.
 * @throws SwapError `config` that names the entry: `affiliate-fees[1].address`.
 */
export async function checkPayees(
  fees: readonly AffiliateFee[],
  {findChain}: Pick<Catalogue, 'findChain'>,
  adapter: (family: ChainFamily) => Promise<Addresses>,
): Promise<void> {
  await Promise.all(
    fees.map(async ({asset, address}, at) => {
      const chain = findChain(splitAssetId(asset)?.chain ?? '');
      const family = chain && (await adapter(chain.family));
      if (!family || family.addresses.isAddress(chain, address)) return;
      throw fault(entryAt(at, 'address'), noAddress(address, chain, family));
    }),
  );
}

const FIELD = 'affiliate-fees';
const HOW_WRITTEN = 'Write it as chain:name.';

function entryAt(at: number, part?: keyof AffiliateFee): string {
  return `${FIELD}[${String(at)}]${part ? `.${part}` : ''}`;
}
