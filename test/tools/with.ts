/**
 * Dependencies of only some commands, installed when these run: each folder beside this file is a workspace of the
 * project's package and its lock file, and `npm ci` omits them (`.npmrc`).
 *
 * `node --import tsx test/tools/with.ts checks oxlint src` runs a command with the dependencies of `checks` on its
 * path.
 */
import {execFile, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import {createRequire} from 'node:module';
import {delimiter, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

/** A folder beside this file. */
export type Tools = 'browser' | 'checks' | 'contracts' | 'database' | 'site';

/** The project's programs run in its own folder, wherever they were compiled to. */
const CACHE = resolve('node_modules/.cache/swap-widget');

const fetching = new Map<Tools, Promise<string>>();

/** The `node_modules` with these tools, in the lock file's versions: fetched once, then cached. */
export function fetchTools(tools: Tools): Promise<string> {
  const known = fetching.get(tools) ?? fetchOnce(tools);
  fetching.set(tools, known);
  return known;
}

async function fetchOnce(tools: Tools): Promise<string> {
  const manifest = `test/tools/${tools}/package.json`;
  const files = ['package.json', 'package-lock.json', manifest];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  const folder = join(CACHE, `${tools}-${hash.digest('hex').slice(0, 16)}`);
  const installed = join(folder, 'node_modules');
  if (existsSync(installed)) return nameOnce(tools, folder);

  mkdirSync(CACHE, {recursive: true});
  const own = mkdtempSync(join(CACHE, 'fetching-'));
  try {
    for (const file of files) cpSync(file, join(own, file));
    const npm = ['ci', `--workspace=test/tools/${tools}`, '--include-workspace-root=false', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', npm, {cwd: own, env: withoutNpm(), shell: process.platform === 'win32'});
    for (const old of readdirSync(CACHE).filter(name => name.startsWith(`${tools}-`) && !folder.endsWith(name))) {
      rmSync(join(CACHE, old), {recursive: true, force: true});
    }
    // Another process may have been faster.
    if (!existsSync(installed)) renameSync(own, folder);
  } finally {
    rmSync(own, {recursive: true, force: true});
  }
  return nameOnce(tools, folder);
}

/** Gives them a name that stays when their versions change, for what cannot ask here. */
function nameOnce(tools: Tools, folder: string): string {
  const name = join(CACHE, tools);
  if (!existsSync(name) || realpathSync(name) !== realpathSync(folder)) {
    const own = `${name}.${String(process.pid)}`;
    symlinkSync(folder, own, 'junction');
    renameSync(own, name);
  }
  return join(folder, 'node_modules');
}

/** The environment without npm's variables for scripts: this project's `.npmrc` does not apply to that folder. */
function withoutNpm(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(config|package|lifecycle)_/i.test(name)),
  );
}

/** Resolves modules among these tools. */
export async function requireOf(tools: Tools): Promise<NodeJS.Require> {
  return createRequire(join(await fetchTools(tools), 'of.cjs'));
}

export async function environmentWith(tools: Tools): Promise<NodeJS.ProcessEnv> {
  const installed = await fetchTools(tools);
  return {
    ...process.env,
    PATH: [join(installed, '.bin'), process.env['PATH']].join(delimiter),
    NODE_PATH: installed,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [tools, ...command] = process.argv.slice(2);
  const env = await environmentWith(tools as Tools);
  process.exitCode = spawnSync(command.join(' '), {shell: true, stdio: 'inherit', env}).status ?? 1;
}
