/*
 * Text that was typed, pasted or set by the page: read as it was meant if there is only one reading, and checked
 * against what is known. Loaded with the first address, or the first text that is not a plain amount.
 */
import {contractsOf, depositBy, type Asset, type Catalogue, type Chain, type ChainFamily} from './asset.js';
import {addressOfAccount} from './caip.js';
import {ALL_KNOWN} from './known/all.js';
import {
  NOWHERE,
  type AddressName,
  type ContractRisk,
  type Draft,
  type LockedField,
  type NameReading,
  type Problem,
  type WrongAddress,
} from './draft.js';
import type {QuoteRequest} from './quote.js';
import {readTyped} from './typed.js';

type Pair = Pick<QuoteRequest, 'from' | 'to'>;

/** A draft with its amount and addresses read as they were meant. Ambiguous text stays as it is. */
export function tidyDraft(draft: Draft, {find}: Pick<Catalogue, 'find'>, locked: readonly LockedField[] = []): Draft {
  const from = find(draft.from);
  const to = find(draft.to);
  const {address: recipient, amount: wanted} = to
    ? paymentIn(draft.recipient, to.chain, to)
    : {address: draft.recipient};
  return {
    ...draft,
    // The form knows in which language a text was typed, and has read it before it gets here.
    amount: readTyped(draft.amount, {sign: '.', symbols: from ? [from.symbol] : []}),
    receive: readTyped(draft.receive, {sign: '.', symbols: to ? [to.symbol] : []}),
    refundAddress: from ? addressIn(draft.refundAddress, from.chain) : draft.refundAddress,
    recipient,
    // The amount in a payment link is the amount that has to arrive.
    ...(wanted !== undefined && !locked.includes('receive') && {amount: '', receive: wanted}),
  };
}

/** The URI schemes of payment links, as QR codes contain them, by family. */
const SCHEMES: Readonly<Record<string, ChainFamily>> = {bitcoin: 'bitcoin', ethereum: 'evm', solana: 'solana'};

export function addressIn(text: string, chain: Pick<Chain, 'name' | 'family' | 'chainId' | 'test'>): string {
  return paymentIn(text, chain).address;
}

/**
 * The address in a payment link, and the amount that it requests, as decimal text in whole units: BIP 21, BIP 321, EIP
 * 681, Solana Pay; or the address in an account id (CAIP-10). A link for another chain, one that calls a contract and
 * one with unknown requirements are returned whole, which is not an address.
 */
function paymentIn(
  text: string,
  chain: Pick<Chain, 'name' | 'family' | 'chainId' | 'test'>,
  asset?: Pick<Asset, 'token'>,
): {readonly address: string; readonly amount?: string} {
  const trimmed = text.trim();
  const whole = {address: trimmed};
  if (text && !trimmed) return {address: NOWHERE};
  const account = addressOfAccount(trimmed, chain);
  if (account !== undefined) return {address: account};
  const [, scheme = '', path = '', id, query = ''] =
    /^([a-z]+):(?:pay-)?(\w*)(?:@(\d+))?(?:\?(.*))?$/i.exec(trimmed) ?? [];
  if (SCHEMES[scheme.toLowerCase()] !== chain.family) return whole;
  if (id !== undefined && Number(id) !== chain.chainId) return whole;
  // BIP 21: a reader that does not know such a parameter must treat the whole link as invalid.
  if (/(?:^|&)req-/i.test(query)) return whole;
  const parameters = new Map([...new URLSearchParams(query)].map(([key, value]) => [key.toLowerCase(), value]));
  // BIP 321: an address may be a parameter, named by its network.
  const address = path || (chain.family === 'bitcoin' && parameters.get(chain.test ? 'tb' : 'bc')) || '';
  if (!address) return whole;
  const amount = parameters.get('amount');
  const isOfAsset = chain.family !== 'evm' && asset && asset.token === parameters.get('spl-token');
  return amount !== undefined && isOfAsset && /^(?=.*[1-9])\d{1,30}(?:\.\d{1,30})?$/.test(amount)
    ? {address, amount}
    : {address};
}

type Addressees = Partial<Readonly<Record<ChainFamily, {readonly address: string}>>>;

/** A name that was typed as the recipient, and its reading; without one, it is still being resolved. */
export interface RecipientName {
  readonly chain: Chain;
  readonly text: string;
  readonly reading?: NameReading;
}

