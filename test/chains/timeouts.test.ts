import {expect} from '../support/expect.js';
import {requestWallet} from '../../src/chains/funding.js';
import {pause, TIMEOUTS, within} from '../../src/chains/timeouts.js';

describe('a wait', () => {
  /** How many timers that some code sets at once are pending when it has run. */
  async function timersAfter(work: () => Promise<unknown>): Promise<number> {
    const {setTimeout, clearTimeout} = globalThis;
    const own = {setTimeout, clearTimeout};
    const set = new Set<unknown>();
    globalThis.setTimeout = ((act: () => void, milliseconds?: number) => {
      const timer = setTimeout(() => {
        set.delete(timer);
        act();
      }, milliseconds);
      set.add(timer);
      return timer;
    }) as typeof setTimeout;
    globalThis.clearTimeout = timer => {
      set.delete(timer);
      clearTimeout(timer);
    };
    try {
      const done = work();
      // Later ones are of others.
      globalThis.setTimeout = setTimeout;
      await done.catch(() => undefined);
    } finally {
      Object.assign(globalThis, own);
    }
    return set.size;
  }

  const never = new Promise(() => {});

  it('leaves no timer once it is finished or aborted', async () => {
    expect(await timersAfter(() => pause(1))).to.equal(0);
    expect(await timersAfter(() => pause(60_000, AbortSignal.abort()))).to.equal(0);
    expect(await timersAfter(() => within(60_000, Promise.resolve(1)))).to.equal(0);
    expect(await timersAfter(() => within(60_000, never, AbortSignal.abort()))).to.equal(0);
    for (const wait of [pause, (time: number, signal: AbortSignal) => within(time, never, signal)]) {
      const leaving = new AbortController();
      const waiting = timersAfter(() => wait(60_000, leaving.signal));
      leaving.abort();
      expect(await waiting).to.equal(0);
    }
  });
});

it('a wallet is asked for nothing by a widget that is gone, and nothing is recorded', async () => {
  const noted: unknown[] = [];
  const note = (what: unknown) => Promise.resolve(void noted.push(what));
  const context = {timeouts: TIMEOUTS, signal: AbortSignal.abort('gone'), onWalletRequest: note};
  const request = () => note('asked');
  const read = () => ({state: 'sent', value: ''}) as const;
  const asking = requestWallet(context as never, 'send', {request, read, refusalOf: () => undefined});
  expect(await asking.catch((reason: unknown) => reason)).to.equal('gone');
  expect(noted).to.deep.equal([]);
});
