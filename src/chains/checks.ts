/* How a deal is checked in every family: one check at a time, and the checks that all families share. */
import {formatAmount} from '../domain/amount.js';
import {contractsOf, presentContractsOf, type Asset, type Chain, type OtherAsset} from '../domain/asset.js';
import type {CheckName, CheckResult, CheckSide, Deal} from '../domain/deposit.js';
import {SwapError} from '../domain/error.js';
import {isPart, type Leg, type Order} from '../domain/order.js';
import {messageOf, tryRead} from './errors.js';

export type Finding = Omit<CheckResult, 'name'>;

/**
 * An error in a check is ours or a library's: it proves nothing about what the service sent.
 * @throws SwapError `unreadable` (`field`: `check`), so that nothing is paid.
 */
export function runCheck(name: CheckName, check: () => Finding): CheckResult {
  try {
    return {name, ...check()};
  } catch (cause) {
    throw brokenCheck(name, cause);
  }
}

export function brokenCheck(name: CheckName, cause: unknown): SwapError {
  return new SwapError('unreadable', {field: 'check', detail: `${name}: ${messageOf(cause)}`, cause});
}

export function hasForm({order}: Deal): boolean {
  const isLeg = (leg: Leg | null | undefined) =>
    !!leg &&
    (['swapId', 'chain', 'asset', 'initiator', 'redeemer', 'secretHash', 'secret'] as const).every(
      field => typeof leg[field] === 'string',
    ) &&
    typeof leg.amount === 'bigint' &&
    Number.isFinite(leg.timelock) &&
    ['string', 'undefined'].includes(typeof leg.delegate);
  return !order || [order.source, order.destination].every(isLeg);
}

/** Runs one check that reads the chain. Without a response it is `unchecked`. */
export async function runChainCheck<Read>(
  name: CheckName,
  read: Read | undefined,
  check: (read: Read) => Promise<Finding>,
): Promise<CheckResult> {
  const unread = {name, outcome: 'unchecked', isRead: false} as const;
  if (!read) return unread;
  try {
    const found = await check(read);
    return {name, ...found, ...(found.outcome !== 'passed' && {isRead: true})};
  } catch {
    return unread;
  }
}

/** `sides`: where the two values are from, named if they differ. */
export function resultOf(
  passed: boolean,
  expected: string | undefined,
  found: string | undefined,
  sides: NonNullable<Finding['sides']>,
): Finding {
  return {outcome: passed ? 'passed' : 'failed', ...textsOf(expected, found), ...(!passed && {sides})};
}

export function textsOf(expected: string | undefined, found: string | undefined): Omit<Finding, 'outcome'> {
  return {
    ...(expected && {expected: expected.slice(0, MAX_TEXT)}),
    ...(found && {found: found.slice(0, MAX_TEXT)}),
  };
}

/** The maximum length of a text on the screen, enough for a few contracts. */
const MAX_TEXT = 200;

export function amountText(amount: bigint, {decimals, symbol}: Pick<Asset, 'decimals' | 'symbol'>): string {
  return `${formatAmount(amount, decimals)} ${symbol}`;
}

/** `form`: the notation in which both are compared. A missing value equals nothing. */
export type Pair = readonly [expected: string | undefined, found: string | undefined, form?: (text: string) => string];

/** Passes if all pairs are equal; otherwise shows the first that are not. `sides`: where their values are from. */
export function compare(pairs: readonly Pair[], sides: NonNullable<Finding['sides']>, found?: string): Finding {
  for (const [one, two, form = String] of pairs) {
    const [expected, other] = [one, two].map(text => (text === undefined ? undefined : form(text)));
    if (expected === undefined || expected !== other) return resultOf(false, expected, other, sides);
  }
  return resultOf(true, undefined, found, sides);
}

/** Every amount that would move is the agreed one; one that could not be read fails the check. */
export function checkAmount(
  {agreed: {from, amount}}: Deal,
  moved: readonly (readonly [of: CheckSide, amount: bigint | undefined])[],
): Finding {
  const expected = amountText(amount, from);
  for (const [of, one] of moved) {
    if (one !== amount)
      return resultOf(false, expected, one === undefined ? undefined : amountText(one, from), ['agreed', of]);
  }
  return {outcome: 'passed', ...textsOf(expected, expected)};
}

/**
 * What is known of a contract, a program or a script that an asset would be paid to: the widget knows it for this asset,
 * the partner vouches for it, or neither. Only of a known one it is also known in which unit a timelock is.
 */
export type Standing = 'known' | 'vouched' | 'unknown';

