import type {Account, Wallet} from '../../src/chains/adapter.js';
import {contractKey} from '../../src/domain/address.js';
import {formatAmount} from '../../src/domain/amount.js';
import type {Asset, Catalogue} from '../../src/domain/asset.js';
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
import type {AddressName, Draft, NameReading, Problem} from '../../src/domain/draft.js';
import {SwapError} from '../../src/domain/error.js';
import {accept, NOTHING_KNOWN, type FormFact} from '../../src/domain/form/form.js';
import {read, type FormContext} from '../../src/domain/form/story.js';
import {termsOf, type ChargedFee, type Leg, type Order} from '../../src/domain/order.js';
import type {Stage} from '../../src/domain/stage.js';
import type {Quote, Quotes} from '../../src/domain/quote.js';
import {failed, idle, pending, ready, valueOf, type Remote} from '../../src/domain/remote.js';
import type {JournalEntry} from '../../src/session/order/journal.js';
import type {FundingProgress} from '../../src/session/session.js';
import {change} from '../../src/session/shared.js';
import type {Answers, FakeSession} from './fake-session.js';
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
/** A different address with the recipient's first and last characters. */
const LOOKALIKE = '0x5aAEc0dE1517D1C1551f0111D15EA5e0deC0aEeD';

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
  policy: {unverified: 'ask'},
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
      ? {name, outcome: 'failed', expected: '0.1 WBTC', found: '0.2 WBTC', sides: ['agreed', 'payment']}
      : {name, outcome: 'passed', expected: found, found},
  ),
);

const leg = (change: Partial<Leg>): Leg => ({
  swapId: '7b1e09d2',
  chain: 'base_sepolia',
  asset: from.id,
  initiator: PAYER,
  redeemer: '0x1111111111111111111111111111111111111111',
  timelock: 3_000,
  amount: 10_000_000n,
  filled: 0n,
  secretHash: 'ab'.repeat(32),
  secret: '',
  confirmations: {current: 0, required: 3},
  ...change,
});

