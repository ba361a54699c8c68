/** A payment that is not fully verified: it is asked about, or stopped, and what follows says so. */
import {expect} from '@open-wc/testing';
import {reportOf, type CheckName, type CheckResult} from '../../src/domain/deposit.js';
import {ready} from '../../src/domain/remote.js';
import type {FundingProgress} from '../../src/session/session.js';
import {hintFor} from '../../src/elements/order/deposit/hints.js';
import {listenToConsole} from '../support/console.js';
import type {FakeSessionWidget} from '../support/fake-session.js';
import type {JournalEntry} from '../../src/session/order/journal.js';
import {change} from '../../src/session/shared.js';
import {expectNoAddress, focused, whatIsCopied, type WidgetPage} from '../support/page.js';
import {openIn, show} from '../support/show.js';
import {entriesIn} from '../support/shown.js';
import {agreed, DEPOSIT_ADDRESS, STATES} from '../support/states.js';

type Page = WidgetPage<FakeSessionWidget>;

/** The session after the visitor's yes: nothing is asked any more. */
function sayYes({widget}: Page, address?: string) {
  const {question: _, ...placed} = widget.fake.placed();
  const deal = placed.deal!;
  const deposit = {...deal.deposit, ...(address !== undefined && {address})} as typeof deal.deposit;
  widget.fake.progress({placed: ready({...placed, deal: {...deal, deposit}})});
}

const toUnverified = (entry: JournalEntry): JournalEntry => ({...entry, unverified: true});

const findings = (page: Page) =>
  page.findAll('.findings li').map(({textContent}) => textContent.replace(/\s+/g, ' ').trim());

describe('The question about what is not verified', () => {
  it('gives up by the button for the next step', async () => {
    const page = await show('question');
    expect(page.heading).to.equal('Before you pay');
    expect(page.primary).to.equal('Go back');
    await page.goOn();
    expect(page.widget.fake.calls.slice(-2)).to.deep.equal([['cancel'], ['reset', {keep: true}]]);
  });

  it('leaves what was allowed before to be taken back', async () => {
    const page = await show('question-again');
    expect(page.text).not.to.include('No money was sent');
    await page.press('Cancel the permission');
    expect(page.widget.fake.calls.at(-1)?.[0]).to.equal('revoke');
    await page.goOn();
    expect(page.widget.fake.calls.at(-1)).to.deep.equal(['cancel']);
  });

  it('has the focus on the button that leads away from it', async () => {
    const {page, session} = await openIn('deposit-reopening');
    await page.untilThere('.steps');
    page.find('h2')?.focus();
    STATES['question']?.(session);
    await page.settled();
    expect(focused()?.textContent.trim()).to.equal('Go back');
  });

  it('shows no address, code, link or copy button before the yes, and all of them after it', async () => {
    const page = await show('question-address');
    expectNoAddress(page, DEPOSIT_ADDRESS);
    expect(page.findAll('.pay-to, [part~="qr"], .chip').length).to.equal(0);
    expect(page.button('Show the address anyway')).not.to.equal(undefined);
    await page.settled(sayYes(page, DEPOSIT_ADDRESS));
    expect(page.heading).to.equal('Send your BTC');
    expect(page.find('.pay-to .groups')?.textContent).to.equal(DEPOSIT_ADDRESS);
  });

  it('never shows an empty address, whatever else is known', async () => {
    const page = await show('question-address');
    await page.settled(sayYes(page));
    expectNoAddress(page, DEPOSIT_ADDRESS);
    expect(page.find('.pay-to .groups')).to.equal(undefined);
    expect(page.canGoOn).to.equal(false);
  });

  it('gives way to the wallet’s requests, and to the end of the time to pay', async () => {
    const page = await show('question');
    await page.settled(page.widget.fake.fund({busy: true}));
    expect(page.heading).to.equal('Pay');
    page.widget.fake.fund({busy: false});
    await page.settled(page.widget.fake.$now.set(page.widget.fake.placed().payUntil));
    expect(page.primary).to.equal('Start again');
    expect(page.text).not.to.include('Pay anyway');
  });

  it('says each finding once, in a sentence', async () => {
    const page = await show('question');
    const say = async (...results: (CheckName | CheckResult)[]) => {
      const unverified = results.map(one =>
        typeof one === 'string' ? ({name: one, outcome: 'unverified'} as const) : one,
      );
      page.widget.fake.placed({report: reportOf(unverified, {unverified: 'ask'})});
      await page.settled();
      return findings(page);
    };
    expect(await say('call', 'typed-data')).to.deep.equal(['The payment is in a form that we don’t know.']);
    expect(await say('secret', 'same')).to.deep.equal(['Nothing ties the payment to what you receive.']);
    expect(await say('order', 'refund', 'token')).to.deep.equal([
      'We can’t check that your money is sent to you.',
      'We can’t check that a refund would go to you.',
      'The contract doesn’t say which token it takes.',
    ]);
    expect(await say('value'), 'one that has no sentence').to.deep.equal(['Not verified: Takes no other coins']);
    const text = `Send 0.1 WBTC to ${DEPOSIT_ADDRESS}`;
    expect(await say({name: 'contract', outcome: 'unverified', found: text})).to.deep.equal([
      'The contract isn’t one that this site has named. Send 0.1 WBTC to tb1pqq…hn0c',
    ]);
  });
});

