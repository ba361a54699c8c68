import {css, html, type PropertyValues, type TemplateResult} from 'lit';
import {state} from 'lit/decorators.js';
import {depositBy, type Asset} from '../../domain/asset.js';
import {worthOf} from '../../domain/quote.js';
import {routesOf} from '../../domain/routes.js';
import {findAssets} from '../../domain/search.js';
import {PAIRS, readPairs, type Pair} from '../../session/storage.js';
import type {Balances} from '../../session/types.js';
import {money} from '../../locales/figures.js';
import {afterFrame} from '../base/after-frame.js';
import {Voice} from '../base/announcement.js';
import {tabs} from '../base/list.js';
import {isTouch} from '../base/media.js';
import {register} from '../base/swap-element.js';
import {shortAmount} from '../base/words.js';
import {assetMark, icon, sign} from '../icons/icons.js';
import {signs} from '../icons/signs.js';
import {SwapPicker} from './swap-picker.js';

/** The number of rows that a list begins with; its search finds the others. */
const MOST = 50;

/** A choice: an asset, with a route from or to the other side's or not, or a pair that was swapped before. */
type Choice = {readonly asset: Asset; readonly isOff?: boolean} | {readonly pair: Pair};

/**
 * The list of assets, with a search and a tab for each chain. The same asset on several chains is grouped, with each
 * balance and its value at the last price. Recently swapped pairs come first, then, to pay with, what needs no wallet
 * and what the visitor had when the list was opened. Arrow keys move through it, Home and End to its ends while the search is empty; Enter
 * chooses, Escape closes. Typing anywhere in it goes to the search, which finds what a long list leaves out.
 *
 * @tag swap-widget-asset-picker
 * @csspart search - The line with the search field.
 */
