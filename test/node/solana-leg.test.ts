/** The sandbox's Solana leg: its clock, its reorganisations, and the falsifications of a hostile service. */
import {deepEqual, equal, notEqual, ok, rejects} from 'node:assert/strict';
import {createHash, randomBytes} from 'node:crypto';
import {setTimeout as pause} from 'node:timers/promises';
import {address as toAddress, getCompiledTransactionMessageDecoder, getTransactionDecoder} from '@solana/kit';
import {Connection, Keypair, VersionedTransaction} from '@solana/web3.js';
import {startSolanaLeg} from '../../demo/sandbox/chains/solana.js';
import type {ChainLeg, SourceAnswer, Terms} from '../../demo/sandbox/chains/leg.js';
import {
  PROGRAM,
  SYSTEM_PROGRAM,
  signerFor,
  readProgramCall,
  swapAccountOf,
  type ProgramCall,
} from '../../demo/sandbox/chains/solana/htlc.js';

const SOL = 10n ** 9n;
const NAME = 'solana_testnet';
const ATTACKER = signerFor('thief').address;

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

const wireOf = (answer: SourceAnswer, form: 'hex' | 'base64' = 'hex') =>
  Buffer.from(String(answer['versioned_tx']), form);

function signed(answer: SourceAnswer, by: Keypair): Uint8Array {
  const transaction = VersionedTransaction.deserialize(wireOf(answer));
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

  it('reads a swap from the chain, from deposit to end, with the revealed secret', async () => {
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

  it('only counts the first use of a swap account that is used again', async () => {
    const owner = await rich(leg);
    const terms = termsOf(leg, owner.publicKey.toBase58());
    const first = await connection.sendRawTransaction(signed(leg.source(terms), owner));
    await leg.redeem(terms, terms.secret);
    await connection.sendRawTransaction(signed(leg.source(terms), owner));
    const state = leg.stateOf(terms);
    equal(state.initiated?.hash, first);
    ok(state.redeemed);
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

  it('removes a deposit by a reorganisation, with what depends on it and nothing else', async () => {
    const [owner, other] = [await rich(leg), await rich(leg)];
    const mine = termsOf(leg, owner.publicKey.toBase58());
    const others = termsOf(leg, other.publicKey.toBase58());
    const bytes = signed(leg.source(mine), owner);
    const deposit = await connection.sendRawTransaction(bytes);
    const kept = await connection.sendRawTransaction(signed(leg.source(others), other));
    const redeem = await leg.redeem(mine, mine.secret);
    const slot = leg.height();
    const before = leg.stateOf(others);

    await leg.reorg(mine);
    equal(leg.height(), slot);
    deepEqual(leg.stateOf(mine), {filled: 0n, matchesTerms: false});
    deepEqual(leg.stateOf(others), before);
    equal(before.initiated?.hash, kept);
    equal(await connection.getBalance(owner.publicKey), Number(10n * SOL));
    const history = {searchTransactionHistory: true};
    const {value} = await connection.getSignatureStatuses([deposit, redeem, kept], history);
    deepEqual(
      value.map(status => status?.err),
      [undefined, undefined, null],
    );
    equal(await connection.sendRawTransaction(bytes), deposit);
    equal(leg.stateOf(mine).matchesTerms, true);
  });

  it('pays two identical faucet requests in one slot', async () => {
    const fast = await start(1);
    try {
      const to = Keypair.generate().publicKey;
      const gifts = [1, 2, 3].map(() => fast.faucet(`${NAME}:sol`, to.toBase58(), SOL));
      equal(new Set(await Promise.all(gifts)).size, 3);
      equal(await new Connection(String(fast.facts['rpc'])).getBalance(to), Number(3n * SOL));
    } finally {
      await fast.close();
    }
  });
});

describe("the Solana chain's clock", () => {
  let leg: ChainLeg | undefined;
  afterEach(() => leg?.close());

  it('runs at the set speed, with blockhashes that still last a minute', async () => {
    leg = await start(24);
    equal(leg.blockSeconds, 0.4 / 24);
    const connection = new Connection(String(leg.facts['rpc']), 'processed');
    const slotMs = 400 / 24;
    const asked = performance.now();
    const slot = await connection.getSlot();
    const told = performance.now();
    const {blockhash, lastValidBlockHeight} = await connection.getLatestBlockhash('processed');
    const height = await connection.getBlockHeight();
    // As long as 150 slots of a public cluster.
    ok(lastValidBlockHeight - height <= 3_600);
    ok(lastValidBlockHeight - height > 3_600 - (performance.now() - told) / slotMs - 2);
    await pause(600);
    const askedAgain = performance.now();
    const passed = (await connection.getSlot()) - slot;
    const [least, most] = [(askedAgain - told) / slotMs - 1, (performance.now() - asked) / slotMs + 1];
    ok(passed >= least && passed <= most, `${passed} slots, not ${least} to ${most}`);
    await leg.mine(3_000);
    equal((await connection.isBlockhashValid(blockhash)).value, true);
    await leg.mine(600);
    equal((await connection.isBlockhashValid(blockhash)).value, false);
  });

  it('stands still between transactions without a speed', async () => {
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

describe('a falsified answer on Solana', () => {
  let leg: ChainLeg;
  let terms: Terms;
  let honest: Shown;
  before(async () => {
    leg = await start(0);
    terms = termsOf(leg, Keypair.generate().publicKey.toBase58());
    honest = show(leg.source(terms));
  });
  after(() => leg.close());

  interface Shown {
    readonly version: 'legacy' | number;
    readonly signers: readonly string[];
    readonly blockhash: string;
    readonly calls: readonly {
      program: string;
      accounts: readonly string[];
      data: Buffer;
      deed: ProgramCall | undefined;
    }[];
  }

  /** Decodes a transaction as the runtime would. */
  function show(answer: SourceAnswer, form: 'hex' | 'base64' = 'hex'): Shown {
    const message = getCompiledTransactionMessageDecoder().decode(
      getTransactionDecoder().decode(wireOf(answer, form)).messageBytes,
    );
    if (!('instructions' in message)) throw new Error('a message of no known version');
    const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
    const accounts = [...message.staticAccounts, ...lookups.map(({lookupTableAddress}) => lookupTableAddress)];
    return {
      version: message.version,
      signers: accounts.slice(0, message.header.numSignerAccounts),
      blockhash: message.lifetimeToken,
      calls: message.instructions.map(({programAddressIndex, accountIndices = [], data = new Uint8Array()}) => {
        const call = {
          program: accounts[programAddressIndex] ?? SYSTEM_PROGRAM,
          accounts: accountIndices.map(index => accounts[index] ?? SYSTEM_PROGRAM),
          data: Buffer.from(data),
        };
        return {...call, deed: readProgramCall(call)};
      }),
    };
  }

  const lies = (kind: string) => {
    const lie = leg.corruptions[kind];
    if (!lie) throw new Error(`there is no falsification ${kind}`);
    return lie;
  };
  const lied = (kind: string) => show(lies(kind)(leg.source(terms), terms));
  const programCallOf = ({calls}: Shown, index = 0) =>
    calls[index]?.deed as (ProgramCall & {name: 'initiate'}) | undefined;

  /** The difference in the deposit, if it is the only one. */
  function changed(kind: string): Partial<ProgramCall> {
    const shown = lied(kind);
    equal(shown.version, 'legacy');
    deepEqual(shown.signers, honest.signers);
    equal(shown.calls.length, 1);
    equal(shown.calls[0]?.program, PROGRAM);
    const before = new Map(Object.entries(programCallOf(honest) ?? {}));
    return Object.fromEntries(
      Object.entries(programCallOf(shown) ?? {}).filter(([name, value]) => before.get(name) !== value),
    );
  }

  it('comes in the same format as the honest one', () => {
    deepEqual(honest.signers, [terms.initiator]);
    const {amount, redeemer, initiator, secretHash} = terms;
    const swapAccount = swapAccountOf(toAddress(initiator), secretHash);
    const swap = {swapAccount, amount, redeemer, initiator, secretHash, expiresInSlots: 9_000n};
    deepEqual(programCallOf(honest), {name: 'initiate', ...swap});
  });

  it('changes only what it names in the deposit', () => {
    deepEqual(changed('amount'), {amount: 2n * SOL});
    deepEqual(changed('redeemer'), {redeemer: ATTACKER});
    deepEqual(changed('timelock'), {expiresInSlots: 2n ** 62n});
    deepEqual(changed('swap-account'), {swapAccount: ATTACKER});
    const {secretHash, ...rest} = changed('secret-hash-in-call') as Record<string, unknown>;
    equal(secretHash, '5a'.repeat(32));
    // Another hash has another account.
    deepEqual(Object.keys(rest), ['swapAccount']);
  });

  it('can have another initiator or fee payer', () => {
    const initiator = lied('initiator');
    deepEqual([...initiator.signers].sort(), [terms.initiator, ATTACKER].sort());
    equal(initiator.signers[0], terms.initiator);
    equal(programCallOf(initiator)?.initiator, ATTACKER);
    const payer = lied('fee-payer');
    deepEqual(payer.signers, [ATTACKER, terms.initiator]);
    equal(programCallOf(payer)?.initiator, terms.initiator);
  });

  it('can call another program', () => {
    const [call, ...others] = lied('contract').calls;
    deepEqual(others, []);
    notEqual(call?.program, PROGRAM);
    deepEqual(call?.data, honest.calls[0]?.data);
    equal(lied('system-program').calls[0]?.accounts[2], ATTACKER);
  });

  it('can add instructions, or replace the honest one', () => {
    const transfer = {name: 2, amount: SOL};
    const read = (data: Buffer | undefined) => ({name: data?.readUInt32LE(0), amount: data?.readBigUInt64LE(4)});
    const extra = lied('extra-transfer').calls;
    equal(extra.length, 2);
    deepEqual(extra[0], honest.calls[0]);
    deepEqual(extra[1]?.accounts, [terms.initiator, ATTACKER]);
    equal(extra[1].program, SYSTEM_PROGRAM);
    deepEqual(read(extra[1].data), transfer);
    const [only, ...others] = lied('transfer').calls;
    deepEqual(others, []);
    deepEqual(only?.accounts, [terms.initiator, ATTACKER]);
    deepEqual(read(only.data), transfer);
    const twice = lied('extra-deposit');
    deepEqual(twice.calls[0], honest.calls[0]);
    equal(programCallOf(twice, 1)?.redeemer, ATTACKER);
    deepEqual(twice.signers, honest.signers);
  });

  it('can take all of the money as a fee', async () => {
    const owner = await rich(leg);
    const own = termsOf(leg, owner.publicKey.toBase58());
    const connection = new Connection(String(leg.facts['rpc']), 'confirmed');
    const bytes = signed(lies('priority-fee')(leg.source(own), own), owner);
    await connection.sendRawTransaction(bytes);
    // The costs besides amount and rent.
    const fee = 10n * SOL - SOL - 1_726_080n - BigInt(await connection.getBalance(owner.publicKey));
    equal(fee, SOL + 5_000n);
  });

  it('can be a transaction that never expires', () => {
    const [nonce, deposit] = lied('durable-nonce').calls;
    equal(nonce?.program, SYSTEM_PROGRAM);
    equal(nonce.data.readUInt32LE(0), 4);
    deepEqual(deposit, honest.calls[0]);
  });

  it('can hide an account in a lookup table', () => {
    const shown = lied('lookup-table');
    equal(shown.version, 0);
    // The account is replaced by a reference to the table.
    deepEqual(shown.calls[0]?.accounts, [ATTACKER, terms.initiator, SYSTEM_PROGRAM]);
    deepEqual(shown.calls[0].data, honest.calls[0]?.data);
  });

  it('can have trailing bytes', () => {
    deepEqual(
      lied('trailing-bytes').calls[0]?.data,
      Buffer.concat([honest.calls[0]?.data ?? Buffer.alloc(0), Buffer.alloc(32)]),
    );
  });

  it('comes in the later format too, with the same blockhash', async () => {
    const later = await leg.laterSource(terms);
    for (const kind of Object.keys(leg.corruptions)) {
      const answer = lies(kind)(later, terms);
      equal(answer['versioned_tx_gasless'], null);
      const shown = show(answer, 'base64');
      deepEqual(shown.calls, lied(kind).calls, kind);
      equal(shown.blockhash, show(later, 'base64').blockhash);
    }
  });
});
