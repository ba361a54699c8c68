/* What can be done on the rescue page, and its state, of which nothing is stored. */
import type {Account, DepositOnChain, Wallet} from '../chains/adapter.js';
import {toSwapError, type SwapError} from '../domain/error.js';
import {readRescue, type AddressRescue, type ContractRescue} from '../domain/rescue.js';
import {CHAINS, lookAgain, lookAt, lookFor, rescueOf, takeBack, type Found, type Place} from './rescue-work.js';
import type {RescueWords} from './words.js';

/** How often the chain is polled while a refund is pending, in milliseconds. */
const POLL_MS = 3_000;

/** What a screen reader is told, in the language that is spoken by then. */
type Said = (t: RescueWords) => string;

export const silent: Said = () => '';

export const state: {
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

let redraw: () => void;

export function drawBy(draw: () => void): void {
  redraw = draw;
  draw();
}

export function update(change: Partial<typeof state>): void {
  Object.assign(state, change);
  redraw();
}

export function open(text: string) {
  const read = readRescue(text);
  forget();
  if ('fields' in read) {
    delete state.file;
    update({faults: read.fields, said: silent});
    return;
  }
  update({file: read, faults: [], rpc: read.rpc ?? '', said: t => t.fileSays});
}

/** A result only belongs to its input. */
export function forget() {
  searching.abort();
  searching = new AbortController();
  for (const name of ['found', 'atAddress', 'account', 'sent', 'error'] as const) Reflect.deleteProperty(state, name);
  Object.assign(state, {wallets: [], typed: '', asking: false, looking: false});
}

export async function openFile({target}: Event) {
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

export async function look() {
  forget();
  const {signal} = searching;
  const rpc = state.rpc.trim();
  const {file} = state;
  update({looking: true, said: t => t.looking});
  try {
    if (state.way === 'file' && file?.how === 'address') {
      const atAddress = await lookAt(file, rpc);
      if (!signal.aborted) update({atAddress, looking: false, said: t => t.shows});
      return;
    }
    const place = placeOf();
    if (!place) return;
    const found = await lookFor(place, rpc || undefined, undefined);
    if (signal.aborted) return;
    update({found, looking: false, said: t => (found.length ? t.shows : t.none)});
    const held = found.find(isHeld);
    if (held) discover(held, signal);
  } catch (cause) {
    if (!signal.aborted) update({error: toSwapError(cause, 'timeout'), looking: false, said: silent});
  }
}

function placeOf(): Place | undefined {
  if (state.way === 'file') return state.file?.how === 'contract' ? {file: state.file} : undefined;
  const chain = CHAINS.find(({name}) => name === state.chain);
  return chain && {chain, hash: state.hash.trim()};
}

function discover({chain}: Found, signal: AbortSignal) {
  rescueOf(chain).discover(wallet => update({wallets: [...state.wallets, wallet]}), {signal});
}

export async function connect(wallet: Wallet, {chain}: Found) {
  const {signal} = searching;
  delete state.error;
  update({said: t => t.waiting({wallet: wallet.name})});
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
    update({account, said: t => `${t.takeBack}: ${wallet.name}`});
  } catch (cause) {
    if (!signal.aborted) update({error: toSwapError(cause, 'wallet-failed'), said: silent});
  }
}

export async function take(found: Found) {
  const {account} = state;
  const {signal} = searching;
  if (!account || state.asking) return;
  delete state.error;
  update({asking: true, said: t => t.waiting({wallet: account.wallet.name})});
  try {
    const sent = await takeBack(found, account);
    if (signal.aborted) return;
    update({asking: false, sent, said: t => t.refundUnderWay});
    await follow(found, sent, signal);
  } catch (cause) {
    if (!signal.aborted) update({asking: false, error: toSwapError(cause, 'wallet-unclear'), said: silent});
  }
}

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

export const isHeld = ({deposit}: Found): boolean => deposit.isHeld === true;

export function endOf({deposit: {end}}: Found, t: RescueWords): string {
  if (!end) return t.endUnknown;
  return end.how === 'refunded' ? t.endBack : t.endTaken;
}
