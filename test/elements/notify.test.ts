import {expect} from '@open-wc/testing';
import type {FakeSession} from '../support/fake-session.js';
import {waitUntil} from '../support/page.js';
import {show} from '../support/show.js';
import {storyIn} from '../support/shown.js';
import {STATES} from '../support/states.js';

const ORDER_ID = '9f3c5b1e7a20d4c86f1be21a';
const OFFER = 'Notify me';

const own = Object.getOwnPropertyDescriptor(globalThis, 'Notification')!;
afterEach(() => {
  Object.defineProperty(globalThis, 'Notification', own);
  Reflect.deleteProperty(document, 'visibilityState');
});

function replaceNotifications(permission: NotificationPermission, answer: NotificationPermission) {
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
  Object.defineProperty(globalThis, 'Notification', {configurable: true, writable: true, value: Fake});
  return {shown, asked: () => asked};
}

function hide() {
  Object.defineProperty(document, 'visibilityState', {configurable: true, value: 'hidden'});
}

const orderIn = (fake: FakeSession) => storyIn(fake)!.order!;
const tellComplete = (fake: FakeSession, orderId = ORDER_ID, witness: 'chain' | 'service' = 'chain') => {
  fake.tell({type: 'complete', orderId, order: orderIn(fake), witness});
};

async function wanted(answer: NotificationPermission = 'granted') {
  const {shown, asked} = replaceNotifications('default', answer);
  const page = await show('progress-confirming');
  expect(asked()).to.equal(0);
  await page.press(OFFER);
  expect(asked()).to.equal(1);
  const {fake}: {fake: FakeSession} = page.widget;
  return {page, fake, shown};
}

describe('A person who wants to be notified', () => {
  it('is asked for permission only on the click, and notified once the money arrived while the page is hidden', async () => {
    const {page, fake, shown} = await wanted();
    await waitUntil(() => page.text.includes('You’ll get a notification as long as this page stays open.'));
    await expect(page.widget).to.be.accessible();
    hide();
    tellComplete(fake);
    tellComplete(fake);
    expect(shown).to.deep.equal(['Your WBTC has arrived.']);
  });

  it('is told the source if no chain shows it, and also if the service withdraws it', async () => {
    const {fake, shown} = await wanted();
    hide();
    tellComplete(fake, ORDER_ID, 'service');
    const order = orderIn(fake);
    fake.tell({type: 'status', orderId: ORDER_ID, stage: 'refunding', previous: 'complete', order});
    fake.tell({type: 'refund', orderId: ORDER_ID, order, witness: 'service'});
    expect(shown).to.deep.equal([
      'Your WBTC has arrived. According to the swap service.',
      'The swap didn’t happen. Your money is coming back to you.',
      'Your WBTC is back. According to the swap service.',
    ]);
  });

  it('is not notified while the page is visible', async () => {
    const {fake, shown} = await wanted();
    tellComplete(fake);
    expect(shown).to.deep.equal([]);
  });

  it('is not notified of another swap', async () => {
    const {fake, shown} = await wanted();
    hide();
    tellComplete(fake, 'another');
    expect(shown).to.deep.equal([]);
  });

  it('is told that the money will be refunded, that it can be claimed, and that it is back', async () => {
    const {fake, shown} = await wanted();
    hide();
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

  it('is told if the browser denies permission', async () => {
    const {page, fake, shown} = await wanted('denied');
    await waitUntil(() => page.text.includes('Your browser blocks notifications from this site.'));
    hide();
    tellComplete(fake);
    expect(shown).to.deep.equal([]);
  });

  it('gets no such offer if the browser denied permission before or has no notifications, or for another browser’s swap', async () => {
    const offer = async (state: string) => (await show(state)).button(OFFER)?.textContent;
    replaceNotifications('denied', 'granted');
    expect(await offer('progress-confirming')).to.equal(undefined);
    Object.defineProperty(globalThis, 'Notification', {configurable: true, writable: true, value: undefined});
    expect(await offer('progress-confirming')).to.equal(undefined);
    replaceNotifications('default', 'granted');
    expect(await offer('stranger')).to.equal(undefined);
  });
});
