import type {Asset, AssetId} from './asset.js';
import {depositBy} from './asset.js';
import type {Deal} from './deposit.js';
import {SwapError} from './error.js';
import type {Movements} from './evidence.js';
import {foreignLine} from './foreign.js';
import type {ChainEvent, Leg, Order} from './order.js';
import {hex32, isObject, matching, readObject, type Reader} from './strict.js';

/*
 * A receipt as a file that others can verify on both chains: JSON that contains nothing private except the time of the
 * order and the agreed minimum. It names no service, no order id and no RPC: the reader chooses which nodes to trust.
 */

/** The version of the file format. */
export const RECEIPT_VERSION = 1;

/** The maximum length of a receipt, in characters. */
const LONGEST = 100_000;
/** A payment to an address may consist of many transactions. */
const MOST_HASHES = 50;

/** An address or a key: no family uses other characters, and nothing else can be expressed with these. */
const name = matching(/^[0-9A-Za-z]{1,128}$/);
const assetId = matching(/^\w{1,64}:[\w.-]{1,64}$/) as Reader<AssetId>;
const whole: Reader<bigint> = value =>
  typeof value === 'string' && /^(?:0|[1-9]\d{0,77})$/.test(value) ? BigInt(value) : undefined;
const blocks: Reader<number> = value => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined);
const time: Reader<number> = value => {
  const at =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) ? Date.parse(value) : NaN;
  return at >= 0 ? at : undefined;
};
const hashList: Reader<readonly string[]> = value => {
  if (!Array.isArray(value) || value.length > MOST_HASHES) return undefined;
  const hashes = value.map(name);
  return hashes.every(hash => hash !== undefined) ? hashes : undefined;
};

/** A field's reader, and whether the field may be absent. */
interface Field<T> {
  readonly read: Reader<T>;
  readonly isOptional?: boolean;
}

const EVENT = {
  amount: {read: whole, isOptional: true},
  hashes: {read: hashList},
  block: {read: whole, isOptional: true},
} as const satisfies Record<string, Field<unknown>>;

const LEG = {
  asset: {read: assetId},
  contract: {read: name, isOptional: true},
  initiator: {read: name},
  redeemer: {read: name},
  delegate: {read: name, isOptional: true},
  timelock: {read: blocks},
  amount: {read: whole},
} as const satisfies Record<string, Field<unknown>>;

const WHOLE = {
  placedAt: {read: time},
  secretHash: {read: hex32},
  secret: {read: hex32, isOptional: true},
  recipient: {read: name, isOptional: true},
  atLeast: {read: whole, isOptional: true},
} as const satisfies Record<string, Field<unknown>>;

export const SIDES = ['source', 'destination'] as const;
export const EVENTS = ['paid', 'redeemed', 'refunded'] as const;

/** A leg of the swap: the payer pays into `source`, the other side into `destination`. */
export type Side = (typeof SIDES)[number];
/** The movements of a leg's money. */
type EventName = (typeof EVENTS)[number];

/** The fields of a receipt that are verified, by their paths. */
export const RECEIPT_FIELDS: readonly ReceiptField[] = [
  ...keysOf(WHOLE),
  ...SIDES.flatMap(side => [
    ...keysOf(LEG).map(part => `${side}.${part}` as const),
    ...EVENTS.flatMap(event => keysOf(EVENT).map(part => `${side}.${event}.${part}` as const)),
  ]),
];

function keysOf<T extends object>(fields: T): readonly (keyof T & string)[] {
  return Object.keys(fields) as (keyof T & string)[];
}

/** A field of a receipt by its path in the file: `source.paid.hashes`. */
export type ReceiptField =
  keyof typeof WHOLE | `${Side}.${keyof typeof LEG}` | `${Side}.${EventName}.${keyof typeof EVENT}`;

/** A movement of a leg's money. */
export interface ReceiptEvent {
  /** In the smallest unit. Absent if unknown. */
  readonly amount?: bigint | undefined;
  /** Its transactions. */
  readonly hashes: readonly string[];
  /** The block that completed them. */
  readonly block?: bigint | undefined;
}

