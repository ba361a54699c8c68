import {css, html, nothing} from 'lit';
import type {Account} from '../../../chains/adapter.js';
import {formatAmount} from '../../../domain/amount.js';
import {paymentUri, restOf, type TransferDeposit} from '../../../domain/deposit.js';
import {isPart} from '../../../domain/order.js';
import {note} from '../../base/error-note.js';
import {isTouch} from '../../base/media.js';
import type {FrameContent} from '../../base/swap-view.js';
import {time} from '../../base/time.js';
import {amountText, errorWords, groups, mono, pieces, sentences, walletName} from '../../base/words.js';
import {icon, sign} from '../../icons/icons.js';
import {signs} from '../../icons/signs.js';
import {errorNote, expiredBody, linkButton, primaryButton, thread, unpaidThread} from '../order-parts.js';
import {isUnverified, restartButton} from '../permissions.js';
import {more, walletStep} from '../order-view.js';
import {renderRescue} from '../rescue-file.js';
import {noteIn, partText} from '../telling.js';
import {checks} from './checks.js';
import {
  isOffline,
  isPayable,
  orderOf,
  receiveAtLeast,
  renderCancel,
  renderFees,
  renderLock,
  renderTimeLeft,
  type Deposit,
} from './deposit.js';
import {FLAT, SMALL} from '../../style/layout.js';

export const addressStyles = css`
  /* The amount to pay leads. */
  .thread:has(.pay-to) > .pay > .amount {
    font-weight: 600;
  }
  .pay-to {
    display: grid;
    grid-template: 'address' auto 'copy' auto 'code' auto / minmax(0, 1fr);
    gap: var(--_u) calc(var(--_u) * 4);
    align-items: start;
    margin-inline-start: calc(var(--_rail) + var(--_gap));
  }
  .code {
    grid-area: code;
    aspect-ratio: 1;
    border-radius: var(--_radius-control);
    background: #fff;
    /* A white code on a white card needs an edge. */
    box-shadow: 0 0 0 1px var(--_line);
    forced-color-adjust: none;
  }
  .code.skeleton {
    block-size: auto;
    background: var(--_press);
    box-shadow: none;
  }
  a.primary {
    text-decoration: none;
  }
  .pay-to > .groups {
    grid-area: address;
  }
  .pay-to > :is(.chip, .link) {
    grid-area: copy;
    justify-self: start;
    white-space: normal;
  }
  .watching {
    display: flex;
    flex-wrap: wrap;
    column-gap: calc(var(--_u) * 2);
    align-items: center;
    margin-inline-start: calc(var(--_rail) + var(--_gap));
    margin-block-start: calc(var(--_u) * 3);
    font-size: var(--_t-s);
  }
  .watching::before {
    content: '';
    flex: none;
    inline-size: calc(var(--_r) * 0.5);
    block-size: calc(var(--_r) * 0.5);
    border-radius: 50%;
    background: var(--_good);
    animation: breathe var(--_breath);
  }
  .watching > span:not(.time-left) {
    flex: 1 0 0;
    min-inline-size: min-content;
  }
  .watching > .time-left {
    margin-inline-start: auto;
  }
  .watching.lost::before {
    background: var(--_quiet);
    animation: none;
  }
  @media (forced-colors: active) {
    .watching::before {
      background: CanvasText;
      forced-color-adjust: none;
    }
  }
  .copy-status:not(.hidden) {
    margin-block-start: var(--_u);
    margin-inline-start: calc(var(--_rail) + var(--_gap));
    font-size: var(--_t-s);
  }
  .pay-to > .code {
    inline-size: min(100%, var(--_r) * 8.5);
  }
  /* A phone does not scan its own screen: its QR code is for another device, below the copy and open buttons. */
  @media not (pointer: coarse) {
    .pay-to {
      grid-template: 'code' auto 'address' auto 'copy' auto / minmax(0, 1fr);
    }
    @container not ${SMALL} {
      .pay-to {
        grid-template: 'code address' auto 'code copy' 1fr / calc(var(--_r) * 8.5) minmax(0, 1fr);
        font-size: var(--_t-s);
      }
      .pay-to > .groups {
        font-size: 1em;
      }
    }
  }
  /* On its side it is low and wide. */
  @media (pointer: coarse) and ${FLAT} {
    @container not ${SMALL} {
      .pay-to {
        grid-template: 'address code' auto 'copy code' 1fr / minmax(0, 1fr) calc(var(--_r) * 8.5);
      }
    }
  }
`;

