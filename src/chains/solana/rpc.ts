import type {Chain} from '../../domain/asset.js';
import {writeJson} from '../../domain/json.js';
import {layersOf, messageOf, onDevice, readSaid, USER_REJECTED, type Said} from '../errors.js';
import {askInTurn, askNode, rpcsOf} from '../rpc.js';
import {pause, type Timeouts} from '../timeouts.js';
import {base64, bytesOf, fromBase64, readTransaction} from './transaction.js';

export type Read = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

/** Reads and writes a chain only through the partner's RPCs. Writes go to a single one. */
export function readerOf(chain: Chain, timeouts: Timeouts, signal?: AbortSignal): Read | undefined {
  if (chain.rpc === undefined) return undefined;
  return (method, ...params) => {
    const urls = rpcsOf(chain);
    const ask = (url: string) => askNode(url, method, params, timeouts, signal, error => new NodeError(error));
    return askInTurn(method === 'sendTransaction' ? urls.slice(0, 1) : urls, ask, signal);
  };
}

export async function readHeight(read: Read): Promise<bigint> {
  return BigInt((await read('getSlot', {commitment: 'confirmed'})) as number);
}

/** The time of the newest block, in milliseconds since 1970. */
export async function readTime(read: Read): Promise<number> {
  const time = (await read('getBlockTime', Number(await readHeight(read)))) as number | null;
  if (typeof time !== 'number') throw new Error('The block has no time.');
  return time * 1_000;
}

class NodeError extends Error {
  override get name() {
    return 'NodeError';
  }

  constructor(cause: unknown) {
    super(messageOf(cause), {cause});
  }
}

type Commitment = 'processed' | 'confirmed' | 'finalized';

/** The balance of an account, in the smallest unit. */
export async function readCoins(read: Read, address: string): Promise<bigint> {
  const {value} = (await read('getBalance', address, {commitment: 'confirmed'})) as {readonly value: number};
  return BigInt(value);
}

/** The amount in a token account, in the smallest unit; `undefined` if there is none. */
export async function readTokens(read: Read, account: string): Promise<bigint | undefined> {
  const {value} = (await read('getAccountInfo', account, {encoding: 'base64', commitment: 'confirmed'})) as {
    readonly value: RawAccount | null;
  };
  const data = value && TOKEN_PROGRAMS.includes(value.owner) ? fromBase64(value.data[0]) : undefined;
  return data && amountIn(data);
}

/** Whether a transaction with this blockhash can be included in the next block. A lagging node may not know it yet. */
export async function isAlive(read: Read, blockhash: string, commitment: Commitment): Promise<boolean> {
  const {value} = (await read('isBlockhashValid', blockhash, {commitment})) as {readonly value: boolean};
  return value;
}

/** How often a node that does not know a blockhash is queried: it may not have seen the newest block yet. */
const TRIES = 3;

/** Whether the next block can include a transaction with this blockhash; a no is asked about again. */
export async function becomesAlive(
  read: Read,
  blockhash: string,
  {poll}: Pick<Timeouts, 'poll'>,
  signal?: AbortSignal,
): Promise<boolean> {
  for (let tries = 1; tries < TRIES; tries++) {
    if (await isAlive(read, blockhash, 'processed')) return true;
    await pause(poll, signal);
  }
  return isAlive(read, blockhash, 'processed');
}

export async function latestBlockhash(read: Read, commitment: Commitment): Promise<string> {
  const {value} = (await read('getLatestBlockhash', {commitment})) as {
    readonly value: {readonly blockhash: string};
  };
  return value.blockhash;
}

/** The minimum balance of an account with this many bytes. */
export async function depositFor(read: Read, bytes: number): Promise<bigint> {
  return BigInt((await read('getMinimumBalanceForRentExemption', bytes)) as number);
}

/** `undefined` if the chain does not have it. `seen`: it was executed in a block that may still be dropped. */
export async function statusOf(
  read: Read,
  hash: string,
): Promise<{readonly hash: string; readonly state: 'seen' | 'done' | 'failed'; readonly slot: number} | undefined> {
  const {value} = (await read('getSignatureStatuses', [hash], {searchTransactionHistory: true})) as {
    readonly value: readonly ({
      readonly err: unknown;
      readonly slot: number;
      readonly confirmationStatus?: string | null;
    } | null)[];
  };
  const status = value[0];
  if (!status) return undefined;
  const isSettled = status.confirmationStatus !== 'processed';
  const {err, slot} = status;
  if (err !== null) return isSettled ? {hash, state: 'failed', slot} : undefined;
  return {hash, state: isSettled ? 'done' : 'seen', slot};
}

