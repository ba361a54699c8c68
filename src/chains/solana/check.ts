import type {Asset, OtherAsset} from '../../domain/asset.js';
import {reportOf, type CheckReport, type CheckResult, type Deal} from '../../domain/deposit.js';
import type {CheckOptions} from '../adapter.js';
import {
  amountText,
  brokenCheck,
  checkAddress,
  checkAmount,
  checkContract,
  checkLegs,
  checkRedeemer,
  hasForm,
  hasRole,
  hexBytes,
  isTimelock,
  lockText,
  requireReading,
  resultOf,
  runChainCheck,
  runCheck,
  standingOf,
  textsOf,
  type Finding,
  type IsKeyOf,
  type Standing,
} from '../checks.js';
import {tryRead} from '../errors.js';
import type {Timeouts} from '../timeouts.js';
import {accountsOf, isProgram, paymentIn, swapOf, type Terms} from './htlc.js';
import {becomesAlive, isAlive, readLosses, type Read} from './rpc.js';
import {
  base58,
  isComputeBudget,
  isSolanaAddress,
  priorityFee,
  readText,
  readTransaction,
  SIGNATURE_FEE,
  transferIn,
  type AccountUse,
  type Instruction,
  type Transaction,
  type Transfer,
} from './transaction.js';

/** The maximum priority fee of a transaction: a hundredth of a SOL, many times the usual one. */
export const MOST_FOR_PRIORITY = 10_000_000n;

const CALL = 'initiate';

export interface Payment {
  readonly bytes: Uint8Array;
  readonly transaction: Transaction;
  /** The only instruction that does not concern fees; absent if there are several, or none. */
  readonly instruction: Instruction | undefined;
  readonly terms: Terms | undefined;
  /** A plain transfer, which pays into no swap that could be read. */
  readonly transfer: Transfer | undefined;
}

/** Again each time, so that nothing can change the result. `undefined` if the payload is for another family. */
export function paymentOf({deposit, agreed}: Deal): Payment | undefined {
  if (deposit.how !== 'wallet' || deposit.payload.family !== 'solana') return undefined;
  const bytes = readText(deposit.payload.transaction);
  const transaction = bytes && readTransaction(bytes);
  if (!transaction) return undefined;
  const payments = transaction.instructions.filter(instruction => !isComputeBudget(instruction));
  const instruction = payments.length === 1 ? payments[0] : undefined;
  return {
    bytes,
    transaction,
    instruction,
    terms: instruction && termsIn(instruction),
    transfer: transferIn(transaction, agreed.owner),
  };
}

function termsIn({accounts, ...call}: Instruction): Terms | undefined {
  return paymentIn({...call, accounts: accounts.map(({address}) => address)})?.terms;
}

/**
 * Checks how much, where, to whom, how, in order of interest. Whoever is handed the payer's signature may take any of
 * its coins. So besides known programs, and those that the partner vouches for, only a plain transfer can be paid: it
 * moves exactly its amount.
 */
export async function checkDeal(
  deal: Deal,
  read: Read | undefined,
  {others = [], signal}: Pick<CheckOptions, 'others' | 'signal'>,
  timeouts: Pick<Timeouts, 'poll'>,
): Promise<CheckReport> {
  const payment = paymentOf(deal);
  if (!payment) return reportOf([{name: 'call', outcome: 'failed', expected: CALL}]);
  if (!hasForm(deal)) return reportOf([{name: 'order', outcome: 'failed'}]);
  const {transaction, transfer} = payment;
  const checkKnown: CheckKnown = waits =>
    runChainCheck('chain', read, node => {
      const {blockhash} = transaction;
      const isKnown = waits ? becomesAlive(node, blockhash, timeouts, signal) : isAlive(node, blockhash, 'processed');
      return checkChain(deal.agreed.from, isKnown);
    });
  // For SOL alone: of a token, a transfer of coins moves nothing.
  const results =
    transfer && deal.agreed.from.token === undefined
      ? await checkTransfer(deal, transaction, transfer, others, await checkKnown(true))
      : await checkProgram(deal, payment, read, others, checkKnown);
  return reportOf([...results, runCheck('refund', () => checkRefund(deal))], deal.policy);
}

/** `waits`: for a node that may not know the blockhash yet, where a no would stop the payment. */
type CheckKnown = (waits: boolean) => Promise<CheckResult>;

