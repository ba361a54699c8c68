import {html, LitElement, type PropertyValues} from 'lit';
import {property, state} from 'lit/decorators.js';
import {atom} from 'nanostores';
import {adapters} from '../chains/families.js';
import type {ChainFamily} from '../domain/asset.js';
import {SwapError, toSwapError} from '../domain/error.js';
import type {Agreement, CheckReport} from '../domain/deposit.js';
import {lazy} from '../domain/lazy.js';
import type {Order} from '../domain/order.js';
import type {Stage} from '../domain/stage.js';
import type {Quote} from '../domain/quote.js';
import {SwapBeforeOrderEvent, SwapBeforeSignEvent, SwapErrorEvent, type SwapGateEvent} from '../events.js';
import form from '../locales/en.json?form';
import {formOf} from '../locales/forms.js';
import {withOverrides, type Spoken} from '../locales/messages.js';
import {assembleSession, type SessionEvent, type SessionGates, type SwapSession} from '../session/session.js';
import {createHost, keepTyping, scopeOf} from './host.js';
import type * as Behind from './behind.js';
import type {SwapOrder} from './event-of.js';
import {useDrawings} from './icons/icons.js';
import type {PaymentRequest} from './request.js';
import {readFormSettings} from './settings/form.js';
import {flag, propertiesOf, SETTINGS, type Settings} from './settings/settings.js';
import {base, frame, tokens} from './style/styles.js';
import {createView, showStage, speakIn} from './base/public.js';
import {keepLooks, SHARED, StoreReader, type Look, type Shared} from './base/swap-element.js';
import {leaveStage, type SwapView} from './base/swap-view.js';

/** The views, by the name of what they show. All but the form are loaded when they are first needed. */
const views = {
  form: () => Promise.resolve(),
  review: () => import('./order/review-view.js'),
  deposit: () => import('./order/deposit/deposit-view.js'),
  progress: () => import('./order/progress/progress-view.js'),
  journal: () => import('./order/journal-view.js'),
  closed: () => import('./order/closed-view.js'),
};
type ViewName = keyof typeof views;

/** All settings: those of which neither the element itself nor what reads them behind the form has anything do not compile. */
const NAMES = Object.keys(
  SETTINGS satisfies {readonly [Unread in Exclude<keyof Settings, keyof Behind.Widget | OwnName>]: never},
) as readonly (keyof Settings)[];

/** What comes once the form is on the screen. All widgets of the page share it. */
let behind: typeof Behind | undefined;

/** What asks for payments. Two of them stay in the order of their calls. */
const requests = lazy(
  () => import('./behind.js'),
  module => module,
);

/** The parts of all views, for a page's stylesheet. */
export const PARTS =
  'frame, header, body, between, footer, pay, receive, amount, asset, field, lines, steps, quotes, checks, address, qr, notice, search, primary, secondary';

