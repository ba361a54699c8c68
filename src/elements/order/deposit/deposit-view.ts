import {html, type PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import {valueOf} from '../../../domain/remote.js';
import {warnOnce} from '../../../domain/warn-once.js';
import type {Question} from '../../../session/types.js';
import {Voice} from '../../base/announcement.js';
import {register} from '../../base/swap-element.js';
import type {FrameContent} from '../../base/swap-view.js';
import {notice} from '../../style/notice.js';
import {withHelp} from '../help.js';
import {orderStyles} from '../order-styles.js';
import {OrderView} from '../order-view.js';
import {swapOf} from '../telling.js';
import {addressStyles, renderByAddress} from './by-address.js';
import {renderByWallet} from './by-wallet.js';
import {checkStyles} from './checks.js';
import type {Deposit} from './deposit.js';
import {hintFor} from './hints.js';
import {questionStyles, renderQuestion} from './question.js';
import {renderStopped} from './stopped.js';
import {renderElsewhere, renderUnclear} from './unclear.js';

const UNDO_MS = 5_000;

/**
 * The deposit. By wallet: what is shown behind the wallet's own window, and after a rejection or a reload. To an
 * address: the amount and the address.
 *
 * @tag swap-widget-deposit-view
 */
export class DepositView extends OrderView {
  static override styles = [...OrderView.styles, notice, orderStyles, addressStyles, questionStyles, checkStyles];

  @state() private paysAgain = false;

  @state() private cancelsAt?: number | undefined;

  protected readonly voice = new Voice(this, () => (this.cancelsAt === undefined ? '' : this.t.youCanceled));
  #wasRejected = false;
  #asked: string | undefined;
  #orderId: string | undefined;

  /** Once the payment is on its way, this view stays as it was until the next one is loaded. */
  protected override shouldUpdate(): boolean {
    const {id, story} = valueOf(this.session.$order.get()) ?? {};
    return id === undefined || id !== this.#orderId || story?.isPayersTurn === true;
  }

  protected override willUpdate(changed: PropertyValues) {
    super.willUpdate(changed);
    // Whoever pays has changed their mind.
    if (this.placed?.funding.busy || this.placed?.id !== this.#orderId) this.cancelsAt = undefined;
  }

  override render() {
    return this.frame(withHelp(this.#content(), this.context, this.placed));
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    this.#orderId = this.placed?.id;
    if (this.cancelsAt !== undefined && this.session.$now.get() >= this.cancelsAt) this.#cancelNow();
    // Amount and address can be read and copied without the QR code.
    if (this.renderRoot.querySelector('.code')) void import('./qr-code.js').catch(() => undefined);
    const isRejected = this.placed?.funding.error?.code === 'rejected';
    // A rejection is not an error: the focus moves to the button that prompts again.
    if (isRejected && !this.#wasRejected && this.matches(':focus-within')) {
      this.#focusPrimary();
    }
    this.#wasRejected = isRejected;
    const asked = this.#question?.id;
    if (asked !== this.#asked && asked !== undefined && this.matches(':focus-within')) this.#focusPrimary();
    this.#asked = asked;
    this.#adviseSite();
  }

  /**
   * The focus is on the button that leads away, so that a key that was pressed for something else agrees to nothing.
   */
  override focusHeading() {
    if (this.#question) this.#focusPrimary();
    else super.focusHeading();
  }

  /** A visitor who leaves does not undo the cancel any more. */
  protected override back() {
    if (this.cancelsAt === undefined) super.back();
    else this.#cancelNow();
  }

  #cancelNow() {
    this.cancelsAt = undefined;
    void this.session.cancel();
  }

  #focusPrimary() {
    this.renderRoot.querySelector<HTMLElement>('.primary')?.focus();
  }

  get #question(): Question | undefined {
    const {question, payUntil, story, funding} = this.placed ?? {};
    if (!question || payUntil === undefined || story?.stage === 'stopped') return undefined;
    const isWorking = funding?.busy === true || funding?.asking !== undefined || funding?.elsewhere === true;
    return !isWorking && this.timed(now => now < payUntil) ? question : undefined;
  }

  #adviseSite() {
    const {placed} = this;
    if (!placed?.deal || !placed.report) return;
    const hint = hintFor(placed.deal, placed.report);
    if (hint !== undefined) warnOnce(hint);
  }

  #content(): FrameContent {
    const {placed, t} = this;
    const swap = placed && swapOf(placed, undefined);
    if (!placed?.deal || !swap) return {title: t.placed, body: html`<span class="skeleton"></span>`, foot: ''};
    const {deal, funding} = placed;
    const {cancelsAt} = this;
    const isCanceling = cancelsAt !== undefined && this.timed(now => now < cancelsAt);
    const deposit: Deposit = {
      ...this.context,
      placed,
      swap,
      deal,
      funding,
      isCanceling,
      cancel: () => (this.cancelsAt = isCanceling ? undefined : this.session.$now.get() + UNDO_MS),
    };
    if (placed.story?.stage === 'stopped') return renderStopped(deposit);
    if (funding.elsewhere) return renderElsewhere(deposit);
    if (funding.unclear && !funding.asking && !funding.busy) return renderUnclear(deposit);
    const question = this.#question;
    if (question) return renderQuestion(deposit, question);
    const {deposit: agreed} = deal;
    // While a wallet is prompting, no address is shown that could be paid a second time.
    if (agreed.how === 'wallet' || funding.asking) return renderByWallet(deposit);
    return renderByAddress({
      ...deposit,
      to: agreed,
      paysAgain: this.paysAgain,
      payAgain: () => (this.paysAgain = true),
    });
  }
}

register({'swap-widget-deposit-view': DepositView});
