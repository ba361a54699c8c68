/* What Solana shows of a swap: the payment into its account, how it ended, and the payout to a recipient. */
import {isSignature} from '@solana/kit';
import {contractsOf, type Asset} from '../../domain/asset.js';
import type {Deal} from '../../domain/deposit.js';
import type {DepositEnd, DepositOnChain, PayoutOnChain} from '../../domain/evidence.js';
import type {ReadDepositOptions} from '../adapter.js';
import {tryRead} from '../errors.js';
import {addPayouts, total, type Gift, type PayoutOptions} from '../witness.js';
import {paymentOf} from './check.js';
import {decodeRedeem, deedOf, layoutOf, paymentIn, readHeld, swapOf, type Deed, type Held, type Swap} from './htlc.js';
import {
  addressesOf,
  callsOf,
  isAlive,
  readHistory,
  readLanded,
  statusOf,
  type Call,
  type Landed,
  type Read,
  type TokenBalance,
} from './rpc.js';
import {bytesOf, isSignedBy, isSolanaAddress} from './transaction.js';

/** The index of the redeemer in the call that redeems SOL, after the swap's account and the payer, who gets its rent. */
const REDEEMER_AT = 2;

/** Whether a text is a signature in base58, which identifies a transaction: for other text a node returns an error. */
function isHash(text: string): boolean {
  try {
    return isSignature(text);
  } catch {
    return false;
  }
}

export async function readDeposit(
  read: Read,
  deal: Deal,
  {hash: named, lifetime, ends = []}: Pick<ReadDepositOptions, 'hash' | 'lifetime' | 'ends'>,
): Promise<DepositOnChain> {
  const payment = paymentOf(deal);
  const {owner, amount} = deal.agreed;
  const hash = named !== undefined && isHash(named) ? named : undefined;
  if (!payment || !isSolanaAddress(owner)) return {state: 'unknown'};
  const {transaction, instruction, terms, transfer} = payment;
  // Read first: once the blockhash has expired no payment can arrive, so later readings are final. Finalized blocks do
  // not know a blockhash that is only seconds old, so the newest ones are queried too.
  const blockhash = lifetime ?? transaction.blockhash;
  const mayCome = (await isAlive(read, blockhash, 'processed')) || (await isAlive(read, blockhash, 'finalized'));
  // A wallet that sent another message may have set another, unknown blockhash.
  const isOurs = async () =>
    lifetime !== undefined ||
    (hash !== undefined && (await isSignedBy(owner, bytesOf(hash), transaction.message)) === true);
  if (transfer) {
    // Nothing shows what becomes of a plain transfer.
    const status = hash === undefined ? undefined : await statusOf(read, hash);
    if (status?.state === 'failed') return {state: 'reverted'};
    const isDead = hash !== undefined && !status && !mayCome && (await isOurs());
    return {state: isDead ? 'expired' : 'unknown', ...(status?.state === 'done' && {isTaken: true})};
  }
  if (!instruction || !terms) return {state: 'unknown'};
  const swap = await swapOf(instruction.program, owner, {...terms, amount});
  const held = await readHeld(read, swap, 'confirmed');
  const status = hash === undefined ? undefined : await statusOf(read, hash);
  const carriedOut = status && status.state !== 'failed' ? status : undefined;
  if (held) return shownHeld(held, carriedOut);
  if (status?.state === 'seen') return {state: 'seen', hashes: [status.hash]};
  // The account disappears with its money. It may have appeared after the first read, so the node has to know that
  // slot.
  const done = status?.state === 'done' ? status : undefined;
  const late = done && (await readHeld(read, swap, 'confirmed', done.slot));
  if (late) return shownHeld(late, done);
  const past = await readPast(read, swap, done?.hash, ends.filter(isHash));
  if (past) return past;
  switch (status?.state) {
    case 'done':
      return {state: 'empty'};
    case 'failed':
      return {state: 'reverted'};
    case undefined:
      return {state: !mayCome && (named === undefined || (await isOurs())) ? 'expired' : 'none'};
  }
}

