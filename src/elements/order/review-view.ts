import {html} from 'lit';
import {formatAmount, lessBps} from '../../domain/amount.js';
import {depositBy, type Asset} from '../../domain/asset.js';
import type {Agreement} from '../../domain/deposit.js';
import {costOf} from '../../domain/quote.js';
import {valueOf} from '../../domain/remote.js';
import type {PriceMove} from '../../session/session.js';
import {countdown, decimal, money, valueText} from '../base/format.js';
import {register} from '../base/swap-element.js';
import {about} from '../base/time.js';
import {foreignMono, groups, mono, percent, pieces} from '../base/words.js';
import {notice} from '../style/notice.js';
import {renderLiveSignatures} from './live-signatures.js';
import {errorNote, getSide, line, note, paySide, thread} from './order-parts.js';
import {orderStyles} from './order-styles.js';
import {OrderView} from './order-view.js';
import {payee} from './partner-fees.js';

/**
 * The review: what is paid, what it costs, what arrives at least, and at which address.
 *
 * @tag swap-widget-review-view
 */
export class ReviewView extends OrderView {
  static override styles = [...OrderView.styles, notice, orderStyles];

  override render() {
    const {session, t} = this;
    const agreed = this.read(session.$agreement);
    const quotes = valueOf(this.read(session.$quote));
    const until = this.read(session.$nextQuoteAt);
    const placing = this.#placing();
    return this.frame({
      title: t.review,
      back: !placing,
      body: agreed ? this.#renderAgreement(agreed) : '',
      clock: quotes && until && !placing ? {from: quotes.at, until} : undefined,
      foot: this.#renderFoot(agreed, placing, until),
    });
  }

  #renderAgreement(agreed: Agreement) {
    const {session, t} = this;
    const offer = this.read(session.$offer);
    const moved = this.read(session.$moved);
    const tolerance = this.read(session.$config)?.priceTolerance ?? 0;
    return thread(
      paySide({
        asset: agreed.from,
        label: t.youPay,
        amount: agreed.amount,
        detail: html`<bdi>${valueText(offer?.source.value, this.look)}</bdi>
          ${isTransfer(agreed) ? '' : html`<span class="whole">${pieces(t.from, {address: mono(agreed.owner)})}</span>`}`,
      }),
      moved
        ? this.#renderMove(moved, agreed.to)
        : html`${renderLiveSignatures(this.context)}${this.#renderLines(agreed)}${this.#renderFailure()}`,
      getSide({
        asset: agreed.to,
        label: t.youReceiveAtLeast,
        // If the price has moved: what the person would agree to now.
        amount: moved ? lessBps(moved.now, tolerance) : agreed.atLeast,
        detail: html`<span class="whole">${pieces(t.to, {address: mono(agreed.recipient)})}</span>`,
      }),
    );
  }

  /** A price that fell below what was agreed: both amounts, for the person to decide. */
  #renderMove({before, now}: PriceMove, {decimals, symbol}: Asset) {
    const {t} = this;
    const amount = (value: bigint) => html`<bdi>${decimal(formatAmount(value, decimals), this.locale)} ${symbol}</bdi>`;
    return html`${note(t.priceMoved, t.priceMovedWhy, 'warn')}
      <dl class="lines tall" part="lines">
        ${line(t.before, amount(before))} ${line(t.now, html`<strong>${amount(now)}</strong>`)}
      </dl>`;
  }

  #renderFailure() {
    const order = this.read(this.session.$order);
    return order.state === 'failed' ? errorNote(order.error, 'review') : '';
  }

  #renderLines(agreed: Agreement) {
    const {t} = this;
    const offer = this.read(this.session.$offer);
    const cost = offer && costOf(offer, agreed.affiliateFees);
    const catalogue = this.read(this.session.$config)?.catalogue;
    return html`<dl class="lines tall" part="lines">
      ${
        cost
          ? html`<div class="minus">
              <dt>${t.networkAndExchange}</dt>
              <dd><bdi>${money(-cost.network, this.look)}</bdi></dd>
            </div>`
          : ''
      }
      ${agreed.affiliateFees.map(
        (fee, index) =>
          html`<div class="minus">
            <dt>${t.partnerFee({percent: percent(fee.bps, this.locale)})}</dt>
            <dd><bdi>${cost ? money(-(cost.shares[index] ?? 0n), this.look) : ''}</bdi></dd>
            <dd class="sub">${payee(fee, catalogue, t, mono)}</dd>
          </div>`,
      )}
      ${
        cost && agreed.affiliateFees.length
          ? html`<div>
              <dt class="total">${t.inAll}</dt>
              <dd class="total"><bdi>${money(-cost.total, this.look)}</bdi></dd>
            </div>`
          : ''
      }
      ${line(t.atThisPrice, html`<bdi>${decimal(formatAmount(agreed.receive, agreed.to.decimals), this.locale)} ${agreed.to.symbol}</bdi>`)}
      ${offer?.estimatedSeconds ? line(t.estimatedTime, about(offer.estimatedSeconds, t)) : ''}
      ${
        isTransfer(agreed)
          ? html`<div>
              <dt>${t.refundGoesTo}</dt>
              <dd class="sub">${groups(agreed.owner)}</dd>
              <dd class="sub">${t.refundGoesToWhy}</dd>
            </div>`
          : ''
      }
      ${agreed.solverId ? line(t.offeredBy, foreignMono(agreed.solverId)) : ''}
    </dl>`;
  }

  #renderFoot(agreed: Agreement | undefined, placing: boolean, until: number | undefined) {
    const {session, t} = this;
    const moved = this.read(session.$moved);
    // The wallet may go away, or its account change, while the review is on the screen.
    const problem = agreed ? undefined : this.read(session.$problem);
    const opens = problem?.remedy === 'press';
    const ready = !placing && (agreed !== undefined || opens);
    const label = placing ? t.placing : problem ? t.problems[problem.code] : moved ? t.acceptPrice : t.placeSwap;
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
        <span
          >${placing ? t.checkingAnswer : moved ? t.nothingSigned : agreed && isTransfer(agreed) ? t.addressIsNext : t.walletIsNext}</span
        >
        <span>${placing ? '' : this.#renderNextPrice(until)}</span>
      </p>`;
  }

  #renderNextPrice(until: number | undefined): unknown {
    const {session, t} = this;
    if (this.read(session.$quote).state === 'pending') return t.gettingPrice;
    if (until === undefined) return '';
    return t.newPriceIn({time: countdown(until - this.read(session.$now))});
  }

  #placing(): boolean {
    return this.read(this.session.$stage) === 'ordering' || this.read(this.session.$order).state === 'pending';
  }

  #place() {
    const {session} = this;
    const family = session.$config.get()?.catalogue.find(session.$draft.get().from)?.chain.family;
    if (this.#placing()) return;
    if (session.$agreement.get()) void session.placeOrder();
    else if (session.$problem.get()?.code !== 'connect') session.back();
    else if (family) this.chooseWallet(family, 'pay');
  }
}

/** Whether the swap is paid to an address: then no wallet is asked, and the order names a refund address. */
function isTransfer({from}: Agreement): boolean {
  return depositBy(from.chain) === 'transfer';
}

register({'swap-widget-review-view': ReviewView});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-review-view': ReviewView;
  }
}
