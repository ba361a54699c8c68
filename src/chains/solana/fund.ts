import type {WalletRequestKind, CheckReport, Deal, Funding} from '../../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../../domain/error.js';
import {deepFreeze} from '../../domain/freeze.js';
import type {Account, FundOptions} from '../adapter.js';
import {pause, question, reading, within, messageOf, type Timeouts} from '../common.js';
import {checkDeal, MOST_FOR_PRIORITY, paymentOf, type Payment} from './check.js';
import {ACCOUNT_LENGTH, readDeposit, refundInstruction, swapAccount} from './htlc.js';
import {
  depositFor,
  faultOf,
  isAlive,
  latestBlockhash,
  readCoins,
  readerOf,
  simulate,
  sendingRefusal,
  type Fault,
  type Read,
  type Refusal,
} from './rpc.js';
import {
  base58,
  base64,
  isSameDeed,
  isSignedBy,
  priorityFee,
  readTransaction,
  SIGNATURE_LENGTH,
  writeTransaction,
} from './transaction.js';
import {connectorOf, walletChainOf, type Connector, type SigningRequest} from './wallets.js';

/** What the network takes for each signature, in the smallest unit; there is one. */
const SIGNATURE_FEE = 5_000n;

/** How often a node that does not know a blockhash is asked again: it may not have seen the newest block yet. */
const LOOKS = 3;

/** One wallet, at work on one deal. */
interface Job {
  readonly deal: Deal;
  readonly door: Connector;
  /** The chain's node, where the partner named one. */
  readonly read: Read | undefined;
  readonly patience: Timeouts;
  readonly signal: AbortSignal | undefined;
  readonly tell: FundOptions['onWalletRequest'];
}

type Telling = Pick<FundOptions, 'onWalletRequest' | 'signal'>;

/**
 * Funds an order by a wallet. Where the chain's node is named the wallet signs only, and what it signed is looked at and
 * then sent from here: so it is certain what was sent, and whether. Otherwise the wallet sends by itself.
 */
export async function fundDeal(
  deal: Deal,
  account: Account,
  options: FundOptions,
  patience: Timeouts,
): Promise<Funding> {
  const job = open(deal, account, options, patience);
  const payment = paymentOf(deal);
  if (!payment?.terms || options.way === 'signature') throw mismatch('call');
  const {owner} = deal.agreed;

  requireSeat(job, owner, payment.transaction.version);
  await requireChecks(job);
  await requireAlive(job, payment);
  await requireUnpaid(job, payment);
  await requireCoins(job, payment);
  options.onPlan?.(['send']);

  const report = await requireChecks(job);
  const request: SigningRequest = {
    address: owner,
    chain: walletChainOf(deal.agreed.from.chain),
    transaction: payment.bytes,
  };
  await requireAcceptance(job, request);
  // Bytes cannot be frozen, so the page is shown a text of them.
  await options.beforeSign?.(report, Object.freeze({...request, transaction: base64(payment.bytes)}));
  requireSeat(job, owner, payment.transaction.version);
  return {how: 'transaction', hash: await submit(job, 'send', request)};
}

/**
 * Takes the money back by the program's own refund. Anyone may call it once the timelock is over: the money goes to
 * whoever paid it in, so any account that can pay the fee will do.
 */
export async function refundDeal(deal: Deal, account: Account, options: Telling, patience: Timeouts): Promise<string> {
  const job = open(deal, account, options, patience);
  const payment = paymentOf(deal);
  if (!payment?.instruction || !payment.terms) throw mismatch('call');
  const {read, door} = job;
  if (!read) throw new SwapError('timeout', {detail: 'There is no node to ask: the chain’s rpc is not named.'});
  const {from, owner} = deal.agreed;
  const [payer] = door.accounts();
  if (payer === undefined) throw new SwapError('wallet-locked');
  requireSeat(job, payer, 'legacy');
  await requireChecks(job, ['code']);

  const {program} = payment.instruction;
  const deposit = await swapAccount(program, owner, payment.terms.secretHash);
  if (!(await reading(readDeposit(read, program, deposit, 'confirmed')))) {
    throw new SwapError('funding-reverted', {detail: 'The program holds no such deposit.'});
  }
  const blockhash = await reading(latestBlockhash(read, 'confirmed'));
  const request: SigningRequest = {
    address: payer,
    chain: walletChainOf(from.chain),
    transaction: writeTransaction(payer, blockhash, refundInstruction(program, deposit, owner)),
  };
  await requireAcceptance(job, request);
  return submit(job, 'refund', request);
}

