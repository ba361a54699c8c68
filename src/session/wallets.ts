import {batch, computed, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {Account, ChainAdapter, Wallet} from '../chains/adapter.js';
import type {Asset, ChainFamily} from '../domain/asset.js';
import {toSwapError} from '../domain/error.js';
import {failed, idle, pending, ready, valueOf, type Remote} from '../domain/remote.js';
import {walletNote, type Memory} from './memory.js';
import type {Accounts, Host} from './types.js';

/** How long a wallet of the last visit may take to announce itself. */
const ANNOUNCE_MS = 3_000;

/** The wallets of a page: finding them, connecting them, following them. Loaded when somebody looks for one. */
export interface Wallets {
  /** Looks for wallets of a family until the signal aborts. @throws SwapError where the family's part cannot be loaded. */
  discover(family: ChainFamily, signal: AbortSignal, found?: (wallet: Wallet) => void): Promise<void>;
  /** Asks a wallet for its account; answers whether it is connected. */
  connect(wallet: Wallet): Promise<boolean>;
  /** No longer waits for the wallet that was asked. */
  cancel(): void;
  disconnect(family: ChainFamily): void;
  /** Connects the wallet of the last visit again, if it still allows that without a window. */
  reconnect(family: ChainFamily): void;
  readBalance(): void;
}

export function createWallets({
  $accounts,
  $wallets,
  $connecting,
  $balance,
  $source,
  adapter,
  host,
  memory,
}: {
  readonly $accounts: WritableAtom<Accounts>;
  readonly $wallets: WritableAtom<readonly Wallet[]>;
  readonly $connecting: WritableAtom<Remote<Wallet>>;
  readonly $balance: WritableAtom<Remote<bigint>>;
  /** The asset that is paid with. */
  readonly $source: ReadableAtom<Asset | undefined>;
  readonly adapter: (family: ChainFamily) => Promise<ChainAdapter>;
  readonly host: Host;
  readonly memory: () => Memory | undefined;
}): Wallets {
  const watching = new Map<ChainFamily, AbortController>();
  let connecting = new AbortController();
  let turn = 0;

  const setAccount = (family: ChainFamily, account: Account | undefined) => {
    watching.get(family)?.abort();
    watching.delete(family);
    const {[family]: _previous, ...others} = $accounts.get();
    $accounts.set(account ? {...others, [family]: account} : others);
    if (!account) return;
    const watch = new AbortController();
    watching.set(family, watch);
    account.watch(changed => setAccount(family, changed), watch.signal);
    memory()?.setNote(walletNote(family), account.wallet.id);
  };

  const discover: Wallets['discover'] = async (family, signal, found) => {
    const {discover: look} = await adapter(family);
    if (signal.aborted) return;
    look(
      wallet => {
        found?.(wallet);
        const others = $wallets.get().filter(({id, family: other}) => id !== wallet.id || other !== family);
        $wallets.set([...others, wallet]);
      },
      {signal},
    );
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
    try {
      const balance = await (await adapter(asset.chain.family)).balance?.(asset, account);
      if (mine === turn) $balance.set(balance === undefined ? idle : ready(balance));
    } catch (error) {
      if (mine === turn) $balance.set(failed(toSwapError(error, 'timeout')));
    }
  };

  computed([$source, $accounts], (asset, accounts) =>
    asset ? `${asset.id} ${accounts[asset.chain.family]?.address ?? ''}` : '',
  ).subscribe(() => void readBalance());

  return {
    discover,

    async connect(wallet) {
      connecting.abort();
      const {signal} = (connecting = new AbortController());
      $connecting.set(pending(wallet));
      try {
        const account = await wallet.connect({signal});
        if (signal.aborted) return false;
        batch(() => {
          setAccount(wallet.family, account);
          $connecting.set(idle);
        });
        return true;
      } catch (error) {
        if (!signal.aborted) $connecting.set(failed(toSwapError(error, 'wallet-unclear'), wallet));
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
      const last = memory()?.note(walletNote(family));
      if (last === undefined || $accounts.get()[family]) return;
      const looking = new AbortController();
      host.after(ANNOUNCE_MS, () => looking.abort());
      discover(family, looking.signal, wallet => {
        if (wallet.id !== last || $accounts.get()[family]) return;
        looking.abort();
        wallet.connect({silent: true}).then(
          account => {
            if (!$accounts.get()[family]) setAccount(family, account);
          },
          () => undefined,
        );
      }).catch(() => undefined);
    },

    readBalance: () => void readBalance(valueOf($balance.get())),
  };
}
