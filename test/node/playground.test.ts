import {runInNewContext} from 'node:vm';
import {deepEqual, equal, match, notEqual, ok} from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {extname, join} from 'node:path';
import type {ElementHandle, Page} from 'puppeteer-core';
import {serve, type RunningServer} from '../../demo/sandbox/http.js';
import ts from 'typescript';
import {buildPlayground} from '../../demo/build.js';
import {codeOf, WAYS, type Way} from '../../demo/code.js';
import {valuesOf, type Values} from '../../demo/configuration.js';
import {controlsOf} from '../../demo/controls.js';
import {DOCUMENTS} from '../../demo/documents.js';
import {readManifest, type WidgetManifest} from '../../demo/manifest.js';
import {axeViolations, openBrowser, type TestBrowser} from '../support/browser.js';

const TIMEOUT = {timeout: 20_000};
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

describe('the playground’s settings', () => {
  let manifest: WidgetManifest;
  before(async () => {
    manifest = await readManifest();
  });

  it('cover every attribute, property and custom property of the manifest', () => {
    const names = controlsOf(manifest, []).map(({name}) => name);
    const settable = manifest.members.filter(
      ({kind, attribute, readonly}) => kind === 'field' && attribute === undefined && !readonly,
    );
    const expected = [...manifest.attributes, ...settable, ...manifest.cssProperties].map(({name}) => name);
    ok(expected.length > 40);
    for (const name of new Set(expected)) ok(names.includes(name), name);
    equal(new Set(names).size, names.length, 'something is there twice');
  });

  it('has controls for new settings by their types', () => {
    const item = (name: string, text: string) => ({name, type: {text}});
    const controls = controlsOf(
      {
        members: [{...item('later', '{readonly a: string} | undefined'), kind: 'field'}],
        events: [],
        cssProperties: [item('--swap-later', '<length>')],
        attributes: [
          item('is-on', 'boolean | undefined'),
          item('mode', "'one' | 'two' | (string & {}) | undefined"),
          item('many', 'string | number | undefined'),
          item('words', 'string | readonly string[] | undefined'),
        ],
      },
      [],
    );
    const kinds = Object.fromEntries(controls.map(({name, kind}) => [name, kind]));
    deepEqual(kinds, {
      'is-on': 'switch',
      mode: 'choice',
      many: 'number',
      words: 'text',
      dir: 'choice',
      later: 'json',
      '--swap-later': 'css',
    });
    deepEqual(controls.find(({name}) => name === 'mode')?.choices, ['one', 'two']);
  });
});

