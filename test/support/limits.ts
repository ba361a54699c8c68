/**
 * How long tests may take. Time is no verdict: a limit only ends what would never end, and is longer where the machine
 * is slower.
 */

/** How long a fixed piece of work takes on a quiet machine, in milliseconds. */
const QUIET_MS = 180;

/**
 * How many times slower this machine is now than a quiet one; never below 1. The first process measures it, and tells
 * those that it starts; pages get it from the test runner.
 */
export const SLOWNESS = given() ?? measured();

/** A limit on a quiet machine, in milliseconds, as it is on this one. */
export function scaled(milliseconds: number): number {
  return Math.round(milliseconds * SLOWNESS);
}

/** The limit of a test that sets none of its own, and of loading a file. */
export const TEST_MS = scaled(60_000);

/**
 * Whether a condition holds within a time, in milliseconds of a quiet machine. Cheap conditions are checked often; one
 * that reads a whole page takes a sixth of the time at most.
 */
export async function holds(isSo: () => unknown, milliseconds: number): Promise<boolean> {
  const end = performance.now() + scaled(milliseconds);
  for (;;) {
    const begin = performance.now();
    if (await isSo()) return true;
    const now = performance.now();
    if (now > end) return false;
    await new Promise(resolve => setTimeout(resolve, Math.max(10, 5 * (now - begin))));
  }
}

export async function waitUntil(isSo: () => unknown, what = 'it never was so', milliseconds = 15_000): Promise<void> {
  if (!(await holds(isSo, milliseconds))) throw new Error(`Timeout: ${what}`);
}

/** Takes work from a queue, several at once, until it is empty. */
export async function inTurns<T>(queue: T[], atOnce: number, work: (next: T) => Promise<unknown>): Promise<void> {
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({length: atOnce}, worker));
}

function given(): number | undefined {
  const {SLOWNESS, process} = globalThis as {SLOWNESS?: number; process?: NodeJS.Process};
  const told = SLOWNESS ?? process?.env['SLOWNESS'];
  return told === undefined ? undefined : Number(told);
}

function measured(): number {
  const began = performance.now();
  Float64Array.from({length: 1_000_000}, (_, at) => Math.imul(at, 0x9e3779b1)).sort();
  const slowness = Math.max(1, (performance.now() - began) / QUIET_MS);
  process.env['SLOWNESS'] = String(slowness);
  return slowness;
}

export interface Runner {
  on(event: 'hook' | 'test', begins: (now: Running) => void): unknown;
}

interface Running {
  readonly title: string;
  readonly file?: string | undefined;
  fullTitle(): string;
  timeout(): number;
}

/** What is running, and its limit in milliseconds. A page has one file, which is not named. */
export interface Step {
  readonly file?: string | undefined;
  readonly name: string;
  readonly limit: number;
}

/** Tells of each test as it begins, and of what runs before or after all tests of a suite. */
export function tellSteps(runner: Runner, tell: (step: Step) => void): void {
  const begins = (now: Running) => tell({file: now.file, name: now.fullTitle().trim(), limit: now.timeout()});
  runner.on('test', begins);
  // Those before and after each test belong to it.
  runner.on('hook', hook => !hook.title.includes(' each"') && begins(hook));
}

/**
 * Watches a test file from outside. Tests end themselves when their time is up; one that cannot, such as an endless
 * loop, is ended from here, and named.
 */
export class Watch {
  readonly #end: (why: string, file: string | undefined) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(end: (why: string, file: string | undefined) => void) {
    this.#end = end;
    // What a file does before its first test.
    this.begins({name: 'loading', limit: TEST_MS});
  }

  begins({file, name, limit}: Step): void {
    this.stop();
    // A test has hooks, each with such a limit.
    const most = 2 * limit + TEST_MS;
    const why = `${name}: did not end within ${String(Math.round(most / 1000))} s`;
    this.#timer = setTimeout(() => this.#end(why, file), most);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
