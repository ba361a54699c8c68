/**
 * Swaps through the element in a page while everything goes wrong: the plans of `plan.ts`, with buttons. Run by
 * `test/chaos.ts`.
 */
import {executeServerCommand} from '@web/test-runner-commands';
import type {Prompt} from '../../demo/wallets/prompt.js';
import {beginCrossing, endCrossings, type Crossing} from '../support/crossing.js';
import {scaled} from '../support/limits.js';
import type {WidgetPage} from '../support/page.js';
import {Actor} from './actor.js';
import {outcomeOf, weigh} from './judge.js';
import {PAGE_FAULTS, WALLET_FAULTS, describePlan, planOf, type Injection, type Plan, type Step} from './plan.js';
import {createUnreliableService, pause} from './service.js';

/** What the page has to run. */
export interface ElementRun {
  readonly seed: number;
  readonly numbers: readonly number[];
}

const LOOK_MS = 50;
const PATIENCE_MS = scaled(60_000);
/** A lost signature may never be used: then nothing else will happen. */
const STILL_MS = scaled(15_000);

const {seed, numbers} = await executeServerCommand<ElementRun, undefined>('chaos:run');

describe('chaos', function () {
  this.timeout(scaled(120_000));
  afterEach(endCrossings);

  for (const plan of numbers.map(number => planOf(seed, number))) {
    it(describePlan(plan), async () => {
      const visit = new Visit(plan);
      try {
        await visit.live();
        await visit.judge();
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        throw new Error([text, ...visit.log].join('\n    '), {cause: error});
      } finally {
        visit.leave();
      }
    });
  }
});

/** A person on the page: presses the next button, whatever it is. */
class Visit extends Actor {
  readonly #service;
  #crossing!: Crossing;
  /** The widgets next to the one that is used. */
  readonly #others: WidgetPage[] = [];
  #isAway = false;
  #isConfirmed = false;
  #hasPaid = false;
  #movedAt = Date.now();

