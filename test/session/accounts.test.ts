/** Wallets that a page passes, and the list of those that announced themselves. */
import {computed} from 'nanostores';
import {expect} from '../support/expect.js';
import type {Account, Wallet} from '../../src/chains/adapter.js';
import {SwapError} from '../../src/domain/error.js';
import {createWorld, later, openSession, settle, type TestPage} from '../support/session.js';
import {PAYER, SOLVER} from '../support/swap.js';

interface Brought {
  readonly address: string;
  /** Whether it connects without a prompt. */
  readonly isOpen?: boolean;
  /** What it does when it prompts. */
  readonly answer?: () => Promise<void>;
}

/** A world whose EVM wallets can be passed by a page: the page's value is the wallet's description. */
function worldOfBringers() {
  const world = createWorld();
  const asked: string[] = [];
  world.adapter.wallets.walletOf = given => {
    const {address, isOpen = false, answer} = given as Partial<Brought>;
    if (address === undefined) throw new SwapError('config', {field: 'wallets.evm', detail: 'Not a wallet.'});
    const wallet: Wallet = {
      id: '',
      key: '',
      family: 'evm',
      name: '',
      async connect({silent = false} = {}): Promise<Account> {
        asked.push(silent ? `silent ${address}` : address);
        if (silent && !isOpen) throw new SwapError('wallet-locked');
        if (!silent) await answer?.();
        return {family: 'evm', address, wallet, watch: () => undefined};
      },
    };
    return wallet;
  };
  return {world, asked};
}

const addressOf = ({session}: TestPage) => session.$wallets.get().accounts.evm?.address;
const connectingOf = ({session}: TestPage) => {
  const connecting = session.$wallets.get().connecting;
  return connecting.state === 'failed' ? connecting.error.code : connecting.state;
};

describe('a wallet that the page passes', () => {
  it('is connected at once if it needs no prompt, and is not remembered like a chosen one', async () => {
    const {world, asked} = worldOfBringers();
    const page = await openSession({bare: true, world, config: {wallets: {evm: {address: PAYER, isOpen: true}}}});
    expect(addressOf(page)).to.equal(PAYER);
    expect(asked).to.deep.equal([`silent ${PAYER}`]);
    const next = await page.reload({config: {}});
    expect(addressOf(next)).to.equal(undefined);
  });

  it('is prompted on a click', async () => {
    const {world, asked} = worldOfBringers();
    const page = await openSession({bare: true, world, config: {wallets: {evm: {address: PAYER}}}});
    expect(addressOf(page)).to.equal(undefined);
    expect(await page.session.connect('evm')).to.equal(true);
    expect(addressOf(page)).to.equal(PAYER);
    expect(asked).to.deep.equal([`silent ${PAYER}`, PAYER]);
  });

  it('replaces a chosen one, and is disconnected when the page withdraws it', async () => {
    const {world, asked} = worldOfBringers();
    const page = await openSession({world});
    expect(addressOf(page)).to.equal(PAYER);
    const own = {address: SOLVER, isOpen: true};
    page.session.configure({...page.config, wallets: {evm: own}});
    await settle();
    expect(addressOf(page)).to.equal(SOLVER);
    page.session.configure({...page.config, wallets: {evm: own}});
    await settle();
    expect(asked, 'the same one again').to.deep.equal([`silent ${SOLVER}`]);
    page.session.configure({...page.config, wallets: {evm: undefined}});
    await settle();
    expect(addressOf(page)).to.equal(undefined);
  });

  it('is the only one: the wallet of the last visit is not reconnected', async () => {
    const {world} = worldOfBringers();
    const page = await openSession({world});
    expect(addressOf(page)).to.equal(PAYER);
    const next = await page.reload({config: {wallets: {evm: {address: SOLVER}}}});
    expect(addressOf(next)).to.equal(undefined);
  });

  for (const [what, wallets, field] of [
    ['is not a wallet', {evm: {}}, 'wallets.evm'],
    ['is of an unknown family', {cosmos: {address: PAYER}}, 'wallets.cosmos'],
  ] as const) {
    it(`and ${what} stops the widget until the page corrects it`, async () => {
      const {world} = worldOfBringers();
      const page = await openSession({bare: true, world, config: {wallets: wallets as object}});
      expect(page.session.$settings.get().fault).to.include({code: 'config', field});
      expect(page.told()).to.deep.equal(['error config']);
      page.session.configure({...page.config, wallets: {evm: {address: PAYER, isOpen: true}}});
      await settle();
      expect(page.session.$settings.get().fault).to.equal(undefined);
      expect(addressOf(page)).to.equal(PAYER);
    });
  }
});

