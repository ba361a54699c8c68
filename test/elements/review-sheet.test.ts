import {expect} from '@open-wc/testing';
import {sendKeys, setViewport} from '@web/test-runner-commands';
import {pending} from '../../src/domain/remote.js';
import {change} from '../../src/session/shared.js';
import {waitUntil} from '../support/page.js';
import {show} from '../support/show.js';
import {STATES} from '../support/states.js';

const sheetOf = (page: Awaited<ReturnType<typeof show>>, tag = 'swap-widget-review-view') =>
  page.find(tag)!.shadowRoot!.querySelector('dialog')!;
const isUp = (page: Awaited<ReturnType<typeof show>>) => sheetOf(page).matches(':modal');

// Of a phone, the test's browser has the size alone: styles for touch apply, too, before any widget has made its own.
const {replaceSync} = CSSStyleSheet.prototype;
CSSStyleSheet.prototype.replaceSync = function (styles) {
  replaceSync.call(this, styles.replaceAll('(pointer: coarse)', '(min-width: 0)'));
};

describe('The review on a small touch screen', () => {
  const matchMedia = window.matchMedia;
  before(() => {
    window.matchMedia = query => matchMedia.call(window, query.includes('coarse') ? 'all' : query);
  });
  after(() => {
    window.matchMedia = matchMedia;
  });

  it('is a sheet at the bottom of the window, over the inert form', async () => {
    const page = await show('review', {width: 360});
    const sheet = sheetOf(page);
    await waitUntil(() => isUp(page), 'a sheet');
    const {left, right, top, bottom} = sheet.getBoundingClientRect();
    // Less than the window's width beside a classic scroll bar.
    expect([left, right, bottom]).to.deep.equal([0, document.documentElement.offsetWidth, innerHeight]);
    expect(top).to.be.greaterThan(0);
    // The primary button is visible, however long the review is.
    expect(page.primaryButton!.getBoundingClientRect().bottom).to.be.at.most(innerHeight);
    const form = page.find('swap-widget-form-view')!;
    expect(form.inert).to.equal(true);
    await waitUntil(() => form.getBoundingClientRect().height >= 350, 'the form');
    expect(sheet.ariaLabel).to.equal('Review');
    await expect(page.widget).to.be.accessible();
  });

  for (const [width, height] of [
    [320, 568],
    [360, 640],
    [640, 360],
  ] as const) {
    it(`shows both amounts without scrolling: ${String(width)} × ${String(height)}`, async () => {
      // As when a phone is turned: WebKit only reads media queries again for what is on the page.
      const turned = await show('review');
      await setViewport({width, height});
      turned.widget.remove();
      try {
        for (const name of [
          'review',
          'review-transfer',
          'review-two-payees',
          'review-lookalike',
          'review-price-moved',
        ]) {
          const page = await show(name, {width});
          await waitUntil(() => isUp(page), 'a sheet');
          await Promise.allSettled(
            sheetOf(page)
              .getAnimations()
              .map(({finished}) => finished),
          );
          for (const selector of ['.pay .amount bdi', '.get .amount bdi']) {
            const shown = page.find(selector)!;
            const {left, top, bottom, height: tall} = shown.getBoundingClientRect();
            const root = shown.getRootNode() as ShadowRoot;
            // Nothing covers its first and last line: where its letters are, for their line may be lower than their font.
            for (const y of [top + tall / 4, bottom - tall / 4]) {
              const above = root.elementFromPoint(left + 3, y);
              expect(shown.contains(above), `${name}, ${selector}: ${String(above?.className)}`).to.equal(true);
            }
          }
          // The details can be read above them.
          const body = sheetOf(page).querySelector('.body')!;
          await waitUntil(() => body.clientHeight - page.find('.get')!.clientHeight >= 80, `${name}: the details`);
          page.widget.remove();
        }
      } finally {
        await setViewport({width: 800, height: 600});
      }
    });
  }

  for (const [state, width, height, seen] of [
    ['review-transfer', 360, 640, ['Cost', 'Receive at', 'Refund to', 'If the swap fails']],
    ['review-transfer', 320, 568, ['Cost', 'Receive at']],
    ['review-transfer', 844, 390, ['Cost', 'Receive at', 'Refund to']],
    ['review', 844, 390, ['Cost', 'Receive at', 'If the swap fails']],
    ['review', 568, 320, ['Cost', 'Receive at']],
  ] as const) {
    it(`shows ${seen.join(', ')} above the button, at once: ${state}, ${String(width)} × ${String(height)}`, async () => {
      const turned = await show('review');
      await setViewport({width, height});
      turned.widget.remove();
      try {
        const page = await show(state, {width: Math.min(width - 32, 560)});
        await waitUntil(() => isUp(page), 'a sheet');
        for (const name of seen) {
          const shown = page.findAll('.lines dt, .lines dd').find(({textContent}) => textContent.includes(name))!;
          const root = shown.getRootNode() as ShadowRoot;
          // Down to the last line of what it says.
          for (const each of [shown, shown.parentElement!.querySelector(':scope > dd')!]) {
            const {left, right, bottom} = each.getBoundingClientRect();
            const above = root.elementFromPoint((left + right) / 2, bottom - 5);
            expect(shown.parentElement!.contains(above), `${name}: ${String(above?.className)}`).to.equal(true);
          }
        }
        page.widget.remove();
      } finally {
        await setViewport({width: 800, height: 600});
      }
    });
  }

  it('is closed by Escape and by a tap above it, as by its own button', async () => {
    for (const leave of [
      async () => sendKeys({press: 'Escape'}),
      (page: Awaited<ReturnType<typeof show>>) => {
        const above = {clientY: sheetOf(page).getBoundingClientRect().top - 5};
        for (const kind of ['pointerdown', 'click']) sheetOf(page).dispatchEvent(new PointerEvent(kind, above));
        return Promise.resolve();
      },
      async (page: Awaited<ReturnType<typeof show>>) => page.press('Back'),
    ]) {
      const page = await show('review', {width: 360});
      await waitUntil(() => isUp(page), 'a sheet');
      const session = page.widget.fake;
      let left = 0;
      session.back = () => {
        left += 1;
      };
      page.find('h2')!.focus();
      await leave(page);
      expect(left, leave.toString()).to.equal(1);
      page.widget.remove();
    }
  });

  it('is closed by the device’s own gesture, such as Android’s back gesture', async () => {
    const page = await show('review', {width: 360});
    await waitUntil(() => isUp(page), 'a sheet');
    let left = 0;
    page.widget.fake.back = () => {
      left += 1;
    };
    sheetOf(page).close();
    await waitUntil(() => left === 1);
    page.widget.remove();

    const form = await show('asset-picker', {width: 360});
    sheetOf(form, 'swap-widget-asset-picker').close();
    await waitUntil(() => !form.find('swap-widget-asset-picker'));
    await expect(form.widget).to.be.accessible();
  });

  it('keeps the keyboard focus inside', async () => {
    const page = await show('review', {width: 360});
    await waitUntil(() => isUp(page), 'a sheet');
    const beside = document.createElement('button');
    page.widget.parentElement!.append(beside);
    page.primaryButton!.focus();
    await sendKeys({press: 'Tab'});
    await sendKeys({press: 'Tab'});
    expect(document.activeElement).to.equal(page.widget);
  });

  it('is not a sheet while the order is placed or a wallet prompts, so that their windows are not covered', async () => {
    const page = await show('review', {width: 360});
    await waitUntil(() => isUp(page), 'a sheet');
    await page.settled(change(page.widget.fake.$wallets, {connecting: pending()}));
    expect(isUp(page)).to.equal(false);
    // Then it is in the form's place.
    const box = page.widget.getBoundingClientRect();
    expect(sheetOf(page).querySelector('.frame')!.getBoundingClientRect().width).to.equal(box.width);
    expect(page.find('swap-widget-form-view')?.getClientRects().length ?? 0).to.equal(0);

    const placing = await show('review-placing', {width: 360});
    await placing.settled();
    expect(isUp(placing)).to.equal(false);
    await expect(placing.widget).to.be.accessible();
  });

  it('says its news itself, once: the widget’s own live region is inert behind it', async () => {
    const page = await show('review', {width: 360});
    await waitUntil(() => isUp(page), 'a sheet');
    STATES['review-price-moved']!(page.widget.fake);
    const echo = sheetOf(page).querySelector('swap-widget-echo')!;
    await waitUntil(() => echo.shadowRoot!.textContent.startsWith('The price changed.'), 'the news');
    // In its place it is silent, and the other one is heard.
    await page.settled(change(page.widget.fake.$wallets, {connecting: pending()}));
    expect([echo.checkVisibility(), page.said.startsWith('The price changed.')]).to.deep.equal([false, true]);
    await expect(page.widget).to.be.accessible();
  });
});

