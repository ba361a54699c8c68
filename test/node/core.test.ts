/** The published package without a page: `swap-widget/core` in Node, on the sandbox's real chains. */
import {deepEqual, equal, ok} from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {settingsOf} from '../../demo/wallets/sandbox.js';
import type * as Server from '../../src/server.js';
import {DIST} from '../support/dist.js';
import {EACH_FAMILY, openNodeWorld, type Core, type NodeWorld} from '../support/node-session.js';
import {pack, project} from '../support/tarball.js';

describe('the packed package in Node', () => {
  let world: NodeWorld;
  let verifyOrder: typeof Server.verifyOrder;
  before(async () => {
    pack(join(DIST, '..'));
    const program = join(project('in-node'), 'program.mjs');
    writeFileSync(program, "export * from 'swap-widget/core';\nexport {verifyOrder} from 'swap-widget/server';");
    const packed = (await import(pathToFileURL(program).href)) as Core & Pick<typeof Server, 'verifyOrder'>;
    ({verifyOrder} = packed);
    world = await openNodeWorld({core: packed});
  });
  after(() => world.close());

  for (const [from, to, amount] of EACH_FAMILY) {
    it(`swaps ${from} for ${to}, as verified on the chains`, async () => {
      const swap = await world.begin({from, to, amount});
      try {
        await swap.place();
        if (from.startsWith('bitcoin')) await swap.pay();
        await swap.until('complete');
        const {source_swap, destination_swap} = await swap.read();
        const {paid, received} = await swap.moved();
        equal(received, BigInt(destination_swap.amount));
        ok(received > 0n);
        // Bitcoin's and Solana's network fees are paid in addition to the amount.
        const fee = paid - BigInt(source_swap.amount);
        if (/^(?:bitcoin|solana)/.test(from)) ok(fee >= 0n && fee < 5_000_000n, String(fee));
        else equal(fee, 0n);
        const {assets, chains} = settingsOf(world.state);
        const {paidOut} = await verifyOrder(swap.orderId, {
          service: {baseUrl: world.url, appId: swap.client.appId},
          assets: assets.filter(asset => typeof asset !== 'string'),
          chains,
          rpc: {},
          expected: {recipient: swap.recipient, asset: to, atLeast: received},
        });
        deepEqual([paidOut.certainty, paidOut.amount], ['proved', received]);
        deepEqual(
          swap.tab.events.filter(({type}) => type === 'error'),
          [],
        );
      } finally {
        swap.end();
      }
    });
  }
});
