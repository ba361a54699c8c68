/**
 * A Starknet chain in memory, behind an RPC URL, and a wallet on it that injects its object into the page or registers
 * with the Wallet Standard, and records its requests. Selectors, calldata, keys and signatures are real; blocks and the
 * code behind the addresses are not. The journeys repeat these facts on a chain with contracts.
 */
import {registerWallet} from '@wallet-standard/wallet';
import {ec, hash as hashes, selector, Signer, type TypedData} from 'starknet';
import type {Event, Said, Terms} from '../../src/chains/token-htlc/dialect.js';
import {Fault, HtlcLedger, same, type Call} from './htlc-ledger.js';
import {RpcError as WalletError, serve} from './json-rpc.js';
import './window.js';

export {WalletError};

/** The wallet API's own refusal. */
export const REFUSED = new WalletError(113, 'An error occurred (USER_REFUSED_OP)');

export const RPC = 'https://starknet.test/rpc';
export const SEPOLIA = '0x534e5f5345504f4c4941';
export const MAIN = '0x534e5f4d41494e';
export const KEY = '0x5b7d6c8e9f00112233445566778899aabbccddeeff00112233445566778899a';
/** Both coordinates, as the library expects them. */
export const PUBLIC_KEY = `0x${Array.from(ec.starkCurve.getPublicKey(KEY, false), byte => byte.toString(16).padStart(2, '0')).join('')}`;
/** The payer of the published sample. */
export const OWNER = '0x00609190b1348bcc06da44d58c79709495c11a5a6f0b9e154e1209f2a17dd933';
export const STRANGER = '0x0444444444444444444444444444444444444444444444444444444444444444';

interface WalletCall {
  readonly type: string;
  readonly params: unknown;
}

interface NamedCall {
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
  readonly keys: readonly [readonly string[], readonly string[]];
}

const hex = (value: bigint | number) => `0x${value.toString(16)}`;
const halves = (amount: bigint) => [amount % 2n ** 128n, amount / 2n ** 128n].map(hex);
const joined = (low = '0x0', high = '0x0') => BigInt(low) + BigInt(high) * 2n ** 128n;
const wordsOf = (digits: string) => (digits.match(/.{8}/g) ?? []).map(word => `0x${word}`);
const blockOf = (id: BlockId) => (id === 'latest' ? undefined : BigInt(id.block_number));
const OPENS_A_WINDOW = ['wallet_switchStarknetChain', 'wallet_addInvokeTransaction', 'wallet_signTypedData'];

function partsOf(said: Said): {readonly keys: readonly string[]; readonly data: readonly string[]} {
  const parts = (name: string, keys: readonly string[], data: readonly string[] = []) => ({
    keys: [selector.getSelectorFromName(name), ...keys],
    data,
  });
  switch (said.what) {
    case 'paid':
      return parts('Initiated', [said.id], [...wordsOf(said.secretHash), '0x1', '0x0']);
    case 'redeemed': {
      const {id, secretHash, secret = ''} = said;
      return parts('Redeemed', [id], [...wordsOf(secretHash), hex(secret.length / 8), ...wordsOf(secret)]);
    }
    case 'refunded':
      return parts('Refunded', [said.id]);
    case 'moved':
      return parts('Transfer', [said.from, said.to], halves(said.value));
  }
}

const eventOf = ({by, said, hash, block}: Event) => ({
  from_address: by,
  ...partsOf(said),
  transaction_hash: hash,
  ...(block !== undefined && {block_number: Number(block)}),
});

export class StarknetLedger extends HtlcLedger {
  readonly requests: WalletCall[] = [];
  readonly methods: string[] = [];
  /** A test's replacements for the responses of wallet or node, by method, or for a call by its entry point. */
  readonly instead = new Map<string, (params: unknown) => unknown>();
  chainId = SEPOLIA;
  nodeChainId = SEPOLIA;
  /** The felts before a signature's two numbers, as for accounts with a type or a guardian. */
  prefix: readonly string[] = [];
  suffix: readonly string[] = [];

  readonly #token: string;
  readonly #contract: string;

  constructor(options: {readonly token: string; readonly contract: string; readonly balance: bigint}) {
    super({...options, owner: OWNER, blockSeconds: 30});
    this.#token = options.token;
    this.#contract = options.contract;
  }

  get windows(): readonly string[] {
    return this.requests
      .filter(
        ({type, params}) =>
          OPENS_A_WINDOW.includes(type) ||
          (type === 'wallet_requestAccounts' && !(params as {silent_mode?: boolean} | undefined)?.silent_mode),
      )
      .map(({type}) => type);
  }

