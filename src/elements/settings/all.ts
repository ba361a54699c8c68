/*
 * Reads all settings of a page, with all known chains and assets, and reports faults to the page's developer. Loaded
 * once the form is on the screen.
 */
import type {SwapApi} from '../../api/client.js';
import {readDialect} from '../../api/dialect.js';
import {createSwapApi} from '../../api/settings.js';
import {checkAffiliateFees, parseAffiliateFees} from '../../domain/affiliate.js';
import {parseAmount} from '../../domain/amount.js';
import {splitAssetId, type Catalogue} from '../../domain/asset.js';
import {chainsRead, createCatalogue, ownIds} from '../../domain/catalogue.js';
import type {Policy} from '../../domain/deposit.js';
import type {Draft, LockedField} from '../../domain/draft.js';
import {fault, SwapError} from '../../domain/error.js';
import {GIVEN_FIELDS} from '../../domain/link.js';
import type {AffiliateFee, FeeRequest} from '../../domain/affiliate-fee.js';
import {writeJson} from '../../domain/json.js';
import {ALL_KNOWN} from '../../domain/known/all.js';
import {neverMixed} from '../../domain/networks.js';
import {isOrderId} from '../../domain/order.js';
import {isWebAddress} from '../../domain/web-address.js';
import type {SessionConfig} from '../../session/session.js';
import {attributeOf} from '../base/public.js';
import {filledIn, readList, serviceOf} from './form.js';
import {joined, type Old} from './joined.js';
import {SETTINGS, type PolicySettings, type Settings} from './settings.js';

export {adapters} from '../../chains/families.js';

type Link = Partial<Record<LockedField, string>>;

/** Some of the settings. Each reader lists those it uses, and gets no others. */
type Some<Name extends keyof Settings> = Pick<Settings, Name>;

export type SessionSettings = Some<keyof typeof CHOICES | 'orderId' | 'wallets' | 'walletconnectProjectId'> &
  Parameters<typeof joined>[0] &
  Parameters<typeof filledIn>[0] &
  ServiceSettings &
  Parameters<typeof makeCatalogue>[0] &
  Parameters<typeof readLocked>[0] &
  Parameters<typeof readRare>[0];

const LARGEST_TOLERANCE_BPS = 1_000;

/** The allowed values of settings that are one of a few words. */
const CHOICES: {
  readonly [
    Name in Exclude<keyof Settings, Old> as string extends Settings[Name]
      ? never
      : Settings[Name] extends string | undefined
        ? Name
        : never
  ]-?: Readonly<Record<Extract<Settings[Name], string>, unknown>>;
} = {
  theme: {light: 1, dark: 1, auto: 1},
  variant: {card: 1, compact: 1, button: 1},
  storage: {local: 1, session: 1, none: 1},
  unverified: {ask: 1, stop: 1},
};

/**
 * Parts of a link (`url-sync`) that make no sense are ignored, so that the form asks for them.
 * @throws SwapError `config` that names the first invalid attribute or property, and what is expected.
 */
export function readAllSettings(
  given: SessionSettings,
  link: Link = {},
  readService = createServiceReader(),
): SessionConfig {
  // An element's properties are not its own fields.
  const named = Object.keys(SETTINGS).map(name => [name, given[name as keyof SessionSettings]] as const);
  const settings = {...Object.fromEntries(named), ...joined(given)} as SessionSettings;
  // A fault of the service's URL is reported before all others.
  const service = readService(settings);
  checkChoices(settings);
  const {orderId} = settings;
  if (orderId && !isOrderId(orderId)) throw fault('order-id', `“${orderId}” is not the id of an order.`);
  const catalogue = readCatalogue(settings);
  const {prefill, ...others} = filledIn(settings);
  const filled = {...others, prefill: withOwnIds(prefill)};
  checkPair(filled.prefill, catalogue);
  const locked = readLocked(settings);
  return {
    ...filled,
    ...readRare(settings, catalogue),
    ...readLinked(withOwnIds(link), filled.prefill, catalogue, locked),
    ...service,
    catalogue,
    locked,
    journal: settings.storage !== 'none',
    forThisTab: settings.storage === 'session',
    wallets: settings.wallets,
    walletConnect: settings.walletconnectProjectId,
  };
}

