/**
 * The ledger's JSON-RPC, as a Starknet node of specification 0.10: the methods that wallets, `starknet` and the widget
 * use, over HTTP with CORS, single or in batches, with parameters by name or by position.
 *
 * Real: methods, block tags, error codes. Ours: the commitments of a block, which are not the tries of public networks.
 */
import type {IncomingMessage, ServerResponse} from 'node:http';
import * as v from 'valibot';
import {serve, type RunningServer} from '../../http.js';
import {Rejected, type At, type Block, type Chain, type Outcome, type Receipt, type Transaction} from './chain.js';
import {CLASSES} from './contracts.js';
import {hex, poseidon} from './felts.js';
import {NotFound, Panic, executionError, revertReason, type ContractClass, type Event} from './machine.js';
import {
  FEE_ESTIMATE,
  GAS,
  PRICE,
  all,
  anyTransaction,
  blockId,
  count,
  deployAccount,
  eventContent,
  felt,
  felts,
  invoke,
  readTransaction,
  classJson,
  traceJson,
  transactionJson,
  type BlockId,
} from './wire.js';

const MAX_BODY = 1_000_000;
const MAX_EVENTS = 1_024;

/** Errors of the specification by code. */
const ERRORS = {
  20: 'Contract not found',
  21: 'Requested entry point does not exist in the contract',
  24: 'Block not found',
  27: 'Invalid transaction index in a block',
  28: 'Class hash not found',
  29: 'Transaction hash not found',
  31: 'Requested page size is too big',
  33: 'The supplied continuation token is invalid or unknown',
  40: 'Contract error',
  41: 'Transaction execution error',
  52: 'Invalid transaction nonce',
  55: 'Account validation failed',
  58: 'Sender address is not an account contract',
  59: 'A transaction with the same hash already exists in the mempool',
  61: 'the transaction version is not supported',
  [-32600]: 'Invalid Request',
  [-32601]: 'Method not found',
  [-32602]: 'Invalid params',
  [-32603]: 'Internal error',
  [-32700]: 'Parse error',
} as const;

class RpcError extends Error {
  constructor(
    readonly code: keyof typeof ERRORS,
    readonly data?: unknown,
  ) {
    super(ERRORS[code]);
  }
}

/** A method: its parameters in order, and its implementation. */
interface Method {
  readonly names: readonly string[];
  answer(params: unknown): unknown;
}

function method<const Entries extends v.ObjectEntries>(
  entries: Entries,
  answer: (params: v.InferOutput<v.ObjectSchema<Entries, undefined>>) => unknown,
): Method {
  const schema = v.object(entries);
  return {
    names: Object.keys(entries),
    answer(params) {
      const read = v.safeParse(schema, params, {abortEarly: true});
      if (read.success) return answer(read.output);
      const [issue] = read.issues;
      throw new RpcError(-32602, `${v.getDotPath(issue) ?? ''}: ${issue.message}`);
    },
  };
}

