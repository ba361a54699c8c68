/** The Solana chain's JSON-RPC: client libraries of both generations work with it, and it rejects what nodes reject. */
import {deepEqual, equal, match} from 'node:assert/strict';
import {randomBytes} from 'node:crypto';
import {
  appendTransactionMessageInstruction,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
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
import {transferInstruction} from '../../demo/sandbox/chains/solana/htlc.js';

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

  it('works with @solana/kit', async () => {
    const rpc = createSolanaRpc(url);
    const signer = await createKeyPairSignerFromPrivateKeyBytes(randomBytes(32));
    await rpc.requestAirdrop(signer.address, lamports(BigInt(2 * SOL))).send();
    const {value: lifetime} = await rpc.getLatestBlockhash({commitment: 'processed'}).send();
    const to = (await createKeyPairSignerFromPrivateKeyBytes(randomBytes(32))).address;
    const transaction = await pipe(
      createTransactionMessage({version: 0}),
      message => setTransactionMessageFeePayerSigner(signer, message),
      message => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      message => appendTransactionMessageInstruction(transferInstruction(signer.address, to, BigInt(SOL)), message),
      message => signTransactionMessageWithSigners(message),
    );
    const wire = getBase64EncodedWireTransaction(transaction);
    const {value: trial} = await rpc
      .simulateTransaction(wire, {
        encoding: 'base64',
        commitment: 'processed',
        accounts: {encoding: 'base64', addresses: [to]},
      })
      .send();
    equal(trial.err, null);
    equal(trial.accounts[0]?.lamports, BigInt(SOL));
    equal((await rpc.getBalance(to).send()).value, 0n);

    const signature = await rpc.sendTransaction(wire, {encoding: 'base64', preflightCommitment: 'processed'}).send();
    equal(signature, getSignatureFromTransaction(transaction));
    const {value: statuses} = await rpc.getSignatureStatuses([signature]).send();
    equal(statuses[0]?.confirmationStatus, 'confirmed');
    equal((await rpc.getBalance(to).send()).value, BigInt(SOL));
    equal((await rpc.getAccountInfo(to, {encoding: 'base64'}).send()).value?.space, 0n);
    const read = await rpc.getTransaction(signature, {encoding: 'json', maxSupportedTransactionVersion: 0}).send();
    equal(read?.transaction.message.accountKeys[0], signer.address);
    equal(read.meta?.computeUnitsConsumed, 150n);
  });

  it('runs a preflight, and a rejected transaction has no effect', async () => {
    const me = await rich(SOL);
    const {wire} = await payment(me, 2 * SOL);
    const count = await connection.getTransactionCount();
    const {error} = await ask('sendTransaction', base64Of(wire), {
      encoding: 'base64',
      preflightCommitment: 'processed',
    });
    equal(error?.code, -32002);
    equal(error.message, 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1');
    deepEqual(error.data?.['err'], {InstructionError: [0, {Custom: 1}]});
    match(JSON.stringify(error.data?.['logs']), /insufficient lamports/);
    equal(await connection.getTransactionCount(), count);
    // The same transaction lands once the account is funded.
    await leg.faucet(`${NAME}:sol`, me.publicKey.toBase58(), BigInt(2 * SOL));
    await connection.sendRawTransaction(wire, {preflightCommitment: 'processed'});
    equal(await connection.getBalance(me.publicKey), SOL - 5_000);
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

  it('rejects invalid signatures', async () => {
    const me = await rich();
    const {wire} = await payment(me, SOL);
    const forged = Uint8Array.from(wire);
    forged[10] = (forged[10] ?? 0) ^ 1;
    const unsigned = Uint8Array.from(wire).fill(0, 1, 65);
    for (const bytes of [forged, unsigned]) {
      const {error} = await ask('sendTransaction', base64Of(bytes), {
        encoding: 'base64',
        preflightCommitment: 'processed',
      });
      equal(error?.code, -32003);
      await ask('sendTransaction', base64Of(bytes), {encoding: 'base64', skipPreflight: true});
      equal(await connection.getBalance(me.publicKey), 10 * SOL);
    }
  });
});
