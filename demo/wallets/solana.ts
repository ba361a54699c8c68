import {ed25519} from '@noble/curves/ed25519.js';
import {sha256} from '@noble/hashes/sha2.js';
import {concatBytes, utf8ToBytes} from '@noble/hashes/utils.js';
import {getBase58Decoder, getBase64Decoder} from '@solana/kit';
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import type {
  IdentifierString,
  Wallet as StandardWallet,
  WalletAccount,
  WindowAppReadyEventAPI,
} from '@wallet-standard/base';
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
  StandardEventsListeners,
} from '@wallet-standard/features';
import * as v from 'valibot';
import {callRpc, ProviderRpcError, REJECTED, UNAUTHORIZED} from './evm-requests.js';
import {assertLoopback, drawIcon} from './evm.js';
import {askPerson, type Gate, type Question} from './gate.js';
import {messageText, readTransaction, wordTransaction} from './solana-questions.js';

export interface SolanaChain {
  /** The cluster's name by the Wallet Standard: `solana:devnet`. */
  readonly chain: IdentifierString;
  /** Where the node answers JSON-RPC. */
  readonly rpc: string;
  readonly name: string;
}

export interface SolanaWalletSettings {
  /** A wallet is known again by its name (Wallet Standard). */
  readonly name: string;
  /** The words that the first account's key is made from; those of the others are made from them too. */
  readonly words: string;
  /** How many accounts there are; 2 unless said otherwise. */
  readonly accounts?: number;
  /** The clusters it knows. */
  readonly chains: readonly SolanaChain[];
  /** Who answers its questions: the person, in a window, unless a test does. */
  readonly gate?: Gate;
  /** Where it remembers what this page was allowed. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'>;
}

type Features = StandardConnectFeature &
  StandardDisconnectFeature &
  StandardEventsFeature &
  SolanaSignTransactionFeature &
  SolanaSignAndSendTransactionFeature &
  SolanaSignMessageFeature;

/** A wallet with real keys for local chains, and what its owner can do in it without being asked by a page. */
export interface SolanaWallet {
  readonly name: string;
  /** What a page talks to (Wallet Standard). */
  readonly standard: StandardWallet & {readonly features: Features};
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
  /** Tells of every change of the above; answers how to stop. */
  watch(changed: () => void): () => void;
  /** Takes its registration back. */
  withdraw(): void;
}

/** What the features say of a request that is ill-formed (JSON-RPC 2.0). */
const INVALID_PARAMS = -32602;

interface Signer {
  readonly secret: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly address: string;
}

/**
 * Makes a wallet and registers it with the page (Wallet Standard).
 * @throws Error anywhere but on this very machine: its keys are no secret.
 */
export function createSolanaWallet(settings: SolanaWalletSettings): SolanaWallet {
  assertLoopback(location.hostname);
  const {name, chains, storage = localStorage} = settings;
  const signers = deriveSigners(settings.words, settings.accounts ?? 2);
  const place = `development-wallet:solana:${name}`;
  const memory = readMemory(storage.getItem(place));
  const listeners = new Set<StandardEventsListeners['change']>();
  const watchers = new Set<() => void>();

  let gate = settings.gate ?? askPerson;
  let signer = signers.find(({address}) => address === memory.account) ?? first(signers);
  let {permitted} = memory;
  let locked = false;

  const toAccount = ({address, publicKey}: Signer): WalletAccount =>
    Object.freeze({address, publicKey, chains: chains.map(({chain}) => chain), features: FEATURES});
  /** One and the same object until something changes: pages compare accounts by identity. */
  let visible: readonly WalletAccount[] = [];
  const look = () => (visible = Object.freeze(permitted && !locked ? [toAccount(signer)] : []));
  look();

  /** Changes something, remembers it, and tells page and owner what is different now. */
  const change = (deed: () => void) => {
    const before = visible[0]?.address;
    deed();
    storage.setItem(place, JSON.stringify({permitted, account: signer.address}));
    if (look()[0]?.address !== before) {
      for (const listener of [...listeners]) listener({accounts: visible});
    }
    for (const watcher of watchers) watcher();
  };

  /** Asks the person, and throws the wallet's word for a no. */
  const ask = async (question: Omit<Question, 'wallet' | 'origin'>) => {
    if (!(await gate({wallet: name, origin: location.host, ...question}))) {
      throw new ProviderRpcError(REJECTED, 'User rejected the request.');
    }
  };

  /** The signer of an account that this page may use. */
  const signerOf = ({address}: WalletAccount): Signer => {
    if (visible[0]?.address !== address) {
      throw new ProviderRpcError(UNAUTHORIZED, `The page may not use the account ${address}.`);
    }
    return signer;
  };

  const chainOf = (wanted: string | undefined): SolanaChain => {
    const chain = wanted === undefined ? chains[0] : chains.find(one => one.chain === wanted);
    if (!chain) throw new ProviderRpcError(INVALID_PARAMS, `This wallet does not know ${String(wanted)}.`);
    return chain;
  };

  /** Shows a transaction to the person, and signs it after a yes. */
  const sign = async (account: WalletAccount, bytes: Uint8Array, chain: SolanaChain) => {
    const by = signerOf(account);
    const transaction = readTransaction(bytes);
    const place = transaction.signers.indexOf(by.address);
    if (place < 0) throw new ProviderRpcError(INVALID_PARAMS, `The transaction wants no signature of ${by.address}.`);
    await ask({kind: 'send', ...wordTransaction(transaction, by.address, chain, await readFee(chain, transaction))});
    const signature = ed25519.sign(transaction.message, by.secret);
    const signed = bytes.slice();
    signed.set(signature, 1 + place * signature.length);
    return {signed, signature};
  };

  const connect: StandardConnectFeature['standard:connect']['connect'] = async ({silent = false} = {}) => {
    if (silent) return {accounts: visible};
    if (locked) {
      await ask({
        kind: 'unlock',
        title: 'Unlock this wallet',
        text: 'It is locked, and the page asks for an account.',
        facts: [],
      });
      change(() => (locked = false));
    }
    if (!permitted) {
      await ask({
        kind: 'connect',
        title: 'Show your address to this page',
        text: 'Without asking again it can move nothing.',
        facts: [{label: 'Account', value: signer.address, exact: true}],
      });
      change(() => (permitted = true));
    }
    return {accounts: visible};
  };

  const features: Features = {
    'standard:connect': {version: '1.0.0', connect},
    'standard:disconnect': {
      version: '1.0.0',
      disconnect: async () => {
        await Promise.resolve();
        change(() => (permitted = false));
      },
    },
    'standard:events': {
      version: '1.0.0',
      on: (_, listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signTransaction: (...inputs) =>
        inTurn(inputs, async ({account, transaction, chain}) => ({
          signedTransaction: (await sign(account, transaction, chainOf(chain))).signed,
        })),
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signAndSendTransaction: (...inputs) =>
        inTurn(inputs, async ({account, transaction, chain, options}) => {
          const on = chainOf(chain);
          const {signed, signature} = await sign(account, transaction, on);
          await callRpc(on.rpc, 'sendTransaction', [
            getBase64Decoder().decode(signed),
            {encoding: 'base64', preflightCommitment: 'processed', skipPreflight: options?.skipPreflight ?? false},
          ]);
          return {signature};
        }),
    },
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: (...inputs) =>
        inTurn(inputs, async ({account, message}) => {
          const by = signerOf(account);
          // What could be a transaction is not signed as a mere message.
          if (isTransactionMessage(message)) throw new ProviderRpcError(INVALID_PARAMS, 'This is a transaction.');
          await ask({
            kind: 'message',
            title: 'Sign a message',
            text: 'It moves nothing by itself.',
            facts: [
              {label: 'Message', value: new TextDecoder().decode(message)},
              {label: 'Signer', value: by.address, exact: true},
            ],
          });
          return {signedMessage: message.slice(), signature: ed25519.sign(message, by.secret)};
        }),
    },
  };

  const standard: SolanaWallet['standard'] = Object.freeze({
    version: '1.0.0' as const,
    name,
    icon: toBase64(drawIcon(name)),
    chains: Object.freeze(chains.map(({chain}) => chain)),
    get accounts() {
      return visible;
    },
    features,
  });

  return {
    name,
    standard,
    get gate() {
      return gate;
    },
    set gate(other) {
      gate = other;
    },
    accounts: signers.map(({address}) => address),
    get account() {
      return signer.address;
    },
    get locked() {
      return locked;
    },
    get connected() {
      return permitted;
    },
    useAccount(address) {
      const wanted = signers.find(one => one.address === address);
      if (!wanted) throw new Error(`${name} has no account ${address}.`);
      change(() => (signer = wanted));
    },
    lock() {
      change(() => (locked = true));
    },
    unlock() {
      change(() => (locked = false));
    },
    forget() {
      change(() => (permitted = false));
    },
    watch(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    withdraw: registerWallet(standard),
  };
}

/**
 * Registers a wallet with every page that asks, now and later (Wallet Standard), until the answer is called. It speaks
 * the standard's two events itself: the standard's own helper drops the way to take a registration back.
 */
export function registerWallet(wallet: StandardWallet): () => void {
  const unregister: (() => void)[] = [];
  const callback = ({register}: WindowAppReadyEventAPI) => unregister.push(register(wallet));
  const hear = (event: Event) => callback((event as CustomEvent<WindowAppReadyEventAPI>).detail);
  addEventListener('wallet-standard:app-ready', hear);
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', {detail: callback}));
  return () => {
    removeEventListener('wallet-standard:app-ready', hear);
    for (const leave of unregister.splice(0)) leave();
  };
}

const FEATURES = ['solana:signTransaction', 'solana:signAndSendTransaction', 'solana:signMessage'] as const;

function deriveSigners(words: string, count: number): Signer[] {
  const seed = sha256(utf8ToBytes(words));
  return Array.from({length: count}, (_, index) => {
    const secret = index === 0 ? seed : sha256(concatBytes(seed, Uint8Array.of(index)));
    const publicKey = ed25519.getPublicKey(secret);
    return {secret, publicKey, address: getBase58Decoder().decode(publicKey)};
  });
}

/** What the network takes for a transaction; a node that cannot tell leaves the fee for each signature. */
async function readFee({rpc}: SolanaChain, transaction: Parameters<typeof messageText>[0]): Promise<bigint> {
  const least = 5_000n * BigInt(transaction.signers.length);
  const answer = await callRpc(rpc, 'getFeeForMessage', [messageText(transaction), {commitment: 'processed'}]).catch(
    () => undefined,
  );
  const {success, output} = v.safeParse(v.object({value: v.number()}), answer);
  return success ? BigInt(output.value) : least;
}

/** Does one after the other what a page asked for at once: one question at a time. */
async function inTurn<Input, Output>(inputs: readonly Input[], work: (input: Input) => Promise<Output>) {
  const outputs: Output[] = [];
  for (const input of inputs) outputs.push(await work(input));
  return outputs;
}

function isTransactionMessage(bytes: Uint8Array): boolean {
  try {
    const wire = concatBytes(Uint8Array.of(1), new Uint8Array(64), bytes);
    return readTransaction(wire).calls.length > 0;
  } catch {
    return false;
  }
}

/** The standard wants its pictures in base64. */
function toBase64(icon: string): `data:image/svg+xml;base64,${string}` {
  return `data:image/svg+xml;base64,${btoa(decodeURIComponent(icon.slice(icon.indexOf(',') + 1)))}`;
}

const Memory = v.object({permitted: v.boolean(), account: v.optional(v.string())});

/** What the wallet remembers of this page; nothing, where what it finds is not its own. */
function readMemory(text: string | null): v.InferOutput<typeof Memory> {
  const {success, output} = v.safeParse(v.pipe(v.string(), v.parseJson(), Memory), text);
  return success ? output : {permitted: false};
}

function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('A wallet needs at least one account.');
  return item;
}
