/* What a person takes along of an order: on paper, or as a file. */

/** How it looks on paper, whatever the page looks like. */
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

/**
 * Prints something by itself, at the press of a button: as a document of its own, made of nodes alone, that is gone
 * afterwards.
 */
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

/** Hands a text to the person as a file. */
export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], {type}));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[^\w.-]/g, '-');
  link.click();
  // The browser has taken the file by the next turn.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  });
}
