import {expect} from '@open-wc/testing';
import type {FundOptions, Wallet} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {MAIN, sampleDeal, TEST} from '../support/bitcoin-deal.js';
import {
  account,
  ADDRESS,
  HASH,
  leather,
  MAIN_ADDRESS,
  OTHER,
  OwnProvider,
  place,
  Refusal,
  register,
  standard,
} from '../support/bitcoin-providers.js';
import {errorOf} from '../support/funding.js';

const adapter = createBitcoinAdapter({...TIMEOUTS, read: 100, connect: 100, request: 100});
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';

// The first search loads its code, in no test's time.
before(async () => {
  await import('../../src/chains/bitcoin/fund.js');
});

let undo: (() => void)[] = [];
afterEach(() => {
  for (const stop of undo) stop();
  undo = [];
});

async function find(): Promise<Wallet[]> {
  const search = new AbortController();
  const found: Wallet[] = [];
  adapter.wallets.discover(wallet => found.push(wallet), {signal: search.signal});
  for (let round = 0; round < 10 && !found.length; round++) await new Promise(resolve => setTimeout(resolve, 20));
  search.abort();
  return found;
}

async function only(): Promise<Wallet> {
  const [wallet, ...more] = await find();
  if (!wallet || more.length) throw new Error(`${String(more.length + (wallet ? 1 : 0))} wallets were found`);
  return wallet;
}

function put(provider: unknown, id = 'ExampleProvider', info?: Readonly<Record<string, unknown>>): void {
  undo.push(register(id, provider, info));
}

