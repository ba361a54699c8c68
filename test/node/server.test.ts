/** `swap-widget/server`: a merchant's back end verifies orders on the sandbox's chains, despite lies. */
import {deepEqual, equal, ok, rejects} from 'node:assert/strict';
import {AbiCoder, Interface, JsonRpcProvider, sha256, toBeHex, zeroPadValue} from 'ethers';
import {serve} from '../../demo/sandbox/http.js';
import {settingsOf, type EvmSandboxChain} from '../../demo/wallets/sandbox.js';
import type {AssetId} from '../../src/domain/asset.js';
import type {SwapError} from '../../src/domain/error.js';
import {verifyOrder, type Expected, type VerifyOptions} from '../../src/server.js';
import {Man, read, type ReadFields} from '../hostile/man.js';
import {SandboxClient} from '../sandbox/client.js';
import {EACH_FAMILY, openNodeWorld, type NodeSwap, type NodeWorld} from '../support/node-session.js';

class Sale {
  constructor(
    readonly swap: NodeSwap,
    readonly expected: Expected,
  ) {}

  /** The back end's result. `lie`: a hostile service's change to the order. */
  async ask({lie, rpc, ...more}: Partial<VerifyOptions> & {lie?: (order: ReadFields) => void} = {}) {
    const {swap, expected} = this;
    const {assets, chains} = settingsOf(swap.world.state);
    const {fetch} = new Man(lie && read(lie));
    const nodes = Object.entries(chains).flatMap(([name, chain]) => (chain.rpc ? [[name, chain.rpc] as const] : []));
    return verifyOrder(swap.orderId, {
      service: {baseUrl: swap.world.url, appId: swap.client.appId, fetch},
      chains: Object.fromEntries(Object.entries(chains).map(([name, {rpc: _, ...chain}]) => [name, chain])),
      assets: assets.flatMap(asset => (typeof asset === 'string' ? [] : [asset])),
      rpc: rpc ?? Object.fromEntries(nodes),
      expected,
      ...more,
    });
  }
}

/** Swaps of a contract on Base that one transaction pays in and redeems with their secrets, to one recipient. */
async function payAtOnce({url, state}: NodeWorld, recipient: string, amounts: readonly bigint[]) {
  const {rpc, chainId, batchAccount: initiator, assets} = state.chains['base_sepolia'] as EvmSandboxChain;
  const {
    token,
    contracts: [contract = ''],
  } = assets['base_sepolia:wbtc']!;
  const node = new JsonRpcProvider(rpc, chainId);
  await SandboxClient.forAppOfItsOwn({url}).faucet('base_sepolia:wbtc', initiator, 10_000_000n);
  const calls = new Interface([
    'function approve(address spender, uint256 amount)',
    'function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)',
    'function redeem(bytes32 orderID, bytes secret)',
    'function execute((address to, uint256 value, bytes data)[] calls)',
  ]);
  const call = (name: string, values: unknown[], to: string | undefined = contract) => ({
    to,
    value: 0n,
    data: calls.encodeFunctionData(name, values),
  });
  const legs = amounts.map((amount, at) => {
    const secret = zeroPadValue(toBeHex(at + 1), 32);
    const secretHash = sha256(secret);
    const types = ['uint256', 'bytes32', 'address'];
    const id = sha256(AbiCoder.defaultAbiCoder().encode(types, [chainId, secretHash, initiator]));
    return {secret, secretHash, id, amount};
  });
  const data = calls.encodeFunctionData('execute', [
    [
      call('approve', [contract, 10n ** 9n], token),
      ...legs.map(({amount, secretHash}) => call('initiate', [recipient, 100, amount, secretHash])),
      ...legs.map(({id, secret}) => call('redeem', [id, secret])),
    ],
  ]);
  // The account makes its own calls.
  await node.send('anvil_setBalance', [initiator, '0xde0b6b3a7640000']);
  await node.send('anvil_impersonateAccount', [initiator]);
  const hash = (await node.send('eth_sendTransaction', [{from: initiator, to: initiator, data}])) as string;
  await node.send('evm_mine', []);
  node.destroy();
  const told = legs.map(({id, secretHash}) => ({swap_id: id.slice(2), secret_hash: secretHash.slice(2)}));
  return {hash, initiator, legs: told};
}

