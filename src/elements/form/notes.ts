/*
 * Help with the fields of the form, once there is any: the most that can be swapped, faults of an amount or an address,
 * and the question whether an address is right.
 */
import {css, html, type PropertyValues} from 'lit';
import {property, state} from 'lit/decorators.js';
import {formatAmount} from '../../domain/amount.js';
import type {Asset} from '../../domain/asset.js';
import {isProblem, type AddressName, type NameReading, type Side} from '../../domain/draft.js';
import type {AddressFault, AddressWarning, AmountRemark} from '../../domain/form/notes.js';
import {amountWorth} from '../../domain/quote.js';
import {decimal} from '../../locales/figures.js';
import {SwapFundsRequestEvent} from '../../events.js';
import type {Messages} from '../../locales/messages.js';
import {truncate} from '../../domain/truncate.js';
import {Voice} from '../base/announcement.js';
import {isSmallTouchScreen} from '../base/media.js';
import {register} from '../base/swap-element.js';
import {dayOf, when} from '../base/time.js';
import {
  amountText,
  groups,
  LatePart,
  lookalikeText,
  pieces,
  sentences,
  sentencesText,
  shortAmount,
  titled,
  warnOfLoss,
} from '../base/words.js';
import {icon, sign} from '../icons/icons.js';
import {signs} from '../icons/signs.js';
import {facts} from '../style/facts.js';
import {notice} from '../style/notice.js';
import {base} from '../style/styles.js';
import {NARROW} from '../style/layout.js';

const FIELD = {pay: 'amount', receive: 'receive'} as const;

/** How long after a field was left its note is brought into view: a tap elsewhere comes first. */
const LEFT_MS = 300;

/** How long the text in a field stays the same before its fault is announced. */
const PAUSE_MS = 1_000;

/** What is said at an amount, and its fixes: other amounts, as decimal text, and the labels of their buttons. */
interface AmountWords {
  readonly text: string;
  readonly uses?: readonly (readonly [amount: string, label: string])[] | undefined;
}

/**
 * The value of the amount (the slot), the most that can be swapped, and what is wrong with it, with its fixes. Its pieces
 * are cells of the surrounding grid.
 *
 * @tag swap-widget-amount-note
 * @fires use - Another amount was chosen.
 * @fires remark - What is to be said of the amount has changed (`detail`).
 * @fires turn - The visitor prefers to type the value, or the amount again.
 */
export class AmountNote extends LatePart {
  static override styles = [
    base,
    css`
      :host {
        display: contents;
        color: var(--_quiet);
        font-size: var(--_t-s);
      }
      @container ${NARROW} {
        .worth.worth {
          grid-column: 2 / -1;
        }
      }
      .worth {
        grid-column: 2;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        column-gap: calc(var(--_u) * 2);
        min-block-size: calc(var(--_u) * 5);
      }
      /* For a thumb they are higher than their line. */
      @media (pointer: coarse) {
        .worth .chip.chip {
          margin-block: calc(var(--_u) * -3);
        }
      }
      .why {
        grid-column: 2 / -1;
      }
      .uses {
        display: flex;
        flex-wrap: wrap;
        gap: var(--_u) calc(var(--_u) * 2);
        margin-block: calc(var(--_u) * 0.5) var(--_u);
      }
      .uses .chip {
        padding-inline: calc(var(--_u) * 2);
        border: 1px solid var(--_edge);
        border-radius: var(--_radius-control);
      }
      .problem.mind {
        color: var(--_ink);
      }
      .mind .icon {
        color: var(--_warn);
      }
      .turn {
        min-inline-size: calc(var(--_r) * 1.5);
        justify-content: center;
        margin-block: calc(var(--_u) * -1);
        margin-inline-start: calc(var(--_u) * -2);
      }
      .chip {
        min-block-size: calc(var(--_u) * 6);
        margin-block: calc(var(--_u) * -0.5);
        color: var(--_ink);
        white-space: normal;
        text-align: start;
      }
    `,
  ];

  @property() side: Side = 'pay';
  @property({type: Boolean}) inValue = false;