describe('A check that found something not verified', () => {
  it('has a mark and a word of its own, and is not counted as passed', async () => {
    const page = await show('deposit-unverified');
    expect(page.find('.checks summary')?.textContent.trim()).to.equal('8 checks passed, 2 not verified');
    const lines = page.findAll('.checks li').filter(line => line.textContent.includes('Not verified:'));
    expect(lines.length).to.equal(2);
    expect(lines[0]?.querySelector('.ok')).to.equal(null);
    expect(page.find('.checks summary .ok')).to.equal(undefined);
  });
});

describe('A check that could not be run', () => {
  it('is named beside the number of those that passed', async () => {
    const page = await show('deposit-unverified');
    const names = ['token', 'code', 'chain'] as const;
    const results = names.map(name => ({name, outcome: name === 'chain' ? 'passed' : 'unchecked'}) as const);
    await page.settled(page.widget.fake.placed({report: reportOf(results)}));
    const summary = '1 check passed · Not checked: Token, The contract exists on this network';
    expect(page.find('.checks summary')?.textContent.trim()).to.equal(summary);
  });
});

describe('A contract that is not verified', () => {
  it('promises no refund, on the way or afterwards', async () => {
    for (const name of ['deposit-unverified', 'progress-unverified', 'refunding-unverified']) {
      const page = await show(name);
      await page.settled();
      expect(page.text, name).not.to.match(/[Tt]ake your money back|Backup file|wasn’t spent/);
    }
  });

  it('is no longer allowed to take the amount once the visitor has taken that back', async () => {
    const page = await show('deposit-unverified-allowed');
    await page.press('Cancel the permission');
    expect(page.widget.fake.calls.at(-1)?.[0]).to.equal('revoke');
    // That another swap's was is no word of this one's.
    const revoking = {...ready(`0x${'9'.repeat(64)}`), orderId: 'another'};
    await page.settled(change(page.widget.fake.$journal, {revoking}));
    expect(page.text).to.include('can be lost now').and.not.include('The permission is canceled.');
    const sent = {kind: 'revoke', state: 'sent', at: 1, hash: `0x${'9'.repeat(64)}`} as const;
    page.widget.fake.fund({walletRequests: [{kind: 'approve', state: 'sent', at: 1, revoked: true}, sent]});
    await page.settled();
    expect(page.text).to.include('The permission is canceled.').and.not.include('can be lost now');
    // Before that it may have been used.
    expect(page.text).not.to.match(/[Nn]othing was paid|No money was sent/);
    const ended = await show('canceled-allowed');
    const revoked = [{kind: 'approve', state: 'sent', at: 1, revoked: true}, sent] as const;
    await ended.settled(ended.widget.fake.fund({walletRequests: revoked}));
    expect(`${ended.text} ${ended.said}`).not.to.include('No money was sent');
    expect(`${ended.text} ${ended.said}`).to.include('The permission is canceled.');
  });

  it('is offered to be stopped, too, where approval and payment were one request', async () => {
    for (const one of ['canceled-allowed', 'deposit-unverified-allowed']) {
      const page = await show(one);
      page.widget.fake.fund({walletRequests: [{kind: 'send', state: 'sent', at: 1, calls: 'abc', abandoned: true}]});
      await page.settled();
      expect(page.text, one).to.include('0.1 WBTC can be lost now').and.not.include('No money was sent');
      expect(page.button('Cancel the permission'), one).not.to.equal(undefined);
    }
  });

  it('is not said to have a permission that the wallet never answered for', async () => {
    for (const name of ['deposit-unverified-allowed', 'question-again', 'canceled-allowed']) {
      const page = await show(name);
      page.widget.fake.fund({walletRequests: [{kind: 'approve', state: 'asking', at: 1}]});
      await page.settled();
      const said = name === 'canceled-allowed' ? `${page.text} ${page.said}` : page.text;
      expect(said, name).to.include('Once you allow it, 0.1 WBTC can be lost').and.not.include('can be lost now');
      expect(page.button('Cancel the permission'), name).not.to.equal(undefined);
    }
  });

  it('can be stopped, too, while nobody knows whether it was paid by a signature', async () => {
    const page = await show('deposit-unclear-unverified');
    const requests = [
      {kind: 'approve', state: 'sent', at: 1},
      {kind: 'initiate', state: 'asking', at: 2},
    ] as const;
    await page.settled(page.widget.fake.fund({walletRequests: requests}));
    expect(page.text).to.include('can be lost now').and.include('Otherwise this swap ends');
    const names = page.findAll('button').map(({textContent}) => textContent.trim());
    expect(names).to.include.members(['Keep waiting', 'Stop waiting', 'Cancel the permission']);
  });

  it('may take the amount from the approval on, which is said, also where that is no step of its own', async () => {
    const page = await show('deposit-unverified');
    const {fake} = page.widget;
    const risk = 'Once you allow it, 0.1 WBTC can be lost.';
    const said = async (change: Partial<FundingProgress>) => {
      await page.settled(fake.fund({plan: ['send'], isBundle: false, ...change}));
      return page.text.includes(risk);
    };
    expect(await said({plan: ['approve', 'send']}), 'a step').to.equal(true);
    expect(await said({isBundle: true}), 'a bundle').to.equal(true);
    const asked = {kind: 'send', state: 'asking', at: 1, calls: 'abc'} as const;
    expect(await said({isBundle: true, asking: 'send', walletRequests: [asked]}), 'asked for').to.equal(true);
    expect(page.text).not.to.include('can be lost now');
    fake.fund({asking: undefined, walletRequests: []});
    expect(await said({}), 'approved before').to.equal(false);
    const {
      agreed: {from, ...agreement},
      ...deal
    } = fake.placed().deal!;
    const onStarknet = {...from, chain: {...from.chain, family: 'starknet'}} as const;
    fake.placed({deal: {...deal, agreed: {...agreement, from: onStarknet}}});
    expect(await said({}), 'several calls').to.equal(true);
  });

  it('which may take another coin is stopped, and that can be taken back', async () => {
    const page = await show('checks-other-allowed');
    await page.press('Cancel the permission');
    const [what, orderId, token] = page.widget.fake.calls.at(-1) as readonly string[];
    expect(what).to.equal('revoke');
    expect(token).to.match(/^0x/);
    const revoked = ready(`0x${'9'.repeat(64)}`);
    for (const of of [{orderId: 'another', token}, {orderId}]) {
      await page.settled(change(page.widget.fake.$journal, {revoking: {...revoked, ...of}}));
      expect(page.text).to.include('to take your USDC').and.not.include('The permission is canceled.');
    }
    await page.settled(change(page.widget.fake.$journal, {revoking: {...revoked, orderId, token}}));
    expect(page.text).to.include('The permission is canceled.').and.not.include('to take your USDC');
  });

  it('promises of a late payment what follows from what was sent, before and after a reload', async () => {
    const page = await show('expired');
    const {fake} = page.widget;
    const report = reportOf([{name: 'contract', outcome: 'unverified'}], {unverified: 'ask'});
    // A reload forgets the report.
    for (const known of [{report}, {}]) {
      const {report: _, ...placed} = fake.placed();
      await page.settled(fake.progress({placed: ready({...placed, ...known})}));
      expect(page.text, 'nothing was sent').not.to.match(/late payment|take it back/);
    }
    await page.settled(fake.fund({walletRequests: [{kind: 'send', state: 'sent', at: 1, abandoned: true}]}));
    expect(page.text).to.include('You can take back a late payment');
    await page.settled(change(fake.$journal, {entries: entriesIn(fake).map(toUnverified)}));
    expect(page.text).to.include('so this page can’t take it back').and.not.include('late payment');
  });

  it('that has used what it was allowed to is the most prominent thing on its screen', async () => {
    const page = await show('deposit-taken');
    expect(page.find('.loss')?.textContent).to.include('may have taken your money');
  });
});

