import {effect} from 'nanostores';
import {toSwapError} from '../domain/error.js';
import {failed, idle, pending, ready, valueOf} from '../domain/remote.js';
import {change, type SessionCore} from './shared.js';

/** The balances of the connected accounts. One known to be too small prevents the review; an unknown one does not. */
interface AccountBalances {
  readBalance(): void;
  /** Reads the connected accounts' balances of all assets. */
  readBalances(): void;
}

export function createBalances(core: SessionCore): AccountBalances {
  const {$facts, $settings, $wallets, $page, adapter} = core;
  let turn = 0;
  let isDue = false;

  const readBalance = async (last?: bigint) => {
    const mine = ++turn;
    isDue = !$page.get().isRendered;
    const asset = $settings.get().config?.catalogue.find($facts.get().draft.from);
    const account = asset && $wallets.get().accounts[asset.chain.family];
    if (!account) {
      change($wallets, {balance: idle});
      return;
    }
    if (isDue) {
      // Another account's balance does not apply.
      if (last === undefined) change($wallets, {balance: idle, reserve: 0n});
      return;
    }
    change($wallets, {balance: pending(last), ...(last === undefined && {reserve: 0n})});
    try {
      const family = await adapter(asset.chain.family);
      const [balance, reserve] = await Promise.all([
        family.means.balance(asset, account),
        family.means.reserve?.(asset, account).catch(() => undefined),
      ]);
      if (mine !== turn) return;
      change($wallets, {reserve: reserve ?? 0n, balance: balance === undefined ? idle : ready(balance)});
    } catch (error) {
      if (mine === turn) change($wallets, {balance: failed(toSwapError(error, 'timeout'))});
    }
  };

  let before: string | undefined;
  effect([$facts, $settings, $wallets], ({draft}, {config}, {accounts}) => {
    const asset = config?.catalogue.find(draft.from);
    const now = asset ? `${asset.id} ${accounts[asset.chain.family]?.address ?? ''}` : '';
    if (now === before) return;
    before = now;
    void readBalance();
  });
  $page.listen(() => {
    if (isDue) void readBalance();
  });

  return {
    readBalance: () => void readBalance(valueOf($wallets.get().balance)),

    readBalances() {
      for (const asset of $settings.get().config?.catalogue.assets ?? []) {
        const {family} = asset.chain;
        const account = $wallets.get().accounts[family];
        if (!account) continue;
        adapter(family)
          .then(({means}) => means.balance(asset, account))
          .then(
            balance => {
              const {accounts, balances} = $wallets.get();
              if (balance === undefined || accounts[family] !== account) return;
              change($wallets, {balances: {...balances, [asset.id]: balance}});
            },
            () => undefined,
          );
      }
    },
  };
}
