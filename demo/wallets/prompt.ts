/**
 * The window in which a development wallet prompts the person. A wallet passes a prompt in plain words and gets back
 * whether it was approved. Prompts are answered by an approver: this window, or a function in a test.
 */
import {formatAmount} from '../../src/domain/amount.js';

/** What a wallet asks before it acts. */
export interface Prompt {
  readonly wallet: string;
  readonly origin: string;
  readonly kind: 'connect' | 'unlock' | 'switch' | 'add' | 'send' | 'sign' | 'message';
  /** What an approval would do. */
  readonly title: string;
  /** What that means. */
  readonly text: string;
  /** The whole request, field by field. */
  readonly facts: readonly Fact[];
}

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** Whether it is an address or a hash, to be compared character by character. */
  readonly exact?: boolean;
}

export type Description = Pick<Prompt, 'title' | 'text' | 'facts'>;

/** Approves (true) or rejects a wallet's prompt. */
export type Approver = (prompt: Prompt) => Promise<boolean>;

interface QueuedPrompt {
  readonly prompt: Prompt;
  resolve(approved: boolean): void;
}

/** Every value of typed data with its path, nested ones included. */
export function factsOf(value: unknown, label = ''): Fact[] {
  if (typeof value !== 'object' || value === null) {
    const text = String(value);
    return [{label, value: text, exact: /^(?:0x|\d{21,}$)/.test(text)}];
  }
  return Object.entries(value).flatMap(([key, item]) => factsOf(item, label ? `${label}.${key}` : key));
}

export interface Token {
  readonly symbol: string;
  format(amount: bigint): string;
}

export function createToken(symbol: string, decimals: number): Token {
  return {symbol, format: amount => `${formatAmount(amount, decimals)} ${symbol}`};
}

/** A token without symbol and decimals: its amounts are shown in the smallest unit. */
export const UNKNOWN_TOKEN: Token = {symbol: 'a token', format: amount => `${String(amount)} units of a token`};

// One window for all wallets of the page: further prompts wait in a queue.
const queue: QueuedPrompt[] = [];
let counter: HTMLElement | undefined;

/** Prompts the person, one prompt at a time. Escape rejects. */
export const showPrompt: Approver = prompt =>
  new Promise(resolve => {
    queue.push({prompt, resolve});
    if (queue.length === 1) showNext();
    else showCount();
  });

function showNext() {
  const first = queue[0];
  if (!first) return;
  const host = document.createElement('div');
  host.dataset['developmentWallet'] = first.prompt.wallet;
  const root = host.attachShadow({mode: 'open'});
  root.adoptedStyleSheets = [styles()];
  const dialog = buildDialog(first.prompt);
  root.append(dialog);

  // Both buttons close the dialog, and so does Escape.
  dialog.addEventListener('close', () => {
    host.remove();
    queue.shift();
    first.resolve(dialog.returnValue === 'approve');
    showNext();
  });
  document.body.append(host);
  dialog.showModal();
  showCount();
}

function showCount() {
  const more = queue.length - 1;
  if (counter)
    counter.textContent =
      more === 0
        ? 'Test network: the coins have no value'
        : `${String(more)} more ${more === 1 ? 'request' : 'requests'} waiting`;
}

function buildDialog({wallet, origin: origin, title, text, facts}: Prompt): HTMLDialogElement {
  const approve = make('button', {className: 'approve', textContent: 'Approve', type: 'button', autofocus: true});
  const reject = make('button', {className: 'reject', textContent: 'Reject', type: 'button'});
  counter = make('p', {className: 'note'});
  const dialog = make('dialog', {}, [
    make('header', {}, [
      make('span', {className: 'mark', textContent: wallet.slice(0, 1), ariaHidden: 'true'}),
      make('div', {}, [
        make('p', {className: 'name', textContent: wallet}),
        make('p', {className: 'quiet', textContent: `Request from ${origin}`}),
      ]),
    ]),
    make('div', {className: 'body'}, [
      make('h2', {id: 'title', textContent: title}),
      make('p', {id: 'text', textContent: text}),
      make(
        'dl',
        {},
        facts.map(({label, value, exact = false}) =>
          make('div', {}, [
            make('dt', {textContent: label}),
            make('dd', {className: exact ? 'exact' : '', textContent: value}),
          ]),
        ),
      ),
    ]),
    make('footer', {}, [make('div', {className: 'buttons'}, [reject, approve]), counter]),
  ]);
  dialog.setAttribute('aria-labelledby', 'title');
  dialog.setAttribute('aria-describedby', 'text');

  approve.addEventListener('click', () => {
    dialog.close('approve');
  });
  reject.addEventListener('click', () => {
    dialog.close('reject');
  });
  // An Enter key still held down from pressing a button in the page must not approve.
  dialog.addEventListener('keydown', event => {
    if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
  });
  return dialog;
}

