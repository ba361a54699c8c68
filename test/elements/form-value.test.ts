import {expect} from '@open-wc/testing';
import {sendKeys} from '@web/test-runner-commands';
import {isProblem} from '../../src/domain/draft.js';
import {focused, waitUntil} from '../support/page.js';
import {open, openIn, show} from '../support/show.js';
import {STATES} from '../support/states.js';

async function turned() {
  const {page, session} = await openIn('form-quoted', {style: '--swap-speed: 0'});
  await page.press('Type the amount in USD');
  await waitUntil(() => focused()?.ariaLabel === 'Amount in USD', 'the field for the value never had the focus');
  return {page, session, input: focused() as HTMLInputElement};
}

describe('The amount as a value', () => {
  it('starts at the current amount, and becomes the exact amount of the asset worth that much', async () => {
    const {page, session, input} = await turned();
    expect(input.value).to.equal('6512.4');
    expect(session.calls.filter(([name]) => name === 'edit')).to.deep.equal([]);
    input.select();
    await sendKeys({type: '1000'});
    expect(session.calls.at(-1)).to.deep.equal(['edit', {amount: '0.01535532'}]);
    const request = session.$form.get().request;
    if (isProblem(request)) throw new Error(request.code);
    await page.settled(session.setForm({request: {...request, amount: 1_535_532n}}));
    expect(page.text).to.include('≈ 0.01535532 WBTC');
    expect(input.value).to.equal('1000');
    await expect(page.widget).to.be.accessible();
    await page.press('Type the amount in WBTC');
    await waitUntil(() => focused()?.id === 'amount', 'the amount never had the focus');
    expect(focused()?.id).to.equal('amount');
    expect(page.amount).to.equal('0.01535532');
  });

  it('is not an amount if it cannot be read', async () => {
    const {session, input} = await turned();
    input.select();
    await sendKeys({type: 'x'});
    expect(session.$form.get().draft.amount).to.equal('');
    expect(input.getAttribute('aria-invalid')).to.equal('true');
  });

  it('is replaced by an amount set elsewhere', async () => {
    const {page, session} = await turned();
    session.edit({amount: '0.2'});
    await waitUntil(() => page.find('#amount'), 'the value stayed');
    expect(page.amount).to.equal('0.2');
  });

  it('is not offered if quotes have no values, or the amount is locked', async () => {
    const {page} = await openIn('form-quoted', {amount: '0.1', lock: 'amount'});
    expect(page.button(/^Type the amount/)?.textContent).to.equal(undefined);

    const other = await open();
    STATES['form-quoted']?.(other.session);
    const offer = other.session.$form.get().offer;
    if (!offer) throw new Error('There is no offer.');
    other.session.setForm({offer: {...offer, source: {...offer.source, value: ''}}});
    await waitUntil(() => other.page.button(/^Max/));
    expect(other.page.button(/^Type the amount/)?.textContent).to.equal(undefined);
  });
});

describe('The cost of a swap', () => {
  for (const [view, lang, least] of [
    ['form-quoted', 'en', '< $0.01'],
    ['form-quoted', 'de', '< 0,01 $'],
    ['review', 'en', '< $0.01'],
  ] as const)
    it(`that rounds to nothing is less than a hundredth, without a share of it: ${view}, ${lang}`, async () => {
      const page = await show(view, {lang});
      const offer = page.widget.fake.$form.get().offer!;
      const of = (value: string) => ({
        source: {...offer.source, value},
        destination: {...offer.destination, value: '0.304'},
      });
      await page.settled(page.widget.fake.setForm({offer: {...offer, ...of('0.3')}}));
      const costs = page.findAll('.sum bdi, .lines dd bdi').map(({textContent}) => textContent.replace('\u00a0', ' '));
      expect(costs).to.include(least);
      expect(costs.join()).not.to.match(/0[.,]00/);
      await page.settled(page.widget.fake.setForm({offer: {...offer, ...of('0.00')}}));
      expect(page.text).not.to.include(least);
    });
});

describe('The amount to receive, as a field', () => {
  it('follows the offer, with digit groups until it is edited, and is typed in the notation of the language', async () => {
    const {page, session} = await openIn('form-quoted', {lang: 'de', amount: '0.1'});
    await waitUntil(() => page.receive === '0,0994013', 'it never followed');
    const input = page.find<HTMLInputElement>('#receive')!;
    input.focus();
    input.select();
    await sendKeys({type: '1.500,25'});
    expect(session.calls.at(-1)).to.deep.equal(['edit', {receive: '1500.25'}]);
    expect(input.value).to.equal('1.500,25');
    await expect(page.widget).to.be.accessible();
  });

  it('keeps showing the previous amount to pay during the search', async () => {
    const {page, session} = await openIn('form-quoted');
    STATES['form-receive-looked-for']?.(session);
    await page.settled();
    expect(page.amount).to.equal('0.1');
    expect(page.receive).to.equal('0.2');
    expect(page.canGoOn).to.equal(false);
    await expect(page.widget).to.be.accessible();
  });

  it('asks which of two readings is meant, and uses the one clicked', async () => {
    const {page, session} = await openIn('form-receive-unclear');
    await page.press(/Use 1[.]5 WBTC/);
    expect(session.calls.at(-1)).to.deep.equal(['edit', {receive: '1.5'}]);
    expect(page.find('#receive')?.ariaInvalid ?? page.find('#receive')?.getAttribute('aria-invalid')).to.equal('true');
    await expect(page.widget).to.be.accessible();
  });

  it('cannot be edited if either amount is locked', async () => {
    for (const locked of [
      {amount: '0.1', lock: 'amount'},
      {receive: '0.1', lock: 'receive'},
    ]) {
      const {page, session} = await open(locked);
      STATES['form-quoted']?.(session);
      await page.settled();
      for (const field of ['#amount', '#receive']) {
        await waitUntil(() => page.find(field)?.matches(':read-only'), `${field} with ${locked.lock} locked`);
      }
    }
  });
});
