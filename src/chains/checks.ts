/*
 * How a deal is checked, in any family: one check at a time, each with the words of its two sides, and those checks that
 * are the same in all.
 */
import {formatAmount} from '../domain/amount.js';
import type {Asset, Chain} from '../domain/asset.js';
import type {CheckName, CheckResult, Deal, TypedData} from '../domain/deposit.js';
import type {Leg, Order} from '../domain/order.js';

/** How a check ended, in the words of its two sides. */
export type Finding = Omit<CheckResult, 'name'>;

/** Runs one check. What is so ill-formed that it throws has failed it. */
export function runCheck(name: CheckName, check: () => Finding): CheckResult {
  try {
    return {name, ...check()};
  } catch {
    return {name, outcome: 'failed'};
  }
}

/** Runs one check that asks the chain. Where the chain gives no answer there is nothing to hold against. */
export async function runChainCheck<Read>(
  name: CheckName,
  read: Read | undefined,
  check: (read: Read) => Promise<Finding>,
): Promise<CheckResult> {
  if (!read) return {name, outcome: 'unchecked'};
  try {
    return {name, ...(await check(read))};
  } catch {
    return {name, outcome: 'unchecked'};
  }
}

export function resultOf(held: boolean, expected: string | undefined, found: string | undefined): Finding {
  return {outcome: held ? 'passed' : 'failed', ...textsOf(expected, found)};
}

export function textsOf(expected: string | undefined, found: string | undefined): Omit<Finding, 'outcome'> {
  const cut = (text: string | undefined) => text?.slice(0, MAX_TEXT);
  return {...(expected && {expected: cut(expected)}), ...(found && {found: cut(found)})} as Omit<Finding, 'outcome'>;
}

/** A screen has room for a contract or three, not for whatever somebody sends. */
const MAX_TEXT = 200;

export function amountText(amount: bigint, {decimals, symbol}: Pick<Asset, 'decimals' | 'symbol'>): string {
  return `${formatAmount(amount, decimals)} ${symbol}`;
}

/** What was agreed and what was found, which are compared in this form. What is missing equals nothing. */
export type Sides = readonly [expected: string | undefined, found: string | undefined, form?: (text: string) => string];

/** Passes where all sides are equal; otherwise tells the first that are not. */
export function compare(all: readonly Sides[], found?: string): Finding {
  const isSame = ([one, two, form = String]: Sides) =>
    one !== undefined && two !== undefined && form(one) === form(two);
  const other = all.find(sides => !isSame(sides));
  return other ? resultOf(false, other[0], other[1]) : resultOf(true, undefined, found);
}

/** Every amount that would move is the agreed one; one that could not be read is none. */
export function checkAmount(
  {agreed: {from, amount}}: Deal,
  moved: readonly [bigint | undefined, ...(bigint | undefined)[]],
): Finding {
  const other = moved.findIndex(one => one !== amount);
  const found = other < 0 ? amount : moved[other];
  return resultOf(other < 0, amountText(amount, from), found === undefined ? undefined : amountText(found, from));
}

/** The contract or program is a known one. `form` writes an address in the form in which its family's are compared. */
export function checkPin({agreed, policy}: Deal, contract: string, form: (text: string) => string = String): Finding {
  const pins = agreed.from.contracts.map(form);
  const found = form(contract);
  if (!pins.length) return {outcome: policy.requirePins ? 'failed' : 'unchecked', ...textsOf(undefined, found)};
  return resultOf(pins.includes(found), pins.join(', '), found);
}

/** Longer than any timelock that is in use; money held longer than that is as good as lost. */
const LONGEST_TIMELOCK_SECONDS = 30 * 24 * 60 * 60;

/** Whether money may be held for so many blocks of this chain. */
export function isTimelock(blocks: bigint, {blockSeconds}: Pick<Chain, 'blockSeconds'>): boolean {
  return blocks >= 1n && blocks <= BigInt(Math.floor(LONGEST_TIMELOCK_SECONDS / blockSeconds));
}

