/** Whole swaps by each way to pay, and their refunds, with the widget on local chains. */
import {expect} from '@open-wc/testing';
import {aboutAmount} from '../../src/elements/base/words.js';
import {beginCrossing, type Crossing, type CrossingSettings} from './crossing.js';
import type {SandboxClient} from '../sandbox/client.js';

/** A service that offers nothing to sign. */
export const UNSIGNED = {noTypedData: true};
export const TWO_SIDES = 'The payment and the order don’t match';
export const TWO_PAYMENTS = 'The signature and the payment don’t match';

export interface Way extends CrossingSettings {
  readonly way: string;
  readonly pay?: (crossing: Crossing) => Promise<unknown>;
  readonly asked: Crossing['asked'];
  readonly requests: readonly string[];
  /** A lie of the service, and the page's text about it; none if a way above has the same. */
  readonly lie?: readonly [kind: string, says: string];
}

/** Two facts about a way to pay: it leads to the balances, and no lie of the service is paid. */
export function itSwaps({way, pay, asked, requests, lie, ...settings}: Way): void {
  it(`${way}: completes, from an empty form to the balances`, async () => {
    const crossing = await beginCrossing(settings);
    await crossing.place();
    if (pay) {
      await crossing.untilAddress();
      await pay(crossing);
      await crossing.untilSeen();
      await crossing.mine(2);
    }
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(asked);
    expect(crossing.walletRequests()).to.deep.equal(requests);
    expect(crossing.orderIds).to.have.length(1);
    expect(crossing.errors.map(({code}) => code)).to.deep.equal([]);
    const {destination_swap: destination} = await crossing.read();
    const received = aboutAmount(BigInt(destination.amount), crossing.chain(settings.to).assets[settings.to]!, 'en');
    await crossing.untilSays(`You paid ${crossing.options.amount}`);
    await crossing.untilSays(`You received ${received}`);
    await crossing.expectAccessible();
  });

  if (!lie) return;

  it(`${way}: stops before any prompt if the service lies, also after a reload`, async () => {
    const [kind, says] = lie;
    const crossing = await beginCrossing({...settings, faults: {...settings.faults, hostile: {kind}}});
    await crossing.place();
    await crossing.expectStopped(says);
    const before = crossing.asked.length;
    await crossing.reload();
    await crossing.untilStage('stopped');
    await crossing.untilSays(says);
    expect(crossing.asked).to.have.length(before);
  });
}

export const IS_REFUNDED = 'is refunded in full after the timelock and not before, also after a rejection and a reload';

/** Has a payment refunded on a sandbox whose clock may be moved; `fees` are all that the payer has lost. */
export async function expectRefund(sandbox: SandboxClient, settings: CrossingSettings, fees: bigint): Promise<void> {
  let refunds = 0;
  const crossing = await beginCrossing({
    on: sandbox,
    ...settings,
    faults: {solverGone: true, ...settings.faults},
    answer: ({title}) => !title.startsWith('Refund') || refunds++ > 0,
  });
  await crossing.place();
  await crossing.untilStage('settling');
  expect(crossing.page.button(/^Take your money back$/)?.textContent).to.equal(undefined);
  expect((await crossing.moved()).paid >= crossing.amount).to.equal(true);
  await sandbox.expire(crossing.orderId);
  await crossing.untilStage('refunding');
  await crossing.expectAccessible();
  await crossing.next(/^Take your money back$/, 2);
  await crossing.untilSays('You declined in your wallet.');
  await crossing.reload();
  await crossing.next(/^Take your money back$/);
  await crossing.untilStage('refunded');
  await crossing.untilSays(`You got back ${crossing.options.amount}`);
  await crossing.expectAccessible();
  expect(await crossing.moved()).to.deep.equal({paid: fees, received: 0n});
  expect(crossing.walletRequests().slice(-2)).to.deep.equal(['refund refused', 'refund sent']);
}
