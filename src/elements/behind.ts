/*
 * The widget's work behind its form: it reads all settings, creates the session, reports to the page, and syncs the
 * page's URL. It brings the remaining styles, and the announcements. Loaded once the form is on the screen.
 */
import type {LitElement} from 'lit';
import {FAMILIES} from '../domain/asset.js';
import {lazy} from '../domain/lazy.js';
import type {Order} from '../domain/order.js';
import type {FormDraft} from '../session/draft.js';
import {draftNote} from '../session/settings.js';
import {openMemory, walletNote} from '../session/storage.js';
import {checkAddresses} from '../session/review.js';
import {createSession as newSession, type SessionOptions, type SwapSession} from '../session/session.js';
import './base/announcement.js';
import './base/error-note.js';
import './base/frame-parts.js';
import {pause} from './base/pause.js';
import {motion} from './base/swap-view.js';
import './form/notes.js';
import './form/price.js';
import './form/receive-field.js';
import {configure as settle, gatesOf} from './event-of.js';
import {tellFunnel} from './funnel.js';
import './icons/drawings.js';
import {loadDrawings} from './icons/icons.js';
import {loadAhead} from './intent.js';
import {createHost} from './host.js';
import {finishLooks} from './style/finish.js';
import './style/motion.js';
import {SHARED} from './base/swap-element.js';
import {waitsForPage} from './page.js';
import type * as Requests from './request.js';
import type * as Recall from './settings/recall.js';
import {nameMisspelt} from './settings/joined.js';
import {adapters, createServiceReader, readAllSettings, type SessionSettings} from './settings/all.js';
import {serviceOf} from './settings/form.js';
import type {Settings} from './settings/settings.js';
import {linkOf, syncAddress} from './url-sync.js';

export {pause} from './base/pause.js';
export {SwapConnectRequestEvent} from '../events.js';
export {errorIn, orderIn, run, viewIn} from './event-of.js';

/** Completes the styles of all widgets, in steps: at once, a click would have to wait. */
async function finish(): Promise<void> {
  await pause();
  finishLooks();
  await pause();
  await Promise.all([loadDrawings(), motion()]);
}

void finish();

/** In the order of the calls, even if the code is still loading. */
const requests = lazy(() => import('./request.js'));

const recall = lazy(() => import('./settings/recall.js'));

export async function request(...all: Parameters<typeof Requests.request>): Promise<Order> {
  return (await requests()).request(...all);
}

export function createSession(
  widget: EventTarget & Pick<Settings, 'storage'>,
  options: Pick<SessionOptions, 'scope'> & {readonly draft: FormDraft},
): SwapSession {
  return newSession({...options, adapters, host: createHost(() => widget.storage), gates: gatesOf(widget)});
}

export type Widget = Parameters<typeof Recall.followRecall>[0] &
  SessionSettings &
  Pick<Settings, 'urlSync' | 'recall'> &
  LitElement &
  Parameters<typeof tellFunnel>[0] & {readonly id: string};

/**
 * Gives a widget's session its settings, from attributes, properties and the page's URL: none yet if the page may still
 * be about to set them. `unread`: the properties that the page has set since they were valid.
 */
export function configure(widget: Widget, session: SwapSession, unread: Set<PropertyKey>): void {
  const {config: before} = session.$settings.get();
  settle(widget, session, () => {
    if (waitsForPage(widget, session, () => widget[SHARED].readSettings?.(), 'baseUrl')) return undefined;
    nameMisspelt(widget);
    const link = linkOf(widget, session, unread);
    const read = readAllSettings(widget, link, session.keep(createServiceReader));
    const config = recall.part?.isRecalled(widget, session) ? {...read, paused: true} : read;
    return requests.part?.withRequest(session, config) ?? config;
  });
  const {config, fault} = session.$settings.get();
  if (!config) return;
  // The draft is the visitor's as soon as there is one: only values that the page has just set go into it.
  const fresh = Object.entries(config.prefill).filter(([name]) => unread.has(name));
  if (before && config !== before && fresh.length) session.edit(Object.fromEntries(fresh));
  if (widget.orderId && unread.has('orderId') && fault?.field !== 'order-id') session.openOrder(widget.orderId);
  unread.clear();
}

/**
 * Whether a widget can be without a session until somebody comes near it: the page asks for nothing but a form, and the
 * browser stores no order, wallet or draft that it would show. Its settings are read all the same, so that a fault of
 * theirs is told at once.
 */
export function rest(widget: Widget, draft: FormDraft, scope: string): boolean {
  const wanted = [
    ...(['orderId', 'wallets', 'recall', 'urlSync', 'paused'] as const),
    ...(['amount', 'receive', 'recipient', 'refundAddress'] as const),
  ];
  if (wanted.some(name => widget[name]) || widget.matches(':focus-within')) return false;
  try {
    const host = createHost(() => widget.storage);
    const memory = openMemory(host, serviceOf(widget.baseUrl ?? ''), true, scope);
    const notes = [draftNote(memory), ...FAMILIES.map(walletNote)];
    if (memory.hasOrders() || notes.some(memory.note)) return false;
    const config = readAllSettings(widget);
    nameMisspelt(widget);
    draft.preview(config);
    if (draft.$form.get().problem?.code === 'no-route') return false;
    checkAddresses(config, family => adapters[family]()).catch(() => widget[SHARED].begin?.());
    return true;
  } catch {
    return false;
  }
}

/** Until the signal aborts. Called again, it starts what is newly wanted; `begun` is what it started so far. */
export function accompany(widget: Widget, begun: Set<string>, signal: AbortSignal): void {
  if (signal.aborted) return;
  const isNew = (work: string) => !begun.has(work) && begun.add(work);
  if (isNew('reports')) {
    tellFunnel(widget, signal);
    loadAhead(widget, signal);
  }
  const session = widget[SHARED].$session.get();
  if (!session) return;
  if (widget.urlSync && isNew('URL')) syncAddress(session, widget.id, signal);
  if (widget.recall && isNew('recall')) {
    const {version} = widget.constructor as unknown as {version: string};
    void recall.use(
      ({followRecall}) => followRecall(widget, session, version, signal),
      () => undefined,
    );
  }
}
