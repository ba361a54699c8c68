/**
 * What always stops is never payable: no settings, answers, reloads, other tabs and presses lead to a wallet request, or
 * to an address, while it is told. The reports are those of the families' own checks.
 */
import fc from 'fast-check';
import {expect} from '../../support/expect.js';
import {createBitcoinAdapter} from '../../../src/chains/bitcoin/bitcoin.js';
import type {CheckResult, Policy} from '../../../src/domain/deposit.js';
import {SwapError} from '../../../src/domain/error.js';
import type {Order} from '../../../src/domain/order.js';
import {sampleDeal as bitcoinDeal} from '../../support/bitcoin-deal.js';
import type {Writable} from '../../support/deal.js';
import {closeLast, ON_EVM, ON_STARKNET, openAt, type OpenDeal, type Place} from '../../support/dialects.js';
import {runs, seed} from '../../support/draws.js';
import {
  createTestBrowser,
  createWorld,
  openSession,
  placeByTransfer,
  settle,
  type TestPage,
} from '../../support/session.js';
import {shownIn} from '../../support/shown.js';
import {ownDeal as solanaDeal, reprepare} from '../../support/solana-deal.js';
import {SolanaLedger} from '../../support/solana-ledger.js';
import {createSolanaAdapter} from '../../../src/chains/solana/solana.js';
import {PublicKey, SystemProgram} from '@solana/web3.js';
import {ORDER_ID} from '../../support/swap.js';

type Standing = 'unknown' | 'vouched';

/** What a family's checks find of the truth, and of each lie that always stops. */
interface Found {
  readonly of: string;
  readonly standing: Standing;
  readonly byAddress: boolean;
  readonly truth: readonly CheckResult[];
  readonly lies: readonly (readonly [name: string, results: readonly CheckResult[]])[];
}

const OTHER_HASH = '5a'.repeat(32);

/** Lies in the order as read, for every family. */
const IN_ORDER: readonly (readonly [name: string, tell: (order: Writable<Order>) => unknown])[] = [
  ['another id', order => (order.id = 'f00d')],
  ['another amount', ({source}) => (source.amount += 1n)],
  ['another asset', ({source}) => (source.asset = 'ethereum_sepolia:usdc')],
  ['another chain', ({source}) => (source.chain = 'ethereum')],
  ['less arrives', ({destination}) => (destination.amount -= 1n)],
  ['another recipient', ({destination}) => (destination.redeemer = 'tb1qstranger')],
  ['another payer', ({source}) => (source.initiator = `0x${'7'.repeat(40)}`)],
  ['another hash there', ({destination}) => (destination.secretHash = OTHER_HASH)],
  ['a secret that is out', ({source}) => (source.secret = OTHER_HASH)],
];

/** Lies in what is signed and sent to a contract. */
const IN_CALL: readonly (readonly [name: string, tell: (deal: OpenDeal, place: Place) => unknown])[] = [
  ['more', (deal, {recall}) => recall(deal, {amount: deal.agreed.amount + 1n})],
  ['the payer as redeemer', (deal, {recall, owner}) => recall(deal, {redeemer: owner})],
  ['another redeemer', (deal, {recall, stranger}) => recall(deal, {redeemer: stranger})],
  ['another hash', (deal, {recall}) => recall(deal, {secretHash: OTHER_HASH})],
  ['the token as contract', (deal, {move, token}) => move(deal, token)],
  ['nobody’s contract', (deal, {move, stranger}) => move(deal, stranger)],
  [
    'an approval',
    (deal, {others}) => [
      others['an approval']!(deal),
      delete (deal.deposit.payload as Partial<OpenDeal['deposit']['payload']>).typedData,
    ],
  ],
];

const unpaid = (order: Writable<Order>) => {
  for (const leg of [order.source, order.destination]) {
    for (const deed of ['initiated', 'redeemed', 'refunded'] as const) Reflect.deleteProperty(leg, deed);
    leg.secret = '';
  }
};

