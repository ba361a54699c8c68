/** The Bitcoin family on the sandbox's chain, with its service and a development wallet. */
import {sha256} from '@noble/hashes/sha2.js';
import {hex} from '@scure/base';
import {expect} from '../support/expect.js';
import {createBitcoinWallet, type BitcoinWallet} from '../../demo/wallets/bitcoin.js';
import type {Account, Wallet} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {Catalogue} from '../../src/domain/asset.js';
import type {CheckName, Deal, Funding} from '../../src/domain/deposit.js';
import type {Leg, Order} from '../../src/domain/order.js';
import {readOrder} from '../../src/api/schema.js';
import {sampleDeal} from '../support/bitcoin-deal.js';
import {samples} from '../support/samples.js';
import {scriptedFetch, type ScriptedAnswer} from '../support/fetch.js';
import {catalogueOf, codeOf, createBuyer, faultOf, until, depositState} from '../support/funding.js';
import {startSandbox, type TestSandbox} from '../support/sandbox.js';
import '../support/window.js';

const adapter = createBitcoinAdapter({...TIMEOUTS, read: 2_000});
const CHAIN = 'bitcoin_testnet';
const BTC = `${CHAIN}:btc`;
const RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ID = 'ChainTestBitcoinProvider';
const AMOUNT = 100_000n;

/** A separate sandbox: no other test mines a block here. */
let sandbox: TestSandbox & {close(): Promise<void>};
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
    adapter.wallets.discover(one => one.id === ID && resolve(one), {signal: search.signal});
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

