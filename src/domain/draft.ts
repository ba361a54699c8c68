import {parseAmount} from './amount.js';
import type {Asset, AssetId, Catalogue} from './asset.js';
import type {Cost, QuoteRequest, QuoteTarget} from './quote.js';

/** A side of the swap: what is paid, or what is received. */
export type Side = 'pay' | 'receive';

/** What a person typed and chose. */
export interface Draft {
  readonly from: AssetId | '';
  readonly to: AssetId | '';
  /** Decimal text in whole units, as typed. */
  readonly amount: string;
  /** What is to arrive at least, as decimal text in whole units. Where it is typed, the amount to pay is found for it. */
  readonly receive: string;
  /** Where it is to arrive. Empty: at the connected account of the destination's family; `NOWHERE`: at none. */
  readonly recipient: string;
  /** Where a refund is to go, on chains that are paid without a wallet. Empty or `NOWHERE`: as with the recipient. */
  readonly refundAddress: string;
}

/** What an address is that a person emptied: not typed yet, and not that of a connected account either. */
export const NOWHERE = ' ';

/** What a page fills in so that the person cannot change it. */
export type LockedField = 'from' | 'to' | 'amount' | 'receive' | 'recipient';

/** The fields of a draft that hold an address. */
export type AddressName = 'recipient' | 'refundAddress';

/** What a person can put right. */
export type ProblemCode =
  | 'choose-from'
  | 'choose-to'
  | 'same-asset'
  | 'enter-amount'
  | 'not-a-number'
  | 'too-many-decimals'
  /** What has to be paid, so that as much arrives as is asked for, is not known yet. */
  | 'finding-amount'
  /** The browser has no connection, so there is no price. */
  | 'offline'
  /** The service does not take this amount. */
  | 'amount-range'
  /** The paying account has less. */
  | 'not-enough'
  /** The swap costs more than is usual, and the person has not agreed to that yet. */
  | 'confirm-cost'
  /** Nothing can be paid from without a wallet. */
  | 'connect'
  /** Where a refund is to go is not known. */
  | 'enter-refund'
  /** The page filled in where a refund goes; the person has not confirmed yet that the address is theirs. */
  | 'confirm-refund'
  | 'enter-recipient'
  /** It is not the wallet's address, or the page filled it in; the person has not confirmed it yet. */
  | 'confirm-recipient'
  /** It is not known yet whether the address is good. */
  | 'checking-address'
  | 'not-an-address'
  /** A name stands in the place of an address, and its chain gave no good answer. */
  | 'name-unread'
  /** It is a token or a swap contract: what is sent there is lost. */
  | 'a-contract';

/** Why a name leads to no address: names are not read here, it is no name, none is set, it is kept off the chain, or there was no good answer. */
export type NameFault = 'off' | 'not-a-name' | 'no-address' | 'offchain' | 'unread';

/** A name in the place of an address, as it is written in full, and what was read for it: an address or a fault. */
export type NameReading = {readonly name: string} & (
  {readonly address: string; readonly fault?: never} | {readonly address?: never; readonly fault: NameFault}
);

/** What a person does about a problem: press the button, type what is missing, correct what they typed, or wait. */
export type Remedy = 'press' | 'type' | 'correct' | 'wait';

/** Why a draft cannot go on, and the field where it is put right. */
export interface Problem {
  readonly code: ProblemCode;
  readonly field: keyof Draft | 'account';
  readonly remedy: Remedy;
  /**
   * Why an address has to be confirmed that otherwise would not: the paying account is a contract on its own chain and
   * receives on another one, or the recipient is a contract.
   */
  readonly why?: 'smart-account' | 'contract';
  /** The other network of the chain's family, main or test, that it is an address on, as people know it. */
  readonly network?: string;
  /** The name that was typed, where it is about one. */
  readonly name?: NameReading;
  /** The amount that puts it right, in the smallest unit of what is paid, where there is one. */
  readonly use?: bigint;
  /** What the person is to agree to. */
  readonly cost?: Cost;
  /** What an amount is looked for. */
  readonly target?: QuoteTarget;
}

/** The amount is looked for. */
export const FINDING: Problem = {code: 'finding-amount', field: 'amount', remedy: 'wait'};
/* What is missing is the same with every key, and nothing renders for it again. */
export const ENTER_REFUND: Problem = {code: 'enter-refund', field: 'refundAddress', remedy: 'type'};
export const CONNECT: Problem = {code: 'connect', field: 'account', remedy: 'press'};

/** The partner's whole fee, in basis points: what a quote is asked with. */
export function totalBps(fees: readonly {readonly bps: number}[]): number {
  return fees.reduce((sum, {bps}) => sum + bps, 0);
}

/** Reads a draft: the request that it makes, or the first problem that keeps it from being one. */
export function readDraft(draft: Draft, catalogue: Catalogue, affiliateBps: number): QuoteRequest | Problem {
  const from = catalogue.find(draft.from, 'from');
  if (!from) return {code: 'choose-from', field: 'from', remedy: 'press'};
  const to = catalogue.find(draft.to, 'to');
  if (!to) return {code: 'choose-to', field: 'to', remedy: 'press'};
  if (from.id === to.id) return {code: 'same-asset', field: 'to', remedy: 'press'};
  const amount = parseAmount(draft.amount, from.decimals);
  const field = draft.receive ? 'receive' : 'amount';
  const typed = draft.receive ? parseAmount(draft.receive, to.decimals) : amount;
  if (typed === 'empty' || !typed) return {code: 'enter-amount', field, remedy: 'type'};
  if (typeof typed === 'string') return {code: typed, field, remedy: 'correct'};
  const pair = {from, to, affiliateBps};
  if (!draft.receive) return {...pair, amount: typed};
  const target = {...pair, atLeast: typed};
  return typeof amount === 'bigint' && amount ? {...target, amount} : {...FINDING, target};
}

/** What an asset is swapped with unless somebody says otherwise: the first offered on that side, of another chain if there is one. */
export function partnerOf(asset: Asset, {assets, find}: Catalogue, side: 'from' | 'to'): Asset | undefined {
  const others = assets.filter(other => other !== asset && find(other.id, side));
  return others.find(({chain}) => chain !== asset.chain) ?? others[0];
}

/** Whether the two sides of a draft could change places. */
export function canTurn({from, to}: Draft, catalogue: Pick<Catalogue, 'find'> | undefined): boolean {
  return !catalogue || ((!to || !!catalogue.find(to, 'from')) && (!from || !!catalogue.find(from, 'to')));
}

/** Whether a reading of a draft is a problem. */
export function isProblem(reading: QuoteRequest | Problem): reading is Problem {
  return 'code' in reading;
}
