/* What Solana shows of a swap: what was paid into its account, and what was paid out to a recipient. */
import type {Asset} from '../../domain/asset.js';
import type {Deal} from '../../domain/deposit.js';
import type {DepositOnChain, PayoutOnChain} from '../../domain/evidence.js';
import type {ReadDepositOptions} from '../adapter.js';
import {tryRead} from '../errors.js';
import {addPayouts, type Gift, type PayoutOptions} from '../witness.js';
import {paymentOf} from './check.js';
import {decodeRedeem, readHeld, swapAccount, type Held} from './htlc.js';
import {currentSlot, isAlive, readLanded, statusOf, type Landed, type Read, type TokenBalance} from './rpc.js';
import {bytesOf, isSignedBy, isSolanaAddress} from './transaction.js';

/** A signature in base58, by which a transaction is known. */
const HASH = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** Reads what a deal's transaction paid in. Rejects where the chain cannot be read. */
export async function readDeposit(
  read: Read,
  deal: Deal,
  {hash, lifetime}: Pick<ReadDepositOptions, 'hash' | 'lifetime'>,
): Promise<DepositOnChain> {
  const payment = paymentOf(deal);
  if (!payment?.instruction || !payment.terms) return {state: 'unknown'};
  const {transaction, terms} = payment;
  const {program} = payment.instruction;
  const {owner} = deal.agreed;
  const account = await swapAccount(program, owner, terms.secretHash);
  const find = (slot?: number) => readHeld(read, program, account, terms, 'confirmed', slot);
  const blockhash = lifetime ?? transaction.blockhash;
  // Read first: once the blockhash is out of date no payment can come, so what is read after that is final. Final
  // blocks do not know a blockhash that is only seconds old, so the newest are asked too.
  const mayCome = (await isAlive(read, blockhash, 'processed')) || (await isAlive(read, blockhash, 'finalized'));
  const held = await find();
  const status = hash === undefined ? undefined : await statusOf(read, hash);
  const seen = {state: 'seen', ...(hash !== undefined && status && {hashes: [hash]})} as const;
  if (held) return {...seen, ...(await termsOf(held))};
  switch (status?.state) {
    case 'seen':
      return seen;
    case 'done': {
      // The account goes with its money. It may have come after the first look, so the node has to know that slot.
      const late = await find(status.slot);
      return {...seen, ...(late ? await termsOf(late) : {isHeld: false, isRefundOpen: false})};
    }
    case 'failed':
      return {state: 'reverted'};
    case undefined: {
      if (mayCome) return {state: 'none'};
      // A wallet that sent another message may have given it another blockhash, which is not known here.
      const isOurs =
        hash === undefined ||
        lifetime !== undefined ||
        (await isSignedBy(owner, bytesOf(hash), transaction.message)) === true;
      return {state: isOurs ? 'expired' : 'none'};
    }
  }

  async function termsOf({amount, expiry}: Held) {
    const block = expiry - (payment?.terms?.timelock ?? 0n);
    const slot = await tryRead(() => currentSlot(read));
    return {amount, block, isHeld: true, ...(slot !== undefined && {isRefundOpen: slot > expiry})};
  }
}

/** Reads what transactions gave a recipient. Rejects where the chain cannot be read. */
export async function readPayout(
  read: Read,
  asset: Asset,
  recipient: string,
  hashes: readonly string[],
  options: PayoutOptions,
): Promise<PayoutOnChain | undefined> {
  if (!isSolanaAddress(recipient)) return undefined;
  return addPayouts(hashes, HASH, options, async (hash): Promise<Gift | undefined> => {
    const landed = await readLanded(read, hash);
    if (!landed) return undefined;
    const {slot, meta} = landed;
    const block = BigInt(slot);
    if (meta.err !== null) return {amount: 0n, block};
    const {writable = [], readonly: others = []} = meta.loadedAddresses ?? {};
    const addresses = [...landed.transaction.message.accountKeys, ...writable, ...others];
    const amount =
      asset.token === undefined ? coinsOf(meta, addresses.indexOf(recipient)) : tokensOf(asset.token, meta);
    return {amount, block, secrets: secretsIn(landed, addresses)};
  });

  function coinsOf({preBalances, postBalances, fee}: Landed['meta'], at: number): bigint {
    const [before = 0, after = 0] = [preBalances[at], postBalances[at]];
    // Nodes write numbers, and of larger ones the last digits are lost.
    if (!Number.isSafeInteger(before) || !Number.isSafeInteger(after)) throw new Error('balances are not exact');
    // The first account pays the fee.
    return BigInt(after - before + (at === 0 ? fee : 0));
  }

  function tokensOf(token: string, {preTokenBalances, postTokenBalances}: Landed['meta']): bigint {
    const sum = (balances: readonly TokenBalance[] | null | undefined) =>
      (balances ?? [])
        .filter(({mint, owner}) => mint === token && owner === recipient)
        .reduce((total, {uiTokenAmount}) => total + BigInt(uiTokenAmount.amount), 0n);
    return sum(postTokenBalances) - sum(preTokenBalances);
  }

  /** The secrets of the swaps that were paid out to the recipient, by known programs where any are. */
  function secretsIn({transaction, meta}: Landed, addresses: readonly string[]): readonly string[] {
    const inner = (meta.innerInstructions ?? []).flatMap(({instructions}) => instructions);
    return [...transaction.message.instructions, ...inner].flatMap(({programIdIndex, accounts, data}) => {
      const isKnown = !asset.contracts.length || asset.contracts.includes(addresses[programIdIndex] ?? '');
      const isTheirs = accounts.some(at => addresses[at] === recipient);
      const secret = isKnown && isTheirs ? decodeRedeem({data: bytesOf(data)}) : undefined;
      return secret === undefined ? [] : [secret];
    });
  }
}
