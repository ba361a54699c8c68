/** What is asked before a payment to something neither known nor vouched for, and what its yes covers. */
import {expect} from '../../support/expect.js';
import {dealOf, reportOf, type CheckResult, type WalletRequest} from '../../../src/domain/deposit.js';
import {SwapError} from '../../../src/domain/error.js';
import {
  allowanceOf,
  fundingBy,
  refundHashes,
  sentHashes,
  wasAllowed,
  wasAsked,
  wasGiven,
  withoutAllowance,
} from '../../../src/domain/funding.js';
import type {Order} from '../../../src/domain/order.js';
import {createConsent} from '../../../src/session/order/consent.js';
import {sampleDeal} from '../../support/evm-deal.js';
import {
  BY_TRANSFER,
  createTestBrowser,
  createWorld,
  DEPOSIT,
  HASH,
  openSession,
  ordered,
  placeByTransfer,
  settle,
  type TestPage,
  type TestPageOptions,
  byTransaction,
} from '../../support/session.js';
import {entriesIn, fundingIn, shownIn} from '../../support/shown.js';
import {aLeg, anOrder, MINUTE, ORDER_ID, SOLVER} from '../../support/swap.js';

const FINDING: CheckResult = {name: 'contract', outcome: 'unverified', expected: 'one', found: 'other'};
const {address} = BY_TRANSFER;

async function openUnverified(options: Partial<TestPageOptions> & {byAddress?: boolean} = {}) {
  const {byAddress = false, ...rest} = options;
  const page = await openSession(rest);
  page.world.check = () => Promise.resolve([FINDING]);
  if (byAddress) placeByTransfer(page.world);
  await page.order();
  return page;
}

const questionOf = ({session}: TestPage) => shownIn(session)?.question?.id;
const prompts = ({world}: TestPage) => world.log.filter(line => line.startsWith('wallet'));
const say = async (page: TestPage, id = questionOf(page) ?? '') => {
  await settle(page.session.accept(id));
};
const readable = ({session, events}: TestPage) =>
  JSON.stringify(
    [
      Object.entries(session).flatMap(([name, part]) =>
        name.startsWith('$') ? [(part as {get(): unknown}).get()] : [],
      ),
      events,
    ],
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  );

