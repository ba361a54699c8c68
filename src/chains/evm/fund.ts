import type {Chain} from '../../domain/asset.js';
import type {
  WalletRequestKind,
  CheckName,
  CheckReport,
  Deal,
  EvmPayload,
  Funding,
  TypedData,
} from '../../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../../domain/error.js';
import {deepFreeze} from '../../domain/freeze.js';
import type {Account, FundOptions} from '../adapter.js';
import {pause, question, reading, messageOf, type Timeouts} from '../common.js';
import {checkDeal, digestOf, evmPayloadOf, isSameEvmAddress, strangeTypedData} from './check.js';
import {
  decodeInitiate,
  encodeApprove,
  encodeRefund,
  findOrderId,
  hasCode,
  readAllowance,
  readBalance,
  readCoins,
  wouldRevert,
  type Terms,
} from './htlc.js';
import {ask, faultOf, hex, readThrough, type Fault, type Provider, type Read} from './rpc.js';
import {bringToChain, currentAddress, providerOf} from './wallets.js';

type Approval = Extract<WalletRequestKind, 'revoke' | 'approve'>;

/** What a wallet takes as a transaction (EIP-1193, `eth_sendTransaction`); it sets nonce, gas and fee itself. */
interface WalletTransaction {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly value: string;
  readonly chainId: string;
}

/** One wallet, at work on one deal. */
interface Job {
  readonly deal: Deal;
  readonly chain: Chain;
  readonly provider: Provider;
  readonly payload: EvmPayload;
  readonly terms: Terms;
  /** The chain, as this wallet sees it: it is the one that the wallet would pay on. */
  readonly read: Read;
  readonly patience: Timeouts;
  readonly signal: AbortSignal | undefined;
  readonly tell: FundOptions['onWalletRequest'];
}

type Telling = Pick<FundOptions, 'onWalletRequest' | 'signal'>;

/**
 * Funds an order by a wallet: the right account on the right chain, the token released for exactly the amount where
 * that is wanted, then the signature or the payment. Everything is held against the agreement before each question.
 */
export async function fundDeal(
  deal: Deal,
  account: Account,
  options: FundOptions,
  patience: Timeouts,
): Promise<Funding> {
  const job = open(deal, account, options, patience);
  const {typedData} = job.payload;
  const bySignature = options.way === 'signature';
  if (bySignature && !typedData) throw mismatch('typed-data');

  await requireSeat(job);
  await requireChecks(job);
  await requireUnpaid(job);
  await requireBalance(job);
  const approvals = await planApprovals(job);
  // What nobody can read is not signed. The transaction was checked by itself.
  const strange = bySignature && typedData ? strangeTypedData(typedData) : undefined;
  if (strange !== undefined) options.onFallback?.(strange);
  const signed = bySignature && strange === undefined ? typedData : undefined;
  options.onPlan?.([...approvals, signed ? 'sign' : 'send']);

  for (const kind of approvals) {
    await requireSeat(job);
    await requireChecks(job);
    await approve(job, kind);
  }

  if (signed) {
    await prepareQuestion(job, options, signed);
    const signature = await sign(job, signed);
    if (signature !== undefined) return {how: 'signature', signature};
    options.onFallback?.(NO_SIGNATURE);
    options.onPlan?.([...approvals, 'send']);
    await requireSeat(job);
  }
  const payment = await prepareQuestion(job, options);
  return {how: 'transaction', hash: await send(job, 'send', payment)};
}

/**
 * Makes sure of everything once more, right before the last question, and shows the page what the wallet will get: the
 * payment, or what is `signed` instead.
 */
async function prepareQuestion(job: Job, options: FundOptions, signed?: TypedData): Promise<WalletTransaction> {
  await requireUnpaid(job);
  const report = await requireChecks(job);
  // The contract moves the same money from the same account on both ways.
  const payment = paymentOf(job);
  await requireAcceptance(job, payment);
  await options.beforeSign?.(report, signed ?? payment);
  await requireSeat(job);
  return payment;
}

/**
 * Takes the money back by the contract's own refund. Anyone may call it once the timelock is over: the money goes to
 * whoever paid it in, so any account that can pay the fee will do.
 */
export async function refundDeal(deal: Deal, account: Account, options: Telling, patience: Timeouts): Promise<string> {
  const job = open(deal, account, options, patience);
  const {payload, terms, chain, provider, signal} = job;
  await requireChain(job);
  // Where the money is was checked before it was paid. Which contracts are known now says nothing about that.
  await requireChecks(job, ['chain', 'code']);

  const from = await currentOf(provider, patience, signal);
  const orderId = await reading(findOrderId(job.read, deal, payload, terms));
  if (orderId === undefined) throw new SwapError('funding-reverted', {detail: 'The contract holds no such order.'});
  const transaction = prepare(chain, from, payload.transaction.to, encodeRefund(orderId));
  const refusal = await wouldRevert(job.read, transaction).catch(() => undefined);
  if (refusal) throw new SwapError('funding-reverted', {detail: messageOf(refusal.cause), cause: refusal.cause});
  return send(job, 'refund', transaction);
}

