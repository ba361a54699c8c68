import {expect} from '../support/expect.js';
import {errorOf} from '../support/funding.js';
import {createSwapApi, type SwapApiOptions} from '../../src/api/settings.js';
import {type Timeouts, type SwapApi} from '../../src/api/client.js';
import type {Asset} from '../../src/domain/asset.js';
import {SwapError, type SwapErrorCode} from '../../src/domain/error.js';
import {scriptedFetch, type ScriptedAnswer, type SentRequest} from '../support/fetch.js';
import {onPage} from '../support/prototypes.js';
import {samples} from '../support/samples.js';
import {anAgreement, aRequest, ORDER_ID, OTHER_WBTC, PAYER, SOLVER, WBTC} from '../support/swap.js';

const APP_ID = '0123456789abcdef'.repeat(4);
const QUICK: Timeouts = {read: 60, write: 90, pause: 10};

const agreed = anAgreement({from: OTHER_WBTC, to: WBTC, recipient: SOLVER});

function open(answers: readonly ScriptedAnswer[], options: Partial<SwapApiOptions> = {}) {
  const {fetch, sent} = scriptedFetch(...answers);
  return {api: createSwapApi({baseUrl: 'https://service.test', appId: APP_ID, fetch, ...options}, QUICK), sent};
}

const ok = (result: unknown): ScriptedAnswer => ({body: {status: 'Ok', result}});
const no = (error: unknown, status = 400): ScriptedAnswer => ({status, body: {status: 'Error', error}});
const html = (status: number): ScriptedAnswer => ({
  status,
  body: '<!doctype html><h1>Sorry</h1>',
  headers: {'content-type': 'text/html'},
});
const only = (sent: readonly SentRequest[]): SentRequest => {
  const [request] = sent;
  if (!request || sent.length > 1) throw new Error(`${String(sent.length)} requests were sent.`);
  return request;
};

const READ_HEADERS = {accept: 'application/json', 'service-app-id': APP_ID};
const WRITE_HEADERS = {...READ_HEADERS, 'content-type': 'application/json'};

