import {deepFreeze, reportOf, type CheckReport, type Deal, type Funding, type TypedData} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import {contractsOf} from '../../domain/asset.js';
import type {Account, CheckOptions, FundOptions, RevokeOptions} from '../adapter.js';
import {requireReading, runCheck, standingOf} from '../checks.js';
import {contradiction, errorFrom, mismatch, paidAlready, requireRead, tryRead} from '../errors.js';
import {
  contextOf,
  fundOrder,
  requireAddress,
  requireNoneFailed,
  requireOwner,
  requirePassed,
  unclearWithout,
  type Approval,
  type FundingContext,
  type FundingSteps,
  type RequestOptions,
} from '../funding.js';
import {rpcsOf, withoutFirst} from '../rpc.js';
import {pause, type Timeouts} from '../timeouts.js';
import {allowedTo, checkCode, checkDeal, paidTerms, readPayload, type Reading} from './check.js';
import type {AnyContractDialect, AnyDialect, Node, Purse, Sender, Terms} from './dialect.js';
import {findOrder, namedId} from './witness.js';

interface Context extends FundingContext {
  readonly dialect: AnyDialect;
  readonly purse: Purse<unknown>;
  readonly payload: {readonly typedData?: TypedData};
  readonly reading: Reading;
  readonly contract: string;
  readonly terms: Terms | undefined;
  readonly others: CheckOptions['others'];
  readonly approved: FundOptions['approved'];
}

/** Nothing such a contract says is believed. It is allowed exactly the amount, and only once. */
function isUnbound({reading: {standing, called}}: Context): boolean {
  return standing === 'unknown' || called === undefined;
}

/** Funds an order from a wallet by its transaction or its signature; the token is approved for exactly the amount. */
export async function fundDeal(
  dialect: AnyDialect,
  deal: Deal,
  account: Account,
  options: FundOptions,
  timeouts: Timeouts,
): Promise<Funding> {
  const context = await open(dialect, deal, account, options, timeouts);
  const {purse} = context;
  const {typedData} = context.payload;
  const bundle = createBundle(context, options);
  /** What the page was shown of an unverified payment, all at once. */
  let frozen: {readonly approvals: Partial<Record<Approval, unknown>>; readonly payment: unknown} | undefined;
  const steps: FundingSteps<unknown> = {
    requireWallet: () => requireWallet(context),
    requireChecks: () => requireChecks(context),
    canSend: context.reading.canSend,
    freeze(way, approvals) {
      const each = approvals.map(kind => [kind, approvalFor(context, kind)]);
      const payment = bundle.paymentFor(way, !purse.batches);
      frozen = deepFreeze({approvals: Object.fromEntries(each) as object, payment});
      return frozen;
    },
    async requirePayable() {
      await requireUnpaid(context);
      await requireBalance(context);
    },
    bundles: bundle.plan,
    planApprovals: way => planApprovals(context, way),
    async approve(kind, report) {
      const payload = frozen?.approvals[kind] ?? approvalFor(context, kind);
      if (!frozen && options.beforeApprove) {
        await options.beforeApprove(report, payload);
        // The page may have taken its time.
        await requireWallet(context);
      }
      return approve(context, kind, payload);
    },
    signing: typedData && {
      typedData,
      strangeIn: () => strangeToSign(context),
      async sign() {
        const answer = await purse.sign(typedData);
        await requireAllowance(context);
        return answer;
      },
    },
    async prepare(way) {
      const {canSend, standing} = context.reading;
      const isTried = canSend && !bundle.isPlanned() && !purse.batches;
      // A known contract refuses what it holds already.
      if (!isTried || standing !== 'known') await requireUnpaid(context);
      if (way === 'signature' && purse.batches) return undefined;
      // A signature moves the same money from the same account, so the payment is tried for it too; not with a call
      // that cannot be read. A call that needs an approval first would fail.
      if (isTried) await requireAcceptance(context, callOf(context));
      const isCovered =
        !purse.batches || (!frozen && isAllowed(context, await look(context, node => readAllowed(context, node))));
      if (canSend && way === 'transaction') await requireCheap(context, bundle.callsFor(isCovered));
      return frozen?.payment ?? bundle.paymentFor('transaction', isCovered);
    },
    send: bundle.send,
  };
  return fundOrder(options, steps).catch((error: unknown) => {
    if (!bundle.hasFailed()) throw error;
    // Nothing was requested. It starts again, one request by one, as if the wallet had not reported support.
    return fundOrder(options, steps);
  });
}

