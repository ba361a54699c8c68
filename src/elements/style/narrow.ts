import {css} from 'lit';

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
