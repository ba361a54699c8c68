/** The playground: the widget on the sandbox's chains, two wallets that pay, and all that a page hears. */
import {html, render} from 'lit';
import type {SwapEventMap} from '../src/index.js';
import {formatAmount} from '../src/domain/amount.js';
import type {EvmWallet} from './wallets/evm.js';
import {createDevelopmentWallets, giveCoins, readBalances, TITLES, toEvmChain, type Balance} from './wallets/index.js';
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
} satisfies Record<keyof SwapEventMap, true>;

/** How the page looks; it stands in the address, so that a link shows the same. */
const LOOKS = ['theme', 'width'] as const;
const REFRESH_MS = 2_000;
const MOST_EVENTS = 100;
const SOLVER_GONE = 'playground:solver-gone';
/** An hour of the chain's blocks, which is how long a source's timelock is. */
const HOUR_OF_BLOCKS = 300;

const widget = find('widget');
const sandbox = createSandbox(location.origin);

readLooks();
find('looks').addEventListener('change', keepLooks);
logEvents();
showCode();
await start();

async function start() {
  let state: SandboxState;
  try {
    state = await sandbox.read();
  } catch (error) {
    say('The sandbox does not answer. Start it with “npm start” and load this page again.');
    throw error;
  }
  const {harbor, field} = createDevelopmentWallets(state);
  const wallets = [harbor, field];

  // Properties that are set before the element is defined count.
  Object.assign(widget, settingsOf(state));
  widget.setAttribute('base-url', sandbox.origin);
  widget.setAttribute('app-id', state.appId);
  await import('../src/define.js');

  const balances = new Map<EvmWallet, readonly Balance[]>();
  const show = () => {
    showWallets(wallets, balances, state);
    showChains(state, refresh);
  };
  const refresh = async () => {
    try {
      state = await sandbox.read();
      for (const wallet of wallets) {
        const all = evmChains(state).map(([name, chain]) => readBalances(name, chain, wallet.account));
        balances.set(wallet, (await Promise.all(all)).flat());
      }
      say('');
    } catch {
      say('The sandbox does not answer. What you see is what it last said.');
    }
    show();
  };

  /** An account that the page sees for the first time gets coins, if it has none. */
  const welcomed = new Set<string>();
  const welcome = async ({account}: EvmWallet) => {
    if (welcomed.has(account)) return;
    welcomed.add(account);
    await giveCoins(sandbox, state, account);
    await refresh();
  };

  for (const wallet of wallets) {
    wallet.watch(() => {
      show();
      void welcome(wallet);
    });
  }
  followSolver(state.appId);
  show();
  await Promise.all(wallets.map(welcome));
  const follow = async () => {
    if (document.visibilityState === 'visible') await refresh();
    setTimeout(() => void follow(), REFRESH_MS);
  };
  await follow();
}

// -- wallets and chains

function showWallets(
  wallets: readonly EvmWallet[],
  balances: ReadonlyMap<EvmWallet, readonly Balance[]>,
  state: SandboxState,
) {
  const known = evmChains(state).map(([name, chain]) => ({key: name, ...toEvmChain(name, chain)}));
  render(
    wallets.map(wallet => {
      const {name, account, accounts, locked, connected} = wallet;
      const place = accounts.indexOf(account);
      const next = () => {
        wallet.useAccount(accounts[(place + 1) % accounts.length] ?? account);
      };
      const turnLock = () => {
        if (locked) wallet.unlock();
        else wallet.lock();
      };
      return html`<article class="wallet" aria-label=${name}>
        <span class="mark" aria-hidden="true">${name.slice(0, 1)}</span>
        <div>
          <h3>${name}</h3>
          <p class="mono" title=${account}>
            ${shorten(account)}
            <button class="link" type="button" @click=${(event: Event) => copy(event, account)}>Copy</button>
          </p>
        </div>
        <div class="rest">
          ${table(balances.get(wallet) ?? [], known)}
          <div class="deeds">
            <select
              aria-label=${`Network of ${name}`}
              @change=${(event: Event) => {
                wallet.useChain(Number((event.target as HTMLSelectElement).value));
              }}
            >
              ${known.map(
                chain =>
                  html`<option value=${chain.chainId} .selected=${chain.chainId === wallet.chainId}>
                    ${chain.name}
                  </option>`,
              )}
            </select>
            <button class="link" type="button" @click=${next}>Account ${place + 1} of ${accounts.length}</button>
            <button class="link" type="button" @click=${turnLock}>${locked ? 'Unlock' : 'Lock'}</button>
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
        </div>
      </article>`;
    }),
    find('wallets'),
  );
}

