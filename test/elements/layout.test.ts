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

  it('but nobody presses “Cancel swap” who means the link beside or above it', async () => {
    const page = await show('deposit-sign');
    for (let width = 280; width <= 560; width += 8) {
      page.widget.style.inlineSize = `${String(width)}px`;
      await page.settled();
      const [other, cancel] = page.findAll('.foot-note .link').map(link => textOf(link).getBoundingClientRect());
      expect(cancel!.left - other!.right >= 44 || cancel!.top - other!.bottom >= 20, String(width)).to.equal(true);
    }
  });

  it('at an end, the way is whole where a chain shows it, and faint where the service reports it', async () => {
    for (const [name, opacity] of [
      ['complete', '0.3'],
      ['complete-on-chain', '1'],
      ['refunded-on-chain', '1'],
    ] as const) {
      const page = await show(name);
      expect(getComputedStyle(page.find('.trail > span:not(.mark)')!).opacity, name).to.equal(opacity);
    }
  });

  for (const name of ['review', 'review-lookalike', 'complete-on-chain', 'refunded-on-chain'])
    it(`${name}: no list is stretched: its lines follow each other`, async () => {
      const page = await show(name);
      for (const width of [320, 400, 560]) {
        page.widget.style.inlineSize = `${String(width)}px`;
        await page.settled();
        const lines = page.findAll('.lines > div').map(line => line.getBoundingClientRect());
        lines.forEach(({top}, at) => at && expect(top - lines[at - 1]!.bottom).to.be.at.most(1));
        const text = page.findAll('.lines > div').map(line => textOf(line).getBoundingClientRect().height);
        lines.forEach(({height}, at) => expect(height - text[at]!).to.be.at.most(24));
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
      const buttons = page.findAll('.chip, .link, a').filter(each => each.tabIndex === 0 && each.checkVisibility());
      expect(buttons.length, name).to.be.greaterThan(0);
      const places = () => buttons.map(each => Math.round(box(each).left)).join();
      const before = places();
      for (const button of buttons) {
        button.focus();
        expect(places(), `${name}: ${button.textContent}`).to.equal(before);
        if (button.matches('.turn')) continue;
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
      expect(above, name).to.be.at.least(8);
    }
  });

  it('a label and a short value share a line', async () => {
    const page = await show('review-two-payees');
    const line = page.findAll('.lines > div').find(({textContent}) => textContent.includes('At least'))!;
    expect(line.getBoundingClientRect().height).to.be.lessThan(36);
  });

  it('a site fee and its value share a line at 360 pixels', async () => {
    const page = await show('form-partner-fee', {width: 360});
    await page.press('Details');
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
          expect(label.textContent).to.match(/Refund to|Receive at/);
          expect([getComputedStyle(label).clipPath, label.clientHeight >= 16], name).to.deep.equal(['none', true]);
        }
        expect(layoutFaults(widget).join('\n')).to.equal('');
        await expect(widget).to.be.accessible();
      });
});
