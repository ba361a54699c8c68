import {fixture, html} from '@open-wc/testing';
import {FakeSessionWidget} from './fake-session.js';
import {set, waitUntil, WidgetPage} from './page.js';
import {ATTRIBUTES, CHOICES, STATES} from './states.js';

export async function open(settings: Readonly<Record<string, unknown>> = {}) {
  const widget = new FakeSessionWidget();
  set(widget, {...ATTRIBUTES, ...settings});
  const place = await fixture<HTMLElement>(html`<div>${widget}</div>`);
  const page = new WidgetPage(widget);
  await widget.configured();
  await page.settled();
  return {page, widget, place, session: widget.fake};
}

export async function openIn(state: string, settings: Readonly<Record<string, unknown>> = {}) {
  const opened = await open(settings);
  await opened.page.settled(STATES[state]!(opened.session));
  return opened;
}

export async function withTouch(work: () => Promise<void>) {
  const {matchMedia} = window;
  window.matchMedia = query => matchMedia.call(window, query === '(pointer: coarse)' ? 'all' : query);
  try {
    await work();
  } finally {
    window.matchMedia = matchMedia;
  }
}

/** The documents printed while a function runs; no window opens. */
export async function whatIsPrinted(deed: () => Promise<unknown>): Promise<Document[]> {
  const printed: Document[] = [];
  const window = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow')!;
  Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
    ...window,
    get(this: HTMLIFrameElement) {
      const paper = window.get?.call(this) as Window;
      paper.print = () => printed.push(paper.document);
      return paper;
    },
  });
  try {
    await deed();
  } finally {
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', window);
  }
  return printed;
}

let shown: HTMLElement | undefined;

/**
 * Shows a state of the gallery, with its view loaded and rendered. What was shown before leaves the page, since each
 * frame would draw it too.
 */
export async function show(
  name: string,
  {theme = 'light', direction = 'ltr', width = 400, lang = '', variant = 'card'} = {},
): Promise<WidgetPage<FakeSessionWidget>> {
  shown?.remove();
  const {page, widget, place} = await open({theme, variant, style: '--swap-speed: 0', ...(lang && {lang})});
  shown = place;
  place.style.inlineSize = `${String(width)}px`;
  place.dir = lang === 'ar' ? 'rtl' : direction;
  await waitUntil(() => getComputedStyle(widget).getPropertyValue('--_speed'), 'the rest of its looks');
  if (lang) await waitUntil(() => widget.shadowRoot?.querySelector(`[lang|="${lang}"]`), `its words in ${lang}`);
  const choice = CHOICES[name];
  (choice?.prepare ?? STATES[name])?.(widget.fake);
  const view = viewOf(name);
  await page.untilThere(view);
  if (choice) {
    await page.press(choice.press);
    if (name.includes('picker')) {
      await page.untilThere(`swap-widget-${name.startsWith('asset') ? 'asset' : 'wallet'}-picker`);
    }
  }
  await page.settled();
  return page;
}

function viewOf(name: string): string {
  const first = name.split('-')[0] ?? '';
  const views: Record<string, string> = {
    form: 'form',
    asset: 'form',
    wallet: 'form',
    review: 'review',
    deposit: 'deposit',
    checks: 'deposit',
    question: 'deposit',
    journal: 'journal',
    configuration: 'closed',
    paused: 'closed',
  };
  return `swap-widget-${views[first] ?? 'progress'}-view`;
}

/** All but English. */
export const LANGUAGES = ['ar', 'de', 'es', 'fr', 'hi', 'ja', 'ko', 'pt', 'tr', 'zh'];

export async function speak(page: WidgetPage<FakeSessionWidget>, lang: string): Promise<void> {
  page.widget.lang = lang;
  page.widget.parentElement!.dir = lang === 'ar' ? 'rtl' : 'ltr';
  await waitUntil(() => page.widget.shadowRoot?.querySelector(`[lang|="${lang}"]`), `its words in ${lang}`);
  await page.settled();
}