  #remark = '';
  #said = '';
  #missing = '';
  #add?: (() => unknown) | undefined;
  protected readonly voice = new Voice(this, () => this.#said, PAUSE_MS);

  private get asset(): Asset | undefined {
    return this.assetOf(this.side);
  }

  protected override readonly keepsPlace = true;

  protected override willUpdate(changed: PropertyValues) {
    super.willUpdate(changed);
    if (this.isReady) this.#requestFunds();
  }

  /** Asks the page whether it can add what is missing, once for each change of that. */
  #requestFunds() {
    const {session, side, asset} = this;
    // The service may not take that much: then more coins would not help.
    if (this.read(session.$form, 'quote').state === 'pending') return;
    const note = this.read(session.$form, ({notes}) => notes?.[FIELD[side]]);
    const account = asset && this.read(session.$wallets, 'accounts')[asset.chain.family];
    const event =
      asset && account && note && 'missing' in note
        ? new SwapFundsRequestEvent(asset.id, note.missing, account.address)
        : undefined;
    const missing = event ? [event.asset, event.missing, event.address].join() : '';
    if (missing === this.#missing) return;
    this.#missing = missing;
    if (event) this.dispatchEvent(event);
    this.#add = event?.add;
  }

  override render() {
    if (!this.isReady) return html`<span class="worth"><slot></slot></span>`;
    const {session, side, t} = this;
    const note = this.read(session.$form, ({notes}) => notes?.[FIELD[side]]);
    const words = note && this.#wordsOf(note, this.asset ?? {symbol: '', decimals: 0});
    const fault = note?.level === 'hint' ? undefined : words;
    const hint = fault ? '' : words?.text;
    // Only what was typed here: a page's own amount is not announced.
    const isTyped = (this.getRootNode() as ShadowRoot).host.matches(':focus-within');
    // The live region announces the answer to a request by itself.
    const text = fault && note?.code !== 'amount-range' ? fault.text : '';
    this.#said = isTyped || text === this.#said ? text : '';
    const detail = words?.text ?? '';
    if (this.#remark !== (this.#remark = detail)) this.dispatchEvent(new CustomEvent('remark', {detail}));
    const {uses = []} = fault ?? {};
    return html`<span class="worth"
        >${this.inValue ? this.#asset() : html`<slot></slot>`} ${this.#renderTurn()} ${this.#renderMost()}</span
      >
      ${hint ? html`<p class="why">${hint}</p>` : ''}
      ${
        fault
          ? html`<p class="why problem ${note?.level === 'mind' ? 'mind' : ''}">
              ${icon('alert', 's')}<span>${fault.text}</span>
            </p>`
          : ''
      }
      ${
        uses.length || this.#add
          ? html`<span class="why uses"
              >${uses.map(
                ([amount, label]) =>
                  html`<button class="chip" type="button" @click=${() => this.#use(amount)}>
                    <bdi>${label}</bdi>
                  </button>`,
              )}${
                this.#add ? html`<button class="chip" type="button" @click=${this.#add}>${t.addFunds}</button>` : ''
              }</span
            >`
          : ''
      }`;
  }

  #asset() {
    const {t, look} = this;
    const request = this.read(this.session.$form, 'request');
    if (isProblem(request)) return '';
    const {symbol, decimals} = request.from;
    return html`<bdi>${t.isAbout({amount: amountText(request.amount, {decimals}, look.locale), symbol})}</bdi>`;
  }

  /** The button that switches between the amount and its value, if quotes have values. */
  #renderTurn() {
    const {t, look, inValue, asset} = this;
    const offer = this.read(this.session.$form, 'offer');
    if (
      this.side !== 'pay' ||
      look.locked.includes('amount') ||
      !asset ||
      !(inValue || (offer && amountWorth(100n, offer)))
    )
      return '';
    return html`<button
      class="chip turn"
      type="button"
      aria-label=${t.typeIn({unit: inValue ? asset.symbol : look.currency})}
      @click=${this.#turn}
    >
      ${sign(signs.pen, 's')}
    </button>`;
  }

