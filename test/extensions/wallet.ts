/** A wallet's owner, who uses its windows by the text in them. */
import type {ElementHandle, Page} from 'puppeteer-core';
import {NAMED, type ExtensionBrowser} from './browser.js';
import type {Deed, Driver, Name} from './driver.js';
import {scaled} from '../support/limits.js';

const PATIENCE_MS = scaled(30_000);
const IF_ANY_MS = scaled(2_000);
/** How long a window may have none of the expected buttons before that is a failure. */
const PROMPT_MS = scaled(45_000);

export interface Secrets {
  readonly password: string;
  readonly words: string;
  readonly fill: (name: string) => string | undefined;
}

export class WalletOwner {
  constructor(
    readonly browser: ExtensionBrowser,
    readonly id: string,
    readonly driver: Driver,
    readonly secrets: Secrets,
  ) {}

  windows(): Promise<Page[]> {
    return this.browser.windowsOf(this.id);
  }

  async closeWindows(): Promise<void> {
    for (const window of await this.windows()) await window.close().catch(() => undefined);
  }

  /** Rejects open prompts, and closes other windows. A wallet whose prompt was merely closed may show no other one. */
  async dismiss(): Promise<void> {
    if ((await this.windows()).length)
      await this.#answer(this.driver.refuse, 'refuse', scaled(5_000)).catch(() => undefined);
    await this.closeWindows();
  }

  async perform(deeds: readonly Deed[]): Promise<void> {
    for (const deed of deeds) {
      try {
        await this.#do(deed);
      } catch (cause) {
        throw new Error(`${say(deed)}: ${(cause as Error).message}. ${await this.#screens()}`, {cause});
      }
    }
  }

  async #do(deed: Deed): Promise<void> {
    if ('open' in deed) {
      await this.closeWindows();
      await this.browser.openPage(`chrome-extension://${this.id}/${deed.open}`);
    } else if ('press' in deed) {
      const found = await this.#find('button', deed.press, deed.ifAny ? IF_ANY_MS : PATIENCE_MS);
      if (found) await press(found);
      else if (!deed.ifAny) throw new Error('there is no such button');
    } else if ('write' in deed) {
      const found = await this.#find('field', deed.into, PATIENCE_MS);
      if (!found) throw new Error('there is no such field');
      await found.page.bringToFront();
      await found.element.click({count: 3});
      await found.element.type(this.#filled(deed.write));
    } else if (!(await this.#find('text', deed.see, PATIENCE_MS))) throw new Error('it is not there');
  }

  #filled(text: string): string {
    return text.replace(/\{([^{}]+)\}/g, (all, name: string) => {
      const {password, words, fill} = this.secrets;
      if (name === 'password') return password;
      if (name === 'words') return words;
      const [, nth] = /^word (\d+)$/.exec(name) ?? [];
      return (nth === undefined ? fill(name) : words.split(' ')[Number(nth) - 1]) ?? all;
    });
  }

  async #screens(): Promise<string> {
    const texts = (await this.windows()).map(async window => {
      const text = await window.evaluate(() => document.body.innerText.replace(/\s+/g, ' ')).catch(() => '');
      return `${new URL(window.url()).pathname}${new URL(window.url()).hash} says “${text.slice(0, 400)}”`;
    });
    const read = await Promise.all(texts);
    return read.length ? `The wallet's window ${read.join('; ')}` : 'The wallet has no window open.';
  }

  /** Handles its prompts until none is open and no other appears within a moment. */
  async approve(): Promise<void> {
    await this.#answer(this.driver.approve, 'approve');
  }

  async refuse(): Promise<void> {
    await this.#answer(this.driver.refuse, 'refuse');
  }

  /** Handles one window, with as many clicks as necessary. */
  async #answer(names: readonly Name[], what: string, patience = PROMPT_MS): Promise<void> {
    const end = performance.now() + patience;
    let wasOpen = false;
    let last = '';
    while (performance.now() < end) {
      const windows = await this.windows();
      if (wasOpen && !windows.length) return;
      for (const window of windows) {
        wasOpen = true;
        for (const name of names) {
          const element = await find(window, 'button', name).catch(() => undefined);
          if (!element) continue;
          await press({page: window, element}).catch(() => undefined);
          break;
        }
      }
      if (windows.length) last = await this.#screens();
      await pause(300);
    }
    throw new Error(
      wasOpen ? `No button to ${what} ends the prompt. ${last}` : 'The wallet opened no window, though it was asked.',
    );
  }

  async #find(kind: Kind, name: Name, patience: number): Promise<{page: Page; element: ElementHandle} | undefined> {
    const end = performance.now() + patience;
    do {
      for (const page of (await this.windows()).reverse()) {
        const element = await find(page, kind, name).catch(() => undefined);
        if (element) return {page, element};
      }
      await pause(100);
    } while (performance.now() < end);
    return undefined;
  }
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

