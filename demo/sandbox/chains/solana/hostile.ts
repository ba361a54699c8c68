/**
 * What a hostile service could return for a Solana deposit. Each entry takes the honest answer and falsifies one thing,
 * so a test can prove that the widget checks the answer against the agreement.
 */
import {
  AccountRole,
  address as toAddress,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Address,
  type Instruction,
} from '@solana/kit';
import type {Corruption} from '../leg.js';
import {
  SYSTEM_PROGRAM,
  initiateInstruction,
  signerFor,
  swapOf,
  transactionOf,
  transferInstruction,
  unitLimitInstruction,
  unitPriceInstruction,
  type Swap,
} from './htlc.js';

/** The parts of the honest transaction. */
interface Deposit {
  readonly payer: Address;
  readonly swap: Swap;
}

/** The changed parts of a falsified transaction. */
interface Replacement {
  readonly payer?: Address;
  readonly instructions: readonly Instruction[];
  readonly version?: 'legacy' | 0;
}

const attacker = () => signerFor('thief').address;
/** Another program that exists on every cluster. */
const OTHER_PROGRAM = toAddress('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const RECENT_BLOCKHASHES = toAddress('SysvarRecentB1ockHashes11111111111111111111');

/** Replaces the honest transaction by another one with the same blockhash and encoding. */
function replaceTransaction(lie: (deposit: Deposit) => Replacement): Corruption {
  return (answer, terms) => {
    const text = String(answer['versioned_tx']);
    const form = /^([0-9a-f]{2})+$/i.test(text) ? 'hex' : 'base64';
    const honest = getTransactionDecoder().decode(Buffer.from(text, form));
    const {lifetimeToken} = getCompiledTransactionMessageDecoder().decode(honest.messageBytes);
    const swap = swapOf(terms);
    const {payer = swap.initiator, instructions, version} = lie({payer: swap.initiator, swap});
    const wire = transactionOf(payer, instructions, lifetimeToken, version);
    return {...answer, versioned_tx: Buffer.from(wire).toString(form)};
  };
}

const withSwap = (change: (swap: Swap) => Partial<Swap>) =>
  replaceTransaction(({swap}) => ({instructions: [initiateInstruction({...swap, ...change(swap)})]}));

const withInstruction = (change: (honest: Instruction, deposit: Deposit) => readonly Instruction[]) =>
  replaceTransaction(deposit => ({instructions: change(initiateInstruction(deposit.swap), deposit)}));

/** The same call with one of its accounts replaced. */
const withAccount = (place: number) =>
  withInstruction(honest => [
    {
      ...honest,
      accounts: (honest.accounts ?? []).map((account, index) =>
        index === place ? {...account, address: attacker()} : account,
      ),
    },
  ]);

export const corruptions: Readonly<Record<string, Corruption>> = {
  amount: withSwap(({amount}) => ({amount: amount * 2n})),
  redeemer: withSwap(() => ({redeemer: attacker()})),
  'secret-hash-in-call': withSwap(() => ({secretHash: '5a'.repeat(32)})),
  timelock: withSwap(() => ({expiresInSlots: 2n ** 62n})),
  // The owner would pay for the transaction, and another account would get the refund.
  initiator: withSwap(() => ({initiator: attacker()})),
  'fee-payer': replaceTransaction(({swap}) => ({payer: attacker(), instructions: [initiateInstruction(swap)]})),
  contract: replaceTransaction(({swap}) => ({instructions: [initiateInstruction(swap, OTHER_PROGRAM)]})),
  'swap-account': withAccount(0),
  'system-program': withAccount(2),
  'extra-transfer': withInstruction((honest, {payer, swap}) => [
    honest,
    transferInstruction(payer, attacker(), swap.amount),
  ]),
  'extra-deposit': withInstruction((honest, {swap}) => [
    honest,
    initiateInstruction({...swap, redeemer: attacker(), secretHash: '5a'.repeat(32)}),
  ]),
  transfer: withInstruction((_, {payer, swap}) => [transferInstruction(payer, attacker(), swap.amount)]),
  // Only compute budget instructions beside the deposit, but they spend all of the money as a fee.
  'priority-fee': withInstruction((honest, {swap}) => [
    unitLimitInstruction(1_000_000),
    unitPriceInstruction(swap.amount),
    honest,
  ]),
  // With a durable nonce instead of a blockhash, a signed transaction never expires.
  'durable-nonce': withInstruction((honest, {payer}) => [
    {
      programAddress: SYSTEM_PROGRAM,
      accounts: [
        {address: attacker(), role: AccountRole.WRITABLE},
        {address: RECENT_BLOCKHASHES, role: AccountRole.READONLY},
        {address: payer, role: AccountRole.READONLY_SIGNER},
      ],
      data: Uint8Array.of(4, 0, 0, 0),
    },
    honest,
  ]),
  // The accounts are in an address lookup table, which the message only references.
  'lookup-table': replaceTransaction(({swap}) => {
    const {accounts = [], ...honest} = initiateInstruction(swap);
    const hidden = accounts.map((account, addressIndex) => {
      const {address, role} = account;
      return role === AccountRole.WRITABLE ? {address, role, addressIndex, lookupTableAddress: attacker()} : account;
    });
    return {instructions: [{...honest, accounts: hidden}], version: 0};
  }),
  'trailing-bytes': withInstruction(honest => [
    {...honest, data: Buffer.concat([Uint8Array.from(honest.data ?? []), Buffer.alloc(32)])},
  ]),
};
