import type {Event, Node} from '../token-htlc/dialect.js';
import {StrangeAnswer} from '../errors.js';
import {hex} from '../rpc.js';
import {
  addressText,
  EVENTS,
  joinAmount,
  readEvent,
  readFelt,
  selector,
  shortHex,
  type ContractEvent,
  type NamedCall,
} from './htlc.js';
import {blockId, faultOf, readHeight, readTime, type Read} from './rpc.js';

/** No payment into a swap costs as much as so many transfers. */
const MOST_TRANSFERS = 10n;

export function nodeOf(read: Read): Node<NamedCall> {
  return {...contractsBy(read), ...transactionsBy(read), head: () => readHeight(read), time: at => readTime(read, at)};
}

function contractsBy(read: Read) {
  return {
    async hasCode(address) {
      try {
        const classHash = await read('starknet_getClassHashAt', {block_id: 'latest', contract_address: address});
        return readFelt(classHash) !== 0n;
      } catch (error) {
        if (faultOf(error) === 'no-contract') return false;
        throw error;
      }
    },
    async token(contract) {
      try {
        const [token] = await call(read, contract, 'token', []);
        return token === undefined ? undefined : addressText(hex(token));
      } catch (error) {
        // The first generation of contracts has no view of its token, so it is unknown. Without a contract, or on a
        // revert, there is none.
        if (faultOf(error) === 'no-contract' || faultOf(error) === 'reverted') return undefined;
        throw error;
      }
    },
    async balance(token, owner) {
      if (token === undefined) throw new Error('Every coin of this chain is a token.');
      try {
        return await readAmount(read, token, 'balance_of', [owner]);
      } catch (error) {
        // Older tokens only have the older name.
        if (faultOf(error) !== 'no-entry-point') throw error;
        return readAmount(read, token, 'balanceOf', [owner]);
      }
    },
    allowance: (token, owner, spender) => readAmount(read, token, 'allowance', [owner, spender]),
    async order(contract, id, at) {
      const order = await call(read, contract, 'get_order', [id], blockId(at));
      const [over = 0n, initiator = 0n, redeemer = 0n, block = 0n, timelock = 0n, low, high] = order;
      const amount = joinAmount(low, high);
      if (amount === undefined) throw new StrangeAnswer('get_order');
      // A missing order reads as zeros.
      if (order.every(value => value === 0n)) return undefined;
      return {
        initiator: addressText(hex(initiator)),
        redeemer: addressText(hex(redeemer)),
        timelock,
        amount,
        block,
        isHeld: over === 0n,
        // If a contract only stores that it has ended, that is a 1.
        ...(over > 1n && {endedIn: over}),
      };
    },
    async events(contract, id, of, from, to) {
      const {Initiated, InitiatedWithDestinationData, Redeemed, Refunded} = EVENTS;
      const names = of === 'payment' ? [Initiated, InitiatedWithDestinationData] : [Redeemed, Refunded];
      const range = {from_block: blockId(from), to_block: blockId(to)};
      const filter = {...range, address: shortHex(contract), keys: [names, [shortHex(id)]], chunk_size: 10};
      const {events} = (await read('starknet_getEvents', {filter})) as {readonly events: readonly ContractEvent[]};
      return events.flatMap(readEvents);
    },
  } satisfies Partial<Node<NamedCall>>;
}

function transactionsBy(read: Read) {
  return {
    async receipt(transaction) {
      try {
        const receipt = (await read('starknet_getTransactionReceipt', {transaction_hash: transaction})) as RawReceipt;
        const {execution_status: execution, finality_status: finality, block_number: number, events} = receipt;
        // The number of the pre-confirmed block is known before it is final.
        const block = number === undefined || finality === 'PRE_CONFIRMED' ? undefined : BigInt(number);
        const mined = {transaction_hash: transaction, block_number: block === undefined ? undefined : number};
        return {
          isReverted: execution === 'REVERTED',
          block,
          events: events.flatMap(event => readEvents({...event, ...mined})),
        };
      } catch (error) {
        if (faultOf(error) === 'no-transaction') return undefined;
        throw error;
      }
    },
    async status(transaction) {
      try {
        const {finality_status: finality, execution_status: execution} = (await read('starknet_getTransactionStatus', {
          transaction_hash: transaction,
        })) as {readonly finality_status?: unknown; readonly execution_status?: unknown};
        if (execution === 'REVERTED' || finality === 'REJECTED') return 'reverted';
        return finality === 'ACCEPTED_ON_L2' || finality === 'ACCEPTED_ON_L1' ? 'done' : 'seen';
      } catch (error) {
        if (faultOf(error) === 'no-transaction') return 'none';
        throw error;
      }
    },
    /** Without a caller: calls that only an account may make cannot be tried. */
    async refusalOf({contractAddress, entrypoint, calldata}) {
      try {
        await call(read, contractAddress, entrypoint, calldata);
        return undefined;
      } catch (cause) {
        if (faultOf(cause) === 'reverted') return {cause};
        throw cause;
      }
    },
    async isCheap(calls, from, token = '0x0', deployment) {
      const account = {block_id: 'latest', contract_address: shortHex(from)};
      const nonce = await read('starknet_getNonce', account).catch((error: unknown) => {
        if (faultOf(error) !== 'no-contract') throw error;
      });
      // Its wallet deploys it first. An account's address follows from that, so the estimate is of no other account.
      const before = typeof nonce === 'string' ? [] : [deployOf(await deployment?.())];
      const transfer = {contractAddress: shortHex(token), entrypoint: 'transfer', calldata: [from, '0x1', '0x0']};
      const feeOf = (some: readonly NamedCall[]) => readFee(read, before, invokeOf(from, nonce ?? '0x1', some));
      const [fee, usual] = await Promise.all([feeOf(calls), feeOf([transfer])]);
      return fee <= MOST_TRANSFERS * usual;
    },
    sent: () => Promise.reject(new Error('Every coin of this chain is a token.')),
  } satisfies Partial<Node<NamedCall>>;
}

