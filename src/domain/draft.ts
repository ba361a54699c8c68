import {parseAmount} from './amount.js';
import type {Asset, AssetId, Catalogue} from './asset.js';
import type {Cost, QuoteRequest, QuoteTarget} from './quote.js';

/** A side of the swap: what is paid, or what is received. */
export type Side = 'pay' | 'receive';

/** What the visitor typed and chose. */
export interface Draft {
  readonly from: AssetId | '';
  readonly to: AssetId | '';
  /** Decimal text in whole units, as typed. */
  readonly amount: string;
  /** The minimum that has to arrive, as decimal text in whole units. If it is set, the amount to pay is searched for. */
  readonly receive: string;
  /** The recipient's address. Empty: the connected account of the destination's family; `NOWHERE`: none. */
  readonly recipient: string;
  /** The address for a refund, on chains that are paid without a wallet. Empty or `NOWHERE`: as for the recipient. */
  readonly refundAddress: string;
}

/** An address that the visitor cleared: not typed yet, but not that of a connected account either. */
export const NOWHERE = ' ';

/** Fields that a page can preset so that the visitor cannot change them. */
export type LockedField = 'from' | 'to' | 'amount' | 'receive' | 'recipient';

/** The fields of a draft that hold an address. */
export type AddressName = 'recipient' | 'refundAddress';

/** Problems that the visitor can fix. */
export type ProblemCode =
  | 'choose-from'
  | 'choose-to'
  | 'same-asset'
  | 'enter-amount'
  | 'not-a-number'
  | 'too-many-decimals'
  /** The amount to pay for the requested amount is not known yet. */
  | 'finding-amount'
  /** The browser has no connection, so there is no price. */
  | 'offline'
  /** The amount is outside the service's range. */
  | 'amount-range'
  /** The paying account has less. */
  | 'not-enough'
  /** The swap costs more than usual, and the visitor has not agreed to that yet. */
  | 'confirm-cost'
  /** A payment needs a wallet. */
  | 'connect'
  /** The address for a refund is missing. */
  | 'enter-refund'
  /** The page preset the address for a refund; the visitor has not confirmed yet that it is theirs. */
  | 'confirm-refund'
  | 'enter-recipient'
  /** It is not the wallet's address, or the page preset it; the visitor has not confirmed it yet. */
  | 'confirm-recipient'
  /** It is not known yet whether the address is valid. */
  | 'checking-address'
  | 'not-an-address'
  /** The address is given by a name, which its chain could not resolve. */
  | 'name-unread'
  /** It is a token or a swap contract: money sent there is lost. */
  | 'a-contract';

/** Why a name has no address: names are off, it is not a name, none is set, it is off-chain, or reading failed. */
export type NameFault = 'off' | 'not-a-name' | 'no-address' | 'offchain' | 'unread';

/** A name in place of an address, written in full, and its reading: an address or a fault. */
export type NameReading = {readonly name: string} & (
  {readonly address: string; readonly fault?: never} | {readonly address?: never; readonly fault: NameFault}
);

/** How the visitor fixes a problem: click the button, type what is missing, correct what they typed, or wait. */
export type Remedy = 'press' | 'type' | 'correct' | 'wait';

/** Why a draft cannot become a request, and the field to fix. */
export interface Problem {
  readonly code: ProblemCode;
  readonly field: keyof Draft | 'account';
  readonly remedy: Remedy;
  /**
   * Why an address needs a confirmation that it otherwise would not: the paying account is a contract on its own chain
   * and receives on another one, or the recipient is a contract.
   */
  readonly why?: 'smart-account' | 'contract';
  /** The title of the family's other network, mainnet or testnet, that the address is on. */
  readonly network?: string;
  /** The typed name, if the problem is about one. */
  readonly name?: NameReading;
  /** The amount that fixes it, in the smallest unit of the source asset, if there is one. */
  readonly use?: bigint;
  /** The cost that the visitor is to agree to. */
  readonly cost?: Cost;
  /** The target that an amount is searched for. */
  readonly target?: QuoteTarget;
  /** The addresses to correct, each with its own problem, even while another problem comes first. */
  readonly wrong?: Partial<Readonly<Record<AddressName, Problem>>>;
}

export const EMPTY: Draft = {from: '', to: '', amount: '', receive: '', recipient: '', refundAddress: ''};
export const FIELDS = Object.keys(EMPTY) as readonly (keyof Draft)[];

export const FINDING: Problem = {code: 'finding-amount', field: 'amount', remedy: 'wait'};
// Shared objects: the same problem after every keystroke, so nothing renders again.
export const OFFLINE: Problem = {code: 'offline', field: 'amount', remedy: 'wait'};
export const ENTER_REFUND: Problem = {code: 'enter-refund', field: 'refundAddress', remedy: 'type'};
export const CONNECT: Problem = {code: 'connect', field: 'account', remedy: 'press'};

/** The partner's whole fee in basis points, as quotes are requested with. */
export function totalBps(fees: readonly {readonly bps: number}[]): number {
  return fees.reduce((sum, {bps}) => sum + bps, 0);
}

/** Reads a draft: the resulting request, or the first problem. */
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

/** The default counterpart of an asset: the first offered on that side, on another chain if there is one. */
export function partnerOf(asset: Asset, {assets, find}: Catalogue, side: 'from' | 'to'): Asset | undefined {
  const others = assets.filter(other => other !== asset && find(other.id, side));
  return others.find(({chain}) => chain !== asset.chain) ?? others[0];
}

/** Whether the two sides of a draft can be swapped. */
export function canTurn({from, to}: Draft, catalogue: Pick<Catalogue, 'find'> | undefined): boolean {
  return !catalogue || ((!to || !!catalogue.find(to, 'from')) && (!from || !!catalogue.find(from, 'to')));
}

export function isProblem(reading: QuoteRequest | Problem): reading is Problem {
  return 'code' in reading;
}
