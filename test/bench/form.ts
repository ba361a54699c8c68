/** From nothing to a form that accepts input, on this machine and on a slow phone; its size and its requests. */
import {CONTESTANTS, inTab, type Contestant, type Ground} from './ground.js';
import type {Measure} from './measure.js';

interface Probe {
  /** When the amount field was on the screen, in milliseconds since navigation. */
  form?: number;
  /** When typed text was on the screen. */
  ready?: number;
  /** When the live form had replaced one in the page. */
  alive?: number;
  scripts: string[];
  /** The total time of long tasks beyond 50 ms each. */
  blocked: number;
}

/** How long nothing may happen before everything counts as loaded. */
const QUIET_MS = 1_000;

/** In the page, before its scripts: waits for the form, and types into it. */
function probe() {
  const seen: Probe = {scripts: [], blocked: 0};
  Object.assign(globalThis, {seen});
  new PerformanceObserver(list => {
    for (const {duration} of list.getEntries()) seen.blocked += duration - 50;
  }).observe({type: 'longtask', buffered: true});

  const fieldIn = (root: ParentNode): HTMLInputElement | undefined => {
    for (const element of root.querySelectorAll('*')) {
      const found = element.shadowRoot && fieldIn(element.shadowRoot);
      if (found) return found;
      if (element instanceof HTMLInputElement && element.inputMode === 'decimal' && element.checkVisibility())
        return element;
    }
    return undefined;
  };
  /** A frame is on the screen once the next task runs. */
  const afterFrame = (work: () => void) =>
    requestAnimationFrame(() => {
      const {port1, port2} = new MessageChannel();
      port1.onmessage = work;
      port2.postMessage(undefined);
    });
  const look = () => {
    const field = document.body && fieldIn(document.body);
    if (!field) {
      requestAnimationFrame(look);
      return;
    }
    afterFrame(() => {
      seen.form = performance.now();
      seen.scripts = performance
        .getEntriesByType('resource')
        .map(({name}) => new URL(name).pathname)
        .filter(path => path.endsWith('.js'));
      field.focus();
      // Like a key press, but not an amount yet, so that no price is requested. Nothing else types like a person.
      // oxlint-disable-next-line typescript/no-deprecated
      document.execCommand('insertText', false, '0');
      afterFrame(() => {
        if (field.value === '0') seen.ready = performance.now();
      });
    });
  };
  requestAnimationFrame(look);
  const lookAlive = () => {
    const root = document.querySelector('swap-widget')?.shadowRoot;
    if (root && !root.querySelector('style')) seen.alive = performance.now();
    else requestAnimationFrame(lookAlive);
  };
  requestAnimationFrame(lookAlive);
}

interface FormRun extends Required<Probe> {
  readonly heap: number;
  readonly nodes: number;
  /** All requests until loading has finished. */
  readonly requests: number;
  readonly asked: number;
  readonly connections: number;
}

function open({origin, service}: Ground, path: string, isPhone = false): Promise<FormRun> {
  return inTab(async ({page, slowDown, weigh}) => {
    service.asked();
    service.connected();
    if (isPhone) await slowDown();
    await page.goto(`${origin}${path}`);
    await page.waitForFunction(() => (globalThis as unknown as {seen: Probe}).seen.ready, {timeout: 20_000});
    await page.evaluate(quiet, QUIET_MS);
    const seen = await page.evaluate(() => (globalThis as unknown as {seen: Required<Probe>}).seen);
    const requests = await page.evaluate(() => performance.getEntriesByType('resource').length);
    const {heap, nodes} = await weigh();
    return {...seen, heap, nodes, requests, asked: service.asked().length, connections: service.connected()};
  }, probe);
}

/** In the page: waits until no file has arrived, and no task was long, for a while. */
async function quiet(milliseconds: number) {
  const state = () => {
    const {seen} = globalThis as unknown as {seen?: Probe};
    return `${String(performance.getEntriesByType('resource').length)} ${String(seen?.blocked)}`;
  };
  for (let before = ''; before !== state();) {
    before = state();
    await new Promise(resolve => setTimeout(resolve, milliseconds));
  }
}

