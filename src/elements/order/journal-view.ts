import {css, html} from 'lit';
import {state} from 'lit/decorators.js';
import {formatAmount} from '../../domain/amount.js';
import type {JournalEntry} from '../../session/order/journal.js';
import {list, section, tabs} from '../base/list.js';
import {register} from '../base/swap-element.js';
import {isOpen} from '../base/swap-view.js';
import {when} from '../base/time.js';
import {assetMark} from '../icons/icons.js';
import {OrderView} from './order-view.js';

const SHOWN = ['all', 'open', 'done', 'refunded'] as const;
type Shown = (typeof SHOWN)[number];

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
      .two-marks {
        display: flex;
        --_rail: calc(var(--_u) * 8);
      }
      .two-marks .mark + .mark {
        margin-inline-start: -0.625rem;
        box-shadow: 0 0 0 2px var(--_surface);
      }
      .two-marks .chain {
        display: none;
      }
      .state::before {
        content: '';
        display: inline-block;
        inline-size: 0.4375rem;
        block-size: 0.4375rem;
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
      .item strong bdi {
        white-space: nowrap;
      }
      .arrow {
        display: inline-block;
      }
      @container (inline-size < 20rem) {
        .item strong bdi {
          white-space: normal;
        }
      }
      .empty {
        padding-block: calc(var(--_u) * 6);
      }
    `,
  ];

  @state() private shown: Shown = 'all';

  override render() {
    const {session, t} = this;
    const entries = this.read(session.$journal);
    const removed = this.read(session.$removed);
    const shown = entries.filter(entry => this.#isShown(entry));
    return this.frame({
      title: t.yourSwaps,
      back: true,
      list: false,
      scroll: true,
      body: html`${entries.length ? this.#renderTabs() : ''} ${this.#renderEntries(t.journalOpen, shown.filter(isOpen))}
      ${this.#renderEntries(
        t.earlier,
        shown.filter(entry => !isOpen(entry)),
      )}
      ${
        shown.length
          ? ''
          : html`<div class="empty">
              <strong>${entries.length ? t.noSwapsHere : t.noSwaps}</strong>
              <p class="quiet">${t.noSwapsWhy}</p>
            </div>`
      }`,
      foot: html`<p class="foot-note"><span>${removed ? t.swapsRemoved(removed) : t.keptHere}</span></p>`,
    });
  }

  #isShown(entry: JournalEntry): boolean {
    switch (this.shown) {
      case 'all':
        return true;
      case 'open':
        return isOpen(entry);
      case 'done':
        return entry.stage === 'complete';
      case 'refunded':
        return entry.stage === 'refunded';
    }
  }

  #renderTabs() {
    const {t} = this;
    const titles = {all: t.journalAll, open: t.journalOpen, done: t.journalDone, refunded: t.journalRefunded};
    return tabs(
      t.show,
      SHOWN.map(name => [name, titles[name]]),
      this.shown,
      name => {
        this.shown = name;
      },
    );
  }

  #renderEntries(title: string, entries: readonly JournalEntry[]) {
    return section(
      title,
      entries.map(entry => this.#renderEntry(entry)),
    );
  }

  #renderEntry(entry: JournalEntry) {
    const {orderId, agreed, stage, placedAt} = entry;
    const {from, to, amount, receive} = agreed;
    const state = isOpen(entry) ? 'live' : stage === 'complete' ? 'good' : '';
    return html`<button
      class="item"
      type="button"
      @click=${() => {
        this.session.openOrder(orderId);
      }}
    >
      <span class="two-marks">${assetMark(from)}${assetMark(to)}</span>
      <span
        ><strong
          ><bdi>${formatAmount(amount, from.decimals)} ${from.symbol}</bdi> <span class="arrow turns">→</span>
          <bdi>${formatAmount(receive, to.decimals)} ${to.symbol}</bdi></strong
        ><small class="state ${state}">${this.t.stages[stage]}</small></span
      >
      <span class="end">${when(placedAt, this.read(this.session.$now), this.locale)}</span>
    </button>`;
  }
}

register({'swap-widget-journal-view': JournalView});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-journal-view': JournalView;
  }
}
