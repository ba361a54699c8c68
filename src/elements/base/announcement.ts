import type {LitElement} from 'lit';
import {atom, computed, type ReadableAtom, type WritableAtom} from 'nanostores';
import type {Asset} from '../../domain/asset.js';
import {isProblem} from '../../domain/draft.js';
import type {SwapError} from '../../domain/error.js';
import {isUnclear, openPayment} from '../../domain/funding.js';
import {dueOf} from '../../domain/deposit.js';
import {isPart, lossOf} from '../../domain/order.js';
import {valueOf, type Remote} from '../../domain/remote.js';
import {everShown, isArrivalSeen} from '../../domain/evidence.js';
import {isUnderWay, type Stage} from '../../domain/stage.js';
import type {PlacedOrder, SwapSession} from '../../session/session.js';
import {afterFrame} from './after-frame.js';
import {register} from './swap-element.js';
import {time} from './time.js';
import {errorWords, LatePart, partly, shortAmount, walletName} from './words.js';

/** What an element said by itself, last. */
const announced = new WeakMap<SwapSession, WritableAtom<{readonly text: string} | undefined>>();

function announcementsOf(session: SwapSession): WritableAtom<{readonly text: string} | undefined> {
  let $said = announced.get(session);
  if (!$said) announced.set(session, ($said = atom()));
  return $said;
}

/**
 * Says a sentence to those who cannot see what changed, once. Only what no store of the session tells: that is said by
 * itself.
 */
export function announce(session: SwapSession, text: string): void {
  announcementsOf(session).set({text});
}

/** From when on the end of the time to pay is said aloud. */
const WARNING_MS = 10 * 60_000;

/**
 * What the live region says to those who cannot see it, one sentence at a time: the price after typing, where the swap
 * stands, what the wallet wants, what went wrong. Never what counts, and nothing twice.
 *
 * @tag swap-widget-announcement
 */
class Announcement extends LatePart {
  /** What was last on the screen of its own accord, and what is said. */
  #derived = '';
  #said = '';
  #announced: {readonly text: string} | undefined;
  #error = '';
  /** The price that was said, and for what. A newer one for the same is not said again unless it is another price. */
  #price = {of: '', amount: 0n, text: ''};
  /** What was said once, and of what, in the place of what stands there otherwise. */
  #aside = {of: '', before: '', text: ''};
  #$late?: ReadableAtom<boolean>;

