import {
  addDecoderSizePrefix,
  fixDecoderSize,
  getAddressDecoder,
  getArrayDecoder,
  getBase58Decoder,
  getBase58Encoder,
  getBytesDecoder,
  getShortU16Decoder,
  getStructDecoder,
  getU32Decoder,
  getU64Decoder,
  getU8Decoder,
  isAddress,
  type Decoder,
} from '@solana/kit';
import {hexBytes} from '../checks.js';
import {writeJson} from '../../domain/json.js';

/*
 * Transactions as wallets and nodes accept them: signatures, then the message that they sign. Solana's own codecs
 * decode them; this file describes what a message does, so that it can be checked against an agreement.
 */

/** A transaction, decoded. Addresses and blockhash are base58 text. */
export interface Transaction {
  readonly version: 'legacy' | 0;
  readonly message: Uint8Array;
  /** The fee payer is the first. */
  readonly signatures: ReadonlyMap<string, Uint8Array | undefined>;
  readonly feePayer: string;
  readonly blockhash: string;
  /** All accounts in the message itself, whether or not an instruction uses them. */
  readonly accounts: readonly AccountUse[];
  readonly instructions: readonly Instruction[];
  /** The number of its address lookup tables: their content can change until it is executed. */
  readonly lookups: number;
}

export interface Instruction {
  readonly program: string;
  readonly accounts: readonly AccountUse[];
  readonly data: Uint8Array;
}

export interface AccountUse {
  readonly address: string;
  readonly signer: boolean;
  readonly writable: boolean;
}

/**
 * Whether a text is an address: 32 bytes in base58. It need not be on the curve: vaults of multisig wallets have
 * program-derived addresses, and can receive coins all the same. All zeros is the system program.
 */
export function isSolanaAddress(text: string): boolean {
  return isAddress(text) && !/^1+$/.test(text);
}

/**
 * Decodes a text from the service: hex if it only has hex digits (the specification's format), otherwise base64 (a
 * later format); `undefined` if it is neither. A text from the journal may be anything.
 */
export function readText(text: string): Uint8Array | undefined {
  try {
    return text.length % 2 === 0 && /^[0-9a-f]+$/i.test(text) ? hexBytes(text) : fromBase64(text);
  } catch {
    return undefined;
  }
}

const byte = getU8Decoder();
const address = getAddressDecoder();
const length = getShortU16Decoder();
const listOf = <T>(item: Decoder<T>) => getArrayDecoder(item, {size: length});

export const SIGNATURE_LENGTH = 64;

/*
 * The format of a transaction (solana.com/docs/core/transactions), defined here: Kit's own decoders also support a
 * newer version, which no wallet accepts yet, and would add 2 kB to this family's download.
 */
const TRANSACTION = getStructDecoder([
  ['signatures', listOf(fixDecoderSize(getBytesDecoder(), SIGNATURE_LENGTH))],
  ['message', getBytesDecoder()],
]);
const MESSAGE = getStructDecoder([
  ['signers', byte],
  ['readOnlySigners', byte],
  ['readOnlyOthers', byte],
  ['addresses', listOf(address)],
  ['blockhash', address],
  [
    'instructions',
    listOf(
      getStructDecoder([
        ['program', byte],
        ['accounts', listOf(byte)],
        ['data', addDecoderSizePrefix(getBytesDecoder(), length)],
      ]),
    ),
  ],
]);
const LOOKUPS = listOf(
  getStructDecoder([
    ['table', address],
    ['writable', listOf(byte)],
    ['readOnly', listOf(byte)],
  ]),
);

/** Marks a versioned message; otherwise the first byte is the number of signers. */
const VERSIONED = 0x80;

