/**
 * A contract of a thief's own, or a transfer, to which a person said yes: the agreed amount can be lost there, once, and
 * nothing more, whatever the contract and the service say afterwards. Each scene has a control without the theft.
 */
import type {ChainFamily} from '../../src/domain/asset.js';
import {readable, atContract, contractsOf} from './facts.js';
import {beginHostile, compare, holdings} from './judge.js';
import {refusal, both, type Lie} from './man.js';
import {asUnpaid} from './named.js';
import {demand, reads, FEES} from './scenes.js';
import {allowanceOf, copyOf, deny, idle, pull} from './thief.js';
import {insist, openAgain, place, serviceIn, type UnverifiedCase} from './unverified.js';
import {holds} from '../support/limits.js';
import {isAct, type NodeSwap, type WalletCall} from '../support/node-session.js';
import {fundingIn, shownIn} from '../support/shown.js';

/** The stage: a swap, and the thief's contract; none on Solana. */
interface Stage {
  readonly swap: NodeSwap;
  readonly contract: string;
}

interface Theft {
  readonly name: string;
  readonly family?: ChainFamily;
  /** The form of the call, and whether the wallet takes approval and payment as one request. */
  readonly call: Lie;
  readonly batches?: boolean;
  readonly answered?: (stage: Stage, call: WalletCall) => Promise<void>;
  /** What happens instead of handing a signature to the service. */
  readonly signed?: (stage: Stage) => Promise<void>;
  readonly before?: (stage: Stage) => Promise<void>;
  readonly later?: (stage: Stage) => Promise<void>;
  /** What the service says of the order from then on. */
  readonly said?: Lie;
  /** The wallet requests in the end: nothing is asked for twice. */
  readonly asked: readonly string[];
  /** Those of the control. */
  readonly control: readonly string[];
}

const isApproval = ({method, params}: WalletCall) =>
  method === 'eth_sendTransaction' && JSON.stringify(params).includes('0x095ea7b3');
const take = ({swap, contract}: Stage) => pull(swap, contract);
const denied = ({swap, contract}: Stage) => deny(swap, contract);
const idles = ({swap, contract}: Stage) => idle(swap, contract);

/** A call in the known form, and nothing to sign. */
const BY_CALL = both(readable, {order: result => ({...result, typed_data: null})});

const THEFTS: readonly Theft[] = [
  {
    name: 'the owner takes the allowance right after it was given, and a signature was to follow',
    call: {},
    answered: async (stage, call) => (isApproval(call) ? take(stage) : undefined),
    asked: ['approve'],
    control: ['approve', 'sign', 'initiate'],
  },
  {
    name: 'a signature is used, and rejected, and the order can be paid by a call, too',
    call: readable,
    signed: take,
    asked: ['approve', 'sign', 'initiate'],
    control: ['approve', 'sign', 'initiate'],
  },
  {
    name: 'a contract denies a payment that is in a block',
    call: BY_CALL,
    answered: async (stage, call) => (isApproval(call) || !isAct(call) ? undefined : denied(stage)),
    asked: ['approve', 'send'],
    control: ['approve', 'send'],
  },
  {
    name: 'a contract denies a payment that was one request with its approval',
    call: BY_CALL,
    batches: true,
    answered: async (stage, call) => (call.method === 'wallet_sendCalls' ? denied(stage) : undefined),
    asked: ['send'],
    control: ['send'],
  },
  {
    name: 'a payment takes nothing, and the owner takes the allowance later',
    call: BY_CALL,
    before: idles,
    later: take,
    asked: ['approve', 'send'],
    control: ['approve', 'send'],
  },
  {
    name: 'a payment takes nothing, and the owner takes the allowance later',
    family: 'starknet',
    call: {},
    before: idles,
    later: take,
    asked: ['send'],
    control: ['send'],
  },
  {
    name: 'the service says that a transfer never came',
    family: 'solana',
    call: {},
    said: asUnpaid,
    asked: ['send'],
    control: ['send'],
  },
];

/** Presses everything, again after a while, after a reload, and in another tab. */
async function insistOnAll(swap: NodeSwap): Promise<void> {
  await insist(swap);
  const again = async () => {
    await openAgain(swap);
    if (fundingIn(swap.session).unclear) await swap.session.answer(false);
    await insist(swap);
    swap.tab.host.passed += 10 * 60_000;
    // What a reading shows may only be said after the next one.
    for (let reading = 0; reading < 2; reading++) await reads(swap, () => false, 500);
    if (fundingIn(swap.session).unclear) await swap.session.answer(false);
    await insist(swap);
  };
  swap.reload();
  await again();
  swap.open();
  await again();
}

const requestsOf = ({session, orderId}: NodeSwap) =>
  session.$journal.get().entries.find(entry => entry.orderId === orderId)?.walletRequests ?? [];

