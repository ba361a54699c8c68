import type {AffiliateFee} from './affiliate.js';
import {formatAmount} from './amount.js';
import type {AssetId} from './asset.js';
import {toCsv} from './csv.js';
import {compareFees} from './fees.js';
import {ALL_KNOWN} from './known/all.js';
import type {ChargedFee, Order} from './order.js';

/** What a ledger takes of an event: `swap-order` says what was agreed, `swap-complete` what the order charges. */
export interface FeeEvent {
  readonly orderId: string;
  readonly agreed?: {readonly affiliateFees: readonly AffiliateFee[]};
  readonly order?: Pick<Order, 'affiliateFees' | 'destination'>;
}

/** What one order owes one payee. */
export interface OwedFee {
  readonly orderId: string;
  /** When the recipient had the money, in milliseconds since 1970; absent where the service did not say when. */
  readonly completedAt?: number | undefined;
  /** Whether the swap is complete: before that nothing is owed. */
  readonly isComplete: boolean;
  readonly asset: AssetId | '';
  readonly address: string;
  /** Basis points that were sent with the order; absent where the page did not hear of it. */
  readonly agreedBps?: number | undefined;
  /** Basis points that the order charges, as read; absent where it does not say. */
  readonly chargedBps?: number | undefined;
  /** What the payee is owed, in the smallest unit of the asset, as the order says; absent where it does not. */
  readonly amount?: bigint | undefined;
  /** That amount in whole units, as decimal text; absent where the decimals of the asset are not known. */
  readonly text?: string | undefined;
  /** How the order's fees compare with what was agreed: `other` is less, more, or somebody else. */
  readonly verdict: 'same' | 'other' | 'unknown';
}

/** What a comparison with the service came to. */
export interface Reconciliation {
  /** The fees of all orders whose fees are certainly not what was agreed. */
  readonly other: readonly OwedFee[];
  /** The orders that could not be read, by their ids; nothing of them has changed. */
  readonly unread: readonly string[];
}

/** What swaps owe a partner and others: a list that a page keeps for itself. */
export interface FeeLedger {
  /** Takes what an event says. The same event twice changes nothing. */
  add(event: FeeEvent): void;
  /** What each order owes whom, the oldest order first. */
  readonly fees: readonly OwedFee[];
  /** Reads all orders again (`SwapApi.readOrder`), and takes what they say in place of what was heard. */
  reconcile(readOrder: (orderId: string) => Promise<Order>): Promise<Reconciliation>;
  /** The fees as CSV (RFC 4180), with a line of names. No cell can be taken for a formula by a spreadsheet. */
  toCSV(): string;
}

export interface FeeLedgerOptions {
  /** Where it is kept; `localStorage` for one. Default: in memory. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'>;
  /** Decimals of payout assets, by id, for those that are not in the catalogue. */
  readonly decimals?: Readonly<Record<string, number>>;
}

/** One order, as JSON can hold it. */
interface Entry {
  readonly orderId: string;
  agreed?: readonly AffiliateFee[];
  charged?: readonly (Omit<ChargedFee, 'amount'> & {readonly amount?: string})[];
  isComplete?: boolean;
  completedAt?: number;
}

const KEY = 'swap-widget:fee-ledger';
/** The columns, and what of a fee each holds. */
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

/** Makes a ledger, with what the storage holds of it. */
export function createFeeLedger({storage, decimals = {}}: FeeLedgerOptions = {}): FeeLedger {
  const entries = new Map(readEntries(storage?.getItem(KEY)).map(entry => [entry.orderId, entry]));
  const save = () => storage?.setItem(KEY, JSON.stringify([...entries.values()]));
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
        ...all().map(fee => COLUMNS.map(([, read]) => read(fee)?.toString() ?? '')),
      ]);
    },
  };
}

type Payee = Pick<OwedFee, 'asset' | 'address' | 'agreedBps' | 'chargedBps' | 'amount'>;

/** Who gets what, in the order of what was agreed, then those that nobody agreed to. */
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

/** What a storage holds, as far as it is a ledger. */
function readEntries(text: string | null | undefined): Entry[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is Entry {
  const {orderId, agreed = [], charged = []} = (value ?? {}) as Partial<Record<keyof Entry, unknown>>;
  const isFee = (fee: unknown) => {
    const {amount = '0'} = (fee ?? {}) as {amount?: unknown};
    return typeof fee === 'object' && typeof amount === 'string' && /^\d{1,78}$/.test(amount);
  };
  return typeof orderId === 'string' && [agreed, charged].every(list => Array.isArray(list) && list.every(isFee));
}