export function readTransaction(bytes: Uint8Array): Transaction | undefined {
  try {
    if ((bytes[0] ?? VERSIONED) >= VERSIONED) return undefined;
    const {signatures, message: encoded} = TRANSACTION.decode(bytes);
    const message = Uint8Array.from(encoded);
    const [first = 0] = message;
    if (first > VERSIONED) return undefined;
    const version = first === VERSIONED ? 0 : 'legacy';
    const [content, next] = MESSAGE.read(message, version === 0 ? 1 : 0);
    const [lookups, end] = version === 0 ? LOOKUPS.read(message, next) : [[], next];
    const {addresses, blockhash, instructions, signers} = content;
    const signing = addresses.slice(0, signers);
    if (end !== message.length || signing.length !== signatures.length) return undefined;

    const use = (index: number): AccountUse => {
      const signer = index < signers;
      const writable = index < (signer ? signers - content.readOnlySigners : addresses.length - content.readOnlyOthers);
      // An account from a lookup table has no address here, so it passes no check.
      return {address: addresses[index] ?? '', signer, writable};
    };
    return {
      version,
      message,
      signatures: new Map(signing.map((signer, at) => [signer, madeOf(signatures[at])])),
      feePayer: addresses[0] ?? '',
      blockhash,
      accounts: addresses.map((_, index) => use(index)),
      instructions: instructions.map(({program, accounts, data}) => ({
        program: addresses[program] ?? '',
        accounts: accounts.map(use),
        data: Uint8Array.from(data),
      })),
      lookups: lookups.length,
    };
  } catch {
    return undefined;
  }
}

function madeOf(signature: Iterable<number> = []): Uint8Array | undefined {
  const bytes = Uint8Array.from(signature);
  return bytes.some(Boolean) ? bytes : undefined;
}

/**
 * A legacy transaction, unsigned. The fee payer is the only signer. All counts are below 128, so each is one byte.
 * (Kit's `compileTransaction` would add 3.6 kB to this family's download.)
 */
export function writeTransaction(
  feePayer: string,
  blockhash: string,
  ...instructions: readonly Instruction[]
): Uint8Array {
  const uses = instructions.flatMap(({accounts}) => accounts);
  const named = [...uses.map(({address}) => address), ...instructions.map(({program}) => program)];
  const others = [...new Set(named)].filter(one => one !== feePayer);
  const isWritable = (address: string) => uses.some(use => use.address === address && use.writable);
  const readOnly = others.filter(address => !isWritable(address));
  const addresses = [feePayer, ...others.filter(isWritable), ...readOnly];
  const message = [
    ...[1, 0, readOnly.length],
    addresses.length,
    ...addresses.flatMap(address => [...bytesOf(address)]),
    ...bytesOf(blockhash),
    instructions.length,
    ...instructions.flatMap(({program, accounts, data}) => [
      addresses.indexOf(program),
      accounts.length,
      ...accounts.map(({address}) => addresses.indexOf(address)),
      data.length,
      ...data,
    ]),
  ];
  return Uint8Array.from([1, ...new Uint8Array(SIGNATURE_LENGTH), ...message]);
}

/** The program that owns every plain account. The runtime lets no transaction write to it, whatever a message says. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const MOST_UNITS = 1_400_000n;
const MICRO = 1_000_000n;

export function isComputeBudget({program, accounts, data}: Instruction): boolean {
  if (program !== COMPUTE_BUDGET || accounts.length > 0) return false;
  // RequestHeapFrame, SetComputeUnitLimit, SetComputeUnitPrice, SetLoadedAccountsDataSizeLimit.
  return [1, 2, 4].includes(data[0] ?? 0) ? data.length === 5 : data[0] === 3 && data.length === 9;
}

/**
 * These take coins of the fee payer though no account names them: the compute budget in a form that is not counted, and
 * the programs that verify signatures, each of which costs as much as one of the transaction's own.
 */
const CHARGING = [
  COMPUTE_BUDGET,
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
];

/** The programs that only write a text into the chain's log. */
const MEMOS = ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqGDDj61RYqmh'];

/** The network's fee for a signature, in the smallest unit. */
export const SIGNATURE_FEE = 5_000n;

export interface Transfer {
  readonly to: string;
  readonly amount: bigint;
}

/** The System program's `Transfer`: its index, then the amount. */
const TRANSFER = getStructDecoder([
  ['kind', getU32Decoder()],
  ['amount', getU64Decoder()],
]);
const TRANSFER_KIND = 2;

