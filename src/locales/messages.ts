import type * as figures from './figures.js';
import type {FirstMessages, LateMessages, Messages} from './words.js';

export type {FirstMessages, LateMessages, Messages} from './words.js';

export interface Spoken {
  readonly language: string;
  /** Absent: left to right. */
  readonly direction?: 'ltr' | 'rtl';
  /** For numbers, times and dates, as `Intl` takes it: the language, with the region of its tag. */
  readonly locale: string;
  readonly form: FirstMessages;
  /** Of all that comes after the form, once they are loaded. */
  readonly late?: (() => LateMessages) | undefined;
  readonly figures?: typeof figures;
  /** The messages of a page that count in this language. */
  readonly own?: (messages: PageMessages | undefined) => MessageOverrides | undefined;
}

/** Some of the words, to put others in their place. */
export type MessageOverrides = Replaced<Messages>;

/**
 * What a page says in its own words: single messages, in whatever language the widget speaks, and messages of one language
 * under its tag. Under the tag of a language that the widget does not know they are that language: `{it: {swap: 'Scambia', …}}`.
 */
export type PageMessages = MessageOverrides & {
  readonly [Tag in Exclude<`${Letter}${Letter}`, keyof Messages>]?: MessageOverrides;
} & {readonly [Tag in `${Letter}${Letter}-${string}`]: MessageOverrides};

type Letter = LetterOf<'abcdefghijklmnopqrstuvwxyz'>;
type LetterOf<Text extends string> = Text extends `${infer First}${infer Rest}` ? First | LetterOf<Rest> : never;

type Replaced<T> = {
  readonly [K in keyof T]?: T[K] extends string ? string : T[K] extends Message ? T[K] : Replaced<T[K]>;
};

type Message = (values: never) => string;

/** What went wrong, its consequence for the money if that is always the same, and what helps. */
export interface ErrorWords {
  readonly what: string;
  /** Absent if it depends on where the error happened (`money`). */
  readonly money?: string;
  readonly todo?: string;
}

/** A value of another kind than the one that it replaces, or with an unknown key, is left out. */
export function withOverrides<T extends object>(messages: T, overrides: object): T {
  const result = {...messages} as Record<string, unknown>;
  for (const [key, value] of Object.entries(overrides)) {
    const own = result[key];
    if (typeof own === typeof value)
      result[key] = typeof own === 'object' ? withOverrides(own as object, value as object) : value;
  }
  return result as T;
}
