import {
  addressProblem,
  contractLookup,
  ownerOf,
  recipientOf,
  typedProblems,
  wrongAddress,
  type AddressContext,
  type ContractLookup,
  type TypedProblems,
} from '../address.js';
import {feesFor, NO_FEES, type AffiliateFee, type FeeRule} from '../affiliate-fee.js';
import {depositBy, type Asset} from '../asset.js';
import type {Agreement} from '../deposit.js';
import {
  CONNECT,
  ENTER_REFUND,
  FINDING,
  isProblem,
  NO_ROUTE,
  readDraft,
  type Problem,
  type WrongAddress,
  type WrongAddresses,
} from '../draft.js';
import {
  cents,
  lessBps,
  lossBetween,
  MAX_GAIN_BPS,
  type AmountLimits,
  type Loss,
  type Quote,
  type QuoteRequest,
  type Quotes,
  type QuoteTarget,
} from '../quote.js';
import {bpsAbove} from '../reference.js';
import {valueOf} from '../remote.js';
import {hasRoute, otherRoute} from '../routes.js';
import {withoutExcess} from '../typed.js';
import {deedOf, type Deed} from './deed.js';
import {yesKey, type Form, type FormContext} from './form.js';
import {isAmountLocked, notesOf, warningsOf, type FormNotes, type FormWarnings, type NoteFacts} from './notes.js';

/*
 * What the facts of the form mean: the request or what hinders it, the offer, what the button does, what is said at
 * each field, what will be agreed, what moved, and what is to be asked of a chain. Nothing else decides any of these.
 */

/** The cost in basis points of the amount paid up to which no confirmation is needed, unless the page sets another. */
const MAX_COST_BPS = 500;

export interface FormStory {
  readonly request: QuoteRequest | Problem;
  /** Why this cannot be reviewed. A missing price is not a problem unless its reason is known. */
  readonly problem?: Problem | undefined;
  /** All addresses that have to be corrected, also while another problem comes first. */
  readonly wrong: WrongAddresses;
  /** The chosen offer: the best one, unless the visitor took another that brings enough. */
  readonly offer?: Quote | undefined;
  /** What the review shows and its button will order; only if nothing hinders. */
  readonly agreement?: Agreement | undefined;
  readonly moved?: PriceMove | undefined;
  /** What the form's button does. */
  readonly deed: Deed;
  readonly notes: FormNotes;
  readonly warnings: FormWarnings;
  /** The most that the paying account can swap, in the smallest unit, if the visitor may choose it. */
  readonly most?: bigint | undefined;
  readonly isShort: boolean;
  /** The address to look up: it may be a contract. */
  readonly lookup?: ContractLookup | undefined;
}

/** A price that fell below what the visitor agreed to. Amounts are what arrives, in the smallest unit. */
export interface PriceMove {
  readonly before: bigint;
  readonly now: bigint;
  /** What arrives at least, if the visitor accepts it. */
  readonly atLeast: bigint;
  /** By how much it fell, in basis points; `loss` if that is more than a swap may cost without a yes. */
  readonly less: number;
  readonly level: 'caution' | 'loss';
}

export function read(form: Form, context: FormContext): FormStory {
  const {draft, floor} = form;
  const {page, quote} = context;
  const request = readDraft(draft, page.catalogue, wish => feesOrNone(page.affiliateFees, wish));
  const quotes = valueOf(quote);
  const offer = quotes && offerOf(form, isProblem(request) ? {} : request, quotes.offers);
  const {problem, wrong} = problemsOf(form, context, request, offer);
  const noted = {...context, draft, request, problem, wrong};
  return {
    request,
    problem,
    wrong,
    offer,
    agreement: isProblem(request) || problem || !offer ? undefined : agreementOf(form, context, request, offer),
    moved: floor && offer && moveOf(floor, offer, wishIn(request), page),
    deed: deedOf({problem, quote, offer}),
    notes: notesOf(noted),
    warnings: warningsOf(noted),
    most: mostOf(noted),
    isShort: !isProblem(request) && isShort(request, context.balance),
    lookup: isProblem(request) ? undefined : contractLookup(request, draft, {...context, name: form.name}),
  };
}

/** The fees of a request. Without any where the page's own code fails: then no price is requested either, and that is said. */
function feesOrNone(rule: FeeRule, wish: Parameters<typeof feesFor>[1]): readonly AffiliateFee[] {
  try {
    return feesFor(rule, wish);
  } catch {
    return NO_FEES;
  }
}

export function feesIn(quote: FormContext['quote']): readonly AffiliateFee[] {
  return valueOf(quote)?.request.affiliateFees ?? NO_FEES;
}

/** What a price is requested for: what a draft requests, or the target that an amount is searched for. */
export function wishIn(request: QuoteRequest | Problem): QuoteRequest | QuoteTarget | undefined {
  if (!isProblem(request)) return request;
  return request.code === 'finding-amount' ? request.target : undefined;
}

