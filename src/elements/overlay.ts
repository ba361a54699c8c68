import {css, html, type ReactiveController, type ReactiveElement} from 'lit';
import {valueOf} from '../domain/remote.js';
import type {SwapSession} from '../session/session.js';
import type {Read} from './base/swap-element.js';

/** Prevents the page from scrolling behind a dialog, and keeps its scrollbar's place. One sheet each for all widgets. */
const still = css`
  html {
    overflow: hidden;
  }
`;
const gutter = css`
  html {
    scrollbar-gutter: stable;
  }
`;

/** A dialog in front of the page as a sheet from below, wherever the widget is scrolled to. */
export const sheet = css`
  dialog:modal {
    position: fixed;
    inset: auto 0 0;
    inline-size: auto;
    max-inline-size: none;
    margin: 0;
    padding: 0;
    border: 0;
    overflow: clip;
    border-radius: var(--_radius) var(--_radius) 0 0;
    background: var(--_surface);
    color: inherit;
    animation: rise var(--_calm) var(--_ease);
  }
  dialog:not(:modal) > [role='status'] {
    display: none;
  }
`;

/** The live region of a sheet, at the end of its dialog. */
export const echo = html`<p class="hidden" role="status"><swap-widget-echo></swap-widget-echo></p>`;

/** Whether a wallet prompts, to be connected or to pay: its window may be in the page, so what is modal gives way. */
export function isWalletAsked(read: Read, {$wallets, $order}: SwapSession): boolean {
  const asking = read($order, order => valueOf(order)?.funding.asking);
  return read($wallets, 'connecting').state === 'pending' || asking !== undefined;
}

/**
 * The one `<dialog>` of an element. In front of the page it is modal: all else is inert and does not scroll, and Escape,
 * a press beside it and the device's own gesture (Android's back) leave it. While a wallet prompts it is not, because the
 * wallet's window may be in the page. Its focus stays through both; at first it is at its heading.
 */
export class Overlay implements ReactiveController {
  readonly #host: ReactiveElement;
  readonly #leave: () => void;
  #still: CSSStyleSheet[] = [];
  #pressedBeside = false;

  constructor(host: ReactiveElement, leave: () => void) {
    this.#host = host;
    this.#leave = leave;
    host.addController(this);
  }

  get dialog(): HTMLDialogElement | null {
    return this.#host.renderRoot.querySelector('dialog');
  }

  show(isModal: boolean): void {
    const {dialog} = this;
    if (!dialog || (dialog.open && dialog.matches(':modal') === isModal)) return;
    const focused = deepActiveElement();
    dialog.close();
    if (isModal) dialog.showModal();
    else dialog.show();
    focused?.focus();
    if (deepActiveElement() !== focused) dialog.querySelector('h2')?.focus();
    dialog.onclose = () => {
      // It may be open again by now: the event fires late.
      if (dialog.open || !dialog.isConnected) return;
      this.#keepStill(false);
      this.#leave();
    };
    dialog.onpointerdown = event => (this.#pressedBeside = isBeside(dialog, event));
    dialog.onclick = event => {
      if (this.#pressedBeside && isBeside(dialog, event)) this.#leave();
    };
    this.#keepStill(isModal);
  }

  hostConnected() {
    this.#host.addEventListener('keydown', this.leaveOnEscape);
  }

  hostDisconnected() {
    this.#host.removeEventListener('keydown', this.leaveOnEscape);
    this.#keepStill(false);
  }

  /** Escape leaves this dialog alone, not one around it. */
  readonly leaveOnEscape = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Escape' || event.defaultPrevented) return;
    if (!this.dialog?.open) return;
    event.preventDefault();
    event.stopPropagation();
    this.#leave();
  };

  #keepStill(isStill: boolean) {
    if (isStill === this.#still.length > 0) return;
    const {adoptedStyleSheets: sheets} = document;
    for (const sheet of this.#still.splice(0)) sheets.splice(sheets.lastIndexOf(sheet), 1);
    if (!isStill) return;
    const hasScrollbar = innerWidth > document.documentElement.clientWidth;
    this.#still = (hasScrollbar ? [still, gutter] : [still]).flatMap(({styleSheet}) => styleSheet ?? []);
    sheets.push(...this.#still);
  }
}

/** Whether an event of the mouse or a finger is outside of a modal dialog, whose backdrop is a part of it. */
function isBeside(dialog: HTMLDialogElement, {target, clientX, clientY}: MouseEvent): boolean {
  const {left, right, top, bottom} = dialog.getBoundingClientRect();
  return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
}

/** The focused element below a root, through all shadow roots. */
export function deepActiveElement(root: DocumentOrShadowRoot = document): HTMLElement | undefined {
  let active = root.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : undefined;
}
