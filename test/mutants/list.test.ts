import {readFileSync} from 'node:fs';
import {parseSync} from 'vite';
import {expect} from '../support/expect.js';
import {MUTANTS, timesOf} from './list.js';

describe('The list of small defects', () => {
  it('has for each a text that occurs once in its file, and a different replacement', () => {
    const all = Object.entries(MUTANTS).flatMap(([file, mutants]) => mutants.map(mutant => ({file, mutant})));
    const wrong = all.filter(({file, mutant: [was, is]}) => timesOf(was, file) !== 1 || was === is);
    expect(wrong.map(({file, mutant: [was]}) => `${file}: ${was}`)).to.deep.equal([]);
  });

  it('leaves every file parsable', () => {
    const broken = Object.entries(MUTANTS).flatMap(([file, mutants]) => {
      const source = readFileSync(file, 'utf8');
      return mutants
        .filter(
          ([was, is]) =>
            parseSync(
              file,
              source.replace(was, () => is),
            ).errors.length,
        )
        .map(([was, is]) => `${file}: ${was} → ${is}`);
    });
    expect(broken).to.deep.equal([]);
  });

  it('has no duplicates', () => {
    for (const [file, mutants] of Object.entries(MUTANTS)) {
      const texts = mutants.map(([was, is]) => `${was} → ${is}`);
      expect([...new Set(texts)], file).to.deep.equal(texts);
    }
  });
});
