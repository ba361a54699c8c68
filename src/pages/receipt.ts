/* The page that verifies a receipt on its chains. It only queries the nodes that are typed in. */
import {html, render, type TemplateResult} from 'lit';
import {formatAmount} from '../domain/amount.js';
import type {AssetId} from '../domain/asset.js';
import {SwapError} from '../domain/error.js';
import {ALL_KNOWN} from '../domain/known/all.js';
import {SIDES, readReceipt, type Receipt, type Side} from '../domain/receipt-file.js';
import {
  verifyReceipt,
  type ChainOptions,
  type ReceiptLine,
  type ReceiptReason,
  type VerifiedReceipt,
} from '../server.js';

/** What the visitor entered in this page, and the result. */
interface State {
  readonly text: string;
  readonly receipt?: Receipt | undefined;
  /** Nodes by chain name, as typed: several are separated by spaces. */
  readonly nodes: Readonly<Record<string, string>>;
  readonly more: string;
  readonly isBusy: boolean;
  readonly result?: VerifiedReceipt | undefined;
  /** The nodes that the result is from. */
  readonly asked: readonly string[];
  readonly failure?: string | undefined;
}

let state: State = {text: '', nodes: {}, more: '', isBusy: false, asked: []};

function change(changes: Partial<State>): void {
  state = {...state, ...changes};
  render(page(state), main);
}

/* -- texts ----------------------------------------------------------------------------------------------------------------- */

const MARKS: Readonly<Record<ReceiptLine['certainty'], string>> = {
  proved: '✓ Proved',
  told: 'Told',
  denied: '✕ Denied',
  waiting: '… Not read',
};

const WHY: Readonly<Record<ReceiptReason, string>> = {
  unread: 'Only the receipt says so: nothing of it could be read from its chain.',
  failed: 'Its node did not answer, or its nodes contradict each other. Check again.',
  'own-word': 'No chain keeps this. It is the word of whoever wrote the receipt.',
  untied: 'The chain shows such money, and nothing that ties it to this swap.',
  silent: 'The chain does not say.',
  'unknown-contract': 'This page does not know that swap contract, so what it says counts for nothing.',
  'no-such-swap': 'The chain has no swap of these terms together. At least one of them is wrong.',
  'not-there': 'The chain shows no such payment of this swap.',
  differs: 'The chain shows something else:',
  more: 'Others have paid to that address since. It has now:',
  earlier: 'The payout is from before that.',
  'wrong-secret': 'The secret does not open this secret hash.',
  less: 'Less arrived:',
  'left-out': 'The receipt leaves this out. The chain shows:',
};

const GROUPS: Readonly<Record<Side | 'swap', string>> = {
  swap: 'The swap',
  source: 'What was paid in',
  destination: 'What was paid out',
};

const LABELS: Readonly<Record<string, string>> = {
  placedAt: 'Placed',
  recipient: 'Recipient',
  atLeast: 'At least',
  secretHash: 'Secret hash',
  secret: 'Secret',
  asset: 'Asset',
  contract: 'Swap contract',
  initiator: 'From',
  redeemer: 'To',
  delegate: 'Key at the service',
  timelock: 'Timelock',
  amount: 'Amount',
  'paid.amount': 'Paid',
  'paid.hashes': 'Payment',
  'paid.block': 'Block of payment',
  'redeemed.amount': 'Received',
  'redeemed.hashes': 'Payout',
  'redeemed.block': 'Block of payout',
  'refunded.amount': 'Refunded',
  'refunded.hashes': 'Refund',
  'refunded.block': 'Block of refund',
};

const OWNS_NOTHING =
  'It proves that the money moved between these accounts, not that whoever shows the receipt owns one of them.';