describe('a payment that is unverified', () => {
  it('is asked about before the wallet is, and paid after the yes', async () => {
    const page = await openUnverified();
    expect(shownIn(page.session)?.report?.outcome).to.equal('unverified');
    expect(questionOf(page)).to.match(/./);
    expect(shownIn(page.session)?.deal?.deposit).to.deep.equal(DEPOSIT);
    expect([prompts(page), fundingIn(page.session).error, page.session.$stage.get()]).to.deep.equal([
      [],
      undefined,
      'awaiting-deposit',
    ]);
    await say(page);
    expect(prompts(page)).to.deep.equal(['wallet sign']);
    expect(questionOf(page)).to.equal(undefined);
    expect(entriesIn(page.session)[0]?.unverified).to.equal(true);
    expect(shownIn(page.session)?.report?.outcome).to.equal('unverified');
  });

  it('by a call that cannot be read is offered by signature alone, also when it is opened again', async () => {
    const page = await openSession();
    page.world.check = () => Promise.resolve([FINDING, {name: 'call', outcome: 'unverified'}]);
    await page.order();
    const {session} = page;
    for (const open of [() => {}, () => session.openJournal(), () => session.openOrder(ORDER_ID)]) await settle(open());
    const {way, other} = fundingIn(session);
    expect({way, other}).to.deep.equal({way: 'signature', other: undefined});
    await session.pay('transaction');
    expect(fundingIn(session).way).to.equal('signature');
  });

  it('is not paid without a yes, however often it is pressed, nor by a yes to another question', async () => {
    const page = await openUnverified();
    const id = questionOf(page);
    await page.session.pay();
    await page.session.pay('transaction');
    await say(page, 'f'.repeat(64));
    await say(page, '');
    expect([prompts(page), questionOf(page)]).to.deep.equal([[], id]);
  });

  it('is asked about again if anything that the yes was about is another', async () => {
    const changes: readonly ((page: TestPage) => unknown)[] = [
      ({world}) => (world.check = () => Promise.resolve([{...FINDING, found: 'a third'}])),
      ({world}) => (world.check = () => Promise.resolve([{...FINDING, expected: 'a third'}])),
      ({world}) => (world.check = () => Promise.resolve([FINDING, {name: 'timelock', outcome: 'unverified'}])),
      ({world}) => changeOrder(world.orders, ({source}) => ({source: {...source, redeemer: 'another'}})),
      ({world}) => changeOrder(world.orders, ({source}) => ({source: {...source, secretHash: '5a'.repeat(32)}})),
      ({world}) => changeOrder(world.orders, ({source}) => ({source: {...source, timelock: 7}})),
      ({world}) => changeOrder(world.orders, ({destination}) => ({destination: {...destination, timelock: 7}})),
    ];
    for (const [at, change] of changes.entries()) {
      const page = await openUnverified();
      const id = questionOf(page);
      // The answer meets another question than the one that was read.
      change(page);
      await say(page);
      expect(prompts(page), String(at)).to.deep.equal([]);
      expect(questionOf(page), String(at)).to.match(/./);
      expect(questionOf(page), String(at)).not.to.equal(id);
    }
  });

  it('is asked about again after a reload, and in another tab', async () => {
    const page = await openUnverified();
    page.world.wallet = () => Promise.reject(new Error('later'));
    await say(page);
    const marks: unknown[] = [];
    page.world.check = ({unverified}) => {
      marks.push(unverified);
      return Promise.resolve([FINDING]);
    };
    const again = await page.reload();
    await again.session.pay();
    await settle();
    expect(prompts(again).length).to.equal(1);
    expect(new Set(marks), 'whoever reads the chain knows that it was').to.deep.equal(new Set([true]));
  });

  it('is stopped where nobody may be asked', async () => {
    const page = await openUnverified({config: {policy: {unverified: 'stop'}}});
    expect([page.session.$stage.get(), questionOf(page), prompts(page)]).to.deep.equal(['stopped', undefined, []]);
    expect(page.told()).to.include('error deposit-mismatch');
  });

  it('is stopped where the site says nothing and its networks are mainnets, or says it in other words', async () => {
    const rule = (unverified: object, test: boolean) => {
      const {agreed, ...deal} = {...sampleDeal(), orderId: ORDER_ID};
      const on = {...agreed, from: {...agreed.from, chain: {...agreed.from.chain, test}}};
      return reportOf([FINDING], dealOf({...deal, agreed: on}, undefined, unverified).policy).outcome;
    };
    expect([rule({}, true), rule({}, false)]).to.deep.equal(['unverified', 'failed']);
    expect([rule({unverified: 'ask'}, false), rule({unverified: 'stop'}, true)]).to.deep.equal([
      'unverified',
      'failed',
    ]);
    for (const wrong of ['Stop', '', undefined]) expect(rule({unverified: wrong}, false)).to.equal('failed');
    expect(reportOf([FINDING], {}).outcome).to.equal('failed');
    expect(reportOf([FINDING], {unverified: 'Ask' as 'ask'}).outcome).to.equal('failed');
    const page = await openUnverified({config: {policy: {}}});
    expect(questionOf(page), 'between testnets').to.match(/./);
  });

  it('is stopped by a failed check beside it, and nothing is asked', async () => {
    const page = await openSession();
    page.world.check = () => Promise.resolve([FINDING, {name: 'amount', outcome: 'failed'}]);
    await page.order();
    expect([page.session.$stage.get(), questionOf(page)]).to.deep.equal(['stopped', undefined]);
    await say(page, 'anything');
    expect(prompts(page)).to.deep.equal([]);
  });
});

