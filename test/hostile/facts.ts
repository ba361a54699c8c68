/**
 * What always stops, whatever is set, asked and answered: lies of a service whose contracts, programs and scripts nobody
 * knows, by the check that each of them fails.
 */
import {
  AccountRole,
  address as toAddress,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Address,
  type Instruction,
} from '@solana/kit';
import {
  OTHER_PROGRAM,
  signerFor,
  SYSTEM_PROGRAM,
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
import {
  big,
  HASH,
  hex,
  inCall,
  inDomain,
  inFelts,
  inLeg,
  inMessage,
  inOrder,
  inTransaction,
  KEY,
  THIEF,
  times,
} from './lies.js';
import {approve, copyOf} from './thief.js';
import {both, type Asked, type Lie} from './man.js';

/** What a lie may be made of. */
export interface Told {
  readonly swap: NodeSwap;
  readonly service: MinimalService;
}

/** A lie that must stop. */
export interface Fact {
  readonly check: CheckName;
  readonly name: string;
  readonly lie: Lie | ((told: Told) => Lie | Promise<Lie>);
  readonly policy?: Policy;
  /** The form of the service; a plain one unless it is given. */
  readonly kind?: Kind;
  /** Of a contract that is neither known nor vouched for it is asked about. */
  readonly isOfVouched?: boolean;
  /** What it is about is not signed: a call to a contract that is vouched for pays as without the lie. */
  readonly isSigned?: boolean;
}

type Row = readonly [check: CheckName, name: string, lie: Fact['lie']];
const facts = (rows: readonly Row[], more: Partial<Fact> = {}): Fact[] =>
  rows.map(([check, name, lie]) => ({check, name, lie, ...more}));

/* -- the order as read: the same for all families ---------------------------------------------------------------------- */

const ORDER = facts([
  ['order', 'another recipient', inLeg('destination_swap', () => ({redeemer: THIEF.evm}))],
  ['order', 'a key as recipient', inLeg('destination_swap', () => ({redeemer: KEY}))],
  ['order', 'one unit less arrives', inLeg('destination_swap', ({amount}) => ({amount: String(big(amount) - 1n)}))],
  ['order', 'another asset arrives', inLeg('destination_swap', () => ({asset: 'base_sepolia:usdc'}))],
  ['order', 'it arrives on another chain', inLeg('destination_swap', () => ({chain: 'solana_testnet'}))],
  ['order', 'twice the amount in the order', inLeg('source_swap', ({amount}) => ({amount: times(amount, 2n)}))],
  ['order', 'another asset in the order', inLeg('source_swap', () => ({asset: 'base_sepolia:usdc'}))],
  ['refund', 'another payer', inLeg('source_swap', () => ({initiator: THIEF.evm}))],
  ['refund', 'a key of another payer', inLeg('source_swap', () => ({initiator: KEY}))],
  ['secret', 'another hash of the destination', inLeg('destination_swap', () => ({secret_hash: HASH}))],
  ['secret', 'a secret that is out', inLeg('source_swap', () => ({secret: HASH}))],
]);

/* -- Bitcoin ------------------------------------------------------------------------------------------------------------ */

/** Another address in the answer and in the order. */
const everywhere = (to: string): Lie =>
  both(
    inOrder([], () => ({to})),
    inLeg('source_swap', () => ({swap_id: to})),
  );

const BITCOIN: readonly Fact[] = [
  ...facts([
    ['amount', 'twice the amount', inOrder([], ({amount}) => ({amount: times(amount, 2n)}))],
    ['amount', 'one satoshi more', inOrder([], ({amount}) => ({amount: String(big(amount) + 1n)}))],
    ['chain', 'an address of mainnet', everywhere('bc1p4pr78swsn60y4ushe05v28mqpqppxxkfkxu2wun5jw6duc8unj3s5vzrcc')],
    ['chain', 'the payer’s own address', ({swap}) => everywhere(swap.payer.account)],
    ['script', 'the address of the thief', inOrder([], () => ({to: THIEF.bitcoin}))],
    ['script', 'the address of the thief in the order', inLeg('source_swap', () => ({swap_id: THIEF.bitcoin}))],
  ]),
];

/* -- EVM and Starknet ----------------------------------------------------------------------------------------------------- */

/** The contracts of the service, by asset. */
export const contractsOf = ({contracts}: MinimalService): Readonly<Record<string, string>> =>
  Object.fromEntries(contracts.split(', ').map(one => one.replace(/\.\w+$/, '').split(' ') as [string, string]));

export const atContract = (contract: string): Lie =>
  both(
    inTransaction(() => ({to: contract})),
    inDomain(({verifyingContract}) => (verifyingContract === undefined ? {} : {verifyingContract: contract})),
  );

/** What a contract must not be. */
const CONTRACT: readonly Fact[] = facts([
  ['contract', 'the token as contract', ({swap}) => atContract(assetOf(swap)?.token ?? '')],
  ['contract', 'the payer as contract', ({swap}) => atContract(swap.payer.account)],
]);

const USDC = 'base_sepolia:usdc';
const OTHER_ASSET: readonly Fact[] = facts([
  ['contract', 'another token as contract', ({swap}) => atContract(assetOf(swap, USDC)?.token ?? '')],
  ['contract', 'the contract of another asset', ({swap}) => atContract(assetOf(swap, USDC)?.contracts[0] ?? '')],
  [
    'contract',
    'a contract that may take another token',
    async ({swap, service}) => {
      const contract = await copyOf(swap, contractsOf(service)[swap.options.from] ?? '');
      await approve(swap, assetOf(swap, USDC)?.token ?? '', contract);
      return atContract(contract);
    },
  ],
  ['token', 'a contract that takes another token', ({service}) => atContract(contractsOf(service)[USDC] ?? '')],
]);

export const assetOf = ({world, options}: NodeSwap, asset: AssetId = options.from) =>
  world.chainOf(asset).assets[asset];

/** The call in the known form, made of the typed data. */
export const readable: Lie = inOrder([], ({transaction, typed_data}) => {
  const {redeemer, timelock, amount, secretHash} = (typed_data as {message: Record<string, string>}).message;
  const words = [redeemer, timelock, amount, secretHash].map(one => String(one).slice(2).padStart(64, '0'));
  return {transaction: {...(transaction as object), data: `0x97ffc7ae${words.join('')}`}};
});

const inBothCalls = (place: number, field: string, value: string): Lie =>
  both(
    inCall(place, () => value),
    inMessage(() => ({[field]: `0x${value.replace(/^0x/, '')}`})),
  );

const MAX = 'f'.repeat(64);

const EVM_MESSAGE = facts([
  ['amount', 'twice the amount to sign', inMessage(({amount}) => ({amount: hex(big(amount) * 2n)}))],
  ['chain', 'another chain to sign', inDomain(() => ({chainId: '0x1'}))],
  ['contract', 'another contract to sign', inDomain(() => ({verifyingContract: THIEF.evm}))],
  ['call', 'the payer as redeemer', ({swap}) => inMessage(() => ({redeemer: swap.payer.account}))],
  ['order', 'another redeemer to sign', inMessage(() => ({redeemer: THIEF.evm}))],
  ['order', 'another timelock to sign', inMessage(({timelock}) => ({timelock: hex(big(timelock) + 1n)}))],
  ['secret', 'another hash to sign', inMessage(() => ({secretHash: `0x${HASH}`}))],
  ['value', 'coins beside the token', inTransaction(() => ({value: '0x1'}))],
  ['chain', 'another chain to pay on', inTransaction(() => ({chain_id: 1}))],
]);
/** Longer than anything. */
const ENDLESS: readonly Fact[] = facts(
  [['call', 'a lock of 2^255 blocks', inBothCalls(1, 'timelock', (2n ** 255n).toString(16))]],
  {isOfVouched: true},
);

const EVM_TYPES = facts(
  [
    ['call', 'no contract to sign', inDomain(() => ({verifyingContract: 'none'}))],
    ['call', 'other types to sign', inOrder(['typed_data'], () => ({primaryType: 'Permit'}))],
  ],
  {isSigned: true},
);

const EVM_CALL = facts([
  [
    'amount',
    'twice the amount in both',
    both(
      inCall(2, before => hex(before * 2n)),
      inMessage(({amount}) => ({amount: hex(big(amount) * 2n)})),
    ),
  ],
  ['amount', 'all of the token in both', inBothCalls(2, 'amount', MAX)],
  ['same', 'another amount to sign than to send', inMessage(({amount}) => ({amount: hex(big(amount) - 1n)}))],
  ['call', 'the payer as redeemer in both', ({swap}) => inBothCalls(0, 'redeemer', swap.payer.account)],
  ['order', 'another redeemer in both', inBothCalls(0, 'redeemer', THIEF.evm)],
  ['same', 'another redeemer to sign', inMessage(() => ({redeemer: THIEF.evm}))],
  ['secret', 'another hash in both', inBothCalls(3, 'secretHash', HASH)],
  ['value', 'an ether beside the token', inTransaction(() => ({value: '0xde0b6b3a7640000'}))],
]);

const STARKNET: readonly Fact[] = facts([
  ['amount', 'twice the amount', inFelts(2, before => hex(before * 2n))],
  ['amount', 'a high half of the amount', inFelts(3, () => '0x1')],
  ['call', 'the payer as redeemer', ({swap}) => inFelts(0, () => swap.payer.account)],
  ['order', 'another redeemer', inFelts(0, () => THIEF.starknet)],
  ['order', 'another timelock', inFelts(1, before => hex(before + 1n))],
  ['secret', 'another hash', inFelts(11, before => hex((before + 1n) % 2n ** 32n))],
  ['call', 'another entry', inTransaction(() => ({selector: '0xabc'}))],
  ['code', 'no contract', inTransaction(() => ({to: THIEF.starknet}))],
]);

/* -- Solana --------------------------------------------------------------------------------------------------------------- */

interface Parts {
  readonly payer: Address;
  readonly instructions: readonly Instruction[];
  readonly blockhash: string;
  readonly version?: 'legacy' | 0;
}

/** Makes another transaction of the honest one. */
const inParts = (change: (honest: Parts, asked: Asked) => Partial<Parts>): Lie => ({
  order(result, asked) {
    const wire = Buffer.from(String(result['versioned_tx']), 'hex');
    const compiled = getCompiledTransactionMessageDecoder().decode(getTransactionDecoder().decode(wire).messageBytes);
    const {instructions, feePayer} = decompileTransactionMessage(compiled);
    const honest: Parts = {payer: feePayer.address, instructions, blockhash: compiled.lifetimeToken};
    const {payer, instructions: made, blockhash, version} = {...honest, ...change(honest, asked)};
    Object.assign(result, {versioned_tx: Buffer.from(transactionOf(payer, made, blockhash, version)).toString('hex')});
  },
});
const beside = (make: (payer: Address) => Instruction): Lie =>
  inParts(({payer, instructions}) => ({instructions: [make(payer), ...instructions]}));
const instead = (make: (honest: Instruction, payer: Address) => readonly Instruction[]): Lie =>
  inParts(({payer, instructions}) => ({instructions: make(instructions[0]!, payer)}));

const thief = () => signerFor('thief').address;
const system = (data: readonly number[], ...accounts: NonNullable<Instruction['accounts']>): Instruction => ({
  programAddress: SYSTEM_PROGRAM,
  accounts,
  data: Uint8Array.from(data),
});
const asSigner = (address: Address) => ({address, role: AccountRole.WRITABLE_SIGNER});
const NONCES = toAddress('SysvarRecentB1ockHashes11111111111111111111');
const TOKENS = toAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');

/** Beside any payment on Solana. */
const SOLANA_ANY: readonly Row[] = [
  ['call', 'a second transfer', beside(payer => transferInstruction(payer, thief(), 1n))],
  [
    'call',
    'a nonce that never expires',
    beside(payer =>
      system(
        [4, 0, 0, 0],
        {address: thief(), role: AccountRole.WRITABLE},
        {address: NONCES, role: AccountRole.READONLY},
        {address: payer, role: AccountRole.READONLY_SIGNER},
      ),
    ),
  ],
  [
    'call',
    'another owner of the account',
    beside(payer => system([1, 0, 0, 0, ...Array<number>(32).fill(7)], asSigner(payer))),
  ],
  [
    'call',
    'a new account',
    beside(payer =>
      system(
        [0, 0, 0, 0, ...Array<number>(16).fill(1), ...Array<number>(32).fill(7)],
        asSigner(payer),
        asSigner(thief()),
      ),
    ),
  ],
  [
    'call',
    'a token’s transfer',
    beside(payer => ({
      programAddress: TOKENS,
      accounts: [
        {address: thief(), role: AccountRole.WRITABLE},
        {address: thief(), role: AccountRole.WRITABLE},
        {address: payer, role: AccountRole.READONLY_SIGNER},
      ],
      data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0),
    })),
  ],
  [
    'value',
    'a priority fee of all of it',
    inParts(({instructions}) => ({
      instructions: [unitLimitInstruction(1_000_000), unitPriceInstruction(5_000_000_000n), ...instructions],
    })),
  ],
  [
    'call',
    'a priority fee that is not counted',
    beside(() => {
      const {data = [], ...fee} = unitPriceInstruction(1_000_000_000n);
      return {...fee, data: Uint8Array.of(...data, 0)};
    }),
  ],
  [
    'call',
    'signatures that cost a fee each',
    beside(() => ({
      programAddress: toAddress('Ed25519SigVerify111111111111111111111111111'),
      accounts: [],
      data: Uint8Array.of(255, 0),
    })),
  ],
  ['call', 'another fee payer', inParts(() => ({payer: thief()}))],
];

