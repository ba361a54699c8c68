import type {Chain} from '../../domain/asset.js';
import type {DepositSight, Payment, Payments} from '../adapter.js';

/** How long one answer may take, in milliseconds. */
const PATIENCE = 12_000;

/** Asks a node's Esplora interface something; answers what it says, parsed. */
export type Read = (path: string) => Promise<unknown>;

/** How a chain can be read: from the address that the partner named, and from nowhere else. */
export function readerOf({rpc}: Chain, signal?: AbortSignal): Read | undefined {
  if (rpc === undefined) return undefined;
  const base = rpc.replace(/\/+$/, '');
  return async path => {
    const late = AbortSignal.timeout(PATIENCE);
    const response = await fetch(`${base}${path}`, {
      credentials: 'omit',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    if (!response.ok) throw new Error(`${path}: ${String(response.status)}`);
    return (await response.json()) as unknown;
  };
}

/** Whether anything was ever paid to an address, in a block or on its way. An address is one order's alone. */
export async function readSight(read: Read, address: string): Promise<DepositSight> {
  const {chain_stats, mempool_stats} = (await read(`/address/${address}`)) as Record<string, Record<string, unknown>>;
  const counts = [chain_stats?.['funded_txo_count'], mempool_stats?.['funded_txo_count']];
  if (!counts.every(count => Number.isSafeInteger(count))) return 'unknown';
  return counts.some(count => Number(count) > 0) ? 'seen' : 'none';
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
  readonly txid: string;
  readonly fee: number;
  /** In quarters of a virtual byte (BIP 141). */
  readonly weight: number;
  readonly vout: readonly {readonly scriptpubkey_address?: string; readonly value: number}[];
  readonly status: {readonly confirmed: boolean; readonly block_height?: number};
}

/** The payments to an address, and what a miner wants at the moment. */
export async function readPayments(read: Read, address: string): Promise<Payments> {
  const [transactions, height, estimates] = (await Promise.all([
    read(`/address/${address}/txs`),
    read('/blocks/tip/height'),
    // It advises only.
    read('/fee-estimates').catch(() => ({})),
  ])) as [readonly WireTransaction[], number, Readonly<Record<string, number>>];
  const payments = transactions.map(({txid, fee, weight, vout, status}): Payment => {
    const outputs = vout.filter(({scriptpubkey_address}) => scriptpubkey_address === address);
    const confirmations = status.confirmed ? height - Number(status.block_height) + 1 : 0;
    return {
      hash: txid,
      amount: outputs.reduce((sum, {value}) => sum + readAmount(value), 0n),
      confirmations: Number.isSafeInteger(confirmations) ? Math.max(0, confirmations) : 0,
      feeRate: (fee * 4) / weight,
    };
  });
  const feeRate = estimates['1'] ?? estimates['2'];
  return {
    // What spends from the address is listed, too.
    payments: payments.filter(({amount}) => amount > 0n),
    ...(typeof feeRate === 'number' && {feeRate}),
  };
}

/** All coins there can be fit into a number exactly, so Esplora writes amounts as numbers. */
function readAmount(value: unknown): bigint {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw new Error('no amount');
  return BigInt(value as number);
}
