/** Which tests `npm test` runs, and which `npm run test:all`. */

/** The built package, programs, chains: each file is independent. */
export const OF_PROGRAMS = 'test/node/';

/**
 * The size of each test, by its file or folder, of which the longest path decides. The tests of `npm test` are every
 * fact about money, the form, the service's answers and the package; the rest needs no other browser or download.
 */
export const SIZES: Readonly<Record<Size, readonly string[]>> = {
  test: [
    ...['api', 'chains', 'domain', 'elements', 'mutants', 'server', 'session', 'wallets'].map(
      folder => `test/${folder}/`,
    ),
    'test/journeys/each-family.test.ts',
    ...['bitcoin-htlc', 'bitcoin-node-results', 'bundle', 'core', 'package', 'packages'].map(ofNode),
    ...['server', 'testing', 'try-it', 'words'].map(ofNode),
  ],
  rest: [
    ...['demo', 'journeys', 'matrix', 'node', 'sandbox'].map(folder => `test/${folder}/`),
    ...['bitcoin', 'evm', 'solana', 'token-htlc'].map(name => `test/chains/${name}-chain.test.ts`),
    'test/elements/states-all.test.ts',
    'test/wallets/evm-walletconnect.test.ts',
  ],
};
type Size = 'test' | 'rest';

function ofNode(name: string): string {
  return `${OF_PROGRAMS}${name}.test.ts`;
}

export function sizesOf(file: string): Size[] {
  const found = Object.entries(SIZES).flatMap(([size, paths]) =>
    paths.filter(path => file.startsWith(path)).map(path => ({size: size as Size, length: path.length})),
  );
  const longest = Math.max(...found.map(({length}) => length));
  return found.filter(({length}) => length === longest).map(({size}) => size);
}
