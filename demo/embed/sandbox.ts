/**
 * `npm run embed -- react` points an example at the sandbox that `npm start` runs: its service, its chains, and a page's
 * development wallets. `--origin http://127.0.0.1:9000` says where that is. `git restore demo/embed` takes it back.
 */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import type {Settings} from '../../src/elements/settings/settings.js';
import {createSandbox, settingsOf} from '../wallets/sandbox.js';

export const EXAMPLES = fileURLToPath(new URL('.', import.meta.url));

/** Where examples say which service they are for. */
const SETTINGS = ['src/settings.ts', 'src/lib/settings.ts', 'app/settings.ts', 'public/settings.js'];
/** Pages that name the service by attributes. */
const PAGE = 'public/index.html';

/** The settings of a page that swaps in the sandbox at this origin, and takes a fee. */
export async function settingsOn(origin: string): Promise<Settings> {
  const state = await createSandbox(origin).read();
  return {
    baseUrl: origin,
    appId: state.appId,
    ...settingsOf(state),
    affiliateFees: [{asset: 'base_sepolia:usdc', address: '0x000000000000000000000000000000000000dEaD', bps: 10}],
  };
}

/** Writes the sandbox's settings and wallets into an example. @throws Error where the example has no place for them. */
export function pointAt(example: string, values: Settings): void {
  const settings = SETTINGS.map(file => join(example, file)).find(existsSync);
  if (!settings) throw new Error(`${example} has no settings: ${SETTINGS.join(', ')}.`);
  replace(settings, /(?<=export const settings[^=]*= )\{[^]*\}(?=( satisfies Settings)?;)/, JSON.stringify(values));
  const wallets = `{type: 'module', src: '${String(values.baseUrl)}/wallets/page.ts'}`;
  const code = `\nif (typeof document !== 'undefined') document.head.append(Object.assign(document.createElement('script'), ${wallets}));\n`;
  writeFileSync(settings, readFileSync(settings, 'utf8') + code);
  const page = join(example, PAGE);
  if (!existsSync(page)) return;
  replace(page, /base-url="[^"]*"/, `base-url="${String(values.baseUrl)}" app-id="${String(values.appId)}"`);
}

function replace(path: string, sample: RegExp, code: string): void {
  const text = readFileSync(path, 'utf8');
  if (!sample.test(text)) throw new Error(`${path} has nothing to be replaced.`);
  writeFileSync(
    path,
    text.replace(sample, () => code),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const {values, positionals} = parseArgs({
    allowPositionals: true,
    options: {origin: {type: 'string', default: 'http://127.0.0.1:8800'}},
  });
  const settings = await settingsOn(values.origin);
  for (const name of positionals) pointAt(join(EXAMPLES, name), settings);
}
