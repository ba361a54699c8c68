/** The ledger as its JSON-RPC shows it: blocks by number, hash and tag, what is in them, and the specification's errors. */
import * as v from 'valibot';
import {RpcError} from '../../json-rpc.js';
import {Rejected, type At, type Block, type Chain, type Outcome, type Receipt} from './chain.js';
import {hex} from './felts.js';
import {NotFound, Panic, executionError, revertReason, type ContractClass, type Event} from './machine.js';
import {
  GAS,
  PRICE,
  READING,
  count,
  eventContent,
  felt,
  felts,
  readTransaction,
  transactionJson,
  type BlockId,
  type GivenTransaction,
} from './wire.js';

const MAX_EVENTS = 1_024;

/** Errors of the specification by code. */
const ERRORS = {
  20: 'Contract not found',
  21: 'Requested entry point does not exist in the contract',
  24: 'Block not found',
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
  [-32601]: 'Method not found',
  [-32602]: 'Invalid params',
} as const;

export class StarknetError extends RpcError {
  constructor(code: keyof typeof ERRORS, data?: unknown) {
    super(code, ERRORS[code], data);
  }
}

/** The specification's error for an error of the ledger. */
export function asRpcError(error: unknown): unknown {
  if (error instanceof NotFound) return new StarknetError(error.what === 'contract' ? 20 : 21);
  if (error instanceof Panic) return new StarknetError(40, {revert_error: executionError(error)});
  if (!(error instanceof Rejected)) return error;
  const {why, detail} = error;
  const data = detail instanceof Panic ? revertReason(detail) : detail;
  switch (why) {
    case 'contract':
      return new StarknetError(20);
    case 'class':
      return new StarknetError(28);
    case 'nonce':
      return new StarknetError(52, data);
    case 'validation':
      return new StarknetError(55, data);
    case 'not-account':
      return new StarknetError(58);
    case 'duplicate':
      return new StarknetError(59);
    case 'version':
      return new StarknetError(61);
  }
}

export const eventFilter = v.object({
  from_block: v.optional(READING.blockId),
  to_block: v.optional(READING.blockId),
  address: v.optional(v.union([felt, felts])),
  keys: v.optional(v.array(felts), []),
  chunk_size: v.pipe(count, v.minValue(1)),
  continuation_token: v.optional(v.string()),
});

const price = (fri: bigint) => ({price_in_fri: hex(fri), price_in_wei: hex(fri / 10_000n)});

export const withHash = ({transaction, hash}: Receipt) => ({
  transaction_hash: hex(hash),
  ...transactionJson(transaction),
});

export class ChainView {
  constructor(readonly chain: Chain) {}

  at(id: BlockId): At {
    if (id === 'pre_confirmed') return id;
    // There is no L1: the newest block is final.
    if (id === 'latest' || id === 'l1_accepted') return this.chain.height;
    const block = 'block_number' in id ? this.chain.blockAt(id.block_number) : this.chain.blockWith(id.block_hash);
    if (!block) throw new StarknetError(24);
    return block.number;
  }

  /** `undefined` for the pre-confirmed block. */
  block(id: BlockId): Block | undefined {
    const where = this.at(id);
    return where === 'pre_confirmed' ? undefined : this.chain.blockAt(where);
  }

  receiptsIn(id: BlockId): readonly Receipt[] {
    return this.block(id)?.receipts ?? this.chain.next;
  }

  receipt(hash: bigint): Receipt {
    const receipt = this.chain.receipt(hash);
    if (!receipt) throw new StarknetError(29);
    return receipt;
  }

  contract(address: bigint, id: BlockId): ContractClass {
    const contractClass = this.chain.classAt(address, this.at(id));
    if (!contractClass) throw new StarknetError(20);
    return contractClass;
  }

  status({block, reverted}: Receipt) {
    return {
      finality_status: block > this.chain.height ? 'PRE_CONFIRMED' : 'ACCEPTED_ON_L2',
      execution_status: reverted ? 'REVERTED' : 'SUCCEEDED',
    };
  }

  receiptJson(receipt: Receipt) {
    const {hash, transaction, sender, events, reverted} = receipt;
    return {
      type: transaction.kind,
      transaction_hash: hex(hash),
      ...(transaction.kind === 'DEPLOY_ACCOUNT' && {contract_address: hex(sender)}),
      actual_fee: {amount: '0x0', unit: 'FRI'},
      ...this.status(receipt),
      ...(reverted && {revert_reason: revertReason(reverted)}),
      messages_sent: [],
      events: events.map(event => ({from_address: hex(event.from), ...eventContent(event)})),
      execution_resources: GAS,
    };
  }

  placeOf({block: number}: Receipt) {
    const block = this.chain.blockAt(number);
    return {block_number: number, ...(block && {block_hash: hex(block.hash)})};
  }

  blockJson(id: BlockId, write: (receipt: Receipt) => unknown) {
    const block = this.block(id);
    const receipts = this.receiptsIn(id);
    const header = {
      block_number: block?.number ?? this.chain.height + 1,
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
    const {hash, parent, root} = block;
    return {
      status: 'ACCEPTED_ON_L2',
      block_hash: hex(hash),
      parent_hash: hex(parent),
      new_root: hex(root),
      ...header,
    };
  }

  events(wanted: v.InferOutput<typeof eventFilter>) {
    if (wanted.chunk_size > MAX_EVENTS) throw new StarknetError(31);
    const number = (id: BlockId | undefined, otherwise: number) => {
      const where = id === undefined ? otherwise : this.at(id);
      return where === 'pre_confirmed' ? this.chain.height + 1 : where;
    };
    const last = number(wanted.to_block, this.chain.height + 1);
    const addresses = wanted.address === undefined ? undefined : [wanted.address].flat();
    const fits = ({from, keys}: Event) =>
      (addresses?.includes(from) ?? true) &&
      wanted.keys.every((choices, place) => choices.length === 0 || choices.includes(keys[place] ?? -1n));
    const found: object[] = [];
    for (let height = number(wanted.from_block, 0); height <= last; height++) {
      for (const receipt of this.chain.blockAt(height)?.receipts ?? this.chain.next) {
        receipt.events.forEach((event, index) => {
          if (!fits(event)) return;
          found.push({
            from_address: hex(event.from),
            ...eventContent(event),
            ...this.placeOf(receipt),
            transaction_hash: hex(receipt.hash),
            transaction_index: receipt.index,
            event_index: index,
          });
        });
      }
    }
    const start = Number(wanted.continuation_token ?? 0);
    if (!Number.isInteger(start) || start < 0 || start > found.length) throw new StarknetError(33);
    const end = start + wanted.chunk_size;
    return {events: found.slice(start, end), ...(end < found.length && {continuation_token: String(end)})};
  }

  simulate(given: readonly GivenTransaction[], id: BlockId, flags: readonly string[]): readonly Outcome[] {
    const validate = !flags.includes('SKIP_VALIDATE');
    return this.chain.simulate(given.map(readTransaction), this.at(id), {validate});
  }
}
