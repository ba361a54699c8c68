import {id as hashOfText} from 'ethers';
import {
  Account,
  CallData,
  ec,
  hash,
  num,
  RpcProvider,
  Signer,
  stark,
  TransactionType,
  typedData as snip12,
  type Signature,
} from 'starknet';
import * as v from 'valibot';
import {formatAmount} from '../../src/domain/amount.js';
import {
  ACCOUNTS,
  assertLoopback,
  createWalletCore,
  drawIcon,
  first,
  parseParams,
  restore,
  type CoreSettings,
  type CoreWallet,
} from './wallet-core.js';
import {addressText, Calls, TypedDataObject, describeCalls, describeTypedData, type Call} from './starknet-prompts.js';

export interface StarknetChain {
  /** The chain's id in hex: `0x534e5f5345504f4c4941`. */
  readonly chainId: string;
  readonly rpc: string;
  readonly name: string;
  /** The class of an account with one key, whose signatures are two felts; OpenZeppelin's by default. */
  readonly accountClass?: string;
  /** The class of an account with a guardian, whose signatures are longer: Argent's, from version 0.4. */
  readonly guardedAccountClass?: string;
}

export interface StarknetWalletSettings extends CoreSettings {
  /** Identifies it; its object in the page is `starknet_<id>`. */
  readonly id: string;
  readonly seedPhrase: string;
  /** Whether its accounts have a guardian key. Then a signature has nine felts. */
  readonly guarded?: boolean;
  /** The networks it knows, the initial one first. */
  readonly chains: readonly StarknetChain[];
}

/** A wallet with real keys for local chains, and what its owner can do in it without a request from a page. */
export interface StarknetWallet extends CoreWallet {
  readonly id: string;
  /** The interface for pages (wallet API). */
  readonly object: StarknetWindowObject;
}

/** The object that a wallet adds to the page (get-starknet, version 4). */
export interface StarknetWindowObject {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly icon: string;
  request(call: {readonly type: string; readonly params?: unknown}): Promise<unknown>;
  on(event: WalletEvent, listener: Listener): void;
  off(event: WalletEvent, listener: Listener): void;
}

type WalletEvent = 'accountsChanged' | 'networkChanged';
type Listener = (...values: never[]) => void;

class WalletApiError extends Error {
  constructor(
    readonly code: number,
    name: string,
    readonly data?: unknown,
  ) {
    super(`An error occurred (${name})`);
    this.name = 'WalletApiError';
  }
}

const refused = () => new WalletApiError(113, 'USER_REFUSED_OP');
const invalid = (data: string) => new WalletApiError(114, 'INVALID_REQUEST_PAYLOAD', data);

/** The versions of the wallet API and of the node specification that it supports. */
const WALLET_APIS = ['0.7', '0.8', '0.9', '0.10'];
const SPECS = ['0.9', '0.10'];
/** OpenZeppelin's account, as on development nodes. */
const ACCOUNT_CLASS = '0x61dac032f228abef9c6626f995015233097ae253a7f72d68552db02f2971b8f';
/** Fees are paid in STRK. */
const FEE_COIN = {symbol: 'STRK', decimals: 18};
/** Milliseconds between two polls for a transaction. */
const POLL_MS = 50;

interface OwnAccount {
  readonly address: string;
  readonly signer: Signer;
  readonly deployment: {classHash: string; constructorCalldata: string[]; addressSalt: string};
}

/**
 * Creates a wallet and adds its object to the page, where get-starknet finds it.
 * @throws Error unless the page is on a loopback address: the keys are public.
 */
