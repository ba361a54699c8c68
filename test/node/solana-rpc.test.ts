/** The Solana chain's JSON-RPC, as a client library uses it: a blockhash expires as on a node. */
import {equal} from 'node:assert/strict';
import {Connection, Keypair, SystemProgram, Transaction} from '@solana/web3.js';
import {startSolanaLeg} from '../../demo/sandbox/chains/solana.js';
import type {ChainLeg} from '../../demo/sandbox/chains/leg.js';

const SOL = 1_000_000_000;
const NAME = 'solana_testnet';

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: {readonly code: number; readonly message: string; readonly data?: Record<string, unknown>};
}

describe("the Solana chain's JSON-RPC", () => {
  let leg: ChainLeg;
  let url: string;
  let connection: Connection;

  before(async () => {
    leg = await startSolanaLeg({name: NAME, walletChain: 'solana:devnet', solvers: ['solver 1'], port: 0, speed: 0});
    url = String(leg.facts['rpc']);
    connection = new Connection(url, 'confirmed');
  });
  after(() => leg.close());

  async function ask(method: string, ...params: unknown[]): Promise<RpcAnswer> {
    const body = JSON.stringify({jsonrpc: '2.0', id: 1, method, params});
    const answer = await fetch(url, {method: 'POST', headers: {'content-type': 'application/json'}, body});
    return (await answer.json()) as RpcAnswer;
  }

  function payment(from: Keypair, lamports: number, blockhash: string): Uint8Array {
    const toPubkey = Keypair.generate().publicKey;
    const transaction = new Transaction({feePayer: from.publicKey, blockhash, lastValidBlockHeight: 0});
    transaction.add(SystemProgram.transfer({fromPubkey: from.publicKey, toPubkey, lamports})).sign(from);
    return transaction.serialize();
  }
  const base64Of = (wire: Uint8Array) => Buffer.from(wire).toString('base64');

  it('expires blockhashes after 150 slots', async () => {
    const me = Keypair.generate();
    await leg.faucet(`${NAME}:sol`, me.publicKey.toBase58(), BigInt(10 * SOL));
    const {blockhash, lastValidBlockHeight} = await connection.getLatestBlockhash('finalized');
    equal((await connection.isBlockhashValid(blockhash, {commitment: 'finalized'})).value, true);
    const wire = payment(me, SOL, blockhash);
    const late = payment(me, SOL + 1, blockhash);

    const left = lastValidBlockHeight - (await connection.getBlockHeight('processed'));
    equal(left, 150 - 32);
    await leg.mine(left);
    const signature = await connection.sendRawTransaction(wire, {preflightCommitment: 'processed'});
    // That transaction advanced the slot to the last valid one.
    equal((await connection.isBlockhashValid(blockhash, {commitment: 'processed'})).value, false);
    const {error} = await ask('sendTransaction', base64Of(late), {
      encoding: 'base64',
      preflightCommitment: 'processed',
    });
    equal(error?.code, -32002);
    equal(error.message, 'Transaction simulation failed: Blockhash not found');
    equal(error.data?.['err'], 'BlockhashNotFound');
    const gone = await connection.sendRawTransaction(late, {skipPreflight: true});
    equal((await connection.getSignatureStatus(gone, {searchTransactionHistory: true})).value, null);
    equal(await connection.getBalance(me.publicKey), 9 * SOL - 5_000);

    // The finalized slot is 32 slots behind.
    equal((await connection.isBlockhashValid(blockhash, {commitment: 'finalized'})).value, true);
    await leg.mine(32);
    equal((await connection.isBlockhashValid(blockhash, {commitment: 'finalized'})).value, false);
    equal((await connection.getSignatureStatus(signature)).value?.confirmationStatus, 'finalized');
  });
});
