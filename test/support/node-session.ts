/**
 * Swaps without a page: real sessions in Node, with development wallets of all families, on the sandbox's real chains.
 * `openNodeWorld()` starts a sandbox; `world.begin({from, to, amount})` is a new person with coins, a wallet and a tab.
 */
import {atom, type WritableAtom} from 'nanostores';
import {createWallet, type DevelopmentWallet, type WalletSettings} from '../../demo/wallets/index.js';
import type {Prompt} from '../../demo/wallets/prompt.js';
import {createSandbox, settingsOf, type SandboxChain, type SandboxState} from '../../demo/wallets/sandbox.js';
import type {Kind} from '../../demo/minimal-service/legs.js';
import {startMinimalService, type MinimalService} from '../../demo/minimal-service/service.js';
import {startSandbox, type SandboxOptions} from '../../demo/sandbox/sandbox.js';
import type * as CoreModule from '../../src/core.js';
import type {AssetId, ChainFamily} from '../../src/domain/asset.js';
import type {Policy} from '../../src/domain/deposit.js';
import {isPart} from '../../src/domain/order.js';
import {holds} from './limits.js';
import {balanceOf, chainName, chainOf, Parties, type Pair, type Role} from './parties.js';
import {fundingIn, shownIn, statusIn, toldOf} from './shown.js';
import type {Stage} from '../../src/domain/stage.js';
import type {Host, SessionEvent, SessionGates, SwapSession} from '../../src/session/session.js';
import {SandboxClient, type OrderRead} from '../sandbox/client.js';
import {Locks} from './locks.js';
import {TestStorage} from './storage.js';

/** What a program imports: the sources, or the built package. */
export type Core = typeof CoreModule;

/** A pair for each family to pay and to receive, with the amount, and the coins that the recipient has before. */
export const EACH_FAMILY: readonly [from: AssetId, to: AssetId, amount: string, gift: bigint][] = [
  ['base_sepolia:wbtc', 'bitcoin_testnet:btc', '0.001', 200_000n],
  ['bitcoin_testnet:btc', 'solana_testnet:sol', '0.001', 9_000_000_000n],
  ['solana_testnet:sol', 'starknet_sepolia:wbtc', '0.5', 9_000_000n],
  ['starknet_sepolia:wbtc', 'base_sepolia:wbtc', '0.001', 9_000_000n],
];

/* -- a page for development wallets -------------------------------------------------------------------------------- */

const globals = globalThis as unknown as Record<string, unknown>;
const define = (name: string, value: unknown) =>
  Object.defineProperty(globals, name, {value, configurable: true, writable: true});

/** Only for the wallets: a location and locks. The session gets its own from the host. */
function furnish() {
  if (!('location' in globals)) define('location', {hostname: '127.0.0.1', host: '127.0.0.1'});
  const {navigator = {}} = globals as {navigator?: object};
  if (!('locks' in navigator))
    define('navigator', Object.assign(Object.create(navigator) as object, {locks: new Locks()}));
}

const PAGE = {
  addEventListener: (): void => undefined,
  removeEventListener: (): void => undefined,
  dispatchEvent: (): boolean => true,
};

/** A wallet announces itself when created, so the target exists during that, and is removed after it. */
function makeWallet(family: ChainFamily, settings: WalletSettings): DevelopmentWallet {
  furnish();
  const missing = Object.entries({
    window: globalThis,
    localStorage: new TestStorage(),
    ...PAGE,
  }).filter(([name]) => !(name in globals));
  for (const [name, value] of missing) define(name, value);
  try {
    const wallet = createWallet(family, settings);
    wallet.withdraw();
    return wallet;
  } finally {
    for (const [name] of missing) Reflect.deleteProperty(globals, name);
  }
}

/* -- a browser: storage, locks, tabs ---------------------------------------------------------------------------------- */

