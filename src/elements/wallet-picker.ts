import {css, html} from 'lit';
import {property} from 'lit/decorators.js';
import type {Wallet} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {cut} from './format.js';
import {icon, sign} from './icons.js';
import {LATE} from './late-view.js';
import {register} from './swap-element.js';
import {SwapPicker} from './swap-picker.js';

/**
 * The wallets that announced themselves. Connecting one asks it for an address and nothing else.
 *
 * @tag swap-widget-wallet-picker
 * @fires enter-address - The person would rather type an address.
 */
export class WalletPicker extends SwapPicker {
  static override styles = [
    ...SwapPicker.styles,
    css`
      swap-widget-error-note {
        margin-block: calc(var(--_u) * 3);
      }
      .empty {
        padding-block: calc(var(--_u) * 6) calc(var(--_u) * 2);
      }
      .empty p {
        color: var(--_quiet);
      }
      .waiting .app {
        animation: wait 1.6s ease-in-out infinite alternate;
      }
      @media (prefers-reduced-motion: reduce) {
        .waiting .app {
          animation: none;
        }
      }
    `,
  ];

  /** Whose wallets are meant. */
  @property({attribute: false}) family: ChainFamily = 'evm';

  #looking?: AbortController;
  /** The wallet that is being asked. */
  #asked?: string | undefined;

  override connectedCallback() {
    super.connectedCallback();
    this.#looking = new AbortController();
    this.session.discover(this.family, this.#looking.signal);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#looking?.abort();
    if (this.session.$connecting.get().state === 'pending') this.session.cancelConnect();
  }

  override focus() {
    this.renderRoot.querySelector<HTMLElement>('.list button, h2')?.focus();
  }

  override render() {
    const {session, t, asset} = this;
    const wallets = this.read(session.$wallets).filter(({family}) => family === this.family);
    const connecting = this.read(session.$connecting);
    const typable = this.side === 'receive' && !this.look.locked.includes('recipient');
    return this.dialog(
      t.connectAWallet,
      html`<p class="quiet">${asset ? t.connectFor(asset.symbol, asset.chain.title) : ''}</p>
        ${
          connecting.state === 'failed'
            ? html`<swap-widget-error-note .error=${connecting.error} where="wallet"></swap-widget-error-note>`
            : ''
        }
        ${
          wallets.length
            ? html`<h3 class="list-title">${t.inThisBrowser}</h3>
                <ul class="list">
                  ${wallets.map(wallet => html`<li>${this.#renderWallet(wallet)}</li>`)}
                </ul>`
            : html`<div class="empty" role="status">
                <strong>${t.noWalletFound}</strong>
                <p>${t.noWalletFoundTodo}</p>
              </div>`
        }
        ${
          typable
            ? html`<h3 class="list-title">${t.withoutWallet}</h3>
                <ul class="list">
                  <li>
                    <button class="item" type="button" @click=${this.#enterAddress}>
                      <span class="mark app mono-mark" aria-hidden="true">${sign(LATE.pen)}</span>
                      <span><strong>${t.enterAddress}</strong><small>${t.enterAddressWhy}</small></span>
                    </button>
                  </li>
                </ul>`
            : ''
        }`,
      html`<p class="foot-note"><span>${t.nothingSigned}</span></p>`,
    );
  }

  #renderWallet(wallet: Wallet) {
    const {session, t} = this;
    const connecting = this.read(session.$connecting);
    const account = this.read(session.$accounts)[this.family];
    const mark = html`<span class="mark app ${wallet.icon ? '' : 'mono-mark'}" aria-hidden="true"
      >${wallet.icon ? html`<img src=${wallet.icon} alt="" />` : wallet.name.slice(0, 2)}</span
    >`;
    if (connecting.state === 'pending' && connecting.value?.id === wallet.id) {
      return html`<div class="item active waiting">
        ${mark}
        <span role="status"><strong>${wallet.name}</strong><small>${t.waitingFor(wallet.name)}</small></span>
        <button class="chip" type="button" @click=${this.#cancel}>${t.cancel}</button>
      </div>`;
    }
    const chosen = account?.wallet.id === wallet.id;
    return html`<button
      class="item ${chosen ? 'active' : ''}"
      type="button"
      @click=${() => {
        void this.#connect(wallet);
      }}
    >
      ${mark}
      <span
        ><strong>${wallet.name}</strong
        ><small>${chosen ? html`<bdi class="mono">${cut(account.address)}</bdi>` : t.installed}</small></span
      >
      <span class="end">${chosen ? icon('check') : ''}</span>
    </button>`;
  }

  async #connect(wallet: Wallet) {
    const {session, side} = this;
    // The second press of two comes before the list shows what the first one did.
    if (this.#asked === wallet.id) return;
    this.#asked = wallet.id;
    const connected = await session.connect(wallet);
    if (this.#asked === wallet.id) this.#asked = undefined;
    if (!connected || !this.isConnected) return;
    // Whoever connects a wallet to receive with wants it there, and not at an address typed before.
    if (side === 'receive') session.edit({recipient: ''});
    this.close();
  }

  #cancel() {
    this.session.cancelConnect();
    this.focus();
  }

  #enterAddress() {
    this.dispatchEvent(new Event('enter-address'));
  }
}

register({'swap-widget-wallet-picker': WalletPicker});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-wallet-picker': WalletPicker;
  }
}
