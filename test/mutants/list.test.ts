import {readFileSync} from 'node:fs';
import {parseSync} from 'vite';
import {expect} from '../support/expect.js';
import {MUTANTS, timesOf} from './list.js';

describe('The list of small defects', () => {
  it('has of each a text that stands once in its file, and another one instead', () => {
    const all = Object.entries(MUTANTS).flatMap(([file, mutants]) => mutants.map(mutant => ({file, mutant})));
    const wrong = all.filter(({file, mutant: [was, is]}) => timesOf(was, file) !== 1 || was === is);
    expect(wrong.map(({file, mutant: [was]}) => `${file}: ${was}`)).to.deep.equal([]);
  });

  it('leaves what can be compiled', () => {
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

  it('has each once', () => {
    for (const [file, mutants] of Object.entries(MUTANTS)) {
      const texts = mutants.map(([was, is]) => `${was} → ${is}`);
      expect([...new Set(texts)], file).to.deep.equal(texts);
    }
  });
});
