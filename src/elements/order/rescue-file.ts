import {css, html, type PropertyValues} from 'lit';
import {property, state} from 'lit/decorators.js';
import {toSwapError, type SwapError} from '../../domain/error.js';
import type {ShownOrder} from '../../session/session.js';
import {register} from '../base/swap-element.js';
import {LatePart, pieces, sentences} from '../base/words.js';
import {facts} from '../style/facts.js';
import {base} from '../style/styles.js';
import {errorNote, linkButton} from './order-parts.js';
import {isUnverified} from './permissions.js';
import type {OrderContext} from './order-view.js';
import {openerLink, openerOf, print, saveFile} from './keep.js';

/**
 * The rescue file of an order: a button that shows and hides the file to save or print, and its QR code.
 *
 * @tag swap-widget-rescue-file
 */
export class RescueFile extends LatePart {
  static override styles = [
    base,
    facts,
    css`
      :host {
        display: block;
        font-size: var(--_t-s);
      }
      /* Below the content that it is beside as a link. */
      :host([opened]) {
        order: 1;
        flex: 1 0 100%;
      }
      /* As in the view: a line of text, however large its click target. */
      .foot-note {
        display: inline;
      }
      .rescue {
        display: grid;
        gap: calc(var(--_u) * 2);
        justify-items: center;
        padding-block: calc(var(--_u) * 2);
        overflow-wrap: anywhere;
        text-align: center;
      }
      .keep {
        display: flex;
        flex-wrap: wrap;
        justify-content: center;
        gap: calc(var(--_u) * 2) calc(var(--_u) * 6);
      }
      /* Larger than a payment's QR code: it holds more data. */
      .code {
        inline-size: min(100%, var(--_r) * 17);
      }
      .code[hidden] {
        display: none;
      }
    `,
  ];

  @property() order = '';
  /** Whether only the service can return the payment, as it holds both keys of a Bitcoin address. */
  @property({type: Boolean}) byService = false;
  /** Whether its QR code is only printed, since another code on the screen is to be scanned. */
  @property({type: Boolean}) codeless = false;

  @state() private text = '';
  @state() private error?: SwapError | undefined;

  override render() {
    const {t, text, error} = this;
    return html`<p class="foot-note">
        <button class="link" type="button" aria-expanded=${text ? 'true' : 'false'} @click=${this.#toggle}>
          ${t.rescue}
        </button>
      </p>
      ${text ? this.#renderFile() : error ? errorNote(error, 'progress') : ''}`;
  }

  #renderFile() {
    const {t, text} = this;
    const name = `swap-rescue-${this.order.slice(0, 16)}.json`;
    return html`<div class="rescue">
      <p>${sentences(this.#why(), html`<span>${pieces(t.rescuePage, {page: openerLink()})}</span>`)}</p>
      <swap-widget-qr-code
        class="code"
        text=${text}
        label=${t.rescueCode}
        ?hidden=${this.codeless}
      ></swap-widget-qr-code>
      <p class="keep">
        ${linkButton(t.saveReceipt, () => saveFile(name, `${text}\n`))}
        ${linkButton(t.printReceipt, event => this.#print(event))}
      </p>
    </div>`;
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    super.willUpdate(changed);
    if (!changed.has('order')) return;
    this.text = '';
    this.error = undefined;
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    this.toggleAttribute('opened', this.text !== '' || this.error !== undefined);
    if (changed.has('text')) this.renderRoot.querySelector('.rescue')?.scrollIntoView({block: 'nearest'});
  }

  async #toggle() {
    const {order, text: shown} = this;
    this.text = '';
    this.error = undefined;
    if (shown) return;
    try {
      const [text] = await Promise.all([this.session.rescueFile(order), import('./deposit/qr-code.js')]);
      if (order === this.order) this.text = text;
    } catch (cause) {
      this.error = toSwapError(cause, 'unreadable');
    }
  }

  #why(): string {
    return this.byService ? this.t.rescueWhyService : this.t.rescueWhy;
  }

  /** The QR code and, for those who cannot scan it, the same text. */
  #print(event: Event) {
    const {t, text} = this;
    const code = this.renderRoot.querySelector('swap-widget-qr-code')?.renderRoot.querySelector('svg');
    print(event, t.rescue, page => {
      const [why, letters] = [page.createElement('p'), page.createElement('p')];
      why.append(...(sentences(this.#why(), t.rescuePage({page: openerOf()})) as string[]));
      letters.dir = 'ltr';
      letters.append(page.createElement('code'));
      letters.firstElementChild?.append(text);
      return [why, ...(code ? [page.importNode(code, true)] : []), letters];
    });
  }
}

register({'swap-widget-rescue-file': RescueFile});

export function renderRescue(context: OrderContext, placed: ShownOrder | undefined, codeless = false): unknown {
  // Nobody knows how to get money back from a contract that is not verified.
  const isOfUse =
    placed?.deal?.deposit.how === 'transfer' ||
    (placed?.deal && (placed.story?.isHeld === true || !isUnverified(context, placed.id)));
  return isOfUse
    ? html`<swap-widget-rescue-file
        order=${placed.id}
        ?byService=${placed.deal.deposit.how === 'transfer'}
        ?codeless=${codeless}
      ></swap-widget-rescue-file>`
    : '';
}
