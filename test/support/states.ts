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
import type {AddressName, Draft, NameReading, WrongAddress} from '../../src/domain/draft.js';
import {SwapError} from '../../src/domain/error.js';
import {accept, NOTHING_KNOWN, type FormContext, type FormFact} from '../../src/domain/form/form.js';
import {floorOf, read, type PriceMove} from '../../src/domain/form/story.js';
import {termsOf, type ChargedFee, type Leg, type Order} from '../../src/domain/order.js';
import type {Stage} from '../../src/domain/stage.js';
import type {Quote, Quotes} from '../../src/domain/quote.js';
import {failed, idle, pending, ready, valueOf, type Remote} from '../../src/domain/remote.js';
import type {Routes} from '../../src/domain/routes.js';
import type {JournalEntry} from '../../src/session/order/journal.js';
import type {FormState, FundingProgress} from '../../src/session/session.js';
import {change} from '../../src/session/shared.js';
import type {Answers, FakeSession} from './fake-session.js';
import {MINUTE, NOON} from './swap.js';

export const ATTRIBUTES = {
  'base-url': 'https://service.example',
  assets: 'base_sepolia:wbtc base_sepolia:usdc base_sepolia:usdt ethereum_sepolia:wbtc ethereum_sepolia:usdc',
  from: 'base_sepolia:wbtc',
  to: 'ethereum_sepolia:wbtc',
};

type Prepare = (session: FakeSession) => void;

/** A state in which something happens afterwards. */
const then = (before: Prepare, after: Prepare): Prepare => {
  return session => {
    before(session);
    after(session);
  };
};

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
  key: 'dev.harbor',
  family: 'evm',
  name: 'Harbor',
  connect: () => Promise.reject(new SwapError('rejected')),
};
const field: Wallet = {...harbor, id: 'dev.field', key: 'dev.field', name: 'Field Wallet'};
const account: Account = {family: 'evm', address: PAYER, wallet: harbor, watch: () => undefined};

const offer = (amount: bigint, display: string, value: string, solverId: string): Quote => ({
  source: {asset: from.id, amount: 10_000_000n, display: '0.1', value: '6512.4'},
  destination: {asset: to.id, amount, display, value},
  solverId,
});
const best = offer(9_940_130n, '0.0994013', '6473.42', 'solver-north');
const request = {from, to, amount: 10_000_000n, affiliateFees: []};

export const oneQuote: Quotes = {request, offers: [best], at: NOON - 6_000};
const threeQuotes: Quotes = {
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
  readonly routes?: Routes;
  readonly isOnline?: boolean;
}

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
  const page = {catalogue: of, prefill, paused: false, affiliateFees: [], priceTolerance: 50};
  const facts: readonly FormFact[] = [
    {about: 'page', page, fills: 'all'},
    {about: 'typed', change: {from: from.id, to: to.id, amount: '0.1', ...known.typed}},
    ...LOOKED_UP,
    ...(known.facts ?? []),
  ];
  const form = facts.reduce(accept, NOTHING_KNOWN);
  const around = {page, isShown: true, isOnline, loaded: ADDRESSES, limits: {}};
  const {routes} = known;
  const story = read(form, {...around, accounts, quote, routes, balance: valueOf(balance), reserve});
  const {request, problem, wrong, offer} = story;
  change(session.$wallets, {accounts, balance, reserve});
  const nextQuoteAt = quote.state === 'ready' ? NOON + 24_000 : undefined;
  session.setForm({draft: form.draft, request, problem, wrong, offer, quote, routes, nextQuoteAt});
}

/** The service has no route to wrapped bitcoin. */
const onlyUsdc: Routes = {policy: {isOpen: true, groups: [], allowed: [], barred: [{from: '*', to: '*:wbtc'}]}};

/** Every field that a price needs is filled in. */
const quoted = (session: FakeSession, quotes = oneQuote) => fill(session, {quote: ready(quotes)});

/** An address that has to be corrected, before anything else. */
export function toCorrect(session: FakeSession, problem: WrongAddress & {readonly field: AddressName}) {
  session.setForm({wrong: {[problem.field]: problem}, problem});
}

/** The recipient's field contains a name. */
const named = (reading: NameReading): Known => {
  return {typed: {recipient: NAME}, facts: [{about: 'name', name: {chain: to.chain, text: NAME, reading}}]};
};
const NAME = 'alice.eth';