describe('an unverified payment whose wallet never answered', () => {
  for (const calls of [undefined, '0xca11'])
    it(`is not made a second time after a “No”, for nothing shows that it did not go out${calls ? ' as a bundle' : ''}`, async () => {
      const world = byTransaction();
      world.calls = calls;
      world.depositState = () => Promise.resolve('unknown');
      world.wallet = () => Promise.reject(new Error('the window is gone'));
      const page = await openUnverified({world});
      await say(page, questionOf(page));
      expect(prompts(page)).to.have.length(1);
      await page.session.answer(false);
      await settle();
      expect(page.session.$stage.get()).to.equal('stopped');
      await page.session.pay();
      await settle();
      expect(prompts(page)).to.have.length(1);
    });

  it('may have gone out for all that its visitor says, whatever the contract is, unless the chain says that it paid nothing', async () => {
    for (const state of ['none', 'unknown', 'reverted'] as const) {
      const world = byTransaction({wallet: () => Promise.reject(new Error('the window is gone'))});
      const page = await ordered({world});
      world.depositState = () => Promise.resolve(state);
      await page.session.answer(false);
      expect(page.walletRequests()).to.deep.equal(['send refused']);
      expect(wasGiven(entriesIn(page.session)[0]!), state).to.equal(state !== 'reverted');
    }
  });

  it('may be made again once its chain shows that it did nothing', async () => {
    const world = byTransaction();
    world.depositState = () => Promise.resolve('reverted');
    world.wallet = () => Promise.reject(new Error('the window is gone'));
    const page = await openUnverified({world});
    await say(page, questionOf(page));
    await page.session.answer(false);
    await page.session.pay();
    await settle();
    expect(prompts(page)).to.have.length(2);
  });
});

describe('an unverified payment of which its chain shows nothing', () => {
  it('is not given up since its service has not seen it either, however late it is', async () => {
    for (const read of [() => Promise.resolve('unknown' as const), () => Promise.reject(new Error('no node'))]) {
      const world = byTransaction();
      Object.assign(world.adapter, {expiresAfter: 300_000});
      world.depositState = read;
      const page = await openUnverified({world});
      await say(page);
      await page.host.pass(7_200_000);
      await page.session.pay();
      await settle();
      expect([prompts(page), fundingIn(page.session).error]).to.deep.equal([['wallet send'], undefined]);
      expect(entriesIn(page.session)[0]?.walletRequests.map(({state}) => state)).to.deep.equal(['sent']);
    }
  });
});