function open(deal: Deal, account: Account, options: Telling, patience: Timeouts): Job {
  const door = connectorOf(account);
  // From here on nobody can change what is checked, shown and handed to the wallet.
  deepFreeze(deal);
  const {signal} = options;
  const read = readerOf(deal.agreed.from.chain, patience, signal);
  return {deal, door, read, patience, signal, tell: ask => options.onWalletRequest(ask)};
}

/** The wallet holds the account, can use it on this chain, and signs what is there to sign. */
function requireSeat({deal, door, read}: Job, address: string, version: 'legacy' | 0): void {
  const accounts = door.accounts();
  if (!accounts.length) throw new SwapError('wallet-locked');
  if (!accounts.includes(address)) throw new SwapError('wrong-account', {detail: accounts[0]});
  const chain = walletChainOf(deal.agreed.from.chain);
  if (!door.isOn(address, chain)) throw new SwapError('wrong-network', {detail: chain});
  if (!door.takes(version)) throw new SwapError('wallet-missing', {detail: `It does not sign version ${version}.`});
  if (!door.send && !(door.sign && read)) {
    throw new SwapError('config', {
      field: 'rpc',
      detail: 'This wallet signs only, so a node has to be named to send by.',
    });
  }
}

async function requireChecks({deal, read, signal}: Job, names?: readonly string[]): Promise<CheckReport> {
  const report = await checkDeal(deal, read);
  signal?.throwIfAborted();
  const failed = report.results
    .filter(({name, outcome}) => outcome === 'failed' && (!names || names.includes(name)))
    .map(({name}) => name);
  if (failed.length) throw mismatch(failed.join(' '), report);
  return report;
}

/** What was prepared is good for a minute or so. Out of date, it would be refused after the person had said yes. */
async function requireAlive({read, patience, signal}: Job, {transaction: {blockhash}}: Payment): Promise<void> {
  if (!read || (await reading(becomesAlive(read, blockhash, patience, signal)))) return;
  throw new SwapError('expired', {detail: `blockhash ${blockhash}`});
}

/** Whether the chain takes a blockhash. The node may not have seen the newest block yet, so it is asked again. */
async function becomesAlive(read: Read, blockhash: string, {poll}: Timeouts, signal?: AbortSignal): Promise<boolean> {
  for (let look = 1; look < LOOKS; look++) {
    if (await isAlive(read, blockhash, 'processed')) return true;
    await pause(poll, signal);
  }
  return isAlive(read, blockhash, 'processed');
}

/** A payment that is there already is not made again. The program takes no order twice, so a failed look stops nothing. */
async function requireUnpaid({deal, read}: Job, {instruction, terms}: Payment): Promise<void> {
  if (!read || !instruction || !terms) return;
  const account = await swapAccount(instruction.program, deal.agreed.owner, terms.secretHash);
  const found = await readDeposit(read, instruction.program, account, 'processed').catch(() => undefined);
  if (found) throw new SwapError('wallet-unclear', {detail: 'The program holds this order already.'});
}

/** Amount, network fee, and what the chain wants for keeping the swap's account, which the payer gets back with it. */
async function requireCoins({deal: {agreed}, read}: Job, {transaction}: Payment): Promise<void> {
  if (!read) return;
  const [has, kept] = await reading(Promise.all([readCoins(read, agreed.owner), depositFor(read, ACCOUNT_LENGTH)]));
  if (has < agreed.amount + kept + SIGNATURE_FEE + priorityFee(transaction)) {
    throw new SwapError('insufficient-funds', {detail: String(has)});
  }
}

/** Turns a payment that is sure to be refused by the chain into an error before anybody is asked for it. */
async function requireAcceptance({read, patience, signal}: Job, {transaction}: SigningRequest): Promise<void> {
  if (!read) return;
  const problem = async () => simulate(read, base64(transaction)).catch(() => undefined);
  if (!(await problem())) return;
  // Another node behind the same address may not know the last block yet.
  await pause(patience.poll, signal);
  const found = await problem();
  if (found) throw new SwapError(CODES[found.refusal] ?? 'wallet-unclear', {detail: found.detail});
}

/** What a chain's refusal means. One that was carried out before may be the payment itself. */
const CODES = {
  expired: 'expired',
  repeated: undefined,
  'insufficient-funds': 'insufficient-funds',
  reverted: 'funding-reverted',
} as const satisfies Record<Refusal, SwapErrorCode | undefined>;

