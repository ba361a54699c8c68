/** Lets the browser handle pending work, such as a keystroke, and continues in a new task. */
export function pause(): Promise<void> {
  const {scheduler} = globalThis as {readonly scheduler?: {yield?(): Promise<void>}};
  return scheduler?.yield?.() ?? new Promise(resolve => setTimeout(resolve));
}
