import {expect} from '@open-wc/testing';
import {render} from 'lit';
import {renderPayouts} from '../../demo/payouts.js';
import type {SandboxState} from '../../demo/wallets/sandbox.js';
import type {PayoutReport, PayoutWeek} from '../../src/payouts.js';

const ENDS = [1_000, 2_000, 3_000, 4_000];
const week = (at: number, more: Partial<PayoutWeek>): PayoutWeek => ({
  begins: at * 1_000,
  ends: ENDS[at],
  asset: 'base_sepolia:usdc',
  address: '0x3f1C000000000000000000000000000000009A07',
  owed: 1_200_000n,
  paid: 1_200_000n,
  carried: 0n,
  difference: 0n,
  verdict: 'paid',
  transfers: [],
  orders: [],
  decimals: 6,
  ...more,
});
const STATE = {
  clock: {speed: 0, weekEnds: ENDS},
  chains: {base_sepolia: {assets: {'base_sepolia:usdc': {symbol: 'USDC'}}}},
} as unknown as SandboxState;
const reportOf = (weeks: readonly PayoutWeek[]): PayoutReport => ({weeks, uncounted: [], toCSV: () => ''});

describe('the playground’s payouts', () => {
  let place: HTMLElement;
  beforeEach(() => {
    place = document.createElement('main');
    document.body.append(place);
  });
  afterEach(() => {
    place.remove();
  });
  const show = (weeks: readonly PayoutWeek[], end = () => {}, setFee?: () => void) => {
    render(renderPayouts({report: reportOf(weeks), state: STATE}, false, end, setFee), place);
  };
  const words = (selector: string) =>
    [...place.querySelectorAll(selector)].map(({textContent}) => textContent.replace(/\s+/g, ' ').trim());

  it('spell out what is missing, beside what was owed and paid', async () => {
    show([
      week(0, {}),
      week(1, {paid: 0n, difference: -1_200_000n, verdict: 'missing'}),
      week(2, {paid: 900_000n, difference: -300_000n, verdict: 'short'}),
      week(3, {paid: undefined, carried: undefined, difference: undefined, verdict: 'unread', why: 'Gone.'}),
      week(4, {ends: undefined, verdict: 'due', paid: undefined}),
    ]);
    expect(words('[role="status"]')).to.deep.equal([
      'Of the payouts, 1 is missing, 1 is short. Some could not be read.',
    ]);
    expect(words('h3')).to.deep.equal(['USDC on Base Sepolia']);
    expect(words('td:last-child')).to.deep.equal([
      '1.2 in full',
      '0 nothing came',
      '0.9 0.3 short',
      '– could not be read Gone.',
      '– the week goes on',
    ]);
    expect(words('tbody th').map(text => text[0])).to.deep.equal(['1', '2', '3', '4', '5']);
    await expect(place).to.be.accessible();
  });

  it('show how a week was made good, and how much was overpaid', () => {
    show([
      week(0, {paid: 0n, carried: 1_200_000n}),
      week(1, {paid: 2_400_000n, carried: -1_200_000n}),
      week(2, {paid: 1_200_005n, difference: 5n, verdict: 'over'}),
    ]);
    expect(words('td:last-child')).to.deep.equal([
      '0 paid by another week’s payout',
      '2.4 in full, with 1.2 for another week',
      '1.200005 0.000005 too much',
    ]);
  });

  it('explain how to earn something at first, and end the week once', async () => {
    let ended = 0;
    show([], () => ended++);
    expect(words('[role="status"]')[0]).to.match(/^Nothing was earned yet\./);
    place.querySelector('button')!.click();
    expect([ended, place.querySelectorAll('button').length]).to.deep.equal([1, 1]);
    await expect(place).to.be.accessible();
  });

  it('offer a fee as long as the page has none', async () => {
    let taken = 0;
    show([], undefined, () => taken++);
    expect(words('[role="status"]')).to.deep.equal([
      'Nothing was earned yet. Set a fee, complete a swap, and end the week.',
    ]);
    expect(words('button')).to.deep.equal(['Set a fee of 0.20%, paid to Field']);
    place.querySelector('button')!.click();
    expect(taken).to.equal(1);
    show([week(0, {})], undefined, () => taken++);
    expect(words('button')).to.deep.equal(['End the week', 'Save as CSV']);
    await expect(place).to.be.accessible();
  });
});
