import {html, render} from 'lit';
import type {Account, DepositOnChain, Wallet} from '../chains/adapter.js';
import {formatAmount} from '../domain/amount.js';
import {transactionUrl} from '../domain/order.js';
import {SwapError, toSwapError, type SwapErrorCode} from '../domain/error.js';
import {foreignLine} from '../domain/foreign.js';
import {readRescue, type AddressRescue, type ContractRescue} from '../domain/rescue.js';
import {isWebAddress} from '../domain/web-address.js';
import {CHAINS, lookAgain, lookAt, lookFor, maySign, takeBack, toolsOf, type Found, type Place} from './rescue-work.js';

/** How often the chain is polled while a refund is pending, in milliseconds. */
const POLL_MS = 3_000;

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
  said: string;
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
  said: '',
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
    update({faults: read.fields, said: ''});
    return;
  }
  update({file: read, faults: [], rpc: read.rpc ?? '', said: 'The file is read. Nothing was looked at yet.'});
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
  update({looking: true, said: 'Reading the chain.'});
  try {
    if (state.way === 'file' && file?.how === 'address') {
      const atAddress = await lookAt(file, rpc);
      if (!signal.aborted) update({atAddress, looking: false, said: 'The chain is read.'});
      return;
    }
    const place = placeOf();
    if (!place) return;
    const found = await lookFor(place, rpc || undefined, undefined);
    if (signal.aborted) return;
    update({found, looking: false, said: found.length ? 'The chain is read.' : 'The chain shows no such payment.'});
    const held = found.find(isHeld);
    if (held) await discover(held, signal);
  } catch (cause) {
    if (!signal.aborted) update({error: toSwapError(cause, 'timeout'), looking: false, said: ''});
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
  update({said: `Asking ${wallet.name}.`});
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
    update({account, said: `${wallet.name} is connected.`});
  } catch (cause) {
    if (!signal.aborted) update({error: toSwapError(cause, 'wallet-failed'), said: ''});
  }
}

async function take(found: Found) {
  const {account} = state;
  const {signal} = searching;
  if (!account || state.asking) return;
  delete state.error;
  update({asking: true, said: 'Confirm in your wallet.'});
  try {
    const sent = await takeBack(found, account);
    if (signal.aborted) return;
    update({asking: false, sent, said: 'The refund is sent.'});
    await follow(found, sent, signal);
  } catch (cause) {
    if (!signal.aborted) update({asking: false, error: toSwapError(cause, 'wallet-unclear'), said: ''});
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
      update({found, said: endOf(next)});
      return;
    }
  }
}

/* rendering */

const isHeld = ({deposit}: Found) => deposit.isHeld === true;

const FIELDS: Readonly<Record<string, string>> = {
  text: 'it is no rescue file',
  version: 'it was written by another version; open it with the page of that version',
};

/** The texts of errors. */
const ERRORS: Partial<Record<SwapErrorCode, string>> = {
  rejected: 'You declined in your wallet. Nothing was sent.',
  timeout: 'The chain cannot be read at this address. Check it, or try another one.',
  'wallet-locked': 'The wallet is locked. Unlock it and try again.',
  'wallet-missing': 'The wallet is no longer there. Reload the page.',
  'wallet-failed': 'The wallet did not do it. Nothing was sent.',
  'wallet-unclear': 'The wallet gave no clear answer. Look at the chain again before you try once more.',
  'wrong-network': 'The wallet is on another network. Change it there to the one named above, and try again.',
  'wrong-account': 'This account must not sign here. Choose another one.',
  'insufficient-funds': 'The account cannot pay the network fee.',
  'funding-reverted': 'The contract does not pay it back now. Most often it is too early: look at the chain again.',
  'deposit-mismatch': 'There is no contract at that address on this chain.',
  config: 'An address for reading the chain is needed here.',
};

