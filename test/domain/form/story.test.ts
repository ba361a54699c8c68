/** What the facts of the form mean. */
import fc from 'fast-check';
import {expect} from '../../support/expect.js';
import {contractKey} from '../../../src/domain/address.js';
import {formatAmount} from '../../../src/domain/amount.js';
import {createCatalogue} from '../../../src/domain/catalogue.js';
import {isProblem, type AddressName, type Draft} from '../../../src/domain/draft.js';
import {SwapError} from '../../../src/domain/error.js';
import {
  accept,
  NOTHING_KNOWN,
  yesKey,
  type Form,
  type FormContext,
  type FormFact,
} from '../../../src/domain/form/form.js';
import {useOf} from '../../../src/domain/form/notes.js';
import {fallsShort, feesIn, floorOf, read} from '../../../src/domain/form/story.js';
import {rankQuotes, type Quote, type QuoteRequest, type Quotes} from '../../../src/domain/quote.js';
import {failed, idle, ready, type Remote} from '../../../src/domain/remote.js';
import {runs, seed} from '../../support/draws.js';
import {anAgreement, aQuote, aRequest, NOON, OTHER_WBTC, PAYER, SOLVER, WBTC} from '../../support/swap.js';

const catalogue = createCatalogue({assets: [WBTC.id, OTHER_WBTC.id, 'bitcoin_testnet:btc', 'base_sepolia:usdc']});
const BTC = catalogue.find('bitcoin_testnet:btc')!;
const RECIPIENT = '0x00000000000000000000000000000000000000aa';
const REFUND = 'tb1qmine';

const evm = {
  addresses: {
    isAddress: (_: unknown, text: string) => /^0x[0-9a-f]{40}$/i.test(text),
    isSameAddress: (one: string, other: string) => one.toLowerCase() === other.toLowerCase(),
    isName: (text: string) => text.endsWith('.eth'),
  },
};
const bitcoin = {
  addresses: {isAddress: (_: unknown, text: string) => text.startsWith('tb1'), isSameAddress: Object.is},
};

const CONTEXT: FormContext = {
  page: {catalogue, prefill: {}, paused: false, affiliateFees: [], priceTolerance: 50},
  isShown: true,
  isOnline: true,
  accounts: {evm: {address: PAYER}},
  loaded: {evm, bitcoin},
  quote: idle,
  limits: {},
  balance: undefined,
  reserve: 0n,
};

const PAGE: FormFact = {about: 'page', page: CONTEXT.page, fills: 'untyped'};
/** The account was looked up before: it is no contract. */
const LOOKED_UP = [WBTC, OTHER_WBTC].map(({chain}): FormFact => {
  return {about: 'contract', key: contractKey({chain, address: PAYER, why: 'smart-account'}), isContract: false};
});
const form = (change: Partial<Draft> = {}, ...facts: readonly FormFact[]): Form =>
  [
    PAGE,
    ...LOOKED_UP,
    {about: 'typed', change: {from: WBTC.id, to: OTHER_WBTC.id, amount: '0.0005', ...change}} as const,
    ...facts,
  ].reduce(accept, NOTHING_KNOWN);
const quotes = (offers: readonly Quote[], request: QuoteRequest = aRequest()) => rankQuotes(request, offers, NOON);
const refused = (error: SwapError): Remote<Quotes> => failed(error);
const PRICE = ready(quotes([aQuote(49_000n)]));

/** The problem of a request, with what else is known. */
function problemOf(given: Partial<QuoteRequest>, change: Partial<FormContext> = {}, facts: readonly FormFact[] = []) {
  const {from, to, amount} = aRequest(given);
  const draft = {from: from.id, to: to.id, amount: formatAmount(amount, from.decimals), refundAddress: REFUND};
  return read(form(draft, ...facts), {...CONTEXT, ...change}).problem;
}

const locked = (field: 'amount') => ({page: {...CONTEXT.page, locked: [field]}});

