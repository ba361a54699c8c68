import type {LitElement, ReactiveController} from 'lit';
import {atom, computed, type ReadableAtom} from 'nanostores';
import type {Asset} from '../../domain/asset.js';
import {causeOf} from '../../domain/deposit.js';
import {isProblem} from '../../domain/draft.js';
import type {SwapError} from '../../domain/error.js';
import {allowanceOf, isUnclear, openPayment, wasAllowed} from '../../domain/funding.js';
import type {Movement} from '../../domain/evidence.js';
import type {QuoteRequest} from '../../domain/quote.js';
import {valueOf, type Remote} from '../../domain/remote.js';
import {isTerminal, isUnderWay, type Stage} from '../../domain/stage.js';
import type {ShownOrder, SwapSession} from '../../session/session.js';
import {afterFrame} from './after-frame.js';
import {register, SHARED, type SwapElement} from './swap-element.js';
import {time} from './time.js';
import {
  aboutAmount,
  amountText,
  errorWords,
  LatePart,
  lostWords,
  partly,
  raisedText,
  sentencesText,
  walletName,
} from './words.js';

/** The last one-off announcement in a session. */
const createSaid = () => atom<{readonly text: string} | undefined>();

/**
 * Announces a sentence once, for what the live region does not say of the session's stores by itself. Returns a function
 * that takes it back once it no longer holds: what was announced can still be read afterwards.
 */
export function announce(session: SwapSession, text: string): () => void {
  const $said = session.keep(createSaid);
  const said = {text};
  $said.set(said);
  return () => {
    if ($said.get() === said) $said.set(undefined);
  };
}

/**
 * Announces a sentence of a part when it appears or changes, after a pause in milliseconds, and takes it back once it no
 * longer holds.
 */
export class Voice implements ReactiveController {
  readonly #part: SwapElement;
  readonly #sentence: () => string;
  readonly #pause: number;
  #last = '';
  #timer?: ReturnType<typeof setTimeout>;
  #takeBack?: (() => void) | undefined;
  #isOff = false;

  constructor(part: SwapElement, sentence: () => string, pause = 0) {
    this.#part = part;
    this.#sentence = sentence;
    this.#pause = pause;
    part.addController(this);
  }

  hostConnected() {
    this.#isOff = false;
  }

