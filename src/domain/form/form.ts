import {withPoint} from '../amount.js';
import type {Asked} from '../asked.js';
import type {AddressContext, ContractsByAddress, RecipientName} from '../address.js';
import type {FeeRule} from '../affiliate-fee.js';
import type {Catalogue} from '../asset.js';
import type {Agreement} from '../deposit.js';
import type {LimitsByAsset, Quotes} from '../quote.js';
import type {Remote} from '../remote.js';
import type {Routes} from '../routes.js';
import {canTurn, EMPTY, FIELDS, partnersOf, type AddressName, type Draft, type LockedField} from '../draft.js';

/*
 * What is known while somebody fills in the form, and who said it. Only `accept` changes it; `story.ts` reads it. A yes,
 * and what a chain said of an address, are kept under what they are about: those of another draft are only not found.
 */
export interface Form {
  readonly page?: FormPage;
  readonly draft: Draft;
  /** The draft as the page or the last visit filled it in. What differs was typed. */
  readonly filled: Draft;
  /** Reads text as it was meant, once that code is loaded. */
  readonly tidy?: Tidy;
  /** What the visitor said yes to, by `yesKey`: for a cost, how much of it, in basis points, below zero for a gain. */
  readonly yes: Readonly<Record<string, number>>;
  /** The solver that the visitor chose instead of the best. Another pair has its own best. */
  readonly solverId?: string | undefined;
  /** What the review showed when it was opened, or what the visitor has agreed to since. */
  readonly floor?: Agreement | undefined;
  readonly contracts: ContractsByAddress;
  readonly name?: RecipientName | undefined;
}

export interface FormContext {
  /** What the page sets, whole. */
  readonly page: FormPage & {
    readonly affiliateFees: FeeRule;
    /** How far the price may fall between review and order, in basis points. */
    readonly priceTolerance: number;
    readonly maxCostBps?: number | undefined;
  };
  /** Whether the form is shown: in a review the floor stands for the price, so that it does not close while it is read. */
  readonly isShown: boolean;
  readonly isOnline: boolean;
  readonly accounts: AddressContext['accounts'];
  readonly loaded: AddressContext['loaded'];
  readonly quote: Remote<Quotes>;
  readonly limits: LimitsByAsset;
  /** What is known of the service's pairs; absent: nothing. */
  readonly routes?: Routes | undefined;
  /** The paying account's balance, and the part that is reserved for the network fee. */
  readonly balance: bigint | undefined;
  readonly reserve: bigint;
  readonly lookalikes?: Partial<Readonly<Record<AddressName, string>>> | undefined;
}

/** The settings that the form is rendered from. */
export interface FormPage {
  readonly catalogue: Catalogue;
  /** The page's presets. The visitor's own draft survives a reload as long as these stay the same. */
  readonly prefill: Partial<Draft>;
  /** The presets from the page's URL: whoever wrote the link, it was not the page. */
  readonly linked?: Partial<Draft>;
  /** The payment that the page requests. Its minimum is enforced by `prefill.receive`, which has the same value. */
  readonly asked?: Asked;
  /** The fields that always keep the page's values: typing, swapping, clearing and restoring do not change them. */
  readonly locked?: readonly LockedField[];
  /** Whether the partner has paused new swaps. */
  readonly paused: boolean;
  /** The currency of values (ISO 4217); US dollars by default. */
  readonly currency?: string | undefined;
}

type Tidy = (draft: Draft, catalogue: Catalogue, locked?: readonly LockedField[]) => Draft;

export type FormFact =
  /** What the page sets. It fills every field, those that nobody typed in, or none; `left`: the last visit's draft. */
  | {
      readonly about: 'page';
      readonly page: FormPage;
      readonly fills: 'all' | 'untyped' | 'none';
      readonly left?: Partial<Draft> | undefined;
    }
  | {readonly about: 'typed'; readonly change: Partial<Draft>}
  /** The visitor turned the pair round: a minimum becomes the amount, and the recipient is dropped. */
  | {readonly about: 'turned'}
  | {readonly about: 'tidy'; readonly tidy: Tidy}
  | {readonly about: 'yes'; readonly to: string; readonly bps?: number}
  /** Without a solver: the best one again. */
  | {readonly about: 'solver'; readonly solverId?: string}
  | {readonly about: 'floor'; readonly floor?: Agreement}
  | {readonly about: 'contract'; readonly key: string; readonly isContract: boolean | undefined}
  | {readonly about: 'name'; readonly name?: RecipientName};

export const NOTHING_KNOWN: Form = {draft: EMPTY, filled: EMPTY, yes: {}, contracts: {}};

const SIDES = ['from', 'to'] as const;
const AMOUNTS = ['amount', 'receive'] as const;