export function createStarknetWallet(settings: StarknetWalletSettings): StarknetWallet {
  assertLoopback(location.hostname);
  const {name, id, chains} = settings;
  const storageKey = `development-wallet:starknet:${id}`;
  const memory = restore(settings, storageKey, Memory) ?? {permitted: false};
  const ownAccounts = makeAccounts(settings, first(chains));
  const listeners = new Map<string, Set<Listener>>();

  let active = ownAccounts.find(({address}) => address === memory.account) ?? first(ownAccounts);
  let chain = chains.find(({chainId}) => chainId === memory.chainId) ?? first(chains);

  const emit = (event: WalletEvent, ...values: unknown[]) => {
    // A copy: listeners added while an event is emitted do not get it.
    for (const listener of [...(listeners.get(event) ?? [])]) listener(...(values as never[]));
  };

  const core = createWalletCore(settings, {
    storageKey,
    permitted: memory.permitted,
    saved: () => ({chainId: chain.chainId, account: active.address}),
    accounts: () => ownAccounts.map(({address}) => address),
    account: () => active.address,
    selectAccount: index => (active = ownAccounts[index] ?? active),
    notifyPage() {
      const before = notified;
      notified = {accounts: visibleAccounts(), chainId: chain.chainId};
      if (notified.chainId !== before.chainId) emit('networkChanged', notified.chainId, notified.accounts);
      if (notified.accounts.join() !== before.accounts.join()) emit('accountsChanged', notified.accounts);
    },
    rejection: refused,
  });
  const {prompt, change, connect} = core;

  const visibleAccounts = () => (core.isExposed ? [active.address] : []);
  let notified = {accounts: visibleAccounts(), chainId: chain.chainId};

  const requestAccounts = async (silent: boolean): Promise<readonly string[]> => {
    if (!silent) {
      // A rejection is an empty result here (wallet API, requestAccounts).
      await connect().catch((error: unknown) => {
        if (!(error instanceof WalletApiError)) throw error;
      });
    }
    return visibleAccounts();
  };

  const switchTo = async (chainId: string, silent: boolean) => {
    const wanted = chains.find(one => BigInt(one.chainId) === readChainId(chainId));
    if (!wanted) throw new WalletApiError(112, 'UNLISTED_NETWORK');
    if (wanted === chain) return true;
    if (silent && !visibleAccounts().length) throw new WalletApiError(117, 'CHAIN_ID_NOT_SUPPORTED');
    await connect();
    await prompt({
      kind: 'switch',
      title: `Switch to ${wanted.name}`,
      text: `The page has requested another network. The wallet is on ${chain.name}.`,
      facts: [{label: 'Chain id', value: wanted.chainId}],
    });
    change(() => (chain = wanted));
    return true;
  };

  const addInvokeTransaction = async (calls: readonly Call[]): Promise<{transaction_hash: string}> => {
    await connect();
    const [by, on] = [active, chain];
    const provider = providerOf(on);
    // The library's own signer and provider only have the interfaces.
    const account = new Account({provider, address: by.address, signer: by.signer, cairoVersion: '1'});
    const sent = calls.map(({contract_address, entry_point, calldata}) => ({
      contractAddress: contract_address,
      entrypoint: entry_point,
      calldata,
    }));
    const isNew = !(await isDeployed(provider, by.address));
    // A transaction that would revert is an error here, before the prompt and before it uses a nonce.
    const fee = await estimate(account, by, sent, isNew);
    const description = await describeCalls(calls, provider);
    await prompt({
      kind: 'send',
      ...description,
      facts: [
        ...description.facts,
        ...(isNew ? [{label: 'New account', value: 'It is deployed first, in a transaction of its own.'}] : []),
        {label: 'From', value: by.address, exact: true},
        {label: 'Network', value: on.name},
        {label: 'Network fee', value: `at most ${formatAmount(fee, FEE_COIN.decimals)} ${FEE_COIN.symbol}`},
      ],
    });
    // Several pages can share the account: the nonce is read and used under a lock, so that none is used twice.
    return navigator.locks.request(`${storageKey}:${on.chainId}:${by.address}`, async () => {
      try {
        if (!(await isDeployed(provider, by.address))) {
          const {transaction_hash} = await account.deployAccount(by.deployment, {tip: 0n});
          await provider.waitForTransaction(transaction_hash, {retryInterval: POLL_MS});
        }
        const {transaction_hash} = await account.execute(sent, {tip: 0n});
        return {transaction_hash};
      } catch (error) {
        throw unknownError(error);
      }
    });
  };

  const signTypedData = async (data: TypedDataObject): Promise<string[]> => {
    await connect();
    const [by, on] = [active, chain];
    // Like Ready, it does not sign typed data for a network other than the active one.
    if (readChainId(data.domain.chainId) !== BigInt(on.chainId)) {
      throw invalid(`The typed data is for chain ${String(data.domain.chainId)}, the wallet is on ${on.chainId}.`);
    }
    try {
      snip12.getMessageHash(data as never, by.address);
    } catch (error) {
      throw invalid(`This is not typed data: ${(error as Error).message}`);
    }
    await prompt({kind: 'sign', ...describeTypedData(data, by.address, on.name)});
    return stark.formatSignature(await by.signer.signMessage(data as never, by.address)).map(part => num.toHex(part));
  };

  const request: StarknetWindowObject['request'] = async ({type, params}) => {
    switch (type) {
      case 'wallet_requestAccounts':
        return requestAccounts(read(AccountsRequest, params)?.silent_mode ?? false);
      case 'wallet_requestChainId':
        return chain.chainId;
      case 'wallet_getPermissions':
        return visibleAccounts().length ? ['accounts'] : [];
      case 'wallet_supportedSpecs':
        return SPECS;
      case 'wallet_supportedWalletApi':
        return WALLET_APIS;
      case 'wallet_deploymentData': {
        if (!visibleAccounts().length) throw new WalletApiError(116, 'DEPLOYMENT_DATA_NOT_AVAILABLE');
        const {address, deployment} = active;
        if (await isDeployed(providerOf(chain), address)) throw new WalletApiError(115, 'ACCOUNT_ALREADY_DEPLOYED');
        const {classHash, addressSalt, constructorCalldata} = deployment;
        return {address, class_hash: classHash, salt: addressSalt, calldata: constructorCalldata, version: 1};
      }
      case 'wallet_switchStarknetChain': {
        const {chainId, silent_mode = false} = read(SwitchRequest, params);
        return switchTo(chainId, silent_mode);
      }
      case 'wallet_watchAsset': {
        const {options} = read(WatchRequest, params);
        await connect();
        await prompt({
          kind: 'add',
          title: `Show ${options.symbol ?? 'a token'}`,
          text: 'The page asks the wallet to list a token with its balance. This moves nothing.',
          facts: [{label: 'Token', value: addressText(options.address), exact: true}],
        });
        return true;
      }
      case 'wallet_addInvokeTransaction':
        return addInvokeTransaction(read(Calls, params).calls);
      case 'wallet_signTypedData':
        return signTypedData(read(TypedDataObject, params));
      default:
        throw new WalletApiError(163, 'UNKNOWN_ERROR', `This wallet does not support ${type}.`);
    }
  };

  const object: StarknetWindowObject = Object.freeze({
    id,
    name,
    version: '1.0.0',
    icon: drawIcon(name),
    request,
    on(event: WalletEvent, listener: Listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    off(event: WalletEvent, listener: Listener) {
      listeners.get(event)?.delete(listener);
    },
  });
  const key = `starknet_${id}`;
  Object.assign(globalThis, {[key]: object});

  return core.withControls<StarknetWallet>({
    id,
    object,
    withdraw() {
      Reflect.deleteProperty(globalThis, key);
    },
  });
}

const AccountsRequest = v.optional(v.looseObject({silent_mode: v.optional(v.boolean())}));
const SwitchRequest = v.looseObject({chainId: v.string(), silent_mode: v.optional(v.boolean())});
const WatchRequest = v.looseObject({
  type: v.literal('ERC20'),
  options: v.looseObject({
    address: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,64}$/i, 'is not an address')),
    symbol: v.optional(v.string()),
  }),
});

