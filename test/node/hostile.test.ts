/**
 * The short form of `npm run test:hostile`: a man in the middle between a session and the real service, judged by the
 * chains. The same cases every time, drawn from a seed.
 */
import {ok} from 'node:assert/strict';
import {shortForm, type Line} from '../hostile/run.js';
import {openNodeWorld, type NodeWorld} from '../support/node-session.js';

const SEED = 1;

let world: NodeWorld;
before(async () => {
  world = await openNodeWorld();
});
after(() => world.close());

const {together, alone} = shortForm(SEED);

/** Starts all cases at once, each list with its own concurrency, and has a test for the result of each case. */
function checkAll(lists: readonly (readonly Line[])[], atOnce: number) {
  const results = new Map<Line, ReturnType<Line['run']>>();
  before(() => {
    for (const list of lists) {
      list.forEach((line, at) => {
        const previous = at < atOnce ? undefined : results.get(list[at - atOnce]!);
        const result = Promise.resolve(previous).then(
          () => line.run(world),
          () => line.run(world),
        );
        result.catch(() => undefined);
        results.set(line, result);
      });
    }
  });
  for (const line of lists.flat()) {
    it(line.name, async () => {
      const {isGood, says} = await results.get(line)!;
      ok(isGood, says);
    });
  }
}

describe(`a change by a man in the middle is harmless (seed ${String(SEED)})`, () => {
  checkAll([together], 8);
});

// Claims about one chain run one after the other.
for (const lists of alone) {
  describe('a service’s claims never end a refund right that the chain still gives', () => {
    checkAll(lists, 1);
  });
}
