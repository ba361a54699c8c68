/**
 * `npm run test:cairo`: the sandbox's swap contract in TypeScript compared with the one in Cairo.
 *
 * Sequences of calls are drawn from a seed: deposits of all three kinds, secrets, refunds, allowances, each also
 * invalid in every possible way, down to malformed calldata. Both `play.cairo` and this file draw and play them, and
 * hash every return value, panic and event, and finally all balances and orders, into one number each. A sequence
 * passes if the numbers are equal; order ids, typed data and signatures are part of it.
 *
 * The compiler and the Cairo machine run as WebAssembly, which has 4 GB and never releases memory. So a separate
 * process compiles and plays a few sequences at a time; each takes a minute or two.
 *
 * `--seed 7` draws others, `--sequences 10` more, `--only 3 --calls 12` plays the beginning of one of them.
 */
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {getStarkKey} from '@scure/starknet';
import {CLASSES, account, htlc, initiateHash, orderId, token} from '../demo/sandbox/chains/starknet/contracts.js';
import {
  PRIME,
  contractAddress,
  hex,
  poseidon,
  selectorOf,
  shortText,
  sign,
  starknetKeccak,
  toWords,
} from '../demo/sandbox/chains/starknet/felts.js';
import {Machine, NotFound, Panic} from '../demo/sandbox/chains/starknet/machine.js';
import {Draft, State} from '../demo/sandbox/chains/starknet/state.js';
import {fetchTools} from './tools/with.js';

const {values: options} = parseArgs({
  options: {
    seed: {type: 'string', default: '1'},
    sequences: {type: 'string', default: '6'},
    calls: {type: 'string', default: '45'},
    /** The numbers of the sequences to play in this process. */
    only: {type: 'string'},
  },
});
/** This many sequences of 45 calls fit into the memory. */
const AT_ONCE = 2;
const seed = BigInt(options.seed);
const calls = Number(options.calls);

const SOURCES = new URL('../demo/sandbox/contracts/starknet/', import.meta.url);
const sourceOf = (file: string) => readFileSync(new URL(file, SOURCES), 'utf8').replace(/^\/\/!.*$/gm, '');
const sources = {htlc: sourceOf('htlc.cairo'), parties: sourceOf('parties.cairo'), play: sourceOf('play.cairo')};

/** In a Cairo test, a contract's class hash is the hash of its text. */
function classHashOf(source: string, name: string): bigint {
  const [text] = new RegExp(`#\\[starknet::contract\\]\\npub mod ${name} \\{.*?\\n\\}(?=\\n)`, 's').exec(source) ?? [];
  if (text === undefined) throw new Error(`there is no contract ${name}`);
  return starknetKeccak(text);
}

const CHAIN_ID = shortText('SN_SEPOLIA');
const MAKER = shortText('MAKER');
const KEYS = ['0x1f7a3', '0x2b90c'];
const PUBLIC_KEYS = KEYS.map(key => BigInt(getStarkKey(key)));
/** Two deployed accounts, and two undeployed ones. */
const PEOPLE = [
  ...PUBLIC_KEYS.map((key, salt) => contractAddress(BigInt(salt), classHashOf(sources.parties, 'Account'), [key])),
  shortText('PAYER'),
  shortText('REDEEMER'),
] as const;
const person = (place: number) => PEOPLE[place] ?? 0n;
const TOKEN = contractAddress(0n, classHashOf(sources.parties, 'Token'), [MAKER]);
const HTLC = contractAddress(0n, classHashOf(sources.htlc, 'Htlc'), [TOKEN]);

