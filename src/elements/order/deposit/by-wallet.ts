import {html} from 'lit';
import type {WalletRequestKind} from '../../../domain/deposit.js';
import {SwapError} from '../../../domain/error.js';
import {foreignText} from '../../../domain/foreign.js';
import {givesAllowance} from '../../../domain/funding.js';
import type {Messages} from '../../../locales/messages.js';
import type {FundingProgress} from '../../../session/session.js';
import {note} from '../../base/error-note.js';
import {countdown} from '../../base/format.js';
import type {FrameContent} from '../../base/swap-view.js';
import {amountText, mono, pieces, sentencesText} from '../../base/words.js';
import {
  counting,
  errorNote,
  linkButton,
  primaryButton,
  renderRefundRight,
  step,
  steps,
  thread,
} from '../order-parts.js';
import {walletStep, type Step} from '../order-view.js';
import {
  hasLiveSignatureFor,
  isUnverified,
  mayBeGone,
  openAllowance,
  renderAllowance,
  renderLiveSignatures,
} from '../permissions.js';
import {renderRescue} from '../rescue-file.js';
import {checks} from './checks.js';
import {
  isOffline,
  isPayable,
  mayBePaid,
  payFrom,
  payingWallet,
  receiveAtLeast,
  renderCancel,
  renderFees,
  renderLock,
  renderTimeLeft,
  type Deposit,
} from './deposit.js';

interface RequestWords {
  readonly title: string;
  readonly why?: string;
  readonly button: string;
}

const REQUEST_WORDS: Readonly<
  Record<WalletRequestKind, (t: Messages, wallet: string, amount: string, symbol: string) => RequestWords>
> = {
  revoke: (t, wallet) => ({title: t.revokeTitle, why: t.revokeWhy, button: t.revokeButton({wallet})}),
  approve: (t, _, amount, symbol) => {
    const title = t.approveTitle({amount, symbol});
    return {title, why: sentencesText(t.approveWhy, t.sendWhy), button: title};
  },
  sign: (t, wallet) => ({title: t.signTitle({wallet}), why: t.signWhy, button: t.signTitle({wallet})}),
  send: (t, wallet) => ({title: t.sendTitle({wallet}), why: t.sendWhy, button: t.payWith({wallet})}),
  initiate: t => ({title: t.initiateTitle, why: t.initiateWhy, button: t.tryAgain}),
  refund: t => ({title: t.refundTitle, button: t.refundNow}),
};

/** After how long without a response the visitor is told to look for the wallet, in milliseconds. */
const LOOK_FOR_WALLET_MS = 15_000;

/** A deposit by wallet: its network switch and its requests as steps, and the button for the next one. */
export function renderByWallet(given: Deposit): FrameContent {
  const funding = withForeseen(given.funding);
  const deposit = {...given, funding};
  const {placed, deal, timed, locale, t} = deposit;
  const plan = planOf(funding);
  const moves = isMoving(funding);
  const at = moves ? -1 : positionIn(plan, funding);
  const kind = kindAt(plan, at, funding);
  const isReading = funding.foreseen === 'pending';
  const isLate = isPast(deposit);
  const isStopped = isLate && !mayBePaid(deposit);
  const isInTime = timed(now => now < placed.payUntil);
  // An address must not be copied while a wallet is prompting to pay to it.
  const isWorthKeeping =
    deal.deposit.how === 'wallet' && isLate && (mayBePaid(deposit) || (isInTime && isPayable(placed)));
  const signs = !isReading && (kind === 'sign' || kind === 'initiate');
  return {
    title: isTaken(deposit) ? t.stopped : moves ? t.switchNetworks : signs ? t.sign : t.pay,
    back: !funding.asking && !funding.busy,
    body: thread(
      locale,
      payFrom(deposit, t.youPay, {
        extra: isInTime && placed.report && !isTaken(deposit) ? renderTimeLeft(deposit) : '',
      }),
      html`${renderNotice(deposit)} ${renderRisk(deposit, plan)}
      ${isLate ? '' : html`${renderSteps(deposit, plan, at)} ${renderLock(deposit)} ${renderFees(deposit)}`}
      ${isLate && !placed.report ? '' : checks(placed.report, locale, t)}`,
      receiveAtLeast(deposit, isStopped ? t.youWouldHave : t.youReceiveAtLeast),
      isStopped ? 'stopped' : '',
    ),
    foot: renderFoot(deposit, plan, at, isWorthKeeping ? renderRescue(deposit, placed) : ''),
  };
}

