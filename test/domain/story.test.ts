import {expect} from '../support/expect.js';
import fc from 'fast-check';
import type {WalletRequest} from '../../src/domain/deposit.js';
import {
  accept,
  isAwaited,
  LONGEST_WAIT_MS,
  movementsOf,
  NO_EVIDENCE,
  type DepositOnChain,
  type Evidence,
  type Fact,
  type PayoutOnChain,
  type Proof,
} from '../../src/domain/evidence.js';
import {isSameData, writeJson} from '../../src/domain/json.js';
import {LATEST, termsOf, type ChainEvent, type Leg, type Order} from '../../src/domain/order.js';
import {ORDER_STAGES, type FundingNow, type Stage, type StageClock} from '../../src/domain/stage.js';
import {
  isChanged,
  isEnded,
  isFinal,
  isOpen,
  newlyProved,
  tell,
  toWriteDown,
  type Action,
  type Circumstances,
  type Note,
  type Story,
  type StoryRecord,
} from '../../src/domain/story.js';
import {
  asked,
  AT_LEAST,
  event,
  expectEach,
  GONE,
  HELD,
  orderThatSays,
  PAID,
  payout,
  REFUNDED,
  says,
  sees,
  seesPaid,
  TAKEN,
  TIED,
  UNREADABLE,
  type Words,
} from '../support/facts.js';
import {anOrder, HOUR, NOON} from '../support/swap.js';

const BLOCK_SECONDS = 2;
/** As long as a refund waits: 7,200 blocks. */
const TIMELOCK = 4 * HOUR;
const RECEIVED = 49_850n;

type StoryFact = Fact<StoryRecord>;
const CLOCK: StageClock = {now: NOON, depositWindow: HOUR, blockSeconds: BLOCK_SECONDS};
const at = (now: number, more: Omit<Circumstances, 'clock'> = {}): Circumstances => ({clock: {...CLOCK, now}, ...more});
const known = (facts: readonly StoryFact[]): Evidence<StoryRecord> =>
  facts.reduce<Evidence<StoryRecord>>((evidence, fact) => accept(evidence, fact), NO_EVIDENCE);
const maybeStory = (facts: readonly StoryFact[], circumstances: Circumstances = at(NOON)) =>
  tell(known(facts), circumstances);
function storyOf(facts: readonly StoryFact[], circumstances?: Circumstances): Story {
  const story = maybeStory(facts, circumstances);
  if (!story) throw new Error('nothing is known');
  return story;
}

/* -- facts for tests ----------------------------------------------------------------------------------------------- */

const RECORD: StoryRecord = {
  placedAt: NOON,
  agreed: {amount: PAID, atLeast: AT_LEAST},
  terms: termsOf(anOrder()),
  deposit: {how: 'wallet'},
  walletRequests: [],
  stage: 'awaiting-deposit',
};
const record = (change: Partial<StoryRecord> = {}): StoryFact => ({about: 'record', value: {...RECORD, ...change}});
const SENT = {walletRequests: [asked('send', 'sent')], stage: 'funding'} as const;
const HANDED_OVER = {walletRequests: [asked('sign', 'signed'), asked('initiate', 'sent')], stage: 'funding'} as const;

const PAID_IN = event('0xa', 5n);
const OUT = event('0xc', 8n);
const BACK = event('0xe', 9n);
const CONFIRMED = {confirmations: {current: 1, required: 1}};
const OPEN: DepositOnChain = {...HELD, isRefundOpen: true};
const PROOF: Proof = {amount: RECEIVED, hashes: ['0xc'], block: 8n};
const PROOF_BACK: Proof = {amount: PAID, hashes: ['0xe'], block: 9n};

/* -- random facts -------------------------------------------------------------------------------------------------- */

const SEED = 20_261_124;
const RUNS = 1_000;

const maybe = <T>(drawn: fc.Arbitrary<T>) => fc.option(drawn, {nil: undefined});
const some = <T extends object>(fields: {[K in keyof T]: fc.Arbitrary<T[K]>}) =>
  fc.record(fields, {requiredKeys: []}) as fc.Arbitrary<Partial<T>>;
const hash = fc.constantFrom('0xa', '0xb', '0xc', 'constructor', '__proto__');
const hashes = fc.uniqueArray(hash, {minLength: 1, maxLength: 2});
const amount = fc.constantFrom(0n, 1n, AT_LEAST - 1n, AT_LEAST, RECEIVED, PAID, 9n * PAID, 10n ** 70n);
const more = fc.constantFrom(1n, AT_LEAST, PAID, 9n * PAID);
const block = fc.constantFrom(1n, 7n);
const momentOf = fc.constantFrom(0, NOON, NOON + 61 * 60_000, NOON + TIMELOCK, LATEST);
const chainEvent: fc.Arbitrary<ChainEvent> = fc.record({hashes, block, at: momentOf}, {requiredKeys: ['hashes']});

const answer: fc.Arbitrary<Order> = some<Words>({
  paid: chainEvent,
  filled: amount,
  out: chainEvent,
  back: chainEvent,
  taken: chainEvent,
  source: some<Pick<Leg, 'amount' | 'timelock' | 'confirmations'>>({
    amount,
    timelock: fc.constantFrom(0, 1, 7_200, Number.MAX_SAFE_INTEGER),
    confirmations: fc.constantFrom({current: 0, required: 1}, {current: 1, required: 1}),
  }),
  destination: some<Pick<Leg, 'amount' | 'initiated' | 'refunded'>>({
    amount,
    initiated: chainEvent,
    refunded: chainEvent,
  }),
  createdAt: fc.constantFrom(0, NOON, NOON + HOUR, LATEST),
}).map(orderThatSays);

const proof: fc.Arbitrary<Proof> = fc.record({amount: more, hashes, block}, {requiredKeys: ['amount', 'hashes']});
const chainEnd = fc.oneof(
  proof.map(found => ({...found, how: 'refunded' as const})),
  proof.map(found => ({...found, how: 'redeemed' as const, amount: 0n})),
);

/** Anything that the chains' adapters may read, each consistent in itself. */
const deposit: fc.Arbitrary<DepositOnChain> = fc.oneof(
  fc.constantFrom<DepositOnChain>(
    {state: 'none'},
    {state: 'reverted'},
    {state: 'empty'},
    {state: 'expired'},
    UNREADABLE,
    {state: 'seen', hashes: ['0xa']},
  ),
  fc
    .record({
      paid: fc.record({amount: more, hashes, block}, {requiredKeys: ['amount']}),
      held: fc.oneof(
        fc.constantFrom<Partial<DepositOnChain>>(
          {isHeld: true},
          {isHeld: true, isRefundOpen: false},
          {isHeld: true, isRefundOpen: true},
        ),
        some({isRefundOpen: fc.constant(false), end: chainEnd}).map(ended => ({isHeld: false, ...ended})),
      ),
    })
    .map(({paid, held}) => ({state: 'seen', ...paid, ...held}) as DepositOnChain),
);
const paidOut: fc.Arbitrary<Omit<PayoutOnChain, 'hashes'>> = fc
  .record({amount, loose: amount, earlier: amount, block}, {requiredKeys: ['amount', 'loose', 'earlier']})
  .map(({block: inBlock, ...others}) => ({...others, ...(others.amount && inBlock !== undefined && {block: inBlock})}));

