/**
 * The documented service on local chains, in one call: `startSandbox()`.
 *
 * Real: the chains' nodes, the contracts, every transfer. Ours: keys, prices, tokens, the clock. It is a tool for
 * development and tests; it does not prove that something works with the operator's service.
 */
import {createHash} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {createServer} from 'node:http';
import {setImmediate as turn} from 'node:timers/promises';
import {getRequestListener} from '@hono/node-server';
import {Hono} from 'hono';
import {addressOf, startAnvil, type StartingAnvil} from './chains/anvil.js';
import {startBitcoinLeg} from './chains/bitcoin.js';
import {startEvmLeg, type TokenPlan} from './chains/evm.js';
import type {ChainLeg} from './chains/leg.js';
import {startSolanaLeg} from './chains/solana.js';
import {startStarknetLeg} from './chains/starknet.js';
import {everyWeek} from './affiliates.js';
import {startClock} from './clock.js';
import {createControls} from './controls.js';
import {DIFFERENCES, PREFLIGHTS} from './differences.js';
import {createFaults} from './faults.js';
import {HOST, answerNotFound, closeServer, listen} from './http.js';
import {createOrders} from './orders.js';
import {createPricing} from './pricing.js';
import {ORDER_CORRUPTIONS, createService, type Env} from './service.js';
import {createSharing} from './sharing.js';
import {startSolver} from './solver.js';

export interface SandboxOptions {
  /** The service's port; a free one by default. The chains use the ports from 10 above it. */
  readonly port?: number;
  /**
   * How much faster than real time the chains' clock runs. With 0, EVM chains and Starknet only mine with each
   * transaction, and Bitcoin only on demand. Otherwise EVM chains and Starknet mine while an order waits for blocks,
   * and slowly while one is open (`clock.ts`).
   */
  readonly speed?: number;
  readonly seed?: number;
  /** Shares the sandbox with other machines: the token that its controls require. */
  readonly token?: string | undefined;
}

export interface Sandbox {
  readonly url: string;
  /** The app id for tests. Any other of 64 lowercase hex characters works too, with its own faults. */
  readonly appId: string;
  readonly chains: readonly ChainLeg[];
  /** Stops only the service: its chains keep running. */
  closeService(): Promise<void>;
  close(): Promise<void>;
}

