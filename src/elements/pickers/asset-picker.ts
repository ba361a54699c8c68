import {css, html, type PropertyValues, type TemplateResult} from 'lit';
import {state} from 'lit/decorators.js';
import type {Asset} from '../../domain/asset.js';
import {worthOf} from '../../domain/quote.js';
import {PAIRS, readPairs, type Pair} from '../../session/storage.js';
import {money} from '../../locales/figures.js';
import {afterFrame} from '../base/after-frame.js';
import {tabs} from '../base/list.js';
import {register} from '../base/swap-element.js';
import {shortAmount} from '../base/words.js';
import {assetMark, icon, sign} from '../icons/icons.js';
import {signs} from '../icons/signs.js';
import {SwapPicker} from './swap-picker.js';

/** Into sight, and not further. */
const NEAREST = {block: 'nearest', inline: 'nearest'} as const;

/** What can be taken: an asset, or a pair that was swapped before. */
type Choice = {readonly asset: Asset} | {readonly pair: Pair};

/**
 * The list of assets, with a search and a tab for each chain. The same asset on several chains stands together, with
 * what there is of each and what that is worth at the last price; the pairs that were swapped last stand before all.
 * Arrow keys move through it, Home and End to its ends while nothing is searched for; Enter chooses, Escape closes.
 *
 * @tag swap-widget-asset-picker
 * @csspart search - The line with the search field.
 */
export class AssetPicker extends SwapPicker {
  static override styles = [
    ...SwapPicker.styles,
    css`
      /* In sight however far the list is scrolled. */
      .top {
        position: sticky;
        inset-block-start: 0;
        z-index: 1;
        background: var(--_surface);
      }
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
      .group + .group {
        padding-block-start: var(--_u);
      }
      /* What is not on the screen of a long list is not laid out. */
      .group {
        content-visibility: auto;
        contain-intrinsic-size: auto calc(var(--_u) * 14);
      }
      .item strong {
        display: inline;
      }
      .list-title {
        padding-inline: calc(var(--_u) * 2);
      }
      .end {
        display: flex;
        align-items: center;
        gap: calc(var(--_u) * 2);
      }
      .end bdi {
        display: block;
        color: var(--_ink);
      }
      .arrow {
        display: inline-block;
      }
      .pair {
        display: flex;
      }
      .pair .mark + .mark {
        margin-inline-start: calc(var(--_rail) / -3);
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
    const chosen = this.#choices().findIndex(choice => 'asset' in choice && choice.asset.id === this.asset?.id);
    this.active = Math.max(0, chosen);
  }

  override render() {
    const {t} = this;
    const all = this.#all();
    const choices = this.#choices();
    const found = choices.length;
    const chains = new Map(all.map(({chain}) => [chain.name, chain.title]));
    const active = choices[this.active];
    /** The chain whose tab is chosen, where other chains have more results. */
    const elsewhere = this.#rank('').length > found ? chains.get(this.chain) : undefined;
    return this.dialog(
      this.side === 'pay' ? t.youPay : t.youReceive,
      html`<div class="top">
          <label class="search" part="search">
            ${sign(signs.search)}
            <input
              type="text"
              role="combobox"
              aria-label=${t.searchAssets({n: all.length})}
              aria-expanded="true"
              aria-controls="list"
              aria-autocomplete="list"
              aria-activedescendant=${active ? 'active' : ''}
              autocomplete="off"
              autocapitalize="none"
              spellcheck="false"
              placeholder=${t.searchAssets({n: all.length})}
              .value=${this.search}
              @input=${this.#type}
              @keydown=${this.#key}
            />
          </label>
          ${
            chains.size > 1
              ? tabs(t.network, [['', t.all], ...chains], this.chain, name => {
                  this.chain = name;
                  this.active = 0;
                })
              : ''
          }
        </div>
        <div class="list" role="listbox" id="list" aria-label=${t.assets} ?hidden=${!found}>
          ${this.#renderGroups(choices)}
        </div>
        <p class="empty" role="status" ?hidden=${found > 0}>
          ${elsewhere === undefined ? t.noAssetFound({text: this.search}) : t.noAssetFoundOn({text: this.search, network: elsewhere})}
        </p>
        ${
          !found && elsewhere !== undefined
            ? html`<button class="link" type="button" @click=${this.#searchAll}>${t.searchAllNetworks}</button>`
            : ''
        }`,
    );
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    // A balance that comes does not move the list under the pointer.
    if (!['search', 'chain', 'active'].some(name => changed.has(name))) return;
    this.#showActive();
    // Groups that came into sight are laid out by then, and may be higher than was reckoned.
    afterFrame(() => this.#showActive());
  }

  /** Scrolls the list so that the active row and the chosen network are in sight. */
  #showActive() {
    const {renderRoot} = this;
    const row = renderRoot.querySelector('.active');
    for (const each of [row, renderRoot.querySelector('.tabs :checked')?.closest('label')])
      // Browsers that only pretend to be some, as tests of partners do, have nothing to scroll.
      (each as Partial<Element> | null | undefined)?.scrollIntoView?.(NEAREST);
    const [top, scroll] = ['.top', '.scroll'].map(selector => renderRoot.querySelector(selector));
    if (!row || !top || !scroll) return;
    const covered = top.getBoundingClientRect().bottom - row.getBoundingClientRect().top;
    if (covered > 0) scroll.scrollTop -= covered;
  }

  /** The pairs first, then each asset with all of its chains. */
  #renderGroups(choices: readonly Choice[]) {
    const groups = new Map<string, {readonly title: string; readonly items: TemplateResult[]}>();
    for (const [index, choice] of choices.entries()) {
      const title = 'asset' in choice ? choice.asset.title : this.t.recentPairs;
      const key = 'asset' in choice ? kindOf(choice.asset) : '';
      const {items}: {readonly items: TemplateResult[]} = groups.get(key) ?? {items: []};
      if (!items.length) groups.set(key, {title, items});
      items.push('asset' in choice ? this.#renderAsset(choice.asset, index) : this.#renderPair(choice.pair, index));
    }
    return [...groups].map(
      ([key, {title, items}]) =>
        html`<div class="group" role="group" aria-label=${title}>
          ${key ? '' : html`<div class="list-title" aria-hidden="true">${title}</div>`}${items}
        </div>`,
    );
  }

  #renderAsset(asset: Asset, index: number) {
    const {symbol, title, chain} = asset;
    const isChosen = asset.id === this.asset?.id;
    return this.#renderOption(
      {asset},
      index,
      isChosen,
      html`${assetMark(asset)}
        <span
          ><strong>${symbol}</strong> <span class="on">${chain.title}</span>${
            title === symbol || title === chain.title ? '' : html`<small>${title}</small>`
          }</span
        >
        <span class="end"><span>${this.#renderBalance(asset)}</span>${isChosen ? icon('check') : ''}</span>`,
    );
  }

  #renderPair(pair: Pair, index: number) {
    const {from, to} = pair;
    return this.#renderOption(
      {pair},
      index,
      false,
      html`<span class="pair">${assetMark(from)}${assetMark(to)}</span>
        <span
          ><strong>${arrow(from.symbol, to.symbol)}</strong
          ><small>${arrow(from.chain.title, to.chain.title)}</small></span
        >
        <span class="end"></span>`,
    );
  }

  #renderOption(choice: Choice, index: number, isChosen: boolean, content: TemplateResult) {
    const active = index === this.active;
    // The focus stays in the search field, which moves through the list (ARIA, combobox).
    // eslint-disable-next-line lit-a11y/click-events-have-key-events
    return html`<div
      role="option"
      id=${active ? 'active' : ''}
      class="item ${active ? 'active' : ''}"
      aria-selected=${isChosen ? 'true' : 'false'}
      @click=${() => {
        this.#take(choice);
      }}
    >
      ${content}
    </div>`;
  }