function headline({verdict, stage}: VerifiedReceipt): readonly [title: string, text: string] {
  switch (verdict) {
    case 'denied':
      return ['This receipt is not true', 'A chain was read, and shows something else. See the lines marked “Denied”.'];
    case 'waiting':
      return ['Not everything could be read', 'A node did not answer. Check again, or name another one.'];
    case 'told':
      return ['Not proved', 'Some of it rests on the receipt alone. See the lines marked “Told”.'];
    case 'proved':
      if (stage === 'complete') return ['Proved', 'Both chains show this swap, from the payment to the payout.'];
      if (stage === 'refunded') return ['Proved', 'The chain shows the payment, and that it went back to its payer.'];
      return ['Proved as far as it went', 'The chain shows the payment. Nothing was paid out.'];
  }
}

/* -- rendering ------------------------------------------------------------------------------------------------------------- */

function page({text, receipt, nodes, more, isBusy, result, asked, failure}: State): TemplateResult {
  return html`<h1>Check a swap receipt</h1>
    <p class="lead">
      This page holds a receipt against the chains. It asks the nodes that you name, and nobody else. The receipt stays
      here.
    </p>
    <section>
      <form @submit=${submit}>
        <div class="field">
          <label for="file">Receipt</label>
          <input id="file" type="file" accept=".json,application/json" @change=${openFile} />
        </div>
        <div class="field">
          <label for="text">or its text</label>
          <textarea
            id="text"
            rows="4"
            spellcheck="false"
            autocomplete="off"
            .value=${text}
            @input=${typeText}
          ></textarea>
        </div>
        ${receipt ? chainsOf(receipt).map(name => renderNode(name, nodes[name] ?? '')) : ''}
        <details>
          <summary>Assets or contracts that this page does not know</summary>
          <div class="field">
            <label for="more">Settings as JSON: <code>chains</code>, <code>assets</code>, <code>contracts</code></label>
            <textarea
              id="more"
              rows="4"
              spellcheck="false"
              autocomplete="off"
              .value=${more}
              @input=${(event: Event) => change({more: valueOf(event)})}
            ></textarea>
          </div>
        </details>
        <button class="primary" ?disabled=${isBusy || !receipt}>${isBusy ? 'Checking…' : 'Check'}</button>
      </form>
    </section>
    <div role="status">
      ${
        failure === undefined
          ? ''
          : html`<section class="result failed" tabindex="-1">
              <h2>Cannot be checked</h2>
              <p>${failure}</p>
            </section>`
      }
      ${result ? renderResult(result, asked) : ''}
    </div>
    ${result ? (['swap', ...SIDES] as const).map(group => renderGroup(group, result)) : ''}`;
}

function renderNode(name: string, value: string): TemplateResult {
  const chain = ALL_KNOWN.chains.find(one => one.name === name);
  const kind = chain?.family === 'bitcoin' ? 'an Esplora address' : 'an RPC address';
  return html`<div class="field">
    <label for="node-${name}">Node for ${chain?.title ?? name}</label>
    <input
      id="node-${name}"
      inputmode="url"
      autocomplete="off"
      spellcheck="false"
      placeholder="https://"
      aria-describedby="hint-${name}"
      .value=${value}
      @input=${(event: Event) => change({nodes: {...state.nodes, [name]: valueOf(event)}})}
    />
    <p class="hint" id="hint-${name}">
      ${kind[0]?.toUpperCase()}${kind.slice(1)} that you trust: what it answers is what counts. With several, and a
      space between them, two have to agree.
    </p>
  </div>`;
}

function renderResult(result: VerifiedReceipt, asked: readonly string[]): TemplateResult {
  const [title, text] = headline(result);
  return html`<section class="result ${result.verdict}" tabindex="-1">
    <h2>${title}</h2>
    <p>${text}</p>
    <p class="hint">
      ${asked.length ? html`Asked: ${asked.join(', ')}.` : 'No node was named, so nothing was read.'}
      ${result.verdict === 'proved' ? OWNS_NOTHING : ''}
    </p>
  </section>`;
}

function renderGroup(group: Side | 'swap', {lines, receipt}: VerifiedReceipt): TemplateResult {
  const own = lines.filter(({field}) => sideOf(field) === group);
  return html`<section class="lines" aria-labelledby="of-${group}">
    <h2 id="of-${group}">${GROUPS[group]}</h2>
    <dl>${own.map(line => renderLine(line, receipt))}</dl>
  </section>`;
}

