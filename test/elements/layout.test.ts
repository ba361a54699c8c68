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

describe('A narrow column', () => {
  for (const name of ['form-empty', 'form-quoted', 'form-not-connected', 'form-transfer', 'form-refund-empty'])
    for (const [width, variant] of [
      [240, 'card'],
      [250, 'compact'],
      [280, 'card'],
      [340, 'compact'],
    ] as const)
      it(`has all of the form in 560 pixels, and can be read: ${name} in ${String(width)}, ${variant}`, async () => {
        const page = await show(name, {width});
        const {widget} = page;
        widget.variant = variant;
        await page.settled();
        expect(widget.getBoundingClientRect().height).to.be.at.most(560);
        // Each line of an address says whose it is, also where its label stands in it or is only heard.
        for (const input of page.findAll('#address'))
          expect((input as HTMLInputElement).labels?.[0]?.textContent).to.match(/Refund address|Receive at/);
        expect(layoutFaults(widget).join('\n')).to.equal('');
        await expect(widget).to.be.accessible();
      });

  it('says of an empty line whose address it is, then which one is typed, and what to mind until it is there', async () => {
    const page = await show('form-refund-empty', {width: 250});
    const input = page.find<HTMLInputElement>('#address')!;
    const [label, note] = [input.labels![0]!, (input.getRootNode() as ShadowRoot).querySelector('#note')!];
    const isSeen = (element: Element) => getComputedStyle(element).clipPath !== 'inset(50%)';
    expect([isSeen(label), isSeen(note), getComputedStyle(input, '::placeholder').color]).to.deep.equal([
      true,
      true,
      'rgba(0, 0, 0, 0)',
    ]);
    input.focus();
    await page.settled();
    expect([isSeen(label), isSeen(note)]).to.deep.equal([false, true]);
    expect(getComputedStyle(input, '::placeholder').color).not.to.equal('rgba(0, 0, 0, 0)');
  });
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
