import {expect} from '@open-wc/testing';
import type {Account, FundOptions, Wallet} from '../../src/chains/adapter.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {CheckReport} from '../../src/domain/deposit.js';
import {SwapError} from '../../src/domain/error.js';
import {MAIN, sampleDeal, STRANGER, TEST} from '../support/bitcoin-deal.js';
import {OwnProvider, place, Refusal, register, StandardProvider, type Answers} from '../support/bitcoin-providers.js';
import {scriptedFetch} from '../support/fetch.js';
import {errorOf, listen} from '../support/funding.js';

const adapter = createBitcoinAdapter({...TIMEOUTS, read: 100, connect: 100, request: 100});
const ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
const OTHER = 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7';
const ORDINALS = 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c';
const MAIN_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const HASH = '5a'.repeat(32);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';

const account = (address = ADDRESS) => ({
  id: '1',
  addresses: [
    {address: ORDINALS, purpose: 'ordinals', addressType: 'p2tr', publicKey: '', walletType: 'software'},
    {address, purpose: 'payment', addressType: 'p2wpkh', publicKey: '', walletType: 'software'},
  ],
});
const network = (name: string) => ({bitcoin: {name}, stacks: {name: 'testnet'}});

/** A wallet like Xverse. */
const standard = (answers: Answers = {}) =>
  new StandardProvider({
    wallet_connect: account(),
    wallet_getAccount: account(),
    wallet_getNetwork: network('Testnet4'),
    sendTransfer: {txid: HASH},
    ...answers,
  });

/** A wallet like Leather: it throws its rejections, has three methods, and emits no events. */
function leather(answers: Answers = {}): StandardProvider {
  const provider = new StandardProvider({
    getAddresses: (params: unknown) => {
      const {network} = params as {network?: string};
      const address = network === 'testnet4' ? ADDRESS : MAIN_ADDRESS;
      return {
        addresses: [
          {symbol: 'BTC', type: 'p2tr', address: ORDINALS},
          {symbol: 'BTC', type: 'p2wpkh', address},
          {symbol: 'STX', address: 'ST000000000000000000002AMW42H'},
        ],
      };
    },
    sendTransfer: {txid: HASH},
    ...answers,
  });
  provider.throws = true;
  Reflect.defineProperty(provider, 'addListener', {value: undefined});
  return provider;
}

// The first search loads its code, which may take a while.
before(async function () {
  this.timeout(60_000);
  await import('../../src/chains/bitcoin/fund.js');
});

let undo: (() => void)[] = [];
afterEach(() => {
  for (const stop of undo) stop();
  undo = [];
});

