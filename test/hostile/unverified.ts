/**
 * A service of the specification alone that lies, and a person who says yes to whatever is asked: what always stops is
 * never payable, asked about or vouched for. That no answer, reload or other tab changes it is drawn in
 * `session/order/never-payable`. Each way has a control, in which the service tells the truth and is paid.
 */
import type {Kind} from '../../demo/minimal-service/legs.js';
import type {MinimalService} from '../../demo/minimal-service/service.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {holds} from '../support/limits.js';
import type {NodeSwap, NodeWorld} from '../support/node-session.js';
import {shownIn} from '../support/shown.js';
import {FACTS, type Fact, type Told} from './facts.js';
import {beginHostile, compare, FAMILIES, holdings, type Verdict} from './judge.js';

const services = new WeakMap<NodeWorld, Map<Kind, Promise<MinimalService>>>();

export function serviceIn(world: NodeWorld, kind: Kind): Promise<MinimalService> {
  const started = services.get(world) ?? new Map<Kind, Promise<MinimalService>>();
  services.set(world, started);
  const service = started.get(kind) ?? world.minimal(kind);
  started.set(kind, service);
  return service;
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

/** One lie told on one way, or none: the control. */
export interface UnverifiedCase {
  readonly name: string;
  readonly family: ChainFamily;
  run(world: NodeWorld): Promise<{readonly isGood: boolean; readonly says: string}>;
}

function caseOf(family: ChainFamily, isVouched: boolean, fact?: Fact): UnverifiedCase {
  // Of Solana's plain service nothing can be vouched for.
  const isOwn = family === 'solana' && isVouched;
  const {kind = isOwn ? 'own' : 'plain', policy, lie = {}, check} = fact ?? {};
  const way = isVouched ? 'vouched for' : 'asked about';
  return {
    name: `${family} · unverified · ${way} · ${fact ? `${fact.check}: ${fact.name}` : 'the truth'}`,
    family,
    async run(world) {
      const service = await serviceIn(world, kind);
      const {swap, man} = await beginHostile(world, family, {
        service: service.url,
        ...(isVouched && {contracts: service.contracts}),
        ...(policy && {policy}),
      });
      try {
        const told: Told = {swap, service};
        const change = typeof lie === 'function' ? await lie(told) : lie;
        const before = await holdings(swap);
        man.lie = change;
        await place(swap);
        const wasAsked = isAsked(swap);
        const {report} = shownIn(swap.session) ?? {};
        await insist(swap);
        const verdict = await compare(swap, man, before, swap.stage);
        if (!fact) return {isGood: verdict.outcome === 'same', says: said(verdict)};
        const failed = (report?.results ?? []).filter(({outcome}) => outcome === 'failed').map(({name}) => name);
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

/** All of them: each lie, asked about and vouched for, and the truth as a control. */
export function unverified(): UnverifiedCase[] {
  return FAMILIES.flatMap(family =>
    [false, true]
      .filter(isVouched => !isVouched || family !== 'bitcoin')
      .flatMap(isVouched => {
        const facts = FACTS[family].filter(({kind = 'plain'}) =>
          isVouched ? canVouch(family, kind) : kind === 'plain',
        );
        return [caseOf(family, isVouched), ...facts.map(fact => caseOf(family, isVouched, fact))];
      }),
  );
}
