import {SwapError} from '../../domain/error.js';
import {StrangeAnswer} from '../errors.js';
import {hex} from '../rpc.js';
import type {Event, Node} from '../token-htlc/dialect.js';
import {decode, encode, type Types} from './abi.js';
import {addressText, encodeCall, EVENTS, readKept, readLog, type EvmCall, type Log} from './htlc.js';
import {faultOf, isAnswer, isUncovered, readHeight, readTime, type Read} from './rpc.js';

export function nodeOf(read: Read): Node<EvmCall> {
  return {
    ...contractsBy(read),
    ...transactionsBy(read),
    head: () => readHeight(read),
    time: at => readTime(read, hex(at)),
  };
}

function contractsBy(read: Read) {
  const logsBy = async (filter: object) => ((await read('eth_getLogs', filter)) as readonly Log[]).flatMap(readLogs);
  return {
    async hasCode(address) {
      const code = await read('eth_getCode', address, 'latest');
      return typeof code === 'string' && /^0x0*[1-9a-f]/i.test(code);
    },
    async token(contract) {
      try {
        return (await ask(read, contract, 'token', [], 'address')) as string;
      } catch (error) {
        if (isAnswer(error)) return undefined;
        throw error;
      }
    },
    balance: async (token, owner, at) =>
      token === undefined
        ? BigInt((await read('eth_getBalance', owner, blockId(at))) as string)
        : ((await ask(read, token, 'balanceOf', [owner], 'uint256')) as bigint),
    allowance: async (token, owner, spender, at) =>
      (await ask(read, token, 'allowance', [owner, spender], 'uint256', blockId(at))) as bigint,
    order: async (contract, id, at) =>
      readKept(await read('eth_call', {to: contract, data: encodeCall('orders', [id])}, blockId(at))),
    events(contract, id, of, from, to) {
      const {Initiated, InitiatedWithDestinationData, Redeemed, Refunded} = EVENTS;
      const topics = [of === 'payment' ? [Initiated, InitiatedWithDestinationData] : [Redeemed, Refunded], id];
      return logsBy({address: contract, fromBlock: hex(from), toBlock: blockId(to), topics});
    },
    /** A token has to index the sender (EIP-20). */
    moves(token, owner, since) {
      const topics = [[EVENTS.Transfer], encode(['address'], [owner])];
      return logsBy({address: token, fromBlock: hex(since), toBlock: blockId(undefined), topics});
    },
  } satisfies Partial<Node<EvmCall>>;
}

function transactionsBy(read: Read) {
  const receiptOf = async (hash: string) =>
    (await read('eth_getTransactionReceipt', hash)) as RawReceipt | null | undefined;
  return {
    async receipt(hash) {
      const receipt = await receiptOf(hash);
      if (!receipt) return undefined;
      const {status, blockNumber, logs} = receipt;
      return {
        isReverted: Number(status) === 0,
        block: BigInt(blockNumber),
        events: logs.flatMap(log => readLogs({...log, transactionHash: hash, blockNumber})),
      };
    },
    async status(hash) {
      const receipt = await receiptOf(hash);
      if (receipt) return Number(receipt.status) === 0 ? 'reverted' : 'done';
      return (await read('eth_getTransactionByHash', hash)) ? 'seen' : 'none';
    },
    async sender(hash) {
      const {from, nonce} = ((await read('eth_getTransactionByHash', hash)) ?? {}) as Partial<SentTransaction>;
      return from !== undefined && nonce !== undefined ? {address: addressText(from), nonce: BigInt(nonce)} : undefined;
    },
    async hasUnconfirmed(owner) {
      const [all, done] = await Promise.all(
        ['pending', 'latest'].map(at => read('eth_getTransactionCount', owner, at)),
      );
      return BigInt(all as string) > BigInt(done as string);
    },
    nonce: async (owner, at) => BigInt((await read('eth_getTransactionCount', owner, blockId(at))) as string),
    /** In its next block, where it knows that: timelocks count blocks, and an approval may be pending. */
    async refusalOf({to, data, value = 0n}, from) {
      let failure: unknown;
      for (const at of ['pending', 'latest']) {
        try {
          await read('eth_call', {from, to, data, value: hex(value)}, at);
          return undefined;
        } catch (cause) {
          if (faultOf(cause) === 'reverted' || isUncovered(cause)) return {cause};
          failure = cause;
          // A node that did not respond is not asked again.
          if (cause instanceof SwapError) break;
        }
      }
      throw failure;
    },
    async isCheap(calls, from) {
      const sent = calls.map(({to, data, value = 0n}) => ({from, to, data, value: hex(value)}));
      const used = sent.length === 1 ? [await read('eth_estimateGas', sent[0])] : await simulate(read, sent);
      return used.reduce<bigint>((sum, gas) => sum + BigInt(gas as string), 0n) <= MOST_GAS;
    },
    async sent(hash, owner) {
      const transaction = (await read('eth_getTransactionByHash', hash)) as SentTransaction | null | undefined;
      if (!transaction) throw new Error('The transaction is in a block, and not known.');
      const {from, to, value = '0x0'} = transaction;
      const isTheirs = (address: string | null | undefined) => !!address && addressText(address) === owner;
      return (isTheirs(to) ? BigInt(value) : 0n) - (isTheirs(from) ? BigInt(value) : 0n);
    },
  } satisfies Partial<Node<EvmCall>>;
}

const blockId = (at: bigint | undefined) => (at === undefined ? 'latest' : hex(at));

function readLogs(log: Log): readonly Event[] {
  const said = readLog(log);
  const {address, transactionHash: hash = '', blockNumber} = log;
  const block = blockNumber ? BigInt(blockNumber) : undefined;
  return said ? [{by: addressText(address), said, hash, block}] : [];
}

interface RawReceipt {
  readonly status?: string;
  readonly blockNumber: string;
  readonly logs: readonly Log[];
}

interface SentTransaction {
  readonly from?: string;
  readonly nonce?: string;
  readonly to?: string | null;
  readonly value?: string;
}

/** More gas than any payment into a swap needs. */
const MOST_GAS = 1_000_000n;

/** The gas of calls that come one after the other. Rejects if one of them would fail, or the node cannot tell. */
async function simulate(read: Read, calls: readonly object[]): Promise<readonly unknown[]> {
  const blocks = await read('eth_simulateV1', {blockStateCalls: [{calls}]}, 'latest');
  const [block] = blocks as readonly {readonly calls: readonly Readonly<Record<string, unknown>>[]}[];
  const done = (block?.calls ?? []).filter(({status}) => status === '0x1');
  if (done.length !== calls.length) throw new Error('The calls were not simulated.');
  return done.map(({gasUsed}) => gasUsed);
}

async function ask(
  read: Read,
  to: string,
  name: 'token' | 'balanceOf' | 'allowance',
  values: readonly unknown[],
  type: Types[number],
  at = 'latest',
): Promise<unknown> {
  const data = await read('eth_call', {to, data: encodeCall(name, values)}, at);
  if (typeof data !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(data)) throw new Error('The answer is no data.');
  const answer = data.length % 64 === 2 && decode([type], data);
  if (!answer) throw new StrangeAnswer(name);
  return answer[0];
}