const accept = ({session}: NodeSwap) => {
  const {question} = shownIn(session) ?? {};
  demand(question, 'it was not asked about');
  return session.accept(question.id);
};

function sceneOf(theft: Theft, isTold: boolean): UnverifiedCase {
  const {family = 'evm', said = {}} = theft;
  return {
    name: `${family} · unverified · ${theft.name}${isTold ? '' : ' · the truth'}`,
    family,
    async run(world) {
      const service = await serviceIn(world, 'plain');
      let stage: Stage | undefined;
      let deed = Promise.resolve();
      const {swap, man} = await beginHostile(world, family, {
        service: service.url,
        ...(theft.batches && {batches: true}),
        // What the thief does comes first.
        nodes: async (_, pass) => {
          await deed;
          return pass();
        },
        answered: call => {
          if (stage && isTold && theft.answered) deed = theft.answered(stage, call);
        },
      });
      try {
        const usual = contractsOf(service)[swap.options.from] ?? '';
        const contract = family === 'solana' ? '' : await copyOf(swap, usual);
        const own = (stage = {swap, contract});
        man.lie = {
          ...(contract && both(atContract(contract), theft.call)),
          ...(isTold && said),
          initiate: async () => {
            if (isTold) await theft.signed?.(own);
            return refusal('gasless initiation is not available for this asset');
          },
        };
        if (isTold) await theft.before?.(own);
        await place(swap);
        await accept(swap);
        const after = () => requestsOf(swap).map(({kind}) => kind);
        const first = after();
        if (!isTold) {
          demand(String(first) === String(theft.control), `the wallet was asked for ${String(first)}`);
          return {isGood: true, says: String(first)};
        }
        await insistOnAll(swap);
        if (theft.later) {
          await theft.later(own);
          await insistOnAll(swap);
          demand((await allowanceOf(swap, contract)) === 0n, 'the owner took nothing');
        }
        const {paid} = await swap.moved();
        const left = contract ? await allowanceOf(swap, contract) : 0n;
        const lost = paid + left - swap.amount;
        demand(lost >= 0n && lost <= FEES[family], `${String(paid)} left, and ${String(left)} may still be taken`);
        demand(String(after()) === String(theft.asked), `the wallet was asked for ${String(after())}`);
        demand(!['complete', 'refunded'].includes(swap.stage), `the page says ${swap.stage}`);
        const {error} = fundingIn(swap.session);
        return {isGood: true, says: `${String(after())}, ${swap.stage} ${error?.code ?? ''} ${error?.field ?? ''}`};
      } finally {
        swap.end();
      }
    },
  };
}

/** The payment is declined after its approval, which is taken back: the order is paid later, unless it was used. */
function takenBack(isTold: boolean): UnverifiedCase {
  return {
    name: `evm · unverified · an allowance is taken back${isTold ? ' after its owner used it' : ', and the order is paid later'}`,
    family: 'evm',
    async run(world) {
      const service = await serviceIn(world, 'plain');
      let signatures = 0;
      const {swap, man} = await beginHostile(world, 'evm', {
        service: service.url,
        answers: ({kind}) => kind !== 'sign' || signatures++ > 0,
      });
      try {
        const before = await holdings(swap);
        await place(swap);
        await accept(swap);
        if (isTold) await pull(swap, contractsOf(service)[swap.options.from] ?? '');
        await swap.session.revoke(swap.orderId);
        const after = () => requestsOf(swap).map(({kind}) => kind);
        await insist(swap);
        // That nothing is allowed now is no reason not to: an allowance could be still to come.
        const early = 'approve,sign,revoke';
        demand(String(after()) === early, `the wallet was asked for ${String(after())}`);
        // More blocks than a node may lag behind.
        await world.mine('base_sepolia', 60);
        swap.tab.host.passed += 2 * 60_000;
        await (isTold ? insistOnAll : insist)(swap);
        if (!isTold) await holds(() => swap.stage === 'complete', 12_000);
        const {outcome, says} = isTold
          ? {outcome: 'same', says: swap.stage}
          : await compare(swap, man, before, swap.stage);
        await insist(swap);
        const {paid} = await swap.moved();
        demand(paid === swap.amount, `${String(paid)} left`);
        demand(
          String(after()) === (isTold ? early : `${early},approve,sign,initiate`),
          `it was asked for ${String(after())}`,
        );
        return {isGood: outcome === 'same', says: `${String(after())}, ${says}`};
      } finally {
        swap.end();
      }
    },
  };
}

export function onceOnly(): UnverifiedCase[] {
  return [true, false].flatMap(isTold => [...THEFTS.map(theft => sceneOf(theft, isTold)), takenBack(isTold)]);
}
