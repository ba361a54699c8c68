import {reportOf, type CheckReport, type Deal, type Funding, type WalletRequestKind} from '../../domain/deposit.js';
import {fault, SwapError, type SwapErrorCode} from '../../domain/error.js';
import type {Account, CheckOptions, FundOptions} from '../adapter.js';
import {runChainCheck} from '../checks.js';
import {codeReader, contradiction, errorFrom, mismatch, paidAlready, requireRead, tryRead} from '../errors.js';
import {
  contextOf,
  fundOrder,
  requestWallet,
  requireNoneFailed,
  requirePassed,
  type FundingContext,
  type RequestOptions,
} from '../funding.js';
import {withoutFirst} from '../rpc.js';
import {pause, within, type Timeouts} from '../timeouts.js';
import {checkCode, checkDeal, MOST_FOR_PRIORITY, paymentOf, type Payment} from './check.js';
import {createTokenAccount, tokenAccount} from './accounts.js';
import {layoutOf, readHeld, refundInstruction, swapOf, type Swap} from './htlc.js';
import {
  becomesAlive,
  depositFor,
  faultOf,
  latestBlockhash,
  readCoins,
  readerOf,
  readTokens,
  simulate,
  sendingRefusal,
  type Fault,
  type Read,
  type Refusal,
} from './rpc.js';
import {
  base58,
  base64,
  isSamePayment,
  isSignedBy,
  priorityFee,
  readTransaction,
  SIGNATURE_FEE,
  SIGNATURE_LENGTH,
  writeTransaction,
  type Instruction,
} from './transaction.js';
import {connectors, walletChainOf, type Connector, type SigningRequest} from './wallets.js';

interface Context extends FundingContext {
  readonly connector: Connector;
  readonly read: Read | undefined;
  readonly others: CheckOptions['others'];
  readonly approved: FundOptions['approved'];
}

/**
 * Funds an order from a wallet. If the partner named an RPC, the wallet only signs, and the widget verifies the signed
 * transaction and sends it, so it is certain whether and what was sent. Otherwise the wallet sends it itself.
 */
export async function fundDeal(
  deal: Deal,
  account: Account,
  options: FundOptions,
  timeouts: Timeouts,
): Promise<Funding> {
  const context = open(deal, account, options, timeouts);
  const payment = paymentOf(deal);
  if (!payment || options.way === 'signature') throw mismatch('call');
  const {owner, from} = deal.agreed;
  return fundOrder<SigningRequest>(options, {
    requireWallet: () => requireWallet(context, owner, payment.transaction.version),
    requireChecks: () => requireChecks(context),
    async requirePayable() {
      await requireAlive(context, payment);
      await requireUnpaid(context, payment);
      await requireCoins(context, payment);
    },
    async prepare() {
      const request = {address: owner, chain: walletChainOf(from.chain), transaction: payment.bytes};
      await requireAcceptance(context, request);
      return request;
    },
    // Bytes cannot be frozen, so the page gets them as text.
    show: request => Object.freeze({...request, transaction: base64(request.transaction)}),
    send: request => submit(context, 'send', request),
  });
}

/**
 * Refunds the money through the program. Anyone may call it after the timelock: the money goes to the account that paid
 * it in, so any account that can pay the fee may sign.
 */
export async function refundDeal(
  deal: Deal,
  account: Account,
  options: RequestOptions,
  timeouts: Timeouts,
): Promise<string> {
  const context = open(deal, account, options, timeouts);
  const payment = paymentOf(deal);
  if (!payment?.instruction || !payment.terms) throw mismatch('call');
  const {read, connector} = context;
  if (!read) throw fault('rpc', 'There is no node to ask: the chain’s rpc is not named.');
  const {from, owner} = deal.agreed;
  const [payer] = connector.accounts();
  if (payer === undefined) throw new SwapError('wallet-locked');
  requireWallet(context, payer, 'legacy');
  const {instruction} = payment;
  // The program was checked before the payment. Which programs are known now does not matter for a refund.
  requireNoneFailed(reportOf([await runChainCheck('code', read, node => checkCode(node, instruction))]));
  context.signal?.throwIfAborted();

  const swap = await swapOf(instruction.program, owner, payment.terms);
  const held = await requireRead(readHeld(read, swap, 'confirmed'));
  if (!held) throw new SwapError('funding-reverted', {detail: 'The program holds no such deposit.'});
  const place = await requireRead(missingPlace(read, payer, swap));
  const blockhash = await requireRead(latestBlockhash(read, 'confirmed'));
  const request: SigningRequest = {
    address: payer,
    chain: walletChainOf(from.chain),
    transaction: writeTransaction(payer, blockhash, ...place, await refundInstruction(swap, held.sponsor)),
  };
  await requireAcceptance(context, request);
  return submit(context, 'refund', request);
}

