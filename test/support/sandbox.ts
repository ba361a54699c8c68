/** The sandbox for tests, in a page or in Node: the shared one, or a separate one. */
import type {MinimalAddress, SandboxAddress, SandboxHost} from './sandbox-host.js';

export interface TestSandbox extends SandboxAddress {
  /** The result of `GET /sandbox`: chains, contracts, tokens, health. */
  info(): Promise<SandboxInfo>;
  /** A new app id, so that orders and faults of tests are separate. */
  newAppId(): string;
  /** Sends coins of an asset, in its smallest unit; returns the transaction. */
  faucet(asset: string, address: string, amount: bigint): Promise<string>;
  mine(chain: string, blocks: number): Promise<number>;
  expire(orderId: string): Promise<void>;
  reorg(orderId: string): Promise<void>;
  /** Adds faults for one app id. `GET /sandbox/faults` lists all of them. */
  faults(appId: string, faults: Readonly<Record<string, unknown>>): Promise<void>;
  clearFaults(appId: string): Promise<void>;
}

export interface SandboxInfo {
  readonly appId: string;
  readonly chains: Readonly<Record<string, SandboxChain>>;
}

export interface SandboxChain {
  readonly family: string;
  readonly chainId: number;
  readonly rpc: string;
  /** The contract that EVM accounts can delegate their calls to. */
  readonly batchAccount?: string;
  readonly height: number;
  readonly assets: Readonly<Record<string, SandboxAsset>>;
}

export interface SandboxAsset {
  readonly symbol: string;
  readonly decimals: number;
  readonly token?: string;
  readonly contracts: readonly string[];
}

/** The sandboxes of this run: the process's in Node; a page gets them from the test runner. */
const host = (globalThis as {sandboxes?: SandboxHost}).sandboxes ?? (await hostOfRunner());

/** The shared sandbox. Other tests use its chains too: mine on it, but do not count its blocks. */
export const sandbox: TestSandbox = operate(await host.shared());

/** A service of the specification alone, on the shared sandbox's chains. */
export const minimalService = (kind: 'plain' | 'own'): Promise<MinimalAddress> => host.minimal(kind);

export async function startSandbox(): Promise<TestSandbox & {close(): Promise<void>}> {
  const address = await host.start();
  return {...operate(address), close: () => host.close(address.url)};
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

function operate({url, appId}: SandboxAddress): TestSandbox {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/sandbox${path}`, {
      method,
      ...(body === undefined ? {} : {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}),
    });
    if (!response.ok) throw new Error(`${method} /sandbox${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };

  return {
    url,
    appId,
    info: () => ask('GET', ''),
    newAppId: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(32)), byte => byte.toString(16).padStart(2, '0')).join(''),
    async faucet(asset, address, amount) {
      return (await ask<{tx_hash: string}>('POST', '/faucet', {asset, address, amount: String(amount)})).tx_hash;
    },
    async mine(chain, blocks) {
      return (await ask<{height: number}>('POST', '/mine', {chain, blocks})).height;
    },
    async expire(orderId) {
      await ask('POST', '/expire', {orderId});
    },
    async reorg(orderId) {
      await ask('POST', '/reorg', {orderId});
    },
    async faults(id, faults) {
      await ask('POST', '/faults', {appId: id, ...faults});
    },
    async clearFaults(id) {
      await ask('DELETE', '/faults', {appId: id});
    },
  };
}
