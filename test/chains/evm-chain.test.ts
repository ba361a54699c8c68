/** The EVM family on real nodes: two ways to pay, and payouts; lies and refunds are in `token-htlc-chain.test.ts`. */
import {expect} from '../support/expect.js';
import type {ChainAdapter} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import type {Deal} from '../../src/domain/deposit.js';
import {evmAdapter as adapter, nodesOf, openEvmBuyer, starknetAdapter} from '../support/buyers.js';
import {BatchWallet} from '../support/evm-batch-wallet.js';
import {KeyWallet} from '../support/evm-key-wallet.js';
import type {Bundle} from '../support/evm-ledger.js';
import {depositState, until} from '../support/funding.js';
import {sandbox, startSandbox, type SandboxInfo} from '../support/sandbox.js';

const TO = 'ethereum_sepolia:wbtc';

/** One whose account delegates several calls to the sandbox's contract for that. */
const batchWallet =
  (change: Partial<BatchWallet> = {}) =>
  (key: string, info: SandboxInfo) => {
    const contracts = Object.values(info.chains).flatMap(({chainId, batchAccount}) =>
      batchAccount === undefined ? [] : [[chainId, batchAccount] as const],
    );
    return Object.assign(new BatchWallet(key, nodesOf(info), 11155111, new Map(contracts)), change);
  };

async function openBuyer(options: Omit<NonNullable<Parameters<typeof openEvmBuyer>[1]>, 'appId'> = {}) {
  const buyer = await openEvmBuyer(sandbox, options);
  return {
    ...buyer,
    /** Orders from another asset or another amount. */
    async orderOf(
      asset: string,
      to = TO,
      recipient = buyer.account.address,
      amount = asset.endsWith('usdt') ? 50_000_000n : 100_000n,
    ) {
      await sandbox.faucet(asset, buyer.account.address, amount);
      return buyer.orderFrom({from: asset, to, amount, recipient});
    },
    /** What the chain shows of an order's payout. */
    async payout({agreed, orderId}: Deal, of: ChainAdapter = adapter) {
      const {destination, createdAt} = await buyer.api.readOrder(orderId);
      const hashes = destination.redeemed?.hashes ?? [];
      const {secretHash} = destination;
      // The chains' clocks differ.
      const since = createdAt - 2 * 3_600_000;
      return {shown: await of.readPayout(agreed.to, agreed.recipient, hashes, {secretHash, since}), destination};
    },
  };
}

