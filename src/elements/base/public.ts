import {withOverrides, type PageMessages, type Spoken} from '../../locales/messages.js';
import type {Look} from './swap-element.js';

/** The parts of all views, for a page's stylesheet. */
export const PARTS =
  'frame, header, body, between, footer, pay, receive, amount, asset, field, lines, steps, quotes, checks, address, qr, notice, search, primary, secondary';

/** The slots for the page's content in the frame. Each view passes them on. */
export const SLOTS = ['header', 'notice', 'success', 'legal', 'footer'];

export function attributeOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/**
 * The view's element, which stays while its tag is the same, in a language: with the page's slots in it. English text is
 * left to right on any page, unless the page sets another direction (`dir`).
 */
export function viewOf<T extends keyof HTMLElementTagNameMap>(
  before: HTMLElement | undefined,
  tag: T,
  parts: string,
  {language, direction = 'ltr'}: Spoken,
  dir: string,
): HTMLElementTagNameMap[T] {
  const view = before?.localName === tag ? (before as HTMLElementTagNameMap[T]) : createView(tag, parts);
  view.lang = language;
  view.dir = dir || direction;
  return view;
}

function createView<T extends keyof HTMLElementTagNameMap>(tag: T, parts: string): HTMLElementTagNameMap[T] {
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
  rest: Pick<Look, 'currency' | 'header' | 'journal' | 'locked' | 'rests'>,
): Look {
  const words = own ? own(messages) : messages;
  const all = words ? withOverrides(form, words) : form;
  return {...rest, messages: all, late, locale, figures, overrides: words ?? {}};
}
