import {deepEqual, doesNotMatch, match} from 'node:assert/strict';
import {atVersion, embedPage} from '../../.build/embed-page.js';
import {hasNews, refusals, withVersion} from '../support/release.js';

const STATE = {
  version: '1.2.0',
  changes: '',
  element: `static readonly version: string = '1.2.0';`,
  changelog: '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-01-02\n\n### Added\n\n- A thing.\n',
};

describe('a release', () => {
  it('is made of a clean tree whose version is the same everywhere', () => {
    deepEqual(refusals(STATE), []);
  });

  it('is refused where the tree has changes, and they are named', () => {
    match(refusals({...STATE, changes: ' M src/index.ts\n'}).join(), /not clean[^]*src\/index\.ts/);
  });

  it('is refused where the element says another version, or none', () => {
    match(
      refusals({...STATE, element: STATE.element.replace('1.2.0', '1.1.0')}).join(),
      /SwapWidget\.version says 1\.1\.0/,
    );
    match(refusals({...STATE, element: ''}).join(), /SwapWidget\.version is missing/);
  });

  it('is refused where the changelog has no section for it, or an empty one', () => {
    for (const changelog of ['## [Unreleased]\n\n- 1.2.0\n', '## [1.2.0]\n\n## [1.1.0]\n\n- Another thing.\n'])
      match(refusals({...STATE, changelog}).join(), /no section \[1\.2\.0\]/);
  });

  it('begins with its version in the element, and with a section of what was unreleased', () => {
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

  it('has a page whose every address names the version, and whose hash is the same', () => {
    const page = atVersion(embedPage({hash: 'sha384-abc', form: '', styles: '', takeOver: 'chunks/take-over-1.js'}), '1.2.0');
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