describe('Bitcoin wallets', () => {
  it('are found as they registered, without a request', async () => {
    const provider = standard();
    put(provider, 'ExampleProvider', {name: 'Example', icon: 'data:image/svg+xml,<svg/>'});
    const wallet = await only();
    expect(wallet).to.include({
      id: 'ExampleProvider',
      family: 'bitcoin',
      name: 'Example',
      icon: 'data:image/svg+xml,<svg/>',
    });
    expect(provider.asked).to.deep.equal([]);
  });

  it('have an icon that browsers show, even if its media type is incomplete (Leather)', async () => {
    put(leather(), 'LeatherProvider', {name: 'Leather', icon: `data:image/svg;base64,${btoa(SVG)}`});
    const {icon = ''} = await only();
    const picture = new Image();
    picture.src = icon;
    await picture.decode();
    expect(picture.naturalWidth).to.equal(8);
  });

  it('are found once each if they are known but did not register', async () => {
    put(standard(), 'XverseProviders.BitcoinProvider', {name: 'Xverse Wallet'});
    undo.push(place('unisat', new OwnProvider([ADDRESS], 'testnet', () => HASH)));
    undo.push(place('okxwallet.bitcoin', new OwnProvider([MAIN_ADDRESS], 'livenet', () => HASH)));
    const found = await find();
    expect(found.map(({id, name}) => `${id} ${name}`)).to.deep.equal([
      'XverseProviders.BitcoinProvider Xverse Wallet',
      'unisat Unisat',
      'okxwallet.bitcoin OKX',
    ]);
    expect(found[1]?.icon).to.match(/^data:image\/svg\+xml;base64,/);
  });

  it('are found if they appear after the search started, but not after it ended', async () => {
    const search = new AbortController();
    const found: string[] = [];
    adapter.wallets.discover(({id}) => found.push(id), {signal: search.signal});
    await new Promise(resolve => setTimeout(resolve, 50));
    put(standard(), 'LateProvider');
    await new Promise(resolve => setTimeout(resolve, 700));
    expect(found).to.deep.equal(['LateProvider']);
    search.abort();
    put(standard(), 'TooLateProvider');
    await new Promise(resolve => setTimeout(resolve, 700));
    expect(found).to.deep.equal(['LateProvider']);
  });

  it('are omitted if they are invalid', async () => {
    for (const [id, provider] of [
      ['NoRequest', {}],
      ['Absent', undefined],
      ['x'.repeat(200), standard()],
      ['', standard()],
    ] as const) {
      put(provider, id);
    }
    put(standard(), 'Good');
    const list = (window as unknown as {btc_providers: unknown[]}).btc_providers;
    list.push(null, 'text', {id: 5});
    expect((await only()).id).to.equal('Good');
    list.length = 0;
  });

  it('leave nothing on the page but the registration list', async () => {
    await find();
    expect(window).not.to.have.any.keys('Buffer', 'process', 'global', 'axios');
    expect(document.body.querySelector('[id*="wallet"], [class*="sats"]')).to.equal(null);
  });

  for (const [what, answers] of [
    ['the newest method', {}],
    ['an older method', {wallet_connect: undefined, getAccounts: account().addresses}],
    ['the oldest method', {wallet_connect: undefined, getAddresses: account()}],
    ['addresses without a purpose', {wallet_connect: {addresses: [{address: 'none'}, {address: ADDRESS}]}}],
  ] as const) {
    it(`return the address that they pay from, with ${what}`, async () => {
      put(standard(answers));
      expect(await (await only()).connect()).to.include({family: 'bitcoin', address: ADDRESS});
    });
  }

  it('get only the requests that are needed', async () => {
    const provider = standard({getInfo: () => new Promise(() => {})});
    put(provider);
    await (await only()).connect();
    expect(provider.asked.map(({method}) => method)).to.deep.equal(['wallet_connect']);
  });

  for (const [what, chain, network, address] of [
    ['testnet', TEST, 'testnet4', ADDRESS],
    ['mainnet', MAIN, 'mainnet', MAIN_ADDRESS],
    ['no network', undefined, undefined, MAIN_ADDRESS],
  ] as const) {
    it(`that throw on unknown methods and start on mainnet return their address for ${what} (Leather)`, async () => {
      const provider = leather();
      put(provider, 'LeatherProvider');
      const wallet = await only();
      expect((await wallet.connect(chain ? {chain} : {})).address).to.equal(address);
      expect(provider.asked.at(-1)?.params).to.deep.equal({purposes: ['payment'], ...(network && {network})});
    });
  }

  it('that emit no events return another account on the next request (Leather)', async () => {
    const provider = leather();
    put(provider, 'LeatherProvider');
    const wallet = await only();
    const updates: unknown[] = [];
    const watching = new AbortController();
    const first = await wallet.connect({chain: TEST});
    first.watch(changed => updates.push(changed?.address), watching.signal);
    provider.answers['getAddresses'] = {addresses: [{symbol: 'BTC', type: 'p2wpkh', address: OTHER}]};
    const second = await wallet.connect({chain: TEST});
    watching.abort();
    expect([first.address, second.address, updates]).to.deep.equal([ADDRESS, OTHER, []]);
  });

  it('open no window for a silent connection', async () => {
    const provider = standard();
    put(provider);
    const wallet = await only();
    expect((await wallet.connect({silent: true})).address).to.equal(ADDRESS);
    provider.answers['wallet_getAccount'] = new Refusal({code: -32002, message: 'Access denied'});
    expect((await errorOf(wallet.connect({silent: true}))).code).to.equal('wallet-locked');
    expect(provider.asked.map(({method}) => method)).to.deep.equal(['wallet_getAccount', 'wallet_getAccount']);
  });

  it('report a rejection, also if it is thrown', async () => {
    const provider = standard({
      wallet_connect: new Refusal({code: -32000, message: 'User rejected request to connect'}),
    });
    put(provider);
    const wallet = await only();
    for (const throws of [false, true]) {
      provider.throws = throws;
      expect((await errorOf(wallet.connect())).code).to.equal('rejected');
    }
  });

  it('that disappeared are reported as missing', async () => {
    put(standard());
    const wallet = await only();
    for (const stop of undo) stop();
    undo = [];
    expect((await errorOf(wallet.connect())).code).to.equal('wallet-missing');
  });

  it('are each addressed by name if there are two', async () => {
    const [one, other] = [standard(), standard({wallet_connect: account(OTHER), wallet_getAccount: account(OTHER)})];
    put(one, 'One');
    put(other, 'Other');
    const [first, second] = await find();
    expect((await second?.connect())?.address).to.equal(OTHER);
    expect(one.asked).to.deep.equal([]);
    expect((await first?.connect())?.address).to.equal(ADDRESS);
  });
});

