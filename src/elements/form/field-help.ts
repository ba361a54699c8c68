/*
 * What helps to fill in the fields of the form: shares of what the account has, what is wrong with a text, and the
 * question whether an address is right. Loaded when there is something to say.
 */
import {css, html, type TemplateResult} from 'lit';
import {formatAmount} from '../../domain/amount.js';
import {isProblem, type AddressName, type ProblemCode} from '../../domain/draft.js';
import {valueOf} from '../../domain/remote.js';
import type {SwapSession} from '../../session/session.js';
import {icon} from '../icons/icons.js';
import {allWords, groups, short} from '../base/words.js';
import {facts} from '../style/facts.js';
import type {Look} from '../base/swap-element.js';

export const helpStyles = css`
  ${facts}
  /* They stand beside the label, over the amount, and take no room from it. */
  .label {
    grid-row: 1;
  }
  .extra {
    grid-area: 1 / 2 / auto / -1;
    justify-self: end;
  }
  .shares {
    display: inline-flex;
    gap: calc(var(--_u) * 3);
  }
  .wide {
    grid-column: 2 / -1;
  }
  .share {
    min-inline-size: 1.5rem;
    justify-content: center;
    color: var(--_quiet);
  }
  .question {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    column-gap: calc(var(--_u) * 3);
    align-items: end;
    padding-block-start: calc(var(--_u) * 2);
    font-size: var(--_t-s);
  }
  .question p {
    grid-column: 1 / -1;
    color: var(--_quiet);
  }
  @container (inline-size < 20rem) {
    .share {
      display: none;
    }
  }
`;

/** A quarter, a half, and all of what the account has, less what is kept back for the fee. The form reads the stores. */
export function renderShares(look: Look, session: SwapSession, share: (percent: number) => void): unknown {
  const t = allWords(look);
  const asset = session.$config.get()?.catalogue.find(session.$draft.get().from);
  const balance = valueOf(session.$balance.get());
  const reserve = session.$reserve.get();
  if (!asset || !balance) return '';
  const all = formatAmount(balance > reserve ? balance - reserve : 0n, asset.decimals);
  return html`<span class="shares"
    >${[25, 50].map(
      percent =>
        html`<button
          class="chip share"
          type="button"
          aria-label=${t.useShare(percent)}
          @click=${() => {
            share(percent);
          }}
        >
          ${t.share(percent)}
        </button>`,
    )}<button
      class="chip"
      type="button"
      aria-label=${t.useAll(all)}
      @click=${() => {
        share(100);
      }}
    >
      ${t.max} <bdi>${short(all)}</bdi>
    </button></span
  >`;
}

/** What is wrong with the amount; that there is not enough in the wallet is said, and keeps nobody from going on. */
export function amountNote(look: Look, session: SwapSession): string {
  const t = allWords(look);
  const {amount, from} = session.$draft.get();
  const request = session.$request.get();
  if (isProblem(request)) {
    const asset = session.$config.get()?.catalogue.find(from);
    if (request.code === 'too-many-decimals' && asset) return t.tooManyDecimals(asset.symbol, asset.decimals);
    if (request.code !== 'not-a-number') return '';
    return /^\d+,\d+$/.test(amount) ? t.isItEither(amount.replace(',', ''), amount.replace(',', '.')) : t.notANumber;
  }
  const {decimals, symbol} = request.from;
  const balance = valueOf(session.$balance.get());
  if (balance === undefined) return '';
  if (balance < request.amount) return t.youHave(formatAmount(balance, decimals), symbol);
  const reserve = session.$reserve.get();
  return balance < request.amount + reserve ? t.keepForFee(short(formatAmount(reserve, decimals)), symbol) : '';
}

/** What is kept back where all is paid but that, or what the service says it usually takes. */
export function renderHint(look: Look, session: SwapSession): unknown {
  const request = session.$request.get();
  const reserve = session.$reserve.get();
  const hint = (text: string) => text && html`<span class="value wide" id="kept">${text}</span>`;
  if (isProblem(request) || !reserve || valueOf(session.$balance.get()) !== request.amount + reserve) {
    return hint(usualAmounts(look, session));
  }
  const {decimals, symbol} = request.from;
  return hint(allWords(look).staysForFee(short(formatAmount(reserve, decimals)), symbol));
}

/** What the service's list says it takes of an asset, where there is no amount yet or one beside that. Never more than a hint. */
function usualAmounts(look: Look, session: SwapSession): string {
  const request = session.$request.get();
  const asset = session.$config.get()?.catalogue.find(session.$draft.get().from);
  const limits = asset && session.$limits.get()[asset.id.toLowerCase()];
  if (!limits) return '';
  const isWithin = !isProblem(request) && request.amount >= limits.min && request.amount <= limits.max;
  if (isWithin || (isProblem(request) && request.code !== 'enter-amount')) return '';
  const {decimals, symbol} = asset;
  return allWords(look).usually(formatAmount(limits.min, decimals), formatAmount(limits.max, decimals), symbol);
}

/** What is wrong with an address. */
export function renderAddressNote(look: Look, code: ProblemCode): TemplateResult {
  const t = allWords(look);
  return html`<span class="problem" id="note"
    >${icon('alert', 's')}<span>${code === 'a-contract' ? t.aContract : t.notAnAddress}</span></span
  >`;
}

/** Asks whether the address in a field is right, and shows it whole. */
export function renderQuestion(
  look: Look,
  session: SwapSession,
  {field, address}: {readonly field: AddressName; readonly address: string},
  confirm: (field: AddressName) => void,
): TemplateResult {
  const t = allWords(look);
  const isRefund = field === 'refundAddress';
  const why = session.$problem.get()?.why;
  const request = session.$request.get();
  const isGiven = session.$config.get()?.prefill[field]?.includes(address);
  return html`<div class="question">
    <p id="question">
      ${
        isRefund
          ? t.filledIn
          : why === 'smart-account' && !isProblem(request)
            ? t.recipientSmart(request.from.chain.title, request.to.chain.title)
            : why === 'contract'
              ? t.recipientContract
              : isGiven
                ? t.recipientGiven
                : t.recipientOther
      }
    </p>
    ${groups(address)}
    <button
      class="chip confirm"
      type="button"
      aria-label=${isRefund ? t.confirmRefund(address) : t.confirmRecipient(address)}
      aria-describedby="question"
      @click=${() => {
        confirm(field);
      }}
    >
      ${isRefund ? t.itIsMine : t.itIsRight}
    </button>
  </div>`;
}
