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
import {assertLoopback, createOwner, drawIcon, first, recall, type OwnedSettings, type OwnedWallet} from './owner.js';
import {addressText, Calls, TypedDataObject, wordCalls, wordTypedData, type Call} from './starknet-questions.js';

export interface StarknetChain {
  /** The chain's id as hex text: `0x534e5f5345504f4c4941`. */
  readonly chainId: string;
  /** Where the node answers JSON-RPC. */
  readonly rpc: string;
  readonly name: string;
  /** The class of an account with one key, whose signatures are two numbers; OpenZeppelin's unless said otherwise. */
  readonly accountClass?: string;
  /** The class of an account with a guardian, whose signatures are longer. */
  readonly guardedAccountClass?: string;
}

export interface StarknetWalletSettings extends OwnedSettings {
  /** The end of its name in the page, `starknet_<id>`: a wallet is known again by it. */
  readonly id: string;
  /** The words that the keys of its accounts are made from. */
  readonly words: string;
  /** Whether a second key guards its accounts. Then a signature is nine numbers long. */
  readonly guarded?: boolean;
  /** The networks it knows; the first one is active at first. */
  readonly chains: readonly StarknetChain[];
}

/** A wallet with real keys for local chains, and what its owner can do in it without being asked by a page. */
export interface StarknetWallet extends OwnedWallet {
  readonly id: string;
  /** What a page talks to (wallet API). */
  readonly object: StarknetWindowObject;
  readonly chainId: string;
  useChain(chainId: string): void;
}

/** What a wallet leaves in the page (get-starknet, version 4). */
export interface StarknetWindowObject {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly icon: string;
  request(question: {readonly type: string; readonly params?: unknown}): Promise<unknown>;
  on(event: WalletEvent, listener: Listener): void;
  off(event: WalletEvent, listener: Listener): void;
}

type WalletEvent = 'accountsChanged' | 'networkChanged';
type Listener = (...values: never[]) => void;

/** An error as the wallet API numbers it. */
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

/** The wallet and node specifications that it speaks. */
const WALLET_APIS = ['0.7', '0.8', '0.9', '0.10'];
const SPECS = ['0.9', '0.10'];
/** OpenZeppelin's account, as development nodes have it. */
const ACCOUNT_CLASS = '0x61dac032f228abef9c6626f995015233097ae253a7f72d68552db02f2971b8f';
/** Fees are paid in STRK. */
const FEE_COIN = {symbol: 'STRK', decimals: 18};
/** Milliseconds between two looks at a transaction that is waited for. */
const PACE = 50;

/** One account: its keys, and where it stands on whichever chain. */
interface Holder {
  readonly address: string;
  readonly signer: Signer;
  readonly deployment: {classHash: string; constructorCalldata: string[]; addressSalt: string};
}

/**
 * Makes a wallet and leaves its object in the page, as wallets do that get-starknet finds.
 * @throws Error anywhere but on this very machine: its keys are no secret.
 */
