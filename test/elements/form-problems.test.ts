/** What blocks a review is shown where it is, and fixed with one click. */
import {expect} from '@open-wc/testing';
import {sendKeys} from '@web/test-runner-commands';
import {NOWHERE} from '../../src/domain/draft.js';
import type {SwapFundsRequestEvent} from '../../src/events.js';
import {focused, waitUntil} from '../support/page.js';
import {open} from '../support/show.js';
import {PAYER, RECIPIENT, REFUND_ADDRESS, STATES} from '../support/states.js';

async function opened(name: string, lang = '') {
  const {page, session} = await open({lang, style: '--swap-speed: 0'});
  STATES[name]?.(session);
  await waitUntil(() => page.find('swap-widget-amount-note')?.shadowRoot, 'the notes never came');
  await page.settled();
  const calls = (action: string) => session.calls.filter(([called]) => called === action);
  return {page, session, calls};
}

const isOnPrimary = () => focused()?.getAttribute('part') === 'primary';

describe('An address in the form', () => {
  it('has its fault named: its length on an EVM chain, or that nobody owns it', async () => {
    const {page, session} = await opened('form-not-an-address');
    for (const [recipient, said] of [
      [RECIPIENT.slice(0, -1), 'Not an address on Ethereum Sepolia. It is 41 characters long, not 42.'],
      [`0x${'0'.repeat(40)}`, 'Nobody owns this address: anything sent to it is lost'],
      [RECIPIENT.replace(/ed$/, 'de'), 'Not an address on Ethereum Sepolia. Check every character.'],
    ] as const) {
      session.setForm({draft: {...session.$form.get().draft, recipient}});
      await waitUntil(() => page.text.includes(said), `${recipient}: ${page.text}`);
    }
    await expect(page.widget).to.be.accessible();
  });

  it('is selected on focus, so that pasted or typed text replaces it', async () => {
    const {page, session} = await opened('form-quoted');
    await page.press('Details');
    const input = page.find<HTMLInputElement>('#address');
    await page.settled(input?.focus());
    expect(input?.value).to.equal(PAYER);
    expect([input?.selectionStart, input?.selectionEnd]).to.deep.equal([0, PAYER.length]);
    await sendKeys({type: '0x5'});
    expect(session.$form.get().draft.recipient).to.equal('0x5');
    expect(input?.value).to.equal('0x5');
  });

  it('stays empty once cleared, and is not replaced by the wallet’s', async () => {
    const {page, session} = await opened('form-quoted');
    await page.press('Details');
    const input = page.find<HTMLInputElement>('#address');
    await page.settled(input?.focus());
    await sendKeys({press: 'Delete'});
    await page.settled();
    expect(input?.value).to.equal('');
    await page.settled(input?.blur());
    expect(input?.value).to.equal('');
    expect(session.$form.get().draft.recipient).to.equal(NOWHERE);
    await expect(page.widget).to.be.accessible();
  });

  it('that is not the wallet’s is confirmed with the button, which keeps the focus', async () => {
    const {page, session, calls} = await opened('form-recipient-other');
    expect(page.primary).to.equal('Yes, send it there');
    expect(page.canGoOn).to.equal(true);
    page.primaryButton?.focus();
    await sendKeys({press: 'Enter'});
    expect(calls('confirm')).to.deep.equal([['confirm', 'recipient']]);
    await page.settled(session.setForm({problem: undefined}));
    expect(isOnPrimary()).to.equal(true);
    expect(page.primary).to.equal('Review swap');
  });
});

