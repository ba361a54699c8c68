/**
 * Takes the README's pictures from the gallery, with the current widget:
 * `node --import tsx test/support/pictures.ts`.
 */
import {createServer} from 'vite';
import {openBrowser} from './browser.js';

const STATE = 'form-quoted';

const vite = await createServer({logLevel: 'warn', server: {port: 0, host: '127.0.0.1'}});
await vite.listen();
const browser = await openBrowser();
const [origin = ''] = vite.resolvedUrls?.local ?? [];
for (const theme of ['light', 'dark'] as const) {
  const {page} = await browser.openPage(`${origin}test/support/gallery.html?theme=${theme}&width=380&only=${STATE}`);
  await page.setViewport({width: 480, height: 800, deviceScaleFactor: 2});
  const widget = await page.waitForSelector('figure > *:last-child', {visible: true});
  await page.waitForSelector('figure > * >>> input', {visible: true});
  // Icons and motion load when the page is idle.
  await page.waitForNetworkIdle();
  await widget?.screenshot({path: `demo/docs/widget-${theme}.webp`, type: 'webp', quality: 90});
}
await browser.close();
await vite.close();
