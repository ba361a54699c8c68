/**
 * The faults of each swap in a run. A plan depends only on the run's seed and the swap's number, so any single swap can
 * be run again.
 */
import type {AssetId} from '../../src/domain/asset.js';
import {createRandom, type Random} from '../support/random.js';

/** The step during which a fault happens. */
export const STEPS = ['quote', 'review', 'order', 'approve', 'sign', 'send', 'initiate', 'read', 'paid'] as const;
export type Step = (typeof STEPS)[number];
export const REQUESTS = ['quote', 'order', 'initiate', 'read'] as const satisfies readonly Step[];
export type Request = (typeof REQUESTS)[number];
const PROMPTS = ['approve', 'sign', 'send'] as const satisfies readonly Step[];

export const SERVICE_FAULTS = {
  'lost before': REQUESTS,
  'lost after': REQUESTS,
  'reset mid-body': REQUESTS,
  slow: REQUESTS,
  '5xx': REQUESTS,
  'too many': REQUESTS,
  'page of HTML': REQUESTS,
  'cut JSON': REQUESTS,
  'Error with 200': REQUESTS,
  'wrong types': REQUESTS,
  'another order': ['order', 'read'],
  'says complete': ['read'],
  'says refunded': ['read'],
  'says unpaid': ['read'],
  'says gone': ['read'],
  'says no, takes it': ['initiate'],
} as const satisfies Record<string, readonly Request[]>;
export type ServiceFault = keyof typeof SERVICE_FAULTS;

export const WALLET_FAULTS = {
  no: PROMPTS,
  vague: PROMPTS,
  'vague, but done': ['approve', 'send'],
  mute: PROMPTS,
  late: PROMPTS,
} as const satisfies Record<string, readonly Step[]>;
export type WalletFault = keyof typeof WALLET_FAULTS;

export const PAGE_FAULTS = {
  reload: ['review', 'order', 'approve', 'sign', 'send', 'initiate', 'paid'],
  'second tab': ['order', 'approve', 'sign', 'send', 'initiate', 'paid'],
  offline: ['review', 'order', 'approve', 'sign', 'send', 'initiate', 'paid'],
  removal: ['review', 'order', 'approve', 'sign', 'send', 'initiate', 'paid'],
} as const satisfies Record<string, readonly Step[]>;
export type PageFault = keyof typeof PAGE_FAULTS;

export const NODE_FAULTS = {
  'node refuses': ['paid'],
  'node slow': ['paid'],
} as const satisfies Record<string, readonly Step[]>;
export type NodeFault = keyof typeof NODE_FAULTS;

/** Faults of the chains, or of the parties that act there. */
export const CHAIN_FAULTS = [
  'late block',
  'reorg',
  'payout withheld',
  'no solver',
  'no solver, no service',
  'no solver, told complete',
  'no solver, told refunded',
  'no solver, told unpaid',
] as const;
export type ChainFault = (typeof CHAIN_FAULTS)[number];

export type Fault = ServiceFault | WalletFault | PageFault | NodeFault | ChainFault;

export interface Cell {
  readonly fault: Fault;
  readonly step: Step;
}

export interface Injection extends Cell {
  /** How many times the step passes first. */
  readonly after: number;
  /** How often it happens. */
  readonly times: number;
}

export type Way = 'address' | 'connected' | 'signature' | 'transaction' | 'coin' | 'sign' | 'sign and send';

/** Separate sandboxes: refunds need hundreds of blocks to be mined, and a reorganization affects others' blocks. */
export type Place = 'served' | 'refunded' | 'reorganised';

export interface Plan {
  readonly seed: number;
  readonly number: number;
  readonly place: Place;
  readonly from: AssetId;
  readonly to: AssetId;
  /** In whole units. */
  readonly amount: string;
  readonly way: Way;
  /** Whether the page may read the chains through their nodes. */
  readonly rpc: boolean;
  readonly faults: readonly Injection[];
}

const entries = <F extends Fault>(table: Readonly<Record<F, readonly Step[]>>) =>
  (Object.entries(table) as [F, readonly Step[]][]).flatMap(([fault, steps]) => steps.map(step => ({fault, step})));

export const CELLS: readonly Cell[] = [
  ...entries<Fault>(SERVICE_FAULTS as never),
  ...entries<Fault>(WALLET_FAULTS as never),
  ...entries<Fault>(PAGE_FAULTS as never),
  ...entries<Fault>(NODE_FAULTS as never),
  ...CHAIN_FAULTS.map(fault => ({fault, step: 'paid' as const})),
];

/** The ways to pay, and the wallet's prompts for each. */
const WAYS: readonly {
  readonly way: Way;
  readonly from: AssetId;
  readonly amount: string;
  readonly asks: readonly Step[];
}[] = [
  {way: 'address', from: 'bitcoin_testnet:btc', amount: '0.01', asks: []},
  {way: 'connected', from: 'bitcoin_testnet:btc', amount: '0.01', asks: ['send']},
  {way: 'signature', from: 'base_sepolia:wbtc', amount: '0.01', asks: ['approve', 'sign', 'initiate']},
  {way: 'signature', from: 'ethereum_sepolia:usdc', amount: '500', asks: ['approve', 'sign', 'initiate']},
  {way: 'signature', from: 'starknet_sepolia:wbtc', amount: '0.01', asks: ['approve', 'sign', 'initiate']},
  {way: 'transaction', from: 'base_sepolia:usdt', amount: '500', asks: ['approve', 'send']},
  {way: 'transaction', from: 'ethereum_sepolia:wbtc', amount: '0.01', asks: ['approve', 'send']},
  {way: 'transaction', from: 'starknet_sepolia:wbtc', amount: '0.01', asks: ['send']},
  {way: 'coin', from: 'base_sepolia:eth', amount: '0.2', asks: ['send']},
  {way: 'sign', from: 'solana_testnet:sol', amount: '5', asks: ['send']},
  {way: 'sign and send', from: 'solana_testnet:sol', amount: '5', asks: ['send']},
];
const DESTINATIONS = [
  'bitcoin_testnet:btc',
  'base_sepolia:wbtc',
  'base_sepolia:usdc',
  'ethereum_sepolia:wbtc',
  'ethereum_sepolia:eth',
  'solana_testnet:sol',
  'starknet_sepolia:wbtc',
] as const satisfies readonly AssetId[];

