import {expect} from '../../support/expect.js';
import {createCatalogue} from '../../../src/domain/catalogue.js';
import {SwapError} from '../../../src/domain/error.js';
import {lossOf, type ChainEvent, type Order} from '../../../src/domain/order.js';
import {readRescue} from '../../../src/domain/rescue.js';
import {
  BY_TRANSFER,
  createTestBrowser,
  createWorld,
  moneyRequests,
  later,
  openSession,
  paidOrder,
  SERVICE,
  settle,
  type TestPage,
  type TestPageOptions,
  describeAs,
  HASH,
} from '../../support/session.js';
import {aChainEvent, aLeg, anOrder, NOON, ORDER_ID, OTHER_WBTC, PAYER, HOUR} from '../../support/swap.js';
import {entriesIn, fundingIn, shownIn, storyIn} from '../../support/shown.js';

const OWN = 'tb1qown';
const BTC = 'bitcoin_testnet:btc';
const catalogue = createCatalogue({families: ['bitcoin', 'evm'], hints: [BTC]});

const createBitcoinWorld = () => createWorld(BY_TRANSFER);

/** A form that pays from Bitcoin to an EVM chain, with nobody connected. */
async function open({world = createBitcoinWorld(), config = {}, ...options}: Partial<TestPageOptions> = {}) {
  const page = await openSession({world, bare: true, config: {catalogue, ...config}, ...options});
  page.session.edit({from: BTC, to: OTHER_WBTC.id, recipient: PAYER, amount: '0.0005'});
  await settle();
  return page;
}

async function order(options: Partial<TestPageOptions> = {}) {
  const page = await open(options);
  page.session.edit({refundAddress: OWN});
  await page.order();
  return page;
}

const problem = ({session}: TestPage) => {
  const found = session.$form.get().problem;
  return found && `${found.field} ${found.code}`;
};
const stage = ({session}: TestPage) => session.$stage.get();
const shown = ({session}: TestPage) => shownIn(session);
const paidIn = (filled: bigint, block?: bigint) =>
  anOrder({
    source: aLeg({asset: BTC, chain: 'bitcoin_testnet', filled, initiated: aChainEvent(block, NOON)}),
  });

describe('the refund address', () => {
  it('is required if no wallet pays, and is the owner of the order', async () => {
    const page = await open();
    expect(problem(page)).to.equal('refundAddress enter-refund');
    page.session.edit({refundAddress: ' tb1qown '});
    await settle();
    expect(problem(page)).to.equal(undefined);
    await page.review();
    expect(page.session.$form.get().agreement?.owner).to.equal(OWN);
  });

  it('is not taken from the page without confirmation', async () => {
    const page = await open({config: {prefill: {refundAddress: OWN}}});
    expect(page.session.$form.get().draft.refundAddress).to.equal(OWN);
    expect(problem(page)).to.equal('refundAddress confirm-refund');
    await page.review();
    expect(stage(page)).to.equal('editing');
    page.session.confirm('refundAddress');
    expect(problem(page)).to.equal(undefined);
    // Another one from the page needs confirmation again; one that the person typed does not.
    page.session.configure({...page.config, prefill: {refundAddress: 'tb1qother'}});
    page.session.edit({refundAddress: 'tb1qother'});
    expect(problem(page)).to.equal('refundAddress confirm-refund');
    page.session.edit({refundAddress: 'tb1qtyped'});
    expect(problem(page)).to.equal(undefined);
  });
});

describe('bitcoins that arrive', () => {
  const redeemed = (letter: string, block?: bigint): Order => {
    const {source, destination, ...read} = paidOrder();
    const payment: ChainEvent = {hashes: [letter.repeat(64)], at: NOON, ...(block === undefined ? {} : {block})};
    return {
      ...read,
      source,
      destination: {...destination, asset: BTC, initiated: aChainEvent(5n, NOON), redeemed: payment},
    };
  };
  const arrived = ({session}: TestPage) => storyIn(session)?.order?.destination.redeemed;
  const reads = ({world}: TestPage) => world.count('GET order');

  async function receive(): Promise<TestPage> {
    const page = await openSession({config: {catalogue}});
    page.world.payout = ([hash]) => {
      // The chain no longer knows a replaced one.
      const {hashes = [], block} = page.world.orders.get(ORDER_ID)?.destination.redeemed ?? {};
      const paid = {amount: 49_850n, hashes, ...(block !== undefined && {block})};
      return Promise.resolve(hash === undefined ? undefined : paid);
    };
    page.session.edit({to: BTC, recipient: 'tb1qrecipient'});
    await settle(undefined, 40);
    page.session.confirm('recipient');
    await page.order();
    expect(entriesIn(page.session)).to.have.length(1);
    page.world.orders.set(ORDER_ID, redeemed('a'));
    await page.host.pass(5_000);
    return page;
  }

  it('count as soon as they are seen, and are still read until confirmed', async () => {
    const page = await receive();
    expect(stage(page)).to.equal('complete');
    page.world.orders.set(ORDER_ID, redeemed('b'));
    await page.host.pass(60_000);
    expect(arrived(page)?.hashes).to.deep.equal(['b'.repeat(64)]);
    expect(stage(page)).to.equal('complete');
    page.world.orders.set(ORDER_ID, redeemed('b', 9n));
    await page.host.pass(60_000);
    expect(arrived(page)?.block).to.equal(9n);
    const before = reads(page);
    await page.host.pass(600_000);
    expect(reads(page)).to.equal(before);
    expect(page.told().filter(kind => kind === 'complete')).to.have.length(1);
  });

  it('are still read after a reload, also on a page that was hidden at first', async () => {
    const page = await receive();
    const again = await page.reload();
    await again.host.pass(5_000);
    again.host.visible$.set(false);
    await again.host.pass(60_000);
    again.world.orders.set(ORDER_ID, redeemed('b', 9n));
    await settle(again.host.visible$.set(true));
    expect(arrived(again)?.hashes).to.deep.equal(['b'.repeat(64)]);
    await again.host.pass(60_000);
    const before = reads(again);
    await again.host.pass(600_000);
    expect(reads(again)).to.equal(before);
  });
});

