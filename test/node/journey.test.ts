import {deepEqual, equal, match, ok} from 'node:assert/strict';
import {after, before, describe, it} from 'node:test';
import type {ElementHandle, Page} from 'puppeteer-core';
import {balanceOf, SandboxClient, type OrderRead} from '../sandbox/client.js';
import {openBrowser, type TestBrowser} from '../support/browser.js';
import {startDemo, type RunningDemo} from '../support/demo.js';

const FROM = 'base_sepolia:wbtc';
const TO = 'ethereum_sepolia:wbtc';
const AMOUNT = '0.01';
const UNITS = 1_000_000n;
const PATIENCE = {timeout: 30_000};

/** A person with a browser, who sees a page as it is read aloud: buttons and fields by their names. */
class Visitor {
  constructor(
    readonly page: Page,
    readonly client: SandboxClient,
  ) {}

  /** The button of that name, once it is there and can be pressed. */
  async button(name: string): Promise<ElementHandle> {
    const button = await this.page.waitForSelector(`swap-widget >>> ::-p-aria([name="${name}"][role="button"])`, {
      ...PATIENCE,
      visible: true,
    });
    return button!;
  }

  async press(name: string): Promise<void> {
    const button = await this.button(name);
    await this.page.waitForFunction(
      element => element.getAttribute('aria-disabled') !== 'true',
      {...PATIENCE, polling: 50},
      button,
    );
    await button.click();
  }

  async type(amount: string): Promise<void> {
    const field = await this.page.waitForSelector('swap-widget >>> #amount', {...PATIENCE, visible: true});
    await field!.click({count: 3});
    await field!.type(amount);
  }

  async amount(): Promise<string> {
    const field = await this.page.waitForSelector('swap-widget >>> #amount', {...PATIENCE, visible: true});
    return field!.evaluate(element => (element as HTMLInputElement).value);
  }

  /** Chooses the first of the development wallets to pay with. */
  async connect(): Promise<void> {
    await this.press('Connect a wallet to pay from');
    const wallet = await this.page.waitForSelector('swap-widget >>> swap-widget-wallet-picker >>> .list button', {
      ...PATIENCE,
      visible: true,
    });
    await wallet!.click();
    await this.answer(/^Show your address/, 'Approve');
    await this.button('Change the wallet you pay from');
  }

  async #window(): Promise<ElementHandle> {
    const dialog = await this.page.waitForSelector('[data-development-wallet] >>> dialog', {
      ...PATIENCE,
      visible: true,
    });
    return dialog!;
  }

  /** Waits for the wallet's window, whose question is this one; answers its words. */
  async asked(question: RegExp): Promise<string> {
    const title = await (await this.#window()).$eval('h2', heading => heading.textContent);
    match(title, question);
    return title;
  }

  /** Answers the wallet's question in its window. */
  async answer(question: RegExp, answer: 'Approve' | 'Reject'): Promise<void> {
    await this.asked(question);
    const dialog = await this.#window();
    const button = await dialog.$(answer === 'Approve' ? '.approve' : '.reject');
    await button!.click();
    await this.page.waitForFunction(element => !element.isConnected, {...PATIENCE, polling: 50}, dialog);
  }

  /** Says yes until the wallet asks for the signature: an earlier swap may have left an allowance, or none. */
  async releaseToken(): Promise<void> {
    while (/^Allow/.test(await this.asked(/^(?:Allow|Pay)/))) await this.answer(/^Allow/, 'Approve');
  }

  async until(stage: string): Promise<void> {
    await this.page.waitForFunction(
      wanted => (document.querySelector('swap-widget') as (Element & {stage?: string}) | null)?.stage === wanted,
      {...PATIENCE, polling: 50},
      stage,
    );
  }

  /** Waits until the widget says this. */
  async read(text: string): Promise<void> {
    await this.page.waitForSelector(`swap-widget >>> ::-p-text(${text})`, {...PATIENCE, visible: true});
  }

  /** The order that is shown, as the service tells it. */
  async order(): Promise<OrderRead> {
    const id = await this.page.waitForFunction(
      () => (document.querySelector('swap-widget') as (Element & {order?: {id: string}}) | null)?.order?.id,
      {...PATIENCE, polling: 50},
    );
    return this.client.read((await id.jsonValue())!);
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }
}

/** Reads from both chains what somebody has of what is swapped. */
async function holdings(client: SandboxClient, address: string): Promise<{source: bigint; destination: bigint}> {
  const {chains} = await client.info();
  const [source, destination] = await Promise.all([
    balanceOf(chains['base_sepolia']!, FROM, address),
    balanceOf(chains['ethereum_sepolia']!, TO, address),
  ]);
  return {source, destination};
}

