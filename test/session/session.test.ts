import {expect} from '../support/expect.js';
import type {ChainAdapter} from '../../src/chains/adapter.js';
import {totalBps, type FeeRequest} from '../../src/domain/affiliate-fee.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import type {LockedField, NameReading} from '../../src/domain/draft.js';
import {SwapError} from '../../src/domain/error.js';
import type {Quote} from '../../src/domain/quote.js';
import {
  createTestBrowser,
  createWorld,
  moneyRequests,
  later,
  openSession,
  settle,
  ordered,
  reviewed,
  answeredLater,
  typed,
  byTransaction,
} from '../support/session.js';
import {TestStorage} from '../support/storage.js';
import {aQuote, OTHER_WBTC, PAYER, SOLVER, USDC, WBTC} from '../support/swap.js';
import {entriesIn} from '../support/shown.js';

const STRANGER = `0x${'5'.repeat(40)}`;
const OTHER_SERVICE = 'https://other.test';
const otherCatalogue = createCatalogue({families: ['evm'], hints: ['base_sepolia:wbtc']});

describe('the time', () => {
  it('is updated every second while the page is visible, every half minute while hidden, and at once when visible again', async () => {
    const {session, host} = await openSession();
    const ticksIn = async (milliseconds: number) => {
      let ticks = 0;
      const stop = session.$now.listen(() => ticks++);
      await host.pass(milliseconds);
      stop();
      return ticks;
    };
    expect(await ticksIn(30_000)).to.equal(30);
    host.visible$.set(false);
    expect(await ticksIn(60_000)).to.equal(2);
    await host.pass(20_000);
    host.visible$.set(true);
    expect(session.$now.get()).to.equal(host.now());
    expect(await ticksIn(5_000)).to.equal(5);
  });
});

describe('the draft', () => {
  it('can be at most the whole balance, less the network fee', async () => {
    const world = createWorld();
    world.adapter.means.reserve = () => Promise.resolve(1_000n);
    const page = await openSession({world});
    await settle();
    expect(page.session.$wallets.get().reserve).to.equal(1_000n);
    expect(page.session.$form.get().most).to.equal(999_000n);
    world.balance = () => Promise.resolve(999n);
    page.session.edit({from: USDC.id});
    await settle();
    expect(page.session.$form.get().most).to.equal(0n);
  });

  it('has the balance of every asset once it was read, and loses it with the account', async () => {
    const page = await openSession();
    expect(page.session.$wallets.get().balances).to.deep.equal({});
    await settle(page.session.readBalances());
    expect(page.session.$wallets.get().balances).to.include({[WBTC.id]: 1_000_000n, [USDC.id]: 1_000_000n});
    page.session.disconnect('evm');
    expect(page.session.$wallets.get().balances).to.deep.equal({});
  });

  it('starts with the page’s values, and keeps the person’s changes until the page sets other values', async () => {
    const browser = createTestBrowser();
    const prefill = {from: WBTC.id, to: OTHER_WBTC.id, amount: '1'};
    const page = await openSession({browser, bare: true, config: {prefill}});
    expect(page.session.$form.get().draft.amount).to.equal('1');
    page.session.edit({amount: '2'});
    const next = await page.reload();
    expect(next.session.$form.get().draft.amount).to.equal('2');
    const other = await page.reload({config: {prefill: {...prefill, amount: '3'}}});
    expect(other.session.$form.get().draft.amount).to.equal('3');
  });

  it('starts with the pair of the last visit, unless the page now sets one', async () => {
    const page = await openSession();
    page.session.edit({from: USDC.id, to: OTHER_WBTC.id, amount: '5', recipient: SOLVER});
    const next = await page.reload({config: {prefill: {amount: '7'}}});
    expect(next.session.$form.get().draft).to.include({from: USDC.id, to: OTHER_WBTC.id, amount: '7', recipient: ''});
    const last = await next.reload({config: {prefill: {to: WBTC.id}}});
    expect(last.session.$form.get().draft).to.include({from: '', to: WBTC.id, amount: ''});
  });
});