export async function measureForm(ground: Ground, runs: number): Promise<Measure[]> {
  const [plain, phone] = [
    await alternate(runs, name => open(ground, `/${name}/`)),
    await alternate(runs, name => open(ground, `/${name}/`, true)),
  ];
  // The form in the page itself, each run next to one of the baseline.
  const paint = await alternate(runs, name => open(ground, name === 'widget' ? '/widget/?paint' : `/${name}/`, true));
  const still = await alternate(1, name => rest(ground, `/${name}/`));
  const away = await lookAway(ground);

  const scripts = Object.fromEntries(CONTESTANTS.map(name => [name, plain[name][0]!.scripts])) as Record<
    Contestant,
    string[]
  >;
  const sizes = each(name => [ground.sizeOf(scripts[name]) / 1000]);
  const of = <T extends object>(table: Record<Contestant, T[]>, key: keyof T) =>
    each(name => table[name].map(run => Number(run[key])));
  return [
    {id: 'form.gzip', what: 'scripts until it accepts input, by gzip', unit: 'kB', ...sizes},
    {id: 'form.files', what: '… files', unit: '', ...each(name => [scripts[name].length])},
    {id: 'form.plain.form', what: 'form on the screen', unit: 'ms', ...of(plain, 'form')},
    {id: 'form.plain.ready', what: 'key on the screen', unit: 'ms', ...of(plain, 'ready')},
    {id: 'form.phone.form', what: 'slow phone: form on the screen', unit: 'ms', ...of(phone, 'form')},
    {id: 'form.phone.ready', what: 'slow phone: key on the screen', unit: 'ms', ...of(phone, 'ready')},
    {id: 'form.phone.blocked', what: 'slow phone: page blocked', unit: 'ms', ...of(phone, 'blocked')},
    {id: 'form.paint.form', what: 'slow phone: form in the page, on the screen', unit: 'ms', ...of(paint, 'form')},
    {id: 'form.paint.ready', what: '… key on the screen', unit: 'ms', ...of(paint, 'ready')},
    {id: 'form.paint.alive', what: '… the living form in its place', unit: 'ms', ...of(paint, 'alive')},
    {id: 'form.requests', what: 'requests in all, nobody touching it', unit: '', ...of(still, 'requests')},
    {id: 'form.heap', what: 'heap, nobody touching it', unit: 'MB', ...of(still, 'heap')},
    {id: 'form.nodes', what: 'DOM nodes, nobody touching it', unit: '', ...of(still, 'nodes')},
    {id: 'form.key.requests', what: 'requests in all, once a key was pressed', unit: '', ...of(plain, 'requests')},
    {id: 'form.key.heap', what: 'heap, once a key was pressed', unit: 'MB', ...of(plain, 'heap')},
    {id: 'form.asked', what: 'requests to the service', unit: '', widget: plain.widget.map(run => run.asked)},
    {
      id: 'form.connections',
      what: 'connections to the service',
      unit: '',
      widget: plain.widget.map(run => run.connections),
    },
    {id: 'form.away', what: 'requests, while not on the screen', unit: '', widget: [away]},
  ];
}

/** The memory of an untouched page once loading has finished. It differs little between runs. */
function rest({origin}: Ground, path: string) {
  return inTab(async ({page, weigh}) => {
    await page.goto(`${origin}${path}`);
    await page.evaluate(quiet, QUIET_MS);
    const requests = await page.evaluate(() => performance.getEntriesByType('resource').length);
    return {...(await weigh()), requests};
  });
}

/** The number of requests by a widget far below the visible part. */
function lookAway({origin, service}: Ground): Promise<number> {
  return inTab(async ({page}) => {
    service.asked();
    service.connected();
    await page.goto(`${origin}/widget/?away`);
    await page.waitForSelector('swap-widget >>> #amount');
    await new Promise(resolve => setTimeout(resolve, 3 * QUIET_MS));
    return service.asked().length + service.connected();
  });
}

/** Runs the contestants in turn, each round starting with the other one. */
export async function alternate<T>(
  runs: number,
  run: (name: Contestant) => Promise<T>,
): Promise<Record<Contestant, T[]>> {
  const results: Record<Contestant, T[]> = {widget: [], lit: []};
  for (let round = 0; round < runs; round++) {
    const turns = round % 2 ? CONTESTANTS.toReversed() : CONTESTANTS;
    for (const name of turns) results[name].push(await run(name));
  }
  return results;
}

function each<T>(of: (name: Contestant) => T): Record<Contestant, T> {
  return {widget: of('widget'), lit: of('lit')};
}