/** The supported methods. */
function createMethods(chain: Chain): Readonly<Record<string, Method>> {
  const at = (id: BlockId): At => {
    if (id === 'pre_confirmed') return id;
    // There is no L1: the newest block is final.
    if (id === 'latest' || id === 'l1_accepted') return chain.height;
    const block = 'block_number' in id ? chain.blockAt(id.block_number) : chain.blockWith(id.block_hash);
    if (!block) throw new RpcError(24);
    return block.number;
  };
  const blockOf = (id: BlockId): Block | undefined => {
    const where = at(id);
    return where === 'pre_confirmed' ? undefined : chain.blockAt(where);
  };
  const receiptOf = (hash: bigint): Receipt => {
    const receipt = chain.receipt(hash);
    if (!receipt) throw new RpcError(29);
    return receipt;
  };
  const existing = (address: bigint, id: BlockId): ContractClass => {
    const contractClass = chain.classAt(address, at(id));
    if (!contractClass) throw new RpcError(20);
    return contractClass;
  };
  const finality = ({block}: Receipt) => (block > chain.height ? 'PRE_CONFIRMED' : 'ACCEPTED_ON_L2');
  const status = (receipt: Receipt) => ({
    finality_status: finality(receipt),
    execution_status: receipt.reverted ? 'REVERTED' : 'SUCCEEDED',
  });

  const receiptJson = (receipt: Receipt) => {
    const {hash, transaction, sender, events, reverted} = receipt;
    return {
      type: transaction.kind,
      transaction_hash: hex(hash),
      ...(transaction.kind === 'DEPLOY_ACCOUNT' && {contract_address: hex(sender)}),
      actual_fee: {amount: '0x0', unit: 'FRI'},
      ...status(receipt),
      ...(reverted && {revert_reason: revertReason(reverted)}),
      messages_sent: [],
      events: events.map(event => ({from_address: hex(event.from), ...eventContent(event)})),
      execution_resources: GAS,
    };
  };
  const inBlock = ({block: number}: Receipt) => {
    const block = chain.blockAt(number);
    return {block_number: number, ...(block && {block_hash: hex(block.hash)})};
  };
  const withHash = ({transaction, hash}: Receipt) => ({
    transaction_hash: hex(hash),
    ...transactionJson(transaction),
  });

  const price = (fri: bigint) => ({price_in_fri: hex(fri), price_in_wei: hex(fri / 10_000n)});
  const blockJson = (id: BlockId, write: (receipt: Receipt) => unknown) => {
    const block = blockOf(id);
    const receipts = block?.receipts ?? chain.next;
    const header = {
      block_number: block?.number ?? chain.height + 1,
      timestamp: block?.timestamp ?? Math.floor(Date.now() / 1_000),
      sequencer_address: '0x1',
      l1_gas_price: price(PRICE.l1_gas),
      l2_gas_price: price(PRICE.l2_gas),
      l1_data_gas_price: price(PRICE.l1_data_gas),
      l1_da_mode: 'BLOB',
      starknet_version: '0.14.0',
      transactions: receipts.map(write),
    };
    if (!block) return header;
    const {number, hash, parent, root} = block;
    const events = receipts.flatMap(receipt => receipt.events);
    const changes = chain.changesOf(number);
    return {
      status: 'ACCEPTED_ON_L2',
      block_hash: hex(hash),
      parent_hash: hex(parent),
      new_root: hex(root),
      event_commitment: hex(poseidon(events.flatMap(({from, keys, data}) => [from, ...keys, ...data]))),
      transaction_commitment: hex(poseidon(receipts.map(receipt => receipt.hash))),
      receipt_commitment: hex(poseidon(receipts.flatMap(receipt => [receipt.hash, receipt.reverted ? 0n : 1n]))),
      state_diff_commitment: hex(poseidon(changes.flatMap(({address, key, value}) => [address, key, value]))),
      event_count: events.length,
      transaction_count: receipts.length,
      state_diff_length: changes.length,
      ...header,
    };
  };

  const stateDiff = (where: At) => {
    const changes = chain.changesOf(where);
    const of = (place: (typeof changes)[number]['place']) => changes.filter(change => change.place === place);
    const storage = new Map<bigint, {key: string; value: string}[]>();
    for (const {address, key, value} of of('storage')) {
      storage.set(address, [...(storage.get(address) ?? []), {key: hex(key), value: hex(value)}]);
    }
    return {
      storage_diffs: [...storage].map(([address, storage_entries]) => ({address: hex(address), storage_entries})),
      deprecated_declared_classes: [],
      declared_classes: [],
      deployed_contracts: of('class').map(({address, value}) => ({address: hex(address), class_hash: hex(value)})),
      replaced_classes: [],
      nonces: of('nonce').map(({address, value}) => ({contract_address: hex(address), nonce: hex(value)})),
    };
  };

  const add = (transaction: Transaction) => ({transaction_hash: hex(chain.add(transaction).hash)});

  const filter = v.object({
    from_block: v.optional(blockId),
    to_block: v.optional(blockId),
    address: v.optional(v.union([felt, felts])),
    keys: v.optional(v.array(felts), []),
    chunk_size: v.pipe(count, v.minValue(1)),
    continuation_token: v.optional(v.string()),
  });
  const events = (wanted: v.InferOutput<typeof filter>) => {
    if (wanted.chunk_size > MAX_EVENTS) throw new RpcError(31);
    const number = (id: BlockId | undefined, otherwise: number) => {
      const where = id === undefined ? otherwise : at(id);
      return where === 'pre_confirmed' ? chain.height + 1 : where;
    };
    const last = number(wanted.to_block, chain.height + 1);
    const addresses = wanted.address === undefined ? undefined : [wanted.address].flat();
    const fits = ({from, keys}: Event) =>
      (addresses?.includes(from) ?? true) &&
      wanted.keys.every((choices, place) => choices.length === 0 || choices.includes(keys[place] ?? -1n));
    const found: object[] = [];
    for (let height = number(wanted.from_block, 0); height <= last; height++) {
      for (const receipt of chain.blockAt(height)?.receipts ?? chain.next) {
        receipt.events.forEach((event, index) => {
          if (!fits(event)) return;
          found.push({
            from_address: hex(event.from),
            ...eventContent(event),
            ...inBlock(receipt),
            transaction_hash: hex(receipt.hash),
            transaction_index: receipt.index,
            event_index: index,
          });
        });
      }
    }
    const start = Number(wanted.continuation_token ?? 0);
    if (!Number.isInteger(start) || start < 0 || start > found.length) throw new RpcError(33);
    const end = start + wanted.chunk_size;
    return {events: found.slice(start, end), ...(end < found.length && {continuation_token: String(end)})};
  };

  const flags = v.array(v.picklist(['SKIP_VALIDATE', 'SKIP_FEE_CHARGE']));
  const simulate = (given: v.InferOutput<typeof anyTransaction>[], id: BlockId, simulation: string[]) => {
    const transactions = given.map(readTransaction);
    const validate = !simulation.includes('SKIP_VALIDATE');
    const outcomes = chain.simulate(transactions, at(id), {validate});
    return transactions.map((transaction, index) => ({transaction, outcome: outcomes[index] as Outcome}));
  };

  const ofBlock = {block_id: blockId};
  const ofTransaction = {transaction_hash: felt};
  const ofContract = {block_id: blockId, contract_address: felt};

  return {
    starknet_specVersion: method({}, () => '0.10.2'),
    starknet_chainId: method({}, () => hex(chain.chainId)),
    starknet_syncing: method({}, () => false),
    starknet_blockNumber: method({}, () => chain.height),
    starknet_blockHashAndNumber: method({}, () => ({
      block_hash: hex(chain.blockAt(chain.height)?.hash ?? 0n),
      block_number: chain.height,
    })),
    starknet_getBlockTransactionCount: method(
      ofBlock,
      ({block_id}) => (blockOf(block_id)?.receipts ?? chain.next).length,
    ),
    starknet_getBlockWithTxHashes: method(ofBlock, ({block_id}) => blockJson(block_id, ({hash}) => hex(hash))),
    starknet_getBlockWithTxs: method(ofBlock, ({block_id}) => blockJson(block_id, withHash)),
    starknet_getBlockWithReceipts: method(ofBlock, ({block_id}) =>
      blockJson(block_id, receipt => ({
        transaction: transactionJson(receipt.transaction),
        receipt: receiptJson(receipt),
      })),
    ),
    starknet_getStateUpdate: method(ofBlock, ({block_id}) => {
      const block = blockOf(block_id);
      const diff = {state_diff: stateDiff(at(block_id))};
      if (!block) return {old_root: hex(chain.blockAt(chain.height)?.root ?? 0n), ...diff};
      const old = chain.blockAt(block.number - 1)?.root ?? 0n;
      return {block_hash: hex(block.hash), new_root: hex(block.root), old_root: hex(old), ...diff};
    }),
    starknet_getNonce: method(ofContract, ({block_id, contract_address}) => {
      existing(contract_address, block_id);
      return hex(chain.nonceAt(contract_address, at(block_id)));
    }),
    starknet_getStorageAt: method({contract_address: felt, key: felt, block_id: blockId}, given => {
      existing(given.contract_address, given.block_id);
      return hex(chain.storageAt(given.contract_address, given.key, at(given.block_id)));
    }),
    starknet_getClassHashAt: method(ofContract, ({block_id, contract_address}) =>
      hex(existing(contract_address, block_id).hash),
    ),
    starknet_getClassAt: method(ofContract, ({block_id, contract_address}) =>
      classJson(existing(contract_address, block_id)),
    ),
    starknet_getClass: method({block_id: blockId, class_hash: felt}, ({block_id, class_hash}) => {
      at(block_id);
      const contractClass = CLASSES.get(class_hash);
      if (!contractClass) throw new RpcError(28);
      return classJson(contractClass);
    }),
    starknet_call: method(
      {
        request: v.object({contract_address: felt, entry_point_selector: felt, calldata: felts}),
        block_id: blockId,
      },
      ({request, block_id}) => {
        const {contract_address: to, entry_point_selector: selector, calldata} = request;
        return all(chain.call({to, selector, calldata}, at(block_id)));
      },
    ),
    starknet_estimateFee: method(
      {request: v.array(anyTransaction), simulation_flags: flags, block_id: blockId},
      ({request, simulation_flags, block_id}) =>
        simulate(request, block_id, simulation_flags).map(({outcome: {reverted}}, index) => {
          if (!reverted) return FEE_ESTIMATE;
          throw new RpcError(41, {transaction_index: index, execution_error: executionError(reverted)});
        }),
    ),
    starknet_simulateTransactions: method(
      {block_id: blockId, transactions: v.array(anyTransaction), simulation_flags: flags},
      ({transactions, block_id, simulation_flags}) =>
        simulate(transactions, block_id, simulation_flags).map(({transaction, outcome}) => ({
          transaction_trace: traceJson(transaction, outcome),
          fee_estimation: FEE_ESTIMATE,
        })),
    ),
    starknet_addInvokeTransaction: method({invoke_transaction: invoke}, given =>
      add(readTransaction(given.invoke_transaction)),
    ),
    starknet_addDeployAccountTransaction: method({deploy_account_transaction: deployAccount}, given => {
      const {hash, sender} = chain.add(readTransaction(given.deploy_account_transaction));
      return {transaction_hash: hex(hash), contract_address: hex(sender)};
    }),
    starknet_getTransactionStatus: method(ofTransaction, ({transaction_hash}) => {
      const receipt = receiptOf(transaction_hash);
      return {...status(receipt), ...(receipt.reverted && {failure_reason: revertReason(receipt.reverted)})};
    }),
    starknet_getTransactionByHash: method(ofTransaction, ({transaction_hash}) => withHash(receiptOf(transaction_hash))),
    starknet_getTransactionByBlockIdAndIndex: method({block_id: blockId, index: count}, ({block_id, index}) => {
      const receipt = (blockOf(block_id)?.receipts ?? chain.next)[index];
      if (!receipt) throw new RpcError(27);
      return withHash(receipt);
    }),
    starknet_getTransactionReceipt: method(ofTransaction, ({transaction_hash}) => {
      const receipt = receiptOf(transaction_hash);
      return {...receiptJson(receipt), ...inBlock(receipt)};
    }),
    starknet_traceTransaction: method(ofTransaction, ({transaction_hash}) => {
      const receipt = receiptOf(transaction_hash);
      return traceJson(receipt.transaction, receipt);
    }),
    starknet_getEvents: method({filter}, given => events(given.filter)),
  };
}

