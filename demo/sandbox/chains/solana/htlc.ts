/**
 * The wire format of the HTLCs on Solana, for SOL and for tokens: the published programs' instructions, their swap
 * accounts, and the sandbox's transactions.
 */
import {createHash, createPrivateKey, createPublicKey, sign as signBytes} from 'node:crypto';
import {
  AccountRole,
  address as toAddress,
  appendTransactionMessageInstructions,
  blockhash as toBlockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getAddressEncoder,
  getTransactionEncoder,
  isOffCurveAddress,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
  type Instruction,
} from '@solana/kit';
import type {Terms} from '../leg.js';
import type {Landed, ReadInstruction} from './svm.js';

/** The program's published address, at which the sandbox has its own program. */
export const PROGRAM: Address = toAddress('2bag6xpshpvPe7SJ9nSDLHpxqhEAoHPGpEkjNSv7gxoF');
/** Another address at which it is, too. */
export const OTHER_PROGRAM: Address = toAddress('SwapRsyqb7nHXp4g3r5v2ZbTpzqEcmYyo8pKJ1cVtiX');
/** The published address of the program for tokens. */
export const TOKENS_PROGRAM: Address = toAddress('gdnvdMCHJgnidtU7SL8RkRshHPvDJU1pdfZEpoLvqdU');
/** The published tokens of the test network, which the sandbox's have the addresses of. */
export const TOKENS = {
  usdc: {symbol: 'USDC', decimals: 6, token: toAddress('5JbWjyLdYKTuykpq2itWbdRcZkhK3hs6fiH62pkmLYZi')},
  cbbtc: {symbol: 'cbBTC', decimals: 8, token: toAddress('CL8C4gsaEQyWPxL4Zn7dcnZ8LKvPYqHmv4ipMax4cDUL')},
} as const;
export const SPL_TOKEN: Address = toAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const SPL_ACCOUNTS: Address = toAddress('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
export const SYSTEM_PROGRAM: Address = toAddress('11111111111111111111111111111111');
export const COMPUTE_BUDGET: Address = toAddress('ComputeBudget111111111111111111111111111111');

const {encode} = getAddressEncoder();
const {decode} = getAddressDecoder();
export const bytesOf = (address: Address) => Uint8Array.from(encode(address));

export interface Swap {
  readonly initiator: Address;
  readonly redeemer: Address;
  readonly amount: bigint;
  readonly expiresInSlots: bigint;
  /** 32 bytes, hex. */
  readonly secretHash: string;
  /** Absent for SOL. */
  readonly token?: Address | undefined;
}

export const tokenOf = (asset: string) =>
  Object.entries(TOKENS).find(([name]) => asset.endsWith(`:${name}`))?.[1].token;

export const swapOf = ({asset, initiator, redeemer, amount, timelock, secretHash}: Terms): Swap => ({
  initiator: toAddress(initiator),
  redeemer: toAddress(redeemer),
  amount,
  expiresInSlots: BigInt(timelock),
  secretHash,
  token: tokenOf(asset),
});

const programOf = ({token}: Pick<Swap, 'token'>) => (token ? TOKENS_PROGRAM : PROGRAM);

export type ProgramCall = {readonly swapAccount: Address} & (
  | ({readonly name: 'initiate'} & Swap)
  | {readonly name: 'redeem'; readonly secret: string}
  | {readonly name: 'refund' | 'instant_refund'}
);

const discriminator = (name: ProgramCall['name']) =>
  createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);
const NAMES = new Map(
  (['initiate', 'redeem', 'refund', 'instant_refund'] as const).map(name => [
    discriminator(name).toString('hex'),
    name,
  ]),
);

function derived(program: Address, ...seeds: readonly Uint8Array[]): Address {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256');
    for (const seed of [...seeds, Uint8Array.of(bump), bytesOf(program)]) hash.update(seed);
    const found = decode(hash.update('ProgramDerivedAddress').digest());
    if (isOffCurveAddress(found)) return found;
  }
  throw new Error('no bump gives an address off the curve');
}

export function swapAccountOf(
  {initiator, secretHash, token}: Pick<Swap, 'initiator' | 'secretHash' | 'token'>,
  program = programOf({token}),
): Address {
  const seeds = [bytesOf(initiator), Buffer.from(secretHash, 'hex')];
  return derived(program, ...(token ? [] : [Buffer.from('swap_account')]), ...seeds);
}

