import type {CheckReport, Deal, Funding} from '../../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../../domain/error.js';
import {deepFreeze} from '../../domain/freeze.js';
import type {Account, FundOptions} from '../adapter.js';
import {canonicalAddress, question, type Timeouts} from '../common.js';
import {checkDeal} from './check.js';
import {readerOf, readReceived} from './rpc.js';
import {connectorOf, faultOf, isOnNetwork, type Connector, type Fault, type Payment} from './wallets.js';

export {discoverWallets, walletFromProvider} from './wallets.js';

/** One wallet, at work on one deal. */
interface Job {
  readonly deal: Deal;
  readonly account: Account;
  readonly door: Connector;
  readonly patience: Timeouts;
  readonly signal: AbortSignal | undefined;
  readonly tell: FundOptions['onWalletRequest'];
}

/**
 * Pays what an order still wants from a wallet, which chooses coins and fee itself. Whose coins they are does not matter:
 * a refund goes to the address that the order names.
 */
export async function fundDeal(
  deal: Deal,
  account: Account,
  options: FundOptions,
  patience: Timeouts,
): Promise<Funding> {
  // From here on nobody can change what is checked, shown and handed to the wallet.
  const {deposit, agreed} = deepFreeze(deal);
  const {signal} = options;
  if (deposit.how !== 'transfer' || options.way !== 'transaction') throw mismatch('call');
  const door = connectorOf(account);
  const job: Job = {deal, account, door, patience, signal, tell: ask => options.onWalletRequest(ask)};

  await requireNetwork(job);
  const report = await requireChecks(job);
  const paid = await readPaid(job, deposit.address);
  if (paid >= deposit.amount) throw unclear('The chain shows a payment to this address.');
  options.onPlan?.(['send']);

  const payment = deepFreeze(door.payment(agreed.from.chain, deposit.address, deposit.amount - paid));
  await options.beforeSign?.(report, payment);
  // The page may have taken its time, and the wallet may have been elsewhere meanwhile.
  await requireNetwork(job);
  if ((await readPaid(job, deposit.address)) !== paid) throw unclear('A payment came in the meantime.');
  return {how: 'transaction', hash: await send(job, payment)};
}

async function requireNetwork({door, deal: {agreed}, account, patience, signal}: Job): Promise<void> {
  const {chain} = agreed.from;
  if (!(await isOnNetwork(door, chain, account.address, patience, signal))) {
    throw new SwapError('wrong-network', {detail: chain.title});
  }
}

async function requireChecks({deal, signal}: Job): Promise<CheckReport> {
  const report = await checkDeal(deal);
  signal?.throwIfAborted();
  const failed = report.results.filter(({outcome}) => outcome === 'failed').map(({name}) => name);
  if (failed.length) throw mismatch(failed.join(' '), report);
  return report;
}

/**
 * What came to the address so far, as the chain or the service knows, whichever knows of more: an address takes any
 * number of payments, and what is there is not paid again.
 */
async function readPaid({deal: {agreed, order}, signal}: Job, address: string): Promise<bigint> {
  const {chain} = agreed.from;
  const read = readerOf(chain, signal);
  const received = await (read && readReceived(read, canonicalAddress(chain, address)).catch(() => undefined));
  signal?.throwIfAborted();
  const told = order?.source.initiated ? order.source.filled : 0n;
  return received !== undefined && received > told ? received : told;
}

function send(job: Job, payment: Payment): Promise<string> {
  return question(job, 'send', {
    ask: () => job.door.send(payment),
    read(answer) {
      const hash = hashOf(answer);
      if (hash === undefined) throw new SwapError('wallet-unclear', {detail: 'The wallet gave no transaction hash.'});
      return {state: 'sent', hash, value: hash};
    },
    refusalOf(cause) {
      const fault = faultOf(cause);
      return fault && REFUSALS[fault];
    },
  });
}

/** What a wallet's error means where it certainly sent nothing. */
const REFUSALS = {
  rejected: 'rejected',
  unsupported: 'wallet-failed',
  invalid: 'wallet-failed',
  unauthorized: 'wallet-locked',
  'insufficient-funds': 'insufficient-funds',
  missing: 'wallet-missing',
} as const satisfies Record<Fault, SwapErrorCode>;

/** The hash that a wallet answers, as text or in an object. */
function hashOf(answer: unknown): string | undefined {
  const text = typeof answer === 'string' ? answer : (answer as {readonly txid?: unknown} | null | undefined)?.txid;
  return typeof text === 'string' && /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined;
}

/** More may be paid than anybody knows of here, so nothing is. */
function unclear(detail: string): SwapError {
  return new SwapError('wallet-unclear', {detail});
}

function mismatch(field: string, cause?: CheckReport): SwapError {
  return new SwapError('deposit-mismatch', {field, cause});
}
