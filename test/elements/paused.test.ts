import {expect} from '@open-wc/testing';
import '../../src/define.js';
import {waitUntil} from '../support/page.js';

describe('A widget that is paused from the start', () => {
  it('says so, even as the first of its page', async () => {
    const widget = document.createElement('swap-widget');
    Object.assign(widget, {
      baseUrl: 'https://service.example/',
      from: 'base_sepolia:wbtc',
      to: 'ethereum_sepolia:wbtc',
      amount: '0.1',
      paused: true,
    });
    document.body.append(widget);
    const closed = () => widget.shadowRoot?.querySelector('swap-widget-closed-view')?.shadowRoot?.textContent;
    await waitUntil(() => closed()?.includes('New swaps are paused'));
    await expect(widget).to.be.accessible();
    widget.remove();
  });
});
