/** A person with a browser, for tests in Node. */
import {match} from 'node:assert/strict';
import {setTimeout as pause} from 'node:timers/promises';
import type {ElementHandle, Page} from 'puppeteer-core';
import type {OrderRead, SandboxClient} from '../sandbox/client.js';
import {scaled} from './limits.js';

const TIMEOUT = {timeout: scaled(30_000)};
/** How often to press a button that no press reaches. */
const PRESSES = 5;
/** The pause before the next press, longer each time. */
const AGAIN_MS = 300;

/** The header's button with the connected account. */
export const CONNECTED = 'swap-widget >>> .account[title]';

/** A person with a browser, who finds buttons and fields by their accessible names. */
export class Visitor {
  constructor(
    readonly page: Page,
    readonly client: SandboxClient,
  ) {}

  async button(name: string): Promise<ElementHandle> {
    const selector = `swap-widget >>> ::-p-aria([name="${name}"][role="button"])`;
    try {
      return (await this.page.waitForSelector(selector, {...TIMEOUT, visible: true}))!;
    } catch (cause) {
      throw new Error(`There is no button “${name}”. The page says: ${await this.text()}`, {cause});
    }
  }

  text(): Promise<string> {
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

  /**
   * Presses a button, again if it was not reached: late content moves the elements below it, and a window of the page's
   * own may still be fading in front of it.
   */
  async press(
    name: string,
    {by = 'click', tries = PRESSES}: {by?: 'click' | 'tap'; tries?: number} = {},
  ): Promise<void> {
    if (!tries) throw new Error(`No press reaches the button “${name}”. The page says: ${await this.text()}`);
    const button = await this.button(name);
    try {
      await this.page.waitForFunction(element => element.getAttribute('aria-disabled') !== 'true', TIMEOUT, button);
      const pressed = await button.evaluateHandle(element => {
        const presses = {count: 0};
        element.addEventListener('click', () => presses.count++, {once: true});
        return presses;
      });
      await button[by]();
      if (await pressed.evaluate(({count}) => count)) return;
    } catch (error) {
      // The view may have changed meanwhile.
      if (await button.evaluate(element => element.isConnected)) throw error;
    }
    await pause(AGAIN_MS * (PRESSES + 1 - tries));
    await this.press(name, {by, tries: tries - 1});
  }

  async type(amount: string): Promise<void> {
    await this.#write('#amount', amount);
  }

  /** Types the recipient's address, or with `pay` the refund address. */
  async typeAddress(address: string, side: 'pay' | 'receive' = 'receive'): Promise<void> {
    const field = `swap-widget-address-field[side=${side}]`;
    // An address that a wallet gives is among the details.
    const line = await this.page.waitForSelector(`swap-widget >>> ${field}`, TIMEOUT);
    if (await line!.evaluate(each => (each as HTMLElement).hidden)) await this.press('Details');
    await this.#write(`${field} >>> #address`, address);
  }

  async #write(selector: string, text: string): Promise<void> {
    const field = await this.page.waitForSelector(`swap-widget >>> ${selector}`, {...TIMEOUT, visible: true});
    await field!.click({count: 3});
    await field!.type(text);
  }

  /** Replaces an asset with another one, both in the form `WBTC, Base Sepolia`. */
  async choose(side: 'You pay' | 'You receive', present: string, asset: string): Promise<void> {
    if (present === asset) return;
    await this.press(`${side}: ${present}`);
    const [symbol = '', chain = ''] = asset.split(', ');
    await this.#write('swap-widget-asset-picker >>> input[role=combobox]', `${symbol} ${chain}`);
    await this.page.keyboard.press('Enter');
    await this.button(`${side}: ${asset}`);
  }

  async amount(): Promise<string> {
    await this.#formReady();
    const field = await this.page.waitForSelector('swap-widget >>> #amount', {...TIMEOUT, visible: true});
    return field!.evaluate(element => (element as HTMLInputElement).value);
  }

  /** From the form to the placed order: this much, and to this address. */
  async place(amount: string, recipient?: string): Promise<void> {
    await this.type(amount);
    if (recipient !== undefined) await this.typeAddress(recipient);
    await this.press('Review swap');
    await this.press('Place swap');
  }

  /** Swaps 0.01 WBTC, paid with Harbor's wallet, to the end. */
  async swap(): Promise<OrderRead> {
    await this.connect();
    await this.place('0.01');
    await this.releaseToken();
    await this.answer(/^Pay 0\.01 WBTC/, 'Approve');
    await this.until('complete');
    return this.order();
  }

  async connect(): Promise<void> {
    await this.#formReady();
    await this.press('Connect a wallet to pay from');
    await this.chooseWallet();
    await this.page.waitForSelector(CONNECTED, TIMEOUT);
  }

  /** Chooses Harbor's wallet in the open list, as soon as it is announced. */
  async chooseWallet(): Promise<void> {
    await this.pickWallet();
    await this.answer(/^Show your address/, 'Approve');
  }

