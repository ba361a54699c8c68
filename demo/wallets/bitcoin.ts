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
  readHoldings,
  readPsbt,
  signAndSend,
  signPsbt,
  type Holdings,
  type Keys,
  type Recipient,
} from './bitcoin-coins.js';
import {wordPayment, wordPsbt} from './bitcoin-questions.js';
import {assertLoopback, createOwner, drawIcon, recall, type OwnedSettings, type OwnedWallet} from './owner.js';

export interface BitcoinWalletSettings extends OwnedSettings {
  /** The way to it from `window`, and what it is known again by (WBIP-004). */
  readonly id: string;
  /** The words that the keys of its accounts are made from. */
  readonly words: string;
  /** Where the node answers as Esplora does. */
  readonly rpc: string;
}

/** The networks it can be on. It has a node for the test network alone. */
export type BitcoinNetwork = 'Mainnet' | 'Testnet4';

/** A wallet with real keys for the local chain, and what its owner can do in it without being asked by a page. */
export interface BitcoinWallet extends OwnedWallet {
  readonly id: string;
  /** What a page talks to, as sats-connect does. */
  readonly provider: BitcoinProvider;
  /** What it gives miners, in satoshi for each virtual byte; `undefined`: what the node advises. */
  feeRate: bigint | undefined;
  /** The payment addresses of all its accounts, on the network it is on. */
  readonly accounts: readonly string[];
  /** The payment address of the active account. */
  readonly account: string;
  /** The taproot address of the active account. */
  readonly ordinals: string;
  readonly network: BitcoinNetwork;
  /** What the payment address of the active account holds. */
  holdings(): Promise<Holdings>;
  useNetwork(network: BitcoinNetwork): void;
  /** Pays, as its owner does from its own window: to an address that was copied or scanned, say. Answers the hash. */
  send(address: string, amount: bigint): Promise<string>;
  /** Puts a payment with a higher fee in the place of one that waits (BIP 125), twice as high unless said otherwise. */
  bumpFee(txid: string, feeRate?: bigint): Promise<string>;
}

/** JSON-RPC 2.0: whatever happens is an answer, a no as well. */
export type Answer = {readonly jsonrpc: '2.0'; readonly id: string} & (
  {readonly result: unknown} | {readonly error: {readonly code: number; readonly message: string}}
);

export interface BitcoinProvider {
  request(method: string, params?: unknown): Promise<Answer>;
  /** Tells of one kind of event; answers how to stop. */
  addListener(listener: {readonly eventName: EventName; readonly cb: (event: unknown) => void}): () => void;
}

type EventName = 'accountChange' | 'networkChange' | 'disconnect';

/** An entry of `window.btc_providers`. */
interface Registration {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  readonly methods: readonly string[];
}

/** An error as sats-connect numbers it. */
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