describe('What is in the way of a review', () => {
  const limits = {min: 60_000n, max: 100_000n};

  for (const [what, amount, use] of [
    ['the least, for an amount below it', 50_000n, 60_000n],
    ['the most, for an amount above it', 200_000n, 100_000n],
    ['nothing if the limits do not explain the rejection', 70_000n, undefined],
    ['nothing at the least', 60_000n, undefined],
    ['nothing at the most', 100_000n, undefined],
  ] as const) {
    it(`is an amount that the service rejects; the fix is ${what}`, () => {
      const listed = {[WBTC.id]: limits};
      const named = new SwapError('amount-range', {range: limits});
      for (const found of [
        problemOf({amount}, {quote: refused(named), limits: {[WBTC.id]: {min: 1n, max: 2n}}}),
        problemOf({amount}, {quote: refused(new SwapError('amount-range')), limits: listed}),
      ]) {
        expect(found?.code).to.equal('amount-range');
        expect(useOf(found)).to.equal(use);
        expect(found?.remedy).to.equal(use === undefined ? 'correct' : 'press');
      }
    });
  }

  it('is not a limit in the service’s list, as long as there is a price, nor a list that is wrong', () => {
    expect(problemOf({}, {limits: {[WBTC.id]: limits}, quote: PRICE})).to.equal(undefined);
    const quote = refused(new SwapError('amount-range'));
    expect(useOf(problemOf({}, {limits: {[WBTC.id]: {min: 9n, max: 1n}}, quote}))).to.equal(undefined);
    expect(useOf(problemOf({}, {limits: {[WBTC.id]: {min: 9n, max: 9n}}, quote}))).to.equal(9n);
  });

  it('is an amount that cannot be changed, without a button', () => {
    const fault = {code: 'amount-range', field: 'amount', remedy: 'correct'};
    const quote = refused(new SwapError('amount-range', {range: limits}));
    expect(problemOf({}, {quote, ...locked('amount')})).to.deep.equal(fault);
  });

  it('is a balance known to be too small; the fix is the most that can be paid', () => {
    expect(problemOf({}, {balance: 50_000n})).to.equal(undefined);
    expect(problemOf({}, {balance: 49_999n, reserve: 999n})).to.deep.include({code: 'not-enough', use: 49_000n});
    for (const [balance, reserve] of [
      [900n, 999n],
      [999n, 999n],
      [0n, 0n],
    ] as const)
      expect(problemOf({}, {balance, reserve})).to.deep.equal({code: 'not-enough', field: 'amount', remedy: 'correct'});
    expect(useOf(problemOf({}, {balance: 9n, ...locked('amount')}))).to.equal(undefined);
  });

  it('is not a wallet’s balance when paying by address: that may come from anywhere', () => {
    expect(problemOf({from: BTC, to: WBTC}, {balance: 0n})).to.equal(undefined);
  });

  it('is an amount with too many decimals; the fix is without the excess, and no more than can be paid', () => {
    const found = (amount: string, change: Partial<FormContext> = {}, from = WBTC.id) => {
      const typed = {from, to: OTHER_WBTC.id, amount, refundAddress: REFUND};
      return read(form(typed), {...CONTEXT, reserve: 100n, ...change}).problem;
    };
    for (const balance of [undefined, 0n, 10n ** 12n])
      expect(found('1.2345678999', {balance})).to.deep.include({code: 'too-many-decimals', use: 123_456_789n});
    expect(found('1234.5678912345', {balance: 1_000n})).to.deep.include({remedy: 'press', use: 900n});
    const most = {[WBTC.id]: {min: 500n, max: 500n}};
    expect(found('1234.5678912345', {balance: 1_000n, limits: most})).to.deep.include({use: 500n});
    // A wallet is not the only one that may pay to an address.
    expect(useOf(found('1234.5678912345', {balance: 1_000n}, BTC.id))).to.equal(123_456_789_123n);
    const without = {code: 'too-many-decimals', field: 'amount', remedy: 'correct'};
    expect(found('0.0000000001')).to.deep.equal(without);
    expect(found('1.2345678999', locked('amount'))).to.deep.equal(without);
  });

  it('is a total cost above the usual, until it is accepted: up to that plus the price tolerance, for this pair', () => {
    const worth = (paid: string, received: string) => {
      const quote = aQuote(49_000n);
      const source = {...quote.source, value: paid};
      const destination = {...quote.destination, value: received};
      return ready(quotes([{...quote, source, destination}]));
    };
    const of = (value: string, facts: readonly FormFact[] = [], more = {}) =>
      problemOf({}, {quote: worth('100', value), page: {...CONTEXT.page, ...more}}, facts);
    expect(of('95')).to.equal(undefined);
    expect(of('94.99')?.code).to.equal('confirm-cost');
    expect(of('94.98', [], {maxCostBps: 502})).to.equal(undefined);
    expect(problemOf({}, {quote: worth('', '94.98')}), 'without values').to.equal(undefined);
    expect(of('94.98')).to.deep.include({code: 'confirm-cost', remedy: 'press', loss: {total: 502n, bps: 502}});
    const yes = (bps: number): FormFact => ({about: 'yes', to: yesKey(form(), 'cost'), bps});
    expect(of('93', [yes(650)])).to.equal(undefined);
    expect(of('92.99', [yes(650)])?.code).to.equal('confirm-cost');
    expect(of('95', [yes(100)]), 'less than the usual').to.equal(undefined);
    expect(of('99.99', [], {maxCostBps: 0})?.code, 'no cost is usual').to.equal('confirm-cost');
    expect(of('105')).to.equal(undefined);
    expect(of('99700')?.code, 'a gain that cannot be right').to.equal('confirm-cost');
    expect(of('105.01', [], {maxCostBps: 10_000})?.code).to.equal('confirm-cost');
    expect(of('107', [yes(-650)])).to.equal(undefined);
    expect(of('107.01', [yes(-650)])?.code).to.equal('confirm-cost');
    expect(of('94.99', [yes(-9_000)])?.code, 'a yes to a gain is none to a loss').to.equal('confirm-cost');
    expect(of('105.01', [yes(9_000)])?.code).to.equal('confirm-cost');
    expect(of('93', [yes(650), {about: 'typed', change: {to: 'base_sepolia:usdc'}}])?.code).to.equal('confirm-cost');
  });

  it('is a pair without a route, before anything else, as long as it has no price', () => {
    const barred = [{from: '*', to: 'ethereum_sepolia:*'}];
    const routes = {policy: {isOpen: true, groups: [], allowed: [], barred}};
    const at = (change: Partial<FormContext>, amount = '') => read(form({amount}), {...CONTEXT, ...change});
    const instead = {from: catalogue.find(WBTC.id)!, to: BTC};
    expect(at({routes}).problem).to.deep.equal({code: 'no-route', field: 'to', remedy: 'press', instead});
    expect(at({routes}).deed).to.deep.equal({does: 'take', pair: instead});
    expect(at({routes, quote: PRICE}, '0.0005').problem, 'it has one').to.equal(undefined);
    expect(at({routes, quote: PRICE, isShown: false}, '0.0005').problem).to.equal(undefined);
    const named = createCatalogue({
      assets: catalogue.assets.map(({id}) => id),
      pairs: `${WBTC.id} > bitcoin_testnet:btc, base_sepolia:usdc > ${OTHER_WBTC.id}`,
    });
    const page = {...CONTEXT.page, catalogue: named, locked: ['to'] as const, prefill: {to: OTHER_WBTC.id}};
    const atPage = read(accept(form(), {about: 'page', page, fills: 'none'}), {...CONTEXT, page});
    expect(isProblem(atPage.request), 'nothing is asked for').to.equal(true);
    expect(atPage.deed).to.deep.equal({
      does: 'take',
      pair: {from: named.find('base_sepolia:usdc'), to: named.find(OTHER_WBTC.id)},
    });
  });

  it('is a missing connection in the form, but not in a review, where the last price stays', () => {
    const offline = {code: 'offline', field: 'amount', remedy: 'wait'};
    expect(problemOf({}, {isOnline: false})).to.deep.equal(offline);
    const searched = form({amount: '', receive: '0.1'});
    expect(read(searched, {...CONTEXT, isOnline: false}).problem).to.deep.equal(offline);
    expect(read(form({amount: ''}), {...CONTEXT, isOnline: false}).problem?.code).to.equal('enter-amount');
    expect(problemOf({}, {isOnline: false, isShown: false, balance: 0n})).to.equal(undefined);
  });

  it('is an offer below what shall arrive: another amount is searched for', () => {
    const short = form({amount: '0.0005', receive: '0.0006'});
    expect(read(short, {...CONTEXT, quote: PRICE})).to.deep.include({
      problem: {code: 'finding-amount', field: 'amount', remedy: 'wait'},
      agreement: undefined,
    });
    expect(read(short, {...CONTEXT, quote: PRICE, isShown: false}).agreement).to.equal(undefined);
  });

  for (const [what, given, change, expected] of [
    ['nobody to pay from a wallet', {}, {accounts: {}}, 'account connect'],
    ['nowhere to send a refund', {from: BTC.id, to: WBTC.id}, {}, 'refundAddress enter-refund'],
    ['no recipient', {to: BTC.id}, {}, 'recipient enter-recipient'],
    ['a wrong address before a missing amount', {amount: '', recipient: 'x'}, {}, 'recipient not-an-address'],
    ['a wrong amount before a wrong address', {amount: 'x', recipient: 'x'}, {}, 'amount not-a-number'],
    ['a short balance before a missing account', {recipient: 'x'}, {balance: 1n}, 'amount not-enough'],
    ['a wallet on another network', {}, {accounts: {evm: {address: REFUND}}}, 'account not-an-address'],
    [
      'one to have a refund at',
      {from: BTC.id},
      {accounts: {...CONTEXT.accounts, bitcoin: {address: 'bc1q'}}},
      'refundAddress not-an-address',
    ],
    [
      'one to receive at',
      {to: BTC.id},
      {accounts: {...CONTEXT.accounts, bitcoin: {address: 'bc1q'}}},
      'recipient not-an-address',
    ],
    ['an address whose code is not loaded', {recipient: RECIPIENT}, {loaded: {}}, 'recipient checking-address'],
  ] as const) {
    it(`is ${what}`, () => {
      const {problem} = read(form(given), {...CONTEXT, ...(change as Partial<FormContext>)});
      expect(`${String(problem?.field)} ${String(problem?.code)}`).to.equal(expected);
    });
  }

  it('names every wrong address, whichever problem comes first', () => {
    const typed = form({from: BTC.id, to: WBTC.id, amount: 'x', refundAddress: 'y', recipient: 'z'});
    const {problem, wrong, notes} = read(typed, CONTEXT);
    expect(problem?.code).to.equal('not-a-number');
    expect(Object.keys(wrong)).to.deep.equal(['refundAddress', 'recipient']);
    expect(read(form({recipient: OTHER_WBTC.token!}), CONTEXT).wrong).to.have.nested.property(
      'recipient.code',
      'a-contract',
    );
    expect(read(form(), {...CONTEXT, accounts: {evm: {address: REFUND}}}).wrong, 'of a wallet').to.deep.equal({});
    expect(notes).to.deep.equal({
      amount: {level: 'fault', code: 'not-a-number'},
      receive: undefined,
      recipient: {code: 'not-an-address', typed: 'z'},
      refundAddress: {code: 'not-an-address', typed: 'y'},
    });
  });
});

