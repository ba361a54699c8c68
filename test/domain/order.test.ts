import {expect} from '@open-wc/testing';
import {
  hasSameTerms,
  lossOf,
  refundOpensAt,
  seeMore,
  stageOf,
  type Deed,
  type Leg,
  type Order,
  type OrderStage,
  type Stage,
} from '../../src/domain/order.js';
import {isTerminal} from '../../src/domain/stage.js';
import {readOrder} from '../../src/api/schema.js';
import {samples} from '../support/samples.js';
import {aDeed, aLeg, anOrder, NOON} from '../support/swap.js';

const HOUR = 3_600_000;
const BLOCK_SECONDS = 2;
const TIMELOCK_BLOCKS = 900;
/** When the source's deposit got into its block, and when its timelock is over: before the deposit window is. */
const PAID_AT = NOON + 5 * 60_000;
const OPENS_AT = PAID_AT + TIMELOCK_BLOCKS * BLOCK_SECONDS * 1_000;
const WINDOW_ENDS_AT = NOON + HOUR;

const none = undefined;
const seen = aDeed();
const inBlock = aDeed(90_249n, PAID_AT);
/** As the published Bitcoin sample has it: in a block, and no time beside it. */
const untimed = aDeed(90_249n);
/** After the time that there was for it. */
const inBlockLate = aDeed(90_949n, NOON + 61 * 60_000);

const DEEDS: readonly (Deed | undefined)[] = [none, seen, inBlock, untimed];
const CONFIRMATIONS: readonly Leg['confirmations'][] = [
  {current: 0, required: 1},
  {current: 1, required: 1},
  {current: 0, required: 0},
];
/** Confirmations and what was paid in: all of it, a part, or (as a service may be slow to say) nothing. */
const FILLINGS: readonly (readonly [Leg['confirmations'], filled: bigint])[] = [
  ...CONFIRMATIONS.map(confirmations => [confirmations, 50_000n] as const),
  [{current: 1, required: 1}, 0n],
  [{current: 0, required: 1}, 20_000n],
  [{current: 1, required: 1}, 49_999n],
];
const TIMES = [
  NOON,
  PAID_AT,
  OPENS_AT - 1,
  OPENS_AT,
  WINDOW_ENDS_AT - 1,
  WINDOW_ENDS_AT,
  PAID_AT + HOUR,
  WINDOW_ENDS_AT + 100 * HOUR,
] as const;

const leg = (deeds: {
  readonly initiated?: Deed | undefined;
  readonly redeemed?: Deed | undefined;
  readonly refunded?: Deed | undefined;
}): Partial<Leg> => Object.fromEntries(Object.entries(deeds).filter(([, deed]) => deed));

/** What is asked: an order at a time, and what the chain said of a refund where it was asked. */
interface Case {
  readonly order: Order;
  readonly now: number;
  readonly refundOpen: boolean | undefined;
}

/** One row of the documented table: when it holds, and what it says. */
type Row = readonly [number: number, holds: (order: Order, at: Case) => boolean, stage: OrderStage];

const windowOver = ({now}: Case) => now >= WINDOW_ENDS_AT;
/** The chain's own word counts, and the clock where nobody asked the chain. */
const timelockOver = ({order: {source}, now, refundOpen}: Case) =>
  refundOpen === undefined ? source.initiated?.at !== undefined && now >= OPENS_AT : refundOpen;
const paidInPart = ({source: {filled, amount}}: Order) => filled > 0n && filled < amount;
const paidInBlock = ({source}: Order) => source.initiated?.block !== undefined;

