import {expect} from '../support/expect.js';
import {readOrder} from '../../src/api/schema.js';
import type {WalletRequest} from '../../src/domain/deposit.js';
import type {ChainEvent, Leg, Order} from '../../src/domain/order.js';
import {
  confirmedSince,
  isStepBack,
  isTerminal,
  payableUntil,
  standingOf,
  type Stage,
  type SwapFacts,
  type SwapRecord,
} from '../../src/domain/stage.js';
import type {DepositOnChain} from '../../src/domain/evidence.js';
import {samples} from '../support/samples.js';
import {aChainEvent, aLeg, anOrder, NOON} from '../support/swap.js';

const HOUR = 3_600_000;
const BLOCK_SECONDS = 2;
const TIMELOCK_BLOCKS = 900;
/** When the source's deposit got into its block, and when its timelock is over: before the deposit window is. */
const PAID_AT = NOON + 5 * 60_000;
const OPENS_AT = PAID_AT + TIMELOCK_BLOCKS * BLOCK_SECONDS * 1_000;
const WINDOW_ENDS_AT = NOON + HOUR;

const none = undefined;
const seen = aChainEvent();
const inBlock = aChainEvent(90_249n, PAID_AT);
/** As the published Bitcoin sample has it: in a block, and no time beside it. */
const untimed = aChainEvent(90_249n);
/** After the time that there was for it. */
const inBlockLate = aChainEvent(90_949n, NOON + 61 * 60_000);

const DEEDS: readonly (ChainEvent | undefined)[] = [none, seen, inBlock, untimed];
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
  readonly initiated?: ChainEvent | undefined;
  readonly redeemed?: ChainEvent | undefined;
  readonly refunded?: ChainEvent | undefined;
}): Partial<Leg> => Object.fromEntries(Object.entries(deeds).filter(([, deed]) => deed));

/** What this browser may have written down, by what it says. */
const asked = (
  kind: WalletRequest['kind'],
  state: WalletRequest['state'],
  more: Partial<WalletRequest> = {},
): WalletRequest => ({
  kind,
  state,
  at: NOON,
  ...more,
});
const BY_WALLET = {how: 'wallet'} as const;
const RECORDS = {
  stranger: undefined,
  placed: {placedAt: NOON, deposit: BY_WALLET, walletRequests: [], stage: 'awaiting-deposit'},
  signatureAsked: {placedAt: NOON, deposit: BY_WALLET, walletRequests: [asked('sign', 'asking')], stage: 'funding'},
  paymentAsked: {placedAt: NOON, deposit: BY_WALLET, walletRequests: [asked('send', 'asking')], stage: 'funding'},
  sent: {
    placedAt: NOON,
    deposit: BY_WALLET,
    walletRequests: [asked('approve', 'sent'), asked('send', 'sent')],
    stage: 'funding',
  },
  refused: {placedAt: NOON, deposit: BY_WALLET, walletRequests: [asked('send', 'refused')], stage: 'awaiting-deposit'},
  abandoned: {
    placedAt: NOON,
    deposit: BY_WALLET,
    walletRequests: [asked('initiate', 'sent', {abandoned: true})],
    stage: 'funding',
  },
  stopped: {placedAt: NOON, deposit: BY_WALLET, walletRequests: [], stage: 'stopped'},
  confirmed: {
    placedAt: NOON,
    deposit: BY_WALLET,
    walletRequests: [asked('send', 'sent')],
    stage: 'settling',
    confirmedAt: PAID_AT,
  },
  complete: {placedAt: NOON, deposit: BY_WALLET, walletRequests: [asked('send', 'sent')], stage: 'complete'},
  paidOut: {
    placedAt: NOON,
    deposit: BY_WALLET,
    walletRequests: [asked('send', 'sent')],
    stage: 'complete',
    paidOut: 5n,
  },
  byAddress: {placedAt: NOON, deposit: {how: 'transfer'}, walletRequests: [], stage: 'awaiting-deposit'},
} satisfies Record<string, SwapRecord | undefined>;

/** What the source chain may show; `undefined` where it cannot be read. */
const CHAINS: readonly (DepositOnChain | undefined)[] = [
  undefined,
  {state: 'none'},
  {state: 'seen', isRefundOpen: false},
  {state: 'seen', isRefundOpen: true},
];