/** The host of one tab. Times are real. */
export interface NodeHost extends Host {
  readonly visible$: WritableAtom<boolean>;
  readonly online$: WritableAtom<boolean>;
  /** How far its clock is ahead of the real one, in milliseconds. */
  ahead: number;
  /** The time that has passed there, but not here, in milliseconds: the clock that is never set shows it, too. */
  passed: number;
  /** The pending timers, in milliseconds from when they were set. */
  readonly timers: ReadonlySet<number>;
  /** Whether the tab is closed: nothing that it still does reaches the storage, a wallet or the service. */
  readonly isClosed: boolean;
  /** Never resolves once the tab is closed. */
  whileOpen<T>(answer: Promise<T>): Promise<T>;
  close(): void;
}

export class NodeBrowser {
  readonly locks = new Locks();
  readonly #listeners = new Map<NodeHost, Set<(key: string | null) => void>>();

  constructor(readonly storage: Storage | undefined = new TestStorage()) {}

  openTab(): NodeHost {
    const {storage, locks} = this;
    const listeners = this.#listeners;
    const timers = new Set<{readonly milliseconds: number; readonly cancel: () => void}>();
    let closed = false;
    let close = () => {};
    const closing = new Promise<void>(resolve => (close = resolve));
    const forever = new Promise<never>(() => undefined);
    const tellOthers = (key: string | null) => {
      for (const [tab, heard] of listeners) if (tab !== host) for (const changed of heard) changed(key);
    };
    // As a closed tab writes nothing any more.
    const own: Storage | undefined = storage && {
      get length() {
        return storage.length;
      },
      key: at => storage.key(at),
      getItem: key => storage.getItem(key),
      setItem(key, text) {
        if (closed) return;
        storage.setItem(key, text);
        tellOthers(key);
      },
      removeItem(key) {
        if (closed) return;
        storage.removeItem(key);
        tellOthers(key);
      },
      clear: () => storage.clear(),
    };
    const host: NodeHost = {
      ahead: 0,
      passed: 0,
      now: () => Date.now() + host.ahead + host.passed,
      elapsed: () => performance.now() + host.passed,
      after(milliseconds, work) {
        if (closed) return () => undefined;
        const timer = setTimeout(() => {
          cancel();
          work();
        }, milliseconds);
        const cancel = () => {
          clearTimeout(timer);
          timers.delete(entry);
        };
        const entry = {milliseconds, cancel};
        timers.add(entry);
        return cancel;
      },
      get timers() {
        return new Set([...timers].map(({milliseconds}) => milliseconds));
      },
      storage: own,
      // A lock ends with its tab.
      async lock<T>(name: string, work: () => Promise<T>, onHeld: () => void): Promise<T> {
        let result: Promise<T> = forever;
        await locks.request(name, {ifAvailable: true}, held => {
          if (!held) onHeld();
          return Promise.resolve();
        });
        await locks.request(name, async () => {
          if (closed) return;
          result = work();
          await Promise.race([result.catch(() => undefined), closing]);
        });
        return result;
      },
      onStorage(changed) {
        const heard = listeners.get(host) ?? new Set();
        listeners.set(host, heard.add(changed));
        return () => heard.delete(changed);
      },
      visible$: atom(true),
      online$: atom(true),
      get isClosed() {
        return closed;
      },
      whileOpen: answer =>
        answer.then(
          value => (closed ? forever : value),
          (error: unknown) => (closed ? forever : Promise.reject(error as Error)),
        ),
      close() {
        closed = true;
        for (const {cancel} of [...timers]) cancel();
        listeners.delete(host);
        close();
      },
    };
    return host;
  }
}

/* -- wallets as a page has them --------------------------------------------------------------------------------------- */