/** One leg of a swap, as in a receipt. */
export interface ReceiptLeg {
  /** `base:usdc`. */
  readonly asset: AssetId;
  /** The swap contract, on Solana the program, on Bitcoin the deposit address. Absent if unknown. */
  readonly contract?: string | undefined;
  /** Address or key of the party that pays in, and gets a refund. */
  readonly initiator: string;
  /** Address or key of the party that redeems it. */
  readonly redeemer: string;
  /** On Bitcoin: the key that the service holds for the person without one. */
  readonly delegate?: string | undefined;
  /** In blocks of its chain. */
  readonly timelock: number;
  /** In the smallest unit. */
  readonly amount: bigint;
  /** The payment into it. */
  readonly paid?: ReceiptEvent;
  /** The payout, to whom it was owed. */
  readonly redeemed?: ReceiptEvent;
  /** The refund, to whoever paid in. */
  readonly refunded?: ReceiptEvent;
}

/** A receipt as read from its file. */
export interface Receipt {
  /** When the swap was placed, in milliseconds since 1970. */
  readonly placedAt: number;
  /** The hash that locks both legs: 64 lowercase hex digits. */
  readonly secretHash: string;
  /** The preimage, if a chain showed it: 64 lowercase hex digits. */
  readonly secret?: string | undefined;
  /** The agreed recipient, if one was agreed. */
  readonly recipient?: string | undefined;
  /** The agreed minimum, in the smallest unit, if one was agreed. */
  readonly atLeast?: bigint | undefined;
  readonly source: ReceiptLeg;
  readonly destination: ReceiptLeg;
}

/* -- writing --------------------------------------------------------------------------------------------------------------- */

/** The data that a receipt is written from. */
export interface WrittenFrom {
  readonly order: Order;
  /** The agreement and the deposit, if this browser placed the order. */
  readonly own?: ({readonly placedAt: number} & Pick<Deal, 'agreed' | 'deposit'>) | undefined;
  readonly money: Movements;
  readonly from: Asset | undefined;
  readonly to: Asset | undefined;
}

