import {css} from 'lit';
import {detailsBeside, networkBelow} from '../style/narrow.js';

/** The styles of the thread once a swap is agreed: sums, steps, checks and the two sides. */
export const orderStyles = css`
  /* The two sides are read-only here: the icon is beside its amount. */
  .side > .mark {
    grid-row: 1 / span 3;
    margin-block-start: calc(var(--_u) * 5 + (var(--_row) - var(--_rail)) / 2);
  }
  .side > .label {
    grid-area: 1 / 2;
    padding: 0;
    text-align: start;
  }
  .side > .value,
  .line > .amount {
    grid-column: 2;
  }
  .chain-name {
    grid-column: 3;
    text-align: end;
    color: var(--_quiet);
    font-size: var(--_t-s);
  }
  .pay::before {
    inset-block-start: calc(var(--_u) * 12);
  }
  /* An opened rescue file is below what it is beside as a link. */
  .foot-note:has(> swap-widget-rescue-file) {
    flex-wrap: wrap;
  }
  .foot-note > .link {
    flex: none;
    max-inline-size: 50%;
  }
  .foot-note a {
    display: inline-block;
    margin-block: calc(var(--_r) * -0.3125);
    color: var(--_ink);
  }
  :host([ended]) .between {
    padding-block: calc(var(--_u) * 4);
  }
  .unit {
    font-size: var(--_t-m);
    line-height: 1;
    letter-spacing: 0;
    color: var(--_quiet);
  }
  .line > .mark {
    grid-row: 1 / span 2;
    align-self: center;
    margin-block-start: 0;
  }
  .line .amount {
    min-block-size: calc(var(--_u) * 6);
    font-size: var(--_t-l);
    line-height: calc(var(--_u) * 6);
    letter-spacing: -0.015em;
  }
  .line .end {
    grid-column: 3;
    grid-row: 2;
    color: var(--_quiet);
    font-size: var(--_t-s);
    line-height: calc(var(--_u) * 6);
    text-align: end;
  }
  .line.pay::before {
    inset-block-start: calc(var(--_u) * 6);
  }
  .line.get::before {
    block-size: calc(var(--_u) * 2);
  }
  .tall > div {
    padding-block: calc(var(--_u) * 1.25);
  }
  .tall > div + div {
    border-block-start: 1px solid var(--_line);
  }
  /* Lines about one thing: deductions and their total, addresses, the price, transactions. */
  .tall > div + :is(.joined, .minus) {
    padding-block-start: 0;
    border-block-start: 0;
  }
  .tall > div:has(+ :is(.joined, .minus)) {
    padding-block-end: calc(var(--_u) * 0.75);
  }
  /* A card keeps its height through all stages: what is too much, most of it goes to the lines. */
  .between > .tall {
    flex: 1 0 auto;
    display: flex;
    flex-direction: column;
    justify-content: center;
  }
  .between > .tall > div {
    flex: 0.18 0 auto;
    align-content: center;
  }
  .lines .all {
    white-space: normal;
  }
  /* No line is taller for its button, except for a thumb. */
  .lines .copy {
    vertical-align: top;
    justify-content: end;
    padding-inline: calc(var(--_u) * 2) var(--_u);
    margin-block: calc(var(--_u) * -1);
    margin-inline-end: calc(var(--_u) * -1);
    color: var(--_quiet);
  }
  @media (pointer: coarse) {
    .lines .copy {
      margin-block: calc(var(--_u) * -3);
      margin-inline-start: calc(var(--_u) * -5);
    }
  }
  /* On a phone on its side, the lines are beside the amounts. */
  @media (pointer: coarse) and (max-height: 30rem) {
    @container (inline-size > 30rem) {
      :host([ended]) .thread {
        --_hero: calc(var(--_r) * 1.75);
        display: grid;
        grid-template: auto 1fr / minmax(0, 1fr) minmax(0, 1fr);
        column-gap: var(--_pad);
      }
      :host([ended]) .get {
        align-self: start;
      }
      :host([ended]) .between {
        ${detailsBeside}
      }
      :host([ended]) .between::before {
        display: none;
      }
      :host([ended]) .chain-name {
        grid-column: 2;
        justify-self: start;
      }
    }
  }
  .lines .sub {
    grid-column: 1 / -1;
    text-align: start;
    color: var(--_quiet);
  }
  .asks {
    list-style: decimal inside;
  }
  .value:has(.least) {
    display: contents;
  }
  .least {
    grid-column: 2 / -1;
    text-wrap: balance;
    color: var(--_ink);
  }
  .least + bdi {
    grid-column: 2;
    justify-self: start;
  }
  .lines .beside {
    display: block;
    color: var(--_quiet);
  }
  /* The remaining time never wraps. */
  .time-left,
  .foot-note > :last-child:has(swap-widget-countdown) {
    flex: none;
    white-space: nowrap;
  }
  .time-left {
    color: var(--_quiet);
  }
  .foot-note + .foot-note {
    margin-block-start: calc(var(--_u) * 2);
  }
  .lines .total {
    color: var(--_ink);
    font-weight: 600;
  }
  /* The minus signs of subtracted lines are on the thread. */
  .minus > dt {
    position: relative;
  }
  .minus > dt::before {
    content: '';
    position: absolute;
    inset-inline-start: calc(-1 * (var(--_rail) / 2 + var(--_gap) + var(--_r) / 2));
    inset-block-start: calc(var(--_u) * 2.5 - var(--_r) / 2);
    inline-size: var(--_r);
    block-size: var(--_r);
    border: 1px solid var(--_edge);
    border-radius: 50%;
    background: linear-gradient(var(--_ink) 0 0) center / 50% 1px no-repeat var(--_surface);
  }
  .side > .label {
    grid-column: 2 / -1;
  }
  .side > .label:has(~ .extra) {
    grid-column: 2;
  }
  .extra {
    grid-column: 3;
    font-size: var(--_t-s);
    block-size: calc(var(--_u) * 5);
    text-align: end;
    grid-row: 1;
  }
  .extra .chip {
    min-block-size: calc(var(--_u) * 6);
    margin-block: calc(var(--_u) * -0.5);
  }
  @media (pointer: coarse) {
    .extra .chip {
      margin-block: calc(var(--_u) * -3);
    }
  }
  .zeros {
    color: var(--_quiet);
    font-weight: 400;
  }
  .between :is(swap-widget-error-note, .notice, .next, .latest) {
    margin-inline-start: calc(var(--_rail) + var(--_gap));
  }
  /* The same space above and below a note, and between two buttons. */
  .between > * + :is(swap-widget-error-note, .notice, [role='status']:has(.notice)),
  .between > :is(swap-widget-error-note, .notice, [role='status']:has(.notice)) + *,
  .foot > :not(.clock, slot) + :is(swap-widget-error-note, .notice, .primary, .secondary) {
    margin-block-start: calc(var(--_u) * 3);
  }
  .ways {
    display: flex;
    flex-wrap: wrap;
    gap: 0 calc(var(--_u) * 4);
    margin-block-start: var(--_u);
  }
  .foot-note > .ways {
    justify-content: end;
  }
  .next,
  .latest {
    font-size: var(--_t-s);
    color: var(--_quiet);
  }
  .latest {
    padding-block: var(--_u);
  }
  /* The file with which to get the money back is part of the sentence about that, until it is opened. */
  .latest > swap-widget-rescue-file:not([opened]) {
    display: inline;
  }
  .latest > swap-widget-rescue-file {
    --_rescue: start;
  }
  .next strong {
    display: block;
    color: var(--_ink);
    font-weight: 600;
  }
  .promise {
    margin-block: calc(var(--_u) * 2);
    margin-inline-start: calc(var(--_rail) + var(--_gap));
    font-size: var(--_t-s);
    color: var(--_quiet);
  }
  .promise > p:first-of-type {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 calc(var(--_u) * 4);
  }
  .promise strong {
    color: var(--_ink);
    font-weight: 600;
  }
  /* The elapsed part of the usual time. It is never full: only the money's arrival ends it. */
  .elapsed {
    display: block;
    inline-size: 100%;
    block-size: calc(var(--_r) * 0.25);
    margin-block: var(--_u) calc(var(--_u) * 2);
    border-radius: calc(var(--_r) * 0.125);
    background: var(--_line);
    scale: var(--_mirror, 1) 1;
  }
  .elapsed rect {
    fill: var(--_ink);
  }
  .late rect {
    fill: var(--_warn);
  }
  .frame:has(.nothing) {
    min-block-size: 0;
  }
  .nothing {
    padding-block: calc(var(--_u) * 8);
  }
  .nothing h3 {
    font-size: var(--_t-l);
    line-height: calc(var(--_u) * 6);
    font-weight: 600;
    margin-block-end: var(--_u);
  }
  .lead,
  .lead strong {
    font-size: var(--_t-m);
  }

  /* Steps */
  .steps {
    display: flex;
    flex-direction: column;
    flex: 1;
    justify-content: space-evenly;
    overflow: clip;
    margin-block: calc(var(--_u) * -2);
    padding-block: calc(var(--_u) * 2);
  }
  .step {
    display: grid;
    grid-template-columns: var(--_rail) minmax(0, 1fr);
    column-gap: var(--_gap);
    position: relative;
    padding-block: calc(var(--_u) * 2);
  }
  /* An event and its time, which is below if the longest word leaves no room beside it. */
  .told {
    display: flex;
    flex-wrap: wrap;
    column-gap: var(--_gap);
  }
  .told > div {
    flex: 1 0 0;
    min-inline-size: min-content;
  }
  .node {
    position: relative;
    justify-self: center;
    display: grid;
    place-items: center;
    inline-size: calc(var(--_r) * 1.25);
    block-size: calc(var(--_r) * 1.25);
    border-radius: 50%;
    background: var(--_surface);
    border: 1.5px solid var(--_edge);
    z-index: 1;
  }
  .node .icon {
    inline-size: calc(var(--_r) * 0.75);
    block-size: calc(var(--_r) * 0.75);
    stroke-width: 2.5;
  }
  .step > div {
    grid-column: 2;
  }
  .step strong {
    font-weight: 600;
  }
  .step p,
  .step .when {
    color: var(--_quiet);
    font-size: var(--_t-s);
  }
  .step .when {
    white-space: nowrap;
  }
  .step[data-state='todo'] strong {
    font-weight: 400;
    color: var(--_quiet);
  }
  .step[data-state='done'] .node {
    background: var(--_ink);
    border-color: var(--_ink);
    color: var(--_surface);
  }
  .step[data-state='now'] .node {
    border: 2px solid var(--_accent-ink);
  }
  .step[data-state='now'] .node::after {
    content: '';
    inline-size: calc(var(--_r) * 0.5);
    block-size: calc(var(--_r) * 0.5);
    border-radius: 50%;
    background: var(--_accent-ink);
    animation: breathe var(--_breath);
  }
  /* One accent per screen: next to a primary button, the step has the text color. */
  .frame:has(.primary) .step[data-state='now'] .node {
    border-color: var(--_ink);
  }
  .frame:has(.primary) .step[data-state='now'] .node::after {
    background: var(--_ink);
  }
  .step[data-state='bad'] .node {
    background: var(--_bad);
    border-color: var(--_bad);
    color: var(--_surface);
  }
  @keyframes breathe {
    to {
      scale: 0.6;
      opacity: 0.6;
    }
  }
  /* The part of the thread that the money has traveled. */
  :is(.travelled.pay, .travelled :is(.between, .side))::before {
    border-inline-start: 2px solid var(--_ink);
    margin-inline-start: -0.5px;
  }
  .step:not([data-state='todo'])::before {
    content: '';
    position: absolute;
    inset-inline-start: calc(var(--_rail) / 2 - 1px);
    border-inline-start: 2px solid var(--_ink);
    inset-block: -100vh 0;
    animation: grow var(--_calm) var(--_ease) backwards;
    transform-origin: bottom;
  }
  .step:is([data-state='now'], [data-state='bad'])::before {
    inset-block-end: calc(100% - var(--_u) * 3);
  }
  @keyframes grow {
    from {
      clip-path: inset(0 0 calc(var(--_r) * 3) 0);
    }
  }
  /* Before a payment, no part of the thread is traveled. */
  .ahead .step::before {
    display: none;
  }
  .ticks {
    display: flex;
    gap: calc(var(--_r) * 0.25);
    margin-block-start: calc(var(--_u) * 2);
    max-inline-size: calc(var(--_r) * 10);
  }
  .ticks i {
    flex: 1;
    block-size: calc(var(--_r) * 0.25);
    border-radius: calc(var(--_r) * 0.125);
    background: var(--_line);
  }
  .ticks i.on {
    background: var(--_ink);
  }
  .mark.done::after {
    content: '';
    position: absolute;
    inset-block-end: calc(var(--_r) * -0.1875);
    inset-inline-end: calc(var(--_r) * -0.1875);
    inline-size: calc(var(--_r) * 1.25);
    block-size: calc(var(--_r) * 1.25);
    border-radius: 50%;
    border: 2px solid var(--_surface);
    background: var(--_good);
  }
  .mark.done .tick {
    position: absolute;
    inset-block-end: calc(var(--_r) * 0.0625);
    inset-inline-end: calc(var(--_r) * 0.0625);
    inline-size: calc(var(--_r) * 0.75);
    block-size: calc(var(--_r) * 0.75);
    stroke-width: 2.75;
    color: var(--_surface);
    z-index: 1;
  }

  /* If the money arrives in view, once: the thread reaches its icon, which becomes a tick. It settles, and a ring expands. */
  :host([arrived]) .travelled .between::before {
    animation: reach calc(var(--_calm) * 1.5) ease-in-out backwards;
  }
  :host([arrived]) .travelled .get::before {
    --_left: 100%;
    animation: reach var(--_calm) var(--_ease) calc(var(--_calm) * 1.25) backwards;
  }
  :host([arrived]) .mark.done::before {
    content: '';
    position: absolute;
    inset: 0;
    border-radius: 50%;
    border: 2px solid var(--_good);
    opacity: 0;
    animation: arrive calc(var(--_calm) * 4) var(--_ease) calc(var(--_calm) * 3);
  }
  :host([arrived]) .mark.done::after,
  :host([arrived]) .mark.done .tick {
    --_in: calc(var(--_r) * 0.4375 - var(--_rail) / 2);
    animation: settle calc(var(--_calm) * 5) calc(var(--_calm) * 2) backwards;
  }
  @keyframes arrive {
    from {
      opacity: 1;
    }
    to {
      opacity: 0;
      scale: 2.2;
    }
  }
  /* The tick covers its network, then and afterwards. */
  :host([arrived]) .mark.done .chain {
    opacity: 0;
    animation: leave var(--_calm) calc(var(--_calm) * 2) backwards;
  }
  @keyframes leave {
    from {
      opacity: 1;
    }
  }
  @keyframes reach {
    from {
      clip-path: inset(0 0 var(--_left, 40%) 0);
    }
  }
  @keyframes settle {
    from {
      translate: calc(var(--_mirror, 1) * var(--_in)) var(--_in);
      scale: 0;
      animation-timing-function: var(--_ease);
    }
    30%,
    60% {
      translate: calc(var(--_mirror, 1) * var(--_in)) var(--_in);
      scale: 2.2;
      animation-timing-function: cubic-bezier(0.6, 0, 0.1, 1);
    }
  }

  /* A swap that was not paid: the thread is cut off in the middle of the space, and dashed from there on. */
  .stopped .between::before {
    display: none;
  }
  .stopped .between {
    overflow: visible clip;
  }
  .stopped .steps {
    flex: none;
    overflow: visible;
  }
  .stopped .step::after,
  .stopped:has(.step) .get::before {
    border-inline-start: 1px dashed var(--_edge);
  }
  .stopped:not(:has(.step)) .get::before {
    display: none;
  }
  .stopped .step::after {
    content: '';
    position: absolute;
    inset-inline-start: calc(var(--_rail) / 2 - 0.5px);
    inset-block: calc(var(--_u) * 2 + var(--_r) * 1.25) -100vh;
  }
  .cut.cut::before {
    inset-inline-start: calc(var(--_rail) / 2 - 0.5px);
    inset-block-end: calc(100% - var(--_u) * 2);
    border-inline-start: 1px solid var(--_line);
    animation: none;
  }
  .cut > .node {
    color: var(--_quiet);
  }
  .cut.cut > .next {
    margin: 0;
  }
  .stopped .get .mark {
    opacity: 0.5;
  }
  .stopped .get .amount {
    color: var(--_quiet);
    font-weight: 400;
  }
  .compare {
    grid-column: 2 / -1;
    margin-block-start: calc(var(--_u) * 3);
    border-block: 1px solid var(--_line);
  }
  /* Compared values are never clipped: they go below their names if there is no room beside them. */
  .compare > div {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    column-gap: calc(var(--_u) * 4);
    padding-block: calc(var(--_u) * 2);
  }
  .compare > div + div {
    border-block-start: 1px solid var(--_line);
  }
  .compare dt {
    color: var(--_quiet);
  }
  .compare dd {
    margin-inline-start: auto;
    text-align: end;
    overflow-wrap: anywhere;
  }
  .compare bdi {
    white-space: normal;
  }

  /* A payment that is not fully verified: what can be lost, and why. */
  .question {
    display: grid;
    align-content: start;
    gap: calc(var(--_u) * 3);
  }
  .at-risk {
    padding-inline-start: calc(var(--_u) * 3);
    border-inline-start: 3px solid var(--_bad);
  }
  .at-risk h3 {
    font-size: calc(var(--_r) * 1.0625);
    line-height: calc(var(--_u) * 6);
    font-weight: 600;
    text-wrap: balance;
  }
  .at-risk p {
    font-size: var(--_t-s);
    color: var(--_quiet);
  }
  .at-risk .stake {
    margin-block-start: calc(var(--_u) * 2);
    font-size: var(--_t-l);
    line-height: calc(var(--_u) * 6);
    font-weight: 600;
    color: var(--_ink);
  }
  .findings {
    font-size: var(--_t-s);
    list-style: none;
  }
  .findings li {
    padding-block: calc(var(--_u) * 2);
    border-block-start: 1px solid var(--_line);
  }
  .findings .groups {
    margin-block-start: var(--_u);
  }
  .step .findings {
    margin-block: calc(var(--_u) * 2);
    border-block-end: 1px solid var(--_line);
  }
  .question > .findings {
    border-block-end: 1px solid var(--_line);
  }
  .question :is(.checks, .notice, swap-widget-error-note) {
    margin-inline-start: 0;
  }

  /* Checks */
  .checks {
    margin-inline-start: calc(var(--_rail) + var(--_gap));
    font-size: var(--_t-s);
  }
  .checks summary {
    display: flex;
    align-items: center;
    gap: calc(var(--_u) * 2);
    min-block-size: calc(var(--_u) * 8);
    cursor: pointer;
    list-style: none;
    font-weight: 500;
  }
  .checks summary::-webkit-details-marker {
    display: none;
  }
  .checks .chev {
    margin-inline-start: auto;
    color: var(--_quiet);
    transition: rotate var(--_quick) var(--_ease);
  }
  .checks[open] .chev {
    rotate: 180deg;
  }
  .checks li {
    display: grid;
    grid-template-columns: var(--_r) minmax(0, 1fr) auto;
    gap: 0 calc(var(--_u) * 2);
    padding-block: var(--_u);
  }
  .unverified {
    color: var(--_warn);
  }
  .checks li .icon {
    margin-block-start: calc(var(--_r) * 0.125);
  }
  .checks li > :last-child {
    color: var(--_quiet);
    text-align: end;
  }
  @container (inline-size < 21.3333em) {
    .side:not(.line) > :is(.label:not(:has(~ .extra)), .value, .chain-name) {
      grid-column: 2 / -1;
      text-align: start;
    }
  }
  /* A broken number can be read as another one: it shrinks, and its unit goes below. */
  .side > .amount > :first-child {
    white-space: nowrap;
    overflow-wrap: normal;
  }
  @container (inline-size < 19.2em) {
    .side > .amount[data-long='2'] {
      font-size: min(var(--_r) * 1.25, 7.6cqi);
    }
    .side > .amount[data-long='3'] {
      font-size: 5cqi;
    }
  }
  /* A title of one long word leaves no room for the network beside it. */
  @container (inline-size < 18em) {
    ${networkBelow}
  }
  @media (forced-colors: active) {
    .travelled.pay::before,
    .step[data-state='done']::before {
      border-color: CanvasText;
    }
    .ticks i,
    .elapsed {
      border: 1px solid CanvasText;
      background: Canvas;
    }
    .elapsed rect {
      fill: CanvasText;
    }
    .minus > dt::before {
      background: linear-gradient(CanvasText 0 0) center / 50% 1px no-repeat Canvas;
      forced-color-adjust: none;
    }
    .mark.done .tick {
      color: Canvas !important;
    }
    .mark.done::after,
    .ticks i.on,
    .step[data-state='done'] .node,
    .frame:is(*, :has(.primary)) .step[data-state='now'] .node::after {
      background: CanvasText;
      forced-color-adjust: none;
    }
    .step[data-state='done'] .node .icon {
      color: Canvas !important;
    }
  }
`;
