import type {Asset, Catalogue} from '../../domain/asset.js';
import {causeOf} from '../../domain/deposit.js';
import type {Movement} from '../../domain/evidence.js';
import {foreignText} from '../../domain/foreign.js';
import {allowanceOf, isUnclear, openPayment, wasAllowed} from '../../domain/funding.js';
import {isPart} from '../../domain/order.js';
import {isTerminal, type Stage} from '../../domain/stage.js';
import type {Messages} from '../../locales/messages.js';
import type {JournalEntry} from '../../session/order/journal.js';
import type {ShownOrder} from '../../session/session.js';
import {time} from '../base/time.js';
import {aboutAmount, amountText, mono, pieces, sentences, sentencesText} from '../base/words.js';
import type {Level} from '../style/notice.js';

/*
 * What is told of an order, in words that are made once for the eye and the ear: views draw them, the live region says
 * them.
 */

/** The terms of a swap: as agreed in this browser, otherwise according to the service. */
export interface Swap {
  readonly from: Asset | undefined;
  readonly to: Asset | undefined;
  readonly amount: bigint;
  readonly receive: bigint;
  readonly payer: string;
  readonly recipient: string;
}

export function swapOf({deal, story}: ShownOrder, catalogue: Catalogue | undefined): Swap | undefined {
  if (deal) {
    const {from, to, amount, receive, owner, recipient} = deal.agreed;
    return {from, to, amount, receive, payer: owner, recipient};
  }
  if (!story?.order || !catalogue) return undefined;
  const {source, destination} = story.order;
  return {
    from: catalogue.find(source.asset),
    to: catalogue.find(destination.asset),
    amount: source.amount,
    receive: destination.amount,
    payer: foreignText(source.initiator),
    recipient: foreignText(destination.redeemer),
  };
}

export interface Telling {
  readonly placed: ShownOrder;
  readonly swap: Swap;
  readonly locale: string;
  readonly t: Messages;
}

/** Whether at most the time of the last read has changed. */
export function isAsBefore(now: ShownOrder | undefined, before: ShownOrder | undefined): boolean {
  if (!now || !before) return now === before;
  const isReadAgain = now.reading.state === 'ready' && before.reading.state === 'ready';
  const names = Object.keys({...before, ...now}) as (keyof ShownOrder)[];
  return names.every(name => name === 'readAt' || (name === 'reading' && isReadAgain) || now[name] === before[name]);
}

/* -- what is unusual -------------------------------------------------------------------------------------------------------- */

export interface News {
  readonly title: string;
  readonly why: unknown;
  readonly level: Level;
  readonly said: string;
}

function news(title: string, why: string, level: Level = 'info'): News {
  return {title, why, level, said: sentencesText(title, why)};
}

/** The most urgent of what is unusual about an open swap, if anything is. */
export function newsOf(telling: Telling): readonly News[] {
  const {placed, t} = telling;
  const {movedBackFrom, story} = placed;
  if (story?.note?.kind === 'disputed') return disputeIn(telling);
  if (movedBackFrom && isTerminal(movedBackFrom))
    return payoutDenied(telling).length ? [] : [news(t.endTakenBack, t.endTakenBackWhy, 'caution')];
  // In a block it is on its way all the same.
  if (movedBackFrom && story?.paidIn.event?.block === undefined)
    return [movedBackFrom === 'deposit-seen' ? news(t.gone, t.goneWhy) : news(t.movedBack, t.movedBackWhy)];
  return noteIn(telling);
}

export function payoutDenied({placed: {story}, swap: {to}, locale, t}: Telling): readonly News[] {
  if (story?.paidOut.certainty !== 'denied' || !to) return [];
  const title = t.payoutDenied({network: to.chain.title});
  const {untied} = story.paidOut;
  const less = untied && {amount: amountText(untied, to, locale), symbol: to.symbol};
  return [{...news(title, less ? t.payoutDeniedLess(less) : t.payoutDeniedWhy, 'caution'), said: title}];
}

export function disputeIn({placed: {story}, swap, t}: Telling): readonly News[] {
  if (story?.note?.kind !== 'disputed') return [];
  const chain = (story.note.of === 'target' ? swap.to : swap.from)?.chain;
  return chain ? [news(t.disputed({network: chain.title}), t.disputedWhy, 'caution')] : [];
}