describe('an order verified by a back end', () => {
  let world: NodeWorld;
  before(async () => {
    world = await openNodeWorld();
  });
  after(() => world.close());

  for (const [from, to, amount, gift] of EACH_FAMILY) {
    describe(`from ${from} to ${to}`, () => {
      let sale: Sale;
      let swap: NodeSwap;
      before(async () => {
        swap = await world.begin({from, to, amount, gift});
        await swap.place();
        if (from.startsWith('bitcoin')) await swap.pay();
        await swap.until('complete');
        await world.mine(to.split(':')[0] ?? '', 1);
        const {destination_swap} = await swap.read();
        sale = new Sale(swap, {recipient: swap.recipient, asset: to, atLeast: BigInt(destination_swap.amount)});
      });
      after(() => {
        swap.end();
      });

      it('is paid, as proved by the chains', async () => {
        const {isPaid, stage, paidIn, paidOut, paidBack, differs, paymentKey} = await sale.ask();
        const {received} = await swap.moved();
        equal(paidOut.certainty, 'proved');
        equal(paidOut.amount, received);
        equal(paidOut.account, swap.recipient);
        deepEqual([isPaid, stage, paidBack.certainty, differs], [true, 'complete', 'none', []]);
        equal(paidIn.certainty, 'proved');
        ok(paymentKey?.startsWith(`${to.split(':')[0] ?? ''}:`));
      });

      it('is not paid if no expectation is given, but its payout is still proved', async () => {
        const {isPaid, paidOut} = await sale.ask({expected: undefined});
        deepEqual([isPaid, paidOut.certainty], [false, to.startsWith('bitcoin') ? paidOut.certainty : 'proved']);
      });

      it('is not paid by an order with another recipient', async () => {
        const other = await world.begin({from, to, amount});
        other.end();
        const {isPaid, paidOut} = await sale.ask({expected: {...sale.expected, recipient: other.recipient}});
        deepEqual([isPaid, paidOut.certainty], [false, 'denied']);
      });

      it('is not paid if more was expected, whatever amount the service claims', async () => {
        const atLeast = sale.expected.atLeast * 2n;
        const {isPaid, differs} = await sale.ask({
          expected: {...sale.expected, atLeast},
          lie: ({destination_swap}) => {
            destination_swap['amount'] = String(atLeast);
            destination_swap['filled_amount'] = String(atLeast);
          },
        });
        deepEqual([isPaid, differs], [false, ['atLeast']]);
      });

      it('is not paid if another asset was expected', async () => {
        const {isPaid, differs} = await sale.ask({expected: {...sale.expected, asset: 'ethereum_sepolia:wbtc'}});
        deepEqual([isPaid, differs], [false, ['asset']]);
      });

      it('is not paid by another transfer that the service names as the payout', async () => {
        const {isPaid, paidOut, paymentKey} = await sale.ask({
          lie: ({destination_swap}) => {
            destination_swap['redeem_tx_hash'] = swap.given.recipient;
          },
        });
        ok(paidOut.certainty === 'told' || paidOut.certainty === 'denied', paidOut.certainty);
        deepEqual([isPaid, paymentKey], [false, undefined]);
      });

      it('has the same payment key if the service names its payout for a second order', async () => {
        const {paymentKey} = await sale.ask();
        const again = await sale.ask({
          lie: order => {
            order['created_at'] = new Date().toISOString();
          },
        });
        deepEqual([again.isPaid, again.paymentKey], [true, paymentKey]);
      });

      it('is not paid by a payout from before the sale', async () => {
        const since = Date.now() + 24 * 3_600_000;
        const {isPaid, paidOut} = await sale.ask({expected: {...sale.expected, since}});
        deepEqual([isPaid, paidOut.certainty], [false, 'denied']);
      });

      it('is paid once it has the expected confirmations, by the lowest count of several nodes', async () => {
        const chain = to.split(':')[0] ?? '';
        const ask = (wanted: number, more: object = {}) =>
          sale.ask({expected: {...sale.expected, blocks: wanted}, ...more});
        const {blocks = 0n, isPaid} = await ask(2);
        deepEqual(isPaid, blocks >= 2n);
        const wanted = Number(blocks) + 200;
        equal((await ask(wanted)).isPaid, false);
        const node = settingsOf(world.state).chains[chain]?.rpc as string;
        await world.mine(chain, wanted - Number(blocks));
        const after = await ask(wanted, {rpc: {[chain]: [node, `${node}/`]}});
        deepEqual([after.isPaid, (after.blocks ?? 0n) >= BigInt(wanted)], [true, true]);
      });

      it('is the service’s word without an RPC, and waits while reading fails', async () => {
        const none = await sale.ask({rpc: {}});
        deepEqual([none.isPaid, none.paidOut.certainty], [false, 'told']);
        const dead = await sale.ask({rpc: {[to.split(':')[0] ?? '']: 'http://127.0.0.1:9'}});
        deepEqual([dead.isPaid, dead.paidOut.certainty], [false, 'waiting']);
      });
    });
  }

  it('is at most one of ten orders that one payment is for, in the amount of its own swap', async () => {
    const price = 1_000_000n;
    const swap = await world.begin({from: 'ethereum_sepolia:wbtc', to: 'base_sepolia:wbtc', amount: '0.001'});
    await swap.place();
    await swap.until('complete');
    swap.end();
    const sale = new Sale(swap, {recipient: swap.recipient, asset: 'base_sepolia:wbtc', atLeast: price});
    const amounts = [price + 1n, ...Array<bigint>(9).fill(1n)];
    const {hash, initiator, legs} = await payAtOnce(world, swap.recipient, amounts);
    const orders = [];
    for (const leg of legs) {
      const told = {...leg, initiator, redeem_tx_hash: hash};
      const lie = ({destination_swap}: ReadFields) =>
        void Object.assign(destination_swap, told, {amount: String(price)});
      orders.push(await sale.ask({lie}));
    }
    deepEqual(
      orders.map(({isPaid, differs, paidOut}) => [isPaid, differs, paidOut.certainty, paidOut.amount]),
      amounts.map((amount, at) => [at === 0, at === 0 ? [] : ['atLeast'], 'proved', amount]),
    );
    const keys = legs.map(({secret_hash: secretHash}) => `base_sepolia:${secretHash}`);
    deepEqual(
      orders.map(({paymentKey}) => paymentKey),
      keys,
    );
    // Merchants keep it under a unique index.
    equal(keys[0], 'base_sepolia:ec4916dd28fc4c10d78e287ca5d9cc51ee1ae73cbfde08c6b37324cbfaac8bc5');
  });

  it('has the lowest confirmation count of several nodes', async () => {
    const swap = await world.begin({from: 'ethereum_sepolia:wbtc', to: 'base_sepolia:wbtc', amount: '0.001'});
    await swap.place();
    await swap.until('complete');
    await world.mine('base_sepolia', 30);
    swap.end();
    const sale = new Sale(swap, {recipient: swap.recipient, asset: 'base_sepolia:wbtc', atLeast: 1n, blocks: 2});
    const node = settingsOf(world.state).chains['base_sepolia']?.rpc as string;
    const late = await serve((request, response) => {
      void (async () => {
        const body = await new Response(request as unknown as ReadableStream).text();
        const answer = await fetch(node, {method: 'POST', headers: {'content-type': 'application/json'}, body});
        const told = (await answer.json()) as {result: unknown};
        if (body.includes('eth_blockNumber')) told.result = `0x${(BigInt(String(told.result)) - 20n).toString(16)}`;
        response.setHeader('content-type', 'application/json').end(JSON.stringify(told));
      })();
    }, 0);
    try {
      const alone = await sale.ask({rpc: {base_sepolia: node}});
      const both = await sale.ask({rpc: {base_sepolia: [node, late.url]}});
      deepEqual([alone.isPaid, both.isPaid], [true, true]);
      const fewer = (alone.blocks ?? 0n) - (both.blocks ?? 0n);
      ok(fewer > 10n && fewer <= 20n, String(fewer));
    } finally {
      await late.close();
    }
  });

  it('is rejected with the field’s name if an expectation is invalid', async () => {
    const ask = (expected: Partial<Expected>) =>
      verifyOrder('1', {
        service: {baseUrl: world.url},
        rpc: {},
        expected: {recipient: 'somebody', asset: 'base_sepolia:wbtc', atLeast: 1n, ...expected},
      });
    const names = (field: string) => (error: SwapError) => error.code === 'config' && error.field === field;
    await rejects(ask({recipient: ''}), names('expected.recipient'));
    await rejects(ask({asset: 'wbtc' as AssetId}), names('expected.asset'));
    await rejects(ask({atLeast: 0n}), names('expected.atLeast'));
    await rejects(ask({since: Number.NaN}), names('expected.since'));
    await rejects(ask({blocks: 0}), names('expected.blocks'));
    await rejects(ask({blocks: 1.5}), names('expected.blocks'));
    await rejects(ask({}), (error: SwapError) => error.field === 'order');
  });
});
