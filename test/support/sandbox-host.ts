import type {Kind} from '../../demo/minimal-service/legs.js';
import type {MinimalService} from '../../demo/minimal-service/service.js';
import type {Sandbox} from '../../demo/sandbox/sandbox.js';

export interface SandboxAddress {
  readonly url: string;
  readonly appId: string;
}

/** Where a minimal service is, and what a site sets that vouches for it. */
export type MinimalAddress = Pick<MinimalService, 'url' | 'contracts'>;

const MAX_CONCURRENT = 4;

export interface SandboxHost {
  /** The shared sandbox, started on first use. */
  shared(): Promise<SandboxAddress>;
  /** A service of the specification alone, on the chains of the shared sandbox; started on first use. */
  minimal(kind: Kind): Promise<MinimalAddress>;
  /** A separate sandbox for a test that moves clocks or counts blocks. */
  start(): Promise<SandboxAddress>;
  close(url: string): Promise<void>;
  closeAll(): Promise<void>;
}

export function createSandboxHost(): SandboxHost {
  const own = new Map<string, Sandbox>();
  const minimal = new Map<Kind, Promise<MinimalService>>();
  let shared: Promise<Sandbox> | undefined;
  let starting = 0;

  // Imported dynamically, so that tests without chains do not load it.
  const run = async (): Promise<Sandbox> => (await import('../../demo/sandbox/sandbox.js')).startSandbox();
  const address = ({url, appId}: Sandbox): SandboxAddress => ({url, appId});

  return {
    async shared() {
      shared ??= run();
      return address(await shared);
    },

    async minimal(kind) {
      shared ??= run();
      const {chains} = await shared;
      const {startMinimalService} = await import('../../demo/minimal-service/service.js');
      const service = minimal.get(kind) ?? startMinimalService(chains, kind);
      minimal.set(kind, service);
      const {url, contracts} = await service;
      return {url, contracts};
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
      // If it failed to start, the test that requested it has reported the error.
      const common = await shared?.catch(() => undefined);
      if (common) running.push(common);
      own.clear();
      shared = undefined;
      await Promise.all([...minimal.values()].map(async service => (await service).close()));
      minimal.clear();
      await Promise.all(running.map(sandbox => sandbox.close()));
    },
  };
}
