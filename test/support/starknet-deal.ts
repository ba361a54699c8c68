import type {Account, ChainAdapter, Wallet} from '../../src/chains/adapter.js';
import type {StarknetPayload, WalletDeposit} from '../../src/domain/deposit.js';
import {dealOf, KNOWN, type OpenDeal as DealOf, type Writable} from './deal.js';
import {inject, RPC, type StarknetLedger} from './starknet-ledger.js';
import {assetOf} from './swap.js';

export type OpenDeal = DealOf<
  Writable<WalletDeposit> & {
    payload: Writable<StarknetPayload> & {typedData: NonNullable<Writable<StarknetPayload>['typedData']>};
  }
>;

export const CONTRACT = '0x06579d255314109429a4477d89629bc2b94f529ae01979c2f8014f9246482603';
export const TOKEN = '0x496bef3ed20371382fbe0ca6a5a64252c5c848f9f1f0cccf8110fc4def912d5';
export const ORDER_ID = '0x61ea20c8abf2a327035c2bc1170b3d32a13b271f14ad5a3739f995ce9a54ebf';

const WBTC = assetOf('starknet_sepolia:wbtc', KNOWN);

/** The deal of the published Starknet sample, with a node. */
export function sampleDeal(): OpenDeal {
  return dealOf('starknet', {from: {...WBTC, chain: {...WBTC.chain, rpc: RPC}}}) as OpenDeal;
}

/** The wallet that an adapter finds for this object in the page. */
export function findWallet(
  adapter: ChainAdapter,
  wallet: object,
  info: Readonly<Record<string, unknown>> = {},
): Wallet {
  const {id = 'ledger'} = info;
  const [found] = findWallets(adapter, () => inject(wallet, info)).filter(one => one.id === id);
  if (!found) throw new Error('no wallet was found');
  return found;
}

/** All wallets that an adapter finds after some appeared; the function returned by `appear` removes them. */
export function findWallets(adapter: ChainAdapter, appear: () => () => void): Wallet[] {
  const search = new AbortController();
  const found: Wallet[] = [];
  const disappear = appear();
  adapter.wallets.discover(wallet => found.push(wallet), {signal: search.signal});
  disappear();
  search.abort();
  return found;
}

export function connectLedger(adapter: ChainAdapter, ledger: StarknetLedger): Promise<Account> {
  return findWallet(adapter, ledger).connect();
}
