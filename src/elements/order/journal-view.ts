import {css, html} from 'lit';
import {state} from 'lit/decorators.js';
import {formatAmount} from '../../domain/amount.js';
import type {Asset} from '../../domain/asset.js';
import type {Stage} from '../../domain/stage.js';
import {money} from '../../locales/figures.js';
import type {Messages} from '../../locales/messages.js';
import type {JournalEntry} from '../../session/order/journal.js';
import {writeTable} from '../../session/order/tax-table.js';
import {list, section, tabs} from '../base/list.js';
import {register} from '../base/swap-element.js';
import {isOpen} from '../base/swap-view.js';
import {dayOf, when} from '../base/time.js';
import {amountText, pieces} from '../base/words.js';
import {assetMark, icon} from '../icons/icons.js';
import {saveFile} from './keep.js';
import {linkButton, secondaryButton} from './order-parts.js';
import {OrderView} from './order-view.js';
import {riskOf} from './telling.js';

const TABS = {
  all: {title: 'journalAll', has: () => true},
  open: {title: 'journalOpen', has: isOpen},
  done: {title: 'journalDone', has: ({stage}: JournalEntry) => stage === 'complete'},
  refunded: {title: 'journalRefunded', has: ({stage}: JournalEntry) => stage === 'refunded'},
} as const;
type Shown = keyof typeof TABS;

/** How many swaps are rendered when the list opens, more than twice what fits into it, and with each click after that; and from how many on they can be filtered by pair. */
const FIRST = 20;
const MORE = 50;

/**
 * The swaps of this browser, newest first.
 *
 * @tag swap-widget-journal-view
 */
export class JournalView extends OrderView {
  static override styles = [
    ...OrderView.styles,
    list,
    css`
      /* As tall as its entries, up to the height of every stage; never shorter than what it was opened from. */
      .list-frame {
        min-block-size: var(--_kept, 0px);
        max-block-size: max(var(--_height), var(--_kept, 0px));
      }
      .two-marks {
        display: flex;
        --_rail: calc(var(--_u) * 8);
      }
      .two-marks .mark:first-child .chain {
        inset-inline: calc(var(--_r) * -0.1875) auto;
      }
      .two-marks .mark + .mark {
        margin-inline-start: calc(var(--_r) * -0.5);
        box-shadow: 0 0 0 2px var(--_surface);
      }
      .two-marks .chain {
        inline-size: calc(var(--_r) * 0.875);
        block-size: calc(var(--_r) * 0.875);
        border-width: 1.5px;
      }
      .list li {
        position: relative;
      }
      .networks,
      .about {
        font-size: var(--_t-s);
        color: var(--_quiet);
      }
      .networks {
        display: block;
      }
      .about {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        column-gap: calc(var(--_u) * 2.5);
      }
      /* At the end of the last line, exactly as high. */
      .again {
        position: absolute;
        inset-block-end: calc(var(--_u) * 2);
        inset-inline-end: calc(var(--_u) * 2);
        min-block-size: calc(var(--_u) * 6);
      }
      /* For a thumb it is higher, around the same line. */
      @media (pointer: coarse) {
        .again {
          inset-block-end: calc(var(--_u) * 5 - var(--_tool) / 2);
        }
      }
      /* Where the button is, which is not a part of the line. */
      .room {
        visibility: hidden;
        margin-inline-start: auto;
        line-height: calc(var(--_u) * 6);
        font-weight: 500;
        white-space: nowrap;
      }
      .pairs {
        display: block;
        inline-size: 100%;
        min-block-size: var(--_tool);
        margin-block-start: var(--_u);
        padding-inline: calc(var(--_u) * 2);
        border: 1px solid var(--_line);
        border-radius: var(--_radius-control);
        background: var(--_surface);
        color: inherit;
        font: inherit;
        font-size: var(--_t-s);
        text-overflow: ellipsis;
      }
      .state::before {
        content: '';
        display: inline-block;
        inline-size: calc(var(--_r) * 0.4375);
        block-size: calc(var(--_r) * 0.4375);
        margin-inline-end: calc(var(--_u) * 1.5);
        vertical-align: 0.06em;
        border-radius: 50%;
        border: 1.5px solid var(--_quiet);
      }
      .live::before {
        border-color: var(--_ink);
        background: var(--_ink);
      }
      .good::before {
        border-color: var(--_good);
        background: var(--_good);
      }
      .item > :last-child {
        grid-column: 2 / -1;
      }
      /* The number first, as in a sentence. */
      .sum {
        direction: inherit;
      }
      /* Lines break beside the arrow, and inside a name only if it alone is longer than a line. */
      :is(strong, .networks) > bdi {
        display: inline-block;
      }
      .empty {
        padding-block: calc(var(--_u) * 6);
      }
    `,
  ];

