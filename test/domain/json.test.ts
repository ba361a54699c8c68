import fc from 'fast-check';
import {isSameData, writeJson} from '../../src/domain/json.js';
import {expect} from '../support/expect.js';
import {onPage} from '../support/prototypes.js';

describe('JSON', () => {
  const value = {list: [1, 'two', [null, true]], of: {amount: 5n}, none: undefined, text: 'x'};
  const text = '{"list":[1,"two",[null,true]],"of":{"amount":"5"},"text":"x"}';

  /** What scripts add: a method as anyone does, one that nothing overwrites, and one with a getter. */
  const ways: readonly [string, PropertyDescriptorMap][] = [
    ['toJSON', {toJSON: {value: () => 'theirs', enumerable: true, writable: true}}],
    ['a toJSON that cannot be written', {toJSON: {value: () => 'theirs'}}],
    ['a toJSON by a getter', {toJSON: {get: () => () => 'theirs'}}],
    ['a field', {each: {value: 'theirs', enumerable: true, writable: true}}],
    ['a field of an array', {7: {value: 'theirs', enumerable: true, writable: true}}],
  ];
  for (const [what, added] of ways) {
    for (const owner of [Array, Object, String, Number, Boolean, BigInt]) {
      it(`is the same on a page that gives ${what} to ${owner.name}.prototype`, async () => {
        expect(await onPage(owner.prototype as object, added, () => writeJson(value))).to.equal(text);
      });
    }
  }

  it('is the same for values that are frozen or without a prototype', () => {
    const bare = Object.assign(Object.create(null) as object, {a: Object.freeze([1, Object.freeze({b: 2n})])});
    expect(writeJson(Object.freeze(bare))).to.equal('{"a":[1,{"b":"2"}]}');
  });

  it('keeps a field that is called __proto__, and gives nobody a prototype', () => {
    const own = JSON.parse('{"__proto__":{"a":1}}') as unknown;
    expect(writeJson(own)).to.equal('{"__proto__":{"a":1}}');
  });

  it('writes bigints as it is told, and lines for people', () => {
    expect(writeJson({a: [1n]}, {bigint: amount => `${String(amount)}n`})).to.equal('{"a":["1n"]}');
    expect(writeJson({a: 1n}, {space: 2})).to.equal('{\n  "a": "1"\n}');
  });

  it('writes plain data as JSON.stringify does', () => {
    const plain = {
      a: [undefined, NaN, Infinity, -0, 1e300, () => 1, '\u2028"\\\ud800', [[]], {}],
      b: false,
      c: null,
      d: () => 1,
      2: 'first',
    };
    expect(writeJson(plain)).to.equal(JSON.stringify(plain));
    for (const one of [null, true, 'x', 1, []]) expect(writeJson(one)).to.equal(JSON.stringify(one));
  });

  it('changes nothing in what it writes', () => {
    const list = [{a: 1n}];
    writeJson(list);
    expect(Object.getPrototypeOf(list)).to.equal(Array.prototype);
    expect(list).to.deep.equal([{a: 1n}]);
  });
});

describe('plain data', () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.bigInt(), fc.boolean(), fc.constant(null));
  const data = fc.letrec<{all: unknown}>(tie => ({
    all: fc.oneof(
      {depthSize: 'small'},
      leaf,
      fc.array(tie('all'), {maxLength: 4}),
      fc.dictionary(fc.string(), tie('all'), {maxKeys: 4}),
    ),
  })).all;

  it('is the same exactly where its JSON is, whatever the order of its fields', () => {
    fc.assert(
      fc.property(data, data, (one, other) => {
        // A bigint and its digits have the same JSON, but are not the same.
        const text = (value: unknown) => writeJson(value, {bigint: amount => `${String(amount)}n bigint`});
        expect(isSameData(one, structuredClone(one))).to.equal(true);
        if (typeof one !== 'object' || typeof other !== 'object')
          expect(isSameData(one, other)).to.equal(text(one) === text(other));
        expect(isSameData({one, other}, {other, one})).to.equal(true);
        expect(isSameData({one, other}, {one})).to.equal(false);
        expect(isSameData([one], [one, other])).to.equal(false);
        expect(isSameData({one}, {one, other: undefined})).to.equal(true);
      }),
    );
  });

  it('differs where anything in it does', () => {
    const story = {paid: {amount: 5n, hashes: ['0xa', '0xb']}, note: undefined};
    for (const other of [
      {...story, paid: {amount: 6n, hashes: ['0xa', '0xb']}},
      {...story, paid: {amount: 5n, hashes: ['0xb', '0xa']}},
      {...story, paid: {amount: 5n, hashes: {0: '0xa', 1: '0xb'}}},
      {...story, paid: null},
      {...story, note: 'gone'},
      {toString: story.paid},
    ]) {
      expect(isSameData(story, other)).to.equal(false);
      expect(isSameData(other, story)).to.equal(false);
    }
  });
});