function paidInEther(session: FakeSession, amount: bigint) {
  const ether = catalogue.find('ethereum_sepolia:eth')!;
  const display = formatAmount(amount, 18);
  const price: Quote = {
    source: {asset: ether.id, amount, display, value: '1624.35'},
    destination: {asset: from.id, amount: 2_490_000n, display: '0.0249', value: '1618.10'},
    solverId: 'solver-north',
  };
  change(session.$settings, {config: {...session.$settings.get().config!, catalogue}});
  fill(session, {
    typed: {from: ether.id, to: from.id, amount: display},
    balance: ready(500_000_000_000_000_000n),
    reserve: 200_000_000_000_000n,
    quote: ready({request: {from: ether, to: from, amount, affiliateFees: []}, offers: [price], at: NOON - 6_000}),
  });
}

const ETHER = {name: 'Ether', symbol: 'ETH', decimals: 18};

/** A price that fell below what was agreed to, by less than a swap may cost. */
export const fallen = (now: bigint): PriceMove => {
  return {before: agreed.receive, now, atLeast: floorOf(now, {priceTolerance: 50}), less: 31, level: 'caution'};
};

const review = (agreement: Partial<Agreement> = {}, more: Partial<FormState> = {}): Prepare => {
  return session => {
    quoted(session);
    session.$view.set('review');
    session.setForm({agreement: {...agreed, ...agreement}, ...more});
  };
};

interface Placed extends Answers {
  readonly of?: Deal;
  readonly minutes?: number;
  readonly payUntil?: number;
  /** The result of the last check; `none` before one. */
  readonly report?: CheckReport | 'none';
  readonly mine?: boolean;
  /** The progress of the payment. Wallet requests are stored. */
  readonly funding?: Partial<FundingProgress>;
  /** Whether the visitor is asked about what is not verified. */
  readonly asks?: boolean;
  readonly written?: Partial<JournalEntry>;
  readonly fees?: readonly ChargedFee[];
}

/** A swap that a wallet pays for, and what is answered later. */
function swap({of = deal, ...known}: Placed = {}, later?: Answers): Prepare {
  return session => {
    quoted(session);
    place(session, of, {report: passed, ...known});
    if (later) session.know(later);
  };
}

const paying = (funding: Partial<FundingProgress>, known: Placed = {}) => swap({...known, funding});
const paidFor = (order: Order, known: Placed = {}, later?: Answers) => swap({order, funding: sent, ...known}, later);

function place(
  session: FakeSession,
  whole: Deal,
  {order, deposit, payout, isNew = false, ...known}: Omit<Placed, 'of'>,
) {
  const {minutes = 25, report, mine = true, funding = {}, written, fees, asks = false} = known;
  const payees = PAYOUTS.map(({asset, address, bps}) => ({asset: asset!, address: address!, bps: bps!}));
  const agreed = fees ? {...whole.agreed, affiliateFees: payees} : whole.agreed;
  const {payUntil = NOON + (60 - minutes) * MINUTE - 5_000} = known;
  session.$view.set('order');
  // The draft is empty again.
  session.setForm({agreement: undefined});
  session.progress({readAt: NOON - 4_000});
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

const proof = {amount: 1_987_000n, hashes: [hash('c')], block: 210n};
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

const sending: Partial<FundingProgress> = {
  plan: ['send'],
  walletRequests: [ask('send', 'asking')],
  asking: 'send',
  busy: true,
};

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
const transferFailed = reportOf([
  {name: 'amount', outcome: 'passed', found: '0.01 BTC'},
  {name: 'script', outcome: 'failed', expected: DEPOSIT_ADDRESS, found: REFUND_ADDRESS, sides: ['derived', 'payment']},
]);

/* -- Payments that are not fully verified --------------------------------------------------------------------------- */

const USDC = '0x036cbd53842c5426634e7929541ec2318f3dcf7e';
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
  change(session.$settings, {config: {...session.$settings.get().config!, catalogue: bitcoinCatalogue}});
  fill(session, {
    of: bitcoinCatalogue,
    typed: {from: btc.id, to: to.id, amount: '0.01', recipient: RECIPIENT, refundAddress},
    accounts: {},
    balance: idle,
    quote: ready({request: {from: btc, to, amount: 1_000_000n, affiliateFees: []}, offers: [best], at: NOON - 6_000}),
    ...known,
  });
}

