import {batch} from 'nanostores';
import type {Account, Wallet} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {fault, SwapError, toSwapError, type SwapErrorCode} from '../domain/error.js';
import {failed, idle, pending, valueOf, type Remote} from '../domain/remote.js';
import {createBalances} from './balances.js';
import {change, whileStarted, type SessionCore} from './shared.js';
import {walletNote} from './storage.js';
import type {ConnectOptions, SessionConfig} from './types.js';

/** How long a wallet of the last visit is shown as reconnecting, and how long it is searched for: it may announce itself late. */
const EXPECTED_MS = 3_000;
const LOOKED_FOR_MS = 60_000;
const nameNote = (family: ChainFamily) => `wallet-name/${family}`;

/** The errors of a silent connection that mean that a wallet no longer has an account for this page. */
const GONE: ReadonlySet<SwapErrorCode> = new Set(['wallet-locked', 'wallet-missing', 'rejected']);

/** The wallets of a page: discovering, connecting and watching them. Loaded with the first search, or if one is remembered. */
export type Wallets = ReturnType<typeof createWallets>;

type SetAccount = (family: ChainFamily, account: Account | undefined) => void;

export function createWallets(core: SessionCore) {
  const {$wallets, $settings} = core;
  const note = (family: ChainFamily, wallet: Wallet | undefined) => {
    $settings.get().memory?.setNote(walletNote(family), wallet?.id);
    $settings.get().memory?.setNote(nameNote(family), wallet?.name);
  };
  const setAccount: SetAccount = (family, account) => {
    following.follow(family, account);
    const {[family]: _previous, ...others} = $wallets.get().accounts;
    change($wallets, {accounts: account ? {...others, [family]: account} : others, balances: {}});
    // A wallet from the page was not chosen in the list, so it is not remembered as such.
    if (account && !pageWallets.has(account.wallet)) note(family, account.wallet);
  };
  const settle = (family: ChainFamily) => {
    const {[family]: _settled, ...restoring} = $wallets.get().restoring;
    change($wallets, {restoring});
  };
  const following = createFollowing(core, setAccount);
  const pageWallets = createPageWallets(core, setAccount, settle);
  const discover = createDiscovery(core);
  const lastVisit = createLastVisit(core, discover, pageWallets, settle);
  whileStarted(core, () => {
    for (const part of [following, lastVisit]) part.resume();
    return () => [following, lastVisit].forEach(part => part.pause());
  });

  return {
    ...createBalances(core),
    ...createConnecting(core, pageWallets, setAccount),
    configure: pageWallets.configure,
    discover: (family: ChainFamily, signal: AbortSignal) =>
      discover(family, signal).catch((error: unknown) =>
        change($wallets, {connecting: failed(toSwapError(error, 'timeout'))}),
      ),
    disconnect(family: ChainFamily) {
      setAccount(family, undefined);
      note(family, undefined);
    },
    reconnect: lastVisit.reconnect,
  };
}

function createConnecting(
  {$wallets, $settings, tell}: SessionCore,
  {find}: Pick<ReturnType<typeof createPageWallets>, 'find'>,
  setAccount: SetAccount,
) {
  let connecting = new AbortController();
  const connectingIs = (now: Remote<Wallet>) => change($wallets, {connecting: now});
  /** The chain that an account is requested for. A family's chains are all mainnets or all testnets. */
  const chainOf = (family: ChainFamily) =>
    $settings.get().config?.catalogue.assets.find(({chain}) => chain.family === family)?.chain;

  return {
    async connect(which: Wallet | ChainFamily, {answer, onWindow}: ConnectOptions = {}): Promise<boolean> {
      connecting.abort();
      const {signal} = (connecting = new AbortController());
      const isOver = () => signal.aborted;
      let wallet: Wallet | undefined;
      connectingIs(pending());
      try {
        wallet = typeof which === 'string' ? await find(which, answer) : which;
        if (isOver()) return false;
        connectingIs(wallet ? pending(wallet) : idle);
        const chain = wallet && chainOf(wallet.family);
        const account = await wallet?.connect({signal, chain, ...(onWindow && {onWindow})});
        if (isOver() || !account) return false;
        batch(() => {
          setAccount(account.family, account);
          connectingIs(idle);
        });
        return true;
      } catch (cause) {
        const error = toSwapError(cause, 'wallet-unclear');
        if (error.code === 'config') tell({type: 'error', error});
        if (!isOver()) connectingIs(failed(error, wallet));
        return false;
      }
    },

    cancel() {
      connecting.abort();
      connectingIs(idle);
    },
  };
}

