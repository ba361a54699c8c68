/*
 * What helps to fill in the fields of the form, once there is something to say: shares of what the account has, what is
 * wrong with an amount or an address, and the question whether an address is right.
 */
import {css, html} from 'lit';
import {property} from 'lit/decorators.js';
import {formatAmount} from '../../domain/amount.js';
import type {Asset} from '../../domain/asset.js';
import {isProblem, type AddressName} from '../../domain/draft.js';
import {valueOf} from '../../domain/remote.js';
import {register} from '../base/swap-element.js';
import {groups, LatePart, percent, short} from '../base/words.js';
import {icon} from '../icons/icons.js';
import {facts} from '../style/facts.js';
import {base} from '../style/styles.js';

/** A part that speaks of the asset that is paid with. */
abstract class PayNote extends LatePart {
  protected get asset(): Asset | undefined {
    return this.assetOf('pay');
  }

  /** What the paying account has of it, where that is known. */
  protected get balance(): bigint | undefined {
    return valueOf(this.read(this.session.$balance));
  }
}

/**
 * A quarter, a half, and all of what the account has, less what is kept back for the chain's fee.
 *
 * @tag swap-widget-shares
 * @fires use - A share was put in.
 */
export class Shares extends PayNote {
  static override styles = [
    base,
    css`
      :host {
        display: inline-flex;
        gap: calc(var(--_u) * 3);
      }
      .chip {
        min-block-size: calc(var(--_u) * 6);
        margin-block: calc(var(--_u) * -0.5);
      }
      .share {
        min-inline-size: 1.5rem;
        justify-content: center;
        color: var(--_quiet);
      }
      @container (inline-size < 20rem) {
        .share {
          display: none;
        }
      }
    `,
  ];

  override render() {
    const {t, asset, balance, look} = this;
    const reserve = this.read(this.session.$reserve);
    if (!asset || !balance || look.locked.includes('amount')) return '';
    const all = formatAmount(balance > reserve ? balance - reserve : 0n, asset.decimals);
    const use = (share: number) => () => {
      this.session.useShare(share);
      this.dispatchEvent(new Event('use'));
    };
    const text = (share: number) => percent(share * 100, look.locale, 0);
    return html`${[25, 50].map(
        share =>
          html`<button
            class="chip share"
            type="button"
            aria-label=${t.useShare({percent: text(share)})}
            @click=${use(share)}
          >
            ${text(share)}
          </button>`,
      )}<button class="chip" type="button" aria-label=${t.useAll({amount: all})} @click=${use(100)}>
        ${t.max} <bdi>${short(all)}</bdi>
      </button>`;
  }
}

/**
 * What is wrong with the amount, or else what it is worth (the slot) and what helps to choose it. Too small a
 * balance is only mentioned: it stops nothing.
 *
 * @tag swap-widget-amount-note
 */
export class AmountNote extends PayNote {
  static override styles = [
    base,
    css`
      :host {
        display: block;
      }
      p:not(.problem) {
        color: var(--_quiet);
      }
    `,
  ];

  override render() {
    const problem = this.#problem();
    const hint = problem ? '' : this.#hint();
    this.toggleAttribute('wide', problem.length > 24);
    return problem
      ? html`<p class="problem">${icon('alert', 's')}<span>${problem}</span></p>`
      : html`<slot></slot>${hint && html`<p>${hint}</p>`}`;
  }

