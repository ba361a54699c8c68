/** The page for sites that remove scripts, `frame.html` of `demo/embed/html`: whom it tells what. */
import {deepEqual, equal, ok} from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {extname, join} from 'node:path';
import {serve, type RunningServer} from '../../demo/sandbox/http.js';
import {openBrowser, type TestBrowser} from '../support/browser.js';
import {DIST} from '../support/dist.js';
import {scaled} from '../support/limits.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

interface Message {
  readonly from: string;
  readonly height?: number;
  readonly type?: string;
  readonly event?: Readonly<Record<string, unknown>>;
}

describe('the page in a frame', () => {
  let browser: TestBrowser;
  let widget: RunningServer;
  let site: RunningServer;
  let stranger: RunningServer;
  before(async () => {
    browser = await openBrowser();
    const host = `<!doctype html><title>Site</title><script>
        window.heard = [];
        addEventListener('message', ({data, origin}) => heard.push({...data, origin}));
      </script><iframe src="WIDGET/frame.html" width="400" height="500" title="Swap"
        sandbox="allow-scripts allow-same-origin allow-popups allow-forms"></iframe>`;
    const serveSite = () =>
      serve((_, response) => response.setHeader('content-type', 'text/html').end(host.replace('WIDGET', widget.url)));
    widget = await serve(({url = ''}, response) => {
      const {pathname} = new URL(url, 'http://localhost');
      const [, own] = /^\/swap-widget\/(.*)$/.exec(pathname) ?? [];
      const file = own === undefined ? join('demo/embed/html/public', pathname) : join(DIST, own);
      const text = readFileSync(file, 'utf8').replace('https://your.shop', site.url);
      response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain').end(text);
    });
    [site, stranger] = [await serveSite(), await serveSite()];
  });
  after(async () => {
    await Promise.all([browser.close(), ...[widget, site, stranger].map(one => one.close())]);
  });

  /** Shows the page on a site, lets a swap end in it, and returns what the site heard. */
  async function heardBy(url: string): Promise<readonly Message[]> {
    const {page} = await browser.openPage(url);
    const handle = await page.waitForSelector('iframe');
    const frame = (await handle?.contentFrame())!;
    await frame.waitForSelector('swap-widget:defined >>> input', {timeout: scaled(30_000)});
    await frame.$eval('swap-widget', widget => {
      const event = new Event('swap-complete', {bubbles: true});
      widget.dispatchEvent(Object.assign(event, {toJSON: () => ({orderId: 'order-1', amount: '100'})}));
      widget.style.blockSize = '700px';
    });
    // Its own message is the last one, whoever else heard any.
    await frame.evaluate(() => {
      parent.postMessage({from: 'test'}, '*');
    });
    await page.waitForFunction(() => (window as never as {heard: Message[]}).heard.some(({from}) => from === 'test'));
    if (url === site.url)
      await page.waitForFunction(() =>
        (window as never as {heard: Message[]}).heard.some(({height = 0}) => height > 690),
      );
    const heard = await page.evaluate(() => (window as never as {heard: Message[]}).heard);
    await page.browserContext().close();
    return heard.filter(({from}) => from !== 'test');
  }

  it('tells the site that it names its height and what happens', async () => {
    const heard = await heardBy(site.url);
    ok(heard.every(({from}) => from === 'swap-widget'));
    const [ended] = heard.filter(({type}) => type);
    deepEqual([ended?.type, ended?.event], ['swap-complete', {orderId: 'order-1', amount: '100'}]);
  });

  it('shows the form to any other site, and tells it nothing', async () => {
    equal((await heardBy(stranger.url)).length, 0);
  });
});
