import {deepEqual, equal, ok} from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {browserForTests, serverForTests} from '../support/browser.js';
import {DIST} from '../support/dist.js';
import {swapWithMock} from '../support/visitor.js';

const SCRIPTS = {
  'its plain URL': ['<script type="module" src="/dist/define.js"></script>'],
  'a query': ['<script type="module" src="/dist/define.js?v=1"></script>'],
  'a redirect': ['<script type="module" src="/latest/define.js"></script>'],
  'two addresses': [
    '<script type="module" src="/dist/define.js?v=1"></script>',
    '<script type="module" src="/dist/define.js"></script>',
  ],
  'a URL with a hash to check': [
    `<script type="module" src="/dist/define.js" integrity="${hashOf('define.js')}"></script>`,
  ],
  'a URL, on a page that extends Object.prototype': [
    '<script>Object.prototype.added = 1</script><script type="module" src="/dist/define.js"></script>',
  ],
  'a separate classic script': ['<script src="/dist/load.js"></script>'],
  'an inline classic script': [`<script>import('/dist/define.js')</script>`],
  'a tag manager, which adds a script once the page is loaded': [
    `<script>addEventListener('load', () => setTimeout(() => {
      const script = document.createElement('script');
      script.src = '/dist/load.js';
      document.head.append(script);
    }));</script>`,
  ],
  'a host on another origin with CORS': ['<script type="module" src="http://ORIGIN/open/define.js"></script>'],
  'a URL from which the settings load late': ['<script type="module" src="/slow/define.js"></script>'],
} as const;

const RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const WIDGET = `<swap-widget base-url="https://service.example" assets="base_sepolia:wbtc ethereum_sepolia:wbtc"
  from="base_sepolia:wbtc" to="ethereum_sepolia:wbtc"></swap-widget>`;
/** The same widget on pages that list its assets differently. */
const WIDGETS: Readonly<Record<string, string>> = {
  pair: WIDGET.replace(/ assets="[^"]*"/, ''),
  elsewhere: WIDGET.replace(' ', ` walletconnect-project-id="${'0'.repeat(32)}" `),
  priced: WIDGET.replace('https://service.example', 'ORIGIN/service').replace(' ', ' amount="0.1" '),
  mock: `<swap-widget from="bitcoin_testnet:btc" to="base_sepolia:wbtc" amount="0.01" recipient="${RECIPIENT}"
    refund-address="tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"></swap-widget><script type="module">
    import {installTestService} from '/dist/testing.js';
    installTestService(document.querySelector('swap-widget'), {payAfter: 500, stepAfter: 500});
  </script>`,
  // A form cannot show an asset that it does not know before the settings are read.
  objects: `<swap-widget base-url="https://service.example" from="base_sepolia:play" to="ethereum_sepolia:wbtc"
    recipient="${RECIPIENT}"></swap-widget><script>
    document.querySelector('swap-widget').assets = ['base_sepolia:wbtc', 'ethereum_sepolia:wbtc',
      {id: 'base_sepolia:play', symbol: 'PLAY', title: 'Play money', decimals: 18,
       token: '0x00000000000000000000000000000000000000aa'}];
  </script>`,
};

const QUOTE = {
  source: {asset: 'base_sepolia:wbtc', amount: '10000000', display: '0.1', value: '6000'},
  destination: {asset: 'ethereum_sepolia:wbtc', amount: '9970000', display: '0.0997', value: '5980'},
  solver_id: '0x9dd9c2d208b07bf9a4ef9ca311f36d7185749635',
};
const IN_FRAME = '/?with=a%20host%20on%20another%20origin%20with%20CORS&widget=priced';
/** Much of what SES freezes (`lockdown`). */
const FROZEN = `<script>for (const one of [Object, Array, Function, Promise, Error, TypeError, Map, Set,
  Date, RegExp, String, Number, Boolean, BigInt, Symbol]) {
  Object.freeze(one);
  Object.freeze(one.prototype);
}</script>`;

function hashOf(file: string): string {
  return (JSON.parse(readFileSync(join(DIST, 'sri.json'), 'utf8')) as Record<string, string>)[file] ?? '';
}

