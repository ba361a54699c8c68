/*
 * The standard ids of chains (CAIP-2), accounts (CAIP-10) and assets (CAIP-19), as wallets and other services use them.
 */
import type {Chain, ChainFamily} from './asset.js';

/** The full CAIP-2 ids of chains without an EIP-155 id, by our names. */
const REFERENCES: Readonly<Record<string, string>> = {
  // The first half of the genesis block's hash.
  bitcoin: 'bip122:000000000019d6689c085ae165831e93',
  bitcoin_testnet: 'bip122:00000000da84f2bafbbc53dee25a72ae',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  solana_testnet: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  starknet: 'starknet:SN_MAIN',
  starknet_sepolia: 'starknet:SN_SEPOLIA',
};

/** EVM chains have coins with many numbers. */
const COINS: Readonly<Record<ChainFamily, RegExp>> = {
  bitcoin: /^slip44:[01]$/,
  evm: /^slip44:\d+$/,
  solana: /^slip44:501$/,
  starknet: /^slip44:9004$/,
};

const TOKENS: Readonly<Partial<Record<ChainFamily, string>>> = {evm: 'erc20:', solana: 'token:', starknet: 'erc20:'};

export function caip2Of({name, family, chainId}: Pick<Chain, 'name' | 'family' | 'chainId'>): string | undefined {
  return family === 'evm' ? `eip155:${String(chainId)}` : REFERENCES[name];
}

export function chainNameIn(text: string, chains: readonly Chain[]): string {
  return chains.find(chain => caip2Of(chain) === text)?.name ?? text;
}

/** Our id of an asset that may be given by its CAIP-19 id, `eip155:8453/erc20:0x…`; any other text as it is. */
export function assetIdIn(
  text: string,
  assets: readonly {readonly id: string; readonly token?: string; readonly chain: Chain | undefined}[],
): string {
  const [, chainId, name = ''] =
    /^([-a-z0-9]{3,8}:[-_a-z0-9]{1,32})\/([-a-z0-9]{3,8}:[-.%\w]{1,128})$/i.exec(text) ?? [];
  if (chainId === undefined) return text;
  const named = assets.find(({chain, token}) => {
    if (!chain || caip2Of(chain) !== chainId) return false;
    return token === undefined ? COINS[chain.family].test(name) : isToken(name, token, chain.family);
  });
  return named?.id ?? text;
}

function isToken(name: string, token: string, family: ChainFamily): boolean {
  const standard = TOKENS[family];
  return standard !== undefined && name.startsWith(standard) && isAddressOf(name.slice(standard.length), token, family);
}

/** Whether a text is a token's address. Hex addresses are equal in any letter case and with leading zeros. */
export function isAddressOf(text: string, token: string, family: ChainFamily): boolean {
  if (family === 'solana') return text === token;
  const digits = (hex: string) => hex.toLowerCase().replace(/^0x0*/, '');
  return /^0x[0-9a-f]{1,64}$/i.test(text) && digits(text) === digits(token);
}

/** The address in an account id, `eip155:8453:0x…` (CAIP-10), if it is on that chain. */
export function addressOfAccount(text: string, chain: Pick<Chain, 'name' | 'family' | 'chainId'>): string | undefined {
  const [, id, address] = /^([-a-z0-9]{3,8}:[-_a-z0-9]{1,32}):([-.%a-z0-9]{1,128})$/i.exec(text) ?? [];
  return id === caip2Of(chain) ? address : undefined;
}
