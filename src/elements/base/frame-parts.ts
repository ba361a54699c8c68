/** What the frame of a view shows of a session: the connected accounts, and when the next price is due. */
import {html} from 'lit';
import {property} from 'lit/decorators.js';
import {depositBy, type ChainFamily} from '../../domain/asset.js';
import type {Side} from '../../domain/draft.js';
import type {WalletsState} from '../../session/types.js';
import {TimeReader} from './countdown.js';
import {countdown} from './format.js';
import {register} from './swap-element.js';
import {LatePart} from './words.js';

abstract class FramePart extends LatePart {
  protected override createRenderRoot() {
    return this;
  }
}

/**
 * The account to pay from, and the one to receive at if it is another family's; or a button to connect the first.
 *
 * @tag swap-widget-accounts
 * @fires choose - The visitor wants another account for a side (`detail`).
 */
export class Accounts extends FramePart {
  protected override readonly needsSession = false;

  override render() {
    const {sessionIfAny: session, t} = this;
    const accounts: WalletsState['accounts'] = session ? this.read(session.$wallets, 'accounts') : {};
    const [from, to] = [this.assetOf('pay')?.chain, this.assetOf('receive')?.chain];
    if (!from || (session && !this.look.rests && !this.read(session.$settings, 'config'))) return '';
    const families = new Set([from.family, to?.family ?? from.family]);
    const shown = [...families].filter(family => accounts[family]);
    const choose = (family: ChainFamily) => () =>
      this.dispatchEvent(new CustomEvent<Side>('choose', {detail: family === from.family ? 'pay' : 'receive'}));
    if (
      !accounts[from.family] &&
      depositBy(from) === 'wallet' &&
      !(session && this.read(session.$wallets, 'restoring')[from.family])
    )
      return html`<button class="account" type="button" aria-label=${t.connectPayer} @click=${choose(from.family)}>
        ${t.connect}
      </button>`;
    return shown.map(family => {
      const {address = ''} = accounts[family] ?? {};
      return html`<button class="account" type="button" title=${address} @click=${choose(family)}>
        <span class="hidden">${family === from.family ? t.changePayer : t.changeRecipient}</span>
        <bdi class="ltr"
          >${shown.length > 1 ? '' : html`<span class="start">${address.slice(0, 6)}</span>`}…${address.slice(-4)}</bdi
        >
      </button>`;
    });
  }
}

/**
 * When the next price is due, with a ring that empties until then: second by second, since what moves all the time
 * paints the page in each frame.
 *
 * @tag swap-widget-clock
 */
export class Clock extends FramePart {
  /** When the price was given, and when the next one is due, in milliseconds since 1970. */
  @property({attribute: false}) from = 0;
  @property({attribute: false}) until = 0;

  readonly #time = new TimeReader(this, () => this.session);
  #frame: Element | null = null;

  override connectedCallback() {
    super.connectedCallback();
    this.#frame = this.closest('.frame');
    // WebKit does not notice in `:has()` that the ring was added later.
    this.#frame?.setAttribute('priced', '');
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#frame?.removeAttribute('priced');
  }

  override render() {
    const {from, until} = this;
    const left = this.#time.read(now => countdown(until - now));
    const gone = this.#time.read(now => Math.max(0, Math.min(1, (now - from) / (until - from))));
    return html`<span class="hidden">${this.t.newPriceIn({time: left})}</span
      ><span class="until" aria-hidden="true"
        ><svg class="ring" viewBox="0 0 16 16">
          <circle cx="8" cy="8" r="6" />
          <circle class="clock" cx="8" cy="8" r="6" pathLength="1" stroke-dashoffset=${-gone} /></svg
        >${left}</span
      >`;
  }
}

register({'swap-widget-accounts': Accounts, 'swap-widget-clock': Clock});
