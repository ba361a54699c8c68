import {effect} from 'nanostores';
import {ownerOf, recipientOf} from '../domain/address.js';
import {depositBy, type Chain, type ChainFamily} from '../domain/asset.js';
import type {AddressName} from '../domain/draft.js';
import {mayHaveGoneOut} from '../domain/funding.js';
import {isSameData} from '../domain/json.js';
import {isStepOn} from '../domain/stage.js';
import {change, type SessionCore} from './shared.js';
import type {JournalEntry} from './order/journal.js';
import type {RecentAddress} from './types.js';

/*
 * Addresses that were used before are offered again, and reveal those that only look like one of them. That is address
 * poisoning: a scammer sends a tiny amount from an address that starts and ends like one that somebody pays. Wallets
 * show little more than the ends of addresses, and the fake waits in the history to be copied.
 */

/** The beginning of all or most addresses of a family. */
const COMMON_START: Readonly<Record<ChainFamily, RegExp>> = {
  bitcoin: /^(?:bc|tb|bcrt)1/i,
  evm: /^0x/i,
  solana: /^/,
  // Addresses may be written without leading zeros.
  starknet: /^0x0*/i,
};

/** The number of characters at each end that even terse wallets show. */
const SHOWN = 4;

/** Whether the abbreviated forms of two addresses look alike. Letter case is easily missed. */
export function looksLike(family: ChainFamily, one: string, other: string): boolean {
  const endsOf = (text: string) => {
    const rest = text.replace(COMMON_START[family], '').toLowerCase();
    return rest.slice(0, SHOWN) + rest.slice(-SHOWN);
  };
  return endsOf(one) === endsOf(other);
}

/** The orders that may have been paid: at a stage after the wallet prompt they were, whatever this browser knows. */
function paidIn(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return entries.filter(entry => isStepOn('funding', entry.stage) || mayHaveGoneOut(entry));
}

/** The addresses of a family that money went to or came from, or that a refund would have gone to, newest first. */
function usedIn(entries: readonly JournalEntry[], family: ChainFamily): readonly string[] {
  return paidIn(entries).flatMap(({agreed: {from, to, owner, recipient}}) => [
    ...(to.chain.family === family ? [recipient] : []),
    ...(from.chain.family === family ? [owner] : []),
  ]);
}

const MOST_RECENT = 3;

/**
 * The addresses that were used in the same field on this chain before, newest first: a smart account on one chain may
 * belong to nobody on another, and a recipient need not be the visitor's own address, which a refund could go to.
 */
function recentIn(entries: readonly JournalEntry[], field: AddressName, chain: Chain): readonly RecentAddress[] {
  const recent = new Map<string, RecentAddress>();
  for (const {agreed, placedAt: at} of paidIn(entries)) {
    const [asset, address] = field === 'recipient' ? [agreed.to, agreed.recipient] : [agreed.from, agreed.owner];
    if (asset.chain.name === chain.name && !recent.has(address)) recent.set(address, {address, at});
    if (recent.size === MOST_RECENT) break;
  }
  return [...recent.values()];
}

/**
 * Addresses that look like one used before in this browser, or like the connected account, but are none of these, only
 * lead to a warning. Also finds addresses to offer for a field. Returns a function to stop.
 */
export function watchUsedAddresses({$journal, $facts, $wallets, $settings, $families}: SessionCore): () => void {
  return effect(
    [$journal, $facts, $wallets, $settings, $families],
    ({entries, lookalikes: before, recent}, {draft, name}, {accounts}, {config}, families) => {
      if (!config) return;
      const lookalikes: Partial<Record<AddressName, string>> = {};
      const {catalogue} = config;
      const look = (field: AddressName, chain: Chain, address: string) => {
        const family = families[chain.family]?.addresses;
        if (!family?.isAddress(chain, address)) return;
        const own = accounts[chain.family]?.address;
        const used = [...(own === undefined ? [] : [own]), ...usedIn(entries, chain.family)];
        if (used.some(one => family.isSameAddress(one, address))) return;
        const like = used.find(one => looksLike(chain.family, one, address));
        if (like !== undefined) lookalikes[field] = like;
      };
      const from = catalogue.find(draft.from)?.chain;
      const to = catalogue.find(draft.to)?.chain;
      if (to) look('recipient', to, recipientOf(draft, accounts, catalogue, name));
      if (from && depositBy(from) === 'transfer') look('refundAddress', from, ownerOf(draft, accounts, catalogue));
      const recipient = to ? recentIn(entries, 'recipient', to) : [];
      const refundAddress = from ? recentIn(entries, 'refundAddress', from) : [];
      const used = {lookalikes, recent: {recipient, refundAddress}};
      if (!isSameData({lookalikes: before, recent}, used)) change($journal, used);
    },
  );
}