describe('a locked value', () => {
  const prefill = {from: WBTC.id, to: OTHER_WBTC.id, amount: '0.0005', recipient: SOLVER};
  const lock = (...locked: LockedField[]) => ({prefill, locked});

  it('is not replaced by the draft of the last visit', async () => {
    const page = await openSession({bare: true, config: {prefill}});
    page.session.edit({amount: '', recipient: '', to: USDC.id});
    const next = await page.reload({config: lock('to', 'amount', 'recipient')});
    expect(next.session.$form.get().draft).to.include(prefill);
  });

  it('also applies to the next payment', async () => {
    const page = await openSession({bare: true, config: lock('from', 'to', 'amount', 'recipient')});
    await page.session.connect(page.world.knownWallet);
    page.session.reset();
    await page.host.pass(1_000);
    expect(page.session.$form.get().problem?.code).to.equal('confirm-recipient');
    page.session.confirm('recipient');
    expect(page.session.$form.get().agreement).to.include({recipient: SOLVER, amount: 50_000n});
  });

  it('follows the page’s changes, and is parsed like typed input', async () => {
    const page = await openSession({bare: true, config: lock('recipient')});
    const config = {...page.config, prefill: {...prefill, recipient: `ethereum:${PAYER}`}};
    await settle(page.session.configure(config));
    expect(page.session.$form.get().draft.recipient).to.equal(PAYER);
    page.session.edit({recipient: SOLVER});
    expect(page.session.$form.get().draft.recipient).to.equal(PAYER);
    page.session.configure({...config, locked: []});
    page.session.edit({recipient: SOLVER});
    expect(page.session.$form.get().draft.recipient).to.equal(SOLVER);
  });
});

