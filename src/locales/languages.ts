import form from './en.json?form';
import * as figures from './figures.js';
import {forms} from './forms.js';
import type {MessageOverrides, PageMessages, Spoken} from './messages.js';
import type {LateMessages} from './words.js';

// The build makes a table of them: the files beside this one.
const lates = import.meta.glob<() => LateMessages>('./*.json', {query: '?late', import: 'default'});

/**
 * Loads the words of the language that an element is in. Where it is neither known nor among the page's own `messages`:
 * English. Answers nothing where the element is in another one by the time they are there.
 */
export async function speak(
  element: HTMLElement & {readonly messages?: PageMessages | undefined},
): Promise<Spoken | undefined> {
  const tag = tagOf(element);
  const asked = readTag(tag);
  const known = asked?.language ?? 'en';
  const isBuiltIn = `./${known}.json` in lates;
  const language = isBuiltIn || (asked && own(element.messages, asked).length) ? known : 'en';
  const file = `./${isBuiltIn ? language : 'en'}.json`;
  const [other, late] = await Promise.all([forms[file]?.(), lates[file]?.()]);
  const first = other?.default ?? form;
  if (tagOf(element) !== tag) return undefined;
  const spoken = asked && language === known ? asked : ENGLISH;
  const {direction, script} = writingOf(spoken, isBuiltIn);
  const isTurned = element.dir && element.dir !== direction;
  return {
    language: script ? `${language}-${script}` : language,
    direction,
    // With the digits that a wallet shows, so that amounts can be compared.
    locale: `${script ? new Intl.Locale(spoken.baseName, {script}).baseName : spoken.baseName}-u-nu-latn`,
    form: isTurned ? isolated(first) : first,
    late: late && isTurned ? isolatedLate(late) : late,
    figures,
    own: messages => {
      if (messages && late) check(messages, {...first, ...late()});
      return messages && joined([withoutLanguages(messages), ...own(messages, spoken)]);
    },
  };
}

/** A language, and all of its tag that `Intl` needs. */
type Tag = Pick<Intl.Locale, 'language' | 'baseName'>;

const ENGLISH: Tag = {language: 'en', baseName: 'en'};

/**
 * How a language is written: where its lines begin, and the script of its words where that is not the one that the tag
 * stands for: what is written in one script is not called another, and the Chinese here is simplified in Taiwan, too.
 */
export function writingOf({language, baseName}: Tag, isBuiltIn: boolean): {direction: 'ltr' | 'rtl'; script?: string} {
  // The first `Intl.Locale` of a page takes long to make.
  if (language === 'en') return {direction: 'ltr'};
  const locale = new Intl.Locale(baseName);
  const direction = directionOf(locale);
  const script = isBuiltIn && new Intl.Locale(language).maximize().script;
  return script && script !== locale.maximize().script ? {direction, script} : {direction};
}

/** Where the lines of a language begin. Not every browser tells (`Intl.Locale` info, ECMA-402). */
export function directionOf(locale: Intl.Locale): 'ltr' | 'rtl' {
  const told = locale as {getTextInfo?(): {direction?: string}; readonly textInfo?: {direction?: string}};
  const direction = (told.getTextInfo?.() ?? told.textInfo)?.direction;
  const isRtl = direction ? direction === 'rtl' : RTL.test(locale.maximize().script ?? '');
  return isRtl ? 'rtl' : 'ltr';
}

/** The scripts in use that begin on the right. */
const RTL = /^(?:Arab|Hebr|Syrc|Thaa|Nkoo|Adlm|Rohg)$/;

/** Whether a page's entry is that of a whole language: groups of messages have longer names. */
function isLanguage([key, value]: readonly [string, unknown]): boolean {
  return /^[a-z]{2,3}(?:[-_]\w+)*$/i.test(key) && typeof value === 'object' && value !== null;
}

/** A page's words for one language, for its region last. */
function own(messages: object | undefined, {language, baseName}: Tag): readonly MessageOverrides[] {
  const entries = Object.entries(messages ?? {}).filter(isLanguage) as [string, MessageOverrides][];
  const of = (tag: string) => entries.filter(([key]) => key.replaceAll('_', '-').toLowerCase() === tag.toLowerCase());
  return [...of(language), ...(baseName === language ? [] : of(baseName))].map(([, words]) => words);
}

function withoutLanguages(messages: object): MessageOverrides {
  return Object.fromEntries(Object.entries(messages).filter(entry => !isLanguage(entry)));
}

/** Several sets of words in one; the last has the last word, group by group. */
function joined(sets: readonly object[]): MessageOverrides {
  const all: Record<string, unknown> = {};
  for (const [key, value] of sets.flatMap(set => Object.entries(set) as [string, unknown][])) {
    const before = all[key];
    const isGroup = typeof value === 'object' && value && typeof before === 'object' && before;
    all[key] = isGroup ? joined([before, value]) : value;
  }
  return all;
}

const checked = new WeakSet();

/** Names in the console what of a page's words is none: an unknown key, or another kind than the widget's own. */
function check(messages: object, words: object): void {
  if (typeof messages === 'object' && checked.has(messages)) return;
  const faults: string[] = [];
  const compare = (some: unknown, known: unknown, path: string) => {
    if (known === undefined) faults.push(`${path} is not known`);
    else if (some === null || typeof some !== typeof known)
      faults.push(`${path} has to be a ${KINDS[typeof known] ?? ''}`);
    else if (typeof known === 'object')
      for (const [key, value] of Object.entries(some as object))
        compare(value, (known as Record<string, unknown>)[key], `${path}.${key}`);
  };
  if (typeof messages === 'object') {
    checked.add(messages);
    for (const entry of Object.entries(messages) as [string, unknown][]) {
      const [key, value] = entry;
      compare(value, isLanguage(entry) ? words : (words as Record<string, unknown>)[key], `messages.${key}`);
    }
  } else compare(messages, words, 'messages');
  if (faults.length) console.warn(`<swap-widget> ${faults.join('; ')}`);
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  function: 'function of its values that returns text',
  object: 'group of messages',
};

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

/** What a tag says; also as some systems write it, `de_DE`. */
export function readTag(tag: string): Tag | undefined {
  // What most pages say.
  const [baseName, language] = /^([a-z]{2})(?:-[A-Z]{2})?$/.exec(tag) ?? [];
  if (baseName && language) return {language, baseName};
  try {
    return new Intl.Locale(tag.replaceAll('_', '-'));
  } catch {
    // Some systems give browsers a tag that is none: `en-US@posix`.
    return undefined;
  }
}
