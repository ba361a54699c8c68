/** The first swap in three steps, in the bar over the widget. What is done is read from the widget's public events. */
import {html, nothing, render, type TemplateResult} from 'lit';
import {isStepOn} from '../src/domain/stage.js';
import type {Stage, SwapChangeEvent, SwapWalletEvent, SwapWidget} from '../src/index.js';
import {find} from './parts.js';

/** Whether a swap was placed, and did not end without a payment. */
const isPlaced = (stage: Stage) => stage === 'awaiting-deposit' || isStepOn('awaiting-deposit', stage);
/** The stages before an order. A form that can be reviewed has all addresses, connected or typed. */
const AGREEING: readonly Stage[] = ['reviewing', 'ordering'];
const EVENTS = ['swap-view', 'swap-order', 'swap-deposit', 'swap-status', 'swap-refund'] as const;

export interface Steps {
  /** Begins with the first step that is still to be done. */
  restart(): void;
}

/**
 * Shows the steps of a widget, and which of them are done.
 * @param documents - Where the documents are.
 */
export function showSteps(widget: SwapWidget, documents: string): Steps {
  let isConnected = false;
  let hasArrived = false;
  /** Bitcoin is paid to an address, from any wallet. */
  let isByAddress = false;

  function countDone(): number {
    const {stage} = widget;
    if (hasArrived) return 3;
    if (isPlaced(stage)) return 2;
    return AGREEING.includes(stage) || (isConnected && !isByAddress) ? 1 : 0;
  }
  const draw = () => {
    render(renderSteps(countDone(), isByAddress, widget.stage === 'refunded', documents), find('steps'));
  };

  widget.addEventListener('swap-change', ({from}: SwapChangeEvent) => {
    isByAddress = from.startsWith('bitcoin');
    draw();
  });
  widget.addEventListener('swap-wallet', ({outcome, side}: SwapWalletEvent) => {
    if (side === 'pay') isConnected ||= outcome === 'connected' || outcome === 'restored';
    draw();
  });
  widget.addEventListener('swap-complete', () => {
    hasArrived = true;
    draw();
  });
  for (const type of EVENTS) widget.addEventListener(type, draw);
  draw();
  return {
    restart() {
      hasArrived = false;
      draw();
    },
  };
}

function renderSteps(done: number, isByAddress: boolean, isRefunded: boolean, documents: string): TemplateResult {
  const labels = [
    isByAddress ? 'Enter both addresses' : html`<b>Connect</b>, choose <b>Harbor</b>`,
    html`<b>Review swap</b>, <b>Place swap</b>`,
    isByAddress ? 'Send it, and it arrives' : html`<b>Approve</b>, and it arrives`,
  ];
  return html`<h2 id="steps-title">Try it with play money</h2>
    <ol role="list" aria-labelledby="steps-title">
      ${labels.map(
        (label, at) =>
          html`<li class=${at < done ? 'done' : ''} aria-current=${at === done ? 'step' : nothing}>
            <span>${label}${at < done ? html`<span class="hidden">: done</span>` : nothing}</span>
          </li>`,
      )}
    </ol>
    ${
      done === labels.length || isRefunded
        ? html`<p>
            ${isRefunded ? 'Your money came back. Next,' : html`Next, <a href=${`${documents}playground#take-a-refund`}>take a refund</a> or`}
            <a href=${`${documents}playground#pay-with-bitcoin`}>pay with bitcoin</a>
          </p>`
        : nothing
    }`;
}
