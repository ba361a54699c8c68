import type {Chain} from '../domain/asset.js';
import type {Deal} from '../domain/deposit.js';
import type {PayoutOnChain} from '../domain/evidence.js';
import {lazy} from '../domain/lazy.js';
import type {ChainAdapter, ReadOptions, ReadPayoutOptions} from './adapter.js';
import {sha256} from './checks.js';
import {tryRead} from './errors.js';
import type {Timeouts} from './timeouts.js';
import type {OpenChain} from './witnesses.js';

export type WithoutHead = Omit<ChainAdapter, 'readHeight' | 'readTime'>;

/**
 * Of a chain with several RPCs (`otherRpcs`), no single one is believed about what ends an order. With one or none, the
 * adapter is unchanged. `head`: the number of the newest block, and that block's time.
 */
export function withWitnesses<Read>(
  adapter: WithoutHead,
  open: OpenChain<Read>,
  head: {readHeight(read: Read): Promise<bigint>; readTime(read: Read): Promise<number>},
  {read}: Timeouts,
): ChainAdapter {
  const reading =
    <T>(readOne: (read: Read) => Promise<T>) =>
    (chain: Chain, options: ReadOptions): Promise<T | undefined> =>
      tryRead(async () => {
        const opened = await open(chain, options);
        return opened && readOne(opened);
      });
  const reads = {readHeight: reading(head.readHeight), readTime: reading(head.readTime)};
  const several = lazy(
    () => import('./witnesses.js'),
    ({hearSeveral}) => hearSeveral({...adapter, ...reads}, read),
  );
  const of = async ({otherRpcs}: Chain) =>
    otherRpcs ? several() : {...adapter, refund: adapter.back.refund, ...reads};
  const ofDeal = ({agreed}: Deal) => of(agreed.from.chain);
  return {
    ...adapter,
    async check(deal, options) {
      const report = await (await ofDeal(deal)).check(deal, options);
      options.signal?.throwIfAborted();
      return report;
    },
    fund: async (deal, ...given) => (await ofDeal(deal)).fund(deal, ...given),
    back: adapter.back.refund
      ? {...adapter.back, refund: async (deal, ...given) => (await ofDeal(deal)).refund?.(deal, ...given) ?? ''}
      : adapter.back,
    readDeposit: async (deal, ...given) => (await ofDeal(deal)).readDeposit(deal, ...given),
    readPayout: async (asset, ...given) => (await of(asset.chain)).readPayout(asset, ...given),
    readHeight: async (chain, options) => (await of(chain)).readHeight(chain, options),
    readTime: async (chain, options) => (await of(chain)).readTime(chain, options),
  };
}

export interface Gift {
  /** The amount received less the amount sent, in the smallest unit. */
  readonly amount: bigint;
  /** Absent while it is unconfirmed. */
  readonly block?: bigint | undefined;
  /** That block's time, in milliseconds since 1970, by its chain's clock. */
  readonly at?: number | undefined;
  /** The swaps that it redeems to the recipient, in its own order. */
  readonly redeems?: readonly Redeem[];
}

export interface Redeem {
  readonly swap: string;
  /** The secret that it reveals: lowercase hex digits without a prefix. */
  readonly secret: string;
  /** The amount that it held for the recipient, in the smallest unit; 0 if that is unknown. */
  readonly amount: bigint;
  /** Whether it is the swap that the order names (`leg`); `undefined` if that cannot be told. */
  readonly isNamed: boolean | undefined;
}

/** What ties a payout to its order. */
export type PayoutOptions = Pick<ReadPayoutOptions, 'secretHash' | 'leg' | 'after' | 'since'>;

/**
 * Sums the payments of transactions to a recipient. A transaction may redeem the swaps of several orders: tied to this
 * one is only the amount of its own swap, which has its secret, and which is not older than the order. `read` reads a
 * transaction, `undefined` if the chain does not know it. Texts that are not hashes on that chain (`form`) are skipped.
 */
export async function addPayouts(
  hashes: readonly string[],
  form: Pick<RegExp, 'test'>,
  {secretHash, after, since = -Infinity}: PayoutOptions,
  read: (hash: string) => Promise<Gift | undefined>,
): Promise<PayoutOnChain> {
  const readOne = async (hash: string) => {
    const gift = form.test(hash) ? await read(hash) : undefined;
    return gift && gift.amount > 0n ? [{...gift, hash, shares: secretHash === undefined ? [] : sharesOf(gift)}] : [];
  };
  const gifts = (await Promise.all([...new Set(hashes)].map(readOne))).flat();
  const own = await openedBy(
    gifts.flatMap(({shares}) => shares),
    secretHash,
  );
  const swap = ownSwap(own);
  // One clock decides: the chain's own, if its height is known.
  const isOlder = ({block, at = since}: Gift) =>
    after === undefined ? at < since : block !== undefined && block <= after;
  const parts = gifts.map(({shares, ...gift}) => {
    const others = shares.filter(share => !own.includes(share));
    const isAnothers = isOlder(gift) || (shares.length > 0 && shares.length === others.length);
    const tied = isAnothers ? 0n : sumOf(shares.filter(share => share.swap === swap));
    return {...gift, tied, earlier: isAnothers ? gift.amount : sumOf(others)};
  });
  const tied = parts.filter(part => part.tied > 0n);
  const amount = total(tied.map(part => part.tied));
  const earlier = total(parts.map(part => part.earlier));
  const blocks = tied.map(({block}) => block);
  return {
    amount,
    loose: sumOf(gifts) - amount - earlier,
    earlier,
    hashes: tied.map(({hash}) => hash),
    ...(blocks.length > 0 && blocks.every(block => block !== undefined) && {block: latest(blocks)}),
    ...(tied.length > 0 && own[0] && {secret: own[0].secret}),
  };
}

/**
 * What each redeem of a transaction is credited with: what its swap held, in the transaction's order, until nothing is
 * left of what arrived. So the shares of all orders together are never more than that.
 */
function sharesOf({amount: arrived, redeems = []}: Gift): readonly Redeem[] {
  let left = arrived;
  return redeems.map(redeem => {
    const amount = least(redeem.amount, left);
    left -= amount;
    return {...redeem, amount};
  });
}

async function openedBy(redeems: readonly Redeem[], hash: string | undefined): Promise<readonly Redeem[]> {
  const found = await Promise.all(redeems.map(({secret}) => sha256(secret)));
  return redeems.filter((_, at) => found[at] === hash?.toLowerCase());
}

/** An order's own swap: the one that it names, or else the only one with its secret, unless it names another. */
function ownSwap(redeems: readonly Redeem[]): string | undefined {
  const named = redeems.find(({isNamed}) => isNamed);
  if (named) return named.swap;
  const [first] = redeems;
  const isSingle = redeems.every(({swap}) => swap === first?.swap);
  return isSingle && first?.isNamed === undefined ? first?.swap : undefined;
}

function sumOf(some: readonly {readonly amount: bigint}[]): bigint {
  return total(some.map(({amount}) => amount));
}

export function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

export function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

export function latest(blocks: readonly bigint[]): bigint {
  return blocks.reduce((last, block) => (block > last ? block : last), 0n);
}
