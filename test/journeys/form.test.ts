/** The swap form in the real widget on real local chains. */
import {expect} from '@open-wc/testing';
import {newAddress} from '../support/evm-key.js';
import {BASE_WBTC, beginJourney, endJourneys, ETHEREUM_WBTC} from '../support/journey.js';
import {openWidget} from '../support/page.js';

describe('The form', function () {
  this.timeout(60_000);
  afterEach(endJourneys);

  it('finds an asset by search, shows its balance, and selects it with the keyboard', async () => {
    const journey = await beginJourney({widget: {from: ETHEREUM_WBTC, to: 'base_sepolia:usdt'}});
    const {page} = journey;
    await journey.connect();
    await page.press(/^You pay:/);
    await page.untilThere('swap-widget-asset-picker');
    const search = page.find<HTMLInputElement>('[role="combobox"]');
    if (!search) throw new Error('There is no search.');
    search.value = 'wbtc base';
    search.dispatchEvent(new InputEvent('input', {bubbles: true}));
    await journey.until(() => page.button(/^WBTC\s*Base Sepolia\s*Wrapped Bitcoin\s*0\.03$/), 'the balance never came');
    await journey.expectAccessible();
    search.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, composed: true}));
    await journey.until(() => page.button('You pay: WBTC, Base Sepolia'), 'it was not selected');
  });

  it('fills in half of the balance', async () => {
    const journey = await beginJourney();
    const {page} = journey;
    await journey.connect();
    await journey.until(() => page.button('Max: 0.03'), 'the balance never came');
    await page.press('Use 50% of your balance');
    expect(page.amount).to.equal('0.015');
    await journey.next('Review swap');
    await journey.next('Place swap');
    await journey.complete();
    expect((await journey.read()).source_swap.amount).to.equal('1500000');
  });

  it('accepts a pasted amount and a pasted payment link', async () => {
    const journey = await beginJourney();
    const {page} = journey;
    const recipient = newAddress();
    journey.recipient = recipient;
    await journey.connect();
    await page.typeAmount('0,01 wbtc');
    await journey.until(() => page.amount === '0.01', 'the unit stayed');
    await page.typeRecipient(`ethereum:${recipient}@11155111`);
    await journey.next('Yes, send it there');
    await journey.next('Review swap');
    await journey.next('Place swap');
    await journey.expectSwapped();
  });

  it('shows a quote’s estimated time, and the least amount in place of a smaller one', async () => {
    const journey = await beginJourney({faults: {estimatedTime: {seconds: 1_140}, assetList: true}});
    const {page} = journey;
    await journey.connect();
    await page.typeAmount('0.01');
    await journey.until(() => page.text.includes('Time about 19 min'), 'no estimated time is shown');
    expect(page.text).not.to.include('Usually from');
    await page.typeAmount('0.0001');
    await journey.until(() => page.text.includes('At least 0.0005 WBTC'), 'the least amount is not named');
    expect(page.text).not.to.include('Usually from');
    await journey.expectAccessible();
    await page.press('Use 0.0005 WBTC');
    expect(page.amount).to.equal('0.0005');
    await page.typeAmount('0.01');
    await journey.next('Review swap');
    await journey.until(() => page.text.includes('Time about 19 min'), 'the review does not show it');
    await journey.next('Place swap');
    await journey.expectSwapped();
  });

  it('does not accept a token contract as recipient', async () => {
    const journey = await beginJourney();
    const {page} = journey;
    const {token = ''} = journey.person.asset(BASE_WBTC);
    await page.press('Swap the two sides');
    await page.typeRecipient(token);
    await page.typeAmount('0.01');
    await journey.until(
      () => page.notes.includes('This is a contract: anything sent to it is lost'),
      'the contract was not recognised',
    );
    expect(page.canGoOn).to.equal(false);
    await journey.expectAccessible();
  });

  it('asks to confirm a recipient that the page set and locked, and pays to it', async () => {
    const recipient = newAddress();
    const journey = await beginJourney({widget: {recipient, amount: '0.01', lock: 'recipient amount'}});
    journey.recipient = recipient;
    const {page} = journey;
    await journey.connect();
    await journey.until(
      () => page.text.includes('Filled in by this site. Should your money go there?'),
      'nobody asked',
    );
    await journey.next('Yes, send it there');
    await journey.next('Review swap');
    await journey.next('Place swap');
    await journey.expectSwapped();
  });

  it('starts with the pair of the last visit', async () => {
    const journey = await beginJourney({widget: {from: undefined, to: undefined}});
    await journey.page.choose('receive', 'USDC', 'Ethereum Sepolia');
    await journey.page.choose('pay', 'USDT', 'Base Sepolia');
    await journey.reload();
    await journey.until(() => journey.page.button('You pay: USDT, Base Sepolia'), 'the source was not restored');
    expect(journey.page.button('You receive: USDC, Ethereum Sepolia')).not.to.equal(undefined);
  });

  it('shows values in the page’s currency', async () => {
    const journey = await beginJourney({widget: {'value-currency': 'EUR'}});
    await journey.page.typeAmount('0.01');
    await journey.until(() => /€[\d,]+\.\d\d/.test(journey.page.text), 'no value came');
    expect(journey.page.text).not.to.include('$');
  });

  it('shows the order of a shared link read-only, and supports back and forward', async () => {
    const before = location.href;
    const journey = await beginJourney({answers: {sign: ['no']}, widget: {'url-sync': ''}});
    try {
      await journey.place();
      await journey.until(() => journey.errors.length === 1, 'nothing was rejected');
      expect(new URL(location.href).searchParams.get('swap')).to.equal(journey.orderId);
      await journey.reload();
      await journey.until(() => journey.page.button(/^Sign with Wallet/), 'the own order can no longer be paid');
      journey.page.widget.remove();

      localStorage.clear();
      const link = await openWidget({
        'base-url': journey.client.url,
        'app-id': journey.client.appId,
        from: BASE_WBTC,
        to: ETHEREUM_WBTC,
        'url-sync': '',
        // Colours in transition can fail the contrast check.
        style: '--swap-speed: 0',
      });
      await journey.until(
        () => link.text.includes('This swap wasn’t placed in this browser.'),
        'the link shows nothing',
      );
      expect(link.primaryButton).to.equal(undefined);
      expect(link.button(/Sign|Pay/)).to.equal(undefined);
      await expect(link.widget).to.be.accessible();
      await link.press('Start another swap');
      expect(new URL(location.href).searchParams.has('swap')).to.equal(false);
      history.back();
      await journey.until(() => link.text.includes('This swap wasn’t placed in this browser.'), 'back leads nowhere');
      history.forward();
      await journey.until(() => link.find('swap-widget-form-view'), 'forward leads nowhere');
    } finally {
      history.replaceState(null, '', before);
    }
  });
});

