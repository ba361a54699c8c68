import {
  FAMILIES,
  isSameChain,
  splitAssetId,
  withVouched,
  type AssetId,
  type AssetSettings,
  type Catalogue,
  type Chain,
  type ChainFamily,
  type ChainSettings,
  type Asset,
  type KnownAsset,
  type KnownAssets,
  type OtherAsset,
  type PagePairs,
} from './asset.js';
import {assetIdIn, chainNameIn} from './caip.js';
import {fault} from './error.js';
import {neverMixed} from './networks.js';
import {ALL_KNOWN} from './known/all.js';
import {COMMON} from './known/common.js';
import {isMeant, pairsOf, patternsOf, rulesOf} from './routes.js';
import {readVouched, type VouchedSettings} from './vouched.js';
import {isWebAddress} from './web-address.js';

export interface CatalogueSettings {
  /**
   * Ids (`chain:*` for a whole chain, `*:name`; CAIP-19 ids of known assets) or descriptions; with a `-` before it, an id
   * that is not offered. Unless others are named: those of `pairs`, or all that are not gone, on mainnet or on testnets.
   */
  readonly assets?: readonly (string | AssetSettings)[];
  /** Ids of the assets that can be paid with (`chain:*` for a whole chain). Absent: all. */
  readonly fromAssets?: readonly string[];
  /** Ids of the assets that can be received. Absent: all. */
  readonly toAssets?: readonly string[];
  /** The pairs that can be swapped, as `bitcoin:btc > base:*, a <-> b`; empty: all. */
  readonly pairs?: string;
  readonly chains?: Readonly<Record<string, ChainSettings>>;
  /** Contracts and programs that the page vouches for, besides the known ones (`contracts`). */
  readonly contracts?: VouchedSettings;
  /** Ids that decide between mainnet and testnets if `assets` does not: `from` and `to`, for example. */
  readonly hints?: readonly string[];
  /** The families whose assets are offered. Absent: all. */
  readonly families?: readonly ChainFamily[];
  /** The chains and assets that need no description: the most common ones, unless all are given. */
  readonly known?: KnownAssets;
}

/**
 * Builds the assets of one widget from the known ones and the page's descriptions.
 * @throws SwapError `config` that names the attribute or property, for an unknown asset, unknown decimals, a mix of
 * mainnet and testnet chains, or an entry of `contracts` or `pairs` without meaning.
 */
export function createCatalogue(given: CatalogueSettings): Catalogue {
  const settings = withOwnIds(given);
  const {chains = {}, families = FAMILIES, known = COMMON} = settings;
  const excludedBy = (item: string | AssetSettings) =>
    typeof item === 'string' && item.startsWith('-') ? [item.slice(1)] : [];
  const excluded = (settings.assets ?? []).flatMap(excludedBy);
  const wanted = settings.assets?.filter(item => !excludedBy(item).length) ?? [];
  const pairs = readPairs(settings.pairs ?? '', ownIds(known).asset);
  const hints = [...(settings.hints ?? []), ...patternsOf(pairs)];
  const chainsByName = new Map(known.chains.map(chain => [chain.name, chain]));
  for (const [name, settings] of Object.entries(chains)) {
    chainsByName.set(name, readChain(name, settings, chainsByName.get(name)));
  }
  const chainOf = (id: string) => chainsByName.get(splitAssetId(id)?.chain ?? '');

  const describe = (settings: AssetSettings) => describeAsset(settings, {chainOf, families, known, chains});
  const all = known.assets.filter(({id}) => families.some(family => family === chainOf(id)?.family));
  const found = new Map<string, KnownAsset>();
  const add = (id: AssetId) => {
    if (!found.has(id)) found.set(id, describe({id}));
  };
  const test = hints.map(id => chainOf(id)?.test).find(kind => kind !== undefined) ?? false;
  const fit = all.filter(({id}) => chainOf(id)?.test === test);
  if (!wanted.length && (!settings.assets || excluded.length)) {
    for (const pattern of pairs ? patternsOf(pairs) : ['*']) {
      const meant = fit.filter(({id}) => isMeant(pattern, id));
      for (const {id} of pattern.includes('*') ? withoutGone(meant) : meant) add(id);
    }
  }
  for (const item of wanted) {
    if (typeof item !== 'string') {
      // A description takes precedence over a plain id of the same asset.
      found.set(item.id, describe(item));
    } else if (item.includes('*')) {
      const meant = (item.startsWith('*') ? fit : all).filter(({id}) => isMeant(item, id));
      if (!meant.length) throw fault('assets', `“${item}” names no known asset.`);
      for (const {id} of withoutGone(meant)) add(id);
    } else {
      add(item as AssetId);
    }
  }

  const [first] = found.keys();
  const isTest = (first !== undefined && chainOf(first)?.test) ?? false;
  const other = [...found.keys()].find(id => chainOf(id)?.test !== isTest);
  if (other !== undefined) throw fault('assets', `“${other}” ${neverMixed(isTest)}`);
  const sides = readSides([...found.keys()], {...settings, excluded}, known, pairs);
  // Whatever is offered, what is known of a chain stays known.
  const allKnown = [...known.assets, ...ALL_KNOWN.assets];
  const chainNamed = (name = '') => chainsByName.get(name) ?? ALL_KNOWN.chains.find(chain => chain.name === name);
  const anyChainOf = (id: string) => chainNamed(splitAssetId(id)?.chain);
  const vouched = readVouched(settings.contracts, {
    assets: [...found.values(), ...allKnown],
    chainOf: anyChainOf,
    test: isTest,
    ownId: ownIds(known).asset,
  });
  const described = [...found.values()].map(asset => withVouched(asset, vouched.get(asset.id)));
  const offered = new Map<string, Asset>();
  for (const {icon, ...plain} of described) {
    const {id, contracts = []} = plain;
    const chain = chainOf(id);
    if (!chain || !(sides.from.has(id) || sides.to.has(id))) continue;
    const made: Asset = {...plain, chain, contracts: Object.freeze([...contracts])};
    offered.set(id, Object.freeze(Object.defineProperty(made, 'icon', {value: icon})));
  }
  return {
    assets: Object.freeze([...offered.values()]),
    test: isTest,
    ...(pairs && {pairs}),
    find: (id, side) => (side && !sides[side].has(id) ? undefined : offered.get(id)),
    findChain: name => chainsByName.get(name),
    others: name => othersOn(name, [...described, ...allKnown], chainNamed),
  };
}

