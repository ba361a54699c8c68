import {batch, computed, type ReadableAtom} from 'nanostores';
import {depositBy} from '../domain/asset.js';
import {
  CONNECT,
  ENTER_REFUND,
  isProblem,
  OFFLINE,
  readDraft,
  totalBps,
  type Draft,
  type Problem,
} from '../domain/draft.js';
import {accept, isTouched, type FormFact} from '../domain/form/form.js';
import type {QuoteRequest} from '../domain/quote.js';
import type {DraftKeeper, Stores} from './shared.js';
import type {Accounts} from './types.js';

/**
 * The form's facts, what they mean, and the actions on them. Until the code that reads them is loaded, the draft alone
 * is read.
 */
export function createForm(stores: Stores, $online: ReadableAtom<boolean>, keeper: () => DraftKeeper) {
  const {$facts, $draft, $form, $config, $accounts, $view, $read} = stores;
  const $request = computed([$draft, $form, $config], (draft, form, config): QuoteRequest | Problem =>
    form
      ? readDraft(draft, form.catalogue, totalBps(config?.affiliateFees ?? []))
      : {code: 'choose-from', field: 'from', remedy: 'press'},
  );
  const $early = computed(
    [$request, $draft, $accounts, $online, $view],
    (request, draft, accounts, online, view): Problem | undefined => {
      if (!online && view === 'form' && (!isProblem(request) || request.target)) return OFFLINE;
      return isProblem(request) ? request : uncheckedProblem(request, draft, accounts);
    },
  );

  return {
    $request,
    $problem: computed([$read, $early], (story, early) => (story ? story.problem : early)),

    /** Takes something that somebody said about the form. */
    accept(fact: FormFact) {
      const before = $facts.get();
      const form = accept(before, fact);
      const isOther = form.draft !== before.draft;
      const isTyped = fact.about !== 'page';
      batch(() => {
        $facts.set(form);
        if (isOther && isTyped) keeper().draftChanged?.();
      });
      if (isTyped ? isOther : isTouched(form)) keeper().noteDraft?.();
    },
  };
}

/** Why a draft cannot be reviewed yet, before addresses can be read. */
function uncheckedProblem({from: {chain}}: QuoteRequest, draft: Draft, accounts: Accounts): Problem {
  const byTransfer = depositBy(chain) === 'transfer';
  if (byTransfer && draft.refundAddress.trim())
    return {code: 'checking-address', field: 'refundAddress', remedy: 'wait'};
  if (draft.recipient.trim() || accounts[chain.family])
    return {code: 'checking-address', field: 'recipient', remedy: 'wait'};
  return byTransfer ? ENTER_REFUND : CONNECT;
}
