/** What follows the form: prices. */
import {inTab, PAIR, type Ground, type Tab} from './ground.js';
import type {Measure} from './measure.js';

/** How long the session waits for more input. */
const TYPING_PAUSE_MS = 300;

/** How long a price takes beyond the pause in typing and a bare request for the same: the first, and later ones. */
export async function measureFlow(ground: Ground, runs: number): Promise<Measure[]> {
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

/** A widget on a page with the bench's page script, once nothing else is loading. */
export async function openWidget(
  {page}: Tab,
  {origin}: Ground,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await page.goto(`${origin}/flow/`);
  await page.waitForFunction(() => globalThis.bench);
  await page.evaluate(all => globalThis.bench.open(all), settings);
  await page.waitForNetworkIdle({idleTime: 500});
}
