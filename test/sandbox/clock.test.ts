import {mock} from 'node:test';
import {expect} from '../support/expect.js';
import type {ChainLeg} from '../../demo/sandbox/chains/leg.js';
import {startClock} from '../../demo/sandbox/clock.js';

it('A local chain makes all blocks while an order waits for them, a few while one is open, and none otherwise', async () => {
  for (const [awaits, isOpenOn, blocks] of [
    [true, true, 120],
    [false, true, 10],
    [false, false, 0],
  ] as const) {
    mock.timers.enable({apis: ['setInterval', 'Date'], now: 1e12});
    let mined = 0;
    const tick = (awaited: boolean) => Promise.resolve(void (mined += Number(awaited)));
    const chain = {blockSeconds: 0.5, tick} as unknown as ChainLeg;
    const stop = startClock([chain], {awaits: () => awaits, isOpenOn: () => isOpenOn});
    for (let ticks = 0; ticks < 120; ticks++) {
      mock.timers.tick(500);
      await new Promise(setImmediate);
    }
    await stop();
    mock.timers.reset();
    expect(mined).to.equal(blocks);
  }
});
