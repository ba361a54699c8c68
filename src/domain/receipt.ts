import type {Asset, Chain} from './asset.js';
import type {Agreement} from './deposit.js';
import {totalBps} from './affiliate-fee.js';
import {foreignLine} from './foreign.js';
import {travelTime, type ChainEvent, type Order} from './order.js';
import {costBetween, rateOf} from './quote.js';
import type {Movement, Movements} from './evidence.js';

/** The source of a statement. */
export type Witness =
  /** This browser read it from the chain. */
  | 'chain'
  /** The service reported it, and nobody else was asked. */
  | 'service'
  /** This browser stored it when it happened. */
  | 'browser';

/** Whether the secret is the preimage of both legs' hash. `unchecked`: not revealed, or hashing is not possible here. */
export type SecretProof = 'matches' | 'differs' | 'unchecked';

/** One line of a receipt: a fact, and its source. Texts are on one line, and foreign if the service is the witness. */
export type ReceiptLine = {readonly witness: Witness} & (
  | {readonly fact: 'sent' | 'received' | 'gotBack'; readonly amount: bigint; readonly asset: Asset | undefined}
  | {readonly fact: 'paid' | 'payout' | 'refund'; readonly hashes: readonly string[]; readonly chain: Chain | undefined}
  | {readonly fact: 'order' | 'from' | 'to' | 'sourceHash' | 'destinationHash'; readonly text: string}
  | {readonly fact: 'placed'; readonly at: number}
  | {readonly fact: 'took'; readonly milliseconds: number}
  /** How much of `to` one whole unit of `from` bought, in the smallest unit of `to`. */
  | {readonly fact: 'rate'; readonly rate: bigint; readonly from: Asset; readonly to: Asset}
  /** Values at the time, in hundredths of the service's currency; the cost is the difference. */
  | {readonly fact: 'paidValue' | 'receivedValue' | 'cost'; readonly cents: bigint}
  | {readonly fact: 'partnerFees'; readonly bps: number}
  | {readonly fact: 'secret'; readonly proof: SecretProof}
  /** It was not fully verified before it was paid, and the visitor said yes to that. */
  | {readonly fact: 'verified'; readonly isVerified: false}
);

export interface ReceiptFacts {
  readonly order: Order;
  readonly own?:
    {readonly placedAt: number; readonly agreed: Agreement; readonly unverified?: boolean | undefined} | undefined;
  readonly money: Movements;
  readonly from: Asset | undefined;
  readonly to: Asset | undefined;
  readonly proof: SecretProof;
}

export function receiptLines({order, own, money, from, to, proof}: ReceiptFacts): readonly ReceiptLine[] {
  const {source, destination} = order;
  const written: Witness = own ? 'browser' : 'service';
  const text = (fact: 'order' | 'from' | 'to', value: string) => ({fact, text: foreignLine(value), witness: written});
  const event = (fact: 'paid' | 'payout' | 'refund', at: Chain | undefined, {hashes, onChain}: ChainEvent) => ({
    fact,
    hashes: hashes.map(foreignLine),
    chain: at,
    witness: onChain ? ('chain' as const) : ('service' as const),
  });
  const {paidIn, paidOut, paidBack} = money;
  const by = ({certainty}: Movement): Witness => (certainty === 'proved' ? 'chain' : 'service');
  const bps = totalBps(own?.agreed.affiliateFees ?? []);
  const took = travelTime(order, destination.redeemed?.at);
  const lines: (ReceiptLine | false | undefined)[] = [
    text('order', order.id),
    {fact: 'placed', at: own?.placedAt ?? order.createdAt, witness: written},
    source.initiated && {fact: 'sent', amount: source.filled, asset: from, witness: by(paidIn)},
    text('from', own?.agreed.owner ?? source.initiator),
    source.initiated && event('paid', from?.chain, source.initiated),
    own?.unverified === true && {fact: 'verified', isVerified: false, witness: 'browser'},
    destination.redeemed && {fact: 'received', amount: paidOut.amount, asset: to, witness: by(paidOut)},
    destination.redeemed && text('to', own?.agreed.recipient ?? destination.redeemer),
    destination.redeemed && event('payout', to?.chain, destination.redeemed),
    ...(destination.redeemed ? priceLines({order, money, from, to}) : []),
    bps > 0 && {fact: 'partnerFees', bps, witness: 'browser'},
    took !== undefined && {fact: 'took', milliseconds: took, witness: 'service'},
    source.refunded && {fact: 'gotBack', amount: paidBack.amount, asset: from, witness: by(paidBack)},
    source.refunded && event('refund', from?.chain, source.refunded),
    source.secretHash !== '' && {fact: 'sourceHash', text: foreignLine(source.secretHash), witness: 'service'},
    destination.secretHash !== '' && {
      fact: 'destinationHash',
      text: foreignLine(destination.secretHash),
      witness: 'service',
    },
    destination.redeemed && {fact: 'secret', proof, witness: paidOut.secret === undefined ? 'service' : 'chain'},
  ];
  return lines.filter(line => line !== undefined && line !== false);
}