/** A held payment. A transaction in another slot did not make it. */
function shownHeld(
  {sponsor: _, ...held}: Held,
  by: {readonly hash: string; readonly slot: number} | undefined,
): DepositOnChain {
  const isBy = by !== undefined && BigInt(by.slot) === held.block;
  return {state: 'seen', ...(isBy && {hashes: [by.hash]}), isHeld: true, ...held};
}

interface Step {
  readonly hash: string;
  readonly slot: number;
  readonly deeds: readonly Deed[];
}

/**
 * A payment by the effects of transactions on its account; `undefined` if none paid it. `hash`: an executed one whose
 * money is not there. If it did not pay, the account's own history is read.
 */
async function readPast(
  read: Read,
  swap: Swap,
  hash: string | undefined,
  ends: readonly string[],
): Promise<DepositOnChain | undefined> {
  const readAll = async () => Promise.all((await readHistory(read, swap.account)).map(requireStep));
  const own = hash === undefined ? undefined : await requireStep(hash);
  if (own && isPayment(own)) {
    const end = await tryRead(async () => endOf(own, await Promise.all(ends.map(readStep)), swap));
    return shownGone(own, end ?? (await tryRead(async () => endOf(own, await readAll(), swap))));
  }
  const steps = await readAll();
  const payment = steps.findLast(isPayment);
  if (!payment) return undefined;
  const end = endOf(payment, steps, swap);
  // It may have appeared after the account was read.
  const late = end ? undefined : await readHeld(read, swap, 'confirmed', payment.slot);
  return late ? shownHeld(late, payment) : shownGone(payment, end);

  async function readStep(one: string): Promise<Step | undefined> {
    const landed = await readLanded(read, one);
    return landed && {hash: one, slot: landed.slot, deeds: callsOf(landed).flatMap(call => deedOf(call, swap) ?? [])};
  }

  /** A node may know a transaction's status before the transaction itself. */
  async function requireStep(one: string): Promise<Step> {
    const step = await readStep(one);
    if (!step) throw new Error(`The node does not have ${one} yet.`);
    return step;
  }

  function shownGone({hash, slot}: Step, end: DepositEnd | undefined): DepositOnChain {
    const {amount} = swap.terms;
    const paid = {state: 'seen', hashes: [hash], amount, block: BigInt(slot)} as const;
    return {...paid, isHeld: false, isRefundOpen: false, ...(end && {end})};
  }
}

function isPayment({deeds}: Step): boolean {
  return deeds.includes('initiated');
}

/** How a payment ended: by the first transaction that closed its account after it. An earlier one closed an earlier swap. */
function endOf(payment: Step, steps: readonly (Step | undefined)[], {terms}: Swap): DepositEnd | undefined {
  for (const step of steps) {
    const how = step?.deeds.find(deed => deed !== 'initiated');
    if (!step || how === undefined || step.slot < payment.slot) continue;
    return {how, amount: how === 'refunded' ? terms.amount : 0n, hashes: [step.hash], block: BigInt(step.slot)};
  }
  return undefined;
}

