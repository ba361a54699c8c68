import {computed, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {ChainAdapter} from '../chains/adapter.js';
import type {ChainFamily} from '../domain/asset.js';
import {isProblem, type Draft, type Problem} from '../domain/draft.js';
import type {QuoteRequest} from '../domain/quote.js';
import {contractLookup, contractKey, type ContractsByAddress} from '../domain/address.js';
import type {Accounts} from './types.js';

export * as typed from '../domain/address.js';

/**
 * Asks chains whether the address that money would go to is a contract, where that may be another thing than it seems.
 * Loaded with the first address. Asked once for each address, and again where nobody could tell.
 */
export function lookForContracts({
  $request,
  $draft,
  $accounts,
  $loaded,
  $contracts,
}: {
  readonly $request: ReadableAtom<QuoteRequest | Problem>;
  readonly $draft: ReadableAtom<Draft>;
  readonly $accounts: ReadableAtom<Accounts>;
  /** The families whose code is there. */
  readonly $loaded: ReadableAtom<Partial<Record<ChainFamily, ChainAdapter>>>;
  readonly $contracts: WritableAtom<ContractsByAddress>;
}): void {
  let asked = '';
  const $question = computed([$request, $draft, $accounts, $loaded], (request, draft, accounts, loaded) =>
    isProblem(request) ? undefined : contractLookup(request, draft, {accounts, loaded}),
  );

  $question.subscribe(question => {
    const key = question ? contractKey(question) : '';
    if (key === asked) return;
    asked = key;
    if (!question || $contracts.get()[key] !== undefined) return;
    const {chain, address} = question;
    const tell = (isContract: boolean | undefined) => {
      $contracts.set({...$contracts.get(), [key]: isContract});
    };
    const {[chain.family]: family} = $loaded.get();
    const account = $accounts.get()[chain.family];
    if (family?.isContract) family.isContract(chain, address, {account}).then(tell, () => tell(undefined));
    else tell(undefined);
  });
}
