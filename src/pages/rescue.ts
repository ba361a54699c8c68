import {html, render, type TemplateResult} from 'lit';
import type {Account, DepositOnChain, Wallet} from '../chains/adapter.js';
import {formatAmount} from '../domain/amount.js';
import {transactionUrl} from '../domain/order.js';
import {SwapError, toSwapError} from '../domain/error.js';
import {foreignLine} from '../domain/foreign.js';
import {ALL_KNOWN} from '../domain/known/all.js';
import {
  chainOf,
  readRescue,
  type AddressRescue,
  type ContractRescue,
  type PaidTerms,
  type RescueAsset,
} from '../domain/rescue.js';
import {isWebAddress} from '../domain/web-address.js';
import {about, dateTime} from '../elements/base/time.js';
import {pieces, sentences, titled} from '../elements/base/words.js';
import {decimal} from '../locales/figures.js';
import {CHAINS, lookAgain, lookAt, lookFor, maySign, takeBack, toolsOf, type Found, type Place} from './rescue-work.js';
import {createSpeaker, listed} from './speech.js';
import type {RescueWords} from './words.js';

/** How often the chain is polled while a refund is pending, in milliseconds. */
const POLL_MS = 3_000;

// The build makes a table of the files in this folder.
const speaker = createSpeaker(
  import.meta.glob<() => RescueWords>('./words/*.json', {query: '?rescue', import: 'default', eager: true}),
);

/** What a screen reader is told, in the language that is spoken by then. */
type Said = (t: RescueWords) => string;

const silent: Said = () => '';

/** The state of the page. None of it is stored. */
const state: {
  /** The file that was opened, or its faults. */
  file?: ContractRescue | AddressRescue;
  faults: readonly string[];
  way: 'file' | 'hash';
  chain: string;
  hash: string;
  rpc: string;
  looking: boolean;
  found?: readonly Found[];
  atAddress?: DepositOnChain;
  wallets: readonly Wallet[];
  account?: Account;
  /** The part of an unknown contract's address that was typed. */
  typed: string;
  /** The refund: requested, sent, or failed. */
  asking: boolean;
  sent?: string;
  error?: SwapError;
  said: Said;
} = {
  faults: [],
  way: 'file',
  chain: CHAINS[0]?.name ?? '',
  hash: '',
  rpc: '',
  looking: false,
  wallets: [],
  typed: '',
  asking: false,
  said: silent,
};

let searching = new AbortController();

const root = document.querySelector('main') ?? document.body;

function update(change: Partial<typeof state>) {
  Object.assign(state, change);
  render(page(), root);
}

/* actions */

function open(text: string) {
  const read = readRescue(text);
  forget();
  if ('fields' in read) {
    delete state.file;
    update({faults: read.fields, said: silent});
    return;
  }
  update({file: read, faults: [], rpc: read.rpc ?? '', said: t => t.fileRead});
}

/** A result only belongs to its input. */
function forget() {
  searching.abort();
  searching = new AbortController();
  for (const name of ['found', 'atAddress', 'account', 'sent', 'error'] as const) Reflect.deleteProperty(state, name);
  Object.assign(state, {wallets: [], typed: '', asking: false, looking: false});
}

async function openFile({target}: Event) {
  const input = target as HTMLInputElement;
  const [file] = input.files ?? [];
  const text =
    (await file
      ?.slice(0, 100_000)
      .text()
      .catch(() => '')) ?? '';
  input.value = '';
  if (file) open(text);
}

async function look() {
  forget();
  const {signal} = searching;
  const rpc = state.rpc.trim();
  const {file} = state;
  update({looking: true, said: t => t.looking});
  try {
    if (state.way === 'file' && file?.how === 'address') {
      const atAddress = await lookAt(file, rpc);
      if (!signal.aborted) update({atAddress, looking: false, said: t => t.looked});
      return;
    }
    const place = placeOf();
    if (!place) return;
    const found = await lookFor(place, rpc || undefined, undefined);
    if (signal.aborted) return;
    update({found, looking: false, said: t => (found.length ? t.looked : t.none)});
    const held = found.find(isHeld);
    if (held) await discover(held, signal);
  } catch (cause) {
    if (!signal.aborted) update({error: toSwapError(cause, 'timeout'), looking: false, said: silent});
  }
}

function placeOf(): Place | undefined {
  if (state.way === 'file') return state.file?.how === 'contract' ? {file: state.file} : undefined;
  const chain = CHAINS.find(({name}) => name === state.chain);
  return chain && {chain, hash: state.hash.trim()};
}

