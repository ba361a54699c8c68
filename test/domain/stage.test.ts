import {expect} from '../support/expect.js';
import type {WalletRequest} from '../../src/domain/deposit.js';
import {type Certainty, type DepositOnChain, type Movement, type Movements} from '../../src/domain/evidence.js';
import {writeJson} from '../../src/domain/json.js';
import type {ChainEvent, Leg, Order} from '../../src/domain/order.js';
import {
  confirmedSince,
  isStepBack,
  isStepOn,
  isTerminal,
  windowOf,
  ORDER_STAGES,
  standingOf,
  type Stage,
  type SwapFacts,
  type SwapRecord,
} from '../../src/domain/stage.js';
import {asked} from '../support/facts.js';
import {aChainEvent, aLeg, anOrder, HOUR, NOON} from '../support/swap.js';

const BLOCK_SECONDS = 2;
const TIMELOCK_BLOCKS = 900;
/** The time of the deposit's block, and the end of its timelock, which is before the end of the deposit window. */
const PAID_AT = NOON + 5 * 60_000;
const OPENS_AT = PAID_AT + TIMELOCK_BLOCKS * BLOCK_SECONDS * 1_000;
const WINDOW_ENDS_AT = NOON + HOUR;

interface Deed {
  readonly certainty: Certainty;
  readonly event?: ChainEvent;
}

const none = undefined;
const seen = aChainEvent();
const inBlock = aChainEvent(90_249n, PAID_AT);
/** As in the published Bitcoin sample: in a block, without a time. */
const untimed = aChainEvent(90_249n);
/** After the end of the deposit window. */
const inBlockLate = aChainEvent(90_949n, NOON + 61 * 60_000);

/** What may be known of the payment, and from whom. An order omits what the chain denies or must still confirm. */
const PAYMENTS: readonly Deed[] = [
  {certainty: 'none'},
  {certainty: 'denied'},
  {certainty: 'waiting'},
  {certainty: 'told', event: seen},
  {certainty: 'proved', event: seen},
  {certainty: 'told', event: inBlock},
  {certainty: 'proved', event: inBlock},
  {certainty: 'told', event: untimed},
  {certainty: 'told', event: inBlockLate},
];
const REFUNDS: readonly Deed[] = [
  {certainty: 'none'},
  {certainty: 'told', event: seen},
  {certainty: 'proved', event: seen},
  {certainty: 'told', event: untimed},
  {certainty: 'proved', event: untimed},
];
const PAYOUTS: readonly Deed[] = [
  {certainty: 'denied'},
  {certainty: 'told', event: seen},
  {certainty: 'proved', event: seen},
];

const CONFIRMATIONS: readonly Leg['confirmations'][] = [
  {current: 0, required: 1},
  {current: 1, required: 1},
  {current: 0, required: 0},
];
/** Confirmations and the amount paid in: all, a part, or nothing, as a service may report it late. */
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

/** Records that this browser may have stored, by name. */
const RECORD: SwapRecord = {
  placedAt: NOON,
  agreed: {amount: 50_000n, atLeast: 49_601n},
  deposit: {how: 'wallet'},
  walletRequests: [],
  stage: 'awaiting-deposit',
};
const requested = (stage: Stage, ...walletRequests: readonly WalletRequest[]): SwapRecord => ({
  ...RECORD,
  walletRequests,
  stage,
});
const sent = (stage: Stage, more: Partial<SwapRecord> = {}): SwapRecord => ({
  ...requested(stage, asked('approve', 'sent'), asked('send', 'sent')),
  ...more,
});
const RECORDS = {
  stranger: undefined,
  placed: RECORD,
  signatureAsked: requested('funding', asked('sign', 'asking')),
  signatureRefused: requested('awaiting-deposit', asked('sign', 'signed'), asked('initiate', 'refused')),
  paymentAsked: requested('funding', asked('send', 'asking')),
  sent: sent('funding'),
  refused: requested('awaiting-deposit', asked('send', 'refused')),
  abandoned: requested('funding', asked('initiate', 'sent', {abandoned: true})),
  stopped: {...RECORD, stage: 'stopped'},
  confirmed: sent('settling', {confirmedAt: PAID_AT}),
  complete: sent('complete'),
  refundSent: requested('refunding', asked('send', 'sent'), asked('refund', 'sent')),
  paidIn: {...requested('settling', asked('send', 'refused')), paidIn: true},
  held: {...RECORD, isHeld: true},
  byAddress: {...RECORD, deposit: {how: 'transfer'}},
} satisfies Record<string, SwapRecord | undefined>;

