/** Runs the cases, several at once on one sandbox, and counts how they end. */
import fc from 'fast-check';
import {inTurns} from '../support/limits.js';
import {openNodeWorld, type NodeWorld} from '../support/node-session.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {CLAIMS} from './claims.js';
import {FAMILIES, judge, type Case} from './judge.js';
import {mutationsOf} from './mutations.js';
import {ATTACKS, BENIGN} from './payloads.js';
import {onceOnly} from './once.js';
import {unverified} from './unverified.js';

/** One line of the report. */
export interface Line {
  readonly name: string;
  /** The family whose chain's clock it moves, so that no other case of that family may run at the same time. */
  readonly alone?: ChainFamily;
  readonly run: (world: NodeWorld) => Promise<{readonly isGood: boolean; readonly says: string}>;
}

/** A changed payload is harmless if nothing was signed, or everything ended as without the change. */
function line(family: (typeof FAMILIES)[number], kind: string, test: Case, describe?: () => string): Line {
  const {name, gain} = test;
  return {
    name: `${family} · ${kind}${name}${gain === undefined ? '' : ` (${gain})`}`,
    async run(world) {
      const {outcome, says} = await judge(world, family, test);
      const isGood = gain === undefined ? outcome === 'same' : outcome !== 'harm';
      return {isGood, says: `${outcome}: ${says}${describe ? ` · ${describe()}` : ''}`};
    },
  };
}

const benignOf = (family: (typeof FAMILIES)[number]) => BENIGN[family].map(test => line(family, 'benign · ', test));
const attacksOn = (family: (typeof FAMILIES)[number]) => ATTACKS[family].map(test => line(family, 'attack · ', test));

/** Changes anywhere, drawn from a seed. */
function mutated(seed: number, runs: number): Line[] {
  const ofTokens = mutationsOf('solana', seed + FAMILIES.length, runs);
  return [
    ...FAMILIES.flatMap(family =>
      mutationsOf(family, seed + FAMILIES.indexOf(family), runs).map(test => line(family, '', test, test.describe)),
    ),
    ...ofTokens.map(test => line('solana', 'token · ', {...test, pair: OF_TOKEN}, test.describe)),
  ];
}

/** Tokens on Solana have a program of their own. */
const OF_TOKEN = {from: 'solana_testnet:usdc', to: 'base_sepolia:wbtc', amount: '100'} as const;
const ofToken = [...BENIGN.solana, ...ATTACKS.solana].map(test =>
  line('solana', 'token · ', {...test, pair: OF_TOKEN}),
);

/** The service's false claims, each as a case. Those that move a chain's clock come last. */
function claimed(): Line[] {
  return CLAIMS.map(({name, family, rpc, isAlone = false, run}) => ({
    name: `${family} · claim · ${name}${rpc ? '' : ' · no rpc'}`,
    ...(isAlone && {alone: family}),
    run: async world => ({isGood: true, says: await run(world)}),
  }));
}

/** A few cases of each kind on each family, drawn from a seed. */
export function shortForm(seed: number): {
  readonly together: readonly Line[];
  readonly alone: readonly (readonly (readonly Line[])[])[];
} {
  const draw = (lines: readonly Line[], count: number) =>
    fc.sample(fc.shuffledSubarray([...lines], {minLength: count, maxLength: count}), {seed, numRuns: 1})[0] ?? [];
  const ofFamily = FAMILIES.flatMap(family => [...draw(benignOf(family), 2), ...draw(attacksOn(family), 6)]);
  const claims = claimed().filter(({name}) => IN_SHORT.has(name));
  const lies = unverified().filter(({name}) => !name.includes('the truth'));
  return {
    together: [...ofFamily, ...mutated(seed, 4), ...draw(lies, 12), ...claims.filter(({alone}) => !alone)],
    alone: IN_TURN.map(families => families.map(family => claims.filter(({alone}) => alone === family))),
  };
}

/**
 * Families whose claims do not affect each other. The other families' swaps pay out on the chain on which EVM swaps
 * start, and whose clock those move.
 */
const IN_TURN: readonly (readonly ChainFamily[])[] = [['bitcoin', 'solana', 'starknet'], ['evm']];

/** The claims of the short form. */
const IN_SHORT: ReadonlySet<string> = new Set([
  'evm · claim · a signature is rejected with a message, and still used',
  'solana · claim · complete, reported after a payment and after the timelock',
  'starknet · claim · another deposit’s id',
  'starknet · claim · nothing was paid, reported after a payment and after the timelock',
  'solana · claim · others’ real transactions, as anything',
  'solana · claim · an end, reported once while any one read fails',
  'evm · claim · two tabs that read at different times',
]);

/** All cases. */
export const allLines = (seed: number, runs: number): readonly Line[] => [
  ...FAMILIES.flatMap(family => [...benignOf(family), ...attacksOn(family)]),
  ...ofToken,
  ...unverified(),
  ...onceOnly(),
  ...mutated(seed, runs),
  ...claimed(),
];

/** Runs some of them, several at once; returns how many failed. */
export async function runLines(lines: readonly Line[], atOnce: number, tell: (line: string) => void): Promise<number> {
  const world = await openNodeWorld();
  const totals = {passed: 0, failed: 0};
  const work = async ({name, run}: Line) => {
    const started = Date.now();
    const {isGood, says} = await run(world).catch((error: unknown) => ({
      isGood: false,
      says: error instanceof Error ? error.message : String(error),
    }));
    totals[isGood ? 'passed' : 'failed']++;
    tell(`${isGood ? '✓' : '✗'} ${name} → ${says} (${String(Date.now() - started)} ms)`);
  };
  const only = (family?: ChainFamily) => lines.filter(({alone}) => alone === family);
  await inTurns(only(), atOnce, work);
  for (const families of IN_TURN) await Promise.all(families.map(family => inTurns(only(family), 1, work)));
  await world.close();
  tell(`\n${String(totals.passed)} passed, ${String(totals.failed)} failed`);
  return totals.failed;
}