export interface PaidPrice {
  /** How much of `to` one whole unit of `from` bought, in the smallest unit of `to`. */
  readonly rate: bigint;
  /** Whether chains show both amounts, or the service reported one of them. */
  readonly witness: 'chain' | 'service';
  /** The values paid and received at the service's prices of that time, in hundredths; absent if it returned none. */
  readonly paidValue: bigint | undefined;
  readonly receivedValue: bigint | undefined;
}

export function priceOf({
  order,
  money,
  from,
  to,
}: Pick<ReceiptFacts, 'order' | 'money' | 'from' | 'to'>): PaidPrice | undefined {
  const {source, destination} = order;
  const {paidIn, paidOut} = money;
  // A surplus is refunded.
  const paid = paidIn.amount && paidIn.amount < source.amount ? paidIn.amount : source.amount;
  const received = paidOut.amount || destination.amount;
  if (!from || !to || paid <= 0n) return undefined;
  const isSeen = paidIn.certainty === 'proved' && paidOut.certainty === 'proved';
  return {
    rate: rateOf({source: {amount: paid}, destination: {amount: received}}, from),
    witness: isSeen ? 'chain' : 'service',
    paidValue: valueAt(paid, from, source.assetPrice),
    receivedValue: valueAt(received, to, destination.assetPrice),
  };
}

function priceLines(facts: Omit<ReceiptFacts, 'proof' | 'own'>): readonly ReceiptLine[] {
  const {from, to} = facts;
  const price = priceOf(facts);
  if (!from || !to || !price) return [];
  const {rate, witness, paidValue, receivedValue} = price;
  const cost = costBetween(paidValue, receivedValue);
  const value = (fact: 'paidValue' | 'receivedValue' | 'cost', cents: bigint): ReceiptLine => ({
    fact,
    cents,
    witness: 'service',
  });
  return [
    {fact: 'rate', rate, from, to, witness},
    ...(paidValue === undefined ? [] : [value('paidValue', paidValue)]),
    ...(receivedValue === undefined ? [] : [value('receivedValue', receivedValue)]),
    ...(cost ? [value('cost', cost.total)] : []),
  ];
}

const PRICE_DECIMALS = 8;

/** The value of an amount, in hundredths, at the price of one whole unit; `undefined` if that price says nothing of it. */
function valueAt(amount: bigint, {decimals}: Asset, price: number | undefined): bigint | undefined {
  const scaled = Math.round((price ?? 0) * 10 ** PRICE_DECIMALS);
  if (!Number.isFinite(scaled) || scaled <= 0) return undefined;
  const unit = 10n ** BigInt(decimals + PRICE_DECIMALS - 2);
  return (amount * BigInt(scaled) + unit / 2n) / unit || undefined;
}

export type Sha256 = (bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>;

/** As revealed by the chain or else by the service. Never rejects: if hashing is not possible, it is `unchecked`. */
export async function proveSecret(
  {source, destination}: Order,
  {paidOut}: Movements,
  sha256: Sha256 | undefined,
): Promise<SecretProof> {
  const secret = paidOut.secret || destination.secret || source.secret;
  if (!sha256 || !/^(?:[\da-f]{2}){1,64}$/.test(secret)) return 'unchecked';
  try {
    const bytes = Uint8Array.from(secret.match(/../g) ?? [], pair => Number.parseInt(pair, 16));
    const digest = new Uint8Array(await sha256(bytes));
    const hash = Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
    return source.secretHash === hash && destination.secretHash === hash ? 'matches' : 'differs';
  } catch {
    return 'unchecked';
  }
}
