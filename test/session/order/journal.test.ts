import {expect} from '../../support/expect.js';
import {listenToConsole} from '../../support/console.js';
import {createCatalogue} from '../../../src/domain/catalogue.js';
import {SwapError} from '../../../src/domain/error.js';
import {
  completeOrder,
  createTestBrowser,
  createWorld,
  DEPOSIT,
  HASH,
  openSession,
  orderKey,
  paidOrder,
  settle,
  type TestBrowser,
  type TestPage,
  type World,
  ordered,
  answeredLater,
  typed,
  byTransaction,
} from '../../support/session.js';
import {onPage} from '../../support/prototypes.js';
import {TestStorage} from '../../support/storage.js';
import {assetOf, ORDER_ID} from '../../support/swap.js';
import {entriesIn, fundingIn, shownIn} from '../../support/shown.js';

type Json = Record<string, unknown>;

const held = () => Promise.reject(new SwapError('held'));
const wallets = ({log}: World) => log.filter(entry => entry.startsWith('wallet'));

async function remembering(): Promise<{browser: TestBrowser; storage: TestStorage; world: World; text: string}> {
  const storage = new TestStorage();
  const browser = createTestBrowser(storage);
  const world = byTransaction();
  const page = await ordered({browser, world, gates: {beforeSign: held}});
  await settle(page.remove());
  browser.locks.clear();
  return {browser, storage, world, text: storage.getItem(orderKey()) ?? ''};
}

/** Opens a page with the stored entries, and presses everything that can be pressed. */
async function openAndPress(browser: TestBrowser, world: World): Promise<TestPage> {
  const page = await openSession({browser, world, bare: true});
  if (!page.session.$wallets.get().accounts.evm) await page.session.connect(world.knownWallet);
  await settle(page.session.openOrder(ORDER_ID));
  await page.session.pay();
  await page.session.answer(false);
  await page.session.pay();
  await settle();
  return page;
}

