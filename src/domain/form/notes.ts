import {
  isProblem,
  type AddressName,
  type ContractRisk,
  type Draft,
  type NameReading,
  type Problem,
  type Side,
  type WrongAddresses,
} from '../draft.js';
import type {QuoteRequest} from '../quote.js';
import {readingsOf, withoutExcess} from '../typed.js';
import type {FormContext} from './form.js';

/*
 * What is said at the fields of the form: why a text cannot be used, what to mind, what is asked, or a hint. A part of
 * the form's story; elements only put it into words.
 */

/** What is said at an amount. Only a fault keeps it from being swapped. */
export type AmountRemark = {readonly level: 'fault' | 'mind' | 'hint'} & AmountFinding;

/** Amounts are in the smallest unit of the amount's asset; `use` is one that the note offers instead. */
type AmountFinding =
  | {readonly code: 'not-a-number'}
  /** The text may mean either of these, as decimal text. */
  | {readonly code: 'ambiguous'; readonly readings: readonly string[]; readonly isOffered: boolean}
  | {readonly code: 'too-many-decimals'; readonly use?: bigint}
  /** The service takes no less, or no more; if it says how much, the form's button takes that. */
  | {readonly code: 'amount-range'; readonly bound?: 'least' | 'most'; readonly amount?: bigint}
  /** The paying account has less: that is why it cannot be swapped, or beside another reason. */
  | {readonly code: 'not-enough' | 'has-less'; readonly has: bigint; readonly missing: bigint}
  /** Nothing would be left for the network's fee, which is an estimate. */
  | {readonly code: 'keep-for-fee'; readonly reserve: bigint; readonly use?: bigint}
  | {readonly code: 'stays-for-fee'; readonly reserve: bigint}
  | {readonly code: 'usual-amounts'; readonly min: bigint; readonly max: bigint};

/** The fault of an address. */
export type AddressFault =
  | {readonly code: 'a-contract'}
  /** It is one on the network of this title: typed, or the wallet's. */
  | {readonly code: 'other-network'; readonly network: string; readonly isTyped: boolean}
  | {readonly code: 'no-name'; readonly name: NameReading}
  /** What is typed is no address, or nobody owns it. */
  | {readonly code: 'not-an-address' | 'nobodys'; readonly typed: string}
  /** It looks like an address, all of which have this length. */
  | {readonly code: 'length'; readonly typed: string; readonly length: number};

/** A question about an address, which the form's button answers, or a warning that asks nothing. */
export interface AddressWarning {
  readonly level: 'loss' | 'caution';
  /**
   * Why the visitor is asked: the page filled it in for a refund, it is or may be a contract, a link or the page set it,
   * it is not their wallet's, or a name stands for it, perhaps one that could not be read. Absent if they are not asked.
   */
  readonly why?: 'filled-in' | ContractRisk | 'linked' | 'given' | 'other' | 'name' | 'name-unread';
  /** The name that stands for it. */
  readonly name?: NameReading;
  /** The address used before that it only looks like. */
  readonly used?: string;
}

export interface NoteFacts extends Pick<FormContext, 'balance' | 'reserve' | 'limits' | 'lookalikes'> {
  readonly draft: Draft;
  readonly page: Pick<FormContext['page'], 'catalogue' | 'prefill' | 'linked' | 'locked'>;
  readonly request: QuoteRequest | Problem;
  readonly problem?: Problem | undefined;
  readonly wrong: WrongAddresses;
}

export interface FormNotes {
  readonly amount?: AmountRemark | undefined;
  readonly receive?: AmountRemark | undefined;
  readonly recipient?: AddressFault | undefined;
  readonly refundAddress?: AddressFault | undefined;
}

export type FormWarnings = Partial<Readonly<Record<AddressName, AddressWarning | undefined>>>;

export function notesOf(facts: NoteFacts): FormNotes {
  return {
    amount: amountNote('pay', facts),
    receive: amountNote('receive', facts),
    recipient: addressFault('recipient', facts),
    refundAddress: addressFault('refundAddress', facts),
  };
}

export function warningsOf(facts: NoteFacts): FormWarnings {
  return {recipient: warningOf('recipient', facts), refundAddress: warningOf('refundAddress', facts)};
}

const LEVELS: Partial<Record<AmountFinding['code'], AmountRemark['level']>> = {
  'keep-for-fee': 'mind',
  'stays-for-fee': 'hint',
  'usual-amounts': 'hint',
};

function amountNote(side: Side, facts: NoteFacts): AmountRemark | undefined {
  const finding = side === 'pay' ? payNote(facts) : unreadNote('receive', facts);
  return finding && {level: LEVELS[finding.code] ?? 'fault', ...finding};
}

function payNote(facts: NoteFacts): AmountFinding | undefined {
  const {request} = facts;
  const fault = isProblem(request) ? unreadNote('amount', facts) : shortNote(facts, request);
  return fault ?? usualAmounts(facts);
}

