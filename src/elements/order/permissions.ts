import {html, type TemplateResult} from 'lit';
import {unverifiedIn, type CheckReport} from '../../domain/deposit.js';
import {allowanceOf, wasAllowed} from '../../domain/funding.js';
import {idle, valueOf, type Remote} from '../../domain/remote.js';
import type {JournalEntry} from '../../session/order/journal.js';
import {note} from '../base/error-note.js';
import {amountText, sentences, walletName} from '../base/words.js';
import type {Level} from '../style/notice.js';
import {errorNote, hashes, linkButton, primaryButton, secondaryButton} from './order-parts.js';
import {walletStep, type OrderContext, type Step} from './order-view.js';
import {riskOf} from './telling.js';

/*
 * What may still move money although nothing more is asked for: a signature that the service has, or the permission of
 * a contract that is not verified. What each may take, and the button that takes it back.
 */

export function hasLiveSignatureFor(orderId: string, {session, read}: OrderContext): boolean {
  return read(session.$journal, 'live').some(entry => entry.orderId === orderId);
}

/**
 * Beside a new order the signatures of earlier ones, beside an order of this browser (`own`) also its own. `said`
 * replaces the words about its own; `isStep`: the button to revoke it is that of the next step (`revokeStep`).
 */
export function renderLiveSignatures(
  context: OrderContext,
  own?: string,
  {said, isStep = false}: {readonly said?: readonly [title: string, text: string]; readonly isStep?: boolean} = {},
): unknown {
  const {session, read, locale, t} = context;
  const live = read(session.$journal, 'live');
  const [first] = live;
  if (!first || (own !== undefined && !hasLiveSignatureFor(own, context))) return said ? note(...said, 'caution') : '';
  const shown = live.find(({orderId}) => orderId === own) ?? first;
  const revoked = revokingOf(context, shown.orderId);
  if (revoked.state === 'ready') {
    const why = own === undefined ? t.takenBackReview : t.takenBackWhy;
    return html`${said ? note(...said, 'caution') : ''} ${renderTakenBack(context, shown, revoked.value, why)}`;
  }
  const {amount, from} = shown.agreed;
  const text = {amount: amountText(amount, from, locale), symbol: from.symbol};
  const isOwn = shown.orderId === own;
  const [title, why] = isOwn
    ? (said ?? [t.ownSignature(text), t.ownSignatureWhy({symbol: from.symbol})])
    : [t.earlierSignature(text), t.earlierSignatureWhy({more: live.length - 1, symbol: from.symbol})];
  const open = isOwn ? '' : linkButton(t.openThatSwap, () => session.openOrder(shown.orderId));
  return renderWarning(title, why, isStep ? [] : [open, renderRevoke(context, shown)], revoked);
}

/** What may still move money, the ways out below it, and why the last one failed. */
function renderWarning(
  title: string,
  why: string,
  ways: readonly unknown[],
  revoked: Remote<string>,
  level: Level = 'caution',
): TemplateResult {
  return html`${note(title, ways.length ? html`${why} <span class="ways">${ways}</span>` : why, level)}
  ${revoked.state === 'failed' ? errorNote(revoked.error, 'revoke') : ''}`;
}

function renderTakenBack({t}: OrderContext, {agreed}: JournalEntry, hash: string, why = ''): TemplateResult {
  return note(t.takenBack, sentences(why, hashes(agreed.from.chain, {hashes: [hash]})));
}

export function isUnverified({session, read}: OrderContext, orderId: string): boolean {
  if (ownEntry({session, read}, orderId)?.unverified) return true;
  return read(session.$order, order => {
    const placed = valueOf(order);
    return placed?.id === orderId && placed.report !== undefined && unverifiedIn(placed.report).length > 0;
  });
}

export function ownEntry(
  {session, read}: Pick<OrderContext, 'session' | 'read'>,
  orderId: string,
): JournalEntry | undefined {
  return read(session.$journal, ({entries}) => entries.find(entry => entry.orderId === orderId));
}

/** The order's own entry, while a contract that is not verified may take what it was allowed to. */
export function openAllowance(context: OrderContext, orderId: string): JournalEntry | undefined {
  const entry = ownEntry(context, orderId);
  return entry && allowanceOf(entry) && isUnverified(context, orderId) ? entry : undefined;
}

