/** The Starknet family on the sandbox's chain, paid from a development wallet; lies and refunds are in `token-htlc-chain.test.ts`. */
import {expect} from '../support/expect.js';
import type {Deal} from '../../src/domain/deposit.js';
import {openStarknetBuyer, starknetAdapter as adapter, withdrawWallets} from '../support/buyers.js';
import {depositState, until} from '../support/funding.js';
import {sandbox} from '../support/sandbox.js';

const AMOUNT = 100_000n;

afterEach(withdrawWallets);

describe('a Starknet deposit on the sandbox’s chain', () => {
  for (const guarded of [false, true]) {
    const account = guarded ? 'an account with a guardian' : 'an account';

    it(`by transaction from ${account}: approved and paid in one transaction, seen, and completed`, async () => {
      const buyer = await openStarknetBuyer(sandbox, {guarded});
      const deal = await buyer.order();
      const {results} = await adapter.check(deal, {});
      expect(results.filter(({outcome}) => outcome !== 'passed')).to.deep.equal([]);
      expect(await depositState(adapter, deal, {})).to.equal('none');

      const funding = await buyer.fund(deal, 'transaction');
      if (funding.how !== 'transaction') throw new Error('a transaction was wanted');
      expect(buyer.plans).to.deep.equal([['send']]);
      expect(buyer.asked).to.deep.equal(['send: Pay 0.001 WBTC into a swap']);
      const order = await buyer.completed(deal);
      expect(order.source.initiated?.hashes).to.deep.equal([funding.hash]);
      const withoutOrder = {...deal, order: undefined} as unknown as Deal;
      const shown = {state: 'seen', amount: AMOUNT, hashes: [funding.hash], isHeld: false, isRefundOpen: false};
      const found = await until(
        () => adapter.readDeposit(withoutOrder, {}),
        ({isHeld}) => isHeld === false,
      );
      const {end, ...rest} = found;
      expect(rest).to.deep.equal({...shown, block: order.source.initiated?.block});
      const {redeemed} = (await buyer.api.readOrder(deal.orderId)).source;
      expect(end).to.deep.include({how: 'redeemed', amount: 0n});
      if (redeemed) expect(end?.hashes).to.deep.equal(redeemed.hashes);
      // A wrong id from the service does not matter.
      const {source} = deal.order;
      const misnamed = {...deal, order: {...deal.order, source: {...source, swapId: 'abc'}}};
      expect(await depositState(adapter, misnamed, {})).to.equal('seen');
      expect(await buyer.left()).to.equal(0n);
    });
  }

  it('is shown by the chain as a payout if it is the destination', async () => {
    const buyer = await openStarknetBuyer(sandbox);
    const deal = await buyer.order();
    await buyer.fund(deal, 'transaction');
    await buyer.completed(deal);
    const {source, createdAt} = await until(
      () => buyer.api.readOrder(deal.orderId),
      order => order.source.redeemed?.block !== undefined,
    );
    const {redeemer, redeemed, secret, secretHash} = source;
    const {hashes = [], block} = redeemed ?? {};
    const since = Math.floor(createdAt / 1_000) * 1_000;
    const read = (recipient: string, more = {}, of = hashes) =>
      adapter.readPayout(deal.agreed.from, recipient, of, {secretHash, since, ...more});
    const nothing = {amount: 0n, loose: 0n, earlier: 0n, hashes: []};
    expect(await read(redeemer)).to.deep.equal({...nothing, amount: AMOUNT, hashes, block, secret});
    expect(await read(redeemer, {secretHash: '5a'.repeat(32)})).to.deep.equal({...nothing, earlier: AMOUNT});
    expect(await read(redeemer, {since: Date.now() + 60_000})).to.deep.equal({...nothing, earlier: AMOUNT});
    expect(await read(buyer.account.address)).to.deep.equal(nothing);
    expect(await read(redeemer, {}, ['0x1234'])).to.deep.equal(nothing);
  });
});
