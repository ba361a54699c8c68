/**
 * What has happened to orders on an EVM chain, read from the contracts' own events.
 *
 * Nothing is latched: the index belongs to the chain whose newest block it has read. When that block is no longer
 * there, everything is read again, and a leg may well go back to where it was.
 */
import type {Interface} from 'ethers';
import {hex, type Rpc} from './anvil.js';
import type {LegState, Sighting, Terms} from './leg.js';

interface Block {
  number: string;
  hash: string;
  transactions: string[];
}

interface Log {
  address: string;
  topics: string[];
  data: string;
  blockNumber: string;
  transactionHash: string;
}

interface Lock {
  readonly redeemer: string;
  readonly timelock: bigint;
  readonly amount: bigint;
}

interface History {
  initiated?: Sighting & {readonly lock: Lock};
  redeemed?: Sighting & {readonly secret: string};
  refunded?: Sighting;
}

export interface EvmIndex {
  sync(): Promise<void>;
  height(): number;
  stateOf(contract: string, orderId: string, terms: Terms): LegState;
  reorgWithout(contract: string, orderId: string): Promise<void>;
}

/** How often blocks are replaced anew when one came meanwhile. */
const ATTEMPTS = 5;

const NOTHING: LegState = {filled: 0n, asAgreed: false};

export function createEvmIndex(rpc: Rpc, htlc: Interface, contracts: readonly string[]): EvmIndex {
  let head = {number: -1, hash: ''};
  let orders = new Map<string, History>();
  // Outlives a rebuild, so that a transaction keeps the moment it was first seen.
  const firstSeen = new Map<string, Date>();

  const blockAt = (tag: string) => rpc<Block | null>('eth_getBlockByNumber', tag, false);
  const keyOf = (contract: string, orderId: string) => `${contract.toLowerCase()} ${orderId}`;

  function sighting(log: Log): Sighting {
    const hash = log.transactionHash;
    const at = firstSeen.get(hash) ?? new Date();
    firstSeen.set(hash, at);
    return {hash, block: Number(log.blockNumber), at};
  }

  async function lockOf(log: Log, orderId: string): Promise<Lock> {
    const data = htlc.encodeFunctionData('orders', [orderId]);
    // An order's terms never change, and the node keeps the state of young blocks only.
    const answer = await rpc<string>('eth_call', {to: log.address, data}, 'latest');
    const order = htlc.decodeFunctionResult('orders', answer);
    const {redeemer, timelock, amount} = order.toObject() as {redeemer: string; timelock: bigint; amount: bigint};
    return {redeemer, timelock, amount};
  }

  async function add(log: Log): Promise<void> {
    const event = htlc.parseLog(log);
    if (!event) return;
    const orderId = event.args['orderID'] as string;
    const key = keyOf(log.address, orderId);
    const history = orders.get(key) ?? {};
    orders.set(key, history);
    const seen = sighting(log);
    if (event.name === 'Initiated') history.initiated = {...seen, lock: await lockOf(log, orderId)};
    if (event.name === 'Redeemed') history.redeemed = {...seen, secret: (event.args['secret'] as string).slice(2)};
    if (event.name === 'Refunded') history.refunded = seen;
  }

  async function read(): Promise<void> {
    const latest = await blockAt('latest');
    if (!latest || latest.hash === head.hash) return;
    const number = Number(latest.number);
    const grown = number > head.number && (head.number < 0 || (await blockAt(hex(head.number)))?.hash === head.hash);
    if (!grown) {
      head = {number: -1, hash: ''};
      orders = new Map();
    }
    const range = {fromBlock: hex(head.number + 1), toBlock: latest.number};
    for (const log of await rpc<Log[]>('eth_getLogs', {...range, address: contracts})) await add(log);
    head = {number, hash: latest.hash};
  }

  const sync = oneAtATime(read);

  /**
   * The transactions since a deposit and the blocks they are in, counted from its own, without the deposit and without
   * what its sender sent after it: the nonces would not fit any more.
   */
  async function keptWithout(deposit: Sighting, height: number): Promise<[raw: string, block: number][]> {
    const kept: [string, number][] = [];
    const sender = (await rpc<{from: string}>('eth_getTransactionByHash', deposit.hash)).from;
    let gone = false;
    for (let number = deposit.block; number <= height; number++) {
      for (const hash of (await blockAt(hex(number)))?.transactions ?? []) {
        gone ||= hash === deposit.hash;
        const {from} = await rpc<{from: string}>('eth_getTransactionByHash', hash);
        if (gone && from === sender) continue;
        kept.push([await rpc<string>('eth_getRawTransactionByHash', hash), number - deposit.block]);
      }
    }
    return kept;
  }

  return {
    sync,
    height: () => head.number,

    stateOf(contract, orderId, terms) {
      const {initiated, redeemed, refunded} = orders.get(keyOf(contract, orderId)) ?? {};
      if (!initiated) return NOTHING;
      const {lock, ...seen} = initiated;
      const asAgreed =
        lock.amount === terms.amount && lock.redeemer === terms.redeemer && lock.timelock === BigInt(terms.timelock);
      return {
        filled: lock.amount,
        asAgreed,
        initiated: seen,
        ...(redeemed && {redeemed}),
        ...(refunded && {refunded}),
      };
    },

    async reorgWithout(contract, orderId) {
      // The node counts back from its newest block, so none may come meanwhile: what is sent waits.
      const mines = await rpc<boolean>('anvil_getAutomine');
      if (mines) await rpc('evm_setAutomine', false);
      try {
        for (let attempt = 1; ; attempt++) {
          await sync();
          const height = head.number;
          const deposit = orders.get(keyOf(contract, orderId))?.initiated;
          if (!deposit) return;
          if (attempt > ATTEMPTS) throw new Error(`blocks came too fast to take ${deposit.hash} off the chain`);
          const kept = await keptWithout(deposit, height);
          // Blocks that come by the clock still do.
          if (Number(await rpc('eth_blockNumber')) !== height) continue;
          await rpc('anvil_reorg', height - deposit.block + 1, kept);
        }
      } finally {
        if (mines) await rpc('evm_setAutomine', true);
      }
    },
  };
}

/** Runs a piece of work one at a time. Who asks while it runs shares the run that starts after it. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) return run();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
}
