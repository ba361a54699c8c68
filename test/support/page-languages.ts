/** A one-file page in each of its languages, whatever it shows. */
import {deepEqual, equal, ok} from 'node:assert/strict';
import type {Page} from 'puppeteer-core';

/** What a page shows in one language. */
interface Shown {
  readonly lang: string;
  readonly dir: string;
  readonly title: string;
  readonly text: string;
  readonly isWide: boolean;
}

/**
 * Chooses each language of a page in turn, in a narrow window, English last: all texts are in it, and none is missing.
 * Returns what each shows. `PICTURES` names a folder for screenshots of some of them, called `name`.
 */
export async function throughLanguages(page: Page, name: string): Promise<ReadonlyMap<string, Shown>> {
  const window = page.viewport();
  await page.setViewport({width: 320, height: 800});
  const names = await page.$$eval('#language option', options => options.map(one => one.value));
  const all = new Map<string, Shown>();
  for (const language of [...names.filter(one => one !== 'en'), 'en']) {
    await page.select('#language', language);
    all.set(
      language,
      await page.evaluate(() => ({
        lang: document.documentElement.lang,
        dir: getComputedStyle(document.body).direction,
        title: document.title,
        text: document.body.innerText,
        isWide: document.documentElement.scrollWidth > innerWidth,
      })),
    );
    await takePictures(page, `${name}-${language}`);
  }
  if (window) await page.setViewport(window);
  equal(all.size, 11);
  equal(new Set([...all.values()].map(({title}) => title)).size, 11, 'some titles are the same');
  for (const [language, {lang, dir, text, isWide}] of all) {
    deepEqual([lang, dir], [language, language === 'ar' ? 'rtl' : 'ltr']);
    equal(/undefined|\[object|\{\w+\}|=>/.exec(text)?.[0], undefined, `${language}: ${text}`);
    equal(isWide, false, `${language} is wider than the window`);
  }
  return all;
}

async function takePictures(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (!folder || !/-(?:en|de|ar|ja)$/.test(name)) return;
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
    for (const width of [320, 400, 900]) {
      await page.setViewport({width, height: 800});
      await page.screenshot({path: `${folder}/${name}-${scheme}-${String(width)}.png`, fullPage: true});
    }
  }
  await page.setViewport({width: 320, height: 800});
}

/** The lines of a text that another one has too, beside those without words of their own. */
export function sharedLines(one: Shown | undefined, other: Shown | undefined): readonly string[] {
  ok(one && other);
  const lines = new Set(other.text.split('\n'));
  return one.text.split('\n').filter(line => lines.has(line) && / \p{Ll}{2,} /u.test(line));
}
