import {deepEqual, equal, ok} from 'node:assert/strict';
import type {Page, Viewport} from 'puppeteer-core';
import type {FakeSessionWidget} from '../support/fake-session.js';
import {scaled} from '../support/limits.js';
import {openGallery, type Gallery} from '../support/open-gallery.js';
import type * as states from '../support/states.js';

/** A swap from the form to its end; the review is the highest view. */
const STAGES = ['form-quoted', 'review-two-payees', 'deposit-fees', 'complete-fees'];
/** Short, and opened from any stage. */
const LIST = 'journal-empty';

interface Stage {
  readonly stage: string;
  readonly height: number;
  /** The lower edge of the footer with the button, without scrolling the page. */
  readonly foot: number;
  /** The upper edge of the title, in the frame. */
  readonly title: number;
}

describe('From the form to the end of a swap', () => {
  let gallery: Gallery;

  before(async () => {
    gallery = await openGallery();
  });

  after(() => gallery.close());

  async function openForm(viewport: Viewport, state = 'form-quoted'): Promise<Page> {
    const {page} = await gallery.browser.openPage('about:blank');
    await page.setViewport(viewport);
    await gallery.goto(page, `state=${state}`);
    return page;
  }

  async function follow(viewport: Viewport): Promise<{page: Page; isCoarse: boolean; seen: readonly Stage[]}> {
    const page = await openForm(viewport);
    const isCoarse = await page.evaluate(() => matchMedia('(pointer: coarse)').matches);
    const seen: Stage[] = [];
    for (const stage of STAGES) {
      await page.evaluate(goTo, stage);
      await page.waitForNetworkIdle({idleTime: 200, timeout: scaled(120_000)});
      seen.push({stage, ...(await page.evaluate(measure))});
    }
    return {page, isCoarse, seen};
  }

  for (const [device, viewport] of Object.entries({
    'a mouse': {width: 820, height: 1180},
    'touch on a large screen': {width: 820, height: 1180, isMobile: true, hasTouch: true},
  }))
    it(`the widget never gets shorter, and its title stays in its place, with ${device}`, async () => {
      const {page, isCoarse, seen} = await follow(viewport);
      equal(isCoarse, viewport.hasTouch ?? false);
      const shrunk = seen.filter(({height}, at) => at > 0 && height < seen[at - 1]!.height - 0.5);
      deepEqual(shrunk, [], JSON.stringify(seen));
      const moved = seen.filter(({title}) => title !== seen[0]?.title);
      deepEqual(moved, [], JSON.stringify(seen));
      await page.evaluate(goTo, LIST);
      await page.waitForNetworkIdle({idleTime: 200, timeout: scaled(120_000)});
      const {height} = await page.evaluate(measure);
      ok(Math.abs(height - seen.at(-1)!.height) < 1, `the list of swaps is ${String(height)} pixels high`);
      await page.close();
    });

  it('the button stays at the bottom edge of a small touch screen up to the end, where it covers nothing', async () => {
    const {page, isCoarse, seen} = await follow({width: 360, height: 640, isMobile: true, hasTouch: true});
    ok(isCoarse);
    deepEqual(
      seen.slice(0, -1).filter(({height, foot}) => foot > 640.5 || (height > 640 && foot < 639.5)),
      [],
      JSON.stringify(seen),
    );
    const end = seen.at(-1);
    ok(end && end.height - end.foot <= 1, JSON.stringify(end));
    ok(end.height < seen.at(-2)!.height, 'it is higher than what it says');
    await page.close();
  });

  it('the button does not come up over the first amount while the widget is scrolled into view', async () => {
    const page = await openForm({width: 360, height: 640, isMobile: true, hasTouch: true});
    for (const above of [0, 300, 420, 520]) {
      const [amount, foot, frame] = await page.evaluate(edges, above);
      ok(foot! >= amount!, `${String(foot)} is above ${String(amount)} at ${String(above)}`);
      ok(above || frame! <= 640 || foot! < frame! - 100, 'it is not sticky at all');
    }
    await page.close();
  });

  it('what is wrong with an address is seen above the button once its field is left', async () => {
    const page = await openForm({width: 360, height: 640, isMobile: true, hasTouch: true});
    await page.touchscreen.tap(100, 150);
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
    });
    equal(await page.evaluate(() => scrollY), 0);
    await page.evaluate(goTo, 'form-not-an-address');
    await page.waitForNetworkIdle({idleTime: 200, timeout: scaled(120_000)});
    await page.evaluate(measure);
    const note = await page.$eval('>>> swap-widget-address-note', each => each.getBoundingClientRect().bottom);
    const foot = await page.$eval('>>> .foot', each => each.getBoundingClientRect().top);
    ok(note > 0 && note <= foot, `${String(note)} of ${String(foot)}`);
    await page.close();
  });

  it('a shortened address is not cut once more at its end', async () => {
    const page = await openForm({width: 336, height: 740, isMobile: true, hasTouch: true}, 'form-transfer');
    const over = await page.$$eval('>>> #address', fields => fields.map(each => each.scrollWidth - each.clientWidth));
    deepEqual(over, [0, 0]);
    await page.close();
  });

  for (const [width, height] of [
    [360, 740],
    [360, 640],
    [844, 390],
  ] as const)
    it(`the last row of a list is reached by thumb, ${String(width)} × ${String(height)}`, async () => {
      for (const state of ['asset-picker-many', 'wallet-picker', 'journal-many']) {
        const page = await openForm({width, height, isMobile: true, hasTouch: true}, state);
        await page.evaluate(measure);
        const end = await page.evaluate(endOfList);
        ok(end > 0 && end <= height, `${state}: ${String(end)}`);
        await page.close();
      }
    });

  it('nothing is seen below the button in a scrolling box with padding, and nothing covers the box', async () => {
    const page = await openForm({width: 844, height: 390, isMobile: true, hasTouch: true}, 'form-transfer');
    await page.evaluate(() => {
      const box = document.querySelector('figure')!;
      box.style.cssText = 'position: fixed; inset: 0 auto 0 0; width: 460px; overflow: auto; margin: 0; padding: 24px';
    });
    await page.waitForNetworkIdle({idleTime: 200, timeout: scaled(120_000)});
    await page.evaluate(measure);
    deepEqual(await page.evaluate(below, 0), ['foot', 'foot', 'foot', 'foot']);
    deepEqual(await page.evaluate(below, 9_999), ['', '', 'foot', 'foot']);
    await page.close();
  });
});