function createFollowing({$wallets, $page}: SessionCore, changed: SetAccount) {
  const watching = new Map<ChainFamily, AbortController>();

  const follow = (family: ChainFamily, account: Account | undefined) => {
    watching.get(family)?.abort();
    watching.delete(family);
    if (!account || !$page.get().isStarted) return;
    const watched = new AbortController();
    watching.set(family, watched);
    account.watch(next => changed(family, next), watched.signal);
  };

  /** Requests a wallet's account again after it was not watched. Without a response it counts as unchanged. */
  const readAgain = async (family: ChainFamily, account: Account) => {
    let present: Account | undefined;
    try {
      present = await account.wallet.connect({silent: true});
    } catch (error) {
      if (!(error instanceof SwapError) || !GONE.has(error.code)) return;
    }
    if ($wallets.get().accounts[family] === account && present?.address !== account.address) changed(family, present);
  };

  return {
    follow,
    resume() {
      for (const [family, account] of Object.entries($wallets.get().accounts) as [ChainFamily, Account][]) {
        follow(family, account);
        void readAgain(family, account);
      }
    },
    pause() {
      for (const watched of watching.values()) watched.abort();
      watching.clear();
    },
  };
}

function createPageWallets(
  {$wallets, adapters, adapter}: SessionCore,
  setAccount: SetAccount,
  settle: (family: ChainFamily) => void,
) {
  const brought = new Map<ChainFamily, unknown>();
  const made = new WeakSet<Wallet>();

  const walletOf = async (family: ChainFamily, given: unknown): Promise<Wallet> => {
    const wallet = await (await adapter(family)).wallets.walletOf?.(given);
    if (!wallet) throw fault(`wallets.${family}`, 'No such wallet can be brought.');
    made.add(wallet);
    return wallet;
  };

  const connectSilently = async (wallet: Wallet) => {
    const account = await wallet.connect({silent: true}).catch(() => undefined);
    if (account && !$wallets.get().accounts[wallet.family]) setAccount(wallet.family, account);
  };

  return {
    connectSilently,
    has: (wallet: Wallet) => made.has(wallet),
    brings: (family: ChainFamily) => brought.get(family) !== undefined,

    /**
     * Takes the wallets that the page passes, and connects those that allow it silently.
     * @throws SwapError `config` for an invalid one, `timeout` if its family's code cannot be loaded.
     */
    async configure({catalogue, wallets = {}}: SessionConfig) {
      const families = Object.keys(adapters);
      const unknown = Object.keys(wallets).find(family => !families.includes(family));
      if (unknown !== undefined) {
        change($wallets, {restoring: {}});
        throw fault(`wallets.${unknown}`, `There is no such family of chains. There are ${families.join(', ')}.`);
      }
      const known = new Set(catalogue.assets.map(({chain}) => chain.family));
      await Promise.all(
        [...known].map(async family => {
          const given = wallets[family] ?? undefined;
          const isNew = given !== brought.get(family);
          brought.set(family, given);
          // The page decides for its visitor: another wallet, or one that the page withdrew, is not used any more.
          if (isNew) setAccount(family, undefined);
          if (given === undefined) return;
          if (isNew) change($wallets, {restoring: {...$wallets.get().restoring, [family]: ''}});
          try {
            const wallet = await walletOf(family, given);
            if (isNew && brought.get(family) === given) await connectSilently(wallet);
          } finally {
            settle(family);
          }
        }),
      );
    },

    async find(family: ChainFamily, answer: Promise<unknown> | undefined) {
      let given: unknown;
      try {
        given = answer ? await answer : brought.get(family);
      } catch (cause) {
        throw new SwapError('wallet-missing', {detail: toSwapError(cause, 'held').detail, cause});
      }
      return given == null ? undefined : walletOf(family, given);
    },
  };
}

