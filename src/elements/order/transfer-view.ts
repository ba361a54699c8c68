import {css, html, nothing, type PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import {formatAmount} from '../../domain/amount.js';
import {dueOf, paymentUri, type Deal, type TransferDeposit} from '../../domain/deposit.js';
import {isPart, lossOf} from '../../domain/order.js';
import {valueOf} from '../../domain/remote.js';
import type {FundingProgress, PlacedOrder} from '../../session/session.js';
import {countdown} from '../base/format.js';
import {icon, sign} from '../icons/icons.js';
import {OrderView} from './order-view.js';
import {time} from '../base/time.js';
import {groups, mono} from '../base/words.js';
import {signs} from '../icons/signs.js';
import {checks, expiredBody, feesNotice, getSide, payouts, paySide} from './order-parts.js';

/** How a deposit to an address looks. */
export const transferStyles = css`
  .pay-to {
    display: grid;
    grid-template: 'code label' auto 'code address' auto 'code copy' 1fr / 9.25rem minmax(0, 1fr);
    column-gap: calc(var(--_u) * 4);
    align-items: start;
    margin-inline-start: calc(var(--_rail) + var(--_gap));
  }
  .code {
    grid-area: code;
    aspect-ratio: 1;
    border-radius: var(--_radius-control);
    background: #fff;
    /* The code is white on a white card: its edge keeps the two apart. */
    box-shadow: 0 0 0 1px var(--_line);
    forced-color-adjust: none;
  }
  .code.skeleton {
    inline-size: auto;
    block-size: auto;
    background: var(--_press);
    box-shadow: none;
  }
  a.primary {
    text-decoration: none;
  }
  .pay-to > .label {
    grid-area: label;
  }
  .pay-to > .groups {
    grid-area: address;
    margin-block: var(--_u);
  }
  .pay-to > .chip {
    grid-area: copy;
    justify-self: start;
  }
  .told:not(.hidden) {
    margin-block-start: var(--_u);
    margin-inline-start: calc(var(--_rail) + var(--_gap));
    font-size: var(--_t-s);
  }
  .between > .next {
    margin-block-start: calc(var(--_u) * 4);
  }
  .between > .next + .checks {
    margin-block: calc(var(--_u) * 2) calc(var(--_u) * -2);
  }
  @container (inline-size < 22.5rem) {
    .pay-to {
      grid-template: 'code label' auto 'code copy' 1fr 'address address' auto / 9.25rem minmax(0, 1fr);
      column-gap: calc(var(--_u) * 2.5);
    }
    .pay-to > .groups {
      margin-block: calc(var(--_u) * 2) 0;
    }
    .between > .next {
      margin-block-start: calc(var(--_u) * 2);
    }
  }
  @container (inline-size < 20rem) {
    .pay-to {
      grid-template: 'code' 9.25rem 'label' 'copy' 'address' / 9.25rem;
    }
  }
`;

/**
 * A deposit to an address: what to send and where, as long as it may be sent. The deposit view is one with it, since a
 * wallet in the browser can make the same payment.
 */
export abstract class TransferView extends OrderView {
  /** Whether the person wants to pay again, after a payment that left the chain. */
  @state() private again = false;
  /** Whether the page was denied the clipboard. */
  @state() private denied = false;

  protected renderTransfer(order: PlacedOrder, deal: Deal, deposit: TransferDeposit, funding: FundingProgress) {
    const {session, t} = this;
    const {agreed} = deal;
    const source = (valueOf(this.read(session.$status)) ?? deal.order)?.source;
    const filled = source?.filled ?? 0n;
    // What is asked for is what was agreed and checked, whatever the service says later.
    const due = {amount: deposit.amount, filled};
    const left = order.payUntil - this.read(session.$now);
    // Late is late: what is shown no longer is sent no longer.
    if (left <= 0) return this.#renderOver(order, deal);
    const {seen} = this.read(session.$journal).find(({orderId}) => orderId === order.id) ?? {};
    const gone = !this.again && source !== undefined && lossOf(seen, source) === 'gone';
    const part = !gone && isPart(due);
    const amount = part ? dueOf(due).missing : deposit.amount;
    // Nobody is shown an address before the order was read and all of it held.
    const checked = source !== undefined && order.report?.outcome === 'passed';
    const uri = checked && !gone ? paymentUri(agreed.from, deposit.address, amount) : undefined;
    const text = formatAmount(amount, agreed.from.decimals);
    const by = time(order.payUntil, this.locale);
    return this.frame({
      title: part ? t.sendRest : t.sendAsset(agreed.from.symbol),
      back: !funding.busy,
      body: html`<div class="thread">
        ${paySide({
          asset: agreed.from,
          label: part ? t.stillToSend : t.sendExactly,
          amount,
          exact: true,
          extra: checked && !gone ? this.#renderCopy(t.copyAmount, text) : '',
          detail: t.feeOnTop,
        })}
        <div class="between" part="between">
          <div role="status">
            ${
              part
                ? html`<div class="notice warn" part="notice">
                    ${icon('alert')}
                    <p>
                      <strong
                        >${t.partly(
                          formatAmount(filled, agreed.from.decimals),
                          formatAmount(deposit.amount, agreed.from.decimals),
                          agreed.from.symbol,
                        )}</strong
                      >
                      ${t.restWhy(text, agreed.from.symbol, html`<bdi>${by}</bdi>`, mono(agreed.owner))}
                    </p>
                  </div>`
                : gone
                  ? html`<div class="notice warn" part="notice">
                      ${icon('alert')}
                      <p><strong>${t.movedBack}</strong> ${t.goneWhy}</p>
                    </div>`
                  : ''
            }
          </div>
          ${this.#renderError(funding)} ${gone ? '' : this.#renderPayTo(checked ? deposit.address : undefined, uri)}
          <p class=${this.denied ? 'told problem' : 'told hidden'} role="status">
            ${
              this.denied ? t.notCopied : this.copied === t.copyAmount ? t.amountCopied : this.copied && t.addressCopied
            }
          </p>
          ${gone || !checked ? '' : this.renderFees(deal)}
          ${part || gone || !checked ? '' : this.#renderNext(deal, source.confirmations.required)}
          ${gone ? '' : checks(checked ? order.report : undefined, t)}
        </div>
        ${getSide({asset: agreed.to, label: t.youReceiveAtLeast, amount: agreed.atLeast, line: true})}
      </div>`,
      foot: html`${this.#renderPrimary(gone, uri, funding)}
        <p class="foot-note">
          <span>${gone || !checked ? '' : this.#renderWallet(deal, funding)}</span>
          <span>${t.timeLeft(html`<bdi>${countdown(left)}</bdi>`)}</span>
        </p>`,
    });
  }

  /** What the order says that partners get, and a word where that is more than was agreed. */
  protected renderFees({agreed, order: checked}: Deal) {
    const {session, t} = this;
    const order = valueOf(this.read(session.$status)) ?? checked;
    if (!order) return '';
    const lines = payouts(order, this.read(session.$config)?.catalogue, t);
    return html`<div role="status">${feesNotice(order, agreed, t)}</div>
      ${lines.length ? html`<dl class="lines" part="lines">${lines}</dl>` : ''}`;
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    // Amount and address can be read and copied without the code.
    if (this.renderRoot.querySelector('.code')) void import('./qr-code.js').catch(() => undefined);
  }

  #renderError({error, walletRequests: asks}: FundingProgress) {
    if (!error) return '';
    // A wallet that was asked may have paid, whatever it says: some report a no after a yes.
    const where = asks.length ? 'transfer' : 'deposit';
    return html`<swap-widget-error-note .error=${error} where=${where} exportparts="notice"></swap-widget-error-note>`;
  }

  #renderPayTo(address: string | undefined, uri: string | undefined) {
    const {t} = this;
    if (address === undefined) return html`<div class="pay-to"><span class="code skeleton"></span></div>`;
    return html`<div class="pay-to">
      ${
        uri === undefined
          ? ''
          : html`<swap-widget-qr-code
              class="code"
              exportparts="qr"
              text=${uri}
              label=${t.qrCode}
            ></swap-widget-qr-code>`
      }
      <span class="label">${t.toThisAddress}</span>
      ${groups(address)} ${this.#renderCopy(t.copyAddress, address)}
    </div>`;
  }

  #renderCopy(label: string, text: string) {
    const {t} = this;
    const copied = this.copied === label;
    return html`<button
      class="chip"
      type="button"
      aria-label=${copied ? nothing : label}
      @click=${async () => {
        this.denied = !(await this.copy(label, text));
      }}
    >
      ${copied ? icon('check', 's') : sign(signs.copy, 's')}${copied ? t.copied : t.copy}
    </button>`;
  }

  #renderNext({agreed}: Deal, required: number) {
    const {t} = this;
    return html`<p class="next">
      <strong>${t.whatNext}</strong>
      ${t.afterConfirmations(required, agreed.to.symbol, mono(agreed.recipient))}
      ${this.isKept ? t.mayCloseKept : t.mayCloseLater}
    </p>`;
  }

  #renderPrimary(gone: boolean, uri: string | undefined, {error}: FundingProgress) {
    const {session, t} = this;
    if (gone) return this.#renderButton(t.payAgain, () => (this.again = true));
    if (uri !== undefined) return html`<a class="primary" part="primary" href=${uri}>${t.openInWallet}</a>`;
    return error
      ? this.#renderButton(t.tryAgain, () => {
          session.refresh();
        })
      : this.#renderButton(t.problems['checking-address']);
  }

  #renderButton(label: string, press?: () => void) {
    return html`<button
      class="primary"
      part="primary"
      type="button"
      aria-disabled=${press ? 'false' : 'true'}
      @click=${press}
    >
      ${label}
    </button>`;
  }

  /** The same payment from a wallet in this browser. */
  #renderWallet({agreed}: Deal, {busy}: FundingProgress) {
    const {session, t} = this;
    const {family} = agreed.from.chain;
    const account = this.read(session.$accounts)[family];
    if (busy) return t.problems['checking-address'];
    return html`<button
      class="link"
      type="button"
      @click=${() => (account ? session.pay() : this.chooseWallet(family, 'pay'))}
    >
      ${account ? t.payWith(account.wallet.name || t.yourWallet) : t.payFromWallet}
    </button>`;
  }

  #renderOver({payUntil}: PlacedOrder, {agreed}: Deal) {
    const {session, t} = this;
    return this.frame({
      title: t.expired,
      back: true,
      body: html`<div class="thread">
        ${paySide({asset: agreed.from, label: t.notReceived, amount: agreed.amount, line: true})}
        <div class="between" part="between">
          ${expiredBody(t.timeOver(time(payUntil, this.locale)), t.doNotSendAnyMore, agreed.owner, t)}
        </div>
        ${getSide({asset: agreed.to, label: t.youWouldHave, amount: agreed.receive, line: true})}
      </div>`,
      foot: html`${this.#renderButton(t.startAgain, () => {
          session.reset({keep: true});
        })}
        <p class="foot-note"><span>${t.sameAmounts}</span></p>`,
    });
  }
}
