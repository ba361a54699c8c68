/**
 * Affiliate fees: who can be paid, what each payee earns from an order, and the weekly payout.
 *
 * Real: amounts computed at the quote's prices and stored in the order; token transfers on chain. Ours: the maximum
 * number of entries, and the length of a week. For rounding see `pricing.ts`.
 */
import {setTimeout as pause} from 'node:timers/promises';
import * as v from 'valibot';
import {RequestError, type ChainLeg} from './chains/leg.js';
import type {Faults} from './faults.js';
import {shareOf, type IssuedQuote, type PricedAsset} from './pricing.js';

export interface AffiliateFee {
  readonly asset: string;
  readonly address: string;
  /** In basis points of the source amount. */
  readonly fee: number;
  /** What the payee is owed, in the smallest unit of the payout asset. */
  readonly amount: bigint;
}

export interface Payee {
  readonly asset: PricedAsset;
  readonly address: string;
  readonly fee: number;
}

/** A payee's total, and the transaction that paid it. */
export interface Payout {
  readonly asset: string;
  readonly address: string;
  readonly amount: string;
  readonly tx_hash: string;
}

/** A payee's total that could not be transferred, and why. It is retried with the next payout. */
export interface UnpaidFee {
  readonly asset: string;
  readonly address: string;
  readonly amount: string;
  readonly error: string;
}

export interface WeeklyPayout {
  /** When the week ended, in milliseconds since 1970, at a full second as in blocks. Later fees belong to the next week. */
  readonly ended: number;
  readonly payouts: readonly Payout[];
  readonly owed: readonly UnpaidFee[];
}

export interface EarnedFee {
  readonly fee: AffiliateFee;
  readonly appId: string | null;
  /** When the order was completed. */
  readonly at: Date;
}

export interface Payouts {
  endWeek(): Promise<WeeklyPayout>;
  readonly ends: readonly number[];
}

const PAYOUT_SYMBOLS = ['USDC', 'cbBTC'];
/** The documentation's example has two entries; more than this would not be readable in a review. */
const MAX_ENTRIES = 10;

const text = v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty'));
const WHOLE_BPS = 'must be whole basis points, from 1 to 10000';

/** The wire format (API, Affiliate fee entry). */
export const affiliateEntries = v.pipe(
  v.array(
    v.object({
      asset: text,
      address: text,
      fee: v.pipe(v.number(WHOLE_BPS), v.integer(WHOLE_BPS), v.minValue(1, WHOLE_BPS), v.maxValue(10_000, WHOLE_BPS)),
    }),
    'must be an array',
  ),
  v.maxLength(MAX_ENTRIES, `must be at most ${MAX_ENTRIES} entries`),
);

/** Validates the entries of an order. @throws RequestError that names the field of the first invalid entry. */
export function readPayees(
  chains: readonly ChainLeg[],
  entries: v.InferOutput<typeof affiliateEntries>,
): readonly Payee[] {
  return entries.map(({asset, address: given, fee}, place) => {
    const field = `affiliate_fees[${place}]`;
    const chain = chains.find(({assets, payout}) => payout && Object.hasOwn(assets, asset));
    const local = chain?.assets[asset];
    if (!chain || !local || !PAYOUT_SYMBOLS.includes(local.symbol)) {
      throw new RequestError(
        `${field}.asset: fees are paid out in USDC or cbBTC on supported chains, not in '${asset}'`,
      );
    }
    const read = chain.readAddress(given);
    if ('problem' in read) throw new RequestError(`${field}.address: Invalid address format, ${read.problem}`);
    const {address} = read;
    // Tokens sent to one of the chain's own contracts would be lost.
    const contracts = Object.values(chain.assets).flatMap(({token = '', contracts}) => [token, ...contracts]);
    if (contracts.includes(address)) throw new RequestError(`${field}.address: is a contract, which cannot be paid`);
    return {asset: {asset, symbol: local.symbol, decimals: local.decimals}, address, fee};
  });
}

