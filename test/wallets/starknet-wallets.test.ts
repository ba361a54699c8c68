import {expect} from '@open-wc/testing';
import type {Account, Wallet} from '../../src/chains/adapter.js';
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import {SwapError} from '../../src/domain/error.js';
import {codeOf} from '../support/funding.js';
import {holds} from '../support/limits.js';
import {CONTRACT, findWallet, findWallets, TOKEN} from '../support/starknet-deal.js';
import {inject, OWNER, register, StarknetLedger, STRANGER} from '../support/starknet-ledger.js';

const adapter = createStarknetAdapter({...TIMEOUTS, read: 60, connect: 60, poll: 5});
const chain = {name: 'starknet', family: 'starknet', title: 'Starknet', test: false, blockSeconds: 30} as const;
const ledger = () => new StarknetLedger({token: TOKEN, contract: CONTRACT, balance: 0n});

let names = 0;
const freshName = () => `Standard ${String(++names)}`;

function findStandard(name: string): Wallet {
  const wallet = findWallets(adapter, () => () => undefined).find(one => one.name === name);
  if (!wallet) throw new Error(`no ${name}`);
  return wallet;
}

describe('Starknet addresses', () => {
  for (const [why, text] of [
    ['the zero address', '0x0'],
    ['a number above the largest address', `0x${(2n ** 251n - 256n).toString(16).padStart(64, '0')}`],
    ['one digit too many', `0x0${OWNER.slice(2)}`],
    ['an Ethereum address', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['a missing prefix', OWNER.slice(2)],
    ['a prefix in capitals', OWNER.replace('0x', '0X')],
    ['a letter that is not hexadecimal', OWNER.replace('d933', 'g933')],
    ['space around it', ` ${OWNER}`],
    ['a line break after it', `${OWNER}\n`],
    ['a decimal number', String(BigInt(OWNER))],
    ['a Bitcoin address', 'tb1p4pr78swsn60y4ushe05v28mqpqppxxkfkxu2wun5jw6duc8unj3sjrh4gd'],
    ['a name', 'somebody.stark'],
    ['an empty text', ''],
  ] as const) {
    it(`exclude ${why}`, () => expect(adapter.addresses.isAddress(chain, text)).to.be.false);
  }

  it('compare equal with and without leading zeros, in any letter case', () => {
    expect(adapter.addresses.isSameAddress(OWNER, OWNER.replace('0x00', '0x'))).to.be.true;
    expect(adapter.addresses.isSameAddress(OWNER, `0x${OWNER.slice(2).toUpperCase()}`)).to.be.true;
    expect(adapter.addresses.isSameAddress(OWNER, STRANGER)).to.be.false;
    expect(adapter.addresses.isSameAddress('nobody', 'nobody else')).to.be.false;
  });
});

describe('Starknet wallets', () => {
  it('that inject an object into the page are found without a request', () => {
    const object = ledger();
    const wallet = findWallet(adapter, object, {id: 'argentX', name: 'Ready'});
    expect(wallet).to.include({id: 'argentX', family: 'starknet', name: 'Ready'});
    expect(wallet.icon).to.match(/^data:image\/svg\+xml,/);
    expect(object.requests).to.deep.equal([]);
    expect(object.listening).to.equal(0);
  });

  it('that register by the Wallet Standard are found without a request', () => {
    const object = ledger();
    const name = freshName();
    register(object, name);
    expect(findStandard(name)).to.include({id: name, family: 'starknet', name});
    expect(object.requests).to.deep.equal([]);
    expect(object.listening).to.equal(0);
  });

  it('are found however late they appear, each once, until the search ends', async () => {
    const search = new AbortController();
    const found: string[] = [];
    const gone = [inject(ledger(), {id: 'early', name: 'Early'})];
    adapter.wallets.discover(({id}) => found.push(id), {signal: search.signal});
    gone.push(inject(ledger(), {id: 'late', name: 'Late'}));
    const standard = freshName();
    register(ledger(), standard);
    await holds(() => found.includes('late'), 1_000);
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(found.filter(id => ['early', 'late', standard].includes(id))).to.deep.equal(['early', standard, 'late']);
    search.abort();
    gone.push(inject(ledger(), {id: 'too late', name: 'Too late'}));
    register(ledger(), freshName());
    const before = found.length;
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(found).to.have.length(before);
    for (const disappear of gone) disappear();
  });

  it('are found once if the same object has two names', () => {
    const object = ledger();
    const found = findWallets(adapter, () => {
      const gone = [inject(object, {id: 'argentX', name: 'Ready'})];
      Object.assign(globalThis, {starknet: (globalThis as Record<string, unknown>)['starknet_argentX']});
      gone.push(() => Reflect.deleteProperty(globalThis, 'starknet'));
      return () => gone.forEach(disappear => disappear());
    });
    expect(found.filter(({id}) => id === 'argentX')).to.have.length(1);
  });

  it('that do both are used through the standard, under the injected id', async () => {
    const [injected, standard] = [ledger(), ledger()];
    const name = freshName();
    const search = new AbortController();
    const found: Wallet[] = [];
    const disappear = inject(injected, {id: 'both', name});
    adapter.wallets.discover(wallet => found.push(wallet), {signal: search.signal});
    register(standard, name);
    await new Promise(resolve => setTimeout(resolve, 20));
    disappear();
    search.abort();
    const updates = found.filter(wallet => wallet.name === name);
    expect(updates.map(({id}) => id)).to.deep.equal(['both', 'both']);
    await updates.at(-1)!.connect();
    expect(injected.requests).to.deep.equal([]);
    expect(standard.windows).to.deep.equal(['wallet_requestAccounts']);
  });

  it('that share a name are not merged', () => {
    const found = findWallets(adapter, () => {
      const gone = ['first', 'second'].map(id => inject(ledger(), {id, name: 'Namesake'}));
      return () => gone.forEach(disappear => disappear());
    });
    expect(found.filter(({name}) => name === 'Namesake').map(({id}) => id)).to.deep.equal(['first', 'second']);
  });

  it('stay distinct', async () => {
    const [one, other] = [ledger(), ledger()];
    other.accounts = [STRANGER];
    const found = findWallets(adapter, () => {
      const gone = [inject(one, {id: 'one', name: 'One'}), inject(other, {id: 'other', name: 'Other'})];
      return () => gone.forEach(disappear => disappear());
    });
    const addresses = await Promise.all(
      ['one', 'other'].map(async id => (await found.find(wallet => wallet.id === id)!.connect()).address),
    );
    expect(addresses).to.deep.equal([OWNER, STRANGER]);
  });

  it('have an icon for each theme, of which the light one is shown', () => {
    const themed = findWallet(adapter, ledger(), {icon: {light: 'data:image/png;base64,AA', dark: 'javascript:1'}});
    expect(themed.icon).to.equal('data:image/png;base64,AA');
  });

  it('are omitted if the value of such a name is not a wallet', () => {
    const names = ['starknet_', 'starknet_text', 'starknet_null', 'starknet_empty', 'starknet_half', 'starknet_trap'];
    const found = findWallets(adapter, () => {
      Object.assign(globalThis, {
        starknet_: undefined,
        starknet_text: 'text',
        starknet_null: null,
        starknet_empty: {},
        starknet_half: {id: 'half', name: 'Half', request: () => undefined},
      });
      Object.defineProperty(globalThis, 'starknet_trap', {
        configurable: true,
        get: () => {
          throw new Error('not for you');
        },
      });
      const gone = [inject(ledger(), {id: ''}), inject(ledger(), {id: 5}), inject(ledger(), {id: 'x'.repeat(200)})];
      return () => {
        gone.forEach(disappear => disappear());
        for (const name of names) Reflect.deleteProperty(globalThis, name);
      };
    });
    expect(found.filter(({name}) => !name.startsWith('Standard'))).to.deep.equal([]);
    const other = freshName();
    register(ledger(), other, {'starknet:walletApi': undefined});
    expect(() => findStandard(other)).to.throw();
  });

  for (const kind of ['injected', 'standard'] as const) {
    const open = (object: StarknetLedger) => {
      if (kind === 'injected') return findWallet(adapter, object);
      const name = freshName();
      register(object, name);
      return findStandard(name);
    };

    it(`return their current account, with all its digits (${kind})`, async () => {
      const object = ledger();
      object.accounts = [OWNER.replace('0x00', '0x').toUpperCase().replace('X', 'x'), STRANGER];
      expect(await open(object).connect()).to.include({family: 'starknet', address: OWNER});
      expect(object.windows).to.deep.equal(['wallet_requestAccounts']);
    });

    it(`open no window for a silent connection (${kind})`, async () => {
      const object = ledger();
      const wallet = open(object);
      expect((await wallet.connect({silent: true})).address).to.equal(OWNER);
      object.accounts = [];
      expect(await codeOf(wallet.connect({silent: true}))).to.equal('wallet-locked');
      expect(object.windows).to.deep.equal([]);
    });

    it(`that return no account after a prompt have rejected it (${kind})`, async () => {
      const object = ledger();
      object.accounts = [];
      expect(await codeOf(open(object).connect())).to.equal('rejected');
    });
  }

  it('report another account, none, and nothing more once the watch ends (injected)', async () => {
    const object = ledger();
    const account = await findWallet(adapter, object).connect();
    const listening = new AbortController();
    const updates: (string | undefined)[] = [];
    account.watch(changed => updates.push(changed?.address), listening.signal);
    object.emit('accountsChanged', [OWNER]);
    object.emit('accountsChanged', [STRANGER]);
    object.emit('networkChanged', '0x534e5f4d41494e');
    object.emit('networkChanged', '0x534e5f4d41494e', [OWNER]);
    object.emit('accountsChanged', []);
    object.emit('accountsChanged', [OWNER]);
    object.emit('networkChanged', undefined);
    expect(updates).to.deep.equal([STRANGER, OWNER, undefined, OWNER, undefined]);
    listening.abort();
    expect(object.listening).to.equal(0);
  });

  it('report another account, none, and nothing more once the watch ends (standard)', async () => {
    const object = ledger();
    const name = freshName();
    register(object, name);
    const account: Account = await findStandard(name).connect();
    const listening = new AbortController();
    const updates: (string | undefined)[] = [];
    account.watch(changed => updates.push(changed?.address), listening.signal);
    object.emit('change', {features: {}});
    object.emit('change', {accounts: [{address: STRANGER}]});
    object.emit('change', {accounts: []});
    expect(updates).to.deep.equal([STRANGER, undefined]);
    listening.abort();
    expect(object.listening).to.equal(0);
  });
});

describe('A Starknet wallet that the page passes', () => {
  const walletOf = async (given: unknown) => adapter.wallets.walletOf!(given);

  it('is an object as get-starknet returns it', async () => {
    const object = ledger();
    const gone = inject(object, {id: 'argentX', name: 'Ready'});
    const wallet = await walletOf((globalThis as Record<string, unknown>)['starknet_argentX']);
    gone();
    expect(wallet).to.include({id: 'argentX', name: 'Ready', family: 'starknet'});
    expect(object.requests).to.deep.equal([]);
    expect((await wallet.connect()).address).to.equal(OWNER);
  });

  it('is a connector of starknet-react, whose own events are watched', async () => {
    const object = ledger();
    // Requests are forwarded to its wallet; the wallet's events are emitted in the connector's own format.
    const connector = {
      id: 'argentX',
      name: 'Ready',
      icon: {light: 'data:image/svg+xml,light', dark: 'data:image/svg+xml,dark'},
      available: () => true,
      ready: () => Promise.resolve(true),
      request: object.request.bind(object),
      on: object.on.bind(object),
      off: object.off.bind(object),
    };
    const account = await (await walletOf(connector)).connect();
    expect(account.wallet).to.include({id: 'argentX', name: 'Ready', icon: 'data:image/svg+xml,light'});
    expect(account.address).to.equal(OWNER);
    const listening = new AbortController();
    const updates: (string | undefined)[] = [];
    account.watch(changed => updates.push(changed?.address), listening.signal);
    object.emit('change', {account: STRANGER, chainId: 1n});
    object.emit('change', {chainId: 1n});
    object.emit('disconnect');
    object.emit('change', {account: OWNER, chainId: 1n});
    object.emit('change', {});
    expect(updates).to.deep.equal([STRANGER, undefined, OWNER, undefined]);
    listening.abort();
    expect(object.listening).to.equal(0);
  });

  for (const given of [null, 'braavos', {}, {features: {}}, {request: () => undefined}]) {
    it(`is rejected if it is ${JSON.stringify(given)}`, async () => {
      const error: unknown = await walletOf(given).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(SwapError).and.include({code: 'config', field: 'wallets.starknet'});
    });
  }
});
