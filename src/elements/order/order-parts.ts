import {html, type TemplateResult} from 'lit';
import {ifDefined} from 'lit/directives/if-defined.js';
import type {AffiliateFee} from '../../domain/affiliate-fee.js';
import {splitAssetId, type Asset, type Catalogue, type Chain} from '../../domain/asset.js';
import type {Agreement} from '../../domain/deposit.js';
import {totalBps} from '../../domain/affiliate-fee.js';
import type {SwapError} from '../../domain/error.js';
import {chargedBeyond} from '../../domain/fees.js';
import {foreignText} from '../../domain/foreign.js';
import {ALL_KNOWN} from '../../domain/known/all.js';
import {transactionUrl, type ChainEvent, type Order} from '../../domain/order.js';
import type {Messages} from '../../locales/messages.js';
import type {OfTime} from '../base/countdown.js';
import {note, type ErrorNote} from '../base/error-note.js';
import {percent} from '../../locales/figures.js';
import {truncate} from '../../domain/truncate.js';
import {lengthStep} from '../base/format.js';
import {aboutAmount, amountText, foreignMono, mono, pieces, titled, walletName} from '../base/words.js';
import {assetMark, coinOf, sign} from '../icons/icons.js';
import {signs} from '../icons/signs.js';
import type {ShownOrder} from '../../session/session.js';
import {walletStep, type OrderContext} from './order-view.js';
import type {Telling} from './telling.js';

export interface SideContent {
  readonly asset: Asset | undefined;
  /** What the amount is. Its place on the thread says so, unless it `isSaid`. */
  readonly label: unknown;
  readonly isSaid?: boolean;
  readonly amount?: bigint | undefined;
  readonly about?: boolean;
  readonly extra?: unknown;
  /** Below a large amount: its value, its owner. */
  readonly detail?: unknown;
  /** At the end of a line, or below a large amount in place of its network. */
  readonly end?: unknown;
  /** Small, on one line: this stage is not about this amount. */
  readonly line?: boolean;
  readonly travelled?: boolean;
}

export function thread(
  locale: string,
  pay: SideContent,
  between: unknown,
  get: SideContent,
  state: '' | 'stopped' = '',
): TemplateResult {
  return html`<div class="thread ${state}" data-from=${coinOf(pay.asset)} data-to=${coinOf(get.asset)}>
    ${renderSide('pay', pay, locale)}
    <div class="between" part="between">${between}</div>
    ${renderSide('get', get, locale)}
  </div>`;
}

function renderSide(end: 'pay' | 'get', content: SideContent, locale: string): TemplateResult {
  const {asset, label, line = false, travelled = false, isSaid = false} = content;
  return html`<div
    class="side ${end} ${line ? 'line' : ''} ${travelled ? 'travelled' : ''}"
    part=${end === 'pay' ? 'pay' : 'receive'}
  >
    ${assetMark(asset)}
    <span class=${isSaid ? 'label' : 'hidden'}>${label}</span>
    ${renderAmount(content, locale)} ${content.extra ? html`<span class="extra">${content.extra}</span>` : ''}
    ${line ? '' : html`<span class="value">${content.detail ?? ''}</span>`}
    <span class="end">${content.end ?? (line ? '' : html`<bdi>${asset?.chain.title}</bdi>`)}</span>
  </div>`;
}

/** An amount and its unit. Of one that is about right, all digits are in the tooltip. */
export function renderAmount({asset, amount, about = false}: SideContent, locale: string): TemplateResult {
  const {symbol = '', decimals = 0} = asset ?? {};
  const all = amount === undefined ? '' : amountText(amount, {decimals}, locale);
  const text = about && amount !== undefined ? aboutAmount(amount, {decimals}, locale) : all;
  return html`<span class="amount" part="amount" data-long=${lengthStep(text)}
    >${
      text
        ? html`<bdi title=${ifDefined(text === all ? undefined : all)}>${text}</bdi>`
        : html`<span class="skeleton"></span>`
    }<span class="unit"><bdi>${symbol}</bdi></span></span
  >`;
}

