/* The page that verifies a receipt on its chains. It only queries the nodes that are typed in. */
import {html, render, type TemplateResult} from 'lit';
import {formatAmount} from '../domain/amount.js';
import type {AssetId} from '../domain/asset.js';
import {SwapError} from '../domain/error.js';
import {foreignLine} from '../domain/foreign.js';
import {ALL_KNOWN} from '../domain/known/all.js';
import {SIDES, readReceipt, type Receipt, type Side} from '../domain/receipt-file.js';
import {dateTime} from '../elements/base/time.js';
import {pieces} from '../elements/base/words.js';
import {decimal} from '../locales/figures.js';
import {
  verifyReceipt,
  type ChainOptions,
  type ReceiptLine,
  type ReceiptReason,
  type VerifiedReceipt,
} from '../server.js';
import {createSpeaker, listed} from './speech.js';
import type {ReceiptWords} from './words.js';

// The build makes a table of the files in this folder.
const speaker = createSpeaker(
  import.meta.glob<() => ReceiptWords>('./words/*.json', {query: '?receipt', import: 'default', eager: true}),
);

/** What the visitor entered in this page, and the result. */
interface State {
  readonly text: string;
  readonly receipt?: Receipt | undefined;
  /** Nodes by chain name, as typed: several are separated by spaces. */
  readonly nodes: Readonly<Record<string, string>>;
  readonly more: string;
  readonly isBusy: boolean;
  readonly result?: VerifiedReceipt | undefined;
  /** The nodes that the result is from, and the assets that were described. */
  readonly asked: readonly string[];
  readonly assets?: ChainOptions['assets'];
  readonly failure?: unknown;
}

let state: State = {text: '', nodes: {}, more: '', isBusy: false, asked: []};

function change(changes: Partial<State>): void {
  state = {...state, ...changes};
  render(page(state), main);
}

/* -- texts ----------------------------------------------------------------------------------------------------------------- */

const SIGNS: Readonly<Record<ReceiptLine['certainty'], string>> = {proved: '✓', told: '', denied: '✕', waiting: '…'};

/** The name of a field in its group. */
function labelOf(name: string, {labels, secretHash, timeLock, widget}: ReceiptWords): string {
  const {receiptFacts, checks, paid, received, refunded} = widget;
  const names: Readonly<Record<string, string>> = {
    placedAt: receiptFacts.placed,
    recipient: labels.recipient,
    atLeast: labels.atLeast,
    secretHash,
    secret: checks.secret,
    asset: labels.asset,
    contract: checks.contract,
    initiator: receiptFacts.from,
    redeemer: receiptFacts.to,
    delegate: labels.delegate,
    timelock: timeLock,
    amount: checks.amount,
    'paid.amount': paid,
    'paid.hashes': receiptFacts.paid,
    'paid.block': labels.paidBlock,
    'redeemed.amount': received,
    'redeemed.hashes': labels.payout,
    'redeemed.block': labels.payoutBlock,
    'refunded.amount': refunded,
    'refunded.hashes': receiptFacts.refund,
    'refunded.block': labels.refundBlock,
  };
  return names[name] ?? name;
}

function headline({verdict, stage}: VerifiedReceipt, {verdicts, marks}: ReceiptWords): readonly [string, string] {
  switch (verdict) {
    case 'denied':
      return [verdicts.denied, verdicts.deniedWhy({mark: marks.denied})];
    case 'waiting':
      return [verdicts.waiting, verdicts.waitingWhy];
    case 'told':
      return [verdicts.told, verdicts.toldWhy({mark: marks.told})];
    case 'proved':
      if (stage === 'complete') return [verdicts.proved, verdicts.complete];
      if (stage === 'refunded') return [verdicts.proved, verdicts.refunded];
      return [verdicts.soFar, verdicts.soFarWhy];
  }
}

/* -- rendering ------------------------------------------------------------------------------------------------------------- */

