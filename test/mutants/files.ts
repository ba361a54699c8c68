/** Which files the mutants are made of: those that decide about money. */
import {readdirSync} from 'node:fs';
import {stepsTo} from '../support/changed.js';

/** Files that decide about nothing, or about nothing that a test in Node can reach. */
const LEFT_OUT: readonly (readonly [files: RegExp, why: string])[] = [
  [/^src\/domain\/(?:known\/.*|release-key)\.ts$/, 'Tables.'],
  [/^src\/chains\/evm\/public\.ts$/, 'Generated.'],
  [
    /^src\/chains\/(?:\w+\/wallets|evm\/(?:walletconnect|elsewhere)|solana\/versioned)\.ts$/,
    'What wallets announce to a page: its facts are in test/wallets and run in a browser.',
  ],
];

export function moneyFiles(): readonly string[] {
  const files = ['domain', 'api', 'chains', 'session', 'server'].flatMap(folder =>
    readdirSync(`src/${folder}`, {recursive: true, encoding: 'utf8'}).map(file => `src/${folder}/${file}`),
  );
  return files
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => /(?<!\.d)\.ts$/.test(file) && !LEFT_OUT.some(([left]) => left.test(file)))
    .sort();
}

const TESTS = readdirSync('test', {recursive: true, encoding: 'utf8'})
  .map(file => `test/${file.replaceAll('\\', '/')}`)
  .filter(file => /^test\/(?:domain|api|session|chains|server|node|sandbox)\/.*\.test\.ts$/.test(file));

/**
 * The tests that may find a defect in a file, of those that import it, directly or not: first those of its own room,
 * then those that cost more.
 */
export function testsFor(file: string): readonly (readonly string[])[] {
  const steps = stepsTo([file]);
  const [, room = ''] = file.split('/');
  const able = TESTS.filter(test => steps.has(test));
  // A sandbox's chain takes a while to start.
  const isPure = (test: string) => !test.endsWith('-chain.test.ts') && !/^test\/(?:node|sandbox)\//.test(test);
  const isOwn = (test: string) => test.startsWith(`test/${room}/`);
  if (room.endsWith('.ts')) return [able.filter(test => steps.get(test)! <= 2)];
  const others = (test: string) => (room === 'domain' ? isPure(test) : room === 'chains' && isOwn(test));
  return [
    able.filter(test => isOwn(test) && isPure(test)),
    able.filter(test => !(isOwn(test) && isPure(test)) && others(test)),
  ];
}