/** What is asked: an order at a time, what was written down of it, and what the chain shows where it was read. */
interface Case {
  readonly order: Order;
  readonly now: number;
  readonly chain: DepositOnChain | undefined;
  readonly record: SwapRecord | undefined;
}

/** One row of the documented table: when it holds, and what it says. */
type Row = readonly [number: number, holds: (order: Order, at: Case) => boolean, stage: Stage];

const windowOver = ({now}: Case) => now >= WINDOW_ENDS_AT;
/** The chain's word counts, and the clock's where the chain was not asked. */
const timelockOver = ({order: {source}, now, chain}: Case) =>
  chain?.isRefundOpen === undefined && source.initiated?.at !== undefined && now >= OPENS_AT;
/** Of an order of this browser: a wallet or the chain knows of a payment, or, where nobody denies it, the service. */
const isPaymentKnown = ({source}: Order, {record, chain}: Case) => {
  const isAsked = record === RECORDS.paymentAsked;
  if (record && chain?.state === 'none') return false;
  if (!record || (PAID.includes(record) && !isAsked)) return true;
  const canBe = isAsked || record === RECORDS.byAddress || record === RECORDS.abandoned;
  return canBe && !!source.initiated;
};
const paidInPart = ({source: {filled, amount}}: Order) => filled > 0n && filled < amount;
const paidInBlock = ({source}: Order) => source.initiated?.block !== undefined;
const waitsForRest = (order: Order, at: Case) => paidInPart(order) && !windowOver(at);
const PAID: readonly (SwapRecord | undefined)[] = [
  RECORDS.paymentAsked,
  RECORDS.sent,
  RECORDS.confirmed,
  RECORDS.complete,
  RECORDS.paidOut,
];

const ROWS: readonly Row[] = [
  [
    1,
    (order, at) =>
      ((at.record === RECORDS.paidOut || order.destination.redeemed?.onChain === true) && isPaymentKnown(order, at)) ||
      (at.record?.stage === 'complete' && !at.chain?.isRefundOpen),
    'complete',
  ],
  [2, (_order, {record, chain}) => record !== undefined && chain?.isRefundOpen === true, 'refunding'],
  [3, (order, at) => !!order.destination.redeemed && isPaymentKnown(order, at), 'complete'],
  [4, (order, at) => order.source.refunded?.block !== undefined && isPaymentKnown(order, at), 'refunded'],
  [5, (order, at) => !!order.source.refunded && isPaymentKnown(order, at), 'refunding'],
  [6, (order, at) => !!order.source.redeemed && isPaymentKnown(order, at), 'settling'],
  [7, ({source, destination}) => !!source.initiated && !!destination.refunded, 'refunding'],
  [8, ({source, destination}) => !!source.initiated && !!destination.initiated, 'settling'],
  [
    9,
    (order, at) => !!order.source.initiated && waitsForRest(order, at) && !PAID.includes(at.record),
    'awaiting-deposit',
  ],
  [9.5, (order, at) => !!order.source.initiated && waitsForRest(order, at), 'funding'],
  [10, order => !!order.source.initiated && !paidInBlock(order), 'deposit-seen'],
  [11, order => !!order.source.initiated && paidInPart(order), 'refunding'],
  [12, ({source}) => !!source.initiated && (source.initiated.at ?? 0) >= WINDOW_ENDS_AT, 'refunding'],
  [13, (order, at) => paidInBlock(order) && timelockOver(at), 'refunding'],
  [14, ({source}) => !!source.initiated && source.confirmations.current < source.confirmations.required, 'confirming'],
  [
    15,
    ({source}, {now, record}) => !!source.initiated && record === RECORDS.confirmed && now >= PAID_AT + HOUR,
    'refunding',
  ],
  [16, ({source}) => !!source.initiated, 'settling'],
  [17, (_order, {record}) => record === RECORDS.stopped, 'stopped'],
  [
    18,
    (_order, {record, now, chain}) =>
      PAID.includes(record) &&
      record !== RECORDS.paymentAsked &&
      !chain &&
      now >= NOON + TIMELOCK_BLOCKS * BLOCK_SECONDS * 1_000,
    'refunding',
  ],
  [18.5, (_order, {record}) => PAID.includes(record), 'funding'],
  [19, (_order, at) => !windowOver(at), 'awaiting-deposit'],
  [20, () => true, 'expired'],
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
          for (const paid of [none, inBlock])
            for (const taken of [none, seen, {...seen, onChain: true as const}])
              for (const back of [none, untimed]) {
                const destination = aLeg(leg({initiated: paid, redeemed: taken, refunded: back}));
                yield anOrder({source, destination});
              }
        }
}

