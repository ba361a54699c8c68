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
  /* It belongs to the line above it. */
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
    flex: 0 0 100%;
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
    .ticks i.on,
    .step[data-state='done'] .node,
    .frame:is(*, :has(.primary)) .step[data-state='now'] .node::after {
      background: CanvasText;
      forced-color-adjust: none;
    }
  }
`;
