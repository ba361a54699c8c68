/**
 * A small EVM chain in memory, and a wallet on it: an EIP-1193 provider that answers from a ledger and records its
 * requests. Keys, signatures and call data are real; blocks, gas and the code behind the addresses are not. The
 * journeys repeat these facts on a real node.
 */
import {
  AbiCoder,
  Interface,
  TypedDataEncoder,
  Wallet as KeyPair,
  getAddress,
  id,
  recoverAddress,
  sha256,
  toBeHex,
  zeroPadValue,
} from 'ethers';
import './window.js';

const forms = new Interface([
  'function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)',
  'function refund(bytes32 orderId)',
  'function orders(bytes32 orderId)',
  'function token()',
  'function balanceOf(address owner)',
  'function allowance(address owner, address spender)',
  'function approve(address spender, uint256 amount)',
]);
const words = AbiCoder.defaultAbiCoder();

/** An error as wallets throw it. */
export class WalletError extends Error {
  constructor(
    readonly code: number | undefined,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

interface Transaction {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly value?: string;
}

/** Several calls as one request (EIP-5792, `wallet_sendCalls`). */
export interface Bundle {
  readonly version: string;
  readonly id: string;
  readonly from: string;
  readonly chainId: string;
  readonly atomicRequired: boolean;
  readonly calls: readonly {readonly to: string; readonly data: string; readonly value: string}[];
}

interface WalletCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

interface LogFilter {
  readonly address: string;
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly topics: readonly (string | readonly string[])[];
}

interface KeptOrder {
  amount: bigint;
  owner: string;
  refunded: boolean;
  /** Who takes it with the secret; in the published sample, unless said. */
  redeemer?: string;
  /** In blocks; in the published sample, unless said. */
  timelock?: bigint;
  block?: bigint;
  /** The block in which it ended; the newest, unless said. */
  endedIn?: bigint;
}

export interface LedgerOptions {
  readonly chainId: number;
  readonly token: string;
  readonly contract: string;
  /** The token's balance of the wallet's account. */
  readonly balance: bigint;
  /** Whether the token's allowance changes from and to 0 only. */
  readonly approvesFromZeroOnly?: boolean;
}

export const KEY = id('swap-widget test: payer');
export const OWNER = new KeyPair(KEY).address;
/** Of the published sample's source leg. */
const REDEEMER = '0x661bA32eb5f86CaB358DDbB7F264b10c5825e2dd';
const TIMELOCK = 7200n;

/** When a block was made, in milliseconds since 1970. */
export const timeOf = (block: bigint | number) => 1_760_000_000_000 + Number(block) * 12_000;

/** What a swap contract logs of an order that is paid in. */
export const initiated = (address: string, orderId: string, secretHash: string, amount: bigint): Log => ({
  address,
  topics: [id('Initiated(bytes32,bytes32,uint256)'), orderId, secretHash, toBeHex(amount, 32)],
  data: '0x',
});

/** What a swap contract logs of an order that is paid out. */
export const redeemed = (address: string, orderId: string, secret: string, hash = sha256(secret)): Log => ({
  address,
  topics: [id('Redeemed(bytes32,bytes32,bytes)'), orderId, hash],
  data: words.encode(['bytes'], [secret]),
});

/** What a swap contract logs of an order that is paid back. */
export const refunded = (address: string, orderId: string): Log => ({
  address,
  topics: [id('Refunded(bytes32)'), orderId],
  data: '0x',
});

/** The wallet of one account on a chain with one token and its swap contract. */
export class LedgerWallet {
  /** All requests, oldest first. */
  readonly requests: WalletCall[] = [];
  /** What a test lets the wallet answer instead, by method. */
  readonly instead = new Map<string, (params: readonly unknown[]) => unknown>();
  readonly balances = new Map<string, bigint>();
  readonly allowances = new Map<string, bigint>();
  readonly orders = new Map<string, KeptOrder>();
  readonly receipts = new Map<string, {status: string; blockNumber?: string; logs?: readonly Log[]}>();
  /** Who sent what to whom, by hash. */
  readonly transactions = new Map<string, Partial<Transaction>>();
  readonly chains: Set<number>;
  /** What it says of several calls as one request; a wallet that does not know the standard says nothing. */
  atomic: 'supported' | 'ready' | 'unsupported' | undefined;
  /** What it makes of the calls that it was given. */
  arrange = (calls: Bundle['calls']): Bundle['calls'] => calls;
  /** Whether it goes on where a call fails, and the transaction is well. */
  isCareless = false;
  /** The transaction of each bundle, by its id. */
  readonly bundles = new Map<string, string>();
  accounts = [OWNER];
  coins = 10n ** 18n;
  chainId: number;
  /** What the swap contract says its token is. */
  namedToken: string;
  hasCode = true;
  /** Whether the timelock is over. */
  isLate = false;
  /** The newest block. Each transaction makes one. */
  block = 100n;
  /** Whether an order's first field says that it is over, as in one generation of contracts. */
  saysOverFirst = false;
  /** Whether orders have the ids of domain version 3. */
  hasLongIds = false;

  readonly #options: LedgerOptions;
  readonly #listeners = new Map<string, Set<(value: unknown) => void>>();

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.chainId = options.chainId;
    this.chains = new Set([options.chainId]);
    this.namedToken = options.token;
    this.balances.set(OWNER, options.balance);
  }

  get allowance(): bigint {
    return this.allowances.get(OWNER) ?? 0n;
  }

  set allowance(value: bigint) {
    this.allowances.set(OWNER, value);
  }

  /** The methods asked that open a window. */
  get windows(): string[] {
    return this.requests.map(({method}) => method).filter(method => OPENS_A_WINDOW.includes(method));
  }

  request = async ({method, params = []}: {method: string; params?: readonly unknown[]}): Promise<unknown> => {
    this.requests.push({method, params});
    await Promise.resolve();
    const instead = this.instead.get(method);
    return instead ? instead(params) : this.answer(method, params);
  };

  on(event: string, listener: (value: unknown) => void): void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
  }

