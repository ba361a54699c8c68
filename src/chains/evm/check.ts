import {TypedDataEncoder} from 'ethers';
import type {Asset} from '../../domain/asset.js';
import {
  reportOf,
  type CheckReport,
  type Deal,
  type EvmPayload,
  type EvmTransaction,
  type TypedData,
} from '../../domain/deposit.js';
import {
  amountText,
  checkAmount,
  checkLegs,
  checkPin,
  checkRedeemer,
  checkSignature,
  compare,
  hasForm,
  runChainCheck,
  isTimelock,
  lockText,
  lowerCase,
  runCheck,
  readNumber,
  strangeIn,
  textOf,
  textsOf,
  resultOf,
  type Finding,
} from '../checks.js';
import {checksummed, COIN, decodeInitiate, hasCode, isAnswer, plainHex, readToken, type Terms} from './htlc.js';
import {coinOf, type Read} from './rpc.js';

/** API, EVM `typed_data`. */
const FORM = {
  // Domain versions of the public contracts: the specification's sample has 2, later ones 3.
  domain: {name: ['HTLC'], version: ['2', '3']},
  domainType: 'EIP712Domain',
  types: {
    EIP712Domain: [
      {name: 'name', type: 'string'},
      {name: 'version', type: 'string'},
      {name: 'chainId', type: 'uint256'},
      {name: 'verifyingContract', type: 'address'},
    ],
    Initiate: [
      {name: 'redeemer', type: 'address'},
      {name: 'timelock', type: 'uint256'},
      {name: 'amount', type: 'uint256'},
      {name: 'secretHash', type: 'bytes32'},
    ],
  },
};

/**
 * Checks what the service wants signed or sent against what the person agreed to, in the order in which a person would
 * ask: how much, where, to whom, how. `read` reads the asset's chain, where it can be read.
 */
export async function checkDeal(deal: Deal, read?: Read): Promise<CheckReport> {
  const payload = evmPayloadOf(deal);
  if (!payload) return reportOf([{name: 'call', outcome: 'failed'}]);
  if (!hasForm(deal)) return reportOf([{name: 'order', outcome: 'failed'}]);
  const {transaction, typedData} = payload;
  const terms = decodeInitiate(transaction.data);
  const strange = typedData && strangeTypedData(typedData);
  /** What a signature would sign, if it is in the known form. */
  const signed = strange === undefined ? typedData : undefined;

  const results = [
    runCheck('amount', () =>
      checkAmount(deal, [terms?.amount, ...(signed ? [readNumber(signed.message['amount'])] : [])]),
    ),
    runCheck('chain', () => checkChain(deal, transaction, signed)),
    runCheck('contract', () => checkContract(deal, transaction, signed)),
    await runChainCheck('code', read, node => checkCode(node, payload)),
    await runChainCheck('token', read, node => checkToken(node, deal.agreed.from, payload)),
    ...checkRedeemer(deal, [terms?.redeemer], addressText),
    runCheck('call', () => checkCall(deal, payload, terms)),
    ...(typedData ? checkSignature(strange, () => checkSame(typedData, terms)) : []),
    runCheck('value', () => checkValue(deal, payload)),
    ...(await checkLegs(
      deal,
      () => terms?.secretHash.slice('0x'.length),
      source => [
        [terms?.redeemer, source.redeemer, addressText],
        [terms && `${String(terms.timelock)} blocks`, `${String(source.timelock)} blocks`],
      ],
    )),
    runCheck('refund', () => checkRefund(deal)),
  ];
  return reportOf(results);
}

/** What the service prepared, if it is for this family. */
export function evmPayloadOf({deposit}: Deal): EvmPayload | undefined {
  if (deposit.how !== 'wallet' || deposit.payload.family !== 'evm') return undefined;
  // A deal from the journal is no more trusted than one from the service.
  const {to, data, value} = (deposit.payload.transaction as EvmTransaction | null) ?? {};
  return typeof to === 'string' && typeof data === 'string' && typeof value === 'bigint' ? deposit.payload : undefined;
}

/** Whether a text is an address: with the right checksum (EIP-55), or in letters of one case, which carry none. */
export function isEvmAddress(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text) || /^0x0+$/.test(text)) return false;
  const digits = text.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || checksummed(text) === text;
}

export function isSameEvmAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function checkChain({agreed}: Deal, transaction: EvmTransaction, typedData: TypedData | undefined): Finding {
  const {chain} = agreed.from;
  const ids = [transaction.chainId, ...(typedData ? [readNumber(typedData.domain['chainId'])] : [])].map(Number);
  const other = ids.find(id => id !== chain.chainId);
  return resultOf(
    other === undefined,
    chain.title,
    other === undefined ? chain.title : Number.isNaN(other) ? undefined : chainText(other),
  );
}