function renderLine({field, says, shows, certainty, reason}: ReceiptLine, receipt: Receipt): TemplateResult {
  const side = sideOf(field);
  const name = side === 'swap' ? field : field.slice(side.length + 1);
  const asset = receipt[side === 'source' ? 'source' : 'destination'].asset;
  const text = (value: string) => (/amount$|atLeast/.test(name) ? amountText(value, asset) : value);
  const isLong = /hash|secret|contract|initiator|redeemer|delegate|recipient/i.test(name);
  return html`<div>
    <dt>${LABELS[name] ?? name}</dt>
    <dd class="says ${isLong ? 'mono' : ''}">
      ${says === '' ? '–' : text(says)}${name === 'timelock' ? ' blocks' : ''}
    </dd>
    <dd class="mark ${certainty}">${MARKS[certainty]}</dd>
    ${
      reason
        ? html`<dd class="why">
            ${WHY[reason]} ${shows === undefined ? '' : html`<span class=${isLong ? 'mono' : ''}>${text(shows)}</span>`}
          </dd>`
        : ''
    }
  </div>`;
}

function sideOf(field: string): Side | 'swap' {
  return SIDES.find(side => field.startsWith(`${side}.`)) ?? 'swap';
}

/** An amount in whole units, if its asset's decimals are known; otherwise in the smallest unit. */
function amountText(text: string, id: AssetId): string {
  const own = settings().assets?.find(one => one.id === id);
  const known = ALL_KNOWN.assets.find(one => one.id === id);
  const decimals = own?.decimals ?? known?.decimals;
  if (decimals === undefined || text === '') return text;
  return `${formatAmount(BigInt(text), decimals)} ${own?.symbol ?? known?.symbol ?? ''}`.trim();
}

/* -- actions --------------------------------------------------------------------------------------------------------------- */

const valueOf = ({target}: Event) => (target as HTMLInputElement | HTMLTextAreaElement).value;

async function openFile({target}: Event): Promise<void> {
  const [file] = (target as HTMLInputElement).files ?? [];
  if (file) take(await file.text());
}

function typeText(event: Event): void {
  take(valueOf(event));
}

function take(text: string): void {
  const cleared = {text, result: undefined, asked: [], failure: undefined, receipt: undefined};
  if (!text.trim()) {
    change(cleared);
    return;
  }
  try {
    change({...cleared, receipt: readReceipt(text)});
  } catch (error) {
    change({...cleared, failure: wordsOf(error)});
  }
}

function chainsOf({source, destination}: Receipt): readonly string[] {
  const names = [source, destination].map(({asset}) => asset.slice(0, asset.indexOf(':')));
  return [...new Set(names)];
}

/** The typed text as JSON. @throws SyntaxError if it is invalid. */
function settings(): Partial<ChainOptions> {
  return state.more.trim() ? (JSON.parse(state.more) as Partial<ChainOptions>) : {};
}

async function submit(event: SubmitEvent): Promise<void> {
  event.preventDefault();
  const {receipt, text, nodes, isBusy} = state;
  if (!receipt || isBusy) return;
  change({isBusy: true, result: undefined, failure: undefined});
  const rpc = Object.fromEntries(
    chainsOf(receipt).flatMap(name => {
      const addresses = (nodes[name] ?? '').split(/\s+/).filter(Boolean);
      return addresses.length ? [[name, addresses] as const] : [];
    }),
  );
  try {
    const {chains, assets, contracts} = settings();
    const result = await verifyReceipt(text, {rpc, chains, assets, contracts});
    change({isBusy: false, result, asked: Object.values(rpc).flat()});
  } catch (error) {
    change({isBusy: false, failure: wordsOf(error)});
  }
  main.querySelector<HTMLElement>('.result')?.focus();
}

function wordsOf(error: unknown): string {
  if (!(error instanceof SwapError)) return 'The settings are not JSON.';
  const {field = '', detail = ''} = error;
  return field === 'receipt' ? detail : `${field}: ${detail}`;
}

const main = document.querySelector('main') ?? document.body;
main.replaceChildren();
change({});
