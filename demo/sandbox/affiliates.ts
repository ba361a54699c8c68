/**
 * Affiliate fees: who may be paid, what each payee is owed of an order, and the end of the week.
 *
 * Real: amounts reckoned at the quote's prices and stored in the order, transfers of the token on its chain. Ours: how
 * many entries an order may have, and that a week ends when somebody asks for it. How amounts are rounded: `pricing.ts`.
 */
import * as v from 'valibot';
import {Refusal, type ChainLeg} from './chains/leg.js';
import {shareOf, type IssuedQuote, type PricedAsset} from './pricing.js';

/** One entry of an order's affiliate fees, as it is stored. */
export interface AffiliateFee {
  readonly asset: string;
  readonly address: string;
  /** In basis points of the source amount. */
  readonly fee: number;
  /** What the payee is owed, in the smallest unit of the payout asset. */
  readonly amount: bigint;
}

/** Who is to be paid how much of an order, before there is one. */
export interface Payee {
  readonly asset: PricedAsset;
  readonly address: string;
  readonly fee: number;
}

/** A payee's sum, paid by this transaction. */
export interface Payout {
  readonly asset: string;
  readonly address: string;
  readonly amount: string;
  readonly tx_hash: string;
}

/** A payee's sum that could not be transferred, and why: it is tried again with the next week's. */
export interface Debt {
  readonly asset: string;
  readonly address: string;
  readonly amount: string;
  readonly error: string;
}

export interface Week {
  readonly payouts: readonly Payout[];
  readonly owed: readonly Debt[];
}

/** What affiliates are paid in, on chains that pay them (API, Affiliate fee entry, rule 3). */
const PAYOUT_SYMBOLS = ['USDC', 'CBBTC'];
/** A split has an example of two; nobody reads more than this in a review. */
const MOST_ENTRIES = 10;

const text = v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty'));
const WHOLE_BPS = 'must be whole basis points, from 1 to 10000';

/** The wire form (API, Affiliate fee entry). */
export const affiliateEntries = v.pipe(
  v.array(
    v.object({
      asset: text,
      address: text,
      fee: v.pipe(v.number(WHOLE_BPS), v.integer(WHOLE_BPS), v.minValue(1, WHOLE_BPS), v.maxValue(10_000, WHOLE_BPS)),
    }),
    'must be an array',
  ),
  v.maxLength(MOST_ENTRIES, `must be at most ${MOST_ENTRIES} entries`),
);

/** The payees behind the entries of an order. Refuses by the field of the entry that cannot be paid. */
export function readPayees(
  chains: readonly ChainLeg[],
  entries: v.InferOutput<typeof affiliateEntries>,
): readonly Payee[] {
  return entries.map(({asset, address: given, fee}, place) => {
    const field = `affiliate_fees[${place}]`;
    const chain = chains.find(({assets, payout}) => payout && Object.hasOwn(assets, asset));
    const local = chain?.assets[asset];
    if (!chain || !local || !PAYOUT_SYMBOLS.includes(local.symbol)) {
      throw new Refusal(`${field}.asset: fees are paid out in USDC or cbBTC on supported chains, not in '${asset}'`);
    }
    const read = chain.readAddress(given);
    if ('problem' in read) throw new Refusal(`${field}.address: Invalid address format, ${read.problem}`);
    const {address} = read;
    // What is transferred to a contract of the chain's own can never be moved again.
    const contracts = Object.values(chain.assets).flatMap(({token = '', contracts}) => [token, ...contracts]);
    if (contracts.includes(address)) throw new Refusal(`${field}.address: is a contract, which cannot be paid`);
    return {asset: {asset, symbol: local.symbol, decimals: local.decimals}, address, fee};
  });
}

/** What each payee is owed, at the prices of the quote that the order repeats. */
export function feesOf(payees: readonly Payee[], quote: IssuedQuote): readonly AffiliateFee[] {
  return payees.map(({asset, address, fee}) => ({
    asset: asset.asset,
    address,
    fee,
    amount: shareOf(quote, fee, asset),
  }));
}

/**
 * Makes the end of the week: each payee's sum is transferred at once, and what cannot be transferred stays owed. Each
 * entry is paid once, also where two weeks end at the same time: the second waits for the first.
 * @param earned - The entries of all orders that are complete.
 */
export function createPayouts(chains: readonly ChainLeg[], earned: () => Iterable<AffiliateFee>): () => Promise<Week> {
  const paid = new Set<AffiliateFee>();
  let last: Promise<unknown> = Promise.resolve();

  async function transfer({asset, address}: AffiliateFee, amount: bigint): Promise<string> {
    const chain = chains.find(({assets}) => Object.hasOwn(assets, asset));
    if (!chain?.payout) throw new Error(`nobody pays ${asset}`);
    return chain.payout(asset, address, amount);
  }

  async function endWeek(): Promise<Week> {
    const shares = new Map<string, [AffiliateFee, ...AffiliateFee[]]>();
    for (const fee of earned()) {
      if (paid.has(fee)) continue;
      const payee = `${fee.asset} ${fee.address}`;
      const others = shares.get(payee);
      if (others) others.push(fee);
      else shares.set(payee, [fee]);
    }
    const payouts: Payout[] = [];
    const owed: Debt[] = [];
    for (const fees of shares.values()) {
      const [{asset, address}] = fees;
      const sum = fees.reduce((total, {amount}) => total + amount, 0n);
      const share = {asset, address, amount: sum.toString()};
      try {
        const tx_hash = await transfer(fees[0], sum);
        for (const fee of fees) paid.add(fee);
        payouts.push({...share, tx_hash});
      } catch (error) {
        owed.push({...share, error: error instanceof Error ? error.message : String(error)});
      }
    }
    return {payouts, owed};
  }

  return () => {
    const turn = last.then(endWeek);
    last = turn.catch(() => {});
    return turn;
  };
}