/** Creates an element without parsing HTML, as Trusted Types require. */
function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  children: readonly Node[] = [],
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

let sheet: CSSStyleSheet | undefined;

function styles(): CSSStyleSheet {
  if (sheet) return sheet;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}

// A strip of another color and a place in the corner set it apart from the widget.
const CSS = `
  :host {
    --surface: light-dark(#fff, #17181c);
    --ink: light-dark(#12141c, #eff1f7);
    --quiet: color-mix(in oklab, var(--ink) 66%, var(--surface));
    --line: color-mix(in oklab, var(--ink) 12%, var(--surface));
    --press: color-mix(in oklab, var(--ink) 8%, var(--surface));
    --mark: light-dark(oklch(0.45 0.11 68), oklch(0.83 0.12 82));
  }
  * { box-sizing: border-box; margin: 0 }
  dialog {
    inset: 1rem 1rem auto auto;
    inline-size: min(23rem, 100vw - 2rem);
    max-block-size: calc(100dvh - 2rem);
    padding: 0;
    border: 1px solid var(--line);
    border-block-start: 3px solid var(--mark);
    border-radius: 0.75rem;
    background: var(--surface);
    color: var(--ink);
    font: 400 0.9375rem/1.25rem system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
    font-variant-numeric: tabular-nums;
    box-shadow: 0 0.5rem 2rem rgb(0 0 0 / 0.2);
  }
  dialog::backdrop { background: rgb(0 0 0 / 0.3) }
  header { display: flex; gap: 0.75rem; padding: 1rem 1.25rem; border-block-end: 1px solid var(--line) }
  .mark {
    display: grid; place-items: center; flex: none;
    inline-size: 2.5rem; block-size: 2.5rem; border-radius: 0.625rem;
    background: var(--press); color: var(--mark); font-weight: 600;
  }
  .name { font-weight: 600 }
  .quiet, .note, dt { color: var(--quiet); font-size: 0.8125rem }
  .quiet { overflow-wrap: anywhere }
  .body { padding: 1.25rem }
  h2 { font-size: 1.25rem; line-height: 1.5rem; font-weight: 600; letter-spacing: -0.01em; overflow-wrap: anywhere }
  h2 + p { margin-block-start: 0.25rem; color: var(--quiet); text-wrap: pretty; overflow-wrap: anywhere }
  dl > div {
    display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0.75rem;
    padding-block: 0.5rem; border-block-end: 1px solid var(--line);
  }
  dl > div:last-child { border: 0 }
  dl { margin-block: 0.75rem -0.5rem }
  dt { overflow-wrap: anywhere }
  dd { overflow-wrap: anywhere; white-space: pre-wrap; text-align: end }
  .exact {
    font: 400 0.8125rem/1.25rem ui-monospace, 'SF Mono', 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, monospace;
    direction: ltr; text-align: start;
  }
  footer {
    position: sticky; inset-block-end: 0;
    padding: 1rem 1.25rem 0.75rem; border-block-start: 1px solid var(--line); background: var(--surface);
  }
  .buttons { display: grid; grid-template-columns: 1fr 1fr; gap: 0.5rem }
  .note { margin-block-start: 0.5rem }
  button {
    min-block-size: 2.75rem; padding: 0.5rem 1rem;
    border: 1px solid color-mix(in oklab, var(--ink) 20%, var(--surface)); border-radius: 0.625rem;
    background: none; color: inherit; font: inherit; font-weight: 600; cursor: pointer;
  }
  button:hover { background: var(--press) }
  .approve { border-color: var(--ink); background: var(--ink); color: var(--surface) }
  .approve:hover { background: color-mix(in oklab, var(--ink) 86%, var(--surface)) }
  :focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
`;
