import {expect} from '@open-wc/testing';
import {listenToConsole} from '../support/console.js';
import {waitUntil} from '../support/page.js';
import {open} from '../support/show.js';
import {oneQuote, STATES} from '../support/states.js';

/** The form with a quote of 0.994013 for one, and this reference price. */
async function openWith(referencePrice: unknown) {
  const {page, session} = await open({referencePrice, style: '--swap-speed: 0'});
  await waitUntil(() => getComputedStyle(page.widget).getPropertyValue('--_speed'), 'the rest of its looks');
  STATES['form-quoted']?.(session);
  await page.press('Details');
  await waitUntil(() => page.text.includes('1 WBTC = 0.994013 WBTC'));
  await page.settled();
  return {page, session};
}

const ROW = 'Compared with this site’s price';

describe('The page’s reference price', () => {
  it('is shown beside the cost in the form and the review, and blocks neither', async () => {
    const asked: string[][] = [];
    const {page, session} = await openWith((...pair: string[]) => {
      asked.push(pair);
      return '0.998';
    });
    await waitUntil(() => page.text.includes(ROW));
    expect(page.text).to.include('You get 0.40% less').and.to.include('$38.98 (0.60%)');
    expect(page.canGoOn).to.equal(true);
    await expect(page.widget).to.be.accessible();

    STATES['review']?.(session);
    await page.untilThere('swap-widget-review-view');
    await page.press('Details');
    expect(page.text)
      .to.include(ROW)
      .and.to.include('You get 0.40% less')
      .and.to.include('Cost $')
      .and.to.include('+ network fee');
    expect(page.canGoOn).to.equal(true);
    expect(asked).to.deep.equal([['base_sepolia:wbtc', 'ethereum_sepolia:wbtc']]);
    await expect(page.widget).to.be.accessible();
  });

  for (const [price, words] of [
    ['0.99', 'You get 0.41% more'],
    ['0.994013', 'The same'],
  ] as const) {
    it(`is compared with the offer if it is ${price}: ${words}`, async () => {
      const {page} = await openWith(() => Promise.resolve(price));
      await waitUntil(() => page.text.includes(ROW));
      expect(page.text).to.include(words);
    });
  }

  for (const [what, referencePrice, isReported] of [
    ['returns none', () => undefined, false],
    [
      'throws',
      () => {
        throw new Error('no price today');
      },
      true,
    ],
    ['rejects', () => Promise.reject(new Error('no price today')), true],
    ['returns a number', () => 0.998, true],
    ['returns text that is not a plain decimal', () => '99,8 %', true],
  ] as const) {
    it(`is not shown if the page ${what}`, async () => {
      const errors = await listenToConsole('error', async () => {
        const {page, session} = await openWith(referencePrice);
        await page.settled(session.setForm({quote: {state: 'ready', value: {...oneQuote}}}));
        expect(page.text).not.to.include(ROW);
        expect(page.canGoOn).to.equal(true);
      });
      expect(errors.map(text => /^<swap-widget> \w+:/.exec(text)?.[0])).to.deep.equal(
        isReported ? ['<swap-widget> referencePrice:'] : [],
      );
    });
  }

  it('belongs to its own pair, however late it arrives', async () => {
    const answers: ((price: string) => void)[] = [];
    const {page, session} = await openWith(() => new Promise(resolve => answers.push(resolve)));
    const {request, offers} = oneQuote;
    const other = {...request, from: request.to, to: request.from};
    const offer = {...offers[0], source: {...offers[0].source, asset: other.from.id}};
    const turned = {...offer, destination: {...offers[0].destination, asset: other.to.id}};
    session.setForm({draft: {...session.$form.get().draft, from: other.from.id, to: other.to.id}});
    session.setForm({quote: {state: 'ready', value: {...oneQuote, request: other, offers: [turned]}}});
    session.setForm({offer: turned});
    answers[0]?.('0.998');
    await page.settled();
    expect(page.text).not.to.include(ROW);
    answers[1]?.('0.99');
    await waitUntil(() => page.text.includes('You get 0.41% more'));
  });
});
