import {expect, fixture, html} from '@open-wc/testing';
import {money, percent} from '../../src/locales/figures.js';
import form from '../../src/locales/en.json?form';
import lateWords from '../../src/locales/en.json?late';
import type {SwapBeforeOrderEvent, SwapEventMap} from '../../src/index.js';
import {SwapError} from '../../src/domain/error.js';
import {listenToConsole} from '../support/console.js';
import {FakeSessionWidget} from '../support/fake-session.js';
import {set, waitUntil, WidgetPage} from '../support/page.js';
import {SHARED} from '../../src/elements/base/swap-element.js';
import {open, openIn} from '../support/show.js';
import {agreed, ATTRIBUTES, failedReport, oneQuote, STATES} from '../support/states.js';

function hear<K extends keyof SwapEventMap>(target: HTMLElement, type: K): Promise<SwapEventMap[K]> {
  return new Promise(resolve => {
    target.addEventListener(
      type,
      event => {
        resolve(event);
      },
      {once: true},
    );
  });
}

const isSeen = (element: Element) => element.getClientRects().length > 0;

describe('<swap-widget>', () => {
  it('shows values in dollars, or in the currency that the page sets', async () => {
    const {widget, page} = await openIn('form-quoted');
    await waitUntil(() => page.text.includes('$6,512.40') && page.text.includes('Cost $38.98'));
    widget.setAttribute('value-currency', 'EUR');
    await waitUntil(() => page.text.includes('€6,512.40') && page.text.includes('Cost €38.98'));
  });

  it('has the swap’s stage as a property and a custom state', async () => {
    const {widget, session, page} = await open();
    expect(widget.stage).to.equal('editing');
    expect(widget.matches(':state(editing)')).to.equal(true);
    STATES['progress-confirming']?.(session);
    await page.settled();
    expect(widget.stage).to.equal('confirming');
    expect(widget.matches(':state(confirming)')).to.equal(true);
    expect(widget.matches(':state(editing)')).to.equal(false);
    expect(widget.order?.source.confirmations.current).to.equal(1);
  });

  it('works while it is on a page, and keeps its session when moved', async () => {
    const {widget, place, session, page} = await open();
    await page.typeAmount('0.5');
    const other = document.createElement('div');
    place.append(other);
    await page.settled(other.append(widget));
    expect(session.calls.map(([name]) => name).filter(name => name === 'start' || name === 'stop')).to.deep.equal([
      'start',
      'stop',
      'start',
    ]);
    expect(page.amount).to.equal('0.5');
    widget.remove();
    expect(session.calls.at(-1)).to.deep.equal(['stop']);
  });

  it('uses properties that were set before it was defined', async () => {
    const early: Element = document.createElement('late-widget');
    Object.assign(early, {
      baseUrl: 'https://service.example',
      from: ATTRIBUTES.from,
      to: ATTRIBUTES.to,
      amount: '0.25',
    });
    class LateWidget extends FakeSessionWidget {}
    customElements.define('late-widget', LateWidget);
    await fixture(html`<div>${early}</div>`);
    customElements.upgrade(early);
    if (!(early instanceof LateWidget)) throw new Error('It was not upgraded.');
    const page = new WidgetPage(early);
    await page.settled();
    await early.configured();
    await page.settled();
    expect(page.amount).to.equal('0.25');
  });

  it('loads the rest of its styles once the form is displayed, for all of its parts', async () => {
    const {widget, page} = await open();
    await waitUntil(() => getComputedStyle(widget).getPropertyValue('--_speed') === '1');
    const bare = getComputedStyle(page.find('.flip')!);
    page.find('.flip')?.focus();
    expect([bare.outlineStyle, bare.outlineColor === bare.color]).to.deep.equal(
      ['solid', false],
      'the accent shows where the keyboard is',
    );
  });

  it('draws its icons once they are loaded', async () => {
    const {page} = await openIn('form-quoted');
    await waitUntil(() => page.findAll('.mark > svg:first-child').length === 2);
    expect(page.findAll('.mark > .chain').length).to.equal(2);
  });

  it('shows the page’s own icon of an asset everywhere, and the built-in one if it cannot be loaded', async () => {
    const red = '<svg viewBox="0 0 4 4" onload="document.title = `run`"><rect width="4" height="4" fill="red"/></svg>';
    const {widget, page, session} = await open();
    widget.assets = [
      {id: 'base_sepolia:wbtc', icon: `${red.slice(0, -6)}<script>document.title = 'run'</script></svg>`},
      {id: 'ethereum_sepolia:wbtc', icon: 'data:image/png;base64,AAAA'},
    ];
    await page.settled();
    STATES['form-quoted']?.(session);
    const shown = () =>
      page.findAll('.mark').map(mark => [...mark.children].filter(isSeen).map(child => child.localName));
    await waitUntil(() => shown().join() === 'img,svg,svg,svg', shown().join());
    expect(page.findAll('.mark .own').every(picture => (picture as HTMLImageElement).alt === '')).to.equal(true);
    await page.press(/^You pay: WBTC/);
    await page.untilThere('swap-widget-asset-picker');
    await waitUntil(() => page.findAll('[role="option"] .own').filter(isSeen).length === 1);
    expect(document.title).not.to.equal('run');
    await expect(widget).to.be.accessible();
  });

  it('fills in only what the page has just set', async () => {
    const {widget, page, session} = await open({amount: '0.1'});
    await widget.configured();
    await page.typeAmount('0.7');
    widget.paused = true;
    await page.settled();
    expect(session.$form.get().draft.amount).to.equal('0.7');
    widget.amount = '0.3';
    await page.settled();
    expect(session.$form.get().draft.amount).to.equal('0.3');
  });

  it('reports an invalid setting in the console, an event, a property and in place of the form', async () => {
    const {widget, page} = await open();
    const heard = hear(widget, 'swap-error');
    const said = await listenToConsole('error', async () => {
      widget.assets = 'base_sepolia:doge';
      await page.settled();
      await page.settled((widget.priceTolerance = '60'));
    });
    const event = await heard;
    expect([event.code, event.field]).to.deep.equal(['config', 'assets']);
    expect(said).to.have.length(1);
    expect(said[0]).to.include('assets').and.to.include('base_sepolia:doge');
    expect(widget.error?.field).to.equal('assets');
    await page.untilThere('swap-widget-closed-view');
    expect(page.text).to.include('This swap isn’t set up yet').and.to.include('base_sepolia:doge');

    widget.assets = undefined!;
    await page.settled();
    expect(widget.error).to.equal(undefined);
    expect(page.find('swap-widget-form-view')).not.to.equal(undefined);
  });

  it('waits for a page that sets it up in a later task, without an error', async () => {
    const widget = document.createElement('swap-widget');
    const faults: unknown[] = [];
    widget.addEventListener('swap-error', event => faults.push(event));
    const said = await listenToConsole('error', async () => {
      await fixture(html`<div>${widget}</div>`);
      // All that it needs is already loaded, as on a page with another widget.
      await import('../../src/elements/behind.js');
      widget.theme = 'dark';
      await new Promise(resolve => setTimeout(resolve, 0));
      set(widget, {...ATTRIBUTES, fetch: () => new Promise(() => undefined)});
      await waitUntil(() => widget[SHARED].$session.get()?.$settings.get().config);
      await new Promise(resolve => setTimeout(resolve, 1_200));
    });
    expect([faults, said, widget.error]).to.deep.equal([[], [], undefined]);
    const page = new WidgetPage(widget);
    expect(page.find('swap-widget-form-view')).not.to.equal(undefined);
    await expect(widget).to.be.accessible();
  });

  it('reports a missing setup after a moment, and accepts a later one', async () => {
    const widget = document.createElement('swap-widget');
    const page = new WidgetPage(widget);
    const heard = hear(widget, 'swap-error');
    const said = await listenToConsole('error', async () => {
      await fixture(html`<div>${widget}</div>`);
      expect((await heard).field).to.equal('base-url');
      await page.untilThere('swap-widget-closed-view');
    });
    expect(said).to.have.length(1);
    expect(said[0]).to.include('base-url');
    expect(page.text).to.include('This swap isn’t set up yet');
    await expect(widget).to.be.accessible();
    set(widget, {...ATTRIBUTES, fetch: () => new Promise(() => undefined)});
    await page.untilThere('swap-widget-form-view');
    expect(widget.error).to.equal(undefined);
  });

  it('requests no price under `display: none`, and one as soon as it is rendered', async () => {
    const asked: string[] = [];
    const widget = document.createElement('swap-widget');
    const fetch = (url: string) => {
      asked.push(url);
      return new Promise(() => undefined);
    };
    set(widget, {...ATTRIBUTES, amount: '0.1', fetch});
    const place = await fixture<HTMLElement>(html`<div hidden>${widget}</div>`);
    await waitUntil(() => widget[SHARED].$session.get());
    const {$settings, $form} = widget[SHARED].$session.get()!;
    await waitUntil(() => $settings.get().config && customElements.get('swap-widget-price'));
    await new Promise(resolve => setTimeout(resolve, 800));
    expect(asked).to.deep.equal([]);
    place.hidden = false;
    await waitUntil(() => asked.length);
    expect($form.get().quote.state).to.equal('pending');
    place.hidden = true;
    await waitUntil(() => $form.get().quote.state === 'idle');
    place.hidden = false;
    await waitUntil(() => asked.length > 1);
    await expect(widget).to.be.accessible();
  });

  it('requests a price again from another service, not through another `fetch`', async () => {
    const asked: string[] = [];
    /** A page may write it inline, so that it is new each time. */
    const newFetch = (by: string) => (url: string) => {
      asked.push(`${by} ${new URL(url).host}`);
      return new Promise(() => undefined);
    };
    const widget = document.createElement('swap-widget');
    set(widget, {...ATTRIBUTES, amount: '0.1', fetch: newFetch('first')});
    await fixture(html`<div>${widget}</div>`);
    await waitUntil(() => asked.length);
    const {host} = new URL(widget.baseUrl ?? '');
    const {$settings} = widget[SHARED].$session.get()!;
    const before = $settings.get().config;
    set(widget, {fetch: newFetch('second'), 'price-tolerance': '20'});
    await waitUntil(() => $settings.get().config !== before);
    await new Promise(resolve => setTimeout(resolve, 800));
    expect(asked).to.deep.equal([`first ${host}`]);
    set(widget, {'app-id': 'ab'.repeat(32)});
    await waitUntil(() => asked.length > 1);
    set(widget, {'base-url': 'https://other.example'});
    await waitUntil(() => asked.length > 2);
    expect(asked.slice(1)).to.deep.equal([`second ${host}`, 'second other.example']);
    await expect(widget).to.be.accessible();
  });

  it('can omit the header, but not the back button', async () => {
    const {page, session} = await open({noHeader: true});
    expect(page.button('Your swaps')?.textContent).to.equal(undefined);
    expect(page.text, 'play money is never without its name').to.include('Testnet');
    STATES['review']?.(session);
    await page.untilThere('swap-widget-review-view');
    await page.press('Back');
    expect(session.calls.at(-1)).to.deep.equal(['back']);
  });

  it('shows the order that the page sets', async () => {
    const {session} = await open({'order-id': 'abc'});
    expect(session.calls).to.deep.include(['openOrder', 'abc']);
  });

  it('names the attribute of an order id that is none, and opens nothing, until the page sets another', async () => {
    const said = await listenToConsole('error', async () => {
      const {session, widget, page} = await open({'order-id': '../quote'});
      expect(session.calls.map(([name]) => name)).to.include('openOrder');
      await page.settled(set(widget, {'order-id': 'a b'}));
      expect(session.$settings.get().fault).to.include({code: 'config', field: 'order-id'});
      expect(session.calls.filter(([name]) => name === 'openOrder')).to.have.length(1);
      await page.settled(set(widget, {'order-id': 'def'}));
      expect(session.$settings.get().fault).to.equal(undefined);
      expect(session.calls.at(-1)).to.deep.equal(['openOrder', 'def']);
    });
    expect(said.join()).to.include('order-id: “a b” is not the id');
  });

  it('moves the focus to the heading when the view changes, but never takes the page’s focus', async () => {
    const {page, session, widget, place} = await openIn('form-quoted');
    page.primaryButton?.focus();
    STATES['review']?.(session);
    await page.untilThere('swap-widget-review-view');
    expect(page.find('h2')?.matches(':focus')).to.equal(true);

    const elsewhere = document.createElement('button');
    place.append(elsewhere);
    elsewhere.focus();
    STATES['complete']?.(session);
    await page.untilThere('swap-widget-progress-view');
    expect(document.activeElement).to.equal(elsewhere);
    expect(widget.matches(':focus-within')).to.equal(false);
  });
});

