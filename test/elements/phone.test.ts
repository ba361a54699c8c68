import {expect} from '@open-wc/testing';
import type {Phone} from '../../src/elements/pickers/phone.js';
import {change} from '../../src/session/shared.js';
import {waitUntil} from '../support/page.js';
import {open, withTouch} from '../support/show.js';
import {harbor, RECIPIENT, STATES} from '../support/states.js';

const PAGE = 'https://shop.example/swap?from=mail#top';

/** The list of wallets on a page with this URL, once the search has found nothing. */
async function openList(settings: Readonly<Record<string, unknown>> = {}, state = 'form-not-connected') {
  const opened = await open(settings);
  const {page, session} = opened;
  STATES[state]?.(session);
  change(session.$wallets, {accounts: {}});
  await page.settled(session.edit({amount: '0.5', recipient: RECIPIENT}));
  await waitUntil(() => page.primary.startsWith('Connect'), 'its view never came');
  await page.goOn();
  await page.untilThere('swap-widget-phone');
  const phone = page.find<Phone>('swap-widget-phone')!;
  await customElements.whenDefined('swap-widget-phone');
  await page.settled(Object.assign(phone, {page: PAGE}));
  await waitUntil(() => page.text.includes('Find a wallet'), 'the search never ended');
  await page.settled();
  const links = () => page.findAll<HTMLAnchorElement>('a.item');
  return {...opened, phone, links};
}

describe('A wallet on a phone', () => {
  it('is the first thing that a phone without a wallet is offered, with the form of the page', () =>
    withTouch(async () => {
      const {page, links, session} = await openList({id: 'shop', 'url-sync': ''});
      expect(page.text).to.match(/Continue in a wallet app Open in MetaMask .*Find a wallet/);
      expect(page.find('.empty p')?.checkVisibility()).to.equal(false);
      const carried = new URL(links()[0]!.href.replace('https://link.metamask.io/dapp/', 'https://'));
      expect([carried.origin, carried.pathname, carried.hash]).to.deep.equal(['https://shop.example', '/swap', '#top']);
      expect(Object.fromEntries(carried.searchParams)).to.deep.equal({
        from: 'mail',
        'swap.shop.from': session.$form.get().draft.from,
        'swap.shop.to': session.$form.get().draft.to,
        'swap.shop.amount': '0.5',
        'swap.shop.recipient': RECIPIENT,
      });
      await expect(page.widget).to.be.accessible();
      await page.settled(change(session.$wallets, {found: [harbor]}));
      expect(links(), 'beside a wallet').to.deep.equal([]);
    }));

  it('is linked as its makers document it, if they do', () =>
    withTouch(async () => {
      const {page, phone, links} = await openList();
      for (const [family, href] of [
        ['evm', 'https://link.metamask.io/dapp/shop.example/swap?from=mail#top'],
        [
          'solana',
          'https://phantom.app/ul/browse/https%3A%2F%2Fshop.example%2Fswap%3Ffrom%3Dmail%23top?ref=https%3A%2F%2Fshop.example',
        ],
        ['bitcoin', 'https://connect.xverse.app/browser?url=https%3A%2F%2Fshop.example%2Fswap%3Ffrom%3Dmail%23top'],
        ['starknet', undefined],
      ] as const) {
        await page.settled(Object.assign(phone, {family}));
        expect(links().map(({href}) => href)).to.deep.equal(href ? [href] : []);
      }
    }));

  it('is one line on a computer, which opens the code of the page', async () => {
    const {page, links} = await openList();
    expect(links()).to.deep.equal([]);
    expect(page.find('swap-widget-qr-code')?.checkVisibility()).to.equal(false);
    page.find('summary')!.click();
    await page.settled();
    const code = page.find('swap-widget-qr-code')!;
    expect(code.checkVisibility()).to.equal(true);
    expect(code.getAttribute('text')).to.equal(PAGE);
    await expect(page.widget).to.be.accessible();
  });

  it('is not offered where the page cannot be opened there, nor for an order', () =>
    withTouch(async () => {
      const {page, phone, links, widget} = await openList();
      for (const href of ['http://shop.example/', 'https://localhost/', 'https://127.0.0.1:8443/', location.href]) {
        await page.settled(Object.assign(phone, {page: href}));
        expect(links(), href).to.deep.equal([]);
      }
      await page.settled(Object.assign(phone, {page: PAGE}));
      expect(links()).to.have.length(1);
      const frame = document.body.appendChild(document.createElement('iframe'));
      frame.contentDocument!.body.append(widget);
      await page.settled(phone.requestUpdate());
      expect(links(), 'in a frame').to.deep.equal([]);
      frame.remove();
      expect((await openList({}, 'deposit-rejected')).links(), 'for an order').to.deep.equal([]);
    }));
});
