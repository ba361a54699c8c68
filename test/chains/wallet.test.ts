/** What the wallets of all families have in common: their description, how they connect, and how their account is watched. */
import {TIMEOUTS} from '../../src/chains/timeouts.js';
import {createWallet, onceEach, readId, type AccountListener, type AccountSource} from '../../src/chains/wallet.js';
import {SwapError} from '../../src/domain/error.js';
import {expect} from '../support/expect.js';
import {codeOf, faultOf} from '../support/funding.js';

const SHORT = {...TIMEOUTS, connect: 30, read: 20};

/** A wallet whose account is asked for in this way. */
function open(source: Partial<AccountSource> = {}, facts: {readonly name?: unknown; readonly icon?: unknown} = {}) {
  const asked: boolean[] = [];
  const ways: AccountSource = {
    connect: silent => Promise.resolve(asked.push(silent) ? 'the account' : undefined),
    watch: () => undefined,
    faultOf: error => (error as {fault?: string} | undefined)?.fault,
    ...source,
  };
  return {asked, wallet: createWallet('evm', {id: 'org.example', name: 'Example', icon: '', ...facts}, ways, SHORT)};
}

describe('A wallet', () => {
  it('has its name on one short line, its id in place of none, and an icon that is never fetched', () => {
    const {wallet} = open({}, {name: `\u202eMeta\nMask\u0000 ${'x'.repeat(500)}`});
    expect(wallet.name).to.match(/^MetaMask x+$/);
    expect(wallet.name).to.have.length(40);
    for (const name of [5, ' \n', undefined]) expect(open({}, {name}).wallet.name).to.equal('org.example');
    const icons = [5, 'https://example.org/a.png', 'javascript:alert(1)', 'data:text/html,<b>'];
    for (const icon of [...icons, `data:image/png;base64,${'A'.repeat(200_000)}`])
      expect(open({}, {icon}).wallet).not.to.have.property('icon');
    expect(open({}, {icon: 'data:image/svg;base64,AA'}).wallet.icon).to.equal('data:image/svg+xml;base64,AA');
    expect([readId('x'.repeat(128)), readId('x'.repeat(129)), readId(''), readId(5)].map(Boolean)).to.deep.equal([
      ...[true, false, false, false],
    ]);
  });

  it('is passed on once, however often it announces itself', () => {
    const found: string[] = [];
    const pass = onceEach(({id}) => found.push(id));
    for (const wallet of [undefined, open().wallet, open().wallet]) pass(wallet);
    expect(found).to.deep.equal(['org.example']);
  });

  for (const [what, error, code] of [
    ['a certain no', {fault: 'rejected'}, 'rejected'],
    ['a no by its words alone', new Error('User denied account authorization'), 'rejected'],
    ['a no as plain text', 'Cancelled by user', 'rejected'],
    ['a pending request', {fault: 'pending'}, 'wallet-locked'],
    ['an unauthorized account', {fault: 'unauthorized'}, 'wallet-locked'],
    ['no wallet', {fault: 'missing'}, 'wallet-missing'],
    ['another certain fault', {fault: 'unsupported'}, 'wallet-unclear'],
    ['an error of any kind', new Error('Could not establish connection'), 'wallet-unclear'],
    ['an undefined error', undefined, 'wallet-unclear'],
  ] as readonly (readonly [what: string, error: unknown, code: string])[]) {
    it(`that answers a connection with ${what} is ${code}`, async () => {
      const connect = () => {
        throw error as Error;
      };
      expect(await codeOf(open({connect}).wallet.connect())).to.equal(code);
    });
  }

  it('names an account, or none: silent, it may just not have been allowed to', async () => {
    const {asked, wallet} = open();
    expect(await wallet.connect()).to.include({family: 'evm', address: 'the account'});
    await wallet.connect({silent: true});
    expect(asked).to.deep.equal([false, true]);
    const connect = () => Promise.resolve(undefined);
    expect(await codeOf(open({connect}).wallet.connect())).to.equal('wallet-unclear');
    expect(await codeOf(open({connect, noAccount: 'rejected'}).wallet.connect())).to.equal('rejected');
    const silent = open({connect, noAccount: 'rejected'}).wallet.connect({silent: true});
    expect(await codeOf(silent)).to.equal('wallet-locked');
  });

  it('that never responds is unclear, and no longer awaited once the connection is aborted', async () => {
    const {wallet} = open({connect: () => new Promise(() => undefined)});
    expect(await codeOf(wallet.connect())).to.equal('wallet-unclear');
    const waiting = new AbortController();
    const connecting = wallet.connect({signal: waiting.signal});
    const reason = new SwapError('held');
    waiting.abort(reason);
    expect(await faultOf(connecting)).to.equal(reason);
  });

  it('is asked for nothing once the connection was aborted, also while its code is loaded', async () => {
    const {asked, wallet} = open();
    expect(await faultOf(wallet.connect({signal: AbortSignal.abort('gone')}))).to.equal('gone');
    const leaving = new AbortController();
    const late = open({prepare: () => Promise.resolve(leaving.abort('gone'))});
    expect(await faultOf(late.wallet.connect({signal: leaving.signal}))).to.equal('gone');
    expect([...asked, ...late.asked]).to.deep.equal([]);
  });
});

describe('The account of a wallet', () => {
  it('is reported as it changes to another one and to none, or moves, until the watch ends', async () => {
    const listeners: AccountListener[] = [];
    const watch = (one: AccountListener) => void listeners.push(one);
    const account = await open({watch}).wallet.connect();
    const seen: (string | undefined)[] = [];
    const watching = new AbortController();
    account.watch(changed => seen.push(changed?.address), watching.signal);
    const [listener] = listeners;
    listener!.moved();
    for (const address of ['the account', 'another', 'another', undefined, undefined]) listener!.changed(address);
    listener!.moved();
    expect(seen).to.deep.equal(['the account', 'another', undefined]);
    watching.abort();
    listener!.changed('the account');
    account.watch(() => seen.push('a watch that had ended'), watching.signal);
    expect([seen.length, listeners.length]).to.deep.equal([3, 1]);
  });

  it('stays usable if its wallet fails to be watched', async () => {
    const watch = () => {
      throw new Error('Method not supported');
    };
    const account = await open({watch}).wallet.connect();
    account.watch(() => expect.fail('nothing changed'), new AbortController().signal);
  });
});
