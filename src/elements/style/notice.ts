import {css} from 'lit';

/** How a note in the thread looks. */
export const notice = css`
  .notice {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0 calc(var(--_u) * 2.5);
    padding: calc(var(--_u) * 3) calc(var(--_u) * 3.5);
    border-radius: var(--_radius-control);
    background: var(--_sunk);
    font-size: var(--_t-s);
  }
  .notice > .icon {
    color: var(--_quiet);
  }
  .notice strong {
    font-weight: 600;
  }
  .notice p {
    grid-column: 2;
    overflow-wrap: anywhere;
  }
  .warn > .icon {
    color: var(--_warn);
  }
`;