describe('the problem that blocks the review', () => {
  it('is an unconfirmed address other than the wallet’s, until it is confirmed, and again on another chain', async () => {
    const page = await openSession();
    const code = () => page.session.$form.get().problem?.code;
    page.session.edit({amount: '0.0005', recipient: SOLVER});
    await page.host.pass(1_000);
    expect(code()).to.equal('confirm-recipient');
    page.session.review();
    expect(page.session.$view.get()).to.equal('form');
    page.session.confirm('recipient');
    expect(code()).to.equal(undefined);
    page.session.edit({recipient: WBTC.id});
    expect(code()).to.equal('not-an-address');
    page.session.edit({recipient: SOLVER});
    expect(code()).to.equal(undefined);
    // A confirmation on one chain does not apply to another.
    page.session.edit({to: USDC.id});
    expect(code()).to.equal('confirm-recipient');
  });

  it('is an address check that could not be loaded, until it is retried automatically', async () => {
    const world = createWorld();
    const {load} = world;
    world.load = () => Promise.reject(new Error('The connection broke.'));
    const page = await openSession({world, bare: true});
    const code = () => page.session.$form.get().problem?.code;
    page.session.edit({amount: '0.0005', recipient: SOLVER});
    await settle();
    expect(code()).to.equal('checking-address');
    await page.host.pass(12_000);
    expect(code()).to.equal('checking-address');
    world.load = load;
    await page.host.pass(5_000);
    await settle();
    expect(code()).to.equal('connect');
  });

  describe('for a name as the recipient:', () => {
    const openNamed = async () => {
      const world = createWorld();
      const asked: string[] = [];
      const answers = new Map<string, NameReading | Promise<NameReading>>();
      world.adapter.addresses.isName = text => text.endsWith('.eth');
      world.adapter.addresses.namesOn = () => 'ethereum_sepolia';
      world.adapter.addresses.readName = (name, chain) => {
        asked.push(`${name} ${chain.name}`);
        return Promise.resolve(answers.get(name) ?? {name, fault: 'unread'});
      };
      const page = await openSession({world});
      const type = async (recipient: string) => {
        page.session.edit({from: WBTC.id, to: OTHER_WBTC.id, amount: '0.0005', recipient});
        await page.host.pass(1_000);
      };
      return {page, asked, answers, type, problem: () => page.session.$form.get().problem};
    };

    it('the address, not the name, is confirmed, agreed and ordered, even if it is the wallet’s own', async () => {
      for (const address of [SOLVER, PAYER]) {
        const {page, answers, type, problem} = await openNamed();
        const name: NameReading = {name: 'alice.eth', address};
        answers.set('alice.eth', name);
        await type('alice.eth');
        expect(problem()).to.deep.equal({code: 'confirm-recipient', field: 'recipient', remedy: 'press', name});
        page.session.review();
        expect(page.session.$view.get()).to.equal('form');
        page.session.confirm('recipient');
        expect(problem()).to.equal(undefined);
        expect(page.session.$form.get().agreement?.recipient).to.equal(address);
        await page.order();
        expect(entriesIn(page.session)[0]?.agreed.recipient).to.equal(address);
        expect(page.session.$form.get().draft.recipient).to.equal('alice.eth');
      }
    });

    it('another address, or another visit, needs a new confirmation', async () => {
      const {page, answers, asked, type, problem} = await openNamed();
      answers.set('alice.eth', {name: 'alice.eth', address: SOLVER});
      await type('alice.eth');
      page.session.confirm('recipient');
      expect(problem()).to.equal(undefined);
      // Equal settings cause no new read.
      page.session.configure({...page.config, catalogue: otherCatalogue});
      expect(problem()).to.equal(undefined);
      await type('alice.et');
      expect(problem()?.code).to.equal('not-an-address');
      answers.set('alice.eth', {name: 'alice.eth', address: STRANGER});
      await type('alice.eth');
      expect(problem()).to.deep.include({name: {name: 'alice.eth', address: STRANGER}});
      expect(page.session.$form.get().agreement).to.equal(undefined);
      page.session.confirm('recipient');
      expect(page.session.$form.get().agreement?.recipient).to.equal(STRANGER);
      expect(asked).to.deep.equal(['alice.eth ethereum_sepolia', 'alice.eth ethereum_sepolia']);
      const next = await page.reload();
      await next.host.pass(1_000);
      expect(next.session.$form.get().problem?.code).to.equal('confirm-recipient');
    });

    it('a failed lookup is retried with a click, which confirms nothing', async () => {
      const {page, answers, type, problem} = await openNamed();
      await type('alice.eth');
      expect(problem()).to.deep.include({code: 'name-unread', remedy: 'press'});
      answers.set('alice.eth', {name: 'alice.eth', address: SOLVER});
      page.session.confirm('recipient');
      expect(problem()?.code).to.equal('checking-address');
      await settle();
      expect(problem()?.code).to.equal('confirm-recipient');
      // A typed address needs no name.
      await type(PAYER);
      expect(problem()).to.equal(undefined);
    });

    it('a late response to earlier input is ignored, and a token is not a valid recipient', async () => {
      const {answers, type, problem} = await openNamed();
      const late = later<NameReading>();
      answers.set('alice.eth', late.promise);
      await type('alice.eth');
      expect(problem()?.code).to.equal('checking-address');
      answers.set('bob.eth', {name: 'bob.eth', address: OTHER_WBTC.token!});
      await type('bob.eth');
      late.keep({name: 'alice.eth', address: SOLVER});
      await settle();
      expect(problem()?.code).to.equal('a-contract');
    });
  });

  describe('is an unconfirmed contract address:', () => {
    const openWith = async (isContract: ChainAdapter['addresses']['isContract'], bare = false) => {
      const world = createWorld();
      const asked: string[] = [];
      world.adapter.addresses.isContract = (chain, address, options) => {
        asked.push(`${chain.name} ${address} ${options.account?.address ?? ''}`);
        return isContract?.(chain, address, options) ?? Promise.resolve(undefined);
      };
      const page = await openSession({world, bare});
      page.session.edit({from: WBTC.id, to: OTHER_WBTC.id, amount: '0.0005'});
      await page.host.pass(1_000);
      return {page, asked, problem: () => page.session.$form.get().problem};
    };

    it('the paying account’s own, if it receives on another chain', async () => {
      const {page, asked, problem} = await openWith(() => Promise.resolve(true));
      expect(asked).to.deep.equal([`base_sepolia ${PAYER} ${PAYER}`]);
      expect(problem()).to.include({code: 'confirm-recipient', why: 'smart-account'});
      page.session.review();
      expect(page.session.$view.get()).to.equal('form');
      page.session.confirm('recipient');
      expect(problem()).to.equal(undefined);
      page.session.edit({recipient: PAYER.toLowerCase()});
      await page.host.pass(1_000);
      expect(problem()).to.include({why: 'smart-account'});
      // On its own chain it is a known account.
      page.session.edit({to: USDC.id, recipient: ''});
      await page.host.pass(1_000);
      expect(problem()).to.equal(undefined);
      expect(asked.length).to.equal(1);
    });

    it('any other, on the chain where it receives', async () => {
      const {page, asked, problem} = await openWith(() => Promise.resolve(true), true);
      page.session.edit({recipient: SOLVER});
      await page.host.pass(1_000);
      expect(asked).to.deep.equal([`ethereum_sepolia ${SOLVER} `]);
      expect(problem()).to.include({code: 'confirm-recipient', why: 'contract'});
      page.session.confirm('recipient');
      expect(problem()?.code).to.equal('connect');
    });

    it('not if it is not a contract, or the chain cannot tell or does not respond', async () => {
      for (const answer of [
        () => Promise.resolve(false),
        () => Promise.resolve(undefined),
        () => Promise.reject(new Error('No node.')),
      ]) {
        const {problem} = await openWith(answer);
        expect(problem()).to.equal(undefined);
      }
    });

    it('it waits for the chain’s response, and the chain is read again if it could not tell', async () => {
      const answer = later<boolean | undefined>();
      const {page, asked, problem} = await openWith(() => answer.promise);
      expect(problem()?.code).to.equal('checking-address');
      await settle(answer.keep(undefined));
      expect(problem()).to.equal(undefined);
      page.session.flip();
      await settle(page.session.flip());
      expect(asked.filter(each => each.startsWith('base_sepolia')).length).to.equal(2);
    });
  });
});