async function discover({chain}: Found, signal: AbortSignal) {
  const {adapter} = await toolsOf(chain);
  adapter.wallets.discover(wallet => update({wallets: [...state.wallets, wallet]}), {signal});
}

async function connect(wallet: Wallet, {chain}: Found) {
  const {signal} = searching;
  delete state.error;
  update({said: t => t.widget.waiting({wallet: wallet.name})});
  try {
    const account = await wallet.connect({chain, signal});
    if (signal.aborted) return;
    account.watch(next => {
      if (next) update({account: next});
      else {
        delete state.account;
        update({});
      }
    }, signal);
    update({account, said: t => t.connected({wallet: wallet.name})});
  } catch (cause) {
    if (!signal.aborted) update({error: toSwapError(cause, 'wallet-failed'), said: silent});
  }
}

async function take(found: Found) {
  const {account} = state;
  const {signal} = searching;
  if (!account || state.asking) return;
  delete state.error;
  update({asking: true, said: t => t.confirm});
  try {
    const sent = await takeBack(found, account);
    if (signal.aborted) return;
    update({asking: false, sent, said: t => t.widget.refundUnderWay});
    await follow(found, sent, signal);
  } catch (cause) {
    if (!signal.aborted) update({asking: false, error: toSwapError(cause, 'wallet-unclear'), said: silent});
  }
}

/** Polls the chain until it shows how the payment ended. */
async function follow(found: Found, sent: string, signal: AbortSignal) {
  const isOver = () => signal.aborted;
  while (!isOver()) {
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
    const next = await lookAgain(found, state.account, [sent]).catch(() => undefined);
    if (!isOver() && next?.deposit.isHeld === false) {
      const found = state.found?.map(one => (one.terms === next.terms ? next : one)) ?? [next];
      update({found, said: t => endOf(next, t)});
      return;
    }
  }
}

/* rendering */

const isHeld = ({deposit}: Found) => deposit.isHeld === true;

/** The text for an error. */
function errorText({code}: SwapError, t: RescueWords): readonly unknown[] {
  const {errors, money} = t.widget;
  switch (code) {
    case 'rejected':
      return sentences(errors.rejected.what, money.refund);
    case 'wallet-locked':
    case 'wallet-failed':
    case 'wrong-network':
      return sentences(errors[code].what, errors[code].todo);
    case 'wallet-missing':
      return sentences(errors[code].what, t.reload);
    case 'wallet-unclear':
      return sentences(errors[code].what, t.lookAgain);
    case 'timeout':
      return [t.unreadable];
    case 'wrong-account':
      return [t.notSigner];
    case 'insufficient-funds':
      return [t.noFee];
    case 'funding-reverted':
      return [t.reverted];
    case 'deposit-mismatch':
      return [t.noContract];
    case 'config':
      return [t.needsRpc];
    default:
      return [t.failed];
  }
}

function page() {
  const {way, file} = state;
  const {t} = speaker.now;
  document.title = t.title;
  return html`
    <header>
      <h1>${t.title}</h1>
      ${speaker.picker(t.language, () => update({}))}
    </header>
    <p class="lead">${t.lead}</p>
    <section>
      <h2>${t.yourPayment}</h2>
      <div class="tabs" role="group" aria-label=${t.howToFind}>
        ${tab('file', t.widget.rescue)} ${tab('hash', t.transaction)}
      </div>
      ${way === 'file' ? fileForm(t) : hashForm(t)}
      ${
        way === 'hash' || file
          ? html`<form @submit=${submit}>
              ${way === 'file' && file ? fileFacts(file, t) : ''} ${rpcField(file, t)}
              <button class="primary" type="submit" ?disabled=${state.looking}>
                ${state.looking ? t.looking : t.look}
              </button>
            </form>`
          : ''
      }
      ${state.error && !state.account ? errorNote(state.error, t) : ''}
    </section>
    ${state.found ? results(state.found, t) : ''}
    ${state.atAddress && file?.how === 'address' ? addressResult(file, state.atAddress, t) : ''}
    ${file?.how === 'address' && way === 'file' ? addressAdvice(file, t) : ''}
    <p class="status" role="status">${state.said(t)}</p>
    <footer>${t.footer}</footer>
  `;
}

