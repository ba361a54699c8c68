/** Building blocks of claims: what the service says, how the order is paid, and what a person does. */
import type {ChainFamily} from '../../src/domain/asset.js';
import {SwapError} from '../../src/domain/error.js';
import {holds} from '../support/limits.js';
import type {NodeSwap, NodeWorld} from '../support/node-session.js';
import type {Fields} from '../sandbox/client.js';
import {fundingIn, shownIn, storyIn} from '../support/shown.js';
import {beginHostile, type Begin, type PAIRS} from './judge.js';
import {read, refusal, type Lie, type Man} from './man.js';
import {asPaidBack, asPaidOut, asTaken, inventedHash, NOTHING} from './named.js';

export interface Claim {
  readonly name: string;
  readonly family: ChainFamily;
  readonly rpc: boolean;
  /** Whether it moves the chain's clock, so that no other swap may be running. */
  readonly isAlone?: boolean;
  /** @throws Error that says what happened instead. */
  run(world: NodeWorld): Promise<string>;
}

export const FAKE = 'ab'.repeat(32);

export function demand(isSo: unknown, otherwise: string): asserts isSo {
  if (!isSo) throw new Error(otherwise);
}

const invented = ({chain}: Fields) => ({what: 'an end', hash: inventedHash(chain)});

/** False claims about a paid order. */
export const ENDS: Readonly<Record<string, Lie>> = {
  complete: read(order => {
    asPaidOut(invented(order.destination_swap)).read(order);
    asTaken(invented(order.source_swap)).read(order);
  }),
  refunded: read(order => asPaidBack(invented(order.source_swap)).read(order)),
  'a pending refund': read(order => {
    asPaidBack(invented(order.source_swap)).read(order);
    order.source_swap['refund_block_number'] = '0';
  }),
  'nothing was paid': read(({source_swap}) => void Object.assign(source_swap, NOTHING)),
  'other terms of the payment': read(({source_swap}) => {
    const {redeemer, amount, initiator} = source_swap;
    Object.assign(source_swap, {
      redeemer: initiator,
      initiator: redeemer,
      timelock: 1,
      secret_hash: FAKE,
      amount: `${String(amount)}0`,
    });
  }),
  'nothing: the service is gone': {instead: () => Promise.reject(new TypeError('fetch failed'))},
};

export const keptSignature = (): {lie: Lie; use: () => Promise<Response>} => {
  let pass = () => Promise.reject<Response>(new Error('no signature came'));
  return {
    lie: {
      initiate: asked => {
        const kept = asked.pass;
        pass = kept;
        return refusal('gasless initiation is not available for this asset');
      },
    },
    use: () => pass(),
  };
};

export const ON_CONTRACTS = ['evm', 'solana', 'starknet'] as const satisfies readonly ChainFamily[];
/** Families whose orders may be signed: one whose typed data names no contract (Starknet) only where a chain can be read. */
export const BY_SIGNATURE = ['evm', 'starknet'] as const satisfies readonly ChainFamily[];
/** Readable chains: with an `rpc`, and for EVM chains also through the wallet. */
export const isReadable = (family: ChainFamily, rpc: boolean) => rpc || family === 'evm';

/** What may leave the payer besides the agreed amount: fees in the same coin, and account deposits. */
export const FEES: Readonly<Record<ChainFamily, bigint>> = {
  bitcoin: 10_000n,
  evm: 0n,
  solana: 10_000_000n,
  starknet: 0n,
};

export async function paidOnce(swap: NodeSwap, family: ChainFamily): Promise<void> {
  const {paid} = await swap.moved();
  demand(paid <= swap.amount + FEES[family], `${String(paid)} left for ${String(swap.amount)} agreed`);
}

export type Scene = (parts: {
  readonly swap: NodeSwap;
  readonly man: Man;
  readonly family: ChainFamily;
  readonly rpc: boolean;
  readonly world: NodeWorld;
}) => Promise<string | undefined>;