/**
 * Lets a page's visitors swap assets across chains.
 *
 * @tag swap-widget
 *
 * @fires {SwapQuoteEvent} swap-quote - There are prices.
 * @fires {SwapConnectRequestEvent} swap-connect-request - A visitor wants to connect a wallet to `pay` or to `receive`
 * with (`side`). `preventDefault()` keeps the widget's own list closed; `provide(wallet)` answers in its place.
 * @fires {SwapBeforeOrderEvent} swap-before-order - An order is about to be placed. Can be held back.
 * @fires {SwapBeforeSignEvent} swap-before-sign - All checks are done, and the wallet is about to be asked to pay, with
 * exactly this payload. Can be held back.
 * @fires {SwapOrderEvent} swap-order - An order was placed.
 * @fires {SwapDepositEvent} swap-deposit - The wallet paid (`{how: 'transaction', hash}`), took approval
 * and payment at once (`{how: 'calls', id}`, EIP-5792) or signed (`{how: 'signature', signature}`). Calls and a signature are
 * no payment yet.
 * @fires {SwapStatusEvent} swap-status - The order is in another stage. It may go back: a chain can lose a payment.
 * @fires {SwapCompleteEvent} swap-complete - The recipient has the money: a `chain` shows it, or the `service` says so
 * (`witness`). With `again` this browser was told before.
 * @fires {SwapRefundEvent} swap-refund - The payer has the money back, by the same `witness`.
 * @fires {SwapErrorEvent} swap-error - Something went wrong.
 * @fires {SwapViewEvent} swap-view - Something else is on the screen: `button form review deposit progress complete
 * refund expired stopped journal closed`. It contains nothing about the visitor.
 * @fires {SwapWalletEvent} swap-wallet - A wallet was `chosen`, `connected`, `restored` without being asked, or `failed`.
 * No account.
 * @fires {SwapChangeEvent} swap-change - What is swapped changed in the form, and how it begins. No addresses.
 *
 * @slot header - Over the title.
 * @slot notice - Under the title: what every visitor should know at every stage.
 * @slot success - Under what was received, once a swap is complete.
 * @slot legal - Under the button: small print.
 * @slot footer - At the very end.
 * @slot launch - The label of the button, with `variant="button"`. Default: “Swap”.
 * Other content is shown until the widget is defined, and not after that.
 *
 * @csspart frame - The surface.
 * @csspart header - Title, network, list of swaps.
 * @csspart body - Between header and footer.
 * @csspart between - What stands between the two amounts.
 * @csspart footer - The button and its note.
 * @csspart pay - What is paid.
 * @csspart receive - What arrives.
 * @csspart amount - An amount.
 * @csspart asset - The button that chooses an asset.
 * @csspart field - The line of an address.
 * @csspart lines - A list of facts.
 * @csspart steps - The steps of a swap.
 * @csspart quotes - The offers, where there are several.
 * @csspart checks - What was checked before anything is signed.
 * @csspart address - An address to pay to, in full.
 * @csspart qr - The QR code of a payment.
 * @csspart notice - A note.
 * @csspart search - The search field in the list of assets.
 * @csspart primary - The button for the next step. There is never more than one.
 * @csspart secondary - Any other button.
 * @csspart launch - The button that opens the dialog, with `variant="button"`.
 * @csspart dialog - That dialog.
 *
 * @cssprop {<color>} [--swap-accent=#1f44d1] - The brand's color, on the button or on the present step.
 * @cssprop {<color>} --swap-on-accent - The label on it. By default black or white, whichever is readable.
 * @cssprop {<color>} --swap-surface - The background.
 * @cssprop {<color>} --swap-sunk - The background of notes.
 * @cssprop {<color>} --swap-ink - Text.
 * @cssprop {<color>} --swap-ink-quiet - Secondary text.
 * @cssprop {<color>} --swap-line - Hairlines.
 * @cssprop {<color>} --swap-good - The color of success.
 * @cssprop {<color>} --swap-warn - The color of a warning.
 * @cssprop {<color>} --swap-bad - The color of a failure.
 * @cssprop {<'font-family'>} --swap-font - The font.
 * @cssprop {<'font-family'>} --swap-font-mono - The font of addresses and hashes.
 * @cssprop {<length>} [--swap-font-size=15px] - The size of text; all other sizes follow it. The default
 * follows the text size of the visitor's browser.
 * @cssprop {<length>} [--swap-space=4px] - The unit of space.
 * @cssprop {<length>} [--swap-target=48px] - The height of the button.
 * @cssprop {<length>} [--swap-width=560px] - The largest width.
 * @cssprop {<length>} [--swap-height=600px] - The height, from the form to the end. Default of `variant="compact"`: 512px.
 * @cssprop {<length>} [--swap-radius=16px] - The corners of the frame.
 * @cssprop {<length>} [--swap-radius-control=10px] - The corners of buttons.
 * @cssprop {<'border'>} --swap-border - The border of the frame.
 * @cssprop {<'box-shadow'>} --swap-shadow - Its shadow.
 * @cssprop {<number>} [--swap-speed=1] - How long movements take; `0` turns them off. `prefers-reduced-motion` takes precedence.
 *
 * @cssstate editing - And so on: the stage, as `:state(editing)`.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- See the interface at the end.
export class SwapWidget extends LitElement {
  static override properties = propertiesOf(NAMES);

  static override styles = [tokens, base, frame];

  /** The version of the package. */
  static readonly version: string = '0.1.0';

  /** The language of words, numbers, times and dates. Default: the nearest one of the page, else the browser's. */
  @property({useDefault: true}) override lang = '';

  /** The view on the screen. It changes when the next one is loaded. */
  @state() private shown: ViewName = 'form';
  @state() private notLoaded = false;
  /** Whether the words are about to be there in another language than English. */
  @state() private quiet = false;

  /** @internal */
  [SHARED]!: Shared;

  #session?: SwapSession;
  /** The service names no currency; in practice values are in US dollars. */
  #currency = 'USD';
  /** What the page set and no session knows of yet. */
  readonly #unread = new Set<PropertyKey>();
  #error: SwapError | undefined;
  #disconnect?: AbortController;
  #view?: SwapView;
  #toFocus = false;
  #arrive?: ((view: Element) => void) | undefined;
  readonly #stores = new StoreReader(this);
  /** Browsers that only pretend to be some, as tests of partners do, have none. */
  readonly #internals = (this as Partial<HTMLElement>).attachInternals?.();
  #spoken: Spoken = {language: 'en', locale: 'en', form};
  readonly #$look = atom(this.#look());

  /** Where the swap stands: one of the stages. */
  get stage(): Stage {
    return this.#session?.$stage.get() ?? 'editing';
  }

  /** The offer that is chosen. */
  get quote(): Quote | undefined {
    return this.#session?.$price.get().offer;
  }

  /** The order that is shown: as the service tells it, with what its chains show, and at the end who says so (`witness`). */
  get order(): SwapOrder | undefined {
    // There is none before the settings are read.
    return this.#session && behind?.orderIn(this.#session);
  }

  /** What last went wrong. */
  get error(): SwapError | undefined {
    return this.#error;
  }

  /** Goes back to an empty form. A swap under way goes on, and stays in the list. */
  reset(): void {
    this.#session?.reset();
  }

  /** Opens the dialog of `variant="button"`. */
  open(): void {
    void this.#launch('open');
  }

  /** Closes that dialog. A swap under way goes on, and the button says where it stands. */
  close(): void {
    void this.#launch('close');
  }

  /**
   * Asks the visitor for a payment: `{to, atLeast, recipient, signal}`. Resolves with the order once a chain shows that it
   * is complete. Rejects with a `PaymentRequestError` (`reason`, `orderId`, `order`), a `SwapError`, or what the signal was
   * aborted with.
   */
  async request(asked: PaymentRequest): Promise<Order> {
    return (await requests()).request(this, asked);
  }

  constructor() {
    super();
    for (const name of NAMES) if (SETTINGS[name] === flag) (this as Record<string, unknown>)[name] = false;
    // The page brought the form along (`first-paint.ts`).
    const sheet = this.shadowRoot?.querySelector('style');
    if (sheet) {
      import('./take-over.js').then(
        ({takeOver}) => takeOver(this, sheet),
        () => {
          sheet.remove();
        },
      );
    }
  }

  override connectedCallback() {
    if (!this.#session) {
      this.#session = this.createSession({
        beforeOrder: agreed => this.#pass(new SwapBeforeOrderEvent(agreed)),
        beforeSign: (agreed: Agreement, report: CheckReport, payload: unknown) =>
          this.#pass(new SwapBeforeSignEvent(agreed, report, payload)),
      });
      this[SHARED] = {session: this.#session, $look: this.#$look};
    }
    super.connectedCallback();
    this.#disconnect = new AbortController();
    const {signal} = this.#disconnect;
    for (const stop of [
      this.#listenToPage(),
      this.#session.listen(event => {
        this.#tell(event);
      }),
      this.#session.$stage.subscribe(stage => {
        showStage(this.#internals, stage);
      }),
      this.#session.start(),
    ]) {
      signal.addEventListener('abort', stop);
    }
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#disconnect?.abort();
  }

  adoptedCallback() {
    keepLooks(this);
  }

  override render() {
    const widget = html`${this.#viewOf(this.shown)}${this.notLoaded ? this.#renderNotLoaded() : ''}
      <p class="hidden" role="status">
        <swap-widget-announcement></swap-widget-announcement>
      </p>`;
    return this.variant === 'button'
      ? html`<swap-widget-launch exportparts="launch, dialog"
          ><slot name="launch" slot="launch">${this.#$look.get().messages.swap}</slot>${widget}</swap-widget-launch
        >`
      : widget;
  }

  /** Makes the session of this widget, once. */
  protected createSession(gates: SessionGates): SwapSession {
    const options = {adapters, host: createHost(() => this.storage), gates, scope: scopeOf(this)};
    // What reads settings brings what takes them.
    return assembleSession(options, (...all) => behind?.engage(this, ...all));
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    const session = this.#session;
    if (!session) return;
    for (const name of changed.keys()) this.#unread.add(name);
    // Lit would write it with every look at the page's language, which is told by this very attribute.
    if (this.lang !== (this.getAttribute('lang') ?? '')) this.setAttribute('lang', this.lang);
    const isNew = !this.hasUpdated || [...changed.keys()].some(isOfSession);
    if (isNew) this.#configure(session);
    if (this.hasUpdated && (changed.has('lang') || changed.has('messages'))) void this.#speak().catch(() => undefined);
    if (isNew || LOOKS.some(name => changed.has(name))) this.#$look.set(this.#look());
    if (this.#read(session).config) {
      if (this.orderId && this.#unread.has('orderId')) session.openOrder(this.orderId);
      this.#unread.clear();
      if (this.#disconnect) behind?.accompany(this, session, this.#disconnect.signal);
    }
    this.#turnTo(this.#wanted(session));
    if (this.variant === 'button') void this.#launch();
  }

  protected override updated() {
    const [focus, arrive, view] = [this.#toFocus, this.#arrive, this.#view];
    this.#toFocus = false;
    this.#arrive = undefined;
    void view?.updateComplete.then(() => {
      if (focus) view.focusHeading();
      arrive?.(view);
    });
  }

  protected override firstUpdated() {
    keepTyping(this.renderRoot);
    // Until then the form is on the screen. Safari knows no idle time.
    const page: {requestIdleCallback?(work: () => void, options: IdleRequestOptions): unknown} = window;
    const load = () => void this.#loadWhenIdle();
    if (page.requestIdleCallback) page.requestIdleCallback(load, {timeout: 500});
    else setTimeout(load, 100);
  }

  /** Loads what nothing waits for, and what would no longer come without a connection. */
  async #loadWhenIdle() {
    const {config, fault} = this.#session?.$settings.get() ?? {};
    await Promise.allSettled([
      this.#speak(),
      // Another widget of the page may have loaded it, so that it was read already, be it right or wrong.
      config ?? fault ?? this.#loadSettings(),
      import('./behind.js').then(
        () => undefined,
        () => useDrawings('none'),
      ),
    ]);
  }

  /** The element of the view on the screen; another one comes with another view. */
  #viewOf(name: ViewName): SwapView {
    const tag = `swap-widget-${name}-view` as const;
    if (this.#view?.localName !== tag) {
      this.#view = createView(tag, PARTS);
    }
    speakIn(this.#view, this.#spoken, this.dir);
    this.#view.ariaBusy = String(this.quiet);
    return this.#view;
  }

  /** The next view could not be loaded: most likely there is no connection. What is on the screen stays. */
  #renderNotLoaded() {
    const t = this.#$look.get().messages;
    return html`<p class="foot-note" role="alert">
      <span>${t.notLoaded}</span>
      <button class="link" type="button" @click=${this.#loadAgain}>${t.tryAgain}</button>
    </p>`;
  }

  /** What this widget's stores say of where the person is. */
  #read(session: SwapSession) {
    const {read} = this.#stores;
    return {...read(session.$settings), form: read(session.$form), view: read(session.$view)};
  }

  #wanted(session: SwapSession): ViewName {
    const {form, fault, view} = this.#read(session);
    if (view === 'journal') return 'journal';
    if (view === 'order') return behind && this.#stores.read(behind.payableIn(session)) ? 'deposit' : 'progress';
    if (fault ?? form?.paused) return 'closed';
    return view;
  }

  /** Shows a view as soon as it is loaded; until then the one before stays. */
  #turnTo(wanted: ViewName) {
    if (wanted === this.shown) return;
    const isThere = customElements.get(`swap-widget-${wanted}-view`) && this.#spoken.late;
    if (wanted === 'form' || isThere) {
      this.#toFocus = this.matches(':focus-within');
      this.#arrive = this.#view && leaveStage(this.#view);
      this.shown = wanted;
      this.notLoaded = false;
      return;
    }
    void this.#load(wanted);
  }

  async #load(name: ViewName) {
    try {
      await Promise.all([views[name](), this.#speak()]);
      this.requestUpdate();
    } catch {
      this.notLoaded = true;
    }
  }

  /** Loads the button and its dialog, and does something with them. */
  async #launch(deed?: 'open' | 'close') {
    try {
      await Promise.all([import('./launch.js'), this.#speak()]);
      await this.updateComplete;
      if (deed) this.renderRoot.querySelector('swap-widget-launch')?.[deed]();
    } catch {
      // Without a connection there is no button. It comes with the next change, or press.
    }
  }

  #loadAgain() {
    if (!this.#session) return;
    if (this.#session.$settings.get().config) void this.#load(this.#wanted(this.#session));
    else void this.#loadSettings();
  }

  /** Loads what reads all settings, with all that is known of chains and assets. */
  async #loadSettings() {
    try {
      // A press waits for the settings; then its words are there too.
      const [loaded] = await Promise.all([import('./behind.js'), this.#speak()]);
      await loaded.pause();
      behind = loaded;
      this.notLoaded = false;
      // As if they were set anew: what they were before is something else than what they are.
      this.requestUpdate('assets', behind);
    } catch {
      this.notLoaded = true;
    }
  }

  #configure(session: SwapSession) {
    try {
      if (!behind) {
        const form = readFormSettings(this);
        if (form) session.preview(form);
        return;
      }
      const settings = behind.readSettings(this, Object.keys(adapters) as ChainFamily[], this.#unread);
      // Its page has not set it up yet.
      if (!settings) return;
      const {config, currency} = settings;
      this.#currency = currency ?? 'USD';
      const isFirst = !session.$settings.get().config;
      session.configure(config);
      // A draft is the person's as soon as there is one: only what the page has just set goes into it.
      const fresh = Object.entries(config.prefill).filter(([name]) => this.#unread.has(name));
      if (!isFirst && fresh.length) session.edit(Object.fromEntries(fresh));
      if (this.#error?.code === 'config') this.#error = undefined;
    } catch (error) {
      const fault = toSwapError(error, 'config');
      session.configure(fault);
      this.#fail(new SwapErrorEvent(fault), fault);
    }
  }

  #look(): Look {
    const {form, late, locale, figures, own} = this.#spoken;
    const words = own ? own(this.messages) : this.messages;
    return {
      messages: words ? withOverrides(form, words) : form,
      late,
      locale,
      figures,
      currency: this.#currency,
      overrides: words ?? {},
      header: !this.noHeader,
      journal: !this.noJournal,
      locked: this.#session?.$form.get()?.locked ?? [],
    };
  }

  /** Speaks the language of the page where this widget stands. What follows it comes late (`announcement.ts`). */
  #listenToPage(): () => void {
    const {lang} = this.closest<HTMLElement>('[lang]') ?? this;
    const words = formOf(this.lang || lang || navigator.language);
    this.quiet = this.#spoken.language === 'en' && !!words;
    if (!this.quiet) return () => {};
    // They are drawn once they are there. The rest of their language comes with more, and takes longer.
    words?.().then(
      spoken => {
        if (!this.#spoken.late) this.#say(spoken);
      },
      () => undefined,
    );
    // Words that take longer come in their own time.
    const timer = setTimeout(() => {
      this.quiet = false;
    }, 1000);
    return () => {
      clearTimeout(timer);
    };
  }

  /** Loads all words of the language that the page is in where this widget stands. */
  async #speak() {
    const {speak} = await import('../locales/languages.js');
    const spoken = await speak(this);
    const {late, locale} = this.#spoken;
    // They may be there already.
    if (spoken && !(late && late === spoken.late && locale === spoken.locale)) this.#say(spoken);
  }

  #say(spoken: Spoken) {
    this.#spoken = spoken;
    this.#$look.set(this.#look());
    this.quiet = false;
    this.requestUpdate();
  }

  async #pass(event: SwapGateEvent): Promise<void> {
    if (!(await event.passThrough(this))) throw new SwapError('held', {detail: event.type});
  }

  #tell(event: SessionEvent) {
    // Nothing happens before the settings are read, and what does that is late too.
    if (event.type === 'error') this.#fail(new SwapErrorEvent(event.error, event.report, event.orderId), event.error);
    else if (behind) this.dispatchEvent(behind.eventOf(event));
  }

  #fail(event: SwapErrorEvent, error: SwapError) {
    this.#error = error;
    if (error.code === 'config') console.error(`<swap-widget> ${error.field ?? ''}: ${error.detail ?? ''}`);
    this.dispatchEvent(event);
  }
}

/** The properties that make up how it looks and speaks. */
const LOOKS = ['messages', 'noHeader'] as const satisfies readonly (keyof SwapWidget)[];

/** The properties of the element itself, that the session has nothing of. */
const OWN = [...LOOKS, 'lang', 'orderId', 'urlSync', 'shown', 'notLoaded', 'quiet'] as const;
type OwnName = (typeof OWN)[number];

/** Whether a property is one of the session's settings. */
function isOfSession(name: PropertyKey): boolean {
  return !(OWN as readonly PropertyKey[]).includes(name);
}

// Lit makes the properties, from the list that types and reference follow.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type
export interface SwapWidget extends Settings {}
