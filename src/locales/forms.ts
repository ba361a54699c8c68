import type {FirstMessages, Spoken} from './messages.js';

/** Loads the form's words in a language other than English. The build makes a table of the files beside this one. */
export const forms = import.meta.glob<{readonly default: FirstMessages}>(['./*.json', '!./en.json'], {query: '?form'});

/** Loads the form's words in the language of a tag, which may come before all other words of that language. */
export function formOf(tag: string): (() => Promise<Spoken>) | undefined {
  const language = tag.split(/[-_]/, 1).join().toLowerCase();
  const words = forms[`./${language}.json`];
  return (
    words &&
    (async () => {
      const form = (await words()).default;
      // By its own letters: the first `Intl.Locale` of a page takes long to make.
      return {language, locale: language, form, ...(/[\u0590-\u08ff]/.test(form.swap) && {direction: 'rtl'})};
    })
  );
}