describe('A bitcoin address that is not verified', () => {
  for (const name of Object.keys(STATES).filter(name => /address|late|too-little|overpaid|in-time/.test(name)))
    it(`promises no refund: ${name}`, async () => {
      const page = await show(name);
      const {fake} = page.widget;
      if (name.endsWith('in-time')) fake.know({deposit: {state: 'seen', amount: 1_000_000n, isHeld: true}});
      await page.settled(change(fake.$journal, {entries: entriesIn(fake).map(toUnverified)}));
      const promise = /comes? back to|send(s|ing)? (a late payment|your money)|coming back|refunds you|been spent/i;
      expect(`${page.text} ${page.said}`).not.to.match(promise);
    });
});

describe('A payment that was stopped since it could not be verified', () => {
  it('tells the site once, in the console, what it can set', async () => {
    const said = await listenToConsole('warn', async () => {
      await show('checks-unverified');
      const page = await show('checks-unverified');
      await page.settled(page.widget.fake.$now.set(page.widget.fake.$now.get() + 1));
    });
    const hints = said.filter(text => text.includes('could not be verified'));
    expect(hints.length).to.equal(1);
    expect(hints[0]).to.include('contracts="base_sepolia:wbtc 0x9f3a51c2d84e07b6a9c1f5d2e3b40871c6a5de92"');
    expect(hints[0]).to.include('unverified="ask"').and.not.include('rpc=');
  });

  it('keeps the address out of its report', async () => {
    const page = await show('checks-unverified-address');
    const copied = (await whatIsCopied(() => page.press('Copy report'))).join();
    expect(copied).to.include('"script"').and.not.include(DEPOSIT_ADDRESS);
  });
});