type ServiceSettings = Some<'baseUrl' | 'appId' | 'service' | 'fetch'>;

/**
 * Reads a session's service: the same as before while its settings are, as another one has other prices. A page's
 * `fetch` may be new each time.
 */
export function createServiceReader() {
  let last: {readonly of: string; readonly api: SwapApi} | undefined;
  let present: typeof fetch | undefined;
  const send: typeof fetch = (...request) => (present ?? globalThis.fetch)(...request);
  return ({appId, service: dialect, fetch, ...settings}: ServiceSettings) => {
    const baseUrl = settings.baseUrl?.trim();
    if (!baseUrl) throw fault('base-url', 'The address of the service is missing.');
    const of = writeJson([baseUrl, appId, dialect]);
    if (last?.of !== of) last = {of, api: createSwapApi({baseUrl, appId, service: dialect, fetch: send})};
    present = fetch;
    return {api: last.api, service: serviceOf(baseUrl), hasAppId: Boolean(appId)};
  };
}

function checkChoices(settings: Some<keyof typeof CHOICES>): void {
  for (const name of Object.keys(CHOICES) as (keyof typeof CHOICES)[]) {
    const [value, allowed] = [settings[name], Object.keys(CHOICES[name])];
    if (!value || allowed.includes(value)) continue;
    const field = 'attribute' in SETTINGS[name] ? name : attributeOf(name);
    throw fault(field, `“${value}” is not one of ${allowed.join(', ')}.`);
  }
}

const OWN = ownIds(ALL_KNOWN);

function withOwnIds<T extends {readonly from?: string; readonly to?: string}>(fields: T): T {
  const {from, to} = fields;
  return {...fields, ...(from && {from: OWN.asset(from)}), ...(to && {to: OWN.asset(to)})};
}

function checkPair({from, to, amount, receive}: Partial<Draft>, {find, test}: Catalogue): void {
  for (const [field, id] of [['from', from] as const, ['to', to] as const]) {
    const isTest = ALL_KNOWN.chains.find(({name}) => name === splitAssetId(id ?? '')?.chain)?.test ?? test;
    const reason = isTest === test ? 'is not one of the assets offered here.' : neverMixed(test);
    if (id && !find(id)) throw fault(field, `“${id}” ${reason}`);
    if (id && !find(id, field)) throw fault(field, `“${id}” is not one of ${field}-assets.`);
  }
  if (from && from === to) throw fault('to', 'Both sides are the same asset.');
  for (const [field, text, id] of [['amount', amount, from] as const, ['receive', receive, to] as const]) {
    const decimals = find(id ?? '')?.decimals ?? 18;
    if (!text || (!text.includes(',') && typeof parseAmount(text, decimals) !== 'string')) continue;
    throw fault(field, `“${text}” is not an amount like 0.1: no comma, at most ${String(decimals)} decimals.`);
  }
  if (amount && receive) throw fault('receive', 'One of amount and receive follows from the other: set one.');
}

function readLocked(settings: Some<'lock' | LockedField>): readonly LockedField[] {
  const locked = readList<string>(settings.lock);
  const unknown = locked.find(field => !(GIVEN_FIELDS as readonly string[]).includes(field));
  if (unknown !== undefined) throw fault('lock', `“${unknown}” cannot be locked. ${GIVEN_FIELDS.join(', ')} can.`);
  const empty = GIVEN_FIELDS.find(field => locked.includes(field) && !settings[field]);
  if (empty) throw fault('lock', `“${empty}” is locked and has no value, so the visitor could never fill it in.`);
  // One amount follows from the other.
  const amounts = locked.some(field => field === 'amount' || field === 'receive') ? ['amount', 'receive'] : [];
  return [...new Set([...locked, ...amounts])] as LockedField[];
}

/**
 * The author of a link is unknown: it changes nothing that the page locked, and an amount or a recipient only applies
 * with the asset that it was meant for.
 */
