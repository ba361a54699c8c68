import {expect} from '@open-wc/testing';
import {registerWallet as registerByTheStandard} from '@wallet-standard/wallet';
import {registerWallet} from '../../demo/wallets/solana.js';
import type {Account, Wallet} from '../../src/chains/adapter.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {walletChainOf, walletFrom} from '../../src/chains/solana/wallets.js';
import {SwapError} from '../../src/domain/error.js';
import {codeOf} from '../support/funding.js';
import {WalletReadyState} from '@solana/wallet-adapter-base';
import {KeyAdapter} from '../support/solana-adapter.js';
import {KEY, LedgerWallet, OTHER_KEY, OWNER, PROGRAM, SolanaLedger, STRANGER} from '../support/solana-ledger.js';

const PATIENCE_OF_TESTS = {...TIMEOUTS, read: 60, connect: 60, poll: 5};
const adapter = createSolanaAdapter(PATIENCE_OF_TESTS);
const chain = {name: 'solana', family: 'solana', title: 'Solana', test: false, blockSeconds: 0.4} as const;

const ledgerWallet = (settings?: ConstructorParameters<typeof LedgerWallet>[1]) =>
  new LedgerWallet(new SolanaLedger(), settings);

/** A wallet registered with the standard's own helper cannot be unregistered. */
const FOREVER = 'forever';

function find(...wallets: LedgerWallet[]): Wallet[] {
  const search = new AbortController();
  const found: Wallet[] = [];
  const stops = wallets.map(({standard}) => registerWallet(standard));
  adapter.wallets.discover(wallet => found.push(wallet), {signal: search.signal});
  search.abort();
  for (const stop of stops) stop();
  return found.filter(({name}) => name !== FOREVER);
}

