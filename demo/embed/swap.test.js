import {beforeEach, expect, it, vi} from 'vitest';
import 'swap-widget/define.js';
import {installTestService} from 'swap-widget/testing';

let widget;
let service;

beforeEach(() => {
  widget = document.createElement('swap-widget');
  widget.assets = ['bitcoin_testnet:btc', 'base_sepolia:wbtc', 'ethereum_sepolia:wbtc'];
  widget.setAttribute('from', 'bitcoin_testnet:btc');
  widget.setAttribute('to', 'base_sepolia:wbtc');
  service = installTestService(widget);
  document.body.replaceChildren(widget);
});

/** Everything that a selector matches, also inside the widget. */
const all = (selector, root = document) =>
  [...root.querySelectorAll('*')].flatMap(element => [
    ...(element.matches(selector) ? [element] : []),
    ...(element.shadowRoot ? all(selector, element.shadowRoot) : []),
  ]);

/** The first match of a selector with this text, once it exists. */
const find = (selector, words, textOf = element => element.textContent) =>
  vi.waitUntil(() => all(selector).find(element => textOf(element)?.includes(words)), 5000);

async function type(label, text) {
  const field = await find('input', label, input => input.labels[0]?.textContent);
  field.value = text;
  field.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true}));
}

const press = async words => (await find('button:not([disabled], [aria-disabled=true])', words)).click();

it('offers what this site swaps', async () => {
  await press('WBTC');
  await find('[role=option]', 'Ethereum Sepolia');
  expect(all('[role=option]')).toHaveLength(3);
});

it('shows a price, and swaps', async () => {
  const received = vi.fn();
  widget.addEventListener('swap-complete', received);
  await type('You pay', '0.01');
  await type('Refund to', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx');
  await type('Receive at', '0x000000000000000000000000000000000000dEaD');
  await press('Review swap');
  expect(widget.quote.destination.display).toBe('0.00997');
  await press('Place swap');
  await vi.waitUntil(() => widget.stage === 'awaiting-deposit', 5000);
  service.settle(service.orders[0].orderId);
  await vi.waitUntil(() => received.mock.calls.length, 5000);
});