function unreadNote(field: 'amount' | 'receive', facts: NoteFacts): AmountFinding | undefined {
  const {draft, page, request, problem} = facts;
  if (!isProblem(request) || request.field !== field) return undefined;
  const text = draft[field];
  const asset = page.catalogue.find(field === 'amount' ? draft.from : draft.to);
  const isLocked = isAmountLocked(facts);
  if (request.code === 'too-many-decimals' && asset) {
    const rest = withoutExcess(text, asset.decimals);
    // Of an amount to pay, the form's own button takes the rest.
    const isOffered = useOf(problem) === undefined && rest > 0n && !isLocked;
    return {code: request.code, ...(isOffered && {use: rest})};
  }
  if (request.code !== 'not-a-number') return undefined;
  const readings = asset && readingsOf(text);
  return readings ? {code: 'ambiguous', readings, isOffered: !isLocked} : {code: request.code};
}

function shortNote(facts: NoteFacts, {amount}: QuoteRequest): AmountFinding | undefined {
  const {problem, balance, reserve} = facts;
  if (problem?.code === 'amount-range') {
    const {code, use} = problem;
    return use === undefined ? {code} : {code, bound: amount < use ? 'least' : 'most', amount: use};
  }
  if (balance === undefined) return undefined;
  if (balance < amount) {
    const missing = amount + reserve - balance;
    return {code: problem?.code === 'not-enough' ? 'not-enough' : 'has-less', has: balance, missing};
  }
  const left = balance - amount;
  if (left >= reserve) return left === reserve && reserve ? {code: 'stays-for-fee', reserve} : undefined;
  const most = balance - reserve;
  return {code: 'keep-for-fee', reserve, ...(most > 0n && !isAmountLocked(facts) && {use: most})};
}

/** The limits of an asset in the service's list, while there is no amount or one outside them. */
function usualAmounts({draft, request, limits}: NoteFacts): AmountFinding | undefined {
  const usual = limits[draft.from.toLowerCase()];
  if (!usual) return undefined;
  const {min, max} = usual;
  const isAsked = isProblem(request) ? request.code === 'enter-amount' : request.amount < min || request.amount > max;
  return isAsked ? {code: 'usual-amounts', min, max} : undefined;
}

export function isAmountLocked({page: {locked}}: Pick<NoteFacts, 'page'>): boolean {
  return locked?.includes('amount') ?? false;
}

export function useOf(problem: Problem | undefined): bigint | undefined {
  return problem && 'use' in problem ? problem.use : undefined;
}

/** The zero addresses: of EVM chains and Starknet, and Solana's system program. */
const NOBODYS = /^(?:0x0{40}|0x0{62,64}|1{32})$/;

/** EVM addresses have 42 characters; the pattern matches what may be meant as one. */
const EVM_LENGTH = 42;
const LIKE_EVM = /^0x[\da-f]{19,90}$/i;

function addressFault(field: AddressName, {draft, page, wrong}: NoteFacts): AddressFault | undefined {
  const problem = wrong[field];
  if (!problem) return undefined;
  if (problem.code === 'a-contract') return {code: problem.code};
  const {code, network, name} = problem;
  if (network !== undefined) return {code: 'other-network', network, isTyped: draft[field] !== ''};
  if (name) return {code: 'no-name', name};
  const typed = draft[field].trim();
  if (NOBODYS.test(typed)) return {code: 'nobodys', typed};
  const asset = page.catalogue.find(field === 'recipient' ? draft.to : draft.from);
  return asset?.chain.family === 'evm' && LIKE_EVM.test(typed) && typed.length !== EVM_LENGTH
    ? {code: 'length', typed, length: EVM_LENGTH}
    : {code, typed};
}

function warningOf(field: AddressName, facts: NoteFacts): AddressWarning | undefined {
  const used = facts.lookalikes?.[field];
  const asked = askedIn(field, facts);
  if (!asked && used === undefined) return undefined;
  const level = used !== undefined || !asked?.name ? 'loss' : 'caution';
  return {level, ...asked, ...(used !== undefined && {used})};
}

function askedIn(
  field: AddressName,
  {draft, page: {prefill, linked}, problem}: NoteFacts,
): (Required<Pick<AddressWarning, 'why'>> & Pick<AddressWarning, 'name'>) | undefined {
  if (problem?.field !== field || problem.remedy !== 'press') return undefined;
  const {code, name} = problem;
  const about = name && {name};
  if (code === 'name-unread') return {why: code, name};
  if (code === 'confirm-refund') return {why: 'filled-in', ...about};
  if (problem.why ?? name) return {why: problem.why ?? 'name', ...about};
  const typed = draft[field].trim();
  return {why: linked?.[field]?.includes(typed) ? 'linked' : prefill[field]?.includes(typed) ? 'given' : 'other'};
}