interface AddressDeposit extends Deposit {
  readonly to: TransferDeposit;
  /** Whether the visitor asked to see the address again, after a payment disappeared from the chain. */
  readonly paysAgain: boolean;
  payAgain(): void;
}

interface Due {
  readonly amount: bigint;
  readonly isRest: boolean;
  /** The payment disappeared from the chain, or the order has changed since, and the visitor has not asked to pay again. */
  readonly isGone: boolean;
  /** The order could not be read. */
  readonly isUnread: boolean;
  /** The order was read, and it may be paid now. No address is shown before that. */
  readonly uri: string | undefined;
}

/** A deposit to an address: the amount and the address, as long as it may be paid. */
export function renderByAddress(deposit: AddressDeposit): FrameContent {
  const {placed, deal, timed, locale, t, funding} = deposit;
  const {agreed} = deal;
  const {fee} = placed;
  // After the time to pay, nothing is shown that could be paid.
  if (timed(now => now >= placed.payUntil)) return renderExpired(deposit);
  const due = dueNow(deposit);
  const showsAddress = due.uri !== undefined;
  const isWaiting = !due.isGone && !due.isUnread;
  // A wallet that was prompted may have paid: some report a rejection although they have sent.
  const where = funding.walletRequests.length ? 'transfer' : 'deposit';
  return {
    title: due.isRest ? t.sendRest : t.sendAsset({symbol: agreed.from.symbol}),
    back: !funding.busy,
    body: thread(
      locale,
      {
        asset: agreed.from,
        label: t.youPay,
        amount: due.amount,
        extra: showsAddress
          ? renderCopy(deposit, t.copyAmount, formatAmount(due.amount, agreed.from.decimals))
          : renderTimeLeft(deposit),
        detail: html`${due.isRest ? t.stillToSend : t.sendExactly}
        ${fee ? t.networkFeeNow({rate: fee.wanted, unit: fee.unit}) : t.plusNetworkFee}`,
      },
      html`<div role="status">${renderNotice(deposit, due)}</div>
        ${showsAddress ? renderHurry(deposit) : ''} ${funding.error ? errorNote(funding.error, where) : ''}
        ${isWaiting ? renderPayTo(deposit, due) : ''}
        <p class=${deposit.copyDenied ? 'copy-status problem' : 'copy-status hidden'} role="status">
          ${copyStatus(deposit, due)}
        </p>
        ${
          showsAddress
            ? html`${renderWatching(deposit)} ${due.isRest ? '' : renderLock(deposit)} ${renderFees(deposit)}`
            : isWaiting
              ? checks(undefined, locale, t)
              : ''
        }`,
      receiveAtLeast(deposit, t.youReceiveAtLeast),
    ),
    foot: html`${renderPrimary(deposit, due)}
      <div class="foot-note">
        <span>${showsAddress ? renderWallet(deposit, due) : ''}</span>
        ${showsAddress ? renderMore(deposit, due) : renderCancel(deposit)}
      </div>`,
  };
}

function renderMore(deposit: AddressDeposit, {isRest}: Due) {
  const {placed, locale, t} = deposit;
  return more(
    html`${isRest ? '' : renderNext(deposit)} ${checks(placed.report, locale, t)}
      <div class="ways">${renderRescue(deposit, placed, true)} ${renderCancel(deposit)}</div>`,
    t,
  );
}

function dueNow(deposit: AddressDeposit): Due {
  const {placed, deal, to, paysAgain, funding} = deposit;
  const {paidIn, note} = placed.story ?? {};
  // The amount is the agreed and checked one, even if the service later returns another.
  const total = {amount: to.amount, filled: paidIn?.amount ?? 0n};
  const isGone = !paysAgain && (note?.kind === 'gone' || note?.kind === 'changed');
  const isRest = !isGone && isPart(total);
  const amount = isRest ? restOf(total) : to.amount;
  const isChecked = orderOf(deposit) !== undefined && isPayable(placed) && to.address !== '';
  return {
    amount,
    isRest,
    isGone,
    isUnread: !isChecked && funding.error !== undefined && !funding.busy,
    uri: isChecked && !isGone ? paymentUri(deal.agreed.from, to.address, amount) : undefined,
  };
}