/** The same scene on several families, with the chains readable and without. */
export function claims(
  name: string,
  families: readonly ChainFamily[],
  scene: Scene,
  {
    isAlone = false,
    only = () => true,
    ...begin
  }: Begin & {
    readonly isAlone?: boolean;
    readonly only?: (family: ChainFamily, rpc: boolean) => boolean;
  } = {},
): Claim[] {
  return families.flatMap(family =>
    [true, false]
      .filter(rpc => only(family, rpc))
      .map(rpc => ({
        name,
        family,
        rpc,
        // Each payment on Bitcoin mines blocks, which expire the timelocks of others.
        isAlone: isAlone || family === 'bitcoin',
        async run(world) {
          const {swap, man} = await beginHostile(world, family, {...begin, rpc});
          try {
            return (await scene({swap, man, family, rpc, world})) ?? swap.stage;
          } finally {
            swap.end();
          }
        },
      })),
  );
}

/** Places and pays an order, and waits until the real service has seen the payment. */
export async function deposit(swap: NodeSwap, man: Man): Promise<void> {
  await swap.place();
  if ('bumpFee' in swap.payer) await swap.pay();
  const isSeen = async () => (await swap.client.read(man.orderIds.at(-1) ?? '')).source_swap.initiate_tx_hash !== '';
  demand(await holds(isSeen, 10_000), `the payment did not get to the chain. ${swap.describe()}`);
}

export const orderOf = (swap: NodeSwap) => storyIn(swap.session)?.order;

/** How long a read takes with all its failing retries. */
const PRESS_MS = 3_000;

/** Waits until a condition is met, and lets the session read occasionally, like a person who presses “Look again”. */
export async function reads(swap: NodeSwap, isSo: () => unknown, milliseconds = 8_000): Promise<boolean> {
  let pressed = 0;
  return holds(() => {
    if (isSo()) return true;
    if (Date.now() > pressed + PRESS_MS) {
      swap.session.refresh();
      pressed = Date.now();
    }
    return false;
  }, milliseconds);
}

export const PAID = ['deposit-seen', 'confirming', 'settling', 'complete', 'refunding'];

/** A pair to each other family, since the suite's pairs only pay out on EVM chains. */
export const PAYS_OUT: Readonly<Partial<Record<ChainFamily, (typeof PAIRS)[ChainFamily]>>> = {
  bitcoin: {from: 'base_sepolia:wbtc', to: 'bitcoin_testnet:btc', amount: '0.001'},
  solana: {from: 'base_sepolia:wbtc', to: 'solana_testnet:sol', amount: '0.001'},
  starknet: {from: 'base_sepolia:wbtc', to: 'starknet_sepolia:wbtc', amount: '0.001'},
};

/** Only the payer acts: otherwise the service would refund some time after the timelock. */
export const PAYER_ALONE = {solverGone: true, ownerRefunds: true};

/** After the timelock: a refund is offered, a click prompts the wallet, and the money is back. */
export async function takeBack({
  swap,
  family,
}: {
  readonly swap: NodeSwap;
  readonly family: ChainFamily;
}): Promise<string> {
  const {session} = swap;
  // Time passes for the page as for the chain.
  for (const {host} of swap.tabs) host.ahead = 40 * 24 * 3_600_000;
  const isOffered = await reads(
    swap,
    () => swap.stage === 'refunding' && /open|likely/.test(storyIn(session)?.refund ?? '') && !fundingIn(session).busy,
    8_000,
  );
  demand(isOffered, `no refund is offered: ${swap.stage}, open ${String(storyIn(session)?.refund)}`);
  await session.refund();
  const {state, ...refund} = shownIn(session)?.refund ?? {state: 'idle'};
  const left = async () => (await swap.moved()).paid;
  const isBack = await holds(async () => (await left()) <= FEES[family], 6_000);
  demand(
    isBack,
    `the money is not back (${String(await left())} is missing): ${state} ${swap.describe()} ${'error' in refund && refund.error instanceof SwapError ? `${refund.error.code} ${refund.error.detail ?? ''}` : ''}`,
  );
  return 'the money is back';
}

export const expire = (swap: NodeSwap, man: Man) => swap.client.expire(man.orderIds.at(-1) ?? '');
