/**
 * What development wallets of all families have in common: they prompt before they act, lock and unlock, switch
 * accounts, and remember whether the page may see the account.
 */
import * as v from 'valibot';
import {showPrompt, type Fact, type Approver, type Prompt} from './prompt.js';

/** The number of accounts of each wallet. */
export const ACCOUNTS = 2;

export interface CoreSettings {
  readonly name: string;
  /** Answers its prompts: by default the person, in a window; in tests a function. */
  readonly approver?: Approver;
  /** Where it remembers the permissions of this page; `localStorage` by default. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'>;
}

/** A wallet with real keys for local chains, and what its owner can do in it without a request from a page. */
export interface CoreWallet {
  readonly name: string;
  /** Answers its prompts from now on. */
  approver: Approver;
  readonly accounts: readonly string[];
  readonly account: string;
  readonly locked: boolean;
  readonly connected: boolean;
  useAccount(address: string): void;
  lock(): void;
  unlock(): void;
  /** Revokes this page's permission. */
  forget(): void;
  /** Calls back on every change; returns a function that stops it. */
  watch(changed: () => void): () => void;
  withdraw(): void;
}

type Controls = Omit<CoreWallet, 'withdraw'>;

interface FamilyWallet {
  readonly storageKey: string;
  /** Whether the page had permission when it was last open. */
  readonly permitted: boolean;
  saved(): object;
  accounts(): readonly string[];
  account(): string;
  selectAccount(index: number): void;
  notifyPage(): void;
  /** The error that the family's standard has for a rejection. */
  rejection(): Error;
}

export interface WalletCore {
  /** Whether the page can see the account: it has permission, and the wallet is unlocked. */
  readonly isExposed: boolean;
  /** Applies a change, stores it, and notifies the page and the owner. */
  change(apply: () => void): void;
  /** Prompts the person; throws the family's error if they reject. */
  prompt(prompt: Omit<Prompt, 'wallet' | 'origin'>): Promise<void>;
  /** Gives the page permission to see the account, with the prompts that this needs. */
  connect(shown?: {readonly title: string; facts(): readonly Fact[]}): Promise<void>;
  forget(): void;
  withControls<Wallet extends CoreWallet>(own: Omit<Wallet, keyof Controls>): Wallet;
}

export function createWalletCore(
  {name, storage = localStorage, ...settings}: CoreSettings,
  family: FamilyWallet,
): WalletCore {
  const watchers = new Set<() => void>();
  let approver = settings.approver ?? showPrompt;
  let {permitted} = family;
  let locked = false;

  const change = (apply: () => void) => {
    apply();
    storage.setItem(family.storageKey, JSON.stringify({permitted, ...family.saved()}));
    family.notifyPage();
    for (const watcher of watchers) watcher();
  };
  const unlock = () => {
    change(() => (locked = false));
  };
  const forget = () => {
    change(() => (permitted = false));
  };
  const prompt: WalletCore['prompt'] = async prompt => {
    if (!(await approver({wallet: name, origin: location.host, ...prompt}))) throw family.rejection();
  };

  const controls: Controls = {
    name,
    get approver() {
      return approver;
    },
    set approver(other) {
      approver = other;
    },
    get accounts() {
      return family.accounts();
    },
    get account() {
      return family.account();
    },
    get locked() {
      return locked;
    },
    get connected() {
      return permitted;
    },
    useAccount(address) {
      const index = family.accounts().indexOf(address);
      if (index < 0) throw new Error(`${name} has no account ${address}.`);
      change(() => {
        family.selectAccount(index);
      });
    },
    lock() {
      change(() => (locked = true));
    },
    unlock,
    forget,
    watch(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
  };

  return {
    get isExposed() {
      return permitted && !locked;
    },
    change,
    prompt,
    async connect(shown) {
      if (locked) {
        const text = 'It is locked, and the page has requested an account.';
        await prompt({kind: 'unlock', title: 'Unlock this wallet', text, facts: []});
        unlock();
      }
      if (!permitted) {
        await prompt({
          kind: 'connect',
          title: shown?.title ?? 'Show your address to this page',
          text: 'It cannot move anything without asking you again.',
          facts: shown?.facts() ?? [{label: 'Account', value: family.account(), exact: true}],
        });
        change(() => (permitted = true));
      }
    },
    forget,
    // Copies the getters themselves, not their current values.
    withControls: <Wallet>(own: Omit<Wallet, keyof Controls>) =>
      Object.defineProperties(own, Object.getOwnPropertyDescriptors(controls)) as Wallet,
  };
}

/** Reads what a wallet stored for this page; `undefined` if there is nothing valid. */
export function restore<const Schema extends v.GenericSchema>(
  {storage = localStorage}: CoreSettings,
  place: string,
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  const {success, output} = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), storage.getItem(place));
  return success ? output : undefined;
}

/** Reads a request's parameters; throws an error that names the first invalid one. */
export function parseParams<const Schema extends v.GenericSchema>(
  schema: Schema,
  params: unknown,
  invalid: (message: string) => Error,
): v.InferOutput<Schema> {
  const {success, output, issues} = v.safeParse(schema, params);
  if (success) return output;
  const [issue] = issues;
  throw invalid(`${v.getDotPath(issue) ?? 'params'}: ${issue.message}`);
}

/** @throws Error unless this host is a loopback address. */
export function assertLoopback(host: string) {
  const loopback = host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
  if (!loopback && !host.endsWith('.localhost')) {
    throw new Error(`Development wallets only run on loopback addresses, not on “${host}”.`);
  }
}

/** The wallet's icon as a `data:` image: its initial. */
export function drawIcon(name: string): string {
  const initial = name.slice(0, 1).replace(/[^\w]/, '·');
  return `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="10" fill="#e9e6df"/>' +
      '<text x="20" y="26" text-anchor="middle" font-family="system-ui,sans-serif" font-size="17" font-weight="600" ' +
      `fill="#6b4a12">${initial}</text></svg>`,
  )}`;
}

export function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('A wallet needs at least one chain and one account.');
  return item;
}
