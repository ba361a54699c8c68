import type * as figures from './figures.js';
import type {FirstMessages, LateMessages, Messages} from './words.js';

export type {FirstMessages, LateMessages, Messages} from './words.js';

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
  /** Which words of a page count in this language. */
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

/** What went wrong, what it means for the money where that is always the same, and what helps. */
export interface ErrorWords {
  readonly what: string;
  /** Absent: it depends on where it happened (`money`). */
  readonly money?: string;
  readonly todo?: string;
}

/** Words with some of them replaced: each by one of its own kind. What is of another kind, or unknown, is left out. */
export function withOverrides<T extends object>(messages: T, overrides: object): T {
  const result = {...messages} as Record<string, unknown>;
  for (const [key, value] of Object.entries(overrides)) {
    const own = result[key];
    if (typeof own === typeof value)
      result[key] = typeof own === 'object' ? withOverrides(own as object, value as object) : value;
  }
  return result as T;
}
