/** A client for the sandbox's controls: its state, the faucet, mining, and switching the solver off. */
import * as v from 'valibot';
import type {AssetId, AssetSettings, ChainFamily, ChainSettings} from '../../src/domain/asset.js';

export const TITLES: Readonly<Record<string, string>> = {
  bitcoin_testnet: 'Bitcoin Testnet',
  base_sepolia: 'Base Sepolia',
  ethereum_sepolia: 'Ethereum Sepolia',
  solana_testnet: 'Solana Devnet',
  starknet_sepolia: 'Starknet Sepolia',
};

const AssetOfChain = v.object({
  symbol: v.string(),
  decimals: v.number(),
  token: v.optional(v.string()),
  contracts: v.array(v.string()),
});

const ofEveryChain = {
  rpc: v.string(),
  /** Null if blocks are only mined on demand. */
  blockSeconds: v.nullable(v.number()),
  height: v.number(),
  assets: v.record(v.string(), AssetOfChain),
  /** Whether its node does not answer; `height` is then the last one that was read. */
  down: v.optional(v.boolean()),
};
const ChainOfSandbox = v.variant('family', [
  /** `batchAccount` is the contract that accounts may hand their calls on to (EIP-7702). */
  v.object({family: v.literal('evm'), chainId: v.number(), batchAccount: v.string(), ...ofEveryChain}),
  /** `rpc` is its Esplora API. */
  v.object({family: v.literal('bitcoin'), ...ofEveryChain}),
  /** `walletChain` is the cluster's name in the Wallet Standard. */
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
  /** `weekEnds`: when weeks ended and were paid out, in milliseconds since 1970. */
  clock: v.object({speed: v.number(), weekEnds: v.array(v.number())}),
  chains: v.record(v.string(), ChainOfSandbox),
});
const FaultTable = v.record(
  v.string(),
  v.object({
    says: v.string(),
    on: v.array(v.string()),
    options: v.record(
      v.string(),
      v.object({
        type: v.picklist(['number', 'string', 'array', 'picklist']),
        choices: v.optional(v.array(v.union([v.string(), v.number()]))),
        standard: v.optional(v.unknown()),
      }),
    ),
  }),
);
/** All faults the sandbox knows, each with what it does and its options. */
export type FaultTable = v.InferOutput<typeof FaultTable>;

const ActiveFaults = v.record(v.string(), v.record(v.string(), v.unknown()));

export type SandboxState = v.InferOutput<typeof SandboxState>;
export type SandboxChain = v.InferOutput<typeof ChainOfSandbox>;
export type EvmSandboxChain = Extract<SandboxChain, {family: 'evm'}>;

export interface Sandbox {
  /** The origin that serves both the service and the controls. */
  readonly origin: string;
  read(): Promise<SandboxState>;
  /** Sends coins from the faucet; the amount is in the asset's smallest unit. */
  give(asset: string, address: string, amount: bigint): Promise<void>;
  mine(chain: string, blocks: number): Promise<void>;
  /** Ends the week: what swaps earned in it is paid out. */
  endWeek(): Promise<void>;
  readFaults(): Promise<FaultTable>;
  readActiveFaults(appId: string): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>;
  /** Has these faults for one app id, each `true` or its options, and no others. */
  setFaults(appId: string, faults: Readonly<Record<string, unknown>>): Promise<void>;
}

export function createSandbox(origin: string): Sandbox {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${origin}/sandbox${path}`, {
      method,
      ...(body === undefined ? {} : {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}),
    });
    if (!response.ok) throw new Error(`${method} /sandbox${path}: ${String(response.status)} ${await response.text()}`);
    return response.json();
  };
  return {
    origin,
    read: async () => v.parse(SandboxState, await call('GET', '')),
    async give(asset, address, amount) {
      await call('POST', '/faucet', {asset, address, amount: String(amount)});
    },
    async mine(chain, blocks) {
      await call('POST', '/mine', {chain, blocks});
    },
    async endWeek() {
      await call('POST', '/payout', {});
    },
    readFaults: async () => v.parse(FaultTable, await call('GET', '/faults')),
    readActiveFaults: async appId => v.parse(ActiveFaults, await call('GET', `/faults/${appId}`)),
    async setFaults(appId, faults) {
      await call('DELETE', '/faults', {appId});
      await call('POST', '/faults', {appId, ...faults});
    },
  };
}

/** Which chains cannot be reached and what to do, as a sentence; empty if all of them answer. */
export function tellDown({chains}: Pick<SandboxState, 'chains'>): string {
  const down = Object.entries(chains).flatMap(([name, chain]) => (chain.down ? [TITLES[name] ?? name] : []));
  if (!down.length) return '';
  const [node, answers] = down.length > 1 ? ['their nodes do', 'them'] : ['its node does', 'it'];
  return (
    `${new Intl.ListFormat('en').format(down)} cannot be reached: ${node} not answer. ` +
    `To have ${answers} back, stop the sandbox in its terminal and run “npm start” again.`
  );
}

export function evmChains({chains}: Pick<SandboxState, 'chains'>): [name: string, chain: EvmSandboxChain][] {
  return Object.entries(chains).flatMap(([name, chain]) =>
    chain.family === 'evm' ? [[name, chain] satisfies [string, EvmSandboxChain]] : [],
  );
}

/** Nominal block times for families whose blocks are mined on demand here and whose public chains differ. */
const BLOCK_SECONDS: Partial<Record<ChainFamily, number>> = {evm: 12};

/** The settings with which a widget uses the sandbox's nodes, tokens and contracts in place of the public ones. */
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
        // A local chain has no explorer.
        return [name, {rpc, explorer: '', ...(seconds === undefined ? {} : {blockSeconds: seconds})}];
      }),
    ),
  };
}
