import {html} from 'lit';
import {formatAmount} from '../../../domain/amount.js';
import {depositBy} from '../../../domain/asset.js';
import {dueOf} from '../../../domain/deposit.js';
import type {Order} from '../../../domain/order.js';
import type {FrameContent} from '../../base/swap-view.js';
import {duration, when} from '../../base/time.js';
import {mono} from '../../base/words.js';
import {expiredBody, getSide, hashes, line, paySide, primaryButton, thread} from '../order-parts.js';
import {payouts} from '../partner-fees.js';
import {reasonOf, renderEndFoot, type Progress} from './progress.js';
import {receiptText} from './receipt.js';

/** A swap that is complete: what arrived where, and the transactions. */
export function renderComplete(progress: Progress, order: Order): FrameContent {
  const {placed, swap, session, read, t} = progress;
  const {source, destination} = order;
  const received = destination.redeemed;
  const {surplus} = dueOf(source);
  return {
    title: placed.deal ? t.received : t.strangerTitle,
    back: !placed.deal,
    body: thread(
      paySide({asset: swap.from, label: t.youPaid, amount: swap.amount, line: true, travelled: true}),
      html`<dl class="lines tall" part="lines">
        ${received?.at === undefined ? '' : line(t.took, duration(received.at - order.createdAt, t))}
        ${source.initiated ? line(t.paid, hashes(swap.from?.chain, source.initiated)) : ''}
        ${received ? line(t.received, html`${hashes(swap.to?.chain, received)}${renderNotInBlock(progress, order)}`) : ''}
        ${
          surplus && swap.from
            ? line(
                t.paidTooMuch,
                t.comesBack(formatAmount(surplus, swap.from.decimals), swap.from.symbol, mono(swap.payer)),
              )
            : ''
        }
        ${source.refunded ? line(t.alsoRefunded, hashes(swap.from?.chain, source.refunded)) : ''}
        ${payouts(order, read(session.$config)?.catalogue, t)} ${line(t.order, mono(order.id))}
      </dl>`,
      getSide({
        asset: swap.to,
        label: t.youReceived,
        amount: destination.amount,
        detail: html`<span class="whole">${t.to(mono(swap.recipient))}</span>`,
        done: true,
      }),
      'travelled',
    ),
    foot: renderEndFoot(progress, order, received?.at),
  };
}

/** A payment to an address counts as soon as it is seen, so this says whether it is in a block. */
function renderNotInBlock({swap: {to}, t}: Progress, {destination: {redeemed}}: Order) {
  const isWaiting = to && depositBy(to.chain) === 'transfer' && redeemed?.block === undefined;
  return isWaiting ? html` <span class="quiet">${t.inNoBlockYet}</span>` : '';
}

/** A swap whose payer has the money back. */
export function renderRefunded(progress: Progress, order: Order): FrameContent {
  const {placed, swap, t} = progress;
  const {source} = order;
  const amount = source.filled || swap.amount;
  const chain = swap.from?.chain;
  return {
    title: placed.deal ? t.refunded : t.strangerTitle,
    back: !placed.deal,
    body: thread(
      paySide({asset: swap.from, label: t.youPaid, amount, line: true, travelled: true}),
      html`<dl class="lines tall" part="lines">
        ${line(t.why, reasonOf(placed, order, t))}
        ${source.initiated ? line(t.paid, hashes(chain, source.initiated)) : ''}
        ${source.refunded ? line(t.refunded, hashes(chain, source.refunded)) : ''} ${line(t.order, mono(order.id))}
      </dl>`,
      getSide({
        asset: swap.from,
        label: t.youGotBack,
        amount,
        detail: html`<span class="whole">${t.to(mono(swap.payer))}</span>`,
        done: true,
      }),
      'travelled',
    ),
    foot: renderEndFoot(progress, order, source.refunded?.at, placed.deal !== undefined),
  };
}

/** An order that was not paid in time. */
export function renderExpired(progress: Progress): FrameContent {
  const {placed, order, swap, session, read, locale, copyLink, t} = progress;
  const isTransfer = placed.deal?.deposit.how === 'transfer';
  return {
    title: t.expired,
    back: true,
    body: thread(
      paySide({asset: swap.from, label: t.notReceived, amount: swap.amount, line: true}),
      expiredBody(
        t.noPaymentBy(when(placed.payUntil, read(session.$now), locale)),
        isTransfer ? t.doNotSendAnyMore : t.doNotPayAnyMore,
        swap.payer,
        t,
      ),
      getSide({asset: swap.to, label: t.youWouldHave, amount: swap.receive, line: true}),
    ),
    foot: html`${primaryButton(t.startAgain, () => {
        session.reset({keep: placed.deal !== undefined});
      })}
      <p class="foot-note">
        <span>${placed.deal ? t.sameAmounts : ''}</span>
        ${order ? copyLink(t.copyDetails, () => receiptText(progress, order, 'unchecked')) : ''}
      </p>`,
  };
}