/** If nothing is left, all: the page asked for `unichain:*`. */
function withoutGone(assets: readonly KnownAsset[]): readonly KnownAsset[] {
  const left = assets.filter(({isGone}) => !isGone);
  return left.length ? left : assets;
}

/** What is known of a chain's assets. One token is one asset, whatever its chain is called, with all of its contracts. */
function othersOn(
  name: string,
  assets: readonly KnownAsset[],
  chainNamed: (name: string | undefined) => Chain | undefined,
): readonly OtherAsset[] {
  const nameOf = ({id}: KnownAsset) => splitAssetId(id)?.chain;
  const here = assets.filter(asset => isSameChain(chainNamed(nameOf(asset)), chainNamed(name)));
  // By the chain's own name first.
  const sorted = here.toSorted((one, other) => Number(nameOf(other) === name) - Number(nameOf(one) === name));
  const sameAs = (one: KnownAsset) => sorted.filter(({token}) => one.token?.toLowerCase() === token?.toLowerCase());
  const first = sorted.filter(one => sameAs(one)[0] === one);
  return first.map(asset => {
    const same = sameAs(asset);
    const vouched = same.flatMap(one => one.vouched ?? []);
    const contracts = [...new Set(same.flatMap(one => one.contracts ?? []))];
    return {...asset, contracts, ...(vouched.length && {vouched})};
  });
}

function withOwnIds(settings: CatalogueSettings): CatalogueSettings {
  const {assets, fromAssets, toAssets, hints, chains, known = COMMON} = settings;
  const own = ownIds(known);
  const ofKeys = <T>(object: Readonly<Record<string, T>>, name: (text: string) => string) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [name(key), value]));
  return {
    ...settings,
    ...(assets && {assets: assets.map(item => (typeof item === 'string' ? item.replace(/[^-].*/, own.asset) : item))}),
    ...(fromAssets && {fromAssets: fromAssets.map(own.asset)}),
    ...(toAssets && {toAssets: toAssets.map(own.asset)}),
    ...(hints && {hints: hints.map(own.asset)}),
    ...(chains && {chains: ofKeys(chains, own.chain)}),
  };
}

export function ownIds({chains, assets}: KnownAssets): Record<'asset' | 'chain', (text: string) => string> {
  const chainOf = (id: string) => chains.find(({name}) => name === splitAssetId(id)?.chain);
  return {
    asset: text =>
      text.includes('/')
        ? assetIdIn(
            text,
            assets.map(asset => ({...asset, chain: chainOf(asset.id)})),
          )
        : text,
    chain: text => chainNameIn(text, chains),
  };
}

