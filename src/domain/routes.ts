import type {Asset, Catalogue, PagePairs, PairRule} from './asset.js';

/*
 * Which pairs can be swapped, as far as somebody says: the page (`pairs`), the service's lists, which the specification
 * does not have, and its refusals. If nobody says anything, every pair can.
 */

/** The service's rules. The first that says something of a pair decides: groups, exceptions, bars, and what is left. */
export interface RoutePolicy {
  readonly isOpen: boolean;
  /** Their assets are only swapped with each other. */
  readonly groups: readonly PairRule[];
  readonly allowed: readonly PairRule[];
  readonly barred: readonly PairRule[];
}

/** What a service says of all its assets and pairs. */
export interface Offered {
  /** The ids of its assets, in lower case. */
  readonly listed?: ReadonlySet<string> | undefined;
  readonly policy?: RoutePolicy | undefined;
}

/** The same, and the pairs that it refused, each as `routeKey`. */
export interface Routes extends Offered {
  readonly refused?: ReadonlySet<string>;
}

const RULE = /^([^\s<>]+?)\s*(<->|-?>)\s*([^\s<>]+)$/;

/** The directions that a rule such as `bitcoin:btc > base:*` or `a <-> b` names; `undefined` for other text. */
export function rulesOf(text: string, idOf = (id: string) => id): readonly PairRule[] | undefined {
  const [, one = '', arrow, other = ''] = RULE.exec(text.trim()) ?? [];
  if (!arrow) return undefined;
  const [from, to] = [idOf(one).toLowerCase(), idOf(other).toLowerCase()];
  return [{from, to}, ...(arrow === '<->' ? [{from: to, to: from}] : [])];
}

export function isMeant(pattern: string, id: string): boolean {
  const [chain, name = chain] = pattern.toLowerCase().split(':');
  const [itsChain, itsName] = id.toLowerCase().split(':');
  return (chain === '*' || chain === itsChain) && (name === '*' || name === itsName);
}

export function pairsOf(rules: readonly PairRule[]): PagePairs {
  return {
    rules,
    has: (from, to) => rules.some(rule => isMeant(rule.from, from) && isMeant(rule.to, to)),
  };
}

export function patternsOf({rules = []}: Partial<PagePairs> = {}): readonly string[] {
  return [...new Set(rules.flatMap(({from, to}) => [from, to]))];
}

type Side = 'from' | 'to';
const OTHER = {from: 'to', to: 'from'} as const;

/** Whether what is on this side of a swap can be swapped with another asset, by that one's id. */
export function routesOf(
  id: string,
  side: Side,
  {pairs}: Pick<Catalogue, 'pairs'>,
  {listed, policy, refused}: Routes = {},
): (other: string) => boolean {
  const {groups = [], allowed = [], barred = [], isOpen = true} = policy ?? {};
  const beside = (rules: readonly PairRule[]) => {
    const patterns = rules.filter(rule => isMeant(rule[side], id)).map(rule => rule[OTHER[side]]);
    return (other: string) => patterns.some(pattern => isMeant(pattern, other));
  };
  const [isMate, isAllowed, isBarred] = [beside(groups), beside(allowed), beside(barred)];
  const isGrouped = (one: string) => groups.some(rule => isMeant(rule.from, one) || isMeant(rule.to, one));
  const isListed = (one: string) => listed?.has(one.toLowerCase()) ?? true;
  const [isKnown, isApart] = [isListed(id), isGrouped(id)];
  return other => {
    const pair = side === 'from' ? ([id, other] as const) : ([other, id] as const);
    if (pairs?.has(...pair) === false || refused?.has(routeKey(...pair))) return false;
    if (!isKnown || !isListed(other)) return false;
    if (isApart || isGrouped(other)) return isMate(other);
    return isAllowed(other) || (!isBarred(other) && isOpen);
  };
}

export function hasRoute(from: string, to: string, catalogue: Pick<Catalogue, 'pairs'>, routes?: Routes): boolean {
  return routesOf(from, 'from', catalogue, routes)(to);
}

export function routeKey(from: string, to: string): string {
  return `${from} ${to}`.toLowerCase();
}

/**
 * What a service says, as far as it can be true: a list that has hardly anything of what is offered here, or lacks what
 * the page names, hides nothing, and rules that bar the page's own pair bar nothing.
 */
export function plausible(
  {listed, policy}: Offered,
  {assets, pairs}: Pick<Catalogue, 'assets' | 'pairs'>,
  {from = '', to = ''}: {readonly from?: string; readonly to?: string},
): Offered {
  const has = (id: string) => !id || listed?.has(id.toLowerCase());
  const named = patternsOf(pairs).filter(pattern => !pattern.includes('*'));
  const isList = [from, to, ...named].every(has) && assets.filter(({id}) => has(id)).length > 1;
  const isPolicy = !from || !to || hasRoute(from, to, {}, {policy});
  return {listed: isList ? listed : undefined, policy: isPolicy ? policy : undefined};
}

/** A pair to swap instead of one without a route: with one of its assets, and the most similar one beside it. */
export function otherRoute(
  pair: Record<Side, Asset>,
  catalogue: Pick<Catalogue, 'assets' | 'find' | 'pairs'>,
  routes: Routes | undefined,
  locked: readonly string[],
): Record<Side, Asset> | undefined {
  for (const side of ['to', 'from'] as const) {
    if (locked.includes(side)) continue;
    const kept = pair[OTHER[side]];
    const can = routesOf(kept.id, OTHER[side], catalogue, routes);
    const open = catalogue.assets.filter(({id}) => id !== kept.id && catalogue.find(id, side) && can(id));
    const next = open.find(({symbol}) => symbol === pair[side].symbol) ?? open[0];
    if (next) return {...pair, [side]: next};
  }
  return undefined;
}