const walletRequest: fc.Arbitrary<WalletRequest> = fc
  .tuple(
    fc.constantFrom<WalletRequest['kind'][]>('approve', 'sign', 'send', 'initiate', 'refund'),
    fc.constantFrom<WalletRequest['state'][]>('asking', 'sent', 'signed', 'refused'),
    fc.constantFrom<Partial<WalletRequest>[]>({}, {}, {claimed: true}, {abandoned: true}),
  )
  .map(([kind, state, rest]) => asked(kind, state, rest));
const ownRecord: fc.Arbitrary<StoryRecord> = fc.record(
  {
    placedAt: fc.constant(RECORD.placedAt),
    agreed: fc.constant(RECORD.agreed),
    terms: fc.constant(RECORD.terms!),
    deposit: fc.constantFrom({how: 'wallet'} as const, {how: 'wallet'} as const, {how: 'transfer'} as const),
    walletRequests: fc.array(walletRequest, {maxLength: 3}),
    stage: fc.constantFrom(...ORDER_STAGES),
    paidIn: fc.constant(true as const),
    isHeld: fc.constant(true as const),
    changed: fc.constant(true as const),
    confirmedAt: momentOf,
    paidOut: proof,
    paidBack: proof,
    seen: fc.record({hashes, filled: amount}),
  },
  {requiredKeys: ['placedAt', 'agreed', 'deposit', 'walletRequests', 'stage']},
);

/** A history: the responses, when each was requested, and another order in which they may arrive. */
interface History {
  readonly facts: readonly StoryFact[];
  readonly otherwise: readonly StoryFact[];
  readonly circumstances: Circumstances;
}
type Undated = StoryFact extends infer F ? (F extends {readonly askedAt: number} ? Omit<F, 'askedAt'> : never) : never;
const undated: fc.Arbitrary<Undated> = fc.oneof(
  {weight: 3, arbitrary: maybe(answer).map(value => ({about: 'order' as const, value}))},
  {weight: 3, arbitrary: maybe(deposit).map(value => ({about: 'deposit' as const, value}))},
  {
    weight: 2,
    arbitrary: fc
      .tuple(hashes, fc.nat(1), maybe(fc.oneof(paidOut, fc.constant('unreadable' as const))))
      .map(([names, first, read]) => {
        const value = typeof read === 'object' ? {...read, hashes: read.amount ? names.slice(-1 - first) : []} : read;
        return {about: 'payout' as const, hashes: names, value};
      }),
  },
);
const funding: fc.Arbitrary<FundingNow> = fc.record({
  isAsking: fc.boolean(),
  isOut: fc.boolean(),
  isUnclear: fc.boolean(),
});
const history: fc.Arbitrary<History> = fc
  .record({
    own: maybe(ownRecord),
    undated: fc.array(undated, {maxLength: 8}),
    pauses: fc.array(fc.constantFrom(1, 1_000, LONGEST_WAIT_MS, TIMELOCK), {minLength: 9, maxLength: 9}),
    order: fc.array(fc.nat(), {minLength: 9, maxLength: 9}),
    now: fc.constantFrom(0, 1, LONGEST_WAIT_MS, 9 * HOUR, LATEST - NOON),
    blockSeconds: fc.constantFrom(BLOCK_SECONDS, 600, Infinity),
    rest: some<Omit<Circumstances, 'clock'>>({
      hasFailed: fc.boolean(),
      funding,
    }),
  })
  .map(({own, undated: drawn, pauses, order, now, blockSeconds, rest}) => {
    let askedAt = NOON;
    const dated = drawn.map((fact, index): StoryFact => ({...fact, askedAt: (askedAt += pauses[index] ?? 1)}));
    const facts: readonly StoryFact[] = [...(own ? [{about: 'record' as const, value: own}] : []), ...dated];
    const otherwise = facts
      .map((fact, index) => ({fact, place: order[index] ?? 0}))
      .sort((one, other) => one.place - other.place)
      .map(({fact}) => fact);
    return {
      facts,
      otherwise,
      circumstances: {...rest, clock: {...CLOCK, blockSeconds, now: now === 0 ? NOON : askedAt + now}},
    };
  });

/** Asserts rules for every story, and names those that are broken. */
function always(
  rule: (known: {
    readonly story: Story;
    readonly evidence: Evidence<StoryRecord>;
    readonly readings: readonly PayoutOnChain[];
  }) => Readonly<Record<string, boolean>>,
): void {
  fc.assert(
    fc.property(history, ({facts, circumstances}) => {
      const evidence = known(facts);
      const story = tell(evidence, circumstances);
      if (!story) return;
      const readings = facts.flatMap(fact =>
        fact.about === 'payout' && typeof fact.value === 'object' ? [fact.value] : [],
      );
      const broken = Object.entries(rule({story, evidence, readings})).flatMap(([name, holds]) =>
        holds ? [] : [name],
      );
      if (broken.length) throw new Error(`${broken.join(', ')}: ${writeJson({story, evidence})}`);
    }),
    {seed: SEED, numRuns: RUNS},
  );
}

