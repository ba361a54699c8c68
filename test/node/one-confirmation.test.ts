/** Approval and payment at once (EIP-5792), in a session that is closed midway, on the sandbox's real chains. */
import {equal} from 'node:assert/strict';
import type {AssetId} from '../../src/domain/asset.js';
import {fundingIn, shownIn} from '../support/shown.js';
import {openNodeWorld} from '../support/node-session.js';

const FROM: AssetId = 'base_sepolia:wbtc';
const TO: AssetId = 'ethereum_sepolia:wbtc';
const UNITS = 1_000_000n;

describe('approval and payment in one request, if the tab closes during the prompt', () => {
  it('are paid once if the visitor says they were not confirmed, pays again, and confirms both', async () => {
    const world = await openNodeWorld();
    const waiting: ((yes: boolean) => void)[] = [];
    const swap = await world.begin({
      ...{from: FROM, to: TO, amount: '0.01', batches: true},
      answers: ({kind}) => kind !== 'send' || new Promise(resolve => waiting.push(resolve)),
    });
    void swap.place().catch(() => undefined);
    await swap.when(() => waiting.length, 'the wallet was never asked');
    swap.reload();
    await swap.when(() => shownIn(swap.session), 'the order was not shown again');
    await swap.connect();
    await swap.when(() => fundingIn(swap.session).unclear, 'it was no question');
    await swap.session.answer(false);
    const paying = swap.pay().catch(() => undefined);
    await swap.when(() => waiting.length === 2, 'it was not asked for again');
    for (const answer of waiting) answer(true);
    await paying;
    await swap.until('complete');
    equal((await swap.moved()).paid, UNITS);
    swap.end();
    await world.close();
  });
});