/** What the source chain may show; `undefined` if it cannot be read. */
const CHAINS: readonly (DepositOnChain | undefined)[] = [
  undefined,
  {state: 'none'},
  {state: 'seen', amount: 50_000n, isHeld: true, isRefundOpen: false},
  {state: 'seen', amount: 50_000n, isHeld: true, isRefundOpen: true},
  {state: 'seen', amount: 50_000n, isHeld: false, end: {how: 'redeemed', amount: 0n, hashes: ['0x7f3a']}},
];

/** The input: an order, the movements of its money, the time, what the chain shows, and the stored record. */
interface Case {
  readonly order: Order;
  readonly money: Movements;
  readonly now: number;
  readonly deposit: DepositOnChain | undefined;
  readonly record: SwapRecord | undefined;
}

type Row = readonly [number: number, holds: (order: Order, at: Case) => boolean, stage: Stage];

const windowOver = ({now}: Case) => now >= WINDOW_ENDS_AT;
/** The chain decides; the clock does if the chain was not read. */
const timelockOver = ({order: {source}, now, deposit}: Case) =>
  deposit?.isRefundOpen === undefined && source.initiated?.at !== undefined && now >= OPENS_AT;
/** In this browser's orders: a chain shows or showed it, a wallet sent it, or the service reports it undenied. */
const isPaymentKnown = ({record, money: {paidIn}, deposit}: Case) => {
  if (!record || paidIn.certainty === 'proved' || record === RECORDS.paidIn || record === RECORDS.held) return true;
  const isTold = paidIn.certainty === 'told';
  const isDenied =
    paidIn.certainty === 'denied' || paidIn.certainty === 'waiting' || (deposit?.state === 'none' && !isTold);
  if (isDenied) return false;
  return SENT.includes(record) || (isTold && (record === RECORDS.byAddress || MAY_BE_SENT.includes(record)));
};
const paidInPart = ({source: {filled, amount}}: Order) => filled > 0n && filled < amount;
const paidInBlock = ({source}: Order) => source.initiated?.block !== undefined;
const waitsForRest = (order: Order, at: Case) => paidInPart(order) && !windowOver(at);
const SENT: readonly (SwapRecord | undefined)[] = [
  RECORDS.sent,
  RECORDS.confirmed,
  RECORDS.complete,
  RECORDS.refundSent,
];
const MAY_BE_SENT: readonly (SwapRecord | undefined)[] = [
  RECORDS.paymentAsked,
  RECORDS.abandoned,
  RECORDS.signatureRefused,
];
const isPaying = ({record}: Case) => SENT.includes(record) || record === RECORDS.paymentAsked;
/** The wallet sent a refund, and the chain does not show that the other side was faster. */
const takesBack = ({record, deposit}: Case) => record === RECORDS.refundSent && deposit?.end?.how !== 'redeemed';

const ROWS: readonly Row[] = [
  [1, (_order, {money: {paidOut}}) => paidOut.certainty === 'proved', 'complete'],
  [
    1.3,
    ({source}, {money: {paidBack}}) => paidBack.certainty === 'proved' && source.refunded?.block !== undefined,
    'refunded',
  ],
  [1.6, (_order, {money: {paidBack}}) => paidBack.certainty === 'proved', 'refunding'],
  [2, (_order, {record, deposit}) => record !== undefined && deposit?.isRefundOpen === true, 'refunding'],
  [3, (order, at) => !!order.destination.redeemed && isPaymentKnown(at) && !takesBack(at), 'complete'],
  [4, (order, at) => order.source.refunded?.block !== undefined && isPaymentKnown(at), 'refunded'],
  [5, (order, at) => (!!order.source.refunded || takesBack(at)) && isPaymentKnown(at), 'refunding'],
  [6, (order, at) => !!order.source.redeemed && isPaymentKnown(at), 'settling'],
  [7, ({source, destination}) => !!source.initiated && !!destination.refunded, 'refunding'],
  [8, ({source, destination}) => !!source.initiated && !!destination.initiated, 'settling'],
  [9, (order, at) => !!order.source.initiated && waitsForRest(order, at) && !isPaying(at), 'awaiting-deposit'],
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
    (_order, {record, now, deposit}) =>
      SENT.includes(record) && !deposit && now >= NOON + TIMELOCK_BLOCKS * BLOCK_SECONDS * 1_000,
    'refunding',
  ],
  [18.5, (_order, at) => isPaying(at), 'funding'],
  [19, (_order, at) => !windowOver(at), 'awaiting-deposit'],
  [20, () => true, 'expired'],
];