describe('Whatever is known of an order, its story', () => {
  it('is the same in whatever order the responses arrived', () => {
    fc.assert(
      fc.property(history, ({facts, otherwise, circumstances}) => {
        const [one, other] = [maybeStory(facts, circumstances), maybeStory(otherwise, circumstances)];
        if (!isSameData(one, other)) throw new Error(`${writeJson(one)} and ${writeJson(other)}`);
      }),
      {seed: SEED, numRuns: RUNS},
    );
  });

  it('has a stage, and times that are valid dates', () => {
    always(({story: {refundOpensAt, stage, order}}) => ({
      stage: ORDER_STAGES.includes(stage),
      date: refundOpensAt === undefined || Number.isFinite(new Date(refundOpensAt).getTime()),
      filled: order === undefined || order.source.filled >= 0n,
    }));
  });

  it('never misses a refund that the contract would pay', () => {
    always(({story: {refund, actions}, evidence}) => {
      const isOpen = evidence.record?.deposit.how === 'wallet' && evidence.deposit?.value.isRefundOpen === true;
      return {
        right: !isOpen || refund === 'open',
        action: actions.includes('refund') === (refund === 'open' || refund === 'likely'),
        stranger: evidence.record?.deposit.how === 'wallet' || refund === 'none',
      };
    });
  });

  it('never attributes an amount, block or transaction to a chain that does not show it', () => {
    always(({story, evidence: {deposit: read, record: own}, readings}) => {
      const {paidIn, paidOut: out, paidBack, order} = story;
      const isSeen = ({amount: found, event: shown}: Story['paidIn'], by: (Proof | undefined)[]) =>
        by.some(each => {
          const isIt = each?.amount === found && shown?.onChain === true;
          return (
            isIt &&
            (!each.hashes.length || writeJson(each.hashes) === writeJson(shown.hashes)) &&
            (!each.hashes.length || each.block === shown.block)
          );
        });
      const {amount: seen, hashes: names = [], block: inBlock, end} = read?.value ?? {};
      const ended = end?.how === 'refunded' ? end : undefined;
      return {
        in: paidIn.certainty !== 'proved' || isSeen(paidIn, [{amount: seen ?? -1n, hashes: names, block: inBlock}]),
        out: out.certainty !== 'proved' || isSeen(out, [...readings, own?.paidOut]),
        back: paidBack.certainty !== 'proved' || isSeen(paidBack, [ended, own?.paidBack]),
        unmarked: [paidIn, out, paidBack].every(it => it.certainty === 'proved' || !it.event?.onChain),
        order:
          !order ||
          writeJson([order.source.initiated, order.destination.redeemed, order.source.refunded]) ===
            writeJson([paidIn.event, out.event, paidBack.event]),
        filled: !order || order.source.filled === paidIn.amount,
        nothing: [paidIn, out, paidBack].every(
          it => ['proved', 'told'].includes(it.certainty) || (it.amount === 0n && !it.event),
        ),
      };
    });
  });

  it('has no end that is neither proved by a chain nor currently reported by the service', () => {
    always(({story: {stage, witness, ...moved}, evidence: {told, record: own}}) => {
      const isEnd = stage === 'complete' || stage === 'refunded';
      const {certainty} = stage === 'complete' ? moved.paidOut : moved.paidBack;
      const word = stage === 'complete' ? told?.value.destination.redeemed : told?.value.source.refunded;
      return {
        witness: (witness !== undefined) === isEnd,
        chain: witness !== 'chain' || certainty === 'proved',
        service: witness !== 'service' || (told ? word !== undefined : own?.stage === stage),
        denied: !isEnd || !told || certainty !== 'denied',
      };
    });
  });

  it('shows money as neither refunded nor redeemed while the contract holds it', () => {
    always(({story: {order, isHeld, stage, paidBack}}) => ({
      order: !isHeld || !order || (!order.source.refunded && !order.source.redeemed),
      stage: !isHeld || stage !== 'refunded',
      proof: !isHeld || paidBack.certainty !== 'proved',
    }));
  });

  it('is over only if a chain shows it, or nothing can be paid', () => {
    always(({evidence, story: {isOver, witness, stage, isHeld, refund, hasLiveSignature, ...money}}) => ({
      read: !isOver || (evidence.told !== undefined && !isAwaited(money)),
      witness: !isOver || witness === 'chain' || stage === 'stopped',
      held: !isOver || !isHeld || refund === 'none',
      signature: !isOver || stage !== 'stopped' || !hasLiveSignature,
    }));
  });

  it('stores as proved only what a chain showed, after any number of responses', () => {
    fc.assert(
      fc.property(history, ({facts, circumstances: {clock, ...rest}}) => {
        const [first] = facts;
        if (first?.about !== 'record' || !first.value) return;
        let evidence = accept<StoryRecord>(NO_EVIDENCE, first);
        const proofs: (Proof | undefined)[] = [first.value.paidOut, first.value.paidBack];
        for (const fact of facts.slice(1)) {
          if (fact.about === 'payout' && typeof fact.value === 'object') proofs.push(fact.value);
          if (fact.about === 'deposit' && fact.value?.end?.how === 'refunded') proofs.push(fact.value.end);
          evidence = accept(evidence, fact);
          const now = fact.about === 'record' ? NOON : fact.askedAt;
          const story = tell(evidence, {...rest, clock: {...clock, now}});
          if (!story || !evidence.record) continue;
          const value = {...evidence.record, ...newlyProved(evidence, story), stage: story.stage};
          evidence = accept<StoryRecord>(evidence, {about: 'record', value});
          const told = tell(evidence, {...rest, clock: {...clock, now}});
          if (told && Object.keys(newlyProved(evidence, told)).length) throw new Error('it is written twice');
        }
        const {paidOut: out, paidBack} = evidence.record ?? {};
        const texts = proofs.map(each => each && writeJson([each.amount, each.hashes, each.block]));
        for (const each of [out, paidBack]) {
          if (each && !texts.includes(writeJson([each.amount, each.hashes, each.block])))
            throw new Error(writeJson(each));
        }
      }),
      {seed: SEED, numRuns: RUNS},
    );
  });
});

/* -- single facts -------------------------------------------------------------------------------------------------- */

