import {css, html, render, type PropertyValues} from 'lit';
import {state} from 'lit/decorators.js';
import {register} from './base/swap-element.js';
import {isOpen, type SwapView} from './base/swap-view.js';
import {LatePart} from './base/words.js';
import {sign} from './icons/icons.js';
import {signs} from './icons/signs.js';
import {isWalletAsked, Overlay} from './overlay.js';
import {PHONE} from './style/layout.js';
import {base, frame, view} from './style/styles.js';

/**
 * The widget as a button: it opens a native dialog with the whole widget in it. Closing the dialog stops nothing; the
 * button then shows the stage of the swap.
 *
 * @tag swap-widget-launch
 * @slot - The widget.
 * @slot launch - The label of the button.
 * @csspart launch - The button.
 * @csspart dialog - The dialog.
 */
export class Launch extends LatePart {
  static override styles = [
    view,
    base,
    frame,
    css`
      :host {
        container-type: normal;
        display: inline-block;
        max-inline-size: 100%;
      }
      .primary {
        flex-wrap: wrap;
        min-inline-size: calc(var(--_u) * 40);
      }
      .stage {
        font-weight: 400;
      }
      .stage::before {
        content: '· ' / '';
      }
      dialog {
        inline-size: min(var(--_width), 100vw - var(--_r) * 2);
        max-inline-size: none;
        max-block-size: calc(100dvb - var(--_r) * 2);
        margin: auto;
        padding: 0;
        border: 0;
        border-radius: var(--_radius);
        background: var(--_surface);
        color: inherit;
        overflow: auto;
        overscroll-behavior: contain;
        /* A backdrop that stays when the dialog moves behind a wallet's window. */
        box-shadow: 0 0 0 100vmax rgb(0 0 0 / 0.5);
        --_border: 0;
        --_shadow: none;
      }
      dialog::backdrop {
        background: none;
      }
      /* A live region after the last line would make the dialog scroll. */
      ::slotted([role='status']) {
        inset-block-end: 0 !important;
      }
      /* Below the windows that wallets open in the page. */
      dialog:not(:modal) {
        position: fixed;
        inset: 0;
        z-index: 80;
      }
      @media ${PHONE} {
        dialog {
          inline-size: 100vw;
          max-block-size: 100dvb;
          border-radius: 0;
          --_radius: 0;
        }
      }
      @media (forced-colors: active) {
        dialog {
          border: 1px solid CanvasText;
        }
      }
    `,
  ];

  @state() private isOpen = false;
  readonly #overlay = new Overlay(this, () => this.close());
  #close?: HTMLElement;

  open(): void {
    if (this.#overlay.dialog?.open) return;
    this.#setOpen(true);
    this.#overlay.show(true);
    this.#view?.focusHeading();
  }

  /** Closes it. Work in progress continues. */
  close(): void {
    this.#overlay.dialog?.close();
    this.#setOpen(false);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.close();
  }

  protected override readonly needsSession = false;

  override render() {
    const {t, sessionIfAny: session} = this;
    const stage = session ? this.read(session.$stage) : 'editing';
    const open = session ? this.read(session.$journal, ({entries}) => entries.filter(isOpen).length) : 0;
    const isUnderWay = isOpen({stage}) && stage !== 'editing' && stage !== 'reviewing';
    return html`<button
        class="primary"
        part="launch"
        type="button"
        aria-haspopup="dialog"
        aria-expanded=${this.isOpen ? 'true' : 'false'}
        @click=${this.open}
      >
        <slot name="launch"></slot>
        ${
          isUnderWay
            ? html`<span class="stage">${t.stages[stage]}</span>`
            : open
              ? html`<span class="stage">${t.yourSwapsOpen({open})}</span>`
              : ''
        }
      </button>
      <dialog part="dialog" aria-label=${t.swap}>
        <div class="room"><slot @slotchange=${this.#placeClose}></slot></div>
      </dialog>`;
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    const {sessionIfAny: session} = this;
    if (!session) return;
    const isAsked = isWalletAsked(this.read, session);
    if (this.#overlay.dialog?.open) this.#overlay.show(!isAsked);
  }

  #setOpen(isOpen: boolean) {
    if (isOpen === this.isOpen) return;
    this.isOpen = isOpen;
    this.toggleAttribute('open', isOpen);
    this.dispatchEvent(new Event('launch', {bubbles: true}));
  }

  get #view(): SwapView | undefined {
    const slot = this.renderRoot.querySelector<HTMLSlotElement>('.room slot');
    return slot?.assignedElements().find((element): element is SwapView => 'focusHeading' in element);
  }

  #makeClose() {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'ghost';
    button.slot = 'close';
    render(sign(signs.close), button);
    button.addEventListener('click', () => this.close());
    return button;
  }

  #placeClose() {
    this.#close ??= this.#makeClose();
    this.#close.ariaLabel = this.t.close;
    this.#view?.append(this.#close);
  }
}

// A server that renders the button has no registry.
if ('customElements' in globalThis) register({'swap-widget-launch': Launch});
