import {deepEqual, equal, match, ok} from 'node:assert/strict';
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ElementHandle} from 'puppeteer-core';
import {balanceOf, SandboxClient} from '../sandbox/client.js';
import {axeViolations, openBrowser, type TestBrowser} from '../support/browser.js';
import {DIST} from '../support/dist.js';
import {newAddress} from '../support/evm-key.js';
import {embed, EXAMPLES, serveFolder} from '../support/examples.js';
import {startDemo, type RunningDemo} from '../support/demo.js';
import {scaled} from '../support/limits.js';
import {Visitor} from '../support/visitor.js';

const FROM = 'base_sepolia:wbtc';
const TO = 'ethereum_sepolia:wbtc';
const AMOUNT = '0.01';
const UNITS = 1_000_000n;
const TIMEOUT = {timeout: scaled(30_000)};

/** Places a swap and pays it with Harbor's wallet. */
async function pay(visitor: Visitor): Promise<void> {
  await visitor.type(AMOUNT);
  await visitor.press('Review swap');
  await visitor.press('Place swap');
  await visitor.releaseToken();
  await visitor.answer(/^Pay/, 'Approve');
}

/** Reads an address's balances on both chains. */
async function holdings(client: SandboxClient, address: string): Promise<{source: bigint; destination: bigint}> {
  const {chains} = await client.info();
  const [source, destination] = await Promise.all([
    balanceOf(chains['base_sepolia']!, FROM, address),
    balanceOf(chains['ethereum_sepolia']!, TO, address),
  ]);
  return {source, destination};
}

const box = (element: ElementHandle) =>
  element.evaluate(one => {
    const {top, bottom} = one.getBoundingClientRect();
    return {top, bottom};
  });