type Discover = (family: ChainFamily, signal: AbortSignal, found?: (wallet: Wallet) => void) => Promise<void>;

function createDiscovery({$wallets, $settings, adapter}: SessionCore): Discover {
  const elsewhere = (family: ChainFamily) => {
    const {walletConnect: projectId, catalogue} = $settings.get().config ?? {};
    if (!projectId || !catalogue) return undefined;
    const chains = catalogue.assets.map(({chain}) => chain).filter(chain => chain.family === family);
    return {projectId, chains: [...new Set(chains)]};
  };

  return async (family, signal, found) => {
    const {wallets} = await adapter(family);
    if (signal.aborted) return;
    wallets.discover(
      wallet => {
        found?.(wallet);
        const {found: known, connecting, accounts} = $wallets.get();
        const isUsed = ({key}: Wallet) => accounts[family]?.wallet.key === key || valueOf(connecting)?.key === key;
        const isReplaced = (one: Wallet) => one.key === wallet.key || (one.isInjected && !isUsed(one));
        const others = known.filter(one => one.family !== family || !isReplaced(one));
        const isLast = wallet.id === $settings.get().memory?.note(walletNote(family));
        change($wallets, {found: isLast ? [wallet, ...others] : [...others, wallet]});
      },
      {signal, elsewhere: elsewhere(family)},
    );
  };
}

function createLastVisit(
  {$wallets, $settings, $page, host}: SessionCore,
  discover: Discover,
  {brings, connectSilently}: Pick<ReturnType<typeof createPageWallets>, 'brings' | 'connectSilently'>,
  settle: (family: ChainFamily) => void,
) {
  const missed = new Set<ChainFamily>();
  const searches = new Set<AbortController>();

  const search = (family: ChainFamily) => {
    const last = $settings.get().memory?.note(walletNote(family));
    const searching = new AbortController();
    searches.add(searching);
    const end = () => {
      missed.delete(family);
      searches.delete(searching);
      searching.abort();
    };
    if (last === undefined || brings(family) || $wallets.get().accounts[family]) {
      end();
      settle(family);
      return;
    }
    const waits = [host.after(EXPECTED_MS, () => settle(family)), host.after(LOOKED_FOR_MS, end)];
    searching.signal.addEventListener('abort', () => waits.forEach(cancel => cancel()));
    // Unless it was disconnected meanwhile.
    const isLast = ({id}: Wallet) => id === $settings.get().memory?.note(walletNote(family));
    const claimants: Wallet[] = [];
    discover(family, searching.signal, wallet => {
      claimants.push(wallet);
      // All that are there announce themselves at once. If two have the same id, nobody knows which one it was.
      void Promise.resolve().then(() => {
        if (searching.signal.aborted || !isLast(wallet) || $wallets.get().accounts[family]) return;
        end();
        const isAlone = claimants.filter(isLast).length === 1;
        void (isAlone ? connectSilently(wallet) : Promise.resolve()).finally(() => settle(family));
      });
    }).catch(() => settle(family));
  };

  return {
    reconnect() {
      const families = new Set($settings.get().config?.catalogue.assets.map(({chain}) => chain.family));
      for (const family of Object.keys($wallets.get().restoring) as ChainFamily[]) {
        // The page takes care of those that it passes.
        if (brings(family)) continue;
        if (!families.has(family)) {
          settle(family);
          continue;
        }
        const name = $settings.get().memory?.note(nameNote(family)) ?? '';
        change($wallets, {restoring: {...$wallets.get().restoring, [family]: name}});
        missed.add(family);
        if ($page.get().isStarted) search(family);
      }
    },
    resume: () => missed.forEach(search),
    pause() {
      for (const searching of searches) searching.abort();
      searches.clear();
    },
  };
}
