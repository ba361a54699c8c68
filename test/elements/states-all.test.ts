/** Every state again: in dark, from right to left, in a narrow column, and in every language. */
import {expect} from '@open-wc/testing';
import {setViewport} from '@web/test-runner-commands';
import {layoutFaults, linesOf, textsInMargin} from '../support/layout.js';
import {waitUntil} from '../support/page.js';
import {LANGUAGES, show, speak} from '../support/show.js';
import {CHOICES, STATES} from '../support/states.js';

const NAMES = [...Object.keys(STATES), ...Object.keys(CHOICES)];

// In a low window the footer stays in view, over the scrolled content.
before(() => setViewport({width: 800, height: 2400}));
after(() => setViewport({width: 800, height: 600}));

describe('In dark, from right to left,', () => {
  for (const name of NAMES)
    it(`${name} is accessible`, async () => {
      const page = await show(name, {theme: 'dark', direction: 'rtl'});
      await expect(page.widget).to.be.accessible();
    });
});

describe('In a narrow column, in German, nothing is cut, broken or covered, and rows are aligned:', () => {
  for (const name of NAMES.filter(name => !name.startsWith('form')))
    it(name, async () => {
      // What leads to a list is found by its English name.
      const page = await show(name, {width: 250, variant: 'compact', lang: name in STATES ? 'de' : ''});
      const {widget} = page;
      const {text} = page;
      widget.lang = 'de';
      if (name in CHOICES) await waitUntil(() => page.text !== text, name);
      await page.settled();
      // Another language and a narrow column take a moment.
      await waitUntil(() => !layoutFaults(widget).length).catch(() => undefined);
      expect(layoutFaults(widget).join('\n')).to.equal('');
      const names = page.findAll('.item > .mark.app + span').map(each => each.getBoundingClientRect().left);
      expect(new Set(names).size, `names begin at ${names.join(', ')}`).to.be.at.most(1);
    });
});

describe('The form and the review in 320 pixels, in every language:', () => {
  for (const name of Object.keys(STATES).filter(name => /^(form|review)/.test(name))) {
    it(`nothing is clipped or overflows: ${name}`, async () => {
      const faults: string[] = [];
      const page = await show(name, {width: 320, lang: 'ar'});
      const {widget} = page;
      for (const lang of LANGUAGES) {
        await speak(page, lang);
        faults.push(
          ...[...textsInMargin(widget, 16), ...layoutFaults(widget)].map(fault => `${name}, ${lang}: ${fault}`),
        );
      }
      expect([...new Set(faults)].join('\n')).to.equal('');
    });
  }
});

describe('What belongs together stays together', () => {
  for (const name of ['deposit-address', 'canceled', 'complete'])
    it(`${name}: the tag of a test network and the title beside it are on one line, in every language`, async () => {
      const page = await show(name, {width: 320, lang: 'en'});
      for (const lang of ['en', ...LANGUAGES]) {
        await speak(page, lang);
        const texts = page.findAll('.tag, h2').filter(element => element.checkVisibility());
        expect(texts.map(linesOf), lang).to.deep.equal([1, 1]);
      }
    });

  for (const name of [
    'deposit-address',
    'deposit-address-connected',
    'deposit-sign',
    'deposit-reopened',
    'deposit-send',
  ])
    it(`${name}: below the button there are at most two things, side by side, in every language`, async () => {
      const page = await show(name, {lang: 'en'});
      for (const lang of ['en', ...LANGUAGES]) {
        await speak(page, lang);
        for (const width of [320, 360, 400]) {
          page.widget.style.inlineSize = `${String(width)}px`;
          await page.settled();
          const below = page.findAll('.primary ~ .foot-note > *').filter(({textContent}) => textContent.trim());
          expect(below.length, `${lang}, ${String(width)}`).to.be.within(1, 2);
          const [first, second = first] = below.map(each => each.getBoundingClientRect());
          expect(first!.top < second!.bottom && second!.top < first!.bottom, `${lang}, ${String(width)}`).to.equal(
            true,
          );
        }
      }
    });
});
