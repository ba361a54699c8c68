/**
 * Felts, Starknet's field elements, and what is built from them: hashes, addresses, selectors, signatures. It does not
 * use the library that the widget and the wallets use, so that it is an independent check.
 *
 * Real: all of it. Sources: the Starknet documentation (transactions, contract address, storage layout) and SNIP-12.
 */
import {
  computeHashOnElements,
  keccak,
  pedersen as pedersenHex,
  poseidonHashMany,
  sign as signHash,
  verify,
} from '@scure/starknet';

export const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;
const ADDRESS_BOUND = 2n ** 251n - 256n;
const U128 = 2n ** 128n;
const U256 = 2n ** 256n;

/** A felt as nodes format it: hex without leading zeros. */
export const hex = (felt: bigint | number): string => `0x${felt.toString(16)}`;
/** An address as the service formats it: 64 hex digits. */
export const addressText = (felt: bigint): string => `0x${felt.toString(16).padStart(64, '0')}`;

/** Parses a felt as nodes do; undefined if it is invalid. */
export function readFelt(text: unknown): bigint | undefined {
  if (typeof text !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(text)) return undefined;
  const felt = BigInt(text);
  return felt < PRIME ? felt : undefined;
}

/** Whether a felt can be the address of a contract: below the bound, and not 0 or 1, which are reserved. */
export const isAddress = (felt: bigint): boolean => felt > 1n && felt < ADDRESS_BOUND;

/** Up to 31 ASCII characters in one felt: a Cairo short string. */
export function shortText(text: string): bigint {
  if (!/^[\x20-\x7e]{0,31}$/.test(text)) throw new Error(`“${text}” does not fit into a felt`);
  return Buffer.from(text).reduce((felt, letter) => felt * 256n + BigInt(letter), 0n);
}

/** A u256 in calldata: the low half, then the high half. */
export const toU256 = (amount: bigint): [low: bigint, high: bigint] => [amount % U128, amount / U128];
export const fromU256 = (low: bigint, high: bigint): bigint => low + high * U128;
export const isU128 = (felt: bigint): boolean => felt >= 0n && felt < U128;
export const isU256 = (value: bigint): boolean => value >= 0n && value < U256;

/** Bytes in hex as big-endian 32-bit words, the format of a secret and its hash on Starknet. */
export function toWords(bytes: string): bigint[] {
  return (bytes.match(/.{8}/g) ?? []).map(word => BigInt(`0x${word}`));
}
export const fromWords = (words: readonly bigint[]): string =>
  words.map(word => word.toString(16).padStart(8, '0')).join('');

export const poseidon = (felts: readonly (bigint | number)[]): bigint => poseidonHashMany(felts.map(BigInt));
const pedersen = (left: bigint, right: bigint): bigint => BigInt(pedersenHex(left, right));
export const starknetKeccak = (text: string): bigint => keccak(new TextEncoder().encode(text));

const selectors = new Map<string, bigint>();

export function selectorOf(name: string): bigint {
  const known = selectors.get(name) ?? starknetKeccak(name);
  selectors.set(name, known);
  return known;
}

const cells = new Map<string, bigint>();

/** The storage address of a variable, or of an entry of a map (Starknet documentation, storage layout). */
export function cellOf(variable: string, ...keys: readonly bigint[]): bigint {
  const name = [variable, ...keys].join(' ');
  const known = cells.get(name) ?? keys.reduce(pedersen, starknetKeccak(variable)) % ADDRESS_BOUND;
  cells.set(name, known);
  return known;
}

const steps = new Map<string, bigint>();

/** Caches each step: most are the same for every deployment. */
function pedersenOnce(left: bigint, right: bigint): bigint {
  const step = `${left} ${right}`;
  const known = steps.get(step) ?? pedersen(left, right);
  steps.set(step, known);
  return known;
}

/** The address of a deployed contract: the Pedersen hash of five felts and their number. */
export function contractAddress(salt: bigint, classHash: bigint, calldata: readonly bigint[], deployer = 0n): bigint {
  const origin = [shortText('STARKNET_CONTRACT_ADDRESS'), deployer, salt, classHash].reduce(pedersenOnce, 0n);
  return pedersen(pedersen(origin, pedersenList(calldata)), 5n) % ADDRESS_BOUND;
}

