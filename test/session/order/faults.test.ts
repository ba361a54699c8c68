/**
 * Faults between a page and its service, and their effect on a swap: what the person sees, what the page is told, what
 * is stored, and how many requests the service gets. The client is the real one.
 */
import {expect} from '../../support/expect.js';
// Normally loaded with the first request; here in advance, so that nothing waits for it.
import '../../../src/api/client.js';
import type {SwapApi, Timeouts} from '../../../src/api/client.js';
import {createSwapApi} from '../../../src/api/settings.js';
import {createCatalogue} from '../../../src/domain/catalogue.js';
import {SwapError, type SwapErrorCode} from '../../../src/domain/error.js';
import type {Remote} from '../../../src/domain/remote.js';
import {scriptedFetch, type ScriptedAnswer} from '../../support/fetch.js';
import {samples} from '../../support/samples.js';
import {
  createWorld,
  HASH,
  openSession,
  SERVICE,
  settle,
  type TestPage,
  type World,
  DEPOSIT,
} from '../../support/session.js';
import {NOON, OTHER_WBTC, PAYER, SOLVER, WBTC, MINUTE} from '../../support/swap.js';
import {entriesIn, fundingIn, shownIn, statusIn} from '../../support/shown.js';

/* -- the service on the wire --------------------------------------------------------------------------------------- */

const TIMEOUTS: Timeouts = {read: 300, write: 300, pause: 1};
/** How long a new order may be unknown to its service. */
const NOT_YET_MS = 30_000;
const BTC = 'bitcoin_testnet:btc';

type Endpoint = 'quote' | 'order' | 'initiate' | 'read';
type Wire = Readonly<Record<string, unknown>>;

/** An order in the service's format: with these fields of its source, its destination, and itself. */
interface Described {
  readonly source?: Wire;
  readonly destination?: Wire;
  readonly order?: Wire;
}

/** Fields of a leg paid by these transactions, in this block if there is one, at a time in milliseconds. */
const paid = (hashes: string, block = 0, {filled = '50000', at = NOON + MINUTE} = {}): Wire => ({
  filled_amount: filled,
  initiate_tx_hash: hashes,
  initiate_block_number: String(block),
  initiate_timestamp: block ? new Date(at).toISOString() : null,
  current_confirmations: block ? 1 : 0,
});

function createService(family: 'evm' | 'bitcoin') {
  const from = family === 'evm' ? WBTC.id : BTC;
  const orderId = (samples[family].order.result as {order_id: string}).order_id;
  const service = {
    orderId,
    described: {} as Described,
    /** What an endpoint returns instead of its valid response. */
    faults: {} as Partial<Record<Endpoint, (good: string) => ScriptedAnswer>>,
    asked: {quote: 0, order: 0, initiate: 0, read: 0},
    awaited: 0,
  };

  const goodAnswers: Record<Endpoint, () => unknown> = {
    quote() {
      const [offer] = samples[family].quote.result as [{source: Wire; destination: Wire}];
      const source = {...offer.source, asset: from};
      return [{...offer, source, destination: {...offer.destination, asset: OTHER_WBTC.id}}];
    },
    order: () => samples[family].order.result,
    initiate: () => ({order_id: orderId, amount: '50000'}),
    read() {
      const {source_swap, destination_swap, ...order} = samples.evm.status.result as Record<string, Wire>;
      const {source, destination, order: own} = service.described;
      return {
        ...order,
        created_at: new Date(NOON).toISOString(),
        order_id: orderId,
        source_swap: {...source_swap, chain: from.split(':')[0], asset: from, ...source},
        destination_swap: {...destination_swap, chain: OTHER_WBTC.chain.name, asset: OTHER_WBTC.id, ...destination},
        ...own,
      };
    },
  };

  const fetch: typeof globalThis.fetch = (input, init) => {
    const {method = 'GET'} = init ?? {};
    const isQuote = String(input).includes('/quote');
    const endpoint = method === 'POST' ? 'order' : method === 'PATCH' ? 'initiate' : isQuote ? 'quote' : 'read';
    service.asked[endpoint]++;
    const good = JSON.stringify({status: 'Ok', result: goodAnswers[endpoint]()});
    const answer = service.faults[endpoint]?.(good) ?? {body: good};
    return scriptedFetch(answer).fetch(input, init);
  };

  const client = createSwapApi({baseUrl: SERVICE, fetch}, TIMEOUTS);
  const counted = async <T>(answer: Promise<T>) => {
    service.awaited++;
    try {
      return await answer;
    } finally {
      service.awaited--;
    }
  };
  const api: SwapApi = {
    quote: (...args) => counted(client.quote(...args)),
    createOrder: (...args) => counted(client.createOrder(...args)),
    initiate: (...args) => counted(client.initiate(...args)),
    readOrder: (...args) => counted(client.readOrder(...args)),
  };
  return Object.assign(service, {api});
}

