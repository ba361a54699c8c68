import {css} from 'lit';
import {NARROW} from '../style/layout.js';

export const orderStyles = css`
  /* What is told beside the point. */
  .label,
  .end,
  .next,
  .latest,
  .step p,
  .step .when,
  .at-risk p {
    font-size: var(--_t-s);
    color: var(--_quiet);
  }
  /* The icon is beside its amount. */
  .label {
    grid-column: 2 / -1;
  }
  .side:has(> .label) > .mark {
    grid-row: 1 / span 2;
  }
  .end {
    grid-column: 3;
    text-align: end;
  }
  /* An opened rescue file is below what it is beside as a link. */
  .foot-note:has(> swap-widget-rescue-file) {
    flex-wrap: wrap;
  }
  .foot-note > .link {
    flex: none;
    max-inline-size: 50%;
  }
  /* Nobody presses it who means what is beside it. */
  .foot-note.foot-note:has(> .cancel) {
    gap: calc(var(--_r) * 1.25) calc(var(--_r) * 2.75);
  }
  .unit {
    font-size: var(--_t-m);
    font-weight: 500;
    line-height: 1;
    letter-spacing: 0;
    color: var(--_quiet);
  }
  .line .amount {
    flex-wrap: wrap;
    min-block-size: calc(var(--_u) * 10);
    font-size: var(--_t-l);
    letter-spacing: -0.015em;
    align-items: center;
    line-height: calc(var(--_u) * 6);
  }
  .line .end {
    align-self: center;
  }
  .tall > div {
    padding-block: calc(var(--_u) * 1.25);
  }
  .tall > div + div {
    border-block-start: 1px solid var(--_line);
  }
  /* Lines about one thing: deductions and their total, addresses, the price, transactions. */
  .tall > div + .joined {
    padding-block-start: 0;
    border-block-start: 0;
  }
  .tall > div:has(+ .joined) {
    padding-block-end: calc(var(--_u) * 0.75);
  }
  .lines .all {
    white-space: normal;
    overflow-wrap: anywhere;
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
    /* On the line of what it is beside. */
    .end > .link {
      margin-block: calc(var(--_u) * -3);
    }
  }
  .lines .sub {
    text-align: start;
    color: var(--_quiet);
  }
  .asks {
    list-style: decimal inside;
  }
  .lines .beside {
    display: block;
    color: var(--_quiet);
  }
  /* The remaining time never wraps. */
  .time-left,
  .foot-note > :last-child:has(swap-widget-clock, swap-widget-countdown) {
    flex: none;
    white-space: nowrap;
  }
  .time-left {
    color: var(--_quiet);
  }
  .foot-note + .foot-note {
    margin-block-start: calc(var(--_u) * 2);
  }
  .extra {
    grid-column: 3;
    place-self: center end;
    font-size: var(--_t-s);
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
  .latest {
    padding-block: var(--_u);
  }
  .next strong {
    display: block;
  }
  /* An end is as high as what it says, but not lower than what it came from. */
  :host([ended]) .frame {
    min-block-size: max(var(--swap-height, 0px), var(--_kept, 0px));
  }
  /* What arrived: the way it took, and the number. */
  .arrival.arrival .get {
    padding-block: calc(var(--_u) * 2) calc(var(--_u) * 3);
    padding-inline: 0;
    margin-inline: 0;
    background: none;
  }
  .arrival .amount {
    min-block-size: calc(var(--_u) * 12);
    font-size: clamp(var(--_r) * 2, 12cqi, var(--_r) * 3);
  }
  .arrival .amount:is([data-long='2'], [data-long='3']) {
    font-size: clamp(var(--_r) * 1.25, 8cqi, var(--_r) * 2);
  }
  .arrival .value {
    overflow-wrap: anywhere;
  }
  .trail {
    display: flex;
    align-items: center;
    margin-block: var(--_u);
  }
  .trail > .mark {
    flex: none;
  }
  .trail > .mark:first-child {
    --_rail: calc(var(--_u) * 8);
  }
  .trail > .mark:last-child {
    --_rail: calc(var(--_u) * 12);
  }
  .trail > span:not(.mark) {
    flex: 1;
    block-size: 3px;
    opacity: 0.3;
    background: linear-gradient(90deg, var(--_from, var(--_edge)), var(--_to, var(--_edge)));
    scale: var(--_mirror, 1) 1;
  }
  .travelled .trail > span {
    opacity: 1;
  }
  .arrival ~ :is(.notice, .latest, swap-widget-error-note) {
    margin-block-end: calc(var(--_u) * 3);
  }
  .arrival ~ .lines {
    margin-inline-start: 0;
  }
  .arrival ~ .tall > div:first-of-type {
    border-block-start: 1px solid var(--_line);
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

  /* Steps: what is done and what is to come in a line each, what happens now in a sentence. */
  .steps {
    flex: 1;
    overflow: clip;
    margin-block: calc(var(--_u) * -2);
    padding-block: calc(var(--_u) * 2);
  }
  .step {
    display: grid;
    grid-template-columns: var(--_rail) minmax(0, 1fr);
    column-gap: var(--_gap);
    align-items: center;
    position: relative;
    padding-block: calc(var(--_u) * 1.5);
    font-size: var(--_t-s);
  }
  .step:is([data-state='now'], [data-state='bad'], .cut) {
    align-items: start;
  }
  .step[data-state='now'] {
    padding-block: calc(var(--_u) * 3);
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
    inline-size: calc(var(--_r) * 0.6875);
    block-size: calc(var(--_r) * 0.6875);
    border-radius: 50%;
    background: var(--_surface);
    border: 2px solid var(--_edge);
    z-index: 1;
  }
  .step:is([data-state='now'], [data-state='bad'], .cut) > .node {
    inline-size: calc(var(--_r) * 1.5);
    block-size: calc(var(--_r) * 1.5);
  }
  .node .icon {
    inline-size: calc(var(--_r) * 0.75);
    block-size: calc(var(--_r) * 0.75);
    stroke-width: 2.5;
  }
  /* How much of the usual time has passed. */
  .share {
    position: absolute;
    inset: -2px;
    rotate: -90deg;
    fill: none;
    stroke: var(--_now, var(--_accent-ink));
    stroke-width: 3;
  }
  .step strong {
    font-weight: 400;
    color: var(--_quiet);
  }
  .step:is([data-state='bad'], .cut) strong {
    font-size: var(--_t-m);
    font-weight: 600;
    color: var(--_ink);
  }
  .step[data-state='now'] strong {
    display: block;
    font-size: calc(var(--_t-l) * 0.95);
    line-height: calc(var(--_u) * 6);
    font-weight: 600;
    letter-spacing: -0.015em;
    color: var(--_ink);
    text-wrap: balance;
  }
  .step .when {
    white-space: nowrap;
  }
  .step .time {
    display: block;
  }
  .step .time strong {
    display: inline;
    font: inherit;
    font-weight: 500;
    letter-spacing: 0;
  }
  .step[data-state='done'] .node {
    background: var(--_from, var(--_ink));
    border-color: var(--_from, var(--_ink));
  }
  .step[data-state='now'] .node {
    border: 3px solid var(--_line);
  }
  .step[data-state='now'] .node::after {
    content: '';
    inline-size: calc(var(--_r) * 0.5);
    block-size: calc(var(--_r) * 0.5);
    border-radius: 50%;
    background: var(--_now, var(--_accent-ink));
    animation: breathe var(--_breath);
  }
  /* One accent per screen: next to a primary button, the step has the text color. */
  .frame:has(.primary) .step[data-state='now'] {
    --_now: var(--_ink);
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
    inline-size: 3px;
    margin-inline-start: -0.5px;
    opacity: 1;
  }
  .step:not([data-state='todo'])::before {
    content: '';
    position: absolute;
    inset-inline-start: calc(var(--_rail) / 2 - 1.5px);
    inline-size: 3px;
    background: var(--_from, var(--_ink));
    inset-block: -100vh 0;
    animation: grow var(--_calm) var(--_ease) backwards;
    transform-origin: bottom;
  }
  .step:is([data-state='now'], [data-state='bad'])::before {
    inset-block-end: calc(100% - var(--_u) * 4);
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
    margin-block: calc(var(--_u) * 2);
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

  /* If the money arrives in view, once: the thread reaches its icon, which becomes a tick that settles. */
  :host([arrived]) .travelled .trail > span {
    animation: reach calc(var(--_calm) * 2) ease-in-out backwards;
  }
  :host([arrived]) .mark.done::after,
  :host([arrived]) .mark.done .tick {
    --_in: calc(var(--_r) * 0.4375 - var(--_rail) / 2);
    animation: settle calc(var(--_calm) * 5) calc(var(--_calm) * 2) backwards;
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
      clip-path: inset(0 60% 0 0);
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
    inline-size: 0;
    border-inline-start: 1px dashed var(--_edge);
    background: none;
    opacity: 1;
  }
  .stopped:not(:has(.step)) .side::before {
    display: none;
  }
  .stopped .step::after {
    content: '';
    position: absolute;
    inset-inline-start: calc(var(--_rail) / 2 - 0.5px);
    inset-block: calc(var(--_u) * 2 + var(--_r) * 1.25) -100vh;
  }
  /* Nothing has moved. */
  .stopped .step::before {
    inset-inline-start: calc(var(--_rail) / 2 - 1px);
    inline-size: 2px;
    background: var(--_edge);
    opacity: 0.3;
    animation: none;
  }
  .cut.cut::before {
    inset-block-end: calc(100% - var(--_u) * 2);
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
  .at-risk .stake {
    margin-block-start: calc(var(--_u) * 2);
    font-size: var(--_t-l);
    line-height: calc(var(--_u) * 6);
    font-weight: 600;
    color: var(--_ink);
  }
  .findings {
    font-size: var(--_t-s);
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

  /* Checks */
  .checks {
    font-size: var(--_t-s);
  }
  :not(.more) > .checks {
    margin-inline-start: calc(var(--_rail) + var(--_gap));
  }
  .checks summary {
    display: flex;
    align-items: center;
    gap: calc(var(--_u) * 2);
    min-block-size: calc(var(--_u) * 8);
    font-weight: 500;
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
  /* A broken number can be read as another one: it shrinks, and its unit goes below. */
  .side > .amount > :first-child {
    white-space: nowrap;
    overflow-wrap: normal;
  }
  @container ${NARROW} {
    .side > :is(.value, .end) {
      grid-column: 2 / -1;
      text-align: start;
    }
    .side > .amount[data-long='2'] {
      font-size: min(var(--_r) * 1.25, 7.6cqi);
    }
    .side > .amount[data-long='3'] {
      font-size: 5cqi;
    }
  }
  @media (forced-colors: active) {
    .travelled.pay::before,
    .step[data-state='done']::before {
      border-color: CanvasText;
    }
    .ticks i {
      border: 1px solid CanvasText;
      background: Canvas;
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
  }
`;
