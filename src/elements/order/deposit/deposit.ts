import {html} from 'lit';
import type {Deal} from '../../../domain/deposit.js';
import {foreignText} from '../../../domain/foreign.js';
import type {Order} from '../../../domain/order.js';
import type {FundingProgress, ShownOrder} from '../../../session/session.js';
import {about} from '../../base/time.js';
import {mono, pieces, walletName} from '../../base/words.js';
import {feesNotice, getSide, hasLiveSignatureFor, line, payouts, paySide} from '../order-parts.js';
import type {OrderContext} from '../order-view.js';

/** An order that waits for its payment: what every stage of the deposit is rendered from. */
export interface Deposit extends OrderContext {
  readonly placed: ShownOrder;
  readonly deal: Deal;
  readonly funding: FundingProgress;
}

/** The side that is paid, with the account that pays. */
export function payFrom({deal: {agreed, deposit}, locale, t}: Deposit, label: string, travelled = false) {
  return paySide({
    locale,
    asset: agreed.from,
    label,
    amount: agreed.amount,
    // Anyone may pay to an address; a refund goes to the owner of the order.
    detail: deposit.how === 'wallet' ? pieces(t.from, {address: mono(agreed.owner)}) : '',
    travelled,
  });
}

/** The side that arrives, with the least that was agreed. */
export function receiveAtLeast({deal: {agreed}, locale}: Deposit, label: string) {
  return getSide({locale, asset: agreed.to, label, amount: agreed.atLeast, line: true});
}

/** The order as it was last read; undefined before that. */
export function orderOf({placed, deal}: Deposit): Order | undefined {
  return placed.story?.order ?? deal.order;
}

/** Whether money may have left, or still may, by a signature that was handed over. */
export function mayBePaid(deposit: Deposit): boolean {
  const {id, story} = deposit.placed;
  return hasLiveSignatureFor(id, deposit) || (story !== undefined && story.refund !== 'none');
}

/** The name of the wallet that pays. */
export function payingWallet({deal, session, read, t}: Deposit): string {
  return walletName(read(session.$wallets, 'accounts')[deal.agreed.from.chain.family], t);
}

/** After how long the money is back at the latest if nothing comes of the swap, and what goes to the chain beside the fee. */
export function renderLock(deposit: Deposit) {
  const {placed, deal, t} = deposit;
  const {timelock} = orderOf(deposit)?.source ?? {};
  const {blockSeconds} = deal.agreed.from.chain;
  // What else leaves was compared with nothing that was agreed: it is the fee for a place in a block.
  const fee = placed.report?.results.find(
    ({name, outcome, expected}) => name === 'value' && outcome === 'passed' && expected === undefined,
  )?.found;
  if (!timelock && !fee) return '';
  const isReturned = deal.deposit.how === 'transfer';
  return html`${
    timelock
      ? html`<p class="latest">
          ${(isReturned ? t.backAtLatest : t.takeBackAtLatest)({time: about(timelock * blockSeconds, t)})}
        </p>`
      : ''
  }
  ${fee ? html`<dl class="lines" part="lines">${line(t.priorityFee, html`<bdi>${foreignText(fee)}</bdi>`)}</dl>` : ''}`;
}

/** What the order says that partners get, and a note where that is more than was agreed. */
export function renderFees(deposit: Deposit) {
  const {deal, session, read, locale, t} = deposit;
  const order = orderOf(deposit);
  if (!order) return '';
  const lines = payouts(order, read(session.$settings, 'config')?.catalogue, t, locale);
  return html`<div role="status">${feesNotice(order, deal.agreed, t, locale)}</div>
    ${lines.length ? html`<dl class="lines" part="lines">${lines}</dl>` : ''}`;
}