describe('a deposit to an address', () => {
  it('is checked before it is shown, and no wallet is prompted', async () => {
    const world = createBitcoinWorld();
    const reading = later();
    const {read} = world;
    world.read = async (...args) => {
      await reading.promise;
      return read(...args);
    };
    const page = await order({world});
    expect(shown(page)?.report).to.equal(undefined);
    await settle(reading.keep());
    expect(shown(page)?.report?.outcome).to.equal('passed');
    expect(shown(page)?.deal?.order?.id).to.equal(ORDER_ID);
    expect(stage(page)).to.equal('awaiting-deposit');
    expect(moneyRequests(page)).to.deep.equal(['POST']);
  });

  it('is checked again after a reload, before anything is shown', async () => {
    const page = await order();
    const checking = later();
    const {check} = page.world;
    page.world.check = async deal => {
      await checking.promise;
      return check(deal);
    };
    const again = await page.reload();
    await settle();
    expect(shown(again)?.deal?.deposit).to.deep.equal(BY_TRANSFER);
    expect(shown(again)?.report).to.equal(undefined);
    await settle(checking.keep());
    expect(shown(again)?.report?.outcome).to.equal('passed');
  });

  it('is remembered after a reload, so that one that left the chain is recognized', async () => {
    const page = await order();
    const hash = (letter: string) => [letter.repeat(64)] as const;
    const paidBy = (letter: string, filled: bigint) =>
      anOrder({source: aLeg({asset: BTC, filled, initiated: {hashes: hash(letter)}})});
    const losses = (read: Order, {session}: TestPage) => {
      const entry = entriesIn(session).find(({orderId}) => orderId === ORDER_ID);
      return lossOf(entry?.seen, read.source);
    };
    page.world.orders.set(ORDER_ID, paidBy('a', 50_000n));
    await page.host.pass(5_000);
    expect(losses(paidBy('a', 50_000n), page)).to.equal(undefined);
    const again = await page.reload();
    expect(losses(anOrder({source: aLeg({asset: BTC})}), again)).to.equal('gone');
    // One page sees the new hash, and the next one still knows that it is the second.
    again.world.orders.set(ORDER_ID, paidBy('b', 50_000n));
    await again.host.pass(5_000);
    const third = await again.reload();
    await third.host.pass(5_000);
    expect(losses(paidBy('b', 50_000n), third)).to.equal('replaced');
    expect(losses(paidIn(50_000n, 7n), third)).to.equal(undefined);
  });

  it('that was stopped is still read, since a person may have paid, and is then followed', async () => {
    const page = await order();
    page.world.check = () => Promise.resolve([{name: 'order', outcome: 'failed'}]);
    page.world.orders.set(ORDER_ID, anOrder({source: aLeg({asset: BTC, amount: 50_001n})}));
    await page.host.pass(5_000);
    expect(stage(page)).to.equal('stopped');
    page.world.orders.set(ORDER_ID, paidIn(50_000n, 7n));
    await page.host.pass(60_000);
    expect(stage(page)).to.equal('confirming');
  });

  it('shows the fee rate before it, then its own, read every half minute, and again after a replacement', async () => {
    const world = createBitcoinWorld();
    let paid: number | undefined;
    world.adapter.readFee = () => {
      world.log.push('fee');
      return Promise.resolve({...(paid && {paid}), wanted: 3, within: 20 * 60_000, unit: 'sat/vB'});
    };
    const page = await order({world});
    const fee = () => shownIn(page.session)?.fee?.paid;
    const paidBy = (hash: string): Order =>
      anOrder({source: aLeg({asset: BTC, filled: 50_000n, initiated: {hashes: [hash]}})});
    await page.host.pass(5_000);
    expect(shownIn(page.session)?.fee).to.include({wanted: 3}).and.not.have.property('paid');
    paid = 1;
    world.orders.set(ORDER_ID, paidBy('a'));
    await page.host.pass(5_000);
    expect(fee()).to.equal(1);
    const before = world.count('fee');
    await page.host.pass(60_000);
    expect(world.count('fee') - before).to.be.within(1, 2);
    paid = 5;
    world.orders.set(ORDER_ID, paidBy('b'));
    await page.host.pass(6_000);
    expect(fee()).to.equal(5);
    world.orders.set(ORDER_ID, paidIn(50_000n, 7n));
    await page.host.pass(6_000);
    expect(shownIn(page.session)?.fee).to.equal(undefined);
  });

  it('requires a wallet if the person chooses to pay from one', async () => {
    const page = await order();
    await page.session.pay();
    expect(fundingIn(page.session).error?.code).to.equal('wallet-missing');
    expect(moneyRequests(page)).to.deep.equal(['POST']);
  });

  it('is watched after a no in the wallet, too: wallets said so of payments that they sent', async () => {
    const page = await order();
    const {knownWallet} = page.world;
    const payer = {family: 'bitcoin', address: OWN, wallet: knownWallet, watch: () => undefined} as const;
    await page.session.connect({...knownWallet, family: 'bitcoin', connect: () => Promise.resolve(payer)});
    page.world.wallet = () => Promise.reject(new SwapError('rejected'));
    await page.session.pay();
    expect(page.walletRequests()).to.deep.equal(['send refused']);
    expect(stage(page)).to.equal('awaiting-deposit');
    page.world.depositState = () => Promise.resolve('seen');
    page.world.onChain = {amount: 50_000n, hashes: ['a'.repeat(64)], isHeld: true};
    await page.host.pass(60_000);
    expect(stage(page)).to.equal('deposit-seen');
  });
});