  removeListener(event: string, listener: (value: unknown) => void): void {
    this.#listeners.get(event)?.delete(listener);
  }

  emit(event: string, value: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(value);
  }

  get listening(): number {
    return [...this.#listeners.values()].reduce((sum, {size}) => sum + size, 0);
  }

  answer(method: string, params: readonly unknown[]): unknown {
    const [first, second] = params;
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return this.accounts;
      case 'eth_chainId':
        return toBeHex(this.chainId);
      case 'wallet_switchEthereumChain': {
        const chainId = Number((first as {chainId: string}).chainId);
        if (!this.chains.has(chainId)) throw new WalletError(4902, 'Unrecognized chain ID.');
        this.chainId = chainId;
        return null;
      }
      case 'wallet_addEthereumChain':
        this.chains.add(Number((first as {chainId: string}).chainId));
        return null;
      case 'eth_getBalance':
        return toBeHex(this.coins);
      case 'eth_getCode':
        return this.hasCode && this.#is(String(first), this.#options.contract) ? '0x6001' : '0x';
      case 'eth_call':
        return this.#run(first as Transaction, false, this.#numberOf(second));
      case 'eth_blockNumber':
        return toBeHex(this.block);
      case 'eth_getBlockByNumber': {
        const number = BigInt(String(first));
        return number > this.block ? null : {number: first, timestamp: toBeHex(timeOf(number) / 1_000)};
      }
      case 'eth_sendTransaction': {
        const hash = id(`transaction ${this.receipts.size}`);
        this.block += 1n;
        this.#logs = [];
        this.#run(first as Transaction, true);
        this.transactions.set(hash, first as Transaction);
        this.receipts.set(hash, {status: '0x1', blockNumber: toBeHex(this.block), logs: this.#logs});
        return hash;
      }
      case 'wallet_getCapabilities':
        if (this.atomic === undefined) break;
        return {[toBeHex(this.chainId)]: {atomic: {status: this.atomic}}};
      case 'wallet_sendCalls':
        if (this.atomic === undefined) break;
        return this.#sendAll(first as Bundle);
      case 'wallet_getCallsStatus': {
        if (this.atomic === undefined) break;
        const id = String(first);
        const hash = this.bundles.get(id);
        if (hash === undefined) throw new WalletError(5730, 'No matching bundle found.');
        const {status, blockNumber} = this.receipts.get(hash) ?? {};
        const receipts = status === undefined ? [] : [{status, blockNumber, transactionHash: hash, logs: []}];
        const code = status === undefined ? 100 : status === '0x1' ? 200 : 500;
        return {version: '2.0.0', id, chainId: toBeHex(this.chainId), status: code, atomic: true, receipts};
      }
      case 'eth_getTransactionReceipt': {
        const receipt = this.receipts.get(String(first));
        return receipt ? {blockNumber: '0x64', logs: [], ...receipt} : null;
      }
      case 'eth_getLogs': {
        const {address, fromBlock, toBlock, topics} = first as LogFilter;
        return [...this.receipts].flatMap(([transactionHash, {blockNumber = '0x64', logs = []}]) =>
          logs
            .filter(
              log =>
                this.#is(log.address, address) &&
                BigInt(fromBlock) <= BigInt(blockNumber) &&
                BigInt(blockNumber) <= (this.#numberOf(toBlock) ?? this.block) &&
                topics.every((wanted, at) => [wanted].flat().includes(log.topics[at] ?? '')),
            )
            .map(log => ({...log, transactionHash, blockNumber})),
        );
      }
      case 'eth_getTransactionByHash':
        return this.receipts.has(String(first))
          ? {hash: first, value: '0x0', ...this.transactions.get(String(first))}
          : null;
      case 'eth_signTypedData_v4': {
        const {domain, types, message} = JSON.parse(String(second)) as {
          domain: Record<string, unknown>;
          types: Record<string, {name: string; type: string}[]>;
          message: Record<string, unknown>;
        };
        const own = Object.fromEntries(Object.entries(types).filter(([name]) => name !== 'EIP712Domain'));
        return new KeyPair(KEY).signingKey.sign(TypedDataEncoder.hash(domain, own, message)).serialized;
      }
    }
    throw new WalletError(-32601, `The method ${method} does not exist.`);
  }

  /** Makes all calls in one transaction, or none of them. */
  #sendAll({id: bundle, from, calls}: Bundle): {id: string} {
    const hash = id(`transaction ${this.receipts.size}`);
    this.block += 1n;
    this.#logs = [];
    const kept = [this.allowances, this.balances, this.orders].map(table => [table, [...table]] as const);
    let status = '0x1';
    for (const call of this.arrange(calls)) {
      try {
        this.#run({from, ...call}, true);
      } catch {
        if (this.isCareless) continue;
        status = '0x0';
        this.#logs = [];
        for (const [table, entries] of kept) {
          table.clear();
          for (const [key, value] of entries) (table as Map<string, unknown>).set(key, value);
        }
        break;
      }
    }
    this.receipts.set(hash, {status, blockNumber: toBeHex(this.block), logs: this.#logs});
    this.bundles.set(bundle, hash);
    return {id: bundle};
  }

  #logs: Log[] = [];

  /** The order id of domain version 2. */
  orderId(secretHash: string, owner: string = OWNER): string {
    return sha256(words.encode(['uint256', 'bytes32', 'address'], [this.#options.chainId, secretHash, owner]));
  }

  /** The order id of domain version 3. */
  longOrderId([redeemer, timelock, amount, secretHash]: readonly unknown[], owner: string = OWNER): string {
    const types = ['uint256', 'bytes32', 'address', 'address', 'uint256', 'uint256', 'address'];
    const {chainId, contract} = this.#options;
    return sha256(words.encode(types, [chainId, secretHash, owner, redeemer, timelock, amount, contract]));
  }

  #is(one: string, other: string): boolean {
    return one.toLowerCase() === other.toLowerCase();
  }

  /** The block that a tag names; `undefined` for the newest state. */
  #numberOf(tag: unknown): bigint | undefined {
    const number = typeof tag === 'string' && tag.startsWith('0x') ? BigInt(tag) : undefined;
    if (number !== undefined && number > this.block) throw new WalletError(-32000, 'header not found');
    return number;
  }

  /** `at`: the block whose state counts. */
  #run({from, to, data, value = '0x0'}: Transaction, keep: boolean, at = this.block): string {
    const {token, contract, approvesFromZeroOnly = false} = this.#options;
    if (BigInt(to) === 1n) {
      const [digest, v, r, s] = (data.slice(2).match(/.{64}/g) ?? []).map(word => `0x${word}`) as [
        string,
        string,
        string,
        string,
      ];
      return zeroPadValue(recoverAddress(digest, {r, s, v: Number(v)}), 32);
    }
    const call = forms.parseTransaction({data});
    const method = call?.name ?? '';
    const args = [...(call?.args ?? [])] as (string & bigint)[];
    const uint = (number: bigint) => words.encode(['uint256'], [number]);
    const revert = (why: string) => new WalletError(3, `execution reverted: ${why}`, '0x');

    if (this.#is(to, token)) {
      switch (method) {
        case 'balanceOf':
          return uint(this.balances.get(getAddress(args[0] ?? '')) ?? 0n);
        case 'allowance':
          return uint(this.allowances.get(getAddress(args[0] ?? '')) ?? 0n);
        case 'approve': {
          const amount = args[1] ?? 0n;
          if (approvesFromZeroOnly && amount > 0n && this.allowance > 0n) throw revert('approve from non-zero');
          if (keep) this.allowances.set(getAddress(from), amount);
          return uint(1n);
        }
      }
    }
    if (this.#is(to, contract)) {
      switch (method) {
        case 'token':
          return words.encode(['address'], [this.namedToken]);
        case 'orders': {
          const order = this.orders.get(args[0] ?? '');
          const {owner = '', redeemer = REDEEMER, timelock = TIMELOCK, block = 100n, amount = 0n} = order ?? {};
          if (!order || block > at) return `0x${'0'.repeat(384)}`;
          const {refunded, endedIn = this.block} = order;
          const fields = [owner, redeemer, block, timelock, amount];
          const all = this.saysOverFirst ? [Number(refunded), ...fields] : [...fields, refunded ? endedIn : 0n];
          return `0x${all.map(value => BigInt(value).toString(16).padStart(64, '0')).join('')}`;
        }
        case 'initiate': {
          const [redeemer = '', timelock = 0n, amount = 0n, secretHash = ''] = args;
          const owner = getAddress(from);
          const orderId = this.hasLongIds ? this.longOrderId(args, owner) : this.orderId(secretHash, owner);
          if (this.orders.has(orderId)) throw revert('HTLC__DuplicateOrder');
          const ofCoin = BigInt(this.namedToken) === BigInt('0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE');
          if (
            ofCoin ? BigInt(value) !== amount : this.allowance < amount || (this.balances.get(owner) ?? 0n) < amount
          ) {
            throw revert('the money is not there');
          }
          if (keep) {
            this.orders.set(orderId, {amount, owner, redeemer, timelock, block: this.block, refunded: false});
            this.#logs.push(initiated(contract, orderId, secretHash, amount));
            if (!ofCoin) {
              this.balances.set(owner, (this.balances.get(owner) ?? 0n) - amount);
              this.allowance -= amount;
            }
          }
          return '0x';
        }
        case 'refund': {
          const order = this.orders.get(args[0] ?? '');
          if (!order || order.refunded || !this.isLate) throw revert('HTLC__OrderNotExpired');
          if (keep) {
            Object.assign(order, {refunded: true, endedIn: this.block});
            this.#logs.push(refunded(contract, args[0] ?? ''));
            this.balances.set(order.owner, (this.balances.get(order.owner) ?? 0n) + order.amount);
          }
          return '0x';
        }
      }
      throw revert('no such method');
    }
    return '0x';
  }
}

const OPENS_A_WINDOW = [
  'eth_requestAccounts',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'eth_sendTransaction',
  'eth_signTypedData_v4',
  'wallet_sendCalls',
];

/** Announces a wallet by EIP-6963, once and whenever a page asks, until the answer is called. */
export function announce(provider: unknown, info: Readonly<Record<string, unknown>> = {}): () => void {
  const detail = Object.freeze({
    info: Object.freeze({
      uuid: crypto.randomUUID(),
      name: 'Ledger of the tests',
      rdns: 'test.ledger',
      icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
      ...info,
    }),
    provider,
  });
  const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', {detail}));
  window.addEventListener('eip6963:requestProvider', tell);
  tell();
  return () => window.removeEventListener('eip6963:requestProvider', tell);
}
