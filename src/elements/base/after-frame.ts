/** Does something once what has just changed is on the screen; on a page that nobody sees, once it is seen again. */
export function afterFrame(work: () => void): void {
  requestAnimationFrame(() => {
    setTimeout(work);
  });
}
