import {html, type TemplateResult} from 'lit';
import type {AffiliateFee} from '../../domain/affiliate.js';
import {splitAssetId, type Asset, type Catalogue} from '../../domain/asset.js';
import type {Agreement} from '../../domain/deposit.js';
import {totalBps} from '../../domain/draft.js';
import {chargedBeyond} from '../../domain/fees.js';
import {foreignText} from '../../domain/foreign.js';
import {ALL_KNOWN} from '../../domain/known/all.js';
import type {Order} from '../../domain/order.js';
import type {Messages} from '../../locales/messages.js';
import {amountText, foreignMono, percent, pieces} from '../base/words.js';
import {note} from './order-parts.js';

/** What partners get of an order, as lines: the amounts that the service keeps for them. */
export function payouts(
  {affiliateFees = []}: Order,
  catalogue: Catalogue | undefined,
  t: Messages,
  locale: string,
): readonly TemplateResult[] {
  return affiliateFees.flatMap(({asset: id, address, bps, amount}) => {
    const asset = id && findPayout(id, catalogue);
    if (!asset || amount === undefined) return [];
    return html`<div>
      <dt>${t.partnerFee({percent: bps === undefined ? '' : percent(bps, locale)})}</dt>
      <dd><bdi>${amountText(amount, asset, locale)} ${asset.symbol}</bdi></dd>
      ${address === undefined ? '' : html`<dd class="sub">${payee({asset: id, address}, catalogue, t)}</dd>`}
    </div>`;
  });
}

/** Who gets a fee, and in which asset. `write`: how their address is written; the service's word for it is cut. */
export function payee(
  {asset: id, address}: Pick<AffiliateFee, 'asset' | 'address'>,
  catalogue: Catalogue | undefined,
  t: Messages,
  write = foreignMono,
): unknown {
  const {chain = '', name = ''} = splitAssetId(id) ?? {};
  return pieces(t.payout, {
    symbol: findPayout(id, catalogue)?.symbol ?? foreignText(name),
    network: catalogue?.findChain(chain)?.title ?? foreignText(chain),
    address: write(address),
  });
}

/** An asset that fees are paid out in. It need not be among the assets on offer. */
function findPayout(id: string, catalogue: Catalogue | undefined): Pick<Asset, 'symbol' | 'decimals'> | undefined {
  return catalogue?.find(id) ?? ALL_KNOWN.assets.find(known => known.id === id.toLowerCase());
}

/** A note where an order charges more for partners than was agreed. */
export function feesNotice({affiliateFees}: Order, agreed: Agreement, t: Messages, locale: string): unknown {
  const beyond = chargedBeyond(agreed.affiliateFees, affiliateFees);
  if (!beyond) return '';
  const before = totalBps(agreed.affiliateFees);
  return note(
    t.feesMore,
    t.feesMoreWhy({charged: percent(before + beyond, locale), agreed: percent(before, locale)}),
    'warn',
  );
}