export function chainsRead(
  chains: Readonly<Record<string, ChainSettings>>,
  rpc: Iterable<readonly [chain: string, addresses: string | readonly string[]]>,
  known: KnownAssets,
): Record<string, ChainSettings> {
  const nameOf = ownIds(known).chain;
  const named = Object.fromEntries(Object.entries(chains).map(([chain, settings]) => [nameOf(chain), settings]));
  for (const [text, addresses] of rpc) {
    const chain = nameOf(text);
    named[chain] = {...named[chain], rpc: addresses};
  }
  return named;
}

function readSides(
  ids: readonly string[],
  {fromAssets, toAssets, excluded}: CatalogueSettings & {readonly excluded: readonly string[]},
  known: KnownAssets,
  pairs: PagePairs | undefined,
): Record<'from' | 'to', ReadonlySet<string>> {
  const named = (field: string, list: readonly string[], among: readonly string[]) =>
    list.flatMap(item => {
      const matches = item.includes('*') ? among.filter(id => isMeant(item, id)) : [item];
      if (!matches.length || !matches.every(id => among.includes(id))) {
        throw fault(field, `“${item}” is not one of the assets offered here.`);
      }
      return matches;
    });
  // An excluded asset may well be one that this page does not offer: pages can share one list.
  const out = named('assets', excluded, [...ids, ...known.assets.map(({id}) => id)]);
  const left = ids.filter(id => !out.includes(id));
  const lost = patternsOf(pairs).find(pattern => ![...ids, ...out].some(id => isMeant(pattern, id)));
  if (lost !== undefined) throw fault('pairs', `“${lost}” is not one of the assets offered here.`);
  // What is in no pair is not offered.
  const isPaired = (side: 'from' | 'to') => (id: string) => pairs?.rules.some(rule => isMeant(rule[side], id)) ?? true;
  const from = (fromAssets ? named('from-assets', fromAssets, left) : left).filter(isPaired('from'));
  const to = (toAssets ? named('to-assets', toAssets, left) : left).filter(isPaired('to'));
  const can = (one: string, other: string) => one !== other && (pairs?.has(one, other) ?? true);
  if (!from.some(one => to.some(other => can(one, other)))) {
    const lists = {pairs, 'to-assets': toAssets, 'from-assets': fromAssets};
    const [field] = Object.entries(lists).find(([, list]) => list) ?? ['assets'];
    throw fault(field, 'No two different assets are left, one to pay with and one to receive.');
  }
  return {from: new Set(from), to: new Set(to)};
}

function readPairs(text: string, idOf: (id: string) => string): PagePairs | undefined {
  const entries = text.split(/[,;\n]+/).filter(entry => entry.trim());
  const rules = entries.flatMap(entry => {
    const found = rulesOf(entry, idOf);
    if (!found)
      throw fault('pairs', `“${entry.trim()}” is not a pair: bitcoin:btc > base:cbbtc, or bitcoin:btc <-> base:*.`);
    return found;
  });
  return entries.length ? pairsOf(rules) : undefined;
}

function describeAsset(
  settings: AssetSettings,
  {
    chainOf,
    families,
    known,
    chains,
  }: Required<Pick<CatalogueSettings, 'families' | 'known' | 'chains'>> & {
    readonly chainOf: (id: string) => Chain | undefined;
  },
): KnownAsset {
  const {id} = settings;
  const parts = splitAssetId(id);
  if (!parts) throw fault('assets', `“${id}” is not an asset. Write it as chain:name.`);
  const chain = chainOf(id);
  if (!chain) throw fault('chains', `“${id}” is on an unknown chain. Describe it in the chains property.`);
  if (!families.includes(chain.family)) {
    throw fault('assets', `“${id}” is on a ${chain.family} chain, which this version does not swap.`);
  }
  const entry = known.assets.find(asset => asset.id === id);
  const decimals = settings.decimals ?? entry?.decimals;
  if (decimals === undefined) {
    throw fault('assets', `“${id}” has no known decimals. Give it as an object: {id, symbol, decimals}.`);
  }
  if (!isDecimals(decimals)) {
    throw fault('assets', `“${id}” has decimals ${String(decimals)}; it must be a whole number from 0 to 36.`);
  }
  const icon = settings.icon === undefined ? undefined : addressOfPicture(settings.icon);
  if (settings.icon !== undefined && icon === undefined) {
    throw fault(
      'assets',
      `“${id}” has an icon that is neither SVG (<svg …>…</svg>) nor the address of a picture: https://…, /…, data:image/….`,
    );
  }
  const token = settings.token ?? entry?.token;
  const spelled = entry ?? spellingOf(parts.name, known);
  const symbol = settings.symbol ?? spelled.symbol;
  return {
    id,
    symbol,
    // A symbol of the page’s own is not explained by the known title of another.
    title: settings.title ?? (entry || symbol === spelled.symbol ? spelled.title : symbol),
    decimals,
    ...(token === undefined ? {} : {token}),
    ...(icon === undefined ? {} : {icon}),
    ...(entry?.versions && {versions: entry.versions}),
    ...(entry?.former && {former: entry.former}),
    contracts: settings.contracts ?? chains[parts.chain]?.contracts?.[parts.name] ?? entry?.contracts ?? [],
  };
}

