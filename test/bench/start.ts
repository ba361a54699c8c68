/** `npm start`: how soon there is a page that can swap, and the memory of its processes, then and after an hour. */
import {readFileSync} from 'node:fs';
import type {Page} from 'puppeteer-core';
import {kept} from '../../demo/sandbox/kept.js';
import {startDemo, type RunningDemo} from '../support/demo.js';
import {Visitor} from '../support/visitor.js';
import {inTab} from './ground.js';
import {familyOf} from './machine.js';
import {gather, type Measure} from './measure.js';

const PORT = 8_950;
const NPM_START = ['npm', 'start', '--silent'];
/** How long it runs before its memory is measured. */
const IDLE_MS = 20_000;
/**
 * What happens in an hour with a visible page and an order that waits: blocks, by a clock 24 times as fast as real
 * time, and reads. Solana’s slots advance by themselves.
 */
const HOUR = {
  blocks: {base_sepolia: 7_200, ethereum_sepolia: 7_200, starknet_sepolia: 2_880, bitcoin_testnet: 144},
  reads: 1_800,
} as const;
/** The most blocks that one request mines. */
const MOST_BLOCKS = 1_000;
const KEPT_WITHIN_MS = 30_000;

export function measureStart(_ground: unknown, runs: number): Promise<Measure[]> {
  return gather(async () => {
    await fillCaches();
    const all: Started[] = [];
    for (let run = 0; run < Math.min(runs, 3); run++) all.push(await inTab(({page}) => start(page)));
    const [now, later] = await inTab(({page}) => weigh(page), {onlyCounts: true});
    const of = (key: keyof Started) => all.map(one => one[key] / 1000);
    return [
      {id: 'start.up', what: 'npm start, again: addresses printed', unit: 's', widget: of('up')},
      {id: 'start.ready', what: 'npm start, again: a page with a price', unit: 's', widget: of('ready')},
      {id: 'start.memory', what: 'npm start: memory of all its processes', unit: 'MB', widget: [now]},
      {id: 'start.hour', what: 'the same, after an hour’s blocks and reads', unit: 'MB', widget: [later]},
    ];
  });
}

interface Started {
  readonly up: number;
  readonly ready: number;
}

/** A first start, which fills the caches of later ones. */
async function fillCaches(): Promise<void> {
  const demo = await startDemo(PORT, NPM_START);
  await inTab(({page}) => untilPriced(page, demo), {onlyCounts: true});
  const deadline = performance.now() + KEPT_WITHIN_MS;
  while (!kept.find('program') && performance.now() < deadline) await pause(100);
  await demo.close();
}

/** From the command to the price of the page's initial amount. */
async function start(page: Page): Promise<Started> {
  const began = performance.now();
  const demo = await startDemo(PORT, NPM_START);
  try {
    const up = performance.now() - began;
    await untilPriced(page, demo);
    const ready = performance.now() - began;
    await priceAnother(page);
    return {up, ready};
  } finally {
    await demo.close();
  }
}

/** Opens the playground; resolves once there is a price. */
async function untilPriced(page: Page, demo: RunningDemo): Promise<void> {
  await page.goto(demo.page, {waitUntil: 'domcontentloaded'});
  await priceBeside(page, '');
}

/** Another amount has another price. */
async function priceAnother(page: Page): Promise<void> {
  const first = await priceBeside(page, '');
  await new Visitor(page, undefined as never).type('0.1');
  await priceBeside(page, first);
}

/** The price on the screen, once there is one that differs from this. */
async function priceBeside(page: Page, other: string): Promise<string> {
  const field = await page.waitForSelector('swap-widget >>> input#receive');
  const found = await page.waitForFunction(
    (shown, other) => {
      const text = shown?.value ?? '';
      return /[1-9]/.test(text) && text !== other && text;
    },
    {polling: 'raf'},
    field,
    other,
  );
  return found.jsonValue() as Promise<string>;
}

/** The memory of its processes with a visible page, at first and after an hour. */
async function weigh(page: Page): Promise<[now: number, later: number]> {
  const demo = await startDemo(PORT, NPM_START);
  try {
    await untilPriced(page, demo);
    await pause(IDLE_MS);
    const now = memoryOf(demo.pid);
    for (const [chain, blocks] of Object.entries(HOUR.blocks)) {
      for (let left = blocks; left > 0; left -= MOST_BLOCKS) {
        await ask(demo, 'sandbox/mine', {chain, blocks: Math.min(left, MOST_BLOCKS)});
      }
    }
    for (let read = 0; read < HOUR.reads; read++) {
      await ask(demo, 'sandbox');
      await ask(demo, 'v2/quote?from=base_sepolia:wbtc&to=ethereum_sepolia:wbtc&from_amount=1000000');
    }
    return [now, memoryOf(demo.pid)];
  } finally {
    await demo.close();
  }
}

async function ask({page}: RunningDemo, path: string, body?: object): Promise<void> {
  const headers = {'content-type': 'application/json'};
  const answer = await fetch(new URL(path, page), body && {method: 'POST', headers, body: JSON.stringify(body)});
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** The memory of a process and its descendants; what they share counts once. */
function memoryOf(pid: number): number {
  const family = familyOf(pid);
  if (!family?.size) throw new Error('The system does not tell what processes take.');
  return [...family.keys()].reduce((sum, id) => {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${String(id)}/smaps_rollup`, 'utf8')) ?? [];
    return sum + (Number(kilobytes) * 1024) / 1e6;
  }, 0);
}
