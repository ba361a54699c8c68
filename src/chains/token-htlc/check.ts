import type {Asset, OtherAsset} from '../../domain/asset.js';
import {reportOf, type CheckReport, type CheckResult, type Deal, type TypedData} from '../../domain/deposit.js';
import {
  amountText,
  checkAddress,
  checkAmount,
  checkContract,
  checkLegs,
  checkRedeemer,
  compare,
  hasForm,
  isTimelock,
  lockText,
  requireReading,
  resultOf,
  runChainCheck,
  runCheck,
  runKeyCheck,
  standingOf,
  textsOf,
  type Finding,
  type Standing,
} from '../checks.js';
import {checkSignature, otherDomain, strangeIn} from '../typed-data.js';
import type {AnyContractDialect, AnyDialect, Node, Terms} from './dialect.js';

/** What the widget reads in a payload, and how far it may be used. */
export interface Reading {
  readonly contract: string;
  readonly standing: Standing;
  /** The name of its entry point, if the partner vouches for one. */
  readonly entry: string | undefined;
  readonly called: Terms | undefined;
  readonly signed: TypedData | undefined;
  readonly signedTerms: Terms | undefined;
  /** The terms of the payment: of its call, or else of typed data that names the contract. */
  readonly terms: Terms | undefined;
  /** Why typed data may not be signed. */
  readonly strange: string | undefined;
  /** Whether its call may be sent: one that cannot be read only to a contract that the partner vouches for. */
  readonly canSend: boolean;
}

export function readPayload(dialect: AnyDialect, deal: Deal, payload: unknown): Reading {
  const {typedData} = payload as {readonly typedData?: TypedData};
  const {from} = deal.agreed;
  const contract = dialect.contract(payload);
  const standing = standingOf(deal, contract, text => dialect.address(text));
  const entry = from.vouched?.find(({address}) => dialect.address(address) === dialect.address(contract))?.entry;
  const called = dialect.terms(payload, entry);
  const strange = typedData && strangeTypedData(dialect, typedData, from, standing);
  const signed = strange === undefined ? typedData : undefined;
  const signedTerms = signed && dialect.signedTerms(signed);
  const isNamedCall = standing === 'vouched' && (!dialect.isEntry || dialect.isEntry(payload, entry));
  return {
    contract,
    standing,
    entry,
    called,
    strange,
    signed,
    signedTerms,
    terms: called ?? (dialect.signedContract ? signedTerms : undefined),
    canSend: called !== undefined || isNamedCall,
  };
}

/** For finding the payment, not for checking it: if the payload has no terms, those of the order. */
export function paidTerms(
  dialect: AnyDialect,
  {order}: Pick<Deal, 'order'>,
  {terms: read}: Reading,
): Terms | undefined {
  if (read || !order || !Number.isSafeInteger(order.source.timelock)) return read;
  const {redeemer, timelock, amount, secretHash} = order.source;
  return {redeemer: dialect.address(redeemer), timelock: BigInt(timelock), amount, secretHash};
}

/** Checks how much, where, to whom, how, in order of interest. `node` reads the asset's chain, if it can be read. */
export async function checkDeal(
  dialect: AnyDialect,
  deal: Deal,
  node?: Node<unknown>,
  others: readonly OtherAsset[] = [],
): Promise<CheckReport> {
  const payload: unknown = dialect.payload(deal);
  if (!payload) return reportOf([{name: 'call', outcome: 'failed'}]);
  if (!hasForm(deal)) return reportOf([{name: 'order', outcome: 'failed'}]);
  const {typedData} = payload as {readonly typedData?: TypedData};
  const {from} = deal.agreed;
  const {coin} = dialect;
  const reading = readPayload(dialect, deal, payload);
  const {contract, standing, called, signed, signedTerms, terms, strange} = reading;
  const form = (text: string) => dialect.address(text);

  return reportOf(
    [
      runCheck('amount', () => checkMoved(deal, reading)),
      runCheck('chain', () => dialect.checkChain(deal, payload, signed)),
      await runContractCheck(dialect, deal, reading, node, others),
      requireReading(await checkCode(dialect, contract, node), standing),
      requireReading(await checkToken(dialect, from, reading, node), standing),
      ...checkRedeemer(deal, terms?.redeemer, form),
      runCheck('call', () => checkCall(dialect, deal, reading, dialect.callName(payload))),
      ...(typedData
        ? checkSignature(
            strange,
            () => (terms && !called ? {outcome: 'unchecked'} : checkSame(signedTerms, called)),
            standing === 'unknown' && signed ? otherDomain(signed, dialect.form) : undefined,
          )
        : []),
      ...(coin
        ? [
            runCheck('value', () => {
              const [wanted, found] = [from.token === undefined ? deal.agreed.amount : 0n, coin.value(payload)];
              const text = (value: bigint) => amountText(value, coin.of(from.chain));
              return resultOf(found === wanted, text(wanted), text(found), ['agreed', 'payment']);
            }),
          ]
        : []),
      ...(await checkLegs(deal, {
        standing,
        // A hash that should be there and could not be read differs from the order's.
        hash: terms?.secretHash ?? (reading.canSend ? undefined : ''),
        terms: source =>
          // A call that cannot be read is sent because the partner vouches for the contract.
          terms || !reading.canSend
            ? [
                [terms?.redeemer, source.redeemer, form],
                [terms && `${String(terms.timelock)} blocks`, `${String(source.timelock)} blocks`],
              ]
            : [],
      })),
      await runRefundCheck(dialect, deal),
    ],
    deal.policy,
  );
}