function tab(name: 'file' | 'hash', title: string) {
  return html`<button
    type="button"
    aria-pressed=${state.way === name ? 'true' : 'false'}
    @click=${() => {
      forget();
      update({way: name, faults: [], rpc: name === 'file' ? (state.file?.rpc ?? '') : '', said: silent});
    }}
  >
    ${title}
  </button>`;
}

function fileForm(t: RescueWords) {
  const {faults} = state;
  return html`<div class="field">
      <label for="file">${t.file}</label>
      <input id="file" type="file" accept=".json,.txt,application/json" @change=${openFile} />
    </div>
    <div class="field">
      <label for="text">${t.fileText}</label>
      <textarea
        id="text"
        rows="3"
        dir="ltr"
        spellcheck="false"
        autocomplete="off"
        aria-describedby=${faults.length ? 'faults' : ''}
        @change=${({target}: Event) => {
          const {value} = target as HTMLTextAreaElement;
          if (value.trim()) open(value);
        }}
      ></textarea>
    </div>
    ${
      faults.length
        ? html`<div class="note bad" id="faults" role="alert">
            <p>${titled(t.notUsed, ...faultText(faults, t))}</p>
          </div>`
        : ''
    }`;
}

function faultText(faults: readonly string[], t: RescueWords): readonly unknown[] {
  if (faults.includes('text')) return [t.notRescue];
  if (faults.includes('version')) return [t.otherVersion];
  const fields = listed(
    faults.map(name => code(foreignLine(name))),
    speaker.now.locale,
  );
  return [pieces(t.badFields, {fields})];
}

function hashForm(t: RescueWords) {
  return html`<div class="field">
      <label for="chain">${t.networkPaid}</label>
      <select
        id="chain"
        @change=${({target}: Event) => {
          forget();
          update({chain: (target as HTMLSelectElement).value});
        }}
      >
        ${[false, true].map(
          test =>
            html`<optgroup label=${test ? t.testNetworks : t.networks}>
              ${CHAINS.filter(chain => chain.test === test).map(
                ({name, title}) => html`<option value=${name} ?selected=${name === state.chain}>${title}</option>`,
              )}
            </optgroup>`,
        )}
      </select>
    </div>
    <div class="field">
      <label for="hash">${t.hash}</label>
      <input
        id="hash"
        dir="ltr"
        .value=${state.hash}
        spellcheck="false"
        autocomplete="off"
        required
        @input=${({target}: Event) => {
          state.hash = (target as HTMLInputElement).value;
        }}
      />
      <p class="hint">${t.hashWhere}</p>
    </div>`;
}

function rpcField(file: ContractRescue | AddressRescue | undefined, t: RescueWords) {
  const isFromFile = state.way === 'file' && file?.rpc !== undefined && state.rpc === file.rpc;
  return html`<div class="field">
    <label for="rpc">${t.rpc}</label>
    <input
      id="rpc"
      type="url"
      dir="ltr"
      .value=${state.rpc}
      spellcheck="false"
      autocomplete="off"
      required
      @input=${({target}: Event) => {
        update({rpc: (target as HTMLInputElement).value});
      }}
    />
    <p class="hint">${isFromFile ? t.rpcFromFile : t.rpcHint}</p>
  </div>`;
}

function submit(event: Event) {
  event.preventDefault();
  if (!isWebAddress(state.rpc.trim())) {
    update({error: new SwapError('timeout')});
    return;
  }
  void look();
}

function fileFacts(file: ContractRescue | AddressRescue, t: RescueWords) {
  const {widget} = t;
  const [amount, payer] = file.how === 'contract' ? [file.terms.amount, file.terms.payer] : [file.amount, file.payer];
  return html`<h3>${t.fileSays}</h3>
    <dl>
      ${fact(widget.paid, moneyOf(amount, file.asset))}
      ${fact(widget.network, named(chainOf(file.chain, undefined, ALL_KNOWN).title))}
      ${fact(file.how === 'contract' ? t.paidBy : widget.refundGoesTo, mono(payer))}
      ${fact(widget.order, mono(foreignLine(file.order)))}
      ${fact(widget.receiptFacts.placed, dateTime(file.placedAt, speaker.now.locale))}
    </dl>
    <p class="hint">${t.unconfirmed}</p>`;
}