/**
 * Every distinguishable order: each event of both legs absent, seen, in a block, in a block without a time, and who
 * reports it, if that matters.
 */
function* orders(): Generator<Pick<Case, 'order' | 'money'>> {
  for (const payment of PAYMENTS)
    for (const refund of REFUNDS)
      for (const payout of PAYOUTS) {
        const money = moneyOf(payment, payout, refund);
        for (const redeemed of [none, seen])
          for (const [confirmations, filled] of FILLINGS) {
            const deeds = leg({initiated: payment.event, redeemed, refunded: refund.event});
            const source = aLeg({timelock: TIMELOCK_BLOCKS, confirmations, filled, ...deeds});
            for (const paid of [none, inBlock])
              for (const back of [none, untimed]) {
                const destination = aLeg(leg({initiated: paid, redeemed: payout.event, refunded: back}));
                yield {order: anOrder({source, destination}), money};
              }
          }
      }
}

const movement = ({certainty, event}: Deed): Movement => ({certainty, amount: 50_000n, event});
const moneyOf = (paidIn: Deed, paidOut: Deed, paidBack: Deed): Movements => ({
  paidIn: movement(paidIn),
  paidOut: movement(paidOut),
  paidBack: movement(paidBack),
});

const toldOf = ({source, destination}: Order): Movements => {
  const [paidIn, paidOut, paidBack] = [source.initiated, destination.redeemed, source.refunded].map((event): Deed =>
    event ? {certainty: 'told', event} : {certainty: 'none'},
  );
  return moneyOf(paidIn!, paidOut!, paidBack!);
};

const clock = (now: number) => ({
  now,
  depositWindow: HOUR,
  blockSeconds: BLOCK_SECONDS,
});
const stage = (order: Order, now: number, facts: Partial<SwapFacts> = {}) =>
  standingOf({order, money: toldOf(order), clock: clock(now), ...facts})?.stage;

describe('where an order stands', () => {
  /** How many cases each row decides, and the first of them with another stage. */
  const decided = new Map<number, {count: number; wrong?: string}>();

  before(() => {
    for (const {order, money} of orders()) {
      for (const now of TIMES) {
        for (const deposit of CHAINS) {
          for (const [name, record] of Object.entries(RECORDS)) {
            const at: Case = {order, money, now, deposit, record};
            const [number = 0, , expected] = ROWS.find(([, holds]) => holds(order, at)) ?? [];
            const row = decided.get(number) ?? {count: 0};
            decided.set(number, row);
            row.count++;
            const found = standingOf({order, money, deposit, record, clock: clock(now)})?.stage;
            if (found === expected) continue;
            row.wrong ??= writeJson({found, name, deposit, money, minutes: (now - NOON) / 60_000, order});
          }
        }
      }
    }
  });

  for (const [number, , expected] of ROWS) {
    it(`is ${expected} by row ${String(Math.floor(number))}, in every order for which that row is the first to hold`, () => {
      const row = decided.get(number);
      expect(row?.wrong).to.equal(undefined);
      expect(row?.count).to.be.above(0);
    });
  }

  it('is too late with a payment whose block is at the end of the deposit window, and not a moment before', () => {
    const paidAt = (at: number) =>
      anOrder({source: aLeg({filled: 50_000n, initiated: aChainEvent(90_249n, at), timelock: 7_200})});
    expect(stage(paidAt(WINDOW_ENDS_AT - 1), WINDOW_ENDS_AT)).to.equal('confirming');
    expect(stage(paidAt(WINDOW_ENDS_AT), WINDOW_ENDS_AT)).to.equal('refunding');
  });
});

