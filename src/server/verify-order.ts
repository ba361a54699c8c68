import {createSwapApi, type SwapApiOptions} from '../api/settings.js';
import {adapters} from '../chains/families.js';
import {rpcsOf} from '../chains/rpc.js';
import {
  splitAssetId,
  type Asset,
  type AssetId,
  type AssetSettings,
  type Catalogue,
  type Chain,
  type ChainSettings,
} from '../domain/asset.js';
import {chainsRead, createCatalogue, ownIds} from '../domain/catalogue.js';
import {fault, SwapError} from '../domain/error.js';
import {accept, NO_EVIDENCE, type Certainty, type Evidence, type Movement} from '../domain/evidence.js';
import {ALL_KNOWN} from '../domain/known/all.js';
import type {Order} from '../domain/order.js';
import type {Stage} from '../domain/stage.js';
import {tell, type Story} from '../domain/story.js';
import {vouchedText, type VouchedSettings} from '../domain/vouched.js';
import type {JournalEntry} from '../session/order/journal.js';
import {Questions} from '../session/order/questions.js';

/** By chain name: `base`, `bitcoin`. */
type ByChain<T> = Readonly<Record<string, T>>;

/** What a merchant and a customer agreed on. */
export interface Expected {
  /** The merchant's own address on the asset's chain. */
  readonly recipient: string;
  /** The asset that is to arrive, by id: `base:usdc`. */
  readonly asset: AssetId;
  /** The minimum that has to arrive, in the asset's smallest unit. */
  readonly atLeast: bigint;
  /** When it was agreed, in milliseconds since 1970: money from more than two hours before that does not count. */
  readonly since?: number | undefined;
  /**
   * The required number of blocks, counting the payment's own: 1 unless set. On Solana slots are counted, including
   * empty ones. Counted by every RPC of the chain, and the lowest number applies.
   */
  readonly blocks?: number | undefined;
}

export interface VerifyOptions {
  /**
   * The chains' RPCs: the name of each chain, and one URL, or several that have to agree. Events on a chain without
   * one, here or in `chains`, are never `proved`.
   */
  readonly rpc: ByChain<string | readonly string[]>;
  /** Chains that the catalogue lacks, or that differ from it: the widget's `chains`. */
  readonly chains?: ByChain<ChainSettings> | undefined;
  /** Assets that the catalogue lacks: the widget's `assets`. */
  readonly assets?: readonly AssetSettings[] | undefined;
  /** The swap contracts that you vouch for, besides the catalogue's: the widget's `contracts`. */
  readonly contracts?: VouchedSettings | undefined;
  /** The service with the order: the same `baseUrl` and `appId` as the widget's. */
  readonly service: SwapApiOptions;
  /** The agreement. Without it nothing counts as paid. */
  readonly expected?: Expected | undefined;
}

/** One of the three movements of an order's money. */
export interface VerifiedMovement {
  /**
   * `proved`: the chain shows it, tied to this order. `told`: the service claims it, and its chain cannot be read, or
   * shows money that is not tied to the order. `denied`: the service claims it, but the chain was read and does not
   * show it. `waiting`: reading failed for now, or its RPCs contradict each other; try again. `none`: nothing claims
   * it.
   */
  readonly certainty: Certainty;
  /** In the asset's smallest unit: the chain's amount if `proved`, otherwise the service's. */
  readonly amount: bigint;
  readonly asset: AssetId;
  /** The payer, the recipient, or the refunded account. */
  readonly account: string;
  /** Its transactions. */
  readonly hashes: readonly string[];
  /** Its block; absent while it is unconfirmed. */
  readonly block?: bigint;
}