const ROWS: readonly Row[] = [
  [1, ({destination}) => !!destination.redeemed, 'complete'],
  [2, ({source}) => source.refunded?.block !== undefined, 'refunded'],
  [3, ({source}) => !!source.refunded, 'refunding'],
  [4, ({source}) => !!source.redeemed, 'settling'],
  [5, ({source, destination}) => !!source.initiated && !!destination.refunded, 'refunding'],
  [6, ({source, destination}) => !!source.initiated && !!destination.initiated, 'settling'],
  [7, (order, at) => paidInPart(order) && !windowOver(at), 'awaiting-deposit'],
  [8, order => !!order.source.initiated && !paidInBlock(order), 'deposit-seen'],
  [9, paidInPart, 'refunding'],
  [10, ({source}) => !!source.initiated && (source.initiated.at ?? 0) >= WINDOW_ENDS_AT, 'refunding'],
  [11, (order, at) => paidInBlock(order) && timelockOver(at), 'refunding'],
  [12, ({source}) => !!source.initiated && source.confirmations.current < source.confirmations.required, 'confirming'],
  [13, ({source}, {now}) => !!source.initiated && now >= (source.initiated.at ?? NOON) + HOUR, 'refunding'],
  [14, ({source}) => !!source.initiated, 'settling'],
  [15, (_order, at) => windowOver(at), 'expired'],
  [16, () => true, 'awaiting-deposit'],
];

/** Every order that can be told apart: each deed of both legs absent, seen, in a block, in a block without a time. */
function* orders(): Generator<Order> {
  for (const initiated of [...DEEDS, inBlockLate])
    for (const redeemed of DEEDS)
      for (const refunded of DEEDS)
        for (const [confirmations, filled] of FILLINGS) {
          const source = aLeg({
            timelock: TIMELOCK_BLOCKS,
            confirmations,
            filled,
            ...leg({initiated, redeemed, refunded}),
          });
          for (const paid of DEEDS)
            for (const taken of DEEDS)
              for (const back of DEEDS) {
                const destination = aLeg(leg({initiated: paid, redeemed: taken, refunded: back}));
                yield anOrder({source, destination});
              }
        }
}

const stage = (order: Order, now: number, refundOpen?: boolean) =>
  stageOf(order, {now, depositWindow: HOUR, blockSeconds: BLOCK_SECONDS, refundOpen});

