import {html} from 'lit';
import type {Asset, Catalogue} from '../../../domain/asset.js';
import {usualMinutes} from '../../../domain/estimate.js';
import {foreignText} from '../../../domain/foreign.js';
import {openPayment} from '../../../domain/funding.js';
import {isPart, type ChainEvent, type Order} from '../../../domain/order.js';
import {valueOf} from '../../../domain/remote.js';
import {isTerminal, isUnderWay, type Stage} from '../../../domain/stage.js';
import type {Note, Story} from '../../../domain/story.js';
import type {Messages} from '../../../locales/messages.js';
import type {ShownOrder} from '../../../session/session.js';
import {note} from '../../base/error-note.js';
import type {FrameContent} from '../../base/swap-view.js';
import {dateTime, dayOf, time, usualTime, when} from '../../base/time.js';
import {amountText, lostWords, mono, partly, pieces, sentences, sentencesText} from '../../base/words.js';
import {
  counting,
  errorNote,
  side,
  hashes,
  linkButton,
  primaryButton,
  renderRefundRight,
  secondaryButton,
  step,
  thread,
} from '../order-parts.js';
import {ownEntry} from '../permissions.js';
import type {OrderContext} from '../order-view.js';
import {renderRescue} from '../rescue-file.js';
import {canNotify, tellOf, wishFor, type News, type Say} from './notify.js';

/** The terms of a swap: as agreed in this browser, otherwise according to the service. */
interface Swap {
  readonly from: Asset | undefined;
  readonly to: Asset | undefined;
  readonly amount: bigint;
  readonly receive: bigint;
  readonly payer: string;
  readonly recipient: string;
}

/** An order after its payment: the data that every stage of the progress is rendered from. */
export interface Progress extends OrderContext {
  readonly placed: ShownOrder;
  readonly story: Story;
  /** The order with only the money that counts. Absent until it was read. */
  readonly order: Order | undefined;
  readonly swap: Swap;
  /** Shows the receipt in place of the stage. */
  showReceipt(): void;
}

export function swapOf({deal, story}: ShownOrder, catalogue: Catalogue | undefined): Swap | undefined {
  if (deal) {
    const {from, to, amount, receive, owner, recipient} = deal.agreed;
    return {from, to, amount, receive, payer: owner, recipient};
  }
  if (!story?.order || !catalogue) return undefined;
  const {source, destination} = story.order;
  return {
    from: catalogue.find(source.asset),
    to: catalogue.find(destination.asset),
    amount: source.amount,
    receive: destination.amount,
    payer: foreignText(source.initiator),
    recipient: foreignText(destination.redeemer),
  };
}

/** The states of the three steps. */
interface StepStates {
  readonly paying: 'done' | 'now';
  readonly confirming: 'done' | 'now' | 'todo';
  readonly sending: 'now' | 'todo';
}

const NOT_SEEN: StepStates = {paying: 'now', confirming: 'todo', sending: 'todo'};
const CONFIRMING: StepStates = {paying: 'done', confirming: 'now', sending: 'todo'};
const STEPS_AT: Partial<Record<Stage, StepStates>> = {
  'deposit-seen': CONFIRMING,
  confirming: CONFIRMING,
  settling: {paying: 'done', confirming: 'done', sending: 'now'},
};

/** More confirmations than this are counted, but not shown individually. */
const MOST_TICKS = 12;

/** A swap on its way: what has happened, what is happening, and what is to come. */
export function renderOnItsWay(progress: Progress): FrameContent {
  const {placed, story, swap, locale, t} = progress;
  const {stage} = story;
  const {paying, confirming, sending} = STEPS_AT[stage] ?? NOT_SEEN;
  const isUnpaid = stage === 'awaiting-deposit';
  return {
    title: placed.deal ? t.onItsWay : t.strangerTitle,
    back: true,
    body: thread(
      side('pay', {locale, asset: swap.from, label: t.youPay, amount: swap.amount, line: true, travelled: !isUnpaid}),
      html`<ol class="steps ${isUnpaid ? 'ahead' : ''}" part="steps">
          ${renderPayment(progress, paying, isUnpaid)} ${renderConfirming(progress, confirming)}
          ${renderSending(progress, sending)} ${step(t, 'todo', t.willArrive({symbol: swap.to?.symbol ?? ''}))}
        </ol>
        ${renderPromise(progress)} ${renderDenied(progress)} ${renderProgressNote(progress)}`,
      side('get', {
        locale,
        asset: swap.to,
        label: pieces(t.youReceiveAt, {address: mono(swap.recipient)}),
        amount: swap.receive,
        line: true,
      }),
    ),
    foot: renderWaitingFoot(progress, placed),
  };
}