/** The steps of a stage, along the thread. `isAhead`: before a payment, no part of it is traveled. */
export function steps(content: unknown, isAhead = false): TemplateResult {
  return html`<ol class="steps ${isAhead ? 'ahead' : ''}" part="steps">
    ${content}
  </ol>`;
}

export type StepState = 'done' | 'now' | 'todo' | 'bad';

/**
 * A step on the thread. Its state precedes it in words, for those who cannot see its icon. `share`: how much of its usual
 * time has passed, in hundredths, if that is known.
 */
export function step(
  t: Pick<Messages, 'stepStates'>,
  state: StepState,
  title: unknown,
  detail: unknown = '',
  when: unknown = '',
  share?: number,
): TemplateResult {
  return html`<li class="step" data-state=${state} aria-current=${ifDefined(state === 'now' ? 'step' : undefined)}>
    <span class="node" aria-hidden="true"
      >${state === 'bad' ? sign(signs.close) : ''}${
        share === undefined
          ? ''
          : html`<svg class="share" viewBox="0 0 32 32">
              <circle cx="16" cy="16" r="14" pathLength="100" stroke-dasharray="${share} 100" />
            </svg>`
      }</span
    >
    <div class="told">
      <div>
        <span class="hidden">${t.stepStates[state]} </span
        ><strong>${title}</strong>${detail ? html`<p>${detail}</p>` : ''}
      </div>
      ${when ? html`<span class="when">${when}</span>` : ''}
    </div>
  </li>`;
}

export function hashes(
  chain: Chain | undefined,
  event: Pick<ChainEvent, 'hashes'>,
  copyable?: (hash: string) => TemplateResult,
): unknown {
  return event.hashes.map((hash, index) => {
    const url = chain && transactionUrl(chain, hash);
    if (!url && copyable) return html`${index ? html` <br />` : ''}${copyable(hash)}`;
    const text = html`<bdi class="mono" title=${hash}>${truncate(hash, 6, 4)}</bdi>`;
    return html`${index ? html` <br />` : ''}${
      url ? html`<a href=${url} target="_blank" rel="noreferrer noopener">${text}</a>` : text
    }`;
  });
}

/** The thread of a swap that was not paid, with both amounts as they were agreed. */
export function unpaidThread({swap, locale, t}: Telling, between: unknown): TemplateResult {
  return thread(
    locale,
    {asset: swap.from, label: t.youAgreedToPay, amount: swap.amount, line: true},
    between,
    {asset: swap.to, label: t.youWouldHave, amount: swap.receive, line: true},
    'stopped',
  );
}

/** Where the thread of a swap that was not paid is cut off, in the middle of the space. */
export function cutOff(title: string, text: string): TemplateResult {
  return html`<div class="step cut">
    <span class="node" aria-hidden="true">${sign(signs.close)}</span>
    <p class="next">${titled(title, text)}</p>
  </div>`;
}

/**
 * After the time to pay: that no payment arrived, not to pay any more, and what happens to a payment that is late. One to
 * an address (`toAddress`) is refunded by the service; any other one is for the payer to take back, if one went out.
 */
export function expiredBody(
  title: string,
  {toAddress, payer, unverified, isOut = toAddress, advice = '', warning = ''}: ExpiredContent,
  t: Messages,
): TemplateResult {
  const late = toAddress ? t.alreadySentWhy : t.alreadySentTakeBack;
  return html`${cutOff(title, `${toAddress ? t.doNotSendAnyMore : t.doNotPayAnyMore}${advice && ` ${advice}`}`)}
  ${warning} ${isOut ? note(t.alreadySent, unverified ? t.unverifiedBack : pieces(late, {address: mono(payer)})) : ''}`;
}

interface ExpiredContent {
  readonly toAddress: boolean;
  readonly payer: string;
  /** Whether nothing shows what would hold a late payment. */
  readonly unverified: boolean;
  readonly isOut?: boolean;
  readonly advice?: string;
  readonly warning?: unknown;
}

/** A text that changes with the time, and renders alone when it does. */
export function counting(text: OfTime<string>): TemplateResult {
  return html`<swap-widget-countdown .text=${text}></swap-widget-countdown>`;
}

