/*
 * Several RPCs for one chain: no single one is believed about what ends an order, or about the absence of something
 * that is claimed to exist. Loaded if a partner named more than one.
 */
import type {Asset, Chain} from '../domain/asset.js';
import type {CheckReport, Deal} from '../domain/deposit.js';
import {SwapError} from '../domain/error.js';
import {Disagreement, type DepositOnChain, type PayoutOnChain} from '../domain/evidence.js';
import type {Account, ChainAdapter, CheckOptions, ReadDepositOptions, ReadOptions} from './adapter.js';
import {contradiction, tryRead} from './errors.js';
import {rest, rpcsOf} from './rpc.js';
import {within} from './timeouts.js';

/** Opens a reader of a chain; `undefined` if there is no way to read it. */
export type OpenChain<Read> = (chain: Chain, options: ReadOptions) => Promise<Read | undefined> | Read | undefined;

type ReadHeight = ChainAdapter['readHeight'];

/** How far a node may lag behind its chain: in seconds, and at least in blocks. */
const LAG_SECONDS = 60;
const LEAST_LAG = 1;

/** One of an order's witnesses: a single RPC, or an account's wallet. */
interface Witness {
  readonly chain: Chain;
  readonly account?: Account | undefined;
}

interface Question<T> {
  readonly key: string;
  ask(witness: Witness): Promise<T | undefined>;
  /** Whether one witness is enough for this answer. */
  isPlain(answer: T): boolean;
  /** Whether this answer depends on something unconfirmed. */
  isLoose(answer: T): boolean;
  /** The common part of two answers; `undefined` if they contradict each other. */
  join(one: T, other: T): T | undefined;
  /** The part of an answer that counts without confirmation by another; `undefined` if none does. */
  alone(answer: T): T | undefined;
}

/** How far witnesses have got. */
interface Heights {
  readonly read: ReadHeight;
  /**
   * From this block on, two up-to-date witnesses contradict each other about a question: before it, one may not have
   * seen yet what the other has.
   */
  readonly differing: Map<string, bigint>;
}

const MOST_DIFFERING = 100;

/** Its own `readHeight` reads one RPC. `read`: the timeout of a response. */
export function hearSeveral(
  adapter: ChainAdapter,
  read: number,
): Pick<ChainAdapter, 'check' | 'fund' | 'readDeposit' | 'readPayout' | 'readHeight' | 'readTime'> &
  Pick<ChainAdapter['back'], 'refund'> {
  const {readHeight, readTime} = adapter;
  const {refund} = adapter.back;
  const heights: Heights = {read: readHeight, differing: new Map()};
  /** Puts lagging RPCs to rest before something is paid. A slow one is not waited for. */
  const findLaggards = async ({agreed}: Deal, signal?: AbortSignal) => {
    const {chain} = agreed.from;
    const all = witnessesOf(chain, undefined).map(witness => ({witness}));
    await tryRead(() => within(read / 4, freshOf(all, chain, readHeight, signal), signal));
  };
  /** Does what checks the deal itself, by one witness: what only that one saw to fail is no mismatch. */
  const doubting = async <T>(deal: Deal, options: CheckOptions, work: () => Promise<T>) => {
    await findLaggards(deal, options.signal);
    return work().catch(async (failure: unknown) => {
      const report = failure instanceof SwapError && failure.code === 'deposit-mismatch' && failure.cause;
      if (!report || !isDoubtful(report as CheckReport)) throw failure;
      const heard = await hearCheck(adapter, heights, deal, options);
      // Two witnesses say so; or none said anything, and what is unread is not paid.
      const isTrue = isDoubtful(heard) && (failedReads(heard) || !failedReads(report as CheckReport));
      throw isTrue ? failure : contradiction(deal.agreed.from.chain, failure);
    });
  };
  return {
    check: (deal, options) => hearCheck(adapter, heights, deal, options),
    fund: (deal, account, options) => doubting(deal, {...options, account}, () => adapter.fund(deal, account, options)),
    ...(refund && {
      refund: (...[deal, account, options]: Parameters<typeof refund>) =>
        doubting(deal, {...options, account}, () => refund(deal, account, options)),
    }),
    readDeposit: (deal, options) => hearDeposit(adapter, heights, deal, options),
    readPayout: (asset, recipient, hashes, options) => hearPayout(adapter, heights, asset, recipient, hashes, options),
    // One alone may neither hide a payout with a number that is too high, nor pass off an old one with one too low.
    readHeight: (chain, options) => lowest(chain, Number(lagOf(chain)), one => readHeight(one, options)),
    readTime: (chain, options) => lowest(chain, lagMs(chain), one => readTime(one, options)),
  };
}

