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
  partyOf,
  readDeed,
  transactionOf,
  transferInstruction,
  unitLimitInstruction,
  unitPriceInstruction,
  type Swap,
} from './htlc.js';

/** The honest transaction, taken apart. */
interface Deposit {
  readonly payer: Address;
  readonly swap: Swap;
  readonly blockhash: string;
}

/** What is made of it instead; what is not named stays as it is. */
interface Lie {
  readonly payer?: Address;
  readonly instructions: readonly Instruction[];
  readonly version?: 'legacy' | 0;
}

const thief = () => partyOf('thief').address;
/** A program that is there on every cluster, and is not ours. */
const OTHER_PROGRAM = toAddress('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const RECENT_BLOCKHASHES = toAddress('SysvarRecentB1ockHashes11111111111111111111');

function read(wire: Buffer): Deposit {
  const message = getCompiledTransactionMessageDecoder().decode(getTransactionDecoder().decode(wire).messageBytes);
  const [payer] = message.staticAccounts;
  const [call] = 'instructions' in message ? message.instructions : [];
  const address = (place: number) => message.staticAccounts[place] ?? SYSTEM_PROGRAM;
  const deed =
    call &&
    readDeed({
      program: address(call.programAddressIndex),
      accounts: (call.accountIndices ?? []).map(address),
      data: Uint8Array.from(call.data ?? []),
    });
  if (!payer || deed?.name !== 'initiate') throw new Error('the honest answer is no deposit');
  return {payer, swap: deed, blockhash: message.lifetimeToken};
}

/** Puts another transaction in the place of the honest one, in the form in which that one came. */
function instead(lie: (deposit: Deposit) => Lie): Corruption {
  return answer => {
    const text = String(answer['versioned_tx']);
    const form = /^([0-9a-f]{2})+$/i.test(text) ? 'hex' : 'base64';
    const deposit = read(Buffer.from(text, form));
    const {payer = deposit.payer, instructions, version} = lie(deposit);
    const wire = transactionOf(payer, instructions, deposit.blockhash, version);
    return {...answer, versioned_tx: Buffer.from(wire).toString(form)};
  };
}

const withSwap = (change: (swap: Swap) => Partial<Swap>) =>
  instead(({swap}) => ({instructions: [initiateInstruction({...swap, ...change(swap)})]}));

const withInstruction = (change: (honest: Instruction, deposit: Deposit) => readonly Instruction[]) =>
  instead(deposit => ({instructions: change(initiateInstruction(deposit.swap), deposit)}));

/** The same call with one of its accounts replaced. */
const withAccount = (place: number) =>
  withInstruction(honest => [
    {
      ...honest,
      accounts: (honest.accounts ?? []).map((account, index) =>
        index === place ? {...account, address: thief()} : account,
      ),
    },
  ]);

export const corruptions: Readonly<Record<string, Corruption>> = {
  amount: withSwap(({amount}) => ({amount: amount * 2n})),
  redeemer: withSwap(() => ({redeemer: thief()})),
  'secret-hash-in-call': withSwap(() => ({secretHash: '5a'.repeat(32)})),
  timelock: withSwap(() => ({expiresInSlots: 2n ** 62n})),
  // The owner would pay for the transaction, and somebody else would get the refund.
  initiator: withSwap(() => ({initiator: thief()})),
  'fee-payer': instead(({swap}) => ({payer: thief(), instructions: [initiateInstruction(swap)]})),
  contract: instead(({swap}) => ({instructions: [initiateInstruction(swap, OTHER_PROGRAM)]})),
  'swap-account': withAccount(0),
  'system-program': withAccount(2),
  'extra-transfer': withInstruction((honest, {payer, swap}) => [
    honest,
    transferInstruction(payer, thief(), swap.amount),
  ]),
  'extra-deposit': withInstruction((honest, {swap}) => [
    honest,
    initiateInstruction({...swap, redeemer: thief(), secretHash: '5a'.repeat(32)}),
  ]),
  transfer: withInstruction((_, {payer, swap}) => [transferInstruction(payer, thief(), swap.amount)]),
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
        {address: thief(), role: AccountRole.WRITABLE},
        {address: RECENT_BLOCKHASHES, role: AccountRole.READONLY},
        {address: payer, role: AccountRole.READONLY_SIGNER},
      ],
      data: Uint8Array.of(4, 0, 0, 0),
    },
    honest,
  ]),
  // Which accounts these are is written in a table that the message only names.
  'lookup-table': instead(({swap}) => {
    const {accounts = [], ...honest} = initiateInstruction(swap);
    const hidden = accounts.map((account, addressIndex) => {
      const {address, role} = account;
      return role === AccountRole.WRITABLE ? {address, role, addressIndex, lookupTableAddress: thief()} : account;
    });
    return {instructions: [{...honest, accounts: hidden}], version: 0};
  }),
  'trailing-bytes': withInstruction(honest => [
    {...honest, data: Buffer.concat([Uint8Array.from(honest.data ?? []), Buffer.alloc(32)])},
  ]),
};
