import {atom, computed, type ReadableAtom} from 'nanostores';
import {depositBy} from '../domain/asset.js';
import {CONNECT, ENTER_REFUND, isProblem, readDraft, type Draft, type Problem} from '../domain/draft.js';
import {deedOf} from '../domain/form/deed.js';
import {accept, NOTHING_KNOWN, type Form, type FormFact, type FormPage} from '../domain/form/form.js';
import type {QuoteRequest} from '../domain/quote.js';
import {idle} from '../domain/remote.js';
import type {FormState, SwapSession} from './types.js';

/** What a form shows and does, with or without a session. */
export type FormParts = Pick<SwapSession, '$form' | 'edit' | 'flip'>;

/** The form until its session has come, which takes it over with what was typed. Nothing is requested before. */
export interface FormDraft extends FormParts {
  /** What the form knows. Only `accept` changes it. */
  readonly $facts: ReadableAtom<Form>;
  accept(fact: FormFact): void;
  /** Takes the part of the page's settings that is read first. */
  preview(settings: FormPage): void;
}

/** `touched` is called once the visitor has changed it, while there is no session. */
export function createDraft(touched?: () => void): FormDraft {
  const $facts = atom<Form>(NOTHING_KNOWN);
  const take = (fact: FormFact) => {
    $facts.set(accept($facts.get(), fact));
  };
  const takeFirst = (fact: FormFact) => {
    take(fact);
    touched?.();
  };
  return {
    $facts,
    $form: computed($facts, earlyForm),
    accept: take,
    edit: change => takeFirst({about: 'typed', change}),
    flip: () => takeFirst({about: 'turned'}),
    preview: page => take({about: 'page', page, fills: 'untyped'}),
  };
}

/** What a draft requests, or why it does not, before the settings are read whole. Partners' fees are read later. */
export function earlyForm({draft, page}: Form): FormState {
  const request: QuoteRequest | Problem = page
    ? readDraft(draft, page.catalogue, () => [])
    : {code: 'choose-from', field: 'from', remedy: 'press'};
  const problem = isProblem(request) ? request : uncheckedProblem(request, draft);
  return {draft, page, request, problem, deed: deedOf({problem, quote: idle}), quote: idle, limits: {}};
}

function uncheckedProblem({from: {chain}}: QuoteRequest, {recipient, refundAddress}: Draft): Problem {
  const byTransfer = depositBy(chain) === 'transfer';
  const field = byTransfer && refundAddress.trim() ? 'refundAddress' : recipient.trim() ? 'recipient' : undefined;
  if (field) return {code: 'checking-address', field, remedy: 'wait'};
  return byTransfer ? ENTER_REFUND : CONNECT;
}
