/** Memory after a long time: a thousand prices, a thousand moves on the page. */
import {openWidget} from './flow.js';
import {inTab, PAIR, type Ground, type Tab} from './ground.js';
import {gather, type Measure} from './measure.js';

const MANY = 1_000;
/** The first repetitions fill caches. */
const WARM = 300;

export function measureMemory(ground: Ground): Promise<Measure[]> {
  return gather(
    async () => grown('quotes', 'a thousand prices', await inTab(tab => growth(ground, tab, askForPrices), hurry)),
    async () => grown('moves', 'a thousand moves', await inTab(tab => growth(ground, tab, moveAbout), hurry)),
  );
}

async function growth(ground: Ground, tab: Tab, work: (times: number) => Promise<void>) {
  await openWidget(tab, ground, PAIR);
  await tab.page.evaluate(work, WARM);
  const before = await tab.weigh();
  await tab.page.evaluate(work, MANY);
  const after = await tab.weigh();
  return {
    heap: after.heap - before.heap,
    nodes: after.nodes - before.nodes,
    listeners: after.listeners - before.listeners,
  };
}

function grown(id: string, what: string, {heap, nodes, listeners}: Awaited<ReturnType<typeof growth>>): Measure[] {
  return [
    {id: `memory.${id}`, what: `${what}: heap more`, unit: 'MB', widget: [heap]},
    {id: `memory.${id}.nodes`, what: `${what}: DOM nodes more`, unit: '', widget: [nodes]},
    {id: `memory.${id}.listeners`, what: `${what}: listeners more`, unit: '', widget: [listeners]},
  ];
}

/** In the page, before its scripts: makes dates and timers run sixty times as fast. */
function hurry() {
  const speed = 60;
  const {now} = Date;
  const began = now();
  Date.now = () => began + (now() - began) * speed;
  const {setTimeout: later} = globalThis;
  Object.assign(globalThis, {
    setTimeout: (work: () => void, milliseconds = 0) => later(work, milliseconds / speed),
  });
}

/** In the page: types one amount after the other, each as soon as the previous one's price has arrived. */
async function askForPrices(times: number) {
  const {bench} = globalThis;
  const field = bench.findIn('#amount') as HTMLInputElement;
  for (let i = 0; i < times; i++) {
    const {priced} = bench.marks;
    field.value = `0.0${String(1 + (i % 9))}`;
    field.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true}));
    while (bench.marks.priced === priced) await new Promise(resolve => requestAnimationFrame(resolve));
  }
}

/** In the page: removes the widget and puts it back. */
async function moveAbout(times: number) {
  const widget = document.querySelector('swap-widget')!;
  for (let i = 0; i < times; i++) {
    widget.remove();
    await widget.updateComplete;
    document.body.append(widget);
    await widget.updateComplete;
    if (i % 10 === 0) await new Promise(requestAnimationFrame);
  }
}
