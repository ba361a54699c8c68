/** `npm start`: how soon there is a page that can swap, and the memory of its processes, then and after an hour. */
import {setTimeout as pause} from 'node:timers/promises';
import type {Page} from 'puppeteer-core';
import {kept} from '../../demo/sandbox/kept.js';
import {startDemo, type RunningDemo} from '../support/demo.js';
import {inTab} from './ground.js';
import {familyOf, memoryOf} from './machine.js';
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
    return {up, ready: performance.now() - began};
  } finally {
    await demo.close();
  }
}

/** Opens the playground; resolves once there is a price. */
async function untilPriced(page: Page, demo: RunningDemo): Promise<void> {
  await page.goto(demo.page, {waitUntil: 'domcontentloaded'});
  const field = await page.waitForSelector('swap-widget >>> input#receive');
  await page.waitForFunction(shown => /[1-9]/.test(shown?.value ?? ''), {polling: 'raf'}, field);
}

/** The memory of its processes with a visible page, at first and after an hour. */
async function weigh(page: Page): Promise<[now: number, later: number]> {
  const demo = await startDemo(PORT, NPM_START);
  try {
    await untilPriced(page, demo);
    await pause(IDLE_MS);
    const now = memoryOf(familyOf(demo.pid));
    for (const [chain, blocks] of Object.entries(HOUR.blocks)) {
      for (let left = blocks; left > 0; left -= MOST_BLOCKS) {
        await ask(demo, 'sandbox/mine', {chain, blocks: Math.min(left, MOST_BLOCKS)});
      }
    }
    for (let read = 0; read < HOUR.reads; read++) {
      await ask(demo, 'sandbox');
      await ask(demo, 'v2/quote?from=base_sepolia:wbtc&to=ethereum_sepolia:wbtc&from_amount=1000000');
    }
    return [now, memoryOf(familyOf(demo.pid))];
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
