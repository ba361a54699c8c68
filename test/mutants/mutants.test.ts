import {readFileSync} from 'node:fs';
import {parseSync} from 'vite';
import {expect} from '../support/expect.js';
import {EQUIVALENT, keyOf} from './equivalent.js';
import {moneyFiles} from './files.js';
import {mutantsOf, withHits, withMutant} from './generate.js';

describe('A small defect', () => {
  it('leaves its file valid, and each of its places can be noticed', () => {
    for (const file of moneyFiles()) {
      const source = readFileSync(file, 'utf8');
      const mutants = mutantsOf(file);
      const numbered = mutants.map((one, number) => [number, one] as const);
      const noticing = withHits(source, numbered, 'hit');
      const noticed = [...noticing.matchAll(/\bhit\(([\d,]+)\)/g)].flatMap(([, numbers = '']) => numbers.split(','));
      expect(new Set(noticed).size, file).to.equal(mutants.length);
      // Around it, a compiler no longer sees that it has to come first.
      expect(/\bhit\([\d,]+\)[;,] ?super\(/.test(noticing), file).to.be.false;
      // The first of each kind in each file: parsing all of them would take half a minute.
      const kinds = [...new Map(mutants.map(one => [one.operator, one])).values()];
      for (const text of [noticing, ...kinds.map(one => withMutant(source, one))])
        expect(parseSync(file, text).errors, file).to.deep.equal([]);
    }
  });

  it('that nothing can detect is in the sources, and has its reason', () => {
    const all = new Set(moneyFiles().flatMap(file => mutantsOf(file).map(keyOf)));
    expect(EQUIVALENT.filter(one => !all.has(keyOf(one)))).to.deep.equal([]);
    expect(EQUIVALENT.filter(({why}) => why.length < 20)).to.deep.equal([]);
    expect(new Set(EQUIVALENT.map(keyOf)).size).to.equal(EQUIVALENT.length);
  });
});
