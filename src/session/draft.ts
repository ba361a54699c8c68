import {batch, computed, type ReadableAtom} from 'nanostores';
import {withPoint} from '../domain/amount.js';
import {depositBy} from '../domain/asset.js';
import {
  canTurn,
  CONNECT,
  ENTER_REFUND,
  isProblem,
  partnerOf,
  readDraft,
  totalBps,
  type Draft,
  type Problem,
} from '../domain/draft.js';
import type {QuoteRequest} from '../domain/quote.js';
import {EMPTY, type DraftKeeper, type Stores} from './shared.js';
import type {Accounts, FormSettings} from './types.js';

export const FIELDS = Object.keys(EMPTY) as readonly (keyof Draft)[];
const SIDES = ['from', 'to'] as const;
const AMOUNTS = ['amount', 'receive'] as const;

/** A draft under construction. */
type NewDraft = {-readonly [Field in keyof Draft]: Draft[Field]};

function computeProblem(
  $request: ReadableAtom<QuoteRequest | Problem>,
  stores: Stores,
  $online: ReadableAtom<boolean>,
) {
  const {$view, $draft, $accounts, $config, $rules, $families, $confirmed, $contracts, $name, $priceProblem} = stores;
  return computed(
    [
      $request,
      $draft,
      $accounts,
      $config,
      $rules,
      $families,
      $confirmed,
      $contracts,
      $name,
      $priceProblem,
      $online,
      $view,
    ],
    (
      request,
      draft,
      accounts,
      config,
      rules,
      loaded,
      confirmed,
      contracts,
      name,
      ofPrice,
      online,
      view,
    ): Problem | undefined => {
      if (!online && view === 'form' && (!isProblem(request) || request.target))
        return {code: 'offline', field: 'amount', remedy: 'wait'};
      if (rules && config)
        return rules.problemOf(request, ofPrice, draft, {...config, accounts, loaded, confirmed, contracts, name});
      if (ofPrice && !ofPrice.cost) return ofPrice;
      return isProblem(request) ? request : uncheckedProblem(request, draft, accounts);
    },
  );
}

/** Why a draft cannot be reviewed yet, before the address rules are loaded. */
function uncheckedProblem({from: {chain}}: QuoteRequest, draft: Draft, accounts: Accounts): Problem {
  const byTransfer = depositBy(chain) === 'transfer';
  if (byTransfer && draft.refundAddress.trim())
    return {code: 'checking-address', field: 'refundAddress', remedy: 'wait'};
  if (draft.recipient.trim() || accounts[chain.family])
    return {code: 'checking-address', field: 'recipient', remedy: 'wait'};
  return byTransfer ? ENTER_REFUND : CONNECT;
}

/** The draft, its request, its problem, and the actions on it. The code that stores it is loaded later. */
export function createDraft(stores: Stores, $online: ReadableAtom<boolean>, keeper: () => DraftKeeper) {
  const {$draft, $form, $config, $chosen, $confirmed, $rules, $fitted} = stores;
  const $request = computed([$draft, $form, $config], (draft, form, config): QuoteRequest | Problem =>
    form
      ? readDraft(draft, form.catalogue, totalBps(config?.affiliateFees ?? []))
      : {code: 'choose-from', field: 'from', remedy: 'press'},
  );
  /** The only place that sets the draft: locked fields keep the page's values, and text is read as it was meant. */
  const set = (draft: Draft) => {
    const before = $draft.get();
    const {prefill, locked = [], catalogue} = $form.get() ?? {};
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
    if (catalogue) next = {...($rules.get()?.tidyDraft(next, catalogue) ?? next)};
    // The field shows how text is read.
    next.amount = withPoint(next.amount);
    if (FIELDS.some(field => next[field] !== before[field])) $draft.set(next);
  };

  const edit = (change: Partial<Draft>) => {
    const before = $draft.get();
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
    batch(() => {
      set(draft);
      if ($draft.get() !== before) keeper().draftChanged?.();
    });
    const now = $draft.get();
    if (now === before) return;
    if (now.from !== before.from || now.to !== before.to) {
      $chosen.set(undefined);
      $confirmed.set({});
    }
    keeper().noteDraft?.();
  };

  return {
    $request,
    $problem: computeProblem($request, stores, $online),
    edit,

    /** Swaps the two sides, if each is offered on the other: a minimum becomes the amount, and the recipient is dropped. */
    flip() {
      const {from, to, receive} = $draft.get();
      if (!canTurn($draft.get(), $form.get()?.catalogue)) return;
      edit({from: to, to: from, recipient: '', ...(receive && {amount: receive})});
    },

    /**
     * Fits the draft to new settings. `fills`: every field that the visitor has not touched is filled in, from the last
     * visit or by the page.
     */
    fit({catalogue, prefill}: FormSettings, fills: boolean) {
      const {assets, find} = catalogue;
      const [before, fitted] = [$draft.get(), $fitted.get()];
      const touched = FIELDS.filter(field => before[field] !== fitted[field]);
      // Values for another pair do not apply to this one.
      const isOtherPair = SIDES.some(side => touched.includes(side));
      const filled = (!isOtherPair && keeper().restoredDraft?.(prefill)) || prefill;
      // Typing one of the two amounts counts for both.
      const typed = touched.some(field => field === 'amount' || field === 'receive') ? AMOUNTS : [];
      const own = pick(before, [...touched, ...typed]);
      const draft: NewDraft = {...before, ...(fills && {...filled, ...own})};
      for (const side of SIDES) if (!find(draft[side], side)) draft[side] = '';
      if (!draft.from && !draft.to) {
        const from = assets.find(asset => find(asset.id, 'from') && partnerOf(asset, catalogue, 'to'));
        draft.from = from?.id ?? '';
        draft.to = (from && partnerOf(from, catalogue, 'to')?.id) ?? '';
      }
      set(draft);
      $fitted.set({...$draft.get(), ...pick(fitted, touched)});
      if (touched.length) keeper().noteDraft?.();
    },
  };
}

function pick(draft: Draft, fields: readonly (keyof Draft)[]): Partial<Draft> {
  return Object.fromEntries(fields.map(field => [field, draft[field]]));
}