/** The offer that the visitor chose, if it brings the requested minimum; else the best one. */
export function offerOf(form: Form, request: {readonly atLeast?: bigint}, offers: Quotes['offers']): Quote {
  const chosen = offers.find(({solverId}) => solverId === form.solverId);
  return chosen && !fallsShort(chosen, request) ? chosen : offers[0];
}

export function fallsShort(offer: Quote | undefined, {atLeast = 0n}: {readonly atLeast?: bigint}): boolean {
  return offer !== undefined && offer.destination.amount < atLeast;
}

/** The minimum that has to arrive: the quote less the tolerance, and at least what was requested. */
export function floorOf(
  receive: bigint,
  {priceTolerance}: Pick<FormContext['page'], 'priceTolerance'>,
  atLeast = 0n,
): bigint {
  const floor = lessBps(receive, priceTolerance);
  return atLeast > floor ? atLeast : floor;
}

function moveOf(
  floor: Agreement,
  {destination: {amount: now}}: Quote,
  wish: ReturnType<typeof wishIn>,
  page: FormContext['page'],
): PriceMove | undefined {
  if (now >= floor.atLeast) return undefined;
  const {receive: before} = floor;
  const less = -bpsAbove(now, before);
  const level = less > (page.maxCostBps ?? MAX_COST_BPS) ? 'loss' : 'caution';
  return {before, now, atLeast: floorOf(now, page, wish?.atLeast), less, level};
}

function agreementOf(
  {draft, name, floor}: Form,
  {page, accounts, quote}: FormContext,
  request: QuoteRequest,
  offer: Quote,
): Agreement | undefined {
  if (fallsShort(offer, request)) return undefined;
  const {from, to, amount, atLeast} = request;
  const receive = offer.destination.amount;
  return Object.freeze({
    from,
    to,
    amount,
    receive,
    atLeast: floor?.atLeast ?? floorOf(receive, page, atLeast),
    owner: ownerOf(draft, accounts, page.catalogue),
    recipient: recipientOf(draft, accounts, page.catalogue, name),
    affiliateFees: feesIn(quote),
    solverId: offer.solverId,
  });
}

/** The first problem, in the order in which a person would fix them, and all addresses that are wrong. */
function problemsOf(
  form: Form,
  context: FormContext,
  request: QuoteRequest | Problem,
  offer: Quote | undefined,
): {readonly problem?: Problem | undefined; readonly wrong: WrongAddresses} {
  const {draft, yes} = form;
  const {page, isShown, isOnline} = context;
  if (!isOnline && isShown && wishIn(request)) return {problem: OFFLINE, wrong: {}};
  const noRoute = isShown && !offer ? routeProblem(form, context) : undefined;
  if (noRoute) return {problem: noRoute, wrong: {}};
  const around: AddressContext = {
    ...context,
    ...form,
    catalogue: page.catalogue,
    prefill: page.prefill,
    isConfirmed: (field, address) => yesKey(form, field, address) in yes,
  };
  const [from, to] = [page.catalogue.find(draft.from), page.catalogue.find(draft.to)];
  const typed = from && to && typedProblems({from, to}, draft, around);
  const ofPrice = isShown ? priceProblem(form, context, request, offer) : undefined;
  const problem = firstProblem(request, ofPrice, typed, form, around);
  // The first one may be that of a wallet's address, which nobody typed.
  const wrong = [typed?.refundAddress, typed?.recipient, problem].filter(isWrongAddress);
  return {problem, wrong: problem ? Object.fromEntries(wrong.map(one => [one.field, one])) : {}};
}

/** A pair without a route. One that has a price has one, whatever the service's lists say. */
function routeProblem({draft}: Form, {page, routes}: FormContext): Problem | undefined {
  const {catalogue, locked = []} = page;
  const [from, to] = [catalogue.find(draft.from, 'from'), catalogue.find(draft.to, 'to')];
  if (!from || !to || from.id === to.id || hasRoute(from.id, to.id, catalogue, routes)) return undefined;
  return {...NO_ROUTE, instead: otherRoute({from, to}, catalogue, routes, locked)};
}

function firstProblem(
  request: QuoteRequest | Problem,
  ofPrice: Problem | undefined,
  typed: TypedProblems | undefined,
  form: Form,
  around: AddressContext,
): Problem | undefined {
  // The visitor may fill in the fields in any order: a wrong address comes before a missing amount.
  if (isProblem(request)) {
    const wrong = [typed?.refundAddress, typed?.recipient].find(isWrongAddress);
    return ofPrice ?? (request.code === 'enter-amount' ? wrong : undefined) ?? request;
  }
  // A wrong amount is fixed first, and a cost is accepted last.
  if (ofPrice && ofPrice.code !== 'confirm-cost') return ofPrice;
  return addressProblem(request, form.draft, around, typed) ?? missingAddress(request, form, around) ?? ofPrice;
}

function isWrongAddress(problem: Problem | undefined): problem is WrongAddress {
  return (problem?.code === 'not-an-address' && problem.field !== 'account') || problem?.code === 'a-contract';
}

const OFFLINE: Problem = {code: 'offline', field: 'amount', remedy: 'wait'};
const ENTER_RECIPIENT: Problem = {code: 'enter-recipient', field: 'recipient', remedy: 'type'};