describe('The page’s events', () => {
  it('are the session’s events, bubbling out of any shadow root', async () => {
    const {place, session} = await open();
    const heard = hear(place, 'swap-quote');
    session.tell({type: 'quote', request: oneQuote.request, quotes: oneQuote});
    const event = await heard;
    expect(event.composed).to.equal(true);
    const written = JSON.parse(JSON.stringify(event)) as {type: string; request: {amount: string}; isTrusted?: boolean};
    expect([written.type, written.request.amount]).to.deep.equal(['swap-quote', '10000000']);
    expect(written).not.to.have.property('isTrusted');
  });

  it('include errors with the report of the checks, and the last one is kept', async () => {
    const {widget, session} = await open();
    const heard = hear(widget, 'swap-error');
    session.tell({type: 'error', error: new SwapError('deposit-mismatch'), report: failedReport, orderId: 'abc'});
    const event = await heard;
    expect([event.code, event.orderId, event.report?.outcome]).to.deep.equal(['deposit-mismatch', 'abc', 'failed']);
    expect(widget.error?.code).to.equal('deposit-mismatch');
  });
});

describe('A page’s gate before the order', () => {
  async function gate(listener: (event: SwapBeforeOrderEvent) => void): Promise<string> {
    const {widget, session} = await open();
    widget.addEventListener('swap-before-order', listener);
    try {
      await session.gates?.beforeOrder?.(agreed);
      return 'passed';
    } catch (error) {
      return error instanceof SwapError ? error.code : 'thrown';
    }
  }

  it('is open if no listener objects', async () => {
    expect(await gate(() => undefined)).to.equal('passed');
  });

  it('is closed by a canceled event', async () => {
    expect(await gate(event => event.preventDefault())).to.equal('held');
  });

  it('waits for promises, and is closed by a rejected one', async () => {
    let waited = false;
    const later = (then: () => void) =>
      new Promise<void>(resolve => {
        setTimeout(() => {
          then();
          resolve();
        }, 20);
      });
    expect(
      await gate(event => {
        event.waitUntil(later(() => (waited = true)));
      }),
    ).to.equal('passed');
    expect(waited).to.equal(true);
    expect(
      await gate(event => {
        event.waitUntil(later(() => undefined));
        event.waitUntil(Promise.reject(new Error('no')));
      }),
    ).to.equal('held');
  });

  it('accepts promises only while the event is dispatched', async () => {
    let late: SwapBeforeOrderEvent | undefined;
    await gate(event => (late = event));
    expect(() => {
      late?.waitUntil(Promise.resolve());
    }).to.throw(DOMException);
  });
});

describe('Its words', () => {
  const late = lateWords();

  it('exist for every error, every problem and every stage', () => {
    const say = (value: unknown): string[] =>
      typeof value === 'string' ? [value] : typeof value === 'object' && value ? Object.values(value).flatMap(say) : [];
    const words = say({...form, ...late});
    expect(words.length).to.be.greaterThan(150);
    for (const word of words)
      expect(word, word)
        .to.match(/\S/)
        .and.not.match(/!|please wait|oops|sorry/i);
  });

  it('have plurals and formatted values', () => {
    expect([
      late.searchAssets({n: 1}),
      late.checksPassed({passed: 9, unverified: 0}),
      late.checksPassed({passed: 9, unverified: 2}),
    ]).to.deep.equal(['Search 1 asset', '9 checks passed', '9 checks passed, 2 not verified']);
    const value = (hundredths: bigint) => money(hundredths, {locale: 'en', currency: 'USD'});
    const written = [value(123_456_750n), value(-1945n), percent(-30, 'en')];
    expect(written).to.deep.equal(['$1,234,567.50', '−$19.45', '−0.30%']);
  });
});
