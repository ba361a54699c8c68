/** Does work when the browser is idle, or a little later in Safari, which has no idle callbacks. */
export function whenIdle(work: () => void): void {
  const page: {requestIdleCallback?(work: () => void, options: IdleRequestOptions): unknown} = window;
  if (page.requestIdleCallback) page.requestIdleCallback(work, {timeout: 500});
  else setTimeout(work, 100);
}
