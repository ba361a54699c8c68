/** What a test is told of a sandbox: where it answers, and an app id it knows. */
export interface SandboxAddress {
  readonly url: string;
  readonly appId: string;
}

interface RunningSandbox extends SandboxAddress {
  close(): Promise<void>;
}

const MAX_CONCURRENT = 3;

/** Keeps the sandboxes of one test run: the one that all tests share, and those that a test has for itself. */
export interface SandboxHost {
  /** The sandbox of all, started when the first test asks. */
  shared(): Promise<SandboxAddress>;
  /** A sandbox for one test, which may stop chains or move their clocks. */
  start(): Promise<SandboxAddress>;
  close(url: string): Promise<void>;
  closeAll(): Promise<void>;
}

export function createSandboxHost(): SandboxHost {
  const own = new Map<string, RunningSandbox>();
  let shared: Promise<RunningSandbox> | undefined;
  let starting = 0;

  // Imported late, so that tests of one folder need no chain.
  const run = async (): Promise<RunningSandbox> => (await import('../../demo/sandbox/sandbox.js')).startSandbox();
  const address = ({url, appId}: RunningSandbox): SandboxAddress => ({url, appId});

  return {
    async shared() {
      shared ??= run();
      return address(await shared);
    },

    async start() {
      if (own.size + starting >= MAX_CONCURRENT)
        throw new Error(`No more than ${String(MAX_CONCURRENT)} sandboxes at once.`);
      starting++;
      try {
        const sandbox = await run();
        own.set(sandbox.url, sandbox);
        return address(sandbox);
      } finally {
        starting--;
      }
    },

    async close(url) {
      const sandbox = own.get(url);
      own.delete(url);
      await sandbox?.close();
    },

    async closeAll() {
      const running = [...own.values()];
      // Where it failed to start, the test that asked for it was told.
      const common = await shared?.catch(() => undefined);
      if (common) running.push(common);
      own.clear();
      shared = undefined;
      await Promise.all(running.map(sandbox => sandbox.close()));
    },
  };
}
