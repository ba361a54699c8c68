/**
 * Builds a release in `.release/`, and verifies it: the package for npm, and the folder for script tags as it is served
 * under its version's URL, with the signed list of its files. Prints the commands that publish it.
 *
 * - First `npm run release -- minor` (or `major`, `patch`, a number): it sets the new version, to be committed.
 * - `--dry-run` does everything but publish, also on a tree that may not be released yet, and says why not.
 * - `--publish` also runs these commands. A tag's workflow does that.
 * - `recall 0.2.0 0.2.1 --reason="…"` writes the signed list of recalled versions: all of them, every time.
 * - `key`, once: creates the signing key. The secret half is printed, and belongs in the environment as `RELEASE_KEY`.
 */
import {createHash} from 'node:crypto';
import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {atVersion} from '../.build/embed-page.js';
import {RELEASE_KEY} from '../src/domain/release-key.js';
import {DIST} from './support/dist.js';
import {
  hasNews,
  isSigned,
  makeKeys,
  notesOf,
  publishing,
  recallList,
  refusals,
  releaseList,
  signed,
  SIGNED,
  withKey,
  withVersion,
} from './support/release.js';
import {check, checkAlone, checkTypes, mustBe, pack, result, run} from './support/tarball.js';

const ROOT = join(DIST, '..');
const RELEASE = join(ROOT, '.release');
/** The files of `dist/` beside the scripts: what a wallet's maker needs, and what describes their contents. */
const BESIDE_SCRIPTS =
  /^(?:erc7730|first-paint|sri\.json|[\w-]+\.html|(?:walletconnect\.)?licenses\.txt|(?:walletconnect\.)?sbom\.json)$/;

const ELEMENT = 'src/elements/swap-widget.ts';
const CHANGELOG = 'CHANGELOG.md';
const KEY = 'src/domain/release-key.ts';

const args = process.argv.slice(2);
const isDry = args.includes('--dry-run');
const isPublished = args.includes('--publish');
const [next] = args.filter(arg => !arg.startsWith('--'));
const secret = process.env['RELEASE_KEY'] ?? '';
/** The signing key: in a dry run without the release key, a temporary one. */
const keys = isDry && !(secret && RELEASE_KEY) ? makeKeys() : {secret, known: RELEASE_KEY};

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const readVersion = () => (JSON.parse(read('package.json')) as {version: string}).version;

const version = readVersion();
const state = {changes: run('git status --porcelain', ROOT), element: read(ELEMENT), changelog: read(CHANGELOG)};
if (next === 'key') makeKey();
if (next === 'recall') recall(args.filter(arg => /^\d+\.\d+\.\d+$/.test(arg)));
if (next !== undefined) raise(next);

const tag = process.env['GITHUB_REF_NAME'];
const reasons = [
  ...refusals({version, ...state}),
  ...(RELEASE_KEY ? [] : [`${KEY} is empty; npm run release -- key makes a key.`]),
  ...(RELEASE_KEY && !secret ? ['RELEASE_KEY is not set, so nothing can be signed.'] : []),
  ...(secret && RELEASE_KEY && !isSigned(version, signed(version, secret), RELEASE_KEY)
    ? [`RELEASE_KEY is not the key that ${KEY} names.`]
    : []),
  ...(isPublished && tag !== `v${version}` ? [`The tag is ${tag ?? 'missing'}, and the version ${version}.`] : []),
];
if (reasons.length && !isDry) refuse(reasons.join('\n'));

const built = (): Map<string, string> =>
  new Map(
    filesIn(DIST).map(file => [
      file,
      createHash('sha256')
        .update(readFileSync(join(DIST, file)))
        .digest('hex'),
    ]),
  );

const builds: Map<string, string>[] = [];
check('builds', () => builds.push(build()));
if (!result().isGood) process.exit(1);
check('builds the same bytes again', () => {
  const [first, second] = [builds[0], build()];
  const different = [...new Set([...(first?.keys() ?? []), ...second.keys()])].filter(
    file => first?.get(file) !== second.get(file),
  );
  mustBe(!different.length, `Not the same: ${different.join(', ')}`);
});

const tarball = pack(ROOT);
const withChecks = (command: string) => run(`node --import tsx test/tools/with.ts checks ${command}`, ROOT);
check('publint finds nothing, and suggests nothing', () => {
  const said = withChecks(`publint --strict ${tarball}`);
  // The one for tools that do not support `exports`, such as Parcel.
  const suggestions = [...said.matchAll(/^\d+\. .*$/gm)].filter(
    ([line]) => !line.includes('pkg.browser with an object'),
  );
  mustBe(!suggestions.length, said);
});
check('the types are right', () => withChecks(`attw ${tarball} --profile esm-only --quiet`));
checkAlone();
checkTypes();

