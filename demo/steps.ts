/**
 * The first swap in three steps, in the bar over the widget, and the guides that come next. What is done is read from
 * the widget's public events.
 */
import {html, nothing, render, type TemplateResult} from 'lit';
import {guides} from 'virtual:playground';
import type {ChainFamily} from '../src/domain/asset.js';
import {isStepOn} from '../src/domain/stage.js';
import type {Stage, SwapWidget} from '../src/index.js';
import type {Guide, GuidePiece} from './manifest.js';
import {find} from './parts.js';

/** Whether a swap was placed, and did not end without a payment. */
const isPlaced = (stage: Stage) => stage === 'awaiting-deposit' || isStepOn('awaiting-deposit', stage);
/** The stages before an order. A form that can be reviewed has all addresses, connected or typed. */
const AGREEING: readonly Stage[] = ['reviewing', 'ordering'];
const EVENTS = ['swap-order', 'swap-deposit', 'swap-status', 'swap-refund'] as const;

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

  widget.addEventListener('swap-track', ({from, outcome, family, side}) => {
    if (from !== undefined) paying = familyOf(from);
    if (family && (outcome === 'connected' || outcome === 'restored')) connected.add(family);
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
      closeGuide();
      draw();
    },
  };
}

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
            ${isRefunded ? 'Your money came back. Next,' : html`Next, ${renderLink('take a refund', documents)} or`}
            ${renderLink('pay with bitcoin', documents)}
          </p>`
        : nothing
    }`;
}

/** A link to a part of the page of the playground, whose steps it shows here; a new tab is the browser's own. */
function renderLink(title: string, documents: string): TemplateResult {
  const address = `${documents}playground.html#${title.replaceAll(' ', '-')}`;
  const guide = guides.find(guide => guide.title.toLowerCase() === title);
  const follow = (event: MouseEvent) => {
    if (!guide || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openGuide(guide, address);
  };
  return html`<a href=${address} @click=${follow}>${title}</a>`;
}

function openGuide({title, steps}: Guide, address: string): void {
  const place = find('guide');
  const close = () => {
    closeGuide();
    // The link is gone if there is something else to do next.
    const links = [...document.querySelectorAll<HTMLAnchorElement>('#steps a')];
    const next =
      links.find(link => link.getAttribute('href') === address) ??
      links[0] ??
      find('tabs').querySelector('[tabindex="0"]');
    (next as HTMLElement | null)?.focus();
  };
  render(
    html`<div class="title">
        <h3 id="guide-title" tabindex="-1">${title}</h3>
        <button class="link" type="button" @click=${close}>Close</button>
      </div>
      <ol>
        ${steps.map(pieces => html`<li>${pieces.map(renderPiece)}</li>`)}
      </ol>
      <p class="quiet"><a href=${address} target="_blank">The full document</a>, in a new tab</p>`,
    place,
  );
  place.hidden = false;
  find('guide-title').focus();
  place.scrollIntoView({block: 'nearest'});
}

function renderPiece({kind, text}: GuidePiece): unknown {
  if (kind === 'text') return text;
  return kind === 'strong' ? html`<b>${text}</b>` : html`<code>${text}</code>`;
}

function closeGuide(): void {
  find('guide').hidden = true;
}