/** The specification's error for an error of the ledger. */
function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof NotFound) return new RpcError(error.what === 'contract' ? 20 : 21);
  if (error instanceof Panic) return new RpcError(40, {revert_error: executionError(error)});
  if (!(error instanceof Rejected)) return new RpcError(-32603, String(error));
  const {why, detail} = error;
  const data = detail instanceof Panic ? revertReason(detail) : detail;
  switch (why) {
    case 'contract':
      return new RpcError(20);
    case 'class':
      return new RpcError(28);
    case 'nonce':
      return new RpcError(52, data);
    case 'validation':
      return new RpcError(55, data);
    case 'not-account':
      return new RpcError(58);
    case 'duplicate':
      return new RpcError(59);
    case 'version':
      return new RpcError(61);
  }
}

/** Handles JSON-RPC requests, single or batched. */
function createAnswerer(methods: Readonly<Record<string, Method>>): (body: string) => unknown {
  const request = v.object({
    id: v.nullish(v.union([v.string(), v.number()]), null),
    method: v.string(),
    params: v.optional(v.union([v.array(v.unknown()), v.record(v.string(), v.unknown())]), {}),
  });
  const one = (given: unknown) => {
    const asked = v.safeParse(request, given);
    const id = asked.success ? asked.output.id : null;
    try {
      if (!asked.success) throw new RpcError(-32600);
      const {method: name, params} = asked.output;
      const wanted = Object.hasOwn(methods, name) ? methods[name] : undefined;
      if (!wanted) throw new RpcError(-32601, name);
      const named = Array.isArray(params)
        ? Object.fromEntries(params.map((value: unknown, place) => [wanted.names[place] ?? place, value]))
        : params;
      return {jsonrpc: '2.0', id, result: wanted.answer(named)};
    } catch (error) {
      const {code, message, data} = asRpcError(error);
      return {jsonrpc: '2.0', id, error: {code, message, ...(data !== undefined && {data})}};
    }
  };
  return body => {
    let given: unknown;
    try {
      given = JSON.parse(body);
    } catch {
      return {jsonrpc: '2.0', id: null, error: {code: -32700, message: ERRORS[-32700]}};
    }
    return Array.isArray(given) ? given.map(one) : one(given);
  };
}

/** Serves the ledger on this port, or on a free one if it is taken or 0. */
export function serveRpc(chain: Chain, port: number): Promise<RunningServer> {
  const answer = createAnswerer(createMethods(chain));
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
    response.setHeader('access-control-max-age', '600');
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'OPTIONS' ? 204 : 405).end();
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY) {
        response.writeHead(413).end();
        return;
      }
      chunks.push(chunk);
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(Buffer.concat(chunks).toString('utf8'))));
  };
  return serve((request, response) => {
    // The client has disconnected during its request.
    listener(request, response).catch(() => response.destroy());
  }, port);
}
