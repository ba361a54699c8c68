import {HANDHELD} from '../style/layout.js';

/** Whether a media query matches. Simulated browsers, as in partners' tests, may not have any. */
function isMedia(query: string): boolean {
  return !!(window as Partial<Window>).matchMedia?.(query).matches;
}

export function isTouch(): boolean {
  return isMedia('(pointer: coarse)');
}

export function isSmallTouchScreen(): boolean {
  return isMedia(HANDHELD.cssText);
}
