/** A wallet's coins: read from a node's Esplora interface, spent in transactions that are really signed. */
import {schnorr, secp256k1} from '@noble/curves/secp256k1.js';
import {sha256} from '@noble/hashes/sha2.js';
import {concatBytes, utf8ToBytes} from '@noble/hashes/utils.js';
import {base64} from '@scure/base';
import {Address, NETWORK, TEST_NETWORK, Transaction, p2tr, p2wpkh, selectUTXO} from '@scure/btc-signer';

/** An address of the wallet. */
export interface OwnAddress {
  readonly address: string;
  readonly script: Uint8Array;
  /** As wallets tell it: with its parity where coins are paid from, x-only for taproot. */
  readonly publicKey: Uint8Array;
}

/** One key, with the two addresses that wallets make of it. */
export interface Keys {
  readonly secret: Uint8Array;
  /** P2WPKH: what payments come from and change goes to. */
  readonly payment: OwnAddress;
  /** P2TR: what holds inscriptions in other wallets. It is not spent unless a page asks for it. */
  readonly ordinals: OwnAddress;
}

export interface Recipient {
  readonly address: string;
  readonly amount: bigint;
}

/** A transaction that is ready to be signed, and what it costs. */
export interface Draft {
  readonly transaction: Transaction;
  readonly fee: bigint;
  /** Satoshi for each virtual byte, rounded up: what was asked for. */
  readonly feeRate: bigint;
}

/** What a node says where it takes no transaction, and what a wallet says where its coins are too few. */
export class CoinError extends Error {
  override readonly name = 'CoinError';
}

const REPLACEABLE = 0xfffffffd;

/** The keys of one account, made from words: the same on every machine. */
export function deriveKeys(words: string, index: number, isTest: boolean): Keys {
  const seed = sha256(utf8ToBytes(words));
  const secret = index === 0 ? seed : sha256(concatBytes(seed, Uint8Array.of(index)));
  const network = isTest ? TEST_NETWORK : NETWORK;
  const [full, xOnly] = [secp256k1.getPublicKey(secret, true), schnorr.getPublicKey(secret)];
  const [wpkh, tr] = [p2wpkh(full, network), p2tr(xOnly, undefined, network)];
  return {
    secret,
    payment: {address: wpkh.address, script: wpkh.script, publicKey: full},
    ordinals: {address: tr.address, script: tr.script, publicKey: xOnly},
  };
}

/** Whether something can be paid to a text on the test network. */
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

/** What a wallet has confirmed, and what is on its way to or from it. */
export interface Holdings {
  readonly confirmed: bigint;
  readonly unconfirmed: bigint;
}

export async function readHoldings(rpc: string, address: string): Promise<Holdings> {
  const {chain_stats, mempool_stats} = (await get(rpc, `/address/${address}`)) as Record<
    'chain_stats' | 'mempool_stats',
    Stats
  >;
  const sum = ({funded_txo_sum, spent_txo_sum}: Stats) => BigInt(funded_txo_sum) - BigInt(spent_txo_sum);
  return {confirmed: sum(chain_stats), unconfirmed: sum(mempool_stats)};
}

/** What gets a transaction into one of the next blocks, in satoshi for each virtual byte. */
export async function readFeeRate(rpc: string): Promise<bigint> {
  const estimates = (await get(rpc, '/fee-estimates')) as Readonly<Record<string, number>>;
  return BigInt(Math.ceil(estimates['1'] ?? 1));
}

/** Puts a payment together from the coins of the payment address; change goes back there. */
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
 * Puts a payment together that takes the place of one still waiting (BIP 125): the same coins to the same recipients,
 * for a higher fee, out of the change and, where that is too little, further coins.
 */
export async function draftReplacement(rpc: string, keys: Keys, txid: string, feeRate?: bigint): Promise<Draft> {
  const sent = (await get(rpc, `/tx/${txid}`)) as Sent;
  if (sent.status.confirmed) throw new CoinError('The transaction is in a block already.');
  const spent = sent.vin.map(({txid, vout, prevout}) => ({txid, vout, value: prevout.value}));
  const recipients = sent.vout.flatMap(({scriptpubkey_address: address, value}) =>
    address === undefined || address === keys.payment.address ? [] : [{address, amount: BigInt(value)}],
  );
  // Coins that wait for a block themselves may not join a replacement.
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

/** Signs a draft with the wallet's key and hands it to the node; answers the transaction's hash. */
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

/** Reads a transaction that a page put together (BIP 174), in base64. */
export function readPsbt(text: string): Transaction {
  try {
    return Transaction.fromPSBT(base64.decode(text));
  } catch (error) {
    throw new CoinError(`This is no PSBT: ${(error as Error).message}`);
  }
}

/**
 * Signs the inputs of a PSBT that are the wallet's own: those wanted, or all of them.
 * @throws CoinError where a wanted one is not its own.
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
      throw new CoinError(`Input ${String(index)} is not of ${address}.`);
    }
    if (own === ordinals) transaction.updateInput(index, {tapInternalKey: ordinals.publicKey});
    transaction.signIdx(secret, index);
    signed++;
  }
  if (!signed) throw new CoinError('No input is of this wallet.');
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
