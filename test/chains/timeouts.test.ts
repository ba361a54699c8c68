import {expect} from '../support/expect.js';
import {requestWallet, waitForAllowance} from '../../src/chains/funding.js';
import {pause, TIMEOUTS, within} from '../../src/chains/timeouts.js';
import type {SwapError} from '../../src/domain/error.js';

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

describe('the wait for an allowance', () => {
  /** Waits while the chain shows these statuses, the last of them from then on. Resolves with the times of its looks. */
  async function looks(statuses: readonly string[], more: {isSetAt?: number; fate?: string} = {}) {
    const {isSetAt = Infinity, fate} = more;
    const {setTimeout} = globalThis;
    let time = 0;
    const times: number[] = [];
    Object.defineProperty(performance, 'now', {value: () => time, configurable: true});
    // Its pauses pass at once; what ends them would be a second later.
    globalThis.setTimeout = ((act: () => void, milliseconds: number) => {
      if (milliseconds >= 1_000) return undefined;
      time += milliseconds;
      queueMicrotask(act);
      return undefined;
    }) as unknown as typeof setTimeout;
    try {
      const context = {timeouts: {...TIMEOUTS, poll: 16, receipt: 40, lag: 700}, signal: undefined};
      const error = await waitForAllowance(context as unknown as Parameters<typeof waitForAllowance>[0], '0xa', {
        isSet: () => Promise.resolve(times.push(time) > isSetAt),
        status: () => Promise.resolve(statuses[times.length - 1] ?? statuses.at(-1)),
        fateOf: () => fate,
      }).catch((failure: unknown) => failure);
      const {code, field} = (error ?? {}) as Partial<SwapError>;
      return {times, field, isOver: code === undefined};
    } finally {
      globalThis.setTimeout = setTimeout;
      Reflect.deleteProperty(performance, 'now');
    }
  }

  it('looks ever more seldom, for as long as a block may take, and then as a node may lag', async () => {
    // Exactly at its end it still waits.
    expect((await looks(['pending'])).times).to.deep.equal([0, 16, 40, 76]);
    const growing = [0, 16, 40, 76, 130, 211, 332.5, 460.5, 588.5, 716.5];
    expect((await looks(['done'])).times).to.deep.equal(growing);
    expect((await looks(['pending', 'pending', 'done'])).times).to.deep.equal([...growing, 844.5]);
  });

  it('ends once it is there, or cannot come', async () => {
    expect(await looks(['pending'], {isSetAt: 2})).to.deep.equal({times: [0, 16, 40], field: undefined, isOver: true});
    expect(await looks(['pending', 'reverted'])).to.deep.equal({times: [0, 16], field: undefined, isOver: false});
  });

  it('says what became of it only once the approval is in a block', async () => {
    const fieldOf = async (status: string, fate?: string) =>
      (await looks([status], fate === undefined ? {} : {fate})).field;
    expect(await fieldOf('done', 'taken')).to.equal('taken');
    expect(await fieldOf('done')).to.equal(undefined);
    expect([await fieldOf('pending', 'taken'), await fieldOf('reverted', 'taken')]).to.deep.equal([
      undefined,
      undefined,
    ]);
  });
});