/** The sandbox without a server, to be mounted in another one. */
export interface SandboxParts {
  readonly appId: string;
  readonly chains: readonly ChainLeg[];
  /** Handles `/v2/…` and `/sandbox…`. */
  listener(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

const BLOCK_SECONDS = {evm: 12, bitcoin: 600, starknet: 30} as const;
const APP_ID = createHash('sha256').update('swap-widget sandbox').digest('hex');

const WBTC: TokenPlan = {name: 'wbtc', title: 'Wrapped Bitcoin', symbol: 'WBTC', decimals: 8};
const USDC: TokenPlan = {name: 'usdc', title: 'USD Coin', symbol: 'USDC', decimals: 6};
const CBBTC: TokenPlan = {name: 'cbbtc', title: 'Coinbase Wrapped BTC', symbol: 'cbBTC', decimals: 8};
const USDT: TokenPlan = {name: 'usdt', title: 'Tether USD', symbol: 'USDT', decimals: 6, approvesFromZeroOnly: true};

/** The more expensive one comes first, so that clients cannot just take the first quote. */
const SOLVERS = [
  {key: 'solver 2', fee: 45n},
  {key: 'solver 1', fee: 30n},
];

export async function startSandboxParts({
  speed = 0,
  seed = 1,
  chainPort = 0,
  token,
}: {
  speed?: number;
  seed?: number;
  /** The first chain's port; the others follow. 0 takes free ports. */
  chainPort?: number;
  token?: string | undefined;
} = {}): Promise<SandboxParts> {
  const blockSeconds = (family: keyof typeof BLOCK_SECONDS) => (speed > 0 ? BLOCK_SECONDS[family] / speed : null);
  const solvers = SOLVERS.map(({key}) => key);
  const port = (place: number) => (chainPort === 0 ? 0 : chainPort + place);
  const base = startAnvil({name: 'base_sepolia', chainId: 84532, port: port(0)});
  const ethereum = startAnvil({name: 'ethereum_sepolia', chainId: 11155111, port: port(1)});
  // They start while this process creates the chains that it runs itself.
  await Promise.all([base.spawned, ethereum.spawned]);
  const evm = ({name, chainId, ready}: StartingAnvil, tokens: readonly TokenPlan[]) =>
    startEvmLeg({name, chainId, node: ready, tokens, solvers, blockSeconds: blockSeconds('evm')});
  // Requests and the nodes' responses are handled in between.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (start: () => Promise<ChainLeg>): Promise<ChainLeg> => {
    const started = last.then(() => turn()).then(start);
    last = started.catch(() => {});
    return started;
  };
  const chains = await all<ChainLeg>([
    evm(base, [WBTC, USDC, CBBTC, USDT]),
    evm(ethereum, [WBTC, USDC, CBBTC]),
    inTurn(() =>
      startBitcoinLeg({name: 'bitcoin_testnet', solvers, port: port(2), blockSeconds: blockSeconds('bitcoin')}),
    ),
    inTurn(() => startSolanaLeg({name: 'solana_testnet', walletChain: 'solana:devnet', solvers, port: port(3), speed})),
    inTurn(() =>
      startStarknetLeg({
        name: 'starknet_sepolia',
        chainId: 'SN_SEPOLIA',
        tokens: [WBTC],
        solvers,
        port: port(4),
        blockSeconds: blockSeconds('starknet'),
      }),
    ),
  ]);

  const faults = createFaults({
    hostile: [
      ...new Set([...chains.flatMap(({corruptions}) => Object.keys(corruptions)), ...Object.keys(ORDER_CORRUPTIONS)]),
    ],
    differs: [...Object.keys(DIFFERENCES), ...Object.keys(PREFLIGHTS)],
  });
  const pricing = createPricing(
    SOLVERS.map(({key, fee}) => ({id: addressOf(key).toLowerCase(), fee})),
    seed,
  );
  const orders = createOrders({
    chains,
    pricing,
    faults,
    integratorOf: appId => (appId === APP_ID ? 'sandbox' : undefined),
  });
  const solver = startSolver(chains, orders, faults);
  const stopClock = startClock(chains, solver);
  const stopWeeks = speed > 0 ? everyWeek(async () => void (await orders.payouts.endWeek()), speed) : () => {};
  const closing = new AbortController();
  const app = new Hono<Env>();
  app.use((context, next) => {
    context.set('closing', closing.signal);
    return next();
  });
  app.notFound(answerNotFound);
  app.route('/', createControls({appId: APP_ID, speed, chains, pricing, orders, faults, solver, token}));
  app.route('/', createSharing(chains, token !== undefined));
  app.route('/', createService({chains, pricing, orders, faults}));

  return {
    appId: APP_ID,
    chains,
    // Tests run in this process too, and need their own globals.
    listener: getRequestListener(app.fetch, {overrideGlobalObjects: false}),
    async close() {
      closing.abort();
      stopWeeks();
      await Promise.all([stopClock(), solver.stop()]);
      await Promise.all(chains.map(chain => chain.close()));
    },
  };
}

export async function startSandbox({port = 0, speed = 0, seed = 1, token}: SandboxOptions = {}): Promise<Sandbox> {
  const parts = await startSandboxParts({speed, seed, chainPort: port && port + 10, token});
  const server = createServer((request, response) => void parts.listener(request, response));
  try {
    const url = `http://${HOST}:${await listen(server, port)}`;
    const closeService = async () => {
      if (server.listening) await closeServer(server);
    };
    return {
      url,
      appId: parts.appId,
      chains: parts.chains,
      closeService,
      async close() {
        await Promise.all([closeService(), parts.close()]);
      },
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

/** Waits for all chains; if one does not start, closes the others. */
async function all<T extends {close(): Promise<void>}>(starting: readonly Promise<T>[]): Promise<T[]> {
  const started = await Promise.allSettled(starting);
  const failed = started.find(one => one.status === 'rejected');
  const running = started.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
  if (!failed) return running;
  await Promise.all(running.map(one => one.close()));
  throw failed.reason;
}
