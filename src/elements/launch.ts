import {css, html, render, type PropertyValues} from 'lit';
import {atom} from 'nanostores';
import {valueOf} from '../domain/remote.js';
import {deepActiveElement} from './base/sheet.js';
import {register} from './base/swap-element.js';
import {isOpen, type SwapView} from './base/swap-view.js';
import {LatePart} from './base/words.js';
import {sign} from './icons/icons.js';
import {signs} from './icons/signs.js';
import {base, frame, view} from './style/styles.js';

/** Prevents the page from scrolling behind the dialog. One style sheet for all widgets, there while one is open. */
const still = css`
  html {
    overflow: hidden;
    scrollbar-gutter: stable;
  }
`;

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
      /* Below the windows that wallets open in the page. */
      dialog:not(:modal) {
        position: fixed;
        inset: 0;
        z-index: 80;
      }
      @media (max-width: 30rem) {
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

  readonly #$isOpen = atom(false);
  #close?: HTMLElement;
  /** Whether a press began beside the dialog, and not in it. */
  #pressedBeside = false;

  /** Opens the dialog, with the focus at its heading. */
  open(): void {
    const dialog = this.#dialog;
    if (!dialog || dialog.open) return;
    this.#setOpen(true);
    dialog.showModal();
    if (still.styleSheet) document.adoptedStyleSheets.push(still.styleSheet);
    this.#view?.focusHeading();
  }

  /** Closes it. Work in progress continues. */
  close(): void {
    this.#dialog?.close();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#closed();
  }

  override render() {
    const {t} = this;
    const isShown = this.read(this.#$isOpen);
    const {sessionIfAny: session} = this;
    const stage = session ? this.read(session.$stage) : 'editing';
    const open = session ? this.read(session.$journal, ({entries}) => entries.filter(isOpen).length) : 0;
    const isUnderWay = isOpen({stage}) && stage !== 'editing' && stage !== 'reviewing';
    return html`<button
        class="primary"
        part="launch"
        type="button"
        aria-haspopup="dialog"
        aria-expanded=${isShown ? 'true' : 'false'}
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
      <dialog
        part="dialog"
        aria-label=${t.swap}
        @close=${this.#onClose}
        @keydown=${this.#onKey}
        @pointerdown=${this.#onPointer}
        @click=${this.#onClick}
      >
        <div class="room"><slot @slotchange=${this.#placeClose}></slot></div>
      </dialog>`;
  }

  protected override updated(changed: PropertyValues) {
    super.updated(changed);
    const {sessionIfAny: session} = this;
    if (!session) return;
    const isAsked =
      this.read(session.$wallets, 'connecting').state === 'pending' ||
      this.read(session.$order, order => valueOf(order)?.funding.asking) !== undefined;
    if (this.#dialog?.open) this.#giveWay(isAsked);
  }

  /** Tells the widget whether it is visible. */
  #setOpen(isOpen: boolean) {
    this.#$isOpen.set(isOpen);
    this.toggleAttribute('open', isOpen);
    this.dispatchEvent(new Event('launch', {bubbles: true}));
  }

  get #dialog() {
    return this.renderRoot.querySelector('dialog');
  }

  get #view(): SwapView | undefined {
    const slot = this.renderRoot.querySelector<HTMLSlotElement>('.room slot');
    return slot?.assignedElements().find((element): element is SwapView => 'focusHeading' in element);
  }

  /**
   * A modal dialog blocks everything else on the page, including a window of a wallet or WalletConnect. While a wallet
   * prompts, the dialog is not modal.
   */
  #giveWay(isAsked: boolean) {
    const dialog = this.#dialog;
    if (!dialog || dialog.matches(':modal') !== isAsked) return;
    const focused = deepActiveElement();
    dialog.close();
    if (isAsked) dialog.show();
    else dialog.showModal();
    focused?.focus();
  }

  /** The close button of the dialog, in the header of each view. */
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

  #onClose() {
    // It may be open again by now: the event fires late.
    if (!this.#dialog?.open) this.#closed();
  }

  #closed() {
    this.#setOpen(false);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(sheet => sheet !== still.styleSheet);
  }

  /** While it is not modal, the browser does not close it. */
  #onKey(event: KeyboardEvent) {
    if (event.key === 'Escape' && !event.defaultPrevented && !this.#dialog?.matches(':modal')) this.close();
  }

  #onPointer(event: PointerEvent) {
    this.#pressedBeside = this.#isBeside(event);
  }

  #onClick(event: PointerEvent) {
    if (this.#pressedBeside && this.#isBeside(event)) this.close();
    this.#pressedBeside = false;
  }

  #isBeside({target, clientX, clientY}: PointerEvent): boolean {
    const dialog = this.#dialog;
    if (!dialog || target !== dialog) return false;
    const {left, right, top, bottom} = dialog.getBoundingClientRect();
    return clientX < left || clientX > right || clientY < top || clientY > bottom;
  }
}

// A server that renders the button has no registry.
if ('customElements' in globalThis) register({'swap-widget-launch': Launch});
