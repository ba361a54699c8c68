/** The playground: the widget on the sandbox's chains, two people with development wallets, and the widget's events. */
import {html, render} from 'lit';
import type {SwapEventMap} from '../src/index.js';
import {formatAmount, parseAmount} from '../src/domain/amount.js';
import type {ChainFamily} from '../src/domain/asset.js';
import type {BitcoinWallet} from './wallets/bitcoin.js';
import type {EvmWallet} from './wallets/evm.js';
import {
  createDevelopmentWallets,
  giveCoins,
  readBalances,
  TITLES,
  walletsOf,
  type Balance,
  type DevelopmentPerson,
  type DevelopmentWallet,
} from './wallets/index.js';
import {createSandbox, evmChains, settingsOf, type SandboxState} from './wallets/sandbox.js';

const EVENTS = {
  'swap-quote': true,
  'swap-connect-request': true,
  'swap-before-order': true,
  'swap-before-sign': true,
  'swap-order': true,
  'swap-deposit': true,
  'swap-status': true,
  'swap-complete': true,
  'swap-refund': true,
  'swap-error': true,
  'swap-view': true,
  'swap-wallet': true,
  'swap-change': true,
} satisfies Record<keyof SwapEventMap, true>;

/** The page's appearance, which is kept in its address, so that links preserve it. */
const LOOKS = ['theme', 'width', 'lang', 'dir'] as const;
/** What the page's address may fill in, in the place of the swap that the page begins with. */
const DRAFT = ['from', 'to', 'amount'] as const;
/** Languages that are written from right to left. */
const RIGHT_TO_LEFT = ['ar'];
const REFRESH_MS = 2_000;
const MOST_EVENTS = 100;
const SOLVER_GONE = 'playground:solver-gone';
/** An hour of blocks, the timelock of a source, by family. */
const HOUR_OF_BLOCKS: Readonly<Record<ChainFamily, number>> = {bitcoin: 6, evm: 300, solana: 9_000, starknet: 120};
const FAMILY_TITLES: Readonly<Record<ChainFamily, string>> = {
  bitcoin: 'Bitcoin',
  evm: 'Ethereum and Base',
  solana: 'Solana',
  starknet: 'Starknet',
};

/** The open details elements, which stay open when the page is rendered again. */
const opened = new Set<string>(['Harbor evm']);
/** The last payment that was sent from the page, so that its fee can be raised. */
const sent = new Map<BitcoinWallet, string>();

const widget = find('widget');
const sandbox = createSandbox(location.origin);

readDraft();
readLooks();
// On a small screen the widget comes first.
(find('appearance') as HTMLDetailsElement).open = matchMedia('(min-width: 40rem)').matches;
find('looks').addEventListener('change', keepLooks);
logEvents();
showCode();
await start();

async function start() {
  let state: SandboxState;
  try {
    state = await sandbox.read();
  } catch (error) {
    showNotice('The sandbox does not answer. Start it with “npm start” and load this page again.');
    throw error;
  }
  const {harbor, field} = createDevelopmentWallets(state);
  const people = [harbor, field];
  const wallets = people.flatMap(walletsOf);

  // Properties set before the element is defined are kept.
  Object.assign(widget, settingsOf(state));
  widget.setAttribute('base-url', sandbox.origin);
  widget.setAttribute('app-id', state.appId);
  await import('../src/define.js');

  const balances = new Map<DevelopmentWallet, readonly Balance[]>();
  const show = () => {
    showPeople(people, balances, state);
    showChains(state, refresh);
  };
  const refresh = async () => {
    try {
      state = await sandbox.read();
      await Promise.all(
        wallets.map(async ([family, wallet]) => {
          const ofFamily = Object.values(state.chains).filter(chain => chain.family === family);
          const all = ofFamily.map(chain => readBalances(chain, wallet.account));
          balances.set(wallet, (await Promise.all(all)).flat());
        }),
      );
      showNotice('');
    } catch {
      showNotice('The sandbox does not answer. The page shows its last state.');
    }
    show();
  };

  /** Funds an account that appears for the first time, if it has no coins. */
  const funded = new Set<string>();
  const fund = async ([family, {account}]: readonly [ChainFamily, DevelopmentWallet]) => {
    if (funded.has(account)) return;
    funded.add(account);
    await giveCoins(sandbox, state, family, account);
    await refresh();
  };

  for (const entry of wallets) {
    entry[1].watch(() => {
      show();
      void fund(entry);
    });
  }
  setUpSolverSwitch(state.appId);
  show();
  await Promise.all(wallets.map(fund));
  const poll = async () => {
    if (document.visibilityState === 'visible') await refresh();
    setTimeout(() => void poll(), REFRESH_MS);
  };
  await poll();
}

