import {expect} from '@open-wc/testing';
import type {Foresight} from '../../src/chains/adapter.js';
import {reportOf, type CheckName, type CheckResult, type WalletRequest} from '../../src/domain/deposit.js';
import {SwapError} from '../../src/domain/error.js';
import {failed, pending, ready, valueOf} from '../../src/domain/remote.js';
import type {FundingProgress} from '../../src/session/session.js';
import type {SwapView} from '../../src/elements/base/swap-view.js';
import {change} from '../../src/session/shared.js';
import type {FakeSession} from '../support/fake-session.js';
import {NOON} from '../support/swap.js';
import {focused, waitUntil, whatIsCopied} from '../support/page.js';
import {show} from '../support/show.js';
import {fallen, agreed, STATES, RECIPIENT} from '../support/states.js';

const NEXT = [
  ['deposit-rejected', [['pay']]],
  ['deposit-move-refused', [['pay']]],
  ['deposit-unclear', [['answer', true]]],
  ['deposit-overdue', [['answer', true]]],
  ['unknown-link', [['reset']]],
  ['complete', [['reset', {keep: false}]]],
  ['refunded', [['reset', {keep: true}]]],
  ['refund-open', [['refund']]],
  ['canceled-allowed', [['revoke', '9f3c5b1e7a20d4c86f1be21a']]],
  ['deposit-taken', [['reset', {keep: true}]]],
  ['review', [['placeOrder']]],
  ['review-price-moved', [['placeOrder']]],
  ['form-service-error', [['requote']]],
  ['form-recipient-given', [['confirm', 'recipient']]],
  ['form-name-unread', [['confirm', 'recipient']]],
] as const;

const OTHERS = [
  ['deposit-sign', 'Pay the network fee myself', [['pay', 'transaction']]],
  ['question', 'Pay anyway', [['accept', 'question']]],
  ['complete-less', 'New swap', [['reset']]],
  ['review-lookalike', 'Use the address I used before', [['back'], ['edit', {recipient: RECIPIENT}]]],
] as const;

describe('A button', () => {
  for (const [name, calls] of NEXT)
    it(`goes on from ${name}: ${JSON.stringify(calls)}`, async () => {
      const page = await show(name);
      await page.goOn();
      expect(page.widget.fake.calls.slice(-calls.length)).to.deep.equal(calls);
    });

  for (const [name, label, calls] of OTHERS)
    it(`“${label}” of ${name}: ${JSON.stringify(calls)}`, async () => {
      const page = await show(name);
      await page.press(label);
      expect(page.widget.fake.calls.slice(-calls.length)).to.deep.equal(calls);
    });

  for (const name of ['deposit-rejected', 'deposit-sign', 'deposit-address'])
    it(`cancels the swap in five seconds, until which that can be undone: ${name}`, async () => {
      const page = await show(name);
      const {fake} = page.widget;
      const isCanceled = () => fake.calls.some(([call]) => call === 'cancel');
      const pass = () => page.settled(fake.$now.set(fake.$now.get() + 5_000));
      page.find('.more > summary')?.click();
      await page.press('Cancel swap');
      page.button('Undo')?.focus();
      await page.press('Undo');
      expect(focused()?.textContent.trim()).to.equal('Cancel swap');
      await pass();
      expect(isCanceled()).to.equal(false);
      await page.press('Cancel swap');
      await waitUntil(() => page.said === 'You canceled this swap.', 'it is not announced');
      await pass();
      expect(isCanceled()).to.equal(true);
    });

  it('“Back” right after a cancel cancels at once: whoever leaves cannot undo it', async () => {
    const page = await show('deposit-sign');
    await page.press('Cancel swap');
    await page.press('Back');
    expect(page.widget.fake.calls.at(-1)).to.deep.equal(['cancel']);
  });

  for (const name of ['deposit-send', 'review-placing', 'refunding'])
    it(`does nothing while there is nothing to do (${name})`, async () => {
      const page = await show(name);
      const before = page.widget.fake.calls.length;
      await page.goOn();
      expect(page.canGoOn).to.equal(false);
      expect(page.widget.fake.calls.length).to.equal(before);
    });
});

describe('The network fee in the review', () => {
  it('does not exist if the wallet only signs', async () => {
    const page = await show('review-wallet-asks');
    await page.settled(page.widget.fake.setForm({foresight: {moves: true, plan: ['sign']}}));
    expect(page.text).to.include('No network fee');
  });
});

