import {expect} from '../support/expect.js';
import type {SwapApi} from '../../src/api/client.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import {SwapError} from '../../src/domain/error.js';
import type {Quote, QuoteRequest} from '../../src/domain/quote.js';
import {valueOf} from '../../src/domain/remote.js';
import {listenToConsole} from '../support/console.js';
import {scaled} from '../support/limits.js';
import {createRandom} from '../support/random.js';
import {
  createWorld,
  later,
  openSession,
  settle,
  type Later,
  type TestPage,
  reviewed,
  typed,
  DEPOSIT,
} from '../support/session.js';
import {aQuote, NOON, USDC, WBTC} from '../support/swap.js';

const quoteOf = ({session}: TestPage) => session.$form.get().quote;
const asked = ({world}: TestPage) => world.count('GET quote');
const valueOfRequest = ({session}: TestPage) => session.$form.get().request as QuoteRequest;
const receives = (page: TestPage) => valueOf(quoteOf(page))?.offers[0].destination.amount;

describe('the price', () => {
  it('is requested once a person pauses in typing', async () => {
    const page = await openSession();
    for (const amount of ['0', '0.', '0.0', '0.00', '0.000', '0.0005']) {
      page.session.edit({amount});
      await page.host.pass(100);
    }
    expect(asked(page)).to.equal(0);
    expect(quoteOf(page).state).to.equal('pending');
    await page.host.pass(199);
    expect(asked(page)).to.equal(0);
    await page.host.pass(1);
    expect(asked(page)).to.equal(1);
    expect(receives(page)).to.equal(49_850n);
  });

  it('is not requested for an invalid draft', async () => {
    const page = await openSession();
    for (const amount of ['', '0', 'x', '0.000000001']) {
      page.session.edit({amount});
      await page.host.pass(1_000);
      expect(quoteOf(page).state).to.equal('idle');
    }
    expect(asked(page)).to.equal(0);
  });

  describe('that takes long', () => {
    const silent = async () => {
      const page = await openSession();
      page.world.quote = () => new Promise(() => undefined);
      await page.type();
      return page;
    };
    const isSlow = ({session}: TestPage) => session.$form.get().slow !== undefined;

    it('is reported slow after five seconds, and given up after fifteen', async () => {
      const page = await silent();
      await page.host.pass(4_999);
      expect(isSlow(page)).to.equal(false);
      await page.host.pass(1);
      expect(isSlow(page)).to.equal(true);
      expect(quoteOf(page).state).to.equal('pending');
      await page.host.pass(10_000);
      expect(isSlow(page)).to.equal(false);
      expect(quoteOf(page)).to.have.nested.property('error.code', 'timeout');
      expect(asked(page)).to.equal(1);
      await page.host.pass(4_000);
      expect(asked(page), 'it is asked for again by itself').to.equal(2);
    });

    it('can be canceled with a click, and requested again with another', async () => {
      const page = await silent();
      await page.host.pass(5_000);
      await settle(page.session.$form.get().slow?.cancel());
      expect(isSlow(page)).to.equal(false);
      expect(quoteOf(page).state).to.equal('failed');
      await page.host.pass(120_000);
      expect(asked(page)).to.equal(1);
      page.world.quote = request => Promise.resolve([aQuote(49_850n, 'solver-1', request)]);
      await settle(page.session.requote());
      expect(receives(page)).to.equal(49_850n);
    });

    it('is no longer reported slow once it arrived or the request changed', async () => {
      const page = await openSession();
      const answer = later<readonly Quote[]>();
      page.world.quote = () => answer.promise;
      page.session.edit({amount: '0.0005'});
      await page.host.pass(5_300);
      expect(isSlow(page)).to.equal(true);
      page.session.edit({amount: '0.0006'});
      expect(isSlow(page)).to.equal(false);
      await page.host.pass(5_300);
      expect(isSlow(page)).to.equal(true);
      await settle(answer.keep([aQuote(59_820n, 'solver-1', valueOfRequest(page))]));
      expect(isSlow(page)).to.equal(false);
      expect(receives(page)).to.equal(59_820n);
    });

    it('before an order is reported in the review, and prevents the order', async () => {
      const page = await reviewed();
      page.world.quote = () => new Promise(() => undefined);
      void page.session.placeOrder();
      await page.host.pass(5_000);
      expect(page.session.$form.get().isPlacingSlow).to.equal(true);
      await page.host.pass(10_000);
      expect(page.session.$form.get().isPlacingSlow).to.equal(false);
      expect(page.session.$order.get()).to.have.nested.property('error.code', 'timeout');
      expect(page.world.count('POST')).to.equal(0);
    });
  });

  it('is requested at once for another asset', async () => {
    const page = await typed();
    page.session.edit({to: USDC.id});
    await page.host.pass(0);
    expect(asked(page)).to.equal(2);
  });

  it('is requested at once for the page’s values, and after a pause for what is typed then', async () => {
    const page = await openSession({config: {prefill: {amount: '0.0005'}}});
    await page.host.pass(0);
    expect(asked(page)).to.equal(1);
    page.session.edit({amount: '0.0006'});
    await page.host.pass(299);
    expect(asked(page)).to.equal(1);
    await page.host.pass(1);
    expect(asked(page)).to.equal(2);
  });

  it('is the response to the newest request, in whatever order responses arrive', async () => {
    const page = await openSession();
    const answers: Later<readonly Quote[]>[] = [];
    const signals: (AbortSignal | undefined)[] = [];
    page.world.quote = (_request, signal) => {
      const answer = later<readonly Quote[]>();
      answers.push(answer);
      signals.push(signal);
      return answer.promise;
    };
    await page.type('1');
    await page.type('2');
    expect(signals.map(signal => signal?.aborted)).to.deep.equal([true, false]);
    const [first, second] = answers;
    second?.keep([aQuote(7n, 's', {...requestOf(page)})]);
    await settle();
    expect(receives(page)).to.equal(7n);
    first?.keep([aQuote(9n, 's', {...requestOf(page), amount: 100_000_000n})]);
    await settle();
    expect(receives(page)).to.equal(7n);
    expect(quoteOf(page).state).to.equal('ready');
  });

  it('is requested again every thirty seconds while it is shown, with a countdown', async () => {
    const page = await typed();
    expect(page.session.$form.get().nextQuoteAt).to.equal(NOON + 30_300);
    await page.host.pass(29_999);
    expect(asked(page)).to.equal(1);
    const answer = later<readonly Quote[]>();
    page.world.quote = () => answer.promise;
    await page.host.pass(1);
    expect(asked(page)).to.equal(2);
    expect(quoteOf(page).state).to.equal('pending');
    expect(receives(page)).to.equal(49_850n);
    expect(page.session.$form.get().nextQuoteAt).to.equal(undefined);
    await settle(answer.keep([aQuote(50_000n)]));
    expect(receives(page)).to.equal(50_000n);
    expect(page.session.$form.get().nextQuoteAt).to.equal(NOON + 60_300);
  });

  it('is also requested again in the review, but not while an order is placed and shown', async () => {
    const page = await reviewed();
    await page.host.pass(30_000);
    expect(asked(page)).to.equal(2);
    await settle(page.session.placeOrder());
    const before = asked(page);
    await page.host.pass(120_000);
    expect(asked(page)).to.equal(before);
  });

  it('that is not available is requested again, and the last one stays for a minute', async () => {
    const page = await typed();
    page.world.quote = () => Promise.reject(new SwapError('timeout'));
    await page.host.pass(30_000);
    expect(quoteOf(page)).to.have.property('state', 'failed');
    expect(receives(page)).to.equal(49_850n);
    const before = asked(page);
    await page.host.pass(4_000 + 8_000 + 16_000);
    expect(asked(page)).to.equal(before + 3);
    await page.host.pass(32_000);
    expect(quoteOf(page).state).to.equal('failed');
    expect(receives(page)).to.equal(undefined);
    page.world.quote = request => Promise.resolve([aQuote(51_000n, 's', request)]);
    await page.host.pass(60_000);
    expect(receives(page)).to.equal(51_000n);
    expect(page.told().filter(kind => kind === 'error timeout')).to.have.length(1);
  });

  it('is requested by a thousand pages no more often during an outage, and never by many in one second', async () => {
    const {part} = createRandom(24);
    const perSecond = new Map<number, number>();
    for (let visitor = 0; visitor < 1_000; visitor++) {
      const page = await openSession();
      Object.assign(page.host, {random: part});
      await page.type();
      const begin = page.host.now();
      let count = 0;
      page.world.quote = () => {
        count += 1;
        const second = Math.floor((page.host.now() - begin) / 1_000);
        perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
        return Promise.reject(new SwapError('rate-limited', {retryAfter: count === 1 ? 30_000 : undefined}));
      };
      await page.host.pass(5 * 60_000);
      expect(count).to.be.within(4, 10);
      page.remove();
    }
    expect(Math.max(...perSecond.values())).to.be.below(150);
  }).timeout(scaled(120_000));

  it('is not requested before Retry-After', async () => {
    const page = await openSession();
    page.world.quote = () => Promise.reject(new SwapError('rate-limited', {retryAfter: 60_000}));
    await page.type();
    await page.host.pass(60_000);
    expect(asked(page)).to.equal(1);
    // Many pages wait for the same moment, so each adds a random delay.
    await page.host.pass(24_000);
    expect(asked(page)).to.equal(2);
  });

  for (const code of ['amount-range', 'no-route', 'config'] as const) {
    it(`is not requested again after ${code} until something else is typed`, async () => {
      const page = await openSession();
      page.world.quote = () => Promise.reject(new SwapError(code));
      await page.type();
      page.host.visible$.set(false);
      page.host.visible$.set(true);
      await page.host.pass(120_000);
      expect(asked(page)).to.equal(1);
      await page.type('0.0006');
      expect(asked(page)).to.equal(2);
    });
  }

  it('is requested on a click', async () => {
    const page = await typed();
    await settle(page.session.requote());
    expect(asked(page)).to.equal(2);
    await page.host.pass(29_999);
    expect(asked(page)).to.equal(2);
  });

  it('is not requested while the page is hidden; once visible, an old one is replaced at once, a recent one when due', async () => {
    const page = await typed();
    page.host.visible$.set(false);
    await page.host.pass(10_000);
    expect(page.session.$form.get().nextQuoteAt).to.equal(undefined);
    await settle(page.host.visible$.set(true));
    expect(asked(page)).to.equal(1);
    await page.host.pass(20_000);
    expect(asked(page)).to.equal(2);
    page.host.online$.set(false);
    await page.host.pass(20_000);
    expect(asked(page)).to.equal(2);
    page.host.online$.set(true);
    await page.host.pass(1_200);
    expect(asked(page)).to.equal(3);
  });

  it('offline is reported, disappears after a minute, and is requested again once online', async () => {
    const page = await typed();
    const {quote} = page.world;
    page.world.quote = () => Promise.reject(new SwapError('offline'));
    await settle(page.host.online$.set(false));
    expect(quoteOf(page)).to.deep.include({state: 'failed'});
    expect(page.told()).to.deep.equal(['quote', 'error offline']);
    expect(page.session.$form.get().problem).to.deep.equal({code: 'offline', field: 'amount', remedy: 'wait'});
    expect(page.session.$form.get().agreement, 'an old price can not be gone on with').to.equal(undefined);
    expect(receives(page)).to.equal(49_850n);
    await page.host.pass(60_000);
    expect(receives(page)).to.equal(undefined);
    page.session.edit({amount: '0.0006'});
    await page.host.pass(1_000);
    expect(quoteOf(page).state).to.equal('failed');
    const before = asked(page);
    page.world.quote = quote;
    page.host.online$.set(true);
    await page.host.pass(1_200);
    expect(asked(page)).to.equal(before + 1);
    expect(receives(page)).to.equal(49_850n);
    expect(page.session.$form.get().problem).to.equal(undefined);
  });

  it('is requested though the browser says that it is offline: as soon as the visitor types, else each half minute', async () => {
    const page = await openSession();
    await settle(page.host.online$.set(false));
    page.session.edit({amount: '0.0005'});
    await page.host.pass(1_000);
    expect([asked(page), quoteOf(page).state]).to.deep.equal([1, 'ready']);
    await settle(page.host.online$.set(true));
    page.world.quote = () => Promise.reject(new SwapError('offline'));
    await settle(page.host.online$.set(false));
    await page.host.pass(5 * 60_000);
    expect(asked(page)).to.be.within(8, 11);
    expect(quoteOf(page).state).to.equal('failed');
  });

  for (const [what, until] of [
    ['before it was asked', 100],
    ['before it was answered', 300],
  ] as const) {
    it(`is fetched once the page becomes visible if it was hidden ${what}`, async () => {
      const page = await openSession();
      const {quote} = page.world;
      page.world.quote = (_request, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        });
      page.session.edit({amount: '0.0005'});
      await page.host.pass(until);
      await settle(page.host.visible$.set(false));
      page.world.quote = quote;
      page.host.visible$.set(true);
      await page.host.pass(1_000);
      expect(receives(page)).to.equal(49_850n);
    });
  }

  it('is requested again by a widget that was removed and put back', async () => {
    const page = await openSession();
    page.world.quote = () => new Promise(() => undefined);
    await page.type();
    page.remove();
    page.world.quote = request => Promise.resolve([aQuote(5n, 's', request)]);
    const stop = page.session.start();
    await page.host.pass(1_000);
    expect(receives(page)).to.equal(5n);
    stop();
  });

  it('is that of the offer that the person chose', async () => {
    const page = await openSession();
    page.world.quote = request =>
      Promise.resolve([aQuote(40_000n, 'small', request), aQuote(50_000n, 'large', request)]);
    await page.type();
    page.session.choose('small');
    expect(page.session.$form.get().agreement).to.include({solverId: 'small', receive: 40_000n});
    await page.host.pass(30_000);
    expect(page.session.$form.get().offer?.solverId).to.equal('small');
  });

  it('is reported to the page once per response', async () => {
    const page = await typed();
    expect(page.told()).to.deep.equal(['quote']);
    await page.host.pass(30_000);
    expect(page.told()).to.deep.equal(['quote', 'quote']);
    const [quote] = page.events;
    expect(quote?.type === 'quote' && quote.request.amount).to.equal(50_000n);
  });

  it('is not requested while the partner has paused swaps', async () => {
    const page = await openSession({config: {paused: true}});
    page.session.edit({amount: '0.0005'});
    await page.host.pass(60_000);
    expect(asked(page)).to.equal(0);
    page.session.configure({...page.config, paused: false});
    await page.host.pass(300);
    expect(asked(page)).to.equal(1);
  });

  it('is followed by one read of the service’s lists of assets and pairs, even if that fails', async () => {
    const world = createWorld();
    const limits = {[WBTC.id]: {min: 50_000n, max: 400_000n}};
    const barred = [{from: WBTC.id, to: USDC.id}];
    const policy = {isOpen: true, groups: [], allowed: [], barred};
    type Answer = Awaited<ReturnType<Required<SwapApi>['readOffered']>>;
    let answer = (): Promise<Answer> => Promise.resolve({limits, listed: new Set([WBTC.id, 'somewhere:else']), policy});
    let asked = 0;
    const api = (): SwapApi => ({
      ...world.service,
      readOffered: () => {
        asked++;
        return answer();
      },
    });
    const page = await openSession({world, config: {api: api()}});
    page.session.edit({amount: '0.0005'});
    await page.host.pass(60_000);
    expect(asked, 'of a service that tells no more than is documented').to.equal(0);
    world.quote = request => Promise.resolve([{...aQuote(request.amount, 'later', request), estimatedSeconds: 60}]);
    await page.host.pass(60_000);
    expect(asked).to.equal(1);
    const {routes} = page.session.$form.get();
    expect([page.session.$form.get().limits, routes?.policy, routes?.listed]).to.deep.equal([
      limits,
      policy,
      undefined,
    ]);
    // The limits are only a hint: an amount outside them is requested anyway.
    page.session.edit({amount: '0.0004'});
    await page.host.pass(1_000);
    expect([page.session.$form.get().problem, page.session.$form.get().offer?.source.amount]).to.deep.equal([
      undefined,
      40_000n,
    ]);
    // But a whole balance is not more than the balance.
    expect(page.session.$form.get().most).to.equal(400_000n);
    page.session.edit({to: USDC.id});
    expect(page.session.$form.get().problem?.code).to.equal('no-route');
    await page.host.pass(1_000);
    expect(page.session.$form.get().problem, 'a price is a route').to.equal(undefined);
    answer = () => Promise.reject(new SwapError('service'));
    page.session.configure({...page.config, api: api(), service: 'https://other.test'});
    page.session.edit({amount: '4'});
    await page.host.pass(1_000);
    const price = page.session.$form.get();
    expect([asked, price.limits, price.routes]).to.deep.equal([2, {}, undefined]);
    expect(page.told().filter(told => told.startsWith('error'))).to.deep.equal([]);
  });

  it('that the service refused for its pair is not asked for again, and another pair is proposed', async () => {
    const world = createWorld();
    world.quote = request =>
      request.to.id === USDC.id
        ? Promise.reject(new SwapError('no-route'))
        : Promise.resolve([aQuote(49_000n, 'any', request)]);
    const page = await openSession({world});
    page.session.edit({amount: '0.0005', to: USDC.id});
    await page.host.pass(60_000);
    expect([asked(page), page.session.$form.get().problem?.code]).to.deep.equal([1, 'no-route']);
    const {deed} = page.session.$form.get();
    if (deed.does === 'take') page.session.edit({from: deed.pair.from.id, to: deed.pair.to.id});
    await page.host.pass(1_000);
    expect([page.session.$form.get().draft.from, page.session.$form.get().offer !== undefined]).to.deep.equal([
      WBTC.id,
      true,
    ]);
    page.session.edit({amount: '', to: USDC.id});
    expect(page.session.$form.get().problem?.code, 'it is remembered').to.equal('no-route');
  });

  it('forgets the limits of a service with that service', async () => {
    const world = createWorld();
    world.quote = () => Promise.reject(new SwapError('amount-range', {range: {min: 50_000n, max: 400_000n}}));
    const page = await openSession({world});
    page.session.edit({amount: '4'});
    await page.host.pass(1_000);
    expect(page.session.$form.get().limits).to.deep.equal({[WBTC.id]: {min: 50_000n, max: 400_000n}});
    page.session.configure({...page.config, paused: false});
    expect(Object.keys(page.session.$form.get().limits)).to.deep.equal([WBTC.id]);
    page.session.configure({...page.config, service: 'https://other.test'});
    expect(page.session.$form.get().limits).to.deep.equal({});
  });

  it('without an app id causes one console warning on mainnet', async () => {
    const main = createCatalogue({families: ['evm'], hints: ['base:usdc']});
    const warned = await listenToConsole('warn', async () => {
      for (const config of [{hasAppId: false}, {catalogue: main, hasAppId: true}, {catalogue: main, hasAppId: false}]) {
        const page = await openSession({config, bare: true});
        page.session.edit({amount: '1'});
        await page.host.pass(60_000);
      }
    });
    expect(warned.length).to.equal(1);
    expect(warned[0]).to.match(/^<swap-widget> app-id:/);
  });

  it('is retried for another amount as soon as for the first, however often that failed', async () => {
    const world = createWorld(DEPOSIT, {quote: () => Promise.reject(new SwapError('no-quote'))});
    const page = await openSession({world});
    const untilRetry = async (amount: string) => {
      page.session.edit({amount});
      await page.host.pass(300);
      return (page.session.$form.get().nextQuoteAt ?? Infinity) - page.host.now();
    };
    const first = await untilRetry('0.0005');
    await page.host.pass(60_000);
    expect(await untilRetry('0.0006')).to.equal(first);
  });

  it('is requested again once a refused app id is corrected', async () => {
    const world = createWorld();
    world.quote = () => Promise.reject(new SwapError('config', {field: 'app-id', detail: '401'}));
    const page = await openSession({world});
    page.session.edit({amount: '0.0005'});
    await page.host.pass(60_000);
    expect(quoteOf(page).state).to.equal('failed');
    page.session.configure({...page.config, api: createWorld().service});
    await page.host.pass(1_000);
    expect(quoteOf(page).state).to.equal('ready');
  });
});

