import type {Asset} from '../../src/domain/asset.js';
import type {SolanaPayload, WalletDeposit} from '../../src/domain/deposit.js';
import {dealOf, KNOWN, type OpenDeal as DealOf, type Writable} from './deal.js';
import {MINT, OWNER, prepare, PROGRAM, RPC, TOKENS_PROGRAM, type Prepared, type SolanaLedger} from './solana-ledger.js';
import {assetOf} from './swap.js';

export type OpenDeal = DealOf<Writable<WalletDeposit> & {payload: Writable<SolanaPayload>}>;

const SOL: Asset = {...assetOf('solana_testnet:sol', KNOWN), contracts: [PROGRAM]};

type Paying = 'sol' | 'usdc';
let paying: Paying = 'sol';

/** The same facts of both programs: deals are paid in SOL, then in a token. */
export function ofEach(what: string, tests: (one: Paying) => void, each: readonly Paying[] = ['sol', 'usdc']): void {
  for (const one of each) {
    describe(`${what}: ${one}`, () => {
      before(() => void (paying = one));
      after(() => void (paying = 'sol'));
      tests(one);
    });
  }
}

const OF_USDC = {symbol: 'USDC', title: 'USD Coin', decimals: 6, token: MINT, contracts: [TOKENS_PROGRAM]};
const USDC: Asset = {...SOL, ...OF_USDC, id: 'solana_testnet:usdc'};

/** The deal of the published Solana sample: 0.354608265 SOL for 0.00048515 BTC; or as much of a token for it. */
export function sampleDeal(from: Paying = 'sol'): OpenDeal {
  const asset = from === 'sol' ? SOL : USDC;
  const amounts = {amount: 354_608_265n, receive: 48_515n, atLeast: 48_272n};
  const deal = dealOf('solana', {from: asset, ...amounts}) as OpenDeal;
  deal.order.source.asset = asset.id;
  return deal;
}

export const BLOCKHASH = 'FFaxNMNuuhgkDV9PAKnbsKuWQHY1bWv2rYFePTRrNstB';

export function termsOf({agreed, order}: OpenDeal): Prepared {
  return {
    owner: agreed.owner,
    program: agreed.from.token === undefined ? PROGRAM : TOKENS_PROGRAM,
    ...(agreed.from.token !== undefined && {token: agreed.from.token}),
    amount: agreed.amount,
    slots: BigInt(order.source.timelock),
    redeemer: order.source.redeemer,
    secretHash: order.source.secretHash,
    blockhash: BLOCKHASH,
    version: 'legacy',
  };
}

export function reprepare(deal: OpenDeal, change: Partial<Prepared> = {}): void {
  deal.deposit.payload.transaction = prepare({...termsOf(deal), ...change});
}

/** The same deal, accepted by the owner of the tests' key, with a node. */
export function ownDeal(ledger?: SolanaLedger, change: Partial<Prepared> = {}): OpenDeal {
  const deal = sampleDeal(paying);
  deal.agreed.owner = OWNER;
  deal.order.source.initiator = OWNER;
  if (ledger) deal.agreed.from.chain.rpc = RPC;
  reprepare(deal, change);
  ledger?.know(change.blockhash ?? BLOCKHASH);
  return deal;
}
