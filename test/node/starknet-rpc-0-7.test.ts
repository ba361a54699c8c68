/** The node's older specification, 0.7, with what a wallet of its time sent: recorded from Argent X 5.23.0. */
import {deepEqual, equal} from 'node:assert/strict';
import type {ChainLeg} from '../../demo/sandbox/chains/leg.js';
import {startStarknetLeg} from '../../demo/sandbox/chains/starknet.js';

const KEY = '0x226da5d33195f0df81b523e35dda55f39fceb3e9a9fb857d33b967e971193c3';
const ADDRESS = '0x259a7482e1e37bc726d5df2c7cee8243e1c4ffaa3c7f1b73ce5ee8ba2f61bc5';
const BOUND = {max_amount: '0x0', max_price_per_unit: '0x0'};
const TERMS = {
  version: '0x3',
  resource_bounds: {l1_gas: {max_amount: '0x3c', max_price_per_unit: '0x3691d6afc000'}, l2_gas: BOUND},
  tip: '0x0',
  paymaster_data: [],
  nonce_data_availability_mode: 'L1',
  fee_data_availability_mode: 'L1',
};
const DEPLOYMENT = {
  type: 'DEPLOY_ACCOUNT',
  ...TERMS,
  nonce: '0x0',
  signature: [
    '0x1',
    '0x0',
    KEY,
    '0x7cc42a96bb0fa0ed1fd592f4f7d875c7258c2e7a69b487cc872cd26a4f63c52',
    '0x55f740cd24b5aca00855872a8ce7eeb369ff1f242f4ff4d67b145a75e17d5f8',
  ],
  class_hash: '0x36078334509b514626504edc9fb252328d1a240e4e948bef8d0c08dff45927f',
  contract_address_salt: KEY,
  constructor_calldata: ['0x0', KEY, '0x1'],
};
const APPROVAL = {
  type: 'INVOKE',
  ...TERMS,
  nonce: '0x1',
  signature: [
    '0x1',
    '0x0',
    KEY,
    '0xa808e768883ef05de79b44d99326bdf3bf43bd50b334ccb04592bee8fa1e',
    '0x7f0d8ac94845aef405afe226d7cb8605184295aedbf61e8c63d7688a7763641',
  ],
  sender_address: ADDRESS,
  calldata: [
    '0x1',
    '0x2cb2f628ec60400dacde39d3eb64cbac9f1690f92d4c8da861db975d6a6b561',
    '0x219209e083275171774dab1df80982e9df2096516f06319c5c6d71ae0a8480c',
    '0x3',
    '0x4c4da9a85bed578d933eacaa34841185247f9107671b62639b6d7c50edcbe65',
    '0xf4240',
    '0x0',
  ],
  account_deployment_data: [],
};
const HASHES = {
  deployment: '0x2afacca378fb581475ea2f1165a0e2565081273bd31b22332541dbbceabb20',
  approval: '0x473bad45fb0180646ac4a187f7e075115ce21c1d8792ee380749e8aaa1ed5c9',
};

interface Answer {
  readonly result?: unknown;
  readonly error?: {readonly code: number};
}

describe('the node of the Starknet ledger, asked as one of specification 0.7', () => {
  let leg: ChainLeg;
  const ask = async (method: string, params: unknown, path = '/rpc/v0_7') => {
    const body = JSON.stringify({jsonrpc: '2.0', id: 1, method: `starknet_${method}`, params});
    const {result, error} = (await (
      await fetch(`${String(leg.facts['rpc'])}${path}`, {method: 'POST', body})
    ).json()) as Answer;
    return error ? error.code : result;
  };
  const deploy = (change = {}, path?: string) =>
    ask('addDeployAccountTransaction', {deploy_account_transaction: {...DEPLOYMENT, ...change}}, path);
  beforeEach(async () => {
    leg = await startStarknetLeg({
      name: 'starknet_sepolia',
      chainId: 'SN_SEPOLIA',
      tokens: [],
      solvers: [],
      port: 0,
      // Nobody runs its clock, so a block is only mined on demand.
      blockSeconds: 30,
    });
  });
  afterEach(() => leg.close());

  it('deploys the account of a real wallet at its address, and takes a transaction of it', async () => {
    equal(await ask('getClassHashAt', {contract_address: ADDRESS, block_id: 'pending'}), 20);
    deepEqual(await deploy(), {transaction_hash: HASHES.deployment, contract_address: ADDRESS});
    equal(await ask('getClassHashAt', {contract_address: ADDRESS, block_id: 'pending'}), DEPLOYMENT.class_hash);
    const forged = {...APPROVAL, calldata: APPROVAL.calldata.with(5, '0xf4241')};
    equal(await ask('addInvokeTransaction', {invoke_transaction: forged}), 55);
    deepEqual(await ask('addInvokeTransaction', {invoke_transaction: APPROVAL}), {transaction_hash: HASHES.approval});
    equal(await ask('getNonce', {contract_address: ADDRESS, block_id: 'pending'}), '0x2');
  });

  it('keeps the two specifications apart', async () => {
    equal(await ask('specVersion', {}), '0.7.1');
    equal(await ask('specVersion', {}, ''), '0.10.2');
    const three = {resource_bounds: {...TERMS.resource_bounds, l1_data_gas: BOUND}};
    equal(await deploy(three), -32602);
    equal(await deploy({}, ''), -32602);
    equal(await deploy(three, ''), 55, 'another hash than the one that was signed');
    equal(await ask('getNonce', {contract_address: ADDRESS, block_id: 'pre_confirmed'}), -32602);
    equal(await ask('getNonce', {contract_address: ADDRESS, block_id: 'pending'}, ''), -32602);
    equal(await ask('getEvents', {filter: {chunk_size: 1}}), -32601);
  });
});
