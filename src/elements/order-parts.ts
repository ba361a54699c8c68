import {html, type TemplateResult} from 'lit';
import {formatAmount} from '../domain/amount.js';
import type {Asset, Chain} from '../domain/asset.js';
import {type Deed, transactionUrl} from '../domain/order.js';
import {cut, longness} from './format.js';
import {assetMark, icon, sign} from './icons.js';
import {LATE} from './late-view.js';

/** One end of the thread. */
interface SideContent {
  readonly asset: Asset | undefined;
  readonly label: unknown;
  /** Absent while nobody knows. */
  readonly amount?: bigint | undefined;
  /** What stands under a large amount: what it is worth, whose it is. */
  readonly detail?: unknown;
  /** What stands at the end of a line: what it is worth. */
  readonly end?: unknown;
  /** Small, in a line: this stage is not about this amount. */
  readonly line?: boolean;
  /** The money has left here. */
  readonly went?: boolean;
  /** The money has come here. */
  readonly done?: boolean;
}

/** What is paid, at the top of the thread. */
export function paySide(content: SideContent): TemplateResult {
  return side('pay', content);
}

/** What arrives, or comes back, at the bottom of the thread. */
export function getSide(content: SideContent): TemplateResult {
  return side('get', content);
}

function side(end: 'pay' | 'get', {asset, label, amount, ...rest}: SideContent): TemplateResult {
  const {line = false, went = false, done = false} = rest;
  const text = amount === undefined ? '' : formatAmount(amount, asset?.decimals ?? 0);
  return html`<div
    class="side ${end} ${line ? 'line' : ''} ${went ? 'went' : ''}"
    part=${end === 'pay' ? 'pay' : 'receive'}
  >
    ${assetMark(asset, {done})}
    <span class="label">${label}</span>
    <span class="amount" part="amount" data-long=${longness(text)}
      >${text ? html`<bdi>${text}</bdi>` : html`<span class="bone"></span>`}<span class="unit"
        ><bdi>${asset?.symbol}</bdi></span
      ></span
    >
    ${
      line
        ? html`<span class="end">${rest.end ?? ''}</span>`
        : html`<span class="value">${rest.detail ?? ''}</span
            ><span class="chain-name"><bdi>${asset?.chain.title}</bdi></span>`
    }
  </div>`;
}

/** Where a step of a swap stands. */
export type StepState = 'done' | 'now' | 'todo' | 'bad';

/** A step on the thread. */
export function step(state: StepState, title: unknown, detail: unknown = '', when = ''): TemplateResult {
  return html`<li class="step" data-state=${state} aria-current=${state === 'now' ? 'step' : 'false'}>
    <span class="node" aria-hidden="true"
      >${state === 'done' ? icon('check') : state === 'bad' ? sign(LATE.close) : ''}</span
    >
    <div><strong>${title}</strong>${detail ? html`<p>${detail}</p>` : ''}</div>
    ${when ? html`<span class="when"><bdi>${when}</bdi></span>` : ''}
  </li>`;
}

/** The transactions of a deed, as links where the chain has an explorer. */
export function hashes(chain: Chain | undefined, deed: Pick<Deed, 'hashes'>): unknown {
  return deed.hashes.map((hash, index) => {
    const url = chain && transactionUrl(chain, hash);
    const text = html`<bdi class="mono" title=${hash}>${cut(hash, 6, 4)}</bdi>`;
    return html`${index ? ' ' : ''}${
      url ? html`<a href=${url} target="_blank" rel="noreferrer noopener">${text}</a>` : text
    }`;
  });
}

/** A line of a list of facts. */
export function line(name: unknown, value: unknown): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
