/**
 * An EVM chain in memory, and a wallet on it: an EIP-1193 provider that answers from a ledger and records its requests.
 * Keys, signatures and call data are real; blocks, gas and the code behind the addresses are not. The journeys repeat
 * these facts on a real node.
 */
import {AbiCoder, Interface, TypedDataEncoder, Wallet as KeyPair, id, sha256, toBeHex, zeroPadValue} from 'ethers';
import type {Event, Said, Terms} from '../../src/chains/token-htlc/dialect.js';
import {Fault, HtlcLedger, same, type Call} from './htlc-ledger.js';
import {RpcError as WalletError} from './json-rpc.js';
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

export {WalletError};

interface Transaction {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly value?: string;
}

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

interface LogFilter {
  readonly address: string;
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly topics: readonly [readonly string[], string];
}

export const KEY = id('swap-widget test: payer');
export const OWNER = new KeyPair(KEY).address;
export const COIN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

function topicsOf(said: Said): {readonly topics: readonly string[]; readonly data: string} {
  switch (said.what) {
    case 'paid':
      return {
        topics: [id('Initiated(bytes32,bytes32,uint256)'), said.id, `0x${said.secretHash}`, toBeHex(1, 32)],
        data: '0x',
      };
    case 'redeemed': {
      const data = words.encode(['bytes'], [`0x${said.secret ?? ''}`]);
      return {topics: [id('Redeemed(bytes32,bytes32,bytes)'), said.id, `0x${said.secretHash}`], data};
    }
    case 'refunded':
      return {topics: [id('Refunded(bytes32)'), said.id], data: '0x'};
    case 'moved': {
      const parties = [said.from, said.to].map(one => zeroPadValue(one, 32));
      return {topics: [id('Transfer(address,address,uint256)'), ...parties], data: toBeHex(said.value, 32)};
    }
  }
}

const logOf = ({by, said, hash, block}: Event) => ({
  address: by,
  ...topicsOf(said),
  transactionHash: hash,
  blockNumber: toBeHex(block ?? 0n),
});

export class LedgerWallet extends HtlcLedger {
  readonly requests: WalletCall[] = [];
  /** A test's overriding answers, by method. */
  readonly instead = new Map<string, (params: readonly unknown[]) => unknown>();
  readonly chains: Set<number>;
  chainId: number;
  /** Its reported support for several calls in one request; `undefined` in a wallet without the standard. */
  atomic: 'supported' | 'ready' | 'unsupported' | undefined;
  /** Rearranges the calls that it was given. */
  arrange = (calls: Bundle['calls']): Bundle['calls'] => calls;
  /** Whether it continues after a failed call, and the transaction still succeeds. */
  isCareless = false;
  /** The transaction of each bundle, by its id. */
  readonly bundles = new Map<string, string>();
  /** Whether an order's first field is whether it is fulfilled, as in one generation of contracts. */
  saysOverFirst = false;

  readonly #home: number;
  readonly #contract: string;
  readonly #token: string;

  constructor(options: {
    readonly chainId: number;
    readonly token: string;
    readonly contract: string;
    readonly balance: bigint;
  }) {
    super({...options, owner: OWNER, coin: COIN});
    this.#home = options.chainId;
    this.#contract = options.contract;
    this.#token = options.token;
    this.chainId = options.chainId;
    this.chains = new Set([options.chainId]);
  }

  get windows(): readonly string[] {
    return this.requests.map(({method}) => method).filter(method => OPENS_A_WINDOW.includes(method));
  }

  get transactionsAsked(): readonly unknown[] {
    return this.requests.filter(({method}) => method === 'eth_sendTransaction').map(({params}) => params[0]);
  }

  leave(): void {
    this.chainId = 1;
  }

  arrive(): void {
    this.chainId = this.#home;
  }

  /** The chain is read through the wallet. */
  isOther(): void {
    this.leave();
  }

  forget(): void {
    this.requests.length = 0;
  }

