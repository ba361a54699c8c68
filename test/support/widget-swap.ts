/** A swap in the real widget, on the sandbox's real chains, whoever pays: the page, what it told, and the order. */
import {expect, waitUntil} from '@open-wc/testing';
import type {SandboxState} from '../../demo/wallets/sandbox.js';
import type {SwapErrorEvent, SwapEventMap, SwapStatusEvent} from '../../src/index.js';
import type {OrderRead, SandboxClient} from '../sandbox/client.js';
import {openWidget, type WidgetPage} from './page.js';

/** An order as it lies in the browser's storage. */
export interface Remembered {
  readonly deposit: {readonly payload: Readonly<Record<string, unknown>>};
  readonly walletRequests: readonly {readonly kind: string; readonly state: string; readonly hash?: string}[];
}

/** Where the browser keeps an order. */
export function keyOf(orderId: string): string {
  return Object.keys(localStorage).find(name => name.endsWith(`/order/${orderId}`)) ?? '';
}

export abstract class WidgetSwap {
  readonly statuses: SwapStatusEvent[] = [];
  readonly errors: SwapErrorEvent[] = [];
  /** The orders that were placed. */
  readonly orderIds: string[] = [];
  readonly #timeout: {readonly timeout: number; readonly interval?: number};
  #page: WidgetPage | undefined;

  constructor(
    readonly client: SandboxClient,
    readonly state: SandboxState,
    timeout: {readonly timeout: number; readonly interval?: number},
  ) {
    this.#timeout = timeout;
  }

  get page(): WidgetPage {
    if (!this.#page) throw new Error('There is no page yet.');
    return this.#page;
  }

  /** The order that was placed last. */
  get orderId(): string {
    const id = this.orderIds.at(-1);
    if (id === undefined) throw new Error('No order was placed.');
    return id;
  }

  /** Opens the widget as a partner's page does. */
  abstract open(): Promise<void>;

  protected async openWith(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const page = await openWidget({
      'base-url': this.client.url,
      'app-id': this.client.appId,
      // Colours on their way to others have no contrast to speak of.
      style: '--swap-speed: 0',
      ...settings,
    });
    const listen = <K extends keyof SwapEventMap>(type: K, heard: (event: SwapEventMap[K]) => void) => {
      page.widget.addEventListener(type, heard);
    };
    listen('swap-order', ({orderId}) => this.orderIds.push(orderId));
    listen('swap-status', event => this.statuses.push(event));
    listen('swap-error', event => this.errors.push(event));
    this.#page = page;
  }

  /** Leaves the page and comes back to it: another widget, which knows no more than the browser remembers. */
  async reload(): Promise<void> {
    this.page.widget.remove();
    await this.open();
  }

  /** Waits for something to become so. */
  async until(isSo: () => unknown, what: string): Promise<void> {
    try {
      await waitUntil(isSo, what, this.#timeout);
    } catch (cause) {
      throw new Error(`${what}. It is ${this.page.stage} and says: ${this.page.text}`, {cause});
    }
    await this.page.settled();
  }

  /** Waits until the button of the next step says this and can be pressed, and presses it. */
  async next(label: string | RegExp, times = 1): Promise<void> {
    const {page} = this;
    const says = () => (typeof label === 'string' ? page.primary === label : label.test(page.primary));
    await this.until(() => says() && page.canGoOn, `the next step never was ${String(label)}`);
    const button = page.primaryButton;
    for (let time = 0; time < times; time++) button?.click();
    await page.settled();
  }

  /** Lets the service do all right again. */
  async mend(): Promise<void> {
    await this.client.ask('/sandbox/faults', {method: 'DELETE', body: {appId: this.client.appId}});
  }

  /** The order as the service tells it. */
  read(): Promise<OrderRead> {
    return this.client.read(this.orderId);
  }

  /** What the browser remembers of an order, the last one unless said: what was prepared, what was asked and answered. */
  remembered(orderId = this.orderId): Remembered {
    return JSON.parse(localStorage.getItem(keyOf(orderId)) ?? '{"walletRequests":[]}') as Remembered;
  }

  /** The questions of an order and what came of them, in words. */
  walletRequests(orderId = this.orderId): string[] {
    return this.remembered(orderId).walletRequests.map(({kind, state}) => `${kind} ${state}`);
  }

  async expectAccessible(): Promise<void> {
    await expect(this.page.widget).to.be.accessible();
  }
}