export function checkCode(
  dialect: AnyContractDialect,
  contract: string,
  node: Node<unknown> | undefined,
): Promise<CheckResult> {
  return runChainCheck('code', node, async at => {
    const hasCode = dialect.isContract(contract) && (await at.hasCode(contract));
    return resultOf(hasCode, undefined, dialect.address(contract), ['chain', 'payment']);
  });
}

/**
 * Exactly the agreed amount leaves, by the call and by the signature. A call that cannot be read is bounded by its
 * value and by the allowance, which is exactly the amount.
 */
function checkMoved(deal: Deal, {called, signed, signedTerms, terms, canSend}: Reading): Finding {
  const {from, amount} = deal.agreed;
  const text = amountText(amount, from);
  if (!terms && canSend) return {outcome: 'passed', expected: text, found: text};
  return checkAmount(deal, [
    ...(called || !terms ? [['payment', called?.amount] as const] : []),
    ...(signed ? [['signature', signedTerms?.amount] as const] : []),
  ]);
}

/**
 * Names the part of typed data that does not exactly have the specified form, so that it is not signed. Its domain must
 * be the one of the contract, where that is known: a signature for another one pays nothing. Typed data that names no
 * contract could be used with any, so it is only signed for one that is known or vouched for.
 */
export function strangeTypedData(
  dialect: AnyDialect,
  typedData: TypedData,
  {versions = {}}: Pick<Asset, 'versions'>,
  standing: Standing = 'known',
): string | undefined {
  const {form} = dialect;
  const {name: _name, version: _version, ...fixed} = form.domain;
  const known = standing === 'known' ? form : {...form, domain: fixed};
  return strangeIn(typedData, known, () => {
    if (!dialect.signedContract && standing === 'unknown') return 'no contract';
    const signed = dialect.signedContract?.(typedData);
    const isSigned = (contract: string) =>
      signed !== undefined && dialect.address(contract) === dialect.address(signed);
    const [, version] = Object.entries(versions).find(([contract]) => isSigned(contract)) ?? [];
    const stated = typedData.domain['version'];
    if (version !== undefined && stated !== version) return `version ${String(stated)}`;
    return dialect.strangeValue(typedData);
  });
}

/**
 * Typed data is for the same contract. Any but a known one could take another token of the payer that it has an
 * allowance of, so there must be none.
 */
async function runContractCheck(
  dialect: AnyDialect,
  deal: Deal,
  {contract, standing, signed}: Reading,
  node: Node<unknown> | undefined,
  others: readonly OtherAsset[],
): Promise<CheckResult> {
  const form = (text: string) => dialect.address(text);
  const result = runCheck('contract', () => {
    const found = checkContract(deal, contract, others, form);
    if (!dialect.isContract(contract)) return resultOf(false, found.expected, contract, ['known', 'payment']);
    if (signed && dialect.signedContract) {
      const named = dialect.signedContract(signed);
      if (form(named) !== form(contract)) return resultOf(false, form(contract), named, ['payment', 'signature']);
    }
    return found;
  });
  if (standing === 'known' || result.outcome === 'failed' || !node) return result;
  const {owner, from} = deal.agreed;
  const isAgreed = (token: string) => from.token !== undefined && form(token) === form(from.token);
  const tokens = others.filter(({token}) => token !== undefined && !isAgreed(token));
  try {
    for (const {token = '', symbol} of tokens) {
      if (!dialect.isContract(token) || !(await allowedTo(dialect, node, token, owner, contract))) continue;
      return {name: 'contract', outcome: 'failed', found: form(contract), allowed: {token, symbol}, isRead: true};
    }
    return result;
  } catch {
    return {...result, outcome: standing === 'unknown' ? 'failed' : 'unchecked', isRead: false};
  }
}