describe('The right to a refund', () => {
  const ready = NOON + TIMELOCK;
  const right = (facts: readonly StoryFact[], now = NOON) => storyOf([says({}), ...facts], at(now)).refund;
  const ours = (now: number, ...facts: readonly StoryFact[]) => right([record(SENT), ...facts], now);
  const paid = says({paid: PAID_IN});

  it('belongs to whoever paid into a contract, as long as it holds the money', () => {
    expectEach([
      ['a stranger’s order', right([sees(OPEN)], ready), 'none'],
      ['paid to an address', right([record({...SENT, deposit: {how: 'transfer'}}), sees(HELD)], ready), 'none'],
      ['never paid', right([record()], ready), 'none'],
      ['refused', right([record({walletRequests: [asked('send', 'refused')]})], ready), 'none'],
      ['only signed', right([record({walletRequests: [asked('sign', 'signed')]})], ready), 'none'],
      ['the chain shows none', ours(ready, sees({state: 'none'})), 'none'],
      ['reverted', ours(ready, sees({state: 'reverted'})), 'none'],
      ['nothing was paid by it', ours(ready, sees({state: 'empty'})), 'none'],
      ['too old to arrive', ours(ready, sees({state: 'expired'})), 'none'],
      ['on its way', ours(NOON, sees({state: 'seen', hashes: ['0xa']})), 'later'],
      ['held', ours(NOON, sees(HELD)), 'later'],
      ['held, with its time over by the clock', ours(ready, sees(HELD)), 'later'],
      [
        'held, though the wallet said no',
        right([record({walletRequests: [asked('send', 'refused')]}), sees(HELD)]),
        'later',
      ],
      ['open', ours(NOON, sees(OPEN)), 'open'],
      ['taken', ours(ready, sees(TAKEN)), 'none'],
      ['gone', ours(ready, sees(GONE)), 'none'],
      ['back', ours(ready, sees(REFUNDED)), 'none'],
      ['back, as was written down', right([record({...SENT, paidBack: PROOF_BACK})], ready), 'none'],
      [
        'back, as was written down, and open',
        right([record({...SENT, paidBack: PROOF_BACK}), sees(OPEN)], ready),
        'open',
      ],
    ] as const);
  });

  it('is likely by the clock if the chain cannot be read', () => {
    const {isRefundOpen: _, ...unasked} = HELD;
    expectEach([
      ['not read', ours(ready), 'likely'],
      ['a moment early', ours(ready - 1), 'later'],
      ['unreadable', ours(ready, sees(UNREADABLE)), 'likely'],
      ['held, and the contract was not asked', ours(ready, sees(unasked)), 'likely'],
      ['held, and early', ours(ready - 1, sees(unasked)), 'later'],
      ['was held', right([record({isHeld: true})], ready), 'likely'],
      [
        'a signature that was refused',
        right([record({walletRequests: [asked('initiate', 'refused')]})], ready),
        'likely',
      ],
      ['given up', right([record({walletRequests: [asked('send', 'sent', {abandoned: true})]})], ready), 'likely'],
      ['on its way for so long', ours(ready, sees({state: 'seen', hashes: ['0xa']})), 'likely'],
    ] as const);
  });

  it('is never guessed for a payment that was not verified: its chain has to show that it is held', () => {
    const unverified = record({...SENT, unverified: true});
    expectEach([
      ['not read', right([unverified], ready), 'none'],
      ['unreadable', right([unverified, sees(UNREADABLE)], ready), 'none'],
      ['on its way', right([unverified, sees({state: 'seen', hashes: ['0xa']})], ready), 'none'],
      ['held', right([unverified, sees(HELD)], ready), 'later'],
      ['open', right([unverified, sees(OPEN)], ready), 'open'],
    ] as const);
  });

  it('is likely if a chain that showed none, or none yet, has not responded since', () => {
    expectEach([
      ['none', ours(ready, sees({state: 'none'}), sees(undefined, NOON + 1)), 'likely'],
      [
        'none, and nothing went out',
        right([record(), sees({state: 'none'}), sees(undefined, NOON + 1)], ready),
        'none',
      ],
      ['on its way', ours(ready, sees({state: 'seen', hashes: ['0xa']}), sees(undefined, NOON + 1)), 'likely'],
      ['reverted', ours(ready, sees({state: 'reverted'}), sees(undefined, NOON + 1)), 'none'],
      ['not yet', ours(ready, sees(HELD), sees(undefined, NOON + 1)), 'likely'],
      ['not yet, and early', ours(ready - 1, sees(HELD), sees(undefined, NOON + 1)), 'later'],
      ['open', ours(NOON, sees(OPEN), sees(undefined, NOON + 1)), 'open'],
      ['read again', ours(ready, sees(undefined), sees({state: 'none'}, NOON + 1)), 'none'],
    ] as const);
  });

  it('is counted from the payment’s block, by the service’s clock', () => {
    const skewed = {placedAt: NOON - 2 * HOUR, ...SENT};
    const late = says({paid: {...PAID_IN, at: NOON + 60_000}});
    expect(storyOf([record(SENT), late, sees(UNREADABLE)], at(NOON)).refundOpensAt).to.equal(ready + 60_000);
    expect(storyOf([record(skewed), late, sees(UNREADABLE)], at(NOON)).refundOpensAt).to.equal(ready + 60_000);
    expect(storyOf([record(SENT), says()]).refundOpensAt).to.equal(ready);
    expect(storyOf([record(SENT), says({paid: event('0xa')}), sees(UNREADABLE)]).refundOpensAt).to.equal(undefined);
    expect(maybeStory([record(SENT)])?.refundOpensAt).to.equal(undefined);
    const unplaced = [record(skewed), says({paid: event('0xa')}), sees(UNREADABLE)];
    expect(storyOf(unplaced, at(ready - 1)).refund).to.equal('later');
    expect(storyOf(unplaced, at(ready)).refund).to.equal('likely');
  });

  it('never ends on the service’s word, whatever it reports about the time of the payment or the timelock', () => {
    const latest = ready + HOUR;
    const after = (facts: readonly StoryFact[], now = latest) =>
      storyOf([record(SENT), sees(UNREADABLE), ...facts], at(now)).refund;
    expectEach([
      ['silent', after([]), 'likely'],
      ['silent, and a moment early', after([], latest - 1), 'later'],
      ['paid at the end of days', after([says({paid: {...PAID_IN, at: LATEST}})]), 'likely'],
      ['locked for ever', after([says({source: {timelock: Number.MAX_SAFE_INTEGER}})]), 'likely'],
      ['made later', after([says({createdAt: LATEST})], LATEST + (latest - NOON)), 'likely'],
      ['complete', after([says({paid: PAID_IN, out: OUT}), seesPaid('unreadable')]), 'likely'],
      ['back', after([says({paid: PAID_IN, back: BACK})]), 'likely'],
    ] as const);
  });

  it('remains if the service reports complete or refunded', () => {
    const claims = says({paid: PAID_IN, out: OUT, back: BACK}, NOON + 1);
    const facts = [record(SENT), paid, sees(OPEN, NOON + 2), claims, seesPaid('unreadable')];
    expect(storyOf(facts)).to.include({stage: 'refunding', refund: 'open', isHeld: true});
    const proved = storyOf([record(SENT), claims, sees(OPEN, NOON + 2), seesPaid(TIED)]);
    expect(proved).to.include({stage: 'complete', witness: 'chain', refund: 'open', isOver: false});
    expect(proved.actions).to.deep.equal(['restart', 'refund']);
  });
});

describe('What a person can do', () => {
  const actions = (facts: readonly StoryFact[], circumstances?: Circumstances) => {
    const story = storyOf(facts, circumstances);
    return [story.stage, ...story.actions];
  };
  const unclear = {isAsking: false, isOut: false, isUnclear: true};
  const asking = {isAsking: true, isOut: false, isUnclear: false};

  it('is what the stage requires, and a refund if there is a right to one', () => {
    const paid = says({paid: PAID_IN, source: CONFIRMED});
    const open = (...facts: readonly StoryFact[]) => actions([record(SENT), sees(OPEN, NOON + 1), ...facts]);
    const took: readonly (Stage | Action)[][] = [
      actions([record(), says()]),
      actions([record(), says()], at(NOON, {funding: asking})),
      actions([record(SENT), says()]),
      actions([record(SENT), says()], at(NOON, {funding: unclear})),
      actions([says({paid: event('0xa')}), sees(UNREADABLE)]),
      actions([says({paid: PAID_IN}), sees(UNREADABLE)]),
      actions([paid, sees(UNREADABLE)]),
      actions([record(SENT), sees(UNREADABLE), says({paid: PAID_IN})], at(NOON + TIMELOCK)),
      open(paid),
      actions([paid, says({paid: PAID_IN, out: OUT}), seesPaid(TIED)]),
      actions([record(SENT), sees(REFUNDED)]),
      actions([says()], at(NOON + 2 * HOUR)),
      actions([record({stage: 'stopped'}), says()]),
    ];
    expect(took).to.deep.equal([
      ['awaiting-deposit', 'pay', 'cancel'],
      ['funding', 'pay'],
      ['funding', 'wait'],
      ['funding', 'answer'],
      ['deposit-seen', 'wait'],
      ['confirming', 'wait'],
      ['settling', 'wait'],
      ['refunding', 'wait', 'refund'],
      ['refunding', 'wait', 'refund'],
      ['complete', 'restart'],
      ['refunded', 'restart'],
      ['expired', 'restart'],
      ['stopped', 'restart'],
    ]);
  });
});

