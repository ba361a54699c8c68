/** The sandbox's controls as a page uses them: what there is, coins, blocks, a solver that goes away. */
import * as v from 'valibot';
import type {AssetId, AssetSettings, ChainFamily, ChainSettings} from '../../src/domain/asset.js';

const AssetOfChain = v.object({
  symbol: v.string(),
  decimals: v.number(),
  token: v.optional(v.string()),
  contracts: v.array(v.string()),
});

const ofEveryChain = {
  rpc: v.string(),
  /** Null where blocks come on demand only. */
  blockSeconds: v.nullable(v.number()),
  height: v.number(),
  assets: v.record(v.string(), AssetOfChain),
};
const ChainOfSandbox = v.variant('family', [
  v.object({family: v.literal('evm'), chainId: v.number(), ...ofEveryChain}),
  /** `rpc`: its Esplora interface. */
  v.object({family: v.literal('bitcoin'), ...ofEveryChain}),
  /** `walletChain`: the cluster's name by the Wallet Standard. */
  v.object({family: v.literal('solana'), walletChain: v.string(), ...ofEveryChain}),
  v.object({
    family: v.literal('starknet'),
    chainId: v.string(),
    accountClass: v.string(),
    guardedAccountClass: v.string(),
    ...ofEveryChain,
  }),
]);

const SandboxState = v.object({
  appId: v.string(),
  faucets: v.array(v.string()),
  clock: v.object({speed: v.number()}),
  chains: v.record(v.string(), ChainOfSandbox),
});
export type SandboxState = v.InferOutput<typeof SandboxState>;
export type SandboxChain = v.InferOutput<typeof ChainOfSandbox>;
export type EvmSandboxChain = Extract<SandboxChain, {family: 'evm'}>;

export interface Sandbox {
  /** The origin where service and controls answer. */
  readonly origin: string;
  read(): Promise<SandboxState>;
  /** Gives coins, in the smallest unit of the asset. */
  give(asset: string, address: string, amount: bigint): Promise<void>;
  mine(chain: string, blocks: number): Promise<void>;
  /** Lets the solvers of one app id go away or come back. */
  setSolver(appId: string, answers: boolean): Promise<void>;
}

export function createSandbox(origin: string): Sandbox {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${origin}/sandbox${path}`, {
      method,
      ...(body === undefined ? {} : {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}),
    });
    if (!response.ok) throw new Error(`${method} /sandbox${path}: ${String(response.status)} ${await response.text()}`);
    return response.json();
  };
  return {
    origin,
    read: async () => v.parse(SandboxState, await ask('GET', '')),
    async give(asset, address, amount) {
      await ask('POST', '/faucet', {asset, address, amount: String(amount)});
    },
    async mine(chain, blocks) {
      await ask('POST', '/mine', {chain, blocks});
    },
    async setSolver(appId, answers) {
      if (answers) await ask('DELETE', '/faults', {appId});
      else await ask('POST', '/faults', {appId, solverGone: true});
    },
  };
}

/** The sandbox's EVM chain of that name. @throws Error where there is none. */
export function evmChain({chains}: Pick<SandboxState, 'chains'>, name: string): EvmSandboxChain {
  const chain = chains[name];
  if (chain?.family !== 'evm') throw new Error(`${name} is no EVM chain of the sandbox.`);
  return chain;
}

/** The sandbox's chains of the EVM family. */
export function evmChains({chains}: Pick<SandboxState, 'chains'>): [name: string, chain: EvmSandboxChain][] {
  return Object.entries(chains).flatMap(([name, chain]) =>
    chain.family === 'evm' ? [[name, chain] satisfies [string, EvmSandboxChain]] : [],
  );
}

/** The pace that chains of a family are made for here, where blocks come on demand and it is not that of all public ones. */
export const BLOCK_SECONDS: Partial<Record<ChainFamily, number>> = {evm: 12};

/** What a widget has to be told of the sandbox's chains: its nodes, tokens and contracts are not the public ones. */
export function settingsOf({chains}: SandboxState): {
  assets: AssetSettings[];
  chains: Record<string, ChainSettings>;
} {
  return {
    assets: Object.values(chains).flatMap(chain =>
      Object.entries(chain.assets).map(([id, {symbol, decimals, token, contracts}]) => ({
        id: id as AssetId,
        symbol,
        decimals,
        ...(token === undefined ? {} : {token}),
        contracts,
      })),
    ),
    chains: Object.fromEntries(
      Object.entries(chains).map(([name, {family, rpc, blockSeconds}]) => {
        const seconds = blockSeconds ?? BLOCK_SECONDS[family];
        // There is no explorer for a chain that only this machine has.
        return [name, {rpc, explorer: '', ...(seconds === undefined ? {} : {blockSeconds: seconds})}];
      }),
    ),
  };
}
