/** Many on one page: fifty widgets, and a list of two thousand swaps. */
import {alternate} from './form.js';
import {openWidget, placeByAddress} from './flow.js';
import {inTab, PAIR, type Contestant, type Ground} from './ground.js';
import {gather, type Measure} from './measure.js';

const MANY = 50;
const RECEIPTS = 2_000;
/** How often many are added and removed before the first measurement, and between the two. */
const ROUNDS = 4;
const LET_GO_MS = 6_000;

export function measurePage(ground: Ground, runs: number): Promise<Measure[]> {
  const few = Math.min(runs, 3);
  return gather(
    () => measureMany(ground, few),
    () => measureReceipts(ground, few),
  );
}

async function measureMany(ground: Ground, runs: number): Promise<Measure[]> {
  const all = await alternate(runs, name => openMany(ground, name));
  const of = (key: 'time' | 'heap' | 'nodes' | 'growth' | 'nodesLeft') => ({
    widget: all.widget.map(run => run[key]),
    lit: all.lit.map(run => run[key]),
    vanilla: all.vanilla.map(run => run[key]),
  });
  const many = 'fifty';
  return [
    {id: 'page.fifty.time', what: `${many}: all on the screen`, unit: 'ms', ...of('time')},
    {id: 'page.fifty.heap', what: `${many}: heap`, unit: 'MB', ...of('heap')},
    {id: 'page.fifty.nodes', what: `${many}: DOM nodes`, unit: '', ...of('nodes')},
    {id: 'page.fifty.growth', what: `${many}: heap left, once removed`, unit: 'MB', ...of('growth')},
    {id: 'page.fifty.left', what: `${many}: nodes left, once removed`, unit: '', ...of('nodesLeft')},
  ];
}

function openMany({origin, service}: Ground, name: Contestant) {
  return inTab(async ({page, weigh}) => {
    await page.goto(`${origin}/${name}/?none`);
    await page.waitForFunction(() => customElements.get('swap-widget'));
    const settings = name === 'widget' ? {...PAIR, 'base-url': service.url} : {};
    const add = () => page.evaluate(addMany, MANY, settings);
    const remove = async () => {
      await page.evaluate(() => document.querySelector('main')?.remove());
      // Stores without listeners are released one after the other, a second each.
      await new Promise(resolve => setTimeout(resolve, name === 'widget' ? LET_GO_MS : 0));
      return weigh();
    };
    const empty = await weigh();
    const time = await add();
    await new Promise(resolve => setTimeout(resolve, 2_000));
    const full = await weigh();
    const once = await remove();
    for (let round = 1; round < ROUNDS; round++) {
      await add();
      await new Promise(resolve => setTimeout(resolve, 300));
      await page.evaluate(() => document.querySelector('main')?.remove());
    }
    await add();
    const last = await remove();
    return {
      time,
      heap: full.heap - empty.heap,
      nodes: full.nodes - empty.nodes,
      growth: Math.max(0, last.heap - once.heap) / ROUNDS,
      nodesLeft: Math.max(0, last.nodes - once.nodes) / ROUNDS,
    };
  });
}

/** In the page: adds this many, and waits until the last of them is on the screen. */
async function addMany(many: number, settings: Readonly<Record<string, string>>): Promise<number> {
  const hasField = (root: ParentNode): boolean =>
    root.querySelector('input[inputmode=decimal]') !== null ||
    [...root.querySelectorAll('*')].some(element => element.shadowRoot && hasField(element.shadowRoot));
  const began = performance.now();
  const main = document.createElement('main');
  for (let i = 0; i < many; i++) {
    const widget = document.createElement('swap-widget');
    for (const [key, value] of Object.entries(settings)) widget.setAttribute(key, value);
    main.append(widget);
  }
  document.body.append(main);
  const last = main.lastElementChild?.shadowRoot;
  while (!last || !hasField(last)) await new Promise(requestAnimationFrame);
  await new Promise<void>(resolve => {
    requestAnimationFrame(() => {
      setTimeout(resolve);
    });
  });
  return performance.now() - began;
}

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
    {id: 'page.receipts.first', what: '2,000 receipts: list opened, first', unit: 'ms', widget: first},
    {id: 'page.receipts', what: '2,000 receipts: list opened, again', unit: 'ms', widget: again},
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
