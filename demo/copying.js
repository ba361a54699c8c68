/** Puts a button beside each block of code of the documents, which copies it. Without a script there is none. */

const SHOWN_MS = 2_000;
const status = Object.assign(document.createElement('p'), {className: 'hidden', role: 'status'});
document.querySelector('main')?.append(status);

/** Only code that scrolls is a stop of the keyboard. */
const sizes = new ResizeObserver(entries => {
  for (const {target} of entries)
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute('tabindex');
});

/** The last heading before the code. */
let heading = document.title;
for (const code of document.querySelectorAll('main :is(h1, h2, h3, pre)')) {
  if (!code.matches('pre')) {
    heading = code.textContent;
    continue;
  }
  const button = Object.assign(document.createElement('button'), {type: 'button', className: 'button'});
  const word = Object.assign(document.createElement('span'), {textContent: 'Copy'});
  const what = Object.assign(document.createElement('span'), {
    className: 'hidden',
    textContent: ` the code under “${heading}”`,
  });
  button.append(word, what);
  button.addEventListener('click', () => void copy(word, code));
  const sample = Object.assign(document.createElement('div'), {className: 'sample'});
  code.replaceWith(sample);
  sample.append(code, button);
  sizes.observe(code);
}

/**
 * Copies, and says so on the button and to screen readers. Where the page may not, it selects the code instead.
 * @param {Element} word - What the button says.
 * @param {Element} code
 */
async function copy(word, code) {
  let says = 'Copied';
  try {
    await navigator.clipboard.writeText(code.textContent);
    status.textContent = 'Copied.';
  } catch {
    getSelection()?.selectAllChildren(code);
    says = 'Selected';
    status.textContent = 'This page isn’t allowed to copy. The code is selected: copy it yourself.';
  }
  word.textContent = says;
  setTimeout(() => {
    word.textContent = 'Copy';
    status.textContent = '';
  }, SHOWN_MS);
}
