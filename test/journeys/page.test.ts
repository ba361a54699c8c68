/** What only a person on a page can meet: two widgets, a moved one, double clicks, a shared link, two windows. */
import {expect} from '@open-wc/testing';
import {beginCrossing, endCrossings, type Crossing, type CrossingSettings} from '../support/crossing.js';
import {newAddress} from '../support/evm-key.js';
import {expectNoAddress, openWidget, type WidgetPage} from '../support/page.js';
import {later} from '../support/session.js';

const BTC = 'bitcoin_testnet:btc';
const BASE_WBTC = 'base_sepolia:wbtc';
const STARKNET_WBTC = 'starknet_sepolia:wbtc';

const begin = (settings: Partial<CrossingSettings> = {}) =>
  beginCrossing({from: BASE_WBTC, to: STARKNET_WBTC, ...settings});

/** A person whose wallet waits with its signature until it is released. */
async function beginHeld() {
  const {promise, keep} = later<boolean>();
  return {crossing: await begin({answer: ({kind}) => kind !== 'sign' || promise}), sign: () => keep(true)};
}

/** Polls the page: an address must not even appear for a moment. */
async function watch(page: WidgetPage, address: string, meanwhile: () => Promise<void>) {
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      expectNoAddress(page, address);
      await new Promise(requestAnimationFrame);
    }
  };
  await Promise.all([look(), meanwhile().finally(() => (isOver = true))]);
}

describe('A page', () => {
  afterEach(endCrossings);

  it('can move the widget during a swap', async () => {
    const {crossing, sign} = await beginHeld();
    const {widget} = crossing.page;
    const place = widget.parentElement!;
    const move = () => {
      const other = document.createElement('section');
      place.append(other);
      other.append(widget);
    };
    await crossing.connect();
    move();
    await crossing.page.typeAmount('0.01');
    await crossing.page.typeRecipient(crossing.recipient);
    move();
    await crossing.next(/^Review swap$/);
    await crossing.untilStage('reviewing');
    move();
    await crossing.next(/^Place swap$/);
    await crossing.untilAsked('sign');
    move();
    await crossing.until(() => /^Waiting for payer/.test(crossing.page.primary), 'it no longer waits for the wallet');
    sign();
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'sign']);
    expect(crossing.orderIds).to.have.length(1);
  });

  it('with two widgets can have two swaps, each with its own wallet and address', async () => {
    const [one, other] = [await begin(), await begin({from: BTC, to: BASE_WBTC, amount: '0.02'})];
    await Promise.all([one.place(), other.place()]);
    const {address} = await other.untilAddress();
    expect(one.page.text).not.to.include(address);
    await other.send();
    await other.until(() => other.page.stage !== 'awaiting-deposit', 'the payment was never seen');
    await other.mine(2);
    await Promise.all([one.expectSwapped(), other.expectSwapped()]);
    expect([one.asked, other.asked]).to.deep.equal([['connect', 'send', 'sign'], []]);
    expect([one.orderIds, other.orderIds].map(({length}) => length)).to.deep.equal([1, 1]);
  });

  it('unlocks a wallet that was locked meanwhile on a click, and then prompts it', async () => {
    const crossing = await begin({answer: ({kind}, turn) => kind !== 'sign' || turn > 1});
    await crossing.place();
    await crossing.until(() => crossing.errors.at(-1)?.code === 'rejected', 'nothing was rejected');
    if (!('lock' in crossing.payer)) throw new Error('The wallet has no lock.');
    crossing.payer.lock();
    await crossing.next('Connect a wallet');
    await crossing.chooseWallet();
    await crossing.next(/^Sign with payer/);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'sign', 'unlock', 'sign']);
  });

  it('pays affiliate fees, which are in the review payee by payee, in the order, and in the receipt', async () => {
    const payees = [newAddress(), newAddress()] as const;
    const fees = payees.map((payee, at) => `ethereum_sepolia:usdc ${payee} ${(at + 1) * 10}`).join(', ');
    const crossing = await begin({widget: {'affiliate-fees': fees}});
    const {page} = crossing;
    await crossing.review();
    await page.press('Details');
    await crossing.untilSays('Site fee 0.10%');
    for (const [at, payee] of payees.entries()) {
      const cut = `${payee.slice(0, 6)}…${payee.slice(-4)}`;
      expect(page.text).to.match(new RegExp(`Site fee 0\\.${at + 1}0% \\$[\\d,.]+ USDC on Ethereum Sepolia to ${cut}`));
      expect(page.find(`[title="${payee}"]`)?.localName).not.to.equal(undefined);
    }
    await crossing.expectAccessible();
    await crossing.next(/^Place swap$/);
    await crossing.expectSwapped();
    expect(crossing.errors.map(({code}) => code)).to.deep.equal([]);
    const agreed = payees.map((payee, at) => ['ethereum_sepolia:usdc', payee, (at + 1) * 10]);
    const told = crossing.statuses.at(-1)?.order?.affiliateFees;
    expect(told?.map(({asset, address, bps}) => [asset, address, bps])).to.deep.equal(agreed);
    expect(told?.map(({amount}) => typeof amount)).to.deep.equal(['bigint', 'bigint']);
    await crossing.press(/^Receipt$/);
    expect(page.text).to.match(/Site fee 0\.10% [\d.]+ USDC USDC on Ethereum Sepolia to 0x/);
    const kept = (await crossing.read())['affiliate_fees'] as readonly Record<string, unknown>[];
    expect(kept.map(({asset, address, fee}) => [asset, address, fee])).to.deep.equal(agreed);
  });
});

describe('A deposit address', () => {
  afterEach(endCrossings);

  it('never appears through a link to another person’s order, which is view-only, with back and forward', async () => {
    const before = location.href;
    const crossing = await begin({from: BTC, to: BASE_WBTC});
    const {id, address} = await placeElsewhere(crossing);
    crossing.page.widget.remove();
    history.replaceState(null, '', `${location.pathname}?swap=${id}`);
    try {
      const page = await openWidget({
        'base-url': crossing.client.url,
        'app-id': crossing.client.appId,
        from: BTC,
        to: BASE_WBTC,
        'url-sync': '',
        style: '--swap-speed: 0',
      });
      const isReadOnly = () => page.text.includes('This swap wasn’t placed in this browser.');
      await watch(page, address, () => crossing.until(isReadOnly, 'the link shows nothing'));
      expect(page.primaryButton?.textContent).to.equal(undefined);
      expect(page.text).to.include('You can look at it here, but not pay for it.');
      await expect(page.widget).to.be.accessible();
      await page.press('Start another swap');
      expect(new URL(location.href).searchParams.has('swap')).to.equal(false);
      history.back();
      await crossing.until(isReadOnly, 'back leads nowhere');
      history.forward();
      await crossing.until(() => page.find('swap-widget-form-view'), 'forward leads nowhere');
    } finally {
      history.replaceState(null, '', before);
    }
  });
});

/** Another person's order, with its deposit address. */
async function placeElsewhere({client, payer}: Crossing) {
  const quote = await client.bestQuote(BTC, BASE_WBTC, 1_000_000n);
  const {order_id: id, to} = (await client.order({
    source: {asset: BTC, owner: payer.account, amount: quote.source.amount},
    destination: {asset: BASE_WBTC, owner: newAddress(), amount: quote.destination.amount},
  })) as unknown as {order_id: string; to: string};
  return {id, address: to};
}