describe('an unverified payment whose permission was given', () => {
  const allowed = async () => {
    const world = createWorld();
    world.approvals = ['approve'];
    world.height = () => Promise.resolve(41n);
    world.depositState = () => Promise.resolve('unknown');
    const page = await openUnverified({world});
    world.wallet = kind => (kind === 'sign' ? Promise.reject(new SwapError('rejected')) : Promise.resolve());
    await say(page);
    expect(prompts(page)).to.deep.equal(['wallet approve', 'wallet sign']);
    return page;
  };
  const again = async (page: TestPage) => {
    await page.session.pay();
    await settle();
    return fundingIn(page.session).error?.field;
  };

  it('is looked for from its chain’s height before, by all that was sent', async () => {
    const page = await allowed();
    expect(entriesIn(page.session)[0]).to.deep.include({unverified: true, paidAfter: 41n});
    page.world.height = () => Promise.resolve(50n);
    await page.host.pass(120_000);
    await again(page);
    expect(page.world.given).to.deep.equal({after: 41n, hashes: [HASH], others: 0n});
    expect(page.world.mustShow, 'no single RPC is believed that nothing was taken').to.equal(true);
    expect(entriesIn((await page.reload()).session)[0]).to.deep.include({paidAfter: 41n});
  });

  it('is asked for again only once its chain shows that nothing was taken', async () => {
    const page = await allowed();
    expect(await again(page)).to.equal('taken');
    for (const state of ['unknown', 'seen', 'empty'] as const) {
      page.world.depositState = () => Promise.resolve(state);
      expect(await again(page), state).to.equal('taken');
    }
    page.world.depositState = () => Promise.reject(new Error('no node answers'));
    expect(await again(page)).to.equal('pending');
    expect(prompts(page)).to.have.length(2);
    page.world.depositState = () => Promise.resolve('none');
    expect(await again(page)).to.equal(undefined);
    expect(prompts(page)).to.deep.equal(['wallet approve', 'wallet sign', 'wallet approve', 'wallet sign']);
  });

  it('is not asked for again though the wallet said no each time, once anything has left the payer', async () => {
    const page = await openUnverified({world: createWorld(DEPOSIT, {approvals: ['approve']})});
    page.world.depositState = () => Promise.resolve('unknown');
    page.world.wallet = () => Promise.reject(new SwapError('rejected'));
    await say(page);
    expect(await again(page), 'nothing shows that it was sent').to.equal(undefined);
    page.world.onChain = {isTaken: true};
    expect(await again(page)).to.equal('taken');
    expect(prompts(page)).to.deep.equal(['wallet approve', 'wallet approve']);
  });

  it('is not said to be taken while its token shows that nothing has left', async () => {
    const page = await allowed();
    page.world.onChain = {isTaken: false};
    expect(await again(page)).to.equal('pending');
    page.world.onChain = {};
    expect(await again(page)).to.equal('taken');
  });

  it('is not said to be taken by what another order of the same account paid since', async () => {
    const page = await allowed();
    const {world, session} = page;
    Object.assign(world, {approvals: [], wallet: () => Promise.resolve()});
    session.reset();
    await page.order();
    await say(page);
    await settle(session.openOrder(ORDER_ID));
    expect(world.given).to.deep.equal({after: 41n, hashes: [HASH], others: entriesIn(session)[0]!.agreed.amount});
  });

  it('is asked for again after a reload in the middle, once its chain would show what came of it', async () => {
    const world = createWorld(DEPOSIT, {approvals: ['approve'], wallet: () => new Promise(() => {})});
    world.height = () => Promise.resolve(41n);
    const before = await openUnverified({world});
    void before.session.accept(questionOf(before)!);
    await settle();
    expect(prompts(before)).to.deep.equal(['wallet approve']);
    const page = await before.reload();
    world.depositState = () => Promise.resolve(world.given ? 'none' : 'unknown');
    world.onChain = {isTaken: false};
    await say(page);
    expect([await again(page), prompts(page)]).to.deep.equal(['pending', ['wallet approve']]);
    await page.host.pass(59_000);
    expect([await again(page), prompts(page)], 'a second earlier').to.deep.equal(['pending', ['wallet approve']]);
    await page.host.pass(1_000);
    void page.session.pay();
    await settle();
    expect(world.given).to.deep.equal({after: 41n, hashes: [], others: 0n});
    expect(prompts(page)).to.deep.equal(['wallet approve', 'wallet approve']);
  });

  it('is not looked for where its chain’s height was not read', async () => {
    const world = createWorld(DEPOSIT, {height: () => Promise.resolve(undefined)});
    const page = await openUnverified({world});
    await say(page);
    expect(entriesIn(page.session)[0]).not.to.have.property('paidAfter');
    await page.host.pass(30_000);
    expect(page.world.given).to.equal(undefined);
  });
});

