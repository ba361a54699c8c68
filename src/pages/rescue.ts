/* The rescue page: what it shows of its state. */
import type {Account, DepositOnChain} from '../chains/adapter.js';
import {formatAmount} from '../domain/amount.js';
import {SwapError, type SwapErrorCode} from '../domain/error.js';
import {foreignLine} from '../domain/foreign.js';
import {ALL_KNOWN} from '../domain/known/all.js';
import {transactionUrl} from '../domain/order.js';
import {chainOf, type AddressRescue, type ContractRescue, type RescueAsset} from '../domain/rescue.js';
import {isWebAddress} from '../domain/web-address.js';
import {decimal} from '../locales/figures.js';
import {draw, pieces, tag, titled, type Markup} from './markup.js';
import {
  connect,
  drawBy,
  endOf,
  forget,
  isHeld,
  look,
  open,
  openFile,
  silent,
  state,
  take,
  update,
} from './rescue-actions.js';
import {CHAINS, maySign, type Found} from './rescue-work.js';
import {createSpeaker, timeLeft} from './speech.js';
import type {RescueWords} from './words.js';

const speaker = createSpeaker(
  import.meta.glob<() => RescueWords>('./words/*.json', {query: '?page', import: 'default', eager: true}),
);

/** For any other error, the page only says that it did not work. */
const ERRORS = {
  rejected: 'rejected',
  'wallet-locked': 'wallet-locked',
  'wrong-network': 'wrong-network',
  'wallet-unclear': 'unclear',
  timeout: 'unreadable',
  config: 'unreadable',
  'wrong-account': 'notThisAccount',
  'insufficient-funds': 'noFee',
  'funding-reverted': 'reverted',
} as const satisfies Partial<Record<SwapErrorCode, keyof RescueWords>>;

function page(): Markup {
  const {way, file} = state;
  const {t} = speaker.now;
  document.title = t.refundNow;
  const isFile = way === 'file';
  return [
    tag(
      'header',
      {},
      tag('h1', {}, t.refundNow),
      speaker.picker(t.language, () => update({})),
    ),
    tag('p', {class: 'lead'}, t.lead),
    tag(
      'section',
      {},
      tag('h2', {id: 'payment'}, t.yourPayment),
      tag(
        'div',
        {class: 'tabs', role: 'group', 'aria-labelledby': 'payment'},
        tab('file', t.rescue),
        tab('hash', t.transaction),
      ),
      isFile ? fileForm(t) : hashForm(t),
      (!isFile || file) &&
        tag(
          'form',
          {onsubmit: submit},
          isFile && file && fileFacts(file, t),
          rpcField(t),
          tag(
            'button',
            {class: 'primary', type: 'submit', disabled: state.looking},
            state.looking ? t.looking : t.look,
          ),
        ),
      state.error && !state.account && errorNote(state.error, t),
    ),
    tag('div', {class: 'results'}, state.found ? results(state.found, t) : false),
    isFile && file?.how === 'address' ? aboutAddress(file, t) : false,
    tag('p', {class: 'status', role: 'status'}, state.said(t)),
    tag('footer', {}, t.footer),
  ];
}

function tab(name: 'file' | 'hash', title: string): Markup {
  const choose = () => {
    forget();
    update({way: name, faults: [], rpc: name === 'file' ? (state.file?.rpc ?? '') : '', said: silent});
  };
  return tag('button', {type: 'button', 'aria-pressed': String(state.way === name), onclick: choose}, title);
}

const PLAIN = {dir: 'ltr', spellcheck: 'false', autocomplete: 'off'};

const valueOf = ({target}: Event) => (target as HTMLInputElement).value;

function field(id: string, label: Markup, input: Markup, hint?: Markup): Markup {
  return tag('div', {class: 'field'}, tag('label', {for: id}, label), input, hint && tag('p', {class: 'hint'}, hint));
}

function fileForm(t: RescueWords): Markup {
  const {faults} = state;
  const paste = (event: Event) => {
    const value = valueOf(event);
    if (value.trim()) open(value);
  };
  const text = {id: 'text', rows: 3, ...PLAIN, onchange: paste, 'aria-describedby': faults.length > 0 && 'faults'};
  return [
    field(
      'file',
      t.rescue,
      tag('input', {id: 'file', type: 'file', accept: '.json,.txt,application/json', onchange: openFile}),
    ),
    field('text', t.fileText, tag('textarea', text)),
    faults.length > 0 &&
      tag('div', {class: 'note bad', id: 'faults', role: 'alert'}, tag('p', {}, faultText(faults, t))),
  ];
}

function faultText(faults: readonly string[], t: RescueWords): Markup {
  if (faults.includes('text')) return titled(t.notRescue);
  if (faults.includes('version')) return titled(t.otherVersion);
  return titled(pieces(t.badFields, {fields: code(foreignLine(faults.join(', ')))}));
}