/** What is known after a fact. The draft stays the same object as long as it says the same. */
export function accept(form: Form, fact: FormFact): Form {
  switch (fact.about) {
    case 'page':
      return fit({...form, page: fact.page}, fact);
    case 'typed':
      return type(form, fact.change);
    case 'turned': {
      const {from, to, receive} = form.draft;
      if (!canTurn(form.draft, form.page?.catalogue)) return form;
      return type(form, {from: to, to: from, recipient: '', ...(receive && {amount: receive})});
    }
    case 'tidy':
      return type({...form, tidy: fact.tidy}, {});
    case 'yes':
      return {...form, yes: {...form.yes, [fact.to]: fact.bps ?? 0}};
    case 'solver':
      return {...form, solverId: fact.solverId};
    case 'floor':
      return {...form, floor: fact.floor};
    case 'contract':
      return {...form, contracts: {...form.contracts, [fact.key]: fact.isContract}};
    case 'name':
      return {...form, name: fact.name};
  }
}

/** What a yes is a yes to: the cost of this pair, or this address for what is paid or received. */
export function yesKey({draft: {from, to}}: Form, ...[what, address]: ['cost', ''?] | [AddressName, string]): string {
  return what === 'cost' ? `${from} ${to}` : `${what} ${what === 'recipient' ? to : from} ${address}`;
}

type NewDraft = {-readonly [Field in keyof Draft]: Draft[Field]};

function type(form: Form, change: Partial<Draft>): Form {
  const before = form.draft;
  const draft: NewDraft = {...before, ...change};
  // Choosing the other side's asset swaps the two.
  if (draft.from === draft.to && draft.from) {
    if (change.from !== undefined) draft.to = before.from;
    else draft.from = before.to;
  }
  // One of the two amounts follows from the other.
  if (change.amount !== undefined) draft.receive = change.receive ?? '';
  else if (change.receive !== undefined || (draft.receive && (draft.from !== before.from || draft.to !== before.to)))
    draft.amount = '';
  const next = withDraft(form, draft);
  const isOtherPair = SIDES.some(side => next.draft[side] !== before[side]);
  return isOtherPair ? {...next, solverId: undefined} : next;
}

function fit(form: Form, {page, fills, left}: Extract<FormFact, {about: 'page'}>): Form {
  const {assets, find} = page.catalogue;
  const before = form.draft;
  const filled = fills === 'all' ? before : form.filled;
  const touched = FIELDS.filter(field => before[field] !== filled[field]);
  // Values for another pair do not apply to this one.
  const isOtherPair = SIDES.some(field => touched.includes(field));
  const values = (!isOtherPair && left) || page.prefill;
  // Typing one of the two amounts counts for both.
  const typed = AMOUNTS.some(field => touched.includes(field)) ? AMOUNTS : [];
  const own = pick(before, [...touched, ...typed]);
  const draft: NewDraft = {...before, ...(fills !== 'none' && {...values, ...own})};
  for (const side of SIDES) if (!find(draft[side], side)) draft[side] = '';
  const isEmpty = !draft.from && !draft.to;
  if (isEmpty)
    draft.from = assets.find(asset => find(asset.id, 'from') && partnersOf(asset, page.catalogue, 'to')[0])?.id ?? '';
  for (const side of SIDES) {
    const given = find(draft[side === 'from' ? 'to' : 'from']);
    const [first, ...others] = given && !draft[side] ? partnersOf(given, page.catalogue, side) : [];
    // What the page leaves open is the visitor's choice, if there is one.
    if (first && (isEmpty || !others[0])) draft[side] = first.id;
  }
  const next = withDraft(form, draft);
  return {...next, filled: {...next.draft, ...pick(filled, touched)}};
}

/** The only place that sets the draft: locked fields keep the page's values, and text is read as it was meant. */
function withDraft(form: Form, draft: Draft): Form {
  const {draft: before, page, tidy} = form;
  const {prefill, locked = [], catalogue} = page ?? {};
  let next: NewDraft = {...draft};
  for (const field of locked)
    if (field !== 'amount' || !prefill?.receive) next = {...next, [field]: prefill?.[field] ?? ''};
  // An asset that is only offered on the other side cannot be used on this one.
  for (const side of SIDES) if (catalogue?.find(next[side]) && !catalogue.find(next[side], side)) next[side] = '';
  // A pair needs two different assets: the side that is not locked keeps its previous one.
  if (next.from && next.from === next.to) {
    const side = locked.includes('from') ? 'to' : 'from';
    next[side] = before[side] === next[side] ? '' : before[side];
  }
  // The amount was found for the previous minimum.
  if (next.receive && next.receive !== before.receive && next.amount === before.amount) next.amount = '';
  if (catalogue && tidy) next = {...tidy(next, catalogue, locked)};
  // The field shows how text is read.
  next.amount = withPoint(next.amount);
  return isTouched({draft: next, filled: before}) ? {...form, draft: next} : form;
}

export function isTouched({draft, filled}: Pick<Form, 'draft' | 'filled'>): boolean {
  return FIELDS.some(field => draft[field] !== filled[field]);
}

function pick(draft: Draft, fields: readonly (keyof Draft)[]): Partial<Draft> {
  return Object.fromEntries(fields.map(field => [field, draft[field]]));
}
