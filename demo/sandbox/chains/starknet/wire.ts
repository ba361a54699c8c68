/**
 * Transactions, classes and events in JSON-RPC's format (specification 0.10).
 *
 * Real: the formats. Ours: gas amounts and prices, which are constants.
 */
import * as v from 'valibot';
import type {Transaction} from './chain.js';
import {hex, readFelt, selectorOf, type Bound, type FieldsV3} from './felts.js';
import type {ContractClass, Event} from './machine.js';

export const felt = v.pipe(
  v.custom<string>(value => readFelt(value) !== undefined, 'must be a felt in hex'),
  v.transform(text => readFelt(text) ?? 0n),
);
export const felts = v.array(felt);
const amount = (bits: bigint) =>
  v.pipe(
    felt,
    v.check(value => value < 2n ** bits, 'is too large'),
  );
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export type BlockId =
  'latest' | 'pre_confirmed' | 'l1_accepted' | {readonly block_number: number} | {readonly block_hash: bigint};
/** A block, by number, hash, or one of a specification's tags. */
const blockIds = (tags: v.GenericSchema<unknown, BlockId & string>) =>
  v.union([tags, v.strictObject({block_number: count}), v.strictObject({block_hash: felt})]);

const bound = v.pipe(
  v.object({max_amount: amount(64n), max_price_per_unit: amount(128n)}),
  v.transform(({max_amount, max_price_per_unit}): Bound => ({maxAmount: max_amount, maxPrice: max_price_per_unit})),
);
const mode = v.pipe(
  v.picklist(['L1', 'L2']),
  v.transform(text => (text === 'L2' ? 1 : 0)),
);
/** What differs between versions of the specification in what is asked. */
export interface Reading {
  readonly blockId: v.GenericSchema<unknown, BlockId>;
  readonly invoke: v.GenericSchema<unknown, GivenTransaction>;
  readonly deployAccount: v.GenericSchema<unknown, GivenTransaction>;
  readonly anyTransaction: v.GenericSchema<unknown, GivenTransaction>;
}

function reading(
  tags: v.GenericSchema<unknown, BlockId & string>,
  l1_data_gas: v.GenericSchema<unknown, Bound | undefined>,
) {
  const common = {
    version: felt,
    nonce: felt,
    signature: felts,
    tip: amount(64n),
    resource_bounds: v.object({l1_gas: bound, l2_gas: bound, l1_data_gas}),
    paymaster_data: felts,
    nonce_data_availability_mode: mode,
    fee_data_availability_mode: mode,
  };
  const invoke = v.object({
    type: v.literal('INVOKE'),
    sender_address: felt,
    calldata: felts,
    account_deployment_data: felts,
    ...common,
  });
  const deployAccount = v.object({
    type: v.literal('DEPLOY_ACCOUNT'),
    class_hash: felt,
    contract_address_salt: felt,
    constructor_calldata: felts,
    ...common,
  });
  return {blockId: blockIds(tags), invoke, deployAccount, anyTransaction: v.variant('type', [invoke, deployAccount])};
}
export type GivenTransaction = v.InferOutput<ReturnType<typeof reading>['anyTransaction']>;

export const READING: Reading = reading(v.picklist(['latest', 'pre_confirmed', 'l1_accepted']), bound);
/** Of specification 0.7: the next block has another name, and transactions have no bound for data. */
export const READING_0_7: Reading = reading(
  v.pipe(
    v.picklist(['latest', 'pending']),
    v.transform(tag => (tag === 'pending' ? 'pre_confirmed' : tag)),
  ),
  v.optional(v.undefined()),
);

export function readTransaction(given: GivenTransaction): Transaction {
  const {l1_gas, l2_gas, l1_data_gas} = given.resource_bounds;
  const terms: FieldsV3 = {
    version: given.version,
    nonce: given.nonce,
    tip: given.tip,
    bounds: {l1Gas: l1_gas, l2Gas: l2_gas, l1DataGas: l1_data_gas},
    paymasterData: given.paymaster_data,
    nonceMode: given.nonce_data_availability_mode,
    feeMode: given.fee_data_availability_mode,
  };
  const {signature} = given;
  if (given.type === 'INVOKE') {
    const {sender_address: sender, calldata, account_deployment_data: deploymentData} = given;
    return {kind: 'INVOKE', fields: {...terms, sender, calldata, deploymentData}, signature};
  }
  const {class_hash: classHash, contract_address_salt: salt, constructor_calldata: constructorCalldata} = given;
  return {kind: 'DEPLOY_ACCOUNT', fields: {...terms, classHash, salt, constructorCalldata}, signature};
}

export const all = (list: readonly bigint[]) => list.map(hex);

export function transactionJson({kind, fields, signature}: Transaction) {
  const {version, nonce, tip, bounds, paymasterData, nonceMode, feeMode} = fields;
  const written = ({maxAmount, maxPrice}: Bound) => ({
    max_amount: hex(maxAmount),
    max_price_per_unit: hex(maxPrice),
  });
  const terms = {
    version: hex(version),
    nonce: hex(nonce),
    signature: all(signature),
    tip: hex(tip),
    resource_bounds: {
      l1_gas: written(bounds.l1Gas),
      l2_gas: written(bounds.l2Gas),
      l1_data_gas: written(bounds.l1DataGas ?? {maxAmount: 0n, maxPrice: 0n}),
    },
    paymaster_data: all(paymasterData),
    nonce_data_availability_mode: nonceMode ? 'L2' : 'L1',
    fee_data_availability_mode: feeMode ? 'L2' : 'L1',
  };
  return kind === 'INVOKE'
    ? {
        type: kind,
        sender_address: hex(fields.sender),
        calldata: all(fields.calldata),
        account_deployment_data: all(fields.deploymentData),
        ...terms,
      }
    : {
        type: kind,
        class_hash: hex(fields.classHash),
        contract_address_salt: hex(fields.salt),
        constructor_calldata: all(fields.constructorCalldata),
        ...terms,
      };
}

/** The reported gas and prices of every transaction. Nothing is charged. */
export const GAS = {l1_gas: 0, l1_data_gas: 256, l2_gas: 1_200_000};
export const PRICE = {l1_gas: 30_000_000_000_000n, l1_data_gas: 1_000_000n, l2_gas: 3_000_000_000n};
const FEE = BigInt(GAS.l1_data_gas) * PRICE.l1_data_gas + BigInt(GAS.l2_gas) * PRICE.l2_gas;
export const FEE_ESTIMATE = {
  l1_gas_consumed: hex(GAS.l1_gas),
  l1_gas_price: hex(PRICE.l1_gas),
  l2_gas_consumed: hex(GAS.l2_gas),
  l2_gas_price: hex(PRICE.l2_gas),
  l1_data_gas_consumed: hex(GAS.l1_data_gas),
  l1_data_gas_price: hex(PRICE.l1_data_gas),
  overall_fee: hex(FEE),
  unit: 'FRI',
};

export const eventContent = ({keys, data}: Event) => ({keys: all(keys), data: all(data)});

export function classJson({abi, entries}: ContractClass) {
  const external = [...entries.keys()].map((selector, index) => ({selector: hex(selector), function_idx: index + 1}));
  return {
    // There is no Cairo code.
    sierra_program: [],
    contract_class_version: '0.1.0',
    entry_points_by_type: {
      CONSTRUCTOR: [{selector: hex(selectorOf('constructor')), function_idx: 0}],
      EXTERNAL: external,
      L1_HANDLER: [],
    },
    abi,
  };
}