describe('Canceling', () => {
  const canCancel = (facts: readonly StoryFact[], circumstances?: Circumstances) =>
    storyOf(facts, circumstances).actions.includes('cancel');
  const after = (...walletRequests: readonly WalletRequest[]) => canCancel([record({walletRequests}), says()]);

  it('is possible while nothing was paid, and nothing that was signed or sent can pay', () => {
    expectEach([
      ['nothing was asked', canCancel([record(), says()]), true],
      ['before the order is read', canCancel([record()]), true],
      ['the payment was declined', after(asked('send', 'refused')), true],
      ['only an allowance was given', after(asked('approve', 'sent')), true],
      ['a signature never left the page', after(asked('sign', 'signed')), true],
      ['the service refused a signature', after(asked('initiate', 'refused')), false],
      ['a payment is no longer awaited', after(asked('send', 'sent', {abandoned: true})), false],
      ['the wallet gave no answer', after(asked('send', 'asking')), false],
      ['a part was paid', canCancel([record(), says({filled: 1n})]), false],
      ['a part is on its way', canCancel([record(), says({paid: event('0xa'), filled: 1n})]), false],
      ['its chain has shown the payment', canCancel([record({paidIn: true}), says()]), false],
      ['the time to pay is over', canCancel([record(), says()], at(NOON + 2 * HOUR)), false],
      ['the order is of someone else', canCancel([says()]), false],
    ]);
  });

  it('stops a swap for good, unless it was paid after all', () => {
    const canceled = {canceled: true, stage: 'stopped'} as const;
    const byAddress = {...canceled, deposit: {how: 'transfer'}} as const;
    const tellsOf = (facts: readonly StoryFact[]) => {
      const {stage, isCanceled, isPayersTurn, isOver} = storyOf(facts);
      return [stage, isCanceled, isPayersTurn, isOver];
    };
    expectEach([
      ['by wallet', tellsOf([record(canceled), says()]), ['stopped', true, false, true]],
      ['by address', tellsOf([record(byAddress), says()]), ['stopped', true, false, false]],
      ['by a check', tellsOf([record({stage: 'stopped'}), says()]), ['stopped', false, true, true]],
      [
        'paid after all',
        tellsOf([record(byAddress), says({paid: PAID_IN}), sees(UNREADABLE)]),
        ['confirming', false, false, false],
      ],
      [
        'a payment that is gone again',
        tellsOf([record({...byAddress, stage: 'confirming'}), says()]),
        ['stopped', true, false, false],
      ],
    ]);
    expect(isFinal({...RECORD, ...canceled})).to.equal(true);
    // Its address was shown, so it is read now and then.
    expect(isFinal({...RECORD, ...byAddress})).to.equal(false);
  });
});

describe('A swap whose address was not shown', () => {
  const stopped = {stage: 'stopped', deposit: {how: 'transfer'}} as const;
  const claim = says({paid: PAID_IN, out: OUT, back: BACK});
  const tellsOf = (change: Partial<StoryRecord>, ...facts: readonly StoryFact[]) => {
    const {stage, isOver} = storyOf([record({...stopped, ...change}), claim, sees(UNREADABLE), ...facts]);
    return [stage, isOver] as const;
  };

  it('is neither paid nor complete by the service’s word, and need not be read again', () => {
    const unread = seesPaid('unreadable');
    const canceled = {canceled: true} as const;
    expectEach([
      ['stopped by a check', tellsOf({payableSince: null}, unread), ['stopped', true]],
      ['not stopped', tellsOf({payableSince: null, stage: 'awaiting-deposit'}, unread), ['awaiting-deposit', false]],
      ['canceled', tellsOf({payableSince: null, ...canceled}, unread), ['stopped', true]],
      ['its address was paid by somebody else', tellsOf({payableSince: null}, unread, sees(HELD)), ['stopped', true]],
      ['and that was written down', tellsOf({payableSince: null, paidIn: true}, unread), ['stopped', true]],
      ['and was refunded', tellsOf({payableSince: null}, unread, sees(REFUNDED)), ['stopped', true]],
      ['its payout is on its chain', tellsOf({payableSince: null}, seesPaid(TIED)), ['complete', true]],
      ['shown, then canceled', tellsOf({payableSince: NOON, ...canceled}, unread), ['complete', false]],
      ['shown, then stopped', tellsOf({payableSince: NOON}, unread), ['complete', false]],
      ['of an earlier version', tellsOf(canceled, unread), ['complete', false]],
    ]);
    const ends = (change: Partial<StoryRecord>) => isFinal({...RECORD, ...stopped, ...change});
    expectEach([
      ['not shown', ends({payableSince: null}), true],
      ['shown, then stopped', ends({payableSince: NOON}), false],
      ['of an earlier version', ends({}), false],
    ]);
  });

  it('is no more paid than one whose wallet was not asked', () => {
    const byWallet = {payableSince: null, deposit: {how: 'wallet'}} as const;
    expect(tellsOf(byWallet, seesPaid('unreadable'))).to.deep.equal(['stopped', true]);
    const soFar = {...byWallet, stage: 'awaiting-deposit', walletRequests: [asked('sign', 'signed')]} as const;
    expect(tellsOf(soFar, seesPaid('unreadable'))[0]).to.equal('awaiting-deposit');
  });
});

describe('A swap whose payment is held, and whose recipient’s chain was read and showed nothing', () => {
  const claim = says({paid: PAID_IN, out: OUT, taken: event('0xf', 9n)}, NOON);
  const tellsOf = (...facts: readonly StoryFact[]) => {
    const {stage, witness} = storyOf([record({...SENT, stage: 'settling'}), claim, ...facts]);
    return [stage, witness] as const;
  };
  const nothing = seesPaid(payout());

  it('is not complete, whatever the service says; a refund that is open ends it', () => {
    const unread = seesPaid('unreadable', NOON + 1);
    expectEach([
      ['read', tellsOf(sees(HELD), nothing), ['confirming', undefined]],
      ['read, and not readable now', tellsOf(sees(HELD), nothing, unread), ['confirming', undefined]],
      ['never read', tellsOf(sees(HELD), unread), ['complete', 'service']],
      ['untied', tellsOf(sees(HELD), seesPaid(payout({loose: AT_LEAST}))), ['complete', 'service']],
      ['a refund is open', tellsOf(sees(OPEN), nothing, unread), ['refunding', undefined]],
      ['a refund is open, and it was never read', tellsOf(sees(OPEN), unread), ['refunding', undefined]],
      [
        'a refund is open, and untied',
        tellsOf(sees(OPEN), seesPaid(payout({loose: AT_LEAST}))),
        ['refunding', undefined],
      ],
      ['no longer held', tellsOf(sees(GONE), nothing, unread), ['complete', 'service']],
    ]);
  });
});

