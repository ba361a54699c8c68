/**
 * The follower of orders, on Postgres in memory: its events are read by another implementation of Standard Webhooks, and
 * it is killed at every statement. What an order's money did is scripted; `node/server` proves that on chains.
 */
import {createFollower, SwapError, type Expected, type SwapEvent, type VerifiedOrder} from '../../src/server.js';
import {expect} from '../support/expect.js';
import {requireOf} from '../tools/with.js';

const URL = 'https://shop.test/events';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const EXPECTED: Expected = {recipient: `0x${'ab'.repeat(20)}`, asset: 'base:usdc', atLeast: 25_000_000n, since: 5};
const CART = {reference: 'cart 1', expected: EXPECTED};

type Query = (text: string, values?: unknown[]) => Promise<{rows: Record<string, unknown>[]}>;
type Certainty = VerifiedOrder['paidIn']['certainty'];

let database: {readonly query: Query};
let read: (body: string, headers: Record<string, string>) => unknown;

before(async () => {
  const tools = await requireOf('database');
  const {PGlite} = tools('@electric-sql/pglite') as {PGlite: new () => {readonly query: Query}};
  const {Webhook} = tools('standardwebhooks') as {
    Webhook: new (secret: string) => {verify(body: string, headers: Record<string, string>): unknown};
  };
  database = new PGlite();
  const webhook = new Webhook(SECRET);
  read = (body, headers) => webhook.verify(body, headers);
  await createFollower({
    query: run,
    url: URL,
    secret: SECRET,
    verify: () => Promise.reject(new Error('unused')),
  }).prepare();
});

const run: Query = (text, values) => database.query(text, values);

function order(stage: VerifiedOrder['stage'], ...[paidIn, paidOut, paidBack]: readonly Certainty[]): VerifiedOrder {
  const [into, out, back] = [paidIn, paidOut, paidBack].map((certainty = 'none') => ({
    certainty,
    amount: 25_000_001n,
    asset: 'base:usdc' as const,
    account: EXPECTED.recipient,
    hashes: [],
  }));
  const isPaid = paidOut === 'proved';
  const key = isPaid ? {paymentKey: 'base:5ec7e7'} : {};
  return {orderId: 'order 1', stage, paidIn: into!, paidOut: out!, paidBack: back!, differs: [], isPaid, ...key};
}

const WAITING = order('awaiting-deposit');
const CONFIRMING = order('confirming', 'proved');
const PAID = order('complete', 'proved', 'proved');
const REFUNDED = order('refunded', 'proved', 'none', 'proved');

interface Posted {
  readonly id: string;
  readonly event: SwapEvent;
}

class Shop {
  readonly posted: Posted[] = [];
  readonly asked: (readonly [string, Expected])[] = [];
  readonly warnings: string[] = [];
  /** What the shop's server answers, one status a request, then 200. */
  statuses: number[] = [];
  /** The process is killed at this statement or post: before it is done, or after it was done, unheard. */
  killAt = Infinity;
  killAfter = false;
  count = 0;

  constructor(readonly answers: (VerifiedOrder | Error)[]) {}

  static async open(...answers: (VerifiedOrder | Error)[]): Promise<Shop> {
    await run('truncate swap_orders, swap_events');
    return new Shop(answers);
  }

  follower() {
    return createFollower({
      url: URL,
      secret: SECRET,
      query: (text, values) => this.#mortal(() => run(text, values)),
      verify: (orderId, expected) => {
        this.asked.push([orderId, expected]);
        const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer!);
      },
      warn: what => this.warnings.push(what),
      fetch: async (_url, init) =>
        this.#mortal(async () => {
          const headers = init?.headers as Record<string, string>;
          const status = this.statuses.shift() ?? 200;
          if (status === 0) throw new TypeError('no connection');
          if (status < 300)
            this.posted.push({id: headers['webhook-id']!, event: read(String(init?.body), headers) as SwapEvent});
          return Promise.resolve(new Response(null, {status}));
        }),
    });
  }

  async #mortal<T>(work: () => Promise<T>): Promise<T> {
    const isLast = ++this.count === this.killAt;
    if (isLast && !this.killAfter) throw new Killed();
    const done = await work();
    if (isLast) throw new Killed();
    return done;
  }

  /** Time passes until all is due, and whatever is due is done, as often as it takes. */
  async work(turns = 12, follower = this.follower()): Promise<void> {
    for (let turn = 0; turn < turns; turn++) {
      await run('update swap_orders set due = now()');
      await run('update swap_events set due = now()');
      while (await follower.step());
    }
  }

  get told(): string[] {
    return [...new Map(this.posted.map(({id, event}) => [id, event.type])).values()];
  }
}

