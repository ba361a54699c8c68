import {html} from 'lit';
import {usualMinutes} from '../../../domain/estimate.js';
import {foreignText} from '../../../domain/foreign.js';
import {openPayment} from '../../../domain/funding.js';
import type {ChainEvent, Order} from '../../../domain/order.js';
import {valueOf} from '../../../domain/remote.js';
import {isUnderWay} from '../../../domain/stage.js';
import type {Story} from '../../../domain/story.js';
import type {Messages} from '../../../locales/messages.js';
import type {ShownOrder} from '../../../session/session.js';
import {note} from '../../base/error-note.js';
import type {FrameContent} from '../../base/swap-view.js';
import {dateTime, dayOf, time, usualTime, when} from '../../base/time.js';
import {DOT, mono, pieces} from '../../base/words.js';
import {
  counting,
  errorNote,
  hashes,
  linkButton,
  primaryButton,
  renderRefundRight,
  secondaryButton,
  step,
  steps,
  thread,
} from '../order-parts.js';
import {ownEntry} from '../permissions.js';
import {more, type OrderContext} from '../order-view.js';
import {renderRescue} from '../rescue-file.js';
import {disputeIn, failedText, newsOf, payoutDenied, type News, type Telling} from '../telling.js';
import {canNotify, tellOf, wishesIn, type Occasion, type Say} from './notify.js';

export interface Progress extends OrderContext, Telling {
  readonly story: Story;
  /** The order with only the money that counts. Absent until it was read. */
  readonly order: Order | undefined;
  showReceipt(): void;
}

const MOST_TICKS = 12;

/** A swap on its way: what has happened, in a line; what is happening, in a sentence; and what is to come. */
export function renderOnItsWay(progress: Progress): FrameContent {
  const {placed, story, swap, timed, locale, t} = progress;
  const isUnpaid = story.stage === 'awaiting-deposit';
  const at = story.paidIn.event?.at;
  return {
    title: placed.deal ? t.onItsWay : t.strangerTitle,
    back: true,
    body: thread(
      locale,
      {
        asset: swap.from,
        label: isUnpaid ? t.youPay : t.youPaid,
        amount: swap.amount,
        line: true,
        travelled: !isUnpaid,
        end: at === undefined ? '' : when(at, timed(dayOf), locale),
      },
      html`${steps([renderDone(progress), renderNow(progress, isUnpaid), step(t, 'todo', t.willArrive)], isUnpaid)}
      ${payoutDenied(progress).map(drawn)} ${renderNews(progress)}`,
      {
        asset: swap.to,
        label: pieces(t.youReceiveAt, {address: mono(swap.recipient)}),
        amount: swap.receive,
        about: true,
        line: true,
        end: html`<span aria-hidden="true">${mono(swap.recipient)}</span>`,
      },
    ),
    foot: renderWaitingFoot(progress, placed, renderPromise(progress)),
  };
}

export function renderReading(context: OrderContext, placed: ShownOrder | undefined): FrameContent {
  const {session, read, locale, t} = context;
  const failure = [read(session.$order), placed?.reading].find(each => each?.state === 'failed');
  if (failure?.state === 'failed' && failure.error.field === 'order' && !placed?.deal) return renderNoSuchSwap(context);
  return {
    title: placed?.deal ? t.onItsWay : t.strangerTitle,
    back: true,
    body: thread(
      locale,
      {asset: undefined, label: t.youPay, line: true},
      failure?.state === 'failed'
        ? errorNote(failure.error, 'progress')
        : steps(step(t, 'now', t.readingOrder, html`<span class="skeleton"></span>`), true),
      {asset: undefined, label: t.youReceive, line: true},
    ),
    foot: renderWaitingFoot(context, placed),
  };
}

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

function renderDone({story: {stage, paidIn}, swap, t}: Progress) {
  const {event} = paidIn;
  if (!event) return '';
  const title = stage === 'settling' ? t.confirmed : t.paymentSeen;
  return step(t, 'done', title, event.onChain ? '' : t.serviceSaysSo, hashes(swap.from?.chain, event));
}

