/* What a Bitcoin chain shows of a swap: what was paid to its address, and what was paid out to a recipient. */
import type {DepositOnChain, PayoutOnChain} from '../../domain/evidence.js';
import {tryRead} from '../errors.js';
import {addPayouts, type Gift, type PayoutOptions} from '../witness.js';
import {blockOf, paysTo, readSums, readTransaction, readTransactions, sumOf, type Read} from './rpc.js';

const HASH = /^[0-9a-f]{64}$/i;

/** Reads what was paid to an address, which belongs to one order alone. Rejects where the chain cannot be read. */
export async function readDeposit(read: Read, address: string): Promise<DepositOnChain> {
  const {received: amount, spent, waiting} = await readSums(read, address);
  if (amount === 0n) return {state: 'none'};
  const all = await tryRead(() => readTransactions(read, address));
  const payments = all?.filter(transaction => paysTo(transaction, address)) ?? [];
  const hashes = payments.map(({txid}) => txid);
  // The newest come first.
  const block = waiting === 0n ? payments.map(blockOf).find(one => one !== undefined) : undefined;
  return {
    state: 'seen',
    amount,
    isHeld: spent === 0n,
    ...(hashes.length > 0 && {hashes}),
    ...(block !== undefined && {block}),
  };
}

/** Reads what transactions gave an address. Rejects where the chain cannot be read. */
export function readPayout(
  read: Read,
  address: string,
  hashes: readonly string[],
  options: PayoutOptions,
): Promise<PayoutOnChain> {
  return addPayouts(hashes, HASH, options, async (hash): Promise<Gift | undefined> => {
    const transaction = await readTransaction(read, hash.toLowerCase());
    if (!transaction) return undefined;
    const {vin, vout} = transaction;
    const came = sumOf(vout, address);
    const went = sumOf(
      vin.map(({prevout}) => prevout),
      address,
    );
    return {amount: came - went, block: blockOf(transaction), secrets: vin.flatMap(({witness}) => secretIn(witness))};
  });
}

/** `OP_SHA256`, and a push of 32 bytes: how the script begins that a secret opens. */
const OPENS_BY_SECRET = /^a820/i;

/** The secret in what spends a swap's output: signature, secret, script, control block (BIP 341). */
function secretIn([, secret = '', script = '', ...more]: readonly string[] = []): readonly string[] {
  return more.length === 1 && OPENS_BY_SECRET.test(script) && HASH.test(secret) ? [secret.toLowerCase()] : [];
}
