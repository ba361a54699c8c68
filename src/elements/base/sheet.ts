import type {ReactiveController, ReactiveControllerHost} from 'lit';

/** Whether a media query matches. Simulated browsers, as in partners' tests, may not have any. */
export function isMedia(query: string): boolean {
  return !!(window as Partial<Window>).matchMedia?.(query).matches;
}

/** Whether overlays should be bottom sheets: with a coarse pointer, in a narrow or low window. */
export function isSmallTouchScreen(): boolean {
  return isMedia('(pointer: coarse) and ((max-width: 40rem) or (max-height: 30rem))');
}

/** Receives a device's own close request, such as Android's back gesture (HTML, close watchers). */
interface Watcher {
  onclose: (() => void) | null;
  destroy(): void;
}

/**
 * A sheet over the page: a popover that the device can close, in browsers that support it, and a click above it. A modal
 * `<dialog>` needs no help with that.
 */
export class Sheet implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #close: () => void;
  #element?: HTMLElement | undefined;
  #watcher?: Watcher | undefined;

  constructor(host: ReactiveControllerHost & HTMLElement, close: () => void) {
    this.#host = host;
    this.#close = close;
    host.addController(this);
  }

  /** Whether it is shown. */
  get isUp(): boolean {
    return this.#element !== undefined;
  }

  /** Shows or hides an element as the sheet. */
  toggle(element: HTMLElement, wanted: boolean): void {
    element.popover = 'manual';
    if (!element.togglePopover(wanted)) this.#leave();
    else if (!this.#element) this.#watch(element);
  }

  hostConnected() {
    this.#host.addEventListener('click', this.#closeAbove);
  }

  hostDisconnected() {
    this.#host.removeEventListener('click', this.#closeAbove);
    this.#leave();
  }

  #watch(element: HTMLElement) {
    this.#element = element;
    const {CloseWatcher} = window as {readonly CloseWatcher?: new () => Watcher};
    if (!CloseWatcher) return;
    this.#watcher = new CloseWatcher();
    this.#watcher.onclose = this.#close;
  }

  #leave() {
    this.#element = undefined;
    this.#watcher?.destroy();
    this.#watcher = undefined;
  }

  /** A click inside it may have moved it meanwhile; one by a key has no place. */
  readonly #closeAbove = (event: MouseEvent) => {
    const [target] = event.composedPath();
    const {clientY} = event;
    if (this.#element && target === this.#element && clientY > 0 && clientY < this.#element.getBoundingClientRect().top)
      this.#close();
  };
}

/** The focused element below a root, through all shadow roots. */
export function deepActiveElement(root: DocumentOrShadowRoot = document): HTMLElement | undefined {
  let active = root.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : undefined;
}
