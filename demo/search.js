/**
 * The search in the documents. It reads an index of all sections once the field is used, finds those with all words,
 * and uses no service. Without scripts, or without the index, there is no field.
 */

/**
 * @typedef {{path: string, page: string, heading: string, text: string, isInternal: boolean}} Entry
 */

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
  else if (event.key === 'Enter' && at < 0) links[0]?.click();
  else return;
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
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let entries;
  try {
    entries = words.length ? await read() : [];
  } catch {
    list.hidden = true;
    status.textContent = 'The search index could not be loaded.';
    return;
  }
  const found = entries
    .map(entry => ({entry, rank: rankOf(entry, words)}))
    .filter(({rank}) => rank > 0)
    .sort((one, other) => other.rank - one.rank);
  list.replaceChildren(...found.slice(0, MOST_RESULTS).map(({entry}) => draw(entry, words)));
  if (words.length && !found.length)
    list.append(Object.assign(document.createElement('li'), {textContent: 'No results.'}));
  list.hidden = !words.length;
  status.textContent = words.length ? `${found.length} ${found.length === 1 ? 'result' : 'results'}` : '';
}

/**
 * How well a section matches: in its page's title, its heading, or its text. A title outweighs a heading, a heading any
 * text, and a document for engineers counts a quarter of one for partners. 0 unless all words occur.
 * @param {Entry} entry
 * @param {readonly string[]} words
 */
function rankOf({heading, page, text, isInternal}, words) {
  const [inHeading, inPage, inText] = [heading, page, text].map(part => part.toLowerCase());
  const isTitle = heading === page;
  let rank = 0;
  for (const word of words) {
    const points =
      (inHeading.includes(word) ? (inHeading.startsWith(word) ? 12 : 8) + (isTitle ? 4 : 0) : 0) +
      (inPage.includes(word) ? 4 : 0) +
      // A page's beginning is its subject.
      (isTitle && inText.includes(word) ? 4 : Math.min(inText.split(word).length - 1, 3));
    if (!points) return 0;
    rank += points;
  }
  return isInternal ? rank / 4 : rank;
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
  const first = Math.min(...words.map(word => text.toLowerCase().indexOf(word)).filter(at => at >= 0), text.length);
  const from = first < AROUND || first === text.length ? 0 : text.indexOf(' ', first - AROUND) + 1;
  excerpt.append(from ? '… ' : '', ...marked(text.slice(from, from + 2 * AROUND), words), '…');
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
  const pattern = new RegExp(`(${words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'i');
  return text
    .split(pattern)
    .map((part, at) => (at % 2 ? Object.assign(document.createElement('mark'), {textContent: part}) : part));
}
