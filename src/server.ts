import {createSwapApi, type SwapApiOptions} from './api/settings.js';
import {adapters} from './chains/families.js';
import {rpcsOf} from './chains/rpc.js';
import {TIMEOUTS} from './chains/timeouts.js';
import {
  depositBy,
  splitAssetId,
  type Asset,
  type AssetId,
  type AssetSettings,
  type Catalogue,
  type Chain,
  type ChainFamily,
  type ChainSettings,
} from './domain/asset.js';
import {chainsRead, createCatalogue, ownIds} from './domain/catalogue.js';
import {SwapError} from './domain/error.js';
import {accept, NO_EVIDENCE, type Certainty, type Evidence, type Movement} from './domain/evidence.js';
import {ALL_KNOWN} from './domain/known/all.js';
import type {Order} from './domain/order.js';
import {orderOfReceipt, otherSideOf, readReceipt, type Receipt, type ReceiptLeg} from './domain/receipt-file.js';
import {judgeReceipt, verdictOf, type LegShown, type ReceiptLine} from './domain/receipt-proof.js';
import {proveSecret} from './domain/receipt.js';
import type {Stage} from './domain/stage.js';
import {tell, type Story} from './domain/story.js';
import type {JournalEntry} from './session/order/journal.js';
import {createQuestions} from './session/order/questions.js';

/*
 * For a merchant's back end, and for whoever is shown a receipt: what became of a swap's money, by what the chains show.
 * Neither the page that names an order, nor the service that describes it, nor the author of a receipt is trusted. For a
 * partner's: what swaps earned, beside what was paid out.
 */

export type {SwapApiOptions} from './api/settings.js';
export type {AssetId, AssetSettings, ChainFamily, ChainSettings} from './domain/asset.js';
export {SwapError, type SwapErrorCode} from './domain/error.js';
export type {Certainty} from './domain/evidence.js';
export type {Receipt, ReceiptEvent, ReceiptField, ReceiptLeg} from './domain/receipt-file.js';
export type {ReceiptLine, ReceiptReason} from './domain/receipt-proof.js';
export type {Stage} from './domain/stage.js';
export {
  checkPayouts,
  type CheckPayoutsOptions,
  type EarnedFee,
  type PayoutReport,
  type PayoutTransfer,
  type PayoutVerdict,
  type PayoutWeek,
} from './payouts.js';

/** The chains' names: `base`, `bitcoin`. */
type ByChain<T> = Readonly<Record<string, T>>;

/** What a merchant and a customer agreed on. */
export interface Expected {
  /** The merchant's own address on the asset's chain. */
  readonly recipient: string;
  /** What is to arrive: an asset's id, `base:usdc`. */
  readonly asset: AssetId;
  /** How much has to arrive at least, in the asset's smallest unit. */
  readonly atLeast: bigint;
  /** When it was agreed, in milliseconds since 1970: money from more than two hours before that is another's. */
  readonly since?: number | undefined;
  /**
   * How many blocks have to be there, from the one with the payment on: 1 unless set. On Solana slots are counted, of which
   * some stay empty. Counted at every address of the chain, and the lowest number holds.
   */
  readonly blocks?: number | undefined;
}

/** How chains are read. */
export interface ChainOptions {
  /**
   * Where each chain is read: its name, and one address or several that have to agree. What happens on a chain that has
   * none, here or in `chains`, is never `proved`.
   */
  readonly rpc: ByChain<string | readonly string[]>;
  /** Chains that the catalogue does not know, or knows otherwise: the widget's `chains`. */
  readonly chains?: ByChain<ChainSettings> | undefined;
  /** Assets that the catalogue does not know: the widget's `assets`. */
  readonly assets?: readonly AssetSettings[] | undefined;
  /** The swap contracts of each asset, in the place of the catalogue's: the widget's `policy.contracts`. */
  readonly contracts?: Readonly<Record<string, readonly string[]>> | undefined;
}

export interface VerifyOptions extends ChainOptions {
  /** Where the order is read: the same `baseUrl` and `appId` as the widget's. */
  readonly service: SwapApiOptions;
  /** What was agreed on. Without it nothing counts as paid. */
  readonly expected?: Expected | undefined;
}

