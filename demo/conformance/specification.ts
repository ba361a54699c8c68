/**
 * The specification of the service as tables: each field of each response, and its requirements. It is implemented here
 * a second time, without the widget's own schema, so that each can show the other's mistakes.
 */
import {ALL_KNOWN} from '../../src/domain/known/all.js';
import {exactly, kind, list, object, text, type Shape, type Table} from './shapes.js';

/* -- kinds of values ------------------------------------------------------------------------------------------------ */

const digits = text('decimal digits in a string', /^\d+$/);
const amount = text('an amount in the smallest unit, as decimal digits in a string', /^(?:0|[1-9]\d*)$/);
const decimal = text('a decimal number in a string', /^\d+(?:\.\d+)?$/);
const asset = text('an asset identifier, <chain>:<asset>, in a string', /^[a-z0-9_]+:[a-z0-9_.]+$/);
const name = text('a string that is not empty', /^.+$/s);
/** It goes into paths and links. */
const id = text('1 to 128 characters from ! to ~, but not . or ..', /^(?!\.{1,2}$)[!-~]{1,128}$/);
const anyText = kind('a string', value => typeof value === 'string');
const whole = kind('a whole number', value => Number.isInteger(value) && Number(value) >= 0);
const price = kind('a number', value => typeof value === 'number' && Number.isFinite(value) && value >= 0);
const time = text('a time in ISO 8601, in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
const preciseTime = text(
  'a time in ISO 8601, in UTC, with fractions of a second',
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/,
);
const timeOrNull = kind('a time in ISO 8601, or null', value => value === null || time.is(value));
const hash = text('64 hex digits without a prefix', /^[0-9a-f]{64}$/i);
const secret = text('an empty string, or 64 hex digits without a prefix', /^(?:[0-9a-f]{64})?$/i);
const hex = text('a hex string with the prefix 0x', /^0x[0-9a-f]*$/i);
const bareHex = text('a hex string without a prefix', /^(?:[0-9a-f]{2})*$/i);
const address = text('0x and 40 hex digits', /^0x[0-9a-f]{40}$/i);
const starknetAddress = text('0x and up to 64 hex digits', /^0x[0-9a-f]{1,64}$/i);
const word = kind('a whole number of 32 bits', value => whole.is(value) && Number(value) < 2 ** 32);
const anyList = kind('a list', value => Array.isArray(value));

/* -- the envelope --------------------------------------------------------------------------------------------------- */

/** Endpoints: every successful response. */
export const ENVELOPE: Table = {status: exactly('Ok'), result: kind('a result', value => value !== undefined)};

/* -- quotes --------------------------------------------------------------------------------------------------------- */

/** Resources: one side of a quote. */
const QUOTE_SIDE = {asset, amount, display: decimal, value: decimal} satisfies Table;
const QUOTE = {source: object(QUOTE_SIDE), destination: object(QUOTE_SIDE), solver_id: name} satisfies Table;
export const QUOTES: Shape = list(object(QUOTE));

/* -- new orders ----------------------------------------------------------------------------------------------------- */

export type Family = 'bitcoin' | 'evm' | 'solana' | 'starknet';

const typesOf = (types: Readonly<Record<string, string>>) =>
  Object.entries(types).map(([name, type]) => ({name, type}));
/** The lists of a type whose order does not matter: only EIP-712's own order affects a hash. */
const sameSet = (types: Readonly<Record<string, string>>) =>
  kind(`a list of ${Object.keys(types).join(', ')} with their types`, value => {
    const sorted = (list: unknown[]) => JSON.stringify(list.map(one => JSON.stringify(one)).sort());
    return Array.isArray(value) && sorted(value) === sorted(typesOf(types));
  });

const EVM_TRANSACTION = {to: address, value: hex, data: hex, gas_limit: hex, chain_id: whole} satisfies Table;
const EVM_TYPED_DATA = {
  domain: object({name, version: name, chainId: hex, verifyingContract: address}),
  primaryType: exactly('Initiate'),
  types: object({
    EIP712Domain: exactly(
      typesOf({name: 'string', version: 'string', chainId: 'uint256', verifyingContract: 'address'}),
    ),
    Initiate: exactly(typesOf({redeemer: 'address', timelock: 'uint256', amount: 'uint256', secretHash: 'bytes32'})),
  }),
  message: object({
    redeemer: address,
    timelock: hex,
    amount: hex,
    secretHash: text('0x and 64 hex digits', /^0x[0-9a-f]{64}$/i),
  }),
} satisfies Table;
const STARKNET_TYPED_DATA: Table = {
  domain: object({chainId: name, name, revision: name, version: name}),
  primaryType: exactly('Initiate'),
  types: object({
    Initiate: exactly(typesOf({redeemer: 'ContractAddress', amount: 'u256', timelock: 'u128', secretHash: 'u128*'})),
    StarknetDomain: sameSet({
      name: 'shortstring',
      version: 'shortstring',
      chainId: 'shortstring',
      revision: 'shortstring',
    }),
  }),
  message: object({
    amount: object({high: hex, low: hex}),
    redeemer: digits,
    secretHash: kind(
      'a list of 8 whole numbers',
      value => Array.isArray(value) && value.length === 8 && value.every(word.is),
    ),
    timelock: digits,
  }),
};

/** Endpoints, POST: the fields of `result`, by the kind of the source chain. */
export const PLACED: Readonly<Record<Family, Shape>> = {
  bitcoin: object({order_id: id, to: name, amount}),
  evm: object({order_id: id, transaction: object(EVM_TRANSACTION), typed_data: object(EVM_TYPED_DATA)}),
  solana: object({order_id: id, versioned_tx: text('hex digits in a string', /^(?:[0-9a-f]{2})+$/i)}),
  starknet: object({
    order_id: id,
    typed_data: object(STARKNET_TYPED_DATA),
    transaction: object({calldata: list(hex), selector: hex, to: starknetAddress}),
  }),
};

/* -- orders --------------------------------------------------------------------------------------------------------- */

/** Resources: the fields of both legs. */
const SWAP = {
  created_at: time,
  swap_id: name,
  chain: name,
  asset,
  initiator: name,
  redeemer: name,
  timelock: whole,
  filled_amount: amount,
  amount,
  asset_price: price,
  secret_hash: hash,
  secret,
  initiate_tx_hash: anyText,
  redeem_tx_hash: anyText,
  refund_tx_hash: anyText,
  initiate_block_number: digits,
  redeem_block_number: digits,
  refund_block_number: digits,
  required_confirmations: whole,
  current_confirmations: whole,
  initiate_timestamp: timeOrNull,
  redeem_timestamp: timeOrNull,
  refund_timestamp: timeOrNull,
} satisfies Table;

/** Resources: the additional fields of the Bitcoin family's legs; the half-signed refund only for a source. */
export const legOf = (family: Family | undefined, isSource: boolean): Shape =>
  object({
    ...SWAP,
    ...(family === 'bitcoin' && {delegate: name, ...(isSource && {instant_refund_tx: bareHex})}),
  });

/** States: a leg before anything has happened. */
export const UNTOUCHED = {
  filled_amount: exactly('0'),
  secret: exactly(''),
  initiate_tx_hash: exactly(''),
  redeem_tx_hash: exactly(''),
  refund_tx_hash: exactly(''),
  initiate_block_number: exactly('0'),
  redeem_block_number: exactly('0'),
  refund_block_number: exactly('0'),
  current_confirmations: exactly(0),
  initiate_timestamp: exactly(null),
  redeem_timestamp: exactly(null),
  refund_timestamp: exactly(null),
} satisfies Table;

/** Resources: an order without its legs. */
export const ORDER = {
  created_at: preciseTime,
  source_swap: kind('an object', value => typeof value === 'object' && value !== null),
  destination_swap: kind('an object', value => typeof value === 'object' && value !== null),
  nonce: digits,
  order_id: id,
  affiliate_fees: anyList,
  'integrator?': name,
  version: text('v1 or v2', /^v[12]$/),
} satisfies Table;

/* -- chains --------------------------------------------------------------------------------------------------------- */

/** The family of a chain, by its name. */
export function familyOf(chain: string): Family {
  if (/^(?:bitcoin|litecoin|alpen_signet)/.test(chain)) return 'bitcoin';
  if (chain.startsWith('solana')) return 'solana';
  return chain.startsWith('starknet') ? 'starknet' : 'evm';
}

/** Whether a chain is a testnet, by its name. */
export function isTestChain(chain: string): boolean {
  return /(?:testnet|sepolia|signet|regtest|devnet|localnet|shasta)/.test(chain);
}

/** What the widget's catalogue has of a chain. */
export function knownChain(chain: string) {
  return ALL_KNOWN.chains.find(({name}) => name === chain);
}
