/** The first swap in three steps, in the bar over the widget. What is done is read from the widget's public events. */
import {html, nothing, render, type TemplateResult} from 'lit';
import type {ChainFamily} from '../src/domain/asset.js';
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
  /** The families with a connected wallet, and the one that is paid on, once that is known. */
  const connected = new Set<ChainFamily>();
  let paying: ChainFamily | undefined;
  let hasArrived = false;

  /** Bitcoin is paid to an address, from any wallet. */
  const isByAddress = () => paying === 'bitcoin';
  function countDone(): number {
    const {stage} = widget;
    if (hasArrived || stage === 'complete') return 3;
    if (isPlaced(stage)) return 2;
    const isConnected = paying !== undefined && connected.has(paying) && !isByAddress();
    return AGREEING.includes(stage) || isConnected ? 1 : 0;
  }
  const draw = () => {
    render(renderSteps(countDone(), isByAddress(), widget.stage === 'refunded', documents), find('steps'));
  };

  widget.addEventListener('swap-change', ({from}: SwapChangeEvent) => {
    paying = familyOf(from);
    draw();
  });
  widget.addEventListener('swap-wallet', ({outcome, family, side}: SwapWalletEvent) => {
    if (outcome === 'connected' || outcome === 'restored') connected.add(family);
    if (side === 'pay') paying ??= family;
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

/** The family of an asset of the sandbox. */
function familyOf(asset: string): ChainFamily | undefined {
  if (asset === '') return undefined;
  return (['bitcoin', 'solana', 'starknet'] as const).find(family => asset.startsWith(family)) ?? 'evm';
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
