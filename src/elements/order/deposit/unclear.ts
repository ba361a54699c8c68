import {html} from 'lit';
import {isUnclear, openPayment} from '../../../domain/funding.js';
import {note} from '../../base/error-note.js';
import type {FrameContent} from '../../base/swap-view.js';
import {linkButton, primaryButton, renderRefundRight, secondaryButton, step, steps, thread} from '../order-parts.js';
import {isUnverified, renderAllowance} from '../permissions.js';
import {renderRescue} from '../rescue-file.js';
import {unclearWords} from '../telling.js';
import {payFrom, payingWallet, receiveAtLeast, type Deposit} from './deposit.js';

/** A payment that may have been sent: what the chain shows of it, and the question that only the visitor can answer. */
export function renderUnclear(deposit: Deposit): FrameContent {
  const {placed, deal, session, chooseWallet, locale, t} = deposit;
  const {title, heading, why, rule, yes, no} = question(deposit);
  return {
    title,
    body: thread(
      locale,
      payFrom(deposit, t.youPay),
      html`${steps(step(t, 'now', heading, why), true)} ${note(renderSeen(deposit), rule)}
      ${renderAllowance(deposit, placed.id)}`,
      receiveAtLeast(deposit, t.youReceiveAtLeast),
    ),
    foot: html`${primaryButton(yes, () => session.answer(true))} ${secondaryButton(no, () => session.answer(false))}
      ${renderRefundRight(deposit, placed)}
      <p class="foot-note">
        ${
          wantsWallet(deposit)
            ? linkButton(t.connectAWallet, () => chooseWallet(deal.agreed.from.chain.family, 'pay'))
            : ''
        }
        ${deal.deposit.how === 'wallet' ? renderRescue(deposit, placed) : ''}
      </p>`,
  };
}

export function renderElsewhere(deposit: Deposit): FrameContent {
  const {locale, t} = deposit;
  return {
    title: t.elsewhereTitle,
    back: true,
    body: thread(
      locale,
      payFrom(deposit, t.youPay),
      steps(step(t, 'now', t.elsewhereHeading, t.elsewhereWhy), true),
      receiveAtLeast(deposit, t.youReceiveAtLeast),
    ),
    foot: primaryButton(t.elsewhereWait),
  };
}

/** What the chain shows of the payment. It is not called unreadable while the wallet that can read it is missing. */
function renderSeen(deposit: Deposit): string {
  const {deal, funding, session, read, t} = deposit;
  const {title: network, family} = deal.agreed.from.chain;
  const isComing = funding.seen === 'unknown' && read(session.$wallets, 'restoring')[family] !== undefined;
  if (funding.seen === undefined || isComing) return t.lookingOn({network});
  if (wantsWallet(deposit)) return t.connectToLook({network});
  const seen = funding.seen === 'canceled' ? 'expired' : funding.seen;
  return t.unclearSeen[mayBeLost(deposit) ? 'unverified' : seen]({network});
}

/** Whether nothing shows what became of an unverified payment: it is not made again. */
function mayBeLost(deposit: Deposit): boolean {
  return deposit.funding.seen === 'unknown' && isUnverified(deposit, deposit.placed.id);
}

/** Whether a wallet could read the chain, but none is connected. Only EVM wallets can. */
function wantsWallet({deal, funding, session, read}: Deposit): boolean {
  const {family} = deal.agreed.from.chain;
  return (
    funding.seen === 'unknown' &&
    family === 'evm' &&
    !read(session.$wallets, 'accounts')[family] &&
    read(session.$wallets, 'restoring')[family] === undefined
  );
}

function question(deposit: Deposit) {
  const {placed, funding, t} = deposit;
  const words = unclearWords(placed, payingWallet(deposit), t);
  if (!isUnclear(funding))
    return {...words, title: t.overdueTitle, rule: t.overdueRule, yes: t.keepWaiting, no: t.stopWaiting};
  const isLost = mayBeLost(deposit);
  const asked = {...words, title: t.unclearTitle, rule: isLost ? t.unclearRuleUnverified : t.unclearRule};
  return openPayment(funding)?.kind === 'initiate'
    ? {...asked, yes: t.keepWaiting, no: isLost ? t.stopWaiting : t.payMyself}
    : {...asked, yes: t.iConfirmed, no: t.iDidNot};
}
