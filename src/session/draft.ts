import {atom, computed, type ReadableAtom} from 'nanostores';
import {depositBy} from '../domain/asset.js';
import {CONNECT, ENTER_REFUND, isProblem, readDraft, type Draft, type Problem} from '../domain/draft.js';
import {deedOf} from '../domain/form/deed.js';
import {accept, NOTHING_KNOWN, type Form, type FormFact} from '../domain/form/form.js';
import type {QuoteRequest} from '../domain/quote.js';
import {idle} from '../domain/remote.js';
import type {FormSettings, PriceState, SwapSession} from './types.js';

/** What a form shows and does, with or without a session. */
export type FormParts = Pick<SwapSession, '$form' | '$draft' | '$price' | 'edit' | 'flip'>;

/** The form until its session has come, which takes it over with what was typed. Nothing is requested before. */
export interface FormDraft extends FormParts {
  /** What the form knows. Only `accept` changes it. */
  readonly $facts: ReadableAtom<Form>;
  accept(fact: FormFact): void;
  /** Takes the part of the page's settings that is read first. */
  preview(settings: FormSettings): void;
}

export function createDraft(): FormDraft {
  const $facts = atom<Form>(NOTHING_KNOWN);
  const $form = atom<FormSettings | undefined>();
  const $draft = computed($facts, ({draft}) => draft);
  const take = (fact: FormFact) => {
    $facts.set(accept($facts.get(), fact));
  };
  return {
    $facts,
    $form,
    $draft,
    $price: computed([$draft, $form], (draft, form): PriceState => {
      const request = requestOf(draft, form);
      const problem = isProblem(request) ? request : uncheckedProblem(request, draft);
      return {request, problem, deed: deedOf({problem, quote: idle}), quote: idle, limits: {}};
    }),
    accept: take,
    edit: change => take({about: 'typed', change}),
    flip: () => take({about: 'turned'}),
    preview(settings) {
      $form.set(settings);
      take({about: 'page', page: settings, fills: 'untyped'});
    },
  };
}

/** What a draft requests, or why it does not. Partners' fees are read later. */
function requestOf(draft: Draft, form: FormSettings | undefined): QuoteRequest | Problem {
  return form ? readDraft(draft, form.catalogue, () => []) : {code: 'choose-from', field: 'from', remedy: 'press'};
}

function uncheckedProblem({from: {chain}}: QuoteRequest, {recipient, refundAddress}: Draft): Problem {
  const byTransfer = depositBy(chain) === 'transfer';
  const field = byTransfer && refundAddress.trim() ? 'refundAddress' : recipient.trim() ? 'recipient' : undefined;
  if (field) return {code: 'checking-address', field, remedy: 'wait'};
  return byTransfer ? ENTER_REFUND : CONNECT;
}
