import {equal} from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {browserForTests, serverForTests} from '../support/browser.js';
import {DIST} from '../support/dist.js';

/** The styles for a partner's page, which the document on styling shows. */
const RULES = readFileSync('.build/reserve.css', 'utf8');

const page = (variant: string) => `<!doctype html><meta name="viewport" content="width=device-width">
<title>A page</title><link rel="icon" href="data:,"><style>html { font-size: 62.5% } ${RULES}</style><p>Before</p>
<swap-widget variant="${variant}" base-url="https://service.example" from="base_sepolia:wbtc" to="ethereum_sepolia:wbtc">
${variant === 'button' ? 'Swap' : '<p>The swap form is loading.</p>'}</swap-widget><p>After</p>`;

/** The page's layout shifts so far, as browsers measure them (Layout Instability): the element, from where to where. */
const moved = () =>
  new Promise<string[]>(resolve => {
    interface Shift extends PerformanceEntry {
      readonly sources: readonly {
        readonly node?: Node;
        readonly previousRect: DOMRect;
        readonly currentRect: DOMRect;
      }[];
    }
    const place = ({x, y, width, height}: DOMRect) => [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver(list => {
      resolve(
        list.getEntries().flatMap(entry =>
          (entry as Shift).sources.map(({node, previousRect, currentRect}) => {
            const what =
              node instanceof Element ? `${node.localName}.${node.getAttribute('class') ?? ''}` : node?.textContent;
            return `${what ?? 'what is gone'}: ${place(previousRect)} → ${place(currentRect)}`;
          }),
        ),
      );
    }).observe({type: 'layout-shift', buffered: true});
    setTimeout(() => resolve([]), 300);
  });

describe('a page that loads the widget only after it was painted', () => {
  const browser = browserForTests();
  const server = serverForTests(({url = ''}, response) => {
    const {pathname, searchParams} = new URL(url, 'http://localhost');
    if (pathname.endsWith('.js'))
      response.setHeader('content-type', 'text/javascript').end(readFileSync(join(DIST, pathname)));
    else response.setHeader('content-type', 'text/html').end(page(searchParams.get('variant') ?? 'card'));
  });

  it('does not shift, at any width and in every variant', async () => {
    const shifts: string[] = [];
    for (const [variant, widths] of [
      ['card', [320, 400, 900]],
      ['compact', [320]],
      ['button', [400]],
    ] as const) {
      const {page: tab} = await browser.openPage(`${server.url}/?variant=${variant}`);
      for (const width of widths) {
        await tab.setViewport({width, height: 800});
        await tab.reload();
        await tab.evaluate(() => new Promise(requestAnimationFrame));
        await tab.addScriptTag({type: 'module', url: '/define.js'});
        const part =
          variant === 'button' ? 'swap-widget >>> swap-widget-launch >>> button' : 'swap-widget >>> .primary';
        await tab.waitForSelector(part, {visible: true});
        await tab.waitForFunction(
          () => getComputedStyle(document.querySelector('swap-widget')!).getPropertyValue('--_speed') === '1',
        );
        const shifted = await tab.evaluate(moved);
        shifts.push(...shifted.map(shift => `${variant} at ${String(width)} pixels: ${shift}`));
      }
      await tab.close();
    }
    equal(shifts.join('\n'), '');
  });
});
