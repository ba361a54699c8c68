import type {Asset} from '../../src/domain/asset.js';
import type {EvmPayload, WalletDeposit} from '../../src/domain/deposit.js';
import {BTC, dealOf, type OpenDeal as DealOf, type Writable} from './deal.js';
import {OWNER} from './evm-ledger.js';

export type OpenDeal = DealOf<
  Writable<WalletDeposit> & {
    payload: Writable<EvmPayload> & {typedData: NonNullable<Writable<EvmPayload>['typedData']>};
  }
>;

export const CONTRACT = '0x88e1032252c712681A3659986F452E910D2134D8';
export const TOKEN = '0xE918A5a47b8e0AFAC2382bC5D1e981613e63fB07';
export const STRANGER = '0x4444444444444444444444444444444444444444';

const WBTC: Asset = {
  id: 'ethereum_sepolia:wbtc',
  chain: {
    name: 'ethereum_sepolia',
    family: 'evm',
    title: 'Ethereum Sepolia',
    test: true,
    chainId: 11155111,
    blockSeconds: 12,
    explorer: 'https://sepolia.etherscan.io',
  },
  symbol: 'WBTC',
  title: 'Wrapped Bitcoin',
  decimals: 8,
  token: TOKEN,
  contracts: [CONTRACT],
};

/** The deal of the published EVM sample: 0.0005 WBTC for 0.0004985 BTC. */
export function sampleDeal(): OpenDeal {
  return dealOf('evm', {
    from: WBTC,
    to: BTC,
    amount: 50_000n,
    receive: 49_850n,
    atLeast: 49_600n,
  }) as OpenDeal;
}

/** The same deal, agreed to by the owner of the tests' key. */
export function ownDeal(): OpenDeal {
  const deal = sampleDeal();
  deal.agreed.owner = OWNER;
  deal.order.source.initiator = OWNER;
  return deal;
}
