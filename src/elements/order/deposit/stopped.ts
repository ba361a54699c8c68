import {html} from 'lit';
import {causeOf, type CheckReport, type CheckResult, type CheckSide} from '../../../domain/deposit.js';
import {foreignText} from '../../../domain/foreign.js';
import {writeJson} from '../../../domain/json.js';
import type {Messages} from '../../../locales/messages.js';
import {truncate} from '../../base/format.js';
import {groups} from '../../base/words.js';
import type {FrameContent} from '../../base/swap-view.js';
import {sign} from '../../icons/icons.js';
import {signs} from '../../icons/signs.js';
import {
  checks,
  checkText,
  hasLiveSignatureFor,
  renderLiveSignatures,
  renderRefundRight,
  restartButton,
  thread,
} from '../order-parts.js';
import {mayBePaid, payFrom, receiveAtLeast, type Deposit} from './deposit.js';

/** A swap that a check stopped: the check, and the agreed and the actual value. */
export function renderStopped(deposit: Deposit): FrameContent {
  const {placed, deal, funding, locale, t, copyLink} = deposit;
  const byAddress = deal.deposit.how === 'transfer';
  const report = placed.report && (JSON.parse(withoutAddresses(writeJson(placed.report), deposit)) as CheckReport);
  const failed = report && causeOf(report);
  const title = failed ? titleOf(failed, t) : t.errors[funding.error?.code ?? 'deposit-mismatch'].what;
  const wasAsked = funding.walletRequests.some(({state}) => state === 'sent');
  const isLive = hasLiveSignatureFor(placed.id, deposit);
  const reassurance = isLive ? t.notAskedMore : wasAsked ? t.notAskedAgain : byAddress ? t.notShown : t.notAsked;
  return {
    title: t.stopped,
    body: thread(
      payFrom(deposit, t.youAgreedToPay, {travelled: true}),
      html`<ol class="steps" part="steps">
          <li class="step" data-state="bad">
            <span class="node" aria-hidden="true">${sign(signs.close)}</span>
            <div>
              <strong>${title}</strong>
              <p>${reassurance}</p>
            </div>
            ${failed ? renderComparison(failed, locale, t) : ''}
          </li>
        </ol>
        ${renderLiveSignatures(deposit, placed.id, {isStep: true})} ${checks(report, locale, t)}`,
      receiveAtLeast(deposit, t.youWouldHave),
      'stopped',
    ),
    foot: html`${restartButton(deposit, placed.id, {keep: true})} ${renderRefundRight(deposit, placed)}
      <p class="foot-note">
        <span
          >${mayBePaid(deposit) ? '' : byAddress ? t.noPaymentSeen : wasAsked ? t.nothingWasPaid : t.nothingWasSigned}</span
        >
        ${copyLink(t.copyReport, () =>
          withoutAddresses(writeJson({orderId: placed.id, report, deal}, {space: 2}), deposit),
        )}
      </p>`,
  };
}

/** What stopped it: two sides that differ, or else what the check is about. */
function titleOf({name, sides}: CheckResult, t: Messages): string {
  const [one, other] = sides ?? [];
  if (one === 'payment' && other === 'order') return t.paymentDiffers;
  return t.checkFailed[one === 'payment' && other === 'signature' ? 'same' : name];
}

/** Both values, named by where they are from, in one notation and isolated from the language's direction. */
function renderComparison({expected, found, sides = ['known', 'payment']}: CheckResult, locale: string, t: Messages) {
  const renderSide = (side: CheckSide, text: string | undefined, other: string | undefined) =>
    text === undefined
      ? ''
      : html`<div>
          <dt>${t.sides[side]}</dt>
          <dd>${isWhole(text) ? groups(text, other) : html`<bdi>${checkText(foreignText(text), locale)}</bdi>`}</dd>
        </div>`;
  if (expected === undefined && found === undefined) return '';
  return html`<dl class="compare">
    ${renderSide(sides[0], expected, found)}${renderSide(sides[1], found, expected)}
  </dl>`;
}

/** Whether a text is an address or a hash, whose every digit counts. */
function isWhole(text: string): boolean {
  return /^\w{20,}$/.test(text);
}

/** A text in which an address that must not be paid to cannot be recognized, wherever it stands. */
function withoutAddresses(text: string, {deal, placed}: Deposit): string {
  const {results = []} = placed.report ?? {};
  const derived = results.flatMap(({name, expected, found}) => (name === 'script' ? [expected, found] : []));
  const paid = deal.deposit.how === 'transfer' ? [deal.deposit.address, deal.order?.source.swapId, ...derived] : [];
  return paid.reduce<string>(
    (left, address) => (address ? left.replaceAll(address, truncate(address, 10, 8)) : left),
    text,
  );
}
