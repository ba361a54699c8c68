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

/** Lets the device close a sheet, in browsers that support it. Returns a function to stop. A modal `<dialog>` needs none. */
export function closeByDevice(close: () => void): () => void {
  const {CloseWatcher} = window as {readonly CloseWatcher?: new () => Watcher};
  if (!CloseWatcher) return () => undefined;
  const watcher = new CloseWatcher();
  watcher.onclose = close;
  return () => {
    watcher.destroy();
  };
}

/** The focused element below a root, through all shadow roots. */
export function deepActiveElement({activeElement}: DocumentOrShadowRoot): HTMLElement | undefined {
  let active = activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement ? active : undefined;
}
