/** The page for sites that remove scripts, `frame.html` of `demo/embed/html`: whom it tells what. */
import {deepEqual, ok} from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {extname, join} from 'node:path';
import {serve, type RunningServer} from '../../demo/sandbox/http.js';
import {browserForTests} from '../support/browser.js';
import {DIST} from '../support/dist.js';
import {scaled} from '../support/limits.js';

const TYPES = new Map(Object.entries({'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css'}));

type Message = Readonly<Record<'from' | 'type' | 'event', unknown>> & {readonly height?: number};

describe('the page in a frame', () => {
  const browser = browserForTests();
  const servers: RunningServer[] = [];
  before(async () => {
    const [widget, site] = [
      await serve(({url = ''}, response) => {
        const {pathname} = new URL(url, 'http://localhost');
        const [, own] = /^\/swap-widget\/(.*)$/.exec(pathname) ?? [];
        const file = own === undefined ? join('demo/embed/html/public', pathname) : join(DIST, own);
        const text = readFileSync(file, 'utf8').replace('https://your.shop', site.url);
        response.setHeader('content-type', TYPES.get(extname(file)) ?? 'text/plain').end(text);
      }, 0),
      await serveSite(),
    ];
    servers.push(site, await serveSite(), widget);
  });
  after(() => Promise.all(servers.map(server => server.close())));

  function serveSite(): Promise<RunningServer> {
    const page = `<!doctype html><title>Site</title><script>
        window.heard = [];
        addEventListener('message', ({data}) => heard.push(data));
      </script><iframe src="WIDGET/frame.html" width="400" height="500" title="Swap"
        sandbox="allow-scripts allow-same-origin allow-popups allow-forms"></iframe>`;
    return serve((_, response) => {
      response.setHeader('content-type', 'text/html').end(page.replace('WIDGET', servers[2]?.url ?? ''));
    }, 0);
  }

  /** Shows the page on a site, lets a swap end in it, and returns what the site heard. */
  async function heardBy(site: RunningServer | undefined): Promise<readonly Message[]> {
    const {page} = await browser.openPage(site?.url ?? '');
    const frame = (await (await page.waitForSelector('iframe'))?.contentFrame())!;
    await frame.waitForSelector('swap-widget:defined >>> input', {timeout: scaled(30_000)});
    await frame.$eval('swap-widget', widget => {
      const event = Object.assign(new Event('swap-complete'), {toJSON: () => ({orderId: 'order-1', amount: '100'})});
      widget.dispatchEvent(event);
      // After what its own script says of the height.
      widget.style.blockSize = '700px';
      requestAnimationFrame(() => setTimeout(() => parent.postMessage({from: 'test'}, '*')));
    });
    await page.waitForFunction('heard.some(({from}) => from === "test")');
    const heard = (await page.evaluate('heard')) as readonly Message[];
    await page.browserContext().close();
    return heard.filter(({from}) => from !== 'test');
  }

  it('tells the site that it names its height and what happens', async () => {
    const heard = await heardBy(servers[0]);
    ok(heard.some(({height = 0}) => height >= 700));
    const [ended] = heard.filter(({type}) => type);
    deepEqual([ended?.type, ended?.event], ['swap-complete', {orderId: 'order-1', amount: '100'}]);
  });

  it('shows the form to any other site, and tells it nothing', async () => {
    deepEqual(await heardBy(servers[1]), []);
  });
});
