import type {ChainAdapter} from '../../chains/adapter.js';
import {splitAssetId} from '../../domain/asset.js';
import type {WalletRequest} from '../../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../../domain/error.js';
import {compareFees, feesText} from '../../domain/fees.js';
import {openPayment, withAllowance, withoutAllowance} from '../../domain/funding.js';
import {isSameData} from '../../domain/json.js';
import type {Order} from '../../domain/order.js';
import {
  depositState,
  disputedIn,
  isTaken,
  LONGEST_WAIT_MS,
  type DepositOnChain,
  type DepositState,
  type Evidence,
} from '../../domain/evidence.js';
import {change} from '../shared.js';
import type {JournalEntry} from './journal.js';
import {settlePayment, type DisplayedOrder, type OrderCore} from './shown.js';

/** How often a chain's fee rates are read: they change with its blocks. */
const FEE_PAUSE_MS = 30_000;

/** How far a node may lag behind its chain. */
const NODE_LAG_MS = 60_000;

/** The error's code and its field, for states that certainly paid nothing. */
export const UNPAID: Partial<Readonly<Record<DepositState, readonly [SwapErrorCode, field?: string]>>> = {
  reverted: ['funding-reverted'],
  empty: ['funding-reverted', 'empty'],
  expired: ['expired'],
  canceled: ['rejected', 'canceled'],
};

export type Watching = ReturnType<typeof createWatching>;

export function createWatching(core: OrderCore, shown: DisplayedOrder) {
  const {$orderState, host, journal, evidence, tell} = core;
  let feeAsked = {of: '', at: 0};

  const forgetFee = () => {
    feeAsked = {of: '', at: 0};
    change($orderState, {fee: undefined});
  };

  const noteAllowance = (entry: JournalEntry, {isAllowed, spent}: Partial<DepositOnChain> = {}) => {
    const {orderId, walletRequests, agreed} = entry;
    const known = (order: Pick<JournalEntry, 'walletRequests'>) => {
      if (spent) return withoutAllowance(order, agreed.from.chain, spent);
      return isAllowed && !shown.isBusy(orderId) ? withAllowance(order) : order.walletRequests;
    };
    if (!isSameData(known(entry), walletRequests)) journal().note(orderId, now => ({walletRequests: known(now)}));
  };

  return {
    reset: forgetFee,

    /** A payment of the displayed order that may have been sent and that the service has not seen. */
    async settle(orderId: string) {
      const asked = shown.is(orderId) ? journal().get(orderId) : undefined;
      const known = evidence.of(orderId);
      if (asked) noteAllowance(asked, known.deposit?.value);
      const state = depositState(known);
      // If one RPC shows what another does not, time decides nothing.
      if (!asked || !state || disputedIn(known).source) return;
      // A seen payment needs no question; before that, the chain may show that it cannot arrive any more.
      if (state !== 'seen' && $orderState.get().story?.stage !== 'funding') return;
      const [chain] = await shown.sourceOf(asked);
      const book = journal();
      const payment = openPayment(asked);
      const entry = book.get(orderId);
      // An earlier, slower read may have found the same, and the visitor may have answered meanwhile.
      if (!payment || !entry || shown.isBusy(orderId) || !isSamePayment(openPayment(entry), payment)) return;
      const {hash} = payment;
      const since = evidence.paymentSince(orderId);
      const seen = finalState(chain, known, since);
      const [code, field] = UNPAID[seen] ?? [];
      if (code) {
        // The chain itself shows that nothing was or will be paid.
        settlePayment(book, entry, {state: 'refused'});
        const error = new SwapError(code, {field, detail: hash});
        shown.show(orderId, {seen, funding: undefined, error});
        tell({type: 'error', error, orderId});
        return;
      }
      const {lifetime} = known.deposit?.value ?? {};
      if (lifetime !== undefined && payment.lifetime === undefined) settlePayment(book, entry, {lifetime});
      const isConfirmed = seen === 'seen' || isTaken(evidence.of(orderId), since);
      if (isConfirmed && payment.state === 'asking' && !payment.claimed) settlePayment(book, entry, {claimed: true});
      shown.show(orderId, {seen});
    },

    async readFee({id, source: {initiated}}: Order) {
      if (!shown.is(id)) return;
      const entry = journal().get(id);
      if (!entry || initiated?.block !== undefined) {
        forgetFee();
        return;
      }
      const of = initiated?.hashes.join() ?? id;
      if (feeAsked.of === of && host.now() < feeAsked.at + FEE_PAUSE_MS) return;
      feeAsked = {of, at: host.now()};
      const [chain, reader] = await shown.sourceOf(entry);
      const fee = await chain.readFee?.(shown.dealOf(entry), reader);
      if (shown.is(id) && feeAsked.of === of) change($orderState, {fee});
    },
  };
}