// -- wallets and chains

function showPeople(
  people: readonly DevelopmentPerson[],
  balances: ReadonlyMap<DevelopmentWallet, readonly Balance[]>,
  state: SandboxState,
) {
  render(
    people.map(
      person =>
        html`<article class="wallet" aria-label=${person.name}>
          <span class="mark" aria-hidden="true">${person.name.slice(0, 1)}</span>
          <div class="rest">
            <h3>${person.name} (development)</h3>
            ${walletsOf(person).map(([family, wallet]) =>
              renderFamilyWallet(`${person.name} ${family}`, family, wallet, balances.get(wallet) ?? [], state),
            )}
          </div>
        </article>`,
    ),
    find('wallets'),
  );
}

function renderFamilyWallet(
  key: string,
  family: ChainFamily,
  wallet: DevelopmentWallet,
  balances: readonly Balance[],
  state: SandboxState,
) {
  const {account, accounts, locked, connected} = wallet;
  const place = accounts.indexOf(account);
  const next = () => {
    wallet.useAccount(accounts[(place + 1) % accounts.length] ?? account);
  };
  const toggleLock = () => {
    if (locked) wallet.unlock();
    else wallet.lock();
  };
  const known = Object.entries(state.chains)
    .filter(([, chain]) => chain.family === family)
    .map(([name]) => ({key: name, name: TITLES[name] ?? name}));
  const rememberOpen = ({currentTarget}: Event) => {
    if ((currentTarget as HTMLDetailsElement).open) opened.add(key);
    else opened.delete(key);
  };
  return html`<details class="family-wallet" .open=${opened.has(key)} @toggle=${rememberOpen}>
    <summary>
      <span>${FAMILY_TITLES[family]}</span>
      <span class="mono quiet" title=${account}>${shorten(account)}</span>
    </summary>
    <p class="mono whole">
      ${account} <button class="link" type="button" @click=${(event: Event) => copy(event, account)}>Copy</button>
    </p>
    ${table(balances, known)}
    <div class="actions">
      ${'useChain' in wallet && family === 'evm' ? renderNetworks(wallet as EvmWallet, state) : ''}
      <button class="link" type="button" @click=${next}>Account ${place + 1} of ${accounts.length}</button>
      <button class="link" type="button" @click=${toggleLock}>${locked ? 'Unlock' : 'Lock'}</button>
      ${
        connected
          ? html`<button
              class="link"
              type="button"
              @click=${() => {
                wallet.forget();
              }}
            >
              Disconnect
            </button>`
          : ''
      }
    </div>
    ${'bumpFee' in wallet ? renderSend(wallet) : ''}
  </details>`;
}

function renderNetworks(wallet: EvmWallet, state: SandboxState) {
  return html`<select
    aria-label=${`Network of ${wallet.name}`}
    @change=${(event: Event) => {
      wallet.useChain(Number((event.target as HTMLSelectElement).value));
    }}
  >
    ${evmChains(state).map(
      ([name, {chainId}]) =>
        html`<option value=${chainId} .selected=${chainId === wallet.chainId}>${TITLES[name] ?? name}</option>`,
    )}
  </select>`;
}

