/** Whole swaps by a session on the sandbox's real chains, each read through several RPCs, some of them faulty. */
import {equal, ok} from 'node:assert/strict';
import {
  EACH_FAMILY,
  NodeFailure,
  openNodeWorld,
  type BeginOptions,
  type NodeGate,
  type NodeSwap,
  type NodeWorld,
} from '../support/node-session.js';
import {storyIn} from '../support/shown.js';

/** Another URL of the chain's real node. */
const honest = (): NodeGate => (_, pass) => pass();
const dead: NodeGate = () => Promise.reject(new TypeError('Failed to fetch'));
const busy: NodeGate = () => Promise.reject(new NodeFailure());

/** A URL that counts its requests. */
function counted(inner: NodeGate = honest()) {
  const asked: string[] = [];
  const gate: NodeGate = (read, pass) => {
    asked.push(read.method);
    return inner(read, pass);
  };
  return {asked, gate};
}

describe('a swap with several RPCs for each chain', () => {
  let world: NodeWorld;
  let swap: NodeSwap | undefined;
  before(async () => {
    world = await openNodeWorld();
  });
  after(() => world.close());
  afterEach(() => {
    swap?.end();
  });

  const begin = async ([from, to, amount]: (typeof EACH_FAMILY)[number], options: Partial<BeginOptions>) => {
    swap = await world.begin({from, to, amount, ...options});
    await swap.place();
    if (from.startsWith('bitcoin')) await swap.pay();
    return swap;
  };

  for (const pair of EACH_FAMILY) {
    const name = `from ${pair[0]} to ${pair[1]}`;

    it(`completes ${name} with one RPC dead and one answering 429, verified by the two others`, async () => {
      const its = await begin(pair, {addresses: [dead, busy, honest(), honest()]});
      await its.until('complete');
      equal(storyIn(its.session)?.witness, 'chain');
      ok((await its.moved()).received > 0n);
    });

    it(`sends most requests to one RPC ${name}, until it is complete`, async () => {
      const [one, two] = [counted(), counted()];
      const its = await begin(pair, {addresses: [one.gate, two.gate]});
      await its.until('complete');
      equal(storyIn(its.session)?.witness, 'chain');
      const heights = new Set([
        'blocks/tip/height',
        'eth_blockNumber',
        'eth_chainId',
        'getSlot',
        'starknet_blockNumber',
      ]);
      ok(
        one.asked.filter(method => !heights.has(method)).length >
          two.asked.filter(method => !heights.has(method)).length,
      );
    });
  }
});
