import type {FirstMessages, Spoken} from './messages.js';

/** What brings the words of the form, by their file, in all languages but English. The build makes a table of the files beside this one. */
export const forms = import.meta.glob<{readonly default: FirstMessages}>(['./*.json', '!./en.json'], {query: '?form'});

/** What lets a form speak the language of a tag, before the rest of that language is there, if its words come late. */
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
