/** The rewards of the initial blocks, which fund everything else, under a public key. */
import {TEST_NETWORK, Transaction, p2wpkh} from '@scure/btc-signer';
import {pubECDSA} from '@scure/btc-signer/utils.js';
import {sha256} from '@noble/hashes/sha2.js';
import {utf8ToBytes} from '@noble/hashes/utils.js';
import {dustLimit, type Coin} from './transaction.js';

export interface Treasury {
  readonly script: Uint8Array;
  /** A signed transaction in hex that pays this amount to a script, with change. */
  pay(script: Uint8Array, amount: bigint, coins: readonly Coin[]): string;
}

/** The key of a role: public, and the same on every start. */
export function keyOfRole(role: string): Uint8Array {
  return sha256(utf8ToBytes(`swap-widget sandbox: ${role}`));
}

/** Satoshi per virtual byte. */
const FEE_RATE = 2n;
/** Virtual bytes of an empty transaction, of a P2WPKH input, and of an output without its script. */
const BASE = 11n;
const INPUT = 68n;
const OUTPUT = 9n;

export function createTreasury(): Treasury {
  const key = keyOfRole('bitcoin purse');
  const {script} = p2wpkh(pubECDSA(key), TEST_NETWORK);

  return {
    script,
    pay(target, amount, coins) {
      const fee = (inputs: number) =>
        FEE_RATE * (BASE + INPUT * BigInt(inputs) + 2n * OUTPUT + BigInt(target.length + script.length));
      // Confirmed coins first: a transaction that spends unconfirmed ones can be dropped with them.
      const chosen: Coin[] = [];
      let rest = -amount - fee(0);
      for (const coin of [...coins].sort((a, b) => Number(!a.block) - Number(!b.block))) {
        if (rest >= 0n) break;
        chosen.push(coin);
        rest += coin.amount - FEE_RATE * INPUT;
      }
      if (rest < 0n) throw new Error(`the treasury lacks ${-rest} of ${amount} satoshi`);
      const tx = new Transaction();
      for (const {txid, vout, amount} of chosen) {
        tx.addInput({txid, index: vout, sequence: 0xfffffffd, witnessUtxo: {script, amount}});
      }
      tx.addOutput({script: target, amount});
      if (rest >= dustLimit(script)) tx.addOutput({script, amount: rest});
      tx.sign(key);
      tx.finalize();
      return tx.hex;
    },
  };
}
