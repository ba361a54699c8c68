/**
 * The search in the documents. It reads an index of all sections once the field is used, and uses no service. Without
 * scripts, or without the index, there is no field.
 */
import {find, findStarts, patternOf, wordsOf} from './finding.js';

/** @typedef {import('./finding.js').Entry} Entry */

const MOST_RESULTS = 12;
/** How much of the text is shown around the first word found, in characters. */
const AROUND = 60;

const search = /** @type {HTMLElement} */ (document.querySelector('#search'));
const field = /** @type {HTMLInputElement} */ (search.querySelector('input'));
const status = /** @type {HTMLElement} */ (search.querySelector('[role=status]'));
const list = /** @type {HTMLElement} */ (search.querySelector('ul'));
const root = new URL('.', import.meta.url);
/** @type {Promise<readonly Entry[]> | undefined} */
let index;

search.hidden = false;
field.addEventListener('focus', () => void read());
field.addEventListener('input', () => void show());
search.addEventListener('keydown', event => {
  const links = [...list.querySelectorAll('a')];
  const at = links.findIndex(link => link === document.activeElement);
  if (event.key === 'Escape') {
    field.value = '';
    field.focus();
    void show();
  } else if (event.key === 'ArrowDown') links[at + 1]?.focus();
  else if (event.key === 'ArrowUp') (links[at - 1] ?? field).focus();
  else if (event.key === 'Enter' && at < 0) {
    // What is only a suggestion is not opened unseen.
    if (!list.hasAttribute('data-nothing')) links[0]?.click();
  } else return;
  event.preventDefault();
});
search.addEventListener('focusout', ({relatedTarget}) => {
  if (!search.contains(/** @type {Node | null} */ (relatedTarget))) list.hidden = true;
});
search.addEventListener('focusin', () => (list.hidden = !list.childElementCount));
// As on many documentation sites.
document.addEventListener('keydown', event => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});

/** Reads the index; a failed read is retried. */
function read() {
  index ??= fetch(new URL('search.json', root)).then(response => response.json());
  index.catch(() => (index = undefined));
  return index;
}

async function show() {
  const words = wordsOf(field.value);
  let entries;
  try {
    entries = words.length ? await read() : [];
  } catch {
    list.hidden = true;
    status.textContent = 'The search index could not be loaded.';
    return;
  }
  const {found, hasAll} = find(entries, words);
  const isNothing = words.length > 0 && !found.length;
  const says = isNothing ? 'No results. To begin with:' : hasAll ? '' : 'No section has all of these words. Some have:';
  const shown = isNothing ? findStarts(entries) : found.slice(0, MOST_RESULTS);
  list.replaceChildren(
    ...(says ? [Object.assign(document.createElement('li'), {textContent: says})] : []),
    ...shown.map(entry => draw(entry, words)),
  );
  list.toggleAttribute('data-nothing', isNothing);
  list.hidden = !words.length;
  const count = `${found.length} ${found.length === 1 ? 'result' : 'results'}`;
  status.textContent = words.length ? (hasAll ? count : `${count} with some of these words`) : '';
}

/**
 * @param {Entry} entry
 * @param {readonly string[]} words
 */
function draw({path, page, heading, text}, words) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(path, root).href;
  const title = document.createElement('strong');
  title.append(...marked(heading, words));
  const where = document.createElement('span');
  where.textContent = heading === page ? '' : page;
  const excerpt = document.createElement('p');
  const at = text.search(patternOf(words));
  const first = at < 0 ? text.length : at;
  const from = first < AROUND || first === text.length ? 0 : text.indexOf(' ', first - AROUND) + 1;
  const to = from + 2 * AROUND;
  excerpt.append(from ? '… ' : '', ...marked(text.slice(from, to), words), to < text.length ? '…' : '');
  link.append(title, ' ', where, excerpt);
  item.append(link);
  return item;
}

/**
 * A text with the search terms marked.
 * @param {string} text
 * @param {readonly string[]} words
 */
function marked(text, words) {
  return text
    .split(patternOf(words))
    .map((part, at) => (at % 2 ? Object.assign(document.createElement('mark'), {textContent: part}) : part));
}
