import {html} from 'lit';
import {addToWallet, additionOf, canAdd} from '../../../session/add-to-wallet.js';
import {amountText, walletName} from '../../base/words.js';
import {linkButton} from '../order-parts.js';
import type {Progress} from './progress.js';

/*
 * Actions for a completed swap, in addition to the next swap.
 */

/** Shares the swap and its link with the device's share dialog, or otherwise copies them. */
export function renderShare({placed, story, swap: {from, to, amount}, locale, copyLink, t}: Progress): unknown {
  if (!from || !to || story.witness === undefined) return '';
  const got = story.paidOut.amount || story.order?.destination.amount;
  if (got === undefined) return '';
  const text = t.shareText({
    amount: amountText(amount, from, locale),
    symbol: from.symbol,
    got: amountText(got, to, locale),
    gotSymbol: to.symbol,
  });
  const {href, origin, pathname} = location;
  // With query and fragment only if they name the order: otherwise they may be the visitor's own.
  const url = href.includes(placed.id) ? href : `${origin}${pathname}`;
  const data = {text, url};
  const {share, canShare} = navigator as Partial<Navigator>;
  if (!share || !(canShare?.call(navigator, data) ?? true)) return copyLink(t.share, () => `${text}\n${url}`);
  // A visitor who closes the dialog shares nothing, and sees no error.
  return linkButton(t.share, () => share.call(navigator, data).catch(() => undefined));
}

export function renderAddToWallet({session, swap: {to, recipient}, read, t}: Progress): unknown {
  const account = to && read(session.$wallets, 'accounts')[to.chain.family];
  if (!account || !canAdd(to, account, recipient)) return '';
  const state = read(additionOf(session), ({of, state}) => (of === to.id ? state : 'idle'));
  const wallet = walletName(account, t);
  return html`<p class="foot-note">
    ${state === 'idle' ? linkButton(t.addToWallet({symbol: to.symbol, wallet}), () => addToWallet(session, to, account)) : ''}
    <span role="status"
      >${
        state === 'idle'
          ? ''
          : state === 'asking'
            ? t.waiting({wallet})
            : state === 'passed'
              ? t.passedToWallet({wallet})
              : t.errors['wallet-failed'].what
      }</span
    >
  </p>`;
}
