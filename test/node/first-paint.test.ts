import {deepEqual, equal, match, ok} from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Page} from 'puppeteer-core';
import {pathToFileURL} from 'node:url';
import {gzipSync} from 'node:zlib';
import {PAIR} from '../../.build/embed-page.js';
import {drawForm} from '../../src/elements/first-paint.js';
import english from '../../src/locales/en.json?form';
import {axeViolations, browserForTests, serverForTests} from '../support/browser.js';
import {DIST} from '../support/dist.js';

const read = (file: string) => readFileSync(join(DIST, 'first-paint', file), 'utf8');
const LANGUAGES = readdirSync(join(DIST, 'first-paint')).flatMap(file => /^(\w+)\.html$/.exec(file)?.[1] ?? []);

/** An element with the server-rendered form of a language, or the button. */
function widget(language = 'en', attributes = '', markup = read(`${language}.html`)): string {
  return `<swap-widget lang="${language}" base-url="https://service.example" from="bitcoin:btc" to="base:cbbtc"
    ${attributes}>${markup}<p>The swap form is loading.</p></swap-widget>`;
}

/** The policy in the documents, with the hashes of the markup's styles. */
const POLICY = `default-src 'none'; script-src 'self'; connect-src 'self' https://service.example; img-src data:;
  require-trusted-types-for 'script'; trusted-types lit-html`.replace(/\s+/g, ' ');

/** The visible form or button: `still` if it is server-rendered, `widget` if it is live. */
const seen = () =>
  everything()
    .filter(one => /^swap-(still|widget)-(form-view|launch)$/.test(one.localName) && one.checkVisibility())
    .map(({localName}) => localName.split('-')[1])
    .join(' ');

/** In the page: what was visible in each frame, and the layout shifts. */
declare const watched: {frames: string[]; shifts: number[]};

/** In the page, before its scripts: records them. */
const watch = () => {
  const frames: string[] = [];
  const shifts: number[] = [];
  const look = () => {
    const inputs = everything().filter(element => element.matches('#amount, button[part=launch]'));
    const state = inputs.filter(input => input.checkVisibility({visibilityProperty: true})).length;
    // What follows the element exists once all of it has been parsed.
    if (document.querySelector('swap-widget + p')) frames.push(String(state));
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & {value: number}).value);
  }).observe({type: 'layout-shift', buffered: true});
  Object.assign(globalThis, {watched: {frames, shifts}});
};

