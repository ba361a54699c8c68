/**
 * Bitcoin wallets as in pages, without coins: they record their requests and answer as a test tells them to. Methods
 * that a test does not mention are unknown to them.
 */
import './window.js';

/** A fake wallet's answer to one method: a result, or a function of the parameters. */
export type Answers = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly method: string;
  readonly params: unknown;
}

export interface Fault {
  readonly code?: number;
  readonly message?: string;
  readonly data?: unknown;
}

export class Refusal {
  constructor(readonly error: Fault) {}
}

/** A wallet that registers itself (WBIP-004) and answers `request`. */
export class StandardProvider {
  readonly asked: Asked[] = [];
  readonly listeners = new Set<{eventName: string; cb: (event: unknown) => void}>();
  answers: Record<string, unknown>;
  /** Whether a refusal is thrown, as Leather does, instead of answered. */
  throws = false;

  constructor(answers: Answers) {
    this.answers = {...answers};
  }

  async request(method: string, params: unknown): Promise<unknown> {
    this.asked.push({method, params});
    const answer = this.answers[method];
    const result: unknown =
      typeof answer === 'function' ? await (answer as (params: unknown) => unknown)(params) : (answer ?? UNKNOWN);
    const envelope = {jsonrpc: '2.0', id: '1'};
    if (!(result instanceof Refusal)) return {...envelope, result};
    // oxlint-disable-next-line typescript/only-throw-error -- wallets throw what they like
    if (this.throws) throw {...envelope, error: result.error};
    return {...envelope, error: result.error};
  }

  addListener(listener: {eventName: string; cb: (event: unknown) => void}): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(eventName: string): void {
    for (const listener of this.listeners) if (listener.eventName === eventName) listener.cb({type: eventName});
  }

  get payments(): unknown[] {
    return this.asked.filter(({method}) => method === 'sendTransfer').map(({params}) => params);
  }
}

const UNKNOWN = new Refusal({code: -32601, message: 'Method not found'});

/** A wallet with its own methods, like Unisat and OKX. */
export class OwnProvider {
  readonly asked: Asked[] = [];
  readonly listeners = new Map<string, Set<() => void>>();

  constructor(
    public accounts: readonly string[],
    public network: string,
    public send: (address: string, amount: unknown) => unknown,
  ) {}

  requestAccounts = () => this.#note('requestAccounts', this.accounts);
  getAccounts = () => this.#note('getAccounts', this.accounts);
  getNetwork = () => this.#note('getNetwork', this.network);

  async sendBitcoin(address: string, amount: unknown): Promise<unknown> {
    this.asked.push({method: 'sendBitcoin', params: [address, amount]});
    return await this.send(address, amount);
  }

  on(event: string, listener: () => void): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(listener));
  }

  removeListener(event: string, listener: () => void): void {
    this.listeners.get(event)?.delete(listener);
  }

  emit(event: string): void {
    for (const listener of this.listeners.get(event) ?? []) listener();
  }

  #note<T>(method: string, answer: T): Promise<T> {
    this.asked.push({method, params: []});
    return Promise.resolve(answer);
  }
}

export const ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
export const OTHER = 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7';
const ORDINALS = 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c';
export const MAIN_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
export const HASH = '5a'.repeat(32);
export const account = (address = ADDRESS) => ({
  id: '1',
  addresses: [
    {address: ORDINALS, purpose: 'ordinals', addressType: 'p2tr', publicKey: '', walletType: 'software'},
    {address, purpose: 'payment', addressType: 'p2wpkh', publicKey: '', walletType: 'software'},
  ],
});
export const network = (name: string) => ({bitcoin: {name}, stacks: {name: 'testnet'}});

/** A wallet like Xverse. */
export const standard = (answers: Answers = {}) =>
  new StandardProvider({
    wallet_connect: account(),
    wallet_getAccount: account(),
    wallet_getNetwork: network('Testnet4'),
    sendTransfer: {txid: HASH},
    ...answers,
  });

/** A wallet like Leather: it throws its rejections, has three methods, and emits no events. */
export function leather(answers: Answers = {}): StandardProvider {
  const provider = new StandardProvider({
    getAddresses: (params: unknown) => {
      const {network} = params as {network?: string};
      const address = network === 'testnet4' ? ADDRESS : MAIN_ADDRESS;
      return {
        addresses: [
          {symbol: 'BTC', type: 'p2tr', address: ORDINALS},
          {symbol: 'BTC', type: 'p2wpkh', address},
          {symbol: 'STX', address: 'ST000000000000000000002AMW42H'},
        ],
      };
    },
    sendTransfer: {txid: HASH},
    ...answers,
  });
  provider.throws = true;
  Reflect.defineProperty(provider, 'addListener', {value: undefined});
  return provider;
}

const page = window as unknown as Record<string, unknown>;

export function place(way: string, provider: unknown): () => void {
  const [top = '', inner] = way.split('.');
  page[top] = inner === undefined ? provider : {[inner]: provider};
  return () => {
    Reflect.deleteProperty(page, top);
  };
}

/** Registers a wallet according to WBIP-004, and puts it on the page. */
export function register(
  id: string,
  provider: unknown,
  info: Readonly<Record<string, unknown>> = {name: 'Example'},
): () => void {
  const list = (page['btc_providers'] ??= []) as unknown[];
  const entry = {id, ...info};
  list.push(entry);
  const remove = place(id, provider);
  return () => {
    list.splice(list.indexOf(entry), 1);
    remove();
  };
}