/**
 * The only transfer of coins from an account in a transaction that does nothing else with that account; `undefined` for
 * any other transaction. Besides it there may be its compute budget, memos, and instructions that cost nothing and in
 * whose accounts the payer does not stand, which therefore cannot use its signature.
 */
export function transferIn({instructions}: Transaction, payer: string): Transfer | undefined {
  const touching = instructions.filter(
    instruction =>
      !isComputeBudget(instruction) &&
      !MEMOS.includes(instruction.program) &&
      ([SYSTEM_PROGRAM, ...CHARGING].includes(instruction.program) ||
        instruction.accounts.some(({address}) => address === payer)),
  );
  const [only] = touching;
  if (touching.length !== 1 || only?.program !== SYSTEM_PROGRAM || only.data.length !== 12) return undefined;
  const {kind, amount} = TRANSFER.decode(only.data);
  const [source, target, ...more] = only.accounts;
  const isWhole = source?.address === payer && source.signer && source.writable && target?.writable === true;
  return kind === TRANSFER_KIND && isWhole && !more.length ? {to: target.address, amount} : undefined;
}

/** The maximum priority fee of a transaction, in addition to the fee for its signatures; in the smallest unit. */
export function priorityFee({instructions}: Transaction): bigint {
  let units = MOST_UNITS;
  let price = 0n;
  for (const {data} of instructions.filter(isComputeBudget)) {
    const limit = data[0] === 2 ? BigInt(getU32Decoder().decode(data, 1)) : MOST_UNITS;
    if (limit < units) units = limit;
    if (data[0] === 3) price = getU64Decoder().decode(data, 1);
  }
  return (units * price + MICRO - 1n) / MICRO;
}

/** The program with which wallets such as Phantom and Solflare protect signed transactions on mainnet. */
const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';

/**
 * Whether an instruction is a Lighthouse assertion: it reads accounts, stops the transaction if they differ from what
 * it states, and does nothing else. The program's other instructions write to its own account and close it (0,
 * 1), or call another program about a tree (16, 17); future ones do not count either.
 */
function isAssertion({program, data}: Instruction): boolean {
  const kind = data[0] ?? 0;
  return program === LIGHTHOUSE && kind >= 2 && kind <= 15;
}

/**
 * Whether a wallet left the payment unchanged. Wallets recompile the message, and may set the priority fee (Phantom
 * does if the page did not, others raise it) and add Lighthouse's assertions before and after the payment. The payment
 * itself must keep its instructions, their order, their accounts and the permissions of those; no other signer may be
 * added, and no other writable account, except for the System program, which older versions of web3.js mark as one when
 * they recompile (Backpack 0.10.30). The blockhash may be newer.
 */
export function isSamePayment(prepared: Transaction, signed: Transaction): boolean {
  const effective = ({address, signer, writable}: AccountUse): AccountUse => ({
    address,
    signer,
    writable: writable && address !== SYSTEM_PROGRAM,
  });
  const paymentOf = ({feePayer, lookups, signatures, instructions}: Transaction) =>
    writeJson([
      feePayer,
      lookups,
      [...signatures.keys()].sort(),
      instructions
        .filter(instruction => !isComputeBudget(instruction) && !isAssertion(instruction))
        .map(({program, accounts, data}) => [program, accounts.map(effective), [...data]]),
    ]);
  const known = new Map(prepared.accounts.map(use => [use.address, effective(use)]));
  const isHarmless = ({address, signer, writable}: AccountUse) => {
    const before = known.get(address) ?? {signer: false, writable: false};
    return before.signer === signer && before.writable === writable;
  };
  return paymentOf(prepared) === paymentOf(signed) && signed.accounts.map(effective).every(isHarmless);
}

/** Whether a signature of a message is an account's own; `undefined` if this browser cannot verify it. */
export async function isSignedBy(
  address: string,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean | undefined> {
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey('raw', bytesOf(address), 'Ed25519', false, ['verify']);
  } catch {
    return undefined;
  }
  return crypto.subtle.verify('Ed25519', key, Uint8Array.from(signature), Uint8Array.from(message));
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(getBase58Encoder().encode(text));
}

export function base58(bytes: Uint8Array): string {
  return getBase58Decoder().decode(bytes);
}

export function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Throws for text that is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}