/** Pays to a copied address, like a wallet that the widget does not know. */
function renderSend(wallet: BitcoinWallet) {
  const pay = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const {address, amount} = form.elements as unknown as Record<'address' | 'amount', HTMLInputElement>;
    const satoshi = parseAmount(amount.value, 8);
    try {
      if (typeof satoshi === 'string' || satoshi === 0n) throw new Error('Enter an amount in BTC, such as 0.01.');
      sent.set(wallet, await wallet.send(address.value.trim(), satoshi));
      form.reset();
      showNotice('');
    } catch (error) {
      showNotice(`The payment was not sent. ${error instanceof Error ? error.message : ''}`);
    }
  };
  const raise = async () => {
    try {
      sent.set(wallet, await wallet.bumpFee(sent.get(wallet) ?? ''));
    } catch (error) {
      showNotice(`The fee was not raised. ${error instanceof Error ? error.message : ''}`);
    }
  };
  return html`<form class="send" @submit=${pay} aria-label=${`Send from ${wallet.name}`}>
    <input name="address" aria-label="To" placeholder="Address to pay" autocomplete="off" spellcheck="false" required />
    <input name="amount" aria-label="BTC" placeholder="BTC" inputmode="decimal" autocomplete="off" required />
    <button class="button" type="submit">Send</button>
    ${sent.has(wallet) ? html`<button class="link" type="button" @click=${raise}>Pay a higher fee</button>` : ''}
  </form>`;
}