  /** Presses a wallet in the open list, as soon as it is announced. */
  async pickWallet(name = 'Harbor'): Promise<void> {
    await (await this.#listed(name)).click();
  }

  /** Presses the first of these buttons that exists and is enabled; returns its name, or nothing if there is none. */
  async pressAny(names: readonly string[]): Promise<string | undefined> {
    for (const name of names) {
      const button = await this.page.$(`swap-widget >>> ::-p-aria([name="${name}"][role="button"])`);
      const canPress = await button?.evaluate(
        element => element.checkVisibility() && element.getAttribute('aria-disabled') !== 'true',
      );
      if (!canPress) continue;
      await button!.click();
      return name;
    }
    return undefined;
  }

  /** Object settings are read by a late chunk. Until then the form has neither assets nor a restored draft. */
  async #formReady(): Promise<void> {
    const chain = await this.page.waitForSelector('swap-widget >>> .chain-name bdi', TIMEOUT);
    await this.page.waitForFunction(element => element?.textContent.trim(), TIMEOUT, chain);
  }

  async #listed(name: string): Promise<ElementHandle> {
    const wallet = await this.page.waitForSelector(
      `swap-widget >>> swap-widget-wallet-picker >>> .list button ::-p-text(${name})`,
      {...TIMEOUT, visible: true},
    );
    // On a touch screen the list slides in from below: a target pressed meanwhile has moved.
    await this.page.waitForFunction(
      element => {
        const sheet = element?.closest('dialog');
        return sheet?.open && !sheet.getAnimations().length;
      },
      TIMEOUT,
      wallet,
    );
    return wallet!;
  }

  async #window(): Promise<ElementHandle> {
    try {
      const selector = '[data-development-wallet] >>> dialog';
      return (await this.page.waitForSelector(selector, {...TIMEOUT, visible: true}))!;
    } catch (cause) {
      throw new Error(`There is no prompt of a wallet. The page says: ${await this.text()}`, {cause});
    }
  }

  async asked(pattern: RegExp): Promise<string> {
    const title = await (await this.#window()).$eval('h2', heading => heading.textContent);
    match(title, pattern);
    return title;
  }

  /** Answers a prompt with this title. */
  async answer(pattern: RegExp, answer: 'Approve' | 'Reject'): Promise<void> {
    await this.asked(pattern);
    const dialog = await this.#window();
    const button = await dialog.$(answer === 'Approve' ? '.approve' : '.reject');
    await button!.click();
    await this.page.waitForFunction(element => !element.isConnected, TIMEOUT, dialog);
  }

  /** Approves prompts until the one for the signature: an earlier swap may have left an allowance. */
  async releaseToken(): Promise<void> {
    while (/^Allow/.test(await this.asked(/^(?:Allow|Pay)/))) await this.answer(/^Allow/, 'Approve');
  }

  /**
   * Presses the button of a wallet request; connects the wallet first if it is not back after a reload. The widget
   * offers to connect one only if none reconnects by itself, so the offer stays until it is pressed.
   */
  async pressInWallet(name: string): Promise<void> {
    const offered = await Promise.any([this.button(name), this.button('Connect a wallet')]).catch((error: unknown) => {
      // Either error contains the page's text.
      throw (error as AggregateError).errors[0];
    });
    const label = await offered.evaluate(button => button.textContent.trim());
    if (label === 'Connect a wallet') {
      await offered.click();
      await this.pickWallet();
    }
    await this.press(name);
  }

  async until(...stages: string[]): Promise<void> {
    const isThere = (...wanted: string[]) =>
      wanted.includes((document.querySelector('swap-widget') as (Element & {stage?: string}) | null)?.stage ?? '');
    try {
      await this.page.waitForFunction(isThere, TIMEOUT, ...stages);
    } catch (cause) {
      throw new Error(`The stage is not “${stages.join('” or “')}”. The page says: ${await this.text()}`, {cause});
    }
  }

  async read(text: string): Promise<void> {
    await this.page.waitForSelector(`swap-widget >>> ::-p-text(${text})`, {...TIMEOUT, visible: true});
  }

  async order(): Promise<OrderRead> {
    const id = await this.page.waitForFunction(
      () => (document.querySelector('swap-widget') as (Element & {order?: {id: string}}) | null)?.order?.id,
      TIMEOUT,
    );
    return this.client.read((await id.jsonValue())!);
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }
}

/** Swaps on a page with the mock service, whose form is filled in, until the money has arrived. */
export async function swapWithMock(page: Page, agree = ['Yes, the refund address is mine', 'Yes, send it there']) {
  const visitor = new Visitor(page, undefined as never);
  for (const name of [...agree, 'Review swap', 'Place swap']) await visitor.press(name);
  await page.waitForSelector('swap-widget >>> h2 ::-p-text(Received)', {...TIMEOUT, visible: true});
}
