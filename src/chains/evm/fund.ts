import type {Chain} from '../../domain/asset.js';
import type {
  CheckName,
  CheckReport,
  Deal,
  EvmPayload,
  Funding,
  TypedData,
  WalletRequestKind,
} from '../../domain/deposit.js';
import {SwapError} from '../../domain/error.js';
import type {Account, FundOptions} from '../adapter.js';
import {codeReader, errorFrom, mismatch, paidAlready, requireRead} from '../errors.js';
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
import {hex} from '../rpc.js';
import {pause, type Timeouts} from '../timeouts.js';
import {checkDeal, digestOf, evmPayloadOf, isEvmAddress, isSameEvmAddress, strangeTypedData} from './check.js';
import {
  decodeInitiate,
  encodeApprove,
  encodeRefund,
  findOrder,
  hasCode,
  readAllowance,
  readBalance,
  readCoins,
  wouldRevert,
  type Terms,
} from './htlc.js';
import {ask, faultOf, readThrough, type Fault, type Provider, type Read} from './rpc.js';
import {bringToChain, currentAddress, providers} from './wallets.js';

/** What a wallet takes as a transaction (EIP-1193, `eth_sendTransaction`); it sets nonce, gas and fee itself. */
interface WalletTransaction {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly value: string;
  readonly chainId: string;
}

/** One wallet that is asked about one deal. */
interface Context extends FundingContext {
  readonly chain: Chain;
  readonly provider: Provider;
  readonly payload: EvmPayload;
  readonly terms: Terms;
  /** The chain as this wallet sees it: the one that the wallet would pay on. */
  readonly read: Read;
}

