/**
 * The wire format of the HTLC on Solana: the published program's instructions, its swap account, and the sandbox's
 * transactions.
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
export const SYSTEM_PROGRAM: Address = toAddress('11111111111111111111111111111111');
export const COMPUTE_BUDGET: Address = toAddress('ComputeBudget111111111111111111111111111111');

const {encode} = getAddressEncoder();
const {decode} = getAddressDecoder();
export const bytesOf = (address: Address) => Uint8Array.from(encode(address));

/** The parameters of a swap. */
export interface Swap {
  readonly initiator: Address;
  readonly redeemer: Address;
  readonly amount: bigint;
  readonly expiresInSlots: bigint;
  /** 32 bytes, hex. */
  readonly secretHash: string;
}

/** The swap for an order leg's terms. */
export const swapOf = ({initiator, redeemer, amount, timelock, secretHash}: Terms): Swap => ({
  initiator: toAddress(initiator),
  redeemer: toAddress(redeemer),
  amount,
  expiresInSlots: BigInt(timelock),
  secretHash,
});

/** One call of the program. */
export type ProgramCall = {readonly swapAccount: Address} & (
  | ({readonly name: 'initiate'} & Swap)
  | {readonly name: 'redeem'; readonly secret: string}
  | {readonly name: 'refund' | 'instant_refund'}
);

/** The discriminator of an instruction (Anchor). */
const discriminator = (name: ProgramCall['name']) =>
  createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);
const NAMES = new Map(
  (['initiate', 'redeem', 'refund', 'instant_refund'] as const).map(name => [
    discriminator(name).toString('hex'),
    name,
  ]),
);

/** The account that holds a swap: a program derived address. */
export function swapAccountOf(initiator: Address, secretHash: string, program = PROGRAM): Address {
  const seeds = [Buffer.from('swap_account'), bytesOf(initiator), Buffer.from(secretHash, 'hex')];
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256');
    for (const seed of [...seeds, Uint8Array.of(bump), bytesOf(program)]) hash.update(seed);
    const found = decode(hash.update('ProgramDerivedAddress').digest());
    if (isOffCurveAddress(found)) return found;
  }
  throw new Error('no bump gives an address off the curve');
}

const writable = (address: Address) => ({address, role: AccountRole.WRITABLE});

export function initiateInstruction(swap: Swap, program = PROGRAM): Instruction {
  const {initiator, redeemer, amount, expiresInSlots, secretHash} = swap;
  const numbers = Buffer.alloc(16);
  numbers.writeBigUInt64LE(amount);
  numbers.writeBigUInt64LE(expiresInSlots, 8);
  return {
    programAddress: program,
    accounts: [
      writable(swapAccountOf(initiator, secretHash, program)),
      {address: initiator, role: AccountRole.WRITABLE_SIGNER},
      {address: SYSTEM_PROGRAM, role: AccountRole.READONLY},
    ],
    data: Buffer.concat([discriminator('initiate'), numbers, bytesOf(redeemer), Buffer.from(secretHash, 'hex')]),
  };
}

export function redeemInstruction(
  {initiator, redeemer, secretHash}: Swap,
  secret: string,
  program = PROGRAM,
): Instruction {
  return {
    programAddress: program,
    accounts: [swapAccountOf(initiator, secretHash, program), initiator, redeemer].map(writable),
    data: Buffer.concat([discriminator('redeem'), Buffer.from(secret, 'hex')]),
  };
}

export function refundInstruction({initiator, secretHash}: Swap, program = PROGRAM): Instruction {
  return {
    programAddress: program,
    accounts: [swapAccountOf(initiator, secretHash, program), initiator].map(writable),
    data: discriminator('refund'),
  };
}

/** A transfer by the system program. */
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

/** The compute unit limit. */
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
  const name = program === PROGRAM || program === OTHER_PROGRAM ? NAMES.get(bytes.toString('hex', 0, 8)) : undefined;
  const [swapAccount, initiator] = accounts;
  if (!name || !swapAccount || !initiator) return undefined;
  switch (name) {
    case 'initiate':
      if (bytes.length !== 88) return undefined;
      return {
        name,
        swapAccount,
        initiator,
        amount: bytes.readBigUInt64LE(8),
        expiresInSlots: bytes.readBigUInt64LE(16),
        redeemer: decode(bytes.subarray(24, 56)),
        secretHash: bytes.toString('hex', 56),
      };
    case 'redeem':
      return {name, swapAccount, secret: bytes.toString('hex', 8)};
    case 'refund':
    case 'instant_refund':
      return {name, swapAccount};
  }
}

/** All calls of the program in a transaction, inner instructions included. */
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
