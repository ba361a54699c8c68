/** Lets the browser handle pending work, such as a keystroke, and continues in a new task. */
export function pause(): Promise<void> {
  const {scheduler} = globalThis as {readonly scheduler?: {yield?(): Promise<void>}};
  if (scheduler?.yield) return scheduler.yield();
  return new Promise(resolve => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