export interface Landed {
  readonly slot: number;
  /** In seconds since 1970. */
  readonly blockTime?: number | null;
  readonly transaction: {readonly message: {readonly accountKeys: readonly string[]; readonly instructions: Calls}};
  readonly meta: {
    readonly err: unknown;
    readonly fee: number;
    readonly preBalances: readonly number[];
    readonly postBalances: readonly number[];
    readonly preTokenBalances?: readonly TokenBalance[] | null;
    readonly postTokenBalances?: readonly TokenBalance[] | null;
    /** The inner instructions, by the index of the outer one. */
    readonly innerInstructions?: readonly {readonly index: number; readonly instructions: Calls}[] | null;
    readonly loadedAddresses?: {readonly writable: readonly string[]; readonly readonly: readonly string[]};
  };
}

type Calls = readonly {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  /** Base58. */
  readonly data: string;
}[];

export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner?: string;
  readonly uiTokenAmount: {readonly amount: string};
}

export async function readLanded(read: Read, hash: string): Promise<Landed | undefined> {
  const config = {encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0};
  return ((await read('getTransaction', hash, config)) as Landed | null) ?? undefined;
}

export interface Call {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

/** All addresses in a transaction, those from lookup tables last. */
export function addressesOf({transaction, meta}: Landed): readonly string[] {
  const {writable = [], readonly: others = []} = meta.loadedAddresses ?? {};
  return [...transaction.message.accountKeys, ...writable, ...others];
}

/** All calls in a transaction, including inner ones, in their order; none if it failed. */
export function callsOf(landed: Landed): readonly Call[] {
  const {transaction, meta} = landed;
  if (meta.err !== null) return [];
  const addresses = addressesOf(landed);
  const addressAt = (place: number) => addresses[place] ?? '';
  const innerOf = (place: number) =>
    (meta.innerInstructions ?? []).filter(({index}) => index === place).flatMap(({instructions}) => instructions);
  return transaction.message.instructions
    .flatMap((instruction, place) => [instruction, ...innerOf(place)])
    .map(({programIdIndex, accounts, data}) => ({
      program: addressAt(programIdIndex),
      accounts: accounts.map(addressAt),
      data: bytesOf(data),
    }));
}

/** The number of an account's transactions to read: a swap is paid in and paid out once. */
const HISTORY = 20;

/** The newest successful transactions that name an account, oldest first; those before one of them, if it is given. */
export async function readHistory(read: Read, address: string, before?: string): Promise<string[]> {
  const config = {limit: HISTORY, commitment: 'confirmed', ...(before !== undefined && {before})};
  const newest = (await read('getSignaturesForAddress', address, config)) as readonly {
    readonly signature: string;
    readonly err: unknown;
  }[];
  return newest
    .filter(({err}) => err === null)
    .map(({signature}) => signature)
    .reverse();
}

/** Why a transaction will certainly not be executed. */
export type Refusal = 'expired' | 'repeated' | 'insufficient-funds' | 'reverted';

function refusalOf(error: unknown): Refusal | undefined {
  if (error === null || error === undefined) return undefined;
  const text = writeJson(error);
  if (/BlockhashNotFound/.test(text)) return 'expired';
  if (/AlreadyProcessed/.test(text)) return 'repeated';
  // 1 is the system program's own error for insufficient funds.
  if (/InsufficientFunds|"Custom":1\b|AccountNotFound/.test(text)) return 'insufficient-funds';
  return 'reverted';
}

/** A node's codes for a transaction that it did not forward: it would fail, or a signature is wrong. */
const NOT_SENT = new Set([-32002, -32003]);

/** Why a node did not forward a transaction; `undefined` if it may have. */
export function sendingRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof NodeError)) return undefined;
  const layers = layersOf(error);
  if (!layers.some(({code}) => NOT_SENT.has(Number(code)))) return undefined;
  const reason = layers.map(({err}) => err).find(err => err !== undefined && err !== null);
  if (reason !== undefined) return refusalOf(reason);
  return /blockhash not found/i.test(messageOf(error)) ? 'expired' : 'reverted';
}

/** Returns why a transaction would not be executed on the chain's current state, if that is certain. */
export async function simulate(
  read: Read,
  transaction: string,
): Promise<{refusal: Refusal; detail: string} | undefined> {
  const {value} = (await read('simulateTransaction', transaction, {
    encoding: 'base64',
    sigVerify: false,
    commitment: 'processed',
  })) as {readonly value: {readonly err: unknown; readonly logs?: readonly string[] | null}};
  // Some nodes check signatures all the same, which are still missing.
  if (/Signature/i.test(writeJson(value.err ?? null))) return undefined;
  const refusal = refusalOf(value.err);
  return refusal && {refusal, detail: [writeJson(value.err), ...(value.logs ?? []).slice(-1)].join(' ')};
}

export interface Losses {
  /** The coins that leave it, fees included, in the smallest unit. */
  readonly coins: bigint;
  /** The rent deposit of the accounts that the transaction creates, as far as a swap's own needs it. */
  readonly rent: bigint;
  /** Whether anything else changes: the account's own program, its tokens, what else is its own, or who may move it. */
  readonly isOther: boolean;
}

