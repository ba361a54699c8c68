/**
 * How a Solana node parses parameters and formats results.
 */
import {getBase58Decoder, getBase58Encoder, isAddress, type Address, type EncodedAccount} from '@solana/kit';
import {RpcError} from '../../json-rpc.js';
import {COMPUTE_BUDGET, SPL_TOKEN, SYSTEM_PROGRAM} from './htlc.js';
import type {Commitment, InnerInstruction, Landed, Outcome, Simulation, TokenBalance} from './svm.js';

/** The codes of JSON-RPC and of Solana's nodes (rpc-client-api, `custom_error`). */
export const CODE = {
  request: -32600,
  method: -32601,
  params: -32602,
  preflight: -32002,
  signature: -32003,
  block: -32004,
  version: -32015,
  context: -32016,
} as const;

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MAX_UNITS = 1_400_000n;
const base58 = {text: getBase58Decoder(), bytes: getBase58Encoder()};

export type Params = readonly unknown[];
export type Config = Readonly<Record<string, unknown>>;
/** The fee of a message: its signatures, and its compute unit price if it sets one. */
export function feeOf(message: Landed['message']): bigint {
  let price = 0n;
  let limit: bigint | undefined;
  let usual = 0n;
  const instructions = 'instructions' in message ? message.instructions : [];
  for (const {programAddressIndex, data = new Uint8Array()} of instructions) {
    const program = message.staticAccounts[programAddressIndex];
    const bytes = Buffer.from(data);
    // The default compute units per instruction, for messages that set no limit (SIMD-170).
    usual += program === COMPUTE_BUDGET || program === SYSTEM_PROGRAM ? 3_000n : 200_000n;
    if (program !== COMPUTE_BUDGET) continue;
    if (bytes[0] === 2 && bytes.length >= 5) limit = BigInt(bytes.readUInt32LE(1));
    if (bytes[0] === 3 && bytes.length >= 9) price = bytes.readBigUInt64LE(1);
  }
  const wanted = limit ?? usual;
  const units = wanted < MAX_UNITS ? wanted : MAX_UNITS;
  return LAMPORTS_PER_SIGNATURE * BigInt(message.header.numSignerAccounts) + (units * price + 999_999n) / 1_000_000n;
}

export function outcomeJson({error, logs, units}: Outcome) {
  return {
    err: error,
    logs,
    accounts: null,
    unitsConsumed: units,
  };
}

/** The accounts that the caller of a simulation requested, in their state after it. */
export function accountsJson(simulation: Simulation, asked: unknown) {
  if (!isObject(asked)) return null;
  const addresses = listAt([asked['addresses']], 0);
  return addresses.map((_, index) => {
    const account = simulation.account(addressAt(addresses, index));
    return simulation.error === null && account
      ? accountJson(account, {encoding: asked['encoding'] ?? 'base64'})
      : null;
  });
}

export function metaJson({error, fee, before, after, tokens, logs, units, inner, accounts}: Landed) {
  return {
    err: error,
    status: error === null ? {Ok: null} : {Err: error},
    fee,
    preBalances: before,
    postBalances: after,
    preTokenBalances: tokens.before.map(tokenBalanceJson),
    postTokenBalances: tokens.after.map(tokenBalanceJson),
    innerInstructions: byInstruction(inner, call => ({
      programIdIndex: accounts.indexOf(call.program),
      accounts: call.accounts.map(address => accounts.indexOf(address)),
      data: base58.text.decode(call.data),
    })),
    logMessages: logs,
    computeUnitsConsumed: units,
    rewards: [],
  };
}

const tokenBalanceJson = ({place, token, owner, amount, decimals}: TokenBalance) => ({
  accountIndex: place,
  mint: token,
  owner,
  programId: SPL_TOKEN,
  uiTokenAmount: {amount: String(amount), decimals},
});

function byInstruction<T>(inner: Outcome['inner'], write: (call: InnerInstruction) => T) {
  const places = [...new Set(inner.map(({index}) => index))];
  return places.map(index => ({index, instructions: inner.filter(call => call.index === index).map(write)}));
}

