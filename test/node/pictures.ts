import {deepEqual, equal} from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Page} from 'puppeteer-core';
import type * as layout from '../support/layout.js';
import {scaled} from '../support/limits.js';
import {openGallery, type Gallery} from '../support/open-gallery.js';

/*
 * Screenshots of ten representative states in five languages and both themes. None is kept in the repository: it would
 * only match on machines with the same fonts, and be updated without a look. Instead, each is compared with another one
 * on the same machine, of the same state reached another way; and all text must be legible in the pixels. To look at
 * them: `PICTURES=folder npm run test:pictures`.
 */

const STATES = [
  'form-empty',
  'form-quoted',
  'form-smart-account',
  'asset-picker',
  'review',
  'deposit-address',
  'progress-settling',
  'complete-on-chain',
  'refund-open',
  'checks-failed',
];
const LANGUAGES = ['en', 'de', 'ar', 'ja', 'hi'];
const THEMES = ['light', 'dark'] as const;
const WIDTH = 360;
/** The frame's padding at its sides. */
const MARGIN = 16;
/** The folder for requested screenshots, and for those that differ. */
const FOLDER = process.env['PICTURES'] ?? 'node_modules/.cache/swap-widget/pictures';

type SeenLine = layout.SeenLine;

/** A state in a screenshot: its name and its text. */
interface Seen {
  readonly name: string;
  readonly lines: readonly SeenLine[];
  readonly faults: readonly string[];
}

/** A screenshot of all ten states. */
interface Picture {
  readonly png: string;
  readonly seen: readonly Seen[];
}

describe('The screenshot of ten states', () => {
  let gallery: Gallery;
  /** Widgets that never had another state. */
  let fresh: Page;
  /** Widgets that had every language and theme before, and another stage. */
  let changed: Page;
  const taken = new Map<string, Picture>();

  const goto = (page: Page, lang: string, theme: string) =>
    gallery.goto(page, String(new URLSearchParams({states: STATES.join(), lang, theme, width: String(WIDTH)})));

  before(async () => {
    gallery = await openGallery();
    [fresh, changed] = [await open(), await open()];
    await goto(changed, 'en', 'light');
  });

  after(() => gallery.close());

  async function open(): Promise<Page> {
    const {page} = await gallery.browser.openPage('about:blank');
    await page.setViewport({width: 5 * (WIDTH + 24) + 24, height: 2400});
    await page.emulateMediaFeatures([{name: 'prefers-reduced-motion', value: 'reduce'}]);
    await page.evaluateOnNewDocument(startNothing);
    return page;
  }

  /** Changes the language and theme of the states in an open page. */
  async function change(page: Page, lang: string, theme: string) {
    await page.evaluate(
      (lang, theme, states) => {
        document.documentElement.dir = lang === 'ar' ? 'rtl' : '';
        document.body.style.background = theme === 'dark' ? 'black' : 'white';
        for (const name of states) {
          const figure = [...document.querySelectorAll('figure')].find(
            ({firstElementChild}) => firstElementChild?.textContent === name,
          )!;
          const widget = figure.lastElementChild as HTMLElement;
          widget.lang = lang;
          widget.setAttribute('theme', theme);
          figure.style.order = String(states.indexOf(name));
        }
      },
      lang,
      theme,
      STATES,
    );
  }

  for (const lang of LANGUAGES) {
    for (const theme of THEMES) {
      it(`in ${lang}, ${theme}, is the same in a fresh page and after changes, and all text is readable`, async () => {
        await goto(fresh, lang, theme);
        await change(fresh, lang, theme);
        const picture = await take(fresh);
        taken.set(`${lang} ${theme}`, picture);
        const name = `${lang}-${theme}`;
        if (process.env['PICTURES']) keep(name, picture);

        deepEqual(picture.seen.map(state => state.name).sort(), [...STATES].sort());
        deepEqual(
          picture.seen.flatMap(state => state.faults.map(fault => `${state.name}: ${fault}`)),
          [],
        );
        deepEqual(await fresh.evaluate(unreadable, picture), []);

        await change(changed, lang, theme);
        const other = await take(changed);
        const different = await fresh.evaluate(differences, picture.png, other.png);
        if (different.length) [keep(name, picture), keep(`${name}-changed`, other)];
        deepEqual(different, [], `look at ${FOLDER}/${name}.png and ${name}-changed.png`);
      });
    }
  }

  it('is the same if everything is rendered again while it is taken', async () => {
    await goto(fresh, 'en', 'dark');
    const {png} = await take(fresh);
    await fresh.evaluate(renderAgain);
    deepEqual(await fresh.evaluate(differences, png, await shoot(fresh)), []);
  });

  it('has everything in the same place in both themes', () => {
    for (const lang of LANGUAGES) {
      const [light, dark] = THEMES.map(theme => taken.get(`${lang} ${theme}`)!.seen);
      equal(JSON.stringify(light!.map(({lines}) => lines)), JSON.stringify(dark!.map(({lines}) => lines)), lang);
    }
  });
});

/** Takes a screenshot once nothing changes any more: messages, views, icons and codes load late, at different times. */
async function take(page: Page): Promise<Picture> {
  await page.waitForNetworkIdle({idleTime: 200, timeout: scaled(120_000)});
  let seen = await page.evaluate(look, MARGIN);
  for (let tries = 0; tries < 20; tries++) {
    const now = await page.evaluate(look, MARGIN);
    if (JSON.stringify(now) === JSON.stringify(seen)) break;
    seen = now;
  }
  await page.evaluate(holdStill);
  return {png: await shoot(page), seen};
}