/* -- a person ------------------------------------------------------------------------------------------------------ */

interface Person {
  readonly page: TestPage;
  readonly world: World;
  readonly service: ReturnType<typeof createService>;
  wait(milliseconds?: number): Promise<void>;
  type(): Promise<void>;
  order(): Promise<void>;
  press(what: 'order' | 'pay'): Promise<void>;
  reload(): Promise<Person>;
}

/** A person who has typed nothing yet. No chain can be read: there is only the service's word. */
async function open(family: 'evm' | 'bitcoin' = 'evm'): Promise<Person> {
  const service = createService(family);
  const world = createWorld(DEPOSIT, {depositState: () => Promise.resolve('unknown')});
  const {api} = service;
  const page = await openSession(
    family === 'evm'
      ? {world, config: {api}}
      : {world, bare: true, config: {api, catalogue: createCatalogue({families: ['bitcoin', 'evm'], hints: [BTC]})}},
  );
  return at({page, world, service});
}

function at({page, world, service}: Pick<Person, 'page' | 'world' | 'service'>): Person {
  const {session, host, config} = page;
  const quiet = async () => {
    await settle();
    while (service.awaited) {
      await new Promise(resolve => setTimeout(resolve, 4));
      await settle();
    }
  };
  const person: Person = {
    page,
    world,
    service,
    async wait(milliseconds = 0) {
      const step = Math.max(5_000, milliseconds / 20);
      for (let left = milliseconds; left > 0; left -= step) {
        await host.pass(Math.min(left, step));
        await quiet();
      }
      await quiet();
    },
    async type() {
      if (config.catalogue.find(BTC))
        session.edit({from: BTC, to: OTHER_WBTC.id, recipient: PAYER, refundAddress: 'tb1qown'});
      await settle();
      session.edit({amount: '0.0005'});
      await person.wait(300);
    },
    async order() {
      await person.type();
      session.review();
      await person.press('order');
    },
    async press(what) {
      void (what === 'order' ? session.placeOrder() : session.pay());
      await quiet();
    },
    async reload() {
      const again = at({page: await page.reload(), world, service});
      await again.wait();
      return again;
    },
  };
  return person;
}

/** What the person sees, the errors that the page is told, what is stored, and the writes that the service got. */
function stateOf({page, service}: Person) {
  const {session} = page;
  const {$stage, $form, $order} = session;
  const codeIn = (remote: Remote<unknown>) => (remote.state === 'failed' ? remote.error.code : undefined);
  const codes = {
    $quote: codeIn($form.get().quote),
    $order: codeIn($order.get()),
    funding: fundingIn(session).error?.code,
    reading: codeIn(statusIn(session)),
  };
  return {
    stage: $stage.get(),
    shown: Object.entries(codes).flatMap(([store, code]) => (code ? [`${store} ${code}`] : [])),
    heard: page.events.flatMap(event => (event.type === 'error' ? [event.error.code] : [])),
    kept: entriesIn(session).length ? page.walletRequests(service.orderId) : 'nothing',
    writes: {POST: service.asked.order, PATCH: service.asked.initiate},
  };
}

const walletRequestsOf = ({world}: Person) => world.log.filter(entry => entry.startsWith('wallet'));

/* -- faults of a response ------------------------------------------------------------------------------------------ */

