/** Shared by the parts of the playground's page. */
import {html, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';

export function find(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}.`);
  return element;
}

/**
 * Copies a text, and says so on the button that was pressed. Where the page may not, the text is selected instead.
 * @param shown - Where the text stands on the page; without it the notice shows it.
 */
export async function copy(event: Event, text: string, shown?: Element | null): Promise<void> {
  const button = event.currentTarget as HTMLElement;
  const label = button.textContent;
  if (label === 'Copied') return;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const place = shown ?? Object.assign(document.createElement('code'), {textContent: text});
    showNotice(
      'This page isn’t allowed to copy. The text is selected: copy it yourself.',
      'copy',
      shown ? [] : [place],
    );
    getSelection()?.selectAllChildren(place);
    return;
  }
  showNotice('', 'copy');
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = label), 2_000);
}

/** Who said what stands over the page. */
let speaker = '';

/**
 * Shows a sentence over the page until it is closed, or has become untrue: an empty one takes away the last one of the
 * same speaker.
 * @param more - What follows it.
 */
export function showNotice(text: string, by: string, more: readonly Node[] = []): void {
  if (text === '' && speaker !== by) return;
  speaker = by;
  const notice = find('notice');
  if (!more.length && (notice.firstElementChild?.textContent ?? '') === text) return;
  const close = Object.assign(document.createElement('button'), {className: 'link', type: 'button'});
  close.textContent = 'Close';
  close.addEventListener('click', () => {
    showNotice('', speaker);
  });
  const said = document.createElement('p');
  said.append(text, ...more.flatMap(node => [' ', node]));
  notice.replaceChildren(...(text === '' ? [] : [said, close]));
}

/** Says above the widget what is wrong with the sandbox, as long as it is; empty if nothing is. */
export function showTrouble(text: string): void {
  const trouble = find('trouble');
  if (trouble.textContent !== text) trouble.textContent = text;
}

/** Renders text with names between backticks. */
export function prose(text: string) {
  return text.split('`').map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));
}

/**
 * Turns a list of buttons into tabs, each with its panel in `aria-controls` (ARIA APG, Tabs).
 * @param onSelect - Gets the id of the shown panel.
 */
export function setUpTabs(list: HTMLElement, onSelect: (panel: string) => void): (panel: string) => void {
  const tabs = () => [...list.querySelectorAll<HTMLElement>('[role="tab"]:not([hidden])')];
  const panelOf = (tab: HTMLElement) => tab.getAttribute('aria-controls') ?? '';
  const select = (panel: string) => {
    if (!tabs().some(tab => panelOf(tab) === panel)) return;
    for (const tab of tabs()) {
      const isSelected = panelOf(tab) === panel;
      tab.ariaSelected = String(isSelected);
      tab.tabIndex = isSelected ? 0 : -1;
      find(panelOf(tab)).hidden = !isSelected;
      // In a line that is too long for the page; `scrollIntoView` would scroll the page, too.
      if (isSelected) list.scrollLeft = tab.offsetLeft - list.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
    }
    onSelect(panel);
  };
  list.addEventListener('click', ({target}) => {
    const tab = (target as Element).closest<HTMLElement>('[role="tab"]');
    if (tab) select(panelOf(tab));
  });
  list.addEventListener('keydown', event => {
    const all = tabs();
    const at = all.findIndex(tab => tab === event.target);
    const next = {ArrowRight: at + 1, ArrowLeft: at - 1 + all.length, Home: 0, End: all.length - 1}[event.key];
    const tab = next === undefined ? undefined : all[next % all.length];
    if (!tab) return;
    event.preventDefault();
    tab.focus();
    select(panelOf(tab));
  });
  return select;
}

/** A field that searches a list on the page, for words in any order. */
export interface Search {
  isOn(): boolean;
  finds(text: string): boolean;
  /** The field, and for screen readers how many it found. */
  render(found: number, all: number, update: () => void): TemplateResult;
}

/** @param things - What is searched for: one, several, and none, where that is said in other words. */
export function createSearch([thing, things, none = things]: readonly [string, string, string?]): Search {
  let search = '';
  const words = () => search.toLowerCase().split(/\s+/).filter(Boolean);
  return {
    isOn: () => words().length > 0,
    finds: text => words().every(word => text.toLowerCase().includes(word)),
    render: (found, all, update) =>
      html`<div class="search">
          <input
            type="search"
            aria-label=${`Find a ${thing}`}
            placeholder=${`Find one of ${String(all)} ${things}`}
            .value=${live(search)}
            @input=${({target}: Event) => {
              search = (target as HTMLInputElement).value;
              update();
            }}
          />
          <p class="quiet hidden" role="status">
            ${words().length ? `${String(found)} of ${String(all)} ${things}` : ''}
          </p>
        </div>
        ${found ? '' : html`<p class="quiet nothing">No ${none} found.</p>`}`,
  };
}