describe('Solana addresses', () => {
  for (const [what, text] of [
    ['the address of a key', OWNER],
    ['the address of a program', PROGRAM],
    ['a program-derived address, off the curve', 'D3w1CxCk4dDEasnfjMbqSUKcNVGFfQeAtfh7XE69CFau'],
  ] as const) {
    it(`include ${what}`, () => expect(adapter.addresses.isAddress(chain, text)).to.be.true);
  }

  for (const [why, text] of [
    ['the system program', '1'.repeat(32)],
    ['an address of 31 bytes', '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'.slice(1)],
    ['one letter too many', `${OWNER}1`],
    ['a letter that is not base58', `0${OWNER.slice(1)}`],
    ['space around it', ` ${OWNER}`],
    ['an EVM address', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['a transaction hash', '2'.repeat(88)],
    ['a name', 'somebody.sol'],
    ['an empty text', ''],
  ] as const) {
    it(`exclude ${why}`, () => expect(adapter.addresses.isAddress(chain, text)).to.be.false);
  }

  it('compare equal only letter by letter, including case', () => {
    expect(adapter.addresses.isSameAddress(OWNER, OWNER)).to.be.true;
    expect(adapter.addresses.isSameAddress(OWNER, OWNER.toLowerCase())).to.be.false;
  });
});

describe('Solana’s clusters', () => {
  for (const [name, test, cluster] of [
    ['solana', false, 'solana:mainnet'],
    ['solana_testnet', true, 'solana:devnet'],
    ['solana_localnet', true, 'solana:localnet'],
    ['my_solana', true, 'solana:devnet'],
    ['my_solana', false, 'solana:mainnet'],
  ] as const) {
    it(`name ${name}, a ${test ? 'testnet' : 'mainnet'}, ${cluster} for wallets`, () => {
      expect(walletChainOf({name, test})).to.equal(cluster);
    });
  }
});

describe('Solana wallets', () => {
  it('are found without a request', () => {
    const wallet = ledgerWallet({name: 'Example'});
    const [found] = find(wallet);
    expect(found).to.include({id: 'Example', family: 'solana', name: 'Example'});
    expect(found?.icon).to.match(/^data:image\/svg\+xml;base64,/);
    expect(wallet.asked).to.deep.equal([]);
  });

  it('are found whether they register before or after the search, each once, by the standard’s own helper too', () => {
    const search = new AbortController();
    const found: string[] = [];
    const stop = registerWallet(ledgerWallet({name: 'early'}).standard);
    adapter.wallets.discover(({id}) => found.push(id), {signal: search.signal});
    const late = ledgerWallet({name: FOREVER});
    registerByTheStandard(late.standard);
    registerByTheStandard(late.standard);
    const double = registerWallet(ledgerWallet({name: FOREVER}).standard);
    expect(found).to.deep.equal(['early', FOREVER]);
    search.abort();
    const tooLate = registerWallet(ledgerWallet({name: 'too late'}).standard);
    expect(found).to.deep.equal(['early', FOREVER]);
    for (const leave of [stop, double, tooLate]) leave();
  });

  it('are found again when they come back', () => {
    const search = new AbortController();
    const found: string[] = [];
    adapter.wallets.discover(({id}) => found.push(id), {signal: search.signal});
    const {standard} = ledgerWallet({name: 'back again'});
    registerWallet(standard)();
    registerWallet(standard)();
    search.abort();
    expect(found.filter(id => id === 'back again')).to.have.length(2);
  });

  for (const [why, settings] of [
    ['are for another family', {more: {chains: ['bitcoin:mainnet']}}],
    ['do not sign transactions', {can: []}],
    ['do not connect', {more: {features: {}}}],
    ['have no name', {name: ' \n'}],
    ['are not wallets', {more: {chains: 5, features: null}}],
  ] as const) {
    it(`are omitted if they ${why}`, () => {
      expect(find(ledgerWallet(settings))).to.deep.equal([]);
    });
  }

  it('return their current account', async () => {
    const wallet = ledgerWallet({keys: [KEY, OTHER_KEY]});
    const account = await walletFrom(wallet.standard).connect();
    expect(account).to.include({family: 'solana', address: OWNER});
    expect(wallet.kinds).to.deep.equal(['connect']);
  });

  it('open no window for a silent connection', async () => {
    const wallet = ledgerWallet();
    const found = walletFrom(wallet.standard);
    expect(await codeOf(found.connect({silent: true}))).to.equal('wallet-locked');
    wallet.keys = [KEY];
    expect((await found.connect({silent: true})).address).to.equal(OWNER);
    expect(wallet.asked.every(({silent}) => silent)).to.be.true;
  });

  it('are rejected if they cannot pay', () => {
    expect(() => walletFrom(ledgerWallet({can: []}).standard)).to.throw(SwapError, 'config: wallets.solana');
  });
});

describe('a Solana account', () => {
  let wallet: LedgerWallet;
  let account: Account;
  let seen: (string | undefined)[];
  let watch: AbortController;

  beforeEach(async () => {
    wallet = ledgerWallet();
    account = await walletFrom(wallet.standard).connect();
    seen = [];
    watch = new AbortController();
    account.watch(changed => seen.push(changed?.address), watch.signal);
  });

  it('is watched as it changes to another one, and to none', () => {
    wallet.use(KEY);
    wallet.use(OTHER_KEY, KEY);
    wallet.use();
    wallet.use();
    wallet.use(KEY);
    expect(seen).to.deep.equal([STRANGER, undefined, OWNER]);
  });
});

describe('a wallet from wallet-adapter', () => {
  it('connects, returns its account, and watches it', async () => {
    const key = new KeyAdapter();
    const wallet = walletFrom(key);
    expect(wallet).to.include({id: 'Key', family: 'solana', name: 'Key', icon: 'data:image/png;base64,AA=='});
    expect(await codeOf(wallet.connect({silent: true}))).to.equal('wallet-locked');
    const account = await wallet.connect();
    expect(account.address).to.equal(OWNER);
    expect((await wallet.connect({silent: true})).address).to.equal(OWNER);
    const seen: unknown[] = [];
    const watch = new AbortController();
    account.watch(changed => seen.push(changed), watch.signal);
    await key.disconnect();
    watch.abort();
    await key.connect();
    expect(seen).to.deep.equal([undefined]);
  });

  it('is not called if its wallet is not installed, which would navigate away', async () => {
    for (const state of [WalletReadyState.NotDetected, WalletReadyState.Unsupported]) {
      const key = new KeyAdapter();
      key.readyState = state;
      key.connect = () => Promise.reject(new Error('It leads the page away.'));
      expect(await codeOf(walletFrom(key).connect()), state).to.equal('wallet-missing');
    }
    const loadable = new KeyAdapter();
    loadable.readyState = WalletReadyState.Loadable;
    expect((await walletFrom(loadable).connect()).address).to.equal(OWNER);
  });

  it('is replaced by its Wallet Standard wallet, if it wraps one', () => {
    const {standard} = ledgerWallet({name: 'Standard'});
    const stands = Object.assign(new KeyAdapter(), {standard: true, wallet: standard});
    expect(walletFrom(stands).name).to.equal('Standard');
  });

  it('is rejected if it cannot sign versioned transactions', () => {
    const old = new KeyAdapter();
    old.supportedTransactionVersions = null;
    expect(() => walletFrom(old)).to.throw(SwapError, 'config: wallets.solana');
    const sender = Object.assign(Object.create(null) as KeyAdapter, {name: 'Sender', icon: ''});
    expect(() => walletFrom(sender)).to.throw(SwapError, 'config: wallets.solana');
  });
});

describe('A Solana wallet that the page passes', () => {
  const walletOf = async (given: unknown) => adapter.wallets.walletOf!(given);

  it('is a Wallet Standard wallet, or an adapter', async () => {
    const {standard} = ledgerWallet({name: 'Standard'});
    expect(await walletOf(standard)).to.include({id: 'Standard', family: 'solana'});
    expect(await walletOf(new KeyAdapter())).to.include({id: 'Key', family: 'solana'});
  });

  for (const given of [null, 'phantom', {}, {features: {}}, {name: 'Half', signTransaction: () => undefined}]) {
    it(`is rejected if it is ${JSON.stringify(given)}`, async () => {
      const error: unknown = await walletOf(given).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(SwapError).and.include({code: 'config', field: 'wallets.solana'});
    });
  }
});