/**
 * The checks of the order as read: that it is the one agreed, with one secret for both legs and the timelocks in the
 * right order. `hash` locks what is paid, and `terms` are those it is paid by, held against the order's source leg.
 */
export async function checkLegs(
  deal: Deal,
  hash: (source: Leg) => string | undefined,
  terms: (source: Leg) => readonly Sides[] = () => [],
): Promise<readonly CheckResult[]> {
  const {order} = deal;
  const names = ['order', 'secret', 'timelock'] as const;
  if (!order) return names.map(name => ({name, outcome: 'unchecked'}));
  return [
    runCheck('order', () => checkOrder(deal, order, terms)),
    await checkSecret(order, hash),
    runCheck('timelock', () => checkTimelocks(deal, order)),
  ];
}

function checkOrder({orderId, agreed}: Deal, order: Order, terms: (source: Leg) => readonly Sides[]): Finding {
  const {from, to} = agreed;
  const {source, destination} = order;
  const sides: readonly Sides[] = [
    [orderId, order.id],
    [from.id, source.asset, lowerCase],
    [from.chain.name, source.chain, lowerCase],
    [amountText(agreed.amount, from), amountText(source.amount, from)],
    ...terms(source),
    [to.id, destination.asset, lowerCase],
    [to.chain.name, destination.chain, lowerCase],
    [amountText(agreed.receive, to), amountText(destination.amount, to)],
    [agreed.recipient, destination.redeemer, text => canonicalAddress(to.chain, text)],
  ];
  return compare(sides, order.id);
}

/**
 * One secret opens both legs, so both must be locked by the hash that is paid into: 64 hex digits without a prefix. Once
 * a leg shows the secret, that hash must be the secret's.
 */
async function checkSecret({source, destination}: Order, hashOf: (source: Leg) => string | undefined) {
  const legs = [source, destination];
  const against = (found: readonly string[]) => {
    const hash = hashOf(source);
    return compare(
      found.map(one => [hash, one, lowerCase]),
      hash,
    );
  };
  const locked = runCheck('secret', () => against(legs.map(({secretHash}) => secretHash)));
  if (locked.outcome === 'failed') return locked;
  const shown = legs.map(({secret}) => secret).filter(secret => secret !== '');
  if (!shown.length) return locked;
  return runChainCheck('secret', shown, async secrets => against(await Promise.all(secrets.map(sha256))));
}

/**
 * The destination's money can be taken back before the source's can. The other way round a payer could have both, so
 * nobody would pay the other side, and what was paid would be bound for nothing. Each timelock begins with its payment,
 * at the soonest now.
 */
function checkTimelocks({agreed}: Deal, {source, destination}: Order): Finding {
  const now = Date.now();
  const sides = ([leg, asset]: readonly [Leg, Asset]) => {
    const lasts = leg.timelock * asset.chain.blockSeconds;
    const {at: begins} = leg.initiated ?? {at: now};
    return {lasts, ends: begins === undefined ? undefined : begins + lasts * 1_000};
  };
  const [paid, other] = [sides([source, agreed.from]), sides([destination, agreed.to])];
  const texts = textsOf(`< ${hoursText(paid.lasts)}`, hoursText(other.lasts));
  if (paid.ends === undefined || other.ends === undefined) return {outcome: 'unchecked', ...texts};
  if (other.ends < paid.ends) return {outcome: 'passed', ...texts};
  // What was paid long ago leaves less and less time to one that has not begun.
  return {outcome: source.initiated && !destination.initiated ? 'unchecked' : 'failed', ...texts};
}

function hoursText(seconds: number): string {
  return `${Number((seconds / 3600).toFixed(2))} h`;
}

export function lowerCase(text: string): string {
  return text.toLowerCase();
}

/** A whole number as typed data may hold it: hex text, decimal text without needless zeros, or a number. */
export function readNumber(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === 'string' && /^(?:0x[0-9a-f]{1,64}|0|[1-9]\d{0,77})$/i.test(value) ? BigInt(value) : undefined;
}