function open(deal: Deal, account: Account, options: Telling, patience: Timeouts): Job {
  const provider = providerOf(account);
  // From here on nobody can change what is checked, shown and handed to the wallet.
  const payload = evmPayloadOf(deepFreeze(deal));
  const terms = payload && decodeInitiate(payload.transaction.data);
  if (!payload || !terms) throw mismatch('call');
  const {chain} = deal.agreed.from;
  const {signal} = options;
  const read = readThrough(provider, patience, signal);
  return {deal, chain, provider, payload, terms, read, patience, signal, tell: ask => options.onWalletRequest(ask)};
}

/** The account agreed on must be the wallet's current one, on the right chain: both may change while a window is open. */
async function requireSeat(job: Job): Promise<void> {
  await requireAccount(job);
  // Some wallets have another account on another chain.
  if (await requireChain(job)) await requireAccount(job);
}

function requireChain({provider, chain, read, patience, signal}: Job): Promise<boolean> {
  return bringToChain(provider, chain, read, patience, signal);
}

async function requireAccount({deal, provider, patience, signal}: Job): Promise<void> {
  const address = await currentOf(provider, patience, signal);
  if (!isSameEvmAddress(address, deal.agreed.owner)) throw new SwapError('wrong-account', {detail: address});
}

async function currentOf(provider: Provider, patience: Timeouts, signal: AbortSignal | undefined): Promise<string> {
  const address = await reading(currentAddress(provider, patience, signal));
  if (address === undefined) throw new SwapError('wallet-locked');
  return address;
}

/** Runs the checks on the chain that the wallet is on. */
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
async function requireUnpaid({deal, payload, terms, read}: Job): Promise<void> {
  const found = await findOrderId(read, deal, payload, terms).catch(() => undefined);
  if (found !== undefined) throw new SwapError('wallet-unclear', {detail: 'The contract holds this order already.'});
}

async function requireBalance({deal: {agreed}, read}: Job): Promise<void> {
  const {token} = agreed.from;
  const has = await reading(
    token === undefined ? readCoins(read, agreed.owner) : readBalance(read, token, agreed.owner),
  );
  if (has < agreed.amount) throw new SwapError('insufficient-funds', {detail: String(has)});
}

/** Which approvals are needed: the contract moves the token itself, on both ways. */
async function planApprovals({deal: {agreed}, payload, read}: Job): Promise<readonly Approval[]> {
  const {owner, amount, from} = agreed;
  const {token} = from;
  if (token === undefined) return [];
  const spender = payload.transaction.to;
  const allowed = await reading(readAllowance(read, token, owner, spender));
  if (allowed >= amount) return [];
  if (allowed === 0n) return ['approve'];

  // Some tokens, Tether's on Ethereum among them, let an allowance change from and to 0 only.
  const refuses = (value: bigint) =>
    reading(wouldRevert(read, {from: owner, to: token, data: encodeApprove(spender, value)}));
  const refusal = await refuses(amount);
  if (!refusal) return ['approve'];
  if (await refuses(0n))
    throw new SwapError('approval-failed', {detail: messageOf(refusal.cause), cause: refusal.cause});
  return ['revoke', 'approve'];
}

/** Sets the allowance, and waits until the chain shows it. The wallet may have let the person change the amount. */
async function approve(job: Job, kind: Approval): Promise<void> {
  const {deal, payload, chain, read, patience, signal} = job;
  const {owner, amount, from} = deal.agreed;
  const {token} = from;
  if (token === undefined) return;
  const spender = payload.transaction.to;
  const value = kind === 'revoke' ? 0n : amount;
  const hash = await send(job, kind, prepare(chain, owner, token, encodeApprove(spender, value)));

  const isSet = (allowed: bigint) => (kind === 'revoke' ? allowed === 0n : allowed >= amount);
  const started = Date.now();
  let inBlockAt: number | undefined;
  for (let round = 0; ; round++) {
    // A receipt alone is not waited for: a transaction that the person sped up has another hash.
    const allowed = await readAllowance(read, token, owner, spender).catch(() => undefined);
    if (allowed !== undefined && isSet(allowed)) return;
    const status = await receiptStatus(read, hash).catch(() => undefined);
    if (status === 'reverted') throw new SwapError('approval-failed', {detail: hash});
    if (status === 'done') inBlockAt ??= Date.now();
    const tooLate =
      inBlockAt === undefined ? Date.now() - started > patience.receipt : Date.now() - inBlockAt > patience.lag;
    if (tooLate) throw new SwapError('approval-failed', {detail: `allowance ${String(allowed)}`});
    await pause(patience.poll * Math.min(8, 1.5 ** round), signal);
  }
}

/** How a transaction ended; `undefined` while it is in no block. */
export async function receiptStatus(read: Read, hash: string): Promise<'done' | 'reverted' | undefined> {
  const receipt = (await read('eth_getTransactionReceipt', hash)) as {readonly status?: unknown} | null | undefined;
  if (!receipt) return undefined;
  return Number(receipt.status) === 0 ? 'reverted' : 'done';
}

