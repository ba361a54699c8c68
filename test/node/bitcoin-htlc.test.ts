import {deepEqual, equal} from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {schnorr} from '@noble/curves/secp256k1.js';
import {sha256} from '@noble/hashes/sha2.js';
import {hex} from '@scure/base';
import {Address, OutScript, RawTx, SigHash, TEST_NETWORK, Transaction} from '@scure/btc-signer';
import {createHtlc} from '../../demo/sandbox/chains/bitcoin/htlc.js';

const sample = (
  JSON.parse(readFileSync(new URL('../support/samples/bitcoin-status.json', import.meta.url), 'utf8')) as {
    result: {source_swap: Record<string, string> & {timelock: number}};
  }
).result.source_swap;
const field = (name: string) => String(sample[name]);
const published = createHtlc({
  secretHash: field('secret_hash'),
  redeemer: field('redeemer'),
  initiator: field('delegate'),
  timelock: sample.timelock,
});

describe('the contract on Bitcoin', () => {
  it('has the address of the published order', () => {
    equal(published.address, field('swap_id'));
    equal(published.address, 'tb1ptt49v22dcst7mquwfsmcu2t56xjg07whtcgufvhjuj5zu89y6q0qn8fvfp');
    equal(hex.encode(sha256(hex.decode(field('secret')))), field('secret_hash'));
  });

  describe('in the published half-signed refund', () => {
    const raw = hex.decode(field('instant_refund_tx'));
    const half = RawTx.decode(raw);
    const txid = hex.encode(half.inputs[0]?.txid as Uint8Array);
    const witness: readonly Uint8Array[] = half.witnesses?.[0] ?? [];
    const owner = OutScript.encode(Address(TEST_NETWORK).decode(field('initiator')));

    it('returns the whole deposit to its owner, without a fee', () => {
      equal(half.version, 2);
      equal(half.inputs.length, 1);
      equal(half.outputs.length, 1);
      equal(`${txid}:90249`, field('initiate_tx_hash'));
      equal(half.inputs[0]!.sequence, 0xffffffff);
      equal(half.outputs[0]!.amount, BigInt(field('filled_amount')));
      deepEqual(half.outputs[0]!.script, owner);
    });

    it('has the same script and control block as ours', () => {
      const coin = {txid: txid, vout: 0, amount: 500_000n, script: published.script};
      const [, , script, proof] = published.halfInstantRefund(coin, new Uint8Array(32).fill(1)).witness(() => raw);
      equal(witness.length, 4);
      deepEqual(witness[2], script);
      deepEqual(witness[3], proof);
    });

    it("has the delegate's signature twice, over this input and this output only", () => {
      const transaction = Transaction.fromRaw(raw, {allowUnknownInputs: true, allowUnknownOutputs: true});
      const signature = witness[0]!;
      deepEqual(witness[1], signature);
      equal(signature.length, 65);
      equal(signature[64], SigHash.SINGLE_ANYONECANPAY);
      const message = (amount: bigint) =>
        transaction.preimageWitnessV1(0, [published.script], signature[64]!, [amount], -1, witness[2], 0xc0);
      const verifies = (amount: bigint, key: string) =>
        schnorr.verify(signature.slice(0, 64), message(amount), hex.decode(field(key)));
      equal(verifies(500_000n, 'delegate'), true);
      equal(verifies(500_000n, 'redeemer'), false);
      equal(verifies(500_001n, 'delegate'), false);
    });
  });
});