  @state() private shown: Shown = 'all';
  /** The pair that is shown, by both ids; empty for all of them. */
  @state() private pair = '';
  @state() private most = FIRST;

  override render() {
    const {session, t} = this;
    const entries = this.read(session.$journal, 'entries');
    const removed = this.read(session.$journal, 'removed');
    const pairs = new Map(entries.map(swap => [pairOf(swap), swap]));
    const pair = pairs.has(this.pair) ? this.pair : '';
    const isShown = (swap: JournalEntry) => TABS[this.shown].has(swap) && (!pair || pairOf(swap) === pair);
    const open = entries.filter(entry => isShown(entry) && isOpen(entry));
    const ended = entries.filter(entry => isShown(entry) && !isOpen(entry));
    const count = open.length + ended.length;
    let room = this.most;
    const entriesOf = (title: string, swaps: readonly JournalEntry[]) => {
      const shown = swaps.slice(0, room);
      room -= shown.length;
      return section(
        title,
        shown.map(entry => this.#renderEntry(entry)),
      );
    };
    return this.frame({
      title: t.yourSwaps,
      back: true,
      list: false,
      scroll: true,
      body: html`${entries.length ? this.#renderTabs() : ''}
      ${pairs.size > 1 && entries.length >= FIRST ? this.#renderPairs(pairs, pair) : ''}
      ${entriesOf(t.journalOpen, open)} ${entriesOf(t.earlier, ended)}
      ${
        count > this.most
          ? secondaryButton(t.showMore({n: Math.min(MORE, count - this.most)}), () => (this.most += MORE))
          : ''
      }
      ${
        count
          ? ''
          : html`<div class="empty">
              <strong>${entries.length ? t.noSwapsHere : t.noSwaps}</strong>
              <p class="quiet">${t.noSwapsWhy}</p>
            </div>`
      }`,
      foot: html`<div class="foot-note">
        <span role="status">${removed ? t.swapsRemoved({n: removed}) : t.keptHere}</span>
        ${entries.length ? linkButton(t.exportTable, () => saveFile('swaps.csv', writeTable(entries), 'text/csv')) : ''}
      </div>`,
    });
  }

  #renderTabs() {
    const {t} = this;
    const titles = (Object.keys(TABS) as Shown[]).map(name => [name, t[TABS[name].title]] as const);
    return tabs(t.show, titles, this.shown, name => {
      this.shown = name;
      this.most = FIRST;
    });
  }

