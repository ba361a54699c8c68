import {batch, effect} from 'nanostores';
import {checkPayees, noAddress, payeeFault} from '../domain/affiliate.js';
import {depositBy} from '../domain/asset.js';
import type {Agreement, FundWay} from '../domain/deposit.js';
import {fault, SwapError, toSwapError} from '../domain/error.js';
import type {Lazy} from '../domain/lazy.js';
import {failed, idle, pending, type Remote} from '../domain/remote.js';
import {readForesight} from './foresight.js';
import type {Orders} from './order/orders.js';
import {SLOW_MS, type Pricing} from './pricing.js';
import {notePair, PAIRS} from './storage.js';
import {change, type SessionCore} from './shared.js';
import type {PlacedOrder, SessionConfig} from './types.js';

/** From the price to the order. */
export class Review {
  readonly #core: SessionCore;
  readonly #orders: Lazy<Orders>;
  readonly #pricing: Pricing;
  #placing: Remote<PlacedOrder> | undefined;

  constructor(core: SessionCore, orders: Lazy<Orders>, pricing: Pricing) {
    this.#core = core;
    this.#orders = orders;
    this.#pricing = pricing;
    foresee(core);
    const {$orderState, $form, $view, show} = core;
    $form.listen(({isShort}, before) => {
      // The form says so, and what can be done about it.
      const isNowShort = isShort && !before?.isShort;
      if (isNowShort && $view.get() === 'review' && $orderState.get().placed.state !== 'pending') show('form');
    });
  }

  draftChanged(): void {
    const {$orderState, $view, show} = this.#core;
    // An order that is being placed stays as it was agreed.
    if ($view.get() === 'review' && this.#placing !== $orderState.get().placed) show('form');
  }

  open(): void {
    const {$form, $view, accept, show, tell} = this.#core;
    const {agreement: agreed} = $form.get();
    const closed = this.#closedBecause();
    // Invalid settings were reported when they were read.
    if (closed?.code === 'paused') tell({type: 'error', error: closed});
    if ($view.get() !== 'form' || !agreed || closed) return;
    batch(() => {
      show('review');
      accept({about: 'floor', floor: agreed});
    });
    void this.#orders().catch(() => undefined);
  }

  async place(): Promise<void> {
    const {$asking, $form, $orderState, $settings, $view, accept, adapter, host, tell} = this.#core;
    const {agreement: shown, moved} = $form.get();
    const {config} = $settings.get();
    if ($view.get() !== 'review' || !shown || !config || $orderState.get().placed.state === 'pending') return;
    // Accepting a price that is shown as moved sets its own floor.
    const accepted = Object.freeze({...shown, atLeast: (moved ?? shown).atLeast});
    const waiting = pending<never>();
    const isAwaited = () => $orderState.get().placed === waiting;
    change($orderState, {placed: waiting});
    const stopWaiting = host.after(SLOW_MS, () => change($asking, {isPlacingSlow: true}));
    const endWait = () => {
      stopWaiting();
      change($asking, {isPlacingSlow: false});
    };
    try {
      this.#requireOpen();
      accept({about: 'floor', floor: accepted});
      const [{place}, agreed] = await Promise.all([
        this.#orders(),
        this.#pricing.agree(accepted, isAwaited),
        checkAddresses(config, adapter, shown.affiliateFees),
      ]);
      if (!isAwaited()) return;
      this.#requireOpen();
      if (!agreed) {
        change($orderState, {placed: idle});
        return;
      }
      this.#placing = waiting;
      await place(agreed, isAwaited, () => {
        const {memory} = $settings.get();
        memory?.setNote(PAIRS, notePair(memory.note(PAIRS), agreed.from, agreed.to));
        endWait();
        $view.set('order');
      });
    } catch (cause) {
      if ($view.get() === 'order') throw cause;
      // The visitor left the review and no longer waits for this order.
      if (!isAwaited()) return;
      const error = toSwapError(cause, 'service');
      const fault = payeeFaultOf(error, config, shown);
      // The same order would be refused again, and none is placed without the fee. Other requests may have other fees.
      const isOfAll = typeof config.affiliateFees !== 'function';
      if (fault && isOfAll && $settings.get().config === config) change($settings, {fault});
      change($orderState, {placed: failed(fault ?? error)});
      tell({type: 'error', error: fault ?? error});
    } finally {
      endWait();
    }
  }

  #closedBecause(): SwapError | undefined {
    const {config, fault} = this.#core.$settings.get();
    return fault ?? (config?.paused ? new SwapError('paused') : undefined);
  }

  #requireOpen(): void {
    const closed = this.#closedBecause();
    if (closed) throw closed;
  }
}

/**
 * Checks the addresses that a page sets, those of payees and of contracts that it vouches for, by their chains' own code.
 * Payees may be on chains that are not offered here. @throws SwapError `config`
 */
export async function checkAddresses(
  {affiliateFees, catalogue}: SessionConfig,
  adapter: SessionCore['adapter'],
  fees = typeof affiliateFees === 'function' ? [] : affiliateFees,
): Promise<void> {
  if (fees.length) await checkPayees(fees, catalogue, adapter);
  for (const {chain, vouched} of catalogue.assets) {
    const addresses = vouched && (await adapter(chain.family)).addresses;
    const wrong = addresses?.withChecksum && vouched?.find(({address}) => !addresses.isAddress(chain, address));
    if (wrong) throw fault('contracts', noAddress(wrong.address, chain, {addresses}));
  }
}

function payeeFaultOf(
  {code, reason}: SwapError,
  {catalogue}: SessionConfig,
  {from, to, affiliateFees}: Agreement,
): SwapError | undefined {
  if (code !== 'no-route' || reason === undefined || !affiliateFees.length) return undefined;
  return payeeFault(reason, affiliateFees, [from, to], catalogue);
}

/** As soon as there is something to review, so that nothing moves once it is open. */
function foresee(core: SessionCore): void {
  const {$page, $view, $wallets, $form, $asking, $settings} = core;
  let before: readonly unknown[] = [];
  let last = '';
  effect([$page, $view, $wallets, $form], ({isStarted}, view, {accounts}, {agreement, offer}) => {
    // Each new price checks again: wallets switch chains, and allowances are used up.
    const now = [isStarted, view, accounts, agreement, offer];
    const isSame = now.every((one, at) => one === before[at]);
    before = now;
    // What is known stays while the session is stopped.
    if (isSame || !isStarted) return;
    const agreed = view === 'form' || view === 'review' ? agreement : undefined;
    const payer = agreed && depositBy(agreed.from.chain) === 'wallet' ? accounts[agreed.from.chain.family] : undefined;
    const asked = agreed && payer ? `${agreed.from.id} ${String(agreed.amount)} ${agreed.owner}` : '';
    if (asked !== last) change($asking, {foresight: asked ? 'pending' : undefined});
    last = asked;
    if (!agreed || !payer) return;
    // The way that the visitor last chose over the first one.
    const way = $settings.get().memory?.note('way') as FundWay | undefined;
    void readForesight(core, agreed, payer, way).then(foresight => {
      if (asked === last) change($asking, {foresight});
    });
  });
}
