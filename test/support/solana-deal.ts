import {readOrder, readPlaced} from '../../src/api/schema.js';
import type {Asset} from '../../src/domain/asset.js';
import type {Agreement, Deal, SolanaPayload, WalletDeposit} from '../../src/domain/deposit.js';
import type {Order} from '../../src/domain/order.js';
import {samples} from './samples.js';
import {OWNER, prepare, PROGRAM, RPC, type Prepared, type SolanaLedger} from './solana-ledger.js';

type Writable<T> = T extends bigint | string | number | boolean | undefined
  ? T
  : {-readonly [Key in keyof T]: Writable<T[Key]>};

/** A deal in which a test may change anything. */
export interface OpenDeal {
  orderId: string;
  agreed: Writable<Agreement>;
  deposit: Writable<WalletDeposit> & {payload: Writable<SolanaPayload>};
  order: Writable<Order>;
  policy: {requirePins: boolean};
}

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

const BTC: Asset = {
  id: 'bitcoin_testnet:btc',
  chain: {name: 'bitcoin_testnet', family: 'bitcoin', title: 'Bitcoin Testnet', test: true, blockSeconds: 600},
  symbol: 'BTC',
  title: 'Bitcoin',
  decimals: 8,
  contracts: [],
};

/** The deal that the published Solana sample makes with whoever agreed to it: 0.354608265 SOL for 0.00048515 BTC. */
export function sampleDeal(): OpenDeal {
  const {orderId, deposit} = readPlaced(samples.solana.order.result, 'solana');
  const order = readOrder(samples.solana.status.result);
  return structuredClone({
    orderId,
    agreed: {
      from: SOL,
      to: BTC,
      amount: 354_608_265n,
      receive: 48_515n,
      atLeast: 48_272n,
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

const BLOCKHASH = 'FFaxNMNuuhgkDV9PAKnbsKuWQHY1bWv2rYFePTRrNstB';

/** What the sample's service prepares, for whoever agreed. */
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

/** Lets the service prepare something else for a deal. */
export function reprepare(deal: OpenDeal, change: Partial<Prepared> = {}): void {
  deal.deposit.payload.transaction = prepare({...termsOf(deal), ...change});
}

/** The same deal, agreed to by the one who holds the tests' key, with a node that can be asked. */
export function ownDeal(ledger?: SolanaLedger, change: Partial<Prepared> = {}): OpenDeal {
  const deal = sampleDeal();
  deal.agreed.owner = OWNER;
  deal.order.source.initiator = OWNER;
  if (ledger) deal.agreed.from.chain.rpc = RPC;
  reprepare(deal, change);
  ledger?.know(change.blockhash ?? BLOCKHASH);
  return deal;
}

export const asDeal = (deal: OpenDeal): Deal => deal;
