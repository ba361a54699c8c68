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
import {assertLoopback, createOwner, drawIcon, first, recall, type OwnedSettings, type OwnedWallet} from './owner.js';
import {messageText, readTransaction, wordTransaction} from './solana-questions.js';

export interface SolanaChain {
  /** The cluster's name by the Wallet Standard: `solana:devnet`. */
  readonly chain: IdentifierString;
  /** Where the node answers JSON-RPC. */
  readonly rpc: string;
  readonly name: string;
}

export interface SolanaWalletSettings extends OwnedSettings {
  /** A wallet is known again by its name (Wallet Standard). */
  readonly name: string;
  /** The words that the first account's key is made from; those of the others are made from them too. */
  readonly words: string;
  /** The clusters it knows. */
  readonly chains: readonly SolanaChain[];
}

type Features = StandardConnectFeature &
  StandardDisconnectFeature &
  StandardEventsFeature &
  SolanaSignTransactionFeature &
  SolanaSignAndSendTransactionFeature &
  SolanaSignMessageFeature;

/** A wallet with real keys for local chains, and what its owner can do in it without being asked by a page. */
export interface SolanaWallet extends OwnedWallet {
  /** What a page talks to (Wallet Standard). */
  readonly standard: StandardWallet & {readonly features: Features};
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
  const {name, chains} = settings;
  const signers = deriveSigners(settings.words, settings.accounts ?? 2);
  const place = `development-wallet:solana:${name}`;
  const memory = recall(settings, place, Memory) ?? {permitted: false};
  const listeners = new Set<StandardEventsListeners['change']>();

  let signer = signers.find(({address}) => address === memory.account) ?? first(signers);

  const owner = createOwner(settings, {
    place,
    permitted: memory.permitted,
    memory: () => ({account: signer.address}),
    accounts: () => signers.map(({address}) => address),
    account: () => signer.address,
    choose: index => (signer = signers[index] ?? signer),
    tell() {
      const before = visible[0]?.address;
      if (look()[0]?.address === before) return;
      for (const listener of [...listeners]) listener({accounts: visible});
    },
    refusal: () => new ProviderRpcError(REJECTED, 'User rejected the request.'),
  });
  const {ask} = owner;

  const toAccount = ({address, publicKey}: Signer): WalletAccount =>
    Object.freeze({address, publicKey, chains: chains.map(({chain}) => chain), features: FEATURES});
  /** One and the same object until something changes: pages compare accounts by identity. */
  let visible: readonly WalletAccount[] = [];
  const look = () => (visible = Object.freeze(owner.isOpen ? [toAccount(signer)] : []));
  look();

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
    await owner.connect();
    return {accounts: visible};
  };

  const features: Features = {
    'standard:connect': {version: '1.0.0', connect},
    'standard:disconnect': {
      version: '1.0.0',
      disconnect: async () => {
        await Promise.resolve();
        owner.forget();
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

  return owner.equip<SolanaWallet>({
    standard,
    withdraw: registerWallet(standard),
  });
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
