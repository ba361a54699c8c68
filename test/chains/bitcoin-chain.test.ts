/** The Bitcoin family on the sandbox's chain, with its service and a development wallet. */
import {expect} from '../support/expect.js';
import {createBitcoinWallet, type BitcoinWallet} from '../../demo/wallets/bitcoin.js';
import type {Account, Wallet} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {Catalogue} from '../../src/domain/asset.js';
import type {CheckName, Deal, Funding} from '../../src/domain/deposit.js';
import {sampleDeal} from '../support/bitcoin-deal.js';
import {scriptedFetch, type ScriptedAnswer} from '../support/fetch.js';
import {catalogueOf, codeOf, createBuyer, until, depositState} from '../support/funding.js';
import {startSandbox, type TestSandbox} from '../support/sandbox.js';
import '../support/window.js';

const adapter = createBitcoinAdapter({...TIMEOUTS, read: 2_000});
const CHAIN = 'bitcoin_testnet';
const BTC = `${CHAIN}:btc`;
const RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ID = 'ChainTestBitcoinProvider';
const AMOUNT = 100_000n;

/** A sandbox of its own: no other test makes a block here. */
let sandbox: TestSandbox & {close(): Promise<void>};
let catalogue: Catalogue;
let rpc: string;
let wallets: BitcoinWallet[] = [];

