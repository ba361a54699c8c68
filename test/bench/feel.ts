/**
 * What a person feels: a key, a list, swapping the sides, another widget on a page, and the page's work after its form.
 * Measured in the page's own thread time, which other processes on the machine do not affect.
 */
import type {CDPSession, Page} from 'puppeteer-core';
import {alternate} from './form.js';
import {inTab, PAIR, type Contestant, type Ground, type Tab} from './ground.js';
import {gather, type Measure} from './measure.js';

const LENGTHS = [100, 5_000] as const;
/** How long to wait for further work after an action. */
const QUIET_MS = 600;
/** How many more widgets are added to a page with one. */
const NEXT = 20;

/** How long something took, in milliseconds of the page's thread. */
interface Taken {
  readonly task: number;
  readonly style: number;
}

export function measureFeel(ground: Ground, runs: number): Promise<Measure[]> {
  return gather(
    () => measureForm(ground, runs),
    () => measureLists(ground, Math.min(runs, 3)),
  );
}

/** Makes the page's metrics use thread time. */
async function byThread(cdp: CDPSession): Promise<void> {
  await cdp.send('Performance.disable');
  await cdp.send('Performance.setTimeDomain', {timeDomain: 'threadTicks'});
  await cdp.send('Performance.enable');
}

async function clock(cdp: CDPSession): Promise<Taken> {
  const {metrics} = await cdp.send('Performance.getMetrics');
  const of = (name: string) => (metrics.find(metric => metric.name === name)?.value ?? NaN) * 1_000;
  return {task: of('TaskDuration'), style: of('RecalcStyleDuration') + of('LayoutDuration')};
}

async function taken({cdp}: Tab, work: () => Promise<unknown>, quiet = QUIET_MS): Promise<Taken> {
  const before = await clock(cdp);
  await work();
  await pause(quiet);
  const after = await clock(cdp);
  return {task: after.task - before.task, style: after.style - before.style};
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function measureForm({origin, service}: Ground, runs: number): Promise<Measure[]> {
  const run = (name: Contestant) =>
    inTab(async tab => {
      const {page, cdp, weigh} = tab;
      await byThread(cdp);
      const form = await taken(tab, () => page.goto(`${origin}/${name}/`), 3_000);
      const field = await page.waitForSelector('swap-widget >>> input[inputmode=decimal]');
      await field?.focus();
      const first = await taken(tab, () => page.keyboard.press('1'), 1_500);
      const keys = await taken(tab, async () => {
        for (const key of '234567') await page.keyboard.press(key as '2');
      });
      const typed = {rest: form.task, style: form.style, first: first.task, key: keys.task / 6};
      if (name !== 'widget') return {...typed, flip: NaN, next: NaN, room: NaN};
      const flip = await page.waitForSelector('swap-widget >>> .flip');
      const flips = await taken(tab, () => flip!.evaluate(button => (button as HTMLElement).click()));
      const one = await weigh();
      const settings = {...PAIR, 'base-url': service.url};
      const more = await taken(tab, () => page.evaluate(addMore, NEXT, settings), 3_000);
      const many = await weigh();
      return {
        ...typed,
        flip: flips.task,
        next: more.task / NEXT,
        room: ((many.heap - one.heap) * 1_000) / NEXT,
      };
    });
  const all = await alternate(runs, run);
  const of = (key: keyof (typeof all.widget)[number]) => ({widget: all.widget.map(each => each[key])});
  const beside = (key: keyof (typeof all.widget)[number]) => ({
    ...of(key),
    lit: all.lit.map(each => each[key]),
  });
  return [
    {id: 'feel.rest', what: 'from nothing to rest', unit: 'ms', ...beside('rest')},
    {id: 'feel.style', what: '… of it style and layout', unit: 'ms', ...beside('style')},
    {id: 'feel.first', what: 'the first key in the amount, with all it loads', unit: 'ms', ...beside('first')},
    {id: 'feel.key', what: 'each key after it', unit: 'ms', ...beside('key')},
    {id: 'feel.flip', what: 'the two sides turned', unit: 'ms', ...of('flip')},
    {id: 'feel.next', what: 'the next widget of a page', unit: 'ms', ...of('next')},
    {id: 'feel.next.heap', what: '… its heap', unit: 'kB', ...of('room')},
  ];
}

async function measureLists({origin, service}: Ground, runs: number): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const many of LENGTHS) {
    const all: Record<'open' | 'key' | 'rows', number>[] = [];
    for (let run = 0; run < runs; run++) {
      all.push(
        await inTab(async tab => {
          const {page, cdp} = tab;
          await byThread(cdp);
          await page.goto(`${origin}/widget/?none`);
          await page.waitForFunction(() => customElements.get('swap-widget'));
          await page.evaluate(addWithAssets, many, service.url);
          await pause(3_000);
          const press = () => pressAsset(page);
          // The first opening loads its code.
          await press();
          await pause(1_500);
          await page.keyboard.press('Escape');
          await pause(500);
          const opened = await taken(tab, press);
          const rows = (await page.$$('swap-widget >>> [role=option]')).length;
          const typed = await taken(tab, async () => {
            for (const key of 't12') await page.keyboard.press(key as '1');
          });
          return {open: opened.task, key: typed.task / 3, rows};
        }),
      );
    }
    const of = (key: keyof (typeof all)[number]) => all.map(run => run[key]);
    const name = many.toLocaleString('en');
    measures.push(
      {id: `feel.list.${String(many)}`, what: `${name} assets: the list opens`, unit: 'ms', widget: of('open')},
      {id: `feel.list.${String(many)}.key`, what: '… a key in its search', unit: 'ms', widget: of('key')},
      {id: `feel.list.${String(many)}.rows`, what: '… rows made', unit: '', widget: of('rows')},
    );
  }
  return measures;
}

async function pressAsset(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const form = document.querySelector('swap-widget')?.shadowRoot?.querySelector('swap-widget-form-view')?.shadowRoot;
    form?.querySelector<HTMLElement>('button[part~="asset"]')?.click();
    const list = () => form?.querySelector('swap-widget-asset-picker')?.shadowRoot?.querySelector('[role=option]');
    while (!list()) await new Promise(requestAnimationFrame);
  });
}

/** In the page: adds more widgets. */
function addMore(many: number, settings: Readonly<Record<string, string>>): void {
  for (let i = 0; i < many; i++) {
    const widget = document.createElement('swap-widget');
    for (const [name, value] of Object.entries(settings)) widget.setAttribute(name, value);
    document.body.append(widget);
  }
}

/** In the page: adds a widget with this many assets. */
function addWithAssets(many: number, url: string): void {
  const widget = document.createElement('swap-widget');
  const assets = Array.from({length: many}, (_, at) => ({
    id: `${at % 2 ? 'base_sepolia' : 'ethereum_sepolia'}:t${String(at)}` as const,
    symbol: `T${String(at)}`,
    title: `Token ${String(at)}`,
    decimals: 18,
    token: `0x${(at + 1).toString(16).padStart(40, '0')}`,
  }));
  Object.assign(widget, {baseUrl: url, assets});
  document.body.append(widget);
}