  constructor(plan: Plan) {
    super(plan, (plan.number % 10) / 10);
    this.#service = createUnreliableService({
      faults: plan.faults,
      variant: this.variant,
      sent: request => {
        if (request === 'order' || request === 'initiate') void this.#turnPage(request);
      },
      happened: fault => this.note(fault),
      falsify: async () => {
        await this.#crossing.client.faults({hostile: {kind: 'redeemer', times: 1}});
      },
    });
  }

  get page(): WidgetPage {
    return this.#crossing.page;
  }

  async live(): Promise<void> {
    const {from, to, amount, way, rpc} = this.plan;
    this.#crossing = await beginCrossing({
      from,
      to,
      amount,
      withoutRpc: !rpc,
      ...(way === 'transaction' && {faults: {noTypedData: true}}),
      widget: {fetch: this.#service.fetch.bind(this.#service)},
      answer: prompt => this.#answer(prompt),
    });
    await this.#crossing.review();
    let last = '';
    while (Date.now() < this.began + PATIENCE_MS && Date.now() < this.#movedAt + STILL_MS) {
      await pause(LOOK_MS);
      if (this.#isAway) continue;
      const {stage} = this.page;
      if (stage !== last) this.say(stage);
      last = stage;
      if (this.#hasPaid || /seen|confirming|settling|complete/.test(stage)) await this.#turnPage('paid');
      if (this.#isAway) continue;
      if (stage === 'complete' || stage === 'refunded') return;
      await this.#act();
    }
  }

  /** The chains show the result. */
  async judge(): Promise<void> {
    const crossing = this.#crossing;
    const read = () => Promise.all(this.#orderIds().map(id => crossing.client.read(id)));
    let orders = await read();
    for (let look = 0; look < 40 && ['locked', 'lost'].includes(outcomeOf(orders)); look++) {
      if (this.plan.from.startsWith('bitcoin')) await crossing.mine(1);
      await pause(200);
      orders = await read();
    }
    // Fees may be paid in what is swapped.
    const {outcome, violations} = weigh(orders, await crossing.moved(), crossing.amount, true);
    const {stage} = this.page;
    this.say(`${outcome}, and the page says ${stage}`);
    if (['complete', 'refunded'].includes(stage) && stage !== outcome)
      violations.push(`the page says ${stage}, and it is ${outcome}`);
    if (violations.length) throw new Error(violations.join('; '));
  }

  /**
   * A removed widget emits nothing, but still stores late responses, also about an earlier swap.
   */
  #orderIds(): string[] {
    const written = Object.entries(localStorage).map(([key, text]) => {
      const {placedAt = 0} = JSON.parse(/\/order\//.test(key) ? String(text) : '{}') as {placedAt?: number};
      return placedAt < this.began ? '' : (/\/order\/([^/]+)$/.exec(key)?.[1] ?? '');
    });
    return [...new Set([...this.#crossing.orderIds, ...written])].filter(id => id !== '');
  }

  leave(): void {
    for (const {widget} of this.#others) widget.remove();
    Reflect.deleteProperty(navigator, 'onLine');
  }

  override say(text: string): void {
    this.#movedAt = Date.now();
    super.say(text);
  }

  override note(fault: Injection): void {
    super.note(fault);
    void executeServerCommand('chaos:happened', {number: this.plan.number, fault: fault.fault, step: fault.step});
  }

  async #answer({kind, title}: Prompt): Promise<boolean> {
    const step: Step = title.startsWith('Allow') ? 'approve' : kind === 'sign' ? 'sign' : 'send';
    this.say(`the wallet asks: ${title}`);
    await this.#turnPage(step);
    const fault = this.due(step, WALLET_FAULTS)?.fault;
    if (fault === 'no') return false;
    if (fault === 'vague') throw new Error('Something went wrong.');
    if (fault === 'mute') {
      // A wallet may take up to ten minutes; a person is not that patient.
      setTimeout(() => void this.#reload(), 1_500);
      return new Promise<boolean>(() => undefined);
    }
    if (fault === 'late') await pause(2_500);
    if (step === 'send') this.#isConfirmed = true;
    return true;
  }

  async #reload(): Promise<void> {
    this.#isAway = true;
    await this.#crossing.reload();
    this.#isAway = false;
  }

  async #turnPage(step: Step): Promise<void> {
    const fault = this.due(step, PAGE_FAULTS)?.fault;
    switch (fault) {
      case 'reload':
        return this.#reload();
      case 'removal':
        this.#isAway = true;
        this.page.widget.remove();
        setTimeout(() => void this.#crossing.open().then(() => (this.#isAway = false)), 700);
        return;
      case 'offline':
        this.#setOnline(false);
        setTimeout(() => this.#setOnline(true), 700);
        return;
      case 'second tab': {
        const id = this.#orderIds().at(-1);
        if (id === undefined) return;
        const first = this.page;
        this.#isAway = true;
        await this.#crossing.open();
        this.#others.push(first);
        this.page.widget.setAttribute('order-id', id);
        await pause(400);
        this.#isAway = false;
        for (const {primaryButton, primary} of [first, this.page]) if (PAYS.test(primary)) primaryButton?.click();
        return;
      }
      default:
    }
  }

  #setOnline(isOnline: boolean): void {
    this.#service.isOffline = !isOnline;
    Object.defineProperty(navigator, 'onLine', {configurable: true, get: () => isOnline});
    dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  }

  /** Presses the next button, or pays the address. */
  async #act(): Promise<void> {
    const crossing = this.#crossing;
    const {page} = crossing;
    const {way} = this.plan;
    if (page.stage === 'deposit-seen' || page.stage === 'confirming') {
      if (this.plan.from.startsWith('bitcoin')) await crossing.mine(1);
      return;
    }
    if (page.stage === 'editing' && page.amount === '') {
      await crossing.review();
      return;
    }
    if (page.primary === 'Place swap') await this.#turnPage('review');
    if (this.#isAway) return;
    const isAddress = page.find<HTMLAnchorElement>('a[href^="bitcoin:"]')?.href.startsWith('bitcoin:') === true;
    if (way === 'address' && isAddress) {
      if (this.#hasPaid) return;
      await this.#turnPage('send');
      if (this.#isAway || !page.find('a[href^="bitcoin:"]')) return;
      this.#hasPaid = true;
      this.say('pays the address');
      await crossing.send();
      return;
    }
    const label = this.#nextLabel();
    if (label === undefined) return;
    this.say(`press “${label}”`);
    page.button(label)?.click();
    await pause(250);
  }

  /** The name of the button that a person presses next. */
  #nextLabel(): string | undefined {
    const {page} = this;
    const has = (label: string) => page.button(label) !== undefined;
    if (has('Yes, I confirmed it')) return this.#isConfirmed ? 'Yes, I confirmed it' : 'No, I didn’t';
    if (has('Pay another way')) return this.variant < 0.5 ? 'Keep waiting' : 'Pay another way';
    const choice = page
      .findAll('button, [role="option"]')
      .find(one => (one.ariaLabel ?? one.textContent).trim().startsWith(`${this.#crossing.payer.name} `));
    if (choice && !choice.closest('[inert]')) {
      choice.click();
      return undefined;
    }
    if (this.plan.way === 'connected' && has('Connect a wallet to pay from')) return 'Connect a wallet to pay from';
    if (has('Didn’t send it? Start again')) return 'Didn’t send it? Start again';
    const {primary, canGoOn} = page;
    return canGoOn && PRESSED.test(primary) && has(primary) ? primary : undefined;
  }
}

/** Buttons that pay, and all buttons that a person presses. */
const PAYS = /^(?:Allow|Sign with|Pay with) /;
const PRESSED =
  /^(?:(?:Allow|Sign with|Pay with|Cancel permission in) .*|Review swap|Place swap|Accept the new price|Start again|Try again|Connect a wallet|Take your money back)$/;