/** Has a transaction signed and sent; answers its hash. */
function submit(job: Job, kind: WalletRequestKind, request: SigningRequest): Promise<string> {
  const {deal, door, patience} = job;
  // What the person says yes to is sent, even if nobody looks any more.
  const write = readerOf(deal.agreed.from.chain, patience);
  return write && door.sign
    ? signAndSend(job, kind, request, door.sign, write)
    : letSend(job, kind, request, door.send, write);
}

/**
 * The wallet signs and the payment is sent from here. What the wallet has not handed over cannot be sent, so whatever
 * goes wrong before that, silence included, is certain: nothing was paid. What it hands over later is not sent either.
 */
async function signAndSend(
  {patience, signal, tell}: Job,
  kind: WalletRequestKind,
  request: SigningRequest,
  sign: NonNullable<Connector['sign']>,
  write: Read,
): Promise<string> {
  const refuse = async (error: SwapError): Promise<never> => {
    await tell({kind, state: 'refused'});
    throw error;
  };

  signal?.throwIfAborted();
  await tell({kind, state: 'asking'});
  const bytes = await within(patience.question, sign(copyOf(request))).catch((cause: unknown) => {
    const code = refusalOf(cause) ?? (faultOf(cause) === 'pending' ? 'wallet-locked' : 'wallet-failed');
    return refuse(new SwapError(code, {detail: messageOf(cause), cause}));
  });

  const prepared = readTransaction(request.transaction);
  const signed = readTransaction(bytes);
  if (!prepared || !signed || !isSameDeed(prepared, signed) || priorityFee(signed) > MOST_FOR_PRIORITY) {
    return refuse(mismatch('same'));
  }
  const signature = signed.signatures.get(request.address);
  if (!signature || (await isSignedBy(request.address, signature, signed.message)) === false) {
    return refuse(new SwapError('wrong-account', {detail: 'The signature is not the account’s own.'}));
  }
  if (signed.blockhash !== prepared.blockhash) {
    const isKnown = await reading(becomesAlive(write, signed.blockhash, patience)).catch(refuse);
    if (!isKnown) return refuse(mismatch('same'));
  }

  const hash = base58(signature);
  try {
    await write('sendTransaction', base64(bytes), {encoding: 'base64', preflightCommitment: 'processed'});
  } catch (cause) {
    const refusal = sendingRefusal(cause);
    const code = refusal && CODES[refusal];
    if (code) return refuse(new SwapError(code, {detail: messageOf(cause), cause}));
    // An answer that was lost says nothing of the payment, which can be followed by its hash.
  }
  await tell({kind, state: 'sent', hash, lifetime: signed.blockhash});
  return hash;
}

/** The wallet signs and sends by itself, on the chain that it is told. */
function letSend(
  job: Job,
  kind: WalletRequestKind,
  request: SigningRequest,
  send: Connector['send'],
  read?: Read,
): Promise<string> {
  return question(job, kind, {
    ask: () => send?.(copyOf(request)),
    async read(answer) {
      if (!(answer instanceof Uint8Array) || answer.length !== SIGNATURE_LENGTH) {
        throw new SwapError('wallet-unclear', {detail: 'The wallet gave no signature.'});
      }
      const hash = base58(answer);
      const prepared = readTransaction(request.transaction);
      if (prepared && (await isSignedBy(request.address, answer, prepared.message))) {
        return {state: 'sent', hash, lifetime: prepared.blockhash, value: hash};
      }
      // It sent another message, whose blockhash nobody sees. It cannot be newer than the newest of now.
      await job.tell({kind, state: 'sent', hash});
      const lifetime = read && (await latestBlockhash(read, 'processed').catch(() => undefined));
      return {state: 'sent', hash, ...(lifetime === undefined ? {} : {lifetime}), value: hash};
    },
    refusalOf,
  });
}

/** Bytes cannot be frozen, so the wallet gets its own. */
function copyOf(request: SigningRequest): SigningRequest {
  return {...request, transaction: request.transaction.slice()};
}

/** Why a wallet certainly sent nothing; `undefined` where that is not certain. */
function refusalOf(cause: unknown): SwapErrorCode | undefined {
  // The account went away before the wallet was asked.
  if (cause instanceof SwapError && cause.code === 'wrong-account') return cause.code;
  const fault = faultOf(cause);
  return fault && REFUSALS[fault];
}

const REFUSALS = {
  rejected: 'rejected',
  unsupported: 'wallet-failed',
  unauthorized: 'wallet-locked',
  // A question that waits may still be answered.
  pending: undefined,
} as const satisfies Record<Fault, SwapErrorCode | undefined>;

function mismatch(field: string, cause?: CheckReport): SwapError {
  return new SwapError('deposit-mismatch', {field, cause});
}
