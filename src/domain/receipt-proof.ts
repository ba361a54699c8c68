import type {Certainty, DepositOnChain, Movement} from './evidence.js';
import {EVENTS, SIDES, type Receipt, type ReceiptEvent, type ReceiptField, type Side} from './receipt-file.js';
import type {SecretProof} from './receipt.js';

/* Which fields of a receipt its chains prove, given the evidence of its two legs. */

/** Why a line is not `proved`, or a remark on a proved one. */
export type ReceiptReason =
  /** There is no way to read its chain. */
  | 'unread'
  /** Reading its chain failed, or its RPCs contradict each other: try again. */
  | 'failed'
  /** No chain stores it, or not before something is paid: it rests on the receipt's author. */
  | 'own-word'
  /** The chain shows such money, but nothing ties it to this swap. */
  | 'untied'
  /** The chain shows the movement, but not this detail. */
  | 'silent'
  /** The swap contract is unknown here, so what it shows does not count. */
  | 'unknown-contract'
  /** The chain has no swap with these terms: at least one of them is wrong. */
  | 'no-such-swap'
  /** The chain was read, and shows no such movement, or none tied to this swap. */
  | 'not-there'
  /** The chain shows another value (`shows`). */
  | 'differs'
  /** The address received more later (`shows`): anybody can pay to it. */
  | 'more'
  /** The payout is from before the swap. */
  | 'earlier'
  /** It is not the preimage of the secret hash. */
  | 'wrong-secret'
  /** Less arrived than was agreed. */
  | 'less'
  /** The receipt omits what the chain shows (`shows`). */
  | 'left-out';

/** One line of a receipt, and its verification. */
export interface ReceiptLine {
  /** Its path in the file: `source.paid.hashes`. */
  readonly field: ReceiptField;
  /** The receipt's value: amounts in the smallest unit, hashes separated by spaces, times as in the file. */
  readonly says: string;
  /** The chain's value, if it shows one. */
  readonly shows?: string;
  /**
   * `proved`: the chain shows it, tied to this swap. `told`: only the receipt states it. `denied`: the chain was read,
   * and shows otherwise. `waiting`: reading failed for now.
   */
  readonly certainty: Exclude<Certainty, 'none'>;
  /** Absent on a line that is proved. */
  readonly reason?: ReceiptReason;
}

/** What is known of one leg. */
export interface LegShown {
  readonly paid: Movement;
  readonly back: Movement;
  /** What its chain last showed of the payment into it. */
  readonly deposit: DepositOnChain | undefined;
  /** Whether it is paid to an address, which records neither the payer nor the agreed amount. */
  readonly isByAddress: boolean;
  /** Whether the receipt's contract is unknown here. */
  readonly isForeign: boolean;
}

/** What is known of a swap. */
export interface SwapShown {
  readonly source: LegShown;
  readonly destination: LegShown;
  /** The payout to the recipient. */
  readonly out: Movement;
  /** Whether the payout is real but from before the swap. */
  readonly isEarlier: boolean;
  readonly secret: SecretProof;
}

type Verdict = Pick<ReceiptLine, 'certainty' | 'shows' | 'reason'>;

const PROVED: Verdict = {certainty: 'proved'};
const OWN_WORD: Verdict = {certainty: 'told', reason: 'own-word'};
const SILENT: Verdict = {certainty: 'told', reason: 'silent'};

const differs = (shows: string): Verdict => ({certainty: 'denied', reason: 'differs', shows});
const more = (shows: string): Verdict => ({certainty: 'told', reason: 'more', shows});

/** The lines of a receipt: each of its fields, and what the chains show that it omits. */
export function judgeReceipt(receipt: Receipt, shown: SwapShown): readonly ReceiptLine[] {
  return [
    ...wholeLines(receipt, shown),
    ...SIDES.flatMap(side => [...termLines(receipt, shown, side), ...eventLines(receipt, shown, side)]),
  ];
}

/**
 * The lines of a receipt some of whose terms are wrong, given those of the receipt with the right ones: what the two say
 * differently is denied, and nothing else because of it.
 */
export function nameWrong(lines: readonly ReceiptLine[], right: readonly ReceiptLine[]): readonly ReceiptLine[] {
  const said = new Map(lines.map(({field, says}) => [field, says]));
  return right.map(line => {
    const says = said.get(line.field);
    return says === undefined || says === line.says ? line : {field: line.field, says, ...differs(line.says)};
  });
}

/**
 * The verdict on a receipt: `denied` if any line is, otherwise `waiting` if any line is. `proved` if every line is,
 * except those that no chain stores (`own-word`). Otherwise `told`.
 */
