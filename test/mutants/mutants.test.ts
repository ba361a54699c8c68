import {readFileSync} from 'node:fs';
import {parseSync} from 'vite';
import {expect} from '../support/expect.js';
import {EQUIVALENT, keyOf} from './equivalent.js';
import {moneyFiles} from './files.js';
import {mutantsOf, withHits, withMutant} from './generate.js';

/** What becomes of one line of code. */
const MADE: readonly (readonly [code: string, ...results: string[]])[] = [
  ['x = a < b;', 'x = ((a) <= (b));'],
  ['x = a >= b;', 'x = ((a) > (b));'],
  ['x = a === b;', 'x = ((a) !== (b));'],
  ["x = a === 'b';", "x = a === '';"],
  ['x = a || b && c;', 'x = ((a) && (b && c));', 'x = a || ((b) || (c));'],
  ['x = !a;', 'x = (a);'],
  ['x = a ?? b;', 'x = (a);'],
  ['x = a + b * c;', 'x = ((a) - (b * c));', 'x = a + ((b) / (c));'],
  ["x = a + 'b' + c;"],
  ['x -= a;', 'x += a;'],
  ['x++;', 'x--;'],
  ['x = -a;', 'x = (a);'],
  ['x = 5n;', 'x = 6n;', 'x = 4n;'],
  ['x = 0;', 'x = 1;'],
  ['x = 60_000;', 'x = 120000;', 'x = 30000;'],
  ['if (a === b) c = d;', 'if ((true)) c = d;', 'if ((false)) c = d;'],
  ['x = a ? b : c;', 'x = (true) ? b : c;', 'x = (false) ? b : c;'],
  ['while (a) b = c;', 'while ((false)) b = c;'],
  ['x = a.some(b);', 'x = a.every(b);', 'x = a.some(() => true);', 'x = a.some(() => false);'],
  ['x = a.filter(b => b.c);', 'x = a.filter(b => (true));', 'x = a.filter(b => (false));'],
  ['x = Math.min(a, b);', 'x = Math.max(a, b);'],
  ['x = {...(a && {b})};', 'x = {...{}};'],
  ['x = {...a};'],
  ['a.b();', ';'],
  ['await a();', ';'],
  ['if (a) b();', 'if ((true)) b();', 'if ((false)) b();'],
  ["switch (a) { case 'b': c = d; }", "switch (a) { case '': c = d; }"],
  ['function f() { return; a = b; }', 'function f() { ; a = b; }'],
  ['function f() { a = b; return undefined; }'],
  ['function f() { try { a = b; } catch { return undefined; } }'],
  [
    'x = /^a[+]{2,5}\\+b+$/;',
    'x = /a[+]{2,5}\\+b+$/;',
    'x = /^a[+]{1,5}\\+b+$/;',
    'x = /^a[+]{2,6}\\+b+$/;',
    'x = /^a[+]{2,5}\\+b*$/;',
    'x = /^a[+]{2,5}\\+b+/;',
  ],
];

describe('A small defect', () => {
  for (const [code, ...results] of MADE) {
    it(`of \`${code}\` is ${results.length ? results.map(one => `\`${one}\``).join(', ') : 'none'}`, () => {
      expect(mutantsOf('a.ts', code).map(one => withMutant(code, one))).to.deep.equal(results);
    });
  }

  it('is none in a type, a comment, an import or what people read', () => {
    for (const code of [
      'interface A { b: 1 | 2; c(d: 3): 4 }',
      'type A = B<1> extends 2 ? 3 : 4;',
      'const a = b as unknown as 5n;',
      '/** a < 1 */ // b > 2',
      "import {a} from 'b1';",
      'throw new TypeError(a ? `b` : `c`);',
      "throw new SwapError('a', {detail: `${a ?? b} of 5`});",
      'console.log(a > 5);',
    ])
      expect(mutantsOf('a.ts', code), code).to.deep.equal([]);
  });

  it('is named by the function or constant around it', () => {
    const named = (code: string) => mutantsOf('a.ts', code).map(({within}) => within);
    expect(named('function f() { const a = 0; }')).to.deep.equal(['f']);
    expect(named('const f = () => { const a = b => 0; }')).to.deep.equal(['a']);
    expect(named('const A = {b: [0], c() { return 0; }}; x = 0;')).to.deep.equal(['A', 'c', '']);
  });

  it('leaves its file valid, and each of its places can be noticed', () => {
    for (const file of moneyFiles()) {
      const source = readFileSync(file, 'utf8');
      const mutants = mutantsOf(file);
      const numbered = mutants.map((one, number) => [number, one] as const);
      const noticing = withHits(source, numbered, 'hit');
      const noticed = [...noticing.matchAll(/\bhit\(([\d,]+)\)/g)].flatMap(([, numbers = '']) => numbers.split(','));
      expect(new Set(noticed).size, file).to.equal(mutants.length);
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
