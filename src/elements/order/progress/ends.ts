import {html} from 'lit';
import {depositBy, type Chain} from '../../../domain/asset.js';
import {surplusOf} from '../../../domain/deposit.js';
import type {Movement} from '../../../domain/evidence.js';
import {mayHaveGoneOut} from '../../../domain/funding.js';
import {writeJson} from '../../../domain/json.js';
import {travelTime, type Order} from '../../../domain/order.js';
import {costBetween} from '../../../domain/quote.js';
import {priceOf} from '../../../domain/receipt.js';
import {money} from '../../../locales/figures.js';
import {note} from '../../base/error-note.js';
import type {FrameContent} from '../../base/swap-view.js';
import {dateTime, dayOf, duration, when} from '../../base/time.js';
import {amountText, costText, DOT, mono, pieces} from '../../base/words.js';
import {
  cutOff,
  expiredBody,
  hashes,
  line,
  linkButton,
  primaryButton,
  renderRefundRight,
  unpaidThread,
} from '../order-parts.js';
import {isUnverified, mayBeGone, renderAllowance, renderLiveSignatures, restartButton} from '../permissions.js';
import {reasonOf} from '../telling.js';
import {renderAddToWallet, renderShare} from './afterwards.js';
import {arrival} from './arrival.js';
import {renderDispute, told, type Progress} from './progress.js';
import {receiptText} from './receipt.js';

/** A completed swap: what arrived where, what was paid, and how long it took. The transactions are in the receipt. */
export function renderComplete(progress: Progress, order: Order): FrameContent {
  const {placed, story, swap, copyable, locale, look, t} = progress;
  const {source} = order;
  const {event: received, amount} = story.paidOut;
  // While the recipient's chain is being read again, the amount is the service's.
  const surplus = surplusOf(source);
  const price = priceOf({order, money: story, from: swap.from, to: swap.to});
  const value = price?.receivedValue;
  const cost = costBetween(price?.paidValue, value);
  const took = travelTime(order, received?.at);
  const isLess = story.note?.kind === 'less';
  return {
    title: placed.deal ? (isLess ? t.receivedLess : t.received) : t.strangerTitle,
    back: !placed.deal,
    body: html`${arrival(locale, swap.from, {
        asset: swap.to,
        label: t.youReceived,
        amount: amount || order.destination.amount,
        detail: html`${value === undefined ? '' : html`<bdi>${money(value, look)}</bdi>`}
        ${renderEnd(swap.recipient, swap.to?.chain, progress)}`,
        done: !isLess && story.note?.kind !== 'untied' && story.paidOut.certainty !== 'waiting',
        travelled: story.witness === 'chain',
      })}
      ${renderHeld(progress)}${renderNote(progress)} ${renderAwaited(story.paidOut, swap.to?.chain, progress)}
      <dl class="lines tall" part="lines">
        ${swap.from ? line(t.youPaid, html`<bdi>${amountText(swap.amount, swap.from, locale)} ${swap.from.symbol}</bdi>`) : ''}
        ${cost ? line(t.cost, html`<bdi>${costText(cost, look, t)}</bdi>`) : ''}
        ${took === undefined ? '' : line(t.took, duration(took, t))} ${renderNotInBlock(progress, order)}
        ${
          surplus && swap.from
            ? line(
                t.paidTooMuch,
                html`${told(source.initiated, t)}${pieces(story.mayBeLost ? t.paidMore : t.comesBack, {
                  amount: amountText(surplus, swap.from, locale),
                  symbol: swap.from.symbol,
                  address: mono(swap.payer),
                })}`,
              )
            : ''
        }
        ${
          source.refunded
            ? line(
                t.alsoRefunded,
                html`${told(source.refunded, t)}${hashes(swap.from?.chain, source.refunded, hash => copyable(t.alsoRefunded, hash))}`,
              )
            : ''
        }
      </dl>`,
    foot: html`<slot name="success"></slot>${
        isLess ? renderLessFoot(progress, received?.at ?? order.createdAt) : renderEndFoot(progress, {isSuccess: true})
      }`,
  };
}

/** The source of the statement is named unless a chain shows the end. */
function renderEnd(address: string, chain: Chain | undefined, {story, t}: Progress) {
  return html`<span class="whole">${pieces(t.to, {address: mono(address)})}</span>${DOT}<bdi>${chain?.title}</bdi>
    ${story.witness === 'chain' ? '' : html`<br />${t.serviceSaysSo}`}`;
}

function renderAwaited({certainty}: Movement, chain: Chain | undefined, {t}: Progress) {
  const isAwaited = certainty === 'waiting' && chain !== undefined;
  return isAwaited ? html`<p class="latest">${t.stillChecking({network: chain.title})}</p>` : '';
}

/** A note if the payment was not collected: both chains show it, since a service's word completes nothing against a contract. */
function renderHeld({story, swap: {from, to}, locale, t}: Progress) {
  if (story.refund !== 'open' || !from || !to) return '';
  const amount = amountText(story.paidOut.amount, to, locale);
  return note(t.paymentHeld, t.paymentHeldWhy({amount, symbol: to.symbol, network: from.chain.title}), 'caution');
}

function renderNote({placed, story, swap: {to}, locale, t}: Progress) {
  if (!to || !story.note || !('amount' in story.note)) return '';
  const {kind, amount} = story.note;
  const words = {amount: amountText(amount, to, locale), symbol: to.symbol};
  if (kind === 'untied') return note(t.untied, t.untiedWhy({...words, network: to.chain.title}), 'caution');
  const least = amountText(placed.deal?.agreed.atLeast ?? 0n, to, locale);
  return note(t.lessThanAgreed, t.lessThanAgreedWhy({...words, least}), 'loss');
}

