import type {PayoutOnChain} from '../domain/witness.js';
import type {ChainAdapter} from './adapter.js';
import {sha256} from './checks.js';

/** An order as a contract keeps it. */
export interface KeptOrder {
  readonly initiator: string;
  readonly redeemer: string;
  readonly amount: bigint;
  /** The block in which it was paid in. */
  readonly block: bigint;
  /** Whether the money still lies there: neither redeemed nor refunded. */
  readonly isHeld: boolean;
}

/** What one transaction gave a recipient. */
export interface Gift {
  /** What came in less what went out by it, in the smallest unit. */
  readonly amount: bigint;
  /** Absent while it is in none. */
  readonly block?: bigint | undefined;
  /** The secrets that it reveals of swaps that pay the recipient: hex digits in lower case without a prefix. */
  readonly secrets?: readonly string[];
}

/** What is looked for in a payout beside its amount. */
export type PayoutOptions = Pick<Parameters<NonNullable<ChainAdapter['readPayout']>>[3], 'secretHash'>;

/**
 * Adds up what transactions gave a recipient. `read` reads one, `undefined` where the chain does not know it. A text that
 * is no hash on that chain (`form`) is not asked for. One that reveals secrets of other swaps alone counts as nothing.
 */
export async function addPayouts(
  hashes: readonly string[],
  form: RegExp,
  {secretHash}: PayoutOptions,
  read: (hash: string) => Promise<Gift | undefined>,
): Promise<PayoutOnChain> {
  const readOwn = async (hash: string): Promise<Gift | undefined> => {
    const gift = await read(hash);
    if (!gift?.secrets?.length || !secretHash) return gift;
    const found = await Promise.all(gift.secrets.map(sha256));
    const secrets = gift.secrets.filter((_, at) => found[at] === secretHash.toLowerCase());
    return {...gift, ...(!secrets.length && {amount: 0n}), secrets};
  };
  const gifts = await Promise.all(
    [...new Set(hashes)].map(async hash => (form.test(hash) ? readOwn(hash) : undefined)),
  );
  const amount = gifts.reduce((sum, gift) => sum + (gift?.amount ?? 0n), 0n);
  const blocks = gifts.map(gift => gift?.block);
  const [secret, ...more] = new Set(gifts.flatMap(gift => gift?.secrets ?? []));
  return {
    amount: amount > 0n ? amount : 0n,
    ...(blocks.length > 0 && blocks.every(block => block !== undefined) && {block: latest(blocks)}),
    // Of several it is not known which is whose.
    ...(secret !== undefined && !more.length && {secret}),
  };
}

function latest(blocks: readonly bigint[]): bigint {
  return blocks.reduce((last, block) => (block > last ? block : last), 0n);
}
