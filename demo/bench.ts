/** The playground's wallets and chains: two people with development wallets, and the sandbox's chains. */
import {html, nothing, render} from 'lit';
import {live} from 'lit/directives/live.js';
import {formatAmount, parseAmount} from '../src/domain/amount.js';
import type {ChainFamily} from '../src/domain/asset.js';
import {decimal} from '../src/locales/figures.js';
import {copy, find, showNotice, showTrouble} from './parts.js';
import type {BitcoinWallet} from './wallets/bitcoin.js';
import type {EvmWallet} from './wallets/evm.js';
import {
  giveCoins,
  readBalances,
  walletsOf,
  type Balance,
  type DevelopmentPerson,
  type DevelopmentWallet,
} from './wallets/index.js';
import {evmChains, tellDown, TITLES, type Sandbox, type SandboxState} from './wallets/sandbox.js';

const REFRESH_MS = 2_000;
/** An hour of blocks, a source's timelock, by family. */
const HOUR_OF_BLOCKS: Readonly<Record<ChainFamily, number>> = {bitcoin: 6, evm: 300, solana: 9_000, starknet: 120};
const FAMILY_TITLES: Readonly<Record<ChainFamily, string>> = {
  bitcoin: 'Bitcoin',
  evm: 'Ethereum and Base',
  solana: 'Solana',
  starknet: 'Starknet',
};

const opened = new Set<string>(['Harbor evm']);
/** The last payment that was sent from the page, so that its fee can be raised. */
const sent = new Map<BitcoinWallet, string>();

