import {deepEqual, equal, match} from 'node:assert/strict';
import {hex} from '@scure/base';
import {TEST_NETWORK, Transaction, p2wpkh} from '@scure/btc-signer';
import {pubECDSA} from '@scure/btc-signer/utils.js';
import {createBitcoinChain} from '../../demo/sandbox/chains/bitcoin/chain.js';
import {serveEsplora} from '../../demo/sandbox/chains/bitcoin/esplora.js';
import {keyOfRole} from '../../demo/sandbox/chains/bitcoin/treasury.js';

const START = Date.UTC(2025, 5, 1);
const KEY = keyOfRole('bitcoin test');
const OWN = p2wpkh(pubECDSA(KEY), TEST_NETWORK);
const OTHER = p2wpkh(pubECDSA(keyOfRole('bitcoin other')), TEST_NETWORK);

const chain = createBitcoinChain({blockSeconds: null, now: () => START});
const esplora = await serveEsplora(chain, 0);
after(async () => {
  await esplora.close();
  chain.close();
});

const get = (path: string) => fetch(`${esplora.url}${path}`);
const text = async (path: string) => (await get(path)).text();
const json = async (path: string) => (await get(path)).json() as Promise<unknown>;
const post = (body: string) => fetch(`${esplora.url}/tx`, {method: 'POST', body});

/** A signed payment of the key's coins to another address. */
function spend(fee: bigint): string {
  const tx = new Transaction();
  const coins = chain.outputsTo(OWN.script);
  for (const {txid, vout, amount} of coins) {
    tx.addInput({txid, index: vout, sequence: 0xfffffffd, witnessUtxo: {script: OWN.script, amount}});
  }
  tx.addOutputAddress(
    OTHER.address,
    coins.reduce((sum, {amount}) => sum + amount, -fee),
    TEST_NETWORK,
  );
  tx.sign(KEY);
  tx.finalize();
  return tx.hex;
}

describe('the Esplora API of the sandbox’s Bitcoin chain', () => {
  it('shows a payment in the mempool, in a block, and after a disconnect', async () => {
    const funding = await chain.fund(OWN.address, 60_000n);
    deepEqual(await json(`/address/${OWN.address}/utxo`), [
      {txid: funding, vout: 0, status: {confirmed: false}, value: 60_000},
    ]);
    const [funded] = chain.mine();
    const confirmed = {
      confirmed: true,
      block_height: funded!.height,
      block_hash: funded!.hash,
      block_time: START / 1000,
    };
    deepEqual(await json(`/tx/${funding}/status`), confirmed);

    const raw = spend(1_500n);
    const sent = await post(raw);
    equal(sent.status, 200);
    const txid = await sent.text();
    equal(txid, chain.mempool()[0]);
    equal(await text(`/tx/${txid}/hex`), raw);
    equal(hex.encode(new Uint8Array(await (await get(`/tx/${txid}/raw`)).arrayBuffer())), raw);
    const {witness} = chain.transaction(txid)!.inputs[0]!;
    deepEqual(await json(`/tx/${txid}`), {
      txid,
      version: 2,
      locktime: 0,
      vin: [
        {
          txid: funding,
          vout: 0,
          prevout: {
            scriptpubkey: hex.encode(OWN.script),
            scriptpubkey_asm: `OP_0 OP_PUSHBYTES_20 ${hex.encode(OWN.hash)}`,
            scriptpubkey_type: 'v0_p2wpkh',
            scriptpubkey_address: OWN.address,
            value: 60_000,
          },
          scriptsig: '',
          scriptsig_asm: '',
          witness: witness.map(item => hex.encode(item)),
          is_coinbase: false,
          sequence: 0xfffffffd,
        },
      ],
      vout: [
        {
          scriptpubkey: hex.encode(OTHER.script),
          scriptpubkey_asm: `OP_0 OP_PUSHBYTES_20 ${hex.encode(OTHER.hash)}`,
          scriptpubkey_type: 'v0_p2wpkh',
          scriptpubkey_address: OTHER.address,
          value: 58_500,
        },
      ],
      size: raw.length / 2,
      weight: chain.transaction(txid)!.weight,
      fee: 1_500,
      status: {confirmed: false},
    });
    deepEqual(await json(`/tx/${funding}/outspend/0`), {spent: true, txid, vin: 0, status: {confirmed: false}});
    deepEqual(await json(`/tx/${txid}/outspends`), [{spent: false}]);
    deepEqual(await json(`/address/${OWN.address}/utxo`), []);
    deepEqual(await json(`/address/${OWN.address}`), {
      address: OWN.address,
      chain_stats: {funded_txo_count: 1, funded_txo_sum: 60_000, spent_txo_count: 0, spent_txo_sum: 0, tx_count: 1},
      mempool_stats: {funded_txo_count: 0, funded_txo_sum: 0, spent_txo_count: 1, spent_txo_sum: 60_000, tx_count: 1},
    });
    const idsOf = async (path: string) => ((await json(path)) as {txid: string}[]).map(tx => tx.txid);
    deepEqual(await idsOf(`/address/${OWN.address}/txs`), [txid, funding]);
    deepEqual(await idsOf(`/address/${OWN.address}/txs/mempool`), [txid]);
    deepEqual(await idsOf(`/address/${OWN.address}/txs/chain`), [funding]);
    deepEqual(await json('/mempool/txids'), [txid]);

    const [block] = chain.mine();
    match(JSON.stringify(await json(`/tx/${txid}/status`)), new RegExp(block!.hash));
    chain.disconnect(2);
    deepEqual(await json(`/tx/${txid}/status`), {confirmed: false});
    deepEqual(await json(`/tx/${funding}/outspend/0`), {spent: true, txid, vin: 0, status: {confirmed: false}});
    deepEqual(await json(`/block/${block!.hash}/status`), {in_best_chain: false});
    equal(await text('/blocks/tip/height'), String(block!.height - 2));
    for (const path of [`/block/${block!.hash}`, `/block-height/${block!.height}`]) {
      const gone = await get(path);
      equal(gone.status, 404);
      equal(await gone.text(), 'Block not found');
    }

    const other = await (await post(spend(4_000n))).text();
    const replaced = await get(`/tx/${txid}`);
    equal(replaced.status, 404);
    equal(await replaced.text(), 'Transaction not found');
    chain.mine();
    match(JSON.stringify(await json(`/tx/${other}/status`)), /"confirmed":true/);
  });

  it('reports in plain text why it rejects a transaction', async () => {
    const cases: [string, string][] = [
      ['zz', '{"code":-22,"message":"TX decode failed. Make sure the tx has at least one input."}'],
      ['', '{"code":-22,"message":"TX decode failed. Make sure the tx has at least one input."}'],
      [spend(5_000n), '{"code":-25,"message":"bad-txns-inputs-missingorspent"}'],
    ];
    for (const [body, reason] of cases) {
      const answer = await post(body);
      equal(answer.status, 400);
      match(answer.headers.get('content-type') ?? '', /^text\/plain/);
      equal(await answer.text(), `sendrawtransaction RPC error: ${reason}`);
    }
    const large = await post('00'.repeat(400_001));
    equal(large.status, 413);
  });
});