function page({text, receipt, nodes, more, isBusy, result, asked, failure}: State): TemplateResult {
  const {t} = speaker.now;
  document.title = t.title;
  return html`<header>
      <h1>${t.title}</h1>
      ${speaker.picker(t.language, () => change({}))}
    </header>
    <p class="lead">${t.lead}</p>
    <section>
      <form @submit=${submit}>
        <div class="field">
          <label for="file">${t.widget.receipt}</label>
          <input id="file" type="file" accept=".json,application/json" @change=${openFile} />
        </div>
        <div class="field">
          <label for="text">${t.orItsText}</label>
          <textarea
            id="text"
            rows="4"
            dir="ltr"
            spellcheck="false"
            autocomplete="off"
            .value=${text}
            @input=${typeText}
          ></textarea>
        </div>
        ${receipt ? chainsOf(receipt).map(name => renderNode(name, nodes[name] ?? '', t)) : ''}
        <details>
          <summary>${t.more}</summary>
          <div class="field">
            <label for="more">${pieces(t.moreLabel, {names: listed(SETTINGS, speaker.now.locale)})}</label>
            <textarea
              id="more"
              rows="4"
              dir="ltr"
              spellcheck="false"
              autocomplete="off"
              .value=${more}
              @input=${(event: Event) => change({more: valueOf(event)})}
            ></textarea>
          </div>
        </details>
        <button class="primary" ?disabled=${isBusy || !receipt}>${isBusy ? t.checking : t.check}</button>
      </form>
    </section>
    <div role="status">
      ${
        failure === undefined
          ? ''
          : html`<section class="result failed" tabindex="-1">
              <h2>${t.failed}</h2>
              <p>${faultText(failure, t)}</p>
            </section>`
      }
      ${result ? renderResult(result, asked, t) : ''}
    </div>
    ${result ? (['swap', ...SIDES] as const).map(group => renderGroup(group, result, t)) : ''}`;
}

const code = (text: string) => html`<bdi><code>${text}</code></bdi>`;
const SETTINGS = ['chains', 'assets', 'contracts'].map(code);

function renderNode(name: string, value: string, t: ReceiptWords): TemplateResult {
  const chain = ALL_KNOWN.chains.find(one => one.name === name);
  return html`<div class="field">
    <label for="node-${name}">${pieces(t.node, {network: html`<bdi>${chain?.title ?? name}</bdi>`})}</label>
    <input
      id="node-${name}"
      inputmode="url"
      dir="ltr"
      autocomplete="off"
      spellcheck="false"
      placeholder="https://"
      aria-describedby="hint-${name}"
      .value=${value}
      @input=${(event: Event) => change({nodes: {...state.nodes, [name]: valueOf(event)}})}
    />
    <p class="hint" id="hint-${name}">${chain?.family === 'bitcoin' ? t.esploraHint : t.rpcHint}</p>
  </div>`;
}

function renderResult(result: VerifiedReceipt, asked: readonly string[], t: ReceiptWords): TemplateResult {
  const [title, text] = headline(result, t);
  const nodes = listed(
    asked.map(node => html`<bdi>${node}</bdi>`),
    speaker.now.locale,
  );
  return html`<section class="result ${result.verdict}" tabindex="-1">
    <h2>${title}</h2>
    <p>${text}</p>
    <p class="hint">${asked.length ? pieces(t.verdicts.asked, {nodes}) : t.verdicts.nobodyAsked}</p>
    ${result.verdict === 'proved' ? html`<p class="hint">${t.verdicts.ownsNothing}</p>` : ''}
  </section>`;
}

function renderGroup(group: Side | 'swap', {lines, receipt}: VerifiedReceipt, t: ReceiptWords): TemplateResult {
  const own = lines.filter(({field}) => sideOf(field) === group);
  const common = commonReason(own);
  const why = common && t.why[common];
  return html`<section class="lines" aria-labelledby="of-${group}">
    <h2 id="of-${group}">${t.groups[group]}</h2>
    ${typeof why === 'string' ? html`<p class="hint">${why}</p>` : ''}
    <dl>${own.map(line => renderLine(line, receipt, t, common))}</dl>
  </section>`;
}

