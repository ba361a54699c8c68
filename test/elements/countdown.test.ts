import {expect} from '@open-wc/testing';
import type {LitElement} from 'lit';
import {show} from '../support/show.js';
import {NOON} from '../support/swap.js';

type Page = Awaited<ReturnType<typeof show>>;

/** The elements that render, by tag, while a test acts or five seconds pass. */
async function rendered(page: Page, happens: (page: Page) => Promise<void> = tick): Promise<Record<string, number>> {
  await Promise.all(page.findAll(':not(:defined)').map(({localName}) => customElements.whenDefined(localName)));
  await page.settled();
  let prototype = customElements.get('swap-widget-form-view')?.prototype as {performUpdate(): void};
  while (!Object.hasOwn(prototype, 'performUpdate')) prototype = Object.getPrototypeOf(prototype) as typeof prototype;
  const {performUpdate} = prototype;
  const counts: Record<string, number> = {};
  prototype.performUpdate = function (this: LitElement) {
    counts[this.localName] = (counts[this.localName] ?? 0) + 1;
    performUpdate.call(this);
  };
  await happens(page);
  await page.settled();
  prototype.performUpdate = performUpdate;
  return counts;
}

async function tick(page: Page) {
  for (let second = 1; second <= 5; second++) {
    await page.settled(page.widget.fake.$now.set(NOON + second * 1000));
  }
}

const COUNTING = {
  'form-quoted': 'New price in 0:19',
  review: 'New price in 0:19',
  'deposit-address': '34:50 left',
  'deposit-address-checking': '34:50 left',
  'deposit-sign': '34:50 left',
  'deposit-send': '1:05',
};

describe('The passing of time', () => {
  for (const [name, text] of Object.entries(COUNTING)) {
    it(`renders the countdown alone: ${name}`, async () => {
      const page = await show(name);
      const {'swap-widget-countdown': countdown = 0, 'swap-widget-clock': clock = 0, ...others} = await rendered(page);
      expect(others, name).to.deep.equal({});
      expect(countdown + clock, name).to.be.within(1, 10);
      // What moves all the time would paint the page in each frame.
      expect(page.findAll('.ring *').flatMap(each => each.getAnimations())).to.deep.equal([]);
      expect(page.text).to.contain(text);
    });
  }

  for (const name of ['complete', 'refunded', 'expired', 'journal']) {
    it(`renders nothing without a countdown: ${name}`, async () => {
      const page = await show(name);
      expect(await rendered(page)).to.deep.equal({});
    });
  }

  it('re-renders nothing once the page is idle and everything is loaded', async () => {
    await show('form-empty');
    const {requestIdleCallback} = window;
    const waiting: IdleRequestCallback[] = [];
    window.requestIdleCallback = work => waiting.push(work);
    try {
      const page = await show('deposit-address');
      const others = await rendered(page, async () => {
        for (const work of waiting) work({didTimeout: false, timeRemaining: () => 50});
        await new Promise(requestAnimationFrame);
      });
      expect(others).to.deep.equal({});
    } finally {
      window.requestIdleCallback = requestIdleCallback;
    }
  });

  it('updates a stage as soon as its time has come', async () => {
    const page = await show('deposit-address');
    const {$now, $order} = page.widget.fake;
    const order = $order.get();
    const payUntil = order.state === 'ready' ? order.value.payUntil : 0;
    await page.settled($now.set(payUntil - 9.5 * 60_000));
    expect(page.text).to.contain('Less than 10 minutes left');
    await page.settled($now.set(payUntil - 60_000));
    expect(page.text).to.contain('Don’t start a payment now.');
    await page.settled($now.set(payUntil));
    expect(page.text).to.contain('Don’t send anything to its address any more.').and.not.contain('0:00');
    await expect(page.widget).to.be.accessible();
  });
});
