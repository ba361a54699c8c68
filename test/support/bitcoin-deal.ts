import {readOrder, readPlaced} from '../../src/api/schema.js';
import type {Asset, Chain} from '../../src/domain/asset.js';
import type {Agreement, TransferDeposit} from '../../src/domain/deposit.js';
import type {Order} from '../../src/domain/order.js';
import {samples} from './samples.js';

type Writable<T> = T extends bigint | string | number | boolean | undefined
  ? T
  : {-readonly [Key in keyof T]: Writable<T[Key]>};

/** A deal in which a test may change anything. */
export interface OpenDeal {
  orderId: string;
  agreed: Writable<Agreement>;
  deposit: Writable<TransferDeposit>;
  order: Writable<Order>;
  policy: {requirePins: boolean};
}

export const MAIN: Chain = {name: 'bitcoin', family: 'bitcoin', title: 'Bitcoin', test: false, blockSeconds: 600};
export const TEST: Chain = {
  name: 'bitcoin_testnet',
  family: 'bitcoin',
  title: 'Bitcoin Testnet',
  test: true,
  blockSeconds: 600,
};

/** Somebody else's address on the test network. */
export const STRANGER = 'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy';

const BTC: Asset = {
  id: 'bitcoin_testnet:btc',
  chain: TEST,
  symbol: 'BTC',
  title: 'Bitcoin',
  decimals: 8,
  contracts: [],
};

const WBTC: Asset = {
  id: 'base_sepolia:wbtc',
  chain: {name: 'base_sepolia', family: 'evm', title: 'Base Sepolia', test: true, chainId: 84532, blockSeconds: 2},
  symbol: 'WBTC',
  title: 'Wrapped Bitcoin',
  decimals: 8,
  token: '0xD8a6E3FCA403d79b6AD6216b60527F51cc967D39',
  contracts: ['0xd1E0Ba2b165726b3a6051b765d4564d030FDcf50'],
};

/**
 * The deal that the published Bitcoin sample makes with whoever agreed to it: 0.0005 BTC for 0.0004985 WBTC. Read back,
 * the sample holds ten times that; here it holds what was ordered.
 */
export function sampleDeal(): OpenDeal {
  const {orderId, deposit} = readPlaced(samples.bitcoin.order.result, 'bitcoin');
  const read = readOrder(samples.bitcoin.status.result);
  const order = {
    ...read,
    source: {...read.source, amount: 50_000n, filled: 0n},
    destination: {...read.destination, amount: 49_850n},
  };
  return structuredClone({
    orderId,
    agreed: {
      from: BTC,
      to: WBTC,
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