describe('The witness of the end', () => {
  const unread = seesPaid('unreadable');
  const end = (facts: readonly StoryFact[], circumstances?: Circumstances) => {
    const {stage, witness, isOver} = storyOf(facts, circumstances);
    return [stage, witness, isOver] as const;
  };
  const written = (change: Partial<StoryRecord>, ...facts: readonly StoryFact[]) =>
    end([record({...SENT, ...change}), ...facts]);
  const ours = (...facts: readonly StoryFact[]) => written({}, ...facts);
  const complete = says({paid: PAID_IN, out: OUT});
  const refunded = says({paid: PAID_IN, back: BACK});
  const loose = payout({loose: AT_LEAST});

  it('is the chain if it shows the end, otherwise the service, whose word is not final', () => {
    expectEach([
      ['on its way', end([says({paid: PAID_IN}), sees(HELD)]), ['confirming', undefined, false]],
      ['told', ours(complete, sees(UNREADABLE), unread), ['complete', 'service', false]],
      ['shown', ours(complete, sees(GONE), seesPaid(TIED)), ['complete', 'chain', true]],
      ['shown, and not taken yet', ours(complete, sees(HELD), seesPaid(TIED)), ['complete', 'chain', false]],
      ['written down, and not read yet', written({paidOut: PROOF}), ['complete', 'chain', false]],
      ['written down, and its payment not read yet', written({paidOut: PROOF}, complete), ['complete', 'chain', false]],
      ['written down', written({paidOut: PROOF}, complete, sees(GONE)), ['complete', 'chain', true]],
      [
        'written down, and held when its chain was last read',
        written({paidOut: PROOF, isHeld: true}, complete, sees(UNREADABLE)),
        ['complete', 'chain', false],
      ],
      ['untied', ours(complete, sees(HELD), seesPaid(loose)), ['complete', 'service', false]],
      ['back, as told', ours(refunded, sees(UNREADABLE)), ['refunded', 'service', false]],
      ['back', ours(refunded, sees(REFUNDED)), ['refunded', 'chain', true]],
      ['remembered', written({stage: 'complete'}), ['complete', 'service', false]],
      [
        'denied',
        written({stage: 'complete'}, complete, sees(GONE), seesPaid(payout())),
        ['confirming', undefined, false],
      ],
    ] as const);
  });

  it('is not final while the contract holds the money, or the payout waits for a block', () => {
    const {block: _, ...waiting} = TIED;
    const arrived = (read: PayoutOnChain) => ours(complete, sees(GONE), seesPaid(read))[2];
    expectEach<unknown>([
      ['held', written({isHeld: true}, complete, sees(HELD), seesPaid(TIED))[2], false],
      ['held when it was last seen', written({isHeld: true}, complete, seesPaid(TIED))[2], false],
      [
        'held for an address, where the payer can take nothing',
        written({deposit: {how: 'transfer'}}, complete, sees(HELD), seesPaid(TIED))[2],
        true,
      ],
      ['refunded', ours(refunded, sees(REFUNDED))[2], true],
      ['held, and not written down yet', ours(complete, sees(OPEN), seesPaid(TIED))[2], false],
      ['in no block, and may be replaced', arrived(waiting), false],
      ['in a block', arrived(TIED), true],
    ]);
  });

  it('is missing for a stopped order, which is over unless it may still have been paid', () => {
    const stopped = (change: Partial<StoryRecord>) => end([record({stage: 'stopped', ...change}), says()]);
    expectEach([
      ['by wallet', stopped({}), ['stopped', undefined, true]],
      ['its address was shown', stopped({deposit: {how: 'transfer'}}), ['stopped', undefined, false]],
      [
        'its signature is out',
        stopped({walletRequests: [asked('initiate', 'refused')]}),
        ['stopped', undefined, false],
      ],
      [
        'its signature is out, and the chain shows no payment',
        end([
          record({stage: 'stopped', walletRequests: [asked('initiate', 'refused')]}),
          says(),
          sees({state: 'none'}),
        ]),
        ['stopped', undefined, false],
      ],
      [
        'held',
        end([record({stage: 'stopped', isHeld: true, walletRequests: [asked('send', 'refused')]}), says()]),
        ['stopped', undefined, false],
      ],
    ] as const);
  });
});

describe('A signature that the service received', () => {
  const isLive = (facts: readonly StoryFact[], change: Partial<StoryRecord> = HANDED_OVER, now = NOON) =>
    storyOf([record(change), ...facts], at(now)).hasLiveSignature;
  const claim = says({paid: PAID_IN});

  it('can be used until the chain shows the payment, if it can be read', () => {
    const late = NOON + 2 * LONGEST_WAIT_MS;
    expectEach([
      ['never handed over', isLive([], {walletRequests: [asked('sign', 'signed')]}), false],
      ['handed over', isLive([says()]), true],
      ['refused by the service', isLive([says()], {walletRequests: [asked('initiate', 'refused')]}), true],
      ['given up', isLive([says()], {walletRequests: [asked('initiate', 'sent', {abandoned: true})]}), true],
      ['seen', isLive([says(), sees(HELD)]), false],
      ['was seen', isLive([says()], {...HANDED_OVER, paidIn: true}), false],
      ['claimed, and denied', isLive([claim, sees({state: 'none'}, NOON + 1)]), true],
      ['claimed, and being asked about', isLive([claim]), true],
      ['claimed after the chain was read', isLive([sees({state: 'none'}), claim]), true],
      [
        'claimed while reads fail',
        isLive([sees({state: 'none'}, NOON - 1), claim, sees(undefined, late)], HANDED_OVER, late),
        true,
      ],
      ['a transaction on its way', isLive([sees({state: 'seen', hashes: ['0xa']}), claim]), true],
      [
        'seen in an earlier page, and denied',
        isLive([sees({state: 'none'})], {...HANDED_OVER, seen: {hashes: ['0xa'], filled: PAID}}),
        true,
      ],
    ]);
  });

  it('can no longer be used once the service reports the payment, if no chain can be read', () => {
    expectEach([
      ['claimed', isLive([claim, sees(UNREADABLE)]), false],
      ['claimed, and no answer for a minute', isLive([claim, sees(undefined, NOON + LONGEST_WAIT_MS)]), false],
      ['taken back', isLive([claim, sees(UNREADABLE), says({}, NOON + 1)]), true],
      ['before the first answer', isLive([], {...HANDED_OVER, seen: {hashes: ['0xa'], filled: PAID}}), false],
      ['before the first answer, and never told', isLive([]), true],
    ]);
  });
});

