import {css} from 'lit';

/** In a frame's header, the network goes below the title. For the widths at which they do not fit beside each other. */
export const networkBelow = css`
  .head {
    flex: none;
    flex-wrap: wrap;
  }
  .head > h2 {
    flex-basis: 0;
  }
  .head > .tag {
    order: 1;
    flex-basis: 100%;
    text-align: start;
  }
`;