  #renderMost() {
    const {t, asset, look, session} = this;
    const most = this.read(session.$form, 'most');
    if (this.side !== 'pay' || !asset || most === undefined) return '';
    const use = () => {
      session.edit({amount: formatAmount(most, asset.decimals)});
      this.dispatchEvent(new Event('use'));
    };
    return html`<button
      class="chip"
      type="button"
      aria-label=${t.useAll({amount: amountText(most, asset, look.locale)})}
      @click=${use}
    >
      ${t.max} <bdi>${shortAmount(most, asset, look.locale)}</bdi>
    </button>`;
  }

  async #turn() {
    try {
      await import('./value-amount.js');
      this.dispatchEvent(new Event('turn'));
    } catch {
      // Without its code the amount is typed as before.
    }
  }

  #use(amount: string) {
    this.session.edit({[FIELD[this.side]]: amount});
    this.dispatchEvent(new Event('use'));
  }

  #wordsOf(note: AmountRemark, {symbol, decimals}: Pick<Asset, 'symbol' | 'decimals'>): AmountWords {
    const {t, look} = this;
    const figure = (amount: bigint) => amountText(amount, {decimals}, look.locale);
    const useOf = (amount: string, text: string) => [amount, t.useAmount({amount: text, symbol})] as const;
    switch (note.code) {
      case 'not-a-number':
        return {text: t.notANumber};
      case 'ambiguous': {
        const written = note.readings.map(reading => decimal(reading, look.locale));
        const uses = note.readings.map((reading, at) => useOf(reading, written[at] ?? ''));
        return {
          text: t.isItEither({one: written[0] ?? '', other: written[1] ?? ''}),
          ...(note.isOffered && {uses}),
        };
      }
      case 'too-many-decimals': {
        const cut = note.use && formatAmount(note.use, decimals);
        return {
          text: t.tooManyDecimals({symbol, decimals}),
          ...(cut && {uses: [useOf(cut, decimal(cut, look.locale))]}),
        };
      }
      case 'amount-range': {
        const {what, todo} = t.errors['amount-range'];
        if (note.amount === undefined) return {text: sentencesText(what, todo)};
        const words = {amount: figure(note.amount), symbol};
        return {text: note.bound === 'least' ? t.leastAmount(words) : t.mostAmount(words)};
      }
      case 'not-enough':
        return {text: t.notEnough({amount: figure(note.has), symbol})};
      case 'has-less':
        return {text: t.youHave({amount: figure(note.has), symbol})};
      case 'keep-for-fee': {
        const {use, reserve} = note;
        return {
          text: t.keepForFee({amount: shortAmount(reserve, {decimals}, look.locale), symbol}),
          ...(use && {uses: [useOf(formatAmount(use, decimals), figure(use))]}),
        };
      }
      case 'stays-for-fee':
        return {text: t.staysForFee({amount: shortAmount(note.reserve, {decimals}, look.locale), symbol})};
      case 'usual-amounts':
        return {text: t.usually({min: figure(note.min), max: figure(note.max), symbol})};
    }
  }
}

/**
 * The fault of an address.
 *
 * @tag swap-widget-address-note
 */
export class AddressNote extends LatePart {
  static override styles = [
    base,
    facts,
    css`
      /* Above the footer that stays at the lower edge of a small screen. */
      :host {
        scroll-margin-block-end: calc(var(--_u) * 32);
      }
      .problem .icon {
        margin: 0;
      }
      .name {
        overflow-wrap: anywhere;
      }
      .groups span:nth-child(n) {
        color: var(--_ink);
        font-weight: inherit;
      }
    `,
  ];

  @property({attribute: false}) field: AddressName = 'recipient';

  override render() {
    const fault = this.read(this.session.$form, ({notes}) => notes?.[this.field]);
    // Until its field removes the note.
    if (!fault) return '';
    return html`<span class="problem"
      >${icon('alert', 's')}<span><span class="why">${this.#text(fault)}</span> ${this.#typed(fault)}</span></span
    >`;
  }

  /** On a small screen, the field that the visitor just left may be behind the footer, or below the screen. */
  protected override firstUpdated() {
    const {userActivation} = navigator as Partial<Navigator>;
    if (!userActivation?.hasBeenActive || !isSmallTouchScreen()) return;
    setTimeout(() => {
      // A visitor who went on to another field stays there.
      if (this.isConnected && document.activeElement === document.body) this.scrollIntoView({block: 'nearest'});
    }, LEFT_MS);
  }

  protected readonly voice = new Voice(this, () => this.renderRoot.querySelector('.why')?.textContent.trim() ?? '');

