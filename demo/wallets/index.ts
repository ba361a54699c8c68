/** Two people with funded development wallets for all of the sandbox's chains. */
import {id} from 'ethers';
import type {ChainFamily} from '../../src/domain/asset.js';
import {readBalance} from './bitcoin-coins.js';
import {createBitcoinWallet, type BitcoinWallet} from './bitcoin.js';
import {callRpc, ProviderRpcError} from './evm-requests.js';
import {createEvmWallet, type EvmWallet} from './evm.js';
import type {EvmChain} from './evm-prompts.js';
import type {Approver} from './prompt.js';
import {
  evmChains,
  TITLES,
  type EvmSandboxChain,
  type Sandbox,
  type SandboxChain,
  type SandboxState,
} from './sandbox.js';
import {createSolanaWallet, type SolanaWallet} from './solana.js';
import {createStarknetWallet, type StarknetWallet} from './starknet.js';

export interface FamilyWallets {
  readonly bitcoin: BitcoinWallet;
  readonly evm: EvmWallet;
  readonly solana: SolanaWallet;
  readonly starknet: StarknetWallet;
}

export type DevelopmentWallet = FamilyWallets[ChainFamily];

export interface DevelopmentPerson {
  readonly name: string;
  readonly wallets: Readonly<FamilyWallets>;
}

/**
 * Their keys are derived from their names, so they are the same on every machine and public. The coins have no value,
 * and the wallets only announce themselves on loopback addresses.
 */
const PEOPLE = ['Harbor', 'Field'] as const;
const FAMILIES = ['bitcoin', 'evm', 'solana', 'starknet'] as const satisfies readonly ChainFamily[];

/** Creates both people's wallets and announces them to the page. Harbor pays; Field is a second person. */
export function createDevelopmentWallets(
  state: Pick<SandboxState, 'chains'>,
  {approver}: {readonly approver?: Approver} = {},
): {readonly harbor: DevelopmentPerson; readonly field: DevelopmentPerson} {
  const [harbor, field] = PEOPLE.map(person => {
    const settings: WalletSettings = {
      name: person,
      id: person.toLowerCase(),
      seedPhrase: `swap-widget development wallet: ${person}`,
      state,
      ...(approver ? {approver} : {}),
    };
    return {
      name: person,
      wallets: {
        bitcoin: createWallet('bitcoin', settings),
        evm: createWallet('evm', settings),
        solana: createWallet('solana', settings),
        starknet: createWallet('starknet', settings),
      },
    };
  }) as [DevelopmentPerson, DevelopmentPerson];
  return {harbor, field};
}

export function walletsOf({wallets}: DevelopmentPerson): readonly (readonly [ChainFamily, DevelopmentWallet])[] {
  return FAMILIES.map(family => [family, wallets[family]] as const);
}

export interface WalletSettings {
  readonly name: string;
  /** Letters and digits; the identifiers that wallet standards require are made from them. */
  readonly id: string;
  readonly seedPhrase: string;
  readonly state: Pick<SandboxState, 'chains'>;
  readonly approver?: Approver;
  /** Whether an EVM wallet takes several calls as one request (EIP-5792). */
  readonly batches?: boolean;
}

/** Creates a development wallet of one family, and announces it by that family's standard. */
export function createWallet<F extends ChainFamily>(family: F, settings: WalletSettings): FamilyWallets[F] {
  const {name, id: shortId, seedPhrase, state, approver} = settings;
  const common = {name, ...(approver ? {approver} : {})};
  const create: {readonly [Family in ChainFamily]: () => FamilyWallets[Family]} = {
    bitcoin: () =>
      createBitcoinWallet({
        ...common,
        seedPhrase,
        id: `DevelopmentWallet_${shortId}`,
        rpc: chainOf(state, 'bitcoin').rpc,
      }),
    evm: () =>
      createEvmWallet({
        ...common,
        batches: settings.batches === true,
        rdns: `test.swap-widget.${shortId}`,
        privateKey: id(seedPhrase),
        chains: evmChains(state).map(([chain, facts]) => toEvmChain(chain, facts)),
      }),
    solana: () => {
      const {walletChain, rpc, title} = chainOf(state, 'solana');
      return createSolanaWallet({
        ...common,
        seedPhrase,
        chains: [{chain: walletChain as `solana:${string}`, rpc, name: title}],
      });
    },
    starknet: () => {
      const {chainId, rpc, title, accountClass, guardedAccountClass} = chainOf(state, 'starknet');
      return createStarknetWallet({
        ...common,
        id: shortId,
        seedPhrase,
        chains: [{chainId, rpc, name: title, accountClass, guardedAccountClass}],
      });
    },
  };
  return create[family]();
}