/** Reads the payments of transactions to a recipient. Rejects if reading fails. */
export function readPayout(
  read: Read,
  asset: Asset,
  recipient: string,
  hashes: readonly string[],
  options: PayoutOptions,
): Promise<PayoutOnChain> {
  return addPayouts(hashes, {test: isHash}, options, async (hash): Promise<Gift | undefined> => {
    const landed = await readLanded(read, hash);
    if (landed?.meta.err !== null) return undefined;
    const {slot, blockTime, meta} = landed;
    const amount =
      asset.token === undefined ? coinsOf(meta, addressesOf(landed).indexOf(recipient)) : tokensOf(asset.token, meta);
    const at = typeof blockTime === 'number' ? blockTime * 1_000 : undefined;
    const calls = callsOf(landed);
    const own = ownAccounts(landed);
    const redeems = calls.map(async (call, place) => {
      const secret = secretIn(call, own);
      if (secret === undefined) return [];
      const swap = call.accounts[layoutOf(asset).swapAt] ?? '';
      const paid = await readPaid(read, {program: call.program, account: swap}, calls.slice(0, place), hash);
      // The account of a swap does not say which token is in it.
      const isOwn = paid?.terms.token === asset.token && paid?.terms.redeemer === recipient;
      const isNamed = isOfLeg(swap, paid?.payer, options.leg);
      return [{swap, secret, amount: isOwn ? paid.terms.amount : 0n, isNamed}];
    });
    return {amount, block: BigInt(slot), at, redeems: (await Promise.all(redeems)).flat()};
  });

  function coinsOf({preBalances, postBalances, fee}: Landed['meta'], at: number): bigint {
    const [before = 0, after = 0] = [preBalances[at], postBalances[at]];
    // Nodes return numbers, and large ones lose their last digits.
    if (!Number.isSafeInteger(before) || !Number.isSafeInteger(after)) throw new Error('balances are not exact');
    // The first account pays the fee.
    return BigInt(after - before + (at === 0 ? fee : 0));
  }

  /** The program pays out to any account of the recipient for this token. */
  function ownAccounts(landed: Landed): readonly string[] {
    const addresses = addressesOf(landed);
    return (landed.meta.postTokenBalances ?? [])
      .filter(({mint, owner}) => mint === asset.token && owner === recipient)
      .map(({accountIndex}) => addresses[accountIndex] ?? '');
  }

  function tokensOf(token: string, {preTokenBalances, postTokenBalances}: Landed['meta']): bigint {
    const theirs = (balances: readonly TokenBalance[] | null | undefined) =>
      (balances ?? [])
        .filter(({mint, owner}) => mint === token && owner === recipient)
        .map(({uiTokenAmount}) => BigInt(uiTokenAmount.amount));
    return total(theirs(postTokenBalances)) - total(theirs(preTokenBalances));
  }

  function secretIn({program, accounts, data}: Call, own: readonly string[]): string | undefined {
    const isTheirs =
      asset.token === undefined ? accounts[REDEEMER_AT] === recipient : accounts.some(one => own.includes(one));
    return isTheirs && contractsOf(asset).includes(program) ? decodeRedeem({data}) : undefined;
  }
}

/**
 * A call that redeems a swap also closes its account. The swap is the last one paid into it before, in the same
 * transaction (`earlier`: the calls before it) or in those before that; `undefined` if there is none among the newest
 * twenty.
 */
async function readPaid(
  read: Read,
  swap: Pick<Swap, 'program' | 'account'>,
  earlier: readonly Call[],
  hash: string,
): Promise<Swap | undefined> {
  const paid = lastPaid(earlier, swap);
  if (paid !== undefined) return paid;
  for (const one of (await readHistory(read, swap.account, hash)).reverse()) {
    const landed = await readLanded(read, one);
    // Its effects are unknown.
    if (!landed) return undefined;
    const found = lastPaid(callsOf(landed), swap);
    if (found) return found;
  }
  return undefined;
}

function lastPaid(calls: readonly Call[], {program, account}: Pick<Swap, 'program' | 'account'>): Swap | undefined {
  const isThere = (swap: Swap | undefined) => swap?.program === program && swap.account === account;
  return calls.map(paymentIn).findLast(isThere);
}

/** Whether a swap is a leg's, by the account that the leg names, or by its payer (as on chains with contracts' ids). */
function isOfLeg(account: string, payer: string | undefined, leg: PayoutOptions['leg']): boolean | undefined {
  if (!leg || leg.swapId === account) return leg && true;
  const isPayers = leg.initiator === payer;
  if (!isSolanaAddress(leg.swapId)) return isPayers || undefined;
  return isPayers ? undefined : false;
}