describe('Affiliate fees in the widget', function () {
  this.timeout(60_000);
  afterEach(endJourneys);

  const A = newAddress();
  const B = newAddress();

  it('are part of the quote, shown payee by payee, and stored in the order', async () => {
    const journey = await beginJourney({
      widget: {'affiliate-fees': `ethereum_sepolia:usdc ${A} 10, ethereum_sepolia:usdc ${B} 20`},
    });
    const {page} = journey;
    await journey.review();
    await journey.until(() => page.text.includes('Total cost'), 'the review names no costs');
    for (const [percent, payee] of [
      ['0.10%', A],
      ['0.20%', B],
    ] as const) {
      const cut = `${payee.slice(0, 6)}…${payee.slice(-4)}`;
      const line = `Partner fee ${percent} −\\$[\\d,.]+ USDC on Ethereum Sepolia to ${cut}`;
      expect(page.text).to.match(new RegExp(line));
      expect(page.find(`[title="${payee}"]`)).not.to.equal(undefined);
    }
    await journey.expectAccessible();
    await journey.next('Place swap');
    await journey.expectSwapped();
    expect(journey.errors.map(({code}) => code)).to.deep.equal([]);
    const {order} = journey.statuses.at(-1) ?? {};
    const payouts = order?.affiliateFees?.map(({asset, address, bps, amount}) => [asset, address, bps, typeof amount]);
    expect(payouts).to.deep.equal([
      ['ethereum_sepolia:usdc', A, 10, 'bigint'],
      ['ethereum_sepolia:usdc', B, 20, 'bigint'],
    ]);
    expect(page.text).to.match(/Partner fee 0\.10% [\d.]+ USDC USDC on Ethereum Sepolia to 0x/);
    const fees = (await journey.read())['affiliate_fees'] as readonly Record<string, unknown>[];
    expect(fees.map(({asset, address, fee}) => [asset, address, fee])).to.deep.equal([
      ['ethereum_sepolia:usdc', A, 10],
      ['ethereum_sepolia:usdc', B, 20],
    ]);
  });

  it('without a valid address disable the widget', async () => {
    const journey = await beginJourney({widget: {'affiliate-fees': `ethereum_sepolia:usdc ${A.slice(0, -1)} 10`}});
    await journey.until(
      () => journey.page.text.includes('affiliate-fees[0].address'),
      'the error does not name the entry',
    );
    const {error} = journey.page.widget;
    expect([error?.code, error?.field]).to.deep.equal(['config', 'affiliate-fees[0].address']);
    expect(journey.page.primaryButton).to.equal(undefined);
    await journey.expectAccessible();
  });
});