describe('What a site is told to set', () => {
  const deal = (from = agreed.from) =>
    ({orderId: '1', agreed: {...agreed, from}, policy: {unverified: 'stop'}}) as never;
  const contract = {name: 'contract', outcome: 'unverified', found: '0x01', sides: ['known', 'payment']} as const;
  const hint = (...results: CheckResult[]) => hintFor(deal(), reportOf(results)) ?? '';

  it('is nothing where something differs', () => {
    const amount = {
      name: 'amount',
      outcome: 'failed',
      expected: '1',
      found: '2',
      sides: ['agreed', 'payment'],
    } as const;
    expect(hint(amount)).to.equal('');
    expect(hint(amount, contract)).to.equal('');
    expect(hint({...contract, outcome: 'failed', sides: ['payment', 'signature']})).to.equal('');
    expect(hintFor(deal(), reportOf([contract], {unverified: 'ask'}))).to.equal(undefined);
  });

  it('is a node where a contract could not be read', () => {
    const said = hint(contract, {name: 'code', outcome: 'failed'});
    expect(said).to.include('rpc="base_sepolia https://…"').and.include('contracts="base_sepolia:wbtc 0x01"');
    expect(said).not.to.include('unverified=');
  });

  it('is the contract alone where its call cannot be read, with its entry point on Starknet', () => {
    const call = {name: 'call', outcome: 'failed', found: '0x12345678', sides: ['known', 'payment']} as const;
    expect(hint(contract, call)).to.include('contracts="base_sepolia:wbtc 0x01"').and.not.include('unverified=');
    const {from} = agreed;
    const there = {...from, id: 'starknet_sepolia:wbtc' as const, chain: {...from.chain, family: 'starknet' as const}};
    expect(hintFor(deal(there), reportOf([contract, call]))).to.include('"starknet_sepolia:wbtc 0x01.<entry point>"');
  });

  it('is the contract, too, where nothing could be compared with a call that cannot be read', () => {
    const call = {name: 'call', outcome: 'failed', found: '0x12345678', sides: ['known', 'payment']} as const;
    const amount = {name: 'amount', outcome: 'failed', expected: '1', sides: ['agreed', 'payment']} as const;
    const secret = {name: 'secret', outcome: 'failed', found: 'ab', sides: ['payment', 'order']} as const;
    expect(hint(amount, contract, call, secret)).to.include('contracts="base_sepolia:wbtc 0x01"');
    // The order's own recipient is another one, whatever the call says.
    const order = {name: 'order', outcome: 'failed', expected: '1', found: '2', sides: ['agreed', 'order']} as const;
    expect(hint(amount, contract, call, order)).to.equal('');
    expect(hint(amount, contract, secret)).to.equal('');
  });

  it('is no contract that has another role', () => {
    const call = {name: 'call', outcome: 'failed', found: '0x12345678', sides: ['known', 'payment']} as const;
    expect(hint({...contract, outcome: 'failed'}, call)).to.equal('');
  });

  it('is never an address that could be paid', () => {
    const said = hint({name: 'script', outcome: 'unverified'}, {name: 'secret', outcome: 'unverified'});
    expect(said).to.include('unverified="ask"').and.not.include('contracts=');
    const transfer = hint(contract, {name: 'call', outcome: 'unverified', found: 'transfer'});
    expect(transfer).to.include('unverified="ask"').and.not.include('contracts=');
  });
});