describe('a wallet', () => {
  it('that prompts to connect is shown until it responds, and then remembered', async () => {
    const page = await openSession({bare: true});
    const answer = later();
    const connect = page.world.knownWallet.connect.bind(page.world.knownWallet);
    const wallet = {
      ...page.world.knownWallet,
      async connect() {
        await answer.promise;
        return connect();
      },
    };
    const connecting = page.session.connect(wallet);
    await settle();
    expect(page.session.$wallets.get().connecting).to.deep.equal({state: 'pending', value: wallet});
    answer.keep();
    expect(await connecting).to.equal(true);
    expect(page.session.$wallets.get().accounts.evm?.address).to.equal(PAYER);
    const next = await page.reload();
    expect(next.session.$wallets.get().accounts.evm?.address).to.equal(PAYER);
    next.session.disconnect('evm');
    const last = await next.reload();
    expect(last.session.$wallets.get().accounts.evm).to.equal(undefined);
  });

  it('that rejects leaves everything unchanged, and the rejection is shown', async () => {
    const page = await openSession({bare: true});
    const wallet = {...page.world.knownWallet, connect: () => Promise.reject(new SwapError('rejected'))};
    expect(await page.session.connect(wallet)).to.equal(false);
    expect(page.session.$wallets.get().connecting).to.have.nested.property('error.code', 'rejected');
    expect(page.session.$wallets.get().accounts).to.deep.equal({});
  });
});

describe('the predicted wallet requests', () => {
  /** A world whose wallets can be read for the prediction. */
  const foretelling = (foresee: NonNullable<ChainAdapter['means']['foresee']>) => {
    const world = createWorld();
    world.adapter.means.foresee = foresee;
    return world;
  };
  const plan = ['approve', 'sign'] as const;

  it('are known when the review opens, and read again then', async () => {
    const asked: unknown[] = [];
    const world = foretelling((asset, amount, {address}) => {
      asked.push([asset.id, amount, address]);
      return Promise.resolve({moves: true, plan});
    });
    const page = await openSession({world});
    expect(page.session.$form.get().foresight).to.equal(undefined);
    const said: unknown[] = [];
    page.session.$form.listen(({foresight}) => {
      if (page.session.$stage.get() === 'reviewing') said.push(foresight);
    });
    await page.review();
    expect(said.every(foresight => foresight !== 'pending')).to.equal(true);
    expect(page.session.$form.get().foresight).to.deep.equal({moves: true, plan});
    expect(asked).to.deep.equal([
      [WBTC.id, 50_000n, PAYER],
      [WBTC.id, 50_000n, PAYER],
    ]);
    page.session.edit({amount: '0.001'});
    expect(page.session.$form.get().foresight).to.equal(undefined);
  });

  it('are one payment if a family has no prediction', async () => {
    const page = await reviewed();
    expect(page.session.$form.get().foresight).to.deep.equal({moves: false, plan: ['send']});
  });

  it('are read again with the next price', async () => {
    let moves = true;
    const page = await reviewed({world: foretelling(() => Promise.resolve({moves, plan}))});
    moves = false;
    await settle(page.session.requote());
    expect(page.session.$form.get().foresight).to.deep.equal({moves, plan});
  });

  it('are unknown if the wallet cannot be read, and the swap continues', async () => {
    const page = await ordered({world: foretelling(() => Promise.reject(new Error('broken')))});
    expect(page.session.$form.get().foresight).to.equal(undefined);
    expect(page.walletRequests()).to.include('sign signed');
  });
});

