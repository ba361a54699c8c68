/*
 * What a Bitcoin chain shows of a swap: the payments to its address, how they ended, and the payout to a recipient.
 */
import type {DepositEnd, DepositOnChain, PayoutOnChain} from '../../domain/evidence.js';
import {tryRead} from '../errors.js';
import {addPayouts, least, total, type Gift, type PayoutOptions, type Redeem} from '../witness.js';
import {
  blockOf,
  paysTo,
  readAmount,
  readSums,
  readTransaction,
  readTransactions,
  sumOf,
  timeOf,
  type Read,
  type WireInput,
  type WireOutput,
  type WireTransaction,
} from './rpc.js';

const HASH = /^[0-9a-f]{64}$/i;

/** Smaller payments do not count: they cost more to spend than they are worth (Bitcoin Core's limit for an old output). */
const DUST = 546n;

/**
 * Reads the payments to an address, which belongs to a single order, and how they ended, by the transactions that spent
 * them. `owner`: who gets a refund. `ends`: transactions that may have spent it. Rejects if the address cannot be read.
 */
export async function readDeposit(
  read: Read,
  address: string,
  owner: string,
  ends: readonly string[],
): Promise<DepositOnChain> {
  const {received: amount, spent, waiting} = await readSums(read, address);
  if (amount === 0n) return {state: 'none'};
  const all = (await tryRead(() => readTransactions(read, address))) ?? [];
  const payments = all.filter(transaction => paysTo(transaction, address));
  const hashes = payments.map(({txid}) => txid);
  // The newest come first.
  const block = waiting === 0n ? payments.map(blockOf).find(one => one !== undefined) : undefined;
  // Anybody can send a little to an address whose money is gone.
  const isHeld = amount - spent > DUST;
  const end = isHeld ? undefined : await tryRead(() => readEnd(read, {address, owner, spent, known: all, ends}));
  return {
    state: 'seen',
    amount,
    isHeld,
    ...(hashes.length > 0 && {hashes}),
    ...(block !== undefined && {block}),
    ...(end && {end}),
  };
}

interface Spent {
  readonly address: string;
  readonly owner: string;
  readonly spent: bigint;
  readonly known: readonly WireTransaction[];
  readonly ends: readonly string[];
}

/**
 * How the money left an address; `undefined` if that is unclear. The holder of the secret may redeem one output while
 * another is refunded to its owner: then the swap took place.
 */
async function readEnd(read: Read, {address, owner, spent, known, ends}: Spent): Promise<DepositEnd | undefined> {
  const inputsOf = ({vin}: WireTransaction) => vin.filter(({prevout}) => prevout?.scriptpubkey_address === address);
  const takenBy = (one: WireTransaction) =>
    sumOf(
      inputsOf(one).map(({prevout}) => prevout),
      address,
    );
  const isAll = (some: readonly WireTransaction[]) => total(some.map(takenBy)) >= spent;
  // The transactions of a busy address are paginated.
  const others = isAll(known) ? [] : ends.map(hash => hash.toLowerCase()).filter(hash => HASH.test(hash));
  const missing = [...new Set(others)].filter(hash => !known.some(({txid}) => txid === hash));
  const named = await Promise.all(missing.map(hash => readTransaction(read, hash)));
  const spends = [...known, ...named].filter(one => one !== undefined);

  const redeems = spends.filter(one => inputsOf(one).some(({witness}) => secretIn(witness).length > 0));
  if (redeems.length) return {how: 'redeemed', amount: 0n, ...blocksOf(redeems)};
  const refunds = spends.filter(one => refundIn(one, address, owner) > 0n);
  // An unknown part may have been redeemed.
  if (!refunds.length || !isAll(spends)) return undefined;
  return {how: 'refunded', amount: total(refunds.map(one => refundIn(one, address, owner))), ...blocksOf(refunds)};
}

/**
 * What a transaction gave the owner of an address, at most what it took from there. If it refunds other swaps, too, only
 * the outputs at the indices of its inputs are known to be this one's.
 */
