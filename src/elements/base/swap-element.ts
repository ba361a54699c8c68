import {LitElement, type ReactiveController, type ReactiveControllerHost} from 'lit';
import type {ReadableAtom} from 'nanostores';
import {formatAmount} from '../../domain/amount.js';
import type {Asset} from '../../domain/asset.js';
import type {LockedField, Side} from '../../domain/draft.js';
import type * as Figures from '../../locales/figures.js';
import type {FirstMessages, LateMessages, MessageOverrides} from '../../locales/messages.js';
import type {SwapSession} from '../../session/session.js';

/** How one widget speaks and what of it is shown: the same for all of its parts. */
export interface Look {
  readonly messages: FirstMessages;
  /** The words of what comes after the form, once they are loaded. No part that comes late is rendered before. */
  readonly late: (() => LateMessages) | undefined;
  /** The language of numbers, times and dates, as `Intl` takes it. Its digits are those of amounts everywhere. */
  readonly locale: string;
  /** What writes numbers so, once it is loaded with the words that come late. */
  readonly figures: typeof Figures | undefined;
  /** What values are in. */
  readonly currency: string;
  /** What the page says in its own words. */
  readonly overrides: MessageOverrides;
  readonly header: boolean;
  readonly journal: boolean;
  readonly locked: readonly LockedField[];
}

/** What the parts of one widget share. */
export interface Shared {
  readonly session: SwapSession;
  readonly $look: ReadableAtom<Look>;
}

/** The symbol under which the widget and its parts keep what they share, so that it is not a property for the page. */
export const SHARED = Symbol('shared');

/**
 * Reads a store, a field of what it holds, or what follows from that: one value, not an object made for it. Whoever reads
 * renders again whenever that value changes.
 */
export interface Read {
  <T>($store: ReadableAtom<T>): T;
  <T, K extends keyof T>($store: ReadableAtom<T>, field: K): T[K];
  <T, R>($store: ReadableAtom<T>, part: (value: T) => R): R;
}

/** Subscribes its host to each store that the host reads, and renders it again when what it read there has changed. */
export class StoreReader implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #subscriptions = new Map<ReadableAtom, (() => void) | undefined>();
  readonly #whole = new Set<ReadableAtom>();
  /** Whether parts of stores are others than they were in the present rendering. */
  #parts: (() => boolean)[] = [];

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  readonly read: Read = <T>($store: ReadableAtom<T>, part?: keyof T | ((value: T) => unknown)): unknown => {
    if (!this.#subscriptions.has($store)) this.#subscribe($store);
    if (part === undefined) {
      this.#whole.add($store);
      return $store.get();
    }
    const pick = () => {
      const whole = $store.get();
      return typeof part === 'function' ? part(whole) : whole[part];
    };
    const value = pick();
    this.#parts.push(() => pick() !== value);
    return value;
  };

  hostUpdate() {
    this.#parts = [];
  }

  hostConnected() {
    for (const $store of this.#subscriptions.keys()) this.#subscribe($store);
    if (this.#subscriptions.size) this.#host.requestUpdate();
  }

  hostDisconnected() {
    for (const unsubscribe of this.#subscriptions.values()) unsubscribe?.();
  }

  #subscribe($store: ReadableAtom) {
    const update = () => {
      if (this.#whole.has($store) || this.#parts.some(isOther => isOther())) this.#host.requestUpdate();
    };
    this.#subscriptions.set($store, this.#host.isConnected ? $store.listen(update) : undefined);
  }
}

/** Sees to the looks of an element that came to another document, where the sheets of this one are refused. */
export function keepLooks(element: LitElement): void {
  // Without a root of its own it would be given those sheets.
  if (element.ownerDocument !== document)
    (element as {renderRoot?: ParentNode}).renderRoot ??= element.attachShadow({mode: 'open'});
  else if (!element.hasUpdated) return;
  void import('../style/restyle.js').then(({restyle}) => {
    restyle(element);
  });
}

/** The base of every part of the widget: its session, its words, and a way to read a store. */
export class SwapElement extends LitElement {
  /** @internal */
  [SHARED]!: Shared;

  override connectedCallback() {
    // A part stands in the shadow root of its widget, or of another part of it.
    const {host} = this.getRootNode() as ShadowRoot & {readonly host: {readonly [SHARED]: Shared}};
    this[SHARED] = host[SHARED];
    super.connectedCallback();
  }

  adoptedCallback() {
    keepLooks(this);
  }

  protected get session(): SwapSession {
    return this[SHARED].session;
  }

  protected get look(): Look {
    return this.read(this[SHARED].$look);
  }

  /** The asset on a side of the draft. */
  protected assetOf(side: Side): Asset | undefined {
    const id = this.read(this.session.$draft, side === 'pay' ? 'from' : 'to');
    return this.read(this.session.$form)?.catalogue.find(id);
  }

  protected readonly read: Read = new StoreReader(this).read;

  /** An amount of an asset, and what it is worth, for the form: nothing of a quote is there before what writes it. */
  protected decimal(amount: bigint, {decimals}: Asset): string {
    const {figures, locale} = this.look;
    return figures ? figures.decimal(formatAmount(amount, decimals), locale) : '';
  }

  protected valueText(value: string | undefined): string {
    return this.look.figures?.valueText(value, this.look) ?? '';
  }

  /** The words of the widget. */
  protected get t(): FirstMessages {
    return this.look.messages;
  }
}

/** Registers the tags of a chunk that came late. Only a widget that is registered itself ever loads one. */
export function register(table: Readonly<Record<string, CustomElementConstructor>>): void {
  for (const [tag, element] of Object.entries(table)) {
    if (!customElements.get(tag)) customElements.define(tag, element);
  }
}