/** `sub`: what is said of the value, below it. */
export function line(name: unknown, value: unknown, sub: unknown = ''): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
    ${sub ? html`<dd class="sub">${sub}</dd>` : ''}
  </div>`;
}

export function errorNote(error: SwapError, where: ErrorNote['where']): TemplateResult {
  return html`<swap-widget-error-note .error=${error} where=${where} exportparts="notice"></swap-widget-error-note>`;
}

/** The only button for the next step. Without `press` it is disabled and says what the swap waits for. */
export function primaryButton(label: string, press?: () => unknown): TemplateResult {
  return html`<button
    class="primary"
    part="primary"
    type="button"
    aria-disabled=${press ? 'false' : 'true'}
    @click=${press}
  >
    ${label}
  </button>`;
}

/** Without `press` it is disabled, as is a link. */
export function secondaryButton(label: unknown, press?: () => unknown): TemplateResult {
  return html`<button class="secondary" part="secondary" type="button" ?disabled=${!press} @click=${press}>
    ${label}
  </button>`;
}

export function linkButton(label: unknown, press?: (event: Event) => unknown): TemplateResult {
  return html`<button class="link" type="button" ?disabled=${!press} @click=${press}>${label}</button>`;
}

/**
 * The button for a refund that the contract allows, whatever else is reported: only the contract ends that right.
 * If no chain can be read, the contract itself rejects a refund that is too early.
 */
export function renderRefundRight(context: OrderContext, {deal, story, refund}: ShownOrder): unknown {
  const {session, read, t} = context;
  if (!deal || !story?.actions.includes('refund')) return '';
  const {family} = deal.agreed.from.chain;
  // Beside what was received, it is not all of one's money.
  const open = story.stage === 'complete' ? t.refundPayment : t.refundNow;
  const label = story.refund === 'open' ? open : t.refundUnseen;
  // Below a success that only the clock contradicts, it is not a secondary button.
  const isAside = story.refund !== 'open' && (story.stage === 'complete' || story.stage === 'refunded');
  const wallet = walletName(read(session.$wallets, 'accounts')[family], t);
  const step =
    refund.state === 'pending'
      ? {label: t.waiting({wallet})}
      : refund.state === 'ready'
        ? {label: t.refundUnderWay}
        : walletStep(context, family, {label, press: () => session.refund()}, label);
  return html`${refund.state === 'failed' ? errorNote(refund.error, 'refund') : ''}
  ${isAside ? html`<p class="foot-note">${linkButton(step.label, step.press)}</p>` : secondaryButton(step.label, step.press)}`;
}

/** An order's payments to partners, as lines: the amounts that the service stores for them. */
export function renderPayouts(
  {session, read, locale, t}: OrderContext,
  {affiliateFees = []}: Order,
  classes = 'lines',
): unknown {
  const catalogue = read(session.$settings, 'config')?.catalogue;
  const lines = affiliateFees.flatMap(({asset: id, address, bps, amount}) => {
    const asset = id && findPayout(id, catalogue);
    if (!asset || amount === undefined) return [];
    return line(
      t.partnerFee({percent: bps === undefined ? '' : percent(bps, locale)}),
      html`<bdi>${amountText(amount, asset, locale)} ${asset.symbol}</bdi>`,
      address === undefined ? '' : payee({asset: id, address}, catalogue, t),
    );
  });
  return lines.length ? html`<dl class=${classes} part="lines">${lines}</dl>` : '';
}

/** A fee's payee and asset. `write` formats the address; the service's text for it is shortened. */
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

/** A payout asset. It need not be among the offered assets. */
function findPayout(id: string, catalogue: Catalogue | undefined): Pick<Asset, 'symbol' | 'decimals'> | undefined {
  return catalogue?.find(id) ?? ALL_KNOWN.assets.find(known => known.id === id.toLowerCase());
}

export function feesNotice({affiliateFees}: Order, agreed: Agreement, t: Messages, locale: string): unknown {
  const beyond = chargedBeyond(agreed.affiliateFees, affiliateFees);
  if (!beyond) return '';
  const before = totalBps(agreed.affiliateFees);
  return note(
    t.feesMore,
    t.feesMoreWhy({charged: percent(before + beyond, locale), agreed: percent(before, locale)}),
    'caution',
  );
}
