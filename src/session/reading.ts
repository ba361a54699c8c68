import {computed, type ReadableAtom} from 'nanostores';
import {contractKey, ownerOf, recipientOf, tidyDraft} from '../domain/address.js';
import type {AddressName, NameReading} from '../domain/draft.js';
import {yesKey} from '../domain/form/form.js';
import {read, type FormStory} from '../domain/form/story.js';
import {valueOf} from '../domain/remote.js';
import {fill, hear} from './rules.js';
import type {SessionCore} from './shared.js';

/** What comes with the reading of the form. */
export interface Reading {
  /** The visitor confirms that the address in that field is right, or accepts the cost. */
  confirm(field: AddressName | 'cost'): void;
  /** Loads the code of the families whose addresses are to be checked. Rejects if it cannot be loaded. */
  loadFamilies(): Promise<unknown>;
}

/** Reads all that is known of the form, once there are settings, and asks chains about its addresses. */
export function readForm(core: SessionCore): Reading {
  const {$facts, $draft, $config, $accounts, adapter, config, accept} = core;
  const $story = readFacts(core);
  fill(core, core.$read, $story);
  accept({about: 'tidy', tidy: tidyDraft});
  const names = lookForNames(core);
  lookForContracts(core, $story);

  return {
    confirm(field) {
      const form = $facts.get();
      if (field === 'cost') {
        const bps = core.$problem.get()?.cost?.bps;
        if (bps !== undefined) accept({about: 'yes', to: yesKey(form, field), bps});
        return;
      }
      // There is no address to confirm yet.
      if (form.name?.reading?.fault === 'unread' && field === 'recipient') {
        names.readAgain();
        return;
      }
      const address = field === 'recipient' ? recipientOf : ownerOf;
      const text = address(form.draft, $accounts.get(), config().catalogue, form.name);
      accept({about: 'yes', to: yesKey(form, field, text)});
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
}

/** What the form's facts mean, with what others know. A part that says the same stays the same object. */
function readFacts({$facts, $config, $view, $accounts, $families, $priced, $wallets, host}: SessionCore) {
  const $quote = computed($priced, ({quote}) => quote);
  const $limits = computed($priced, ({limits}) => limits);
  const $balance = computed($wallets, ({balance}) => valueOf(balance));
  const $reserve = computed($wallets, ({reserve}) => reserve);
  let last: FormStory | undefined;
  return computed(
    [$facts, $config, $view, host.online$, $accounts, $families, $quote, $limits, $balance, $reserve],
    (form, page, view, isOnline, accounts, loaded, quote, limits, balance, reserve) => {
      if (!page) return undefined;
      const isShown = view === 'form';
      const story = read(form, {page, isShown, isOnline, accounts, loaded, quote, limits, balance, reserve});
      const kept = (Object.entries(story) as [keyof FormStory, unknown][]).map(([part, value]) => {
        const before = last?.[part];
        return [part, isSameValue(before, value) ? before : value] as const;
      });
      last = Object.fromEntries(kept) as unknown as FormStory;
      return last;
    },
  );
}

/** Whether two values are the same, or objects of the same values. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const [mine, theirs] = [Object.entries(one) as [string, unknown][], other as Readonly<Record<string, unknown>>];
  return mine.length === Object.keys(theirs).length && mine.every(([key, value]) => theirs[key] === value);
}

/**
 * Queries chains whether the address that would get the money is a contract, where that may have consequences. Once for
 * each address, and again if the chain could not determine it.
 */
function lookForContracts(core: SessionCore, $story: ReadableAtom<FormStory | undefined>): void {
  const {$facts, $accounts, $families, accept} = core;
  const $lookup = computed($story, story => story?.lookup);
  let asked = '';
  hear(core, $lookup, lookup => {
    const key = lookup ? contractKey(lookup) : '';
    if (key === asked) return;
    asked = key;
    if (!lookup || $facts.get().contracts[key] !== undefined) return;
    const {chain, address} = lookup;
    const note = (isContract: boolean | undefined) => accept({about: 'contract', key, isContract});
    const {[chain.family]: family} = $families.get();
    const account = $accounts.get()[chain.family];
    if (family?.addresses.isContract)
      family.addresses.isContract(chain, address, {account}).then(note, () => note(undefined));
    else note(undefined);
  });
}

/** Resolves the name that was typed as the recipient, and again when the chain or its `rpc` changes. */
function lookForNames({$draft, $config, $families, accept}: SessionCore) {
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
      accept({about: 'name'});
      return;
    }
    const {text, chain, family, home} = wanted;
    const {signal} = (reading = new AbortController());
    const note = (found: NameReading) => {
      if (!signal.aborted) accept({about: 'name', name: {text, chain, reading: found}});
    };
    accept({about: 'name', name: {text, chain}});
    family.addresses.readName?.(text, chain, home, {signal}).then(note, () => note({name: text, fault: 'unread'}));
  };
  $wanted.subscribe(wanted => {
    if ((wanted?.key ?? '') !== asked) look();
  });
  return {readAgain: look};
}
