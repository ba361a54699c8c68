import {aTimeout, expect} from '@open-wc/testing';
import type {Account, Wallet} from '../../src/chains/adapter.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {PUBLIC, readerOf} from '../../src/chains/evm/rpc.js';
import {bringToChain} from '../../src/chains/evm/wallets.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import type {Chain} from '../../src/domain/asset.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {findWallet} from '../support/evm-account.js';
import {CONTRACT, STRANGER, TOKEN} from '../support/evm-deal.js';
import {announce, LedgerWallet, OWNER, WalletError} from '../support/evm-ledger.js';
import {codeOf, faultOf} from '../support/funding.js';
import {waitUntil} from '../support/limits.js';
import {usdcOn} from '../support/swap.js';
import '../../src/walletconnect.js';

const adapter = createEvmAdapter({...TIMEOUTS, read: 60, connect: 60, poll: 5});
const chain = {name: 'base', family: 'evm', title: 'Base', test: false, chainId: 8453, blockSeconds: 2} as const;

const ledger = () => new LedgerWallet({chainId: 1, token: TOKEN, contract: CONTRACT, balance: 0n});

describe('EVM addresses', () => {
  for (const [why, text] of [
    ['a wrong checksum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['a missing prefix', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a prefix in capitals', '0X52908400098527886E0F7030069857D2E4169EE7'],
    ['the ICAP form', 'XE65GB6LDNXYOFTX0NSV3FUWKOWIXAMJK36'],
    ['one digit too few', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'],
    ['one digit too many', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd'],
    ['a letter that is not hexadecimal', '0x5gaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['space around it', ' 0x52908400098527886E0F7030069857D2E4169EE7'],
    ['a line break after it', '0x52908400098527886E0F7030069857D2E4169EE7\n'],
    ['a Bitcoin address', 'tb1p4pr78swsn60y4ushe05v28mqpqppxxkfkxu2wun5jw6duc8unj3sjrh4gd'],
    ['a name', 'vitalik.eth'],
    ['an empty text', ''],
  ] as const) {
    it(`exclude ${why}`, () => expect(adapter.addresses.isAddress(chain, text)).to.be.false);
  }
});

describe('EVM wallets', () => {
  it('are found without a request', () => {
    const provider = ledger();
    const wallet = findWallet(adapter, provider, {rdns: 'org.example', name: 'Example'});
    expect(wallet).to.include({id: 'org.example', family: 'evm', name: 'Example'});
    expect(wallet.icon).to.match(/^data:image\/svg\+xml,/);
    expect(provider.requests).to.deep.equal([]);
  });

  it('are found whether they announce themselves before or after the search, each once', () => {
    const search = new AbortController();
    const found: string[] = [];
    const stops = [announce(ledger(), {rdns: 'early'})];
    adapter.wallets.discover(({id}) => found.push(id), {signal: search.signal});
    stops.push(announce(ledger(), {rdns: 'late'}));
    window.dispatchEvent(new Event('eip6963:requestProvider'));
    expect(found).to.deep.equal(['early', 'late']);
    search.abort();
    stops.push(announce(ledger(), {rdns: 'too late'}));
    expect(found).to.deep.equal(['early', 'late']);
    for (const stop of stops) stop();
  });

  it('are told apart by the uuid of their announcement, also under one id', () => {
    const search = new AbortController();
    const found: string[] = [];
    adapter.wallets.discover(({id, name}) => found.push(`${id} ${name}`), {signal: search.signal});
    const stops = ['One', 'Two'].map(name => announce(ledger(), {rdns: 'org.example', name}));
    window.dispatchEvent(new Event('eip6963:requestProvider'));
    search.abort();
    for (const stop of stops) stop();
    expect(found).to.deep.equal(['org.example One', 'org.example Two']);
  });

  describe('that do not announce themselves', () => {
    const quick = createEvmAdapter({...TIMEOUTS, announce: 5});
    const page = window as {ethereum?: unknown};
    afterEach(() => delete page.ethereum);
    const search = async (announced = false) => {
      const found: Wallet[] = [];
      const searching = new AbortController();
      quick.wallets.discover(wallet => found.push(wallet), {signal: searching.signal});
      const stop = announced ? announce(ledger(), {name: 'Announced'}) : undefined;
      await aTimeout(20);
      searching.abort();
      stop?.();
      return found;
    };

    it('are the page’s own provider, without a name of their choice', async () => {
      page.ethereum = ledger();
      const [wallet, ...others] = await search();
      expect(wallet).to.include({id: 'injected', name: '', isInjected: true});
      expect(others).to.deep.equal([]);
      expect((await wallet!.connect()).address).to.equal(OWNER);
    });

    it('are not offered beside one that does, nor what is no provider', async () => {
      page.ethereum = ledger();
      expect((await search(true)).map(({name}) => name)).to.deep.equal(['Announced']);
      for (const other of [undefined, null, {}, {request: 'no'}]) {
        page.ethereum = other;
        expect(await search()).to.deep.equal([]);
      }
    });
  });

  it('whose extension was updated or disabled throw whatever they are asked, and are found once they are back', async () => {
    const provider = ledger();
    const account = await findWallet(adapter, provider).connect();
    const watching = new AbortController();
    account.watch(() => expect.fail('nothing changed'), watching.signal);
    const gone = () => {
      throw new Error('Extension context invalidated.');
    };
    Object.assign(provider, {request: gone, removeListener: gone});
    expect(await codeOf(account.wallet.connect())).to.equal('wallet-unclear');
    watching.abort();
    expect((await findWallet(adapter, ledger()).connect()).address).to.equal(OWNER);
  });

  it('are omitted if what announces itself is not a wallet', () => {
    const search = new AbortController();
    const found: Wallet[] = [];
    adapter.wallets.discover(wallet => found.push(wallet), {signal: search.signal});
    for (const detail of [null, undefined, 'text', {}, {info: null, provider: null}, {info: {rdns: 'a'}}]) {
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', {detail}));
    }
    announce(ledger(), {rdns: ''})();
    announce(ledger(), {rdns: 5})();
    announce({request: 'no'}, {rdns: 'org.example'})();
    search.abort();
    expect(found).to.deep.equal([]);
  });

  it('return their current account, with its checksum', async () => {
    const provider = ledger();
    provider.accounts = [OWNER.toLowerCase(), STRANGER];
    const account = await findWallet(adapter, provider).connect();
    expect(account).to.include({family: 'evm', address: OWNER});
    expect(provider.windows).to.deep.equal(['eth_requestAccounts']);
  });

  const token = usdcOn(chain, TOKEN);

  it('are asked to watch a token on its own chain, with one object (EIP-747)', async () => {
    const provider = ledger();
    provider.chains.add(chain.chainId);
    const account = await findWallet(adapter, provider).connect();
    const asked: unknown[] = [];
    provider.instead.set('wallet_watchAsset', params => {
      asked.push(provider.chainId, params);
      return Promise.resolve(true);
    });
    expect(await adapter.wallets.list?.(token, account)).to.equal(true);
    expect(asked).to.deep.equal([
      chain.chainId,
      {type: 'ERC20', options: {address: TOKEN, symbol: 'USDC', decimals: 6}},
    ]);
  });

  for (const [what, code, answer] of [
    ['a rejection', 'rejected', () => Promise.reject(new WalletError(4001, 'User rejected the request.'))],
    ['an unsupported method', 'wallet-failed', () => Promise.reject(new WalletError(4200, 'Unsupported'))],
  ] as const)
    it(`report ${what} as ${code} when asked to watch a token`, async () => {
      const provider = ledger();
      provider.chains.add(chain.chainId);
      const account = await findWallet(adapter, provider).connect();
      provider.instead.set('wallet_watchAsset', answer);
      expect(await codeOf(adapter.wallets.list!(token, account))).to.equal(code);
    });

  it('open no window for a silent connection', async () => {
    const provider = ledger();
    const wallet = findWallet(adapter, provider);
    expect((await wallet.connect({silent: true})).address).to.equal(OWNER);
    provider.accounts = [];
    expect(await codeOf(wallet.connect({silent: true}))).to.equal('wallet-locked');
    expect(provider.windows).to.deep.equal([]);
  });
});

describe('an EVM account', () => {
  let provider: LedgerWallet;
  let updates: (Account | undefined)[];
  let watching: AbortController;

  beforeEach(async () => {
    provider = ledger();
    updates = [];
    watching = new AbortController();
    const account = await findWallet(adapter, provider).connect();
    account.watch(changed => updates.push(changed), watching.signal);
  });

  it('is watched as it changes to another one, and to none', () => {
    provider.emit('accountsChanged', [OWNER]);
    provider.emit('accountsChanged', [STRANGER, OWNER]);
    provider.emit('accountsChanged', []);
    provider.emit('accountsChanged', []);
    expect(updates.map(account => account?.address)).to.deep.equal([STRANGER, undefined]);
  });

  it('is reported again when its wallet moves to another chain', () => {
    provider.emit('chainChanged', '0x1');
    expect(updates.map(account => account?.address)).to.deep.equal([OWNER]);
  });

  it('stays while the wallet only cannot reach a chain', async () => {
    provider.requests.length = 0;
    provider.emit('disconnect', new WalletError(4901, 'disconnected from the chain'));
    await waitUntil(() => provider.requests.length, 'its account was not read');
    await aTimeout(0);
    expect(updates).to.deep.equal([]);
  });

  for (const [what, respond] of [
    ['names no account any more', () => Promise.resolve([])],
    ['has no session any more', () => Promise.reject(new Error('Please call connect() before request()'))],
  ] as const) {
    it(`is gone when its wallet disconnects and ${what}`, async () => {
      provider.request = respond;
      provider.emit('disconnect', new WalletError(4900, 'disconnected'));
      await waitUntil(() => updates.length, 'the account stays');
      provider.emit('chainChanged', '0x1');
      expect(updates).to.deep.equal([undefined]);
    });
  }
});

describe('A page with its own copy of the WalletConnect modal', () => {
  it('does not offer ours, which could not open', () => {
    const names = () => {
      const found: string[] = [];
      const search = new AbortController();
      const elsewhere = {projectId: '0'.repeat(32), chains: []};
      adapter.wallets.discover(({name}) => found.push(name), {signal: search.signal, elsewhere});
      search.abort();
      return found;
    };
    expect(names()).to.include('WalletConnect');
    customElements.define('w3m-modal', class extends HTMLElement {});
    expect(names()).to.not.include('WalletConnect');
  });
});

describe('An EVM wallet that the page passes', () => {
  const walletOf = async (given: unknown) => adapter.wallets.walletOf!(given);

  it('is any provider, and gets no request before it is connected', async () => {
    const provider = ledger();
    const wallet = await walletOf(provider);
    expect(wallet).to.include({family: 'evm', name: ''});
    expect(provider.requests).to.deep.equal([]);
    expect((await wallet.connect()).address).to.equal(OWNER);
  });

  it('has the name and icon under which the same provider announced itself', async () => {
    const provider = ledger();
    const stops = [announce(ledger(), {rdns: 'org.other', name: 'Other'}), announce(provider, {name: 'Example'})];
    expect(await walletOf(provider)).to.include({name: 'Example'});
    expect((await walletOf(provider)).icon).to.match(/^data:image/);
    for (const stop of stops) stop();
  });

  for (const given of [null, 'window.ethereum', {}, {send: () => undefined}]) {
    it(`is rejected if it is ${JSON.stringify(given)}`, async () => {
      expect(await faultOf(walletOf(given))).to.include({code: 'config', field: 'wallets.evm'});
    });
  }
});

describe('An EVM wallet that is asked to switch its chain', () => {
  const timeouts = {...TIMEOUTS, read: 60, connect: 60, poll: 5};
  const bring = (wallet: LedgerWallet) =>
    bringToChain(wallet, chain, {timeouts, signal: undefined, onMove: () => undefined});
  const switched = 'wallet_switchEthereumChain';
  const asked = (wallet: LedgerWallet) =>
    wallet.requests.map(({method}) => method).filter(method => method.startsWith('wallet_'));

  it('is looked at again while it answered but still names its last chain', async () => {
    const wallet = ledger();
    let reads = 0;
    wallet.instead.set(switched, () => null);
    wallet.instead.set('eth_chainId', () => (++reads < 8 ? '0x1' : '0x2105'));
    expect(await bring(wallet)).to.be.true;
    expect(asked(wallet)).to.deep.equal([switched]);
  });

  it('gets the chain described if it answered without a switch, and is asked once more if it only added it', async () => {
    const wallet = ledger();
    wallet.instead.set(switched, () => {
      wallet.instead.delete(switched);
      return null;
    });
    expect(await bring(wallet)).to.be.true;
    expect(asked(wallet)).to.deep.equal([switched, 'wallet_addEthereumChain', switched]);
  });

  it('is on the wrong chain if it never arrives, or its chain cannot be read', async () => {
    for (const named of ['0x1', undefined]) {
      const wallet = ledger();
      let reads = 0;
      for (const method of [switched, 'wallet_addEthereumChain']) wallet.instead.set(method, () => null);
      wallet.instead.set('eth_chainId', () => (reads++ === 0 ? '0x1' : named));
      expect(await codeOf(bring(wallet))).to.equal('wrong-network');
    }
  });
});

describe('A chain that an EVM wallet does not know', () => {
  async function added(change: Partial<Chain>): Promise<unknown> {
    const wallet = ledger();
    wallet.chainId = 7;
    wallet.chains.clear();
    const meant = {...chain, ...change};
    const timeouts = {...TIMEOUTS, read: 60, connect: 60, poll: 5};
    await bringToChain(wallet, meant, {timeouts, signal: undefined, onMove: () => undefined});
    expect(wallet.chainId).to.equal(meant.chainId);
    return wallet.requests.find(({method}) => method === 'wallet_addEthereumChain')?.params[0];
  }
  const coin = (name: string, symbol: string, decimals = 18) => ({name, symbol, decimals});
  const own = coin('Own', 'OWN', 9);
  const OWN = {chainId: 5_550_001, title: 'Own', coin: own, rpc: 'https://rpc.example'};

  for (const [what, change, coins, rpc, explorer] of [
    [
      'its coin, RPC and explorer if it is widely known',
      {chainId: 80094},
      coin('BERA Token', 'BERA'),
      'https://rpc.berachain.com',
      'https://berascan.com',
    ],
    [
      'no third party’s RPC',
      {chainId: 56, explorer: 'https://scan.example'},
      coin('BNB', 'BNB'),
      '',
      'https://scan.example',
    ],
    ['only the partner’s settings if these name an RPC', {...OWN, chainId: 80094}, own, OWN.rpc],
    [
      'its explorer’s base URL',
      {...OWN, explorer: 'https://scan.example/own/tx/{tx}?lang=en'},
      own,
      OWN.rpc,
      'https://scan.example/own',
    ],
    [
      'its explorer’s origin if the transaction is in the query',
      {...OWN, explorer: 'https://scan.example/show?hash={tx}'},
      own,
      OWN.rpc,
      'https://scan.example',
    ],
    ['Ether by default', {chainId: 5_550_001}, coin('Ether', 'ETH')],
  ] as const) {
    it(`is added with ${what}`, async () => {
      const meant = {title: 'Named', ...change};
      expect(await added(meant)).to.deep.equal({
        chainId: `0x${meant.chainId.toString(16)}`,
        chainName: meant.title,
        nativeCurrency: coins,
        ...(rpc && {rpcUrls: [rpc]}),
        ...(explorer && {blockExplorerUrls: [explorer]}),
      });
    });
  }

  it('is not read via the RPC URL that the wallet gets', async () => {
    const asked: string[] = [];
    const {fetch} = window;
    window.fetch = input => {
      asked.push(String(input));
      return Promise.reject(new TypeError('Failed to fetch'));
    };
    try {
      expect(await readerOf({...chain, chainId: 80094}, undefined, TIMEOUTS)).to.be.undefined;
      await added({chainId: 80094});
    } finally {
      window.fetch = fetch;
    }
    expect(asked).to.deep.equal([]);
  });

  it('has all that a wallet needs to add it, if it is in the catalogue, also with a node of the page’s', async () => {
    const known = ALL_KNOWN.chains.filter(({family}) => family === 'evm');
    for (const chain of known) {
      expect(PUBLIC).to.have.property(String(chain.chainId));
      for (const rpc of [undefined, 'https://rpc.example']) {
        const told = (await added({...chain, ...(rpc && {rpc})})) as {
          nativeCurrency: object;
          blockExplorerUrls: string[];
        };
        expect(told.nativeCurrency, chain.name).to.include({decimals: 18});
        expect(told.blockExplorerUrls?.[0], chain.name).to.match(/^https:\/\/[^{}]+$/);
      }
    }
  });
});