/** The built widget, however a page loads it: exactly one copy works, completely. */
describe('the script tag', () => {
  /** Lets the files after the form arrive from `/slow/`. */
  let letCome: () => void;
  let held: Promise<void>;

  beforeEach(() => {
    held = new Promise(resolve => {
      letCome = resolve;
    });
  });
  const browser = browserForTests();
  const server = serverForTests(({url = ''}, response) => {
    const {pathname, searchParams} = new URL(url, 'http://localhost');
    if (pathname.startsWith('/latest/')) {
      response.writeHead(302, {location: pathname.replace('/latest/', '/dist/')}).end();
    } else if (/^\/(?:dist|slow|open|plain|closed)\/.*\.js$/.test(pathname)) {
      const [, place = ''] = pathname.split('/');
      const send = () =>
        response
          .setHeader('content-type', place === 'plain' ? 'text/plain' : 'text/javascript')
          .setHeaders(new Headers(place === 'open' ? {'access-control-allow-origin': '*'} : {}))
          .end(readFileSync(join(DIST, pathname.slice(place.length + 2))));
      if (pathname.startsWith('/slow/chunks/settings')) void held.then(send);
      else send();
    } else if (pathname === '/service/v2/quote') {
      response
        .setHeader('access-control-allow-origin', '*')
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({status: 'Ok', result: [QUOTE]}));
    } else if (pathname === '/dist/embed.html') {
      response.setHeader('content-type', 'text/html').end(readFileSync(join(DIST, 'embed.html')));
    } else {
      const scripts = Object.entries(SCRIPTS).find(([name]) => name === searchParams.get('with'))?.[1] ?? [
        searchParams.get('tag') ?? '',
      ];
      response
        .setHeader('content-type', 'text/html')
        .end(
          `<!doctype html><title>A page</title><link rel="icon" href="data:,">${scripts
            .join('')
            .replace(
              'ORIGIN',
              server.url.replace('http://127.0.0.1', 'localhost'),
            )}${(WIDGETS[searchParams.get('widget') ?? ''] ?? WIDGET).replace('ORIGIN', server.url)}`,
        );
    }
  });

  const pages = Object.keys(SCRIPTS).map(name => [name, `/?with=${encodeURIComponent(name)}`] as const);
  for (const [name, address] of [...pages, ['the lines to copy, as they stand', '/dist/embed.html'] as const]) {
    it(`works with ${name}`, async () => {
      const {page, errors} = await browser.openPage(`${server.url}${address}`);
      const loaded: string[] = [];
      page.on('request', request => {
        if (request.resourceType() === 'script') loaded.push(request.url());
      });
      // The list of assets loads late, and extends the form's own.
      const choose = await page.waitForSelector('swap-widget >>> button[aria-haspopup]', {visible: true});
      await choose?.click();
      letCome();
      await page.waitForSelector('swap-widget >>> [role=option]', {visible: true});
      ok(loaded.length > 0, 'nothing was loaded late');
      deepEqual(errors, []);
    });
  }

  it('swaps to “Received” with the mock service, which is a script beside it', async () => {
    const {page, errors} = await browser.openPage(`${server.url}/?with=its%20plain%20URL&widget=mock`);
    await swapWithMock(page);
    deepEqual(errors, []);
  });

  for (const [place, said] of [
    [
      'the media type text/plain',
      ['<script type="module" src="/plain/define.js"></script>', /MIME type of "text\/plain"/],
    ],
    [
      'no CORS header for other origins',
      ['<script type="module" src="http://ORIGIN/closed/define.js"></script>', /CORS policy/],
    ],
    [
      'a classic script',
      ['<script src="/dist/define.js"></script>', /Cannot use import statement|Unexpected token|import\.meta/],
    ],
  ] as const) {
    it(`does nothing with ${place}, and the console says why`, async () => {
      const [tag, reason] = said;
      const {page, errors} = await browser.openPage(`${server.url}/?tag=${encodeURIComponent(tag)}`);
      ok(
        errors.some(error => reason.test(error)),
        errors.join('\n'),
      );
      equal(await page.evaluate(() => customElements.get('swap-widget') === undefined), true);
    });
  }

  it('loads the library for wallets on other devices from beside `define.js`, when it is chosen', async () => {
    const {page} = await browser.openPage(`${server.url}/?with=its%20plain%20URL&widget=elsewhere`);
    const loaded: string[] = [];
    page.on('request', request => loaded.push(new URL(request.url()).pathname));
    await (await page.waitForSelector('swap-widget >>> button.account', {visible: true}))?.click();
    const choice = await page.waitForSelector('swap-widget >>> ::-p-text(WalletConnect)');
    ok(!loaded.includes('/dist/walletconnect.js'));
    await choice?.click();
    await page.waitForSelector('w3m-modal.open');
    ok(loaded.includes('/dist/walletconnect.js'));
  });

  for (const [what, tag] of [
    ['with frozen prototypes', `${FROZEN}<script type="module" src="/dist/define.js"></script>`],
    ['in a frame without origin, storage, clipboard and locks', `<iframe sandbox="allow-scripts" src="${IN_FRAME}">`],
  ] as const) {
    it(`gives a price on a page ${what}`, async () => {
      const {page, errors} = await browser.openPage(`${server.url}/?tag=${encodeURIComponent(tag)}&widget=priced`);
      await page.frames().at(-1)?.waitForFunction(`document.querySelector('swap-widget').quote`, {polling: 50});
      deepEqual(errors, []);
    });
  }

  describe('with settings that load late', () => {
    // If the widget is fast, it requests a price from this page's service, which does not exist.
    const isOfWidget = (error: string) => !error.includes('https://service.example/');
    const open = async (widget: string) => {
      const {page, errors} = await browser.openPage(
        `${server.url}/?with=${encodeURIComponent('a URL from which the settings load late')}&widget=${widget}`,
      );
      const amount = await page.waitForSelector('swap-widget >>> input[inputmode=decimal]', {visible: true});
      await amount?.type('0,1');
      return {page, errors, amount: () => amount?.evaluate(input => input.value)};
    };

    it('keeps what was typed and clicked before they loaded', async () => {
      const {page, errors, amount} = await open('pair');
      const asset = await page.waitForSelector('swap-widget >>> button[aria-label^="You receive: "]');
      await asset?.click();
      equal(await page.$('swap-widget >>> swap-widget-asset-picker'), null);
      letCome();
      await page.waitForSelector('swap-widget >>> swap-widget-asset-picker >>> h2', {visible: true});
      equal(await amount(), '0,1');
      deepEqual(errors.filter(isOfWidget), []);
    });

    it('fills in the page’s settings beside an amount that was typed before they loaded', async () => {
      const {page, errors, amount} = await open('objects');
      letCome();
      for (const asset of ['You pay: PLAY, Base Sepolia', 'You receive: WBTC, Ethereum Sepolia']) {
        await page.waitForSelector(`swap-widget >>> button[aria-label="${asset}"]`, {visible: true});
      }
      const recipient = await page.waitForSelector('swap-widget >>> [side=receive] >>> input', {visible: true});
      // Its middle is omitted if it would not fit.
      equal(await recipient?.evaluate(input => input.value), '0x5aAeb6…1BeAed');
      equal(await amount(), '0,1');
      deepEqual(errors.filter(isOfWidget), []);
    });
  });

  it('loads a second copy only for pages that request it under another URL', async () => {
    const copies = async (name: string) => {
      const {page} = await browser.openPage(`${server.url}/?with=${encodeURIComponent(name)}`);
      await page.waitForSelector('swap-widget >>> input[inputmode=decimal]', {visible: true});
      return page.evaluate(
        () => performance.getEntriesByType('resource').filter(({name}) => name.includes('/define.js')).length,
      );
    };
    equal(await copies('its plain URL'), 1);
    equal(await copies('a query'), 2);
    equal(await copies('a redirect'), 2);
    equal(await copies('two addresses'), 2);
  });
});
