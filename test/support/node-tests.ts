/** Runs test files in Node: compiled together, then one mocha process for each batch. */
import {fork} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {build, type Plugin} from 'vite';
import {scaled, Watch} from './limits.js';
import type {Report, TestResult} from './mocha.js';
import {words} from '../../.build/messages.js';

export interface Totals {
  readonly passed: number;
  readonly failed: readonly string[];
}

const CACHE = 'node_modules/.cache/swap-widget';

/**
 * Runs each batch of test files in its own process, in this order, as many in parallel as there are lanes. A lane opens
 * when its promise is fulfilled. Failures are printed as they happen.
 */
export async function runInNode(
  batches: readonly (readonly string[])[],
  lanes: readonly (Promise<unknown> | undefined)[],
): Promise<Totals> {
  const waiting = [...batches];
  const results: Totals[] = [];
  const lane = async (folder: string, opens: Promise<unknown> | undefined) => {
    await opens;
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      results.push(
        await runBatch(batch, folder, ({file, name, error}) => console.log(`\n${file}\n  ✗ ${name}\n${error ?? ''}`)),
      );
    }
  };
  try {
    await withCompiled(batches.flat(), [], folder => Promise.all(lanes.map(opens => lane(folder, opens))));
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    results.push({passed: 0, failed: ['the tests in Node could not be compiled']});
  }
  return {
    passed: results.reduce((sum, {passed}) => sum + passed, 0),
    failed: results.flatMap(({failed}) => failed),
  };
}

/**
 * Compiles test files with everything that they import, module by module, with the compiler that builds the package,
 * and removes the result when `work` is done.
 */
export async function withCompiled<T>(
  files: readonly string[],
  plugins: readonly Plugin[],
  work: (folder: string) => Promise<T>,
): Promise<T> {
  mkdirSync(CACHE, {recursive: true});
  const folder = mkdtempSync(join(CACHE, 'tests-'));
  const remove = () => rmSync(folder, {recursive: true, force: true});
  process.once('exit', remove);
  try {
    await build({
      configFile: false,
      root: process.cwd(),
      logLevel: 'warn',
      plugins: [words(), ...plugins, sourceAddresses(), whole()],
      build: {
        ssr: true,
        target: 'node20',
        outDir: folder,
        sourcemap: true,
        minify: false,
        rolldownOptions: {
          treeshake: false,
          // Each module keeps its exports, so that another version of it can take its place (`test/mutants.ts`).
          optimization: {inlineConst: false},
          checks: {bundlerTimings: false},
          input: ['test/support/mocha.ts', ...files],
          output: {preserveModules: true, preserveModulesRoot: process.cwd(), entryFileNames: '[name].mjs'},
        },
      },
    });
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Lets a module find what is beside its source. */
function sourceAddresses(): Plugin {
  return {
    name: 'source-addresses',
    enforce: 'pre',
    transform: {
      filter: {code: 'import.meta.'},
      handler: (code, id) => ({
        code: code
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
        map: null,
      }),
    },
  };
}

/** Keeps modules that are imported for their side effects: `package.json` names only a few of the sources. */
function whole(): Plugin {
  return {
    name: 'whole',
    enforce: 'pre',
    transform: {filter: {id: /\.ts$/}, handler: code => ({code, map: null, moduleSideEffects: true})},
  };
}

interface BatchOptions {
  readonly bail?: boolean;
  /** The limit of each test, in milliseconds; by default its own. */
  readonly limit?: number;
  /** A file with the names of the tests to be run, `file › title`. */
  readonly only?: string;
  readonly onResult?: (result: TestResult) => void;
}

/** Runs test files that were compiled into a folder, one after the other, in their own process. */
export function runBatch(
  files: readonly string[],
  folder: string,
  onFailure: (result: TestResult) => void,
  {bail = false, limit, only, onResult}: BatchOptions = {},
): Promise<Totals> {
  const name = files.length === 1 ? files[0]! : `${files[0]!} and ${String(files.length - 1)} more`;
  return new Promise(done => {
    let passed = 0;
    let hasEnded = false;
    const failed: string[] = [];
    const child = fork(join(folder, 'test/support/mocha.mjs'), [...files], {
      env: {...process.env, COMPILED_TESTS: resolve(folder), ...(bail && {BAIL: '1'}), ...(only && {ONLY: only})},
      execArgv: ['--enable-source-maps'],
      // As a group leader: the chains and browsers that it starts end with it.
      detached: true,
    });
    const end = (signal: NodeJS.Signals) => {
      try {
        if (child.pid) process.kill(-child.pid, signal);
      } catch {
        // It has ended already.
      }
    };
    const stop = () => end('SIGTERM');
    process.once('exit', stop);
    const watch = new Watch((why, file = name) => {
      failed.push(`${file} › ${why}`);
      // Its browsers are closed by themselves only where it may end by itself.
      end('SIGTERM');
      setTimeout(end, scaled(5_000), 'SIGKILL').unref();
    });
    child.on('message', (report: Report) => {
      if (report === 'end') {
        hasEnded = true;
      } else if ('limit' in report) {
        watch.begins(limit === undefined ? report : {...report, limit});
      } else {
        onResult?.(report);
        const file = relative('.', report.file);
        if (report.error === undefined) return void passed++;
        onFailure({...report, file});
        failed.push(`${file} › ${report.name}`);
      }
    });
    child.on('exit', (code, signal) => {
      watch.stop();
      process.off('exit', stop);
      end('SIGKILL');
      // A file that fails to load, or ends its process, has no test of its own that fails.
      if (!hasEnded && !failed.length) failed.push(`${name} › ended before its tests did (${String(signal ?? code)})`);
      done({passed, failed});
    });
  });
}
