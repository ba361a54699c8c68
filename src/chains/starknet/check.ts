import {typedData as snip12} from 'starknet';
import type {Asset} from '../../domain/asset.js';
import {reportOf, type CheckReport, type Deal, type StarknetPayload, type TypedData} from '../../domain/deposit.js';
import {
  checkAmount,
  checkLegs,
  checkPin,
  checkRedeemer,
  checkSignature,
  compare,
  hasForm,
  hasKeys,
  runChainCheck,
  isTimelock,
  lockText,
  runCheck,
  readNumber,
  strangeIn,
  textOf,
  textsOf,
  resultOf,
  type Finding,
} from '../checks.js';
import {
  addressText,
  decodeInitiate,
  hasCode,
  isContractAddress,
  isSameStarknetAddress,
  joinAmount,
  joinHash,
  readToken,
  type Terms,
} from './htlc.js';
import {chainIdOf, faultOf, readChainId, type Read} from './rpc.js';

/** API, Starknet `typed_data`. */
const FORM = {
  domain: {
    name: ['HTLC'],
    // As in the specification, and as the number that a contract reads that letter as.
    version: ['1', '0x31'],
    // SNIP-12 knows one revision for these types. Libraries take it as text or as a number.
    revision: ['1', 1],
  },
  domainType: 'StarknetDomain',
  types: {
    StarknetDomain: [
      {name: 'name', type: 'shortstring'},
      {name: 'version', type: 'shortstring'},
      {name: 'chainId', type: 'shortstring'},
      {name: 'revision', type: 'shortstring'},
    ],
    Initiate: [
      {name: 'redeemer', type: 'ContractAddress'},
      {name: 'amount', type: 'u256'},
      {name: 'timelock', type: 'u128'},
      {name: 'secretHash', type: 'u128*'},
    ],
  },
};

/**
 * Checks what the service wants signed or sent against what the person agreed to, in the order in which a person would
 * ask: how much, where, to whom, how. `read` reads the asset's chain, where it can be read.
 */
export async function checkDeal(deal: Deal, read?: Read): Promise<CheckReport> {
  const payload = starknetPayloadOf(deal);
  if (!payload) return reportOf([{name: 'call', outcome: 'failed'}]);
  if (!hasForm(deal)) return reportOf([{name: 'order', outcome: 'failed'}]);
  const {call, typedData} = payload;
  const terms = decodeInitiate(call);
  const strange = typedData && strangeTypedData(typedData);
  /** What a signature would sign, if it is in the known form. */
  const signed = strange === undefined ? typedData : undefined;

  return reportOf([
    runCheck('amount', () => checkAmount(deal, [terms?.amount, ...(signed ? [termsOf(signed)?.amount] : [])])),
    runCheck('chain', () => checkChain(deal, signed)),
    runCheck('contract', () => checkContract(deal, payload)),
    await runChainCheck('code', read, node => checkCode(node, payload)),
    await checkToken(deal.agreed.from, payload, read),
    ...checkRedeemer(deal, [terms?.redeemer], addressText),
    runCheck('call', () => checkCall(deal, payload, terms)),
    ...(typedData ? checkSignature(strange, () => checkSame(termsOf(typedData), terms)) : []),
    ...(await checkLegs(
      deal,
      () => terms?.secretHash,
      source => [
        [terms?.redeemer, source.redeemer, addressText],
        [terms && `${String(terms.timelock)} blocks`, `${String(source.timelock)} blocks`],
      ],
    )),
    runCheck('refund', () => checkRefund(deal)),
  ]);
}

/** What the service prepared, if it is for this family. */
export function starknetPayloadOf({deposit}: Deal): StarknetPayload | undefined {
  if (deposit.how !== 'wallet' || deposit.payload.family !== 'starknet') return undefined;
  // A deal from the journal is no more trusted than one from the service.
  const {to, selector} = (deposit.payload.call as StarknetPayload['call'] | null | undefined) ?? {};
  return typeof to === 'string' && typeof selector === 'string' ? deposit.payload : undefined;
}

