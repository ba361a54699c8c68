import type {Asset} from '../../domain/asset.js';
import {reportOf, type CheckReport, type Deal} from '../../domain/deposit.js';
import {
  amountText,
  brokenCheck,
  checkAmount,
  checkLegs,
  checkPin,
  checkRedeemer,
  hasForm,
  runChainCheck,
  isTimelock,
  lockText,
  runCheck,
  resultOf,
  type Finding,
} from '../checks.js';
import {decodeInitiate, isProgram, swapAccount, type Terms} from './htlc.js';
import {isAlive, type Read} from './rpc.js';
import {
  isComputeBudget,
  isSolanaAddress,
  priorityFee,
  SYSTEM_PROGRAM,
  readText,
  readTransaction,
  type Instruction,
  type Transaction,
} from './transaction.js';

/** The maximum priority fee of a transaction: a hundredth of a SOL, many times the usual one. */
export const MOST_FOR_PRIORITY = 10_000_000n;

/** The payment into a swap, as the service prepared it. */
export interface Payment {
  /** The whole transaction, as wallets accept it. */
  readonly bytes: Uint8Array;
  readonly transaction: Transaction;
  /** The only instruction that does not concern fees; absent if there are several, or none. */
  readonly instruction: Instruction | undefined;
  readonly terms: Terms | undefined;
}

/**
 * Parses the service's payload, if it is for this family; again each time, so that nothing can change the result.
 */
export function paymentOf({deposit}: Deal): Payment | undefined {
  if (deposit.how !== 'wallet' || deposit.payload.family !== 'solana') return undefined;
  // A deal from the journal is trusted no more than one from the service.
  const text: unknown = deposit.payload.transaction;
  const bytes = typeof text === 'string' ? readText(text) : undefined;
  const transaction = bytes && readTransaction(bytes);
  if (!transaction) return undefined;
  const payments = transaction.instructions.filter(instruction => !isComputeBudget(instruction));
  const instruction = payments.length === 1 ? payments[0] : undefined;
  return {bytes, transaction, instruction, terms: instruction && decodeInitiate(instruction)};
}

/**
 * Checks what the service wants signed against what the visitor agreed to, in order of interest: how much, where, to
 * whom, how. `read` reads the asset's chain, if it can be read.
 */
export async function checkDeal(deal: Deal, read?: Read): Promise<CheckReport> {
  const payment = paymentOf(deal);
  if (!payment) return reportOf([{name: 'call', outcome: 'failed', expected: 'initiate'}]);
  if (!hasForm(deal)) return reportOf([{name: 'order', outcome: 'failed'}]);
  const {transaction, instruction, terms} = payment;
  const {from, owner} = deal.agreed;
  const account =
    instruction && terms && isSolanaAddress(owner)
      ? await swapAccount(instruction.program, owner, terms.secretHash).catch((cause: unknown) => {
          throw brokenCheck('call', cause);
        })
      : undefined;

  return reportOf(
    [
      runCheck('amount', () => checkAmount(deal, [['payment', terms?.amount]])),
      await runChainCheck('chain', read, node => checkChain(node, from, transaction)),
      runCheck('contract', () => (instruction ? checkPin(deal, instruction.program) : {outcome: 'failed'})),
      await runChainCheck('code', read, node => checkCode(node, instruction)),
      // The known program accepts SOL. Those for tokens have another format, which is not public yet.
      ...(from.token === undefined
        ? []
        : [runCheck('token', () => resultOf(false, from.token, 'SOL', ['agreed', 'payment']))]),
      ...checkRedeemer(deal, [terms?.redeemer]),
      runCheck('call', () => checkCall(deal, payment, account)),
      runCheck('value', () => checkValue(from, transaction)),
      ...(await checkLegs(
        deal,
        () => terms?.secretHash,
        source => [
          [terms?.redeemer, source.redeemer],
          [terms && `${String(terms.timelock)} slots`, `${String(source.timelock)} slots`],
        ],
      )),
      runCheck('refund', () => checkRefund(deal)),
    ],
    deal.policy,
  );
}

/** A transaction does not name its chain, but a blockhash belongs to one chain, which knows it for a minute or so. */
async function checkChain(read: Read, {chain}: Asset, {blockhash}: Transaction): Promise<Finding> {
  const isKnown = await isAlive(read, blockhash, 'processed');
  return isKnown ? {outcome: 'passed', found: chain.title} : {outcome: 'unchecked', expected: chain.title};
}

async function checkCode(read: Read, instruction: Instruction | undefined): Promise<Finding> {
  if (!instruction) return {outcome: 'failed'};
  return resultOf(await isProgram(read, instruction.program), undefined, instruction.program, ['chain', 'payment']);
}

/**
 * One call that pays into the swap from the owner's account, signed and paid for by the owner alone, and no other call.
 */
function checkCall({agreed}: Deal, payment: Payment, account: string | undefined): Finding {
  const {transaction, instruction, terms} = payment;
  const {owner, from} = agreed;
  const expected = 'initiate';
  const wrong = (found: string | undefined, wanted: string | undefined = expected) =>
    resultOf(false, wanted, found, ['known', 'payment']);

  if (!instruction || !terms) {
    const strange = transaction.instructions.filter(one => !isComputeBudget(one) && !decodeInitiate(one));
    return wrong(strange.map(({program}) => program).join(', ') || `${transaction.instructions.length} instructions`);
  }
  if (transaction.lookups > 0) return wrong('address tables');
  const other = [transaction.feePayer, ...transaction.signatures.keys()].find(signer => signer !== owner);
  if (other !== undefined) return resultOf(false, owner, other, ['agreed', 'payment']);

  const wanted = [
    {address: account, signer: false, writable: true},
    {address: owner, signer: true, writable: true},
    {address: SYSTEM_PROGRAM, signer: false, writable: false},
  ];
  for (const [at, {address, signer, writable}] of wanted.entries()) {
    const use = instruction.accounts[at];
    if (use?.address !== address) return wrong(use?.address, address);
    if (use?.signer !== signer || use.writable !== writable) return wrong(`rights of ${use?.address ?? ''}`);
  }
  if (instruction.accounts.length > wanted.length) return wrong(instruction.accounts[wanted.length]?.address ?? '');

  const {redeemer, timelock} = terms;
  if ([owner, account, SYSTEM_PROGRAM, instruction.program].includes(redeemer)) return wrong(redeemer);
  if (!isTimelock(timelock, from.chain)) return wrong(lockText(timelock, from.chain));
  return {outcome: 'passed', found: `${expected}, ${lockText(timelock, from.chain)}`};
}

function checkValue({decimals, token}: Asset, transaction: Transaction): Finding {
  const coin = token === undefined ? {decimals, symbol: 'SOL'} : {decimals: 9, symbol: 'SOL'};
  const fee = priorityFee(transaction);
  const text = (amount: bigint) => `priority fee up to ${amountText(amount, coin)}`;
  return fee <= MOST_FOR_PRIORITY
    ? {outcome: 'passed', ...(fee > 0n && {found: text(fee)})}
    : resultOf(false, text(MOST_FOR_PRIORITY), text(fee), ['known', 'payment']);
}

/** The program refunds the account that paid in. */
function checkRefund({agreed, order}: Deal): Finding {
  if (!isSolanaAddress(agreed.owner)) return {outcome: 'failed', found: agreed.owner};
  if (!order) return {outcome: 'unchecked'};
  const {initiator} = order.source;
  return resultOf(initiator === agreed.owner, agreed.owner, initiator, ['agreed', 'order']);
}
