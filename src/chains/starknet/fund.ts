import type {Chain} from '../../domain/asset.js';
import {
  deepFreeze,
  type CheckName,
  type CheckReport,
  type Deal,
  type Funding,
  type StarknetPayload,
  type TypedData,
  type WalletRequestKind,
} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import type {Account, FundOptions} from '../adapter.js';
import {codeReader, mismatch, paidAlready, requireRead, tryRead} from '../errors.js';
import {
  contextOf,
  fundOrder,
  requestWallet,
  requireAddress,
  requireOwner,
  requirePassed,
  waitForAllowance,
  type Approval,
  type FundingContext,
  type RequestOptions,
} from '../funding.js';
import {pause, type Timeouts} from '../timeouts.js';
import {checkDeal, starknetPayloadOf, strangeTypedData} from './check.js';
import {
  approveCall,
  decodeInitiate,
  initiateCall,
  isContractAddress,
  isSameStarknetAddress,
  namedId,
  readAllowance,
  readBalance,
  refundCall,
  transactionStatus,
  walletCall,
  wouldRefund,
  type NamedCall,
  type Terms,
} from './htlc.js';
import {faultOf, readerOf, type Fault, type Read} from './rpc.js';
import {bringToChain, connectors, currentAddress, type Connector} from './wallets.js';
import {findOrder, ownIds} from './witness.js';

/** One wallet that is asked about one deal. */
interface Context extends FundingContext {
  readonly chain: Chain;
  readonly connector: Connector;
  readonly payload: StarknetPayload;
  readonly terms: Terms;
  /** The chain, where the partner named an address for it. */
  readonly read: Read | undefined;
}

/**
 * Funds an order from a wallet by its transaction or its signature; the token is approved for exactly the amount. A
 * payment includes the approval in the same transaction; a signature needs it beforehand.
 */
export async function fundDeal(
  deal: Deal,
  account: Account,
  options: FundOptions,
  timeouts: Timeouts,
): Promise<Funding> {
  const context = await open(deal, account, options, timeouts);
  const {typedData} = context.payload;
  return fundOrder<readonly NamedCall[]>(options, {
    requireWallet: () => requireWallet(context),
    requireChecks: () => requireChecks(context),
    async requirePayable() {
      await requireUnpaid(context);
      await requireBalance(context);
    },
    planApprovals: async way => (way === 'transaction' || (await isApproved(context)) ? [] : ['approve']),
    async approve(kind) {
      await approve(context, kind);
    },
    signing: typedData && {typedData, strangeIn: strangeTypedData, sign: () => sign(context, typedData)},
    async prepare(way) {
      await requireUnpaid(context);
      return way === 'signature' ? [] : paymentOf(context);
    },
    send: payment => send(context, 'send', payment),
  });
}

/**
 * Takes the money back by the contract's own refund. Anyone may call it once the timelock is over: the money goes to
 * the account that paid it in, so any account that can pay the fee will do.
 */
export async function refundDeal(
  deal: Deal,
  account: Account,
  options: RequestOptions,
  timeouts: Timeouts,
): Promise<string> {
  const context = await open(deal, account, options, timeouts);
  const {payload, read} = context;
  if (!isContractAddress(payload.call.to)) throw mismatch('contract');
  await moveToChain(context);
  await currentOf(context);
  // The contract was checked before the payment. Which contracts are known today does not matter to a refund.
  await requireChecks(context, ['chain', 'code']);
  const orderId = await findId(context);
  const opens = read && (await wouldRefund(read, payload.call.to, orderId).catch(() => undefined));
  if (opens === false) throw new SwapError('funding-reverted', {detail: 'The contract would not pay it back now.'});
  return send(context, 'refund', deepFreeze([refundCall(payload.call, orderId)]));
}

/**
 * Takes back what the contract may take of the token, so that a signature can no longer be used. Only the owner can, as it
 * is the owner's allowance. Where the chain shows none the wallet is not asked, and the answer is empty.
 */
export async function revokeDeal(
  deal: Deal,
  account: Account,
  options: RequestOptions,
  timeouts: Timeouts,
): Promise<string> {
  const context = await open(deal, account, options, timeouts);
  if (!isContractAddress(context.payload.call.to)) throw mismatch('contract');
  await requireWallet(context);
  if (context.read && (await requireRead(readAllowed(context, context.read))) === 0n) return '';
  return approve(context, 'revoke');
}

/**
 * The id of the order to take back, as the chain confirms it. Where it cannot be asked, it is one that was worked out: an
 * id that only the service names may be that of another's order.
 */
async function findId({deal, payload, terms, read}: Context): Promise<string> {
  const {to} = payload.call;
  try {
    const order = read && (await requireRead(findOrder(read, deal, to, terms)));
    if (order) return order.id;
    if (read) throw new SwapError('funding-reverted', {detail: 'The contract holds no such order.'});
  } catch (error) {
    if (faultOf(error) !== 'no-entry-point') throw error;
  }
  const ids = ownIds(deal, to, terms);
  const named = namedId(deal.order);
  const id = ids.find(one => one === named) ?? ids[0];
  if (id === undefined) throw mismatch('order');
  return id;
}

async function open(deal: Deal, account: Account, options: RequestOptions, timeouts: Timeouts): Promise<Context> {
  const connector = connectors.get(account);
  const context = contextOf(deal, options, timeouts);
  const payload = starknetPayloadOf(deal);
  const terms = payload && decodeInitiate(payload.call);
  if (!payload || !terms) throw mismatch('call');
  const {chain} = deal.agreed.from;
  const {signal} = options;
  const read = await tryRead(() => readerOf(chain, timeouts, signal));
  signal?.throwIfAborted();
  return {...context, chain, connector, payload, terms, read};
}