export const tokenAccountOf = (owner: Address, token: Address) =>
  derived(SPL_ACCOUNTS, ...[owner, SPL_TOKEN, token].map(bytesOf));
const vaultOf = (program: Address, token: Address) => derived(program, bytesOf(token));

const writable = (address: Address) => ({address, role: AccountRole.WRITABLE});
const readable = (address: Address) => ({address, role: AccountRole.READONLY});
const signing = (address: Address) => ({address, role: AccountRole.WRITABLE_SIGNER});
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};

/** For a token, its initiator pays the rent, too. */
export function initiateInstruction(swap: Swap, program = programOf(swap)): Instruction {
  const {initiator, redeemer, amount, expiresInSlots, secretHash, token} = swap;
  const account = writable(swapAccountOf(swap, program));
  const keys = [u64(expiresInSlots), bytesOf(redeemer), Buffer.from(secretHash, 'hex')];
  const name = discriminator('initiate');
  if (!token) {
    const accounts = [account, signing(initiator), readable(SYSTEM_PROGRAM)];
    return {programAddress: program, accounts, data: Buffer.concat([name, u64(amount), ...keys])};
  }
  return {
    programAddress: program,
    accounts: [
      ...[writable(derived(program)), account, writable(vaultOf(program, token)), signing(initiator)],
      ...[writable(tokenAccountOf(initiator, token)), readable(token), signing(initiator)],
      ...[readable(SPL_TOKEN), readable(SYSTEM_PROGRAM)],
    ],
    data: Buffer.concat([name, ...keys, u64(amount), Uint8Array.of(0)]),
  };
}

export function redeemInstruction(swap: Swap, secret: string, program = programOf(swap)): Instruction {
  return endInstruction(swap, 'redeem', swap.redeemer, program, Buffer.from(secret, 'hex'));
}

export function refundInstruction(swap: Swap, program = programOf(swap)): Instruction {
  return endInstruction(swap, 'refund', swap.initiator, program);
}

function endInstruction(
  swap: Swap,
  name: 'redeem' | 'refund',
  receiver: Address,
  program: Address,
  secret = Buffer.alloc(0),
): Instruction {
  const {initiator, token} = swap;
  const data = Buffer.concat([discriminator(name), secret]);
  const account = swapAccountOf(swap, program);
  const others = receiver === initiator ? [] : [receiver];
  if (!token) return {programAddress: program, accounts: [account, initiator, ...others].map(writable), data};
  const money = [account, vaultOf(program, token), tokenAccountOf(receiver, token), initiator];
  return {
    programAddress: program,
    accounts: [readable(derived(program)), ...money.map(writable), readable(SPL_TOKEN)],
    data,
  };
}

export function accountInstruction(payer: Address, owner: Address, token: Address): Instruction {
  const others = [owner, token, SYSTEM_PROGRAM, SPL_TOKEN].map(readable);
  return {
    programAddress: SPL_ACCOUNTS,
    accounts: [signing(payer), writable(tokenAccountOf(owner, token)), ...others],
    data: Uint8Array.of(1),
  };
}

/** An instruction of the token program about the payer's account or a token: 3 transfers, 4 approves, 6 sets who may, 7 mints, 9 closes. */
export function tokenInstruction(
  kind: 3 | 4 | 6 | 7 | 9,
  authority: Address,
  accounts: readonly Address[],
  data: Uint8Array = new Uint8Array(),
): Instruction {
  return {
    programAddress: SPL_TOKEN,
    accounts: [...accounts.map(writable), {address: authority, role: AccountRole.READONLY_SIGNER}],
    data: Buffer.concat([Uint8Array.of(kind), data]),
  };
}

/** Makes an amount of a token for an address, whose account is created at the authority's cost. */
export const mintInstructions = (authority: Address, to: Address, token: Address, amount: bigint) => [
  accountInstruction(authority, to, token),
  tokenInstruction(7, authority, [token, tokenAccountOf(to, token)], u64(amount)),
];

/** The content of a token's own account. */
export const mintData = (authority: Address, decimals: number) =>
  Buffer.concat([Uint8Array.of(1, 0, 0, 0), bytesOf(authority), u64(0n), Uint8Array.of(decimals, 1), Buffer.alloc(36)]);