function createBundle(context: Context, {isChosen}: Pick<FundOptions, 'isChosen'>) {
  const {purse, payload, deal} = context;
  let together: readonly Approval[] = [];
  let isUnable = false;
  const callsFor = (isCovered: boolean): readonly unknown[] => {
    const approvals: readonly Approval[] = together.length || isCovered ? together : ['approve'];
    return [...approvals.map(kind => approvalOf(context, kind)), callOf(context)];
  };
  return {
    isPlanned: () => together.length > 0,
    hasFailed: () => isUnable,
    callsFor,
    paymentFor(way: FundOptions['way'], isCovered: boolean): unknown {
      if (way === 'signature') return payload.typedData;
      const {owner} = deal.agreed;
      const calls = callsFor(isCovered);
      return together.length ? purse.bundle?.of(owner, calls) : purse.transaction(owner, calls);
    },
    async plan(way: FundOptions['way']): Promise<boolean> {
      const isWanted = way === 'transaction' || isChosen !== true;
      const canBundle = isWanted && !isUnable && (await purse.bundle?.isPossible());
      // A failed read is reported later, with the checks.
      together = canBundle ? ((await tryRead(() => planApprovals(context, way))) ?? []) : [];
      // The cost cannot be read: requested one by one, each can be tried.
      if (together.length && (await isCheap(context, callsFor(true))) === undefined) together = [];
      return together.length > 0;
    },
    async send(payment: unknown): Promise<string | Funding> {
      if (!together.length || !purse.bundle) return purse.send('send', payment);
      try {
        return {how: 'calls', id: await purse.bundle.send(payment)};
      } catch (error) {
        isUnable = error instanceof SwapError && error.code === 'wallet-failed';
        throw error;
      }
    },
  };
}

/** Refunds the money through the contract of a deal, whose payload has to be for its chain. */
export async function refundDeal(
  dialect: AnyDialect,
  deal: Deal,
  account: Account,
  options: RequestOptions,
  timeouts: Timeouts,
): Promise<string> {
  const {payload, reading, contract, terms, ...context} = await open(dialect, deal, account, options, timeouts);
  requireNoneFailed(reportOf([runCheck('chain', () => dialect.checkChain(context.deal, payload, reading.signed))]));
  return refundFrom(dialect, {contract, terms}, context.purse, context);
}

interface Paid {
  readonly contract: string;
  readonly terms: Terms | undefined;
}

/**
 * Refunds the money through the contract; resolves with the transaction's hash. Anyone may call it after the timelock:
 * the money goes to the account that paid it in, so any account that can pay the fee may sign.
 */
export async function refundFrom(
  dialect: AnyContractDialect,
  paid: Paid,
  sender: Sender<unknown>,
  context: FundingContext,
): Promise<string> {
  const {contract} = paid;
  const {node} = sender;
  const {deal} = context;
  if (!dialect.isContract(contract)) throw mismatch('contract');
  await sender.moveToChain();
  // The contract was checked before the payment: a refund needs only its code, which an unknown one has to show.
  const standing = standingOf(deal, contract, text => dialect.address(text));
  requireNoneFailed(reportOf([requireReading(await checkCode(dialect, contract, node), standing)]));
  const from = await requireAddress(sender.address());
  const call: unknown = deepFreeze(dialect.refundCall(contract, await findId(dialect, paid, sender, context)));
  const refusal = node && (await tryRead(() => node.refusalOf(call, from)));
  if (refusal) throw errorFrom('funding-reverted', refusal.cause);
  return sender.send('refund', sender.transaction(from, [call]));
}

/**
 * Makes a signature useless. Only the owner can revoke an allowance. If the chain shows none, the
 * wallet is not prompted, and the result is empty; except of an unverified contract.
 */
export async function revokeDeal(
  dialect: AnyDialect,
  deal: Deal,
  account: Account,
  {token, ...options}: RevokeOptions,
  timeouts: Timeouts,
): Promise<string> {
  const context = await open(dialect, token === undefined ? deal : withToken(deal, token), account, options, timeouts);
  const {node} = context.purse;
  tokenOf(context);
  if (!dialect.isContract(context.contract)) throw mismatch('contract');
  await requireWallet(context);
  const readers = await readersOf(context);
  // An unverified contract's approval may still be on its way: only a later transaction shows that it is not.
  const isNone = node && !context.deal.unverified && (await requireRead(readAllowed(context, node))) === 0n;
  if (isNone && (await isRevoked(readers))) return '';
  return approve(context, 'revoke', approvalFor(context, 'revoke'), readers);
}

