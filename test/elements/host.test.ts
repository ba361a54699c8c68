import {expect} from '@open-wc/testing';
import {createHost} from '../../src/elements/host.js';

describe('the page of a session', () => {
  it('never sets a timer so long that the browser would fire it at once', () => {
    const own = globalThis.setTimeout;
    const waits: unknown[] = [];
    globalThis.setTimeout = ((_work: () => void, milliseconds: number) =>
      waits.push(milliseconds)) as typeof setTimeout;
    try {
      const {after} = createHost(() => 'local');
      for (const milliseconds of [0, 600_000, 2 ** 31, 25 * 86_400_000, 1e15, Infinity]) after(milliseconds, () => {});
    } finally {
      globalThis.setTimeout = own;
    }
    expect(waits).to.deep.equal([0, 600_000, ...Array<number>(4).fill(2 ** 31 - 1)]);
  });
});
