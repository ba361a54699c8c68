import {LitElement, type PropertyValues} from 'lit';
import {property} from 'lit/decorators.js';
import type {WritableAtom} from 'nanostores';
import type {SwapError} from '../../domain/error.js';
import type {Stage} from '../../domain/stage.js';
import type {SwapSession} from '../../session/session.js';
import type {errorIn, orderIn, run, SwapOrder} from '../event-of.js';
import {base, frame} from '../style/styles.js';
import {tokens} from '../style/tokens.js';
import {keepLooks, SHARED, type Look, type Shared} from './swap-element.js';

/** What a public element shares with its parts. Only the element changes it. */
interface Own extends Shared {
  readonly $session: WritableAtom<SwapSession | undefined>;
  readonly $look: WritableAtom<Look>;
  /** Its present stay on the page, or the last one. */
  stay: AbortController;
  /** What runs and reads a session for the page, once that code is loaded. */
  late(): {readonly run: typeof run; readonly orderIn: typeof orderIn; readonly errorIn: typeof errorIn} | undefined;
}

/** What `<swap-widget>` and `<swap-status>` have in common: a session that a page can read, in the page's language. */
export abstract class PublicElement extends LitElement {
  static override styles = [tokens, base, frame];

  /** The language of texts, numbers, times and dates. Default: the nearest one of the page, else the browser's. */
  @property({useDefault: true}) override lang = '';

  /** @internal */
  [SHARED]!: Own;

  /** Simulated browsers, as in partners' tests, have none. */
  readonly #internals = (this as Partial<HTMLElement>).attachInternals?.();

  /** The stage of the swap. */
  get stage(): Stage {
    return this[SHARED].$session.get()?.$stage.get() ?? 'editing';
  }

  /** The displayed order: as the service describes it, with what its chains show, and at the end its `witness`. */
  get order(): SwapOrder | undefined {
    const session = this[SHARED].$session.get();
    return session && this[SHARED].late()?.orderIn(session);
  }

  /** The last error. */
  get error(): SwapError | undefined {
    const session = this[SHARED].$session.get();
    return session && this[SHARED].late()?.errorIn(session);
  }

  override connectedCallback() {
    super.connectedCallback();
    const {$session, late} = this[SHARED];
    const {signal} = (this[SHARED].stay = new AbortController());
    const stop = $session.subscribe(session => {
      if (session) {
        signal.addEventListener(
          'abort',
          session.$stage.subscribe(stage => this.#showStage(stage)),
        );
        late()?.run(this, session, signal);
      } else this.#showStage('editing');
    });
    signal.addEventListener('abort', stop);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this[SHARED].stay.abort();
  }

  adoptedCallback() {
    keepLooks(this);
  }

  protected override update(changed: PropertyValues) {
    // Lit would reflect it whenever the page's language is read, which depends on this very attribute.
    if (this.lang !== (this.getAttribute('lang') ?? '')) this.setAttribute('lang', this.lang);
    super.update(changed);
  }

  /** Exposes the stage to the page's style sheets. */
  #showStage(stage: Stage): void {
    try {
      this.#internals?.states.clear();
      this.#internals?.states.add(stage);
    } catch {
      // Older browsers only accept states that begin with two dashes, and have no `:state()` anyway.
    }
  }
}
