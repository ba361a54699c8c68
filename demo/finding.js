/**
 * Finds sections of the documents by words, without a page: case and punctuation do not matter (“nextjs” is “Next.js”),
 * and what readers call a thing is in the index beside what the page calls it. If no section has all words, those with
 * some of them are found.
 */

/**
 * @typedef {{
 *   path: string, page: string, heading: string, text: string, also?: string, isInternal: boolean,
 * }} Entry
 */

/** Where somebody who found nothing begins, by the titles of the pages. */
const STARTS = ['Installing', 'Frameworks', 'Reference'];
/** Shorter words are not looked for alone. */
const SHORTEST = 3;

/**
 * The words of what was typed.
 * @param {string} typed
 */
export function wordsOf(typed) {
  return typed
    .split(/[\s\-_/]+/)
    .map(bare)
    .filter(Boolean);
}

/**
 * The sections that answer, best first.
 * @param {readonly Entry[]} entries
 * @param {readonly string[]} words
 * @returns {{found: readonly Entry[], hasAll: boolean}} `hasAll` if each has every word.
 */
export function find(entries, words) {
  const all = rank(entries, words, words.length);
  if (all.length || words.length < 2) return {found: all, hasAll: true};
  const long = words.filter(word => word.length >= SHORTEST);
  return {found: rank(entries, long, 1), hasAll: false};
}

/**
 * The pages to begin with.
 * @param {readonly Entry[]} entries
 */
export function findStarts(entries) {
  return STARTS.flatMap(title => entries.find(({page, heading}) => page === title && heading === title) ?? []);
}

/**
 * A pattern for the words as they stand in a text.
 * @param {readonly string[]} words
 */
export function patternOf(words) {
  // `bare` left letters and digits alone.
  return new RegExp(`(${words.map(word => [...word].join(String.raw`[^\p{L}\p{N}\s]*`)).join('|')})`, 'iu');
}

/**
 * @param {readonly Entry[]} entries
 * @param {readonly string[]} words
 * @param {number} atLeast - How many of the words a section needs.
 */
function rank(entries, words, atLeast) {
  return entries
    .map(entry => ({entry, ...pointsOf(entry, words)}))
    .filter(({has}) => has >= atLeast && has > 0)
    .sort((one, other) => other.has - one.has || other.points - one.points)
    .map(({entry}) => entry);
}

/**
 * How well a section answers: in its heading, in what readers call it, in its page's title, in its text. A title
 * outweighs a heading, a heading any text, and a document for engineers counts a quarter of one for partners.
 * @param {Entry} entry
 * @param {readonly string[]} words
 */
function pointsOf({heading, page, text, also = '', isInternal}, words) {
  const [inHeading, inPage, inText] = [heading, page, text].map(bare);
  // “Quick start” is also typed as one word.
  const inAlso = bare(`${also} ${also.replaceAll(' ', '').replaceAll(',', ' ')}`);
  const isTitle = heading === page;
  let [points, has] = [0, 0];
  for (const word of words) {
    const own =
      (inHeading.includes(word) ? (inHeading.startsWith(word) ? 12 : 8) + (isTitle ? 4 : 0) : 0) +
      (inAlso.includes(word) ? 10 : 0) +
      (inPage.includes(word) ? 4 : 0) +
      // What a page says first is what it is about.
      (isTitle && inText.includes(word) ? 4 : Math.min(inText.split(word).length - 1, 3));
    points += own;
    if (own) has++;
  }
  return {points: isInternal ? points / 4 : points, has};
}

/**
 * A text as it is compared: small letters and digits, in American spelling.
 * @param {string} text
 */
function bare(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .replace(/(col|fav|behavi)our/g, '$1or');
}
