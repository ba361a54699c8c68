/*
 * What paying from a wallet has in common in all families: the order of its steps, a wallet request that is written
 * down before and after it is made, and waiting for an allowance.
 */
import {
  deepFreeze,
  type CheckName,
  type CheckReport,
  type Deal,
  type Funding,
  type TypedData,
  type WalletRequestKind,
} from '../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../domain/error.js';
import type {FundOptions, WalletRequestUpdate} from './adapter.js';
import {errorFrom, mismatch, requireRead} from './errors.js';
import {pause, within, type Timeouts} from './timeouts.js';

/** What a refund takes of the options. */
export type RequestOptions = Pick<FundOptions, 'onWalletRequest' | 'onMove' | 'signal'>;

/** One deal for which a wallet is asked. */
export interface FundingContext {
  /** Frozen, so that nothing can change what is checked, shown and handed to the wallet. */
  readonly deal: Deal;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal | undefined;
  readonly onWalletRequest: FundOptions['onWalletRequest'];
  readonly onMove: NonNullable<FundOptions['onMove']>;
}

export function contextOf(deal: Deal, options: RequestOptions, timeouts: Timeouts): FundingContext {
  return {
    deal: deepFreeze(deal),
    timeouts,
    signal: options.signal,
    onWalletRequest: update => options.onWalletRequest(update),
    onMove: state => options.onMove?.(state),
  };
}

/** The requests that let the swap contract take a token. */
export type Approval = Extract<WalletRequestKind, 'revoke' | 'approve'>;

/**
 * What a wallet will be asked for to pay a token: the signature alone where one of the contracts may take that much already.
 * `allowanceOf` is absent where the chain cannot be read.
 */
export async function foreseeToken(
  contracts: readonly string[],
  amount: bigint,
  allowanceOf: ((contract: string) => Promise<bigint>) | undefined,
): Promise<readonly WalletRequestKind[]> {
  const allowed = await Promise.all(contracts.map(async contract => allowanceOf?.(contract).catch(() => 0n)));
  return allowed.some(value => value !== undefined && value >= amount) ? ['sign'] : ['approve', 'sign'];
}

/** What a family does at each step of a payment. */
export interface FundingSteps<Payment> {
  /** Makes sure that the wallet is ready: the account agreed on, on the right chain. Both may change at any time. */
  requireWallet(): void | Promise<void>;
  /** Checks the deal, reading the chain again. @throws SwapError `deposit-mismatch` */
  requireChecks(): Promise<CheckReport>;
  /** Makes sure that the order is unpaid and the account can pay it. */
  requirePayable(): Promise<void>;
  /**
   * Whether the approvals and the payment go to the wallet as one request, by a transaction, whichever way was wanted. Asked
   * of a wallet that is ready.
   */
  bundles?(way: FundOptions['way']): Promise<boolean>;
  /** Which approvals come first. */
  planApprovals?(way: FundOptions['way']): Promise<readonly Approval[]>;
  /** Makes one of them, and waits until the chain shows it. */
  approve?(kind: Approval): Promise<void>;
  /** How to pay by a signature, where the service prepared one. */
  readonly signing?:
    | {
        readonly typedData: TypedData;
        /** What in it cannot be understood, so that it is not signed. */
        strangeIn(typedData: TypedData): string | undefined;
        /** Asks for the signature; answers why there is none where the account can give none. */
        sign(): Promise<{readonly signature: unknown} | {readonly fallback: string}>;
      }
    | undefined;
  /** Makes what the wallet will get, after a last look at the chain. */
  prepare(way: FundOptions['way']): Promise<Payment>;
  /** What the page is shown of it, if not the very object. */
  show?(payment: Payment): unknown;
  /** Asks the wallet to pay; answers the transaction's hash, or what else was done. */
  send(payment: Payment): Promise<string | Funding>;
}

/**
 * Funds an order from a wallet: checks, says what will be asked for, makes the approvals, then asks for the signature
 * or the payment. Before each wallet request the wallet and the deal are checked again, and before the last one the
 * page may hold it (`beforeSign`).
 */
export async function fundOrder<Payment>(options: FundOptions, steps: FundingSteps<Payment>): Promise<Funding> {
  const signing = options.way === 'signature' ? steps.signing : undefined;
  if (options.way === 'signature' && !signing) throw mismatch('typed-data');

  // What cannot be read is not signed. The transaction is checked by itself.
  const strange = signing?.strangeIn(signing.typedData);
  const possible = signing && strange === undefined ? 'signature' : 'transaction';
  await steps.requireWallet();
  const isBundle = (await steps.bundles?.(possible)) === true;
  const way = isBundle ? 'transaction' : possible;
  const [, , approvals = []] = await together(
    steps.requireChecks(),
    steps.requirePayable(),
    isBundle ? undefined : steps.planApprovals?.(way),
  );
  if (strange !== undefined) options.onFallback?.(strange);
  options.onPlan?.([...approvals, way === 'signature' ? 'sign' : 'send'], {by: way, isBundle});

  for (const kind of approvals) {
    await steps.requireWallet();
    await steps.requireChecks();
    await steps.approve?.(kind);
  }

  if (signing && way === 'signature') {
    await prepare(options, steps, signing.typedData);
    const answer = await signing.sign();
    if ('signature' in answer) return {how: 'signature', signature: answer.signature};
    options.onFallback?.(answer.fallback);
    options.onPlan?.([...approvals, 'send'], {by: 'transaction', isBundle: false});
    await steps.requireWallet();
  }
  const payment = await prepare(options, steps);
  const sent = await steps.send(payment);
  return typeof sent === 'string' ? {how: 'transaction', hash: sent} : sent;
}

