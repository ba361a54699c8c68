/**
 * What a hostile service might answer for a Solana deposit, one lie at a time. Each takes the honest answer and returns
 * it with that one lie in it, so a test can prove that the widget holds the answer against the agreement.
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

/** What the honest transaction is made from. */
interface Deposit {
  readonly payer: Address;
  readonly swap: Swap;
}

/** What is made of it instead; what is not named stays as it is. */
interface Replacement {
  readonly payer?: Address;
  readonly instructions: readonly Instruction[];
  readonly version?: 'legacy' | 0;
}

const attacker = () => signerFor('thief').address;
/** A program that is there on every cluster, and is not ours. */
const OTHER_PROGRAM = toAddress('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const RECENT_BLOCKHASHES = toAddress('SysvarRecentB1ockHashes11111111111111111111');

/** Puts another transaction in the place of the honest one, as young as that one and in the form in which it came. */
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
  // The owner would pay for the transaction, and somebody else would get the refund.
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
  // Nothing but compute-budget instructions beside the deposit, and yet all of the money goes: as a fee.
  'priority-fee': withInstruction((honest, {swap}) => [
    unitLimitInstruction(1_000_000),
    unitPriceInstruction(swap.amount),
    honest,
  ]),
  // With a nonce in place of a blockhash a signed transaction never grows old.
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
  // Which accounts these are is written in a table that the message only names.
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
