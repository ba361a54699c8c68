/** What the console says while some code runs, each message as a text. */
export async function listenToConsole(method: 'error' | 'warn', deed: (said: readonly string[]) => unknown) {
  const said: string[] = [];
  const original = console[method];
  console[method] = (...all: unknown[]) => void said.push(all.map(String).join(' '));
  try {
    await deed(said);
  } finally {
    console[method] = original;
  }
  return said;
}