describe('an EVM deposit on a real chain', () => {
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

  it('is followed by a payout of the native coin, which the chain shows', async () => {
    const buyer = await openBuyer();
    const recipient = `0x${'c0'.repeat(4)}${sandbox.newAppId().slice(0, 32)}`;
    const deal = await buyer.order('ethereum_sepolia:eth', recipient);
    await buyer.fund(deal, 'transaction');
    await buyer.completed(deal);
    const known = await buyer.payout(deal);
    expect(known.shown).to.deep.include({amount: deal.agreed.receive, secret: known.destination.secret});
    const {agreed} = deal;
    const unknown = await buyer.payout({...deal, agreed: {...agreed, to: {...agreed.to, contracts: []}}});
    expect(unknown.shown, 'an unknown contract’s record is its owner’s').to.deep.include({
      amount: 0n,
      loose: agreed.receive,
    });
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

/** A wallet that gets as far as its payment, which no block takes: its owner may replace it by the transaction with its nonce. */
class PendingWallet extends KeyWallet {
  readonly #pass: KeyWallet['request'] = this.request;
  override request: KeyWallet['request'] = async asked => {
    if (asked.method === 'eth_sendTransaction' && this.windows.includes(asked.method))
      await this.node('evm_setAutomine', false);
    return this.#pass(asked);
  };

  /** Sends a transaction with the nonce of a pending one, for twice its gas price, and has a block made of it. */
  async replace(hash: string, {isCanceled}: {isCanceled: boolean}): Promise<void> {
    const {to, input, nonce, gas, gasPrice} = (await this.node('eth_getTransactionByHash', hash)) as Record<
      'to' | 'input' | 'nonce' | 'gas' | 'gasPrice',
      string
    >;
    const raw = await this.pair.signTransaction({
      ...{chainId: this.chainId, nonce: Number(nonce), gasLimit: gas, gasPrice: BigInt(gasPrice) * 2n},
      ...(isCanceled ? {to: this.pair.address} : {to, data: input}),
    });
    await this.node('eth_sendRawTransaction', raw);
    await this.node('evm_setAutomine', true);
    await this.node('anvil_mine', '0x1');
  }
}

describe('an EVM payment that is replaced in the wallet', () => {
  for (const isCanceled of [true, false]) {
    it(isCanceled ? 'by one to oneself is canceled' : 'by the same one for more gas has paid', async () => {
      const place = await startSandbox();
      try {
        const make = (key: string, info: SandboxInfo) => new PendingWallet(key, nodesOf(info), 11155111);
        const {wallet, account, order, fund, left} = await openEvmBuyer(place, {make});
        const deal = await order();
        const funding = await fund(deal, 'transaction');
        const hash = funding.how === 'transaction' ? funding.hash : '';
        const pending = await adapter.readDeposit(deal, {account, hash});
        expect(pending).to.deep.equal({state: 'seen', lifetime: '1'});
        await (wallet as PendingWallet).replace(hash, {isCanceled});
        const {state, amount} = await adapter.readDeposit(deal, {account, hash, lifetime: pending.lifetime});
        expect({state, amount}).to.deep.equal(
          isCanceled ? {state: 'canceled', amount: undefined} : {state: 'seen', amount: deal.agreed.amount},
        );
        expect(await left()).to.equal(isCanceled ? deal.agreed.amount : 0n);
      } finally {
        await place.close();
      }
    });
  }
});

describe('approval and payment at once on a real chain', () => {
  const ASSET = 'base_sepolia:wbtc';
  const AMOUNT = 100_000n;
  const pick =
    (...places: number[]) =>
    (calls: Bundle['calls']) =>
      places.map(place => calls[place]!);

  /** The result of a payment by such a wallet: what the chain shows, and the payer's balance. */
  async function pay(change: Partial<BatchWallet> = {}, asset = ASSET) {
    const buyer = await openBuyer({make: batchWallet(change)});
    const deal = await buyer.orderOf(asset);
    const before = await buyer.balance(asset);
    const funding = await buyer.fund(deal, 'transaction');
    const calls = funding.how === 'calls' ? funding.id : undefined;
    const read = () => adapter.readDeposit(deal, {account: buyer.account, calls});
    const deposit = await until(read, ({state}) => state !== 'none');
    return {buyer, deal, read, deposit, paid: (before ?? 0n) - ((await buyer.balance(asset)) ?? 0n)};
  }

  it('are one transaction of an account that was upgraded for it, and bring the recipient the agreed amount', async () => {
    const {buyer, deal, deposit, paid} = await pay();
    expect(buyer.wallet.windows).to.deep.equal(['wallet_switchEthereumChain', 'wallet_sendCalls']);
    expect(buyer.updates).to.deep.equal(['send asking', 'send sent']);
    expect(deposit).to.deep.include({state: 'seen', amount: AMOUNT});
    expect(deposit.hashes).to.deep.equal([...(buyer.wallet as BatchWallet).bundles.values()]);
    expect(paid).to.equal(AMOUNT);
    const {destination} = await buyer.completed(deal);
    expect((await buyer.payout(deal)).shown?.amount).to.equal(destination.amount);
    // The account has code now: it still belongs to its key, and the next order is paid in the same way.
    const next = await buyer.orderOf(ASSET);
    await buyer.fund(next, 'transaction');
    await buyer.completed(next);
  });

  it('revoke an earlier allowance within it, for a token that requires it', async () => {
    const asset = 'base_sepolia:usdt';
    const buyer = await openBuyer({make: batchWallet({arrange: pick(0)})});
    const first = await buyer.orderOf(asset, TO);
    // This one drops the payment, so the allowance remains: too small for the next payment.
    await buyer.fund(first, 'transaction');
    const wallet = buyer.wallet as BatchWallet;
    const made: number[] = [];
    wallet.arrange = calls => (made.push(calls.length), calls);
    const second = await buyer.orderOf(asset, TO, undefined, 60_000_000n);
    await buyer.fund(second, 'transaction');
    await buyer.completed(second);
    expect(made).to.deep.equal([3]);
  });

  for (const [what, arrange, isCareless, state] of [
    ['in reverse', pick(1, 0), false, 'reverted'],
    ['in reverse by a careless account', pick(1, 0), true, 'empty'],
    ['without the payment', pick(0), false, 'empty'],
    ['without the approval, by a careless account', pick(1), true, 'empty'],
    ['with the payment twice', pick(0, 1, 1), false, 'reverted'],
  ] as const) {
    it(`are detected from the chain if the wallet makes them ${what} and reports success: ${state}`, async () => {
      const {deposit, paid} = await pay({arrange, isCareless});
      expect(deposit).to.deep.equal({state});
      expect(paid).to.equal(0n);
    });
  }

  it('pay once if a careless account tries twice', async () => {
    const {deposit, paid} = await pay({arrange: pick(0, 1, 0, 1), isCareless: true});
    expect(deposit).to.deep.include({state: 'seen', amount: AMOUNT});
    expect(paid).to.equal(AMOUNT);
  });
});
