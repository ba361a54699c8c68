import {deepEqual, ok} from 'node:assert/strict';
import type {ElementHandle} from 'puppeteer-core';
import {SandboxClient} from '../sandbox/client.js';
import {axeViolations, browserForTests} from '../support/browser.js';
import {startDemo, type RunningDemo} from '../support/demo.js';
import {scaled} from '../support/limits.js';
import {Visitor} from '../support/visitor.js';

const FROM = 'base_sepolia:wbtc';
const TO = 'ethereum_sepolia:wbtc';
const AMOUNT = '0.01';
const TIMEOUT = {timeout: scaled(30_000)};

const box = (element: ElementHandle) =>
  element.evaluate(one => {
    const {top, bottom} = one.getBoundingClientRect();
    return {top, bottom};
  });

describe('a swap in a real page', () => {
  let demo: RunningDemo;
  const browser = browserForTests();

  before(async () => {
    demo = await startDemo(9300);
  });
  after(() => demo.close());

  /** The playground with a pair for which wallets pay and receive. */
  const playground = () => `${demo.page}?${String(new URLSearchParams({from: FROM, to: TO, amount: ''}))}`;

  async function visit(url: string) {
    const opened = await browser.openPage(url);
    const {origin} = new URL(demo.page);
    const {appId} = await new SandboxClient(origin, '').info();
    const client = new SandboxClient(origin, appId);
    return {...opened, visitor: new Visitor(opened.page, client), client};
  }

  it('simulates failures, restores them from the URL, and clears them', async () => {
    const {page, visitor, errors} = await visit(`${demo.page}?${String(new URLSearchParams({tab: 'simulate'}))}`);
    await visitor.button('You pay: WBTC, Base Sepolia');
    const fault = (name: string) => page.waitForSelector(`#faults input[data-fault="${name}"]`, TIMEOUT);
    await (await fault('emptyQuotes'))!.click();
    // The page's URL has it once the service does.
    await page.waitForFunction(() => location.search.includes('emptyQuotes'), TIMEOUT);
    await visitor.type('0.02');
    await visitor.read('No price right now');
    await (await fault('hostile'))!.click();
    for (const tab of ['simulate', 'wallets', 'chains']) {
      await page.click(`#${tab}-tab`);
      deepEqual(await axeViolations(page), [], tab);
    }
    await page.click('#simulate-tab');
    await page.waitForFunction(() => location.search.includes('hostile'), TIMEOUT);
    await visitor.reload();
    await visitor.read('No price right now');
    await page.click('::-p-text(Clear all)');
    await page.waitForFunction(() => !location.search.includes('faults'), TIMEOUT);
    await visitor.type('0.03');
    await page.waitForFunction(
      field => Number(field?.value.replace(/[^\d.]/g, '')) > 0,
      TIMEOUT,
      await page.waitForSelector('swap-widget >>> input#receive', TIMEOUT),
    );
    deepEqual(errors, []);
  });

  for (const [width, height] of [
    [360, 640],
    [640, 360],
  ] as const) {
    it(`works by touch at ${String(width)} by ${String(height)} pixels, with the next step always in view`, async () => {
      const {visitor, page, errors} = await visit(playground());
      await page.setViewport({width, height, isMobile: true, hasTouch: true});
      await visitor.type(AMOUNT);
      await page.$eval('swap-widget', widget => widget.scrollIntoView());
      const tapNext = async (name: string) => {
        const button = await visitor.button(name);
        await page.waitForFunction(
          element => {
            const {top, bottom} = element.getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight && element.getAttribute('aria-disabled') !== 'true';
          },
          TIMEOUT,
          button,
        );
        ok((await button.boundingBox())!.height >= 44);
        await visitor.press(name, {by: 'tap'});
      };
      await tapNext('Connect a wallet');
      const isUp = (sheet: Element | null) =>
        sheet?.matches(':modal') && Math.round(sheet.getBoundingClientRect().bottom) === innerHeight;
      const sheet = await page.waitForSelector('swap-widget >>> swap-widget-wallet-picker >>> dialog', TIMEOUT);
      await page.waitForFunction(isUp, TIMEOUT, sheet);
      await visitor.chooseWallet();
      await tapNext('Review swap');
      // The review is a sheet, too, over the unchanged form.
      const review = await page.waitForSelector('swap-widget >>> swap-widget-review-view >>> dialog', TIMEOUT);
      await page.waitForFunction(isUp, TIMEOUT, review);
      await tapNext('Place swap');
      await visitor.releaseToken();
      await visitor.answer(/^Pay/, 'Approve');
      await visitor.until('complete');
      await tapNext('New swap');
      deepEqual(errors, []);
    });
  }

  it('has the button that confirms a risk below the warning, on a phone', async () => {
    const {visitor, page} = await visit(playground());
    await visitor.connect();
    await visitor.type(AMOUNT);
    await visitor.button('Review swap');
    await visitor.typeAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
    await page.setViewport({width: 360, height: 640, isMobile: true, hasTouch: true});
    const yes = await visitor.button('Yes, send it there');
    const warning = await page.waitForSelector('swap-widget >>> .notice.loss', {...TIMEOUT, visible: true});
    for (const top of [0, 200, 10_000]) {
      await page.evaluate(to => {
        scrollTo(0, to);
      }, top);
      const [{bottom}, {top: start}] = [await box(warning!), await box(yes)];
      ok(bottom <= start, `at ${String(top)}: ${String(bottom)} is not above ${String(start)}`);
    }
  });
});
