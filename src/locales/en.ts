import type {CheckName} from '../domain/deposit.js';
import type {ProblemCode} from '../domain/draft.js';
import type {SwapErrorCode} from '../domain/error.js';
import type {Stage} from '../domain/order.js';

const plurals = new Intl.PluralRules('en');
const count = (n: number, one: string, other: string) => `${String(n)} ${plurals.select(n) === 'one' ? one : other}`;

/** What went wrong, what it means for the money where that is always the same, and what helps. */
export interface ErrorWords {
  readonly what: string;
  /** Absent: it depends on where it happened (`money`). */
  readonly money?: string;
  readonly todo?: string;
}

/**
 * All words of the widget. Where a sentence holds a figure, an address or a name, it is a function; where that is set in
 * its own type, the function answers the pieces of the sentence in their order.
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
  loading: 'Loading',
  notLoaded: 'This part could not be loaded.',
  tryAgain: 'Try again',
  tryNow: 'Try now',
  copied: 'Copied',

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

  // Pickers
  searchAssets: (n: number) => `Search ${count(n, 'asset', 'assets')}`,
  assets: 'Assets',
  chain: 'Chain',
  all: 'All',
  noAssetFound: (text: string) => `No asset is called “${text}”.`,
  connectAWallet: 'Connect a wallet',
  connectFor: (symbol: string, chain: string) => `For ${symbol} on ${chain}. Connecting only shares your address.`,
  inThisBrowser: 'In this browser',
  withoutWallet: 'Without a wallet',
  enterAddress: 'Enter an address',
  enterAddressWhy: 'Paste where the money should go',
  installed: 'Installed',
  connected: 'Connected',
  disconnect: 'Disconnect',
  waitingFor: (wallet: string) => `Waiting for your answer in ${wallet}`,
  noWalletFound: 'No wallet found in this browser.',
  noWalletFoundTodo: 'Install one, or open this page in the browser of your wallet. Then come back here.',

  // The review
  review: 'Review',
  youReceiveAtLeast: 'You receive at least',
  atThisPrice: 'At this price',
  inAll: 'Costs in all',
  refundTo: 'A refund goes to',
  offeredBy: 'Offered by',
  payout: <T>(symbol: string, address: T) => [`${symbol} to `, address],
  placeSwap: 'Place swap',
  acceptPrice: 'Accept new price',
  placing: 'Placing your swap',
  walletIsNext: 'Your wallet asks you next',
  checkingAnswer: 'Checking what the service answers',
  priceMoved: 'The price moved.',
  priceMovedWhy: 'You would receive less than you agreed to. Nothing was ordered.',
  before: 'Before',
  now: 'Now',

  // The deposit
  sign: 'Sign',
  pay: 'Pay',
  placed: 'Placed',
  yourWallet: 'your wallet',
  revokeTitle: 'Take back an earlier allowance',
  revokeWhy: 'This token wants it before a new one.',
  approveTitle: (amount: string, symbol: string) => `Allow ${amount} ${symbol}`,
  approveWhy: 'A token must be released before it can be paid. Exactly this amount, nothing more.',
  signTitle: (wallet: string) => `Sign in ${wallet}`,
  signWhy: 'Free: the service pays the network fee.',
  sendTitle: (wallet: string) => `Confirm in ${wallet}`,
  sendWhy: 'Your wallet shows the network fee.',
  initiateTitle: 'The service sends your payment',
  initiateWhy: 'With your signature, at its own cost.',
  refundTitle: 'Take the money back',
  nothingMore: 'Nothing more to do',
  isSentTo: <T>(symbol: string, address: T) => [`Your ${symbol} goes to `, address],
  payWith: (wallet: string) => `Pay in ${wallet}`,
  revokeButton: (wallet: string) => `Take it back in ${wallet}`,
  waiting: (wallet: string) => `Waiting for ${wallet}`,
  waitingChain: 'Waiting for the chain',
  waitingService: 'Waiting for the service',
  openWallet: (wallet: string) => `Open ${wallet} to answer`,
  stepOf: (step: number, steps: number) => `Step ${String(step)} of ${String(steps)}`,
  sendInstead: 'Send it myself instead',
  signInstead: 'Sign instead, without a network fee',
  timeLeft: <T>(time: T) => [time, ' left'],
  refusedTitle: 'The service did not take your signature.',
  refusedBecause: (reason: string) => `It says: “${reason}”. Nothing was paid. Pay with a transaction of your own.`,
  unclearTitle: 'Did you confirm it?',
  unclearHeading: 'Did you confirm it in your wallet?',
  unclearWhy: (wallet: string) =>
    `${wallet} gave no clear answer, so the payment may have gone out. Look into its list of activity.`,
  unclearSeen: {
    none: (chain: string) => `Nothing has been seen on ${chain} so far.`,
    seen: (chain: string) => `A payment has been seen on ${chain}.`,
    reverted: (chain: string) => `${chain} refused the payment. Nothing was paid.`,
    unknown: (chain: string) => `${chain} cannot be read from here.`,
  },
  iConfirmed: 'Yes, I confirmed it',
  iDidNot: 'No, I did not',
  unclearRule: 'You can pay again only if nothing went out.',

  // The checks
  checksPassed: (n: number) => count(n, 'check passed', 'checks passed'),
  otherChecksPassed: (n: number) => count(n, 'other check passed', 'other checks passed'),
  checksUnchecked: (n: number) => `, ${String(n)} not possible`,
  passed: 'Passed:',
  failed: 'Failed:',
  unchecked: 'Not checked:',
  checking: 'Checking what you are asked for',
  checks: {
    amount: 'Amount',
    chain: 'Chain',
    contract: 'Contract',
    code: 'Contract is on this chain',
    token: 'Token',
    call: 'Pays into the swap only',
    same: 'What you sign is what is sent',
    value: 'No coins beside it',
    'typed-data': 'Form of the signature',
    order: 'Order is the one agreed',
    secret: 'Secret of the order',
    refund: 'Refund goes to you',
  } satisfies Record<CheckName, string>,
  checkFailed: {
    amount: 'The amount is not what you agreed to',
    chain: 'The chain is not the one you agreed to',
    contract: 'The contract is not the known one',
    code: 'There is no contract where one should be',
    token: 'The token is not the one you agreed to',
    call: 'The payment would do something else',
    same: 'Signature and payment do not say the same',
    value: 'The payment would take other coins too',
    'typed-data': 'The signature has an unknown form',
    order: 'The order is not the one you agreed to',
    secret: 'The order has another secret',
    refund: 'A refund would not go to you',
  } satisfies Record<CheckName, string>,
  stopped: 'Stopped',
  youAgreedToPay: 'You agreed to pay',
  youAgreedTo: 'You agreed to',
  serviceAsksFor: 'The service asks for',
  notAsked: 'Your wallet was not asked. No money moved.',
  notAskedAgain: 'Your wallet is not asked for the payment. No money moved.',
  nothingWasSigned: 'Nothing was signed',
  nothingWasPaid: 'Nothing was paid',
  youWouldHave: 'You would have received',
  startAgain: 'Start again',
  copyReport: 'Copy report',

  // The progress
  onItsWay: 'On its way',
  paymentSent: 'Payment sent',
  paymentSentWhy: 'Waiting for the chain to show it',
  signatureSent: 'Signature handed over',
  signatureSentWhy: 'The service sends your payment now',
  paymentSeen: 'Payment seen',
  confirming: 'Confirming',
  waitingForBlock: 'Waiting for a block',
  confirmations: (current: number, required: number) =>
    `${String(current)} of ${count(required, 'confirmation', 'confirmations')}`,
  confirmed: 'Confirmed',
  sending: (symbol: string) => `Sending your ${symbol}`,
  sent: (symbol: string) => `Your ${symbol} is on its way`,
  onChain: (chain: string) => `On ${chain}`,
  arrived: 'Arrived',
  movedBack: 'The payment left the chain again.',
  movedBackWhy: 'It was in a block that the chain gave up. It usually comes back by itself; this page keeps looking.',
  canClose: 'You can close this page',
  checkedJustNow: 'Checked just now',
  checkedSeconds: (seconds: number) => `Checked ${String(seconds)} s ago`,
  checkedMinutes: (minutes: number) => `Checked ${String(minutes)} min ago`,
  notCheckedYet: 'Not read yet',
  anotherSwap: 'Start another swap',
  readAgain: 'Read again',
  partly: (amount: string, whole: string, symbol: string) => `${amount} of ${whole} ${symbol} arrived.`,
  partlyWhy: 'The swap starts when all of it is there. What is missing does not come by itself.',

  // The ends
  received: 'Received',
  youPaid: 'You paid',
  youReceived: 'You received',
  took: 'Took',
  duration: (hours: number, minutes: number, seconds: number) =>
    hours
      ? `${String(hours)} h ${String(minutes)} min`
      : minutes
        ? `${String(minutes)} min ${String(seconds)} s`
        : `${String(seconds)} s`,
  paid: 'Paid',
  order: 'Order',
  alsoRefunded: 'Also refunded',
  newSwap: 'New swap',
  copyReceipt: 'Copy receipt',
  comingBack: 'Coming back',
  paymentConfirmed: 'Payment confirmed',
  otherDidNotPay: 'The other side did not pay',
  otherTookBack: 'The other side took its money back',
  notSpent: 'So your money is not spent.',
  refundOpens: (time: string) => `Refund opens at ${time}`,
  refundOpensLater: 'Refund opens later',
  refundOpensIn: (minutes: number) =>
    `In ${count(minutes, 'minute', 'minutes')}. After that, anyone can trigger it and it pays only you.`,
  refundOnceInBlock: 'Once the payment is in a block and its time lock is over.',
  refundOpen: 'Refund is open',
  refundOpenWhy: 'It pays only you. The service may do it too.',
  refundUnderWay: 'Refund on its way',
  refundFrom: (time: string) => `Refund from ${time}`,
  refundNow: 'Take the money back',
  refundWait: 'Refund opens later',
  youGetBack: 'You get back',
  youGotBack: 'You got back',
  refunded: 'Refunded',
  why: 'Why',
  otherDidNotPayInTime: 'The other side did not pay in time',
  tryAgainSwap: 'Try again',
  expired: 'Expired',
  notReceived: 'Not received',
  noPaymentBy: (time: string) => `No payment arrived by ${time}.`,
  doNotPayAnyMore: 'Do not pay for this swap any more.',
  alreadySent: 'Already sent it?',
  alreadySentWhy: <T>(address: T) => ['This page keeps looking. A late payment comes back to ', address, '.'],
  sameAmounts: 'Same amounts, new price',
  copyDetails: 'Copy details',
  strangerTitle: 'A swap to look at',
  stranger: 'This swap was not placed in this browser.',
  strangerWhy: 'You can look at it here, and not pay for it.',
  notPaidYet: 'Not paid yet',
  readingOrder: 'Reading the order',

  // The journal
  journalAll: 'All',
  journalOpen: 'Open',
  journalDone: 'Done',
  journalRefunded: 'Refunded',
  show: 'Show',
  earlier: 'Earlier',
  noSwaps: 'No swaps yet.',
  noSwapsHere: 'No swaps here.',
  noSwapsWhy: 'What you swap in this browser is listed here.',
  keptHere: 'Kept in this browser only',
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

  // Where nothing can start
  notSetUp: 'This swap is not set up yet',
  notSetUpWhy: 'The site has to complete its settings. There is nothing you can do here.',
  copyForSite: 'Copy for the site’s team',
  errorCode: (code: string) => `Error: ${code}`,
  paused: 'New swaps are paused',
  pausedWhy: 'The service is taking a break. Swaps that are under way go on, and refunds work as always.',
  seeYourSwaps: (open: number) => (open === 1 ? 'See your open swap' : 'See your open swaps'),

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

/** The words of the widget in one language. */
export type Messages = typeof en;

/** Some of the words, to put others in their place. */
export type MessageOverrides = {
  readonly [K in keyof Messages]?: Messages[K] extends string | ((...args: never[]) => unknown)
    ? Messages[K]
    : Partial<Messages[K]>;
};

/** The words with some of them replaced. */
export function withOverrides(messages: Messages, overrides: MessageOverrides): Messages {
  const result: Record<string, unknown> = {...messages};
  for (const [key, value] of Object.entries(overrides)) {
    const own = result[key];
    result[key] = typeof own === 'object' ? {...own, ...(value as object)} : value;
  }
  return result as Messages;
}