function shoot(page: Page): Promise<string> {
  return page.screenshot({optimizeForSpeed: true, encoding: 'base64'});
}

/** In the page, before its scripts: freezes script animations, such as a price's clock, at their own time. */
function startNothing() {
  const {animate} = Element.prototype;
  Element.prototype.animate = function (...motion: Parameters<typeof animate>) {
    const animation = animate.apply(this, motion);
    animation.pause();
    return animation;
  };
}

/** In the page: renders all parts again, and waits long enough for a running clock to move by some pixels. */
async function renderAgain() {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll<HTMLElement & {requestUpdate?: () => void}>('*')) {
      element.requestUpdate?.();
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }
  await new Promise(done => setTimeout(done, 500));
}

/** In the page: resets style sheet animations to their start, and removes the focus. */
function holdStill() {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
    for (const animation of root.getAnimations()) {
      animation.pause();
      animation.currentTime = 0;
    }
    if (root.activeElement instanceof HTMLElement) root.activeElement.blur();
  }
}

function keep(name: string, {png}: Picture) {
  mkdirSync(FOLDER, {recursive: true});
  writeFileSync(join(FOLDER, `${name}.png`), Buffer.from(png, 'base64'));
}

/** In the page: the text in each state, and layout errors. */
async function look(margin: number): Promise<Seen[]> {
  await new Promise(done => setTimeout(done, 200));
  const path = '/test/support/layout.ts';
  const {layoutFaults, linesSeen, textsInMargin} = (await import(path)) as typeof layout;
  return [...document.querySelectorAll('figure')].map(figure => {
    const widget = figure.querySelector<HTMLElement>(':scope > :last-child')!;
    return {
      name: figure.querySelector('figcaption')!.textContent,
      lines: linesSeen(widget),
      faults: [...layoutFaults(widget), ...textsInMargin(widget, margin)],
    };
  });
}

/** In the page: every line of a screenshot whose text does not contrast with its background. */
async function unreadable({png, seen}: Picture): Promise<string[]> {
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(png), letter => letter.charCodeAt(0))]));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', {willReadFrequently: true})!;
  context.drawImage(bitmap, 0, 0);
  const channel = (value: number) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = (pixel: number) =>
    0.2126 * channel(pixel & 255) + 0.7152 * channel((pixel >> 8) & 255) + 0.0722 * channel((pixel >> 16) & 255);
  const contrastOf = ({x, y, width, height}: SeenLine['box']) => {
    const [w, h] = [Math.max(1, Math.floor(width)), Math.max(1, Math.floor(height))];
    const pixels = new Uint32Array(context.getImageData(Math.round(x), Math.round(y), w, h).data.buffer);
    const colors = new Map<number, number>();
    for (const pixel of pixels) colors.set(pixel, (colors.get(pixel) ?? 0) + 1);
    // The most frequent color is the background.
    const [[ground] = [0]] = [...colors].sort(([, one], [, other]) => other - one);
    const behind = luminance(ground);
    return Math.max(
      ...[...colors.keys()].map(pixel => {
        const [dark = 0, light = 0] = [behind, luminance(pixel)].sort((one, other) => one - other);
        return (light + 0.05) / (dark + 0.05);
      }),
    );
  };
  /** Characters without a font: text in a script for which the machine has no font is never visible. */
  const missing = new Map<string, boolean>();
  const isMissing = (letter: string) => {
    const paper = new OffscreenCanvas(60, 60).getContext('2d')!;
    paper.font = '20px system-ui, sans-serif';
    paper.fillText(letter, 20, 40);
    return !paper.getImageData(0, 0, 60, 60).data.some(Boolean);
  };
  const hasLetters = ({text}: SeenLine) =>
    (text.match(/\p{L}/gu) ?? []).every(letter => {
      const misses = missing.get(letter) ?? isMissing(letter);
      missing.set(letter, misses);
      return !misses;
    });
  return seen.flatMap(({name, lines}) =>
    lines
      .filter(hasLetters)
      .map(line => ({...line, found: contrastOf(line.box)}))
      .filter(({found, contrast}) => found < contrast)
      .map(({text, found}) => `${name}: “${text}” has a contrast of ${found.toFixed(2)}`),
  );
}

/** In the page: the states that differ between two screenshots of it, and where. */
async function differences(one: string, other: string): Promise<string[]> {
  const [first, second] = await Promise.all(
    [one, other].map(async png => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(png), letter => letter.charCodeAt(0))]));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', {willReadFrequently: true})!;
      context.drawImage(bitmap, 0, 0);
      return context;
    }),
  );
  return [...document.querySelectorAll('figure')].flatMap(figure => {
    const {x, y, width, height} = figure.lastElementChild!.getBoundingClientRect();
    const box = [x + scrollX, y + scrollY, width, height].map(length => Math.round(length)) as [
      number,
      number,
      number,
      number,
    ];
    const [a, b] = [first!, second!].map(context => context.getImageData(...box).data);
    // The edge of a disc is not always identical to the last bit.
    const at = Math.floor(a!.findIndex((value, index) => Math.abs(value - b![index]!) > 8) / 4);
    const [column, row] = [at % box[2], Math.floor(at / box[2])];
    return at < 0 ? [] : [`${figure.querySelector('figcaption')!.textContent}: at ${String(column)}, ${String(row)}`];
  });
}