describe('a client of the service', () => {
  describe('requests a price', () => {
    it('with GET /v2/quote, assets and amount', async () => {
      const {api, sent} = open([samples.evm.quote].map(body => ({body})));
      await api.quote(aRequest());
      const {method, url, headers, body} = only(sent);
      expect({method, url}).to.deep.equal({
        method: 'GET',
        url: 'https://service.test/v2/quote?from=base_sepolia%3Awbtc&to=ethereum_sepolia%3Awbtc&from_amount=50000',
      });
      expect(headers).to.deep.equal(READ_HEADERS);
      expect(body).to.equal(undefined);
    });

    it('with the affiliate fee in basis points, if there is one', async () => {
      const {api, sent} = open([{body: samples.evm.quote}]);
      await api.quote(aRequest({affiliateFees: [{asset: 'base:usdc', address: '0x1', bps: 30}]}));
      expect(new URL(only(sent).url).searchParams.get('affiliate_fee')).to.equal('30');
    });

    it('in digits, however large the amount', async () => {
      const {api, sent} = open([{body: samples.evm.quote}]);
      await api.quote(aRequest({amount: 10n ** 30n}));
      expect(new URL(only(sent).url).searchParams.get('from_amount')).to.equal(`1${'0'.repeat(30)}`);
    });

    it('and returns what the service offered, several offers or none', async () => {
      const [offer] = samples.evm.quote.result as [{solver_id: string}];
      const {api} = open([ok([offer, {...offer, solver_id: 'second'}]), ok([])]);
      expect((await api.quote(aRequest())).map(({solverId}) => solverId)).to.deep.equal([offer.solver_id, 'second']);
      expect(await api.quote(aRequest())).to.deep.equal([]);
    });
  });

  describe('places an order', () => {
    it('with POST /v2/orders, the agreed terms and nothing else', async () => {
      const {api, sent} = open([{body: samples.evm.order}]);
      const {orderId, deposit} = await api.createOrder(agreed);
      const {method, url, headers, body} = only(sent);
      expect({method, url}).to.deep.equal({method: 'POST', url: 'https://service.test/v2/orders'});
      expect(headers).to.deep.equal(WRITE_HEADERS);
      expect(body).to.deep.equal({
        source: {asset: 'ethereum_sepolia:wbtc', owner: PAYER, amount: '50000'},
        destination: {asset: 'base_sepolia:wbtc', owner: SOLVER, amount: '49850'},
      });
      expect(orderId).to.equal(ORDER_ID);
      expect(deposit.how).to.equal('wallet');
    });

    it('with its affiliate fees, entry by entry', async () => {
      const {api, sent} = open([{body: samples.evm.order}]);
      await api.createOrder({
        ...agreed,
        affiliateFees: [
          {asset: 'base:usdc', address: PAYER, bps: 10},
          {asset: 'ethereum:cbbtc', address: SOLVER, bps: 20},
        ],
      });
      expect((only(sent).body as Record<string, unknown>)['affiliate_fees']).to.deep.equal([
        {asset: 'base:usdc', address: PAYER, fee: 10},
        {asset: 'ethereum:cbbtc', address: SOLVER, fee: 20},
      ]);
    });

    it('with the further fields of the service’s dialect, and a new nonce each time', async () => {
      const service = {fields: ['solver_id', 'nonce', 'slippage']} as const;
      const {api, sent} = open([{body: samples.evm.order}, {body: samples.evm.order}], {service});
      await api.createOrder(agreed);
      await api.createOrder(agreed);
      const bodies = sent.map(({body}) => body as Record<string, string>);
      for (const body of bodies) expect(body).to.include({solver_id: 'solver-1', slippage: 0});
      const [first, second] = bodies.map(({nonce = ''}) => nonce);
      for (const nonce of [first!, second!])
        expect(nonce)
          .to.match(/^\d+$/)
          .and.satisfy(() => BigInt(nonce) < 2n ** 64n);
      expect(first).not.to.equal(second);
    });
  });

  describe('submits a signature', () => {
    it('with PATCH /v2/orders/<id>?action=initiate', async () => {
      const {api, sent} = open([ok('0xhash')]);
      await api.initiate(ORDER_ID, '0x5160');
      const {method, url, headers, body} = only(sent);
      expect({method, url}).to.deep.equal({
        method: 'PATCH',
        url: `https://service.test/v2/orders/${ORDER_ID}?action=initiate`,
      });
      expect(headers).to.deep.equal(WRITE_HEADERS);
      expect(body).to.deep.equal({signature: '0x5160'});
    });

    it('in the format of its chain', async () => {
      const {api, sent} = open([ok('0xhash')]);
      await api.initiate(ORDER_ID, ['1', '2']);
      expect(only(sent).body).to.deep.equal({signature: ['1', '2']});
    });

    const accepted: readonly [what: string, answer: ScriptedAnswer][] = [
      ['an envelope with a hash', ok('0xhash')],
      ['an envelope without a result', {body: {status: 'Ok'}}],
      ['202', {status: 202, body: {status: 'Ok'}}],
      ['JSON without an envelope', {body: {tx: '0x1'}}],
      ['JSON that is text', {body: '"0x1"'}],
      ['JSON that is null', {body: 'null'}],
    ];
    for (const [what, answer] of accepted) {
      it(`and treats ${what} as success`, async () => {
        const {api, sent} = open([answer]);
        expect(await api.initiate(ORDER_ID, '0x')).to.deep.equal({accepted: true});
        only(sent);
      });
    }

    const refused: readonly [what: string, answer: ScriptedAnswer, reason: string][] = [
      ['403 with its reason', no('forbidden', 403), 'forbidden'],
      ['a reason without a status', {status: 400, body: {error: 'no'}}, 'no'],
      ['a reason that is an object', no({code: 7}), '{"code":7}'],
      ['an Error without a reason', {status: 400, body: {status: 'Error'}}, ''],
      ['an Error whose reason is null', no(null, 200), ''],
      ['an Error with a message', {status: 400, body: {status: 'Error', message: 'no'}}, 'no'],
      ['400 with a message', {status: 400, body: {message: 'bad signature'}}, 'bad signature'],
      ['400 whose status is a number', {status: 400, body: {status: 400, error: 'no'}}, 'no'],
      ['400 with details', {status: 400, body: {status: 400, detail: 'no'}}, 'no'],
      ['400 in a custom format', {status: 400, body: {code: 7, errors: ['no']}}, '{"code":7,"errors":["no"]}'],
      ['422 in plain words', {status: 422, body: 'bad signature\n'}, 'bad signature'],
      ['404 in plain words', {status: 404, body: '404 page not found'}, '404 page not found'],
      ['400 without a body', {status: 400}, ''],
    ];
    for (const [what, answer, reason] of refused) {
      it(`and treats ${what} as an explicit rejection`, async () => {
        const {api, sent} = open([answer]);
        expect(await api.initiate(ORDER_ID, '0x')).to.deep.equal({accepted: false, reason});
        only(sent);
      });
    }

    const lost: readonly [what: string, answer: ScriptedAnswer, code: SwapErrorCode][] = [
      ['500 with an envelope', no('boom', 500), 'service'],
      ['a page that says 404', html(404), 'service'],
      ['a gateway’s words', {status: 403, body: 'error code: 1020'}, 'config'],
      ['an empty body', {}, 'unreadable'],
      ['204', {status: 204}, 'unreadable'],
      ['201 and words', {status: 201, body: 'accepted'}, 'unreadable'],
      ['a page that says 400', html(400), 'service'],
      ['407', {status: 407, body: 'who are you?'}, 'service'],
      ['408', {status: 408, body: {error: 'too slow'}}, 'service'],
      ['425', {status: 425, body: {message: 'too early'}}, 'service'],
      ['429 with its reason', no('too often', 429), 'rate-limited'],
      ['500 in plain words', {status: 500, body: 'oops'}, 'service'],
      ['400 that says Ok', {status: 400, body: {status: 'Ok'}}, 'service'],
    ];
    for (const [what, answer, code] of lost) {
      it(`and treats ${what} as no response, without retrying`, async () => {
        const {api, sent} = open([answer, ok('0x')]);
        expect((await errorOf(api.initiate(ORDER_ID, '0x'))).code).to.equal(code);
        only(sent);
      });
    }
  });

  describe('reads an order', () => {
    it('with GET /v2/orders/<id>', async () => {
      const {api, sent} = open([{body: samples.evm.status}]);
      expect((await api.readOrder(ORDER_ID)).id).to.equal(ORDER_ID);
      const {method, url, headers, body} = only(sent);
      expect({method, url}).to.deep.equal({method: 'GET', url: `https://service.test/v2/orders/${ORDER_ID}`});
      expect(headers).to.deep.equal(READ_HEADERS);
      expect(body).to.equal(undefined);
    });

    it('and no other path, whatever an id contains', async () => {
      const id = 'a/../quote?x=1#y&z';
      const {api, sent} = open([no('not found', 404), no('not found', 404)]);
      await errorOf(api.readOrder(id));
      await errorOf(api.initiate(id, '0x').then(() => Promise.reject(new SwapError('held'))));
      expect(sent.map(({url}) => url)).to.deep.equal([
        `https://service.test/v2/orders/${encodeURIComponent(id)}`,
        `https://service.test/v2/orders/${encodeURIComponent(id)}?action=initiate`,
      ]);
    });

    it('and none at all for a text that is no id: nobody has such an order', async () => {
      for (const id of ['', '.', '..', 'a b', '\ud800', 'x'.repeat(129)]) {
        const {api, sent} = open([]);
        for (const fault of [await errorOf(api.readOrder(id)), await errorOf(api.initiate(id, '0x'))])
          expect({code: fault.code, field: fault.field}).to.deep.equal({code: 'service', field: 'order'});
        expect(sent).to.deep.equal([]);
      }
    });

    it('by a hex id in upper or lower case, and keeps the requested one', async () => {
      const result = {...(samples.evm.status.result as object), order_id: ORDER_ID.toUpperCase()};
      const {api} = open([{body: {status: 'Ok', result}}]);
      expect((await api.readOrder(ORDER_ID)).id).to.equal(ORDER_ID);
    });

    it('by any other id exactly as given', async () => {
      const result = {...(samples.evm.status.result as object), order_id: 'Order-1'};
      const {api} = open([{body: {status: 'Ok', result}}, {body: {status: 'Ok', result}}]);
      expect((await api.readOrder('Order-1')).id).to.equal('Order-1');
      const {code, field} = await errorOf(api.readOrder('order-1'));
      expect({code, field}).to.deep.equal({code: 'unreadable', field: 'order_id'});
    });

    it('and rejects the response for another order', async () => {
      const {api} = open([{body: samples.solana.status}]);
      const {code, field} = await errorOf(api.readOrder(ORDER_ID));
      expect({code, field}).to.deep.equal({code: 'unreadable', field: 'order_id'});
    });
  });

  it('requests the list of assets once, whatever the result, and without one no rules', async () => {
    const {api, sent} = open([html(404)]);
    expect((await errorOf(api.readOffered?.() ?? Promise.resolve())).code).to.equal('service');
    const {method, url, headers} = only(sent);
    expect({method, url, headers}).to.deep.equal({
      method: 'GET',
      url: 'https://service.test/v2/assets',
      headers: READ_HEADERS,
    });
  });

  describe('sends requests', () => {
    it('to a base URL with a path, with or without slashes and `/v2` at its end', async () => {
      for (const baseUrl of [
        'https://service.test/api',
        'https://service.test/api//',
        'https://service.test/api/v2/',
      ]) {
        const {api, sent} = open([{body: samples.evm.status}], {baseUrl});
        await api.readOrder(ORDER_ID);
        expect(only(sent).url).to.equal(`https://service.test/api/v2/orders/${ORDER_ID}`);
      }
    });

    it('without the header if there is no app id, and under another name if one is set', async () => {
      const bare = open([{body: samples.evm.status}], {appId: undefined});
      await bare.api.readOrder(ORDER_ID);
      expect(only(bare.sent).headers).to.deep.equal({accept: 'application/json'});
      const named = open([{body: samples.evm.status}], {service: '{"header": "garden-app-id"}'});
      await named.api.readOrder(ORDER_ID);
      expect(only(named.sent).headers).to.deep.equal({accept: 'application/json', 'garden-app-id': APP_ID});
    });

    it('without cookies, and bypassing every cache', async () => {
      const {api, sent} = open([{body: samples.evm.status}]);
      await api.readOrder(ORDER_ID);
      expect(only(sent).init).to.include({credentials: 'omit', cache: 'no-store'});
    });

    it('and reports how old a cached response is, if its headers can be read', async () => {
      const dates = [
        {date: 'Mon, 23 Nov 2026 10:00:10 GMT'},
        {date: 'Mon, 23 Nov 2026 10:00:10 GMT'},
        {date: 'Mon, 23 Nov 2026 10:00:30 GMT', age: '5'},
        {date: 'Mon, 23 Nov 2026 10:00:10 GMT'},
        {},
      ];
      const {api} = open(dates.map(headers => ({body: samples.evm.status, headers})));
      const {now} = performance;
      const ages: number[] = [];
      try {
        for (const [turn] of dates.entries()) {
          performance.now = () => turn * 60_000;
          await api.readOrder(ORDER_ID, {onAge: age => ages.push(age / 1000)});
        }
      } finally {
        performance.now = now;
      }
      expect(ages).to.deep.equal([0, 60, 5, 85, 0]);
    });

    it('with the page’s own fetch if none is given', async () => {
      const {fetch, sent} = scriptedFetch({body: samples.evm.status});
      const own = globalThis.fetch;
      globalThis.fetch = fetch;
      try {
        await createSwapApi({baseUrl: 'https://service.test'}).readOrder(ORDER_ID);
      } finally {
        globalThis.fetch = own;
      }
      only(sent);
    });
  });

  describe('is not made with', () => {
    const wrong: readonly [what: string, options: Partial<SwapApiOptions>, field: string][] = [
      ['no address', {baseUrl: ''}, 'base-url'],
      ['plain http', {baseUrl: 'http://service.test'}, 'base-url'],
      ['a host that looks local', {baseUrl: 'http://127.0.0.1.evil.com'}, 'base-url'],
      ['a query, which would swallow the paths', {baseUrl: 'https://service.test/?key=1'}, 'base-url'],
      ['a fragment, which would swallow the paths', {baseUrl: 'https://service.test/#'}, 'base-url'],
      ['an app id that is too short', {appId: APP_ID.slice(1)}, 'app-id'],
      ['an app id in capitals', {appId: APP_ID.toUpperCase()}, 'app-id'],
      ['an empty app id', {appId: ''}, 'app-id'],
      ['an app id with a line break', {appId: `${APP_ID}\n`}, 'app-id'],
      ['a header with a colon', {service: {header: 'app-id:'}}, 'service.header'],
    ];
    for (const [what, options, field] of wrong) {
      it(what, () => {
        expect(() => open([], options))
          .to.throw(SwapError)
          .that.includes({code: 'config', field});
      });
    }

    it('except http on localhost', () => {
      expect(() => open([], {baseUrl: 'http://localhost:8787'})).not.to.throw();
    });
  });
});