describe('the server-rendered form', () => {
  let body: string;
  let policy: string | undefined;
  /** Which of the widget’s files are missing, and which arrive only when the test lets them. */
  let missing: RegExp | undefined;
  let late: RegExp | undefined;
  /** The text after whose last occurrence the rest of the page arrives only when the test lets it. */
  let pause: string | undefined;
  let letCome: () => void;
  let held: Promise<void>;

  const browser = browserForTests();
  const server = serverForTests(({url = ''}, response) => {
    const {pathname} = new URL(url, 'http://localhost');
    const isScript = pathname.endsWith('.js');
    if (isScript && missing?.test(pathname)) response.writeHead(404).end();
    else if (isScript) {
      const send = () => response.setHeader('content-type', 'text/javascript').end(readFileSync(join(DIST, pathname)));
      if (late?.test(pathname)) void held.then(send);
      else send();
    } else {
      if (policy) response.setHeader('content-security-policy', policy);
      const html = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>A page</title>
             <link rel="icon" href="data:,"><main><h1>A page</h1>${body}<p>After</p></main>`;
      const [first, ...rest] = pause === undefined ? [html] : html.split(new RegExp(`(?<=${pause})(?![^]*${pause})`));
      response.setHeader('content-type', 'text/html; charset=utf-8').write(first);
      if (rest.length) void held.then(() => response.end(rest.join('')));
      else response.end();
    }
  });
  beforeEach(() => {
    body = widget();
    policy = missing = late = pause = undefined;
    held = new Promise(resolve => {
      letCome = resolve;
    });
  });
  afterEach(() => letCome());

  const open = async () => {
    const opened = await browser.openPage(server.url);
    await opened.page.setViewport({width: 400, height: 800});
    return opened;
  };
  const addScript = (page: Page) =>
    page.evaluate(() => {
      const script = document.createElement('script');
      // A page that requires Trusted Types has its own policy.
      const {trustedTypes} = globalThis as {
        trustedTypes?: {createPolicy(name: string, rules: object): {createScriptURL(url: string): string}};
      };
      script.type = 'module';
      script.src = trustedTypes
        ? trustedTypes.createPolicy('page', {createScriptURL: (url: string) => url}).createScriptURL('/define.js')
        : '/define.js';
      document.head.append(script);
    });
  const untilAlive = async (page: Page) => {
    await page.waitForFunction(
      () =>
        customElements.get('swap-widget') &&
        [...document.querySelectorAll('swap-widget')].every(one => !one.shadowRoot?.querySelector('style')),
    );
  };
  const drawn = (selector: string) => `swap-widget >>> swap-still-form-view >>> ${selector}`;
  const alive = (selector: string) => `swap-widget >>> swap-widget-form-view >>> ${selector}`;

  it('is the same as the package renders on a server, in every language', () => {
    const entry = pathToFileURL(join(DIST, 'npm/first-paint.js')).href;
    const draw = `const {firstPaint} = await import(${JSON.stringify(entry)});
      const all = ${JSON.stringify(LANGUAGES)}.map(lang => firstPaint({...${JSON.stringify(PAIR)}, lang}));
      process.stdout.write(JSON.stringify(all));`;
    const drawn = execFileSync(process.execPath, ['--input-type=module', '--eval', draw], {
      encoding: 'utf8',
      maxBuffer: 2 ** 24,
    });
    deepEqual(
      JSON.parse(drawn),
      LANGUAGES.map(language => read(`${language}.html`)),
    );
  });

  it('has the direction of its language', () => {
    for (const [language, direction] of [
      ['ar', 'rtl'],
      ['he', 'rtl'],
      ['fa', 'rtl'],
      ['de', 'ltr'],
    ] as const)
      match(
        drawForm({from: 'bitcoin:btc'}, {language, form: english}),
        new RegExp(`lang="${language}" dir="${direction}"`),
      );
  });

  it('has no field into which a phone would zoom, even before any script', async () => {
    const {page} = await open();
    await page.setViewport({width: 360, height: 640, isMobile: true, hasTouch: true});
    const sizes = await page.$$eval('>>> input', inputs =>
      inputs.map(input => Number.parseFloat(getComputedStyle(input).fontSize)),
    );
    equal(sizes.length, 3);
    deepEqual(
      sizes.filter(size => size < 16),
      [],
    );
  });

  it('is no more than 4.5 kB, compressed', () => {
    for (const language of LANGUAGES) {
      const size = gzipSync(read(`${language}.html`), {level: 9}).length;
      ok(size <= 4500, `${language}: ${String(size)}`);
    }
    equal(LANGUAGES.length, 11);
  });

  it('looks like the live form, in every language, in light and dark, and at every size', async () => {
    const one = (language: string, attributes: string) =>
      `<div data-of="${language} ${attributes.replaceAll('"', '')}">${widget(language, attributes)}</div>`;
    const button = (language: string) =>
      `<div data-of="${language} button">${widget(language, 'variant="button"', read(`${language}.button.html`))}</div>`;
    const style = `<style>main { display: flex; flex-wrap: wrap; gap: 8px } h1 { inline-size: 100% } div { inline-size: 400px }
      .slim { inline-size: 250px } .narrow { inline-size: 300px } .wide { inline-size: 640px } div > div { inline-size: auto }</style>`;
    const forms = LANGUAGES.map(language => one(language, 'theme="light"') + one(language, 'theme="dark"')).join('');
    const sizes = `${one('en', 'variant="compact"')}<div class="slim">${one('en', 'id="slim"')}</div><div class="narrow">${one('en', '')}</div>
      <div class="wide">${one('ar', '')}</div>`;
    const buttons = LANGUAGES.map(button).join('');
    body = style + forms + sizes + buttons;
    const {page, errors} = await open();
    await page.setViewport({width: 1300, height: 900});
    // Until two are equal: a part of a long page may not be painted yet.
    const take = async () => {
      for (let last = ''; ;) {
        const now = await page.screenshot({fullPage: true, optimizeForSpeed: true, encoding: 'base64'});
        if (now === last) return now;
        last = now;
      }
    };
    const before = await take();
    await page.addScriptTag({type: 'module', url: '/define.js'});
    await untilAlive(page);
    await page.waitForNetworkIdle();
    deepEqual(await page.evaluate(differences, before, await take()), []);
    deepEqual(errors, []);
  });

  it('stays until the live form replaces it, without a layout shift', async () => {
    for (const [language, variant, width = 400, touch = false] of [
      ['en', ''],
      ['de', ''],
      ['en', 'button'],
      ['en', '', 266],
      ['en', '', 390, true],
    ] as const) {
      body = variant ? widget(language, `variant="${variant}"`, read(`${language}.${variant}.html`)) : widget(language);
      const {page, errors} = await open();
      await page.setViewport({width, height: 800, hasTouch: touch, isMobile: touch});
      await page.evaluateOnNewDocument(watch);
      await page.reload();
      await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 50)));
      await page.addScriptTag({type: 'module', url: '/define.js'});
      await untilAlive(page);
      equal(await page.evaluate(seen), 'widget');
      await page.waitForFunction(
        () => getComputedStyle(document.querySelector('swap-widget')!).getPropertyValue('--_speed') === '1',
      );
      const {frames, shifts} = await page.evaluate(() => watched);
      const name = `${language} ${variant} ${String(width)} ${String(touch)}`;
      deepEqual([...new Set(frames)], ['1'], name);
      deepEqual(shifts, [], name);
      deepEqual(errors, []);
      await page.close();
    }
  });

  it('has its final place and size as soon as any of it is visible, wherever the page’s arrival pauses', async () => {
    const {page} = await open();
    await page.evaluateOnNewDocument(watch);
    const look = () =>
      page.$eval(drawn('section'), form => form.checkVisibility({visibilityProperty: true}) && form.clientHeight);
    for (pause of ['id="amount"', 'cbBTC', '<footer', '</template>']) {
      held = new Promise(resolve => (letCome = resolve));
      await page.goto('about:blank');
      const going = page.goto(server.url);
      await page.waitForSelector(drawn('section'));
      const height = await look();
      equal(height !== false, pause === '</template>');
      letCome();
      await going;
      equal(height || (await look()), await look());
      deepEqual(await page.evaluate(() => watched.shifts), [], pause);
    }
  });

  it('is accessible while it waits for the script, and is marked as busy', async () => {
    body = widget() + widget('en', 'variant="button"', read('en.button.html'));
    const {page} = await open();
    deepEqual(await page.$eval(drawn('section'), ({ariaBusy, ariaLabel}) => [ariaBusy, ariaLabel]), ['true', 'Swap']);
    deepEqual(await axeViolations(page), []);
    await page.addScriptTag({type: 'module', url: '/define.js'});
    await untilAlive(page);
    deepEqual(await axeViolations(page), []);
  });

  it('keeps what was typed before the script loaded, and the caret', async () => {
    const {page, errors} = await open();
    const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    await (await page.waitForSelector(drawn('[part=receive] >>> #address')))?.type(ADDRESS);
    const amount = await page.waitForSelector(drawn('#amount'));
    await amount?.type('0,15');
    await page.keyboard.press('ArrowLeft');
    await page.addScriptTag({type: 'module', url: '/define.js'});
    await untilAlive(page);
    await page.keyboard.type('2');
    const value = (selector: string) => page.$eval(selector, input => (input as HTMLInputElement).value);
    equal(await value(alive('#amount')), '0,125');
    // Nor does it move when the rest is loaded.
    await page.waitForNetworkIdle();
    await page.keyboard.type('3');
    equal(await value(alive('#amount')), '0,1235');
    match(await value(alive('[part=receive] >>> #address')), /^0x5aAeb6/);
    // There is no service.
    deepEqual(
      errors.filter(error => !error.includes('service.example')),
      [],
    );
  });

  it('reads an amount typed before the script loaded in the notation of its language', async () => {
    body = widget('de');
    const {page, errors} = await open();
    await (await page.waitForSelector(drawn('#amount')))?.type('1.500');
    await page.addScriptTag({type: 'module', url: '/define.js'});
    const note = alive('swap-widget-amount-field >>> swap-widget-amount-note');
    await page.waitForSelector(`${note} >>> button`, {visible: true});
    deepEqual(await page.$$eval(`${note} >>> button`, all => all.map(one => one.textContent.trim())), [
      '1.500 BTC verwenden',
      '1,5 BTC verwenden',
    ]);
    equal(await page.$eval(alive('#amount'), input => (input as HTMLInputElement).value), '1.500');
    deepEqual(errors, []);
  });

  it('completes a click during which the script loads', async () => {
    const {page, errors} = await open();
    await (await page.waitForSelector(drawn('[part=receive] button[part=asset]')))?.hover();
    await page.mouse.down();
    await page.addScriptTag({type: 'module', url: '/define.js'});
    await page.waitForNetworkIdle();
    equal(await page.evaluate(seen), 'still');
    await page.mouse.up();
    await page.waitForSelector('swap-widget >>> swap-widget-asset-picker >>> h2', {visible: true});
    equal(await page.evaluate(seen), 'widget');
    deepEqual(errors, []);
  });

  it('carries out a click made before the script loaded, once', async () => {
    const pickers = [
      ['button[aria-label="Connect a wallet to pay from"]', 'swap-widget-wallet-picker'],
      ['[part=receive] button[part=asset]', 'swap-widget-asset-picker'],
    ] as const;
    for (const [button, picker] of pickers) {
      const {page, errors} = await open();
      const pressed = await page.waitForSelector(drawn(button));
      await pressed?.click();
      await pressed?.click();
      await page.addScriptTag({type: 'module', url: '/define.js'});
      await page.waitForSelector(`swap-widget >>> ${picker} >>> h2`, {visible: true});
      deepEqual(errors, []);
      await page.close();
    }
  });

  it('swaps the pair, opens the list of swaps, or focuses the amount, as it was clicked', async () => {
    const press = async (selector: string) => {
      const {page} = await open();
      await (await page.waitForSelector(drawn(selector)))?.click();
      await page.addScriptTag({type: 'module', url: '/define.js'});
      await untilAlive(page);
      return page;
    };
    const turned = await press('.flip');
    await turned.waitForSelector(alive('[part=pay] button[aria-label="You pay: cbBTC, Base"]'));
    await turned.close();
    const list = await press('header button');
    await list.waitForSelector('swap-widget >>> swap-widget-journal-view >>> h2', {visible: true});
    await list.close();
    const primary = await press('.primary');
    await primary.keyboard.type('7');
    equal(await primary.$eval(alive('#amount'), input => (input as HTMLInputElement).value), '7');
    await primary.close();
  });

  it('opens the dialog of a button that was clicked before the script loaded', async () => {
    body = widget('en', 'variant="button"', read('en.button.html'));
    const {page, errors} = await open();
    await (await page.waitForSelector('swap-widget >>> swap-still-launch >>> button', {visible: true}))?.click();
    await page.addScriptTag({type: 'module', url: '/define.js'});
    await page.waitForSelector(alive('#amount'), {visible: true});
    deepEqual(errors, []);
  });

  it('takes over nothing from the markup that was not typed or clicked', async () => {
    const markup = read('en.html')
      .replaceAll('<input ', '<input value="12345" ')
      .replaceAll('popover="manual"', 'popover="manual" open')
      .replaceAll('BTC', 'EVIL');
    body = widget('en', '', markup);
    const {page} = await open();
    await page.addScriptTag({type: 'module', url: '/define.js'});
    await untilAlive(page);
    await page.waitForNetworkIdle();
    const values = await page.$$eval(alive('input'), inputs => inputs.map(input => (input as HTMLInputElement).value));
    deepEqual(new Set(values), new Set(['']));
    equal(await page.$(alive('[aria-label*="EVIL"]')), null);
  });

  it('stays until the messages of its language are loaded', async () => {
    late = /chunks\/(?:de|languages)-/;
    body = widget('de');
    const {page} = await open();
    await page.addScriptTag({type: 'module', url: '/define.js'});
    await page.waitForFunction(() =>
      document.querySelector('swap-widget')?.shadowRoot?.querySelector('swap-widget-form-view'),
    );
    await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 200)));
    equal(await page.evaluate(seen), 'still');
    letCome();
    await untilAlive(page);
    equal(await page.$eval(alive('label[for=amount]'), label => label.textContent), 'Du zahlst');
  });

  it('is in the page’s language from the first word on, with the form’s messages alone', async () => {
    late = /chunks\/(?:languages|settings)-/;
    for (const [language, label, direction] of [
      ['de', 'Du zahlst', 'ltr'],
      ['ar', 'تدفع', 'rtl'],
    ] as const) {
      body = widget(language, '', '');
      const {page} = await open();
      await page.evaluate(() => {
        const words = new Set<string>();
        const look = () => {
          const form = document.querySelector('swap-widget')?.shadowRoot?.querySelector('swap-widget-form-view');
          const field = form?.shadowRoot?.querySelector('swap-widget-amount-field')?.shadowRoot;
          const label = field?.querySelector('label');
          if (label?.checkVisibility({visibilityProperty: true})) words.add(label.textContent.trim());
          requestAnimationFrame(look);
        };
        look();
        Object.assign(globalThis, {words});
      });
      await page.addScriptTag({type: 'module', url: '/define.js'});
      await page.waitForFunction(() => (globalThis as unknown as {words: Set<string>}).words.size);
      // Longer than anything waits for messages.
      await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 1200)));
      const words = () => page.evaluate(() => [...(globalThis as unknown as {words: Set<string>}).words]);
      deepEqual(await words(), [label]);
      equal(await page.$eval('swap-widget >>> swap-widget-form-view', view => view.dir), direction);
    }
    letCome();
  });

  it('is replaced even if the take-over script cannot be loaded', async () => {
    missing = /take-over/;
    const {page} = await open();
    await page.addScriptTag({type: 'module', url: '/define.js'});
    await page.waitForSelector(alive('#amount'), {visible: true});
    equal(await page.evaluate(seen), 'widget');
  });

  it('is replaced by another view', async () => {
    body = widget('en', 'paused');
    const {page} = await open();
    await page.addScriptTag({type: 'module', url: '/define.js'});
    await page.waitForSelector('swap-widget >>> swap-widget-closed-view >>> h2', {visible: true});
    equal(await page.evaluate(seen), '');
  });

  it('is not shown without JavaScript; the page’s own content between the tags is', async () => {
    const {page} = await open();
    await page.setJavaScriptEnabled(false);
    await page.reload();
    const text = await page.evaluate(() => document.querySelector('swap-widget')!.innerText);
    equal(text.trim(), 'The swap form is loading.');
  });

  describe('under a strict policy', () => {
    it('is styled if the hashes of its styles are allowed', async () => {
      policy = `${POLICY} page; style-src ${read('style-src.txt')}`;
      const {page, violations, errors} = await open();
      await page.waitForSelector(drawn('#amount'), {visible: true});
      equal(await page.$eval(drawn('.frame'), frame => getComputedStyle(frame).display), 'flex');
      await addScript(page);
      await untilAlive(page);
      await page.waitForSelector(alive('#amount'), {visible: true});
      deepEqual(await violations(), []);
      deepEqual(errors, []);
    });

    it('is hidden if they are not, and the live form appears all the same', async () => {
      policy = `${POLICY} page`;
      const {page} = await open();
      equal(await page.evaluate(seen), '');
      await addScript(page);
      await page.waitForSelector(alive('#amount'), {visible: true});
      equal(await page.evaluate(seen), 'widget');
    });
  });
});

