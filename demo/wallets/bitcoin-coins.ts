/** A wallet's coins: read from a node's Esplora API, and spent in signed transactions. */
import {schnorr, secp256k1} from '@noble/curves/secp256k1.js';
import {sha256} from '@noble/hashes/sha2.js';
import {concatBytes, utf8ToBytes} from '@noble/hashes/utils.js';
import {base64} from '@scure/base';
import {Address, TEST_NETWORK, Transaction, p2tr, p2wpkh, selectUTXO} from '@scure/btc-signer';

export interface OwnAddress {
  readonly address: string;
  readonly script: Uint8Array;
  /** Compressed for P2WPKH, x-only for taproot, as wallets report it. */
  readonly publicKey: Uint8Array;
}

/** One key, with the two addresses that wallets derive from it. */
export interface Keys {
  readonly secret: Uint8Array;
  /** P2WPKH: payments are made from it, and change goes to it. */
  readonly payment: OwnAddress;
  /** P2TR: in other wallets it holds inscriptions. It is only spent if a page requests it. */
  readonly ordinals: OwnAddress;
}

export interface Recipient {
  readonly address: string;
  readonly amount: bigint;
}

export interface Draft {
  readonly transaction: Transaction;
  readonly fee: bigint;
  /** The fee rate it was built for, in satoshi per virtual byte. */
  readonly feeRate: bigint;
}

/** A transaction that the node rejects, or that the wallet cannot build or sign. */
export class CoinError extends Error {
  override readonly name = 'CoinError';
}

const REPLACEABLE = 0xfffffffd;

export function deriveKeys(seedPhrase: string, index: number): Keys {
  const seed = sha256(utf8ToBytes(seedPhrase));
  const secret = index === 0 ? seed : sha256(concatBytes(seed, Uint8Array.of(index)));
  const [full, xOnly] = [secp256k1.getPublicKey(secret, true), schnorr.getPublicKey(secret)];
  const [wpkh, tr] = [p2wpkh(full, TEST_NETWORK), p2tr(xOnly, undefined, TEST_NETWORK)];
  return {
    secret,
    payment: {address: wpkh.address, script: wpkh.script, publicKey: full},
    ordinals: {address: tr.address, script: tr.script, publicKey: xOnly},
  };
}

export function isTestAddress(text: string): boolean {
  try {
    Address(TEST_NETWORK).decode(text);
    return true;
  } catch {
    return false;
  }
}

interface Coin {
  readonly txid: string;
  readonly vout: number;
  readonly value: number;
  readonly status: {readonly confirmed: boolean};
}

interface Sent {
  readonly fee: number;
  readonly weight: number;
  readonly vin: readonly {readonly txid: string; readonly vout: number; readonly prevout: {readonly value: number}}[];
  readonly vout: readonly {readonly scriptpubkey_address?: string; readonly value: number}[];
  readonly status: {readonly confirmed: boolean};
}

interface Stats {
  readonly funded_txo_sum: number;
  readonly spent_txo_sum: number;
}

export interface WalletBalance {
  readonly confirmed: bigint;
  readonly unconfirmed: bigint;
}

export async function readBalance(rpc: string, address: string): Promise<WalletBalance> {
  const {chain_stats, mempool_stats} = (await get(rpc, `/address/${address}`)) as Record<
    'chain_stats' | 'mempool_stats',
    Stats
  >;
  const sum = ({funded_txo_sum, spent_txo_sum}: Stats) => BigInt(funded_txo_sum) - BigInt(spent_txo_sum);
  return {confirmed: sum(chain_stats), unconfirmed: sum(mempool_stats)};
}

/** The fee rate for the next block, in satoshi per virtual byte. */
export async function readFeeRate(rpc: string): Promise<bigint> {
  const estimates = (await get(rpc, '/fee-estimates')) as Readonly<Record<string, number>>;
  return BigInt(Math.ceil(estimates['1'] ?? 1));
}

/** Builds a payment from the coins of the payment address; change goes back there. */
export async function draftPayment(
  rpc: string,
  keys: Keys,
  recipients: readonly Recipient[],
  feeRate: bigint,
): Promise<Draft> {
  const coins = await readCoins(rpc, keys);
  return select(keys, coins, [], recipients, feeRate);
}

