/** A page of one order, read from the test service. */
import {expect, fixture, html} from '@open-wc/testing';
import {AbiCoder, id, sha256} from 'ethers';
import {createClient} from '../../src/api/client.js';
// Normally loaded with the order; here in advance, so that a busy machine is not too slow for the service's response.
import '../../src/chains/evm/evm.js';
import '../../src/status.js';
import {createTestService} from '../../src/testing.js';
import {set, waitUntil, WidgetPage} from '../support/page.js';
import {RECIPIENT, REFUND_ADDRESS} from '../support/states.js';
import {BTC} from '../support/deal.js';
import {anAgreement, WBTC} from '../support/swap.js';

const {warn, error} = console;
const {fetch} = globalThis;

async function serve() {
  const service = createTestService();
  const api = createClient({
    base: `${service.baseUrl}/v2`,
    headers: {},
    dialect: {},
    fetch: service.fetch,
    timeouts: {read: 5_000, write: 5_000, pause: 1},
  });
  const swap = {from: BTC, to: WBTC, amount: 1_000_000n};
  const [quote] = await api.quote({...swap, affiliateFees: []});
  const receive = quote!.destination.amount;
  const parties = {owner: REFUND_ADDRESS, recipient: RECIPIENT};
  const {orderId, deposit} = await api.createOrder(anAgreement({...swap, ...parties, receive, atLeast: receive}));
  return {service, api, orderId, address: deposit.how === 'transfer' ? deposit.address : ''};
}

async function open(settings: Readonly<Record<string, unknown>>) {
  const element = document.createElement('swap-status');
  const events: string[] = [];
  for (const type of ['swap-status', 'swap-complete', 'swap-refund', 'swap-error'] as const) {
    element.addEventListener(type, event => {
      const end = 'witness' in event ? [event.witness, ...(event.again ? ['again'] : [])] : [];
      events.push('stage' in event ? event.stage : [event.type, ...end].join(' '));
    });
  }
  set(element, {style: '--swap-speed: 0', ...settings});
  await fixture(html`<div>${element}</div>`);
  // It has the same parts as the widget.
  const page = new WidgetPage(element);
  return {element, events, page};
}

const NODE = 'https://node.test/';