/** Writes a receipt as file text. */
export function writeReceipt({order, own, money, from, to}: WrittenFrom): string {
  const {source, destination} = order;
  const {paidIn, paidOut, paidBack} = money;
  const contract = own ? contractOf(own) : from && addressOf(source, from);
  const file = {
    swapReceipt: RECEIPT_VERSION,
    placedAt: new Date(own?.placedAt ?? order.createdAt).toISOString(),
    secretHash: source.secretHash,
    // A secret that only the service reports is not written as revealed.
    secret: paidOut.secret,
    recipient: own && foreignLine(own.agreed.recipient),
    atLeast: own && String(own.agreed.atLeast),
    source: {
      ...writtenLeg(source, contract),
      paid: writtenEvent(source.initiated, paidIn.amount),
      redeemed: writtenEvent(source.redeemed),
      refunded: writtenEvent(source.refunded, paidBack.amount),
    },
    destination: {
      ...writtenLeg(destination, to && addressOf(destination, to)),
      paid: writtenEvent(destination.initiated),
      redeemed: writtenEvent(destination.redeemed, paidOut.amount),
      refunded: writtenEvent(destination.refunded),
    },
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function writtenLeg({asset, initiator, redeemer, delegate, timelock, amount}: Leg, contract: string | undefined) {
  return {
    asset,
    contract,
    initiator: foreignLine(initiator),
    redeemer: foreignLine(redeemer),
    delegate: delegate && foreignLine(delegate),
    timelock,
    amount: String(amount),
  };
}

function writtenEvent(event: ChainEvent | undefined, amount?: bigint) {
  if (!event) return undefined;
  const {hashes, block} = event;
  return {
    amount: amount ? String(amount) : undefined,
    hashes: hashes.filter(hash => name(hash) !== undefined).slice(0, MOST_HASHES),
    block: block === undefined ? undefined : String(block),
  };
}

/** The paid contract, on Bitcoin the address: each was compared with the known ones before. */
function contractOf({agreed: {from}, deposit}: Pick<Deal, 'agreed' | 'deposit'>): string | undefined {
  if (deposit.how === 'transfer') return deposit.address;
  const {payload} = deposit;
  switch (payload.family) {
    case 'evm':
      return payload.transaction.to;
    case 'starknet':
      return payload.call.to;
    case 'solana':
      return from.contracts.length === 1 ? from.contracts[0] : undefined;
  }
}

/** The deposit address of a leg, on chains where that is its id. */
function addressOf({swapId}: Leg, {chain}: Asset): string | undefined {
  return depositBy(chain) === 'transfer' ? name(swapId) : undefined;
}

/* -- reading --------------------------------------------------------------------------------------------------------------- */

/**
 * Reads the text of a receipt.
 * @throws SwapError `unreadable`, whose `field` is the first one that is missing, has the wrong type or is unknown;
 * `receipt` if it is not a receipt at all, `swapReceipt` if its version is unknown.
 */
export function readReceipt(text: string): Receipt {
  const file = readObject(text, LONGEST);
  if (!file || !('swapReceipt' in file)) throw wrong('receipt', 'This is not a receipt of a swap.');
  const {swapReceipt: version, source, destination, ...rest} = file;
  if (version !== RECEIPT_VERSION)
    throw wrong('swapReceipt', `This is version ${JSON.stringify(version)} of the form; what is read here is 1.`);
  const receipt = {
    ...(fieldsOf(rest, WHOLE, '') as Omit<Receipt, Side>),
    source: legOf(source, 'source'),
    destination: legOf(destination, 'destination'),
  };
  // A payout can only be found by its transactions.
  if (receipt.destination.redeemed?.hashes.length === 0)
    throw wrong('destination.redeemed.hashes', 'It names no transaction.');
  return receipt;
}

function legOf(value: unknown, side: Side): ReceiptLeg {
  if (!isObject(value)) throw wrong(side, 'It is missing.');
  const {paid, redeemed, refunded, ...terms} = value;
  const event = (of: EventName, happened: unknown) => {
    if (happened === undefined) return {};
    if (!isObject(happened)) throw wrong(`${side}.${of}`, 'It is not readable.');
    return {[of]: fieldsOf(happened, EVENT, `${side}.${of}.`) as ReceiptEvent};
  };
  return {
    ...(fieldsOf(terms, LEG, `${side}.`) as ReceiptLeg),
    ...event('paid', paid),
    ...event('redeemed', redeemed),
    ...event('refunded', refunded),
  };
}

/** All fields of one object, and no others: an unknown field could not be verified. */
function fieldsOf(
  record: Record<string, unknown>,
  fields: Readonly<Record<string, Field<unknown>>>,
  path: string,
): unknown {
  const stranger = Object.keys(record).find(key => !Object.hasOwn(fields, key));
  if (stranger !== undefined) throw wrong(`${path}${foreignLine(stranger)}`, 'No receipt has such a field.');
  const entries = Object.entries(fields).flatMap(([key, {read, isOptional}]) => {
    const value = Object.hasOwn(record, key) ? record[key] : undefined;
    if (value === undefined && isOptional) return [];
    const known = read(value);
    if (known === undefined)
      throw wrong(`${path}${key}`, value === undefined ? 'It is missing.' : 'It is not readable.');
    return [[key, known] as const];
  });
  return Object.fromEntries(entries);
}

function wrong(field: string, detail: string): SwapError {
  return new SwapError('unreadable', {field, detail});
}

/* -- as an order ----------------------------------------------------------------------------------------------------------- */

/** A receipt's order, in the form that chains are queried with. */
export function orderOfReceipt({placedAt, secretHash, secret = '', recipient, source, destination}: Receipt): Order {
  const leg = ({paid, redeemed, refunded, ...terms}: ReceiptLeg): Leg => ({
    ...bareTerms(terms),
    swapId: '',
    chain: terms.asset.split(':')[0] ?? '',
    // However it ended, it was paid in.
    filled: paid?.amount ?? (paid || redeemed || refunded ? terms.amount : 0n),
    secretHash,
    secret,
    confirmations: {current: 0, required: 1},
    ...(paid && {initiated: eventOf(paid)}),
    ...(redeemed && {redeemed: eventOf(redeemed)}),
    ...(refunded && {refunded: eventOf(refunded)}),
  });
  const [pays, gives] = [leg(source), leg(destination)];
  return {
    // Nothing identifies it but what the two legs have in common.
    id: secretHash,
    createdAt: placedAt,
    source: gives.redeemed && !pays.filled ? {...pays, filled: pays.amount} : pays,
    destination: recipient === undefined ? gives : {...gives, redeemer: recipient},
    nonce: '',
    version: '',
  };
}

/** The same swap as the other side sees it: their payment, and whether it was refunded to them. */
export function otherSideOf(receipt: Receipt): Order {
  const {recipient: _, source, destination, ...rest} = receipt;
  const {redeemed: _out, ...ours} = source;
  return orderOfReceipt({...rest, source: destination, destination: ours});
}

function bareTerms({asset, initiator, redeemer, delegate, timelock, amount}: ReceiptLeg) {
  return {asset, initiator, redeemer, timelock, amount, ...(delegate !== undefined && {delegate})};
}

function eventOf({hashes, block}: ReceiptEvent): ChainEvent {
  return {hashes, ...(block !== undefined && {block})};
}