describe('a payment after the order expired', () => {
  it('reaches the list though the order is no longer shown, with ever rarer reads', async () => {
    const page = await order();
    await page.host.pass(HOUR + 60_000);
    expect(stage(page)).to.equal('expired');
    page.session.reset();
    const reads = page.world.count('GET order');
    await page.host.pass(HOUR);
    expect(page.world.count('GET order') - reads).to.be.within(8, 14);
    page.world.orders.set(ORDER_ID, paidIn(50_000n));
    await page.host.pass(10 * 60_000);
    expect(entriesIn(page.session)[0]?.stage).to.equal('deposit-seen');

    const browser = createTestBrowser();
    const old = await order({browser});
    await old.host.pass(HOUR + 60_000);
    old.session.reset();
    old.remove();
    browser.now += 48 * HOUR;
    const before = old.world.count('GET order');
    const later = await openSession({browser, world: old.world, bare: true, config: {catalogue}});
    await later.host.pass(HOUR);
    expect(old.world.count('GET order') - before).to.equal(1);
  });
});

describe('a paid order that the service changes', () => {
  const changed = (order: Order): Order => ({
    ...order,
    destination: {...order.destination, redeemer: '0x1111111111111111111111111111111111111111'},
  });
  /** A service that reports from the start what it usually reports about a Bitcoin order only later. */
  const consistent = () => {
    const world = createBitcoinWorld();
    const {source, ...rest} = paidIn(0n);
    const {initiated: _none, ...unpaid} = source;
    describeAs(world, () => ({...rest, source: unpaid, destination: {...rest.destination, initiator: ''}}));
    return world;
  };

  it('is reported once, also after a reload', async () => {
    const page = await order({world: consistent()});
    page.world.orders.set(ORDER_ID, paidIn(50_000n));
    await page.host.pass(10_000);
    page.world.orders.set(ORDER_ID, changed(paidIn(50_000n)));
    await page.host.pass(60_000);
    const news = () => page.told().filter(event => event === 'error order-changed');
    expect(news()).to.have.length(1);
    expect(entriesIn(page.session)[0]).to.include({changed: true});
    const next = await page.reload();
    await next.host.pass(60_000);
    expect(next.told()).not.to.include('error order-changed');
    expect(entriesIn(next.session)[0]).to.include({changed: true});
  });
});

describe('the rescue file of a payment to an address', () => {
  const [address, payer] = ['tb1pexample', 'tb1qown'].map(name => name.padEnd(42, 'q')) as [string, string];
  const file = {how: 'address', address, payer, amount: 50_000n, service: SERVICE};
  const written = async ({session}: TestPage) => readRescue(await session.rescueFile(ORDER_ID));

  it('says what the service is to return, and the payment once it is seen, but for a hash that is none', async () => {
    const page = await open({world: createWorld({how: 'transfer', address, amount: 50_000n})});
    page.session.edit({refundAddress: payer});
    await page.order();
    expect(await written(page)).to.deep.include({...file, hash: undefined});
    for (const [told, hash] of [
      ['0x7f3a', undefined],
      [HASH, HASH],
    ] as const) {
      const {source, ...rest} = paidIn(50_000n);
      page.world.orders.set(ORDER_ID, {...rest, source: {...source, initiated: {hashes: [told]}}});
      await page.host.pass(10_000);
      expect(await written(page), told).to.deep.include({...file, hash});
    }
  });
});
