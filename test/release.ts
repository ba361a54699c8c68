/**
 * Makes what a release consists of, in `.release/`, and proves it: the package as npm gets it, and the folder for script
 * tags as it lies under its version's address. Publishes nothing: it says at its end which commands do.
 *
 * `npm run release -- minor` (or `major`, `patch`, a number) comes before: it writes the new version down, to be committed.
 */
import {createHash} from 'node:crypto';
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {DIST} from './support/dist.js';
import {atVersion} from '../.build/embed-page.js';
import {hasNews, publishing, refusals, withVersion} from './support/release.js';
import {check, checkAlone, checkTypes, pack, result, run} from './support/tarball.js';

const ROOT = join(DIST, '..');
const RELEASE = join(ROOT, '.release');
/** What of `dist/` a script tag needs, and what tells what is in it. */
const FOR_SCRIPTS = /^(?:(?:define|status)\.js(?:\.map)?|chunks|first-paint|sri\.json|embed\.html|licenses\.txt|sbom\.json)$/;

const ELEMENT = 'src/elements/swap-widget.ts';
const CHANGELOG = 'CHANGELOG.md';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const readVersion = () => (JSON.parse(read('package.json')) as {version: string}).version;

const version = readVersion();
const state = {changes: run('git status --porcelain', ROOT), element: read(ELEMENT), changelog: read(CHANGELOG)};
const [next] = process.argv.slice(2);
if (next !== undefined) raise(next);

const reasons = refusals({version, ...state});
if (reasons.length) refuse(reasons.join('\n'));

rmSync(DIST, {recursive: true, force: true});
rmSync(RELEASE, {recursive: true, force: true});
check('builds', () => run('npm run --silent build', ROOT));
if (!result().isGood) process.exit(1);

const tarball = pack(ROOT);
check('publint finds nothing', () => run(`npx publint --strict ${tarball}`, ROOT));
check('the types are right', () => run(`npx attw ${tarball} --profile esm-only --quiet`, ROOT));
checkAlone();
checkTypes();
console.log(`\n${result().line}`);
if (!result().isGood) process.exit(1);

layOut();
console.log(`\n.release/ holds version ${version}. These commands publish it:\n`);
console.log(publishing(version).join('\n'));

/** Writes a new version down wherever it is named. */
function raise(by: string): never {
  if (!/^(?:major|minor|patch|\d+\.\d+\.\d+)$/.test(by)) refuse(`“${by}” is neither a version nor a step to one.`);
  if (state.changes) refuse(`The working tree is not clean; commit or undo first:\n${state.changes}`);
  if (!hasNews(state.changelog)) refuse(`${CHANGELOG} names nothing that is unreleased.`);
  run(`npm version ${by} --no-git-tag-version --ignore-scripts`, ROOT);
  const version = readVersion();
  const {changelog, element} = withVersion(state, version, new Date().toISOString().slice(0, 10));
  writeFileSync(join(ROOT, CHANGELOG), changelog);
  writeFileSync(join(ROOT, ELEMENT), element);
  console.log(`Version ${version} is written down. Look at it, commit it, and then: npm run release`);
  process.exit();
}

function refuse(reason: string): never {
  console.log(reason);
  process.exit(1);
}

/** Writes all files of the release, and their sums. */
function layOut() {
  const folder = join(RELEASE, `v${version}`);
  mkdirSync(folder, {recursive: true});
  cpSync(tarball, join(RELEASE, basename(tarball)));
  for (const file of readdirSync(DIST).filter(file => FOR_SCRIPTS.test(file)))
    cpSync(join(DIST, file), join(folder, file), {recursive: true});
  const page = join(folder, 'embed.html');
  writeFileSync(page, atVersion(readFileSync(page, 'utf8'), version));
  const sums = readdirSync(RELEASE, {recursive: true, encoding: 'utf8'})
    .filter(file => statSync(join(RELEASE, file)).isFile())
    .sort()
    .map(
      file =>
        `${createHash('sha256')
          .update(readFileSync(join(RELEASE, file)))
          .digest('hex')}  ${file}\n`,
    );
  writeFileSync(join(RELEASE, 'SHA256SUMS'), sums.join(''));
}
