import type {Account, Wallet} from '../../src/chains/adapter.js';
import {formatAmount} from '../../src/domain/amount.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {
  reportOf,
  type Agreement,
  type WalletRequest,
  type CheckName,
  type CheckReport,
  type Deal,
} from '../../src/domain/deposit.js';
import type {NameReading, Problem} from '../../src/domain/draft.js';
import {SwapError} from '../../src/domain/error.js';
import {addSeen, type ChargedFee, type Leg, type Order} from '../../src/domain/order.js';
import type {Stage} from '../../src/domain/stage.js';
import type {Quote, Quotes} from '../../src/domain/quote.js';
import {failed, pending, ready, valueOf} from '../../src/domain/remote.js';
import type {JournalEntry} from '../../src/session/order/journal.js';
import type {FakeSession} from './fake-session.js';
import {NOON} from './swap.js';

/** The attributes of every example. */
export const ATTRIBUTES = {
  'base-url': 'https://service.example',
  assets: 'base_sepolia:wbtc base_sepolia:usdc base_sepolia:usdt ethereum_sepolia:wbtc ethereum_sepolia:usdc',
  from: 'base_sepolia:wbtc',
  to: 'ethereum_sepolia:wbtc',
};

const MINUTE = 60_000;
const catalogue = createCatalogue({known: ALL_KNOWN, families: ['evm'], hints: ['base_sepolia:wbtc']});
const from = catalogue.find('base_sepolia:wbtc')!;
const to = catalogue.find('ethereum_sepolia:wbtc')!;
const usdc = catalogue.find('base_sepolia:usdc')!;

export const PAYER = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
export const RECIPIENT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const hash = (letter: string) => `0x${letter.repeat(64)}`;

export const harbor: Wallet = {
  id: 'dev.harbor',
  family: 'evm',
  name: 'Harbor',
  connect: () => Promise.reject(new SwapError('rejected')),
};
const field: Wallet = {...harbor, id: 'dev.field', name: 'Field Wallet'};
const account: Account = {family: 'evm', address: PAYER, wallet: harbor, watch: () => undefined};

const offer = (amount: bigint, display: string, value: string, solverId: string): Quote => ({
  source: {asset: from.id, amount: 10_000_000n, display: '0.1', value: '6512.4'},
  destination: {asset: to.id, amount, display, value},
  solverId,
});
const best = offer(9_940_130n, '0.0994013', '6473.42', 'solver-north');
const request = {from, to, amount: 10_000_000n, affiliateBps: 0};

export const oneQuote: Quotes = {request, offers: [best], at: NOON - 6_000};
export const threeQuotes: Quotes = {
  request,
  at: NOON - 6_000,
  offers: [
    best,
    offer(9_935_200n, '0.099352', '6470.21', 'solver-south'),
    offer(9_910_840n, '0.0991084', '6454.35', 'solver-west'),
  ],
};

export const agreed: Agreement = {
  from,
  to,
  amount: 10_000_000n,
  receive: 9_940_130n,
  atLeast: 9_890_430n,
  owner: PAYER,
  recipient: RECIPIENT,
  affiliateFees: [],
  solverId: 'solver-north',
};

const deal: Deal = {
  orderId: '9f3c5b1e7a20d4c86f1be21a',
  agreed,
  policy: {requirePins: false},
  deposit: {
    how: 'wallet',
    ways: ['signature', 'transaction'],
    payload: {
      family: 'evm',
      transaction: {to: from.contracts[0]!, value: 0n, data: '0x97ffc7ae', gasLimit: 200_000n, chainId: 84532},
    },
  },
};

const CHECKS: readonly [CheckName, string][] = [
  ['amount', '0.1 WBTC'],
  ['chain', 'Base Sepolia'],
  ['contract', from.contracts[0]!],
  ['code', 'Yes'],
  ['token', from.token!],
  ['call', 'Yes'],
  ['same', 'Same'],
  ['value', 'Nothing'],
  ['refund', PAYER],
];
const passed = reportOf(CHECKS.map(([name, found]) => ({name, outcome: 'passed', expected: found, found})));
export const failedReport = reportOf(
  CHECKS.map(([name, found]) =>
    name === 'amount'
      ? {name, outcome: 'failed', expected: '0.1 WBTC', found: '0.2 WBTC'}
      : {name, outcome: 'passed', expected: found, found},
  ),
);

const leg = (change: Partial<Leg>): Leg => ({
  swapId: '7b1e09d2',
  chain: 'base_sepolia',
  asset: from.id,
  initiator: PAYER,
  redeemer: '0x1111111111111111111111111111111111111111',
  timelock: 300,
  amount: 10_000_000n,
  filled: 0n,
  secretHash: 'ab'.repeat(32),
  secret: '',
  confirmations: {current: 0, required: 3},
  ...change,
});

const order = (source: Partial<Leg> = {}, destination: Partial<Leg> = {}): Order => ({
  id: deal.orderId,
  createdAt: NOON - 25 * MINUTE,
  nonce: '1795269600000',
  affiliateFees: [],
  version: 'v2',
  source: leg(source),
  destination: leg({
    chain: 'ethereum_sepolia',
    asset: to.id,
    initiator: '0x1111111111111111111111111111111111111111',
    redeemer: RECIPIENT,
    amount: 9_940_130n,
    ...destination,
  }),
});

const paid: Partial<Leg> = {
  filled: 10_000_000n,
  initiated: {hashes: [hash('7')], block: 100n, at: NOON - 22 * MINUTE},
};

