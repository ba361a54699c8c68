import {html, type PropertyValues} from 'lit';
import {formatAmount} from '../../domain/amount.js';
import type {WalletRequestKind, CheckReport, CheckResult, Deal} from '../../domain/deposit.js';
import {isUnclear, openPayment} from '../../domain/funding.js';
import {valueOf} from '../../domain/remote.js';
import {plain} from '../../events.js';
import type {FundingProgress, PlacedOrder} from '../../session/session.js';
import '../base/error-note.js';
import {notice} from '../style/notice.js';
import {countdown, truncate} from '../base/format.js';
import {icon, sign} from '../icons/icons.js';
import {checks, getSide, paySide, step, type StepState} from './order-parts.js';
import {orderStyles} from './order-styles.js';
import {mono} from '../base/words.js';
import {signs} from '../icons/signs.js';
import {register} from '../base/swap-element.js';
import {TransferView, transferStyles} from './transfer-view.js';

/** What the button of the next step says and does. */
interface NextStep {
  readonly label: string;
  readonly press?: () => unknown;
}

/**
 * The deposit. By a wallet: what stands behind the wallet's own window, and where one lands after a rejection or a
 * reload. To an address: what to send and where.
 *
 * @tag swap-widget-deposit-view
 */
export class DepositView extends TransferView {
  static override styles = [...TransferView.styles, notice, orderStyles, transferStyles];

  #refused = false;

  override render() {
    const {session, t} = this;
    const order = valueOf(this.read(session.$order));
    const funding = this.read(session.$funding);
    if (!order?.deal) return this.frame({title: t.placed, body: html`<span class="skeleton"></span>`, foot: ''});
    if (this.read(session.$stage) === 'stopped') return this.#renderStopped(order, order.deal);
    if (funding.unclear && !funding.asking && !funding.busy) return this.#renderUnclear(order.deal, funding);
    const {deposit} = order.deal;
    // While a wallet is asked, nobody is shown an address to pay a second time.
    return deposit.how === 'transfer' && !funding.asking
      ? this.renderTransfer(order, order.deal, deposit, funding)
      : this.#renderDeposit(order, order.deal, funding);
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    const refused = this.session.$funding.get().error?.code === 'rejected';
    // No alarm: whoever said no in the wallet stands where it can be asked again.
    if (refused && !this.#refused && this.matches(':focus-within'))
      this.renderRoot.querySelector<HTMLElement>('.primary')?.focus();
    this.#refused = refused;
  }

  #renderDeposit(order: PlacedOrder, deal: Deal, funding: FundingProgress) {
    const {t} = this;
    const plan = planOf(funding);
    const at = this.#position(plan, funding);
    const kind = kindAt(plan, at, funding);
    return this.frame({
      title: kind === 'sign' || kind === 'initiate' ? t.sign : t.pay,
      back: !funding.asking && !funding.busy,
      body: html`<div class="thread">
        ${this.#renderPay(deal, t.youPay)}
        <div class="between" part="between">
          ${this.#renderNotice(funding)}
          <ol class="steps ahead" part="steps">
            ${plan.map((each, index) => this.#renderStep(each, stateAt(index, at), deal))}
            ${step(
              at >= plan.length ? 'now' : 'todo',
              t.nothingMore,
              t.isSentTo(deal.agreed.to.symbol, mono(deal.agreed.recipient)),
            )}
          </ol>
          ${this.renderFees(deal)} ${checks(order.report, t)}
        </div>
        ${this.#renderGet(deal, t.youReceiveAtLeast)}
      </div>`,
      foot: this.#renderFoot(order, deal, funding, plan, at),
    });
  }

