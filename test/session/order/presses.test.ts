/** The button that orders, pressed more than once: an extra press never orders or reports anything. */
import {expect} from '../../support/expect.js';
import {SwapError} from '../../../src/domain/error.js';
import {
  answeredLater,
  createWorld,
  later,
  openSession,
  settle,
  type TestPage,
  type TestPageOptions,
  type World,
  reviewed,
  typed,
  byTransaction,
} from '../../support/session.js';
import {entriesIn, fundingIn} from '../../support/shown.js';

const PRESSES = 5;

function press(page: TestPage, times = PRESSES) {
  for (let time = 0; time < times; time++) void page.session.placeOrder();
}

function outcome({world, session, events}: TestPage) {
  return {
    placed: world.count('POST'),
    kept: entriesIn(session).length,
    told: events.filter(({type}) => type === 'order').length,
    paid: world.count('wallet send'),
  };
}

const ONE = {placed: 1, kept: 1, told: 1, paid: 1};
const NONE = {placed: 0, kept: 0, told: 0, paid: 0};

/** Where an order can wait between the press and the payment: each is held until `answer` is called. */
const WAITS: Readonly<Record<string, (world: World) => {options?: Partial<TestPageOptions>; answer: () => void}>> = {
  'while the price is asked for again': world => ({answer: answeredLater(world, 'quote').keep}),
  'while the page holds it'() {
    const {promise, keep} = later();
    return {options: {gates: {beforeOrder: () => promise}}, answer: keep};
  },
  'while the service places it': world => ({answer: answeredLater(world, 'place').keep}),
  'while it is read back': world => ({answer: answeredLater(world, 'read').keep}),
  'while the wallet is asked': world => ({answer: answeredLater(world, 'wallet').keep}),
};

async function openHeld(name: string): Promise<{page: TestPage; answer: () => void}> {
  const world = byTransaction();
  const {quote} = world;
  const {options, answer} = WAITS[name]!(world);
  const held = world.quote;
  world.quote = quote;
  const page = await reviewed({world, ...options});
  world.quote = held;
  return {page, answer};
}

describe('a button that is clicked too often', () => {
  for (const name of Object.keys(WAITS)) {
    it(`orders once if clicked ${name}`, async () => {
      const {page, answer} = await openHeld(name);
      await settle(press(page));
      press(page);
      answer();
      await settle(press(page));
      press(page);
      await page.host.pass(5_000);
      expect(outcome(page)).to.deep.equal(ONE);
    });

    it(`orders once if the widget is moved on its page ${name}`, async () => {
      const {page, answer} = await openHeld(name);
      await settle(press(page));
      page.remove();
      const stop = page.session.start();
      press(page);
      answer();
      press(page);
      await page.host.pass(5_000);
      press(page);
      await page.host.pass(5_000);
      expect(outcome(page)).to.deep.equal(ONE);
      stop();
    });
  }

  it('orders once, at whatever point of the code it is clicked again, from the form on', async () => {
    for (let turn = 0; turn < 60; turn++) {
      const page = await typed({world: byTransaction()});
      page.session.review();
      press(page);
      for (let past = 0; past < turn; past++) await Promise.resolve();
      press(page);
      await page.host.pass(5_000);
      expect(outcome(page), `after ${String(turn)} turns`).to.deep.equal(ONE);
      page.remove();
    }
  });

  it('orders again after a lost response only if clicked after it', async () => {
    const world = byTransaction();
    const page = await reviewed({world});
    const {place} = world;
    const answer = later<never>();
    world.place = () => answer.promise;
    await settle(press(page));
    press(page);
    world.place = place;
    answer.fail(new SwapError('timeout'));
    await page.host.pass(5_000);
    expect(outcome(page)).to.deep.equal({...NONE, placed: 1});
    press(page);
    await page.host.pass(5_000);
    expect(outcome(page)).to.deep.equal({...ONE, placed: 2});
  });

  it('keeps the payment method of the open prompt, though the other one is clicked meanwhile', async () => {
    const world = createWorld();
    const asked = later();
    world.wallet = () => asked.promise;
    const page = await reviewed({world});
    await settle(press(page, 1));
    await settle(page.session.pay('transaction'));
    expect(fundingIn(page.session)).to.deep.include({way: 'signature', plan: ['sign'], busy: true});
    expect(page.session.$stage.get()).to.equal('funding');
    asked.keep();
    await page.host.pass(5_000);
    expect(world.log.filter(what => what.startsWith('wallet'))).to.deep.equal(['wallet sign']);
  });
});

describe('an order that the page reset while it was being sent to the service', () => {
  /** Two orders being sent: one that the page reset, and the next one. */
  async function openTwo() {
    const world = byTransaction();
    const page = await openSession({world});
    const {place} = world;
    const answers = [later(), later()] as const;
    let placed = 0;
    world.place = agreed => answers[placed++]!.promise.then(() => place(agreed));
    await page.review();
    await settle(press(page));
    page.session.reset({keep: true});
    await page.host.pass(300);
    page.session.review();
    await settle(press(page));
    expect(outcome(page)).to.deep.equal({...NONE, placed: 2});
    return {page, answers};
  }

  it('is reported and stored, and never paid', async () => {
    const {page, answers} = await openTwo();
    answers[0].keep();
    await settle();
    expect(outcome(page)).to.deep.equal({placed: 2, kept: 1, told: 1, paid: 0});
    answers[1].keep();
    await settle();
    expect(outcome(page)).to.deep.equal({placed: 2, kept: 2, told: 2, paid: 1});
  });
});
