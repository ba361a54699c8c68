/**
 * What a visitor costs the service: the number of requests in each stage, counted with the real session and a fake
 * clock, and the size of the responses, from the published samples.
 */
import {gzipSync} from 'node:zlib';
import {BY_TRANSFER, bearOut, completeOrder, createWorld, openSession, paidOrder, settle} from '../support/session.js';
import {samples} from '../support/samples.js';
import {MINUTE, ORDER_ID} from '../support/swap.js';
import type {Measure} from './measure.js';

const MOST_COUNTS = 8;

/** Lets time pass second by second: what one starts may take a few turns of the event loop. */
async function pass({host}: Page, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 1_000) await host.pass(Math.min(left, 1_000));
  await settle();
}

type Page = Awaited<ReturnType<typeof openSession>>;

/** All requests to the service while something runs. */
async function requestsOf({world}: Page, work: () => unknown): Promise<number> {
  const count = () => world.log.filter(entry => /^(?:GET|POST|PATCH)/.test(entry)).length;
  const before = count();
  await work();
  await settle();
  return count() - before;
}

/** The cost of ten minutes, per minute. */
async function aMinuteOf(page: Page): Promise<number> {
  return (await requestsOf(page, () => pass(page, 10 * MINUTE))) / 10;
}

function settled({world}: Page) {
  world.orders.set(ORDER_ID, completeOrder());
  bearOut(world);
}

/** From opening a page to leaving it a minute after the end. */
async function wholeSwap(priced: number, unpaid: number, paid: number): Promise<number> {
  const page = await openSession({world: createWorld(BY_TRANSFER)});
  return requestsOf(page, async () => {
    page.session.edit({amount: '0.0005'});
    await pass(page, priced);
    page.session.review();
    await settle();
    void page.session.placeOrder();
    await pass(page, unpaid);
    page.world.orders.set(ORDER_ID, paidOrder());
    await pass(page, paid);
    settled(page);
    await pass(page, MINUTE);
    page.remove();
  });
}

/** Counts until two counts are equal: during the first one, code still loads while the clock moves. */
export async function measureVisitor(): Promise<Measure[]> {
  let last = await countVisitor();
  for (let counts = 1; counts < MOST_COUNTS; counts++) {
    const next = await countVisitor();
    if (JSON.stringify(next) === JSON.stringify(last)) return next;
    last = next;
  }
  throw new Error('The counts differ from one time to the next: others use the machine.');
}

async function countVisitor(): Promise<Measure[]> {
  const page = await openSession({world: createWorld(BY_TRANSFER)});
  const figures: [id: string, what: string, requests: number][] = [];
  const add = (id: string, what: string, requests: number) => void figures.push([id, what, requests]);

  add('open', 'the form, nothing typed, a minute', await requestsOf(page, () => pass(page, MINUTE)));
  page.session.edit({amount: '0.0005'});
  add('price', 'a price in sight, a minute', await aMinuteOf(page));
  page.host.visible$.set(false);
  add('price-hidden', 'the same, another tab in front, a minute', await aMinuteOf(page));
  page.host.visible$.set(true);
  await pass(page, 1_000);
  add(
    'order',
    'review, an order placed, the first minute of waiting',
    await requestsOf(page, async () => {
      page.session.review();
      await settle();
      void page.session.placeOrder();
      await pass(page, MINUTE);
    }),
  );
  const waiting = await aMinuteOf(page);
  add('waiting', '… each minute after it', waiting);
  page.host.visible$.set(false);
  add('waiting-hidden', '… another tab in front', await aMinuteOf(page));
  page.host.visible$.set(true);
  page.world.orders.set(ORDER_ID, paidOrder());
  await pass(page, MINUTE);
  add('paid', 'paid, until it arrives, a minute', await aMinuteOf(page));
  settled(page);
  await pass(page, 10 * MINUTE);
  add('done', 'complete, still in sight, a minute', await aMinuteOf(page));
  page.remove();
  add('quick', 'a swap of two minutes', await wholeSwap(30_000, 15_000, 45_000));
  add(
    'slow',
    'a Bitcoin swap: paid after 10 minutes, there after 30',
    await wholeSwap(MINUTE, 10 * MINUTE, 20 * MINUTE),
  );
  add('thousand', 'a thousand visitors who wait: requests a second', (waiting * 1_000) / 60);

  const sizes = (['quote', 'order', 'status'] as const).map((kind, place): Measure => {
    const text = JSON.stringify(samples.evm[kind]);
    return {
      id: `visitor.bytes.${kind}`,
      what: `an answer: ${['a quote', 'a new order', 'an order'][place] ?? ''}, by gzip`,
      unit: 'kB',
      widget: [gzipSync(text, {level: 9}).length / 1_000],
    };
  });
  return [
    ...figures.map(([id, what, requests]): Measure => ({id: `visitor.${id}`, what, unit: '', widget: [requests]})),
    ...sizes,
  ];
}
