/** Addresses that this browser used before: lookalikes of them (address poisoning), and those to offer. */
import type {WritableAtom} from 'nanostores';
import {expect} from '../support/expect.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import type {JournalState} from '../../src/session/types.js';
import {looksLike} from '../../src/session/used-addresses.js';
import {
  bearOut,
  BY_TRANSFER,
  completeOrder,
  createWorld,
  openSession,
  paidOrder,
  settle,
  type TestPage,
  byTransaction,
} from '../support/session.js';
import {ORDER_ID, OTHER_WBTC, PAYER, WBTC} from '../support/swap.js';

const FRIEND = '0xA1b2c3d4e5f60718293a4B5C6D7e8f9001122334';
/** Made to be mistaken for the friend's. */
const THIEF = '0xa1b2000000000000000000000000000000002334';
const STRANGER = '0x5555000000000000000000000000000000002334';
const BTC = 'bitcoin_testnet:btc';

async function unpaid() {
  const world = byTransaction();
  const page = await openSession({world, gates: {beforeSign: () => Promise.reject(new Error('no'))}});
  page.session.edit({recipient: THIEF});
  await settle();
  page.session.confirm('recipient');
  await page.order();
  page.session.reset();
  return page;
}

const lookalikes = ({session}: TestPage) => session.$journal.get().lookalikes ?? {};

async function knowing(recipient: string) {
  const world = byTransaction();
  const page = await openSession({world});
  page.session.edit({recipient});
  await settle();
  page.session.confirm('recipient');
  await page.order();
  world.orders.set(ORDER_ID, completeOrder());
  bearOut(world);
  await page.host.pass(30_000);
  const next = await page.reload();
  next.session.reset();
  await next.session.connect(world.knownWallet);
  next.session.edit({from: WBTC.id, to: OTHER_WBTC.id, amount: '0.0005'});
  await settle();
  return next;
}

describe('an address that looks like a used one', () => {
  it('causes a warning with the similar address while it is in the field, and blocks nothing', async () => {
    const page = await knowing(FRIEND);
    expect(lookalikes(page)).to.deep.equal({});
    page.session.edit({recipient: THIEF});
    await settle();
    expect(lookalikes(page)).to.deep.equal({recipient: FRIEND});
    page.session.confirm('recipient');
    await page.review();
    expect(page.session.$stage.get()).to.equal('reviewing');
    expect(page.session.$form.get().agreement?.recipient).to.equal(THIEF);
    expect(lookalikes(page)).to.deep.equal({recipient: FRIEND});
  });

  it('causes no warning if it is that address in any letter case, or only ends like it', async () => {
    const page = await knowing(FRIEND);
    for (const recipient of [FRIEND, FRIEND.toLowerCase(), STRANGER, FRIEND.slice(0, 20), '']) {
      page.session.edit({recipient});
      await settle();
      expect(lookalikes(page), recipient).to.deep.equal({});
    }
  });

  it('causes a warning if it looks like the connected account', async () => {
    const page = await knowing(FRIEND);
    page.session.edit({recipient: PAYER.slice(0, 8) + PAYER.slice(8, -4).replace(/[^0]/g, '0') + PAYER.slice(-4)});
    await settle();
    expect(lookalikes(page)).to.deep.equal({recipient: PAYER});
  });

  it('causes no warning if its order cannot have been paid', async () => {
    const page = await unpaid();
    // The thief's address was never used, so the friend's is not compared with it.
    page.session.edit({from: WBTC.id, to: OTHER_WBTC.id, amount: '0.0005', recipient: FRIEND});
    await settle();
    expect(page.session.$journal.get().entries).to.have.length(1);
    expect(lookalikes(page)).to.deep.equal({});
  });

  it('causes a warning as a refund address if it looks like one that bitcoins were paid from or to', async () => {
    const [own, other] = ['tb1qown00000000000mine', 'tb1qown11111111111mine'];
    const world = createWorld(BY_TRANSFER);
    const catalogue = createCatalogue({families: ['bitcoin', 'evm'], hints: [BTC]});
    const page = await openSession({world, bare: true, config: {catalogue}});
    page.session.edit({from: BTC, to: OTHER_WBTC.id, recipient: FRIEND, refundAddress: own, amount: '0.0005'});
    await settle();
    await page.order();
    world.orders.set(ORDER_ID, paidOrder());
    await page.host.pass(30_000);
    page.session.reset();
    page.session.edit({from: BTC, to: OTHER_WBTC.id, recipient: THIEF, refundAddress: other, amount: '0.0005'});
    await settle();
    expect(lookalikes(page)).to.deep.equal({recipient: FRIEND, refundAddress: own});
    page.session.edit({refundAddress: own.toUpperCase(), recipient: FRIEND});
    await settle();
    expect(lookalikes(page)).to.deep.equal({});
  });

  it('has the same first and last four characters, after the common prefix of its family', () => {
    const pairs = [
      ['evm', '0xABcd000000000000000000000000000000001234', '0xabCD9999999999999999999999999999999991234'],
      ['evm', '0x0000aaaa00000000000000000000000000001234', '0x0000bbbb99999999999999999999999999991234'],
      ['bitcoin', 'bc1qxyz00000000000000000000000000000wxyz', 'BC1QXYZ99999999999999999999999999999WXYZ'],
      ['bitcoin', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', '1BoaaaaaHtKNngkdXEeobR76b53LETtpyT'],
      ['solana', '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', '9xQeaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaVFin'],
      ['starknet', '0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7', '0x49d30000004dc7'],
    ] as const;
    for (const [family, one, other] of pairs) {
      expect(looksLike(family, one, other), one).to.equal(true);
      expect(looksLike(family, one, `${other.slice(0, -1)}k`), one).to.equal(false);
      const start = family === 'starknet' ? /^(0x0*..)./ : /^((?:0x|bc1)?..)./i;
      expect(looksLike(family, one, other.replace(start, '$1k')), one).to.equal(false);
    }
  });
});

describe('addresses to offer', () => {
  const recent = ({session}: TestPage) => session.$journal.get().recent;

  it('are the recipients of earlier payments on the asset’s network, newest first, once each, at most three', async () => {
    const page = await knowing(FRIEND);
    expect(recent(page)?.recipient).to.deep.equal([
      {address: FRIEND, at: page.session.$journal.get().entries[0]?.placedAt},
    ]);
    // No money was refunded to an own address on that network.
    page.session.edit({from: OTHER_WBTC.id, to: WBTC.id});
    expect(recent(page)?.recipient).to.deep.equal([]);
    expect(recent(page)?.refundAddress).to.deep.equal([]);

    const [entry] = page.session.$journal.get().entries;
    if (!entry) throw new Error('There is no entry.');
    const all = [1, 2, 3, 4].map(n => ({
      ...entry,
      orderId: String(n),
      agreed: {...entry.agreed, recipient: `0x${String(n).repeat(40)}`},
    }));
    const journal = page.session.$journal as WritableAtom<JournalState>;
    journal.set({...journal.get(), entries: [all[0]!, ...all]});
    page.session.edit({from: WBTC.id, to: OTHER_WBTC.id});
    expect(recent(page)?.recipient.map(({address}) => address[2])).to.deep.equal(['1', '2', '3']);
  });

  it('do not include those of orders that cannot have been paid', async () => {
    const page = await unpaid();
    page.session.edit({from: WBTC.id, to: OTHER_WBTC.id, amount: '0.0005'});
    await settle();
    expect(recent(page)?.recipient).to.deep.equal([]);
  });
});
