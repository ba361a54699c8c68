/**
 * A person who swaps in spite of everything: they press what the widget offers, answer questions truthfully, retry when
 * nothing happens, and pay no address twice. The session is the real one.
 */
import {setTimeout as pause} from 'node:timers/promises';
import type {Prompt} from '../../demo/wallets/prompt.js';
import type {SwapSession} from '../../src/session/session.js';
import {Nodes} from '../hostile/nodes.js';
import {watch, type Deed} from '../hostile/watch.js';
import type {NodeSwap, NodeTab, NodeWorld} from '../support/node-session.js';
import {
  CHAIN_FAULTS,
  NODE_FAULTS,
  PAGE_FAULTS,
  WALLET_FAULTS,
  type Injection,
  type Plan,
  type Step,
  canTakeBack,
} from './plan.js';
import {createUnreliableService, type Lie, type UnreliableService} from './service.js';
import {fundingIn, shownIn, statusIn, storyIn} from '../support/shown.js';
import {holds, scaled} from '../support/limits.js';

/** How often a person looks before giving up: on a busy machine each look takes longer. */
const PATIENCE = 1_400;
/** How often they look while nothing happens. */
const STILL = 450;
/** After a reorganization there is nothing to wait for: the payment is undone. */
const STILL_UNPAID = 150;
/** How often they look at a swap that has ended: a single lie does not last. */
const SURE = 50;
const LOOK_MS = 25;
/** Longer than a wallet may take in a run. */
export const LATE_ANSWER_MS = scaled(5_000);
/** People do not press again at once. */
const PRESS_MS = 200;
/** How many orders they place at most. */
const MOST_ORDERS = 4;

/** What the session said of an order's money, and whether the chains had it at that time. */
interface Said {
  readonly what: string;
  readonly isTrue: Promise<boolean>;
}

/** How long the sandbox may take to see what the page saw on a chain. */
const INDEX_MS = 5_000;
/** Shorter than a page waits for a node. */
const NODE_LATE_MS = 900;

export class Person {
  readonly log: string[] = [];
  readonly happened: Injection[] = [];
  readonly #began = Date.now();
  readonly #left: Injection[];
  readonly said: Said[] = [];
  readonly #seen = new Set<string>();
  readonly #nodes = new Nodes();
  readonly #watched = new Set<NodeTab>();
  readonly service: UnreliableService;
  swap!: NodeSwap;
  #looks = 0;
  #movedAt = 0;
  readonly #paidTo = new Set<string>();
  /** Whether the wallet's owner confirmed a payment. */
  #confirmed = false;
  /** How many swaps were canceled: whoever did that refuses what the wallet still asks for them. */
  #canceled = 0;
  #isAway = false;
  #loseAnswer: Step | undefined;
  readonly #heard = new Map<readonly unknown[], number>();
  #pressedAt = 0;
  #lookedAt = 0;
  /** Whether the widget, not the person's patience, ended it. */
  isSettled = false;
  #ahead = 0;

