import {html, type TemplateResult} from 'lit';
import {formatAmount} from '../../domain/amount.js';
import type {AffiliateFee} from '../../domain/affiliate.js';
import {splitAssetId, type Asset, type Catalogue, type Chain} from '../../domain/asset.js';
import {COMMON} from '../../domain/known/common.js';
import {totalBps} from '../../domain/draft.js';
import {chargedBeyond} from '../../domain/fees.js';
import {type ChainEvent, type Order, transactionUrl} from '../../domain/order.js';
import type {Agreement, CheckReport, CheckResult} from '../../domain/deposit.js';
import type {Messages} from '../../locales/en.js';
import {truncate, lengthStep} from '../base/format.js';
import {assetMark, icon, sign} from '../icons/icons.js';
import {mono, percent} from '../base/words.js';
import {signs} from '../icons/signs.js';

/** One end of the thread. */
interface SideContent {
  readonly asset: Asset | undefined;
  readonly label: unknown;
  /** Absent while nobody knows. */
  readonly amount?: bigint | undefined;
  /** To be typed or compared figure by figure: all decimals are shown. */
  readonly exact?: boolean;
  /** What stands beside the label of a large amount. */
  readonly extra?: unknown;
  /** What stands under a large amount: what it is worth, whose it is. */
  readonly detail?: unknown;
  /** What stands at the end of a line: what it is worth. */
  readonly end?: unknown;
  /** Small, in a line: this stage is not about this amount. */
  readonly line?: boolean;
  /** The money has left here. */
  readonly went?: boolean;
  /** The money has come here. */
  readonly done?: boolean;
}

/** What is paid, at the top of the thread. */
export function paySide(content: SideContent): TemplateResult {
  return side('pay', content);
}

/** What arrives, or comes back, at the bottom of the thread. */
export function getSide(content: SideContent): TemplateResult {
  return side('get', content);
}

function side(end: 'pay' | 'get', {asset, label, amount, ...rest}: SideContent): TemplateResult {
  const {line = false, went = false, done = false, exact = false} = rest;
  const decimals = asset?.decimals ?? 0;
  const text = amount === undefined ? '' : formatAmount(amount, decimals);
  const zeros = exact ? missingZeros(text, decimals) : '';
  return html`<div
    class="side ${end} ${line ? 'line' : ''} ${went ? 'went' : ''}"
    part=${end === 'pay' ? 'pay' : 'receive'}
  >
    ${assetMark(asset, {done})}
    <span class="label">${label}</span>
    ${rest.extra ? html`<span class="extra">${rest.extra}</span>` : ''}
    <span class="amount" part="amount" data-long=${lengthStep(text + zeros)}
      >${
        text
          ? html`<bdi>${text}${zeros ? html`<span class="zeros" aria-hidden="true">${zeros}</span>` : ''}</bdi>`
          : html`<span class="skeleton"></span>`
      }<span class="unit"><bdi>${asset?.symbol}</bdi></span></span
    >
    ${
      line
        ? html`<span class="end">${rest.end ?? ''}</span>`
        : html`<span class="value">${rest.detail ?? ''}</span
            ><span class="chain-name"><bdi>${asset?.chain.title}</bdi></span>`
    }
  </div>`;
}

/** What an amount leaves out at its end when it is written without zeros that say nothing. */
function missingZeros(text: string, decimals: number): string {
  // More than a satoshi's eight are no help to anybody.
  if (decimals === 0 || decimals > 8) return '';
  const fraction = text.split('.')[1];
  return `${fraction === undefined ? '.' : ''}${'0'.repeat(decimals - (fraction?.length ?? 0))}`;
}

/** Where a step of a swap stands. */
export type StepState = 'done' | 'now' | 'todo' | 'bad';

/** A step on the thread. */
export function step(state: StepState, title: unknown, detail: unknown = '', when = ''): TemplateResult {
  return html`<li class="step" data-state=${state} aria-current=${state === 'now' ? 'step' : 'false'}>
    <span class="node" aria-hidden="true"
      >${state === 'done' ? icon('check') : state === 'bad' ? sign(signs.close) : ''}</span
    >
    <div><strong>${title}</strong>${detail ? html`<p>${detail}</p>` : ''}</div>
    ${when ? html`<span class="when"><bdi>${when}</bdi></span>` : ''}
  </li>`;
}

