/*
 * What payments from a wallet have in common in all families: the order of the steps, and wallet requests that are
 * recorded before and after they are made.
 */
import {
  deepFreeze,
  unverifiedIn,
  type CheckReport,
  type CheckResult,
  type Deal,
  type Funding,
  type TypedData,
  type WalletRequestKind,
} from '../domain/deposit.js';
import {SwapError, type SwapErrorCode} from '../domain/error.js';
import type {FundOptions, WalletRequestUpdate} from './adapter.js';
import {errorFrom, mismatch, requireRead} from './errors.js';
import {within, type Timeouts} from './timeouts.js';

export type RequestOptions = Pick<FundOptions, 'onWalletRequest' | 'onMove' | 'signal'> &
  Pick<Partial<FundOptions>, 'confirm' | 'others' | 'approved'>;

/** A deal for which a wallet is prompted. */
export interface FundingContext {
  /** Frozen, so that nothing can change between checking, showing and handing it to the wallet. */
  readonly deal: Deal;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal | undefined;
  readonly onWalletRequest: FundOptions['onWalletRequest'];
  readonly onMove: NonNullable<FundOptions['onMove']>;
  /** Rejects unless the visitor said yes to an unverified report. */
  confirm(report: CheckReport): Promise<void>;
}

export function contextOf(deal: Deal, options: RequestOptions, timeouts: Timeouts): FundingContext {
  return {
    deal: deepFreeze(deal),
    timeouts,
    signal: options.signal,
    onWalletRequest: update => options.onWalletRequest(update),
    onMove: state => options.onMove?.(state),
    confirm: async report => {
      if (!options.confirm) throw mismatch(namesOf(unverifiedIn(report)), report);
      await options.confirm(report);
    },
  };
}

export type Approval = Extract<WalletRequestKind, 'revoke' | 'approve'>;

/**
 * The requests to a wallet for paying a token: only the signature if one of the contracts already has that allowance.
 * `allowanceOf` is absent if the chain cannot be read.
 */
export async function foreseeToken(
  contracts: readonly string[],
  amount: bigint,
  allowanceOf: ((contract: string) => Promise<bigint>) | undefined,
): Promise<readonly WalletRequestKind[]> {
  const allowed = await Promise.all(contracts.map(async contract => allowanceOf?.(contract).catch(() => undefined)));
  return allowed.some(value => value !== undefined && value >= amount) ? ['sign'] : ['approve', 'sign'];
}

export interface FundingSteps<Payment> {
  /** Ensures that the wallet is ready: the agreed account, on the right chain. Both may change at any time. */
  requireWallet(): void | Promise<void>;
  /** Checks the deal, reading the chain again. @throws SwapError `deposit-mismatch` */
  requireChecks(): Promise<CheckReport>;
  requirePayable(): Promise<void>;
  /** Whether approvals and payment go to the wallet in one request, by transaction. Called when the wallet is ready. */
  bundles?(way: FundOptions['way']): Promise<boolean>;
  planApprovals?(way: FundOptions['way']): Promise<readonly Approval[]>;
  /** Requests one of them, by the last check, and waits until the chain shows it. */
  approve?(kind: Approval, report: CheckReport): Promise<unknown>;
  readonly canSend?: boolean;
  /**
   * What the wallet will get for an unverified payment, frozen. The page sees all of it before the first request, and
   * exactly that is sent.
   */
  freeze?(way: FundOptions['way'], approvals: readonly Approval[]): unknown;
  /** How to pay by signature, if the service prepared typed data. */
  readonly signing?:
    | {
        readonly typedData: TypedData;
        /** The part that is not understood, so that it is not signed. */
        strangeIn(typedData: TypedData): string | undefined | Promise<string | undefined>;
        /** Requests the signature; resolves with the reason if the account cannot give one. */
        sign(): Promise<{readonly signature: unknown} | {readonly fallback: string}>;
      }
    | undefined;
  /** Creates the object for the wallet, after a last look at the chain. */
  prepare(way: FundOptions['way']): Promise<Payment>;
  /** The version that the page is shown, if not the very object. */
  show?(payment: Payment): unknown;
  send(payment: Payment): Promise<string | Funding>;
}

/**
 * Before each wallet request the wallet and the deal are checked again, and before the last one the page can block it
 * (`beforeSign`).
 */
