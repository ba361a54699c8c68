/** The contracts and programs that a partner vouches for: reading them, and refusing what no swap contract can be. */
import {
  contractsOf,
  isSameChain,
  splitAssetId,
  type Chain,
  type ChainFamily,
  type KnownAsset,
  type VouchedContract,
} from './asset.js';
import {fault, type SwapError} from './error.js';
import {neverMixed} from './networks.js';

/**
 * Contracts or programs by asset id: `{'base:usdc': ['0x…']}`, or as text, `base:usdc 0x…, solana:sol Prog…`. On
 * Starknet an entry point other than `initiate` follows the address: `0x….deposit`.
 */
export type VouchedSettings = string | Readonly<Record<string, string | readonly string[]>>;

export function vouchedText(...settings: readonly (VouchedSettings | undefined)[]): string {
  const textOf = (one: VouchedSettings = '') =>
    typeof one === 'string' ? one : Object.entries(one).map(([id, named]) => [id, ...[named].flat()].join(' '));
  return settings.flatMap(textOf).filter(Boolean).join(', ');
}

interface Around {
  readonly assets: readonly KnownAsset[];
  readonly chainOf: (id: string) => Chain | undefined;
  readonly test: boolean;
  readonly ownId: (id: string) => string;
}

/** By asset id. @throws SwapError `config`, field `contracts`, that names the first entry without meaning. */
export function readVouched(
  settings: VouchedSettings | undefined,
  around: Around,
): ReadonlyMap<string, readonly VouchedContract[]> {
  const vouched = new Map<string, readonly VouchedContract[]>();
  for (const entry of vouchedText(settings)
    .split(',')
    .filter(each => each.trim() !== '')) {
    const [name = '', ...texts] = entry.trim().split(/\s+/);
    const id = around.ownId(name);
    if (!splitAssetId(id) || !texts.length) throw faultIn(entry, 'is not an asset and its contracts: base:usdc 0x…');
    const chain = chainNamed(entry, id, around);
    const before = vouched.get(id) ?? [];
    vouched.set(id, Object.freeze([...before, ...texts.map(text => readContract(entry, text, id, chain, around))]));
  }
  return vouched;
}

function chainNamed(entry: string, id: string, {assets, chainOf, test}: Around): Chain {
  const chain = chainOf(id);
  if (!chain || !assets.some(asset => asset.id === id)) throw faultIn(entry, 'names an unknown asset.');
  if (chain.test !== test) throw faultIn(entry, neverMixed(test));
  if (chain.family === 'bitcoin') throw faultIn(entry, 'names nothing: Bitcoin has no contracts.');
  return chain;
}

function readContract(
  entry: string,
  text: string,
  asset: string,
  chain: Chain,
  {assets, chainOf}: Around,
): VouchedContract {
  const [address = '', name, ...more] = text.split('.');
  const canonical = CANONICAL[chain.family](address);
  const isEntry = name === undefined || (chain.family === 'starknet' && /^[a-z_]\w{0,63}$/i.test(name) && !more.length);
  if (canonical === undefined || !isEntry) {
    throw faultIn(entry, `has “${text}”, which is not ${FORMS[chain.family]}.`);
  }
  // Whoever vouched for a token would vouch for every call to it.
  const isHere = ({id}: KnownAsset) => isSameChain(chainOf(id), chain);
  const form = (one: string | undefined) => one && CANONICAL[chain.family](one);
  const isToken = (known: KnownAsset) => isHere(known) && form(known.token) === canonical;
  const token = assets.find(isToken);
  if (token) throw faultIn(entry, `has the token of “${token.id}” itself, which is no swap contract.`);
  // Known for another asset, or on the other kind of network, and not for this one.
  const owners = assets.filter(known => {
    const {family, test} = chainOf(known.id) ?? {};
    const isNear = isHere(known) || (family === chain.family && test !== chain.test);
    return isNear && contractsOf(known).some(one => form(one) === canonical);
  });
  const [owner] = owners;
  const own = form(assets.find(({id}) => id === asset)?.token);
  // One token is one asset, whatever the page calls its chain.
  const isOwn = (known: KnownAsset) => known.id === asset || (isHere(known) && form(known.token) === own);
  if (owner && !owners.some(isOwn)) throw faultIn(entry, `has the contract of “${owner.id}”.`);
  if (COMMON_PROGRAMS.includes(address)) throw faultIn(entry, `has “${text}”, which everybody’s coins are moved by.`);
  return Object.freeze({address, ...(name !== undefined && name !== 'initiate' && {entry: name})});
}

/** Solana's programs that move coins for all: System, Token, Token-2022 and Associated Token Account. */
const COMMON_PROGRAMS: readonly string[] = [
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
];

const FORMS: Readonly<Record<ChainFamily, string>> = {
  bitcoin: 'an address',
  evm: 'an address of 0x and 40 hex digits',
  solana: 'the address of a program',
  starknet: 'an address, 0x…, with or without an entry point: 0x….deposit',
};

/** Above every address of a contract on Starknet. */
const STARKNET_END = 2n ** 251n;

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** An address in the notation in which those of its family are compared; `undefined` for a text that is none. */
const CANONICAL: Readonly<Record<ChainFamily, (text: string) => string | undefined>> = {
  bitcoin: () => undefined,
  evm: text => (/^0x(?!0*$)[\da-f]{40}$/i.test(text) ? text.toLowerCase() : undefined),
  solana(text) {
    if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return undefined;
    const number = Array.from(text).reduce((sum, digit) => sum * 58n + BigInt(BASE58.indexOf(digit)), 0n);
    const zeros = /[^1]|$/.exec(text)?.index ?? 0;
    const others = number === 0n ? 0 : Math.ceil(number.toString(16).length / 2);
    return zeros + others === 32 ? text : undefined;
  },
  starknet(text) {
    const number = /^0x[\da-f]{1,64}$/i.test(text) ? BigInt(text) : 0n;
    return number > 0n && number < STARKNET_END ? String(number) : undefined;
  },
};

function faultIn(entry: string, detail: string): SwapError {
  return fault('contracts', `“${entry.trim().slice(0, 200)}” ${detail}`);
}
