/** A one-file page in each of its languages, whatever it shows. */
import {deepEqual, equal, ok} from 'node:assert/strict';
import type {Page} from 'puppeteer-core';

interface Shown {
  readonly lang: string;
  readonly dir: string;
  readonly title: string;
  readonly text: string;
  readonly isWide: boolean;
}

/**
 * Chooses each language of a page in turn, in a narrow window, English last: all texts are in it, and none is missing.
 * Returns what each shows.
 */
export async function throughLanguages(page: Page): Promise<ReadonlyMap<string, Shown>> {
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

/** The lines of a text that another one has too, beside those without words of their own. */
export function sharedLines(one: Shown | undefined, other: Shown | undefined): readonly string[] {
  ok(one && other);
  const lines = new Set(other.text.split('\n'));
  return one.text.split('\n').filter(line => lines.has(line) && / \p{Ll}{2,} /u.test(line));
}
