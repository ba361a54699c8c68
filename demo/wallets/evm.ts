import {
  BaseWallet,
  SigningKey,
  Transaction,
  concat,
  getBytes,
  isHexString,
  keccak256,
  toQuantity,
  toUtf8Bytes,
  toUtf8String,
  type TypedDataDomain,
} from 'ethers';
import * as v from 'valibot';
import {createBundles} from './evm-bundles.js';
import {describeTransaction, describeTypedData, type EvmChain} from './evm-prompts.js';
import {
  AddedChain,
  Address,
  BundleRequest,
  CHAIN_DISCONNECTED,
  INTERNAL,
  ProviderRpcError,
  Quantity,
  READABLE,
  REJECTED,
  SendRequest,
  TypedDataSchema,
  UNAUTHORIZED,
  UNKNOWN_CHAIN,
  UNSUPPORTED,
  WatchedToken,
  callRpc,
  estimateGas,
  invalid,
  read,
  readFees,
  typesWithoutDomain,
  type Rpc,
  type TransactionRequest,
  type TypedData,
} from './evm-requests.js';
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

export interface EvmWalletSettings extends CoreSettings {
  /** Its reverse domain name, which identifies it (EIP-6963). */
  readonly rdns: string;
  readonly privateKey: string;
  /** The networks it knows, the initial one first. */
  readonly chains: readonly EvmChain[];
  /** Whether it takes several calls as one request (EIP-5792), until its owner says otherwise. */
  readonly batches?: boolean;
}

/** A wallet with real keys for local chains, and what its owner can do in it without a request from a page. */
export interface EvmWallet extends CoreWallet {
  readonly rdns: string;
  /** The interface for pages (EIP-1193). */
  readonly provider: Eip1193Provider;
  readonly chainId: number;
  useChain(chainId: number): void;
  /** Whether it takes several calls as one request (EIP-5792), on networks with a contract for that. */
  batches: boolean;
}

export interface Eip1193Provider {
  request(args: {readonly method: string; readonly params?: unknown}): Promise<unknown>;
  on(event: string, listener: Listener): Eip1193Provider;
  removeListener(event: string, listener: Listener): Eip1193Provider;
}

type Listener = (payload: never) => void;

/**
 * Creates a wallet and announces it to the page (EIP-6963).
 * @throws Error unless the page is on a loopback address: the keys are public.
 */
