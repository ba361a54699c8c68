import type {PayoutOnChain} from '../domain/witness.js';

/** What one transaction gave a recipient. */
export interface Gift {
  /** What came in less what went out by it, in the smallest unit. */
  readonly amount: bigint;
  /** Absent while it is in none. */
  readonly block?: bigint | undefined;
  /** The secrets that it reveals of swaps that pay the recipient: hex digits in lower case without a prefix. */
  readonly secrets?: readonly string[];
}

/**
 * Adds up what transactions gave a recipient. `read` reads one, `undefined` where the chain does not know it. A text that
 * is no hash on that chain (`form`) is not asked for.
 */
export async function addPayouts(
  hashes: readonly string[],
  form: RegExp,
  read: (hash: string) => Promise<Gift | undefined>,
): Promise<PayoutOnChain> {
  const gifts = await Promise.all([...new Set(hashes)].map(async hash => (form.test(hash) ? read(hash) : undefined)));
  const amount = gifts.reduce((sum, gift) => sum + (gift?.amount ?? 0n), 0n);
  const [first, ...others] = gifts.map(gift => gift?.block);
  const block = others.reduce(
    (last, one) => (last === undefined || one === undefined || one > last ? one : last),
    first,
  );
  const [secret, ...more] = new Set(gifts.flatMap(gift => gift?.secrets ?? []));
  return {
    amount: amount > 0n ? amount : 0n,
    ...(gifts.every(gift => gift?.block !== undefined) && block !== undefined && {block}),
    // Of several it is not known which is whose.
    ...(secret !== undefined && !more.length && {secret}),
  };
}