/** One witness is enough to pass a check, two are needed to fail it. */
function failedReads({results}: CheckReport): string {
  return results.flatMap(({name, outcome, isRead}) => (outcome === 'failed' && isRead ? [name] : [])).join(' ');
}

/** Whether a deal fails only by checks that read the chain, whether or not it responded. */
function isDoubtful({results}: CheckReport): boolean {
  const failed = results.filter(({outcome}) => outcome === 'failed');
  return failed.length > 0 && failed.every(({isRead}) => isRead !== undefined);
}

/**
 * @throws SwapError `unreadable` (`field`: `rpc`) if a check fails by what only one witness shows: nothing is paid, and
 * nobody is accused.
 */
async function hearCheck(
  adapter: ChainAdapter,
  heights: Heights,
  deal: Deal,
  options: CheckOptions,
): Promise<CheckReport> {
  const {from} = deal.agreed;
  const question: Question<CheckReport> = {
    key: `check ${deal.orderId} ${from.chain.name}`,
    async ask({chain, account}) {
      const asked = {...deal, agreed: {...deal.agreed, from: {...from, chain}}};
      const report = await adapter.check(asked, {...options, account});
      return report.results.some(({isRead}) => isRead === false) ? undefined : report;
    },
    isPlain: report => !isDoubtful(report),
    isLoose: () => false,
    join: (one, other) => (failedReads(one) === failedReads(other) ? one : undefined),
    alone: () => undefined,
  };
  try {
    const heard = await hear(from.chain, options.account, question, heights, options.signal);
    if (heard) return heard;
    // No witness answered everything.
    const report = await adapter.check(deal, options);
    if (isDoubtful(report) && failedReads(report)) throw new Error('There is no second address that says so.');
    return report;
  } catch (failure) {
    options.signal?.throwIfAborted();
    throw failure instanceof SwapError ? failure : contradiction(from.chain, failure);
  }
}

/** An adapter's `readDeposit`. Rejects with `Disagreement` if the witnesses contradict each other. */
function hearDeposit(
  adapter: ChainAdapter,
  heights: Heights,
  deal: Deal,
  {account, mustShow = false, ...options}: ReadDepositOptions,
): Promise<DepositOnChain> {
  const {from} = deal.agreed;
  const isClaimed = Boolean(options.ends?.length);
  let unsure: DepositOnChain = {state: 'unknown'};
  const question: Question<DepositOnChain> = {
    key: `deposit ${deal.orderId} ${from.chain.name}`,
    async ask(witness) {
      const asked = {...deal, agreed: {...deal.agreed, from: {...from, chain: witness.chain}}};
      const {spent: _, ...answer} = await adapter.readDeposit(asked, {...options, account: witness.account});
      if (answer.state !== 'unknown' || answer.isTaken) return answer;
      unsure = {...unsure, ...answer};
      return undefined;
    },
    isPlain: ({state, isHeld, isRefundOpen, end}) =>
      state === 'seen'
        ? isHeld !== false && !isRefundOpen && !end && !isClaimed
        : state === 'unknown' || (state === 'none' && !mustShow),
    isLoose: ({state, block, end}) =>
      (state === 'seen' && block === undefined) || (end !== undefined && end.block === undefined),
    join: joinDeposits,
    alone: ({state, isHeld, isRefundOpen: _opens, end: _end, ...paid}) =>
      state === 'seen' ? {state, ...paid, ...(isHeld && !isClaimed && {isHeld})} : undefined,
  };
  return hear(from.chain, account, question, heights, options.signal).then(answer => answer ?? unsure);
}

