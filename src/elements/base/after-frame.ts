/** Does work once the latest changes are on the screen; on a hidden page, once it is visible again. */
export function afterFrame(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work));
}
