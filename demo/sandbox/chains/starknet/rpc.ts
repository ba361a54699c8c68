/**
 * The ledger's JSON-RPC, as a Starknet node of specification 0.10: the methods that wallets, `starknet` and the widget
 * use, over HTTP with CORS, single or in batches, with parameters by name or by position. Like nodes of several
 * versions it also speaks an older one, under a path of its own (`rpc-0-7.ts`).
 *
 * Real: methods, block tags, error codes. Ours: the commitments of a block, which are not the tries of public networks.
 */
import type {IncomingMessage, ServerResponse} from 'node:http';
import * as v from 'valibot';
import {serve, type RunningServer} from '../../http.js';
import type {Chain} from './chain.js';
import {CLASSES} from './contracts.js';
import {hex} from './felts.js';
import {executionError, revertReason} from './machine.js';
import {ChainView, ERRORS, RpcError, asRpcError, eventFilter, withHash} from './view.js';
import {PATH_0_7, toMethods07} from './rpc-0-7.js';
import {
  FEE_ESTIMATE,
  READING,
  READING_0_7,
  all,
  classJson,
  count,
  felt,
  felts,
  readTransaction,
  traceJson,
  transactionJson,
  type Reading,
} from './wire.js';

const MAX_BODY = 1_000_000;

export interface Method {
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

type Methods = Readonly<Record<string, Method>>;

const ofTransaction = {transaction_hash: felt};
const flags = v.array(v.picklist(['SKIP_VALIDATE', 'SKIP_FEE_CHARGE']));

function blockMethods(view: ChainView, {blockId}: Reading): Methods {
  const {chain} = view;
  const ofBlock = {block_id: blockId};
  return {
    starknet_specVersion: method({}, () => '0.10.2'),
    starknet_chainId: method({}, () => hex(chain.chainId)),
    starknet_syncing: method({}, () => false),
    starknet_blockNumber: method({}, () => chain.height),
    starknet_blockHashAndNumber: method({}, () => ({
      block_hash: hex(chain.blockAt(chain.height)?.hash ?? 0n),
      block_number: chain.height,
    })),
    starknet_getBlockTransactionCount: method(ofBlock, ({block_id}) => view.receiptsIn(block_id).length),
    starknet_getBlockWithTxHashes: method(ofBlock, ({block_id}) => view.blockJson(block_id, ({hash}) => hex(hash))),
    starknet_getBlockWithTxs: method(ofBlock, ({block_id}) => view.blockJson(block_id, withHash)),
    starknet_getBlockWithReceipts: method(ofBlock, ({block_id}) =>
      view.blockJson(block_id, receipt => ({
        transaction: transactionJson(receipt.transaction),
        receipt: view.receiptJson(receipt),
      })),
    ),
    starknet_getStateUpdate: method(ofBlock, ({block_id}) => view.stateUpdate(block_id)),
    starknet_getEvents: method({filter: eventFilter}, given => view.events(given.filter)),
  };
}

function contractMethods(view: ChainView, {blockId, anyTransaction}: Reading): Methods {
  const {chain} = view;
  const ofContract = {block_id: blockId, contract_address: felt};
  return {
    starknet_getNonce: method(ofContract, ({block_id, contract_address}) => {
      view.contract(contract_address, block_id);
      return hex(chain.nonceAt(contract_address, view.at(block_id)));
    }),
    starknet_getStorageAt: method({contract_address: felt, key: felt, block_id: blockId}, given => {
      view.contract(given.contract_address, given.block_id);
      return hex(chain.storageAt(given.contract_address, given.key, view.at(given.block_id)));
    }),
    starknet_getClassHashAt: method(ofContract, ({block_id, contract_address}) =>
      hex(view.contract(contract_address, block_id).hash),
    ),
    starknet_getClassAt: method(ofContract, ({block_id, contract_address}) =>
      classJson(view.contract(contract_address, block_id)),
    ),
    starknet_getClass: method({block_id: blockId, class_hash: felt}, ({block_id, class_hash}) => {
      view.at(block_id);
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
        return all(chain.call({to, selector, calldata}, view.at(block_id)));
      },
    ),
    starknet_estimateFee: method(
      {request: v.array(anyTransaction), simulation_flags: flags, block_id: blockId},
      ({request, simulation_flags, block_id}) =>
        view.simulate(request, block_id, simulation_flags).map(({outcome: {reverted}}, index) => {
          if (!reverted) return FEE_ESTIMATE;
          throw new RpcError(41, {transaction_index: index, execution_error: executionError(reverted)});
        }),
    ),
    starknet_simulateTransactions: method(
      {block_id: blockId, transactions: v.array(anyTransaction), simulation_flags: flags},
      ({transactions, block_id, simulation_flags}) =>
        view.simulate(transactions, block_id, simulation_flags).map(({transaction, outcome}) => ({
          transaction_trace: traceJson(transaction, outcome),
          fee_estimation: FEE_ESTIMATE,
        })),
    ),
  };
}

function transactionMethods(view: ChainView, {blockId, invoke, deployAccount}: Reading): Methods {
  const {chain} = view;
  return {
    starknet_addInvokeTransaction: method({invoke_transaction: invoke}, given => ({
      transaction_hash: hex(chain.add(readTransaction(given.invoke_transaction)).hash),
    })),
    starknet_addDeployAccountTransaction: method({deploy_account_transaction: deployAccount}, given => {
      const {hash, sender} = chain.add(readTransaction(given.deploy_account_transaction));
      return {transaction_hash: hex(hash), contract_address: hex(sender)};
    }),
    starknet_getTransactionStatus: method(ofTransaction, ({transaction_hash}) => {
      const receipt = view.receipt(transaction_hash);
      return {...view.status(receipt), ...(receipt.reverted && {failure_reason: revertReason(receipt.reverted)})};
    }),
    starknet_getTransactionByHash: method(ofTransaction, ({transaction_hash}) =>
      withHash(view.receipt(transaction_hash)),
    ),
    starknet_getTransactionByBlockIdAndIndex: method({block_id: blockId, index: count}, ({block_id, index}) => {
      const receipt = view.receiptsIn(block_id)[index];
      if (!receipt) throw new RpcError(27);
      return withHash(receipt);
    }),
    starknet_getTransactionReceipt: method(ofTransaction, ({transaction_hash}) => {
      const receipt = view.receipt(transaction_hash);
      return {...view.receiptJson(receipt), ...view.placeOf(receipt)};
    }),
    starknet_traceTransaction: method(ofTransaction, ({transaction_hash}) => {
      const receipt = view.receipt(transaction_hash);
      return traceJson(receipt.transaction, receipt);
    }),
  };
}

function createMethods(view: ChainView, reading: Reading): Methods {
  return {...blockMethods(view, reading), ...contractMethods(view, reading), ...transactionMethods(view, reading)};
}

function createAnswerer(methods: Methods): (body: string) => unknown {
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
  const view = new ChainView(chain);
  const answer = createAnswerer(createMethods(view, READING));
  const answer07 = createAnswerer(toMethods07(createMethods(view, READING_0_7)));
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
    const answerOfPath = request.url === PATH_0_7 ? answer07 : answer;
    response.end(JSON.stringify(answerOfPath(Buffer.concat(chunks).toString('utf8'))));
  };
  return serve((request, response) => {
    // The client has disconnected during its request.
    listener(request, response).catch(() => response.destroy());
  }, port);
}
