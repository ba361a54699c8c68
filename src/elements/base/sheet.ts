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
 * A sheet over the page: a popover that the device can close, in browsers that support it. A modal `<dialog>` needs no
 * help with that.
 */
export class Sheet implements ReactiveController {
  readonly #close: () => void;
  #watcher?: Watcher | undefined;

  constructor(host: ReactiveControllerHost, close: () => void) {
    this.#close = close;
    host.addController(this);
  }

  /** Shows or hides an element as the sheet. Returns whether it is up. */
  toggle(element: HTMLElement, wanted: boolean): boolean {
    element.popover = 'manual';
    const isUp = element.togglePopover(wanted);
    if (!isUp) this.hostDisconnected();
    else if (!this.#watcher) this.#watch();
    return isUp;
  }

  hostDisconnected() {
    this.#watcher?.destroy();
    this.#watcher = undefined;
  }

  #watch() {
    const {CloseWatcher} = window as {readonly CloseWatcher?: new () => Watcher};
    if (!CloseWatcher) return;
    this.#watcher = new CloseWatcher();
    this.#watcher.onclose = this.#close;
  }
}
