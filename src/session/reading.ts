import {contractKey, ownerOf, recipientOf, tidyDraft} from '../domain/address.js';
import type {AddressName, NameReading} from '../domain/draft.js';
import {yesKey} from '../domain/form/form.js';
import type {SessionCore} from './shared.js';

/** Reads text as it is meant, and asks chains about the addresses of the form. */
export function askChains(core: SessionCore) {
  const {$facts, $settings, $wallets, adapter, config, accept} = core;
  accept({about: 'tidy', tidy: tidyDraft});
  const names = lookForNames(core);
  lookForContracts(core);

  return {
    confirm(field: AddressName | 'cost') {
      const form = $facts.get();
      if (field === 'cost') {
        const problem = core.$form.get().problem;
        if (problem?.code === 'confirm-cost') accept({about: 'yes', to: yesKey(form, field), bps: problem.loss.bps});
        return;
      }
      // There is no address to confirm yet.
      if (form.name?.reading?.fault === 'unread' && field === 'recipient') {
        names.readAgain();
        return;
      }
      const address = field === 'recipient' ? recipientOf : ownerOf;
      const text = address(form.draft, $wallets.get().accounts, config().catalogue, form.name);
      accept({about: 'yes', to: yesKey(form, field, text)});
    },

    /** Loads the code of the families whose addresses are to be checked. Rejects if it cannot be loaded. */
    loadFamilies(): Promise<unknown> {
      const {from, to, recipient, refundAddress} = $facts.get().draft;
      const {accounts} = $wallets.get();
      return Promise.all(
        [[from, refundAddress] as const, [to, recipient] as const].map(async ([asset, text]) => {
          const family = $settings.get().config?.catalogue.find(asset)?.chain.family;
          if (family && (text.trim() || accounts[family])) await adapter(family);
        }),
      );
    },
  };
}

/**
 * Asks where a contract may have consequences: once for each address, and again if the chain could not determine it.
 */
function lookForContracts({$facts, $form, $page, $wallets, $families, accept}: SessionCore): void {
  let asked = '';
  const look = () => {
    const lookup = $page.get().isStarted ? $form.get().lookup : undefined;
    const key = lookup ? contractKey(lookup) : '';
    if (key === asked) return;
    asked = key;
    if (!lookup || $facts.get().contracts[key] !== undefined) return;
    const {chain, address} = lookup;
    const note = (isContract: boolean | undefined) => accept({about: 'contract', key, isContract});
    const {[chain.family]: family} = $families.get();
    const account = $wallets.get().accounts[chain.family];
    if (family?.addresses.isContract)
      family.addresses.isContract(chain, address, {account}).then(note, () => note(undefined));
    else note(undefined);
  };
  for (const $store of [$page, $form]) $store.subscribe(look);
}

/** Resolves the name that was typed as the recipient, and again when the chain or its `rpc` changes. */
function lookForNames({$facts, $settings, $families, accept}: SessionCore) {
  let asked = '';
  let reading: AbortController | undefined;

  const find = () => {
    const {to, recipient} = $facts.get().draft;
    const {config} = $settings.get();
    const text = recipient.trim();
    const chain = config?.catalogue.find(to)?.chain;
    const family = chain && $families.get()[chain.family];
    if (!config || !chain || !family?.addresses.isName?.(text)) return undefined;
    const home = config.catalogue.findChain(family.addresses.namesOn?.(chain) ?? '');
    return {text, chain, family, home, key: [text, chain.name, chain.chainId, home?.rpc, home?.otherRpcs].join(' ')};
  };
  const look = (wanted = find()) => {
    reading?.abort();
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
  const follow = () => {
    const wanted = find();
    if ((wanted?.key ?? '') !== asked) look(wanted);
  };
  for (const $store of [$facts, $settings, $families]) $store.subscribe(follow);
  return {readAgain: () => look()};
}
