/** What `<swap-widget>` and `<swap-status>` do alike. */
import type {Order} from '../../domain/order.js';
import {valueOf, type Remote} from '../../domain/remote.js';
import type {Stage} from '../../domain/stage.js';
import type {Story} from '../../domain/story.js';
import type {Spoken} from '../../locales/languages.js';
import type {ShownOrder, SwapSession} from '../../session/session.js';

/** What a page puts into the frame, by the names of the slots. Each view hands them on. */
const SLOTS = ['header', 'notice', 'success', 'legal', 'footer'];

/** An order as pages read it. */
export interface SwapOrder extends Order {
  /** Once it is complete or refunded: whether a chain shows that, or the service alone says so, which may be taken back. */
  readonly witness?: Story['witness'];
}

/** What was made of each story, so that a page which compares sees the same order while nothing changed. */
const orders = new WeakMap<Story, SwapOrder>();

/** The order on the screen, as pages read it. */
export function orderIn(session: SwapSession | undefined): SwapOrder | undefined {
  const story = session && valueOf(session.$order.get())?.story;
  if (story?.order && !orders.has(story)) orders.set(story, {...story.order, witness: story.witness});
  return story && orders.get(story);
}

/** Whether the person is asked for something about an order that this browser placed. */
export function isPayable(order: Remote<ShownOrder>): unknown {
  const {deal, story} = valueOf(order) ?? {};
  return deal && story?.isPayersTurn;
}

/** An attribute is named as its property, with dashes. */
export function attributeOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** Makes the element of a view, with the page's slots in it. */
export function createView<T extends keyof HTMLElementTagNameMap>(tag: T, parts: string): HTMLElementTagNameMap[T] {
  const view = document.createElement(tag);
  view.setAttribute('exportparts', parts);
  for (const name of SLOTS) {
    const slot = document.createElement('slot');
    slot.name = slot.slot = name;
    view.append(slot);
  }
  return view;
}

/** Lets a view speak a language. English words stand from left to right on any page, unless it wants them otherwise. */
export function speakIn(view: HTMLElement, {language, direction = 'ltr'}: Spoken, dir: string): void {
  view.lang = language;
  view.dir = dir || direction;
}

/** Lets stylesheets of the page see the stage. */
export function showStage(internals: ElementInternals | undefined, stage: Stage): void {
  try {
    internals?.states.clear();
    internals?.states.add(stage);
  } catch {
    // Older browsers take only names that begin with two dashes, and know no `:state()` anyway.
  }
}
