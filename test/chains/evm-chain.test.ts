/** The EVM family on real nodes, with the sandbox's service and contracts. */
import {expect} from '../support/expect.js';
import {id} from 'ethers';
import {corruptions} from '../../demo/sandbox/chains/evm-hostile.js';
import type {ChainAdapter} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {CheckName, Deal, FundWay} from '../../src/domain/deposit.js';
import {connectLedger} from '../support/evm-account.js';
import {KeyWallet} from '../support/evm-key-wallet.js';
import {catalogueOf, codeOf, createBuyer, until, depositState} from '../support/funding.js';
import {sandbox, startSandbox, type TestSandbox} from '../support/sandbox.js';

const adapter = createEvmAdapter({...TIMEOUTS, poll: 20});
const TO = 'ethereum_sepolia:wbtc';

/** A person with coins and a wallet, and the wallet on the wrong chain. */
async function openBuyer(place: TestSandbox, {appId = place.newAppId()} = {}) {
  const info = await place.info();
  const nodes = new Map(Object.values(info.chains).map(({chainId, rpc: url}) => [chainId, url]));
  const wallet = new KeyWallet(id(`buyer ${appId}`), nodes, 11155111);
  const account = await connectLedger(adapter, wallet);
  const buyer = createBuyer({
    place,
    appId,
    adapter,
    account,
    catalogue: catalogueOf(info, ['evm', 'solana', 'starknet', 'bitcoin']),
  });
  await place.faucet('base_sepolia:eth', account.address, 10n ** 18n);
  return {
    ...buyer,
    wallet,
    async order(asset: string, to = TO, recipient = account.address) {
      const amount = asset.endsWith('usdt') ? 50_000_000n : 100_000n;
      await place.faucet(asset, account.address, amount);
      return buyer.order({from: asset, to, amount, recipient});
    },
    /** What the chain shows of what was paid out for an order. */
    async payout({agreed, orderId}: Deal, of: ChainAdapter = adapter) {
      const {destination, createdAt} = await buyer.api.readOrder(orderId);
      const hashes = destination.redeemed?.hashes ?? [];
      const {secretHash} = destination;
      // The clocks of chains are apart.
      const since = createdAt - 2 * 3_600_000;
      return {shown: await of.readPayout(agreed.to, agreed.recipient, hashes, {secretHash, since}), destination};
    },
    fund: (deal: Deal, way: FundWay) => buyer.fund(deal, {way, account}),
  };
}

