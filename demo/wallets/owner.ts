/**
 * What a development wallet of any family is to its owner: it asks before it does something, is locked and unlocked,
 * changes between its accounts, and remembers what the page was allowed.
 */
import * as v from 'valibot';
import {askPerson, type Fact, type Gate, type Question} from './gate.js';

export interface OwnedSettings {
  readonly name: string;
  /** How many accounts there are; 2 unless said otherwise. */
  readonly accounts?: number;
  /** Who answers its questions: the person, in a window, unless a test does. */
  readonly gate?: Gate;
  /** Where it remembers what this page was allowed. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'>;
}

/** A wallet with real keys for local chains, and what its owner can do in it without being asked by a page. */
export interface OwnedWallet {
  readonly name: string;
  /** Who answers its questions from now on. */
  gate: Gate;
  /** The addresses of all its accounts. */
  readonly accounts: readonly string[];
  /** The active account. */
  readonly account: string;
  readonly locked: boolean;
  /** Whether this page may see the account. */
  readonly connected: boolean;
  useAccount(address: string): void;
  lock(): void;
  unlock(): void;
  /** Forgets that this page may see the account. */
  forget(): void;
  /** Tells of every change; answers how to stop. */
  watch(changed: () => void): () => void;
  /** Takes it out of the page. */
  withdraw(): void;
}

/** What every wallet does alike for its owner. */
type Controls = Omit<OwnedWallet, 'withdraw'>;

/** What a family's wallet says of itself to its owner. */
interface Holding {
  /** Where it remembers, in the storage. */
  readonly place: string;
  /** Whether the page was allowed to see the account before. */
  readonly permitted: boolean;
  /** What it remembers beside that. */
  memory(): object;
  accounts(): readonly string[];
  /** The active account. */
  account(): string;
  /** Makes the account at this place the active one. */
  choose(index: number): void;
  /** Tells the page what is different now. */
  tell(): void;
  /** The family's word for a no. */
  refusal(): Error;
}

export interface Owner {
  /** Whether the page may see the account now. */
  readonly isOpen: boolean;
  /** Changes something, remembers it, and tells page and owner what is different now. */
  change(deed: () => void): void;
  /** Asks the person, and throws the wallet's word for a no. */
  ask(question: Omit<Question, 'wallet' | 'origin'>): Promise<void>;
  /** Lets the page see the account, asking for whatever that wants. */
  connect(shown?: {readonly title: string; facts(): readonly Fact[]}): Promise<void>;
  forget(): void;
  /** Makes a wallet of what is the family's own. */
  equip<Wallet extends OwnedWallet>(own: Omit<Wallet, keyof Controls>): Wallet;
}

export function createOwner({name, storage = localStorage, ...settings}: OwnedSettings, holding: Holding): Owner {
  const watchers = new Set<() => void>();
  let gate = settings.gate ?? askPerson;
  let {permitted} = holding;
  let locked = false;

  const change = (deed: () => void) => {
    deed();
    storage.setItem(holding.place, JSON.stringify({permitted, ...holding.memory()}));
    holding.tell();
    for (const watcher of watchers) watcher();
  };
  const unlock = () => {
    change(() => (locked = false));
  };
  const forget = () => {
    change(() => (permitted = false));
  };
  const ask: Owner['ask'] = async question => {
    if (!(await gate({wallet: name, origin: location.host, ...question}))) throw holding.refusal();
  };

  const controls: Controls = {
    name,
    get gate() {
      return gate;
    },
    set gate(other) {
      gate = other;
    },
    get accounts() {
      return holding.accounts();
    },
    get account() {
      return holding.account();
    },
    get locked() {
      return locked;
    },
    get connected() {
      return permitted;
    },
    useAccount(address) {
      const index = holding.accounts().indexOf(address);
      if (index < 0) throw new Error(`${name} has no account ${address}.`);
      change(() => {
        holding.choose(index);
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
    get isOpen() {
      return permitted && !locked;
    },
    change,
    ask,
    async connect(shown) {
      if (locked) {
        const text = 'It is locked, and the page asks for an account.';
        await ask({kind: 'unlock', title: 'Unlock this wallet', text, facts: []});
        unlock();
      }
      if (!permitted) {
        await ask({
          kind: 'connect',
          title: shown?.title ?? 'Show your address to this page',
          text: 'Without asking again it can move nothing.',
          facts: shown?.facts() ?? [{label: 'Account', value: holding.account(), exact: true}],
        });
        change(() => (permitted = true));
      }
    },
    forget,
    // What changes is read at each look: the getters themselves go over, not what they say now.
    equip: <Wallet>(own: Omit<Wallet, keyof Controls>) =>
      Object.defineProperties(own, Object.getOwnPropertyDescriptors(controls)) as Wallet,
  };
}

/** What a wallet remembers of this page; `undefined`, where what it finds is not its own. */
export function recall<const Schema extends v.GenericSchema>(
  {storage = localStorage}: OwnedSettings,
  place: string,
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  const {success, output} = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), storage.getItem(place));
  return success ? output : undefined;
}

/** @throws Error unless a page of this host comes from this very machine. */
export function assertLoopback(host: string) {
  const loopback = host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
  if (!loopback && !host.endsWith('.localhost')) {
    throw new Error(`Development wallets are for this very machine alone, not for “${host}”.`);
  }
}

/** The wallet's mark as a `data:` image: its initial. */
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
