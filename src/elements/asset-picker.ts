import {css, html, type PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import type {Asset} from '../domain/asset.js';
import {assetMark, icon, sign} from './icons.js';
import {LATE} from './late-view.js';
import {register} from './swap-element.js';
import {SwapPicker} from './swap-picker.js';

/**
 * The list of assets, with a search and a tab for each chain. Arrows move through it, Enter takes, Escape leaves.
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
      .empty {
        padding-block: calc(var(--_u) * 6);
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
  /** The name of the chain whose tab is chosen; empty: all. */
  @state() private chain = '';
  /** Which of the assets shown the keyboard is at. */
  @state() private active = 0;

  override focus() {
    this.renderRoot.querySelector('input')?.focus();
  }

  override connectedCallback() {
    super.connectedCallback();
    const chosen = this.#found().findIndex(({id}) => id === this.asset?.id);
    this.active = Math.max(0, chosen);
  }

  override render() {
    const {t} = this;
    const all = this.#all();
    const found = this.#found();
    const chains = new Map(all.map(({chain}) => [chain.name, chain.title]));
    const active = found[this.active];
    return this.dialog(
      this.side === 'pay' ? t.youPay : t.youReceive,
      html`<label class="search" part="search">
          ${sign(LATE.search)}
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
            ? html`<fieldset class="tabs">
                <legend class="hidden">${t.chain}</legend>
                ${[['', t.all] as const, ...chains].map(
                  ([name, title]) =>
                    html`<label
                      ><input
                        class="hidden"
                        type="radio"
                        name="chain"
                        .value=${name}
                        .checked=${name === this.chain}
                        @change=${this.#chooseChain}
                      />${title}</label
                    >`,
                )}
              </fieldset>`
            : ''
        }
        <ul class="list" role="listbox" id="list" aria-label=${t.assets} ?hidden=${!found.length}>
          ${found.map((asset, index) => this.#renderAsset(asset, index))}
        </ul>
        <p class="empty" role="status" ?hidden=${found.length > 0}>${t.noAssetFound(this.search)}</p>`,
    );
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    this.renderRoot.querySelector('.active')?.scrollIntoView({block: 'nearest'});
  }

  #renderAsset(asset: Asset, index: number) {
    const active = index === this.active;
    // The keyboard is with the search field, which moves through the list (ARIA, combobox).
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
      <span class="end">${asset.id === this.asset?.id ? icon('check') : ''}</span>
    </li>`;
  }

  #all(): readonly Asset[] {
    return this.read(this.session.$config)?.catalogue.assets ?? [];
  }

  #found(): readonly Asset[] {
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    return this.#all().filter(
      ({symbol, title, chain}) =>
        (!this.chain || chain.name === this.chain) &&
        words.every(word => `${symbol} ${title} ${chain.title}`.toLowerCase().includes(word)),
    );
  }

  #take({id}: Asset) {
    this.session.edit(this.side === 'pay' ? {from: id} : {to: id});
    this.close();
  }

  #type(event: InputEvent) {
    this.search = (event.target as HTMLInputElement).value;
    this.active = 0;
  }

  #chooseChain(event: Event) {
    this.chain = (event.target as HTMLInputElement).value;
    this.active = 0;
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
