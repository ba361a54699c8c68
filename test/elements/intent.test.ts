import {expect, fixture, html} from '@open-wc/testing';
import {createTestService} from '../../src/testing.js';
import '../../src/define.js';
import {waitUntil, WidgetPage} from '../support/page.js';

/** The requests since then: files of chain families, and everything from other origins. Each file is requested once. */
const asked: string[] = [];
new PerformanceObserver(list => {
  for (const {name} of list.getEntries()) {
    const {origin, pathname} = new URL(name);
    if (origin !== location.origin) asked.push(name);
    else asked.push(...(/(?<=\/src\/chains\/)\w+\/.*/.exec(pathname) ?? []));
  }
}).observe({type: 'resource'});

async function open(from: string, to: string) {
  const service = createTestService();
  const widget = document.createElement('swap-widget');
  Object.assign(widget, {baseUrl: service.baseUrl, from, to, fetch: service.fetch});
  await fixture(html`<div>${widget}</div>`);
  const page = new WidgetPage(widget);
  // By then all settings have been read.
  await waitUntil(() => page.find('.mark svg'), 'its drawings');
  return page;
}

const comeOver = (element: Element | null | undefined) =>
  element?.dispatchEvent(new PointerEvent('pointerover', {bubbles: true, composed: true}));

describe('The code that a click will need', () => {
  it('is not loaded before the visitor gets near it, and never with data saving on', async () => {
    const page = await open('solana_testnet:sol', 'starknet_sepolia:wbtc');
    page.find('#amount')?.focus();
    comeOver(page.find('#amount'));
    Object.defineProperty(navigator, 'connection', {configurable: true, value: {saveData: true}});
    try {
      page.findAll('button[part="asset"], #address').forEach(comeOver);
    } finally {
      Reflect.deleteProperty(navigator, 'connection');
    }
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(asked).to.deep.equal([]);
    await expect(page.widget).to.be.accessible();
  });

  it('is not loaded for a price if the widget is removed meanwhile', async () => {
    const page = await open('base_sepolia:wbtc', 'starknet_sepolia:wbtc');
    const {widget} = page;
    const priced = new Promise(resolve => {
      widget.addEventListener('swap-quote', resolve, {once: true});
    });
    await page.typeAmount('0.01');
    await priced;
    widget.remove();
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(asked).to.deep.equal([]);
  });

  it('is loaded when the pointer is over an asset or the focus in an address: that family, and no wallet library', async () => {
    const page = await open('bitcoin_testnet:btc', 'base_sepolia:wbtc');
    comeOver(page.find('.pay button[part="asset"]'));
    await waitUntil(() => asked.includes('bitcoin/bitcoin.ts'), 'the family of what is paid');
    expect(asked.filter(file => !file.startsWith('bitcoin/'))).to.deep.equal([]);

    page.findAll('#address').at(-1)?.focus();
    await waitUntil(() => asked.includes('evm/evm.ts'), 'the family of what arrives');
    expect(asked.filter(file => /^https?:|^solana|^starknet|^bitcoin\/fund|walletconnect/.test(file))).to.deep.equal(
      [],
    );
  });
});
