import {expect} from '@open-wc/testing';
import {setViewport} from '@web/test-runner-commands';
import {layoutFaults, linesOf, textOf} from '../support/layout.js';
import {waitUntil} from '../support/page.js';
import {show} from '../support/show.js';

// In a low window the footer stays in view, over the scrolled content.
before(() => setViewport({width: 800, height: 2400}));
after(() => setViewport({width: 800, height: 600}));

describe('What belongs together stays together', () => {
  it('two compared addresses are on one line each at 320 pixels', async () => {
    const page = await show('checks-failed-address', {width: 320});
    expect(page.findAll('.compare bdi').map(linesOf)).to.deep.equal([1, 1]);
    await expect(page.widget).to.be.accessible();
  });

  it('the time left to pay is on one line', async () => {
    for (const name of ['deposit-send', 'deposit-address']) {
      const page = await show(name, {width: 320});
      const left = page.findAll('.time-left').filter(({textContent}) => /^\S+ left$/.test(textContent.trim()));
      expect(left.map(linesOf), name).to.deep.equal([1]);
    }
  });

  it('at an end, the line between the amounts is one: as a chain shows it, or as the service reports it', async () => {
    for (const [name, width] of [
      ['complete', '1px'],
      ['complete-on-chain', '2px'],
      ['refunded-on-chain', '2px'],
    ] as const) {
      const page = await show(name);
      const parts = page.findAll('.thread > *').map(part => getComputedStyle(part, '::before').borderInlineStartWidth);
      expect(parts, name).to.deep.equal([width, width, width]);
    }
  });

  for (const [name, rows] of [
    ['review', 6],
    ['review-lookalike', 6],
    ['complete', 5],
    ['complete-on-chain', 6],
    ['complete-no-explorer', 6],
    ['refunded-on-chain', 4],
  ] as const)
    it(`${name}: the lines use the height of the card, with no hole above or below them`, async () => {
      const page = await show(name);
      const text = (element: Element) => textOf(element).getBoundingClientRect();
      for (const width of [320, 360, 400, 560]) {
        page.widget.style.inlineSize = `${String(width)}px`;
        await page.settled();
        const lines = page.findAll('.between .lines > div');
        expect(lines.length).to.equal(rows);
        const first = page.find('.between > *')!;
        const above = text(first).top - text(page.find('.pay')!).bottom;
        const below = text(page.find('.get')!).top - text(lines.at(-1)!).bottom;
        expect(Math.round(Math.max(above, below)), `${String(width)}: ${String(above)}, ${String(below)}`).to.be.below(
          60,
        );
      }
    });

  it('a focus ring does not touch the text of its button, and moves no text', async () => {
    const box = (element: Element) => textOf(element).getBoundingClientRect();
    for (const name of [
      'form-quoted',
      'form-amount-unclear',
      'form-recipient-lookalike',
      'review-live-signature',
      'deposit-address',
      'deposit-address-connected',
      'complete',
    ]) {
      const page = await show(name, {width: 500});
      const buttons = page.findAll('.chip, .link, a').filter(each => each.tabIndex === 0);
      expect(buttons.length, name).to.be.greaterThan(0);
      const places = () => buttons.map(each => Math.round(box(each).left)).join();
      const before = places();
      for (const button of buttons) {
        button.focus();
        expect(places(), `${name}: ${button.textContent}`).to.equal(before);
        if (button.matches('.turn, .share')) continue;
        const [inner, outer] = [box(button), button.getBoundingClientRect()];
        const {outlineOffset} = getComputedStyle(button);
        const air = Math.min(inner.left - outer.left, outer.right - inner.right) + parseFloat(outlineOffset);
        expect(air, `${name}: ${button.textContent}`).to.be.at.least(5);
      }
    }
  });

  it('what is said of a swap that was not paid is in the middle between its two amounts', async () => {
    for (const name of ['canceled', 'canceled-address', 'expired', 'expired-address']) {
      const page = await show(name);
      const space = page.find('.between')!.getBoundingClientRect();
      const told = [...page.find('.between')!.children].map(each => each.getBoundingClientRect());
      const above = told[0]!.top - space.top;
      expect(Math.abs(above - (space.bottom - told.at(-1)!.bottom)), name).to.be.lessThan(2);
      expect(above, name).to.be.greaterThan(16);
    }
  });

  it('a label and a short value share a line', async () => {
    const page = await show('review-two-payees');
    const line = page.findAll('.lines > div').find(({textContent}) => textContent.includes('Network and exchange'))!;
    expect(line.getBoundingClientRect().height).to.be.lessThan(36);
  });

  it('an amount keeps its label beside the balance shares', async () => {
    for (const width of [320, 360, 400, 480]) {
      const page = await show('form-quoted', {width});
      await waitUntil(() => page.button('Max: 0.4218'), 'no shares');
      const label = page.findAll('label.label').find(({textContent}) => textContent === 'You pay')!;
      expect(label.checkVisibility({opacityProperty: true}), String(width)).to.equal(true);
      const middles = [label, page.button('Max: 0.4218')!].map(element => {
        const {top, bottom} = textOf(element).getBoundingClientRect();
        return (top + bottom) / 2;
      });
      // One line apart.
      expect(middles[1]! - middles[0]!, String(width)).to.be.within(16, 24);
    }
  });

  it('a site fee and its value share a line at 360 pixels', async () => {
    const page = await show('form-partner-fee', {width: 360});
    const line = page.findAll('.lines > div').find(({textContent}) => textContent.includes('site fee'))!;
    expect(line.getBoundingClientRect().height).to.be.lessThan(36);
  });

  it('two readings of an amount are beside each other', async () => {
    for (const width of [360, 400, 480]) {
      const page = await show('form-amount-unclear', {width});
      const tops = page.findAll('.uses > button').map(button => button.getBoundingClientRect().top);
      expect([tops.length, new Set(tops).size], String(width)).to.deep.equal([2, 1]);
    }
  });

  it('an address is aligned with its label', async () => {
    for (const width of [320, 400]) {
      const page = await show('deposit-address', {width});
      const [label, chip] = ['.pay-to > .label', '.pay-to > .chip'].map(selector =>
        Math.round(textOf(page.find(selector)!).getBoundingClientRect().left),
      );
      expect(label, String(width)).to.equal(chip);
    }
  });

  it('a form label is nearer to its own line than to the one above', async () => {
    for (const name of ['form-not-connected', 'form-refund-empty']) {
      const page = await show(name, {width: 320});
      const values = page.findAll('.value').map(value => value.getBoundingClientRect());
      for (const [side, label] of page.findAll('.line > .label').entries()) {
        if (getComputedStyle(label).position !== 'static') continue;
        const {top, bottom} = label.getBoundingClientRect();
        const own = label.parentElement!.querySelector('.write > :first-child')!.getBoundingClientRect();
        const text = own.top + (own.height - (bottom - top)) / 2;
        expect(text - bottom, `${name}: ${label.textContent}`).to.be.lessThan(top - values[side]!.bottom);
      }
    }
  });

  it('a choice in the price row ends where the rows below it end', async () => {
    const page = await show('form-several-quotes');
    const [more, cost] = ['.more', '.lines dd'].map(selector => page.find(selector)!.getBoundingClientRect());
    expect(Math.round(more!.right)).to.equal(Math.round(cost!.right));
  });

  it('elapsed and usual time are at opposite ends of their line', async () => {
    const page = await show('progress-in-time');
    const [so, usual] = page.findAll('.promise p:first-of-type > *').map(element => element.getBoundingClientRect());
    const bar = page.find('.elapsed')!.getBoundingClientRect();
    expect([Math.round(so!.left), Math.round(usual!.right)]).to.deep.equal([
      Math.round(bar.left),
      Math.round(bar.right),
    ]);
  });
});