/** `form` converts an address to its family's canonical form. */
export function standingOf(
  {agreed: {from}}: Deal,
  contract: string,
  form: (text: string) => string = String,
): Standing {
  const isAmong = (addresses: readonly string[]) => addresses.some(address => form(address) === form(contract));
  if (isAmong(from.contracts)) return 'known';
  if (isAmong(presentContractsOf(from))) return 'vouched';
  return isAmong(contractsOf(from)) ? 'known' : 'unknown';
}

/**
 * A contract that is not known for this asset must be neither the payer's own address nor a token or the contract of another asset. A partner may vouch for one contract for several assets. The visitor is asked about a contract that is neither known now nor vouched for.
 */
export function checkContract(
  deal: Deal,
  contract: string,
  others: readonly OtherAsset[],
  form: (text: string) => string = String,
): Finding {
  const {from, owner} = deal.agreed;
  const found = form(contract);
  const present = presentContractsOf(from).map(form);
  const expected = present.join(', ') || undefined;
  const standing = standingOf(deal, contract, form);
  const sides = ['known', 'payment'] as const;
  const taken = others
    .filter(({id}) => id !== from.id)
    .map(other => (standing === 'vouched' ? {...other, vouched: []} : other));
  const hasOtherRole = hasRole(contract, [{...from, contracts: [], vouched: [], former: []}, ...taken], form);
  if (standing !== 'known' && (form(owner) === found || hasOtherRole)) return resultOf(false, expected, found, sides);
  const isAsked = !present.includes(found);
  return {outcome: isAsked ? 'unverified' : 'passed', ...textsOf(expected, found), ...(isAsked && {sides})};
}

export function hasRole(
  address: string,
  assets: readonly OtherAsset[],
  form: (text: string) => string = String,
): boolean {
  const taken = assets.flatMap(asset => [asset.token, ...contractsOf(asset)]);
  return taken.some(one => one !== undefined && form(one) === form(address));
}

/** Before a visitor is asked about an unknown contract, its chain must have been read. */
export function requireReading(result: CheckResult, standing: Standing): CheckResult {
  return standing === 'unknown' && result.outcome === 'unchecked' ? {...result, outcome: 'failed'} : result;
}

/**
 * The redeemer is one that the partner named for the asset, both in the payment (`paid`) and in the order: a payment
 * that names none could be anybody's to redeem. No line if the partner named none.
 */
export function checkRedeemer(
  {agreed, order, policy}: Deal,
  paid: string | undefined,
  form: (text: string) => string = String,
): readonly CheckResult[] {
  const isAsset = ([id]: readonly [string, unknown]) => lowerCase(id) === lowerCase(agreed.from.id);
  const [, named] = Object.entries(policy.redeemers ?? {}).find(isAsset) ?? [];
  if (!named) return [];
  const line = runCheck('redeemer', () => {
    const known = named.map(form);
    const expected = known.join(', ');
    const sides = [
      ['payment', paid],
      ['order', order?.source.redeemer],
    ] as const;
    const found = sides.flatMap(([of, one]) => (one === undefined ? [] : [[of, form(one)] as const]));
    const [of, other] = found.find(([, one]) => !known.includes(one)) ?? [];
    if (of) return resultOf(false, expected, other, ['known', of]);
    if (paid === undefined && order) return resultOf(false, expected, undefined, ['known', 'payment']);
    return {outcome: found.length ? 'passed' : 'unchecked', ...textsOf(expected, found[0]?.[1])};
  });
  return [line];
}

/** Longer than any timelock in use; money that is locked for longer is as good as lost. */
const LONGEST_TIMELOCK_SECONDS = 30 * 24 * 60 * 60;

/** How contracts count a timelock: known ones in blocks, others in seconds, or as the time of its end (Unix). */
type TimelockUnit = 'blocks' | 'seconds' | 'end';

/** In which units a contract may count: only of one that is vouched for, any may be right. */
function unitsOf(standing: Standing): readonly TimelockUnit[] {
  return standing === 'vouched' ? ['blocks', 'seconds', 'end'] : ['blocks'];
}

/** The number of seconds that a timelock lasts from a time on, in milliseconds since 1970. */
function secondsOf(
  timelock: number,
  unit: TimelockUnit,
  {blockSeconds}: Pick<Chain, 'blockSeconds'>,
  begins: number,
): number {
  return unit === 'blocks' ? timelock * blockSeconds : unit === 'seconds' ? timelock : timelock - begins / 1_000;
}

