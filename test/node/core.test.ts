/** The published package without a page: `swap-widget/core` in Node, on the sandbox's real chains. */
import {deepEqual, equal, ok} from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {settingsOf} from '../../demo/wallets/sandbox.js';
import type {AssetId} from '../../src/domain/asset.js';
import type * as Server from '../../src/server.js';
import {DIST} from '../support/dist.js';
import {openNodeWorld, type Core, type NodeWorld} from '../support/node-session.js';

/** Installs the packed package in an empty folder, where a program imports it by name. Returns the folder. */
function unpack(): string {
  const folder = mkdtempSync(join(tmpdir(), 'swap-widget-'));
  const home = join(folder, 'node_modules/swap-widget');
  mkdirSync(home, {recursive: true});
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: join(DIST, '..'),
    shell: process.platform === 'win32',
  });
  const packed = readdirSync(folder).find(file => file.endsWith('.tgz')) ?? '';
  execFileSync('tar', ['-xzf', join(folder, packed), '-C', home, '--strip-components', '1']);
  return folder;
}

describe('the packed package in Node', () => {
  let folder: string;
  let world: NodeWorld;
  let verifyOrder: typeof Server.verifyOrder;
  before(async () => {
    folder = unpack();
    const program = join(folder, 'program.mjs');
    writeFileSync(program, "export * from 'swap-widget/core';\nexport {verifyOrder} from 'swap-widget/server';");
    const packed = (await import(pathToFileURL(program).href)) as Core & Pick<typeof Server, 'verifyOrder'>;
    ({verifyOrder} = packed);
    world = await openNodeWorld({core: packed});
  });
  after(async () => {
    await world.close();
    rmSync(folder, {recursive: true});
  });

  const swaps: readonly [from: AssetId, to: AssetId, amount: string][] = [
    ['base_sepolia:wbtc', 'bitcoin_testnet:btc', '0.001'],
    ['bitcoin_testnet:btc', 'solana_testnet:sol', '0.001'],
    ['solana_testnet:sol', 'starknet_sepolia:wbtc', '0.5'],
    ['starknet_sepolia:wbtc', 'base_sepolia:wbtc', '0.001'],
  ];
  for (const [from, to, amount] of swaps) {
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