/** An adapter's `readPayout`. Rejects with `Disagreement` if the witnesses contradict each other. */
function hearPayout(
  adapter: ChainAdapter,
  heights: Heights,
  asset: Asset,
  recipient: string,
  hashes: readonly string[],
  {account, ...options}: Parameters<ChainAdapter['readPayout']>[3],
): Promise<PayoutOnChain | undefined> {
  const {chain} = asset;
  const question: Question<PayoutOnChain> = {
    key: `payout ${[asset.id, recipient, ...hashes].join(' ')}`,
    ask: witness =>
      adapter.readPayout({...asset, chain: witness.chain}, recipient, hashes, {...options, account: witness.account}),
    // It is only requested once something claims that the order ended.
    isPlain: () => false,
    isLoose: ({amount, block}) => amount > 0n && block === undefined,
    join: (one, other) =>
      [one.amount, one.loose, one.earlier].join() === [other.amount, other.loose, other.earlier].join()
        ? {...withoutBlock(one), ...laterBlock(one, other)}
        : undefined,
    alone: () => undefined,
  };
  return hear(chain, account, question, heights, options.signal);
}

/** Each RPC as a witness, in the order of use, then the wallet: it may be able to read its chain. */
function witnessesOf(chain: Chain, account: Account | undefined): readonly Witness[] {
  const {rpc: _rpc, otherRpcs: _others, ...bare} = chain;
  const named = rpcsOf(chain).map(rpc => ({chain: {...bare, rpc}}));
  return account ? [...named, {chain: bare, account}] : named;
}

/** Those that do not lag behind the best one by more than their chain's allowance. Witnesses without a height are ignored. */
async function freshOf<T extends {readonly witness: Witness}>(
  all: readonly T[],
  on: Chain,
  readHeight: ReadHeight,
  signal: AbortSignal | undefined,
): Promise<readonly (T & {readonly height: bigint})[]> {
  const heightOf = ({chain, account}: Witness) => readHeight(chain, {account, ...(signal && {signal})});
  const told = await Promise.all(all.map(async one => ({...one, height: await heightOf(one.witness)})));
  signal?.throwIfAborted();
  const least = highest(told.map(({height = 0n}) => height)) - lagOf(on);
  return told.flatMap(({height, ...one}) => {
    if (height !== undefined && height >= least) return [{...one, height} as unknown as T & {readonly height: bigint}];
    const {rpc} = one.witness.chain;
    if (rpc !== undefined) rest(rpc, height === undefined ? 'failed' : 'behind');
    return [];
  });
}

function lagOf({blockSeconds}: Chain): bigint {
  return BigInt(Math.max(LEAST_LAG, Math.ceil(LAG_SECONDS / blockSeconds)));
}

function lagMs(chain: Chain): number {
  return Number(lagOf(chain)) * chain.blockSeconds * 1_000;
}

/** Only if all RPCs report one, and none is further from another than `most`. */
async function lowest<T extends bigint | number>(
  chain: Chain,
  most: number,
  ask: (chain: Chain) => Promise<T | undefined>,
): Promise<T | undefined> {
  const asked = witnessesOf(chain, undefined).map(one => ask(one.chain));
  const heard = (await Promise.all(asked))
    .filter(one => one !== undefined)
    .sort((one, other) => (one < other ? -1 : 1));
  const [least] = heard;
  return heard.length === asked.length && Number(heard.at(-1)) - Number(least) <= most ? least : undefined;
}

function highest(heights: readonly bigint[]): bigint {
  return heights.reduce((one, other) => (other > one ? other : one), 0n);
}

