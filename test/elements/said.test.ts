/** What the live region announces to screen readers: each thing once, when it happens, and no countdown. */
import {expect} from '@open-wc/testing';
import {atom} from 'nanostores';
import {announce} from '../../src/elements/base/announcement.js';
import {SHARED, type SwapElement} from '../../src/elements/base/swap-element.js';
import {SwapError} from '../../src/domain/error.js';
import type {SwapSession} from '../../src/session/session.js';
import {failed, pending, ready, valueOf} from '../../src/domain/remote.js';
import type {FakeSession, FakeSessionWidget} from '../support/fake-session.js';
import {MINUTE, NOON} from '../support/swap.js';
import {waitUntil, type WidgetPage} from '../support/page.js';
import {open, show} from '../support/show.js';
import {confirmed, oneQuote, order, PAYER, RECIPIENT, STATES, toCorrect} from '../support/states.js';
import {change} from '../../src/session/shared.js';

async function listen() {
  const {page, session} = await open({style: '--swap-speed: 0'});
  // It is loaded once the form is displayed.
  await waitUntil(() => customElements.get('swap-widget-announcement'));
  await page.settled();
  const heard: string[] = [];
  const region = page.widget.renderRoot.querySelector('swap-widget-announcement')!;
  let last = '';
  const hear = () => {
    const text = page.said;
    if (text && text !== last) heard.push(text);
    last = text;
  };
  new MutationObserver(hear).observe(region.shadowRoot!, {subtree: true, childList: true, characterData: true});
  const next = async (act: (session: FakeSession) => unknown) => {
    await page.settled(act(session));
  };
  return {page, session, heard, next};
}

async function typeAmount(page: WidgetPage<FakeSessionWidget>, next: Awaited<ReturnType<typeof listen>>['next']) {
  page.find('#amount')?.focus();
  await page.typeAmount('0.1');
  await next(session => STATES['form-quoting']?.(session));
  await next(session => STATES['form-quoted']?.(session));
}

/** A refreshed price, slightly different, for the same amount. */
function refresh(session: FakeSession) {
  const [best] = oneQuote.offers;
  const offer = {...best, destination: {...best.destination, amount: best.destination.amount - 10n}};
  session.setForm({quote: pending(oneQuote)});
  session.setForm({quote: ready({...oneQuote, offers: [offer], at: NOON})});
  session.setForm({offer});
}

const asking = (kind: 'approve' | 'sign' | 'send') => (session: FakeSession) => {
  STATES['deposit-send']?.(session);
  session.fund({way: 'signature', plan: [kind], walletRequests: [{kind, state: 'asking', at: NOON}], asking: kind});
};
/** The contract holds the payment, and would refund it. */
const held = {state: 'seen', amount: 10_000_000n, isHeld: true, isRefundOpen: true} as const;

describe('The announcement of an address', () => {
  it('that only looks like a used one comes once, and is not repeated with a price', async () => {
    const {page, heard, next} = await listen();
    await typeAmount(page, next);
    const before = heard.length;
    await next(session => change(session.$journal, {lookalikes: {recipient: PAYER}}));
    // The live region waits for a frame of its own.
    await waitUntil(() => heard.length > before, 'it was never announced');
    await next(refresh);
    await next(session => change(session.$journal, {lookalikes: {recipient: PAYER}}));
    expect(heard.slice(before)).to.deep.equal(['This only looks like an address you used before.']);
    await next(session => change(session.$journal, {lookalikes: {}}));
    await next(session => change(session.$journal, {lookalikes: {recipient: RECIPIENT}}));
    const isSame = (text: string) => text === 'This only looks like an address you used before.';
    await waitUntil(() => heard.filter(isSame).length === 2, 'another one was never announced');
  });
});