describe('The offer', () => {
  const [small, large] = [aQuote(40_000n, 'small'), aQuote(50_000n, 'large')];
  const quote = ready(quotes([small, large]));
  const chosen: FormFact = {about: 'solver', solverId: 'small'};
  const solver = (typed: Partial<Draft>, ...facts: readonly FormFact[]) =>
    read(form(typed, ...facts), {...CONTEXT, quote}).offer?.solverId;

  it('is the best one, unless the visitor chose another for this pair, which brings what shall arrive', () => {
    expect(solver({})).to.equal('large');
    expect(solver({}, chosen)).to.equal('small');
    expect(solver({receive: '0.00045'}, chosen)).to.equal('large');
    expect(solver({}, chosen, {about: 'typed', change: {to: BTC.id}})).to.equal('large');
    expect(solver({}, {about: 'solver', solverId: 'gone'})).to.equal('large');
    expect(solver({}, chosen, {about: 'solver'})).to.equal('large');
  });
});

describe('Without a price', () => {
  it('there are no fees, and nothing falls short of nothing', () => {
    expect(feesIn(idle)).to.deep.equal([]);
    expect(fallsShort(aQuote(0n), {})).to.equal(false);
    expect(floorOf(0n, {priceTolerance: 0})).to.equal(0n);
  });
});