function hashForm(t: RescueWords): Markup {
  const choose = (event: Event) => {
    forget();
    update({chain: valueOf(event)});
  };
  const type = (event: Event) => {
    state.hash = valueOf(event);
  };
  const options = CHAINS.map(({name, title}) => tag('option', {value: name, selected: name === state.chain}, title));
  return [
    field('chain', t.network, tag('select', {id: 'chain', onchange: choose}, options)),
    field('hash', t.hash, tag('input', {id: 'hash', ...PLAIN, value: state.hash, required: true, oninput: type})),
  ];
}

function rpcField(t: RescueWords): Markup {
  const type = (event: Event) => {
    update({rpc: valueOf(event)});
  };
  const given = {id: 'rpc', type: 'url', ...PLAIN, value: state.rpc, required: true, oninput: type};
  return field('rpc', t.rpc, tag('input', given), t.rpcHint);
}

function submit(event: Event) {
  event.preventDefault();
  if (isWebAddress(state.rpc.trim())) void look();
  else update({error: new SwapError('timeout')});
}

function fileFacts(file: ContractRescue | AddressRescue, t: RescueWords): Markup {
  const [amount, payer] = file.how === 'contract' ? [file.terms.amount, file.terms.payer] : [file.amount, file.payer];
  return [
    tag('h3', {}, t.fileSays),
    tag(
      'dl',
      {},
      fact(t.amount, moneyOf(amount, file.asset)),
      fact(t.network, named(chainOf(file.chain, undefined, ALL_KNOWN).title)),
      fact(t.goesBackTo, mono(payer)),
      fact(t.order, mono(foreignLine(file.order))),
    ),
  ];
}

const fact = (name: string, value: Markup) => tag('div', {}, tag('dt', {}, name), tag('dd', {}, value));
const mono = (text: string) => tag('bdi', {class: 'mono'}, text);
const code = (text: string) => tag('bdi', {}, tag('code', {}, text));
const named = (text: string) => tag('bdi', {}, foreignLine(text));
const noteOf = (kind: '' | 'warn' | 'bad', ...inner: readonly Markup[]) =>
  tag('div', {class: `note ${kind}`}, ...inner);

function moneyOf(amount: bigint, {symbol, decimals}: Pick<RescueAsset, 'symbol' | 'decimals'>): Markup {
  return named(`${decimal(formatAmount(amount, decimals), speaker.now.locale)} ${symbol}`);
}

const numberText = (number: bigint) => decimal(String(number), speaker.now.locale);

function results(found: readonly Found[], t: RescueWords): Markup {
  if (!found.length) return tag('section', {}, tag('h2', {}, t.shows), noteOf('bad', tag('p', {}, titled(t.none))));
  return found.map((one, at) => {
    const id = `found-${String(at)}`;
    const place = found.length > 1 ? ` (${String(at + 1)}/${String(found.length)})` : '';
    return tag('section', {'aria-labelledby': id}, tag('h2', {id}, t.shows + place), result(one, t));
  });
}

function result(found: Found, t: RescueWords): Markup {
  const {chain, terms, asset, deposit} = found;
  const money = asset ? moneyOf(terms.amount, asset) : t.smallestUnits({amount: numberText(terms.amount)});
  return [
    tag('p', {class: 'outcome'}, isHeld(found) ? pieces(t.held, {money: tag('strong', {}, money)}) : endOf(found, t)),
    found.differs.length > 0 && differences(found, t),
    tag(
      'dl',
      {},
      fact(t.amount, money),
      fact(t.network, named(chain.title)),
      fact(t.goesBackTo, mono(terms.payer)),
      fact(t.keptBy, mono(terms.contract)),
      fact(t.withSecret, mono(terms.redeemer)),
      isHeld(found) && fact(t.timeLock, lockText(found, t)),
      deposit.end &&
        fact(
          t.transaction,
          deposit.end.hashes.map(hash => link(found, hash)),
        ),
    ),
    isHeld(found) && taking(found, t),
  ];
}

function differences({differs}: Found, t: RescueWords): Markup {
  const items = differs.map(({name, chain, file}) =>
    tag('li', {}, pieces(t.differsIn, {field: code(name), shown: mono(chain), file: mono(foreignLine(file))})),
  );
  return noteOf('warn', tag('p', {}, titled(t.differs)), tag('ul', {}, items));
}

function link({chain}: Found, hash: string): Markup {
  const url = transactionUrl(chain, hash);
  return url ? tag('a', {href: url, target: '_blank', rel: 'noreferrer noopener'}, mono(hash)) : mono(hash);
}