/** The owner may have closed the account that a refund of tokens goes to. The fee payer pays for a new one. */
async function missingPlace(
  read: Read,
  feePayer: string,
  {payer, terms: {token}}: Swap,
): Promise<readonly Instruction[]> {
  if (token === undefined) return [];
  const amount = await readTokens(read, await tokenAccount(payer, token));
  return amount === undefined ? [await createTokenAccount(feePayer, payer, token)] : [];
}

function open(deal: Deal, account: Account, options: RequestOptions, timeouts: Timeouts): Context {
  const connector = connectors.get(account);
  const read = readerOf(deal.agreed.from.chain, timeouts, options.signal);
  const {others, approved} = options;
  return {...contextOf(deal, options, timeouts), connector, read, others, approved};
}

function requireWallet({deal, connector, read}: Context, address: string, version: 'legacy' | 0): void {
  const accounts = connector.accounts();
  if (!accounts.length) throw new SwapError('wallet-locked');
  if (!accounts.includes(address)) throw new SwapError('wrong-account', {detail: accounts[0]});
  const chain = walletChainOf(deal.agreed.from.chain);
  if (!connector.isOn(address, chain)) throw new SwapError('wrong-network', {detail: chain});
  if (!connector.takes(version))
    throw new SwapError('wallet-missing', {detail: `It does not sign version ${version}.`});
  if (!connector.send && !(connector.sign && read)) {
    throw fault('rpc', 'This wallet signs only, so a node has to be named to send by.');
  }
}

function requireChecks(context: Context): Promise<CheckReport> {
  const {deal, read, timeouts} = context;
  return requirePassed(checkDeal(deal, read, context, timeouts), context);
}

/** The payload is valid for about a minute. An expired one would fail after the visitor has confirmed it. */
async function requireAlive({read, timeouts, signal}: Context, {transaction: {blockhash}}: Payment): Promise<void> {
  if (!read || (await requireRead(becomesAlive(read, blockhash, timeouts, signal)))) return;
  throw new SwapError('expired', {detail: `blockhash ${blockhash}`});
}

/** The program accepts no order twice, so a failed read stops nothing. */
async function requireUnpaid({deal, read, approved}: Context, {instruction, terms}: Payment): Promise<void> {
  // Nothing shows what became of an earlier one without readable terms.
  if (!terms && approved) throw new SwapError('approval-failed', {field: 'taken'});
  if (!read || !instruction || !terms) return;
  const swap = await swapOf(instruction.program, deal.agreed.owner, terms);
  const found = await readHeld(read, swap, 'processed').catch(() => undefined);
  if (found) throw paidAlready('The program holds this order already.');
}

/**
 * The account must cover the amount, the fee, and the deposit for the swap's own account, which the payer gets back;
 * for a token, the last two in SOL.
 */
async function requireCoins({deal: {agreed}, read}: Context, {transaction, transfer}: Payment): Promise<void> {
  if (!read) return;
  const {owner, amount, from} = agreed;
  const {token} = from;
  const rent = transfer ? 0n : depositFor(read, layoutOf(from).length);
  const tokens = token === undefined ? undefined : tokenAccount(owner, token).then(one => readTokens(read, one));
  const [coins, kept, held = 0n] = await requireRead(Promise.all([readCoins(read, owner), rent, tokens]));
  const needed = kept + SIGNATURE_FEE + priorityFee(transaction);
  const [has, most] = token === undefined ? [coins, amount + needed] : [held, amount];
  if (has < most) throw new SwapError('insufficient-funds', {detail: String(has)});
  if (coins < needed) throw new SwapError('insufficient-funds', {detail: `${String(coins)} lamports`});
}

/** Stops before the prompt if the payment would certainly fail, by the word of two RPCs if there are several. */
async function requireAcceptance(context: Context, {transaction}: SigningRequest): Promise<void> {
  const {deal, read, timeouts, signal} = context;
  if (!read) return;
  const {chain} = deal.agreed.from;
  const problem = (node: Read) => simulate(node, base64(transaction));
  const look = () => problem(read).catch(() => undefined);
  if (!(await look())) return;
  // Another node behind the same RPC may not know the last block yet.
  await pause(timeouts.poll, signal);
  const found = await look();
  if (!found) return;
  const others = withoutFirst(chain);
  const other = others && readerOf(others, timeouts, signal);
  const failure = new SwapError(CODES[found.refusal] ?? 'wallet-unclear', {detail: found.detail});
  throw !other || (await tryRead(() => problem(other))) ? failure : contradiction(chain, failure);
}

