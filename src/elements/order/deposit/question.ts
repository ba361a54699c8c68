import {css, html} from 'lit';
import {unverifiedIn, type CheckReport, type CheckResult} from '../../../domain/deposit.js';
import {foreignText} from '../../../domain/foreign.js';
import type {Question} from '../../../session/types.js';
import type {Messages} from '../../../locales/messages.js';
import type {FrameContent} from '../../base/swap-view.js';
import {amountText, foreignMono, groups} from '../../base/words.js';
import {errorNote, primaryButton, secondaryButton} from '../order-parts.js';
import {mayBeGone, openAllowance, renderAllowance} from '../permissions.js';
import {checks, isWhole} from './checks.js';
import {renderTimeLeft, type Deposit} from './deposit.js';

export const questionStyles = css`
  .question {
    display: grid;
    gap: calc(var(--_u) * 3);
  }
  .at-risk {
    padding-inline-start: calc(var(--_u) * 3);
    border-inline-start: 3px solid var(--_bad);
  }
  .at-risk h3 {
    font-size: calc(var(--_r) * 1.0625);
    line-height: calc(var(--_u) * 6);
    font-weight: 600;
    text-wrap: balance;
  }
  .at-risk .stake {
    margin-block-start: calc(var(--_u) * 2);
    font-size: var(--_t-l);
    line-height: calc(var(--_u) * 6);
    font-weight: 600;
    color: var(--_ink);
  }
  .findings {
    border-block-end: 1px solid var(--_line);
    font-size: var(--_t-s);
  }
  .findings li {
    padding-block: calc(var(--_u) * 2);
    border-block-start: 1px solid var(--_line);
  }
  .findings .groups {
    margin-block-start: var(--_u);
  }
  .step .findings {
    margin-block: calc(var(--_u) * 2);
  }
`;

/** What can be lost, and why. The button for the next step leads away from it. Nothing that could be paid is shown. */
export function renderQuestion(deposit: Deposit, {id}: Question): FrameContent {
  const {placed, deal, funding, session, locale, t} = deposit;
  const {amount, from} = deal.agreed;
  const {report} = placed;
  const isAllowed = openAllowance(deposit, placed.id) !== undefined;
  const giveUp = async () => {
    await session.cancel();
    // What was allowed before can be taken back on the canceled order.
    if (!isAllowed) session.reset({keep: true});
  };
  return {
    title: t.beforeYouPay,
    back: true,
    body: html`<div class="question">
      <div class="at-risk">
        <h3>${t.notVerified}</h3>
        <p>${t.canBeLost}</p>
        <p class="stake">
          <bdi>${amountText(amount, from, locale)}</bdi> <span class="unit"><bdi>${from.symbol}</bdi></span>
        </p>
      </div>
      ${report ? renderFindings(report, t) : ''} ${report ? checks(report, locale, t, {others: true}) : ''}
      ${funding.error ? errorNote(funding.error, isAllowed ? 'revoke' : 'deposit') : ''}
      ${renderAllowance(deposit, placed.id, {level: 'loss'})}
    </div>`,
    foot: html`${primaryButton(t.goBack, giveUp)}
      ${secondaryButton(deal.deposit.how === 'transfer' ? t.showAnyway : t.payAnyway, () => session.accept(id))}
      <p class="foot-note">
        <span
          >${mayBeGone(deposit, placed.id) ? '' : funding.walletRequests.length ? t.nothingWasPaid : t.nothingSigned}</span
        >
        ${renderTimeLeft(deposit)}
      </p>`,
  };
}

/** A sentence for each finding, and the contract as a whole. An address that could be paid is nowhere. */
export function renderFindings(report: CheckReport, t: Messages) {
  const results = unverifiedIn(report);
  const contract = results.find(({name}) => name === 'contract')?.found;
  // Anything but an address is foreign text.
  const whole = contract && (isWhole(contract) ? groups(contract) : html`<bdi>${foreignText(contract)}</bdi>`);
  const kinds = kindsOf(results);
  return html`<ul class="findings">
    ${kinds.map(
      kind =>
        html`<li>
          ${typeof kind === 'string' ? t.findings[kind] : `${t.unverified} ${t.checks[kind.name]}`}
          ${whole && kind === 'contract' ? whole : ''} ${contract && kind === 'transfer' ? foreignMono(contract) : ''}
        </li>`,
    )}
  </ul>`;
}

/** Several findings may share a sentence. */
const KIND_OF: Readonly<Partial<Record<CheckResult['name'], keyof Messages['findings']>>> = {
  contract: 'contract',
  token: 'token',
  call: 'form',
  'typed-data': 'form',
  timelock: 'times',
  order: 'recipient',
  refund: 'refund',
  secret: 'tie',
  same: 'tie',
  script: 'spender',
};

function kindsOf(results: readonly CheckResult[]): readonly (keyof Messages['findings'] | CheckResult)[] {
  // A plain transfer has no contract, and no call of one.
  const isTransfer = results.some(({name, found}) => name === 'call' && found === 'transfer');
  const kinds = results.map(result => {
    const kind = KIND_OF[result.name] ?? result;
    return isTransfer && (kind === 'contract' || kind === 'form') ? 'transfer' : kind;
  });
  return [...new Set(kinds)];
}
