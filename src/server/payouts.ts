import {adapters} from '../chains/families.js';
import {readTransfers} from './transfers.js';
import {splitAssetId, type AssetId, type AssetSettings, type Catalogue, type ChainSettings} from '../domain/asset.js';
import {chainsRead, createCatalogue, ownIds} from '../domain/catalogue.js';
import {fault} from '../domain/error.js';
import {ALL_KNOWN} from '../domain/known/all.js';
import {
  judgeWeeks,
  MONDAY,
  payableSince,
  payeesOf,
  weeksToCsv,
  type EarnedFee,
  type PayoutWeek,
} from './payout-weeks.js';

/* For a partner's back end: what swaps earned, compared with what was paid out for them. */

export type {EarnedFee, PayoutTransfer, PayoutVerdict, PayoutWeek} from './payout-weeks.js';

export interface CheckPayoutsOptions {
  /** The earned fees: `ledger.fees` of `createFeeLedger`, or some of them. */
  readonly fees: readonly EarnedFee[];
  /** The chains' RPCs: the name of each chain, and one URL or several, of which two have to agree. */
  readonly rpc: Readonly<Record<string, string | readonly string[]>>;
  /**
   * The addresses that pay out on each chain: one or several. Then no other sender counts. Unless set, whatever anyone
   * sends to the payee in that asset counts as paid: a chain does not record a transfer's purpose.
   */
  readonly payers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** The contracts that payees claim fees from, on chains where the service sends none: the only payers there. */
  readonly distributors?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /**
   * When weeks end, in milliseconds since 1970: one such moment, from which every seventh day counts, or a list of all
   * the moments. Unless set, Mondays at 00:00 UTC.
   */
  readonly weekEnds?: number | readonly number[] | undefined;
  /** How many hours after a week's end its payout may arrive before it is missing: 48 unless set. */
  readonly graceHours?: number | undefined;
  /** Chains that the catalogue lacks, or that differ from it: the widget's `chains`. */
  readonly chains?: Readonly<Record<string, ChainSettings>> | undefined;
  /** Assets that the catalogue lacks: the widget's `assets`. */
  readonly assets?: readonly AssetSettings[] | undefined;
}

/** What was earned and what was paid out. */
export interface PayoutReport {
  /** Each week of each payee, by asset and address, the oldest week first. Empty weeks are omitted. */
  readonly weeks: readonly PayoutWeek[];
  /** Fees of complete orders that are in no week: the service did not report amount, time, asset or payee. */
  readonly uncounted: readonly EarnedFee[];
  /** The weeks as CSV (RFC 4180), with a header. No cell can be treated as a formula by a spreadsheet. */
  toCSV(): string;
}

/**
 * Compares what swaps earned with what the payees' addresses received, week by week. It is read from the chains alone,
 * each time anew. A chain that cannot be read causes no rejection: its weeks are `unread`.
 *
 * Rejects with a SwapError, `config`, if an option is invalid or an asset is unknown; `field` names it.
 */
export async function checkPayouts(options: CheckPayoutsOptions): Promise<PayoutReport> {
  const {fees, rpc, payers, distributors, weekEnds = MONDAY, graceHours = 48, chains = {}, assets = []} = options;
  check(options);
  const {payees, uncounted} = payeesOf(fees);
  const own = new Map(assets.map(asset => [asset.id.toLowerCase(), asset]));
  const catalogueOf = (wanted?: readonly (AssetId | AssetSettings)[]) =>
    createCatalogue({
      ...(wanted && {assets: wanted}),
      chains: chainsRead(chains, Object.entries(rpc), ALL_KNOWN),
      known: ALL_KNOWN,
    });
  const everything = catalogueOf();
  // One for each payee: testnets and mainnet never mix in a catalogue, but a ledger may contain both.
  const assetOf = (given: AssetId) => {
    const id = given.toLowerCase() as AssetId;
    const testOf = (one: AssetId) => everything.findChain(splitAssetId(one)?.chain ?? '')?.test;
    const others = ALL_KNOWN.assets.filter(other => testOf(other.id) === testOf(id));
    return catalogueOf([...others.map(other => other.id), own.get(id) ?? id]).find(id);
  };
  const payersOn = await readPayers('payers', payers, everything);
  const distributorsOn = await readPayers('distributors', distributors, everything);
  const now = Date.now();
  const judged = payees.map(async payee => {
    const asset = assetOf(payee.asset);
    if (!asset) throw fault('assets', `“${payee.asset}” is not known.`);
    const {chain, decimals} = asset;
    const {addresses} = await adapters[chain.family]();
    const distributor = distributorsOn.get(chain.name);
    const since = payableSince(payee, now, weekEnds);
    const read = !addresses.isAddress(chain, payee.address)
      ? {unread: `“${payee.address}” is not an address on ${chain.title}.`}
      : since === undefined
        ? {transfers: [], until: now}
        : await readTransfers({asset, to: payee.address, since, payers: distributor ?? payersOn.get(chain.name)});
    const isClaimed = distributor !== undefined;
    return judgeWeeks(payee, read, {now, ends: weekEnds, grace: graceHours * 3_600_000, decimals, isClaimed});
  });
  const weeks = (await Promise.all(judged)).flat().sort((one, other) => one.begins - other.begins);
  return {weeks, uncounted, toCSV: () => weeksToCsv(weeks)};
}

function check({fees, rpc, weekEnds = MONDAY, graceHours = 48}: CheckPayoutsOptions): void {
  if (!Array.isArray(fees)) throw fault('fees', 'Not a list of fees such as ledger.fees.');
  if (typeof (rpc as unknown) !== 'object') throw fault('rpc', 'It names no chains: {base: "https://…"}.');
  const ends = [weekEnds].flat();
  if (ends.some((end, at) => !Number.isFinite(end) || end <= (ends[at - 1] ?? -Infinity)))
    throw fault('weekEnds', 'Not a time in milliseconds since 1970, nor a list of such times in ascending order.');
  if (!(graceHours >= 0)) throw fault('graceHours', 'Not a number of hours.');
}

/** The senders of payouts by chain. If a name were misread, everybody's transfers would count. */
async function readPayers(
  option: 'payers' | 'distributors',
  payers: CheckPayoutsOptions['payers'] = {},
  {findChain}: Catalogue,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const read = new Map<string, readonly string[]>();
  const own = ownIds(ALL_KNOWN);
  for (const [name, named] of Object.entries(payers)) {
    const chain = findChain(own.chain(name));
    if (!chain) throw fault(`${option}.${name}`, 'There is no such chain.');
    const {addresses} = await adapters[chain.family]();
    const all = [named].flat();
    const stranger = all.find(address => !addresses.isAddress(chain, address));
    if (stranger !== undefined) throw fault(`${option}.${name}`, `“${stranger}” is not an address on ${chain.title}.`);
    if (!all.length) throw fault(`${option}.${name}`, 'It names nobody.');
    read.set(chain.name, all);
  }
  return read;
}