  /** For domain versions 2 and 3. */
  idsOf({redeemer, timelock, amount, secretHash}: Terms, payer: string): readonly [string, string] {
    const types = ['uint256', 'bytes32', 'address', 'address', 'uint256', 'uint256', 'address'];
    const values = [this.#home, `0x${secretHash}`, payer, redeemer, timelock, amount, this.#contract];
    return [sha256(words.encode(types.slice(0, 3), values.slice(0, 3))), sha256(words.encode(types, values))];
  }

  request = async ({method, params = []}: {method: string; params?: readonly unknown[]}): Promise<unknown> => {
    this.requests.push({method, params});
    await Promise.resolve();
    const instead = this.instead.get(method);
    return instead ? instead(params) : this.answer(method, params);
  };

  removeListener = this.off;

  async answer(method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      return await this.#answer(method, params);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      switch (error.failure) {
        case 'no':
          throw new WalletError(4001, 'User rejected the request.');
        case 'reverts':
        case 'mute':
          throw new WalletError(3, `execution reverted: ${error.message}`, '0x');
        case 'strange':
        case 'absent':
          return method === 'eth_call' ? '0x' : null;
        default:
          throw new WalletError(-32603, 'Internal JSON-RPC error.');
      }
    }
  }

  async #answer(method: string, [first, second]: readonly unknown[]): Promise<unknown> {
    const {node} = this;
    switch (method) {
      case 'eth_requestAccounts':
        return this.accounts;
      case 'eth_accounts':
        return this.ask('accounts', () => this.accounts);
      case 'eth_chainId':
        return this.ask('chain', () => this.ask('wallet chain', () => toBeHex(this.chainId)));
      case 'wallet_switchEthereumChain':
        return this.ask('move', () => {
          const chainId = Number((first as {chainId: string}).chainId);
          if (!this.chains.has(chainId)) throw new WalletError(4902, 'Unrecognized chain ID.');
          this.chainId = chainId;
          return null;
        });
      case 'wallet_addEthereumChain':
        this.chains.add(Number((first as {chainId: string}).chainId));
        return null;
      case 'eth_getBalance':
        return toBeHex(await node.balance(undefined, String(first), blockOf(second)));
      case 'eth_getCode':
        return (await node.hasCode(String(first))) ? '0x6001' : '0x';
      case 'eth_call':
        return this.#read(first as Transaction, blockOf(second));
      case 'eth_blockNumber':
        return toBeHex(await node.head());
      case 'eth_getBlockByNumber':
        return {number: first, timestamp: toBeHex((await node.time(blockOf(first) ?? (await node.head()))) / 1_000)};
      case 'eth_estimateGas':
        return (await this.#isCheap([first as Transaction])) ? toBeHex(1_000_000) : toBeHex(1_000_001);
      case 'eth_simulateV1': {
        const {calls} = (first as {blockStateCalls: [{calls: Transaction[]}]}).blockStateCalls[0];
        const gas = (await this.#isCheap(calls)) ? 1_000_000 / calls.length : 1_000_000;
        return [{calls: calls.map(() => ({status: '0x1', gasUsed: toBeHex(gas)}))}];
      }
      case 'eth_sendTransaction': {
        const {from, ...transaction} = first as Transaction;
        const call = callOf(transaction);
        if (!call) throw new Fault('reverts');
        return this.send(from, [call]);
      }
      case 'eth_getTransactionReceipt': {
        const receipt = await node.receipt(String(first));
        if (receipt?.block === undefined) return null;
        const {isReverted, block, events} = receipt;
        return {status: isReverted ? '0x0' : '0x1', blockNumber: toBeHex(block), logs: events.map(logOf)};
      }
      case 'eth_getLogs': {
        const {address, fromBlock, toBlock, topics} = first as LogFilter;
        const [names, orderId] = topics;
        if (names.includes(id('Transfer(address,address,uint256)')))
          return (await node.moves(address, `0x${orderId.slice(-40)}`, BigInt(fromBlock))).map(logOf);
        const of = names.includes(id('Refunded(bytes32)')) ? 'end' : 'payment';
        return (await node.events(address, orderId, of, BigInt(fromBlock), blockOf(toBlock))).map(logOf);
      }
      case 'eth_getTransactionByHash': {
        const found = this.transactions.find(({hash}) => same(hash, String(first)));
        return this.ask(found?.block === undefined ? 'status' : 'sent', () => {
          const {from = OWNER, to, value = 0n} = found?.coins ?? {};
          return found
            ? {
                hash: first,
                from,
                to,
                value: toBeHex(value),
                ...(found.nonce !== undefined && {nonce: toBeHex(found.nonce)}),
              }
            : null;
        });
      }
      case 'eth_getTransactionCount':
        if (second === 'pending') return toBeHex(this.nonce + BigInt(await node.hasUnconfirmed(String(first))));
        return toBeHex(await node.nonce(String(first), blockOf(second) ?? this.block));
      case 'eth_signTypedData_v4': {
        const {domain, types, message} = this.typed[this.typed.push(JSON.parse(String(second))) - 1] as Parameters<
          typeof digestOf
        >[0];
        return this.ask('sign', () => new KeyPair(KEY).signingKey.sign(digestOf({domain, types, message})).serialized);
      }
      case 'wallet_getCapabilities':
        if (this.atomic === undefined) break;
        return {[toBeHex(this.chainId)]: {atomic: {status: this.atomic}}};
      case 'wallet_sendCalls': {
        if (this.atomic === undefined) break;
        const {id: bundle, from, calls} = first as Bundle;
        const wanted = this.arrange(calls).flatMap(call => callOf(call) ?? []);
        this.bundles.set(bundle, this.execute(from, wanted, this.isCareless));
        return {id: bundle};
      }
      case 'wallet_getCallsStatus': {
        if (this.atomic === undefined) break;
        const hash = this.bundles.get(String(first));
        if (hash === undefined) throw new WalletError(5730, 'No matching bundle found.');
        const status = await node.status(hash);
        const receipts = status === 'seen' ? [] : [{status: status === 'done' ? '0x1' : '0x0', transactionHash: hash}];
        const code = {none: 100, seen: 100, done: 200, reverted: 500}[status];
        return {version: '2.0.0', id: first, chainId: toBeHex(this.chainId), status: code, atomic: true, receipts};
      }
    }
    throw new WalletError(-32601, `The method ${method} does not exist.`);
  }

  #isCheap(calls: readonly Transaction[]): Promise<boolean> {
    const [from = '', ...others] = new Set(calls.map(call => call.from));
    if (others.length) throw new Fault('reverts');
    return this.node.isCheap(
      calls.flatMap(call => callOf(call) ?? []),
      from,
      this.#token,
    );
  }

  /** `at`: the block whose state counts. */
  async #read(call: Transaction, at: bigint | undefined): Promise<string> {
    const {from, to, data} = call;
    const there = [this.#token, this.#contract, ...(this.other === undefined ? [] : [this.other])];
    if (!there.some(one => same(to, one))) throw new Fault('absent');
    const {node} = this;
    const parsed = forms.parseTransaction({data});
    const [first = '', second = ''] = [...(parsed?.args ?? [])] as string[];
    switch (parsed?.name) {
      case 'balanceOf':
        return words.encode(['uint256'], [await node.balance(to, first, at)]);
      case 'allowance':
        return words.encode(['uint256'], [await node.allowance(to, first, second, at)]);
      case 'token':
        return words.encode(['address'], [await node.token(to)]);
      case 'orders': {
        const order = await node.order(to, first, at);
        if (!order) return `0x${'0'.repeat(384)}`;
        const {initiator, redeemer, block, timelock, amount, isHeld, endedIn = 1n} = order;
        const fields = [initiator, redeemer, block, timelock, amount];
        const all = this.saysOverFirst ? [isHeld ? 0 : 1, ...fields] : [...fields, isHeld ? 0n : endedIn];
        return `0x${all.map(value => BigInt(value).toString(16).padStart(64, '0')).join('')}`;
      }
      default: {
        const wanted = callOf(call);
        if (!wanted) throw new Fault('reverts');
        await this.attempt(from, wanted);
        return wanted.what === 'approve' ? words.encode(['bool'], [true]) : '0x';
      }
    }
  }
}

function digestOf({
  domain,
  types,
  message,
}: {
  domain: Record<string, unknown>;
  types: Record<string, {name: string; type: string}[]>;
  message: Record<string, unknown>;
}): string {
  const {EIP712Domain: _, ...own} = types;
  return TypedDataEncoder.hash(domain, own, message);
}

function blockOf(tag: unknown): bigint | undefined {
  return typeof tag === 'string' && tag.startsWith('0x') ? BigInt(tag) : undefined;
}

function callOf({to, data, value = '0x0'}: Omit<Transaction, 'from'>): Call | undefined {
  const {name: what, args = []} = forms.parseTransaction({data}) ?? {};
  const [first, timelock, amount, hash] = [...args] as [string, bigint, bigint, string];
  switch (what) {
    case 'approve':
      return {to, what, spender: first, amount: timelock};
    case 'initiate':
      return {to, what, terms: {redeemer: first, timelock, amount, secretHash: hash.slice(2)}, coins: BigInt(value)};
    case 'refund':
      return {to, what, id: first};
    default:
      return undefined;
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

/** Announces a wallet (EIP-6963), once and whenever a page asks, until the returned function is called. */
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
