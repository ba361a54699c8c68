/**
 * The hash time-locked contract on Bitcoin: a taproot output with three spending scripts and no key path.
 *
 * Real: scripts, tree, address and witnesses match the public wire format byte for byte (a published order is tested).
 * Signatures follow BIP-340, signature messages BIP-341 and, for scripts, BIP-342.
 */
import {schnorr, secp256k1} from '@noble/curves/secp256k1.js';
import {sha256} from '@noble/hashes/sha2.js';
import {hex} from '@scure/base';
import {RawTx, Script, SigHash, TEST_NETWORK, Transaction, p2tr} from '@scure/btc-signer';
import type {Outpoint, TxOutput} from './chain.js';

type Bytes = Uint8Array;

/** The parameters of one contract. Keys are x-only, 32 bytes in hex. */
export interface HtlcTerms {
  /** SHA-256 of the secret, hex. */
  readonly secretHash: string;
  /** Can spend with the secret. */
  readonly redeemer: string;
  /** Can spend after the timelock. */
  readonly initiator: string;
  /** In blocks after the payment's block (BIP-112). */
  readonly timelock: number;
  /** Whether the script of the refund is written in another way, so that the address is another, too. */
  readonly isOther?: boolean;
}

export type Spendable = Outpoint & TxOutput;

/** Signs an input of its transaction, for a script of the tree or, without one, for the key path. */
export type Sign = (key: Bytes, leaf?: Bytes, sighash?: number) => Bytes;

export interface Input {
  readonly coin: Spendable;
  readonly sequence: number;
  witness(sign: Sign): Bytes[];
}

interface Leaf {
  readonly script: Bytes;
  readonly controlBlock: Bytes;
}

export interface Htlc {
  readonly address: string;
  readonly script: Bytes;
  redeem(coin: Spendable, redeemer: Bytes, secret: Bytes): Input;
  /** Valid from `timelock` blocks after the coin's block. */
  refund(coin: Spendable, initiator: Bytes): Input;
  /**
   * Both parties agree: no secret, no timelock. Each signature covers only this input and the output at its index. This
   * is the first half: the initiator's signature is also in the redeemer's place.
   */
  halfInstantRefund(coin: Spendable, initiator: Bytes): Input;
  /** Adds the redeemer's signature to a half-signed transaction. */
  completeInstantRefund(coin: Spendable, redeemer: Bytes, half: readonly Bytes[]): Input;
}

/** BIP-341's NUMS point, tweaked by a hash of the contract's name, which disables the key path. */
const INTERNAL_KEY = numsPoint('GardenHTLC');
const LEAF_VERSION = 0xc0;
/** Replaceable by a higher fee (BIP-125), with no relative lock. */
export const REPLACEABLE = 0xfffffffd;
const FINAL = 0xffffffff;

function numsPoint(name: string): Bytes {
  const h = secp256k1.Point.fromHex('0250929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0');
  const moved = h.add(
    secp256k1.Point.BASE.multiply(secp256k1.Point.Fn.fromBytes(sha256(new TextEncoder().encode(name)))),
  );
  return moved.toBytes(true).slice(1);
}

export function createHtlc({secretHash, redeemer, initiator, timelock, isOther = false}: HtlcTerms): Htlc {
  const hash = hex.decode(secretHash);
  const [taker, giver] = [hex.decode(redeemer), hex.decode(initiator)];
  const scripts = {
    redeem: Script.encode(['SHA256', hash, 'EQUALVERIFY', taker, 'CHECKSIG']),
    refund: Script.encode(
      isOther
        ? [giver, 'CHECKSIGVERIFY', timelock, 'CHECKSEQUENCEVERIFY']
        : [timelock, 'CHECKSEQUENCEVERIFY', 'DROP', giver, 'CHECKSIG'],
    ),
    instantRefund: Script.encode([giver, 'CHECKSIG', taker, 'CHECKSIGADD', 2, 'NUMEQUAL']),
  };
  const tree = [{script: scripts.redeem}, [{script: scripts.refund}, {script: scripts.instantRefund}]];
  // The library only knows standard scripts.
  const output = p2tr(INTERNAL_KEY, tree as Parameters<typeof p2tr>[1], TEST_NETWORK, true);
  const [redeem, refund, instant] = output.leaves as unknown as [Leaf, Leaf, Leaf];

  const both = (coin: Spendable, signatures: (sign: Sign) => [Bytes, Bytes]): Input => ({
    coin,
    sequence: FINAL,
    // The script checks the initiator's signature first, so it is on top of the stack.
    witness: sign => [...signatures(sign), instant.script, instant.controlBlock],
  });
  const pairwise = (sign: Sign, key: Bytes) => sign(key, instant.script, SigHash.SINGLE_ANYONECANPAY);

  return {
    address: output.address,
    script: output.script,
    redeem: (coin, key, secret) => ({
      coin,
      sequence: REPLACEABLE,
      witness: sign => [sign(key, redeem.script), secret, redeem.script, redeem.controlBlock],
    }),
    refund: (coin, key) => ({
      coin,
      sequence: timelock,
      witness: sign => [sign(key, refund.script), refund.script, refund.controlBlock],
    }),
    halfInstantRefund: (coin, key) =>
      both(coin, sign => {
        const signature = pairwise(sign, key);
        return [signature, signature];
      }),
    completeInstantRefund: (coin, key, [, given]) =>
      both(coin, sign => {
        if (!given) throw new Error('the first half holds no signature');
        return [pairwise(sign, key), given];
      }),
  };
}

export function secretOf(witness: readonly Bytes[]): string | undefined {
  const [, secret, script] = witness;
  if (witness.length !== 4 || !secret || script?.[0] !== 0xa8) return undefined;
  return hex.encode(secret);
}

export interface SignedTransaction {
  readonly hex: string;
  readonly txid: string;
  /** In virtual bytes, which fees are based on. */
  readonly vsize: number;
}

export function signTransaction(inputs: readonly Input[], outputs: readonly TxOutput[]): SignedTransaction {
  const transaction = new Transaction({
    version: 2,
    allowUnknownInputs: true,
    allowUnknownOutputs: true,
    disableScriptCheck: true,
  });
  for (const {coin, sequence} of inputs) transaction.addInput({txid: coin.txid, index: coin.vout, sequence});
  for (const output of outputs) transaction.addOutput(output);
  const scripts = inputs.map(({coin}) => coin.script);
  const amounts = inputs.map(({coin}) => coin.amount);

  const witnesses = inputs.map(({witness}, place) =>
    witness((key, leaf, sighash = SigHash.DEFAULT) => {
      const message = transaction.preimageWitnessV1(place, scripts, sighash, amounts, -1, leaf, LEAF_VERSION);
      // Without auxiliary randomness signatures are deterministic.
      const signature = schnorr.sign(message, key, new Uint8Array(32));
      return sighash === SigHash.DEFAULT ? signature : Uint8Array.of(...signature, sighash);
    }),
  );
  const raw = RawTx.decode(transaction.unsignedTx);
  const signed = RawTx.encode({...raw, segwitFlag: true, witnesses});
  const bare = transaction.unsignedTx.length;
  return {hex: hex.encode(signed), txid: transaction.id, vsize: Math.ceil((3 * bare + signed.length) / 4)};
}