describe('A check that failed', () => {
  it('names its two sides by where they are from, whatever it is about', async () => {
    const terms = async (name: CheckName, sides: CheckResult['sides']) => {
      const page = await show('checks-failed');
      const report = reportOf([{name, outcome: 'failed', expected: 'one', found: 'other', ...(sides && {sides})}]);
      await page.settled(page.widget.fake.placed({report}));
      return page.findAll('.compare dt').map(({textContent}) => textContent);
    };
    expect(await terms('amount', ['agreed', 'payment'])).to.deep.equal(['You agreed to', 'In the payment']);
    expect(await terms('refund', ['agreed', 'order'])).to.deep.equal(['You agreed to', 'In the order']);
    expect(await terms('script', ['derived', 'payment'])).to.deep.equal(['This swap’s address', 'In the payment']);
    expect(await terms('same', ['payment', 'signature'])).to.deep.equal(['In the payment', 'In the signature']);
    expect(await terms('token', ['agreed', 'chain'])).to.deep.equal(['You agreed to', 'On the network']);
    expect(await terms('call', undefined)).to.deep.equal(['Expected', 'In the payment']);
  });
});

describe('What the wallet will ask for', () => {
  it('does not move the button of the review once it is known', async () => {
    const page = await show('review-own-recipient');
    const top = () => page.primaryButton?.getBoundingClientRect().top;
    const know = async (foresight: 'pending' | Foresight) => {
      await page.settled(page.widget.fake.setForm({foresight}));
    };
    for (const width of ['320px', '400px', '560px']) {
      page.widget.style.inlineSize = width;
      await know('pending');
      const before = top();
      await know({moves: false, plan: ['approve', 'sign']});
      expect(top(), width).to.equal(before);
    }
  });
});

describe('The steps of a deposit', () => {
  it('say at once that the visitor is offline, and no longer once that is over', async () => {
    const page = await show('deposit-rejected');
    const {progress, calls} = page.widget.fake;
    const before = calls.length;
    await page.settled(progress({reading: failed(new SwapError('offline'), true)}));
    expect(page.find('.notice.info')?.textContent).to.include('You’re offline.');
    expect(page.notes.join()).not.to.include('You declined');
    expect(page.primary).to.equal('You’re offline');
    expect(page.canGoOn).to.equal(false);
    await page.goOn();
    expect(calls.length).to.equal(before);
    await page.settled(progress({reading: pending(true)}));
    expect(page.notes.join()).not.to.include('offline');
    expect(page.primary).to.equal('Sign with Harbor');
  });

  it('are the same before and after a reload: the service’s payment follows the signature', async () => {
    const stepsOf = async (funding: Partial<FundingProgress>) => {
      const page = await show('deposit-reopened');
      await page.settled(page.widget.fake.fund({way: 'signature', other: 'transaction', ...funding}));
      return page.findAll('.step strong').map(({textContent}) => textContent);
    };
    const walletRequests = [{kind: 'approve', state: 'refused', at: NOON}] as const;
    const before = await stepsOf({walletRequests, plan: ['approve', 'sign']});
    const after = await stepsOf({walletRequests, foreseen: {moves: false, plan: ['approve', 'sign']}});
    expect(before).to.deep.equal(after);
    expect(before).to.have.length(2);
  });

  it('count no answer of an earlier try: what was allowed and used is asked for again', async () => {
    const page = await show('deposit-allowance-used');
    expect(page.text).to.include(
      'Another swap used the permission, or it changed. Your signature never left this page',
    );
    const now = () => page.find('.step[data-state=now] strong')?.textContent;
    expect(now()).to.equal(page.primary);
    expect(page.primary).to.match(/^Allow/);
    const {walletRequests} = page.widget.fake.$orderState.get().funding;
    page.widget.fake.fund({plan: ['approve', 'sign'], earlier: walletRequests.length, busy: true, error: undefined});
    await page.settled();
    expect(now()).to.match(/^Allow/);
  });

  it('offer nothing more once the payment is on its way, until the next view is there', async () => {
    const page = await show('deposit-send');
    const button = page.primaryButton!;
    const labels: (string | null)[] = [];
    new MutationObserver(() => labels.push(button.textContent.trim())).observe(button, {
      subtree: true,
      characterData: true,
      childList: true,
    });
    STATES['progress-sent']?.(page.widget.fake);
    await page.untilThere('swap-widget-progress-view');
    await page.settled();
    expect(page.text).to.include('Payment sent');
    expect(labels).to.deep.equal([]);
  });
});

