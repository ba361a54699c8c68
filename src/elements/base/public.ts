/** What `<swap-widget>` and `<swap-status>` do alike. */
import type {Stage} from '../../domain/stage.js';
import type {Spoken} from '../../locales/messages.js';

/** What a page puts into the frame, by the names of the slots. Each view hands them on. */
export const SLOTS = ['header', 'notice', 'success', 'legal', 'footer'];

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