function requireWallet(context: Context): Promise<void> {
  return requireOwner(context.deal.agreed.owner, {
    isSame: isSameStarknetAddress,
    address: () => currentOf(context),
    moveToChain: () => moveToChain(context),
  });
}

function moveToChain(context: Context): Promise<boolean> {
  return bringToChain(context.connector, context.chain, context);
}

function currentOf({connector, timeouts, signal}: Context): Promise<string> {
  return requireAddress(currentAddress(connector, timeouts, signal));
}

function requireChecks({deal, read, signal}: Context, names?: readonly CheckName[]): Promise<CheckReport> {
  return requirePassed(checkDeal(deal, read), signal, names);
}

/**
 * A payment that is there already is not made again. The contract takes no order twice, so a failed read stops nothing.
 */
async function requireUnpaid(context: Context): Promise<void> {
  const {deal, payload, terms} = context;
  const found = await look(context, read => findOrder(read, deal, payload.call.to, terms));
  if (found) throw paidAlready('The contract holds this order already.');
}

async function requireBalance(context: Context): Promise<void> {
  const {owner, amount} = context.deal.agreed;
  const has = await look(context, read => readBalance(read, tokenOf(context), owner));
  if (has !== undefined && has < amount) throw new SwapError('insufficient-funds', {detail: String(has)});
}

/**
 * Whether the contract may take the amount already. Where that cannot be read it is approved again, which does no harm.
 */
async function isApproved(context: Context): Promise<boolean> {
  const allowed = await look(context, read => readAllowed(context, read));
  return allowed !== undefined && allowed >= context.deal.agreed.amount;
}

/** What the contract may take of the token. */
function readAllowed(context: Context, read: Read): Promise<bigint> {
  const {deal, payload} = context;
  return readAllowance(read, tokenOf(context), deal.agreed.owner, payload.call.to);
}

/** Reads the chain; `undefined` where it cannot be read. */
async function look<T>({read, signal}: Context, work: (read: Read) => Promise<T>): Promise<T | undefined> {
  const answer = read && (await work(read).catch(() => undefined));
  signal?.throwIfAborted();
  return answer;
}

/** The payment, with the approval in front of it where it is still needed. */
async function paymentOf(context: Context): Promise<readonly NamedCall[]> {
  const approval = (await isApproved(context)) ? [] : [approvalOf(context)];
  return deepFreeze([...approval, initiateCall(context.payload.call)]);
}

function approvalOf(context: Context, amount = context.deal.agreed.amount): NamedCall {
  return approveCall(tokenOf(context), context.payload.call.to, amount);
}

/** The token to pay with; the checks have made sure that there is one. */
function tokenOf({deal}: Context): string {
  const {token} = deal.agreed.from;
  if (token === undefined) throw mismatch('token');
  return token;
}

/** Approves the token, or takes that back, and waits until the chain shows it; answers the transaction's hash. */
async function approve(context: Context, kind: Approval): Promise<string> {
  const {read, timeouts, signal} = context;
  const isRevoked = kind === 'revoke';
  const hash = await send(context, kind, deepFreeze([approvalOf(context, isRevoked ? 0n : undefined)]));
  if (!read) {
    // Without a node there is no way to know when it is in a block. The service refuses a signature that comes too
    // early, and nothing is lost.
    await pause(timeouts.lag, signal);
    return hash;
  }
  await waitForAllowance(context, hash, {
    isSet: () =>
      isRevoked
        ? look(context, node => readAllowed(context, node)).then(allowed => allowed === 0n)
        : isApproved(context),
    status: () => look(context, node => transactionStatus(node, hash)),
  });
  return hash;
}

/**
 * The signature as the wallet gave it, of any length: accounts are contracts, and some want more than two numbers. The
 * service checks whether it is the account's own. Libraries do not agree on what is signed, since one takes the short
 * text "1" for a number (starknet.js #1039), so a hash made here would prove nothing.
 */
async function sign(context: Context, typedData: TypedData): Promise<{readonly signature: unknown}> {
  const signature = await requestWallet(context, 'sign', {
    request: () => context.connector.request('wallet_signTypedData', typedData),
    read(answer) {
      if (!Array.isArray(answer) || answer.length < 2 || !answer.every(isNumeric)) {
        throw new SwapError('wallet-unclear', {detail: 'The wallet gave no signature.'});
      }
      return {state: 'signed', value: answer as readonly unknown[]};
    },
    refusalOf,
  });
  return {signature};
}

/** Wallets write the numbers of a signature in hex or in decimals, some with zeros in front. */
function isNumeric(value: unknown): boolean {
  return typeof value === 'string' && /^(?:0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value);
}

function send(context: Context, kind: WalletRequestKind, calls: readonly NamedCall[]): Promise<string> {
  return requestWallet(context, kind, {
    request: () => context.connector.request('wallet_addInvokeTransaction', {calls: calls.map(walletCall)}),
    read(answer) {
      const {transaction_hash: hash} = (answer ?? {}) as {readonly transaction_hash?: unknown};
      if (typeof hash !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(hash)) {
        throw new SwapError('wallet-unclear', {detail: 'The wallet gave no transaction hash.'});
      }
      return {state: 'sent', hash, value: hash};
    },
    refusalOf,
  });
}

/** What a wallet's error means where it certainly sent nothing. */
const refusalOf = codeReader<Fault>(faultOf, {
  rejected: 'rejected',
  unsupported: 'wallet-failed',
  'insufficient-funds': 'insufficient-funds',
  reverted: 'funding-reverted',
  'no-contract': undefined,
  'no-entry-point': undefined,
  'no-transaction': undefined,
});