export function noteIn(telling: Telling): readonly News[] {
  const {placed, swap, locale, t} = telling;
  const {deal, story} = placed;
  if (!deal || !story?.note) return [];
  const {note, paidIn, mayBeLost} = story;
  switch (note.kind) {
    case 'changed':
    case 'replaced':
    case 'gone':
      return [news(t[note.kind], t[`${note.kind}Why`])];
    case 'part': {
      const title = partText(note.amount, telling);
      return [{...news(title, t.partlyWhy), said: title}];
    }
    case 'surplus': {
      const {symbol = '', decimals = 0} = swap.from ?? {};
      const title = t.paidMore({amount: amountText(note.amount, {decimals}, locale), symbol});
      const back = mayBeLost ? t.unverifiedBack : pieces(t.paidMoreWhy, {address: mono(swap.payer)});
      const why = sentences(back, paidIn.certainty === 'proved' ? '' : t.serviceSaysSo);
      return [{title, why, level: 'info', said: attributed(title, paidIn, t)}];
    }
    case 'disputed':
    case 'less':
    case 'untied':
      return [];
  }
}

/** How much has arrived so far: according to its chain, or to the service. */
export function partText(amount: bigint, {placed: {story}, swap, locale, t}: Telling): string {
  const {symbol = '', decimals = 0} = swap.from ?? {};
  const text = (some: bigint) => amountText(some, {decimals}, locale);
  const say = story?.paidIn.certainty === 'proved' ? t.partly : t.partlySays;
  return say({amount: text(amount), whole: text(swap.amount), symbol});
}

export function reasonOf({placed, t}: Telling): string {
  const {deal, placedAt, payUntil, story} = placed;
  const order = story?.order;
  if (order?.destination.refunded) return t.otherTookBack;
  if (order && isPart(order.source)) return t.tooLittle;
  const paidAt = order?.source.initiated?.at;
  const isLate = order && deal && paidAt !== undefined && paidAt - order.createdAt >= payUntil - placedAt;
  return isLate ? t.cameLate : t.otherDidNotPay;
}

export function failedText({story}: ShownOrder, t: Messages): string {
  return sentencesText(t.said.failed, story?.mayBeLost && !story.paidBack.event ? t.unverifiedBack : t.said.refunding);
}

/** What is asked about a payment that may have been sent: an answer is missing, or what was sent never arrived. */
export function unclearWords({funding}: ShownOrder, wallet: string, t: Messages) {
  const bySignature = openPayment(funding)?.kind === 'initiate';
  if (isUnclear(funding))
    return bySignature
      ? {heading: t.lostHeading, why: t.lostWhy}
      : {heading: t.unclearHeading, why: t.unclearWhy({wallet})};
  return bySignature
    ? {heading: t.signatureUnused, why: t.signatureUnusedWhy}
    : {heading: t.paymentNotSeen, why: t.paymentNotSeenWhy({wallet})};
}

/** What a contract that is not verified may take for an order, and why; nothing where nothing is allowed. */
export function riskOf(entry: JournalEntry, {locale, t}: Pick<Telling, 'locale' | 't'>): readonly string[] {
  const {amount, from} = entry.agreed;
  const allowed = allowanceOf(entry);
  const text = {amount: amountText(amount, from, locale), symbol: from.symbol};
  if (!allowed) return [];
  return allowed === 'given' ? [t.allowedRisk(text), t.allowedRiskWhy] : [t.allowRisk(text), t.allowRiskWhy];
}

/* -- what is said aloud ------------------------------------------------------------------------------------------------------ */

interface Circumstances {
  readonly wallet: string;
  readonly entry: JournalEntry | undefined;
  readonly isOver: boolean;
}

