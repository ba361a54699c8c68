/** What a thief does on an EVM chain: a contract of their own, and what its owner takes with it. */
import {Interface, hexlify, randomBytes} from 'ethers';
import {callRpc} from '../../demo/wallets/evm-requests.js';
import type {NodeSwap} from '../support/node-session.js';
import {THIEF} from './lies.js';

const TOKEN = new Interface([
  'function approve(address spender, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function allowance(address owner, address spender) view returns (uint256)',
]);

const ask = ({world, options}: NodeSwap, method: string, ...params: unknown[]) =>
  callRpc(world.chainOf(options.from).rpc, method, params);

/** Puts the code of a contract at an address of its own, where only the thief knows it. */
export async function copyOf(swap: NodeSwap, contract: string): Promise<string> {
  const copy = hexlify(randomBytes(20));
  await ask(swap, 'anvil_setCode', copy, await ask(swap, 'eth_getCode', contract, 'latest'));
  return copy;
}

/** From now on every view of a contract says that there is nothing. */
export async function deny(swap: NodeSwap, contract: string): Promise<void> {
  // Returns 256 zero bytes, whatever it is asked.
  await ask(swap, 'anvil_setCode', contract, '0x6101005ff3');
}

async function send(swap: NodeSwap, from: string, to: string, data: string): Promise<void> {
  await ask(swap, 'anvil_setBalance', from, '0xde0b6b3a7640000');
  await ask(swap, 'anvil_impersonateAccount', from);
  await ask(swap, 'eth_sendTransaction', {from, to, data});
  await ask(swap, 'anvil_stopImpersonatingAccount', from);
}

/** The payer once allowed a contract all of a token. */
export function approve(swap: NodeSwap, token: string, spender: string): Promise<void> {
  return send(swap, swap.payer.account, token, TOKEN.encodeFunctionData('approve', [spender, 2n ** 255n]));
}

export async function allowanceOf(swap: NodeSwap, token: string, spender: string): Promise<bigint> {
  const data = TOKEN.encodeFunctionData('allowance', [swap.payer.account, spender]);
  return BigInt(String(await ask(swap, 'eth_call', {to: token, data}, 'latest')));
}

/** The owner of a contract takes all that it may. */
export async function pull(swap: NodeSwap, token: string, contract: string): Promise<void> {
  const amount = await allowanceOf(swap, token, contract);
  if (amount === 0n) return;
  await send(swap, contract, token, TOKEN.encodeFunctionData('transferFrom', [swap.payer.account, THIEF.evm, amount]));
}