describe('An address that only looks like a used one', () => {
  it('is shown in full beside that one, with the differences, and does not block the swap', async () => {
    const {page} = await opened('form-refund-lookalike');
    expect(page.text).to.include('This only looks like an address you used before.');
    const question = page.find('swap-widget-address-question')!.shadowRoot!;
    const [used, typed] = [...question.querySelectorAll('.groups')].map(address => ({
      text: address.textContent,
      differs: [...address.querySelectorAll('.differs')].map(group => group.textContent),
    }));
    expect(typed?.text).to.equal(REFUND_ADDRESS);
    expect(used?.text).not.to.equal(REFUND_ADDRESS);
    expect(typed?.differs.length).to.equal(9);
    expect(used?.differs.length).to.equal(9);
    expect([...typed!.differs, ...used!.differs]).not.to.include('tb1q');
    const colorOf = (selector: string) => getComputedStyle(question.querySelector(selector)!).color;
    expect(colorOf('.differs')).not.to.equal(colorOf('.groups :not(.differs)'));
    expect(page.primary).to.equal('Review swap');
    expect(page.canGoOn).to.equal(true);
    // What may lose money is the most prominent thing on its screen, whatever the button says.
    expect(getComputedStyle(page.primaryButton!).backgroundColor).to.equal('rgb(255, 255, 255)');
    await expect(page.widget).to.be.accessible();
  });

  it('offers the used one in its place, and goes on to the next step', async () => {
    const {page, calls} = await opened('form-refund-lookalike');
    await page.press('Use the address I used before');
    const [edited] = calls('edit').slice(-1);
    expect(edited).to.have.length(2);
    expect((edited as [string, {refundAddress: string}])[1].refundAddress)
      .to.match(/^tb1q/)
      .and.not.to.equal(REFUND_ADDRESS);
    expect(page.primaryButton?.matches(':focus')).to.equal(true);
  });

  it('shows nothing and leaves no gap if the address was used before, or is new', async () => {
    const {page} = await opened('form-transfer');
    const question = page.find('swap-widget-address-question')!;
    await waitUntil(() => question.shadowRoot);
    expect(question.shadowRoot?.textContent.trim()).to.equal('');
    expect(question.getBoundingClientRect().height).to.equal(0);
  });
});

describe('An amount that leaves too little for the network’s fee', () => {
  it('is a warning, not an error: the visitor can continue, or change it with one click', async () => {
    const {page, calls} = await opened('form-fee-missing');
    expect(page.text).to.include('Keep 0.0002 ETH for the network fee.');
    expect(page.canGoOn).to.equal(true);
    const note = page.find('swap-widget-amount-note')!.shadowRoot!.querySelector('.problem')!;
    expect(getComputedStyle(note).color).to.equal(getComputedStyle(page.find('#amount')!).color);
    await page.press(/^Use 0\.4998/);
    expect(calls('edit').at(-1)).to.deep.equal(['edit', {amount: '0.4998'}]);
    await expect(page.widget).to.be.accessible();
  });
});

describe('An amount in the visitor’s own notation', () => {
  async function typing(lang: string) {
    const {page, session} = await opened('form-quoted', lang);
    const field = page.find<HTMLInputElement>('#amount')!;
    const type = async (text: string) => {
      field.value = text;
      await page.settled(field.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true})));
      return session.$form.get().draft.amount;
    };
    return {page, session, field, type};
  }

  for (const [lang, text, plain] of [
    ['de', '1,500', '1.500'],
    ['de', '0,1', '0.1'],
    ['tr', '1.234,5', '1234.5'],
    ['ar', '٠٫١', '0.1'],
    ['hi', '१,००,०००.५', '100000.5'],
    ['ja', '０．１', '0.1'],
    ['fr', '1\u202f000,25 WBTC', '1000.25'],
    ['en', '1,234.5', '1234.5'],
  ] as const) {
    it(`is read in ${lang}: ${text} is ${plain}, and stays as typed`, async () => {
      const {page, field, type} = await typing(lang);
      expect(await type(text)).to.equal(plain);
      expect(field.value).to.equal(text);
      await expect(page.widget).to.be.accessible();
    });
  }

  it('is used for an amount filled in by the page or a button', async () => {
    const {field, session} = await typing('de');
    session.edit({amount: '0.25'});
    await waitUntil(() => field.value === '0,25');
    session.edit({amount: '1500'});
    await waitUntil(() => field.value === '1500');
  });

  for (const [lang, text, one, other] of [
    ['en', '1,500', 'Use 1,500 WBTC', 'Use 1.5 WBTC'],
    ['de', '1.500', '1.500 WBTC verwenden', '1,5 WBTC verwenden'],
  ] as const) {
    it(`is resolved with two buttons if ambiguous: ${text} in ${lang}`, async () => {
      const {page, session, field, type} = await typing(lang);
      expect(await type(text)).to.equal('1,500');
      expect(field.value).to.equal(text);
      session.setForm({request: {code: 'not-a-number', field: 'amount', remedy: 'correct'}});
      session.setForm({problem: {code: 'not-a-number', field: 'amount', remedy: 'correct'}});
      const buttons = () => page.findAll('.uses button');
      await waitUntil(() => buttons().length === 2);
      expect(buttons().map(({textContent}) => textContent.trim())).to.deep.equal([one, other]);
      await expect(page.widget).to.be.accessible();
      buttons()[1]?.click();
      expect(session.$form.get().draft.amount).to.equal('1.5');
      await waitUntil(() => field.value === (lang === 'de' ? '1,5' : '1.5'));
      expect(focused()?.id).to.equal('amount');
    });
  }
});

