/**
 * What always stops, whatever is set, asked and answered: lies of a service whose contracts, programs and scripts nobody
 * knows, one for each check that sees them. `chains/*-check` has all others.
 */
import {
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Address,
  type Instruction,
} from '@solana/kit';
import {
  OTHER_PROGRAM,
  signerFor,
  transactionOf,
  transferInstruction,
  initiateInstruction,
  unitLimitInstruction,
  unitPriceInstruction,
} from '../../demo/sandbox/chains/solana/htlc.js';
import type {Kind} from '../../demo/minimal-service/legs.js';
import type {MinimalService} from '../../demo/minimal-service/service.js';
import type {AssetId, ChainFamily} from '../../src/domain/asset.js';
import type {CheckName, Policy} from '../../src/domain/deposit.js';
import type {NodeSwap} from '../support/node-session.js';
import {big, HASH, hex, inDomain, inFelts, inLeg, inMessage, inOrder, inTransaction, KEY, THIEF} from './lies.js';
import {tokenOf} from './thief.js';
import {both, type Lie} from './man.js';

export interface Told {
  readonly swap: NodeSwap;
  readonly service: MinimalService;
}

export interface Fact {
  readonly check: CheckName;
  readonly name: string;
  readonly lie: Lie | ((told: Told) => Lie | Promise<Lie>);
  readonly policy?: Policy;
  /** The form of the service; a plain one unless it is given. */
  readonly kind?: Kind;
}

type Row = readonly [check: CheckName, name: string, lie: Fact['lie']];
const facts = (rows: readonly Row[], more: Partial<Fact> = {}): Fact[] =>
  rows.map(([check, name, lie]) => ({check, name, lie, ...more}));

/* -- the order as read: the same for all families ---------------------------------------------------------------------- */

const ORDER = facts([
  ['order', 'a key as recipient', inLeg('destination_swap', () => ({redeemer: KEY}))],
  ['order', 'one unit less arrives', inLeg('destination_swap', ({amount}) => ({amount: String(big(amount) - 1n)}))],
  ['refund', 'a key of another payer', inLeg('source_swap', () => ({initiator: KEY}))],
  ['secret', 'a secret that is out', inLeg('source_swap', () => ({secret: HASH}))],
]);

/* -- Bitcoin ------------------------------------------------------------------------------------------------------------ */

/** Another address in the answer and in the order. */
const everywhere = (to: string): Lie =>
  both(
    inOrder([], () => ({to})),
    inLeg('source_swap', () => ({swap_id: to})),
  );

const BITCOIN = facts([
  ['amount', 'one satoshi more', inOrder([], ({amount}) => ({amount: String(big(amount) + 1n)}))],
  ['chain', 'the payer’s own address', ({swap}) => everywhere(swap.payer.account)],
  ['script', 'the address of the thief', inOrder([], () => ({to: THIEF.bitcoin}))],
]);

/* -- EVM and Starknet ----------------------------------------------------------------------------------------------------- */

export const contractsOf = ({contracts}: MinimalService): Readonly<Record<string, string>> =>
  Object.fromEntries(contracts.split(', ').map(one => one.replace(/\.\w+$/, '').split(' ') as [string, string]));

export const atContract = (contract: string): Lie =>
  both(
    inTransaction(() => ({to: contract})),
    inDomain(({verifyingContract}) => (verifyingContract === undefined ? {} : {verifyingContract: contract})),
  );

/** What a contract must not be. */
const CONTRACT = facts([['contract', 'the token as contract', ({swap}) => atContract(tokenOf(swap))]]);

/** The call in the known form, made of the typed data. */
export const readable: Lie = inOrder([], ({transaction, typed_data}) => {
  const {redeemer, timelock, amount, secretHash} = (typed_data as {message: Record<string, string>}).message;
  const words = [redeemer, timelock, amount, secretHash].map(one => String(one).slice(2).padStart(64, '0'));
  return {transaction: {...(transaction as object), data: `0x97ffc7ae${words.join('')}`}};
});

const EVM = facts([
  ['amount', 'twice the amount to sign', inMessage(({amount}) => ({amount: hex(big(amount) * 2n)}))],
  ['chain', 'another chain to sign', inDomain(() => ({chainId: '0x1'}))],
  ['call', 'the payer as redeemer', ({swap}) => inMessage(() => ({redeemer: swap.payer.account}))],
  ['order', 'another redeemer to sign', inMessage(() => ({redeemer: THIEF.evm}))],
  ['secret', 'another hash to sign', inMessage(() => ({secretHash: `0x${HASH}`}))],
  [
    'same',
    'another amount to sign than to send',
    both(
      readable,
      inMessage(({amount}) => ({amount: hex(big(amount) - 1n)})),
    ),
  ],
  [
    'token',
    'a contract that takes another token',
    ({service}) => atContract(contractsOf(service)['base_sepolia:usdc'] ?? ''),
  ],
  ['value', 'coins beside the token', inTransaction(() => ({value: '0x1'}))],
]);