export function createEvmWallet(settings: EvmWalletSettings): EvmWallet {
  assertLoopback(location.hostname);
  const {name, rdns} = settings;
  const signers = deriveSigners(settings.privateKey, ACCOUNTS);
  const storageKey = `development-wallet:${rdns}`;
  const memory = restore(settings, storageKey, Memory) ?? {permitted: false, added: []};
  const chains = new Map([...settings.chains, ...memory.added].map(chain => [chain.chainId, chain]));
  const listeners = new Map<string, Set<Listener>>();

  let signer = signers.find(({address}) => address === memory.account) ?? first(signers);
  let chain = chains.get(memory.chainId ?? 0) ?? first(settings.chains);
  let batches = memory.batches ?? settings.batches === true;
  /** Whether the active chain's node answered the last call; undefined before the first one. */
  let isReachable: boolean | undefined;

  const emit = (event: string, payload: unknown) => {
    // A copy: listeners added while an event is emitted do not get it.
    for (const listener of [...(listeners.get(event) ?? [])]) listener(payload as never);
  };

  const core = createWalletCore(settings, {
    storageKey,
    permitted: memory.permitted,
    saved: () => ({
      chainId: chain.chainId,
      account: signer.address,
      batches,
      added: [...chains.values()].filter(known => !settings.chains.includes(known)),
    }),
    accounts: () => signers.map(({address}) => address),
    account: () => signer.address,
    selectAccount: index => (signer = signers[index] ?? signer),
    notifyPage() {
      const before = notified;
      notified = {accounts: visibleAccounts(), chainId: chain.chainId};
      if (notified.chainId !== before.chainId) emit('chainChanged', toQuantity(notified.chainId));
      if (notified.accounts.join() !== before.accounts.join()) emit('accountsChanged', notified.accounts);
    },
    rejection: () => new ProviderRpcError(REJECTED, 'The user rejected the request.'),
  });
  const {prompt, change} = core;

  const visibleAccounts = () => (core.isExposed ? [signer.address] : []);
  let notified = {accounts: visibleAccounts(), chainId: chain.chainId};

  const rpcOf =
    (of: EvmChain): Rpc =>
    async (method, params) => {
      try {
        const answer = await callRpc(of.rpc, method, params);
        if (of === chain && isReachable !== true) {
          isReachable = true;
          emit('connect', {chainId: toQuantity(of.chainId)});
        }
        return answer;
      } catch (error) {
        if (of === chain && isReachable !== false && isDisconnection(error)) {
          isReachable = false;
          emit('disconnect', error);
        }
        throw error;
      }
    };

  const signerOf = (address: string): BaseWallet => {
    if (!visibleAccounts().includes(address)) {
      throw new ProviderRpcError(UNAUTHORIZED, `The page may not use the account ${address}.`);
    }
    return signer;
  };

  const connect = async (): Promise<string[]> => {
    await core.connect();
    return visibleAccounts();
  };

  const switchTo = async (wanted: EvmChain) => {
    if (wanted === chain) return null;
    await prompt({
      kind: 'switch',
      title: `Switch to ${wanted.name}`,
      text: `The page has requested another network. The wallet is on ${chain.name}.`,
      facts: [{label: 'Chain id', value: String(wanted.chainId)}],
    });
    change(() => (chain = wanted));
    return null;
  };

  const add = async ({chainId: id, chainName, rpcUrls, nativeCurrency}: v.InferOutput<typeof AddedChain>) => {
    const chainId = Number(id);
    const known = chains.get(chainId);
    if (known) return switchTo(known);
    const added: EvmChain = {chainId, name: chainName, rpc: first(rpcUrls), coin: nativeCurrency?.symbol ?? 'ETH'};
    // A wallet should check the id against the node's own (EIP-3085).
    const own = await callRpc(added.rpc, 'eth_chainId', []);
    if (Number(own) !== chainId) throw invalid(`The node at ${added.rpc} is on chain ${String(Number(own))}.`);
    await prompt({
      kind: 'add',
      title: `Add ${added.name} and switch to it`,
      text: 'The page has requested a network that this wallet does not know yet.',
      facts: [
        {label: 'Chain id', value: String(chainId)},
        {label: 'Node', value: added.rpc, exact: true},
      ],
    });
    change(() => {
      chains.set(chainId, added);
      chain = added;
    });
    return null;
  };

  const sendTransaction = async (request: TransactionRequest): Promise<string> => {
    const by = signerOf(request.from);
    const on = chain;
    if (request.chainId !== undefined && request.chainId !== on.chainId) {
      throw invalid(`The transaction is for chain ${String(request.chainId)}, the wallet is on ${String(on.chainId)}.`);
    }
    const rpc = rpcOf(on);
    // A transaction that would revert is an error here, before the prompt and before it uses a nonce.
    const gasLimit = request.gas ?? (await estimateGas(request, rpc));
    const fees = await readFees(rpc);
    const description = await describeTransaction(request, on, rpc, gasLimit * fees.maxFeePerGas);
    await prompt({kind: 'send', ...description});
    // Several pages can share the account: the nonce is read and used under a lock, so that none is used twice.
    return navigator.locks.request(`${storageKey}:${String(on.chainId)}:${by.address}`, async () => {
      const transaction = Transaction.from({
        type: 2,
        chainId: on.chainId,
        nonce: Number(await rpc('eth_getTransactionCount', [by.address, 'pending'])),
        to: request.to ?? null,
        value: request.value,
        data: request.data,
        gasLimit,
        ...fees,
      });
      transaction.signature = by.signingKey.sign(transaction.unsignedHash);
      return String(await rpc('eth_sendRawTransaction', [transaction.serialized]));
    });
  };

  /** A network on which it takes several calls as one request, with the contract for that. */
  const batchesOn = ({batchAccount}: EvmChain) => (batches ? batchAccount : undefined);

  const bundles = createBundles({
    accountOn: chainId => {
      const on = chains.get(chainId);
      const contract = on && batchesOn(on);
      return on && contract !== undefined ? {chain: on, rpc: rpcOf(on), contract} : undefined;
    },
    signerOf,
    prompt,
    lock: (on, address, work) => navigator.locks.request(`${storageKey}:${String(on.chainId)}:${address}`, work),
  });

  const signTypedData = async (address: string, data: TypedData): Promise<string> => {
    const by = signerOf(address);
    const {chainId} = data.domain;
    // Like MetaMask, it does not sign typed data for a network other than the active one.
    if (chainId !== undefined && BigInt(chainId) !== BigInt(chain.chainId)) {
      throw new ProviderRpcError(
        INTERNAL,
        `Provided chainId "${String(chainId)}" must match the active chainId "${String(chain.chainId)}"`,
      );
    }
    const types = typesWithoutDomain(data);
    await prompt({kind: 'sign', ...(await describeTypedData(data, by.address, chain, rpcOf(chain)))});
    return by.signTypedData(data.domain as TypedDataDomain, types, data.message);
  };

  const signMessage = async (message: string, address: string): Promise<string> => {
    const by = signerOf(address);
    const bytes = isHexString(message) ? getBytes(message) : toUtf8Bytes(message);
    await prompt({
      kind: 'message',
      title: 'Sign a message',
      text: 'The signature itself moves nothing.',
      facts: [
        {label: 'Message', value: readableText(bytes) ?? message},
        {label: 'Signer', value: by.address, exact: true},
      ],
    });
    return by.signMessage(bytes);
  };

  const request: Eip1193Provider['request'] = async ({method, params = []}) => {
    switch (method) {
      case 'eth_requestAccounts':
        return connect();
      case 'eth_accounts':
        return visibleAccounts();
      case 'eth_chainId':
        return toQuantity(chain.chainId);
      case 'net_version':
        return String(chain.chainId);
      case 'wallet_switchEthereumChain': {
        const [{chainId}] = read(v.tuple([v.object({chainId: Quantity})]), params);
        const wanted = chains.get(Number(chainId));
        if (!wanted) throw new ProviderRpcError(UNKNOWN_CHAIN, `This wallet does not know chain ${chainId}.`);
        return switchTo(wanted);
      }
      case 'wallet_addEthereumChain':
        return add(read(v.tuple([AddedChain]), params)[0]);
      case 'wallet_revokePermissions':
        read(v.tuple([v.object({eth_accounts: v.record(v.string(), v.unknown())})]), params);
        core.forget();
        return null;
      case 'wallet_watchAsset': {
        // EIP-747: one object, not a list.
        const {options} = read(WatchedToken, params);
        await prompt({
          kind: 'add',
          title: `Show ${options.symbol}`,
          text: 'The page asks the wallet to list a token with its balance. This moves nothing.',
          facts: [{label: 'Token', value: options.address, exact: true}],
        });
        return true;
      }
      case 'eth_sendTransaction':
        return sendTransaction(read(v.tuple([SendRequest]), params)[0]);
      case 'wallet_getCapabilities': {
        if (!batches) break;
        const [address, wanted] = read(v.tupleWithRest([Address], v.optional(v.array(Quantity))), params);
        return bundles.capabilities(address, wanted?.map(Number) ?? [...chains.keys()]);
      }
      case 'wallet_sendCalls':
        if (!batches) break;
        return bundles.send(read(v.tuple([BundleRequest]), params)[0]);
      case 'wallet_getCallsStatus':
        if (!batches) break;
        return bundles.status(read(v.tuple([v.string()]), params)[0]);
      case 'eth_signTypedData_v4': {
        const [address, data] = read(v.tuple([Address, TypedDataSchema]), params);
        return signTypedData(address, data);
      }
      case 'personal_sign': {
        const [message, address] = read(v.looseTuple([v.string(), Address]), params);
        return signMessage(message, address);
      }
    }
    if (!READABLE.test(method)) throw new ProviderRpcError(UNSUPPORTED, `This wallet does not support ${method}.`);
    return rpcOf(chain)(method, read(v.array(v.unknown()), params));
  };

  const provider: Eip1193Provider = {
    request,
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
      return provider;
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener);
      return provider;
    },
  };

  const withdraw = announce({uuid: crypto.randomUUID(), name, rdns, icon: drawIcon(name)}, provider);

  return core.withControls<EvmWallet>({
    rdns,
    provider,
    get chainId() {
      return chain.chainId;
    },
    useChain(chainId) {
      const wanted = chains.get(chainId);
      if (!wanted) throw new Error(`${name} does not know chain ${String(chainId)}.`);
      change(() => (chain = wanted));
    },
    get batches() {
      return batches;
    },
    set batches(wanted) {
      change(() => (batches = wanted));
    },
    withdraw,
  });
}

