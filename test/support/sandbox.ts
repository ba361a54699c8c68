/** The sandbox as browser tests use it: the one that all share, or one of their own. */
import {executeServerCommand} from '@web/test-runner-commands';
import type {SandboxAddress} from './sandbox-host.js';

export interface TestSandbox extends SandboxAddress {
  /** What `GET /sandbox` tells: chains, contracts, tokens, health. */
  info(): Promise<SandboxInfo>;
  /** An app id that no other test has, so that orders and faults stay apart. */
  newAppId(): string;
  /** Gives coins of an asset, in its smallest unit, and answers the transaction. */
  faucet(asset: string, address: string, amount: bigint): Promise<string>;
  /** Mines blocks and answers the chain's new height. */
  mine(chain: string, blocks: number): Promise<number>;
  /** Mines just as far as an order's deposit needs to be refundable. */
  expire(orderId: string): Promise<void>;
  /** Takes an order's deposit off its chain. */
  reorg(orderId: string): Promise<void>;
  /** Sets faults for one app id, beside those already set. `GET /sandbox/faults` lists what there is. */
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
  readonly height: number;
  readonly assets: Readonly<Record<string, SandboxAsset>>;
}

export interface SandboxAsset {
  readonly symbol: string;
  readonly decimals: number;
  readonly token?: string;
  readonly contracts: readonly string[];
}

/** The sandbox that all tests share. Its chains are everybody's: mine on it, but do not count its blocks. */
export const sandbox: TestSandbox = operate(await executeServerCommand<SandboxAddress, undefined>('sandbox:shared'));

/** Starts a sandbox for one test, which may do with its chains what it likes and closes it in the end. */
export async function startSandbox(): Promise<TestSandbox & {close(): Promise<void>}> {
  const address = await executeServerCommand<SandboxAddress, undefined>('sandbox:start');
  return {
    ...operate(address),
    async close() {
      await executeServerCommand('sandbox:close', {url: address.url});
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
