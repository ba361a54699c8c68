import {base64, hex} from '@scure/base';
import * as v from 'valibot';
import {
  CoinError,
  broadcast,
  deriveKeys,
  draftPayment,
  draftReplacement,
  isTestAddress,
  readFeeRate,
  readBalance,
  readPsbt,
  signAndSend,
  signPsbt,
  type WalletBalance,
  type Keys,
  type Recipient,
} from './bitcoin-coins.js';
import {describePayment, describePsbt} from './bitcoin-prompts.js';
import {
  ACCOUNTS,
  assertLoopback,
  createWalletCore,
  drawIcon,
  parseParams,
  restore,
  type CoreSettings,
  type CoreWallet,
} from './wallet-core.js';

export interface BitcoinWalletSettings extends CoreSettings {
  /** Its path from `window`, which also identifies it (WBIP-004). */
  readonly id: string;
  /** What the keys of its accounts are derived from. */
  readonly seedPhrase: string;
  readonly rpc: string;
}

/** A wallet with real keys for the local chain, and what its owner can do in it without a request from a page. */
export interface BitcoinWallet extends CoreWallet {
  readonly id: string;
  /** The interface for pages, as sats-connect uses it. */
  readonly provider: BitcoinProvider;
  /** The fee rate in satoshi per virtual byte; `undefined` takes the node's estimate. */
  feeRate: bigint | undefined;
  /** The payment addresses of all its accounts. */
  readonly accounts: readonly string[];
  readonly account: string;
  balance(): Promise<WalletBalance>;
  /** Pays to an address, as the owner would from the wallet's own window. Returns the transaction's hash. */
  send(address: string, amount: bigint): Promise<string>;
  /** Replaces an unconfirmed payment by one with a higher fee (BIP 125); twice the rate by default. */
  bumpFee(txid: string, feeRate?: bigint): Promise<string>;
}

/** A JSON-RPC 2.0 response. A rejection is a response too. */
export type Answer = {readonly jsonrpc: '2.0'; readonly id: string} & (
  {readonly result: unknown} | {readonly error: {readonly code: number; readonly message: string}}
);

export interface BitcoinProvider {
  request(method: string, params?: unknown): Promise<Answer>;
  /** Listens to one kind of event; returns a function that stops it. */
  addListener(listener: {readonly eventName: EventName; readonly cb: (event: unknown) => void}): () => void;
}

type EventName = 'accountChange' | 'disconnect';

interface Registration {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  readonly methods: readonly string[];
}

class WalletError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
    this.name = 'WalletError';
  }
}

const REJECTED = -32000;
const ACCESS_DENIED = -32002;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;

const VERSION = '2.0.0';
/** The networks it is on, as sats-connect names them. */
const NETWORKS = {bitcoin: {name: 'Testnet4'}, stacks: {name: 'testnet'}, spark: {name: 'regtest'}} as const;

type Purpose = 'payment' | 'ordinals';
const Purposes = v.array(v.string());
const ConnectRequest = v.nullish(v.looseObject({addresses: v.optional(Purposes), message: v.optional(v.string())}));
const AddressRequest = v.nullish(v.looseObject({purposes: v.optional(Purposes), message: v.optional(v.string())}));
const TransferRequest = v.object({
  recipients: v.pipe(
    v.array(
      v.object({
        address: v.string(),
        // Numbers, as in sats-connect: the supply of 21 million coins in satoshi is below 2^53.
        amount: v.pipe(
          v.number(),
          v.safeInteger(),
          v.minValue(1),
          v.transform(amount => BigInt(amount)),
        ),
      }),
    ),
    v.minLength(1),
  ),
});
const SignRequest = v.object({
  psbt: v.string(),
  signInputs: v.optional(v.record(v.string(), v.array(v.pipe(v.number(), v.integer(), v.minValue(0))))),
  broadcast: v.optional(v.boolean(), false),
});

/**
 * Creates a wallet and registers it with the page (WBIP-004).
 * @throws Error unless the page is on a loopback address: the keys are public.
 */
