/**
 * The short form of `npm run test:hostile`: a man in the middle between a session and the real service, judged by the
 * chains. The same cases every time, drawn from a seed.
 */
import {ok} from 'node:assert/strict';
import {after, before, describe, it} from 'node:test';
import {shortForm, type Line} from '../hostile/run.js';
import {openNodeWorld, type NodeWorld} from '../support/node-session.js';

const SEED = 1;

let world: NodeWorld;
before(async () => {
  world = await openNodeWorld();
});
after(() => world.close());

const {together, alone} = shortForm(SEED);

function check({name, run}: Line) {
  it(name, async () => {
    const {isGood, says} = await run(world);
    ok(isGood, says);
  });
}

describe(`what a man in the middle changes is harmless (seed ${String(SEED)})`, {concurrency: 8}, () => {
  together.forEach(check);
});

describe('what a service claims ends no right that the chain gives', {concurrency: 4}, () => {
  for (const lines of alone) describe('on one chain after the other', {concurrency: 1}, () => lines.forEach(check));
});
