/** Approval and payment at once (EIP-5792), in a session that is closed midway, on the sandbox's real chains. */
import {deepEqual, equal} from 'node:assert/strict';
import type {AssetId} from '../../src/domain/asset.js';
import {fundingIn, shownIn, storyIn} from '../support/shown.js';
import {openNodeWorld, type BeginOptions, type NodeSwap, type NodeWorld} from '../support/node-session.js';

const FROM: AssetId = 'base_sepolia:wbtc';
const TO: AssetId = 'ethereum_sepolia:wbtc';
const UNITS = 1_000_000n;

let world: NodeWorld;
before(async () => {
  world = await openNodeWorld();
});
after(() => world.close());

/** A person whose wallet prompts until the test answers. */
async function begin(options: Partial<BeginOptions> = {}) {
  const waiting: ((yes: boolean) => void)[] = [];
  const swap = await world.begin({
    ...{from: FROM, to: TO, amount: '0.01', batches: true},
    answers: ({kind}) => kind !== 'send' || new Promise(resolve => waiting.push(resolve)),
    ...options,
  });
  /** Answers the open prompt, once there is one. */
  const answer = async (yes: boolean) => {
    await swap.when(() => waiting.length, 'the wallet was never asked');
    waiting.shift()?.(yes);
  };
  return {swap, waiting, answer};
}

const requestsOf = ({session}: NodeSwap) =>
  fundingIn(session).walletRequests.map(({kind, state, claimed}) => `${kind} ${claimed ? 'claimed' : state}`);
const asked = (swap: NodeSwap) => swap.prompts.filter(({kind}) => kind === 'send' || kind === 'sign').length;

/** The wallet prompts, and the tab is reloaded before there is an answer. */
async function interrupted() {
  const parts = await begin();
  const {swap, waiting} = parts;
  void swap.place().catch(() => undefined);
  await swap.when(() => waiting.length, 'the wallet was never asked');
  swap.reload();
  await swap.when(() => shownIn(swap.session), 'the order was not shown again');
  await swap.connect();
  return parts;
}

describe('approval and payment in one request, if the tab closes during the prompt', () => {
  it('reopen with a question, which chain and wallet answer, without a second prompt', async () => {
    const {swap, answer} = await interrupted();
    await swap.when(() => fundingIn(swap.session).unclear, 'it was no question');
    await swap.pay();
    equal(asked(swap), 1);
    await answer(true);
    await swap.until('complete');
    equal(asked(swap), 1);
    deepEqual(requestsOf(swap), ['send claimed']);
    equal(storyIn(swap.session)?.witness, 'chain');
    equal((await swap.moved()).paid, UNITS);
    swap.end();
  });

  it('are paid once if they were rejected, the visitor says so and pays again', async () => {
    const {swap, answer} = await interrupted();
    await swap.when(() => fundingIn(swap.session).unclear, 'it was no question');
    await answer(false);
    await swap.session.answer(false);
    deepEqual(requestsOf(swap), ['send refused']);
    const paying = swap.pay();
    await answer(true);
    await paying;
    await swap.until('complete');
    deepEqual(requestsOf(swap), ['send refused', 'send sent']);
    equal((await swap.moved()).paid, UNITS);
    swap.end();
  });

  it('are paid once if the visitor says they were not confirmed, pays again, and confirms both', async () => {
    const {swap, waiting, answer} = await interrupted();
    await swap.when(() => fundingIn(swap.session).unclear, 'it was no question');
    await swap.session.answer(false);
    const paying = swap.pay().catch(() => undefined);
    await swap.when(() => waiting.length === 2, 'it was not asked for again');
    await answer(true);
    await answer(true);
    await paying;
    await swap.until('complete');
    equal((await swap.moved()).paid, UNITS);
    swap.end();
  });
});
