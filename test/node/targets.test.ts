import {deepEqual, equal, ok} from 'node:assert/strict';
import type {Page} from 'puppeteer-core';
import {scaled} from '../support/limits.js';
import {openGallery, type Gallery} from '../support/open-gallery.js';

const PHONE = {width: 390, height: 844, isMobile: true, hasTouch: true};

const FEW =
  'journal,deposit-address,form-transfer,form-service-error,form-quoted,form-not-connected,complete-to-wallet';

/** Every state on a phone: touch targets must be large enough for a thumb. */
describe('On a touch screen, in every state,', () => {
  let gallery: Gallery;
  let page: Page;
  let all: Page;

  before(async () => {
    gallery = await openGallery();
    ({page} = await gallery.browser.openPage('about:blank'));
    await page.setViewport(PHONE);
    await gallery.goto(page, 'width=390&--swap-speed=0');
    all = page;
    ({page} = await gallery.browser.openPage('about:blank'));
    await page.setViewport(PHONE);
    await gallery.goto(page, `width=390&--swap-speed=0&states=${FEW}`);
  });

  after(() => gallery.close());

  /** Has a phone of another size meanwhile, and the widgets this wide, if it is given. */
  async function onPhone(size: {width: number; height: number}, wide: number | undefined, work: () => Promise<void>) {
    await page.setViewport({...PHONE, ...size});
    const style = wide && (await page.addStyleTag({content: `figure { inline-size: ${String(wide)}px !important }`}));
    try {
      await work();
    } finally {
      if (style) await style.evaluate(element => (element as Element).remove());
      await page.setViewport(PHONE);
    }
  }

  it('every control and every link is at least 44 pixels wide and high', async () => {
    const {states, small} = await all.evaluate(smallTargets, 'button, input, select, summary, a', 44);
    ok(states > 100);
    deepEqual(small, []);
  });

  it('“Repeat” is in the middle of its line', async () => {
    await page.waitForSelector('>>> .again', {timeout: scaled(30_000)});
    const places = await page.evaluate(middlesOf, 'journal', '.again, .room');
    ok(places.length > 1 && places.length % 2 === 0, JSON.stringify(places));
    for (let index = 0; index < places.length; index += 2)
      ok(Math.abs(places[index]!.y - places[index + 1]!.y) <= 2, JSON.stringify(places));
  });

  it('each button of a deposit says what it copies', async () => {
    const texts = (await page.evaluate(middlesOf, 'deposit-address', 'button')).map(({text}) => text);
    deepEqual(
      texts.filter(text => text.startsWith('Copy')),
      ['Copy', 'Copy the address'],
    );
  });

  it('a phone on its side shows the code beside the address', async () => {
    await onPhone({width: 844, height: 390}, undefined, async () => {
      const [code, address] = await page.evaluate(middlesOf, 'deposit-address', '.code, .groups');
      ok(code && address);
      ok(Math.abs(code.y - address.y) < code.height / 2 && Math.abs(code.x - address.x) > code.height);
    });
  });

  it('a phone on its side shows address, code and button of a narrow widget at once, and its links at the end', async () => {
    await onPhone({width: 740, height: 360}, 400, async () => {
      const scrollTo = (where: 'start' | 'end') =>
        page.$$eval(
          'figure',
          (figures, block) => {
            const figure = figures.find(each => each.querySelector('figcaption')!.textContent === 'deposit-address');
            figure!.querySelector('figcaption')!.nextElementSibling!.scrollIntoView({block, behavior: 'instant'});
          },
          where,
        );
      const edges = async (selector: string) => {
        const [found] = await page.evaluate(middlesOf, 'deposit-address', selector);
        ok(found, selector);
        return {top: found.y - found.height / 2, bottom: found.y + found.height / 2};
      };
      await scrollTo('start');
      const button = await edges('.primary');
      ok(button.bottom <= 360 && button.bottom > 340, JSON.stringify(button));
      for (const selector of ['.amount', '.groups', '.code']) {
        const {top, bottom} = await edges(selector);
        ok(top >= 0 && bottom <= button.top, `${selector}: ${JSON.stringify({top, bottom, button})}`);
      }
      await scrollTo('end');
      const [primary, links] = [await edges('.primary'), await edges('.foot > .foot-note')];
      ok(primary.bottom <= links.top + 1 && links.bottom <= 360, JSON.stringify({primary, links}));
    });
  });

  it('nothing that gets the focus is behind the button', async () => {
    for (const size of [
      {width: 740, height: 360},
      {width: 360, height: 640},
    ])
      await onPhone(size, Math.min(400, size.width), async () => {
        for (const state of ['deposit-address', 'form-transfer', 'form-service-error']) {
          const {focused, covered} = await page.evaluate(coveredByFoot, state);
          ok(focused > 1, `${state}: ${String(focused)}`);
          deepEqual(covered, [], `${state}, ${String(size.width)} × ${String(size.height)}`);
        }
      });
  });

  it('a small phone shows all of the form', async () => {
    await onPhone({width: 320, height: 568}, 320, async () => {
      for (const state of ['form-quoted', 'form-transfer', 'form-not-connected']) {
        const [form] = await page.evaluate(middlesOf, state, '.frame');
        ok(form && form.height <= 568, `${state} is ${String(form?.height)} pixels high`);
      }
    });
  });

  it('a phone on its side shows both amounts, each beside its asset', async () => {
    await onPhone({width: 640, height: 360}, 600, async () => {
      const [head] = await page.evaluate(middlesOf, 'form-quoted', '.head');
      const assets = await page.evaluate(middlesOf, 'form-quoted', '.asset');
      const amounts = await page.evaluate(middlesOf, 'form-quoted', '.amount');
      equal(assets.length, 2);
      equal(amounts.length, 2);
      for (const [index, amount] of amounts.entries())
        ok(Math.abs(amount.y - assets[index]!.y) < 20, JSON.stringify([assets, amounts]));
      // The footer covers the rest.
      ok(amounts[1]!.y - head!.y < 240, JSON.stringify([head, amounts]));
    });
  });

  it('a bar differs from the rest of its track with forced colors', async () => {
    const devtools = await all.createCDPSession();
    for (const scheme of ['light', 'dark']) {
      const features = [
        {name: 'forced-colors', value: 'active'},
        {name: 'prefers-color-scheme', value: scheme},
      ];
      await devtools.send('Emulation.setEmulatedMedia', {features});
      const bars = await all.$$eval('>>> .ticks:has(.on):has(:not(.on))', contrastsOfBars);
      ok(bars.length > 3);
      ok(Math.min(...bars) > 3, `${scheme}: ${bars.join(', ')}`);
    }
  });
});

