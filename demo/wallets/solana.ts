import {ed25519} from '@noble/curves/ed25519.js';
import {sha256} from '@noble/hashes/sha2.js';
import {concatBytes, utf8ToBytes} from '@noble/hashes/utils.js';
import {getBase58Decoder, getBase64Decoder} from '@solana/kit';
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features';
import type {Wallet as StandardWallet, WalletAccount, WindowAppReadyEventAPI} from '@wallet-standard/base';
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
  StandardEventsListeners,
} from '@wallet-standard/features';
import * as v from 'valibot';
import {callRpc, INVALID_PARAMS, ProviderRpcError, REJECTED, UNAUTHORIZED} from './evm-requests.js';
import {
  ACCOUNTS,
  assertLoopback,
  createWalletCore,
  drawIcon,
  first,
  restore,
  type CoreSettings,
  type CoreWallet,
} from './wallet-core.js';
import {describeTransaction, messageText, readTransaction, type SolanaChain} from './solana-prompts.js';

export interface SolanaWalletSettings extends CoreSettings {
  /** Its name, which identifies it (Wallet Standard). */
  readonly name: string;
  readonly seedPhrase: string;
  readonly chains: readonly SolanaChain[];
}

type Features = StandardConnectFeature &
  StandardDisconnectFeature &
  StandardEventsFeature &
  SolanaSignTransactionFeature &
  SolanaSignAndSendTransactionFeature &
  SolanaSignMessageFeature;

/** A wallet with real keys for local chains, and what its owner can do in it without a request from a page. */
export interface SolanaWallet extends CoreWallet {
  /** The interface for pages (Wallet Standard). */
  readonly standard: StandardWallet & {readonly features: Features};
}

interface Signer {
  readonly secret: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly address: string;
}

/**
 * Creates a wallet and registers it with the page (Wallet Standard).
 * @throws Error unless the page is on a loopback address: the keys are public.
 */
export function createSolanaWallet(settings: SolanaWalletSettings): SolanaWallet {
  assertLoopback(location.hostname);
  const {name, chains} = settings;
  const signers = deriveSigners(settings.seedPhrase, ACCOUNTS);
  const storageKey = `development-wallet:solana:${name}`;
  const memory = restore(settings, storageKey, Memory) ?? {permitted: false};
  const listeners = new Set<StandardEventsListeners['change']>();

  let signer = signers.find(({address}) => address === memory.account) ?? first(signers);

  const core = createWalletCore(settings, {
    storageKey,
    permitted: memory.permitted,
    saved: () => ({account: signer.address}),
    accounts: () => signers.map(({address}) => address),
    account: () => signer.address,
    selectAccount: index => (signer = signers[index] ?? signer),
    notifyPage() {
      const before = visible[0]?.address;
      if (refreshVisible()[0]?.address === before) return;
      for (const listener of [...listeners]) listener({accounts: visible});
    },
    rejection: () => new ProviderRpcError(REJECTED, 'User rejected the request.'),
  });
  const {prompt} = core;

  const toAccount = ({address, publicKey}: Signer): WalletAccount =>
    Object.freeze({address, publicKey, chains: chains.map(({chain}) => chain), features: FEATURES});
  /** The same object until something changes: pages compare accounts by identity. */
  let visible: readonly WalletAccount[] = [];
  const refreshVisible = () => (visible = Object.freeze(core.isExposed ? [toAccount(signer)] : []));
  refreshVisible();

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

  const sign = async (account: WalletAccount, bytes: Uint8Array, chain: SolanaChain) => {
    const by = signerOf(account);
    const transaction = readTransaction(bytes);
    const place = transaction.signers.indexOf(by.address);
    if (place < 0) throw new ProviderRpcError(INVALID_PARAMS, `The transaction needs no signature of ${by.address}.`);
    await prompt({
      kind: 'send',
      ...describeTransaction(transaction, by.address, chain, await readFee(chain, transaction)),
    });
    const signature = ed25519.sign(transaction.message, by.secret);
    const signed = bytes.slice();
    signed.set(signature, 1 + place * signature.length);
    return {signed, signature};
  };

  const connect: StandardConnectFeature['standard:connect']['connect'] = async ({silent = false} = {}) => {
    if (silent) return {accounts: visible};
    await core.connect();
    return {accounts: visible};
  };

  const features: Features = {
    'standard:connect': {version: '1.0.0', connect},
    'standard:disconnect': {
      version: '1.0.0',
      disconnect: async () => {
        await Promise.resolve();
        core.forget();
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
          // A message that is also a valid transaction is not signed as a message.
          if (isTransactionMessage(message)) throw new ProviderRpcError(INVALID_PARAMS, 'This is a transaction.');
          await prompt({
            kind: 'message',
            title: 'Sign a message',
            text: 'The signature itself moves nothing.',
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

  return core.withControls<SolanaWallet>({
    standard,
    withdraw: registerWallet(standard),
  });
}

/**
 * Registers a wallet with every app in the page, now and later (Wallet Standard); returns a function that unregisters
 * it. It uses the standard's two events directly, since the standard's helper drops the way to unregister.
 */
export function registerWallet(wallet: StandardWallet): () => void {
  const unregister: (() => void)[] = [];
  const callback = ({register}: WindowAppReadyEventAPI) => unregister.push(register(wallet));
  const onAppReady = (event: Event) => callback((event as CustomEvent<WindowAppReadyEventAPI>).detail);
  addEventListener('wallet-standard:app-ready', onAppReady);
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', {detail: callback}));
  return () => {
    removeEventListener('wallet-standard:app-ready', onAppReady);
    for (const remove of unregister.splice(0)) remove();
  };
}

const FEATURES = ['solana:signTransaction', 'solana:signAndSendTransaction', 'solana:signMessage'] as const;

function deriveSigners(seedPhrase: string, count: number): Signer[] {
  const seed = sha256(utf8ToBytes(seedPhrase));
  return Array.from({length: count}, (_, index) => {
    const secret = index === 0 ? seed : sha256(concatBytes(seed, Uint8Array.of(index)));
    const publicKey = ed25519.getPublicKey(secret);
    return {secret, publicKey, address: getBase58Decoder().decode(publicKey)};
  });
}

/** The fee of a transaction. If the node does not tell, it is the base fee for each signature. */
async function readFee({rpc}: SolanaChain, transaction: Parameters<typeof messageText>[0]): Promise<bigint> {
  const baseFee = 5_000n * BigInt(transaction.signers.length);
  const answer = await callRpc(rpc, 'getFeeForMessage', [messageText(transaction), {commitment: 'processed'}]).catch(
    () => undefined,
  );
  const {success, output} = v.safeParse(v.object({value: v.number()}), answer);
  return success ? BigInt(output.value) : baseFee;
}

/** Handles several inputs of one request one after the other, so that there is one prompt at a time. */
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

/** The standard requires icons in base64. */
function toBase64(icon: string): `data:image/svg+xml;base64,${string}` {
  return `data:image/svg+xml;base64,${btoa(decodeURIComponent(icon.slice(icon.indexOf(',') + 1)))}`;
}

const Memory = v.object({permitted: v.boolean(), account: v.optional(v.string())});
