import type {Chain} from '../../domain/asset.js';
import type {
  WalletRequestKind,
  CheckName,
  CheckReport,
  Deal,
  Funding,
  StarknetPayload,
  TypedData,
} from '../../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../../domain/error.js';
import {deepFreeze} from '../../domain/freeze.js';
import type {Account, FundOptions} from '../adapter.js';
import {pause, question, reading, type Timeouts} from '../common.js';
import type {PayingAccount} from './account.js';
import {checkDeal, starknetPayloadOf, strangeTypedData} from './check.js';
import {
  approveCall,
  decodeInitiate,
  holdsOrder,
  initiateCall,
  isContractAddress,
  isSameStarknetAddress,
  orderIdOf,
  readAllowance,
  readBalance,
  refundCall,
  transactionStatus,
  wouldRefund,
  type NamedCall,
} from './htlc.js';
import {faultOf, readerOf, type Fault, type Read} from './rpc.js';
import {bringToChain, currentAddress, connectorOf, type Connector} from './wallets.js';

/** One wallet, at work on one deal. */
interface Job {
  readonly deal: Deal;
  readonly chain: Chain;
  readonly door: Connector;
  readonly payload: StarknetPayload;
  /** The chain, where the partner named an address for it. */
  readonly read: Read | undefined;
  readonly account: PayingAccount;
  readonly patience: Timeouts;
  readonly signal: AbortSignal | undefined;
  readonly tell: FundOptions['onWalletRequest'];
}

type Telling = Pick<FundOptions, 'onWalletRequest' | 'signal'>;

/**
 * Funds an order by a wallet: the right account on the right chain, the token released for exactly the amount where
 * that is wanted, then the signature or the payment. A payment releases the token in the same transaction; a signature
 * needs it released beforehand. Everything is held against the agreement before each question.
 */
export async function fundDeal(
  deal: Deal,
  account: Account,
  options: FundOptions,
  patience: Timeouts,
): Promise<Funding> {
  const job = await open(deal, account, options, patience);
  const {typedData} = job.payload;
  const bySignature = options.way === 'signature';
  if (bySignature && !typedData) throw mismatch('typed-data');

  await requireSeat(job);
  await requireChecks(job);
  await requireUnpaid(job);
  await requireBalance(job);
  // What nobody can read is not signed. The call was checked by itself.
  const strange = bySignature && typedData ? strangeTypedData(typedData) : undefined;
  if (strange !== undefined) options.onFallback?.(strange);
  const signed = bySignature && strange === undefined ? typedData : undefined;
  const released = await isReleased(job);
  options.onPlan?.(!signed ? ['send'] : released ? ['sign'] : ['approve', 'sign']);

  if (signed && !released) {
    await requireSeat(job);
    await requireChecks(job);
    await approve(job);
  }

  await requireUnpaid(job);
  const report = await requireChecks(job);
  const payment = signed ? [] : await paymentOf(job);
  await options.beforeSign?.(report, signed ?? payment);
  await requireSeat(job);
  return signed ? sign(job, signed) : {how: 'transaction', hash: await send(job, 'send', payment)};
}

/**
 * Takes the money back by the contract's own refund. Anyone may call it once the timelock is over: the money goes to
 * whoever paid it in, so any account that can pay the fee will do.
 */
export async function refundDeal(deal: Deal, account: Account, options: Telling, patience: Timeouts): Promise<string> {
  const job = await open(deal, account, options, patience);
  const {payload, read, chain, door, signal} = job;
  const orderId = orderIdOf(deal.order);
  if (orderId === undefined) throw mismatch('order');
  if (!isContractAddress(payload.call.to)) throw mismatch('contract');
  await bringToChain(door, chain, patience, signal);
  await currentOf(job);
  // Where the money is was checked before it was paid. Which contracts are known now says nothing about that.
  await requireChecks(job, ['chain', 'code']);
  const opens = read && (await wouldRefund(read, payload.call.to, orderId).catch(() => undefined));
  if (opens === false) throw new SwapError('funding-reverted', {detail: 'The contract would not pay it back now.'});
  return send(job, 'refund', deepFreeze([refundCall(payload.call, orderId)]));
}

async function open(deal: Deal, account: Account, options: Telling, patience: Timeouts): Promise<Job> {
  const door = connectorOf(account);
  // From here on nobody can change what is checked, shown and handed to the wallet.
  const payload = starknetPayloadOf(deepFreeze(deal));
  if (!payload || !decodeInitiate(payload.call)) throw mismatch('call');
  const {chain} = deal.agreed.from;
  const {signal} = options;
  const [read, {openAccount}] = await Promise.all([readerOf(chain, patience, signal), reading(import('./account.js'))]);
  signal?.throwIfAborted();
  return {
    deal,
    chain,
    door,
    payload,
    read,
    account: openAccount(door, account.address),
    patience,
    signal,
    tell: ask => options.onWalletRequest(ask),
  };
}

/** The account agreed on must be the wallet's current one, on the right chain: both may change while a window is open. */
async function requireSeat(job: Job): Promise<void> {
  const {door, chain, patience, signal} = job;
  await requireAccount(job);
  // Some wallets have another account on another chain.
  if (await bringToChain(door, chain, patience, signal)) await requireAccount(job);
}

async function requireAccount(job: Job): Promise<void> {
  const address = await currentOf(job);
  if (!isSameStarknetAddress(address, job.deal.agreed.owner)) throw new SwapError('wrong-account', {detail: address});
}