const STARKNET = facts([
  ['amount', 'a high half of the amount', inFelts(3, () => '0x1')],
  ['call', 'the payer as redeemer', ({swap}) => inFelts(0, () => swap.payer.account)],
  ['order', 'another redeemer', inFelts(0, () => THIEF.starknet)],
  ['secret', 'another hash', inFelts(11, before => hex((before + 1n) % 2n ** 32n))],
  ['code', 'no contract', inTransaction(() => ({to: THIEF.starknet}))],
]);

/* -- Solana --------------------------------------------------------------------------------------------------------------- */

interface Parts {
  readonly payer: Address;
  readonly instructions: readonly Instruction[];
  readonly blockhash: string;
}

const inParts = (change: (honest: Parts) => Partial<Parts>): Lie => ({
  order(result) {
    const wire = Buffer.from(String(result['versioned_tx']), 'hex');
    const compiled = getCompiledTransactionMessageDecoder().decode(getTransactionDecoder().decode(wire).messageBytes);
    const {instructions, feePayer} = decompileTransactionMessage(compiled);
    const honest: Parts = {payer: feePayer.address, instructions, blockhash: compiled.lifetimeToken};
    const {payer, instructions: made, blockhash} = {...honest, ...change(honest)};
    Object.assign(result, {versioned_tx: Buffer.from(transactionOf(payer, made, blockhash)).toString('hex')});
  },
});
const instead = (make: (honest: Instruction, payer: Address) => readonly Instruction[]): Lie =>
  inParts(({payer, instructions}) => ({instructions: make(instructions[0]!, payer)}));

const thief = () => signerFor('thief').address;

const SOLANA = facts([
  ['call', 'a second transfer', instead((honest, payer) => [transferInstruction(payer, thief(), 1n), honest])],
  ['call', 'another address than the order’s', instead((_, payer) => [transferInstruction(payer, thief(), 10n ** 9n)])],
  [
    'amount',
    'twice the amount',
    instead(({accounts = []}, payer) => [transferInstruction(payer, accounts[1]!.address, 2n * 10n ** 9n)]),
  ],
  [
    'value',
    'a priority fee of all of it',
    instead(honest => [unitLimitInstruction(1_000_000), unitPriceInstruction(5_000_000_000n), honest]),
  ],
  ['chain', 'a blockhash of another chain', inParts(() => ({blockhash: thief()}))],
  [
    'contract',
    'a program that nobody knows',
    instead((_, payer) => [
      initiateInstruction(
        {initiator: payer, redeemer: thief(), amount: 10n ** 9n, expiresInSlots: 9000n, secretHash: HASH},
        OTHER_PROGRAM,
      ),
    ]),
  ],
]);

/** To a program that is vouched for. */
const SOLANA_OWN = facts(
  [
    ['amount', 'twice the amount', instead(honest => [{...honest, data: withBytes(honest, 8, 2_000_000_000n)}])],
    ['call', 'a timelock of 2^63 slots', instead(honest => [{...honest, data: withBytes(honest, 16, 2n ** 63n)}])],
  ],
  {kind: 'own'},
);

function withBytes({data = new Uint8Array()}: Instruction, at: number, value: bigint): Uint8Array {
  const bytes = Buffer.from(data);
  bytes.writeBigUInt64LE(value, at);
  return bytes;
}

/* -- by family ---------------------------------------------------------------------------------------------------------- */

/** A site that names who may redeem. */
const redeemers = (asset: AssetId, redeemer: string): Fact => ({
  check: 'redeemer',
  name: 'another redeemer than the site’s',
  lie: {},
  policy: {unverified: 'ask', redeemers: {[asset]: [redeemer]}},
});

export const FACTS: Readonly<Record<ChainFamily, readonly Fact[]>> = {
  bitcoin: [...BITCOIN, ...ORDER, redeemers('bitcoin_testnet:btc', KEY)],
  evm: [...CONTRACT, ...EVM, ...ORDER, redeemers('base_sepolia:wbtc', THIEF.evm)],
  solana: [...SOLANA, ...SOLANA_OWN, ...ORDER, redeemers('solana_testnet:sol', THIEF.solana)],
  starknet: [...CONTRACT, ...STARKNET, ...ORDER, redeemers('starknet_sepolia:wbtc', THIEF.starknet)],
};
