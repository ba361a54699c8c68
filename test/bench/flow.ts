/** What follows the form: prices, wallets, the list of swaps, and what runs while nobody does anything. */
import {CONNECTED, Visitor} from '../support/visitor.js';
import {inTab, PAIR, type Ground, type Tab} from './ground.js';
import {gather, type Measure} from './measure.js';

/** How long the session waits for more input. */
const TYPING_PAUSE_MS = 300;
const SECONDS = 5;

export function measureFlow(ground: Ground, runs: number): Promise<Measure[]> {
  const few = Math.min(runs, 3);
  return gather(
    () => measureQuotes(ground, runs),
    () => measurePrompts(ground, few),
    () => measureReceipts(ground, few),
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

/* -- wallets -------------------------------------------------------------------------------------------------------- */

/** From the click to the wallet's prompt, if the service, the chain and the wallet respond at once. */
async function measurePrompts(ground: Ground, runs: number): Promise<Measure[]> {
  const cold: Record<string, number[]> = {evm: [], starknet: []};
  const warm: Record<string, number[]> = {evm: [], starknet: []};
  const ways = {
    evm: {from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc'},
    starknet: {from: 'starknet_sepolia:wbtc', to: 'base_sepolia:wbtc'},
  } as const;
  for (let run = 0; run < runs; run++) {
    for (const [family, pair] of Object.entries(ways)) {
      const times = await inTab(async tab => {
        const visitor = await openWidget(tab, ground, pair);
        await visitor.press('Connect a wallet to pay from');
        const wallet = await tab.page.waitForSelector(
          'swap-widget >>> swap-widget-wallet-picker >>> .list button ::-p-text(Bench)',
          {visible: true},
        );
        await wallet!.click();
        await visitor.page.waitForSelector(CONNECTED);
        const recipient = await tab.page.evaluate(() => globalThis.bench.addresses.evm);
        await visitor.place('0.01', family === 'starknet' ? recipient : undefined);
        const asked: number[] = [];
        for (let press = 0; press < 4; press++) {
          await tab.page.waitForSelector(
            'swap-widget >>> swap-widget-deposit-view >>> [part=primary]:not([aria-disabled=true])',
            {visible: true},
          );
          await new Promise(resolve => setTimeout(resolve, 700));
          await tab.page.evaluate(() => (globalThis.bench.marks.prompted = 0));
          const button = await tab.page.waitForSelector('swap-widget >>> swap-widget-deposit-view >>> [part=primary]', {
            visible: true,
          });
          await button!.click();
          await tab.page.waitForFunction(() => globalThis.bench.marks.prompted);
          asked.push(await tab.page.evaluate(() => globalThis.bench.marks.prompted - globalThis.bench.marks.pressed));
        }
        return asked;
      });
      cold[family]!.push(times[0]!);
      warm[family]!.push(...times.slice(1));
    }
  }
  return [
    {id: 'flow.prompt.cold', what: 'press to wallet, EVM, first', unit: 'ms', widget: cold['evm']!},
    {id: 'flow.prompt.warm', what: 'press to wallet, EVM, again', unit: 'ms', widget: warm['evm']!},
    {id: 'flow.prompt.cold-starknet', what: 'press to wallet, Starknet, first', unit: 'ms', widget: cold['starknet']!},
    {id: 'flow.prompt.warm-starknet', what: 'press to wallet, Starknet, again', unit: 'ms', widget: warm['starknet']!},
  ];
}

/* -- a long list ---------------------------------------------------------------------------------------------------- */

const RECEIPTS = 2_000;

/** From the click to a list on the screen with the latest of two thousand swaps. */
async function measureReceipts(ground: Ground, runs: number): Promise<Measure[]> {
  const first: number[] = [];
  const again: number[] = [];
  for (let run = 0; run < runs; run++) {
    await inTab(async tab => {
      const {page} = tab;
      await placeByAddress(tab, await openWidget(tab, ground, PAIR));
      await page.evaluate(() => {
        const {service} = globalThis.bench;
        service.settle(service.orders[0]!.orderId);
      });
      await page.waitForFunction(() => document.querySelector('swap-widget')?.stage === 'complete');
      await page.evaluate(copyReceipts, RECEIPTS);
      const visitor = await openWidget(tab, ground, PAIR);
      for (const times of [first, again]) {
        const button = await visitor.button('Your swaps');
        const shown = page.evaluate(untilListed);
        await button.click();
        times.push((await shown) - (await page.evaluate(() => globalThis.bench.marks.pressed)));
        await visitor.press('Back');
      }
    });
  }
  return [
    {id: 'flow.receipts.first', what: '2,000 receipts: list opened, first', unit: 'ms', widget: first},
    {id: 'flow.receipts', what: '2,000 receipts: list opened, again', unit: 'ms', widget: again},
  ];
}

/** In the page: stores copies of the one existing swap, a day apart. */
function copyReceipts(many: number): void {
  const key = Object.keys(localStorage).find(name => name.includes('/order/')) ?? '';
  const {orderId, placedAt, ...entry} = JSON.parse(localStorage.getItem(key) ?? '') as {
    orderId: string;
    placedAt: number;
  };
  localStorage.clear();
  for (let i = 0; i < many; i++) {
    const id = `${orderId.slice(0, -4)}${String(i).padStart(4, '0')}`;
    localStorage.setItem(
      key.replace(orderId, id),
      JSON.stringify({...entry, orderId: id, placedAt: placedAt - i * 86_400_000}),
    );
  }
}

/** In the page: when the first swaps of the list were on the screen. */
async function untilListed(): Promise<number> {
  const {bench} = globalThis;
  const list = () =>
    document.querySelector('swap-widget')?.shadowRoot?.querySelector('swap-widget-journal-view')?.shadowRoot;
  while (!list()?.querySelector('.item')) await new Promise(requestAnimationFrame);
  await bench.nextFrame();
  return performance.now();
}

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
