import type {Account, ChainAdapter, Wallet} from '../../src/chains/adapter.js';
import type {Asset} from '../../src/domain/asset.js';
import type {StarknetPayload, WalletDeposit} from '../../src/domain/deposit.js';
import {BTC, dealOf, type OpenDeal as DealOf, type Writable} from './deal.js';
import {inject, RPC, type StarknetLedger} from './starknet-ledger.js';

export type OpenDeal = DealOf<
  Writable<WalletDeposit> & {
    payload: Writable<StarknetPayload> & {typedData: NonNullable<Writable<StarknetPayload>['typedData']>};
  }
>;

export const CONTRACT = '0x06579d255314109429a4477d89629bc2b94f529ae01979c2f8014f9246482603';
export const TOKEN = '0x496bef3ed20371382fbe0ca6a5a64252c5c848f9f1f0cccf8110fc4def912d5';
export const ORDER_ID = '0x61ea20c8abf2a327035c2bc1170b3d32a13b271f14ad5a3739f995ce9a54ebf';

const WBTC: Asset = {
  id: 'starknet_sepolia:wbtc',
  chain: {
    name: 'starknet_sepolia',
    family: 'starknet',
    title: 'Starknet Sepolia',
    test: true,
    blockSeconds: 30,
    rpc: RPC,
  },
  symbol: 'WBTC',
  title: 'Wrapped Bitcoin',
  decimals: 8,
  token: TOKEN,
  contracts: [CONTRACT],
};

/** The deal of the published Starknet sample: 0.0005 WBTC for 0.0004985 BTC. */
export function sampleDeal(): OpenDeal {
  return dealOf('starknet', {
    from: WBTC,
    to: BTC,
    amount: 50_000n,
    receive: 49_850n,
    atLeast: 49_600n,
  }) as OpenDeal;
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