describe('a wallet that the page answers with', () => {
  const open = () => openSession({bare: true, world: worldOfBringers().world});
  const connect = (page: TestPage, answer: Promise<unknown>) => page.session.connect('evm', {answer});

  it('is connected', async () => {
    const page = await open();
    expect(await connect(page, Promise.resolve({address: SOLVER}))).to.equal(true);
    expect(addressOf(page)).to.equal(SOLVER);
  });

  it('is not connected if the visitor chose no wallet', async () => {
    const page = await open();
    expect(await connect(page, Promise.resolve(undefined))).to.equal(false);
    expect([addressOf(page), connectingOf(page)]).to.deep.equal([undefined, 'idle']);
  });

  it('is reported missing if the answer fails', async () => {
    const page = await open();
    const answer = later<unknown>();
    const connecting = connect(page, answer.promise);
    await settle();
    answer.fail(new Error('no dialog'));
    expect(await connecting).to.equal(false);
    expect(connectingOf(page)).to.equal('wallet-missing');
  });

  it('is rejected if it is not a wallet, and reported to the page; the widget continues', async () => {
    const page = await open();
    expect(await connect(page, Promise.resolve({}))).to.equal(false);
    expect([connectingOf(page), page.told()]).to.deep.equal(['config', ['error config']]);
    expect(page.session.$settings.get().fault).to.equal(undefined);
  });

  it('is ignored if the request was canceled', async () => {
    const page = await open();
    const answer = later<unknown>();
    const connecting = connect(page, answer.promise);
    await settle();
    page.session.cancelConnect();
    answer.keep({address: SOLVER});
    expect(await connecting).to.equal(false);
    expect([addressOf(page), connectingOf(page)]).to.deep.equal([undefined, 'idle']);
  });
});

describe('the wallets of a page', () => {
  it('are listed with the last one used first, also on the next visit', async () => {
    const world = createWorld();
    const wallet = (id: string): Wallet => {
      const self: Wallet = {
        ...world.knownWallet,
        id,
        key: id,
        connect: async () => ({...(await world.knownWallet.connect()), wallet: self}),
      };
      return self;
    };
    const all = [wallet('a'), wallet('b'), wallet('c')];
    world.adapter.wallets.discover = found => all.forEach(each => found(each));
    const page = await openSession({bare: true, world});
    const idsOf = async ({session}: TestPage) => {
      await settle(session.discover('evm', new AbortController().signal));
      return session.$wallets.get().found.map(({id}) => id);
    };
    expect(await idsOf(page)).to.deep.equal(['a', 'b', 'c']);
    await page.session.connect(wallet('b'));
    expect(await idsOf(page)).to.deep.equal(['b', 'a', 'c']);
    expect(await idsOf(await page.reload())).to.deep.equal(['b', 'a', 'c']);
  });

  async function listed(found: readonly Partial<Wallet>[], meanwhile: (page: TestPage) => unknown = () => undefined) {
    const world = createWorld();
    const [first, ...later] = found.map(wallet => ({...world.knownWallet, ...wallet}));
    let find: (wallet: Wallet) => void = () => undefined;
    world.adapter.wallets.discover = tell => void (find = tell);
    const page = await openSession({bare: true, world});
    await settle(page.session.discover('evm', new AbortController().signal));
    find(first!);
    await settle(meanwhile(page));
    later.forEach(wallet => find(wallet));
    return page.session.$wallets.get().found.map(({name}) => name);
  }
  const injected = {id: 'injected', key: 'window.ethereum', name: '', isInjected: true};
  const announced = {id: 'a', key: 'a', name: 'A'};

  it('are all listed, though two announce one id', async () => {
    expect(await listed([announced, {...announced, key: 'b', name: 'B'}])).to.deep.equal(['A', 'B']);
  });

  it('take the place of a provider that was injected unannounced, unless it is used', async () => {
    expect(await listed([injected, announced])).to.deep.equal(['A']);
    const connect = ({session}: TestPage) => session.connect(session.$wallets.get().found[0]!);
    const {knownWallet} = createWorld();
    const self: Wallet = {
      ...knownWallet,
      ...injected,
      connect: async () => ({...(await knownWallet.connect()), wallet: self}),
    };
    expect(await listed([self, announced], connect), 'connected').to.deep.equal(['', 'A']);
    const mute = {...injected, connect: () => new Promise<never>(() => undefined)};
    expect(await listed([mute, announced], page => void connect(page)), 'being asked').to.deep.equal(['', 'A']);
  });

  it('on other devices are found with the project id, for the offered chains of the family', async () => {
    const world = createWorld();
    const told: unknown[] = [];
    world.adapter.wallets.discover = (_, {elsewhere}) =>
      void told.push(elsewhere && [elsewhere.projectId, ...elsewhere.chains.map(({name}) => name)]);
    const page = await openSession({bare: true, world});
    await settle(page.session.discover('evm', new AbortController().signal));
    page.session.configure({...page.config, walletConnect: 'project'});
    await settle(page.session.discover('evm', new AbortController().signal));
    expect(told).to.deep.equal([undefined, ['project', 'base_sepolia', 'ethereum_sepolia']]);
  });
});

