import {html} from 'lit';
import type {Asset, Catalogue} from '../../../domain/asset.js';
import {foreignText} from '../../../domain/foreign.js';
import {earliestRefund, isPart, refundOpensAt, type ChainEvent, type Order} from '../../../domain/order.js';
import {valueOf} from '../../../domain/remote.js';
import {skewOf} from '../../../domain/stage.js';
import {everShown, type SwapOnChain} from '../../../domain/evidence.js';
import type {Messages} from '../../../locales/messages.js';
import type {PlacedOrder} from '../../../session/session.js';
import {dateTime} from '../../base/time.js';
import {counting, primaryButton} from '../order-parts.js';
import type {OrderContext} from '../order-view.js';
import {canNotify, tellOf, wishFor, type News} from './notify.js';

/** The facts of a swap: as agreed in this browser, else as the service says. */
interface Swap {
  readonly from: Asset | undefined;
  readonly to: Asset | undefined;
  readonly amount: bigint;
  readonly receive: bigint;
  readonly payer: string;
  readonly recipient: string;
}

/** An order after its payment: what every stage of the progress is rendered from. */
export interface Progress extends OrderContext {
  readonly placed: PlacedOrder;
  /** The order as the service last described it. */
  readonly order: Order | undefined;
  readonly swap: Swap;
  /** Shows the receipt in the place of the stage. */
  showReceipt(): void;
}

export function swapOf(
  {deal}: PlacedOrder,
  order: Order | undefined,
  catalogue: Catalogue | undefined,
): Swap | undefined {
  if (deal) {
    const {from, to, amount, receive, owner, recipient} = deal.agreed;
    return {from, to, amount, receive, payer: owner, recipient};
  }
  if (!order || !catalogue) return undefined;
  const {source, destination} = order;
  return {
    from: catalogue.find(source.asset),
    to: catalogue.find(destination.asset),
    amount: source.amount,
    receive: destination.amount,
    payer: foreignText(source.initiator),
    recipient: foreignText(destination.redeemer),
  };
}

/** Who says that something happened, where its chain did not show it. */
export function told(event: ChainEvent | undefined, t: Messages): unknown {
  return event && !event.onChain ? html`<span class="quiet">${t.serviceSays}</span> ` : '';
}

/** What the chains showed of a swap: now, and what this browser wrote down of it before. */
export function chainOf({placed, session, read}: Pick<Progress, 'placed' | 'session' | 'read'>): SwapOnChain {
  const record = read(session.$journal).find(({orderId}) => orderId === placed.id);
  return everShown(read(session.$chain), record);
}

/** Why the swap did not happen. */
export function reasonOf({deal, placedAt, payUntil}: PlacedOrder, order: Order | undefined, t: Messages): string {
  if (order?.destination.refunded) return t.otherTookBack;
  if (order && isPart(order.source)) return t.tooLittle;
  const paidAt = order?.source.initiated?.at;
  const isLate = order && deal && paidAt !== undefined && paidAt - skewOf(order, {placedAt}) >= payUntil;
  return isLate ? t.cameLate : t.otherDidNotPay;
}

/**
 * When the money can be taken back, or comes back, by this browser's clock; `undefined` while that is not known. Of a
 * payment that nobody but the payer knows of, at the earliest: the contract says no to what comes too early.
 */
export function refundTime({placed, order, swap}: Progress): number | undefined {
  if (!order) return undefined;
  const seconds = swap.from?.chain.blockSeconds ?? 0;
  const opens = order.source.initiated ? refundOpensAt(order.source, seconds) : earliestRefund(order, seconds);
  // The service's clock and this browser's may be hours apart.
  return opens === undefined ? undefined : opens - skewOf(order, placed.deal && placed);
}

