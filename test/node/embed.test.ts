import {deepEqual, equal, ok, rejects} from 'node:assert/strict';
import {setTimeout as pause} from 'node:timers/promises';
import {openAnyBrowser, type AnyPage} from '../support/browser.js';
import {startDemo, type RunningDemo} from '../support/demo.js';
import {embed} from '../support/examples.js';

/** The built widget on a partner's page: another origin, one script tag, a strict policy. */
describe('the built widget on a strict page', () => {
  let demo: RunningDemo;
  let browser: Awaited<ReturnType<typeof openAnyBrowser>>;

  before(async () => {
    [demo, browser] = await Promise.all([startDemo(9200), openAnyBrowser()]);
  });
  after(async () => {
    await Promise.all([demo.close(), browser.close()]);
  });

  it('shows its styled form, and loads late scripts from its own origin, without violating the policy', async () => {
    const {page, errors = [], violations} = await browser.openPage(demo.partner);
    await see(page, 'input[inputmode=decimal]');
    ok(await page.evaluate(() => document.querySelector('swap-widget')!.shadowRoot!.adoptedStyleSheets.length > 0));

    const before = await scripts(page);
    await see(page, 'button[aria-haspopup]', 'press');
    await see(page, '[role=listbox]');
    const late = (await scripts(page)).filter(url => !before.includes(url));
    ok(late.length > 0, 'nothing was loaded late');
    for (const url of late) equal(new URL(url).origin, new URL(demo.page).origin);
    deepEqual(await violations(), []);
    deepEqual(errors, []);
  });
});

describe('npm run embed', () => {
  for (const [what, args, says] of [
    ['lists the examples if none is named', [], /^Name an example: angular, .*react, .*vue, wallets, wordpress\.\n$/],
    ['reports an unknown example, and lists the others', ['x', 'vue'], /^There is no example x: angular, .*\.\n$/],
    [
      'says what to do if no sandbox runs',
      ['vue', '--origin=http://127.0.0.1:1'],
      /:1 \(.*\)\. Run npm start first; .*\n$/,
    ],
  ] as const) {
    it(what, () => rejects(embed(...args), (error: {readonly stderr: string}) => says.test(error.stderr)));
  }
});

type Page = AnyPage['page'];

/** Waits until something is visible in any shadow tree, and optionally clicks it. */
async function see(page: Page, selector: string, press?: 'press'): Promise<void> {
  for (let turn = 0; turn < 150; turn++) {
    const isSeen = await page.evaluate(
      (selector, press) => {
        const roots: ParentNode[] = [document];
        for (const root of roots) {
          for (const element of root.querySelectorAll<HTMLElement>('*')) {
            if (element.shadowRoot) roots.push(element.shadowRoot);
            if (!element.matches(selector) || !element.checkVisibility()) continue;
            if (press) element.click();
            return true;
          }
        }
        return false;
      },
      selector,
      press ?? null,
    );
    if (isSeen) return;
    await pause(100);
  }
  throw new Error(`There is no ${selector}.`);
}

function scripts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({name}) => name)
      .filter(name => /\.[jt]s$/.test(new URL(name).pathname)),
  );
}
