/** The Bitcoin family on the sandbox's chain, with its service and a development wallet. */
import {expect} from '../support/expect.js';
import {corruptions} from '../../demo/sandbox/chains/bitcoin.js';
import {createBitcoinWallet, type BitcoinWallet} from '../../demo/wallets/bitcoin.js';
import type {Wallet} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {Catalogue} from '../../src/domain/asset.js';
import type {Deal, Funding} from '../../src/domain/deposit.js';
import {catalogueOf, codeOf, createBuyer, depositState} from '../support/funding.js';
import {SandboxClient} from '../sandbox/client.js';
import {startSandbox, type OwnSandbox} from '../support/sandbox.js';
import '../support/window.js';

const adapter = createBitcoinAdapter({...TIMEOUTS, read: 2_000});
const CHAIN = 'bitcoin_testnet';
const BTC = `${CHAIN}:btc`;
const RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ID = 'ChainTestBitcoinProvider';
const AMOUNT = 100_000n;

/** A separate sandbox: no other test mines a block here. */
let sandbox: OwnSandbox;
let catalogue: Catalogue;
let rpc: string;
let wallets: BitcoinWallet[] = [];

before(async () => {
  sandbox = await startSandbox();
  const info = await sandbox.info();
  rpc = info.chains[CHAIN]?.rpc ?? '';
  catalogue = catalogueOf(info, ['bitcoin', 'evm']);
});

after(() => sandbox.close());

afterEach(() => {
  for (const wallet of wallets) wallet.withdraw();
  wallets = [];
});

async function openBuyer() {
  const client = SandboxClient.forAppOfItsOwn(sandbox);
  const wallet = createBitcoinWallet({
    name: 'Test (development)',
    id: ID,
    seedPhrase: `buyer ${client.appId}`,
    rpc,
    approver: () => Promise.resolve(true),
    storage: {getItem: () => null, setItem: () => undefined},
  });
  wallets.push(wallet);
  for (let coin = 0; coin < 2; coin++) await sandbox.faucet(BTC, wallet.account, 10n * AMOUNT);
  await sandbox.mine(CHAIN, 1);

  const search = new AbortController();
  const found = await new Promise<Wallet>(resolve => {
    adapter.wallets.discover(one => one.id === ID && resolve(one), {signal: search.signal});
  });
  search.abort();
  const account = await found.connect();
  const buyer = createBuyer({client, adapter, account, catalogue});
  return {
    ...buyer,
    wallet,
    order: () => buyer.order({from: BTC, to: 'base_sepolia:wbtc', amount: AMOUNT, recipient: RECIPIENT}),
    fund: (deal: Deal, beforeSign?: () => Promise<void>) =>
      buyer.fund(deal, {way: 'transaction', ...(beforeSign && {beforeSign})}),
  };
}

const hashOf = async (funding: Promise<Funding>) => {
  const result = await funding;
  return result.how === 'transaction' ? result.hash : '';
};

describe('a Bitcoin deposit on the sandbox’s chain', () => {
  it('is found in its new form if it was replaced', async () => {
    const buyer = await openBuyer();
    const deal = await buyer.order();
    buyer.wallet.feeRate = 1n;
    const first = await hashOf(buyer.fund(deal));
    expect(await adapter.readFee?.(deal, {})).to.deep.equal({paid: 1, wanted: 2, within: 1_200_000, unit: 'sat/vB'});
    const second = await buyer.wallet.bumpFee(first);
    expect((await adapter.readFee?.(deal, {}))?.paid).to.be.at.least(2);
    expect(second).not.to.equal(first);
    expect(await depositState(adapter, deal, {hash: first})).to.equal('seen');
  });

  it('is paid from an account’s balance, including unconfirmed payments', async () => {
    const {account, wallet} = await openBuyer();
    const asset = catalogue.find(BTC);
    if (!asset) throw new Error('no asset');
    const read = () => adapter.means.balance(asset, account);
    expect(await read()).to.equal(20n * AMOUNT);
    await wallet.send(ELSEWHERE, AMOUNT);
    const {confirmed, unconfirmed} = await wallet.balance();
    expect(confirmed + unconfirmed < 19n * AMOUNT).to.be.true;
    expect(await read()).to.equal(confirmed + unconfirmed);
  });

  it('reserves the fee for spending a whole balance, and at most twice that', async () => {
    const {account, wallet} = await openBuyer();
    const asset = catalogue.find(BTC)!;
    const reserve = await adapter.means.reserve!(asset, account);
    const balance = (await adapter.means.balance(asset, account))!;
    const refused = await wallet.send(ELSEWHERE, balance).catch((error: unknown) => error);
    expect(refused).to.be.an('error');
    await wallet.send(ELSEWHERE, balance - reserve);
    // Two satoshi per virtual byte are recommended here, and were paid.
    expect(reserve > 0n && reserve < 1_000n, String(reserve)).to.be.true;
    expect((await adapter.means.balance(asset, account))!).to.satisfy((left: bigint) => left < reserve);
  });
});

const ELSEWHERE = 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy';

describe('a service that lies about a Bitcoin deposit', () => {
  // Which checks see each of them is told in `bitcoin-check`.
  for (const kind of [...Object.keys(corruptions), 'recipient', 'destination-amount', 'secret-hash']) {
    it(`is paid by no wallet: ${kind}`, async () => {
      const buyer = await openBuyer();
      await buyer.client.faults({hostile: {kind}});
      const deal = await buyer.order();
      expect(await codeOf(buyer.fund(deal))).to.equal('deposit-mismatch');
      expect(buyer.updates).to.deep.equal([]);
    });
  }
});