function renderSteps(deposit: Deposit, plan: readonly WalletRequestKind[], at: number) {
  const {funding, deal, t} = deposit;
  const {from, to, recipient} = deal.agreed;
  const moves = isMoving(funding);
  const move = t.switchTo({network: from.chain.title});
  const sent = pieces(t.isSentTo, {symbol: to.symbol, address: mono(recipient)});
  const last = funding.walletRequests.at(-1);
  const waited = funding.asking && last ? counting(now => countdown(now - last.at)) : '';
  const requests = plan.map((each, index) => {
    const {title, why} = wordsOf(each, deposit);
    if (index === at) return step(t, 'now', title, why, waited);
    return each === 'initiate' ? '' : step(t, index < at ? 'done' : 'todo', title);
  });
  return steps(
    [
      funding.move ? step(t, moves ? 'now' : 'done', move, moves ? t.switchWhy : '') : '',
      requests,
      at >= plan.length && funding.foreseen !== 'pending' ? step(t, 'now', t.nothingMore, sent) : '',
    ],
    true,
  );
}

function wordsOf(kind: WalletRequestKind, deposit: Deposit): RequestWords {
  const {t, funding, locale} = deposit;
  const {amount: paid, from} = deposit.deal.agreed;
  const amount = amountText(paid, from, locale);
  const words = REQUEST_WORDS[kind](t, payingWallet(deposit), amount, from.symbol);
  if (kind !== 'send' || !funding.isBundle) return words;
  return {...words, title: t.bundleTitle({amount, symbol: from.symbol}), why: t.bundleWhy};
}

function isMoving({move}: FundingProgress): boolean {
  return move === 'asking' || move === 'wanted';
}

function isOver({placed, funding, timed}: Deposit): boolean {
  return !funding.busy && !funding.asking && timed(now => now >= placed.payUntil);
}

function isPast(deposit: Deposit): boolean {
  const {asking, busy, error, seen} = deposit.funding;
  return !asking && !busy && (error?.code === 'expired' || seen === 'expired' || isTaken(deposit) || isOver(deposit));
}

/** Whether the allowance is gone without a payment: this order is not paid again. */
function isTaken({funding: {error}}: Deposit): boolean {
  return error?.code === 'approval-failed' && error.field === 'taken';
}

function renderNotice(deposit: Deposit) {
  const {placed, funding, t} = deposit;
  const {refusedBecause, unsigned, walletRequests} = funding;
  const error = faultOf(deposit);
  const isLive = hasLiveSignatureFor(placed.id, deposit);
  if (refusedBecause !== undefined) {
    const said = [t.refusedTitle, t.refusedBecause({reason: foreignText(refusedBecause)})] as const;
    return funding.asking || funding.busy ? note(...said, 'caution') : renderLiveSignatures(deposit, placed.id, {said});
  }
  if (!error)
    return unsigned === undefined
      ? ''
      : note(t.unsignedTitle, unsigned === '0x' ? t.unsignedSmart : t.unsignedBecause({reason: foreignText(unsigned)}));
  // That no money was sent is not claimed where some may have been.
  if (error.code === 'offline' && !isLive && mayBePaid(deposit)) return note(t.offline, '');
  // A signature that was not submitted to the service moves no money, whatever the wallet's response.
  const isOfSignature =
    (error.code === 'wallet-unclear' || error.field === 'used') && walletRequests.at(-1)?.kind === 'sign';
  if (isLive || isOfSignature) return errorNote(error, isLive ? 'handed' : 'signature');
  return errorNote(error, openAllowance(deposit, placed.id) ? 'revoke' : 'deposit');
}

function renderRisk(deposit: Deposit, plan: readonly WalletRequestKind[]) {
  const {placed, deal, funding, locale, t} = deposit;
  if (isTaken(deposit) || !isUnverified(deposit, placed.id)) return '';
  const {amount, from} = deal.agreed;
  const last = funding.asking && funding.walletRequests.at(-1);
  const isGiving = last && givesAllowance(last, from.chain);
  const allowance = isGiving ? '' : renderAllowance(deposit, placed.id, {level: 'loss'});
  if (!isGiving && openAllowance(deposit, placed.id)) return allowance;
  if (!funding.isBundle && !plan.some(kind => givesAllowance({kind}, from.chain))) return allowance;
  const title = t.allowRisk({amount: amountText(amount, from, locale), symbol: from.symbol});
  return html`${allowance} ${note(title, t.allowRiskWhy, 'caution')}`;
}

/** What stands in the way. Being offline comes first, whatever the last try met. */
function faultOf(deposit: Deposit): SwapError | undefined {
  const {asking, busy, error} = deposit.funding;
  if (isOver(deposit)) return error && error.code !== 'offline' ? error : new SwapError('expired');
  if (isOffline(deposit) && !asking && !busy) return new SwapError('offline');
  return error;
}

