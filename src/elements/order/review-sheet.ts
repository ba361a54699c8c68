import {css} from 'lit';
import {FLAT, PHONE} from '../style/layout.js';

/** The review as a sheet in front of the form. */
export const reviewSheet = css`
  dialog {
    display: contents;
  }
  dialog:modal {
    display: flex;
    max-block-size: calc(100dvb - var(--_u) * 3);
  }
  :modal > .frame {
    /* The two amounts are small, so that the costs and addresses are in sight above the button. */
    --_hero: calc(var(--_r) * 1.5);
    --_row: calc(var(--_u) * 8);
    inline-size: 100%;
    min-block-size: 0;
    border-width: 0;
    box-shadow: none;
  }
  :modal .body {
    min-block-size: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    scroll-padding-block-end: calc(var(--_u) * 24);
    padding-block-end: 0;
  }
  :modal .between {
    padding-block: var(--_u);
  }
  /* What arrives, at least, stays above the button; the details scroll in between. */
  :modal .get {
    position: sticky;
    inset-block-end: 0;
    z-index: 2;
    padding-block-end: calc(var(--_u) * 2);
    box-shadow: 0 calc(var(--_u) * -2) calc(var(--_u) * 3) var(--_surface);
  }
  @media ${FLAT} {
    :modal > .frame {
      --_head: calc(var(--_u) * 11);
      --_pad: calc(var(--_u) * 5);
      --_rail: calc(var(--_u) * 9);
      --_gap: calc(var(--_u) * 2.5);
    }
    /* In a low and wide window, the details are beside the amounts. */
    @media not ${PHONE} {
      :modal .body {
        scroll-padding-block-end: calc(var(--_u) * 4);
      }
      :modal .thread {
        display: grid;
        grid-template: auto 1fr / minmax(min(50%, var(--_r) * 16.5), 4fr) minmax(0, 5fr);
        column-gap: var(--_pad);
      }
      :modal .thread::before {
        content: '';
        grid-area: 1 / 1 / 3;
        inline-size: 2px;
        margin-block: calc(var(--_row) / 2);
        margin-inline-start: calc(var(--_rail) / 2 - 1px);
        background: linear-gradient(var(--_from, var(--_edge)), var(--_to, var(--_edge)));
        opacity: 0.3;
      }
      :modal .pay {
        grid-area: 1 / 1;
      }
      :modal .get {
        grid-area: 2 / 1;
        align-self: end;
        box-shadow: none;
      }
      :modal .between {
        grid-area: 1 / 2 / 3;
        justify-content: start;
        padding-block: 0;
        > * {
          flex: none;
          margin-inline-start: 0;
        }
      }
      :modal :is(.pay, .between)::before {
        display: none;
      }
      /* More is below. */
      :modal .foot {
        box-shadow: 0 calc(var(--_u) * -2) calc(var(--_u) * 3) var(--_surface);
      }
    }
  }
  :modal .foot {
    padding-block-end: calc(var(--_u) * 3 + env(safe-area-inset-bottom, 0px));
  }
  /* The form as it was, inert. */
  .under {
    display: none;
    min-block-size: var(--_kept, var(--_height));
  }
  :modal ~ .under {
    display: block;
  }
`;
