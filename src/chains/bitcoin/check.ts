import {reportOf, type CheckReport, type CheckResult, type Deal, type TransferDeposit} from '../../domain/deposit.js';
import type {Order} from '../../domain/order.js';
import {truncate} from '../../domain/truncate.js';
import {
  bitcoinKeys,
  canonicalAddress,
  checkAddress,
  checkAmount,
  checkLegs,
  checkRedeemer,
  hasForm,
  isTimelock,
  lockText,
  lowerCase,
  resultOf,
  runCheck,
  runKeyCheck,
  type Finding,
} from '../checks.js';
import {isBitcoinAddress, isSameBitcoinAddress} from './address.js';
import {depositAddress} from './htlc.js';

const UNCHECKED: Finding = {outcome: 'unchecked'};

/**
 * An address that derives from the order's terms in the known script proves the form of the contract, not who holds its
 * keys. About an address of another script, which may be anybody's, the visitor is asked.
 */
export async function checkDeal(deal: Deal): Promise<CheckReport> {
  const {deposit, order} = deal;
  // A deal from the journal is trusted no more than one from the service.
  if (deposit.how !== 'transfer' || typeof deposit.address !== 'string' || typeof deposit.amount !== 'bigint') {
    return reportOf([{name: 'call', outcome: 'failed'}]);
  }
  if (!hasForm(deal)) return reportOf([{name: 'order', outcome: 'failed'}]);
  const script = runCheck('script', () => (order ? checkScript(deal, deposit, order) : UNCHECKED));
  const standing = script.outcome === 'unverified' ? 'unknown' : 'known';

  return reportOf(
    [
      runCheck('amount', () =>
        checkAmount(deal, [['payment', deposit.amount], ...(order ? [['order', order.source.amount] as const] : [])]),
      ),
      runCheck('chain', () => checkChain(deal, deposit)),
      // Only an address of the known script says who may redeem it.
      ...checkRedeemer(deal, script.outcome === 'unverified' ? undefined : order?.source.redeemer, lowerCase),
      script,
      // The known script contains the hash; of another one the line above says that nothing is known.
      ...(await checkLegs(deal, {standing, hash: order?.source.secretHash})),
      await runRefundCheck(deal),
    ],
    deal.policy,
  );
}

function checkChain({agreed: {from, owner}}: Deal, {address}: TransferDeposit): Finding {
  const {chain} = from;
  return isBitcoinAddress(chain, address) && !isSameBitcoinAddress(address, owner)
    ? {outcome: 'passed', found: chain.title}
    : resultOf(false, chain.title, shortened(address), ['agreed', 'payment']);
}

/**
 * The address is the leg's own id (API, Swap object), and derives from the order's terms. The texts are shortened, so
 * that nobody can pay to them.
 */
function checkScript({agreed: {from}}: Deal, {address}: TransferDeposit, {source}: Order): Finding {
  const {secretHash, redeemer, delegate = '', timelock, swapId} = source;
  if (!isSameBitcoinAddress(swapId, address)) {
    return resultOf(false, shortened(address), shortened(swapId), ['payment', 'order']);
  }
  const expected = depositAddress(from.chain, {secretHash, redeemer, delegate, timelock});
  if (expected === undefined || !isSameBitcoinAddress(address, expected)) {
    return {outcome: 'unverified', sides: ['derived', 'payment']};
  }
  // In this script the unit is known.
  if (isTimelock(BigInt(timelock), from.chain)) return {outcome: 'passed', found: shortened(address)};
  return resultOf(false, undefined, lockText(BigInt(timelock), from.chain), ['known', 'order']);
}

function shortened(address: string): string {
  return truncate(address, 10, 8);
}

/** The service refunds to the address in the order, so that must be the agreed one, and able to receive coins. */
async function runRefundCheck({agreed, order}: Deal): Promise<CheckResult> {
  if (!order) return {name: 'refund', ...UNCHECKED};
  const {from, owner} = agreed;
  const {initiator} = order.source;
  const canReceive = isBitcoinAddress(from.chain, owner);
  return runKeyCheck('refund', initiator, bitcoinKeys(from.chain), isKeyOf =>
    canReceive
      ? checkAddress(owner, initiator, text => canonicalAddress(from.chain, text), isKeyOf)
      : resultOf(false, owner, initiator, ['agreed', 'order']),
  );
}