describe('the playground’s code', () => {
  const script = {address: 'https://your.site/define.js', integrity: 'sha384-abc'};
  let values: Values;
  before(async () => {
    const texts = new Map([
      ['base-url', 'https://the.service'],
      ['from', 'bitcoin:btc'],
      ['recipient', `"{{x}}" <&> 'y' \\ \`\${z}`],
      ['url-sync', 'true'],
      ['affiliate-fees', 'base:usdc 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed 30'],
      ['policy', '{"requirePins": true, "maxCostBps": 200}'],
      ['messages', '{"swap": "Trade"}'],
      ['fetch', 'true'],
    ]);
    values = {
      ...valuesOf(texts, controlsOf(await readManifest(), ['bitcoin:btc'])),
      styles: new Map([['--swap-accent', '#b4542c']]),
    };
    deepEqual([...values.problems], []);
  });
  const code = (way: Way) => codeOf(way, values, script);

  it('sets attributes, properties and listeners as each framework does', () => {
    const says: Readonly<Record<Way, readonly RegExp[]>> = {
      html: [
        /integrity="sha384-abc"\s+crossorigin/,
        /\n {2}url-sync\n/,
        /widget\.policy = \{requirePins: true, /,
        /&quot;\{\{x\}\}&quot; &lt;&amp;/,
      ],
      npm: [
        /import 'swap-widget\/define\.js'/,
        /toggleAttribute\('url-sync', true\)/,
        /widget\.fetch = \(\.\.\.request\)/,
      ],
      react: [/onswap-complete=\{/, /policy=\{policy\}/, /style=\{\{'--swap-accent': '#b4542c'\}\}/, /\n\s+url-sync\n/],
      vue: [/:policy\.prop="policy"/, /@swap-complete="done"/, /isCustomElement/],
      svelte: [/\{policy\}/, /onswap-complete=\{done\}/, /&#123;&#123;x/],
      angular: [
        /\[policy\]="policy"/,
        /\(swap-complete\)="done\(\$event\)"/,
        /CUSTOM_ELEMENTS_SCHEMA/,
        /&#123;&#123;x/,
      ],
      headless: [/prefill: \{[^]*from: 'bitcoin:btc'/, /bps: 30/, /maxCostBps: 200/, /createSwapApi\(\{baseUrl\}\)/],
    };
    for (const way of Object.keys(WAYS) as Way[]) for (const part of says[way]) match(code(way), part, way);
  });

  it('is nothing in HTML but the script, the styles, the element and what is done with it', () => {
    const parts = code('html')
      .split('\n\n')
      .map(part => part.replace(/[\s>][^]*/, ''));
    deepEqual(parts, ['<script', '<style', '<swap-widget', '<script']);
  });
});

type Fields = Record<string, unknown>;

/** What the playground's code sets. It runs with a fake widget that records it. */
function run(program: string, exported = '') {
  const {outputText, diagnostics = []} = ts.transpileModule(program + exported, {
    fileName: 'code.tsx',
    reportDiagnostics: true,
    compilerOptions: {
      jsx: ts.JsxEmit.React,
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ESNext,
      experimentalDecorators: true,
    },
  });
  deepEqual(
    diagnostics.map(({messageText}) => messageText),
    [],
  );
  const attributes: Fields = {};
  const styles: Fields = {};
  const widget: Fields = {
    setAttribute: (name: string, value: string) => (attributes[name] = value),
    toggleAttribute: (name: string, value: boolean) => (attributes[name] = value),
    style: {setProperty: (name: string, value: string) => (styles[name] = value)},
    addEventListener() {},
  };
  let configured: Fields = {};
  let component: Fields = {};
  const same = (value: unknown) => value;
  const modules = {
    Component: (options: Fields) => {
      component = options;
      return same;
    },
    atom: same,
    createCatalogue: same,
    createSwapApi: same,
    createSwapSession: () => ({
      configure: (settings: Fields) => (configured = settings),
      start() {},
      $price: {subscribe() {}},
    }),
  };
  const exports: Record<string, unknown> = {};
  runInNewContext(outputText, {
    exports,
    require: () => modules,
    fetch: () => 'asked',
    document: {createElement: () => widget, querySelector: () => widget, body: {append() {}}},
    React: {createElement: (_: string, props: Fields) => props},
  });
  return {attributes, styles, widget, configured, component, exports};
}

describe('the playground, built for any host', () => {
  let folder: string;
  let server: RunningServer;
  let browser: TestBrowser;
  let origin: string;
  const requests: string[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'playground-'));
    const opening = openBrowser();
    await buildPlayground(folder);
    browser = await opening;
    server = await serve(({url = ''}, response) => {
      const {pathname} = new URL(url, 'http://localhost');
      requests.push(pathname);
      try {
        // In a subfolder of its host, which is allowed.
        const file = readFileSync(
          join(folder, pathname.replace(/^\/some\/where\//, '').replace(/(^|\/)$/, '$1index.html')),
        );
        response.setHeader('content-type', TYPES[extname(pathname) || '.html'] ?? 'image/webp').end(file);
      } catch {
        response.writeHead(404, {'content-type': 'text/html'}).end(readFileSync(join(folder, '404.html')));
      }
    }, 0);
    origin = `${server.url}/some/where/`;
  });
  after(async () => {
    await browser.close();
    await server.close();
    rmSync(folder, {recursive: true});
  });
  afterEach(() => browser.closePages());

  async function visit(query = '') {
    const opened = await browser.openPage(`${origin}${query}`);
    await opened.page.waitForSelector('[data-control="from"]', TIMEOUT);
    await opened.page.setViewport({width: 1440, height: 900});
    return opened;
  }

  const text = (page: Page, selector: string) => page.$eval(selector, element => element.textContent ?? '');

  /** Sets a control as a person does. */
  async function choose(page: Page, name: string, value: string) {
    await page.$eval(
      `[data-control="${name}"] :is(select, input[type=text], textarea)`,
      (field, value) => {
        (field as HTMLInputElement).value = value;
        field.dispatchEvent(new Event('change', {bubbles: true}));
      },
      value,
    );
  }

  /** Lets the page use the clipboard, or not. */
  async function letCopy(page: Page, state: 'granted' | 'denied') {
    const permissions = (['clipboard-read', 'clipboard-write'] as const).map(name => ({permission: {name}, state}));
    await page.browserContext().setPermission(new URL(origin).origin, ...permissions);
  }

  /** Waits until the page's widget shows an amount to receive, and that everything is a mock. */
  async function playsMadeUp(page: Page) {
    await page.waitForSelector('#widget ::-p-text(Mock service)', {...TIMEOUT, visible: true});
    const field = await page.waitForSelector('#widget >>> input#receive', TIMEOUT);
    await page.waitForFunction(field => Number(field?.value.replace(/[^\d.]/g, '')) > 0, TIMEOUT, field);
  }

  it('links to the one-file pages, which exist', async () => {
    const {page} = await visit();
    const links = await page.$$eval('#pages a', all =>
      all.filter(link => link.checkVisibility()).map(link => link.href),
    );
    equal(links.length, 2);
    for (const link of links) match(await (await fetch(link)).text(), /<title>/, link);
  });

  it('runs on a mock service at first, says so, and names no service in its URL or code', async () => {
    const {page, errors} = await visit();
    await playsMadeUp(page);
    match(await text(page, '#about'), /A mock service in this page answers/);
    equal(await page.$('#stage iframe'), null);
    equal(await page.$eval('#wallets-tab', tab => (tab as HTMLElement).hidden), true);
    await page.click('#simulate-tab');
    await page.waitForFunction(() => document.querySelectorAll('#stages option').length > 50, TIMEOUT);
    equal(await text(page, '#faults'), '');
    ok(!new URL(page.url()).searchParams.has('base-url'));
    match(await text(page, '#code'), /base-url="https:\/\/the\.service"/);
    deepEqual(errors, []);
    ok(!requests.some(path => /\/sandbox(?:\/|$)/.test(path)), 'asked for a sandbox');
    // With real money, there is no mock unless a person clicks for it.
    await choose(page, 'to', 'bitcoin:btc');
    await page.waitForSelector('#stage iframe', TIMEOUT);
    match(await text(page, '#notes'), /No service is set yet/);
    equal(await page.$('#widget ::-p-text(Mock service)'), null);
  });

  it('shows a demo on mainnet, from which a click leads to test networks and a mock service', async () => {
    const {page, errors} = await visit('?from=ethereum%3Awbtc&to=base%3Ausdc');
    match(await text(page, '#notes'), /No service is set yet/);
    const frame = await page.waitForSelector('#stage iframe', TIMEOUT);
    const stage = await frame!.contentFrame();
    await stage.waitForSelector('fake-session-widget >>> ::-p-text(Review swap)', TIMEOUT);
    await page.click('::-p-text(Try it with mock data)');
    await playsMadeUp(page);
    equal(await page.$('#stage iframe'), null);
    equal(await page.$eval('#widget', widget => widget.getAttribute('from')), 'base_sepolia:wbtc');
    deepEqual(errors, []);
  });

  it('applies a change to the widget, the code and the URL, which restores it', async () => {
    const {page, errors} = await visit();
    await choose(page, 'base-url', origin);
    await choose(page, 'from', 'base_sepolia:wbtc');
    await choose(page, 'policy', '{"requirePins": true}');
    await choose(page, '--swap-accent', '#b4542c');
    await choose(page, 'app-id', 'a'.repeat(64));
    const state = () =>
      page.$eval('#widget', widget => [
        widget.getAttribute('from'),
        (widget as Element & {policy?: unknown}).policy,
        (widget as HTMLElement).style.getPropertyValue('--swap-accent'),
        widget.getAttribute('app-id')?.length,
      ]);
    const expected = ['base_sepolia:wbtc', {requirePins: true}, '#b4542c', 64];
    deepEqual(await state(), expected);
    // The page gets the script's hash before it shows its code.
    await page.waitForFunction(() => document.querySelector('#code')?.textContent);
    const code = await text(page, '#code');
    for (const part of [
      'from="base_sepolia:wbtc"',
      'widget.policy = {requirePins: true};',
      '--swap-accent: #b4542c;',
      'integrity="sha384-',
    ])
      ok(code.includes(part), part);
    ok(!page.url().includes('aaaa'), 'a key is in the address');
    await page.reload();
    await page.waitForSelector('[data-control="from"]', TIMEOUT);
    deepEqual(await state(), expected);
    await page.waitForFunction(() => document.querySelector('#code')?.textContent);
    equal(await text(page, '#code'), code);
    deepEqual(
      errors.filter(error => !error.includes('404')),
      [],
    );
  });

  it('says that the form has another pair than is set, also after a reload, and brings one to the other', async () => {
    const {page, errors} = await visit();
    const says = '#pair ::-p-text(You chose another pair in the form:)';
    const set = () =>
      page.$eval('#widget', widget => [widget.getAttribute('from'), widget.getAttribute('to')].join(' to '));
    const pay = (symbol: string) => page.waitForSelector(`#widget >>> ::-p-aria([name="You pay: ${symbol}"])`, TIMEOUT);
    await playsMadeUp(page);
    equal(await page.$(says), null);
    equal(await text(page, 'label[for=setto]'), 'To, at first');
    equal(await page.$('.chosen'), null);
    await page.click('#widget >>> .flip');
    await page.waitForSelector(says, TIMEOUT);
    equal(await text(page, '[data-control="to"] .chosen'), 'The visitor has chosen WBTC, Base Sepolia.');
    await page.reload();
    await page.waitForSelector(says, TIMEOUT);
    equal(await set(), 'base_sepolia:wbtc to ethereum_sepolia:usdc');
    deepEqual(await axeViolations(page), []);
    await page.click('#pair ::-p-text(Undo)');
    await pay('WBTC, Base Sepolia');
    equal(await page.$(says), null);
    await page.click('#widget >>> .flip');
    await page.waitForSelector(says, TIMEOUT);
    await page.click('#pair ::-p-text(Make it the setting)');
    equal(await set(), 'ethereum_sepolia:usdc to base_sepolia:wbtc');
    equal(await page.$(says), null);
    await pay('USDC, Ethereum Sepolia');
    await page.click('#widget >>> .flip');
    await page.waitForSelector(says, TIMEOUT);
    // A link is to what is on the screen.
    await page.click('#link');
    equal(await set(), 'base_sepolia:wbtc to ethereum_sepolia:usdc');
    equal(new URL(page.url()).searchParams.get('from') ?? 'base_sepolia:wbtc', 'base_sepolia:wbtc');
    await page.click('#begin');
    await pay('WBTC, Base Sepolia');
    deepEqual(errors, []);
  });

  it('says so no longer once both agree, also without an amount, as after a swap', async () => {
    const {page, errors} = await visit();
    const says = '#pair ::-p-text(You chose another pair in the form:)';
    await playsMadeUp(page);
    await page.click('#widget >>> .flip');
    await page.waitForSelector(says, TIMEOUT);
    // As “New swap” does.
    await page.$eval('#widget', widget => {
      (widget as Element & {reset(): void}).reset();
    });
    await page.click('#widget >>> .flip');
    await page.waitForFunction(() => document.querySelector('#pair')?.textContent === '', TIMEOUT);
    await page.click('#widget >>> .flip');
    await page.waitForSelector(says, TIMEOUT);
    // The settings may also follow the form.
    for (const [side, asset] of [
      ['from', 'bitcoin_testnet:btc'],
      ['to', 'base_sepolia:wbtc'],
      ['from', 'ethereum_sepolia:wbtc'],
    ] as const)
      await choose(page, side, asset);
    await page.waitForFunction(() => document.querySelector('#pair')?.textContent === '', TIMEOUT);
    deepEqual(errors, []);
  });

  it('starts over with a form that shows what is set, and with open swaps in their list', async () => {
    const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
    const set = new URLSearchParams({
      from: 'bitcoin_testnet:btc',
      'refund-address': address,
      recipient: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    });
    const {page, errors} = await visit(`?${String(set)}`);
    const amount = () => page.$eval('#widget >>> input#amount', field => field.value);
    await playsMadeUp(page);
    for (const words of ['Yes, the refund address is mine', 'Yes, send it there', 'Review swap', 'Place swap']) {
      const button = await page.waitForSelector(`#widget >>> ::-p-aria([name="${words}"][role="button"])`, TIMEOUT);
      await button!.click();
    }
    await page.waitForFunction(() => (document.querySelector('#widget') as Element & {order?: object}).order, TIMEOUT);
    await page.click('#begin');
    await playsMadeUp(page);
    await page.waitForSelector('#widget >>> ::-p-aria([name="You pay: WBTC, Base Sepolia"])', TIMEOUT);
    await page.waitForSelector('#widget >>> ::-p-aria([name="Your swaps, 1 open"])', TIMEOUT);
    const field = await page.waitForSelector('#widget >>> input#amount', TIMEOUT);
    await field!.click({count: 3});
    await field!.type('0.07');
    equal(await amount(), '0.07');
    await page.click('#begin');
    equal(await page.$eval('[data-control="amount"] input', input => input.value), '0.01');
    equal(await amount(), '0.01');
    deepEqual(errors, []);
  });

  it('selects what it is not allowed to copy, and says so', async () => {
    const {page, errors} = await visit();
    await letCopy(page, 'denied');
    await page.waitForFunction(() => document.querySelector('#code')?.textContent);
    const selected = () => page.evaluate(() => getSelection()?.toString().trim());
    await page.click('#link');
    await page.waitForSelector('#notice ::-p-text(isn’t allowed to copy)', {...TIMEOUT, visible: true});
    equal(await selected(), page.url());
    await page.click('#code-tab');
    await page.click('#copy');
    await page.waitForFunction(
      () => getSelection()?.toString().trim() === document.querySelector<HTMLElement>('#code')?.innerText.trim(),
      TIMEOUT,
    );
    equal(await page.$('#notice code'), null);
    equal(await text(page, '#copy'), 'Copy');
    await page.click('#notice ::-p-text(Close)');
    equal(await page.$('#notice > *'), null);
    deepEqual(errors, []);
  });

  it('has code with exactly the current settings, whatever a URL contains', async () => {
    const odd = `</SCRIPT></sTyLe><!--<Script>--></template>{{x}}{y}\${z}\`'"\\&amp;\\n&\u2028`;
    const messages = JSON.stringify({swap: odd, [odd]: odd, __proto: 1}).replace('__proto', '__proto__');
    const font = `"</STYLE><script>", '\\\\', serif`;
    const {page} = await visit(
      `?tab=code&${String(new URLSearchParams({recipient: odd, messages, fetch: 'true', '--swap-font': font}))}`,
    );
    /** Markup as a browser parses it. */
    const parse = (markup: string) =>
      page.evaluate(markup => {
        const tree = new DOMParser().parseFromString(markup, 'text/html');
        const inner = tree.querySelector('template')?.content ?? tree;
        const elements = [
          ...tree.querySelectorAll('head *, body *'),
          ...(inner === tree ? [] : inner.querySelectorAll('*')),
        ];
        return {
          tags: elements.map(({localName}) => localName),
          recipient: inner.querySelector('swap-widget')?.getAttribute('recipient'),
          program: [...tree.querySelectorAll('script:not([src])')].map(({textContent}) => textContent).join(''),
          sheet: tree.querySelector('style')?.textContent ?? '',
        };
      }, markup);
    /** The font that a style sheet or a value sets, as computed by a browser. */
    const fontOf = (text: string) =>
      page.evaluate(text => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text.includes('swap-widget {') ? text : `swap-widget { --swap-font: ${text}; }`);
        const {style} = document.createElement('div');
        const rules = [...sheet.cssRules] as CSSStyleRule[];
        style.fontFamily = rules[0]?.style.getPropertyValue('--swap-font') ?? '';
        return [rules.length, style.fontFamily];
      }, text);
    const expectSet = async (way: Way, recipient: unknown, properties: Fields, fontText: string) => {
      equal(recipient, odd, way);
      equal(JSON.stringify(properties['messages']), messages, way);
      equal((properties['fetch'] as () => unknown)(), 'asked', way);
      deepEqual(await fontOf(fontText), await fontOf(font), way);
    };
    const shown = async (way: Way) => {
      await page.click(`::-p-xpath(//label[normalize-space()="${WAYS[way]}"])`);
      return text(page, '#code');
    };

    const tags = {
      html: ['script', 'style', 'swap-widget', 'script'],
      vue: ['script', 'template', 'style', 'swap-widget'],
      svelte: ['script', 'swap-widget', 'style'],
    };
    for (const way of ['html', 'vue', 'svelte'] as const) {
      const read = await parse(await shown(way));
      deepEqual(read.tags, tags[way], way);
      const {widget, exports} = run(read.program, way === 'html' ? '' : '\nexport {messages, fetch};');
      await expectSet(way, read.recipient, way === 'html' ? widget : exports, read.sheet);
    }
    const npm = run(await shown('npm'));
    await expectSet('npm', npm.attributes['recipient'], npm.widget, String(npm.styles['--swap-font']));
    const draw = run(await shown('react')).exports['Swap'] as (given: Fields) => Fields;
    const props = draw({});
    await expectSet('react', props['recipient'], props, String((props['style'] as Fields)['--swap-font']));
    const {component, exports} = run(await shown('angular'));
    const template = await parse(String(component['template']));
    deepEqual(template.tags, ['swap-widget']);
    const Component = exports['SwapComponent'] as new () => Fields;
    await expectSet('angular', template.recipient, new Component(), String(component['styles']));
    const {prefill} = run(await shown('headless')).configured;
    equal((prefill as {recipient: string}).recipient, odd);
  });

  it('reports and ignores what is invalid in a URL, and contacts no service that it only names', async () => {
    const broken = new URLSearchParams({
      theme: 'purple',
      policy: '{',
      '--swap-surface': 'url(https://thief.example)',
      // These would end a declaration in a style sheet, but not a single value.
      '--swap-font': '"serif',
      '--swap-ink': 'var(--page-ink',
      '--swap-radius': '1px/*',
      '--swap-accent': 'red\\',
      'price-tolerance': 'some',
      nothing: '1',
      rpc: 'base https://thief.example',
      tab: 'nowhere',
      'base-url': 'https://thief.example',
      to: 'base_sepolia:wbtc',
    });
    const {page} = await visit(`?${String(broken)}`);
    const asked: string[] = [];
    page.on('request', request => asked.push(request.url()));
    const notes = await text(page, '#notes');
    for (const name of [...broken.keys()].filter(name => !['base-url', 'to'].includes(name)))
      match(notes, new RegExp(`${name}: `), name);
    match(notes, /names a service: https:\/\/thief\.example/);
    equal(await page.$eval('#widget', widget => widget.getAttribute('base-url')), null);
    equal(await page.$eval('#widget', widget => widget.getAttribute('to')), 'base_sepolia:wbtc');
    await choose(page, 'policy', '[');
    match(await text(page, '[data-control="policy"] .problem'), /^policy: This is not JSON/);
    deepEqual(
      asked.filter(url => url.includes('thief')),
      [],
    );
  });

  it('shows the widget in a brand and a frame, and restores both from the URL', async () => {
    const {page, errors} = await visit();
    const press = (words: string) => page.click(`::-p-xpath(//*[@id="looks"]//label[contains(., "${words}")])`);
    const state = () =>
      page.$eval('#host', host => {
        const widget = host.querySelector<HTMLElement>('#widget');
        return {
          accent: widget?.style.getPropertyValue('--swap-accent'),
          font: widget?.style.getPropertyValue('--swap-font'),
          theme: widget?.getAttribute('theme'),
          frame: host.getAttribute('data-frame'),
          background: getComputedStyle(host).backgroundColor,
        };
      });
    await press('Gazette');
    await press('Sidebar');
    const gazette = {
      accent: '#7a1f2b',
      font: 'Georgia, serif',
      theme: 'light',
      frame: 'sidebar',
      background: 'rgb(239, 232, 216)',
    };
    deepEqual(await state(), gazette);
    const button = await page.waitForSelector('#widget >>> [part~="primary"]', TIMEOUT);
    equal(await button!.evaluate(found => getComputedStyle(found).borderRadius), '0px', 'as square as its card');
    await page.waitForFunction(() => document.querySelector('#code')?.textContent.includes('#7a1f2b'), TIMEOUT);
    await page.reload();
    await page.waitForSelector('#looks input:checked', TIMEOUT);
    deepEqual(await state(), gazette);
    // Another brand removes what this one set.
    await press('Lime');
    await press('Dialog');
    deepEqual(await state(), {
      accent: '#c6f432',
      font: '',
      theme: 'dark',
      frame: 'dialog',
      background: 'rgb(6, 11, 34)',
    });
    deepEqual(await axeViolations(page), []);
    for (const frame of ['Phone', 'Sidebar', 'Page'])
      for (const width of [360, 900, 1280]) {
        await page.setViewport({width: 1280, height: 900});
        await press(frame);
        await page.setViewport({width, height: 900});
        equal(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          0,
          `${frame} ${String(width)}`,
        );
      }
    await page.setViewport({width: 1280, height: 900});
    await page.click('#begin');
    deepEqual(await state(), {accent: '', font: '', theme: null, frame: 'page', background: 'rgba(0, 0, 0, 0)'});
    deepEqual(errors, []);
  });

  it('keeps a brand in another theme, which the page around the widget follows', async () => {
    const {page, errors} = await visit();
    const press = (words: string) => page.click(`::-p-xpath(//*[@id="looks"]//label[contains(., "${words}")])`);
    const brand = async () =>
      await page.$$eval('#looks input[name=brand]', all => all.find(({checked}) => checked)?.value);
    /** Whether the background behind the widget is dark, as it is painted. */
    const isDark = () =>
      page.$eval('#host', host => {
        const {backgroundColor} = getComputedStyle(host.hasAttribute('data-colored') ? host : document.body);
        const canvas = new OffscreenCanvas(1, 1).getContext('2d')!;
        canvas.fillStyle = backgroundColor;
        canvas.fillRect(0, 0, 1, 1);
        return canvas
          .getImageData(0, 0, 1, 1)
          .data.slice(0, 3)
          .every(part => part < 64);
      });
    const backgrounds = new Set<string>();
    for (const name of ['Tangerine', 'Lime', 'Gazette', 'Mint', 'Plain']) {
      await press(name);
      for (const [theme, scheme, dark] of [
        ['Dark', 'light', true],
        ['Light', 'dark', false],
        ['Auto', 'light', false],
        ['Auto', 'dark', true],
      ] as const) {
        await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
        await press(theme);
        equal(await brand(), name.toLowerCase(), `${name}, ${theme}`);
        equal(await isDark(), dark, `${name}, ${theme}, ${scheme}`);
        if (name !== 'Plain')
          backgrounds.add(await page.$eval('#host', host => getComputedStyle(host).backgroundColor));
      }
    }
    equal(backgrounds.size, 8, 'a light and a dark background for each brand');
    await press('Gazette');
    await press('Dark');
    await page.reload();
    await page.waitForSelector('#looks input:checked', TIMEOUT);
    deepEqual([await brand(), await isDark()], ['gazette', true]);
    // A color of one's own is another look; pressed again, the brand is as it was.
    const background = await page.waitForSelector('#looks ::-p-aria([name="Background of the page"])', TIMEOUT);
    await background!.evaluate(field => {
      (field as HTMLInputElement).value = '#ff0000';
      field.dispatchEvent(new Event('input'));
    });
    equal(await brand(), undefined);
    await press('Gazette');
    deepEqual([await brand(), await isDark()], ['gazette', false]);
    deepEqual(errors, []);
  });

  it('leads from the widget to the settings below it on a phone', async () => {
    const {page, errors} = await visit('?tab=events');
    equal(await page.$eval('#to-settings', button => button.checkVisibility()), false);
    await page.setViewport({width: 360, height: 740});
    await page.click('#to-settings');
    const {search, focus, top} = await page
      .waitForFunction(() => {
        const field = document.querySelector('#panel input[type=search]');
        const {top} = field?.getBoundingClientRect() ?? {top: Infinity};
        return top > 0 && top < innerHeight && {search: location.search, focus: document.activeElement?.id, top};
      }, TIMEOUT)
      .then(handle => handle.jsonValue() as Promise<{search: string; focus: string; top: number}>);
    match(search, /tab=configure/);
    equal(focus, 'configure-tab');
    ok(top < 370, String(top));
    deepEqual(await axeViolations(page), []);
    deepEqual(errors, []);
  });

  it('leads from the settings on a phone to the widget that they change, and back to where one was', async () => {
    const {page, errors} = await visit('?tab=configure');
    const isOffered = () => page.$eval('#to-widget', button => button.checkVisibility());
    equal(await isOffered(), false, 'both are in view');
    // It is loaded again.
    await page.setViewport({width: 360, height: 640, isMobile: true, hasTouch: true});
    await page.waitForSelector('[data-control="from"]', TIMEOUT);
    await page.locator('#code-tab').click();
    equal(await isOffered(), false, 'the settings are not in view');
    await page.tap('#to-settings');
    await page.$$eval('details.group', groups => {
      for (const group of groups) group.open = true;
    });
    const inView = async (selector: string) => {
      const {top, bottom} = await page.$eval(
        selector,
        element => element.getBoundingClientRect().toJSON() as {top: number; bottom: number},
      );
      return top >= 0 && bottom <= 640;
    };
    const end = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    const begin = await page.evaluate(() => scrollY);
    for (const at of [begin, Math.round((begin + end) / 2), end]) {
      await page.evaluate(to => {
        scrollTo(0, to);
      }, at);
      ok(await inView('#to-widget'), `at ${String(at)}`);
      ok((await page.$eval('#to-widget', button => button.getBoundingClientRect().height)) >= 44);
      deepEqual(await axeViolations(page), []);
      await page.tap('#to-widget');
      const button = await page.waitForSelector('#widget >>> [part~="primary"]', TIMEOUT);
      ok(await button!.isIntersectingViewport(), 'the widget’s button');
      ok(await inView('#to-settings'));
      equal(await page.$eval(':focus', region => region.ariaLabel), 'The widget');
      equal(await page.evaluate(() => scrollY), 0);
      await page.tap('#to-settings');
      equal(await page.evaluate(() => scrollY), at);
      equal(await page.$eval(':focus', found => found.id), 'to-widget');
    }
    // What has the focus is not under it.
    for (const name of ['messages', 'theme', '--swap-radius']) {
      const field = `[data-control="${name}"] :is(select, input, textarea)`;
      await page.evaluate(to => {
        scrollTo(0, to);
      }, begin);
      await page.focus(field);
      const [{bottom}, {top}] = await Promise.all(
        [field, '#to-widget'].map(found =>
          page.$eval(found, element => element.getBoundingClientRect().toJSON() as {top: number; bottom: number}),
        ),
      ).then(all => all as [DOMRect, DOMRect]);
      ok(bottom <= top, `${name}: ${String(bottom)} is below ${String(top)}`);
    }
    // From another tab, it is the way to the settings' top.
    await page.tap('#to-widget');
    await page.click('#code-tab');
    await page.tap('#to-settings');
    equal(await page.$eval(':focus', found => found.id), 'configure-tab');
    deepEqual(errors, []);
  });

  it('has highlighted code with the visitor’s own service and no local address', async () => {
    const {page} = await visit('?tab=code');
    await page.waitForFunction(() => document.querySelector('#code')?.textContent, TIMEOUT);
    await page.type('#own-service input[inputmode=url]', 'https://swaps.example');
    const code = await text(page, '#code');
    match(code, /src="https:\/\/your\.site\/swap-widget\/define\.js"/);
    match(code, /base-url="https:\/\/swaps\.example"/);
    ok(!/127\.0\.0\.1|localhost/.test(code));
    ok((await page.$$('#code .tag, #code .string')).length > 5);
    ok(!page.url().includes('swaps.example'));
    notEqual(await page.$eval('#widget', widget => widget.getAttribute('base-url')), 'https://swaps.example');
    await page.setViewport({width: 360, height: 800});
    equal(await page.$eval('#code-panel pre', pre => pre.scrollWidth - pre.clientWidth), 0);
  });

  it('shows at first what most pages set, and folds all else, which a search finds', async () => {
    const {page} = await visit('?theme=dark&price-tolerance=100');
    const groups = () =>
      page.$$eval('#panel .group', all =>
        all.map(group => ({
          title: group.querySelector('h3')?.textContent,
          says: group.querySelector('summary span')?.textContent,
          open: (group as HTMLDetailsElement).open,
        })),
      );
    const [first, ...others] = await groups();
    deepEqual(first, {title: 'The essentials', says: '3 set', open: true});
    ok(others.length > 5);
    const open = others.filter(group => group.open);
    deepEqual(open, []);
    deepEqual(
      others.flatMap(({title, says}) => (says ? [`${String(title)}: ${says}`] : [])),
      ['Looks: 1 set', 'Prices and rules: 1 set'],
    );
    const visible = () =>
      page.$$eval('#panel [data-control]', all =>
        all.filter(control => control.checkVisibility()).map(control => control.getAttribute('data-control')),
      );
    deepEqual(await visible(), ['from', 'to', 'amount', 'assets', 'affiliate-fees']);
    await page.type('#panel input[type=search]', 'tolerance');
    ok((await visible()).includes('price-tolerance'));
    await page.$eval('#panel input[type=search]', field => {
      field.value = '';
      field.dispatchEvent(new Event('input'));
    });
    equal((await visible()).length, 5);
    // What is wrong is never folded.
    await choose(page, 'messages', '{');
    ok((await visible()).includes('messages'));
  });

  it('folds long help: its first sentence describes the input, and the disclosure has its own name', async () => {
    const {page} = await visit();
    const help = await page.waitForSelector('[data-control="assets"] .help summary', TIMEOUT);
    const isOpen = () => help!.evaluate(summary => (summary.parentElement as HTMLDetailsElement).open);
    equal(await isOpen(), false);
    await help!.press('Enter');
    equal(await isOpen(), true);
    const {name, role} = await page.accessibility.snapshot({root: help!}).then(tree => tree!);
    deepEqual([name, role], ['More about Assets', 'DisclosureTriangle']);
    const field = await page.$('[data-control="assets"] input[type=text]');
    const {description} = await page.accessibility.snapshot({root: field!}).then(tree => tree!);
    match(description ?? '', /^[^.]+\.$/);
  });

  it('warns of text that cannot be read, and a brand has colors for each theme', async () => {
    const {page, errors} = await visit('?theme=dark&--swap-ink=%2312302a');
    const notes = () => text(page, '#notes');
    await page.waitForFunction(() => document.querySelector('#notes')?.textContent.includes('contrast'), TIMEOUT);
    match(await notes(), /text on the surface has a contrast of 1\.\d, below 4\.5/);
    // The widget itself is as unreadable as the note says.
    const violations = await axeViolations(page);
    equal(violations.length, 1);
    match(violations.join(), /^color-contrast: <h2 /);
    await page.click('::-p-text(Clear “Ink”)');
    equal(/contrast/.exec(await notes()), null);
    const swatch = (name: string) =>
      page.$eval(`[data-control="--swap-${name}"] input[type=color]`, field => field.value);
    const isDark = (color: string) => /^(?:#[0-3].[0-3].[0-3].)$/.test(color);
    ok(isDark(await swatch('surface')), await swatch('surface'));
    ok(!isDark(await swatch('ink')), await swatch('ink'));
    const press = (words: string) => page.click(`::-p-xpath(//*[@id="looks"]//label[contains(., "${words}")])`);
    for (const brand of ['Tangerine', 'Lime', 'Gazette', 'Mint'])
      for (const theme of [undefined, 'Light', 'Dark', 'Auto']) {
        await press(brand);
        if (theme) await press(theme);
        equal(/contrast/.exec(await notes()), null, `${brand} ${theme ?? ''}`);
        if (theme === 'Dark') ok(isDark(await swatch('surface')), `${brand}: ${await swatch('surface')}`);
        if (theme === 'Light') ok(isDark(await swatch('ink')), `${brand}: ${await swatch('ink')}`);
      }
    deepEqual(errors, []);
  });

  it('lets keyboard users skip to the widget, whose button is visible on a narrow page', async () => {
    const {page, errors} = await visit();
    await page.setViewport({width: 400, height: 800});
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
    });
    await page.keyboard.press('Tab');
    equal(await page.$eval(':focus', link => link.textContent), 'Skip to the widget');
    ok(await page.$eval(':focus', link => getComputedStyle(link).clipPath === 'none'));
    const button = await page.waitForSelector('#widget >>> [part~="primary"]', TIMEOUT);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    equal(await page.evaluate(() => document.activeElement?.id), 'widget');
    equal(new URL(page.url()).hash, '');
    await page.evaluate(() => {
      scrollTo(0, 0);
    });
    ok((await button!.evaluate(found => found.getBoundingClientRect().bottom)) <= 800);
    deepEqual(errors, []);
  });

  it('finds stages by everyday words, and has no failures to find without a sandbox', async () => {
    const {page, errors} = await visit('?tab=simulate');
    await page.waitForSelector('#stages option[value="review"]', TIMEOUT);
    await page.type('#finder ::-p-aria([name="Find a stage"][role="searchbox"])', 'rejected');
    equal(await page.$('#stages select'), null);
    await page.click('#stages ::-p-text(The visitor said no in the wallet)');
    await page.waitForSelector('#stage ::-p-text(A picture: The visitor said no in the wallet.)', TIMEOUT);
    equal(
      await page.$eval('#stages [aria-current=true] > span', title => title.textContent),
      'The visitor said no in the wallet',
    );
    equal(new URL(page.url()).searchParams.get('stage'), 'deposit-rejected');
    deepEqual(await axeViolations(page), []);
    deepEqual(errors, []);
  });

  it('brings a chosen stage into view on a phone, with the way to the next one and back', async () => {
    const {page, errors} = await visit('?tab=simulate');
    await page.setViewport({width: 360, height: 740});
    await page.waitForSelector('#stages option[value="review"]', TIMEOUT);
    await page.select('#stages select', 'form-quoting-slow');
    const says = await page.waitForSelector('#stage ::-p-text(A picture: The price takes long.)', TIMEOUT);
    ok(await says!.isIntersectingViewport());
    await page.click('#stage ::-p-aria([name="Next stage"])');
    await page.waitForSelector('#stage ::-p-text(A picture: There is a price.)', TIMEOUT);
    equal(await page.$eval('#stages select', field => field.value), 'form-quoted');
    deepEqual(await axeViolations(page), []);
    await page.click('#stage ::-p-text(Back to the widget)');
    equal(await page.$eval(':focus', region => region.ariaLabel), 'The widget');
    equal(await page.$('#stage iframe'), null);
    deepEqual(errors, []);
  });

  for (const width of [360, 900, 1280, 1680])
    it(`is read in the order in which the keyboard walks it, ${String(width)} pixels wide`, async () => {
      const {page} = await visit();
      await page.setViewport({width, height: 800});
      // With three columns there is no such tab.
      if (width < 1_600) await (await page.waitForSelector('#configure-tab:not([hidden])', TIMEOUT))!.click();
      const walked: {name: string; part: string; place: ElementHandle}[] = [];
      await page.focus('#skip');
      do {
        await page.keyboard.press('Tab');
        const place = (await page.$(':focus'))!;
        const stop = await place.evaluate(element => ({
          name: element.id || (element.closest('label') ?? element).textContent.trim() || element.ariaLabel || '',
          part: element.closest('header, main > *')?.className ?? '',
        }));
        // The widget has several.
        if (stop.name !== walked.at(-1)?.name) walked.push({...stop, place});
      } while (walked.at(-1)?.name !== 'Find a setting' && walked.length < 60);
      ok(walked.length > 7 && walked.length < 60, walked.map(({name}) => name).join());
      // All are measured at the end: the page scrolls meanwhile.
      const stops: {name: string; part: string; box: DOMRect}[] = [];
      for (const {place, ...stop} of walked) {
        // Of what lies over its label, the box is the label's.
        const box = await place.evaluate(
          element => (element.closest('label') ?? element).getBoundingClientRect().toJSON() as DOMRect,
        );
        stops.push({...stop, box});
      }
      const columns = await page.$$eval('main > *', all =>
        all
          .filter(part => part.checkVisibility())
          .map(part => ({name: part.className, box: part.getBoundingClientRect().toJSON() as DOMRect})),
      );
      equal(columns.map(({name}) => name).join(), 'stage,side,panel');
      const isAbove = (one: DOMRect, other: DOMRect) => one.bottom <= other.top;
      const isLeft = (one: DOMRect, other: DOMRect) => one.right <= other.left;
      const pairs = <Box>(list: readonly Box[]) =>
        list.flatMap((one, at) => list.slice(at + 1).map(later => [one, later] as const));
      // Rows are read from the top, and columns from the left.
      for (const [one, later] of pairs(stops).filter(([one, later]) => one.part === later.part)) {
        const inRow = !isAbove(one.box, later.box) && isLeft(later.box, one.box);
        ok(!isAbove(later.box, one.box) && !inRow, `${one.name} has the focus before ${later.name}`);
      }
      for (const [one, later] of pairs(columns)) {
        const inColumn = !isLeft(one.box, later.box) && isAbove(later.box, one.box);
        ok(!isLeft(later.box, one.box) && !inColumn, `${one.name} has the focus before ${later.name}`);
      }
    });

  for (const theme of ['light', 'dark'])
    it(`is accessible at each tab, wide and narrow, in ${theme}`, async () => {
      const {page} = await visit(`?theme=${theme}`);
      for (const [width, tabs] of [
        [1680, ['events', 'code', 'simulate']],
        [1280, ['configure', 'events']],
        [400, ['configure']],
      ] as const) {
        await page.setViewport({width, height: 900});
        for (const tab of tabs) {
          await page.click(`#${tab}-tab`);
          deepEqual(await axeViolations(page), [], `${tab} at ${String(width)}`);
        }
      }
      await choose(page, 'lang', 'de');
      await page.$$eval('details.group', groups => {
        for (const group of groups) group.open = true;
      });
      deepEqual(await axeViolations(page), [], 'all that can be set');
      equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    });

  it('has documents that begin with what is loaded at first, what comes later, and that a service is needed', async () => {
    const {page} = await browser.openPage(`${origin}docs/index.html`);
    const reasons = await text(page, '.reasons');
    match(reasons, /The form is [\d.]+ kB; everything else loads when it is first needed\. No framework/);
    equal(/one small file/i.exec(reasons), null);
    const need = await page.waitForSelector('.hero a[href$="#what-you-need"]', TIMEOUT);
    match(await need!.evaluate(link => link.parentElement!.textContent), /needs a swap service/);
  });

  for (const scheme of ['light', 'dark'])
    it(`has a site of documents that is accessible and fits, wide and narrow, in ${scheme}`, async () => {
      for (const path of [
        'index.html',
        'README.html',
        'demo/docs/scale.html',
        'demo/docs/speed.html',
        'demo/docs/frameworks.html',
        'demo/docs/reference.html',
      ]) {
        const {page, errors} = await browser.openPage('about:blank');
        await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
        await page.goto(`${origin}docs/${path}`);
        if (path === 'index.html') {
          const frame = await page.waitForSelector('iframe', TIMEOUT);
          const stage = await frame!.contentFrame();
          await stage.waitForSelector('fake-session-widget >>> ::-p-text(Review swap)', TIMEOUT);
          // No period is separated from its sentence.
          equal(/ [.,;:](?:\s|$)/.exec(await text(page, 'main')), null);
        }
        for (const width of [1280, 360]) {
          await page.setViewport({width, height: 800});
          deepEqual(await axeViolations(page), [], `${path} at ${String(width)}`);
          equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, path);
          // Only code that scrolls is a stop of the keyboard.
          const codes = await page.$$eval('main pre', all =>
            all.map(code => [code.scrollWidth > code.clientWidth, code.hasAttribute('tabindex')]),
          );
          for (const [scrolls, isStop] of codes) equal(isStop, scrolls, path);
          // The few lines of the first page wrap.
          if (codes.length && width === 360 && path !== 'index.html')
            ok(
              codes.some(([scrolls]) => scrolls),
              path,
            );
          const broken = await page.$$eval('td[align=right]', cells =>
            cells
              .filter(cell => {
                const range = document.createRange();
                range.selectNodeContents(cell);
                return new Set([...range.getClientRects()].map(({top}) => Math.round(top))).size > 1;
              })
              .map(cell => cell.textContent),
          );
          deepEqual(broken, [], `${path}: figures in two lines at ${String(width)}`);
        }
        deepEqual(errors, []);
        await page.close();
      }
    });

  it('finds a section of the documents by keyboard, without another service', async () => {
    const {page, errors} = await browser.openPage(`${origin}docs/demo/docs/styling.html`);
    const asked: string[] = [];
    page.on('request', request => asked.push(new URL(request.url()).origin));
    await page.keyboard.press('/');
    await page.keyboard.type('wallets other devices');
    await page.waitForSelector('#search mark', TIMEOUT);
    match(await text(page, '#search [role=status]'), /^\d+ results?$/);
    deepEqual(await axeViolations(page), []);
    await page.keyboard.press('ArrowDown');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    equal(new URL(page.url()).pathname, '/some/where/docs/demo/docs/wallets.html');
    equal(new URL(page.url()).hash, '#wallets-on-other-devices');
    deepEqual([...new Set(asked)], [new URL(origin).origin]);
    await page.keyboard.press('/');
    await page.keyboard.type('qwertz');
    await page.waitForSelector('#search ::-p-text(No results.)', {...TIMEOUT, visible: true});
    await page.keyboard.press('Escape');
    equal(await page.$eval('#search ul', list => (list as HTMLElement).hidden), true);
    deepEqual(errors, []);
  });

  it('has the documents at short names, too', async () => {
    const {page} = await browser.openPage(`${origin}docs/installing/`);
    await page.waitForSelector('h1', TIMEOUT);
    equal(page.url(), `${origin}docs/demo/docs/installing.html`);
    equal(await text(page, 'h1'), 'Installing');
  });

  it('copies code of the documents, or selects it', async () => {
    const {page, errors, violations} = await browser.openPage(`${origin}docs/demo/docs/styling.html`);
    await letCopy(page, 'granted');
    const button = await page.waitForSelector('main ::-p-aria([name="Copy the code under “Colors”"])', TIMEOUT);
    await button!.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('main [role=status] ::-p-text(Copied.)', TIMEOUT);
    const code = await text(page, 'main pre');
    equal(await page.evaluate(() => navigator.clipboard.readText()), code);
    deepEqual(await axeViolations(page), []);
    await letCopy(page, 'denied');
    await button!.press('Enter');
    await page.waitForSelector('main [role=status] ::-p-text(isn’t allowed to copy)', TIMEOUT);
    equal((await page.evaluate(() => getSelection()?.toString()))?.trim(), code.trim());
    equal(await page.$$eval('main pre', all => all.length), await page.$$eval('.sample .button', all => all.length));
    deepEqual([errors, await violations()], [[], []]);
  });

  it('has no button to copy over the code of a document, at any width and wherever the code is scrolled to', async () => {
    const {page} = await browser.openPage('about:blank');
    for (const path of ['index', ...Object.values(DOCUMENTS).flat()]) {
      await page.goto(`${origin}docs/${path.replace(/\.md$/, '')}.html`);
      if (!(await page.$('main pre'))) continue;
      await page.waitForSelector('.sample .button', TIMEOUT);
      for (const width of [1280, 900, 360]) {
        await page.setViewport({width, height: 800});
        const covered = await page.$$eval('.sample', samples =>
          samples.flatMap(sample => {
            const code = sample.querySelector('pre')!;
            const button = sample.querySelector('.button')!;
            const range = document.createRange();
            range.selectNodeContents(code.querySelector('code')!);
            return [0, code.scrollWidth].flatMap(left => {
              code.scrollLeft = left;
              const {right: edge} = code.getBoundingClientRect();
              const place = button.getBoundingClientRect();
              const isUnder = ({left, right, top, bottom}: DOMRect) =>
                Math.min(right, edge) > place.left &&
                left < Math.min(place.right, edge) &&
                bottom > place.top &&
                top < place.bottom;
              return [...range.getClientRects()].some(rect => rect.width > 0 && isUnder(rect))
                ? [`${button.textContent}, scrolled to ${String(code.scrollLeft)}`]
                : [];
            });
          }),
        );
        deepEqual(covered, [], `${path} at ${String(width)}`);
      }
    }
  });

  it('has a page for wrong addresses, at any depth, that finds and links to the documents', async () => {
    const {page} = await browser.openPage(`${origin}docs/demo/docs/nothing.html`);
    await page.waitForSelector('base', TIMEOUT);
    equal(await text(page, 'h1'), 'Page not found');
    equal(await page.$eval('main .primary', link => (link as HTMLAnchorElement).href), `${origin}docs/index.html`);
    const links = await page.$$eval('a[href]', anchors => anchors.map(({href}) => href));
    ok(links.length > 40);
    for (const link of new Set(links)) equal((await fetch(link)).status, 200, link);
    deepEqual(await axeViolations(page), []);
    await page.waitForSelector('#search:not([hidden])', TIMEOUT);
    await page.type('#search-words', 'refund');
    const found = await page
      .waitForSelector('#search mark', TIMEOUT)
      .then(() =>
        page.$$eval('#search li', items =>
          items.map(
            item =>
              `${item.querySelector('strong')?.textContent ?? ''}, ${item.querySelector('span')?.textContent ?? ''}`,
          ),
        ),
      );
    equal(found[0], 'Refunds, Safety and privacy');
    ok(found.slice(0, 6).includes('The rescue file, '), found.join('; '));
    const sandbox = found.findIndex(words => words.includes('sandbox'));
    ok(sandbox < 0 || sandbox > found.indexOf('The rescue file, '), found.join('; '));
  });

  it('lists the documents in a menu if there is no room for a column', async () => {
    const {page} = await browser.openPage(`${origin}docs/demo/docs/styling.html`);
    await page.setViewport({width: 360, height: 780});
    const isShown = () => page.$eval('#contents', list => list.checkVisibility());
    equal(await isShown(), false);
    await page.click('::-p-text(Contents)');
    equal(await isShown(), true);
    deepEqual(await axeViolations(page), []);
    await page.keyboard.press('Escape');
    equal(await isShown(), false);
    await page.setViewport({width: 1280, height: 780});
    equal(await isShown(), true);
  });

  it('links the documents in order, without dead links', async () => {
    const {page} = await browser.openPage(`${origin}docs/demo/docs/styling.html`);
    match(await text(page, '.beside .previous'), /Kinds of sites/);
    match(await text(page, '.beside .next'), /Testing your page/);
    const links = await page.$$eval('a[href]', anchors => anchors.map(({href}) => href.split('#')[0] ?? ''));
    for (const link of new Set(links.filter(href => href.startsWith(origin)))) {
      equal((await fetch(link)).status, 200, link);
    }
    ok(links.length > 20);
  });
});
