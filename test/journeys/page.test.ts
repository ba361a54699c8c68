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
  beginCrossing({from: BASE_WBTC, to: STARKNET_WBTC, amount: '0.01', ...settings});

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
    await crossing.page.typeRecipient(crossing.recipient);
    await crossing.page.typeAmount('0.01');
    move();
    await crossing.next(/^Review swap$/);
    await crossing.untilStage('reviewing');
    move();
    await crossing.next(/^Place swap$/);
    await crossing.untilAsked('sign');
    move();
    await crossing.until(() => /^Waiting for Payer/.test(crossing.page.primary), 'it no longer waits for the wallet');
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

  it('with two widgets of one person prompts once for one swap, which both show', async () => {
    const {crossing, sign} = await beginHeld();
    await crossing.place();
    await crossing.untilAsked('sign');
    const first = crossing.page;
    await crossing.open();
    await crossing.press(/^Your swaps/);
    await crossing.press(/^0\.01 /);
    // A requested signature has paid nothing; the second widget waits for the first one's wallet request.
    await crossing.untilStage('awaiting-deposit');
    expect(crossing.page.canGoOn).to.equal(false);
    sign();
    await first.until('complete');
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'sign']);
    expect(crossing.walletRequests()).to.deep.equal(['approve sent', 'sign signed', 'initiate sent']);
  });

  it('orders, prompts and pays once, however often its buttons are clicked', async () => {
    const crossing = await begin({rejections: 1});
    const {page} = crossing;
    await crossing.connect();
    await page.typeRecipient(crossing.recipient);
    await page.typeAmount('0.01');
    await crossing.next('Review swap', 2);
    await crossing.next('Place swap', 5);
    await crossing.until(() => crossing.errors.length === 1, 'nothing was rejected');
    await crossing.next(/^Allow/, 5);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'send', 'sign']);
    expect(crossing.orderIds).to.have.length(1);
    await crossing.next('New swap', 2);
    expect(page.stage).to.equal('editing');
  });

  it('warns of an address that only looks like one used before, and leaves the decision to the visitor', async () => {
    const crossing = await begin({to: 'ethereum_sepolia:wbtc'});
    const {page, recipient} = crossing;
    await crossing.place();
    await crossing.expectSwapped();
    await crossing.next('New swap');
    // In letters of one case there is no checksum.
    const lookalike = `${recipient.slice(0, 8)}${'0'.repeat(28)}${recipient.slice(-6)}`.toLowerCase();
    await page.typeRecipient(lookalike);
    await page.typeAmount('0.01');
    await crossing.untilSays('This only looks like an address you used before.');
    expect(page.text.replace(/\s/g, '')).to.include(`Youused:${recipient}`);
    await expect(page.widget).to.be.accessible();
    await crossing.next('Yes, send it there');
    await crossing.next('Review swap');
    await crossing.untilStage('reviewing');
    await crossing.untilSays('This only looks like an address you used before.');
    expect(page.canGoOn).to.equal(true);
    await expect(page.widget).to.be.accessible();
    await crossing.press(/^Back$/);
    await page.typeRecipient(recipient);
    await crossing.until(() => !page.text.includes('only looks like'), 'it is said of the address itself');
  });

  it('asks the visitor after an unclear wallet response, also after a reload, and can pay again', async () => {
    const crossing = await begin({
      faults: {noTypedData: true},
      answer: ({title}) => {
        if (!title.startsWith('Allow') && clear++ === 0) throw new Error('Something went wrong in the wallet.');
        return true;
      },
    });
    let clear = 0;
    const question = 'Did you confirm the payment in your wallet?';
    await crossing.place();
    await crossing.untilSays(question);
    await crossing.untilSays('Nothing has been seen on Base Sepolia');
    expect(crossing.walletRequests()).to.deep.equal(['approve sent', 'send asking']);
    await crossing.expectUntouched();
    await crossing.reload();
    await crossing.untilSays(question);
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'send']);
    await crossing.press(/^No, I didn’t$/);
    await crossing.next(/^Pay with Payer/);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'send', 'send']);
  });

  it('unlocks a wallet that was locked meanwhile on a click, and then prompts it', async () => {
    const crossing = await begin({answer: ({kind}, turn) => kind !== 'sign' || turn > 1});
    await crossing.place();
    await crossing.until(() => crossing.errors.at(-1)?.code === 'rejected', 'nothing was rejected');
    if (!('lock' in crossing.payer)) throw new Error('The wallet has no lock.');
    crossing.payer.lock();
    await crossing.next('Connect a wallet');
    await crossing.chooseWallet();
    await crossing.next(/^Sign with Payer/);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'sign', 'unlock', 'sign']);
  });
  it('pays affiliate fees, which are in the review payee by payee, in the order, and in the receipt', async () => {
    const payees = [newAddress(), newAddress()] as const;
    const fees = payees.map((payee, at) => `ethereum_sepolia:usdc ${payee} ${(at + 1) * 10}`).join(', ');
    const crossing = await begin({widget: {'affiliate-fees': fees}});
    const {page} = crossing;
    await crossing.review();
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

  it('asks for the rest of an underpayment in text, link and QR code, also after a reload', async () => {
    const crossing = await begin({from: BTC, to: BASE_WBTC});
    await crossing.place();
    const {address, amount} = await crossing.untilAddress();
    const part = amount / 4n;
    await crossing.send(part);
    await crossing.untilSays('Send the rest');
    await crossing.reload();
    await crossing.untilSays('0.0025 of 0.01 BTC arrived.');
    expect(await crossing.untilAddress()).to.deep.equal({address, amount: amount - part});
    const link = crossing.page.find('a[href^="bitcoin:"]')?.getAttribute('href');
    expect(crossing.page.find('swap-widget-qr-code')?.getAttribute('text')).to.equal(link);
    expect(crossing.page.text).to.include('0.0075');
    await crossing.expectAccessible();
    await crossing.send();
    await crossing.until(() => crossing.page.stage !== 'awaiting-deposit', 'the rest was never seen');
    await crossing.mine(2);
    await crossing.expectSwapped();
    expect((await crossing.read()).source_swap.initiate_tx_hash.split(',')).to.have.length(2);
    expect(crossing.orderIds).to.have.length(1);
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