/** What typed data would pay into a swap; `undefined` where a part is missing or out of range. */
function termsOf({message}: TypedData): Terms | undefined {
  const {low, high} = (message['amount'] ?? {}) as Readonly<Record<string, unknown>>;
  const words = message['secretHash'];
  const redeemer = readNumber(message['redeemer']);
  const timelock = readNumber(message['timelock']);
  const amount = joinAmount(readNumber(low), readNumber(high));
  const secretHash = Array.isArray(words) ? joinHash(words.map(readNumber)) : undefined;
  if (redeemer === undefined || timelock === undefined || amount === undefined || secretHash === undefined) {
    return undefined;
  }
  return {redeemer: addressText(`0x${redeemer.toString(16)}`), timelock, amount, secretHash};
}

/** The call names no chain. It goes to the wallet's own, which is made sure of before the wallet is asked. */
function checkChain({agreed}: Deal, typedData: TypedData | undefined): Finding {
  const {chain} = agreed.from;
  if (!typedData) return {outcome: 'unchecked', ...textsOf(chain.title, undefined)};
  const id = typedData.domain['chainId'];
  const isSame = readChainId(id) === chainIdOf(chain);
  return resultOf(isSame, chain.title, isSame ? chain.title : typeof id === 'string' ? id : undefined);
}

function checkContract(deal: Deal, {call: {to}}: StarknetPayload): Finding {
  const pinned = checkPin(deal, to, addressText);
  return isContractAddress(to) ? pinned : {...pinned, outcome: 'failed'};
}

async function checkCode(read: Read, {call: {to}}: StarknetPayload): Promise<Finding> {
  if (!isContractAddress(to)) return {outcome: 'failed'};
  return resultOf(await hasCode(read, to), undefined, addressText(to));
}

/** Every coin of this chain is a token, and one that is not named could not be approved. */
async function checkToken({token}: Asset, {call: {to}}: StarknetPayload, read: Read | undefined) {
  if (token === undefined || !isContractAddress(token)) return {name: 'token', outcome: 'failed'} as const;
  const expected = addressText(token);
  return runChainCheck('token', read, async (ask): Promise<Finding> => {
    if (!isContractAddress(to)) return {outcome: 'failed', expected};
    try {
      const found = await readToken(ask, to);
      return resultOf(found === expected, expected, found);
    } catch (error) {
      // The first generation of contracts cannot say its token, so that stays unchecked. No contract, or a refusal,
      // fails.
      if (faultOf(error) === 'no-contract' || faultOf(error) === 'reverted') return {outcome: 'failed', expected};
      throw error;
    }
  });
}

function checkCall({agreed}: Deal, {call}: StarknetPayload, terms: Terms | undefined): Finding {
  if (!terms) return {outcome: 'failed', expected: 'initiate', ...textsOf(undefined, call.selector)};
  const {redeemer, timelock} = terms;
  if (!isContractAddress(redeemer) || isSameStarknetAddress(redeemer, agreed.owner)) {
    return {outcome: 'failed', expected: 'initiate', found: redeemer};
  }
  if (!isTimelock(timelock, agreed.from.chain)) {
    return {outcome: 'failed', expected: 'initiate', found: lockText(timelock, agreed.from.chain)};
  }
  return {outcome: 'passed', found: `initiate, ${lockText(timelock, agreed.from.chain)}`};
}

function checkSame(signed: Terms | undefined, terms: Terms | undefined): Finding {
  return compare([
    [terms?.redeemer, signed?.redeemer],
    [textOf(terms?.timelock), textOf(signed?.timelock)],
    [textOf(terms?.amount), textOf(signed?.amount)],
    [terms?.secretHash, signed?.secretHash],
  ]);
}

/** Names what in typed data is not exactly in the form of the specification. */
export function strangeTypedData(typedData: TypedData): string | undefined {
  return strangeIn(
    typedData,
    FORM,
    () =>
      (!hasKeys(typedData.message['amount'] as object, ['low', 'high']) && 'amount') ||
      // Libraries do not count the words of the hash; with seven words another message would be signed.
      (!termsOf(typedData) && 'message') ||
      (!digestOf(typedData) && 'message'),
  );
}

/** The hash that a signature of the typed data signs (SNIP-12), apart from the account's address. */
export function digestOf(typedData: TypedData): string {
  return snip12.getMessageHash(typedData as never, 1n);
}

/** The contract pays back its order's initiator. */
function checkRefund({agreed, order}: Deal): Finding {
  if (!order) return {outcome: 'unchecked'};
  const {initiator} = order.source;
  return resultOf(isSameStarknetAddress(initiator, agreed.owner), addressText(agreed.owner), addressText(initiator));
}
