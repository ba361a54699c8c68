/** The Solana family on the real runtime, against everything that the sandbox's service can falsify. */
import {corruptions} from '../../demo/sandbox/chains/solana/hostile.js';
import {createSolanaWallet} from '../../demo/wallets/solana.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {CheckName, Funding} from '../../src/domain/deposit.js';
import {expect} from '../support/expect.js';
import {catalogueOf, codeOf, createBuyer, until} from '../support/funding.js';
import {sandbox, startSandbox, type TestSandbox} from '../support/sandbox.js';
import '../support/window.js';

const adapter = createSolanaAdapter({...TIMEOUTS, poll: 20});
const FROM = 'solana_testnet:sol';
const TO = 'base_sepolia:wbtc';
const RECIPIENT = '0x00000000000000000000000000000000000f00d1';
const AMOUNT = 5_000_000_000n;
const BTC = {from: 'bitcoin_testnet:btc', to: FROM, amount: 100_000n};

/** A person with coins, a wallet, and their own faults of the service. */
async function openBuyer(appId = sandbox.newAppId(), place: TestSandbox = sandbox) {
  const info = await place.info();
  const asked: string[] = [];
  const wallet = createSolanaWallet({
    name: `Buyer ${appId.slice(0, 8)}`,
    seedPhrase: `buyer ${appId}`,
    chains: [{chain: 'solana:devnet', rpc: info.chains['solana_testnet']!.rpc, name: 'Solana Devnet'}],
    approver: ({kind}) => {
      asked.push(kind);
      return Promise.resolve(true);
    },
    storage: {getItem: () => null, setItem: () => undefined},
  });
  const account = await (await adapter.wallets.walletOf!(wallet.standard)).connect();
  wallet.withdraw();
  asked.length = 0;
  await place.faucet(FROM, account.address, 3n * AMOUNT);
  const catalogue = catalogueOf(info, ['bitcoin', 'evm', 'solana']);
  const buyer = createBuyer({place, appId, adapter, account, catalogue});
  return {
    ...buyer,
    adapter,
    appId,
    place,
    catalogue,
    asked,
    order: () => buyer.order({from: FROM, to: TO, amount: AMOUNT, recipient: RECIPIENT}),
  };
}

/** The lies of the sandbox's hostile service, and the checks that detect them. */
const LIES: Readonly<Record<string, readonly CheckName[]>> = {
  amount: ['amount'],
  redeemer: ['order'],
  'secret-hash-in-call': ['secret'],
  timelock: ['call', 'order'],
  initiator: ['call'],
  'fee-payer': ['call'],
  contract: ['contract'],
  'swap-account': ['call'],
  'system-program': ['call'],
  'extra-transfer': ['amount', 'contract', 'code', 'call', 'order', 'secret'],
  'extra-deposit': ['amount', 'contract', 'code', 'call', 'order', 'secret'],
  transfer: ['call'],
  'priority-fee': ['value'],
  'durable-nonce': ['amount', 'contract', 'code', 'call', 'order', 'secret'],
  'lookup-table': ['call'],
  'trailing-bytes': ['amount', 'call', 'order', 'secret'],
  recipient: ['order'],
  'destination-amount': ['order'],
  'secret-hash': ['secret'],
};

describe('a hostile service on Solana', () => {
  it('has no other lies than those tested here', () => {
    expect(Object.keys(LIES)).to.include.members(Object.keys(corruptions));
  });

  for (const [kind, seen] of Object.entries(LIES)) {
    it(`is detected: ${kind}`, async () => {
      const appId = sandbox.newAppId();
      const buyer = await openBuyer(appId);
      await sandbox.faults(appId, {hostile: {kind}});
      const deal = await buyer.order();
      const {results} = await adapter.check(deal, {account: buyer.account});
      expect(results.filter(({outcome}) => outcome === 'failed').map(({name}) => name)).to.deep.equal(seen);
      expect(await codeOf(buyer.fund(deal, {way: 'transaction'}))).to.equal('deposit-mismatch');
      expect(buyer.updates).to.deep.equal([]);
      expect(buyer.asked).to.deep.equal([]);
    });
  }
});

