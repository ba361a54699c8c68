import {SwapError} from './error.js';

/** A payment that a page requests: at least a given amount of an asset. */
export interface Asked {
  /** The minimum that has to arrive, in the smallest unit. */
  readonly atLeast: bigint;
}

export interface Offer {
  readonly amount: bigint;
  readonly receive: bigint;
}

const TRIES = 4;
/** More than the supply of any asset: an offer that leads here is invalid. */
const MOST = 10n ** 40n;
/** How many amounts may be outside the service's range before there is a first price. */
const MISSES = 8;

/** The offer that is needed so that at least this much arrives if the price falls by the tolerance, rounded up. */
export function goalOf(atLeast: bigint, toleranceBps: number): bigint {
  return ceiling(atLeast * 10_000n, BigInt(10_000 - toleranceBps));
}

export function isClose(receive: bigint, goal: bigint): boolean {
  return receive >= goal && receive - goal <= goal / 1_000n;
}

/**
 * Finds the amount whose offer reaches a goal, within a tenth of a percent or one smallest unit: the service only
 * quotes by the amount that is paid (API, GET quote).
 * @param start The first amount to try, or a known offer that does not fit.
 * @throws SwapError `no-quote` if no amount was found, or what `receive` rejected with.
 */
export async function findAmount(
  goal: bigint,
  start: bigint | Offer,
  receive: (amount: bigint) => Promise<bigint>,
): Promise<bigint> {
  const offers: Offer[] = typeof start === 'bigint' ? [] : [start];
  let amount = typeof start === 'bigint' ? start : estimate(goal, start);
  let best = offers.find(offer => offer.receive >= goal);
  for (let tries = 0, misses = 0; tries < TRIES;) {
    try {
      const offer = {amount, receive: await receive(amount)};
      tries += 1;
      offers.push(offer);
      if (offer.receive >= goal && !(best && best.amount <= amount)) best = offer;
      if (best && (isClose(best.receive, goal) || isNext(offers, best, goal))) break;
      amount = nextAmount(offers, goal);
      if (amount > MOST || offers.some(each => each.amount === amount)) break;
    } catch (error) {
      // Before there is any price, the amount may just be far off.
      if (!(error instanceof SwapError) || error.code !== 'amount-range' || offers.length || ++misses > MISSES)
        throw error;
      const {range} = error;
      const within = range && (amount > range.max ? range.max : amount < range.min ? range.min : undefined);
      amount = within ?? amount / 10n;
      if (amount <= 0n) throw error;
    }
  }
  if (best) return best.amount;
  throw new SwapError('no-quote');
}

export function estimate(goal: bigint, offer: Offer): bigint {
  return nextAmount([offer], goal);
}

function isNext(offers: readonly Offer[], {amount}: Offer, goal: bigint): boolean {
  return offers.some(offer => offer.amount === amount - 1n && offer.receive < goal);
}

/**
 * Two offers are extrapolated linearly, since a part of a swap's cost does not depend on the amount; one,
 * proportionally. Aims slightly above the goal, and stays between amounts known to bring too little and too much.
 */
function nextAmount(offers: readonly Offer[], goal: bigint): bigint {
  const [last, before] = offers.slice(-2).reverse();
  if (!last) return 0n;
  const aim = goal + goal / 2_000n;
  const tooLittle = offers.filter(({receive}) => receive < goal).map(({amount}) => amount);
  const enough = offers.filter(({receive}) => receive >= goal).map(({amount}) => amount);
  const low = tooLittle.reduce((most, amount) => (amount > most ? amount : most), 0n);
  const high = enough.reduce((least, amount) => (amount < least ? amount : least), enough[0] ?? 0n);
  const [run, rise] = before ? [last.amount - before.amount, last.receive - before.receive] : [0n, 0n];
  const isRising = run !== 0n && rise !== 0n && run > 0n === rise > 0n;
  const next = isRising
    ? last.amount + ceiling((aim - last.receive) * abs(run), abs(rise))
    : ceiling(last.amount * aim, last.receive);
  if (high && next >= high) return low + 1n < high ? (low + high) / 2n : high;
  return next > low ? next : low + 1n;
}

function abs(number: bigint): bigint {
  return number < 0n ? -number : number;
}

function ceiling(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend > 0n && dividend % divisor !== 0n ? quotient + 1n : quotient;
}
