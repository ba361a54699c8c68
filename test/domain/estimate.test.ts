import {expect} from '../support/expect.js';
import {usualMinutes} from '../../src/domain/estimate.js';
import {COMMON} from '../../src/domain/known/common.js';

const chain = (name: string) => COMMON.chains.find(chain => chain.name === name)!;

describe('How long a swap usually takes', () => {
  const cases: readonly (readonly [from: string, to: string, least: number, most: number])[] = [
    ['bitcoin', 'ethereum', 20, 30],
    ['bitcoin', 'base', 20, 30],
    ['base', 'ethereum', 1, 1],
    ['solana', 'base', 1, 1],
    ['base', 'starknet', 1, 2],
    ['base', 'bitcoin', 10, 20],
  ];
  for (const [from, to, least, most] of cases) {
    it(`from ${from} to ${to} is ${String(least)} to ${String(most)} minutes`, () => {
      expect(usualMinutes(chain(from), chain(to))).to.deep.equal({least, most});
    });
  }

  it('follows the confirmations that an order wants', () => {
    expect(usualMinutes(chain('bitcoin'), chain('base'), 6)).to.deep.equal({least: 60, most: 70});
  });

  it('never has the maximum below the minimum, and is never zero', () => {
    for (const from of COMMON.chains) {
      for (const to of COMMON.chains) {
        const {least, most} = usualMinutes(from, to, 0);
        expect(least).to.be.at.least(1);
        expect(most).to.be.at.least(least);
      }
    }
  });
});