describe('what an order’s contract may take', () => {
  const {agreed} = sampleDeal();
  const onStarknet = {...agreed, from: {...agreed.from, chain: {...agreed.from.chain, family: 'starknet'}}} as const;
  const allowed = (request: Partial<WalletRequest>, where: typeof agreed = agreed) =>
    allowanceOf({agreed: where, walletRequests: [{kind: 'approve', state: 'sent', at: 1, ...request}]}) !== undefined;

  it('is the amount, from its approval on, until the chain showed that nothing of it is left', () => {
    for (const state of ['asking', 'sent'] as const) expect(allowed({state}), state).to.equal(true);
    const of = (...requests: readonly Partial<WalletRequest>[]) =>
      allowanceOf({agreed, walletRequests: requests.map(one => ({kind: 'approve', state: 'asking', at: 1, ...one}))});
    const each = [of(), of({}), of({claimed: true}), of({}, {state: 'sent'}), of({revoked: true})];
    expect(each.join()).to.equal(',asked,given,given,');
    expect(allowed({state: 'refused'})).to.equal(false);
    for (const kind of ['revoke', 'sign', 'send', 'initiate', 'refund'] as const)
      expect(allowed({kind}), kind).to.equal(false);
    const both = (['approve', 'sign'] as const).map(kind => ({kind, state: 'sent', at: 1}) as const);
    const taken = withoutAllowance({walletRequests: both}, agreed.from.chain).map(({revoked}) => revoked);
    expect(taken).to.deep.equal([true, undefined]);
  });

  it('may be gone from then on, whatever was taken back since', () => {
    const was = (...requests: readonly Partial<WalletRequest>[]) =>
      wasAllowed({agreed, walletRequests: requests.map(one => ({kind: 'approve', state: 'sent', at: 1, ...one}))});
    expect(was({revoked: true}, {kind: 'sign'})).to.equal(true);
    expect(was({state: 'refused'}, {kind: 'sign'})).to.equal(false);
  });

  it('is the amount where approval and payment are one request, unless the wallet declined it', () => {
    for (const request of [{}, {state: 'asking'}, {state: 'refused', abandoned: true}] as const) {
      expect(allowed({kind: 'send', calls: 'abc', ...request}), JSON.stringify(request)).to.equal(true);
      expect(allowed({kind: 'send', ...request}, onStarknet), JSON.stringify(request)).to.equal(true);
    }
    expect(allowed({kind: 'send', calls: 'abc', state: 'refused'})).to.equal(false);
    expect(allowed({kind: 'send', state: 'refused'}, onStarknet)).to.equal(false);
  });

  /** A page with an order whose wallet did both in one request, and whose visitor said that they did not confirm. */
  const givenUp = async () => {
    const world = byTransaction();
    world.calls = 'abc';
    world.wallet = () => Promise.reject(new SwapError('wallet-unclear'));
    const page = await openUnverified({world});
    await say(page);
    world.depositState = () => Promise.resolve('unknown');
    await page.session.answer(false);
    await settle();
    expect(entriesIn(page.session)[0]).to.include({stage: 'stopped', canceled: true});
    return page;
  };
  const isAllowedOn = ({session}: TestPage) => allowanceOf(entriesIn(session)[0]!) !== undefined;

  it('stays named by an order that was given up, and after a revocation that the chain did not show', async () => {
    const page = await givenUp();
    expect(isAllowedOn(page)).to.equal(true);
    page.world.adapter.back.revoke = async (_deal, _account, {onWalletRequest}) => {
      await onWalletRequest({kind: 'revoke', state: 'asking'});
      expect(page.session.$journal.get().revoking.state).to.equal('pending');
      await onWalletRequest({kind: 'revoke', state: 'sent', hash: HASH});
      expect(isAllowedOn(page), 'on its way').to.equal(true);
      throw new SwapError('approval-failed', {detail: HASH});
    };
    await page.session.revoke(ORDER_ID);
    expect(page.session.$journal.get().revoking.state).to.equal('failed');
    expect(isAllowedOn(page)).to.equal(true);
    expect(isAllowedOn(await page.reload())).to.equal(true);
  });

  it('was given, though its wallet never answered, once its chain shows that', async () => {
    const world = createWorld(DEPOSIT, {approvals: ['approve'], wallet: () => new Promise(() => {})});
    world.depositState = () => Promise.resolve('unknown');
    const before = await openUnverified({world});
    void before.session.accept(questionOf(before)!);
    await settle();
    world.onChain = {isAllowed: true};
    await before.host.pass(MINUTE);
    expect(before.walletRequests(), 'it is still asked').to.deep.equal(['approve asking']);
    world.onChain = {};
    const page = await before.reload();
    const shown = async (isAllowed: boolean, spent?: readonly string[]) => {
      world.onChain = {isAllowed, ...(spent && {spent})};
      await page.host.pass(MINUTE);
      return allowanceOf(entriesIn(page.session)[0]!);
    };
    expect(await shown(false)).to.equal('asked');
    expect(await shown(true)).to.equal('given');
    expect(await shown(false, [])).to.equal(undefined);
  });

  it('is the same for each order that relies on one allowance, and for no other', async () => {
    const page = await givenUp();
    const {session, world} = page;
    const another = async () => {
      session.reset();
      await page.order();
      await say(page);
    };
    for (let more = 0; more < 2; more++) await another();
    world.adapter.back.spenderOf = ({orderId}) => (orderId.endsWith('3') ? 'other' : 'one');
    world.adapter.back.revoke = () => Promise.resolve(HASH);
    await session.revoke(ORDER_ID);
    const still = entriesIn(session).map(entry => allowanceOf(entry));
    expect(still, 'newest first').to.deep.equal(['asked', undefined, undefined]);
  });

  it('is nothing once its chain shows that nothing is left of it, for example as another order used it', async () => {
    const page = await openUnverified({world: createWorld(DEPOSIT, {approvals: ['approve']})});
    const {world, session} = page;
    world.wallet = kind => (kind === 'sign' ? Promise.reject(new SwapError('rejected')) : Promise.resolve());
    await say(page);
    await session.cancel();
    world.depositState = () => Promise.resolve('unknown');
    for (const [spent, still] of [
      [['0xother'], true],
      [[HASH], false],
    ] as const) {
      world.onChain = {spent, isTaken: true};
      session.refresh();
      await page.host.pass(30_000);
      expect(isAllowedOn(page), spent.join()).to.equal(still);
    }
    expect(isAllowedOn(await page.reload())).to.equal(false);
  });

  it('is nothing once the chain shows the revocation, and not because nothing is allowed yet', async () => {
    const page = await givenUp();
    page.world.adapter.back.revoke = () => Promise.resolve('');
    await page.session.revoke(ORDER_ID);
    expect(isAllowedOn(page), 'it may still come').to.equal(true);
    page.world.adapter.back.revoke = () => Promise.resolve(HASH);
    await page.session.revoke(ORDER_ID, SOLVER);
    expect(isAllowedOn(page), 'another token').to.equal(true);
    await page.session.revoke(ORDER_ID);
    expect(isAllowedOn(page)).to.equal(false);
    expect(isAllowedOn(await page.reload())).to.equal(false);
  });
});

