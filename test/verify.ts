/**
 * Everything that can be said about the project without running it: one line for each step, all of a failed one. Two
 * lanes side by side, since the linter takes as long as all the rest.
 */
import {spawn} from 'node:child_process';

type Step = readonly [name: string, command: string];

const lint: readonly Step[] = [['lint', 'npm run --silent lint']];
const rest: readonly Step[] = [
  ['format', 'prettier --check --log-level warn .'],
  ['types', 'npm run --silent types'],
  ['circles', 'depcruise --config test/circles.config.js --output-type err src'],
  // Its settings are in tsconfig.json. It knows neither the registration by table nor the younger half of CSS.
  ['templates', 'lit-analyzer --maxWarnings 0 "src/elements/**/*.ts"'],
  ['words', 'npm run --silent words -- --check'],
  ['chains', 'node --import tsx test/support/evm-chains.ts --check'],
  ['build', 'npm run --silent build'],
  ['package', 'publint --strict && attw --pack . --profile esm-only --quiet'],
  ['floor', 'node --import tsx test/floor.ts'],
  ['size', 'node --import tsx node_modules/size-limit/bin.js --config test/size-limit.config.js'],
  ['documents', 'node --import tsx test/documents.ts --check'],
];

await Promise.all([take(lint), take(rest)]);

/** Takes one step after the other. The first that fails ends everything. */
async function take(steps: readonly Step[]): Promise<void> {
  for (const [name, command] of steps) {
    const started = performance.now();
    const {ok, output} = await run(command);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${ok ? '✓' : '✗'} ${name.padEnd(10)} ${seconds.padStart(5)} s`);
    if (ok) continue;
    console.log(`\n${command}\n${output}`);
    process.exit(1);
  }
}

function run(command: string): Promise<{ok: boolean; output: string}> {
  return new Promise(resolve => {
    // npm has put the project's own tools on the path.
    const child = spawn(command, {shell: true, stdio: ['ignore', 'pipe', 'pipe']});
    let output = '';
    const add = (text: Buffer) => (output += text.toString());
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.on('close', code => resolve({ok: code === 0, output}));
  });
}