function page() {
  const {way, file} = state;
  return html`
    <h1>Get your money back</h1>
    <p class="lead">
      A payment into a swap is kept by a contract. After its time lock anyone may tell the contract to pay it back, and
      it pays whoever paid in. This page needs no swap site and no service for that: only the chain, and a wallet for
      the network fee.
    </p>
    <section>
      <h2>1. Your payment</h2>
      <div class="tabs" role="group" aria-label="How to find it">
        ${tab('file', 'Rescue file')} ${tab('hash', 'Transaction')}
      </div>
      ${way === 'file' ? fileForm() : hashForm()}
      ${
        way === 'hash' || file
          ? html`<form @submit=${submit}>
              ${way === 'file' && file ? fileFacts(file) : ''} ${rpcField(file)}
              <button class="primary" type="submit" ?disabled=${state.looking}>
                ${state.looking ? 'Reading the chain…' : 'Look at the chain'}
              </button>
            </form>`
          : ''
      }
      ${state.error && !state.account ? errorNote(state.error) : ''}
    </section>
    ${state.found ? results(state.found) : ''}
    ${state.atAddress && file?.how === 'address' ? addressResult(file, state.atAddress) : ''}
    ${file?.how === 'address' && way === 'file' ? addressAdvice(file) : ''}
    <p class="status" role="status">${state.said}</p>
    <footer>
      This page is one file. It contacts the address typed above and your wallet, and nothing else. Its checksum is in
      the signed list of the release. Wallet extensions do not run in files opened from a disk: serve it from any web
      server, also one on your own machine.
    </footer>
  `;
}

function tab(name: 'file' | 'hash', title: string) {
  return html`<button
    type="button"
    aria-pressed=${state.way === name ? 'true' : 'false'}
    @click=${() => {
      forget();
      update({way: name, faults: [], rpc: name === 'file' ? (state.file?.rpc ?? '') : '', said: ''});
    }}
  >
    ${title}
  </button>`;
}

function fileForm() {
  const {faults} = state;
  return html`<div class="field">
      <label for="file">The file</label>
      <input id="file" type="file" accept=".json,.txt,application/json" @change=${openFile} />
    </div>
    <div class="field">
      <label for="text">Or its text, from the printed page or its code</label>
      <textarea
        id="text"
        rows="3"
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
            <p>
              <strong>This file is not used.</strong>
              ${faults.map(name => FIELDS[name]).find(Boolean) ?? html`Missing, not in its form, or not known: `}
              ${faults.filter(name => !FIELDS[name]).map((name, at) => html`${at ? ', ' : ''}<code>${foreignLine(name)}</code>`)}
            </p>
          </div>`
        : ''
    }`;
}

function hashForm() {
  return html`<div class="field">
      <label for="chain">Network that you paid on</label>
      <select
        id="chain"
        @change=${({target}: Event) => {
          forget();
          update({chain: (target as HTMLSelectElement).value});
        }}
      >
        ${[false, true].map(
          test =>
            html`<optgroup label=${test ? 'Test networks' : 'Networks'}>
              ${CHAINS.filter(chain => chain.test === test).map(
                ({name, title}) => html`<option value=${name} ?selected=${name === state.chain}>${title}</option>`,
              )}
            </optgroup>`,
        )}
      </select>
    </div>
    <div class="field">
      <label for="hash">Hash of the payment’s transaction</label>
      <input
        id="hash"
        .value=${state.hash}
        spellcheck="false"
        autocomplete="off"
        required
        @input=${({target}: Event) => {
          state.hash = (target as HTMLInputElement).value;
        }}
      />
      <p class="hint">Your wallet’s history has it.</p>
    </div>`;
}

function rpcField(file: ContractRescue | AddressRescue | undefined) {
  const isFromFile = state.way === 'file' && file?.rpc !== undefined && state.rpc === file.rpc;
  return html`<div class="field">
    <label for="rpc">Address where the network can be read (RPC)</label>
    <input
      id="rpc"
      type="url"
      .value=${state.rpc}
      spellcheck="false"
      autocomplete="off"
      required
      @input=${({target}: Event) => {
        update({rpc: (target as HTMLInputElement).value});
      }}
    />
    <p class="hint">
      ${
        isFromFile
          ? 'From the file. Whoever runs it sees your IP address; you can put one that you trust in its place.'
          : 'A node of this network that you trust. Networks list public ones in their documentation.'
      }
    </p>
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

function fileFacts(file: ContractRescue | AddressRescue) {
  const amount = file.how === 'contract' ? file.terms.amount : file.amount;
  const payer = file.how === 'contract' ? file.terms.payer : file.payer;
  return html`<h3>What the file says</h3>
    <dl>
      ${fact('Paid', html`${formatAmount(amount, file.asset.decimals)} ${foreignLine(file.asset.symbol)}`)}
      ${fact('Network', CHAINS.find(({name}) => name === file.chain.name)?.title ?? foreignLine(file.chain.name))}
      ${fact(file.how === 'contract' ? 'By' : 'Refund to', mono(payer))}
      ${fact('Order', html`${mono(foreignLine(file.order))}, ${new Date(file.placedAt).toLocaleString()}`)}
    </dl>
    <p class="hint">Nobody confirms this. What counts is what the chain shows.</p>`;
}

