import {computed} from 'nanostores';
import {
  addressProblem,
  contractKey,
  contractLookup,
  ownerOf,
  recipientOf,
  tidyDraft,
  type AddressContext,
} from '../domain/address.js';
import {depositBy, type Chain} from '../domain/asset.js';
import {isProblem, type Draft, type Problem} from '../domain/draft.js';
import type {QuoteRequest} from '../domain/quote.js';
import type {AddressRules, SessionCore} from './shared.js';

/** Loaded with the first address, or the first text that is no plain amount. */
export function createAddresses(core: SessionCore): AddressRules {
  const {$draft, $config, $accounts, $confirmed, $rules, adapter, config, edit} = core;
  const rules: AddressRules = {
    tidyDraft,
    problemOf,
    ownerOf,
    recipientOf,

    confirm(field) {
      if (field === 'cost') {
        const cost = core.$problem.get()?.cost;
        if (cost) $confirmed.set({...$confirmed.get(), cost: cost.bps});
        return;
      }
      const address = field === 'recipient' ? recipientOf : ownerOf;
      const text = address($draft.get(), $accounts.get(), config().catalogue);
      $confirmed.set({...$confirmed.get(), [field]: text});
    },

    loadFamilies() {
      const {from, to, recipient, refundAddress} = $draft.get();
      const accounts = $accounts.get();
      const sides = [
        [from, refundAddress],
        [to, recipient],
      ] as const;
      return Promise.all(
        sides.map(async ([asset, text]) => {
          const family = $config.get()?.catalogue.find(asset)?.chain.family;
          if (family && (text.trim() || accounts[family])) await adapter(family);
        }),
      );
    },
  };
  $rules.set(rules);
  // What was typed before is read by these rules too.
  edit({});
  lookForContracts(core);
  return rules;
}

function problemOf(request: QuoteRequest, draft: Draft, context: AddressContext): Problem | undefined {
  const {catalogue, accounts, loaded} = context;
  const wrong = addressProblem(request, draft, context);
  if (wrong) return wrong;
  const byTransfer = depositBy(request.from.chain) === 'transfer';
  const owner = ownerOf(draft, accounts, catalogue);
  const recipient = recipientOf(draft, accounts, catalogue);
  if (!owner)
    return byTransfer
      ? {code: 'enter-refund', field: 'refundAddress', remedy: 'type'}
      : {code: 'connect', field: 'account', remedy: 'press'};
  if (!recipient) return {code: 'enter-recipient', field: 'recipient', remedy: 'type'};
  // A wallet may be on another network than the page, with an address that means nothing here.
  const isForeign = (chain: Chain, address: string) => loaded[chain.family]?.isAddress(chain, address) === false;
  if (isForeign(request.from.chain, owner)) {
    return {code: 'not-an-address', field: byTransfer ? 'refundAddress' : 'account', remedy: 'correct'};
  }
  return isForeign(request.to.chain, recipient)
    ? {code: 'not-an-address', field: 'recipient', remedy: 'correct'}
    : undefined;
}

/**
 * Asks chains whether the address that money would go to is a contract, where that may be another thing than it seems.
 * Asked once for each address, and again where the chain could not tell.
 */
function lookForContracts({$request, $draft, $accounts, $families, $contracts}: SessionCore): void {
  let asked = '';
  const $lookup = computed([$request, $draft, $accounts, $families], (request, draft, accounts, loaded) =>
    isProblem(request) ? undefined : contractLookup(request, draft, {accounts, loaded}),
  );

  $lookup.subscribe(lookup => {
    const key = lookup ? contractKey(lookup) : '';
    if (key === asked) return;
    asked = key;
    if (!lookup || $contracts.get()[key] !== undefined) return;
    const {chain, address} = lookup;
    const note = (isContract: boolean | undefined) => {
      $contracts.set({...$contracts.get(), [key]: isContract});
    };
    const {[chain.family]: family} = $families.get();
    const account = $accounts.get()[chain.family];
    if (family?.isContract) family.isContract(chain, address, {account}).then(note, () => note(undefined));
    else note(undefined);
  });
}