/** Fills in the form with everything that a price needs. */
function quoted(session: FakeSession, quotes = oneQuote) {
  session.$draft.set({from: from.id, to: to.id, amount: '0.1', recipient: '', refundAddress: ''});
  session.$accounts.set({evm: account});
  session.$balance.set(ready(42_180_000n));
  session.$request.set(request);
  session.$problem.set(undefined);
  session.$quote.set(ready(quotes));
  session.$offer.set(quotes.offers[0]);
  session.$nextQuoteAt.set(NOON + 24_000);
}

const NAME = 'alice.eth';

/** A name stands in the field of the recipient. */
function named(session: FakeSession, name: NameReading, problem: Pick<Problem, 'code' | 'remedy'>) {
  session.$draft.set({...session.$draft.get(), recipient: NAME});
  session.$problem.set({...problem, field: 'recipient', name});
}

/** Pays in the coin that also pays the fee. */
function paidInEther(session: FakeSession, amount: bigint) {
  quoted(session);
  const ether = catalogue.find('ethereum_sepolia:eth')!;
  const wrapped = {from: ether, to: from, amount, affiliateBps: 0};
  const price: Quote = {
    source: {asset: ether.id, amount, display: formatAmount(amount, 18), value: '1624.35'},
    destination: {asset: from.id, amount: 2_490_000n, display: '0.0249', value: '1618.10'},
    solverId: 'solver-north',
  };
  session.$config.set({...session.$config.get()!, catalogue});
  session.$draft.set({from: ether.id, to: from.id, amount: formatAmount(amount, 18), recipient: '', refundAddress: ''});
  session.$balance.set(ready(500_000_000_000_000_000n));
  session.$reserve.set(200_000_000_000_000n);
  session.$request.set(wrapped);
  session.$quote.set(ready({request: wrapped, offers: [price], at: NOON - 6_000}));
  session.$offer.set(price);
}

function reviewing(session: FakeSession, agreement: Agreement = agreed) {
  quoted(session);
  session.$view.set('review');
  session.$stage.set('reviewing');
  session.$agreement.set(agreement);
}

function placed(session: FakeSession, stage: Stage, {report = passed, mine = true} = {}) {
  quoted(session);
  session.$view.set('order');
  session.$stage.set(stage);
  session.$readAt.set(NOON - 4_000);
  session.$order.set(
    ready({
      id: deal.orderId,
      placedAt: NOON - 25 * MINUTE,
      payUntil: NOON + 35 * MINUTE - 5_000,
      ...(mine ? {deal, report} : {}),
    }),
  );
  if (mine) session.$journal.set([entry(stage, 25)]);
}

const entry = (stage: Stage, minutes: number, agreement: Agreement = agreed, id = deal.orderId): JournalEntry => ({
  orderId: id,
  placedAt: NOON - minutes * MINUTE,
  agreed: agreement,
  deposit: deal.deposit,
  walletRequests: [],
  stage,
});

/** What two partners get of an order, as agreed. */
const PAYOUTS: readonly ChargedFee[] = [
  {asset: 'base_sepolia:usdc', address: '0x5a2f0000000000000000000000000000000091c4', bps: 10, amount: 6_512_400n},
  {asset: 'ethereum_sepolia:usdc', address: '0x8e010000000000000000000000000000000077ab', bps: 20, amount: 13_024_800n},
];

/** Sets what the order on the screen says that partners get. */
function charged(session: FakeSession, affiliateFees: readonly ChargedFee[]) {
  const placed = valueOf(session.$order.get())!;
  const deal = placed.deal!;
  const fees = PAYOUTS.map(({asset, address, bps}) => ({asset: asset!, address: address!, bps: bps!}));
  session.$order.set(ready({...placed, deal: {...deal, agreed: {...deal.agreed, affiliateFees: fees}}}));
  session.$status.set(ready({...(valueOf(session.$status.get()) ?? order()), affiliateFees}));
}

const ask = (kind: WalletRequest['kind'], state: WalletRequest['state']): WalletRequest => ({
  kind,
  state,
  at: NOON - MINUTE,
});

/** An order whose signature was handed to the service, which refused it in words. */
const handedOver = (id: string): JournalEntry => ({
  ...entry('expired', 90, agreed, id),
  walletRequests: [ask('sign', 'signed'), ask('initiate', 'refused')],
});

/* -- A swap that is paid to an address ------------------------------------------------------------------------------- */

const bitcoinCatalogue = createCatalogue({
  known: ALL_KNOWN,
  families: ['bitcoin', 'evm'],
  hints: ['bitcoin_testnet:btc'],
});
const btc = bitcoinCatalogue.find('bitcoin_testnet:btc')!;

/** An address from BIP-173, and a pay-to-taproot one from BIP-350. */
export const REFUND_ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
/** The same on the main network. */
const MAIN_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
export const DEPOSIT_ADDRESS = 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c';
const BTC_HASH = '7b1e09d2'.repeat(8);

const agreedTransfer: Agreement = {
  ...agreed,
  from: btc,
  to: from,
  amount: 1_000_000n,
  receive: 994_013n,
  atLeast: 989_043n,
  owner: REFUND_ADDRESS,
};
const transferDeal: Deal = {
  ...deal,
  agreed: agreedTransfer,
  deposit: {how: 'transfer', address: DEPOSIT_ADDRESS, amount: 1_000_000n},
};
const transferChecks = reportOf([
  {name: 'amount', outcome: 'passed', found: '0.01 BTC'},
  {name: 'chain', outcome: 'passed', found: 'Bitcoin Testnet'},
  {name: 'script', outcome: 'passed', found: DEPOSIT_ADDRESS},
  {name: 'order', outcome: 'passed'},
  {name: 'refund', outcome: 'passed', found: REFUND_ADDRESS},
]);
export const transferFailed = reportOf([
  {name: 'amount', outcome: 'passed', found: '0.01 BTC'},
  {name: 'script', outcome: 'failed', expected: DEPOSIT_ADDRESS, found: REFUND_ADDRESS},
]);