function refundIn({vin, vout}: WireTransaction, address: string, owner: string): bigint {
  const isOwn = ({prevout}: WireInput) => prevout?.scriptpubkey_address === address;
  const isSingle = vin.every(input => isOwn(input) || !isRefund(input));
  const own = vin.flatMap((input, at) =>
    isOwn(input) ? [{held: heldBy(input), paired: pairedWith(input, vout[at], owner)}] : [],
  );
  return isSingle ? least(sumOf(vout, owner), total(own.map(({held}) => held))) : total(own.map(({paired}) => paired));
}

function heldBy({prevout}: WireInput): bigint {
  return prevout ? readAmount(prevout.value) : 0n;
}

function pairedWith(input: WireInput, output: WireOutput | undefined, address: string): bigint {
  return least(heldBy(input), sumOf([output], address));
}

function blocksOf(transactions: readonly WireTransaction[]): Pick<DepositEnd, 'hashes' | 'block'> {
  const blocks = transactions.map(blockOf).filter(block => block !== undefined);
  const last = blocks.reduce((one, other) => (other > one ? other : one), 0n);
  return {
    hashes: transactions.map(({txid}) => txid),
    ...(blocks.length === transactions.length && {block: last}),
  };
}

/** Reads the payments of transactions to an address. Rejects if reading fails. */
export function readPayout(
  read: Read,
  address: string,
  hashes: readonly string[],
  options: PayoutOptions,
): Promise<PayoutOnChain> {
  // One transaction has a single hash here, whatever its letter case.
  const named = hashes.map(hash => hash.toLowerCase());
  return addPayouts(named, HASH, options, async (hash): Promise<Gift | undefined> => {
    const transaction = await readTransaction(read, hash);
    if (!transaction) return undefined;
    const {vin, vout} = transaction;
    const came = sumOf(vout, address);
    const went = sumOf(
      vin.map(({prevout}) => prevout),
      address,
    );
    const redeems = redeemsIn(transaction, address, options.leg);
    return {amount: came - went, block: blockOf(transaction), at: timeOf(transaction), redeems};
  });
}

/**
 * One swap may have been funded by several outputs to its address (API, Swap object). What belongs to which of several
 * secrets only shows where an input pays the output at its own index.
 */
function redeemsIn({vin, vout}: WireTransaction, address: string, leg: PayoutOptions['leg']): readonly Redeem[] {
  const named = leg && /^(?:bc|tb|bcrt)1/i.test(leg.swapId) ? leg.swapId.toLowerCase() : undefined;
  const redeems = vin.flatMap((input, at) => {
    const from = input.prevout?.scriptpubkey_address;
    const isNamed = named === undefined || from === undefined ? undefined : from === named;
    return secretIn(input.witness).map(secret => ({
      redeem: {swap: `${secret} ${String(from)}`, secret, amount: heldBy(input), isNamed},
      paired: pairedWith(input, vout[at], address),
    }));
  });
  const isSingle = new Set(redeems.map(({redeem}) => redeem.secret)).size === 1;
  return redeems.map(({redeem, paired}) => (isSingle ? redeem : {...redeem, amount: paired}));
}

/** Whether an input spends a swap's output without its secret: by a script, with its control block at the end (BIP 341). */
function isRefund({witness = []}: WireInput): boolean {
  return witness.length > 2 && /^c[01]/i.test(witness.at(-1) ?? '') && !secretIn(witness).length;
}

/** `OP_SHA256`, and a push of 32 bytes: the beginning of the script that the secret unlocks. */
const OPENS_BY_SECRET = /^a820/i;

/** The secret in an input that spends a swap's output: signature, secret, script, control block (BIP 341). */
function secretIn([, secret = '', script = '', ...more]: readonly string[] = []): readonly string[] {
  return more.length === 1 && OPENS_BY_SECRET.test(script) && HASH.test(secret) ? [secret.toLowerCase()] : [];
}
