/* The copies of an order that a visitor can keep: on paper, or as a file. */
import {html, type TemplateResult} from 'lit';
import {PAGES} from '../../domain/release-key.js';

/**
 * The page that opens a rescue file: where its makers publish it, or else its path in the package. The file itself names
 * none: whoever forges one would name their own.
 */
export function openerOf(pages = PAGES): string {
  return `${pages || 'swap-widget/dist/'}rescue.html`;
}

export function openerLink(pages = PAGES): TemplateResult {
  const address = openerOf(pages);
  const text = html`<bdi class="mono">${address.replace('https://', '')}</bdi>`;
  return pages ? html`<a href=${address} target="_blank" rel="noreferrer noopener">${text}</a>` : text;
}

const PAPER = `
  :root { color-scheme: light; background: #fff; color: #000; font: 11pt/1.4 system-ui, sans-serif }
  body { margin: 0 }
  h1 { font-size: 16pt; margin: 0 0 12pt }
  p { margin: 0 0 12pt; overflow-wrap: anywhere }
  code { font: 10pt/1.5 ui-monospace, monospace }
  svg { display: block; inline-size: 90mm; margin-block-end: 12pt; break-inside: avoid }
  table { inline-size: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
  tr { break-inside: avoid }
  td, th { padding: 4pt 12pt 4pt 0; border-block-end: 0.5pt solid #ccc; text-align: start; vertical-align: top; font-weight: 400 }
  td { overflow-wrap: anywhere }
  th { white-space: nowrap; color: #555 }
`;

/** As a separate document, built from nodes, that is removed afterwards. */
export function print({currentTarget}: Event, title: string, content: (page: Document) => readonly Node[]): void {
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
  page.body.append(heading, ...content(page));
  // A constructed style sheet, not a style element: a strict policy allows it.
  const {CSSStyleSheet: Sheet} = paper as unknown as typeof globalThis;
  const sheet = new Sheet();
  sheet.replaceSync(PAPER);
  page.adoptedStyleSheets = [sheet];
  paper.addEventListener('afterprint', () => frame.remove());
  paper.print();
}

export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], {type}));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[^\w.-]/g, '-');
  link.click();
  // The browser has read the file by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