/** One of the three movements of an order's money. */
export interface VerifiedMovement {
  /**
   * `proved`: the chain shows it, tied to this order. `told`: the service says so, and its chain cannot be read from here,
   * or shows money without the tie. `denied`: the service says so, and the chain was read and does not. `waiting`: reading
   * it failed just now, or its addresses contradict each other; ask again. `none`: nobody says so.
   */
  readonly certainty: Certainty;
  /** In the asset's smallest unit: what the chain shows where it is `proved`, else what the service says. */
  readonly amount: bigint;
  readonly asset: AssetId;
  /** Who paid it in, who received it, or to whom it went back. */
  readonly account: string;
  /** Its transactions. */
  readonly hashes: readonly string[];
  /** The block it is in; absent while it is in none. */
  readonly block?: bigint;
}

/** What became of a swap's money. */
export interface VerifiedMoney {
  /** As the widget shows it. */
  readonly stage: Stage;
  readonly paidIn: VerifiedMovement;
  readonly paidOut: VerifiedMovement;
  readonly paidBack: VerifiedMovement;
}

/** What became of an order's money. */
export interface VerifiedOrder extends VerifiedMoney {
  readonly orderId: string;
  /** In what the order is not what was expected. */
  readonly differs: readonly (keyof Expected)[];
  /**
   * The recipient's chain shows, in a block and tied to this order, what was expected or more, under as many blocks as were
   * expected. It says nothing of whether another order of yours was paid with it: see `paymentKey`.
   */
  readonly isPaid: boolean;
  /**
   * How many blocks there are from the one with the payment on, where that was expected to be more than one and can be read;
   * on Solana, slots.
   */
  readonly blocks?: bigint;
  /**
   * What the money is known by, whatever order names it: the recipient's chain, and the hash of the secret that its
   * transaction reveals. Deliver once for each. Absent while nothing is proved.
   */
  readonly paymentKey?: string;
}

/**
 * Reads an order from its service and from both of its chains, once. Call it again, less and less often, until `isPaid`
 * or until `paidBack` is proved.
 *
 * Rejects with a SwapError: `service` where the order cannot be read (`field: 'order'`: there is none of that id),
 * `config` where it names a chain or an asset that is neither in the catalogue nor among `chains` and `assets`, or where
 * an option is wrong. What of a chain cannot be read makes nothing reject.
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
  const {story, money} = await hear(order, known, {askedAt});
  const {paidOut} = story;
  const {addresses} = await adapters[target.chain.family]();
  const named = answer.destination.redeemer;
  const differs = Object.entries({
    asset: target.id !== expected?.asset,
    // On Bitcoin an order may name a key.
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
    ...money,
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

/** What a receipt comes to, by what the chains show. */
export interface VerifiedReceipt extends VerifiedMoney {
  /** What the file says. */
  readonly receipt: Receipt;
  /**
   * `denied` where a line is, else `waiting` where one is. `proved` where every line is, but those that no chain keeps
   * (`own-word`: when it was placed, and the least that had to arrive). Else `told`.
   */
  readonly verdict: ReceiptLine['certainty'];
  /** Every field of the file, and what the chains show that it leaves out. */
  readonly lines: readonly ReceiptLine[];
}

/**
 * Holds a receipt, as the widget saves it, against both of its chains, once. No service is asked: it may be gone.
 *
 * It proves that the money moved between these accounts by one secret, and not that who shows the receipt is one of them.
 *
 * Rejects with a SwapError: `unreadable`, whose `field` names what of the file is missing, ill-typed or not known (`receipt`: it
 * is none; `swapReceipt`: a version that is not known), and `config` where an asset of it is neither in the catalogue nor
 * among `chains` and `assets`, or where an option is wrong. What of a chain cannot be read makes nothing reject.
 */
export async function verifyReceipt(file: string, options: ChainOptions): Promise<VerifiedReceipt> {
  const receipt = readReceipt(file);
  const order = orderOfReceipt(receipt);
  const known = knownOf(order, options);
  await requireNames(receipt, known);
  const ours = await hear(order, known, {paidInto: intoOf(receipt.source)});
  const {paidOut} = ours.story;
  const isTied = paidOut.certainty === 'proved' && (known.target.contracts.length > 0 || isByAddress(known.target));
  // What a known contract paid out lay in a known contract.
  const paidInto = intoOf(receipt.destination) ?? (isTied ? {contract: undefined} : undefined);
  const theirs = await hear(otherSideOf(receipt), {...known, source: known.target, target: known.source}, {paidInto});
  const isEarlier = paidOut.certainty === 'denied' && (await isProvedAtAnyTime(order, known));
  const {subtle} = globalThis.crypto;
  const lines = judgeReceipt(receipt, {
    source: await legShown(ours, receipt.source, known.source),
    destination: await legShown(theirs, receipt.destination, known.target),
    out: paidOut,
    isEarlier,
    secret: await proveSecret(order, {...ours.story, paidOut: NO_MOVEMENT}, bytes => subtle.digest('SHA-256', bytes)),
  });
  return {receipt, verdict: verdictOf(lines), ...ours.money, lines};
}