export interface WalletCall {
  readonly family: ChainFamily;
  readonly method: string;
  readonly params: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Methods that sign, send or change something. */
const ACTS =
  /sendTransaction|sendCalls|signTypedData|personal_sign|addInvoke|sendTransfer|signPsbt|sign(?:AndSend)?Transaction|signMessage/i;

/** Whether a wallet was asked to sign or send. */
export const isAct = ({method}: WalletCall): boolean => ACTS.test(method);

type Call = (method: string, params: unknown, ask: () => Promise<unknown>) => Promise<unknown>;

function formOf(wallet: DevelopmentWallet, call: Call): object {
  if ('standard' in wallet) {
    const {standard} = wallet;
    const wrap = (name: string, method: string, feature: object) => {
      const original = (feature as Record<string, (...inputs: unknown[]) => Promise<unknown>>)[method];
      return {
        ...feature,
        [method]: (...inputs: unknown[]) => call(name, inputs, () => Promise.resolve(original?.(...inputs))),
      };
    };
    const features = Object.fromEntries(
      Object.entries(standard.features).map(([name, feature]) => {
        const method = name.slice(name.indexOf(':') + 1);
        return [name, method in (feature as object) ? wrap(name, method, feature as object) : feature];
      }),
    );
    return Object.defineProperties<object>(
      {},
      {
        ...Object.getOwnPropertyDescriptors(standard),
        features: {value: features, enumerable: true},
      },
    );
  }
  if ('object' in wallet) {
    const {object} = wallet;
    return {
      ...object,
      request: (asked: {type: string; params?: unknown}) => call(asked.type, asked.params, () => object.request(asked)),
    };
  }
  const {provider} = wallet;
  if ('addListener' in provider) {
    return {
      ...provider,
      request: (method: string, params?: unknown) => call(method, params, () => provider.request(method, params)),
    };
  }
  return {
    ...provider,
    request: (asked: {method: string; params?: unknown}) =>
      call(asked.method, asked.params, () => provider.request(asked)),
  };
}

/* -- nodes as a page reaches them ------------------------------------------------------------------------------------- */

/** A read of a chain, at its node or through the wallet's connection to one. */
export interface NodeRead {
  readonly chain: string;
  /** On Bitcoin, the kind of request: `address`, `address/txs`, `tx` … */
  readonly method: string;
}

export type NodeGate = <T>(read: NodeRead, pass: () => Promise<T>) => Promise<T>;

const gates: NodeGate[] = [];

/** A node's URL for one person only, whose reads pass a gate. */
function gated(gate: NodeGate, chain: string, rpc: string): string {
  if (!gates.length) routeReads();
  const at = gates.includes(gate) ? gates.indexOf(gate) : gates.push(gate) - 1;
  return `${rpc.replace(/\/+$/, '')}/~${String(at)}~${chain}`;
}

function routeReads(): void {
  const {fetch} = globalThis;
  globalThis.fetch = (input, init) => {
    const [, base = '', at = '', chain = '', path = ''] =
      (typeof input === 'string' && /^(.*?)\/~(\d+)~(\w+)(.*)$/.exec(input)) || [];
    const gate = gates[Number(at)];
    if (!base || !gate) return fetch(input, init);
    const method =
      typeof init?.body === 'string'
        ? String((JSON.parse(init.body) as {method: unknown}).method)
        : path
            .split('/')
            .filter(part => /^[a-z-]{2,14}$/.test(part))
            .join('/');
    return gate({chain, method}, () => fetch(base + path, init)).catch((error: unknown) => {
      if (error instanceof NodeFailure) return new Response('Too Many Requests', {status: 429});
      throw error;
    });
  };
}

export class NodeFailure extends Error {
  readonly code = -32005;
}

/* -- the world -------------------------------------------------------------------------------------------------------- */

export interface BeginOptions extends Pair {
  readonly from: AssetId;
  readonly to: AssetId;
  /** Sends the session's requests to the service; `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch;
  readonly batches?: boolean;
  /** Whether the session may read the chains; it may by default. */
  readonly rpc?: boolean;
  /** The service's URL; the sandbox's by default. */
  readonly service?: string;
  /** What the page vouches for. */
  readonly contracts?: string;
  /** A gate between the session and the nodes; none by default. */
  readonly nodes?: NodeGate;
  readonly storage?: Storage | null;
  readonly policy?: Policy;
  readonly answers?: (prompt: Prompt) => boolean | Promise<boolean>;
  /** Called after a wallet did what was requested; the page gets what this throws as the response. */
  readonly answered?: (call: WalletCall) => void;
  readonly gates?: SessionGates;
}

export interface NodeWorld {
  readonly url: string;
  readonly state: SandboxState;
  chainOf(asset: string): SandboxChain;
  begin(options: BeginOptions): Promise<NodeSwap>;
  minimal(kind: Kind): Promise<MinimalService>;
  mine(chain: string, blocks: number): Promise<void>;
  balance(asset: string, account: string): Promise<bigint>;
  /** Stops the service: the chains go on. */
  closeService(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a sandbox in this process. `core`: the module whose session swaps. */
export async function openNodeWorld({
  core,
  ...options
}: SandboxOptions & {readonly core?: Core} = {}): Promise<NodeWorld> {
  const used: Core = core ?? (await import('../../src/core.js'));
  const sandbox = await startSandbox(options);
  const state = await createSandbox(sandbox.url).read();
  const services: MinimalService[] = [];
  const control = new SandboxClient(sandbox.url, sandbox.appId);
  const world: NodeWorld = {
    url: sandbox.url,
    state,
    chainOf: asset => chainOf(state, asset),
    async begin(given) {
      const swap = new NodeSwap(world, used, given);
      await swap.prepare();
      swap.open();
      return swap;
    },
    async minimal(kind) {
      const service = await startMinimalService(sandbox.chains, kind);
      services.push(service);
      return service;
    },
    async mine(chain, blocks) {
      await control.mine(chain, blocks);
    },
    balance: (asset, account) => balanceOf(state, asset, account),
    closeService: () => sandbox.closeService(),
    async close() {
      await Promise.all(services.map(service => service.close()));
      await sandbox.close();
    },
  };
  return world;
}

/** One tab of a person: a session, and its events. */
export interface NodeTab {
  readonly session: SwapSession;
  readonly host: NodeHost;
  readonly events: SessionEvent[];
  told(): string[];
  /** Takes the widget off the page: reads end, responses to writes still arrive. */
  leave(): void;
}

/** How long a person waits for a price or a stage. */
const PATIENCE_MS = 30_000;

/** A person who swaps: the wallets, the browser, and the tab on which the other members act. */
export class NodeSwap extends Parties<BeginOptions> {
  readonly browser: NodeBrowser;
  readonly prompts: Prompt[] = [];
  readonly calls: WalletCall[] = [];
  readonly tabs: NodeTab[] = [];
  #sent = 0n;

  constructor(
    readonly world: NodeWorld,
    readonly core: Core,
    options: BeginOptions,
  ) {
    super(SandboxClient.forAppOfItsOwn(world), world.state, options);
    this.browser = new NodeBrowser(options.storage === null ? undefined : options.storage);
  }

  protected wallet(_: Role, family: ChainFamily, settings: WalletSettings): DevelopmentWallet {
    return makeWallet(family, {
      ...settings,
      batches: this.options.batches === true,
      approver: async prompt => {
        this.prompts.push(prompt);
        return (await this.options.answers?.(prompt)) ?? true;
      },
    });
  }

  get tab(): NodeTab {
    const tab = this.tabs.at(-1);
    if (!tab) throw new Error('There is no tab.');
    return tab;
  }

  get session(): SwapSession {
    return this.tab.session;
  }

  get stage(): Stage {
    return this.session.$stage.get();
  }

  get acts(): WalletCall[] {
    return this.calls.filter(isAct);
  }

  /** Reloads the tab: at once, as a browser does, even with work in progress. */
  reload(): NodeTab {
    this.tab.leave();
    this.tab.host.close();
    return this.open();
  }

  /** Opens a tab in its own browser, which has none of this person's orders. The other members stay with theirs. */
  stranger(): NodeTab {
    const tab = this.open(new NodeBrowser());
    this.tabs.unshift(...this.tabs.splice(-1));
    return tab;
  }

  end(): void {
    for (const {leave, host} of this.tabs) {
      leave();
      host.close();
    }
  }

  /** Opens a tab, beside the open ones; the other members act on it from now on. */
  open(browser = this.browser): NodeTab {
    const {core, options, world} = this;
    const host = browser.openTab();
    const fetch: typeof globalThis.fetch = (...given) => host.whileOpen((options.fetch ?? globalThis.fetch)(...given));
    const {assets, chains} = this.settings();
    const session = core.createSwapSession({
      adapters: core.adapters,
      host,
      ...(options.gates && {gates: options.gates}),
    });
    const events: SessionEvent[] = [];
    session.listen(event => {
      events.push(event);
      if (event.type === 'order') this.orderIds.push(event.orderId);
    });
    const {service = world.url, contracts} = options;
    session.configure({
      api: core.createSwapApi({baseUrl: service, appId: this.client.appId, fetch}),
      service,
      catalogue: core.createCatalogue({assets, chains, ...(contracts && {contracts})}),
      prefill: {},
      affiliateFees: [],
      policy: options.policy ?? {unverified: 'ask'},
      priceTolerance: 50,
      depositWindow: 3_600_000,
      hasAppId: true,
      paused: false,
      journal: true,
      wallets: {[world.chainOf(options.from).family]: this.walletFor(host)},
    });
    const stop = session.start();
    const tab: NodeTab = {
      session,
      host,
      events,
      told: () => toldOf(events),
      leave: stop,
    };
    this.tabs.push(tab);
    return tab;
  }

  private settings(): ReturnType<typeof settingsOf> {
    const {nodes, rpc: isReadable = true} = this.options;
    const {assets, chains} = settingsOf(this.world.state);
    const named = Object.entries(chains).map(([name, {rpc, ...chain}]) => {
      const node = typeof rpc === 'string' && nodes ? gated(nodes, name, rpc) : rpc;
      return [name, isReadable && node !== undefined ? {...chain, rpc: node} : chain] as const;
    });
    return {assets, chains: Object.fromEntries(named)};
  }

  /** The payer's wallet in a tab. A request made before the tab closes is still carried out; the response is lost. */
  private walletFor(host: NodeHost): object {
    const {family} = this.world.chainOf(this.options.from);
    // sats-connect looks there for announced wallets, and so does everything else that finds one there.
    if (family === 'bitcoin' && !('window' in globals)) define('window', PAGE);
    return formOf(this.payer, (method, params, ask) => {
      if (host.isClosed) return new Promise(() => undefined);
      const call: {-readonly [Key in keyof WalletCall]: WalletCall[Key]} = {family, method, params};
      this.calls.push(call);
      const {nodes} = this.options;
      const isRead = /^eth_(?!request|accounts|sign|send)/.test(method);
      const asked = nodes && isRead ? nodes({chain: chainName(this.options.from), method}, ask) : ask();
      const answer = asked.then(
        result => {
          call.result = result;
          this.options.answered?.(call);
          return result;
        },
        (error: unknown) => {
          call.error = error;
          throw error;
        },
      );
      answer.catch(() => undefined);
      return host.whileOpen(answer);
    });
  }

  async connect(): Promise<void> {
    const {family} = this.world.chainOf(this.options.from);
    if (!(await this.session.connect(family))) {
      throw new Error(`The wallet was not connected: ${JSON.stringify(this.session.$wallets.get().connecting)}`);
    }
  }

  /** Goes from the empty form to the review. `receive`: what is typed instead of the amount to pay. */
  async review({receive, patience = PATIENCE_MS}: {receive?: string | undefined; patience?: number} = {}) {
    const {session, options, recipient, payer} = this;
    const byAddress = this.world.chainOf(options.from).family === 'bitcoin';
    if (!byAddress) await this.connect();
    const {from, to} = options;
    const typed = receive === undefined ? {amount: options.amount} : {receive};
    session.edit({from, to, ...typed, recipient, ...(byAddress && {refundAddress: payer.account})});
    const quote = () => session.$form.get().quote;
    const isSaid = () => quote().state === 'ready' || (patience < PATIENCE_MS && quote().state === 'failed');
    await this.when(() => isSaid() && session.$form.get().problem?.remedy !== 'wait', 'no price');
    // An address other than their own wallet on the same chain needs a confirmation.
    if (session.$form.get().problem?.field === 'recipient') session.confirm('recipient');
    await this.when(
      () => session.$form.get().problem === undefined && quote().state !== 'failed',
      () => `it cannot be reviewed: ${JSON.stringify(session.$form.get().problem ?? quote())}`,
      patience,
    );
    session.review();
    await this.when(() => session.$view.get() === 'review', 'there is no review', patience);
  }

  /**
   * Goes from the empty form to the order, by one press. A wallet is asked to pay at once; a deposit address is paid by
   * `pay()`. Resolves when everything that the press started has ended.
   */
  async place(): Promise<void> {
    await this.review();
    await this.session.placeOrder();
  }

  /**
   * The deposit address that the widget displays, and the amount due there, as its view reads them from the session;
   * `undefined` if none is displayed.
   */
  get shownAddress(): {readonly address: string; readonly amount: bigint} | undefined {
    const placed = shownIn(this.session);
    const deposit = placed?.deal?.deposit;
    const isPayable = placed?.report && placed.report.outcome !== 'failed' && !placed.question;
    if (deposit?.how !== 'transfer' || !isPayable) return undefined;
    const {story} = placed;
    const source = (story?.order ?? placed.deal?.order)?.source;
    const isTime = story?.stage === 'awaiting-deposit' && placed.payUntil > this.session.$now.get();
    if (!source || !isTime || story.note?.kind === 'gone') return undefined;
    const {address, amount} = deposit;
    return {address, amount: isPart({amount, filled: source.filled}) ? amount - source.filled : amount};
  }

  /** Pays: to an address from a wallet that the page does not know, and two blocks are mined; else with a press. */
  async pay(): Promise<void> {
    const {payer, session} = this;
    if (!('bumpFee' in payer)) return session.pay();
    await this.when(() => this.shownAddress, 'no address was shown');
    const {address, amount} = this.shownAddress ?? {address: '', amount: 0n};
    this.#sent += amount;
    await payer.send(address, amount);
    await this.mine(2);
  }

  async until(...stages: readonly Stage[]): Promise<void> {
    await this.when(
      () => stages.includes(this.stage),
      () => `it never was ${stages.join(' or ')}`,
    );
  }

  /** Waits until a condition holds. @throws Error that describes the swap. */
  async when(isSo: () => unknown, what: string | (() => string), patience = PATIENCE_MS): Promise<void> {
    if (await holds(isSo, patience)) return;
    throw new Error(`${typeof what === 'string' ? what : what()}. ${this.describe()}`);
  }

  /** The state of the swap, for a report. */
  describe(): string {
    const {error} = fundingIn(this.session);
    const fault = error ? ` The last try: ${error.code} ${error.field ?? ''} ${error.detail ?? ''}.` : '';
    return `It is ${this.stage}, told ${this.tab.told().join(', ')}; the order is ${statusIn(this.session).state}.${fault}`;
  }

  read(): Promise<OrderRead> {
    const {service = this.world.url} = this.options;
    return new SandboxClient(service, this.client.appId).read(this.orderId);
  }

  /** The coins sent by hand to displayed addresses, whatever came back since. */
  get sent(): bigint {
    return this.#sent;
  }
}
