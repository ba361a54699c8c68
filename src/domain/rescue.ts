/*
 * The rescue file: what is needed to refund a payment on its chain without the site, the service or this browser. It
 * contains no secret and proves nothing: the page that opens it reads the chain.
 */
import {
  contractsOf,
  FAMILIES,
  type Asset,
  type AssetId,
  type Chain,
  type ChainFamily,
  type KnownAssets,
} from './asset.js';
import {writeJson} from './json.js';
import {isWebAddress} from './web-address.js';

/** The terms of a payment into a swap contract: all that a refund needs. */
export interface PaidTerms {
  /** The contract, or on Solana the program. */
  readonly contract: string;
  /** Who paid in and gets a refund. */
  readonly payer: string;
  /** Who may redeem it with the secret. */
  readonly redeemer: string;
  /** In the smallest unit. */
  readonly amount: bigint;
  /** In blocks or slots after the payment. */
  readonly timelock: bigint;
  /** 64 lowercase hex digits without a prefix. */
  readonly secretHash: string;
  /** On Solana, where one program holds many: the token; absent for the native coin. */
  readonly token?: string;
}

/** A chain as described in a file. The catalogue's data takes precedence. */
export interface RescueChain {
  readonly name: string;
  readonly family: ChainFamily;
  readonly chainId?: number;
  readonly test: boolean;
  readonly blockSeconds: number;
}

/** The paid asset as described in a file; the data of catalogue and contract takes precedence. */
export interface RescueAsset {
  readonly id: AssetId;
  readonly symbol: string;
  readonly decimals: number;
}

interface Rescue {
  readonly chain: RescueChain;
  readonly asset: RescueAsset;
  readonly order: string;
  /** When it was placed, in milliseconds since 1970, to the second. */
  readonly placedAt: number;
  readonly hash?: string | undefined;
  readonly rpc?: string | undefined;
}

export interface ContractRescue extends Rescue {
  readonly how: 'contract';
  readonly terms: PaidTerms;
}

/** A payment to an address whose keys the service holds: only the service can refund it. */
export interface AddressRescue extends Rescue {
  readonly how: 'address';
  readonly address: string;
  readonly payer: string;
  /** The amount to be paid, in the smallest unit. */
  readonly amount: bigint;
  readonly service: string;
}

export type RescueFile = ContractRescue | AddressRescue;
const VERSION = 1;
/** Longer than any file; a QR code with level L holds some 2,900 characters. */
const LONGEST = 4_000;

const toSecond = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Writes a file: JSON on one line, small enough for a QR code. */
export function writeRescue(file: RescueFile): string {
  const {order, placedAt, hash, rpc} = file;
  const {name: chain, family, chainId, test, blockSeconds} = file.chain;
  const {id: asset, symbol, decimals} = file.asset;
  const about = {rescue: VERSION, order, placed: toSecond(placedAt), chain, family, chainId, test, blockSeconds};
  return writeJson({...about, asset, symbol, decimals, ...paymentOf(file), hash, rpc});
}

function paymentOf(file: RescueFile) {
  if (file.how === 'address') {
    const {address, payer, amount, service} = file;
    return {address, payer, amount, service};
  }
  const {contract, payer, redeemer, amount, timelock, secretHash, token} = file.terms;
  return {contract, payer, redeemer, amount, timelock, secretHash, token};
}

export interface RescueFault {
  /** `text`: not such a file; `version`: another version. Otherwise the fields that are missing, invalid or unknown. */
  readonly fields: readonly string[];
}

type Reader<T> = (value: unknown) => T | undefined;

const matching =
  (form: RegExp): Reader<string> =>
  value =>
    typeof value === 'string' && form.test(value) ? value : undefined;