function readingOf(name: RecipientName | undefined, chain: Chain | undefined, text: string): NameReading | undefined {
  return name?.text === text && name.chain.name === chain?.name ? name.reading : undefined;
}

/**
 * The recipient: the typed address, or the one that the typed name resolves to, otherwise the connected account. Empty
 * if there is neither.
 */
export function recipientOf(
  {to, recipient}: Draft,
  accounts: Addressees,
  {find}: Pick<Catalogue, 'find'>,
  name?: RecipientName,
): string {
  const chain = find(to)?.chain;
  const text = recipient.trim();
  return recipient
    ? (readingOf(name, chain, text)?.address ?? text)
    : ((chain && accounts[chain.family]?.address) ?? '');
}

/** The payer, who gets a refund: the connected account, or the typed address if no wallet is needed. */
export function ownerOf({from, refundAddress}: Draft, accounts: Addressees, {find}: Pick<Catalogue, 'find'>): string {
  const chain = find(from)?.chain;
  if (!chain) return '';
  return depositBy(chain) === 'transfer' && refundAddress
    ? refundAddress.trim()
    : (accounts[chain.family]?.address ?? '');
}

export interface Addresses {
  readonly addresses: {
    isAddress(chain: Chain, text: string): boolean;
    withChecksum?(address: string): string;
    isSameAddress(one: string, other: string): boolean;
    isName?(text: string): boolean;
  };
}

export interface AddressContext {
  readonly catalogue: Catalogue;
  /** The page's presets. */
  readonly prefill: Partial<Draft>;
  readonly accounts: Addressees;
  readonly loaded: Partial<Readonly<Record<ChainFamily, Addresses>>>;
  /** Whether the visitor confirmed that address for what is paid or received. */
  isConfirmed(field: AddressName, address: string): boolean;
  readonly name?: RecipientName | undefined;
  /** What chains reported about addresses that may be contracts. Absent if chains are not queried. */
  readonly contracts?: ContractsByAddress;
}

/** Whether addresses are contracts, by `contractKey`. Absent: not known yet; `undefined`: cannot be determined. */
export type ContractsByAddress = Readonly<Record<string, boolean | undefined>>;

export interface ContractLookup {
  readonly chain: Chain;
  readonly address: string;
  readonly why: ContractRisk;
}

export function contractKey({chain, address}: ContractLookup): string {
  return `${chain.name} ${address}`;
}

/**
 * The address to look up before money goes to it. An account with the same address on two chains may be a contract on
 * the first one, whose owner has no key to it on the second. And a recipient other than the visitor's own account may
 * be a contract on its chain, as exchange addresses often are.
 */
export function contractLookup(
  {from: {chain: from}, to: {chain: to}}: Pair,
  draft: Draft,
  {accounts, loaded, name}: Pick<AddressContext, 'accounts' | 'loaded' | 'name'>,
): ContractLookup | undefined {
  const own = accounts[to.family]?.address;
  const text = draft.recipient.trim();
  const address = draft.recipient ? (readingOf(name, to, text)?.address ?? text) : own;
  const family = loaded[to.family];
  if (!address || !family?.addresses.isAddress(to, address)) return undefined;
  if (own === undefined || !family.addresses.isSameAddress(address, own)) return {chain: to, address, why: 'contract'};
  const paysFromIt = from.family === to.family && from.name !== to.name && depositBy(from) === 'wallet';
  return paysFromIt ? {chain: from, address: own, why: 'smart-account'} : undefined;
}

export type TypedProblems = Readonly<Record<AddressName, Problem | undefined>>;

export function typedProblems(request: Pair, draft: Draft, around: AddressContext): TypedProblems {
  return {
    refundAddress: typedProblem('refundAddress', request, draft, around),
    recipient: typedProblem('recipient', request, draft, around),
  };
}

export function addressProblem(
  request: Pair,
  draft: Draft,
  around: AddressContext,
  {refundAddress, recipient} = typedProblems(request, draft, around),
): Problem | undefined {
  const {contracts} = around;
  let unconfirmed: Problem | undefined;
  for (const problem of [refundAddress, recipient]) {
    if (problem && !CONFIRMS.has(problem.code)) return problem;
    unconfirmed ??= problem;
  }
  const lookup = contracts && contractLookup(request, draft, around);
  if (!lookup) return unconfirmed;
  const key = contractKey(lookup);
  const field = 'recipient';
  if (!(key in contracts)) return unconfirmed ?? {code: 'checking-address', field, remedy: 'wait'};
  const name = readingOf(around.name, request.to.chain, draft.recipient.trim());
  const isConfirmed = around.isConfirmed(field, name?.address ?? (draft.recipient.trim() || lookup.address));
  if (!contracts[key] || isConfirmed || unconfirmed?.field === 'refundAddress') return unconfirmed;
  return {code: 'confirm-recipient', field, remedy: 'press', why: lookup.why, ...(name && {name})};
}