/** How long before the end of the time to pay there is a warning, and when not to start a payment any more, in milliseconds. */
const WARN_MS = 10 * 60_000;
const LAST_MS = 3 * 60_000;

/** How urgent the payment is. The warning comes before the end, since a payment takes time too. */
function hurry({placed, timed}: AddressDeposit): 'none' | 'soon' | 'last' {
  return timed(now => {
    const left = placed.payUntil - now;
    return left > WARN_MS ? 'none' : left > LAST_MS ? 'soon' : 'last';
  });
}

function renderHurry(deposit: AddressDeposit) {
  const {placed, timed, locale, t} = deposit;
  const {fee, payUntil} = placed;
  switch (hurry(deposit)) {
    case 'none':
      // A lower rate takes longer still.
      return fee && timed(now => now + fee.within > payUntil)
        ? html`<p class="next">${t.mayConfirmAfter({time: time(payUntil, locale)})}</p>`
        : '';
    case 'soon': {
      const minutes = timed(now => Math.ceil((placed.payUntil - now) / 60_000));
      return note(t.timeSoonOver({minutes}), placed.story?.mayBeLost ? t.unverifiedBack : t.timeSoonOverWhy, 'caution');
    }
    case 'last':
      return note(t.tooLateToStart, placed.story?.mayBeLost ? t.unverifiedBack : t.tooLateToStartWhy, 'caution');
  }
}

/** A subtle indicator that the page is checking, so that the visitor need not report the payment, and for how long. */
function renderWatching(deposit: AddressDeposit) {
  const {placed, t} = deposit;
  const {reading} = placed;
  const isLost = reading.state === 'failed';
  // In the words of the live region.
  const lost = isLost && sentences(errorWords(reading.error, t).what, t.watchingAgain);
  return html`<p class="watching ${isLost ? 'lost' : ''}">
    <span>${isOffline(deposit) ? t.offline : lost || t.watching}</span> ${renderTimeLeft(deposit)}
  </p>`;
}

function renderNotice(deposit: AddressDeposit, {amount, isRest, isGone}: Due) {
  const {placed, deal, to, locale, t} = deposit;
  const {agreed} = deal;
  const {paidIn, note: noted, mayBeLost} = placed.story ?? {};
  if (!(isGone && noted?.kind === 'changed') && paidIn?.certainty === 'denied')
    return note(t.paymentDenied({network: agreed.from.chain.title}), t.paymentDeniedWhy, 'caution');
  if (isGone) return noteIn(deposit).map(({title, why}) => note(title, why, 'caution'));
  if (!isRest || !paidIn) return '';
  const text = (some: bigint) => amountText(some, agreed.from, locale);
  const by = html`<bdi>${time(placed.payUntil, locale)}</bdi>`;
  const why = sentences(
    // A visitor who paid all of it would pay twice because of the service's word.
    paidIn.certainty === 'proved' ? '' : t.restLook,
    pieces(t.restWhy, {amount: text(amount), symbol: agreed.from.symbol, time: by}),
    amount > to.amount - paidIn.amount ? t.restSmallest : '',
    mayBeLost ? t.unverifiedBack : pieces(t.restBack, {address: mono(agreed.owner)}),
  );
  return note(partText(paidIn.amount, deposit), why, 'caution');
}

function renderPayTo(deposit: AddressDeposit, {uri}: Due) {
  const {to, t} = deposit;
  if (uri === undefined) return html`<div class="pay-to"><span class="code skeleton"></span></div>`;
  return html`<div class="pay-to">
    <swap-widget-qr-code class="code" exportparts="qr" text=${uri} label=${t.qrCode}></swap-widget-qr-code>
    <span class="hidden">${t.toThisAddress}</span>
    ${groups(to.address)}
    ${
      opensFirst(deposit) || paysFirst(deposit)
        ? renderCopy(deposit, t.copyAddress, to.address, t.copyAddress)
        : html`<a class="link" href=${uri}>${t.openInWallet}</a>`
    }
  </div>`;
}

