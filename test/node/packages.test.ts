/** The table of required packages in `src/README.md`: each is used, in the listed places. */
import {deepEqual, equal} from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';

const sources = readdirSync('src', {recursive: true, encoding: 'utf8'})
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => file.endsWith('.ts'))
  .map(file => [file, readFileSync(`src/${file}`, 'utf8')] as const);

/** The sources that import a package by its own name, for more than types. */
const importersOf = (name: string) =>
  sources
    .filter(([, text]) => new RegExp(`(?<!import type [^;]*)(?:from |import\\()'${name}(?:/[^']*)?'`).test(text))
    .map(([file]) => file);

const rows = [...readFileSync('src/README.md', 'utf8').matchAll(/^\| `([^`]+)` +\| (.+?) *\|$/gm)].map(
  ([, name = '', where = '']) => [name, [...where.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place)] as const,
);

const ASKED = 'lit nanostores ethers @web3modal/ethers @solana/wallet-adapter-base starknet sats-connect vite';

describe('The required packages', () => {
  it('are all in the table', () => {
    equal(rows.map(([name]) => name).join(' '), ASKED);
  });

  for (const [name, places] of rows) {
    it(`include ${name}, imported in each of its listed places, and by no other source`, () => {
      const importers = importersOf(name);
      const inSources = name === 'vite' ? [] : places;
      deepEqual(
        inSources.filter(place => !importers.some(file => file.startsWith(place))),
        [],
      );
      deepEqual(
        importers.filter(file => !inSources.some(place => file.startsWith(place))),
        [],
      );
    });
  }
});
