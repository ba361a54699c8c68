import type {FirstMessages} from './words.js';

/** What brings the words of the form, by their file, in all languages but English. The build makes a table of the files beside this one. */
export const forms = import.meta.glob<{readonly default: FirstMessages}>(['./*.json', '!./en.json'], {query: '?form'});

/** What brings those of the language of a tag, if they come late. */
export function formOf(tag: string) {
  return forms[`./${tag.split(/[-_]/, 1).join().toLowerCase()}.json`];
}