export class AssetPicker extends SwapPicker {
  static override styles = [
    ...SwapPicker.styles,
    css`
      /* Visible however far the list is scrolled. */
      .top {
        position: sticky;
        inset-block-start: 0;
        z-index: 2;
        background: var(--_surface);
        /* The outline of a row below it is wider. */
        box-shadow:
          calc(var(--_u) * -2) 0 var(--_surface),
          calc(var(--_u) * 2) 0 var(--_surface);
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
      /* Enter chooses this row: its background alone is too pale to see. The frame's round corners do not cut it off. */
      .item.active {
        scroll-margin-block: calc(var(--_u) * 2);
        outline: 2px solid var(--_focus);
        outline-offset: -2px;
      }
      .item strong {
        display: inline;
      }
      .off {
        color: var(--_quiet);
      }
      .off .mark {
        opacity: 0.5;
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
      .pair {
        display: flex;
      }
      .pair .mark + .mark {
        margin-inline-start: calc(var(--_rail) / -3);
      }
      .empty {
        padding-block: calc(var(--_u) * 6) calc(var(--_u) * 2);
        color: var(--_quiet);
        overflow-wrap: anywhere;
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
  @state() private chain = '';
  @state() private active = 0;

  override focus() {
    const search = this.renderRoot.querySelector('input');
    // On a phone, its keyboard would cover half of the list.
    if (search && isTouch()) search.inputMode = 'none';
    search?.focus();
  }

  /** The tap that follows focuses the search again, and now opens the keyboard. */
  #wantKeyboard({currentTarget}: Event) {
    const search = currentTarget as HTMLInputElement;
    if (search.inputMode !== 'none') return;
    search.inputMode = '';
    search.blur();
  }

  /** What the visitor had to pay with when the list was opened: a new balance does not move it under the pointer. */
  #had: Balances = {};
  #found: readonly Choice[] = [];
  #count = 0;
  #reveals = true;

  /** If nothing is found, the list says it. */
  protected readonly voice = new Voice(
    this,
    () => (this.search.trim() && this.#count ? this.t.assetsFound({n: this.#count}) : ''),
    1_000,
  );

  override connectedCallback() {
    super.connectedCallback();
    this.#had = this.side === 'pay' ? this.session.$wallets.get().balances : {};
    this.session.readBalances();
    this.active = Math.max(0, this.#shown(this.#choices()).findIndex(this.#isChosen));
  }

  protected override willUpdate(changed: PropertyValues) {
    super.willUpdate(changed);
    this.#reveals ||= ['search', 'chain', 'active'].some(name => changed.has(name));
  }

  override render() {
    const {t} = this;
    const all = this.#all();
    const found = this.#choices();
    const choices = this.#shown(found);
    this.#found = choices;
    this.#count = found.length;
    const chains = new Map(all.map(({chain}) => [chain.name, chain.title]));
    const active = choices[this.active];
    const elsewhere = !found.length && this.#rank('').length ? chains.get(this.chain) : undefined;
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
              @pointerdown=${this.#wantKeyboard}
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
        <div class="list" role="listbox" id="list" aria-label=${t.assets} ?hidden=${!choices.length}>
          ${this.#renderGroups(choices)}
        </div>
        ${found.length > choices.length ? html`<p class="quiet">${t.searchAssets({n: all.length})}</p>` : ''}
        <p class="empty" role="status" ?hidden=${found.length > 0}>
          ${elsewhere === undefined ? t.noAssetFound({text: this.search}) : t.noAssetFoundOn({text: this.search, network: elsewhere})}
        </p>
        ${
          !found.length && elsewhere !== undefined
            ? html`<button class="link" type="button" @click=${this.#searchAll}>${t.searchAllNetworks}</button>`
            : ''
        }`,
    );
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    if (!this.#reveals) return;
    this.#reveals = false;
    this.#reveal();
    // The frame takes its height from the view behind it, which may only be laid out now.
    afterFrame(() => this.#reveal());
  }

  #reveal() {
    const {renderRoot} = this;
    const row = renderRoot.querySelector('.active');
    for (const each of [row, renderRoot.querySelector('.tabs :checked')?.closest('label')])
      // Simulated browsers, as in partners' tests, cannot scroll.
      (each as Partial<Element> | null | undefined)?.scrollIntoView?.({block: 'nearest', inline: 'nearest'});
    const [scroll, top] = ['.scroll', '.top'].map(selector => renderRoot.querySelector(selector));
    if (!row || !top || !scroll) return;
    const covered = top.getBoundingClientRect().bottom - row.getBoundingClientRect().top;
    if (covered > 0) scroll.scrollTop -= covered;
  }

  #renderGroups(choices: readonly Choice[]) {
    const groups = new Map<string, {readonly title: string; readonly items: TemplateResult[]}>();
    for (const [index, choice] of choices.entries()) {
      const [key, title] =
        'pair' in choice
          ? [PAIRS, this.t.recentPairs]
          : choice.isOff
            ? [OFF, this.t.notOffered]
            : [kindOf(choice.asset), choice.asset.title];
      const {items}: {readonly items: TemplateResult[]} = groups.get(key) ?? {items: []};
      if (!items.length) groups.set(key, {title, items});
      items.push('asset' in choice ? this.#renderAsset(choice, index) : this.#renderPair(choice.pair, index));
    }
    return [...groups].map(
      ([key, {title, items}]) =>
        html`<div class="group" role="group" aria-label=${title}>
          ${key === PAIRS || key === OFF ? html`<div class="list-title" aria-hidden="true">${title}</div>` : ''}${items}
        </div>`,
    );
  }

  #renderAsset(choice: Extract<Choice, {readonly asset: Asset}>, index: number) {
    const {asset} = choice;
    const {symbol, title, chain} = asset;
    const isChosen = asset.id === this.asset?.id;
    return this.#renderOption(
      choice,
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
      class="item ${active ? 'active' : ''} ${'asset' in choice && choice.isOff ? 'off' : ''}"
      aria-selected=${isChosen ? 'true' : 'false'}
      aria-posinset=${index + 1}
      aria-setsize=${this.#count}
      @click=${() => this.#take(choice)}
    >
      ${content}
    </div>`;
  }

