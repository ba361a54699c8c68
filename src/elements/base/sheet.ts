/** Whether what stands in front of the form is best a sheet: with a coarse pointer, in a window that is narrow or low. */
export function isSmallTouchScreen(): boolean {
  return matchMedia('(pointer: coarse) and ((max-width: 40rem) or (max-height: 30rem))').matches;
}

/** What hears a device's own way to close what is in front, as the back gesture of Android (HTML, close watchers). */
interface Watcher {
  onclose: (() => void) | null;
  destroy(): void;
}

/** Lets the device close a sheet, in browsers that tell. Returns what ends that. A modal `<dialog>` does so by itself. */
export function closeByDevice(close: () => void): () => void {
  const {CloseWatcher} = window as {readonly CloseWatcher?: new () => Watcher};
  if (!CloseWatcher) return () => undefined;
  const watcher = new CloseWatcher();
  watcher.onclose = close;
  return () => {
    watcher.destroy();
  };
}
