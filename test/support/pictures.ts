/**
 * Takes the README's pictures from the gallery, with the current widget, and the one for links that are shared:
 * `node --import tsx test/support/pictures.ts`.
 */
import {readFileSync} from 'node:fs';
import {createServer} from 'vite';
import {openBrowser} from './browser.js';

const STATE = 'form-two-coins';

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
const {page} = await browser.openPage('about:blank');
await page.setViewport({width: 1200, height: 630});
const widget = readFileSync('demo/docs/widget-light.webp', 'base64');
await page.setContent(`<style>
  body { margin: 0; padding: 56px 72px; block-size: 630px; box-sizing: border-box; display: flex; gap: 64px;
    align-items: center; justify-content: space-between; background: #f3f1ec; color: #17202c; font: 28px system-ui, sans-serif; }
  h1 { margin: 0 0 24px; font-size: 64px; line-height: 1.1; }
  img { block-size: 518px; border-radius: 20px; box-shadow: 0 12px 40px #17202c33; }
</style>
<div><h1>Swaps across chains, in one element</h1>Bitcoin, EVM chains, Solana, Starknet</div>
<img src="data:image/webp;base64,${widget}" alt="" />`);
await page.screenshot({path: 'demo/docs/shared.png'});
await browser.close();
await vite.close();
