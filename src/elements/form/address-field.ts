import {css, html} from 'lit';
import {property, state} from 'lit/decorators.js';
import {depositBy} from '../../domain/asset.js';
import {NOWHERE, type AddressName, type Side} from '../../domain/draft.js';
import {truncate} from '../../domain/truncate.js';
import {base} from '../style/styles.js';
import {SwapElement} from '../base/swap-element.js';

/**
 * The line of an address: the paying account, the refund address, or the recipient. An address without focus is
 * shortened in the middle so that both ends can be compared; with focus it is shown in full. Where the header says whose
 * account it is, there is no line, unless all is to be seen.
 *
 * @tag swap-widget-address-field
 * @fires wallet - The visitor wants to choose a wallet.
 * @csspart field - The line.
 */
export class AddressField extends SwapElement {
  static override styles = [
    base,
    css`
      :host {
        display: block;
        grid-column: 2 / -1;
        margin-block-start: calc(var(--_air) * 0.67);
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 0 calc(var(--_u) * 3);
        border-block-start: 1px solid var(--_line);
      }
      .label,
      ::placeholder,
      .quiet {
        color: var(--_quiet);
        font-size: var(--_t-s);
      }
      .label {
        line-height: calc(var(--_u) * 5);
      }
      /* Beside its label if there is room for all of it, otherwise below. */
      .write {
        flex: 1 1 calc(var(--_r) * 11);
        display: flex;
        flex-wrap: wrap;
        justify-content: end;
        align-items: center;
        gap: 0 calc(var(--_u) * 2);
        min-inline-size: min-content;
      }
      .write > :last-child {
        min-block-size: var(--_tool);
        justify-content: end;
      }
      .line:has(input:focus-visible) {
        box-shadow: 0 2px 0 var(--_focus);
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
        inline-size: 0;
        block-size: var(--_tool);
      }
      input:not(:placeholder-shown),
      bdi.account {
        min-inline-size: 16ch;
        font-family: var(--_mono);
        font-size: calc(var(--_r) * 0.875);
      }
      input:focus-visible {
        outline: 0;
      }
      /* Phones zoom into fields with smaller text. */
      @media (pointer: coarse) {
        .write > input {
          font-size: max(var(--_r), 16px);
        }
      }
    `,
  ];

  @property() side: Side = 'pay';
  /** Whether the line is also there for an account that the header says. */
  @property({attribute: false}) isWhole = false;

  /** Whether the field has the focus; `typing` until Enter is pressed or it is left: nothing is wrong yet. */
  @state() private focused: 'typing' | boolean = false;

  /** Whether the next click still belongs to the press that moved the focus here. */
  #isFresh = false;

  override focus() {
    this.renderRoot.querySelector<HTMLElement>('input, button')?.focus();
  }

  override render() {
    this.toggleAttribute('hidden', !this.#isNeeded);
    if (this.side === 'receive') return this.#renderAddress('recipient', this.t.receiveAt);
    const chain = this.assetOf('pay')?.chain;
    // Paying to an address needs no wallet, but a refund needs an address.
    return chain && depositBy(chain) === 'transfer'
      ? this.#renderAddress('refundAddress', this.t.refundAddress)
      : this.#renderPayer();
  }

  /** Whether an address is missing, another than the header's account, or in question. */
  get #isNeeded(): boolean {
    const {parts, side, look, isWhole} = this;
    const payer = this.assetOf('pay')?.chain;
    const chain = this.assetOf(side)?.chain;
    if (!look.header || this.focused) return true;
    const isOfWallet = payer && depositBy(payer) === 'wallet';
    if (side === 'pay' && isOfWallet) return false;
    if (isWhole || !payer || !chain) return isWhole;
    const field = side === 'pay' ? 'refundAddress' : 'recipient';
    if (this.#fault(field) || this.read(parts.$form, ({warnings}) => warnings?.[field]?.why)) return true;
    const account = this.#account();
    const typed = this.read(parts.$form, ({draft}) => draft[field]);
    // A wallet that is yet to be connected brings its own account.
    return typed ? typed !== account : !account && !(isOfWallet && chain.family === payer.family);
  }

  #renderPayer() {
    const {t} = this;
    const account = this.#account();
    return html`<div class="line" part="field">
      <span class="label">${t.payFrom}</span>
      <span class="write">
        ${
          account
            ? html`<bdi class="account ltr" title=${account}>${truncate(account, 8, 6)}</bdi>`
            : html`<span class="account quiet">${t.noWallet}</span>`
        }
        ${this.#renderChip(account)}
      </span>
    </div>`;
  }

