import {reportOf, type CheckName, type CheckReport, type Deal, type TransferDeposit} from '../../domain/deposit.js';
import type {Order} from '../../domain/order.js';
import {amountText, canonicalAddress, judge, verdict, type Finding} from '../common.js';
import {isBitcoinAddress, isSameBitcoinAddress} from './address.js';
import {depositAddress} from './htlc.js';

/** Longer than any timelock that is in use; money held longer than that is as good as lost. */
const LONGEST_TIMELOCK_SECONDS = 30 * 24 * 60 * 60;

const UNCHECKED: Finding = {outcome: 'unchecked'};

/**
 * Holds an address to pay to against what the person agreed to: how much, on which network, and once the order can be
 * read, whether the address is the one that its own terms make. That proves the form of the contract. Whose its keys are
 * nobody can tell by looking at them.
 */
export function checkDeal(deal: Deal): CheckReport {
  const {deposit, order} = deal;
  if (deposit.how !== 'transfer') return reportOf([{name: 'call', outcome: 'failed'}]);
  const once = (name: CheckName, check: (order: Order) => Finding) =>
    judge(name, () => (order ? check(order) : UNCHECKED));

  return reportOf([
    judge('amount', () => checkAmount(deal, deposit)),
    judge('chain', () => checkChain(deal, deposit)),
    once('script', order => checkScript(deal, deposit, order)),
    once('order', order => checkOrder(deal, order)),
    once('secret', checkSecret),
    once('refund', order => checkRefund(deal, order)),
  ]);
}

function checkAmount({agreed: {from, amount}, order}: Deal, deposit: TransferDeposit): Finding {
  const found = [deposit.amount, order?.source.amount ?? amount].find(one => one !== amount);
  return verdict(found === undefined, amountText(amount, from), amountText(found ?? amount, from));
}

function checkChain({agreed: {from}}: Deal, {address}: TransferDeposit): Finding {
  const {chain} = from;
  return isBitcoinAddress(chain, address)
    ? {outcome: 'passed', found: chain.title}
    : verdict(false, chain.title, address);
}

/** The address is made anew from what the order says; the leg's own id is that address as well (API, Swap object). */
function checkScript({agreed: {from}}: Deal, {address}: TransferDeposit, {source}: Order): Finding {
  const {secretHash, redeemer, delegate = '', timelock, swapId} = source;
  if (timelock * from.chain.blockSeconds > LONGEST_TIMELOCK_SECONDS) {
    return verdict(false, undefined, `${String(timelock)} blocks`);
  }
  const expected = depositAddress(from.chain, {secretHash, redeemer, delegate, timelock});
  const others = [address, swapId].filter(text => !isSameBitcoinAddress(text, expected));
  return verdict(!others.length, expected, others[0] ?? expected);
}

function checkOrder({orderId, agreed}: Deal, order: Order): Finding {
  const {from, to} = agreed;
  const {source, destination} = order;
  const recipientForm = (text: string) => canonicalAddress(to.chain, text);
  const sides: readonly (readonly [expected: string, found: string, form?: (text: string) => string])[] = [
    [orderId, order.id],
    [from.id, source.asset],
    [from.chain.name, source.chain],
    [amountText(agreed.amount, from), amountText(source.amount, from)],
    [to.id, destination.asset],
    [to.chain.name, destination.chain],
    [amountText(agreed.receive, to), amountText(destination.amount, to)],
    [agreed.recipient, destination.redeemer, recipientForm],
  ];
  const other = sides.find(([expected, found, form = String]) => form(expected) !== form(found));
  return other ? verdict(false, other[0], other[1]) : verdict(true, undefined, order.id);
}

/** One secret opens both legs, so both must be locked by the hash that the address is made of. */
function checkSecret({source, destination}: Order): Finding {
  return verdict(source.secretHash === destination.secretHash, source.secretHash, destination.secretHash);
}

/** The service pays back whom the order names, so that must be the address agreed, where coins can be received. */
function checkRefund({agreed}: Deal, {source}: Order): Finding {
  const {from, owner} = agreed;
  const holds = isSameBitcoinAddress(source.initiator, owner) && isBitcoinAddress(from.chain, owner);
  return verdict(holds, owner, source.initiator);
}
