/*
 * What a widget loads after its form, all of it by `lazy`: a promise that all widgets of the page share, kept, and
 * tried again with the next call after it failed.
 */
import {html, type TemplateResult} from 'lit';
import {lazy, type Lazy} from '../domain/lazy.js';
import type {FirstMessages} from '../locales/messages.js';
import type {PublicElement} from './base/public-element.js';
import {SHARED} from './base/swap-element.js';
import {whenIdle} from './base/when-idle.js';
import type {ViewName} from './event-of.js';
import {loadDrawings} from './icons/icons.js';
import type {Speech} from './speech.js';

export const behind = lazy(() => import('./behind.js'));
const button = lazy(() => import('./launch.js'));

const views: Readonly<Record<Exclude<ViewName, 'form'>, Lazy<unknown>>> = {
  review: lazy(() => import('./order/review-view.js')),
  deposit: lazy(() => import('./order/deposit/deposit-view.js')),
  progress: lazy(() => import('./order/progress/progress-view.js')),
  journal: lazy(() => import('./order/journal-view.js')),
  closed: lazy(() => import('./order/closed-view.js')),
};

/** What one widget loads, always with all words of its language, and what it shows if that fails. */
export class Loading {
  /** Most likely the connection is down. What is on the screen stays. */
  #hasFailed = false;
  #again = () => {};
  readonly #widget: PublicElement;
  readonly #speech: Speech;

  constructor(widget: PublicElement, speech: Speech) {
    this.#widget = widget;
    this.#speech = speech;
  }

  /** Whether a view can be shown; if not, it is loaded. */
  hasView(name: ViewName): boolean {
    if (name === 'form' || (customElements.get(`swap-widget-${name}-view`) && this.#speech.spoken.late)) {
      this.#hasFailed = false;
      return true;
    }
    void this.#load(views[name], () => this.#widget.requestUpdate());
    return false;
  }

  settings(): Promise<void> {
    return this.#load(behind, async ({pause}) => {
      await pause();
      this.#widget[SHARED].readSettings?.();
    });
  }

  /** Loads what nothing waits for, and what could no longer be loaded without a connection. */
  whenIdle(): void {
    const load = () => {
      const {$session, $look} = this.#widget[SHARED];
      void Promise.allSettled([
        this.#speech.speak(),
        // Another widget of the page may have loaded it, so that the settings were read already.
        $session.get() ?? ($look.get().rests || this.settings()),
        behind().catch(loadDrawings),
      ]);
    };
    whenIdle(load);
  }

  /** Loads the button and its dialog, and opens or closes it. Without a connection there is none until the next change or click. */
  async launch(deed?: 'open' | 'close'): Promise<void> {
    try {
      await Promise.all([button(), this.#speech.speak()]);
      await this.#widget.updateComplete;
      if (deed) this.#widget.renderRoot.querySelector('swap-widget-launch')?.[deed]();
    } catch {
      // As said above.
    }
  }

  renderFailure(t: FirstMessages): TemplateResult | '' {
    if (!this.#hasFailed) return '';
    return html`<p class="foot-note" role="alert">
      <span>${t.notLoaded}</span>
      <button class="link" type="button" @click=${this.#again}>${t.tryAgain}</button>
    </p>`;
  }

  async #load<Part>(load: () => Promise<Part>, done: (part: Part) => unknown): Promise<void> {
    this.#again = () => void this.#load(load, done);
    try {
      const [part] = await Promise.all([load(), this.#speech.speak()]);
      await done(part);
      this.#hasFailed = false;
    } catch {
      // It is loaded again with a click, or once the connection is back.
      this.#hasFailed = true;
      this.#widget.requestUpdate();
      addEventListener('online', () => this.#again(), {once: true, signal: this.#widget[SHARED].stay.signal});
    }
  }
}