describe('where an order stands', () => {
  /** How many cases each row decided, and the first of them in which it was not heard. */
  const decided = new Map<number, {count: number; wrong?: string}>();

  before(function () {
    this.timeout(30_000);
    for (const order of orders()) {
      for (const now of TIMES) {
        for (const refundOpen of [undefined, false, true]) {
          const at: Case = {order, now, refundOpen};
          const [number = 0, , expected] = ROWS.find(([, holds]) => holds(order, at)) ?? [];
          const row = decided.get(number) ?? {count: 0};
          decided.set(number, row);
          row.count++;
          const found = stage(order, now, refundOpen);
          if (found === expected) continue;
          row.wrong ??= JSON.stringify(
            {found, refundOpen, minutes: (now - NOON) / 60_000, order},
            (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
          );
        }
      }
    }
  });

  for (const [number, , expected] of ROWS) {
    it(`is ${expected} by row ${String(number)}, in every order on which that row is the first to hold`, () => {
      const row = decided.get(number);
      expect(row?.wrong).to.equal(undefined);
      expect(row?.count).to.be.above(0);
    });
  }

  it('is awaiting-deposit as long as only a part was paid', () => {
    const order = anOrder({source: aLeg({filled: 20_000n})});
    expect(stage(order, WINDOW_ENDS_AT - 1)).to.equal('awaiting-deposit');
    expect(stage(order, WINDOW_ENDS_AT)).to.equal('refunding');
  });

  it('is complete beside a refund of the source', () => {
    const order = anOrder({
      source: aLeg({initiated: inBlock, refunded: inBlock}),
      destination: aLeg({redeemed: seen}),
    });
    expect(stage(order, NOON)).to.equal('complete');
  });

  it('is not complete because the source was redeemed', () => {
    const order = anOrder({
      source: aLeg({initiated: inBlock, redeemed: inBlock}),
      destination: aLeg({initiated: inBlock}),
    });
    expect(stage(order, WINDOW_ENDS_AT + HOUR)).to.equal('settling');
  });

  const published: readonly [family: keyof typeof samples, after: number, stage: OrderStage][] = [
    ['bitcoin', 0, 'complete'],
    ['bitcoin', 48 * HOUR, 'complete'],
    ['evm', 0, 'awaiting-deposit'],
    ['evm', HOUR, 'expired'],
    ['solana', 59 * 60_000, 'awaiting-deposit'],
    ['solana', HOUR, 'expired'],
    ['starknet', 0, 'awaiting-deposit'],
  ];
  for (const [family, after, expected] of published) {
    it(`is ${expected} for the published ${family} order, ${String(after / HOUR)} hours after it was placed`, () => {
      const order = readOrder(samples[family].status.result);
      expect(stage(order, order.createdAt + after)).to.equal(expected);
    });
  }
});

describe('the end of an order', () => {
  it('is where it need not be read any more', () => {
    const stages: Record<Stage, boolean> = {
      editing: false,
      reviewing: false,
      ordering: false,
      'awaiting-deposit': false,
      funding: false,
      'deposit-seen': false,
      confirming: false,
      settling: false,
      complete: true,
      refunding: false,
      refunded: true,
      expired: false,
      stopped: true,
    };
    for (const [name, ends] of Object.entries(stages)) expect(isTerminal(name as Stage), name).to.equal(ends);
  });
});

describe('the time of a refund', () => {
  it('is the deposit’s block and the timelock’s blocks after it', () => {
    expect(refundOpensAt(aLeg({initiated: inBlock, timelock: TIMELOCK_BLOCKS}), BLOCK_SECONDS)).to.equal(OPENS_AT);
  });

  it('is not known while the deposit is in no block, or nobody says when it got there', () => {
    for (const initiated of [seen, untimed, aDeed(undefined, PAID_AT)]) {
      expect(refundOpensAt(aLeg({initiated}), BLOCK_SECONDS)).to.equal(undefined);
    }
    expect(refundOpensAt(aLeg(), BLOCK_SECONDS)).to.equal(undefined);
  });
});

describe('what was seen of a payment', () => {
  const paid = (filled: bigint, hashes: readonly string[], block?: bigint) =>
    aLeg({
      filled,
      ...(hashes.length > 0 && {initiated: {...aDeed(block), hashes: hashes as [string, ...string[]]}}),
    });
  const half = paid(25_000n, ['a']);
  const whole = paid(50_000n, ['a', 'b']);
  const both = seeMore(seeMore(undefined, half), whole);

  it('is nothing before the first, every transaction after that, and the most that was there at once', () => {
    expect(seeMore(undefined, aLeg())).to.equal(undefined);
    expect(both).to.deep.equal({hashes: ['a', 'b'], filled: 50_000n});
    expect(seeMore(both, half)).to.equal(both);
    expect(seeMore(both, paid(0n, []))).to.equal(both);
  });

  it('tells a payment that left the chain, all of it or a part', () => {
    expect(lossOf(undefined, half)).to.equal(undefined);
    expect(lossOf(both, whole)).to.equal(undefined);
    expect(lossOf(both, half)).to.equal('gone');
    expect(lossOf(both, paid(0n, []))).to.equal('gone');
    expect(lossOf(both, paid(50_000n, ['a', 'c'])), 'paid again').not.to.equal('gone');
  });

  it('tells a payment that another took the place of, as long as that waits for a block', () => {
    expect(lossOf(both, paid(50_000n, ['a', 'c']))).to.equal('replaced');
    expect(lossOf(both, paid(50_000n, ['a', 'c'], 9n))).to.equal(undefined);
    expect(lossOf(seeMore(undefined, half), whole), 'a second one').to.equal(undefined);
  });

  it('is not remembered without end', () => {
    const names = Array.from({length: 500}, (_, index) => String(index));
    expect(seeMore(undefined, paid(1n, names))?.hashes).to.have.length(50);
  });
});

describe('the terms of an order', () => {
  it('stay the same while it is paid', () => {
    const order = anOrder();
    expect(hasSameTerms(order, anOrder({source: aLeg({filled: 9n, initiated: inBlock})}))).to.equal(true);
  });

  for (const change of [
    {amount: 1n},
    {swapId: 'x'},
    {initiator: 'x'},
    {redeemer: 'x'},
    {timelock: 1},
    {delegate: 'x'},
  ]) {
    it(`are others with another ${Object.keys(change).join()}`, () => {
      expect(hasSameTerms(anOrder(), anOrder({source: aLeg(change)}))).to.equal(false);
      expect(hasSameTerms(anOrder(), anOrder({destination: aLeg(change)}))).to.equal(false);
    });
  }
});
