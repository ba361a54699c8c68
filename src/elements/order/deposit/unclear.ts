import {html} from 'lit';
import {isUnclear, openPayment} from '../../../domain/funding.js';
import type {FrameContent} from '../../base/swap-view.js';
import {primaryButton, step, thread} from '../order-parts.js';
import {payFrom, payingWallet, receiveAtLeast, type Deposit} from './deposit.js';

/** A payment that may have gone out: what the chain shows of it, and the question that only the person can answer. */
export function renderUnclear(deposit: Deposit): FrameContent {
  const {deal, funding, session, t} = deposit;
  const chain = deal.agreed.from.chain.title;
  const {title, heading, why, rule, yes, no} = question(deposit);
  return {
    title,
    body: thread(
      payFrom(deposit, t.youPay),
      html`<ol class="steps ahead" part="steps">
        ${step(t, 'now', heading, why)}
        ${step(t, 'todo', funding.seen ? t.unclearSeen[funding.seen]({network: chain}) : t.lookingOn({network: chain}), rule)}
      </ol>`,
      receiveAtLeast(deposit, t.youReceiveAtLeast),
    ),
    foot: html`${primaryButton(yes, () => session.answer(true))}
      <p class="foot-note">
        <button class="link" type="button" @click=${() => session.answer(false)}>${no}</button>
      </p>`,
  };
}

/** Either an answer is missing, the wallet's or the service's, or a payment that went out never came. */
function question(deposit: Deposit) {
  const {funding, t} = deposit;
  const bySignature = openPayment(funding)?.kind === 'initiate';
  const wallet = payingWallet(deposit);
  if (!isUnclear(funding)) {
    const overdue = {title: t.overdueTitle, rule: t.overdueRule, yes: t.keepWaiting, no: t.stopWaiting};
    return bySignature
      ? {...overdue, heading: t.signatureUnused, why: t.signatureUnusedWhy}
      : {...overdue, heading: t.paymentNotSeen, why: t.paymentNotSeenWhy({wallet})};
  }
  const unanswered = {title: t.unclearTitle, rule: t.unclearRule};
  return bySignature
    ? {...unanswered, heading: t.lostHeading, why: t.lostWhy, yes: t.keepWaiting, no: t.payMyself}
    : {...unanswered, heading: t.unclearHeading, why: t.unclearWhy({wallet}), yes: t.iConfirmed, no: t.iDidNot};
}
