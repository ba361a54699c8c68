import {css, html, type PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import {formatAmount} from '../../domain/amount.js';
import type {Asset} from '../../domain/asset.js';
import {tabs} from '../base/list.js';
import {register} from '../base/swap-element.js';
import {short} from '../base/words.js';
import {assetMark, icon, sign} from '../icons/icons.js';
import {signs} from '../icons/signs.js';
import {SwapPicker} from './swap-picker.js';

/**
 * The list of assets, with a search, a tab for each chain and the balance of each asset. Arrow keys move through it,
 * Enter chooses, Escape closes.
 *
 * @tag swap-widget-asset-picker
 * @csspart search - The line with the search field.
 */
export class AssetPicker extends SwapPicker {
  static override styles = [
    ...SwapPicker.styles,
    css`
      .search {
        display: flex;
        align-items: center;
        gap: calc(var(--_u) * 3);
        min-block-size: calc(var(--_u) * 11);
        border-block-end: 1px solid var(--_edge);
        color: var(--_quiet);
      }
      .search input {
        flex: 1;
        min-inline-size: 0;
        block-size: calc(var(--_u) * 11);
        color: var(--_ink);
        appearance: none;
      }
      .search input:focus-visible {
        outline: 0;
      }
      .search:has(:focus-visible) {
        border-color: var(--_focus);
        box-shadow: 0 1px 0 var(--_focus);
      }
      .list {
        padding-block-start: calc(var(--_u) * 2);
      }
      .end {
        display: flex;
        align-items: center;
        gap: calc(var(--_u) * 2);
      }
      .empty {
        padding-block: calc(var(--_u) * 6) calc(var(--_u) * 2);
        color: var(--_quiet);
      }
      @media (forced-colors: active) {
        .search:has(:focus-visible),
        .item.active {
          outline: 2px solid Highlight;
          outline-offset: -2px;
        }
      }
    `,
  ];

  @state() private search = '';
  /** The name of the chain whose tab is chosen; empty for all. */
  @state() private chain = '';
  /** The index of the asset that the keyboard is at. */
  @state() private active = 0;

  override focus() {
    this.renderRoot.querySelector('input')?.focus();
  }

  override connectedCallback() {
    super.connectedCallback();
    this.session.readBalances();
    const chosen = this.#found().findIndex(({id}) => id === this.asset?.id);
    this.active = Math.max(0, chosen);
  }

  override render() {
    const {t} = this;
    const all = this.#all();
    const found = this.#found();
    const chains = new Map(all.map(({chain}) => [chain.name, chain.title]));
    const active = found[this.active];
    /** The chain whose tab is chosen, where other chains have more results. */
    const elsewhere = this.#rank('').length > found.length ? chains.get(this.chain) : undefined;
    return this.dialog(
      this.side === 'pay' ? t.youPay : t.youReceive,
      html`<label class="search" part="search">
          ${sign(signs.search)}
          <input
            type="text"
            role="combobox"
            aria-label=${t.searchAssets(all.length)}
            aria-expanded="true"
            aria-controls="list"
            aria-autocomplete="list"
            aria-activedescendant=${active ? 'active' : ''}
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            placeholder=${t.searchAssets(all.length)}
            .value=${this.search}
            @input=${this.#type}
            @keydown=${this.#key}
          />
        </label>
        ${
          chains.size > 1
            ? tabs(t.chain, [['', t.all], ...chains], this.chain, name => {
                this.chain = name;
                this.active = 0;
              })
            : ''
        }
        <ul class="list" role="listbox" id="list" aria-label=${t.assets} ?hidden=${!found.length}>
          ${found.map((asset, index) => this.#renderAsset(asset, index))}
        </ul>
        <p class="empty" role="status" ?hidden=${found.length > 0}>
          ${elsewhere === undefined ? t.noAssetFound(this.search) : t.noAssetFoundOn(this.search, elsewhere)}
        </p>
        ${
          !found.length && elsewhere !== undefined
            ? html`<button class="link" type="button" @click=${this.#searchAll}>${t.searchAllChains}</button>`
            : ''
        }`,
    );
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    this.renderRoot.querySelector('.active')?.scrollIntoView({block: 'nearest'});
  }

  #renderAsset(asset: Asset, index: number) {
    const active = index === this.active;
    const balance = this.read(this.session.$balances)[asset.id];
    // The focus stays in the search field, which moves through the list (ARIA, combobox).
    // eslint-disable-next-line lit-a11y/click-events-have-key-events
    return html`<li
      role="option"
      id=${active ? 'active' : ''}
      class="item ${active ? 'active' : ''}"
      aria-selected=${asset.id === this.asset?.id ? 'true' : 'false'}
      @click=${() => {
        this.#take(asset);
      }}
    >
      ${assetMark(asset)}
      <span><strong>${asset.symbol}</strong><small>${asset.chain.title}</small></span>
      <span class="end"
        >${balance ? html`<bdi>${short(formatAmount(balance, asset.decimals))}</bdi>` : ''}${
          asset.id === this.asset?.id ? icon('check') : ''
        }</span
      >
    </li>`;
  }

  #all(): readonly Asset[] {
    return this.read(this.session.$config)?.catalogue.assets ?? [];
  }

  #found(): readonly Asset[] {
    return this.#rank(this.chain);
  }

  /** The assets found on a chain, or on all: exact names first, then names that begin so, each in the page's order. */
  #rank(chain: string): readonly Asset[] {
    const search = this.search.trim().toLowerCase();
    const words = search.split(/\s+/).filter(Boolean);
    const rank = ({symbol}: Asset) => {
      const name = symbol.toLowerCase();
      return name === words[0] ? 0 : name.startsWith(words[0] ?? '') ? 1 : 2;
    };
    return this.#all()
      .filter(
        asset =>
          (!chain || asset.chain.name === chain) &&
          words.every(word =>
            `${asset.symbol} ${asset.title} ${asset.chain.title} ${asset.id}`.toLowerCase().includes(word),
          ),
      )
      .sort((one, other) => rank(one) - rank(other));
  }

  #take({id}: Asset) {
    this.session.edit(this.side === 'pay' ? {from: id} : {to: id});
    this.close();
  }

  #type(event: InputEvent) {
    this.search = (event.target as HTMLInputElement).value;
    this.active = 0;
  }

  #searchAll() {
    this.chain = '';
    this.active = 0;
    this.focus();
  }

  #key(event: KeyboardEvent) {
    const found = this.#found();
    switch (event.key) {
      case 'ArrowDown':
        this.active = (this.active + 1) % Math.max(1, found.length);
        break;
      case 'ArrowUp':
        this.active = (this.active + found.length - 1) % Math.max(1, found.length);
        break;
      case 'Enter': {
        const asset = found[this.active];
        if (asset) this.#take(asset);
        break;
      }
      default:
        return;
    }
    event.preventDefault();
  }
}

register({'swap-widget-asset-picker': AssetPicker});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-asset-picker': AssetPicker;
  }
}
