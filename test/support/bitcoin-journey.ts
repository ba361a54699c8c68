/** Swaps paid by Bitcoin address, on the test's own chain. */
import {expect} from '@open-wc/testing';
import type {BitcoinWallet} from '../../demo/wallets/bitcoin.js';
import {beginCrossing, endCrossings, type Crossing, type CrossingSettings} from './crossing.js';
import {startSandbox, type TestSandbox} from './sandbox.js';
import {keyOf} from './widget-swap.js';

export const BTC = 'bitcoin_testnet:btc';
export const BITCOIN = 'bitcoin_testnet';
export const BASE_WBTC = 'base_sepolia:wbtc';
export const ETHEREUM_WBTC = 'ethereum_sepolia:wbtc';

/** Helpers for the tests of one file, with their own sandbox. */
export interface BitcoinJourneys {
  readonly sandbox: () => TestSandbox;
  /** A person with bitcoin, and the widget's form. */
  begin(settings?: Partial<CrossingSettings>): Promise<Crossing>;
  /** The same, once the deposit address is shown. */
  place(settings?: Partial<CrossingSettings>): Promise<{crossing: Crossing; address: string; amount: bigint}>;
  /** The same, after an unconfirmed payment. */
  pay(settings?: Partial<CrossingSettings>): Promise<{crossing: Crossing; address: string; hash: string}>;
}

/** Sets up the tests of a file. */
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

/** The payer's wallet, as its owner uses it without a page. */
export function walletOf({payer}: Crossing): BitcoinWallet {
  if (!('bumpFee' in payer)) throw new Error('The payer has no Bitcoin wallet.');
  return payer;
}

/** Exactly one order was placed. */
export function expectOneOrder({orderIds}: Crossing): void {
  expect(orderIds).to.have.length(1);
  expect(Object.keys(localStorage).filter(key => key.includes('/order/'))).to.have.length(1);
}

/** The page shows nothing to pay to: no address, QR code, link or pay button. */
export function expectNoAddress({page}: Pick<Crossing, 'page'>, address: string): void {
  const everything = page.findAll('*').flatMap(element => [
    ...[...element.attributes].map(({value}) => value),
    // The address may be shown in groups of four.
    element.textContent?.replace(/\s/g, '') ?? '',
  ]);
  expect(everything.find(text => text.includes(address))).to.equal(undefined);
  expect(page.find('swap-widget-qr-code')?.localName).to.equal(undefined);
  expect(page.find('[href^="bitcoin:"]')?.localName).to.equal(undefined);
  expect(page.button(/^Pay |^Copy the address$/)?.localName).to.equal(undefined);
}

/** The deposit address of an order, from the browser's storage. */
export function keptAddress({orderId}: Pick<Crossing, 'orderId'>): string {
  const entry = JSON.parse(localStorage.getItem(keyOf(orderId)) ?? '') as {deposit: {address: string}};
  return entry.deposit.address;
}