/**
 * Builds a replacement for an unconfirmed payment (BIP 125): the same coins to the same recipients at a higher fee,
 * which is taken from the change and, if that is too little, from further coins.
 */
export async function draftReplacement(rpc: string, keys: Keys, txid: string, feeRate?: bigint): Promise<Draft> {
  const sent = (await get(rpc, `/tx/${txid}`)) as Sent;
  if (sent.status.confirmed) throw new CoinError('The transaction is already in a block.');
  const spent = sent.vin.map(({txid, vout, prevout}) => ({txid, vout, value: prevout.value}));
  const recipients = sent.vout.flatMap(({scriptpubkey_address: address, value}) =>
    address === undefined || address === keys.payment.address ? [] : [{address, amount: BigInt(value)}],
  );
  // A replacement may not add unconfirmed inputs.
  const others = (await readCoins(rpc, keys)).filter(({status}) => status.confirmed);
  const doubled = BigInt(Math.ceil((sent.fee * 4 * 2) / sent.weight));
  return select(keys, others, spent, recipients, feeRate ?? doubled);
}

function select(
  {payment}: Keys,
  coins: readonly Omit<Coin, 'status'>[],
  required: readonly Omit<Coin, 'status'>[],
  recipients: readonly Recipient[],
  feeRate: bigint,
): Draft {
  const toInput = ({txid, vout, value}: Omit<Coin, 'status'>) => ({
    txid,
    index: vout,
    sequence: REPLACEABLE,
    witnessUtxo: {script: payment.script, amount: BigInt(value)},
  });
  const selection = selectUTXO(coins.map(toInput), [...recipients], 'default', {
    feePerByte: feeRate,
    changeAddress: payment.address,
    network: TEST_NETWORK,
    requiredInputs: required.map(toInput),
    createTx: true,
  });
  if (!selection?.tx) throw new CoinError('Insufficient funds');
  return {transaction: selection.tx, fee: selection.fee ?? 0n, feeRate};
}

export async function signAndSend(rpc: string, {secret}: Keys, {transaction}: Draft): Promise<string> {
  transaction.sign(secret);
  transaction.finalize();
  return broadcast(rpc, transaction);
}

export async function broadcast(rpc: string, {hex}: Transaction): Promise<string> {
  const response = await fetch(`${rpc}/tx`, {method: 'POST', body: hex});
  const text = await response.text();
  if (!response.ok) throw new CoinError(text);
  return text;
}

/** Reads a PSBT in base64 (BIP 174). */
export function readPsbt(text: string): Transaction {
  try {
    return Transaction.fromPSBT(base64.decode(text));
  } catch (error) {
    throw new CoinError(`This is not a PSBT: ${(error as Error).message}`);
  }
}

/**
 * Signs the wallet's own inputs of a PSBT: the requested ones, or all of them.
 * @throws CoinError if a requested input is not the wallet's own.
 */
export function signPsbt(
  transaction: Transaction,
  {secret, payment, ordinals}: Keys,
  wanted?: Readonly<Record<string, readonly number[]>>,
): void {
  const places = wanted
    ? Object.entries(wanted).flatMap(([address, indexes]) => indexes.map(index => [index, address] as const))
    : Array.from({length: transaction.inputsLength}, (_, index) => [index, undefined] as const);
  let signed = 0;
  for (const [index, address] of places) {
    const script = index < transaction.inputsLength ? transaction.getInput(index).witnessUtxo?.script : undefined;
    const own = [payment, ordinals].find(one => script && isSame(one.script, script));
    if (!own || (address !== undefined && own.address !== address)) {
      if (address === undefined) continue;
      throw new CoinError(`Input ${String(index)} does not belong to ${address}.`);
    }
    if (own === ordinals) transaction.updateInput(index, {tapInternalKey: ordinals.publicKey});
    transaction.signIdx(secret, index);
    signed++;
  }
  if (!signed) throw new CoinError('No input belongs to this wallet.');
}

async function readCoins(rpc: string, {payment}: Keys): Promise<Coin[]> {
  return (await get(rpc, `/address/${payment.address}/utxo`)) as Coin[];
}

async function get(rpc: string, path: string): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(`${rpc}${path}`);
  } catch {
    throw new CoinError(`The node at ${rpc} does not answer.`);
  }
  if (!response.ok) throw new CoinError(`${path}: ${await response.text()}`);
  return response.json();
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}