async function currentOf({door, patience, signal}: Job): Promise<string> {
  const address = await reading(currentAddress(door, patience, signal));
  if (address === undefined) throw new SwapError('wallet-locked');
  return address;
}

async function requireChecks({deal, read, signal}: Job, names?: readonly CheckName[]): Promise<CheckReport> {
  const report = await checkDeal(deal, read);
  signal?.throwIfAborted();
  const failed = report.results
    .filter(({name, outcome}) => outcome === 'failed' && (!names || names.includes(name)))
    .map(({name}) => name);
  if (failed.length) throw mismatch(failed.join(' '), report);
  return report;
}

/** A payment that is there already is not made again. The contract takes no order twice, so a failed look stops nothing. */
async function requireUnpaid(job: Job): Promise<void> {
  const {deal, payload} = job;
  const orderId = orderIdOf(deal.order);
  const isPaid = orderId !== undefined && (await look(job, read => holdsOrder(read, payload.call.to, orderId)));
  if (isPaid) throw new SwapError('wallet-unclear', {detail: 'The contract holds this order already.'});
}

async function requireBalance(job: Job): Promise<void> {
  const {owner, amount} = job.deal.agreed;
  const has = await look(job, read => readBalance(read, tokenOf(job), owner));
  if (has !== undefined && has < amount) throw new SwapError('insufficient-funds', {detail: String(has)});
}

/** Whether the contract may take the amount already. Where nobody can tell it is released anew: that harms nobody. */
async function isReleased(job: Job): Promise<boolean> {
  const {deal, payload} = job;
  const {owner, amount} = deal.agreed;
  const allowed = await look(job, read => readAllowance(read, tokenOf(job), owner, payload.call.to));
  return allowed !== undefined && allowed >= amount;
}

/** What the chain says; `undefined` where it cannot be read. */
async function look<T>({read, signal}: Job, ask: (read: Read) => Promise<T>): Promise<T | undefined> {
  const answer = read && (await ask(read).catch(() => undefined));
  signal?.throwIfAborted();
  return answer;
}

/** The payment, with the token released in front of it where it is not yet. */
async function paymentOf(job: Job): Promise<readonly NamedCall[]> {
  const approval = (await isReleased(job)) ? [] : [approvalOf(job)];
  return deepFreeze([...approval, initiateCall(job.payload.call)]);
}

function approvalOf(job: Job): NamedCall {
  return approveCall(tokenOf(job), job.payload.call.to, job.deal.agreed.amount);
}

/** The token that is paid with; the checks have made sure that there is one. */
function tokenOf({deal}: Job): string {
  const {token} = deal.agreed.from;
  if (token === undefined) throw mismatch('token');
  return token;
}

/** Releases the token, and waits until the chain shows it. The wallet may have let the person change the amount. */
async function approve(job: Job): Promise<void> {
  const {read, patience, signal} = job;
  const hash = await send(job, 'approve', deepFreeze([approvalOf(job)]));
  if (!read) {
    // Nobody tells when it is in a block. The service refuses a signature that comes too early, and loses nothing.
    await pause(patience.lag, signal);
    return;
  }
  const started = Date.now();
  let inBlockAt: number | undefined;
  for (let round = 0; ; round++) {
    // Its status alone is not waited for: a transaction that the wallet sent anew has another hash.
    if (await isReleased(job)) return;
    const status = await look(job, ask => transactionStatus(ask, hash));
    if (status === 'reverted') throw new SwapError('approval-failed', {detail: hash});
    if (status === 'done') inBlockAt ??= Date.now();
    const tooLate =
      inBlockAt === undefined ? Date.now() - started > patience.receipt : Date.now() - inBlockAt > patience.lag;
    if (tooLate) throw new SwapError('approval-failed', {detail: hash});
    await pause(patience.poll * Math.min(8, 1.5 ** round), signal);
  }
}

/**
 * The signature as the wallet gave it, of any length: accounts are contracts, and some want more than two numbers.
 * Whether it is the account's own is left to the service. Libraries do not agree on what is signed, since one takes the
 * short text "1" for a number (starknet.js #1039), so a hash made here would prove nothing.
 */
async function sign(job: Job, typedData: TypedData): Promise<Funding> {
  const signature = await question(job, 'sign', {
    ask: () => job.account.sign(typedData),
    read(answer) {
      if (!Array.isArray(answer) || answer.length < 2 || !answer.every(isNumeric)) {
        throw new SwapError('wallet-unclear', {detail: 'The wallet gave no signature.'});
      }
      return {state: 'signed', value: answer as readonly unknown[]};
    },
    refusalOf,
  });
  return {how: 'signature', signature};
}

/** Wallets write numbers in hex or in decimals. */
function isNumeric(value: unknown): boolean {
  return typeof value === 'string' && /^(?:0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value);
}

function send(job: Job, kind: WalletRequestKind, calls: readonly NamedCall[]): Promise<string> {
  return question(job, kind, {
    ask: () => job.account.execute(calls),
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

function refusalOf(cause: unknown): SwapErrorCode | undefined {
  const fault = faultOf(cause);
  return fault && REFUSALS[fault];
}

/** What a wallet's error means where it certainly sent nothing. */
const REFUSALS = {
  rejected: 'rejected',
  unsupported: 'wallet-failed',
  'insufficient-funds': 'insufficient-funds',
  reverted: 'funding-reverted',
  'no-contract': undefined,
  'no-entry-point': undefined,
  'no-transaction': undefined,
} as const satisfies Record<Fault, SwapErrorCode | undefined>;

function mismatch(field: string, cause?: CheckReport): SwapError {
  return new SwapError('deposit-mismatch', {field, cause});
}