  #renderStep(kind: WalletRequestKind, state: StepState, {agreed}: Deal) {
    const {t} = this;
    const wallet = this.#wallet();
    switch (kind) {
      case 'revoke':
        return step(state, t.revokeTitle, t.revokeWhy);
      case 'approve':
        return step(
          state,
          t.approveTitle(formatAmount(agreed.amount, agreed.from.decimals), agreed.from.symbol),
          t.approveWhy,
        );
      case 'sign':
        return step(state, t.signTitle(wallet), t.signWhy);
      case 'send':
        return step(state, t.sendTitle(wallet), t.sendWhy);
      case 'initiate':
        return step(state, t.initiateTitle, t.initiateWhy);
      case 'refund':
        return step(state, t.refundTitle);
    }
  }

  #renderNotice({error, refusedBecause, unsigned, walletRequests: asks}: FundingProgress) {
    const {t} = this;
    if (refusedBecause !== undefined) {
      return html`<div class="notice warn" part="notice">
        ${icon('alert')}
        <p><strong>${t.refusedTitle}</strong> ${t.refusedBecause(refusedBecause)}</p>
      </div>`;
    }
    if (!error && unsigned !== undefined) {
      return html`<div class="notice" part="notice">
        ${sign(signs.info)}
        <p><strong>${t.unsignedTitle}</strong> ${t.unsignedBecause(unsigned)}</p>
      </div>`;
    }
    if (!error) return '';
    // A signature that nobody handed on moves nothing, whatever the wallet did with the question.
    const isOfSignature = error.code === 'wallet-unclear' && asks.at(-1)?.kind === 'sign';
    const where = isOfSignature ? 'signature' : 'deposit';
    return html`<swap-widget-error-note .error=${error} where=${where} exportparts="notice"></swap-widget-error-note>`;
  }

  #renderFoot(
    order: PlacedOrder,
    deal: Deal,
    funding: FundingProgress,
    plan: readonly WalletRequestKind[],
    at: number,
  ) {
    const {session, t} = this;
    const next = this.#next(deal, funding, kindAt(plan, at, funding));
    const left = order.payUntil - this.read(session.$now);
    const {other, asking, busy} = funding;
    return html`<button
        class="primary"
        part="primary"
        type="button"
        aria-disabled=${!next.press ? 'true' : 'false'}
        @click=${next.press}
      >
        ${next.label}
      </button>
      <p class="foot-note">
        <span
          >${
            asking
              ? asking === 'initiate'
                ? t.initiateWhy
                : t.openWallet(this.#wallet())
              : other && !busy
                ? html`<button class="link" type="button" @click=${() => session.pay(other)}>
                    ${other === 'signature' ? t.signInstead : t.sendInstead}
                  </button>`
                : plan.length > 1
                  ? t.stepOf(Math.min(at + 1, plan.length), plan.length)
                  : funding.walletRequests.length
                    ? t.nothingWasPaid
                    : t.nothingSigned
          }</span
        >
        <span>${left > 0 ? t.timeLeft(html`<bdi>${countdown(left)}</bdi>`) : ''}</span>
      </p>`;
  }

  /** The one next step: what is waited for, or what a press does. */
  #next({agreed}: Deal, funding: FundingProgress, kind: WalletRequestKind): NextStep {
    const {session, t} = this;
    const {family} = agreed.from.chain;
    const wallet = this.#wallet();
    if (funding.asking) {
      const last = funding.walletRequests.at(-1);
      if (funding.asking === 'initiate') return {label: t.waitingService};
      return {label: last?.state === 'sent' ? t.waitingChain : t.waiting(wallet)};
    }
    if (funding.busy) return {label: t.checking};
    // What the service prepared is out of date, and nothing was paid: only a fresh order can be.
    if (funding.error?.code === 'expired' || funding.seen === 'expired') {
      return {
        label: t.startAgain,
        press: () => {
          session.reset({keep: true});
        },
      };
    }
    if (!this.read(session.$accounts)[family]) {
      return {label: t.connectAWallet, press: () => this.chooseWallet(family, 'pay')};
    }
    const label = {
      revoke: () => t.revokeButton(wallet),
      approve: () => t.approveTitle(formatAmount(agreed.amount, agreed.from.decimals), agreed.from.symbol),
      sign: () => t.signTitle(wallet),
      send: () => t.payWith(wallet),
      initiate: () => t.tryAgain,
      refund: () => t.refundNow,
    }[kind]();
    return {label, press: () => session.pay()};
  }

  #renderUnclear(deal: Deal, funding: FundingProgress) {
    const {session, t} = this;
    const chain = deal.agreed.from.chain.title;
    const bySignature = openPayment(funding)?.kind === 'initiate';
    // Either an answer is missing, the wallet's or with a signature the service's, or what went out never came.
    const words = isUnclear(funding)
      ? {
          title: t.unclearTitle,
          heading: bySignature ? t.lostHeading : t.unclearHeading,
          why: bySignature ? t.lostWhy : t.unclearWhy(this.#wallet()),
          rule: t.unclearRule,
          yes: bySignature ? t.keepWaiting : t.iConfirmed,
          no: bySignature ? t.payMyself : t.iDidNot,
        }
      : {
          title: t.overdueTitle,
          heading: bySignature ? t.signatureUnused : t.paymentNotSeen,
          why: bySignature ? t.signatureUnusedWhy : t.paymentNotSeenWhy(this.#wallet()),
          rule: t.overdueRule,
          yes: t.keepWaiting,
          no: t.stopWaiting,
        };
    return this.frame({
      title: words.title,
      body: html`<div class="thread">
        ${this.#renderPay(deal, t.youPay)}
        <div class="between" part="between">
          <ol class="steps ahead" part="steps">
            ${step('now', words.heading, words.why)}
            ${step('todo', funding.seen ? t.unclearSeen[funding.seen](chain) : t.lookingOn(chain), words.rule)}
          </ol>
        </div>
        ${this.#renderGet(deal, t.youReceiveAtLeast)}
      </div>`,
      foot: html`<button class="primary" part="primary" type="button" @click=${() => session.answer(true)}>
          ${words.yes}
        </button>
        <p class="foot-note">
          <button class="link" type="button" @click=${() => session.answer(false)}>${words.no}</button>
        </p>`,
    });
  }

  #renderStopped(order: PlacedOrder, deal: Deal) {
    const {session, t} = this;
    const report = deal.deposit.how === 'transfer' ? withoutAddress(order.report) : order.report;
    const {walletRequests: asks, error} = this.read(session.$funding);
    const failed = report?.results.find(({outcome}) => outcome === 'failed');
    const title = failed ? t.checkFailed[failed.name] : t.errors[error?.code ?? 'deposit-mismatch'].what;
    const released = asks.some(({state}) => state === 'sent');
    return this.frame({
      title: t.stopped,
      body: html`<div class="thread cut">
        ${this.#renderPay(deal, t.youAgreedToPay, true)}
        <div class="between" part="between">
          <ol class="steps" part="steps">
            <li class="step" data-state="bad">
              <span class="node" aria-hidden="true">${sign(signs.close)}</span>
              <div>
                <strong>${title}</strong>
                <p>${released ? t.notAskedAgain : deal.deposit.how === 'wallet' ? t.notAsked : t.notShown}</p>
              </div>
              ${failed ? this.#renderCompare(failed) : ''}
            </li>
          </ol>
          ${checks(report, t)}
        </div>
        ${this.#renderGet(deal, t.youWouldHave)}
      </div>`,
      foot: html`<button
          class="primary"
          part="primary"
          type="button"
          @click=${() => {
            session.reset({keep: true});
          }}
        >
          ${t.startAgain}
        </button>
        <p class="foot-note">
          <span
            >${
              deal.deposit.how === 'transfer' ? t.noPaymentSeen : released ? t.nothingWasPaid : t.nothingWasSigned
            }</span
          >
          ${this.copyLink(t.copyReport, () => JSON.stringify(plain({orderId: order.id, report: order.report, deal}), null, 2))}
        </p>`,
    });
  }

  #renderCompare({expected, found}: CheckResult) {
    const {t} = this;
    if (expected === undefined && found === undefined) return '';
    return html`<dl class="compare">
      ${
        expected === undefined
          ? ''
          : html`<dt>${t.youAgreedTo}</dt>
              <dd>${expected}</dd>`
      }
      ${
        found === undefined
          ? ''
          : html`<dt>${t.serviceAsksFor}</dt>
              <dd class="no"><strong>${found}</strong></dd>`
      }
    </dl>`;
  }

  #renderPay({agreed, deposit}: Deal, label: string, went = false) {
    return paySide({
      asset: agreed.from,
      label,
      amount: agreed.amount,
      // Anybody may pay to an address; the owner of the order is who gets a refund.
      detail: deposit.how === 'wallet' ? this.t.from(mono(agreed.owner)) : '',
      went,
    });
  }

  #renderGet({agreed}: Deal, label: string) {
    return getSide({asset: agreed.to, label, amount: agreed.atLeast, line: true});
  }

  /** The name of the wallet that pays. */
  #wallet(): string {
    const {session, t} = this;
    const family = valueOf(this.read(session.$order))?.deal?.agreed.from.chain.family;
    return (family && this.read(session.$accounts)[family]?.wallet.name) || t.yourWallet;
  }

  /** Which of the questions is next, or being asked. */
  #position(plan: readonly WalletRequestKind[], {asking, walletRequests: asks}: FundingProgress): number {
    if (asking && plan.includes(asking)) return plan.indexOf(asking);
    const open = plan.findIndex(kind => {
      const last = asks.findLast(ask => ask.kind === kind);
      // Nobody keeps a signature that the service did not take: it is made anew.
      const refused = asks.at(-1)?.kind === 'initiate' && asks.at(-1)?.state === 'refused';
      if (kind === 'sign' && refused) return true;
      return last?.state !== 'sent' && last?.state !== 'signed';
    });
    return open < 0 ? plan.length : open;
  }
}