describe('The steps of a paid swap', () => {
  it('say of a payment that was in no block that it is not seen any more, and never that it left one', async () => {
    const page = await show('progress-deposit-seen');
    const {source, ...order} = page.widget.fake.$orderState.get().story!.order!;
    const {initiated: _, ...unpaid} = source;
    await page.settled(page.widget.fake.know({order: {...order, source: {...unpaid, filled: 0n}}}));
    expect(page.text).to.include('Your payment can’t be seen any more.').and.not.include('a block.');
    await waitUntil(() => page.said.includes('Your payment can’t be seen any more.'), 'it is not announced');
    expect(page.said).not.to.include('no longer in a block');
  });

  it('say what is still to come in the future, though the service already names a payout', async () => {
    const page = await show('progress-sent');
    const {order} = valueOf(page.widget.fake.$order.get())!.story!;
    const initiated = {hashes: [`0x${'9'.repeat(64)}`], block: 9n};
    await page.settled(page.widget.fake.know({order: {...order!, destination: {...order!.destination, initiated}}}));
    const texts = page.findAll('.step').map(({innerText}) => innerText.replace(/\s+/g, ' ').trim());
    expect(texts.slice(1)).to.deep.equal(['Still to come: It arrives']);
  });

  it('count no time by which the clock was set since the payment', async () => {
    const page = await show('progress-sent');
    const {$now, placed} = page.widget.fake;
    const set = 20 * 60_000;
    await page.settled($now.set($now.get() + set));
    expect(page.text).to.include('21 minutes so far');
    await page.settled(placed({placedAt: placed().placedAt + set}));
    expect(page.text).to.include('1 minute so far');
  });

  it('name no time by which the money should be there once that is past', async () => {
    const page = await show('progress-confirming');
    const {source, ...order} = page.widget.fake.$orderState.get().story!.order!;
    page.widget.fake.know({
      order: {...order, source: {...source, timelock: 300}},
      deposit: {state: 'seen', amount: source.amount, isHeld: true, isRefundOpen: false},
    });
    await page.settled();
    expect(page.text).to.include('1 of 3 confirmations').and.not.include('Not there by');
  });

  it('say that the payer can take the money back, though the service does not answer', async () => {
    const page = await show('refund-open');
    await page.settled(page.widget.fake.progress({reading: failed(new SwapError('timeout'))}));
    expect(page.text).to.include('You can still take it back.').and.not.include('continues without this page');
  });

  it('ask for a signature again that never left the page', async () => {
    const page = await show('deposit-rejected');
    const signed = {walletRequests: [{kind: 'sign', state: 'signed', at: 1}], error: undefined} as const;
    const now = async (busy: boolean) => {
      await page.settled(page.widget.fake.fund({...signed, busy}));
      return page.find('.step[data-state=now] strong')?.textContent;
    };
    expect(await now(true)).to.equal('The swap service sends your payment');
    expect(await now(false)).to.match(/^Sign/);
  });

  it('say of a signature that it was sent once the service said so', async () => {
    const page = await show('progress-sent');
    const first = async (change: Partial<WalletRequest>) => {
      const walletRequests = [{kind: 'initiate', state: 'sent', at: 1, ...change}] as const;
      await page.settled(page.widget.fake.fund({funding: undefined, walletRequests}));
      return page.find('.step strong')?.textContent;
    };
    expect(await first({})).to.equal('Signature sent');
    expect(await first({state: 'asking', claimed: true})).to.equal('No answer to your signature');
  });
});

describe('A status', () => {
  it('shows the last rate and cost as no longer valid when the next price fails', async () => {
    const page = await show('form-quoted');
    const colorOf = (selector: string) => getComputedStyle(page.find(selector) ?? document.body).color;
    const before = colorOf('.sum b');
    await page.settled(page.widget.fake.setForm({quote: failed(new SwapError('service'))}));
    const old = colorOf('.sum');
    expect(before).not.to.equal(old);
    expect([colorOf('.sum b'), colorOf('input.quiet')]).to.deep.equal([old, old]);
  });
});

