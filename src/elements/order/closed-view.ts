import {css, html} from 'lit';
import type {SwapError} from '../../domain/error.js';
import {register} from '../base/swap-element.js';
import {isOpen} from '../base/swap-view.js';
import {sign} from '../icons/icons.js';
import {signs} from '../icons/signs.js';
import {secondaryButton} from './order-parts.js';
import {OrderView} from './order-view.js';

/**
 * Shown if no swap can start: the settings are invalid, or new swaps are paused.
 *
 * @tag swap-widget-closed-view
 */
export class ClosedView extends OrderView {
  static override styles = [
    ...OrderView.styles,
    css`
      .frame {
        min-block-size: 0;
      }
      .end-state {
        flex: 1;
        display: flex;
        flex-direction: column;
        justify-content: center;
        gap: calc(var(--_u) * 2);
        padding-block: calc(var(--_u) * 6);
      }
      .big {
        margin-inline-start: calc(var(--_r) * -0.25);
        inline-size: calc(var(--_r) * 2);
        block-size: calc(var(--_r) * 2);
        margin-block-end: calc(var(--_u) * 2);
        color: var(--_quiet);
        stroke-width: 1.25;
      }
      h3 {
        font-size: calc(var(--_r) * 1.375);
        line-height: calc(var(--_u) * 7);
        font-weight: 600;
        letter-spacing: -0.015em;
        text-wrap: balance;
      }
      .end-state > p {
        color: var(--_quiet);
      }
      .end-state > .code {
        margin-block-start: calc(var(--_u) * 3);
        padding: calc(var(--_u) * 3) calc(var(--_u) * 3.5);
        border-radius: var(--_radius-control);
        background: var(--_sunk);
        color: var(--_ink);
        font: calc(var(--_r) * 0.8125) / calc(var(--_r) * 1.25) var(--_mono);
        overflow-wrap: anywhere;
      }
    `,
  ];

  override render() {
    const fault = this.read(this.session.$settings, 'fault');
    return fault ? this.#renderFault(fault) : this.#renderPaused();
  }

  #renderFault({code, field, detail, message}: SwapError) {
    const {t} = this;
    return this.frame({
      title: t.swap,
      body: html`<div class="end-state" role="alert">
        ${sign(signs.gear, 'big')}
        <h3>${t.notSetUp}</h3>
        <p>${t.notSetUpWhy}</p>
        <p class="code">${field ? html`<strong>${field}</strong>: ` : ''}${detail}</p>
      </div>`,
      foot: html`${this.copyButton('secondary', t.copyForSite, () => message)}
        <p class="foot-note"><span>${t.errorCode({code})}</span></p>`,
    });
  }

  #renderPaused() {
    const {session, t} = this;
    const open = this.read(session.$journal, ({entries}) => entries.filter(isOpen).length);
    return this.frame({
      title: t.swap,
      body: html`<div class="end-state">
        ${sign(signs.pause, 'big')}
        <h3>${t.paused}</h3>
        <p>${t.pausedWhy}</p>
      </div>`,
      foot: open
        ? html`${secondaryButton(t.seeYourSwaps({open}), () => session.openJournal())}
            <p class="foot-note"><span>${t.keptHere}</span></p>`
        : html`<p class="foot-note"><span>${t.nothingSigned}</span></p>`,
    });
  }
}

register({'swap-widget-closed-view': ClosedView});
