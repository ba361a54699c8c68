/** Bitcoins that are paid by address, on a chain of the test's own. */
import {expect} from '@open-wc/testing';
import type {BitcoinWallet} from '../../demo/wallets/bitcoin.js';
import {beginCrossing, endCrossings, type Crossing, type CrossingSettings} from './crossing.js';
import {startSandbox, type TestSandbox} from './sandbox.js';
import {keyOf} from './widget-swap.js';

export const BTC = 'bitcoin_testnet:btc';
export const BITCOIN = 'bitcoin_testnet';
export const BASE_WBTC = 'base_sepolia:wbtc';
export const ETHEREUM_WBTC = 'ethereum_sepolia:wbtc';

/** What the tests of one file do on a sandbox of their own, which stands while they run. */
export interface BitcoinJourneys {
  readonly sandbox: () => TestSandbox;
  /** Somebody with bitcoins, and the widget's form. */
  begin(settings?: Partial<CrossingSettings>): Promise<Crossing>;
  /** The same, who was shown where to pay. */
  place(settings?: Partial<CrossingSettings>): Promise<{crossing: Crossing; address: string; amount: bigint}>;
  /** The same, who has paid; no block has come since. */
  pay(settings?: Partial<CrossingSettings>): Promise<{crossing: Crossing; address: string; hash: string}>;
}

/** Prepares the tests of a file. */
export function bitcoinJourneys(): BitcoinJourneys {
  let own: Awaited<ReturnType<typeof startSandbox>>;
  before(async function () {
    this.timeout(60_000);
    own = await startSandbox();
  });
  after(() => own.close());
  afterEach(endCrossings);

  const begin = (settings: Partial<CrossingSettings> = {}) =>
    beginCrossing({on: own, from: BTC, to: BASE_WBTC, amount: '0.01', ...settings});
  const place = async (settings: Partial<CrossingSettings> = {}) => {
    const crossing = await begin(settings);
    await crossing.place();
    return {crossing, ...(await crossing.untilAddress())};
  };
  const pay = async (settings: Partial<CrossingSettings> = {}) => {
    const {crossing, address} = await place(settings);
    const hash = await crossing.send();
    await crossing.untilStage('deposit-seen');
    return {crossing, address, hash};
  };
  return {sandbox: () => own, begin, place, pay};
}

/** The wallet of whoever pays, as its owner uses it without any page. */
export function walletOf({payer}: Crossing): BitcoinWallet {
  if (!('bumpFee' in payer)) throw new Error('Bitcoins are paid from a Bitcoin wallet.');
  return payer;
}

/** There is one order, however often somebody pressed or came back. */
export function expectOneOrder({orderIds}: Crossing): void {
  expect(orderIds).to.have.length(1);
  expect(Object.keys(localStorage).filter(key => key.includes('/order/'))).to.have.length(1);
}

/** Nothing that could be paid to: no address, no code, no link, no button that pays. */
export function expectNoAddress({page}: Pick<Crossing, 'page'>, address: string): void {
  const everything = page.findAll('*').flatMap(element => [
    ...[...element.attributes].map(({value}) => value),
    // In groups of four it is still an address.
    element.textContent?.replace(/\s/g, '') ?? '',
  ]);
  expect(everything.find(text => text.includes(address))).to.equal(undefined);
  expect(page.find('swap-widget-qr-code')?.localName).to.equal(undefined);
  expect(page.find('[href^="bitcoin:"]')?.localName).to.equal(undefined);
  expect(page.button(/^Pay |^Copy the address$/)?.localName).to.equal(undefined);
}

/** The address that an order was answered with, as the browser keeps it. */
export function keptAddress({orderId}: Pick<Crossing, 'orderId'>): string {
  const entry = JSON.parse(localStorage.getItem(keyOf(orderId)) ?? '') as {deposit: {address: string}};
  return entry.deposit.address;
}
