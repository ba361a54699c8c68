import {expect} from '../support/expect.js';
import {isProblem, readDraft, type Draft, type Problem} from '../../src/domain/draft.js';
import {catalogue, OTHER_WBTC, WBTC} from '../support/swap.js';

const good: Draft = {from: WBTC.id, to: OTHER_WBTC.id, amount: '0.0005', receive: '', recipient: '', refundAddress: ''};

describe('a draft', () => {
  it('becomes a request if complete, in the smallest unit of what is paid', () => {
    const fees = [{asset: WBTC.id, address: 'me', bps: 30}];
    const reading = readDraft(good, catalogue, () => fees);
    expect(reading).to.deep.equal({from: WBTC, to: OTHER_WBTC, amount: 50_000n, affiliateFees: fees});
    expect(isProblem(reading)).to.equal(false);
  });

  const problems: readonly [what: string, change: Partial<Draft>, problem: Problem][] = [
    ['nothing to pay with', {from: ''}, {code: 'choose-from', field: 'from', remedy: 'press'}],
    ['an asset that is not offered', {from: 'base:usdc'}, {code: 'choose-from', field: 'from', remedy: 'press'}],
    ['nothing to receive', {to: ''}, {code: 'choose-to', field: 'to', remedy: 'press'}],
    ['one asset on both sides', {to: WBTC.id}, {code: 'same-asset', field: 'to', remedy: 'press'}],
    ['no amount', {amount: ''}, {code: 'enter-amount', field: 'amount', remedy: 'type'}],
    ['an amount of zero', {amount: '0.000'}, {code: 'enter-amount', field: 'amount', remedy: 'type'}],
    ['words for an amount', {amount: 'all'}, {code: 'not-a-number', field: 'amount', remedy: 'correct'}],
    ['too many decimals', {amount: '0.000000001'}, {code: 'too-many-decimals', field: 'amount', remedy: 'correct'}],
  ];
  for (const [what, change, problem] of problems) {
    it(`with ${what} reports it at ${problem.field}`, () => {
      const reading = readDraft({...good, ...change}, catalogue, () => []);
      expect(reading).to.deep.equal(problem);
      expect(isProblem(reading)).to.equal(true);
    });
  }

  it('reports the first thing to fix', () => {
    const empty: Draft = {from: '', to: '', amount: 'x', receive: '', recipient: '', refundAddress: ''};
    expect(readDraft(empty, catalogue, () => [])).to.deep.equal({code: 'choose-from', field: 'from', remedy: 'press'});
  });
});