export function transferInstruction(from: Address, to: Address, amount: bigint): Instruction {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(amount, 4);
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [{address: from, role: AccountRole.WRITABLE_SIGNER}, writable(to)],
    data,
  };
}

export function unitLimitInstruction(units: number): Instruction {
  const data = Buffer.alloc(5);
  data.writeUInt8(2);
  data.writeUInt32LE(units, 1);
  return {programAddress: COMPUTE_BUDGET, data};
}

/** The compute unit price, in micro-lamports. */
export function unitPriceInstruction(price: bigint): Instruction {
  const data = Buffer.alloc(9);
  data.writeUInt8(3);
  data.writeBigUInt64LE(price, 1);
  return {programAddress: COMPUTE_BUDGET, data};
}

/** The bytes of an unsigned transaction, with empty signatures; a legacy message by default. */
export function transactionOf(
  payer: Address,
  instructions: readonly Instruction[],
  blockhash: string,
  version: 'legacy' | 0 = 'legacy',
): Uint8Array {
  const message = pipe(
    createTransactionMessage({version}),
    empty => setTransactionMessageFeePayer(payer, empty),
    paid =>
      setTransactionMessageLifetimeUsingBlockhash(
        // The lifetime is not part of the message.
        {blockhash: toBlockhash(blockhash), lastValidBlockHeight: 0n},
        paid,
      ),
    timed => appendTransactionMessageInstructions(instructions, timed),
  );
  return Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)));
}

/** One of the sandbox's keys, derived from a fixed name, so that its address is the same on each start. */
export interface Signer {
  readonly address: Address;
  /** A transaction with this key as fee payer and only signer. */
  sign(instructions: readonly Instruction[], blockhash: string): Uint8Array;
}

/** The bytes before the seed in a private key (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

export function signerFor(role: string): Signer {
  const seed = createHash('sha256').update(`swap-widget sandbox: ${role}`).digest();
  // Node's own curve is ready at once; the library precomputes tables first.
  const key = createPrivateKey({key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8'});
  const {x = ''} = createPublicKey(key).export({format: 'jwk'});
  const address = decode(Buffer.from(x, 'base64url'));
  return {
    address,
    sign(instructions, blockhash) {
      const wire = transactionOf(address, instructions, blockhash);
      wire.set(signBytes(null, wire.subarray(65), key), 1);
      return wire;
    },
  };
}

/** Decodes an instruction; undefined if it is not one of the program's. */
function readProgramCall({program, accounts, data}: ReadInstruction): ProgramCall | undefined {
  const bytes = Buffer.from(data);
  const isToken = program === TOKENS_PROGRAM;
  const isOurs = isToken || program === PROGRAM || program === OTHER_PROGRAM;
  const name = isOurs ? NAMES.get(bytes.toString('hex', 0, 8)) : undefined;
  const [swapAccount, initiator, token] = (isToken ? [1, 3, 5] : [0, 1]).map(place => accounts[place]);
  if (!name || !swapAccount || !initiator) return undefined;
  // The amount comes last for tokens, and data for the event after it.
  const [amount, slots, keys] = isToken ? ([80, 8, 16] as const) : ([8, 16, 24] as const);
  switch (name) {
    case 'initiate':
      if (isToken ? bytes.length < 89 : bytes.length !== 88) return undefined;
      return {
        name,
        swapAccount,
        initiator,
        amount: bytes.readBigUInt64LE(amount),
        expiresInSlots: bytes.readBigUInt64LE(slots),
        redeemer: decode(bytes.subarray(keys, keys + 32)),
        secretHash: bytes.toString('hex', keys + 32, keys + 64),
        token,
      };
    case 'redeem':
      return {name, swapAccount, secret: bytes.toString('hex', 8)};
    case 'refund':
    case 'instant_refund':
      return {name, swapAccount};
  }
}

export function programCallsOf({message, accounts, inner, error}: Landed): ProgramCall[] {
  if (error !== null || !('instructions' in message)) return [];
  return message.instructions.flatMap(({programAddressIndex, accountIndices = [], data}, index) => {
    const own: ReadInstruction = {
      program: accounts[programAddressIndex] ?? SYSTEM_PROGRAM,
      accounts: accountIndices.map(place => accounts[place] ?? SYSTEM_PROGRAM),
      data: Uint8Array.from(data ?? []),
    };
    return [own, ...inner.filter(call => call.index === index)].flatMap(call => readProgramCall(call) ?? []);
  });
}
