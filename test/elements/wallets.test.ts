import {aTimeout, expect} from '@open-wc/testing';
import {sendKeys} from '@web/test-runner-commands';
import type {Wallet} from '../../src/chains/adapter.js';
import {SwapError} from '../../src/domain/error.js';
import {failed, pending} from '../../src/domain/remote.js';
import type {SwapConnectRequestEvent} from '../../src/events.js';
import {change} from '../../src/session/shared.js';
import type {FakeSessionWidget} from '../support/fake-session.js';
import {focused, waitUntil, type WidgetPage} from '../support/page.js';
import {later} from '../support/session.js';
import {open, openIn} from '../support/show.js';
import {harbor, STATES} from '../support/states.js';

describe('The list of wallets', () => {
  async function openList(session: FakeSessionWidget['fake'], page: WidgetPage) {
    STATES['form-not-connected']?.(session);
    await page.settled(change(session.$wallets, {found: [harbor]}));
    page.button('Connect a wallet to pay from')?.focus();
    await page.press('Connect a wallet to pay from');
  }

  it('looks for wallets while it is open, connects one, and closes', async () => {
    const {page, session} = await open();
    await openList(session, page);
    await page.untilThere('swap-widget-wallet-picker');
    const [name, family, signal] = session.calls.at(-1) ?? [];
    expect([name, family]).to.deep.equal(['discover', 'evm']);
    await page.press(/^Harbor/);
    await page.settled();
    expect(session.calls.filter(([name]) => name === 'connect')).to.deep.equal([['connect', harbor]]);
    expect(page.find('swap-widget-wallet-picker')?.textContent).to.equal(undefined);
    expect((signal as AbortSignal).aborted).to.equal(true);
  });

  it('shows the initials of a wallet whose icon the browser cannot show', async () => {
    const {page, session} = await open();
    await openList(session, page);
    change(session.$wallets, {found: [{...harbor, icon: 'data:image/png;base64,AAAA'}]});
    await page.untilThere('swap-widget-wallet-picker');
    const mark = () => page.find('button.wallet .mark');
    await waitUntil(() => mark() && !mark()!.querySelector('img'), 'the broken picture stays');
    expect(mark()?.textContent.trim()).to.equal('Ha');
    expect(mark()?.classList.contains('mono-mark')).to.equal(true);
  });

  it('keeps the focus while a wallet prompts, and closes on Escape', async () => {
    const {page, session} = await open();
    session.connect = wallet => {
      change(session.$wallets, {connecting: pending(wallet as Wallet)});
      return new Promise(() => undefined);
    };
    await openList(session, page);
    await page.untilThere('swap-widget-wallet-picker');
    expect(focused(), 'the first wallet').to.equal(page.button(/^Harbor/));
    await sendKeys({press: 'Enter'});
    await page.settled();
    expect(focused()?.textContent.trim()).to.equal('Cancel');
    await sendKeys({press: 'Escape'});
    await page.settled();
    expect(page.find('dialog')?.textContent).to.equal(undefined);
    expect(focused()?.getAttribute('aria-label')).to.equal('Connect a wallet to pay from');
  });

  async function openEarly() {
    const opened = await open();
    const {page, session} = opened;
    STATES['form-not-connected']?.(session);
    const code = later();
    session.discover = () => code.promise;
    await page.settled();
    await page.press('Connect a wallet to pay from');
    await page.untilThere('swap-widget-wallet-picker');
    return {...opened, code};
  }
  const none = /No wallet found/;

  for (const [state, then] of [
    ['deposit-rejected', /^Sign with Harbor/],
    ['refund-open', /^Take your money back/],
  ] as const) {
    it(`is not offered while the wallet is reconnecting: ${state}`, async () => {
      const {page, session} = await open({style: '--swap-speed: 0'});
      STATES[state]?.(session);
      const accounts = session.$wallets.get().accounts;
      change(session.$wallets, {accounts: {}});
      await page.settled(change(session.$wallets, {restoring: {evm: 'Harbor'}}));
      await waitUntil(() => page.primary === 'Looking for Harbor…', `it says ${page.primary}`);
      expect(page.canGoOn).to.equal(false);
      await page.goOn();
      expect(session.calls.map(([name]) => name)).to.not.include.members(['pay', 'refund']);
      expect(page.find('swap-widget-wallet-picker')?.textContent).to.equal(undefined);
      await expect(page.widget).to.be.accessible();
      change(session.$wallets, {accounts: accounts});
      await page.settled(change(session.$wallets, {restoring: {}}));
      expect(page.primary).to.match(then);
      await page.settled(change(session.$wallets, {accounts: {}}));
      expect(page.primary).to.match(/^Connect/);
      expect(page.canGoOn).to.equal(true);
    });
  }

  it('says that it looks for wallets while they may appear, and that there are none only after a while', async () => {
    const {page, code} = await openEarly();
    expect(page.text).to.include('Looking for wallets…');
    expect(page.text).to.not.match(none);
    await expect(page.widget).to.be.accessible();
    await aTimeout(1_200);
    expect(page.text, 'the code is not there yet').to.not.match(none);
    code.keep();
    await aTimeout(300);
    expect(page.text, 'wallets announce themselves late').to.not.match(none);
    await waitUntil(() => none.test(page.text));
    await page.settled();
    const list = page.findAll('a').find(({textContent}) => textContent === 'Find a wallet');
    expect((list as HTMLAnchorElement | undefined)?.host).to.equal('ethereum.org');
    expect(focused()?.textContent).to.equal('Connect a wallet');
  });

  it('moves the focus to the first wallet that appears', async () => {
    const {page, session} = await openEarly();
    expect(focused()?.textContent).to.equal('Connect a wallet');
    await page.settled(change(session.$wallets, {found: [harbor]}));
    expect(focused()).to.equal(page.button(/^Harbor/));
    await page.settled(
      change(session.$wallets, {found: [{...harbor, id: 'other', key: 'other', name: 'Other'}, harbor]}),
    );
    expect(focused(), 'it stays at that one').to.equal(page.button(/^Harbor/));
  });

  it('does not move the focus if the person moved it before the first wallet appeared', async () => {
    const {page, session} = await openEarly();
    page.button('Close')?.focus();
    await page.settled(change(session.$wallets, {found: [harbor]}));
    expect(focused()).to.equal(page.button('Close'));
  });

  it('does not report that there are no wallets if the search failed', async () => {
    const {page, session, code} = await openEarly();
    change(session.$wallets, {connecting: failed(new SwapError('timeout'))});
    code.keep();
    await aTimeout(1_200);
    await page.settled();
    expect(page.notes).to.have.length(1);
    expect(page.text).to.not.match(none);
  });

  it('closes on Escape if nothing has the focus, but not if something else in the page has', async () => {
    const {page, session, place} = await open();
    await openList(session, page);
    await page.untilThere('swap-widget-wallet-picker');
    const search = document.createElement('input');
    place.append(search);
    search.focus();
    await sendKeys({press: 'Escape'});
    await page.settled();
    expect(page.find('dialog'), 'it closed').to.be.ok;
    search.blur();
    expect(focused()).to.equal(document.body);
    await sendKeys({press: 'Escape'});
    await page.settled();
    expect(page.find('dialog')?.textContent, 'it stays open').to.equal(undefined);
    expect(focused()?.getAttribute('aria-label')).to.equal('Connect a wallet to pay from');
  });

  it('lets Tab move through it and on to the page, never to what is behind it', async () => {
    const {page, session, place} = await open();
    await openList(session, page);
    await page.untilThere('swap-widget-wallet-picker');
    const next = document.createElement('button');
    place.append(next);
    const picker = page.find('swap-widget-wallet-picker')!;
    expect(page.find('dialog')?.matches(':modal'), 'it is modal').to.equal(false);
    expect(page.find('[aria-modal]')?.textContent).to.equal(undefined);
    for (let presses = 0; focused() !== next; presses += 1) {
      expect(focused()?.getRootNode()).to.equal(picker.shadowRoot);
      expect(presses).to.be.below(10);
      await sendKeys({press: 'Tab'});
    }
    await waitUntil(() => !page.find('dialog'), 'it was left open');
    expect(focused(), 'the focus goes on').to.equal(next);
  });

  it('offers to type a recipient’s address', async () => {
    const {page} = await openIn('form-quoted');
    await page.press('Change where you receive');
    await page.press(/^Enter an address/);
    await page.settled();
    expect(focused()?.id).to.equal('address');
  });

  it('shows an error while it is open, but not when it opens again', async () => {
    const {page, session} = await open();
    await openList(session, page);
    await page.untilThere('swap-widget-wallet-picker');
    for (const [code, says] of [
      ['rejected', 'You declined in your wallet. You didn’t sign anything. You can try again.'],
      ['wallet-locked', 'Your wallet is locked or busy. You didn’t sign anything. Open it, then try again.'],
      [
        'wallet-unclear',
        'The wallet didn’t give a clear answer. You didn’t sign anything. Look for its window, or try again.',
      ],
      ['wallet-missing', 'The wallet didn’t respond. You didn’t sign anything. Open it, or choose another one.'],
      ['timeout', 'This wallet can’t be reached. You didn’t sign anything. Check your connection, then try again.'],
    ] as const) {
      await page.settled(change(session.$wallets, {connecting: failed(new SwapError(code), harbor)}));
      expect(page.notes).to.deep.equal([says]);
      await waitUntil(() => page.said.includes(says.slice(0, says.indexOf('.'))), `${code} was not said aloud`);
    }
    await page.press('Close');
    expect(session.calls.at(-1)).to.deep.equal(['cancelConnect']);
  });

  it('shows wallets on other devices separately, and hides while their window is open', async () => {
    const {page, session} = await open();
    const phone: Wallet = {...harbor, id: 'phone', key: 'phone', name: 'Phone', isElsewhere: true};
    let answer: (connected: boolean) => void = () => undefined;
    session.connect = (_, {onWindow} = {}) => {
      onWindow?.();
      return new Promise(resolve => (answer = resolve));
    };
    await openList(session, page);
    await page.untilThere('swap-widget-wallet-picker');
    await page.settled(change(session.$wallets, {found: [phone, harbor]}));
    expect(page.text).to.match(/In this browser Harbor Installed On another device Phone Scan a code/);
    await page.press(/^Phone/);
    expect(page.find('dialog')?.textContent, 'it covers the window').to.equal(undefined);
    await page.settled(answer(false));
    expect(page.find('dialog'), 'it never came back').to.be.ok;
    await page.press(/^Phone/);
    await page.settled(answer(true));
    expect(page.find('swap-widget-wallet-picker')?.textContent).to.equal(undefined);
  });

  it('does not open for the page’s wallet if that responds at once', async () => {
    const {page, session} = await open({wallets: {evm: {request: () => undefined}}});
    await openList(session, page);
    await waitUntil(() => session.calls.some(([name]) => name === 'connect'));
    await aTimeout(400);
    expect(session.calls.filter(([name]) => name === 'connect')).to.deep.equal([['connect', 'evm']]);
    expect(page.find('swap-widget-wallet-picker')?.textContent).to.equal(undefined);
  });

  it('shows only the page’s wallet if that is slow or rejects', async () => {
    const {page, session} = await open({wallets: {evm: {request: () => undefined}}});
    let answer: (connected: boolean) => void = () => undefined;
    session.connect = () => new Promise(resolve => (answer = resolve));
    await openList(session, page);
    await page.untilThere('swap-widget-wallet-picker');
    const nameless: Wallet = {...harbor, id: '', key: '', name: ''};
    change(session.$wallets, {found: [harbor]});
    await page.settled(change(session.$wallets, {connecting: pending(nameless)}));
    expect(page.text).to.include('Waiting for your wallet').and.not.include('Harbor');
    change(session.$wallets, {connecting: failed(new SwapError('rejected'), nameless)});
    await page.settled(answer(false));
    expect(page.notes).to.have.length(1);
    await expect(page.widget).to.be.accessible();
    session.connect = wallet => {
      expect(wallet).to.equal(nameless);
      return Promise.resolve(true);
    };
    await page.press(/^your wallet/);
    await page.settled();
    expect(page.find('swap-widget-wallet-picker')?.textContent).to.equal(undefined);
  });

  it('stays closed while the page shows its own dialog, and uses its answer', async () => {
    const {page, session} = await open();
    const wallet = {request: () => undefined};
    let choose: (wallet: unknown) => void = () => undefined;
    let late: SwapConnectRequestEvent | undefined;
    page.widget.addEventListener('swap-connect-request', event => {
      event.provide(new Promise(resolve => (choose = resolve)));
      expect(event.defaultPrevented).to.equal(true);
      late = event;
    });
    let received: unknown;
    session.connect = async (family, {answer} = {}) => {
      received = [family, await answer];
      return true;
    };
    await openList(session, page);
    await aTimeout(400);
    expect(page.find('swap-widget-wallet-picker')?.textContent, 'it covers the page’s dialog').to.equal(undefined);
    expect(page.find('#amount')?.closest('[inert]'), 'the form is inert meanwhile').to.equal(null);
    choose(wallet);
    await waitUntil(() => received);
    expect(received).to.deep.equal(['evm', wallet]);
    await page.settled();
    expect(page.find('swap-widget-wallet-picker')?.textContent).to.equal(undefined);
    expect(() => late?.provide(wallet)).to.throw('while the event is dispatched');
    expect(late?.toJSON()).to.deep.equal({type: 'swap-connect-request', family: 'evm', side: 'pay'});
  });

  it('opens with an error if the page answers without a wallet', async () => {
    const {page, session} = await open();
    page.widget.addEventListener('swap-connect-request', event => event.provide(Promise.reject(new Error('no'))));
    session.connect = () => {
      change(session.$wallets, {connecting: failed(new SwapError('wallet-missing'))});
      return Promise.resolve(false);
    };
    await openList(session, page);
    await page.untilThere('swap-widget-wallet-picker');
    expect(page.notes).to.deep.equal([
      'The wallet didn’t respond. You didn’t sign anything. Open it, or choose another one.',
    ]);
    await expect(page.widget).to.be.accessible();
  });

  it('stays closed if the page handles the request', async () => {
    const {page, session} = await open();
    page.widget.addEventListener('swap-connect-request', event => {
      event.preventDefault();
      expect([event.family, event.side]).to.deep.equal(['evm', 'pay']);
    });
    await openList(session, page);
    expect(page.find('swap-widget-wallet-picker')?.textContent).to.equal(undefined);
  });
});