describe('The lists on a small touch screen', () => {
  const matchMedia = window.matchMedia;
  before(async () => {
    window.matchMedia = query => matchMedia.call(window, query.includes('coarse') ? 'all' : query);
    await setViewport({width: 390, height: 844});
  });
  after(async () => {
    window.matchMedia = matchMedia;
    await setViewport({width: 800, height: 600});
  });

  it('a list without wallets is as low as what it says, with the way to one as a button', async () => {
    const page = await show('wallet-picker-none', {width: 342});
    const sheet = sheetOf(page, 'swap-widget-wallet-picker');
    await waitUntil(() => page.text.includes('Find a wallet'), 'none');
    const box = sheet.getBoundingClientRect();
    expect(box.bottom).to.equal(innerHeight);
    expect(box.height).to.be.within(250, 400);
    const find = page.findAll('a').find(({textContent}) => textContent.includes('Find a wallet'))!;
    expect(find.getBoundingClientRect().height).to.be.at.least(44);
    await expect(page.widget).to.be.accessible();
  });

  it('a long list of wallets scrolls in a sheet that leaves some of the page in sight', async () => {
    const page = await show('wallet-picker-none', {width: 342});
    const wallet = {family: 'evm', isElsewhere: false, connect: () => new Promise<never>(() => undefined)};
    const found = Array.from({length: 20}, (_, at) => ({
      ...wallet,
      id: String(at),
      key: String(at),
      name: `Wallet ${String(at)}`,
    }));
    await page.settled(change(page.widget.fake.$wallets, {found: found as never}));
    const sheet = sheetOf(page, 'swap-widget-wallet-picker');
    expect(sheet.getBoundingClientRect().top).to.be.within(80, 200);
    const body = sheet.querySelector('.body')!;
    expect(body.scrollHeight).to.be.greaterThan(body.clientHeight);
    expect(sheet.getBoundingClientRect().bottom).to.equal(innerHeight);
  });

  it('a list of assets is high from the start: it does not move while one is looked for', async () => {
    const page = await show('asset-picker', {width: 342});
    expect(sheetOf(page, 'swap-widget-asset-picker').getBoundingClientRect().height).to.be.within(700, 745);
  });
});
