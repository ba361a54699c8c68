import {expect, fixture, html} from '@open-wc/testing';
import {resetMouse, sendKeys, setViewport} from '@web/test-runner-commands';
import {scopeOf} from '../../src/elements/typing.js';
import {lock} from '../../src/session/storage.js';
import type {SwapWidget} from '../../src/elements/swap-widget.js';
import {waitUntil, WidgetPage} from '../support/page.js';
import {open, openIn, show} from '../support/show.js';
import {STATES} from '../support/states.js';

/** Boxes as wide as their content: the tag and the style of each. */
const SNUG: Readonly<Record<string, readonly [tag: string, style: string]>> = {
  'a dialog': ['dialog', ''],
  'a float': ['div', 'float: left'],
  'a table cell': ['td', ''],
  'a flex row': ['div', 'display: inline-flex'],
  'a flex column': ['div', 'display: flex; flex-direction: column; align-items: flex-start'],
  'a grid column': ['div', 'display: grid; grid-template-columns: auto; justify-content: start'],
  'a positioned box': ['div', 'position: absolute'],
  'an inline box': ['div', 'display: inline-block'],
  'a box of minimal width': ['div', 'inline-size: min-content'],
  'a drop-down under a button': ['div', 'position: absolute; inset-inline-start: 0'],
};

function looksOf(widget: SwapWidget): string[] {
  const {left, top} = widget.getBoundingClientRect();
  const looks = (root: ParentNode): string[] =>
    [...root.querySelectorAll('*')].flatMap(element => {
      const {x, y, width, height} = element.getBoundingClientRect();
      const {color, fontSize, cursor, userSelect} = getComputedStyle(element);
      const place = [x - left, y - top, width, height].map(Math.round).join(' ');
      const look =
        !width || !height || element.closest('.hidden') ? '' : `${place} ${color} ${fontSize} ${cursor} ${userSelect}`;
      return [
        `${element.localName}.${element.getAttribute('class') ?? ''} ${look}`,
        ...(element.shadowRoot ? looks(element.shadowRoot) : []),
      ];
    });
  return looks(widget.renderRoot);
}

/** A separate page in a frame, as narrow as a test needs: not every browser can have such a narrow window. */
async function openFrame(place: HTMLElement) {
  const frame = document.createElement('iframe');
  frame.srcdoc = '<!doctype html>';
  frame.style.blockSize = '400px';
  const loaded = new Promise(resolve => frame.addEventListener('load', resolve, {once: true}));
  place.append(frame);
  await loaded;
  return {frame, page: frame.contentDocument!};
}

