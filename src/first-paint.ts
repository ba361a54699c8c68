import {drawForm, hashStyles} from './elements/first-paint.js';
import type {Settings} from './elements/settings/settings.js';
import english from './locales/en.json?form';
import type {FirstMessages} from './locales/messages.js';

/** What the form is drawn from before its script is there: what is set on the element. */
export interface FirstPaintSettings extends Settings {
  /** The language of the place it stands in: its own `lang`, or the page's. Default: `en`. */
  lang?: string | undefined;
}

/** The words of the form in all languages: a server has them at hand. */
const words = import.meta.glob<FirstMessages>('./locales/*.json', {query: '?form', import: 'default', eager: true});

/**
 * The form as markup, for a server to put between the tags of `<swap-widget>`. It is seen with the page itself; the script
 * then puts the living form in its place, with what was typed and pressed meanwhile. Empty where something else than the
 * form would be shown (`paused`, `orderId`), and in a browser, which has the element.
 */
export function firstPaint(settings: FirstPaintSettings = {}): string {
  if ('document' in globalThis || settings.paused || settings.orderId) return '';
  const [language = ''] = /^[a-z]+/.exec(settings.lang?.toLowerCase() ?? '') ?? [];
  const form = words[`./locales/${language}.json`];
  return form ? drawForm(settings, {language, form}) : drawForm(settings, {language: 'en', form: english});
}

/**
 * What `style-src` of a Content-Security-Policy has to name, so that the styles in that markup count: their hashes. They
 * are the same for all settings of one version. Without them the markup stays hidden.
 */
export const firstPaintStyles: readonly string[] = 'document' in globalThis ? [] : hashStyles();