const SOLANA: readonly Fact[] = [
  ...facts([
    ...SOLANA_ANY,
    [
      'amount',
      'twice the amount',
      instead(({accounts = []}, payer) => [transferInstruction(payer, accounts[1]!.address, 10_000_000_000n)]),
    ],
    [
      'call',
      'another address than the order’s',
      instead((_, payer) => [transferInstruction(payer, thief(), 1_000_000_000n)]),
    ],
    ['call', 'the payer’s own address', instead((_, payer) => [transferInstruction(payer, payer, 1_000_000_000n)])],
    ['chain', 'a blockhash of another chain', inParts(() => ({blockhash: thief()}))],
    [
      'contract',
      'a program that nobody knows',
      instead((_, payer) => [
        initiateInstruction(
          {initiator: payer, redeemer: thief(), amount: 1_000_000_000n, expiresInSlots: 9000n, secretHash: HASH},
          OTHER_PROGRAM,
        ),
      ]),
    ],
  ]),
];

/** To a program that is vouched for. */
const SOLANA_OWN: readonly Fact[] = facts(
  [
    ...SOLANA_ANY,
    ['amount', 'twice the amount', instead(honest => [{...honest, data: withBytes(honest, 8, 2_000_000_000n)}])],
    ['call', 'a timelock of 2^63 slots', instead(honest => [{...honest, data: withBytes(honest, 16, 2n ** 63n)}])],
    [
      'call',
      'a transfer to the thief instead',
      instead((_, payer) => [transferInstruction(payer, thief(), 1_000_000_000n)]),
    ],
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
  evm: [
    ...CONTRACT,
    ...OTHER_ASSET,
    ...EVM_MESSAGE,
    ...EVM_TYPES,
    ...[...EVM_CALL, ...ENDLESS].map(fact => byReadable(fact)),
    ...ORDER,
    redeemers('base_sepolia:wbtc', THIEF.evm),
  ],
  solana: [...SOLANA, ...SOLANA_OWN, ...ORDER, redeemers('solana_testnet:sol', THIEF.solana)],
  starknet: [...CONTRACT, ...STARKNET, ...ORDER, redeemers('starknet_sepolia:wbtc', THIEF.starknet)],
};

function byReadable(fact: Fact): Fact {
  const {lie} = fact;
  return {
    ...fact,
    lie: async told => both(readable, typeof lie === 'function' ? await lie(told) : lie),
  };
}