/** An order as the service returns it. `minutes`: its age. */
export const order = (source: Partial<Leg> = {}, destination: Partial<Leg> = {}, minutes = 25): Order => ({
  id: deal.orderId,
  createdAt: NOON - minutes * MINUTE,
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
/** The same, with this many confirmations. */
export const confirmed = (current: number, change: Partial<Leg> = {}): Partial<Leg> => ({
  ...paid,
  confirmations: {current, required: 3},
  ...change,
});
const redeemed: Partial<Leg> = {redeemed: {hashes: [hash('c')], block: 210n, at: NOON - 20 * MINUTE}};
const refunded: Partial<Leg> = {refunded: {hashes: [hash('e')], block: 900n, at: NOON - MINUTE}};

/** What was typed into the form and what is known around it, instead of all that a price needs. */
interface Known {
  readonly typed?: Partial<Draft>;
  readonly facts?: readonly FormFact[];
  readonly of?: Catalogue;
  readonly prefill?: Partial<Draft>;
  readonly accounts?: Partial<Record<'evm' | 'bitcoin', Account>>;
  readonly balance?: Remote<bigint>;
  readonly reserve?: bigint;
  readonly quote?: Remote<Quotes>;
  readonly isOnline?: boolean;
}

/** Addresses as their families' code knows them: these alone are any. */
const ADDRESSES: FormContext['loaded'] = {
  evm: {
    addresses: {
      isAddress: ({family}, text) => family === 'evm' && [PAYER, RECIPIENT, LOOKALIKE, to.contracts[0]].includes(text),
      isSameAddress: Object.is,
      isName: text => text.endsWith('.eth'),
    },
  },
  bitcoin: {
    addresses: {
      isAddress: ({test}, text) => (test ? [REFUND_ADDRESS, OTHER_BITCOIN] : [MAIN_ADDRESS]).includes(text),
      isSameAddress: Object.is,
    },
  },
};

/** What a chain said of an address. */
const lookedUp = ({chain}: Asset, address: string, isContract: boolean): FormFact => {
  return {about: 'contract', key: contractKey({chain, address, why: 'contract'}), isContract};
};
/** No address is a contract. */
const LOOKED_UP = [from, to, usdc].flatMap(asset =>
  [PAYER, RECIPIENT, LOOKALIKE].map(address => lookedUp(asset, address, false)),
);

/** The form as it reads what is known. */
function fill(session: FakeSession, known: Known = {}) {
  const {of = catalogue, prefill = {}, accounts = {evm: account}, isOnline = true, reserve = 0n} = known;
  const {balance = ready(42_180_000n), quote = ready(oneQuote)} = known;
  const page = {catalogue: of, prefill, affiliateFees: [], priceTolerance: 50};
  const facts: readonly FormFact[] = [
    {about: 'page', page, fills: 'all'},
    {about: 'typed', change: {from: from.id, to: to.id, amount: '0.1', ...known.typed}},
    ...LOOKED_UP,
    ...(known.facts ?? []),
  ];
  const form = facts.reduce(accept, NOTHING_KNOWN);
  const around = {page, isShown: true, isOnline, loaded: ADDRESSES, limits: {}};
  const story = read(form, {...around, accounts, quote, balance: valueOf(balance), reserve});
  session.$draft.set(form.draft);
  change(session.$wallets, {accounts, balance, reserve});
  session.$request.set(story.request);
  session.$problem.set(story.problem);
  session.$quote.set(quote);
  session.$offer.set(story.offer);
  session.$nextQuoteAt.set(quote.state === 'ready' ? NOON + 24_000 : undefined);
}

/** Every field that a price needs is filled in. */
const quoted = (session: FakeSession, quotes = oneQuote) => fill(session, {quote: ready(quotes)});

/** An address that has to be corrected, before anything else. */
export function toCorrect(session: FakeSession, problem: Omit<Problem, 'field' | 'remedy'> & {field: AddressName}) {
  const found = {...problem, remedy: 'correct'} as const;
  session.$problem.set({...found, wrong: {[problem.field]: found}});
}

/** The recipient's field contains a name. */
const named = (reading: NameReading): Known => {
  return {typed: {recipient: NAME}, facts: [{about: 'name', name: {chain: to.chain, text: NAME, reading}}]};
};
const NAME = 'alice.eth';

/** Pays in the coin that also pays the network fee. */
function paidInEther(session: FakeSession, amount: bigint) {
  const ether = catalogue.find('ethereum_sepolia:eth')!;
  const display = formatAmount(amount, 18);
  const price: Quote = {
    source: {asset: ether.id, amount, display, value: '1624.35'},
    destination: {asset: from.id, amount: 2_490_000n, display: '0.0249', value: '1618.10'},
    solverId: 'solver-north',
  };
  change(session.$settings, {config: {...session.$config.get()!, catalogue}});
  fill(session, {
    typed: {from: ether.id, to: from.id, amount: display},
    balance: ready(500_000_000_000_000_000n),
    reserve: 200_000_000_000_000n,
    quote: ready({request: {from: ether, to: from, amount, affiliateBps: 0}, offers: [price], at: NOON - 6_000}),
  });
}

/** The coin that fees are paid in. */
const ETHER = {name: 'Ether', symbol: 'ETH', decimals: 18};

function reviewing(session: FakeSession, agreement: Agreement = agreed) {
  quoted(session);
  session.$view.set('review');
  change(session.$agreement, {agreed: agreement});
}

/** The known facts of an order. */
interface Placed extends Answers {
  /** The order's age in minutes. */
  readonly minutes?: number;
  /** The deadline of its payment. */
  readonly payUntil?: number;
  /** The result of the last check; `none` before one. */
  readonly report?: CheckReport | 'none';
  /** Whether this browser placed it. */
  readonly mine?: boolean;
  /** The progress of the payment. Wallet requests are stored. */
  readonly funding?: Partial<FundingProgress>;
  /** Whether the visitor is asked about what is not verified. */
  readonly asks?: boolean;
  /** More stored fields. */
  readonly written?: Partial<JournalEntry>;
  /** The partners' fees that it reports. */
  readonly fees?: readonly ChargedFee[];
}

function placed(session: FakeSession, known: Placed = {}) {
  quoted(session);
  place(session, deal, {report: passed, ...known});
}

function place(session: FakeSession, whole: Deal, {order, deposit, payout, isNew = false, ...known}: Placed) {
  const {minutes = 25, report, mine = true, funding = {}, written, fees, asks = false} = known;
  const payees = PAYOUTS.map(({asset, address, bps}) => ({asset: asset!, address: address!, bps: bps!}));
  const agreed = fees ? {...whole.agreed, affiliateFees: payees} : whole.agreed;
  const {payUntil = NOON + (60 - minutes) * MINUTE - 5_000} = known;
  session.$view.set('order');
  // The draft is empty again.
  change(session.$agreement, {agreed: undefined});
  session.$readAt.set(NOON - 4_000);
  session.place(
    {
      id: whole.orderId,
      placedAt: NOON - minutes * MINUTE,
      payUntil,
      ...(mine && {deal: {...whole, agreed}}),
      ...(mine && report && report !== 'none' && {report}),
      ...(asks && {question: {id: 'question'}}),
    },
    mine ? {...entry('awaiting-deposit', minutes, agreed), deposit: whole.deposit, ...written} : undefined,
  );
  session.fund(funding);
  session.know({
    ...(order && {order: {...order, ...(fees && {affiliateFees: fees})}}),
    ...(deposit && {deposit}),
    ...(payout && {payout}),
    isNew,
  });
}

const entry = (stage: Stage, minutes: number, agreement: Agreement = agreed, id = deal.orderId): JournalEntry => ({
  orderId: id,
  placedAt: NOON - minutes * MINUTE,
  agreed: agreement,
  deposit: deal.deposit,
  walletRequests: [],
  stage,
});

/** The stored proof of an end, from a chain. */
const proof = {amount: 1_987_000n, hashes: [hash('c')], block: 210n};

/** An unconfirmed payment. */
const inNoBlock = order({filled: 10_000_000n, initiated: {hashes: [hash('7')]}});

/** Two partners' agreed fees of an order. */
const PAYOUTS: readonly ChargedFee[] = [
  {asset: 'base_sepolia:usdc', address: '0x5a2f0000000000000000000000000000000091c4', bps: 10, amount: 6_512_400n},
  {asset: 'ethereum_sepolia:usdc', address: '0x8e010000000000000000000000000000000077ab', bps: 20, amount: 13_024_800n},
];

const ask = (kind: WalletRequest['kind'], state: WalletRequest['state']): WalletRequest => ({
  kind,
  state,
  at: NOON - MINUTE,
});

/** The wallet is prompted for the payment. */
const sending: Partial<FundingProgress> = {
  plan: ['send'],
  walletRequests: [ask('send', 'asking')],
  asking: 'send',
  busy: true,
};

/** The wallet sent the payment. */
const sent: Partial<FundingProgress> = {walletRequests: [ask('send', 'sent')]};

/** An order whose signature was submitted to the service, which rejected it with a message. */
const handedOver = (id: string): JournalEntry => ({
  ...entry('expired', 90, agreed, id),
  walletRequests: [ask('sign', 'signed'), ask('initiate', 'refused')],
});

/* -- A swap paid to a deposit address ------------------------------------------------------------------------------ */

const bitcoinCatalogue = createCatalogue({
  known: ALL_KNOWN,
  families: ['bitcoin', 'evm'],
  hints: ['bitcoin_testnet:btc'],
});
const btc = bitcoinCatalogue.find('bitcoin_testnet:btc')!;

/** An address from BIP-173, and a pay-to-taproot one from BIP-350. */
export const REFUND_ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
/** A different address with its first and last characters. */
const OTHER_BITCOIN = 'tb1qw50xm4c8v2lyt7h0s9ee5rn3zk6gq4d8lpjzsx';
/** The refund address on mainnet. */
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
  {name: 'script', outcome: 'failed', expected: DEPOSIT_ADDRESS, found: REFUND_ADDRESS, sides: ['derived', 'payment']},
]);

/* -- Payments that are not fully verified --------------------------------------------------------------------------- */