describe('a swap in a real page', () => {
  let demo: RunningDemo;
  let browser: TestBrowser;

  before(async () => {
    [demo, browser] = await Promise.all([startDemo(9300), openBrowser()]);
  });
  after(async () => {
    await Promise.all([demo.close(), browser.close()]);
  });
  afterEach(() => browser.closePages());

  /** The playground with a pair for which wallets pay and receive. */
  const playground = () => `${demo.page}?${String(new URLSearchParams({from: FROM, to: TO, amount: ''}))}`;

  async function visit(url: string) {
    const opened = await browser.openPage(url);
    const {origin} = new URL(demo.page);
    const {appId} = await new SandboxClient(origin, '').info();
    const client = new SandboxClient(origin, appId);
    return {...opened, visitor: new Visitor(opened.page, client), client};
  }

  /** The payer's account, from its field. */
  async function payer({page}: Visitor): Promise<string> {
    const field = await page.waitForSelector(
      'swap-widget >>> swap-widget-address-field[side=pay] >>> .account[title]',
      {
        ...TIMEOUT,
        visible: true,
      },
    );
    return field!.evaluate(element => element.getAttribute('title')!);
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
    // Another page with this app id has it, too, and takes it from nobody.
    const other = await visit(`${demo.page}?tab=simulate`);
    await other.page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('#faults input[data-fault="emptyQuotes"]')?.checked,
      TIMEOUT,
    );
    await other.visitor.read('No price right now');
    await other.page.close();
    await page.bringToFront();
    await (await fault('hostile'))!.click();
    const kinds = await page.waitForSelector('#faults ::-p-aria([name="Which"][role="combobox"])', TIMEOUT);
    // What is read has sentences and words, code aside, and no names of faults and options.
    const read = await page.$$eval('#simulate-panel :not(code, select)', all =>
      all.flatMap(({childNodes}) => [...childNodes].map(node => (node instanceof Text ? node.data : ''))).join('\n'),
    );
    equal(/\b[a-z]+[A-Z]\w*|\w+-\w+-\w+|\b(?:bps|ms)\b/.exec(read), null);
    match(read, /New orders wait for 6 confirmations of the visitor’s payment/);
    match(read, /The price takes long/);
    for (const tab of ['simulate', 'wallets', 'chains']) {
      await page.click(`#${tab}-tab`);
      deepEqual(await axeViolations(page), [], tab);
    }
    await page.click('#simulate-tab');
    ok((await kinds!.$$('option')).length > 5);
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

  it('resumes after a reload at every step', async () => {
    const {visitor, client, errors} = await visit(playground());
    await visitor.connect();
    const address = await payer(visitor);
    const before = await holdings(client, address);

    await visitor.type(AMOUNT);
    await visitor.button('Review swap');
    await visitor.reload();
    equal(await visitor.amount(), AMOUNT);
    await visitor.press('Review swap');
    await visitor.until('reviewing');
    await visitor.reload();
    await visitor.press('Review swap');
    await visitor.press('Place swap');

    // The prompt closes with the page; an approval moves no money, so it is requested again.
    await visitor.asked(/^Allow 0\.01 WBTC$/);
    await visitor.reload();
    await visitor.press('Allow 0.01 WBTC');
    await visitor.answer(/^Allow 0\.01 WBTC$/, 'Approve');

    // A signature that was not sent pays nothing, so it is requested again too.
    await visitor.asked(/^Pay 0\.01 WBTC by signature$/);
    await visitor.reload();
    await visitor.press('Sign with Harbor');
    await visitor.answer(/^Pay 0\.01 WBTC by signature$/, 'Reject');
    await visitor.read('You declined in your wallet.');
    await visitor.reload();
    await visitor.press('Sign with Harbor');
    await visitor.answer(/^Pay 0\.01 WBTC by signature$/, 'Approve');
    await visitor.page.waitForFunction(
      () =>
        ['deposit-seen', 'confirming', 'settling', 'complete'].includes(
          (document.querySelector('swap-widget') as (Element & {stage?: string}) | null)?.stage ?? '',
        ),
      {...TIMEOUT, polling: 20},
    );
    await visitor.reload();
    await visitor.until('complete');

    const {source_swap: source, destination_swap: destination} = await visitor.order();
    const end = await holdings(client, address);
    equal(before.source - end.source, UNITS);
    equal(BigInt(source.amount), UNITS);
    equal(end.destination - before.destination, BigInt(destination.amount));
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
      const sheet = await page.waitForSelector('swap-widget >>> swap-widget-wallet-picker', {
        ...TIMEOUT,
        visible: true,
      });
      await page.waitForFunction(
        element =>
          element?.matches(':popover-open') && Math.round(element.getBoundingClientRect().bottom) === innerHeight,
        TIMEOUT,
        sheet,
      );
      await visitor.chooseWallet();
      await tapNext('Review swap');
      // The review is a sheet, too, over the unchanged form.
      const review = await page.waitForSelector('swap-widget >>> swap-widget-review-view >>> .frame', TIMEOUT);
      await page.waitForFunction(
        frame => frame?.matches(':popover-open') && Math.round(frame.getBoundingClientRect().bottom) === innerHeight,
        TIMEOUT,
        review,
      );
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

  it('has touch targets of at least 44 pixels in the form and the review', async () => {
    const {visitor, page} = await visit(playground());
    await page.setViewport({width: 390, height: 800, isMobile: true, hasTouch: true});
    await visitor.connect();
    await visitor.type(AMOUNT);
    await visitor.button('Review swap');
    await visitor.read('Cost');
    const small = () =>
      page.evaluate(() => {
        const all = (root: ParentNode): HTMLElement[] =>
          [...root.querySelectorAll<HTMLElement>('*')].flatMap(element => [
            element,
            ...(element.shadowRoot ? all(element.shadowRoot) : []),
          ]);
        return all(document.querySelector('swap-widget')!.shadowRoot!)
          .filter(element => element.matches('button, input:not(.hidden), summary') && element.checkVisibility())
          .map(element => ({name: element.ariaLabel ?? element.textContent, box: element.getBoundingClientRect()}))
          .filter(({box}) => box.width < 44 || box.height < 43.5)
          .map(({name, box}) => `${name.trim()}: ${String(Math.round(box.width))} × ${String(Math.round(box.height))}`);
      });
    deepEqual(await small(), [], 'the form');
    await visitor.press('Review swap');
    await visitor.button('Place swap');
    deepEqual(await small(), [], 'the review');
  });

  it('earns a fee that the weekly payout pays, and reports a payout that was dropped', async () => {
    const payee = newAddress();
    const asset = 'base_sepolia:usdc';
    const query = new URLSearchParams({'affiliate-fees': `${asset} ${payee} 30`, tab: 'payouts'});
    const {visitor, page, client, errors} = await visit(`${playground()}&${String(query)}`);
    const status = async (wanted: string) => {
      const says = (text: string) =>
        document.querySelector('#payouts [role="status"]')?.textContent.trim() === text &&
        document.querySelector('#payouts .button')?.ariaDisabled !== 'true';
      await page.waitForFunction(says, TIMEOUT, wanted).catch(async (cause: unknown) => {
        throw new Error(await page.$eval('#payouts', ({textContent}) => textContent), {cause});
      });
    };
    const weeks = () =>
      page.$$eval('#payouts tbody tr', rows =>
        rows.map(row =>
          Array.from(row.querySelectorAll('td'), ({textContent}) => textContent.replace(/\s+/g, ' ').trim()),
        ),
      );
    const held = async () => balanceOf((await client.info()).chains['base_sepolia']!, asset, payee);
    /** Swaps through the page; returns the fee that the service reports, in whole units. */
    const swap = async () => {
      await pay(visitor);
      await visitor.until('complete');
      const [fee] = (await visitor.order())['affiliate_fees'] as unknown as readonly {amount: string}[];
      await visitor.press('New swap');
      return BigInt(fee!.amount);
    };
    /** Presses it once it stands still: what is above it grows and shrinks with the swap. */
    const press = (selector: string) => page.locator(selector).setTimeout(TIMEOUT.timeout).click();
    const endWeek = () => press('::-p-aria([name="End the week"][role="button"])');
    const text = (units: bigint) => String(Number(units) / 1e6);

    await status('Nothing was earned yet. Complete a swap, and end the week.');
    await visitor.connect();
    const first = await swap();
    ok(first > 0n);
    await status('Nothing is due before the week ends.');
    deepEqual(await weeks(), [[text(first), '– the week goes on']]);
    await endWeek();
    await status('All that was due is paid.');
    deepEqual(await weeks(), [[text(first), `${text(first)} in full`]]);
    equal(await held(), first);

    await press('#simulate-tab');
    await press('#faults input[data-fault="payoutDropped"]');
    const second = await swap();
    await press('#payouts-tab');
    await endWeek();
    await status('Of the payouts, 1 is missing.');
    deepEqual(await weeks(), [
      [text(first), `${text(first)} in full`],
      [text(second), '0 nothing came'],
    ]);
    equal(await held(), first);
    deepEqual(await axeViolations(page), []);
    deepEqual(errors, []);
  });

  it('is tracked again as soon as the connection is back', async () => {
    const {visitor, client, page} = await visit(playground());
    await client.faults({solverGone: true});
    await visitor.connect();
    const address = await payer(visitor);
    const before = await holdings(client, address);
    await pay(visitor);
    await visitor.until('settling');
    const id = String((await visitor.order())['order_id']);
    await page.setOfflineMode(true);
    await client.ask('/sandbox/faults', {method: 'DELETE', body: {appId: client.appId}});
    const {destination_swap: destination} = await client.until(
      id,
      order => order.destination_swap.redeem_tx_hash !== '',
    );
    await visitor.until('settling');
    await page.setOfflineMode(false);
    await visitor.until('complete');
    const end = await holdings(client, address);
    equal(before.source - end.source, UNITS);
    equal(end.destination - before.destination, BigInt(destination.amount));
  });

  it('shows a price in the plain HTML example, with its attributes and properties', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'swap-widget-html-'));
    const files = join(folder, 'html/public');
    cpSync(join(EXAMPLES, 'html/public'), files, {recursive: true});
    symlinkSync(DIST, join(files, 'swap-widget'), 'junction');
    const point = () => embed('html', `--origin=${new URL(demo.page).origin}`, `--in=${folder}`);
    const written = () => ['settings.js', 'index.html'].map(file => readFileSync(join(files, file), 'utf8'));
    await point();
    const once = written();
    await point();
    deepEqual(written(), once, 'a second time is not the same as once');
    const server = await serveFolder(files);
    try {
      const {visitor, errors} = await visit(server.url);
      await visitor.button('You pay: WBTC, Base Sepolia');
      await visitor.type(AMOUNT);
      await visitor.read('site fee');
      deepEqual(errors, []);
    } finally {
      await server.close();
      rmSync(folder, {recursive: true});
    }
  });
});