describe('an EVM deposit on a real chain', function () {
  this.timeout(60_000);

  for (const way of ['transaction', 'signature'] as const) {
    it(`by ${way}: passes all checks, is approved once, paid, seen, and brings the recipient exactly what was agreed`, async () => {
      const buyer = await openBuyer(sandbox);
      const deal = await buyer.order('base_sepolia:wbtc');
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
      expect(await buyer.balance('base_sepolia:wbtc')).to.equal(0n);
      expect(await buyer.balance(TO)).to.equal(deal.agreed.receive);
    });
  }

  it('is followed by a payout of the chain’s own coin, which the chain shows', async () => {
    const buyer = await openBuyer(sandbox);
    const recipient = `0x${'c0'.repeat(4)}${sandbox.newAppId().slice(0, 32)}`;
    const deal = await buyer.order('base_sepolia:wbtc', 'ethereum_sepolia:eth', recipient);
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
    ['starknet_sepolia:wbtc', `0x${'0c'.repeat(31)}`, createStarknetAdapter()],
    ['bitcoin_testnet:btc', 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy', createBitcoinAdapter()],
  ] as const) {
    it(`is followed by a payout on another chain, which that chain shows: ${to}`, async () => {
      const buyer = await openBuyer(sandbox);
      const deal = await buyer.order('base_sepolia:wbtc', to, recipient);
      await buyer.fund(deal, 'transaction');
      await buyer.completed(deal);
      const {shown, destination} = await buyer.payout(deal, other);
      const hashes = destination.redeemed?.hashes ?? [];
      const elsewhere = await other.readPayout(deal.agreed.to, recipient, hashes, {secretHash: '5a'.repeat(32)});
      expect(elsewhere, 'of another swap').to.deep.include({amount: 0n, loose: 0n, earlier: deal.agreed.receive});
      expect(shown).to.deep.include({amount: deal.agreed.receive, secret: destination.secret});
    });
  }

  it('comes back by the contract’s own refund once the timelock is over, and not before', async () => {
    const place = await startSandbox();
    try {
      const appId = place.newAppId();
      await place.faults(appId, {solverGone: true});
      const buyer = await openBuyer(place, {appId});
      const deal = await buyer.order('base_sepolia:wbtc');

      await buyer.fund(deal, 'transaction');
      await until(
        () => buyer.api.readOrder(deal.orderId),
        ({source}) => source.initiated?.block !== undefined,
      );
      expect(await buyer.balance('base_sepolia:wbtc')).to.equal(0n);
      const refund = () =>
        adapter.back.refund?.(deal, buyer.account, {onWalletRequest: () => Promise.resolve()}) ??
        Promise.reject(new Error());
      expect(await codeOf(refund())).to.equal('funding-reverted');
      const shown = async () => adapter.readDeposit(deal, {account: buyer.account});
      expect(await shown()).to.deep.include({isHeld: true, isRefundOpen: false});

      await place.expire(deal.orderId);
      expect(await shown()).to.deep.include({isHeld: true, isRefundOpen: true});
      const hash = await refund();
      const {end} = await until(shown, ({isHeld}) => isHeld === false);
      expect(end).to.deep.include({how: 'refunded', amount: deal.agreed.amount, hashes: [hash]});
      expect(
        await until(
          () => buyer.balance('base_sepolia:wbtc'),
          balance => balance !== 0n,
        ),
      ).to.equal(deal.agreed.amount);
    } finally {
      await place.close();
    }
  });
});

/** What the sandbox's hostile service can say, and the checks that see it. */
const LIES: Readonly<Record<string, readonly CheckName[]>> = {
  'amount-in-call': ['amount', 'same'],
  'amount-in-typed-data': ['amount', 'same'],
  amount: ['amount'],
  'redeemer-in-call': ['same', 'order'],
  'redeemer-in-typed-data': ['same'],
  redeemer: ['order'],
  'secret-hash-in-typed-data': ['same'],
  timelock: ['call', 'order'],
  'chain-id': ['chain'],
  contract: ['contract', 'code', 'token'],
  value: ['value'],
  approve: ['amount', 'call', 'same', 'order', 'secret'],
  transfer: ['amount', 'call', 'same', 'order', 'secret'],
  'trailing-bytes': ['amount', 'call', 'same', 'order', 'secret'],
  recipient: ['order'],
  'destination-amount': ['order'],
  'secret-hash': ['secret'],
};

/** Only the typed data is wrong; the call is correct. */
const STRANGE: readonly string[] = ['domain-name', 'domain-version', 'extra-types', 'primary-type'];

describe('a hostile service', function () {
  this.timeout(60_000);

  it('has no lie that is not tried here', () => {
    expect([...Object.keys(LIES), ...STRANGE]).to.include.members(Object.keys(corruptions));
  });

  for (const [kind, seen] of Object.entries(LIES)) {
    it(`is found out: ${kind}`, async () => {
      const appId = sandbox.newAppId();
      const buyer = await openBuyer(sandbox, {appId});
      await sandbox.faults(appId, {hostile: {kind}});
      const deal = await buyer.order('base_sepolia:wbtc');
      const {results} = await adapter.check(deal, {account: buyer.account});
      expect(results.filter(({outcome}) => outcome === 'failed').map(({name}) => name)).to.deep.equal(seen);
      expect(await codeOf(buyer.fund(deal, 'transaction'))).to.equal('deposit-mismatch');
      expect(buyer.updates).to.deep.equal([]);
    });
  }

  for (const kind of STRANGE) {
    it(`gets no signature for an unknown form, and the payment it prepared: ${kind}`, async () => {
      const appId = sandbox.newAppId();
      const buyer = await openBuyer(sandbox, {appId});
      await sandbox.faults(appId, {hostile: {kind}});
      const deal = await buyer.order('base_sepolia:wbtc');
      const {results} = await adapter.check(deal, {account: buyer.account});
      expect(results.find(({name}) => name === 'typed-data')?.outcome).to.equal('unchecked');
      expect((await buyer.fund(deal, 'signature')).how).to.equal('transaction');
      expect(buyer.updates).to.deep.equal(['approve asking', 'approve sent', 'send asking', 'send sent']);
    });
  }
});
