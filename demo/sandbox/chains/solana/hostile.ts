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
  TOKENS,
  bytesOf,
  initiateInstruction,
  signerFor,
  swapOf,
  tokenAccountOf,
  tokenInstruction,
  transactionOf,
  transferInstruction,
  unitLimitInstruction,
  unitPriceInstruction,
  type Swap,
} from './htlc.js';

interface Deposit {
  readonly payer: Address;
  readonly swap: Swap;
}

interface Replacement {
  readonly payer?: Address;
  readonly instructions: readonly Instruction[];
  readonly version?: 'legacy' | 0;
}

const attacker = () => signerFor('thief').address;
/** Another program that exists on every cluster. */
const OTHER_PROGRAM = toAddress('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const RECENT_BLOCKHASHES = toAddress('SysvarRecentB1ockHashes11111111111111111111');

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

const replaced = ({accounts = [], ...call}: Instruction, place: number, address = attacker()): Instruction => ({
  ...call,
  accounts: accounts.map((account, index) => (index === place ? {...account, address} : account)),
});

/** The same call with an account replaced, by its place in the call for SOL, and in that for a token. */
const withAccount = (...places: readonly [number, number]) =>
  withInstruction((honest, {swap}) => [replaced(honest, places[swap.token ? 1 : 0])]);

/** A swap of a token: the agreed one, or one in place of SOL. */
const asToken = (swap: Swap) => ({...swap, token: swap.token ?? TOKENS.usdc.token});

/** The call for a token with an account replaced. */
const withTokenAccount = (place: number, address?: (swap: ReturnType<typeof asToken>) => Address) =>
  withInstruction((_, {swap}) => {
    const paid = asToken(swap);
    return [replaced(initiateInstruction(paid), place, address?.(paid))];
  });

/** An instruction beside the honest one, about the payer's own account for a token. */
const withTokenCall = (kind: 3 | 4 | 6 | 9, isAbout: 'both' | 'own', data: (swap: Swap) => Uint8Array) =>
  withInstruction((honest, {payer, swap}) => {
    const {token} = asToken(swap);
    const accounts = [tokenAccountOf(payer, token), ...(isAbout === 'both' ? [tokenAccountOf(attacker(), token)] : [])];
    return [honest, tokenInstruction(kind, payer, accounts, data(swap))];
  });
const amountOf = ({amount}: Swap) => new Uint8Array(new BigUint64Array([amount]).buffer);

export const corruptions: Readonly<Record<string, Corruption>> = {
  amount: withSwap(({amount}) => ({amount: amount * 2n})),
  redeemer: withSwap(() => ({redeemer: attacker()})),
  'secret-hash-in-call': withSwap(() => ({secretHash: '5a'.repeat(32)})),
  timelock: withSwap(() => ({expiresInSlots: 2n ** 62n})),
  // The owner would pay for the transaction, and another account would get the refund.
  initiator: withSwap(() => ({initiator: attacker()})),
  'fee-payer': replaceTransaction(({swap}) => ({payer: attacker(), instructions: [initiateInstruction(swap)]})),
  contract: replaceTransaction(({swap}) => ({instructions: [initiateInstruction(swap, OTHER_PROGRAM)]})),
  'swap-account': withAccount(0, 1),
  'system-program': withAccount(2, 8),
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
  token: withSwap(({token}) => ({token: token === TOKENS.usdc.token ? TOKENS.cbbtc.token : TOKENS.usdc.token})),
  mint: withTokenAccount(5),
  authority: withTokenAccount(0),
  vault: withTokenAccount(2, ({token}) => tokenAccountOf(attacker(), token)),
  'own-tokens': withTokenAccount(4),
  sponsor: withTokenAccount(6),
  'token-program': withTokenAccount(7),
  'token-transfer': withTokenCall(3, 'both', amountOf),
  'token-approval': withTokenCall(4, 'both', amountOf),
  // The account's owner, 2, becomes somebody else.
  'token-authority': withTokenCall(6, 'own', () => Uint8Array.of(2, 1, ...bytesOf(attacker()))),
  'token-closing': withTokenCall(9, 'both', () => new Uint8Array()),
  'trailing-bytes': withInstruction(honest => [
    {...honest, data: Buffer.concat([Uint8Array.from(honest.data ?? []), Buffer.alloc(32)])},
  ]),
};
