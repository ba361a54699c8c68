import {css} from 'lit';

/*
 * The forms of the widget, and the only widths and heights that its styles ask for (`test/eslint.config.js` has the
 * rule). Widths are the widget's own, in its text size: with large text it is as if it were narrow. Heights are the
 * window's.
 */

/** Less than 210 pixels, as on a phone with text of twice its size: an asset has a line of its own, too. */
export const TINY = css`(inline-size < 14em)`;

/** Less than 300 pixels: amounts have a line of their own. */
export const NARROW = css`(inline-size < 20em)`;

/** Less than 390 pixels, as on most phones. */
export const SMALL = css`(inline-size < 26em)`;

/** From 480 pixels on. */
export const WIDE = css`(inline-size >= 32em)`;

/** A small phone: all of the form is in view. */
export const LOW = css`(pointer: coarse) and (max-height: 41rem)`;

/** A phone on its side. */
export const FLAT = css`(max-height: 30rem)`;

/** A window that is no wider than the widget. */
export const PHONE = css`(max-width: 35rem)`;

/** A phone in the hand, either way: lists and the review are sheets, and the next step stays in view. */
export const HANDHELD = css`(pointer: coarse) and (${PHONE} or ${FLAT})`;
