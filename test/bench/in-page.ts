/** The bench's page script: a service that responds at once, and what is timed there. */
import {createTestService} from '../../src/testing.js';

/** When each timed event last happened, in milliseconds since navigation. */
export interface Marks {
  /** A key was typed. */
  typed: number;
  /** The amount that arrives was in the document. */
  priced: number;
}

const marks: Marks = {typed: 0, priced: 0};
addEventListener('input', () => (marks.typed = performance.now()), true);

const service = createTestService();
/** The same response to the same request: prices that use no more memory. */
const quotes = new Map<string, string>();
const remembering =
  (ask: typeof fetch): typeof fetch =>
  async (input, init) => {
    const address = String(input);
    if (!address.includes('/quote')) return ask(input, init);
    const text = quotes.get(address) ?? (await (await ask(input, init)).text());
    quotes.set(address, text);
    return new Response(text, {headers: {'content-type': 'application/json'}});
  };

function* everything(root: Element | ShadowRoot): Generator<Element> {
  if (root instanceof Element && root.shadowRoot) yield* everything(root.shadowRoot);
  for (const child of root.children) {
    yield child;
    yield* everything(child);
  }
}

/** The field for the amount to receive, once it is a field. */
const RECEIVE = 'input#receive';

function findIn(selector: string, root: Element = document.body): Element | undefined {
  for (const element of everything(root)) if (element.matches(selector)) return element;
  return undefined;
}

/** Calls back with each new amount to receive when the field gets it. Nothing else is watched, to add little work. */
function onAmount(root: Element, changed: (text: string) => void): void {
  const field = findIn(RECEIVE, root);
  const plain = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  if (!field || !plain?.set) throw new Error('There is no amount.');
  let last = (field as HTMLInputElement).value;
  Object.defineProperty(field, 'value', {
    ...plain,
    set(text: string) {
      plain.set?.call(field, text);
      if (text !== last) changed(text);
      last = text;
    },
  });
}

/** A frame is on the screen once the next task runs. */
const nextFrame = () =>
  new Promise<void>(resolve => {
    requestAnimationFrame(() => {
      const {port1, port2} = new MessageChannel();
      port1.onmessage = () => resolve();
      port2.postMessage(undefined);
    });
  });

const bench = {
  marks,
  findIn,

  /** Adds a widget to the page, with the service in the page unless another one is set. */
  async open(settings: Readonly<Record<string, string>>): Promise<void> {
    const widget = document.createElement('swap-widget');
    if (!settings['base-url']) widget.fetch = remembering(service.fetch);
    const all = {'base-url': service.baseUrl, ...settings};
    for (const [name, value] of Object.entries(all)) widget.setAttribute(name, value);
    document.body.append(widget);
    await customElements.whenDefined('swap-widget');
    await widget.updateComplete;
    while (!findIn(RECEIVE, widget)) await nextFrame();
    onAmount(widget, text => {
      if (/\d/.test(text)) marks.priced = performance.now();
    });
  },
};

export type Bench = typeof bench;
declare global {
  var bench: Bench;
}
globalThis.bench = bench;
