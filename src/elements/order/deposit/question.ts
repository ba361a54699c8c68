import {html} from 'lit';
import {unverifiedIn, type CheckReport, type CheckResult} from '../../../domain/deposit.js';
import {foreignText} from '../../../domain/foreign.js';
import type {Question} from '../../../session/types.js';
import type {Messages} from '../../../locales/messages.js';
import type {FrameContent} from '../../base/swap-view.js';
import {amountText, foreignMono, groups} from '../../base/words.js';
import {checks, errorNote, isWhole, primaryButton, secondaryButton} from '../order-parts.js';
import {mayBeGone, openAllowance, renderAllowance} from '../permissions.js';
import {renderTimeLeft, type Deposit} from './deposit.js';

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
  const kinds = kindsOf(results);
  return html`<ul class="findings">
    ${kinds.map(
      kind =>
        html`<li>
          ${typeof kind === 'string' ? t.findings[kind] : `${t.unverified} ${t.checks[kind.name]}`}
          ${contract && kind === 'contract' ? renderContract(contract) : ''}
          ${contract && kind === 'transfer' ? foreignMono(contract) : ''}
        </li>`,
    )}
  </ul>`;
}

/** Whole, if it is an address; anything else is foreign text. */
function renderContract(text: string) {
  return isWhole(text) ? groups(text) : html`<bdi>${foreignText(text)}</bdi>`;
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