describe('The note about something unusual', () => {
  const note = (facts: readonly StoryFact[], circumstances?: Circumstances): Note | undefined =>
    storyOf(facts, circumstances).note;
  const seen = {seen: {hashes: ['0xa'], filled: PAID}};
  const ours = (...facts: readonly StoryFact[]) => note([record(SENT), ...facts]);
  const wasSeen = (...facts: readonly StoryFact[]) => note([record({...SENT, ...seen}), ...facts]);

  it('is about the payment: the most urgent first', () => {
    expectEach<Note | undefined>([
      ['nothing', ours(says({paid: PAID_IN}), sees(HELD)), undefined],
      ['changed', note([record({...SENT, ...seen, changed: true}), says()]), {kind: 'changed'}],
      [
        'disputed',
        wasSeen(says(), {...sees(undefined), isDisputed: true} as StoryFact),
        {kind: 'disputed', of: 'source'},
      ],
      [
        'disputed at its end',
        ours(says({paid: PAID_IN, out: OUT}), sees(HELD), {...seesPaid(undefined), isDisputed: true} as StoryFact),
        {kind: 'disputed', of: 'target'},
      ],
      ['gone', wasSeen(says(), sees({state: 'none'})), {kind: 'gone'}],
      ['not gone while its chain is read', wasSeen(says({paid: PAID_IN})), undefined],
      ['replaced', wasSeen(says({paid: event('0xb')}), sees(UNREADABLE)), {kind: 'replaced'}],
      ['a part', ours(says(), sees({...HELD, amount: 7n})), {kind: 'part', amount: 7n}],
      ['too much', ours(says(), sees({...HELD, amount: PAID + 7n})), {kind: 'surplus', amount: 7n}],
      ['too much, and denied', ours(says({paid: PAID_IN, filled: 9n * PAID}), sees({state: 'none'})), undefined],
      ['a part, on its way back', ours(says(), sees({...OPEN, amount: 7n})), undefined],
    ]);
  });

  it('is about what arrived: less than agreed, or money not tied to the order', () => {
    const complete = [record({...SENT, changed: true}), says({paid: PAID_IN, out: OUT}), sees(HELD)];
    expectEach<Note | undefined>([
      ['as agreed', note([...complete, seesPaid({...TIED, amount: AT_LEAST})]), undefined],
      ['less', note([...complete, seesPaid({...TIED, amount: AT_LEAST - 1n})]), {kind: 'less', amount: AT_LEAST - 1n}],
      ['untied', note([...complete, seesPaid(payout({loose: PAID}))]), {kind: 'untied', amount: PAID}],
      ['told', note([...complete, seesPaid('unreadable')]), undefined],
      [
        'complete before, and being asked about',
        note([record({...SENT, stage: 'complete'}), ...complete.slice(1)]),
        undefined,
      ],
      ['of a stranger', note([says({out: OUT}), seesPaid({...TIED, amount: 1n})]), undefined],
    ]);
  });
});

describe('An unpaid order', () => {
  const isUnpaid = (...facts: readonly StoryFact[]) => storyOf([record(), says(), ...facts]).isUnpaid;

  it('is one only if the last reading of its chain shows that', () => {
    expect(isUnpaid(), 'not asked').to.be.false;
    expect(isUnpaid(sees({state: 'unknown'}, NOON + 1)), 'not to be read').to.be.false;
    expect(isUnpaid(sees({state: 'seen'}, NOON + 1)), 'on its way').to.be.false;
    for (const state of ['none', 'reverted', 'empty', 'expired'] as const) {
      expect(isUnpaid(sees({state}, NOON + 1)), state).to.be.true;
      expect(isUnpaid(sees({state}, NOON + 1), sees(undefined, NOON + 2)), `${state}, then in vain`).to.be.false;
    }
  });
});

describe('A stage', () => {
  const back = (stage: Stage, ...facts: readonly StoryFact[]) => {
    const story = storyOf([record({...SENT, stage}), ...facts], at(NOON + 1));
    return [story.stage, story.isPayersTurn] as const;
  };
  const paid = says({paid: PAID_IN, source: CONFIRMED}, NOON);
  const none = sees({state: 'none'}, NOON - 1);

  it('does not move back while a chain read that decides it is pending', () => {
    expectEach([
      ['being asked', back('settling', paid), ['settling', false]],
      ['read before', back('settling', paid, none), ['settling', false]],
      ['answered', back('settling', paid, sees({state: 'none'}, NOON + 1)), ['funding', false]],
      ['taken back', back('settling', says(), none), ['funding', false]],
      [
        'paid to an address, being asked',
        back('settling', record({stage: 'settling', deposit: {how: 'transfer'}}), paid),
        ['settling', false],
      ],
      ['stands further already', back('awaiting-deposit', paid), ['funding', false]],
      [
        'complete, being asked',
        back('complete', says({paid: PAID_IN, out: OUT}), sees(HELD, NOON)),
        ['complete', false],
      ],
      [
        'complete, and the payment is asked about',
        back('complete', says({paid: PAID_IN, out: OUT}), seesPaid('unreadable')),
        ['complete', false],
      ],
      ['refunded, being asked', back('refunded', says({back: BACK})), ['refunded', false]],
      [
        'refunded, and held when last seen',
        back('refunded', says({back: BACK}), sees(HELD, NOON - 1)),
        ['confirming', false],
      ],
    ] as const);
  });

  it('does not stay at an end merely because another read is pending', () => {
    const other = says({paid: event('0xb', 6n)}, NOON);
    const disputed = {about: 'payout', askedAt: NOON, hashes: ['0xc'], value: undefined, isDisputed: true} as const;
    expectEach([
      ['no longer said', back('complete', other, none)[0], 'funding'],
      ['denied', back('complete', says({paid: PAID_IN, out: OUT}), none, seesPaid(payout()))[0], 'funding'],
      ['no longer said to be back', back('refunded', other, none)[0], 'funding'],
      [
        'a payout that the addresses of its chain contradict each other about',
        back('complete', says({paid: PAID_IN, out: OUT}), sees(HELD), disputed)[0],
        'confirming',
      ],
      [
        'a refund that the contract would pay',
        back('complete', says({paid: PAID_IN, out: OUT, back: BACK}), sees(OPEN, NOON - 1), seesPaid('unreadable'))[0],
        'refunding',
      ],
    ] as const);
  });
});

describe('An order that need not be read again', () => {
  const ends = (change: Partial<StoryRecord>) => isFinal({...RECORD, ...change});
  const paid = (change: Partial<StoryRecord>) => ends({...SENT, ...change});

  it('has a proved end, or was stopped without a possible payment', () => {
    expectEach([
      ['under way', paid({stage: 'settling'}), false],
      ['complete, by the service', paid({stage: 'complete'}), false],
      ['complete', paid({stage: 'complete', paidOut: PROOF}), true],
      ['complete, and in no block', paid({stage: 'complete', paidOut: {amount: 1n, hashes: ['0xc']}}), false],
      ['complete, and held', paid({stage: 'complete', paidOut: PROOF, isHeld: true}), false],
      ['arrived, and not written down as complete yet', paid({stage: 'settling', paidOut: PROOF}), false],
      ['complete, though it came back', paid({stage: 'complete', paidBack: PROOF_BACK}), false],
      ['refunded, by the service', paid({stage: 'refunded'}), false],
      ['refunded', paid({stage: 'refunded', paidBack: PROOF_BACK}), true],
      ['refunded, and in no block', paid({stage: 'refunded', paidBack: {amount: 1n, hashes: ['0xb']}}), false],
      ['expired', ends({stage: 'expired'}), false],
      ['stopped', ends({stage: 'stopped'}), true],
      ['stopped, and paid', paid({stage: 'stopped'}), false],
      [
        'stopped, and a signature is out',
        ends({stage: 'stopped', walletRequests: [asked('initiate', 'refused')]}),
        false,
      ],
      ['stopped, and held', ends({stage: 'stopped', isHeld: true}), false],
    ]);
  });
});

