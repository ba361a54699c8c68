import {html} from 'lit';
import type {CheckName, CheckReport, CheckResult} from '../../../domain/deposit.js';
import {foreignText} from '../../../domain/foreign.js';
import {writeJson} from '../../../domain/json.js';
import type {Messages} from '../../../locales/messages.js';
import {truncate} from '../../base/format.js';
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
  const report = byAddress ? withoutAddress(placed.report) : placed.report;
  const failed = report?.results.find(({outcome}) => outcome === 'failed');
  const title = failed ? t.checkFailed[failed.name] : t.errors[funding.error?.code ?? 'deposit-mismatch'].what;
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
        ${copyLink(t.copyReport, () => writeJson({orderId: placed.id, report: placed.report, deal}, {space: 2}))}
      </p>`,
  };
}

/**
 * What the two values of a check are. Only some are the visitor's agreement: the others are derived, named by the
 * partner, or compared within the service's own answer.
 */
function namesOf(name: CheckName, t: Messages): readonly [expected: string, found: string] {
  switch (name) {
    case 'amount':
    case 'chain':
    case 'token':
    case 'value':
      return [t.youAgreedTo, t.serviceAsksFor];
    case 'refund':
      return [t.youAgreedTo, t.serviceGave];
    case 'script':
      return [t.addressOfSwap, t.serviceGave];
    case 'same':
      return [t.inPayment, t.inSignature];
    case 'contract':
    case 'code':
    case 'redeemer':
    case 'call':
    case 'typed-data':
    case 'order':
    case 'secret':
    case 'timelock':
    case 'fresh':
      return [t.expected, t.serviceGave];
  }
}

/** Both texts in one notation, isolated from the language's direction, for comparison. */
function renderComparison({name, expected, found}: CheckResult, locale: string, t: Messages) {
  if (expected === undefined && found === undefined) return '';
  const [ofExpected, ofFound] = namesOf(name, t);
  return html`<dl class="compare">
    ${
      expected === undefined
        ? ''
        : html`<div>
            <dt>${ofExpected}</dt>
            <dd><bdi>${checkText(expected, locale)}</bdi></dd>
          </div>`
    }
    ${
      found === undefined
        ? ''
        : html`<div>
            <dt>${ofFound}</dt>
            <dd class="no">
              <strong><bdi>${checkText(foreignText(found), locale)}</bdi></strong>
            </dd>
          </div>`
    }
  </dl>`;
}

/** A report on an address that must not be paid to: only its ends are kept, to recognize it. */
function withoutAddress(report: CheckReport | undefined): CheckReport | undefined {
  const isOfAddress = ({name}: CheckResult) => name === 'script' || name === 'chain';
  const truncated = ({expected, found, ...result}: CheckResult): CheckResult => ({
    ...result,
    ...(expected === undefined ? {} : {expected: truncate(expected, 10, 8)}),
    ...(found === undefined ? {} : {found: truncate(found, 10, 8)}),
  });
  return (
    report && {...report, results: report.results.map(result => (isOfAddress(result) ? truncated(result) : result))}
  );
}
