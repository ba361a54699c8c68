/** The HTLC program of the sandbox's Solana chain, in the virtual machine: what it does, and what it rejects. */
import {deepEqual, equal, ok} from 'node:assert/strict';
import {createHash, randomBytes} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {AccountRole, address as toAddress, type Address, type Instruction} from '@solana/kit';
import {NotLanded, createSolanaChain} from '../../demo/sandbox/chains/solana/svm.js';
import {
  PROGRAM,
  bytesOf,
  initiateInstruction,
  signerFor,
  redeemInstruction,
  refundInstruction,
  swapAccountOf,
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
const program = readFileSync(new URL('../../demo/sandbox/contracts/solana/htlc.so', import.meta.url));

const newSecret = () => {
  const secret = randomBytes(32);
  return {secret: secret.toString('hex'), secretHash: createHash('sha256').update(secret).digest('hex')};
};

/** A chain with an initiator, a redeemer and a stranger who have 10 SOL each, and a swap. */
function begin() {
  const [initiator, redeemer, stranger] = ['initiator', 'redeemer', 'stranger'].map(signerFor) as [
    Signer,
    Signer,
    Signer,
  ];
  const chain = createSolanaChain({
    slotSeconds: null,
    blockhashSlots: 150,
    accounts: new Map([initiator, redeemer, stranger].map(({address}) => [address, 10n * SOL])),
    programs: new Map([[PROGRAM, program]]),
  });
  const {secret, secretHash} = newSecret();
  const swap: Swap = {
    initiator: initiator.address,
    redeemer: redeemer.address,
    amount: SOL,
    expiresInSlots: SLOTS,
    secretHash,
  };
  const account = swapAccountOf(swap.initiator, secretHash);
  const send = (from: Signer, ...instructions: Instruction[]) =>
    chain.send(from.sign(instructions, chain.latestBlockhash('processed').blockhash), 'processed');
  return {
    chain,
    initiator,
    redeemer,
    stranger,
    secret,
    swap,
    account,
    send,
    initiate: (change: Partial<Swap> = {}) => send(initiator, initiateInstruction({...swap, ...change})),
    balance: (address: Address) => chain.account(address)?.lamports ?? 0n,
    /** The error of a rejected instruction, which must not have changed anything. */
    refused(from: Signer, ...instructions: Instruction[]) {
      try {
        send(from, ...instructions);
      } catch (error) {
        if (error instanceof NotLanded) return error.outcome.error;
        throw error;
      }
      throw new Error('it was not rejected');
    },
  };
}

const number = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};
const custom = (code: number, index = 0) => ({InstructionError: [index, {Custom: code}]});
const withAccounts = (instruction: Instruction, change: (accounts: NonNullable<Instruction['accounts']>) => unknown) =>
  ({...instruction, accounts: change(instruction.accounts ?? [])}) as Instruction;
const replaced = (instruction: Instruction, place: number, by: {address?: Address; role?: AccountRole}) =>
  withAccounts(instruction, accounts => accounts.map((one, index) => (index === place ? {...one, ...by} : one)));
const withData = (instruction: Instruction, change: (data: Buffer) => Uint8Array): Instruction => ({
  ...instruction,
  data: change(Buffer.from(instruction.data ?? [])),
});

describe('the HTLC program on Solana', () => {
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
    const hash = (name: string) => createHash('sha256').update(name).digest().subarray(0, 8);
    const key = (address: Address) => Buffer.from(bytesOf(address));
    const hashBytes = Buffer.from(swap.secretHash, 'hex');
    const parties = [key(swap.initiator), key(swap.redeemer), hashBytes];
    ok(held);
    equal(held.programAddress, PROGRAM);
    deepEqual(
      Buffer.from(held.data),
      Buffer.concat([hash('account:SwapAccount'), number(SOL), number(BigInt(slot) + SLOTS), ...parties]),
    );
    const event = (...parts: Buffer[]) => `Program data: ${Buffer.concat(parts).toString('base64')}`;
    ok([...logs].includes(event(hash('event:Initiated'), number(SOL), number(SLOTS), ...parties)));
    const redeemed = chain.find(send(redeemer, redeemInstruction(swap, secret)));
    ok(redeemed?.logs.includes(event(hash('event:Redeemed'), key(swap.initiator), Buffer.from(secret, 'hex'))));
  });

  it('only accepts the secret', () => {
    const {swap, secret, redeemer, initiate, refused} = begin();
    initiate();
    const form = redeemInstruction(swap, secret);
    deepEqual(refused(redeemer, redeemInstruction(swap, randomBytes(32).toString('hex'))), custom(6002));
    deepEqual(refused(redeemer, redeemInstruction(swap, swap.secretHash)), custom(6002));
    deepEqual(
      refused(
        redeemer,
        withData(form, data => data.subarray(0, -1)),
      ),
      custom(102),
    );
    deepEqual(
      refused(
        redeemer,
        withData(form, data => Buffer.concat([data, Buffer.alloc(1)])),
      ),
      custom(102),
    );
  });

  it('only pays redeemer or initiator', () => {
    const {swap, secret, redeemer, stranger, initiate, refused, chain} = begin();
    initiate();
    const redeem = redeemInstruction(swap, secret);
    deepEqual(refused(stranger, replaced(redeem, 2, {address: stranger.address})), custom(6001));
    deepEqual(refused(stranger, replaced(redeem, 1, {address: stranger.address})), custom(6000));
    deepEqual(refused(redeemer, replaced(redeem, 2, {address: swap.initiator})), custom(6001));
    deepEqual(refused(redeemer, replaced(redeem, 1, {address: swap.redeemer})), custom(6000));
    deepEqual(refused(redeemer, replaced(redeem, 1, {role: AccountRole.READONLY})), custom(2000));
    deepEqual(refused(redeemer, replaced(redeem, 0, {role: AccountRole.READONLY})), custom(2000));
    chain.mine(2 * Number(SLOTS));
    deepEqual(refused(stranger, replaced(refundInstruction(swap), 1, {address: stranger.address})), custom(6000));
  });
});