const clock = (now: number) => ({
  now,
  depositWindow: HOUR,
  blockSeconds: BLOCK_SECONDS,
});
const stage = (order: Order, now: number, facts: Partial<SwapFacts> = {}) =>
  standingOf({order, clock: clock(now), ...facts})?.stage;

describe('where an order stands', () => {
  /** How many cases each row decided, and the first of them in which it was not heard. */
  const decided = new Map<number, {count: number; wrong?: string}>();

  before(function () {
    this.timeout(60_000);
    for (const order of orders()) {
      for (const now of TIMES) {
        for (const chain of CHAINS) {
          for (const [name, record] of Object.entries(RECORDS)) {
            const at: Case = {order, now, chain, record};
            const [number = 0, , expected] = ROWS.find(([, holds]) => holds(order, at)) ?? [];
            const row = decided.get(number) ?? {count: 0};
            decided.set(number, row);
            row.count++;
            const found = stage(order, now, {record, ...(chain && {chain: {deposit: chain}})});
            if (found === expected) continue;
            row.wrong ??= JSON.stringify(
              {found, name, chain, minutes: (now - NOON) / 60_000, order},
              (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
            );
          }
        }
      }
    }
  });

  for (const [number, , expected] of ROWS) {
    it(`is ${expected} by row ${String(Math.floor(number))}, in every order on which that row is the first to hold`, () => {
      const row = decided.get(number);
      expect(row?.wrong).to.equal(undefined);
      expect(row?.count).to.be.above(0);
    });
  }

  it('is awaiting-deposit as long as only a part was paid', () => {
    const order = anOrder({source: aLeg({filled: 20_000n, initiated: inBlock})});
    expect(stage(order, WINDOW_ENDS_AT - 1)).to.equal('awaiting-deposit');
    expect(stage(order, WINDOW_ENDS_AT)).to.equal('refunding');
  });

  it('is too late with a payment that got into its block when the deposit window ended, and not a moment before', () => {
    const paidAt = (at: number) =>
      anOrder({source: aLeg({filled: 50_000n, initiated: aChainEvent(90_249n, at), timelock: 7_200})});
    expect(stage(paidAt(WINDOW_ENDS_AT - 1), WINDOW_ENDS_AT)).to.equal('confirming');
    expect(stage(paidAt(WINDOW_ENDS_AT), WINDOW_ENDS_AT)).to.equal('refunding');
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

  const published: readonly [family: keyof typeof samples, after: number, stage: Stage][] = [
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

describe('the time of an order', () => {
  const confirmed = anOrder({
    source: aLeg({filled: 50_000n, initiated: untimed, confirmations: {current: 1, required: 1}}),
  });
  const ours = (more: Partial<SwapRecord> = {}): SwapRecord => ({...RECORDS.sent, ...more});

  it('is the service’s: a clock that is an hour ahead makes no fresh order expire', () => {
    const record = {...RECORDS.placed, placedAt: NOON + 61 * 60_000};
    expect(stage(anOrder(), record.placedAt, {record})).to.equal('awaiting-deposit');
    expect(stage(anOrder(), record.placedAt + HOUR - 1, {record})).to.equal('awaiting-deposit');
    expect(stage(anOrder(), record.placedAt + HOUR, {record})).to.equal('expired');
  });

  it('ends with the deadline that the service names, but not days later', () => {
    expect(payableUntil(anOrder({deadline: NOON + 6 * HOUR}), HOUR)).to.equal(NOON + 6 * HOUR);
    expect(payableUntil(anOrder({deadline: NOON + 5}), HOUR)).to.equal(NOON + 5);
    expect(payableUntil(anOrder({deadline: NOON + 900 * HOUR}), HOUR)).to.equal(NOON + 24 * HOUR);
    expect(stage(anOrder({deadline: NOON + 6 * HOUR}), NOON + 2 * HOUR)).to.equal('awaiting-deposit');
  });

  it('leaves the other side an hour from the first reading of all confirmations, however long blocks took', () => {
    const record = ours({confirmedAt: NOON + 75 * 60_000});
    expect(stage(confirmed, NOON + 134 * 60_000, {record})).to.equal('settling');
    expect(stage(confirmed, NOON + 135 * 60_000, {record})).to.equal('refunding');
  });

  it('is no reason for a refund where it is not known when the payment was confirmed', () => {
    expect(stage(confirmed, NOON + 100 * HOUR, {record: ours()})).to.equal('settling');
    expect(stage(confirmed, NOON + 100 * HOUR)).to.equal('settling');
  });

  it('of confirmation is that of the first reading, and is forgotten when confirmations go', () => {
    const {source} = confirmed;
    expect(confirmedSince(undefined, source, 7)).to.equal(7);
    expect(confirmedSince(7, source, 9)).to.equal(7);
    for (const change of [{confirmations: {current: 0, required: 1}}, {filled: 1n}, {initiated: seen}]) {
      expect(confirmedSince(7, {...source, ...change}, 9)).to.equal(undefined);
    }
  });
});

describe('an order that was not read yet', () => {
  const at = (record: SwapRecord, facts: Partial<SwapFacts> = {}) => standingOf({record, clock: clock(NOON), ...facts});

  it('stands where it last stood', () => {
    for (const last of ['awaiting-deposit', 'deposit-seen', 'settling', 'refunding', 'expired', 'stopped'] as const) {
      expect(at({...RECORDS.placed, stage: last})?.stage).to.equal(last);
    }
    expect(standingOf({clock: clock(NOON)})).to.equal(undefined);
  });

  it('is being paid where a payment may have gone out, and was stopped where a check failed before', () => {
    expect(at({...RECORDS.sent, stage: 'awaiting-deposit'})?.stage).to.equal('funding');
    expect(at({...RECORDS.sent, stage: 'stopped'})?.stage).to.equal('funding');
    expect(at(RECORDS.placed, {hasFailed: true})?.stage).to.equal('stopped');
    expect(at(RECORDS.sent, {hasFailed: true})?.stage).to.equal('funding');
  });
});

describe('the payer’s turn', () => {
  const turn = (
    record: SwapRecord,
    funding: SwapFacts['funding'] = {isAsking: false, isOut: false, isUnclear: false},
  ) => standingOf({order: anOrder(), record, funding, clock: clock(NOON)});

  it('is to pay, to answer what only the payer knows, or to see why nothing was asked for', () => {
    expect(turn(RECORDS.placed)).to.deep.equal({stage: 'awaiting-deposit', isPayersTurn: true});
    expect(turn(RECORDS.signatureAsked)).to.deep.equal({stage: 'awaiting-deposit', isPayersTurn: true});
    expect(turn(RECORDS.stopped)).to.deep.equal({stage: 'stopped', isPayersTurn: true});
    expect(turn(RECORDS.placed, {isAsking: true, isOut: false, isUnclear: false})).to.deep.equal({
      stage: 'funding',
      isPayersTurn: true,
    });
    expect(turn(RECORDS.paymentAsked, {isAsking: false, isOut: false, isUnclear: true})?.isPayersTurn).to.equal(true);
    expect(turn(RECORDS.sent, {isAsking: false, isOut: false, isUnclear: true})?.isPayersTurn).to.equal(true);
  });

  it('is over once the payment went out', () => {
    expect(turn(RECORDS.sent)).to.deep.equal({stage: 'funding', isPayersTurn: false});
    expect(turn(RECORDS.placed, {isAsking: true, isOut: true, isUnclear: false})?.isPayersTurn).to.equal(false);
  });
});

describe('going back', () => {
  it('is seeing less of a payment than before', () => {
    expect(isStepBack('settling', 'deposit-seen')).to.equal(true);
    expect(isStepBack('deposit-seen', 'awaiting-deposit')).to.equal(true);
    expect(isStepBack('refunding', 'expired')).to.equal(true);
    expect(isStepBack('funding', 'awaiting-deposit')).to.equal(false);
    expect(isStepBack('confirming', 'settling')).to.equal(false);
  });

  it('is not that a swap continues that was given up', () => {
    expect(isStepBack('refunding', 'settling')).to.equal(false);
  });
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