  #renderPairs(pairs: ReadonlyMap<string, JournalEntry>, shown: string) {
    const {t} = this;
    const name = ({symbol, chain}: Asset) => `${symbol} ${chain.title}`;
    return html`<select
      class="pairs"
      aria-label=${t.pair}
      @change=${({target}: Event) => {
        this.pair = (target as HTMLSelectElement).value;
        this.most = FIRST;
      }}
    >
      <option value="" .selected=${shown === ''}>${t.allPairs}</option>
      ${[...pairs].map(
        ([id, {agreed}]) =>
          html`<option value=${id} .selected=${id === shown}>
            ${t.pairOf({from: name(agreed.from), to: name(agreed.to)})}
          </option>`,
      )}
    </select>`;
  }

  /** Whether the swap can be repeated: both assets are currently offered, with the same decimals. */
  #canRepeat({agreed: {from, to}}: JournalEntry): boolean {
    const {paused, catalogue} = this.read(this.session.$settings, 'config') ?? {};
    return !paused && [from, to].every(asset => catalogue?.find(asset.id)?.decimals === asset.decimals);
  }

  /** Fills in the form with the same pair and amount; with its addresses, which can be reviewed there. */
  #repeat(swap: JournalEntry) {
    const {session} = this;
    const {from, to, amount} = swap.agreed;
    session.reset();
    session.edit({
      from: from.id,
      to: to.id,
      amount: formatAmount(amount, from.decimals),
      recipient: swap.agreed.recipient,
      ...(swap.deposit.how === 'transfer' && {refundAddress: swap.agreed.owner}),
    });
  }

  #renderRisk(entry: JournalEntry) {
    const isAsked = entry.unverified && UNPAID.includes(entry.stage);
    const [risk] = isAsked ? riskOf(entry, {locale: this.locale, t: this.t}) : [];
    return risk === undefined ? '' : html`<span class="problem">${icon('alert', 's')}<span>${risk}</span></span>`;
  }

  #renderEntry(entry: JournalEntry) {
    const {orderId, agreed, stage, placedAt, worth} = entry;
    const {from, to, amount, receive} = agreed;
    const {t} = this;
    const text = (value: bigint, asset: Asset) =>
      html`<bdi class="sum">${`${amountText(value, asset, this.locale)} ${asset.symbol}`}</bdi>`;
    const isTold = isEndTold(entry);
    const state = isOpen(entry) ? 'live' : stage === 'complete' && !isTold ? 'good' : '';
    const stated = statedAs(entry, t);
    const canRepeat = !isOpen(entry) && this.#canRepeat(entry);
    const [network, other] = [from.chain.title, to.chain.title];
    // One sentence for a screen reader, of which only the values are visible: they are in this order in all languages.
    const said = pieces(t.listed, {
      paid: text(amount, from),
      received: text(receive, to),
      network: html`<bdi>${network}</bdi>`,
      other: html`<bdi>${other}</bdi>`,
      state: html`<small class="state ${state}">${stated}</small>`,
      time: html`<span>${when(placedAt, this.timed(dayOf), this.locale)}</span>`,
    });
    const item = html`<button class="item" type="button" @click=${() => this.session.openOrder(orderId)}>
      <span class="two-marks">${assetMark(from)}${assetMark(to)}</span>
      <span
        >${this.#renderRisk(entry)}<strong
          >${heard(said[0])}${said[1]}${heard(said[2])} ${ARROW} ${said[3]}${heard(said[4])}</strong
        ><span class="networks"
          >${said[5]}${
            network === other ? heard([said[6], said[7]]) : html`${heard(said[6])} ${ARROW} ${said[7]}`
          }${heard(said[8])}</span
        ><span class="about"
          >${said[9]}${heard(said[10])}${said[11]}${heard(said[12])}${
            worth ? html`${heard(said[10])}<small class="worth"><bdi>${money(worth.paid, this.look)}</bdi></small>` : ''
          }${canRepeat ? html`<span class="room" aria-hidden="true">${t.repeat}</span>` : ''}</span
        ></span
      >
    </button>`;
    if (!canRepeat) return item;
    return html`<div class="can-repeat">
      ${item}<button
        class="chip again"
        type="button"
        aria-label=${t.repeatOf({
          symbol: from.symbol,
          other: to.symbol,
          amount: amountText(amount, from, this.locale),
        })}
        @click=${() => this.#repeat(entry)}
      >
        ${t.repeat}
      </button>
    </div>`;
  }
}

const UNPAID: readonly Stage[] = ['awaiting-deposit', 'expired', 'stopped'];

function statedAs(entry: JournalEntry, t: Messages): string {
  const {stage} = entry;
  if (isEndTold(entry)) return stage === 'complete' ? t.reportedReceived : t.reportedRefunded;
  return stage === 'stopped' && entry.canceled ? t.canceled : t.stages[stage];
}

const ARROW = html`<span class="arrow turns" aria-hidden="true">→</span>`;

function heard(words: unknown): unknown {
  return words ? html`<span class="hidden">${words}</span>` : '';
}

function pairOf({agreed: {from, to}}: JournalEntry): string {
  return `${from.id} ${to.id}`.toLowerCase();
}

function isEndTold({stage, paidOut, paidBack}: JournalEntry): boolean {
  return (stage === 'complete' && !paidOut) || (stage === 'refunded' && !paidBack);
}

register({'swap-widget-journal-view': JournalView});
