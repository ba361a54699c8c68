import {html} from 'lit';
import {addToWallet, additionOf, canAdd} from '../../../session/add-to-wallet.js';
import {amountText, walletName} from '../../base/words.js';
import {linkButton} from '../order-parts.js';
import type {Progress} from './progress.js';

/*
 * What a person may do with a swap that arrived, beside the next one.
 */

/** Hands on what was swapped, and where it can be seen, by what the device has for that; else copies it. */
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
  const url = addressOf(placed.id);
  const data = {text, url};
  const {share, canShare} = navigator as Partial<Navigator>;
  if (!share || !(canShare?.call(navigator, data) ?? true)) return copyLink(t.share, () => `${text}\n${url}`);
  // Whoever closes the window shares nothing, and is told nothing of it.
  return linkButton(t.share, () => share.call(navigator, data).catch(() => undefined));
}

/** The page's address, with what is behind its path only where that names the order: the rest may be the visitor's own. */
function addressOf(orderId: string): string {
  const {href, origin, pathname} = location;
  return href.includes(orderId) ? href : `${origin}${pathname}`;
}

/** A way to have the connected wallet list the token that it received. */
export function renderAddToWallet({session, swap: {to, recipient}, read, t}: Progress): unknown {
  const account = to && read(session.$wallets, 'accounts')[to.chain.family];
  if (!account || !canAdd(to, account, recipient)) return '';
  const state = read(additionOf(session), ({of, state}) => (of === to.id ? state : 'idle'));
  const wallet = walletName(account, t);
  return html`<p class="foot-note" role="status">
    ${
      state === 'idle'
        ? linkButton(t.addToWallet({symbol: to.symbol, wallet}), () => addToWallet(session, to, account))
        : html`<span
            >${
              state === 'asking'
                ? t.waiting({wallet})
                : state === 'passed'
                  ? t.passedToWallet({wallet})
                  : t.errors['wallet-failed'].what
            }</span
          >`
    }
  </p>`;
}
