/**
 * A service of the specification and nothing else, paid through a session: a swap of each family, with what a site can
 * set. Its contracts, its program and its script are none that the widget knows.
 */
import {deepEqual, equal, ok} from 'node:assert/strict';
import type {MinimalService} from '../../demo/minimal-service/service.js';
import type {AssetId} from '../../src/domain/asset.js';
import {unverifiedIn, type CheckName} from '../../src/domain/deposit.js';
import {hintFor} from '../../src/elements/order/deposit/hints.js';
import {openNodeWorld, type BeginOptions, type NodeSwap, type NodeWorld} from '../support/node-session.js';
import {shownIn} from '../support/shown.js';

interface Way {
  readonly from: AssetId;
  readonly to: AssetId;
  readonly amount: string;
  /** What is asked about, or stopped for. */
  readonly asked: readonly CheckName[];
  readonly told: readonly ('contracts' | 'unverified')[];
  /** What the wallet is asked for, in the end; and once the site vouches for the contract. */
  readonly requests: readonly string[];
  readonly vouched?: readonly string[];
}

const [BTC, BASE, SOL, STARKNET] = [
  'bitcoin_testnet:btc',
  'base_sepolia:wbtc',
  'solana_testnet:sol',
  'starknet_sepolia:wbtc',
] as const;

const PLAIN: readonly Way[] = [
  {from: BTC, to: BASE, amount: '0.01', asked: ['script'], told: ['unverified'], requests: []},
  {
    from: BASE,
    to: BTC,
    amount: '0.01',
    asked: ['contract', 'call'],
    told: ['contracts', 'unverified'],
    requests: ['approve', 'sign', 'initiate'],
  },
  {from: SOL, to: BASE, amount: '5', asked: ['contract', 'call', 'secret'], told: ['unverified'], requests: ['send']},
  {
    from: STARKNET,
    to: SOL,
    amount: '0.01',
    asked: ['contract'],
    told: ['contracts', 'unverified'],
    requests: ['send'],
    // Its typed data names no contract, so it is only signed for one that is known or vouched for.
    vouched: ['approve', 'sign', 'initiate'],
  },
];
/** Of a call that cannot be read nothing can be compared. */
const UNREAD = ['amount', 'contract', 'call', 'order', 'secret'] as const;
const OWN: readonly Way[] = [
  {from: BASE, to: BTC, amount: '0.01', asked: UNREAD, told: ['contracts'], requests: ['approve', 'send']},
  {from: SOL, to: BASE, amount: '5', asked: ['contract'], told: ['contracts'], requests: ['send']},
  {from: STARKNET, to: SOL, amount: '0.01', asked: UNREAD, told: ['contracts'], requests: ['send']},
];

describe('a service of the specification alone', () => {
  let world: NodeWorld;
  let plain: MinimalService;
  let own: MinimalService;
  const swaps: NodeSwap[] = [];
  before(async () => {
    world = await openNodeWorld();
    [plain, own] = await Promise.all([world.minimal('plain'), world.minimal('own')]);
  });
  afterEach(() => {
    for (const swap of swaps.splice(0)) swap.end();
  });
  after(() => world.close());

  const begin = async ({from, to, amount}: Way, {url}: MinimalService, more: Partial<BeginOptions> = {}) => {
    const swap = await world.begin({from, to, amount, service: url, ...more});
    swaps.push(swap);
    await swap.place();
    await swap.when(() => shownIn(swap.session)?.report, 'it was never checked');
    return swap;
  };
  const requestsOf = ({session, orderId}: NodeSwap) =>
    session.$journal
      .get()
      .entries.find(entry => entry.orderId === orderId)
      ?.walletRequests.map(({kind}) => kind);

  /** Follows a swap that was paid to its end, on the chains. */
  const expectSwapped = async (swap: NodeSwap, {from, requests}: Way) => {
    if (from === BTC) await swap.pay();
    await swap.until('complete');
    deepEqual(requestsOf(swap), requests);
    const {source_swap: source, destination_swap: destination} = await swap.read();
    const {paid, received} = await swap.moved();
    equal(received, BigInt(destination.amount));
    ok(paid >= BigInt(source.amount), String(paid));
  };

  const expectStopped = async (swap: NodeSwap, {from, asked, told}: Way, {contracts}: MinimalService) => {
    await swap.until('stopped');
    const {report, question, deal} = shownIn(swap.session) ?? {};
    equal(report?.outcome, 'failed');
    const bad = report.results.filter(({outcome}) => outcome === 'failed' || outcome === 'unverified');
    deepEqual(
      bad.map(({name}) => name),
      asked,
    );
    equal(question, undefined);
    const hint = deal && hintFor(deal, report);
    deepEqual(
      [...(hint?.matchAll(/(\w+)="/g) ?? [])].map(([, name]) => name),
      told,
    );
    // The very contract that the service would have vouched for.
    const [, named] = /contracts="([^".]*)/.exec(hint ?? '') ?? [];
    if (named) ok(contracts.split(/, |\./).includes(named), named);
    ok(hint?.includes(from));
    equal(swap.shownAddress, undefined);
    await swap.session.pay();
    deepEqual(swap.acts, []);
    deepEqual(await swap.moved(), {paid: 0n, received: 0n});
    ok(swap.tab.told().includes('error deposit-mismatch'));
  };

  for (const way of PLAIN) {
    it(`from ${way.from}: asks once, is paid after the yes, and followed to its end`, async () => {
      const swap = await begin(way, plain);
      const {report, question} = shownIn(swap.session) ?? {};
      equal(report?.outcome, 'unverified', JSON.stringify(report));
      deepEqual(
        unverifiedIn(report).map(({name}) => name),
        way.asked,
      );
      deepEqual([swap.acts, swap.shownAddress], [[], undefined]);
      await swap.session.pay();
      deepEqual(swap.acts, [], 'without the yes');
      await swap.session.accept(question?.id ?? '');
      await expectSwapped(swap, way);
    });

    it(`from ${way.from}: stops where the site says so, and tells it what it can set`, async () => {
      await expectStopped(await begin(way, plain, {policy: {unverified: 'stop'}}), way, plain);
    });

    if (way.from === BTC || way.from === SOL) continue;

    it(`from ${way.from}: asks nothing once the site vouches for the contract`, async () => {
      const swap = await begin(way, plain, {contracts: plain.contracts, policy: {unverified: 'stop'}});
      equal(shownIn(swap.session)?.question, undefined);
      await expectSwapped(swap, {...way, requests: way.vouched ?? way.requests});
    });
  }

  for (const way of OWN) {
    it(`from ${way.from} by an entry point or a program of its own: stopped, whatever may be asked`, async () => {
      await expectStopped(await begin(way, own), way, own);
    });

    it(`from ${way.from} by an entry point or a program of its own: payable once it is named`, async () => {
      const swap = await begin(way, own, {contracts: own.contracts, policy: {unverified: 'stop'}});
      await expectSwapped(swap, way);
    });
  }
});
