/**
 * The JSON-RPC of the older specification 0.7, which wallets of its time speak, under the path that public nodes give
 * it. Only what they ask to read accounts and to pay.
 *
 * Real: the formats. Ours: gas amounts and prices, which are constants. That the ledger takes
 * transactions without a bound for data says nothing of today's public networks.
 */
import {hex} from './felts.js';
import {GAS, PRICE} from './wire.js';

export const PATH_0_7 = '/rpc/v0_7';

/** Execution was counted in steps, and paid for in gas of L1. */
const STEPS = GAS.l2_gas / 100;
const GAS_0_7 = BigInt(GAS.l2_gas) / 40_000n;
const FEE_ESTIMATE_0_7 = {
  gas_consumed: hex(GAS_0_7),
  gas_price: hex(PRICE.l1_gas),
  data_gas_consumed: hex(GAS.l1_data_gas),
  data_gas_price: hex(PRICE.l1_data_gas),
  overall_fee: hex(GAS_0_7 * PRICE.l1_gas + BigInt(GAS.l1_data_gas) * PRICE.l1_data_gas),
  unit: 'FRI',
};

/** A transaction was accepted as soon as it was executed; that its block is not closed shows in the missing block. */
const accepted = <Status extends {finality_status: string}>(status: Status) => ({
  ...status,
  finality_status: status.finality_status.replace('PRE_CONFIRMED', 'ACCEPTED_ON_L2'),
});

interface Receipt {
  readonly finality_status: string;
  readonly block_hash?: string;
}

function receipt07({block_number, ...receipt}: Receipt & {block_number?: number}) {
  return {
    ...accepted(receipt),
    ...(receipt.block_hash !== undefined && {block_number}),
    execution_resources: {steps: STEPS, data_availability: {l1_gas: 0, l1_data_gas: GAS.l1_data_gas}},
  };
}

const same = (answer: unknown) => answer;

/** The methods, and how each one's answer is written. */
const WRITTEN = new Map<string, (answer: never) => unknown>(
  Object.entries({
    starknet_specVersion: () => '0.7.1',
    starknet_chainId: same,
    starknet_getNonce: same,
    starknet_getClassHashAt: same,
    starknet_getClassAt: same,
    starknet_call: same,
    starknet_estimateFee: (estimates: readonly unknown[]) => estimates.map(() => FEE_ESTIMATE_0_7),
    starknet_addInvokeTransaction: same,
    starknet_addDeployAccountTransaction: same,
    starknet_getTransactionStatus: accepted,
    starknet_getTransactionReceipt: receipt07,
  }),
);

/** The methods of 0.7, from those of 0.10 that read what 0.7 asks. */
export function toMethods07<M extends {readonly answer: (params: never) => unknown}>(
  methods: Readonly<Record<string, M>>,
): Readonly<Record<string, M>> {
  return Object.fromEntries(
    Object.entries(methods).flatMap(([name, method]) => {
      const write = WRITTEN.get(name);
      return write ? [[name, {...method, answer: (params: never) => write(method.answer(params) as never)}]] : [];
    }),
  );
}