const SECRETS = ['first', 'second'].map(name => createHash('sha256').update(name).digest('hex'));
const HASHES = SECRETS.map(secret => toWords(createHash('sha256').update(secret, 'hex').digest('hex')));
const IDS = PEOPLE.flatMap(owner => HASHES.map(secretHash => orderId(CHAIN_ID, secretHash, owner)));
const SIGNATURES = Array.from({length: 8}, (_, which) => {
  const amount = which < 4 ? 100n : 350n;
  const deposit = {redeemer: person(3), timelock: 3n, amount, secret_hash: HASHES[(which >> 1) % 2] ?? []};
  return sign(initiateHash(CHAIN_ID, person(which % 2), deposit), KEYS[which % 2] ?? '');
});
const MAX_U128 = 2n ** 128n - 1n;

class Word {
  constructor(private rest: bigint) {}

  take(count: number): number {
    const taken = this.rest % BigInt(count);
    this.rest /= BigInt(count);
    return Number(taken);
  }

  terms(): {terms: bigint[]; secret: number} {
    const choice = this.take(20);
    const redeemer = [0n, 1n, 2n ** 251n - 1n][choice - 17] ?? person(choice % 4);
    const timelock = this.take(24);
    const lasts = [0n, MAX_U128][timelock - 22] ?? BigInt(1 + (timelock % 3));
    const amount = this.take(this.take(10) === 0 ? 3_000 : 200);
    const secret = this.take(2);
    return {terms: [redeemer, lasts, BigInt(amount), 0n, ...(HASHES[secret] ?? [])], secret};
  }

  signed(): {calldata: bigint[]; place: number} {
    const which = this.take(8);
    const [r, s] = SIGNATURES[which] ?? [0n, 0n];
    const by = this.take(8);
    const initiator = by === 0 ? 2 : by === 1 ? 1 - (which % 2) : which % 2;
    const amount = (which < 4 ? 100n : 350n) + (this.take(8) === 0 ? 1n : 0n);
    const wrong = [[r], [], [r, s, 0n], [s, r], [0n, s], [r, 0n], [(r + 1n) % PRIME, s]];
    const signature = wrong[this.take(12)] ?? [r, s];
    const secret = (which >> 1) % 2;
    const deposit = [person(initiator), person(3), 3n, amount, 0n, ...(HASHES[secret] ?? [])];
    return {calldata: [...deposit, BigInt(signature.length), ...signature], place: initiator * 2 + secret};
  }

  /** The order of the last deposit, or any. */
  id(last: number): {place: number; id: bigint} {
    const place = this.take(4) === 0 ? this.take(8) : last;
    return {place, id: this.take(16) === 0 ? 5n : (IDS[place] ?? 0n)};
  }

  redeem(last: number): bigint[] {
    const {place, id} = this.id(last);
    const other = this.take(8) === 0 ? 1 : 0;
    const secret = toWords(SECRETS[(place + other) % 2] ?? '');
    const wrong = [secret.slice(1), [...secret, 0n], secret.with(0, 1n), []];
    const shown = wrong[this.take(16)] ?? secret;
    return [id, BigInt(shown.length), ...shown];
  }

  /** Occasionally breaks calldata as no compiler would: too short, too long, a number out of range. */
  spoil(calldata: bigint[]): bigint[] {
    const how = this.take(60);
    if (how > 5) return calldata;
    const place = this.take(calldata.length);
    if (how === 0) return calldata.slice(0, place);
    if (how === 1) return [...calldata, 0n];
    return calldata.with(place, [2n ** 32n, 2n ** 128n, 2n ** 251n, PRIME - 1n][how - 2] ?? 0n);
  }
}

const tally = {carriedOut: 0, events: 0, refused: new Map<string, number>()};