/**
 * What the chain shows conclusively of a deposit that may be on its way since a given time, by the clock of the
 * evidence. A reading counts from its request: the response may be much later.
 */
export function finalState(
  {expiresAfter = Infinity}: ChainAdapter,
  evidence: Evidence<JournalEntry>,
  since = 0,
): DepositState {
  const {deposit, told, failedAt} = evidence;
  const state = depositState(evidence) ?? 'unknown';
  if (state === 'unknown') {
    // Whoever is paid by an unverified payment could hide it, so what they show is not conclusive.
    if (evidence.record?.unverified) return state;
    const end = since + expiresAfter;
    const isUnread = deposit?.value.state === 'unknown' && deposit.askedAt > end;
    const isSilent = (failedAt?.deposit ?? 0) > end + LONGEST_WAIT_MS;
    // If the chain cannot be read, time decides: what was signed so long ago cannot arrive any more, and the service,
    // queried after that, has not seen it either.
    return (isUnread || isSilent) && (told?.askedAt ?? 0) > end ? 'expired' : state;
  }
  // A lagging node may not know yet what is still valid.
  const isEarly = (deposit?.askedAt ?? 0) < since + NODE_LAG_MS;
  if (state === 'empty') return isEarly ? 'seen' : state;
  return state === 'expired' && isEarly ? 'none' : state;
}

function isSamePayment(one: WalletRequest | undefined, other: WalletRequest): boolean {
  return one?.kind === other.kind && one.at === other.at && one.hash === other.hash && one.state === other.state;
}

/**
 * Compares the affiliate fees of this browser's orders with those that were sent with them, and reports to the page,
 * once, if one was dropped or has another payee. Returns a function to call with each order as read.
 */
export function createFeeWatch({config, journal, adapter, tell}: OrderCore): (order: Order) => void {
  const told = new Set<string>();
  const compared = new Map<string, string>();

  const compare = async ({id, affiliateFees: charged}: Order) => {
    const book = journal();
    const entry = book.get(id);
    if (!charged || !entry || entry.feesTold || told.has(id)) return;
    const {affiliateFees: agreed} = entry.agreed;
    const text = feesText(charged);
    if (compared.get(id) === text) return;

    const {catalogue} = config();
    const chainOf = (asset: string) => catalogue.findChain(splitAssetId(asset)?.chain ?? '');
    const families = new Set(agreed.flatMap(({asset}) => chainOf(asset)?.family ?? []));
    const known = new Map(
      await Promise.all([...families].map(async family => [family, await adapter(family)] as const)),
    );
    const outcome = compareFees(agreed, charged, (asset, one, other) => {
      const chain = chainOf(asset);
      return chain && known.get(chain.family)?.addresses.isSameAddress(one, other);
    });
    compared.set(id, text);
    if (outcome !== 'other' || told.has(id)) return;

    told.add(id);
    tell({
      type: 'error',
      orderId: id,
      error: new SwapError('fees-changed', {
        field: 'affiliate_fees',
        detail: `sent: ${feesText(agreed)}; charged: ${text}`.slice(0, 500),
      }),
    });
    book.update(id, () => ({feesTold: true}));
  };

  return order => void compare(order).catch(() => undefined);
}
