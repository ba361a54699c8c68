import {equal, notEqual, rejects} from 'node:assert/strict';
import {existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createKept, type Kept} from '../../demo/sandbox/kept.js';

const OLD = new Date('2026-01-01');

describe('the cache of npm start', () => {
  const all: string[] = [];
  let root: string;
  let home: string;
  let source: string;
  let kept: Kept;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kept-'));
    all.push(root);
    home = join(root, 'home');
    source = join(root, 'sources/a.ts');
    mkdirSync(join(root, 'sources'));
    change(source, 'a');
    kept = createKept(home, root);
  });
  after(() => {
    for (const each of all) rmSync(each, {recursive: true});
  });

  function change(file: string, text: string, at = OLD) {
    writeFileSync(file, text);
    utimesSync(file, at, at);
  }
  const make = (...sources: string[]) =>
    kept.keep('thing', async folder => {
      writeFileSync(join(folder, 'made'), '');
      return Promise.resolve(sources);
    });

  it('is valid as long as its sources are unchanged, also for another process', async () => {
    equal(kept.find('thing'), undefined);
    const folder = await make(source);
    equal(kept.find('thing'), folder);
    equal(createKept(home, root).find('thing'), folder);
    equal(kept.find('other'), undefined);
  });

  it('is invalid once a source was changed, removed, or added to a source folder', async () => {
    const folder = join(root, 'sources');
    await make(source);
    change(source, 'a', new Date('2026-01-02'));
    equal(kept.find('thing'), undefined, 'another time');
    await make(source);
    change(source, 'longer', new Date('2026-01-02'));
    equal(kept.find('thing'), undefined, 'another length');
    utimesSync(folder, OLD, OLD);
    await make(folder);
    change(join(folder, 'b.ts'), 'b');
    equal(kept.find('thing'), undefined, 'one more');
    await make(source);
    rmSync(source);
    equal(kept.find('thing'), undefined, 'gone');
  });

  it('is invalid if a source or a dependency changed during the build', async () => {
    await kept.keep('thing', async () => {
      writeFileSync(source, 'b');
      return Promise.resolve([source]);
    });
    equal(kept.find('thing'), undefined);
    await make(source);
    mkdirSync(join(root, 'node_modules'));
    change(join(root, 'node_modules/.package-lock.json'), '{}');
    equal(kept.find('thing'), undefined);
  });

  it('is rebuilt if it is broken', async () => {
    const folder = await make(source);
    rmSync(folder, {recursive: true});
    equal(kept.find('thing'), undefined);
    await make(source);
    writeFileSync(join(home, 'thing/index.json'), '{"folder": "made-');
    equal(kept.find('thing'), undefined);
    notEqual(await make(source), folder);
  });

  it('keeps the previous build while a rebuild runs, and if it fails', async () => {
    const folder = await make(source);
    let half = '';
    const failing = kept.keep('thing', async made => {
      half = made;
      equal(kept.find('thing'), folder);
      return Promise.reject(new Error('cannot be made'));
    });
    await rejects(failing, /cannot be made/);
    equal(existsSync(half), false);
    equal(kept.find('thing'), folder);
  });

  it('keeps the previous entry for its readers, and removes older ones', async () => {
    const folders = [];
    for (let one = 0; one < 4; one++) {
      folders.push(await make(source));
      utimesSync(folders.at(-1)!, one + 1, one + 1);
    }
    const [first, second, , last] = folders;
    equal(kept.find('thing'), last);
    equal(existsSync(second!), true);
    equal(existsSync(first!), false);
  });
});