  constructor(
    readonly plan: Plan,
    readonly world: NodeWorld,
    private readonly variant: number,
  ) {
    this.#left = plan.faults.filter(({fault}) => fault in {...WALLET_FAULTS, ...PAGE_FAULTS, ...NODE_FAULTS});
    this.service = createUnreliableService({
      faults: plan.faults,
      variant,
      sent: request => {
        if (request === 'order' || request === 'initiate') void this.#turnPage(request, 20);
      },
      happened: fault => this.note(fault),
      falsify: async () => {
        await this.swap.client.faults({hostile: {kind: this.#corruption(), times: 1}});
      },
      real: () => this.swap.given,
    });
  }

  /** Opens the first tab, with coins and a wallet, and prepares the faults of the chains. */
  async begin(): Promise<void> {
    const {plan, world, service} = this;
    const {from, to, amount, rpc} = plan;
    this.swap = await world.begin({
      from,
      to,
      amount,
      rpc,
      nodes: this.#nodes.gate,
      gift: this.gift,
      fetch: (...given) => service.fetch(...given),
      answers: prompt => this.#answer(prompt),
      answered: ({method}) => this.#lose(method),
    });
    const {client} = this.swap;
    if (plan.way === 'transaction') await client.faults({noTypedData: true});
    const chain = plan.faults.find(({fault}) => (CHAIN_FAULTS as readonly string[]).includes(fault));
    switch (chain?.fault) {
      case undefined:
        return;
      case 'late block':
        await client.faults({lateBlock: {seconds: 1}});
        return;
      case 'reorg':
        await client.faults({reorg: {seconds: 0.4}});
        return;
      case 'payout withheld':
        await client.faults({serviceGone: true, ...this.#ownerRefunds()});
        return;
      default:
        await client.faults({solverGone: true, ...this.#ownerRefunds()});
    }
  }

  /** What somebody sent the recipient before, which is less than any swap pays. */
  get gift(): bigint {
    return this.plan.to.startsWith('solana') ? 2_000_000n : 600n;
  }

  get hasTakenBack(): boolean {
    return shownIn(this.swap.session)?.refund.state === 'ready';
  }

  get session(): SwapSession {
    return this.swap.session;
  }

  /** Whether the person has nothing to wait for, or no patience left. */
  get isDone(): boolean {
    const still = this.plan.place === 'reorganised' ? STILL_UNPAID : STILL;
    const isStill = this.service.isHonest && this.#looks > this.#movedAt + still;
    return this.isSettled || this.#looks > PATIENCE || isStill;
  }

  say(text: string): void {
    this.#movedAt = this.#looks;
    this.log.push(`${String(Date.now() - this.#began).padStart(6)} ms  ${text}`);
  }

  note(fault: Injection): void {
    this.happened.push(fault);
    this.say(`-- ${fault.fault} at ${fault.step}`);
  }

  #due<Fault extends string>(step: Step, table: Readonly<Record<Fault, unknown>>) {
    const at = this.#left.findIndex(one => one.step === step && one.fault in table);
    const [next] = at < 0 ? [] : this.#left.splice(at, 1);
    if (next) this.note(next);
    return next as (Injection & {readonly fault: Fault}) | undefined;
  }

  async live(): Promise<void> {
    this.#looks = 0;
    this.#movedAt = 0;
    this.isSettled = false;
    let last = '';
    while (!this.isDone) {
      await pause(LOOK_MS);
      this.#looks++;
      if (this.#isAway) continue;
      const {session} = this;
      const {field, code} = (session.$view.get() === 'form' ? session.$form.get().problem : undefined) ?? {};
      const now = [session.$view.get(), session.$stage.get(), field, code].filter(Boolean).join(' ');
      if (now !== last) this.say(now);
      last = now;
      for (const {host} of this.swap.tabs) host.ahead = this.#ahead;
      this.#listen();
      await this.#act(session);
    }
  }

  /** Compares what the page is told with the chains, immediately. */
  #listen(): void {
    for (const tab of this.swap.tabs) {
      if (!this.#watched.has(tab)) watch(tab, (orderId, deed) => this.#see(orderId, deed));
      this.#watched.add(tab);
    }
    for (const {events} of this.swap.tabs) {
      const from = this.#heard.get(events) ?? 0;
      this.#heard.set(events, events.length);
      for (const event of events.slice(from)) {
        if (event.type === 'error') this.say(`told: ${event.error.code} ${event.error.detail ?? ''}`.slice(0, 160));
        if (event.type !== 'complete' && event.type !== 'refund') continue;
        const {type, orderId, witness} = event;
        this.say(`told: ${type}`);
        const what = `the page was told “${type}” of ${orderId.slice(0, 8)}, and the chain knew nothing of it`;
        this.said.push({what: `${what} (${this.#known()})`, isTrue: this.#holds(orderId, type, witness)});
      }
    }
  }

  /** The service's word is acceptable if no chain can be read and a payment was made. */
  async #holds(orderId: string, end: 'complete' | 'refund', witness: 'chain' | 'service'): Promise<boolean> {
    const {source_swap: source, destination_swap: destination} = await this.swap.client.read(orderId);
    if ((end === 'complete' ? destination.redeem_tx_hash : source.refund_tx_hash) !== '') return true;
    return witness === 'service' && !this.plan.rpc && source.initiate_tx_hash !== '';
  }

  /** Compares what is reported as seen with its chain, immediately. */
  #see(orderId: string, deed: Deed): void {
    if (this.#seen.has(`${orderId} ${deed}`)) return;
    this.#seen.add(`${orderId} ${deed}`);
    const what = `${orderId.slice(0, 8)} was said to be seen as ${deed}, and no chain shows it (${this.#known()})`;
    this.said.push({what, isTrue: this.#isOnChain(orderId, deed)});
  }

  async #isOnChain(orderId: string, deed: Deed): Promise<boolean> {
    // What a reorganization removes had been there.
    if (deed === 'paid in' && this.plan.place === 'reorganised') return true;
    return holds(async () => {
      const {source_swap: source, destination_swap: destination} = await this.swap.client.read(orderId);
      return {
        'paid in': source.initiate_tx_hash,
        'paid out': destination.redeem_tx_hash,
        'paid back': source.refund_tx_hash,
      }[deed];
    }, INDEX_MS);
  }

  #known(): string {
    return `${this.plan.rpc ? 'with' : 'without'} rpc, ${this.service.lie ? `the service ${this.service.lie}` : 'one lie'}`;
  }

  /** Without this, anybody may refund a deposit after its timelock, and the service would in the end. */
  #ownerRefunds() {
    return canTakeBack(this.plan) ? {ownerRefunds: true} : {};
  }

  /** How the service falsifies the payment that it prepares. */
  #corruption(): string {
    return ['amount', 'redeemer', 'timelock'][Math.floor(this.variant * 3)] ?? 'amount';
  }

  /* -- the wallet's owner -- */

  async #answer({kind, title}: Prompt): Promise<boolean> {
    if (kind !== 'send' && kind !== 'sign') return true;
    const step: Step | undefined = title.startsWith('Allow') ? 'approve' : kind;
    this.say(`the wallet asks: ${title}`);
    if (/^(?:Refund|Revoke)/.test(title)) return true;
    await this.#turnPage(step, 0);
    const fault = this.#due(step, WALLET_FAULTS)?.fault;
    switch (fault) {
      case 'no':
        return false;
      case 'vague':
        throw new Error('Something went wrong.');
      case 'mute':
        return new Promise<boolean>(() => undefined);
      case 'vague, but done':
        this.#loseAnswer = step;
        break;
      case 'late': {
        const canceled = this.#canceled;
        await pause(LATE_ANSWER_MS);
        if (this.#canceled > canceled) return false;
        break;
      }
      case undefined:
        break;
    }
    if (step === 'send') this.#confirmed = true;
    return true;
  }

  #lose(method: string): void {
    if (this.#loseAnswer === undefined || !/send|invoke|sign/i.test(method)) return;
    this.#loseAnswer = undefined;
    throw new Error('The wallet did not answer.');
  }

  /* -- the page -- */

  /** Causes the page's fault that is due at a step. `after`: a delay, so that the pending request has left. */
  async #turnPage(step: Step, after: number): Promise<void> {
    const node = this.#due(step, NODE_FAULTS);
    if (node) {
      const {after: from, times, fault: kind} = node;
      this.#nodes.suffer({from, times, ...(kind === 'node slow' && {late: NODE_LATE_MS})});
    }
    const fault = this.#due(step, PAGE_FAULTS)?.fault;
    if (!fault) return;
    const {swap} = this;
    if (after) await pause(after);
    switch (fault) {
      case 'reload':
        swap.reload();
        return;
      case 'second tab':
        await this.#openBeside(step);
        return;
      case 'offline':
        this.service.isOffline = true;
        for (const {host} of swap.tabs) host.online$.set(false);
        setTimeout(() => {
          this.service.isOffline = false;
          for (const {host} of swap.tabs) host.online$.set(true);
        }, 700);
        return;
      case 'removal':
        swap.tab.leave();
        this.#isAway = true;
        setTimeout(() => {
          this.#isAway = false;
          swap.open();
        }, 700);
    }
  }

  /** Opens the same order in another tab, and presses the same button in both. */
  async #openBeside(step: Step): Promise<void> {
    const {swap} = this;
    const before = swap.orderIds.length;
    const first = swap.session;
    this.#isAway = true;
    const {session} = swap.open();
    // An order being placed will appear in the list; nobody wants a second one.
    for (let look = 0; step === 'order' && look < 80 && swap.orderIds.length === before; look++) await pause(LOOK_MS);
    const orderId = swap.orderIds.at(-1);
    if (orderId !== undefined && swap.orderIds.length > before) session.openOrder(orderId);
    await pause(400);
    this.#isAway = false;
    for (const tab of [first, session]) if (storyIn(tab)?.isPayersTurn) void tab.pay();
    await pause(200);
  }

  /* -- the person on the page -- */

  async #act(session: SwapSession): Promise<void> {
    switch (session.$view.get()) {
      case 'form':
        return this.#fillIn(session);
      case 'review':
        await this.#turnPage('review', 0);
        if (session === this.session && !this.#isAway) this.#press('Place swap', session, () => session.placeOrder());
        return;
      case 'order':
        return this.#follow(session);
      case 'journal':
        session.back();
    }
  }

  /** Presses a button, unless it was pressed a moment ago. */
  #press(label: string, session: SwapSession, press: () => Promise<unknown>): boolean {
    if (Date.now() < this.#pressedAt + PRESS_MS || session.$order.get().state === 'pending') return false;
    this.#pressedAt = Date.now();
    this.say(`press “${label}”`);
    press().then(
      () => (this.#pressedAt = Date.now()),
      (error: unknown) => this.say(`the press was rejected: ${String(error)}`),
    );
    return true;
  }

  async #fillIn(session: SwapSession): Promise<void> {
    const {swap, plan} = this;
    const {from, to, amount} = plan;
    const family = swap.payer.name && this.world.chainOf(from).family;
    if (swap.orderIds.length >= MOST_ORDERS) {
      this.isSettled = true;
      return;
    }
    if (session.$form.get().draft.amount !== amount || session.$form.get().draft.recipient === '') {
      session.edit({
        from,
        to,
        amount,
        recipient: swap.recipient,
        ...(family === 'bitcoin' && {refundAddress: swap.payer.account}),
      });
      return;
    }
    if (family !== 'bitcoin' && !session.$wallets.get().accounts[family as 'evm']) {
      await this.#connect(session);
      return;
    }
    const [live] = session.$journal.get().live;
    if (live) {
      this.#press('Take the allowance back', session, () => session.revoke(live.orderId));
      return;
    }
    if (session.$form.get().problem?.field === 'recipient') session.confirm('recipient');
    if (session.$form.get().quote.state === 'failed' && Date.now() > this.#lookedAt + 500) {
      this.#lookedAt = Date.now();
      session.requote();
    }
    if (session.$form.get() && !session.$form.get().problem) session.review();
  }

  async #connect(session: SwapSession): Promise<void> {
    const {family} = this.world.chainOf(this.plan.from);
    const done = await Promise.race([session.connect(family), pause(scaled(2_000))]);
    const connecting = session.$wallets.get().connecting;
    if (done !== true)
      this.say(`not connected: ${connecting.state === 'failed' ? connecting.error.message : String(done)}`);
  }

  async #follow(session: SwapSession): Promise<void> {
    const standing = storyIn(session);
    const funding = fundingIn(session);
    const stage = standing?.stage;
    const isPaid = funding.sent === true || funding.funding !== undefined || this.#paidTo.size > 0;
    if (isPaid || (stage !== undefined && PAID.has(stage))) {
      await this.#turnPage('paid', 0);
      if (session !== this.session || this.#isAway) return;
    }
    if (statusIn(session).state === 'failed' && Date.now() > this.#lookedAt + 2_000) {
      this.#lookedAt = Date.now();
      session.refresh();
    }
    switch (stage) {
      case 'complete':
      case 'refunded':
        if (this.service.isHonest && this.#looks > this.#movedAt + SURE) this.isSettled = true;
        // Nothing arrived: if no chain can be read, the page still offers to take the money back.
        if (!this.service.isHonest && !this.plan.rpc && this.#ahead > 0) await this.#takeBack(session);
        return;
      case 'stopped':
      case 'expired':
        if (!isPaid) this.#startAgain(session);
        return;
      case 'refunding':
        return this.#takeBack(session);
      case 'awaiting-deposit':
      case 'funding':
        if (standing?.isPayersTurn) await this.#pay(session);
        return;
      default:
        return;
    }
  }

  #startAgain(session: SwapSession): void {
    this.say('press “Start again”');
    session.reset({keep: true});
  }

  async #pay(session: SwapSession): Promise<void> {
    const {plan, swap} = this;
    const funding = fundingIn(session);
    if (funding.unclear) {
      this.#answerQuestion(session);
      return;
    }
    if (funding.busy || funding.asking) return;
    if (this.#wantsToCancel(session)) {
      if (this.#press('Cancel swap', session, () => session.cancel())) this.#canceled += 1;
      return;
    }
    if (funding.error?.code === 'expired' || funding.seen === 'expired') {
      this.#startAgain(session);
      return;
    }
    if (plan.way === 'address') {
      await this.#payAddress(session);
      return;
    }
    const {family} = this.world.chainOf(plan.from);
    if (!session.$wallets.get().accounts[family]) {
      await this.#connect(session);
      return;
    }
    // A deposit by address was checked before it can be paid.
    if (plan.way === 'connected' && !swap.shownAddress) return;
    this.#press('Pay', session, () => session.pay());
  }

  /** Some cancel after a failure, and some an order whose address they have just paid. */
  #wantsToCancel(session: SwapSession): boolean {
    if (!storyIn(session)?.actions.includes('cancel')) return false;
    const isPaid = this.#paidTo.size > 0;
    return isPaid ? this.variant < 0.2 : fundingIn(session).error !== undefined && this.variant < 0.3;
  }

  /** Pays the displayed address, once, from a wallet unknown to the page. */
  async #payAddress(session: SwapSession): Promise<void> {
    const {swap} = this;
    const placed = shownIn(session);
    if (!swap.shownAddress || !placed || this.#paidTo.has(placed.id)) return;
    await this.#turnPage('send', 0);
    const shown = session === this.session ? swap.shownAddress : undefined;
    if (!shown || this.#isAway || !('bumpFee' in swap.payer)) return;
    this.#paidTo.add(placed.id);
    this.say(`pays ${String(shown.amount)} to ${shown.address}`);
    await swap.payer.send(shown.address, shown.amount);
  }

  /** Answers whether the payment was confirmed; for a signature without a response, whether to keep waiting. */
  #answerQuestion(session: SwapSession): void {
    const last = fundingIn(session).walletRequests.findLast(({kind}) => kind === 'send' || kind === 'initiate');
    const yes = last?.kind === 'initiate' ? this.variant < 0.5 : this.#confirmed;
    this.#press(yes ? 'Yes, I confirmed it' : 'No, I didn’t', session, () => session.answer(yes));
  }

  async #takeBack(session: SwapSession): Promise<void> {
    if (!canTakeBack(this.plan) || storyIn(session)?.refund === 'none' || storyIn(session)?.refund === 'later') return;
    const {family} = this.world.chainOf(this.plan.from);
    if (!session.$wallets.get().accounts[family]) {
      await this.#connect(session);
      return;
    }
    const refund = shownIn(session)?.refund;
    if (refund?.state === 'pending' || refund?.state === 'ready') return;
    this.#press('Take it back', session, () => session.refund());
  }

  /** From now on the service is gone, or lies about every order. */
  become(fault: string): void {
    this.service.isGone = fault === 'no solver, no service';
    const [, told] = /^no solver, told (.*)$/.exec(fault) ?? [];
    this.service.lie = told === undefined ? undefined : (`says ${told}` as Lie);
  }

  /** Advances the clocks of the person's tabs: if no chain can be read, a timelock ends by the clock. */
  wait(milliseconds: number): void {
    this.#ahead += milliseconds;
  }
}

const PAID: ReadonlySet<string> = new Set([
  'deposit-seen',
  'confirming',
  'settling',
  'complete',
  'refunding',
  'refunded',
]);
