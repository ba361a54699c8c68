import {html, type PropertyValues, type TemplateResult} from 'lit';
import {state} from 'lit/decorators.js';
import type {ChainFamily} from '../../domain/asset.js';
import type {Side} from '../../domain/draft.js';
import {lazy} from '../../domain/lazy.js';
import {valueOf} from '../../domain/remote.js';
import type {Stage} from '../../domain/stage.js';
import type {JournalEntry} from '../../session/order/journal.js';
import {icon} from '../icons/icons.js';
import type * as Picking from '../pickers/picking.js';
import type {Picker} from '../pickers/picking.js';
import {base, frame, marks, thread, view} from '../style/styles.js';
import {SHARED, SwapElement} from './swap-element.js';

export interface FrameContent {
  /** The heading: the name of this stage. It is focused when it changes. */
  readonly title: string;
  readonly body: unknown;
  readonly foot: unknown;
  /** Whether the header has a back button. */
  readonly back?: boolean;
  readonly accounts?: boolean;
  readonly list?: boolean;
  /** Whether the body is a list, which scrolls. */
  readonly scroll?: boolean;
}

/** The animation of money between stages. Without it nothing moves, and nothing else changes. */
export const motion = lazy(() => import('../style/motion.js'));

/** Remembers the positions of the money before a stage disappears; the returned function moves it to the next one's. */
export function leaveStage(view: Element): ((next: Element) => void) | undefined {
  return motion.part?.leaveStage(view);
}

/** The base of the views: the frame around each stage, its heading, and the pickers that open in front of it. */
export abstract class SwapView extends SwapElement {
  static override styles = [view, base, frame, thread, marks];

  @state() private picker?: TemplateResult | undefined;
  @state() private notLoaded = false;

  #next?: (() => unknown) | undefined;
  #title = '';
  #arrive?: ((view: Element) => void) | undefined;

  protected frame(content: FrameContent): TemplateResult {
    const {look, t, picker, sessionIfAny: session} = this;
    const {title, back, list = true} = content;
    const covered = picker !== undefined;
    const open = session ? this.read(session.$journal, ({entries}) => entries.filter(isOpen).length) : 0;
    // What was pressed before there are settings goes on with the rendering after that.
    if (session) this.read(session.$settings, 'config');
    const isTest = this.read(this.parts.$form, ({page}) => page?.catalogue.test);
    const bare = !look.header && !back && !isTest;
    if (this.#title && this.#title !== title) this.#arrive = leaveStage(this);
    this.#title = title;
    return html`<section class="frame ${content.scroll ? 'list-frame' : ''}" part="frame" aria-label=${title}>
      <slot name="header"></slot>
      <header class="head ${bare ? 'bare' : ''}" part="header" ?inert=${covered}>
        ${
          back
            ? html`<button class="ghost" type="button" aria-label=${t.back} @click=${this.back}>
                ${icon('back', 'turns')}
              </button>`
            : ''
        }
        <span class="title">
          <h2 tabindex="-1" class=${look.header ? '' : 'hidden'}>${title}</h2>
          ${isTest ? html`<span class="tag">${t.testNetwork}</span>` : ''}
        </span>
        <span class="tools">
          ${
            content.accounts && (session ?? look.rests) && look.header
              ? html`<swap-widget-accounts @choose=${this.#chooseAccount}></swap-widget-accounts>`
              : ''
          }
          ${
            look.header && look.journal && list
              ? html`<button
                  class="ghost"
                  type="button"
                  aria-label=${open ? t.yourSwapsOpen({open}) : t.yourSwaps}
                  @click=${this.#openJournal}
                >
                  ${icon('list', 'turns')}${open ? html`<b>${open}</b>` : ''}
                </button>`
              : ''
          }
          <slot name="close"></slot
        ></span>
      </header>
      <slot name="notice"></slot>
      <div class="body ${content.scroll ? 'scroll' : ''}" part="body" ?inert=${covered}>${content.body}</div>
      <footer class="foot" part="footer" ?inert=${covered}>
        ${this.notLoaded ? html`<p class="problem" role="alert">${t.notLoaded}</p>` : ''} ${content.foot}
        <slot name="legal"></slot>
      </footer>
      <slot name="footer"></slot>
      ${picker}
    </section>`;
  }

  /** While a price is awaited, the clock only says so. */
  protected clock(): unknown {
    const {$form} = this.parts;
    const quote = this.read($form, 'quote');
    const until = this.read($form, 'nextQuoteAt');
    if (quote.state === 'pending') return html`<span class="hidden">${this.t.gettingPrice}</span>`;
    const from = valueOf(quote)?.at;
    if (from === undefined || until === undefined) return '';
    return html`<swap-widget-clock .from=${from} .until=${until}></swap-widget-clock>`;
  }

  focusHeading() {
    this.renderRoot.querySelector('h2')?.focus();
  }

  protected chooseAsset(side: Side) {
    this.whenConfigured(() => this.#pick(import('../pickers/asset-picker.js'), ({pickAsset}) => pickAsset(side)));
  }

  #chooseAccount({detail}: CustomEvent<Side>) {
    this.chooseWalletFor(detail);
  }

  protected chooseWalletFor(side: Side) {
    this.whenConfigured(() => {
      const family = this.assetOf(side)?.chain.family;
      if (family) this.chooseWallet(family, side);
    });
  }

  /** Opens the wallet picker, unless the page handles it. */
  protected chooseWallet(family: ChainFamily, side: Side) {
    const event = this[SHARED].connectRequest?.(family, side);
    if (!event || (!this.dispatchEvent(event) && !event.answer)) return;
    void this.#pick(import('../pickers/wallet-picker.js'), ({pickWallet}) => pickWallet(event, this.session));
  }

  /** Acts once all settings are read. Of several clicks before that, only the last one counts. */
  protected whenConfigured(act: () => unknown) {
    if (this.#isConfigured) act();
    else {
      this.#next = act;
      this[SHARED].begin?.();
    }
  }

  get #isConfigured(): boolean {
    return this.sessionIfAny?.$settings.get().config !== undefined;
  }

  protected enterAddress() {
    this.focusHeading();
  }

  protected override update(changed: PropertyValues) {
    const hadFocus = this.matches(':focus-within');
    super.update(changed);
    const heading = this.renderRoot.querySelector('h2');
    if (!heading) return;
    // What had the focus may be gone. The widget focuses the first title of a view.
    if (hadFocus && (!this.matches(':focus-within') || heading.dataset['title'] !== this.#title)) heading.focus();
    heading.dataset['title'] = this.#title;
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    this.#arrive?.(this);
    this.#arrive = undefined;
    const next = this.#isConfigured ? this.#next : undefined;
    if (!next) return;
    this.#next = undefined;
    next();
  }

  async #pick(picker: Promise<unknown>, choose: (module: typeof Picking) => Picker | Promise<Picker | undefined>) {
    try {
      const [module] = await Promise.all([import('../pickers/picking.js'), picker]);
      this.notLoaded = false;
      await module.pick(await choose(module), {
        root: this.renderRoot,
        show: async template => {
          this.picker = template;
          await this.updateComplete;
        },
        leave: () => this.focusHeading(),
        enterAddress: () => this.enterAddress(),
      });
    } catch {
      this.notLoaded = true;
    }
  }

  protected back() {
    this.session.back();
  }

  #openJournal() {
    this.whenConfigured(() => this.session.openJournal());
  }
}

const ENDED: readonly Stage[] = ['complete', 'refunded', 'stopped', 'expired'];

export function isOpen({stage}: Pick<JournalEntry, 'stage'>): boolean {
  return !ENDED.includes(stage);
}