/** Another token of the chain. */
const USDC = '0x036cbd53842c5426634e7929541ec2318f3dcf7e';
/** A contract that nobody has named. */
const UNNAMED = '0x9f3a51c2d84e07b6a9c1f5d2e3b40871c6a5de92';
const ofUnnamed = CHECKS.map(([name, found]) =>
  name === 'contract'
    ? ({name, outcome: 'unverified', expected: found, found: UNNAMED, sides: ['known', 'payment']} as const)
    : ({name, outcome: 'passed', expected: found, found} as const),
);
const ofItsTimes = {name: 'timelock', outcome: 'unverified', expected: '< 1.67 h', found: '2 h'} as const;
const unverified = reportOf([...ofUnnamed, ofItsTimes], {unverified: 'ask'});
const unverifiedStopped = reportOf([...ofUnnamed, ofItsTimes], {unverified: 'stop'});
/** It may take another coin of the payer already. */
const otherAllowed = reportOf(
  [
    ...unverified.results.filter(({name}) => name !== 'contract'),
    {name: 'contract', outcome: 'failed', found: UNNAMED, allowed: {token: USDC, symbol: 'USDC'}},
  ],
  {unverified: 'ask'},
);
/** No node was there to ask about it. */
const unread = reportOf(
  ofUnnamed.map(one => (one.name === 'code' || one.name === 'token' ? {name: one.name, outcome: 'failed'} : one)),
  {unverified: 'ask'},
);

/** A Bitcoin address of another script: not there before the visitor's yes. */
const unverifiedTransfer = reportOf(
  [
    ...transferChecks.results.filter(({name}) => name !== 'script'),
    {name: 'script', outcome: 'unverified', sides: ['derived', 'payment']},
    {name: 'secret', outcome: 'unverified'},
  ],
  {unverified: 'ask'},
);
const addressless: Deal = {...transferDeal, deposit: {how: 'transfer', address: '', amount: 1_000_000n}};

