import {css, html, type TemplateResult} from 'lit';
import {property} from 'lit/decorators.js';
import {formatAmount} from '../../domain/amount.js';
import type {SwapError} from '../../domain/error.js';
import {foreignText} from '../../domain/foreign.js';
import type {Messages} from '../../locales/messages.js';
import {icon, sign} from '../icons/icons.js';
import {signs} from '../icons/signs.js';
import {notice as noticeStyles, type Level} from '../style/notice.js';
import {base} from '../style/styles.js';
import {decimal} from '../../locales/figures.js';
import {register} from './swap-element.js';
import {errorWords, LatePart, titled} from './words.js';

/**
 * An error, its consequence for the money, and what to do.
 *
 * @tag swap-widget-error-note
 * @csspart notice - The note.
 */
export class ErrorNote extends LatePart {
  static override styles = [
    base,
    noticeStyles,
    css`
      :host {
        display: block;
      }
    `,
  ];

  @property({attribute: false}) error?: SwapError;

  /** Where it occurred, which determines its consequence for the money. */
  @property() where: keyof Messages['money'] = 'quote';

  /** When the request is retried automatically, in milliseconds since 1970. */
  @property({attribute: false}) retryAt?: number | undefined;

  /** Offered if no other button retries. */
  @property({attribute: false}) retry?: (() => void) | undefined;

  override render() {
    const {error, t} = this;
    if (!error) return '';
    const isWallet = this.where === 'wallet';
    const words = errorWords(error, t, isWallet);
    const retry = this.retryAt && Math.ceil((this.retryAt - this.read(this.session.$now)) / 1000);
    const told = titled(
      words.what,
      retry && retry > 0 ? t.retryingIn({seconds: retry}) : '',
      (isWallet || this.where === 'signature' ? undefined : words.money) ?? t.money[this.where],
      this.#range(error) || (error.code === 'rejected' && this.where === 'deposit' ? t.tryOrCancel : words.todo),
    );
    // The swap continues without this page, and a browser that is offline has lost nothing.
    const isInfo = this.where === 'progress' || error.code === 'offline';
    // The allowance was used, and not for this payment: the money may be gone.
    const level = isInfo ? 'info' : error.field === 'taken' ? 'loss' : 'caution';
    const again =
      this.retry && this.retryAt
        ? html`<p><button class="link" type="button" @click=${this.retry}>${t.tryNow}</button></p>`
        : '';
    return notice(level, told, again);
  }

  #range({range}: SwapError): string {
    const from = this.assetOf('pay');
    if (!range || !from) return '';
    return this.t.amountRange({
      min: decimal(foreignText(formatAmount(range.min, from.decimals)), this.look.locale),
      max: decimal(foreignText(formatAmount(range.max, from.decimals)), this.look.locale),
      symbol: from.symbol,
    });
  }
}

function notice(level: Level, text: unknown, more: unknown = ''): TemplateResult {
  return html`<div class="notice ${level}" part="notice">
    ${level === 'info' ? sign(signs.info) : icon('alert')}
    <p>${text}</p>
    ${more}
  </div>`;
}

export function note(title: unknown, text: unknown, level: Level = 'info'): TemplateResult {
  return notice(level, titled(title, text));
}

register({'swap-widget-error-note': ErrorNote});