describe('a person who leaves while an order is being placed', () => {
  it('before it was sent: it is not placed', async () => {
    const world = byTransaction();
    const page = await reviewed({world});
    const price = later<readonly Quote[]>();
    world.quote = () => price.promise;
    await settle(page.session.placeOrder());
    expect(page.session.$stage.get()).to.equal('ordering');
    page.session.reset();
    await settle(price.keep([aQuote(49_850n)]));
    expect(moneyRequests({world})).to.deep.equal([]);
    expect(page.session.$view.get()).to.equal('form');
  });

  it('after it was sent: it is in the list, and the wallet is not prompted', async () => {
    const world = byTransaction();
    const answer = answeredLater(world, 'place');
    const page = await ordered({world});
    page.session.reset();
    await settle(answer.keep());
    expect(moneyRequests({world})).to.deep.equal(['POST']);
    expect(page.session.$view.get()).to.equal('form');
    expect(page.session.$order.get().state).to.equal('idle');
    await settle(page.session.openJournal());
    expect(entriesIn(page.session)).to.have.length(1);
    expect(page.told().filter(kind => kind === 'order')).to.have.length(1);
  });

  it('cannot use the back arrow: the response decides', async () => {
    const page = await ordered({world: byTransaction({place: () => new Promise(() => undefined)})});
    page.session.back();
    page.session.openJournal();
    expect(page.session.$stage.get()).to.equal('ordering');
    expect(page.session.$view.get()).to.equal('review');
  });
});

describe('settings that change during a swap', () => {
  it('for the same service do not affect the displayed order', async () => {
    const world = byTransaction();
    const answer = answeredLater(world, 'wallet');
    const page = await ordered({world});
    page.session.configure({...page.config, catalogue: otherCatalogue, priceTolerance: 10});
    await settle();
    expect(page.session.$view.get()).to.equal('order');
    await settle(answer.keep());
    expect(page.walletRequests()).to.deep.equal(['send sent']);
    expect(entriesIn(page.session)[0]?.walletRequests.map(({state}) => state)).to.deep.equal(['sent']);
    expect(page.session.$stage.get()).to.equal('funding');
  });

  it('and are invalid do not affect it either', async () => {
    const world = createWorld();
    const answer = answeredLater(world, 'wallet');
    const page = await ordered({world});
    page.session.configure(new SwapError('config', {field: 'assets'}));
    await settle(answer.keep());
    expect(page.walletRequests()).to.deep.equal(['sign signed', 'initiate sent']);
    expect(page.session.$settings.get().fault?.field).to.equal('assets');
    page.session.configure(page.config);
    expect(page.session.$settings.get().fault).to.equal(undefined);
    expect(page.session.$view.get()).to.equal('order');
  });

  for (const [what, catalogue] of [
    ['and other assets', otherCatalogue],
    ['and the same assets', undefined],
  ] as const) {
    it(`to another service ${what} leave the order with its own: response and signature go there`, async () => {
      const world = createWorld();
      const answer = later();
      world.wallet = () => answer.promise;
      const page = await ordered({world});
      const other = createWorld();
      page.session.configure({
        ...page.config,
        service: OTHER_SERVICE,
        api: other.service,
        ...(catalogue ? {catalogue} : {}),
      });
      await settle();
      expect(page.session.$view.get()).to.equal('form');
      expect(entriesIn(page.session)).to.deep.equal([]);
      await settle(answer.keep());
      expect(page.walletRequests()).to.deep.equal(['sign signed', 'initiate sent']);
      expect(world.count('PATCH')).to.equal(1);
      expect(moneyRequests({world: other})).to.deep.equal([]);
      expect(entriesIn(page.session)).to.deep.equal([]);
    });
  }

  it('to another service stop the wallet’s prompt for the first one’s order', async () => {
    const world = byTransaction();
    const gate = later();
    const page = await ordered({world, gates: {beforeSign: () => gate.promise}});
    page.session.configure({...page.config, service: OTHER_SERVICE, api: createWorld().service});
    await settle();
    await settle(gate.keep());
    expect(moneyRequests({world})).to.deep.equal(['POST']);
    expect(page.walletRequests()).to.deep.equal([]);
  });

  it('to paused block the review of a new swap', async () => {
    const page = await typed();
    page.session.configure({...page.config, paused: true});
    page.session.review();
    expect(page.session.$view.get()).to.equal('form');
    expect(page.told().filter(told => told.startsWith('error'))).to.deep.equal(['error paused']);
  });

  it('to paused while an order is being placed block it, and the person sees why', async () => {
    const world = byTransaction();
    const page = await reviewed({world});
    const answer = later<readonly Quote[]>();
    world.quote = () => answer.promise;
    await settle(page.session.placeOrder());
    page.session.configure({...page.config, paused: true});
    await settle(answer.keep([aQuote(49_850n)]));
    expect(moneyRequests({world})).to.deep.equal([]);
    expect(page.session.$order.get()).to.have.nested.property('error.code', 'paused');
    expect(page.told()).to.include('error paused');
  });

  it('to another storage open that one, with its contents', async () => {
    const browser = createTestBrowser();
    const [forGood, forTheTab] = [browser.storage, new TestStorage()];
    const page = await ordered({browser});
    expect(entriesIn(page.session).length).to.equal(1);
    Object.assign(page.host, {storage: forTheTab});
    page.session.configure({...page.config, forThisTab: true});
    await settle();
    expect([page.session.$view.get(), entriesIn(page.session).length]).to.deep.equal(['form', 0]);
    page.session.edit({amount: '0.0007'});
    expect([...Array(forTheTab.length).keys()].map(at => forTheTab.getItem(forTheTab.key(at)!)).join()).to.include(
      '0.0007',
    );
    Object.assign(page.host, {storage: forGood});
    page.session.configure({...page.config, forThisTab: false});
    await settle();
    expect(entriesIn(page.session).length).to.equal(1);
  });
});