/** An order that has not been read yet, or cannot be. */
export function renderReading(context: OrderContext, placed: ShownOrder | undefined): FrameContent {
  const {session, read, locale, t} = context;
  const failure = [read(session.$order), placed?.reading].find(each => each?.state === 'failed');
  if (failure?.state === 'failed' && failure.error.field === 'order' && !placed?.deal) return renderNoSuchSwap(context);
  return {
    title: placed?.deal ? t.onItsWay : t.strangerTitle,
    back: true,
    body: thread(
      side('pay', {locale, asset: undefined, label: t.youPay, line: true}),
      failure?.state === 'failed'
        ? errorNote(failure.error, 'progress')
        : html`<ol class="steps ahead" part="steps">
            ${step(t, 'now', t.readingOrder, html`<span class="skeleton"></span>`)}
          </ol>`,
      side('get', {locale, asset: undefined, label: t.youReceive, line: true}),
    ),
    foot: renderWaitingFoot(context, placed),
  };
}

/** A link to a swap that the service does not know. */
function renderNoSuchSwap({session, t}: OrderContext): FrameContent {
  return {
    title: t.noSuchSwapTitle,
    back: true,
    body: html`<div class="nothing">
      <h3>${t.noSuchSwap}</h3>
      <p class="quiet">${t.noSuchSwapWhy}</p>
    </div>`,
    foot: primaryButton(t.newSwap, () => session.reset()),
  };
}

function renderPayment({placed, story, swap, timed, locale, t}: Progress, state: 'done' | 'now', isUnpaid: boolean) {
  const payment = story.paidIn.event;
  const chain = swap.from?.chain;
  if (payment) {
    const at = payment.at === undefined ? '' : when(payment.at, timed(dayOf), locale);
    return step(t, state, t.paymentSeen, html`${told(payment, t)}${hashes(chain, payment)}`, at);
  }
  if (isUnpaid) return step(t, 'now', t.notPaidYet);
  const {funding} = placed.funding;
  const open = openPayment(placed.funding);
  // That the service has it is said only once it said so.
  if (open?.kind === 'initiate' && open.state === 'asking' && open.claimed)
    return step(t, state, t.lostHeading, t.lostWhy);
  if (funding?.how === 'signature' || open?.kind === 'initiate')
    return step(t, state, t.signatureSent, t.signatureSentWhy);
  return step(
    t,
    state,
    t.paymentSent,
    funding?.how === 'transaction' ? hashes(chain, {hashes: [funding.hash]}) : t.paymentSentWhy,
  );
}

function renderConfirming(progress: Progress, state: StepStates['confirming']) {
  const {order, t} = progress;
  if (state === 'todo') return step(t, state, t.willConfirm);
  const title = state === 'done' ? t.confirmed : t.confirming;
  const isInBlock = order?.source.initiated?.block !== undefined;
  if (state === 'now' && !isInBlock) return step(t, state, title, waitingForBlock(progress));
  const {current = 0, required = 0} = order?.source.confirmations ?? {};
  const showsTicks = state === 'now' && required > 1 && required <= MOST_TICKS;
  return step(
    t,
    state,
    title,
    html`${t.confirmations({current: Math.min(current, required), required})}${showsTicks ? renderTicks(current, required) : ''}`,
  );
}

/** How long it has taken, how long it usually takes, and when the money is refunded otherwise. */
function renderPromise(progress: Progress) {
  const {placed, story, order, swap, timed, locale, t} = progress;
  if (!placed.deal || !swap.from || !swap.to || !isUnderWay(story.stage)) return '';
  const since = paidAt(progress);
  const required = order?.source.confirmations.required;
  const usual = usualMinutes(swap.from.chain, swap.to.chain, required);
  const minutes = since === undefined ? 0 : timed(now => Math.max(0, Math.floor((now - since) / 60_000)));
  const opens = story.paidIn.event && !story.mayBeLost ? story.refundOpensAt : undefined;
  const isReturned = placed.deal.deposit.how === 'transfer';
  // No minutes are promised for what may take hours, as the step says.
  const isOpenEnded = mayWaitForHours(progress);
  return html`<div class="promise">
    ${
      since === undefined || isOpenEnded
        ? ''
        : renderElapsed(
            timed(now => elapsed(now - since, usual.most)),
            minutes > usual.most,
          )
    }
    <p>
      ${minutes ? html`<strong>${minutes < 120 ? t.soFar({minutes}) : t.soFarHours({hours: Math.floor(minutes / 60)})}</strong>` : ''}
      <span>${isOpenEnded ? '' : minutes > usual.most ? t.longerThanUsual : usualTime(usual, t)}</span>
    </p>
    ${
      opens === undefined || timed(now => now >= opens)
        ? ''
        : html`<p>
            ${(isReturned ? t.promiseBack : t.promiseTake)({
              time: dayOf(opens) === timed(dayOf) ? time(opens, locale) : dateTime(opens, locale),
            })}
          </p>`
    }
  </div>`;
}