describe('what was sent for a payment', () => {
  it('is known once the wallet has answered, by its transaction or its calls; a refund is none', () => {
    const hash = '0x1';
    expect([fundingBy({state: 'asking', hash}), fundingBy({state: 'sent'})]).to.deep.equal([undefined, undefined]);
    expect(fundingBy({state: 'sent', calls: 'abc'})).to.deep.equal({how: 'calls', id: 'abc'});
    const walletRequests = [
      {kind: 'refund', state: 'asking', at: 1} as const,
      {kind: 'refund', state: 'sent', at: 1, hash} as const,
    ];
    expect(
      refundHashes({walletRequests: [...walletRequests, {kind: 'approve', state: 'sent', at: 1, hash: '0x2'}]}),
    ).to.deep.equal([hash]);
    expect(wasAsked({walletRequests})).to.equal(false);
  });

  const sent = (...requests: readonly Partial<WalletRequest>[]) =>
    sentHashes({walletRequests: requests.map(request => ({kind: 'send', state: 'sent', at: 1, ...request}))}, 1);

  it('is each transaction that gave, took back or moved money, and nothing that was declined', () => {
    const [one, two, three] = ['0x1', '0x2', '0x3'];
    expect(sent()).to.deep.equal([]);
    expect(sent({kind: 'approve', hash: one}, {kind: 'revoke', hash: two}, {hash: three})).to.deep.equal([
      '0x1',
      '0x2',
      '0x3',
    ]);
    expect(sent({kind: 'approve', hash: one}, {state: 'refused'}, {kind: 'sign', state: 'signed'})).to.deep.equal([
      one,
    ]);
    expect(sent({kind: 'refund', state: 'sent'}, {kind: 'initiate', state: 'sent'})).to.deep.equal([]);
  });

  it('is unknown while one of them is', () => {
    for (const unknown of [
      {kind: 'approve', state: 'asking', at: 2},
      {kind: 'revoke', state: 'asking', at: 2},
      {state: 'asking'},
      {calls: 'abc'},
      {state: 'refused', abandoned: true},
    ] as const)
      expect(sent({kind: 'approve', hash: '0x1'}, unknown), JSON.stringify(unknown)).to.equal(undefined);
  });

  it('is without what a wallet was asked for long ago and never answered, except the payment', () => {
    for (const kind of ['approve', 'revoke'] as const)
      expect(sent({kind: 'approve', hash: '0x1'}, {kind, state: 'asking'}), kind).to.deep.equal(['0x1']);
  });
});

