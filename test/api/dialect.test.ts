import {readDialect, writeSignature} from '../../src/api/dialect.js';
import {SwapError} from '../../src/domain/error.js';
import {expect} from '../support/expect.js';

describe('a dialect of a service', () => {
  it('is an object or its JSON, and may be nothing', () => {
    const dialect = {header: 'x-id', fields: ['nonce'], signature: 'comma', payout: ['*:usdc']} as const;
    for (const given of [dialect, JSON.stringify(dialect)]) expect(readDialect(given)).to.deep.equal(dialect);
    for (const nothing of [undefined, '', ' ', '{}', {}]) expect(readDialect(nothing)).to.deep.equal({});
  });

  for (const [field, given, says] of [
    ['service', '{"header"', 'JSON'],
    ['service', '["x-id"]', 'object'],
    ['service', 'operator', 'object'],
    ['service.header', '{"header": "app id"}', 'header'],
    ['service.header', '{"header": ""}', 'header'],
    ['service.header', '{"header": ["x"]}', 'header'],
    ['service.fields', '{"fields": "nonce"}', 'solver_id, nonce, slippage'],
    ['service.fields', '{"fields": ["constructor"]}', 'solver_id, nonce, slippage'],
    ['service.signature', '{"signature": "rs"}', 'array, comma, comma-hex'],
    ['service.signature', '{"signature": "toString"}', 'array, comma, comma-hex'],
    ['service.payout', '{"payout": ["usdc"]}', 'chain:name'],
    ...[':usdc', 'base:', 'a base:usdc', 'base:usdc x'].map(
      asset => ['service.payout', `{"payout": ["${asset}"]}`, 'chain:name'] as const,
    ),
    ['service.headers', '{"headers": {}}', 'header, fields, signature, payout'],
    ['service.__proto__', '{"__proto__": {"header": "x"}}', 'header, fields, signature, payout'],
  ] as const) {
    it(`names ${field} in ${given}`, () => {
      expect(() => readDialect(given))
        .to.throw(SwapError, says)
        .that.includes({code: 'config', field});
    });
  }
});

describe('a signature of several parts', () => {
  const two = ['0x10', '255'];

  for (const [signature, written] of [
    ['array', two],
    ['comma', '16,255'],
    ['comma-hex', '0x10,0xff'],
  ] as const) {
    it(`is written as the service takes it: ${signature}`, () => {
      expect(writeSignature(two, {signature})).to.deep.equal(written);
    });
  }

  it('is unchanged if it has one part, and unless something is set', () => {
    expect(writeSignature('0xabc', {signature: 'comma'})).to.equal('0xabc');
    expect(writeSignature(two, {})).to.equal(two);
  });
});