function renderCopy({hasCopied, copy, t}: AddressDeposit, label: string, text: string, says = t.copy) {
  const isCopied = hasCopied(label, text);
  return html`<button
    class="chip"
    type="button"
    aria-label=${isCopied ? nothing : label}
    @click=${() => copy(label, text)}
  >
    ${isCopied ? icon('check', 's') : sign(signs.copy, 's')}${isCopied ? t.copied : says}
  </button>`;
}

function copyStatus({deal: {agreed}, to, hasCopied, copyDenied, t}: AddressDeposit, {amount}: Due): string {
  if (copyDenied) return t.notCopied;
  // The copied amount is outdated once a part has arrived.
  if (hasCopied(t.copyAmount, formatAmount(amount, agreed.from.decimals))) return t.amountCopied;
  return hasCopied(t.copyAddress, to.address) ? t.addressCopied : '';
}

function renderNext(deposit: AddressDeposit) {
  const {deal, isKept, t} = deposit;
  const {symbol} = deal.agreed.to;
  const confirmations = orderOf(deposit)?.source.confirmations.required ?? 0;
  return html`<p class="latest">
    ${sentences(
      pieces(t.afterConfirmations, {confirmations, symbol, address: mono(deal.agreed.recipient)}),
      isKept ? t.mayCloseKept : t.mayCloseLater,
    )}
  </p>`;
}

/** Whether the button opens a wallet: with touch it is on this device, with a mouse on another one. */
function opensFirst(deposit: AddressDeposit): boolean {
  return hurry(deposit) === 'last' || isTouch();
}

/** The connected wallet that can pay, which the button prompts; none in the last minutes. */
function paysFirst(deposit: AddressDeposit): Account | undefined {
  const {deal, session, read} = deposit;
  return hurry(deposit) === 'last' ? undefined : read(session.$wallets, 'accounts')[deal.agreed.from.chain.family];
}

function renderPrimary(deposit: AddressDeposit, {isGone, uri}: Due) {
  const {session, to, payAgain, funding, hasCopied, copy, t} = deposit;
  if (isGone) return primaryButton(t.payAgain, payAgain);
  if (uri === undefined && funding.error) return primaryButton(t.tryAgain, () => session.refresh());
  if (uri === undefined) return primaryButton(t.problems['checking-address']);
  if (hurry(deposit) === 'last') return primaryButton(t.startAgain, () => session.reset({keep: true}));
  const account = paysFirst(deposit);
  if (account && funding.busy) return primaryButton(t.problems['checking-address']);
  if (account) return primaryButton(t.payWith({wallet: walletName(account, t)}), () => session.pay());
  if (opensFirst(deposit)) return html`<a class="primary" part="primary" href=${uri}>${t.openInWallet}</a>`;
  const label = hasCopied(t.copyAddress, to.address) ? t.copied : t.copyAddress;
  return primaryButton(label, () => copy(t.copyAddress, to.address));
}

/** The same payment from a wallet in this browser, or from another one if the button is for that. */
function renderWallet(deposit: AddressDeposit, {uri}: Due) {
  const {deal, session, read, funding, t} = deposit;
  if (uri && paysFirst(deposit)) return html`<a class="link" href=${uri}>${t.openInWallet}</a>`;
  if (funding.busy) return t.problems['checking-address'];
  const {family} = deal.agreed.from.chain;
  const wallet = walletName(read(session.$wallets, 'accounts')[family], t);
  const pays = {label: t.payWith({wallet}), press: () => session.pay()};
  const {label, press} = walletStep(deposit, family, pays, t.connectPayer);
  return press ? linkButton(label, press) : label;
}

function renderExpired(deposit: AddressDeposit): FrameContent {
  const {placed, deal, locale, t} = deposit;
  const [payer, unverified] = [deal.agreed.owner, isUnverified(deposit, placed.id)];
  return {
    title: t.expired,
    back: true,
    body: unpaidThread(
      deposit,
      expiredBody(t.timeOver({time: time(placed.payUntil, locale)}), {toAddress: true, payer, unverified}, t),
    ),
    foot: html`${restartButton(deposit, placed.id, {keep: true, mayBeOut: true})}
      <p class="foot-note"><span>${t.sameAmounts}</span></p>`,
  };
}
