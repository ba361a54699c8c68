import {css, html, type PropertyValues, type TemplateResult} from 'lit';
import {property} from 'lit/decorators.js';
import type {Asset} from '../../domain/asset.js';
import type {Side} from '../../domain/draft.js';
import type {Messages} from '../../locales/messages.js';
import {SwapElement} from '../base/swap-element.js';
import {allWords} from '../base/words.js';
import {sign} from '../icons/icons.js';
import {signs} from '../icons/signs.js';
import {facts} from '../style/facts.js';
import {list} from '../style/list.js';
import {base, frame, marks} from '../style/styles.js';

/**
 * The base of what opens in front of a view, within its frame: a heading, a way out, and Escape.
 *
 * @fires close - The person has chosen, or does not want to.
 */
export abstract class SwapPicker extends SwapElement {
  static override styles = [
    base,
    facts,
    frame,
    marks,
    list,
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
        margin: 0;
        padding: 0;
        border: 0;
        color: inherit;
        box-shadow: none;
      }
    `,
  ];

  /** What is chosen for. */
  @property({attribute: false}) side: Side = 'pay';

  #hadFocus = false;

  override connectedCallback() {
    super.connectedCallback();
    this.addEventListener('keydown', this.#closeOnEscape);
    document.addEventListener('keydown', this.#closeOnEscape);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.removeEventListener('keydown', this.#closeOnEscape);
    document.removeEventListener('keydown', this.#closeOnEscape);
  }

  protected override get t(): Messages {
    return allWords(this.look);
  }

  protected override willUpdate(changed: PropertyValues) {
    super.willUpdate(changed);
    this.#hadFocus = this.matches(':focus-within');
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    // What had the focus may be gone, such as the wallet that is being asked.
    if (this.#hadFocus && !this.matches(':focus-within')) this.focus();
  }

  /**
   * The dialog. It is not modal: it covers the widget alone, which is inert behind it, and a modal one would keep the
   * person from a wallet's window in the page.
   */
  protected dialog(title: string, body: unknown, foot?: unknown): TemplateResult {
    return html`<dialog class="frame" open aria-labelledby="title">
      <header class="head">
        <h2 id="title" tabindex="-1">${title}</h2>
        <button class="ghost" type="button" aria-label=${this.t.close} @click=${this.close}>
          ${sign(signs.close)}
        </button>
      </header>
      <div class="body scroll">${body}</div>
      ${foot ? html`<footer class="foot">${foot}</footer>` : ''}
    </dialog>`;
  }

  protected close() {
    this.dispatchEvent(new Event('close'));
  }

  /** The asset of the side that is chosen for. */
  protected get asset(): Asset | undefined {
    const {from, to} = this.read(this.session.$draft);
    return this.read(this.session.$config)?.catalogue.find(this.side === 'pay' ? from : to);
  }

  readonly #closeOnEscape = (event: KeyboardEvent) => {
    const isFocusHere = event.currentTarget === this;
    const isFocusNowhere = event.target === document.body;
    const isShown = this.renderRoot.querySelector('dialog') !== null;
    if (event.key !== 'Escape' || !isShown || !(isFocusHere || isFocusNowhere)) return;
    // Escape closes this list, not a dialog that the widget may be in.
    event.preventDefault();
    event.stopPropagation();
    this.close();
  };
}