function checkContract(deal: Deal, transaction: EvmTransaction, typedData: TypedData | undefined): Finding {
  const {to} = transaction;
  const pinned = checkPin(deal, to, addressText);
  if (!isEvmAddress(to)) return {...pinned, outcome: 'failed'};
  if (typedData) {
    const signed = typedData.domain['verifyingContract'];
    if (typeof signed !== 'string' || !isEvmAddress(signed) || !isSameEvmAddress(signed, to)) {
      const expected = pinned.expected ?? pinned.found;
      return {outcome: 'failed', ...textsOf(expected, typeof signed === 'string' ? signed : undefined)};
    }
  }
  return pinned;
}

async function checkCode(read: Read, {transaction: {to}}: EvmPayload): Promise<Finding> {
  if (!isEvmAddress(to)) return {outcome: 'failed'};
  return resultOf(await hasCode(read, to), undefined, addressText(to));
}

async function checkToken(read: Read, asset: Asset, {transaction: {to}}: EvmPayload): Promise<Finding> {
  const expected = asset.token ?? COIN;
  if (!isEvmAddress(to)) return {outcome: 'failed'};
  try {
    const found = await readToken(read, to);
    return resultOf(isSameEvmAddress(found, expected), addressText(expected), addressText(found));
  } catch (error) {
    if (isAnswer(error)) return {outcome: 'failed', expected: addressText(expected)};
    throw error;
  }
}

function checkCall({agreed}: Deal, {transaction}: EvmPayload, terms: Terms | undefined): Finding {
  if (!terms)
    return {
      outcome: 'failed',
      expected: 'initiate',
      ...textsOf(undefined, /^0x[0-9a-f]{8}/i.exec(transaction.data)?.[0]),
    };
  const {redeemer, timelock} = terms;
  if (!isEvmAddress(redeemer) || isSameEvmAddress(redeemer, agreed.owner)) {
    return {outcome: 'failed', expected: 'initiate', found: addressText(redeemer)};
  }
  if (!isTimelock(timelock, agreed.from.chain)) {
    return {outcome: 'failed', expected: 'initiate', found: lockText(timelock, agreed.from.chain)};
  }
  return {outcome: 'passed', found: `initiate, ${lockText(timelock, agreed.from.chain)}`};
}

function checkSame({message}: TypedData, terms: Terms | undefined): Finding {
  const textAt = (name: string) => (typeof message[name] === 'string' ? message[name] : undefined);
  return compare([
    [terms?.redeemer, textAt('redeemer'), lowerCase],
    [textOf(terms?.timelock), textOf(readNumber(message['timelock']))],
    [textOf(terms?.amount), textOf(readNumber(message['amount']))],
    [terms?.secretHash, textAt('secretHash'), lowerCase],
  ]);
}

function checkValue({agreed}: Deal, {transaction}: EvmPayload): Finding {
  const {from} = agreed;
  const unit = from.token === undefined ? from : coinOf(from.chain);
  const expected = from.token === undefined ? agreed.amount : 0n;
  return resultOf(transaction.value === expected, amountText(expected, unit), amountText(transaction.value, unit));
}

/** Names what in typed data is not exactly in the form of the specification. */
export function strangeTypedData(typedData: TypedData): string | undefined {
  const {domain, message} = typedData;
  return strangeIn(
    typedData,
    FORM,
    () =>
      (readNumber(domain['chainId']) === undefined && 'chainId') ||
      (['timelock', 'amount'].some(name => readNumber(message[name]) === undefined) && 'message') ||
      // An ill-formed value, such as a hash that is too short, has no digest.
      (!digestOf(typedData) && 'message'),
  );
}

/**
 * The hash that a signature of the typed data signs (EIP-712). Only typed data with the specification's types is
 * signed.
 */
export function digestOf({domain, message}: TypedData): string {
  return TypedDataEncoder.hash(
    {
      name: String(domain['name']),
      version: String(domain['version']),
      chainId: numberIn(domain['chainId']),
      verifyingContract: plainHex(domain['verifyingContract']),
    },
    {Initiate: FORM.types.Initiate},
    {
      redeemer: plainHex(message['redeemer']),
      timelock: numberIn(message['timelock']),
      amount: numberIn(message['amount']),
      secretHash: plainHex(message['secretHash']),
    },
  );
}

function numberIn(value: unknown): bigint {
  const number = readNumber(value);
  if (number === undefined) throw new TypeError('no number');
  return number;
}

/** The contract pays back its order's initiator. */
function checkRefund({agreed, order}: Deal): Finding {
  if (!order) return {outcome: 'unchecked'};
  const {initiator} = order.source;
  return resultOf(isSameEvmAddress(initiator, agreed.owner), addressText(agreed.owner), addressText(initiator));
}

/** An address with its checksum; anything else as it is. */
function addressText(text: string): string {
  return /^0x[0-9a-f]{40}$/i.test(text) ? checksummed(text) : text;
}

function chainText(id: number): string {
  return `chain ${String(id)}`;
}
