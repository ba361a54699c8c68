import {computed} from 'nanostores';
import {
  addressProblem,
  contractKey,
  contractLookup,
  ownerOf,
  recipientOf,
  tidyDraft,
  typedProblems,
  wrongAddress,
  type AddressContext,
  type TypedProblems,
} from '../domain/address.js';
import {depositBy, type Asset} from '../domain/asset.js';
import {CONNECT, ENTER_REFUND, isProblem, type Draft, type NameReading, type Problem} from '../domain/draft.js';
import type {QuoteRequest} from '../domain/quote.js';
import type {AddressRules, SessionCore} from './shared.js';

/** Loaded with the first address, or the first text that is not a plain amount. */
export function createAddresses(core: SessionCore): AddressRules {
  const {$draft, $config, $accounts, $confirmed, $rules, $name, adapter, config, edit} = core;
  const names = lookForNames(core);
  const rules: AddressRules = {
    tidyDraft: (draft, catalogue) => tidyDraft(draft, catalogue, core.$form.get()?.locked),
    problemOf,
    ownerOf,
    recipientOf,

    confirm(field) {
      if (field === 'cost') {
        const cost = core.$problem.get()?.cost;
        if (cost) $confirmed.set({...$confirmed.get(), cost: cost.bps});
        return;
      }
      // There is no address to confirm yet.
      if ($name.get()?.reading?.fault === 'unread' && field === 'recipient') {
        names.readAgain();
        return;
      }
      const address = field === 'recipient' ? recipientOf : ownerOf;
      const text = address($draft.get(), $accounts.get(), config().catalogue, $name.get());
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
  // Text that was typed before is read by these rules too.
  edit({});
  lookForContracts(core);
  return rules;
}

const ENTER_RECIPIENT: Problem = {code: 'enter-recipient', field: 'recipient', remedy: 'type'};

const problemOf: AddressRules['problemOf'] = (request, ofPrice, draft, context) => {
  const [from, to] = [context.catalogue.find(draft.from), context.catalogue.find(draft.to)];
  const typed = from && to && typedProblems({from, to}, draft, context);
  const first = firstProblem(request, ofPrice, typed, draft, context);
  // The first one may be that of a wallet's address, which nobody typed.
  const wrong = [typed?.refundAddress, typed?.recipient, first].filter(isWrongAddress);
  return first && wrong.length ? {...first, wrong: Object.fromEntries(wrong.map(one => [one.field, one]))} : first;
};

function isWrongAddress(problem: Problem | undefined): problem is Problem {
  return problem?.remedy === 'correct' && (problem.field === 'recipient' || problem.field === 'refundAddress');
}

function firstProblem(
  request: QuoteRequest | Problem,
  ofPrice: Problem | undefined,
  typed: TypedProblems | undefined,
  draft: Draft,
  context: AddressContext,
): Problem | undefined {
  // The visitor may fill in the fields in any order: a wrong address comes before a missing amount.
  if (isProblem(request)) {
    const wrong = [typed?.refundAddress, typed?.recipient].find(isWrongAddress);
    return ofPrice ?? (request.code === 'enter-amount' ? wrong : undefined) ?? request;
  }
  // A wrong amount is fixed first, and a cost is accepted last.
  if (ofPrice && !ofPrice.cost) return ofPrice;
  return addressProblem(request, draft, context, typed) ?? missingAddress(request, draft, context) ?? ofPrice;
}

/** What is still missing, or an account of a wallet that is on another network. */
function missingAddress(request: QuoteRequest, draft: Draft, context: AddressContext): Problem | undefined {
  const {catalogue, accounts, loaded, name} = context;
  const byTransfer = depositBy(request.from.chain) === 'transfer';
  const owner = ownerOf(draft, accounts, catalogue);
  const recipient = recipientOf(draft, accounts, catalogue, name);
  if (!owner) return byTransfer ? ENTER_REFUND : CONNECT;
  if (!recipient) return ENTER_RECIPIENT;
  // A wallet may be on another network than the page, with an address that is not valid here.
  const foreign = ({chain}: Asset, address: string, field: Problem['field']): Problem | undefined => {
    const family = loaded[chain.family];
    return !family || family.addresses.isAddress(chain, address)
      ? undefined
      : {...wrongAddress(chain, address, request, loaded), field, remedy: 'correct'};
  };
  return (
    foreign(request.from, owner, byTransfer ? 'refundAddress' : 'account') ??
    foreign(request.to, recipient, 'recipient')
  );
}

/**
 * Queries chains whether the address that would get the money is a contract, where that may have consequences. Once for
 * each address, and again if the chain could not determine it.
 */
function lookForContracts({$request, $draft, $accounts, $families, $name, $contracts}: SessionCore): void {
  let asked = '';
  const $lookup = computed([$request, $draft, $accounts, $families, $name], (request, draft, accounts, loaded, name) =>
    isProblem(request) ? undefined : contractLookup(request, draft, {accounts, loaded, name}),
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
    if (family?.addresses.isContract)
      family.addresses.isContract(chain, address, {account}).then(note, () => note(undefined));
    else note(undefined);
  });
}

/** Resolves the name that was typed as the recipient, and again when the chain or its `rpc` changes. */
function lookForNames({$draft, $config, $families, $name}: SessionCore) {
  let asked = '';
  let reading: AbortController | undefined;

  const $wanted = computed([$draft, $config, $families], ({to, recipient}, config, families) => {
    const text = recipient.trim();
    const chain = config?.catalogue.find(to)?.chain;
    const family = chain && families[chain.family];
    if (!config || !chain || !family?.addresses.isName?.(text)) return undefined;
    const home = config.catalogue.findChain(family.addresses.namesOn?.(chain) ?? '');
    return {text, chain, family, home, key: [text, chain.name, chain.chainId, home?.rpc, home?.otherRpcs].join(' ')};
  });
  const look = () => {
    reading?.abort();
    const wanted = $wanted.get();
    asked = wanted?.key ?? '';
    if (!wanted) {
      $name.set(undefined);
      return;
    }
    const {text, chain, family, home} = wanted;
    const {signal} = (reading = new AbortController());
    const note = (found: NameReading) => {
      if (!signal.aborted) $name.set({text, chain, reading: found});
    };
    $name.set({text, chain});
    family.addresses.readName?.(text, chain, home, {signal}).then(note, () => note({name: text, fault: 'unread'}));
  };
  $wanted.subscribe(wanted => {
    if ((wanted?.key ?? '') !== asked) look();
  });
  return {readAgain: look};
}