/** If a chain has several RPCs, each has to say that nothing is allowed any more, and at least two. */
async function readersOf(context: Context): Promise<readonly Context[]> {
  const {dialect, purse, deal, timeouts, signal} = context;
  const {chain} = deal.agreed.from;
  if (!chain.otherRpcs) return [context];
  const named = rpcsOf(chain).map(rpc => ({...chain, rpc, otherRpcs: []}));
  const nodes = await Promise.all(named.map(one => tryRead(() => dialect.node(one, {signal}, timeouts))));
  const readers = nodes.map(node => ({...context, purse: {...purse, node}}));
  return purse.reads ? [context, ...readers] : readers;
}

/** Whether they say so; of an unverified contract, once a transaction has set it. */
async function isRevoked(readers: readonly Context[], hash = ''): Promise<boolean> {
  const said = readers.map(one =>
    look(one, async node => {
      const isNone = (await readAllowed(one, node)) === 0n;
      return isNone && (!one.deal.unverified || (await node.status(hash)) === 'done');
    }),
  );
  return (await Promise.all(said)).filter(Boolean).length >= Math.min(readers.length, 2);
}

/** Another token of the same contract has an allowance of its own. */
function withToken(deal: Deal, token: string): Deal {
  const {agreed} = deal;
  return {...deal, agreed: {...agreed, from: {...agreed.from, token}}};
}

async function open(
  dialect: AnyDialect,
  deal: Deal,
  account: Account,
  options: RequestOptions,
  timeouts: Timeouts,
): Promise<Context> {
  const context = contextOf(deal, options, timeouts);
  const payload: unknown = dialect.payload(context.deal);
  if (!payload) throw mismatch('call');
  const reading = readPayload(dialect, context.deal, payload);
  const {contract} = reading;
  const {node, ...purse} = await dialect.purse(context.deal, account, context);
  const {others, approved} = options;
  const terms = paidTerms(dialect, context.deal, reading);
  const asked = {...purse, node: node && reading.standing === 'known' ? readingOnce(node, contract) : node};
  return {...context, dialect, purse: asked, payload, reading, contract, terms, others, approved};
}

/** The token of a known contract does not change, so it is read once. A contract that names one has code. */
function readingOnce(node: Node<unknown>, contract: string): Node<unknown> {
  let named: string | undefined;
  const token = async () => (named ??= await node.token(contract));
  return {...node, token, hasCode: async () => (await tryRead(token)) !== undefined || node.hasCode(contract)};
}

function callOf({dialect, payload, reading}: Context): unknown {
  return deepFreeze(dialect.paymentCall(payload, reading.entry));
}

/**
 * Why the typed data is not signed. A signature that names no contract can be used with each that the payer gave an
 * allowance: it is given only where the chain shows that no other contract has one.
 */
async function strangeToSign(context: Context): Promise<string | undefined> {
  const {dialect, reading, deal, contract, others = []} = context;
  if (reading.strange !== undefined || dialect.signedContract) return reading.strange;
  const {owner, from} = deal.agreed;
  const spenders = [from, ...others].flatMap(asset => {
    const {token} = asset;
    if (token === undefined) return [];
    const theirs = contractsOf(asset).filter(one => dialect.address(one) !== dialect.address(contract));
    return theirs.map(spender => [token, spender] as const);
  });
  const allowed = await Promise.all(
    spenders.map(([token, spender]) => look(context, node => allowedTo(dialect, node, token, owner, spender))),
  );
  return allowed.some(amount => amount !== 0n) ? 'an allowance of another contract' : undefined;
}

function requireWallet({dialect, deal, purse}: Context): Promise<void> {
  return requireOwner(deal.agreed.owner, {
    isSame: (one, other) => dialect.address(one) === dialect.address(other),
    address: () => requireAddress(purse.address()),
    moveToChain: () => purse.moveToChain(),
  });
}

function requireChecks(context: Context): Promise<CheckReport> {
  const {dialect, deal, purse, others} = context;
  return requirePassed(checkDeal(dialect, deal, purse.node, others), context);
}

/**
 * The contract accepts no order twice, so a failed read stops nothing: the result is then undefined, otherwise true.
 */
async function requireUnpaid(context: Context): Promise<boolean | undefined> {
  const {dialect, deal, contract, terms} = context;
  if (!terms || isUnbound(context)) return undefined;
  const isUnpaid = await look(context, async node => !(await findOrder(dialect, node, deal, contract, terms)));
  if (isUnpaid === false) throw paidAlready('The contract holds this order already.');
  return isUnpaid;
}

