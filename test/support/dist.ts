import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';

export const DIST = join(import.meta.dirname, '../../dist');

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = [
  'src',
  'demo/conformance',
  'vite.config.ts',
  '.build',
  'package.json',
  'tsconfig.json',
  'test/cem.config.js',
  'test/types.config.js',
];
/** The last file that a build writes, and that of its scripts; if it is missing, the build is incomplete. */
const LAST_BUILT = {all: 'custom-elements.json', scripts: 'embed.html'};

/** Builds the package if a source is newer, or only its scripts. Throws with the output of a failed build. */
export function buildIfOutdated(what: 'all' | 'scripts' = 'all'): void {
  const command = what === 'all' ? ['run', '--silent', 'build'] : ['exec', 'tsx', '.build/build.ts'];
  const built = statSync(join(DIST, LAST_BUILT[what]), {throwIfNoEntry: false})?.mtimeMs ?? 0;
  if (SOURCES.every(source => newest(join(ROOT, source)) < built)) return;
  const {status, stdout, stderr} = spawnSync('npm', command, {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`The build failed.\n${stdout}${stderr}`);
}

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map(name => newest(join(path, name))));
}

interface ManifestChunk {
  readonly file: string;
  readonly src?: string;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

function readManifest(): Record<string, ManifestChunk> {
  return JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as Record<string, ManifestChunk>;
}

/** An entry with all its static imports, as paths in `dist`. */
export function firstLoad(entry: string): string[] {
  const manifest = readManifest();
  const files = new Set<string>();
  const follow = (chunk: ManifestChunk | undefined) => {
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const key of chunk.imports ?? []) follow(manifest[key]);
  };
  follow(Object.values(manifest).find(({file}) => file === entry));
  if (!files.size) throw new Error(`The build has no ${entry}.`);
  return [...files];
}

/** The dynamically imported modules, each with the files that are loaded for it. */
export function lateEntries(): readonly {readonly source: string; readonly files: readonly string[]}[] {
  return Object.values(readManifest()).flatMap(({isDynamicEntry, src = '', file}) =>
    isDynamicEntry ? [{source: src, files: firstLoad(file)}] : [],
  );
}

/** The chunks with code of a source file, according to their source maps, as paths in `dist`. */
export function chunksOf(isSource: (path: string) => boolean): string[] {
  return scripts().filter(file => sourcesOf(file).some(isSource));
}

/** The library for wallets on other devices, for script tags; a release has it, and the package does not. */
export const LIBRARY = 'walletconnect.js';

export function scripts(): string[] {
  const hashes = JSON.parse(readFileSync(join(DIST, 'sri.json'), 'utf8')) as object;
  return Object.keys(hashes).filter(file => file !== LIBRARY);
}

/** All scripts of the package that pages load or bundle, as paths in `dist`, without the program for operators. */
export function allScripts(): string[] {
  return readdirSync(DIST, {recursive: true, encoding: 'utf8'})
    .filter(file => file.endsWith('.js') && file !== LIBRARY)
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !file.startsWith('bin/'));
}

/** The source files of a script, as paths from the project's root. */
export function sourcesOf(file: string): string[] {
  const map = join(DIST, `${file}.map`);
  // An entry that only re-exports has no source map.
  if (!existsSync(map)) return [];
  const {sources} = JSON.parse(readFileSync(map, 'utf8')) as {sources: string[]};
  return sources.map(source => join('dist', file, '..', source).replaceAll('\\', '/'));
}

/** The parts of a family that load separately, by the file that is imported. */
const PARTS = {
  bitcoin: 'src/chains/bitcoin/bitcoin.ts',
  'bitcoin wallets': 'src/chains/bitcoin/fund.ts',
  evm: 'src/chains/evm/evm.ts',
  names: 'src/chains/evm/ens.ts',
  solana: 'src/chains/solana/solana.ts',
  'solana adapters': 'src/chains/solana/versioned.ts',
  starknet: 'src/chains/starknet/starknet.ts',
};

/**
 * The files that load for a part of a family, including libraries, in addition to those already loaded: the form, its
 * settings, the first price, and earlier parts. Files that every family needs are counted by `sharedByFamilies`
 * instead.
 */
export function loadedFor(part: keyof typeof PARTS, ...before: readonly (keyof typeof PARTS)[]): string[] {
  const [folder = ''] = /^src\/chains\/\w+\//.exec(PARTS[part]) ?? [];
  const isOfPart = (source: string) => source.startsWith(folder) || !isShared(source);
  const known = new Set([...beforeFamilies(), ...before.flatMap(one => filesOf(PARTS[one]))]);
  return filesOf(PARTS[part]).filter(file => !known.has(file) && sourcesOf(file).some(isOfPart));
}

export function sharedByFamilies(): string[] {
  const known = new Set(beforeFamilies());
  const files = new Set(Object.values(PARTS).flatMap(filesOf));
  return [...files].filter(file => !known.has(file) && sourcesOf(file).every(isShared));
}

/** Our code outside the families, and the code that finds Wallet Standard wallets in two of them. */
function isShared(source: string): boolean {
  return /^(?:src\/(?!chains\/[\w-]+\/)|node_modules\/@wallet-standard\/)/.test(source);
}

/** The form, and the chunks that follow it. */
function beforeFamilies(): string[] {
  const chunks = chunksOf(path => ['src/elements/settings/all.ts', 'src/api/client.ts'].includes(path));
  return ['define.js', ...chunks].flatMap(firstLoad);
}

function filesOf(source: string): readonly string[] {
  const entry = lateEntries().find(one => one.source === source);
  if (!entry) throw new Error(`Nothing is loaded late by ${source}.`);
  return entry.files;
}