/** The footer while the swap goes on: another swap, whether the page can be closed, and when the order was read. */
export function renderWaitingFoot(context: OrderContext) {
  const {session, t} = context;
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
    ${renderWaitingNote(context)} ${renderTellMe(context)}`;
}

/** A way to be told once something happens, where this page can do so. */
function renderTellMe({session, read, t}: OrderContext) {
  const placed = valueOf(read(session.$order));
  const agreed = placed?.deal?.agreed;
  if (!agreed) return '';
  const wish = read(wishFor(session, placed.id));
  if (!wish && !canNotify()) return '';
  const say = (news: News) =>
    news === 'received'
      ? t.news.received({symbol: agreed.to.symbol})
      : news === 'refunded'
        ? t.news.refunded({symbol: agreed.from.symbol})
        : t.news[news];
  return html`<p class="foot-note" role="status">
    ${
      wish
        ? html`<span>${wish === 'on' ? t.tellOn : t.tellDenied}</span>`
        : html`<button class="link" type="button" @click=${() => tellOf(session, placed.id, say)}>${t.tellMe}</button>`
    }
  </p>`;
}

/** Whether the page can be closed, and when the order was last read. */
export function renderWaitingNote({session, read, isKept, t}: OrderContext) {
  // A refund to a wallet needs what this browser remembers; a payment to an address is sent back without it.
  const needsPage = valueOf(read(session.$order))?.deal?.deposit.how === 'wallet' && !isKept;
  const status = read(session.$status);
  return html`<p class="foot-note">
    <span>${needsPage ? t.keepOpen : t.canClose}</span>${
      status.state === 'failed'
        ? html`<button
            class="link"
            type="button"
            @click=${() => {
              session.refresh();
            }}
          >
            ${t.readAgain}
          </button>`
        : html`<span>${counting(now => ageText(now, session.$readAt.get(), t))}</span>`
    }
  </p>`;
}

function ageText(now: number, readAt: number | undefined, t: Messages): string {
  if (readAt === undefined) return t.notCheckedYet;
  const seconds = Math.max(0, Math.floor((now - readAt) / 1000));
  if (seconds < 2) return t.checkedJustNow;
  return seconds < 60 ? t.checkedSeconds({seconds}) : t.checkedMinutes({minutes: Math.floor(seconds / 60)});
}

/** The footer after an end: a new swap, or with `again` the same one, and the way to the receipt. */
export function renderEndFoot(progress: Progress, order: Order, at?: number, again = false) {
  const {session, locale, showReceipt, t} = progress;
  return html`${primaryButton(again ? t.tryAgainSwap : t.newSwap, () => {
      session.reset({keep: again});
    })}
    ${renderUnseenRefund(progress, order)}
    <p class="foot-note">
      <span>${dateTime(at ?? order.createdAt, locale)}</span>
      <button class="link" type="button" @click=${showReceipt}>${t.receipt}</button>
    </p>`;
}

/**
 * A way to the contract's own refund, once its timelock is over, where no chain could be asked and the service alone says
 * that all came to its end.
 */
function renderUnseenRefund(progress: Progress, order: Order) {
  const {placed, swap, session, read, timed, chooseWallet, t} = progress;
  const {deposit} = chainOf(progress);
  const {source, destination} = order;
  const isSeen =
    (deposit?.state ?? 'unknown') !== 'unknown' || source.refunded?.onChain || destination.redeemed?.onChain;
  if (placed.deal?.deposit.how !== 'wallet' || !swap.from || isSeen) return '';
  const {family, blockSeconds} = swap.from.chain;
  const opens = refundOpensAt(source, blockSeconds) ?? earliestRefund(order, blockSeconds);
  if (timed(now => now < opens - skewOf(order, placed))) return '';
  return html`<button
    class="secondary"
    part="secondary"
    type="button"
    ?disabled=${read(session.$refund).state === 'pending'}
    @click=${() => {
      if (read(session.$accounts)[family]) void session.refund();
      else chooseWallet(family, 'pay');
    }}
  >
    ${t.refundUnseen}
  </button>`;
}
