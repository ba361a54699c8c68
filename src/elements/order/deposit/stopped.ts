import {html} from 'lit';
import {causeOf, type CheckReport, type CheckResult, type CheckSide} from '../../../domain/deposit.js';
import {foreignText} from '../../../domain/foreign.js';
import {writeJson} from '../../../domain/json.js';
import type {Messages} from '../../../locales/messages.js';
import {truncate} from '../../../domain/truncate.js';
import {groups} from '../../base/words.js';
import type {FrameContent} from '../../base/swap-view.js';
import {sign} from '../../icons/icons.js';
import {signs} from '../../icons/signs.js';
import {renderRefundRight, thread} from '../order-parts.js';
import {
  hasLiveSignatureFor,
  mayBeGone,
  renderAllowance,
  renderLiveSignatures,
  renderOtherAllowance,
  restartButton,
} from '../permissions.js';
import {checks, checkText, isWhole} from './checks.js';
import {mayBePaid, payFrom, receiveAtLeast, type Deposit} from './deposit.js';
import {isWithoutNode} from './hints.js';
import {renderFindings} from './question.js';

/** A swap that a check stopped: the check, and the agreed and the actual value. */
export function renderStopped(deposit: Deposit): FrameContent {
  const {placed, deal, funding, locale, t, copyLink} = deposit;
  const byAddress = deal.deposit.how === 'transfer';
  const report = placed.report && unpayable(placed.report, deposit);
  const cause = report && causeOf(report);
  const title = cause ? titleOf(cause, t) : t.errors[funding.error?.code ?? 'deposit-mismatch'].what;
  const wasAsked = funding.walletRequests.some(({state}) => state === 'sent');
  // What was signed or allowed may still move money.
  const isLive = hasLiveSignatureFor(placed.id, deposit) || mayBeGone(deposit, placed.id);
  const reassurance = isLive ? t.notAskedMore : wasAsked ? t.notAskedAgain : byAddress ? t.notShown : t.notAsked;
  return {
    title: t.stopped,
    body: thread(
      locale,
      payFrom(deposit, t.youAgreedToPay, {travelled: true}),
      html`<ol class="steps" part="steps">
          <li class="step" data-state="bad">
            <span class="node" aria-hidden="true">${sign(signs.close)}</span>
            <div>
              <strong>${title}</strong>
              <p>${reassurance}</p>
              ${report && cause?.outcome === 'unverified' ? renderFindings(report, t) : ''}
              ${cause && isForSite(cause) ? html`<p>${t.errors.config.todo}</p>` : ''}
            </div>
            ${cause?.outcome === 'failed' ? renderComparison(cause, locale, t) : ''}
          </li>
        </ol>
        ${renderLiveSignatures(deposit, placed.id, {isStep: true})}
        ${renderAllowance(deposit, placed.id, {isStep: true})}
        ${report ? renderOtherAllowance(deposit, placed.id, report) : ''}
        ${checks(report, locale, t, {others: cause?.outcome === 'unverified'})}`,
      receiveAtLeast(deposit, t.youWouldHave),
      'stopped',
    ),
    foot: html`${restartButton(deposit, placed.id, {keep: true})} ${renderRefundRight(deposit, placed)}
      <p class="foot-note">
        <span
          >${mayBePaid(deposit) || isLive ? '' : byAddress ? t.noPaymentSeen : wasAsked ? t.nothingWasPaid : t.nothingWasSigned}</span
        >
        ${copyLink(t.copyReport, () =>
          withoutAddresses(writeJson({orderId: placed.id, report, deal}, {space: 2}), deposit),
        )}
      </p>`,
  };
}

/** What only the site can change: that it lets nobody be asked, or names no node. */
function isForSite(cause: CheckResult): boolean {
  return cause.outcome === 'unverified' || isWithoutNode(cause);
}

function titleOf(cause: CheckResult, t: Messages): string {
  const {name, outcome, sides} = cause;
  const [one, other] = sides ?? [];
  if (outcome === 'unverified') return t.unverifiedStops;
  if (isWithoutNode(cause)) return t.fieldErrors['unreadable check'].what;
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

function unpayable({results, outcome}: CheckReport, deposit: Deposit): CheckReport {
  const cut = (text: string | undefined) => text && withoutAddresses(text, deposit);
  return {
    outcome,
    results: results.map(({expected, found, ...result}) => ({
      ...result,
      ...(expected !== undefined && {expected: cut(expected)}),
      ...(found !== undefined && {found: cut(found)}),
    })),
  } as CheckReport;
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
