/**
 * The first swap in three steps, in the bar over the widget, and the guides that come next. What is done is read from
 * the widget's public events.
 */
import {html, nothing, render, type TemplateResult} from 'lit';
import type {ChainFamily} from '../src/domain/asset.js';
import {isStepOn} from '../src/domain/stage.js';
import type {Stage, SwapWidget} from '../src/index.js';
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
            ${isRefunded ? 'Your money came back. Next,' : html`Next, ${renderLink('take a refund', documents)} or`}
            ${renderLink('pay with bitcoin', documents)}
          </p>`
        : nothing
    }`;
}

/** A link to a part of the page of the playground, whose steps it shows here. */
function renderLink(title: string, documents: string): TemplateResult {
  const address = `${documents}playground#${title.replaceAll(' ', '-')}`;
  return html`<a href=${address} @click=${followGuide}>${title}</a>`;
}

// -- guides

/** The numbered steps of a part of a document. */
interface Guide {
  readonly title: string;
  readonly steps: readonly DocumentFragment[];
}

/** The last link that was followed: another may be while its document loads. */
let followed: string | undefined;

/** Shows the steps that a link leads to, without leaving the page; a new tab is the browser's own. */
async function followGuide(event: MouseEvent): Promise<void> {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const {href} = event.currentTarget as HTMLAnchorElement;
  followed = href;
  const guide = await readGuide(href).catch(() => undefined);
  if (followed !== href) return;
  if (guide) openGuide(guide, href);
  else location.assign(href);
}

async function readGuide(address: string): Promise<Guide | undefined> {
  const answer = await fetch(address);
  if (!answer.ok) return undefined;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const heading = page.getElementById(new URL(address).hash.slice(1));
  let list = heading?.nextElementSibling;
  while (list && !list.matches('ol, h1, h2, h3')) list = list.nextElementSibling;
  if (!heading || !list?.matches('ol')) return undefined;
  return {title: heading.textContent.trim(), steps: [...list.children].map(plainCopy)};
}

/** What an element of a document says: its text, of which some is bold or code. */
function plainCopy({childNodes}: Element): DocumentFragment {
  const copy = document.createDocumentFragment();
  for (const node of childNodes) {
    if (node instanceof Text) copy.append(node.data);
    if (!(node instanceof Element)) continue;
    const inside = plainCopy(node);
    if (!node.matches('b, strong, code')) {
      copy.append(inside);
      continue;
    }
    const element = document.createElement(node.localName);
    element.append(inside);
    copy.append(element);
  }
  return copy;
}

function openGuide({title, steps}: Guide, address: string): void {
  const place = find('guide');
  const close = () => {
    closeGuide();
    // The link is gone if there is something else to do next.
    const links = [...document.querySelectorAll<HTMLAnchorElement>('#steps a')];
    const next = links.find(({href}) => href === address) ?? links[0] ?? find('tabs').querySelector('[tabindex="0"]');
    (next as HTMLElement | null)?.focus();
  };
  render(
    html`<div class="title">
        <h3 id="guide-title" tabindex="-1">${title}</h3>
        <button class="link" type="button" @click=${close}>Close</button>
      </div>
      <ol>
        ${steps.map(step => html`<li>${step}</li>`)}
      </ol>
      <p class="quiet"><a href=${address} target="_blank">The full document</a>, in a new tab</p>`,
    place,
  );
  place.hidden = false;
  find('guide-title').focus();
  place.scrollIntoView({block: 'nearest'});
}

function closeGuide(): void {
  followed = undefined;
  find('guide').hidden = true;
}