/** An order that is paid to an address, and how far the payment has come. */
export const transferOrder = (source: Partial<Leg> = {}, destination: Partial<Leg> = {}): Order => {
  const placedOrder = order({}, {chain: 'base_sepolia', asset: from.id, amount: 994_013n, ...destination});
  return {
    ...placedOrder,
    createdAt: NOON - 25 * MINUTE,
    source: leg({
      swapId: DEPOSIT_ADDRESS,
      chain: 'bitcoin_testnet',
      asset: btc.id,
      initiator: REFUND_ADDRESS,
      timelock: 144,
      amount: 1_000_000n,
      confirmations: {current: 0, required: 2},
      ...source,
    }),
  };
};

const seen = (filled: bigint, hash = BTC_HASH): Partial<Leg> => ({filled, initiated: {hashes: [hash]}});
const inBlock = (filled: bigint, current: number, at = NOON - 12 * MINUTE): Partial<Leg> => ({
  filled,
  initiated: {hashes: [BTC_HASH], block: 900n, at},
  confirmations: {current, required: 2},
});

function transfer(session: FakeSession, refundAddress = REFUND_ADDRESS) {
  quoted(session);
  session.$config.set({...session.$config.get()!, catalogue: bitcoinCatalogue});
  session.$accounts.set({});
  session.$balance.set({state: 'idle'});
  session.$draft.set({from: btc.id, to: from.id, amount: '0.01', recipient: RECIPIENT, refundAddress});
  const request = {from: btc, to: from, amount: 1_000_000n, affiliateBps: 0};
  const best: Quote = {
    source: {asset: btc.id, amount: 1_000_000n, display: '0.01', value: '651.24'},
    destination: {asset: from.id, amount: 994_013n, display: '0.00994013', value: '647.34'},
    solverId: 'solver-north',
  };
  session.$request.set(request);
  session.$quote.set(ready({request, offers: [best], at: NOON - 6_000}));
  session.$offer.set(best);
}

function placedTransfer(
  session: FakeSession,
  stage: Stage,
  source: Partial<Leg> = {},
  {report = transferChecks, minutes = 25}: {report?: CheckReport | 'none'; minutes?: number} = {},
) {
  placed(session, stage);
  transfer(session);
  session.$order.set(
    ready({
      id: deal.orderId,
      placedAt: NOON - minutes * MINUTE,
      payUntil: NOON + (60 - minutes) * MINUTE - 5_000,
      deal: transferDeal,
      ...(report !== 'none' && {report}),
    }),
  );
  const read = {...transferOrder(source), createdAt: NOON - minutes * MINUTE};
  const seen = addSeen(undefined, read.source);
  session.$journal.set([{...entry(stage, minutes, agreedTransfer), ...(seen && {seen})}]);
  session.$status.set(ready(read));
}

/** A secret of 32 zero bytes, and its hash. */
const SECRET = '00'.repeat(32);
const SECRET_HASH = '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925';

/** A swap whose payment and payout were seen on their chains. */
function completeOnChain(session: FakeSession, amount = 9_940_130n) {
  placed(session, 'complete');
  const redeemed = {hashes: [hash('c')], block: 210n, at: NOON - 3 * MINUTE, onChain: true as const};
  session.$status.set(
    ready(
      order(
        {...paid, initiated: {...paid.initiated!, onChain: true}, secretHash: SECRET_HASH, assetPrice: 65_124},
        {redeemed, secretHash: SECRET_HASH, assetPrice: 65_124},
      ),
    ),
  );
  session.$chain.set({
    deposit: {state: 'seen', amount: 10_000_000n, hashes: [hash('7')], block: 100n, isHeld: false},
    payout: {amount, block: 210n, secret: SECRET},
  });
}

