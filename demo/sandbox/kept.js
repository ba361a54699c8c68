/**
 * Build results that are made once, and kept until a source changes: in `node_modules/.cache/swap-widget`. Plain
 * JavaScript, since `start.js` needs it before there is a compiler.
 */
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The list of installed packages. */
const INSTALLED = 'node_modules/.package-lock.json';
/** The number of results to keep: an open page, or another process, may still read an older one. */
const STAY = 3;
/** The maximum lag of file times behind the clock. */
const CLOCK_MS = 50;

/** The fingerprint of a file; of a folder, its file names. */
function markOf(path) {
  const stat = statSync(path, {throwIfNoEntry: false});
  if (!stat) return 'none';
  return stat.isDirectory() ? readdirSync(path).sort().join('/') : `${stat.size} ${stat.mtimeMs}`;
}

export function createKept(home = join(ROOT, 'node_modules/.cache/swap-widget'), root = ROOT) {
  const indexOf = name => join(home, name, 'index.json');

  return {
    find(name) {
      try {
        const {folder, marks} = JSON.parse(readFileSync(indexOf(name), 'utf8'));
        const isAsItWas = Object.entries(marks).every(([path, mark]) => markOf(join(root, path)) === mark);
        const found = join(home, name, folder);
        return isAsItWas && statSync(found).isDirectory() ? found : undefined;
      } catch {
        // It is missing or broken: it is made again.
        return undefined;
      }
    },

    async keep(name, make) {
      mkdirSync(join(home, name), {recursive: true});
      const began = Date.now() - CLOCK_MS;
      const folder = mkdtempSync(join(home, name, 'made-'));
      const sources = await Promise.resolve(make(folder)).catch(error => {
        rmSync(folder, {recursive: true, force: true});
        throw error;
      });
      const marks = {};
      for (const path of [...sources, join(root, INSTALLED)]) {
        const changed = statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0;
        // One that changed meanwhile may have been read before or after.
        marks[relative(root, path)] = changed < began ? markOf(path) : 'changed';
      }
      // Another process may make the same: the last one wins.
      writeFileSync(join(folder, 'index.json'), JSON.stringify({folder: basename(folder), marks}));
      renameSync(join(folder, 'index.json'), indexOf(name));
      const born = each => statSync(each, {throwIfNoEntry: false})?.mtimeMs ?? 0;
      const made = readdirSync(join(home, name))
        .filter(each => each.startsWith('made-'))
        .map(each => join(home, name, each))
        .sort((a, b) => born(b) - born(a));
      for (const old of made.slice(STAY)) rmSync(old, {recursive: true, force: true});
      return folder;
    },
  };
}

export const kept = createKept();

/** A bundler plugin: collects the source files of a build below the root, without installed packages. */
export function collectSources(files) {
  return {
    name: 'collect-sources',
    buildEnd() {
      for (const id of this.getModuleIds()) {
        const [path = ''] = id.split('?');
        if (path.startsWith(ROOT) && !path.includes('/node_modules/')) files.add(path);
      }
    },
  };
}