describe('A narrow column', () => {
  for (const name of ['form-empty', 'form-quoted', 'form-not-connected', 'form-transfer', 'form-refund-empty'])
    for (const [width, variant] of [
      [240, 'card'],
      [250, 'compact'],
      [280, 'card'],
      [340, 'compact'],
    ] as const)
      it(`fits the form in 560 pixels, legibly: ${name} at ${String(width)}, ${variant}`, async () => {
        const page = await show(name, {width, variant});
        const {widget} = page;
        if (name !== 'form-empty') await waitUntil(() => page.text.includes('Cost'), 'a price');
        expect(widget.getBoundingClientRect().height).to.be.at.most(560);
        // Each address line says whose it is.
        for (const input of page.findAll('#address').filter(each => each.checkVisibility())) {
          const label = (input as HTMLInputElement).labels![0]!;
          expect(label.textContent).to.match(/Refund address|Receive at/);
          expect([getComputedStyle(label).clipPath, label.clientHeight >= 16], name).to.deep.equal(['none', true]);
        }
        expect(layoutFaults(widget).join('\n')).to.equal('');
        await expect(widget).to.be.accessible();
      });

  it('labels an address line, whose note is there until there is an address', async () => {
    for (const [name, isNoted] of [
      ['form-refund-empty', true],
      ['form-transfer', false],
    ] as const) {
      const page = await show(name, {width: 250});
      const input = page.find<HTMLInputElement>('#address')!;
      const [label, note] = [input.labels![0]!, (input.getRootNode() as ShadowRoot).querySelector('#note')!];
      const isSeen = getComputedStyle(note).clipPath !== 'inset(50%)';
      const isAbove = label.getBoundingClientRect().bottom <= input.getBoundingClientRect().top;
      expect([isAbove, isSeen], name).to.deep.equal([true, isNoted]);
    }
  });
});