function fact(name: unknown, value: unknown) {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

const mono = (text: string) => html`<bdi class="mono">${text}</bdi>`;
const code = (text: string) => html`<bdi><code>${text}</code></bdi>`;
const named = (text: string) => html`<bdi>${foreignLine(text)}</bdi>`;

/** An amount in the visitor's notation, with its asset's symbol. */
function moneyOf(amount: bigint, {symbol, decimals}: Pick<RescueAsset, 'symbol' | 'decimals'>): TemplateResult {
  return named(`${decimal(formatAmount(amount, decimals), speaker.now.locale)} ${symbol}`);
}

/** A block's number in the visitor's notation. */
const blockText = (block: bigint) => decimal(String(block), speaker.now.locale);

function results(found: readonly Found[], t: RescueWords) {
  if (!found.length)
    return html`<section>
      <h2>${t.shows}</h2>
      <div class="note bad"><p>${titled(t.none, t.noneWhy)}</p></div>
    </section>`;
  return found.map(
    (one, at) =>
      html`<section aria-labelledby=${`found-${String(at)}`}>
        <h2 id=${`found-${String(at)}`}>${found.length > 1 ? t.showsOne({n: at + 1, all: found.length}) : t.shows}</h2>
        ${result(one, t)}
      </section>`,
  );
}

/** The names of the terms, as they are listed. */
function namesOf(t: RescueWords): Readonly<Record<keyof PaidTerms, string>> {
  return {
    contract: t.keptBy,
    payer: t.goesBackTo,
    redeemer: t.withSecret,
    amount: t.widget.checks.amount,
    timelock: t.timeLock,
    secretHash: t.secretHash,
  };
}

function result(found: Found, t: RescueWords) {
  const {chain, terms, asset, called, deposit, differs, isKnown} = found;
  const of = asset ?? called;
  const names = namesOf(t);
  const money = of
    ? moneyOf(terms.amount, of)
    : html`${t.smallestUnits({amount: decimal(String(terms.amount), speaker.now.locale)})}`;
  const contract = mono(terms.contract);
  return html`
    <p class="outcome">${isHeld(found) ? pieces(t.held, {money: html`<strong>${money}</strong>`}) : endOf(found, t)}</p>
    ${
      differs.length
        ? html`<div class="note warn">
            <p>${titled(t.differs, t.differsWhy)}</p>
            <ul>
              ${differs.map(one => {
                const [shown, file] = [mono(one.chain), mono(foreignLine(one.file))];
                return html`<li>${pieces(t.differsIn, {field: names[one.name], shown, file})}</li>`;
              })}
            </ul>
          </div>`
        : ''
    }
    <dl>
      ${fact(names.amount, called && !asset ? pieces(t.asCalled, {money}) : money)}
      ${fact(t.widget.network, named(chain.title))} ${fact(names.payer, mono(terms.payer))}
      ${fact(names.contract, isKnown ? pieces(t.known, {address: contract}) : contract)}
      ${fact(names.redeemer, mono(terms.redeemer))} ${isHeld(found) ? fact(names.timelock, lockText(found, t)) : ''}
      ${
        deposit.end
          ? fact(
              t.transaction,
              deposit.end.hashes.map(hash => link(found, hash)),
            )
          : ''
      }
    </dl>
    ${isHeld(found) ? taking(found, t) : ''}
  `;
}

function link({chain}: Found, hash: string) {
  const url = transactionUrl(chain, hash);
  return url ? html`<a href=${url} target="_blank" rel="noreferrer noopener">${mono(hash)}</a>` : mono(hash);
}

function endOf({deposit: {end}}: Found, t: RescueWords): string {
  if (!end) return t.endUnknown;
  return end.how === 'refunded' ? t.endBack : t.endTaken;
}

/** How long it is locked, in blocks and by estimate in time. */
function lockText({deposit: {block = 0n, isRefundOpen}, terms, head, chain}: Found, t: RescueWords): string {
  const opens = block + terms.timelock;
  const blocks = {block: blockText(block), end: blockText(opens)};
  if (isRefundOpen) return t.lockOver(blocks);
  const left = head === undefined ? terms.timelock : opens - head;
  const seconds = Number(left > 0n ? left : 1n) * chain.blockSeconds;
  return t.lockOpens({...blocks, time: about(seconds, t.widget)});
}

function taking(found: Found, t: RescueWords) {
  const {account, wallets, asking, sent, error} = state;
  const {deposit, terms, chain} = found;
  if (!deposit.isRefundOpen) return html`<div class="note"><p>${titled(t.tooEarly, t.tooEarlyWhy)}</p></div>`;
  const nameOf = ({name}: Pick<Wallet, 'name'>) => (name ? named(name) : html`${t.widget.yourWallet}`);
  const isAllowed = account !== undefined && maySign(found, account);
  return html`
    <h2>${t.takeBack}</h2>
    <p>${pieces(t.takeBackWhy, {call: code('refund'), address: mono(terms.payer)})}</p>
    ${found.isKnown ? '' : unknownNote(found, t)}
    ${
      account
        ? html`<p>${pieces(t.signs, {address: mono(account.address), wallet: nameOf(account.wallet)})}</p>`
        : wallets.length
          ? html`<div class="wallets" role="group" aria-label=${t.wallets}>
              ${wallets.map(
                wallet =>
                  html`<button type="button" class="secondary" @click=${() => void connect(wallet, found)}>
                    ${pieces(t.connectTo, {wallet: nameOf(wallet)})}
                  </button>`,
              )}
            </div>`
          : html`<div class="note">
              <p>${titled(t.widget.noWalletFound, pieces(t.noWalletTodo, {network: named(chain.title)}))}</p>
            </div>`
    }
    ${
      account && !isAllowed
        ? html`<div class="note bad" role="alert"><p>${titled(t.notThisAccount, t.notThisAccountWhy)}</p></div>`
        : ''
    }
    ${error && account ? errorNote(error, t) : ''}
    ${
      sent
        ? html`<div class="note">
            <p><strong>${t.widget.refundUnderWay}</strong></p>
            <p>${link(found, sent)}</p>
          </div>`
        : account
          ? html`<button
              class="primary"
              type="button"
              ?disabled=${asking || !isConfirmed(found) || !isAllowed}
              @click=${() => void take(found)}
            >
              ${asking ? pieces(t.widget.waiting, {wallet: nameOf(account.wallet)}) : t.widget.refundNow}
            </button>`
          : ''
    }
  `;
}

/** How many characters of an unknown contract's address have to be typed. */
const TYPED = 6;

function isConfirmed({isKnown, terms}: Found): boolean {
  return isKnown || terms.contract.toLowerCase().endsWith(state.typed.trim().toLowerCase().padStart(TYPED, '?'));
}

function unknownNote({terms}: Found, t: RescueWords) {
  return html`<div class="note bad">
    <p>${titled(t.unknown, t.unknownWhy)}</p>
    <div class="field">
      <label for="typed">${t.typeEnd({count: TYPED})}</label>
      <input
        id="typed"
        dir="ltr"
        .value=${state.typed}
        spellcheck="false"
        autocomplete="off"
        maxlength="12"
        @input=${({target}: Event) => {
          update({typed: (target as HTMLInputElement).value});
        }}
      />
      <p class="hint">${pieces(t.typeHint, {address: mono(terms.contract)})}</p>
    </div>
  </div>`;
}

function addressResult(
  {asset}: AddressRescue,
  {state: shown, amount = 0n, isHeld, end}: DepositOnChain,
  t: RescueWords,
) {
  const money = moneyOf(amount, asset);
  return html`<section>
    <h2>${t.shows}</h2>
    <p class="outcome">
      ${
        shown !== 'seen'
          ? t.addressNone
          : isHeld
            ? pieces(t.addressHolds, {money: html`<strong>${money}</strong>`})
            : pieces(end?.how === 'refunded' ? t.addressBack : t.addressLeft, {money})
      }
    </p>
  </section>`;
}

function addressAdvice(file: AddressRescue, t: RescueWords) {
  const {widget} = t;
  return html`<section>
    <h2>${t.whoCan}</h2>
    <p>${t.whoCanWhy}</p>
    <dl>
      ${fact(t.service, mono(file.service))} ${fact(widget.order, mono(foreignLine(file.order)))}
      ${fact(t.paidTo, mono(file.address))} ${fact(widget.refundGoesTo, mono(file.payer))}
      ${file.hash ? fact(widget.receiptFacts.paid, mono(file.hash)) : ''}
    </dl>
    <p class="hint">${t.neverKeys}</p>
  </section>`;
}

function errorNote(error: SwapError, t: RescueWords) {
  return html`<div class="note bad" role="alert">
    <p>${errorText(error, t)}</p>
    ${error.detail ? html`<p class="hint" lang="en" dir="ltr">${foreignLine(error.detail)}</p>` : ''}
  </div>`;
}

// A file may come in the URL, from a scanned QR code.
const given = fragment();
if (given.startsWith('{')) open(given);
else update({});

/** The URL's fragment, decoded; empty if it is malformed. */
function fragment(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}