const no = (status: number, error: string) => (): ScriptedAnswer => ({status, body: {status: 'Error', error}});
const html = (status: number) => (): ScriptedAnswer => ({
  status,
  body: '<!doctype html><h1>Sorry</h1>',
  headers: {'content-type': 'text/html'},
});
const tooMany = () => ({status: 429});
const waitAMinute = () => ({status: 429, headers: {'retry-after': '60'}});
const slow = () => 'silent' as const;
const wrongTypes = () => ({body: {status: 'Ok', result: [7]}});
const nested = () => ({body: `{"status":"Ok","result":${'['.repeat(40)}${']'.repeat(40)}}`});
const cutOff = (good: string) => ({body: good.slice(0, -20)});
const TEN_MEGABYTES = ' '.repeat(10_000_000);
const tenMegabytes = (good: string) => ({body: good.slice(0, -1) + TEN_MEGABYTES + '}'});
const noAfterAll = (good: string) => ({body: `${good.slice(0, -1)},"status":"Error","error":"not today"}`});
const tooLarge = (good: string) => ({body: good.replace(/"(amount|value)":"[^"]*"/g, '"$1":9007199254740993')});

interface Fault {
  readonly what: string;
  readonly answer: (good: string) => ScriptedAnswer;
  /** The code that is shown and reported. */
  readonly code: SwapErrorCode;
  /** How often a price is requested before that. */
  readonly tries: 1 | 2;
  /** The result for a submitted signature: rejected, accepted, or unknown. */
  readonly signature: 'refused' | 'taken' | 'unclear';
}

const FIREWALL = html(403);

/** Each row is met by a quote, an order, a signature, and by reads before and after the payment. */
const faults = (
  [
    // what, answer, code, tries, signature
    ['a rejection with a message (400)', no(400, 'not today'), 'service', 1, 'refused'],
    ['a rejection of the app id (401)', no(401, 'unauthorized'), 'config', 1, 'refused'],
    ['a firewall’s page (403)', FIREWALL, 'rate-limited', 1, 'unclear'],
    ['not found (404)', no(404, 'not found'), 'service', 1, 'refused'],
    ['a conflict (409)', no(409, 'conflict'), 'service', 1, 'unclear'],
    ['too many requests (429)', tooMany, 'rate-limited', 1, 'unclear'],
    ['too many requests, a minute to wait', waitAMinute, 'rate-limited', 1, 'unclear'],
    ['a page of its proxy (502)', html(502), 'service', 2, 'unclear'],
    ['no connection', () => 'broken', 'timeout', 2, 'unclear'],
    ['a reset in the middle of the body', () => 'cut', 'timeout', 2, 'unclear'],
    ['no response in time', slow, 'timeout', 1, 'unclear'],
    ['truncated JSON', cutOff, 'unreadable', 2, 'unclear'],
    ['a page instead of JSON (200)', html(200), 'unreadable', 2, 'unclear'],
    ['an error with 200', no(200, 'not today'), 'service', 1, 'refused'],
    ['wrong types', wrongTypes, 'unreadable', 1, 'taken'],
    ['a body of ten megabytes', tenMegabytes, 'unreadable', 2, 'unclear'],
    ['a body that is nested too deeply', nested, 'unreadable', 2, 'unclear'],
    ['a duplicate field, the second a rejection', noAfterAll, 'service', 1, 'refused'],
    ['an amount beyond 2^53 as a number', tooLarge, 'unreadable', 1, 'taken'],
  ] satisfies readonly [Fault['what'], Fault['answer'], Fault['code'], Fault['tries'], Fault['signature']][]
).map(([what, answer, code, tries, signature]): Fault => ({what, answer, code, tries, signature}));

/** What remains after a fault of each kind. */
const SIGNATURES = {
  refused: {
    says: 'a no, after which a transaction is the way',
    stage: 'awaiting-deposit',
    kept: ['sign signed', 'initiate refused'],
    isSaid: false,
  },
  taken: {
    says: 'a yes, after which nothing is asked',
    stage: 'funding',
    kept: ['sign signed', 'initiate sent'],
    isSaid: false,
  },
  unclear: {
    says: 'nobody knows, so nothing is asked',
    stage: 'funding',
    kept: ['sign signed', 'initiate asking'],
    isSaid: true,
  },
} as const;

describe('A swap whose service responds with', () => {
  for (const {what, answer, code, tries, signature} of faults) {
    describe(what, () => {
      /** The page is told of an order unknown to its service. */
      const isReported = what === 'not found (404)';
      // Without any valid response, the app id may be wrong.
      const first = answer === FIREWALL ? 'config' : code;
      it(`to a quote: no price, “${first}”, ${String(tries)} tries; nothing is stored`, async () => {
        const person = await open();
        const {page, service} = person;
        service.faults.quote = answer;
        await person.type();
        page.session.review();
        const writes = {POST: 0, PATCH: 0};
        const state = {stage: 'editing', shown: [`$quote ${first}`], heard: [first], kept: 'nothing', writes};
        expect(stateOf(person)).to.deep.equal(state);
        expect(service.asked.quote).to.equal(tries);

        service.faults = {};
        await person.wait(1.5 * MINUTE);
        // Retrying does not correct wrong settings.
        const shown = first === 'config' ? state.shown : [];
        expect(stateOf(person)).to.deep.equal({...state, shown});
      });

      it(`to an order: the review, “${code}”; nothing is stored, and only a click tries again`, async () => {
        const person = await open();
        person.service.faults.order = answer;
        await person.order();
        const writes = {POST: 1, PATCH: 0};
        const state = {stage: 'reviewing', shown: [`$order ${code}`], heard: [code], kept: 'nothing', writes};
        expect(stateOf(person)).to.deep.equal(state);
        await person.wait(MINUTE);
        expect(stateOf(person)).to.deep.equal(state);

        person.service.faults = {};
        await person.press('order');
        expect(stateOf(person)).to.deep.equal({
          stage: 'funding',
          shown: [],
          heard: [code],
          kept: ['sign signed', 'initiate sent'],
          writes: {POST: 2, PATCH: 1},
        });
      });

      it(`to a signature: ${SIGNATURES[signature].says}, and it is never submitted twice`, async () => {
        const person = await open();
        const {service} = person;
        service.faults.initiate = answer;
        await person.order();
        const {stage, kept, isSaid} = SIGNATURES[signature];
        const state = {
          stage,
          // The order is read well right after it, which takes back what the request said.
          shown: [],
          heard: isSaid ? [code] : [],
          kept,
          writes: {POST: 1, PATCH: 1},
        };
        expect(stateOf(person)).to.deep.equal(state);
        await person.wait(MINUTE);
        expect(stateOf(person)).to.deep.equal(state);
        const isSaidWhy = fundingIn(person.page.session).refusedBecause !== undefined;
        expect(isSaidWhy).to.equal(signature === 'refused');

        service.faults = {};
        await person.press('pay');
        // The other method is offered after an explicit rejection; what may be paid is not paid again.
        const isFree = signature === 'refused';
        expect(walletRequestsOf(person)).to.deep.equal(isFree ? ['wallet sign', 'wallet send'] : ['wallet sign']);
        expect(stateOf(person).writes).to.deep.equal(state.writes);
        service.described = {source: paid(HASH, 100)};
        await person.wait(MINUTE);
        expect(stateOf(person)).to.deep.include({stage: 'settling', heard: state.heard, writes: state.writes});
      });

      it(`to a read before the payment: “${code}”, and no wallet is prompted; a click pays later`, async () => {
        const person = await open();
        person.service.faults.read = answer;
        await person.order();
        // A new order may not be known to all of the service yet.
        if (isReported) await person.wait(NOT_YET_MS + 10_000);
        expect(stateOf(person)).to.deep.equal({
          stage: 'awaiting-deposit',
          shown: [`funding ${code}`, `reading ${code}`],
          heard: isReported ? [code, code] : [code],
          kept: [],
          writes: {POST: 1, PATCH: 0},
        });
        expect(walletRequestsOf(person)).to.deep.equal([]);

        person.service.faults = {};
        await person.wait(1.5 * MINUTE);
        expect(stateOf(person).shown, 'after good responses').to.deep.equal([]);
        expect(walletRequestsOf(person)).to.deep.equal([]);
        await person.press('pay');
        expect(stateOf(person)).to.deep.equal({
          stage: 'funding',
          shown: [],
          heard: isReported ? [code, code] : [code],
          kept: ['sign signed', 'initiate sent'],
          writes: {POST: 1, PATCH: 1},
        });
      });

      it(`to a read after the payment: the last valid response stays, with “${code}” beside it`, async () => {
        const person = await open();
        const {service} = person;
        await person.order();
        service.described = {source: paid(HASH, 100)};
        await person.wait(isReported ? NOT_YET_MS : 5_000);
        const kept = ['sign signed', 'initiate sent'];
        const state = {stage: 'settling', shown: [], heard: [], kept, writes: {POST: 1, PATCH: 1}};
        expect(stateOf(person)).to.deep.equal(state);

        service.faults.read = answer;
        await person.wait(20_000);
        const heard = isReported ? [code] : [];
        expect(stateOf(person)).to.deep.equal({...state, shown: [`reading ${code}`], heard});
        service.faults = {};
        await person.wait(MINUTE + 1_000);
        expect(stateOf(person)).to.deep.equal({...state, heard});
      });
    });
  }
});

describe('A new order whose id is none', () => {
  for (const id of ['..', 'a b', 'a\n', 'x'.repeat(129)]) {
    it(`is as lost as one without a response: ${JSON.stringify(id).slice(0, 12)}`, async () => {
      for (const family of ['evm', 'bitcoin'] as const) {
        const person = await open(family);
        const {page, service} = person;
        const change = (good: string) => ({body: good.replace(service.orderId, JSON.stringify(id).slice(1, -1))});
        service.faults.order = change;
        await person.order();
        await person.wait(MINUTE);
        const writes = {POST: 1, PATCH: 0};
        const state = {
          stage: 'reviewing',
          shown: ['$order unreadable'],
          heard: ['unreadable'],
          kept: 'nothing',
          writes,
        };
        expect(stateOf(person)).to.deep.equal(state);
        expect(shownIn(page.session)).to.equal(undefined);
        expect(walletRequestsOf(person)).to.deep.equal([]);
        expect(service.asked.read).to.equal(0);
      }
    });
  }
});

/* -- a service that is behind itself ------------------------------------------------------------------------------- */

function unknownAtFirst(service: Person['service'], times: number) {
  service.faults.read = good => (times-- > 0 ? no(404, 'order not found')() : {body: good});
}

/** A service whose reads have no secret hash for the next responses. */
function unmatchedAtFirst(service: Person['service'], times: number) {
  service.described = {source: {secret_hash: ''}};
  service.faults.read = good => {
    if (--times === 0) service.described = {};
    return {body: good};
  };
}

for (const [what, begin] of [
  ['does not know', unknownAtFirst],
  ['has not matched', unmatchedAtFirst],
] as const) {
  describe(`A service that ${what} a new order yet`, () => {
    it('is asked again, and nothing is said: the wallet is prompted once it does', async () => {
      const person = await open();
      begin(person.service, 3);
      await person.order();
      expect(walletRequestsOf(person)).to.deep.equal([]);
      expect(stateOf(person)).to.deep.include({stage: 'awaiting-deposit', shown: [], heard: []});
      await person.wait(10_000);
      expect(stateOf(person)).to.deep.equal({
        stage: 'funding',
        shown: [],
        heard: [],
        kept: ['sign signed', 'initiate sent'],
        writes: {POST: 1, PATCH: 1},
      });
    });
  });
}

describe('A service that does not know a new order yet', () => {
  it('is asked again before an address is shown', async () => {
    const person = await open('bitcoin');
    unknownAtFirst(person.service, 3);
    await person.order();
    expect(shownIn(person.page.session)?.report).to.equal(undefined);
    expect(stateOf(person)).to.deep.include({shown: [], heard: []});
    await person.wait(10_000);
    expect(shownIn(person.page.session)?.report?.outcome).to.equal('passed');
    expect(stateOf(person)).to.deep.include({stage: 'awaiting-deposit', shown: [], heard: []});
  });

  it('is said to not know it after half a minute, until it does', async () => {
    const person = await open('bitcoin');
    person.service.faults.read = no(404, 'order not found');
    await person.order();
    await person.wait(NOT_YET_MS - 5_000);
    expect(stateOf(person)).to.deep.include({shown: [], heard: []});
    await person.wait(10_000);
    const heard = ['service', 'service'];
    expect(stateOf(person)).to.deep.include({shown: ['funding service', 'reading service'], heard});
    person.service.faults = {};
    await person.wait(MINUTE);
    expect(stateOf(person)).to.deep.include({stage: 'awaiting-deposit', shown: [], heard});
    expect(shownIn(person.page.session)?.report?.outcome).to.equal('passed');
  });

  it('has half a minute by a clock that is never set', async () => {
    const person = await open();
    person.service.faults.read = no(404, 'order not found');
    await person.order();
    person.page.host.sleep(30 * MINUTE);
    await person.wait(10_000);
    expect(stateOf(person)).to.deep.include({shown: [], heard: []});
    person.service.faults = {};
    await person.wait(10_000);
    expect(walletRequestsOf(person)).to.deep.equal(['wallet sign']);
  });

  it('prompts no wallet for an order that the person has left, nor for a removed widget', async () => {
    for (const leave of [({page}: Person) => page.session.reset(), ({page}: Person) => page.remove()]) {
      const person = await open();
      unknownAtFirst(person.service, 3);
      await person.order();
      leave(person);
      const {read} = person.service.asked;
      await person.wait(MINUTE);
      expect(walletRequestsOf(person)).to.deep.equal([]);
      expect(stateOf(person).kept).to.deep.equal([]);
      expect(person.service.asked.read - read).to.be.below(8);
    }
  });
});

describe('A service that has not matched a new order yet', () => {
  for (const family of ['evm', 'bitcoin'] as const) {
    it(`is said to be unreadable after half a minute, until it has: ${family}`, async () => {
      const person = await open(family);
      unmatchedAtFirst(person.service, Infinity);
      await person.order();
      await person.wait(NOT_YET_MS - 5_000);
      expect(stateOf(person)).to.deep.include({shown: [], heard: []});
      await person.wait(MINUTE);
      const state = {stage: 'awaiting-deposit', heard: ['unreadable'], kept: []};
      expect(stateOf(person)).to.deep.include({...state, shown: ['funding unreadable']});
      person.service.described = {};
      await person.wait(MINUTE);
      expect(stateOf(person)).to.deep.include({...state, shown: []});
      const isTransfer = family === 'bitcoin';
      expect(shownIn(person.page.session)?.report?.outcome).to.equal(isTransfer ? 'passed' : undefined);
      if (isTransfer) return;
      await person.press('pay');
      expect(walletRequestsOf(person)).to.deep.equal(['wallet sign']);
    });
  }

  it('is not waited for with an order that was placed on an earlier page', async () => {
    const placed = await open();
    unmatchedAtFirst(placed.service, Infinity);
    await placed.order();
    const person = await placed.reload();
    await person.press('pay');
    expect(stateOf(person).shown).to.deep.equal(['funding unreadable']);
    person.service.described = {};
    await person.wait(MINUTE);
    expect(stateOf(person)).to.deep.include({shown: [], kept: []});
  });
});

describe('A good response', () => {
  it('takes back no check that could not run, nor one that failed', async () => {
    const person = await open();
    const {world, page} = person;
    world.check = () => Promise.reject(new SwapError('timeout', {detail: 'its code did not load'}));
    await person.order();
    await person.wait(MINUTE);
    expect(stateOf(person)).to.deep.include({stage: 'awaiting-deposit', shown: ['funding timeout'], kept: []});
    world.check = () => Promise.resolve([{name: 'amount', outcome: 'failed'}]);
    await person.press('pay');
    await person.wait(MINUTE);
    expect(stateOf(person)).to.deep.include({stage: 'stopped', heard: ['timeout', 'deposit-mismatch'], kept: []});
    expect(shownIn(page.session)?.report?.outcome).to.equal('failed');
  });

  it('is not needed to take back that the browser was offline: being online is enough', async () => {
    const person = await open();
    const {world, page, service} = person;
    world.wallet = () => Promise.reject(new SwapError('rejected'));
    await person.order();
    page.host.online$.set(false);
    service.api.readOrder = () => Promise.reject(new SwapError('offline'));
    await person.press('pay');
    expect(fundingIn(page.session).error?.code).to.equal('offline');
    service.api.readOrder = () => new Promise(() => {});
    await settle(page.host.online$.set(true));
    expect(fundingIn(page.session).error).to.equal(undefined);
  });

  it('takes back that no answer to the person’s “no” was possible, and the question stays', async () => {
    const person = await open();
    person.world.wallet = () => Promise.reject(new SwapError('wallet-unclear'));
    person.world.unsigned = 'it does not sign';
    await person.order();
    expect(stateOf(person)).to.deep.include({
      stage: 'funding',
      shown: ['funding wallet-unclear'],
      kept: ['send asking'],
    });
    person.service.faults.read = html(502);
    await person.page.session.answer(false);
    await person.wait();
    expect(stateOf(person).shown).to.deep.equal(['funding service', 'reading service']);
    person.service.faults = {};
    await person.wait(MINUTE);
    expect(stateOf(person)).to.deep.include({stage: 'funding', shown: [], kept: ['send asking']});
  });
});

/* -- an order that changes ----------------------------------------------------------------------------------------- */

const changes: readonly [what: string, change: Described][] = [
  ['the amount to pay', {source: {amount: '90000'}}],
  ['the amount to get', {destination: {amount: '1'}}],
  ['the recipient', {destination: {redeemer: SOLVER}}],
  ['the secret', {source: {secret_hash: 'ab'.repeat(32)}}],
  ['the time after which it can be taken back', {source: {timelock: 720_000}}],
];

describe('A service that changes, between two reads,', () => {
  for (const [what, change] of changes) {
    it(`${what} of an unpaid order: the swap stops, and no wallet is prompted`, async () => {
      const person = await open();
      const {world, service, page} = person;
      const agreed: string[] = [];
      // What a family's checks compare an order with.
      world.check = ({order}) => {
        const {source, destination} = order!;
        const {amount, secretHash, timelock} = source;
        const found = [amount, secretHash, timelock, destination.amount, destination.redeemer].join();
        if (!agreed.length) agreed.push(found);
        return Promise.resolve([{name: 'order', outcome: agreed.includes(found) ? 'passed' : 'failed'}]);
      };
      world.wallet = () => Promise.reject(new SwapError('rejected'));
      await person.order();
      service.described = change;
      await person.press('pay');
      expect(stateOf(person)).to.deep.equal({
        stage: 'stopped',
        shown: [],
        heard: ['rejected', 'deposit-mismatch'],
        kept: ['sign refused'],
        writes: {POST: 1, PATCH: 0},
      });
      await page.session.pay();
      expect(walletRequestsOf(person)).to.deep.equal(['wallet sign']);
    });

    it(`${what} of a paid order: it is reported once, stored, and the order is followed`, async () => {
      const person = await open();
      const {service, page} = person;
      await person.order();
      const {source, destination = {}} = change;
      service.described = {source: {...paid(HASH, 100), ...source}, destination};
      await person.wait(MINUTE);
      const {heard, ...state} = stateOf(person);
      expect(heard).to.deep.equal(['order-changed']);
      expect(state).to.deep.include({kept: ['sign signed', 'initiate sent'], writes: {POST: 1, PATCH: 1}});
      expect(entriesIn(page.session)[0]?.changed).to.equal(true);
      await person.press('pay');
      expect(walletRequestsOf(person)).to.deep.equal(['wallet sign']);
    });
  }
});

/* -- code that cannot be loaded ------------------------------------------------------------------------------------ */

describe('A family’s code that cannot be loaded', () => {
  /** An order after a reload, whose family's code cannot be loaded until the test repairs that. */
  async function reloaded(family: 'evm' | 'bitcoin', described: Described = {}) {
    const person = await open(family);
    await person.order();
    person.service.described = described;
    await person.wait(5_000);
    const {load} = person.world;
    person.world.load = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
    const again = await person.reload();
    return {again, mend: () => void (person.world.load = load)};
  }

  it('shows no address of an order that cannot be checked, and shows it once it can', async () => {
    const {again, mend} = await reloaded('bitcoin');
    const addressIsShown = () => shownIn(again.page.session)?.report?.outcome === 'passed';
    const state = {stage: 'awaiting-deposit', kept: [], heard: ['timeout'], writes: {POST: 1, PATCH: 0}};
    expect(stateOf(again)).to.deep.equal({...state, shown: ['funding timeout']});
    expect(addressIsShown()).to.equal(false);
    mend();
    await again.wait(MINUTE);
    expect(stateOf(again)).to.deep.equal({...state, shown: []});
    expect(addressIsShown()).to.equal(true);
  });

  it('does not stop a paid order from being followed', async () => {
    const {again, mend} = await reloaded('evm', {source: paid(HASH, 100)});
    const kept = ['sign signed', 'initiate sent'];
    const state = {stage: 'settling', shown: [], kept, heard: [], writes: {POST: 1, PATCH: 1}};
    await again.wait(MINUTE);
    expect(stateOf(again)).to.deep.equal(state);
    mend();
    await again.wait(MINUTE);
    expect(stateOf(again)).to.deep.equal(state);
  });
});