export function createBitcoinWallet(settings: BitcoinWalletSettings): BitcoinWallet {
  assertLoopback(location.hostname);
  const {name, id, seedPhrase, rpc} = settings;
  const storageKey = `development-wallet:bitcoin:${id}`;
  const memory = restore(settings, storageKey, Memory) ?? {permitted: false, index: 0};
  const listeners = new Set<Parameters<BitcoinProvider['addListener']>[0]>();

  let index = memory.index < ACCOUNTS ? memory.index : 0;
  let feeRate: bigint | undefined;

  const keysOf = (index: number) => deriveKeys(seedPhrase, index);
  let keys = keysOf(index);

  const core = createWalletCore(settings, {
    storageKey,
    permitted: memory.permitted,
    saved: () => ({index}),
    accounts: () => Array.from({length: ACCOUNTS}, (_, index) => keysOf(index).payment.address),
    account: () => keys.payment.address,
    selectAccount: wanted => (index = wanted),
    notifyPage() {
      const before = notified;
      notified = {open: core.isExposed, index};
      keys = keysOf(index);
      if (before.open && !notified.open) emit('disconnect', {});
      if (notified.open && (index !== before.index || !before.open)) emit('accountChange', {});
    },
    rejection: () => new WalletError(REJECTED, 'User rejected the request.'),
  });
  const {prompt} = core;
  let notified = {open: core.isExposed, index};

  const emit = (type: EventName, event: object) => {
    for (const {eventName, cb} of [...listeners]) if (eventName === type) cb({type, ...event});
  };

  const requireExposed = () => {
    if (!core.isExposed) throw new WalletError(ACCESS_DENIED, 'Access denied. Connect the wallet first.');
  };

  const addressesFor = (wanted: readonly string[] = ['payment', 'ordinals']) =>
    (['payment', 'ordinals'] as const)
      .filter(purpose => wanted.includes(purpose))
      .map(purpose => describeAddress(keys, purpose));

  const connect = (message?: string) =>
    core.connect({
      title: 'Show your addresses to this page',
      facts: () => [
        ...(message === undefined ? [] : [{label: 'The page says', value: message}]),
        {label: 'Payments', value: keys.payment.address, exact: true},
        {label: 'Taproot', value: keys.ordinals.address, exact: true},
      ],
    });

  const accountOf = (wanted?: readonly string[]) => ({
    id: `${id}:${String(index)}`,
    addresses: addressesFor(wanted),
    walletType: 'software',
    network: NETWORKS,
  });

  /** Only one page at a time builds a payment, so that no coin is spent twice. */
  const withLock = <T>(by: Keys, work: () => Promise<T>): Promise<T> =>
    navigator.locks.request(`${storageKey}:${by.payment.address}`, work);

  const rateOf = async () => feeRate ?? (await readFeeRate(rpc));

  const requireTestAddress = ({address}: Recipient) => {
    if (!isTestAddress(address)) {
      throw new WalletError(INVALID_PARAMS, `${address} is not an address of the test network.`);
    }
  };

  const transfer = async (recipients: readonly Recipient[]): Promise<string> => {
    recipients.forEach(requireTestAddress);
    const by = keys;
    // Insufficient funds are an error before the person is prompted.
    const draft = await draftPayment(rpc, by, recipients, await rateOf());
    await prompt({kind: 'send', ...describePayment(draft, recipients, by)});
    return withLock(by, async () => {
      // The coins may have changed meanwhile.
      const fresh = await draftPayment(rpc, by, recipients, draft.feeRate);
      return signAndSend(rpc, by, fresh);
    });
  };

  const sign = async ({psbt, signInputs, broadcast: send}: v.InferOutput<typeof SignRequest>) => {
    const by = keys;
    const transaction = readPsbt(psbt);
    await prompt({kind: 'sign', ...describePsbt(transaction, by, send)});
    signPsbt(transaction, by, signInputs);
    if (!send) return {psbt: base64.encode(transaction.toPSBT())};
    transaction.finalize();
    const txid = await broadcast(rpc, transaction);
    return {psbt: base64.encode(transaction.toPSBT()), txid};
  };

  const methods: Readonly<Record<string, (params: unknown) => unknown>> = {
    getInfo: () => ({version: VERSION, platform: 'web', methods: Object.keys(methods), supports: ['WBIP004']}),
    wallet_connect: async params => {
      const {addresses, message} = read(ConnectRequest, params) ?? {};
      await connect(message);
      return accountOf(addresses);
    },
    wallet_getAccount: () => {
      requireExposed();
      return accountOf();
    },
    wallet_getNetwork: () => NETWORKS,
    wallet_disconnect: () => {
      core.forget();
      return null;
    },
    getAccounts: async params => {
      const {purposes, message} = read(AddressRequest, params) ?? {};
      await connect(message);
      return addressesFor(purposes);
    },
    getAddresses: async params => {
      const {purposes, message} = read(AddressRequest, params) ?? {};
      await connect(message);
      return {addresses: addressesFor(purposes), network: NETWORKS};
    },
    getBalance: async () => {
      requireExposed();
      const {confirmed, unconfirmed} = await readBalance(rpc, keys.payment.address);
      return {
        confirmed: String(confirmed),
        unconfirmed: String(unconfirmed),
        total: String(confirmed + unconfirmed),
      };
    },
    sendTransfer: async params => {
      requireExposed();
      return {txid: await transfer(read(TransferRequest, params).recipients)};
    },
    signPsbt: params => {
      requireExposed();
      return sign(read(SignRequest, params));
    },
  };

  const provider: BitcoinProvider = Object.freeze({
    async request(method: string, params?: unknown): Promise<Answer> {
      const envelope = {jsonrpc: '2.0', id: crypto.randomUUID()} as const;
      try {
        const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
        if (!answer) throw new WalletError(METHOD_NOT_FOUND, `This wallet does not support ${method}.`);
        return {...envelope, result: await answer(params)};
      } catch (error) {
        if (error instanceof WalletError) return {...envelope, error: {code: error.code, message: error.message}};
        if (error instanceof CoinError) return {...envelope, error: {code: INTERNAL, message: error.message}};
        throw error;
      }
    },
    addListener(listener: Parameters<BitcoinProvider['addListener']>[0]) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });

  const registration: Registration = Object.freeze({
    id,
    name,
    icon: drawIcon(name),
    methods: Object.freeze(Object.keys(methods)),
  });

  return core.withControls<BitcoinWallet>({
    id,
    provider,
    get feeRate() {
      return feeRate;
    },
    set feeRate(rate) {
      feeRate = rate;
    },
    balance: () => readBalance(rpc, keys.payment.address),
    async send(address, amount) {
      requireTestAddress({address, amount});
      const by = keys;
      const rate = await rateOf();
      return withLock(by, async () => signAndSend(rpc, by, await draftPayment(rpc, by, [{address, amount}], rate)));
    },
    async bumpFee(txid, rate) {
      const by = keys;
      return withLock(by, async () => signAndSend(rpc, by, await draftReplacement(rpc, by, txid, rate)));
    },
    withdraw: register(registration, provider),
  });
}

/** Registers a wallet by WBIP-004, in the list and under its id; returns a function that removes it. */
function register(registration: Registration, provider: BitcoinProvider): () => void {
  const page = window as unknown as Record<string, unknown> & {btc_providers?: unknown[]};
  const {id} = registration;
  const list = (page.btc_providers ??= []);
  list.push(registration);
  Object.defineProperty(page, id, {value: provider, configurable: true});
  return () => {
    const at = list.indexOf(registration);
    if (at < 0) return;
    list.splice(at, 1);
    Reflect.deleteProperty(page, id);
  };
}

function describeAddress(keys: Keys, purpose: Purpose) {
  const {address, publicKey} = keys[purpose];
  return {
    address,
    publicKey: hex.encode(publicKey),
    purpose,
    addressType: purpose === 'payment' ? 'p2wpkh' : 'p2tr',
    walletType: 'software',
  };
}

function read<const Schema extends v.GenericSchema>(schema: Schema, params: unknown): v.InferOutput<Schema> {
  return parseParams(schema, params, message => new WalletError(INVALID_PARAMS, message));
}

const Memory = v.object({
  permitted: v.boolean(),
  index: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