/** A public key, as Bitcoin's contracts take it. */
const KEY = /^(?:0[23])?[0-9a-f]{64}$/i;

/** Requires that who pays and who takes are addresses of their chain, on Bitcoin addresses or keys. */
async function requireNames({recipient, ...receipt}: Receipt, {source, target}: Known): Promise<void> {
  for (const [side, asset] of [['source', source] as const, ['destination', target] as const]) {
    const {contract, initiator, redeemer} = receipt[side];
    const {addresses} = await adapters[asset.chain.family]();
    const names = Object.entries({
      [`${side}.contract`]: contract,
      [`${side}.initiator`]: initiator,
      [`${side}.redeemer`]: redeemer,
      ...(side === 'destination' && {recipient}),
    });
    const isName = (text: string) => addresses.isAddress(asset.chain, text) || (isByAddress(asset) && KEY.test(text));
    for (const [field, text] of names) {
      if (text !== undefined && !isName(text))
        throw new SwapError('unreadable', {
          field,
          detail: `“${text}” is no address on ${asset.chain.title}, where ${side}.asset is.`,
        });
    }
  }
}

const NO_MOVEMENT: Movement = {certainty: 'none', amount: 0n};

function intoOf({contract}: ReceiptLeg) {
  return contract === undefined ? undefined : {contract};
}

function isByAddress({chain}: Asset): boolean {
  return depositBy(chain) === 'transfer';
}

async function legShown({evidence, story}: Heard, {contract}: ReceiptLeg, asset: Asset): Promise<LegShown> {
  const {addresses} = await adapters[asset.chain.family]();
  return {
    paid: story.paidIn,
    back: story.paidBack,
    deposit: evidence.deposit?.value,
    isByAddress: isByAddress(asset),
    isForeign:
      contract !== undefined &&
      !isByAddress(asset) &&
      !asset.contracts.some(one => addresses.isSameAddress(one, contract)),
  };
}

/** Whether the payout of an order is real, and only too old for it. */
async function isProvedAtAnyTime(order: Order, known: Known): Promise<boolean> {
  const {story} = await hear({...order, createdAt: 0}, known);
  return story.paidOut.certainty === 'proved';
}

/* -- what both are made of ------------------------------------------------------------------------------------------------- */

/** What was heard of an order, and what that means. */
interface Heard {
  readonly evidence: Evidence<JournalEntry>;
  readonly story: Story;
  readonly money: VerifiedMoney;
}

/** Asks both chains of an order about its money, and judges what they answer: as the widget does, with no wallet and no memory. */
async function hear(
  order: Order,
  {catalogue, source: {chain}}: Known,
  {
    askedAt = Date.now(),
    paidInto,
  }: {askedAt?: number; paidInto?: {readonly contract: string | undefined} | undefined} = {},
): Promise<Heard> {
  const questions = createQuestions({
    config: () => ({catalogue, policy: {requirePins: false}}),
    adapter: family => adapters[family](),
    account: () => undefined,
    paidInto,
  });
  const told: Evidence<JournalEntry> = accept(NO_EVIDENCE, {about: 'order', askedAt, value: order});
  const facts = await Promise.all(questions.of(told).map(({ask}) => ask(Date.now())));
  const evidence = facts.reduce(accept, told);
  const story = tell(evidence, {
    clock: {now: Date.now(), depositWindow: DEPOSIT_WINDOW_MS, blockSeconds: chain.blockSeconds},
  });
  if (!story) throw new SwapError('service', {field: 'order', detail: 'Nothing is known of it.'});
  const {source, destination} = order;
  const money = {
    stage: story.stage,
    paidIn: movement(story.paidIn, source.asset, source.initiator),
    paidOut: movement(story.paidOut, destination.asset, destination.redeemer),
    paidBack: movement(story.paidBack, source.asset, source.initiator),
  };
  return {evidence, story, money};
}