/** Whether money may be locked for this many blocks of a chain; of a contract with any unit, in one of them. */
export function isTimelock(
  timelock: bigint,
  chain: Pick<Chain, 'blockSeconds'>,
  standing: Standing = 'known',
): boolean {
  return unitsOf(standing).some(unit => {
    const seconds = secondsOf(Number(timelock), unit, chain, Date.now());
    return seconds > 0 && seconds <= LONGEST_TIMELOCK_SECONDS;
  });
}

export interface PaymentSays {
  readonly standing: Standing;
  /** The hash that locks it; absent if the payment carries none, so that nothing ties it to the secret. */
  readonly hash?: string | undefined;
  readonly terms?: (source: Leg) => readonly Pair[];
}

export async function checkLegs(deal: Deal, says: PaymentSays): Promise<readonly CheckResult[]> {
  const {order} = deal;
  const names = ['order', 'secret', 'timelock'] as const;
  if (!order) return names.map(name => ({name, outcome: 'unchecked'}));
  return [
    await runKeyCheck('order', order.destination.redeemer, bitcoinKeys(deal.agreed.to.chain), isKeyOf =>
      checkOrder(deal, order, says, isKeyOf),
    ),
    await checkSecret(order, says),
    runCheck('timelock', () => checkTimelocks(deal, order, says.standing)),
  ];
}

/** Whether an address follows from a public key; `undefined` for an address of a kind that follows from none. */
export type IsKeyOf = (address: string, key: string) => boolean | undefined;

/** The order may name a key in place of an address (API, Swap object). `load` is only called for one. */
export async function runKeyCheck(
  name: CheckName,
  found: string,
  load: (() => Promise<IsKeyOf>) | undefined,
  check: (isKeyOf?: IsKeyOf) => Finding,
): Promise<CheckResult> {
  if (!load || !isKey(found)) return runCheck(name, check);
  const isKeyOf = await load().catch((cause: unknown) => {
    throw brokenCheck(name, cause);
  });
  return runCheck(name, () => check(isKeyOf));
}

/** What derives a chain's addresses from keys, where a recipient may be named by one: on Bitcoin. */
export function bitcoinKeys({family, test}: Pick<Chain, 'family' | 'test'>): (() => Promise<IsKeyOf>) | undefined {
  if (family !== 'bitcoin') return undefined;
  return async () => {
    const {isKeyOf} = await import('./bitcoin/keys.js');
    return (address, key) => isKeyOf({test}, address, key);
  };
}

/**
 * An address in the order is the agreed one, or a key from which it follows. Where no such address follows from any key,
 * the visitor is asked.
 */
export function checkAddress(
  agreed: string,
  found: string,
  form: (text: string) => string,
  isKeyOf: IsKeyOf = () => false,
): Finding {
  const [expected, other] = [form(agreed), form(found)];
  const follows = expected === other || (isKey(found) && isKeyOf(agreed, found));
  if (follows) return {outcome: 'passed', ...textsOf(expected, other)};
  return {
    ...resultOf(false, expected, other, ['agreed', 'order']),
    ...(follows === undefined && {outcome: 'unverified'}),
  };
}

/** Whether a text is a public key: x-only, compressed or uncompressed (SEC 1, BIP 340). */
function isKey(text: string): boolean {
  return /^(?:0x)?(?:[0-9a-f]{64}|0[23][0-9a-f]{64}|04[0-9a-f]{128})$/i.test(text);
}

function checkOrder({orderId, agreed}: Deal, order: Order, {terms}: PaymentSays, isKeyOf?: IsKeyOf): Finding {
  const {from, to} = agreed;
  const {source, destination} = order;
  const asAgreed: readonly Pair[] = [
    [orderId, order.id],
    [from.id, source.asset, lowerCase],
    [from.chain.name, source.chain, lowerCase],
    [amountText(agreed.amount, from), amountText(source.amount, from)],
    [to.id, destination.asset, lowerCase],
    [to.chain.name, destination.chain, lowerCase],
    [amountText(agreed.receive, to), amountText(destination.amount, to)],
  ];
  const findings = [
    compare(asAgreed, ['agreed', 'order']),
    checkAddress(agreed.recipient, destination.redeemer, text => canonicalAddress(to.chain, text), isKeyOf),
    compare(terms?.(source) ?? [], ['payment', 'order']),
  ];
  const first = (wanted: Finding['outcome']) => findings.find(({outcome}) => outcome === wanted);
  return first('failed') ?? first('unverified') ?? {outcome: 'passed', ...textsOf(undefined, order.id)};
}