/**
 * What an account answers that can only sign on the chain, or once its other owners have: a Safe, for one. The
 * specification has no way to hand that on.
 */
const NO_SIGNATURE = '0x';

/** Asks for a signature; answers `undefined` where the account can give none. */
function sign(job: Job, typedData: TypedData): Promise<string | undefined> {
  const {owner} = job.deal.agreed;
  return question<string | undefined>(job, 'sign', {
    ask: () => ask(job.provider, 'eth_signTypedData_v4', [owner, JSON.stringify(typedData)]),
    async read(answer) {
      // Nothing was signed that anybody has, so nothing can come of it.
      if (answer === NO_SIGNATURE) return {state: 'refused', value: undefined};
      if (typeof answer !== 'string' || !/^0x(?:[0-9a-f]{2}){64,}$/i.test(answer)) {
        throw new SwapError('wallet-unclear', {detail: 'The wallet gave no signature.'});
      }
      const value = withFullParity(answer);
      if (await isForeign(job, typedData, value)) {
        // It has not left this page, so nothing can come of it.
        await job.tell({kind: 'sign', state: 'refused'});
        throw new SwapError('wrong-account', {detail: 'The signature is not the account’s own.'});
      }
      return {state: 'signed', value};
    },
    refusalOf,
  });
}

/** Some hardware wallets end a signature with 0 or 1 where contracts want 27 or 28. */
function withFullParity(signature: string): string {
  const parity = signature.length === 132 ? signature.slice(130) : '';
  return parity === '00'
    ? `${signature.slice(0, 130)}1b`
    : parity === '01'
      ? `${signature.slice(0, 130)}1c`
      : signature;
}

/** The chain's own precompiled contract that answers who signed. */
const ECRECOVER = '0x0000000000000000000000000000000000000001';

/**
 * Whether a signature is certainly not the owner's. The chain is asked who signed. Accounts that are contracts sign in
 * ways of their own (ERC-1271), so theirs pass, as does all that cannot be told.
 */
async function isForeign({deal, read}: Job, typedData: TypedData, signature: string): Promise<boolean> {
  if (signature.length !== 132) return false;
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130).padStart(64, '0')];
  try {
    const signer = await read('eth_call', {to: ECRECOVER, data: `${digestOf(typedData)}${v}${r}${s}`}, 'latest');
    if (typeof signer !== 'string') return false;
    return !isSameEvmAddress(`0x${signer.slice(-40)}`, deal.agreed.owner) && !(await hasCode(read, deal.agreed.owner));
  } catch {
    return false;
  }
}

function paymentOf({deal, chain, payload}: Job): WalletTransaction {
  const {to, data, value} = payload.transaction;
  return prepare(chain, deal.agreed.owner, to, data, value);
}

/** The service's gas limit is a constant that is not enough everywhere, so the wallet estimates its own. */
function prepare({chainId}: Chain, from: string, to: string, data: string, value = 0n): WalletTransaction {
  return Object.freeze({from, to, data, value: hex(value), chainId: hex(chainId ?? 0)});
}

/** Turns a payment that is sure to be refused by the chain into an error before anybody is asked for it. */
async function requireAcceptance({read, patience, signal}: Job, payment: WalletTransaction): Promise<void> {
  const rehearse = () => wouldRevert(read, payment).catch(() => undefined);
  if (!(await rehearse())) return;
  // Another node of the wallet's may not know a fresh approval yet.
  await pause(patience.poll, signal);
  const refusal = await rehearse();
  if (!refusal) return;
  const code = faultOf(refusal.cause) === 'insufficient-funds' ? 'insufficient-funds' : 'funding-reverted';
  throw new SwapError(code, {detail: messageOf(refusal.cause), cause: refusal.cause});
}

function send(job: Job, kind: WalletRequestKind, transaction: WalletTransaction): Promise<string> {
  return question(job, kind, {
    ask: () => ask(job.provider, 'eth_sendTransaction', [transaction]),
    read(answer) {
      if (typeof answer !== 'string' || !/^0x[0-9a-f]{64}$/i.test(answer)) {
        throw new SwapError('wallet-unclear', {detail: 'The wallet gave no transaction hash.'});
      }
      return {state: 'sent', hash: answer, value: answer};
    },
    refusalOf,
  });
}

function refusalOf(cause: unknown): SwapErrorCode | undefined {
  const fault = faultOf(cause);
  return fault && REFUSALS[fault];
}

/**
 * What a wallet's error means where it certainly sent nothing. A pending question may still be answered, and some nodes
 * say `reverted` of what they took, so those stay unclear.
 */
const REFUSALS = {
  rejected: 'rejected',
  unsupported: 'wallet-failed',
  unauthorized: 'wallet-locked',
  'insufficient-funds': 'insufficient-funds',
  pending: undefined,
  'unknown-chain': undefined,
  reverted: undefined,
} as const satisfies Record<Fault, SwapErrorCode | undefined>;

function mismatch(field: string, cause?: CheckReport): SwapError {
  return new SwapError('deposit-mismatch', {field, cause});
}