function readObject(text: string): Record<string, unknown> | undefined {
  const bare = (json: string) => json.replace(/\s/g, '').length;
  try {
    const value: unknown = text.length <= LONGEST ? JSON.parse(text) : undefined;
    return isObject(value) && bare(text) === bare(writeJson(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const whole =
  (least: number, most: number): Reader<number> =>
  value =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? (value as number)
      : undefined;
const bigint: Reader<bigint> = value =>
  typeof value === 'string' && /^[1-9]\d{0,77}$/.test(value) ? BigInt(value) : undefined;
const webAddress: Reader<string> = value =>
  typeof value === 'string' && value.length <= 500 && isWebAddress(value) ? value : undefined;

/** An address, a key or a hash: letters and digits, in all families. */
const NAME = matching(/^[0-9A-Za-z]{20,100}$/);

/** A name given by others: on one line, without direction characters. */
const LINE = matching(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,256}$/u);

const ALWAYS = {
  order: LINE,
  placed: (value: unknown) => {
    const time = Date.parse(String(value));
    return Number.isNaN(time) || toSecond(time) !== value ? undefined : time;
  },
  chain: matching(/^[a-z0-9_-]{1,64}$/i),
  family: (value: unknown) => FAMILIES.find(family => family === value),
  test: (value: unknown) => (typeof value === 'boolean' ? value : undefined),
  blockSeconds: (value: unknown) => (typeof value === 'number' && value > 0 && value <= 31_536_000 ? value : undefined),
  asset: matching(/^[a-z0-9_-]{1,64}:[a-z0-9_.-]{1,64}$/i),
  symbol: LINE,
  decimals: whole(0, 36),
  payer: NAME,
  amount: bigint,
};
const OF_CONTRACT = {contract: NAME, redeemer: NAME, timelock: bigint, secretHash: matching(/^[0-9a-f]{64}$/)};
const OF_ADDRESS = {address: NAME, service: webAddress};
const SOMETIMES = {chainId: whole(1, Number.MAX_SAFE_INTEGER), hash: NAME, rpc: webAddress, token: NAME};

/**
 * Reads a file. Every field has to be present and valid, and no other may be: all faulty ones are reported. The result
 * is what somebody wrote, and proves nothing.
 */
export function readRescue(given: string): RescueFile | RescueFault {
  const record = readObject(given.trim());
  const fields = new Map(Object.entries(record ?? {}));
  if ([...fields.values()].some(one => typeof one === 'object')) return {fields: ['text']};
  if (fields.get('rescue') !== VERSION) return {fields: [fields.has('rescue') ? 'version' : 'text']};
  const faults: string[] = [];
  fields.delete('rescue');
  const left = new Set(fields.keys());
  const read = <T extends Record<string, Reader<unknown>>>(readers: T, isNeeded: boolean) => {
    const found: Record<string, unknown> = {};
    for (const [name, reader] of Object.entries(readers)) {
      left.delete(name);
      if (!fields.has(name) && !isNeeded) continue;
      const value = reader(fields.get(name));
      if (value === undefined) faults.push(name);
      else found[name] = value;
    }
    return found as {[Name in keyof T]: Exclude<ReturnType<T[Name]>, undefined>};
  };
  const common = read(ALWAYS, true);
  const {chainId, hash, rpc, token} = read(SOMETIMES, false) as Partial<
    Record<'hash' | 'rpc' | 'token', string> & {chainId: number}
  >;
  const isToAddress = common.family === 'bitcoin';
  const [ofContract, ofAddress] = isToAddress
    ? [undefined, read(OF_ADDRESS, true)]
    : [read(OF_CONTRACT, true), undefined];
  if (common.family === 'evm' && !fields.has('chainId')) faults.push('chainId');
  if (common.family !== 'evm' && fields.has('chainId')) faults.push('chainId');
  if (common.family !== 'solana' && fields.has('token')) faults.push('token');
  if (!faults.includes('asset') && !faults.includes('chain') && !common.asset.startsWith(`${common.chain}:`))
    faults.push('asset');
  faults.push(...left);
  if (faults.length) return {fields: faults.map(name => name.slice(0, 40))};

  const {order, placed: placedAt, payer, amount} = common;
  const chain: RescueChain = {
    name: common.chain,
    family: common.family,
    ...(chainId !== undefined && {chainId}),
    test: common.test,
    blockSeconds: common.blockSeconds,
  };
  const asset: RescueAsset = {id: common.asset as AssetId, symbol: common.symbol, decimals: common.decimals};
  const rescue = {chain, asset, order, placedAt, hash, rpc};
  return ofContract
    ? {...rescue, how: 'contract', terms: {...ofContract, payer, amount, ...(token !== undefined && {token})}}
    : {...rescue, how: 'address', ...ofAddress, payer, amount};
}

/** The chain of a file, as the catalogue knows it, or as the file describes it if the catalogue does not. */
export function chainOf(file: RescueChain, rpc: string | undefined, {chains}: KnownAssets): Chain {
  const known = chains.find(({name, family}) => name === file.name && family === file.family);
  return {...(known ?? {...file, title: file.name}), ...(rpc !== undefined && {rpc})};
}

/** Whether the catalogue knows a contract on a chain. The same address may be anything on another chain. */
export function isKnownContract(
  {name, family}: Pick<Chain, 'name' | 'family'>,
  contract: string,
  {chains, assets}: KnownAssets,
  isSame: (one: string, other: string) => boolean,
): boolean {
  return (
    chains.some(chain => chain.name === name && chain.family === family) &&
    assets.some(asset => asset.id.startsWith(`${name}:`) && contractsOf(asset).some(one => isSame(one, contract)))
  );
}

/**
 * The asset that was paid into a contract according to the catalogue, found by the contract or else by the token. One
 * that holds several assets does not say by itself which it was.
 */
export function assetOf(
  chain: Chain,
  contract: string,
  token: string | undefined,
  {assets}: KnownAssets,
  isSame: (one: string, other: string) => boolean,
): Asset | undefined {
  const here = assets.filter(({id}) => id.startsWith(`${chain.name}:`));
  const byToken = here.find(one => token !== undefined && one.token && isSame(one.token, token));
  const [first, ...others] = here.filter(asset => contractsOf(asset).some(one => isSame(one, contract)));
  const known = others.length ? byToken : (first ?? byToken);
  if (!known) return undefined;
  const {id, symbol, title, decimals, token: named} = known;
  return {id, chain, symbol, title, decimals, contracts: contractsOf(known), ...(named && {token: named})};
}

export function differences(
  file: PaidTerms,
  shown: PaidTerms,
  isSame: (one: string, other: string) => boolean,
): readonly (keyof PaidTerms)[] {
  const names = ['contract', 'payer', 'redeemer', 'amount', 'timelock', 'secretHash', 'token'] as const;
  return names.filter(name => {
    const [one, other] = [file[name], shown[name]];
    return typeof one === 'string' ? !isSame(one, String(other)) : one !== other;
  });
}
