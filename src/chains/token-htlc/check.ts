import type {Asset} from '../../domain/asset.js';
import {reportOf, type CheckReport, type CheckResult, type Deal, type TypedData} from '../../domain/deposit.js';
import {
  amountText,
  checkAmount,
  checkLegs,
  checkPin,
  checkRedeemer,
  checkSignature,
  compare,
  hasForm,
  isTimelock,
  lockText,
  resultOf,
  runChainCheck,
  runCheck,
  strangeIn,
  textOf,
  type Finding,
} from '../checks.js';
import type {AnyDialect, Node, Terms} from './dialect.js';

/**
 * Checks what the service wants signed or sent against what the visitor agreed to, in order of interest: how much,
 * where, to whom, how. `node` reads the asset's chain, if it can be read.
 */
export async function checkDeal(dialect: AnyDialect, deal: Deal, node?: Node<unknown>): Promise<CheckReport> {
  const payload: unknown = dialect.payload(deal);
  if (!payload) return reportOf([{name: 'call', outcome: 'failed'}]);
  if (!hasForm(deal)) return reportOf([{name: 'order', outcome: 'failed'}]);
  const {typedData} = payload as {readonly typedData?: TypedData};
  const {from} = deal.agreed;
  const {coin} = dialect;
  const contract = dialect.contract(payload);
  const terms = dialect.terms(payload);
  const strange = typedData && strangeTypedData(dialect, typedData, from);
  /** The typed data, if it has the known form. */
  const signed = strange === undefined ? typedData : undefined;
  const form = (text: string) => dialect.address(text);

  return reportOf(
    [
      runCheck('amount', () =>
        checkAmount(deal, [
          ['payment', terms?.amount],
          ...(signed ? [['signature', dialect.signedTerms(signed)?.amount] as const] : []),
        ]),
      ),
      runCheck('chain', () => dialect.checkChain(deal, payload, signed)),
      runCheck('contract', () => checkContract(dialect, deal, contract, signed)),
      await runChainCheck('code', node, async at => {
        if (!dialect.isContract(contract)) return {outcome: 'failed'};
        return resultOf(await at.hasCode(contract), undefined, form(contract), ['chain', 'payment']);
      }),
      await checkToken(dialect, from, contract, node),
      ...checkRedeemer(deal, [terms?.redeemer], form),
      runCheck('call', () => checkCall(dialect, deal, terms, dialect.callName(payload))),
      ...(typedData ? checkSignature(strange, () => checkSame(dialect.signedTerms(typedData), terms)) : []),
      ...(coin
        ? [
            runCheck('value', () => {
              const unit = from.token === undefined ? from : coin.of(from.chain);
              const [wanted, found] = [from.token === undefined ? deal.agreed.amount : 0n, coin.value(payload)];
              return resultOf(found === wanted, amountText(wanted, unit), amountText(found, unit), [
                'agreed',
                'payment',
              ]);
            }),
          ]
        : []),
      ...(await checkLegs(
        deal,
        () => terms?.secretHash,
        source => [
          [terms?.redeemer, source.redeemer, form],
          [terms && `${String(terms.timelock)} blocks`, `${String(source.timelock)} blocks`],
        ],
      )),
      runCheck('refund', () => checkRefund(deal, form)),
    ],
    deal.policy,
  );
}

/**
 * Names the part of typed data that does not exactly have the specified form, with the domain version of its contract
 * where that is known: a signature for another one pays nothing.
 */
export function strangeTypedData(
  dialect: AnyDialect,
  typedData: TypedData,
  {versions = {}}: Pick<Asset, 'versions'>,
): string | undefined {
  return strangeIn(typedData, dialect.form, () => {
    const form = (contract: unknown) => dialect.address(String(contract));
    const signed = form(dialect.signedContract?.(typedData));
    const [, version] = Object.entries(versions).find(([contract]) => form(contract) === signed) ?? [];
    const stated = typedData.domain['version'];
    if (version !== undefined && stated !== version) return `version ${String(stated)}`;
    return dialect.strangeValue(typedData);
  });
}

function checkContract(dialect: AnyDialect, deal: Deal, to: string, typedData: TypedData | undefined): Finding {
  const pinned = checkPin(deal, to, text => dialect.address(text));
  if (!dialect.isContract(to)) return resultOf(false, pinned.expected, to, ['known', 'payment']);
  if (typedData && dialect.signedContract) {
    const signed = dialect.signedContract(typedData);
    const text = typeof signed === 'string' ? signed : undefined;
    if (text === undefined || !dialect.isContract(text) || dialect.address(text) !== dialect.address(to)) {
      return resultOf(false, dialect.address(to), text, ['payment', 'signature']);
    }
  }
  return pinned;
}

/** The contract accepts the agreed token, or the native coin. */
async function checkToken(
  dialect: AnyDialect,
  {token: agreed}: Asset,
  contract: string,
  node: Node<unknown> | undefined,
): Promise<CheckResult> {
  const token = agreed ?? dialect.coin?.address;
  // Without a native coin to swap, every asset is a token, and without its address it could not be approved.
  if (token === undefined || !dialect.isContract(token)) return {name: 'token', outcome: 'failed'};
  const expected = dialect.address(token);
  return runChainCheck('token', node, async (at): Promise<Finding> => {
    if (!dialect.isContract(contract)) return {outcome: 'failed', expected};
    const found = await at.token(contract);
    return resultOf(found === expected, expected, found, ['agreed', 'chain']);
  });
}

function checkCall(dialect: AnyDialect, {agreed}: Deal, terms: Terms | undefined, name: string | undefined): Finding {
  const expected = 'initiate';
  const wrong = (found: string | undefined) => resultOf(false, expected, found, ['known', 'payment']);
  if (!terms) return wrong(name);
  const {redeemer, timelock} = terms;
  const locked = lockText(timelock, agreed.from.chain);
  if (!dialect.isContract(redeemer) || redeemer === dialect.address(agreed.owner)) {
    return wrong(redeemer);
  }
  if (!isTimelock(timelock, agreed.from.chain)) return wrong(locked);
  return {outcome: 'passed', found: `${expected}, ${locked}`};
}

function checkSame(signed: Terms | undefined, terms: Terms | undefined): Finding {
  const pairs = [
    [terms?.redeemer, signed?.redeemer],
    [textOf(terms?.timelock), textOf(signed?.timelock)],
    [textOf(terms?.amount), textOf(signed?.amount)],
    [terms?.secretHash, signed?.secretHash],
  ] as const;
  return compare(pairs, ['payment', 'signature']);
}

/** The contract refunds its order's initiator. */
function checkRefund({agreed, order}: Deal, form: (text: string) => string): Finding {
  if (!order) return {outcome: 'unchecked'};
  const [expected, found] = [form(agreed.owner), form(order.source.initiator)];
  return resultOf(found === expected, expected, found, ['agreed', 'order']);
}