export function messageJson({message, wire}: Landed, signature: string) {
  const count = message.header.numSignerAccounts;
  const signatures = Array.from({length: count}, (_, index) =>
    index === 0 ? signature : base58.text.decode(wire.subarray(1 + 64 * index, 65 + 64 * index)),
  );
  return {
    signatures,
    message: {
      header: {
        numRequiredSignatures: count,
        numReadonlySignedAccounts: message.header.numReadonlySignerAccounts,
        numReadonlyUnsignedAccounts: message.header.numReadonlyNonSignerAccounts,
      },
      accountKeys: message.staticAccounts,
      recentBlockhash: message.lifetimeToken,
      instructions: ('instructions' in message ? message.instructions : []).map(
        ({programAddressIndex, accountIndices = [], data = new Uint8Array()}) => ({
          programIdIndex: programAddressIndex,
          accounts: accountIndices,
          data: base58.text.decode(data),
        }),
      ),
    },
  };
}

export function accountJson({lamports, programAddress, executable, data}: EncodedAccount, config: Config) {
  const {offset = 0, length = data.length} = (config['dataSlice'] ?? {}) as {offset?: number; length?: number};
  const bytes = Uint8Array.from(data).subarray(offset, offset + length);
  const asked = config['encoding'];
  // Accounts are not parsed here; nodes return base64 too if they cannot.
  const encoding = asked === 'jsonParsed' ? 'base64' : encodingOf(asked ?? 'base58', ['base58', 'base64']);
  return {
    lamports,
    owner: programAddress,
    executable,
    rentEpoch: 2n ** 64n - 1n,
    space: data.length,
    // Without a requested encoding, nodes return the legacy format: base58 without the encoding's name.
    data: asked === undefined ? base58.text.decode(bytes) : bytesJson(bytes, encoding),
  };
}

export const bytesJson = (bytes: Uint8Array, encoding: 'base58' | 'base64') => [
  encoding === 'base64' ? Buffer.from(bytes).toString('base64') : base58.text.decode(bytes),
  encoding,
];

export function bytesIn(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  try {
    const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(base58.bytes.encode(text));
    const again = encoding === 'base64' ? bytes.toString('base64') : base58.text.decode(bytes);
    if (again === text) return bytes;
  } catch {
    // Reported below.
  }
  throw new RpcError(CODE.params, `invalid ${encoding} encoding`);
}

export function encodingOf<T extends string>(given: unknown, known: readonly T[]): T {
  const found = known.find(one => one === given);
  if (!found)
    throw new RpcError(
      CODE.params,
      `unsupported encoding: ${JSON.stringify(given)}. Supported encodings: ${known.join(', ')}`,
    );
  return found;
}

export function commitmentOf(config: Config, fallback: Commitment = 'finalized'): Commitment {
  const given = config['commitment'] ?? fallback;
  if (given !== 'processed' && given !== 'confirmed' && given !== 'finalized') {
    throw new RpcError(
      CODE.params,
      `Invalid params: unknown variant \`${JSON.stringify(given)}\`, expected a commitment`,
    );
  }
  return given;
}

const isObject = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function configAt(params: Params, index: number): Config {
  const given = params[index] ?? {};
  if (!isObject(given)) throw new RpcError(CODE.params, 'Invalid params: expected an object of options');
  return given;
}

export function textAt(params: Params, index: number): string {
  const given = params[index];
  if (typeof given !== 'string') throw new RpcError(CODE.params, 'Invalid params: expected a string');
  return given;
}

export function numberAt(params: Params, index: number): number {
  const given = params[index];
  if (!Number.isSafeInteger(given)) throw new RpcError(CODE.params, 'Invalid params: expected u64');
  return given as number;
}

export function listAt(params: Params, index: number): Params {
  const given = params[index];
  if (!Array.isArray(given)) throw new RpcError(CODE.params, 'Invalid params: expected a sequence');
  return given;
}

export function addressAt(params: Params, index: number): Address {
  const given = textAt(params, index);
  if (!isAddress(given)) throw new RpcError(CODE.params, 'Invalid param: Invalid');
  return given;
}

export function signatureAt(params: Params, index: number): string {
  const given = textAt(params, index);
  if (bytesIn(given, 'base58').length !== 64) throw new RpcError(CODE.params, 'Invalid param: WrongSize');
  return given;
}