/** Checks everything once more before the last request, and shows the page what the wallet will get. */
async function prepare<Payment>(
  options: FundOptions,
  steps: FundingSteps<Payment>,
  typedData?: TypedData,
): Promise<Payment> {
  const [report, payment] = await together(
    steps.requireChecks(),
    steps.prepare(typedData ? 'signature' : 'transaction'),
  );
  await options.beforeSign?.(report, typedData ?? (steps.show ? steps.show(payment) : payment));
  // The page may have taken its time.
  await steps.requireWallet();
  return payment;
}

/** Waits for what reads the chain at the same time. Of several that reject, the first in their order says why. */
async function together<T extends readonly unknown[]>(...all: T): Promise<{-readonly [K in keyof T]: Awaited<T[K]>}> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

/** @throws SwapError `deposit-mismatch` where a check failed: any, or one of `names`. */
export async function requirePassed(
  checking: Promise<CheckReport>,
  signal: AbortSignal | undefined,
  names?: readonly CheckName[],
): Promise<CheckReport> {
  const report = await checking;
  signal?.throwIfAborted();
  const failed = report.results
    .filter(({name, outcome}) => outcome === 'failed' && (!names || names.includes(name)))
    .map(({name}) => name);
  if (failed.length) throw mismatch(failed.join(' '), report);
  return report;
}

/** Makes sure that the wallet's current account is the one agreed on, on the right chain. */
export async function requireOwner(
  owner: string,
  wallet: {
    readonly isSame: (one: string, other: string) => boolean;
    readonly address: () => Promise<string>;
    /** Answers whether the wallet had to move. */
    readonly moveToChain: () => Promise<boolean>;
  },
): Promise<void> {
  const requireAccount = async () => {
    const address = await wallet.address();
    if (!wallet.isSame(address, owner)) throw new SwapError('wrong-account', {detail: address});
  };
  await requireAccount();
  // Some wallets have another account on another chain.
  if (await wallet.moveToChain()) await requireAccount();
}

/** The wallet's current address. @throws SwapError `wallet-locked` while it shows none to this page. */
export async function requireAddress(reading: Promise<string | undefined>): Promise<string> {
  const address = await requireRead(reading);
  if (address === undefined) throw new SwapError('wallet-locked');
  return address;
}

/** What a wallet answered: what the journal keeps of it, and the value to go on with. */
export type Answer<T> = Omit<WalletRequestUpdate, 'kind'> & {readonly value: T};

/**
 * Asks a wallet for something that costs money, once that is written down. It is written down as refused only where an
 * error certainly means that nothing was sent. Removing the widget does not end the wait. After the time-out, the
 * answer is still written down whenever it comes, and nothing else is done about it.
 */
export async function requestWallet<T>(
  {timeouts, signal, onWalletRequest}: FundingContext,
  kind: WalletRequestKind,
  {
    calls,
    request,
    read,
    refusalOf,
  }: {
    /** The id that several calls go by, written down before they are asked for. */
    readonly calls?: string;
    readonly request: () => unknown;
    /** Reads the answer. @throws SwapError for what is none. */
    readonly read: (answer: unknown) => Answer<T> | Promise<Answer<T>>;
    /** Why nothing was sent, where the error says so for certain. */
    readonly refusalOf: (cause: unknown) => SwapErrorCode | undefined;
  },
): Promise<T> {
  signal?.throwIfAborted();
  await onWalletRequest({kind, state: 'asking', ...(calls !== undefined && {calls})});
  const answering = new Promise<unknown>(resolve => resolve(request()));
  const settled = answering.then(
    async answer => {
      const {value, ...update} = await read(answer);
      await onWalletRequest({kind, ...update});
      return value;
    },
    async (cause: unknown) => {
      const code = refusalOf(cause);
      if (code) await onWalletRequest({kind, state: 'refused'});
      throw errorFrom(code ?? 'wallet-unclear', cause);
    },
  );
  // After the time-out nothing listens for what is wrong with the answer.
  settled.catch(() => undefined);
  await within(
    timeouts.request,
    answering.catch(() => undefined),
  ).catch((cause: unknown) => {
    throw errorFrom('wallet-unclear', cause);
  });
  return settled;
}

/**
 * Waits until the chain shows an allowance. Its transaction alone is not enough: one that the person sped up in the
 * wallet has another hash, and the person may have changed the amount there.
 * @throws SwapError `approval-failed`
 */
export async function waitForAllowance(
  {timeouts, signal}: FundingContext,
  hash: string,
  chain: {
    /** Whether the allowance is as it should be; `false` also where the chain cannot be read. */
    readonly isSet: () => Promise<boolean>;
    /** How the transaction with this hash stands. */
    readonly status: () => Promise<string | undefined>;
  },
): Promise<void> {
  const started = Date.now();
  let inBlockAt: number | undefined;
  for (let round = 0; ; round++) {
    if (await chain.isSet()) return;
    const status = await chain.status();
    if (status === 'done') inBlockAt ??= Date.now();
    const isTooLate =
      inBlockAt === undefined ? Date.now() - started > timeouts.receipt : Date.now() - inBlockAt > timeouts.lag;
    if (status === 'reverted' || isTooLate) throw new SwapError('approval-failed', {detail: hash});
    await pause(timeouts.poll * Math.min(8, 1.5 ** round), signal);
  }
}
