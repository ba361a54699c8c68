/** The playground's wallets and chains: two people with development wallets, and the sandbox's chains. */
import {html, render} from 'lit';
import {formatAmount, parseAmount} from '../src/domain/amount.js';
import type {ChainFamily} from '../src/domain/asset.js';
import {copy, find, showNotice} from './parts.js';
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
import {evmChains, TITLES, type Sandbox, type SandboxState} from './wallets/sandbox.js';

const REFRESH_MS = 2_000;
/** An hour of blocks, a source's timelock, by family. */
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
      ${'batches' in wallet ? renderBatches(wallet) : ''}
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

/** Switches whether the wallet asks once for several calls (EIP-5792). */
function renderBatches(wallet: EvmWallet) {
  return html`<button
    class="link"
    type="button"
    aria-pressed=${wallet.batches ? 'true' : 'false'}
    @click=${() => {
      wallet.batches = !wallet.batches;
    }}
  >
    ${wallet.batches ? 'Asks once for all' : 'Asks one by one'}
  </button>`;
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

function shorten(address: string): string {
  return `${address.slice(0, 10)}…${address.slice(-8)}`;
}