describe('what the browser remembers of an order', () => {
  it('is stored in its final form: versioned, amounts as digits, keyed by service and order', async () => {
    const {text, storage} = await remembering();
    const stored = JSON.parse(text) as Json;
    expect(stored).to.deep.include({v: 1, orderId: ORDER_ID, stage: 'awaiting-deposit', walletRequests: []});
    expect(stored['agreed']).to.deep.include({amount: '50000n', receive: '49850n', atLeast: '49601n'});
    const keys = Array.from({length: storage.length}, (_, at) => storage.key(at));
    expect(keys.every(key => key?.startsWith('swap-widget/1/https://service.test/'))).to.equal(true);
  });

  it('is restored unchanged on a page that extends Object.prototype', async () => {
    const {browser, world} = await remembering();
    await onPage(Object.prototype, {each: {value: 'x', enumerable: true, writable: true}}, async () => {
      const {session} = await openSession({browser, world, bare: true});
      expect(entriesIn(session).map(({orderId}) => orderId)).to.deep.equal([ORDER_ID]);
    });
  });

  for (const [owner, toJSON] of [
    // As Prototype.js had it before browsers could write JSON, and as many pages make bigints fit for it.
    [Array, (list: unknown[]) => `[${list.map(one => JSON.stringify(one)).join(', ')}]`],
    [Object, () => ({})],
    [BigInt, String],
  ] as const) {
    it(`is restored unchanged from a page that gives ${owner.name}.prototype a toJSON`, async () => {
      const value = function (this: unknown[]) {
        return toJSON(this);
      };
      await onPage(owner.prototype, {toJSON: {value, enumerable: true}}, async () => {
        const page = await ordered({world: byTransaction()});
        expect(page.walletRequests()).to.deep.equal(['send sent']);
        const [entry] = entriesIn(page.session);
        expect(entriesIn((await page.reload()).session)).to.deep.equal([entry]);
      });
    });
  }

  const NO_REQUEST = '"walletRequests":[]';
  const request = (more: Json) =>
    `"walletRequests":[${JSON.stringify({kind: 'send', state: 'asking', at: 1, ...more})}]`;
  const broken: readonly [what: string, from: string | RegExp, to: string][] = [
    ['cut JSON', /.{10}$/s, ''],
    ['no JSON', /.*/s, 'hello'],
    ['nothing', /.*/s, ''],
    ['null', /.*/s, 'null'],
    ['a list', /.*/s, '[]'],
    ['another version', '"v":1', '"v":2'],
    ['no version', '"v":1,', ''],
    ['another order’s id', RegExp(ORDER_ID, 'g'), 'f'.repeat(64)],
    ['an empty id', RegExp(ORDER_ID, 'g'), ''],
    ['an amount as a number', '"amount":"50000n"', '"amount":50000'],
    ['an amount as plain text', '"amount":"50000n"', '"amount":"50000"'],
    ['a negative amount', '"amount":"50000n"', '"amount":"-50000n"'],
    ['no amount', '"amount":"50000n",', ''],
    ['other decimals', '"decimals":8', '"decimals":6'],
    ['other decimals of the received asset', /(.*)"decimals":8/s, '$1"decimals":6'],
    ['an unknown stage', '"stage":"awaiting-deposit"', '"stage":"paid"'],
    ['a stage before it was placed', '"stage":"awaiting-deposit"', '"stage":"ordering"'],
    ['an unknown question', NO_REQUEST, request({kind: 'give'})],
    ['an unknown answer', NO_REQUEST, request({state: 'maybe'})],
    ['an invalid claim', NO_REQUEST, request({claimed: 'yes'})],
    ['no way to pay', '"ways":["transaction"]', '"ways":[]'],
    ['an unknown way to pay', '"ways":["transaction"]', '"ways":["cheque"]'],
    ['an unknown kind of chain', '"family":"evm","title"', '"family":"dogecoin","title"'],
    ['no recipient', /"recipient":"0x\w+",/, ''],
    ['a recipient that is not text', /"recipient":"0x\w+"/, '"recipient":{}'],
    ['a time that is text', /"placedAt":\d+/, '"placedAt":"now"'],
    ['an impossible time', /"placedAt":\d+/, '"placedAt":1e300'],
    ['a time before 1970', /"placedAt":\d+/, '"placedAt":-1'],
    ['an impossible time of its confirmation', '"v":1', '"v":1,"confirmedAt":1e300'],
    ['an impossible time of a wallet request', NO_REQUEST, request({state: 'refused', at: 1e300})],
    ['more decimals than any asset', /"decimals":8/g, '"decimals":1e9'],
    [
      'more decimals than any asset, of one that is not offered',
      /base_sepolia:wbtc(.*?"decimals"):8/s,
      'base_sepolia:gone$1:1e9',
    ],
    ['half a decimal', /"decimals":8/g, '"decimals":8.5'],
    ['an infinite block time', /"blockSeconds":\d+/, '"blockSeconds":1e300'],
    ['a chain id that is not an integer', /"chainId":84532/g, '"chainId":0.5'],
    [
      'a fee of more than everything',
      '"affiliateFees":[]',
      '"affiliateFees":[{"asset":"base:usdc","address":"0x1","bps":1e300}]',
    ],
    ['an amount of a thousand digits', '"50000n"', `"${'5'.repeat(1_000)}n"`],
    ['a recipient longer than any address', /"recipient":"0x/, `"recipient":"${'0'.repeat(300)}`],
    ['a call longer than any', '0x97ffc7ae', `0x${'00'.repeat(3_000)}`],
    ['typed data nested too deeply', '"domain":{', `"domain":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)},`],
    ['more text than any entry', '"v":1', `"v":1,"more":"${'x'.repeat(1_000_000)}"`],
  ];
  for (const [what, from, to] of broken) {
    it(`with ${what} is ignored, stops nothing, and never leads to a wallet`, async () => {
      const {browser, storage, world, text} = await remembering();
      const bad = text.replace(from, to);
      expect(bad).not.to.equal(text);
      const good = text.replaceAll(ORDER_ID, 'a'.repeat(64));
      storage.setItem(orderKey(), bad);
      storage.setItem(orderKey('a'.repeat(64)), good);
      let page!: TestPage;
      const said = await listenToConsole('warn', async () => (page = await openAndPress(browser, world)));
      expect(said, 'named once in the console').to.have.length(what.startsWith('other decimals') ? 0 : 1);
      expect(wallets(world)).to.deep.equal([]);
      expect(entriesIn(page.session).map(({orderId}) => orderId)).to.deep.equal(['a'.repeat(64)]);
      expect(shownIn(page.session)?.deal).to.equal(undefined);
      expect(storage.getItem(orderKey())).to.equal(bad);
    });
  }

  it('is reported in the console once if unreadable, with the reason', async () => {
    const {browser, storage, world, text} = await remembering();
    storage.setItem(orderKey(), text.replace(/"placedAt":\d+/, '"placedAt":1e300'));
    const said = await listenToConsole('warn', async () => {
      const page = await openAndPress(browser, world);
      page.host.tellStorage(orderKey('1'));
      page.session.configure({
        ...page.config,
        catalogue: createCatalogue({families: ['evm'], hints: ['base_sepolia:wbtc']}),
      });
      await settle();
    });
    expect(said).to.deep.equal([`<swap-widget> storage: “${orderKey()}” is left as it is. TypeError: placedAt`]);
  });

  it('is never overwritten if unreadable, not by another order with its id or in full storage', async () => {
    const {browser, storage, world, text} = await remembering();
    const other = text.replace('"v":1', '"v":2');
    storage.setItem(orderKey(), other);
    const page = await openSession({browser, world: byTransaction()});
    await page.order();
    expect(page.told()).to.include('error deposit-mismatch');
    expect(wallets(page.world)).to.deep.equal([]);
    const full = new Proxy(storage, {
      get: (target, name) =>
        name === 'setItem'
          ? () => {
              throw new DOMException('It is full.', 'QuotaExceededError');
            }
          : (Reflect.get(target, name, target) as unknown),
    });
    const next = await openSession({browser: {...browser, storage: full}, world});
    await next.order();
    expect(next.told()).to.include('error storage');
    expect(storage.getItem(orderKey())).to.equal(other);
  });

  it('is restored unchanged with everything that a service, a wallet and a page may put into it', async () => {
    const {browser, storage, world, text} = await remembering();
    const entry = JSON.parse(text) as {agreed: Json; deposit: {payload: {transaction: Json}}} & Json;
    const name = 'n'.repeat(256);
    const fullest = {
      ...entry,
      agreed: {
        ...entry.agreed,
        amount: `${'9'.repeat(78)}n`,
        solverId: name,
        affiliateFees: Array.from({length: 300}, () => ({asset: 'base:usdc', address: name, bps: 1})),
      },
      deposit: {
        ...entry.deposit,
        payload: {
          ...entry.deposit.payload,
          transaction: {...entry.deposit.payload.transaction, data: '0'.repeat(4_000), chainId: 2 ** 52},
          typedData: {domain: {}, primaryType: '', types: {}, message: {text: 'x'.repeat(4_900)}},
        },
      },
      walletRequests: Array.from({length: 300}, () => ({kind: 'send', state: 'refused', at: 1.5, hash: name})),
      seen: {hashes: Array.from({length: 50}, () => name), filled: '1n'},
      terms: [...Array.from({length: 19}, () => name), `${name} `.repeat(2 * 300)],
      confirmedAt: 253_402_300_799_999,
    };
    storage.setItem(orderKey(), JSON.stringify(fullest));
    const {session} = await openSession({browser, world, bare: true});
    expect(entriesIn(session).map(({orderId}) => orderId)).to.deep.equal([ORDER_ID]);
  });

  const OTHER = `0x${'6'.repeat(40)}`;
  const changed: readonly [what: string, from: string | RegExp, to: string][] = [
    ['another amount', /"50000n"/g, '"5000000n"'],
    ['another recipient', /"recipient":"0x\w+"/, `"recipient":"${OTHER}"`],
    ['another contract to pay', '0xd1E0Ba2b165726b3a6051b765d4564d030FDcf50","value"', `${OTHER}","value"`],
    ['another token', '0xD8a6E3FCA403d79b6AD6216b60527F51cc967D39', OTHER],
    ['another stage', 'awaiting-deposit', 'expired'],
  ];
  for (const [what, from, to] of changed) {
    it(`with ${what} is checked before the wallet is prompted, like any other`, async () => {
      const {browser, storage, world, text} = await remembering();
      expect(text).to.match(RegExp(from));
      storage.setItem(orderKey(), text.replace(from, to));
      const before = world.log.length;
      world.check = ({agreed, deposit, order}) => {
        const [to] =
          deposit.how === 'wallet' && deposit.payload.family === 'evm' ? [deposit.payload.transaction.to] : [];
        const holds =
          order?.source.amount === agreed.amount &&
          order.destination.redeemer === agreed.recipient &&
          agreed.from.token === assetOf('base_sepolia:wbtc').token &&
          agreed.from.contracts.some(contract => contract === to);
        return Promise.resolve([{name: 'order', outcome: holds ? 'passed' : 'failed'}]);
      };
      await openAndPress(browser, world);
      const log = world.log.slice(before);
      const wallet = log.findIndex(entry => entry.startsWith('wallet'));
      expect(log).to.include('check');
      if (wallet >= 0) expect(log.indexOf('check')).to.be.below(wallet);
      // The storage cannot change what the catalogue and the order say.
      const harmless = ['another token', 'another stage'].includes(what);
      expect(wallet >= 0).to.equal(harmless);
    });
  }

  it('never decides which contracts are valid, nor which address is read or shown', async () => {
    const {browser, storage, world, text} = await remembering();
    const evil = text
      .replaceAll('base_sepolia:wbtc', 'base_sepolia:evil')
      .replace('"contracts":["0xd1E0Ba2b165726b3a6051b765d4564d030FDcf50"]', '"contracts":["0x66"]')
      .replace(
        '"explorer":"https://sepolia.basescan.org"',
        '"explorer":"javascript:alert(1)//","rpc":"https://evil.test"',
      );
    expect(evil).to.contain('javascript:').and.to.contain('evil.test');
    storage.setItem(orderKey(), evil);
    const {session} = await openSession({browser, world, bare: true});
    const from = entriesIn(session)[0]?.agreed.from;
    expect(from?.id).to.equal('base_sepolia:evil');
    expect(from?.contracts).to.deep.equal([]);
    expect(from?.chain, 'as the page has it today').to.equal(assetOf('base_sepolia:wbtc').chain);

    storage.setItem(orderKey(), evil.replaceAll('"name":"base_sepolia"', '"name":"evil_chain"'));
    const other = await openSession({browser, world, bare: true});
    const chain = entriesIn(other.session)[0]?.agreed.from.chain;
    expect(chain?.name).to.equal('evil_chain');
    expect(chain).not.to.have.any.keys('explorer', 'rpc');

    storage.setItem(orderKey(), evil.replaceAll('"family":"evm","title"', '"family":"starknet","title"'));
    const last = await openSession({browser, world, bare: true});
    const ofOther = entriesIn(last.session)[0]?.agreed.from.chain;
    expect(ofOther, 'a chain of this name, and not the page’s').to.include({name: 'base_sepolia', family: 'starknet'});
    expect(ofOther).not.to.have.any.keys('explorer', 'rpc');
  });

  it('of a payment is kept if the page no longer offers its asset, or with other decimals: it may need a refund', async () => {
    const {browser, storage, world, text} = await remembering();
    const paid = text.replace(
      '"walletRequests":[]',
      `"walletRequests":[{"kind":"send","state":"sent","at":1,"hash":"${HASH}"}]`,
    );
    for (const change of [
      paid.replaceAll('base_sepolia:wbtc', 'base_sepolia:gone'),
      paid.replace('"decimals":8', '"decimals":6'),
    ]) {
      storage.setItem(orderKey(), change);
      world.orders.set(ORDER_ID, paidOrder());
      const page = await openAndPress(browser, world);
      expect(wallets(world)).to.deep.equal([]);
      const [entry] = entriesIn(page.session);
      expect(entry?.agreed.from.contracts).to.deep.equal([]);
      expect(entry?.agreed.from.chain).to.equal(assetOf('base_sepolia:wbtc').chain);
      await page.session.connect(world.knownWallet);
      await page.session.refund();
      expect(shownIn(page.session)?.refund).to.deep.equal({state: 'ready', value: HASH});
      world.log.length = 0;
    }
  });

  it('uses the known contracts of today, and those that were vouched for when it was placed', async () => {
    const {browser, world, storage, text} = await remembering();
    const id = 'base_sepolia:wbtc';
    const [then, now] = [`0x${'7'.repeat(40)}`, `0x${'8'.repeat(40)}`];
    const catalogue = createCatalogue({
      assets: [{id, contracts: ['0x77'], icon: '/wbtc.svg'}, 'ethereum_sepolia:wbtc'],
      contracts: {[id]: [now]},
    });
    const fromIn = async () => {
      const {session} = await openSession({browser, world, bare: true, config: {catalogue}});
      return entriesIn(session)[0]?.agreed.from;
    };
    const plain = await fromIn();
    expect(plain?.contracts).to.deep.equal(['0x77']);
    expect(plain, 'settings add nothing to a placed order').not.to.have.property('vouched');

    const vouched = [{address: then, entry: 'deposit'}];
    storage.setItem(orderKey(), text.replace('"contracts":[', `"vouched":${JSON.stringify(vouched)},"contracts":[`));
    const from = await fromIn();
    expect([from?.contracts, from?.vouched], 'nor take from it').to.deep.equal([['0x77'], vouched]);
    expect(from?.icon).to.equal('/wbtc.svg');
    expect(Object.isFrozen(from?.vouched?.[0])).to.equal(true);
  });

  it('holds what was vouched for when it was placed, whatever the settings are later', async () => {
    const id = 'base_sepolia:wbtc';
    const address = `0x${'7'.repeat(40)}`;
    const [browser, world] = [createTestBrowser(), byTransaction()];
    const catalogueOf = (...named: readonly string[]) =>
      createCatalogue({families: ['evm'], hints: [id], ...(named.length && {contracts: {[id]: named}})});
    const page = await ordered({
      browser,
      world,
      gates: {beforeSign: held},
      config: {catalogue: catalogueOf(address)},
    });
    const vouched = () => shownIn(page.session)?.deal?.agreed.from.vouched;
    expect(vouched()).to.deep.equal([{address}]);
    for (const named of [[], [`0x${'8'.repeat(40)}`], [address, `0x${'8'.repeat(40)}`]]) {
      page.session.configure({...page.config, catalogue: catalogueOf(...named)});
      await settle();
      expect(vouched()).to.deep.equal([{address}]);
      expect(entriesIn(page.session)[0]?.agreed.from.vouched).to.deep.equal([{address}]);
    }
    await settle(page.remove());
    const {session} = await openSession({browser, world, bare: true, config: {catalogue: catalogueOf()}});
    expect(entriesIn(session)[0]?.agreed.from.vouched).to.deep.equal([{address}]);
  });

  it('cannot be read if storage is blocked, and the form works', async () => {
    const storage = new TestStorage();
    storage.fault = 'forbidden';
    const page = await typed({browser: createTestBrowser(storage)});
    expect(page.session.$form.get().agreement).to.include({amount: 50_000n});
    await settle(page.session.openJournal());
    expect(entriesIn(page.session)).to.deep.equal([]);
  });
});

