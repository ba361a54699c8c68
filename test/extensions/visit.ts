/** A visitor with a real wallet on a page with only the widget: what they press, see and approve. */
import type {Page} from 'puppeteer-core';
import {createSandbox} from '../../demo/wallets/sandbox.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {SandboxClient} from '../sandbox/client.js';
import {Visitor} from '../support/visitor.js';
import type {ExtensionBrowser} from './browser.js';
import {addressOf, NOBODY, PAIRS, pause, type Place} from './finding.js';
import type {WalletOwner} from './wallet.js';
import {scaled} from '../support/limits.js';

export class Visit {
  readonly client: SandboxClient;
  visitor!: Visitor;
  #paidAt = -Infinity;

  constructor(
    readonly place: Place,
    readonly owner: WalletOwner,
    readonly family: ChainFamily,
  ) {
    this.client = SandboxClient.forAppOfItsOwn({url: place.origin});
  }

  async begin(browser: ExtensionBrowser): Promise<void> {
    this.visitor = new Visitor(await browser.openPage(this.#address()), this.client);
  }

  #address(): string {
    return `${addressOf(this.place, this.family)}&${String(new URLSearchParams({app: this.client.appId}))}`;
  }

  get page(): Page {
    return this.visitor.page;
  }

  /** Removes what a failed step may have left: open windows, and faults of the service. */
  async recover(): Promise<void> {
    await this.owner.dismiss();
    await this.faults({});
  }

  /** Opens the form as on a first visit, without an open order, and connects the wallet. */
  async fresh(): Promise<void> {
    await this.page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await this.page.goto(this.#address());
    await this.page.bringToFront();
    await this.visitor.amount();
    await this.openList();
    await this.choose();
    await this.answerUntil(() => this.isConnected());
  }

  /** Sets these faults of the service for this page, and no others. */
  faults(faults: Readonly<Record<string, unknown>>): Promise<void> {
    return createSandbox(this.place.origin).setFaults(this.client.appId, faults);
  }

  async openList(): Promise<void> {
    await this.visitor.press('Connect a wallet to pay from');
  }

  async choose(): Promise<void> {
    await this.visitor.pickWallet(this.owner.driver.name);
  }

  async isConnected(): Promise<boolean> {
    return (await this.shownAccount()) !== undefined;
  }

  async shownAccount(): Promise<string | undefined> {
    const field = await this.page.$('swap-widget >>> swap-widget-address-field[side=pay]');
    return field?.evaluate(
      ({shadowRoot}) =>
        shadowRoot?.querySelector('.account[title]')?.getAttribute('title') ??
        (shadowRoot?.querySelector('input')?.title || undefined),
    );
  }

  async answerUntil(isSo: () => Promise<boolean>, patience = scaled(90_000)): Promise<void> {
    const end = performance.now() + patience;
    while (performance.now() < end) {
      if (await isSo()) return;
      if ((await this.owner.windows()).length) {
        await this.owner.approve();
      }
      await pause(200);
    }
    throw new Error(`It did not come to that. The page says: ${await this.visitor.text()}`);
  }

  async until(isSo: () => Promise<boolean>, patience = scaled(30_000)): Promise<void> {
    const end = performance.now() + patience;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`It was never so. The page says: ${await this.visitor.text()}`);
      await pause(100);
    }
  }

  stageIs(...stages: string[]): () => Promise<boolean> {
    return async () =>
      stages.includes(
        (await this.page.evaluate(
          () => (document.querySelector('swap-widget') as (Element & {stage?: string}) | null)?.stage,
        )) ?? '',
      );
  }

  says(pattern: RegExp): () => Promise<boolean> {
    return async () => pattern.test(await this.visitor.text());
  }

  async order(): Promise<void> {
    await this.visitor.place(PAIRS[this.family].amount, this.family === 'evm' ? undefined : NOBODY);
  }

  async payThrough(stages: readonly string[] = ['complete']): Promise<void> {
    if (this.family === 'bitcoin') {
      await this.#payByWallet();
      await this.answerUntil(this.stageIs('deposit-seen', ...stages));
      this.#paidAt = performance.now();
      await createSandbox(this.place.origin).mine('bitcoin_testnet', 2);
    }
    await this.answerUntil(this.stageIs(...stages));
  }

  /** A Bitcoin wallet is only prompted by a button; it may have to be connected again before. */
  async #payByWallet(): Promise<void> {
    const {name, coinsKept = 0} = this.owner.driver;
    await pause(Math.max(0, this.#paidAt + coinsKept * 1000 - performance.now()));
    const canPay = this.says(new RegExp(`Pay with ${name}`));
    await this.until(this.says(new RegExp(`Pay with ${name}|Connect a wallet to pay from|No, I didn’t`)));
    if (!(await canPay())) {
      await this.goOn();
      await this.answerUntil(canPay);
    }
    await this.goOn();
  }

  /** Waits until the wallet prompts for the payment of a new order. */
  async asked(): Promise<void> {
    if (this.family === 'bitcoin') await this.goOn();
    else await this.until(async () => (await this.owner.windows()).length > 0);
  }

  /** Presses the buttons that an order offers after a reload or a rejection, until the wallet prompts. */
  async goOn(): Promise<void> {
    const {name} = this.owner.driver;
    const wanted = [
      'No, I didn’t',
      'Connect a wallet',
      `Sign with ${name}`,
      `Sign with ${name} (free)`,
      `Pay with ${name}`,
      `Confirm in ${name}`,
      `Allow ${PAIRS[this.family].amount} WBTC`,
      'Connect a wallet to pay from',
      'Try again',
      'Take your money back',
    ];
    const end = performance.now() + scaled(60_000);
    while (performance.now() < end) {
      if ((await this.owner.windows()).length) return;
      if (await this.stageIs('deposit-seen', 'complete', 'settling', 'confirming', 'refunded')()) return;
      const pressed = await this.visitor.pressAny(wanted);
      if (pressed === 'Connect a wallet' || pressed === 'Connect a wallet to pay from') await this.choose();
      await pause(500);
    }
    throw new Error(`The wallet was not asked again. The page says: ${await this.visitor.text()}`);
  }
}