/** A wallet's balances: a row for each asset, a column for each chain. */
function table(balances: readonly Balance[], chains: readonly {readonly key: string; readonly name: string}[]) {
  const symbols = [...new Set(balances.map(({symbol}) => symbol))];
  const on = (symbol: string, chain: string) =>
    balances.find(balance => balance.symbol === symbol && balance.asset.startsWith(`${chain}:`));
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Balance</th>
        ${chains.map(({name}) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${symbols.map(
        symbol =>
          html`<tr>
            <th scope="row">${symbol}</th>
            ${chains.map(({key}) => {
              const balance = on(symbol, key);
              return html`<td>${balance ? formatBalance(balance) : '–'}</td>`;
            })}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A balance as text. ETH is cut after six decimals, since fees only change the others. */
function formatBalance({amount, decimals, symbol}: Balance): string {
  if (symbol !== 'ETH') return formatAmount(amount, decimals);
  return formatAmount(amount / 10n ** 12n, 6);
}

function showChains({chains, clock}: SandboxState, refresh: () => Promise<void>) {
  const mine = async (event: Event, name: string, blocks: number) => {
    const button = event.currentTarget as HTMLButtonElement;
    button.disabled = true;
    try {
      await sandbox.mine(name, blocks);
      await refresh();
    } finally {
      button.disabled = false;
    }
  };
  const pace = (seconds: number | null) =>
    seconds === null ? 'mined on demand' : `one every ${String(Number(seconds.toFixed(2)))} s`;
  render(
    html`<p class="quiet">
        ${
          clock.speed > 0
            ? `Their clock runs ${String(clock.speed)} times as fast as real time. EVM chains and Starknet only mine while a swap waits for blocks.`
            : 'Their clock only moves with transactions.'
        }
      </p>
      ${Object.entries(chains).map(([name, chain]) => {
        const title = TITLES[name] ?? name;
        return html`<div class="chain">
          <div>
            <h3>${title}</h3>
            <p class="quiet">Block ${chain.height}, ${pace(chain.blockSeconds)}</p>
          </div>
          <button
            class="button"
            type="button"
            aria-label=${`Mine a block on ${title}`}
            @click=${(event: Event) => mine(event, name, 1)}
          >
            Mine
          </button>
          <button
            class="button"
            type="button"
            aria-label=${`Mine an hour of blocks on ${title}`}
            @click=${(event: Event) => mine(event, name, HOUR_OF_BLOCKS[chain.family])}
          >
            Mine an hour
          </button>
        </div>`;
      })}`,
    find('chains'),
  );
}

/** The switch keeps its state: a reload must not bring the solver back. */
function setUpSolverSwitch(appId: string) {
  const toggle = find('solver') as HTMLInputElement;
  toggle.checked = localStorage.getItem(SOLVER_GONE) === null;
  const apply = async () => {
    try {
      await sandbox.setSolver(appId, toggle.checked);
      if (toggle.checked) localStorage.removeItem(SOLVER_GONE);
      else localStorage.setItem(SOLVER_GONE, 'yes');
    } catch {
      toggle.checked = !toggle.checked;
      showNotice('The sandbox does not answer. The solver is unchanged.');
    }
  };
  toggle.addEventListener('change', () => void apply());
  // The sandbox may have been restarted meanwhile.
  if (!toggle.checked) void apply();
}

// -- events

interface LoggedEvent {
  readonly type: string;
  /** The stage, or the code of an error. */
  readonly summary: string;
  readonly at: Date;
  readonly text: string;
  /** How often it was repeated; quotes are refreshed all the time. */
  readonly times: number;
}

function logEvents() {
  let logged: readonly LoggedEvent[] = [];
  const show = () => {
    render(
      logged.length
        ? html`<ol class="events" tabindex="0" aria-labelledby="events-title">
            ${logged.map(
              ({type, summary, at, text, times}) =>
                html`<li>
                  <details>
                    <summary>
                      <span class="mono">${type}${times > 1 ? ` × ${String(times)}` : ''}</span>
                      <span class="quiet">${summary}</span>
                      <time class="quiet">${at.toLocaleTimeString('en-GB')}</time>
                    </summary>
                    <pre>${text}</pre>
                  </details>
                </li>`,
            )}
          </ol>`
        : html`<p class="quiet">The widget’s events appear here.</p>`,
      find('events'),
    );
  };
  for (const type of Object.keys(EVENTS) as (keyof SwapEventMap)[]) {
    widget.addEventListener(type, event => {
      const [last, ...before] = logged;
      const times = type === 'swap-quote' && last?.type === type ? last.times + 1 : 1;
      const summary =
        'stage' in event ? event.stage : 'code' in event ? (event.code ?? '') : 'view' in event ? event.view : '';
      const entry = {type, summary, at: new Date(), text: JSON.stringify(event, null, 2), times};
      logged = [entry, ...(times > 1 ? before : logged)].slice(0, MOST_EVENTS);
      show();
    });
  }
  find('clear').addEventListener('click', () => {
    logged = [];
    show();
  });
  show();
}

// -- the code to copy

function showCode() {
  const code = find('code');
  const write = () => {
    const attributes = [...widget.attributes]
      .filter(({name}) => name !== 'id')
      .map(({name, value}) => `\n  ${name}${value === '' ? '' : `="${value.replaceAll('"', '&quot;')}"`}`);
    code.textContent =
      `<script type="module" src="${location.origin}/dist/define.js"></script>\n` +
      `<swap-widget${attributes.join('')}\n></swap-widget>`;
  };
  new MutationObserver(write).observe(widget, {attributes: true});
  write();
  find('copy').addEventListener('click', event => void copy(event, code.textContent));
}

async function copy(event: Event, text: string) {
  const button = event.currentTarget as HTMLElement;
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 2_000);
}

// -- looks

function chosen(name: (typeof LOOKS)[number]): RadioNodeList | HTMLSelectElement {
  return (find('looks') as HTMLFormElement).elements.namedItem(name) as RadioNodeList | HTMLSelectElement;
}

function readDraft() {
  const wanted = new URLSearchParams(location.search);
  for (const name of DRAFT) {
    const value = wanted.get(name);
    if (value !== null) widget.setAttribute(name, value);
  }
}

function readLooks() {
  const wanted = new URLSearchParams(location.search);
  for (const name of LOOKS) {
    const choice = chosen(name);
    const standard = choice.value;
    choice.value = wanted.get(name) ?? standard;
    // A value that there is not leaves nothing chosen.
    if (!choice.value) choice.value = standard;
  }
  applyLooks();
}

function applyLooks() {
  const theme = chosen('theme').value;
  document.documentElement.dataset['theme'] = theme;
  document.querySelector('.stage')?.setAttribute('data-width', chosen('width').value);
  if (theme === 'system') widget.removeAttribute('theme');
  else widget.setAttribute('theme', theme);
  const [lang, dir] = [chosen('lang').value, chosen('dir').value];
  widget.setAttribute('lang', lang);
  widget.setAttribute('dir', dir === 'auto' ? (RIGHT_TO_LEFT.includes(lang) ? 'rtl' : 'ltr') : dir);
}

function keepLooks() {
  const address = new URL(location.href);
  for (const name of LOOKS) address.searchParams.set(name, chosen(name).value);
  history.replaceState(history.state, '', address);
  applyLooks();
}

function showNotice(text: string) {
  const notice = find('notice');
  if (notice.textContent !== text) notice.textContent = text;
}

function shorten(address: string): string {
  return `${address.slice(0, 10)}…${address.slice(-8)}`;
}

function find(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}.`);
  return element;
}
