import {html, type PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import {type Cost, costOf, type Quote, rateOf} from '../../domain/quote.js';
import {depositBy, type Asset} from '../../domain/asset.js';
import type {Agreement} from '../../domain/deposit.js';
import {type AddressName} from '../../domain/draft.js';
import {totalBps} from '../../domain/affiliate-fee.js';
import type {SwapError} from '../../domain/error.js';
import {foreignText} from '../../domain/foreign.js';
import {valueOf} from '../../domain/remote.js';
import type {WalletRequestKind} from '../../domain/deposit.js';
import {referenceOf} from '../../session/reference.js';
import type {PriceMove} from '../../session/session.js';
import {percent, valueText} from '../../locales/figures.js';
import {note} from '../base/error-note.js';
import {isSmallTouchScreen} from '../base/media.js';
import {register} from '../base/swap-element.js';
import {shortTime} from '../base/time.js';
import {
  aboutAmount,
  againstSite,
  amountText,
  costText,
  DOT,
  errorWords,
  groups,
  lookalikeText,
  lossText,
  mono,
  rateText,
  roughly,
  sentences,
  walletName,
} from '../base/words.js';
import {echo, isWalletAsked, Overlay, sheet} from '../overlay.js';
import {notice} from '../style/notice.js';
import {errorNote, line, payee, thread} from './order-parts.js';
import {renderLiveSignatures} from './permissions.js';
import {orderStyles} from './order-styles.js';
import {OrderView} from './order-view.js';
import {reviewSheet} from './review-sheet.js';

/** How long the button ignores clicks after the review changed: a double click must not confirm the change. */
const READING_MS = 500;

/**
 * The review: what is paid, what it costs, what arrives at least, and at which address. On a small touch screen it is a
 * sheet in front of the form. It closes when the order is placed or a wallet prompts: windows of wallets, and the
 * page's own dialogs that block an order, may be in the page.
 *
 * @tag swap-widget-review-view
 */
export class ReviewView extends OrderView {
  static override styles = [...OrderView.styles, notice, orderStyles, sheet, reviewSheet];

  /** Whether a moved price, or the reason for having no order, is so new that a click cannot be meant for it. */
  @state() private isNews = false;
  @state() private isWhole = false;

  #news: unknown;
  #newsTimer?: ReturnType<typeof setTimeout>;

  #isSheet = false;
  readonly #overlay = new Overlay(this, () => {
    if (this.#isInFront()) this.session.back();
  });

  override connectedCallback() {
    super.connectedCallback();
    this.#isSheet = isSmallTouchScreen();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#newsTimer);
    this.isNews = false;
  }

  /** Once the order is displayed, there is no agreement: what is left stays as it was, so the next view begins there. */
  protected override shouldUpdate(): boolean {
    return this.session.$view.get() === 'review';
  }

  protected override updated(changed: PropertyValues) {
    if (this.#isSheet && this.isConnected) this.#overlay.show(this.#isInFront());
    super.updated(changed);
    // The news is above what was being read.
    if (this.isNews && changed.has('isNews') && this.#overlay.dialog)
      this.renderRoot
        .querySelector('.between > :is(.notice, swap-widget-error-note)')
        ?.scrollIntoView({block: 'nearest'});
  }

  protected override willUpdate(changed: PropertyValues) {
    super.willUpdate(changed);
    const news = this.#failure() ?? this.read(this.session.$form, 'moved')?.now;
    if (news !== undefined && news !== this.#news && this.hasUpdated) {
      this.isNews = true;
      clearTimeout(this.#newsTimer);
      this.#newsTimer = setTimeout(() => (this.isNews = false), READING_MS);
    }
    this.#news = news;
  }

  override render() {
    const {session, t} = this;
    const agreed = this.read(session.$form, 'agreement');
    const placing = this.#placing();
    const frame = this.frame({
      title: t.review,
      back: !placing,
      accounts: true,
      body: agreed ? this.#renderAgreement(agreed) : '',
      foot: this.#renderFoot(agreed, placing),
    });
    if (!this.#isSheet) return frame;
    return html`<dialog aria-label=${t.review}>${frame}${echo}</dialog>
      <swap-widget-form-view
        class="under"
        exportparts=${this.getAttribute('exportparts') ?? ''}
        inert
      ></swap-widget-form-view>`;
  }

  #isInFront(): boolean {
    return !this.#placing() && !isWalletAsked(this.read, this.session);
  }

  #renderAgreement(agreed: Agreement) {
    const {session, t} = this;
    const offer = this.read(session.$form, 'offer');
    const moved = this.read(session.$form, 'moved');
    // If the price has moved: what the visitor would agree to now.
    const least = (moved ?? agreed).atLeast;
    return thread(
      this.locale,
      {
        asset: agreed.from,
        label: t.youPay,
        amount: agreed.amount,
        detail: html`<bdi>${valueText(offer?.source.value, this.look)}</bdi>`,
      },
      [
        this.#renderLookalikes(agreed),
        moved
          ? this.#renderMove(moved, agreed.to)
          : html`${this.#renderFailure()}${renderLiveSignatures(this.context)}`,
        this.#renderLines(agreed, least),
      ],
      {
        asset: agreed.to,
        label: t.youReceiveAbout,
        about: true,
        amount: moved ? moved.now : agreed.receive,
        detail: html`<bdi>${agreed.to.chain.title}</bdi
          >${DOT}${shortTime(offer, agreed.from.chain, agreed.to.chain, t)}`,
        end: html`<button
          class="link"
          type="button"
          aria-expanded=${this.isWhole ? 'true' : 'false'}
          @click=${() => (this.isWhole = !this.isWhole)}
        >
          ${t.details}
        </button>`,
      },
    );
  }

  /** The recipient: in full, unless it is a connected wallet's account. */
  #renderRecipient({to, recipient}: Agreement) {
    const {t} = this;
    const isOwn = this.read(this.session.$wallets, 'accounts')[to.chain.family]?.address === recipient;
    return isOwn ? line(t.receiveAt, mono(recipient)) : this.#renderWhole(t.receiveAt, recipient, 'recipient');
  }

  /** An address in full, for comparison. */
  #renderWhole(name: string, address: string, field: AddressName, place = '') {
    return html`<div class=${place}>
      <dt>${name}</dt>
      <dd class="sub">${groups(address, this.#usedLike(field))}</dd>
    </div>`;
  }

  #usedLike(field: AddressName): string | undefined {
    return this.read(this.session.$journal, ({lookalikes}) => lookalikes?.[field]);
  }

  #renderLookalikes({recipient, owner}: Agreement) {
    const {session, t} = this;
    const shown = {recipient, refundAddress: owner};
    return (['recipient', 'refundAddress'] as const).map(field => {
      const used = this.#usedLike(field);
      if (used === undefined) return '';
      const use = () => {
        session.back();
        session.edit({[field]: used});
      };
      return note(t.lookalike, lookalikeText(shown[field], used, t, use), 'loss');
    });
  }

  /** A price that fell below the agreed one: both amounts and their difference, for the visitor to decide. */
  #renderMove({before, now, less, level}: PriceMove, asset: Asset) {
    const {t} = this;
    const amount = (value: bigint) => html`<span>${aboutAmount(value, asset, this.locale)} ${asset.symbol}</span>`;
    return html`${note(t.priceMoved, t.priceMovedWhy, level)}
      <dl class="lines tall" part="lines">
        ${line(t.before, amount(before))}
        ${line(
          t.now,
          html`<strong>${amount(now)}</strong>
            <span class="beside">${t.getLess({percent: percent(less, this.locale)})}</span>`,
        )}
      </dl>`;
  }

  /** Why there is no order: in the service's words, if it gave some and ours say no more. */
  #renderFailure() {
    const {t} = this;
    const error = this.#failure();
    if (!error) return '';
    // A page of markup is a proxy's.
    const reason = error.code === 'service' && !error.reason?.startsWith('<') && foreignText(error.reason ?? '');
    if (!reason) return errorNote(error, 'review');
    const {what, todo = ''} = errorWords(error, t);
    return note(what, sentences(t.serviceSaysWhy({reason}), t.money.review, todo), 'caution');
  }

  #failure(): SwapError | undefined {
    const order = this.read(this.session.$order);
    return order.state === 'failed' ? order.error : undefined;
  }

  /** What can hurt: the cost, what arrives at least, to whom, and what becomes of a failure. On demand, the rest. */
  #renderLines(agreed: Agreement, least: bigint) {
    const {t} = this;
    const offer = this.read(this.session.$form, 'offer');
    const cost = offer && costOf(offer, agreed.affiliateFees);
    const exact = `${amountText(least, agreed.to, this.locale)} ${agreed.to.symbol}`;
    return html`<dl class="lines tall" part="lines">
      ${cost ? this.#renderCost(cost, agreed) : ''}
      ${line(t.atLeast, html`<bdi title=${exact}>${aboutAmount(least, agreed.to, this.locale)} ${agreed.to.symbol}</bdi>`)}
      ${this.#renderRecipient(agreed)} ${line(t.ifItFails, isTransfer(agreed) ? t.onlyServiceRefunds : t.moneyBack)}
      ${isTransfer(agreed) ? this.#renderWhole(t.refundGoesTo, agreed.owner, 'refundAddress', 'joined') : ''}
      ${this.isWhole ? this.#renderRest(agreed, offer, cost) : ''}
    </dl>`;
  }

  #renderRest(agreed: Agreement, offer: Quote | undefined, cost: Cost | undefined) {
    const {t} = this;
    const {priceTolerance = 0, catalogue} = this.read(this.session.$settings, 'config') ?? {};
    const above = this.read(referenceOf(this.session));
    const rate = offer && rateText(rateOf(offer, agreed.from), agreed.from, agreed.to, this.locale, t);
    return html`
      ${cost && agreed.affiliateFees.length ? line(t.networkAndExchange, html`<bdi>${lossText(cost.network, this.look)}</bdi>`) : ''}
      ${agreed.affiliateFees.map((fee, index) =>
        line(
          t.partnerFee({percent: percent(fee.bps, this.locale)}),
          html`<bdi>${cost ? lossText(cost.shares[index] ?? 0n, this.look) : ''}</bdi>`,
          payee(fee, catalogue, t, mono),
        ),
      )}
      ${this.#renderWalletAsks(agreed)} ${rate ? line(t.rateName, html`<bdi>${rate}</bdi>`) : ''}
      ${line(t.tolerance, percent(priceTolerance, this.locale))}
      ${above === undefined ? '' : line(t.againstSite, againstSite(above, this.locale, t))}
      ${agreed.solverId ? line(t.offeredBy, this.#renderSolver(agreed.solverId)) : ''}
      <div><dd class="sub">${t.noCheckStops}${isTransfer(agreed) ? ` ${t.refundGoesToWhy}` : ''}</dd></div>
    `;
  }

  /** The cost, the part of it that the site gets, and what the payer's transactions cost besides. */
  #renderCost(cost: Cost, {affiliateFees}: Agreement) {
    const {t} = this;
    const bps = totalBps(affiliateFees);
    return line(
      t.cost,
      html`<bdi>${costText(cost, this.look, t)}</bdi> <span class="beside">${this.#networkFee()}</span>`,
      bps && t.partnerFeeIncluded({percent: percent(bps, this.locale)}),
    );
  }

  /** What the payer's transactions cost besides, as far as it is known. Only a signature is free. */
  #networkFee(): string {
    const {t} = this;
    const foresight = this.read(this.session.$form, 'foresight');
    const {plan, fee} = (foresight !== 'pending' && foresight) || {};
    if (plan?.every(kind => kind === 'sign')) return t.feeNone;
    if (!fee) return t.plusNetworkFee;
    return t.feeAbout({amount: amountText(roughly(fee.amount), fee.coin, this.locale), symbol: fee.coin.symbol});
  }

  #renderSolver(solverId: string): string {
    const {t} = this;
    const offers = valueOf(this.read(this.session.$form, 'quote'))?.offers ?? [];
    const n = offers.length;
    return offers[0]?.solverId === solverId ? t.bestQuote({n}) : t.otherQuote({n});
  }

  /** The wallet's prompts, in their order, so that no window is a surprise; until they are known, their usual space. */
  #renderWalletAsks({from, amount}: Agreement) {
    const {session, t} = this;
    const foresight = this.read(session.$form, 'foresight');
    if (!foresight) return '';
    if (foresight === 'pending') {
      const bone = html`<span class="skeleton"></span>`;
      return html`<div>
        <dt>${bone}</dt>
        <dd class="sub">${bone}${from.token === undefined ? '' : html`<br />${bone}`}</dd>
      </div>`;
    }
    const wallet = walletName(this.read(session.$wallets, 'accounts')[from.chain.family], t);
    const questions = [
      ...(foresight.moves ? [t.switchTo({network: from.chain.title})] : []),
      ...foresight.plan.map((kind: WalletRequestKind) => {
        const paid = {amount: amountText(amount, from, this.locale), symbol: from.symbol};
        if (kind === 'approve') return t.approveTitle(paid);
        if (foresight.isBundle) return t.bundleTitle(paid);
        return kind === 'sign' ? t.signFree({wallet}) : t.sendTitle({wallet});
      }),
    ];
    return html`<div>
      <dt>${this.#walletIsNext()}</dt>
      <dd class="sub">
        ${
          questions.length === 1
            ? questions[0]
            : html`<ol class="asks">
                ${questions.map(question => html`<li>${question}</li>`)}
              </ol>`
        }
      </dd>
    </div>`;
  }

  #walletIsNext(): string {
    const foresight = this.read(this.session.$form, 'foresight');
    if (!foresight || foresight === 'pending') return this.t.walletIsNext;
    return this.t.walletAsks({n: foresight.plan.length + (foresight.moves ? 1 : 0)});
  }

  #renderFoot(agreed: Agreement | undefined, placing: boolean) {
    const {session, t} = this;
    const moved = this.read(session.$form, 'moved');
    // The wallet may disappear, or its account change, while the review is open.
    const problem = agreed ? undefined : this.read(session.$form, 'problem');
    const opens = problem?.remedy === 'press';
    const ready = !placing && !this.isNews && (agreed !== undefined || opens);
    const failure = this.#failure();
    const isOfSite = failure?.code === 'config';
    const leadsBack = isRefusedAgain(failure);
    // A press asks for a price again, and orders at it. Against some refusals only another amount helps, or the site.
    const way = isOfSite ? t.back : leadsBack ? t.problems['amount-range'] : t.tryAgain;
    const order = failure ? way : t.placeSwap;
    const label = placing ? t.placing : problem ? t.problems[problem.code] : moved ? t.acceptPrice : order;
    const wait = this.read(session.$form, 'isPlacingSlow') ? t.longerThanUsual : t.checkingAnswer;
    const next = agreed && isTransfer(agreed) ? t.addressIsNext : this.#walletIsNext();
    return html`<button
        class="primary"
        part="primary"
        type="button"
        aria-disabled=${!ready ? 'true' : 'false'}
        @click=${this.#place}
      >
        ${label}
      </button>
      <p class="foot-note">
        <span>${placing ? wait : moved || leadsBack ? t.nothingSigned : next}</span>
        <span>${placing || isOfSite ? '' : this.clock()}</span>
      </p>`;
  }

  #placing(): boolean {
    return this.read(this.session.$stage) === 'ordering' || this.read(this.session.$order).state === 'pending';
  }

  #place() {
    const {session} = this;
    const {draft, page, agreement, moved, problem} = session.$form.get();
    const family = page?.catalogue.find(draft.from)?.chain.family;
    if (this.#placing() || this.isNews) return;
    if (agreement && !moved && isRefusedAgain(this.#failure())) session.back();
    else if (agreement) void session.placeOrder();
    else if (problem?.code === 'connect' && family) this.chooseWallet(family, 'pay');
    else if (problem?.remedy === 'press') session.back();
  }
}

/** Whether the same order would be refused again: the service refused the amount, or the site has to change something. */
function isRefusedAgain(error: SwapError | undefined): boolean {
  const {code, field} = error ?? {};
  return code === 'amount-range' || code === 'config' || (code === 'service' && field === 'request');
}

/** Whether the swap is paid to an address: then no wallet prompts, and the order has a refund address. */
function isTransfer({from}: Agreement): boolean {
  return depositBy(from.chain) === 'transfer';
}

register({'swap-widget-review-view': ReviewView});