function byAddress(source: Partial<Leg> = {}, {of = transferDeal, ...known}: Placed = {}, later?: Answers): Prepare {
  return session => {
    transfer(session);
    place(session, of, {order: transferOrder(source, {}, known.minutes), report: transferChecks, ...known});
    if (later) session.know(later);
  };
}

/** A secret of 32 zero bytes, and its hash. */
const SECRET = '00'.repeat(32);
const SECRET_HASH = '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925';

/** A swap whose payment and payout were seen on their chains. */
function completeOnChain(amount = 9_940_130n, of = deal, later?: Answers): Prepare {
  const priced = {secretHash: SECRET_HASH, assetPrice: 65_124};
  const end = {how: 'redeemed', amount: 0n, hashes: [hash('d')], block: 220n} as const;
  const deposit = {state: 'seen', amount: 10_000_000n, hashes: [hash('7')], block: 100n, isHeld: false, end} as const;
  const payout = {amount, hashes: [hash('c')], block: 210n, secret: SECRET};
  return paidFor(order({...paid, ...priced}, {...redeemed, ...priced}), {of, deposit, payout}, later);
}

const UNVERIFIED: Placed = {report: unverified, written: {unverified: true}};
const STOPPED: Placed = {written: {stage: 'stopped'}};
const bySignature: Partial<FundingProgress> = {way: 'signature', other: 'transaction'};
const unanswered: Partial<FundingProgress> = {plan: ['send'], walletRequests: [ask('send', 'asking')]};
const refusedPayment: Partial<FundingProgress> = {plan: ['send'], walletRequests: [ask('send', 'refused')]};
/** The contract holds the payment, and would refund it. */
const held = {state: 'seen', amount: 10_000_000n, isHeld: true, isRefundOpen: true} as const;
/** The service says that the recipient was paid. */
const saidPaidOut: Answers = {order: order(confirmed(3), redeemed)};
/** An order of that age that nobody has paid for. */
const unpaidFor = (minutes: number): Placed => ({minutes, order: order({}, {}, minutes)});
const withoutExplorer = (asset: Asset): Asset => ({...asset, chain: {...asset.chain, explorer: ''}});

const placing: Prepare = ({progress}) => progress({placed: pending()});
const offline: Prepare = ({progress}) => progress({reading: failed(new SwapError('offline'), true)});
const disconnected: Prepare = ({$wallets}) => change($wallets, {accounts: {}});
/** The signature that the service has could still move the money. */
const live: Prepare = ({$journal}) => change($journal, {live: [handedOver(deal.orderId)]});
const twoLive = then(review(), ({$journal}) => change($journal, {live: [handedOver('b'), handedOver('c')]}));
const signatureRefused = paying({
  plan: ['send'],
  walletRequests: [ask('sign', 'signed'), ask('initiate', 'refused')],
  refusedBecause: 'permit not supported for this token',
});
const connectedToBitcoin = then(byAddress(), ({$wallets}) =>
  change($wallets, {accounts: {bitcoin: {...account, family: 'bitcoin', address: REFUND_ADDRESS}}}),
);

const UNCONNECTED: Known = {accounts: {}, balance: idle, quote: idle};