/**
 * One secret opens both legs, so both must be locked by the payment's hash: 64 hex digits without a prefix. As long as
 * something is left to pay, nobody may know the secret; once a leg reveals it, it must be the preimage of that hash. A
 * payment that carries no hash is tied to no secret, but the legs have the same all the same.
 */
async function checkSecret({source, destination}: Order, {standing, hash}: PaymentSays): Promise<CheckResult> {
  const legs = [source, destination];
  const wanted = hash ?? source.secretHash;
  const compareWith = (found: readonly string[]) =>
    compare(
      found.map(one => [wanted, one, lowerCase]),
      [hash === undefined ? 'order' : 'payment', 'order'],
      wanted,
    );
  const locked = runCheck('secret', () => compareWith(legs.map(({secretHash}) => secretHash)));
  if (locked.outcome === 'failed') return locked;
  const shown = legs.map(({secret}) => secret).filter(secret => secret !== '');
  if (!shown.length) return hash === undefined && standing === 'unknown' ? {...locked, outcome: 'unverified'} : locked;
  // Anybody who knows it could redeem the payment at once.
  if (!source.initiated || isPart(source))
    return {...locked, outcome: 'failed', ...textsOf(undefined, shown[0]), sides: ['payment', 'order']} as const;
  const hashes = await tryRead(() => Promise.all(shown.map(sha256)));
  return hashes ? runCheck('secret', () => compareWith(hashes)) : {name: 'secret', outcome: 'unchecked'};
}

/**
 * The destination's refund must open before the source's. Otherwise a payer could have both amounts, so no solver would
 * pay the destination, and the payment would be locked for nothing. Each timelock starts with its payment, at the
 * earliest now.
 */
function checkTimelocks({agreed}: Deal, {source, destination}: Order, standing: Standing): Finding {
  const [mineAt, theirsAt] = [source, destination].map(({initiated}) => (initiated ?? {at: Date.now()}).at);
  if (mineAt === undefined || theirsAt === undefined) return {outcome: 'unchecked'};
  const mine = (unit: TimelockUnit) => secondsOf(source.timelock, unit, agreed.from.chain, mineAt);
  const theirs = (unit: TimelockUnit) => secondsOf(destination.timelock, unit, agreed.to.chain, theirsAt);
  const texts = textsOf(`< ${timeText(mine('blocks'))}`, timeText(theirs('blocks')));
  const later = (theirsAt - mineAt) / 1_000;
  const units = unitsOf(standing);
  if (units.some(one => units.some(other => later + theirs(other) < mine(one)))) return {outcome: 'passed', ...texts};
  // The longer ago the payment was made, the less time is left for a leg that has not started.
  if (source.initiated && !destination.initiated) return {outcome: 'unchecked', ...texts};
  return {outcome: standing === 'unknown' ? 'unverified' : 'failed', ...texts, sides: ['known', 'order']};
}

/** A duration in a suitable unit, with its symbol; the screen localizes it. */
function timeText(seconds: number): string {
  const hours = seconds / 3600;
  if (hours < 1) return `${Number((seconds / 60).toFixed(1))} min`;
  return hours < 48 ? `${Number(hours.toFixed(2))} h` : `${Number((hours / 24).toFixed(1))} d`;
}

export function lockText(blocks: bigint, {blockSeconds}: Pick<Chain, 'blockSeconds'>): string {
  return `≤ ${timeText(Number(blocks) * blockSeconds)}`;
}

export function lowerCase(text: string): string {
  return text.toLowerCase();
}

/** Base58, as in Solana's and older Bitcoin addresses, is case-sensitive, so those stay as they are. */
export function canonicalAddress({family}: Pick<Chain, 'family'>, text: string): string {
  switch (family) {
    case 'evm':
      return text.toLowerCase();
    case 'bitcoin':
      // Bech32 may be written in either case (BIP-173).
      return /^(?:bc|tb|bcrt)1/i.test(text) ? text.toLowerCase() : text;
    case 'solana':
      return text;
    case 'starknet':
      // Addresses may be written without leading zeros.
      return /^0x[0-9a-f]{1,64}$/i.test(text) ? `0x${text.slice(2).toLowerCase().padStart(64, '0')}` : text;
  }
}

/** SHA-256 of bytes, both as hex text, by Web Crypto, which only secure contexts have. */
export async function sha256(hex: string): Promise<string> {
  return hexText(new Uint8Array(await crypto.subtle.digest('SHA-256', hexBytes(hex))));
}

/** The bytes of a valid hex text, with or without `0x`. */
export function hexBytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.replace(/^0x/i, '').matchAll(/../g), ([pair]) => parseInt(pair, 16));
}

export function hexText(bytes: Iterable<number>): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
