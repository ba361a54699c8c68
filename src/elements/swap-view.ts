import {html, type PropertyValues, type TemplateResult} from 'lit';
import {state} from 'lit/decorators.js';
import type {Stage} from '../domain/order.js';
import {isTerminal} from '../domain/stage.js';
import type {JournalEntry} from '../session/journal.js';
import type {ChainFamily} from '../domain/asset.js';
import {SwapConnectRequestEvent} from '../events.js';
import {icon} from './icons.js';
import type * as Motion from './motion.js';
import {base, frame, marks, thread} from './styles.js';
import {SwapElement} from './swap-element.js';

/** Which side of the swap something is about. */
export type Side = 'pay' | 'receive';

/** What is being chosen in front of a view. */
type Choice =
  | {readonly what: 'asset'; readonly side: Side}
  | {readonly what: 'wallet'; readonly side: Side; readonly family: ChainFamily};

/** What a view puts into its frame. */
interface FrameContent {
  /** The heading: what this stage is called. It is focused when it changes. */
  readonly title: string;
  readonly body: unknown;
  readonly foot: unknown;
  /** Whether the header offers the way back. */
  readonly back?: boolean;
  /** Whether the header offers the journal. */
  readonly list?: boolean;
  /** Whether the body is a list, which scrolls. */
  readonly scroll?: boolean;
  /** From when to when the hairline over the footer shortens, in milliseconds since 1970. */
  readonly clock?: {readonly from: number; readonly until: number} | undefined;
}

let motion: typeof Motion | undefined;

/** Loads what moves the money from stage to stage. Without it nothing moves, and nothing else changes. */
export async function loadMotion(): Promise<void> {
  motion = await import('./motion.js');
}

/** Notes where the money stands before a stage goes; the answer moves it to its place in the next. */
export function leaveStage(view: Element): ((next: Element) => void) | undefined {
  return motion?.leaveStage(view);
}

/** The base of the views: the frame around each stage, its heading, and the pickers that open in front of it. */
export abstract class SwapView extends SwapElement {
  static override styles = [base, frame, thread, marks];

  @state() private choice?: Choice | undefined;
  @state() private notLoaded = false;
  @state() private copied = false;

  #title = '';
  #clock?: FrameContent['clock'];
  #drain?: Animation | undefined;
  #opener?: HTMLElement | undefined;
  #arrive?: ((view: Element) => void) | undefined;