before(async function () {
  this.timeout(60_000);
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

/** A person with coins and a wallet. */
async function openBuyer(appId = sandbox.newAppId()) {
  const wallet = createBitcoinWallet({
    name: 'Test (development)',
    id: ID,
    seedPhrase: `buyer ${appId}`,
    rpc,
    approver: () => Promise.resolve(true),
    storage: {getItem: () => null, setItem: () => undefined},
  });
  wallets.push(wallet);
  for (let coin = 0; coin < 2; coin++) await sandbox.faucet(BTC, wallet.account, 10n * AMOUNT);
  await sandbox.mine(CHAIN, 1);

  const search = new AbortController();
  const found = await new Promise<Wallet>(resolve => {
    adapter.discover(one => one.id === ID && resolve(one), {signal: search.signal});
  });
  search.abort();
  const account = await found.connect();
  const buyer = createBuyer({place: sandbox, appId, adapter, account, catalogue});
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

describe('a Bitcoin deposit on the sandbox’s chain', function () {
  this.timeout(60_000);

  it('passes all checks, is paid from a wallet, seen, confirmed and followed by what was agreed', async () => {
    const buyer = await openBuyer();
    const deal = await buyer.order();
    const {results} = await adapter.check(deal, {});
    expect(results.filter(({outcome}) => outcome !== 'passed')).to.deep.equal([]);
    expect(await depositState(adapter, deal, {})).to.equal('none');
    expect(await adapter.readFee?.(deal, {}), 'nothing waits').to.equal(undefined);

    const hash = await hashOf(buyer.fund(deal));
    expect(buyer.updates).to.deep.equal(['send asking', 'send sent']);
    const paid = {state: 'seen', amount: AMOUNT, hashes: [hash], isHeld: true};
    expect(await adapter.readDeposit(deal, {hash})).to.deep.equal(paid);
    expect(await adapter.readFee?.(deal, {})).to.deep.equal({paid: 2, wanted: 2, unit: 'sat/vB'});

    for (;;) {
      await sandbox.mine(CHAIN, 1);
      const order = await buyer.api.readOrder(deal.orderId);
      if (order.destination.redeemed) break;
      await new Promise(resolve => setTimeout(resolve, 200));
    }
    // The spending of a deposit, which may wait for a block by now, is no payment into it.
    expect(await adapter.readFee?.(deal, {})).to.equal(undefined);
    const {source} = await until(
      () => buyer.api.readOrder(deal.orderId),
      order => order.source.redeemed !== undefined,
    );
    expect(await adapter.readDeposit(deal, {})).to.deep.equal({
      ...paid,
      block: source.initiated?.block,
      isHeld: false,
    });
    const {redeemed, secret} = source;
    const nobody = await adapter.readPayout(deal.agreed.from, ELSEWHERE, redeemed?.hashes ?? [], {});
    expect(nobody).to.include({amount: 0n, secret});
  });

  it('is found in its new form where it was replaced', async () => {
    const buyer = await openBuyer();
    const deal = await buyer.order();
    buyer.wallet.feeRate = 1n;
    const first = await hashOf(buyer.fund(deal));
    expect(await adapter.readFee?.(deal, {})).to.deep.equal({paid: 1, wanted: 2, unit: 'sat/vB'});
    const second = await buyer.wallet.bumpFee(first);
    expect((await adapter.readFee?.(deal, {}))?.paid).to.be.at.least(2);
    expect(second).not.to.equal(first);
    expect(await depositState(adapter, deal, {hash: first})).to.equal('seen');
  });

  it('is paid from what an account holds, payments on their way included', async () => {
    const {account, wallet} = await openBuyer();
    const asset = catalogue.find(BTC);
    if (!asset) throw new Error('no asset');
    const read = () => adapter.balance?.(asset, account);
    expect(await read()).to.equal(20n * AMOUNT);
    await wallet.send(ELSEWHERE, AMOUNT);
    const {confirmed, unconfirmed} = await wallet.balance();
    expect(confirmed + unconfirmed < 19n * AMOUNT).to.be.true;
    expect(await read()).to.equal(confirmed + unconfirmed);
  });

  it('keeps back what spending all of a balance costs, and no more than that twice over', async () => {
    const {account, wallet} = await openBuyer();
    const asset = catalogue.find(BTC)!;
    const reserve = await adapter.reserve!(asset, account);
    const balance = (await adapter.balance!(asset, account))!;
    const refused = await wallet.send(ELSEWHERE, balance).catch((error: unknown) => error);
    expect(refused).to.be.an('error');
    await wallet.send(ELSEWHERE, balance - reserve);
    // Two satoshi for each virtual byte are advised here, and it was paid with that.
    expect(reserve > 0n && reserve < 1_000n, String(reserve)).to.be.true;
    expect((await adapter.balance!(asset, account))!).to.satisfy((left: bigint) => left < reserve);
  });
});

const ELSEWHERE = 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy';

/** What the sandbox's hostile service can say, and the checks that see it. */
const LIES: Readonly<Record<string, readonly CheckName[]>> = {
  address: ['script'],
  amount: ['amount'],
  network: ['chain', 'script'],
  redeemer: ['script'],
  timelock: ['script'],
  recipient: ['order'],
  'destination-amount': ['order'],
  'secret-hash': ['script', 'secret'],
};

describe('a service that lies about a Bitcoin deposit', function () {
  this.timeout(60_000);

  for (const [kind, seen] of Object.entries(LIES)) {
    it(`is found out: ${kind}`, async () => {
      const appId = sandbox.newAppId();
      const buyer = await openBuyer(appId);
      await sandbox.faults(appId, {hostile: {kind}});
      const deal = await buyer.order();
      const {results} = await adapter.check(deal, {});
      expect(results.filter(({outcome}) => outcome === 'failed').map(({name}) => name)).to.deep.equal(seen);
      expect(await codeOf(buyer.fund(deal))).to.equal('deposit-mismatch');
      expect(buyer.updates).to.deep.equal([]);
    });
  }
});

describe('reading a Bitcoin chain', () => {
  const real = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = real;
  });

  /** The published deal, on a chain with a node that gives these answers. */
  function open(...answers: ScriptedAnswer[]) {
    const {fetch, sent} = scriptedFetch(...answers);
    globalThis.fetch = fetch;
    const deal = sampleDeal();
    Object.assign(deal.agreed.from.chain, {rpc: 'https://node.example/api/'});
    return {deal, sent};
  }

  const stats = (chain: number, mempool: number, spent = 0) => ({
    body: {
      chain_stats: {funded_txo_sum: chain, spent_txo_sum: spent},
      mempool_stats: {funded_txo_sum: mempool, spent_txo_sum: 0},
    },
  });

  it('reads nothing where no node is named', async () => {
    const {sent} = open();
    const deal = sampleDeal();
    const account = {address: deal.agreed.owner} as Account;
    expect(await depositState(adapter, deal, {account})).to.equal('unknown');
    expect(await adapter.readFee?.(deal, {account})).to.equal(undefined);
    expect(await adapter.balance?.(deal.agreed.from, account)).to.equal(undefined);
    expect(await adapter.reserve?.(deal.agreed.from, account)).to.equal(0n);
    expect((await adapter.check(deal, {account})).outcome).to.equal('passed');
    expect(sent).to.deep.equal([]);
  });

  it('asks for the one address, and reveals nothing else', async () => {
    const {deal, sent} = open(stats(0, 0));
    const {address} = deal.deposit;
    deal.deposit.address = address.toUpperCase();
    expect(await depositState(adapter, deal, {hash: '5a'.repeat(32)})).to.equal('none');
    expect(sent.map(({method, url}) => `${method} ${url}`)).to.deep.equal([
      `GET https://node.example/api/address/${address}`,
    ]);
    expect(sent[0]?.init.credentials).to.equal('omit');
  });

  for (const [what, answer, state] of [
    ['a payment in a block', stats(1, 0), 'seen'],
    ['a payment on its way', stats(0, 1), 'seen'],
    ['no payment', stats(0, 0), 'none'],
    ['an error', {status: 500, body: 'busy'}, 'unknown'],
    ['a page', {body: '<html>'}, 'unknown'],
    ['sums that are none', {body: {chain_stats: {}, mempool_stats: {}}}, 'unknown'],
    ['half an answer', {body: {chain_stats: {funded_txo_sum: 0, spent_txo_sum: 0}}}, 'unknown'],
    ['nothing to read', {body: 'null'}, 'unknown'],
    ['no connection', 'broken', 'unknown'],
  ] as const) {
    it(`says ${what} as ${state}`, async () => {
      expect(await depositState(adapter, open(answer).deal, {})).to.equal(state);
    });
  }

  it('asks nothing about what is no address of that network', async () => {
    const {deal, sent} = open();
    for (const address of ['../../admin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4']) {
      deal.deposit.address = address;
      expect(await depositState(adapter, deal, {})).to.equal('unknown');
      expect(await adapter.readFee?.(deal, {})).to.equal(undefined);
    }
    expect(sent).to.deep.equal([]);
  });

  const {address} = sampleDeal().deposit;
  const toIt = {vout: [{scriptpubkey_address: address}], status: {confirmed: false}};
  const payment = {...toIt, fee: 282, weight: 564};
  const advice = {body: {1: 3.04, 6: 1}};
  const feeOf = async (transactions: unknown, estimates: ScriptedAnswer = advice) =>
    adapter.readFee?.(open({body: transactions}, estimates).deal, {});

  it('tells what was paid in, by which transactions, whether it still lies there, and the last block', async () => {
    const paid = (txid: string, block?: number) => ({
      txid: txid.repeat(64),
      vout: [{scriptpubkey_address: address, value: 25_000}],
      vin: [],
      status: {confirmed: block !== undefined, block_height: block},
    });
    const spending = {...paid('c', 9), vout: [{scriptpubkey_address: 'another', value: 1}]};
    const read = (...answers: ScriptedAnswer[]) => adapter.readDeposit(open(...answers).deal, {});
    const shown = {state: 'seen', amount: 50_000n, hashes: ['a'.repeat(64), 'b'.repeat(64)]};
    const both = {body: [paid('a', 8), spending, paid('b', 7)]};
    expect(await read(stats(50_000, 0), both)).to.deep.equal({...shown, block: 8n, isHeld: true});
    expect(await read(stats(50_000, 0, 50_000), both)).to.deep.equal({...shown, block: 8n, isHeld: false});
    const waiting = {body: [paid('a'), paid('b', 7)]};
    expect(await read(stats(25_000, 25_000), waiting)).to.deep.equal({...shown, isHeld: true});
    expect(await read(stats(50_000, 0), {status: 500, body: 'busy'}), 'without its transactions').to.deep.equal({
      state: 'seen',
      amount: 50_000n,
      isHeld: true,
    });
  });

  describe('for a payout', () => {
    const asset = sampleDeal().agreed.from;
    const [TXID, OTHER] = ['d'.repeat(64), 'e'.repeat(64)];
    const SECRET = '5e'.repeat(32);
    const out = (to: string, value: number) => ({scriptpubkey_address: to, value});
    const transaction = {
      txid: TXID,
      vin: [{prevout: out('a swap', 90), witness: ['51'.repeat(64), SECRET, `a820${'ab'.repeat(32)}88`, 'c0']}],
      vout: [out(address, 40), out('another', 30), out(address, 20)],
      status: {confirmed: true, block_height: 12},
    };
    const read = (...answers: ScriptedAnswer[]) => {
      open(...answers);
      const chain = {...asset.chain, rpc: 'https://node.example/api/'};
      return (hashes: readonly string[], to = address) => adapter.readPayout({...asset, chain}, to, hashes, {});
    };
    const missing = {status: 404, body: 'Transaction not found'};

    it('adds up what its transactions pay to the address, less what they take from it, and tells the secret', async () => {
      const shown = {amount: 60n, block: 12n, secret: SECRET};
      expect(await read({body: transaction})([TXID.toUpperCase()], address.toUpperCase())).to.deep.equal(shown);
      const change = {...transaction, vin: [{prevout: out(address, 15)}]};
      expect(await read({body: change})([TXID])).to.deep.equal({amount: 45n, block: 12n});
      const waiting = {...transaction, status: {confirmed: false}};
      expect(await read({body: waiting})([TXID])).to.deep.equal({amount: 60n, secret: SECRET});
    });

    it('has nothing where the chain does not know the transaction, and asks for none that is no hash', async () => {
      expect(await read(missing)([TXID])).to.deep.equal({amount: 0n});
      expect(await read({body: transaction}, missing)([TXID, OTHER])).to.deep.equal({amount: 60n, secret: SECRET});
      expect(await read()(['../admin'])).to.deep.equal({amount: 0n});
    });

    it('has no secret of several, of a refund, or of another script', async () => {
      const [input] = transaction.vin;
      const [signature = '', , script = '', block = ''] = input!.witness;
      for (const vin of [
        [input, {...input, witness: [signature, '5f'.repeat(32), script, block]}],
        [{...input, witness: [signature, `029000b275`, block]}],
        [{...input, witness: [signature, SECRET, '51', block]}],
        [{...input, witness: [signature, 'short', script, block]}],
      ]) {
        expect(await read({body: {...transaction, vin}})([TXID])).to.deep.equal({amount: 60n, block: 12n});
      }
    });

    it('is not known where the chain cannot be read', async () => {
      expect(await read({status: 500, body: 'busy'})([TXID])).to.be.undefined;
      expect(await read({body: {...transaction, vout: 'none'}})([TXID])).to.be.undefined;
      expect(await read()([TXID], 'nobody')).to.be.undefined;
      expect(await adapter.readPayout(asset, address, [TXID], {})).to.be.undefined;
    });
  });

  it('gives the fee rate of a payment that waits for a block, the lowest of several', async () => {
    const other = {...payment, fee: 150};
    expect(await feeOf([payment])).to.deep.equal({paid: 2, wanted: 3, unit: 'sat/vB'});
    expect(await feeOf([payment, other])).to.deep.equal({paid: 1.1, wanted: 3, unit: 'sat/vB'});
    expect(await feeOf([payment], {body: {2: 5}})).to.deep.equal({paid: 2, wanted: 5, unit: 'sat/vB'});
  });

  for (const [what, transactions, estimates] of [
    ['no payment', [], advice],
    ['a payment in a block', [{...payment, status: {confirmed: true}}], advice],
    ['what spends from the address', [{...payment, vout: [{scriptpubkey_address: 'another'}]}], advice],
    ['a fee that is none', [{...payment, fee: 'much'}], advice],
    ['no list', {}, advice],
    ['a transaction of nothing', [null], advice],
    ['no advice', [payment], {body: {}}],
    ['advice that is none', [payment], {body: {1: 'much'}}],
    ['an error in the place of advice', [payment], {status: 500, body: 'busy'}],
  ] as const) {
    it(`makes no hint of ${what}`, async () => {
      expect(await feeOf(transactions, estimates)).to.equal(undefined);
    });
  }

  it('stops when the signal aborts', async () => {
    const {deal} = open('silent');
    const looking = new AbortController();
    const looked = depositState(adapter, deal, {signal: looking.signal});
    looking.abort();
    expect(await looked).to.equal('unknown');
  });
});