async function checkProgram(
  deal: Deal,
  payment: Payment,
  read: Read | undefined,
  others: readonly OtherAsset[],
  checkKnown: CheckKnown,
): Promise<readonly CheckResult[]> {
  const {transaction, instruction, terms} = payment;
  const {from, owner} = deal.agreed;
  const standing = instruction ? standingOf(deal, instruction.program) : 'unknown';
  const swap = instruction && terms && isSolanaAddress(owner) && swapOf(instruction.program, owner, terms);
  const accounts = await (swap ? swap.then(accountsOf) : Promise.resolve([])).catch((cause: unknown) => {
    throw brokenCheck('call', cause);
  });
  const form = runCheck('call', () => checkForm(deal, payment, accounts));
  // In another form than the known one, a program that is vouched for takes what its simulation shows.
  const isForeign = standing === 'vouched' && form.outcome === 'failed' && isOwnersAlone(deal, transaction);
  // Only a node that knows the blockhash can simulate it.
  const chain = await checkKnown(isForeign);
  const bound = isForeign ? await runBound(deal, payment, read) : undefined;
  // Terms that can be read are compared with the order's.
  const isUnread = bound !== undefined && !terms;

  return [
    isUnread ? {...bound, name: 'amount'} : runCheck('amount', () => checkAmount(deal, [['payment', terms?.amount]])),
    chain,
    runCheck('contract', () => {
      if (!instruction) return {outcome: 'failed'};
      const found = checkContract(deal, instruction.program, others);
      // It would be handed the payer's signature.
      return found.outcome === 'unverified' ? {...found, outcome: 'failed'} : found;
    }),
    await runChainCheck('code', read, node => checkCode(node, instruction)),
    ...(terms && (from.token ?? terms.token) !== undefined
      ? [runCheck('token', () => checkToken(from.token, terms.token))]
      : []),
    ...checkRedeemer(deal, terms?.redeemer),
    terms && (bound ?? form).outcome === 'passed'
      ? runCheck('call', () => checkTerms(deal, payment, terms, accounts, standing))
      : (bound ?? form),
    runCheck('value', () => checkValue(transaction)),
    ...(await checkLegs(deal, {
      standing,
      // A hash that should be there and could not be read differs from the order's.
      hash: terms?.secretHash ?? (isUnread ? undefined : ''),
      terms: source =>
        isUnread
          ? []
          : [
              [terms?.redeemer, source.redeemer],
              [terms && `${String(terms.timelock)} slots`, `${String(source.timelock)} slots`],
            ],
    })),
  ];
}

/**
 * Nothing shows what becomes of a plain transfer. It must go to an address that the order names, and a node of the
 * agreed chain must know its blockhash: nothing else in it names the chain.
 */
async function checkTransfer(
  deal: Deal,
  transaction: Transaction,
  {to, amount}: Transfer,
  others: readonly OtherAsset[],
  chain: CheckResult,
): Promise<readonly CheckResult[]> {
  const {agreed, order} = deal;
  // Nobody has the key of a program, or of a token's account.
  const isTaken = hasRole(to, [agreed.from, ...others]);
  const sides = ['known', 'payment'] as const;
  const isNamed = order !== undefined && [order.source.swapId, order.source.redeemer].includes(to);
  const isPayable = isNamed && isSolanaAddress(to) && to !== agreed.owner;
  return [
    runCheck('amount', () => checkAmount(deal, [['payment', amount]])),
    requireReading(chain, 'unknown'),
    {name: 'contract', outcome: isTaken ? 'failed' : 'unverified', ...textsOf(undefined, to), sides},
    ...checkRedeemer(deal, to),
    isPayable && isOwnersAlone(deal, transaction)
      ? {name: 'call', outcome: 'unverified', expected: CALL, found: 'transfer', sides}
      : {name: 'call', ...resultOf(false, order?.source.swapId, to, ['order', 'payment'])},
    runCheck('value', () => checkValue(transaction)),
    ...(await checkLegs(deal, {standing: 'unknown'})),
  ];
}

/** A transaction does not name its chain, but a blockhash belongs to one chain, which knows it for a minute or so. */
async function checkChain({chain}: Asset, isKnown: Promise<boolean>): Promise<Finding> {
  return (await isKnown) ? {outcome: 'passed', found: chain.title} : {outcome: 'unchecked', expected: chain.title};
}

export async function checkCode(read: Read, instruction: Instruction | undefined): Promise<Finding> {
  if (!instruction) return {outcome: 'failed'};
  return resultOf(await isProgram(read, instruction.program), undefined, instruction.program, ['chain', 'payment']);
}

