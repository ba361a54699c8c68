import {css, html} from 'lit';
import type {Order} from '../../../domain/order.js';
import {receiptLines, type ReceiptLine, type SecretProof, type Witness} from '../../../domain/receipt.js';
import type {FrameContent} from '../../base/swap-view.js';
import {money, percent} from '../../../locales/figures.js';
import {dateTime, duration} from '../../base/time.js';
import {amountText, foreignMono, lossText, mono, rateText} from '../../base/words.js';
import {icon} from '../../icons/icons.js';
import {hashes, line, linkButton, renderPayouts} from '../order-parts.js';
import {isUnverified} from '../permissions.js';
import {print} from '../keep.js';
import type {Progress} from './progress.js';

export const receiptStyles = css`
  .witness {
    display: flex;
    gap: calc(var(--_u) * 2);
    align-items: center;
    padding-block: calc(var(--_u) * 4) var(--_u);
    font-size: var(--_t-s);
    font-weight: 600;
  }
  .witness:first-child {
    padding-block-start: var(--_u);
  }
  .receipt {
    margin-inline-start: 0;
  }
  .receipt bdi {
    white-space: normal;
  }
`;

/** The witnesses, the most reliable first. */
const WITNESSES = ['chain', 'browser', 'service'] as const satisfies readonly Witness[];

/** The receipt of an ended swap: what happened to the money, line by line with its witness. */
export function renderReceipt(progress: Progress, order: Order, proof: SecretProof): FrameContent {
  const {copyLink, t} = progress;
  const lines = linesOf(progress, order, proof);
  const text = () => receiptText(progress, order, proof);
  return {
    title: t.receipt,
    body: html`${WITNESSES.map(witness => {
      const told = lines.filter(line => line.witness === witness);
      return told.length ? renderWitness(witness, told, progress) : '';
    })}${renderPayouts(progress, order, 'lines tall receipt')}`,
    back: true,
    foot: html`<p class="foot-note">
      ${copyLink(t.copyReceipt, text)}
      ${linkButton(t.printReceipt, event => print(event, t.receiptTitle, page => [printedTable(page, progress, lines)]))}
    </p>`,
  };
}

/** A receipt as text for people: the witness comes first, so that the service's text cannot imitate it. */
export function receiptText(progress: Progress, order: Order, proof: SecretProof): string {
  const {t} = progress;
  const lines = linesOf(progress, order, proof).map(
    told => `[${t.witnesses[told.witness]}] ${t.receiptFacts[told.fact]}: ${valueOf(told, progress)}`,
  );
  return [t.receiptTitle, '', ...lines, ''].join('\n');
}

function linesOf(progress: Progress, order: Order, proof: SecretProof) {
  const {placed, story, swap} = progress;
  const own = placed.deal && {
    placedAt: placed.placedAt,
    agreed: placed.deal.agreed,
    unverified: isUnverified(progress, placed.id),
  };
  return receiptLines({order, own, money: story, from: swap.from, to: swap.to, proof});
}

function renderWitness(witness: Witness, lines: readonly ReceiptLine[], progress: Progress) {
  const {t} = progress;
  return html`<h3 class="witness">
      ${witness === 'chain' ? html`<span class="ok">${icon('check', 's')}</span>` : ''}${t.witnesses[witness]}
    </h3>
    <dl class="lines tall receipt" part="lines">
      ${lines.map(told => line(t.receiptFacts[told.fact], renderValue(told, progress)))}
    </dl>`;
}

function renderValue(told: ReceiptLine, progress: Progress): unknown {
  const {copyable, placed, t} = progress;
  const name = t.receiptFacts[told.fact];
  if ('hashes' in told) return hashes(told.chain, told, hash => copyable(name, hash));
  if (told.fact === 'order') return copyable(name, placed.id);
  if ('text' in told) return told.witness === 'browser' ? mono(told.text) : foreignMono(told.text);
  return html`<bdi>${valueOf(told, progress)}</bdi>`;
}

function valueOf(told: ReceiptLine, {locale, look, t}: Progress): string {
  if ('hashes' in told) return told.hashes.join(', ');
  if ('text' in told) return told.text;
  if ('at' in told) return dateTime(told.at, locale);
  if ('proof' in told) return t.proofs[told.proof];
  if ('isVerified' in told) return t.notFullyVerified;
  if ('milliseconds' in told) return duration(told.milliseconds, t);
  if ('bps' in told) return percent(told.bps, locale);
  if ('cents' in told) return (told.fact === 'cost' ? lossText : money)(told.cents, look);
  if ('rate' in told) {
    return rateText(told.rate, told.from, told.to, locale, t);
  }
  const {amount, asset} = told;
  // Without known decimals the amount is in the smallest unit.
  return asset ? `${amountText(amount, asset, locale)} ${asset.symbol}, ${asset.chain.title}` : String(amount);
}

function printedTable(page: Document, progress: Progress, lines: readonly ReceiptLine[]): Node {
  const {t} = progress;
  const table = page.createElement('table');
  for (const told of lines) {
    const row = table.insertRow();
    const name = page.createElement('th');
    name.scope = 'row';
    name.textContent = t.receiptFacts[told.fact];
    row.append(name);
    // Amounts and hashes keep their own direction.
    const value = page.createElement('bdi');
    value.textContent = valueOf(told, progress);
    row.insertCell().append(value);
    row.insertCell().textContent = t.witnesses[told.witness];
  }
  return table;
}