/** The symbol and title that an asset's name has on other chains, if all of them agree. */
function spellingOf(name: string, {assets}: KnownAssets): Pick<KnownAsset, 'symbol' | 'title'> {
  const [same, ...others] = assets.filter(({id}) => splitAssetId(id)?.name === name);
  const symbol = same?.symbol ?? name.toUpperCase();
  return {symbol, title: same && others.every(({title}) => title === same.title) ? same.title : symbol};
}

function readChain(name: string, settings: ChainSettings, base?: Chain): Chain {
  const field = `chains.${name}`;
  const family = settings.family ?? base?.family;
  if (!family) throw fault(field, 'A chain needs its family: bitcoin, evm, solana or starknet.');
  const chainId = settings.chainId ?? base?.chainId;
  if (family === 'evm' && !(Number.isSafeInteger(chainId) && Number(chainId) > 0)) {
    throw fault(`${field}.chainId`, 'A chain of the evm family needs its chain id.');
  }
  const blockSeconds = settings.blockSeconds ?? base?.blockSeconds;
  if (blockSeconds === undefined || !(blockSeconds > 0)) {
    throw fault(`${field}.blockSeconds`, 'A chain needs the seconds between two blocks.');
  }
  const coin = settings.coin ?? base?.coin;
  const wrong = coin && (!coin.name ? 'name' : !coin.symbol ? 'symbol' : !isDecimals(coin.decimals) && 'decimals');
  if (wrong) {
    throw fault(
      `${field}.coin.${wrong}`,
      'A coin is its name, its symbol, and its decimals, a whole number from 0 to 36.',
    );
  }
  const rpcs = [settings.rpc ?? [base?.rpc ?? [], base?.otherRpcs ?? []].flat()].flat();
  for (const rpc of rpcs) if (!isWebAddress(rpc)) throw fault(`${field}.rpc`, `“${rpc}” is not a web address.`);
  const [rpc, ...otherRpcs] = new Set(rpcs);
  const explorer = settings.explorer ?? base?.explorer;
  if (explorer && !isWebAddress(explorer)) throw fault(`${field}.explorer`, `“${explorer}” is not a web address.`);
  return Object.freeze({
    name,
    family,
    title: settings.title ?? base?.title ?? name,
    test: settings.test ?? base?.test ?? false,
    ...(chainId === undefined ? {} : {chainId}),
    blockSeconds,
    ...(coin && {coin: {...coin}}),
    ...(explorer ? {explorer: explorer.replace(/\/+$/, '')} : {}),
    ...(rpc === undefined ? {} : {rpc}),
    ...(otherRpcs.length ? {otherRpcs: Object.freeze(otherRpcs)} : {}),
  });
}

/**
 * The URL for `<img>` of an icon that a page sets: SVG as text, a `data:image/` URL, a path on the page's site, or a
 * web address. `undefined` for anything else. Scripts in an image never run (HTML, SVG as an image).
 */
function addressOfPicture(icon: unknown): string | undefined {
  if (typeof icon !== 'string') return undefined;
  const text = icon.trim();
  if (/^<(?:svg|\?xml|!--)/i.test(text)) {
    const [start] = /<svg(?=[\s>])[^>]*>/i.exec(text) ?? [];
    if (start === undefined || !/<\/svg>$/i.test(text)) return undefined;
    // Inline SVG needs no namespace, but an image does.
    const named = /\sxmlns\s*=/.test(start) ? start : `<svg xmlns="http://www.w3.org/2000/svg"${start.slice(4)}`;
    return `data:image/svg+xml,${encodeURIComponent(text.replace(start, () => named).replace(/\p{Surrogate}/gu, '\ufffd'))}`;
  }
  // A second slash, or a backslash that browsers read as one, would lead to another site.
  const isPicture = /^data:image\/[a-z0-9.+-]+[;,]\S+$/i.test(text) || /^\/(?![/\\])[^\\\s]*$/.test(text);
  return isPicture || isWebAddress(text) ? text : undefined;
}

function isDecimals(decimals: number): boolean {
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= 36;
}