/** The reason that most lines have, if it is the same sentence for all of them: it is written once. */
function commonReason(lines: readonly ReceiptLine[]): ReceiptReason | undefined {
  const reasons = lines.flatMap(({reason, shows}) => (reason && shows === undefined ? [reason] : []));
  return reasons.find(one => 2 * reasons.filter(other => other === one).length > lines.length);
}

function renderLine(
  {field, says, shows, certainty, reason}: ReceiptLine,
  receipt: Receipt,
  t: ReceiptWords,
  common: ReceiptReason | undefined,
): TemplateResult {
  const side = sideOf(field);
  const name = side === 'swap' ? field : field.slice(side.length + 1);
  const {asset} = receipt[side === 'source' ? 'source' : 'destination'];
  const isLong = /hash|secret|contract|initiator|redeemer|delegate|recipient/i.test(name);
  const value = (text: string) => html`<bdi class=${isLong ? 'mono' : ''}>${valueText(name, text, asset, t)}</bdi>`;
  const why = reason && reason !== common ? t.why[reason] : undefined;
  return html`<div>
    <dt>${labelOf(name, t)}</dt>
    <dd class="says">${says === '' ? '–' : value(says)}</dd>
    <dd class="mark ${certainty}">${[SIGNS[certainty], t.marks[certainty]].join(' ').trim()}</dd>
    ${why ? html`<dd class="why">${typeof why === 'string' ? why : pieces(why, {shows: value(shows ?? '')})}</dd>` : ''}
  </div>`;
}

function sideOf(field: string): Side | 'swap' {
  return SIDES.find(side => field.startsWith(`${side}.`)) ?? 'swap';
}

/** A value as the visitor's language writes it. */
function valueText(name: string, text: string, asset: AssetId, {blocks}: ReceiptWords): string {
  const {locale} = speaker.now;
  if (/amount$|atLeast/.test(name)) return amountText(text, asset, locale);
  if (name === 'timelock') return blocks({n: Number(text)});
  if (name === 'placedAt') return dateTime(Date.parse(text), locale);
  return name.endsWith('.block') ? decimal(text, locale) : text;
}

/** An amount in whole units, if its asset's decimals are known; otherwise in the smallest unit. */
function amountText(text: string, id: AssetId, locale: string): string {
  const own = state.assets?.find(one => one.id === id);
  const known = ALL_KNOWN.assets.find(one => one.id === id);
  const decimals = own?.decimals ?? known?.decimals;
  if (text === '') return text;
  if (decimals === undefined) return decimal(text, locale);
  return `${decimal(formatAmount(BigInt(text), decimals), locale)} ${own?.symbol ?? known?.symbol ?? ''}`.trim();
}

/** What keeps a receipt from being checked. */
function faultText(error: unknown, t: ReceiptWords): unknown {
  if (!(error instanceof SwapError)) return t.badJson;
  const {code: fault, field = '', detail = ''} = error;
  if (field === 'receipt') return t.notReceipt;
  if (field === 'swapReceipt') return t.otherVersion;
  const said = field === 'assets' ? t.unknownAssets : pieces(t.badFields, {fields: code(foreignLine(field))});
  return fault === 'unreadable' ? said : html`${said} <small><bdi lang="en">${foreignLine(detail)}</bdi></small>`;
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
    change({...cleared, failure: error});
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
    change({isBusy: false, result, assets, asked: Object.values(rpc).flat()});
  } catch (error) {
    change({isBusy: false, failure: error});
  }
  main.querySelector<HTMLElement>('.result')?.focus();
}

const main = document.querySelector('main') ?? document.body;
main.replaceChildren();
change({});