/** Each state that a person can see, by what the session's stores hold. */
export const STATES: Readonly<Record<string, (session: FakeSession) => void>> = {
  'form-empty': session => {
    session.$draft.set({from: from.id, to: '', amount: '', recipient: '', refundAddress: ''});
    session.$problem.set({code: 'choose-to', field: 'to', remedy: 'press'});
  },
  'form-no-amount': session => {
    session.$draft.set({from: from.id, to: to.id, amount: '', recipient: '', refundAddress: ''});
  },
  'form-quoting': session => {
    quoted(session);
    session.$quote.set(pending());
    session.$offer.set(undefined);
    session.$nextQuoteAt.set(undefined);
  },
  'form-quoted': quoted,
  'form-not-connected': session => {
    quoted(session);
    session.$accounts.set({});
    session.$problem.set({code: 'connect', field: 'account', remedy: 'press'});
  },
  'form-several-quotes': session => {
    quoted(session, threeQuotes);
  },
  'form-not-enough': session => {
    quoted(session);
    session.$draft.set({...session.$draft.get(), amount: '4.5'});
    session.$request.set({...request, amount: 450_000_000n});
    session.$problem.set({code: 'not-enough', field: 'amount', remedy: 'press', use: 42_180_000n});
  },
  'form-nothing-there': session => {
    quoted(session);
    session.$balance.set(ready(0n));
    session.$problem.set({code: 'not-enough', field: 'amount', remedy: 'correct'});
  },
  'form-offline': session => {
    quoted(session);
    session.$quote.set(failed(new SwapError('offline'), oneQuote));
    session.$nextQuoteAt.set(undefined);
    session.$problem.set({code: 'offline', field: 'amount', remedy: 'wait'});
  },
  'form-offline-at-first': session => {
    quoted(session);
    session.$quote.set(failed(new SwapError('offline')));
    session.$offer.set(undefined);
    session.$nextQuoteAt.set(undefined);
    session.$problem.set({code: 'offline', field: 'amount', remedy: 'wait'});
  },
  'form-cost-high': session => {
    const dear = offer(9_140_130n, '0.0914013', '5952.40', 'solver-north');
    quoted(session, {...oneQuote, offers: [dear]});
    const cost = {total: 56_000n, network: 56_000n, shares: [], bps: 860};
    session.$problem.set({code: 'confirm-cost', field: 'amount', remedy: 'press', cost});
  },
  'form-partner-fee': session => {
    quoted(session);
    const affiliateFees = [{asset: usdc.id, address: PAYER, bps: 30}];
    session.$config.set({...session.$config.get()!, affiliateFees});
  },
  'form-too-many-decimals': session => {
    quoted(session);
    session.$draft.set({...session.$draft.get(), amount: '0.1234567891'});
    session.$request.set({code: 'too-many-decimals', field: 'amount', remedy: 'correct'});
    session.$problem.set({code: 'too-many-decimals', field: 'amount', remedy: 'correct'});
    session.$quote.set({state: 'idle'});
    session.$offer.set(undefined);
  },
  'form-not-an-address': session => {
    quoted(session);
    session.$draft.set({...session.$draft.get(), recipient: 'tb1q9x3k7vvpw4y0xqflzl2r6u5d8ua6fk9c4'});
    session.$problem.set({code: 'not-an-address', field: 'recipient', remedy: 'correct'});
  },
  'form-transfer': session => {
    transfer(session);
  },
  'form-refund-empty': session => {
    transfer(session, '');
    session.$problem.set({code: 'enter-refund', field: 'refundAddress', remedy: 'type'});
  },
  'form-refund-bad': session => {
    transfer(session, PAYER);
    session.$problem.set({code: 'not-an-address', field: 'refundAddress', remedy: 'correct'});
  },
  'form-refund-of-other-network': session => {
    transfer(session, MAIN_ADDRESS);
    session.$problem.set({code: 'not-an-address', field: 'refundAddress', remedy: 'correct', network: 'Bitcoin'});
  },
  'form-wallet-on-other-network': session => {
    transfer(session, '');
    session.$accounts.set({bitcoin: {...account, family: 'bitcoin', address: MAIN_ADDRESS}});
    session.$problem.set({code: 'not-an-address', field: 'refundAddress', remedy: 'correct', network: 'Bitcoin'});
  },
  'form-refund-confirm': session => {
    transfer(session);
    session.$problem.set({code: 'confirm-refund', field: 'refundAddress', remedy: 'press'});
  },
  'form-amount-unclear': session => {
    quoted(session);
    session.$draft.set({...session.$draft.get(), amount: '1,000'});
    session.$request.set({code: 'not-a-number', field: 'amount', remedy: 'correct'});
    session.$problem.set({code: 'not-a-number', field: 'amount', remedy: 'correct'});
    session.$quote.set({state: 'idle'});
    session.$offer.set(undefined);
  },
  'form-fee-kept': session => {
    paidInEther(session, 499_800_000_000_000_000n);
  },
  'form-fee-missing': session => {
    paidInEther(session, 499_900_000_000_000_000n);
  },
  'form-a-contract': session => {
    quoted(session);
    session.$draft.set({...session.$draft.get(), recipient: to.contracts[0]!});
    session.$problem.set({code: 'a-contract', field: 'recipient', remedy: 'correct'});
  },
  'form-recipient-given': session => {
    quoted(session);
    session.$config.set({...session.$config.get()!, prefill: {recipient: RECIPIENT}});
    session.$draft.set({...session.$draft.get(), recipient: RECIPIENT});
    session.$problem.set({code: 'confirm-recipient', field: 'recipient', remedy: 'press'});
  },
  'form-recipient-other': session => {
    quoted(session);
    session.$draft.set({...session.$draft.get(), recipient: RECIPIENT});
    session.$problem.set({code: 'confirm-recipient', field: 'recipient', remedy: 'press'});
  },
  'form-smart-account': session => {
    quoted(session);
    session.$problem.set({code: 'confirm-recipient', field: 'recipient', remedy: 'press', why: 'smart-account'});
  },
  'form-recipient-contract': session => {
    quoted(session);
    session.$draft.set({...session.$draft.get(), recipient: RECIPIENT});
    session.$problem.set({code: 'confirm-recipient', field: 'recipient', remedy: 'press', why: 'contract'});
  },
  'form-recipient-name': session => {
    quoted(session);
    named(session, {name: NAME, address: RECIPIENT}, {code: 'confirm-recipient', remedy: 'press'});
  },
  'form-name-without-address': session => {
    quoted(session);
    named(session, {name: NAME, fault: 'no-address'}, {code: 'not-an-address', remedy: 'correct'});
  },
  'form-name-unread': session => {
    quoted(session);
    named(session, {name: NAME, fault: 'unread'}, {code: 'name-unread', remedy: 'press'});
  },
  'form-usual-amounts': session => {
    quoted(session);
    session.$limits.set({[from.id]: {min: 50_000n, max: 9_000_000n}});
  },
  'form-estimate': session => {
    quoted(session);
    session.$offer.set({...best, estimatedSeconds: 1_140});
  },
  'form-service-error': session => {
    quoted(session);
    session.$quote.set(failed(new SwapError('timeout')));
    session.$offer.set(undefined);
    session.$nextQuoteAt.set(NOON + 8_000);
  },
  'form-amount-range': session => {
    quoted(session);
    session.$quote.set(failed(new SwapError('amount-range', {range: {min: 10_000n, max: 5_000_000n}})));
    session.$offer.set(undefined);
    session.$nextQuoteAt.set(undefined);
    session.$problem.set({code: 'amount-range', field: 'amount', remedy: 'press', use: 5_000_000n});
  },
  'form-amount-refused': session => {
    quoted(session);
    session.$quote.set(failed(new SwapError('amount-range')));
    session.$offer.set(undefined);
    session.$nextQuoteAt.set(undefined);
    session.$problem.set({code: 'amount-range', field: 'amount', remedy: 'correct'});
  },
  review: session => {
    reviewing(session);
  },
  'review-two-payees': session => {
    reviewing(session, {
      ...agreed,
      affiliateFees: [
        {asset: 'base_sepolia:usdc', address: '0x5a2f0000000000000000000000000000000091c4', bps: 10},
        {asset: 'base:cbbtc', address: '0x8e010000000000000000000000000000000077ab', bps: 20},
      ],
    });
  },
  'review-price-moved': session => {
    reviewing(session, {...agreed, atLeast: 9_909_090n});
    session.$moved.set({before: 9_940_130n, now: 9_909_090n});
  },
  'review-several-quotes': session => {
    reviewing(session, {...agreed, receive: 9_935_200n, solverId: 'solver-south'});
    session.$quote.set(ready(threeQuotes));
    session.$offer.set(threeQuotes.offers[1]);
  },
  'review-wallet-asks': session => {
    reviewing(session);
    session.$foresight.set({moves: true, plan: ['approve', 'sign']});
  },
  'review-own-recipient': session => {
    reviewing(session, {...agreed, recipient: PAYER});
    session.$foresight.set({moves: false, plan: ['send']});
  },
  'review-estimate': session => {
    reviewing(session);
    session.$offer.set({...best, estimatedSeconds: 9_000});
  },
  'review-placing': session => {
    reviewing(session);
    session.$stage.set('ordering');
    session.$order.set(pending());
  },
  'review-refused': session => {
    reviewing(session);
    session.$order.set(failed(new SwapError('service', {detail: '500'})));
  },
  'review-live-signature': session => {
    reviewing(session);
    session.$liveSignatures.set([handedOver('b'), handedOver('c')]);
  },
  'review-revoking': session => {
    STATES['review-live-signature']?.(session);
    session.$revoking.set(failed(new SwapError('rejected')));
  },
  'review-revoked': session => {
    STATES['review-live-signature']?.(session);
    session.$revoking.set(ready(hash('9')));
  },
  'review-transfer': session => {
    transfer(session);
    session.$view.set('review');
    session.$stage.set('reviewing');
    session.$agreement.set(agreedTransfer);
  },
  'deposit-address': session => {
    placedTransfer(session, 'awaiting-deposit');
  },
  'deposit-address-checking': session => {
    placedTransfer(session, 'awaiting-deposit', {}, {report: 'none'});
    session.$status.set(pending());
  },
  'deposit-address-unread': session => {
    placedTransfer(session, 'awaiting-deposit', {}, {report: 'none'});
    session.$status.set(failed(new SwapError('offline')));
    session.$funding.set({...session.$funding.get(), error: new SwapError('offline')});
  },
  'deposit-address-partly': session => {
    placedTransfer(session, 'awaiting-deposit', inBlock(400_000n, 1));
  },
  'deposit-address-partly-on-chain': session => {
    const {initiated, ...part} = inBlock(400_000n, 1);
    placedTransfer(session, 'awaiting-deposit', {...part, initiated: {...initiated!, onChain: true}});
    session.$chain.set({deposit: {state: 'seen', amount: 400_000n}});
  },
  'deposit-address-soon': session => {
    placedTransfer(session, 'awaiting-deposit', {}, {minutes: 51});
  },
  'deposit-address-last': session => {
    placedTransfer(session, 'awaiting-deposit', {}, {minutes: 58});
  },
  'deposit-address-gone': session => {
    placedTransfer(session, 'awaiting-deposit', seen(1_000_000n));
    session.$status.set(ready(transferOrder()));
    session.$movedBackFrom.set('deposit-seen');
  },
  'deposit-address-over': session => {
    placedTransfer(session, 'awaiting-deposit', {}, {minutes: 61});
  },
  'deposit-address-by-wallet': session => {
    placedTransfer(session, 'funding');
    session.$accounts.set({bitcoin: {...account, family: 'bitcoin', address: REFUND_ADDRESS}});
    session.$funding.set({
      way: 'transaction',
      plan: ['send'],
      walletRequests: [ask('send', 'asking')],
      asking: 'send',
      unclear: false,
    });
  },
  'checks-failed-address': session => {
    placedTransfer(session, 'stopped', {}, {report: transferFailed});
    session.$journal.set([]);
  },
  'deposit-sign': session => {
    placed(session, 'awaiting-deposit');
    session.$funding.set({
      way: 'signature',
      other: 'transaction',
      plan: ['sign', 'initiate'],
      walletRequests: [],
      unclear: false,
    });
  },
  'deposit-fees': session => {
    placed(session, 'awaiting-deposit');
    charged(session, PAYOUTS);
  },
  'deposit-fees-more': session => {
    placed(session, 'awaiting-deposit');
    charged(session, [...PAYOUTS, {bps: 40}]);
  },
  'deposit-address-fees': session => {
    placedTransfer(session, 'awaiting-deposit');
    charged(session, PAYOUTS);
  },
  'deposit-send': session => {
    placed(session, 'funding');
    session.$funding.set({
      way: 'transaction',
      plan: ['send'],
      walletRequests: [ask('send', 'asking')],
      asking: 'send',
      unclear: false,
    });
  },
  'deposit-move': session => {
    placed(session, 'awaiting-deposit');
    session.$funding.set({
      way: 'signature',
      other: 'transaction',
      plan: [],
      walletRequests: [],
      unclear: false,
      busy: true,
      move: 'asking',
    });
  },
  'deposit-move-refused': session => {
    placed(session, 'awaiting-deposit');
    session.$funding.set({
      way: 'signature',
      other: 'transaction',
      plan: [],
      walletRequests: [],
      unclear: false,
      move: 'wanted',
      error: new SwapError('rejected', {field: 'chain'}),
    });
  },
  'deposit-moved': session => {
    placed(session, 'awaiting-deposit');
    session.$funding.set({
      way: 'signature',
      plan: ['approve', 'sign'],
      walletRequests: [ask('approve', 'asking')],
      asking: 'approve',
      unclear: false,
      busy: true,
      move: 'moved',
    });
  },
  'deposit-elsewhere': session => {
    placed(session, 'funding');
    session.$funding.set({
      way: 'transaction',
      plan: ['send'],
      walletRequests: [ask('send', 'asking')],
      unclear: false,
      busy: true,
      elsewhere: true,
    });
  },
  'deposit-out-of-date': session => {
    placed(session, 'awaiting-deposit');
    const shown = valueOf(session.$order.get())!;
    session.$order.set(ready({...shown, payUntil: NOON - 1_000}));
  },
  'deposit-approval-first': session => {
    placed(session, 'awaiting-deposit');
    session.$funding.set({way: 'transaction', plan: ['approve', 'send'], walletRequests: [], unclear: false});
  },
  'deposit-after-approval': session => {
    placed(session, 'awaiting-deposit');
    session.$funding.set({
      way: 'transaction',
      plan: ['approve', 'send'],
      walletRequests: [ask('approve', 'sent')],
      unclear: false,
    });
  },
  'deposit-locked-for-days': session => {
    const value = {name: 'value', outcome: 'passed', found: '0.0004 SOL'} as const;
    placed(session, 'awaiting-deposit', {report: reportOf([...passed.results.slice(0, -2), value])});
    session.$status.set(ready(order({timelock: 1_000_000})));
  },
  'deposit-rejected': session => {
    placed(session, 'awaiting-deposit');
    session.$funding.set({
      way: 'signature',
      other: 'transaction',
      plan: ['sign', 'initiate'],
      walletRequests: [ask('sign', 'refused')],
      unclear: false,
      error: new SwapError('rejected'),
    });
  },
  'deposit-wallet-failed': session => {
    placed(session, 'awaiting-deposit');
    session.$funding.set({
      way: 'transaction',
      plan: ['send'],
      walletRequests: [ask('send', 'refused')],
      unclear: false,
      error: new SwapError('wallet-failed'),
    });
  },
  'deposit-signature-refused': session => {
    placed(session, 'awaiting-deposit');
    session.$funding.set({
      way: 'transaction',
      plan: ['send'],
      walletRequests: [ask('sign', 'signed'), ask('initiate', 'refused')],
      unclear: false,
      refusedBecause: 'permit not supported for this token',
    });
  },
  'deposit-signature-live': session => {
    STATES['deposit-signature-refused']?.(session);
    session.$liveSignatures.set([handedOver(deal.orderId)]);
  },
  'deposit-unsigned': session => {
    placed(session, 'awaiting-deposit');
    session.$funding.set({
      way: 'transaction',
      plan: ['approve', 'send'],
      walletRequests: [],
      unclear: false,
      unsigned: 'version 9',
    });
  },
  'deposit-unclear': session => {
    placed(session, 'funding');
    session.$funding.set({
      way: 'transaction',
      plan: ['send'],
      walletRequests: [ask('send', 'asking')],
      unclear: true,
      seen: 'none',
    });
  },
  'deposit-unclear-unread': session => {
    STATES['deposit-unclear']?.(session);
    session.$accounts.set({});
    session.$funding.set({...session.$funding.get(), seen: 'unknown'});
  },
  'deposit-unclear-signature': session => {
    placed(session, 'funding');
    session.$funding.set({
      way: 'signature',
      plan: ['sign'],
      walletRequests: [ask('sign', 'signed'), ask('initiate', 'asking')],
      unclear: true,
    });
  },
  'deposit-sign-unanswered': session => {
    placed(session, 'awaiting-deposit');
    session.$funding.set({
      way: 'signature',
      other: 'transaction',
      plan: ['sign'],
      walletRequests: [ask('sign', 'asking')],
      unclear: false,
      error: new SwapError('wallet-unclear'),
    });
  },
  'deposit-overdue': session => {
    placed(session, 'funding');
    session.$funding.set({
      way: 'transaction',
      plan: [],
      walletRequests: [{...ask('send', 'sent'), hash: hash('7')}],
      unclear: true,
      seen: 'none',
    });
  },
  'deposit-overdue-signature': session => {
    placed(session, 'funding');
    session.$funding.set({
      way: 'signature',
      plan: [],
      walletRequests: [ask('sign', 'signed'), ask('initiate', 'sent')],
      unclear: true,
      seen: 'none',
    });
  },
  'deposit-not-connected': session => {
    placed(session, 'awaiting-deposit');
    session.$accounts.set({});
  },
  'checks-failed': session => {
    placed(session, 'stopped', {report: failedReport});
    session.$journal.set([]);
  },
  'checks-failed-signature-live': session => {
    STATES['checks-failed']?.(session);
    session.$liveSignatures.set([handedOver(deal.orderId)]);
  },
  'progress-sent': session => {
    placed(session, 'funding');
    session.$funding.set({
      way: 'transaction',
      plan: ['send'],
      walletRequests: [ask('send', 'sent')],
      unclear: false,
      funding: {how: 'transaction', hash: hash('7')},
    });
    session.$status.set(ready(order()));
  },
  'progress-deposit-seen': session => {
    placed(session, 'deposit-seen');
    session.$status.set(ready(order({filled: 10_000_000n, initiated: {hashes: [hash('7')]}})));
  },
  'progress-confirming': session => {
    placed(session, 'confirming');
    session.$status.set(ready(order({...paid, confirmations: {current: 1, required: 3}})));
  },
  'progress-settling': session => {
    placed(session, 'settling');
    session.$status.set(
      ready(
        order(
          {...paid, confirmations: {current: 3, required: 3}},
          {initiated: {hashes: [hash('c')], block: 200n, at: NOON - 4 * MINUTE}},
        ),
      ),
    );
  },
  'progress-changed': session => {
    placed(session, 'confirming');
    session.$journal.set([{...entry('confirming', 25), changed: true}]);
    session.$status.set(ready(order({...paid, confirmations: {current: 1, required: 3}})));
  },
  'progress-bad-connection': session => {
    placed(session, 'settling');
    session.$readAt.set(NOON - 3 * MINUTE);
    session.$status.set(failed(new SwapError('offline'), order({...paid, confirmations: {current: 3, required: 3}})));
  },
  'progress-moved-back': session => {
    placed(session, 'deposit-seen');
    session.$movedBackFrom.set('confirming');
    session.$status.set(ready(order({filled: 10_000_000n, initiated: {hashes: [hash('7')]}})));
  },
  'progress-address-unconfirmed': session => {
    placedTransfer(session, 'deposit-seen', seen(1_000_000n));
  },
  'progress-address-confirming': session => {
    placedTransfer(session, 'confirming', inBlock(1_000_000n, 1));
  },
  'progress-address-reorganised': session => {
    placedTransfer(session, 'deposit-seen', seen(1_000_000n));
    session.$movedBackFrom.set('confirming');
  },
  'progress-address-overpaid': session => {
    placedTransfer(session, 'confirming', inBlock(1_200_000n, 1));
  },
  'complete-overpaid': session => {
    placedTransfer(session, 'complete');
    session.$status.set(
      ready(
        transferOrder(inBlock(1_200_000n, 2), {redeemed: {hashes: [hash('c')], block: 210n, at: NOON - 3 * MINUTE}}),
      ),
    );
  },
  'refunding-late': session => {
    placedTransfer(session, 'refunding', inBlock(1_000_000n, 1, NOON - 2 * MINUTE), {minutes: 85});
  },
  'refunding-too-little': session => {
    placedTransfer(session, 'refunding', inBlock(400_000n, 2, NOON - 50 * MINUTE), {minutes: 85});
  },
  'refunded-too-little': session => {
    placedTransfer(
      session,
      'refunded',
      {
        ...inBlock(400_000n, 2, NOON - 50 * MINUTE),
        refunded: {hashes: ['e'.repeat(64)], block: 902n, at: NOON - MINUTE},
      },
      {minutes: 85},
    );
  },
  'expired-address': session => {
    placedTransfer(session, 'expired', {}, {minutes: 85});
  },
  'complete-fees': session => {
    placed(session, 'complete');
    session.$status.set(ready(order(paid, {redeemed: {hashes: [hash('c')], block: 210n, at: NOON - 3 * MINUTE}})));
    charged(session, PAYOUTS);
  },
  complete: session => {
    placed(session, 'complete');
    session.$status.set(
      ready(
        order(paid, {
          initiated: {hashes: [hash('b')], block: 200n, at: NOON - 4 * MINUTE},
          redeemed: {hashes: [hash('c')], block: 210n, at: NOON - 3 * MINUTE - 20_000},
        }),
      ),
    );
  },
  'complete-on-chain': session => {
    completeOnChain(session);
  },
  'complete-less': session => {
    completeOnChain(session, 8_000_000n);
  },
  'refunding-held': session => {
    placed(session, 'refunding');
    const redeemed = {hashes: [hash('c')], block: 210n};
    session.$status.set(ready(order({...paid, initiated: {...paid.initiated!, onChain: true}}, {redeemed})));
    session.$chain.set({deposit: {state: 'seen', amount: 10_000_000n, isHeld: true, isRefundOpen: true}});
    session.$refundOpen.set(true);
  },
  'refunding-told': session => {
    placed(session, 'refunding');
    session.$status.set(ready(order({...paid, refunded: {hashes: [hash('e')]}})));
  },
  'refunded-on-chain': session => {
    placed(session, 'refunded');
    const refunded = {hashes: [hash('e')], block: 900n, at: NOON - MINUTE, onChain: true as const};
    session.$status.set(ready(order({...paid, initiated: {...paid.initiated!, onChain: true}, refunded})));
  },
  'expired-signature-live': session => {
    STATES['expired']?.(session);
    session.$accounts.set({});
    session.$liveSignatures.set([handedOver(deal.orderId)]);
  },
  'expired-on-chain': session => {
    STATES['expired']?.(session);
    session.$chain.set({deposit: {state: 'none'}});
  },
  refunding: session => {
    placed(session, 'refunding');
    // 300 blocks of 2 s, counted from the payment: in 6 minutes.
    session.$status.set(ready(order({...paid, initiated: {hashes: [hash('7')], block: 100n, at: NOON - 4 * MINUTE}})));
  },
  'refund-open': session => {
    placed(session, 'refunding');
    session.$status.set(ready(order(paid)));
  },
  refunded: session => {
    placed(session, 'refunded');
    session.$status.set(ready(order({...paid, refunded: {hashes: [hash('e')], block: 900n, at: NOON - MINUTE}})));
  },
  'refunded-unseen': session => {
    placed(session, 'refunded');
    const initiated = {hashes: [hash('7')], block: 100n, at: NOON - 100 * 60 * MINUTE};
    session.$status.set(
      ready(order({...paid, initiated, refunded: {hashes: [hash('e')], block: 900n, at: NOON - MINUTE}})),
    );
  },
  expired: session => {
    placed(session, 'expired');
    session.$order.set(
      ready({id: deal.orderId, placedAt: NOON - 85 * MINUTE, payUntil: NOON - 25 * MINUTE, deal, report: passed}),
    );
    session.$status.set(ready(order()));
  },
  stranger: session => {
    placed(session, 'confirming', {mine: false});
    session.$status.set(ready(order({...paid, confirmations: {current: 1, required: 3}})));
  },
  'stranger-unpaid': session => {
    placed(session, 'awaiting-deposit', {mine: false});
    session.$status.set(ready(order()));
  },
  reading: session => {
    placed(session, 'awaiting-deposit', {mine: false});
    session.$status.set(pending());
  },
  'unknown-link': session => {
    placed(session, 'awaiting-deposit', {mine: false});
    session.$status.set(failed(new SwapError('service', {field: 'order', detail: '404 order not found'})));
  },
  journal: session => {
    session.$view.set('journal');
    session.$journal.set([
      entry('confirming', 25),
      entry('awaiting-deposit', 40, {...agreed, from: usdc, amount: 120_000_000n, receive: 181_000n}, 'b'),
      entry('complete', 2 * 1440, {...agreed, from: to, to: from, amount: 2_000_000n, receive: 1_987_000n}, 'c'),
      entry('refunded', 4 * 1440, {...agreed, from: usdc, to, amount: 8_000_000n, receive: 12_000n}, 'd'),
      entry('complete', 19 * 1440, {...agreed, amount: 2_000_000n, receive: 1_987_000n}, 'e'),
    ]);
  },
  'journal-many': session => {
    session.$view.set('journal');
    session.$journal.set(
      Array.from({length: 2_000}, (_, at) =>
        entry(at ? 'complete' : 'settling', at * 60, agreed, `order-${String(at)}`),
      ),
    );
  },
  'journal-full': session => {
    session.$view.set('journal');
    session.$journal.set([entry('settling', 3)]);
    session.$removed.set(3);
  },
  'journal-empty': session => {
    session.$view.set('journal');
  },
  'configuration-error': session => {
    session.$fault.set(
      new SwapError('config', {
        field: 'assets',
        detail: '“base_sepolia:doge” has no known decimals. Give it as an object: {id, symbol, decimals}.',
      }),
    );
  },
  paused: session => {
    session.$config.set({...session.$config.get()!, paused: true});
    session.$journal.set([entry('confirming', 25)]);
  },
};

