import {expect, fixture} from '@open-wc/testing';
import {html, render, type TemplateResult} from 'lit';
import {listenToConsole} from '../support/console.js';
import {WidgetPage, set, waitUntil} from '../support/page.js';
import {FakeSessionWidget} from '../support/fake-session.js';
import {open, openIn, show} from '../support/show.js';
import {ATTRIBUTES, STATES} from '../support/states.js';

const root = document.documentElement;

async function speakIn(place: HTMLElement, settings: Readonly<Record<string, unknown>> = {}) {
  const widget = new FakeSessionWidget();
  set(widget, {...ATTRIBUTES, ...settings});
  const page = await fixture<HTMLElement>(html`${place}`);
  (page.querySelector('.here') ?? page).append(widget);
  await widget.configured();
  const spoken = new WidgetPage(widget);
  await spoken.settled();
  return {widget, page: spoken, session: widget.fake};
}

function placeOf(content: TemplateResult): HTMLElement {
  const place = document.createElement('div');
  render(content, place);
  return place;
}

const primary = ({page}: {page: WidgetPage}) => page.primary;

describe('The language of the widget', () => {
  afterEach(() => {
    root.removeAttribute('lang');
    root.removeAttribute('dir');
  });

  it('is the element’s own, as an attribute or property', async () => {
    expect(primary(await open({lang: 'de'}))).to.equal('Betrag eingeben');
    const {widget, page} = await open();
    expect(page.primary).to.equal('Enter an amount');
    widget.lang = 'de-AT';
    await waitUntil(() => page.primary === 'Betrag eingeben');
  });

  it('is the nearest ancestor’s, also through shadow roots, before the page’s', async () => {
    root.lang = 'fr';
    expect(primary(await open())).not.to.equal('Enter an amount');
    const place = placeOf(html`<section lang="de"><div class="shadow"></div></section>`);
    const host = place.querySelector('.shadow')!;
    const inner = document.createElement('div');
    inner.className = 'here';
    host.attachShadow({mode: 'open'}).append(inner);
    const widget = new FakeSessionWidget();
    set(widget, ATTRIBUTES);
    await fixture(html`${place}`);
    inner.append(widget);
    await widget.configured();
    const spoken = new WidgetPage(widget);
    await spoken.settled();
    expect(spoken.primary).to.equal('Betrag eingeben');
  });

  it('follows the page when it changes', async () => {
    const {page, session} = await open();
    root.lang = 'de';
    await waitUntil(() => page.primary === 'Betrag eingeben');
    STATES['review']?.(session);
    await page.untilThere('swap-widget-review-view');
    expect(page.text).to.include('Swap erstellen');
    root.lang = 'en';
    await waitUntil(() => page.text.includes('Place swap'));
  });

  it('is English if the page’s is unknown or invalid', async () => {
    for (const lang of ['it', 'en-GB', 'en-US@posix', '-']) {
      const opened = await open({lang});
      expect(opened.page.primary, lang).to.equal('Enter an amount');
      const view = opened.widget.renderRoot.querySelector('swap-widget-form-view');
      expect([view?.lang, view?.dir]).to.deep.equal(['en', 'ltr']);
    }
  });

  it('is right-to-left in Arabic, and left-to-right in English on such a page', async () => {
    const direction = async (settings: object) => {
      const {widget, page} = await open({...settings});
      await page.settled();
      return getComputedStyle(widget.renderRoot.querySelector('swap-widget-form-view')!).direction;
    };
    expect(await direction({lang: 'ar'})).to.equal('rtl');
    root.dir = 'rtl';
    expect(await direction({lang: 'en'})).to.equal('ltr');
    expect(await direction({lang: 'en', dir: 'rtl'})).to.equal('rtl');
  });

  it('keeps its word order if the page sets the opposite direction', async () => {
    const page = await show('form-quoted');
    const {widget} = page;
    widget.dir = 'rtl';
    const leftOf = (letters: string) => {
      const texts = document.createTreeWalker(page.find('.sum')!, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const at = texts.currentNode.nodeValue!.indexOf(letters);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + letters.length);
        return range.getBoundingClientRect().left;
      }
      throw new Error(`${letters} is not there`);
    };
    await waitUntil(() => leftOf('1') < leftOf('min'), 'it says “min 1”');
    widget.dir = '';
    await waitUntil(() => page.primary === 'Review swap', 'the words are as they were');
    expect(leftOf('1')).to.be.below(leftOf('min'));
    await expect(widget).to.be.accessible();
  });

  it('formats numbers by country, with Latin digits', async () => {
    for (const [lang, amount, value] of [
      ['en', '0.0994013', '$6,512.40'],
      ['de', '0,0994013', '6.512,40 $'],
      ['de-AT', '0,0994013', '$ 6.512,40'],
      ['hi', '0.0994013', '$6,512.40'],
    ] as const) {
      const {page} = await openIn('form-quoted', {lang});
      await waitUntil(() => page.text.includes(value), `${lang}: ${page.text}`);
      expect(page.receive, lang).to.equal(amount);
    }
    const {page} = await openIn('form-quoted', {lang: 'ar-EG'});
    expect(page.text).to.include('6,512.40').and.not.to.match(/[٠-٩]/);
  });

  it('shows no flash of English before it loads', async () => {
    const widget = new FakeSessionWidget();
    set(widget, {...ATTRIBUTES, lang: 'tr', style: '--swap-speed: 0'});
    await fixture(html`<div>${widget}</div>`);
    const view = widget.renderRoot.querySelector('swap-widget-form-view')!;
    // Nothing is visible before that.
    await view.updateComplete;
    const frame = () => getComputedStyle(view.renderRoot.querySelector('.frame > .body')!).visibility;
    const seen = new Set<string>();
    while (view.ariaBusy === 'true') {
      seen.add(frame());
      await new Promise(resolve => requestAnimationFrame(resolve));
    }
    await widget.updateComplete;
    expect([...seen].filter(value => value !== 'hidden')).to.deep.equal([]);
    expect(frame()).to.equal('visible');
    await waitUntil(() => view.lang === 'tr');
    await expect(widget).to.be.accessible();
  });

  it('ends up correct, however often it is requested meanwhile', async () => {
    const widget = new FakeSessionWidget();
    set(widget, {...ATTRIBUTES, lang: 'ko'});
    await fixture(html`<div>${widget}</div>`);
    STATES['review']?.(widget.fake);
    const page = new WidgetPage(widget);
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      widget.requestUpdate('lang');
      port2.postMessage('');
    };
    port2.postMessage('');
    try {
      await waitUntil(() => page.find('swap-widget-review-view'), 'the view never came');
    } finally {
      port1.close();
    }
  });

  it('puts addresses and amounts at the start of their line, which is on the right', async () => {
    root.lang = 'ar';
    const page = await show('form-quoted');
    await waitUntil(() => page.heading === 'مبادلة');
    for (const selector of ['bdi.account', '#amount', '#address']) {
      const {textAlign, direction} = getComputedStyle(page.find(selector)!);
      expect([textAlign, direction], selector).to.deep.equal(['right', 'ltr']);
    }
  });

  it('uses its own fonts and line breaks', async () => {
    for (const [lang, locale] of [
      ['ja', 'ja'],
      ['ko', 'ko'],
      ['zh', 'zh-Hans'],
    ] as const) {
      const page = await show('form-smart-account', {lang});
      const style = getComputedStyle(page.find('.notice.loss p')!);
      // Firefox does not have this property, and uses the element's language.
      if (CSS.supports('-webkit-locale', '"ja"'))
        expect(style.getPropertyValue('-webkit-locale').replaceAll('"', ''), lang).to.equal(locale);
      await expect(page.widget).to.be.accessible();
    }
  });

  it('shows times of day in its own direction, also beside a step', async () => {
    const page = await show('progress-settling', {lang: 'ar'});
    const when = page.find('.pay .end')!;
    expect(when.textContent).to.match(/\d:\d\d.م/);
    const text = document.createTreeWalker(when, NodeFilter.SHOW_TEXT).nextNode()!;
    const leftOf = (letters: string) => {
      const range = document.createRange();
      const at = text.nodeValue!.indexOf(letters);
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    };
    expect(leftOf('م'), 'half of the day is read after the hour').to.be.below(leftOf(':'));
    await expect(page.widget).to.be.accessible();
  });

  it('has an amount’s value below it, also from right to left', async () => {
    const page = await show('review', {lang: 'ar'});
    const [amount, value] = ['.pay .amount', '.pay .value bdi'].map(selector => {
      const range = document.createRange();
      range.selectNodeContents(page.find(selector)!);
      return Math.round(range.getBoundingClientRect().right);
    });
    expect(Math.abs(value! - amount!)).to.be.at.most(2);
  });

  it('shows full addresses in aligned columns, in either direction', async () => {
    for (const [lang, name] of [
      ['en', 'review'],
      ['ar', 'review'],
      ['ar', 'form-smart-account'],
      ['ar', 'deposit-address'],
    ] as const) {
      const page = await show(name, {lang, width: 360});
      const address = page.find('.groups')!;
      const {left, right} = address.parentElement!.getBoundingClientRect();
      const rows = new Map<number, number[]>();
      // The last two are together.
      for (const group of address.querySelectorAll('span')) {
        const box = group.getBoundingClientRect();
        const row = rows.get(Math.round(box.top)) ?? [];
        rows.set(Math.round(box.top), [...row, Math.round(box.left - left)]);
      }
      const [first, ...others] = rows.values();
      expect(others, name).not.to.deep.equal([]);
      for (const row of others) expect(row, `${lang}: ${name}`).to.deep.equal(first!.slice(0, row.length));
      const start = page.find('.pay-to > .label')?.getBoundingClientRect().right ?? right;
      if (lang === 'ar')
        expect(first!.at(-1)! + left, `${name}: it begins at the start of its place`).to.be.above(start - 60);
    }
  });

  it('keeps a partner’s words in every language', async () => {
    const {page} = await speakIn(placeOf(html`<p class="here" lang="de"></p>`), {
      messages: {problems: {'enter-amount': 'Wie viel?'}, quotes: 'no function', swap: () => 'no text'},
    });
    expect([page.primary, page.heading]).to.deep.equal(['Wie viel?', 'Swap']);
  });

  it('keeps a partner’s words for one language to that one, and the region’s last', async () => {
    const messages = {swap: 'Exchange', de: {swap: 'Tausch'}, 'de-AT': {problems: {'enter-amount': 'Wie viel?'}}};
    const {widget, page} = await open({lang: 'de', messages, style: '--swap-speed: 0'});
    expect([page.heading, page.primary]).to.deep.equal(['Tausch', 'Betrag eingeben']);
    widget.lang = 'de-AT';
    await waitUntil(() => page.primary === 'Wie viel?');
    expect(page.heading).to.equal('Tausch');
    widget.lang = 'fr';
    await waitUntil(() => page.heading === 'Exchange');
    await expect(widget).to.be.accessible();
  });

  it('may be supplied by the page, with its own numbers and direction', async () => {
    const {widget, page, session} = await open({
      lang: 'it-CH',
      style: '--swap-speed: 0',
      messages: {it: {swap: 'Scambia', problems: {'enter-amount': 'Inserisci un importo'}}, he: {swap: 'החלפה'}},
    });
    await waitUntil(() => page.primary === 'Inserisci un importo');
    const view = () => widget.renderRoot.querySelector<HTMLElement>('swap-widget-form-view')!;
    expect([page.heading, view().lang, view().dir]).to.deep.equal(['Scambia', 'it', 'ltr']);
    widget.lang = 'it';
    STATES['form-quoted']?.(session);
    // Whether four digits are grouped depends on the browser's data.
    await waitUntil(() => /6\.?512,40/.test(page.text));
    widget.lang = 'he';
    await waitUntil(() => page.heading === 'החלפה');
    expect([view().lang, view().dir]).to.deep.equal(['he', 'rtl']);
    widget.lang = 'sv';
    await waitUntil(() => page.heading === 'Swap');
    expect([view().lang, view().dir]).to.deep.equal(['en', 'ltr']);
    await expect(widget).to.be.accessible();
  });

  it('may be supplied later, with the page’s own words', async () => {
    const {widget, page} = await open({lang: 'it'});
    expect(page.heading).to.equal('Swap');
    widget.messages = {it: {swap: 'Scambia'}};
    await waitUntil(() => page.heading === 'Scambia');
  });

  it('reports unknown message keys in the console', async () => {
    await listenToConsole('warn', async said => {
      const messages = {swap: () => 'no text', nosuch: 'x', useAll: 'no function', de: {swap: 1}, youPay: 'Give'};
      const {page} = await open({messages});
      await waitUntil(() => said.length);
      expect([page.heading, said.length]).to.deep.equal(['Swap', 1]);
      for (const name of [
        'messages.swap has to be a text',
        'messages.nosuch is not known',
        'messages.useAll has to be a function',
        'messages.de.swap',
      ])
        expect(said[0]).to.include(name);
      expect(said[0]).not.to.include('youPay');
      const {widget} = await open();
      (widget as {messages: unknown}).messages = 'abc';
      await waitUntil(() => said.length === 2);
    });
  });

  it('is labelled correctly: the Chinese here is simplified, in Taiwan too', async () => {
    for (const [lang, named] of [
      ['zh', 'zh'],
      ['zh-CN', 'zh'],
      ['zh-TW', 'zh-Hans'],
      ['zh-Hant', 'zh-Hans'],
      ['zh-HK', 'zh-Hans'],
    ] as const) {
      const {widget, page} = await open({lang});
      const view = widget.renderRoot.querySelector<HTMLElement>('swap-widget-form-view')!;
      await waitUntil(() => view.lang === named, `${lang} is ${view.lang}`);
      await page.settled();
      const said = widget.renderRoot.querySelector<HTMLElement>('swap-widget-announcement')!;
      await waitUntil(
        () => said.lang && new Intl.Locale(said.lang).maximize().script === 'Hans',
        `${lang}: ${said.lang}`,
      );
    }
  });

  it('is also accepted as systems write it, and is reflected', async () => {
    const {widget, page} = await open({lang: 'de_DE'});
    expect(page.primary).to.equal('Betrag eingeben');
    widget.lang = 'fr';
    await widget.updateComplete;
    expect(widget.getAttribute('lang')).to.equal('fr');
    widget.removeAttribute('lang');
    await waitUntil(() => page.primary === 'Enter an amount');
    expect(widget.lang).to.equal('');
  });

  it('has one space between sentences, and none after a full-width stop', async () => {
    for (const lang of ['ja', 'zh', 'en'])
      for (const name of ['form-service-error', 'deposit-address', 'deposit-address-partly', 'progress-changed']) {
        const page = await show(name, {lang});
        const texts = page.findAll('p').map(({textContent}) => textContent.replace(/\s+/g, ' '));
        expect(texts.filter(text => /[。！？] \S|[.!?]\p{Lu}/u.test(text)).join('\n'), `${lang}: ${name}`).to.equal('');
        expect(page.said, `${lang}: ${name}`).not.to.match(/[。！？] \S/);
      }
  });

  it('formats both values of a check like other amounts, each isolated', async () => {
    for (const [lang, first, second] of [
      ['de', '0,1 WBTC', '0,2 WBTC'],
      ['ar', '0.1 WBTC', '0.2 WBTC'],
    ] as const) {
      root.lang = lang;
      const page = await show('checks-failed');
      await waitUntil(() => page.findAll('.compare bdi').length === 2);
      await waitUntil(() => page.findAll('.compare bdi')[0]?.textContent === first);
      expect(page.findAll('.compare bdi').map(({textContent}) => textContent)).to.deep.equal([first, second]);
      await expect(page.widget).to.be.accessible();
    }
  });
});