describe('the time of an order', () => {
  const confirmed = anOrder({
    source: aLeg({filled: 50_000n, initiated: untimed, confirmations: {current: 1, required: 1}}),
  });
  const ours = (more: Partial<SwapRecord> = {}): SwapRecord => ({...RECORDS.sent, ...more});

  it('is the service’s, whatever this browser’s clock said when it was placed', () => {
    for (const placedAt of [0, NOON - HOUR, NOON + 61 * 60_000]) {
      const record = {...RECORDS.placed, placedAt};
      expect(stage(anOrder(), NOON + HOUR - 1, {record})).to.equal('awaiting-deposit');
      expect(stage(anOrder(), NOON + HOUR, {record})).to.equal('expired');
    }
  });

  it('ends with the service’s deadline, but not days later', () => {
    expect(windowOf(anOrder({deadline: NOON + 6 * HOUR}), HOUR)).to.equal(6 * HOUR);
    expect(windowOf(anOrder({deadline: NOON + 5}), HOUR)).to.equal(5);
    expect(windowOf(anOrder({deadline: NOON + 900 * HOUR}), HOUR)).to.equal(24 * HOUR);
    expect(stage(anOrder({deadline: NOON + 6 * HOUR}), NOON + 2 * HOUR)).to.equal('awaiting-deposit');
  });

  it('lets a payment that nobody can see be taken back from the end of its timelock on', () => {
    const order = anOrder({source: aLeg({timelock: TIMELOCK_BLOCKS})});
    const opens = NOON + TIMELOCK_BLOCKS * BLOCK_SECONDS * 1_000;
    const found = [opens - 1, opens].map(now => stage(order, now, {record: ours()}));
    expect(found).to.deep.equal(['funding', 'refunding']);
  });

  it('gives the other side an hour from the first reading of all confirmations, however long the blocks took', () => {
    const record = ours({confirmedAt: NOON + 75 * 60_000});
    expect(stage(confirmed, NOON + 134 * 60_000, {record})).to.equal('settling');
    expect(stage(confirmed, NOON + 135 * 60_000, {record})).to.equal('refunding');
  });

  it('does not lead to a refund if it is unknown when the payment was confirmed', () => {
    expect(stage(confirmed, NOON + 100 * HOUR, {record: ours()})).to.equal('settling');
    expect(stage(confirmed, NOON + 100 * HOUR)).to.equal('settling');
  });

  it('of confirmation is that of the first reading, and is forgotten if the confirmations disappear', () => {
    const {source} = confirmed;
    expect(confirmedSince(undefined, source, 7)).to.equal(7);
    expect(confirmedSince(7, source, 9)).to.equal(7);
    for (const change of [{confirmations: {current: 0, required: 1}}, {filled: 1n}, {initiated: seen}]) {
      expect(confirmedSince(7, {...source, ...change}, 9)).to.equal(undefined);
    }
  });
});

describe('an order that has not been read yet', () => {
  const NOTHING = moneyOf({certainty: 'none'}, {certainty: 'none'}, {certainty: 'none'});
  const at = (record: SwapRecord, facts: Partial<SwapFacts> = {}) =>
    standingOf({record, money: NOTHING, clock: clock(NOON), ...facts});

  it('has its last stage', () => {
    for (const last of ['awaiting-deposit', 'deposit-seen', 'settling', 'refunding', 'expired', 'stopped'] as const) {
      expect(at({...RECORDS.placed, stage: last})?.stage).to.equal(last);
    }
    expect(standingOf({money: NOTHING, clock: clock(NOON)})).to.equal(undefined);
  });

  it('is not refunded if its contract holds the money', () => {
    const [, , held] = CHAINS;
    expect(at({...RECORDS.sent, stage: 'refunded'})?.stage).to.equal('refunded');
    expect(at({...RECORDS.sent, stage: 'refunded'}, {deposit: held})?.stage).to.equal('refunding');
  });

  it('is being paid if a payment may have been sent, and else stopped if a check failed before', () => {
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
  ) => standingOf({order: anOrder(), money: toldOf(anOrder()), record, funding, clock: clock(NOON)});

  it('is to pay, to answer a question, or to see why no wallet was prompted', () => {
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

  it('ends once the payment was sent', () => {
    expect(turn(RECORDS.sent)).to.deep.equal({stage: 'funding', isPayersTurn: false});
    expect(turn(RECORDS.placed, {isAsking: true, isOut: true, isUnclear: false})?.isPayersTurn).to.equal(false);
  });
});

describe('the end of an order', () => {
  it('is a stage after which it need not be read', () => {
    expect(ORDER_STAGES.filter(isTerminal)).to.have.members(['complete', 'refunded', 'stopped']);
  });
});

describe('the progress of an order', () => {
  it('is from one of these stages to a later one', () => {
    const steps: readonly (readonly Stage[])[] = [
      ['editing', 'reviewing', 'ordering'],
      ['awaiting-deposit', 'expired', 'stopped'],
      ['funding'],
      ['deposit-seen'],
      ['confirming'],
      ['settling'],
      ['refunding'],
      ['refunded', 'complete'],
    ];
    const places = steps.flatMap((stages, place) => stages.map(stage => [stage, place] as const));
    for (const [before, from] of places) {
      for (const [now, to] of places) {
        expect(isStepOn(before, now), `${before} to ${now}`).to.equal(to > from);
        // Before a payment there is nothing to lose, and one whose refund was open may go on.
        const isBack = to < from && from > 2 && !(before === 'refunding' && now === 'settling');
        expect(isStepBack(before, now), `${before} back to ${now}`).to.equal(isBack);
      }
    }
  });
});
