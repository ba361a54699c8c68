import type {EvmPayload, WalletDeposit} from '../../src/domain/deposit.js';
import {dealOf, KNOWN, type OpenDeal as DealOf, type Writable} from './deal.js';
import {OWNER} from './evm-ledger.js';
import {assetOf} from './swap.js';

export type OpenDeal = DealOf<
  Writable<WalletDeposit> & {
    payload: Writable<EvmPayload> & {typedData: NonNullable<Writable<EvmPayload>['typedData']>};
  }
>;

export const CONTRACT = '0x88e1032252c712681A3659986F452E910D2134D8';
export const TOKEN = '0xE918A5a47b8e0AFAC2382bC5D1e981613e63fB07';
export const STRANGER = '0x4444444444444444444444444444444444444444';

const {versions: _, ...WBTC} = assetOf('ethereum_sepolia:wbtc', KNOWN);

/** The deal of the published EVM sample, whose contract's version nobody pinned. */
export function sampleDeal(): OpenDeal {
  return dealOf('evm', {from: {...WBTC, contracts: [CONTRACT]}}) as OpenDeal;
}

/** The same deal, agreed to by the owner of the tests' key. */
export function ownDeal(): OpenDeal {
  const deal = sampleDeal();
  deal.agreed.owner = OWNER;
  deal.order.source.initiator = OWNER;
  return deal;
}
