import {batch, computed} from 'nanostores';
import {depositBy} from '../domain/asset.js';
import type {Agreement, FundWay} from '../domain/deposit.js';
import {SwapError, toSwapError} from '../domain/error.js';
import {lazy, type Lazy} from '../domain/lazy.js';
import {failed, idle, pending, type Remote} from '../domain/remote.js';
import {readForesight} from './foresight.js';
import type {Orders} from './order/orders.js';
import {createPricing, SLOW_MS, type Pricing} from './pricing.js';
import {notePair, PAIRS} from './storage.js';
import {change, type SessionCore} from './shared.js';
import type {PlacedOrder, SessionConfig} from './types.js';

/** From the price to the order. Loaded with the first request. */
export interface Review extends Pick<Pricing, 'ask'> {
  open(): void;
  place(): Promise<void>;
  /** The draft changed: the review no longer matches it. */
  draftChanged(): void;
  checkAddresses(config: SessionConfig): Promise<void>;
}

const loadAffiliate = lazy(() => import('../domain/affiliate.js'));

export function createReview(core: SessionCore, orders: Lazy<Orders>): Review {
  const {$view, $placed, $settings, $read, $agreement, $ahead, accept, adapter, show, tell} = core;
  const pricing = createPricing(core);
  foresee(core);
  /** The displayed state of the order that is being placed. */
  let placing: Remote<PlacedOrder> | undefined;

  computed($read, story => story?.isShort).listen(isShort => {
    // The form says so, and what can be done about it.
    if (isShort && $view.get() === 'review' && $placed.get().state !== 'pending') show('form');
  });

  /** Nothing new is started while the settings are invalid or the partner paused swaps. */
  const closedBecause = () => {
    const {config, fault} = $settings.get();
    return fault ?? (config?.paused ? new SwapError('paused') : undefined);
  };
  const requireOpen = () => {
    const closed = closedBecause();
    if (closed) throw closed;
  };

  /**
   * The addresses that a page sets, those of payees and of contracts that it vouches for, are checked by their chains'
   * own code before anything is ordered. Payees may be on chains that are not offered here.
   */
  const checkAddresses = async ({affiliateFees, catalogue}: SessionConfig) => {
    if (affiliateFees.length) await (await loadAffiliate()).checkPayees(affiliateFees, catalogue, adapter);
    for (const {chain, vouched} of catalogue.assets) {
      const addresses = vouched && (await adapter(chain.family)).addresses;
      const wrong = addresses?.withChecksum && vouched?.find(({address}) => !addresses.isAddress(chain, address));
      const detail = `“${wrong?.address ?? ''}” is not an address on ${chain.title}: its checksum (EIP-55) is wrong.`;
      if (wrong) throw new SwapError('config', {field: 'contracts', detail});
    }
  };

  /** What only the site can put right about its fees, if the service refused an order for that. */
  const payeeFaultOf = async (
    {code, reason}: SwapError,
    {affiliateFees, catalogue}: SessionConfig,
    {from, to}: Agreement,
  ) => {
    if (code !== 'no-route' || reason === undefined || !affiliateFees.length) return undefined;
    return (await loadAffiliate()).payeeFault(reason, affiliateFees, [from, to], catalogue);
  };

  return {
    ask: () => pricing.ask(),
    checkAddresses,

    draftChanged() {
      // An order that is being placed stays as it was agreed.
      if ($view.get() === 'review' && placing !== $placed.get()) show('form');
    },

    open() {
      const {agreed} = $agreement.get();
      const closed = closedBecause();
      // Invalid settings were reported when they were read.
      if (closed?.code === 'paused') tell({type: 'error', error: closed});
      if ($view.get() !== 'form' || !agreed || closed) return;
      batch(() => {
        show('review');
        accept({about: 'floor', floor: agreed});
      });
      // An order comes next.
      void orders().catch(() => undefined);
    },

    async place() {
      const {agreed: shown, moved} = $agreement.get();
      const {config} = $settings.get();
      if ($view.get() !== 'review' || !shown || !config || $placed.get().state === 'pending') return;
      // Accepting a price that is shown as moved sets its own floor.
      const accepted = Object.freeze({...shown, atLeast: (moved ?? shown).atLeast});
      const waiting = pending<never>();
      const isAwaited = () => $placed.get() === waiting;
      $placed.set(waiting);
      const stopWaiting = core.host.after(SLOW_MS, () => change($ahead, {isSlow: true}));
      const endWait = () => {
        stopWaiting();
        change($ahead, {isSlow: false});
      };
      try {
        requireOpen();
        accept({about: 'floor', floor: accepted});
        const [{place}, agreed] = await Promise.all([
          orders(),
          pricing.agree(accepted, isAwaited),
          checkAddresses(config),
        ]);
        if (!isAwaited()) return;
        requireOpen();
        if (agreed) {
          placing = waiting;
          await place(agreed, isAwaited, () => {
            const memory = core.$memory.get();
            memory?.setNote(PAIRS, notePair(memory.note(PAIRS), agreed.from, agreed.to));
            endWait();
            $view.set('order');
          });
        } else $placed.set(idle);
      } catch (cause) {
        if ($view.get() === 'order') throw cause;
        // The visitor left the review and no longer waits for this order.
        if (!isAwaited()) return;
        const error = toSwapError(cause, 'service');
        const fault = await payeeFaultOf(error, config, shown);
        // The same order would be refused again, and none is placed without the fee.
        if (fault && $settings.get().config === config) change($settings, {fault});
        $placed.set(failed(fault ?? error));
        tell({type: 'error', error: fault ?? error});
      } finally {
        endWait();
      }
    },
  };
}

/**
 * Determines what the wallet will be asked for, to announce it in the review: as soon as there is something to review,
 * so that nothing moves once it is open.
 */
function foresee(core: SessionCore): void {
  const {$running, $view, $accounts, $read, $ahead, $memory} = core;
  const $agreed = computed($read, story => story?.agreement);
  const $offer = computed($read, story => story?.offer);
  let last = '';
  // Each new price checks again: wallets switch chains, and allowances are used up.
  const $wanted = computed([$running, $view, $agreed, $accounts, $offer], (isRunning, view, agreed, accounts) =>
    isRunning && (view === 'form' || view === 'review') && agreed
      ? {...agreed, payer: accounts[agreed.from.chain.family]}
      : undefined,
  );
  $wanted.subscribe(wanted => {
    // What is known stays while the session is stopped.
    if (!$running.get()) return;
    const isOfWallet = wanted?.payer !== undefined && depositBy(wanted.from.chain) === 'wallet';
    const asked = isOfWallet ? `${wanted.from.id} ${String(wanted.amount)} ${wanted.owner}` : '';
    if (asked !== last) change($ahead, {foresight: asked ? 'pending' : undefined});
    last = asked;
    if (!wanted?.payer || !isOfWallet) return;
    const {from, amount, payer} = wanted;
    // The way that the visitor last chose over the first one.
    const way = $memory.get()?.note('way') as FundWay | undefined;
    void readForesight(core, {from, amount}, payer, way).then(foresight => {
      if (asked === last) change($ahead, {foresight});
    });
  });
}
