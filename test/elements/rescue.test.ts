import {expect} from '@open-wc/testing';
import type {QrCode} from '../../src/elements/order/deposit/qr-code.js';
import {waitUntil} from '../support/page.js';
import {show} from '../support/show.js';

describe('The rescue file of an order', () => {
  it('is a quiet link while the money is under way, and once it is pressed a code and a file', async () => {
    const page = await show('progress-settling');
    expect(page.widget.fake.calls.some(([name]) => name === 'rescueFile')).to.equal(false);
    await page.press('Rescue file');
    await waitUntil(() => page.text.includes('can be taken back from the network'), 'nothing is shown');

    const [code] = page.findAll<QrCode>('swap-widget-qr-code');
    expect(code?.text).to.contain('"rescue":1');
    await waitUntil(() => code?.shadowRoot?.querySelector('svg') ?? false, 'there is no code');
    await expect(page.widget).to.be.accessible();
  });

  it('is not offered for an order that this browser did not place', async () => {
    const page = await show('stranger');
    expect(page.text).not.to.contain('Rescue file');
  });
});
