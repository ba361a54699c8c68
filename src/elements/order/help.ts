import {html} from 'lit';
import {mayHaveGoneOut} from '../../domain/funding.js';
import {SwapSupportEvent} from '../../events.js';
import type {ShownOrder} from '../../session/session.js';
import type {FrameContent} from '../base/swap-view.js';
import {pieces} from '../base/words.js';
import type {OrderContext} from './order-view.js';

/** How long the service may say nothing until help is offered, in milliseconds. */
const SILENT_MS = 5 * 60_000;

/** A screen with the way to the site's staff below it, if its order is in trouble and the site named one (`support`). */
export function withHelp(content: FrameContent, context: OrderContext, placed: ShownOrder | undefined): FrameContent {
  const {session, read, t} = context;
  const support = read(session.$settings, 'config')?.support;
  if (!support || !placed || !isInTrouble(placed, context)) return content;
  const {protocol, pathname, host} = new URL(support);
  const isMail = protocol === 'mailto:';
  const about = encodeURIComponent(`${t.receiptFacts.order}: ${placed.id}`);
  const url = isMail ? `${support}?subject=${about}&body=${about}` : support;
  const press = (event: Event) => {
    if (!event.currentTarget?.dispatchEvent(new SwapSupportEvent(placed.id))) event.preventDefault();
  };
  const label = pieces(t.contact, {site: html`<bdi>${isMail ? pathname : host}</bdi>`});
  const link = html`<a class="link" href=${url} target=${isMail ? '_self' : '_blank'} rel="noopener" @click=${press}
    >${label}</a
  >`;
  return {
    ...content,
    foot: html`${content.foot}
      <p class="latest help">${link}<br />${t.staffNeverAsk}</p>`,
  };
}

/** Whether money is stopped, unclear or to be taken back, less arrived than agreed, or the service is silent for long. */
function isInTrouble(placed: ShownOrder, {timed}: OrderContext): boolean {
  const {deal, story, funding, reading, readAt = placed.placedAt} = placed;
  const {stage, refund, note, isUnpaid, isCanceled, actions} = story ?? {};
  if (reading.state === 'failed' && timed(now => now - readAt >= SILENT_MS)) return true;
  if (actions?.includes('answer')) return true;
  const mayBePaid = mayHaveGoneOut(funding) || (deal?.deposit.how === 'transfer' && !isUnpaid);
  if (stage === 'stopped') return mayBePaid || !isCanceled;
  if (stage === 'expired') return mayBePaid;
  return stage === 'refunding' || refund === 'open' || note?.kind === 'less' || note?.kind === 'untied';
}