/** In the page: where two screenshots of it differ, except for asset icons, which load after the form. */
async function differences(...pictures: [string, string]): Promise<string[]> {
  const [before, now] = await Promise.all(
    pictures.map(async picture => {
      const bytes = Uint8Array.from(atob(picture), letter => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', {willReadFrequently: true})!;
      context.drawImage(bitmap, 0, 0);
      return context;
    }),
  );
  for (const mark of everything().filter(element => element.matches('.mark'))) {
    const {x, y, width, height} = mark.getBoundingClientRect();
    for (const one of [before!, now!]) one.clearRect(x + scrollX - 4, y + scrollY - 4, width + 8, height + 8);
  }
  return [...document.querySelectorAll<HTMLElement>('[data-of]')].flatMap(place => {
    const {x, y, width, height} = place.getBoundingClientRect();
    const [a, b] = [before!, now!].map(
      one => new Uint32Array(one.getImageData(x + scrollX, y + scrollY, width, height).data.buffer),
    );
    const first = a!.findIndex((pixel, at) => pixel !== b![at]);
    const [row, column] = [Math.floor(first / Math.floor(width)), first % Math.floor(width)];
    return first < 0 ? [] : [`${place.dataset['of'] ?? ''}: at ${String(column)}, ${String(row)}`];
  });
}