/** How long a deposit may be made where an order does not say: it tells `awaiting-deposit` from `expired`. */
const DEPOSIT_WINDOW_MS = 3_600_000;

/** The number of a family's newest block, as one node tells it. */
const heights: Readonly<Record<ChainFamily, (chain: Chain) => Promise<bigint | undefined>>> = {
  async bitcoin(chain) {
    const {readerOf, readHeight} = await import('./chains/bitcoin/rpc.js');
    const read = readerOf(chain, TIMEOUTS);
    return read && readHeight(read);
  },
  async evm(chain) {
    const {readerOf, readHeight} = await import('./chains/evm/rpc.js');
    const read = await readerOf(chain, undefined, TIMEOUTS);
    return read && readHeight(read);
  },
  async solana(chain) {
    const {readerOf, readHeight} = await import('./chains/solana/rpc.js');
    const read = readerOf(chain, TIMEOUTS);
    return read && readHeight(read);
  },
  async starknet(chain) {
    const {readerOf, readHeight} = await import('./chains/starknet/rpc.js');
    const read = await readerOf(chain, TIMEOUTS);
    return read && readHeight(read);
  },
};

/** The lowest that any address of a chain says, so that one that lies makes nothing older; `undefined` if one does not say. */
async function readHeight(chain: Chain): Promise<bigint | undefined> {
  const heard = rpcsOf(chain).map(rpc => heights[chain.family]({...chain, rpc, otherRpcs: []}).catch(() => undefined));
  return (await Promise.all(heard)).reduce((lowest, height) =>
    lowest === undefined || height === undefined ? undefined : height < lowest ? height : lowest,
  );
}

/** Ids of others (CAIP-2, CAIP-19), for what is known. */
const OWN = ownIds(ALL_KNOWN);

function check({recipient, asset, atLeast, since = 0, blocks = 1}: Expected): void {
  if (typeof recipient !== 'string' || !recipient) throw fault('expected.recipient', 'It names no address.');
  if (typeof asset !== 'string' || !splitAssetId(OWN.asset(asset)))
    throw fault('expected.asset', `“${asset}” is not an asset’s id, as base:usdc is.`);
  if (typeof atLeast !== 'bigint' || atLeast <= 0n) throw fault('expected.atLeast', 'It is not a bigint above 0.');
  if (!(Number.isSafeInteger(blocks) && blocks > 0)) throw fault('expected.blocks', 'It is no whole number above 0.');
  if (!(since >= 0)) throw fault('expected.since', 'It is no time in milliseconds since 1970.');
}

function fault(field: string, detail: string): SwapError {
  return new SwapError('config', {field, detail});
}

/** An order whose money counts from a time on, if it says that it is older. */
function notBefore(order: Order, since = 0): Order {
  return {...order, createdAt: Math.max(order.createdAt, since)};
}

/** The order with what its money has to be tied to: the merchant's own address, however the service writes it. */
function paying(order: Order, recipient: string | undefined): Order {
  return recipient === undefined ? order : {...order, destination: {...order.destination, redeemer: recipient}};
}

/** What is known of the two assets of an order and of their chains. */
interface Known {
  readonly catalogue: Catalogue;
  readonly source: Asset;
  readonly target: Asset;
}

function knownOf({source, destination}: Order, {rpc, chains = {}, assets = [], contracts}: ChainOptions): Known {
  const own = new Map(assets.map(asset => [asset.id, asset]));
  const catalogue = createCatalogue({
    families: Object.keys(adapters) as (keyof typeof adapters)[],
    assets: [source.asset, destination.asset].map(id => own.get(id) ?? id),
    chains: chainsRead(chains, Object.entries(rpc), ALL_KNOWN),
    known: ALL_KNOWN,
    ...(contracts && {contracts}),
  });
  const [from, target] = [catalogue.find(source.asset), catalogue.find(destination.asset)];
  if (!from || !target) throw fault('assets', 'The order’s assets are not known.');
  return {catalogue, source: from, target};
}

function movement({certainty, amount, event}: Movement, asset: AssetId, account: string): VerifiedMovement {
  const {hashes = [], block} = event ?? {};
  return {certainty, amount, asset, account, hashes, ...(block !== undefined && {block})};
}
