import {html, type TemplateResult} from 'lit';
import type {Wallet} from '../../chains/adapter.js';
import {formatAmount} from '../../domain/amount.js';
import type {Asset} from '../../domain/asset.js';
import type {SwapError} from '../../domain/error.js';
import {isProblem} from '../../domain/draft.js';
import {foreignText} from '../../domain/foreign.js';
import type {Cost} from '../../domain/quote.js';
import {decimal, money, percent} from '../../locales/figures.js';
import {
  withOverrides,
  type ErrorWords,
  type FirstMessages,
  type LateMessages,
  type Messages,
} from '../../locales/messages.js';
import type {FormState} from '../../session/types.js';
import {truncate} from '../../domain/truncate.js';
import {SwapElement, type Look} from './swap-element.js';

/** By the first ones, which all widgets of a language share, but for those with messages of their own. */
const words = new WeakMap<FirstMessages, Messages>();

export function allWords(look: Look): Messages {
  const known = look.late && words.get(look.messages);
  if (known) return known;
  const late = look.late?.() ?? ({} as LateMessages);
  const isReplaced = Object.keys(look.overrides).length > 0;
  // The first messages already contain the page's overrides. The others are in the prototype, not copied.
  const all = Object.setPrototypeOf(
    {...look.messages},
    isReplaced ? withOverrides(late, look.overrides) : late,
  ) as Messages;
  if (look.late) words.set(look.messages, all);
  return all;
}

/** The base of a late part: it is rendered once there are all messages and, if it needs one, a session. */
export abstract class LatePart extends SwapElement {
  protected get isReady(): boolean {
    return this.look.late !== undefined && (!this.needsSession || this.sessionIfAny !== undefined);
  }

  protected readonly needsSession: boolean = true;

  /** Whether it shows something before that: what its place held. */
  protected readonly keepsPlace: boolean = false;

  protected override shouldUpdate(): boolean {
    return this.keepsPlace || this.isReady;
  }

  protected override get t(): Messages {
    return allWords(this.look);
  }
}

/** While something in a view, or confirming it, may lose money, its button is less prominent. */
export function warnOfLoss(part: Element, isLoss: boolean): void {
  const frame = part.closest('.frame');
  part.toggleAttribute('loss', isLoss);
  // WebKit does not notice in `:has()` that an attribute changed.
  frame?.toggleAttribute('loss', !!frame.querySelector('[loss]'));
}

/** The messages for an error, by its field if that is more specific. */
export function errorWords({code, field}: SwapError, t: Messages, isConnecting = false): ErrorWords {
  const ofConnecting: Readonly<Record<string, ErrorWords>> = isConnecting ? t.connectErrors : {};
  const ofField: Readonly<Record<string, ErrorWords>> = t.fieldErrors;
  return ofConnecting[code] ?? ofField[`${code} ${String(field)}`] ?? t.errors[code];
}

/** No text contains these characters: they stand for a piece while the sentence is formatted. */
const FIRST_MARK = 0xfdd0;

/**
 * The pieces of a sentence, in the order of its language: `pieces(t.to, {address: mono(address)})`. Pieces with their
 * own markup are given as templates in place of texts.
 */
export function pieces<V extends object>(
  message: (values: V) => string,
  values: {readonly [K in keyof V]: V[K] | TemplateResult},
): readonly unknown[] {
  const templates: unknown[] = [];
  const marked = Object.entries(values).map(([name, value]) => {
    if (typeof value !== 'object') return [name, value] as const;
    templates.push(value);
    return [name, String.fromCharCode(FIRST_MARK + templates.length - 1)] as const;
  });
  return message(Object.fromEntries(marked) as V)
    .split(/([\ufdd0-\ufdef])/)
    .map((piece, index) => (index % 2 ? templates[piece.charCodeAt(0) - FIRST_MARK] : piece));
}

/**
 * Without empty ones. A full-width stop includes its space, as in Chinese and Japanese, so no other space follows it.
 */
export function sentences(...all: readonly unknown[]): readonly unknown[] {
  const said = all.filter(one => one !== '' && one !== undefined);
  const gapped = said.flatMap((one, index) => (index ? [gapAfter(said[index - 1]), one] : [one]));
  return gapped.every(one => typeof one === 'string') ? [gapped.join('')] : gapped;
}

/** Between two facts on one line; a screen reader makes no word of it. */
export const DOT = html` <span aria-hidden="true">·</span> `;

export function titled(title: unknown, ...rest: readonly unknown[]): readonly unknown[] {
  return [html`<strong>${title}</strong>`, gapAfter(title), ...sentences(...rest)];
}

export function sentencesText(...all: readonly string[]): string {
  return sentences(...all).join('');
}

function gapAfter(said: unknown): string {
  const end: unknown = Array.isArray(said) ? said.at(-1) : said;
  return typeof end === 'string' && /[。！？]$/.test(end) ? '' : ' ';
}

/** A part of a cost, from values of two places each: where it rounds to nothing, it is less than a hundredth. */
export function lossText(hundredths: bigint, look: Look): string {
  return hundredths ? money(hundredths, look) : `< ${money(1n, look)}`;
}

/** A cost, and its share of what is paid, which is not known where it rounds to nothing. */
export function costText({total, bps}: Pick<Cost, 'total' | 'bps'>, look: Look, t: Messages): string {
  const value = lossText(total, look);
  return total ? t.costAndShare({value, percent: percent(bps, look.locale)}) : value;
}