describe('What will be agreed', () => {
  it('is the offer, at least the price less the tolerance or what was asked for, and whose addresses', () => {
    const key = contractKey({chain: OTHER_WBTC.chain, address: RECIPIENT, why: 'contract'});
    const confirmed = form({recipient: RECIPIENT}, yes('recipient', RECIPIENT), {
      about: 'contract',
      key,
      isContract: false,
    });
    const {agreement} = read(confirmed, {...CONTEXT, quote: PRICE});
    expect(agreement).to.deep.equal(anAgreement({receive: 49_000n, atLeast: 48_755n, recipient: RECIPIENT}));
    expect(Object.isFrozen(agreement)).to.equal(true);
    const asked = read(form({receive: '0.00048999'}), {...CONTEXT, quote: PRICE});
    expect(asked.agreement?.atLeast).to.equal(48_999n);
    const exact = read(form({receive: '0.00049'}), {...CONTEXT, quote: PRICE});
    expect(exact.agreement).to.include({receive: 49_000n, atLeast: 49_000n});
  });

  it('keeps the floor of an open review, and says what moved below it', () => {
    const {agreement} = read(form(), {...CONTEXT, quote: PRICE});
    const reviewed = form({}, {about: 'floor', floor: agreement!});
    const at = (receive: bigint) =>
      read(reviewed, {...CONTEXT, isShown: false, quote: ready(quotes([aQuote(receive)]))});
    expect(at(48_755n)).to.deep.include({moved: undefined});
    expect(at(48_755n).agreement).to.include({receive: 48_755n, atLeast: 48_755n});
    const moved = {before: 49_000n, now: 48_754n, atLeast: 48_511n, less: 50, level: 'caution'};
    expect(at(48_754n).moved).to.deep.equal(moved);
    expect(at(46_545n).moved).to.deep.include({less: 501, level: 'loss'});
    expect(at(46_550n).moved).to.deep.include({less: 500, level: 'caution'});
  });

  it('has the requested minimum for a floor also once the price moved: what is shown is what is ordered', () => {
    const typed = {amount: '0.0005', receive: '0.00048'};
    const {agreement} = read(form(typed), {...CONTEXT, quote: PRICE});
    const reviewed = form(typed, {about: 'floor', floor: agreement!});
    const {moved} = read(reviewed, {...CONTEXT, isShown: false, quote: ready(quotes([aQuote(48_100n)]))});
    expect(moved).to.include({now: 48_100n, atLeast: 48_000n});
  });

  it('asks a chain about an address that may be a contract, before and not after it is known', () => {
    const typed = form({recipient: RECIPIENT}, yes('recipient', RECIPIENT));
    const {lookup} = read(typed, CONTEXT);
    expect(lookup).to.deep.include({address: RECIPIENT, why: 'contract'});
    const waits = read(typed, {...CONTEXT, quote: PRICE});
    expect(waits.problem?.code).to.equal('checking-address');
    const key = contractKey(lookup!);
    const known = accept(typed, {about: 'contract', key, isContract: undefined});
    expect(read(known, {...CONTEXT, quote: PRICE}).problem).to.equal(undefined);
  });
});

