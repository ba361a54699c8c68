/** The common code of `<swap-widget>` and `<swap-status>`. */
import type {Stage} from '../../domain/stage.js';
import {withOverrides, type PageMessages, type Spoken} from '../../locales/messages.js';
import type {Look} from './swap-element.js';

/** The slots for the page's content in the frame. Each view passes them on. */
export const SLOTS = ['header', 'notice', 'success', 'legal', 'footer'];

export function attributeOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

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

export function lookOf(
  {form, late, locale, figures, own}: Spoken,
  messages: PageMessages | undefined,
  rest: Pick<Look, 'currency' | 'header' | 'journal' | 'locked'>,
): Look {
  const words = own ? own(messages) : messages;
  const all = words ? withOverrides(form, words) : form;
  return {...rest, messages: all, late, locale, figures, overrides: words ?? {}};
}

/** Sets a view's language. English text is left to right on any page, unless the page sets another direction. */
export function speakIn(view: HTMLElement, {language, direction = 'ltr'}: Spoken, dir: string): void {
  view.lang = language;
  view.dir = dir || direction;
}

export function showStage(internals: ElementInternals | undefined, stage: Stage): void {
  try {
    internals?.states.clear();
    internals?.states.add(stage);
  } catch {
    // Older browsers only accept states that begin with two dashes, and have no `:state()` anyway.
  }
}
