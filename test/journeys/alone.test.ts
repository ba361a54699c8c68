/** A visitor who is not left alone: with a pair that is not offered, a swap in trouble, a wallet on another device. */
import {expect} from '@open-wc/testing';
import type {Phone} from '../../src/elements/pickers/phone.js';
import {beginCrossing, endCrossings, type CrossingSettings} from '../support/crossing.js';
import {TWO_SIDES} from '../support/ways.js';

const BASE_WBTC = 'base_sepolia:wbtc';
const ETHEREUM_WBTC = 'ethereum_sepolia:wbtc';
const STARKNET_WBTC = 'starknet_sepolia:wbtc';

const begin = (settings: Partial<CrossingSettings>) => beginCrossing({from: BASE_WBTC, to: ETHEREUM_WBTC, ...settings});

describe('A visitor', () => {
  afterEach(endCrossings);

  it('whose pair is not offered swaps the one that is proposed', async () => {
    const pairs = `${BASE_WBTC} > ${ETHEREUM_WBTC}, ${ETHEREUM_WBTC} > ${STARKNET_WBTC}`;
    const crossing = await begin({widget: {to: STARKNET_WBTC, pairs}});
    await crossing.untilSays('WBTC (Base Sepolia) → WBTC (Starknet Sepolia) isn’t offered.');
    await crossing.expectAccessible();
    await crossing.next(/^Use WBTC/);
    await crossing.place();
    await crossing.expectSwapped();
  });

  it('whose swap is stopped by a check can write to the site about it', async () => {
    const crossing = await begin({
      faults: {hostile: {kind: 'redeemer'}},
      widget: {support: 'mailto:help@shop.example'},
    });
    await crossing.place();
    await crossing.expectStopped(TWO_SIDES);
    const about = `Swap ID: ${crossing.orderId}`;
    const {href} = crossing.page.find<HTMLAnchorElement>('.help a')!;
    expect(decodeURIComponent(href)).to.equal(`mailto:help@shop.example?subject=${about}&body=${about}`);
    await crossing.expectAccessible();
  });

  it('continues on a phone with the same form, whose recipient is confirmed there', async () => {
    const before = location.href;
    const crossing = await begin({widget: {'url-sync': ''}});
    await crossing.page.typeAmount('0.01');
    await crossing.page.typeRecipient(crossing.recipient);
    await crossing.press(/^Connect a wallet to pay from$/);
    await crossing.page.untilThere('swap-widget-phone');
    Object.assign(crossing.page.find<Phone>('swap-widget-phone')!, {page: 'https://shop.example/swap'});
    const code = () => crossing.page.find('swap-widget-qr-code');
    await crossing.until(code, 'the code never came');
    const {search} = new URL(code()!.getAttribute('text')!);
    history.replaceState(null, '', search);
    try {
      await crossing.reload();
      expect(crossing.page.amount).to.equal('0.01');
      await crossing.connect();
      await crossing.untilSays('From the link that brought you here.');
      await crossing.next(/^Yes, send it there$/);
      await crossing.next(/^Review swap$/);
      await crossing.next(/^Place swap$/);
      await crossing.expectSwapped();
    } finally {
      history.replaceState(null, '', before);
    }
  });
});
