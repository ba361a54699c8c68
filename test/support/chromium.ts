import {existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {requireOf} from '../tools/with.js';

export interface Chromium {
  readonly executablePath: string;
  readonly args: string[];
  readonly env: NodeJS.ProcessEnv;
  readonly headless: true | 'shell';
}

const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  // Without a graphics card, a software one would take as much work as the pages themselves.
  '--disable-gpu',
  '--disable-software-rasterizer',
];

/** Makes dates and numbers the same on every machine. */
const LANGUAGE = {LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8'};

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

export function installedChromium(): string | undefined {
  return USUAL_PLACES.find(place => existsSync(place));
}

/**
 * Finds Chromium: the one in `CHROME_PATH`, otherwise one from a package, so that tests use the same browser on each
 * machine. If there is no package for the platform, an installed one is used.
 */
export async function findChromium(): Promise<Chromium> {
  const named = process.env['CHROME_PATH'];
  if (named && !existsSync(named)) throw new Error(`CHROME_PATH names ${named}, which does not exist.`);
  if (!named && IS_PACKAGED) return (packaged ??= findPackaged());
  const executablePath = named || installedChromium();
  if (!executablePath) throw new Error('Chrome was not found. Set CHROME_PATH.');
  // Chromium's sandbox does not work as root, nor in most build containers.
  const unsandboxed = process.getuid?.() === 0 || process.env['CI'] ? ['--no-sandbox'] : [];
  return {executablePath, args: [...QUIET, ...unsandboxed], env: {...process.env, ...LANGUAGE}, headless: true};
}

/**
 * The variable that offers a browser the packaged one's font for Latin, so that text is as wide in each, and those of the
 * machine for all else. WebKit and Chromium take it, Chromium not for fixed-width text; Firefox does not. None on
 * platforms that the package is not made for.
 */
export async function packagedFonts(): Promise<{FONTCONFIG_FILE?: string}> {
  if (!IS_PACKAGED) return {};
  const {env} = await (packaged ??= findPackaged());
  const folder = env['FONTCONFIG_PATH']!;
  const file = join(folder, 'with-system.conf');
  writeFileSync(file, fontsFrom(folder, '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>'));
  return {FONTCONFIG_FILE: file};
}

/** A configuration that prefers the package's font: another one for bold text would depend on what a machine has. */
function fontsFrom(folder: string, others: string): string {
  const preferred = ['sans-serif', 'sans', 'system-ui', 'monospace', 'ui-monospace'].map(
    family => `<match target="pattern"><test qual="any" name="family"><string>${family}</string></test>
      <edit name="family" mode="prepend" binding="strong"><string>Open Sans</string></edit></match>`,
  );
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
    ${others}<dir>${folder}</dir>${preferred.join('')}</fontconfig>`;
}

const IS_PACKAGED = process.platform === 'linux' && process.arch === 'x64';

let packaged: Promise<Chromium> | undefined;

/** The Chromium in `@sparticuz/chromium`, unpacked once per version. Its own arguments disable web security and are not used. */
async function findPackaged(): Promise<Chromium> {
  const {dependencies} = JSON.parse(readFileSync('test/tools/browser/package.json', 'utf8')) as Manifest;
  const folder = resolve('node_modules/.cache', `chromium-${dependencies['@sparticuz/chromium']}`);
  if (!existsSync(join(folder, LAST_WRITTEN))) await unpackChromium(folder);
  return {
    executablePath: join(folder, 'chromium'),
    args: [...QUIET, '--no-sandbox'],
    env: {
      ...process.env,
      ...LANGUAGE,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
    headless: 'shell',
  };
}

interface Manifest {
  readonly dependencies: {readonly '@sparticuz/chromium': string};
}

/** If this file exists, everything has been unpacked. */
const LAST_WRITTEN = 'fonts/fonts.conf';

interface Packaged {
  executablePath(): Promise<string>;
}

/**
 * Unpacks it into a folder that appears whole: several processes may want it at once.
 *
 * The package is made for cloud functions. It unpacks into the temporary folder, its libraries only if it detects that
 * cloud; and its font configuration names a missing folder, which makes Chromium abort.
 */
async function unpackChromium(folder: string): Promise<void> {
  mkdirSync(dirname(folder), {recursive: true});
  const chromium = (await requireOf('browser'))('@sparticuz/chromium') as Packaged;
  const own = mkdtempSync(`${folder}-`);
  await withEnvironment({TMPDIR: own, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x'}, async () =>
    chromium.executablePath(),
  );
  const fonts = join(folder, 'fonts');
  const others = `<dir>/usr/share/fonts</dir><cachedir>${fonts}-cache</cachedir>`;
  writeFileSync(join(own, LAST_WRITTEN), fontsFrom(fonts, others));
  // An incomplete folder is useless.
  if (!existsSync(join(folder, LAST_WRITTEN))) rmSync(folder, {recursive: true, force: true});
  try {
    renameSync(own, folder);
  } catch (error) {
    rmSync(own, {recursive: true});
    // Another process was faster.
    if (!existsSync(join(folder, LAST_WRITTEN))) throw error;
  }
}

/** Runs work with other environment variables, then restores the old ones. */
async function withEnvironment<T>(variables: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const before = Object.keys(variables).map(name => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    return await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
}