  /** The whole text, to be checked: the field shortens it. */
  #typed(fault: AddressFault): unknown {
    return 'typed' in fault && /^\S{20,130}$/.test(fault.typed)
      ? html`<span aria-hidden="true">${groups(fault.typed)}</span>`
      : '';
  }

  #text(fault: AddressFault): unknown {
    const {t} = this;
    const network = this.assetOf(this.field === 'recipient' ? 'receive' : 'pay')?.chain.title ?? '';
    switch (fault.code) {
      case 'a-contract':
        return t.aContract;
      case 'other-network':
        return (fault.isTyped ? t.otherNetwork : t.walletOnOther)({other: fault.network, network});
      case 'no-name':
        return nameNote(fault.name, network, t);
      case 'nobodys':
        return t.nobodys;
      case 'length':
        return t.addressLength({network, n: fault.typed.length, length: fault.length});
      case 'not-an-address':
        return t.notAnAddress({network});
    }
  }
}

function nameNote({name, fault}: NameReading, network: string, t: Messages): unknown {
  const bdi = html`<bdi class="name">${name}</bdi>`;
  switch (fault) {
    case 'off':
      return t.namesOff;
    case 'no-address':
      return pieces(t.nameNoAddress, {name: bdi, network});
    case 'offchain':
      return pieces(t.nameOffchain, {name: bdi});
    case 'unread':
      return pieces(t.nameUnread, {name: bdi});
    default:
      return t.nameNotValid;
  }
}

/**
 * Asks whether the address in a field is right, and shows it in full. The form's button confirms it. Also warns about
 * an address that only looks like one used before, without preventing the swap. While the field is focused, it offers
 * the addresses that were used before on this network.
 *
 * @tag swap-widget-address-question
 */
export class AddressQuestion extends LatePart {
  static override styles = [
    base,
    facts,
    notice,
    css`
      :host {
        display: block;
        position: relative;
        font-size: var(--_t-s);
      }
      :host([open]) {
        padding-block: calc(var(--_u) * 2) var(--_u);
      }
      .groups {
        margin-block-start: var(--_u);
      }
      .name {
        overflow-wrap: anywhere;
      }
      /* On top of the content below, so that nothing moves when it appears or disappears. */
      .recent {
        position: absolute;
        inset-inline: 0;
        z-index: 2;
        margin-block-start: var(--_u);
        padding: calc(var(--_u) * 2) calc(var(--_u) * 2) var(--_u);
        border: 1px solid var(--_edge);
        border-radius: var(--_radius-control);
        background: var(--_surface);
      }
      .recent p {
        padding-inline: calc(var(--_u) * 2);
      }
      .recent button {
        display: flex;
        justify-content: space-between;
        align-items: center;
        gap: calc(var(--_u) * 3);
        inline-size: 100%;
        min-block-size: var(--_tool);
        padding-inline: calc(var(--_u) * 2);
        border-radius: var(--_radius-control);
        text-align: start;
      }
      .recent button:hover {
        background: var(--_sunk);
      }
      .recent bdi {
        font-family: var(--_mono);
      }
    `,
  ];

  @property({attribute: false}) field: AddressName = 'recipient';

  @property() address = '';

  @state() private atFirst?: string | undefined;