  hostUpdated() {
    // A part that was just removed may still render once: nobody would take back what it says.
    if (this.#isOff) return;
    const sentence = this.#sentence();
    if (sentence === this.#last) return;
    this.#stop();
    this.#last = sentence;
    const session = this.#part[SHARED].$session.get();
    const say = () => (this.#takeBack = session && announce(session, sentence));
    if (sentence && this.#pause) this.#timer = setTimeout(say, this.#pause);
    else if (sentence) say();
  }

  hostDisconnected() {
    this.#isOff = true;
    this.#stop();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#takeBack?.();
    this.#takeBack = undefined;
    this.#last = '';
  }
}

/** How long before the end of the time to pay it is announced. */
const WARNING_MS = 10 * 60_000;

/**
 * The text of the live region, one sentence at a time: the price after typing, the stage of the swap, what the wallet
 * needs, errors. Never countdowns, nothing twice, and nothing that no longer holds.
 *
 * @tag swap-widget-announcement
 */
export class Announcement extends LatePart {
  /** The last automatic sentence, and the announced text. */
  #derived = '';
  #view = '';
  #said = '';
  #announced: {readonly text: string} | undefined;
  #error = '';
  /** The announced price, and its request. A newer one for the same request is only announced if it differs. */
  #price = {of: '', amount: 0n, text: ''};
  /** A sentence that was announced once, its subject, and the usual sentence it replaced. */
  #aside = {of: '', before: '', text: ''};
  #$late?: ReadableAtom<boolean>;

  /** Notices when the page changes its language or direction. */
  readonly #observer = new MutationObserver(() => this.#widget.requestUpdate('lang'));

  override connectedCallback() {
    super.connectedCallback();
    const changes = {subtree: true, attributeFilter: ['lang', 'dir']};
    this.#observer.observe(this.ownerDocument, changes);
    this.#observer.observe(this.#widget.getRootNode(), changes);
    // The page may have changed while the widget was not in it. The widget is rendering right now.
    const widget = this.#widget;
    void widget.updateComplete.then(() => widget.requestUpdate('lang'));
  }

  get #widget(): LitElement {
    return (this.getRootNode() as ShadowRoot & {readonly host: LitElement}).host;
  }

  /** Whether the time to pay is running out: that changes twice, while the time changes every second. */
  get #$isLate(): ReadableAtom<boolean> {
    const {$order, $now} = this.session;
    return (this.#$late ??= computed([$order, $now], (order, now) => {
      const placed = valueOf(order);
      const left = placed?.deal ? placed.payUntil - now : Infinity;
      return left > 0 && left <= WARNING_MS;
    }));
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  /** The screen comes first. On a hidden page there are no frames, and it is announced at once. */
  protected override async scheduleUpdate() {
    if (!document.hidden) await new Promise<void>(afterFrame);
    await super.scheduleUpdate();
  }

  /** Its code may be there before the session that it speaks of. */
  protected override shouldUpdate() {
    return this.sessionIfAny !== undefined;
  }

  override render() {
    this.lang = this.look.locale;
    const announced = this.read(this.session.keep(createSaid));
    const view = this.read(this.session.$view);
    // The list of swaps is about none of them.
    const derived = view === 'journal' ? this.#derived : this.#errorText() || this.#standingText();
    if (announced && announced !== this.#announced) {
      // The same text is only announced again if it differs.
      this.#said = announced.text === this.#said ? `${announced.text}\u00A0` : announced.text;
    } else if (derived !== this.#derived) this.#said = derived;
    else if (view !== this.#view || (!announced && this.#said.trim() === this.#announced?.text)) this.#said = '';
    this.#announced = announced;
    this.#derived = derived;
    this.#view = view;
    return this.#said;
  }

  #errorText(): string {
    const {session} = this;
    const view = this.read(session.$view);
    const isQuoting = view === 'form' || view === 'review';
    const ofConnecting = this.read(session.$wallets, ({connecting}) => errorOf(connecting));
    const error =
      (isQuoting ? this.read(session.$price, ({quote}) => errorOf(quote)) : undefined) ??
      this.read(session.$order, order => errorOf(order) ?? errorOf(valueOf(order)?.reading)) ??
      ofConnecting ??
      (isTerminal(this.read(session.$stage))
        ? undefined
        : (errorOf(this.#ofOrder('refund')) ?? this.#ofOrder('funding')?.error));
    // Failed requests are retried: until a response, nothing new is known.
    const isTriedAgain = isQuoting && this.read(session.$price, 'quote').state === 'pending';
    if (!error) return isTriedAgain ? this.#error : (this.#error = '');
    return (this.#error = this.#wordsFor(error, error === ofConnecting));
  }

  #wordsFor(error: SwapError, isConnecting: boolean): string {
    if (error.field === 'order' && !this.#ofOrder('deal')) return this.t.noSuchSwap;
    const request = this.read(this.session.$price, 'request');
    const note = this.read(this.session.$price, 'notes')?.amount;
    if (error.code === 'amount-range' && note?.code === 'amount-range' && note.bound && !isProblem(request)) {
      const words = this.#amount(note.amount, request.from);
      return note.bound === 'least' ? this.t.leastAmount(words) : this.t.mostAmount(words);
    }
    return errorWords(error, this.t, isConnecting).what;
  }

  #standingText(): string {
    const stage = this.read(this.session.$stage);
    const text = this.#stageText(stage);
    const note = isUnderWay(stage) ? this.#deniedText() || this.#noteText() : '';
    return note ? this.#once(note, note, text) : text;
  }

  #stageText(stage: Stage): string {
    // Before there is something to announce no message is used, since all of them would be created for it.
    if (stage === 'editing' || stage === 'reviewing') return this.#movedText() || this.#slowText() || this.#priceText();
    const {t, session} = this;
    const {from, to} = this.#ofOrder('deal')?.agreed ?? this.#shownAssets();
    const {paidIn, paidOut, paidBack, order, note, actions, mayBeLost} = this.#ofOrder('story') ?? {};
    switch (stage) {
      case 'ordering':
        if (this.read(session.$view) === 'order') return t.readingOrder;
        return this.read(session.$agreement, 'isSlow') ? t.longerThanUsual : t.placing;
      case 'awaiting-deposit':
        return this.#warned(this.#depositText());
      case 'funding':
        return this.#fundingText();
      case 'deposit-seen':
        return this.#attributed(t.said.seen, paidIn);
      case 'confirming':
        return this.#attributed(t.said.confirming, paidIn);
      case 'settling':
        return this.#attributed(t.said.settling({symbol: to?.symbol ?? ''}), paidIn);
      case 'complete': {
        const received = this.#attributed(
          t.said.received(this.#amount(paidOut?.amount || order?.destination.amount, to, aboutAmount)),
          paidOut,
        );
        if (note?.kind === 'less') return sentencesText(received, t.lessThanAgreed);
        return note?.kind === 'untied' ? sentencesText(received, t.untied) : received;
      }
      case 'refunding':
        if (actions?.includes('refund') && !paidBack?.event) return t.said.refundOpen;
        return sentencesText(t.said.failed, mayBeLost && !paidBack?.event ? t.unverifiedBack : t.said.refunding);
      case 'refunded':
        return this.#attributed(
          t.said.refunded(this.#amount(paidBack?.amount || order?.source.amount, from, aboutAmount)),
          paidBack,
        );
      case 'expired':
        return t.said.expired;
      case 'stopped':
        return this.#ofOrder('story')?.isCanceled ? this.#canceledText() : this.#stoppedText();
    }
  }

  #stoppedText(): string {
    const report = this.#ofOrder('report');
    return report && causeOf(report)?.outcome === 'unverified' ? this.t.unverifiedStops : this.t.said.stopped;
  }

  #canceledText(): string {
    const {t} = this;
    const isTransfer = this.#ofOrder('deal')?.deposit.how === 'transfer';
    if (isTransfer) return sentencesText(t.youCanceled, t.doNotSendAnyMore);
    const id = this.#ofOrder('id');
    const entry = this.read(this.session.$journal, ({entries}) => entries.find(({orderId}) => orderId === id));
    // A contract that is not verified may have taken what it was allowed to.
    if (!entry?.unverified || !wasAllowed(entry)) return sentencesText(t.youCanceled, t.money.deposit);
    const {amount, from} = entry.agreed;
    const allowed = allowanceOf(entry);
    const isTakenBack = entry.walletRequests.some(({kind, hash}) => kind === 'revoke' && hash !== undefined);
    if (!allowed) return sentencesText(t.youCanceled, isTakenBack ? t.takenBack : '');
    const risk = allowed === 'given' ? t.allowedRisk : t.allowRisk;
    return sentencesText(t.youCanceled, risk(this.#amount(amount, from)));
  }

  /** A statement about money, with its source unless its chain shows it. */
  #attributed(text: string, movement: Movement | undefined): string {
    return movement?.certainty === 'proved' ? text : sentencesText(text, this.t.serviceSaysSo);
  }

  /** A claim of the service about an open swap that the chain does not show, or no longer, or not in all RPCs. */
  #deniedText(): string {
    const {t} = this;
    const agreed = this.#ofOrder('deal')?.agreed;
    const {from, to} = agreed ?? this.#shownAssets();
    const note = this.#ofOrder('story')?.note;
    const disputed = note?.kind === 'disputed' && (note.of === 'target' ? to : from)?.chain;
    if (disputed) return sentencesText(t.disputed({network: disputed.title}), t.disputedWhy);
    if (this.#ofOrder('story')?.paidOut.certainty === 'denied' && to) {
      return t.payoutDenied({network: to.chain.title});
    }
    const before = this.#ofOrder('movedBackFrom');
    if (before && isTerminal(before)) return sentencesText(t.endTakenBack, t.endTakenBackWhy);
    return sentencesText(...((agreed && lostWords(before, this.#ofOrder('story'), t)) ?? []));
  }

  #noteText(): string {
    const {t} = this;
    const agreed = this.#ofOrder('deal')?.agreed;
    const {note, paidIn} = this.#ofOrder('story') ?? {};
    if (!agreed) return '';
    const {from} = agreed;
    switch (note?.kind) {
      case 'changed':
      case 'replaced':
      case 'gone':
        return sentencesText(t[note.kind], t[`${note.kind}Why`]);
      case 'part': {
        const isSeen = paidIn?.certainty === 'proved';
        return partly(
          isSeen,
          t,
        )({...this.#amount(note.amount, from), whole: amountText(agreed.amount, from, this.look.locale)});
      }
      case 'surplus':
        return this.#attributed(t.paidMore(this.#amount(note.amount, from)), paidIn);
      case 'disputed':
      case 'less':
      case 'untied':
      case undefined:
        return '';
    }
  }

  #movedText(): string {
    const {t, look, session} = this;
    const moved = this.read(session.$agreement, 'moved');
    const to = this.read(session.$agreement, ({agreed}) => agreed?.to);
    if (!moved || !to) {
      const raised = raisedText(
        this.read(session.$price, 'raised'),
        this.read(session.$price, 'request'),
        look.locale,
        t,
      );
      return raised && sentencesText(t.priceMoved, raised);
    }
    const text = (amount: bigint) => aboutAmount(amount, to, look.locale);
    return t.said.moved({before: text(moved.before), now: text(moved.now), symbol: to.symbol});
  }

  #slowText(): string {
    return this.read(this.session.$price, 'slow') ? this.t.longerThanUsual : '';
  }

  /** The price, once for each amount that was typed here. */
  #priceText(): string {
    const {session} = this;
    const request = this.read(session.$price, 'request');
    const offer = this.read(session.$price, 'offer');
    if (isProblem(request)) {
      this.#price = {of: '', amount: 0n, text: ''};
      return '';
    }
    const keyOf = ({from, to, amount}: QuoteRequest) => [from.id, to.id, amount].join(' ');
    const of = keyOf(request);
    const quotes = valueOf(this.read(session.$price, 'quote'));
    const isFor = quotes !== undefined && keyOf(quotes.request) === of;
    const amount = offer?.destination.amount ?? 0n;
    const tolerance = BigInt(this.read(session.$settings, 'config')?.priceTolerance ?? 0);
    const difference = amount - this.#price.amount;
    const isFar = (difference < 0n ? -difference : difference) * 10_000n > this.#price.amount * tolerance;
    if (isFor && offer && (of !== this.#price.of || isFar)) {
      const isTyped = this.closest(':focus-within') !== null || this.#widget.matches(':focus-within');
      this.#price = {of, amount, text: isTyped ? this.t.said.price(this.#amount(amount, request.to, aboutAmount)) : ''};
    }
    return of === this.#price.of ? this.#price.text : '';
  }

  /** What the payer of a deposit address has to do, and what has arrived so far. */
  #depositText(): string {
    const {t} = this;
    const asked = this.#questionText();
    if (asked) return asked;
    const {deposit, agreed} = this.#ofOrder('deal') ?? {};
    const {move, elsewhere} = this.#ofOrder('funding') ?? {};
    if (agreed && elsewhere) return t.elsewhereHeading;
    if (agreed && move === 'asking') return t.switchTo({network: agreed.from.chain.title});
    if (!agreed) return t.stages['awaiting-deposit'];
    // The wallet is asked next, which is announced then.
    if (deposit?.how !== 'transfer') return '';
    if (this.#ofOrder('story')?.paidIn.certainty === 'denied') {
      return t.paymentDenied({network: agreed.from.chain.title});
    }
    const note = this.#noteText();
    if (note) return note;
    const {outcome} = this.#ofOrder('report') ?? {};
    if (outcome !== 'passed' && outcome !== 'unverified') return t.checking;
    const payUntil = this.#ofOrder('payUntil') ?? 0;
    const until = time(payUntil, this.look.locale);
    if (this.read(this.session.$now, now => now >= payUntil))
      return sentencesText(t.timeOver({time: until}), t.doNotSendAnyMore);
    return t.said.send({...this.#amount(agreed.amount, agreed.from), time: until});
  }

  /** What can be lost by a payment that is not fully verified, while the visitor is asked about that. */
  #questionText(): string {
    const {t} = this;
    const agreed = this.#ofOrder('deal')?.agreed;
    const {busy, asking} = this.#ofOrder('funding') ?? {};
    if (!agreed || !this.#ofOrder('question') || busy || asking) return '';
    const {amount, symbol} = this.#amount(agreed.amount, agreed.from);
    return sentencesText(t.notVerified, `${t.canBeLost} ${amount} ${symbol}`);
  }

  /** The same, or once that the time to pay is running out. Later changes are announced again. */
  #warned(text: string): string {
    const {id, payUntil} = valueOf(this.session.$order.get()) ?? {};
    if (!this.read(this.#$isLate) || id === undefined || payUntil === undefined) return text;
    const left = payUntil - this.session.$now.get();
    return this.#once(id, this.t.said.minutesLeft({minutes: Math.max(1, Math.floor(left / 60_000))}), text);
  }

  /** A sentence that is announced once while another one persists; later changes are announced again. */
  #once(of: string, text: string, before: string): string {
    if (this.#aside.of !== of) this.#aside = {of, before, text};
    return this.#aside.before === before ? this.#aside.text : before;
  }

  /** What the wallet needs, or that the payment was sent. */
  #fundingText(): string {
    const {t, session} = this;
    const funding = this.#ofOrder('funding');
    const agreed = this.#ofOrder('deal')?.agreed;
    if (!agreed || !funding) return t.stages.funding;
    const asked = this.#questionText();
    if (asked) return asked;
    const {asking, unclear, sent} = funding;
    const wallet = walletName(this.read(session.$wallets, 'accounts')[agreed.from.chain.family], t);
    if (unclear) {
      const bySignature = openPayment(funding)?.kind === 'initiate';
      if (isUnclear(funding)) return bySignature ? t.lostHeading : t.unclearHeading;
      return bySignature ? t.signatureUnused : t.paymentNotSeen;
    }
    if (asking && asking !== 'initiate') {
      return t.said.asked({kind: asking, wallet, ...this.#amount(agreed.amount, agreed.from)});
    }
    return sent || funding.funding ? t.said.sent : '';
  }

  #ofOrder<K extends keyof ShownOrder>(name: K): ShownOrder[K] | undefined {
    return this.read(this.session.$order, order => valueOf(order)?.[name]);
  }

  /** The assets of an order that this browser did not place. */
  #shownAssets(): {from?: Asset | undefined; to?: Asset | undefined} {
    const order = this.#ofOrder('story')?.order;
    const find = (id: string | undefined) => this.read(this.session.$form)?.catalogue.find(id ?? '');
    return {from: find(order?.source.asset), to: find(order?.destination.asset)};
  }

  /** An amount and its symbol, with the digits that are shown: what is paid with all of them. */
  #amount(amount: bigint | undefined, asset: Asset | undefined, write = amountText): {amount: string; symbol: string} {
    const isKnown = asset !== undefined && amount !== undefined;
    return {amount: isKnown ? write(amount, asset, this.look.locale) : '', symbol: asset?.symbol ?? ''};
  }
}

function errorOf(remote: Remote<unknown> | undefined): SwapError | undefined {
  return remote?.state === 'failed' ? remote.error : undefined;
}

register({'swap-widget-announcement': Announcement});
