/** A person with a browser, for tests in Node. */
import {match} from 'node:assert/strict';
import type {ElementHandle, Page} from 'puppeteer-core';
import type {OrderRead, SandboxClient} from '../sandbox/client.js';

const TIMEOUT = {timeout: 30_000};

/** A person with a browser, who sees a page as it is read aloud: buttons and fields by their names. */
export class Visitor {
  constructor(
    readonly page: Page,
    readonly client: SandboxClient,
  ) {}

  /** The button of that name, once it is there. */
  async button(name: string): Promise<ElementHandle> {
    const selector = `swap-widget >>> ::-p-aria([name="${name}"][role="button"])`;
    try {
      return (await this.page.waitForSelector(selector, {...TIMEOUT, visible: true}))!;
    } catch (cause) {
      throw new Error(`There is no button “${name}”. The page says: ${await this.#text()}`, {cause});
    }
  }

  /** What the widget says, however deep. */
  #text(): Promise<string> {
    return this.page.evaluate(() => {
      const read = (node: Node): string => {
        if (node instanceof Element && node.shadowRoot) return read(node.shadowRoot);
        if (node instanceof HTMLSlotElement) return node.assignedNodes({flatten: true}).map(read).join('');
        return node.nodeType === Node.TEXT_NODE
          ? `${node.textContent ?? ''} `
          : [...node.childNodes].map(read).join('');
      };
      return [...document.querySelectorAll('swap-widget')].map(read).join().replace(/\s+/g, ' ');
    });
  }

  async press(name: string): Promise<void> {
    const button = await this.button(name);
    try {
      await this.page.waitForFunction(
        element => element.getAttribute('aria-disabled') !== 'true',
        {...TIMEOUT, polling: 50},
        button,
      );
      await button.click();
    } catch (error) {
      // Another view may have come in between, with a button of that name or without.
      if (await button.evaluate(element => element.isConnected)) throw error;
      await this.press(name);
    }
  }

  async type(amount: string): Promise<void> {
    await this.#write('#amount', amount);
  }

  /** Types where the money goes, or with `pay` where it comes back to. */
  async typeAddress(address: string, side: 'pay' | 'receive' = 'receive'): Promise<void> {
    await this.#write(`swap-widget-address-field[side=${side}] >>> #address`, address);
  }

  async #write(selector: string, text: string): Promise<void> {
    const field = await this.page.waitForSelector(`swap-widget >>> ${selector}`, {...TIMEOUT, visible: true});
    await field!.click({count: 3});
    await field!.type(text);
  }

  /** Chooses an asset in place of the one that is there, both as `WBTC, Base Sepolia`. */
  async choose(side: 'You pay' | 'You receive', present: string, asset: string): Promise<void> {
    if (present === asset) return;
    await this.press(`${side}: ${present}`);
    const [symbol = '', chain = ''] = asset.split(', ');
    await this.#write('swap-widget-asset-picker >>> input[role=combobox]', `${symbol} ${chain}`);
    await this.page.keyboard.press('Enter');
    await this.button(`${side}: ${asset}`);
  }

  async amount(): Promise<string> {
    const field = await this.page.waitForSelector('swap-widget >>> #amount', {...TIMEOUT, visible: true});
    return field!.evaluate(element => (element as HTMLInputElement).value);
  }

  /** Chooses Harbor's development wallet to pay with. */
  async connect(): Promise<void> {
    await this.press('Connect a wallet to pay from');
    await this.chooseWallet();
    await this.button('Change the wallet you pay from');
  }

  /** Chooses Harbor's wallet in the list that is open, as soon as it has announced itself. */
  async chooseWallet(): Promise<void> {
    await (await this.#harbor()).click();
    await this.answer(/^Show your address/, 'Approve');
  }

  async #harbor(): Promise<ElementHandle> {
    const wallet = await this.page.waitForSelector(
      'swap-widget >>> swap-widget-wallet-picker >>> .list button ::-p-text(Harbor)',
      {...TIMEOUT, visible: true},
    );
    return wallet!;
  }

  async #window(): Promise<ElementHandle> {
    try {
      const selector = '[data-development-wallet] >>> dialog';
      return (await this.page.waitForSelector(selector, {...TIMEOUT, visible: true}))!;
    } catch (cause) {
      throw new Error(`No wallet asks anything. The page says: ${await this.#text()}`, {cause});
    }
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
    await this.page.waitForFunction(element => !element.isConnected, {...TIMEOUT, polling: 50}, dialog);
  }

  /** Says yes until the wallet asks for the signature: an earlier swap may have left an allowance, or none. */
  async releaseToken(): Promise<void> {
    while (/^Allow/.test(await this.asked(/^(?:Allow|Pay)/))) await this.answer(/^Allow/, 'Approve');
  }

  /** Presses the button of a step in a wallet; where it took too long to be there again after a reload, connects it first. */
  async pressInWallet(name: string): Promise<void> {
    const connects = this.button('Connect a wallet').then(button => ({button, connect: true}));
    const steps = this.button(name).then(button => ({button, connect: false}));
    const {button, connect} = await Promise.any([steps, connects]).catch(() => steps);
    if (connect) {
      await button.click();
      await (await this.#harbor()).click();
    }
    await this.press(name);
  }

  async until(stage: string): Promise<void> {
    await this.page.waitForFunction(
      wanted => (document.querySelector('swap-widget') as (Element & {stage?: string}) | null)?.stage === wanted,
      {...TIMEOUT, polling: 50},
      stage,
    );
  }

  /** Waits until the widget says this. */
  async read(text: string): Promise<void> {
    await this.page.waitForSelector(`swap-widget >>> ::-p-text(${text})`, {...TIMEOUT, visible: true});
  }

  /** The order that is shown, as the service tells it. */
  async order(): Promise<OrderRead> {
    const id = await this.page.waitForFunction(
      () => (document.querySelector('swap-widget') as (Element & {order?: {id: string}}) | null)?.order?.id,
      {...TIMEOUT, polling: 50},
    );
    return this.client.read((await id.jsonValue())!);
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }
}