/** A deposit by address waits for the person without a prompt: the page's faults happen there at `send`. */
const isAsked = ({way, asks}: (typeof WAYS)[number], step: Step) =>
  asks.includes(step) ||
  step === 'quote' ||
  step === 'review' ||
  step === 'order' ||
  step === 'read' ||
  step === 'paid' ||
  (step === 'send' && way === 'address');

/**
 * Whether a click can refund a payment: not if only the service has keys, nor if it takes a node that the page may not
 * use.
 */
export function canTakeBack({way}: Pick<Plan, 'way'>): boolean {
  return way !== 'address' && way !== 'connected' && way !== 'sign and send';
}

/** Without a node a wallet that only signs sends nothing, and a signature that names no contract is not given. */
const needsNode = ({way, from}: Pick<Plan, 'way' | 'from'>) =>
  way === 'sign' || (way === 'signature' && from.startsWith('starknet'));

/** Whether the page may read its chains: for a payment that a wallet sends itself, nothing is read, nor refunded by it. */
const isRead = ({way}: Pick<Plan, 'way'>) => way !== 'sign and send';

function fits(at: (typeof WAYS)[number], {fault, step}: Cell): boolean {
  if (!isAsked(at, step)) return false;
  if (fault in WALLET_FAULTS) return at.asks.includes(step);
  if ((fault in NODE_FAULTS || placeOf({fault, step}) === 'refunded') && !isRead(at)) return false;
  // Without a wallet in the page, only the service can refund a payment, and there is only its word.
  if (fault.startsWith('no solver, ')) return canTakeBack(at);
  return true;
}

const placeOf = ({fault}: Cell): Place =>
  fault === 'reorg'
    ? 'reorganised'
    : fault.startsWith('no solver') || fault === 'payout withheld'
      ? 'refunded'
      : 'served';

function inject(cell: Cell, random: Random): Injection {
  // Reading both chains takes several requests, and the next read follows soon.
  if (cell.fault in NODE_FAULTS) return {...cell, after: random.below(6), times: 1 + random.below(6)};
  // A price is requested at least twice, before the review and after it, and an order is read three times.
  const chances = cell.step === 'quote' ? 2 : cell.step === 'read' ? 3 : 1;
  return {...cell, after: random.below(chances), times: chances > 1 ? 1 + random.below(4) : 1};
}

/** The first faults of swaps go through all cells in turn, so that none is missed; the last swaps get rare cells. */
function cellOf(number: number): Cell {
  const rounds = 10 * CELLS.length;
  const cells = number >= rounds && number < 1_000 ? RARE : CELLS;
  return cells[number % cells.length]!;
}

/** Cells that are never a swap's second fault. */
const RARE = CELLS.filter(cell => placeOf(cell) !== 'served');

/** Whether a payment is made in spite of it, so that something can happen to the payment. */
const isPaidAllTheSame = ({step}: Cell) =>
  step !== 'initiate' && step !== 'approve' && step !== 'sign' && step !== 'send';

export function planOf(seed: number, number: number): Plan {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  random.below(2);
  const cell = cellOf(number);
  const way = random.pick(WAYS.filter(one => fits(one, cell)) as [(typeof WAYS)[number], ...typeof WAYS]);
  const place = placeOf(cell);
  const others = CELLS.filter(
    other =>
      other.fault !== cell.fault &&
      fits(way, other) &&
      placeOf(other) === 'served' &&
      (cell.step !== 'paid' || isPaidAllTheSame(other)),
  );
  const faults = [inject(cell, random)];
  // Faults that affect few ways to pay are drawn twice as often.
  const seconds = [...others, ...others.filter(other => !isPaidAllTheSame(other))];
  if (random.below(2) === 0) faults.push(inject(random.pick(seconds as [Cell, ...Cell[]]), random));
  return {
    seed,
    number,
    place,
    from: way.from,
    to: random.pick(DESTINATIONS.filter(to => to !== way.from) as unknown as [AssetId]),
    amount: way.amount,
    way: way.way,
    rpc: (needsNode(way) || random.below(4) > 0 || faults.some(({fault}) => fault in NODE_FAULTS)) && isRead(way),
    faults,
  };
}

export function describePlan({number, from, to, way, rpc, place, faults}: Plan): string {
  const wrong = faults.map(({fault, step, after, times}) => {
    const when = after ? ` after ${String(after)}` : '';
    return `${fault} at ${step}${when}${times > 1 ? ` x${String(times)}` : ''}`;
  });
  return `#${String(number)} ${from} -> ${to} by ${way}${rpc ? '' : ', no rpc'} (${place}): ${wrong.join('; ')}`;
}
