import {html} from 'lit';
import type {Asset, Catalogue} from '../../../domain/asset.js';
import {foreignText} from '../../../domain/foreign.js';
import {isPart, type ChainEvent, type Order} from '../../../domain/order.js';
import {valueOf} from '../../../domain/remote.js';
import {skewOf} from '../../../domain/stage.js';
import type {Story} from '../../../domain/story.js';
import type {Messages} from '../../../locales/messages.js';
import type {ShownOrder} from '../../../session/session.js';
import {dateTime} from '../../base/time.js';
import {counting, linkButton, note, primaryButton, renderRefundRight} from '../order-parts.js';
import type {OrderContext} from '../order-view.js';
import {renderAddToWallet, renderShare} from './afterwards.js';
import {canNotify, tellOf, wishFor, type News, type Say} from './notify.js';

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
  readonly placed: ShownOrder;
  readonly story: Story;
  /** The order with what counts of its money. Absent until it was read. */
  readonly order: Order | undefined;
  readonly swap: Swap;
  /** Shows the receipt in the place of the stage. */
  showReceipt(): void;
}

export function swapOf({deal, story}: ShownOrder, catalogue: Catalogue | undefined): Swap | undefined {
  if (deal) {
    const {from, to, amount, receive, owner, recipient} = deal.agreed;
    return {from, to, amount, receive, payer: owner, recipient};
  }
  if (!story?.order || !catalogue) return undefined;
  const {source, destination} = story.order;
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

/** Why the swap did not happen. */
export function reasonOf({placed: {deal, placedAt, payUntil}, order, t}: Progress): string {
  if (order?.destination.refunded) return t.otherTookBack;
  if (order && isPart(order.source)) return t.tooLittle;
  const paidAt = order?.source.initiated?.at;
  const isLate = order && deal && paidAt !== undefined && paidAt - skewOf(order, {placedAt}) >= payUntil;
  return isLate ? t.cameLate : t.otherDidNotPay;
}

/** The footer while the swap goes on: another swap, whether the page can be closed, and when the order was read. */
export function renderWaitingFoot(context: OrderContext, placed: ShownOrder | undefined) {
  const {session, t} = context;
  return html`${placed ? renderRefundRight(context, placed) : ''}<button
      class="secondary"
      part="secondary"
      type="button"
      @click=${() => session.reset()}
    >
      ${t.anotherSwap}
    </button>
    ${renderWaitingNote(context, placed)} ${renderTellMe(context, placed)}`;
}

/** A way to be told once something happens, where this page can do so. */
function renderTellMe({session, read, t}: OrderContext, placed: ShownOrder | undefined) {
  const agreed = placed?.deal?.agreed;
  if (!agreed) return '';
  const wish = read(wishFor(session, placed.id));
  if (!wish && !canNotify()) return '';
  const words = (news: News) =>
    news === 'received'
      ? t.news.received({symbol: agreed.to.symbol})
      : news === 'refunded'
        ? t.news.refunded({symbol: agreed.from.symbol})
        : t.news[news];
  const say: Say = (news, witness) => `${words(news)}${witness === 'service' ? ` ${t.serviceSaysSo}` : ''}`;
  return html`<p class="foot-note" role="status">
    ${
      wish
        ? html`<span>${wish === 'on' ? t.tellOn : t.tellDenied}</span>`
        : linkButton(t.tellMe, () => tellOf(session, placed.id, say))
    }
  </p>`;
}

/** Whether the page can be closed, and when the order was last read. */
export function renderWaitingNote({session, isKept, t}: OrderContext, placed: ShownOrder | undefined) {
  // Before anything is known, nothing is said of it.
  if (!placed?.story && placed?.reading.state !== 'failed') return '';
  // A refund to a wallet needs what this browser remembers; a payment to an address is sent back without it.
  const needsPage = placed.deal?.deposit.how === 'wallet' && !isKept;
  return html`<p class="foot-note">
    <span>${placed.story ? (needsPage ? t.keepOpen : t.canClose) : ''}</span>${
      placed.reading.state === 'failed'
        ? linkButton(t.readAgain, () => session.refresh())
        : html`<span>${counting(now => ageText(now, valueOf(session.$order.get())?.readAt, t))}</span>`
    }
  </p>`;
}

function ageText(now: number, readAt: number | undefined, t: Messages): string {
  if (readAt === undefined) return t.notCheckedYet;
  const seconds = Math.max(0, Math.floor((now - readAt) / 1000));
  if (seconds < 2) return t.checkedJustNow;
  return seconds < 60 ? t.checkedSeconds({seconds}) : t.checkedMinutes({minutes: Math.floor(seconds / 60)});
}

/** The footer after an end: a new swap, or with `again` the same one, and the way to the receipt; after a success more. */
export function renderEndFoot(
  progress: Progress,
  order: Order,
  at: number | undefined,
  {again = false, isSuccess = false} = {},
) {
  const {placed, session, locale, showReceipt, t} = progress;
  return html`${primaryButton(again ? t.tryAgainSwap : t.newSwap, () => session.reset({keep: again}))}
    ${renderRefundRight(progress, placed)}
    <p class="foot-note">
      <span>${dateTime(at ?? order.createdAt, locale)}</span>
      <span class="ways"
        >${isSuccess ? renderShare(progress) : ''}<button class="link" type="button" @click=${showReceipt}>
          ${t.receipt}
        </button></span
      >
    </p>
    ${isSuccess ? renderAddToWallet(progress) : ''}`;
}

/** The addresses that are named for a chain contradict each other. */
export function renderDispute({story, swap, t}: Progress) {
  if (story.note?.kind !== 'disputed') return '';
  const chain = (story.note.of === 'target' ? swap.to : swap.from)?.chain;
  return chain ? note(t.disputed({network: chain.title}), t.disputedWhy, 'caution') : '';
}