function read<const Schema extends v.GenericSchema>(schema: Schema, params: unknown): v.InferOutput<Schema> {
  return parseParams(schema, params, invalid);
}

/** A chain's id in the forms that pages use: hex, letters, or a number. */
function readChainId(id: unknown): bigint | undefined {
  if (typeof id === 'number') return BigInt(id);
  if (typeof id !== 'string') return undefined;
  if (/^0x[0-9a-f]+$/i.test(id)) return BigInt(id);
  return Array.from(id).reduce((number, letter) => number * 256n + BigInt(letter.charCodeAt(0)), 0n);
}

function providerOf({rpc}: StarknetChain): RpcProvider {
  // Reads see a transaction as soon as it is executed, not only when its block is closed.
  return new RpcProvider({nodeUrl: rpc, blockIdentifier: 'pre_confirmed', transactionRetryIntervalFallback: POLL_MS});
}

async function isDeployed(provider: RpcProvider, address: string): Promise<boolean> {
  try {
    await provider.getClassHashAt(address);
    return true;
  } catch (error) {
    if (nodeError(error).code === 20) return false;
    throw unknownError(error);
  }
}

/** The highest fee of a transaction. @throws WalletApiError with the node's error if it would revert. */
async function estimate(
  account: Account,
  {deployment}: OwnAccount,
  calls: {contractAddress: string; entrypoint: string; calldata: string[]}[],
  isNew: boolean,
): Promise<bigint> {
  try {
    const estimates = await account.estimateFeeBulk(
      [
        ...(isNew ? [{type: TransactionType.DEPLOY_ACCOUNT, ...deployment}] : []),
        {type: TransactionType.INVOKE, payload: calls},
      ],
      {tip: 0n},
    );
    return estimates.reduce((sum, {overall_fee}) => sum + overall_fee, 0n);
  } catch (error) {
    throw unknownError(error);
  }
}