export function createStarknetWallet(settings: StarknetWalletSettings): StarknetWallet {
  assertLoopback(location.hostname);
  const {name, id, chains} = settings;
  const place = `development-wallet:starknet:${id}`;
  const memory = recall(settings, place, Memory) ?? {permitted: false};
  const holders = makeHolders(settings, first(chains));
  const listeners = new Map<string, Set<Listener>>();

  let holder = holders.find(({address}) => address === memory.account) ?? first(holders);
  let chain = chains.find(({chainId}) => chainId === memory.chainId) ?? first(chains);

  const emit = (event: WalletEvent, ...values: unknown[]) => {
    // Who starts to listen while it is told was not there when it happened.
    for (const listener of [...(listeners.get(event) ?? [])]) listener(...(values as never[]));
  };

  const owner = createOwner(settings, {
    place,
    permitted: memory.permitted,
    memory: () => ({chainId: chain.chainId, account: holder.address}),
    accounts: () => holders.map(({address}) => address),
    account: () => holder.address,
    choose: index => (holder = holders[index] ?? holder),
    tell() {
      const before = told;
      told = {accounts: visibleAccounts(), chainId: chain.chainId};
      if (told.chainId !== before.chainId) emit('networkChanged', told.chainId, told.accounts);
      if (told.accounts.join() !== before.accounts.join()) emit('accountsChanged', told.accounts);
    },
    refusal: refused,
  });
  const {ask, change, connect} = owner;

  const visibleAccounts = () => (owner.isOpen ? [holder.address] : []);
  let told = {accounts: visibleAccounts(), chainId: chain.chainId};

  const requestAccounts = async (silent: boolean): Promise<readonly string[]> => {
    if (!silent) {
      // A no is an empty answer here (wallet API, requestAccounts).
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
    await ask({
      kind: 'switch',
      title: `Change to ${wanted.name}`,
      text: `The page asks for another network. The wallet is on ${chain.name}.`,
      facts: [{label: 'Chain id', value: wanted.chainId}],
    });
    change(() => (chain = wanted));
    return true;
  };

  const addInvokeTransaction = async (calls: readonly Call[]): Promise<{transaction_hash: string}> => {
    await connect();
    const [by, on] = [holder, chain];
    const provider = providerOf(on);
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- The library's own signer and provider only have the interfaces.
    const account = new Account({provider, address: by.address, signer: by.signer, cairoVersion: '1'});
    const sent = calls.map(({contract_address, entry_point, calldata}) => ({
      contractAddress: contract_address,
      entrypoint: entry_point,
      calldata,
    }));
    const isNew = !(await isDeployed(provider, by.address));
    // What the chain would refuse is refused here, before anybody is asked and before a nonce is taken.
    const fee = await estimate(account, by, sent, isNew);
    const wording = await wordCalls(calls, provider);
    await ask({
      kind: 'send',
      ...wording,
      facts: [
        ...wording.facts,
        ...(isNew
          ? [{label: 'New account', value: 'It is put on the chain first, which is a transaction of its own.'}]
          : []),
        {label: 'From', value: by.address, exact: true},
        {label: 'Network', value: on.name},
        {label: 'Network fee', value: `at most ${formatAmount(fee, FEE_COIN.decimals)} ${FEE_COIN.symbol}`},
      ],
    });
    // Pages side by side share the account: the nonce is read and used under one lock, so that none is used twice.
    return navigator.locks.request(`${place}:${on.chainId}:${by.address}`, async () => {
      try {
        if (!(await isDeployed(provider, by.address))) {
          const {transaction_hash} = await account.deployAccount(by.deployment, {tip: 0n});
          await provider.waitForTransaction(transaction_hash, {retryInterval: PACE});
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
    const [by, on] = [holder, chain];
    // As Ready does: typed data of another network than the active one is not signed.
    if (readChainId(data.domain.chainId) !== BigInt(on.chainId)) {
      throw invalid(`The typed data is for chain ${String(data.domain.chainId)}, the wallet is on ${on.chainId}.`);
    }
    try {
      snip12.getMessageHash(data as never, by.address);
    } catch (error) {
      throw invalid(`This is no typed data: ${(error as Error).message}`);
    }
    await ask({kind: 'sign', ...wordTypedData(data, by.address, on.name)});
    return stark.formatSignature(await by.signer.signMessage(data as never, by.address)).map(part => num.toHex(part));
  };

  const request: StarknetWindowObject['request'] = async ({type, params}) => {
    switch (type) {
      case 'wallet_requestAccounts':
        return requestAccounts(read(Silent, params)?.silent_mode ?? false);
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
        const {address, deployment} = holder;
        if (await isDeployed(providerOf(chain), address)) throw new WalletApiError(115, 'ACCOUNT_ALREADY_DEPLOYED');
        const {classHash, addressSalt, constructorCalldata} = deployment;
        return {address, class_hash: classHash, salt: addressSalt, calldata: constructorCalldata, version: 1};
      }
      case 'wallet_switchStarknetChain': {
        const {chainId, silent_mode = false} = read(Switching, params);
        return switchTo(chainId, silent_mode);
      }
      case 'wallet_watchAsset': {
        const {options} = read(Watching, params);
        await connect();
        await ask({
          kind: 'add',
          title: `Show ${options.symbol ?? 'a token'}`,
          text: 'The page asks for a token to be listed with its balance. It moves nothing.',
          facts: [{label: 'Token', value: addressText(options.address), exact: true}],
        });
        return true;
      }
      case 'wallet_addInvokeTransaction':
        return addInvokeTransaction(read(Calls, params).calls);
      case 'wallet_signTypedData':
        return signTypedData(read(TypedDataObject, params));
      default:
        throw new WalletApiError(163, 'UNKNOWN_ERROR', `This wallet does not do ${type}.`);
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

  return owner.equip<StarknetWallet>({
    id,
    object,
    get chainId() {
      return chain.chainId;
    },
    useChain(chainId) {
      const wanted = chains.find(one => one.chainId === chainId);
      if (!wanted) throw new Error(`${name} does not know chain ${chainId}.`);
      change(() => (chain = wanted));
    },
    withdraw() {
      Reflect.deleteProperty(globalThis, key);
    },
  });
}

const Silent = v.optional(v.looseObject({silent_mode: v.optional(v.boolean())}));
const Switching = v.looseObject({chainId: v.string(), silent_mode: v.optional(v.boolean())});
const Watching = v.looseObject({
  type: v.literal('ERC20'),
  options: v.looseObject({
    address: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,64}$/i, 'is no address')),
    symbol: v.optional(v.string()),
  }),
});

function read<const Schema extends v.GenericSchema>(schema: Schema, params: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, params);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw invalid(`${v.getDotPath(issue) ?? 'params'}: ${issue.message}`);
}

/** A chain's id as pages write it: as hex text, as its letters, or as a number. */
function readChainId(id: unknown): bigint | undefined {
  if (typeof id === 'number') return BigInt(id);
  if (typeof id !== 'string') return undefined;
  if (/^0x[0-9a-f]+$/i.test(id)) return BigInt(id);
  return Array.from(id).reduce((number, letter) => number * 256n + BigInt(letter.charCodeAt(0)), 0n);
}

function providerOf({rpc}: StarknetChain): RpcProvider {
  // What a transaction changed counts from the moment it is carried out, not only from the end of its block.
  return new RpcProvider({nodeUrl: rpc, blockIdentifier: 'pre_confirmed', transactionRetryIntervalFallback: PACE});
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

/** What a transaction costs at most. @throws WalletApiError that holds the node's, where the chain would refuse it. */
async function estimate(
  account: Account,
  {deployment}: Holder,
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

/** The wallet API has one error for all that it knows no name for; what the node said goes along. */
function unknownError(error: unknown): WalletApiError {
  const {code, message} = nodeError(error);
  return new WalletApiError(163, 'UNKNOWN_ERROR', {code, message});
}

/** A node's own error, which the library keeps inside its own; its text alone holds the whole question. */
function nodeError(error: unknown): {readonly code?: unknown; readonly message?: unknown} {
  const {baseError} = error as {readonly baseError?: {readonly code: number; readonly message: string}};
  return baseError ?? (error as Error);
}

function makeHolders({words, accounts = 2, guarded = false}: StarknetWalletSettings, chain: StarknetChain): Holder[] {
  return Array.from({length: accounts}, (_, index) => {
    const owner = keyOf(`${words}, account ${String(index)}`);
    const guardian = keyOf(`${words}, guardian of account ${String(index)}`);
    if (!guarded) return makeHolder(new Signer(owner), chain.accountClass ?? ACCOUNT_CLASS, [owner]);
    if (chain.guardedAccountClass === undefined) throw new Error(`${chain.name} has no accounts with a guardian.`);
    return makeHolder(new GuardedSigner(owner, guardian), chain.guardedAccountClass, [owner, guardian]);
  });
}

function makeHolder(signer: Signer, classHash: string, keys: readonly string[]): Holder {
  const constructorCalldata = CallData.toHex(keys.map(key => ec.starkCurve.getStarkKey(key)));
  const addressSalt = first(constructorCalldata);
  const address = hash.calculateContractAddressFromHash(addressSalt, classHash, constructorCalldata, 0);
  return {address: addressText(address), signer, deployment: {classHash, constructorCalldata, addressSalt}};
}

/** A key that is made from words. */
function keyOf(words: string): string {
  return `0x${ec.starkCurve.grindKey(hashOfText(words))}`;
}

/** Signs with two keys: how many signers, then for each its kind (a STARK key), its key and its signature. */
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