describe('without a journal', () => {
  it('a swap completes, and leaves nothing in storage', async () => {
    const storage = new TestStorage();
    const written: string[] = [];
    storage.onWrite = key => written.push(key);
    const page = await ordered({browser: createTestBrowser(storage), config: {journal: false}});
    expect(fundingIn(page.session).walletRequests.map(({kind, state}) => `${kind} ${state}`)).to.deep.equal([
      'sign signed',
      'initiate sent',
    ]);
    page.world.orders.set(ORDER_ID, completeOrder());
    await page.host.pass(5_000);
    expect(page.session.$stage.get()).to.equal('complete');
    expect(written).to.deep.equal([]);
    expect(storage.length).to.equal(0);
  });

  it('the page itself still has its orders, also after its settings change', async () => {
    const page = await ordered({config: {journal: false}, gates: {beforeSign: held}});
    const catalogue = createCatalogue({families: ['evm'], hints: ['base_sepolia:wbtc']});
    page.session.configure({...page.config, catalogue});
    await settle();
    expect(entriesIn(page.session).map(({orderId}) => orderId)).to.deep.equal([ORDER_ID]);
    page.session.reset();
    await settle(page.session.openOrder(ORDER_ID));
    expect(shownIn(page.session)?.deal?.orderId).to.equal(ORDER_ID);
  });

  it('a reload forgets everything', async () => {
    const page = await ordered({config: {journal: false}});
    const {session} = await page.reload();
    expect(session.$view.get()).to.equal('form');
    expect(entriesIn(session)).to.deep.equal([]);
  });
});

