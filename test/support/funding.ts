/** Paying into a swap without the widget: recording reports and errors, and a buyer. */
import {settingsOf, type SandboxState} from '../../demo/wallets/sandbox.js';
import {createSwapApi} from '../../src/api/settings.js';
import type {Account, ChainAdapter, DepositState, FundOptions, WalletRequestUpdate} from '../../src/chains/adapter.js';
import type {Catalogue, ChainFamily} from '../../src/domain/asset.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import type {Deal} from '../../src/domain/deposit.js';
import {SwapError} from '../../src/domain/error.js';
import type {SandboxClient} from '../sandbox/client.js';
import {holds} from './limits.js';
import {assetOf} from './swap.js';

export async function depositState(...[{readDeposit}, deal, options]: DepositRead): Promise<DepositState> {
  return (await readDeposit(deal, options)).state;
}

/** Whether its contract would refund it now; `undefined` if unknown. */
export async function isRefundOpen(...[{readDeposit}, deal, options]: DepositRead): Promise<boolean | undefined> {
  return (await readDeposit(deal, options)).isRefundOpen;
}

type DepositRead = [adapter: Pick<ChainAdapter, 'readDeposit'>, ...reading: Parameters<ChainAdapter['readDeposit']>];

export async function faultOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('nothing went wrong');
}

export async function errorOf(work: Promise<unknown>): Promise<SwapError> {
  const error = await faultOf(work);
  if (!(error instanceof SwapError)) throw error;
  return error;
}

export function faultIn(work: () => unknown): SwapError {
  try {
    work();
  } catch (error) {
    if (error instanceof SwapError) return error;
    throw error;
  }
  throw new Error('nothing went wrong');
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  return (await errorOf(work)).code;
}

/** Waits until a list has this many entries, however slow the machine is, and a moment for one more. */
export async function hasSettledAt(length: number, list: readonly unknown[]): Promise<void> {
  await holds(() => list.length >= length, 5_000);
  await new Promise(resolve => setTimeout(resolve, 20));
}

/** Records each plan, chain switch, fallback from a signature, and update of a wallet request, with its hash, a `#` for it, or neither. */
export function listen(hashes: 'whole' | '#' | 'none' = '#') {
  const updates: string[] = [];
  const plans: string[][] = [];
  const fallbacks: string[] = [];
  const onPlan: NonNullable<FundOptions['onPlan']> = plan => plans.push([...plan]);
  const onFallback: NonNullable<FundOptions['onFallback']> = reason => fallbacks.push(reason);
  const moves: string[] = [];
  const onMove: NonNullable<FundOptions['onMove']> = state => moves.push(state);
  const walletRequests: WalletRequestUpdate[] = [];
  const onWalletRequest: FundOptions['onWalletRequest'] = ask => {
    const {kind, state, hash} = ask;
    walletRequests.push(ask);
    const end = hash === undefined || hashes === 'none' ? '' : ` ${hashes === '#' ? '#' : hash}`;
    updates.push(`${kind} ${state}${end}`);
    return Promise.resolve();
  };
  return {updates, plans, walletRequests, fallbacks, moves, onPlan, onFallback, onMove, onWalletRequest};
}

/** The sandbox's assets on the chains of these families, with their nodes as RPCs. */
export function catalogueOf(state: SandboxState, families: readonly ChainFamily[]): Catalogue {
  const chains = Object.fromEntries(Object.entries(state.chains).filter(([, {family}]) => families.includes(family)));
  return createCatalogue({...settingsOf({...state, chains}), families});
}

export interface BuyerSettings {
  readonly client: SandboxClient;
  readonly adapter: ChainAdapter;
  readonly account: Account;
  readonly catalogue: Catalogue;
}

/** A buyer who orders at a sandbox and pays from an account, as the widget would. */
export function createBuyer({client, adapter, account, catalogue}: BuyerSettings) {
  const api = createSwapApi({baseUrl: client.url, appId: client.appId});
  const {updates, plans, walletRequests: _, fallbacks: __, moves: ___, ...listeners} = listen('none');
  return {
    client,
    account,
    api,
    updates,
    plans,
    /** Accepts the best offer and orders. */
    async order({from, to, amount, recipient}: {from: string; to: string; amount: bigint; recipient: string}) {
      const pair = {from: assetOf(from, catalogue), to: assetOf(to, catalogue)};
      const [quote] = await api.quote({...pair, amount, affiliateFees: []});
      if (!quote) throw new Error('no quote');
      const agreed = {
        ...pair,
        amount,
        receive: quote.destination.amount,
        atLeast: quote.destination.amount,
        owner: account.address,
        recipient,
        affiliateFees: [],
        solverId: quote.solverId,
      };
      const {orderId, deposit} = await api.createOrder(agreed);
      return {orderId, agreed, deposit, order: await api.readOrder(orderId), policy: {unverified: 'stop' as const}};
    },
    fund: (deal: Deal, options: Omit<FundOptions, 'onPlan' | 'onFallback' | 'onWalletRequest'>) =>
      adapter.fund(deal, account, {...options, ...listeners}),
    balance: async (asset: string) => adapter.means.balance(assetOf(asset, catalogue), account),
    completed: ({orderId}: Deal) =>
      until(
        () => api.readOrder(orderId),
        ({destination}) => destination.redeemed !== undefined,
      ),
  };
}

export async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