describe('payees', () => {
  const payee = (address: string) => ({asset: 'base_sepolia:usdc', address, bps: 10}) as const;

  it('with an invalid address stop the widget with the fault, and nothing is ordered', async () => {
    const world = byTransaction();
    const page = await openSession({world, config: {affiliateFees: [payee(SOLVER), payee('me')]}});
    const fault = page.session.$settings.get().fault;
    expect([fault?.code, fault?.field]).to.deep.equal(['config', 'affiliate-fees[1].address']);
    expect(page.told()).to.include('error config');
    await page.order();
    expect(page.session.$view.get()).to.equal('form');
    expect(moneyRequests({world})).to.deep.equal([]);
  });

  it('or contracts that are vouched for, with a wrong checksum, stop it, too', async () => {
    for (const [address, field] of [
      [`0x${'aB'.repeat(20)}`, 'contracts'],
      [`0x${'ab'.repeat(20)}`, undefined],
    ] as const) {
      const world = byTransaction();
      const {addresses} = world.adapter;
      addresses.withChecksum = String;
      addresses.isAddress = (_, text) => text === text.toLowerCase();
      const vouching = createCatalogue({families: ['evm'], hints: [WBTC.id], contracts: `${WBTC.id} ${address}`});
      const page = await openSession({world, config: {catalogue: vouching}});
      const fault = page.session.$settings.get().fault;
      expect([fault?.code, fault?.field], address).to.deep.equal([field && 'config', field]);
      if (field) expect(fault?.detail).to.include(address);
    }
  });

  it('and recipients, or payers, on a sanctions list are asked about once, or get no order; what is not read is no verdict', async () => {
    for (const [screen, listed, presses, posted, told] of [
      ['warn', true, 1, 0, []],
      ['warn', true, 2, 1, [{payer: 'listed', recipient: 'clear'}]],
      ['warn', undefined, 1, 1, [{payer: 'unscreened', recipient: 'clear'}]],
      ['stop', false, 1, 1, [{payer: 'clear', recipient: 'clear'}]],
      ['stop', true, 3, 0, []],
      [undefined, true, 1, 1, [undefined]],
    ] as const) {
      const world = byTransaction();
      world.adapter.addresses.isListed = ({name}) => Promise.resolve(name === WBTC.chain.name ? listed : false);
      const said: unknown[] = [];
      const gates = {beforeOrder: (...[, screening]: unknown[]) => Promise.resolve(void said.push(screening))};
      const page = await reviewed({world, gates, config: {screen}});
      for (let press = 0; press < presses; press++) await settle(page.session.placeOrder());
      const name = `${String(screen)} ${String(listed)} ${String(presses)}`;
      expect([moneyRequests({world}).filter(one => one === 'POST').length, said], name).to.deep.equal([posted, told]);
      expect(page.told().includes('error listed'), name).to.equal(listed === true && screen !== undefined);
    }
  });

  it('are validated before the order, however long their chain’s code takes to load', async () => {
    const fees = [{asset: 'bitcoin_testnet:btc', address: 'me', bps: 10}] as const;
    const field = 'affiliate-fees[0].address';
    for (const [affiliateFees, fault] of [
      [fees, field],
      [() => fees, undefined],
    ] as const) {
      const world = byTransaction();
      const loading = later();
      const {load} = world;
      world.load = async family => {
        if (family === 'bitcoin') await loading.promise;
        return load(family);
      };
      const page = await ordered({world, config: {affiliateFees}});
      expect(page.session.$stage.get()).to.equal('ordering');
      expect(moneyRequests({world})).to.deep.equal([]);
      await settle(loading.keep());
      expect(moneyRequests({world})).to.deep.equal([]);
      expect(page.session.$order.get()).to.have.nested.property('error.field', field);
      expect(page.session.$settings.get().fault?.field).to.equal(fault);
    }
  });

  it('of each pair and amount are sent with the price request as a sum, shown, and listed one by one in the order', async () => {
    const world = byTransaction();
    const asked: string[] = [];
    const {quote} = world;
    world.quote = request => {
      asked.push(`${String(request.amount)} ${String(totalBps(request.affiliateFees))}`);
      return quote(request);
    };
    const many = [payee(SOLVER), {...payee(PAYER), bps: 20}];
    const affiliateFees = ({from, to, amount}: FeeRequest) => {
      expect([from, to]).to.deep.equal([WBTC.id, OTHER_WBTC.id]);
      return amount < 100_000n ? many : many.slice(1);
    };
    const page = await openSession({world, config: {affiliateFees}});
    await page.type('0.001');
    expect(page.session.$form.get().agreement?.affiliateFees).to.deep.equal(many.slice(1));
    await page.type('0.0005');
    page.session.review();
    // A page that renders again passes another function, which says the same.
    page.session.configure({...page.config, affiliateFees: request => affiliateFees(request)});
    await settle(page.session.placeOrder());
    expect(asked).to.deep.equal(['100000 20', '50000 30', '50000 30']);
    expect(entriesIn(page.session)[0]?.agreed.affiliateFees).to.deep.equal(many);
  });

  it('that the page’s function does not name are its fault: no price, no order, and nothing typed is lost', async () => {
    const world = byTransaction();
    let fails = true;
    const affiliateFees = () => {
      if (fails) throw new Error('no table');
      return [payee(SOLVER)];
    };
    const page = await openSession({world, config: {affiliateFees}});
    await page.type('0.0005');
    page.session.review();
    const {quote} = page.session.$form.get();
    const error = quote.state === 'failed' ? quote.error : undefined;
    expect([error?.code, error?.field]).to.deep.equal(['config', 'affiliate-fees']);
    expect(error?.detail).to.equal(`Your function failed for 50000 of ${WBTC.id} to ${OTHER_WBTC.id}: Error: no table`);
    expect([page.session.$form.get().draft.amount, page.session.$view.get()]).to.deep.equal(['0.0005', 'form']);
    expect(page.told()).to.include('error config');
    fails = false;
    page.session.requote();
    await page.host.pass(1_000);
    expect(page.session.$form.get().agreement?.affiliateFees).to.deep.equal([payee(SOLVER)]);
    // What another function says after the review is not what was agreed.
    page.session.review();
    fails = true;
    page.session.configure({...page.config, affiliateFees: () => affiliateFees()});
    await settle(page.session.placeOrder());
    expect(moneyRequests({world})).to.deep.equal([]);
  });

  it('are those that the page’s function named first, however often it changes its mind, or its own list', async () => {
    for (const copy of [true, false]) {
      const world = byTransaction();
      const fees: {bps: number}[] = [payee(SOLVER)];
      const affiliateFees = () => {
        fees.splice(0, 1, {...payee(SOLVER), bps: (fees[0]?.bps ?? 0) + 1});
        return (copy ? [...fees] : fees) as ReturnType<typeof payee>[];
      };
      const page = await openSession({world, config: {affiliateFees}});
      await page.type('0.0005');
      await page.host.pass(3_000);
      await page.order();
      expect(world.count('GET quote')).to.equal(2);
      expect(entriesIn(page.session)[0]?.agreed.affiliateFees).to.deep.equal([{...payee(SOLVER), bps: 11}]);
    }
  });

  it('whose asset the service refuses are the site’s to put right: nothing is ordered before, and never without the fee', async () => {
    const world = byTransaction();
    const page = await openSession({world, config: {affiliateFees: [payee(SOLVER)]}});
    const {place} = world;
    world.place = () => {
      const detail = "400 Asset 'base_sepolia:usdc' not found";
      return Promise.reject(Object.assign(new SwapError('no-route', {detail}), {reason: detail.slice(4)}));
    };
    await page.order();
    const field = 'affiliate-fees[0].asset';
    expect(page.session.$order.get()).to.have.property('error').that.includes({code: 'config', field});
    expect(page.session.$settings.get().fault?.field).to.equal(field);
    expect(page.told().filter(said => said.startsWith('error'))).to.deep.equal(['error config']);

    world.place = place;
    await page.session.placeOrder();
    expect(moneyRequests({world}), 'before it is put right').to.deep.equal(['POST']);
    page.session.configure({...page.config, affiliateFees: []});
    await page.order();
    expect(page.session.$order.get().state).to.equal('ready');
  });

  it('of one request alone stop that one alone', async () => {
    const world = byTransaction();
    const {place} = world;
    world.place = agreed => {
      const reason = "Asset 'base_sepolia:usdc' not found";
      if (!agreed.affiliateFees.length) return place(agreed);
      return Promise.reject(Object.assign(new SwapError('no-route', {detail: reason}), {reason}));
    };
    const affiliateFees = ({amount}: FeeRequest) => (amount === 50_000n ? [payee(SOLVER)] : []);
    const page = await ordered({world, config: {affiliateFees}});
    expect(page.session.$order.get()).to.have.nested.property('error.field', 'affiliate-fees[0].asset');
    await page.type('0.0006');
    page.session.review();
    await settle(page.session.placeOrder());
    expect(page.session.$order.get().state).to.equal('ready');
  });

  it('are not at fault if the service refuses an asset of the pair', async () => {
    const world = byTransaction();
    const page = await openSession({world, config: {affiliateFees: [payee(SOLVER)]}});
    const reason = `Asset '${WBTC.id}' not found`;
    world.place = () => Promise.reject(Object.assign(new SwapError('no-route', {detail: reason}), {reason}));
    await page.order();
    expect(page.session.$order.get()).to.have.nested.property('error.code', 'no-route');
    expect(page.session.$settings.get().fault).to.equal(undefined);
  });
});