/** What is still missing, or an account of a wallet that is on another network. */
function missingAddress(
  request: QuoteRequest,
  {draft, name}: Form,
  {catalogue, accounts, loaded}: AddressContext,
): Problem | undefined {
  const byTransfer = depositBy(request.from.chain) === 'transfer';
  const owner = ownerOf(draft, accounts, catalogue);
  const recipient = recipientOf(draft, accounts, catalogue, name);
  if (!owner) return byTransfer ? ENTER_REFUND : CONNECT;
  if (!recipient) return ENTER_RECIPIENT;
  // A wallet may be on another network than the page, with an address that is not valid here.
  const foreign = ({chain}: Asset, address: string, field: WrongAddress['field']): Problem | undefined => {
    const family = loaded[chain.family];
    return !family || family.addresses.isAddress(chain, address)
      ? undefined
      : wrongAddress(field, chain, address, request, loaded);
  };
  return (
    foreign(request.from, owner, byTransfer ? 'refundAddress' : 'account') ??
    foreign(request.to, recipient, 'recipient')
  );
}

/*
 * -- The amount and its price ---------------------------------------------------------------------------------------
 */

function priceProblem(
  form: Form,
  context: FormContext,
  request: QuoteRequest | Problem,
  offer: Quote | undefined,
): Problem | undefined {
  const {page, quote, balance, reserve} = context;
  const isLocked = isAmountLocked(context);
  if (isProblem(request)) return tooFine(form, context, request);
  if (fallsShort(offer, request)) return FINDING;
  if (quote.state === 'failed' && quote.error.code === 'amount-range') {
    const limits = quote.error.range ?? limitsOf(context, request.from);
    return amountProblem('amount-range', isLocked ? undefined : nearest(request.amount, limits));
  }
  if (balance !== undefined && isShort(request, balance)) {
    return amountProblem('not-enough', balance > reserve && !isLocked ? balance - reserve : undefined);
  }
  const loss = offer && lossBetween(cents(offer.source.value), cents(offer.destination.value));
  return loss && needsYes(loss, form, page)
    ? {code: 'confirm-cost', field: 'amount', remedy: 'press', loss}
    : undefined;
}

/** Whether a loss or a gain is above the usual, and above what the visitor said yes to, plus the price tolerance. */
function needsYes({bps}: Loss, form: Form, {maxCostBps = MAX_COST_BPS, priceTolerance}: FormContext['page']): boolean {
  const accepted = form.yes[yesKey(form, 'cost')];
  const sign = Math.sign(bps);
  const usual = sign < 0 ? MAX_GAIN_BPS : maxCostBps;
  return sign * bps > Math.max(usual, accepted === undefined ? 0 : sign * accepted + priceTolerance);
}

/**
 * An amount with more decimals than the asset has: `use` is the amount without the excess, but no more than the account
 * has and the service takes; absent if nothing would be left.
 */
function tooFine({draft}: Form, context: FormContext, {code, field}: Problem): Problem | undefined {
  const {page, balance, reserve} = context;
  const from = page.catalogue.find(draft.from);
  if (code !== 'too-many-decimals' || field !== 'amount' || !from || isAmountLocked(context)) return undefined;
  const cut = withoutExcess(draft.amount, from.decimals);
  // Payments to an address may come from anywhere.
  const isOfAccount = balance && depositBy(from.chain) === 'wallet';
  const most = isOfAccount ? spendable(balance, reserve, limitsOf(context, from)) : cut;
  return amountProblem('too-many-decimals', (most < cut ? most : cut) || undefined);
}

export function mostOf({draft, balance, reserve, ...around}: NoteFacts): bigint | undefined {
  const from = around.page.catalogue.find(draft.from);
  return balance && from && !isAmountLocked(around) ? spendable(balance, reserve, limitsOf(around, from)) : undefined;
}

function limitsOf({limits}: Pick<FormContext, 'limits'>, {id}: Asset): AmountLimits | undefined {
  return limits[id.toLowerCase()];
}

function amountProblem(code: 'amount-range' | 'not-enough' | 'too-many-decimals', use: bigint | undefined): Problem {
  return use === undefined ? {code, field: 'amount', remedy: 'correct'} : {code, field: 'amount', remedy: 'press', use};
}

function isShort({from, amount}: QuoteRequest, balance: bigint | undefined): boolean {
  return balance !== undefined && balance < amount && depositBy(from.chain) === 'wallet';
}

/** The maximum that an account can swap: its balance less the reserve for the chain's fee, within the service's usual limit. */
function spendable(balance: bigint, reserve: bigint, limits: AmountLimits | undefined): bigint {
  const most = balance > reserve ? balance - reserve : 0n;
  return limits && limits.min <= limits.max && limits.max < most ? limits.max : most;
}

function nearest(amount: bigint, limits: AmountLimits | undefined): bigint | undefined {
  if (!limits || limits.min > limits.max) return undefined;
  return amount < limits.min ? limits.min : amount > limits.max ? limits.max : undefined;
}
