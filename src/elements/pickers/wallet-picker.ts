import {css, html, type PropertyValues} from 'lit';
import {property, state} from 'lit/decorators.js';
import type {Wallet} from '../../chains/adapter.js';
import {depositBy, type ChainFamily} from '../../domain/asset.js';
import {valueOf} from '../../domain/remote.js';
import {announce} from '../base/announcement.js';
import '../base/error-note.js';
import {truncate} from '../../domain/truncate.js';
import {section} from '../base/list.js';
import {register} from '../base/swap-element.js';
import {walletName} from '../base/words.js';
import {icon, sign} from '../icons/icons.js';
import {signs} from '../icons/signs.js';
import {useWallet} from './picking.js';
import {SwapPicker} from './swap-picker.js';
import {NARROW} from '../style/layout.js';

/** How many milliseconds wallets have to be found, announced or not, before the list says that there is none. */
const ANNOUNCED = 1_200;

/** A list of wallets by each family's community, for visitors who have none. */
const WALLET_LISTS: Readonly<Record<ChainFamily, string>> = {
  bitcoin: 'https://bitcoin.org/en/choose-your-wallet',
  evm: 'https://ethereum.org/wallets/find-wallet/',
  solana: 'https://solana.com/solana-wallets',
  starknet: 'https://www.starknet.io/wallets/',
};

/**
 * The wallets that announced themselves, the last used one first, those on other devices, and the options without a
 * wallet. Connecting one requests its address and nothing else.
 *
 * @tag swap-widget-wallet-picker
 * @fires enter-address - The visitor prefers to type an address.
 */
export class WalletPicker extends SwapPicker {
  static override styles = [
    ...SwapPicker.styles,
    css`
      /* A sheet is as tall as the list; some rows may still come without moving those above them. */
      .frame:modal {
        block-size: auto;
        min-block-size: min(88dvb, var(--_r) * 22);
        max-block-size: min(88dvb, var(--_r) * 44);
      }
      swap-widget-error-note {
        margin-block: calc(var(--_u) * 3);
      }
      .empty {
        padding-block: calc(var(--_u) * 6) calc(var(--_u) * 2);
      }
      .empty p {
        color: var(--_quiet);
      }
      .empty .secondary {
        margin-block-start: calc(var(--_u) * 4);
        text-decoration: none;
      }
      /* What a phone can do about it is above. */
      swap-widget-phone[first] .empty :is(strong, p) {
        display: none;
      }
      /* Room for the focus ring. */
      .waiting .chip {
        padding-inline: calc(var(--_u) * 2);
      }
      .waiting .app {
        animation: wait var(--_breath);
      }
      @container ${NARROW} {
        .waiting .chip {
          grid-column: 2;
          justify-self: start;
          margin-block-start: var(--_u);
          margin-inline-start: calc(var(--_u) * -2);
        }
      }
    `,
  ];

  @property({attribute: false}) family: ChainFamily = 'evm';

  /** Whether the page provided the wallet. Then its connection is already pending, and no other is listed. */
  @property({attribute: false}) isOwn = false;

  @state() private away = false;

  @state() private isEarly = false;
  /** Pictures that do not load. */
  @state() private broken: readonly string[] = [];

  #looking?: AbortController;
  #focused?: string | undefined;
  #connecting?: string | undefined;

  override connectedCallback() {
    super.connectedCallback();
    if (this.isOwn) return;
    void this.#look();
    // Without its code, the wallets of this browser are listed all the same.
    void import('./phone.js').catch(() => undefined);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#looking?.abort();
    // An error is not shown again when the list opens the next time.
    this.session.cancelConnect();
  }

  override focus() {
    const {renderRoot} = this;
    const wallet = renderRoot.querySelector<HTMLElement>('.waiting button, button.wallet');
    (wallet ?? renderRoot.querySelector('h2'))?.focus();
  }

  override render() {
    const {session, t, asset} = this;
    const connecting = this.read(session.$wallets, 'connecting');
    const own = valueOf(connecting);
    const wallets = this.isOwn
      ? own
        ? [own]
        : []
      : this.read(session.$wallets, 'found').filter(({family}) => family === this.family);
    const here = wallets.filter(({isElsewhere}) => !isElsewhere);
    const render = (wallet: Wallet) => this.#renderWallet(wallet);
    if (this.away) return '';
    // With a wallet already, another address is as likely to be wanted.
    const isChange = this.side === 'receive' && this.read(session.$wallets, 'accounts')[this.family] !== undefined;
    return this.dialog(
      isChange ? t.receiveAt : t.connectAWallet,
      html`<p class="quiet">${asset ? t.connectFor({symbol: asset.symbol, network: asset.chain.title}) : ''}</p>
        ${
          connecting.state === 'failed'
            ? html`<swap-widget-error-note .error=${connecting.error} where="wallet"></swap-widget-error-note>`
            : ''
        }
        ${isChange ? this.#renderWithout() : ''}
        <swap-widget-phone .family=${this.family} ?isNeeded=${!here.length && !this.isEarly && !this.isOwn}
          >${here.length ? section(t.inThisBrowser, here.map(render)) : this.#renderNone()}</swap-widget-phone
        >
        ${section(t.anotherDevice, wallets.filter(({isElsewhere}) => isElsewhere).map(render))}
        ${isChange ? '' : this.#renderWithout()}`,
    );
  }