  protected frame(content: FrameContent): TemplateResult {
    const {look, t, choice} = this;
    const {title, back, list = true} = content;
    const covered = choice !== undefined;
    const open = this.read(this.session.$journal).filter(isOpen).length;
    const bare = !look.header && !back;
    if (this.#title && this.#title !== title) this.#arrive = leaveStage(this);
    this.#title = title;
    this.#clock = content.clock;
    return html`<section class="frame ${content.scroll ? 'list-frame' : ''}" part="frame" aria-label=${title}>
      <header class="head ${bare ? 'bare' : ''}" part="header" ?inert=${covered}>
        ${
          back
            ? html`<button class="ghost" type="button" aria-label=${t.back} @click=${this.#back}>
                ${icon('back', 'turns')}
              </button>`
            : ''
        }
        <h2 tabindex="-1" class=${look.header ? '' : 'hidden'}>${title}</h2>
        ${
          look.header && this.read(this.session.$config)?.catalogue.test
            ? html`<span class="tag">${t.testNetwork}</span>`
            : ''
        }
        ${
          look.header && look.journal && list
            ? html`<button
                class="ghost"
                type="button"
                aria-label=${open ? t.yourSwapsOpen(open) : t.yourSwaps}
                @click=${this.#openJournal}
              >
                ${icon('list', 'turns')}${open ? html`<b>${open}</b>` : ''}
              </button>`
            : ''
        }
      </header>
      <div class="body ${content.scroll ? 'scroll' : ''}" part="body" ?inert=${covered}>${content.body}</div>
      <footer class="foot" part="footer" ?inert=${covered}>
        ${content.clock ? html`<span class="clock" aria-hidden="true"></span>` : ''}
        ${this.notLoaded ? html`<p class="problem" role="alert">${t.notLoaded}</p>` : ''} ${content.foot}
      </footer>
      ${this.#picker(choice)}
    </section>`;
  }

  /** Puts the keyboard and the reader at the heading. */
  focusHeading() {
    this.renderRoot.querySelector('h2')?.focus();
  }

  /** Lets the person choose an asset in front of the view. */
  protected async chooseAsset(side: Side) {
    await this.#open({what: 'asset', side}, () => import('./asset-picker.js'));
  }

  /** Lets the person choose a wallet in front of the view, unless the page wants to see to it. */
  protected async chooseWallet(family: ChainFamily, side: Side) {
    if (!this.dispatchEvent(new SwapConnectRequestEvent(family, side))) return;
    await this.#open({what: 'wallet', side, family}, () => import('./wallet-picker.js'));
  }

  /** Is told when the person would rather type an address than choose a wallet. */
  protected enterAddress() {
    this.focusHeading();
  }

  /** A link that copies a text, and says so. */
  protected copyLink(label: string, text: () => string): TemplateResult {
    return html`<button class="link" type="button" @click=${() => this.#copy(text())}>
      ${this.copied ? this.t.copied : label}
    </button>`;
  }

  /** A button that copies a text, and says so. */
  protected copyButton(label: string, text: () => string): TemplateResult {
    return html`<button class="secondary" part="secondary" type="button" @click=${() => this.#copy(text())}>
      ${this.copied ? this.t.copied : label}
    </button>`;
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    const heading = this.renderRoot.querySelector('h2');
    if (heading && heading.dataset['title'] !== this.#title) {
      // The first title of a view is focused by whoever puts the view there.
      if (heading.dataset['title'] !== undefined && this.matches(':focus-within')) heading.focus();
      heading.dataset['title'] = this.#title;
      this.copied = false;
    }
    this.#arrive?.(this);
    this.#arrive = undefined;
    this.#drainClock();
  }

  #drainClock() {
    const element = this.renderRoot.querySelector('.clock');
    const clock = this.#clock;
    if (!element || !clock) {
      this.#drain = undefined;
      return;
    }
    const id = `${String(clock.from)}-${String(clock.until)}`;
    if (this.#drain?.id === id && (this.#drain.effect as KeyframeEffect).target === element) return;
    this.#drain?.cancel();
    this.#drain = element.animate([{transform: 'scaleX(1)'}, {transform: 'scaleX(0)'}], {
      id,
      duration: Math.max(0, clock.until - clock.from),
      delay: clock.from - this.session.$now.get(),
      fill: 'backwards',
    });
  }

  #picker(choice: Choice | undefined) {
    switch (choice?.what) {
      case undefined:
        return '';
      case 'asset':
        return html`<swap-widget-asset-picker
          exportparts="search"
          .side=${choice.side}
          @close=${this.#closed}
        ></swap-widget-asset-picker>`;
      case 'wallet':
        return html`<swap-widget-wallet-picker
          .side=${choice.side}
          .family=${choice.family}
          @close=${this.#closed}
          @enter-address=${this.#enterAddress}
        ></swap-widget-wallet-picker>`;
    }
  }

  async #open(choice: Choice, load: () => Promise<unknown>) {
    this.#opener = deepActiveElement(this.renderRoot);
    try {
      await load();
      this.notLoaded = false;
      this.choice = choice;
    } catch {
      this.notLoaded = true;
      return;
    }
    await this.updateComplete;
    const picker = this.renderRoot.querySelector<SwapElement>(`swap-widget-${choice.what}-picker`);
    await picker?.updateComplete;
    picker?.focus();
  }

  async #copy(text: string) {
    try {
      await navigator.clipboard.writeText(text);
      this.copied = true;
    } catch {
      // A page may be denied the clipboard; then the label stays as it is.
    }
  }

  #back() {
    this.session.back();
  }

  #openJournal() {
    this.session.openJournal();
  }

  async #closed() {
    this.choice = undefined;
    await this.updateComplete;
    if (this.#opener?.isConnected) this.#opener.focus();
    else this.focusHeading();
  }

  async #enterAddress() {
    this.choice = undefined;
    await this.updateComplete;
    this.enterAddress();
  }
}

/** Whether an order of the journal still waits for something. */
export function isOpen({stage}: JournalEntry): boolean {
  return !isTerminal(stage) && stage !== ('expired' satisfies Stage);
}

/** The focused element of a part, in whatever shadow root below it sits. */
function deepActiveElement(root: Node): HTMLElement | undefined {
  let active = (root as ShadowRoot).activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : undefined;
}