  /** The balance of an asset, and its value at the last price, if the price has values. */
  #renderBalance(asset: Asset) {
    const balance = this.read(this.session.$wallets, 'balances')[asset.id];
    if (!balance) return '';
    const offer = this.read(this.session.$form, 'offer');
    const side = [offer?.source, offer?.destination].find(each => each?.asset === asset.id);
    const worth = side && worthOf(balance, side);
    return html`<bdi>${shortAmount(balance, asset, this.look.locale)}</bdi>${
        worth === undefined ? '' : html`<small><bdi>${money(worth, this.look)}</bdi></small>`
      }`;
  }

  #all(): readonly Asset[] {
    const catalogue = this.read(this.session.$settings, 'config')?.catalogue;
    const {listed} = this.read(this.session.$form, 'routes') ?? {};
    const side = this.side === 'pay' ? 'from' : 'to';
    const all = catalogue?.assets.filter(({id}) => catalogue.find(id, side)) ?? [];
    return listed ? all.filter(({id}) => listed.has(id.toLowerCase())) : all;
  }

  #canSwap(): (asset: Asset) => boolean {
    const {session, side} = this;
    const catalogue = this.read(session.$settings, 'config')?.catalogue;
    const routes = this.read(session.$form, 'routes');
    const other = this.assetOf(side === 'pay' ? 'receive' : 'pay');
    if (!catalogue || !other || !(routes ?? catalogue.pairs)) return () => true;
    const can = routesOf(other.id, side === 'pay' ? 'to' : 'from', catalogue, routes);
    // Choosing the other side's asset turns the two round.
    return ({id}) => id === other.id || can(id);
  }

  #choices(): readonly Choice[] {
    const ranked = this.#rank(this.chain);
    const isAtHand = ({id, chain}: Asset) => this.side === 'pay' && (this.#had[id] || depositBy(chain) === 'transfer');
    const found = new Set([...(this.search ? [] : ranked.filter(isAtHand)), ...ranked]);
    const canSwap = this.#canSwap();
    const off: Asset[] = [];
    const kinds = new Map<string, Asset[]>();
    for (const asset of found) {
      const same = kinds.get(kindOf(asset));
      if (!canSwap(asset)) off.push(asset);
      else if (same) same.push(asset);
      else kinds.set(kindOf(asset), [asset]);
    }
    const pairs = this.search || this.chain ? [] : this.#recentPairs();
    return [
      ...pairs.map(pair => ({pair})),
      ...[...kinds.values()].flat().map(asset => ({asset})),
      ...off.map(asset => ({asset, isOff: true})),
    ];
  }

  readonly #isChosen = (choice: Choice) => 'asset' in choice && choice.asset.id === this.asset?.id;

  /** The rows of a list: the first ones, and the chosen one wherever it is. */
  #shown(choices: readonly Choice[]): readonly Choice[] {
    const chosen = this.search ? undefined : choices.slice(MOST).find(this.#isChosen);
    return [...choices.slice(0, MOST), ...(chosen ? [chosen] : [])];
  }

  /** The last swapped pairs, except for the one in the form; none if the page locks a side. */
  #recentPairs(): readonly Pair[] {
    const {session, look} = this;
    const catalogue = this.read(session.$settings, 'config')?.catalogue;
    if (!catalogue || look.locked.includes('from') || look.locked.includes('to')) return [];
    const {from, to} = this.read(session.$form, 'draft');
    return readPairs(session.recall(PAIRS), catalogue).filter(pair => pair.from.id !== from || pair.to.id !== to);
  }

  #rank(chain: string): readonly Asset[] {
    return findAssets(
      this.search,
      this.#all().filter(asset => !chain || asset.chain.name === chain),
    );
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

  /** Typing outside the search goes into it: the focus moves there before the character is inserted. */
  protected override typeAhead() {
    const search = this.renderRoot.querySelector('input');
    search?.focus();
    search?.setSelectionRange(search.value.length, search.value.length);
  }

  #key(event: KeyboardEvent) {
    const choices = this.#found;
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

const OFF = '-';

/** The same asset on another chain is of the same kind. Two that only share their symbol are not. */
function kindOf({symbol, title}: Asset): string {
  return `${symbol} ${title}`;
}

function arrow(from: string, to: string): TemplateResult {
  return html`<bdi>${from}</bdi> <span class="turns arrow">→</span> <bdi>${to}</bdi>`;
}

register({'swap-widget-asset-picker': AssetPicker});