describe('The ends of a swap', () => {
  it('show that the exchange partner took its own money back, if it did', async () => {
    const page = await show('refund-open');
    const {fake} = page.widget;
    const {destination, ...order} = fake.$orderState.get().story!.order!;
    await page.settled(fake.know({order: {...order, destination: {...destination, refunded: {hashes: ['0xb']}}}}));
    expect(page.text).to.include('The exchange partner took its money back');
  });

  for (const [name, label] of [
    ['refunded-unseen', 'Nothing came? Take your money back'],
    ['complete-unseen', 'Nothing came? Take your money back'],
    ['complete-held', 'Take your payment back'],
    ['expired-unseen', 'Nothing came? Take your money back'],
    ['deposit-overdue-unread', 'Nothing came? Take your money back'],
  ] as const) {
    it(`offer a refund by the contract, whatever else is shown, and show its progress: ${name}`, async () => {
      const page = await show(name);
      const {fake} = page.widget;
      await page.press(label);
      expect(fake.calls.at(-1)).to.deep.equal(['refund']);
      await page.settled(fake.progress({refund: pending()}));
      expect(page.button('Waiting for Harbor')?.matches(':disabled')).to.equal(true);
      await page.settled(fake.progress({refund: failed(new SwapError('rejected'))}));
      expect(page.text).to.include('You declined in your wallet. Your money stays where it is.');
      await expect(page.widget).to.be.accessible();
      await page.settled(change(fake.$wallets, {accounts: {}}));
      await page.press(label);
      await page.untilThere('swap-widget-wallet-picker');
    });
  }

  it('are done unless something contradicts it, and have a whole way only where a chain shows it', async () => {
    for (const [name, isDone, isWhole] of [
      ['complete', true, false],
      ['complete-untied', false, false],
      ['complete-asked-again', false, false],
      ['complete-less', false, true],
      ['complete-on-chain', true, true],
      ['complete-held', true, true],
      ['refunded', true, false],
      ['refunded-on-chain', true, true],
    ] as const) {
      const page = await show(name);
      expect(page.findAll('.mark.done').length > 0, name).to.equal(isDone);
      expect(page.findAll('.travelled').length > 0, name).to.equal(isWhole);
    }
  });

  it('round down in the review what arrives, and the least of it, to six digits', async () => {
    const page = await show('review');
    const reviewed = {...agreed, receive: 123_456_789n, atLeast: 122_839_505n};
    await page.settled(page.widget.fake.setForm({agreement: reviewed}));
    expect(page.text).to.include('At least 1.22839 WBTC').and.include('You receive about 1.23456 WBTC');
    expect(page.find('.get .amount bdi')?.title).to.equal('1.23456789');
    expect(page.find('.lines bdi[title]')?.title).to.equal('1.22839505 WBTC');
    await expect(page.widget).to.be.accessible();
  });

  it('say with less than agreed what was agreed, what arrived and where, to be shown to the service', async () => {
    const page = await show('complete-less');
    const [copied] = await whatIsCopied(() => page.press('Copy report'));
    const {orderId, deal, order, received} = JSON.parse(copied ?? '') as Record<string, never>;
    const {id} = valueOf(page.widget.fake.$order.get())!;
    expect(orderId).to.equal(id);
    expect(deal).to.nested.include({'agreed.atLeast': '9890430', 'agreed.recipient': RECIPIENT});
    expect(received).to.nested.include({amount: '8000000', certainty: 'proved'});
    expect(order).to.nested.include({'destination.redeemed.hashes[0]': `0x${'c'.repeat(64)}`});
    await waitUntil(() => page.button('Copied'), 'it does not say so');
    await expect(page.widget).to.be.accessible();
  });

  for (const name of ['expired-unseen', 'expired-address', 'deposit-address-over'])
    it(`push nobody to start again whose payment may be out (${name})`, async () => {
      const page = await show(name);
      expect(page.primary).to.equal('');
      const restart = page.button('Didn’t send it? Start again')!;
      expect(restart.getAttribute('part')).to.equal('secondary');
      restart.click();
      expect(page.widget.fake.calls.at(-1)).to.deep.equal(['reset', {keep: true}]);
      await expect(page.widget).to.be.accessible();
    });

  for (const name of ['expired-signature-live', 'checks-failed-signature-live'])
    it(`offer to revoke a signature that could still move money before starting again (${name})`, async () => {
      const page = await show(name);
      expect(page.primary).to.match(/[Cc]ancel the permission$/);
      expect(page.button('Start again')?.getAttribute('part')).to.equal('secondary');
      expect(page.findAll('button').filter(({textContent}) => /permission/.test(textContent))).to.have.length(1);
    });

  for (const name of ['deposit-unclear', 'deposit-overdue', 'deposit-unclear-signature'])
    it(`give both answers to a question equal room (${name})`, async () => {
      const page = await show(name);
      const [yes, no] = ['.primary', '.secondary'].map(kind => page.find(kind)!.getBoundingClientRect());
      expect([no!.width, no!.height]).to.deep.equal([yes!.width, yes!.height]);
      await page.press(/^(No, I didn’t|Stop waiting|Pay another way)$/);
      expect(page.widget.fake.calls.at(-1)).to.deep.equal(['answer', false]);
    });

  it('say what a chain shows as soon as it is read', async () => {
    const page = await show('complete-asked-again');
    page.widget.fake.know({payout: {amount: 9_940_130n, hashes: [`0x${'c'.repeat(64)}`], block: 210n}});
    await page.settled();
    expect(page.find('h2')?.textContent.trim()).to.equal('Received');
    expect(page.text).not.to.match(/According to|Checking this/);
  });
});