describe('a read', () => {
  const read = (api: SwapApi, signal?: AbortSignal) => api.readOrder(ORDER_ID, {signal});
  const good: ScriptedAnswer = {body: samples.evm.status};

  const hiccups: readonly [what: string, answer: ScriptedAnswer, code: SwapErrorCode][] = [
    ['500 with a page', html(500), 'service'],
    ['522 from the edge', html(522), 'service'],
    ['503 with an envelope', no('maintenance', 503), 'service'],
    ['408', {status: 408, body: {message: 'too slow'}}, 'service'],
    ['425', no('too early', 425), 'service'],
    ['an empty body', {}, 'unreadable'],
    ['JSON that is null', {body: 'null'}, 'unreadable'],
    ['a list', {body: []}, 'unreadable'],
    ['no envelope', {body: {order_id: ORDER_ID}}, 'unreadable'],
    ['an endless body', {body: `{"a":${'['.repeat(900_000)}${']'.repeat(900_000)}}`}, 'unreadable'],
    ['a body longer than any response', {body: {status: 'Ok', result: 'x'.repeat(2_000_001)}}, 'unreadable'],
  ];
  for (const [what, answer, code] of hiccups) {
    it(`is retried once after ${what}, but not during an outage`, async () => {
      const {api, sent} = open([answer, good, answer, answer, answer, answer, good, answer, good]);
      expect((await read(api)).id).to.equal(ORDER_ID);
      expect(sent).to.have.length(2);
      for (const count of [4, 5, 6]) {
        expect((await errorOf(read(api))).code).to.equal(code);
        expect(sent).to.have.length(count);
      }
      await read(api);
      await read(api);
      expect(sent).to.have.length(9);
    });
  }

  const final: readonly [what: string, answer: ScriptedAnswer, code: SwapErrorCode, field?: string][] = [
    ['a rejection of an unknown order', no('order_id: order not found', 404), 'service', 'order'],
    ['a rejection with another message', no('nada', 404), 'service', 'order'],
    ['a rejection in a custom format', {status: 404, body: {}}, 'service', 'order'],
    ['a rejection without a body', {status: 404}, 'service', 'order'],
    ['a rejection on a page', html(404), 'service', 'order'],
    ['a rejection without a status', {status: 404, body: {message: 'order not found'}}, 'service', 'order'],
    ['a request that cannot be processed', no('amount', 422), 'service', 'request'],
    ['the same in plain words', {status: 422, body: 'bad amount'}, 'service', 'request'],
    ['a rejection of its app id', no('unauthorized', 401), 'config', 'app-id'],
    ['a gateway’s page that says 401', html(401), 'config', 'app-id'],
    ['a gateway’s page that says 403', html(403), 'config', 'app-id'],
    ['a gateway’s words', {status: 403, body: 'error code: 1020'}, 'config', 'app-id'],
    ['a rejection without an app id', no('missing service-app-id header'), 'config', 'app-id'],
    ['no route', no('No order pair found : a:b::c:d'), 'no-route'],
    ['an unknown asset', no("Asset 'base:seed' not found"), 'no-route'],
    ['a range without an end', no('the range of 5 to '), 'service'],
    ['a range up to no amount', no(`the range of 5 to ${'9'.repeat(79)}`), 'service'],
    ['no offer', no('no quotes available'), 'no-quote'],
    ['too little of the other asset', no('insufficient liquidity'), 'no-quote'],
    ['an envelope without a result', {body: {status: 'Ok'}}, 'unreadable', 'result'],
    ['another order', {body: samples.solana.status}, 'unreadable', 'order_id'],
  ];
  for (const [what, answer, code, field] of final) {
    it(`fails without a retry after ${what}`, async () => {
      const {api, sent} = open([answer, good]);
      const error = await errorOf(read(api));
      expect({code: error.code, field: error.field}).to.deep.equal({code, field});
      only(sent);
    });
  }

  it('reports the range if the service’s message has one, and keeps the message', async () => {
    const words = 'Exact output quote error : expected amount to be within the range of 50000 to 1000000';
    const {api} = open([no(words)]);
    const {code, range, detail} = await errorOf(api.quote(aRequest()));
    expect({code, range}).to.deep.equal({code: 'amount-range', range: {min: 50_000n, max: 1_000_000n}});
    expect(detail).to.equal(`400 ${words}`);
  });

  it('keeps the response for a report, truncated to one screen', async () => {
    const {api} = open([html(502), {status: 502, body: 'x'.repeat(5_000)}]);
    const {detail = ''} = await errorOf(read(api));
    expect(detail).to.match(/^502 x+$/);
    expect(detail.length).to.be.below(400);
  });

  it('treats a firewall’s page as rate limiting once the app id was accepted', async () => {
    const {api, sent} = open([good, html(403), good]);
    await read(api);
    expect((await errorOf(read(api))).code).to.equal('rate-limited');
    expect(sent).to.have.length(2);
  });

  const in25Days = new Date(Date.now() + 25 * 86_400_000).toUTCString();
  const waits: readonly [wait: number | undefined, texts: readonly string[]][] = [
    [60_000, ['60']],
    [0, ['0']],
    // Ten minutes at most.
    [600_000, ['601', '2160000', '1000000000000', '9'.repeat(400), in25Days, 'Fri, 31 Dec 9999 23:59:59 GMT']],
    [undefined, ['soon', '-5', '', new Date(Date.now() - 60_000).toUTCString()]],
  ];
  for (const [wait, texts] of waits) {
    it(`reads ${String(texts.length)} kinds of Retry-After as ${String(wait)}, and sends nothing until then`, async () => {
      for (const [text, status] of texts.flatMap(text => [[text, 429] as const, [text, 503] as const])) {
        const {api, sent} = open([
          {status, headers: {'retry-after': text}},
          {status, headers: {'retry-after': text}},
        ]);
        const {code, retryAfter} = await errorOf(read(api));
        expect({code, retryAfter}).to.deep.equal({code: status === 429 ? 'rate-limited' : 'service', retryAfter: wait});
        expect(sent, text).to.have.length(status === 503 && wait === undefined ? 2 : 1);
      }
    });
  }

  it('times out, and reports it', async () => {
    const {api} = open(['silent', 'silent', 'silent']);
    const {code, detail} = await errorOf(read(api));
    expect(code).to.equal('timeout');
    expect(detail).to.equal('no answer in 0.06 s');
  });

  it('reports offline if the browser does', async () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    Object.defineProperty(globalThis, 'navigator', {value: {onLine: false}, configurable: true});
    try {
      const {api} = open(['broken', 'broken', 'broken']);
      expect((await errorOf(read(api))).code).to.equal('offline');
    } finally {
      Reflect.deleteProperty(globalThis, 'navigator');
      if (own) Object.defineProperty(globalThis, 'navigator', own);
    }
  });

  const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'answered',
      (reason: unknown) => reason,
    );

  it('stops at once when aborted: before the request, while waiting for a response, and between retries', async () => {
    const stop = new Error('no longer wanted');
    const before = open([good]);
    expect(await reasonOf(read(before.api, AbortSignal.abort(stop)))).to.equal(stop);

    const during = new AbortController();
    const waiting = open(['silent', good]);
    const reading = reasonOf(read(waiting.api, during.signal));
    during.abort(stop);
    expect(await reading).to.equal(stop);
    expect(waiting.sent).to.have.length(1);

    const between = new AbortController();
    const pausing = open(['broken', 'broken', good]);
    const retrying = reasonOf(read(pausing.api, between.signal));
    while (!pausing.sent.length) await new Promise(resolve => setTimeout(resolve));
    between.abort(stop);
    expect(await retrying).to.equal(stop);
    expect(pausing.sent.length).to.be.below(3);
  });
});

