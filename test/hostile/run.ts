/** Runs the cases, several at once on one sandbox, and counts how they end. */
import fc from 'fast-check';
import {openNodeWorld, type NodeWorld} from '../support/node-session.js';
import {adapters} from '../../src/chains/families.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {sampleDeal as bitcoin} from '../support/bitcoin-deal.js';
import {sampleDeal as evm} from '../support/evm-deal.js';
import {sampleDeal as solana} from '../support/solana-deal.js';
import {sampleDeal as starknet} from '../support/starknet-deal.js';
import {CLAIMS} from './claims.js';
import {FAMILIES, judge, type Case, type Verdict} from './judge.js';
import {mutationsOf} from './mutations.js';
import {ATTACKS, BENIGN} from './payloads.js';
import {onceOnly} from './once.js';
import {unverified} from './unverified.js';

/** One line of the report. */
export interface Line {
  readonly name: string;
  /** The family whose chain's clock it moves, so that no other case of that family may run at the same time. */
  readonly alone?: ChainFamily;
  run(world: NodeWorld): Promise<{readonly isGood: boolean; readonly says: string}>;
}

/** A changed payload is harmless if nothing was signed, or everything ended as without the change. */
export function line(family: (typeof FAMILIES)[number], kind: string, test: Case): Line {
  return {
    name: `${family} · ${kind === 'mutation' ? '' : `${kind} · `}${test.name}${test.gain === undefined ? '' : ` (${test.gain})`}${test.rpc === false ? ' · no rpc' : ''}`,
    async run(world) {
      const {outcome, says}: Verdict = await judge(world, family, test);
      const isGood = test.gain === undefined ? outcome === 'same' : outcome !== 'harm';
      return {isGood, says: `${outcome}: ${says}`};
    },
  };
}

/** All handwritten cases. */
export function byHand(): Line[] {
  return FAMILIES.flatMap(family => [
    ...BENIGN[family].map(test => line(family, 'benign', test)),
    ...ATTACKS[family].map(test => line(family, 'attack', test)),
  ]);
}

/** Changes anywhere, drawn from a seed. */
export function mutated(seed: number, runs: number): Line[] {
  return FAMILIES.flatMap(family =>
    mutationsOf(family, seed + FAMILIES.indexOf(family), runs).map(test => {
      const {name, run} = line(family, 'mutation', {...test, name: test.name});
      return {
        name,
        run: async world => {
          const {isGood, says} = await run(world);
          return {isGood, says: `${says} · ${test.describe()}`};
        },
      };
    }),
  );
}

/** The service's false claims, each as a case. Those that move a chain's clock come last. */
export function claimed(): Line[] {
  return CLAIMS.map(({name, family, rpc, isAlone = false, run}) => ({
    name: `${family} · claim · ${name}${rpc ? '' : ' · no rpc'}`,
    ...(isAlone && {alone: family}),
    run: async world => ({isGood: true, says: await run(world)}),
  }));
}

/** The published samples, unpaid, checked without a chain: they pass. */
export function published(): Line[] {
  return FAMILIES.map(family => ({
    name: `${family} · benign · the published sample`,
    async run() {
      const deal = SAMPLES[family]();
      for (const leg of [deal.order.source, deal.order.destination]) {
        for (const deed of ['initiated', 'redeemed', 'refunded']) Reflect.deleteProperty(leg, deed);
        leg.secret = '';
      }
      const {outcome, results} = await (await adapters[family]()).check(deal, {});
      return {isGood: outcome === 'passed', says: results.map(({name, outcome}) => `${name} ${outcome}`).join(', ')};
    },
  }));
}

const SAMPLES = {bitcoin, evm, solana, starknet};