/** Asks one after another until one is enough, or two agree; `undefined` if none has an answer. */
async function hear<T>(
  chain: Chain,
  account: Account | undefined,
  {key, ask, isPlain, isLoose, join, alone}: Question<T>,
  {read: readHeight, differing}: Heights,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  const heard: {readonly witness: Witness; readonly answer: T}[] = [];
  const failures: unknown[] = [];
  for (const witness of witnessesOf(chain, account)) {
    let answer: T | undefined;
    try {
      answer = await ask(witness);
    } catch (failure) {
      signal?.throwIfAborted();
      failures.push(failure);
      if (witness.chain.rpc !== undefined) rest(witness.chain.rpc, 'failed');
    }
    if (answer === undefined) continue;
    if (!heard.length && isPlain(answer)) return answer;
    heard.push({witness, answer});
    const joined = heard.length === 2 ? joinedOf(heard) : undefined;
    if (joined !== undefined) return joined;
  }
  const [only, ...others] = heard;
  if (!only) {
    if (failures.length) throw failures[0];
    return undefined;
  }
  if (!others.length) return withoutOthers(only.answer);

  // Lagging witnesses know less, so they are ignored.
  const fresh = await freshOf(heard, chain, readHeight, signal);
  const joined = joinedOf(fresh);
  if (joined !== undefined) return joined;
  const [best, ...equals] = fresh;
  if (!best) throw new Error('No address tells how far it has got.');
  if (!equals.length) return isPlain(best.answer) ? best.answer : withoutOthers(best.answer);
  const due = differing.get(key);
  if (due !== undefined && fresh.every(({height}) => height >= due)) throw new Disagreement();
  if (due === undefined) {
    if (differing.size >= MOST_DIFFERING) differing.clear();
    differing.set(
      key,
      highest(fresh.map(({height}) => height)) + (fresh.some(({answer}) => isLoose(answer)) ? 1n : 0n),
    );
  }
  throw new Error('One address may not have seen yet what another has.');

  function joinedOf(answers: readonly {readonly answer: T}[]): T | undefined {
    for (const [at, {answer}] of answers.entries()) {
      for (const {answer: other} of answers.slice(at + 1)) {
        const both = join(answer, other);
        if (both === undefined) continue;
        differing.delete(key);
        return both;
      }
    }
    return undefined;
  }

  function withoutOthers(answer: T): T {
    const left = alone(answer);
    if (left === undefined) throw new Error('There is no second address that says so.', {cause: failures[0]});
    return left;
  }
}

/** What only one of them shows is left out. */
function joinDeposits(one: DepositOnChain, other: DepositOnChain): DepositOnChain | undefined {
  const isOther = (tell: (deposit: DepositOnChain) => unknown) => {
    const [first, second] = [tell(one), tell(other)];
    return first !== undefined && second !== undefined && first !== second;
  };
  const differs = [
    ({state}: DepositOnChain) => state,
    ({amount}: DepositOnChain) => amount,
    ({isHeld}: DepositOnChain) => isHeld,
    ({isRefundOpen}: DepositOnChain) => isRefundOpen,
    ({end}: DepositOnChain) => end && [end.how, end.amount].join(' '),
  ].some(isOther);
  if (differs) return undefined;
  const {state, amount, hashes = other.hashes, isHeld, isRefundOpen, end} = one;
  return {
    state,
    ...(hashes && {hashes}),
    ...laterBlock(one, other),
    ...(other.amount !== undefined && amount !== undefined && {amount}),
    ...(other.isHeld !== undefined && isHeld !== undefined && {isHeld}),
    ...(other.isRefundOpen !== undefined && isRefundOpen !== undefined && {isRefundOpen}),
    ...(other.end && end && {end: {...withoutBlock(end), ...laterBlock(end, other.end)}}),
  };
}

/** The later of two blocks; nothing if either has none. */
function laterBlock({block: one}: {readonly block?: bigint}, {block: other}: {readonly block?: bigint}) {
  return one !== undefined && other !== undefined ? {block: one > other ? one : other} : {};
}

function withoutBlock<T extends {readonly block?: bigint}>({block: _, ...rest}: T): Omit<T, 'block'> {
  return rest;
}