describe('a swap in a real page', () => {
  let demo: RunningDemo;
  let browser: TestBrowser;

  before(async () => {
    [demo, browser] = await Promise.all([startDemo(9300), openBrowser()]);
  });
  after(async () => {
    await Promise.all([demo.close(), browser.close()]);
  });

  async function visit(url: string) {
    const opened = await browser.openPage(url);
    const {origin} = new URL(demo.page);
    const {appId} = await new SandboxClient(origin, '').info();
    const client = new SandboxClient(origin, appId);
    return {...opened, visitor: new Visitor(opened.page, client), client};
  }

  /** The account that pays, as its field shows it in whole. */
  async function payer({page}: Visitor): Promise<string> {
    const field = await page.waitForSelector(
      'swap-widget >>> swap-widget-address-field[side=pay] >>> .account[title]',
      {
        ...PATIENCE,
        visible: true,
      },
    );
    return field!.evaluate(element => element.getAttribute('title')!);
  }

  it('goes on where it was after a reload at every step', async () => {
    const {visitor, client, errors} = await visit(demo.page);
    await visitor.connect();
    const address = await payer(visitor);
    const before = await holdings(client, address);

    await visitor.type(AMOUNT);
    await visitor.button('Review swap');
    await visitor.reload();
    equal(await visitor.amount(), AMOUNT);
    await visitor.press('Review swap');
    await visitor.until('reviewing');
    await visitor.reload();
    await visitor.press('Review swap');
    await visitor.press('Place swap');

    // The wallet's window goes with the page; an approval moves no money, so it is simply asked for again.
    await visitor.asked(/^Allow 0\.01 WBTC$/);
    await visitor.reload();
    await visitor.press('Sign in Harbor (development)');
    await visitor.answer(/^Allow 0\.01 WBTC$/, 'Approve');

    // A signature may have been given: that is asked first.
    await visitor.asked(/^Pay 0\.01 WBTC by signature$/);
    await visitor.reload();
    await visitor.read('Did you confirm it in your wallet?');
    await visitor.press('No, I did not');
    await visitor.press('Sign in Harbor (development)');
    await visitor.answer(/^Pay 0\.01 WBTC by signature$/, 'Reject');
    await visitor.read('You said no in the wallet.');
    await visitor.reload();
    await visitor.press('Sign in Harbor (development)');
    await visitor.answer(/^Pay 0\.01 WBTC by signature$/, 'Approve');
    await visitor.page.waitForFunction(
      () =>
        ['deposit-seen', 'confirming', 'settling', 'complete'].includes(
          (document.querySelector('swap-widget') as (Element & {stage?: string}) | null)?.stage ?? '',
        ),
      {...PATIENCE, polling: 20},
    );
    await visitor.reload();
    await visitor.until('complete');

    const {source_swap: source, destination_swap: destination} = await visitor.order();
    const end = await holdings(client, address);
    equal(before.source - end.source, UNITS);
    equal(BigInt(source.amount), UNITS);
    equal(end.destination - before.destination, BigInt(destination.amount));
    deepEqual(errors, []);
  });

  it('is followed when the person says that a wallet which never answered was told yes', async () => {
    const {visitor} = await visit(demo.page);
    await visitor.connect();
    await visitor.type('0.02');
    await visitor.press('Review swap');
    await visitor.press('Place swap');
    await visitor.answer(/^Allow 0\.02 WBTC/, 'Approve');
    await visitor.asked(/^Pay 0\.02 WBTC by signature/);
    await visitor.reload();
    await visitor.read('Did you confirm it in your wallet?');
    await visitor.press('Yes, I confirmed it');
    await visitor.read('On its way');
    await visitor.until('funding');
    await visitor.reload();
    await visitor.read('On its way');
    equal(await visitor.page.$('swap-widget >>> [part="primary"]'), null, 'offered to pay again');
  });

  it('is followed again as soon as there is a connection again', async () => {
    const {visitor, client, page} = await visit(demo.page);
    await client.faults({solverGone: true});
    await visitor.connect();
    const address = await payer(visitor);
    const before = await holdings(client, address);
    await visitor.type(AMOUNT);
    await visitor.press('Review swap');
    await visitor.press('Place swap');
    await visitor.releaseToken();
    await visitor.answer(/^Pay/, 'Approve');
    await visitor.until('settling');
    const id = String((await visitor.order())['order_id']);
    await page.setOfflineMode(true);
    await client.ask('/sandbox/faults', {method: 'DELETE', body: {appId: client.appId}});
    const {destination_swap: destination} = await client.until(
      id,
      order => order.destination_swap.redeem_tx_hash !== '',
    );
    await visitor.until('settling');
    await page.setOfflineMode(false);
    await visitor.until('complete');
    const end = await holdings(client, address);
    equal(before.source - end.source, UNITS);
    equal(end.destination - before.destination, BigInt(destination.amount));
  });

  it('pays once where the connection was lost between wallet and service', async () => {
    const {visitor, client, page} = await visit(demo.page);
    await visitor.connect();
    const address = await payer(visitor);
    const before = await holdings(client, address);
    await visitor.type(AMOUNT);
    await visitor.press('Review swap');
    await visitor.press('Place swap');
    await visitor.releaseToken();
    await page.setOfflineMode(true);
    await visitor.answer(/^Pay/, 'Approve');
    await page.waitForFunction(
      () => (document.querySelector('swap-widget') as (Element & {error?: {code: string}}) | null)?.error?.code,
      PATIENCE,
    );
    await page.setOfflineMode(false);
    await visitor.reload();
    await visitor.press('Pay another way');
    await visitor.press('Sign in Harbor (development)');
    await visitor.answer(/^Pay/, 'Approve');
    await visitor.until('complete');
    const {destination_swap: destination} = await visitor.order();
    const end = await holdings(client, address);
    equal(before.source - end.source, UNITS);
    equal(end.destination - before.destination, BigInt(destination.amount));
  });

  it('goes all the way on a partner’s page under a strict policy, and breaks no rule of it', async () => {
    const {visitor, client, errors, violations} = await visit(demo.partner);
    await visitor.connect();
    const address = await payer(visitor);
    const before = await holdings(client, address);
    await visitor.type(AMOUNT);
    await visitor.press('Review swap');
    await visitor.press('Place swap');
    await visitor.releaseToken();
    await visitor.answer(/^Pay 0\.01 WBTC by signature$/, 'Approve');
    await visitor.until('complete');
    const {destination_swap: destination} = await visitor.order();
    const end = await holdings(client, address);
    equal(before.source - end.source, UNITS);
    equal(end.destination - before.destination, BigInt(destination.amount));
    ok(BigInt(destination.amount) > 0n);
    deepEqual(await violations(), []);
    deepEqual(errors, []);
  });
});
