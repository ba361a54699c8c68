import {expect} from '@open-wc/testing';
import type {FakeSession, FakeSessionWidget} from '../support/fake-session.js';
import {waitUntil, type WidgetPage} from '../support/page.js';
import {show} from '../support/show.js';
import {storyIn} from '../support/shown.js';
import {STATES} from '../support/states.js';

const ORDER_ID = '9f3c5b1e7a20d4c86f1be21a';

/** Replaces the browser's notifications and the page's visibility while some code runs. */
async function withBrowser(
  {answer = 'granted', permission = 'default'}: {answer?: NotificationPermission; permission?: NotificationPermission},
  work: (browser: {shown: string[]; asked(): number; hide(isHidden: boolean): void}) => Promise<void>,
) {
  const shown: string[] = [];
  let asked = 0;
  class Fake {
    static permission = permission;
    static requestPermission = () => {
      asked += 1;
      Fake.permission = answer;
      return Promise.resolve(answer);
    };
    onclick = null;
    constructor(text: string) {
      shown.push(text);
    }
    close() {}
  }
  const before = Object.getOwnPropertyDescriptor(globalThis, 'Notification')!;
  Object.defineProperty(globalThis, 'Notification', {configurable: true, writable: true, value: Fake});
  const hide = (isHidden: boolean) => {
    Object.defineProperty(document, 'visibilityState', {configurable: true, value: isHidden ? 'hidden' : 'visible'});
  };
  try {
    await work({shown, asked: () => asked, hide});
  } finally {
    Object.defineProperty(globalThis, 'Notification', before);
    Reflect.deleteProperty(document, 'visibilityState');
  }
}

const orderIn = (fake: FakeSession) => storyIn(fake)!.order!;
const tellComplete = ({fake}: FakeSessionWidget, witness: 'chain' | 'service' = 'chain') => {
  fake.tell({type: 'complete', orderId: ORDER_ID, order: orderIn(fake), witness});
};
const press = (page: WidgetPage<FakeSessionWidget>) => page.press('Tell me when it arrives');

describe('A person who wants to be notified', () => {
  it('is asked for permission only on the click, and notified once the money arrived while the page is hidden', async () => {
    await withBrowser({}, async ({shown, asked, hide}) => {
      const page = await show('progress-confirming');
      expect(asked()).to.equal(0);
      await press(page);
      expect(asked()).to.equal(1);
      await waitUntil(() => page.text.includes('You’ll get a notification as long as this page stays open.'));
      await expect(page.widget).to.be.accessible();
      hide(true);
      tellComplete(page.widget);
      tellComplete(page.widget);
      expect(shown).to.deep.equal(['Your WBTC has arrived.']);
    });
  });

  it('is told the source if no chain shows it, and also if the service withdraws it', async () => {
    await withBrowser({}, async ({shown, hide}) => {
      const page = await show('progress-confirming');
      const {fake} = page.widget;
      await press(page);
      hide(true);
      tellComplete(page.widget, 'service');
      const order = orderIn(fake);
      fake.tell({type: 'status', orderId: ORDER_ID, stage: 'refunding', previous: 'complete', order});
      fake.tell({type: 'refund', orderId: ORDER_ID, order, witness: 'service'});
      expect(shown).to.deep.equal([
        'Your WBTC has arrived. According to the swap service.',
        'The swap didn’t happen. Your money is coming back to you.',
        'Your WBTC is back. According to the swap service.',
      ]);
    });
  });

  it('is not notified while the page is visible', async () => {
    await withBrowser({}, async ({shown}) => {
      const page = await show('progress-confirming');
      await press(page);
      tellComplete(page.widget);
      expect(shown).to.deep.equal([]);
    });
  });

  it('is not notified of another swap', async () => {
    await withBrowser({}, async ({shown, hide}) => {
      const page = await show('progress-confirming');
      await press(page);
      hide(true);
      const {fake} = page.widget;
      fake.tell({type: 'complete', orderId: 'another', order: orderIn(fake), witness: 'chain'});
      expect(shown).to.deep.equal([]);
    });
  });

  it('is told that the money will be refunded, that it can be claimed, and that it is back', async () => {
    await withBrowser({}, async ({shown, hide}) => {
      const page = await show('progress-confirming');
      const {fake}: {fake: FakeSession} = page.widget;
      await press(page);
      hide(true);
      const order = orderIn(fake);
      fake.tell({type: 'status', orderId: ORDER_ID, stage: 'refunding', previous: 'settling', order});
      STATES['refund-open']?.(fake);
      fake.tell({type: 'refund', orderId: ORDER_ID, order, witness: 'chain'});
      expect(shown).to.deep.equal([
        'The swap didn’t happen. Your money is coming back to you.',
        'Your swap needs you.',
        'Your WBTC is back.',
      ]);
    });
  });

  it('is told if the browser denies permission', async () => {
    await withBrowser({answer: 'denied'}, async ({shown, hide}) => {
      const page = await show('progress-confirming');
      await press(page);
      await waitUntil(() => page.text.includes('Your browser blocks notifications from this site.'));
      hide(true);
      tellComplete(page.widget);
      expect(shown).to.deep.equal([]);
    });
  });

  it('gets no such offer if the browser denied permission before, or has no notifications', async () => {
    await withBrowser({permission: 'denied'}, async () => {
      const page = await show('progress-confirming');
      expect(page.button('Tell me when it arrives')?.textContent).to.equal(undefined);
    });
    await withBrowser({}, async () => {
      Object.defineProperty(globalThis, 'Notification', {configurable: true, writable: true, value: undefined});
      const page = await show('progress-confirming');
      expect(page.button('Tell me when it arrives')?.textContent).to.equal(undefined);
    });
  });

  it('gets no such offer for a swap of another browser', async () => {
    await withBrowser({}, async () => {
      const page = await show('stranger');
      expect(page.button('Tell me when it arrives')?.textContent).to.equal(undefined);
    });
  });
});
