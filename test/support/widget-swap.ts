/** A swap in the real widget, on the sandbox's real chains: the page, its events, and the order. */
import {expect} from '@open-wc/testing';
import type {SandboxState} from '../../demo/wallets/sandbox.js';
import type {SwapErrorEvent, SwapEventMap, SwapStatusEvent} from '../../src/index.js';
import type {OrderRead, SandboxClient} from '../sandbox/client.js';
import {openWidget, waitUntil, type WidgetPage} from './page.js';

/** An order in the browser's storage. */
export interface Remembered {
  readonly deposit: {readonly address?: string};
  readonly walletRequests: readonly {readonly kind: string; readonly state: string; readonly hash?: string}[];
}

/** The storage key of an order. */
export function keyOf(orderId: string): string {
  return Object.keys(localStorage).find(name => name.endsWith(`/order/${orderId}`)) ?? '';
}

export abstract class WidgetSwap {
  readonly statuses: SwapStatusEvent[] = [];
  readonly errors: SwapErrorEvent[] = [];
  /** The ids of the placed orders. */
  readonly orderIds: string[] = [];
  readonly #timeout: number;
  #page: WidgetPage | undefined;

  constructor(
    readonly client: SandboxClient,
    readonly state: SandboxState,
    timeout: number,
  ) {
    this.#timeout = timeout;
  }

  get page(): WidgetPage {
    if (!this.#page) throw new Error('There is no page yet.');
    return this.#page;
  }

  /** The order placed last. */
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
      // Colors in transition can fail the contrast check.
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
    // Object settings are read by a late chunk. Until then the form has no assets.
    const hasAssets = () => page.findAll('.chain-name bdi').every(element => element.textContent.trim());
    await this.until(hasAssets, 'the settings were never read');
  }

  /** Reloads: replaces the widget with a new one, which only has the browser's storage. */
  async reload(): Promise<void> {
    this.page.widget.remove();
    await this.open();
  }

  /** Waits until a condition is met. */
  async until(isSo: () => unknown, what: string): Promise<void> {
    try {
      await waitUntil(isSo, what, this.#timeout);
    } catch (cause) {
      throw new Error(`${what}. It is ${this.page.stage} and says: ${this.page.text}`, {cause});
    }
    await this.page.settled();
  }

  /** Waits until the primary button has this label and is enabled, then presses it. */
  async next(label: string | RegExp, times = 1): Promise<void> {
    const {page} = this;
    const says = () => (typeof label === 'string' ? page.primary === label : label.test(page.primary));
    await this.until(() => says() && page.canGoOn, `the next step never was ${String(label)}`);
    const button = page.primaryButton;
    for (let time = 0; time < times; time++) button?.click();
    await page.settled();
  }

  /** The order, from the service. */
  read(): Promise<OrderRead> {
    return this.client.read(this.orderId);
  }

  /** The stored entry of an order, by default the last one: the prepared deposit, and its wallet requests. */
  remembered(orderId = this.orderId): Remembered {
    return JSON.parse(localStorage.getItem(keyOf(orderId)) ?? '{"walletRequests":[]}') as Remembered;
  }

  /** The wallet requests of an order with their results, as text. */
  walletRequests(orderId = this.orderId): string[] {
    return this.remembered(orderId).walletRequests.map(({kind, state}) => `${kind} ${state}`);
  }

  async expectAccessible(): Promise<void> {
    await expect(this.page.widget).to.be.accessible();
  }
}
