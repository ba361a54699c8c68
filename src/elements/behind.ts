/*
 * What a widget does behind its form: it reads all settings, tells the page what happens, and keeps the page's
 * address. It brings the rest of the looks, and what is announced. Loaded once the form is on the screen.
 */
import {adoptStyles, type LitElement} from 'lit';
import type {ChainFamily} from '../domain/asset.js';
import {
  SwapCompleteEvent,
  SwapDepositEvent,
  SwapOrderEvent,
  SwapQuoteEvent,
  SwapRefundEvent,
  SwapStatusEvent,
} from '../events.js';
import {lazy} from '../domain/lazy.js';
import type {Order} from '../domain/order.js';
import type {SessionEvent, SwapSession} from '../session/session.js';
import './base/announcement.js';
import './base/error-note.js';
import {useMotion} from './base/swap-view.js';
import {tellFunnel} from './funnel.js';
import * as drawings from './icons/drawings.js';
import {useDrawings} from './icons/icons.js';
import {finishLooks} from './style/finish.js';
import * as motion from './style/motion.js';
import type * as Requests from './request.js';
import {readAllSettings, type ReadSettings} from './settings/all.js';
import type {Settings} from './settings/settings.js';
import {linkOf, syncAddress} from './url-sync.js';

export {configure} from '../session/settings.js';

finishLooks();
useMotion(motion);
useDrawings(drawings);

/** What the page is told of a session's event. */
export function eventOf(event: Exclude<SessionEvent, {readonly type: 'error'}>): Event {
  switch (event.type) {
    case 'quote':
      return new SwapQuoteEvent(event.request, event.quotes);
    case 'order':
      return new SwapOrderEvent(event.orderId, event.agreed);
    case 'deposit':
      return new SwapDepositEvent(event.orderId, event.funding);
    case 'status':
      return new SwapStatusEvent(event.orderId, event.stage, event.previous, event.order);
    case 'complete':
      return new SwapCompleteEvent(event.orderId, event.order);
    case 'refund':
      return new SwapRefundEvent(event.orderId, event.order);
  }
}

/** In the order of their calls, though the code for it may still be loading. */
const requests = lazy(
  () => import('./request.js'),
  module => module,
);

/** Asks the visitor for a payment. */
export async function request(...all: Parameters<typeof Requests.request>): Promise<Order> {
  return (await requests()).request(...all);
}

/** A widget, as far as it is known here. */
type Widget = Settings & Parameters<typeof tellFunnel>[0] & {readonly id: string};

/** Reads what the page set, by attributes, properties and its address. @throws SwapError `config` */
export function readSettings(
  widget: Widget,
  families: readonly ChainFamily[],
  changed: ReadonlySet<PropertyKey>,
): ReadSettings {
  const read = readAllSettings(widget, families, linkOf(widget, changed));
  return {...read, config: requests.part?.withRequest(widget, read.config) ?? read.config};
}

/** The times on the page for which a widget tells how far its visitor gets, and for which the page's address is kept. */
const told = new WeakSet<AbortSignal>();
const synced = new WeakSet<AbortSignal>();

/** Does what goes on for as long as a widget is on its page, until the signal aborts. Called again, it begins what has come to be wanted. */
export function accompany(widget: Widget, session: SwapSession, signal: AbortSignal): void {
  if (signal.aborted) return;
  if (!told.has(signal)) {
    told.add(signal);
    tellFunnel(widget, session, signal);
  }
  if (widget.urlSync && !synced.has(signal)) {
    synced.add(signal);
    syncAddress(session, widget.id, signal);
  }
}

/** Gives a widget one palette for all accents where its browser cannot derive a color from another. */
export async function settle(widget: LitElement): Promise<void> {
  const {CSS} = globalThis as Partial<typeof globalThis>;
  if (CSS?.supports('color', 'light-dark(red, oklch(from red l c h))') !== false) return;
  const {palettesOf} = await import('./style/palette.js');
  const {elementStyles} = widget.constructor as typeof LitElement;
  adoptStyles(widget.renderRoot as ShadowRoot, [...elementStyles, ...palettesOf(widget)]);
}
