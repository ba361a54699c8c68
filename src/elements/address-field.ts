import {css, html} from 'lit';
import {property, state} from 'lit/decorators.js';
import {cut} from './format.js';
import {icon} from './icons.js';
import {base} from './styles.js';
import {SwapElement} from './swap-element.js';
import type {Side} from './swap-view.js';

/**
 * Whose money it is: the account that pays, or the address that receives. An address at rest is cut in its middle so
 * that both ends can be compared; with the focus in it, it is whole.
 *
 * @tag swap-widget-address-field
 * @fires wallet - A wallet shall be chosen.
 * @csspart field - The line.
 */
export class AddressField extends SwapElement {
  static override styles = [
    base,
    css`
      :host {
        display: block;
        grid-column: 2 / -1;
        margin-block-start: calc(var(--_u) * 2);
      }
      .top {
        display: flex;
        flex-wrap: wrap;
        gap: 0 calc(var(--_u) * 2);
        line-height: calc(var(--_u) * 4);
      }
      .problem {
        margin-inline-start: auto;
      }
      .problem .icon {
        margin: 0;
      }
      .label {
        color: var(--_quiet);
        font-size: var(--_t-s);
      }
      .write {
        display: flex;
        align-items: center;
        gap: calc(var(--_u) * 2);
        min-block-size: calc(var(--_u) * 9);
        border-block-end: 1px solid var(--_edge);
      }
      .write:has(input:focus-visible) {
        border-color: var(--_focus);
        box-shadow: 0 1px 0 var(--_focus);
      }
      input,
      .account {
        flex: 1;
        min-inline-size: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      input {
        block-size: calc(var(--_u) * 9);
      }
      input:not(:placeholder-shown),
      bdi.account {
        font-family: var(--_mono);
        font-size: 0.875rem;
      }
      input:focus-visible {
        outline: 0;
      }
      .bad {
        border-color: var(--_bad);
      }
      /* Both ends of an address stay in sight. */
      @container (inline-size < 20rem) {
        input:not(:placeholder-shown),
        bdi.account {
          font-size: 0.75rem;
        }
      }
      @media (forced-colors: active) {
        .write:has(input:focus-visible) {
          outline: 2px solid Highlight;
          outline-offset: 2px;
        }
      }
    `,
  ];

  /** Which of the two it is. */
  @property() side: Side = 'pay';

  @state() private focused = false;

  override focus() {
    this.renderRoot.querySelector<HTMLElement>('input, button')?.focus();
  }

  override render() {
    return this.side === 'pay' ? this.#renderPayer() : this.#renderRecipient();
  }

  #renderPayer() {
    const {session, t} = this;
    const account = this.#account(this.read(session.$draft).from);
    return html`<div part="field">
      <span class="top"><span class="label" id="label">${t.payFrom}</span></span>
      <span class="write">
        ${
          account
            ? html`<bdi class="account ltr" title=${account}>${cut(account, 10, 8)}</bdi>`
            : html`<span class="account quiet">${t.noWallet}</span>`
        }
        <button
          class="chip"
          type="button"
          aria-label=${account ? t.changePayer : t.connectPayer}
          @click=${this.#chooseWallet}
        >
          ${account ? t.change : t.connect}
        </button>
      </span>
    </div>`;
  }

  #renderRecipient() {
    const {session, t, focused} = this;
    const {to, recipient} = this.read(session.$draft);
    const asset = this.read(session.$config)?.catalogue.find(to);
    const address = recipient || (this.#account(to) ?? '');
    const locked = this.look.locked.includes('recipient');
    const bad = !focused && this.read(session.$problem)?.code === 'not-an-address';
    return html`<div part="field">
      <span class="top">
        <label class="label" for="address">${t.receiveAt}</label>
        ${
          bad && asset
            ? html`<span class="problem" id="problem"> ${icon('alert', 's')}<span>${t.notAnAddress}</span> </span>`
            : ''
        }
      </span>
      <span class="write ${bad ? 'bad' : ''}">
        <input
          id="address"
          class="ltr"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          placeholder=${asset ? t.addressOn(asset.chain.title) : t.chooseFirst}
          .value=${focused ? address : cut(address, 10, 8)}
          title=${address}
          ?readonly=${locked}
          aria-invalid=${bad ? 'true' : 'false'}
          aria-describedby="problem"
          @input=${this.#edit}
          @focus=${this.#focus}
          @blur=${this.#blur}
        />
        ${
          asset && !locked
            ? html`<button
                class="chip"
                type="button"
                aria-label=${address ? t.changeRecipient : t.connectRecipient}
                @click=${this.#chooseWallet}
              >
                ${address ? t.change : t.connect}
              </button>`
            : ''
        }
      </span>
    </div>`;
  }

  /** The connected account of an asset's family. */
  #account(id: string): string | undefined {
    const asset = this.read(this.session.$config)?.catalogue.find(id);
    return asset && this.read(this.session.$accounts)[asset.chain.family]?.address;
  }

  #edit(event: InputEvent) {
    this.session.edit({recipient: (event.target as HTMLInputElement).value});
  }

  #focus() {
    this.focused = true;
  }

  #blur() {
    this.focused = false;
  }

  #chooseWallet() {
    this.dispatchEvent(new Event('wallet'));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-address-field': AddressField;
  }
}
