/**
 * A wallet of one of the sandbox's roles on Bitcoin: a key, its coins (BIP-86), and transactions paid from them.
 *
 * Real: every signature and fee. Ours: the fixed fee rate.
 */
import {schnorr} from '@noble/curves/secp256k1.js';
import {hex} from '@scure/base';
import {TEST_NETWORK, p2tr} from '@scure/btc-signer';
import {taprootTweakPrivKey} from '@scure/btc-signer/utils.js';
import {keyOf} from '../anvil.js';
import type {BitcoinChain, TxOutput} from './chain.js';
import {REPLACEABLE, signTransaction, type Input, type SignedTransaction, type Spendable} from './htlc.js';

/** The fee of a transaction in satoshi, by its virtual size. */
export type FeeOf = (vsize: bigint) => bigint;

export const usualFee: FeeOf = vsize => 2n * vsize;

export interface Wallet {
  /** Its key in contracts: the private key, and the x-only public key in hex. */
  readonly key: Uint8Array;
  readonly publicKey: string;
  readonly address: string;
  readonly script: Uint8Array;
  /** One of its own coins as an input. */
  spend(coin: Spendable): Input;
  /**
   * Builds a transaction of these inputs and outputs, in this order. The wallet's coins fund what is missing, and the
   * change is the last output.
   */
  complete(inputs: readonly Input[], outputs: readonly TxOutput[], feeOf?: FeeOf): SignedTransaction;
}

const DUST = 330n;

export function keysOf(role: string): {key: Uint8Array; publicKey: string} {
  const key = hex.decode(keyOf(`bitcoin ${role}`).slice(2));
  return {key, publicKey: hex.encode(schnorr.getPublicKey(key))};
}

export function createWallet(chain: Pick<BitcoinChain, 'utxosOf'>, role: string): Wallet {
  const {key, publicKey} = keysOf(role);
  const {address, script} = p2tr(hex.decode(publicKey), undefined, TEST_NETWORK);
  const outputKey = taprootTweakPrivKey(key);
  const spend = (coin: Spendable): Input => ({coin, sequence: REPLACEABLE, witness: sign => [sign(outputKey)]});

  return {
    key,
    publicKey,
    address,
    script,
    spend,
    complete(inputs, outputs, feeOf = usualFee) {
      const wanted = sum(outputs);
      const all = [...inputs];
      // Confirmed coins first: a transaction that spends unconfirmed ones can be dropped with them.
      const coins = chain.utxosOf(script).sort((a, b) => Number(!a.block) - Number(!b.block));
      for (;;) {
        const left = sum(all.map(({coin}) => coin)) - wanted;
        const withChange = (change: bigint) => signTransaction(all, [...outputs, {script, amount: change}]);
        const change = left > DUST ? left - feeOf(BigInt(withChange(left).vsize)) : 0n;
        if (change >= DUST) return withChange(change);
        const coin = coins.shift();
        if (!coin) throw new Error(`${role} does not have enough coins`);
        all.push(spend(coin));
      }
    },
  };
}

function sum(outputs: readonly {amount: bigint}[]): bigint {
  return outputs.reduce((total, {amount}) => total + amount, 0n);
}