  #renderAddress(field: AddressName, label: string) {
    const {parts, t, look, focused} = this;
    const isRefund = field === 'refundAddress';
    const asset = this.assetOf(this.side);
    const account = this.#account();
    const address = (this.read(parts.$form, ({draft}) => draft[field]) || (account ?? '')).trim();
    // The header shows whose account it is.
    const isTold = look.header && !isRefund && address !== '' && address === account;
    const locked = look.locked.some(name => name === field);
    const bad = this.#fault(field) && focused !== 'typing';
    const present = isRefund ? account : address;
    // A wallet to pay with comes first, and often receives, too.
    const payer = this.assetOf('pay')?.chain;
    const isNext = present || !payer || depositBy(payer) === 'transfer' || this.#account(payer);
    return html`<div class="line ${bad ? 'bad' : ''}" part="field">
        <label class="label" for="address">${label}</label>
        <span class="write">
          <input
            id="address"
            class="ltr"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            placeholder=${asset ? t.addressOn({network: asset.chain.title}) : t.chooseFirst}
            .value=${focused ? address : isTold ? t.yourWallet : truncate(address, 8, 6)}
            title=${address}
            ?readonly=${locked}
            aria-invalid=${bad ? 'true' : 'false'}
            aria-describedby="note"
            @input=${this.#edit}
            @change=${() => (this.focused = true)}
            @focus=${this.#focus}
            @click=${this.#click}
            @blur=${() => (this.focused = false)}
          />
          ${asset && !locked && isNext ? this.#renderChip(present) : ''}
        </span>
      </div>
      ${
        bad
          ? html`<swap-widget-address-note id="note" .field=${field}></swap-widget-address-note>`
          : isRefund
            ? html`<div class="label" id="note" aria-hidden="true">
                ${t.ownWallet} <bdi class="hidden">${address}</bdi>
              </div>`
            : ''
      }
      <swap-widget-address-question .field=${field} .address=${address}></swap-widget-address-question>`;
  }

  #fault(field: AddressName) {
    return this.read(this.parts.$form, ({notes}) => notes?.[field]);
  }

  #renderChip(present: string | undefined) {
    const {t} = this;
    const pays = this.side === 'pay';
    const label = present ? (pays ? t.changePayer : t.changeRecipient) : pays ? t.connectPayer : t.connectRecipient;
    return html`<button
      class="chip"
      type="button"
      aria-label=${label}
      @click=${() => this.dispatchEvent(new Event('wallet'))}
    >
      ${present ? t.change : t.connect}
    </button>`;
  }

  #account(chain = this.assetOf(this.side)?.chain): string | undefined {
    const {sessionIfAny: session} = this;
    return chain && session && this.read(session.$wallets, 'accounts')[chain.family]?.address;
  }

  #edit({target}: InputEvent) {
    const input = target as HTMLInputElement;
    this.focused = 'typing';
    const field = this.side === 'pay' ? 'refundAddress' : 'recipient';
    // A cleared field stays empty: it does not get the wallet's address again.
    const {edit, $form} = this.parts;
    edit({[field]: input.value || (this.#account() ? NOWHERE : '')});
    // Text that is read as the same address changes no store, so nothing would render.
    const text = $form.get().draft[field];
    if (text) input.value = text.trim();
  }

  /** Selects the whole address, so that pasting replaces it. */
  async #focus({target}: FocusEvent) {
    this.focused = this.#isFresh = true;
    await this.updateComplete;
    (target as HTMLInputElement).select();
  }

  /** Browsers place the caret where the pointer went down. */
  #click({target}: MouseEvent) {
    if (this.#isFresh) (target as HTMLInputElement).select();
    this.#isFresh = false;
  }
}
