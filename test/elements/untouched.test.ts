import {expect, fixture, html} from '@open-wc/testing';
import type {Settings} from '../../src/elements/settings/settings.js';
import {SHARED} from '../../src/elements/base/swap-element.js';
import {prefixOf} from '../../src/session/keys.js';
import {createTestService} from '../../src/testing.js';
import '../../src/define.js';
import {waitUntil, WidgetPage} from '../support/page.js';

const REQUEST = {to: 'ethereum_sepolia:wbtc', atLeast: '0.1', recipient: `0x${'42'.repeat(20)}`} as const;

async function open(settings: Partial<Settings> = {}, stored = '', request = false) {
  const {baseUrl, fetch} = createTestService();
  localStorage.clear();
  if (stored) localStorage.setItem(prefixOf(baseUrl) + stored, 'any');
  const widget = document.createElement('swap-widget');
  const told: unknown[] = [];
  for (const type of ['swap-track', 'swap-error']) {
    widget.addEventListener(type, event => told.push((event as Event & {toJSON(): unknown}).toJSON()));
  }
  Object.assign(widget, {baseUrl, fetch, from: 'base_sepolia:wbtc', to: REQUEST.to, ...settings});
  if (request) {
    widget.request(REQUEST).catch(() => undefined);
    await new Promise(resolve => setTimeout(resolve));
  }
  await fixture(html`<div>${widget}</div>`);
  const page = new WidgetPage(widget);
  const session = () => widget[SHARED].$session.get();
  return {widget, page, told, session};
}

/** A widget that is complete without a session. */
async function rest(stored = '') {
  const opened = await open({}, stored);
  await waitUntil(() => opened.page.find('swap-widget-accounts button'), 'its button to connect');
  expect(opened.session()).to.equal(undefined);
  return opened;
}

describe('A widget that nobody touched', () => {
  it('is whole and reported without a session, which begins once the pointer comes', async () => {
    const {widget, page, told, session} = await rest();
    const reported = [
      {type: 'swap-track', what: 'view', view: 'form'},
      {type: 'swap-track', what: 'change', from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc'},
    ];
    expect(told).to.deep.equal(reported);
    expect(page.find('input#receive')).not.to.equal(undefined);
    await expect(widget).to.be.accessible();
    widget.dispatchEvent(new PointerEvent('pointerover'));
    await waitUntil(() => session()?.$settings.get().config, 'its settings');
    await page.settled();
    expect(told).to.deep.equal(reported);
  });

  it('is reported as its dialog opens and closes, with a session and before', async () => {
    const {widget, told, session} = await open({variant: 'button'});
    await waitUntil(() => told.length, 'what is reported');
    expect(session()).to.equal(undefined);
    const button = () => widget.renderRoot.querySelector('swap-widget-launch')?.shadowRoot?.querySelector('button');
    await waitUntil(() => button()?.offsetHeight, 'the button');
    widget.open();
    await waitUntil(() => told.some(event => JSON.stringify(event).includes('form')), 'the form');
    widget.dispatchEvent(new PointerEvent('pointerover'));
    await waitUntil(() => session()?.$settings.get().config, 'its session');
    session()?.openJournal();
    await waitUntil(() => told.some(event => JSON.stringify(event).includes('journal')), 'the list');
    widget.close();
    await waitUntil(() => JSON.stringify(told.at(-1)).includes('button'), 'the button');
    const views = told.flatMap(event => (event as {view?: string}).view ?? []);
    expect(views).to.deep.equal(['button', 'form', 'journal', 'button']);
  });

  it('gets a price for what a tool types that neither points nor focuses', async () => {
    const {page} = await rest();
    const field = page.find<HTMLInputElement>('#amount')!;
    field.value = '0.1';
    field.dispatchEvent(new InputEvent('input'));
    await waitUntil(() => page.receive.length > 1, 'the price');
  });

  it('keeps its button to connect, with the focus, and gets one session', async () => {
    const {widget, page, session} = await rest();
    const begun: unknown[] = [];
    widget[SHARED].$session.listen(one => begun.push(one));
    const button = page.find('swap-widget-accounts button')!;
    button.focus();
    button.dispatchEvent(new FocusEvent('focusin', {bubbles: true, composed: true}));
    await waitUntil(() => session()?.$settings.get().config, 'its settings');
    await page.settled();
    expect(button.isConnected && button.matches(':focus')).to.equal(true);
    expect(begun.length).to.equal(1);
  });

  it('stays at rest when the page changes its looks, and tells a fault once', async () => {
    const {widget, session, told} = await rest();
    widget.theme = 'dark';
    await widget.updateComplete;
    expect(session()).to.equal(undefined);
    const faults = () => told.filter(event => JSON.stringify(event).includes('swap-error'));
    widget.priceTolerance = 'much';
    await waitUntil(() => faults().length, 'the fault');
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(faults().length).to.equal(1);
  });

  it('tells a wrong address of a payee, and a service’s address that is not text', async () => {
    for (const wrong of [{affiliateFees: 'base_sepolia:usdc 0x1234 10'}, {baseUrl: new URL('https://a.example')}]) {
      const {told} = await open(wrong as Partial<Settings>);
      await waitUntil(() => JSON.stringify(told).includes('swap-error'), Object.keys(wrong)[0]);
    }
  });

  it('opens a list for a click without a pointer', async () => {
    const {page} = await rest();
    page.find('.pay button[part="asset"]')!.click();
    await page.untilThere('swap-widget-asset-picker');
  });

  it('takes a page’s request for a payment', async () => {
    const stop = new AbortController();
    const request = {...REQUEST, signal: stop.signal};
    const {widget, page} = await rest();
    const asked = widget.request(request);
    await waitUntil(() => page.text.includes('This site asks for'), 'what is asked for');
    stop.abort('enough');
    expect(await asked.catch((reason: unknown) => reason)).to.equal('enough');
  });

  it('stores what is typed under its own name, though the page asked before it was there', async () => {
    const {session} = await open({}, '', true);
    await waitUntil(() => session()?.$settings.get().config?.asked, 'what is asked for');
    session()?.edit({from: 'bitcoin_testnet:btc'});
    expect(Object.keys(localStorage).filter(key => /draft\/$/.test(key))).to.deep.equal([]);
    expect(Object.keys(localStorage).filter(key => /draft\/./.test(key)).length).to.equal(1);
  });

  it('says at once what is wrong with its settings, or that it is paused', async () => {
    const {widget, told} = await open({affiliateFees: 'base_sepolia:nothing 0x1 10'});
    const closed = () => widget.shadowRoot?.querySelector('swap-widget-closed-view')?.shadowRoot?.textContent;
    await waitUntil(closed, 'the fault');
    expect(told[0]).to.include({type: 'swap-error'});
    widget.affiliateFees = undefined;
    widget.paused = true;
    await waitUntil(() => closed()?.includes('New swaps are paused'), 'that it is paused');
  });

  it('has its session at once if the page fills in an amount, or the browser stores what it shows', async () => {
    const {page} = await open({amount: '0.1'});
    await waitUntil(() => page.receive.length > 1, 'the price');
    const own = `draft/${document.querySelectorAll('swap-widget').length}`;
    for (const kept of [own, 'wallet/evm', 'order/a']) await waitUntil((await open({}, kept)).session, kept);
    await rest('draft/of another');
  });
});
