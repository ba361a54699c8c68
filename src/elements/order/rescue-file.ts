import {css, html} from 'lit';
import {property, state} from 'lit/decorators.js';
import {toSwapError, type SwapError} from '../../domain/error.js';
import {register} from '../base/swap-element.js';
import {LatePart} from '../base/words.js';
import {facts} from '../style/facts.js';
import {base} from '../style/styles.js';
import {errorNote, linkButton} from './order-parts.js';

/**
 * The rescue file of an order: a link, and once it is pressed the file to save and the same as a code.
 *
 * @tag swap-widget-rescue-file
 */
class RescueFile extends LatePart {
  static override styles = [
    base,
    facts,
    css`
      :host {
        display: block;
      }
      .rescue {
        display: grid;
        gap: calc(var(--_u) * 2);
        justify-items: center;
        padding-block: calc(var(--_u) * 2);
        font-size: var(--_t-s);
        text-align: center;
      }
      /* Larger than a payment's code: it says more. */
      .code {
        inline-size: min(100%, var(--_r) * 17);
      }
    `,
  ];

  /** Whose file it is. */
  @property() order = '';
  /** Hands a text to the person as a file. */
  @property({attribute: false}) save?: (name: string, text: string) => void;

  @state() private text = '';
  @state() private error?: SwapError | undefined;

  override render() {
    const {t, text, error} = this;
    if (!text)
      return html`<p class="foot-note">${linkButton(t.rescue, () => this.#open())}</p>
        ${error ? errorNote(error, 'progress') : ''}`;
    const name = `swap-rescue-${this.order.slice(0, 16)}.json`;
    return html`<div class="rescue">
      <p>${t.rescueWhy}</p>
      <swap-widget-qr-code class="code" text=${text} label=${t.rescueCode}></swap-widget-qr-code>
      ${linkButton(t.saveReceipt, () => this.save?.(name, `${text}\n`))}
    </div>`;
  }

  async #open() {
    const {order} = this;
    try {
      const [text] = await Promise.all([this.session.rescueFile(order), import('./deposit/qr-code.js')]);
      if (order === this.order) this.text = text;
    } catch (cause) {
      this.error = toSwapError(cause, 'unreadable');
    }
  }
}

register({'swap-widget-rescue-file': RescueFile});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-rescue-file': RescueFile;
  }
}
