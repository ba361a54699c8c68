/** Every state once: that it is accessible, and that it fits. What it says is in `trees/*.txt`. */
import {expect} from '@open-wc/testing';
import {setViewport} from '@web/test-runner-commands';
import type {FakeSessionWidget} from '../support/fake-session.js';
import {layoutFaults} from '../support/layout.js';
import type {WidgetPage} from '../support/page.js';
import {show} from '../support/show.js';
import {CHOICES, STATES} from '../support/states.js';

/** The widths, sizes of letters and directions in which each state fits. */
const ROOMS = [
  [280, 15, 'ltr'],
  [320, 15, 'rtl'],
  [400, 30, 'ltr'],
  [400, 30, 'rtl'],
] as const;

// In a low window the footer stays in view, over the scrolled content.
before(() => setViewport({width: 800, height: 2400}));
after(() => setViewport({width: 800, height: 600}));

describe('Every state', () => {
  for (const name of [...Object.keys(STATES), ...Object.keys(CHOICES)]) {
    it(`${name} is accessible, has at most one primary button, and fits in 280 to 400 pixels`, async () => {
      const page = await show(name);
      expect(page.findAll('[part="primary"]').length).to.be.at.most(1);
      // A stage's kept height is set through the CSSOM, which strict pages allow.
      const own = page.findAll('style, [style]:not([style^="--_kept:"])');
      expect(
        own.map(element => element.localName),
        'elements with a style of their own',
      ).to.deep.equal([]);
      await expect(page.widget).to.be.accessible();
      expect(ROOMS.flatMap(room => faultsIn(page, ...room)).join('\n')).to.equal('');
    });
  }
});

/** What is clipped, covered or beside the frame of a widget with this width, size of letters and direction. */
function faultsIn(
  page: WidgetPage<FakeSessionWidget>,
  ...[width, letters, direction]: (typeof ROOMS)[number]
): string[] {
  const {widget} = page;
  const place = widget.parentElement!;
  place.style.inlineSize = `${String(width)}px`;
  place.style.setProperty('--swap-font-size', `${String(letters)}px`);
  place.dir = direction;
  const {left, right} = widget.getBoundingClientRect();
  expect(right - left).to.equal(width);
  const beside = page.findAll('button, p, dd, strong, .amount, .notice, input').flatMap(element => {
    const box = element.getBoundingClientRect();
    // Browsers may lay out what is in a closed `<details>`.
    const isBeside = box.width > 1 && element.checkVisibility() && (box.left < left || box.right > right);
    return isBeside ? `${element.localName}.${element.className} is beside the frame` : [];
  });
  const where = `${String(width)} px, ${String(letters)} px letters, ${direction}`;
  return [...beside, ...layoutFaults(widget)].map(fault => `${where}: ${fault}`);
}