/** Whether a contract that is not verified may have taken the amount, by a permission that was canceled since, too. */
export function mayBeGone(context: OrderContext, orderId: string): boolean {
  const entry = ownEntry(context, orderId);
  return entry !== undefined && wasAllowed(entry) && isUnverified(context, orderId);
}

/** Once it is stopped, the transaction. `isStep`: the button for that is the one of the next step. */
export function renderAllowance(
  context: OrderContext,
  orderId: string,
  {isStep = false, level = 'caution'}: {readonly isStep?: boolean; readonly level?: Level} = {},
): unknown {
  const entry = ownEntry(context, orderId);
  if (!entry || !isUnverified(context, orderId)) return '';
  const [title, why = ''] = riskOf(entry, context);
  if (title === undefined) {
    const hash = entry.walletRequests.findLast(({kind}) => kind === 'revoke')?.hash;
    return hash === undefined ? '' : renderTakenBack(context, entry, hash);
  }
  const ways = isStep ? [] : [renderRevoke(context, entry)];
  return renderWarning(title, why, ways, revokingOf(context, orderId), level);
}

/** That the contract which was not paid may take another coin of the payer (`CheckResult.allowed`), and how to stop that. */
export function renderOtherAllowance(
  context: OrderContext,
  orderId: string,
  {results}: Pick<CheckReport, 'results'>,
): unknown {
  const {t} = context;
  const allowed = results.find(result => result.allowed)?.allowed;
  const entry = ownEntry(context, orderId);
  if (!allowed || !entry) return '';
  const revoked = revokingOf(context, orderId, allowed.token);
  if (revoked.state === 'ready') return renderTakenBack(context, entry, revoked.value);
  const title = t.otherAllowed({symbol: allowed.symbol});
  return renderWarning(title, '', [renderRevoke(context, entry, allowed.token)], revoked);
}

/** While the order's own signature, or a contract that is not verified, can still move money. */
function revokeStep(context: OrderContext, own: string): Step | undefined {
  const {session, read} = context;
  const live = read(session.$journal, 'live').find(({orderId}) => orderId === own);
  const isRevoked = revokingOf(context, own).state === 'ready';
  const shown = openAllowance(context, own) ?? (isRevoked ? undefined : live);
  return shown && revoking(context, shown);
}

/**
 * The button that starts again; the second one while the order's own signature can still move money. It is no next
 * step, but the answer to a question, if a payment may be out that nobody has seen (`mayBeOut`).
 */
export function restartButton(
  context: OrderContext,
  own: string,
  {keep, mayBeOut = false}: {readonly keep: boolean; readonly mayBeOut?: boolean},
): TemplateResult {
  const {session, t} = context;
  const restart = () => session.reset({keep});
  const first = revokeStep(context, own);
  if (first) return html`${primaryButton(first.label, first.press)} ${secondaryButton(t.startAgain, restart)}`;
  return mayBeOut ? secondaryButton(t.startIfUnsent, restart) : primaryButton(t.startAgain, restart);
}

function revokingOf({session, read}: OrderContext, own: string, other?: string): Remote<string> {
  const {orderId, token, ...revoked} = read(session.$journal, 'revoking');
  return orderId === own && token === other ? revoked : idle;
}

function revoking(context: OrderContext, {orderId, agreed}: JournalEntry, token?: string): Step {
  const {session, read, t} = context;
  const {family} = agreed.from.chain;
  const account = read(session.$wallets, 'accounts')[family];
  if (read(session.$journal, ({revoking: {state}}) => state) === 'pending')
    return {label: t.waiting({wallet: walletName(account, t)})};
  const press = () => (token === undefined ? session.revoke(orderId) : session.revoke(orderId, token));
  return walletStep(context, family, {label: t.revokeAllowance, press}, t.connectToRevoke);
}

function renderRevoke(context: OrderContext, shown: JournalEntry, token?: string) {
  const {label, press} = revoking(context, shown, token);
  return press ? linkButton(label, press) : html`<span>${label}</span>`;
}
