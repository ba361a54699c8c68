/**
 * The ledger's JSON-RPC, as a Starknet node of specification 0.10: the methods that wallets, `starknet` and the widget
 * use, over HTTP with CORS, single or in batches, with parameters by name or by position. Like nodes of several
 * versions it also speaks an older one, under a path of its own (`rpc-0-7.ts`).
 *
 * Real: methods, block tags, error codes. Ours: the commitments of a block, which are not the tries of public networks.
 */
import * as v from 'valibot';
import type {RunningServer} from '../../http.js';
import {serveJsonRpc, type Answer} from '../../json-rpc.js';
import type {Chain} from './chain.js';
import {hex} from './felts.js';
import {executionError, revertReason} from './machine.js';
import {ChainView, StarknetError, asRpcError, eventFilter, withHash} from './view.js';
import {PATH_0_7, toMethods07} from './rpc-0-7.js';
import {
  FEE_ESTIMATE,
  READING,
  READING_0_7,
  all,
  classJson,
  felt,
  felts,
  readTransaction,
  type Reading,
} from './wire.js';

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
      throw new StarknetError(-32602, `${v.getDotPath(issue) ?? ''}: ${issue.message}`);
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
    starknet_getBlockWithTxHashes: method(ofBlock, ({block_id}) => view.blockJson(block_id, ({hash}) => hex(hash))),
    starknet_getBlockWithTxs: method(ofBlock, ({block_id}) => view.blockJson(block_id, withHash)),
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
    starknet_getClassHashAt: method(ofContract, ({block_id, contract_address}) =>
      hex(view.contract(contract_address, block_id).hash),
    ),
    starknet_getClassAt: method(ofContract, ({block_id, contract_address}) =>
      classJson(view.contract(contract_address, block_id)),
    ),
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
        view.simulate(request, block_id, simulation_flags).map(({reverted}, index) => {
          if (!reverted) return FEE_ESTIMATE;
          throw new StarknetError(41, {transaction_index: index, execution_error: executionError(reverted)});
        }),
    ),
  };
}

function transactionMethods(view: ChainView, {invoke, deployAccount}: Reading): Methods {
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
    starknet_getTransactionReceipt: method(ofTransaction, ({transaction_hash}) => {
      const receipt = view.receipt(transaction_hash);
      return {...view.receiptJson(receipt), ...view.placeOf(receipt)};
    }),
  };
}

function createMethods(view: ChainView, reading: Reading): Methods {
  return {...blockMethods(view, reading), ...contractMethods(view, reading), ...transactionMethods(view, reading)};
}

function answererOf(methods: Methods): Answer {
  return (name, params) => {
    const wanted = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (!wanted) throw new StarknetError(-32601, name);
    const named = Array.isArray(params)
      ? Object.fromEntries(params.map((value: unknown, place) => [wanted.names[place] ?? place, value]))
      : params;
    try {
      return wanted.answer(named);
    } catch (error) {
      throw asRpcError(error);
    }
  };
}

/** Serves the ledger on this port, or on a free one if it is taken or 0. */
export function serveRpc(chain: Chain, port: number): Promise<RunningServer> {
  const view = new ChainView(chain);
  const answer = answererOf(createMethods(view, READING));
  const answer07 = answererOf(toMethods07(createMethods(view, READING_0_7)));
  return serveJsonRpc(path => (path === PATH_0_7 ? answer07 : answer), port);
}