const CONFIRMS: ReadonlySet<Problem['code']> = new Set(['confirm-refund', 'confirm-recipient']);

function typedProblem(field: AddressName, request: Pair, draft: Draft, around: AddressContext): Problem | undefined {
  const {catalogue, prefill, accounts, loaded} = around;
  const {chain} = field === 'recipient' ? request.to : request.from;
  const typed = draft[field].trim();
  if (!typed || (field === 'refundAddress' && depositBy(chain) !== 'transfer')) return undefined;
  const family = loaded[chain.family];
  if (!family) return {code: 'checking-address', field, remedy: 'wait'};
  const isName = family.addresses.isName?.(typed) ?? false;
  const name = isName ? readingOf(around.name, chain, typed) : undefined;
  if (isName && !name) return {code: 'checking-address', field, remedy: 'wait'};
  if (name?.fault === 'unread') return {code: 'name-unread', field, remedy: 'press', name};
  const about = name && {name};
  const text = name?.address ?? typed;
  if (!family.addresses.isAddress(chain, text)) return {...wrongAddress(field, chain, text, request, loaded), ...about};
  const is = (other: string | undefined) => other !== undefined && family.addresses.isSameAddress(text, other);
  if (contractsOn(chain, catalogue).some(is)) return {code: 'a-contract', field, remedy: 'correct'};
  const own = accounts[chain.family]?.address;
  const isGiven = is(prefill[field] === undefined ? undefined : addressIn(prefill[field], chain));
  // The page may have preset its own address; a visitor with a wallet to receive with may have pasted a wrong one.
  const asks = isGiven || (field === 'recipient' && own !== undefined);
  // Nobody typed the address that a name resolves to, whoever owns it.
  if (around.isConfirmed(field, text) || (!name && (!asks || is(own)))) return undefined;
  return field === 'recipient'
    ? {code: 'confirm-recipient', field, remedy: 'press', ...about}
    : {code: 'confirm-refund', field, remedy: 'press', ...about};
}

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
/** What addresses look like in each family, for those whose code is not loaded. */
const FORMS: Readonly<Record<ChainFamily, (test: boolean) => RegExp>> = {
  bitcoin: test =>
    test
      ? RegExp(`^(?:tb1[a-z\\d]{20,80}|TB1[A-Z\\d]{20,80}|[mn2]${BASE58}{25,34})$`)
      : RegExp(`^(?:bc1[a-z\\d]{20,80}|BC1[A-Z\\d]{20,80}|[13]${BASE58}{25,33})$`),
  evm: () => /^0x[\da-f]{40}$/i,
  solana: () => RegExp(`^${BASE58}{43,44}$`),
  // Below 2^251, so a transaction hash is rarely taken for one.
  starknet: () => /^0x0?[0-7][\da-f]{62}$/i,
};

/**
 * What a text that is not an address on a chain is: one on another network, or none. Of a family whose code is not
 * loaded, its form decides. The pair's own networks come first, then those with the same kind of money, real or test.
 */
export function wrongAddress(
  field: WrongAddress['field'],
  chain: Chain,
  text: string,
  {from, to}: Pair,
  loaded: AddressContext['loaded'],
): WrongAddress {
  const is = (other: Chain) =>
    loaded[other.family]?.addresses.isAddress(other, text) ??
    (other.family !== chain.family && FORMS[other.family](other.test).test(text));
  const known = [...ALL_KNOWN.chains].sort(
    (one, other) => Number(other.test === chain.test) - Number(one.test === chain.test),
  );
  const network = [from.chain, to.chain, ...known].find(is)?.title;
  return {code: 'not-an-address', field, remedy: 'correct', ...(network !== undefined && {network})};
}

/** The tokens and swap contracts of a chain, offered here or not. Money sent to one of them is lost. */
function contractsOn({name}: Chain, catalogue: Catalogue): readonly string[] {
  return [...catalogue.assets, ...ALL_KNOWN.assets]
    .filter(({id}) => id.startsWith(`${name}:`))
    .flatMap(asset => [...contractsOf(asset), ...(asset.token ? [asset.token] : [])]);
}
