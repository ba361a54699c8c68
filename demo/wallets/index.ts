/** Two development wallets for the sandbox's chains, with coins in them. */
import {id} from 'ethers';
import {callRpc} from './evm-requests.js';
import {createEvmWallet, type EvmChain, type EvmWallet} from './evm.js';
import type {Gate} from './gate.js';
import {evmChains, type EvmSandboxChain, type Sandbox, type SandboxState} from './sandbox.js';

/**
 * Who they are. Their keys are made from these words, the same on every machine: whoever reads this can spend what they
 * hold, which is why they hold play money and announce themselves on this very machine alone.
 */
const WALLETS = [
  {name: 'Harbor (development)', rdns: 'test.swap-widget.harbor', words: 'swap-widget development wallet: Harbor'},
  {name: 'Field (development)', rdns: 'test.swap-widget.field', words: 'swap-widget development wallet: Field'},
] as const;

/** The names people know the sandbox's chains by. */
export const TITLES: Readonly<Record<string, string>> = {
  base_sepolia: 'Base Sepolia',
  ethereum_sepolia: 'Ethereum Sepolia',
  bitcoin_testnet: 'Bitcoin Testnet',
  solana_testnet: 'Solana Testnet',
  starknet_sepolia: 'Starknet Sepolia',
};

export interface DevelopmentWallets {
  /** The one that pays. */
  readonly harbor: EvmWallet;
  /** A second person. */
  readonly field: EvmWallet;
}

/** Makes both wallets for the sandbox's chains and announces them to the page. */
export function createDevelopmentWallets(
  state: Pick<SandboxState, 'chains'>,
  {gate}: {readonly gate?: Gate} = {},
): DevelopmentWallets {
  const known = evmChains(state).map(([name, chain]) => toEvmChain(name, chain));
  const [harbor, field] = WALLETS.map(({name, rdns, words}) =>
    createEvmWallet({name, rdns, privateKey: id(words), chains: known, ...(gate ? {gate} : {})}),
  ) as [EvmWallet, EvmWallet];
  return {harbor, field};
}

export function toEvmChain(name: string, {chainId, rpc}: EvmSandboxChain): EvmChain {
  return {chainId, rpc, name: TITLES[name] ?? name};
}

/** What an account holds of one asset. */
export interface Balance {
  /** `chain:name`; a chain's own coin is `chain:eth`. */
  readonly asset: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly amount: bigint;
}

/** Reads from a chain what an account holds: its coin first, then the swappable assets. */
export async function readBalances(name: string, {rpc, assets}: EvmSandboxChain, account: string): Promise<Balance[]> {
  const coin = async (): Promise<Balance> => ({
    asset: `${name}:eth`,
    symbol: 'ETH',
    decimals: 18,
    amount: BigInt(String(await callRpc(rpc, 'eth_getBalance', [account, 'latest']))),
  });
  const tokens = Object.entries(assets)
    .filter(([, {token}]) => token !== undefined)
    .map(async ([asset, {symbol, decimals, token}]): Promise<Balance> => {
      // balanceOf(address)
      const data = `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}`;
      const amount = BigInt(String(await callRpc(rpc, 'eth_call', [{to: token, data}, 'latest'])));
      return {asset, symbol, decimals, amount};
    });
  return Promise.all([coin(), ...tokens]);
}

/** What a wallet starts with, in whole units. */
const GIFTS: Readonly<Record<string, bigint>> = {ETH: 10n, WBTC: 2n, CBBTC: 2n, USDC: 50_000n, USDT: 50_000n};

/** Gives an account coins of everything that it has none of. */
export async function giveCoins(sandbox: Sandbox, state: SandboxState, account: string): Promise<void> {
  for (const [name, chain] of evmChains(state)) {
    for (const {asset, symbol, decimals, amount} of await readBalances(name, chain, account)) {
      const gift = GIFTS[symbol];
      if (amount === 0n && gift !== undefined) await sandbox.give(asset, account, gift * 10n ** BigInt(decimals));
    }
  }
}