/** The button, and below it a hint and how to cancel; once it is too late to pay, what to keep. */
function renderFoot(deposit: Deposit, plan: readonly WalletRequestKind[], at: number, rescue: unknown) {
  const {label, press} = nextStep(deposit, kindAt(plan, at, deposit.funding));
  const hint = deposit.isCanceling ? '' : renderHint(deposit, plan, at);
  const way = rescue || (isTaken(deposit) ? '' : renderCancel(deposit));
  return html`${primaryButton(label, press)} ${renderRefundRight(deposit, deposit.placed)}
  ${hint !== '' || way !== '' ? html`<p class="foot-note"><span>${hint}</span> ${way}</p>` : ''}`;
}

function nextStep(deposit: Deposit, kind: WalletRequestKind): Step {
  const {deal, funding, session, t} = deposit;
  const {family} = deal.agreed.from.chain;
  if (deposit.isCanceling) return {label: t.canceled};
  if (funding.asking === 'initiate') return {label: t.waitingService};
  if (funding.asking) {
    const isSent = funding.walletRequests.at(-1)?.state === 'sent';
    return {label: isSent ? t.waitingNetwork : t.waiting({wallet: payingWallet(deposit)})};
  }
  if (funding.move === 'asking') return {label: t.waiting({wallet: payingWallet(deposit)})};
  if (isPast(deposit)) return {label: t.startAgain, press: () => session.reset({keep: true})};
  if (funding.busy || funding.foreseen === 'pending') return {label: t.checkingShort};
  if (isOffline(deposit)) return {label: t.problems.offline};
  const label = isMoving(funding) ? t.switchTo({network: deal.agreed.from.chain.title}) : wordsOf(kind, deposit).button;
  return walletStep(deposit, family, {label, press: () => session.pay()});
}

/** Beside the time left: what the wallet or the service is doing, the other way to pay, or the number of the step. */
function renderHint(deposit: Deposit, plan: readonly WalletRequestKind[], at: number) {
  const {session, timed, t} = deposit;
  const {asking, busy, foreseen, move, other, walletRequests} = deposit.funding;
  if (asking === 'initiate') return t.initiateWhy;
  if (asking || move === 'asking') {
    const since = walletRequests.at(-1)?.at;
    const isLong = asking && since !== undefined && timed(now => now - since > LOOK_FOR_WALLET_MS);
    return (isLong ? t.noRequest : t.openWallet)({wallet: payingWallet(deposit)});
  }
  if (other && !busy && foreseen !== 'pending' && !isPast(deposit)) {
    return linkButton(other === 'signature' ? t.signInstead : t.sendInstead, () => session.pay(other));
  }
  const moved = move ? 1 : 0;
  // Only what the visitor is asked for counts.
  const steps = plan.filter(kind => kind !== 'initiate').length + moved;
  if (steps > 1) return t.stepOf({step: Math.min(at + 1 + moved, steps), steps});
  if (mayBePaid(deposit) || mayBeGone(deposit, deposit.placed.id)) return '';
  return walletRequests.length ? t.nothingWasPaid : t.nothingSigned;
}

/** With what was read ahead, until the wallet's requests are announced; the service uses a signature, whoever told of it. */
function withForeseen(funding: FundingProgress): FundingProgress {
  const {plan, foreseen, move} = funding;
  if (plan.length) return {...funding, plan: withService(plan), foreseen: undefined};
  if (!foreseen || foreseen === 'pending') return funding;
  const {isBundle = false, moves} = foreseen;
  return {
    ...funding,
    plan: withService(foreseen.plan),
    isBundle,
    move: move ?? (moves ? 'wanted' : undefined),
  };
}

function withService(plan: readonly WalletRequestKind[]): readonly WalletRequestKind[] {
  return plan.at(-1) === 'sign' ? [...plan, 'initiate'] : plan;
}

function planOf({plan, foreseen, way}: FundingProgress): readonly WalletRequestKind[] {
  if (plan.length || foreseen === 'pending') return plan;
  return way === 'signature' ? ['sign', 'initiate'] : ['send'];
}

function positionIn(plan: readonly WalletRequestKind[], funding: FundingProgress): number {
  const {asking, busy, earlier, walletRequests} = funding;
  if (asking && plan.includes(asking)) return plan.indexOf(asking);
  const last = walletRequests.at(-1);
  // A signature that the service refused, or did not get, is discarded: the wallet is prompted for a new one.
  const signsAgain = last?.state === (last?.kind === 'initiate' ? 'refused' : 'signed') && !busy;
  const ofPlan = walletRequests.slice(earlier);
  const next = plan.findIndex(kind => {
    if (kind === 'sign' && signsAgain) return true;
    const state = ofPlan.findLast(request => request.kind === kind)?.state;
    return state !== 'sent' && state !== 'signed';
  });
  return next < 0 ? plan.length : next;
}

/** The wallet request at an index of the plan; after its end the last one, which a click repeats. */
function kindAt(plan: readonly WalletRequestKind[], at: number, {way}: FundingProgress): WalletRequestKind {
  return plan[at] ?? (way === 'signature' ? 'initiate' : 'send');
}
