import type {Asset} from '../../src/domain/asset.js';
import type {SolanaPayload, WalletDeposit} from '../../src/domain/deposit.js';
import {BTC, dealOf, type OpenDeal as DealOf, type Writable} from './deal.js';
import {OWNER, prepare, PROGRAM, RPC, type Prepared, type SolanaLedger} from './solana-ledger.js';

export type OpenDeal = DealOf<Writable<WalletDeposit> & {payload: Writable<SolanaPayload>}>;

const SOL: Asset = {
  id: 'solana_testnet:sol',
  chain: {
    name: 'solana_testnet',
    family: 'solana',
    title: 'Solana Devnet',
    test: true,
    blockSeconds: 0.4,
  },
  symbol: 'SOL',
  title: 'Solana',
  decimals: 9,
  contracts: [PROGRAM],
};

/** The deal of the published Solana sample: 0.354608265 SOL for 0.00048515 BTC. */
export function sampleDeal(): OpenDeal {
  return dealOf('solana', {
    from: SOL,
    to: BTC,
    amount: 354_608_265n,
    receive: 48_515n,
    atLeast: 48_272n,
  }) as OpenDeal;
}

export const BLOCKHASH = 'FFaxNMNuuhgkDV9PAKnbsKuWQHY1bWv2rYFePTRrNstB';

/** The transaction terms that the sample's service prepares, for the owner of the deal. */
export function termsOf({agreed, order}: OpenDeal): Prepared {
  return {
    owner: agreed.owner,
    program: PROGRAM,
    amount: agreed.amount,
    slots: BigInt(order.source.timelock),
    redeemer: order.source.redeemer,
    secretHash: order.source.secretHash,
    blockhash: BLOCKHASH,
    version: 'legacy',
  };
}

/** Lets the service prepare another transaction for a deal. */
export function reprepare(deal: OpenDeal, change: Partial<Prepared> = {}): void {
  deal.deposit.payload.transaction = prepare({...termsOf(deal), ...change});
}

/** The same deal, accepted by the owner of the tests' key, with a node. */
export function ownDeal(ledger?: SolanaLedger, change: Partial<Prepared> = {}): OpenDeal {
  const deal = sampleDeal();
  deal.agreed.owner = OWNER;
  deal.order.source.initiator = OWNER;
  if (ledger) deal.agreed.from.chain.rpc = RPC;
  reprepare(deal, change);
  ledger?.know(change.blockhash ?? BLOCKHASH);
  return deal;
}
