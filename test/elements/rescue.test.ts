import {expect, fixture, html} from '@open-wc/testing';
import {openerLink} from '../../src/elements/order/keep.js';
import type {QrCode} from '../../src/elements/order/deposit/qr-code.js';
import {waitUntil} from '../support/page.js';
import {show, whatIsPrinted} from '../support/show.js';

describe('The rescue file of an order', () => {
  it('is a link while the money is under way, which opens a code and a file', async () => {
    const page = await show('progress-settling');
    expect(page.widget.fake.calls.some(([name]) => name === 'rescueFile')).to.equal(false);
    await page.press('Backup file');
    await waitUntil(() => page.text.includes('can be taken back from the network'), 'nothing is shown');

    expect(page.text).to.include('It contains no key or password. It opens with swap-widget/dist/rescue.html.');
    const [code] = page.findAll<QrCode>('swap-widget-qr-code');
    expect(code?.text).to.contain('"rescue":1');
    await waitUntil(() => code?.shadowRoot?.querySelector('svg') ?? false, 'there is no code');
    await expect(page.widget).to.be.accessible();
  });

  it('links to the page that opens it, once that is published', async () => {
    const place = await fixture<HTMLElement>(html`<p>${openerLink('https://makers.example/pages/')}</p>`);
    const link = place.querySelector('a');
    expect(link?.href).to.equal('https://makers.example/pages/rescue.html');
    expect(link?.rel).to.equal('noreferrer noopener');
    expect(link?.textContent).to.equal('makers.example/pages/rescue.html');
  });

  it('is printed as a separate page: the code, and the same as text', async () => {
    const page = await show('progress-settling');
    await page.press('Backup file');
    await waitUntil(() => page.find('swap-widget-qr-code')?.shadowRoot?.querySelector('svg') ?? false, 'no code');
    const [paper] = await whatIsPrinted(() => page.press('Print'));
    const {text} = page.find<QrCode>('swap-widget-qr-code')!;
    expect(paper?.title).to.equal('Backup file');
    expect(paper?.body.textContent).to.include(
      'It contains no key or password. It opens with swap-widget/dist/rescue.html.',
    );
    expect(paper?.querySelector('code')?.textContent).to.equal(text);
    expect(paper?.querySelector('svg path')?.getAttribute('d')?.length).to.be.greaterThan(1_000);
    expect(paper?.querySelector('svg')?.getBoundingClientRect().width).to.be.greaterThan(200);
    expect(paper?.querySelector('script, [onclick], link, style')).to.equal(null);
  });

  it('has no code beside the payment’s code, except on paper', async () => {
    const page = await show('deposit-address');
    const codes = () => page.findAll('swap-widget-qr-code').filter(code => code.checkVisibility());
    expect(codes().length).to.equal(1);
    await page.press('Backup file');
    await waitUntil(() => page.button('Print'), 'nothing to print');
    // The service holds the keys of a Bitcoin address: the file alone returns nothing.
    expect(page.text).to.include('you can show the swap service what you paid').and.not.to.include('taken back from');
    expect(codes().length).to.equal(1);
    await waitUntil(
      () => page.findAll('swap-widget-qr-code').every(code => code.shadowRoot?.querySelector('svg')),
      'no code to print',
    );
    const [paper] = await whatIsPrinted(() => page.press('Print'));
    expect(paper?.querySelectorAll('svg').length).to.equal(1);
    expect(paper?.querySelector('code')?.textContent).to.contain('"rescue":1');
    await expect(page.widget).to.be.accessible();
  });

  it('is shown and hidden by the same button, which keeps the focus', async () => {
    const page = await show('deposit-address');
    page.find('.more > summary')!.click();
    const button = page.button('Backup file')!;
    button.focus();
    expect(button.ariaExpanded).to.equal('false');
    button.click();
    await waitUntil(() => page.button('Print'), 'nothing is shown');
    expect(page.button('Backup file')).to.equal(button);
    expect(button.ariaExpanded).to.equal('true');
    expect(button.matches(':focus')).to.equal(true);
    button.click();
    await waitUntil(() => !page.button('Print'), 'it is still shown');
    expect(button.ariaExpanded).to.equal('false');
  });

  it('belongs to the displayed order', async () => {
    const page = await show('deposit-address');
    await page.press('Backup file');
    await waitUntil(() => page.button('Print'), 'nothing is shown');
    page.find<HTMLElement & {order: string}>('swap-widget-rescue-file')!.order = 'another';
    await page.settled();
    expect(page.button('Print')).to.equal(undefined);
  });
});
