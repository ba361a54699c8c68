import {css, html} from 'lit';
import type {Order} from '../../../domain/order.js';
import {writeReceipt} from '../../../domain/receipt-file.js';
import {receiptLines, type ReceiptLine, type SecretProof, type Witness} from '../../../domain/receipt.js';
import type {FrameContent} from '../../base/swap-view.js';
import {money} from '../../../locales/figures.js';
import {dateTime, duration} from '../../base/time.js';
import {amountText, foreignMono, mono, percent, rateText} from '../../base/words.js';
import {icon} from '../../icons/icons.js';
import {hashes, line} from '../order-parts.js';
import type {Progress} from './progress.js';

/** How a receipt looks. */
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
  .receipt > div {
    padding-block: calc(var(--_u) * 1.25);
  }
  .receipt bdi {
    white-space: normal;
  }
`;

/** Who says so, the most certain first. */
const WITNESSES = ['chain', 'browser', 'service'] as const satisfies readonly Witness[];

/** The receipt of a swap at its end: what happened to the money, line by line with who says so. */
export function renderReceipt(progress: Progress, order: Order, proof: SecretProof, close: () => void): FrameContent {
  const {copyLink, save, t} = progress;
  const lines = linesOf(progress, order, proof);
  const text = () => receiptText(progress, order, proof);
  return {
    title: t.receipt,
    body: WITNESSES.map(witness => {
      const told = lines.filter(line => line.witness === witness);
      return told.length ? renderWitness(witness, told, progress) : '';
    }),
    foot: html`<button class="secondary" part="secondary" type="button" @click=${close}>${t.backToSwap}</button>
      <p class="foot-note">
        ${copyLink(t.copyReceipt, text)}
        <button
          class="link"
          type="button"
          @click=${() => save(`swap-${order.id.slice(0, 16)}.json`, receiptFile(progress, order))}
        >
          ${t.saveReceipt}
        </button>
        <button
          class="link"
          type="button"
          @click=${(event: Event) => print(event, t.receiptTitle, printedLines(progress, lines))}
        >
          ${t.printReceipt}
        </button>
      </p>`,
  };
}

/** A receipt as text for people: who says so comes first, so that nothing the service writes can say it. */
export function receiptText(progress: Progress, order: Order, proof: SecretProof): string {
  const {t} = progress;
  const lines = linesOf(progress, order, proof).map(told => {
    const value = 'hashes' in told ? told.hashes.join(', ') : valueOf(told, progress);
    return `[${t.witnesses[told.witness]}] ${t.receiptFacts[told.fact]}: ${value}`;
  });
  return [t.receiptTitle, '', ...lines, ''].join('\n');
}

/** A receipt as a file that others can hold against the chains. */
function receiptFile({placed: {deal, placedAt}, story, swap: {from, to}}: Progress, order: Order): string {
  return writeReceipt({order, own: deal && {...deal, placedAt}, money: story, from, to});
}

function linesOf(progress: Progress, order: Order, proof: SecretProof) {
  const {placed, story, swap} = progress;
  const own = placed.deal && {placedAt: placed.placedAt, agreed: placed.deal.agreed};
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
  if ('hashes' in told) return hashes(told.chain, told);
  if ('text' in told) return told.witness === 'browser' ? mono(told.text) : foreignMono(told.text);
  return html`<bdi>${valueOf(told, progress)}</bdi>`;
}

function valueOf(told: Exclude<ReceiptLine, {hashes: unknown}>, {locale, look, t}: Progress): string {
  if ('text' in told) return told.text;
  if ('at' in told) return dateTime(told.at, locale);
  if ('proof' in told) return t.proofs[told.proof];
  if ('milliseconds' in told) return duration(told.milliseconds, t);
  if ('bps' in told) return percent(told.bps, locale);
  if ('cents' in told) return money(told.cents, look);
  if ('rate' in told) {
    return rateText(told.rate, told.from, told.to, locale, t);
  }
  const {amount, asset} = told;
  // Without its decimals an amount is a number of the smallest units.
  return asset ? `${amountText(amount, asset, locale)} ${asset.symbol}, ${asset.chain.title}` : String(amount);
}

/** The lines of a receipt as text, each part of it apart: who says so, of what, and what they say. */
function printedLines(
  progress: Progress,
  lines: readonly ReceiptLine[],
): readonly (readonly [string, string, string])[] {
  const {t} = progress;
  return lines.map(told => [
    t.witnesses[told.witness],
    t.receiptFacts[told.fact],
    'hashes' in told ? told.hashes.join(', ') : valueOf(told, progress),
  ]);
}

/** How a receipt looks on paper, whatever the page looks like. */
const PAPER = `
  :root { color-scheme: light; background: #fff; color: #000; font: 11pt/1.4 system-ui, sans-serif }
  body { margin: 0 }
  h1 { font-size: 16pt; margin: 0 0 12pt }
  table { inline-size: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
  tr { break-inside: avoid }
  td, th { padding: 4pt 12pt 4pt 0; border-block-end: 0.5pt solid #ccc; text-align: start; vertical-align: top; font-weight: 400 }
  td { overflow-wrap: anywhere }
  th { white-space: nowrap; color: #555 }
`;

/** Prints a receipt by itself: as a document of its own, made of nodes alone, that is gone afterwards. */
function print({currentTarget}: Event, title: string, lines: ReturnType<typeof printedLines>): void {
  const frame = document.createElement('iframe');
  frame.className = 'hidden';
  frame.title = title;
  frame.ariaHidden = 'true';
  frame.tabIndex = -1;
  const {parentElement} = currentTarget as HTMLElement;
  parentElement?.querySelector('iframe')?.remove();
  parentElement?.append(frame);
  const paper = frame.contentWindow;
  if (!paper) return;
  const {document: page} = paper;
  page.title = title;
  page.documentElement.dir = getComputedStyle(frame).direction;
  const heading = page.createElement('h1');
  heading.textContent = title;
  const table = page.createElement('table');
  for (const [witness, fact, value] of lines) {
    const row = table.insertRow();
    const name = page.createElement('th');
    name.scope = 'row';
    name.textContent = fact;
    row.append(name);
    row.insertCell().textContent = value;
    row.insertCell().textContent = witness;
  }
  page.body.append(heading, table);
  // A sheet of its own, not text in the page: a strict policy has nothing against it.
  const {CSSStyleSheet: Sheet} = paper as unknown as typeof globalThis;
  const sheet = new Sheet();
  sheet.replaceSync(PAPER);
  page.adoptedStyleSheets = [sheet];
  paper.addEventListener('afterprint', () => {
    frame.remove();
  });
  paper.print();
}