  protected override willUpdate(changed: PropertyValues) {
    super.willUpdate(changed);
    this.#focused = this.#buttons.find(button => button.matches(':focus'))?.value;
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    // A focus that has not moved goes to the first wallet. A wallet inserted before another does not take its focus.
    const buttons = this.#buttons;
    const heading = this.renderRoot.querySelector('h2');
    if (heading?.matches(':focus') && buttons.length) this.focus();
    else if (this.#focused) buttons.find(({value}) => value === this.#focused)?.focus();
  }

  get #buttons(): HTMLButtonElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLButtonElement>('button.wallet')];
  }

  /** What is said while there are no wallets: that they may still appear, then that there are none. */
  #renderNone() {
    const {t, session} = this;
    const connecting = this.read(session.$wallets, 'connecting');
    if (this.isEarly && connecting.state !== 'failed')
      return html`<p class="empty quiet" role="status">${t.lookingForWallets}</p>`;
    // An error without a wallet comes from the search, which then has no result.
    const isUnknown = this.isOwn || (connecting.state === 'failed' && !connecting.value);
    return isUnknown
      ? ''
      : html`<div class="empty" role="status">
          <strong>${t.noWalletFound}</strong>
          <p>${t.noWalletFoundTodo}</p>
          <a
            class="secondary"
            part="secondary"
            href=${WALLET_LISTS[this.family]}
            target="_blank"
            rel="noreferrer noopener"
            >${t.findWallet}</a
          >
        </div>`;
  }

  /** The options without a wallet in this browser: to type a recipient, or to pay to an address. */
  #renderWithout() {
    const {t, asset, look, side} = this;
    if (side === 'receive') {
      return look.locked.includes('recipient')
        ? ''
        : this.#renderWay(t.enterAddress, t.enterAddressWhy, 'enter-address');
    }
    // Paying to an address needs no wallet in the browser. It is the next step, or the view behind this list.
    const byAddress = asset?.chain.family === this.family && depositBy(asset.chain) === 'transfer';
    return byAddress ? this.#renderWay(t.payByAddress, t.payByAddressWhy, 'close') : '';
  }

  #renderWay(title: string, why: string, choice: 'enter-address' | 'close') {
    return section(this.t.withoutWallet, [
      html`<button class="item" type="button" @click=${() => this.dispatchEvent(new Event(choice))}>
        <span class="mark app mono-mark" aria-hidden="true">${sign(signs.pen)}</span>
        <span><strong>${title}</strong><small>${why}</small></span>
      </button>`,
    ]);
  }

  #renderWallet(wallet: Wallet) {
    const {session, t} = this;
    const connecting = this.read(session.$wallets, 'connecting');
    const account = this.read(session.$wallets, 'accounts')[this.family];
    const name = walletName({wallet}, t);
    const picture = wallet.icon && !this.broken.includes(wallet.icon) ? wallet.icon : undefined;
    const mark = html`<span class="mark app ${picture ? '' : 'mono-mark'}" aria-hidden="true"
      >${
        picture
          ? html`<img src=${picture} alt="" @error=${() => (this.broken = [...this.broken, picture])} />`
          : Array.from(name).slice(0, 2).join('')
      }</span
    >`;
    if (connecting.state === 'pending' && connecting.value?.key === wallet.key) {
      return html`<div class="item active waiting">
        ${mark}
        <span role="status"><strong>${name}</strong><small>${t.waitingFor({wallet: name})}</small></span>
        <button class="chip" type="button" @click=${this.#cancel}>${t.cancel}</button>
      </div>`;
    }
    const chosen = account?.wallet.key === wallet.key;
    return html`<button
      class="item wallet ${chosen ? 'active' : ''}"
      type="button"
      .value=${wallet.key}
      @click=${() => void this.#connect(wallet)}
    >
      ${mark}
      <span
        ><strong>${name}</strong
        ><small
          >${
            chosen
              ? html`<bdi class="mono">${truncate(account.address)}</bdi>`
              : wallet.isElsewhere
                ? t.anotherDeviceWhy
                : t.installed
          }</small
        ></span
      >
      <span class="end">${chosen ? icon('check') : ''}</span>
    </button>`;
  }

  async #look() {
    const {signal} = (this.#looking = new AbortController());
    this.isEarly = true;
    await this.session.discover(this.family, signal);
    if (signal.aborted) return;
    const timer = setTimeout(() => (this.isEarly = false), ANNOUNCED);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  async #connect(wallet: Wallet) {
    const {session, side} = this;
    // The second click of a double click comes before the list shows the effect of the first.
    if (this.#connecting === wallet.key) return;
    this.#connecting = wallet.key;
    const connected = await session.connect(wallet, {onWindow: () => (this.away = true)});
    if (this.#connecting === wallet.key) this.#connecting = undefined;
    this.away = false;
    if (!this.isConnected) return;
    if (connected) {
      useWallet(session, side);
      announce(session, this.t.said.connected({wallet: walletName({wallet}, this.t)}));
      this.close();
    } else {
      await this.updateComplete;
      this.focus();
    }
  }

  #cancel() {
    this.session.cancelConnect();
    this.focus();
  }
}

register({'swap-widget-wallet-picker': WalletPicker});
