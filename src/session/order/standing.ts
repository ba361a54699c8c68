import {computed} from 'nanostores';
import {depositBy} from '../../domain/asset.js';
import {SwapError, toSwapError} from '../../domain/error.js';
import {mayBePaid} from '../../domain/funding.js';
import {addSeen, hasOtherTerms, type Order} from '../../domain/order.js';
import {valueOf} from '../../domain/remote.js';
import {
  confirmedSince,
  isStepBack,
  isStepOn,
  isTerminal,
  standingOf,
  type Stage,
  type StageClock,
  type Standing,
} from '../../domain/stage.js';
import type {SessionCore} from '../shared.js';
import type {SessionConfig} from '../types.js';
import type {Journal} from './journal.js';

/** The stages of orders: computed for the one on the screen, written down, and reported to the page. */
export type StandingOfOrders = ReturnType<typeof createStanding>;

export function createStanding(core: SessionCore, journalNow: () => Journal | undefined) {
  const {$order, $funding, $status, $chain, $journal, $now, $config, $standing, $movedBackFrom, tell} = core;

  const $computed = computed(
    [$order, $funding, $status, $chain, $journal, $now, $config],
    (placed, {busy, plan, funding, unclear}, status, chain, entries, now, config) => {
      const shown = valueOf(placed);
      if (!shown || !config) return undefined;
      const order = valueOf(status);
      return standingOf({
        order,
        record: entries.find(({orderId}) => orderId === shown.id),
        hasFailed: shown.report?.outcome === 'failed',
        funding: {isAsking: busy === true && plan.length > 0, isOut: funding !== undefined, isUnclear: unclear},
        chain,
        clock: clockOf(order?.source.asset, now, config),
      });
    },
  );

  /** Reports to the page that an order is at another stage. */
  const announce = (stage: Stage, previous: Stage, order: Order) => {
    tell({type: 'status', orderId: order.id, stage, previous, order});
    if (stage === 'complete') tell({type: 'complete', orderId: order.id, order});
    if (stage === 'refunded') tell({type: 'refund', orderId: order.id, order});
    if (stage === 'complete' || stage === 'refunded') core.readBalance();
  };

  let announced: {readonly orderId: string; readonly stage: Stage} | undefined;

  /** Writes down and announces where the shown order stands, whenever a good answer moved it. */
  const follow = (standing: Standing | undefined) => {
    // Time goes by, and the service is asked again and again: only what changed is shown anew.
    const shownNow = $standing.get();
    if (shownNow?.stage !== standing?.stage || shownNow?.isPayersTurn !== standing?.isPayersTurn)
      $standing.set(standing);
    const stage = standing?.stage;
    const shown = valueOf($order.get());
    const order = valueOf($status.get());
    const journal = journalNow();
    if (!shown || !stage || !journal) return;
    const entry = journal.get(shown.id);
    if (announced?.orderId !== shown.id) {
      announced = {orderId: shown.id, stage: entry?.stage ?? 'awaiting-deposit'};
      $movedBackFrom.set(undefined);
    }
    const previous = announced.stage;
    if (stage === previous) return;
    announced = {orderId: shown.id, stage};
    if (isStepBack(previous, stage)) $movedBackFrom.set(previous);
    else if (isStepOn(previous, stage)) $movedBackFrom.set(undefined);
    // A check that stops an order writes so itself.
    if (entry && entry.stage !== stage && stage !== 'stopped') {
      try {
        journal.update(shown.id, () => ({stage}));
      } catch (error) {
        tell({type: 'error', error: toSwapError(error, 'storage'), orderId: shown.id});
      }
    }
    if (order?.id === shown.id) announce(stage, previous, order);
  };

  return {
    announce,
    /** Follows the order on the screen. Returns how to stop. */
    run: () => $computed.subscribe(follow),

    see: (order: Order) => see(core, journalNow(), order),
  };
}

/** Writes down what is seen of an order's payment where that is new, and reports where its terms have changed. */
function see({host, tell}: SessionCore, journal: Journal | undefined, order: Order): void {
  const {id, source} = order;
  const entry = journal?.get(id);
  if (!entry) return;
  const seen = addSeen(entry.seen, source);
  const confirmedAt = confirmedSince(entry.confirmedAt, source, host.now());
  const isPaid = source.initiated !== undefined || mayBePaid(entry);
  const isChanged = isPaid && !entry.changed && entry.terms !== undefined && hasOtherTerms(entry.terms, order);
  if (seen === entry.seen && confirmedAt === entry.confirmedAt && !isChanged) return;
  try {
    journal?.update(id, () => ({confirmedAt, ...(seen && {seen}), ...(isChanged && {changed: true as const})}));
  } catch {
    // A full storage is reported where money depends on it.
  }
  if (isChanged) tell({type: 'error', error: new SwapError('order-changed'), orderId: id});
}

/** What is needed beside an order and its record to say where it stands. */
export function clockOf(
  sourceAsset: string | undefined,
  now: number,
  {catalogue, depositWindow}: SessionConfig,
): StageClock {
  const chain = catalogue.find(sourceAsset ?? '')?.chain;
  return {now, depositWindow, blockSeconds: chain?.blockSeconds ?? Infinity};
}

/** Whether nothing can change any more about the order on the screen, so that it need not be read. */
export function isOver({$standing, $status, $order, $config, $chain}: SessionCore): boolean {
  const stage = $standing.get()?.stage;
  const order = valueOf($status.get());
  if (!stage || !order || !isTerminal(stage)) return false;
  const how = valueOf($order.get())?.deal?.deposit.how;
  // What its contract still holds can be taken back one day, whatever the service says.
  if (how === 'wallet' && $chain.get().deposit?.isHeld) return false;
  // An address that was shown may be paid to, whatever was found out since.
  if (stage === 'stopped') return how !== 'transfer';
  return stage !== 'complete' || isKept(order, $config.get());
}

/**
 * Whether what the recipient got stays as it is. On a chain that is paid to by address a payment counts as soon as it is
 * seen, and may still be replaced by one with a higher fee as long as it has no block.
 */
function isKept({destination: {asset, redeemed}}: Order, config: SessionConfig | undefined): boolean {
  const chain = config?.catalogue.find(asset)?.chain;
  return !chain || depositBy(chain) !== 'transfer' || redeemed?.block !== undefined;
}