  #left?: AbortController;
  /** The question on the screen as text, without the address. The button that answers it is elsewhere. */
  #asks = '';
  protected readonly voice = new Voice(this, () => this.#asks);

  override connectedCallback() {
    super.connectedCallback();
    const {signal} = (this.#left = new AbortController());
    const host = this.#host;
    host?.addEventListener('focusin', this.#focus, {signal});
    // This may load when the field is already focused, and its own address is set after rendering.
    void this.updateComplete.then(() => host?.matches(':focus-within') && this.#focus());
    host?.addEventListener('focusout', this.#blur, {signal});
    host?.addEventListener('keydown', this.#dismiss, {signal});
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#left?.abort();
    this.atFirst = undefined;
  }

  get #host(): HTMLElement | undefined {
    return (this.getRootNode() as Partial<ShadowRoot>).host as HTMLElement | undefined;
  }

  readonly #focus = () => {
    this.atFirst ??= this.address;
    // WebKit does not notice in `:has()` that the field has the focus.
    this.#host?.toggleAttribute('focused', this.#host.shadowRoot?.activeElement?.localName === 'input');
  };

  readonly #blur = ({relatedTarget}: FocusEvent) => {
    this.#host?.removeAttribute('focused');
    if (!this.#host?.shadowRoot?.contains(relatedTarget as Node | null)) this.atFirst = undefined;
  };

  readonly #dismiss = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !this.renderRoot.querySelector('.recent')) return;
    event.stopPropagation();
    this.atFirst = NOTHING;
  };

  override render() {
    return [this.#renderQuestion(), this.#renderRecent()];
  }

  #renderRecent() {
    const {t, session, field, address, atFirst, look} = this;
    const recent = this.read(session.$journal, 'recent')?.[field].filter(one => one.address !== address);
    const network = this.assetOf(field === 'recipient' ? 'receive' : 'pay')?.chain.title ?? '';
    const isLocked = look.locked.some(name => name === field);
    if (atFirst !== address || isLocked || !recent?.length) return '';
    const today = dayOf(Date.now());
    // A press keeps the focus in the field: if it moved, the pressed button would disappear.
    return html`<div class="recent" @pointerdown=${(event: Event) => event.preventDefault()}>
      <p class="quiet" id="recent">${t.usedBefore({network})}</p>
      <div role="group" aria-labelledby="recent">
        ${recent.map(
          one =>
            html`<button type="button" title=${one.address} @click=${() => session.edit({[field]: one.address})}>
              <bdi class="ltr">${truncate(one.address, 8, 6)}</bdi>
              <span class="quiet">${when(one.at, today, look.locale)}</span>
            </button>`,
        )}
      </div>
    </div>`;
  }

  #renderQuestion() {
    const {t, session, field} = this;
    this.#asks = '';
    const warning = this.read(session.$form, ({warnings}) => warnings?.[field]);
    this.toggleAttribute('open', warning !== undefined);
    if (this.#host) warnOfLoss(this.#host, warning?.level === 'loss');
    if (!warning) return '';
    const {level, name, used} = warning;
    if (name && warning.why === 'name-unread')
      return html`<p class="problem">${icon('alert', 's')}<span>${nameNote(name, '', t)}</span></p>`;
    const address = name?.address ?? this.address;
    const why = this.#question(warning);
    const isContract = warning.why === 'smart-account' || warning.why === 'contract';
    const risk = used !== undefined ? t.lookalike : isContract ? t.couldBeLost : t.wrongAddressLost;
    const network = this.assetOf('receive')?.chain.title ?? '';
    this.#asks = sentencesText(name && used === undefined ? t.recipientNamed({name: name.name, network}) : risk, why);
    return html`<div class="notice ${level}" part="notice">
      ${icon('alert')}
      ${
        used === undefined
          ? html`<p>${name ? sentences(this.#named(name), why) : titled(risk, why)} ${groups(address)}</p>`
          : html`<p>
                ${titled(
                  risk,
                  lookalikeText(address, used, t, () => this.#use(used)),
                )}
              </p>
              <p>${name ? sentences(this.#named(name), why) : why}</p>
              <p>${t.youEntered} <br />${groups(address, used)}</p>`
      }
    </div>`;
  }

  /** Takes the address that was used before, and goes on to the next step: this button disappears. */
  #use(used: string) {
    this.session.edit({[this.field]: used});
    this.#host?.closest('.frame')?.querySelector<HTMLElement>('.primary')?.focus();
  }

  #named({name}: NameReading) {
    const network = this.assetOf('receive')?.chain.title ?? '';
    return pieces(this.t.recipientNamed, {name: html`<bdi class="name">${name}</bdi>`, network});
  }

  #question({why}: AddressWarning): string {
    const {t} = this;
    switch (why) {
      case 'filled-in':
        return t.filledIn;
      case 'smart-account': {
        const title = (side: Side) => this.assetOf(side)?.chain.title ?? '';
        return t.recipientSmart({from: title('pay'), to: title('receive')});
      }
      case 'contract':
        return t.recipientContract;
      case 'linked':
        return t.recipientLinked;
      case 'given':
        return t.recipientGiven;
      case 'other':
        return t.recipientOther;
      default:
        return '';
    }
  }
}

/** A value that no field has: whatever is typed differs from it. */
const NOTHING = '\0';

register({
  'swap-widget-amount-note': AmountNote,
  'swap-widget-address-note': AddressNote,
  'swap-widget-address-question': AddressQuestion,
});
