/** The HTLC program of the sandbox's Solana chain, in the virtual machine: as published. */
import {deepEqual, equal, ok, throws} from 'node:assert/strict';
import {createHash, randomBytes} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {address as toAddress, type Address, type Instruction} from '@solana/kit';
import {createSolanaChain} from '../../demo/sandbox/chains/solana/svm.js';
import {
  PROGRAM,
  TOKENS,
  TOKENS_PROGRAM,
  bytesOf,
  initiateInstruction,
  mintData,
  mintInstructions,
  redeemInstruction,
  refundInstruction,
  signerFor,
  swapAccountOf,
  tokenAccountOf,
  transactionOf,
  type Signer,
  type Swap,
} from '../../demo/sandbox/chains/solana/htlc.js';
import {check} from '../../demo/sandbox/contracts/solana/build.js';

const SOL = 10n ** 9n;
const SLOTS = 100n;

const sample = JSON.parse(readFileSync(new URL('../support/samples/solana-order.json', import.meta.url), 'utf8')) as {
  result: {versioned_tx: string};
};
const artifact = (name: string) => new URL(`../../demo/sandbox/contracts/solana/${name}.so`, import.meta.url);

const newSecret = () => {
  const secret = randomBytes(32);
  return {secret: secret.toString('hex'), secretHash: createHash('sha256').update(secret).digest('hex')};
};

/** A chain with an initiator and a redeemer who have 10 SOL each, and a swap: of SOL, or of a token that the first may mint. */
function begin(token?: Address) {
  const [initiator, redeemer] = [signerFor('initiator'), signerFor('redeemer')];
  const chain = createSolanaChain({
    slotSeconds: null,
    blockhashSlots: 150,
    accounts: new Map([initiator, redeemer].map(({address}) => [address, 10n * SOL])),
    programs: new Map([
      [PROGRAM, readFileSync(artifact('htlc'))],
      [TOKENS_PROGRAM, readFileSync(artifact('tokens'))],
    ]),
    ...(token && {mints: new Map([[token, mintData(initiator.address, 6)]])}),
  });
  const {secret, secretHash} = newSecret();
  const swap: Swap = {
    initiator: initiator.address,
    redeemer: redeemer.address,
    amount: SOL,
    expiresInSlots: SLOTS,
    secretHash,
    token,
  };
  const account = swapAccountOf(swap);
  const send = (from: Signer, ...instructions: Instruction[]) =>
    chain.send(from.sign(instructions, chain.latestBlockhash('processed').blockhash), 'processed');
  return {
    chain,
    initiator,
    redeemer,
    secret,
    swap,
    account,
    send,
    initiate: (change: Partial<Swap> = {}) => send(initiator, initiateInstruction({...swap, ...change})),
  };
}

const number = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};

const hash = (name: string) => createHash('sha256').update(name).digest().subarray(0, 8);
const key = (address: Address) => Buffer.from(bytesOf(address));
/** The log line of an event. */
const event = (...parts: Buffer[]) => `Program data: ${Buffer.concat(parts).toString('base64')}`;

describe('the HTLC programs on Solana', () => {
  it('is committed as built from its sources', () => {
    const {good, says} = check();
    ok(good, says);
  });

  it('uses the published wire format: our deposit equals the published one byte for byte', () => {
    const published = {
      initiator: toAddress('YH4btvqb4JBWSEJh22MuA231ekpJ5JqbBXQY1apJtKH'),
      redeemer: toAddress('5aYv3mxzXupjUa6Yyi23Yn3n1kbgGEDfrJ6uBDq6VwQo'),
      amount: 354_608_265n,
      expiresInSlots: 216_000n,
      secretHash: 'b8841dc97c588ab9e1b94f62627b97d54f8c1048b28c26749d413032e9d66c4e',
    };
    const blockhash = 'FGpzhRSUHDkRYTQBQ2vFvPnjyhMo3WLzDfhN5mRmWCKG';
    const ours = Buffer.from(transactionOf(published.initiator, [initiateInstruction(published)], blockhash));
    const theirs = Buffer.from(sample.result.versioned_tx, 'hex');
    equal(theirs.length, 324);
    // All but the blockhash.
    const at = theirs.length - 32 - (1 + 1 + 1 + 3 + 1 + 88);
    theirs.copy(ours, at, at, at + 32);
    equal(ours.toString('hex'), theirs.toString('hex'));
  });

  it('uses the published account layout and emits the published events', () => {
    const {chain, swap, account, initiate, redeemer, secret, send} = begin();
    const {slot = 0, logs = []} = chain.find(initiate()) ?? {};
    const held = chain.account(account);
    const hashBytes = Buffer.from(swap.secretHash, 'hex');
    const parties = [key(swap.initiator), key(swap.redeemer), hashBytes];
    ok(held);
    equal(held.programAddress, PROGRAM);
    deepEqual(
      Buffer.from(held.data),
      Buffer.concat([hash('account:SwapAccount'), number(SOL), number(BigInt(slot) + SLOTS), ...parties]),
    );
    ok([...logs].includes(event(hash('event:Initiated'), number(SOL), number(SLOTS), ...parties)));
    const redeemed = chain.find(send(redeemer, redeemInstruction(swap, secret)));
    ok(redeemed?.logs.includes(event(hash('event:Redeemed'), key(swap.initiator), Buffer.from(secret, 'hex'))));
  });

  it('for tokens has the published layout and events, and pays out as its terms say', () => {
    const token = TOKENS.usdc.token;
    const {chain, initiator, redeemer, secret, swap, account, initiate, send} = begin(token);
    for (const {address} of [initiator, redeemer])
      send(initiator, ...mintInstructions(initiator.address, address, token, 2n * SOL));
    const held = () =>
      [initiator, redeemer].map(({address}) =>
        Buffer.from(chain.account(tokenAccountOf(address, token))!.data).readBigUInt64LE(64),
      );
    const coins = chain.account(initiator.address)!.lamports;
    const {slot = 0, logs = []} = chain.find(initiate()) ?? {};
    const [from, rest] = [key(swap.initiator), [key(swap.redeemer), Buffer.from(swap.secretHash, 'hex')]];
    const written = [key(token), number(BigInt(slot) + SLOTS), from, ...rest, number(SOL)];
    const data = Buffer.from(chain.account(account)!.data);
    deepEqual(data.subarray(0, 152), Buffer.concat([hash('account:SwapAccount'), ...written]));
    deepEqual(data.subarray(153), from);
    const said = [number(SOL), number(SLOTS), from, key(token), ...rest, Buffer.of(0)];
    ok([...logs].includes(event(hash('event:Initiated'), ...said)));

    // Another secret; too early.
    throws(() => send(redeemer, redeemInstruction(swap, newSecret().secret)), /6001/);
    throws(() => send(redeemer, refundInstruction(swap)), /6003/);
    const redeemed = chain.find(send(redeemer, redeemInstruction(swap, secret)));
    ok(redeemed?.logs.includes(event(hash('event:Redeemed'), from, Buffer.from(secret, 'hex'))));
    deepEqual(held(), [SOL, 3n * SOL]);
    initiate({amount: SOL / 2n});
    chain.mine(Number(SLOTS) + 1);
    send(redeemer, refundInstruction(swap));
    deepEqual(held(), [SOL, 3n * SOL]);
    // Its own rent came back: left are that of the authority and of the vault, and two fees.
    equal(coins - chain.account(initiator.address)!.lamports, chain.rent(8) + chain.rent(165) + 2n * 5_000n);
  });
});