describe('The widget in any page', () => {
  after(() => setViewport({width: 800, height: 600}));

  for (const variant of ['card', 'compact', 'button']) {
    it(`keeps its width in a box sized by its content: ${variant}`, async () => {
      const {page: parts, widget, place} = await open({variant});
      await waitUntil(() => variant !== 'button' || widget.renderRoot.querySelector('swap-widget-launch:defined'));
      const {frame, page} = await openFrame(place);
      const isStyled = ({shadowRoot}: Element) => !!shadowRoot?.adoptedStyleSheets.length;
      const styled = [widget, ...parts.findAll('*')].filter(isStyled);
      page.body.append(widget);
      // Each part gets its styles back by itself.
      await waitUntil(() => styled.every(isStyled), 'the styles of every part');
      const widths: Record<string, number> = {};
      for (const width of [320, 900]) {
        frame.style.inlineSize = `${String(width)}px`;
        for (const [name, [tag, style]] of Object.entries(SNUG)) {
          const box = page.createElement(tag);
          box.style.cssText = style;
          if (tag === 'dialog') box.setAttribute('open', '');
          page.body.style.cssText = name.startsWith('a drop-down') ? 'position: relative; inline-size: 5rem' : '';
          box.append(widget);
          page.body.replaceChildren(box);
          widths[`${name}, ${String(width)}`] = widget.offsetWidth;
          // With classic scroll bars, there is less than the frame's width.
          const {scrollWidth, clientWidth} = page.documentElement;
          expect(scrollWidth, `${name} at ${String(width)} pixels`).to.equal(clientWidth);
        }
      }
      const wanted = {card: 560, compact: 352, button: 160}[variant]!;
      for (const [name, width] of Object.entries(widths)) {
        const least = variant === 'button' ? 100 : Math.min(wanted, name.endsWith('320') ? 250 : wanted);
        expect(width, name).to.be.within(least, wanted + (variant === 'button' ? 60 : 0));
      }
    });
  }

  it('shares a row with its neighbors, and takes the width that the page gives it', async () => {
    await setViewport({width: 900, height: 700});
    const {widget, place} = await open();
    place.style.cssText = 'display: flex; inline-size: 500px';
    const neighbour = document.createElement('div');
    neighbour.style.cssText = 'flex: none; inline-size: 200px';
    place.prepend(neighbour);
    expect(widget.offsetWidth).to.equal(300);
    place.style.cssText = 'inline-size: 500px';
    const rules = new CSSStyleSheet();
    rules.replaceSync('swap-widget, fake-session-widget { display: inline-block; width: 310px; margin: 7px }');
    document.adoptedStyleSheets.push(rules);
    expect([widget.offsetWidth, widget.offsetLeft - place.offsetLeft]).to.deep.equal([310, 7]);
    document.adoptedStyleSheets.pop();
  });

  it('looks the same whatever the page’s text styles', async () => {
    await setViewport({width: 900, height: 700});
    for (const name of ['form-quoted', 'review', 'deposit-address']) {
      const page = await show(name);
      const before = looksOf(page.widget);
      const rules = new CSSStyleSheet();
      document.adoptedStyleSheets.push(rules);
      for (const css of [
        'html { font-size: 62.5% }',
        'html { font-size: 32px }',
        '* { color: #333; font: italic bold 24px/3 monospace; letter-spacing: 3px; font-variant: small-caps; cursor: wait }',
        '* { text-transform: uppercase; letter-spacing: 2px; word-spacing: 9px; text-indent: 3em; white-space: pre }',
        '* { text-align: right; line-height: 3; hyphens: auto; user-select: none; writing-mode: vertical-rl; word-break: break-all; overflow-wrap: anywhere; list-style: square; text-shadow: 1px 1px red; tab-size: 9; text-wrap: nowrap }',
      ]) {
        // How the page styles boxes around the widget is not tested here.
        rules.replaceSync(`${css}\nbody, body * { writing-mode: horizontal-tb !important }`);
        expect(looksOf(page.widget), `${name}, ${css}`).to.deep.equal(before);
      }
      document.adoptedStyleSheets.pop();
      await expect(page.widget).to.be.accessible();
    }
  });

  it('scales all of its lengths with its text size', async () => {
    const {widget, place} = await open({theme: 'light'});
    await waitUntil(() => getComputedStyle(widget).getPropertyValue('--_speed'));
    place.style.inlineSize = '400px';
    const heightOf = (part: string) =>
      widget.renderRoot.querySelector('swap-widget-form-view')!.renderRoot.querySelector(part)!.getBoundingClientRect()
        .height;
    const before = ['.frame', '.primary', '.mark', '.icon'].map(heightOf);
    place.style.inlineSize = '800px';
    widget.style.setProperty('--swap-font-size', '30px');
    expect(['.frame', '.primary', '.mark', '.icon'].map(heightOf)).to.deep.equal(before.map(height => height * 2));
  });

  it('does not restyle slotted content', async () => {
    const {widget} = await open();
    const note = document.createElement('p');
    note.slot = 'footer';
    note.textContent = 'Ours';
    note.style.cssText = 'color: rgb(1, 2, 3); text-transform: uppercase; font: 20px serif';
    widget.append(note);
    const {color, textTransform, fontSize} = getComputedStyle(note);
    expect([color, textTransform, fontSize]).to.deep.equal(['rgb(1, 2, 3)', 'uppercase', '20px']);
  });

  it('is hidden, and lets clicks through, together with its container', async () => {
    const {page, place} = await open();
    place.style.cssText = 'visibility: hidden; pointer-events: none';
    const {visibility, pointerEvents} = getComputedStyle(page.find('.primary')!);
    expect([visibility, pointerEvents]).to.deep.equal(['hidden', 'none']);
  });

  it('stores two widgets in different shadow roots separately', async () => {
    const places = await fixture<HTMLElement>(
      html`<div>
        <div></div>
        <div></div>
      </div>`,
    );
    const scopes = [...places.children].map(child => {
      const root = child.attachShadow({mode: 'open'});
      const widget = document.createElement('swap-widget');
      root.append(widget);
      return scopeOf(widget);
    });
    expect(new Set(scopes).size).to.equal(2);
  });

  it('keeps typing from the page’s key handlers, except Escape and Tab', async () => {
    const {page} = await open();
    const heard: string[] = [];
    const listen = (event: KeyboardEvent) => {
      heard.push(event.key);
      if (event.key === '5') event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    try {
      page.find<HTMLInputElement>('input#amount')!.focus();
      await sendKeys({type: '0.5'});
      expect(page.find<HTMLInputElement>('input#amount')!.value).to.equal('0.5');
      await sendKeys({press: 'Escape'});
      await sendKeys({press: 'Tab'});
      expect(heard).to.deep.equal(['Escape', 'Tab']);
      document.addEventListener('keydown', listen, true);
      page.find<HTMLInputElement>('input#amount')!.select();
      await sendKeys({type: '1.52'});
      // A page that listens first gets the key; what matters is the field's content.
      expect(page.find<HTMLInputElement>('input#amount')!.value).to.equal('1.2');
      expect(page.amount).to.equal('1.2');
    } finally {
      document.removeEventListener('keydown', listen);
      document.removeEventListener('keydown', listen, true);
      await resetMouse();
    }
  });

  it('keeps its style in another document, including what is first drawn there', async () => {
    const {widget, session, place} = await open({theme: 'light'});
    const frame = document.createElement('iframe');
    frame.style.cssText = 'inline-size: 500px; block-size: 700px';
    place.append(frame);
    frame.contentDocument!.body.append(widget);
    const page = new WidgetPage(widget);
    const height = (part: string) => page.find(part)?.getBoundingClientRect().height;
    await waitUntil(() => height('.primary') === 48, 'the form');
    STATES['review']?.(session);
    await page.untilThere('swap-widget-review-view');
    await waitUntil(() => height('.primary') === 48, 'the review');
    place.append(widget);
    expect(height('.primary')).not.to.equal(48);
    await waitUntil(() => height('.primary') === 48 && height('.frame')! >= 416, 'the review, back in this document');
  });

  for (const state of ['form-quoted', 'review', 'deposit-address', 'progress-confirming', 'complete'])
    it(`gives a page’s translator no text of its own to wrap, which would then be outdated: ${state}`, async () => {
      const page = await show(state);
      for (const element of page.findAll('*')) {
        const isText = ({nodeType, textContent}: Node) => nodeType === Node.TEXT_NODE && textContent?.trim();
        if ([...element.childNodes].some(isText))
          expect(element.closest('[translate]')?.getAttribute('translate'), element.textContent).to.equal('no');
      }
    });

  it('is drawn anew if an extension moved what was drawn', async () => {
    const {page, session} = await openIn('form-quoted');
    const view = page.find('swap-widget-form-view')!;
    const before = view.shadowRoot!.textContent;
    // By these Lit finds what it has drawn.
    const marks = document.createTreeWalker(view.shadowRoot!, NodeFilter.SHOW_COMMENT);
    const found: Node[] = [];
    while (marks.nextNode()) found.push(marks.currentNode);
    for (const mark of found) (mark as Comment).remove();
    await page.settled(STATES['form-not-connected']?.(session));
    expect(page.primary).to.equal('Connect a wallet');
    expect(view.shadowRoot!.textContent).not.to.equal(before);
    await expect(page.widget).to.be.accessible();
  });
});

describe('The lock of a session', () => {
  it('says that another page works under it, only if one does', async () => {
    let held = 0;
    const work = () => new Promise(resolve => setTimeout(resolve, 20));
    const take = () => lock('shared', work, () => (held += 1));
    await Promise.all([take(), take()]);
    await take();
    expect(held).to.equal(1);
  });

  it('is done without in a frame that has no origin, where it is refused; the work is done once', async () => {
    const {request} = navigator.locks;
    const alone = <T>(work: () => Promise<T>) => lock('order', work, () => {});
    let works = 0;
    try {
      navigator.locks.request = () => Promise.reject(new DOMException('no origin', 'SecurityError'));
      expect(await alone(() => Promise.resolve(++works))).to.equal(1);
      navigator.locks.request = () => {
        throw new DOMException('no origin', 'SecurityError');
      };
      expect(await alone(() => Promise.resolve(++works))).to.equal(2);
    } finally {
      navigator.locks.request = request;
    }
    const fails = () => {
      works += 1;
      return Promise.reject(new Error('the work’s own'));
    };
    expect(await alone(fails).catch(String)).to.equal('Error: the work’s own');
    expect(works).to.equal(3);
  });
});