function readLinked(link: Link, prefill: Partial<Draft>, {assets, find}: Catalogue, locked: readonly LockedField[]) {
  const given = Object.entries(link).filter(([field]) => !locked.includes(field as LockedField));
  if (!given.length) return {};
  const linked = Object.fromEntries(given) as Link;
  const draft: Link = {...prefill, ...linked};
  // One of the two amounts follows from the other.
  if (linked.receive !== undefined) Reflect.deleteProperty(draft, 'amount');
  else if (linked.amount !== undefined) Reflect.deleteProperty(draft, 'receive');
  for (const [side, other, along] of [
    ['from', 'to', ['amount']] as const,
    ['to', 'from', ['receive', 'recipient']] as const,
  ]) {
    if (linked[side] === undefined || linked[side] === prefill[side]) continue;
    const open = along.filter(field => !locked.includes(field));
    for (const field of open) if (linked[field] === undefined) Reflect.deleteProperty(draft, field);
    if (find(linked[side], side)) {
      // If the link uses the page's asset of the other side, that asset moves to this one.
      if (draft[other] === linked[side]) draft[other === 'to' && locked.includes('to') ? side : other] = '';
      continue;
    }
    // The other side gets an asset, so that the visitor is asked for this one.
    draft[side] = '';
    for (const field of open) Reflect.deleteProperty(draft, field);
    draft[other] ||= assets.find(({id}) => find(id, other))?.id ?? '';
  }
  return {prefill: draft as Partial<Draft>, linked: linked as Partial<Draft>};
}

