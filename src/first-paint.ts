import {drawForm, hashStyles} from './elements/first-paint.js';
import type {Settings} from './elements/settings/settings.js';
import english from './locales/en.json?form';
import type {FirstMessages} from './locales/messages.js';

/** The settings of the first paint: those of the element. */
export interface FirstPaintSettings extends Settings {
  /** The language at its position: its own `lang`, or the page's. Default: `en`. */
  lang?: string | undefined;
}

const words = import.meta.glob<FirstMessages>('./locales/*.json', {query: '?form', import: 'default', eager: true});

/**
 * The form as markup, for a server to put between the tags of `<swap-widget>`. It is visible with the page itself; the
 * script then replaces it by the live form, and keeps what was typed and clicked meanwhile. Empty if something else
 * than the form would be shown (`paused`, `orderId`), and in a browser, which has the element.
 */
export function firstPaint(settings: FirstPaintSettings = {}): string {
  if ('document' in globalThis || settings.paused || settings.orderId) return '';
  const [language = ''] = /^[a-z]+/.exec(settings.lang?.toLowerCase() ?? '') ?? [];
  const form = words[`./locales/${language}.json`];
  return form ? drawForm(settings, {language, form}) : drawForm(settings, {language: 'en', form: english});
}

/**
 * The hashes that `style-src` of a Content-Security-Policy needs to allow the styles in that markup. They are the same
 * for all settings of one version. Without them the markup stays hidden.
 */
export const firstPaintStyles: readonly string[] = 'document' in globalThis ? [] : hashStyles();