describe('The announcements during a whole swap', () => {
  it('of a token, by signature, from an amount to the receipt', async () => {
    const {page, heard, next} = await listen();
    await typeAmount(page, next);
    await next(refresh);
    await next(session => STATES['review']?.(session));
    await next(session => session.$now.set(NOON + 5_000));
    await next(refresh);
    await next(session => STATES['review-placing']?.(session));
    await next(asking('sign'));
    await next(session => STATES['progress-sent']?.(session));
    await next(session => STATES['progress-deposit-seen']?.(session));
    await next(session => STATES['progress-confirming']?.(session));
    await next(session => session.$now.set(NOON + 30_000));
    await next(session => session.progress({readAt: NOON + 30_000}));
    await next(session => STATES['progress-settling']?.(session));
    await next(session => STATES['complete']?.(session));
    expect(heard).to.deep.equal([
      'You would receive 0.0994013 WBTC.',
      'Placing your swap',
      'Harbor is asking you to sign. It’s free.',
      'Your payment is on its way.',
      'Your payment was seen. It isn’t in a block yet. According to the swap service.',
      'Your payment is being confirmed. According to the swap service.',
      'Your payment is confirmed. Your WBTC is still to come. According to the swap service.',
      'You received 0.0994013 WBTC. According to the swap service.',
    ]);
    await expect(page.widget).to.be.accessible();
  });

  it('with the amount as it is shown', async () => {
    const {page, session, heard, next} = await listen();
    await next(() => STATES['progress-confirming']?.(session));
    const redeemed = {hashes: [`0x${'c'.repeat(64)}`], block: 210n};
    const payout = {amount: 117_685_415_312n, ...redeemed};
    await next(() => session.know({order: order(confirmed(3), {redeemed}), payout}));
    await waitUntil(() => heard.at(-1)?.startsWith('You received'), heard.join());
    await waitUntil(() => /^\s*1,176\.85\s*WBTC/.test(page.find('.arrival .amount')?.textContent ?? ''));
    expect(heard.at(-1)).to.equal('You received 1,176.85 WBTC.');
  });

  it('of an address to pay, which is no more to be paid once its time is over', async () => {
    const {session, heard, next} = await listen();
    await next(() => STATES['deposit-address']?.(session));
    await waitUntil(() => heard.at(-1)?.includes('send exactly'), heard.join());
    await next(() => session.$now.set(valueOf(session.$order.get())!.payUntil));
    await waitUntil(() => heard.at(-1)?.includes('Don’t send anything to its address any more.'), heard.join());
  });

  it('of bitcoin, to an address, from the address to the end', async () => {
    const {page, session, heard, next} = await listen();
    await next(() => STATES['deposit-address-checking']?.(session));
    await next(() => STATES['deposit-address']?.(session));
    const [, amount] = heard;
    expect(amount).to.match(/^By \d+:\d\d [AP]M, send exactly 0\.01 BTC to the address shown here\.$/);
    await next(() => session.$now.set(NOON + 10 * MINUTE));
    await next(() => STATES['progress-address-unconfirmed']?.(session));
    await next(() => STATES['progress-address-confirming']?.(session));
    await next(() => STATES['complete-overpaid']?.(session));
    expect(heard).to.deep.equal([
      'Checking the payment before you confirm it',
      amount,
      'Your payment was seen. It isn’t in a block yet. According to the swap service.',
      'Your payment is being confirmed. According to the swap service.',
      'You received 0.00994013 WBTC. According to the swap service.',
    ]);
    await expect(page.widget).to.be.accessible();
  });

  it('that is refunded', async () => {
    const {heard, session, next} = await listen();
    await next(() => STATES['progress-confirming']?.(session));
    await next(() => STATES['refunding']?.(session));
    await next(() => session.$now.set(NOON + 5 * MINUTE));
    await next(() => session.know({deposit: held}));
    await next(() => STATES['refunded']?.(session));
    expect(heard).to.deep.equal([
      'Your payment is being confirmed. According to the swap service.',
      'The swap didn’t happen. Your money is coming back to you.',
      'You can take your money back now.',
      'You got 0.1 WBTC back. According to the swap service.',
    ]);
  });
});

