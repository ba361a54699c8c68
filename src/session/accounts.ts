import {batch, computed, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {Account, Adapters, ChainAdapter, Wallet} from '../chains/adapter.js';
import {formatAmount} from '../domain/amount.js';
import type {Asset, ChainFamily} from '../domain/asset.js';
import type {Draft} from '../domain/draft.js';
import {SwapError, toSwapError, type SwapErrorCode} from '../domain/error.js';
import {failed, idle, pending, ready, valueOf, type Remote} from '../domain/remote.js';
import {walletNote, type Memory} from './storage.js';
import type {Accounts, Balances, ConnectOptions, Host, SessionConfig, SessionEvent} from './types.js';

/** How long a wallet of the last visit may take to announce itself. */
const ANNOUNCE_MS = 3_000;

/** How a wallet says, asked without a window, that it has no account for this page any more. */
const GONE: ReadonlySet<SwapErrorCode> = new Set(['wallet-locked', 'wallet-missing', 'rejected']);

/** The wallets of a page: finding them, connecting them, following them. Loaded when somebody looks for one. */
export interface Wallets {
  /**
   * Takes the wallets that the page brings, and connects those that allow it without a window.
   * @throws SwapError `config` for one that is none, `timeout` where its family's part cannot be loaded.
   */
  configure(settings: SessionConfig): Promise<void>;
  /** Looks for wallets of a family until the signal aborts. @throws SwapError where the family's part cannot be loaded. */
  discover(family: ChainFamily, signal: AbortSignal, found?: (wallet: Wallet) => void): Promise<void>;
  /** Asks a wallet for its account; answers whether it is connected. */
  connect(wallet: Wallet | ChainFamily, options?: ConnectOptions): Promise<boolean>;
  /** No longer waits for the wallet that was asked. */
  cancel(): void;
  disconnect(family: ChainFamily): void;
  /** Connects the wallet of the last visit again, if it still allows that without a window. */
  reconnect(family: ChainFamily): void;
  readBalance(): void;
  /** Looks what the connected accounts have of all assets. */
  readBalances(): void;
  /** Puts so many percent of the balance into the draft, less what the chain's fee takes. */
  useShare(percent: number): void;
}

export function createWallets({
  $accounts,
  $wallets,
  $connecting,
  $balance,
  $reserve,
  $balances,
  edit,
  $source,
  $config,
  $running,
  adapters,
  adapter,
  host,
  memory,
  tell,
}: {
  readonly $accounts: WritableAtom<Accounts>;
  readonly $wallets: WritableAtom<readonly Wallet[]>;
  readonly $connecting: WritableAtom<Remote<Wallet>>;
  readonly $balance: WritableAtom<Remote<bigint>>;
  readonly $reserve: WritableAtom<bigint>;
  readonly $balances: WritableAtom<Balances>;
  readonly edit: (change: Partial<Draft>) => void;
  /** The asset that is paid with. */
  readonly $source: ReadableAtom<Asset | undefined>;
  readonly $config: ReadableAtom<SessionConfig | undefined>;
  /** How many have started the session. Where nobody has, or does any more, no wallet is listened to. */
  readonly $running: ReadableAtom<number>;
  /** The families of this build. */
  readonly adapters: Adapters;
  readonly adapter: (family: ChainFamily) => Promise<ChainAdapter>;
  readonly host: Host;
  readonly memory: () => Memory | undefined;
  readonly tell: (event: SessionEvent) => void;
}): Wallets {
  const watching = new Map<ChainFamily, AbortController>();
  /** Families whose wallet of the last visit has not shown yet, and the searches for them. */
  const missed = new Set<ChainFamily>();
  const searches = new Set<AbortController>();
  /** What the page brought, as it gave it. */
  const brought = new Map<ChainFamily, unknown>();
  /** Wallets of the page's. Nobody chose them in a list, so none is remembered for one. */
  const own = new WeakSet<Wallet>();
  let connecting = new AbortController();
  let turn = 0;

  const isRunning = () => $running.get() > 0;

  const watch = (family: ChainFamily, account: Account | undefined) => {
    watching.get(family)?.abort();
    watching.delete(family);
    if (!account || !isRunning()) return;
    const watched = new AbortController();
    watching.set(family, watched);
    account.watch(changed => setAccount(family, changed), watched.signal);
  };

  const setAccount = (family: ChainFamily, account: Account | undefined) => {
    watch(family, account);
    const {[family]: _previous, ...others} = $accounts.get();
    $accounts.set(account ? {...others, [family]: account} : others);
    if (account && !own.has(account.wallet)) memory()?.setNote(walletNote(family), account.wallet.id);
  };

  /** Looks who is there, after nobody listened for a while. A wallet that does not say is taken to be as it was. */
  const readAnew = async (family: ChainFamily, account: Account) => {
    let present: Account | undefined;
    try {
      present = await account.wallet.connect({silent: true});
    } catch (error) {
      if (!(error instanceof SwapError) || !GONE.has(error.code)) return;
    }
    if ($accounts.get()[family] === account && present?.address !== account.address) setAccount(family, present);
  };

  const walletOf = async (family: ChainFamily, given: unknown): Promise<Wallet> => {
    const wallet = await (await adapter(family)).walletOf?.(given);
    if (!wallet) throw new SwapError('config', {field: `wallets.${family}`, detail: 'No such wallet can be brought.'});
    own.add(wallet);
    return wallet;
  };

  /** Connects a wallet if it still allows that without a window, and nobody has connected another one meanwhile. */
  const connectSilently = async (wallet: Wallet) => {
    const account = await wallet.connect({silent: true}).catch(() => undefined);
    if (account && !$accounts.get()[wallet.family]) setAccount(wallet.family, account);
  };

  const discover: Wallets['discover'] = async (family, signal, found) => {
    const {discover: look} = await adapter(family);
    if (signal.aborted) return;
    look(
      wallet => {
        found?.(wallet);
        const others = $wallets.get().filter(({id, family: other}) => id !== wallet.id || other !== family);
        const isLast = wallet.id === memory()?.note(walletNote(family));
        $wallets.set(isLast ? [wallet, ...others] : [...others, wallet]);
      },
      {signal, elsewhere: elsewhere(family)},
    );
  };

  const elsewhere = (family: ChainFamily) => {
    const {walletConnect: projectId, catalogue} = $config.get() ?? {};
    if (!projectId || !catalogue) return undefined;
    const chains = catalogue.assets.map(({chain}) => chain).filter(chain => chain.family === family);
    return {projectId, chains: [...new Set(chains)]};
  };

  /** A balance is a comfort: it advises and never blocks. */
  const readBalance = async (last?: bigint) => {
    const mine = ++turn;
    const asset = $source.get();
    const account = asset && $accounts.get()[asset.chain.family];
    if (!account) {
      $balance.set(idle);
      return;
    }
    $balance.set(pending(last));
    if (last === undefined) $reserve.set(0n);
    try {
      const family = await adapter(asset.chain.family);
      const [balance, reserve] = await Promise.all([
        family.balance?.(asset, account),
        family.reserve?.(asset, account).catch(() => undefined),
      ]);
      if (mine !== turn) return;
      batch(() => {
        $reserve.set(reserve ?? 0n);
        $balance.set(balance === undefined ? idle : ready(balance));
      });
    } catch (error) {
      if (mine === turn) $balance.set(failed(toSwapError(error, 'timeout')));
    }
  };

  computed([$source, $accounts], (asset, accounts) =>
    asset ? `${asset.id} ${accounts[asset.chain.family]?.address ?? ''}` : '',
  ).subscribe(() => void readBalance());
  $accounts.listen(() => $balances.set({}));

  /** The wallet that the page means for a family, by its answer or because it brought one; `undefined` where none. */
  const findOwn = async (family: ChainFamily, answer: Promise<unknown> | undefined) => {
    let given: unknown;
    try {
      given = answer ? await answer : brought.get(family);
    } catch (cause) {
      throw new SwapError('wallet-missing', {detail: toSwapError(cause, 'held').detail, cause});
    }
    return given == null ? undefined : walletOf(family, given);
  };

  /** Looks for the wallet of the last visit, as long as one may take to announce itself and somebody is there. */
  const lookFor = (family: ChainFamily) => {
    const last = memory()?.note(walletNote(family));
    const looking = new AbortController();
    searches.add(looking);
    const end = () => {
      missed.delete(family);
      searches.delete(looking);
      looking.abort();
    };
    if (last === undefined || brought.get(family) !== undefined || $accounts.get()[family]) {
      end();
      return;
    }
    host.after(ANNOUNCE_MS, () => {
      if (!looking.signal.aborted) end();
    });
    discover(family, looking.signal, wallet => {
      if (wallet.id !== last || $accounts.get()[family]) return;
      end();
      void connectSilently(wallet);
    }).catch(() => undefined);
  };

  /** Nobody is there: what wallets do is of no interest. */
  const rest = () => {
    for (const work of [...watching.values(), ...searches]) work.abort();
    watching.clear();
    searches.clear();
  };

  computed($running, running => running > 0).subscribe(running => {
    if (!running) {
      rest();
      return;
    }
    for (const [family, account] of Object.entries($accounts.get()) as [ChainFamily, Account][]) {
      watch(family, account);
      void readAnew(family, account);
    }
    missed.forEach(lookFor);
  });

  return {
    discover,

    async configure({catalogue, wallets = {}}) {
      const families = Object.keys(adapters);
      const unknown = Object.keys(wallets).find(family => !families.includes(family));
      if (unknown !== undefined) {
        throw new SwapError('config', {
          field: `wallets.${unknown}`,
          detail: `There is no such family of chains. There are ${families.join(', ')}.`,
        });
      }
      const known = new Set(catalogue.assets.map(({chain}) => chain.family));
      await Promise.all(
        [...known].map(async family => {
          const given = wallets[family] ?? undefined;
          const isNew = given !== brought.get(family);
          brought.set(family, given);
          // The page speaks for its visitor: another wallet than its own is not used any more, nor one that it took back.
          if (isNew) setAccount(family, undefined);
          if (given === undefined) return;
          const wallet = await walletOf(family, given);
          if (isNew && brought.get(family) === given) await connectSilently(wallet);
        }),
      );
    },

    async connect(which, {answer, onWindow} = {}) {
      connecting.abort();
      const {signal} = (connecting = new AbortController());
      const isOver = () => signal.aborted;
      let wallet: Wallet | undefined;
      $connecting.set(pending());
      try {
        wallet = typeof which === 'string' ? await findOwn(which, answer) : which;
        if (isOver()) return false;
        $connecting.set(wallet ? pending(wallet) : idle);
        const account = await wallet?.connect({signal, ...(onWindow && {onWindow})});
        if (isOver() || !account) return false;
        batch(() => {
          setAccount(account.family, account);
          $connecting.set(idle);
        });
        return true;
      } catch (cause) {
        const error = toSwapError(cause, 'wallet-unclear');
        if (error.code === 'config') tell({type: 'error', error});
        if (!isOver()) $connecting.set(failed(error, wallet));
        return false;
      }
    },

    cancel() {
      connecting.abort();
      $connecting.set(idle);
    },

    disconnect(family) {
      setAccount(family, undefined);
      memory()?.setNote(walletNote(family), undefined);
    },

    reconnect(family) {
      missed.add(family);
      if (isRunning()) lookFor(family);
    },

    readBalance: () => void readBalance(valueOf($balance.get())),

    readBalances() {
      for (const asset of $config.get()?.catalogue.assets ?? []) {
        const {family} = asset.chain;
        const account = $accounts.get()[family];
        if (!account) continue;
        adapter(family)
          .then(({balance}) => balance?.(asset, account))
          .then(
            balance => {
              if (balance === undefined || $accounts.get()[family] !== account) return;
              $balances.set({...$balances.get(), [asset.id]: balance});
            },
            () => undefined,
          );
      }
    },

    useShare(percent) {
      const asset = $source.get();
      const balance = valueOf($balance.get());
      if (balance === undefined || !asset) return;
      const spendable = balance > $reserve.get() ? balance - $reserve.get() : 0n;
      edit({amount: formatAmount((spendable * BigInt(percent)) / 100n, asset.decimals)});
    },
  };
}
