/** The sandbox's Solana leg: its responses, its reads of the chain, and its clock. */
import {deepEqual, equal, ok, rejects} from 'node:assert/strict';
import {createHash, randomBytes} from 'node:crypto';
import {setTimeout as pause} from 'node:timers/promises';
import {address as toAddress} from '@solana/kit';
import {Connection, Keypair, VersionedTransaction} from '@solana/web3.js';
import {startSolanaLeg} from '../../demo/sandbox/chains/solana.js';
import type {ChainLeg, SourceAnswer, Terms} from '../../demo/sandbox/chains/leg.js';
import {PROGRAM, SYSTEM_PROGRAM, readProgramCall, swapAccountOf} from '../../demo/sandbox/chains/solana/htlc.js';

const SOL = 10n ** 9n;
const NAME = 'solana_testnet';

const start = (speed: number) =>
  startSolanaLeg({name: NAME, walletChain: 'solana:devnet', solvers: ['solver 2', 'solver 1'], port: 0, speed});

function termsOf(leg: ChainLeg, initiator: string): Terms & {secret: string} {
  const secret = randomBytes(32);
  return {
    asset: `${NAME}:sol`,
    initiator,
    redeemer: leg.solvers[0] ?? '',
    timelock: 9_000,
    amount: SOL,
    secretHash: createHash('sha256').update(secret).digest('hex'),
    secret: secret.toString('hex'),
  };
}

async function rich(leg: ChainLeg): Promise<Keypair> {
  const owner = Keypair.generate();
  await leg.faucet(`${NAME}:sol`, owner.publicKey.toBase58(), 10n * SOL);
  return owner;
}

function signed(answer: SourceAnswer, by: Keypair): Uint8Array {
  const transaction = VersionedTransaction.deserialize(Buffer.from(String(answer['versioned_tx']), 'hex'));
  transaction.sign([by]);
  return transaction.serialize();
}

describe("the sandbox's Solana leg", () => {
  let leg: ChainLeg;
  let connection: Connection;
  before(async () => {
    leg = await start(0);
    connection = new Connection(String(leg.facts['rpc']), 'confirmed');
  });
  after(() => leg.close());

  it('returns a deposit, unsigned, in hex; in the later format the same in base64', async () => {
    const terms = termsOf(leg, Keypair.generate().publicKey.toBase58());
    const {initiator, redeemer, amount, secretHash, timelock} = terms;
    const later = await leg.laterSource(terms);
    equal(later['versioned_tx_gasless'], null);
    for (const [answer, form] of [[leg.source(terms), 'hex'] as const, [later, 'base64'] as const]) {
      const wire = Buffer.from(String(answer['versioned_tx']), form);
      const {signatures, message} = VersionedTransaction.deserialize(wire);
      equal(message.version, 'legacy');
      deepEqual(signatures, [new Uint8Array(64)]);
      equal((await connection.isBlockhashValid(message.recentBlockhash)).value, true);
      const [owner, ...others] = message.staticAccountKeys.map(key => toAddress(key.toBase58()));
      equal(owner, initiator);
      const swapAccount = swapAccountOf(owner, secretHash);
      deepEqual(others, [swapAccount, SYSTEM_PROGRAM, PROGRAM]);
      deepEqual(
        message.compiledInstructions.map(({accountKeyIndexes, data}) => {
          const accounts = accountKeyIndexes.map(index => [owner, ...others][index]!);
          return readProgramCall({program: PROGRAM, accounts, data});
        }),
        [{name: 'initiate', swapAccount, amount, redeemer, initiator, secretHash, expiresInSlots: BigInt(timelock)}],
      );
    }
  });

  it('reads a swap from deposit to end, with the revealed secret', async () => {
    const owner = await rich(leg);
    const terms = termsOf(leg, owner.publicKey.toBase58());
    deepEqual(leg.stateOf(terms), {filled: 0n, matchesTerms: false});
    const hash = await connection.sendRawTransaction(signed(leg.source(terms), owner));
    const block = leg.height();
    const {initiated, ...locked} = leg.stateOf(terms);
    deepEqual(locked, {filled: SOL, matchesTerms: true});
    deepEqual({hash: initiated?.hash, block: initiated?.block}, {hash, block});
    for (const other of [{amount: SOL + 1n}, {timelock: 9_001}, {redeemer: leg.solvers[1] ?? ''}]) {
      equal(leg.stateOf({...terms, ...other}).matchesTerms, false);
    }
    const redeemed = await leg.redeem(terms, terms.secret);
    equal(leg.stateOf(terms).redeemed?.hash, redeemed);
    equal(leg.stateOf(terms).redeemed?.secret, terms.secret);
  });

  it('initiates for a solver, and refunds it only after the timelock', async () => {
    const [solver = ''] = leg.solvers;
    const terms = {...termsOf(leg, solver), redeemer: Keypair.generate().publicKey.toBase58(), timelock: 4_500};
    await leg.initiate(terms);
    equal(leg.stateOf(terms).matchesTerms, true);
    await rejects(leg.refund(terms), /custom program error: 0x1773/);
    await leg.mine(4_500);
    await leg.refund(terms);
    ok(leg.stateOf(terms).refunded);
  });
});

describe("the Solana chain's clock", () => {
  let leg: ChainLeg | undefined;
  afterEach(() => leg?.close());

  it('does not advance between transactions without a speed', async () => {
    leg = await start(0);
    equal(leg.blockSeconds, null);
    const height = leg.height();
    await pause(500);
    equal(leg.height(), height);
    await leg.faucet(`${NAME}:sol`, Keypair.generate().publicKey.toBase58(), SOL);
    equal(leg.height(), height + 1);
    const before = performance.now();
    await leg.mine(9_000);
    equal(leg.height(), height + 9_001);
    ok(performance.now() - before < 100);
  });
});
