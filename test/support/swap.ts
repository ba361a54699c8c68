/** Sample objects for tests: assets of the catalogue, a request, a quote, an order, its legs and its agreement. */
import {type Asset, type Catalogue, type Chain} from '../../src/domain/asset.js';
import type {Agreement} from '../../src/domain/deposit.js';
import {createCatalogue} from '../../src/domain/catalogue.js';
import type {ChainEvent, Leg, Order} from '../../src/domain/order.js';
import type {Quote, QuoteRequest} from '../../src/domain/quote.js';
import {formatAmount} from '../../src/domain/amount.js';

export const catalogue = createCatalogue({families: ['evm'], hints: ['base_sepolia:wbtc']});

export function assetOf(id: string, {find}: Catalogue = catalogue): Asset {
  const asset = find(id);
  if (!asset) throw new Error(`The catalogue does not know ${id}.`);
  return asset;
}

export const WBTC = assetOf('base_sepolia:wbtc');
export const OTHER_WBTC = assetOf('ethereum_sepolia:wbtc');
export const USDC = assetOf('base_sepolia:usdc');

/** USD Coin on a chain, with no swap contract. */
export function usdcOn(chain: Chain, token: string): Asset {
  return {id: `${chain.name}:usdc`, chain, symbol: 'USDC', title: 'USD Coin', decimals: 6, token, contracts: []};
}

export const PAYER = '0x004Cc75ACF4132Fc08cB6a252E767804F303F729';
export const SOLVER = '0x661bA32eb5f86CaB358DDbB7F264b10c5825e2dd';
export const ORDER_ID = '646eabe9fd9e7612ac712d54d899cf3f1847251927184fbc22d80f2a9a55987d';

/** 21 November 2026, 14:00 UTC. */
export const NOON = Date.UTC(2026, 10, 21, 14);

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export function aRequest(change: Partial<QuoteRequest> = {}): QuoteRequest {
  return {from: WBTC, to: OTHER_WBTC, amount: 50_000n, affiliateFees: [], ...change};
}

export function aQuote(receive: bigint, solverId = 'solver-1', request: QuoteRequest = aRequest()): Quote {
  const side = ({id, decimals}: Asset, amount: bigint) => {
    return {asset: id, amount, display: formatAmount(amount, decimals), value: '58.82'};
  };
  return {source: side(request.from, request.amount), destination: side(request.to, receive), solverId};
}

export function aLeg(change: Partial<Leg> = {}): Leg {
  return {
    swapId: '30facc712b6eaa7a2453dba968da223d180322f224285db2820a8cdd7125147a',
    chain: 'base_sepolia',
    asset: 'base_sepolia:wbtc',
    initiator: PAYER,
    redeemer: SOLVER,
    timelock: 7_200,
    amount: 50_000n,
    filled: 0n,
    secretHash: '61d22856ce12bc3693df0cd4967d404400449f61810080c52638fd805b379723',
    secret: '',
    confirmations: {current: 0, required: 1},
    ...change,
  };
}

export function anOrder(change: Partial<Order> = {}): Order {
  return {
    id: ORDER_ID,
    createdAt: NOON,
    source: aLeg(),
    destination: aLeg({
      chain: 'ethereum_sepolia',
      asset: 'ethereum_sepolia:wbtc',
      initiator: SOLVER,
      redeemer: PAYER,
      timelock: 300,
      amount: 49_850n,
    }),
    nonce: '18331192702570975643',
    affiliateFees: [],
    version: 'v1',
    ...change,
  };
}

export function anAgreement(change: Partial<Agreement> = {}): Agreement {
  return {
    from: WBTC,
    to: OTHER_WBTC,
    amount: 50_000n,
    receive: 49_850n,
    atLeast: 49_601n,
    owner: PAYER,
    recipient: PAYER,
    affiliateFees: [],
    solverId: 'solver-1',
    ...change,
  };
}

/** A chain event: unconfirmed, or in a block. */
export function aChainEvent(block?: bigint, at?: number): ChainEvent {
  return {hashes: ['0x7f3a'], ...(block === undefined ? {} : {block}), ...(at === undefined ? {} : {at})};
}