/** An amount for reading, not for calculating: so many digits are enough. It is rounded down. */
function short(amount: string, digits: number): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const room = Math.max(2, digits - (whole === '0' ? 0 : whole.length));
  const leading = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const shown = fraction.slice(0, room + leading).replace(/0+$/, '');
  return shown ? `${whole}.${shown}` : whole;
}

export function amountText(amount: bigint, {decimals}: Pick<Asset, 'decimals'>, locale: string): string {
  return decimal(formatAmount(amount, decimals), locale);
}

/** The same, for reading and not for calculating. */
export function shortAmount(amount: bigint, {decimals}: Pick<Asset, 'decimals'>, locale: string): string {
  return decimal(short(formatAmount(amount, decimals), 8), locale);
}

/** Never more than the offer brings, and six digits are enough. Hundreds have both places of a price. */
export function aboutAmount(amount: bigint, {decimals}: Pick<Asset, 'decimals'>, locale: string): string {
  return decimal(short(formatAmount(amount, decimals), 6).replace(/^\d{3,}\.\d$/, '$&0'), locale);
}

/** An estimate with two significant digits, rounded up. */
export function roughly(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, String(amount).length - 2));
  return ((amount + unit - 1n) / unit) * unit;
}

/** How much one whole unit of an asset buys, `rate`, in the other's smallest unit: “1 WBTC = 0.994013 WBTC”. */
export function rateText(rate: bigint, from: Asset, to: Asset, locale: string, t: Messages): string {
  return t.rate({from: from.symbol, amount: shortAmount(rate, to, locale), to: to.symbol});
}

export function againstSite(bps: number, locale: string, t: Messages): string {
  const share = {percent: percent(Math.abs(bps), locale)};
  return bps < 0 ? t.getLess(share) : bps > 0 ? t.getMore(share) : t.sameAsSite;
}

/** A shortened address or hash. Its full text is in the tooltip. */
export function mono(text: string): TemplateResult {
  return html`<bdi class="mono" title=${text}>${truncate(text)}</bdi>`;
}

/** The same for an address or a name from the service (`foreignText`). Its full text is nowhere. */
export function foreignMono(text: string): TemplateResult {
  return html`<bdi class="mono">${truncate(foreignText(text), 8, 6)}</bdi>`;
}

export function walletName(account: {readonly wallet: Pick<Wallet, 'name'>} | undefined, t: Messages): string {
  const name = foreignText(account?.wallet.name ?? '');
  return name.replace('…', '') ? name : t.yourWallet;
}

/**
 * A whole address in groups of four, or with the differences from one that it may be confused with. Copied by hand it
 * has no gaps. A screen reader reads it in one piece.
 */
export function groups(address: string, like?: string): TemplateResult {
  const split = (text: string) => text.match(/.{1,4}/gsu) ?? [];
  const others = like === undefined ? undefined : split(like.toLowerCase());
  const kind = (group: string, at: number) => (others && others[at] !== group.toLowerCase() ? 'differs' : '');
  const all = split(address).map((group, at) => html`<span class=${kind(group, at)}>${group}</span>`);
  return html`<bdi class="hidden">${address}</bdi
    ><bdi class="groups mono ${others ? 'apart' : ''}" data-columns=${columnsFor(all.length)} aria-hidden="true"
      >${all}</bdi
    >`;
}

/** In how many columns the rows of an address are the most even; rather in more of them. */
function columnsFor(groups: number): number {
  const missing = (columns: number) => (columns - (groups % columns)) % columns;
  return [6, 5, 4].reduce((best, columns) => (missing(columns) < missing(best) ? columns : best));
}

export function lookalikeText(address: string, used: string, t: Messages, use: () => unknown): TemplateResult {
  return html`${t.lookalikeWhy} <br />${groups(used, address)}
    <button class="use" type="button" @click=${use}>${t.useUsed}</button>`;
}

/** That a pair has no route, and which other has. Networks tell apart what has the same symbol. */
export function routeWords(
  problem: FormState['problem'],
  {from, to}: Partial<Record<'from' | 'to', Asset | undefined>>,
  t: Messages,
): readonly [string, string] | undefined {
  if (problem?.code !== 'no-route' || !from || !to) return undefined;
  const {instead} = problem;
  const all = [from, to, ...(instead ? [instead.from, instead.to] : [])];
  const name = ({id, symbol, chain}: Asset) =>
    all.some(one => one.symbol === symbol && one.id !== id) ? `${symbol} (${chain.title})` : symbol;
  const other = instead && t.isOffered({from: name(instead.from), to: name(instead.to)});
  return [t.notOfferedPair({from: name(from), to: name(to)}), other ?? ''];
}

/** The amount to pay now for the requested minimum, if it rose since the review; otherwise nothing. */
export function raisedText({raised, request}: FormState, locale: string, t: Messages): string {
  if (!raised || isProblem(request) || request.atLeast === undefined) return '';
  const {from, to, atLeast} = request;
  const text = (amount: bigint) => amountText(amount, from, locale);
  return t.priceRaised({
    amount: amountText(atLeast, to, locale),
    to: to.symbol,
    now: text(raised.now),
    before: text(raised.before),
    symbol: from.symbol,
  });
}
