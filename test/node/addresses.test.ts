/** Whole swaps by a session on the sandbox's real chains, each read through several RPCs, some of them faulty. */
import {deepEqual, equal, ok} from 'node:assert/strict';
import type {AssetId} from '../../src/domain/asset.js';
import {
  chainName,
  NodeFailure,
  openNodeWorld,
  type BeginOptions,
  type NodeGate,
  type NodeSwap,
  type NodeWorld,
} from '../support/node-session.js';
import {storyIn} from '../support/shown.js';

const SWAPS: readonly [from: AssetId, to: AssetId, amount: string][] = [
  ['base_sepolia:wbtc', 'bitcoin_testnet:btc', '0.001'],
  ['bitcoin_testnet:btc', 'solana_testnet:sol', '0.001'],
  ['solana_testnet:sol', 'starknet_sepolia:wbtc', '0.5'],
  ['starknet_sepolia:wbtc', 'base_sepolia:wbtc', '0.001'],
];

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

/** The methods that show a payout on each chain, and the responses of a node without it. */
const HIDES: Readonly<Record<string, unknown>> = {
  tx: undefined,
  eth_getTransactionReceipt: null,
  eth_getTransactionByHash: null,
  getTransaction: null,
};

/** A node at the same height as the others that hides every payout. */
const hiding: NodeGate = async (read, pass) => {
  const answer = await pass();
  if (!(answer instanceof Response)) return answer;
  const hide = (response: Response) => response as typeof answer;
  if (read.method === 'tx') return hide(new Response('Not found', {status: 404}));
  if (read.method in HIDES) return hide(Response.json({jsonrpc: '2.0', id: 1, result: HIDES[read.method]}));
  if (read.method === 'starknet_getTransactionReceipt') {
    return hide(Response.json({jsonrpc: '2.0', id: 1, error: {code: 29, message: 'Transaction hash not found'}}));
  }
  return answer;
};

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

  const begin = async ([from, to, amount]: (typeof SWAPS)[number], options: Partial<BeginOptions>) => {
    swap = await world.begin({from, to, amount, ...options});
    await swap.place();
    if (from.startsWith('bitcoin')) await swap.pay();
    return swap;
  };

  for (const pair of SWAPS) {
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

    it(`is not complete ${name} while two RPCs disagree on the payout, and says so`, async () => {
      const its = await begin(pair, {addresses: [honest(), hiding]});
      await its.when(() => storyIn(its.session)?.paidOut.certainty === 'waiting', 'nothing arrives');
      const isSaid = () => storyIn(its.session)?.note?.kind === 'disputed';
      // An unconfirmed payout may not be known everywhere, and it may arrive after any of these.
      const mining = setInterval(() => {
        if (chainName(pair[1]).startsWith('bitcoin')) void world.mine(chainName(pair[1]), 1);
      }, 1_000);
      await its.when(isSaid, 'nothing is said of it').finally(() => {
        clearInterval(mining);
      });
      deepEqual(storyIn(its.session)?.note, {kind: 'disputed', of: 'target'});
      equal(storyIn(its.session)?.paidOut.certainty, 'waiting');
      ok(its.stage !== 'complete');
    });
  }

  it('is complete if one of three RPCs lies', async () => {
    const its = await begin(SWAPS[0]!, {addresses: [hiding, honest(), honest()]});
    await its.until('complete');
    equal(storyIn(its.session)?.witness, 'chain');
  });
});