  #problem(): string {
    const {t, balance, asset} = this;
    const {amount} = this.read(this.session.$draft);
    const request = this.read(this.session.$request);
    const reserve = this.read(this.session.$reserve);
    if (isProblem(request)) {
      if (request.code === 'too-many-decimals' && asset)
        return t.tooManyDecimals({symbol: asset.symbol, decimals: asset.decimals});
      if (request.code !== 'not-a-number') return '';
      return /^\d+,\d+$/.test(amount)
        ? t.isItEither({one: amount.replace(',', ''), other: amount.replace(',', '.')})
        : t.notANumber;
    }
    const {decimals, symbol} = request.from;
    if (balance === undefined) return '';
    if (balance < request.amount) return t.youHave({amount: formatAmount(balance, decimals), symbol});
    return balance < request.amount + reserve
      ? t.keepForFee({amount: short(formatAmount(reserve, decimals)), symbol})
      : '';
  }

  /** What is kept back where everything else is paid, or what the service says it usually takes. */
  #hint(): string {
    const request = this.read(this.session.$request);
    const reserve = this.read(this.session.$reserve);
    if (isProblem(request) || !reserve || this.balance !== request.amount + reserve) return this.#usualAmounts();
    const {decimals, symbol} = request.from;
    return this.t.staysForFee({amount: short(formatAmount(reserve, decimals)), symbol});
  }

  /** What the service's list says it takes of an asset, while there is no amount or one beyond that. Never more than a hint. */
  #usualAmounts(): string {
    const {asset} = this;
    const request = this.read(this.session.$request);
    const limits = asset && this.read(this.session.$limits)[asset.id.toLowerCase()];
    if (!limits) return '';
    const isWithin = !isProblem(request) && request.amount >= limits.min && request.amount <= limits.max;
    if (isWithin || (isProblem(request) && request.code !== 'enter-amount')) return '';
    const {decimals, symbol} = asset;
    return this.t.usually({min: formatAmount(limits.min, decimals), max: formatAmount(limits.max, decimals), symbol});
  }
}

/**
 * What is wrong with an address.
 *
 * @tag swap-widget-address-note
 */
export class AddressNote extends LatePart {
  static override styles = [
    base,
    css`
      .problem .icon {
        margin: 0;
      }
    `,
  ];

  override render() {
    const {t} = this;
    const problem = this.read(this.session.$problem);
    const network = this.assetOf(problem?.field === 'recipient' ? 'receive' : 'pay')?.chain.title ?? '';
    const text = problem?.code === 'a-contract' ? t.aContract : t.notAnAddress({network});
    return html`<span class="problem">${icon('alert', 's')}<span>${text}</span></span>`;
  }
}

/**
 * Asks whether the address in a field is right, and shows it whole.
 *
 * @tag swap-widget-address-question
 * @fires confirm - It is.
 */
export class AddressQuestion extends LatePart {
  static override styles = [
    base,
    facts,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        column-gap: calc(var(--_u) * 3);
        align-items: end;
        padding-block-start: calc(var(--_u) * 2);
        font-size: var(--_t-s);
      }
      p {
        grid-column: 1 / -1;
        color: var(--_quiet);
      }
    `,
  ];

  /** The field it is about. */
  @property({attribute: false}) field: AddressName = 'recipient';

  /** The address in it. */
  @property() address = '';

  override focus() {
    this.renderRoot.querySelector('button')?.focus();
  }

  override render() {
    const {t, field, address} = this;
    const isRefund = field === 'refundAddress';
    return html`<p id="question">${this.#question()}</p>
      ${groups(address)}
      <button
        class="chip"
        type="button"
        aria-label=${isRefund ? t.confirmRefund({address}) : t.confirmRecipient({address})}
        aria-describedby="question"
        @click=${this.#confirm}
      >
        ${isRefund ? t.itIsMine : t.itIsRight}
      </button>`;
  }

  #question(): string {
    const {t, session, field, address} = this;
    if (field === 'refundAddress') return t.filledIn;
    const request = this.read(session.$request);
    const why = this.read(session.$problem)?.why;
    if (why === 'smart-account' && !isProblem(request)) {
      return t.recipientSmart({from: request.from.chain.title, to: request.to.chain.title});
    }
    if (why === 'contract') return t.recipientContract;
    const isGiven = this.read(session.$config)?.prefill[field]?.includes(address);
    return isGiven ? t.recipientGiven : t.recipientOther;
  }

  #confirm() {
    this.session.confirm(this.field);
    this.dispatchEvent(new Event('confirm'));
  }
}

register({
  'swap-widget-shares': Shares,
  'swap-widget-amount-note': AmountNote,
  'swap-widget-address-note': AddressNote,
  'swap-widget-address-question': AddressQuestion,
});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-shares': Shares;
    'swap-widget-amount-note': AmountNote;
    'swap-widget-address-note': AddressNote;
    'swap-widget-address-question': AddressQuestion;
  }
}