/** What happened to an order's money. */
export interface VerifiedOrder {
  readonly orderId: string;
  /** As the widget shows it. */
  readonly stage: Stage;
  readonly paidIn: VerifiedMovement;
  readonly paidOut: VerifiedMovement;
  readonly paidBack: VerifiedMovement;
  /** The expectations that the order does not meet. */
  readonly differs: readonly (keyof Expected)[];
  /**
   * The recipient's chain shows, in a block and tied to this order, at least the expected amount, with the required
   * number of blocks. It does not prove that no other order of yours was paid with it: see `paymentKey`.
   */
  readonly isPaid: boolean;
  /**
   * The number of blocks, counting the payment's own, if more than one was required and it can be read; on Solana, of
   * slots.
   */
  readonly blocks?: bigint;
  /**
   * Identifies the money, whatever order names it: the recipient's chain, and the hash of the secret that its
   * transaction reveals. Deliver once for each. Absent while nothing is proved.
   */
  readonly paymentKey?: string;
}

/**
 * Reads an order from its service and from both of its chains, once. Call it again, at growing intervals, until
 * `isPaid` or until `paidBack` is proved.
 *
 * Rejects with a SwapError: `service` if the order cannot be read (`field: 'order'`: the id is unknown), `config` if it
 * has a chain or an asset that is neither in the catalogue nor among `chains` and `assets`, or if an option is invalid.
 * A chain that cannot be read causes no rejection.
 */
export async function verifyOrder(orderId: string, options: VerifyOptions): Promise<VerifiedOrder> {
  const {service} = options;
  if (options.expected) check(options.expected);
  const expected = options.expected && {...options.expected, asset: OWN.asset(options.expected.asset) as AssetId};
  const askedAt = Date.now();
  const answer = await createSwapApi(service).readOrder(orderId);
  const order = paying(notBefore(answer, expected?.since), expected?.recipient);
  const known = knownOf(order, options);
  const {target} = known;
  const {stage, paidIn, paidOut, paidBack} = await readStory(order, known, askedAt);
  const {addresses} = await adapters[target.chain.family]();
  const named = answer.destination.redeemer;
  const differs = Object.entries({
    asset: target.id !== expected?.asset,
    // On Bitcoin an order may contain a key.
    recipient: addresses.isAddress(target.chain, named) && !addresses.isSameAddress(named, order.destination.redeemer),
    atLeast: (paidOut.certainty === 'proved' ? paidOut.amount : answer.destination.amount) < (expected?.atLeast ?? 0n),
  }).flatMap(([name, isSo]) => (expected && isSo ? [name as keyof Expected] : []));
  if (expected && !addresses.isAddress(target.chain, expected.recipient) && target.id === expected.asset)
    throw fault('expected.recipient', `“${expected.recipient}” is not an address on ${target.chain.title}.`);
  const isProved = paidOut.certainty === 'proved';
  const block = isProved ? paidOut.event?.block : undefined;
  const {blocks: wanted = 1} = expected ?? {};
  const height = block !== undefined && wanted > 1 ? await readHeight(target.chain) : undefined;
  const blocks = block !== undefined && height !== undefined ? height - block + 1n : undefined;
  return {
    orderId,
    stage,
    paidIn: movement(paidIn, order.source.asset, order.source.initiator),
    paidOut: movement(paidOut, order.destination.asset, order.destination.redeemer),
    paidBack: movement(paidBack, order.source.asset, order.source.initiator),
    differs,
    isPaid:
      expected !== undefined &&
      !differs.length &&
      block !== undefined &&
      (wanted === 1 || (blocks ?? 0n) >= BigInt(wanted)),
    ...(blocks !== undefined && {blocks}),
    ...(isProved && {paymentKey: `${target.chain.name}:${order.destination.secretHash}`}),
  };
}