/** Each state that a person can see, set up in the session's stores. */
export const STATES: Readonly<Record<string, (session: FakeSession) => void>> = {
  'form-empty': session => fill(session, {...UNCONNECTED, typed: {to: '', amount: ''}}),
  'form-no-amount': session => fill(session, {...UNCONNECTED, typed: {amount: ''}}),
  'form-quoting-slow': session => {
    STATES['form-quoting']?.(session);
    session.setForm({slow: {cancel: () => undefined}});
  },
  'form-quoting': session => fill(session, {quote: pending()}),
  'form-quoted': quoted,
  'form-not-connected': session => fill(session, {accounts: {}, balance: idle}),
  'form-several-quotes': session => quoted(session, threeQuotes),
  'form-not-enough': session => fill(session, {typed: {amount: '4.5'}}),
  'form-nothing-there': session => fill(session, {balance: ready(0n)}),
  'form-offline': session => fill(session, {isOnline: false, quote: failed(new SwapError('offline'), oneQuote)}),
  'form-no-route': session =>
    fill(session, {typed: {to: 'ethereum_sepolia:wbtc'}, quote: failed(new SwapError('no-route')), routes: onlyUsdc}),
  'form-offline-at-first': session => fill(session, {isOnline: false, quote: failed(new SwapError('offline'))}),
  'form-cost-high': session =>
    quoted(session, {...oneQuote, offers: [offer(9_140_130n, '0.0914013', '5952.40', 'solver-north')]}),
  'form-price-too-good': session =>
    quoted(session, {...oneQuote, offers: [offer(9_940_130_000n, '99.4013', '6473421.40', 'solver-north')]}),
  'form-partner-fee': session => {
    const affiliateFees = [{asset: usdc.id, address: PAYER, bps: 30}];
    quoted(session, {...oneQuote, request: {...request, affiliateFees}});
    change(session.$settings, {config: {...session.$settings.get().config!, affiliateFees}});
  },
  'form-receive': session => fill(session, {typed: {amount: '0.1', receive: '0.0994'}}),
  'form-receive-raised': session => {
    STATES['form-receive']?.(session);
    session.setForm({raised: {before: 9_950_000n, now: 10_000_000n}});
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
    change(session.$settings, {config: {...session.$settings.get().config!, prefill: {recipient: RECIPIENT}}});
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
    session.setForm({limits: {[from.id]: {min: 50_000n, max: 9_000_000n}}});
  },
  'form-estimate': session => quoted(session, {...oneQuote, offers: [{...best, estimatedSeconds: 1_140}]}),
  'form-service-error': session => {
    fill(session, {quote: failed(new SwapError('timeout'))});
    session.setForm({nextQuoteAt: NOON + 8_000});
  },
  'form-amount-range': session =>
    fill(session, {quote: failed(new SwapError('amount-range', {range: {min: 10_000n, max: 5_000_000n}}))}),
  'form-amount-refused': session => fill(session, {quote: failed(new SwapError('amount-range'))}),
  review: review(),
  'review-two-payees': review({
    affiliateFees: [
      {asset: 'base_sepolia:usdc', address: '0x5a2f0000000000000000000000000000000091c4', bps: 10},
      {asset: 'base:cbbtc', address: '0x8e010000000000000000000000000000000077ab', bps: 20},
    ],
  }),
  'review-price-moved': session => {
    review({atLeast: 9_909_090n}, {moved: fallen(9_909_090n)})(session);
    const offer = session.$form.get().offer!;
    const destination = {...offer.destination, amount: 9_909_090n, display: '0.0990909', value: '6453.20'};
    session.setForm({offer: {...offer, destination}});
  },
  'review-several-quotes': then(review({receive: 9_935_200n, solverId: 'solver-south'}), session => {
    session.setForm({quote: ready(threeQuotes), offer: threeQuotes.offers[1]});
  }),
  'review-wallet-asks': review({}, {foresight: {moves: true, plan: ['approve', 'sign']}}),
  'review-wallet-asks-at-once': review({}, {foresight: {moves: false, plan: ['send'], isBundle: true}}),
  'review-own-recipient': review(
    {recipient: PAYER},
    {foresight: {moves: false, plan: ['send'], fee: {amount: 317_400_000_000_000n, coin: ETHER}}},
  ),
  'review-lookalike': then(review({recipient: LOOKALIKE}), ({$journal}) =>
    change($journal, {lookalikes: {recipient: RECIPIENT}}),
  ),
  'review-estimate': then(review(), ({setForm}) => setForm({offer: {...best, estimatedSeconds: 9_000}})),
  'review-placing-slow': then(review({}, {isPlacingSlow: true}), placing),
  'review-placing': then(review(), placing),
  'review-refused': then(review(), ({progress}) =>
    progress({placed: failed(new SwapError('service', {detail: '500'}))}),
  ),
  'review-refused-because': then(review(), ({progress}) => {
    const reason = 'no solver takes this order at the moment';
    progress({placed: failed(Object.assign(new SwapError('service', {detail: `400 ${reason}`}), {reason}))});
  }),
  'review-live-signature': twoLive,
  'review-revoking': then(twoLive, ({$journal}) =>
    change($journal, {revoking: {...failed(new SwapError('rejected')), orderId: 'b'}}),
  ),
  'review-revoked': then(twoLive, ({$journal}) => change($journal, {revoking: {...ready(hash('9')), orderId: 'b'}})),
  'review-transfer': session => {
    transfer(session);
    session.$view.set('review');
    session.setForm({agreement: agreedTransfer});
  },
  'deposit-address': byAddress(),
  'deposit-address-checking': session => {
    transfer(session);
    place(session, transferDeal, {});
    session.progress({reading: pending()});
  },
  'deposit-address-unread': session => {
    transfer(session);
    place(session, transferDeal, {funding: {error: new SwapError('offline')}});
    session.progress({reading: failed(new SwapError('offline'))});
  },
  'deposit-address-offline': then(byAddress(), offline),
  'deposit-address-partly': byAddress(inBlock(400_000n, 1)),
  'deposit-address-partly-on-chain': byAddress(inBlock(400_000n, 1), {
    deposit: {state: 'seen', amount: 400_000n, hashes: [BTC_HASH], block: 900n},
  }),
  'deposit-address-denied': byAddress(inBlock(400_000n, 1), {deposit: {state: 'none'}, isNew: true}),
  'deposit-address-soon': byAddress({}, {minutes: 51}),
  'deposit-address-last': byAddress({}, {minutes: 58}),
  'deposit-address-gone': byAddress(seen(1_000_000n), {}, {order: transferOrder()}),
  'deposit-address-over': byAddress({}, {payUntil: NOON - 1_000}),
  'deposit-address-by-wallet': then(connectedToBitcoin, session => session.fund(sending)),
  // The connected wallet can pay: it comes first, and the address can be copied.
  'deposit-address-connected': connectedToBitcoin,
  'checks-failed-address': byAddress({}, {report: transferFailed, ...STOPPED}),
  'deposit-sign': paying({...bySignature, plan: ['sign', 'initiate']}),
  'deposit-reopened': paying({
    ...bySignature,
    walletRequests: [ask('approve', 'refused')],
    foreseen: {moves: false, plan: ['approve', 'sign']},
  }),
  'deposit-reopening': paying({...bySignature, foreseen: 'pending'}),
  'deposit-fees': swap({order: order(), fees: PAYOUTS}),
  'deposit-fees-more': swap({order: order(), fees: [...PAYOUTS, {bps: 40}]}),
  'deposit-address-fees': byAddress({}, {fees: PAYOUTS}),
  'deposit-send': paying(sending),
  'deposit-offline': then(
    paying({
      ...bySignature,
      plan: ['approve', 'sign'],
      walletRequests: [ask('approve', 'refused')],
      error: new SwapError('rejected'),
    }),
    offline,
  ),
  'deposit-move': paying({...bySignature, busy: true, move: 'asking'}),
  'deposit-move-refused': paying({
    ...bySignature,
    move: 'wanted',
    error: new SwapError('rejected', {field: 'chain'}),
  }),
  'deposit-moved': paying({
    way: 'signature',
    plan: ['approve', 'sign'],
    walletRequests: [ask('approve', 'asking')],
    asking: 'approve',
    busy: true,
    move: 'moved',
  }),
  'deposit-elsewhere': paying({...unanswered, busy: true, elsewhere: true}),
  'deposit-out-of-date': swap({payUntil: NOON - 1_000}),
  'deposit-approval-first': paying({plan: ['approve', 'send']}),
  'deposit-after-approval': paying({plan: ['approve', 'send'], walletRequests: [ask('approve', 'sent')]}),
  'deposit-at-once': paying({way: 'transaction', other: 'signature', plan: ['send'], isBundle: true}),
  'deposit-locked-for-days': swap({
    report: reportOf([...passed.results.slice(0, -2), {name: 'value', outcome: 'passed', found: '0.0004 SOL'}]),
    order: order({timelock: 1_000_000}),
  }),
  'deposit-rejected': paying({
    ...bySignature,
    plan: ['sign', 'initiate'],
    walletRequests: [ask('sign', 'refused')],
    error: new SwapError('rejected'),
  }),
  'deposit-wallet-failed': paying({...refusedPayment, error: new SwapError('wallet-failed')}),
  'deposit-empty': paying(
    {...refusedPayment, seen: 'empty', error: new SwapError('funding-reverted', {field: 'empty'})},
    {order: order(), deposit: {state: 'empty'}},
  ),
  'deposit-allowance-used': paying({
    ...bySignature,
    walletRequests: [ask('approve', 'sent'), ask('sign', 'signed')],
    earlier: 2,
    foreseen: {moves: false, plan: ['approve', 'sign']},
    error: new SwapError('approval-failed', {field: 'used'}),
  }),
  'deposit-signature-refused': signatureRefused,
  'deposit-signature-live': then(signatureRefused, live),
  'deposit-unsigned': paying({plan: ['approve', 'send'], unsigned: 'version 9'}),
  'deposit-unclear': paying({...unanswered, unclear: true, seen: 'none'}),
  'deposit-unclear-unread': session => {
    STATES['deposit-unclear']?.(session);
    change(session.$wallets, {accounts: {}});
    session.fund({seen: 'unknown'});
  },
  'deposit-unclear-unverified': paying({...unanswered, unclear: true, seen: 'unknown'}, UNVERIFIED),
  'deposit-unclear-signature': paying({
    way: 'signature',
    plan: ['sign'],
    walletRequests: [ask('sign', 'signed'), ask('initiate', 'asking')],
    unclear: true,
  }),
  'deposit-sign-unanswered': paying({
    ...bySignature,
    plan: ['sign'],
    walletRequests: [ask('sign', 'asking')],
    error: new SwapError('wallet-unclear'),
  }),
  'deposit-overdue': paying(
    {walletRequests: [{...ask('send', 'sent'), hash: hash('7')}], unclear: true, seen: 'none'},
    {...unpaidFor(65), deposit: {state: 'none'}},
  ),
  'deposit-overdue-signature': paying(
    {
      way: 'signature',
      walletRequests: [ask('sign', 'signed'), ask('initiate', 'sent')],
      unclear: true,
      seen: 'none',
    },
    {...unpaidFor(65), deposit: {state: 'none'}},
  ),
  // Its time lock has expired by the clock, and no chain can be read.
  'deposit-overdue-unread': paying({...unanswered, unclear: true, seen: 'unknown'}, unpaidFor(125)),
  'deposit-not-connected': then(swap(), disconnected),
  'checks-failed': swap({report: failedReport, ...STOPPED}),
  'checks-failed-signature-live': then(swap({report: failedReport, ...STOPPED}), live),
  'checks-failed-support': then(swap({report: failedReport, ...STOPPED}), ({$settings}) =>
    change($settings, {config: {...$settings.get().config!, support: 'mailto:help@shop.example'}}),
  ),
  question: swap({report: unverified, asks: true}),
  'question-address': byAddress({}, {of: addressless, report: unverifiedTransfer, asks: true}),
  'question-transfer': swap({of: solanaDeal, report: unverifiedSolana, asks: true}),
  // The order is described differently since the contract was allowed to take the amount.
  'question-again': paying(
    {plan: ['approve', 'send'], walletRequests: [ask('approve', 'sent')]},
    {...UNVERIFIED, asks: true},
  ),
  'checks-unverified': swap({report: unverifiedStopped, ...STOPPED}),
  'checks-unverified-address': byAddress(
    {},
    {of: addressless, report: reportOf(unverifiedTransfer.results, {unverified: 'stop'}), ...STOPPED},
  ),
  'checks-unread': swap({report: unread, ...STOPPED}),
  'checks-other-allowed': swap({report: otherAllowed, ...STOPPED}),
  'deposit-unverified': paying({plan: ['approve', 'send']}, UNVERIFIED),
  'deposit-unverified-allowed': paying(
    {plan: ['approve', 'send'], walletRequests: [ask('approve', 'sent'), ask('send', 'refused')]},
    UNVERIFIED,
  ),
  'deposit-taken': paying(
    {
      plan: ['send'],
      walletRequests: [ask('approve', 'sent')],
      error: new SwapError('approval-failed', {field: 'taken'}),
    },
    UNVERIFIED,
  ),
  'deposit-address-unverified': byAddress({}, {...UNVERIFIED, report: unverifiedTransfer}),
  'canceled-allowed': paying(
    {walletRequests: [ask('approve', 'sent')]},
    {written: {stage: 'stopped', canceled: true, unverified: true}},
  ),
  'progress-unverified': paidFor(order(confirmed(1)), {...UNVERIFIED, report: 'none'}),
  'refunding-unverified': paidFor(order({...paid, timelock: 300}), {...UNVERIFIED, report: 'none'}),
  'complete-unverified': paidFor(order(paid, redeemed), {...UNVERIFIED, report: 'none'}),
  'progress-sent': paying(
    {...sent, plan: ['send'], sent: true, funding: {how: 'transaction', hash: hash('7')}},
    {order: order()},
  ),
  'progress-deposit-seen': paidFor(inNoBlock),
  'progress-confirming': paidFor(order(confirmed(1))),
  'progress-in-time': byAddress(inBlock(1_000_000n, 1)),
  'progress-settling': paidFor(
    order(confirmed(3), {initiated: {hashes: [hash('c')], block: 200n, at: NOON - 4 * MINUTE}}),
  ),
  'progress-payout-denied': paidFor(order(confirmed(3)), {}, {...saidPaidOut, payout: {}, isNew: true}),
  'progress-payout-denied-less': paidFor(
    order(confirmed(3)),
    {},
    {...saidPaidOut, payout: {earlier: 500_000n}, isNew: true},
  ),
  // The RPCs of the recipient's chain contradict each other.
  'progress-disputed': paidFor(order(confirmed(3)), {}, {...saidPaidOut, payout: 'disputed'}),
  // Only the service had reported that it was complete.
  'progress-taken-back': paidFor(order(confirmed(3), redeemed), {}, {order: order(confirmed(3))}),
  'progress-changed': paidFor(order(confirmed(1), {amount: 9_000_000n}), {written: {terms: termsOf(order())}}),
  'progress-bad-connection': then(paidFor(order(confirmed(3))), session => {
    session.progress({readAt: NOON - 3 * MINUTE});
    offline(session);
  }),
  'progress-moved-back': paidFor(order(confirmed(1)), {}, {order: inNoBlock}),
  'progress-address-unconfirmed': byAddress(seen(1_000_000n)),
  'progress-address-confirming': byAddress(inBlock(1_000_000n, 1)),
  'progress-address-reorganised': byAddress(inBlock(1_000_000n, 1), {}, {order: transferOrder(seen(1_000_000n))}),
  'progress-address-overpaid': byAddress(inBlock(1_200_000n, 1)),
  'complete-overpaid': byAddress(
    {},
    {minutes: 50, order: transferOrder(inBlock(1_200_000n, 2, NOON - 45 * MINUTE), redeemed, 50)},
  ),
  'refunding-late': byAddress(inBlock(1_000_000n, 1, NOON - 2 * MINUTE), {minutes: 85}),
  'refunding-too-little': byAddress(inBlock(400_000n, 2, NOON - 50 * MINUTE), {minutes: 85}),
  'refunded-too-little': byAddress(
    {
      ...inBlock(400_000n, 2, NOON - 50 * MINUTE),
      refunded: {hashes: ['e'.repeat(64)], block: 902n, at: NOON - MINUTE},
    },
    {minutes: 85},
  ),
  'expired-address': byAddress({}, {minutes: 85}),
  'complete-fees': paidFor(order(paid, redeemed), {fees: PAYOUTS}),
  complete: paidFor(order(paid, {initiated: {hashes: [hash('b')], block: 200n, at: NOON - 21 * MINUTE}, ...redeemed})),
  // Nothing ties the payout on the recipient's chain to this swap.
  'complete-untied': paidFor(order(paid, redeemed), {payout: {loose: 9_940_130n}}),
  'complete-unseen': paidFor(order({...paid, timelock: 300}, redeemed)),
  // Only the service had reported it; after a reload, the recipient's chain is read again.
  'complete-asked-again': paidFor(order(paid, redeemed), {isNew: true, written: {stage: 'complete'}}),
  // The contract can still refund the deposit.
  'complete-held': completeOnChain(undefined, undefined, {deposit: held}),
  'complete-on-chain': completeOnChain(),
  // As on the sandbox's chains.
  'complete-no-explorer': completeOnChain(undefined, {
    ...deal,
    agreed: {...agreed, from: withoutExplorer(from), to: withoutExplorer(to)},
  }),
  // The recipient's wallet is connected, and can be asked to list the token.
  'complete-to-wallet': then(completeOnChain(), ({$wallets}) =>
    change($wallets, {accounts: {evm: {...account, address: RECIPIENT}}}),
  ),
  'complete-less': completeOnChain(8_000_000n),
  'refunding-held': paidFor(order(paid), {deposit: held}, {order: order(paid, redeemed)}),
  'refunding-told': paidFor(order({...paid, refunded: {hashes: [hash('e')]}})),
  'refunded-on-chain': paidFor(order({...paid, ...refunded}), {
    deposit: {
      state: 'seen',
      amount: 10_000_000n,
      hashes: [hash('7')],
      block: 100n,
      isHeld: false,
      end: {how: 'refunded', amount: 10_000_000n, hashes: [hash('e')], block: 900n},
    },
  }),
  'expired-signature-live': session => {
    const {walletRequests} = handedOver(deal.orderId);
    paying({walletRequests}, unpaidFor(85))(session);
    disconnected(session);
    live(session);
  },
  // 2,700 blocks of 2 s, counted from the payment: in 6 minutes. The other side had an hour to pay.
  refunding: paidFor(
    order(
      confirmed(3, {initiated: {hashes: [hash('7')], block: 100n, at: NOON - 84 * MINUTE}, timelock: 2_700}),
      {},
      90,
    ),
    {minutes: 90, written: {confirmedAt: NOON - 61 * MINUTE}},
  ),
  'refund-open': paidFor(order({...paid, timelock: 300})),
  refunded: paidFor(order({...paid, ...refunded})),
  'refunded-unseen': paidFor(order({...paid, timelock: 300, ...refunded})),
  expired: swap(unpaidFor(85)),
  canceled: swap({written: {stage: 'stopped', canceled: true}}),
  'canceled-address': byAddress({}, {written: {stage: 'stopped', canceled: true}}),
  'expired-read': swap(unpaidFor(85), {deposit: {state: 'none'}}),
  // A payment that nobody waits for any more, and no chain can be read.
  'expired-unseen': paying({walletRequests: [{...ask('send', 'sent'), abandoned: true}]}, unpaidFor(125)),
  stranger: swap({order: order(confirmed(1)), mine: false}),
  'stranger-unpaid': swap({order: order(), mine: false}),
  reading: then(swap({mine: false}), session => {
    session.progress({reading: pending()});
    session.progress({readAt: undefined});
  }),
  'unknown-link': then(swap({mine: false}), ({progress}) =>
    progress({reading: failed(new SwapError('service', {field: 'order', detail: '404 order not found'}))}),
  ),
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
    change(session.$settings, {config: {...session.$settings.get().config!, paused: true}});
    change(session.$journal, {entries: [entry('confirming', 25)]});
  },
};

