import {warnOnce} from '../domain/warn-once.js';
import form from './en.json?form';
import * as figures from './figures.js';
import {forms} from './forms.js';
import type {MessageOverrides, PageMessages, Spoken} from './messages.js';
import type {LateMessages} from './words.js';

// The build makes a table of the files beside this one.
const lates = import.meta.glob<() => LateMessages>('./*.json', {query: '?late', import: 'default'});

/**
 * Loads the words of an element's language; English, if that is neither known nor among the page's own `messages`.
 * `undefined` if the element has another language by the time they are loaded.
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
    late: late && isTurned ? () => isolated(late()) : late,
    figures,
    own: messages => {
      if (messages && late) check(messages, {...first, ...late()});
      return messages && joined([withoutLanguages(messages), ...own(messages, spoken)]);
    },
  };
}

type Tag = Pick<Intl.Locale, 'language' | 'baseName'>;

const ENGLISH: Tag = {language: 'en', baseName: 'en'};

/**
 * The direction of a language, and the script of its words if the tag stands for another one: the Chinese here is
 * simplified also in Taiwan, and text in one script must not be labeled as another.
 */
export function writingOf({language, baseName}: Tag, isBuiltIn: boolean): {direction: 'ltr' | 'rtl'; script?: string} {
  // The first `Intl.Locale` of a page takes long to make.
  if (language === 'en') return {direction: 'ltr'};
  const locale = new Intl.Locale(baseName);
  const direction = directionOf(locale);
  const script = isBuiltIn && new Intl.Locale(language).maximize().script;
  return script && script !== locale.maximize().script ? {direction, script} : {direction};
}

/** Not every browser has the text direction of `Intl.Locale` (ECMA-402). */
export function directionOf(locale: Intl.Locale): 'ltr' | 'rtl' {
  const told = locale as {getTextInfo?(): {direction?: string}; readonly textInfo?: {direction?: string}};
  const direction = (told.getTextInfo?.() ?? told.textInfo)?.direction;
  const isRtl = direction ? direction === 'rtl' : RTL.test(locale.maximize().script ?? '');
  return isRtl ? 'rtl' : 'ltr';
}

/** The scripts that are written from right to left. */
const RTL = /^(?:Arab|Hebr|Syrc|Thaa|Nkoo|Adlm|Rohg)$/;

/** Whether a key of a page's messages is a language: the keys of message groups are longer. */
function isLanguage([key, value]: readonly [string, unknown]): boolean {
  return /^[a-z]{2,3}(?:[-_]\w+)*$/i.test(key) && typeof value === 'object' && value !== null;
}

/** A page's words for one language. Those for its region come last, so that they count. */
function own(messages: object | undefined, {language, baseName}: Tag): readonly MessageOverrides[] {
  const entries = Object.entries(messages ?? {}).filter(isLanguage) as [string, MessageOverrides][];
  const of = (tag: string) => entries.filter(([key]) => key.replaceAll('_', '-').toLowerCase() === tag.toLowerCase());
  return [...of(language), ...(baseName === language ? [] : of(baseName))].map(([, words]) => words);
}

function withoutLanguages(messages: object): MessageOverrides {
  return Object.fromEntries(Object.entries(messages).filter(entry => !isLanguage(entry)));
}

/** Of several words for one message, the last ones count. */
function joined(sets: readonly object[]): MessageOverrides {
  const all: Record<string, unknown> = {};
  for (const [key, value] of sets.flatMap(set => Object.entries(set) as [string, unknown][])) {
    const before = all[key];
    const isGroup = typeof value === 'object' && value && typeof before === 'object' && before;
    all[key] = isGroup ? joined([before, value]) : value;
  }
  return all;
}

/** Names unknown keys, and values of another kind than the widget's own, in the console. */
function check(messages: object, words: object): void {
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
    for (const entry of Object.entries(messages) as [string, unknown][]) {
      const [key, value] = entry;
      compare(value, isLanguage(entry) ? words : (words as Record<string, unknown>)[key], `messages.${key}`);
    }
  } else compare(messages, words, 'messages');
  if (faults.length) warnOnce(faults.join('; '));
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  function: 'function of its values that returns text',
  object: 'group of messages',
};

const kept = new WeakMap<object, object>();

/**
 * For a page whose layout has the other direction than the language: each text keeps its own, whatever is around it
 * (UAX 9, FSI and PDI).
 */
function isolated<T extends object>(words: T): T {
  const isolate = (text: string) => `\u2068${text}\u2069`;
  const isolateWord = (word: Word) => {
    if (typeof word === 'string') return isolate(word);
    return typeof word === 'object' ? isolated(word) : (values: never) => isolate(word(values));
  };
  // The same object each time, so that nothing renders again.
  if (!kept.has(words)) {
    const all = Object.entries(words) as readonly (readonly [string, Word])[];
    kept.set(words, Object.fromEntries(all.map(([key, word]) => [key, isolateWord(word)])));
  }
  return kept.get(words) as T;
}

type Word = string | object | ((values: never) => string);

/** The language of the nearest element that has one, also through shadow roots, or the browser's. */
function tagOf(element: HTMLElement): string {
  let tag: string | null | undefined = element.lang;
  for (let at: Element | undefined = element; at && !tag; at = (at.getRootNode() as Partial<ShadowRoot>).host) {
    tag = at.closest('[lang]:not([lang=""])')?.getAttribute('lang');
  }
  return tag || navigator.language;
}

/** Also in the form of some systems, `de_DE`. */
export function readTag(tag: string): Tag | undefined {
  // The form that most pages use.
  const [baseName, language] = /^([a-z]{2})(?:-[A-Z]{2})?$/.exec(tag) ?? [];
  if (baseName && language) return {language, baseName};
  try {
    return new Intl.Locale(tag.replaceAll('_', '-'));
  } catch {
    // Some systems give browsers an invalid tag: `en-US@posix`.
    return undefined;
  }
}
