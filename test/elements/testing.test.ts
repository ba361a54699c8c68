/** Swaps in the real widget with only the test service: no sandbox, no chain, no request. */
import {expect} from '@open-wc/testing';
import {installTestService, type InstallOptions} from '../../src/testing.js';
import {openWidget, waitUntil, type WidgetPage} from '../support/page.js';
import {RECIPIENT, REFUND_ADDRESS} from '../support/states.js';

const {fetch} = window;
const {warn} = console;

async function open(options: InstallOptions = {}, settings: Readonly<Record<string, unknown>> = {}) {
  const page = await openWidget({
    from: 'bitcoin_testnet:btc',
    to: 'base_sepolia:wbtc',
    style: '--swap-speed: 0',
    ...settings,
  });
  const service = installTestService(page.widget, options);
  await page.untilThere('#amount');
  return {page, service};
}

async function order(page: WidgetPage) {
  await page.typeAmount('0.01');
  await page.typeRecipient(RECIPIENT);
  await page.typeRefundAddress(REFUND_ADDRESS);
  await waitUntil(() => page.primary === 'Review swap' && page.canGoOn, 'there never was a price');
  await page.goOn();
  await waitUntil(() => page.primary === 'Place swap' && page.canGoOn, 'the review never came');
  await page.goOn();
}

async function place(page: WidgetPage) {
  await order(page);
  await page.until('awaiting-deposit');
  await page.untilThere('[part="qr"]');
}

describe('A widget with the test service', () => {
  let told: string[];
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
    told = [];
    console.warn = (text: string) => void told.push(text);
    window.fetch = input => Promise.reject(new Error(`${String(input)} was asked for`));
  });
  afterEach(() => {
    window.fetch = fetch;
    console.warn = warn;
  });

  it('swaps, from the price to the payout, and says on the screen and in the console that it is a mock', async () => {
    const {page, service} = await open();
    await place(page);
    expect(page.text).to.include('Test service: prices and orders are made up.');
    expect(told.join()).to.include('this page uses the test service');
    const [placed] = service.orders;
    expect(placed).to.deep.include({amount: 1_000_000n, receive: 997_000n, recipient: RECIPIENT, step: 'placed'});
    await expect(page.widget).to.be.accessible();

    service.pay(placed!.orderId);
    await page.until('deposit-seen');
    service.settle(placed!.orderId);
    await page.until('complete');
    expect(page.text).to.include('0.00997');
  });

  it('can refund, and expire', async () => {
    const {page, service} = await open();
    await place(page);
    const [placed] = service.orders;
    service.pay(placed!.orderId);
    service.refund(placed!.orderId);
    await page.until('refunded');

    await page.settled(page.widget.reset());
    await place(page);
    service.expire(service.orders[1]!.orderId);
    await page.until('expired');
    expect(page.find('[part="qr"]')?.textContent).to.equal(undefined);
  });

  it('progresses automatically if the page wants that', async () => {
    const {page} = await open({payAfter: 1, stepAfter: 1});
    await order(page);
    await page.until('complete');
  });

  it('cannot be turned on by an attribute or a URL', async () => {
    const {page, service} = await open();
    await page.settled(service.uninstall());
    expect(page.text).not.to.include('Test service');
    expect(page.widget.fetch).to.equal(undefined);
    expect(page.widget.baseUrl).to.equal(undefined);
  });

  it('leaves no trace in an element that is not defined yet', async () => {
    // Elements of a document without a window are only upgraded once they are in a page.
    const widget = document.implementation.createHTMLDocument().createElement('swap-widget');
    installTestService(widget).uninstall();
    widget.setAttribute('base-url', 'https://the.service');
    document.body.append(widget);
    await widget.updateComplete;
    expect(widget.baseUrl).to.equal('https://the.service');
    expect(widget.fetch).to.equal(undefined);
    widget.remove();
  });
});
