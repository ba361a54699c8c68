import {css, html, type PropertyValues, type TemplateResult} from 'lit';
import {property} from 'lit/decorators.js';
import type {Asset} from '../../domain/asset.js';
import type {Side} from '../../domain/draft.js';
import {list} from '../base/list.js';
import {isSmallTouchScreen} from '../base/media.js';
import {LatePart} from '../base/words.js';
import {sign} from '../icons/icons.js';
import {signs} from '../icons/signs.js';
import {echo, isWalletAsked, Overlay, sheet} from '../overlay.js';
import {facts} from '../style/facts.js';
import {base, frame, marks} from '../style/styles.js';

/**
 * The base of the lists that open in front of a view, within its frame. They close with a button, on Escape, and when
 * Tab leaves them.
 *
 * @fires close - The visitor has chosen something, or left the list.
 */
export abstract class SwapPicker extends LatePart {
  static override styles = [
    base,
    facts,
    frame,
    marks,
    list,
    sheet,
    css`
      :host {
        display: block;
        position: absolute;
        inset: 0;
        z-index: 2;
      }
      .frame {
        inline-size: 100%;
        block-size: 100%;
        min-block-size: 0;
        padding: 0;
        border: 0;
        color: inherit;
        box-shadow: none;
      }
      .frame:modal {
        block-size: min(88dvb, var(--_r) * 44);
        padding-block-end: env(safe-area-inset-bottom, 0px);
      }
    `,
  ];

  @property({attribute: false}) side: Side = 'pay';

  #hadFocus = false;
  readonly #isSheet = isSmallTouchScreen();
  readonly #overlay = new Overlay(this, () => this.close());
  #listening?: AbortController;
  #isTab = false;

  override connectedCallback() {
    super.connectedCallback();
    const {signal} = (this.#listening = new AbortController());
    this.addEventListener('keydown', this.#onKey, {signal});
    this.addEventListener('focusout', this.#onLeave, {signal});
    // Closer than a dialog that may contain the widget.
    for (const around of [(this.getRootNode() as ShadowRoot).host, this.ownerDocument])
      around.addEventListener('keydown', this.#closeOnEscape, {signal});
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#listening?.abort();
  }

  protected override willUpdate(changed: PropertyValues) {
    super.willUpdate(changed);
    this.#hadFocus = this.matches(':focus-within');
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    // The focused element may be gone: a wallet is not a button while its connection is pending.
    if (this.#hadFocus && !this.matches(':focus-within')) this.focus();
    // A sheet covers the whole page. The window of a prompting wallet may be in the page.
    const isAsked = isWalletAsked(this.read, this.session);
    if (this.#isSheet && this.isConnected) this.#overlay.show(!isAsked);
  }

  /**
   * The dialog. It is not modal: it only covers the widget, which is inert behind it, and a modal one would block a
   * wallet's window in the page.
   */
  protected dialog(title: string, body: unknown): TemplateResult {
    return html`<dialog class="frame" open aria-labelledby="title">
      <header class="head">
        <h2 id="title" tabindex="-1">${title}</h2>
        <button class="ghost" type="button" aria-label=${this.t.close} @click=${this.close}>
          ${sign(signs.close)}
        </button>
      </header>
      <div class="body scroll">${body}</div>
      ${echo}
    </dialog>`;
  }

  protected close() {
    this.dispatchEvent(new Event('close'));
  }

  protected typeAhead?(): void;

  protected get asset(): Asset | undefined {
    return this.assetOf(this.side);
  }

  readonly #onKey = (event: KeyboardEvent) => {
    const {key, ctrlKey, altKey, metaKey} = event;
    if (key === 'Tab') {
      // The focus moves before the next task.
      this.#isTab = true;
      setTimeout(() => (this.#isTab = false));
    }
    const isLetter = key.length === 1 && key !== ' ' && !ctrlKey && !altKey && !metaKey;
    const [target] = event.composedPath();
    const isText = target instanceof HTMLInputElement && target.type === 'text';
    if (isLetter && !isText) this.typeAhead?.();
  };

  /** A list closes when the focus leaves it, unless it waits for a wallet, whose window may be in the page. */
  readonly #onLeave = () => {
    if (!this.#isTab || isWalletAsked(this.read, this.session)) return;
    // The focus first reaches its new place.
    setTimeout(() => {
      if (this.isConnected) this.close();
    });
  };

  /** Escape closes it from anywhere in the widget, and if nothing is focused. */
  readonly #closeOnEscape = (event: Event) => {
    const {currentTarget, target} = event;
    if (currentTarget !== this.ownerDocument || target === this.ownerDocument.body) this.#overlay.leaveOnEscape(event);
  };
}
