/** The Solana chain's JSON-RPC: a client library works with it, and a blockhash expires as on a node. */
import {deepEqual, equal} from 'node:assert/strict';
import type {TransactionInstruction} from '@solana/web3.js';
import {
  Connection,
  Keypair,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
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

  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(url, {method: 'POST', headers: {'content-type': 'application/json', ...headers}, body});
  async function ask(method: string, ...params: unknown[]): Promise<RpcAnswer> {
    return (await (await post(JSON.stringify({jsonrpc: '2.0', id: 1, method, params}))).json()) as RpcAnswer;
  }

  async function rich(amount = 10 * SOL): Promise<Keypair> {
    const someone = Keypair.generate();
    await leg.faucet(`${NAME}:sol`, someone.publicKey.toBase58(), BigInt(amount));
    return someone;
  }

  /** A signed payment, by default with the latest blockhash. */
  async function payment(from: Keypair, amount: number, blockhash?: string, to = Keypair.generate().publicKey) {
    return {wire: await signed(from, [transferOf(from, amount, to)], blockhash), to};
  }
  const transferOf = (from: Keypair, amount: number, to = Keypair.generate().publicKey) =>
    SystemProgram.transfer({fromPubkey: from.publicKey, toPubkey: to, lamports: amount});

  /** A legacy transaction of these instructions, signed by its fee payer. */
  async function signed(by: Keypair, instructions: TransactionInstruction[], given?: string): Promise<Uint8Array> {
    const youngest = await connection.getLatestBlockhash('processed');
    const transaction = new Transaction({feePayer: by.publicKey, ...youngest, ...(given && {blockhash: given})});
    transaction.add(...instructions).sign(by);
    return transaction.serialize();
  }
  const base64Of = (wire: Uint8Array) => Buffer.from(wire).toString('base64');

  it('works with @solana/web3.js: airdrop, legacy and v0 transactions, history', async () => {
    const me = Keypair.generate();
    const airdrop = await connection.requestAirdrop(me.publicKey, 2 * SOL);
    equal((await connection.getSignatureStatus(airdrop)).value?.confirmationStatus, 'confirmed');
    equal(await connection.getBalance(me.publicKey), 2 * SOL);

    const legacy = await payment(me, SOL / 2);
    const first = await connection.sendRawTransaction(legacy.wire);
    const {blockhash} = await connection.getLatestBlockhash('processed');
    const message = new TransactionMessage({
      payerKey: me.publicKey,
      recentBlockhash: blockhash,
      instructions: [SystemProgram.transfer({fromPubkey: me.publicKey, toPubkey: legacy.to, lamports: SOL / 2})],
    }).compileToV0Message();
    const versioned = new VersionedTransaction(message);
    versioned.sign([me]);
    equal(await connection.getFeeForMessage(message, 'processed').then(({value}) => value), 5_000);
    const second = await connection.sendTransaction(versioned, {preflightCommitment: 'processed'});

    equal(await connection.getBalance(legacy.to), SOL);
    equal(await connection.getBalance(me.publicKey), SOL - 10_000);
    const history = await connection.getSignaturesForAddress(me.publicKey);
    deepEqual(
      history.map(({signature}) => signature),
      [second, first, airdrop],
    );
    const read = await connection.getTransaction(second, {maxSupportedTransactionVersion: 0});
    equal(read?.version, 0);
    equal(read.meta?.fee, 5_000);
    deepEqual(read.meta.preBalances.slice(0, 2), [1.5 * SOL - 5_000, SOL / 2]);
    deepEqual(read.meta.postBalances.slice(0, 2), [SOL - 10_000, SOL]);
    equal(read.transaction.message.staticAccountKeys[0]?.toBase58(), me.publicKey.toBase58());
  });

  it('expires blockhashes after 150 slots', async () => {
    const me = await rich();
    const {blockhash, lastValidBlockHeight} = await connection.getLatestBlockhash('finalized');
    equal((await connection.isBlockhashValid(blockhash, {commitment: 'finalized'})).value, true);
    const {wire} = await payment(me, SOL, blockhash);
    const {wire: late} = await payment(me, SOL + 1, blockhash);

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
