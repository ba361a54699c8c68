import {html} from 'lit';
import {depositBy, type Chain} from '../../../domain/asset.js';
import {dueOf} from '../../../domain/deposit.js';
import type {ChainEvent, Order} from '../../../domain/order.js';
import {isArrivalSeen} from '../../../domain/evidence.js';
import type {Messages} from '../../../locales/messages.js';
import type {FrameContent} from '../../base/swap-view.js';
import {dayOf, duration, when} from '../../base/time.js';
import {amountText, mono, pieces} from '../../base/words.js';
import {renderLiveSignatures} from '../live-signatures.js';
import {expiredBody, getSide, hashes, line, note, paySide, primaryButton, thread} from '../order-parts.js';
import {payouts} from '../partner-fees.js';
import {chainOf, reasonOf, renderEndFoot, told, type Progress} from './progress.js';
import {receiptText} from './receipt.js';

/** A swap that is complete: what arrived where, and the transactions. */
export function renderComplete(progress: Progress, order: Order): FrameContent {
  const {placed, swap, session, read, locale, t} = progress;
  const {source, destination} = order;
  const received = destination.redeemed;
  const chain = chainOf(progress);
  const {payout} = chain;
  const amount = payout?.amount || destination.amount;
  const {surplus} = dueOf(source);
  return {
    title: placed.deal ? t.received : t.strangerTitle,
    back: !placed.deal,
    body: thread(
      paySide({locale, asset: swap.from, label: t.youPaid, amount: swap.amount, line: true, travelled: true}),
      html`${renderLess(progress, amount)}
        <dl class="lines tall" part="lines">
          ${received?.at === undefined ? '' : line(t.took, duration(received.at - order.createdAt, t))}
          ${renderEvent(t.paid, swap.from?.chain, source.initiated, t)}
          ${
            received
              ? line(
                  t.received,
                  html`${told(received, t)}${hashes(swap.to?.chain, received)}${renderNotInBlock(progress, order)}`,
                )
              : ''
          }
          ${
            surplus && swap.from
              ? line(
                  t.paidTooMuch,
                  pieces(t.comesBack, {
                    amount: amountText(surplus, swap.from, locale),
                    symbol: swap.from.symbol,
                    address: mono(swap.payer),
                  }),
                )
              : ''
          }
          ${renderEvent(t.alsoRefunded, swap.from?.chain, source.refunded, t)}
          ${payouts(order, read(session.$config)?.catalogue, t, locale)} ${line(t.order, mono(order.id))}
        </dl>`,
      getSide({
        locale,
        asset: swap.to,
        label: t.youReceived,
        amount,
        detail: html`<span class="whole">${pieces(t.to, {address: mono(swap.recipient)})}</span>
          ${isArrivalSeen(order, chain) ? '' : html`<span class="whole">${t.serviceSaysSo}</span>`}`,
        done: true,
      }),
      'travelled',
    ),
    foot: html`<slot name="success"></slot>${renderEndFoot(progress, order, received?.at)}`,
  };
}

/** What happened on a chain, with who says so; nothing where it did not happen. */
function renderEvent(name: string, chain: Chain | undefined, event: ChainEvent | undefined, t: Messages) {
  return event ? line(name, html`${told(event, t)}${hashes(chain, event)}`) : '';
}

/** A note where less arrived than was agreed. */
function renderLess({placed, locale, t}: Progress, amount: bigint) {
  const {to, atLeast} = placed.deal?.agreed ?? {};
  if (!to || atLeast === undefined || amount >= atLeast) return '';
  const text = (value: bigint) => amountText(value, to, locale);
  return note(
    t.lessThanAgreed,
    t.lessThanAgreedWhy({amount: text(amount), least: text(atLeast), symbol: to.symbol}),
    'warn',
  );
}

/** A payment to an address counts as soon as it is seen, so this says whether it is in a block. */
function renderNotInBlock({swap: {to}, t}: Progress, {destination: {redeemed}}: Order) {
  const isWaiting = to && depositBy(to.chain) === 'transfer' && redeemed?.block === undefined;
  return isWaiting ? html` <span class="quiet">${t.inNoBlockYet}</span>` : '';
}

/** A swap whose payer has the money back. */
export function renderRefunded(progress: Progress, order: Order): FrameContent {
  const {placed, swap, locale, t} = progress;
  const {source} = order;
  const amount = source.filled || swap.amount;
  const chain = swap.from?.chain;
  return {
    title: placed.deal ? t.refunded : t.strangerTitle,
    back: !placed.deal,
    body: thread(
      paySide({locale, asset: swap.from, label: t.youPaid, amount, line: true, travelled: true}),
      html`<dl class="lines tall" part="lines">
        ${line(t.why, reasonOf(placed, order, t))} ${renderEvent(t.paid, chain, source.initiated, t)}
        ${renderEvent(t.refunded, chain, source.refunded, t)} ${line(t.order, mono(order.id))}
      </dl>`,
      getSide({
        locale,
        asset: swap.from,
        label: t.youGotBack,
        amount,
        detail: html`<span class="whole">${pieces(t.to, {address: mono(swap.payer)})}</span> ${
            source.refunded?.onChain ? '' : html`<span class="whole">${t.serviceSaysSo}</span>`
          }`,
        done: true,
      }),
      'travelled',
    ),
    foot: renderEndFoot(progress, order, source.refunded?.at, placed.deal !== undefined),
  };
}

/** An order that was not paid in time. */
export function renderExpired(progress: Progress): FrameContent {
  const {placed, order, swap, session, read, timed, locale, copyLink, t} = progress;
  // Only a chain that was read knows that there is no payment.
  const state = read(session.$chain).deposit?.state;
  const isRead = state === 'none' || state === 'expired' || state === 'reverted';
  const until = when(placed.payUntil, timed(dayOf), locale);
  const isTransfer = placed.deal?.deposit.how === 'transfer';
  return {
    title: t.expired,
    back: true,
    body: thread(
      paySide({locale, asset: swap.from, label: t.notReceived, amount: swap.amount, line: true}),
      expiredBody(
        isRead ? t.noPaymentBy({time: until}) : t.noPaymentKnown({time: until}),
        `${isTransfer ? t.doNotSendAnyMore : t.doNotPayAnyMore}${isRead || !placed.deal ? '' : ` ${t.lookFirst}`}`,
        swap.payer,
        t,
        renderLiveSignatures(progress, placed.id),
      ),
      getSide({locale, asset: swap.to, label: t.youWouldHave, amount: swap.receive, line: true}),
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