describe('An order that may still need attention', () => {
  it('has not ended, or may have been paid though it expired', () => {
    const isWanted = (change: Partial<StoryRecord>) => isOpen({...RECORD, ...change});
    expectEach([
      ['not paid yet', isWanted({}), true],
      ['under way', isWanted({...SENT, stage: 'settling'}), true],
      ['expired', isWanted({stage: 'expired'}), false],
      ['expired, and paid', isWanted({...SENT, stage: 'expired'}), true],
      ['complete', isWanted({...SENT, stage: 'complete'}), false],
      ['stopped', isWanted({stage: 'stopped'}), false],
    ]);
  });
});

describe('An order that has ended', () => {
  it('is complete or refunded, whoever says so, and no longer held', () => {
    const ended = (change: Partial<StoryRecord>) => isEnded({...RECORD, ...change});
    expectEach(ORDER_STAGES.map(stage => [stage, ended({stage}), stage === 'complete' || stage === 'refunded']));
    expect([ended({stage: 'complete', isHeld: true}), ended({stage: 'refunded', isHeld: true})]).to.deep.equal([
      false,
      false,
    ]);
  });
});

describe('The stored record', () => {
  const stored = (...facts: readonly StoryFact[]) => toWriteDown(known(facts), storyOf(facts), NOON);

  it('learns nothing of a stranger’s order, nor before the service answers', () => {
    expectEach<unknown>([
      ['a stranger’s', stored(says({paid: PAID_IN}), sees(HELD)), {}],
      ['not answered', stored(record()), {}],
      [
        'not answered, and sent',
        stored(record({...SENT, confirmedAt: NOON, seen: {hashes: ['0xa'], filled: PAID}})),
        {},
      ],
      ['nothing happened', stored(record(), says()), {}],
    ]);
  });

  it('says that the terms were changed once the order is paid, or may be', () => {
    const source = {timelock: 1};
    expectEach<unknown>([
      ['unpaid', stored(record(), says({source})), {}],
      ['sent', stored(record(SENT), says({source})), {changed: true}],
      ['paid, says the service', stored(record(), says({paid: PAID_IN, source}), sees(UNREADABLE)).changed, true],
    ]);
  });

  it('keeps since when a payment is confirmed while its chain is being read', () => {
    const since = NOON - HOUR;
    const change = (facts: readonly StoryFact[]) =>
      toWriteDown(known([record({...SENT, confirmedAt: since}), ...facts]), storyOf([record(SENT), ...facts]), NOON);
    const claim = says({paid: PAID_IN, filled: PAID});
    expectEach<unknown>([
      ['being asked', 'confirmedAt' in change([claim]), false],
      ['not paid at all', 'confirmedAt' in change([says(), sees({state: 'none'})]), true],
    ]);
  });

  it('replaces what the service reported about a payment with what its chain shows', () => {
    const seen = {hashes: ['0xfa'], filled: 9n * PAID};
    const change = (own: Partial<StoryRecord>, reading: DepositOnChain) => {
      const facts = [record({...SENT, seen, ...own}), says({paid: event('0xfa'), filled: 9n * PAID}), sees(reading)];
      return toWriteDown(known(facts), storyOf(facts), NOON).seen;
    };
    expectEach<unknown>([
      ['shown', change({}, HELD), {hashes: ['0xa'], filled: PAID}],
      ['shown before', change({paidIn: true}, HELD), {hashes: ['0xfa', '0xa'], filled: 9n * PAID}],
      ['told still', change({}, UNREADABLE), undefined],
    ]);
  });

  const news = (facts: readonly StoryFact[]) => {
    const evidence = known(facts);
    return newlyProved(evidence, movementsOf(evidence));
  };
  const all = says({paid: PAID_IN, out: OUT, back: BACK}, NOON - 2 * LONGEST_WAIT_MS);
  const own = (change: Partial<StoryRecord> = {}) => record({...SENT, ...change});
  const remembered = own({paidIn: true, isHeld: true, paidOut: PROOF, paidBack: PROOF_BACK});

  it('has as proved what a chain showed, and nothing that was only reported', () => {
    expectEach<unknown>([
      ['of a stranger’s order', news([all, sees(HELD), seesPaid(TIED)]), {}],
      ['told', news([own(), all]), {}],
      ['unreadable', news([own(), all, sees(UNREADABLE), seesPaid('unreadable')]), {}],
      ['untied', news([own(), all, seesPaid(payout({loose: PAID}))]), {}],
      ['held', news([own(), all, sees(HELD)]), {paidIn: true, isHeld: true}],
      ['held for an address', news([own({deposit: {how: 'transfer'}}), all, sees(HELD)]), {paidIn: true}],
      ['back', news([own(), sees(REFUNDED)]), {paidIn: true, paidBack: PROOF_BACK}],
      ['out', news([own(), all, seesPaid(TIED)]), {paidOut: PROOF}],
      ['nothing new', news([own({paidIn: true, isHeld: true, paidOut: PROOF}), all, sees(HELD), seesPaid(TIED)]), {}],
    ]);
  });

  it('loses a proof only to a later reading, never to a failed read or none', () => {
    const gone = {paidIn: undefined, isHeld: undefined, paidOut: undefined, paidBack: undefined};
    const {isHeld, paidOut: out, paidBack, paidIn} = gone;
    expectEach<unknown>([
      ['no reading', news([remembered]), {}],
      ['the service says nothing', news([remembered, says()]), {}],
      ['failed', news([remembered, all, sees(undefined), seesPaid(undefined)]), {}],
      ['unreadable', news([remembered, all, sees(UNREADABLE), seesPaid('unreadable')]), {}],
      ['on its way', news([remembered, sees({state: 'seen', hashes: ['0xa']})]), {}],
    ]);
    const erased = (...facts: readonly StoryFact[]) => Object.entries(news([remembered, ...facts]));
    expect(erased(sees({state: 'none'}))).to.deep.equal(Object.entries({paidIn}));
    expect(erased(sees(HELD))).to.deep.equal(Object.entries({paidBack}));
    expect(erased(sees(GONE))).to.deep.equal(Object.entries({isHeld}));
    expect(erased(sees(TAKEN))).to.deep.equal(Object.entries({paidBack, isHeld}));
    expect(erased(seesPaid(payout()))).to.deep.equal(Object.entries({paidOut: out}));
  });

  it('notes once that the service changed the terms of a paid order', () => {
    const other = known([own(), says({source: {timelock: 1}})]);
    const same = known([own(), all]);
    const told = (evidence: Evidence<StoryRecord>, change: Partial<StoryRecord> = {}, isPaid = true) =>
      isChanged(evidence, {...RECORD, ...change}, isPaid);
    const {terms: _, ...untold} = RECORD;
    expectEach([
      ['changed', told(other), true],
      ['the same', told(same), false],
      ['before it was paid', told(other, {}, false), false],
      ['known', told(other, {changed: true}), false],
      ['not read', told(known([own()])), false],
      ['never checked', isChanged(other, untold, true), false],
    ]);
  });
});

describe('A story', () => {
  it('do not exist if nothing is known', () => {
    expect(maybeStory([])).to.equal(undefined);
  });
});
