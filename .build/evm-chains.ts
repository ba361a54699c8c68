/**
 * `npm run chains`: writes what wallets need to know about the catalogue's EVM chains, from viem's data. With `--check`
 * it writes nothing and reports whether the table is up to date.
 */
import {readFileSync, writeFileSync} from 'node:fs';
import {format, resolveConfig} from 'prettier';
import type {PublicChain} from '../src/chains/evm/public.js';
import {ALL_KNOWN} from '../src/domain/known/all.js';
import {requireOf} from '../test/tools/with.js';

const FILE = 'src/chains/evm/public.ts';

/** Viem's data of a chain. Its own types are so large that they slow down the compiler and the linter. */
interface ViemChain {
  readonly id: number;
  readonly nativeCurrency: PublicChain['coin'];
  readonly rpcUrls: {readonly default: {readonly http: readonly string[]}};
  readonly blockExplorers?: {readonly default: {readonly url: string}};
}
const viem = (await requireOf('checks'))('viem/chains') as Readonly<Record<string, ViemChain>>;

/** Viem's names of the chains where they differ. An id alone is not enough: some belong to several. */
const NAMES: Readonly<Record<string, string>> = {
  bera: 'berachain',
  bnbchain: 'bsc',
  bnbchain_testnet: 'bscTestnet',
  core: 'coreDao',
  ethereum: 'mainnet',
  ethereum_sepolia: 'sepolia',
  hyperevm: 'hyperEvm',
};

/** Nodes of third parties, which may stop at any time. */
const STRANGERS = /\.thirdweb\.com$|\.reth\.rs$/;

const entries = ALL_KNOWN.chains
  .filter(({family}) => family === 'evm')
  .map(({name, chainId}): readonly [number, PublicChain] => {
    const known = viem[NAMES[name] ?? name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (!known || known.id !== chainId)
      throw new Error(`${name}: add what viem calls it to NAMES in .build/evm-chains.ts.`);
    const {id, nativeCurrency, rpcUrls, blockExplorers} = known;
    const {name: title, symbol, decimals} = nativeCurrency;
    const rpc = rpcUrls.default.http.find(url => !STRANGERS.test(new URL(url).hostname));
    // Undefined values are omitted.
    return [id, {coin: {name: title, symbol, decimals}, rpc, explorer: blockExplorers?.default.url} as PublicChain];
  })
  .sort(([one], [other]) => one - other)
  .map(([id, chain]) => `${String(id)}: ${JSON.stringify(chain)},`);

/** What stands before the table stays. */
const old = readFileSync(FILE, 'utf8');
const table = old.replace(/(?<= = \{)[^]*(?=\};\n$)/, () => entries.join('\n'));
const text = await format(table, {...(await resolveConfig(FILE)), filepath: FILE});
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (old !== text) {
  console.error(`${FILE} is out of date. Run: npm run chains`);
  process.exit(1);
}