describe('two tabs on one storage', () => {
  it('prompt once: the second click waits, finds the open request, and does not prompt', async () => {
    const {browser, world} = await remembering();
    const one = await openSession({browser, world, bare: true});
    const two = await openSession({browser, world, bare: true});
    const answer = answeredLater(world, 'wallet');
    await settle(one.session.pay());
    await settle(two.session.pay());
    expect(wallets(world)).to.deep.equal(['wallet send']);
    // The second tab is notified of the first one's write only later, if at all.
    await settle(answer.fail(new SwapError('wallet-unclear')));
    expect(wallets(world)).to.deep.equal(['wallet send']);
    expect(fundingIn(two.session).unclear).to.equal(true);
    expect(one.walletRequests()).to.deep.equal(['send asking']);
  });

  it('never overwrite each other’s wallet requests', async () => {
    const {browser, world} = await remembering();
    const one = await openSession({browser, world, bare: true});
    const two = await openSession({browser, world, bare: true});
    world.wallet = () => new Promise(() => undefined);
    await settle(one.session.pay());
    expect(one.walletRequests()).to.deep.equal(['send asking']);
    // The second tab was not notified, and stores the order's stage by the service's word.
    world.depositState = () => Promise.resolve('unknown');
    world.orders.set(ORDER_ID, paidOrder());
    await two.host.pass(10_000);
    expect(two.session.$stage.get()).to.equal('settling');
    expect(one.walletRequests()).to.deep.equal(['send asking']);
  });

  it('stay in sync: an order placed in one is listed in the other', async () => {
    const browser = createTestBrowser();
    const world = createWorld();
    const one = await openSession({browser, world});
    const two = await openSession({browser, world});
    await settle(two.session.openJournal());
    await one.order();
    expect(entriesIn(two.session)).to.deep.equal([]);
    two.host.tellStorage(orderKey());
    expect(entriesIn(two.session).map(({orderId}) => orderId)).to.deep.equal([ORDER_ID]);
    two.host.tellStorage('something/else');
    expect(entriesIn(two.session)).to.have.length(1);
  });

  it('lose no running order when one of them clears the storage', async () => {
    const browser = createTestBrowser();
    const world = createWorld();
    const page = await ordered({browser, world});
    browser.storage?.clear();
    page.host.tellStorage(null);
    expect(page.walletRequests()).to.deep.equal(['sign signed', 'initiate sent']);
    const next = await page.reload();
    expect(entriesIn(next.session).map(({orderId}) => orderId)).to.deep.equal([ORDER_ID]);
  });

  it('forget a finished order when one of them clears the storage', async () => {
    const browser = createTestBrowser();
    const world = createWorld();
    const page = await ordered({browser, world});
    world.orders.set(ORDER_ID, completeOrder());
    await page.host.pass(10_000);
    browser.storage?.clear();
    page.host.tellStorage(null);
    expect(entriesIn(page.session)).to.deep.equal([]);
  });
});

