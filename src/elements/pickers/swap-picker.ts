import {css, html, type TemplateResult} from 'lit';
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
        block-size: 100%;
        min-block-size: 0;
        border: 0;
        box-shadow: none;
      }
    `,
  ];

  /** What is chosen for. */
  @property({attribute: false}) side: Side = 'pay';

  constructor() {
    super();
    this.addEventListener('keydown', this.#escape);
  }

  protected override get t(): Messages {
    return allWords(this.look);
  }

  protected dialog(title: string, body: unknown, foot?: unknown): TemplateResult {
    return html`<div class="frame" role="dialog" aria-modal="true" aria-labelledby="title">
      <header class="head">
        <h2 id="title" tabindex="-1">${title}</h2>
        <button class="ghost" type="button" aria-label=${this.t.close} @click=${this.close}>
          ${sign(signs.close)}
        </button>
      </header>
      <div class="body scroll">${body}</div>
      ${foot ? html`<footer class="foot">${foot}</footer>` : ''}
    </div>`;
  }

  protected close() {
    this.dispatchEvent(new Event('close'));
  }

  /** The asset of the side that is chosen for. */
  protected get asset(): Asset | undefined {
    const {from, to} = this.read(this.session.$draft);
    return this.read(this.session.$config)?.catalogue.find(this.side === 'pay' ? from : to);
  }

  readonly #escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Escape means this list, not a dialog that the widget may stand in.
    event.preventDefault();
    event.stopPropagation();
    this.close();
  };
}
