import {LitElement, type PropertyValues, type ReactiveController, type ReactiveControllerHost} from 'lit';
import {atom, type ReadableAtom} from 'nanostores';
import type {Asset, ChainFamily} from '../../domain/asset.js';
import type {LockedField, Side} from '../../domain/draft.js';
import type {SwapConnectRequestEvent} from '../../events.js';
import type * as Figures from '../../locales/figures.js';
import type {FirstMessages, LateMessages, MessageOverrides} from '../../locales/messages.js';
import type {FormParts} from '../../session/draft.js';
import type {SwapSession} from '../../session/session.js';

/** The presentation of one widget: the same for all of its parts. */
export interface Look {
  readonly messages: FirstMessages;
  /** The messages of everything after the form, once they are loaded. No late part is rendered before. */
  readonly late: (() => LateMessages) | undefined;
  /** The locale of numbers, times and dates for `Intl`. Its digits are used for all amounts. */
  readonly locale: string;
  /** The code that formats numbers, once it is loaded with the late messages. */
  readonly figures: typeof Figures | undefined;
  readonly currency: string;
  readonly overrides: MessageOverrides;
  readonly header: boolean;
  readonly journal: boolean;
  readonly locked: readonly LockedField[];
  /** Whether all settings were read before anybody needed a session. */
  readonly rests?: boolean;
}

export interface Shared {
  readonly draft: FormParts;
  /** The session, whole, once its code is loaded and somebody needs it. */
  readonly $session: ReadableAtom<SwapSession | undefined>;
  readonly $look: ReadableAtom<Look>;
  /** Somebody needs the session: it is created once its code is loaded, and then gets its settings. */
  begin?(): void;
  /** When something else than a property changes what the settings mean. */
  readSettings?(): void;
  /** What asks the page for a wallet, once that code is loaded. */
  connectRequest?(family: ChainFamily, side: Side): SwapConnectRequestEvent | undefined;
}

/** What a new widget shares with its parts. */
export function share(draft: FormParts, look: Look, session?: SwapSession) {
  return {draft, $session: atom(session), $look: atom(look)} satisfies Shared;
}

/** The symbol for what the widget and its parts share, so that it is not a property for the page. */
export const SHARED = Symbol('shared');

/**
 * Reads a store, a field of its value, or a value derived from it: a primitive or existing object, not one created for
 * the read. The reader renders again whenever that value changes.
 */
export interface Read {
  <T>($store: ReadableAtom<T>): T;
  <T, K extends keyof T>($store: ReadableAtom<T>, field: K): T[K];
  <T, R>($store: ReadableAtom<T>, part: (value: T) => R): R;
}

type Part = PropertyKey | ((whole: unknown) => unknown);

type Picked = readonly [$store: ReadableAtom, part: Part, value: unknown];

function pick($store: ReadableAtom, part: Part): unknown {
  const whole: unknown = $store.get();
  return typeof part === 'function' ? part(whole) : (whole as Record<PropertyKey, unknown>)[part];
}

function isPresent([$store, part, value]: Picked): boolean {
  return pick($store, part) === value;
}

/** Subscribes its host to each store that the host reads, and renders it again when what it read has changed. */
export class StoreReader implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #subscriptions = new Map<ReadableAtom, (() => void) | undefined>();
  readonly #whole = new Set<ReadableAtom>();
  #parts: Picked[] = [];
  /** How many of the parts were read up to the last rendering. */
  #rendered = 0;

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
    const value = pick($store, part as Part);
    this.#parts.push([$store, part as Part, value]);
    return value;
  };

  /** Comes after `willUpdate`: what was read there, as it is now, belongs to this rendering. */
  hostUpdate() {
    this.#parts = this.#parts.slice(this.#rendered).filter(isPresent);
  }

  hostConnected() {
    for (const $store of this.#subscriptions.keys()) this.#subscribe($store);
    if (this.#subscriptions.size) this.#host.requestUpdate();
  }

  /** What a page's translator wraps would not be updated any more: amounts, addresses and buttons would be outdated. */
  hostUpdated() {
    this.#rendered = this.#parts.length;
    for (const child of this.#host.shadowRoot?.children ?? []) (child as HTMLElement).translate = false;
  }

  hostDisconnected() {
    for (const unsubscribe of this.#subscriptions.values()) unsubscribe?.();
  }

  #subscribe($store: ReadableAtom) {
    const update = () => {
      if (this.#whole.has($store) || !this.#parts.every(isPresent)) this.#host.requestUpdate();
    };
    this.#subscriptions.set($store, this.#host.isConnected ? $store.listen(update) : undefined);
  }
}

/** Keeps the styles of an element that moved to another document, which rejects this one's style sheets. */
export function keepLooks(element: LitElement): void {
  // Without its own root it would get those style sheets.
  if (element.ownerDocument !== document)
    (element as {renderRoot?: ParentNode}).renderRoot ??= element.attachShadow({mode: 'open'});
  else if (!element.hasUpdated) return;
  void import('../style/restyle.js').then(({restyle}) => restyle(element));
}

/** The base of every part of the widget: its session, its messages, and access to stores. */
export class SwapElement extends LitElement {
  /** @internal */
  [SHARED]!: Shared;

  override connectedCallback() {
    // A part is in the shadow root of its widget, or of another part.
    const {host} = this.getRootNode() as ShadowRoot & {readonly host: {readonly [SHARED]: Shared}};
    this[SHARED] = host[SHARED];
    super.connectedCallback();
  }

  adoptedCallback() {
    keepLooks(this);
  }

  protected override update(changed: PropertyValues) {
    try {
      super.update(changed);
    } catch {
      // An extension moved what was rendered: it is rendered anew, as Lit does where it has rendered nothing.
      const root = this.renderRoot as HTMLElement & {_$litPart$?: unknown};
      root.replaceChildren();
      root._$litPart$ = undefined;
      super.update(changed);
    }
  }

  /** The session. Only the parts of the first load can be without one. */
  protected get session(): SwapSession {
    return this.sessionIfAny as SwapSession;
  }

  protected get sessionIfAny(): SwapSession | undefined {
    return this.read(this[SHARED].$session);
  }

  protected get parts(): FormParts {
    return this.sessionIfAny ?? this[SHARED].draft;
  }

  protected get look(): Look {
    return this.read(this[SHARED].$look);
  }

  protected assetOf(side: Side): Asset | undefined {
    return this.read(this.parts.$form, ({draft, page}) => page?.catalogue.find(side === 'pay' ? draft.from : draft.to));
  }

  protected readonly read: Read = new StoreReader(this).read;

  /** The value of an amount, for the form: no quote is displayed before the code that formats it is loaded. */
  protected valueText(value: string | undefined): string {
    return this.look.figures?.valueText(value, this.look) ?? '';
  }

  protected get t(): FirstMessages {
    return this.look.messages;
  }
}

/** Registers the tags of a late chunk. Only a registered widget ever loads one. */
export function register(table: Readonly<Record<string, CustomElementConstructor>>): void {
  for (const [tag, element] of Object.entries(table)) {
    if (!customElements.get(tag)) customElements.define(tag, element);
  }
}