describe('the addresses of an order', () => {
  it('are sent with their checksums, payees’ too: some services take none without', async () => {
    const world = byTransaction();
    world.adapter.addresses.withChecksum = address => address.replace(/[a-f]/g, letter => letter.toUpperCase());
    const {place} = world;
    const sent: string[] = [];
    world.place = agreed => {
      sent.push(agreed.owner, agreed.recipient, ...agreed.affiliateFees.map(({address}) => address));
      return place(agreed);
    };
    const lower = `0x${'ab'.repeat(20)}`;
    const affiliateFees = [{asset: 'base_sepolia:usdc', address: lower, bps: 10}] as const;
    const page = await ordered({world, config: {affiliateFees}});
    expect(sent).to.have.length(3);
    expect(sent.filter(address => /[a-f]/.test(address))).to.deep.equal([]);
    expect(entriesIn(page.session)[0]?.agreed.affiliateFees[0]?.address, 'as the site wrote it').to.equal(lower);
  });
});

describe('a page’s listener that throws', () => {
  const reported: unknown[] = [];
  const {reportError} = globalThis;
  beforeEach(() => {
    reported.length = 0;
    globalThis.reportError = error => reported.push(error);
  });
  afterEach(() => {
    globalThis.reportError = reportError;
  });

  it('is reported, and the swap continues', async () => {
    const world = byTransaction();
    const page = await openSession({world});
    const {session} = page;
    const fault = new Error('mine');
    const fail = () => {
      throw fault;
    };
    session.listen(fail);
    for (const $store of [session.$order, session.$view, session.$stage, session.$journal]) {
      $store.listen(fail);
    }
    session.listen(event => page.events.push(event));
    await page.order();
    expect(moneyRequests({world})).to.deep.equal(['POST', 'wallet send']);
    expect(session.$view.get()).to.equal('order');
    expect(page.walletRequests()).to.deep.equal(['send sent']);
    expect(new Set(reported)).to.deep.equal(new Set([fault]));
    expect(page.told().filter(told => told === 'order').length).to.equal(2);
  });
});
