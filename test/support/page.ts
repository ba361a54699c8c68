import {expect, fixture, html} from '@open-wc/testing';
import type {Stage} from '../../src/index.js';
import type {SwapWidget} from '../../src/elements/swap-widget.js';
import '../../src/define.js';
import {waitUntil} from './limits.js';

export {waitUntil};

/** A widget on a page, used as a person does: elements are found by their text, not by their structure. */
export class WidgetPage<
  W extends HTMLElement & Pick<SwapWidget, 'stage' | 'renderRoot' | 'updateComplete'> = SwapWidget,
> {
  constructor(readonly widget: W) {}

  get stage(): Stage {
    return this.widget.stage;
  }

  get heading(): string {
    return textOf(this.find('h2'));
  }

  get text(): string {
    return textOf(this.widget);
  }

  get amount(): string {
    return this.#amountField().value;
  }

  get receive(): string {
    return this.#receiveField?.value ?? textOf(this.find('output'));
  }

  get primary(): string {
    return textOf(this.primaryButton);
  }

  get canGoOn(): boolean {
    return this.primaryButton?.getAttribute('aria-disabled') === 'false' || !this.primaryButton?.ariaDisabled;
  }

  get primaryButton(): HTMLButtonElement | undefined {
    return this.find<HTMLButtonElement>('[part="primary"]');
  }

  get notes(): string[] {
    return this.findAll('.notice, .problem').map(textOf);
  }

  get said(): string {
    return textOf(this.widget.renderRoot.querySelector('[role="status"]'));
  }

  button(name: string | RegExp): HTMLElement | undefined {
    const fits = (label: string) => (typeof name === 'string' ? label === name : name.test(label));
    return this.findAll('button, [role="option"], a').find(
      element => !element.closest('[inert]') && fits(element.ariaLabel ?? textOf(element)),
    );
  }

  async press(name: string | RegExp): Promise<void> {
    await waitUntil(() => this.button(name), `no button matches “${String(name)}”`);
    this.button(name)?.click();
    await this.settled();
  }

  async goOn(): Promise<void> {
    this.primaryButton?.click();
    await this.settled();
  }

  async typeAmount(text: string): Promise<void> {
    await type(this.#amountField(), text);
    await this.settled();
  }

  async typeReceive(text: string): Promise<void> {
    await waitUntil(() => this.#receiveField, 'there was no field for what arrives');
    await type(this.#receiveField!, text);
    await this.settled();
  }

  get #receiveField(): HTMLInputElement | undefined {
    return this.find<HTMLInputElement>('#receive:is(input)');
  }

  async typeRecipient(text: string): Promise<void> {
    await this.#typeAddress('receive', text);
  }

  async typeRefundAddress(text: string): Promise<void> {
    await this.#typeAddress('pay', text);
  }

  async #typeAddress(side: 'pay' | 'receive', text: string): Promise<void> {
    const field = this.find(`swap-widget-address-field[side="${side}"]`);
    // An address that a wallet gives is among the details.
    if (field?.hidden) await this.press('Details');
    const input = field?.shadowRoot?.querySelector<HTMLInputElement>('#address');
    if (!input) throw new Error(`There is no field for an address to ${side}.`);
    input.focus();
    await type(input, text);
    input.blur();
    await this.settled();
  }

  async until(stage: Stage): Promise<void> {
    await waitUntil(() => this.stage === stage, `the stage never became ${stage}`, 30_000);
    await this.settled();
  }

  async untilThere(selector: string): Promise<void> {
    await waitUntil(() => this.find(selector), `${selector} never came`);
    await this.settled();
  }

  /** The first element in the widget that matches a selector, through all shadow roots. The caller knows its type. */
  find<E extends Element = HTMLElement>(selector: string): E | undefined {
    return this.findAll<E>(selector)[0];
  }

  /** All elements in the widget that match a selector, through all shadow roots, in the order of the page. */
  findAll<E extends Element = HTMLElement>(selector: string): E[] {
    return [...everything(this.widget)].filter((element): element is E => element.matches(selector));
  }

  /** Waits until every element has rendered, after something was begun. */
  async settled(begun?: unknown): Promise<void> {
    void begun;
    await this.widget.updateComplete;
    await new Promise(requestAnimationFrame);
    await this.widget.updateComplete;
    for (const element of everything(this.widget)) {
      if ('updateComplete' in element) await element.updateComplete;
    }
  }

  #amountField(): HTMLInputElement {
    const input = this.find<HTMLInputElement>('#amount');
    if (!input) throw new Error('There is no field for an amount.');
    return input;
  }
}

/** Opens a widget with attributes, given as strings, and properties. */
export async function openWidget(settings: Readonly<Record<string, unknown>> = {}): Promise<WidgetPage> {
  const widget = document.createElement('swap-widget');
  set(widget, settings);
  await fixture(html`<div>${widget}</div>`);
  const page = new WidgetPage(widget);
  await page.settled();
  return page;
}

/** Replaces the browser's clipboard while some work is done. */
export async function withClipboard(writeText: (text: string) => Promise<void>, work: () => Promise<void>) {
  Object.defineProperty(navigator, 'clipboard', {configurable: true, value: {writeText}});
  try {
    await work();
  } finally {
    Reflect.deleteProperty(navigator, 'clipboard');
  }
}

/** The texts that are copied while some work is done. */
export async function whatIsCopied(work: () => Promise<void>): Promise<string[]> {
  const copied: string[] = [];
  await withClipboard(text => Promise.resolve(void copied.push(text)), work);
  return copied;
}

/** Expects nothing to pay to on a page: no address, QR code, link, or button that pays or copies it. */
export function expectNoAddress(page: Pick<WidgetPage, 'button' | 'find' | 'findAll'>, address: string): void {
  const everything = page.findAll('*').flatMap(element => [
    ...[...element.attributes].map(({value}) => value),
    // The address may be displayed in groups of four.
    element.textContent?.replace(/\s/g, '') ?? '',
  ]);
  expect(everything.find(text => text.includes(address))).to.equal(undefined);
  expect(page.find('swap-widget-qr-code')?.localName).to.equal(undefined);
  expect(page.find('[href^="bitcoin:"]')?.localName).to.equal(undefined);
  expect(page.button(/^Pay |^Copy the address$/)?.localName).to.equal(undefined);
}

export function focused(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

export function set(element: Element, settings: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value === 'string') element.setAttribute(name, value);
    else Object.assign(element, {[name]: value});
  }
}

async function type(input: HTMLInputElement, text: string) {
  input.value = text;
  input.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true}));
  await Promise.resolve();
}

function* everything(root: Element | ShadowRoot): Generator<Element> {
  if (root instanceof Element && root.shadowRoot) yield* everything(root.shadowRoot);
  for (const child of root.children) {
    yield child;
    yield* everything(child);
  }
}

function textOf(element: Element | null | undefined): string {
  if (!element) return '';
  const read = (node: Node): string => {
    if (node instanceof Element && node.getAttribute('aria-hidden') === 'true') return '';
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
    const children =
      node instanceof HTMLSlotElement
        ? node.assignedNodes({flatten: true})
        : node instanceof Element && node.shadowRoot
          ? node.shadowRoot.childNodes
          : node.childNodes;
    const inner = [...children].map(read).join('');
    return node instanceof Element && /^(block|flex|grid|list-item)$/.test(getComputedStyle(node).display)
      ? ` ${inner} `
      : inner;
  };
  return read(element).replace(/\s+/g, ' ').trim();
}
