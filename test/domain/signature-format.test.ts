import {expect} from '../support/expect.js';
import {writeSignature} from '../../src/domain/deposit.js';
import {SwapError} from '../../src/domain/error.js';

describe('a signature of several parts', () => {
  const two = ['0x10', '255'];

  for (const [format, written] of [
    ['array', two],
    ['comma', '16,255'],
    ['rs', {r: '16', s: '255'}],
  ] as const) {
    it(`is written in the page’s format: ${format}`, () => {
      expect(writeSignature(two, format)).to.deep.equal(written);
    });
  }

  it('is unchanged if it has one part', () => {
    expect(writeSignature('0xabc', 'comma')).to.equal('0xabc');
  });

  it('is not truncated: nine parts are not r and s', () => {
    expect(() => writeSignature(Array(9).fill('1'), 'rs')).to.throw(SwapError, 'config: signatureFormat');
  });
});