/** A whole number in words, where there is one. */
export function textOf(value: bigint | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** The documented form of typed data. */
export interface TypedForm {
  /** What its domain may say, where not everything will do. */
  readonly domain: Readonly<Record<string, readonly unknown[]>>;
  /** The type of the domain. */
  readonly domainType: string;
  /** All its types. */
  readonly types: TypedData['types'];
}

/** What is signed. */
const PRIMARY = 'Initiate';
/** Longer than what is wrong with a form, in words. */
const MAX_WORDS = 60;

/**
 * What of typed data has another form than the documented one, in words; `undefined` where nothing has. `rest` looks at
 * the values. What cannot even be read is as strange.
 */
export function strangeIn(
  typedData: TypedData,
  form: TypedForm,
  rest: () => string | false | undefined,
): string | undefined {
  try {
    const {domain, types, primaryType, message, ...more} = typedData;
    const namesOf = (type: string) => form.types[type]?.map(({name}) => name) ?? [];
    const other = Object.keys(form.domain).find(name => !form.domain[name]?.includes(domain[name]));
    const strange =
      (Object.keys(more).length > 0 && 'typed data') ||
      (other !== undefined && `${other} ${String(domain[other])}`) ||
      (primaryType !== PRIMARY && `type ${primaryType}`) ||
      (JSON.stringify(sortedTypes(types)) !== JSON.stringify(sortedTypes(form.types)) && 'types') ||
      (!hasKeys(domain, namesOf(form.domainType)) && 'domain') ||
      (!hasKeys(message, namesOf(PRIMARY)) && 'message') ||
      rest();
    return strange ? strange.slice(0, MAX_WORDS) : undefined;
  } catch {
    return 'typed data';
  }
}

/**
 * The checks of what a signature would do. Typed data of an unknown form could do anything, so it is never signed and
 * held against nothing: a transaction can do without.
 */
export function checkSignature(strange: string | undefined, same: () => Finding): readonly CheckResult[] {
  const form = `HTLC, ${PRIMARY}`;
  if (strange === undefined) return [runCheck('same', same), {name: 'typed-data', outcome: 'passed', found: form}];
  const found = textsOf(undefined, strange);
  return [
    {name: 'same', outcome: 'unchecked', ...found},
    {name: 'typed-data', outcome: 'unchecked', expected: form, ...found},
  ];
}

/** Exactly these keys, in any order. */
export function hasKeys(object: object, keys: readonly string[]): boolean {
  return JSON.stringify(Object.keys(object).sort()) === JSON.stringify([...keys].sort());
}

/** Types with their names in order. The order of fields within a type is left alone: it changes what is signed. */
function sortedTypes(types: TypedData['types']): unknown {
  return Object.entries(types)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, fields]) => [name, fields.map(field => Object.entries(field).sort())]);
}

/**
 * An address in the one form in which its family's addresses are compared. Base58, as Solana and older Bitcoin
 * addresses are written, tells letters of two sizes apart, so it stays as it is.
 */
export function canonicalAddress({family}: Pick<Chain, 'family'>, text: string): string {
  switch (family) {
    case 'evm':
      return text.toLowerCase();
    case 'bitcoin':
      // Bech32 may be written in letters of either size (BIP-173).
      return /^(?:bc|tb|bcrt)1/i.test(text) ? text.toLowerCase() : text;
    case 'solana':
      return text;
    case 'starknet':
      // Some write an address without its leading zeros.
      return /^0x[0-9a-f]{1,64}$/i.test(text) ? `0x${text.slice(2).toLowerCase().padStart(64, '0')}` : text;
  }
}

/** The hash of bytes, both as hex text, by the browser's own cryptography: every secure page has it, and no other. */
export async function sha256(hex: string): Promise<string> {
  const bytes = Uint8Array.from(hex.replace(/^0x/i, '').match(/../g) ?? [], pair => parseInt(pair, 16));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('');
}
