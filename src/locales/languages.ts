import form from './en.json?form';
import * as figures from './figures.js';
import {forms} from './forms.js';
import type {FirstMessages, LateMessages} from './words.js';

/** What a widget speaks. */
export interface Spoken {
  /** The language of its words. */
  readonly language: string;
  /** Where its lines begin. Absent: on the left. */
  readonly direction?: 'ltr' | 'rtl';
  /** How numbers, times and dates are written, as `Intl` takes it: in that language, as its country has it. */
  readonly locale: string;
  readonly form: FirstMessages;
  /** The words of all that comes after the form, once they are loaded. */
  readonly late?: (() => LateMessages) | undefined;
  /** What writes numbers. */
  readonly figures?: typeof figures;
}

// The build makes a table of them: the files beside this one.
const lates = import.meta.glob<() => LateMessages>('./*.json', {query: '?late', import: 'default'});

/**
 * Loads the words of the language that an element is in; with `all`, also those of what comes after the form. Where it is
 * not known: English. Answers nothing where the element is in another one by the time they are there.
 */
export async function speak(element: HTMLElement, all: boolean): Promise<Spoken | undefined> {
  const tag = tagOf(element);
  const [known = '', locale] = read(tag);
  const language = `./${known}.json` in lates ? known : 'en';
  const file = `./${language}.json`;
  const [other, late] = await Promise.all([forms[file]?.(), all ? lates[file]?.() : undefined]);
  const first = other?.default ?? form;
  if (tagOf(element) !== tag) return undefined;
  const direction = language === 'ar' ? 'rtl' : 'ltr';
  const isTurned = element.dir && element.dir !== direction;
  return {
    language,
    direction,
    locale: language === known && locale ? locale : 'en',
    form: isTurned ? isolated(first) : first,
    late: late && isTurned ? isolatedLate(late) : late,
    figures,
  };
}

const kept = new WeakMap<object, object>();

/**
 * The same words for a page that turns the layout against their direction: each keeps its own, whatever stands around it
 * (UAX 9, FSI and PDI).
 */
function isolated<T extends object>(words: T): T {
  const isolate = (text: string) => `\u2068${text}\u2069`;
  const isolateWord = (word: Word) => {
    if (typeof word === 'string') return isolate(word);
    return typeof word === 'object' ? isolated(word) : (values: never) => isolate(word(values));
  };
  // The same each time: nothing is drawn again for words that are the same.
  if (!kept.has(words)) {
    const all = Object.entries(words) as readonly (readonly [string, Word])[];
    kept.set(words, Object.fromEntries(all.map(([key, word]) => [key, isolateWord(word)])));
  }
  return kept.get(words) as T;
}

const keptLate = new WeakMap<() => LateMessages, () => LateMessages>();

/** The same for words that are made when the first of them is read. */
function isolatedLate(late: () => LateMessages): () => LateMessages {
  const made = keptLate.get(late) ?? (() => isolated(late()));
  keptLate.set(late, made);
  return made;
}

type Word = string | object | ((values: never) => string);

/** The language that the page is in where an element stands: the nearest, also through shadow roots, or the browser’s. */
function tagOf(element: HTMLElement): string {
  let tag: string | null | undefined = element.lang;
  for (let at: Element | undefined = element; at && !tag; at = (at.getRootNode() as Partial<ShadowRoot>).host) {
    tag = at.closest('[lang]:not([lang=""])')?.getAttribute('lang');
  }
  return tag || navigator.language;
}

/** The language of a tag, and the tag for `Intl`: with the digits that a wallet shows, so that amounts can be compared. */
function read(tag: string): readonly [language: string, locale: string] | readonly [] {
  // What most pages say. The first `Intl.Locale` of a page takes long to make.
  const [plain, name] = /^([a-z]{2})(?:-[A-Z]{2})?$/.exec(tag) ?? [];
  if (plain && name) return [name, `${plain}-u-nu-latn`];
  try {
    const {language, baseName} = new Intl.Locale(tag);
    return [language, new Intl.Locale(baseName, {numberingSystem: 'latn'}).toString()];
  } catch {
    // Some systems give browsers a tag that is none: `en-US@posix`.
    return [];
  }
}
