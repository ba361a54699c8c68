/**
 * All static checks of the project, in two parallel lanes: one line for each step, the full output of a failed one.
 * With `--tests` the tests follow: the one gate, `npm run check`.
 *
 * `--changed` only checks what changes since the last commit are likely to break, `--changed=main` those since another
 * one; `--only=lint` runs a single step.
 */
import {spawn, spawnSync} from 'node:child_process';
import {changedFiles, testsReaching} from './support/changed.js';
import {environmentWith} from './tools/with.js';

interface Step {
  readonly name: string;
  readonly command: string;
  /** The changes after which it runs. By default, it only runs if everything does. */
  readonly after?: RegExp;
  /** The arguments for all files; otherwise it gets the changed files. By default, it always runs on all files. */
  readonly all?: string;
}

const CODE = /^(?:\.build|src|test|demo)\/(?!embed\/).*\.ts$|^vite\.config\.ts$/;
const CACHE = 'node_modules/.cache/swap-widget';

const sources: Step[] = [
  // The rules that need types, and those that need none.
  {name: 'lint', command: 'oxlint', after: CODE, all: '.build src test demo vite.config.ts'},
  {
    name: 'lint',
    command: `eslint --config test/eslint.config.js --max-warnings 0 --cache --cache-strategy content --cache-location ${CACHE}/eslint`,
    after: /^(?:\.build|src|test|demo)\/(?!embed\/).*\.[jt]s$|^vite\.config\.ts$/,
    all: '.build src test demo vite.config.ts',
  },
  {name: 'format', command: 'prettier --check --log-level warn --ignore-unknown', after: /./, all: '.'},
  // Its settings are in tsconfig.json. It supports neither registration by a table nor newer CSS.
  {
    name: 'templates',
    command: 'lit-analyzer --maxWarnings 0',
    after: /^src\/elements\/.*\.ts$/,
    all: '"src/elements/**/*.ts"',
  },
  {name: 'circles', command: 'node --import tsx test/circles.ts', after: CODE},
  // Unused exports.
  {
    name: 'unused',
    command: `knip --config test/knip.json --include files,exports,types --no-progress --cache --cache-location ${CACHE}/knip`,
    after: CODE,
  },
  {name: 'budgets', command: 'node --import tsx test/budgets.ts', after: CODE},
  {name: 'words', command: 'npm run --silent words -- --check', after: /locales|words|messages|^src\/pages/},
];

const product: Step[] = [
  // TypeScript's native compiler says the same in a sixth of the time; what else needs TypeScript has no interface to it.
  {
    name: 'types',
    command: `node "$NODE_PATH/typescript-native/bin/tsc" --incremental --tsBuildInfoFile ${CACHE}/types.tsbuildinfo`,
    after: CODE,
  },
  {name: 'build', command: 'npm run --silent build'},
  {name: 'package', command: 'publint --strict && attw --pack . --profile esm-only --quiet'},
  {name: 'floor', command: 'node --import tsx test/floor.ts'},
  // It looks for its plugins in the package.json of its folder.
  {
    name: 'size',
    command:
      'cd test/tools/checks && node --import tsx "$NODE_PATH/size-limit/bin.js" --config ../../size-limit.config.js',
  },
  {name: 'documents', command: 'node --import tsx test/documents.ts --check'},
];

const args = process.argv.slice(2);
const option = (name: string) => args.find(arg => arg === name || arg.startsWith(`${name}=`))?.split('=');
const since = option('--changed');
const changed = since && changedFiles(since[1] ?? 'HEAD');
const only = option('--only')?.[1];
const env = await environmentWith('checks');

await Promise.all([take(sources), take(product).then(() => take(sources))]);
if (args.includes('--tests')) test();

/** Runs one step after the other, as long as any is left. The first failure ends everything. */
async function take(steps: Step[]): Promise<void> {
  for (let step = steps.shift(); step; step = steps.shift()) {
    const command = commandOf(step);
    if (!command || (only && step.name !== only)) continue;
    const started = performance.now();
    const {ok, output} = await run(command);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${ok ? '✓' : '✗'} ${step.name.padEnd(10)} ${seconds.padStart(5)} s`);
    if (ok) continue;
    console.log(`\n${command}\n${output}`);
    process.exit(1);
  }
}

/** The command of a step; none if no change requires it. */
function commandOf({command, after, all}: Step): string | undefined {
  if (!changed) return `${command} ${all ?? ''}`;
  const files = after ? changed.filter(file => after.test(file)) : [];
  if (!files.length) return undefined;
  return all === undefined ? command : `${command} ${files.map(file => `"${file}"`).join(' ')}`;
}

function run(command: string): Promise<{ok: boolean; output: string}> {
  return new Promise(resolve => {
    // npm has put the project's own tools on the path.
    const child = spawn(command, {shell: true, stdio: ['ignore', 'pipe', 'pipe'], env});
    let output = '';
    const add = (text: Buffer) => (output += text.toString());
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.on('close', code => resolve({ok: code === 0, output}));
  });
}

function test(): void {
  const reaching = changed && testsReaching(changed);
  if (reaching?.all === 0) return console.log('\nNo test reaches what has changed.');
  const {all, files} = reaching ?? {all: 0, files: []};
  const {status} = spawnSync('node', ['--import', 'tsx', 'test/run.ts', ...files], {stdio: 'inherit'});
  if (all > files.length) {
    console.log(
      `These were the nearest ${String(files.length)} of ${String(all)} test files that reach what has changed.`,
    );
  }
  process.exitCode = status ?? 1;
}