/** A payout to a Bitcoin address counts as soon as it is seen, so this shows whether it is confirmed. */
function renderNotInBlock({swap: {to}, t}: Progress, {destination: {redeemed}}: Order) {
  const isWaiting = to && depositBy(to.chain) === 'transfer' && redeemed?.block === undefined;
  return isWaiting ? line(t.receiptFacts.payout, t.inNoBlockYet) : '';
}

export function renderRefunded(progress: Progress, order: Order): FrameContent {
  const {placed, story, swap, locale, t} = progress;
  const {amount} = story.paidBack;
  return {
    title: placed.deal ? t.refunded : t.strangerTitle,
    back: !placed.deal,
    body: html`${arrival(locale, swap.from, {
        asset: swap.from,
        label: t.youGotBack,
        amount: amount || order.source.amount,
        detail: renderEnd(swap.payer, swap.from?.chain, progress),
        done: story.paidBack.certainty !== 'waiting',
        travelled: story.witness === 'chain',
      })}
      ${renderAwaited(story.paidBack, swap.from?.chain, progress)}
      <dl class="lines tall" part="lines">${line(t.why, reasonOf(progress))}</dl>`,
    foot: renderEndFoot(progress, {again: placed.deal !== undefined}),
  };
}

export function renderExpired(progress: Progress): FrameContent {
  const {placed, swap, timed, locale, t} = progress;
  const isUnpaid = placed.story?.isUnpaid === true;
  const toAddress = isTransfer(progress);
  const isOut = placed.deal !== undefined && mayHaveGoneOut(placed.funding);
  const until = when(placed.payUntil, timed(dayOf), locale);
  return renderUnpaid(progress, {
    title: t.expired,
    body: expiredBody(
      isUnpaid ? t.noPaymentBy({time: until}) : t.noPaymentKnown({time: until}),
      {
        toAddress,
        payer: swap.payer,
        unverified: isUnverified(progress, placed.id),
        isOut: toAddress || isOut,
        advice: placed.deal && !isUnpaid ? t.lookFirst : '',
        warning: html`${renderDispute(progress)}${renderLiveSignatures(progress, placed.id, {isStep: true})}
        ${renderAllowance(progress, placed.id, {isStep: true})}`,
      },
      t,
    ),
    // An address is paid from anywhere: no chain shows what is about to leave a wallet or an exchange.
    mayBeOut: placed.deal !== undefined && (toAddress || (!isUnpaid && isOut)),
  });
}

/** An order that the visitor canceled before paying. Its address was shown, so a payment may arrive all the same. */
export function renderCanceled(progress: Progress): FrameContent {
  const {t} = progress;
  const isByAddress = isTransfer(progress);
  return renderUnpaid(progress, {
    title: t.canceled,
    body: html`${cutOff(t.youCanceled, isByAddress ? t.doNotSendAnyMore : mayBeGone(progress, progress.placed.id) ? '' : t.money.deposit)}
    ${isByAddress ? note(t.alreadySent, t.alreadySentCanceled) : renderAllowance(progress, progress.placed.id, {isStep: true})}`,
  });
}

function isTransfer({swap: {from}}: Progress): boolean {
  return from !== undefined && depositBy(from.chain) === 'transfer';
}

function renderUnpaid(
  progress: Progress,
  {title, body, mayBeOut = false}: Pick<FrameContent, 'title' | 'body'> & {readonly mayBeOut?: boolean},
): FrameContent {
  const {placed, order, copyLink, t} = progress;
  return {
    title,
    back: true,
    body: unpaidThread(progress, body),
    foot: html`${mayBeOut ? renderRefundRight(progress, placed) : ''}
      ${restartButton(progress, placed.id, {keep: placed.deal !== undefined, mayBeOut})}
      ${mayBeOut ? '' : renderRefundRight(progress, placed)}
      <p class="foot-note">
        <span>${placed.deal ? t.sameAmounts : ''}</span>
        ${order ? copyLink(t.copyDetails, () => receiptText(progress, order, 'unchecked')) : ''}
      </p>`,
  };
}

/** The footer of a payout that is less than agreed: first of all the receipt, with which to ask for help, and a report. */
function renderLessFoot(progress: Progress, at: number) {
  const {placed, story, order, session, locale, showReceipt, copyLink, t} = progress;
  const {id: orderId, deal, report} = placed;
  const facts = () => writeJson({orderId, report, deal, order, received: story.paidOut}, {space: 2});
  return html`${primaryButton(t.receipt, showReceipt)} ${renderRefundRight(progress, placed)}
    <p class="foot-note">
      <span>${dateTime(at, locale)}</span>
      <span class="ways">${copyLink(t.copyReport, facts)} ${linkButton(t.newSwap, () => session.reset())}</span>
    </p>`;
}

/** The footer of an end: a new swap, or with `again` the same one, and the receipt; after a success more. */
function renderEndFoot(progress: Progress, {again = false, isSuccess = false} = {}) {
  const {placed, session, showReceipt, t} = progress;
  return html`${primaryButton(again ? t.tryAgainSwap : t.newSwap, () => session.reset({keep: again}))}
    ${renderRefundRight(progress, placed)}
    <p class="foot-note">${linkButton(t.receipt, showReceipt)} ${isSuccess ? renderShare(progress) : ''}</p>
    ${isSuccess ? renderAddToWallet(progress) : ''}`;
}