async function findAt(place: Place, standing: Standing): Promise<Found> {
  const {check} = await openAt(place);
  const resultsOf = async (tell: (deal: OpenDeal) => unknown = () => undefined) => {
    const deal = place.deal();
    unpaid(deal.order);
    Object.assign(deal.agreed.from, {
      contracts: [],
      ...(standing === 'vouched' && {vouched: [{address: place.contract}]}),
    });
    tell(deal);
    return (await check({}, deal)).results;
  };
  const truth = await resultsOf();
  const lies: [string, readonly CheckResult[]][] = [];
  for (const [name, tell] of IN_ORDER) lies.push([name, await resultsOf(({order}) => tell(order))]);
  for (const [name, tell] of IN_CALL) {
    // A call to what is vouched for need not be read.
    if (name === 'an approval' && standing === 'vouched') continue;
    lies.push([name, await resultsOf(deal => tell(deal, place))]);
  }
  closeLast();
  return {of: place.name, standing, byAddress: false, truth, lies};
}

async function findOnBitcoin(): Promise<Found> {
  const adapter = createBitcoinAdapter();
  const resultsOf = async (tell: (deal: ReturnType<typeof bitcoinDeal>) => unknown = () => undefined) => {
    const deal = bitcoinDeal();
    unpaid(deal.order);
    // Another script than the known one.
    Reflect.deleteProperty(deal.order.source, 'delegate');
    tell(deal);
    return (await adapter.check(deal, {})).results;
  };
  const lies: [string, readonly CheckResult[]][] = [];
  for (const [name, tell] of IN_ORDER) lies.push([name, await resultsOf(({order}) => tell(order))]);
  lies.push(['more', await resultsOf(({deposit}) => (deposit.amount += 1n))]);
  lies.push(['another address', await resultsOf(({deposit, agreed}) => (deposit.address = agreed.owner))]);
  return {of: 'bitcoin', standing: 'unknown', byAddress: true, truth: await resultsOf(), lies};
}

async function findOnSolana(): Promise<Found> {
  const adapter = createSolanaAdapter();
  const ledger = new SolanaLedger();
  const close = ledger.serve();
  const resultsOf = async (more = 0n, tell: (order: Writable<Order>) => unknown = () => undefined) => {
    const deal = solanaDeal(ledger);
    unpaid(deal.order);
    const to = deal.order.source.redeemer;
    reprepare(deal, {
      change: instruction =>
        Object.assign(
          instruction,
          SystemProgram.transfer({
            fromPubkey: new PublicKey(deal.agreed.owner),
            toPubkey: new PublicKey(to),
            lamports: deal.agreed.amount + more,
          }),
        ),
    });
    tell(deal.order);
    return (await adapter.check(deal, {})).results;
  };
  const lies: [string, readonly CheckResult[]][] = [];
  for (const [name, tell] of IN_ORDER) lies.push([name, await resultsOf(0n, tell)]);
  lies.push(['more', await resultsOf(1n)]);
  lies.push(['another address', await resultsOf(0n, ({source}) => (source.redeemer = source.swapId = 'another'))]);
  const truth = await resultsOf();
  close();
  return {of: 'solana', standing: 'unknown', byAddress: false, truth, lies};
}

const STEPS = [
  'accept',
  'accept another',
  'pay',
  'pay by transaction',
  'reload',
  'another tab',
  'lie',
  'truth',
] as const;
type Step = (typeof STEPS)[number];

