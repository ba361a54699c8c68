import {html} from 'lit';
import type {JournalEntry} from '../../session/order/journal.js';
import {amountText, walletName} from '../base/words.js';
import {errorNote, hashes, note} from './order-parts.js';
import type {OrderContext} from './order-view.js';

/** Whether the service has a signature for an order that it may still use. */
export function hasLiveSignatureFor(orderId: string, {session, read}: OrderContext): boolean {
  return read(session.$journal, 'live').some(entry => entry.orderId === orderId);
}

/**
 * What signatures that were handed over may still take, and how to end that: beside a new order those of earlier ones,
 * beside an order of this browser (`own`) its own too.
 */
export function renderLiveSignatures(context: OrderContext, own?: string): unknown {
  const {session, read, locale, t} = context;
  const live = read(session.$journal, 'live');
  const [first] = live;
  if (!first || (own !== undefined && !hasLiveSignatureFor(own, context))) return '';
  const revoked = read(session.$journal, 'revoking');
  if (revoked.state === 'ready') {
    const {chain} = first.agreed.from;
    return note(
      t.takenBack,
      html`${own === undefined ? t.takenBackReview : t.takenBackWhy} ${hashes(chain, {hashes: [revoked.value]})}`,
    );
  }
  const shown = live.find(({orderId}) => orderId === own) ?? first;
  const {amount, from} = shown.agreed;
  const text = amountText(amount, from, locale);
  const isOwn = shown.orderId === own;
  return html`${note(
    isOwn
      ? t.ownSignature({amount: text, symbol: from.symbol})
      : t.earlierSignature({amount: text, symbol: from.symbol}),
    html`${isOwn ? t.ownSignatureWhy : t.earlierSignatureWhy({more: live.length - 1})}
      <span class="ways">
        ${
          isOwn
            ? ''
            : html`<button
                class="link"
                type="button"
                @click=${() => {
                  session.openOrder(shown.orderId);
                }}
              >
                ${t.openThatSwap}
              </button>`
        }
        ${renderRevoke(context, shown)}
      </span>`,
    'warn',
  )}
  ${revoked.state === 'failed' ? errorNote(revoked.error, 'revoke') : ''}`;
}

function renderRevoke({session, read, chooseWallet, t}: OrderContext, {orderId, agreed}: JournalEntry) {
  const {family} = agreed.from.chain;
  const account = read(session.$wallets, 'accounts')[family];
  if (read(session.$journal, ({revoking}) => revoking.state) === 'pending')
    return html`<span>${t.waiting({wallet: walletName(account, t)})}</span>`;
  return html`<button
    class="link"
    type="button"
    @click=${() => {
      if (account) void session.revoke(orderId);
      else chooseWallet(family, 'pay');
    }}
  >
    ${account ? t.revokeAllowance : t.connectToRevoke}
  </button>`;
}