/** The dialogs in front of the form, and the button that opens them. */
export const CHOICES: Readonly<Record<string, {prepare(session: FakeSession): void; press: string}>> = {
  'asset-picker': {prepare: quoted, press: 'You receive: WBTC, Ethereum Sepolia'},
  'asset-picker-routes': {
    prepare: session => {
      STATES['form-no-route']?.(session);
    },
    press: 'You receive: WBTC, Ethereum Sepolia',
  },
  'asset-picker-many': {
    prepare: session => {
      quoted(session);
      const assets = ALL_KNOWN.assets.flatMap(({id}) => (id.includes('_') ? [] : [id]));
      const families = ['bitcoin', 'evm', 'solana', 'starknet'] as const;
      const known = createCatalogue({known: ALL_KNOWN, families, assets});
      change(session.$settings, {config: {...session.$settings.get().config!, catalogue: known}});
      session.setForm({
        draft: {...session.$form.get().draft, from: 'base:cbbtc', to: 'ethereum:wbtc'},
        offer: {
          source: {asset: 'base:cbbtc', amount: 10_000_000n, display: '0.1', value: '6512.4'},
          destination: {asset: 'ethereum:wbtc', amount: 9_940_130n, display: '0.0994013', value: '6473.42'},
          solverId: 'solver-north',
        },
      });
      change(session.$wallets, {
        balances: {
          'ethereum:wbtc': 42_180_000n,
          'arbitrum:usdc': 1_234_567_890n,
          'ethereum:eth': 10n ** 17n,
        },
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
  'form-quotes-compared': {prepare: session => quoted(session, threeQuotes), press: 'Details'},
  'complete-receipt': {prepare: completeOnChain(), press: 'Receipt'},
  'complete-unverified-receipt': {prepare: STATES['complete-unverified']!, press: 'Receipt'},
  'refunded-receipt': {prepare: STATES['refunded']!, press: 'Receipt'},
  'wallet-picker-none': {prepare: then(quoted, disconnected), press: 'Connect a wallet to pay from'},
};
