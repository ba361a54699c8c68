import type {SwapErrorCode} from '../../domain/error.js';

/** What went wrong, what it means for the money where that is always the same, and what helps. */
export interface ErrorWords {
  readonly what: string;
  /** Absent: it depends on where it happened (`money`). */
  readonly money?: string;
  readonly todo?: string;
}

/** The words for what can go wrong. */
export const errors = {
  retryingIn: (seconds: number) => `Trying again in ${String(seconds)} s.`,
  amountRange: (min: string, max: string, symbol: string) => `Enter between ${min} and ${max} ${symbol}.`,
  /** What an error means for the money, by where it happened. */
  money: {
    quote: 'Nothing was sent.',
    review: 'Nothing was paid.',
    wallet: 'Nothing was signed.',
    deposit: 'Nothing was paid.',
    signature: 'No signature left this page, so nothing was paid.',
    handed: 'What you signed may still be used.',
    revoke: 'The allowance may still be there.',
    transfer: 'The address is watched all the same.',
    progress: 'This is the last we know. Your swap goes on without this page.',
    refund: 'Your money stays where it is, and can still be taken back.',
  },
  errors: {
    config: {what: 'The settings of this swap are wrong.', todo: 'The site has to mend them.'},
    'no-route': {what: 'There is no way between these two.', todo: 'Choose another asset.'},
    'amount-range': {what: 'The service does not take this amount.', todo: 'Enter another one.'},
    'no-quote': {what: 'No solver offers a price at the moment.'},
    offline: {what: 'No connection.'},
    timeout: {what: 'The service does not answer.'},
    'rate-limited': {what: 'The service asks for a pause.'},
    service: {what: 'The service answers with an error.'},
    unreadable: {what: 'The service’s answer cannot be read.'},
    'deposit-mismatch': {what: 'This is not what you agreed to.', money: 'Nothing was signed.'},
    'order-changed': {what: 'The order is not the one you placed.'},
    'fees-changed': {what: 'The fees for partners are not the ones that were agreed.'},
    rejected: {what: 'You said no in the wallet.', todo: 'You can try again.'},
    'wallet-missing': {what: 'The wallet is no longer there.', todo: 'Open it, or connect another one.'},
    'wallet-locked': {what: 'The wallet is locked or busy.', todo: 'Open it, then try again.'},
    'wallet-unclear': {what: 'The wallet gave no clear answer.', money: 'The payment may have gone out.'},
    'wallet-failed': {what: 'The wallet did not do it.', todo: 'You can try again, or use another wallet.'},
    'wrong-network': {what: 'The wallet is on another chain.', todo: 'Change it there, then try again.'},
    'wrong-account': {what: 'The wallet uses another account.', todo: 'Change to the one you placed this swap with.'},
    'insufficient-funds': {what: 'There is not enough in the wallet.', todo: 'Think of the network fee too.'},
    'approval-failed': {what: 'The token was not released.', todo: 'You can try again.'},
    'funding-reverted': {what: 'The chain refuses this transaction.', todo: 'You can try again.'},
    expired: {what: 'The time to pay is over.', todo: 'Start again for a new price.'},
    held: {what: 'This site put the swap on hold.', todo: 'It can tell you why.'},
    paused: {what: 'New swaps are paused.', todo: 'Come back later.'},
    storage: {
      what: 'This browser keeps no record.',
      todo: 'Without one a swap could be lost. Leave private mode or make room.',
    },
  } as Record<SwapErrorCode, ErrorWords>,

  /** What an error says of one field, where that is more than its code says: `code field`. */
  fieldErrors: {
    'unreadable check': {what: 'The payment could not be checked here.', todo: 'You can try again.'},
    'config rpc': {what: 'This page cannot reach the chain.', todo: 'The site has to name a node for it.'},
  } as Readonly<Record<string, ErrorWords | undefined>>,

  /** What an error means while a wallet is being connected, where it differs from an error with money under way. */
  connectErrors: {
    config: {what: 'This site gave a wallet that cannot be used.', todo: 'The site has to mend it.'},
    timeout: {what: 'This wallet cannot be reached.', todo: 'Look at your connection, then try again.'},
    'wallet-missing': {what: 'No wallet came.', todo: 'Open it, or choose another one.'},
    'wallet-unclear': {what: 'The wallet gave no clear answer.', todo: 'Look for its window, or try again.'},
  } as Partial<Record<SwapErrorCode, ErrorWords>>,
};