layOut();
const verify = `npm run verify-release -- .release/v${version}${keys.known === RELEASE_KEY ? '' : ` ${keys.known}`}`;
check('the list of its files is signed', () => run(verify, ROOT));
check('a changed byte is named', () => {
  const file = join(RELEASE, `v${version}`, 'define.js');
  const bytes = readFileSync(file);
  try {
    writeFileSync(
      file,
      bytes.map((byte, at) => (at ? byte : byte ^ 1)),
    );
    mustBe(saidBy(verify).includes('define.js is not the file that was signed.'), 'Nobody noticed it.');
  } finally {
    writeFileSync(file, bytes);
  }
});
check('its checksums match', () => run(commands()[0] ?? '', ROOT));
check('it lists its contents and the changes', () => {
  const {components} = JSON.parse(readFileSync(join(RELEASE, `v${version}`, 'sbom.json'), 'utf8')) as {
    components: unknown[];
  };
  mustBe(components.length > 0, 'sbom.json names no package.');
  mustBe(/^- /m.test(readFileSync(join(RELEASE, 'notes.md'), 'utf8')), 'notes.md says nothing.');
});
if (isDry) check('npm would accept it', () => run(commands().find(command => command.startsWith('npm')) ?? '', ROOT));
console.log(`\n${result().line}`);
if (!result().isGood) process.exit(1);

if (reasons.length) console.log(`\nIt may not be released yet:\n${reasons.join('\n')}`);
if (keys.known !== RELEASE_KEY)
  console.log(`\nIt is signed by a key that is forgotten now, and not to be published. To check it again:\n${verify}`);
console.log(`\n.release/ holds version ${version}. These commands publish it:\n\n${commands().join('\n')}`);
console.log(`\nThe folder for script tags goes where you serve it, and is never changed there:
rsync --archive --ignore-existing .release/v${version}/ your.host:/srv/www/v${version}/`);
if (isPublished) for (const command of commands()) console.log(run(command, ROOT));

function commands(): string[] {
  return publishing(version, {isWorkflow: process.env['GITHUB_ACTIONS'] === 'true', isDry});
}

function build(): Map<string, string> {
  rmSync(DIST, {recursive: true, force: true});
  run('npm run --silent build', ROOT);
  return built();
}

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

/** Creates the key that signs releases, and stores its public half. */
function makeKey(): never {
  if (RELEASE_KEY) refuse(`${KEY} has a key. With another one, nobody could check what was released before.`);
  const {secret, known} = makeKeys();
  const {homepage} = JSON.parse(read('package.json')) as {homepage: string};
  writeFileSync(join(ROOT, KEY), withKey(read(KEY), known, homepage));
  console.log(`${KEY} has the public half, and the address of the pages below ${homepage}; commit it. The secret half is printed here, once: the secret RELEASE_KEY
of the environment “release”, and a copy that is locked away.\n\n${secret}`);
  process.exit();
}

function recall(versions: readonly string[]): never {
  if (!secret || !RELEASE_KEY) refuse('RELEASE_KEY is not set, or there is no release key yet.');
  const reason = args.find(arg => arg.startsWith('--reason='))?.slice('--reason='.length) ?? '';
  if (versions.length && !reason) refuse('Say why, and what to do, in a sentence: --reason="…"');
  mkdirSync(RELEASE, {recursive: true});
  writeFileSync(join(RELEASE, 'recall.json'), recallList(versions, reason, secret));
  console.log(`.release/recall.json recalls ${versions.join(', ') || 'nothing'}. It goes where pages look for it.`);
  process.exit();
}

/** The output of a failing command. */
function saidBy(command: string): string {
  try {
    run(command, ROOT);
    return '';
  } catch (error) {
    return (error as {stdout: string}).stdout;
  }
}

function refuse(reason: string): never {
  console.log(reason);
  process.exit(1);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter(file => statSync(join(folder, file)).isFile())
    .sort();
}

function layOut() {
  rmSync(RELEASE, {recursive: true, force: true});
  const folder = join(RELEASE, `v${version}`);
  mkdirSync(folder, {recursive: true});
  cpSync(tarball, join(RELEASE, basename(tarball)));
  const scripts = Object.keys(JSON.parse(readFileSync(join(DIST, 'sri.json'), 'utf8')) as object);
  const maps = scripts.map(file => `${file}.map`).filter(file => existsSync(join(DIST, file)));
  for (const file of [...scripts, ...maps, ...readdirSync(DIST).filter(file => BESIDE_SCRIPTS.test(file))])
    cpSync(join(DIST, file), join(folder, file), {recursive: true});
  const page = join(folder, 'embed.html');
  writeFileSync(page, atVersion(readFileSync(page, 'utf8'), version));

  const files = new Map(filesIn(folder).map(file => [file, readFileSync(join(folder, file))]));
  const list = releaseList(version, files);
  const [listName, signatureName] = SIGNED;
  for (const place of [RELEASE, folder]) {
    writeFileSync(join(place, listName), list);
    writeFileSync(join(place, signatureName), `${signed(list, keys.secret)}\n`);
  }
  run(`tar --create --gzip --file swap-widget-${version}-scripts.tgz v${version}`, RELEASE);
  const sums = filesIn(RELEASE).map(
    file =>
      `${createHash('sha256')
        .update(readFileSync(join(RELEASE, file)))
        .digest('hex')}  ${file}\n`,
  );
  writeFileSync(join(RELEASE, 'SHA256SUMS'), sums.join(''));
  // A dry run may come before the version has its section.
  const notes = notesOf(state.changelog, version).trim() || notesOf(state.changelog, 'Unreleased').trim();
  writeFileSync(join(RELEASE, 'notes.md'), `${notes}\n`);
}