describe('what the real runtime shows of a swap', () => {
  /** A separate sandbox: slots are produced here. */
  let place: TestSandbox & {close(): Promise<void>};
  before(async () => {
    place = await startSandbox();
  });
  after(() => place.close());

  const isGone = ({isHeld}: {isHeld?: boolean}) => isHeld === false;
  const hashOf = (funding: Funding) => (funding.how === 'transaction' ? funding.hash : '');

  it('is a deposit that is held, and then redeemed with the secret', async () => {
    const buyer = await openBuyer(place.newAppId(), place);
    const deal = await buyer.order();
    const hash = hashOf(await buyer.fund(deal, {way: 'transaction'}));
    await buyer.completed(deal);
    const {source} = await until(
      () => buyer.api.readOrder(deal.orderId),
      order => order.source.redeemed !== undefined,
    );
    const {hashes = [], block} = source.redeemed ?? {};
    const shown = await until(() => adapter.readDeposit(deal, {hash}), isGone);
    const end = {how: 'redeemed', amount: 0n, hashes, block};
    const paid = {state: 'seen', amount: AMOUNT, hashes: [hash], block: source.initiated?.block};
    expect(shown).to.deep.equal({...paid, isHeld: false, isRefundOpen: false, end});
    expect(await adapter.readDeposit(deal, {ends: hashes}), 'without its hash').to.deep.equal(shown);
  });

  it('is a deposit that its payer refunded', async () => {
    const appId = place.newAppId();
    const buyer = await openBuyer(appId, place);
    await place.faults(appId, {solverGone: true, ownerRefunds: true});
    const deal = await buyer.order();
    const hash = hashOf(await buyer.fund(deal, {way: 'transaction'}));
    const held = await until(
      () => adapter.readDeposit(deal, {hash}),
      ({isHeld}) => isHeld === true,
    );
    expect(held)
      .to.include({amount: AMOUNT, isRefundOpen: false})
      .and.to.deep.include({hashes: [hash]});
    await place.expire(deal.orderId);
    await place.mine('solana_testnet', 1);
    expect(await adapter.readDeposit(deal, {hash})).to.deep.equal({...held, isRefundOpen: true});
    const onWalletRequest = () => Promise.resolve();
    const back = await adapter.back.refund!(deal, buyer.account, {onWalletRequest});
    const {end, ...shown} = await until(() => adapter.readDeposit(deal, {hash, ends: [back]}), isGone);
    expect(shown).to.deep.equal({...held, isHeld: false});
    expect(end)
      .to.include({how: 'refunded', amount: AMOUNT})
      .and.to.deep.include({hashes: [back]});
  });

  it('is a payout with the order’s secret, not from before the order', async () => {
    const buyer = await openBuyer(place.newAppId(), place);
    const owner = 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy';
    const bitcoin = createBuyer({...buyer, account: {...buyer.account, address: owner}});
    const deal = await bitcoin.order({...BTC, recipient: buyer.account.address});
    await place.faucet(BTC.from, deal.deposit.how === 'transfer' ? deal.deposit.address : '', BTC.amount);
    const {destination, createdAt} = await until(
      async () => {
        await place.mine('bitcoin_testnet', 1);
        return buyer.api.readOrder(deal.orderId);
      },
      order => order.destination.redeemed !== undefined,
    );
    const {hashes = [], block} = destination.redeemed ?? {};
    const {secretHash} = deal.order.source;
    const read = (since: number) =>
      adapter.readPayout(deal.agreed.to, deal.agreed.recipient, hashes, {secretHash, since});
    const nothing = {amount: 0n, loose: 0n, earlier: 0n, hashes: []};
    const {amount, secret} = destination;
    expect(await read(createdAt)).to.deep.equal({...nothing, amount, hashes, block, secret});
    expect(await read(createdAt + 86_400_000)).to.deep.equal({...nothing, earlier: amount});
  });
});