/** What a wallet holds: one line for each asset, one column for each chain. */
function table(balances: readonly Balance[], chains: readonly {readonly key: string; readonly name: string}[]) {
  const symbols = [...new Set(balances.map(({symbol}) => symbol))];
  const on = (symbol: string, chain: string) =>
    balances.find(balance => balance.symbol === symbol && balance.asset.startsWith(`${chain}:`));
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Holds</th>
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
              return html`<td>${balance ? write(balance) : '–'}</td>`;
            })}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** An amount to look at: coins for fees change in places that nobody reads, so they end after six decimals. */
function write({amount, decimals, symbol}: Balance): string {
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
    seconds === null ? 'a block with each transaction' : `one every ${String(Number(seconds.toFixed(2)))} s`;
  render(
    html`<p class="quiet">
        ${
          clock.speed > 0
            ? `Their clock runs ${String(clock.speed)} times as fast as the real one.`
            : 'Their clock stands still until something happens.'
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
            @click=${(event: Event) => mine(event, name, HOUR_OF_BLOCKS)}
          >
            Mine an hour
          </button>
        </div>`;
      })}`,
    find('chains'),
  );
}

/** The switch stays as it was left: a page that is loaded again must not call the solver back. */
function followSolver(appId: string) {
  const toggle = find('solver') as HTMLInputElement;
  toggle.checked = localStorage.getItem(SOLVER_GONE) === null;
  const tell = async () => {
    try {
      await sandbox.setSolver(appId, toggle.checked);
      if (toggle.checked) localStorage.removeItem(SOLVER_GONE);
      else localStorage.setItem(SOLVER_GONE, 'yes');
    } catch {
      toggle.checked = !toggle.checked;
      say('The sandbox does not answer. Nothing was changed.');
    }
  };
  toggle.addEventListener('change', () => void tell());
  // The sandbox may have been started anew since.
  if (!toggle.checked) void tell();
}

// -- events

interface Heard {
  readonly type: string;
  /** What it is about in a word: the stage, or the code of an error. */
  readonly gist: string;
  readonly at: Date;
  readonly text: string;
  /** How many of its kind came one after the other; prices come all the time. */
  readonly times: number;
}

function logEvents() {
  let heard: readonly Heard[] = [];
  const show = () => {
    render(
      heard.length
        ? html`<ol class="events" tabindex="0" aria-labelledby="events-title">
            ${heard.map(
              ({type, gist, at, text, times}) =>
                html`<li>
                  <details>
                    <summary>
                      <span class="mono">${type}${times > 1 ? ` × ${String(times)}` : ''}</span>
                      <span class="quiet">${gist}</span>
                      <time class="quiet">${at.toLocaleTimeString('en-GB')}</time>
                    </summary>
                    <pre>${text}</pre>
                  </details>
                </li>`,
            )}
          </ol>`
        : html`<p class="quiet">What the page hears from the widget stands here.</p>`,
      find('events'),
    );
  };
  for (const type of Object.keys(EVENTS) as (keyof SwapEventMap)[]) {
    widget.addEventListener(type, event => {
      const [last, ...before] = heard;
      const times = type === 'swap-quote' && last?.type === type ? last.times + 1 : 1;
      const gist = 'stage' in event ? event.stage : 'code' in event ? event.code : '';
      const entry = {type, gist, at: new Date(), text: JSON.stringify(event, null, 2), times};
      heard = [entry, ...(times > 1 ? before : heard)].slice(0, MOST_EVENTS);
      show();
    });
  }
  find('clear').addEventListener('click', () => {
    heard = [];
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

function chosen(name: (typeof LOOKS)[number]): RadioNodeList {
  return (find('looks') as HTMLFormElement).elements.namedItem(name) as RadioNodeList;
}

function readLooks() {
  const wanted = new URLSearchParams(location.search);
  for (const name of LOOKS) chosen(name).value = wanted.get(name) ?? chosen(name).value;
  applyLooks();
}

function applyLooks() {
  const theme = chosen('theme').value;
  document.documentElement.dataset['theme'] = theme;
  document.querySelector('.stage')?.setAttribute('data-width', chosen('width').value);
  if (theme === 'system') widget.removeAttribute('theme');
  else widget.setAttribute('theme', theme);
}

function keepLooks() {
  const address = new URL(location.href);
  for (const name of LOOKS) address.searchParams.set(name, chosen(name).value);
  history.replaceState(history.state, '', address);
  applyLooks();
}

function say(text: string) {
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
