import type {Chain} from '../domain/asset.js';
import type {Deal} from '../domain/deposit.js';
import type {PayoutOnChain} from '../domain/evidence.js';
import {lazy} from '../domain/lazy.js';
import type {ChainAdapter} from './adapter.js';
import {sha256} from './checks.js';
import type {Timeouts} from './timeouts.js';
import type {OpenChain} from './witnesses.js';

/**
 * An adapter whose chains may have several RPCs (`otherRpcs`): no single one is believed about what ends an order. With
 * one or none, the adapter is unchanged. `open`: opens a reader of a chain, if there is a way to read it; `readHeight`:
 * the number of its newest block.
 */
export function withWitnesses<A extends ChainAdapter, Read>(
  adapter: A,
  open: OpenChain<Read>,
  readHeight: (read: Read) => Promise<bigint>,
  {read}: Timeouts,
): A {
  const several = lazy(
    () => import('./witnesses.js'),
    ({hearSeveral}) => hearSeveral(adapter, open, readHeight, read),
  );
  const of = async ({otherRpcs}: Chain) => (otherRpcs ? several() : {...adapter, refund: adapter.back.refund});
  const ofDeal = ({agreed}: Deal) => of(agreed.from.chain);
  return {
    ...adapter,
    fund: async (deal, ...given) => (await ofDeal(deal)).fund(deal, ...given),
    back: adapter.back.refund
      ? {...adapter.back, refund: async (deal, ...given) => (await ofDeal(deal)).refund?.(deal, ...given) ?? ''}
      : adapter.back,
    readDeposit: async (deal, ...given) => (await ofDeal(deal)).readDeposit(deal, ...given),
    readPayout: async (asset, ...given) => (await of(asset.chain)).readPayout(asset, ...given),
  };
}

/** One transaction's payment to a recipient. */
export interface Gift {
  /** The amount received less the amount sent, in the smallest unit. */
  readonly amount: bigint;
  /** Absent while it is unconfirmed. */
  readonly block?: bigint | undefined;
  /** That block's time, in milliseconds since 1970, by its chain's clock. */
  readonly at?: number | undefined;
  /** The secrets that it reveals of swaps that pay the recipient: lowercase hex digits without a prefix. */
  readonly secrets?: readonly string[];
}

/** What ties a payout to its order. */
export type PayoutOptions = Pick<Parameters<ChainAdapter['readPayout']>[3], 'secretHash' | 'since'>;

/**
 * Sums the payments of transactions to a recipient, separately for those tied to the order: they reveal its secret, and
 * are not older than the order. `read` reads one, `undefined` if the chain does not know it. Texts that are not hashes
 * on that chain (`form`) are skipped.
 */
export async function addPayouts(
  hashes: readonly string[],
  form: Pick<RegExp, 'test'>,
  {secretHash, since = 0}: PayoutOptions,
  read: (hash: string) => Promise<Gift | undefined>,
): Promise<PayoutOnChain> {
  const gifts = await Promise.all(
    [...new Set(hashes)].map(async hash => {
      const gift = form.test(hash) ? await read(hash) : undefined;
      if (!gift || gift.amount <= 0n) return undefined;
      const secrets = secretHash === undefined ? [] : await openingIt(gift.secrets ?? [], secretHash);
      const isAnothers = secretHash !== undefined && !secrets.length && Boolean(gift.secrets?.length);
      return {...gift, hash, secrets, isAnothers: isAnothers || (gift.at !== undefined && gift.at < since)};
    }),
  );
  const found = gifts.filter(gift => gift !== undefined);
  const sum = (some: readonly Gift[]) => some.reduce((total, {amount}) => total + amount, 0n);
  const tied = found.filter(({secrets, isAnothers}) => secrets.length > 0 && !isAnothers);
  const blocks = tied.map(({block}) => block);
  const [secret] = tied.flatMap(({secrets}) => secrets);
  return {
    amount: sum(tied),
    loose: sum(found.filter(gift => !gift.isAnothers && !tied.includes(gift))),
    earlier: sum(found.filter(({isAnothers}) => isAnothers)),
    hashes: tied.map(({hash}) => hash),
    ...(blocks.length > 0 && blocks.every(block => block !== undefined) && {block: latest(blocks)}),
    ...(secret !== undefined && {secret}),
  };
}

/** The secrets that are preimages of the order's hash. */
async function openingIt(secrets: readonly string[], secretHash: string): Promise<readonly string[]> {
  const found = await Promise.all(secrets.map(sha256));
  return secrets.filter((_, at) => found[at] === secretHash.toLowerCase());
}

function latest(blocks: readonly bigint[]): bigint {
  return blocks.reduce((last, block) => (block > last ? block : last), 0n);
}