export function feesOf(payees: readonly Payee[], quote: IssuedQuote): readonly AffiliateFee[] {
  return payees.map(({asset, address, fee}) => ({
    asset: asset.asset,
    address,
    fee,
    amount: shareOf(quote, fee, asset),
  }));
}

/**
 * Creates the weekly payout: each payee's total is one transfer, and what cannot be transferred stays owed. Each entry
 * is paid once, even if two payouts are requested at the same time: the second waits for the first. A fault can omit or
 * shorten the payments for an app's orders, permanently.
 * @param earned - The entries of all complete orders.
 */
export function createPayouts(
  chains: readonly ChainLeg[],
  earned: () => Iterable<EarnedFee>,
  faults?: Pick<Faults, 'holds' | 'end'>,
): Payouts {
  const paid = new Set<AffiliateFee>();
  const ends: number[] = [];
  let last: Promise<unknown> = Promise.resolve();

  async function transfer({asset, address}: AffiliateFee, amount: bigint): Promise<string> {
    const chain = chains.find(({assets}) => Object.hasOwn(assets, asset));
    if (!chain?.payout) throw new Error(`no chain pays out ${asset}`);
    return chain.payout(asset, address, amount);
  }

  function partOf({fee: {amount}, appId}: EarnedFee): bigint {
    if (faults?.holds('payoutDropped', appId)) return 0n;
    const short = faults?.holds('payoutShort', appId);
    return short ? (amount * BigInt(10_000 - short.bps)) / 10_000n : amount;
  }

  async function endWeek(): Promise<WeeklyPayout> {
    // Block times are full seconds: a payment has to be in a later second than the fees it pays.
    const ended = (Math.floor(Date.now() / 1_000) + 1) * 1_000;
    await pause(ended - Date.now());
    ends.push(ended);
    // A chain that does not answer must not block payouts on the others.
    await Promise.allSettled(chains.map(chain => chain.sync()));

    const shares = new Map<string, [EarnedFee, ...EarnedFee[]]>();
    for (const entry of earned()) {
      const {fee, at} = entry;
      if (paid.has(fee) || at.getTime() >= ended) continue;
      const payee = `${fee.asset} ${fee.address}`;
      const others = shares.get(payee);
      if (others) others.push(entry);
      else shares.set(payee, [entry]);
    }
    const payouts: Payout[] = [];
    const owed: UnpaidFee[] = [];
    for (const entries of shares.values()) {
      const [{fee}] = entries;
      const {asset, address} = fee;
      const sum = entries.reduce((total, entry) => total + partOf(entry), 0n);
      const share = {asset, address, amount: sum.toString()};
      try {
        if (sum > 0n) payouts.push({...share, tx_hash: await transfer(fee, sum)});
        for (const {fee} of entries) paid.add(fee);
      } catch (error) {
        owed.push({...share, error: error instanceof Error ? error.message : String(error)});
      }
    }
    for (const appId of new Set([...shares.values()].flat().map(({appId}) => appId))) {
      faults?.end('payoutDropped', appId);
      faults?.end('payoutShort', appId);
    }
    // So that readers of a chain see that the week has ended there.
    await Promise.allSettled(chains.filter(({payout}) => payout).map(chain => chain.mine(1)));
    return {ended, payouts, owed};
  }

  return {
    ends,
    endWeek() {
      const turn = last.then(endWeek);
      last = turn.catch(() => {});
      return turn;
    },
  };
}

const WEEK_MS = 7 * 24 * 60 * 60_000;

/** Pays at the end of each week of a clock that runs this much faster than real time. Returns a function to stop it. */
export function everyWeek(payout: () => Promise<unknown>, speed: number): () => void {
  // Unpaid fees stay owed until the next payout.
  const timer = setInterval(() => void payout().catch(() => {}), WEEK_MS / speed);
  timer.unref();
  return () => clearInterval(timer);
}