/** An allowance of a token; 0 of one that is not on this chain. */
export async function allowedTo(
  dialect: AnyDialect,
  node: Node<unknown>,
  token: string,
  owner: string,
  spender: string,
) {
  try {
    return await node.allowance(token, owner, spender);
  } catch (error) {
    if (dialect.isAnswer(error)) return 0n;
    throw error;
  }
}

const WITHOUT_TOKEN = {known: 'failed', vouched: 'unchecked', unknown: 'unverified'} as const;

async function checkToken(
  dialect: AnyDialect,
  {token: agreed}: Asset,
  {contract, standing}: Reading,
  node: Node<unknown> | undefined,
): Promise<CheckResult> {
  const token = agreed ?? dialect.coin?.address;
  // Without a native coin to swap, every asset is a token, and without its address it could not be approved.
  if (token === undefined || !dialect.isContract(token)) return {name: 'token', outcome: 'failed'};
  const expected = dialect.address(token);
  return runChainCheck('token', node, async (at): Promise<Finding> => {
    const found = await at.token(contract).catch((error: unknown) => {
      // Some generations of known contracts have no view of it.
      if (standing === 'known' || !dialect.isMute?.(error)) throw error;
      return undefined;
    });
    const sides = ['agreed', 'chain'] as const;
    if (found === undefined) return {outcome: WITHOUT_TOKEN[standing], expected, sides};
    return resultOf(found === expected, expected, found, sides);
  });
}

/**
 * The call pays into a swap, whose redeemer is not the payer, for a time that is not too long. One that cannot be read is
 * never sent to an unknown contract: there, only typed data that names it can be signed instead.
 */
function checkCall(
  dialect: AnyDialect,
  {agreed}: Deal,
  {terms, standing, canSend}: Reading,
  name: string | undefined,
): Finding {
  const expected = 'initiate';
  const sides = ['known', 'payment'] as const;
  const wrong = (found: string | undefined) => resultOf(false, expected, found, sides);
  if (!terms) return canSend ? {outcome: 'passed', ...textsOf(undefined, name)} : wrong(name);
  const {redeemer, timelock} = terms;
  const locked = lockText(timelock, agreed.from.chain);
  if (!dialect.isContract(redeemer) || redeemer === dialect.address(agreed.owner)) {
    return wrong(redeemer);
  }
  // A signature pays no coins.
  if (!canSend && agreed.from.token === undefined) return wrong(name);
  const isLimited = isTimelock(timelock, agreed.from.chain, standing);
  if (!isLimited && standing !== 'unknown') return wrong(locked);
  if (!canSend) return {outcome: 'unverified', expected, ...textsOf(undefined, name), sides};
  if (!isLimited) return {outcome: 'unverified', ...textsOf(undefined, locked), sides};
  return {outcome: 'passed', found: `${expected}, ${locked}`};
}

function checkSame(signed: Terms | undefined, terms: Terms | undefined): Finding {
  const pairs = [
    [terms?.redeemer, signed?.redeemer],
    [String(terms?.timelock), String(signed?.timelock)],
    [String(terms?.amount), String(signed?.amount)],
    [terms?.secretHash, signed?.secretHash],
  ] as const;
  return compare(pairs, ['payment', 'signature']);
}

async function runRefundCheck(dialect: AnyDialect, {agreed, order}: Deal): Promise<CheckResult> {
  if (!order) return {name: 'refund', outcome: 'unchecked'};
  const {initiator} = order.source;
  return runKeyCheck('refund', initiator, dialect.keys, isKeyOf =>
    checkAddress(agreed.owner, initiator, text => dialect.address(text), isKeyOf),
  );
}