/** The questions to come, or what they are most likely before the account's allowance was read. */
function planOf({plan, way}: FundingProgress): readonly WalletRequestKind[] {
  if (plan.length) return plan;
  return way === 'signature' ? ['sign', 'initiate'] : ['send'];
}

/** What comes at a place of the plan. Behind its end is what was signed: a signature that was not handed over is made anew. */
function kindAt(plan: readonly WalletRequestKind[], at: number, {way}: FundingProgress): WalletRequestKind {
  return plan[at] ?? (way === 'signature' ? 'initiate' : 'send');
}

function stateAt(index: number, at: number): StepState {
  return index < at ? 'done' : index === at ? 'now' : 'todo';
}

/** A report on an address that nobody shall pay to: its ends are enough to tell it by. */
function withoutAddress(report: CheckReport | undefined): CheckReport | undefined {
  const isOfAddress = ({name}: CheckResult) => name === 'script' || name === 'chain';
  const short = ({expected, found, ...result}: CheckResult): CheckResult => ({
    ...result,
    ...(expected === undefined ? {} : {expected: truncate(expected, 10, 8)}),
    ...(found === undefined ? {} : {found: truncate(found, 10, 8)}),
  });
  return report && {...report, results: report.results.map(result => (isOfAddress(result) ? short(result) : result))};
}

register({'swap-widget-deposit-view': DepositView});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-deposit-view': DepositView;
  }
}
