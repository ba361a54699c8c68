/*
 * What an element gets from its page: time to set it up, and a place. Loaded late, with the code that reads all
 * settings.
 */
import type {SwapSession} from '../session/session.js';
import {afterFrame} from './base/after-frame.js';
import {whenIdle} from './base/when-idle.js';

/** Whether a session's element waits for its page, and whether that had its time. */
const createWait = () => ({hasBegun: false, isOver: false});

/**
 * Whether an element lacks a setting that its page may still set: properties set by a later script, by a timer without
 * delay, or by a framework's effects. Then they are read again once its page had time for that: when the browser is
 * idle after all due work, or a little later in Safari, which has no idle callbacks.
 */
export function waitsForPage<Name extends string>(
  element: Readonly<Partial<Record<Name, unknown>>>,
  session: SwapSession,
  readAgain: () => void,
  ...needed: readonly Name[]
): boolean {
  const lacks = () => needed.some(name => element[name] == null);
  const wait = session.keep(createWait);
  if (wait.isOver || !lacks()) return false;
  if (wait.hasBegun) return true;
  wait.hasBegun = true;
  const tell = () => {
    wait.isOver = true;
    // A missing setting is reported now.
    if (lacks()) readAgain();
  };
  // An idle callback may come before timers that are due.
  setTimeout(() => whenIdle(tell));
  return true;
}

/**
 * Tells a session whether its element is rendered, until the signal aborts: nothing is requested for an invisible one,
 * as in a closed tab panel. One that is merely scrolled out of view is rendered.
 */
export function followRendering(element: Element, session: SwapSession, signal: AbortSignal): void {
  // In a frame's document it is the frame whose layout counts. Simulated browsers have no observers.
  const {ResizeObserver: Observer} = (element.ownerDocument.defaultView ?? {}) as Partial<typeof globalThis>;
  if (!Observer) return;
  const look = () => session.setRendered(isRendered(element));
  const observer = new Observer(look);
  signal.addEventListener('abort', () => observer.disconnect());
  // After the page's layout: otherwise each widget would force another layout.
  session.setRendered(false);
  afterFrame(() => {
    if (signal.aborted) return;
    look();
    observer.observe(element);
  });
}

/** Whether an element has boxes, or needs none. Simulated browsers have none even for the page. */
function isRendered(element: Element): boolean {
  const has = (one: Element) => one.getClientRects().length > 0;
  return has(element) || getComputedStyle(element).display === 'contents' || !has(document.documentElement);
}