/**
 * The elapsed part of the usual time, in hundredths; later it approaches the whole, but never reaches it, since the
 * usual time is not a promise.
 */
function elapsed(milliseconds: number, usualMinutes: number): number {
  const share = Math.max(0, milliseconds) / (usualMinutes * 60_000);
  return Math.floor(share < 1 ? share * 90 : 100 - 10 / share);
}

/** The same as a bar. The text beside it says how long. */
function renderElapsed(hundredths: number, isLate: boolean) {
  return html`<svg
    class="elapsed ${isLate ? 'late' : ''}"
    viewBox="0 0 100 4"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect width=${hundredths} height="4" />
  </svg>`;
}

/** When the payment was made, by this page's clock, as far as known. */
function paidAt(progress: Progress): number | undefined {
  const {placed, story} = progress;
  const {order, paidIn} = story;
  const at = paidIn.event?.at;
  if (order && at !== undefined) return placed.placedAt + (at - order.createdAt);
  const asked = placed.funding.walletRequests.at(-1)?.at;
  // It was written down by a clock that may have been set since.
  const {placedAt = placed.placedAt} = ownEntry(progress, placed.id) ?? {};
  return asked === undefined ? undefined : asked + placed.placedAt - placedAt;
}

function renderTicks(current: number, required: number) {
  return html`<span class="ticks" aria-hidden="true"
    >${Array.from({length: required}, (_, index) => html`<i class=${index < current ? 'on' : ''}></i>`)}</span
  >`;
}

/** Whether a payment to an address may wait for a block for hours, since its fee is low or unknown. */
function mayWaitForHours({placed: {deal, movedBackFrom, fee}, story: {stage}}: Progress): boolean {
  const isWaiting = stage === 'deposit-seen' && deal?.deposit.how === 'transfer' && !movedBackFrom;
  return isWaiting && !(fee && fee.paid >= fee.wanted);
}

/** An unconfirmed payment. For one to an address, also whether its fee is high enough, if known. */
function waitingForBlock({placed, t}: Progress): string {
  const {deal, movedBackFrom, fee} = placed;
  if (deal?.deposit.how !== 'transfer' || movedBackFrom) return t.waitingForBlock;
  if (!fee) return t.waitingLong;
  const {paid, wanted, unit} = fee;
  return paid < wanted ? t.feeLow({paid, wanted, unit}) : t.feeEnough({paid, unit});
}

function renderSending({order, story: {paidOut}, swap: {to}, t}: Progress, state: StepStates['sending']) {
  const payout = order?.destination.initiated;
  const symbol = to?.symbol ?? '';
  const isReported = paidOut.certainty !== 'none' && paidOut.certainty !== 'denied';
  return payout && state === 'now'
    ? step(t, state, t.sent({symbol}), html`${told(payout, t)}${hashes(to?.chain, payout)}`)
    : step(
        t,
        state,
        (state === 'todo' ? t.willSend : isReported ? t.sending : t.waitingToSend)({symbol}),
        t.onNetwork({network: to?.chain.title ?? foreignText(order?.destination.chain ?? '')}),
      );
}

/** The most urgent information about an open swap. */
export function renderProgressNote(progress: Progress) {
  const {placed, story, isForLooking, t} = progress;
  // A refund goes on by the payer's own hand alone.
  const where = story.actions.includes('refund') ? 'refund' : 'progress';
  if (placed.reading.state === 'failed') return errorNote(placed.reading.error, where);
  if (story.note?.kind === 'disputed') return renderDispute(progress);
  const {movedBackFrom} = placed;
  if (movedBackFrom && isTerminal(movedBackFrom)) {
    return story.paidOut.certainty === 'denied' ? '' : note(t.endTakenBack, t.endTakenBackWhy, 'caution');
  }
  const lost = lostWords(movedBackFrom, story, t);
  if (lost) return note(...lost);
  if (!placed.deal) return isForLooking ? '' : note(t.stranger, t.strangerWhy);
  return story.note ? renderNote(story.note, progress) : '';
}

/** An irregularity. */
function renderNote(news: Note, {story, swap: {from, amount: whole, payer}, locale, t}: Progress) {
  const {symbol = '', decimals = 0} = from ?? {};
  const text = (value: bigint) => amountText(value, {decimals}, locale);
  switch (news.kind) {
    case 'changed':
    case 'replaced':
    case 'gone':
      return note(t[news.kind], t[`${news.kind}Why`]);
    case 'part': {
      const say = partly(story.paidIn.certainty === 'proved', t);
      return note(say({amount: text(news.amount), whole: text(whole), symbol}), t.partlyWhy);
    }
    case 'surplus': {
      const why = story.mayBeLost ? t.unverifiedBack : pieces(t.paidMoreWhy, {address: mono(payer)});
      const say = story.paidIn.certainty === 'proved' ? '' : t.serviceSaysSo;
      return note(t.paidMore({amount: text(news.amount), symbol}), sentences(why, say));
    }
    case 'disputed':
    case 'less':
    case 'untied':
      return '';
  }
}

