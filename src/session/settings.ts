import {batch} from 'nanostores';
import type {ChainFamily} from '../domain/asset.js';
import {FIELDS, type Draft} from '../domain/draft.js';
import {SwapError} from '../domain/error.js';
import {isSameData, writeJson} from '../domain/json.js';
import type {Lazy} from '../domain/lazy.js';
import type {Wallets} from './accounts.js';
import type {Orders} from './order/orders.js';
import type {Pricing} from './pricing.js';
import {checkAddresses, type Review} from './review.js';
import {change, type SessionCore} from './shared.js';
import {openMemory, walletNote, type Memory} from './storage.js';
import type {SessionConfig} from './types.js';

export interface Parts {
  readonly accounts: Lazy<Wallets>;
  readonly pricing: Pricing;
  readonly review: Review;
  readonly orders: Lazy<Orders>;
}

/** How often the time is updated while the page is hidden. */
const HIDDEN_TICK_MS = 30_000;

function passTime({$page, $now, host}: SessionCore): void {
  let cancel = () => {};
  const tick = () => {
    cancel();
    const {isStarted, isVisible} = $page.get();
    if (!isStarted) return;
    $now.set(host.now());
    cancel = host.after(isVisible ? 1_000 : HIDDEN_TICK_MS, tick);
  };
  $page.subscribe(tick);
}

/** Applies new settings, or reports what is wrong with them. */
export function configure(core: SessionCore, settings: SessionConfig | SwapError, {accounts, orders}: Parts): void {
  const {$settings, $wallets, adapter, adapters, host, scope, accept, show, tell} = core;
  if (settings instanceof SwapError) {
    // The code that found the fault reports it. The last valid settings stay, for open orders.
    change($settings, {fault: settings});
    return;
  }
  const {config: before, memory: opened} = $settings.get();
  if (!before) passTime(core);
  const isOther = (['service', 'journal', 'forThisTab'] as const).some(name => before?.[name] !== settings[name]);
  const memory = isOther ? openMemory(host, settings.service, settings.journal, scope) : opened;
  batch(() => {
    $settings.set({config: settings, memory});
    orders.part?.configure();
    // With another service the form is reset, except for what was typed before the first settings.
    const fills = !isOther ? 'none' : before ? 'all' : 'untyped';
    const left = isOther ? restoredDraft(memory, settings.prefill) : undefined;
    accept({about: 'page', page: settings, fills, left});
  });
  /** Some faults only a family's code can find. If it cannot be loaded, it is loaded with the order. */
  const refuse = (fault: unknown) => {
    const present = $settings.get();
    if (!(fault instanceof SwapError) || fault.code !== 'config') return;
    if (present.config !== settings || present.fault) return;
    change($settings, {fault});
    tell({type: 'error', error: fault});
  };
  const ignore = () => undefined;
  checkAddresses(settings, adapter).catch(refuse);
  // Wallets that the page passes now, and those that it no longer passes.
  if (settings.wallets ?? accounts.part) void accounts.use(part => part.configure(settings).catch(refuse), ignore);
  if (!isOther) return;
  if (before) show('form');
  const last = Object.keys(adapters).filter(
    family => settings.wallets?.[family as ChainFamily] ?? memory?.note(walletNote(family)),
  );
  if (last.length) {
    // A wallet that is about to reconnect must not be connected by a click.
    change($wallets, {restoring: Object.fromEntries(last.map(family => [family, '']))});
    void accounts.use(
      ({reconnect}) => reconnect(),
      () => change($wallets, {restoring: {}}),
    );
  }
  if (memory?.hasOrders())
    void orders.use(
      ({resume}) => resume(),
      error => tell({type: 'error', error}),
    );
}

/** The note with a widget's draft and the page's presets at that time. */
export function draftNote({scope}: Memory): string {
  return `draft/${scope}`;
}

export function noteDraft({$settings, $facts}: SessionCore): void {
  const {memory} = $settings.get();
  const {draft, page} = $facts.get();
  memory?.setNote(draftNote(memory), writeJson({draft, prefill: page?.prefill}));
}

/** The initial draft: as the visitor left it, unless the page now presets something else. */
function restoredDraft(memory: Memory | undefined, prefill: Partial<Draft>): Partial<Draft> {
  try {
    const text = memory?.note(draftNote(memory));
    const kept = JSON.parse(text ?? '') as {draft: Record<string, unknown>; prefill: unknown};
    const isSame = isSameData(kept.prefill, prefill);
    // Of a draft with other presets only the pair is kept, unless the page presets one.
    const fields = isSame ? FIELDS : prefill.from || prefill.to ? [] : ['from', 'to'];
    const own = fields.filter(field => typeof kept.draft[field] === 'string').map(field => [field, kept.draft[field]]);
    return {...(!isSame && prefill), ...(Object.fromEntries(own) as Partial<Draft>)};
  } catch {
    return prefill;
  }
}
