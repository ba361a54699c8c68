import type {Chain} from '../../domain/asset.js';
import type {DepositState, FeeHint} from '../adapter.js';
import type {Timeouts} from '../timeouts.js';

/** Reads a path of a node's Esplora interface, parsed. */
export type Read = (path: string) => Promise<unknown>;

/** Reads a chain from the address that the partner named, and from nowhere else. */
export function readerOf({rpc}: Chain, timeouts: Timeouts, signal?: AbortSignal): Read | undefined {
  if (rpc === undefined) return undefined;
  const base = rpc.replace(/\/+$/, '');
  return async path => {
    const timeout = AbortSignal.timeout(timeouts.read);
    const response = await fetch(`${base}${path}`, {
      credentials: 'omit',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (!response.ok) throw new Error(`${path}: ${String(response.status)}`);
    return (await response.json()) as unknown;
  };
}

/** Whether anything was ever paid to an address, in a block or on its way. An address belongs to one order alone. */
export async function readState(read: Read, address: string): Promise<DepositState> {
  const {chain_stats, mempool_stats} = (await read(`/address/${address}`)) as Record<string, Record<string, unknown>>;
  const counts = [chain_stats?.['funded_txo_count'], mempool_stats?.['funded_txo_count']];
  if (!counts.every(count => Number.isSafeInteger(count))) return 'unknown';
  return counts.some(count => Number(count) > 0) ? 'seen' : 'none';
}

/** All that was ever paid to an address, in a block or on its way. */
export async function readReceived(read: Read, address: string): Promise<bigint> {
  const {chain_stats, mempool_stats} = (await read(`/address/${address}`)) as Record<string, Record<string, unknown>>;
  return readAmount(chain_stats?.['funded_txo_sum']) + readAmount(mempool_stats?.['funded_txo_sum']);
}

/** What an address holds that may be spent, payments on their way included. */
export async function readBalance(read: Read, address: string): Promise<bigint | undefined> {
  const stats = Object.values((await read(`/address/${address}`)) as Record<string, unknown>).filter(
    part => typeof part === 'object' && part !== null,
  ) as Record<string, unknown>[];
  const sum = (field: string) => stats.reduce((total, part) => total + readAmount(part[field]), 0n);
  return stats.length === 2 ? sum('funded_txo_sum') - sum('spent_txo_sum') : undefined;
}

interface WireTransaction {
  readonly fee: number;
  /** In quarters of a virtual byte (BIP 141). */
  readonly weight: number;
  readonly vout: readonly {readonly scriptpubkey_address?: string}[];
  readonly status: {readonly confirmed: boolean};
}

/** The fee rate of payments to an address that wait for a block, and the rate that is advised. */
export async function readFee(read: Read, address: string): Promise<FeeHint | undefined> {
  const [transactions, estimates] = (await Promise.all([read(`/address/${address}/txs`), read('/fee-estimates')])) as [
    readonly WireTransaction[],
    Readonly<Record<string, unknown>>,
  ];
  const rates = transactions
    .filter(({status}) => !status.confirmed)
    // Payments from the address are listed, too.
    .filter(({vout}) => vout.some(({scriptpubkey_address}) => scriptpubkey_address === address))
    .map(({fee, weight}) => (fee * 4) / weight);
  const [paid, wanted] = [Math.min(...rates), adviceIn(estimates)].map(rate => Math.round(rate * 10) / 10);
  return paid && wanted && Number.isFinite(paid) && Number.isFinite(wanted)
    ? {paid, wanted, unit: 'sat/vB'}
    : undefined;
}

/** Virtual bytes of a payment to a taproot address, without its inputs. */
const PAYMENT_SIZE = 54;

/**
 * The most that a payment which spends all coins of an address costs: twice the advised fee, since wallets follow
 * advice of their own.
 */
export async function readSpendingFee(read: Read, address: string): Promise<bigint> {
  const [coins, estimates] = (await Promise.all([read(`/address/${address}/utxo`), read('/fee-estimates')])) as [
    readonly unknown[],
    Readonly<Record<string, unknown>>,
  ];
  return BigInt(Math.ceil(2 * adviceIn(estimates) * (PAYMENT_SIZE + coins.length * coinSize(address))));
}

/** Virtual bytes of an input with one key, by the kind of its address: taproot, segwit, or older. */
function coinSize(address: string): number {
  if (!/^(?:bc|tb|bcrt)1/.test(address)) return 148;
  return /^[a-z]+1p/.test(address) ? 58 : 68;
}

/**
 * The advised fee rate for the next block or the one after it, in satoshi per virtual byte; `NaN` where there is none.
 */
function adviceIn(estimates: Readonly<Record<string, unknown>>): number {
  return Number(estimates['1'] ?? estimates['2']);
}

/** A number holds the sum of all coins exactly, so Esplora writes amounts as numbers. */
function readAmount(value: unknown): bigint {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new Error('no amount');
  return BigInt(value as number);
}
