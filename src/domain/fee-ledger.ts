import type {AffiliateFee} from './affiliate-fee.js';
import {formatAmount} from './amount.js';
import type {AssetId} from './asset.js';
import {toCsv} from './csv.js';
import {compareFees} from './fees.js';
import {writeJson} from './json.js';
import {ALL_KNOWN} from './known/all.js';
import type {ChargedFee, Order} from './order.js';

/** The part of an event that a ledger uses: `swap-order` has the agreed fees, `swap-complete` the charged ones. */
export interface FeeEvent {
  readonly orderId: string;
  readonly agreed?: {readonly affiliateFees: readonly AffiliateFee[]};
  readonly order?: Pick<Order, 'affiliateFees' | 'destination'>;
}

/** The fee that one order owes one payee. */
export interface OwedFee {
  readonly orderId: string;
  /** When the payout was made, in milliseconds since 1970; absent if the service did not report it. */
  readonly completedAt?: number | undefined;
  /** Whether the swap is complete: before that nothing is owed. */
  readonly isComplete: boolean;
  readonly asset: AssetId | '';
  readonly address: string;
  /** The basis points that were sent with the order; absent if the page received no such event. */
  readonly agreedBps?: number | undefined;
  /** The basis points that the order charges; absent if it does not state them. */
  readonly chargedBps?: number | undefined;
  /** The amount owed to the payee, in the asset's smallest unit, as the order states it; absent if it does not. */
  readonly amount?: bigint | undefined;
  /** That amount in whole units, as decimal text; absent if the asset's decimals are unknown. */
  readonly text?: string | undefined;
  /** How the order's fees compare with the agreed ones: `other` means less, more, or another payee. */
  readonly verdict: 'same' | 'other' | 'unknown';
}

/** The result of a comparison with the service. */
export interface Reconciliation {
  /** The fees of all orders that certainly differ from what was agreed. */
  readonly other: readonly OwedFee[];
  /** The ids of orders that could not be read; their entries are unchanged. */
  readonly unread: readonly string[];
}

/** A list of the fees that swaps owe a partner and others, which a page maintains. */
export interface FeeLedger {
  /** Adds an event's data. The same event twice changes nothing. */
  add(event: FeeEvent): void;
  /** The fees by order and payee, the oldest order first. */
  readonly fees: readonly OwedFee[];
  /** Reads all orders again (`SwapApi.readOrder`), and replaces the events' data by theirs. */
  reconcile(readOrder: (orderId: string) => Promise<Order>): Promise<Reconciliation>;
  /** The fees as CSV (RFC 4180), with a header. No cell can be treated as a formula by a spreadsheet. */
  toCSV(): string;
}

export interface FeeLedgerOptions {
  /** Where it is stored; `localStorage`, for example. Default: in memory. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'>;
  /** The decimals of payout assets that are not in the catalogue, by id. */
  readonly decimals?: Readonly<Record<string, number>>;
}

interface Entry {
  readonly orderId: string;
  agreed?: readonly AffiliateFee[];
  charged?: readonly (Omit<ChargedFee, 'amount'> & {readonly amount?: string})[];
  isComplete?: boolean;
  completedAt?: number;
}

const KEY = 'swap-widget:fee-ledger';
const COLUMNS: readonly (readonly [name: string, read: (fee: OwedFee) => string | number | bigint | undefined])[] = [
  ['order', fee => fee.orderId],
  ['complete', fee => (fee.isComplete ? 'yes' : 'no')],
  ['completed_at', fee => (fee.completedAt === undefined ? '' : new Date(fee.completedAt).toISOString())],
  ['asset', fee => fee.asset],
  ['address', fee => fee.address],
  ['agreed_bps', fee => fee.agreedBps],
  ['charged_bps', fee => fee.chargedBps],
  ['amount', fee => fee.amount],
  ['amount_decimal', fee => fee.text],
  ['verdict', fee => fee.verdict],
];

