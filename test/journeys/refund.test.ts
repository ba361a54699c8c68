/** Refunds, and payments that are lost or replaced: blocks come when these tests say so, in a sandbox of their own. */
import {expect} from '@open-wc/testing';
import {rpc} from '../sandbox/client.js';
import {beginCrossing, endCrossings, type CrossingSettings} from '../support/crossing.js';
import {startSandbox, type OwnSandbox} from '../support/sandbox.js';
import {expectRefund, IS_REFUNDED} from '../support/ways.js';

const BTC = 'bitcoin_testnet:btc';
const BASE_WBTC = 'base_sepolia:wbtc';
const SOL = 'solana_testnet:sol';
const STARKNET_WBTC = 'starknet_sepolia:wbtc';

const PAID = {from: BASE_WBTC, to: STARKNET_WBTC};
const FEE = 5_000n;
/** More slots than the lifetime of a blockhash on Solana. */
const OLD = 160;

describe('A payment', () => {
  let sandbox: OwnSandbox;
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox.close());
  afterEach(endCrossings);

  const begin = (settings: Partial<CrossingSettings>) => beginCrossing({on: sandbox, ...PAID, ...settings});

  for (const [way, settings, fees] of [
    ['on an EVM chain by transaction', {faults: {noTypedData: true}}, 0n],
    ['on Starknet by signature', {from: STARKNET_WBTC, to: BASE_WBTC}, 0n],
    ['on Starknet by transaction', {from: STARKNET_WBTC, to: BASE_WBTC, faults: {noTypedData: true}}, 0n],
    ['on Solana', {from: SOL, to: BASE_WBTC, amount: '5'}, 2n * FEE],
    ['of a token on Solana', {from: 'solana_testnet:usdc', to: BASE_WBTC, amount: '500'}, 0n],
  ] as const) {
    it(`${way} ${IS_REFUNDED}`, () => expectRefund(sandbox, {...PAID, ...settings}, fees));
  }

  it('to Bitcoin is complete before the payout is in a block, says so, and tracks its replacement', async () => {
    const crossing = await begin({to: BTC});
    await crossing.place();
    await crossing.expectSwapped();
    await crossing.untilSays('not in a block yet');
    const {tx_hash: other} = await crossing.client.control('replace', {orderId: crossing.orderId});
    const hash = String(other);
    await crossing.reload();
    await crossing.press(/^Receipt$/);
    await crossing.untilSays(`${hash.slice(0, 6)}…${hash.slice(-4)}`);
    await crossing.press(/^Back$/);
    await crossing.expectAccessible();
    await crossing.mine(1, 'bitcoin_testnet');
    await crossing.until(() => !crossing.page.text.includes('not in a block yet'), 'the block was never seen');
    await crossing.expectSwapped();
    expect(crossing.page.widget.order?.destination.redeemed?.hashes).to.deep.equal([hash]);
  });

  it('to a Bitcoin address is refunded automatically if the solver is gone', async () => {
    const crossing = await begin({from: BTC, to: BASE_WBTC, faults: {solverGone: true}});
    await crossing.place();
    await crossing.send();
    await crossing.untilStage('deposit-seen');
    await crossing.mine(2);
    await crossing.untilStage('settling');
    await sandbox.expire(crossing.orderId);
    await crossing.untilStage('refunding');
    await crossing.untilSays('Refund on its way');
    expect(crossing.page.primaryButton, 'the person has nothing to do').to.equal(undefined);
    await crossing.reload();
    await crossing.untilSays('Refund on its way');
    await crossing.mine(1);
    await crossing.untilStage('refunded');
    await crossing.untilSays('You got back 0.01 BTC');
    const {paid, received} = await crossing.moved();
    expect(received).to.equal(0n);
    expect(paid > 0n && paid < 1_000n, `${String(paid)} are gone`).to.equal(true);
    await crossing.expectAccessible();
  });

  it('on Bitcoin that loses its block is unconfirmed, also after a reload, until it is mined again', async () => {
    const crossing = await begin({from: BTC, to: BASE_WBTC});
    await crossing.place();
    await crossing.send();
    await crossing.untilStage('deposit-seen');
    await crossing.mine(1);
    await crossing.untilStage('confirming');
    await sandbox.reorg(crossing.orderId);
    await crossing.untilStage('deposit-seen');
    await crossing.untilSays('Your payment is no longer in a block. The network dropped the block it was in.');
    await crossing.expectAccessible();
    await crossing.reload();
    await crossing.untilSays('Waiting for a block');
    await crossing.mine(2);
    await crossing.expectSwapped();
    expect(crossing.orderIds).to.have.length(1);
  });

  it('on an EVM chain that a reorganization drops is not requested again, and counts once it is back', async () => {
    const crossing = await begin({faults: {confirmations: {required: 4}, noTypedData: true}});
    await crossing.place();
    await crossing.untilStage('confirming');
    const {source_swap: source} = await crossing.read();
    const node = crossing.chain(BASE_WBTC).rpc;
    const payment = await rpc<string>(node, 'eth_getRawTransactionByHash', source.initiate_tx_hash);
    await sandbox.reorg(crossing.orderId);
    await crossing.untilSays('Your payment is no longer in a block.');
    const {stage, previous} = crossing.statuses.at(-1)!;
    expect([previous, stage]).to.deep.equal(['confirming', 'funding']);
    await crossing.expectUntouched();
    await crossing.reload();
    await crossing.untilStage('funding');
    expect(crossing.page.button(/^(Sign|Pay) with|instead|^Try again/)?.textContent, 'offered to pay again').to.equal(
      undefined,
    );
    // Nodes broadcast the transactions of a disconnected block again.
    await rpc(node, 'eth_sendRawTransaction', payment);
    await crossing.untilStage('confirming');
    await crossing.mine(4);
    await crossing.expectSwapped();
    expect(crossing.asked).to.deep.equal(['connect', 'send', 'send']);
  });

  it('on Solana that expired during the prompt is not sent, and a new order is paid', async () => {
    const crossing = await begin({
      from: SOL,
      to: BASE_WBTC,
      amount: '5',
      answer: async (_, turn) => {
        if (turn === 0) await sandbox.mine('solana_testnet', OLD);
        return true;
      },
    });
    await crossing.place();
    await crossing.untilSays('Start again with a new price.');
    expect(crossing.walletRequests()).to.deep.equal(['send refused']);
    await crossing.expectUntouched();
    await crossing.expectAccessible();
    expect(crossing.page.button(/^Pay with /)?.textContent, 'offered to pay with an expired transaction').to.equal(
      undefined,
    );
    await crossing.next(/^Start again$/);
    expect(crossing.page.amount).to.equal('5');
    await crossing.next(/^Review swap$/);
    await crossing.next(/^Place swap$/);
    await crossing.until(() => crossing.orderIds.length === 2, 'no new order was placed');
    await crossing.expectSwapped();
  });
});