/** The token that moves is the agreed one: each program takes what its call names, and only such accounts of it. */
function checkToken(agreed: string | undefined, paid: string | undefined): Finding {
  return resultOf(agreed === paid, agreed ?? 'SOL', paid ?? 'SOL', ['agreed', 'payment']);
}

function isOwnersAlone({agreed: {owner}}: Deal, {lookups, feePayer, signatures}: Transaction): boolean {
  return lookups === 0 && [feePayer, ...signatures.keys()].every(signer => signer === owner);
}

/** By a simulation, at most the amount, the rent of the swap's account, and fees. Without a node nothing limits it. */
async function runBound(deal: Deal, {bytes, transaction}: Payment, read: Read | undefined): Promise<CheckResult> {
  const {from, owner, amount} = deal.agreed;
  const sides = ['agreed', 'payment'] as const;
  const expected = amountText(amount, from);
  const stopped = {name: 'call', outcome: 'failed', expected, sides} as const;
  if (from.token !== undefined) return stopped;
  const losses = read && (await tryRead(() => readLosses(read, bytes, owner)));
  if (!losses || losses.isOther) return {...stopped, isRead: losses !== undefined};
  const most = amount + losses.rent + SIGNATURE_FEE + priorityFee(transaction);
  const result = resultOf(losses.coins <= most, expected, amountText(losses.coins, from), sides);
  return {name: 'call', ...result, ...(result.outcome === 'passed' ? {found: expected} : {isRead: true})};
}

function checkForm({agreed: {owner}}: Deal, payment: Payment, wanted: readonly AccountUse[]): Finding {
  const {transaction, instruction, terms} = payment;
  const wrong = (found: string | undefined, wanted: string | undefined = CALL) =>
    resultOf(false, wanted, found, ['known', 'payment']);

  if (!instruction || !terms) {
    const strange = transaction.instructions.filter(one => !isComputeBudget(one) && !termsIn(one));
    return wrong(strange.map(({program}) => program).join(', ') || `${transaction.instructions.length} instructions`);
  }
  if (transaction.lookups > 0) return wrong('address tables');
  const other = [transaction.feePayer, ...transaction.signatures.keys()].find(signer => signer !== owner);
  if (other !== undefined) return resultOf(false, owner, other, ['agreed', 'payment']);

  for (const [at, {address, signer, writable}] of wanted.entries()) {
    const use = instruction.accounts[at];
    if (use?.address !== address) return wrong(use?.address, address);
    if (use.signer !== signer || use.writable !== writable) return wrong(`rights of ${address}`);
  }
  const surplus = instruction.accounts[wanted.length];
  if (surplus) return wrong(surplus.address);
  return {outcome: 'passed'};
}

function checkTerms(
  {agreed: {from}}: Deal,
  {instruction}: Payment,
  {redeemer, timelock}: Terms,
  accounts: readonly AccountUse[],
  standing: Standing,
): Finding {
  const wrong = (found: string) => resultOf(false, CALL, found, ['known', 'payment']);
  const locked = lockText(timelock, from.chain);
  if ([instruction?.program, ...accounts.map(({address}) => address)].includes(redeemer)) return wrong(redeemer);
  if (!isTimelock(timelock, from.chain, standing)) return wrong(locked);
  return {outcome: 'passed', found: `${CALL}, ${locked}`};
}

function checkValue(transaction: Transaction): Finding {
  const coin = {decimals: 9, symbol: 'SOL'};
  const fee = priorityFee(transaction);
  const text = (amount: bigint) => `priority fee up to ${amountText(amount, coin)}`;
  return fee <= MOST_FOR_PRIORITY
    ? {outcome: 'passed', ...(fee > 0n && {found: text(fee)})}
    : resultOf(false, text(MOST_FOR_PRIORITY), text(fee), ['known', 'payment']);
}

/** The program refunds the account that paid in. An address is a key here, which the order may write in hex. */
function checkRefund({agreed, order}: Deal): Finding {
  if (!isSolanaAddress(agreed.owner)) return {outcome: 'failed', found: agreed.owner};
  if (!order) return {outcome: 'unchecked'};
  const isKeyOf: IsKeyOf = (address, key) => base58(hexBytes(key)) === address;
  return checkAddress(agreed.owner, order.source.initiator, String, isKeyOf);
}
