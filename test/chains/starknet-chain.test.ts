/** The Starknet family on the sandbox's chain, with its service and contracts, paid from a development wallet. */
import {expect} from '../support/expect.js';
import {corruptions} from '../../demo/sandbox/chains/starknet/hostile.js';
import {createStarknetWallet, type StarknetWallet} from '../../demo/wallets/starknet.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import type {CheckName, Deal, FundWay} from '../../src/domain/deposit.js';
import {catalogueOf, codeOf, createBuyer, until, depositState, isRefundOpen} from '../support/funding.js';
import {sandbox, startSandbox, type TestSandbox} from '../support/sandbox.js';
import '../support/window.js';
import {findWallets} from '../support/starknet-deal.js';

const adapter = createStarknetAdapter({...TIMEOUTS, poll: 20});
const FROM = 'starknet_sepolia:wbtc';
const TO = 'base_sepolia:wbtc';
const RECIPIENT = '0x00000000000000000000000000000000000f00d1';
const AMOUNT = 100_000n;

const opened: StarknetWallet[] = [];

/** A person with coins and a wallet whose account is not on the chain yet. */
async function openBuyer(place: TestSandbox, {guarded = false, appId = place.newAppId()} = {}) {
  const info = await place.info();
  const {
    chainId,
    rpc: node,
    accountClass,
    guardedAccountClass,
  } = info.chains['starknet_sepolia'] as unknown as Record<
    'chainId' | 'rpc' | 'accountClass' | 'guardedAccountClass',
    string
  >;
  const asked: string[] = [];
  const wallet = createStarknetWallet({
    name: `Buyer ${appId.slice(0, 8)}`,
    id: appId.slice(0, 8),
    seedPhrase: `buyer ${appId}`,
    guarded,
    chains: [{chainId, rpc: node, name: 'Starknet Sepolia', accountClass, guardedAccountClass}],
    approver: ({kind, title}) => {
      asked.push(`${kind}: ${title}`);
      return Promise.resolve(true);
    },
    storage: {getItem: () => null, setItem: () => undefined},
  });
  opened.push(wallet);
  const found = findWallets(adapter, () => () => undefined).find(({id}) => id === wallet.id);
  const account = await found!.connect();
  asked.length = 0;
  const catalogue = catalogueOf(info, ['evm', 'starknet']);
  const buyer = createBuyer({place, appId, adapter, account, catalogue});
  return {
    ...buyer,
    wallet,
    /** What the wallet asked its owner. */
    asked,
    async order() {
      await place.faucet(FROM, account.address, AMOUNT);
      return buyer.order({from: FROM, to: TO, amount: AMOUNT, recipient: RECIPIENT});
    },
    fund: (deal: Deal, way: FundWay) => buyer.fund(deal, {way, account}),
    balance: () => buyer.balance(FROM),
  };
}

afterEach(() => {
  for (const wallet of opened.splice(0)) wallet.withdraw();
});

