/** The checks and their results: one line for each check, however often it is made. */
import type {Difference} from './shapes.js';

/**
 * What requires it: the specification; browsers, so that pages can use the service; or the widget. What is `known` to it
 * of contracts nobody has to follow: a deposit in another form is unverified, and no difference.
 */
export type By = 'specification' | 'browsers' | 'widget' | 'known';

const by =
  (asks: By) =>
  (says: string): {readonly by: By; readonly says: string} => ({by: asks, says});
const [specification, browsers, widget, known] = [by('specification'), by('browsers'), by('widget'), by('known')];

export const CHECKS = {
  'reach.answers': widget('each request is answered'),
  'reach.time': widget('answers come within 10 seconds, of orders and signatures within 45'),
  'cors.preflight': browsers('the preflight of each endpoint succeeds, without a redirect'),
  'cors.origin': browsers('preflights allow the page’s origin'),
  'cors.headers': browsers('preflights allow the app id’s header, and content-type'),
  'cors.methods': browsers('preflights allow PATCH'),
  'cors.answers': browsers('answers can be read by a page of another origin'),
  'cors.errors': browsers('so can errors'),
  'cache.read': widget('no cache keeps an order as it was'),
  'envelope.http': widget('a success has an HTTP status of 2xx'),
  'envelope.type': specification('answers are called application/json'),
  'envelope.json': specification('answers are JSON'),
  'envelope.status': specification('status is the string Ok'),
  'envelope.result': specification('there is a result'),
  'quote.fields': specification('each quote has all fields, of their types'),
  'quote.offers': specification('there is at least one quote for each pair, of more than nothing'),
  'quote.asked': specification('both sides repeat what was asked for'),
  'quote.display': specification('display is the amount in whole units'),
  'quote.cost': specification('the destination is worth less than the source'),
  'fees.quote': specification('a quote with an affiliate fee is lower by it'),
  'fees.order': specification('an order takes several affiliate fees'),
  'fees.read': specification('an order lists its affiliate fees, and an empty list if there are none'),
  'errors.asset': specification('an unknown asset is refused'),
  'errors.amount': specification('no amount, and one that is no whole number, are refused'),
  'errors.order': specification('an order that lacks its destination is refused'),
  'errors.owner': widget('an owner that is no address of its chain is refused'),
  'errors.unknown': specification('an unknown order is refused'),
  'errors.json': specification('errors are JSON, too'),
  'errors.status': widget('a refusal is no 5xx: the widget would ask again'),
  'order.bitcoin': specification('a Bitcoin order says where to pay how much'),
  'order.evm': specification('an EVM order has a transaction and typed data, with all fields'),
  'order.solana': specification('a Solana order has a transaction in hex'),
  'order.starknet': specification('a Starknet order has a call and typed data, with all fields'),
  'deposit.call': known('the deposit calls the known form of the contract'),
  'deposit.typed-data': known('typed data is for the known contract: HTLC, version 2, on Starknet 1'),
  'deposit.same': specification('transaction and typed data say the same'),
  'deposit.chain': specification('the deposit is for the source’s chain'),
  'deposit.amount': specification('the deposit has the amount that was ordered'),
  'deposit.order': specification('the deposit locks what the order says: redeemer, timelock, secret hash'),
  'deposit.script': known('a Bitcoin address is the known tapscript over the order’s own keys'),
  'deposit.timelock': widget('the destination is locked for a shorter time than the source'),
  'read.order': specification('an order has all fields, of their types'),
  'read.source': specification('so has its source leg'),
  'read.destination': specification('so has its destination leg'),
  'read.bitcoin': specification('delegate and instant_refund_tx are on Bitcoin legs only'),
  'read.id': specification('the order read is the one asked for'),
  'read.agreed': specification('its legs have the assets, amounts and owners that were ordered'),
  'read.hash': specification('both legs have the same secret hash'),
  'initiate.served': specification('signatures are taken where there is typed data'),
  'initiate.refuses': specification('a signature by nobody is refused, and changes nothing'),
  'states.fresh': specification('of an unpaid order nothing has happened, and its secret is not known'),
  'states.order': specification('each step follows the one before'),
  'states.secret': specification('the secret is known once a leg is redeemed, is the same on both, and has its hash'),
  'states.served': specification('a paid order completes, or is refunded, while it is followed'),
} as const satisfies Record<string, {readonly by: By; readonly says: string}>;

export type CheckId = keyof typeof CHECKS;

export interface Found extends Difference {
  readonly request: string;
}

export interface CheckResult {
  readonly id: CheckId;
  readonly by: By;
  readonly says: string;
  /** `unverified`: not what the widget knows, which asks its visitors about that or stops (its setting `unverified`). */
  readonly outcome: 'same' | 'differs' | 'unverified' | 'untested';
  readonly found: readonly Found[];
}

export interface Findings {
  /** Records that a check was made, and the differences that it found. */
  add(id: CheckId, request: string, differences: readonly Difference[]): void;
  /** Something that the specification leaves open, or does not have. */
  note(text: string): void;
  results(): readonly CheckResult[];
  notes(): readonly string[];
}

export function createFindings(): Findings {
  const made = new Map<CheckId, Map<string, Found>>();
  const notes = new Set<string>();
  return {
    add(id, request, differences) {
      const found = made.get(id) ?? new Map<string, Found>();
      made.set(id, found);
      // A difference in each element of a list, or in each response, is reported once.
      for (const one of differences) {
        const key = one.at.replaceAll(/\[\d+\]/g, '[]') + one.expected;
        if (!found.has(key)) found.set(key, {...one, request});
      }
    },
    note: text => void notes.add(text),
    notes: () => [...notes],
    results: () =>
      (Object.keys(CHECKS) as CheckId[]).map(id => {
        const found = made.get(id);
        return {
          id,
          ...CHECKS[id],
          outcome: !found ? 'untested' : !found.size ? 'same' : CHECKS[id].by === 'known' ? 'unverified' : 'differs',
          found: [...(found?.values() ?? [])],
        };
      }),
  };
}