const pedersenList = (felts: readonly bigint[]): bigint => BigInt(computeHashOnElements([...felts]) as string);

export interface Bound {
  readonly maxAmount: bigint;
  readonly maxPrice: bigint;
}

export interface FieldsV3 {
  readonly version: bigint;
  readonly nonce: bigint;
  readonly tip: bigint;
  /** Transactions from before Starknet 0.13.4 have no bound for data. */
  readonly bounds: {readonly l1Gas: Bound; readonly l2Gas: Bound; readonly l1DataGas?: Bound | undefined};
  readonly paymasterData: readonly bigint[];
  readonly nonceMode: 0 | 1;
  readonly feeMode: 0 | 1;
}

export interface Invoke extends FieldsV3 {
  readonly sender: bigint;
  readonly calldata: readonly bigint[];
  readonly deploymentData: readonly bigint[];
}

export interface DeployAccount extends FieldsV3 {
  readonly classHash: bigint;
  readonly salt: bigint;
  readonly constructorCalldata: readonly bigint[];
}

export function invokeHash(invoke: Invoke, chainId: bigint): bigint {
  const own = [poseidon(invoke.deploymentData), poseidon(invoke.calldata)];
  return transactionHash('invoke', invoke.sender, invoke, chainId, own);
}

export function deployAccountHash(deploy: DeployAccount, chainId: bigint): bigint {
  const {classHash, salt, constructorCalldata} = deploy;
  const address = contractAddress(salt, classHash, constructorCalldata);
  return transactionHash('deploy_account', address, deploy, chainId, [poseidon(constructorCalldata), classHash, salt]);
}

/** The hash of a version 3 transaction (Starknet documentation), with three resource bounds, or the two of before 0.13.4. */
function transactionHash(
  kind: string,
  sender: bigint,
  terms: FieldsV3,
  chainId: bigint,
  own: readonly bigint[],
): bigint {
  const {version, nonce, tip, bounds, paymasterData, nonceMode, feeMode} = terms;
  const bound = (name: string, {maxAmount, maxPrice}: Bound) =>
    (shortText(name) << 192n) + (maxAmount << 128n) + maxPrice;
  return poseidon([
    shortText(kind),
    version,
    sender,
    poseidon([
      tip,
      bound('L1_GAS', bounds.l1Gas),
      bound('L2_GAS', bounds.l2Gas),
      ...(bounds.l1DataGas ? [bound('L1_DATA', bounds.l1DataGas)] : []),
    ]),
    poseidon(paymasterData),
    chainId,
    nonce,
    (BigInt(nonceMode) << 32n) + BigInt(feeMode),
    ...own,
  ]);
}

/** The type hash of the domain, revision 1 (SNIP-12). */
const DOMAIN_TYPE = selectorOf(
  '"StarknetDomain"("name":"shortstring","version":"shortstring","chainId":"shortstring","revision":"shortstring")',
);

/**
 * The message hash of typed data, revision 1 (SNIP-12): domain, signer and the message's hash.
 *
 * Signing libraries hash a `shortstring` of digits, such as version "1", as the number, not as text; so a contract has
 * to use 1 and not '1' as its version.
 */
export function messageHash(
  domain: {readonly name: string; readonly version: bigint; readonly chainId: bigint},
  signer: bigint,
  structHash: bigint,
): bigint {
  const domainHash = poseidon([DOMAIN_TYPE, shortText(domain.name), domain.version, domain.chainId, 1n]);
  return poseidon([shortText('StarkNet Message'), domainHash, signer, structHash]);
}

const bare = (felt: bigint) => felt.toString(16).padStart(64, '0');

export function sign(hash: bigint, privateKey: string): [r: bigint, s: bigint] {
  const {r, s} = signHash(bare(hash), privateKey);
  return [r, s];
}

/** Verifies a signature by a key, of which an account only knows the x coordinate. */
export function isSignature(hash: bigint, publicKey: bigint, r: bigint, s: bigint): boolean {
  const signature = Uint8Array.from(Buffer.from(bare(r) + bare(s), 'hex'));
  return ['02', '03'].some(half => {
    try {
      return verify(signature, bare(hash), half + bare(publicKey), {format: 'compact'});
    } catch {
      // Not a point on the curve, or out of range.
      return false;
    }
  });
}