describe('a swap that would fail later', () => {
  it('is avoided by “Max” once the service has refused more', async () => {
    const page = await openSession();
    const {quote} = page.world;
    page.world.quote = request =>
      request.amount > 90_000n
        ? Promise.reject(new SwapError('amount-range', {range: {min: 60_000n, max: 90_000n}}))
        : quote(request);
    await page.type();
    expect(page.session.$form.get().most).to.equal(1_000_000n);
    await page.type('0.01');
    expect(page.session.$form.get().problem).to.deep.include({code: 'amount-range', use: 90_000n});
    expect(page.session.$form.get().most).to.equal(90_000n);
    await page.type('0.0009');
    expect(page.session.$form.get().problem).to.equal(undefined);
  });

  it('cannot be reviewed with less than the amount in the account, which is read every few seconds', async () => {
    const page = await openSession();
    let reads = 0;
    await page.type('0.02');
    expect(page.session.$form.get().problem).to.deep.include({code: 'not-enough', use: 1_000_000n});
    await settle(page.session.review());
    expect(page.session.$view.get()).to.equal('form');
    const has = (amount: bigint) => () => {
      reads += 1;
      return Promise.resolve(amount);
    };
    page.world.balance = has(1_000_000n);
    await page.host.pass(20_000);
    expect(reads).to.be.within(3, 5);
    page.host.visible$.set(false);
    await page.host.pass(60_000);
    expect(reads, 'nobody sees it').to.be.within(3, 5);
    page.host.visible$.set(true);
    page.world.balance = has(3_000_000n);
    await page.host.pass(6_500);
    expect(page.session.$form.get().problem).to.equal(undefined);
    reads = 0;
    await page.host.pass(20_000);
    expect(reads, 'it is enough').to.equal(0);
    await settle(page.session.review());
    expect(page.session.$view.get()).to.equal('review');
  });

  it('leads back to the form if it is found in the review', async () => {
    const world = createWorld();
    const balance = later<bigint>();
    world.balance = () => balance.promise;
    const page = await openSession({world});
    await page.review('0.02');
    expect(page.session.$view.get()).to.equal('review');
    await settle(balance.keep(5n));
    expect(page.session.$view.get()).to.equal('form');
    expect(page.session.$form.get().problem).to.deep.include({code: 'not-enough', use: 5n});
  });
});

describe('a cost above the limit', () => {
  const costing = (received: string) => (request: QuoteRequest) => {
    const quote = aQuote(49_000n, 'solver-1', request);
    return Promise.resolve([
      {
        ...quote,
        source: {...quote.source, value: '100'},
        destination: {...quote.destination, value: received},
      },
    ]);
  };

  it('is confirmed after everything else, and not again in the review', async () => {
    const page = await openSession();
    page.session.edit({recipient: `0x${'5'.repeat(40)}`, amount: '0.0005'});
    page.world.quote = costing('93');
    await page.host.pass(300);
    expect(page.session.$form.get().problem?.code).to.equal('confirm-recipient');
    await settle(page.session.confirm('recipient'));
    expect(page.session.$form.get().problem?.code).to.equal('confirm-cost');
    await settle(page.session.confirm('cost'));
    await settle(page.session.review());
    page.world.quote = costing('80');
    await page.host.pass(30_000);
    expect(page.session.$view.get()).to.equal('review');
    expect(page.session.$form.get().agreement).not.to.equal(undefined);
  });
});

function requestOf({session}: TestPage) {
  const request = session.$form.get().request;
  if ('code' in request) throw new Error(request.code);
  return request;
}
