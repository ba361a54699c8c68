import {html} from 'lit';
import type {Deal} from '../../../domain/deposit.js';
import {foreignText} from '../../../domain/foreign.js';
import type {Order} from '../../../domain/order.js';
import type {FundingProgress, ShownOrder} from '../../../session/session.js';
import {note} from '../../base/error-note.js';
import {countdown} from '../../base/format.js';
import {about} from '../../base/time.js';
import {mono, pieces, walletName} from '../../base/words.js';
import {counting, feesNotice, line, linkButton, renderPayouts, type SideContent} from '../order-parts.js';
import {hasLiveSignatureFor, isUnverified} from '../permissions.js';
import type {OrderContext} from '../order-view.js';
import type {Telling} from '../telling.js';

export interface Deposit extends OrderContext, Telling {
  readonly deal: Deal;
  readonly funding: FundingProgress;
  readonly isCanceling: boolean;
  /** Cancels the swap in a moment, or undoes that. */
  cancel(): void;
}

export function payFrom(
  {deal: {agreed, deposit}, t}: Deposit,
  label: string,
  {travelled = false, extra = ''}: {readonly travelled?: boolean; readonly extra?: unknown} = {},
): SideContent {
  return {
    asset: agreed.from,
    label,
    amount: agreed.amount,
    // Anyone may pay to an address; a refund goes to the owner of the order.
    detail: deposit.how === 'wallet' ? pieces(t.from, {address: mono(agreed.owner)}) : '',
    extra,
    travelled,
  };
}

export function receiveAtLeast({deal: {agreed}}: Deposit, label: string): SideContent {
  return {asset: agreed.to, label, isSaid: true, amount: agreed.atLeast, about: true, line: true};
}

export function orderOf({placed, deal}: Deposit): Order | undefined {
  return placed.story?.order ?? deal.order;
}

/** Whether an order may be paid: all that was looked up is right, or the visitor said yes to what is not verified. */
export function isPayable({report, question}: ShownOrder): boolean {
  return report?.outcome === 'passed' || (report?.outcome === 'unverified' && question === undefined);
}

export function mayBePaid(deposit: Deposit): boolean {
  const {id, story} = deposit.placed;
  return hasLiveSignatureFor(id, deposit) || (story !== undefined && story.refund !== 'none');
}

/** Whether the browser is offline: nothing can be read, and no wallet request would get through. */
export function isOffline({placed: {reading}}: Deposit): boolean {
  return reading.state === 'failed' && reading.error.code === 'offline';
}

/** The button that cancels the swap, while it can be paid, and nothing can pay it without the visitor; or undoes that. */
export function renderCancel({placed, funding, timed, isCanceling, cancel, t}: Deposit) {
  const canCancel = placed.story?.actions.includes('cancel') && !funding.busy && !funding.asking;
  return canCancel && timed(now => now < placed.payUntil)
    ? html`<span class="cancel"
        >${isCanceling ? t.youCanceled : ''} ${linkButton(isCanceling ? t.undo : t.cancelSwap, cancel)}</span
      >`
    : '';
}

export function renderTimeLeft({placed: {payUntil}, t}: Deposit) {
  const time = html`<bdi>${counting(now => countdown(payUntil - now))}</bdi>`;
  return html`<span class="time-left">${pieces(t.timeLeft, {time})}</span>`;
}

export function payingWallet({deal, session, read, t}: Deposit): string {
  return walletName(read(session.$wallets, 'accounts')[deal.agreed.from.chain.family], t);
}

export function renderLock(deposit: Deposit) {
  const {placed, deal, t} = deposit;
  // Nobody vouches for a refund of a payment that is not verified.
  const {timelock} = (!isUnverified(deposit, placed.id) && orderOf(deposit)?.source) || {};
  const {blockSeconds} = deal.agreed.from.chain;
  // Another outgoing value without an agreed one is the priority fee.
  const fee = placed.report?.results.find(
    ({name, outcome, expected}) => name === 'value' && outcome === 'passed' && expected === undefined,
  )?.found;
  const seconds = timelock ? timelock * blockSeconds : 0;
  // For more than a day money is locked only after a warning.
  const isLong = seconds > DAY_SECONDS;
  const say = deal.deposit.how === 'transfer' ? t.backAtLatest : t.takeBackAtLatest;
  const text = seconds ? say({time: about(seconds, t)}) : '';
  return html`${isLong ? note(text, '', 'caution') : text ? html`<p class="latest">${text}</p>` : ''}
  ${fee ? html`<dl class="lines" part="lines">${line(t.priorityFee, html`<bdi>${foreignText(fee)}</bdi>`)}</dl>` : ''}`;
}

const DAY_SECONDS = 24 * 3600;

export function renderFees(deposit: Deposit) {
  const {deal, locale, t} = deposit;
  const order = orderOf(deposit);
  if (!order) return '';
  return html`<div role="status">${feesNotice(order, deal.agreed, t, locale)}</div>
    ${renderPayouts(deposit, order)}`;
}
