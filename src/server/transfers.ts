/*
 * The transfers to an address, according to its chain. Loaded by back ends, never for a visitor.
 */
import type {Asset, Chain, ChainFamily} from '../domain/asset.js';
import {writeJson} from '../domain/json.js';
import type {PayoutTransfer, ReadTransfers} from './payout-weeks.js';
import {messageOf} from '../chains/errors.js';
import type {TransferReader} from './evm-transfers.js';
import {rpcsOf} from '../chains/rpc.js';

/** The code for each family. Others have no asset that fees are paid out in (API, Affiliate fee entry, rule 3). */
const READERS: Partial<Record<ChainFamily, (chain: Chain) => Promise<TransferReader | undefined>>> = {
  evm: async chain => (await import('./evm-transfers.js')).openTransfers(chain),
};

export interface TransferQuestion {
  readonly asset: Asset;
  readonly to: string;
  /** In milliseconds since 1970. */
  readonly since: number;
  readonly payers?: readonly string[] | undefined;
}

/** Never rejects: if reading fails, it returns the reason. Of several RPCs two have to agree. */
export async function readTransfers({asset, to, since, payers}: TransferQuestion): Promise<ReadTransfers> {
  const {chain, token} = asset;
  const open = READERS[chain.family];
  if (!open) return {unread: `Payouts on ${chain.title} cannot be read.`};
  if (token === undefined) return {unread: `${asset.symbol} is no token: nothing on the chain lists what came.`};
  const urls = rpcsOf(chain);
  if (!urls.length) return {unread: `rpc names no address of ${chain.title}.`};
  const failures: string[] = [];
  const attempt = async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await ask();
    } catch (failure) {
      failures.push(messageOf(failure) || String(failure));
      return undefined;
    }
  };
  const opened = await Promise.all(
    urls.map(rpc =>
      attempt(async () => {
        const reader = await open({...chain, rpc, otherRpcs: []});
        if (!reader) throw new Error(`${new URL(rpc).host} is not ${chain.title}.`);
        return {reader, height: await reader.height()};
      }),
    ),
  );
  const readers = opened.filter(one => one !== undefined);
  const needed = Math.min(urls.length, 2);
  const [best] = readers;
  if (!best) return {unread: String(failures[0])};
  // All of them are queried for the blocks that all of them have.
  const last = readers.reduce((lowest, {height}) => (height < lowest ? height : lowest), best.height);
  const answers = await Promise.all(
    readers.map(({reader}) =>
      attempt(async () => {
        const until = await reader.time(last);
        const first = await firstSince(reader, since, last);
        return {until, transfers: await reader.transfers({token, to, payers, first, last})};
      }),
    ),
  );
  const heard = answers.filter(answer => answer !== undefined);
  const texts = heard.map(({until, transfers}) => writeJson([until, transfers.map(textOf).sort()]));
  const found = heard.find((_, at) => texts.filter(text => text === texts[at]).length >= needed);
  if (found) return found;
  return {
    unread: heard.length < needed ? String(failures[0]) : `The addresses of ${chain.title} contradict each other.`,
  };
}

function textOf({hash, from, amount, at}: PayoutTransfer): string {
  return [hash, from, amount, at].join(' ').toLowerCase();
}

/** The first block at this time or later; the one after `last` if there is none. */
async function firstSince({time}: TransferReader, since: number, last: bigint): Promise<bigint> {
  let [low, high] = [0n, last + 1n];
  while (low < high) {
    const middle = (low + high) / 2n;
    if ((await time(middle)) < since) low = middle + 1n;
    else high = middle;
  }
  return low;
}
