/**
 * A contract of a thief's own, to which a person said yes: the agreed amount can be lost there, once, and nothing more,
 * whatever the contract and the service say afterwards. Each scene has a control without the theft.
 */
import {readable, assetOf, atContract, contractsOf} from './facts.js';
import {beginHostile} from './judge.js';
import {refusal, both, type Lie} from './man.js';
import {demand, reads, AGREED} from './scenes.js';
import {allowanceOf, copyOf, deny, pull} from './thief.js';
import {insist, openAgain, place, serviceIn, type UnverifiedCase} from './unverified.js';
import {isAct, type NodeSwap, type WalletCall} from '../support/node-session.js';
import {fundingIn, shownIn} from '../support/shown.js';

/** The stage: a swap, the thief's contract, and the token that it is paid with. */
interface Stage {
  readonly swap: NodeSwap;
  readonly contract: string;
  readonly token: string;
}

interface Theft {
  readonly name: string;
  /** The form of the call, and whether the wallet takes approval and payment as one request. */
  readonly call: Lie;
  readonly batches?: boolean;
  /** What happens before the page hears what the wallet did. */
  readonly answered?: (stage: Stage, call: WalletCall) => Promise<void>;
  /** What happens instead of handing a signature to the service. */
  readonly signed?: (stage: Stage) => Promise<void>;
  /** The wallet requests in the end: nothing is asked for twice. */
  readonly asked: readonly string[];
  /** Those of the control. */
  readonly control: readonly string[];
}

const isApproval = ({method, params}: WalletCall) =>
  method === 'eth_sendTransaction' && JSON.stringify(params).includes('0x095ea7b3');
const take = ({swap, token, contract}: Stage) => pull(swap, token, contract);
const denied = ({swap, contract}: Stage) => deny(swap, contract);

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
    name: 'the owner takes the allowance right after it was given, and a call was to follow',
    call: BY_CALL,
    answered: async (stage, call) => (isApproval(call) ? take(stage) : undefined),
    asked: ['approve'],
    control: ['approve', 'send'],
  },
  {
    name: 'a signature is used, and rejected',
    call: {},
    signed: take,
    asked: ['approve', 'sign', 'initiate'],
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
];

/** Presses everything, again after a while, after a reload, and in another tab. */
async function insistOnAll(swap: NodeSwap): Promise<void> {
  await insist(swap);
  const again = async () => {
    await openAgain(swap);
    if (fundingIn(swap.session).unclear) await swap.session.answer(false);
    await insist(swap);
    swap.tab.host.passed += 10 * 60_000;
    await reads(swap, () => false, 500);
    if (fundingIn(swap.session).unclear) await swap.session.answer(false);
    await insist(swap);
  };
  swap.reload();
  await again();
  swap.secondTab();
  await again();
}

const requestsOf = ({session, orderId}: NodeSwap) =>
  session.$journal.get().entries.find(entry => entry.orderId === orderId)?.walletRequests ?? [];

function sceneOf(theft: Theft, isTold: boolean): UnverifiedCase {
  return {
    name: `evm · unverified · ${theft.name}${isTold ? '' : ' · the truth'}`,
    family: 'evm',
    async run(world) {
      const service = await serviceIn(world, 'plain');
      let stage: Stage | undefined;
      let deed = Promise.resolve();
      const {swap, man} = await beginHostile(world, 'evm', {
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
        const contract = await copyOf(swap, contractsOf(service)[swap.options.from] ?? '');
        const token = assetOf(swap)?.token ?? '';
        const own = (stage = {swap, contract, token});
        man.lie = {
          ...both(atContract(contract), theft.call),
          initiate: async () => {
            if (isTold) await theft.signed?.(own);
            return refusal('gasless initiation is not available for this asset');
          },
        };
        await place(swap);
        demand(shownIn(swap.session)?.question, 'it was not asked about');
        const {question} = shownIn(swap.session) ?? {};
        await swap.session.accept(question?.id ?? '');
        const after = () => requestsOf(swap).map(({kind}) => kind);
        const first = after();
        if (!isTold) {
          demand(String(first) === String(theft.control), `the wallet was asked for ${String(first)}`);
          return {isGood: true, says: String(first)};
        }
        await insistOnAll(swap);
        const {paid} = await swap.moved();
        const left = await allowanceOf(swap, token, contract);
        demand(paid + left === AGREED.evm, `${String(paid)} left, and ${String(left)} may still be taken`);
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

/** Each theft, and its control. */
export function onceOnly(): UnverifiedCase[] {
  return THEFTS.flatMap(theft => [sceneOf(theft, true), sceneOf(theft, false)]);
}