interface RawAccount {
  readonly lamports: number;
  readonly owner: string;
  readonly data: readonly [string, string];
}

const TOKEN_PROGRAMS = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'];
/** Where a token account keeps its amount: 8 bytes. Everything else in it says who may move it. */
const AMOUNT_AT = 64;

function amountIn(data: Uint8Array): bigint | undefined {
  const isLong = data.length >= AMOUNT_AT + 8;
  return isLong ? new DataView(data.buffer, data.byteOffset).getBigUint64(AMOUNT_AT, true) : undefined;
}

/**
 * Simulates a transaction, and compares the payer's accounts before and after it: only those that it names can change.
 * Rejects if that fails.
 */
export async function readLosses(read: Read, bytes: Uint8Array, payer: string): Promise<Losses> {
  const config = {encoding: 'base64', commitment: 'processed'};
  const others = (readTransaction(bytes)?.accounts ?? []).filter(use => use.writable && use.address !== payer);
  const addresses = [payer, ...others.map(({address}) => address)];
  const {value: before} = (await read('getMultipleAccounts', addresses, config)) as {
    readonly value: readonly (RawAccount | null)[];
  };
  const {value} = (await read('simulateTransaction', base64(bytes), {
    ...config,
    sigVerify: false,
    accounts: {encoding: 'base64', addresses},
  })) as {readonly value: {readonly err: unknown; readonly accounts?: readonly (RawAccount | null)[] | null}};
  const {err, accounts: after} = value;
  const [purse, ...rest] = before;
  const [left, ...then] = after ?? [];
  if (err !== null || !purse || !left || before.length !== addresses.length || after?.length !== addresses.length) {
    throw new Error('The transaction could not be simulated.');
  }
  const key = bytesOf(payer).join();
  const isKept = rest.every((account, at) => !isHoldingOf(account, key) || isSameHolding(account, then[at]));
  const created = then.filter((account, at) => account && !rest[at]);
  const sizes = created.map(account => fromBase64(account?.data[0] ?? '').length);
  const rents = await Promise.all(sizes.filter(Boolean).map(size => depositFor(read, size)));
  return {
    coins: BigInt(purse.lamports) - BigInt(left.lamports),
    rent: rents.reduce((sum, rent) => (sum + rent < MOST_RENT ? sum + rent : MOST_RENT), 0n),
    isOther: left.owner !== purse.owner || left.data[0] !== purse.data[0] || !isKept,
  };
}

/** No swap's account needs a larger deposit: that of some 1,300 bytes. */
const MOST_RENT = 10_000_000n;

/** Whether an account names an owner: who may move its tokens, its stake, or whatever a program keeps there. */
function isHoldingOf(account: RawAccount | null, owner: string): account is RawAccount {
  return !!account && `,${fromBase64(account.data[0]).join()},`.includes(`,${owner},`);
}

function isSameHolding(before: RawAccount, after: RawAccount | null | undefined): boolean {
  if (!after || before.owner !== after.owner || after.lamports < before.lamports) return false;
  const [old, now] = [before, after].map(({data}) => fromBase64(data[0]));
  if (!old || old.length !== now?.length) return false;
  const [had, has] = [old, now].map(data => (TOKEN_PROGRAMS.includes(before.owner) ? amountIn(data) : undefined));
  const isAmount = (at: number) => had !== undefined && at >= AMOUNT_AT && at < AMOUNT_AT + 8;
  return (has ?? 0n) >= (had ?? 0n) && old.every((byte, at) => isAmount(at) || byte === now[at]);
}

export type Fault = 'rejected' | 'unauthorized' | 'pending' | 'unsupported' | 'failed' | 'missing';

/**
 * What wallets say, with who says it and where. They use the codes of EIP-1193 (Phantom, Error messages and codes), and
 * `@solana/wallet-adapter-base` wraps their errors into its own, known by name: the page has another copy of it.
 */
const SAID: readonly Said<Fault>[] = [
  {
    means: 'rejected',
    codes: [USER_REJECTED],
    // An adapter only signs, so if its window was closed nothing was sent.
    names: ['WalletWindowClosedError'],
    // Phantom's, which wallet-adapter repeats without the code; Backpack's, also for its closed window.
    texts: ['User rejected the request.', 'Approval Denied', 'Approval Denied: Popup Closed.'],
  },
  ...onDevice<Fault>('rejected', 'unauthorized', 'failed'),
  {means: 'missing', names: ['WalletNotReadyError']},
  {means: 'pending', codes: [-32002]},
  {means: 'unauthorized', codes: [4100], names: ['WalletNotConnectedError', 'WalletDisconnectedError']},
  {means: 'unsupported', codes: [4200, -32601]},
  {means: 'failed', ownCodes: [-32602]},
];

export function faultOf(error: unknown): Fault | undefined {
  return readSaid(SAID, error);
}