function renderNow(progress: Progress, isUnpaid: boolean) {
  const {story, t} = progress;
  const [title, detail] = isUnpaid
    ? [t.notPaidYet, '']
    : story.stage === 'settling'
      ? settling(progress)
      : story.paidIn.event || story.stage === 'confirming' || story.stage === 'deposit-seen'
        ? confirming(progress)
        : paying(progress);
  const [said, share] = timeOf(progress);
  return step(t, 'now', title, html`${detail} ${said}`, '', share);
}

type Said = readonly [title: string, detail: unknown];

function paying({placed, swap, t}: Progress): Said {
  const {funding} = placed.funding;
  const open = openPayment(placed.funding);
  // That the service has it is said only once it said so.
  if (open?.kind === 'initiate' && open.state === 'asking' && open.claimed) return [t.lostHeading, t.lostWhy];
  if (funding?.how === 'signature' || open?.kind === 'initiate') return [t.signatureSent, t.signatureSentWhy];
  return [
    t.paymentSent,
    funding?.how === 'transaction' ? hashes(swap.from?.chain, {hashes: [funding.hash]}) : t.paymentSentWhy,
  ];
}

function confirming(progress: Progress): Said {
  const {order, t} = progress;
  if (order?.source.initiated?.block === undefined) return [t.confirming, waitingForBlock(progress)];
  const {current, required} = order.source.confirmations;
  const showsTicks = required > 1 && required <= MOST_TICKS;
  return [
    t.confirming,
    html`${t.confirmations({current: Math.min(current, required), required})}${showsTicks ? renderTicks(current, required) : ''}`,
  ];
}

/** The payout. If only the service reports both, the words for the payment say so already. */
function settling({order, story: {paidIn, paidOut}, swap: {to}, t}: Progress): Said {
  const payout = order?.destination.initiated;
  const symbol = to?.symbol ?? '';
  const isReported = paidOut.certainty !== 'none' && paidOut.certainty !== 'denied';
  return payout
    ? [
        t.sending({symbol}),
        html`${paidIn.event && !paidIn.event.onChain ? '' : told(payout, t)}${hashes(to?.chain, payout)}`,
      ]
    : [
        (isReported ? t.sending : t.waitingToSend)({symbol}),
        t.onNetwork({network: to?.chain.title ?? foreignText(order?.destination.chain ?? '')}),
      ];
}

/** In words, and as hundredths of the usual time. No minutes are promised for what may take hours. */
function timeOf(progress: Progress): readonly [said: unknown, share?: number | undefined] {
  const {placed, story, order, timed, t} = progress;
  const {from, to} = progress.swap;
  if (!placed.deal || !from || !to || !isUnderWay(story.stage)) return [''];
  const usual = usualMinutes(from.chain, to.chain, order?.source.confirmations.required);
  const since = paidAt(progress);
  const isOpenEnded = mayWaitForHours(progress);
  const minutes = since === undefined ? 0 : timed(now => Math.max(0, Math.floor((now - since) / 60_000)));
  const soFar = minutes < 120 ? t.soFar({minutes}) : t.soFarHours({hours: Math.floor(minutes / 60)});
  const said = html`<span class="time">
    ${minutes ? html`<strong>${soFar}</strong>${DOT}` : ''}${isOpenEnded ? '' : minutes > usual.most ? t.longerThanUsual : usualTime(usual, t)}
  </span>`;
  return [said, since === undefined || isOpenEnded ? undefined : timed(now => elapsed(now - since, usual.most))];
}

function renderPromise({placed, story, timed, locale, t}: Progress): unknown {
  const opens = story.paidIn.event && !story.mayBeLost ? story.refundOpensAt : undefined;
  if (!placed.deal || opens === undefined || !isUnderWay(story.stage) || timed(now => now >= opens)) return '';
  return (placed.deal.deposit.how === 'transfer' ? t.promiseBack : t.promiseTake)({
    time: dayOf(opens) === timed(dayOf) ? time(opens, locale) : dateTime(opens, locale),
  });
}

/** In hundredths; later it approaches the whole, but never reaches it, since the usual time is not a promise. */
function elapsed(milliseconds: number, usualMinutes: number): number {
  const share = Math.max(0, milliseconds) / (usualMinutes * 60_000);
  return Math.floor(share < 1 ? share * 90 : 100 - 10 / share);
}

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
  return isWaiting && !(fee?.paid && fee.paid >= fee.wanted);
}

