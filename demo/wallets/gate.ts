/**
 * The window in which a development wallet asks. A wallet hands over a question in plain words and gets a yes or a no;
 * whatever answers questions is a gate: this window, or a function of a test.
 */

/** What a wallet wants to know before it does something. */
export interface Question {
  /** The wallet's name. */
  readonly wallet: string;
  /** The page that asks. */
  readonly origin: string;
  readonly kind: 'connect' | 'unlock' | 'switch' | 'add' | 'send' | 'sign' | 'message';
  /** What a yes would do. */
  readonly title: string;
  /** What that means. */
  readonly text: string;
  /** Everything the request says, field by field. */
  readonly facts: readonly Fact[];
}

export interface Fact {
  readonly label: string;
  readonly value: string;
  /** Whether it is an address or a hash, to be compared letter by letter. */
  readonly exact?: boolean;
}

/** Answers a wallet's question with yes or no, whenever it likes. */
export type Gate = (question: Question) => Promise<boolean>;

interface Waiting {
  readonly question: Question;
  answer(yes: boolean): void;
}

// One window for all wallets of the page: what is asked while it is open waits for its turn.
const queue: Waiting[] = [];
let counter: HTMLElement | undefined;

/** Asks the person, one question after the other. Escape is a no. */
export const askPerson: Gate = question =>
  new Promise(answer => {
    queue.push({question, answer});
    if (queue.length === 1) showNext();
    else showCount();
  });

function showNext() {
  const first = queue[0];
  if (!first) return;
  const host = document.createElement('div');
  host.dataset['developmentWallet'] = first.question.wallet;
  const root = host.attachShadow({mode: 'open'});
  root.adoptedStyleSheets = [styles()];
  const dialog = buildDialog(first.question);
  root.append(dialog);

  // The one way out: both buttons close the window, and so does Escape.
  dialog.addEventListener('close', () => {
    host.remove();
    queue.shift();
    first.answer(dialog.returnValue === 'approve');
    showNext();
  });
  document.body.append(host);
  dialog.showModal();
  showCount();
}

function showCount() {
  const more = queue.length - 1;
  if (counter) counter.textContent = more === 0 ? 'Play money on a test network' : `${String(more)} more after this`;
}

function buildDialog({wallet, origin, title, text, facts}: Question): HTMLDialogElement {
  const approve = make('button', {className: 'approve', textContent: 'Approve', type: 'button', autofocus: true});
  const reject = make('button', {className: 'reject', textContent: 'Reject', type: 'button'});
  counter = make('p', {className: 'note'});
  const dialog = make('dialog', {}, [
    make('header', {}, [
      make('span', {className: 'mark', textContent: wallet.slice(0, 1), ariaHidden: 'true'}),
      make('div', {}, [
        make('p', {className: 'name', textContent: wallet}),
        make('p', {className: 'quiet', textContent: `asked by ${origin}`}),
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
  // Enter that is still held down from a button of the page must not answer for the person.
  dialog.addEventListener('keydown', event => {
    if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
  });
  return dialog;
}

/** Makes an element without parsing any text, so that Trusted Types have nothing to object to. */
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

// A strip in another colour, and a place of its own in the corner, keep it apart from the widget it answers to.
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
