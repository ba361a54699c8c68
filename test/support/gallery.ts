/**
 * Every state of the widget on one page, from sessions that do nothing. `npm run gallery`, then
 * `/test/support/gallery.html?theme=dark&width=320&only=form`, or `states=review,complete` for these only. With
 * `state=form-quoted` only that one, as wide as the page; custom properties and the presentation attributes are the
 * widget's.
 */
import {isLook} from '../../demo/controls.js';
import {FakeSessionWidget} from './fake-session.js';
import {ATTRIBUTES, CHOICES, STATES} from './states.js';

const query = new URLSearchParams(location.search);
const theme = query.get('theme') ?? 'light';
const width = query.get('width') ?? '400';
const only = (query.get('only') ?? '').split(',');
const states = query.get('states')?.split(',');
const state = query.get('state');

const page = new CSSStyleSheet();
page.replaceSync(`
  body { margin: 0; padding: 24px; display: flex; flex-wrap: wrap; gap: 24px; align-items: start;
    font: 13px system-ui, sans-serif; background: ${theme === 'dark' ? '#0b0c0f' : '#f4f5f7'};
    color: ${theme === 'dark' ? '#a3a8b3' : '#5b606b'} }
  figure { margin: 0; inline-size: ${String(Number(width))}px }
  figcaption { margin-block-end: 8px }
  html:not([data-shown]) figure { content-visibility: hidden }
  ${state === null ? '' : 'body { padding: 0; background: none } figure { inline-size: 100% } figcaption { display: none }'}`);
document.adoptedStyleSheets.push(page);
if (query.has('dir') && state === null) document.documentElement.dir = query.get('dir') ?? '';

const isWanted = (name: string) =>
  state === null ? (states?.includes(name) ?? only.some(part => name.startsWith(part))) : name === state;

async function show(name: string, prepare: (widget: FakeSessionWidget) => void, press?: string) {
  if (!isWanted(name)) return;
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.textContent = name;
  const widget = new FakeSessionWidget();
  for (const [attribute, value] of Object.entries(ATTRIBUTES)) widget.setAttribute(attribute, value);
  widget.setAttribute('theme', theme);
  for (const [look, value] of query) {
    if (look.startsWith('--swap-')) widget.style.setProperty(look, value);
    else if (isLook(look)) widget.setAttribute(look, value);
  }
  figure.append(caption, widget);
  document.body.append(figure);
  await widget.configured();
  await widget.updateComplete;
  prepare(widget);
  await widget.updateComplete;
  if (press === undefined) return;
  // It is found by its English name.
  widget.lang = 'en';
  // Its view is loaded late.
  for (let tries = 0; tries < 100 && !findButton(widget.renderRoot, press); tries += 1) {
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  // Announcements depend on the focus, which a list takes.
  await customElements.whenDefined('swap-widget-announcement');
  await widget.renderRoot.querySelector('swap-widget-announcement')?.updateComplete;
  findButton(widget.renderRoot, press)?.click();
  widget.lang = query.get('lang') ?? '';
}

function findButton(root: DocumentFragment | HTMLElement, label: string): HTMLElement | undefined {
  for (const element of root.querySelectorAll<HTMLElement>('*')) {
    const text = element.matches('button') ? element.textContent.trim() : undefined;
    if ((element.getAttribute('aria-label') ?? text) === label) return element;
    const found = element.shadowRoot && findButton(element.shadowRoot, label);
    if (found) return found;
  }
  return undefined;
}

const shown = [
  ...Object.entries(STATES).map(([name, prepare]) =>
    show(name, ({fake}) => {
      prepare(fake);
    }),
  ),
  ...Object.entries(CHOICES).map(([name, {prepare, press}]) =>
    show(
      name,
      ({fake}) => {
        prepare(fake);
      },
      press,
    ),
  ),
];
// Tests wait for it: the widgets of a page are set up one after the other, when it is idle.
await Promise.all(shown);
document.documentElement.dataset['shown'] = '';
