import type {ProblemCode} from '../../domain/draft.js';

const plurals = new Intl.PluralRules('en');

/** So many of something. */
export const count = (n: number, one: string, other: string) =>
  `${String(n)} ${plurals.select(n) === 'one' ? one : other}`;

/**
 * The words of the first load: frame and form. Where a sentence holds a figure, an address or a name, it is a
 * function; where that is set in its own type, the function answers the pieces of the sentence in their order.
 */
export const form = {
  // The frame
  swap: 'Swap',
  back: 'Back',
  testNetwork: 'Test network',
  yourSwaps: 'Your swaps',
  yourSwapsOpen: (open: number) => `Your swaps, ${String(open)} open`,
  notLoaded: 'This part could not be loaded.',
  tryAgain: 'Try again',
  tryNow: 'Try now',

  // Amounts. The service names no currency; in practice they are US dollars.
  value: (amount: string, currency = 'USD') =>
    new Intl.NumberFormat('en', {style: 'currency', currency, minimumFractionDigits: 2})
      .format(amount as `${number}`)
      .replace('-', '−'),

  // The form
  youPay: 'You pay',
  youReceive: 'You receive',
  choose: 'Choose',
  choosePay: 'You pay: choose an asset',
  chooseReceive: 'You receive: choose an asset',
  assetOf: (label: string, symbol: string, chain: string) => `${label}: ${symbol}, ${chain}`,
  payFrom: 'Pay from',
  refundAddress: 'Refund address',
  ownWallet: 'Your own, not an exchange’s',
  receiveAt: 'Receive at',
  addressOn: (chain: string) => `${chain} address`,
  chooseFirst: 'Choose what to receive first',
  noWallet: 'No wallet connected',
  connect: 'Connect',
  change: 'Change',
  changePayer: 'Change the wallet you pay from',
  changeRecipient: 'Change where you receive',
  connectPayer: 'Connect a wallet to pay from',
  connectRecipient: 'Connect a wallet to receive with',
  flip: 'Swap the two sides',
  priceAppears: 'The price appears here',
  noPrice: 'No price right now',
  reviewSwap: 'Review swap',
  nothingSigned: 'Nothing is signed yet',
  gettingPrice: 'Getting a price',
  newPriceIn: <T>(time: T) => ['New price in ', time],
  problems: {
    'choose-from': 'Choose what to pay',
    'choose-to': 'Choose what to receive',
    'same-asset': 'Choose two different assets',
    'enter-amount': 'Enter an amount',
    'not-a-number': 'Enter an amount in digits',
    'too-many-decimals': 'Enter fewer decimals',
    connect: 'Connect a wallet',
    'enter-refund': 'Enter a refund address',
    'confirm-refund': 'Confirm the refund address',
    'enter-recipient': 'Enter where to receive',
    'confirm-recipient': 'Confirm where to receive',
    'checking-address': 'Checking the address',
    'not-an-address': 'Check the address',
    'a-contract': 'Check the address',
  } satisfies Record<ProblemCode, string>,
};