const sol = createCatalogue({known: ALL_KNOWN, families: ['solana', 'evm'], hints: ['solana_testnet:sol']}).find(
  'solana_testnet:sol',
)!;
const solanaDeal: Deal = {
  ...deal,
  agreed: {
    ...agreed,
    from: sol,
    amount: 2_500_000_000n,
    owner: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  },
  deposit: {how: 'wallet', ways: ['transaction'], payload: {family: 'solana', transaction: '00'}},
};
/** SOL that is sent to an address. */
const unverifiedSolana = reportOf(
  [
    {name: 'amount', outcome: 'passed', found: '2.5 SOL'},
    {name: 'chain', outcome: 'passed', found: 'Solana Devnet'},
    {name: 'contract', outcome: 'unverified', found: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'},
    {name: 'call', outcome: 'unverified', expected: 'initiate', found: 'transfer'},
    {name: 'secret', outcome: 'unverified'},
    {name: 'value', outcome: 'passed', found: '0.0004 SOL'},
  ],
  {unverified: 'ask'},
);

/** An order paid to a deposit address, and the progress of the payment. */
export const transferOrder = (source: Partial<Leg> = {}, destination: Partial<Leg> = {}, minutes = 25): Order => {
  const placedOrder = order({}, {chain: 'base_sepolia', asset: from.id, amount: 994_013n, ...destination}, minutes);
  return {
    ...placedOrder,
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

const BITCOIN_PAYS = {asset: from, amount: 994_013n, display: '0.00994013', value: '647.34'};

function transfer(session: FakeSession, refundAddress = REFUND_ADDRESS, paid = BITCOIN_PAYS, known: Known = {}) {
  const {asset: to, ...receive} = paid;
  const best: Quote = {
    source: {asset: btc.id, amount: 1_000_000n, display: '0.01', value: '651.24'},
    destination: {asset: to.id, ...receive},
    solverId: 'solver-north',
  };
  change(session.$settings, {config: {...session.$config.get()!, catalogue: bitcoinCatalogue}});
  fill(session, {
    of: bitcoinCatalogue,
    typed: {from: btc.id, to: to.id, amount: '0.01', recipient: RECIPIENT, refundAddress},
    accounts: {},
    balance: idle,
    quote: ready({request: {from: btc, to, amount: 1_000_000n, affiliateBps: 0}, offers: [best], at: NOON - 6_000}),
    ...known,
  });
}

function placedTransfer(session: FakeSession, source: Partial<Leg> = {}, known: Placed = {}) {
  const {minutes = 25} = known;
  transfer(session);
  place(session, transferDeal, {order: transferOrder(source, {}, minutes), report: transferChecks, ...known});
}

/** A secret of 32 zero bytes, and its hash. */
const SECRET = '00'.repeat(32);
const SECRET_HASH = '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925';

/** A swap whose payment and payout were seen on their chains. */
function completeOnChain(session: FakeSession, amount = 9_940_130n, whole = deal) {
  const priced = {secretHash: SECRET_HASH, assetPrice: 65_124};
  quoted(session);
  place(session, whole, {
    report: passed,
    funding: sent,
    order: order({...paid, ...priced}, {...redeemed, ...priced}),
    deposit: {
      state: 'seen',
      amount: 10_000_000n,
      hashes: [hash('7')],
      block: 100n,
      isHeld: false,
      end: {how: 'redeemed', amount: 0n, hashes: [hash('d')], block: 220n},
    },
    payout: {amount, hashes: [hash('c')], block: 210n, secret: SECRET},
  });
}

const UNCONNECTED: Known = {accounts: {}, balance: idle, quote: idle};

/** Each state that a person can see, set up in the session's stores. */
export const STATES: Readonly<Record<string, (session: FakeSession) => void>> = {
  'form-empty': session => fill(session, {...UNCONNECTED, typed: {to: '', amount: ''}}),
  'form-no-amount': session => fill(session, {...UNCONNECTED, typed: {amount: ''}}),
  'form-quoting-slow': session => {
    STATES['form-quoting']?.(session);
    session.$slow.set({cancel: () => undefined});
  },
  'form-quoting': session => fill(session, {quote: pending()}),
  'form-quoted': quoted,
  'form-not-connected': session => fill(session, {accounts: {}, balance: idle}),
  'form-several-quotes': session => quoted(session, threeQuotes),
  'form-not-enough': session => fill(session, {typed: {amount: '4.5'}}),
  'form-nothing-there': session => fill(session, {balance: ready(0n)}),
  'form-offline': session => fill(session, {isOnline: false, quote: failed(new SwapError('offline'), oneQuote)}),
  'form-offline-at-first': session => fill(session, {isOnline: false, quote: failed(new SwapError('offline'))}),
  'form-cost-high': session =>
    quoted(session, {...oneQuote, offers: [offer(9_140_130n, '0.0914013', '5952.40', 'solver-north')]}),
  'form-partner-fee': session => {
    quoted(session);
    const affiliateFees = [{asset: usdc.id, address: PAYER, bps: 30}];
    change(session.$settings, {config: {...session.$config.get()!, affiliateFees}});
  },
  'form-receive': session => fill(session, {typed: {amount: '0.1', receive: '0.0994'}}),
  'form-receive-raised': session => {
    STATES['form-receive']?.(session);
    session.$raised.set({before: 9_950_000n, now: 10_000_000n});
  },
  'form-receive-unclear': session => fill(session, {typed: {amount: '', receive: '1,500'}, quote: idle}),
  'form-receive-looked-for': session => fill(session, {typed: {amount: '', receive: '0.2'}, quote: pending()}),
  'form-too-many-decimals': session => fill(session, {typed: {amount: '0.1234567891'}, quote: idle}),
  'form-not-an-address': session => fill(session, {typed: {recipient: RECIPIENT.replace(/ed$/, 'de')}}),
  'form-transfer': session => transfer(session),
  'form-two-coins': session =>
    transfer(session, REFUND_ADDRESS, {asset: usdc, amount: 647_340_000n, display: '647.34', value: '647.34'}),
  'form-refund-empty': session => transfer(session, ''),
  'form-refund-bad': session => transfer(session, `${REFUND_ADDRESS.slice(0, -1)}q`),
  'form-refund-of-other-network': session => transfer(session, MAIN_ADDRESS),
  'form-wallet-on-other-network': session =>
    transfer(session, '', BITCOIN_PAYS, {accounts: {bitcoin: {...account, family: 'bitcoin', address: MAIN_ADDRESS}}}),
  'form-refund-confirm': session =>
    transfer(session, REFUND_ADDRESS, BITCOIN_PAYS, {prefill: {refundAddress: REFUND_ADDRESS}}),
  'form-amount-unclear': session => fill(session, {typed: {amount: '1,000'}, quote: idle}),
  'form-fee-kept': session => paidInEther(session, 499_800_000_000_000_000n),
  'form-fee-missing': session => paidInEther(session, 499_900_000_000_000_000n),
  'form-a-contract': session => fill(session, {typed: {recipient: to.contracts[0]!}}),
  'form-recipient-given': session => {
    change(session.$settings, {config: {...session.$config.get()!, prefill: {recipient: RECIPIENT}}});
    fill(session, {typed: {recipient: RECIPIENT}, prefill: {recipient: RECIPIENT}});
  },
  'form-recipient-other': session => fill(session, {typed: {recipient: RECIPIENT}}),
  'form-recipient-lookalike': session => {
    fill(session, {typed: {recipient: LOOKALIKE}});
    change(session.$journal, {lookalikes: {recipient: RECIPIENT}});
  },
  'form-refund-lookalike': session => {
    transfer(session);
    change(session.$journal, {lookalikes: {refundAddress: OTHER_BITCOIN}});
  },
  'form-smart-account': session => fill(session, {facts: [lookedUp(from, PAYER, true)]}),
  'form-recipient-contract': session =>
    fill(session, {typed: {recipient: RECIPIENT}, facts: [lookedUp(to, RECIPIENT, true)]}),
  'form-recipient-name': session => fill(session, named({name: NAME, address: RECIPIENT})),
  'form-name-without-address': session => fill(session, named({name: NAME, fault: 'no-address'})),
  'form-name-unread': session => fill(session, named({name: NAME, fault: 'unread'})),
  'form-usual-amounts': session => {
    quoted(session);
    session.$limits.set({[from.id]: {min: 50_000n, max: 9_000_000n}});
  },
  'form-estimate': session => quoted(session, {...oneQuote, offers: [{...best, estimatedSeconds: 1_140}]}),
  'form-service-error': session => {
    fill(session, {quote: failed(new SwapError('timeout'))});
    session.$nextQuoteAt.set(NOON + 8_000);
  },
  'form-amount-range': session =>
    fill(session, {quote: failed(new SwapError('amount-range', {range: {min: 10_000n, max: 5_000_000n}}))}),
  'form-amount-refused': session => fill(session, {quote: failed(new SwapError('amount-range'))}),
  review: session => reviewing(session),
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
    change(session.$agreement, {moved: {before: 9_940_130n, now: 9_909_090n}});
    const offer = session.$offer.get()!;
    const destination = {...offer.destination, amount: 9_909_090n, display: '0.0990909', value: '6453.20'};
    session.$offer.set({...offer, destination});
  },
  'review-several-quotes': session => {
    reviewing(session, {...agreed, receive: 9_935_200n, solverId: 'solver-south'});
    session.$quote.set(ready(threeQuotes));
    session.$offer.set(threeQuotes.offers[1]);
  },
  'review-wallet-asks': session => {
    reviewing(session);
    change(session.$agreement, {foresight: {moves: true, plan: ['approve', 'sign']}});
  },
  'review-wallet-asks-at-once': session => {
    reviewing(session);
    change(session.$agreement, {foresight: {moves: false, plan: ['send'], isBundle: true}});
  },
  'review-own-recipient': session => {
    reviewing(session, {...agreed, recipient: PAYER});
    change(session.$agreement, {
      foresight: {moves: false, plan: ['send'], fee: {amount: 317_400_000_000_000n, coin: ETHER}},
    });
  },
  'review-lookalike': session => {
    reviewing(session, {...agreed, recipient: LOOKALIKE});
    change(session.$journal, {lookalikes: {recipient: RECIPIENT}});
  },
  'review-estimate': session => {
    reviewing(session);
    session.$offer.set({...best, estimatedSeconds: 9_000});
  },
  'review-placing-slow': session => {
    reviewing(session);
    session.$placed.set(pending());
    change(session.$agreement, {isSlow: true});
  },
  'review-placing': session => {
    reviewing(session);
    session.$placed.set(pending());
  },
  'review-refused': session => {
    reviewing(session);
    session.$placed.set(failed(new SwapError('service', {detail: '500'})));
  },
  'review-refused-because': session => {
    reviewing(session);
    const reason = 'no solver takes this order at the moment';
    session.$placed.set(failed(Object.assign(new SwapError('service', {detail: `400 ${reason}`}), {reason})));
  },
  'review-live-signature': session => {
    reviewing(session);
    change(session.$journal, {live: [handedOver('b'), handedOver('c')]});
  },
  'review-revoking': session => {
    STATES['review-live-signature']?.(session);
    change(session.$journal, {revoking: {...failed(new SwapError('rejected')), orderId: 'b'}});
  },
  'review-revoked': session => {
    STATES['review-live-signature']?.(session);
    change(session.$journal, {revoking: {...ready(hash('9')), orderId: 'b'}});
  },
  'review-transfer': session => {
    transfer(session);
    session.$view.set('review');
    change(session.$agreement, {agreed: agreedTransfer});
  },
  'deposit-address': session => placedTransfer(session),
  'deposit-address-checking': session => {
    transfer(session);
    place(session, transferDeal, {});
    session.$reading.set(pending());
  },
  'deposit-address-unread': session => {
    transfer(session);
    place(session, transferDeal, {funding: {error: new SwapError('offline')}});
    session.$reading.set(failed(new SwapError('offline')));
  },
  'deposit-address-offline': session => {
    placedTransfer(session);
    session.$reading.set(failed(new SwapError('offline'), true));
  },
  'deposit-address-partly': session => placedTransfer(session, inBlock(400_000n, 1)),
  'deposit-address-partly-on-chain': session => {
    const deposit = {state: 'seen', amount: 400_000n, hashes: [BTC_HASH], block: 900n} as const;
    placedTransfer(session, inBlock(400_000n, 1), {deposit});
  },
  'deposit-address-denied': session =>
    placedTransfer(session, inBlock(400_000n, 1), {deposit: {state: 'none'}, isNew: true}),
  'deposit-address-soon': session => placedTransfer(session, {}, {minutes: 51}),
  'deposit-address-last': session => placedTransfer(session, {}, {minutes: 58}),
  'deposit-address-gone': session => {
    placedTransfer(session, seen(1_000_000n));
    session.know({order: transferOrder()});
  },
  'deposit-address-over': session => placedTransfer(session, {}, {payUntil: NOON - 1_000}),
  'deposit-address-by-wallet': session => {
    placedTransfer(session);
    change(session.$wallets, {accounts: {bitcoin: {...account, family: 'bitcoin', address: REFUND_ADDRESS}}});
    session.fund(sending);
  },
  // The connected wallet can pay: it comes first, and the address can be copied.
  'deposit-address-connected': session => {
    placedTransfer(session);
    change(session.$wallets, {accounts: {bitcoin: {...account, family: 'bitcoin', address: REFUND_ADDRESS}}});
  },
  'checks-failed-address': session =>
    placedTransfer(session, {}, {report: transferFailed, written: {stage: 'stopped'}}),
  'deposit-sign': session =>
    placed(session, {funding: {way: 'signature', other: 'transaction', plan: ['sign', 'initiate']}}),
  'deposit-reopened': session => {
    placed(session, {
      funding: {
        way: 'signature',
        other: 'transaction',
        walletRequests: [ask('approve', 'refused')],
        foreseen: {moves: false, plan: ['approve', 'sign']},
      },
    });
  },
  'deposit-reopening': session =>
    placed(session, {funding: {way: 'signature', other: 'transaction', foreseen: 'pending'}}),
  'deposit-fees': session => placed(session, {order: order(), fees: PAYOUTS}),
  'deposit-fees-more': session => placed(session, {order: order(), fees: [...PAYOUTS, {bps: 40}]}),
  'deposit-address-fees': session => placedTransfer(session, {}, {fees: PAYOUTS}),
  'deposit-send': session => placed(session, {funding: sending}),
  'deposit-offline': session => {
    placed(session, {
      funding: {
        way: 'signature',
        other: 'transaction',
        plan: ['approve', 'sign'],
        walletRequests: [ask('approve', 'refused')],
        error: new SwapError('rejected'),
      },
    });
    session.$reading.set(failed(new SwapError('offline'), true));
  },
  'deposit-move': session =>
    placed(session, {funding: {way: 'signature', other: 'transaction', busy: true, move: 'asking'}}),
  'deposit-move-refused': session => {
    const error = new SwapError('rejected', {field: 'chain'});
    placed(session, {funding: {way: 'signature', other: 'transaction', move: 'wanted', error}});
  },
  'deposit-moved': session => {
    placed(session, {
      funding: {
        way: 'signature',
        plan: ['approve', 'sign'],
        walletRequests: [ask('approve', 'asking')],
        asking: 'approve',
        busy: true,
        move: 'moved',
      },
    });
  },
  'deposit-elsewhere': session => {
    placed(session, {
      funding: {plan: ['send'], walletRequests: [ask('send', 'asking')], busy: true, elsewhere: true},
    });
  },
  'deposit-out-of-date': session => placed(session, {payUntil: NOON - 1_000}),
  'deposit-approval-first': session => placed(session, {funding: {plan: ['approve', 'send']}}),
  'deposit-after-approval': session =>
    placed(session, {funding: {plan: ['approve', 'send'], walletRequests: [ask('approve', 'sent')]}}),
  'deposit-at-once': session =>
    placed(session, {funding: {way: 'transaction', other: 'signature', plan: ['send'], isBundle: true}}),
  'deposit-locked-for-days': session => {
    const value = {name: 'value', outcome: 'passed', found: '0.0004 SOL'} as const;
    placed(session, {report: reportOf([...passed.results.slice(0, -2), value]), order: order({timelock: 1_000_000})});
  },
  'deposit-rejected': session => {
    placed(session, {
      funding: {
        way: 'signature',
        other: 'transaction',
        plan: ['sign', 'initiate'],
        walletRequests: [ask('sign', 'refused')],
        error: new SwapError('rejected'),
      },
    });
  },
  'deposit-wallet-failed': session => {
    placed(session, {
      funding: {plan: ['send'], walletRequests: [ask('send', 'refused')], error: new SwapError('wallet-failed')},
    });
  },
  'deposit-empty': session => {
    const error = new SwapError('funding-reverted', {field: 'empty'});
    placed(session, {
      order: order(),
      deposit: {state: 'empty'},
      funding: {plan: ['send'], walletRequests: [ask('send', 'refused')], seen: 'empty', error},
    });
  },
  'deposit-allowance-used': session => {
    placed(session, {
      funding: {
        way: 'signature',
        other: 'transaction',
        walletRequests: [ask('approve', 'sent'), ask('sign', 'signed')],
        earlier: 2,
        foreseen: {moves: false, plan: ['approve', 'sign']},
        error: new SwapError('approval-failed', {field: 'used'}),
      },
    });
  },
  'deposit-signature-refused': session => {
    placed(session, {
      funding: {
        plan: ['send'],
        walletRequests: [ask('sign', 'signed'), ask('initiate', 'refused')],
        refusedBecause: 'permit not supported for this token',
      },
    });
  },
  'deposit-signature-live': session => {
    STATES['deposit-signature-refused']?.(session);
    change(session.$journal, {live: [handedOver(deal.orderId)]});
  },
  'deposit-unsigned': session => placed(session, {funding: {plan: ['approve', 'send'], unsigned: 'version 9'}}),
  'deposit-unclear': session => {
    placed(session, {
      funding: {plan: ['send'], walletRequests: [ask('send', 'asking')], unclear: true, seen: 'none'},
    });
  },
  'deposit-unclear-unread': session => {
    STATES['deposit-unclear']?.(session);
    change(session.$wallets, {accounts: {}});
    session.fund({seen: 'unknown'});
  },
  'deposit-unclear-unverified': session =>
    placed(session, {
      report: unverified,
      written: {unverified: true},
      funding: {plan: ['send'], walletRequests: [ask('send', 'asking')], unclear: true, seen: 'unknown'},
    }),
  'deposit-unclear-signature': session => {
    placed(session, {
      funding: {
        way: 'signature',
        plan: ['sign'],
        walletRequests: [ask('sign', 'signed'), ask('initiate', 'asking')],
        unclear: true,
      },
    });
  },
  'deposit-sign-unanswered': session => {
    placed(session, {
      funding: {
        way: 'signature',
        other: 'transaction',
        plan: ['sign'],
        walletRequests: [ask('sign', 'asking')],
        error: new SwapError('wallet-unclear'),
      },
    });
  },
  'deposit-overdue': session => {
    placed(session, {
      minutes: 65,
      order: order({}, {}, 65),
      deposit: {state: 'none'},
      funding: {walletRequests: [{...ask('send', 'sent'), hash: hash('7')}], unclear: true, seen: 'none'},
    });
  },
  'deposit-overdue-signature': session => {
    placed(session, {
      minutes: 65,
      order: order({}, {}, 65),
      deposit: {state: 'none'},
      funding: {
        way: 'signature',
        walletRequests: [ask('sign', 'signed'), ask('initiate', 'sent')],
        unclear: true,
        seen: 'none',
      },
    });
  },
  // Its time lock has expired by the clock, and no chain can be read.
  'deposit-overdue-unread': session => {
    placed(session, {
      minutes: 125,
      order: order({}, {}, 125),
      funding: {plan: ['send'], walletRequests: [ask('send', 'asking')], unclear: true, seen: 'unknown'},
    });
  },
  'deposit-not-connected': session => {
    placed(session);
    change(session.$wallets, {accounts: {}});
  },
  'checks-failed': session => placed(session, {report: failedReport, written: {stage: 'stopped'}}),
  'checks-failed-signature-live': session => {
    STATES['checks-failed']?.(session);
    change(session.$journal, {live: [handedOver(deal.orderId)]});
  },
  question: session => placed(session, {report: unverified, asks: true}),
  'question-address': session => {
    transfer(session);
    place(session, addressless, {order: transferOrder(), report: unverifiedTransfer, asks: true});
  },
  'question-transfer': session => {
    quoted(session);
    place(session, solanaDeal, {report: unverifiedSolana, asks: true});
  },
  // The order is described differently since the contract was allowed to take the amount.
  'question-again': session => {
    placed(session, {
      report: unverified,
      asks: true,
      written: {unverified: true},
      funding: {plan: ['approve', 'send'], walletRequests: [ask('approve', 'sent')]},
    });
  },
  'checks-unverified': session => placed(session, {report: unverifiedStopped, written: {stage: 'stopped'}}),
  'checks-unverified-address': session => {
    const report = reportOf(unverifiedTransfer.results, {unverified: 'stop'});
    transfer(session);
    place(session, addressless, {order: transferOrder(), report, written: {stage: 'stopped'}});
  },
  'checks-unread': session => placed(session, {report: unread, written: {stage: 'stopped'}}),
  'checks-other-allowed': session => placed(session, {report: otherAllowed, written: {stage: 'stopped'}}),
  'deposit-unverified': session =>
    placed(session, {report: unverified, written: {unverified: true}, funding: {plan: ['approve', 'send']}}),
  'deposit-unverified-allowed': session => {
    placed(session, {
      report: unverified,
      written: {unverified: true},
      funding: {plan: ['approve', 'send'], walletRequests: [ask('approve', 'sent'), ask('send', 'refused')]},
    });
  },
  'deposit-taken': session => {
    placed(session, {
      report: unverified,
      written: {unverified: true},
      funding: {
        plan: ['send'],
        walletRequests: [ask('approve', 'sent')],
        error: new SwapError('approval-failed', {field: 'taken'}),
      },
    });
  },
  'deposit-address-unverified': session =>
    placedTransfer(session, {}, {report: unverifiedTransfer, written: {unverified: true}}),
  'canceled-allowed': session => {
    const walletRequests = [ask('approve', 'sent')];
    placed(session, {funding: {walletRequests}, written: {stage: 'stopped', canceled: true, unverified: true}});
  },
  'progress-unverified': session =>
    placed(session, {order: order(confirmed(1)), report: 'none', written: {unverified: true}, funding: sent}),
  'refunding-unverified': session => {
    placed(session, {
      order: order({...paid, timelock: 300}),
      report: 'none',
      written: {unverified: true},
      funding: sent,
    });
  },
  'complete-unverified': session =>
    placed(session, {order: order(paid, redeemed), report: 'none', written: {unverified: true}, funding: sent}),
  'progress-sent': session => {
    const funding = {how: 'transaction', hash: hash('7')} as const;
    placed(session, {order: order(), funding: {...sent, plan: ['send'], sent: true, funding}});
  },
  'progress-deposit-seen': session => placed(session, {order: inNoBlock, funding: sent}),
  'progress-confirming': session => placed(session, {order: order(confirmed(1)), funding: sent}),
  'progress-in-time': session => {
    const initiated = {hashes: [BTC_HASH], block: 900n, at: NOON - 12 * MINUTE};
    placedTransfer(session, {filled: 1_000_000n, initiated, confirmations: {current: 1, required: 2}});
  },
  'progress-settling': session => {
    const initiated = {hashes: [hash('c')], block: 200n, at: NOON - 4 * MINUTE};
    placed(session, {order: order(confirmed(3), {initiated}), funding: sent});
  },
  'progress-payout-denied': session => {
    placed(session, {order: order(confirmed(3)), funding: sent});
    session.know({order: order(confirmed(3), redeemed), payout: {}, isNew: true});
  },
  'progress-payout-denied-less': session => {
    placed(session, {order: order(confirmed(3)), funding: sent});
    session.know({order: order(confirmed(3), redeemed), payout: {earlier: 500_000n}, isNew: true});
  },
  // The RPCs of the recipient's chain contradict each other.
  'progress-disputed': session => {
    placed(session, {order: order(confirmed(3)), funding: sent});
    session.know({order: order(confirmed(3), redeemed), payout: 'disputed'});
  },
  // Only the service had reported that it was complete.
  'progress-taken-back': session => {
    placed(session, {order: order(confirmed(3), redeemed), funding: sent});
    session.know({order: order(confirmed(3))});
  },
  'progress-changed': session => {
    const changed = order(confirmed(1), {amount: 9_000_000n});
    placed(session, {order: changed, funding: sent, written: {terms: termsOf(order())}});
  },
  'progress-bad-connection': session => {
    placed(session, {order: order(confirmed(3)), funding: sent});
    session.$readAt.set(NOON - 3 * MINUTE);
    session.$reading.set(failed(new SwapError('offline'), true));
  },
  'progress-moved-back': session => {
    placed(session, {order: order(confirmed(1)), funding: sent});
    session.know({order: inNoBlock});
  },
  'progress-address-unconfirmed': session => placedTransfer(session, seen(1_000_000n)),
  'progress-address-confirming': session => placedTransfer(session, inBlock(1_000_000n, 1)),
  'progress-address-reorganised': session => {
    placedTransfer(session, inBlock(1_000_000n, 1));
    session.know({order: transferOrder(seen(1_000_000n))});
  },
  'progress-address-overpaid': session => placedTransfer(session, inBlock(1_200_000n, 1)),
  'complete-overpaid': session => {
    placedTransfer(
      session,
      {},
      {minutes: 50, order: transferOrder(inBlock(1_200_000n, 2, NOON - 45 * MINUTE), redeemed, 50)},
    );
  },
  'refunding-late': session => placedTransfer(session, inBlock(1_000_000n, 1, NOON - 2 * MINUTE), {minutes: 85}),
  'refunding-too-little': session => placedTransfer(session, inBlock(400_000n, 2, NOON - 50 * MINUTE), {minutes: 85}),
  'refunded-too-little': session => {
    const back = {hashes: ['e'.repeat(64)], block: 902n, at: NOON - MINUTE};
    placedTransfer(session, {...inBlock(400_000n, 2, NOON - 50 * MINUTE), refunded: back}, {minutes: 85});
  },
  'expired-address': session => placedTransfer(session, {}, {minutes: 85}),
  'complete-fees': session => placed(session, {order: order(paid, redeemed), fees: PAYOUTS, funding: sent}),
  complete: session => {
    const initiated = {hashes: [hash('b')], block: 200n, at: NOON - 21 * MINUTE};
    placed(session, {order: order(paid, {initiated, ...redeemed}), funding: sent});
  },
  // Nothing ties the payout on the recipient's chain to this swap.
  'complete-untied': session =>
    placed(session, {order: order(paid, redeemed), payout: {loose: 9_940_130n}, funding: sent}),
  'complete-unseen': session => placed(session, {order: order({...paid, timelock: 300}, redeemed), funding: sent}),
  // Only the service had reported it; after a reload, the recipient's chain is read again.
  'complete-asked-again': session =>
    placed(session, {order: order(paid, redeemed), isNew: true, written: {stage: 'complete'}, funding: sent}),
  // The contract can still refund the deposit.
  'complete-held': session => {
    completeOnChain(session);
    session.know({deposit: {state: 'seen', amount: 10_000_000n, isHeld: true, isRefundOpen: true}});
  },
  'complete-on-chain': session => completeOnChain(session),
  // As on the sandbox's chains.
  'complete-no-explorer': session => {
    const [here, there] = [agreed.from, agreed.to].map(asset => ({...asset, chain: {...asset.chain, explorer: ''}}));
    completeOnChain(session, undefined, {...deal, agreed: {...agreed, from: here!, to: there!}});
  },
  // The recipient's wallet is connected, and can be asked to list the token.
  'complete-to-wallet': session => {
    completeOnChain(session);
    change(session.$wallets, {accounts: {evm: {...account, address: RECIPIENT}}});
  },
  'complete-less': session => completeOnChain(session, 8_000_000n),
  'refunding-held': session => {
    placed(session, {
      order: order(paid),
      deposit: {state: 'seen', amount: 10_000_000n, isHeld: true, isRefundOpen: true},
      funding: sent,
    });
    session.know({order: order(paid, redeemed)});
  },
  'refunding-told': session =>
    placed(session, {order: order({...paid, refunded: {hashes: [hash('e')]}}), funding: sent}),
  'refunded-on-chain': session => {
    placed(session, {
      order: order({...paid, ...refunded}),
      deposit: {
        state: 'seen',
        amount: 10_000_000n,
        hashes: [hash('7')],
        block: 100n,
        isHeld: false,
        end: {how: 'refunded', amount: 10_000_000n, hashes: [hash('e')], block: 900n},
      },
      funding: sent,
    });
  },
  'expired-signature-live': session => {
    const {walletRequests} = handedOver(deal.orderId);
    placed(session, {minutes: 85, order: order({}, {}, 85), funding: {walletRequests}});
    change(session.$wallets, {accounts: {}});
    change(session.$journal, {live: [handedOver(deal.orderId)]});
  },
  refunding: session => {
    // 2,700 blocks of 2 s, counted from the payment: in 6 minutes. The other side had an hour to pay.
    const initiated = {hashes: [hash('7')], block: 100n, at: NOON - 84 * MINUTE};
    placed(session, {
      minutes: 90,
      order: order(confirmed(3, {initiated, timelock: 2_700}), {}, 90),
      funding: sent,
      written: {confirmedAt: NOON - 61 * MINUTE},
    });
  },
  'refund-open': session => placed(session, {order: order({...paid, timelock: 300}), funding: sent}),
  refunded: session => placed(session, {order: order({...paid, ...refunded}), funding: sent}),
  'refunded-unseen': session => placed(session, {order: order({...paid, timelock: 300, ...refunded}), funding: sent}),
  expired: session => placed(session, {minutes: 85, order: order({}, {}, 85)}),
  canceled: session => placed(session, {written: {stage: 'stopped', canceled: true}}),
  'canceled-address': session => placedTransfer(session, {}, {written: {stage: 'stopped', canceled: true}}),
  'expired-read': session => {
    placed(session, {minutes: 85, order: order({}, {}, 85)});
    session.know({deposit: {state: 'none'}});
  },
  // A payment that nobody waits for any more, and no chain can be read.
  'expired-unseen': session => {
    const abandoned = {...ask('send', 'sent'), abandoned: true} as const;
    placed(session, {minutes: 125, order: order({}, {}, 125), funding: {walletRequests: [abandoned]}});
  },
  stranger: session => placed(session, {order: order(confirmed(1)), mine: false}),
  'stranger-unpaid': session => placed(session, {order: order(), mine: false}),
  reading: session => {
    placed(session, {mine: false});
    session.$reading.set(pending());
    session.$readAt.set(undefined);
  },
  'unknown-link': session => {
    placed(session, {mine: false});
    session.$reading.set(failed(new SwapError('service', {field: 'order', detail: '404 order not found'})));
  },
  journal: session => {
    session.$view.set('journal');
    change(session.$journal, {
      entries: [
        {...entry('confirming', 25), worth: {paid: 651_240n, received: 647_342n}},
        entry('awaiting-deposit', 40, {...agreed, from: usdc, amount: 120_000_000n, receive: 181_000n}, 'b'),
        {
          ...entry('complete', 2 * 1440, {...agreed, from: to, to: from, amount: 2_000_000n, receive: 1_987_000n}, 'c'),
          paidOut: proof,
          worth: {paid: 130_248n, received: 129_402n},
        },
        entry('refunded', 4 * 1440, {...agreed, from: usdc, to, amount: 8_000_000n, receive: 12_000n}, 'd'),
        entry('complete', 19 * 1440, {...agreed, amount: 2_000_000n, receive: 1_987_000n}, 'e'),
      ],
    });
  },
  'journal-many': session => {
    session.$view.set('journal');
    change(session.$journal, {
      entries: Array.from({length: 2_000}, (_, at) =>
        at
          ? {...entry('complete', at * 60, agreed, `order-${String(at)}`), paidOut: proof}
          : entry('settling', 0, agreed, 'order-0'),
      ),
    });
  },
  'journal-full': session => {
    session.$view.set('journal');
    change(session.$journal, {entries: [entry('settling', 3)]});
    change(session.$journal, {removed: 3});
  },
  'journal-empty': session => {
    session.$view.set('journal');
  },
  'configuration-error': session => {
    change(session.$settings, {
      fault: new SwapError('config', {
        field: 'assets',
        detail: '“base_sepolia:doge” has no known decimals. Give it as an object: {id, symbol, decimals}.',
      }),
    });
  },
  paused: session => {
    change(session.$settings, {config: {...session.$config.get()!, paused: true}});
    change(session.$journal, {entries: [entry('confirming', 25)]});
  },
};

/** The dialogs in front of the form, and the button that opens them. */
export const CHOICES: Readonly<Record<string, {prepare(session: FakeSession): void; press: string}>> = {
  'asset-picker': {prepare: quoted, press: 'You receive: WBTC, Ethereum Sepolia'},
  'asset-picker-many': {
    prepare: session => {
      quoted(session);
      const known = createCatalogue({known: ALL_KNOWN, families: ['bitcoin', 'evm', 'solana', 'starknet']});
      change(session.$settings, {config: {...session.$config.get()!, catalogue: known}});
      session.$draft.set({...session.$draft.get(), from: 'base:cbbtc', to: 'ethereum:wbtc'});
      change(session.$wallets, {
        balances: {
          'ethereum:wbtc': 42_180_000n,
          'arbitrum:usdc': 1_234_567_890n,
          'ethereum:eth': 10n ** 17n,
        },
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
      change(session.$wallets, {found: [harbor, field]});
      change(session.$wallets, {connecting: pending(harbor)});
    },
    press: 'Change where you receive',
  },
  // From solvers whose ids are unreadable for people.
  'form-quotes-compared': {
    prepare: session => {
      const ids = ['0x1da3b1f2c6a79e5544332211', '0x9f00b1f2c6a79e5544332211', '0x0c44b1f2c6a79e5544332211'];
      const [first, ...others] = threeQuotes.offers.map((one, at) => ({...one, solverId: ids[at]!}));
      quoted(session, {...threeQuotes, offers: [first!, ...others]});
    },
    press: '3 quotes',
  },
  'complete-receipt': {prepare: completeOnChain, press: 'Receipt'},
  'complete-unverified-receipt': {
    prepare: session => STATES['complete-unverified']?.(session),
    press: 'Receipt',
  },
  'refunded-receipt': {
    prepare: session => STATES['refunded']?.(session),
    press: 'Receipt',
  },
  'wallet-picker-none': {
    prepare: session => {
      quoted(session);
      change(session.$wallets, {accounts: {}});
    },
    press: 'Connect a wallet to pay from',
  },
};