  /** What there is of an asset, and what that is worth at the last price, where the price says so. */
  #renderBalance(asset: Asset) {
    const balance = this.read(this.session.$wallets, 'balances')[asset.id];
    if (!balance) return '';
    const offer = this.read(this.session.$price, 'offer');
    const side = [offer?.source, offer?.destination].find(each => each?.asset === asset.id);
    const worth = side && worthOf(balance, side);
    return html`<bdi>${shortAmount(balance, asset, this.look.locale)}</bdi>${
        worth === undefined ? '' : html`<small><bdi>${money(worth, this.look)}</bdi></small>`
      }`;
  }

  #all(): readonly Asset[] {
    const {assets = [], find} = this.read(this.session.$settings, 'config')?.catalogue ?? {};
    return assets.filter(({id}) => find?.(id, this.side === 'pay' ? 'from' : 'to'));
  }

  /** What can be taken now, in the order of the list. */
  #choices(): readonly Choice[] {
    const found = this.#rank(this.chain);
    const kinds = new Map<string, Asset[]>();
    for (const asset of found) {
      const same = kinds.get(kindOf(asset));
      if (same) same.push(asset);
      else kinds.set(kindOf(asset), [asset]);
    }
    const pairs = this.search || this.chain ? [] : this.#recentPairs();
    return [...pairs.map(pair => ({pair})), ...[...kinds.values()].flat().map(asset => ({asset}))];
  }

  /** The pairs that were swapped last, other than the one in the form; none where the page decides about a side. */
  #recentPairs(): readonly Pair[] {
    const {session, look} = this;
    const catalogue = this.read(session.$settings, 'config')?.catalogue;
    if (!catalogue || look.locked.includes('from') || look.locked.includes('to')) return [];
    const {from, to} = this.read(session.$draft);
    return readPairs(session.recall(PAIRS), catalogue).filter(pair => pair.from.id !== from || pair.to.id !== to);
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

  #take(choice: Choice) {
    if ('pair' in choice) this.session.edit({from: choice.pair.from.id, to: choice.pair.to.id});
    else this.session.edit(this.side === 'pay' ? {from: choice.asset.id} : {to: choice.asset.id});
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
    const choices = this.#choices();
    const found = Math.max(1, choices.length);
    switch (event.key) {
      case 'ArrowDown':
        this.active = (this.active + 1) % found;
        break;
      case 'ArrowUp':
        this.active = (this.active + found - 1) % found;
        break;
      case 'Home':
      case 'End':
        // In a text they move the caret.
        if (this.search) return;
        this.active = event.key === 'Home' ? 0 : found - 1;
        break;
      case 'Enter': {
        const choice = choices[this.active];
        if (choice) this.#take(choice);
        break;
      }
      default:
        return;
    }
    event.preventDefault();
  }
}

/** The same asset on another chain is of the same kind. Two that only share their short name are not. */
function kindOf({symbol, title}: Asset): string {
  return `${symbol} ${title}`;
}

function arrow(from: string, to: string): TemplateResult {
  return html`<bdi>${from}</bdi> <span class="turns arrow">→</span> <bdi>${to}</bdi>`;
}

register({'swap-widget-asset-picker': AssetPicker});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-asset-picker': AssetPicker;
  }
}