/** The transactions of a deed, as links where the chain has an explorer. */
export function hashes(chain: Chain | undefined, deed: Pick<ChainEvent, 'hashes'>): unknown {
  return deed.hashes.map((hash, index) => {
    const url = chain && transactionUrl(chain, hash);
    const text = html`<bdi class="mono" title=${hash}>${truncate(hash, 6, 4)}</bdi>`;
    return html`${index ? ' ' : ''}${
      url ? html`<a href=${url} target="_blank" rel="noreferrer noopener">${text}</a>` : text
    }`;
  });
}

/** What was checked before anything is paid or signed, and how it ended. */
export function checks(report: CheckReport | undefined, t: Messages): unknown {
  if (!report) return html`<p class="checks quiet">${t.checking}</p>`;
  const count = (wanted: CheckResult['outcome']) => report.results.filter(({outcome}) => outcome === wanted).length;
  const passed = count('passed');
  const unchecked = count('unchecked');
  const results = report.results.filter(({outcome}) => outcome !== 'failed');
  if (!results.length) return '';
  return html`<details class="checks" part="checks">
    <summary>
      <span class="ok">${icon('check', 's')}</span>
      ${report.outcome === 'failed' ? t.otherChecksPassed(passed) : t.checksPassed(passed)}${
        unchecked ? t.checksUnchecked(unchecked) : ''
      }${icon('down', 's chev')}
    </summary>
    <ul>
      ${results.map(
        ({name, outcome, found}) =>
          html`<li>
            <span class=${outcome === 'passed' ? 'ok' : 'quiet'}
              >${outcome === 'passed' ? icon('check', 's') : sign(signs.info, 's')}<span class="hidden"
                >${outcome === 'passed' ? t.passed : t.unchecked}</span
              ></span
            >
            <span>${t.checks[name]}</span>
            <span>${found && found.length > 20 && !found.includes(' ') ? mono(found) : found}</span>
          </li>`,
      )}
    </ul>
  </details>`;
}

/** What is said once the time to pay is over: that it was not paid, not to pay any more, and what becomes of a late payment. */
export function expiredBody(title: string, advice: string, payer: string, t: Messages): TemplateResult {
  return html`<p class="next lead"><strong>${title}</strong> ${advice}</p>
    <div class="notice" part="notice">
      ${sign(signs.info)}
      <p><strong>${t.alreadySent}</strong> ${t.alreadySentWhy(mono(payer))}</p>
    </div>`;
}

/** What an order says that partners get of it, in lines: the amounts that the service keeps. */
export function payouts(
  {affiliateFees = []}: Order,
  catalogue: Catalogue | undefined,
  t: Messages,
): readonly TemplateResult[] {
  return affiliateFees.flatMap(({asset: id, address, bps, amount}) => {
    const asset = id && findPayout(id, catalogue);
    if (!asset || amount === undefined) return [];
    return html`<div>
      <dt>${t.partnerFee(bps === undefined ? '' : percent(bps, t))}</dt>
      <dd><bdi>${formatAmount(amount, asset.decimals)} ${asset.symbol}</bdi></dd>
      ${address === undefined ? '' : html`<dd class="sub">${payee({asset: id, address}, catalogue, t)}</dd>`}
    </div>`;
  });
}

/** Who gets a fee, and in what. */
export function payee(
  {asset: id, address}: Pick<AffiliateFee, 'asset' | 'address'>,
  catalogue: Catalogue | undefined,
  t: Messages,
): unknown {
  const {chain = '', name = ''} = splitAssetId(id) ?? {};
  return t.payout(
    findPayout(id, catalogue)?.symbol ?? name,
    catalogue?.findChain(chain)?.title ?? chain,
    mono(address),
  );
}

/** An asset that fees are paid out in, which need not be one of those that are swapped. */
function findPayout(id: string, catalogue: Catalogue | undefined): Pick<Asset, 'symbol' | 'decimals'> | undefined {
  return catalogue?.find(id) ?? COMMON.assets.find(known => known.id === id.toLowerCase());
}

/** A word where an order charges more for partners than was agreed. */
export function feesNotice({affiliateFees}: Order, agreed: Agreement, t: Messages): unknown {
  const beyond = chargedBeyond(agreed.affiliateFees, affiliateFees);
  if (!beyond) return '';
  const before = totalBps(agreed.affiliateFees);
  return html`<div class="notice warn" part="notice">
    ${icon('alert')}
    <p><strong>${t.feesMore}</strong> ${t.feesMoreWhy(percent(before + beyond, t), percent(before, t))}</p>
  </div>`;
}

/** A line of a list of facts. */
export function line(name: unknown, value: unknown): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
