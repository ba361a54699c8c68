import {expect, fixture, html} from '@open-wc/testing';
import type {Settings} from '../../src/elements/settings/settings.js';
import {SHARED} from '../../src/elements/base/swap-element.js';
import {prefixOf} from '../../src/session/keys.js';
import {createTestService} from '../../src/testing.js';
import '../../src/define.js';
import {waitUntil, WidgetPage} from '../support/page.js';

async function open(settings: Partial<Settings> = {}, stored = '') {
  const service = createTestService();
  localStorage.clear();
  if (stored) localStorage.setItem(prefixOf(service.baseUrl) + stored, 'any');
  const widget = document.createElement('swap-widget');
  const told: unknown[] = [];
  for (const type of ['swap-track', 'swap-error']) {
    widget.addEventListener(type, event => told.push((event as Event & {toJSON(): unknown}).toJSON()));
  }
  const pair = {from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc'} as const;
  Object.assign(widget, {baseUrl: service.baseUrl, fetch: service.fetch, ...pair, ...settings});
  await fixture(html`<div>${widget}</div>`);
  const page = new WidgetPage(widget);
  const session = () => widget[SHARED].$session.get();
  return {widget, page, told, session};
}

/** A widget that is complete without a session. */
async function rest() {
  const opened = await open();
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

  it('opens a list for a click without a pointer', async () => {
    const {page} = await rest();
    page.find('.pay button[part="asset"]')!.click();
    await page.untilThere('swap-widget-asset-picker');
  });

  it('takes a page’s request for a payment', async () => {
    const {widget, page} = await rest();
    const recipient = `0x${'42'.repeat(20)}`;
    const stop = new AbortController();
    const asked = widget.request({to: 'ethereum_sepolia:wbtc', atLeast: '0.1', recipient, signal: stop.signal});
    await waitUntil(() => page.text.includes('This site asks for'), 'what is asked for');
    stop.abort('enough');
    expect(await asked.catch((reason: unknown) => reason)).to.equal('enough');
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

  it('has its session at once if the page fills in an amount, or the browser stores something for its service', async () => {
    const {page} = await open({amount: '0.1'});
    await waitUntil(() => page.receive.length > 1, 'the price');
    const {session} = await open({}, 'wallet/evm');
    await waitUntil(session, 'its session');
  });
});