/** A few cases of each kind on each family, drawn from a seed. */
export function shortForm(seed: number): {
  readonly together: readonly Line[];
  readonly alone: readonly (readonly (readonly Line[])[])[];
} {
  const draw = (lines: readonly Line[], count: number) =>
    fc.sample(fc.shuffledSubarray([...lines], {minLength: count, maxLength: count}), {seed, numRuns: 1})[0] ?? [];
  const ofFamily = FAMILIES.flatMap(family => [
    ...draw(
      BENIGN[family].map(test => line(family, 'benign', test)),
      2,
    ),
    ...draw(
      ATTACKS[family].map(test => line(family, 'attack', test)),
      6,
    ),
  ]);
  const claims = claimed().filter(({name}) => IN_SHORT.has(name));
  const lies = unverified().filter(({name}) => !name.includes('the truth'));
  return {
    together: [
      ...published(),
      ...ofFamily,
      ...mutated(seed, 4),
      ...draw(lies, 12),
      ...claims.filter(({alone}) => !alone),
    ],
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
  'solana · claim · a new order gets the id of an earlier one that is paid',
  'bitcoin · claim · an order shows the address of an earlier one whose secret is public',
  'bitcoin · claim · complete, before the displayed address was paid · no rpc',
  'bitcoin · claim · half of the amount by a nonexistent transaction, before anybody paid',
  'bitcoin · claim · half of a full payment arrived',
  'bitcoin · claim · a payment left the chain again',
  'evm · claim · a payment is never reported · no rpc',
  'bitcoin · claim · other recipient after the payment',
  'evm · claim · other amount after the payment',
  'solana · claim · other fees after the payment',
  'evm · claim · Retry-After of 1000000000000 seconds',
  'evm · claim · a thief’s redeemer and secret in all responses, if the partner set the redeemers',
  'evm · claim · nothing: the service is gone, and the page is reloaded',
  'evm · claim · typed data of another generation of contracts, paid by transaction',
  'solana · claim · complete, reported after a payment and after the timelock',
  'solana · claim · hashes of a megabyte',
  'starknet · claim · another deposit’s id',
  'starknet · claim · nothing was paid, reported after a payment and after the timelock',
  'solana · claim · others’ real transactions, as anything',
  'solana · claim · an end, reported once while any one read fails',
  'evm · claim · complete, reported when nothing can be read any more, and withdrawn',
  'evm · claim · a signature is rejected and kept, and a payment reported once',
  'evm · claim · two tabs that read at different times',
]);

export interface HostileOptions {
  readonly seed: number;
  readonly runs: number;
  readonly atOnce: number;
  readonly words: readonly string[];
  readonly tell: (line: string) => void;
}

export async function runHostile({seed, runs, atOnce, words, tell}: HostileOptions): Promise<{failed: number}> {
  tell(`seed ${String(seed)}`);
  const lines = [
    ...published(),
    ...byHand(),
    ...unverified(),
    ...onceOnly(),
    ...mutated(seed, runs),
    ...claimed(),
  ].filter(({name}) => words.every(word => name.includes(word)));
  const world = await openNodeWorld();
  const {failed, passed} = await runLines(world, lines, atOnce, tell);
  await world.close();
  tell(`\n${String(passed)} passed, ${String(failed)} failed`);
  return {failed};
}

export async function runLines(
  world: NodeWorld,
  lines: readonly Line[],
  atOnce: number,
  tell: (line: string) => void,
): Promise<{passed: number; failed: number}> {
  const totals = {passed: 0, failed: 0};
  const work = async (queue: Line[]) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const started = Date.now();
      const {isGood, says} = await next
        .run(world)
        .catch((error: unknown) => ({isGood: false, says: error instanceof Error ? error.message : String(error)}));
      totals[isGood ? 'passed' : 'failed']++;
      tell(`${isGood ? '✓' : '✗'} ${next.name} → ${says} (${String(Date.now() - started)} ms)`);
    }
  };
  const together = lines.filter(({alone}) => !alone);
  await Promise.all(Array.from({length: atOnce}, () => work(together)));
  for (const families of IN_TURN) {
    await Promise.all(families.map(family => work(lines.filter(({alone}) => alone === family))));
  }
  return totals;
}
