/** Clients for the sandbox's tests: plain `fetch`, and a person with a key and coins. */
import {Interface} from 'ethers';
import {callRpc} from '../../demo/wallets/evm-requests.js';
import type {EvmSandboxChain, SandboxState} from '../../demo/wallets/sandbox.js';
import {newAddress, newKey} from '../support/evm-key.js';
import {holds} from '../support/limits.js';

export type Json = null | boolean | number | string | Json[] | {[name: string]: Json};
export type Fields = Record<string, Json>;

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Fields;
}

export interface Asked {
  readonly method?: string;
  readonly body?: unknown;
}

export const WBTC = 'base_sepolia:wbtc';
export const TO_WBTC = 'ethereum_sepolia:wbtc';

export const newAppId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), byte => byte.toString(16).padStart(2, '0')).join('');

export class SandboxClient {
  constructor(
    readonly url: string,
    readonly appId: string,
  ) {}

  /** A client with a new app id, whose faults affect no other test. */
  static forAppOfItsOwn({url}: {readonly url: string}): SandboxClient {
    return new SandboxClient(url, newAppId());
  }

  async ask(path: string, {method = 'GET', body}: Asked = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(path.startsWith('/sandbox') ? {} : {'service-app-id': this.appId}),
        ...(body === undefined ? {} : {'content-type': 'application/json'}),
      },
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    });
    const answer = await response.text();
    let parsed: Fields = {};
    try {
      parsed = JSON.parse(answer) as Fields;
    } catch {
      // Some faults do not respond with JSON.
    }
    return {status: response.status, text: answer, body: parsed};
  }

  /** The `result` of a successful response; throws the text of an error. */
  async result<T = Fields>(path: string, asked?: Asked): Promise<T> {
    const {status, body, text} = await this.ask(path, asked);
    if (status !== 200 || body['status'] !== 'Ok') throw new Error(`${path}: ${status} ${text}`);
    return body['result'] as T;
  }

  async control(path: string, body: unknown): Promise<Fields> {
    const answer = await this.ask(`/sandbox/${path}`, {method: 'POST', body});
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  }

  info() {
    return this.ask('/sandbox').then(({body}) => body as unknown as SandboxState);
  }

  /** Sends coins of an asset, in its smallest unit; returns the transaction. */
  async faucet(asset: string, address: string, amount: bigint): Promise<string> {
    return String((await this.control('faucet', {asset, address, amount: String(amount)}))['tx_hash']);
  }

  mine(chain: string, blocks: number) {
    return this.control('mine', {chain, blocks});
  }

  expire(orderId: string) {
    return this.control('expire', {orderId});
  }

  reorg(orderId: string) {
    return this.control('reorg', {orderId});
  }

  faults(faults: Record<string, unknown>) {
    return this.control('faults', {appId: this.appId, ...faults});
  }

  async bestQuote(from: string, to: string, amount: bigint, bps = 0): Promise<QuoteAnswer> {
    const fee = bps ? `&affiliate_fee=${bps}` : '';
    const quotes = await this.result<QuoteAnswer[]>(`/v2/quote?from=${from}&to=${to}&from_amount=${amount}${fee}`);
    const [best] = quotes.sort((a, b) => (BigInt(b.destination.amount) > BigInt(a.destination.amount) ? 1 : -1));
    if (!best) throw new Error('no quote');
    return best;
  }

  order(body: unknown): Promise<OrderAnswer> {
    return this.result<OrderAnswer>('/v2/orders', {method: 'POST', body});
  }

  read(id: string): Promise<OrderRead> {
    return this.result<OrderRead>(`/v2/orders/${id}`);
  }

  initiate(id: string, signature: unknown): Promise<Answer> {
    return this.ask(`/v2/orders/${id}?action=initiate`, {method: 'PATCH', body: {signature}});
  }

  async until(id: string, wanted: (order: OrderRead) => boolean): Promise<OrderRead> {
    let order = await this.read(id);
    if (await holds(async () => wanted((order = await this.read(id))), 8_000)) return order;
    throw new Error(`the order stays ${JSON.stringify(order)}`);
  }
}

