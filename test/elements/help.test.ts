import {expect} from '@open-wc/testing';
import type {SwapSupportEvent} from '../../src/events.js';
import {change} from '../../src/session/shared.js';
import {show} from '../support/show.js';

/** A state of the gallery on a site with this address, if it has one, and the link to it. */
async function showWith(name: string, support: string | undefined = 'mailto:help@shop.example') {
  const page = await show(name);
  const {$settings} = page.widget.fake;
  await page.settled(change($settings, {config: {...$settings.get().config!, support}}));
  return {page, link: page.find<HTMLAnchorElement>('.help a')};
}

describe('Help from the site', () => {
  for (const name of ['checks-failed', 'expired-unseen', 'refunding', 'deposit-unclear', 'complete-less'])
    it(`is offered where a swap is in trouble: ${name}`, async () => {
      const {page, link} = await showWith(name);
      expect(link?.textContent.trim()).to.equal('Contact help@shop.example');
      expect(page.text).to.include('Staff never ask for a key or seed phrase.');
      await expect(page.widget).to.be.accessible();
    });

  const calm = [
    'deposit-address',
    'deposit-sign',
    'progress-settling',
    'complete',
    'refunded',
    'expired-read',
    'canceled',
  ];
  for (const name of calm)
    it(`is not offered elsewhere: ${name}`, async () => {
      expect((await showWith(name)).link).to.equal(undefined);
    });

  it('is not offered where the site named none', async () => {
    expect((await showWith('checks-failed', '')).page.text).not.to.include('Staff never ask');
  });

  it('is offered once the service has said nothing for five minutes', async () => {
    const {page, link} = await showWith('progress-bad-connection');
    expect(link).to.equal(undefined);
    const {$now} = page.widget.fake;
    await page.settled($now.set($now.get() + 2 * 60_000));
    expect(page.find('.help')).not.to.equal(undefined);
  });

  it('tells the page, which may open its own help', async () => {
    const {page, link} = await showWith('checks-failed');
    const asked: SwapSupportEvent[] = [];
    page.widget.addEventListener('swap-support', event => {
      if (asked.push(event) > 1) event.preventDefault();
    });
    const isKept: boolean[] = [];
    page.widget.addEventListener('click', event => {
      isKept.push(event.defaultPrevented);
      event.preventDefault();
    });
    link?.click();
    link?.click();
    expect(isKept).to.deep.equal([false, true]);
    const about = `Swap ID: ${asked[1]!.orderId}`;
    expect(decodeURIComponent(link!.href)).to.equal(`mailto:help@shop.example?subject=${about}&body=${about}`);
  });

  it('opens a web page in a tab of its own', async () => {
    const {link} = await showWith('checks-failed', 'https://desk.example/new');
    expect([link?.href, link?.target, link?.rel]).to.deep.equal(['https://desk.example/new', '_blank', 'noopener']);
  });
});
