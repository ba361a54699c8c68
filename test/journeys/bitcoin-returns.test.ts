/** Payments by address that are returned: too little, too late, or without a solver. */
import {aTimeout, expect} from '@open-wc/testing';
import {bitcoinJourneys, expectNoAddress, expectOneOrder} from '../support/bitcoin-journey.js';
import type {Crossing} from '../support/crossing.js';

const {sandbox, place, pay} = bitcoinJourneys();
const HOUR = 3_600_000;

/** The payer has the payment back, less its fee, and the screen says so. */
async function expectReturned(crossing: Crossing, text: string) {
  await crossing.mine(1);
  await crossing.untilStage('refunded');
  await crossing.untilSays(`You got back ${text} BTC`);
  const {paid, received} = await crossing.moved();
  expect(received).to.equal(0n);
  expect(paid > 0n && paid < 1_000n, `${String(paid)} are gone`).to.equal(true);
  expect((await crossing.read()).destination_swap.redeem_tx_hash).to.equal('');
  await crossing.expectAccessible();
  expectOneOrder(crossing);
}

describe('A payment by address that is returned', function () {
  this.timeout(60_000);

  it('is too little when the deposit window ends', async () => {
    const {crossing, address, amount} = await place({faults: {depositWindow: {seconds: 4}}});
    await crossing.send(amount / 2n);
    await crossing.untilSays('Send the rest');
    await crossing.mine(1);
    await crossing.client.until(crossing.orderId, ({source_swap}) => source_swap.refund_tx_hash !== '');
    await crossing.untilSays('Less than agreed arrived');
    expectNoAddress(crossing, address);
    await expectReturned(crossing, '0.005');
  });

  it('is too late, which the widget says before and after', async () => {
    const {crossing, address, amount} = await place({
      faults: {depositWindow: {seconds: 1}},
      widget: {fetch: fetchInTime},
    });
    const {payer} = crossing;
    await letPass(HOUR + 60_000, async () => {
      await crossing.untilStage('expired');
      await crossing.untilSays('Don’t send anything to its address any more.');
      expectNoAddress(crossing, address);
      await crossing.expectAccessible();
      await crossing.reload();
      await crossing.untilSays('A late payment comes back to');
      expectNoAddress(crossing, address);
      if (!('bumpFee' in payer)) throw new Error('The payer has no Bitcoin wallet.');
      // The deposit window is one second.
      await aTimeout(1_000);
      await payer.send(address, amount);
      // An expired order is read once a minute, but at once after a reload.
      await crossing.reload();
      await crossing.until(() => crossing.page.stage !== 'expired', 'the late payment was never seen');
      expectNoAddress(crossing, address);
      await crossing.mine(1);
      await crossing.untilSays('The payment came too late');
      await expectReturned(crossing, '0.01');
    });
  });

  it('finds no solver, and is refunded by the service after its timelock', async () => {
    const {crossing, address} = await pay({faults: {solverGone: true}});
    await crossing.mine(2);
    await crossing.untilStage('settling');
    await sandbox().expire(crossing.orderId);
    await crossing.untilStage('refunding');
    await crossing.untilSays('Refund on its way');
    expect(crossing.page.primaryButton, 'the person has nothing to do').to.equal(undefined);
    expectNoAddress(crossing, address);
    await crossing.reload();
    await crossing.untilSays('Refund on its way');
    await expectReturned(crossing, '0.01');
  });
});

let passed = 0;
let since = Infinity;

/** Moves the clock of the page, and of the service's answers, forward. */
async function letPass(milliseconds: number, meanwhile: () => Promise<void>) {
  const {now} = Date;
  passed = milliseconds;
  since = now();
  Date.now = () => now() + milliseconds;
  try {
    await meanwhile();
  } finally {
    Date.now = now;
    passed = 0;
    since = Infinity;
  }
}

/** Shifts the times in the service's answers like the page's clock. */
async function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const text = (await response.text()).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, time => {
    const at = Date.parse(time);
    return at < since ? time : new Date(at + passed).toISOString();
  });
  return new Response(text, response);
}
