import type {SwapSession} from '../../session/session.js';
import type {Look} from './swap-element.js';
import {allWords} from './words.js';

/** What the live region says: where the swap stands, and what went wrong. */
export function newsOf(session: SwapSession, look: Look): string {
  const {$quote, $order, $status, $connecting, $refund, $funding, $stage} = session;
  const failed = [$quote, $order, $status, $connecting, $refund]
    .map($store => $store.get())
    .find(remote => remote.state === 'failed');
  const error = failed?.error ?? $funding.get().error;
  const connecting = failed && failed === $connecting.get();
  const stage = $stage.get();
  const t = allWords(look);
  return [
    stage !== 'editing' && t.stages[stage],
    error && ((connecting && t.connectErrors[error.code]) || t.errors[error.code]).what,
  ]
    .filter(Boolean)
    .join('. ');
}