function descriptionOf(element: HTMLElement | undefined): string {
  const ids = element?.getAttribute('aria-describedby')?.split(' ') ?? [];
  const root = element?.getRootNode() as ShadowRoot | undefined;
  return ids
    .map(id => root?.getElementById(id)?.textContent ?? '')
    .join(' ')
    .trim();
}

describe('An amount that would fail', () => {
  for (const [name, text, use, amount] of [
    ['form-amount-range', 'At most 0.05 WBTC per swap', 'Use 0.05 WBTC', '0.05'],
    ['form-not-enough', 'Not enough WBTC: you have 0.4218.', 'Use 0.4218 WBTC', '0.4218'],
  ] as const) {
    it(`is replaced with one click by one that will not: ${name}`, async () => {
      const {page, calls} = await opened(name);
      expect(page.notes.join()).to.include(text);
      expect(page.text).not.to.include('Try now');
      expect(page.primary).to.equal(use);
      const field = page.find('#amount');
      expect(field?.getAttribute('aria-invalid')).to.equal('true');
      // Of the amount, not of the buttons beside it.
      expect(descriptionOf(field))
        .to.match(/^(\$6,512\.40 )?/)
        .and.to.satisfy((said: string) => said.endsWith(text));
      await expect(page.widget).to.be.accessible();
      await page.goOn();
      expect(calls('edit')).to.deep.equal([['edit', {amount}]]);
      expect(calls('review').length + calls('requote').length).to.equal(0);
    });
  }

  it('with too many decimals is cut by the form’s own button, and beside the field before that is known', async () => {
    const {page, calls} = await opened('form-too-many-decimals');
    expect(page.primary).to.equal('Use 0.12345678 WBTC');
    expect(page.findAll('button').filter(({textContent}) => textContent.includes('Use'))).to.have.length(1);
    await page.goOn();
    const {fake} = page.widget;
    await page.settled(fake.setForm({problem: {code: 'too-many-decimals', field: 'amount', remedy: 'correct'}}));
    await page.press('Use 0.12345678 WBTC');
    expect(calls('edit')).to.deep.equal([
      ['edit', {amount: '0.12345678'}],
      ['edit', {amount: '0.12345678'}],
    ]);
    expect(focused()?.id).to.equal('amount');
  });

  it('above the balance has the whole balance beside it, once', async () => {
    const {page, calls} = await opened('form-not-enough');
    await waitUntil(() => page.button('Max: 0.4218'), 'no shares');
    expect(page.findAll('button').filter(({textContent}) => textContent.includes('Max'))).to.have.length(1);
    await page.press('Max: 0.4218');
    expect(calls('edit').at(-1)).to.deep.equal(['edit', {amount: '0.4218'}]);
    expect(focused()?.id).to.equal('amount');
  });

  it('above the balance offers to add funds if the page provides a way', async () => {
    const {page, session} = await opened('form-not-enough');
    expect(page.button('Add funds')).to.equal(undefined);
    const asked: SwapFundsRequestEvent[] = [];
    let presses = 0;
    page.widget.addEventListener('swap-funds-request', event => {
      asked.push(event);
      event.provide(() => (presses += 1));
    });
    await page.settled(STATES['form-nothing-there']?.(session));
    await page.settled(STATES['form-nothing-there']?.(session));
    await page.press('Add funds');
    expect(presses).to.equal(1);
    const told = {type: 'swap-funds-request', asset: 'base_sepolia:wbtc', missing: '10000000', address: PAYER};
    expect(
      asked.map(event => event.toJSON()),
      'asked once',
    ).to.deep.equal([told]);
    expect(() => asked[0]?.provide(() => undefined)).to.throw('while the event is dispatched');
    await expect(page.widget).to.be.accessible();
    await page.settled(STATES['form-quoted']?.(session));
    expect(page.button('Add funds')).to.equal(undefined);
  });

  it('without a replacement leads to the field', async () => {
    for (const [name, takesPress] of [
      ['form-amount-refused', true],
      ['form-nothing-there', false],
    ] as const) {
      const {page, calls} = await opened(name);
      expect(page.canGoOn).to.equal(takesPress);
      await page.goOn();
      expect(focused()?.id).to.equal('amount');
      expect(calls('requote')).to.deep.equal([]);
    }
  });
});