/** In the page: the middles of matching elements in one state, in the order of the document. */
function middlesOf(state: string, selector: string): {x: number; y: number; height: number; text: string}[] {
  const isIt = (figure: Element) => figure.querySelector('figcaption')!.textContent === state;
  return [...document.querySelectorAll('figure')].filter(isIt).flatMap(figure =>
    everything(figure)
      .filter(element => element.matches(selector))
      .map(element => {
        const {left, top, width, height} = element.getBoundingClientRect();
        return {x: left + width / 2, y: top + height / 2, height, text: element.textContent.trim()};
      }),
  );
}

/** In the page: what in one state can have the focus above the footer, and what of it the footer covers then. */
async function coveredByFoot(state: string): Promise<{focused: number; covered: string[]}> {
  const figure = [...document.querySelectorAll('figure')].find(
    each => each.querySelector('figcaption')!.textContent === state,
  )!;
  const elements = everything(figure);
  const body = elements.find(element => element.matches('.frame > .body') && element.checkVisibility())!;
  const foot = body.parentElement!.querySelector(':scope > .foot')!;
  const focusable = [body, ...everything(body)].filter(
    element => element.matches('input:not([type=file]), button, a[href], summary') && element.checkVisibility(),
  );
  const covered: string[] = [];
  for (const element of focusable) {
    scrollTo(0, figure.offsetTop);
    element.focus();
    await new Promise(done => requestAnimationFrame(done));
    const {top, bottom} = element.getBoundingClientRect();
    const edge = foot.getBoundingClientRect().top;
    if (bottom > edge + 0.5)
      covered.push(`${element.ariaLabel ?? element.textContent.trim()}: ${String([top, bottom, edge])}`);
  }
  (document.activeElement as HTMLElement | null)?.blur();
  return {focused: focusable.length, covered};
}

/** In the page: the contrast of each bar with its track. */
function contrastsOfBars(bars: readonly Element[]): number[] {
  const canvas = document.createElement('canvas').getContext('2d')!;
  const luminance = (color: string) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map(part => (part / 255) ** 2.2);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  return bars.map(element => {
    const [bar, track] = ['.on', 'i:not(.on)'].map(each => getComputedStyle(element.querySelector(each)!));
    const both = [bar!, track!].map(({backgroundColor}) => luminance(backgroundColor));
    return Math.max(...both) / Math.min(...both);
  });
}

/** In the page: all matching elements that are smaller than that, in all states. */
function smallTargets(selector: string, least: number): {states: number; small: string[]} {
  const isSeen = (element: HTMLElement) =>
    element.checkVisibility({visibilityProperty: true, opacityProperty: true}) &&
    getComputedStyle(element).clipPath !== 'inset(50%)';
  const figures = [...document.querySelectorAll('figure')];
  const small = figures.flatMap(figure =>
    everything(figure)
      .filter(element => element.matches(selector) && !element.matches('.hidden, [type=file]'))
      // A choice can be tapped anywhere on its label.
      .map(element =>
        element.matches('[type=radio], [type=checkbox]') ? (element.closest('label') ?? element) : element,
      )
      .concat(everything(figure).filter(element => element.matches('.tabs label')))
      .filter(isSeen)
      .map(element => ({element, box: element.getBoundingClientRect()}))
      .filter(({box}) => box.width < least - 0.5 || box.height < least - 0.5)
      .map(
        ({element, box}) =>
          `${figure.querySelector('figcaption')!.textContent}: ${(element.ariaLabel ?? element.textContent).trim()}, ` +
          `${String(Math.round(box.width))} × ${String(Math.round(box.height))}`,
      ),
  );
  return {states: figures.length, small};
}