/** What is said of an order at its stage. Under way, its news are said once, too. */
export function saidOf(stage: Stage, telling: Telling, circumstances: Circumstances): string {
  const {placed, swap, locale, t} = telling;
  const {from, to} = swap;
  const {paidIn, paidOut, paidBack, order, note, actions, isCanceled} = placed.story ?? {};
  const about = (amount = 0n, asset: Asset | undefined) => ({
    amount: asset ? aboutAmount(amount, asset, locale) : '',
    symbol: asset?.symbol ?? '',
  });
  switch (stage) {
    case 'editing':
    case 'reviewing':
    case 'ordering':
      return '';
    case 'awaiting-deposit':
      return questionSaid(telling) || depositSaid(telling, circumstances);
    case 'funding':
      return questionSaid(telling) || fundingSaid(telling, circumstances);
    case 'deposit-seen':
      return attributed(t.said.seen, paidIn, t);
    case 'confirming':
      return attributed(t.said.confirming, paidIn, t);
    case 'settling':
      return attributed(t.said.settling({symbol: to?.symbol ?? ''}), paidIn, t);
    case 'complete': {
      const received = attributed(t.said.received(about(paidOut?.amount || order?.destination.amount, to)), paidOut, t);
      return sentencesText(
        received,
        note?.kind === 'less' ? t.lessThanAgreed : note?.kind === 'untied' ? t.untied : '',
      );
    }
    case 'refunding':
      return actions?.includes('refund') && !paidBack?.event ? t.said.refundOpen : failedText(placed, t);
    case 'refunded':
      return attributed(t.said.refunded(about(paidBack?.amount || order?.source.amount, from)), paidBack, t);
    case 'expired':
      return t.said.expired;
    case 'stopped':
      return isCanceled ? canceledSaid(telling, circumstances) : stoppedSaid(telling);
  }
}

/** A statement about money, with its source unless its chain shows it. */
function attributed(text: string, movement: Movement | undefined, t: Messages): string {
  return movement?.certainty === 'proved' ? text : sentencesText(text, t.serviceSaysSo);
}

function paid({swap: {amount, from}, locale}: Telling): {amount: string; symbol: string} {
  return {amount: from ? amountText(amount, from, locale) : '', symbol: from?.symbol ?? ''};
}

function questionSaid(telling: Telling): string {
  const {placed, t} = telling;
  const {deal, question, funding} = placed;
  if (!deal || !question || funding.busy || funding.asking) return '';
  const {amount, symbol} = paid(telling);
  return sentencesText(t.notVerified, `${t.canBeLost} ${amount} ${symbol}`);
}

function depositSaid(telling: Telling, {isOver}: Circumstances): string {
  const {placed, swap, locale, t} = telling;
  const {deal, funding, story, report, payUntil} = placed;
  const network = swap.from?.chain.title ?? '';
  if (!deal) return t.stages['awaiting-deposit'];
  if (funding.elsewhere) return t.elsewhereHeading;
  if (funding.move === 'asking') return t.switchTo({network});
  // The wallet is asked next, which is announced then.
  if (deal.deposit.how !== 'transfer') return '';
  if (story?.paidIn.certainty === 'denied') return t.paymentDenied({network});
  const [noted] = noteIn(telling);
  if (noted) return noted.said;
  if (report?.outcome !== 'passed' && report?.outcome !== 'unverified') return t.checking;
  const until = time(payUntil, locale);
  return isOver
    ? sentencesText(t.timeOver({time: until}), t.doNotSendAnyMore)
    : t.said.send({...paid(telling), time: until});
}

function fundingSaid(telling: Telling, {wallet}: Circumstances): string {
  const {placed, t} = telling;
  const {asking, unclear, sent, funding} = placed.funding;
  if (!placed.deal) return t.stages.funding;
  if (unclear) return unclearWords(placed, wallet, t).heading;
  if (asking && asking !== 'initiate') return t.said.asked({kind: asking, wallet, ...paid(telling)});
  return sent || funding ? t.said.sent : '';
}

function stoppedSaid({placed: {report}, t}: Telling): string {
  return report && causeOf(report)?.outcome === 'unverified' ? t.unverifiedStops : t.said.stopped;
}

function canceledSaid(telling: Telling, {entry}: Circumstances): string {
  const {placed, t} = telling;
  if (placed.deal?.deposit.how === 'transfer') return sentencesText(t.youCanceled, t.doNotSendAnyMore);
  // A contract that is not verified may have taken what it was allowed to.
  if (!entry?.unverified || !wasAllowed(entry)) return sentencesText(t.youCanceled, t.money.deposit);
  const isTakenBack = entry.walletRequests.some(({kind, hash}) => kind === 'revoke' && hash !== undefined);
  const [risk = isTakenBack ? t.takenBack : ''] = riskOf(entry, telling);
  return sentencesText(t.youCanceled, risk);
}
