/** A sandbox for a part of a run: its chains, its books, and sessions whose clocks run faster. */
import {setTimeout as pause} from 'node:timers/promises';
import * as core from '../../src/core.js';
import {createBitcoinAdapter} from '../../src/chains/bitcoin/bitcoin.js';
import {createEvmAdapter} from '../../src/chains/evm/evm.js';
import {createSolanaAdapter} from '../../src/chains/solana/solana.js';
import {createStarknetAdapter} from '../../src/chains/starknet/starknet.js';
import {TIMEOUTS, type Timeouts} from '../../src/chains/timeouts.js';
import type {Host} from '../../src/session/session.js';
import {SandboxClient, type OrderRead} from '../sandbox/client.js';
import {openNodeWorld, type Core, type NodeHost, type NodeWorld} from '../support/node-session.js';
import {openLedger, type Account} from './ledger.js';
import {LATE_ANSWER_MS, Person} from './person.js';
import {CHAIN_FAULTS, type Plan} from './plan.js';
import {judge, outcomeOf, readOrders, type Verdict} from './judge.js';
import {holds, scaled} from '../support/limits.js';

/** How much faster a session's clock runs. Otherwise the session behaves as on a page. */
const SPEED = 4;
/** As short as this machine allows. */
const WAITS: Timeouts = {
  ...TIMEOUTS,
  read: scaled(5_000),
  connect: scaled(3_000),
  request: LATE_ANSWER_MS - scaled(1_000),
  receipt: scaled(10_000),
  lag: scaled(3_000),
  poll: 150,
};

/** A little more than any source's timelock. */
const TIMELOCK_MS = 3_700_000;

const begun = Date.now();

function quicken(host: Host): Host {
  return Object.create(host, {
    now: {value: () => begun + (Date.now() - begun) * SPEED + (host as NodeHost).ahead},
    elapsed: {value: () => (Date.now() - begun) * SPEED},
    after: {value: (milliseconds: number, work: () => void) => host.after(milliseconds / SPEED, work)},
  }) as Host;
}

const quickCore: Core = {
  ...core,
  adapters: {
    bitcoin: () => Promise.resolve(createBitcoinAdapter(WAITS)),
    evm: () => Promise.resolve(createEvmAdapter(WAITS)),
    solana: () => Promise.resolve(createSolanaAdapter(WAITS)),
    starknet: () => Promise.resolve(createStarknetAdapter(WAITS)),
  },
  createSwapApi: options => core.createSwapApi(options, {read: scaled(3_000), write: scaled(4_500), pause: 100}),
  createSwapSession: options => core.createSwapSession({...options, host: quicken(options.host)}),
};

export interface Result extends Verdict {
  readonly person: Person;
  readonly milliseconds: number;
}

export interface ChaosWorld {
  run(plan: Plan): Promise<Result>;
  /** Refunds what is still locked: its timelock has expired now. */
  release(result: Result): Promise<Result>;
  settle(): Promise<Account[]>;
  close(): Promise<void>;
}

export async function openChaosWorld(seed: number): Promise<ChaosWorld> {
  const world = await openNodeWorld({core: quickCore, seed});
  const control = new SandboxClient(world.url, '');
  const ledger = await openLedger(await control.info());
  const people = new Set<string>();
  const stopMining = mineBitcoin(world, control);

  return {
    async run(plan) {
      const began = Date.now();
      const person = new Person(plan, world, variantOf(plan));
      await person.begin();
      const {from, to} = plan;
      const {amount} = person.swap;
      if (world.chainOf(from).assets[from]?.token !== undefined) ledger.made(from, amount * 3n);
      if (world.chainOf(to).assets[to]?.token !== undefined) ledger.made(to, person.gift);
      if (from.startsWith('solana')) people.add(person.swap.payer.account);
      if (to.startsWith('solana')) people.add(person.swap.recipient);
      const chain = turnChain(person, control);
      await person.live();
      await chain;
      await settled(person);
      const verdict = await judge(person);
      person.swap.end();
      return {...verdict, person, milliseconds: Date.now() - began};
    },

    async release({person, milliseconds}) {
      const began = Date.now();
      const [order] = (await readOrders(person)).filter(({source_swap: source}) => source.initiate_tx_hash !== '');
      person.say('-- its timelock ends');
      await control.control('expire', {orderId: order?.['order_id']});
      person.wait(TIMELOCK_MS);
      person.swap.reload();
      await person.live();
      const verdict = await judge(person);
      person.swap.end();
      return {...verdict, person, milliseconds: milliseconds + Date.now() - began};
    },

    async settle() {
      await world.mine('bitcoin_testnet', 1);
      await pause(500);
      await world.mine('bitcoin_testnet', 1);
      await stopMining();
      return ledger.settle(people);
    },

    async close() {
      await stopMining();
      await world.close();
    },
  };
}