  /** Follows the page when it changes its language or direction. */
  readonly #observer = new MutationObserver(() => {
    this.#widget.requestUpdate('lang');
  });

  override connectedCallback() {
    super.connectedCallback();
    const changes = {subtree: true, attributeFilter: ['lang', 'dir']};
    this.#observer.observe(this.ownerDocument, changes);
    this.#observer.observe(this.#widget.getRootNode(), changes);
    // The page may have changed while the widget was not in it. The widget is being drawn right now.
    const widget = this.#widget;
    void widget.updateComplete.then(() => {
      widget.requestUpdate('lang');
    });
  }

  get #widget(): LitElement {
    return (this.getRootNode() as ShadowRoot & {readonly host: LitElement}).host;
  }

  /** Whether the time to pay runs out: that changes twice, and the time each second. */
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

  /** What is seen comes first. On a page that nobody sees no frame comes, and it is said at once. */
  protected override async scheduleUpdate() {
    if (!document.hidden) await new Promise<void>(afterFrame);
    await super.scheduleUpdate();
  }

  override render() {
    this.lang = this.look.locale;
    const announced = this.read(announcementsOf(this.session));
    const derived = this.#errorText() || this.#standingText();
    if (announced !== this.#announced) {
      this.#announced = announced;
      const {text = ''} = announced ?? {};
      // The same words are heard again only if they differ.
      this.#said = text === this.#said ? `${text}\u00A0` : text;
    } else if (derived !== this.#derived) this.#said = derived;
    this.#derived = derived;
    return this.#said;
  }

  /** What went wrong last. */
  #errorText(): string {
    const {session} = this;
    const view = this.read(session.$view);
    const isQuoting = view === 'form' || view === 'review';
    const remotes: readonly ReadableAtom<Remote<unknown>>[] = [
      ...(isQuoting ? [session.$quote] : []),
      session.$order,
      session.$status,
      session.$connecting,
      session.$refund,
    ];
    const failed = remotes.map($remote => this.read($remote)).find(({state}) => state === 'failed');
    const error = failed?.state === 'failed' ? failed.error : this.read(session.$funding).error;
    // What failed is tried again by itself: until that has an answer, nothing new is known.
    const isTriedAgain = isQuoting && this.read(session.$quote).state === 'pending';
    if (!error) return isTriedAgain ? this.#error : (this.#error = '');
    return (this.#error = this.#wordsFor(error, failed !== undefined && failed === this.read(session.$connecting)));
  }

  #wordsFor(error: SwapError, isConnecting: boolean): string {
    if (error.field === 'order' && !valueOf(this.read(this.session.$order))?.deal) return this.t.noSuchSwap;
    return errorWords(error, this.t, isConnecting).what;
  }

  /** Where the swap stands. */
  #standingText(): string {
    const {session} = this;
    const placed = valueOf(this.read(session.$order));
    const stage = this.read(session.$stage);
    const text = this.#stageText(stage, placed);
    const note = isUnderWay(stage) ? this.#noteText(placed) : '';
    return note ? this.#once(note, note, text) : text;
  }

  #stageText(stage: Stage, placed: PlacedOrder | undefined): string {
    // Before there is something to say, no word is looked up: all of them would be made for it.
    if (stage === 'editing' || stage === 'reviewing') return this.#movedText() || this.#priceText();
    const {t, session} = this;
    const {from, to} = placed?.deal?.agreed ?? this.#shownAssets();
    const order = valueOf(this.read(session.$status));
    switch (stage) {
      case 'ordering':
        return this.read(session.$view) === 'order' ? t.readingOrder : t.placing;
      case 'awaiting-deposit':
        return this.#warned(placed, this.#depositText(placed));
      case 'funding':
        return this.#fundingText(placed);
      case 'deposit-seen':
        return t.said.seen;
      case 'confirming':
        return t.said.confirming;
      case 'settling':
        return t.said.settling({symbol: to?.symbol ?? ''});
      case 'complete': {
        const chain = everShown(this.read(session.$chain), this.#entryOf(placed));
        const received = chain.payout?.amount || order?.destination.amount;
        return this.#attributed(t.said.received(this.#amount(received, to)), isArrivalSeen(order, chain));
      }
      case 'refunding':
        return this.read(session.$refundOpen) && placed?.deal?.deposit.how === 'wallet'
          ? t.said.refundOpen
          : t.said.refunding;
      case 'refunded':
        return this.#attributed(
          t.said.refunded(this.#amount(order?.source.filled || order?.source.amount, from)),
          order?.source.refunded?.onChain,
        );
      case 'expired':
        return t.said.expired;
      case 'stopped':
        return t.said.stopped;
    }
  }

  /** What happened on a chain; where that does not show it, with who says so. */
  #attributed(text: string, isSeen: boolean | undefined): string {
    return isSeen ? text : `${text} ${this.t.serviceSaysSo}`;
  }

  /** What is out of the ordinary with a payment. */
  #noteText(placed: PlacedOrder | undefined): string {
    const {t, session} = this;
    const order = valueOf(this.read(session.$status));
    if (!placed?.deal || !order) return '';
    if (this.read(session.$movedBackFrom)) return `${t.movedBack} ${t.movedBackWhy}`;
    const {seen, changed} = this.#entryOf(placed) ?? {};
    if (changed) return `${t.changed} ${t.changedWhy}`;
    if (lossOf(seen, order.source) === 'replaced') return `${t.replaced} ${t.replacedWhy}`;
    const {surplus} = dueOf(order.source);
    return surplus ? t.paidMore(this.#amount(surplus, placed.deal.agreed.from)) : '';
  }

  /** A price that fell between review and order. */
  #movedText(): string {
    const moved = this.read(this.session.$moved);
    const to = this.read(this.session.$agreement)?.to;
    if (!moved || !to) return '';
    const text = (amount: bigint) => this.#text(amount, to);
    return this.t.said.moved({before: text(moved.before), now: text(moved.now), symbol: to.symbol});
  }

  /** The price, once for each amount that was typed here. */
  #priceText(): string {
    const {session} = this;
    const request = this.read(session.$request);
    const offer = this.read(session.$offer);
    if (isProblem(request)) {
      this.#price = {of: '', amount: 0n, text: ''};
      return '';
    }
    const of = [request.from.id, request.to.id, request.amount].join(' ');
    const isFor = valueOf(this.read(session.$quote))?.request === request;
    const amount = offer?.destination.amount ?? 0n;
    const tolerance = BigInt(this.read(session.$config)?.priceTolerance ?? 0);
    const difference = amount - this.#price.amount;
    const isFar = (difference < 0n ? -difference : difference) * 10_000n > this.#price.amount * tolerance;
    if (isFor && offer && (of !== this.#price.of || isFar)) {
      const isTyped = this.closest(':focus-within') !== null || this.#widget.matches(':focus-within');
      this.#price = {of, amount, text: isTyped ? this.t.said.price(this.#amount(amount, request.to)) : ''};
    }
    return of === this.#price.of ? this.#price.text : '';
  }

  /** What the payer of an address is to do, and what came of it so far. */
  #depositText(placed: PlacedOrder | undefined): string {
    const {t, session} = this;
    const {deposit, agreed} = placed?.deal ?? {};
    const {move, elsewhere} = this.read(session.$funding);
    if (agreed && elsewhere) return t.elsewhereHeading;
    if (agreed && move === 'asking') return t.switchTo({network: agreed.from.chain.title});
    if (!placed || !agreed || deposit?.how !== 'transfer') return t.stages['awaiting-deposit'];
    const source = valueOf(this.read(session.$status))?.source;
    if (source && isPart(source)) {
      const {from} = agreed;
      return partly(
        source.initiated?.onChain,
        t,
      )({
        amount: this.#text(source.filled, from),
        whole: this.#text(source.amount, from),
        symbol: from.symbol,
      });
    }
    if (placed.report?.outcome !== 'passed') return t.checking;
    return t.said.send({...this.#amount(agreed.amount, agreed.from), time: time(placed.payUntil, this.look.locale)});
  }

  /** The same, or that the time to pay runs out: once. What happens after that is said again. */
  #warned(placed: PlacedOrder | undefined, text: string): string {
    if (!placed || !this.read(this.#$isLate)) return text;
    const left = placed.payUntil - this.session.$now.get();
    return this.#once(placed.id, this.t.said.minutesLeft({minutes: Math.max(1, Math.floor(left / 60_000))}), text);
  }

  /** What is said once beside something that stays so; what happens after that is said again. */
  #once(of: string, text: string, before: string): string {
    if (this.#aside.of !== of) this.#aside = {of, before, text};
    return this.#aside.before === before ? this.#aside.text : before;
  }

  /** What the wallet wants, or that the payment is out. */
  #fundingText(placed: PlacedOrder | undefined): string {
    const {t, session} = this;
    const funding = this.read(session.$funding);
    const {asking, unclear, sent} = funding;
    const agreed = placed?.deal?.agreed;
    if (!agreed) return t.stages.funding;
    const wallet = walletName(this.read(session.$accounts)[agreed.from.chain.family], t);
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

  /** What this browser wrote down of an order. */
  #entryOf(placed: PlacedOrder | undefined) {
    return this.read(this.session.$journal).find(({orderId}) => orderId === placed?.id);
  }

  /** The assets of an order that this browser did not place. */
  #shownAssets(): {from?: Asset | undefined; to?: Asset | undefined} {
    const order = valueOf(this.read(this.session.$status));
    const find = (id: string | undefined) => this.read(this.session.$form)?.catalogue.find(id ?? '');
    return {from: find(order?.source.asset), to: find(order?.destination.asset)};
  }

  #amount(amount: bigint | undefined, asset: Asset | undefined): {amount: string; symbol: string} {
    return {amount: asset && amount !== undefined ? this.#text(amount, asset) : '', symbol: asset?.symbol ?? ''};
  }

  #text(amount: bigint, asset: Asset): string {
    return shortAmount(amount, asset, this.look.locale);
  }
}

register({'swap-widget-announcement': Announcement});

declare global {
  interface HTMLElementTagNameMap {
    'swap-widget-announcement': Announcement;
  }
}