/** How long it is locked, in blocks, and by estimate in time. */
function lockText({deposit: {block = 0n, isRefundOpen}, terms, head, chain}: Found, t: RescueWords): string {
  const opens = block + terms.timelock;
  const text = t.lock({block: numberText(block), end: numberText(opens)});
  if (isRefundOpen) return text;
  const left = head === undefined ? terms.timelock : opens - head;
  return `${text} (${timeLeft(Number(left > 0n ? left : 1n) * chain.blockSeconds, speaker.now.locale)})`;
}

function taking(found: Found, t: RescueWords): Markup {
  const {account, error} = state;
  const {deposit} = found;
  if (!deposit.isRefundOpen) return noteOf('', tag('p', {}, titled(t.tooEarly)));
  return [
    tag('h2', {}, t.takeBack),
    tag('p', {}, pieces(t.takeBackWhy, {call: code('refund')})),
    !found.isKnown && unknownNote(found, t),
    account ? tag('p', {}, named(account.wallet.name), ' · ', mono(account.address)) : walletList(found, t),
    account && !maySign(found, account) && noteOf('bad', tag('p', {role: 'alert'}, titled(t.notThisAccount))),
    error && account && errorNote(error, t),
    account && asking(found, account, t),
  ];
}

function walletList(found: Found, t: RescueWords): Markup {
  const {wallets} = state;
  const network = named(found.chain.title);
  if (!wallets.length) return noteOf('', tag('p', {}, titled(pieces(t.noWallet, {network}))));
  const buttons = wallets.map(wallet =>
    tag(
      'button',
      {type: 'button', class: 'secondary', onclick: () => void connect(wallet, found)},
      pieces(t.connectTo, {wallet: named(wallet.name)}),
    ),
  );
  return tag('div', {class: 'wallets'}, buttons);
}

function asking(found: Found, account: Account, t: RescueWords): Markup {
  const {asking: isAsking, sent} = state;
  if (sent !== undefined)
    return noteOf('', tag('p', {}, tag('strong', {}, t.refundUnderWay)), tag('p', {}, link(found, sent)));
  const disabled = isAsking || !isConfirmed(found) || !maySign(found, account);
  return tag(
    'button',
    {class: 'primary', type: 'button', disabled, onclick: () => void take(found)},
    isAsking ? pieces(t.waiting, {wallet: named(account.wallet.name)}) : t.refundNow,
  );
}

/** How many characters of an unknown contract's address have to be typed. */
const TYPED = 6;

function isConfirmed({isKnown, terms}: Found): boolean {
  return isKnown || terms.contract.toLowerCase().endsWith(state.typed.trim().toLowerCase().padStart(TYPED, '?'));
}

function unknownNote({terms}: Found, t: RescueWords): Markup {
  const type = (event: Event) => {
    update({typed: valueOf(event)});
  };
  const given = {id: 'typed', ...PLAIN, value: state.typed, maxlength: 12, oninput: type};
  return noteOf(
    'bad',
    tag('p', {}, titled(t.unknown)),
    field('typed', t.typeEnd({count: TYPED}), tag('input', given), mono(terms.contract)),
  );
}

/** A payment to an address that only the service can refund: what the chain shows, and what to send to the service. */
function aboutAddress(file: AddressRescue, t: RescueWords): Markup {
  const {atAddress} = state;
  return [
    atAddress
      ? tag('section', {}, tag('h2', {}, t.shows), tag('p', {class: 'outcome'}, addressText(file, atAddress, t)))
      : false,
    tag(
      'section',
      {},
      tag('p', {}, t.whoCanWhy),
      tag(
        'dl',
        {},
        fact(t.service, mono(file.service)),
        fact(t.order, mono(foreignLine(file.order))),
        fact(t.keptBy, mono(file.address)),
        fact(t.goesBackTo, mono(file.payer)),
        file.hash !== undefined && fact(t.transaction, mono(file.hash)),
      ),
    ),
  ];
}

function addressText({asset}: AddressRescue, shown: DepositOnChain, t: RescueWords): Markup {
  const {amount = 0n, isHeld: holds, end} = shown;
  const money = moneyOf(amount, asset);
  if (shown.state !== 'seen') return t.none;
  if (holds) return pieces(t.addressHolds, {money: tag('strong', {}, money)});
  return end?.how === 'refunded' ? t.endBack : pieces(t.addressLeft, {money});
}

function errorNote(error: SwapError, t: RescueWords): Markup {
  return tag(
    'div',
    {class: 'note bad', role: 'alert'},
    tag('p', {}, t[error.code in ERRORS ? ERRORS[error.code as keyof typeof ERRORS] : 'failed']),
    error.detail !== undefined && tag('p', {class: 'hint', lang: 'en', dir: 'ltr'}, foreignLine(error.detail)),
  );
}

// A file may come in the URL, from a scanned QR code.
const root = document.querySelector('main') ?? document.body;
drawBy(() => draw(root, page()));
const given = fragment();
if (given.startsWith('{')) open(given);

function fragment(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}