/** The error code for each rejection by the chain. A repeated transaction may be the payment itself. */
const CODES = {
  expired: 'expired',
  repeated: undefined,
  'insufficient-funds': 'insufficient-funds',
  reverted: 'funding-reverted',
} as const satisfies Record<Refusal, SwapErrorCode | undefined>;

function submit(context: Context, kind: WalletRequestKind, request: SigningRequest): Promise<string> {
  const {deal, connector, timeouts} = context;
  // No signal: what the visitor confirmed is sent, even if the widget was removed meanwhile.
  const write = readerOf(deal.agreed.from.chain, timeouts);
  return write && connector.sign
    ? signAndSend(context, kind, request, connector.sign, write)
    : letSend(context, kind, request, connector.send, write);
}

/**
 * The wallet signs, and the widget sends the payment. What the wallet has not returned cannot be sent, so an error
 * before that, or a timeout, is certain: nothing was paid. What it returns later is not sent either.
 */
async function signAndSend(
  {timeouts, signal, onWalletRequest}: Context,
  kind: WalletRequestKind,
  request: SigningRequest,
  sign: NonNullable<Connector['sign']>,
  write: Read,
): Promise<string> {
  const refuse = async (error: SwapError): Promise<never> => {
    await onWalletRequest({kind, state: 'refused'});
    throw error;
  };

  signal?.throwIfAborted();
  await onWalletRequest({kind, state: 'asking'});
  const bytes = await within(timeouts.request, sign(copyOf(request))).catch((cause: unknown) => {
    const code = refusalOf(cause) ?? (faultOf(cause) === 'pending' ? 'wallet-locked' : 'wallet-failed');
    return refuse(errorFrom(code, cause));
  });

  const prepared = readTransaction(request.transaction);
  const signed = readTransaction(bytes);
  if (!prepared || !signed || !isSamePayment(prepared, signed) || priorityFee(signed) > MOST_FOR_PRIORITY) {
    return refuse(mismatch('same'));
  }
  const signature = signed.signatures.get(request.address);
  if (!signature || (await isSignedBy(request.address, signature, signed.message)) === false) {
    return refuse(new SwapError('wrong-account', {detail: 'The signature is not the account’s own.'}));
  }
  if (signed.blockhash !== prepared.blockhash) {
    const isKnown = await requireRead(becomesAlive(write, signed.blockhash, timeouts)).catch(refuse);
    if (!isKnown) return refuse(mismatch('same'));
  }

  const hash = base58(signature);
  try {
    await write('sendTransaction', base64(bytes), {encoding: 'base64', preflightCommitment: 'processed'});
  } catch (cause) {
    const refusal = sendingRefusal(cause);
    const code = refusal && CODES[refusal];
    if (code) return refuse(errorFrom(code, cause));
    // A lost response says nothing about the payment, which can be tracked by its hash.
  }
  await onWalletRequest({kind, state: 'sent', hash, lifetime: signed.blockhash});
  return hash;
}

function letSend(
  context: Context,
  kind: WalletRequestKind,
  request: SigningRequest,
  send: Connector['send'],
  read?: Read,
): Promise<string> {
  return requestWallet(context, kind, {
    request: () => send?.(copyOf(request)),
    async read(answer) {
      if (!(answer instanceof Uint8Array) || answer.length !== SIGNATURE_LENGTH) {
        throw new SwapError('wallet-unclear', {detail: 'The wallet gave no signature.'});
      }
      const hash = base58(answer);
      const prepared = readTransaction(request.transaction);
      if (prepared && (await isSignedBy(request.address, answer, prepared.message))) {
        return {state: 'sent', hash, lifetime: prepared.blockhash, value: hash};
      }
      // It sent another message, with its own unknown blockhash. That cannot be newer than the newest one now.
      await context.onWalletRequest({kind, state: 'sent', hash});
      const lifetime = read && (await latestBlockhash(read, 'processed').catch(() => undefined));
      return {state: 'sent', hash, ...(lifetime === undefined ? {} : {lifetime}), value: hash};
    },
    refusalOf,
  });
}

/** Bytes cannot be frozen, so the wallet gets a copy. */
function copyOf(request: SigningRequest): SigningRequest {
  return {...request, transaction: request.transaction.slice()};
}

function refusalOf(cause: unknown): SwapErrorCode | undefined {
  // The account disappeared before the prompt.
  return cause instanceof SwapError && cause.code === 'wrong-account' ? cause.code : codeOf(cause);
}

const codeOf = codeReader<Fault>(faultOf, {
  rejected: 'rejected',
  unsupported: 'wallet-failed',
  failed: 'wallet-failed',
  unauthorized: 'wallet-locked',
  missing: 'wallet-missing',
  // A pending prompt may still be answered.
  pending: undefined,
});