describe('The live region', () => {
  it('announces the risk of confirming an address, once', async () => {
    const {heard, session, next} = await listen();
    await next(() => STATES['form-recipient-other']?.(session));
    await next(refresh);
    expect(heard).to.deep.equal([
      'Money sent to a wrong address is lost. This isn’t your connected wallet. Should your money go there?',
    ]);
  });

  it('announces how many assets were found, once the typing pauses', async () => {
    const {page, heard} = await listen();
    await page.press(/^You pay:/);
    await page.untilThere('swap-widget-asset-picker');
    const search = page.find<HTMLInputElement>('[role=combobox]')!;
    const type = async (text: string) => {
      search.value = text;
      await page.settled(search.dispatchEvent(new Event('input', {bubbles: true})));
    };
    for (const text of ['w', 'wb', 'wbtc base']) await type(text);
    await waitUntil(() => heard.length);
    await type('wbtc');
    await waitUntil(() => heard.length > 1);
    await type('nothing like it');
    await waitUntil(() => page.find('.empty')?.checkVisibility());
    expect(heard).to.deep.equal(['1 asset found', '2 assets found']);
    expect(page.said).to.equal('');
    await expect(page.widget).to.be.accessible();
  });

  it('withdraws an error that was corrected', async () => {
    const {page, session, next} = await listen();
    await next(() => STATES['form-not-an-address']?.(session));
    expect(page.said).to.equal('Not an address on Ethereum Sepolia. Check every character.');
    await next(() => session.setForm({problem: undefined}));
    expect(page.said).to.equal('');
  });

  it('withdraws the error of an address while that is typed', async () => {
    const {page, heard, session, next} = await listen();
    await next(() => STATES['form-refund-bad']?.(session));
    expect(page.said).to.include('Not an address on Bitcoin Testnet.');
    const field = page.findAll<HTMLInputElement>('#address').find(({ariaInvalid}) => ariaInvalid === 'true');
    await next(() => {
      toCorrect(session, {code: 'not-an-address', field: 'refundAddress', remedy: 'correct'});
      field?.dispatchEvent(new Event('input', {bubbles: true}));
    });
    expect(page.said).to.equal('');
    await next(() => session.setForm({problem: undefined}));
    expect(page.said).to.equal('');
    expect(heard).to.have.length(1);
  });

  it('announces the error of a typed amount once the typing pauses', async () => {
    const {page, heard, next} = await listen();
    page.find('#amount')?.focus();
    await page.typeAmount('0.1');
    await next(session => STATES['form-not-enough']?.(session));
    expect(heard).not.to.include('Not enough WBTC: you have 0.4218.');
    await waitUntil(() => page.said === 'Not enough WBTC: you have 0.4218.', 'it is not said');
  });

  it('announces nothing about the form in the list of swaps, and nothing again on the way back', async () => {
    const {page, heard, next} = await listen();
    await typeAmount(page, next);
    await next(session => session.$view.set('journal'));
    expect(page.said).to.equal('');
    await next(session => session.$view.set('form'));
    expect(page.said).to.equal('');
    expect(heard).to.deep.equal(['You would receive 0.0994013 WBTC.']);
  });

  it('announces a refund, whatever was declined before', async () => {
    const {heard, session, next} = await listen();
    await next(() => STATES['refund-open']?.(session));
    await next(() => session.progress({refund: failed(new SwapError('rejected'))}));
    await next(() =>
      session.know({
        deposit: {...held, isHeld: false, end: {how: 'refunded', amount: 10_000_000n, hashes: [], block: 900n}},
      }),
    );
    expect(heard.slice(1)).to.deep.equal(['You declined in your wallet.', 'You got 0.1 WBTC back.']);
  });

  it('announces no price if nothing was typed', async () => {
    const {heard, next} = await listen();
    await next(session => STATES['form-quoted']?.(session));
    await next(refresh);
    expect(heard).to.deep.equal([]);
  });

  it('announces another price after another amount was typed', async () => {
    const {page, heard, next} = await listen();
    await typeAmount(page, next);
    await next(session => {
      const request = {...oneQuote.request, amount: 20_000_000n};
      const [best] = oneQuote.offers;
      const offer = {...best, destination: {...best.destination, amount: 19_880_260n}};
      session.setForm({request});
      session.setForm({quote: ready({request, offers: [offer], at: NOON})});
      session.setForm({offer});
    });
    expect(heard).to.deep.equal(['You would receive 0.0994013 WBTC.', 'You would receive 0.198802 WBTC.']);
  });

  it('announces a price that changed by more than the tolerance', async () => {
    const {page, heard, next} = await listen();
    await typeAmount(page, next);
    await next(session => {
      const [best] = oneQuote.offers;
      const offer = {...best, destination: {...best.destination, amount: 9_800_000n}};
      session.setForm({quote: ready({...oneQuote, offers: [offer], at: NOON})});
      session.setForm({offer});
    });
    expect(heard).to.deep.equal(['You would receive 0.0994013 WBTC.', 'You would receive 0.098 WBTC.']);
  });

  it('names no service as the source of what this browser saw on the chain, and stored', async () => {
    const {heard, next} = await listen();
    await next(session => {
      STATES['complete']?.(session);
      const paidOut = {amount: 9_940_130n, hashes: ['0x1']};
      const {entries} = session.$journal.get();
      change(session.$journal, {entries: entries.map(entry => ({...entry, paidOut}))});
    });
    expect(heard).to.deep.equal(['You received 0.0994013 WBTC.']);
  });

  it('announces once that ten minutes are left to pay, and then only what happens', async () => {
    const {heard, next, session} = await listen();
    await next(() => STATES['deposit-address']?.(session));
    const {payUntil} = valueOf(session.$order.get())!;
    for (const left of [11, 10, 9.5, 5, 1]) await next(() => session.$now.set(payUntil - left * MINUTE));
    await next(() => STATES['deposit-address-partly-on-chain']?.(session));
    expect(heard.slice(1)).to.deep.equal(['You have 10 minutes left to pay.', '0.004 of 0.01 BTC arrived.']);
  });

  it('announces each prompt of the wallet', async () => {
    const {heard, next} = await listen();
    await next(asking('approve'));
    await next(asking('send'));
    await next(session => STATES['deposit-rejected']?.(session));
    expect(heard).to.deep.equal([
      'Harbor is asking you to allow 0.1 WBTC.',
      'Harbor is asking you to confirm the payment.',
      'You declined in your wallet.',
    ]);
  });

  it('announces a failed price once, however often it is retried', async () => {
    const {page, heard, next} = await listen();
    await typeAmount(page, next);
    for (let tries = 0; tries < 3; tries++) {
      await next(session => session.setForm({quote: failed(new SwapError('timeout'))}));
      await next(session => session.setForm({quote: pending()}));
    }
    expect(heard.filter(text => text !== 'You would receive 0.0994013 WBTC.')).to.have.length(1);
  });

  it('announces an element’s own text, also twice in a row', async () => {
    const {page, heard, next} = await listen();
    await next(session => announce(session, 'Amount copied'));
    expect(page.said).to.equal('Amount copied');
    const region = page.widget.renderRoot.querySelector('swap-widget-announcement')!;
    const before = region.shadowRoot?.textContent;
    await next(session => announce(session, 'Amount copied'));
    expect(page.said).to.equal('Amount copied');
    expect(region.shadowRoot?.textContent).not.to.equal(before);
    expect(heard).to.deep.equal(['Amount copied']);
  });
});

describe('A part whose words are there before its session', () => {
  it('waits for it', async () => {
    const page = await show('form-quoted');
    const part = page.find<SwapElement>('swap-widget-announcement')!;
    part[SHARED] = {...part[SHARED], $session: atom<SwapSession | undefined>()};
    part.requestUpdate();
    await part.updateComplete;
    expect(part.renderRoot.textContent.trim()).to.equal('');
  });
});