describe('what always stops', () => {
  let found: Found[];
  before(async () => {
    found = [];
    for (const place of [ON_EVM, ON_STARKNET]) {
      for (const standing of ['unknown', 'vouched'] as const) found.push(await findAt(place, standing));
    }
    found.push(await findOnBitcoin(), await findOnSolana());
  });

  /** Goes through the steps; returns what was asked for or shown during a lie, and otherwise. */
  const walk = async (
    {truth, byAddress}: Found,
    lie: readonly CheckResult[],
    unverified: NonNullable<Policy['unverified']>,
    steps: readonly Step[],
    isLiar: boolean,
  ) => {
    let isLying = isLiar;
    const paid = {lying: 0, honest: 0};
    const note = () => paid[isLying ? 'lying' : 'honest']++;
    const world = createWorld();
    const browser = createTestBrowser();
    world.check = () => Promise.resolve(isLying ? lie : truth);
    // Refused, so that it may be asked for again.
    world.wallet = () => {
      note();
      return Promise.reject(new SwapError('rejected'));
    };
    if (byAddress) placeByTransfer(world);
    const config = {policy: {unverified}};
    let page: TestPage = await openSession({browser, world, config});
    const look = () => {
      const {deal, report} = shownIn(page.session) ?? {};
      if (report && deal?.deposit.how === 'transfer' && deal.deposit.address !== '') note();
    };
    await page.order();
    look();
    const ids: string[] = ['nothing'];
    for (const step of steps) {
      const {session} = page;
      const id = shownIn(session)?.question?.id;
      if (step === 'lie' || step === 'truth') isLying = isLiar && step === 'lie';
      else if (step === 'accept') await session.accept(id ?? '');
      else if (step === 'accept another') await session.accept(ids.at(-1) ?? '');
      else if (step === 'pay') await session.pay();
      else if (step === 'pay by transaction') await session.pay('transaction');
      else {
        page = step === 'reload' ? await page.reload() : await openSession({browser, world, config});
        page.session.openOrder(ORDER_ID);
        await page.session.connect(world.knownWallet);
      }
      if (id !== undefined) ids.unshift(id);
      await settle();
      // Another answer is heard with the next check: what was shown before it was right.
      if (step !== 'lie') look();
    }
    return paid;
  };

  it('is found by a check of every family, and the truth is not', () => {
    for (const {of, standing, truth, lies} of found) {
      const failed = (results: readonly CheckResult[]) => results.some(({outcome}) => outcome === 'failed');
      expect(failed(truth), `${of} ${standing}`).to.equal(false);
      for (const [name, results] of lies) expect(failed(results), `${of} ${standing}: ${name}`).to.equal(true);
    }
  });

  it('is never payable, whatever is set, answered, reloaded and pressed', async () => {
    const drawn = fc.record({
      place: fc.nat(5),
      lie: fc.nat(),
      unverified: fc.constantFrom('ask' as const, 'stop' as const),
      steps: fc.array(fc.constantFrom(...STEPS), {minLength: 1, maxLength: 8}),
    });
    await fc.assert(
      fc.asyncProperty(drawn, async ({place, lie, unverified, steps}) => {
        const at = found[place]!;
        const [, results] = at.lies[lie % at.lies.length]!;
        // An address that was shown with the truth stays until the next answer is heard.
        const heard = at.byAddress ? steps.filter(step => step !== 'truth') : steps;
        expect((await walk(at, results, unverified, heard, true)).lying).to.equal(0);
      }),
      {numRuns: runs(60), seed: seed(45)},
    );
  });

  it('is all that stops: the truth is payable after its yes, and without a question where it is vouched for', async () => {
    const drawn = fc.record({place: fc.nat(5), steps: fc.array(fc.constantFrom(...STEPS), {maxLength: 4})});
    await fc.assert(
      fc.asyncProperty(drawn, async ({place, steps}) => {
        const at = found[place]!;
        const last = at.standing === 'vouched' ? ['pay'] : ['accept', 'pay'];
        expect((await walk(at, [], 'ask', [...steps, ...(last as Step[])], false)).honest).not.to.equal(0);
        if (at.standing === 'unknown') expect((await walk(at, [], 'stop', steps, false)).honest).to.equal(0);
      }),
      {numRuns: runs(20), seed: seed(45)},
    );
  });
});