describe('The review', () => {
  it('says first of all why there is no order, and names what the button does then', async () => {
    const page = await show('review-refused');
    const failure = async (error: SwapError) => {
      await page.settled(page.widget.fake.progress({placed: failed(error)}));
      await waitUntil(() => page.canGoOn, 'its button');
      await page.goOn();
      return [page.primary, page.widget.fake.calls.at(-1)?.[0]];
    };
    expect(page.find('.between')?.firstElementChild?.localName).to.equal('swap-widget-error-note');
    expect(page.primary).to.equal('Try again');
    for (const code of ['service', 'timeout', 'no-quote', 'unreadable', 'held', 'storage'] as const)
      expect(await failure(new SwapError(code)), code).to.deep.equal(['Try again', 'placeOrder']);
    for (const error of [new SwapError('amount-range'), new SwapError('service', {field: 'request'})])
      expect(await failure(error), error.message).to.deep.equal(['Enter another amount', 'back']);
    // Only the site can fix it.
    expect(await failure(new SwapError('config', {field: 'app-id'}))).to.deep.equal(['Back', 'back']);
    expect(page.text).to.include('Nothing is signed yet').and.not.include('New price in');
    await expect(page.widget).to.be.accessible();
  });

  it('quotes no page of a proxy as what the service said of its refusal', async () => {
    const page = await show('review-refused-because');
    const reason = '<html>Bad gateway</html>';
    page.widget.fake.progress({placed: failed(Object.assign(new SwapError('service', {field: 'request'}), {reason}))});
    await page.settled();
    expect(page.text).not.to.include('It says');
    expect(page.text).to.include('The swap service can’t process this request. No money was sent. Try another amount.');
  });

  it('says by how much a price moved, in the language’s notation, and warns of a loss above the usual cost', async () => {
    const page = await show('review-price-moved', {lang: 'ar'});
    const less = page.find('.lines dd .beside')!;
    expect(less.textContent).to.match(/0[.,٫]31/);
    expect(getComputedStyle(less)).to.include({display: 'block', direction: 'rtl'});
    expect(page.find('.notice')?.matches('.caution')).to.equal(true);
    await page.settled(page.widget.fake.setForm({moved: {...fallen(9_499_000n), level: 'loss'}}));
    expect(page.find('.notice')?.matches('.loss')).to.equal(true);
    await expect(page.widget).to.be.accessible();
  });

  it('ignores a click that was meant for the previous content', async () => {
    const news = {
      'a price that moved': (session: FakeSession) => session.setForm({moved: fallen(9_909_090n)}),
      'another price that moved': (session: FakeSession) => session.setForm({moved: fallen(9_900_000n)}),
      'an order that failed': (session: FakeSession) => session.progress({placed: failed(new SwapError('timeout'))}),
    };
    const page = await show('review');
    const view = page.find<SwapView>('swap-widget-review-view')!;
    const placed = () => page.widget.fake.calls.filter(([name]) => name === 'placeOrder').length;
    for (const [index, [name, tell]] of Object.entries(news).entries()) {
      tell(page.widget.fake);
      // No time passes before the click.
      await view.updateComplete;
      page.primaryButton?.click();
      expect(placed(), name).to.equal(index);
      await waitUntil(() => page.canGoOn, 'it can never be placed');
      page.primaryButton?.click();
      expect(placed(), name).to.equal(index + 1);
    }
  });

  it('says what is missing, and only a press that can help does something', async () => {
    const page = await show('review');
    const {setForm, calls} = page.widget.fake;
    await page.settled(
      setForm({agreement: undefined, problem: {code: 'checking-address', field: 'recipient', remedy: 'wait'}}),
    );
    page.primaryButton?.click();
    expect(page.canGoOn).to.equal(false);
    expect(calls.filter(([name]) => name === 'back')).to.deep.equal([]);
    await page.settled(setForm({problem: {code: 'connect', field: 'account', remedy: 'press'}}));
    expect(page.primary).to.equal('Connect a wallet');
  });
});