describe('the wallet of the last visit', () => {
  /** A browser whose wallet announces itself and responds when the test lets it. */
  async function comeBack() {
    const world = createWorld();
    const first = await openSession({world});
    expect(addressOf(first)).to.equal(PAYER);
    const announced = later();
    const answered = later();
    const wallet: Wallet = {
      ...world.knownWallet,
      async connect(options) {
        await answered.promise;
        return world.knownWallet.connect(options);
      },
    };
    world.adapter.wallets.discover = found => void announced.promise.then(() => found(wallet));
    return {page: await first.reload(), announced, answered};
  }
  const restoringOf = ({session}: TestPage) => session.$wallets.get().restoring;

  it('is announced by name as reconnecting until it is connected', async () => {
    const {page, announced, answered} = await comeBack();
    expect([addressOf(page), restoringOf(page)]).to.deep.equal([undefined, {evm: 'Test wallet'}]);
    await settle(announced.keep());
    expect([addressOf(page), restoringOf(page)], 'announced').to.deep.equal([undefined, {evm: 'Test wallet'}]);
    const seen: unknown[] = [];
    computed(page.session.$wallets, ({restoring}) => restoring).listen(() => seen.push(addressOf(page)));
    await settle(answered.keep());
    expect([addressOf(page), restoringOf(page)], 'answered').to.deep.equal([PAYER, {}]);
    expect(seen, 'between the two nothing offers to connect it').to.deep.equal([PAYER]);
  });

  it('is no longer expected if it does not allow that any more', async () => {
    const {page, announced, answered} = await comeBack();
    announced.keep();
    await settle(answered.fail(new SwapError('wallet-locked')));
    expect([addressOf(page), restoringOf(page)]).to.deep.equal([undefined, {}]);
  });

  /** Announces it this many milliseconds after the page loaded. */
  async function announceAfter(ms: number, meanwhile: (page: TestPage) => void = () => undefined) {
    const {page, announced, answered} = await comeBack();
    meanwhile(page);
    await page.host.pass(ms);
    announced.keep();
    await settle(answered.keep());
    return addressOf(page);
  }

  it('does not reconnect while another one has its id', async () => {
    const world = createWorld();
    const first = await openSession({world});
    world.adapter.wallets.discover = found => {
      found(world.knownWallet);
      found({...world.knownWallet, key: 'another'});
    };
    const page = await first.reload();
    await page.host.pass(100);
    expect([addressOf(page), restoringOf(page)]).to.deep.equal([undefined, {}]);
  });

  it('is shown as reconnecting for three seconds', async () => {
    const {page} = await comeBack();
    await page.host.pass(2_900);
    expect(restoringOf(page)).to.deep.equal({evm: 'Test wallet'});
    await page.host.pass(200);
    expect(restoringOf(page)).to.deep.equal({});
  });

  it('reconnects within a minute, however late it announces itself on a busy device', async () => {
    expect(await announceAfter(3_100)).to.equal(PAYER);
    expect(await announceAfter(59_000)).to.equal(PAYER);
    expect(await announceAfter(61_000), 'it is looked for no more').to.equal(undefined);
  });

  it('does not reconnect once the visitor disconnected it or the widget was removed', async () => {
    expect(await announceAfter(5_000, ({session}) => session.disconnect('evm'))).to.equal(undefined);
    expect(await announceAfter(5_000, ({remove}) => remove())).to.equal(undefined);
  });

  it('is not shown as reconnecting any longer if it announces itself after it was disconnected', async () => {
    const {page, announced} = await comeBack();
    page.session.disconnect('evm');
    announced.keep();
    await page.host.pass(3_100);
    expect([addressOf(page), restoringOf(page)]).to.deep.equal([undefined, {}]);
  });

  it('is not expected if its family’s code cannot be loaded', async () => {
    const {page} = await comeBack();
    page.world.load = () => Promise.reject(new Error('no connection'));
    expect(restoringOf(await page.reload())).to.deep.equal({});
  });

  it('is not expected if none was connected last time', async () => {
    expect(restoringOf(await openSession({bare: true}))).to.deep.equal({});
    const {page} = await comeBack();
    page.session.disconnect('evm');
    expect(restoringOf(await page.reload())).to.deep.equal({});
  });

  it('is not looked for if the page passes another one, which is expected in its place', async () => {
    const {world} = worldOfBringers();
    const page = await openSession({world});
    const answered = later();
    world.adapter.wallets.walletOf = () => ({
      ...world.knownWallet,
      connect: () => answered.promise.then(() => world.knownWallet.connect()),
    });
    const next = await page.reload({config: {wallets: {evm: {}}}});
    expect(restoringOf(next)).to.have.property('evm');
    await settle(answered.keep());
    expect([addressOf(next), restoringOf(next)]).to.deep.equal([PAYER, {}]);
  });
});
