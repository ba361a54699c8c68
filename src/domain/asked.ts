import {SwapError} from './error.js';

/** What a page asks for, as a payment: at least so much of an asset. */
export interface Asked {
  /** The least that has to arrive, in the smallest unit. */
  readonly atLeast: bigint;
}

/** What some amount would bring. */
interface Offer {
  readonly amount: bigint;
  readonly receive: bigint;
}

/** How many prices are asked for at most. */
const TRIES = 10;

/** What has to be offered so that at least so much arrives if the price falls by the tolerance, rounded up. */
export function goalOf(atLeast: bigint, toleranceBps: number): bigint {
  return ceiling(atLeast * 10_000n, BigInt(10_000 - toleranceBps));
}

/**
 * Finds what has to be paid so that an offer reaches a goal, within a tenth of a percent: the service only quotes by what
 * is paid (API, GET quote).
 * @param start The first amount to ask with.
 * @param receive What an amount would bring. Rejects as the service does.
 * @throws SwapError `no-quote` where no amount was found, or what `receive` rejected with.
 */
export async function findAmount(
  goal: bigint,
  start: bigint,
  receive: (amount: bigint) => Promise<bigint>,
): Promise<bigint> {
  const offers: Offer[] = [];
  let best: bigint | undefined;
  let amount = start;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const offer = {amount, receive: await receive(amount)};
      offers.push(offer);
      if (offer.receive >= goal) {
        if (best === undefined || amount < best) best = amount;
        if (offer.receive - goal <= goal / 1_000n) return best;
      }
      amount = nextAmount(offers, goal);
      if (offers.some(each => each.amount === amount)) break;
    } catch (error) {
      // Before there is any price, the amount may just be far off.
      if (!(error instanceof SwapError) || error.code !== 'amount-range' || offers.length) throw error;
      const {range} = error;
      const within = range && (amount > range.max ? range.max : amount < range.min ? range.min : undefined);
      amount = within ?? amount / 10n;
      if (amount <= 0n) throw error;
    }
  }
  if (best !== undefined) return best;
  throw new SwapError('no-quote');
}

/** By two offers, as on a straight line, since a part of what a swap costs does not depend on the amount; by one, in proportion. */
function nextAmount(offers: readonly Offer[], goal: bigint): bigint {
  const [last, before] = offers.slice(-2).reverse();
  if (!last) return 0n;
  const [run, rise] = before ? [last.amount - before.amount, last.receive - before.receive] : [0n, 0n];
  if (run !== 0n && rise !== 0n && run > 0n === rise > 0n) {
    const line = last.amount + ceiling((goal - last.receive) * abs(run), abs(rise));
    if (line > 0n) return line;
  }
  return ceiling(last.amount * goal, last.receive);
}

function abs(number: bigint): bigint {
  return number < 0n ? -number : number;
}

/** A quotient, rounded up. */
function ceiling(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend > 0n && dividend % divisor !== 0n ? quotient + 1n : quotient;
}
