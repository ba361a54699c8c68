import {expect} from '@open-wc/testing';
import {setViewport} from '@web/test-runner-commands';
import {layoutFaults, textsInMargin} from '../support/layout.js';
import {show} from '../support/show.js';
import {CHOICES, STATES} from '../support/states.js';

const LANGUAGES = ['ar', 'de', 'es', 'fr', 'hi', 'ja', 'ko', 'pt', 'tr', 'zh'];

// In a low window the foot stays in sight, over what is scrolled.
before(() => setViewport({width: 800, height: 2400}));
after(() => setViewport({width: 800, height: 600}));

describe('Every state, with nothing cut, covered or beside its frame:', () => {
  for (const name of [...Object.keys(STATES), ...Object.keys(CHOICES)]) {
    it(`${name} fits in 280 pixels, in 320, and in 400 with letters twice as large, from both sides`, async () => {
      const page = await show(name, {width: 280});
      const {widget} = page;
      const place = widget.parentElement!;
      const faults: string[] = [];
      for (const [width, letters, direction] of [
        [280, 15, 'ltr'],
        [320, 15, 'rtl'],
        [400, 30, 'ltr'],
        [400, 30, 'rtl'],
      ] as const) {
        place.style.inlineSize = `${String(width)}px`;
        place.style.setProperty('--swap-font-size', `${String(letters)}px`);
        place.dir = direction;
        const {left, right} = widget.getBoundingClientRect();
        expect(right - left).to.equal(width);
        const where = `${String(width)} px, ${String(letters)} px letters, ${direction}`;
        for (const element of page.findAll('button, p, dd, strong, .amount, .notice, input')) {
          const box = element.getBoundingClientRect();
          if (box.width > 1 && (box.left < left || box.right > right))
            faults.push(`${where}: ${element.localName}.${element.className} is beside the frame`);
        }
        faults.push(...layoutFaults(widget).map(fault => `${where}: ${fault}`));
      }
      expect(faults.join('\n')).to.equal('');
    });
  }
});

describe('The form and the review in 320 pixels, in every language:', () => {
  const names = Object.keys(STATES).filter(name => /^(form|review)/.test(name));
  for (const lang of LANGUAGES) {
    it(`nothing is cut or in the margin in ${lang}`, async function () {
      this.timeout(120_000);
      const faults: string[] = [];
      for (const name of names) {
        const page = await show(name, {width: 320, lang});
        const {widget} = page;
        faults.push(...[...textsInMargin(widget, 16), ...layoutFaults(widget)].map(fault => `${name}: ${fault}`));
        widget.parentElement?.remove();
      }
      expect([...new Set(faults)].join('\n')).to.equal('');
    });
  }
});