describe('Without a connection', () => {
  it('an old price is shown as old, and cannot be used', async () => {
    const {page, calls} = await opened('form-offline');
    expect(page.receive).to.equal('0.0994013');
    expect(page.find('#receive')?.classList.contains('quiet')).to.equal(true);
    await page.goOn();
    expect(calls('review').length).to.equal(0);
  });
});

describe('A high cost', () => {
  for (const [what, state, ...said] of [
    ['is shown', 'form-cost-high', '$560.00', '8.60%'],
    ['cannot be a gain: that is doubted', 'form-price-too-good', 'This price may be wrong', '$6,466,909.00'],
  ] as const)
    it(`${what}, and accepted with a click before the review`, async () => {
      const {page, session, calls} = await opened(state);
      expect(page.notes.join()).to.include(said[0]).and.to.include(said[1]);
      expect(page.text.includes('Cost')).to.equal(state === 'form-cost-high');
      expect(page.primary).to.equal('Accept this price');
      await expect(page.widget).to.be.accessible();
      page.primaryButton?.focus();
      await sendKeys({press: 'Enter'});
      expect(calls('confirm')).to.deep.equal([['confirm', 'cost']]);
      expect(calls('review')).to.deep.equal([]);
      await page.settled(session.setForm({problem: undefined}));
      expect(isOnPrimary()).to.equal(true);
      expect(page.notes).to.deep.equal([]);
    });

  it('is not accepted with Enter in the field: the focus moves to the button that asks', async () => {
    const {page, calls} = await opened('form-cost-high');
    page.find('#amount')?.focus();
    await sendKeys({press: 'Enter'});
    expect(calls('confirm')).to.deep.equal([]);
    expect(isOnPrimary()).to.equal(true);
  });
});

describe('Enter in the amount', () => {
  it('does what the button does', async () => {
    const {page} = await opened('form-not-connected');
    page.find('#amount')?.focus();
    await sendKeys({press: 'Enter'});
    await page.untilThere('swap-widget-wallet-picker');
  });
});

describe('The price', () => {
  it('shows the rate beside several quotes, and for each its amount, cost, solver and how much less one gets', async () => {
    const {page, session} = await opened('form-several-quotes');
    await page.press('Details');
    expect(page.text).to.include('1 WBTC = 0.994013 WBTC Cost $38.98 (0.60%) + network fee');
    expect(page.findAll('.quotes label').map(label => label.textContent.replace(/\s+/g, ' ').trim())).to.deep.equal([
      '0.0994013 WBTC Best $38.98 (0.60%) Exchange partner 1',
      '0.099352 WBTC $42.19 (0.65%) Exchange partner 2 You get $3.21 less',
      '0.0991084 WBTC $58.05 (0.89%) Exchange partner 3 You get $19.07 less',
    ]);
    await expect(page.widget).to.be.accessible();
    page.findAll<HTMLInputElement>('[type="radio"]')[1]?.click();
    expect(session.calls.at(-1)?.[0]).to.equal('choose');
    expect(
      page
        .findAll('[title]')
        .map(({title}) => title)
        .join(),
    ).not.to.include('solver');
  });
});
