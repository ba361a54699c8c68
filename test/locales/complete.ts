/**
 * A language that lacks a message of English does not compile. `npm run words -- --check` looks at the rest: what messages
 * are given, and the forms of their plurals.
 */
import type ar from '../../src/locales/ar.json';
import type de from '../../src/locales/de.json';
import type en from '../../src/locales/en.json';
import type es from '../../src/locales/es.json';
import type fr from '../../src/locales/fr.json';
import type hi from '../../src/locales/hi.json';
import type ja from '../../src/locales/ja.json';
import type ko from '../../src/locales/ko.json';
import type pt from '../../src/locales/pt.json';
import type tr from '../../src/locales/tr.json';
import type zh from '../../src/locales/zh.json';

type Complete<Language extends typeof en> = keyof Language;

/** All of them. */
export type Languages = [
  Complete<typeof ar>,
  Complete<typeof de>,
  Complete<typeof es>,
  Complete<typeof fr>,
  Complete<typeof hi>,
  Complete<typeof ja>,
  Complete<typeof ko>,
  Complete<typeof pt>,
  Complete<typeof tr>,
  Complete<typeof zh>,
];