function readEvents(event: ContractEvent): readonly Event[] {
  const said = readEvent(event);
  if (!said) return [];
  const {from_address: address, transaction_hash: transaction = '', block_number: block} = event;
  return [{by: addressText(address), said, hash: transaction, block: block === undefined ? undefined : BigInt(block)}];
}

interface RawReceipt {
  readonly execution_status: string;
  readonly finality_status?: string;
  readonly block_number?: number;
  readonly events: readonly ContractEvent[];
}

const UNBOUND = {max_amount: '0x0', max_price_per_unit: '0x0'};

const UNSIGNED = {
  version: '0x3',
  signature: [],
  resource_bounds: {l1_gas: UNBOUND, l2_gas: UNBOUND, l1_data_gas: UNBOUND},
  tip: '0x0',
  paymaster_data: [],
  nonce_data_availability_mode: 'L1',
  fee_data_availability_mode: 'L1',
};

/** The transaction that deploys an account, by its wallet's `wallet_deploymentData`. */
function deployOf(data: unknown) {
  const {class_hash, salt, calldata} = (data ?? {}) as Readonly<Record<string, unknown>>;
  const own = {class_hash, contract_address_salt: salt, constructor_calldata: calldata};
  return {type: 'DEPLOY_ACCOUNT', ...own, nonce: '0x0', ...UNSIGNED};
}

/** A transaction of an account: SNIP-6 has the form of its calls. */
function invokeOf(from: string, nonce: unknown, calls: readonly NamedCall[]) {
  const calldata = calls.flatMap(({contractAddress, entrypoint, calldata: data}) => [
    contractAddress,
    selector(entrypoint),
    hex(data.length),
    ...data.map(shortHex),
  ]);
  return {
    type: 'INVOKE',
    sender_address: shortHex(from),
    calldata: [hex(calls.length), ...calldata],
    nonce,
    account_deployment_data: [],
    ...UNSIGNED,
  };
}

async function readFee(read: Read, before: readonly object[], transaction: object): Promise<bigint> {
  const answer = await read('starknet_estimateFee', {
    request: [...before, transaction],
    simulation_flags: ['SKIP_VALIDATE'],
    block_id: 'latest',
  });
  const estimate = (answer as readonly {readonly overall_fee?: unknown}[])[before.length];
  const fee = readFelt(estimate?.overall_fee);
  if (fee === undefined) throw new Error('The estimate names no fee.');
  return fee;
}

async function readAmount(read: Read, token: string, entry: string, addresses: readonly string[]): Promise<bigint> {
  const [low, high] = await call(read, token, entry, addresses);
  const amount = joinAmount(low, high);
  if (amount === undefined) throw new Error(`${entry} gave no amount`);
  return amount;
}

async function call(
  read: Read,
  contract: string,
  entryPoint: string,
  calldata: readonly string[],
  block = blockId(undefined),
): Promise<readonly bigint[]> {
  const answer = await read('starknet_call', {
    request: {
      contract_address: shortHex(contract),
      entry_point_selector: selector(entryPoint),
      calldata: calldata.map(shortHex),
    },
    block_id: block,
  });
  if (!Array.isArray(answer)) throw new Error(`${entryPoint} gave no answer`);
  return answer.map(value => {
    const felt = readFelt(value);
    if (felt === undefined) throw new Error(`${entryPoint} gave no number`);
    return felt;
  });
}
