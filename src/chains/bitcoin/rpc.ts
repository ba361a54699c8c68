import type {Chain} from '../../domain/asset.js';
import type {FeeHint} from '../adapter.js';
import {askInTurn, rpcsOf} from '../rpc.js';
import type {Timeouts} from '../timeouts.js';

/** Reads a path of a node's Esplora API as JSON; `undefined` if the node does not know it. */
export type Read = (path: string) => Promise<unknown>;

/** Reads a chain only from the RPCs that the partner named. */
export function readerOf(chain: Chain, timeouts: Timeouts, signal?: AbortSignal): Read | undefined {
  if (chain.rpc === undefined) return undefined;
  const ask = async (url: string, path: string) => {
    const timeout = AbortSignal.timeout(timeouts.read);
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
      credentials: 'omit',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`${path}: ${String(response.status)}`);
    return (await response.json()) as unknown;
  };
  return path => askInTurn(rpcsOf(chain), url => ask(url, path), signal);
}

export async function readHeight(read: Read): Promise<bigint> {
  return readAmount(await read('/blocks/tip/height'));
}

/** The time of the newest block, in milliseconds since 1970, as its miner wrote it: true to two hours. */
export async function readTime(read: Read): Promise<number> {
  const [newest] = (await read('/blocks')) as readonly {readonly timestamp?: unknown}[];
  if (typeof newest?.timestamp !== 'number') throw new Error('The block has no time.');
  return newest.timestamp * 1_000;
}

/** All payments to an address and from it, confirmed or not. */
export interface Sums {
  readonly received: bigint;
  readonly spent: bigint;
  /** The unconfirmed part of the payments to it. */
  readonly waiting: bigint;
}

export async function readSums(read: Read, address: string): Promise<Sums> {
  const {chain_stats, mempool_stats} = (await read(`/address/${address}`)) as Record<string, Record<string, unknown>>;
  const sum = (field: string) => readAmount(chain_stats?.[field]) + readAmount(mempool_stats?.[field]);
  const waiting = readAmount(mempool_stats?.['funded_txo_sum']);
  return {received: sum('funded_txo_sum'), spent: sum('spent_txo_sum'), waiting};
}

export async function readBalance(read: Read, address: string): Promise<bigint> {
  const {received, spent} = await readSums(read, address);
  return received - spent;
}

/** A transaction in Esplora's format. */
export interface WireTransaction {
  readonly txid: string;
  readonly fee: number;
  /** In quarters of a virtual byte (BIP 141). */
  readonly weight: number;
  readonly vin: readonly WireInput[];
  readonly vout: readonly WireOutput[];
  readonly status: {
    readonly confirmed: boolean;
    readonly block_height?: number;
    /** In seconds since 1970. */
    readonly block_time?: number;
  };
}

export interface WireInput {
  readonly prevout?: WireOutput | null;
  readonly witness?: readonly string[];
}

export interface WireOutput {
  readonly scriptpubkey_address?: string;
  readonly value: number;
}

export async function readTransactions(read: Read, address: string): Promise<readonly WireTransaction[]> {
  return (await read(`/address/${address}/txs`)) as readonly WireTransaction[];
}

export async function readTransaction(read: Read, txid: string): Promise<WireTransaction | undefined> {
  return (await read(`/tx/${txid}`)) as WireTransaction | undefined;
}

export function paysTo({vout}: Pick<WireTransaction, 'vout'>, address: string): boolean {
  return vout.some(output => output.scriptpubkey_address === address);
}

export function blockOf({status}: Pick<WireTransaction, 'status'>): bigint | undefined {
  return status.confirmed && status.block_height !== undefined ? BigInt(status.block_height) : undefined;
}

/** The time of a transaction's block, in milliseconds since 1970; `undefined` while it is unconfirmed. */
export function timeOf({status}: Pick<WireTransaction, 'status'>): number | undefined {
  return status.confirmed && status.block_time !== undefined ? status.block_time * 1_000 : undefined;
}

export function sumOf(outputs: readonly (WireOutput | null | undefined)[], address: string): bigint {
  return outputs
    .filter(output => output?.scriptpubkey_address === address)
    .reduce((total, output) => total + readAmount(output?.value), 0n);
}

/** How long the next two blocks usually take together, in milliseconds: the recommended rate is for one of them. */
const TWO_BLOCKS_MS = 20 * 60_000;

export async function readFee(read: Read, address: string): Promise<FeeHint | undefined> {
  const [transactions, estimates] = await Promise.all([readTransactions(read, address), readEstimates(read)]);
  const rates = transactions
    .filter(({status}) => !status.confirmed)
    // Payments from the address are listed, too.
    .filter(transaction => paysTo(transaction, address))
    .map(({fee, weight}) => (fee * 4) / weight);
  const [paid = 0, wanted = 0] = [Math.min(...rates), adviceIn(estimates)].map(rate => Math.round(rate * 10) / 10);
  const isRate = (rate: number) => rate > 0 && rate < Infinity;
  return isRate(wanted) && (isRate(paid) || !rates.length)
    ? {...(rates.length > 0 && {paid}), wanted, within: TWO_BLOCKS_MS, unit: 'sat/vB'}
    : undefined;
}

/** The virtual size of a payment to a taproot address, without its inputs. */
const PAYMENT_SIZE = 54;

/**
 * The maximum cost of a payment that spends all coins of an address: twice the recommended fee, since wallets use
 * estimates of their own.
 */
export async function readSpendingFee(read: Read, address: string): Promise<bigint> {
  const [coins, estimates] = await Promise.all([read(`/address/${address}/utxo`), readEstimates(read)]);
  return BigInt(
    Math.ceil(2 * adviceIn(estimates) * (PAYMENT_SIZE + (coins as readonly unknown[]).length * coinSize(address))),
  );
}

async function readEstimates(read: Read): Promise<Readonly<Record<string, unknown>>> {
  return (await read('/fee-estimates')) as Readonly<Record<string, unknown>>;
}

/** The virtual size of an input with one key, by the address type: taproot, segwit, or older. */
function coinSize(address: string): number {
  if (!/^(?:bc|tb|bcrt)1/.test(address)) return 148;
  return /^[a-z]+1p/.test(address) ? 58 : 68;
}

/** In satoshi per virtual byte; `NaN` if there is none. */
function adviceIn(estimates: Readonly<Record<string, unknown>>): number {
  return Number(estimates['1'] ?? estimates['2']);
}

/** Esplora returns amounts as numbers, which can represent the sum of all coins exactly. */
export function readAmount(value: unknown): bigint {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new Error('no amount');
  return BigInt(value as number);
}
