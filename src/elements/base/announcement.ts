import type {Remote} from '../../domain/remote.js';
import {register} from './swap-element.js';
import {errorWords, LatePart} from './words.js';

/**
 * What the live region says to those who cannot see it: where the swap stands and what went wrong, never what only
 * counts down.
 *
 * @tag swap-widget-announcement
 */
export class Announcement extends LatePart {
  override render() {
    const {t, session} = this;
    const {$quote, $order, $status, $connecting, $refund, $funding, $stage} = session;
    const remotes: readonly Remote<unknown>[] = [
      this.read($quote),
      this.read($order),
      this.read($status),
      this.read($connecting),
      this.read($refund),
    ];
    const failed = remotes.find(remote => remote.state === 'failed');
    const error = failed?.error ?? this.read($funding).error;
    const isConnecting = failed !== undefined && failed === this.read($connecting);
    const stage = this.read($stage);
    return [stage !== 'editing' && t.stages[stage], error && errorWords(error, t, isConnecting).what]
      .filter(Boolean)
      .join('. ');
  }
}

register({'swap-widget-announcement': Announcement});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-announcement': Announcement;
  }
}