/** Funds an order from a wallet by its transaction or its signature; the token is approved for exactly the amount. */
export async function fundDeal(
  deal: Deal,
  account: Account,
  options: FundOptions,
  timeouts: Timeouts,
): Promise<Funding> {
  const context = open(deal, account, options, timeouts);
  const {typedData} = context.payload;
  return fundOrder<WalletTransaction>(options, {
    requireWallet: () => requireWallet(context),
    requireChecks: () => requireChecks(context),
    async requirePayable() {
      await requireUnpaid(context);
      await requireBalance(context);
    },
    planApprovals: () => planApprovals(context),
    async approve(kind) {
      const {token} = deal.agreed.from;
      if (token !== undefined) await approve(context, kind, token);
    },
    signing: typedData && {typedData, strangeIn: strangeTypedData, sign: () => sign(context, typedData)},
    async prepare() {
      await requireUnpaid(context);
      // A signature moves the same money from the same account, so the payment is tried out for it too.
      const payment = paymentOf(context);
      await requireAcceptance(context, payment);
      return payment;
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
  const context = open(deal, account, options, timeouts);
  const {payload, terms, chain} = context;
  await moveToChain(context);
  // The contract was checked before the payment. Which contracts are known today does not matter to a refund.
  await requireChecks(context, ['chain', 'code']);

  const from = await currentOf(context);
  const {to} = payload.transaction;
  const order = await requireRead(findOrder(context.read, deal, to, terms));
  if (!order) throw new SwapError('funding-reverted', {detail: 'The contract holds no such order.'});
  const transaction = makeTransaction(chain, from, to, encodeRefund(order.id));
  const refusal = await wouldRevert(context.read, transaction).catch(() => undefined);
  if (refusal) throw errorFrom('funding-reverted', refusal.cause);
  return send(context, 'refund', transaction);
}

/**
 * Takes back what the contract may take of the token, so that a signature can no longer be used. Only the owner can, as it
 * is the owner's allowance. Where there is none the wallet is not asked, and the answer is empty.
 */
export async function revokeDeal(
  deal: Deal,
  account: Account,
  options: RequestOptions,
  timeouts: Timeouts,
): Promise<string> {
  const context = open(deal, account, options, timeouts);
  const {owner, from} = deal.agreed;
  const {to} = context.payload.transaction;
  if (from.token === undefined) throw mismatch('token');
  if (!isEvmAddress(to)) throw mismatch('contract');
  await requireWallet(context);
  if ((await requireRead(readAllowance(context.read, from.token, owner, to))) === 0n) return '';
  return approve(context, 'revoke', from.token);
}

function open(deal: Deal, account: Account, options: RequestOptions, timeouts: Timeouts): Context {
  const provider = providers.get(account);
  const context = contextOf(deal, options, timeouts);
  const payload = evmPayloadOf(deal);
  const terms = payload && decodeInitiate(payload.transaction.data);
  if (!payload || !terms) throw mismatch('call');
  const read = readThrough(provider, timeouts, options.signal);
  return {...context, chain: deal.agreed.from.chain, provider, payload, terms, read};
}

function requireWallet(context: Context): Promise<void> {
  return requireOwner(context.deal.agreed.owner, {
    isSame: isSameEvmAddress,
    address: () => currentOf(context),
    moveToChain: () => moveToChain(context),
  });
}

function moveToChain(context: Context): Promise<boolean> {
  return bringToChain(context.provider, context.chain, context.read, context);
}

function currentOf({provider, timeouts, signal}: Context): Promise<string> {
  return requireAddress(currentAddress(provider, timeouts, signal));
}

/** Runs the checks on the chain that the wallet is on. */
function requireChecks({deal, read, signal}: Context, names?: readonly CheckName[]): Promise<CheckReport> {
  return requirePassed(checkDeal(deal, read), signal, names);
}

/**
 * A payment that is there already is not made again. The contract takes no order twice, so a failed read stops nothing.
 */
async function requireUnpaid({deal, payload, terms, read}: Context): Promise<void> {
  const found = await findOrder(read, deal, payload.transaction.to, terms).catch(() => undefined);
  if (found) throw paidAlready('The contract holds this order already.');
}

async function requireBalance({deal: {agreed}, read}: Context): Promise<void> {
  const {token} = agreed.from;
  const has = await requireRead(
    token === undefined ? readCoins(read, agreed.owner) : readBalance(read, token, agreed.owner),
  );
  if (has < agreed.amount) throw new SwapError('insufficient-funds', {detail: String(has)});
}

/** Which approvals are needed: the contract moves the token itself, whether by transaction or by signature. */
async function planApprovals({deal: {agreed}, payload, read}: Context): Promise<readonly Approval[]> {
  const {owner, amount, from} = agreed;
  const {token} = from;
  if (token === undefined) return [];
  const spender = payload.transaction.to;
  const allowed = await requireRead(readAllowance(read, token, owner, spender));
  if (allowed >= amount) return [];
  if (allowed === 0n) return ['approve'];

  // Some tokens, Tether's on Ethereum among them, let an allowance change from and to 0 only.
  const refuses = (value: bigint) =>
    requireRead(wouldRevert(read, {from: owner, to: token, data: encodeApprove(spender, value)}));
  const refusal = await refuses(amount);
  if (!refusal) return ['approve'];
  if (await refuses(0n)) throw errorFrom('approval-failed', refusal.cause);
  return ['revoke', 'approve'];
}

/** Sets the allowance of a token, and waits until the chain shows it; answers the transaction's hash. */
async function approve(context: Context, kind: Approval, token: string): Promise<string> {
  const {deal, payload, chain, read} = context;
  const {owner, amount} = deal.agreed;
  const spender = payload.transaction.to;
  const value = kind === 'revoke' ? 0n : amount;
  const hash = await send(context, kind, makeTransaction(chain, owner, token, encodeApprove(spender, value)));

  const isSet = (allowed: bigint) => (kind === 'revoke' ? allowed === 0n : allowed >= amount);
  await waitForAllowance(context, hash, {
    isSet: () => readAllowance(read, token, owner, spender).then(isSet, () => false),
    status: () => receiptStatus(read, hash).catch(() => undefined),
  });
  return hash;
}

/** How a transaction ended; `undefined` while it is in no block. */
async function receiptStatus(read: Read, hash: string): Promise<'done' | 'reverted' | undefined> {
  const receipt = (await read('eth_getTransactionReceipt', hash)) as {readonly status?: unknown} | null | undefined;
  if (!receipt) return undefined;
  return Number(receipt.status) === 0 ? 'reverted' : 'done';
}

/**
 * What an account answers that can only sign on the chain, or once its other owners have: a Safe, for one. The
 * specification has no way to hand that on.
 */
const NO_SIGNATURE = '0x';

/** Asks for a signature; falls back where the account can give none. */
function sign(context: Context, typedData: TypedData) {
  const {owner} = context.deal.agreed;
  return requestWallet<{signature: string} | {fallback: string}>(context, 'sign', {
    request: () => ask(context.provider, 'eth_signTypedData_v4', [owner, JSON.stringify(typedData)]),
    async read(answer) {
      // There is no signature anywhere, so nothing can come of it.
      if (answer === NO_SIGNATURE) return {state: 'refused', value: {fallback: NO_SIGNATURE}};
      if (typeof answer !== 'string' || !/^0x(?:[0-9a-f]{2}){64,}$/i.test(answer)) {
        throw new SwapError('wallet-unclear', {detail: 'The wallet gave no signature.'});
      }
      const signature = withFullParity(answer);
      if (await isForeign(context, typedData, signature)) {
        // It has not left this page, so nothing can come of it.
        await context.onWalletRequest({kind: 'sign', state: 'refused'});
        throw new SwapError('wrong-account', {detail: 'The signature is not the account’s own.'});
      }
      return {state: 'signed', value: {signature}};
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
 * ways of their own (ERC-1271), so theirs pass, as does a signature that cannot be checked.
 */
async function isForeign({deal, read}: Context, typedData: TypedData, signature: string): Promise<boolean> {
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

function paymentOf({deal, chain, payload}: Context): WalletTransaction {
  const {to, data, value} = payload.transaction;
  return makeTransaction(chain, deal.agreed.owner, to, data, value);
}

/** The service's gas limit is a constant that is not enough everywhere, so the wallet estimates its own. */
function makeTransaction({chainId}: Chain, from: string, to: string, data: string, value = 0n): WalletTransaction {
  return Object.freeze({from, to, data, value: hex(value), chainId: hex(chainId ?? 0)});
}

/** Stops at a payment that the chain would certainly refuse, before the person is asked for it. */
async function requireAcceptance({read, timeouts, signal}: Context, payment: WalletTransaction): Promise<void> {
  const simulate = () => wouldRevert(read, payment).catch(() => undefined);
  if (!(await simulate())) return;
  // Another node of the wallet's may not know a fresh approval yet.
  await pause(timeouts.poll, signal);
  const refusal = await simulate();
  if (!refusal) return;
  const code = faultOf(refusal.cause) === 'insufficient-funds' ? 'insufficient-funds' : 'funding-reverted';
  throw errorFrom(code, refusal.cause);
}

function send(context: Context, kind: WalletRequestKind, transaction: WalletTransaction): Promise<string> {
  return requestWallet(context, kind, {
    request: () => ask(context.provider, 'eth_sendTransaction', [transaction]),
    read(answer) {
      if (typeof answer !== 'string' || !/^0x[0-9a-f]{64}$/i.test(answer)) {
        throw new SwapError('wallet-unclear', {detail: 'The wallet gave no transaction hash.'});
      }
      return {state: 'sent', hash: answer, value: answer};
    },
    refusalOf,
  });
}

/**
 * What a wallet's error means where it certainly sent nothing. A pending request may still be answered, and some nodes
 * say `reverted` of a transaction that they took, so those stay unclear.
 */
const refusalOf = codeReader<Fault>(faultOf, {
  rejected: 'rejected',
  unsupported: 'wallet-failed',
  unauthorized: 'wallet-locked',
  'insufficient-funds': 'insufficient-funds',
  pending: undefined,
  reverted: undefined,
});
