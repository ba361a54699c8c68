import {html, type PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import type {Order} from '../domain/order.js';
import type {Quote} from '../domain/quote.js';
import {createDraft, type FormParts} from '../session/draft.js';
import type {SwapSession} from '../session/session.js';
import {keepTyping, scopeOf} from './typing.js';
import type * as Behind from './behind.js';
import type {ViewName} from './event-of.js';
import {behind, Loading} from './loading.js';
import type {PaymentRequest} from './request.js';
import {Speech} from './speech.js';
import {keepsSwaps, readFormSettings, showsLast} from './settings/form.js';
import {flag, propertiesOf, SETTINGS, type Settings} from './settings/settings.js';
import {lookOf, PARTS, viewOf} from './base/public.js';
import {PublicElement} from './base/public-element.js';
import {share, SHARED, StoreReader, type Look} from './base/swap-element.js';
import {leaveStage, type SwapView} from './base/swap-view.js';

/** All settings: those that neither the element itself nor the code behind the form uses do not compile. */
const NAMES = Object.keys(
  SETTINGS satisfies {
    readonly [Unread in Exclude<keyof Settings, keyof Behind.Widget | 'messages' | 'noHeader'>]: never;
  },
) as readonly (keyof Settings)[];

/**
 * Lets a page's visitors swap assets across chains.
 *
 * @tag swap-widget
 *
 * @fires {SwapQuoteEvent} swap-quote - Prices have arrived.
 * @fires {SwapConnectRequestEvent} swap-connect-request - A visitor wants to connect a wallet to `pay` or to `receive`
 * with (`side`). `preventDefault()` keeps the widget's own list closed; `provide(wallet)` passes your choice.
 * @fires {SwapBeforeOrderEvent} swap-before-order - An order is about to be placed. Can be blocked. With `policy.screen`,
 * `screening` says of `payer` and `recipient`: `clear`, `listed` or `unscreened`.
 * @fires {SwapBeforeSignEvent} swap-before-sign - All checks are done, and the wallet is about to be prompted, with
 * exactly this payload. Can be blocked. `report.outcome` is `passed`, or `unverified` after the visitor's yes to what
 * is neither known nor vouched for. `step` is `pay`, or with `policy.holdApprovals` also `approve`.
 * @fires {SwapOrderEvent} swap-order - An order was placed.
 * @fires {SwapDepositEvent} swap-deposit - The wallet paid (`{how: 'transaction', hash}`), accepted approval and
 * payment in one request (`{how: 'calls', id}`, EIP-5792) or signed (`{how: 'signature', signature}`). Calls and
 * signatures are not payments yet.
 * @fires {SwapStatusEvent} swap-status - The order is in another stage. It may go back: a chain can lose a payment.
 * @fires {SwapCompleteEvent} swap-complete - The recipient has the money: a `chain` shows it, or the `service` says so
 * (`witness`). With `again` it was reported to this browser before.
 * @fires {SwapRefundEvent} swap-refund - The payer has the money back, by the same `witness`.
 * @fires {SwapErrorEvent} swap-error - An error occurred.
 * @fires {SwapFundsRequestEvent} swap-funds-request - The paying account has less than the amount: `missing` of `asset`
 * at `address`. `provide(add)` puts an “Add funds” button into the note, which calls `add`.
 * @fires {SwapSupportEvent} swap-support - A visitor in trouble pressed the link to `support`. `preventDefault()` keeps
 * it closed, for your own help.
 * @fires {SwapTrackEvent} swap-track - For your statistics, without anything about the visitor: another screen (`what`
 * is `view`; `view` is `button form review deposit progress complete refund expired stopped journal closed`), a wallet
 * that was `chosen`, `connected`, `restored` without a prompt, or `failed` (`wallet`), another pair or amount (`change`).
 *
 * @slot header - Above the title.
 * @slot notice - Below the title: what every visitor should know at every stage.
 * @slot success - Below the received amount, once a swap is complete.
 * @slot legal - Below the button: small print.
 * @slot footer - At the very end.
 * @slot launch - The label of the button, with `variant="button"`. Default: “Swap”.
 * Other content is shown until the widget is defined, and not after that.
 *
 * @csspart frame - The surface.
 * @csspart header - Title, network, list of swaps.
 * @csspart body - Between header and footer.
 * @csspart between - Everything between the two amounts.
 * @csspart footer - The button and its note.
 * @csspart pay - The side that is paid.
 * @csspart receive - The side that is received.
 * @csspart amount - An amount.
 * @csspart asset - The button that chooses an asset.
 * @csspart field - The line of an address.
 * @csspart lines - A list of facts.
 * @csspart steps - The steps of a swap.
 * @csspart quotes - The offers, if there are several.
 * @csspart checks - The checks before anything is signed.
 * @csspart address - A deposit address, in full.
 * @csspart qr - The QR code of a payment.
 * @csspart notice - A note.
 * @csspart search - The search field in the list of assets.
 * @csspart primary - The button for the next step. There is never more than one.
 * @csspart secondary - Any other button.
 * @csspart launch - The button that opens the dialog, with `variant="button"`.
 * @csspart dialog - That dialog.
 *
 * @cssprop {<color>} [--swap-accent=#1f44d1] - The brand's color, on the button or on the current step.
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
 * follows the font size of the visitor's browser.
 * @cssprop {<length>} [--swap-space=4px] - The unit of space.
 * @cssprop {<length>} [--swap-target=48px] - The height of the button.
 * @cssprop {<length>} [--swap-width=560px] - The largest width.
 * @cssprop {<length>} [--swap-height=416px] - The least height; a stage that needs more makes it grow. Default of `variant="compact"` and on a small phone: 352px.
 * @cssprop {<length>} [--swap-radius=16px] - The corners of the frame.
 * @cssprop {<length>} [--swap-radius-control=10px] - The corners of buttons.
 * @cssprop {<'border'>} --swap-border - The border of the frame.
 * @cssprop {<'box-shadow'>} --swap-shadow - Its shadow.
 * @cssprop {<number>} [--swap-speed=1] - The duration of animations; `0` turns them off. `prefers-reduced-motion` takes
 * precedence.
 *
 * @cssstate editing - And so on: the stage, as `:state(editing)`.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- See the interface at the end.
export class SwapWidget extends PublicElement {
  static override properties = propertiesOf(NAMES);

  /** The version of the package. */
  static readonly version: string = '0.1.0';

  /** The view on the screen. It changes when the next one is loaded. */
  @state() private shown: ViewName = 'form';

  /** Whether the last order is about to take the form's place, which is blank until then, or for five seconds. */
  @state() private resumes = false;

  readonly #draft = createDraft(() => this[SHARED].begin?.());
  #scope = '';
  #isRead = false;
  /** Whether a session was needed before it could be created. */
  #isWanted = false;
  #rests = false;
  readonly #accompanied = new Set<string>();
  readonly #unread = new Set<PropertyKey>();
  #view?: SwapView;
  readonly #read = new StoreReader(this).read;
  readonly #speech = new Speech(this, () => this.#lookAgain());
  readonly #loading = new Loading(this, this.#speech);

  /** The chosen offer. */
  get quote(): Quote | undefined {
    return this.#session?.$form.get().offer;
  }

  /** Goes back to an empty form. An open swap continues, and stays in the list. */
  reset(): void {
    if (this.#session) this.#session.reset();
    else this.#draft.edit({amount: '', recipient: '', refundAddress: ''});
  }

  /** Opens the dialog of `variant="button"`. */
  open(): void {
    void this.#loading.launch('open');
  }

  /** Closes that dialog. An open swap continues, and the button shows its stage. */
  close(): void {
    void this.#loading.launch('close');
  }

  /**
   * Requests a payment from the visitor: `{to, atLeast, recipient, signal}`. Resolves with the order once a chain shows
   * that it is complete. Rejects with a `PaymentRequestError` (`reason`, `orderId`, `order`), a `SwapError`, or the
   * signal's abort reason.
   */
  async request(asked: PaymentRequest): Promise<Order> {
    return (await behind()).request(this, asked);
  }

  constructor() {
    super();
    for (const name of NAMES) if (SETTINGS[name] === flag) (this as Record<string, unknown>)[name] = false;
    this[SHARED] = {
      ...share(this.#draft, this.#lookOf(this.#draft)),
      stay: new AbortController(),
      late: () => behind.part,
      connectRequest: (...asked) => behind.part && new behind.part.SwapConnectRequestEvent(...asked),
      begin: () => {
        // Before it is on the page, its scope is unknown.
        const part = this.#scope && behind.part;
        this.#isWanted = !part;
        if (!part || this.#session) return;
        this[SHARED].$session.set(this.createSession(part));
        // In a task of its own: a slow phone takes a tenth of a second for both.
        void part.pause().then(this[SHARED].readSettings);
      },
      readSettings: () => {
        this.#isRead = false;
        this.requestUpdate();
      },
    };
    // The page contains the server-rendered form (`first-paint.ts`).
    const sheet = this.shadowRoot?.querySelector('style');
    if (sheet) {
      import('./take-over.js').then(
        ({takeOver}) => takeOver(this, sheet),
        () => sheet.remove(),
      );
    }
  }

  override connectedCallback() {
    this.#scope ||= scopeOf(this);
    super.connectedCallback();
    this.#accompanied.clear();
    const {signal} = this[SHARED].stay;
    signal.addEventListener('abort', this.#speech.listen());
    if (this.#session) return;
    this.resumes = showsLast(this, this.#scope);
    const timer = setTimeout(() => (this.resumes = false), 5_000);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  get #session(): SwapSession | undefined {
    return this[SHARED].$session.get();
  }

  override render() {
    const {messages} = this[SHARED].$look.get();
    this.#view = viewOf(this.#view, `swap-widget-${this.shown}-view`, PARTS, this.#speech.spoken, this.dir);
    this.#view.ariaBusy = String(this.#speech.isQuiet || this.resumes);
    const widget = html`${this.#view}${this.#loading.renderFailure(messages)}
      <p class="hidden" role="status">
        <swap-widget-announcement></swap-widget-announcement>
      </p>`;
    return this.variant === 'button'
      ? html`<swap-widget-launch exportparts="launch, dialog"
          ><slot name="launch" slot="launch">${messages.swap}</slot>${widget}</swap-widget-launch
        >`
      : widget;
  }

  protected createSession(part: typeof Behind): SwapSession {
    return part.createSession(this, {scope: this.#scope, draft: this.#draft});
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    for (const name of changed.keys()) this.#unread.add(name);
    if (!this.#isRead || [...changed.keys()].some(name => name in SETTINGS)) {
      this.#isRead = true;
      this.#configure();
      this.#lookAgain();
    }
    if (this.hasUpdated && (changed.has('lang') || changed.has('messages')))
      void this.#speech.speak().catch(() => undefined);
    const session = this.#read(this[SHARED].$session);
    if (session ? this.#read(session.$settings, 'config') : this.#rests)
      behind.part?.accompany(this, this.#accompanied, this[SHARED].stay.signal);
    if (session && behind.part) this.#turnTo(this.#read(behind.part.viewIn(session)));
    if (this.variant === 'button') void this.#loading.launch();
  }

  protected override firstUpdated() {
    keepTyping(this.renderRoot);
    // Until then the form is on the screen.
    this.#loading.whenIdle();
  }

  /** Shows a view as soon as it is loaded; until then the previous one stays. */
  #turnTo(wanted: ViewName) {
    if (wanted === this.shown || !this.#loading.hasView(wanted)) return;
    const hasFocus = this.matches(':focus-within');
    const arrive = this.#view && leaveStage(this.#view);
    this.resumes = false;
    this.shown = wanted;
    void this.updateComplete.then(async () => {
      const view = this.#view;
      await view?.updateComplete;
      if (hasFocus) view?.focusHeading();
      if (view) arrive?.(view);
    });
  }

  #configure() {
    const {part} = behind;
    if (!part) {
      const form = readFormSettings(this);
      if (form) this.#draft.preview(form);
    } else if (this.#session) part.configure(this, this.#session, this.#unread);
    else if (this.#isWanted || !(this.#rests = part.rest(this, this.#draft, this.#scope))) this[SHARED].begin?.();
  }

  #lookAgain() {
    this[SHARED].$look.set(this.#lookOf(this.#session ?? this.#draft));
  }

  #lookOf({$form}: FormParts): Look {
    const {currency = 'USD', locked = []} = $form.get().page ?? {};
    return lookOf(this.#speech.spoken, this.messages, {
      currency,
      header: !this.noHeader,
      journal: keepsSwaps(this),
      locked,
      rests: this.#rests,
    });
  }
}

// Lit creates the properties, from the list that the types and the reference are derived from.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type
export interface SwapWidget extends Settings {}