async function requireBalance(context: Context): Promise<void> {
  const {owner, amount, from} = context.deal.agreed;
  const has = await need(context, node => node.balance(from.token, owner));
  if (has !== undefined && has < amount) throw new SwapError('insufficient-funds', {detail: String(has)});
}

/**
 * The contract moves the token itself, by transaction and by signature. If it may have taken what it was allowed for
 * this order before, nothing more is asked for: only the exact allowance, still there, shows that it did not.
 */
async function planApprovals(context: Context, way: FundOptions['way']): Promise<readonly Approval[]> {
  const {batches, node} = context.purse;
  const {owner, from} = context.deal.agreed;
  const {approved} = context;
  // Asked before the allowance: what comes into a block in between was not taken.
  const before = await Promise.all((approved?.hashes ?? []).map(hash => look(context, at => at.status(hash))));
  const isWithout = from.token === undefined || (batches && way === 'transaction');
  const allowed = isWithout ? undefined : await need(context, at => readAllowed(context, at));
  const isEnough = isAllowed(context, allowed);
  if (approved && !isEnough && isUnbound(context)) {
    const {isTaken} = approved;
    // As far as is known, the wallet gave nothing, or nothing has left so far.
    const isEarly = before.includes('seen') || !before.includes('done') || (isTaken === false && !allowed);
    const isOpen = !isTaken && isEarly;
    throw new SwapError('approval-failed', {field: isOpen ? 'pending' : fateOf(context, allowed)});
  }
  if (isWithout || isEnough) return [];
  // If it could not be read it is approved again, which does no harm.
  if (!allowed || batches || !node) return ['approve'];
  // Some tokens, such as Tether's on Ethereum, only allow an allowance to change from or to 0.
  const refuses = (kind: Approval) => requireRead(node.refusalOf(approvalOf(context, kind), owner));
  const refusal = await refuses('approve');
  if (!refusal) return ['approve'];
  if (await refuses('revoke')) throw errorFrom('approval-failed', refusal.cause);
  return ['revoke', 'approve'];
}

/**
 * Sets the allowance of the token, and waits until the chain, or each reader of it, shows it; resolves with the
 * transaction's hash, or nothing if the wallet's response has none. The hash alone is not enough: if it was sped up in the
 * wallet, it has another one, and the amount may have been changed there.
 */
async function approve(context: Context, kind: Approval, payload: unknown, readers?: readonly Context[]) {
  const {purse, deal, timeouts, signal} = context;
  const hash = await purse.send(kind, payload);
  const isUnclear = hash === '';
  if (!purse.node && !(readers && deal.agreed.from.chain.rpc)) {
    if (isUnclear) throw unclearWithout();
    // Without a node its block is unknown. The service rejects a signature that comes too early, and nothing is
    // lost.
    await pause(timeouts.lag, signal);
    return hash;
  }
  let ends = performance.now() + timeouts.receipt;
  let isInBlock = false;
  for (let wait = timeouts.poll; ; wait = Math.min(wait * 1.5, timeouts.poll * 8)) {
    const allowed = kind === 'approve' ? await look(context, node => readAllowed(context, node)) : undefined;
    const isSet = kind === 'approve' ? isAllowed(context, allowed) : await isRevoked(readers ?? [context], hash);
    if (isSet) return hash;
    const status = isUnclear ? undefined : await look(context, node => node.status(hash));
    if (status === 'done' && !isInBlock) {
      isInBlock = true;
      ends = performance.now() + timeouts.lag;
    }
    if (status === 'reverted' || performance.now() > ends) {
      if (isUnclear) throw unclearWithout();
      const fate = kind === 'approve' && isUnbound(context) ? fateOf(context, allowed) : undefined;
      const field = status === 'done' ? fate : status === 'seen' ? 'pending' : undefined;
      throw new SwapError('approval-failed', {detail: hash, field});
    }
    await pause(wait, signal);
  }
}

/** What became of an allowance that is not exactly the amount: it was changed to more, or it may have been taken. */
function fateOf({deal}: Context, allowed: bigint | undefined): 'used' | 'taken' {
  return allowed !== undefined && allowed > deal.agreed.amount ? 'used' : 'taken';
}

/** An unbound contract may do with an allowance what it wants, so it must not be more than the amount. */
function isAllowed(context: Context, allowed: bigint | undefined): boolean {
  const {amount} = context.deal.agreed;
  return allowed !== undefined && (isUnbound(context) ? allowed === amount : allowed >= amount);
}

