import {deepEqual, equal, ok, throws} from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {schnorr, secp256k1} from '@noble/curves/secp256k1.js';
import {sha256} from '@noble/hashes/sha2.js';
import {hex} from '@scure/base';
import {Address, OutScript, RawTx, SigHash, TEST_NETWORK, Transaction, p2wpkh} from '@scure/btc-signer';
import {createBitcoinChain, type Coin} from '../../demo/sandbox/chains/bitcoin/chain.js';
import {createHtlc, secretOf, signTransaction, type Input} from '../../demo/sandbox/chains/bitcoin/htlc.js';
import {createWallet, keysOf} from '../../demo/sandbox/chains/bitcoin/wallet.js';

type Keys = ReturnType<typeof keysOf>;

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

    it('reveals no secret', () => equal(secretOf(witness), undefined));
  });
});

describe('a payment into the contract', () => {
  const chain = createBitcoinChain({blockSeconds: null});
  const payer = createWallet(chain, 'payer of fees');
  const secret = new Uint8Array(32).fill(7);
  const [solver, delegate, attacker] = ['solver', 'delegate', 'thief'].map(keysOf) as [Keys, Keys, Keys];
  const owner = p2wpkh(secp256k1.getPublicKey(attacker.key), TEST_NETWORK);
  const contract = createHtlc({
    secretHash: hex.encode(sha256(secret)),
    redeemer: solver.publicKey,
    initiator: delegate.publicKey,
    timelock: 6,
  });
  const AMOUNT = 1_000_000n;

  before(async () => {
    for (let coins = 0; coins < 8; coins++) await chain.fund(payer.address, 10_000_000n);
    chain.mine();
  });
  after(() => chain.close());

  /** A new payment, confirmed by default. */
  function paid(inBlock = true): Coin {
    const {txid} = submitted(payer.complete([], [{script: contract.script, amount: AMOUNT}]));
    if (inBlock) chain.mine();
    const coin = chain.utxosOf(contract.script).find(each => each.txid === txid);
    ok(coin);
    return coin;
  }
  function submitted({hex: raw, txid}: {hex: string; txid: string}) {
    equal(chain.submit(raw), txid);
    return {txid, raw};
  }
  const toOwner = {script: owner.script, amount: AMOUNT};
  const spent = (input: Input) => payer.complete([input], [toOwner]);
  const refuses = (input: Input, reason: RegExp) => throws(() => chain.submit(spent(input).hex), reason);

  it('is redeemed with the secret, only by its key, also while unconfirmed', () => {
    const coin = paid(false);
    refuses(
      contract.redeem(
        coin,
        solver.key,
        secret.map(() => 8),
      ),
      /EQUALVERIFY/,
    );
    refuses(contract.redeem(coin, delegate.key, secret), /Schnorr signature/);
    const {txid} = submitted(spent(contract.redeem(coin, solver.key, secret)));
    const {inputs = []} = chain.transaction(txid) ?? {};
    equal(secretOf(inputs[0]?.witness ?? []), hex.encode(secret));
    equal(secretOf(inputs[1]?.witness ?? []), undefined);
  });

  it('is refunded after the timelock, and not a block earlier', () => {
    const coin = paid();
    chain.mine(4);
    refuses(contract.refund(coin, delegate.key), /non-BIP68-final/);
    chain.mine();
    refuses(contract.refund(coin, solver.key), /Schnorr signature/);
    refuses({...contract.refund(coin, delegate.key), sequence: 5}, /Locktime|CHECKSEQUENCEVERIFY/i);
    submitted(spent(contract.refund(coin, delegate.key)));
  });

  it('is returned at once if both sign, and not with one signature', () => {
    const coin = paid();
    const half = signTransaction([contract.halfInstantRefund(coin, delegate.key)], [toOwner]);
    throws(() => chain.submit(half.hex), /min relay fee not met/);
    refuses(contract.halfInstantRefund(coin, delegate.key), /Schnorr signature/);
    refuses(contract.instantRefund(coin, attacker.key, delegate.key), /Schnorr signature/);
    submitted(spent(contract.instantRefund(coin, solver.key, delegate.key)));
  });

  it('is returned by the half-signed transaction once it has the other signature and a fee', () => {
    const coins = [paid(), paid()];
    const {hex: raw} = signTransaction(
      coins.map(coin => contract.halfInstantRefund(coin, delegate.key)),
      [toOwner, toOwner],
    );
    const {outputs, witnesses = []} = RawTx.decode(hex.decode(raw));
    const inputs = coins.map((coin, place) =>
      contract.completeInstantRefund(coin, solver.key, (witnesses as Uint8Array[][])[place] ?? []),
    );
    // The delegate's signature covers the output at its index, which cannot be changed.
    const elsewhere = {script: payer.script, amount: AMOUNT};
    throws(() => chain.submit(payer.complete(inputs, [toOwner, elsewhere]).hex), /Schnorr signature/);
    throws(() => chain.submit(payer.complete(inputs, [toOwner, {...toOwner, amount: AMOUNT - 1n}]).hex), /Schnorr/);
    const had = chain.utxosOf(owner.script).length;
    submitted(payer.complete(inputs, outputs));
    chain.mine();
    const now = chain.utxosOf(owner.script);
    equal(now.length, had + 2);
    deepEqual(
      now.slice(-2).map(({amount}) => amount),
      [AMOUNT, AMOUNT],
    );
  });
});
