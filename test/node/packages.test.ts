/** The table of required packages in `src/README.md`: each is used, in the listed places. */
import {deepEqual, ok} from 'node:assert/strict';
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

const ASKED = [
  ...['lit', 'nanostores', 'ethers', '@web3modal/ethers', '@solana/wallet-adapter-base', 'starknet', 'sats-connect'],
  'vite',
];

describe('The required packages', () => {
  it('are all in the table', () => {
    deepEqual(
      rows.map(([name]) => name),
      ASKED,
    );
  });

  for (const [name, places] of rows.filter(([row]) => row !== 'vite')) {
    it(`include ${name}, imported in each of its listed places, and nowhere else`, () => {
      const importers = importersOf(name);
      for (const place of places)
        ok(
          importers.some(file => file.startsWith(place)),
          `not in ${place}`,
        );
      deepEqual(
        importers.filter(file => !places.some(place => file.startsWith(place))),
        [],
      );
    });
  }

  it('include vite, which builds the package and is imported by no source', () => {
    deepEqual(importersOf('vite'), []);
    ok(readFileSync('vite.config.ts', 'utf8').includes("from 'vite'"));
  });
});
