/** A person with a key and coins on the sandbox's Bitcoin chain, who uses its Esplora API like a wallet. */
import {hex} from '@scure/base';
import {TEST_NETWORK, Transaction, p2wpkh, utils} from '@scure/btc-signer';
import {secp256k1} from '@noble/curves/secp256k1.js';
import type {SandboxClient} from './client.js';

export const BTC = 'bitcoin_testnet:btc';
const BITCOIN = 'bitcoin_testnet';

interface Utxo {
  readonly txid: string;
  readonly vout: number;
  readonly value: number;
}

interface EsploraTransaction {
  readonly vin: readonly {txid: string; witness: string[]; sequence: number}[];
  readonly vout: readonly {readonly scriptpubkey_address: string; readonly value: number}[];
}

/** The fee of payments, far above the minimum. */
export const FEE = 1_000n;

export class BitcoinPerson {
  readonly #key = utils.randomPrivateKeyBytes();
  readonly #payment = p2wpkh(secp256k1.getPublicKey(this.#key), TEST_NETWORK);
  readonly address = this.#payment.address;

  constructor(readonly esplora: string) {}

  /** A new person with one confirmed coin. */
  static async with(client: SandboxClient, amount: bigint): Promise<BitcoinPerson> {
    const person = await BitcoinPerson.new(client);
    await client.control('faucet', {asset: BTC, address: person.address, amount: String(amount)});
    await mine(client);
    return person;
  }

  static async new(client: SandboxClient): Promise<BitcoinPerson> {
    const {chains} = await client.info();
    return new BitcoinPerson(String(chains[BITCOIN]?.rpc));
  }

  async #ask(path: string, init?: RequestInit): Promise<string> {
    const response = await fetch(this.esplora + path, init);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  }

  coins(address = this.address): Promise<Utxo[]> {
    return this.#ask(`/address/${address}/utxo`).then(text => JSON.parse(text) as Utxo[]);
  }

  async balance(address = this.address): Promise<bigint> {
    return (await this.coins(address)).reduce((sum, {value}) => sum + BigInt(value), 0n);
  }

  transaction(txid: string): Promise<EsploraTransaction> {
    return this.#ask(`/tx/${txid}`).then(text => JSON.parse(text) as EsploraTransaction);
  }

  /** Makes a replaceable payment of all coins, with the rest to itself. */
  async pay(to: string, amount: bigint): Promise<{txid: string}> {
    const spent = await this.coins();
    const transaction = new Transaction();
    for (const {txid, vout, value} of spent) {
      const witnessUtxo = {script: this.#payment.script, amount: BigInt(value)};
      transaction.addInput({txid, index: vout, witnessUtxo, sequence: 0xfffffffd});
    }
    const left = spent.reduce((sum, {value}) => sum + BigInt(value), 0n) - amount - FEE;
    transaction.addOutputAddress(to, amount, TEST_NETWORK);
    if (left > 0n) transaction.addOutputAddress(this.address, left, TEST_NETWORK);
    transaction.sign(this.#key);
    transaction.finalize();
    return {txid: await this.#ask('/tx', {method: 'POST', body: transaction.hex})};
  }
}

/** Mines blocks on the Bitcoin chain, which tests have to do themselves. */
export async function mine(client: SandboxClient, blocks = 1): Promise<number> {
  return Number((await client.control('mine', {chain: BITCOIN, blocks}))['height']);
}

/** The witness of a signed transaction's first input. */
export function readWitness(raw: string): string[] {
  const transaction = Transaction.fromRaw(hex.decode(raw), {allowUnknownInputs: true, allowUnknownOutputs: true});
  return (transaction.getInput(0).finalScriptWitness ?? []).map(part => hex.encode(part));
}