  get callsAsked(): readonly (readonly NamedCall[])[] {
    return this.requests
      .filter(({type}) => type === 'wallet_addInvokeTransaction')
      .map(({params}) => (params as {calls: readonly NamedCall[]}).calls);
  }

  leave(): void {
    this.chainId = MAIN;
  }

  arrive(): void {
    this.chainId = SEPOLIA;
  }

  isOther(): void {
    this.nodeChainId = MAIN;
  }

  forget(): void {
    this.requests.length = 0;
  }

  idsOf({redeemer, timelock, amount, secretHash}: Terms, payer: string): readonly [string, string] {
    const first = [SEPOLIA, ...wordsOf(secretHash), payer];
    const all = [...first, redeemer, hex(timelock), ...halves(amount), this.#contract];
    return [hashes.computePoseidonHashOnElements(first), hashes.computePoseidonHashOnElements(all)];
  }

  request = async ({type, params}: {type: string; params?: unknown}): Promise<unknown> => {
    this.requests.push({type, params});
    await Promise.resolve();
    const instead = this.instead.get(type);
    return instead ? instead(params) : this.answer(type, params);
  };

  answer(type: string, params: unknown): Promise<unknown> {
    switch (type) {
      case 'wallet_requestAccounts':
        return inWords(this.ask('accounts', () => this.accounts));
      case 'wallet_requestChainId':
        return inWords(this.ask('wallet chain', () => this.chainId));
      case 'wallet_switchStarknetChain':
        return inWords(
          this.ask('move', () => {
            this.chainId = (params as {chainId: string}).chainId;
            return true;
          }),
        );
      case 'wallet_addInvokeTransaction': {
        const {calls} = params as {calls: readonly NamedCall[]};
        const sending = this.send(this.accounts[0] ?? '', calls.map(callOf));
        return inWords(sending.then(hash => ({transaction_hash: hash})));
      }
      case 'wallet_signTypedData': {
        this.typed.push(params);
        return inWords(
          this.ask('sign', async () => {
            const signature = await new Signer(KEY).signMessage(params as TypedData, this.accounts[0] ?? '');
            const {r, s} = signature as {r: bigint; s: bigint};
            return [...this.prefix, hex(r), hex(s), ...this.suffix];
          }),
        );
      }
      default:
        return Promise.reject(new WalletError(162, 'An error occurred (API_VERSION_NOT_SUPPORTED)'));
    }
  }

  /** Answers an RPC request, with errors in a node's form. */
  answerRpc(method: string, params: unknown): Promise<unknown> {
    return inWords(this.#tell(method, params));
  }

  async #tell(method: string, params: unknown): Promise<unknown> {
    this.methods.push(method);
    const instead = this.instead.get(method);
    if (instead) return instead(params);
    const {node} = this;
    const {transaction_hash: hash = ''} = params as {transaction_hash?: string};
    switch (method) {
      case 'starknet_chainId':
        return this.ask('chain', () => this.nodeChainId);
      case 'starknet_getClassHashAt':
        if (await node.hasCode((params as {contract_address: string}).contract_address)) return '0x61dac0';
        throw new Fault('absent');
      case 'starknet_getTransactionStatus': {
        const status = await node.status(hash);
        if (status === 'none') throw new WalletError(29, 'Transaction hash not found');
        if (status === 'seen') return {finality_status: 'RECEIVED'};
        return {finality_status: 'ACCEPTED_ON_L2', execution_status: status === 'done' ? 'SUCCEEDED' : 'REVERTED'};
      }
      case 'starknet_getTransactionReceipt': {
        const receipt = await node.receipt(hash);
        if (!receipt) throw new WalletError(29, 'Transaction hash not found');
        const {isReverted, block, events} = receipt;
        return {
          execution_status: isReverted ? 'REVERTED' : 'SUCCEEDED',
          ...(block === undefined
            ? {finality_status: 'PRE_CONFIRMED', block_number: Number(this.block) + 1}
            : {finality_status: 'ACCEPTED_ON_L2', block_number: Number(block)}),
          events: events.map(eventOf),
        };
      }
      case 'starknet_getEvents': {
        const {from_block, to_block, address, keys} = (params as {filter: EventFilter}).filter;
        const of = keys[0].includes(selector.getSelectorFromName('Refunded')) ? 'end' : 'payment';
        const events = await node.events(address, keys[1][0]!, of, blockOf(from_block) ?? 0n, blockOf(to_block));
        return {events: events.map(eventOf)};
      }
      case 'starknet_getNonce':
        return hex(this.nonce);
      case 'starknet_estimateFee': {
        const [{sender_address: from, calldata}] = (params as {request: [{sender_address: string; calldata: string[]}]})
          .request;
        const calls = callsIn(calldata);
        const isTransfer = calls.some(({entry_point: name}) => name === 'transfer');
        const isCheap = isTransfer || (await this.node.isCheap(calls.map(callOf), from, this.#token));
        return [{overall_fee: isTransfer ? '0x64' : isCheap ? '0x3e8' : '0x3e9', unit: 'FRI'}];
      }
      case 'starknet_blockNumber':
        return Number(await node.head());
      case 'starknet_getBlockWithTxHashes': {
        const block = blockOf((params as {block_id: BlockId}).block_id) ?? (await node.head());
        return {timestamp: (await node.time(block)) / 1_000};
      }
      case 'starknet_call':
        return this.#read(params as Read);
      default:
        throw new WalletError(-32601, 'Method not found');
    }
  }

  async #read({request, block_id}: Read): Promise<unknown> {
    const {contract_address: to, entry_point_selector: entry, calldata} = request;
    const name = ['balance_of', 'balanceOf', 'allowance', 'token', 'get_order', 'refund'].find(one =>
      same(selector.getSelectorFromName(one), entry),
    );
    const instead = this.instead.get(name ?? '');
    if (instead) return instead(calldata);
    const isToken = same(to, this.#token) || (this.other !== undefined && same(to, this.other));
    if (!isToken && !same(to, this.#contract)) throw new Fault('absent');
    const {node} = this;
    const [first = ''] = calldata;
    switch (name) {
      case 'balance_of':
      case 'balanceOf':
        return halves(await node.balance(to, first));
      case 'allowance':
        return halves(await node.allowance(to, first, ''));
      case 'token':
        return [await node.token(to)];
      case 'get_order': {
        const order = await node.order(to, first, blockOf(block_id));
        if (!order) return Array<string>(7).fill('0x0');
        const {initiator, redeemer, block, timelock, amount, isHeld, endedIn = 1n} = order;
        return [isHeld ? '0x0' : hex(endedIn), initiator, redeemer, hex(block), hex(timelock), ...halves(amount)];
      }
      case 'refund':
        await this.attempt('0x0', {to, what: 'refund', id: first});
        return [];
      default:
        throw new Fault('mute');
    }
  }

  serve(): () => void {
    return serve(RPC, (method, params) => this.answerRpc(method, params));
  }
}

/** Rethrows failures in the form of this family's wallets and nodes. */
async function inWords(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    switch (error.failure) {
      case 'no':
        throw REFUSED;
      case 'reverts':
        throw new WalletError(40, 'Contract error', {revert_error: `0x... ('${error.message}')`});
      case 'mute':
        throw new WalletError(21, 'Requested entrypoint does not exist in the contract');
      case 'absent':
        throw new WalletError(20, 'Contract not found');
      case 'strange':
        return ['0x1'];
      case 'unclear':
        throw new WalletError(163, 'An error occurred (UNKNOWN_ERROR)');
      case 'busy':
        throw new WalletError(-32603, 'busy');
    }
  }
}

function callsIn([count = '0x0', ...felts]: readonly string[]): NamedCall[] {
  const known = ['approve', 'initiate', 'transfer'];
  return Array.from({length: Number(count)}, () => {
    const [to = '', entry = '', length = ''] = felts.splice(0, 3);
    const name = known.find(one => same(selector.getSelectorFromName(one), entry)) ?? entry;
    return {contract_address: to, entry_point: name, calldata: felts.splice(0, Number(length))};
  });
}

function callOf({contract_address: to, entry_point: what, calldata}: NamedCall): Call {
  const [first = '', second = '', low, high, ...words] = calldata;
  switch (what) {
    case 'approve':
      return {to, what, spender: first, amount: joined(second, low)};
    case 'initiate': {
      const secretHash = words.map(word => BigInt(word).toString(16).padStart(8, '0')).join('');
      const terms = {redeemer: first, timelock: BigInt(second), amount: joined(low, high), secretHash};
      return {to, what, terms, coins: 0n};
    }
    case 'refund':
      return {to, what, id: first};
    default:
      throw new WalletError(114, `no such entry point: ${what}`);
  }
}

const ICON = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';

/** Injects a wallet's object into the page, until the returned function is called. */
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
 * Registers the wallet with the Wallet Standard, as wallets for get-starknet 5 and 6 do. A page never forgets a
 * registered wallet, so each needs its own name.
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
