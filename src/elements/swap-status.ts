import {html, type PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import {adapters} from '../chains/families.js';
import {fault} from '../domain/error.js';
import type {Order} from '../domain/order.js';
import form from '../locales/en.json?form';
import type {Spoken} from '../locales/messages.js';
import {createSession, type SwapSession} from '../session/session.js';
import {lookOf, viewOf} from './base/public.js';
import {PublicElement} from './base/public-element.js';
import {share, SHARED, StoreReader, type Look} from './base/swap-element.js';
import type * as Page from './event-of.js';
import {createHost} from './host.js';
import {loadDrawings} from './icons/icons.js';
import type {waitsForPage} from './page.js';
import type * as All from './settings/all.js';
import {propertiesOf, type Settings} from './settings/settings.js';

/** The page's settings, with the widget's own names and meanings. */
const NAMES = [
  'baseUrl',
  'appId',
  'service',
  'appIdHeader',
  'assets',
  'orderId',
  'rpc',
  'support',
  'theme',
  'chains',
  'messages',
  'fetch',
] as const satisfies readonly (keyof Settings)[];
export type StatusSettings = Pick<Settings, (typeof NAMES)[number]>;
const PARTS = 'frame, header, body, between, footer, pay, receive, amount, lines, steps, notice, secondary';

interface Loaded {
  readonly all: typeof All;
  readonly spoken: Spoken;
  readonly waitsForPage: typeof waitsForPage;
  readonly page: typeof Page;
}

/**
 * Shows one order of the service, view-only: what is swapped, its progress, and who confirms it. What its chains show,
 * if they can be read, takes precedence over the service. Nothing can be paid here: there is no deposit address, no QR
 * code, and no wallet.
 *
 * @tag swap-status
 *
 * @fires {SwapStatusEvent} swap-status - The order is in another stage than before, or than one that waits for its payment.
 * @fires {SwapCompleteEvent} swap-complete - The recipient has the money: a `chain` shows it, or the `service` says so
 * (`witness`). With `again` it was reported to this browser before.
 * @fires {SwapRefundEvent} swap-refund - The payer has the money back, by the same `witness`.
 * @fires {SwapErrorEvent} swap-error - An error occurred.
 * @fires {SwapSupportEvent} swap-support - A visitor in trouble pressed the link to `support`. `preventDefault()` keeps
 * it closed, for your own help.
 *
 * @slot header - Above the title.
 * @slot notice - Below the title.
 * @slot success - Above the date, once the swap is complete.
 * @slot legal - Small print.
 * @slot footer - At the very end.
 * Other content is shown until the order is.
 *
 * @cssstate complete - And so on: the stage, as `:state(complete)`.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- See the interface at the end.
export class SwapStatus extends PublicElement {
  static override properties = propertiesOf(NAMES);

  @state() private loaded?: Loaded | undefined;
  @state() private notLoaded = false;

  readonly #session: SwapSession;
  readonly #stores = new StoreReader(this);
  /** One of the order's assets, which decides between mainnet and testnets if `assets` does not. */
  #asset: string | undefined;
  #view?: HTMLElement;

  constructor() {
    super();
    // Nothing is stored, and a widget's storage on this site is not read: every order is a stranger's.
    const {now, after, visible$, online$} = createHost(() => 'session');
    const host = {now, after, visible$, online$, storage: undefined, onStorage: () => () => undefined};
    this.#session = createSession({adapters, host});
    this[SHARED] = {
      ...share(this.#session, this.#look(), this.#session),
      stay: new AbortController(),
      late: () => this.loaded?.page,
    };
  }

  override connectedCallback() {
    super.connectedCallback();
    if (this.loaded) void this.#load();
  }

  override render() {
    const {loaded, notLoaded} = this;
    const {config, fault} = this.#stores.read(this.#session.$settings);
    // Its page may still set more.
    if (!loaded || !(config ?? fault)) {
      const {notLoaded: words, tryAgain} = this[SHARED].$look.get().messages;
      return notLoaded
        ? html`<p class="foot-note" role="alert">
            <span>${words}</span> <button class="link" type="button" @click=${this.#load}>${tryAgain}</button>
          </p>`
        : html`<slot></slot>`;
    }
    return html`${this.#viewOf(loaded)}
      <p class="hidden" role="status"><swap-widget-announcement></swap-widget-announcement></p>`;
  }

  protected override firstUpdated() {
    void this.#load();
  }

  protected override willUpdate(changed: PropertyValues) {
    if (!this.loaded) return;
    if (changed.has('lang') || changed.has('messages')) void this.#load();
    if (changed.has('messages')) this[SHARED].$look.set(this.#look());
    const isNew = changed.has('loaded');
    if (isNew || NAMES.some(name => changed.has(name))) this.#configure();
    if (isNew || changed.has('orderId')) this.#open();
  }

  async #load() {
    try {
      const [all, {waitsForPage}, {speak}, page] = await Promise.all([
        import('./settings/all.js'),
        import('./page.js'),
        import('../locales/languages.js'),
        import('./event-of.js'),
        import('./order/progress/status-view.js'),
        import('./order/closed-view.js'),
        import('./base/announcement.js'),
        import('./base/error-note.js'),
        import('./style/finish.js').then(({finishLooks}) => finishLooks()),
        loadDrawings(),
      ]);
      const spoken = await speak(this);
      if (!spoken) return;
      this.notLoaded = false;
      // From then on it runs with each stay on the page.
      if (!this.loaded && this.isConnected) page.run(this, this.#session, this[SHARED].stay.signal);
      this.loaded = {all, waitsForPage, spoken, page};
      this[SHARED].$look.set(this.#look());
    } catch {
      this.notLoaded = true;
    }
  }

  #viewOf({spoken}: Loaded): HTMLElement {
    const tag = this.#stores.read(this.#session.$settings, 'fault') ? 'swap-widget-closed-view' : 'swap-status-view';
    return (this.#view = viewOf(this.#view, tag, PARTS, spoken, this.dir));
  }

  #configure() {
    const {loaded} = this;
    loaded?.page.configure(this, this.#session, () => {
      if (loaded.waitsForPage(this, this.#session, () => (this.loaded &&= {...this.loaded}), 'orderId', 'baseUrl'))
        return undefined;
      if (!this.orderId) throw fault('order-id', 'The id of the order is missing.');
      const settings: StatusSettings = Object.fromEntries(NAMES.map(name => [name, this[name]]));
      const config = loaded.all.readAllSettings(
        {...settings, from: this.#asset, storage: 'none'},
        {},
        this.#session.keep(loaded.all.createServiceReader),
      );
      const {api} = config;
      return {...config, api: {...api, readOrder: async (...args) => this.#fit(await api.readOrder(...args))}};
    });
  }

  #open() {
    const {$settings, openOrder} = this.#session;
    const {config, fault} = $settings.get();
    if (this.orderId && config && !fault) openOrder(this.orderId);
  }

  /** The order determines whether it is on mainnet or a testnet: before its chains are read, and before it is rendered. */
  #fit(order: Order): Order {
    const {catalogue} = this.#session.$settings.get().config ?? {};
    const chain = catalogue?.findChain(order.source.chain);
    if (chain && chain.test !== catalogue?.test && !this.assets?.length) {
      this.#asset = order.source.asset;
      this.#configure();
    }
    return order;
  }

  #look(): Look {
    const spoken = this.loaded?.spoken ?? {language: 'en', locale: 'en', form};
    return lookOf(spoken, this.messages, {currency: 'USD', header: true, journal: false, locked: []});
  }
}

// Lit makes the properties, from the lists above.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type
export interface SwapStatus extends StatusSettings {}