/** Plays a sequence on the contracts in TypeScript, as `play.cairo` does on those in Cairo. */
function play(sequence: number): bigint {
  const draft = new Draft(new State(), 0);
  let block = 1;
  const machine = () => new Machine(draft, {classes: CLASSES, chainId: CHAIN_ID, block: {number: block, timestamp: 0}});
  machine().deploy(token, TOKEN, [shortText('Wrapped Bitcoin'), shortText('WBTC'), 8n, MAKER]);
  machine().deploy(htlc, HTLC, [TOKEN]);
  PUBLIC_KEYS.forEach((key, place) => machine().deploy(account, person(place), [key]));

  let all = 0n;
  function run(caller: bigint, to: bigint, name: string, calldata: bigint[]): void {
    const felts = [all];
    const running = machine();
    try {
      const answer = draft.attempt(() => running.call({to, selector: selectorOf(name), calldata}, caller));
      felts.push(0n, BigInt(answer.length), ...answer);
      tally.carriedOut++;
      for (const {keys, data} of running.events.filter(({from}) => from === HTLC)) {
        felts.push(BigInt(keys.length), ...keys, BigInt(data.length), ...data);
        tally.events++;
      }
    } catch (error) {
      const panic = panicOf(error);
      felts.push(1n, BigInt(panic.length), ...panic.map(shortText));
      const [reason = ''] = panic;
      tally.refused.set(reason, (tally.refused.get(reason) ?? 0) + 1);
    }
    all = poseidon(felts);
  }

  for (const one of PEOPLE) {
    run(MAKER, TOKEN, 'mint', [one, 1_000n, 0n]);
    run(one, TOKEN, 'approve', [HTLC, 900n, 0n]);
  }
  let last = 0;
  for (let step = 0; step < calls; step++) {
    const word = new Word(poseidon([seed, sequence, step]));
    const deed = word.take(16);
    const place = word.take(4);
    const caller = person(place);
    if (deed < 3) {
      block += 1 + word.take(2);
    } else if (deed < 4) {
      const spender = word.take(8) === 0 ? 0n : HTLC;
      const limitless = word.take(4) === 0;
      const amount = BigInt(word.take(800));
      const calldata = limitless ? [spender, MAX_U128, MAX_U128] : [spender, amount, 0n];
      run(caller, TOKEN, 'approve', word.spoil(calldata));
    } else if (deed < 5) {
      const to = [...PEOPLE, HTLC, 0n][word.take(6)] ?? 0n;
      run(caller, TOKEN, 'transfer', word.spoil([to, BigInt(word.take(400)), 0n]));
    } else if (deed < 7) {
      const {terms, secret} = word.terms();
      last = place * 2 + secret;
      run(caller, HTLC, 'initiate', word.spoil(terms));
    } else if (deed < 8) {
      const choice = word.take(8);
      const {terms, secret} = word.terms();
      if (choice !== 7) last = (choice % 4) * 2 + secret;
      const initiator = choice === 7 ? 0n : person(choice % 4);
      run(caller, HTLC, 'initiate_on_behalf', word.spoil([initiator, ...terms]));
    } else if (deed < 10) {
      const signed = word.signed();
      last = signed.place;
      run(caller, HTLC, 'initiate_with_signature', word.spoil(signed.calldata));
    } else if (deed < 12) {
      run(caller, HTLC, 'redeem', word.spoil(word.redeem(last)));
    } else if (deed < 15) {
      run(caller, HTLC, 'refund', word.spoil([word.id(last).id]));
    } else if (word.take(2) === 0) {
      run(caller, HTLC, 'get_order', [word.id(last).id]);
    } else {
      run(caller, HTLC, 'instant_refund', []);
    }
  }

  const read = (to: bigint, name: string, calldata: bigint[]) =>
    machine().call({to, selector: selectorOf(name), calldata});
  const state = [
    ...PEOPLE.flatMap(one => [...read(TOKEN, 'balance_of', [one]), ...read(TOKEN, 'allowance', [one, HTLC])]),
    ...read(TOKEN, 'balance_of', [HTLC]),
    ...IDS.flatMap(id => read(HTLC, 'get_order', [id])),
  ];
  return poseidon([all, poseidon(state)]);
}