function chainOf<F extends ChainFamily>({chains}: Pick<SandboxState, 'chains'>, family: F) {
  for (const [name, chain] of Object.entries(chains)) {
    if (chain.family === family) {
      return {...(chain as Extract<SandboxChain, {family: F}>), title: TITLES[name] ?? name};
    }
  }
  throw new Error(`The sandbox has no ${family} chain.`);
}

function toEvmChain(name: string, {chainId, rpc, batchAccount}: EvmSandboxChain): EvmChain {
  return {chainId, rpc, batchAccount, name: TITLES[name] ?? name};
}

export interface Balance {
  /** `chain:name`. */
  readonly asset: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly amount: bigint;
}

export async function readBalances({rpc, assets, family}: SandboxChain, account: string): Promise<Balance[]> {
  const read = READERS[family];
  const balances = Object.entries(assets).map(async ([asset, {symbol, decimals, token}]): Promise<Balance> => {
    return {asset, symbol, decimals, amount: await read(rpc, account, token)};
  });
  return (await Promise.all(balances)).sort(({asset}) => (assets[asset]?.token === undefined ? -1 : 1));
}

/** Reads an account's balance of a token, or of the native coin if no token is given. */
const READERS: Readonly<Record<ChainFamily, (rpc: string, account: string, token?: string) => Promise<bigint>>> = {
  async bitcoin(esplora, account) {
    const {confirmed, unconfirmed} = await readBalance(esplora, account);
    return confirmed + unconfirmed;
  },

  async evm(rpc, account, token) {
    if (token === undefined) return BigInt(String(await readLatest(rpc, 'eth_getBalance', [account, 'latest'])));
    // balanceOf(address)
    const data = `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}`;
    return BigInt(String(await readLatest(rpc, 'eth_call', [{to: token, data}, 'latest'])));
  },

  async solana(rpc, account, token) {
    if (token !== undefined) {
      const config = {commitment: 'processed', encoding: 'base64'};
      const {value: held} = (await callRpc(rpc, 'getTokenAccountsByOwner', [account, {mint: token}, config])) as {
        value: readonly {account: {data: readonly [string, string]}}[];
      };
      const amounts = held.map(({account: {data}}) => {
        const bytes = Uint8Array.from(atob(data[0]), letter => letter.charCodeAt(0));
        // A token account's amount follows its token and its owner.
        return new DataView(bytes.buffer).getBigUint64(64, true);
      });
      return amounts.reduce((total, amount) => total + amount, 0n);
    }
    const {value} = (await callRpc(rpc, 'getBalance', [account, {commitment: 'processed'}])) as {value: number};
    return BigInt(value);
  },

  async starknet(rpc, account, token) {
    const call = {contract_address: token, entry_point_selector: BALANCE_OF, calldata: [account]};
    const [low = '0x0', high = '0x0'] = (await callRpc(rpc, 'starknet_call', [call, 'latest'])) as string[];
    return BigInt(low) + (BigInt(high) << 128n);
  },
};

/** How often a read is made again while a node has its chain reorganized, and after how many milliseconds. */
const READS = 40;
const READ_AGAIN_MS = 50;

/**
 * Reads from an EVM node. In a reorganization Anvil takes `latest` for a block that it does not have yet: then, and only
 * then, the read is made again.
 */
async function readLatest(rpc: string, method: string, params: readonly unknown[]): Promise<unknown> {
  for (let read = 1; ; read++) {
    try {
      return await callRpc(rpc, method, params);
    } catch (error) {
      const isBetween = error instanceof ProviderRpcError && error.message.startsWith('BlockOutOfRangeError');
      if (!isBetween || read === READS) throw error;
      await new Promise(resolve => setTimeout(resolve, READ_AGAIN_MS));
    }
  }
}

/** The selector of `balanceOf`: the low 250 bits of the Keccak hash of the name. */
const BALANCE_OF = `0x${(BigInt(id('balanceOf')) & ((1n << 250n) - 1n)).toString(16)}`;

/** Initial balances, in whole units. */
const GIFTS: Readonly<Record<string, bigint>> = {
  BTC: 2n,
  ETH: 10n,
  SOL: 200n,
  WBTC: 2n,
  cbBTC: 2n,
  USDC: 50_000n,
  USDT: 50_000n,
};

/** Funds an account with every asset of its family's chains that it has none of, on those that answer. */
export async function giveCoins(
  sandbox: Sandbox,
  {chains}: SandboxState,
  family: ChainFamily,
  account: string,
): Promise<void> {
  for (const chain of Object.values(chains)) {
    if (chain.family !== family || chain.down) continue;
    for (const {asset, symbol, decimals, amount} of await readBalances(chain, account)) {
      const gift = GIFTS[symbol];
      if (amount === 0n && gift !== undefined) await sandbox.give(asset, account, gift * 10n ** BigInt(decimals));
    }
  }
}