describe('a Bitcoin account', () => {
  const turn = () => new Promise(resolve => setTimeout(resolve, 20));

  it('is watched as it changes to another one, and to none, until the watch ends', async () => {
    const provider = standard();
    put(provider);
    const updates: (string | undefined)[] = [];
    const watching = new AbortController();
    (await (await only()).connect()).watch(changed => updates.push(changed?.address), watching.signal);
    provider.emit('accountChange');
    await turn();
    provider.answers['wallet_getAccount'] = account(OTHER);
    provider.emit('accountChange');
    await turn();
    provider.answers['wallet_getAccount'] = new Refusal({code: -32002, message: 'Access denied'});
    provider.emit('disconnect');
    await turn();
    expect(updates).to.deep.equal([OTHER, undefined]);
    watching.abort();
    expect(provider.listeners.size).to.equal(0);
  });

  it('is watched in wallets with their own methods', async () => {
    const provider = new OwnProvider([ADDRESS], 'testnet', () => HASH);
    undo.push(place('unisat', provider));
    const updates: (string | undefined)[] = [];
    const watching = new AbortController();
    (await (await only()).connect()).watch(changed => updates.push(changed?.address), watching.signal);
    provider.accounts = [OTHER];
    provider.emit('accountsChanged');
    await turn();
    provider.accounts = [];
    provider.emit('networkChanged');
    await turn();
    expect(updates).to.deep.equal([OTHER, undefined]);
    watching.abort();
    expect([...provider.listeners.values()].map(({size}) => size)).to.deep.equal([0, 0, 0]);
  });

  for (const [what, addListener] of [
    ['without events', undefined],
    [
      'that throws if events are requested',
      () => {
        throw new Error('Method not supported');
      },
    ],
  ] as const) {
    it(`of a wallet ${what} is not watched`, async () => {
      const provider = standard();
      Reflect.defineProperty(provider, 'addListener', {value: addListener});
      put(provider);
      const watching = new AbortController();
      const connected = await (await only()).connect();
      connected.watch(() => expect.fail('nothing changed'), watching.signal);
      watching.abort();
    });
  }
});

describe('A Bitcoin wallet that the page passes', () => {
  const walletOf = async (given: unknown) => adapter.wallets.walletOf!(given);

  it('is an unregistered provider that responds with JSON-RPC', async () => {
    const provider = standard();
    const wallet = await walletOf(provider);
    expect(wallet).to.include({family: 'bitcoin', name: ''});
    expect(provider.asked).to.deep.equal([]);
    const {address} = await wallet.connect();
    expect(address).to.equal(ADDRESS);
    provider.answers['wallet_connect'] = new Refusal({code: -32000, message: 'User rejected'});
    expect((await errorOf(wallet.connect())).code).to.equal('rejected');
  });

  it('is what sats-connect exports, which responds in its own format', async () => {
    const given = {request: () => Promise.resolve({status: 'success', result: account()})};
    expect((await (await walletOf(given)).connect()).address).to.equal(ADDRESS);
    const refusing = {request: () => Promise.resolve({status: 'error', error: {code: -32000, message: 'no'}})};
    expect((await errorOf((await walletOf(refusing)).connect())).code).to.equal('rejected');
  });

  it('pays, and supports wallets with their own methods', async () => {
    const own = new OwnProvider([ADDRESS], 'testnet', () => HASH);
    const paying = await (await walletOf(own)).connect();
    const options: FundOptions = {way: 'transaction', onWalletRequest: () => Promise.resolve()};
    expect(await adapter.fund(sampleDeal(), paying, options)).to.deep.equal({how: 'transaction', hash: HASH});
    const provider = standard();
    await adapter.fund(sampleDeal(), await (await walletOf(provider)).connect(), options);
    expect(provider.payments).to.have.length(1);
  });

  it('is recognized by name if it is on the page, and called with its own methods', async () => {
    const provider = leather();
    put(provider, 'LeatherProvider', {name: 'Leather'});
    const wallet = await walletOf(provider);
    expect(wallet).to.include({id: 'LeatherProvider', name: 'Leather'});
    expect((await wallet.connect({chain: TEST})).address).to.equal(ADDRESS);
  });

  for (const given of [null, 'xverse', {}, {connect: () => undefined}]) {
    it(`is rejected if it is ${JSON.stringify(given)}`, async () => {
      expect(await errorOf(walletOf(given))).to.include({code: 'config', field: 'wallets.bitcoin'});
    });
  }
});