function say(deed: Deed): string {
  const [[what, value] = []] = Object.entries(deed) as [string, unknown][];
  return 'write' in deed ? `write into “${String(deed.into)}”` : `${String(what)} “${String(value)}”`;
}

async function press({page, element}: {page: Page; element: ElementHandle}): Promise<void> {
  try {
    // A window in the background is not rendered, and what is not rendered cannot be clicked.
    await page.bringToFront();
    await element.scrollIntoView();
    // An element that is sliding in is not in its final position.
    let before: string;
    let place = '';
    do {
      before = place;
      place = JSON.stringify(await element.boundingBox());
      await pause(100);
    } while (place !== before);
    await element.click();
  } catch {
    // Something covers it, or the window is small.
    if (!page.isClosed()) await element.evaluate(one => (one as HTMLElement).click());
  }
}

type Kind = 'button' | 'field' | 'text';

/** Finds visible, enabled elements in a window by accessible name or text, also in shadow trees. */
async function find(page: Page, kind: Kind, name: Name): Promise<ElementHandle | undefined> {
  const wanted: {text?: string; source?: string; flags?: string} =
    typeof name === 'string' ? {text: name} : {source: name.source, flags: name.flags};
  await page.evaluate(NAMED);
  const handle = await page.evaluateHandle(
    (kind, wanted) => {
      const plain = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
      const matches = (text: string | null | undefined) => {
        const said = plain(text);
        return wanted.text !== undefined
          ? said !== '' && said.toLowerCase() === plain(wanted.text).toLowerCase()
          : said !== '' && new RegExp(wanted.source ?? '', wanted.flags).test(said);
      };
      const all: HTMLElement[] = [];
      const walk = (root: ParentNode) => {
        for (const element of root.querySelectorAll<HTMLElement>('*')) {
          all.push(element);
          if (element.shadowRoot) walk(element.shadowRoot);
        }
      };
      walk(document);
      const isThere = (element: HTMLElement) => {
        const {width, height} = element.getBoundingClientRect();
        return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
      };
      const labels = (element: HTMLElement) => [
        element.getAttribute('aria-label'),
        ...[...((element as HTMLInputElement).labels ?? [])].map(label => label.textContent),
        element.getAttribute('placeholder'),
        element.getAttribute('title'),
        element.getAttribute('alt'),
        element.getAttribute('name'),
        element.id,
        element.getAttribute('data-testid'),
      ];
      if (kind === 'field') {
        const fields = all.filter(
          element =>
            element.matches('input:not([type=hidden]), textarea, [contenteditable]:not([contenteditable=false])') &&
            isThere(element),
        );
        // Some have no name at all: those are recognized by their type.
        const kinds = (field: HTMLElement) => [field.localName, field.getAttribute('type'), field.getAttribute('role')];
        return fields.filter(field => [...labels(field), ...kinds(field)].some(matches))[0] ?? null;
      }
      // It takes long to determine what is rendered of a whole page.
      const isShort = ({textContent}: HTMLElement) => (textContent ?? '').length < 500;
      const named = all.filter(
        element =>
          isThere(element) && (labels(element).some(matches) || (isShort(element) && matches(element.innerText))),
      );
      if (kind === 'text') return named[0] ?? null;
      const canPress = (element: HTMLElement) =>
        !(element as HTMLButtonElement).disabled && element.getAttribute('aria-disabled') !== 'true';
      const real = named.filter(element =>
        element.matches(
          'button, a, label, input, summary, [role=button], [role=link], [role=tab], [role=menuitem], [role=option], [role=checkbox], [role=radio], [role=switch]',
        ),
      );
      // Something that reacts without being a button: the innermost element with this text.
      const inner = named.filter(
        element =>
          !real.some(one => one.contains(element) || element.contains(one)) &&
          !named.some(other => other !== element && element.contains(other)),
      );
      return [...real, ...inner].find(canPress) ?? null;
    },
    kind,
    wanted,
  );
  return (handle.asElement() as ElementHandle | undefined) ?? undefined;
}