function serveNode() {
  const node = {receipt: null as object | null, kept: '0x', asked: new Set<string>()};
  globalThis.fetch = (input, init) => {
    if (input !== NODE) return fetch(input, init);
    const {method} = JSON.parse(String(init?.body)) as {method: string};
    node.asked.add(method);
    const answers: Readonly<Record<string, unknown>> = {
      eth_chainId: WBTC.chain.chainId,
      eth_call: node.kept,
      eth_getTransactionReceipt: node.receipt,
      eth_getBlockByNumber: {timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}`},
    };
    return Promise.resolve(Response.json({result: answers[method]}));
  };
  return node;
}

/** The log of the token's contract for a payment to the recipient. */
function paidOut(amount: bigint) {
  const word = (text: string) => `0x${text.replace(/^0x/, '').padStart(64, '0')}`;
  return {
    address: WBTC.token,
    topics: [id('Transfer(address,address,uint256)'), word('1'), word(RECIPIENT)],
    data: word(amount.toString(16)),
  };
}

const abi = AbiCoder.defaultAbiCoder();

function redeemed(secret: string, swapId: string) {
  return {
    address: WBTC.contracts[0],
    topics: [id('Redeemed(bytes32,bytes32,bytes)'), `0x${swapId}`, sha256(`0x${secret}`)],
    data: abi.encode(['bytes'], [`0x${secret}`]),
  };
}

function keptOf(amount: bigint) {
  const words = ['address', 'address', 'uint256', 'uint256', 'uint256', 'uint256'];
  return abi.encode(words, [RECIPIENT, RECIPIENT, 1, 1, amount, 1]);
}

describe('<swap-status>', () => {
  beforeEach(() => {
    console.warn = () => undefined;
  });
  afterEach(() => {
    console.warn = warn;
    console.error = error;
    globalThis.fetch = fetch;
  });

  it('follows an order to its end, without a button to pay, leave, or start anything', async () => {
    const {service, orderId, address} = await serve();
    const {fetch} = service;
    const asked: string[] = [];
    const {element, events, page} = await open({
      'base-url': service.baseUrl,
      'order-id': orderId,
      fetch: (input: string, init?: RequestInit) => {
        asked.push(`${init?.method ?? 'GET'} ${new URL(input).pathname}`);
        return fetch(input, init);
      },
    });
    await waitUntil(() => page.text.includes('Not paid yet'), 'the order was never read');
    expect(element.stage).to.equal('awaiting-deposit');
    expect(page.text).to.match(/0\.01 ?BTC.*0\.00997 ?WBTC/);
    expect(page.text).to.include('Testnet');
    expect(page.text).not.to.include(address);
    expect(page.text).not.to.include('wasn’t placed');
    expect(page.findAll('button')).to.deep.equal([]);
    expect(page.find('swap-widget-qr-code')?.textContent).to.equal(undefined);
    await expect(element).to.be.accessible();

    service.pay(orderId);
    await page.until('deposit-seen');
    expect(page.text).to.include('According to the swap service.');
    service.settle(orderId);
    await page.until('complete');
    const names = page.findAll('button').map(({ariaLabel, textContent}) => ariaLabel ?? textContent.trim());
    expect(names).to.deep.equal(['Receipt']);
    expect(element.matches(':state(complete)')).to.equal(true);
    expect(events).to.deep.equal(['deposit-seen', 'settling', 'complete', 'swap-complete service']);
    expect(element.order?.witness).to.equal('service');
    expect(new Set(asked)).to.deep.equal(new Set([`GET /v2/orders/${orderId}`]));
    await expect(element).to.be.accessible();

    await page.press('Receipt');
    expect(page.findAll('a[href*="7e57"]').length).to.equal(2);
    await page.press('Back');
    expect(page.button('Receipt')).to.exist;
  });

  it('relies on the chain if the page sets an RPC, and marks what only the service reports', async () => {
    const {service, api, orderId} = await serve();
    const node = serveNode();
    const {page, element, events} = await open({
      'base-url': service.baseUrl,
      'order-id': orderId,
      rpc: `base_sepolia ${NODE}`,
      fetch: service.fetch,
    });
    service.settle(orderId);
    await page.until('settling');
    expect(page.text).to.include('According to the swap service.');
    expect(page.text).not.to.include('Received');
    expect(events.join()).not.to.include('swap-complete');

    const {destination} = await api.readOrder(orderId);
    const show = (...logs: readonly object[]) => (node.receipt = {status: '0x1', blockNumber: '0x70', logs});
    show(paidOut(991_234n));
    await waitUntil(() => page.text.includes('It shows only 0.00991234 WBTC'), 'it never said what was seen');
    expect(element.stage).to.equal('settling');

    show(paidOut(destination.amount));
    await page.until('complete');
    expect(page.text).to.include('Only the swap service says that this is your swap’s money.');
    expect(page.said).to.match(/^You received .* According to the swap service\. Only the swap service/);
    expect(element.order).to.include({witness: 'service', id: orderId});
    expect(element.order).to.equal(element.order);
    await expect(element).to.be.accessible();

    node.kept = keptOf(destination.amount);
    show(paidOut(destination.amount), redeemed(destination.secret, destination.swapId));
    await waitUntil(() => element.order?.witness === 'chain', 'it was never tied to the order');
    await page.settled();
    expect(page.text).to.match(/You received 0\.00997 ?WBTC/);
    expect(page.text).not.to.include('According to the swap service.');
    expect(events.slice(-3)).to.deep.equal(['complete', 'swap-complete service', 'swap-complete chain again']);
    const asked = ['eth_chainId', 'eth_getTransactionReceipt', 'eth_getBlockByNumber', 'eth_call'];
    expect(node.asked).to.deep.equal(new Set(asked));
    await expect(element).to.be.accessible();
  });

  it('waits for a page that sets the order in a later task, without an error', async () => {
    const {service, orderId} = await serve();
    const said: string[] = [];
    console.error = (text: string) => said.push(text);
    const {requestIdleCallback} = window;
    const idle: (() => void)[] = [];
    window.requestIdleCallback = work => idle.push(work as () => void);
    try {
      const {element, events, page} = await open({'base-url': service.baseUrl, fetch: service.fetch});
      await waitUntil(() => idle.length, 'it did not wait for its page');
      element.orderId = orderId;
      await waitUntil(() => page.text.includes('Not paid yet'), 'the order was never read');
      await page.settled(idle.forEach(work => work()));
      expect([said, events, element.error]).to.deep.equal([[], [], undefined]);
      await expect(element).to.be.accessible();
    } finally {
      window.requestIdleCallback = requestIdleCallback;
    }
  });

  it('shows an unknown swap, a failed read, and an invalid setting', async () => {
    const {service, orderId} = await serve();
    const from = {'base-url': service.baseUrl, fetch: service.fetch};
    const {page, element, events} = await open({...from, 'order-id': 'f00d'});
    await waitUntil(() => page.heading === 'Swap not found', 'it was never said');
    expect(page.findAll('button').map(({textContent}) => textContent.trim())).to.deep.equal(['Update now']);
    await expect(element).to.be.accessible();

    service.fail('read', {}, 3);
    element.orderId = orderId;
    await waitUntil(() => page.button('Update now'), 'the failure was never shown');
    expect(page.find('.help')?.textContent).to.equal(undefined);
    element.support = 'mailto:help@shop.example';
    await waitUntil(() => page.find('.help'), 'no help with an order that was never read');
    expect(page.find<HTMLAnchorElement>('.help a')?.href).to.include(`?subject=Swap%20ID%3A%20${orderId}&`);
    await expect(element).to.be.accessible();

    console.error = () => undefined;
    element.orderId = '..';
    await waitUntil(() => page.text.includes('order-id'), 'the fault was never shown');
    element.orderId = orderId;
    await waitUntil(() => !page.text.includes('order-id'), 'the fault was kept');
    element.orderId = '';
    await waitUntil(() => page.text.includes('order-id'), 'the fault was never shown');
    expect(events.at(-1)).to.equal('swap-error');
    await expect(element).to.be.accessible();
  });

  it('has the page’s language, and shows the page’s content between its tags until it is loaded', async () => {
    const {service, orderId} = await serve();
    service.settle(orderId);
    const element = document.createElement('swap-status');
    element.textContent = 'A moment, please';
    set(element, {'base-url': service.baseUrl, fetch: service.fetch, 'order-id': orderId, lang: 'de'});
    await fixture(html`<div>${element}</div>`);
    const page = new WidgetPage(element);
    await page.until('complete');
    await waitUntil(() => page.button('Beleg'), 'it never spoke German');
    expect(page.text).not.to.include('A moment');
  });
});
