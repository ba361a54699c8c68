/** What a thief does on EVM chains and on Starknet: a contract of their own, and what its owner takes with it. */
import {Interface, hexlify, randomBytes} from 'ethers';
import {account, CLASSES, otherHtlc} from '../../demo/sandbox/chains/starknet/contracts.js';
import {addressText, hex, selectorOf, shortText, toU256} from '../../demo/sandbox/chains/starknet/felts.js';
import {external} from '../../demo/sandbox/chains/starknet/machine.js';
import {transactionJson} from '../../demo/sandbox/chains/starknet/wire.js';
import {callRpc} from '../../demo/wallets/evm-requests.js';
import type {NodeSwap} from '../support/node-session.js';
import {THIEF} from './lies.js';

const TOKEN = new Interface([
  'function transferFrom(address from, address to, uint256 amount)',
  'function allowance(address owner, address spender) view returns (uint256)',
]);

const ask = ({world, options}: NodeSwap, method: string, ...params: unknown[]) =>
  callRpc(world.chainOf(options.from).rpc, method, params);

const isStarknet = ({options}: NodeSwap) => options.from.startsWith('starknet');
export const tokenOf = ({world, options: {from}}: NodeSwap) => world.chainOf(from).assets[from]?.token ?? '';

/** Puts the code of a contract at an address of its own, where only the thief knows it. */
export async function copyOf(swap: NodeSwap, contract: string): Promise<string> {
  if (isStarknet(swap)) return deployOwned(swap);
  const copy = hexlify(randomBytes(20));
  await ask(swap, 'anvil_setCode', copy, await ask(swap, 'eth_getCode', contract, 'latest'));
  return copy;
}

/** From now on every view of a contract on an EVM chain says that there is nothing. */
export async function deny(swap: NodeSwap, contract: string): Promise<void> {
  // Returns 256 zero bytes, whatever it is asked.
  await ask(swap, 'anvil_setCode', contract, '0x6101005ff3');
}

/** From now on a payment to a contract is carried out, and takes nothing. */
export async function idle(swap: NodeSwap, contract: string): Promise<void> {
  if (isStarknet(swap)) return invoke(swap, contract, contract, 'idle', []);
  // Returns the token’s address, whatever it is asked.
  await ask(swap, 'anvil_setCode', contract, `0x73${tokenOf(swap).slice(2)}5f5260205ff3`);
}

async function send(swap: NodeSwap, from: string, to: string, data: string): Promise<void> {
  await ask(swap, 'anvil_setBalance', from, '0xde0b6b3a7640000');
  await ask(swap, 'anvil_impersonateAccount', from);
  await ask(swap, 'eth_sendTransaction', {from, to, data});
  await ask(swap, 'anvil_stopImpersonatingAccount', from);
}

export async function allowanceOf(swap: NodeSwap, spender: string, token = tokenOf(swap)): Promise<bigint> {
  if (isStarknet(swap)) {
    const entry = {contract_address: token, entry_point_selector: hex(selectorOf('allowance'))};
    const call = {...entry, calldata: [swap.payer.account, spender]};
    const [low = 0, high = 0] = (await ask(swap, 'starknet_call', call, 'pre_confirmed')) as string[];
    return BigInt(low) + (BigInt(high) << 128n);
  }
  const data = TOKEN.encodeFunctionData('allowance', [swap.payer.account, spender]);
  return BigInt(String(await ask(swap, 'eth_call', {to: token, data}, 'latest')));
}

/** The owner of a contract takes all that it may. */
export async function pull(swap: NodeSwap, contract: string): Promise<void> {
  const amount = await allowanceOf(swap, contract);
  if (amount === 0n) return;
  if (isStarknet(swap)) {
    const terms = [BigInt(swap.payer.account), BigInt(THIEF.starknet), ...toU256(amount)];
    return invoke(swap, contract, tokenOf(swap), 'transfer_from', terms);
  }
  await send(
    swap,
    contract,
    tokenOf(swap),
    TOKEN.encodeFunctionData('transferFrom', [swap.payer.account, THIEF.evm, amount]),
  );
}

/* -- on Starknet, where a contract can be an account ------------------------------------------------------------------- */

const signedByAnyone = () => [shortText('VALID')];

const INITIATE = selectorOf('initiate');
const honest = otherHtlc.entries.get(INITIATE)!;
/** Takes nothing while its owner wants that. */
const initiateOrIdle: typeof honest.run = (frame, felts) => (frame.read(1, 'idles')[0] ? [] : honest.run(frame, felts));

/** The service's contract as an account, whose owner sends what they like in its name. */
const OWNED: typeof otherHtlc = {
  ...otherHtlc,
  hash: selectorOf('an HTLC that is an account'),
  isAccount: true,
  entries: new Map([
    ...account.entries,
    ...otherHtlc.entries,
    [INITIATE, {...honest, run: initiateOrIdle}],
    [selectorOf('__validate__'), external({calls: 'Array<Call>'}, signedByAnyone, 'felt252')],
    [
      selectorOf('__validate_deploy__'),
      external({class_hash: 'felt252', salt: 'felt252', token: 'address'}, signedByAnyone, 'felt252'),
    ],
    [
      selectorOf('idle'),
      external({}, frame => {
        frame.write([1n], 'idles');
      }),
    ],
  ]),
};
CLASSES.set(OWNED.hash, OWNED);

const NO_BOUND = {maxAmount: 0n, maxPrice: 0n};
const FIELDS = {
  version: 3n,
  nonce: 0n,
  tip: 0n,
  bounds: {l1Gas: NO_BOUND, l2Gas: NO_BOUND, l1DataGas: NO_BOUND},
  paymasterData: [],
  nonceMode: 0,
  feeMode: 0,
} as const;

async function deployOwned(swap: NodeSwap): Promise<string> {
  const salt = BigInt(hexlify(randomBytes(30)));
  const fields = {...FIELDS, classHash: OWNED.hash, salt, constructorCalldata: [BigInt(tokenOf(swap))]};
  const sent = transactionJson({kind: 'DEPLOY_ACCOUNT', fields, signature: []});
  const answer = await ask(swap, 'starknet_addDeployAccountTransaction', sent);
  return addressText(BigInt((answer as {contract_address: string}).contract_address));
}

async function invoke(swap: NodeSwap, contract: string, to: string, entry: string, felts: readonly bigint[]) {
  const nonce = BigInt(String(await ask(swap, 'starknet_getNonce', 'pre_confirmed', contract)));
  const calldata = [1n, BigInt(to), selectorOf(entry), BigInt(felts.length), ...felts];
  const fields = {...FIELDS, nonce, sender: BigInt(contract), calldata, deploymentData: []};
  await ask(swap, 'starknet_addInvokeTransaction', transactionJson({kind: 'INVOKE', fields, signature: []}));
}