describe('A payment from a wallet', () => {
  it('shows how long it has been pending, and after a while where to look for the wallet', async () => {
    const page = await show('deposit-send');
    const {$now, $orderState} = page.widget.fake;
    const {at} = $orderState.get().funding.walletRequests.at(-1)!;
    await page.settled($now.set(at + 4_000));
    expect(page.find('[aria-current="step"] .when')?.textContent).to.equal('0:04');
    expect(page.text).to.include('Open Harbor to answer');
    await page.settled($now.set(at + 40_000));
    expect(page.find('[aria-current="step"] .when')?.textContent).to.equal('0:40');
    expect(page.text).to.include('Don’t see a request? Open Harbor yourself.');
  });

  it('that expired on the screen leads to a new start, and does not prompt', async () => {
    const page = await show('deposit-sign');
    const {$now, $order} = page.widget.fake;
    expect(page.text).to.include('left');
    const placed = $order.get();
    await page.settled($now.set(placed.state === 'ready' ? placed.value.payUntil : 0));
    expect(page.primary).to.equal('Start again');
    expect(page.button(/^(Pay|Sign|Send)/)?.textContent).to.equal(undefined);
    await page.goOn();
    expect(page.widget.fake.calls.at(-1)).to.deep.equal(['reset', {keep: true}]);
  });

  it('that is opened again when its time is over is not said to be checked', async () => {
    const page = await show('deposit-reopening');
    expect(page.text).to.include('Checking the payment');
    const {$now, progress, placed: shown} = page.widget.fake;
    const {report: _, ...placed} = shown();
    progress({placed: ready(placed)});
    await page.settled($now.set(placed.payUntil));
    expect(page.text).not.to.include('Checking the payment');
    expect(page.primary).to.equal('Start again');
  });

  it('is not shown as unreadable while the wallet that could read it is missing', async () => {
    const page = await show('deposit-unclear-unread');
    expect(page.text).not.to.include('can’t read');
    await page.press('Connect a wallet');
    await page.untilThere('swap-widget-wallet-picker');
    const again = await show('deposit-unclear-unread');
    await again.settled(change(again.widget.fake.$wallets, {restoring: {evm: 'Harbor'}}));
    expect(again.text).to.include('Checking Base Sepolia…');
    expect(again.button('Connect a wallet')?.textContent).to.equal(undefined);
  });
});

describe('A signature that may still be used', () => {
  it('causes a warning before a new order, with buttons to open the old one and to revoke its allowance', async () => {
    const page = await show('review-live-signature');
    await page.press('Cancel the permission');
    expect(page.widget.fake.calls.at(-1)).to.deep.equal(['revoke', 'b']);
    await page.press('Open that swap');
    expect(page.widget.fake.calls.at(-1)).to.deep.equal(['openOrder', 'b']);
    await page.settled(change(page.widget.fake.$journal, {revoking: {state: 'pending'}}));
    expect(page.text).to.include('Waiting for Harbor');
    expect(page.button('Cancel the permission')?.textContent).to.equal(undefined);
  });

  it('of one order is not mentioned in another that ended', async () => {
    const page = await show('expired');
    const other = await show('review-live-signature');
    await page.settled(change(page.widget.fake.$journal, {live: other.widget.fake.$journal.get().live}));
    expect(page.text).not.to.include('signature');
  });
});