/** The wallet API has one error for everything it has no code for; the node's error is attached. */
function unknownError(error: unknown): WalletApiError {
  const {code, message} = nodeError(error);
  return new WalletApiError(163, 'UNKNOWN_ERROR', {code, message});
}

/** The node's own error, which the library wraps in one whose message contains the whole request. */
function nodeError(error: unknown): {readonly code?: unknown; readonly message?: unknown} {
  const {baseError} = error as {readonly baseError?: {readonly code: number; readonly message: string}};
  return baseError ?? (error as Error);
}

function makeAccounts({seedPhrase, guarded = false}: StarknetWalletSettings, chain: StarknetChain): OwnAccount[] {
  return Array.from({length: ACCOUNTS}, (_, index) => {
    const owner = keyFrom(`${seedPhrase}, account ${String(index)}`);
    const guardian = keyFrom(`${seedPhrase}, guardian of account ${String(index)}`);
    const [key, second] = [owner, guardian].map(one => ec.starkCurve.getStarkKey(one)) as [string, string];
    if (!guarded) return makeAccount(new Signer(owner), chain.accountClass ?? ACCOUNT_CLASS, key, [key]);
    if (chain.guardedAccountClass === undefined) throw new Error(`${chain.name} has no accounts with a guardian.`);
    // The owner's kind of key (a STARK key) and key; that there is a guardian, and the same of it.
    const keys = ['0', key, '0', '0', second];
    return makeAccount(new GuardedSigner(owner, guardian), chain.guardedAccountClass, key, keys);
  });
}

function makeAccount(signer: Signer, classHash: string, salt: string, calldata: readonly string[]): OwnAccount {
  const constructorCalldata = CallData.toHex([...calldata]);
  const addressSalt = num.toHex(salt);
  const address = hash.calculateContractAddressFromHash(addressSalt, classHash, constructorCalldata, 0);
  return {address: addressText(address), signer, deployment: {classHash, constructorCalldata, addressSalt}};
}

function keyFrom(text: string): string {
  return `0x${ec.starkCurve.grindKey(hashOfText(text))}`;
}

/** Signs with two keys: the number of signers, then for each its kind (a STARK key), its key and its signature. */
class GuardedSigner extends Signer {
  readonly #keys: readonly string[];

  constructor(...keys: readonly [owner: string, guardian: string]) {
    super(keys[0]);
    this.#keys = keys;
  }

  protected override signRaw(digest: string): Promise<Signature> {
    const parts = this.#keys.flatMap(key => {
      const {r, s} = ec.starkCurve.sign(digest, key);
      return ['0x0', ec.starkCurve.getStarkKey(key), num.toHex(r), num.toHex(s)];
    });
    return Promise.resolve([num.toHex(this.#keys.length), ...parts]);
  }
}

const Memory = v.object({permitted: v.boolean(), chainId: v.optional(v.string()), account: v.optional(v.string())});