function yes(field: AddressName, address: string): FormFact {
  return {about: 'yes', to: yesKey(form(), field, address)};
}

describe('The reading of the form', () => {
  const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);
  const assets = pick(WBTC.id, OTHER_WBTC.id, BTC.id, 'base_sepolia:usdc', '');
  const address = pick('', PAYER, RECIPIENT, REFUND, SOLVER, 'x', 'a.eth');
  const typed = fc
    .record(
      {
        from: assets,
        to: assets,
        amount: pick('', '0', '0.0005', '1', 'x', '0.123456789'),
        receive: pick('', '0.0004', '2', 'x'),
        recipient: address,
        refundAddress: address,
      },
      {requiredKeys: []},
    )
    .map(change => ({about: 'typed', change}) as FormFact);
  const named = fc
    .record({chain: pick(WBTC.chain, OTHER_WBTC.chain), fault: pick(undefined, 'unread', 'no-address' as const)})
    .map(({chain, fault}) => {
      const reading = fault ? ({name: 'a.eth', fault} as const) : {name: 'a.eth', address: RECIPIENT};
      return {about: 'name', name: {chain, text: 'a.eth', reading}} as FormFact;
    });
  const facts = fc.array(
    fc.oneof(
      {weight: 4, arbitrary: typed},
      pick<FormFact>({about: 'turned'}, {about: 'solver', solverId: 'small'}, {about: 'solver'}),
      named,
      fc
        .record({
          chain: pick(WBTC.chain, OTHER_WBTC.chain),
          at: pick(PAYER, RECIPIENT),
          is: pick(true, false, undefined),
        })
        .map(({chain, at, is}): FormFact => {
          return {about: 'contract', key: contractKey({chain, address: at, why: 'contract'}), isContract: is};
        }),
      fc
        .record({what: pick<AddressName>('recipient', 'refundAddress'), at: address})
        .map(({what, at}): FormFact => ({about: 'yes', to: yesKey(form(), what, at)})),
    ),
    {maxLength: 9},
  );
  const around = fc.record({
    isShown: pick(true, false),
    isOnline: pick(true, true, false),
    accounts: pick({}, {evm: {address: PAYER}}, {evm: {address: PAYER}, bitcoin: {address: REFUND}}),
    loaded: pick({evm, bitcoin}, {evm}, {}),
    quote: pick<Remote<Quotes>>(
      idle,
      ready(quotes([aQuote(49_000n), aQuote(47_000n, 'small')])),
      failed(new SwapError('timeout')),
      failed(new SwapError('amount-range', {range: {min: 9n, max: 90_000n}})),
    ),
    balance: pick(undefined, 0n, 1_000n, 10n ** 12n),
    reserve: pick(0n, 500n),
    prefill: pick<Partial<Draft>>({}, {recipient: RECIPIENT, refundAddress: REFUND}),
  });
  const draw = (hold: (form: Form, context: FormContext, list: readonly FormFact[]) => void) => {
    fc.assert(
      fc.property(facts, around, (list, {prefill, ...rest}) => {
        const context: FormContext = {...CONTEXT, ...rest, page: {...CONTEXT.page, prefill}};
        hold(list.reduce(accept, form()), context, list);
      }),
      {numRuns: runs(2_000), seed: seed(47)},
    );
  };

  it('is the same whatever order the answers of others come in', () => {
    draw((given, context, list) => {
      const isTyped = ({about}: FormFact) => ['typed', 'turned', 'solver'].includes(about);
      const others = list.filter(fact => !isTyped(fact));
      const last = [...new Map(others.map(fact => [JSON.stringify({...fact, name: 0, isContract: 0}), fact])).values()];
      const later = [...list.filter(isTyped), ...last.reverse()].reduce(accept, form());
      expect(read(later, context)).to.deep.equal(read(given, context));
    });
  });

  it('has something to agree to exactly if nothing hinders and there is an offer, whose review the button opens', () => {
    let agreed = 0;
    draw((given, context) => {
      const {request, problem, offer, agreement, deed} = read(given, context);
      if (isProblem(request)) expect(problem).not.to.equal(undefined);
      if (problem) expect(agreement).to.equal(undefined);
      const isShort = !isProblem(request) && offer !== undefined && offer.destination.amount < (request.atLeast ?? 0n);
      expect(agreement !== undefined).to.equal(!problem && offer !== undefined && !isShort);
      if (deed.does === 'review') expect(agreement).not.to.equal(undefined);
      if (agreement) agreed += 1;
    });
    expect(agreed).to.be.greaterThan(50);
  });

  it('agrees to no address that is not one, that a chain was not asked about, or that needs a yes', () => {
    draw((given, context) => {
      const {agreement, lookup} = read(given, context);
      if (!agreement) return;
      const {from, to, owner, recipient} = agreement;
      for (const [asset, at, field] of [
        [from, owner, 'refundAddress'],
        [to, recipient, 'recipient'],
      ] as const) {
        const family = asset.chain.family as 'evm' | 'bitcoin';
        const code = context.loaded[family];
        const account = context.accounts[family]?.address;
        if (code) expect(code.addresses.isAddress(asset.chain, at), at).to.equal(true);
        else expect(at).to.equal(account);
        const isYes = yesKey(given, field, at) in given.yes;
        if (at !== account && context.page.prefill[field] === at) expect(isYes, at).to.equal(true);
        if (field === 'recipient' && at !== account && account !== undefined) expect(isYes).to.equal(true);
      }
      if (lookup) expect(contractKey(lookup) in given.contracts).to.equal(true);
      if (lookup && given.contracts[contractKey(lookup)])
        expect(yesKey(given, 'recipient', recipient) in given.yes).to.equal(true);
      expect(agreement.atLeast <= agreement.receive).to.equal(true);
    });
  });

  it('mends an amount by the one that it offers', () => {
    draw((given, context) => {
      const {problem, request} = read(given, context);
      // What a refused amount is answered with belongs to that amount.
      const use = useOf(problem);
      if (problem && use !== undefined && problem.code !== 'amount-range') {
        const asset = isProblem(request) ? catalogue.find(given.draft.from)! : request.from;
        const amount = formatAmount(use, asset.decimals);
        const next = read(accept(given, {about: 'typed', change: {amount}}), context);
        expect(next.problem?.code).not.to.equal(problem.code);
      }
    });
  });
});