/** What an outside caller gets: the reason, and a mark for each call that the panic passed through. */
function panicOf(error: unknown): string[] {
  if (error instanceof NotFound) return ['ENTRYPOINT_NOT_FOUND'];
  if (error instanceof Panic) return [error.reason, ...error.calls.map(() => 'ENTRYPOINT_FAILED')];
  throw error;
}

function program(ends: readonly {sequence: number; end: bigint}[]): string {
  const list = (felts: readonly bigint[]) => felts.map(hex).join(', ');
  const names: Record<string, string> = {
    TOKEN: hex(TOKEN),
    HTLC: hex(HTLC),
    MAKER: hex(MAKER),
    CHAIN_ID: hex(CHAIN_ID),
    PEOPLE: list(PEOPLE),
    PUBLIC_KEYS: list(PUBLIC_KEYS),
    IDS: list(IDS),
    SECRETS: list(SECRETS.flatMap(toWords)),
    HASHES: list(HASHES.flat()),
    SIGNATURES: list(SIGNATURES.flat()),
  };
  const filled = sources.play.replace(/\{\{(\w+)\}\}/g, (_, name: string) => names[name] ?? name);
  const tests = ends.map(
    ({sequence, end}) => `
    #[test]
    #[available_gas(4000000000)]
    fn sequence_${sequence}() {
        assert(play(${hex(seed)}, ${sequence}, ${calls}) == ${hex(end)}, 'another end');
    }`,
  );
  return `
mod htlc {
${sources.htlc}
}
mod parties {
${sources.parties}
}
#[cfg(test)]
mod tests {
${filled}
${tests.join('\n')}
}
`;
}

interface Cairo {
  initSync(of: {module: BufferSource}): void;
  runTests(...settings: (string | boolean)[]): string;
}

/** Plays sequences on both versions in this process; returns whether all results are equal. */
async function compare(chosen: readonly number[]): Promise<boolean> {
  const ends = chosen.map(sequence => ({sequence, end: play(sequence)}));
  const refused = [...tally.refused.values()].reduce((sum, one) => sum + one, 0);
  const started = performance.now();
  const folder = pathToFileURL(join(await fetchTools('contracts'), 'wasm-cairo/'));
  const {initSync, runTests} = (await import(new URL('wasm-cairo.js', folder).href)) as Cairo;
  initSync({module: readFileSync(new URL('wasm-cairo_bg.wasm', folder))});
  let said: string;
  try {
    said = runTests(program(ends), true, '', false, false, true, '', false, false);
  } catch (error) {
    said = String(error);
  }
  const [, passed, failed] = /(\d+) passed; (\d+) failed/.exec(said) ?? [];
  const good = Number(passed) === ends.length && failed === '0';
  console.log(
    `sequences ${chosen.join(', ')} of seed ${seed}  ${good ? 'ok' : `failed: ${said.trim()}`}  ` +
      `${tally.carriedOut} calls carried out, ${tally.events} events, ` +
      `${refused} refused for ${tally.refused.size} reasons, ${Math.round((performance.now() - started) / 1_000)} s`,
  );
  return good;
}

/** Plays all sequences, a few per process; returns how many processes failed. */
function compareAll(count: number): number {
  let failed = 0;
  for (let first = 0; first < count; first += AT_ONCE) {
    const chosen = Array.from({length: Math.min(AT_ONCE, count - first)}, (_, place) => first + place);
    const args = ['--seed', options.seed, '--calls', options.calls, '--only', chosen.join(',')];
    const {status} = spawnSync(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), ...args], {
      stdio: 'inherit',
    });
    if (status !== 0) failed++;
  }
  return failed;
}

if (options.only === undefined) {
  const count = Number(options.sequences);
  const failed = compareAll(count);
  console.log(failed ? `${failed} failed` : `${count} sequences of ${calls} calls: the same in both`);
  process.exitCode = failed ? 1 : 0;
} else {
  process.exitCode = (await compare(options.only.split(',').map(Number))) ? 0 : 1;
}