export function verdictOf(lines: readonly ReceiptLine[]): ReceiptLine['certainty'] {
  const left = lines.filter(({reason}) => reason !== 'own-word').map(({certainty}) => certainty);
  return worst(left);
}

function worst(all: readonly ReceiptLine['certainty'][]): ReceiptLine['certainty'] {
  const order = ['denied', 'waiting', 'told'] as const;
  return order.find(one => all.includes(one)) ?? 'proved';
}

/** A movement's certainty, with the reason if it is not proved. */
function verdict({certainty, untied}: Movement, denied: ReceiptReason): Verdict {
  switch (certainty) {
    case 'proved':
      return PROVED;
    case 'denied':
      return {certainty, reason: denied};
    case 'waiting':
      return {certainty, reason: 'failed'};
    case 'told':
      return {certainty, reason: untied ? 'untied' : 'unread'};
    case 'none':
      return OWN_WORD;
  }
}

/** What ties a leg's terms: the contract's own record, or the address that derives from them. */
function tieOf({paid, isForeign}: LegShown): Verdict {
  const tie = verdict(paid, 'no-such-swap');
  return tie.reason === 'unread' && isForeign ? {certainty: 'told', reason: 'unknown-contract'} : tie;
}

function line(field: ReceiptField, says: unknown, judged: Verdict): readonly ReceiptLine[] {
  return says === undefined ? [] : [{field, says: textOf(says), ...judged}];
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/** The lines for what both legs have in common. */
function wholeLines(
  {placedAt, secretHash, secret, recipient, atLeast}: Receipt,
  {source, destination, out, isEarlier, secret: proof}: SwapShown,
): readonly ReceiptLine[] {
  const ties = [tieOf(source), out.certainty === 'proved' ? PROVED : tieOf(destination)];
  // A leg that nobody paid into proves nothing.
  const paid = ties.filter(({reason}) => reason !== 'own-word');
  const hash = paid.find(({certainty}) => certainty === worst(paid.map(one => one.certainty))) ?? OWN_WORD;
  const isLess = atLeast !== undefined && out.certainty === 'proved' && out.amount < atLeast;
  return [
    ...line(
      'placedAt',
      new Date(placedAt).toISOString(),
      isEarlier ? {certainty: 'denied', reason: 'earlier'} : OWN_WORD,
    ),
    ...line('recipient', recipient, verdict(out, 'not-there')),
    ...line('atLeast', atLeast, isLess ? {certainty: 'denied', reason: 'less', shows: textOf(out.amount)} : OWN_WORD),
    ...line('secretHash', secretHash, hash),
    ...line('secret', secret, judgeSecret(secret, out, proof)),
  ];
}

function judgeSecret(secret: string | undefined, out: Movement, proof: SecretProof): Verdict {
  const {secret: shows} = out;
  if (shows !== undefined && shows !== secret) return differs(shows);
  if (proof === 'differs') return {certainty: 'denied', reason: 'wrong-secret'};
  if (shows !== undefined) return PROVED;
  return out.certainty === 'proved' ? SILENT : verdict(out, 'not-there');
}

/** The lines for the terms of a leg. */
function termLines(receipt: Receipt, shown: SwapShown, side: Side): readonly ReceiptLine[] {
  const {asset, contract, initiator, redeemer, delegate, timelock, amount} = receipt[side];
  const leg = shown[side];
  const tie = tieOf(leg);
  const isOut = side === 'destination' && shown.out.certainty === 'proved';
  return [
    // A payout of this very asset, with the secret, proves that the leg was in it.
    ...line(`${side}.asset`, asset, isOut && tie.certainty === 'told' ? PROVED : tie),
    ...line(`${side}.contract`, contract, tie),
    ...line(`${side}.initiator`, initiator, leg.isByAddress && side === 'source' ? payerOf(leg) : tie),
    ...line(`${side}.redeemer`, redeemer, takerOf(receipt, shown, side)),
    ...line(`${side}.delegate`, delegate, tie),
    ...line(`${side}.timelock`, timelock, tie),
    ...line(`${side}.amount`, amount, leg.isByAddress && tie === PROVED ? amountAt(amount, leg) : tie),
  ];
}

/** An address records no payer; only a refund shows whose money it was. */
function payerOf({back}: LegShown): Verdict {
  return back.certainty === 'proved' ? PROVED : OWN_WORD;
}

/** If the other side pays to an address, the redeemer is not among its terms: the payout shows it. */
function takerOf({recipient, destination}: Receipt, shown: SwapShown, side: Side): Verdict {
  const tie = tieOf(shown[side]);
  if (side === 'source' || !shown.destination.isByAddress) return tie;
  const isPayee = recipient === undefined || recipient === destination.redeemer;
  return isPayee ? verdict(shown.out, 'not-there') : OWN_WORD;
}

function amountAt(amount: bigint, {deposit}: LegShown): Verdict {
  const shows = deposit?.amount;
  if (shows === undefined) return SILENT;
  if (shows === amount) return PROVED;
  return shows > amount ? more(textOf(shows)) : differs(textOf(shows));
}

/** A chain's details of a movement. */
type Named = {readonly [Part in 'amount' | 'hashes' | 'block']?: DepositOnChain[Part] | undefined};

/** The lines for the movements of a leg's money. */
function eventLines(receipt: Receipt, shown: SwapShown, side: Side): readonly ReceiptLine[] {
  const leg = shown[side];
  const {deposit} = leg;
  return EVENTS.flatMap(name => {
    const event = receipt[side][name];
    switch (name) {
      case 'paid':
        return compare(event, deposit, leg.paid, leg.isByAddress);
      case 'refunded':
        return compare(event, deposit?.end, leg.back);
      case 'redeemed':
        return side === 'destination'
          ? compare(event, shown.out.event && {...shown.out.event, amount: shown.out.amount}, shown.out)
          : compare(event, {hashes: deposit?.end?.hashes, block: deposit?.end?.block}, takenOf(leg));
    }

    function compare(
      said: ReceiptEvent | undefined,
      named: Named | undefined,
      movement: Movement,
      isOpen = false,
    ): readonly ReceiptLine[] {
      const path = `${side}.${name}` as const;
      const isProved = movement.certainty === 'proved';
      if (!said) {
        if (name !== 'refunded' || !isProved) return [];
        return [
          {field: `${path}.amount`, says: '', shows: textOf(movement.amount), certainty: 'denied', reason: 'left-out'},
        ];
      }
      if (!isProved) {
        const tie = tieOf(leg);
        const isItsWord = movement.certainty === 'told' || movement.certainty === 'none';
        const judged = isItsWord && tie.reason === 'unknown-contract' ? tie : verdict(movement, 'not-there');
        return Object.entries(said).flatMap(([part, says]) => line(`${path}.${part}` as ReceiptField, says, judged));
      }
      const {amount, hashes, block} = named ?? {};
      const isJoined =
        isOpen && hashes !== undefined && hashes.length > said.hashes.length && holds(hashes, said.hashes);
      return [
        ...line(
          `${path}.amount`,
          said.amount,
          held(said.amount, amount, isJoined && (amount ?? 0n) >= (said.amount ?? 0n)),
        ),
        ...line(`${path}.hashes`, said.hashes, hashesHeld(said.hashes, hashes, isJoined)),
        ...line(`${path}.block`, said.block, held(said.block, block, isJoined)),
      ];
    }
  });
}

/** Whether the redeemer got what was paid in, judging by how it ended. */
function takenOf({paid, deposit}: LegShown): Movement {
  const how = deposit?.end?.how;
  if (how === 'redeemed') return {certainty: 'proved', amount: 0n};
  if (how === 'refunded' || deposit?.isHeld === true) return {certainty: 'denied', amount: 0n};
  return paid.certainty === 'proved' ? {certainty: 'told', amount: 0n} : paid;
}

function held(says: bigint | undefined, shows: bigint | undefined, isJoined: boolean): Verdict {
  if (shows === undefined) return SILENT;
  if (shows === says) return PROVED;
  return isJoined ? more(textOf(shows)) : differs(textOf(shows));
}

function hashesHeld(says: readonly string[], shows: readonly string[] | undefined, isJoined: boolean): Verdict {
  if (!shows?.length) return SILENT;
  if (isJoined) return more(textOf(shows));
  return holds(shows, says) && holds(says, shows) ? PROVED : differs(textOf(shows));
}

/** Whether all of some hashes are among others. */
function holds(all: readonly string[], some: readonly string[]): boolean {
  const plain = new Set(all.map(plainHash));
  return some.every(hash => plain.has(plainHash(hash)));
}

/** A hash in one form: letter case and leading zeros of hex digits do not matter. */
function plainHash(hash: string): string {
  const [, digits] = /^(?:0x0*|(?=[0-9a-f]{64}$))([0-9a-f]+)$/i.exec(hash) ?? [];
  return digits?.toLowerCase() ?? hash;
}