describe('the yes', () => {
  const deal = {...sampleDeal(), orderId: ORDER_ID};
  const reportWith = (...results: readonly CheckResult[]) => reportOf(results, {unverified: 'ask'});

  it('is to the last question alone', () => {
    const consent = createConsent();
    const ask = (found: string) => consent.ask(deal, reportWith({...FINDING, found}));
    const first = ask('one')!;
    const second = ask('two')!;
    expect(first.id).not.to.equal(second.id);
    consent.give(ORDER_ID, first);
    expect(ask('two')).to.deep.equal(second);
    consent.give(ORDER_ID, second);
    expect(ask('two')).to.equal(undefined);
    expect(consent.ask(deal, reportOf([{name: 'amount', outcome: 'failed'}]))).to.equal(undefined);
    expect(ask('two')).to.deep.equal(second);
    expect(ask('one')).to.deep.equal(first);
  });

  it('is to the terms of the order, whatever becomes of it, and also where it cannot be read yet', () => {
    const consent = createConsent();
    const {order, ...unreadDeal} = deal;
    const ask = (read: object) => consent.ask({...unreadDeal, ...read}, reportWith(FINDING));
    const question = ask({order});
    expect(ask({order: {...order, source: {...order.source, filled: 1n}}})).to.equal(question);
    const unread = ask({})!;
    expect(unread).not.to.deep.equal(question);
    consent.give(ORDER_ID, unread);
    expect(ask({})).to.equal(undefined);
  });

  it('names the payment: the same one everywhere, and any other by another id', () => {
    const idOf = (other: object, ...results: readonly CheckResult[]) =>
      createConsent().ask({...deal, ...other}, reportWith(...(results.length ? results : [FINDING])))?.id;
    const own = idOf({});
    expect(own).to.match(/^[0-9a-f]{64}$/);
    const {agreed, deposit, order} = deal;
    const {transaction, ...signed} = deposit.payload;
    const backwards = (fields: object) => Object.fromEntries(Object.entries(fields).reverse());
    const stored = {...deposit, payload: {transaction: backwards(transaction), ...signed}};
    expect(idOf({deposit: backwards(stored)}), 'stored and read again').to.equal(own);
    const leg = (change: object) => ({order: {...order, source: {...order.source, ...change}}});
    const others = [
      idOf({orderId: 'f00d'}),
      idOf({deposit: {...deposit, payload: {...signed, transaction: {...transaction, value: 1n}}}}),
      idOf({deposit: {...deposit, payload: {...signed, transaction: {...transaction, to: agreed.owner}}}}),
      idOf({deposit: {...deposit, payload: {transaction}}}),
      idOf({deposit: {how: 'transfer', address, amount: 1n}}),
      idOf({deposit: {how: 'transfer', address: `${address}q`, amount: 1n}}),
      idOf({agreed: {...agreed, owner: agreed.recipient}}),
      idOf({agreed: {...agreed, recipient: agreed.owner}}),
      idOf({agreed: {...agreed, amount: agreed.amount + 1n}}),
      idOf(leg({secretHash: '5a'.repeat(32)})),
      idOf(leg({redeemer: agreed.owner})),
      idOf(leg({initiator: agreed.recipient})),
      idOf(leg({timelock: order.source.timelock + 1})),
      idOf({}, {...FINDING, found: 'a third'}),
      idOf({}, {...FINDING, expected: 'a third'}),
      idOf({}, {...FINDING, name: 'code'}),
      idOf({}, FINDING, {...FINDING, name: 'code'}),
    ];
    const ids = [own, ...others];
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('to another page’s question is none: what that one named was another payment', async () => {
    const browser = createTestBrowser();
    const world = createWorld();
    const page = await openUnverified({browser, world});
    const id = questionOf(page);
    world.check = () => Promise.resolve([{...FINDING, found: 'a thief'}]);
    const other = await openSession({browser, world});
    await settle(other.session.openOrder(ORDER_ID));
    await other.session.pay();
    await settle();
    expect(questionOf(other)).to.match(/./);
    await say(other, id);
    expect(prompts(other)).to.deep.equal([]);
  });
});

describe('an address that is unverified', () => {
  it('is in no store, event or record that the page reads before the yes, and in all of them after it', async () => {
    const page = await openUnverified({byAddress: true});
    expect(questionOf(page)).to.match(/./);
    expect(shownIn(page.session)?.deal?.deposit).to.deep.include({how: 'transfer', address: ''});
    await page.host.pass(10_000);
    expect(readable(page)).not.to.include(address);
    expect(entriesIn(page.session)[0]?.payableSince).to.equal(null);
    await say(page);
    expect(shownIn(page.session)?.deal?.deposit).to.deep.include({address});
    expect(entriesIn(page.session)[0]).to.deep.include({unverified: true});
    expect(entriesIn(page.session)[0]?.payableSince).to.be.a('number');
    expect(entriesIn(page.session)[0]?.deposit).to.deep.include({address});
  });

  it('is hidden again after a reload, until another yes', async () => {
    const page = await openUnverified({byAddress: true});
    await say(page);
    const again = await page.reload();
    await settle();
    await settle(again.session.openOrder(ORDER_ID));
    expect(questionOf(again)).to.match(/./);
    expect(readable(again)).not.to.include(address);
    await say(again);
    expect(shownIn(again.session)?.deal?.deposit).to.deep.include({address});
  });

  it('is in no rescue file before the yes, nor where it was stopped', async () => {
    for (const outcome of ['unverified', 'failed'] as const) {
      const page = await openUnverified({byAddress: true});
      page.world.check = () => Promise.resolve([{name: 'script', outcome}]);
      const written = await page.session.rescueFile(ORDER_ID).catch((error: unknown) => String(error));
      expect(written, outcome).not.to.include(address);
    }
  });

  it('is hidden where it took the place of the first one, whether it is asked about or stopped', async () => {
    const thief = 'tb1pthief';
    for (const outcome of ['unverified', 'failed'] as const) {
      const page = await openSession({world: createWorld(BY_TRANSFER)});
      placeByTransfer(page.world);
      page.world.depositState = () => Promise.resolve('none');
      await page.order();
      expect(readable(page)).to.include(address);
      page.world.check = () => Promise.resolve([{name: 'script', outcome}]);
      page.world.orders.set(ORDER_ID, anOrder({source: aLeg({swapId: thief})}));
      await page.host.pass(30_000);
      expect(shownIn(page.session)?.report?.outcome).to.equal(outcome);
      expect(readable(page), outcome).not.to.include(thief);
    }
  });

  it('is hidden until it is checked, although nothing is to be asked', async () => {
    const browser = createTestBrowser();
    const world = createWorld();
    const page = await openSession({browser, world});
    let check: (results: readonly CheckResult[]) => void = () => undefined;
    world.check = () => new Promise(resolve => (check = resolve));
    placeByTransfer(world);
    await page.order();
    expect(readable(page)).not.to.include(address);
    check([{name: 'script', outcome: 'passed'}]);
    await settle();
    expect(shownIn(page.session)?.deal?.deposit).to.deep.include({address});
  });
});

function changeOrder(orders: Map<string, Order>, change: (order: Order) => Partial<Order>): void {
  const order = orders.get(ORDER_ID);
  if (order) orders.set(ORDER_ID, {...order, ...change(order)});
}