class Killed extends Error {}

describe('server/follower', () => {
  for (const [last, end] of [
    ['swap.paid', PAID],
    ['swap.refunded', REFUNDED],
  ] as const) {
    it(`posts what changed, in order, until ${last}, and reads no more`, async () => {
      const shop = await Shop.open(CONFIRMING, CONFIRMING, end);
      await shop.follower().follow('order 1', CART);
      await shop.work();
      expect(shop.told).to.deep.equal(['swap.changed', last]);
      expect(shop.asked).to.have.length(3);
    });
  }

  it('follows an order once for each cart, by its own agreement, and tells what was verified', async () => {
    const shop = await Shop.open(PAID);
    const follower = shop.follower();
    const dear = {...EXPECTED, atLeast: 2n ** 80n};
    await follower.follow('order 1', CART);
    await follower.follow('order 1', CART);
    await follower.follow('order 1', {reference: 'cart 2', expected: dear});
    await shop.work();
    expect(shop.asked).to.have.deep.members([
      ['order 1', EXPECTED],
      ['order 1', dear],
    ]);
    const told = shop.posted.map(({event}) => event.data);
    expect(told.map(({reference}) => reference).sort()).to.deep.equal(['cart 1', 'cart 2']);
    expect([told[0]?.orderId, told[0]?.paymentKey]).to.deep.equal(['order 1', 'base:5ec7e7']);
    expect(told[0]?.paidOut?.amount).to.equal('25000001');
  });

  it('posts again until the receiver has it, with the same id and text, and nothing later before that', async () => {
    const shop = await Shop.open(WAITING, PAID);
    shop.statuses = [0, 500, 302, 410];
    await shop.follower().follow('order 1', CART);
    await shop.work(3);
    expect(shop.posted).to.deep.equal([]);
    await shop.work();
    expect(shop.told).to.deep.equal(['swap.changed', 'swap.paid']);
    expect(new Set(shop.warnings).size).to.equal(1);
  });

  it('waits longer before each further read and post, an hour at most', async () => {
    const shop = await Shop.open(new Error('down'));
    const follower = shop.follower();
    await follower.follow('order 1', CART);
    const pauses: number[] = [];
    for (let turn = 0; turn < 25; turn++) {
      await run('update swap_orders set due = now()');
      await follower.step();
      const {rows} = await run('select extract(epoch from due - now())::float as pause from swap_orders');
      pauses.push(Math.round(Number(rows[0]!['pause'])));
    }
    expect(pauses[0]).to.equal(5);
    expect(pauses.at(-1)).to.equal(3_600);
    expect(pauses).to.deep.equal([...pauses].sort((one, other) => one - other));
  });

  describe('after three days', () => {
    const wait = (days = 4) => run(`update swap_orders set followed_at = now() - interval '${String(days)} days'`);
    const UNKNOWN = new SwapError('service', {field: 'order'});

    for (const [what, answer] of [
      ['an order that was never paid', WAITING],
      ['an order that does not exist', UNKNOWN],
      ['an order whose payout only its service claims', order('complete', 'told', 'told')],
    ] as const) {
      it(`says of ${what} that it is not proved`, async () => {
        const shop = await Shop.open(answer);
        await shop.follower().follow('order 1', CART);
        await wait(2);
        await shop.work(2);
        expect(shop.told).not.to.include('swap.unproved');
        await wait();
        await shop.work(2);
        expect(shop.told.at(-1)).to.equal('swap.unproved');
        expect(shop.posted.at(-1)!.event.data.reference).to.equal('cart 1');
      });
    }

    for (const [what, answer] of [
      ['the service', new SwapError('service', {detail: 'HTTP 503'})],
      ['the recipient’s chain', order('confirming', 'proved', 'waiting')],
      ['the payer’s chain', order('refunding', 'proved', 'none', 'waiting')],
    ] as const) {
      it(`says nothing like that while ${what} cannot be read`, async () => {
        const shop = await Shop.open(answer);
        await shop.follower().follow('order 1', CART);
        await wait();
        await shop.work(3);
        expect(shop.told).not.to.include('swap.unproved');
        shop.answers.splice(0, 1, PAID);
        await shop.work(3);
        expect(shop.told.at(-1)).to.equal('swap.paid');
      });
    }
  });

  it('does not write an older answer over a newer one', async () => {
    const shop = await Shop.open(PAID);
    let answer: (order: VerifiedOrder) => void = () => {};
    const slow = createFollower({
      query: run,
      url: URL,
      secret: SECRET,
      verify: () => new Promise<VerifiedOrder>(resolve => (answer = resolve)),
    });
    await slow.follow('order 1', CART);
    const reading = slow.step();
    while (!(await run('select 1 from swap_orders where tries > 0')).rows.length);
    await shop.work(2);
    answer(WAITING);
    await reading;
    await shop.work();
    expect(shop.told).to.deep.equal(['swap.paid']);
  });

  for (const killAfter of [false, true]) {
    it(`loses and doubles nothing, killed ${killAfter ? 'after' : 'before'} any statement or post`, async () => {
      const whole = await Shop.open(WAITING, CONFIRMING, PAID);
      await whole.follower().follow('order 1', CART);
      await whole.work();
      expect(whole.count).to.be.greaterThan(20);
      for (let killAt = 1; killAt <= whole.count; killAt++) {
        const shop = await Shop.open(WAITING, CONFIRMING, PAID);
        Object.assign(shop, {killAt, killAfter});
        const attempt = async () => {
          await shop.follower().follow('order 1', CART);
          await shop.work();
        };
        await attempt().catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        // Another process goes on; the page reports its order again.
        await attempt();
        const ids = shop.posted.map(({id}) => id);
        expect(shop.told.at(-1), String(killAt)).to.equal('swap.paid');
        expect(
          shop.told.filter(type => type === 'swap.paid'),
          String(killAt),
        ).to.have.length(1);
        // What is posted twice is posted twice in a row.
        expect(ids, String(killAt)).to.deep.equal([...ids].sort((one, other) => ids.indexOf(one) - ids.indexOf(other)));
      }
    });
  }

  it('goes on when the database is back, until it is stopped', async () => {
    const shop = await Shop.open(PAID);
    const stop = new AbortController();
    await shop.follower().follow('order 1', CART);
    let fails = true;
    const follower = createFollower({
      url: URL,
      secret: SECRET,
      verify: () => Promise.resolve(PAID),
      warn: () => (fails = false),
      query: (text, values) => (fails ? Promise.reject(new Error('down')) : run(text, values)),
      fetch: () => (stop.abort(), Promise.resolve(new Response(null))),
    });
    // What it listens to while it pauses, it leaves again.
    let listeners = 0;
    const {addEventListener: add, removeEventListener: remove} = stop.signal;
    stop.signal.addEventListener = (...given: unknown[]) => (listeners++, add.apply(stop.signal, given as never));
    stop.signal.removeEventListener = (...given: unknown[]) => (listeners--, remove.apply(stop.signal, given as never));
    await follower.run(stop.signal);
    expect(listeners).to.equal(0);
    expect((await run('select 1 from swap_events where is_delivered')).rows).to.have.length(1);
  });

  for (const [field, given] of [
    ['url', {url: 'http://shop.test/events'}],
    ['secret', {secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}],
    ['secret', {secret: 'whsec_c2hvcnQ='}],
    ['secret', {secret: 'whsec_not base64'}],
  ] as const) {
    it(`refuses ${Object.values(given).join('')}`, () => {
      const options = {query: run, verify: () => Promise.resolve(PAID), url: URL, secret: SECRET, ...given};
      expect(() => createFollower(options))
        .to.throw(SwapError)
        .with.property('field', field);
    });
  }
});