function isDisconnection(error: unknown): boolean {
  return error instanceof ProviderRpcError && error.code === CHAIN_DISCONNECTED;
}

/** Announces a provider now and each time a page requests it (EIP-6963). */
function announce(info: Record<'uuid' | 'name' | 'rdns' | 'icon', string>, provider: Eip1193Provider): () => void {
  const detail = Object.freeze({info: Object.freeze(info), provider});
  const announce = () => {
    dispatchEvent(new CustomEvent('eip6963:announceProvider', {detail}));
  };
  addEventListener('eip6963:requestProvider', announce);
  announce();
  return () => {
    removeEventListener('eip6963:requestProvider', announce);
  };
}

function deriveSigners(privateKey: string, count: number): BaseWallet[] {
  return Array.from({length: count}, (_, index) => {
    const key = index === 0 ? privateKey : keccak256(concat([privateKey, Uint8Array.of(index)]));
    return new BaseWallet(new SigningKey(key));
  });
}

function readableText(bytes: Uint8Array): string | undefined {
  try {
    return toUtf8String(bytes);
  } catch {
    return undefined;
  }
}

const Memory = v.object({
  permitted: v.boolean(),
  chainId: v.optional(v.number()),
  account: v.optional(v.string()),
  batches: v.optional(v.boolean()),
  added: v.array(v.object({chainId: v.number(), rpc: v.string(), name: v.string(), coin: v.string()})),
});
