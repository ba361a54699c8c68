import {html} from 'lit';
import type {ChainEvent} from '../../../domain/order.js';
import type {FrameContent} from '../../base/swap-view.js';
import {dayOf, time, when} from '../../base/time.js';
import {mono, pieces, walletName} from '../../base/words.js';
import {errorNote, hashes, primaryButton, step, steps, thread} from '../order-parts.js';
import {walletStep} from '../order-view.js';
import {renderRescue} from '../rescue-file.js';
import {reasonOf} from '../telling.js';
import {renderNews, renderWaitingFoot, renderWaitingNote, told, type Progress} from './progress.js';

type RefundState =
  /** The time when it opens is not known yet. */
  'unscheduled' | 'scheduled' | 'open' | 'sent';

interface Refund extends Progress {
  readonly state: RefundState;
  /** When it opens, by this browser's clock; 0 while it is unscheduled. */
  readonly opens: number;
  readonly transactions: Pick<ChainEvent, 'hashes'> | undefined;
}

interface RefundWords {
  readonly title: string;
  readonly detail: unknown;
  readonly button: string;
}

const NEXT: Readonly<Record<RefundState, (refund: Refund) => RefundWords>> = {
  unscheduled: ({t}) => ({title: t.refundOpensLater, detail: t.refundOnceInBlock, button: t.refundWait}),
  scheduled: ({opens, timed, locale, t}) => ({
    title:
      dayOf(opens) === timed(dayOf)
        ? t.refundOpens({time: time(opens, locale)})
        : t.refundOpensOn({day: when(opens, timed(dayOf), locale)}),
    detail: t.refundOpensIn({minutes: timed(now => Math.max(1, Math.ceil((opens - now) / 60_000)))}),
    button: t.refundFrom({time: time(opens, locale)}),
  }),
  open: ({t}) => ({
    title: t.refundOpen,
    detail: t.refundOpenWhy,
    button: t.refundNow,
  }),
  sent: ({transactions, story, swap, t}) => ({
    title: t.refundUnderWay,
    detail: transactions ? html`${told(story.paidBack.event, t)}${hashes(swap.from?.chain, transactions)}` : '',
    button: t.refundUnderWay,
  }),
};

/** A swap that is being refunded: why, the state of the refund, and its button. */
export function renderRefunding(progress: Progress): FrameContent {
  const {placed, story, swap, locale, t} = progress;
  const refund = refundOf(progress);
  const isLost = refund.state !== 'sent' && isOutOfReach(progress);
  const words = isLost
    ? {title: t.onlyServiceRefunds, detail: t.unverifiedBack, button: ''}
    : NEXT[refund.state](refund);
  const amount = story.paidIn.amount || swap.amount;
  // A payment to an address is refunded by the service, without a wallet.
  const byService = placed.deal?.deposit.how === 'transfer';
  return {
    // Nothing comes back until the visitor asks for it.
    title: (byService && !isLost) || refund.state === 'sent' ? t.comingBack : t.didNotHappen,
    back: true,
    body: thread(
      locale,
      {asset: swap.from, label: t.youPaid, amount, line: true, travelled: true},
      html`${steps([
        renderPaid(progress),
        renderWhy(progress),
        step(t, 'now', words.title, byService && !isLost && refund.state !== 'sent' ? t.serviceRefunds : words.detail),
      ])}
      ${placed.refund.state === 'failed' ? errorNote(placed.refund.error, 'refund') : renderNews(progress)}`,
      {
        asset: swap.from,
        label: pieces(t.youGetBackAt, {address: mono(swap.payer)}),
        amount,
        line: true,
        end: html`<span aria-hidden="true">${mono(swap.payer)}</span>`,
      },
    ),
    foot:
      placed.deal && !byService && !isLost
        ? html`${renderButton(refund, words.button)} ${renderWaitingNote(progress, placed)}
          ${renderRescue(progress, placed)}`
        : renderWaitingFoot(progress, placed),
  };
}

/** Why the money is refunded. The service's claim does not count if the contract shows that it still holds the payment. */
function renderWhy(progress: Progress) {
  const {story, t} = progress;
  const {certainty} = story.paidOut;
  const isToldDone = story.isHeld && (certainty === 'told' || certainty === 'denied');
  return step(
    t,
    isToldDone ? 'done' : 'bad',
    isToldDone ? t.serviceSaysDone : reasonOf(progress),
    isOutOfReach(progress) ? '' : story.isHeld ? t.contractHolds : t.notSpent,
  );
}

/** Whether the payment went where nothing is known of a refund: to a contract or an address that is not verified. */
function isOutOfReach({story: {mayBeLost, actions}}: Progress): boolean {
  return mayBeLost && !actions.includes('refund');
}

function refundOf(progress: Progress): Refund {
  const {placed, story, timed} = progress;
  const {refundOpensAt: opens, paidBack, actions} = story;
  const {refund} = placed;
  // A refund that is not the payer's to request happens automatically, or in another browser.
  const isByHand = placed.deal?.deposit.how === 'wallet';
  const isOpen = isByHand ? actions.includes('refund') : opens !== undefined && timed(now => now >= opens);
  const isSent = paidBack.event !== undefined || refund.state === 'ready';
  return {
    ...progress,
    state: isSent ? 'sent' : isOpen ? 'open' : opens === undefined ? 'unscheduled' : 'scheduled',
    opens: opens ?? 0,
    transactions: paidBack.event ?? (refund.state === 'ready' ? {hashes: [refund.value]} : undefined),
  };
}

function renderPaid({story, swap, timed, locale, t}: Progress) {
  const payment = story.paidIn.event;
  return step(
    t,
    'done',
    payment ? t.paymentConfirmed : t.paymentSent,
    payment ? html`${told(payment, t)}${hashes(swap.from?.chain, payment)}` : '',
    payment?.at === undefined ? '' : when(payment.at, timed(dayOf), locale),
  );
}

function renderButton(refund: Refund, label: string) {
  const {placed, state, swap, session, read, t} = refund;
  const family = swap.from?.chain.family;
  if (state !== 'sent' && placed.refund.state === 'pending') {
    return primaryButton(t.waiting({wallet: walletName(family && read(session.$wallets, 'accounts')[family], t)}));
  }
  if (state !== 'open' || !family) return primaryButton(label);
  const {label: said, press} = walletStep(refund, family, {label, press: () => session.refund()});
  return primaryButton(said, press);
}
