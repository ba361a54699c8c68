/** A hostile service, and other people's orders: the page never shows an address to pay to. */
import {expect} from '@open-wc/testing';
import {BASE_WBTC, BTC, bitcoinJourneys, expectNoAddress, keptAddress} from '../support/bitcoin-journey.js';
import type {Crossing} from '../support/crossing.js';
import {newAddress} from '../support/evm-key.js';
import {openWidget, type WidgetPage} from '../support/page.js';
import {keyOf} from '../support/widget-swap.js';

const {begin, place} = bitcoinJourneys();

/** Another person's order, with its deposit address. */
async function placeElsewhere({client, payer}: Crossing) {
  const quote = await client.bestQuote(BTC, BASE_WBTC, 1_000_000n);
  const {order_id: id, to} = (await client.order({
    source: {asset: BTC, owner: payer.account, amount: quote.source.amount},
    destination: {asset: BASE_WBTC, owner: newAddress(), amount: quote.destination.amount},
  })) as unknown as {order_id: string; to: string};
  return {id, address: to};
}

/** Polls the page: an address must not even appear for a moment. */
async function watch(page: WidgetPage, address: string, meanwhile: () => Promise<void>) {
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      expectNoAddress({page}, address);
      await new Promise(requestAnimationFrame);
    }
  };
  await Promise.all([look(), meanwhile().finally(() => (isOver = true))]);
}

describe('A hostile service', function () {
  this.timeout(60_000);

  it('cannot make a person pay', async () => {
    const says = 'The address doesn’t belong to this swap';
    const crossing = await begin({faults: {hostile: {kind: 'address'}}});
    // The falsified address is not known in advance, so anything that looks like a payment is searched for.
    await watch(crossing.page, 'bitcoin:', async () => {
      await crossing.place();
      await crossing.untilStage('stopped');
    });
    await crossing.untilSays(says);
    await crossing.untilSays('The address isn’t shown. Don’t pay for this swap.');
    await crossing.untilSays('No payment has been seen');
    const address = keptAddress(crossing);
    const {source_swap} = await crossing.read();
    for (const one of [address, String(source_swap['swap_id'])]) expectNoAddress(crossing, one);
    expect(crossing.errors.map(({code}) => code)).to.deep.equal(['deposit-mismatch']);
    await crossing.expectAccessible();
    await crossing.reload();
    await crossing.untilStage('stopped');
    expectNoAddress(crossing, address);
    await crossing.untilSays(says);
  });
});

describe('Another person’s order', function () {
  this.timeout(60_000);

  it('is read-only, and never shows where to pay', async () => {
    const crossing = await begin();
    const {id, address} = await placeElsewhere(crossing);
    const {page} = crossing;
    await watch(page, address, async () => {
      page.widget.orderId = id;
      await crossing.untilSays('This swap wasn’t placed in this browser.');
      await crossing.untilSays('You can look at it here, but not pay for it.');
    });
    await crossing.expectAccessible();
  });

  it('is read-only if the page sets it', async () => {
    const crossing = await begin();
    const {id, address} = await placeElsewhere(crossing);
    crossing.page.widget.remove();
    const page = await openWidget({
      'base-url': crossing.client.url,
      'app-id': crossing.client.appId,
      'order-id': id,
      from: BTC,
      to: BASE_WBTC,
    });
    await watch(page, address, async () => {
      await page.until('awaiting-deposit');
      await page.untilThere('swap-widget-progress-view');
      await page.settled();
    });
    expect(page.text).to.include('This swap wasn’t placed in this browser.');
  });

  interface Entry {
    orderId: string;
    agreed: Record<string, unknown>;
    deposit: Record<string, unknown>;
    stage: string;
  }
  const edits: readonly (readonly [
    what: string,
    edit: (entry: Entry, other: {id: string; address: string}) => void,
  ])[] = [
    [
      'another order’s id and address',
      (entry, {id, address}) => {
        entry.orderId = id;
        entry.deposit['address'] = address;
      },
    ],
    [
      'a larger amount that was agreed',
      ({agreed, deposit}) => {
        agreed['amount'] = '9000000n';
        deposit['amount'] = '9000000n';
      },
    ],
  ];
  for (const [what, edit] of edits) {
    it(`is not taken for one’s own if the stored entry was changed to ${what}`, async () => {
      const {crossing, address} = await place();
      const other = await placeElsewhere(crossing);
      const key = keyOf(crossing.orderId);
      const entry = JSON.parse(localStorage.getItem(key) ?? '') as Entry;
      crossing.page.widget.remove();
      edit(entry, other);
      localStorage.removeItem(key);
      const place_ = key.replace(crossing.orderId, entry.orderId);
      localStorage.setItem(place_, JSON.stringify(entry));
      // The widget resumes the swap it showed last.
      for (const name of Object.keys(localStorage)) {
        if (name.includes('/shown/')) localStorage.setItem(name, entry.orderId);
      }
      await crossing.open();
      await watch(crossing.page, 'bitcoin:', () => crossing.untilStage('stopped'));
      for (const one of [other.address, address]) expectNoAddress(crossing, one);
    });
  }
});