/** Stops before the prompt if a payment costs too much, or nobody knows: by two readers, if there are two. */
async function requireCheap(context: Context, calls: readonly unknown[]): Promise<void> {
  const first = await isCheap(context, calls);
  if (first) return;
  const {dialect, deal, purse, timeouts, signal} = context;
  const {chain} = deal.agreed.from;
  const others = purse.reads && chain.rpc !== undefined ? chain : withoutFirst(chain);
  const node = others && (await tryRead(() => dialect.node(others, {signal}, timeouts)));
  const second = node && (await isCheap({...context, purse: {...purse, node}}, calls));
  throw !others || (first === false && second === false) ? mismatch('value') : contradiction(chain, mismatch('value'));
}

/** Whether calls cost little: an unknown contract could spend the payer's coins on gas. `undefined` if nobody knows. */
async function isCheap(context: Context, calls: readonly unknown[]): Promise<boolean | undefined> {
  const {deal, reading, purse} = context;
  const {owner, from} = deal.agreed;
  const deployment = async () => purse.deployment?.();
  return reading.standing !== 'unknown' || look(context, node => node.isCheap(calls, owner, from.token, deployment));
}

/**
 * Another swap may have used or changed the allowance meanwhile: the service would refuse the signature, but have it.
 * So it stays here, if the chain shows that, and that the allowance was not used for this very order.
 */
async function requireAllowance(context: Context): Promise<void> {
  const isShort = await lookTwice(
    context,
    async node => (await readAllowed(context, node)) < context.deal.agreed.amount,
  );
  if (isShort && (isUnbound(context) || (await requireUnpaid(context))))
    throw new SwapError('approval-failed', {field: isUnbound(context) ? 'pending' : 'used'});
}

function readAllowed(context: Context, node: Node<unknown>): Promise<bigint> {
  return node.allowance(tokenOf(context), context.deal.agreed.owner, context.contract);
}

function approvalOf(context: Context, kind: Approval = 'approve'): unknown {
  const {dialect, deal, contract} = context;
  return deepFreeze(dialect.approveCall(tokenOf(context), contract, kind === 'revoke' ? 0n : deal.agreed.amount));
}

function approvalFor(context: Context, kind: Approval): unknown {
  return context.purse.transaction(context.deal.agreed.owner, [approvalOf(context, kind)]);
}

/** The token to pay with; the checks have ensured that there is one. */
function tokenOf({deal}: Context): string {
  const {token} = deal.agreed.from;
  if (token === undefined) throw mismatch('token');
  return token;
}

/** Stops before the prompt if the payment would certainly fail. */
async function requireAcceptance(context: Context, call: unknown): Promise<void> {
  const {dialect, deal} = context;
  const refusal = await lookTwice(context, node => node.refusalOf(call, deal.agreed.owner));
  if (!refusal) return;
  await requireUnpaid(context);
  if (isUnbound(context) && deal.agreed.from.token !== undefined) await requireAllowance(context);
  throw errorFrom(dialect.isUncovered?.(refusal.cause) ? 'insufficient-funds' : 'funding-reverted', refusal.cause);
}

/**
 * The id of the order to refund, as confirmed by the chain. If that cannot be read, it is a derived one: an id that
 * only the service names may belong to somebody else's order.
 */
async function findId(
  dialect: AnyContractDialect,
  {contract, terms}: Paid,
  {node}: Sender<unknown>,
  {deal}: FundingContext,
): Promise<string> {
  if (!terms) throw mismatch('call');
  try {
    const order = node && (await requireRead(findOrder(dialect, node, deal, contract, terms)));
    if (order) return order.id;
    if (node) throw new SwapError('funding-reverted', {detail: 'The contract holds no such order.'});
  } catch (error) {
    if (!dialect.isMute?.(error)) throw error;
  }
  const {owner, from} = deal.agreed;
  const [first = '', ...others] = await dialect.ids(from.chain, owner, contract, terms);
  const named = namedId(dialect, deal);
  return others.find(one => one === named) ?? first;
}

async function look<T>({purse: {node}}: Context, work: (node: Node<unknown>) => Promise<T>): Promise<T | undefined> {
  return node && (await work(node).catch(() => undefined));
}

/** Looks again at what stands in the way: another of the wallet's nodes may not know a recent approval yet. */
async function lookTwice<T>(
  context: Context,
  work: (node: Node<unknown>) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!(await look(context, work))) return undefined;
  await pause(context.timeouts.poll, context.signal);
  return look(context, work);
}

/** Like `look`, but if the wallet itself reads, it has to succeed. */
function need<T>(context: Context, work: (node: Node<unknown>) => Promise<T>): Promise<T | undefined> {
  const {node, reads} = context.purse;
  return node && reads ? requireRead(work(node)) : look(context, work);
}