/** The wallets that are found within a moment. */
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

  it('keep their name on one short line, and are omitted if they are invalid', async () => {
    for (const [id, provider] of [
      ['NoRequest', {}],
      ['Absent', undefined],
      ['x'.repeat(200), standard()],
      ['', standard()],
    ] as const) {
      put(provider, id);
    }
    put(standard(), 'Good', {name: `\u202eLong\n${'x'.repeat(500)}`, icon: 'https://example.org/pixel.png'});
    const list = (window as unknown as {btc_providers: unknown[]}).btc_providers;
    list.push(null, 'text', {id: 5});
    const wallet = await only();
    expect(wallet.name).to.match(/^Longx+$/);
    expect(wallet.name).to.have.length(40);
    expect(wallet.icon).to.be.undefined;
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

  for (const [what, code, answer] of [
    ['a rejection', 'rejected', new Refusal({code: -32000, message: 'User rejected request to connect'})],
    [
      'a rejection with the code of other wallets',
      'rejected',
      new Refusal({code: 4001, message: 'User rejected the request.'}),
    ],
    ['a locked wallet', 'wallet-locked', new Refusal({code: -32002, message: 'Access denied.'})],
    ['a pending request', 'wallet-unclear', new Refusal({code: -32002, message: 'Request already pending'})],
    ['an error inside the wallet', 'wallet-unclear', new Refusal({code: -32603, message: 'Internal error'})],
    ['no address', 'wallet-unclear', {addresses: []}],
    ['an invalid response', 'wallet-unclear', 'text'],
    ['a missing response', 'wallet-unclear', () => new Promise(() => {})],
  ] as const) {
    for (const throws of [false, true]) {
      it(`report ${what} as ${code}${throws ? ', also if it is thrown' : ''}`, async () => {
        const provider = standard({wallet_connect: answer});
        put(provider);
        const wallet = await only();
        provider.throws = throws;
        expect((await errorOf(wallet.connect())).code).to.equal(code);
      });
    }
  }

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

  it('are no longer awaited once the connection is aborted', async () => {
    put(standard({wallet_connect: () => new Promise(() => {})}));
    const wallet = await only();
    const waiting = new AbortController();
    const connecting = wallet.connect({signal: waiting.signal}).catch((error: unknown) => error);
    const reason = new Error('aborted');
    waiting.abort(reason);
    expect(await connecting).to.equal(reason);
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

describe('funding on Bitcoin', () => {
  /** A wallet, a deal, and what is reported during the payment. */
  async function open(provider: StandardProvider = standard(), id = 'ExampleProvider') {
    put(provider, id);
    return openWallet(await only());
  }

  async function openWallet(wallet: Wallet) {
    const payer = await wallet.connect({chain: TEST});
    const deal = sampleDeal();
    const {updates, plans, onPlan, onWalletRequest} = listen('whole');
    const fund = (more: Partial<FundOptions> = {}, from: Account = payer) =>
      adapter.fund(deal, from, {way: 'transaction', onPlan, onWalletRequest, ...more});
    return {wallet, payer, deal, updates, plans, fund};
  }

  it('sends exactly what was checked, as a number, and returns its hash', async () => {
    const provider = standard();
    const {deal, updates, plans, fund} = await open(provider);
    expect(await fund()).to.deep.equal({how: 'transaction', hash: HASH});
    expect(plans).to.deep.equal([['send']]);
    expect(updates).to.deep.equal(['send asking', `send sent ${HASH}`]);
    expect(provider.payments).to.deep.equal([{recipients: [{address: deal.deposit.address, amount: 50_000}]}]);
  });

  describe('a part that is already paid', () => {
    const real = globalThis.fetch;
    afterEach(() => {
      globalThis.fetch = real;
    });

    /** Opens the wallet with an order of which this much was paid, according to the service and a node, if any. */
    const openPart = async (filled: bigint, ...received: (number | 'silent')[]) => {
      const provider = standard();
      const opened = await open(provider);
      const answers = received.map(amount =>
        amount === 'silent'
          ? amount
          : {
              body: {
                chain_stats: {funded_txo_sum: amount, spent_txo_sum: 0},
                mempool_stats: {funded_txo_sum: 0, spent_txo_sum: 0},
              },
            },
      );
      if (answers.length) {
        globalThis.fetch = scriptedFetch(...answers).fetch;
        Object.assign(opened.deal.agreed.from.chain, {rpc: 'https://node.example/api/'});
      }
      // The published sample is complete, so its secret is known, unlike that of an order that waits for its rest.
      const {source, destination} = opened.deal.order;
      Object.assign(source, {filled, secret: '', ...(filled > 0n && {initiated: {hashes: [HASH]}})});
      Object.assign(destination, {secret: ''});
      const paid = () => provider.payments.map(payment => JSON.stringify(payment).match(/"amount":(\d+)/)?.[1]);
      return {...opened, paid};
    };

    for (const [what, filled, received] of [
      ['the service reports', 49_000n, []],
      ['the service and the chain report', 49_000n, [49_000, 49_000]],
      ['only the chain reports', 0n, [49_000, 49_000]],
      ['the service, but not the node yet, reports', 49_000n, [0, 0]],
    ] as const) {
      it(`is not paid again if ${what} it`, async () => {
        const {fund, paid} = await openPart(filled, ...received);
        await fund();
        expect(paid()).to.deep.equal(['1000']);
      });
    }

    it('does not prompt the wallet if everything is paid', async () => {
      for (const [filled, received, field] of [
        [0n, [50_000], 'paid'],
        [50_000n, [0], undefined],
      ] as const) {
        const {fund, paid} = await openPart(filled, ...received);
        const error = await errorOf(fund());
        expect([error.code, error.field], 'only the chain says that it is paid').to.deep.equal([
          'wallet-unclear',
          field,
        ]);
        expect(paid()).to.deep.equal([]);
      }
    });

    it('does not prompt the wallet if a payment arrived while the page was deciding', async () => {
      const {fund, paid} = await openPart(0n, 0, 49_000);
      expect((await errorOf(fund())).code).to.equal('wallet-unclear');
      expect(paid()).to.deep.equal([]);
    });
  });

  it('sends the amount as text, with the network, to a wallet that requires it', async () => {
    const provider = leather();
    const {deal, fund} = await open(provider, 'LeatherProvider');
    expect(await fund()).to.deep.equal({how: 'transaction', hash: HASH});
    expect(provider.payments).to.deep.equal([
      {recipients: [{address: deal.deposit.address, amount: '50000'}], network: 'testnet4'},
    ]);
  });

  it('supports wallets with their own methods', async () => {
    const provider = new OwnProvider([ADDRESS], 'testnet', () => HASH.toUpperCase());
    undo.push(place('unisat', provider));
    const {deal, fund} = await openWallet(await only());
    expect(await fund()).to.deep.equal({how: 'transaction', hash: HASH});
    expect(provider.asked.at(-1)).to.deep.equal({method: 'sendBitcoin', params: [deal.deposit.address, 50_000]});
  });

  it('also accepts a response in the library’s format', async () => {
    const provider = standard();
    put(provider);
    const {fund} = await openWallet(await only());
    provider.request = () => Promise.resolve({status: 'success', result: {txid: HASH}});
    expect(await fund()).to.deep.equal({how: 'transaction', hash: HASH});
  });

  it('gives the page the exact object that the wallet gets, frozen', async () => {
    const provider = standard();
    const {deal, fund} = await open(provider);
    let shown: unknown;
    let report: CheckReport | undefined;
    await fund({
      beforeSign: (checked, payload) => {
        [report, shown] = [checked, payload];
        expect(provider.payments).to.deep.equal([]);
        expect(() => ((payload as {recipients: {amount: number}[]}).recipients[0] = {amount: 1})).to.throw(TypeError);
        return Promise.resolve();
      },
    });
    expect(provider.payments).to.have.length(1);
    expect(provider.payments[0]).to.equal(shown);
    expect(report?.outcome).to.equal('passed');
    expect(Object.isFrozen(deal.order.source)).to.be.true;
  });

  it('does not prompt if the page blocks the payment, or if it cannot be stored', async () => {
    const provider = standard();
    const {updates, fund} = await open(provider);
    const held = new SwapError('held');
    expect(await errorOf(fund({beforeSign: () => Promise.reject(held)}))).to.equal(held);
    expect(updates).to.deep.equal([]);
    const full = new SwapError('storage');
    expect(await errorOf(fund({onWalletRequest: () => Promise.reject(full)}))).to.equal(full);
    expect(provider.payments).to.deep.equal([]);
  });

  it('does not prompt if a check fails', async () => {
    const provider = standard();
    const {deal, updates, fund} = await open(provider);
    deal.deposit.address = STRANGER;
    const error = await errorOf(fund());
    expect(error).to.include({code: 'deposit-mismatch', field: 'script'});
    expect((error.cause as CheckReport).outcome).to.equal('failed');
    expect(provider.payments).to.deep.equal([]);
    expect(updates).to.deep.equal([]);
  });

  it('does not support signatures', async () => {
    const {fund} = await open();
    expect((await errorOf(fund({way: 'signature'}))).code).to.equal('deposit-mismatch');
  });

  for (const [name, address, code] of [
    ['Testnet', ADDRESS, undefined],
    ['Testnet4', ADDRESS, undefined],
    ['Signet', ADDRESS, undefined],
    ['Mainnet', ADDRESS, 'wrong-network'],
    ['Mainnet', MAIN_ADDRESS, 'wrong-network'],
    [undefined, ADDRESS, undefined],
    [undefined, MAIN_ADDRESS, 'wrong-network'],
  ] as const) {
    it(`${code ? 'stops' : 'continues'} with a wallet on ${name ?? 'a network without a name'} at ${address}`, async () => {
      const provider = standard({
        wallet_connect: account(address),
        wallet_getNetwork: name === undefined ? undefined : network(name),
      });
      const {updates, fund} = await open(provider);
      if (!code) {
        expect(await fund()).to.deep.equal({how: 'transaction', hash: HASH});
        return;
      }
      expect((await errorOf(fund())).code).to.equal(code);
      expect(provider.payments).to.deep.equal([]);
      expect(updates).to.deep.equal([]);
    });
  }

  for (const [name, goes] of [
    ['BITCOIN_TESTNET4', true],
    ['BITCOIN_SIGNET', true],
    ['BITCOIN_MAINNET', false],
    ['FRACTAL_BITCOIN_TESTNET', false],
    ['livenet', false],
  ] as const) {
    it(`${goes ? 'continues' : 'stops'} with a wallet with its own methods on ${name}`, async () => {
      const provider = new OwnProvider([ADDRESS], 'testnet', () => HASH);
      Object.assign(provider, {getChain: () => Promise.resolve({enum: name})});
      undo.push(place('unisat', provider));
      const {fund} = await openWallet(await only());
      if (goes) expect(await fund()).to.deep.equal({how: 'transaction', hash: HASH});
      else expect((await errorOf(fund())).code).to.equal('wrong-network');
    });
  }

  it('pays on mainnet only from a wallet that is on mainnet', async () => {
    const provider = standard({wallet_connect: account(MAIN_ADDRESS), wallet_getNetwork: network('Mainnet')});
    const {deal, fund} = await open(provider);
    // The payment is on testnet, so the check stops it, not the network.
    Object.assign(deal.agreed.from, {chain: MAIN});
    expect((await errorOf(fund())).code).to.equal('deposit-mismatch');
    provider.answers['wallet_getNetwork'] = network('Testnet4');
    expect((await errorOf(fund())).code).to.equal('wrong-network');
  });

  it('checks the network again right before it prompts', async () => {
    const provider = standard();
    const {fund} = await open(provider);
    const beforeSign = () => {
      provider.answers['wallet_getNetwork'] = network('Mainnet');
      return Promise.resolve();
    };
    expect((await errorOf(fund({beforeSign}))).code).to.equal('wrong-network');
    expect(provider.payments).to.deep.equal([]);
  });

  for (const [what, code, state, answer] of [
    ['a rejection', 'rejected', 'refused', new Refusal({code: -32000, message: 'User rejected request'})],
    ['a rejection with another code', 'rejected', 'refused', new Refusal({code: 4001, message: 'User rejected'})],
    ['an unsupported method', 'wallet-failed', 'refused', new Refusal({code: -32001, message: 'Not supported'})],
    [
      'a request with invalid parameters',
      'wallet-failed',
      'refused',
      new Refusal({code: -32602, message: 'Invalid params'}),
    ],
    ['a locked wallet', 'wallet-locked', 'refused', new Refusal({code: -32002, message: 'Access denied'})],
    ['too few coins', 'insufficient-funds', 'refused', new Refusal({code: -32603, message: 'Insufficient funds'})],
    ['an internal error', 'wallet-unclear', undefined, new Refusal({code: -32603, message: 'Internal error'})],
    ['an error without a message', 'wallet-unclear', undefined, new Refusal({})],
    ['a pending request', 'wallet-unclear', undefined, new Refusal({code: -32002, message: 'already pending'})],
    ['no hash', 'wallet-unclear', undefined, {}],
    ['a hash that is too short', 'wallet-unclear', undefined, {txid: '5a'}],
    ['a missing response', 'wallet-unclear', undefined, () => new Promise(() => {})],
  ] as const) {
    for (const throws of [false, true]) {
      it(`reports ${what} as ${code}${throws ? ', also if it is thrown' : ''}`, async () => {
        const provider = standard({sendTransfer: answer});
        const {updates, fund} = await open(provider);
        provider.throws = throws;
        expect((await errorOf(fund())).code).to.equal(code);
        expect(updates).to.deep.equal(state ? ['send asking', `send ${state}`] : ['send asking']);
        expect(provider.payments).to.have.length(1);
      });
    }
  }

  for (const [what, later, end] of [
    ['a hash', {txid: HASH}, [`send sent ${HASH}`]],
    ['a rejection', new Refusal({code: -32000, message: 'User rejected request'}), ['send refused']],
    ['an unclear response', {}, []],
  ] as const) {
    it(`records ${what} that arrives after the timeout`, async () => {
      let answer = () => {};
      const provider = standard({sendTransfer: () => new Promise(resolve => (answer = () => resolve(later)))});
      const {updates, fund} = await open(provider);
      expect((await errorOf(fund())).code).to.equal('wallet-unclear');
      expect(updates).to.deep.equal(['send asking']);
      answer();
      await new Promise(resolve => setTimeout(resolve, 20));
      expect(updates).to.deep.equal(['send asking', ...end]);
    });
  }

  it('records the response even if the widget was removed', async () => {
    const looking = new AbortController();
    const provider = standard({
      sendTransfer: () => {
        looking.abort(new Error('the widget was removed'));
        return {txid: HASH};
      },
    });
    const {updates, fund} = await open(provider);
    expect(await fund({signal: looking.signal})).to.deep.equal({how: 'transaction', hash: HASH});
    expect(updates.at(-1)).to.equal(`send sent ${HASH}`);
  });

  it('reports a wallet that disappeared as missing', async () => {
    const {updates, fund} = await open();
    for (const stop of undo) stop();
    undo = [];
    expect((await errorOf(fund())).code).to.equal('wallet-missing');
    expect(updates).to.deep.equal([]);
  });
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