export async function fundOrder<Payment>(options: FundOptions, steps: FundingSteps<Payment>): Promise<Funding> {
  const {canSend = true} = steps;
  const signing = options.way === 'signature' || !canSend ? steps.signing : undefined;
  if (options.way === 'signature' && !signing) throw mismatch('typed-data');

  // What cannot be read is not signed. The transaction is checked separately.
  const strange = signing && (await steps.signing?.strangeIn(signing.typedData));
  const possible = signing && strange === undefined ? 'signature' : 'transaction';
  if (!canSend && possible === 'transaction') throw mismatch('call');
  await steps.requireWallet();
  const isBundle = canSend && (await steps.bundles?.(possible)) === true;
  const way = isBundle ? 'transaction' : possible;
  const [report, , approvals = []] = await together(
    steps.requireChecks(),
    steps.requirePayable(),
    isBundle ? undefined : steps.planApprovals?.(way),
  );
  if (strange !== undefined) options.onFallback?.(strange);
  options.onPlan?.([...approvals, way === 'signature' ? 'sign' : 'send'], {by: way, isBundle, isOnly: !canSend});
  const isShown = report.outcome === 'unverified' && steps.freeze !== undefined;
  if (isShown) await options.beforeSign?.(report, steps.freeze?.(way, approvals));
  const show = isShown ? {...options, beforeSign: undefined} : options;

  for (const kind of approvals) {
    await steps.requireWallet();
    await steps.approve?.(kind, await steps.requireChecks());
  }

  if (signing && way === 'signature') {
    await prepare(show, steps, signing.typedData);
    const answer = await signing.sign();
    if ('signature' in answer) return {how: 'signature', signature: answer.signature};
    if (!canSend) throw new SwapError('wallet-failed', {detail: answer.fallback});
    options.onFallback?.(answer.fallback);
    options.onPlan?.([...approvals, 'send'], {by: 'transaction', isBundle: false});
    // What the page has seen was a signature.
    if (isShown) await options.beforeSign?.(report, steps.freeze?.('transaction', approvals));
  }
  const payment = await prepare(show, steps);
  const sent = await steps.send(payment);
  return typeof sent === 'string' ? {how: 'transaction', hash: sent} : sent;
}

/** Checks everything once more before the last request, and shows the page what the wallet will get. */
async function prepare<Payment>(
  options: {readonly beforeSign?: FundOptions['beforeSign'] | undefined},
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

/** Waits for concurrent reads of the chain. If several reject, the first in their order gives the reason. */
async function together<T extends readonly unknown[]>(...all: T): Promise<{-readonly [K in keyof T]: Awaited<T[K]>}> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

/** The visitor says yes to exactly this unverified report. @throws SwapError `deposit-mismatch` if a check failed. */
export async function requirePassed(
  checking: Promise<CheckReport>,
  {signal, confirm}: Pick<FundingContext, 'signal' | 'confirm'>,
): Promise<CheckReport> {
  const report = await checking;
  signal?.throwIfAborted();
  requireNoneFailed(report);
  if (report.outcome === 'passed') return report;
  // Where nobody may be asked, the report has failed.
  if (report.outcome === 'failed') throw mismatch(namesOf(unverifiedIn(report)), report);
  await confirm(report);
  signal?.throwIfAborted();
  return report;
}

/** @throws SwapError `deposit-mismatch` if a check failed. */
export function requireNoneFailed(report: CheckReport): void {
  const failed = report.results.filter(({outcome}) => outcome === 'failed');
  if (failed.length) throw mismatch(namesOf(failed), report);
}

function namesOf(results: readonly CheckResult[]): string {
  return results.map(({name}) => name).join(' ');
}

export async function requireOwner(
  owner: string,
  wallet: {
    readonly isSame: (one: string, other: string) => boolean;
    readonly address: () => Promise<string>;
    /** Resolves with whether the wallet had to switch. */
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

/** The wallet's current address. @throws SwapError `wallet-locked` while it reveals none to this page. */
export async function requireAddress(reading: Promise<string | undefined>): Promise<string> {
  const address = await requireRead(reading);
  if (address === undefined) throw new SwapError('wallet-locked');
  return address;
}

/** A wallet's response: the part that the journal stores, and the value to continue with. */
export type Answer<T> = Omit<WalletRequestUpdate, 'kind'> & {readonly value: T};

/**
 * Takes a hash of at most 32 bytes in hex, with or without `0x`, or in the object of a bridge. An approval whose
 * response has none stays `asking`, with an empty value, and the chain is asked what became of it.
 * @throws SwapError `wallet-unclear` if the response to another transaction has none.
 */
export function sentIn(kind: WalletRequestKind, answer: unknown, isHash: (hash: string) => boolean): Answer<string> {
  const {transaction_hash, transactionHash, hash, result} = (answer ?? {}) as Readonly<Record<string, unknown>>;
  const digits = [answer, transaction_hash, transactionHash, hash, result].map(
    text => typeof text === 'string' && /^\s*(?:0x)?([0-9a-f]{1,64})\s*$/i.exec(text)?.[1],
  );
  const found = digits.flatMap(text => (text ? [`0x${text}`] : [])).find(isHash);
  if (found !== undefined) return {state: 'sent', hash: found, value: found};
  if (kind === 'approve' || kind === 'revoke') return {state: 'asking', value: ''};
  throw unclearWithout();
}

export function unclearWithout(missing = 'transaction hash'): SwapError {
  return new SwapError('wallet-unclear', {detail: `The wallet gave no ${missing}.`});
}

/**
 * Makes a wallet request that costs money, once it is recorded. It is recorded as refused only if an error certainly
 * means that nothing was sent. Removing the widget does not end the wait. A response after the timeout is still
 * recorded, and nothing else is done with it.
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
    readonly calls?: string;
    readonly request: () => unknown;
    /** Parses the response. @throws SwapError if it is invalid. */
    readonly read: (answer: unknown) => Answer<T> | Promise<Answer<T>>;
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
  // After the timeout nothing handles errors in the response.
  settled.catch(() => undefined);
  await within(
    timeouts.request,
    answering.catch(() => undefined),
  ).catch((cause: unknown) => {
    throw errorFrom('wallet-unclear', cause);
  });
  return settled;
}
