/** The EVM family on real nodes: its two ways to pay, and payouts that follow; lies and refunds are in `token-htlc-chain.test.ts`. */
import {expect} from '../support/expect.js';
import type {ChainAdapter} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import type {Deal} from '../../src/domain/deposit.js';
import {evmAdapter as adapter, openEvmBuyer, starknetAdapter} from '../support/buyers.js';
import {depositState, until} from '../support/funding.js';
import {sandbox} from '../support/sandbox.js';

const TO = 'ethereum_sepolia:wbtc';

async function openBuyer() {
  const buyer = await openEvmBuyer(sandbox);
  return {
    ...buyer,
    /** What the chain shows of what was paid out for an order. */
    async payout({agreed, orderId}: Deal, of: ChainAdapter = adapter) {
      const {destination, createdAt} = await buyer.api.readOrder(orderId);
      const hashes = destination.redeemed?.hashes ?? [];
      const {secretHash} = destination;
      // The clocks of chains are apart.
      const since = createdAt - 2 * 3_600_000;
      return {shown: await of.readPayout(agreed.to, agreed.recipient, hashes, {secretHash, since}), destination};
    },
  };
}

describe('an EVM deposit on a real chain', function () {
  this.timeout(60_000);

  for (const way of ['transaction', 'signature'] as const) {
    it(`by ${way}: passes all checks, is approved once, paid, seen, and brings the recipient exactly what was agreed`, async () => {
      const buyer = await openBuyer();
      const deal = await buyer.order();
      const {results} = await adapter.check(deal, {account: buyer.account});
      expect(results.filter(({outcome}) => outcome !== 'passed')).to.deep.equal([]);
      expect(await depositState(adapter, deal, {account: buyer.account})).to.equal('none');

      const funding = await buyer.fund(deal, way);
      const last = way === 'signature' ? 'sign' : 'send';
      expect(buyer.plans).to.deep.equal([['approve', last]]);
      expect(buyer.wallet.windows[0]).to.equal('wallet_switchEthereumChain');
      if (funding.how === 'signature') {
        expect(await buyer.api.initiate(deal.orderId, funding.signature)).to.deep.equal({accepted: true});
      }
      const order = await buyer.completed(deal);
      expect(order.source.initiated).to.not.be.undefined;
      const hashes = order.source.initiated?.hashes;
      const shown = {state: 'seen', amount: 100_000n, hashes, isHeld: false, isRefundOpen: false};
      const read = () => adapter.readDeposit(deal, {account: buyer.account});
      const taken = await until(read, ({isHeld}) => isHeld === false);
      expect(taken).to.deep.include(shown);
      expect(taken.end).to.include({how: 'redeemed', amount: 0n});
      const payout = await buyer.payout(deal);
      const {secret, redeemed} = payout.destination;
      const all = {amount: deal.agreed.receive, loose: 0n, earlier: 0n, secret, hashes: redeemed?.hashes};
      expect(payout.shown).to.deep.include(all);
      expect(payout.shown?.block).to.be.a('bigint');
      expect(await buyer.left()).to.equal(0n);
      expect(await buyer.balance(TO)).to.equal(deal.agreed.receive);
    });
  }

  it('is followed by a payout of the chain’s own coin, which the chain shows', async () => {
    const buyer = await openBuyer();
    const recipient = `0x${'c0'.repeat(4)}${sandbox.newAppId().slice(0, 32)}`;
    const deal = await buyer.order('ethereum_sepolia:eth', recipient);
    await buyer.fund(deal, 'transaction');
    await buyer.completed(deal);
    const known = await buyer.payout(deal);
    expect(known.shown).to.deep.include({amount: deal.agreed.receive, secret: known.destination.secret});
    const {agreed} = deal;
    const unknown = await buyer.payout({...deal, agreed: {...agreed, to: {...agreed.to, contracts: []}}});
    expect(unknown.shown?.amount).to.equal(agreed.receive);
  });

  for (const [to, recipient, other] of [
    ['solana_testnet:sol', 'BHaGGXJeXYLSC4WMW8FuMT3wxjv4t1HMM86BuTb1WWyM', createSolanaAdapter()],
    ['starknet_sepolia:wbtc', `0x${'0c'.repeat(31)}`, starknetAdapter],
    ['bitcoin_testnet:btc', 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy', createBitcoinAdapter()],
  ] as const) {
    it(`is followed by a payout on another chain, which that chain shows: ${to}`, async () => {
      const buyer = await openBuyer();
      const deal = await buyer.order(to, recipient);
      await buyer.fund(deal, 'transaction');
      await buyer.completed(deal);
      const {shown, destination} = await buyer.payout(deal, other);
      const hashes = destination.redeemed?.hashes ?? [];
      const elsewhere = await other.readPayout(deal.agreed.to, recipient, hashes, {secretHash: '5a'.repeat(32)});
      expect(elsewhere, 'of another swap').to.deep.include({amount: 0n, loose: 0n, earlier: deal.agreed.receive});
      expect(shown).to.deep.include({amount: deal.agreed.receive, secret: destination.secret});
    });
  }
});