/** From 0 to 1: which variant of its faults a swap gets. */
function variantOf({seed, number}: Plan): number {
  return ((Math.imul(seed + 1, 0x27d4eb2f) ^ Math.imul(number + 1, 0x165667b1)) >>> 0) / 2 ** 32;
}

/** Waits for the chains if a page ended before them: the other side still has to redeem. */
async function settled(person: Person): Promise<void> {
  await holds(async () => {
    const outcome = outcomeOf(await readOrders(person));
    return outcome === 'locked' ? person.plan.place !== 'served' : outcome !== 'lost';
  }, 10_000);
}

/** Applies a plan's faults of the chains, once there is a deposit. */
async function turnChain(person: Person, control: SandboxClient): Promise<void> {
  const fault = person.plan.faults.find(({fault: name}) => (CHAIN_FAULTS as readonly string[]).includes(name));
  if (!fault) return;
  const read = async () => (await readOrders(person)).find(({source_swap: source}) => source.initiate_tx_hash !== '');
  const until = async (isSo: (order: OrderRead | undefined) => boolean, most = Infinity) => {
    for (const end = Date.now() + most; !person.isDone && Date.now() < end; await pause(100)) {
      const order = await read();
      if (isSo(order)) return order;
    }
    return undefined;
  };
  const order = await until(found => found !== undefined);
  if (!order) return;
  if (fault.fault === 'reorg') await until(found => found === undefined, scaled(5_000));
  person.note(fault);
  if (person.plan.place !== 'refunded') return;
  // The page sees the payment before the service denies it.
  await until(found => Number(found?.source_swap.initiate_block_number) > 0);
  await pause(300);
  person.become(fault.fault);
  if (fault.fault === 'payout withheld') await withdrawPayout(person, control, until);
  await control.control('expire', {orderId: order['order_id']});
  person.wait(TIMELOCK_MS);
  await until(found => found?.source_swap.refund_tx_hash !== '');
  if (!person.service.isHonest && (await read())?.source_swap.refund_tx_hash !== '') person.isSettled = true;
}

/** The solver's own payment is refunded after its timelock. */
async function withdrawPayout(
  {plan}: Person,
  control: SandboxClient,
  until: (isSo: (order: OrderRead | undefined) => boolean, most?: number) => Promise<OrderRead | undefined>,
): Promise<void> {
  const offered = await until(found => found?.destination_swap.initiate_tx_hash !== '', scaled(4_000));
  if (!offered) return;
  const chain = plan.to.slice(0, plan.to.indexOf(':'));
  for (let left = Number(offered.destination_swap['timelock']) + 2; left > 0; left -= 1_000) {
    await control.control('mine', {chain, blocks: Math.min(left, 1_000)});
  }
  await until(found => found?.destination_swap.refund_tx_hash !== '', scaled(8_000));
}

/** Mines on Bitcoin while a payment is unconfirmed, and once more after that: a deposit needs two blocks. */
function mineBitcoin(world: NodeWorld, control: SandboxClient): () => Promise<void> {
  const [name, chain] = Object.entries(world.state.chains).find(([, {family}]) => family === 'bitcoin') ?? [];
  if (!name || !chain) throw new Error('The sandbox has no Bitcoin chain.');
  let isOver = false;
  const mining = (async () => {
    for (let more = 0; !isOver; await pause(400)) {
      const waiting = (await (await fetch(`${chain.rpc}/mempool/txids`)).json()) as string[];
      if (waiting.length) more = 2;
      if (more-- > 0) await control.control('mine', {chain: name, blocks: 1});
    }
  })();
  return async () => {
    isOver = true;
    await mining;
  };
}
