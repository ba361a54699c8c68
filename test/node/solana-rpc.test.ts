/** The Solana chain's JSON-RPC: client libraries of both generations work with it, and it rejects what nodes reject. */
import {deepEqual, equal, match, ok, rejects} from 'node:assert/strict';
import {randomBytes} from 'node:crypto';
import {
  address as toAddress,
  appendTransactionMessageInstruction,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import {startSolanaLeg} from '../../demo/sandbox/chains/solana.js';
import type {ChainLeg} from '../../demo/sandbox/chains/leg.js';
import {PROGRAM, transferInstruction} from '../../demo/sandbox/chains/solana/htlc.js';

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
    deepEqual(
      (await connection.getSignaturesForAddress(me.publicKey, {before: second, until: airdrop})).map(
        one => one.signature,
      ),
      [first],
    );
    const read = await connection.getTransaction(second, {maxSupportedTransactionVersion: 0});
    equal(read?.version, 0);
    equal(read.meta?.fee, 5_000);
    deepEqual(read.meta.preBalances.slice(0, 2), [1.5 * SOL - 5_000, SOL / 2]);
    deepEqual(read.meta.postBalances.slice(0, 2), [SOL - 10_000, SOL]);
    equal(read.transaction.message.staticAccountKeys[0]?.toBase58(), me.publicKey.toBase58());
    // Without `maxSupportedTransactionVersion` only legacy transactions are returned.
    equal((await ask('getTransaction', second, {commitment: 'confirmed'})).error?.code, -32015);
    const block = await connection.getBlock(read.slot, {maxSupportedTransactionVersion: 0});
    deepEqual(block?.transactions[0]?.transaction.signatures, [second]);
    equal(block.blockTime, await connection.getBlockTime(read.slot));
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
    const {epoch, absoluteSlot} = await rpc.getEpochInfo().send();
    equal(epoch, 0n);
    equal(absoluteSlot, await rpc.getSlot().send());
    // An exact number of lamports above 2^53.
    equal((await rpc.getBalance(toAddress(String(leg.solvers[0]))).send()).value, 10n ** 17n);
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

  it('can skip the preflight: the transaction lands with its error, and costs the fee', async () => {
    const me = await rich(SOL);
    const {wire} = await payment(me, 2 * SOL);
    const signature = await connection.sendRawTransaction(wire, {skipPreflight: true});
    const {value} = await connection.getSignatureStatus(signature);
    deepEqual(value?.err, {InstructionError: [0, {Custom: 1}]});
    equal(await connection.getBalance(me.publicKey), SOL - 5_000);
    const read = await connection.getTransaction(signature, {maxSupportedTransactionVersion: 0});
    deepEqual(read?.meta?.err, {InstructionError: [0, {Custom: 1}]});
    equal(read.meta.fee, 5_000);
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
    equal((await connection.getFeeForMessage(Transaction.from(wire).compileMessage())).value, null);
  });

  it('does not know a recent blockhash at commitment finalized', async () => {
    const me = await rich();
    const {blockhash} = await connection.getLatestBlockhash('confirmed');
    equal((await connection.isBlockhashValid(blockhash, {commitment: 'confirmed'})).value, true);
    equal((await connection.isBlockhashValid(blockhash, {commitment: 'finalized'})).value, false);
    const {wire} = await payment(me, SOL, blockhash);
    await rejects(connection.sendRawTransaction(wire, {preflightCommitment: 'finalized'}), /Blockhash not found/);
    await connection.sendRawTransaction(wire, {preflightCommitment: 'confirmed'});
  });

  it('accepts the same transaction once', async () => {
    const me = await rich();
    const {wire} = await payment(me, SOL);
    const signature = await connection.sendRawTransaction(wire, {preflightCommitment: 'processed'});
    const {error} = await ask('sendTransaction', base64Of(wire), {
      encoding: 'base64',
      preflightCommitment: 'processed',
    });
    equal(error?.code, -32002);
    equal(error.message, 'Transaction simulation failed: This transaction has already been processed');
    equal(await connection.sendRawTransaction(wire, {skipPreflight: true}), signature);
    equal(await connection.getBalance(me.publicKey), 9 * SOL - 5_000);
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
      // A simulation only verifies signatures on request.
      const {result} = await ask('simulateTransaction', base64Of(bytes), {encoding: 'base64', commitment: 'processed'});
      equal((result as {value: {err: unknown}}).value.err, null);
      const strict = {encoding: 'base64', commitment: 'processed', sigVerify: true};
      equal((await ask('simulateTransaction', base64Of(bytes), strict)).error?.code, -32003);
    }
  });

  it('can simulate with another blockhash', async () => {
    const me = await rich();
    const {wire} = await payment(me, SOL, Keypair.generate().publicKey.toBase58());
    const old = await ask('simulateTransaction', base64Of(wire), {encoding: 'base64'});
    equal((old.result as {value: {err: unknown}}).value.err, 'BlockhashNotFound');
    const fresh = await ask('simulateTransaction', base64Of(wire), {encoding: 'base64', replaceRecentBlockhash: true});
    const {err, replacementBlockhash} = (fresh.result as {value: {err: unknown; replacementBlockhash: unknown}}).value;
    equal(err, null);
    deepEqual(replacementBlockhash, await connection.getLatestBlockhash('finalized'));
  });

  it('accepts transactions in base58, the default encoding', async () => {
    const me = await rich();
    const {blockhash} = await connection.getLatestBlockhash('processed');
    for (const config of [{}, {encoding: 'base58'}]) {
      const {wire} = await payment(me, SOL, blockhash);
      const text = getBase58Decoder().decode(wire);
      const {result, error} = await ask('sendTransaction', text, {...config, preflightCommitment: 'processed'});
      equal(error, undefined);
      match(String(result), /^[1-9A-HJ-NP-Za-km-z]{80,90}$/);
    }
    const {wire} = await payment(me, SOL);
    const {error} = await ask('sendTransaction', base64Of(wire), {encoding: 'base58'});
    equal(error?.code, -32602);
    equal((await ask('sendTransaction', base64Of(wire), {encoding: 'hex'})).error?.code, -32602);
  });

  it('rejects bytes that are not a transaction', async () => {
    const me = await rich();
    const {wire} = await payment(me, SOL);
    const bad = [
      new Uint8Array(),
      wire.subarray(0, -1),
      Buffer.concat([wire, Buffer.alloc(1)]),
      randomBytes(200),
      Buffer.concat([wire, Buffer.alloc(1_300)]),
    ];
    for (const bytes of bad) {
      const {error} = await ask('sendTransaction', base64Of(bytes), {encoding: 'base64'});
      equal(error?.code, -32602, base64Of(bytes).slice(0, 20));
    }
  });

  it('charges the priority fee, and returns it in advance', async () => {
    const me = await rich();
    const limit = ComputeBudgetProgram.setComputeUnitLimit({units: 100_000});
    const price = ComputeBudgetProgram.setComputeUnitPrice({microLamports: 50_000_000});
    const memo = new TransactionInstruction({
      programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
      keys: [],
      data: Buffer.from('hello'),
    });
    const bids: [TransactionInstruction[], number][] = [
      [[limit, price, transferOf(me, SOL)], 5_005_000],
      [[price, transferOf(me, SOL)], 305_000],
      [[price, memo], 10_155_000],
      [[price, ...Array.from({length: 8}, () => memo)], 70_005_000],
      [[memo], 5_000],
    ];
    for (const [instructions, fee] of bids) {
      const {blockhash} = await connection.getLatestBlockhash('processed');
      const plan = new TransactionMessage({payerKey: me.publicKey, recentBlockhash: blockhash, instructions});
      const message = plan.compileToLegacyMessage();
      const transaction = new VersionedTransaction(message);
      transaction.sign([me]);
      equal((await connection.getFeeForMessage(message, 'processed')).value, fee);
      const signature = await connection.sendTransaction(transaction, {preflightCommitment: 'processed'});
      const read = await connection.getTransaction(signature, {maxSupportedTransactionVersion: 0});
      equal(read?.meta?.fee, fee);
    }
  });

  it('loads accounts from lookup tables', async () => {
    const me = await rich();
    const recentSlot = (await connection.getSlot('processed')) - 1;
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: me.publicKey,
      payer: me.publicKey,
      recentSlot,
    });
    const to = Keypair.generate().publicKey;
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: me.publicKey,
      payer: me.publicKey,
      addresses: [to],
    });
    await connection.sendRawTransaction(await signed(me, [create, extend]), {preflightCommitment: 'processed'});
    const {value} = await connection.getAddressLookupTable(table);
    ok(value);
    const message = new TransactionMessage({
      payerKey: me.publicKey,
      recentBlockhash: (await connection.getLatestBlockhash('processed')).blockhash,
      instructions: [SystemProgram.transfer({fromPubkey: me.publicKey, toPubkey: to, lamports: SOL})],
    }).compileToV0Message([value]);
    equal(message.addressTableLookups.length, 1);
    const transaction = new VersionedTransaction(message);
    transaction.sign([me]);
    const signature = await connection.sendTransaction(transaction, {preflightCommitment: 'processed'});
    const read = await connection.getTransaction(signature, {maxSupportedTransactionVersion: 0});
    deepEqual(read?.meta?.loadedAddresses?.writable.map(String), [to.toBase58()]);
    deepEqual(await connection.getSignaturesForAddress(to).then(list => list.map(one => one.signature)), [signature]);
    equal(await connection.getBalance(to), SOL);
  });

  it('shows accounts: owner, data in each encoding, slices, filters', async () => {
    const unknown = Keypair.generate().publicKey;
    const [program, nothing] = await connection.getMultipleAccountsInfo([new PublicKey(PROGRAM), unknown]);
    equal(program?.executable, true);
    equal(nothing, null);
    equal(await connection.getMinimumBalanceForRentExemption(120), 1_726_080);
    const {error} = await ask('getAccountInfo', PROGRAM, {encoding: 'jsonParsed'});
    equal(error, undefined);
    const slice = await connection.getAccountInfo(new PublicKey(PROGRAM), {dataSlice: {offset: 0, length: 4}});
    equal(slice?.data.length, 4);
    equal((await ask('getAccountInfo', PROGRAM, {encoding: 'base64+zstd'})).error?.code, -32602);
    deepEqual((await connection.getProgramAccounts(new PublicKey(PROGRAM))).length, 0);
  });

  it('returns slot, height and epoch', async () => {
    equal(await connection.getGenesisHash(), leg.facts['genesisHash']);
    const processed = await connection.getSlot('processed');
    const confirmed = await connection.getSlot('confirmed');
    equal(processed - confirmed, 1);
    equal(processed - (await connection.getSlot('finalized')), 32);
    // Slot and block height differ.
    ok((await connection.getBlockHeight('processed')) < processed);
    await leg.mine(9_000);
    equal(await connection.getSlot('processed'), processed + 9_000);
    equal(await connection.getBlockTime(confirmed + 9_000), ((await connection.getBlockTime(confirmed)) ?? 0) + 3_600);
    equal((await ask('getHealth')).result, 'ok');
    match(JSON.stringify((await ask('getVersion')).result), /solana-core/);
    equal((await ask('getBlock', processed + 9_001)).error?.code, -32004);
    equal((await ask('getSlot', {minContextSlot: processed + 20_000})).error?.code, -32016);
    equal((await ask('getTransaction', '1'.repeat(88), {commitment: 'processed'})).error?.code, -32602);
  });

  it('allows pages of any origin, handles batches and invalid requests', async () => {
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {origin: 'https://partner.example', 'access-control-request-headers': 'content-type,solana-client'},
    });
    equal(preflight.status, 204);
    equal(preflight.headers.get('access-control-allow-origin'), '*');
    equal(preflight.headers.get('access-control-allow-headers'), 'content-type,solana-client');
    equal((await fetch(url)).status, 405);

    const one = {jsonrpc: '2.0', id: 'a', method: 'getHealth'};
    const list = (await (await post(JSON.stringify([one, {...one, id: 2, method: 'nothing'}]))).json()) as RpcAnswer[];
    deepEqual(list, [
      {jsonrpc: '2.0', result: 'ok', id: 'a'},
      {jsonrpc: '2.0', error: {code: -32601, message: 'Method not found'}, id: 2},
    ]);
    const codeOf = async (body: string) => ((await (await post(body)).json()) as RpcAnswer).error?.code;
    equal(await codeOf('{'), -32700);
    equal(await codeOf('[]'), -32600);
    equal(await codeOf('7'), -32600);
    equal(await codeOf(JSON.stringify({...one, jsonrpc: '1.0'})), -32600);
    equal(await codeOf(JSON.stringify({...one, params: {}})), -32602);
    for (const [method, ...params] of [
      ['getBalance'],
      ['getBalance', 'nobody'],
      ['getBalance', PROGRAM, {commitment: 'max'}],
      ['getBalance', PROGRAM, 'confirmed'],
      ['getSignatureStatuses', 'abc'],
      ['getSignatureStatuses', ['abc']],
      ['getMinimumBalanceForRentExemption', '1'],
      ['requestAirdrop', PROGRAM, 0],
    ] as const) {
      equal((await ask(method, ...params)).error?.code, -32602, `${method} ${JSON.stringify(params)}`);
    }
  });

  it('returns the error messages that client libraries know', async () => {
    const nobody = Keypair.generate();
    const {wire} = await payment(nobody, 1);
    const error: unknown = await connection
      .sendRawTransaction(wire, {preflightCommitment: 'processed'})
      .catch((reason: unknown) => reason);
    ok(error instanceof SendTransactionError);
    match(error.message, /Attempt to debit an account but found no record of a prior credit/);
  });
});