function fact(name: unknown, value: unknown) {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

const mono = (text: string) => html`<bdi class="mono">${text}</bdi>`;

function results(found: readonly Found[]) {
  if (!found.length)
    return html`<section>
      <h2>2. What the chain shows</h2>
      <div class="note bad">
        <p>
          <strong>No such payment.</strong> No contract keeps one by these terms, and no transaction made one. The
          payment may not have gone out, or this is another network.
        </p>
      </div>
    </section>`;
  return found.map(
    (one, at) =>
      html`<section aria-labelledby=${`found-${String(at)}`}>
        <h2 id=${`found-${String(at)}`}>2. What the chain shows${found.length > 1 ? ` (${String(at + 1)})` : ''}</h2>
        ${result(one)}
      </section>`,
  );
}

const NAMES: Readonly<Record<string, string>> = {
  contract: 'contract',
  payer: 'who paid',
  redeemer: 'who may take it with the secret',
  amount: 'amount, in the smallest unit',
  timelock: 'time lock, in blocks',
  secretHash: 'hash of the secret',
};

function result(found: Found) {
  const {chain, terms, asset, called, deposit, differs, isKnown} = found;
  const {symbol, decimals} = asset ?? called ?? {symbol: 'of the smallest unit', decimals: 0};
  const amount = html`${formatAmount(terms.amount, decimals)} ${foreignLine(symbol)}`;
  return html`
    <p class="outcome">${isHeld(found) ? html`<strong>${amount}</strong> is held` : endOf(found)}</p>
    ${
      differs.length
        ? html`<div class="note warn">
            <p><strong>The file says something else.</strong> What the chain shows counts:</p>
            <ul>
              ${differs.map(
                one => html`<li>${NAMES[one.name]}: ${mono(one.chain)}, and not ${mono(foreignLine(one.file))}</li>`,
              )}
            </ul>
          </div>`
        : ''
    }
    <dl>
      ${fact('Amount', html`${amount}${called ? html` <small>(as the file calls it)</small>` : ''}`)}
      ${fact('Network', foreignLine(chain.title))} ${fact('Goes back to', mono(terms.payer))}
      ${fact('Kept by', html`${mono(terms.contract)} ${isKnown ? 'a contract that this page knows' : ''}`)}
      ${fact('With the secret, to', mono(terms.redeemer))} ${isHeld(found) ? fact('Time lock', lockText(found)) : ''}
      ${
        deposit.end
          ? fact(
              'Transaction',
              deposit.end.hashes.map(hash => link(found, hash)),
            )
          : ''
      }
    </dl>
    ${isHeld(found) ? taking(found) : ''}
  `;
}

function link({chain}: Found, hash: string) {
  const url = transactionUrl(chain, hash);
  return url ? html`<a href=${url} target="_blank" rel="noreferrer noopener">${mono(hash)}</a>` : mono(hash);
}

function endOf({deposit: {end}}: Found): string {
  if (!end) return 'The contract no longer holds it. How it ended could not be read.';
  return end.how === 'refunded'
    ? 'It was paid back. There is nothing left to do.'
    : 'It was taken with the secret: the swap went through, or you were paid on the other network. The contract holds nothing any more.';
}

/** How long it is locked, in blocks and by estimate in time. */
function lockText({deposit: {block = 0n, isRefundOpen}, terms, head, chain}: Found) {
  const opens = block + terms.timelock;
  const paid = `Paid in block ${String(block)}`;
  if (isRefundOpen) return `${paid}; over since block ${String(opens)}`;
  const left = head === undefined ? terms.timelock : opens - head;
  const seconds = Number(left > 0n ? left : 1n) * chain.blockSeconds;
  return `${paid}; over in block ${String(opens)}, in about ${duration(seconds)}`;
}

function duration(seconds: number): string {
  const [count, unit] =
    seconds < 5_400
      ? [seconds / 60, 'minute']
      : seconds < 129_600
        ? [seconds / 3_600, 'hour']
        : [seconds / 86_400, 'day'];
  const whole = Math.max(1, Math.ceil(count));
  return `${String(whole)} ${unit}${whole === 1 ? '' : 's'}`;
}

function taking(found: Found) {
  const {account, wallets, asking, sent, error} = state;
  const {deposit, terms, chain} = found;
  if (!deposit.isRefundOpen)
    return html`<div class="note">
      <p>
        <strong>It cannot be taken back yet.</strong> Until the time lock is over the swap may still go through. Come
        back then: the file, or the transaction’s hash, is all that it takes.
      </p>
    </div>`;
  return html`
    <h2>3. Take it back</h2>
    <p>
      Your wallet is asked for one call, <code>refund</code>, without any coins. The contract pays ${mono(terms.payer)},
      whichever account signs. The network fee is paid by the account that signs.
    </p>
    ${found.isKnown ? '' : unknownNote(found)}
    ${
      account
        ? html`<p>Signs: ${mono(account.address)} (${account.wallet.name})</p>`
        : wallets.length
          ? html`<div class="wallets" role="group" aria-label="Wallets">
              ${wallets.map(
                wallet =>
                  html`<button type="button" class="secondary" @click=${() => void connect(wallet, found)}>
                    Connect ${wallet.name || 'the wallet'}
                  </button>`,
              )}
            </div>`
          : html`<div class="note">
              <p>
                <strong>No wallet is here.</strong> Open this page in a browser that has a wallet for
                ${foreignLine(chain.title)}.
              </p>
            </div>`
    }
    ${
      account && !maySign(found, account)
        ? html`<div class="note bad" role="alert">
            <p>
              <strong>Not with this account.</strong> The program is not known, and would get this account’s own rights.
              Connect another account, with a little for the fee: the money goes to the payer all the same.
            </p>
          </div>`
        : ''
    }
    ${error && account ? errorNote(error) : ''}
    ${
      sent
        ? html`<div class="note">
            <p><strong>On its way.</strong> ${link(found, sent)}</p>
          </div>`
        : account
          ? html`<button
              class="primary"
              type="button"
              ?disabled=${asking || !isConfirmed(found) || !maySign(found, account)}
              @click=${() => void take(found)}
            >
              ${asking ? `Waiting for ${account.wallet.name}…` : 'Take the money back'}
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

function unknownNote({terms}: Found) {
  return html`<div class="note bad">
    <p>
      <strong>This page does not know the contract.</strong> Whoever wrote the file may have made it up, and what it
      does with a call is then unknown. Compare its address with the payment in your wallet’s history. If it is not
      there, stop. Safest is an account that holds no more than the fee.
    </p>
    <div class="field">
      <label for="typed"
        >The last ${String(TYPED)} characters of the contract’s address, from your wallet’s history</label
      >
      <input
        id="typed"
        .value=${state.typed}
        spellcheck="false"
        autocomplete="off"
        maxlength="12"
        @input=${({target}: Event) => {
          update({typed: (target as HTMLInputElement).value});
        }}
      />
      <p class="hint">It is ${mono(terms.contract)} here.</p>
    </div>
  </div>`;
}

function addressResult({asset}: AddressRescue, {state: shown, amount = 0n, isHeld, end}: DepositOnChain) {
  const text = `${formatAmount(amount, asset.decimals)} ${asset.symbol}`;
  return html`<section>
    <h2>2. What the chain shows</h2>
    <p class="outcome">
      ${
        shown !== 'seen'
          ? 'Nothing was paid to this address.'
          : isHeld
            ? html`<strong>${text}</strong> lies at the address.`
            : end?.how === 'refunded'
              ? `${text} came back to the refund address.`
              : `${text} was paid, and has left the address.`
      }
    </p>
  </section>`;
}

function addressAdvice(file: AddressRescue) {
  return html`<section>
    <h2>Who can send it back</h2>
    <p>
      Both keys of this address are the service’s: it alone can pay a refund, to the address in the order. No page and
      no wallet of yours can. Send it this:
    </p>
    <dl>
      ${fact('Service', mono(file.service))} ${fact('Order', mono(foreignLine(file.order)))}
      ${fact('Paid to', mono(file.address))} ${fact('Refund to', mono(file.payer))}
      ${file.hash ? fact('Payment', mono(file.hash)) : ''}
    </dl>
    <p class="hint">Never send anyone a key or the words of your wallet. A refund needs neither.</p>
  </section>`;
}

function errorNote({code, detail}: SwapError) {
  return html`<div class="note bad" role="alert">
    <p>${ERRORS[code] ?? 'That did not work.'}</p>
    ${detail ? html`<p class="hint">${foreignLine(detail)}</p>` : ''}
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
