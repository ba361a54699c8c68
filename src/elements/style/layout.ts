import {css} from 'lit';

/*
 * The forms of the widget, and the only widths and heights that its styles ask for. Widths are the widget's own, in its
 * text size: with large text it is as if it were narrow.
 */

/** Less than 300 pixels: amounts have a line of their own. */
export const NARROW = css`(inline-size < 20em)`;

/** Less than 390 pixels, as on most phones. */
export const SMALL = css`(inline-size < 26em)`;

/** From 480 pixels on. */
export const WIDE = css`(inline-size >= 32em)`;

/** A small phone. `styles.ts` has its heights, for the same windows. */
export const LOW = css`(pointer: coarse) and (max-height: 41rem)`;

/** A phone on its side: low and wide. */
export const ON_ITS_SIDE = css`(pointer: coarse) and (max-height: 26rem) and (min-width: 30rem)`;

/** What is between two amounts, in a column of its own beside them. For windows that are low and wide. */
export const detailsBeside = css`
  grid-area: 1 / 2 / 3;
  justify-content: start;
  padding-block: 0;
  > * {
    flex: none;
    margin-inline-start: 0;
  }
`;