function readRare(
  settings: Some<
    | 'policy'
    | 'affiliateFees'
    | 'unverified'
    | 'priceTolerance'
    | 'service'
    | 'referencePrice'
    | 'recall'
    | 'support'
    | 'valueCurrency'
  >,
  catalogue: Catalogue,
) {
  const {policy = {}, affiliateFees = [], unverified, referencePrice, recall} = settings;
  if (referencePrice !== undefined && typeof referencePrice !== 'function') {
    throw fault('referencePrice', 'It is not a function of two asset ids.');
  }
  if (recall && !isWebAddress(recall.trim())) throw fault('recall', `“${recall}” is not an https address.`);
  const support = settings.support?.trim();
  if (support && !/^mailto:[^\s@?#%&,]+@[^\s@?#%&,]+$/i.test(support) && !isWebAddress(support)) {
    throw fault('support', `“${support}” is neither mailto: with one address nor an https address.`);
  }
  const currency = settings.valueCurrency?.trim();
  if (currency && !/^[a-z]{3}$/i.test(currency)) {
    throw fault('value-currency', `“${currency}” is not a currency of three letters, such as USD (ISO 4217).`);
  }
  if (policy.screen && !['warn', 'stop'].includes(policy.screen))
    throw fault('policy.screen', 'It is neither warn nor stop.');
  const maxBps = wholeNumber('policy.maxAffiliateBps', policy.maxAffiliateBps, 10_000);
  const maxCostBps = wholeNumber('policy.maxCostBps', policy.maxCostBps, 10_000);
  const minutes = wholeNumber('policy.depositMinutes', policy.depositMinutes, 1440);
  const payout = readDialect(settings.service).payout?.map(OWN.asset);
  const readFees = (fees: string | readonly AffiliateFee[]) => {
    const listed = typeof fees === 'string' ? parseAffiliateFees(fees) : fees;
    if (!Array.isArray(listed))
      throw fault('affiliate-fees', 'They are neither text nor a list of {asset, address, bps}.');
    return checkAffiliateFees(listed.map(withOwnAsset), {payout, ...catalogue, maxBps});
  };
  return {
    currency: currency || undefined,
    affiliateFees:
      typeof affiliateFees === 'function'
        ? (request: FeeRequest) => readFees(affiliateFees(request))
        : readFees(affiliateFees),
    // If a partner says nothing of what is unverified, each order's networks decide (`dealOf`).
    policy: {...(unverified && {unverified}), ...readRedeemers(policy)},
    screen: policy.screen,
    holdApprovals: policy.holdApprovals,
    priceTolerance: wholeNumber('price-tolerance', settings.priceTolerance, LARGEST_TOLERANCE_BPS) ?? 50,
    ...(maxCostBps !== undefined && {maxCostBps}),
    depositWindow: (minutes ?? 60) * 60_000,
    ...(referencePrice && {referencePrice}),
    ...(support && {support}),
  };
}

/** A fee with our id of its asset. Invalid fees stay for the code that reports them. */
function withOwnAsset(fee: AffiliateFee): AffiliateFee {
  const {asset}: Partial<Record<keyof AffiliateFee, unknown>> = fee;
  return typeof asset === 'string' ? {...fee, asset: OWN.asset(asset) as AffiliateFee['asset']} : fee;
}

/** A typo in a pin's name would make it useless. */
function readRedeemers({redeemers}: PolicySettings): Pick<Policy, 'redeemers'> {
  if (redeemers === undefined) return {};
  for (const [id, named] of Object.entries(redeemers)) {
    const isList =
      Array.isArray(named) && named.length > 0 && named.every(one => typeof one === 'string' && one.trim());
    if (!splitAssetId(id) || !isList) {
      throw fault('policy.redeemers', `“${id}” is not an asset with a list of addresses: {'base:usdc': ['0x…']}.`);
    }
  }
  return {redeemers};
}

/** A cache of catalogues from text settings, by these texts: many widgets of a page may have the same. */
const catalogues = new Map<string, Catalogue>();
/** The maximum size of the cache: visitors' choices on a page may come in any number of ways. */
const MOST_KEPT = 16;

function readCatalogue(settings: Parameters<typeof makeCatalogue>[0]): Catalogue {
  const {assets, fromAssets, toAssets, pairs, chains, rpc, contracts, from, to} = settings;
  const said = [assets, fromAssets, toAssets, pairs, rpc, contracts, from, to];
  const isText = !chains && said.every(text => text === undefined || typeof text === 'string');
  if (!isText) return makeCatalogue(settings);
  const key = writeJson(said);
  const catalogue = catalogues.get(key) ?? makeCatalogue(settings);
  if (catalogues.size >= MOST_KEPT) catalogues.clear();
  catalogues.set(key, catalogue);
  return catalogue;
}

function makeCatalogue(
  settings: Some<'assets' | 'fromAssets' | 'toAssets' | 'pairs' | 'chains' | 'rpc' | 'contracts' | 'from' | 'to'>,
): Catalogue {
  const {chains = {}, rpc = '', from = '', to = ''} = settings;
  const list = readList(settings.assets);
  const [fromList, toList] = [readList(settings.fromAssets), readList(settings.toAssets)];
  const named = chainsRead(chains, readRpc(rpc), ALL_KNOWN);
  try {
    return createCatalogue({
      known: ALL_KNOWN,
      chains: named,
      hints: [from, to, ...fromList, ...toList],
      ...(list.length ? {assets: list} : {}),
      ...(fromList.length ? {fromAssets: fromList} : {}),
      ...(toList.length ? {toAssets: toList} : {}),
      pairs: settings.pairs ?? '',
      contracts: settings.contracts ?? '',
    });
  } catch (error) {
    // If only `rpc` names a chain, the fault is in that attribute.
    const chain = error instanceof SwapError ? /^chains\.([^.]+)/.exec(error.field ?? '')?.[1] : undefined;
    if (chain === undefined || chain in chains) throw error;
    throw fault('rpc', `“${chain}” is no known chain.`);
  }
}

/** Parses the `rpc` attribute: each chain's name and RPC URLs, with commas between the chains. */
function readRpc(text: string): ReadonlyMap<string, readonly string[]> {
  const result = new Map<string, readonly string[]>();
  for (const entry of text.split(',').filter(each => each.trim() !== '')) {
    const [chain = '', ...addresses] = entry.trim().split(/\s+/);
    if (!addresses.length || !addresses.every(isWebAddress)) {
      throw fault('rpc', `“${entry.trim()}” is not a chain and its addresses: chain https://… https://…`);
    }
    result.set(chain, addresses);
  }
  return result;
}

function wholeNumber(field: string, value: string | number | undefined, largest: number): number | undefined {
  if (value === undefined || value === '') return undefined;
  const text = String(value);
  const number = Number(text);
  if (!/^\d{1,6}$/.test(text) || number > largest) {
    throw fault(field, `“${text}” is not a whole number from 0 to ${String(largest)}.`);
  }
  return number;
}
