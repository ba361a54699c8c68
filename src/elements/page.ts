/*
 * What an element gets from the page it stands in: time to set it up, and a place. Loaded late, with what reads all settings.
 */
import type {LitElement} from 'lit';
import type {SessionBase} from '../session/shared.js';
import {afterFrame} from './base/after-frame.js';

/** Those that wait for their page, and those whose page had its time. */
const waiting = new WeakSet<LitElement>();
const awaited = new WeakSet<LitElement>();

/**
 * Whether an element lacks what its page may still set: properties that come in a later script, in a timer without delay,
 * with a framework's effects. Then it is updated once its page had a moment for that: when the browser is idle after all
 * that was due, or a little later in Safari, which knows no idle time.
 */
export function waitsForPage<Name extends string>(
  element: LitElement & Readonly<Partial<Record<Name, unknown>>>,
  ...needed: readonly Name[]
): boolean {
  const lacks = () => needed.some(name => element[name] == null);
  if (awaited.has(element) || !lacks()) return false;
  if (waiting.has(element)) return true;
  waiting.add(element);
  const page: {requestIdleCallback?(work: () => void, options: IdleRequestOptions): unknown} = window;
  const tell = () => {
    awaited.add(element);
    // As if it were set anew: that it lacks something is said now.
    if (lacks()) element.requestUpdate(needed[0], awaited);
  };
  // An idle moment may come before timers that are due.
  setTimeout(() => {
    if (page.requestIdleCallback) page.requestIdleCallback(tell, {timeout: 500});
    else setTimeout(tell, 100);
  });
  return true;
}

/** The sessions that are told whether their element has a place. */
const told = new WeakSet<object>();

/**
 * Tells a session whether its element is rendered, while the session is started: nothing is asked for what nobody can see,
 * as in a closed tab of a page. One that is merely scrolled out of sight is rendered.
 */
export function followRendering(element: Element, {$running, $rendered}: SessionBase): void {
  if (told.has($running) || !('ResizeObserver' in window)) return;
  told.add($running);
  const look = () => $rendered.set(isRendered(element));
  const observer = new ResizeObserver(look);
  $running.subscribe(running => {
    observer.disconnect();
    if (!running) return;
    // Once the page has been laid out: asked at once, each widget of a page would have all of it laid out anew.
    $rendered.set(false);
    afterFrame(() => {
      if (!$running.get()) return;
      look();
      observer.observe(element);
    });
  });
}

/** Whether an element has boxes, or needs none. Browsers that only pretend to be some give not even the page any. */
function isRendered(element: Element): boolean {
  const has = (one: Element) => one.getClientRects().length > 0;
  return has(element) || getComputedStyle(element).display === 'contents' || !has(document.documentElement);
}
