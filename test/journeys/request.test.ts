/** A payment that the page requests: a given amount, to its address, whatever the visitor pays with. */
import {expect} from '@open-wc/testing';
import type {Order} from '../../src/index.js';
import {beginCrossing, endCrossings} from '../support/crossing.js';

const WBTC = 'ethereum_sepolia:wbtc';

/** How a promise ended: its rejection's reason, or its value. */
const endOf = (promise: Promise<Order>) =>
  promise.catch((error: unknown) => (error as {reason?: unknown}).reason ?? error);

describe('A payment that the page requests', () => {
  afterEach(endCrossings);

  it('pays at least the requested amount once the visitor has confirmed the address', async () => {
    const crossing = await beginCrossing({from: 'base_sepolia:wbtc', to: WBTC, amount: '0.02'});
    const {page, recipient} = crossing;
    const paid = page.widget.request({to: WBTC, atLeast: '0.01', recipient});
    await crossing.untilSays(/This site asks for\s+At least 0.01 WBTC/);
    await crossing.connect();
    await crossing.until(() => page.primary === 'Yes, send it there', 'the address was never asked about');
    expect(page.text.replace(/\s/g, '')).to.include(recipient);
    expect(page.find('#amount')?.matches(':read-only')).to.equal(true);
    await crossing.expectAccessible();
    await crossing.next(/^Yes, send it there$/);
    await crossing.next(/^Review swap$/);
    await crossing.next(/^Place swap$/);
    await crossing.untilStage('complete');
    const order = await paid;
    expect((await crossing.moved()).received).to.equal(order.destination.amount);
    expect(order.id).to.equal(crossing.orderId);
    expect(order.destination.amount >= 1_000_000n && order.destination.amount < 1_010_000n).to.equal(true);
  });

  it('ends if another one replaces it or the visitor or the page cancels it, and the form is restored', async () => {
    const crossing = await beginCrossing({from: 'base_sepolia:wbtc', to: WBTC, amount: '0.02'});
    const {page, recipient} = crossing;
    await page.typeAmount('7');
    const ask = (change: {recipient?: string; signal?: AbortSignal} = {}) =>
      endOf(page.widget.request({to: WBTC, atLeast: '0.01', recipient, ...change}));
    const superseded = ask();
    const canceled = ask();
    expect(await superseded).to.equal('superseded');
    await crossing.press(/^Cancel$/);
    expect(await canceled).to.equal('closed');
    await crossing.until(() => page.amount === '7' && !page.text.includes('asks for'), 'the form was never the same');
    const abort = new AbortController();
    const aborted = ask({signal: abort.signal});
    abort.abort('changed our mind');
    expect(await aborted).to.equal('changed our mind');
    expect(await ask({recipient: 'nowhere'})).to.include({code: 'config', field: 'request.recipient'});
  });
});
