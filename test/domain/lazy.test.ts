import {expect} from '../support/expect.js';
import type {SwapError} from '../../src/domain/error.js';
import {lazy} from '../../src/domain/lazy.js';

/** A part that counts how often it was loaded; its first `fails` loads fail. */
function open(fails = 0) {
  let loads = 0;
  const part = lazy(
    () => (++loads > fails ? Promise.resolve({name: 'part'}) : Promise.reject(new Error('offline'))),
    ({name}) => ({name}),
  );
  return {part, loads: () => loads};
}

describe('a part that loads late', () => {
  it('is loaded once, when it is first needed', async () => {
    const {part, loads} = open();
    expect([loads(), part.part]).to.deep.equal([0, undefined]);
    const [one, other] = await Promise.all([part(), part()]);
    expect(one).to.equal(other);
    expect(part.part).to.equal(one);
    expect(loads()).to.equal(1);
  });

  it('is used once for each call, in the order of the calls', async () => {
    const {part} = open();
    const used: number[] = [];
    const uses = [1, 2, 3].map(call => part.use(() => used.push(call)));
    expect(used).to.deep.equal([]);
    await Promise.all(uses);
    expect(used).to.deep.equal([1, 2, 3]);
  });

  it('keeps that order for a call made at the moment it loads', async () => {
    const used: string[] = [];
    const part = lazy(
      () => Promise.resolve({}),
      module => {
        queueMicrotask(() => void part.use(() => used.push('last')));
        return module;
      },
    );
    await part.use(() => used.push('first'));
    await part.use(() => used.push('later'));
    expect(used).to.deep.equal(['first', 'last', 'later']);
  });

  it('is used at once if already loaded', async () => {
    const {part} = open();
    await part();
    let isUsed = false;
    void part.use(() => (isUsed = true));
    expect(isUsed).to.equal(true);
  });

  it('that cannot be loaded is a timeout, and the next call tries again', async () => {
    const {part, loads} = open(2);
    const error = await part().catch((cause: unknown) => cause as SwapError);
    expect(error).to.include({name: 'SwapError', code: 'timeout'});
    expect(
      await part.use(
        ({name}) => name,
        ({code}) => code,
      ),
    ).to.equal('timeout');
    expect(await part.use(({name}) => name)).to.equal('part');
    expect(loads()).to.equal(3);
  });
});