/** An unconfirmed payment. For one to an address, also whether its fee is high enough, if known. */
function waitingForBlock({placed, t}: Progress): string {
  const {deal, movedBackFrom, fee} = placed;
  if (deal?.deposit.how !== 'transfer' || movedBackFrom) return t.waitingForBlock;
  if (!fee?.paid) return t.waitingLong;
  const {paid, wanted, unit} = fee;
  return paid < wanted ? t.feeLow({paid, wanted, unit}) : t.feeEnough({paid, unit});
}

/** The most urgent information about an open swap: first of all that it could not be read. */
export function renderNews(progress: Progress) {
  const {placed, story, isForLooking, t} = progress;
  const news = newsOf(progress);
  // A refund goes on by the payer's own hand alone.
  const where = story.actions.includes('refund') ? 'refund' : 'progress';
  if (placed.reading.state === 'failed') return errorNote(placed.reading.error, where);
  if (!news.length && !placed.deal && !isForLooking) return note(t.stranger, t.strangerWhy);
  return news.map(drawn);
}

export function renderDispute(progress: Progress) {
  return disputeIn(progress).map(drawn);
}

function drawn({title, why, level}: News) {
  return note(title, why, level);
}

/* -- what the ends of a swap say, too ------------------------------------------------------------------------------------- */

export function told(event: ChainEvent | undefined, t: Messages): unknown {
  return event && !event.onChain ? html`<span class="quiet">${t.serviceSays}</span> ` : '';
}

/** The footer of an open swap: news of it, when the money can be had back, and on demand another swap and the rescue file. */
export function renderWaitingFoot(context: OrderContext, placed: ShownOrder | undefined, promise: unknown = '') {
  const {session, t} = context;
  const another = () => session.reset();
  const tell = renderTellMe(context, placed);
  const ways = html`<div class="ways">
    ${tell ? linkButton(t.anotherSwap, another) : ''} ${renderRescue(context, placed)}
  </div>`;
  return html`${placed ? renderRefundRight(context, placed) : ''} ${tell ?? secondaryButton(t.anotherSwap, another)}
  ${renderWaitingNote(context, placed, promise, placed?.deal ? more(ways, t) : '')}`;
}

/** The button to be told when the money arrives, if this page can do that; what came of it, once it was pressed. */
function renderTellMe({session, read, t}: OrderContext, placed: ShownOrder | undefined): unknown {
  const agreed = placed?.deal?.agreed;
  if (!agreed) return undefined;
  const wish = read(wishesIn(session), placed.id);
  if (wish) return html`<p class="foot-note" role="status">${wish === 'on' ? t.tellOn : t.tellDenied}</p>`;
  if (!canNotify()) return undefined;
  const words: Readonly<Record<Occasion, string>> = {
    received: t.news.received({symbol: agreed.to.symbol}),
    comingBack: failedText(placed, t),
    refunded: t.news.refunded({symbol: agreed.from.symbol}),
    needsYou: t.news.needsYou,
  };
  const say: Say = (news, witness) => `${words[news]}${witness === 'service' ? ` ${t.serviceSaysSo}` : ''}`;
  return secondaryButton(t.tellMe, () => tellOf(session, placed.id, say));
}

/** When the money can be had back, or whether the page can be closed; and when the order was read, if that is a while ago. */
export function renderWaitingNote(
  {session, isKept, t}: OrderContext,
  placed: ShownOrder | undefined,
  promise: unknown = '',
  aside: unknown = '',
) {
  // Nothing is displayed before the first result.
  if (!placed?.story && placed?.reading.state !== 'failed') return '';
  // A refund to a wallet needs this browser's record; a payment to an address is refunded without it.
  const needsPage = placed.deal?.deposit.how === 'wallet' && !isKept;
  return html`<div class="foot-note">
    <span>${placed.story ? (needsPage ? t.keepOpen : promise || t.canClose) : ''}</span>${
      placed.reading.state === 'failed'
        ? linkButton(t.readAgain, () => session.refresh())
        : html`<span>${counting(now => ageText(now, valueOf(session.$order.get())?.readAt, t))}</span>`
    }${aside}
  </div>`;
}

function ageText(now: number, readAt: number | undefined, t: Messages): string {
  if (readAt === undefined) return t.notCheckedYet;
  const minutes = Math.floor((now - readAt) / 60_000);
  return minutes < 1 ? '' : t.checkedMinutes({minutes});
}
