/** What follows the form: prices, and what runs while nobody does anything. */
import {Visitor} from '../support/visitor.js';
import {inTab, PAIR, type Ground, type Tab} from './ground.js';
import {gather, type Measure} from './measure.js';

/** How long the session waits for more input. */
const TYPING_PAUSE_MS = 300;
const SECONDS = 5;

export function measureFlow(ground: Ground, runs: number): Promise<Measure[]> {
  return gather(
    () => measureQuotes(ground, runs),
    () => measureUpdates(ground),
  );
}

/* -- a price -------------------------------------------------------------------------------------------------------- */

/** How long a price takes beyond the pause in typing and a bare request for the same: the first, and later ones. */
async function measureQuotes(ground: Ground, runs: number): Promise<Measure[]> {
  const firsts: number[] = [];
  const later: number[] = [];
  for (let run = 0; run < runs; run++) {
    const bare = await inTab(async ({page}) => {
      await page.goto(`${ground.origin}/flow/`);
      await page.waitForFunction(() => globalThis.bench);
      return page.evaluate(timeFetches, quoteAddress(ground));
    });
    const own = await inTab(async tab => {
      await openWidget(tab, ground, {...PAIR, 'base-url': ground.service.url});
      const field = (await tab.page.waitForSelector('swap-widget >>> #amount', {visible: true}))!;
      await field.focus();
      const times: number[] = [];
      for (const key of '12345') {
        await tab.page.evaluate(() => (globalThis.bench.marks.priced = 0));
        await field.evaluate(input => (input as HTMLInputElement).select());
        await tab.page.keyboard.type(`0.00${key}`, {delay: 5});
        await tab.page.waitForFunction(pricedSince, {polling: 20});
        times.push(await tab.page.evaluate(() => globalThis.bench.marks.priced - globalThis.bench.marks.typed));
      }
      return times;
    });
    firsts.push(own[0]! - TYPING_PAUSE_MS - bare[0]!);
    later.push(...own.slice(1).map((time, index) => time - TYPING_PAUSE_MS - bare[index + 1]!));
  }
  return [
    {id: 'flow.first-quote', what: 'first price, over a bare request and the pause', unit: 'ms', widget: firsts},
    {id: 'flow.quote', what: 'later prices, the same', unit: 'ms', widget: later},
  ];
}

const quoteAddress = ({service}: Ground) =>
  `${service.url}/v2/quote?${new URLSearchParams({from: PAIR.from, to: PAIR.to, from_amount: '100000'}).toString()}`;

/** In the page: how long the same response takes without a widget, the first time including the connection. */
async function timeFetches(address: string): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const began = performance.now();
    await (await fetch(address)).json();
    times.push(performance.now() - began);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  return times;
}

const pricedSince = () => {
  const {marks} = globalThis.bench;
  return marks.priced > marks.typed + 250;
};

/* -- updates -------------------------------------------------------------------------------------------------------- */

/** How often elements render meanwhile: per second, or per key. */
async function measureUpdates(ground: Ground): Promise<Measure[]> {
  return inTab(
    async tab => {
      const measures: Measure[] = [];
      const visitor = await openWidget(tab, ground, PAIR);
      await tab.page.evaluate(() => globalThis.bench.countUpdates());
      const count = async (name: string, what: string, work: () => Promise<number>) => {
        await new Promise(resolve => setTimeout(resolve, 1_500));
        await tab.page.evaluate(() => {
          for (const key of Object.keys(globalThis.bench.updates)) globalThis.bench.updates[key] = 0;
        });
        const times = await work();
        const {updates} = await tab.page.evaluate(() => ({updates: globalThis.bench.updates}));
        const parts = Object.entries(updates).filter(([, number]) => number > 0);
        measures.push({
          id: `flow.updates.${name}`,
          what: `updates ${what}`,
          unit: '',
          widget: [parts.reduce((sum, [, number]) => sum + number, 0) / times],
          of: Object.fromEntries(parts.map(([part, number]) => [part, number / times])),
        });
      };
      const wait = async () => {
        await new Promise(resolve => setTimeout(resolve, SECONDS * 1000));
        return SECONDS;
      };
      const hidden = async (isHidden: boolean) => {
        await tab.page.evaluate(
          value => {
            Object.defineProperty(document, 'visibilityState', {configurable: true, value});
            document.dispatchEvent(new Event('visibilitychange'));
          },
          isHidden ? 'hidden' : 'visible',
        );
      };

      await count('idle', 'a second, nothing typed', wait);
      const text = '0.012345';
      await count('key', 'a key', async () => {
        const field = await tab.page.waitForSelector('swap-widget >>> #amount', {visible: true});
        await field!.type(text, {delay: 50});
        return text.length;
      });
      await tab.page.waitForFunction(() => globalThis.bench.marks.priced);
      await count('price', 'a second, with a price', wait);
      await hidden(true);
      await count('hidden', 'a second, with a price, hidden', wait);
      await hidden(false);
      await placeByAddress(tab, visitor);
      await count('deposit', 'a second, waiting for the payment', wait);
      await tab.page.evaluate(() => {
        const {service} = globalThis.bench;
        service.pay(service.orders[0]!.orderId);
      });
      await visitor.until('deposit-seen');
      await count('order', 'a second, following an order', wait);
      await hidden(true);
      await count('order-hidden', 'a second, following an order, hidden', wait);
      return measures;
    },
    {onlyCounts: true},
  );
}

/* -- steps ---------------------------------------------------------------------------------------------------------- */

/** A widget on a page with the bench's page script, once nothing else is loading. */
export async function openWidget(
  {page}: Tab,
  {origin}: Ground,
  settings: Readonly<Record<string, string>>,
): Promise<Visitor> {
  await page.goto(`${origin}/flow/`);
  await page.waitForFunction(() => globalThis.bench);
  await page.evaluate(all => globalThis.bench.open(all), settings);
  await page.waitForNetworkIdle({idleTime: 500});
  return new Visitor(page, undefined as never);
}

/** From the form to a deposit address. */
export async function placeByAddress({page}: Tab, visitor: Visitor): Promise<void> {
  const {evm, bitcoin} = await page.evaluate(() => globalThis.bench.addresses);
  await visitor.typeAddress(bitcoin, 'pay');
  await visitor.place('0.01', evm);
  await visitor.until('awaiting-deposit');
}
