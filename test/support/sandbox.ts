/** The sandbox for tests, in a page or in Node: the shared one, or a separate one. */
import {SandboxClient} from '../sandbox/client.js';
import type {MinimalAddress, SandboxAddress, SandboxHost} from './sandbox-host.js';

export type OwnSandbox = SandboxClient & {close(): Promise<void>};

/** The sandboxes of this run: the process's in Node; a page gets them from the test runner. */
const host = (globalThis as {sandboxes?: SandboxHost}).sandboxes ?? (await hostOfRunner());
const shared = await host.shared();

/** The shared sandbox. Other tests use its chains too: mine on it, but do not count its blocks. */
export const sandbox = new SandboxClient(shared.url, shared.appId);

/** A service of the specification alone, on the shared sandbox's chains. */
export const minimalService = (kind: 'plain' | 'own'): Promise<MinimalAddress> => host.minimal(kind);

export async function startSandbox(): Promise<OwnSandbox> {
  const {url, appId} = await host.start();
  return Object.assign(new SandboxClient(url, appId), {close: () => host.close(url)});
}

async function hostOfRunner(): Promise<Omit<SandboxHost, 'closeAll'>> {
  const {executeServerCommand} = await import('@web/test-runner-commands');
  return {
    shared: () => executeServerCommand<SandboxAddress, undefined>('sandbox:shared'),
    minimal: kind => executeServerCommand<MinimalAddress, {kind: string}>('sandbox:minimal', {kind}),
    start: () => executeServerCommand<SandboxAddress, undefined>('sandbox:start'),
    async close(url) {
      await executeServerCommand('sandbox:close', {url});
    },
  };
}