/** Creates a ledger with the entries in the storage. */
export function createFeeLedger({storage, decimals = {}}: FeeLedgerOptions = {}): FeeLedger {
  const entries = new Map(readEntries(storage?.getItem(KEY)).map(entry => [entry.orderId, entry]));
  const save = () => storage?.setItem(KEY, writeJson([...entries.values()]));
  const entryOf = (orderId: string) => {
    const entry = entries.get(orderId) ?? {orderId};
    entries.set(orderId, entry);
    return entry;
  };

  const take = (entry: Entry, {affiliateFees, destination}: Pick<Order, 'affiliateFees' | 'destination'>) => {
    const {redeemed} = destination;
    if (affiliateFees) {
      entry.charged = affiliateFees.map(({amount, ...fee}) => ({
        ...fee,
        ...(amount !== undefined && {amount: String(amount)}),
      }));
    }
    entry.isComplete = redeemed !== undefined;
    if (redeemed?.at !== undefined) entry.completedAt = redeemed.at;
  };

  const feesOf = (entry: Entry): readonly OwedFee[] => {
    const {orderId, agreed, isComplete = false, completedAt} = entry;
    const charged = entry.charged?.map(({amount, ...fee}) => ({
      ...fee,
      ...(amount !== undefined && {amount: BigInt(amount)}),
    }));
    const verdict = agreed ? compareFees(agreed, charged, isSameAddress) : 'unknown';
    return payeesOf(agreed, charged).map(payee => {
      const places = decimals[payee.asset] ?? ALL_KNOWN.assets.find(({id}) => id === payee.asset)?.decimals;
      const {amount} = payee;
      const text = amount === undefined || places === undefined ? undefined : formatAmount(amount, places);
      return {orderId, completedAt, isComplete, ...payee, text, verdict};
    });
  };
  const all = () => [...entries.values()].flatMap(feesOf);

  return {
    add({orderId, agreed, order}) {
      const entry = entryOf(orderId);
      if (agreed) entry.agreed = agreed.affiliateFees.map(({asset, address, bps}) => ({asset, address, bps}));
      if (order) take(entry, order);
      save();
    },
    get fees() {
      return all();
    },
    async reconcile(readOrder) {
      const unread: string[] = [];
      for (const entry of [...entries.values()]) {
        try {
          take(entry, await readOrder(entry.orderId));
        } catch {
          unread.push(entry.orderId);
        }
      }
      save();
      return {other: all().filter(({verdict}) => verdict === 'other'), unread};
    },
    toCSV() {
      return toCsv([
        COLUMNS.map(([name]) => name),
        ...all().map(fee => COLUMNS.map(([, read]) => String(read(fee) ?? ''))),
      ]);
    },
  };
}

type Payee = Pick<OwedFee, 'asset' | 'address' | 'agreedBps' | 'chargedBps' | 'amount'>;

/** The payees: first the agreed ones in their order, then others that are charged. */
function payeesOf(agreed: readonly AffiliateFee[] = [], charged: readonly ChargedFee[] = []): readonly Payee[] {
  const payees: {-readonly [Key in keyof Payee]: Payee[Key]}[] = [];
  const payeeOf = (asset: AssetId | '', address: string) => {
    const known = payees.find(payee => payee.asset === asset && isSameAddress(asset, payee.address, address));
    if (known) return known;
    const payee = {asset, address};
    payees.push(payee);
    return payee as (typeof payees)[number];
  };
  for (const {asset, address, bps} of agreed) {
    const payee = payeeOf(asset, address);
    payee.agreedBps = (payee.agreedBps ?? 0) + bps;
  }
  for (const {asset = '', address = '', bps, amount} of charged) {
    const payee = payeeOf(asset, address);
    if (bps !== undefined) payee.chargedBps = (payee.chargedBps ?? 0) + bps;
    if (amount !== undefined) payee.amount = (payee.amount ?? 0n) + amount;
  }
  return payees;
}

/** Hex addresses are equal in any letter case and without leading zeros; other addresses are case-sensitive. */
export function isSameAddress(_asset: string, one: string, other: string): boolean {
  const isHex = (text: string) => /^0x[0-9a-f]{1,64}$/i.test(text);
  return one === other || (isHex(one) && isHex(other) && BigInt(one) === BigInt(other));
}

function readEntries(text: string | null | undefined): Entry[] {
  try {
    return (JSON.parse(String(text)) as unknown[]).filter(isEntry);
  } catch {
    return [];
  }
}

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const isAmount = (value: unknown) => typeof value === 'string' && /^\d{1,78}$/.test(value);
const isOptional = (is: (value: unknown) => boolean) => (value: unknown) => value === undefined || is(value);
const isListOf = (is: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(is);
const has = (fields: Readonly<Record<string, (value: unknown) => boolean>>) => (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(fields).every(([name, is]) => is((value as Readonly<Record<string, unknown>>)[name]));

const isEntry = has({
  orderId: isText,
  agreed: isOptional(isListOf(has({asset: isText, address: isText, bps: isNumber}))),
  charged: isOptional(
    isListOf(
      has({
        asset: isOptional(isText),
        address: isOptional(isText),
        bps: isOptional(isNumber),
        amount: isOptional(isAmount),
      }),
    ),
  ),
  isComplete: isOptional(value => typeof value === 'boolean'),
  completedAt: isOptional(isNumber),
}) as (value: unknown) => value is Entry;
