import {deepEqual, equal, match, ok} from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {ONE_FILE_PAGES} from '../../.build/one-file.js';
import {axeViolations, browserForTests, serverForTests} from '../support/browser.js';
import {DIST} from '../support/dist.js';
import {swapWithMock} from '../support/visitor.js';

/** All one-file pages, whatever they do. */
for (const name of Object.keys(ONE_FILE_PAGES)) {
  describe(`${name}.html`, () => {
    const page = readFileSync(join(DIST, `${name}.html`), 'utf8');
    const browser = browserForTests();
    const server = serverForTests((_, response) => response.setHeader('content-type', 'text/html').end(page));

    it('is self-contained: it refers to no other file, and imports nothing', () => {
      const [, policy = '', rest = ''] = /^[^]*?content="([^"]*)" \/>([^]*)$/.exec(page) ?? [];
      match(policy, /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src (?:'sha256-[\w+/=]{44}'|'none')/);
      const markup = rest.replace(/<script[^]*?<\/script>/, '');
      equal(/\b(?:src|href)="(?!https:|#|data:)/.exec(markup)?.[0], undefined);
      equal(
        /\bimport\s*\(|^\s*import\b(?!.*'(?:swap-widget\/|.*\?raw))/m.exec(
          /<script type="module">([^]*?)<\/script>/.exec(page)?.[1] ?? '',
        ),
        null,
      );
    });

    it('only allows its own script, by its hash', () => {
      const [, code = ''] = /<script type="module">([^]*?)<\/script>/.exec(page) ?? [];
      ok(page.includes(`script-src 'sha256-${createHash('sha256').update(code).digest('base64')}'`));
    });

    if (name === 'demo')
      it('swaps to “Received” with its mock service when it is opened as a file, and shows its code', async () => {
        const {page, errors} = await browser.openPage('about:blank');
        const asked: string[] = [];
        page.on('request', request => asked.push(request.url()));
        await page.goto(pathToFileURL(join(DIST, 'demo.html')).href);
        await swapWithMock(page);
        match(await page.$eval('output', output => output.textContent), /^Received: order \S+$/);
        match(await page.$eval('#script', code => code.textContent), /^installTestService\(widget, /m);
        deepEqual([asked.slice(1), errors, await axeViolations(page)], [[], [], []]);
      });

    it('opens under its own policy, without sending a request', async () => {
      const opened = await browser.openPage(server.url);
      const asked: string[] = [];
      opened.page.on('request', request => asked.push(request.url()));
      await opened.page.reload();
      await opened.page.waitForSelector('h1', {visible: true});
      deepEqual(await opened.violations(), []);
      deepEqual(
        asked.filter(url => !url.startsWith('data:')),
        [`${server.url}/`],
      );
      deepEqual(opened.errors, []);
    });
  });
}