async function readStory(order: Order, {catalogue, source: {chain}}: Known, askedAt: number): Promise<Story> {
  const questions = new Questions({
    host: Date,
    config: () => ({catalogue, policy: {unverified: 'stop'}}),
    adapter: family => adapters[family](),
    account: () => undefined,
  });
  const told: Evidence<JournalEntry> = accept(NO_EVIDENCE, {about: 'order', askedAt, value: order});
  const facts = await Promise.all(questions.of(told).map(({ask}) => ask(Date.now())));
  const story = tell(facts.reduce(accept, told), {
    clock: {now: Date.now(), depositWindow: DEPOSIT_WINDOW_MS, blockSeconds: chain.blockSeconds},
  });
  if (!story) throw new SwapError('service', {field: 'order', detail: 'Nothing is known of it.'});
  return story;
}

/** How long a deposit may be made if the order has no deadline: distinguishes `awaiting-deposit` from `expired`. */
const DEPOSIT_WINDOW_MS = 3_600_000;

/** The lowest height of a chain's RPCs, so that a lying one cannot add blocks; `undefined` if one does not respond. */
async function readHeight(chain: Chain): Promise<bigint | undefined> {
  const adapter = await adapters[chain.family]();
  const {otherRpcs: _, ...one} = chain;
  const heard = await Promise.all(rpcsOf(chain).map(rpc => adapter.readHeight({...one, rpc}, {})));
  return heard.reduce((lowest, height) =>
    lowest === undefined || height === undefined ? undefined : height < lowest ? height : lowest,
  );
}

const OWN = ownIds(ALL_KNOWN);

function check({recipient, asset, atLeast, since = 0, blocks = 1}: Expected): void {
  if (typeof recipient !== 'string' || !recipient) throw fault('expected.recipient', 'It names no address.');
  if (typeof asset !== 'string' || !splitAssetId(OWN.asset(asset)))
    throw fault('expected.asset', `“${asset}” is not an asset’s id, as base:usdc is.`);
  if (typeof atLeast !== 'bigint' || atLeast <= 0n) throw fault('expected.atLeast', 'It is not a bigint above 0.');
  if (!(Number.isSafeInteger(blocks) && blocks > 0)) throw fault('expected.blocks', 'Not a whole number above 0.');
  if (!(since >= 0)) throw fault('expected.since', 'Not a time in milliseconds since 1970.');
}

/** An order whose money counts from a given time on, even if its creation is dated earlier. */
function notBefore(order: Order, since = 0): Order {
  return {...order, createdAt: Math.max(order.createdAt, since)};
}

/** The order with the recipient that its money has to be tied to: the merchant's own address, however the service writes it. */
function paying(order: Order, recipient: string | undefined): Order {
  return recipient === undefined ? order : {...order, destination: {...order.destination, redeemer: recipient}};
}

interface Known {
  readonly catalogue: Catalogue;
  readonly source: Asset;
  readonly target: Asset;
}

function knownOf({source, destination}: Order, {rpc, chains = {}, assets = [], contracts}: VerifyOptions): Known {
  const own = new Map(assets.map(asset => [asset.id, asset]));
  const pair = [source.asset, destination.asset];
  // The other assets of the merchant may be unknown to a catalogue of two, or of the other kind of network.
  const isOther = (entry: string) => {
    const id = OWN.asset(entry.trim().split(/\s/, 1)[0] ?? '') as AssetId;
    return !pair.includes(id) && (own.has(id) || ALL_KNOWN.assets.some(asset => asset.id === id));
  };
  const vouched = vouchedText(contracts).split(',');
  const catalogue = createCatalogue({
    assets: pair.map(id => own.get(id) ?? id),
    chains: chainsRead(chains, Object.entries(rpc), ALL_KNOWN),
    known: ALL_KNOWN,
    contracts: vouched.filter(entry => !isOther(entry)).join(','),
  });
  const [from, target] = [catalogue.find(source.asset), catalogue.find(destination.asset)];
  if (!from || !target) throw fault('assets', 'The order’s assets are not known.');
  return {catalogue, source: from, target};
}

function movement({certainty, amount, event}: Movement, asset: AssetId, account: string): VerifiedMovement {
  const {hashes = [], block} = event ?? {};
  return {certainty, amount, asset, account, hashes, ...(block !== undefined && {block})};
}
