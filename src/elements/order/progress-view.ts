import {html} from 'lit';
import {formatAmount} from '../../domain/amount.js';
import {depositBy, type Asset} from '../../domain/asset.js';
import {dueOf} from '../../domain/deposit.js';
import {isPart, lossOf, refundOpensAt, type Order} from '../../domain/order.js';
import {type Stage, skewOf} from '../../domain/stage.js';
import {valueOf} from '../../domain/remote.js';
import {plain} from '../../events.js';
import type {PlacedOrder} from '../../session/session.js';
import '../base/error-note.js';
import {notice} from '../style/notice.js';
import {sign} from '../icons/icons.js';
import {expiredBody, getSide, hashes, line, payouts, paySide, step} from './order-parts.js';
import {orderStyles} from './order-styles.js';
import {OrderView} from './order-view.js';
import {dateTime, duration, isSameDay, time, when} from '../base/time.js';
import {mono} from '../base/words.js';
import {signs} from '../icons/signs.js';
import {register} from '../base/swap-element.js';

/** The facts of the shown order, from what was agreed and what the service last told, whichever there is. */
interface Swap {
  readonly from: Asset | undefined;
  readonly to: Asset | undefined;
  readonly amount: bigint;
  readonly receive: bigint;
  readonly payer: string;
  readonly recipient: string;
}

/**
 * What happens after the payment: on its way, received, coming back, refunded, expired; and a stranger's order, which is
 * for looking at.
 *
 * @tag swap-widget-progress-view
 */
export class ProgressView extends OrderView {
  static override styles = [...OrderView.styles, notice, orderStyles];

