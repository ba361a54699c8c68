/**
 * Writes what wallets have to be told of the catalogue's EVM chains, from viem's data: `node --import tsx
 * test/support/evm-chains.ts`. With `--check` it writes nothing and says whether the table is what it would write.
 */
import {readFileSync, writeFileSync} from 'node:fs';
import {format, resolveConfig} from 'prettier';
import * as chains from 'viem/chains';
import {ALL_KNOWN} from '../../src/domain/known/all.js';

const FILE = 'src/chains/evm/public.ts';

/** What viem calls the chains. An id alone is not enough: some belong to several. */
const NAMES: Readonly<Record<string, keyof typeof chains>> = {
  arbitrum: 'arbitrum',
  arbitrum_sepolia: 'arbitrumSepolia',
  base: 'base',
  base_sepolia: 'baseSepolia',
  bera: 'berachain',
  bnbchain: 'bsc',
  bnbchain_testnet: 'bscTestnet',
  botanix: 'botanix',
  citrea_testnet: 'citreaTestnet',
  core: 'coreDao',
  corn: 'corn',
  ethereum: 'mainnet',
  ethereum_sepolia: 'sepolia',
  hyperevm: 'hyperEvm',
  megaeth: 'megaeth',
  monad: 'monad',
  monad_testnet: 'monadTestnet',
  unichain: 'unichain',
};

/** Nodes of nobody who runs the chain: they answer as long as it suits them. */
const STRANGERS = /\.thirdweb\.com$|\.reth\.rs$/;

const entries = ALL_KNOWN.chains
  .filter(({family}) => family === 'evm')
  .map(({name, chainId}) => {
    const {[NAMES[name] ?? 'mainnet']: known} = chains;
    if (known.id !== chainId) throw new Error(`${name} is not ${known.name}`);
    const {nativeCurrency, rpcUrls, blockExplorers} = known;
    const rpc = rpcUrls.default.http.find(url => !STRANGERS.test(new URL(url).hostname));
    const explorer = blockExplorers?.default.url;
    const {name: title, symbol, decimals} = nativeCurrency;
    // What is undefined is left out.
    return [chainId, {coin: {name: title, symbol, decimals}, rpc, explorer}] as const;
  })
  .sort(([one], [other]) => one - other);

const text = await format(
  `/* Written by test/support/evm-chains.ts, which has it from viem. */
import type {Coin} from '../../domain/asset.js';

/** What a wallet that does not know a chain has to be told of it. */
export interface PublicChain {
  readonly coin: Coin;
  /** For the wallet that asks for one, and for nobody else: the widget asks no address that the partner did not name. */
  readonly rpc?: string;
  readonly explorer?: string;
}

/** The catalogue's chains of this family, by chain id. */
export const PUBLIC: Readonly<Partial<Record<number, PublicChain>>> = {${entries
    .map(([id, chain]) => `${String(id)}: ${JSON.stringify(chain)},`)
    .join('\n')}};
`,
  {...(await resolveConfig(FILE)), filepath: FILE},
);

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} is out of date. Run: node --import tsx test/support/evm-chains.ts`);
  process.exit(1);
}