/** The service's claim of a payout that its network does not show. */
function renderDenied({story: {paidOut}, swap: {to}, locale, t}: Progress) {
  if (paidOut.certainty !== 'denied' || !to) return '';
  const {untied} = paidOut;
  return note(
    t.payoutDenied({network: to.chain.title}),
    untied ? t.payoutDeniedLess({amount: amountText(untied, to, locale), symbol: to.symbol}) : t.payoutDeniedWhy,
    'caution',
  );
}

/* -- what the ends of a swap say, too ------------------------------------------------------------------------------------- */

/** Who says that an event happened, if its chain did not show it. */
export function told(event: ChainEvent | undefined, t: Messages): unknown {
  return event && !event.onChain ? html`<span class="quiet">${t.serviceSays}</span> ` : '';
}

/** Why the swap failed. */
export function reasonOf({placed: {deal, placedAt, payUntil}, order, t}: Progress): string {
  if (order?.destination.refunded) return t.otherTookBack;
  if (order && isPart(order.source)) return t.tooLittle;
  const paidAt = order?.source.initiated?.at;
  const isLate = order && deal && paidAt !== undefined && paidAt - order.createdAt >= payUntil - placedAt;
  return isLate ? t.cameLate : t.otherDidNotPay;
}

/** The footer of an open swap: another swap, whether the page can be closed, and when the order was read. */
export function renderWaitingFoot(context: OrderContext, placed: ShownOrder | undefined) {
  const {session, t} = context;
  return html`${placed ? renderRefundRight(context, placed) : ''}${secondaryButton(t.anotherSwap, () => session.reset())}
  ${renderWaitingNote(context, placed)} ${renderTellMe(context, placed)} ${renderRescue(context, placed)}`;
}

/** A link to enable notifications, if this page can show them. */
function renderTellMe({session, read, t}: OrderContext, placed: ShownOrder | undefined) {
  const agreed = placed?.deal?.agreed;
  if (!agreed) return '';
  const wish = read(wishFor(session, placed.id));
  if (!wish && !canNotify()) return '';
  const words: Readonly<Record<News, string>> = {
    received: t.news.received({symbol: agreed.to.symbol}),
    comingBack: sentencesText(t.said.failed, placed.story?.mayBeLost ? t.unverifiedBack : t.said.refunding),
    refunded: t.news.refunded({symbol: agreed.from.symbol}),
    needsYou: t.news.needsYou,
  };
  const say: Say = (news, witness) => `${words[news]}${witness === 'service' ? ` ${t.serviceSaysSo}` : ''}`;
  return html`<p class="foot-note">
    ${wish ? '' : linkButton(t.tellMe, () => tellOf(session, placed.id, say))}
    <span role="status">${wish ? (wish === 'on' ? t.tellOn : t.tellDenied) : ''}</span>
  </p>`;
}

/** Whether the page can be closed, and when the order was last read. */
export function renderWaitingNote({session, isKept, t}: OrderContext, placed: ShownOrder | undefined) {
  // Nothing is displayed before the first result.
  if (!placed?.story && placed?.reading.state !== 'failed') return '';
  // A refund to a wallet needs this browser's record; a payment to an address is refunded without it.
  const needsPage = placed.deal?.deposit.how === 'wallet' && !isKept;
  return html`<p class="foot-note">
    <span>${placed.story ? (needsPage ? t.keepOpen : t.canClose) : ''}</span>${
      placed.reading.state === 'failed'
        ? linkButton(t.readAgain, () => session.refresh())
        : html`<span>${counting(now => ageText(now, valueOf(session.$order.get())?.readAt, t))}</span>`
    }
  </p>`;
}

function ageText(now: number, readAt: number | undefined, t: Messages): string {
  if (readAt === undefined) return t.notCheckedYet;
  const seconds = Math.max(0, Math.floor((now - readAt) / 1000));
  if (seconds < 2) return t.checkedJustNow;
  return seconds < 60 ? t.checkedSeconds({seconds}) : t.checkedMinutes({minutes: Math.floor(seconds / 60)});
}

/** The RPCs of a chain contradict each other. */
export function renderDispute({story, swap, t}: Progress) {
  if (story.note?.kind !== 'disputed') return '';
  const chain = (story.note.of === 'target' ? swap.to : swap.from)?.chain;
  return chain ? note(t.disputed({network: chain.title}), t.disputedWhy, 'caution') : '';
}