/** Shows people and chains, gives the people coins, and keeps all of it up to date. */
export async function runBench(sandbox: Sandbox, first: SandboxState, people: readonly DevelopmentPerson[]) {
  let state = first;
  const wallets = people.flatMap(walletsOf);
  const balances = new Map<DevelopmentWallet, readonly Balance[]>();
  const show = () => {
    showPeople(people, balances, state);
    showChains(sandbox, state, refresh);
  };
  let refreshing: Promise<void> | undefined;
  // Calls meanwhile get the result of the next read.
  const refresh = () => (refreshing ??= read().finally(() => (refreshing = undefined)));
  const read = async () => {
    try {
      state = await sandbox.read();
      await Promise.all(
        wallets.map(async ([family, wallet]) => {
          const ofFamily = Object.values(state.chains).filter(chain => chain.family === family && !chain.down);
          const all = ofFamily.map(chain => readBalances(chain, wallet.account));
          balances.set(wallet, (await Promise.all(all)).flat());
        }),
      );
      showTrouble(tellDown(state));
    } catch {
      showTrouble('The sandbox does not answer. The page shows its last state.');
    }
    show();
  };

  /** Funds an account that appears for the first time, if it has no coins. */
  const funded = new Set<string>();
  const fund = async ([family, {account}]: readonly [ChainFamily, DevelopmentWallet]) => {
    if (funded.has(account)) return;
    funded.add(account);
    // If a chain does not answer, the next read says so.
    await giveCoins(sandbox, state, family, account).catch(() => {});
  };

  for (const entry of wallets) {
    entry[1].watch(() => {
      show();
      void fund(entry).then(refresh);
    });
  }
  show();
  await Promise.all(wallets.map(fund));
  const poll = async () => {
    if (document.visibilityState === 'visible') await refresh();
    setTimeout(() => void poll(), REFRESH_MS);
  };
  await poll();
}

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
            <h3>${person.name}</h3>
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
  const {account, locked, connected} = wallet;
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
      <span>${account}</span>
      <button
        class="link"
        type="button"
        @click=${(event: Event) => copy(event, account, (event.currentTarget as Element).previousElementSibling)}
      >
        Copy
      </button>
    </p>
    ${table(balances, known)} ${'useChain' in wallet ? renderNetworks(wallet, state) : ''} ${renderAccounts(wallet)}
    ${
      'batches' in wallet
        ? // EIP-5792.
          renderSwitch('Approve and pay in one request', wallet.batches, isOn => (wallet.batches = isOn))
        : ''
    }
    ${renderSwitch('Locked', locked, isOn => {
      if (isOn) wallet.lock();
      else wallet.unlock();
    })}
    ${
      connected
        ? html`<div class="tool">
            <span>Connected to this page</span>
            <button
              class="button"
              type="button"
              @click=${() => {
                wallet.forget();
              }}
            >
              Disconnect
            </button>
          </div>`
        : ''
    }
    ${'bumpFee' in wallet ? renderSend(wallet) : ''}
  </details>`;
}

function renderNetworks(wallet: EvmWallet, state: SandboxState) {
  return html`<label class="tool">
    <span>Network</span>
    <select
      aria-label=${`Network of ${wallet.name}`}
      @change=${(event: Event) => {
        wallet.useChain(Number((event.target as HTMLSelectElement).value));
      }}
    >
      ${evmChains(state).map(
        ([name, {chainId}]) =>
          html`<option value=${chainId} .selected=${chainId === wallet.chainId}>${TITLES[name] ?? name}</option>`,
      )}
    </select>
  </label>`;
}

function renderAccounts(wallet: DevelopmentWallet) {
  const {accounts, account} = wallet;
  return html`<label class="tool">
    <span>Account</span>
    <select
      aria-label=${`Account of ${wallet.name}`}
      @change=${({target}: Event) => {
        wallet.useAccount((target as HTMLSelectElement).value);
      }}
    >
      ${accounts.map(
        (address, at) =>
          html`<option value=${address} .selected=${address === account}>
            ${at + 1} of ${accounts.length}: ${shorten(address)}
          </option>`,
      )}
    </select>
  </label>`;
}

function renderSwitch(label: string, isOn: boolean, set: (isOn: boolean) => void) {
  return html`<label class="tool">
    <span>${label}</span>
    <input
      type="checkbox"
      role="switch"
      class="toggle"
      .checked=${live(isOn)}
      @change=${({target}: Event) => {
        set((target as HTMLInputElement).checked);
      }}
    />
  </label>`;
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
      showNotice('', 'payment');
    } catch (error) {
      showNotice(`The payment was not sent. ${error instanceof Error ? error.message : ''}`, 'payment');
    }
  };
  const raise = async () => {
    try {
      sent.set(wallet, await wallet.bumpFee(sent.get(wallet) ?? ''));
      showNotice('', 'payment');
    } catch (error) {
      showNotice(`The fee was not raised. ${error instanceof Error ? error.message : ''}`, 'payment');
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
  return decimal(symbol === 'ETH' ? formatAmount(amount / 10n ** 12n, 6) : formatAmount(amount, decimals), 'en');
}

function showChains(sandbox: Sandbox, {chains, clock}: SandboxState, refresh: () => Promise<void>) {
  const mine = async (event: Event, name: string, blocks: number) => {
    const button = event.currentTarget as HTMLButtonElement;
    // A disabled button would lose the focus.
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    try {
      await sandbox.mine(name, blocks);
      await refresh();
    } finally {
      button.ariaDisabled = null;
    }
  };
  const pace = (seconds: number | null) =>
    seconds === null ? 'mined on demand' : `one every ${String(Number(seconds.toFixed(2)))} s`;
  render(
    html`<p class="quiet">
        ${
          clock.speed > 0
            ? `Their clock runs ${String(clock.speed)} times as fast as real time. EVM chains and Starknet only mine while a swap waits for blocks, and slowly while one is open.`
            : 'Their clock only moves with transactions.'
        }
      </p>
      ${Object.entries(chains).map(([name, chain]) => {
        const title = TITLES[name] ?? name;
        return html`<div class="chain">
          <div>
            <h3>${title}</h3>
            <p class="quiet">
              ${chain.down ? 'Its node does not answer.' : `Block ${String(chain.height)}, ${pace(chain.blockSeconds)}`}
            </p>
          </div>
          <button
            class="button"
            type="button"
            aria-label=${`Mine a block on ${title}`}
            aria-disabled=${chain.down ? 'true' : nothing}
            @click=${(event: Event) => mine(event, name, 1)}
          >
            Mine
          </button>
          <button
            class="button"
            type="button"
            aria-label=${`Mine an hour of blocks on ${title}`}
            aria-disabled=${chain.down ? 'true' : nothing}
            @click=${(event: Event) => mine(event, name, HOUR_OF_BLOCKS[chain.family])}
          >
            Mine an hour
          </button>
        </div>`;
      })}`,
    find('chains'),
  );
}

function shorten(address: string): string {
  return `${address.slice(0, 10)}…${address.slice(-8)}`;
}
