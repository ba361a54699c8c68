/**
 * `npm run embed -- react` points an example at the sandbox of `npm start`: its service, its chains, and a page's
 * development wallets. `--origin=http://127.0.0.1:8810` is the sandbox's origin, `--in=folder` the folder of the
 * examples. `git restore demo/embed` reverts it.
 */
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import type {Settings} from '../../src/elements/settings/settings.js';
import {createSandbox, settingsOf} from '../wallets/sandbox.js';

/** The examples' files with the service's settings. */
const SETTINGS = ['src/settings.ts', 'src/lib/settings.ts', 'app/settings.ts', 'public/settings.js', 'settings.js'];
/** Pages that set the service with attributes. */
const PAGE = 'public/index.html';

const {
  values: {origin, in: examples},
  positionals: names,
} = parseArgs({
  allowPositionals: true,
  options: {
    origin: {type: 'string', default: 'http://127.0.0.1:8800'},
    in: {type: 'string', default: import.meta.dirname},
  },
});
const known = readdirSync(examples).filter(name => settingsIn(name));
const unknown = names.filter(name => !known.includes(name));
if (unknown.length || !names.length) {
  end(`${unknown.length ? `There is no example ${unknown.join(', ')}` : 'Name an example'}: ${known.join(', ')}.`);
}
const settings = await readSettings().catch((error: unknown) => {
  end(
    `There is no sandbox at ${origin} (${String(error)}). Run npm start first; --origin=… where it took another port.`,
  );
});
for (const name of names) pointAt(name, settings);

function end(why: string): never {
  console.error(why);
  process.exit(1);
}

/** The settings of a page that swaps in the sandbox, and takes a fee. */
async function readSettings(): Promise<Settings> {
  const state = await createSandbox(origin).read();
  return {
    baseUrl: origin,
    appId: state.appId,
    ...settingsOf(state),
    affiliateFees: [{asset: 'base_sepolia:usdc', address: '0x000000000000000000000000000000000000dEaD', bps: 10}],
  };
}

function settingsIn(name: string): string | undefined {
  return SETTINGS.map(file => join(examples, name, file)).find(existsSync);
}

/** Writes the sandbox's settings and wallets into an example, replacing earlier ones. */
function pointAt(name: string, settings: Settings): void {
  const file = settingsIn(name) ?? '';
  const wallets = `{type: 'module', src: '${origin}/wallets/page.js'}`;
  const code = `if (typeof document !== 'undefined') document.head.append(Object.assign(document.createElement('script'), ${wallets}));\n`;
  replace(file, /(?<=export const settings[^=]*= )\{[^]*\}(?=( satisfies Settings)?;)/, JSON.stringify(settings));
  replace(file, /(\n[^\n]*\/wallets\/page\.js'[^\n]*)?\n$/, `\n${code}`);
  const page = join(examples, name, PAGE);
  if (!existsSync(page)) return;
  replace(page, /base-url="[^"]*"( app-id="[^"]*")?/, `base-url="${origin}" app-id="${String(settings.appId)}"`);
}

function replace(path: string, sample: RegExp, code: string): void {
  const text = readFileSync(path, 'utf8');
  if (!sample.test(text)) throw new Error(`${path} has nothing to be replaced.`);
  writeFileSync(
    path,
    text.replace(sample, () => code),
  );
}