describe('the body of a response', () => {
  const status = JSON.stringify(samples.evm.status);
  const text = (body: string): ScriptedAnswer => ({body});

  it('is cut off once it is longer than any response', async () => {
    let taken = 0;
    let isCanceled = false;
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          taken += 100_000;
          controller.enqueue(new Uint8Array(100_000).fill(32));
        },
        cancel() {
          isCanceled = true;
        },
      });
    const fetch = () => Promise.resolve(new Response(endless()));
    const {code} = await errorOf(createSwapApi({baseUrl: 'https://service.test', fetch}).createOrder(agreed));
    expect(code).to.equal('unreadable');
    expect(taken).to.be.below(3_000_000);
    expect(isCanceled).to.equal(true);
  });

  it('is read in whatever chunks it arrives', async () => {
    const bytes = new TextEncoder().encode(status.replace('test_integrator', 'tëst 💶'));
    const pieces = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
          controller.close();
        },
      });
    const fetch = () => Promise.resolve(new Response(pieces()));
    expect((await createSwapApi({baseUrl: 'https://service.test', fetch}).readOrder(ORDER_ID)).integrator).to.equal(
      'tëst 💶',
    );
  });

  it('is read if the page’s own fetch has no stream', async () => {
    const answer = {ok: true, status: 200, headers: new Headers(), text: () => Promise.resolve(status)} as Response;
    const fetch = () => Promise.resolve(answer);
    expect((await createSwapApi({baseUrl: 'https://service.test', fetch}).readOrder(ORDER_ID)).id).to.equal(ORDER_ID);
  });

  it('has the value of the last of duplicate fields, everywhere', async () => {
    const order = status.replace('"order_id"', '"order_id":"another","order_id"');
    expect((await open([text(order)]).api.readOrder(ORDER_ID)).id).to.equal(ORDER_ID);
    const error = JSON.stringify({status: 'Ok', result: null}).replace('}', ',"status":"Error","error":"no"}');
    expect((await errorOf(open([text(error)]).api.readOrder(ORDER_ID))).code).to.equal('service');
  });

  const onStarknet: Asset = {...WBTC, chain: {...WBTC.chain, family: 'starknet'}};

  const wasAsked = async () => {
    const {api} = open([
      {body: samples.evm.status},
      {body: samples.evm.order},
      {body: samples.starknet.order},
      {body: samples.evm.quote},
    ]);
    return [
      await api.readOrder(ORDER_ID),
      await api.createOrder(agreed),
      await api.createOrder({...agreed, from: onStarknet}),
      await api.quote(aRequest()),
    ];
  };

  it('is unaffected by a page that extends Object.prototype', async () => {
    const expected = await wasAsked();
    const added = ['each', 'error', 'message', 'swap_id', 'transaction', 'initiate_transaction', 'redeem_tx_hash'];
    const properties = added.map(name => [name, {value: 'x', enumerable: true, writable: true}] as const);
    const answers = await onPage(Object.prototype, Object.fromEntries(properties), wasAsked);
    expect(answers).to.deep.equal(expected);
  });

  it('gets the same order from a page whose lists have a toJSON, as old Prototype.js gives them', async () => {
    const placed = async () => {
      const {api, sent} = open([{body: samples.evm.order}]);
      await api.createOrder({...agreed, affiliateFees: [{asset: 'base:usdc', address: '0xabc', bps: 30}]});
      return only(sent).body;
    };
    const expected = await placed();
    const value = function (this: unknown[]) {
      return `[${this.map(one => JSON.stringify(one)).join(', ')}]`;
    };
    expect(await onPage(Array.prototype, {toJSON: {value, enumerable: true}}, placed)).to.deep.equal(expected);
    expect(JSON.stringify(expected)).to.contain('affiliate_fees');
  });

  it('is unaffected by its own prototypes', async () => {
    const own = '"__proto__":{"status":"Error","redeem_tx_hash":"0xaa","swap_id":"x","polluted":true},';
    const {api} = open([text(status.replaceAll('{', `{${own}`))]);
    expect(await api.readOrder(ORDER_ID)).to.deep.equal(await open([text(status)]).api.readOrder(ORDER_ID));
    expect('polluted' in {}).to.equal(false);
    const missing = status.replace(/"swap_id":"[^"]*",/, own);
    const {code, field} = await errorOf(open([text(missing)]).api.readOrder(ORDER_ID));
    expect({code, field}).to.deep.equal({code: 'unreadable', field: 'source_swap.swap_id'});
  });

  it('has typed data of ordinary objects, as wallets know them', async () => {
    const placed = JSON.stringify(samples.starknet.order).replaceAll('{', '{"__proto__":{"x":1},');
    const {deposit} = await open([text(placed)]).api.createOrder({...agreed, from: onStarknet});
    if (deposit.how !== 'wallet' || deposit.payload.family !== 'starknet') return expect.fail(deposit.how);
    const {amount} = deposit.payload.typedData?.message as {amount: object};
    expect(Object.getPrototypeOf(amount)).to.equal(Object.prototype);
    expect(Object.keys(amount).sort()).to.deep.equal(['high', 'low']);
  });
});
