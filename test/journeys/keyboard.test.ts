import {expect} from '@open-wc/testing';
import {sendKeys} from '@web/test-runner-commands';
import {beginCrossing, endCrossings, type Crossing} from '../support/crossing.js';
import {scaled} from '../support/limits.js';
import {focused, waitUntil} from '../support/page.js';

afterEach(endCrossings);

function name(): string {
  const element = focused();
  const label = element?.id ? (element.getRootNode() as ShadowRoot).querySelector(`label[for="${element.id}"]`) : null;
  return (element?.ariaLabel ?? label?.textContent ?? element?.textContent ?? '').replace(/\s+/g, ' ').trim();
}

function expectFocus(crossing: Crossing) {
  const element = focused();
  expect(crossing.page.widget.contains(document.activeElement), `the focus is on ${element?.localName ?? 'nothing'}`).to
    .be.true;
  const {top, bottom, width, height} = element!.getBoundingClientRect();
  expect(width && height, `“${name()}” can be seen`).to.be.greaterThan(0);
  expect(bottom > 0 && top < innerHeight, `“${name()}” is in the window`).to.be.true;
  if (element!.matches('h2')) return;
  const line = (element!.matches('input') && element.closest('.amount, .line, .search')) || element!;
  const {boxShadow, outlineStyle, borderBlockEndColor, color} = getComputedStyle(line);
  expect(boxShadow !== 'none' || outlineStyle !== 'none' || borderBlockEndColor !== color, `“${name()}” shows it`).to.be
    .true;
}

/** Presses Tab until an element with that name has the focus. Returns the names passed. */
async function tabTo(crossing: Crossing, wanted: RegExp): Promise<string[]> {
  const passed: string[] = [];
  for (let presses = 0; presses < 30; presses += 1) {
    await sendKeys({press: 'Tab'});
    if (!crossing.page.widget.contains(document.activeElement)) {
      // After the end of the page the browser starts over.
      continue;
    }
    expectFocus(crossing);
    if (wanted.test(name())) return passed;
    passed.push(name());
  }
  throw new Error(`Tab never came to ${String(wanted)}, only to: ${passed.join(' | ')}`);
}

describe('With the keyboard alone', () => {
  it('a visitor gets from the amount to the receipt, and the focus is never lost', async function () {
    // The browser presses each key.
    this.timeout(scaled(120_000));
    const crossing = await beginCrossing({from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc'});
    const {page} = crossing;

    await tabTo(crossing, /^You pay$/);
    await sendKeys({type: crossing.options.amount});
    expect(page.amount).to.equal(crossing.options.amount);

    await tabTo(crossing, /^You receive: /);
    await sendKeys({press: 'Enter'});
    await page.untilThere('swap-widget-asset-picker');
    await waitUntil(() => focused()?.matches('[role=combobox]'), 'the search has the focus');
    await sendKeys({type: 'WBTC'});
    await sendKeys({press: 'Escape'});
    await waitUntil(() => !page.find('swap-widget-asset-picker'));
    await waitUntil(() => name().startsWith('You receive: '), 'the focus is back where the list was opened');
    expectFocus(crossing);

    await tabTo(crossing, /^Connect a wallet to pay from$/);
    await sendKeys({press: 'Enter'});
    await waitUntil(() => name().startsWith(crossing.payer.name), `the first wallet has the focus, not “${name()}”`);
    expectFocus(crossing);
    await sendKeys({press: 'Enter'});
    await waitUntil(() => page.button(/^Change the wallet you pay from/), 'the wallet was never connected');
    await waitUntil(() => !page.find('swap-widget-wallet-picker') && focused() !== document.body);
    expectFocus(crossing);

    await waitUntil(() => page.button('Details'), 'there is no price');
    await tabTo(crossing, /^Details$/);
    await sendKeys({press: 'Enter'});
    await tabTo(crossing, /^Receive at$/);
    await sendKeys({down: 'Control'});
    await sendKeys({press: 'a'});
    await sendKeys({up: 'Control'});
    await sendKeys({type: crossing.payer.account});
    await waitUntil(() => page.primary === 'Review swap' && page.canGoOn, 'there is no price');
    await tabTo(crossing, /^Review swap$/);
    await sendKeys({press: 'Enter'});
    await page.until('reviewing');
    await page.untilThere('swap-widget-review-view');
    await waitUntil(() => focused()?.matches('h2'), 'the heading of the review has the focus');

    await waitUntil(() => page.primary === 'Place swap' && page.canGoOn);
    await tabTo(crossing, /^Place swap$/);
    await sendKeys({press: 'Enter'});
    await crossing.until(() => page.primary === 'New swap', 'the end was never shown');
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'sign']);
    expectFocus(crossing);

    await tabTo(crossing, /^Receipt$/);
    await crossing.expectAccessible();
  });
});
