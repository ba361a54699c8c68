/**
 * A service of the specification alone that lies, and a person who says yes to whatever is asked: what always stops is
 * never payable, by no setting, answer, reload or other tab. Each way has a control, in which the service tells the truth
 * and is paid.
 */
import type {Kind} from '../../demo/minimal-service/legs.js';
import type {MinimalService} from '../../demo/minimal-service/service.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import type {NodeSwap, NodeWorld} from '../support/node-session.js';
import {shownIn} from '../support/shown.js';
import {FACTS, type Fact, type Told} from './facts.js';
import {beginHostile, compare, FAMILIES, holdings, holds, type Verdict} from './judge.js';
import type {Man} from './man.js';

/** The minimal services of a world, each started once. */
const services = new WeakMap<NodeWorld, Map<Kind, Promise<MinimalService>>>();

export function serviceIn(world: NodeWorld, kind: Kind): Promise<MinimalService> {
  const started = services.get(world) ?? new Map<Kind, Promise<MinimalService>>();
  services.set(world, started);
  const service = started.get(kind) ?? world.minimal(kind);
  started.set(kind, service);
  return service;
}

/** A swap at a minimal service, with a man in the middle who does not lie yet. */
export interface Scene {
  readonly swap: NodeSwap;
  readonly man: Man;
  /** While the owner refuses, the wallet signs and sends nothing. */
  readonly owner: {refuses: boolean};
  /** From now on he lies. */
  lie(): void;
}

/** How a person comes to a lie, and what they have said yes to before. */
interface Way {
  readonly name: string;
  readonly isVouched?: boolean;
  /** It was answered before the lie, which only an order as read can tell then. */
  readonly isAnswered?: boolean;
  reach(scene: Scene): Promise<void>;
}

const isAsked = ({session}: NodeSwap) => shownIn(session)?.question !== undefined;

/** Says yes to what is asked, and presses every button that pays. */
export async function insist(swap: NodeSwap): Promise<void> {
  const {session, payer} = swap;
  for (let round = 0; round < 2; round++) {
    const {question} = shownIn(session) ?? {};
    if (question) await session.accept(question.id);
    if ('bumpFee' in payer) {
      if (swap.shownAddress && !swap.sent) await swap.pay();
    } else for (const way of [undefined, 'transaction', 'signature'] as const) await session.pay(way);
  }
}

/** Places an order, and waits until it was checked. */
export async function place(swap: NodeSwap): Promise<void> {
  await swap.place();
  await holds(() => shownIn(swap.session)?.report, 3_000);
}

export async function openAgain(swap: NodeSwap): Promise<void> {
  swap.session.openOrder(swap.orderId);
  if (!('bumpFee' in swap.payer)) await swap.connect();
  await holds(() => shownIn(swap.session)?.report, 3_000);
}

/** The lie is there from the start. */
async function placeWithLie({swap, lie}: Scene): Promise<void> {
  lie();
  await place(swap);
}

const WAYS: readonly Way[] = [
  {name: 'asked about', reach: placeWithLie},
  {name: 'vouched for', isVouched: true, reach: placeWithLie},
  {
    name: 'after a yes to another order',
    async reach({swap, owner, lie}) {
      owner.refuses = true;
      await place(swap);
      const {question} = shownIn(swap.session) ?? {};
      if (!question) throw new Error('the other order was not asked about');
      await swap.session.accept(question.id);
      owner.refuses = false;
      swap.session.reset();
      lie();
      await place(swap);
      await swap.session.accept(question.id);
    },
  },
  {
    name: 'after its own yes, and another answer',
    isAnswered: true,
    async reach({swap, owner, lie}) {
      owner.refuses = true;
      await place(swap);
      await swap.session.accept(shownIn(swap.session)?.question?.id ?? '');
      owner.refuses = false;
      lie();
      await swap.session.pay();
    },
  },
  {
    name: 'after a reload',
    async reach(scene) {
      await placeWithLie(scene);
      scene.swap.reload();
      await openAgain(scene.swap);
    },
  },
  {
    name: 'in another tab',
    async reach(scene) {
      await placeWithLie(scene);
      scene.swap.secondTab();
      await openAgain(scene.swap);
    },
  },
];

/** One lie told on one way, or none: the control. */
export interface UnverifiedCase {
  readonly name: string;
  readonly family: ChainFamily;
  run(world: NodeWorld): Promise<{readonly isGood: boolean; readonly says: string}>;
}

function caseOf(family: ChainFamily, way: Way, fact?: Fact): UnverifiedCase {
  // Of Solana's plain service nothing can be vouched for.
  const isOwn = family === 'solana' && way.isVouched;
  const {kind = isOwn ? 'own' : 'plain', policy, lie = {}, check} = fact ?? {};
  return {
    name: `${family} · unverified · ${way.name} · ${fact ? `${fact.check}: ${fact.name}` : 'the truth'}`,
    family,
    async run(world) {
      const service = await serviceIn(world, kind);
      const owner = {refuses: false};
      const {swap, man} = await beginHostile(world, family, {
        service: service.url,
        ...(way.isVouched && {contracts: service.contracts}),
        ...(policy && {policy}),
        answers: ({kind: asked}) => asked === 'connect' || !owner.refuses,
      });
      try {
        const told: Told = {swap, service};
        const change = typeof lie === 'function' ? await lie(told) : lie;
        const before = await holdings(swap);
        await way.reach({swap, man, owner, lie: () => (man.lie = change)});
        const wasAsked = isAsked(swap);
        const {report} = shownIn(swap.session) ?? {};
        await insist(swap);
        const verdict = await compare(swap, man, before, swap.stage);
        if (!fact) return {isGood: verdict.outcome === 'same', says: said(verdict)};
        const failed = (report?.results ?? []).filter(({outcome}) => outcome === 'failed').map(({name}) => name);
        // An address that was the right one when it was shown may be paid all the same.
        if (way.isAnswered && swap.sent) return {isGood: verdict.outcome === 'same', says: said(verdict)};
        const isStopped = verdict.outcome === 'stopped' && failed.some(name => name === check);
        return {
          isGood: !wasAsked && isStopped,
          says: `${wasAsked ? 'asked about, ' : ''}${said(verdict)} by ${failed.join(', ') || 'nothing'}`,
        };
      } finally {
        swap.end();
      }
    },
  };
}

const said = ({outcome, says}: Verdict) => `${outcome}: ${says}`;

/** Where a site can vouch for something: not for a script, nor for a transfer. */
const canVouch = (family: ChainFamily, kind: Kind) =>
  family === 'evm' || family === 'starknet' || (family === 'solana' && kind === 'own');

/** All of them: each lie on each way, and each way with the truth. */
export function unverified(): UnverifiedCase[] {
  return FAMILIES.flatMap(family =>
    WAYS.filter(({isVouched}) => !isVouched || family !== 'bitcoin').flatMap(way => {
      const facts = FACTS[family].filter(({kind = 'plain', policy, lie}) => {
        // A site that names redeemers stops the other order, too.
        if (policy && way.name === 'after a yes to another order') return false;
        if (way.isAnswered && (typeof lie === 'function' || !lie.read || lie.order)) return false;
        return way.isVouched ? canVouch(family, kind) : kind === 'plain';
      });
      return [caseOf(family, way), ...facts.map(fact => caseOf(family, way, fact))];
    }),
  );
}
