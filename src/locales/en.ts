import type {ProblemCode} from '../domain/draft.js';
import type {SwapErrorCode} from '../domain/error.js';
import type {Stage} from '../domain/order.js';
import type {enLater} from './en-later.js';

const plurals = new Intl.PluralRules('en');

/** So many of something. */
export const count = (n: number, one: string, other: string) =>
  `${String(n)} ${plurals.select(n) === 'one' ? one : other}`;

/** What went wrong, what it means for the money where that is always the same, and what helps. */
export interface ErrorWords {
  readonly what: string;
  /** Absent: it depends on where it happened (`money`). */
  readonly money?: string;
  readonly todo?: string;
}

/**
 * The words of the first load: frame, form, errors. Where a sentence holds a figure, an address or a name, it is a
 * function; where that is set in its own type, the function answers the pieces of the sentence in their order.
 */
export const en = {
  // The frame
  swap: 'Swap',
  back: 'Back',
  close: 'Close',
  cancel: 'Cancel',
  testNetwork: 'Test network',
  yourSwaps: 'Your swaps',
  yourSwapsOpen: (open: number) => `Your swaps, ${String(open)} open`,
  notLoaded: 'This part could not be loaded.',
  tryAgain: 'Try again',
  tryNow: 'Try now',
  copied: 'Copied',
  stages: {
    editing: 'Not placed',
    reviewing: 'Review',
    ordering: 'Being placed',
    'awaiting-deposit': 'Waiting for your payment',
    funding: 'Waiting for your wallet',
    'deposit-seen': 'Payment seen',
    confirming: 'Confirming',
    settling: 'The other side pays',
    complete: 'Received',
    refunding: 'Coming back',
    refunded: 'Refunded',
    expired: 'Expired',
    stopped: 'Stopped',
  } satisfies Record<Stage, string>,

  // Amounts. The service names no currency; practice says US dollars.
  value: (amount: string) =>
    amount.startsWith('-')
      ? `−$${amount.slice(1).replace(/\B(?=(\d{3})+(?!\d))/g, ',')}`
      : `$${amount.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}`,
  percent: (text: string) => `${text}%`,
  to: <T>(address: T) => ['to ', address],
  from: <T>(address: T) => ['from ', address],

  // The form
  youPay: 'You pay',
  youReceive: 'You receive',
  choose: 'Choose',
  choosePay: 'You pay: choose an asset',
  chooseReceive: 'You receive: choose an asset',
  assetOf: (label: string, symbol: string, chain: string) => `${label}: ${symbol}, ${chain}`,
  max: 'Max',
  useAll: (amount: string) => `Max: ${amount}`,
  youHave: (amount: string, symbol: string) => `You have ${amount} ${symbol}.`,
  payFrom: 'Pay from',
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
  rate: (from: string, amount: string, to: string) => `1 ${from} = ${amount} ${to}`,
  otherWayRound: 'Show the other way round',
  quotes: (n: number) => count(n, 'quote', 'quotes'),
  quotesBestFirst: 'Quotes, best first',
  best: 'Best',
  networkAndExchange: 'Network and exchange',
  partnerFee: (percent: string) => `Partner fee ${percent}`,
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
    'enter-recipient': 'Enter where to receive',
    'checking-address': 'Checking the address',
    'not-an-address': 'Check the address',
  } satisfies Record<ProblemCode, string>,
  notANumber: 'This is not an amount',
  tooManyDecimals: (symbol: string, decimals: number) => `${symbol} has ${count(decimals, 'decimal', 'decimals')}`,
  notAnAddress: 'No address on this chain',

  // What can go wrong
  retryingIn: (seconds: number) => `Trying again in ${String(seconds)} s.`,
  amountRange: (min: string, max: string, symbol: string) => `Enter between ${min} and ${max} ${symbol}.`,
  /** What an error means for the money, by where it happened. */
  money: {
    quote: 'Nothing was sent.',
    review: 'Nothing was ordered that can be paid.',
    wallet: 'Nothing was signed.',
    deposit: 'Nothing was paid.',
    progress: 'This is the last we know. Your swap goes on without this page.',
    refund: 'Your money stays where it is, and can still be taken back.',
  },
  errors: {
    config: {what: 'The settings of this swap are wrong.', todo: 'The site has to mend them.'},
    'no-route': {what: 'There is no way between these two.', todo: 'Choose another asset.'},
    'amount-range': {what: 'The service does not take this amount.', todo: 'Enter another one.'},
    'no-quote': {what: 'Nobody offers a price at the moment.'},
    offline: {what: 'No connection.'},
    timeout: {what: 'The service does not answer.'},
    'rate-limited': {what: 'The service wants a pause.'},
    service: {what: 'The service answers with an error.'},
    unreadable: {what: 'The service’s answer cannot be read.'},
    'deposit-mismatch': {what: 'This is not what you agreed to.', money: 'Nothing was signed.'},
    'order-changed': {what: 'The order is not the one you placed.'},
    rejected: {what: 'You said no in the wallet.', todo: 'You can try again.'},
    'wallet-missing': {what: 'The wallet is not there any more.', todo: 'Open it, or connect another one.'},
    'wallet-locked': {what: 'The wallet is locked or busy.', todo: 'Open it, then try again.'},
    'wallet-unclear': {what: 'The wallet gave no clear answer.', money: 'The payment may have gone out.'},
    'wrong-network': {what: 'The wallet is on another chain.', todo: 'Change it there, then try again.'},
    'wrong-account': {what: 'The wallet uses another account.', todo: 'Change to the one you placed this swap with.'},
    'insufficient-funds': {what: 'There is not enough in the wallet.', todo: 'Think of the network fee too.'},
    'approval-failed': {what: 'The token was not released.', todo: 'You can try again.'},
    'funding-reverted': {
      what: 'The chain refused the payment.',
      money: 'It cost the network fee, nothing else.',
      todo: 'You can try again.',
    },
    expired: {what: 'The time to pay is over.', todo: 'Start again for a new price.'},
    held: {what: 'This site put the swap on hold.', todo: 'It can tell you why.'},
    paused: {what: 'New swaps are paused.', todo: 'Come back later.'},
    storage: {
      what: 'This browser keeps no record.',
      todo: 'Without one a swap could be lost. Leave private mode or make room.',
    },
  } as Record<SwapErrorCode, ErrorWords>,
};

/** The words that the form needs. */
export type FirstMessages = typeof en;

/** All words of the widget in one language. */
export type Messages = FirstMessages & typeof enLater;

/** Some of the words, to put others in their place. */
export type MessageOverrides = {
  readonly [K in keyof Messages]?: Messages[K] extends string | ((...args: never[]) => unknown)
    ? Messages[K]
    : Partial<Messages[K]>;
};

/** Words with some of them replaced. */
export function withOverrides<T extends object>(messages: T, overrides: MessageOverrides): T {
  const result = {...messages} as Record<string, unknown>;
  for (const [key, value] of Object.entries(overrides)) {
    const own = result[key];
    if (key in result) result[key] = typeof own === 'object' ? {...own, ...(value as object)} : value;
  }
  return result as T;
}