describe('the deposit of an order', () => {
  it('keeps the order of its payment methods, and the person’s choice among them', async () => {
    const browser = createTestBrowser();
    const world = createWorld();
    const page = await ordered({browser, world, gates: {beforeSign: held}});
    expect(DEPOSIT.how).to.equal('wallet');
    expect(fundingIn(page.session)).to.include({way: 'signature', other: 'transaction'});
    await page.session.pay('transaction');
    expect(fundingIn(page.session)).to.include({way: 'transaction', other: 'signature'});
    const next = await page.reload();
    expect(fundingIn(next.session)).to.include({way: 'transaction', other: 'signature'});
    await next.session.pay('signature');
    expect(fundingIn(next.session)).to.include({way: 'signature'});
  });
});

describe('an entry of the list', () => {
  it('is opened with its deal', async () => {
    const page = await ordered({gates: {beforeSign: held}});
    page.session.openJournal();
    expect(page.session.$view.get()).to.equal('journal');
    await settle(page.session.openOrder(ORDER_ID));
    expect(shownIn(page.session)?.deal?.orderId).to.equal(ORDER_ID);
  });
});

describe('a finished order', () => {
  async function finished() {
    const storage = new TestStorage();
    const browser = createTestBrowser(storage);
    const world = createWorld();
    const page = await ordered({browser, world});
    const before = storage.getItem(orderKey()) ?? '';
    world.orders.set(ORDER_ID, completeOrder());
    await page.host.pass(10_000);
    expect(page.session.$stage.get()).to.equal('complete');
    return {browser, storage, world, before, after: storage.getItem(orderKey()) ?? ''};
  }

  it('is reduced to its receipt: what was agreed and done, and nothing that could be signed', async () => {
    const {browser, world, before, after} = await finished();
    expect(before).to.include('"types":{"Initiate"').and.to.include('"message":{"amount"').and.to.include('"terms"');
    const stored = JSON.parse(after) as Record<string, Json>;
    expect(stored).to.include({stage: 'complete', orderId: ORDER_ID}).and.to.have.property('terms');
    expect(stored['deposit']?.['payload']).to.have.nested.property('typedData.message').that.deep.equals({});
    expect(stored['deposit']?.['payload']).to.have.nested.property('typedData.types').that.deep.equals({});
    const deposit = (JSON.parse(before) as Record<string, Json>)['deposit'];
    expect(JSON.stringify(stored['deposit']).length).to.be.below(JSON.stringify(deposit).length);
    const {session} = await openSession({browser, world, bare: true});
    const [entry] = entriesIn(session);
    expect(entry?.agreed).to.include({amount: 50_000n, receive: 49_850n});
    expect(entry?.walletRequests.map(({kind, state}) => `${kind} ${state}`)).to.deep.equal([
      'sign signed',
      'initiate sent',
    ]);
  });

  it('keeps what the contract’s own refund needs: a service may falsely report complete', async () => {
    const {before, after} = await finished();
    const transactionOf = (text: string) =>
      (JSON.parse(text) as {deposit: {payload: {transaction: unknown}}}).deposit.payload.transaction;
    expect(transactionOf(after)).to.deep.equal(transactionOf(before));
  });

  it('is not shrunk while the contract still holds its payment', async () => {
    const {storage, browser, world, before} = await finished();
    storage.setItem(orderKey(), before.replace('"v":1,', '"v":1,"isHeld":true,'));
    world.orders.set(ORDER_ID, completeOrder());
    const {session, host} = await openSession({browser, world, bare: true});
    session.openOrder(ORDER_ID);
    await host.pass(1_000);
    expect(storage.getItem(orderKey())).to.include('"message":{"amount"');
  });

  it('is one of two thousand, all listed, newest first, with the open ones', async () => {
    const {storage, browser, world, after} = await finished();
    for (let at = 0; at < 2_000; at += 1) {
      const id = at.toString(16).padStart(64, '0');
      const text = after.replaceAll(ORDER_ID, id).replace(/"placedAt":\d+/, `"placedAt":${String(at)}`);
      storage.setItem(orderKey(id), text);
    }
    const {session} = await openSession({browser, world, bare: true});
    const entries = entriesIn(session);
    expect(entries.length).to.equal(2_001);
    expect(entries[1]?.placedAt).to.equal(1_999);
    expect(entries.at(-1)?.placedAt).to.equal(0);
  });
});
