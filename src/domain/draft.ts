import {parseAmount} from './amount.js';
import type {Asset, AssetId, Catalogue} from './asset.js';
import type {AffiliateFee} from './affiliate-fee.js';
import type {Loss, QuoteRequest, QuoteTarget} from './quote.js';

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
export type LockedField = Exclude<keyof Draft, 'refundAddress'>;

/** The fields of a draft that hold an address. */
export type AddressName = 'recipient' | 'refundAddress';

/** Why a name has no address: names are off, it is not a name, none is set, it is off-chain, or reading failed. */
export type NameFault = 'off' | 'not-a-name' | 'no-address' | 'offchain' | 'unread';

/** A name in place of an address, written in full, and its reading: an address or a fault. */
export type NameReading = {readonly name: string} & (
  {readonly address: string; readonly fault?: never} | {readonly address?: never; readonly fault: NameFault}
);

/** How the visitor fixes a problem: click the button, type what is missing, correct what they typed, or wait. */
export type Remedy = 'press' | 'type' | 'correct' | 'wait';

/** A problem of a field, and how the visitor fixes it, with what belongs to it. */
type Of<Code, Field, Way, Data = unknown> = {
  readonly code: Code;
  readonly field: Field;
  readonly remedy: Way & Remedy;
} & Readonly<Data>;

/** The amount that fixes it, in the smallest unit of the source asset; without one the visitor types another. */
type OfAmount<Code> = Of<Code, 'amount', 'press', {use: bigint}> | Of<Code, 'amount', 'correct', {use?: never}>;

/** Why a draft cannot be reviewed, and the field to fix. Each code has its own data. */
export type Problem =
  | Of<'choose-from', 'from', 'press'>
  | Of<'choose-to' | 'same-asset', 'to', 'press'>
  /** The pair cannot be swapped; `instead` can, if one is known. */
  | Of<'no-route', 'to', 'press', {instead?: Readonly<Record<'from' | 'to', Asset>> | undefined}>
  | Of<'enter-amount', 'amount' | 'receive', 'type'>
  | Of<'not-a-number' | 'too-many-decimals', 'amount' | 'receive', 'correct', {use?: never}>
  /** The amount to pay for this target is not known yet; without one, for the last offer's. */
  | Of<'finding-amount', 'amount', 'wait', {target?: QuoteTarget}>
  /** The browser has no connection, so there is no price. */
  | Of<'offline', 'amount', 'wait'>
  /** Decimals that the asset does not have; an amount outside the service's range; more than the paying account has. */
  | OfAmount<'too-many-decimals' | 'amount-range' | 'not-enough'>
  /** The swap costs more than usual, or brings more than can be right; the visitor has not agreed to that yet. */
  | Of<'confirm-cost', 'amount', 'press', {loss: Loss}>
  /** A payment needs a wallet. */
  | Of<'connect', 'account', 'press'>
  /** The address for a refund is missing. */
  | Of<'enter-refund', 'refundAddress', 'type'>
  /** The page preset the address for a refund; the visitor has not confirmed yet that it is theirs. */
  | Of<'confirm-refund', 'refundAddress', 'press', {name?: NameReading}>
  | Of<'enter-recipient', 'recipient', 'type'>
  /** It is not the wallet's address, the page preset it, or a name stands for it; the visitor has not confirmed it yet. */
  | Of<'confirm-recipient', 'recipient', 'press', {why?: ContractRisk; name?: NameReading}>
  /** It is not known yet whether the address is valid. */
  | Of<'checking-address', AddressName, 'wait'>
  /** The typed name has no address, or what was typed is none: of another network of this title, perhaps. */
  | Of<'not-an-address', AddressName | 'account', 'correct', {network?: string; name?: NameReading}>
  /** The address is given by a name, which its chain could not resolve. */
  | Of<'name-unread', AddressName, 'press', {name: NameReading}>
  /** It is a token or a swap contract: money sent there is lost. */
  | Of<'a-contract', AddressName, 'correct'>;

/** What an address may lose as a contract: its owner has no key to it on the other chain, or it cannot receive. */
export type ContractRisk = 'smart-account' | 'contract';

/** Addresses that have to be corrected, also while another problem comes first. */
export type WrongAddresses = Partial<Readonly<Record<AddressName, WrongAddress>>>;
export type WrongAddress = Extract<Problem, {readonly code: 'not-an-address' | 'a-contract'}>;

export const EMPTY: Draft = {from: '', to: '', amount: '', receive: '', recipient: '', refundAddress: ''};
export const FIELDS = Object.keys(EMPTY) as readonly (keyof Draft)[];

export const FINDING = {code: 'finding-amount', field: 'amount', remedy: 'wait'} as const satisfies Problem;
// Shared objects: the same problem after every keystroke, so nothing renders again.
export const NO_ROUTE = {code: 'no-route', field: 'to', remedy: 'press'} as const satisfies Problem;
export const ENTER_REFUND: Problem = {code: 'enter-refund', field: 'refundAddress', remedy: 'type'};
export const CONNECT: Problem = {code: 'connect', field: 'account', remedy: 'press'};
type FeesOf = (request: Omit<QuoteRequest, 'amount' | 'affiliateFees'> & {amount?: bigint}) => readonly AffiliateFee[];

export function readDraft(draft: Draft, catalogue: Catalogue, feesOf: FeesOf): QuoteRequest | Problem {
  const from = catalogue.find(draft.from, 'from');
  if (!from) return {code: 'choose-from', field: 'from', remedy: 'press'};
  const to = catalogue.find(draft.to, 'to');
  if (!to) return {code: 'choose-to', field: 'to', remedy: 'press'};
  if (from.id === to.id) return {code: 'same-asset', field: 'to', remedy: 'press'};
  if (catalogue.pairs?.has(from.id, to.id) === false) return NO_ROUTE;
  const amount = parseAmount(draft.amount, from.decimals);
  const field = draft.receive ? 'receive' : 'amount';
  const typed = draft.receive ? parseAmount(draft.receive, to.decimals) : amount;
  if (typed === 'empty' || !typed) return {code: 'enter-amount', field, remedy: 'type'};
  if (typeof typed === 'string') return {code: typed, field, remedy: 'correct'};
  const wish = draft.receive ? {from, to, atLeast: typed} : {from, to};
  const known = draft.receive ? amount : typed;
  if (typeof known === 'bigint' && known) {
    const request = {...wish, amount: known};
    return {...request, affiliateFees: feesOf(request)};
  }
  return {...FINDING, target: {...wish, atLeast: typed, affiliateFees: feesOf(wish)}};
}

/** What an asset can be swapped with, on that side, as far as the page says: what is on another chain first. */
export function partnersOf(asset: Asset, {assets, find, pairs}: Catalogue, side: 'from' | 'to'): Asset[] {
  const isOpen = (from: Asset, to: Asset) => !pairs || pairs.has(from.id, to.id);
  const isNear = ({chain}: Asset) => Number(chain === asset.chain);
  return assets
    .filter(other => other !== asset && find(other.id, side))
    .filter(other => (side === 'to' ? isOpen(asset, other) : isOpen(other, asset)))
    .sort((one, other) => isNear(one) - isNear(other));
}

export function canTurn({from, to}: Draft, catalogue: Pick<Catalogue, 'find'> | undefined): boolean {
  return !catalogue || ((!to || !!catalogue.find(to, 'from')) && (!from || !!catalogue.find(from, 'to')));
}

export function isProblem(reading: QuoteRequest | Problem): reading is Problem {
  return 'code' in reading;
}