describe('a Starknet deposit on the sandbox’s chain', function () {
  this.timeout(60_000);

  for (const guarded of [false, true]) {
    const account = guarded ? 'an account with a guardian' : 'an account';

    it(`by transaction from ${account}: approved and paid in one transaction, seen, and completed`, async () => {
      const buyer = await openBuyer(sandbox, {guarded});
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
      // An id that the service names in vain does not matter.
      const {source} = deal.order;
      const misnamed = {...deal, order: {...deal.order, source: {...source, swapId: 'abc'}}};
      expect(await depositState(adapter, misnamed, {})).to.equal('seen');
      expect(await buyer.balance()).to.equal(0n);
    });
  }

  it('is what the chain shows as a payout, where it is swapped into', async () => {
    const buyer = await openBuyer(sandbox);
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

  it('comes back by the contract’s own refund once the timelock is over, and not before', async () => {
    const place = await startSandbox();
    try {
      const appId = place.newAppId();
      await place.faults(appId, {solverGone: true});
      const buyer = await openBuyer(place, {appId});
      const deal = await buyer.order();
      await buyer.fund(deal, 'transaction');
      await until(
        () => buyer.api.readOrder(deal.orderId),
        ({source}) => source.initiated?.block !== undefined,
      );
      expect(await buyer.balance()).to.equal(0n);
      const refund = () => adapter.back.refund!(deal, buyer.account, {onWalletRequest: () => Promise.resolve()});
      expect(await isRefundOpen(adapter, deal, {})).to.be.false;
      expect(await codeOf(refund())).to.equal('funding-reverted');

      await place.expire(deal.orderId);
      expect(await isRefundOpen(adapter, deal, {})).to.be.true;
      const {order: _, ...journaled} = deal;
      expect(await adapter.readDeposit(journaled, {})).to.include({isHeld: true, isRefundOpen: true});
      buyer.asked.length = 0;
      const hash = await refund();
      expect(hash).to.match(/^0x[0-9a-f]+$/);
      const {end} = await until(
        () => adapter.readDeposit(journaled, {}),
        ({isHeld}) => isHeld === false,
      );
      expect(end).to.deep.include({how: 'refunded', amount: AMOUNT, hashes: [hash]});
      expect(buyer.asked).to.deep.equal(['send: Refund a swap']);
      expect(await until(buyer.balance, balance => balance !== 0n)).to.equal(AMOUNT);
    } finally {
      await place.close();
    }
  });
});

const CALL: readonly CheckName[] = ['amount', 'call', 'same', 'order', 'secret'];

/** What the sandbox's hostile service can say, and the checks that see it. */
const LIES: Readonly<Record<string, readonly CheckName[]>> = {
  'amount-in-call': ['amount', 'same'],
  'amount-in-typed-data': ['amount', 'same'],
  amount: ['amount'],
  'high-amount': ['amount'],
  'redeemer-in-call': ['same', 'order'],
  'redeemer-in-typed-data': ['same'],
  redeemer: ['order'],
  'secret-hash-in-call': ['same', 'secret'],
  'secret-hash-in-typed-data': ['same'],
  'seven-words': ['amount', 'call', 'order', 'secret'],
  'word-out-of-range': ['amount', 'call', 'order', 'secret'],
  timelock: ['call', 'order'],
  'chain-id': ['chain'],
  contract: ['contract', 'code', 'token'],
  'unknown-selector': CALL,
  'selector-of-selector': CALL,
  approve: CALL,
  transfer: CALL,
  'trailing-felts': CALL,
  recipient: ['order'],
  'destination-amount': ['order'],
  'secret-hash': ['secret'],
};

/** Only the typed data is wrong; the call is correct. */
const STRANGE: readonly string[] = ['domain-name', 'domain-version', 'domain-revision', 'extra-types', 'primary-type'];

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
      const deal = await buyer.order();
      const {results} = await adapter.check(deal, {});
      expect(results.filter(({outcome}) => outcome === 'failed').map(({name}) => name)).to.deep.equal(seen);
      for (const way of ['transaction', 'signature'] as const) {
        expect(await codeOf(buyer.fund(deal, way))).to.equal('deposit-mismatch');
      }
      expect(buyer.updates).to.deep.equal([]);
      expect(buyer.asked).to.deep.equal([]);
    });
  }

  for (const kind of STRANGE) {
    it(`gets no signature for an unknown form, and the payment it prepared: ${kind}`, async () => {
      const appId = sandbox.newAppId();
      const buyer = await openBuyer(sandbox, {appId});
      await sandbox.faults(appId, {hostile: {kind}});
      const deal = await buyer.order();
      const {results} = await adapter.check(deal, {});
      expect(results.find(({name}) => name === 'typed-data')?.outcome).to.equal('unchecked');
      expect((await buyer.fund(deal, 'signature')).how).to.equal('transaction');
      expect(buyer.updates).to.deep.equal(['send asking', 'send sent']);
    });
  }
});