describe('a Bitcoin deposit on the sandbox’s chain', () => {
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
    // Spending the deposit, which may be unconfirmed by now, is not a payment into it.
    expect(await adapter.readFee?.(deal, {})).to.equal(undefined);
    const {source} = await until(
      () => buyer.api.readOrder(deal.orderId),
      order => order.source.redeemed !== undefined,
    );
    const {redeemed} = source;
    const {end, ...shown} = await adapter.readDeposit(deal, {});
    expect(shown).to.deep.equal({...paid, block: source.initiated?.block, isHeld: false});
    expect(end).to.include({how: 'redeemed', amount: 0n}).and.to.deep.include({hashes: redeemed?.hashes});
  });

  it('is shown as refunded after the timelock, with the amount, and its block as soon as it has one', async () => {
    const appId = sandbox.newAppId();
    const buyer = await openBuyer(appId);
    await sandbox.faults(appId, {solverGone: true});
    const deal = await buyer.order();
    const hash = await hashOf(buyer.fund(deal));
    await sandbox.expire(deal.orderId);
    const waiting = await until(
      () => adapter.readDeposit(deal, {}),
      ({isHeld}) => isHeld === false,
    );
    const {hashes = [], ...end} = waiting.end ?? {};
    expect(hashes).to.have.length(1);
    expect(end).to.deep.equal({how: 'refunded', amount: AMOUNT});
    const {height} = (await sandbox.info()).chains[CHAIN]!;
    await sandbox.mine(CHAIN, 1);
    const shown = await adapter.readDeposit(deal, {});
    expect(shown.hashes).to.deep.equal([hash]);
    expect(shown.end).to.deep.equal({...waiting.end, block: BigInt(height) + 1n});
  });

  it('is found by its order’s keys, whichever side pays in', async () => {
    const buyer = await openBuyer();
    const deal = await buyer.order();
    const asset = catalogue.find(BTC)!;
    const read = async (order: Order, source: Leg) => {
      const deposits = adapter.depositsOf({...order, source}, asset);
      const states = deposits.map(deposit => adapter.readDeposit({...deal, deposit}, {}));
      return (await Promise.all(states)).filter(({state}) => state === 'seen');
    };
    const {source} = deal.order;
    expect(await read(deal.order, source)).to.deep.equal([]);
    const hash = await hashOf(buyer.fund(deal));
    expect(await read(deal.order, source)).to.deep.equal([
      {state: 'seen', amount: AMOUNT, hashes: [hash], isHeld: true},
    ]);

    // A leg that a solver pays into: its redeemer has no key in the contract but the service's.
    const agreed = {...deal.agreed, from: catalogue.find('base_sepolia:wbtc')!, to: asset, amount: 200_000n};
    const [quote] = await buyer.api.quote({...agreed, affiliateBps: 0});
    const {orderId} = await buyer.api.createOrder({
      ...agreed,
      receive: quote!.destination.amount,
      owner: RECIPIENT,
      recipient: buyer.account.address,
      solverId: quote!.solverId,
    });
    const {destination, ...order} = await buyer.api.readOrder(orderId);
    expect(destination.redeemer).to.equal(buyer.account.address);
    expect(await read({...order, destination}, destination)).to.deep.equal([]);
    await buyer.wallet.send(destination.swapId, AMOUNT);
    const [theirs] = await read({...order, destination}, destination);
    expect(theirs).to.include({state: 'seen', amount: AMOUNT, isHeld: true});
    expect(await read({...order, destination}, {...destination, delegate: source.delegate!})).to.deep.equal([]);
  });

  it('is looked up at the address in the published samples, whichever side pays in', () => {
    const from = catalogue.find(BTC)!;
    const at = (source: Leg) => adapter.depositsOf({...sampleDeal().order, source}, from);
    const legs = (['bitcoin', 'evm', 'solana', 'starknet'] as const).map(family => {
      const {source, destination} = readOrder(samples[family].status.result);
      return family === 'bitcoin' ? source : destination;
    });
    expect(legs.map(at)).to.deep.equal(legs.map(({swapId, amount}) => [{how: 'transfer', address: swapId, amount}]));
  });

  it('is not looked up under terms that make no address', () => {
    const {order} = sampleDeal();
    const from = catalogue.find(BTC)!;
    expect(adapter.depositsOf(order, from).map(({how}) => how)).to.include('transfer');
    for (const change of [{timelock: 0}, {timelock: 0x1_0000}, {secretHash: ''}, {redeemer: 'nobody', delegate: ''}])
      expect(adapter.depositsOf({...order, source: {...order.source, ...change}}, from)).to.deep.equal([]);
  });

  it('is found in its new form if it was replaced', async () => {
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

/** The lies of the sandbox's hostile service, and the checks that detect them. */
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

describe('a service that lies about a Bitcoin deposit', () => {
  for (const [kind, seen] of Object.entries(LIES)) {
    it(`is detected: ${kind}`, async () => {
      const appId = sandbox.newAppId();
      const buyer = await openBuyer(appId);
      await sandbox.faults(appId, {hostile: {kind}});
      const deal = await buyer.order();
      const {results} = await adapter.check(deal, {});
      expect(
        results.filter(({outcome}) => outcome === 'failed' || outcome === 'unverified').map(({name}) => name),
      ).to.deep.equal(seen);
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

  /** The published deal, on a chain whose node returns these responses. */
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

  it('reads nothing if no node is set', async () => {
    const {sent} = open();
    const deal = sampleDeal();
    const account = {address: deal.agreed.owner} as Account;
    expect(await depositState(adapter, deal, {account})).to.equal('unknown');
    expect(await adapter.readFee?.(deal, {account})).to.equal(undefined);
    expect(await adapter.means.balance(deal.agreed.from, account)).to.equal(undefined);
    expect(await adapter.means.reserve?.(deal.agreed.from, account)).to.equal(0n);
    expect((await adapter.check(deal, {account})).outcome).to.equal('passed');
    expect(sent).to.deep.equal([]);
  });

  it('requests the one address, and reveals nothing else', async () => {
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
    ['an unconfirmed payment', stats(0, 1), 'seen'],
    ['no payment', stats(0, 0), 'none'],
  ] as const) {
    it(`reports ${what} as ${state}`, async () => {
      expect(await depositState(adapter, open(answer).deal, {})).to.equal(state);
    });
  }

  for (const [what, answer] of [
    ['an error', {status: 500, body: 'busy'}],
    ['a page', {body: '<html>'}],
    ['invalid sums', {body: {chain_stats: {}, mempool_stats: {}}}],
    ['half a response', {body: {chain_stats: {funded_txo_sum: 0, spent_txo_sum: 0}}}],
    ['an unreadable response', {body: 'null'}],
    ['no connection', 'broken'],
  ] as const) {
    it(`does not report a payment by ${what}`, async () => {
      expect(await faultOf(depositState(adapter, open(answer).deal, {}))).to.be.an('error');
    });
  }

  it('sends no request for what is not an address of that network', async () => {
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

  const [A, B, C, D, E] = ['a', 'b', 'c', 'd', 'e'].map(digit => digit.repeat(64)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const SECRET = '5e'.repeat(32);
  const SECRET_HASH = hex.encode(sha256(hex.decode(SECRET)));
  const BEGAN = 1_700_000_000;
  const out = (to: string, value: number) => ({scriptpubkey_address: to, value});
  /** Esplora's fields for a block, or for none. */
  const inBlock = (block?: number) =>
    block === undefined ? {confirmed: false} : {confirmed: true, block_height: block, block_time: BEGAN + block};
  const redeemBy = (secret: string) => ['51'.repeat(64), secret, `a820${'ab'.repeat(32)}88`, 'c0'];
  const REFUND = ['51'.repeat(64), `029000b275`, 'c0'];

  describe('for a deposit', () => {
    const {owner} = sampleDeal().agreed;
    const paid = (txid: string, block?: number) => ({
      txid,
      vin: [],
      vout: [out(address, 25_000)],
      status: inBlock(block),
    });
    /** A transaction that spends outputs of the address, by default of 25,000 each. */
    const spent = (txid: string, block: number | undefined, vout: object[], witness = REFUND, values = [25_000]) => ({
      txid,
      vin: values.map(value => ({prevout: out(address, value), witness})),
      vout,
      status: inBlock(block),
    });
    const read = (ends: readonly string[], ...answers: ScriptedAnswer[]) => {
      const {deal, sent} = open(...answers);
      return {shown: adapter.readDeposit(deal, {ends}), sent};
    };
    const shown = {state: 'seen', amount: 50_000n, hashes: [A, B]};

    it('returns what was paid in, the transactions, whether it is still unspent, and the last block', async () => {
      const both = {body: [paid(A, 8), spent(C, 9, [out('another', 1)]), paid(B, 7)]};
      expect(await read([], stats(50_000, 0), both).shown).to.deep.equal({...shown, block: 8n, isHeld: true});
      const gone = {...shown, block: 8n, isHeld: false};
      expect(await read([], stats(50_000, 0, 50_000), both).shown).to.deep.equal(gone);
      const waiting = {body: [paid(A), paid(B, 7)]};
      expect(await read([], stats(25_000, 25_000), waiting).shown).to.deep.equal({...shown, isHeld: true});
      const {shown: without} = read([], stats(50_000, 0), {status: 500, body: 'busy'});
      expect(await without, 'without its transactions').to.deep.equal({state: 'seen', amount: 50_000n, isHeld: true});
    });

    it('reads the transactions named as the outcome if the address has more than one page', async () => {
      const page = {body: [spent(C, 12, [out(owner, 25_000)]), paid(A, 8), paid(B, 7)]};
      const sums = stats(50_000, 0, 50_000);
      const rest = {body: spent(D, 11, [out(owner, 25_000)])};
      const missing = {status: 404, body: 'Transaction not found'};
      const {shown: found, sent} = read([C, D.toUpperCase(), D, '../admin', E], sums, page, rest, missing);
      const end = {how: 'refunded', amount: 50_000n, hashes: [C, D], block: 12n};
      expect((await found).end).to.deep.equal(end);
      expect(sent.slice(2).map(({url}) => url)).to.deep.equal([
        `https://node.example/api/tx/${D}`,
        `https://node.example/api/tx/${E}`,
      ]);
      expect((await read([D], sums, page, {status: 500, body: 'busy'}).shown).end).to.be.undefined;
      const all = {body: [...page.body, rest.body]};
      expect((await read([E], sums, all).shown).end, 'all known').to.deep.equal(end);
    });
  });

  describe('for a payout', () => {
    const asset = sampleDeal().agreed.from;
    const transaction = {
      txid: D,
      vin: [{prevout: out('a swap', 90), witness: redeemBy(SECRET)}],
      vout: [out(address, 40), out('another', 30), out(address, 20)],
      status: inBlock(12),
    };
    const read = (...answers: ScriptedAnswer[]) => {
      open(...answers);
      const chain = {...asset.chain, rpc: 'https://node.example/api/'};
      return (
        hashes: readonly string[],
        to = address,
        options: {secretHash?: string; after?: bigint; since?: number} = {secretHash: SECRET_HASH},
      ) => adapter.readPayout({...asset, chain}, to, hashes, options);
    };
    const missing = {status: 404, body: 'Transaction not found'};
    const nothing = {amount: 0n, loose: 0n, earlier: 0n, hashes: []};
    const shown = {...nothing, amount: 60n, hashes: [D], block: 12n, secret: SECRET};

    it('adds up what its transactions pay to the address, less what they spend from it, and returns the secret', async () => {
      expect(await read({body: transaction})([D], address.toUpperCase())).to.deep.equal(shown);
      const change = {...transaction, vin: [{prevout: out(address, 15)}]};
      expect(await read({body: change})([D])).to.deep.equal({...nothing, loose: 45n});
      const waiting = {...transaction, status: inBlock()};
      const {block: _, ...rest} = shown;
      expect(await read({body: waiting})([D])).to.deep.equal(rest);
    });

    it('is undefined if the chain does not know the transaction, and requests only hashes', async () => {
      expect(await read(missing)([D])).to.deep.equal(nothing);
      expect(await read({body: transaction}, missing)([D, E])).to.deep.equal(shown);
      expect(await read()(['../admin'])).to.deep.equal(nothing);
    });

    it('does not count if its block is older than the order, by the block’s own time', async () => {
      const at = (BEGAN + 12) * 1_000;
      const secretHash = SECRET_HASH;
      expect(await read({body: transaction})([D], address, {secretHash, since: at})).to.deep.equal(shown);
      const earlier = {...nothing, earlier: 60n};
      expect(await read({body: transaction})([D], address, {secretHash, since: at + 1})).to.deep.equal(earlier);
    });

    it('does not count up to the height at which the order was placed, though times of blocks run backwards', async () => {
      const {block} = shown;
      const ties = {secretHash: SECRET_HASH, since: (BEGAN + 7_200) * 1_000};
      expect(await read({body: transaction})([D], address, {...ties, after: block - 1n})).to.deep.equal(shown);
      const earlier = {...nothing, earlier: 60n};
      expect(await read({body: transaction})([D], address, {...ties, since: 0, after: block})).to.deep.equal(earlier);
      const pending = {body: {...transaction, status: {confirmed: false}}};
      const {block: _, ...unconfirmed} = shown;
      expect(await read(pending)([D], address, {...ties, after: block})).to.deep.equal(unconfirmed);
    });

    it('is unknown if the chain cannot be read, and a failed read is an error', async () => {
      expect(await faultOf(read({status: 500, body: 'busy'})([D]))).to.be.an('error');
      expect(await faultOf(read({body: {...transaction, vout: 'none'}})([D]))).to.be.an('error');
      expect(await read()([D], 'nobody')).to.be.undefined;
      expect(await adapter.readPayout(asset, address, [D], {})).to.be.undefined;
    });
  });

  it('returns the fee rate of an unconfirmed payment, the lowest of several', async () => {
    const other = {...payment, fee: 150};
    expect(await feeOf([payment])).to.deep.equal({paid: 2, wanted: 3, unit: 'sat/vB'});
    expect(await feeOf([payment, other])).to.deep.equal({paid: 1.1, wanted: 3, unit: 'sat/vB'});
    expect(await feeOf([payment], {body: {2: 5}})).to.deep.equal({paid: 2, wanted: 5, unit: 'sat/vB'});
  });

  for (const [what, transactions, estimates] of [
    ['no payment', [], advice],
    ['a payment in a block', [{...payment, status: {confirmed: true}}], advice],
    ['a transaction that spends from the address', [{...payment, vout: [{scriptpubkey_address: 'another'}]}], advice],
    ['an invalid fee', [{...payment, fee: 'much'}], advice],
    ['no list', {}, advice],
    ['an empty transaction', [null], advice],
    ['no fee estimate', [payment], {body: {}}],
    ['an invalid fee estimate', [payment], {body: {1: 'much'}}],
    ['an error instead of a fee estimate', [payment], {status: 500, body: 'busy'}],
  ] as const) {
    it(`makes no hint of ${what}`, async () => {
      expect(await feeOf(transactions, estimates)).to.equal(undefined);
    });
  }

  it('stops when the signal aborts', async () => {
    const {deal} = open('silent');
    const looking = new AbortController();
    const looked = faultOf(depositState(adapter, deal, {signal: looking.signal}));
    looking.abort();
    expect(await looked).to.include({name: 'AbortError'});
  });
});