  override render() {
    const {session, t} = this;
    const placed = this.read(session.$order);
    const shown = valueOf(placed);
    const order = valueOf(this.read(session.$status));
    const stage = this.read(session.$stage);
    const swap = this.#swap(shown, order);
    if (!shown || !swap) return this.#renderReading(shown);
    switch (stage) {
      case 'complete':
        return order ? this.#renderComplete(swap, shown, order) : this.#renderReading(shown);
      case 'refunded':
        return order ? this.#renderRefunded(swap, shown, order) : this.#renderReading(shown);
      case 'refunding':
        return this.#renderRefunding(swap, shown, order);
      case 'expired':
        return this.#renderExpired(swap, shown, order);
      case 'editing':
      case 'reviewing':
      case 'ordering':
      case 'awaiting-deposit':
      case 'funding':
      case 'deposit-seen':
      case 'confirming':
      case 'settling':
      case 'stopped':
        return this.frame({
          title: shown.deal ? t.onItsWay : t.strangerTitle,
          back: true,
          body: this.#thread(
            paySide({
              asset: swap.from,
              label: t.youPay,
              amount: swap.amount,
              line: true,
              went: stage !== 'awaiting-deposit',
            }),
            html`${this.#renderSteps(stage, swap, order)}
              <div role="status">${this.#renderNotices(shown, order)}</div>`,
            getSide({
              asset: swap.to,
              label: html`${t.youReceive} ${t.to(mono(swap.recipient))}`,
              amount: swap.receive,
              line: true,
            }),
          ),
          foot: this.#renderWaitingFoot(),
        });
    }
  }

  /** The order has not been read yet, or cannot be. */
  #renderReading(shown: PlacedOrder | undefined) {
    const {session, t} = this;
    const failure = [this.read(session.$order), this.read(session.$status)].find(({state}) => state === 'failed');
    return this.frame({
      title: shown?.deal ? t.onItsWay : t.strangerTitle,
      back: true,
      body: this.#thread(
        paySide({asset: undefined, label: t.youPay, line: true}),
        failure?.state === 'failed'
          ? html`<swap-widget-error-note
              .error=${failure.error}
              where="progress"
              exportparts="notice"
            ></swap-widget-error-note>`
          : html`<ol class="steps ahead" part="steps">
              ${step('now', t.readingOrder, html`<span class="skeleton"></span>`)}
            </ol>`,
        getSide({asset: undefined, label: t.youReceive, line: true}),
      ),
      foot: this.#renderWaitingFoot(),
    });
  }

  #renderSteps(stage: Stage, {to}: Swap, order: Order | undefined) {
    const {session, t} = this;
    const {funding} = this.read(session.$funding);
    const isTransfer = valueOf(this.read(session.$order))?.deal?.deposit.how === 'transfer';
    const movedBack = this.read(session.$movedBackFrom);
    const now = this.read(session.$now);
    const source = order?.source;
    const symbol = to?.symbol ?? '';
    const paid = source?.initiated;
    const {current = 0, required = 0} = source?.confirmations ?? {};
    const at = source?.initiated?.at;
    const shownAt = at === undefined ? '' : when(at, now, this.locale);
    const ticks = required > 1 && required <= 12;
    const [seen, confirming, settling] = STEPS_AT[stage] ?? ['now', 'todo', 'todo'];
    return html`<ol class="steps ${stage === 'awaiting-deposit' ? 'ahead' : ''}" part="steps">
      ${
        paid
          ? step(seen, t.paymentSeen, hashes(this.#swapChains().from, paid), shownAt)
          : stage === 'awaiting-deposit'
            ? step('now', t.notPaidYet)
            : funding?.how === 'signature'
              ? step(seen, t.signatureSent, t.signatureSentWhy)
              : step(
                  seen,
                  t.paymentSent,
                  funding ? hashes(this.#swapChains().from, {hashes: [funding.hash]}) : t.paymentSentWhy,
                )
      }
      ${step(
        confirming,
        confirming === 'done' ? t.confirmed : t.confirming,
        confirming === 'todo'
          ? ''
          : paid?.block === undefined && confirming === 'now'
            ? isTransfer && !movedBack
              ? this.#renderFee()
              : t.waitingForBlock
            : html`${t.confirmations(Math.min(current, required), required)}${
                ticks && confirming === 'now'
                  ? html`<span class="ticks" aria-hidden="true"
                      >${Array.from({length: required}, (_, index) => html`<i class=${index < current ? 'on' : ''}></i>`)}</span
                    >`
                  : ''
              }`,
      )}
      ${step(
        settling,
        order?.destination.initiated ? t.sent(symbol) : t.sending(symbol),
        order?.destination.initiated
          ? hashes(this.#swapChains().to, order.destination.initiated)
          : t.onChain(to?.chain.title ?? order?.destination.chain ?? ''),
      )}
      ${step('todo', t.arrived)}
    </ol>`;
  }

  /** What can be said of a payment by address that waits for a block: whether its fee is enough, where the chain says so. */
  #renderFee() {
    const {t} = this;
    const fee = this.read(this.session.$fee);
    if (!fee) return t.waitingLong;
    const {paid, wanted, unit} = fee;
    return paid < wanted ? t.feeLow(paid, wanted, unit) : t.feeEnough(paid, unit);
  }

  #renderNotices({id, deal}: PlacedOrder, order: Order | undefined) {
    const {session, t} = this;
    const status = this.read(session.$status);
    const movedBack = this.read(session.$movedBackFrom);
    const from = this.#swap(valueOf(this.read(session.$order)), order)?.from;
    const note = (title: string, text: unknown) =>
      html`<div class="notice" part="notice">
        ${sign(signs.info)}
        <p><strong>${title}</strong> ${text}</p>
      </div>`;
    if (status.state === 'failed') {
      return html`<swap-widget-error-note
        .error=${status.error}
        where="progress"
        exportparts="notice"
      ></swap-widget-error-note>`;
    }
    if (movedBack) return note(t.movedBack, t.movedBackWhy);
    if (!deal) return note(t.stranger, t.strangerWhy);
    if (!order || !from) return '';
    const {source} = order;
    const {seen, changed} = this.read(session.$journal).find(({orderId}) => orderId === id) ?? {};
    if (changed) return note(t.changed, t.changedWhy);
    if (lossOf(seen, source) === 'replaced') return note(t.replaced, t.replacedWhy);
    if (this.read(session.$stage) === 'refunding') return '';
    const amount = (value: bigint) => formatAmount(value, from.decimals);
    if (isPart(source)) {
      return note(t.partly(amount(source.filled), amount(source.amount), from.symbol), t.partlyWhy);
    }
    const {surplus} = dueOf(source);
    return surplus ? note(t.paidMore(amount(surplus), from.symbol), t.paidMoreWhy(mono(source.initiator))) : '';
  }

  #renderWaitingFoot() {
    const {session, t} = this;
    return html`<button
        class="secondary"
        part="secondary"
        type="button"
        @click=${() => {
          session.reset();
        }}
      >
        ${t.anotherSwap}
      </button>
      <p class="foot-note"><span>${this.#renderClosing()}</span>${this.#renderReadAt()}</p>`;
  }

  /** Whether the page can be closed: what a wallet paid may have to be taken back with it, and that takes what was agreed. */
  #renderClosing() {
    const {t} = this;
    const how = valueOf(this.read(this.session.$order))?.deal?.deposit.how;
    return how === 'wallet' && !this.isKept ? t.keepOpen : t.canClose;
  }

  #renderReadAt() {
    const {session, t} = this;
    const at = this.read(session.$readAt);
    const status = this.read(session.$status);
    const seconds = at === undefined ? 0 : Math.max(0, Math.floor((this.read(session.$now) - at) / 1000));
    if (status.state === 'failed') {
      return html`<button
        class="link"
        type="button"
        @click=${() => {
          session.refresh();
        }}
      >
        ${t.readAgain}
      </button>`;
    }
    return html`<span
      >${
        at === undefined
          ? t.notCheckedYet
          : seconds < 2
            ? t.checkedJustNow
            : seconds < 60
              ? t.checkedSeconds(seconds)
              : t.checkedMinutes(Math.floor(seconds / 60))
      }</span
    >`;
  }

  #renderComplete(swap: Swap, shown: PlacedOrder, order: Order) {
    const {t} = this;
    const {source, destination} = order;
    const end = destination.redeemed?.at;
    const chains = this.#swapChains();
    const {surplus} = dueOf(source);
    return this.frame({
      title: shown.deal ? t.received : t.strangerTitle,
      back: !shown.deal,
      body: this.#thread(
        paySide({asset: swap.from, label: t.youPaid, amount: swap.amount, line: true, went: true}),
        html`<dl class="lines tall" part="lines">
          ${end === undefined ? '' : line(t.took, duration(end - order.createdAt, t))}
          ${source.initiated ? line(t.paid, hashes(chains.from, source.initiated)) : ''}
          ${
            destination.redeemed
              ? line(
                  t.received,
                  html`${hashes(chains.to, destination.redeemed)}${
                    // A payment by address counts as soon as it is seen.
                    chains.to && depositBy(chains.to) === 'transfer' && destination.redeemed.block === undefined
                      ? html` <span class="quiet">${t.inNoBlockYet}</span>`
                      : ''
                  }`,
                )
              : ''
          }
          ${
            surplus && swap.from
              ? line(
                  t.paidTooMuch,
                  t.comesBack(formatAmount(surplus, swap.from.decimals), swap.from.symbol, mono(swap.payer)),
                )
              : ''
          }
          ${source.refunded ? line(t.alsoRefunded, hashes(chains.from, source.refunded)) : ''}
          ${payouts(order, this.read(this.session.$config)?.catalogue, t)} ${line(t.order, mono(order.id))}
        </dl>`,
        getSide({
          asset: swap.to,
          label: t.youReceived,
          amount: destination.amount,
          detail: html`<span class="whole">${t.to(mono(swap.recipient))}</span>`,
          done: true,
        }),
        'all',
      ),
      foot: this.#renderEndFoot(shown, order, end),
    });
  }

  #renderRefunding(swap: Swap, shown: PlacedOrder, order: Order | undefined) {
    const {session, t} = this;
    const now = this.read(session.$now);
    const source = order?.source;
    const opensAt = source && refundOpensAt(source, swap.from?.chain.blockSeconds ?? 0);
    // The service's clock and this browser's may be hours apart.
    const opens = opensAt === undefined || !order ? undefined : opensAt - skewOf(order, shown.deal && shown);
    const open = this.read(session.$refundOpen) ?? (opens !== undefined && now >= opens);
    const underWay = source?.refunded !== undefined || this.read(session.$refund).state === 'ready';
    const confirmedAt = source?.initiated?.at;
    const refund = this.read(session.$refund);
    const isTransfer = shown.deal?.deposit.how === 'transfer';
    return this.frame({
      title: t.comingBack,
      back: true,
      body: this.#thread(
        paySide({asset: swap.from, label: t.youPaid, amount: source?.filled || swap.amount, line: true, went: true}),
        html`<ol class="steps" part="steps">
            ${step(
              'done',
              t.paymentConfirmed,
              source?.initiated ? hashes(this.#swapChains().from, source.initiated) : '',
              confirmedAt === undefined ? '' : when(confirmedAt, now, this.locale),
            )}
            ${step('done', this.#whyBack(shown, order), t.notSpent)}
            ${
              underWay
                ? step(
                    'now',
                    t.refundUnderWay,
                    source?.refunded
                      ? hashes(this.#swapChains().from, source.refunded)
                      : refund.state === 'ready'
                        ? hashes(this.#swapChains().from, {hashes: [refund.value]})
                        : '',
                  )
                : open
                  ? step('now', t.refundOpen, isTransfer ? t.serviceRefunds : t.refundOpenWhy)
                  : opens === undefined
                    ? step('now', t.refundOpensLater, isTransfer ? t.serviceRefunds : t.refundOnceInBlock)
                    : step(
                        'now',
                        isSameDay(opens, now)
                          ? t.refundOpens(time(opens, this.locale))
                          : t.refundOpensOn(when(opens, now, this.locale)),
                        isTransfer ? t.serviceRefunds : t.refundOpensIn(Math.max(1, Math.ceil((opens - now) / 60_000))),
                      )
            }
          </ol>
          ${
            refund.state === 'failed'
              ? html`<swap-widget-error-note
                  .error=${refund.error}
                  where="refund"
                  exportparts="notice"
                ></swap-widget-error-note>`
              : html`<div role="status">${this.#renderNotices(shown, order)}</div>`
          }`,
        getSide({
          asset: swap.from,
          label: html`${t.youGetBack} ${t.to(mono(swap.payer))}`,
          amount: source?.filled || swap.amount,
          line: true,
        }),
      ),
      // What was paid to an address goes back without a wallet.
      foot:
        shown.deal && !isTransfer
          ? html`${this.#renderRefundButton(swap, opens, open, underWay)}
              <p class="foot-note"><span>${this.#renderClosing()}</span>${this.#renderReadAt()}</p>`
          : this.#renderWaitingFoot(),
    });
  }

  /** Why the swap did not happen. */
  #whyBack({deal, placedAt, payUntil}: PlacedOrder, order: Order | undefined): string {
    const {t} = this;
    if (order?.destination.refunded) return t.otherTookBack;
    if (order && isPart(order.source)) return t.tooLittle;
    const at = order?.source.initiated?.at;
    const isLate = order && deal && at !== undefined && at - skewOf(order, {placedAt}) >= payUntil;
    return isLate ? t.cameLate : t.otherDidNotPay;
  }

  #renderRefundButton({from}: Swap, opens: number | undefined, open: boolean, underWay: boolean) {
    const {session, t} = this;
    const family = from?.chain.family;
    const account = family && this.read(session.$accounts)[family];
    const asking = this.read(session.$refund).state === 'pending';
    const ready = open && !underWay && !asking;
    const label = underWay
      ? t.refundUnderWay
      : asking
        ? t.waiting(account?.wallet.name || t.yourWallet)
        : !open
          ? opens === undefined
            ? t.refundWait
            : t.refundFrom(time(opens, this.locale))
          : account
            ? t.refundNow
            : t.connectAWallet;
    const press = () => {
      if (!ready) return;
      if (account) void session.refund();
      else if (family) void this.chooseWallet(family, 'pay');
    };
    return html`<button
      class="primary"
      part="primary"
      type="button"
      aria-disabled=${!ready ? 'true' : 'false'}
      @click=${press}
    >
      ${label}
    </button>`;
  }

  #renderRefunded(swap: Swap, shown: PlacedOrder, order: Order) {
    const {t} = this;
    const {source} = order;
    const chain = this.#swapChains().from;
    return this.frame({
      title: shown.deal ? t.refunded : t.strangerTitle,
      back: !shown.deal,
      body: this.#thread(
        paySide({asset: swap.from, label: t.youPaid, amount: source.filled || swap.amount, line: true, went: true}),
        html`<dl class="lines tall" part="lines">
          ${line(t.why, this.#whyBack(shown, order))}
          ${source.initiated ? line(t.paid, hashes(chain, source.initiated)) : ''}
          ${source.refunded ? line(t.refunded, hashes(chain, source.refunded)) : ''} ${line(t.order, mono(order.id))}
        </dl>`,
        getSide({
          asset: swap.from,
          label: t.youGotBack,
          amount: source.filled || swap.amount,
          detail: html`<span class="whole">${t.to(mono(swap.payer))}</span>`,
          done: true,
        }),
        'all',
      ),
      foot: this.#renderEndFoot(shown, order, source.refunded?.at, shown.deal !== undefined),
    });
  }

  /** What comes after an end: another swap, or with `again` the same one once more, and the receipt. */
  #renderEndFoot(shown: PlacedOrder, order: Order, at: number | undefined, again = false) {
    const {session, t} = this;
    return html`<button
        class="primary"
        part="primary"
        type="button"
        @click=${() => {
          session.reset({keep: again});
        }}
      >
        ${again ? t.tryAgainSwap : t.newSwap}
      </button>
      <p class="foot-note">
        <span>${dateTime(at ?? order.createdAt, this.locale)}</span>
        ${this.copyLink(t.copyReceipt, () => this.#receipt(shown, order))}
      </p>`;
  }

  #renderExpired(swap: Swap, shown: PlacedOrder, order: Order | undefined) {
    const {session, t} = this;
    return this.frame({
      title: t.expired,
      back: true,
      body: this.#thread(
        paySide({asset: swap.from, label: t.notReceived, amount: swap.amount, line: true}),
        expiredBody(
          t.noPaymentBy(when(shown.payUntil, this.read(session.$now), this.locale)),
          shown.deal?.deposit.how === 'transfer' ? t.doNotSendAnyMore : t.doNotPayAnyMore,
          swap.payer,
          t,
        ),
        getSide({asset: swap.to, label: t.youWouldHave, amount: swap.receive, line: true}),
      ),
      foot: html`<button
          class="primary"
          part="primary"
          type="button"
          @click=${() => {
            session.reset({keep: shown.deal !== undefined});
          }}
        >
          ${t.startAgain}
        </button>
        <p class="foot-note">
          <span>${shown.deal ? t.sameAmounts : ''}</span>
          ${this.copyLink(t.copyDetails, () => this.#receipt(shown, order))}
        </p>`,
    });
  }

  #thread(pay: unknown, between: unknown, get: unknown, classes = '') {
    return html`<div class="thread ${classes}">
      ${pay}
      <div class="between" part="between">${between}</div>
      ${get}
    </div>`;
  }

  #swap(shown: PlacedOrder | undefined, order: Order | undefined): Swap | undefined {
    const agreed = shown?.deal?.agreed;
    if (agreed) {
      const {from, to, amount, receive, owner, recipient} = agreed;
      return {from, to, amount, receive, payer: owner, recipient};
    }
    const catalogue = this.read(this.session.$config)?.catalogue;
    if (!order || !catalogue) return undefined;
    const {source, destination} = order;
    return {
      from: catalogue.find(source.asset),
      to: catalogue.find(destination.asset),
      amount: source.amount,
      receive: destination.amount,
      payer: source.initiator,
      recipient: destination.redeemer,
    };
  }

  #swapChains() {
    const {session} = this;
    const swap = this.#swap(valueOf(this.read(session.$order)), valueOf(this.read(session.$status)));
    return {from: swap?.from?.chain, to: swap?.to?.chain};
  }

  #receipt({id, placedAt, deal}: PlacedOrder, order: Order | undefined): string {
    return JSON.stringify(
      plain({orderId: id, placedAt: new Date(placedAt).toISOString(), agreed: deal?.agreed, order}),
      null,
      2,
    );
  }
}

/** How far the three steps after the payment have come, by stage. */
const STEPS_AT: Partial<Record<Stage, readonly ['done' | 'now', 'done' | 'now' | 'todo', 'now' | 'todo']>> = {
  'deposit-seen': ['done', 'now', 'todo'],
  confirming: ['done', 'now', 'todo'],
  settling: ['done', 'done', 'now'],
};

register({'swap-widget-progress-view': ProgressView});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-progress-view': ProgressView;
  }
}
