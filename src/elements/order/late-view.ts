import {css, html, type TemplateResult} from 'lit';
import {state} from 'lit/decorators.js';
import {enLater} from '../../locales/en-later.js';
import {withOverrides, type Messages} from '../../locales/en.js';
import type {SwapSession} from '../../session/session.js';
import {truncate, twoPlaces} from '../base/format.js';
import type {Look} from '../base/swap-element.js';
import {SwapView} from '../base/swap-view.js';

/** The signs of the late views. */
export const LATE = {
  close: 'M5 5l10 10M15 5 5 15',
  copy: 'M7.5 7.5v-2A1.5 1.5 0 0 1 9 4h5.5A1.5 1.5 0 0 1 16 5.5V11a1.5 1.5 0 0 1-1.5 1.5h-2M4 9a1.5 1.5 0 0 1 1.5-1.5H11A1.5 1.5 0 0 1 12.5 9v5.5A1.5 1.5 0 0 1 11 16H5.5A1.5 1.5 0 0 1 4 14.5z',
  gear: 'M4 6h7M15 6h1M4 14h1M9 14h7M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.5v4M10 6.7v.01',
  pause: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM8.3 7.5v5M11.7 7.5v5',
  pen: 'M4 16l.7-3L13 4.7l2.3 2.3L7 15.3z',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l3.5 3.5',
};

const words = new WeakMap<Look, Messages>();

/** All words of the widget: those it has had since the first load, and those of what is loaded later. */
export function allWords(look: Look): Messages {
  const known = words.get(look);
  if (known) return known;
  // What a page says in its own words is in the first ones already, as far as it is about those.
  const all = {...withOverrides(enLater, look.overrides), ...look.messages};
  words.set(look, all);
  return all;
}

/** What is said aloud: where the swap stands, and what went wrong. */
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

/** Basis points as percent: 30 is “0.30%”. */
export function percent(bps: number, t: Messages): string {
  return t.percent(twoPlaces(BigInt(bps)));
}

/** How what is loaded late looks, beside what is there from the start: lists of facts, hashes, words of good and bad news. */
export const late = css`
  .lines {
    margin-inline-start: calc(var(--_rail) + var(--_gap));
    font-size: var(--_t-s);
  }
  .lines > div {
    display: grid;
    grid-template-columns: minmax(min-content, 1fr) fit-content(70%);
    column-gap: calc(var(--_u) * 4);
    padding-block: var(--_u);
  }
  .lines dt {
    color: var(--_quiet);
  }
  .lines dd {
    text-align: end;
    overflow-wrap: anywhere;
  }
  .mono {
    font-family: var(--_mono);
    font-size: 0.9333em;
    font-variant-ligatures: none;
  }
  .groups {
    white-space: normal;
    line-height: calc(var(--_u) * 5);
    user-select: all;
  }
  .groups span {
    display: inline-block;
    inline-size: 4ch;
    margin-inline-end: 1ch;
    color: var(--_quiet);
  }
  .groups span:is(:first-child, :nth-last-child(2), :last-child) {
    color: var(--_ink);
    font-weight: 600;
  }
  .whole {
    white-space: nowrap;
  }
  .ok {
    color: var(--_good);
  }
  .no {
    color: var(--_bad);
  }
  .secondary {
    border: 1px solid color-mix(in oklab, var(--_ink) 20%, var(--_surface));
  }
  .secondary:hover {
    background: var(--_sunk);
  }
`;

/** The base of the views that are loaded when they are first needed. */
export abstract class LateView extends SwapView {
  static override styles = [...SwapView.styles, late];

  /** The label of what was copied last. */
  @state() protected copied = '';

  protected override get t(): Messages {
    return allWords(this.look);
  }

  /** Whether this browser still knows the orders of this page once it is closed. */
  protected get isKept(): boolean {
    const config = this.read(this.session.$config);
    return config !== undefined && config.journal && !config.forThisTab;
  }

  /** The language of times and dates. */
  protected get locale(): string {
    return localeOf(this);
  }

  /** A link that copies a text, and says so. */
  protected copyLink(label: string, text: () => string): TemplateResult {
    return html`<button class="link" type="button" @click=${() => this.copy(label, text())}>
      ${this.copied === label ? this.t.copied : label}
    </button>`;
  }

  /** A button that copies a text, and says so. */
  protected copyButton(label: string, text: () => string): TemplateResult {
    return html`<button class="secondary" part="secondary" type="button" @click=${() => this.copy(label, text())}>
      ${this.copied === label ? this.t.copied : label}
    </button>`;
  }

  /** Copies a text. Answers whether the page may. */
  protected async copy(label: string, text: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text);
      this.copied = label;
      return true;
    } catch {
      // The label stays as it is.
      return false;
    }
  }
}

/** An address or a hash in a sentence or a line. Assistive technology and the pointer get the whole of it. */
export function mono(text: string): TemplateResult {
  return html`<bdi class="mono" title=${text}>${truncate(text)}</bdi>`;
}

/** An address, whole, in groups of four with both ends set off, so that it can be compared. Copied by hand it has no gaps. */
export function groups(address: string): TemplateResult {
  return html`<bdi class="groups mono" translate="no"
    >${(address.match(/.{1,4}/gsu) ?? []).map(group => html`<span>${group}</span>`)}</bdi
  >`;
}

/** An amount to read, not to reckon with: eight figures are enough. */
export function short(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const room = Math.max(2, 8 - (whole === '0' ? 0 : whole.length));
  const leading = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const shown = fraction.slice(0, room + leading).replace(/0+$/, '');
  return shown ? `${whole}.${shown}` : whole;
}

/** The language an element is in: its own, or that of what it stands in, through shadow roots too, or the browser's. */
function localeOf(element: Element): string {
  for (let at: Element | undefined = element; at; at = parentOf(at)) {
    const locale = readLocale(at.getAttribute('lang'));
    if (locale) return locale;
  }
  return readLocale(navigator.language) ?? 'en';
}

/** A language tag that dates and numbers can be written in. Systems give browsers some that are none: `en-US@posix`. */
function readLocale(tag: string | null): string | undefined {
  try {
    return tag ? Intl.getCanonicalLocales(tag)[0] : undefined;
  } catch {
    return undefined;
  }
}

function parentOf(element: Element): Element | undefined {
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : undefined;
}

/** A span of time in words. */
export function duration(milliseconds: number, t: Messages): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return t.duration(Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60);
}

/** About how long a swap takes, as its quote says. */
export function about(seconds: number, t: Messages): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? t.aboutMinutes(minutes) : t.aboutHours(Math.round(minutes / 60));
}

/** The time of day. */
export function time(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, {timeStyle: 'short'}).format(at);
}

/** Date and time. */
export function dateTime(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, {dateStyle: 'medium', timeStyle: 'short'}).format(at);
}

/** Whether two times are of one day, where the person is. */
export function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** The time of day if it is of this day, the date otherwise. */
export function when(at: number, now: number, locale: string): string {
  return isSameDay(at, now)
    ? time(at, locale)
    : new Intl.DateTimeFormat(locale, {day: 'numeric', month: 'short'}).format(at);
}
