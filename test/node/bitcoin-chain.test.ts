import {deepEqual, equal, ok, throws} from 'node:assert/strict';
import {hex} from '@scure/base';
import {OutScript, RawTx, Script, SigHash, TEST_NETWORK, Transaction, p2wpkh} from '@scure/btc-signer';
import {concatBytes, pubECDSA, signECDSA} from '@scure/btc-signer/utils.js';
import {
  BitcoinReject,
  createBitcoinChain,
  type BitcoinChain,
  type Coin,
} from '../../demo/sandbox/chains/bitcoin/chain.js';
import {keyOfRole} from '../../demo/sandbox/chains/bitcoin/treasury.js';

const START = Date.UTC(2025, 5, 1);
const KEY = keyOfRole('bitcoin test');
const OWN_KEY = pubECDSA(KEY);
const OWN = p2wpkh(OWN_KEY, TEST_NETWORK);
const OTHER = p2wpkh(pubECDSA(keyOfRole('bitcoin other')), TEST_NETWORK);
const FINAL = 0xffffffff;
const REPLACEABLE = 0xfffffffd;

function createChain(): BitcoinChain {
  return createBitcoinChain({blockSeconds: null, now: () => START});
}

/** A chain on which the key has confirmed coins of these amounts. */
async function createFunded(...amounts: bigint[]): Promise<{chain: BitcoinChain; coins: Coin[]}> {
  const chain = createChain();
  for (const amount of amounts) await chain.fund(OWN.address, amount);
  chain.mine();
  return {chain, coins: chain.utxosOf(OWN.script).sort((a, b) => Number(b.amount - a.amount))};
}

interface SpendOptions {
  fee?: bigint;
  to?: Uint8Array;
  sequence?: number;
  version?: number;
  lockTime?: number;
}

/** A signed transaction that spends these coins. */
function spend(coins: readonly Pick<Coin, 'txid' | 'vout' | 'amount'>[], options: SpendOptions = {}): string {
  const {fee = 1_000n, to = OTHER.script, sequence = FINAL, version = 2, lockTime = 0} = options;
  const sum = coins.reduce((total, {amount}) => total + amount, 0n);
  const tx = new Transaction({version, lockTime, allowUnknownOutputs: true, allowUnknownVersion: true});
  for (const {txid, vout, amount} of coins) {
    tx.addInput({txid, index: vout, sequence, witnessUtxo: {script: OWN.script, amount}});
  }
  tx.addOutput({script: to, amount: sum - fee});
  // Signed by hand, since the library refuses to overspend.
  const code = OutScript.encode({type: 'pkh', hash: OWN.hash});
  const witnesses = coins.map(({amount}, index) => {
    const signature = signECDSA(tx.preimageWitnessV0(index, code, SigHash.ALL, amount), KEY);
    return [concatBytes(signature, Uint8Array.of(SigHash.ALL)), OWN_KEY];
  });
  return hex.encode(RawTx.encode({...RawTx.decode(tx.unsignedTx), segwitFlag: true, witnesses}));
}

function refuses(chain: BitcoinChain, transaction: string, reason: RegExp, code = -26): void {
  const before = chain.mempool();
  throws(
    () => chain.submit(transaction),
    (error: unknown) => {
      ok(error instanceof BitcoinReject, String(error));
      ok(reason.test(error.message), error.message);
      equal(error.code, code);
      return true;
    },
  );
  deepEqual(chain.mempool(), before);
}

describe('the sandbox’s Bitcoin chain', () => {
  it('rejects missing inputs', async () => {
    const {chain, coins} = await createFunded(50_000n);
    refuses(chain, spend([{...coins[0]!, vout: 9}]), /^bad-txns-inputs-missingorspent$/, -25);
    chain.submit(spend(coins));
    chain.mine();
    refuses(chain, spend(coins, {fee: 2_000n}), /^bad-txns-inputs-missingorspent$/, -25);
  });

  it('rejects overspending, and burning or overpaying by mistake', async () => {
    const {chain, coins} = await createFunded(50_000_000n);
    refuses(
      chain,
      spend(coins, {fee: -1n}),
      /^bad-txns-in-belowout, value in \(0\.5\d*\) < value out \(0\.50000001\)$/,
    );
    refuses(chain, spend(coins, {fee: 30_000_000n}), /^Fee exceeds maximum/, -25);
    const data = Script.encode(['RETURN', Uint8Array.of(1)]);
    refuses(chain, spend(coins, {to: data}), /maxburnamount/, -25);
    refuses(chain, spend(coins, {fee: 109n}), /^min relay fee not met, 109 < 110$/);
    equal(chain.submit(spend(coins, {fee: 110n})), chain.mempool()[0]);
  });

  it('enforces relative locks by blocks (BIP 68), but only for version 2', async () => {
    const {chain, coins} = await createFunded(50_000n, 40_000n);
    const waits = spend([coins[0]!], {sequence: 5});
    chain.mine(3);
    refuses(chain, waits, /^non-BIP68-final$/);
    chain.mine(1);
    chain.submit(waits);
    chain.submit(spend([coins[1]!], {sequence: 200, version: 1}));
  });
});

describe('replacing a payment (BIP 125)', () => {
  it('is rejected without signalling', async () => {
    const {chain, coins} = await createFunded(50_000n);
    chain.submit(spend(coins, {sequence: FINAL - 1}));
    refuses(chain, spend(coins, {fee: 20_000n}), /^txn-mempool-conflict$/);
  });

  it('works with signalling and a higher fee', async () => {
    const {chain, coins} = await createFunded(50_000n);
    const first = chain.submit(spend(coins, {sequence: REPLACEABLE, fee: 1_000n}));
    refuses(chain, spend(coins, {sequence: REPLACEABLE, fee: 999n}), /^insufficient fee, rejecting replacement /);
    refuses(
      chain,
      spend(coins, {sequence: REPLACEABLE, fee: 1_109n}),
      /^insufficient fee, .*not enough additional fees to relay; 0\.00000109 < 0\.00000110$/,
    );
    const second = chain.submit(spend(coins, {sequence: REPLACEABLE, fee: 1_110n, to: OWN.script}));
    equal(chain.transaction(first), undefined);
    equal(chain.replaced(first), second);
    deepEqual(chain.mempool(), [second]);
    deepEqual(chain.outputsTo(OTHER.script), []);
    const third = chain.submit(spend(coins, {fee: 5_000n}));
    equal(chain.replaced(first), third, 'the last one counts');
    equal(chain.replaced(third), undefined);
    chain.mine();
    equal(chain.transaction(third)!.block!.height, chain.tip().height);
  });
});
