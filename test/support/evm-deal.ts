import {readOrder, readPlaced} from '../../src/api/schema.js';
import type {Asset} from '../../src/domain/asset.js';
import type {Agreement, EvmPayload, WalletDeposit} from '../../src/domain/deposit.js';
import type {Order} from '../../src/domain/order.js';
import {OWNER} from './evm-ledger.js';
import {samples} from './samples.js';

type Writable<T> = T extends bigint | string | number | boolean | undefined
  ? T
  : {-readonly [Key in keyof T]: Writable<T[Key]>};

/** A deal in which a test may change anything. */
export interface OpenDeal {
  orderId: string;
  agreed: Writable<Agreement>;
  deposit: Writable<WalletDeposit> & {
    payload: Writable<EvmPayload> & {typedData: NonNullable<Writable<EvmPayload>['typedData']>};
  };
  order: Writable<Order>;
  policy: {requirePins: boolean};
}

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

const BTC: Asset = {
  id: 'bitcoin_testnet:btc',
  chain: {name: 'bitcoin_testnet', family: 'bitcoin', title: 'Bitcoin Testnet', test: true, blockSeconds: 600},
  symbol: 'BTC',
  title: 'Bitcoin',
  decimals: 8,
  contracts: [],
};

/** The deal that the published EVM sample makes with whoever agreed to it: 0.0005 WBTC for 0.0004985 BTC. */
export function sampleDeal(): OpenDeal {
  const {orderId, deposit} = readPlaced(samples.evm.order.result, 'evm');
  const order = readOrder(samples.evm.status.result);
  return structuredClone({
    orderId,
    agreed: {
      from: WBTC,
      to: BTC,
      amount: 50_000n,
      receive: 49_850n,
      atLeast: 49_600n,
      owner: order.source.initiator,
      recipient: order.destination.redeemer,
      affiliateFees: [],
      solverId: '',
    },
    deposit,
    order,
    policy: {requirePins: false},
  }) as unknown as OpenDeal;
}

/** The same deal, agreed to by the one who holds the tests' key. */
export function ownDeal(): OpenDeal {
  const deal = sampleDeal();
  deal.agreed.owner = OWNER;
  deal.order.source.initiator = OWNER;
  return deal;
}
