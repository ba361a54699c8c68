import {reportOf, type CheckName, type CheckReport, type Deal, type TransferDeposit} from '../../domain/deposit.js';
import type {Order} from '../../domain/order.js';
import {
  checkAmount,
  checkLegs,
  checkRedeemer,
  hasForm,
  isTimelock,
  lockText,
  lowerCase,
  resultOf,
  runCheck,
  type Finding,
} from '../checks.js';
import {isBitcoinAddress, isSameBitcoinAddress} from './address.js';
import {depositAddress} from './htlc.js';

const UNCHECKED: Finding = {outcome: 'unchecked'};

/**
 * Checks a deposit address against what the visitor agreed to: the amount, the network, and once the order can be read,
 * whether the address derives from its own terms. That proves the form of the contract, not who holds its keys.
 */
export async function checkDeal(deal: Deal): Promise<CheckReport> {
  const {deposit, order} = deal;
  // A deal from the journal is trusted no more than one from the service.
  if (deposit.how !== 'transfer' || typeof deposit.address !== 'string' || typeof deposit.amount !== 'bigint') {
    return reportOf([{name: 'call', outcome: 'failed'}]);
  }
  if (!hasForm(deal)) return reportOf([{name: 'order', outcome: 'failed'}]);
  const once = (name: CheckName, check: (order: Order) => Finding) =>
    runCheck(name, () => (order ? check(order) : UNCHECKED));

  return reportOf(
    [
      runCheck('amount', () =>
        checkAmount(deal, [['payment', deposit.amount], ...(order ? [['order', order.source.amount] as const] : [])]),
      ),
      runCheck('chain', () => checkChain(deal, deposit)),
      ...checkRedeemer(deal, [], lowerCase),
      once('script', order => checkScript(deal, deposit, order)),
      ...(await checkLegs(deal, ({secretHash}) => secretHash)),
      once('refund', order => checkRefund(deal, order)),
    ],
    deal.policy,
  );
}

function checkChain({agreed: {from}}: Deal, {address}: TransferDeposit): Finding {
  const {chain} = from;
  return isBitcoinAddress(chain, address)
    ? {outcome: 'passed', found: chain.title}
    : resultOf(false, chain.title, address, ['agreed', 'payment']);
}

/** The address is derived again from the order's terms; the leg's own id is that address as well (API, Swap object). */
function checkScript({agreed: {from}}: Deal, {address}: TransferDeposit, {source}: Order): Finding {
  const {secretHash, redeemer, delegate = '', timelock, swapId} = source;
  if (!Number.isSafeInteger(timelock) || !isTimelock(BigInt(timelock), from.chain)) {
    return resultOf(false, undefined, lockText(BigInt(Math.trunc(timelock)), from.chain), ['known', 'order']);
  }
  const expected = depositAddress(from.chain, {secretHash, redeemer, delegate, timelock});
  if (expected === undefined) return resultOf(false, undefined, address, ['derived', 'payment']);
  if (!isSameBitcoinAddress(address, expected)) return resultOf(false, expected, address, ['derived', 'payment']);
  return resultOf(isSameBitcoinAddress(swapId, expected), expected, swapId, ['derived', 'order']);
}

/** The service refunds to the address in the order, so that must be the agreed one, and able to receive coins. */
function checkRefund({agreed}: Deal, {source}: Order): Finding {
  const {from, owner} = agreed;
  const holds = isSameBitcoinAddress(source.initiator, owner) && isBitcoinAddress(from.chain, owner);
  return resultOf(holds, owner, source.initiator, ['agreed', 'order']);
}