export interface QuoteAnswer {
  source: {asset: string; amount: string};
  destination: {asset: string; amount: string};
}
interface Transaction {
  to: string;
  value: string;
  data: string;
}
interface TypedData {
  domain: {name: string; version: string; chainId: string; verifyingContract: string};
  types: Record<string, {name: string; type: string}[]>;
  message: {redeemer: string; timelock: string; amount: string; secretHash: string};
}
export interface OrderAnswer {
  order_id: string;
  transaction: Transaction;
  typed_data: TypedData;
}
export type SwapRead = Record<string, Json> & {
  amount: string;
  initiate_tx_hash: string;
  redeem_tx_hash: string;
  refund_tx_hash: string;
  initiate_block_number: string;
  current_confirmations: number;
};
export type OrderRead = Record<string, Json> & {source_swap: SwapRead; destination_swap: SwapRead};

const erc20 = new Interface(['function approve(address, uint256)']);
const GAS = 300_000;

export class Person {
  readonly wallet = newKey();
  readonly address = this.wallet.address;

  constructor(readonly chain: EvmSandboxChain) {}

  static async with(client: SandboxClient, asset: string, amount: bigint): Promise<Person> {
    const [name = ''] = asset.split(':');
    const chain = (await client.info()).chains[name];
    if (chain?.family !== 'evm') throw new Error(`no EVM chain ${name}`);
    const person = new Person(chain);
    await client.faucet(`${name}:eth`, person.address, 10n ** 18n);
    await client.faucet(asset, person.address, amount);
    return person;
  }

  rpc<T>(method: string, ...params: unknown[]): Promise<T> {
    return rpc<T>(this.chain.rpc, method, ...params);
  }

  async send(to: string, data: string, value = 0n): Promise<string> {
    const nonce = Number(await this.rpc<string>('eth_getTransactionCount', this.address, 'pending'));
    const raw = await this.wallet.signTransaction({
      type: 2,
      chainId: this.chain.chainId,
      nonce,
      to,
      value,
      data,
      gasLimit: GAS,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 0n,
    });
    const receipt = await this.rpc<{status: string; transactionHash: string}>('eth_sendRawTransactionSync', raw);
    if (receipt.status !== '0x1') throw new Error(`transaction ${receipt.transactionHash} failed`);
    return receipt.transactionHash;
  }

  approve(asset: string, amount: bigint): Promise<string> {
    const {token = '', contracts} = this.asset(asset);
    return this.send(token, erc20.encodeFunctionData('approve', [contracts[0], amount]));
  }

  sign({domain, types, message}: TypedData): Promise<string> {
    const named = Object.entries(types).filter(([name]) => name !== 'EIP712Domain');
    return this.wallet.signTypedData(domain, Object.fromEntries(named), message);
  }

  asset(asset: string) {
    const found = this.chain.assets[asset];
    if (!found) throw new Error(`no asset ${asset}`);
    return found;
  }
}

export const rpc = <T>(url: string, method: string, ...params: unknown[]) => callRpc(url, method, params) as Promise<T>;

/** Places an order for a new quote; returns what is needed to fund it. */
export async function placeOrder(
  client: SandboxClient,
  owner: Person,
  {
    from = WBTC,
    to = TO_WBTC,
    amount = 10_000_000n,
    recipient = newAddress(),
    fees = [] as {asset: string; address: string; fee: number}[],
  } = {},
) {
  const bps = fees.reduce((sum, {fee}) => sum + fee, 0);
  const quote = await client.bestQuote(from, to, amount, bps);
  const order = await client.order({
    source: {asset: from, owner: owner.address, amount: quote.source.amount},
    destination: {asset: to, owner: recipient, amount: quote.destination.amount},
    ...(fees.length ? {affiliate_fees: fees} : {}),
  });
  return {...order, recipient, quote};
}
