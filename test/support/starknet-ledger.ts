/**
 * A small Starknet chain in memory, behind an RPC address, and a wallet on it that leaves its object in the page or
 * registers by the Wallet Standard, and records its requests. Selectors, calldata, keys and signatures are
 * real; blocks and the code behind the addresses are not. The journeys repeat these facts on a chain with
 * contracts.
 */
import {registerWallet} from '@wallet-standard/wallet';
import {ec, hash as hashes, selector, Signer, type TypedData} from 'starknet';
import './window.js';

/** An error as wallets and nodes throw it. */
export class WalletError extends Error {
  constructor(
    readonly code: number | undefined,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The wallet API's own no. */
export const REFUSED = new WalletError(113, 'An error occurred (USER_REFUSED_OP)');

export const RPC = 'https://starknet.test/rpc';
export const SEPOLIA = '0x534e5f5345504f4c4941';
export const MAIN = '0x534e5f4d41494e';
export const KEY = '0x5b7d6c8e9f00112233445566778899aabbccddeeff00112233445566778899a';
/** Both coordinates, as the library wants them. */
export const PUBLIC_KEY = `0x${Array.from(ec.starkCurve.getPublicKey(KEY, false), byte => byte.toString(16).padStart(2, '0')).join('')}`;
/** The payer of the published sample. */
export const OWNER = '0x00609190b1348bcc06da44d58c79709495c11a5a6f0b9e154e1209f2a17dd933';
export const STRANGER = '0x0444444444444444444444444444444444444444444444444444444444444444';

interface WalletCall {
  readonly type: string;
  readonly params: unknown;
}

interface Call {
  readonly contract_address: string;
  readonly entry_point: string;
  readonly calldata: readonly string[];
}

interface Read {
  readonly request: {
    readonly contract_address: string;
    readonly entry_point_selector: string;
    readonly calldata: readonly string[];
  };
  readonly block_id: BlockId;
}

type BlockId = 'latest' | {readonly block_number: number};

interface EventFilter {
  readonly from_block: BlockId;
  readonly to_block: BlockId;
  readonly address: string;
  readonly keys: readonly (readonly string[])[];
}

export interface ContractEvent {
  readonly from_address: string;
  readonly keys: readonly string[];
  readonly data: readonly string[];
}

interface KeptOrder {
  amount: bigint;
  refunded: boolean;
  /** Who paid it in; the owner, unless said. */
  initiator?: string;
  /** Who takes it with the secret; in the published sample, unless said. */
  redeemer?: string;
  /** In blocks; in the published sample, unless said. */
  timelock?: bigint;
  /** 64 hex digits; in the published sample, unless said. */
  secretHash?: string;
  block?: number;
  /** The block in which it ended. */
  endedIn?: number;
  /** The transaction that paid it in. */
  hash?: string;
}

/** The block of an order that no transaction of the wallet paid in. */
const ORDER_BLOCK = 112;
/** Of the published sample's source leg. */
const REDEEMER = '0x078f8ae98fe78b5df9d3755b5910864c028d5249b4af685eb45687b1b76a4205';

const SECRET_HASH = 'e7b213af79add7fb7457238fc65df61cb4dea13b3ae374f1b5c69538e5fcb98a';
const TIMELOCK = 2880n;

/** When a block was made, in milliseconds since 1970. */
export const timeOf = (block: bigint | number) => 1_760_000_000_000 + Number(block) * 30_000;

const wordsOf = (digits: string) => (digits.match(/.{8}/g) ?? []).map(word => `0x${word}`);
const event = (from_address: string, name: string, id: string, data: readonly string[]): ContractEvent => ({
  from_address,
  keys: [selector.getSelectorFromName(name), id],
  data,
});

/** What a swap contract logs of an order that is paid in. */
export const initiated = (contract: string, id: string, secretHash: string, amount: bigint) =>
  event(contract, 'Initiated', id, [...wordsOf(secretHash), ...halves(amount)]);

/** What a swap contract logs of an order that is paid out. */
export const redeemed = (contract: string, id: string, secret: string, secretHash: string) =>
  event(contract, 'Redeemed', id, [...wordsOf(secretHash), hex(secret.length / 8), ...wordsOf(secret)]);

/** What a swap contract logs of an order that is paid back. */
export const refunded = (contract: string, id: string) => event(contract, 'Refunded', id, []);

export interface LedgerOptions {
  readonly token: string;
  readonly contract: string;
  /** The id that the contract gives the one order of the tests. */
  readonly orderId: string;
  readonly balance: bigint;
}

const same = (one: string, other: string) => BigInt(one) === BigInt(other);
const halves = (amount: bigint) => [amount % 2n ** 128n, amount / 2n ** 128n].map(hex);
const hex = (value: bigint | number) => `0x${value.toString(16)}`;
const OPENS_A_WINDOW = ['wallet_switchStarknetChain', 'wallet_addInvokeTransaction', 'wallet_signTypedData'];

export class StarknetLedger {
  /** All requests to the wallet, oldest first. */
  readonly requests: WalletCall[] = [];
  /** The methods that the node was asked for. */
  readonly reads: string[] = [];
  /** What a test lets wallet or node answer instead, by method, or for a call by its entry point. */
  readonly instead = new Map<string, (params: unknown) => unknown>();
  readonly statuses = new Map<string, {finality_status: string; execution_status?: string}>();
  readonly orders = new Map<string, KeptOrder>();
  /** Receipts of transactions, by hash. */
  readonly receipts = new Map<
    string,
    {
      readonly execution_status: string;
      readonly finality_status?: string;
      readonly block_number?: number;
      readonly events: readonly ContractEvent[];
    }
  >();
  /** The newest block. Each transaction makes one. */
  block = ORDER_BLOCK - 1;
  accounts: string[] = [OWNER];
  /** The chain that the wallet is on. */
  chainId = SEPOLIA;
  /** The chain behind the RPC address. */
  nodeChainId = SEPOLIA;
  balance: bigint;
  allowance = 0n;
  namedToken: string;
  hasCode = true;
  /** Whether the timelock is over. */
  isLate = false;
  /** Whose ids the contract gives its orders: those of a known generation, or that of the published sample. */
  generation: 1 | 2 | undefined;
  /** What stands in front of a signature's two numbers, as accounts with a type or a guardian have it. */
  prefix: readonly string[] = [];
  suffix: readonly string[] = [];

  readonly #options: LedgerOptions;
  readonly #listeners = new Map<string, Set<(...values: unknown[]) => void>>();

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.balance = options.balance;
    this.namedToken = options.token;
  }

  /** The methods asked that open a window. */
  get windows(): string[] {
    return this.requests
      .filter(
        ({type, params}) =>
          OPENS_A_WINDOW.includes(type) ||
          (type === 'wallet_requestAccounts' && !(params as {silent_mode?: boolean} | undefined)?.silent_mode),
      )
      .map(({type}) => type);
  }

  /** What was sent, each transaction with its calls. */
  get sent(): readonly (readonly Call[])[] {
    return this.requests
      .filter(({type}) => type === 'wallet_addInvokeTransaction')
      .map(({params}) => (params as {calls: readonly Call[]}).calls);
  }

  request = async ({type, params}: {type: string; params?: unknown}): Promise<unknown> => {
    this.requests.push({type, params});
    await Promise.resolve();
    const instead = this.instead.get(type);
    return instead ? instead(params) : this.answer(type, params);
  };

  on = (event: string, listener: (...values: unknown[]) => void): void => {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener));
  };

  off = (event: string, listener: (...values: unknown[]) => void): void => {
    this.#listeners.get(event)?.delete(listener);
  };

  emit(event: string, ...values: unknown[]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(...values);
  }

  get listening(): number {
    return [...this.#listeners.values()].reduce((sum, {size}) => sum + size, 0);
  }

  async answer(type: string, params: unknown): Promise<unknown> {
    switch (type) {
      case 'wallet_requestAccounts':
        return this.accounts;
      case 'wallet_requestChainId':
        return this.chainId;
      case 'wallet_switchStarknetChain':
        this.chainId = (params as {chainId: string}).chainId;
        return true;
      case 'wallet_addInvokeTransaction': {
        const hash = hex(BigInt(this.statuses.size + 1) * 0x1234567n);
        const {calls} = params as {calls: readonly Call[]};
        const before = {balance: this.balance, allowance: this.allowance};
        this.block += 1;
        this.#events = [];
        try {
          for (const call of calls) this.#run(call, hash);
          const status = {finality_status: 'ACCEPTED_ON_L2', execution_status: 'SUCCEEDED'};
          this.statuses.set(hash, status);
          this.receipts.set(hash, {...status, block_number: this.block, events: this.#events});
        } catch (error) {
          // What a contract refuses is undone, and stays in its block.
          if (!(error instanceof WalletError)) throw error;
          Object.assign(this, before);
          this.statuses.set(hash, {finality_status: 'ACCEPTED_ON_L2', execution_status: 'REVERTED'});
        }
        return {transaction_hash: hash};
      }
      case 'wallet_signTypedData': {
        const signature = await new Signer(KEY).signMessage(params as TypedData, this.accounts[0] ?? '');
        const {r, s} = signature as {r: bigint; s: bigint};
        return [...this.prefix, hex(r), hex(s), ...this.suffix];
      }
      default:
        throw new WalletError(162, 'An error occurred (API_VERSION_NOT_SUPPORTED)');
    }
  }

  /** Answers an RPC request. */
  node(method: string, params: unknown): unknown {
    this.reads.push(method);
    const instead = this.instead.get(method);
    if (instead) return instead(params);
    switch (method) {
      case 'starknet_chainId':
        return this.nodeChainId;
      case 'starknet_getClassHashAt': {
        const {contract_address} = params as {contract_address: string};
        if (this.hasCode && same(contract_address, this.#options.contract)) return '0x61dac0';
        throw new WalletError(20, 'Contract not found');
      }
      case 'starknet_getTransactionStatus': {
        const status = this.statuses.get((params as {transaction_hash: string}).transaction_hash);
        if (!status) throw new WalletError(29, 'Transaction hash not found');
        return status;
      }
      case 'starknet_getTransactionReceipt': {
        const receipt = this.receipts.get((params as {transaction_hash: string}).transaction_hash);
        if (!receipt) throw new WalletError(29, 'Transaction hash not found');
        return receipt;
      }
      case 'starknet_getEvents':
        return {events: this.#eventsOf((params as {filter: EventFilter}).filter)};
      case 'starknet_blockNumber':
        return this.block;
      case 'starknet_getBlockWithTxHashes': {
        const {block_id} = params as {block_id: BlockId};
        return {timestamp: timeOf(this.#numberOf(block_id)) / 1_000};
      }
      case 'starknet_call':
        return this.#read(params as Read);
      default:
        throw new WalletError(-32601, 'Method not found');
    }
  }

  #numberOf(id: BlockId): number {
    if (id === 'latest') return this.block;
    if (id.block_number > this.block) throw new WalletError(24, 'Block not found');
    return id.block_number;
  }

  #events: ContractEvent[] = [];

  #eventsOf({from_block, to_block, address, keys}: EventFilter): readonly object[] {
    const [from, to] = [from_block, to_block].map(id => (id === 'latest' ? this.block : id.block_number));
    const ofOrders = [...this.orders].map(([id, {secretHash = SECRET_HASH, amount, block = ORDER_BLOCK, hash}]) => ({
      ...initiated(this.#options.contract, id, secretHash, amount),
      block_number: block,
      transaction_hash: hash ?? '0x9a1d',
    }));
    const ofReceipts = [...this.receipts].flatMap(([transaction_hash, {block_number = Infinity, events}]) =>
      events.map(one => ({...one, block_number, transaction_hash})),
    );
    return [...ofOrders, ...ofReceipts].filter(
      one =>
        same(one.from_address, address) &&
        from! <= one.block_number &&
        one.block_number <= to! &&
        keys.every((wanted, at) => wanted.some(key => same(key, one.keys[at] ?? '0x0'))),
    );
  }

  #read({request, block_id}: Read): unknown {
    const {contract_address: to, entry_point_selector: entry, calldata} = request;
    const {token, contract} = this.#options;
    const name = ['balance_of', 'balanceOf', 'allowance', 'token', 'get_order', 'refund'].find(one =>
      same(selector.getSelectorFromName(one), entry),
    );
    const instead = this.instead.get(name ?? '');
    if (instead) return instead(calldata);
    const at = block_id === 'latest' ? undefined : this.#numberOf(block_id);
    if (same(to, token)) {
      if (name === 'balance_of' || name === 'balanceOf') return halves(this.balance);
      if (name === 'allowance') return halves(this.allowance);
    }
    if (same(to, contract)) {
      if (name === 'token') return [this.namedToken];
      if (name === 'get_order') {
        const order = this.#orderAt(calldata[0] ?? '');
        const {block = ORDER_BLOCK} = order ?? {};
        if (!order || block > (at ?? block)) return Array<string>(7).fill('0x0');
        const {initiator = OWNER, redeemer = REDEEMER, timelock = TIMELOCK, endedIn = this.block, amount} = order;
        const over = order.refunded ? hex(endedIn) : '0x0';
        return [over, initiator, redeemer, hex(block), hex(timelock), ...halves(amount)];
      }
      if (name === 'refund') {
        this.#refund(calldata[0] ?? '');
        return [];
      }
    }
    if (same(to, token) || same(to, contract)) {
      throw new WalletError(21, 'Requested entrypoint does not exist in the contract');
    }
    throw new WalletError(20, 'Contract not found');
  }

  #orderAt(id: string): KeptOrder | undefined {
    return [...this.orders].find(([key]) => same(key, id))?.[1];
  }

  /** The id under which the contract keeps an order that is paid in by this call. */
  idOf(calldata: readonly string[], payer: string): string {
    const [redeemer = '', timelock = '', low = '', high = '', ...words] = calldata;
    const first = [this.nodeChainId, ...words, payer];
    if (this.generation === undefined) return this.#options.orderId;
    const all = this.generation === 1 ? first : [...first, redeemer, timelock, low, high, this.#options.contract];
    return hashes.computePoseidonHashOnElements(all);
  }

  #refund(id: string): void {
    const order = this.#orderAt(id);
    if (!order || order.refunded || !this.isLate) {
      throw new WalletError(40, 'Contract error', {revert_error: "0x... ('HTLC: order not expired')"});
    }
  }

  #run({contract_address: to, entry_point: name, calldata}: Call, hash: string): void {
    const {token, contract} = this.#options;
    const amount = () =>
      BigInt(calldata[name === 'approve' ? 1 : 2] ?? 0) +
      BigInt(calldata[name === 'approve' ? 2 : 3] ?? 0) * 2n ** 128n;
    if (same(to, token) && name === 'approve' && same(calldata[0] ?? '', contract)) {
      this.allowance = amount();
      return;
    }
    if (same(to, contract) && name === 'initiate') {
      if (this.allowance < amount() || this.balance < amount()) throw new WalletError(40, 'the money is not there');
      this.allowance -= amount();
      this.balance -= amount();
      const [redeemer = '', timelock = '', , , ...words] = calldata;
      const {
        block,
        accounts: [initiator = ''],
      } = this;
      const secretHash = words.map(word => BigInt(word).toString(16).padStart(8, '0')).join('');
      this.orders.set(this.idOf(calldata, initiator), {
        amount: amount(),
        refunded: false,
        initiator,
        redeemer,
        timelock: BigInt(timelock),
        secretHash,
        block,
        hash,
      });
      return;
    }
    if (same(to, contract) && name === 'refund') {
      this.#refund(calldata[0] ?? '');
      const order = this.#orderAt(calldata[0] ?? '');
      if (order) {
        Object.assign(order, {refunded: true, endedIn: this.block});
        this.#events.push(refunded(contract, calldata[0] ?? ''));
        this.balance += order.amount;
      }
      return;
    }
    throw new WalletError(40, `no such entry point: ${name}`);
  }

  /** Lets the RPC address answer from this ledger, until the answer is called. */
  serve(): () => void {
    const before = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      if (String(input) !== RPC) return before(input, init);
      const {id, method, params} = JSON.parse(String(init?.body)) as {id: number; method: string; params: unknown};
      try {
        return Response.json({jsonrpc: '2.0', id, result: await this.node(method, params)});
      } catch (error) {
        const {code, message, data} = error as WalletError;
        return Response.json({jsonrpc: '2.0', id, error: {code, message, data}});
      }
    };
    return () => {
      globalThis.fetch = before;
    };
  }
}

const ICON = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';

/** Leaves a wallet's object in the page, until the answer is called. */
export function inject(
  wallet: Pick<StarknetLedger, 'request' | 'on' | 'off'> | object,
  info: Readonly<Record<string, unknown>> = {},
): () => void {
  const {id = 'ledger'} = info;
  const key = `starknet_${String(id)}`;
  const {request, on, off} = wallet as StarknetLedger;
  const object = {id, name: 'Ledger of the tests', version: '1.0.0', icon: ICON, request, on, off, ...info};
  Object.assign(globalThis, {[key]: object});
  return () => {
    Reflect.deleteProperty(globalThis, key);
  };
}

/**
 * Registers the wallet by the Wallet Standard, as wallets of get-starknet's fifth and sixth versions do. A page forgets
 * no wallet that registered, so each has a name of its own.
 */
export function register(ledger: StarknetLedger, name: string, features: Readonly<Record<string, unknown>> = {}): void {
  const accounts = () =>
    ledger.accounts.map(address => ({
      address,
      publicKey: new Uint8Array(),
      chains: [`starknet:${ledger.chainId}`] as const,
      features: [],
    }));
  registerWallet({
    version: '1.0.0',
    name,
    icon: ICON as `data:image/svg+xml;base64,${string}`,
    chains: ['starknet:0x534e5f5345504f4c4941'],
    accounts: [],
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async ({silent = false} = {}) => {
          await ledger.request({type: 'wallet_requestAccounts', params: {silent_mode: silent}});
          return {accounts: accounts()};
        },
      },
      'standard:disconnect': {version: '1.0.0', disconnect: () => Promise.resolve()},
      'standard:events': {
        version: '1.0.0',
        on: (event: string, listener: (...values: unknown[]) => void) => {
          ledger.on(event, listener);
          return () => ledger.off(event, listener);
        },
      },
      'starknet:walletApi': {id: name, version: '1.0.0', walletVersion: '1.0.0', request: ledger.request},
      ...features,
    },
  });
}