/** In the page: the lower edge of the first amount, the upper edge of the footer, and the lower one of the frame. */
function edges(above: number): readonly number[] {
  const box = document.querySelector('figure')!;
  box.style.marginBlockStart = `${String(above)}px`;
  const view = document.querySelector('fake-session-widget')!.shadowRoot!.querySelector('swap-widget-form-view')!;
  const frame = view.shadowRoot!.querySelector('.frame')!;
  const field = frame.querySelector('swap-widget-amount-field')!;
  const amount = field.shadowRoot!.querySelector('input')!.getBoundingClientRect();
  return [
    amount.bottom,
    frame.querySelector('.foot')!.getBoundingClientRect().top,
    frame.getBoundingClientRect().bottom,
  ];
}

/** In the page: the lower edge of the last row of a list, once everything is scrolled to its end. */
async function endOfList(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    scrollTo(0, document.body.scrollHeight);
    for (const each of everything()) if (each.scrollHeight > each.clientHeight) each.scrollTop = each.scrollHeight;
    await new Promise(done => setTimeout(done, 100));
  }
  const rows = everything().filter(each => each.matches('.item, .entry, [role="option"]') && each.checkVisibility());
  return Math.max(...rows.map(row => row.getBoundingClientRect().bottom));
}

/** In the page: which part of the widget is 10 pixels below the footer, and which in the footer's lower corners. */
async function below(scrolled: number): Promise<string[]> {
  const widget = document.querySelector<FakeSessionWidget>('figure > :last-child')!;
  widget.parentElement!.scrollTop = scrolled;
  await new Promise(done => setTimeout(done, 300));
  const view = widget.renderRoot.querySelector('swap-widget-form-view')!.shadowRoot!;
  const {left, right, bottom} = view.querySelector('.foot')!.getBoundingClientRect();
  const points = [
    [left + 100, bottom + 10],
    [right - 100, bottom + 10],
    [left + 4, bottom - 4],
    [right - 4, bottom - 4],
  ] as const;
  return points.map(([x, y]) => {
    const seen = view.elementFromPoint(x, y);
    return seen && view.contains(seen) ? seen.className : '';
  });
}

async function goTo(stage: string) {
  const path = '/test/support/states.ts';
  const {STATES} = (await import(path)) as typeof states;
  const widget = document.querySelector<FakeSessionWidget>('figure > :last-child')!;
  STATES[stage]!(widget.fake);
  await widget.updateComplete;
}

/** In the page: the frame and its footer, once the view exists. */
async function measure(): Promise<Omit<Stage, 'stage'>> {
  const widget = document.querySelector<FakeSessionWidget>('figure > :last-child')!;
  await Promise.all(document.getAnimations().map(({finished}) => finished.catch(() => undefined)));
  await new Promise(done => setTimeout(done, 300));
  const view = [...widget.renderRoot.querySelectorAll<HTMLElement>('*')].find(
    element => element.shadowRoot?.querySelector('.frame') && element.checkVisibility(),
  )!;
  const frame = view.shadowRoot!.querySelector('.frame')!;
  const {top, height} = frame.getBoundingClientRect();
  const title = document.createRange();
  title.selectNodeContents(frame.querySelector('h2')!);
  return {
    height,
    title: title.getBoundingClientRect().top - top,
    foot: frame.querySelector('.foot')!.getBoundingClientRect().bottom,
  };
}
