/**
 * The state of orders on an EVM chain, read from the contracts' events.
 *
 * The index is only valid for the newest block that it has read. If that block is no longer on the chain, everything is
 * read again, so legs can go back to an earlier state. A reorganization replaces blocks from the state that the node
 * still has of the block before them, otherwise from a checkpoint.
 */
import type {Interface} from 'ethers';
import {RpcError, hex, type Rpc} from './anvil.js';
import type {LegState, SeenTransaction, Terms} from './leg.js';

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
  cached?: {readonly terms: Terms; readonly state: LegState} | undefined;
  initiated?: SeenTransaction & {readonly lock: Lock};
  redeemed?: SeenTransaction & {readonly secret: string};
  refunded?: SeenTransaction;
}

export interface EvmIndex {
  sync(): Promise<void>;
  height(): number;
  stateOf(contract: string, orderId: string, terms: Terms): LegState;
  reorgWithout(contract: string, orderId: string): Promise<void>;
}

/** How often a reorganization is retried if a block was mined meanwhile. */
const ATTEMPTS = 5;
/** The distance of checkpoints. Each is a full copy, so they are few, and the blocks since then are replayed. */
const CHECKPOINT_BLOCKS = 1_000;

const NOTHING: LegState = {filled: 0n, matchesTerms: false};

export function createEvmIndex(rpc: Rpc, htlc: Interface, contracts: readonly string[]): EvmIndex {
  let head = {number: -1, hash: ''};
  let checkpoint = -Infinity;
  let orders = new Map<string, History>();
  // Kept when the index is rebuilt, so that a transaction keeps the time it was first seen.
  const firstSeen = new Map<string, Date>();

  const blockAt = (tag: string) => rpc<Block | null>('eth_getBlockByNumber', tag, false);
  const keyOf = (contract: string, orderId: string) => `${contract.toLowerCase()} ${orderId}`;

  function seenTransaction(log: Log): SeenTransaction {
    const hash = log.transactionHash;
    const at = firstSeen.get(hash) ?? new Date();
    firstSeen.set(hash, at);
    return {hash, block: Number(log.blockNumber), at};
  }

  async function lockOf(log: Log, orderId: string): Promise<Lock> {
    const data = htlc.encodeFunctionData('orders', [orderId]);
    // An order's terms never change, and the node only keeps the state of recent blocks.
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
    const seen = seenTransaction(log);
    if (event.name === 'Initiated') history.initiated = {...seen, lock: await lockOf(log, orderId)};
    history.cached = undefined;
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
    if (number - checkpoint >= CHECKPOINT_BLOCKS) {
      await rpc('evm_snapshot');
      checkpoint = number;
    }
  }

  const sync = oneAtATime(read);

  /**
   * The transactions since a block with their block offsets, without the deposit and without later ones by its sender,
   * whose nonces would be invalid.
   */
  async function keptWithout(
    deposit: SeenTransaction,
    from: number,
    to: number,
  ): Promise<[raw: string, block: number][]> {
    const kept: [string, number][] = [];
    const sender = (await rpc<{from: string}>('eth_getTransactionByHash', deposit.hash)).from;
    let gone = false;
    for (let number = from; number <= to; number++) {
      for (const hash of (await blockAt(hex(number)))?.transactions ?? []) {
        gone ||= hash === deposit.hash;
        const {from: by} = await rpc<{from: string}>('eth_getTransactionByHash', hash);
        if (gone && by === sender) continue;
        kept.push([await rpc<string>('eth_getRawTransactionByHash', hash), number - from]);
      }
    }
    return kept;
  }

  async function checkpointBefore(block: number): Promise<{id: string; number: number}> {
    const {snapshots} = await rpc<{snapshots: Record<string, [number: number, hash: string]>}>('anvil_metadata');
    const older = Object.entries(snapshots)
      .filter(([, [number]]) => number < block)
      .sort(([, [a]], [, [b]]) => b - a);
    for (const [id, [number, hash]] of older) {
      if ((await blockAt(hex(number)))?.hash === hash) return {id, number};
    }
    throw new Error(`there is no checkpoint before block ${block}`);
  }

  /** Reverts to a checkpoint and replays the blocks since then, up to a height, with these transactions. */
  async function rebuild(id: string, from: number, height: number, kept: readonly [raw: string, block: number][]) {
    await rpc('evm_revert', id);
    // Reverting to a snapshot deletes it.
    await rpc('evm_snapshot');
    checkpoint = from - 1;
    const inBlock = new Map<number, string[]>();
    for (const [raw, place] of kept) inBlock.set(place, [...(inBlock.get(place) ?? []), raw]);
    let next = from;
    const mineTo = async (number: number) => {
      if (number > next) await rpc('anvil_mine', hex(number - next));
      next = Math.max(next, number);
    };
    for (const [place, transactions] of inBlock) {
      await mineTo(from + place);
      for (const raw of transactions) {
        // A transaction that depended on a removed one is dropped.
        await rpc('eth_sendRawTransaction', raw).catch(() => {});
      }
      await mineTo(from + place + 1);
    }
    await mineTo(height + 1);
  }

  return {
    sync,
    height: () => head.number,

    stateOf(contract, orderId, terms) {
      const history = orders.get(keyOf(contract, orderId));
      if (history?.cached?.terms === terms) return history.cached.state;
      const {initiated, redeemed, refunded} = history ?? {};
      if (!history || !initiated) return NOTHING;
      const {lock, ...seen} = initiated;
      const matchesTerms =
        lock.amount === terms.amount && lock.redeemer === terms.redeemer && lock.timelock === BigInt(terms.timelock);
      const state = {
        filled: lock.amount,
        matchesTerms,
        initiated: seen,
        ...(redeemed && {redeemed}),
        ...(refunded && {refunded}),
      };
      history.cached = {terms, state};
      return state;
    },

    async reorgWithout(contract, orderId) {
      // The node counts back from its newest block, so mining is paused.
      const mines = await rpc<boolean>('anvil_getAutomine');
      if (mines) await rpc('evm_setAutomine', false);
      try {
        for (let attempt = 1; ; attempt++) {
          await sync();
          const height = head.number;
          const deposit = orders.get(keyOf(contract, orderId))?.initiated;
          if (!deposit) return;
          if (attempt > ATTEMPTS) throw new Error(`blocks came too fast to take ${deposit.hash} off the chain`);
          const isStill = async () => Number(await rpc('eth_blockNumber')) === height;
          const kept = await keptWithout(deposit, deposit.block, height);
          // Blocks may have been mined on request.
          if (!(await isStill())) continue;
          try {
            await rpc('anvil_reorg', height - deposit.block + 1, kept);
          } catch (error) {
            if (!isForgotten(error)) throw error;
            const {id, number} = await checkpointBefore(deposit.block);
            const all = await keptWithout(deposit, number + 1, height);
            if (await isStill()) await rebuild(id, number + 1, height, all);
          }
        }
      } finally {
        if (mines) await rpc('evm_setAutomine', true);
      }
    },
  };
}

/** Whether the node has pruned the state that a call needs. */
function isForgotten(error: unknown): boolean {
  return error instanceof RpcError && error.message.includes('data unavailable');
}

/** Runs a task one at a time. Calls during a run share the next run. */
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