type Purpose = 'payment' | 'ordinals';
const Purposes = v.array(v.string());
const Connecting = v.nullish(v.looseObject({addresses: v.optional(Purposes), message: v.optional(v.string())}));
const Asking = v.nullish(v.looseObject({purposes: v.optional(Purposes), message: v.optional(v.string())}));
const Transfer = v.object({
  recipients: v.pipe(
    v.array(
      v.object({
        address: v.string(),
        // Numbers, as sats-connect has it: none of them can be more than there are coins.
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
const Signing = v.object({
  psbt: v.string(),
  signInputs: v.optional(v.record(v.string(), v.array(v.pipe(v.number(), v.integer(), v.minValue(0))))),
  broadcast: v.optional(v.boolean(), false),
});

/**
 * Makes a wallet and registers it with the page (WBIP-004).
 * @throws Error anywhere but on this very machine: its keys are no secret.
 */
export function createBitcoinWallet(settings: BitcoinWalletSettings): BitcoinWallet {
  assertLoopback(location.hostname);
  const {name, id, words, rpc} = settings;
  const place = `development-wallet:bitcoin:${id}`;
  const memory = recall(settings, place, Memory) ?? {permitted: false, index: 0, network: 'Testnet4'};
  const listeners = new Set<Parameters<BitcoinProvider['addListener']>[0]>();
  const count = settings.accounts ?? 2;

  let {network} = memory;
  let index = memory.index < count ? memory.index : 0;
  let feeRate: bigint | undefined;

  const keysOf = (index: number) => deriveKeys(words, index, network === 'Testnet4');
  let keys = keysOf(index);

  const owner = createOwner(settings, {
    place,
    permitted: memory.permitted,
    memory: () => ({index, network}),
    accounts: () => Array.from({length: count}, (_, index) => keysOf(index).payment.address),
    account: () => keys.payment.address,
    choose: wanted => (index = wanted),
    tell() {
      const before = told;
      told = {open: owner.isOpen, index, network};
      keys = keysOf(index);
      if (before.open && !told.open) emit('disconnect', {});
      if (network !== before.network) emit('networkChange', networks());
      if (told.open && (index !== before.index || !before.open)) emit('accountChange', {});
    },
    refusal: () => new WalletError(REJECTED, 'User rejected the request.'),
  });
  const {ask, change} = owner;
  let told = {open: owner.isOpen, index, network};

  const emit = (type: EventName, event: object) => {
    for (const {eventName, cb} of [...listeners]) if (eventName === type) cb({type, ...event});
  };

  const networks = () => ({
    bitcoin: {name: network},
    stacks: {name: network === 'Mainnet' ? 'mainnet' : 'testnet'},
    spark: {name: network === 'Mainnet' ? 'mainnet' : 'regtest'},
  });

  const requireOpen = () => {
    if (!owner.isOpen) throw new WalletError(ACCESS_DENIED, 'Access denied. Connect the wallet first.');
  };

  const addressesFor = (wanted: readonly string[] = ['payment', 'ordinals']) =>
    (['payment', 'ordinals'] as const)
      .filter(purpose => wanted.includes(purpose))
      .map(purpose => describeAddress(keys, purpose));

  const connect = (message?: string) =>
    owner.connect({
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
    network: networks(),
  });

  /** Only one page at a time puts payments together: no coin is spent in two of them. */
  const alone = <T>(by: Keys, work: () => Promise<T>): Promise<T> =>
    navigator.locks.request(`${place}:${by.payment.address}`, work);

  const requireNode = () => {
    if (network !== 'Testnet4') throw new WalletError(INTERNAL, 'This wallet has no node on the main network.');
  };

  const rateOf = async () => feeRate ?? (await readFeeRate(rpc));

  const requireTestAddress = ({address}: Recipient) => {
    if (!isTestAddress(address)) {
      throw new WalletError(INVALID_PARAMS, `${address} is no address of the test network.`);
    }
  };

  const transfer = async (recipients: readonly Recipient[]): Promise<string> => {
    requireNode();
    recipients.forEach(requireTestAddress);
    const by = keys;
    // What the coins do not cover is refused before anybody is asked.
    const draft = await draftPayment(rpc, by, recipients, await rateOf());
    await ask({kind: 'send', ...wordPayment(draft, recipients, by)});
    return alone(by, async () => {
      // The coins may be others by now.
      const fresh = await draftPayment(rpc, by, recipients, draft.feeRate);
      return signAndSend(rpc, by, fresh);
    });
  };

  const sign = async ({psbt, signInputs, broadcast: send}: v.InferOutput<typeof Signing>) => {
    requireNode();
    const by = keys;
    const transaction = readPsbt(psbt);
    await ask({kind: 'sign', ...wordPsbt(transaction, by, send)});
    signPsbt(transaction, by, signInputs);
    if (!send) return {psbt: base64.encode(transaction.toPSBT())};
    transaction.finalize();
    const txid = await broadcast(rpc, transaction);
    return {psbt: base64.encode(transaction.toPSBT()), txid};
  };

  const methods: Readonly<Record<string, (params: unknown) => unknown>> = {
    getInfo: () => ({version: VERSION, platform: 'web', methods: Object.keys(methods), supports: ['WBIP004']}),
    wallet_connect: async params => {
      const {addresses, message} = read(Connecting, params) ?? {};
      await connect(message);
      return accountOf(addresses);
    },
    wallet_getAccount: () => {
      requireOpen();
      return accountOf();
    },
    wallet_getNetwork: () => networks(),
    wallet_disconnect: () => {
      owner.forget();
      return null;
    },
    getAccounts: async params => {
      const {purposes, message} = read(Asking, params) ?? {};
      await connect(message);
      return addressesFor(purposes);
    },
    getAddresses: async params => {
      const {purposes, message} = read(Asking, params) ?? {};
      await connect(message);
      return {addresses: addressesFor(purposes), network: networks()};
    },
    getBalance: async () => {
      requireOpen();
      requireNode();
      const {confirmed, unconfirmed} = await readHoldings(rpc, keys.payment.address);
      return {
        confirmed: String(confirmed),
        unconfirmed: String(unconfirmed),
        total: String(confirmed + unconfirmed),
      };
    },
    sendTransfer: async params => {
      requireOpen();
      return {txid: await transfer(read(Transfer, params).recipients)};
    },
    signPsbt: params => {
      requireOpen();
      return sign(read(Signing, params));
    },
  };

  const provider: BitcoinProvider = Object.freeze({
    async request(method: string, params?: unknown): Promise<Answer> {
      const envelope = {jsonrpc: '2.0', id: crypto.randomUUID()} as const;
      try {
        const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
        if (!answer) throw new WalletError(METHOD_NOT_FOUND, `This wallet does not do ${method}.`);
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

  return owner.equip<BitcoinWallet>({
    id,
    provider,
    get feeRate() {
      return feeRate;
    },
    set feeRate(rate) {
      feeRate = rate;
    },
    get ordinals() {
      return keys.ordinals.address;
    },
    get network() {
      return network;
    },
    holdings: () => readHoldings(rpc, keys.payment.address),
    useNetwork(wanted) {
      change(() => (network = wanted));
    },
    async send(address, amount) {
      requireNode();
      requireTestAddress({address, amount});
      const by = keys;
      const rate = await rateOf();
      return alone(by, async () => signAndSend(rpc, by, await draftPayment(rpc, by, [{address, amount}], rate)));
    },
    async bumpFee(txid, rate) {
      requireNode();
      const by = keys;
      return alone(by, async () => signAndSend(rpc, by, await draftReplacement(rpc, by, txid, rate)));
    },
    withdraw: register(registration, provider),
  });
}

/** The payment address that the first account of a wallet with these words has on the test network. */
export function bitcoinAddressOf(words: string): string {
  return deriveKeys(words, 0, true).payment.address;
}

/** Registers a wallet as WBIP-004 has it, in a list and under its id; answers how to take that back. */
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

/** Reads a request's parameters; throws what names the first one that is wrong. */
function read<const Schema extends v.GenericSchema>(schema: Schema, params: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, params);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new WalletError(INVALID_PARAMS, `${v.getDotPath(issue) ?? 'params'}: ${issue.message}`);
}

const Memory = v.object({
  permitted: v.boolean(),
  index: v.pipe(v.number(), v.integer(), v.minValue(0)),
  network: v.picklist(['Mainnet', 'Testnet4']),
});