/** The lists that open in front of the form, and the button that opens them. */
export const CHOICES: Readonly<Record<string, {prepare(session: FakeSession): void; press: string}>> = {
  'asset-picker': {prepare: quoted, press: 'You receive: WBTC, Ethereum Sepolia'},
  'asset-picker-many': {
    prepare: session => {
      quoted(session);
      const known = createCatalogue({known: ALL_KNOWN, families: ['bitcoin', 'evm', 'solana', 'starknet']});
      session.$config.set({...session.$config.get()!, catalogue: known});
      session.$draft.set({...session.$draft.get(), from: 'base:cbbtc', to: 'ethereum:wbtc'});
      session.$balances.set({
        'ethereum:wbtc': 42_180_000n,
        'arbitrum:usdc': 1_234_567_890n,
        'ethereum:eth': 10n ** 17n,
      });
      session.$offer.set({
        source: {asset: 'base:cbbtc', amount: 10_000_000n, display: '0.1', value: '6512.4'},
        destination: {asset: 'ethereum:wbtc', amount: 9_940_130n, display: '0.0994013', value: '6473.42'},
        solverId: 'solver-north',
      });
      session.recall = () => 'bitcoin:btc>base:usdc ethereum:eth>bnbchain:btcb';
    },
    press: 'You receive: WBTC, Ethereum',
  },
  'wallet-picker': {
    prepare: session => {
      quoted(session);
      session.$wallets.set([harbor, field]);
      session.$connecting.set(pending(harbor));
    },
    press: 'Change where you receive',
  },
  'complete-receipt': {prepare: completeOnChain, press: 'Receipt'},
  'refunded-receipt': {
    prepare: session => STATES['refunded']?.(session),
    press: 'Receipt',
  },
  'wallet-picker-none': {
    prepare: session => {
      quoted(session);
      session.$accounts.set({});
    },
    press: 'Connect a wallet to pay from',
  },
};
