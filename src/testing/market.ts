/* What the test service swaps, and at which prices. */
import {formatAmount} from '../domain/amount.js';
import {contractsOf, type Asset, type AssetId, type Chain} from '../domain/asset.js';
import {ALL_KNOWN} from '../domain/known/all.js';
import {PAYLOADS} from './orders.js';

/** Fictitious, and close enough to be believable. An unlisted symbol is worth a dollar. */
const PRICES: Readonly<Record<string, number>> = {
  BTC: 100_000,
  WBTC: 100_000,
  CBBTC: 100_000,
  IBTC: 100_000,
  LBTC: 100_000,
  CBTC: 100_000,
  WCBTC: 100_000,
  ETH: 4_000,
  SOL: 200,
  SEED: 0.5,
};
const PRICE_DECIMALS = 8;
const RANGE = {min: 1, max: 1_000_000};

export class Refusal extends Error {
  constructor(
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

export type Market = ReturnType<typeof createMarket>;

/** `wanted`: all assets by default. `own`: prices in place of the default ones. `feeBps`: the service’s fee. */
export function createMarket(wanted?: readonly AssetId[], own: Readonly<Record<string, number>> = {}, feeBps = 30) {
  const prices = new Map(Object.entries(PRICES));
  const setPrice = (symbol: string, dollars: number) => void prices.set(symbol.toUpperCase(), dollars);
  for (const [symbol, dollars] of Object.entries(own)) setPrice(symbol, dollars);
  const assets = knownAssets(wanted);
  const issued = new Set<string>();

  const find = (id: string | null): Asset => {
    const asset = assets.get(id ?? '');
    if (!asset) throw new Refusal(`Asset '${id ?? ''}' not found`);
    return asset;
  };
  const priceOf = ({symbol}: Asset) => prices.get(symbol.toUpperCase()) ?? 1;
  /** A price as a whole number of hundred-millionths, at least one. */
  const scaled = (asset: Asset) => BigInt(Math.max(1, Math.round(priceOf(asset) * 10 ** PRICE_DECIMALS)));
  /** The value of an amount less some basis points in another asset. */
  const convert = (amount: bigint, from: Asset, to: Asset, bps: number) =>
    (amount * BigInt(bps) * scaled(from) * 10n ** BigInt(to.decimals)) /
    (10_000n * scaled(to) * 10n ** BigInt(from.decimals));
  const worth = (dollars: number, asset: Asset) =>
    (BigInt(dollars) * 10n ** BigInt(PRICE_DECIMALS + asset.decimals)) / scaled(asset);
  const sideOf = (asset: Asset, amount: bigint) => ({
    asset: asset.id,
    amount: String(amount),
    display: formatAmount(amount, asset.decimals),
    value: (Number(formatAmount(amount, asset.decimals)) * priceOf(asset)).toFixed(4),
  });

  return {
    find,
    priceOf,
    setPrice,
    convert,
    list: () =>
      [...assets.values()].map(asset => ({
        id: asset.id,
        decimals: asset.decimals,
        min_amount: String(worth(RANGE.min, asset)),
        max_amount: String(worth(RANGE.max, asset)),
        price: priceOf(asset),
      })),

    /** API, GET quote. */
    quote(query: URLSearchParams) {
      const [from, to] = [find(query.get('from')), find(query.get('to'))];
      const text = query.get('from_amount') ?? '';
      const amount = /^[1-9]\d{0,77}$/.test(text) ? BigInt(text) : 0n;
      const bps = Number(query.get('affiliate_fee') ?? 0);
      if (!canPay(from) || from.id === to.id) throw new Refusal(`No order pair found : ${from.id}::${to.id}`);
      const [min, max] = [worth(RANGE.min, from), worth(RANGE.max, from)];
      if (amount < min || amount > max) {
        throw new Refusal(
          `Exact output quote error : expected amount to be within the range of ${String(min)} to ${String(max)}`,
        );
      }
      const receive = convert(amount, from, to, 10_000 - feeBps - bps);
      issued.add([from.id, to.id, amount, bps, receive].join());
      return {source: sideOf(from, amount), destination: sideOf(to, receive), solver_id: 'test-solver'};
    },

    /** Whether an order matches a quote. */
    isQuoted: (from: Asset, to: Asset, amount: string, bps: number, receive: string) =>
      issued.has([from.id, to.id, amount, bps, receive].join()),
  };
}

/** The requested testnet assets, by id. @throws RangeError for one that is unknown there. */
function knownAssets(wanted?: readonly AssetId[]): ReadonlyMap<string, Asset> {
  const chains = new Map<string, Chain>(ALL_KNOWN.chains.map(chain => [chain.name, chain]));
  const found = new Map<string, Asset>();
  for (const known of ALL_KNOWN.assets) {
    const chain = chains.get(known.id.slice(0, known.id.indexOf(':')));
    if (chain?.test) found.set(known.id, {...known, chain, contracts: known.contracts ?? []});
  }
  if (!wanted) return found;
  return new Map(
    wanted.map(id => {
      const asset = found.get(id);
      if (!asset) throw new RangeError(`The test service has no “${id}”. It knows assets of test networks alone.`);
      return [id, asset];
    }),
  );
}

/** Nothing is returned that could be paid on mainnet: some swap contracts have the same address on both. */
function canPay({chain: {family}, contracts: [contract]}: Asset): boolean {
  if (!PAYLOADS[family]) return false;
  return family === 'bitcoin' || (contract !== undefined && !CONTRACTS_OF_MAIN.has(contract.toLowerCase()));
}

const CONTRACTS_OF_MAIN: ReadonlySet<string> = new Set(
  ALL_KNOWN.assets
    .filter(({id}) => ALL_KNOWN.chains.some(({name, test}) => !test && id.startsWith(`${name}:`)))
    .flatMap(asset => contractsOf(asset).map(contract => contract.toLowerCase())),
);
