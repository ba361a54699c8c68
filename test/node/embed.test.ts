import {deepEqual, equal, ok} from 'node:assert/strict';
import {after, before, describe, it} from 'node:test';
import {openBrowser, type TestBrowser} from '../support/browser.js';
import {startDemo, type RunningDemo} from '../support/demo.js';

/** The built widget on a partner's page: another origin, one script tag, a strict policy. */
describe('the built widget on a strict page', () => {
  let demo: RunningDemo;
  let browser: TestBrowser;

  before(async () => {
    [demo, browser] = await Promise.all([startDemo(9200), openBrowser()]);
  });
  after(async () => {
    await Promise.all([demo.close(), browser.close()]);
  });

  it('shows its form, styled, without violating the page’s policy', async () => {
    const {page, errors, violations} = await browser.openPage(demo.partner);
    await page.waitForSelector('swap-widget >>> input[inputmode=decimal]', {visible: true});
    const styled = await page.$eval('swap-widget', widget => (widget.shadowRoot?.adoptedStyleSheets.length ?? 0) > 0);
    ok(styled);
    deepEqual(await violations(), []);
    deepEqual(errors, []);
  });

  it('loads late chunks from its own origin', async () => {
    const {page, errors, violations} = await browser.openPage(demo.partner);
    const widgetOrigin = new URL(demo.page).origin;
    const scripts: string[] = [];
    page.on('response', response => {
      if (response.request().resourceType() === 'script') scripts.push(response.url());
    });
    const choose = await page.waitForSelector('swap-widget >>> button[aria-haspopup]', {visible: true});
    await choose!.click();
    await page.waitForSelector('swap-widget >>> [role=listbox]', {visible: true});
    ok(scripts.length > 0, 'nothing was loaded late');
    for (const url of scripts) equal(new URL(url).origin, widgetOrigin);
    deepEqual(await violations(), []);
    deepEqual(errors, []);
  });
});
