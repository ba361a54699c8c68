/**
 * “Try it” in the README, and then the steps on the page of the playground, followed word by word: bold text is pressed,
 * chosen, switched or read, code is typed. So the steps match the page, and the page matches the steps.
 */
import {deepEqual, equal, ok} from 'node:assert/strict';
import type {Token, Tokens} from 'marked';
import type {ElementHandle, Page} from 'puppeteer-core';
import {read, readDocument} from '../../demo/documents.js';
import {axeViolations, openBrowser, type TestBrowser} from '../support/browser.js';
import {startDemo, type RunningDemo} from '../support/demo.js';
import {scaled} from '../support/limits.js';

const TIMEOUT = {timeout: scaled(60_000), polling: 100};

interface Deed {
  readonly verb: string;
  readonly word: string;
  /** The chain, if each has one of that name. */
  readonly on: string;
}

/** The actions in steps, in their written order. A verb applies until there is another. */
function deedsOf(tokens: readonly Token[]): Deed[] {
  let verb = '';
  return tokens.flatMap((token, at) => {
    if (token.type !== 'strong' && token.type !== 'codespan') {
      const verbs = [...token.raw.matchAll(/\b(?:press|choose|type|says|copy|switch on|switch off)\b/gi)];
      verb = verbs.at(-1)?.[0].toLowerCase() ?? verb;
      return [];
    }
    const isPlace = /under $/i.test(tokens[at - 1]?.raw ?? '');
    const [, on = '', twice] = /^(?: on ([A-Z]\w+ [A-Z]\w+))?( twice)?/.exec(tokens[at + 1]?.raw ?? '') ?? [];
    const deed = {verb: isPlace ? 'open' : verb, word: (token as Tokens.Strong).text, on};
    return twice ? [deed, deed] : [deed];
  });
}

/** The numbered steps after a heading, with their actions. */
function stepsOf(path: string, heading: string): {readonly name: string; readonly deeds: readonly Deed[]} {
  const tokens = read(readDocument(path));
  const from = tokens.findIndex(token => token.type === 'heading' && (token as Tokens.Heading).text === heading);
  const rest = tokens.slice(from + 1);
  const list = rest.find(token => token.type === 'heading' || (token as Tokens.List).ordered) as Tokens.List;
  ok(from >= 0 && list.type === 'list', `${path} has no steps for “${heading}”`);
  const steps = list.items.map(({tokens}) => tokens.flatMap(token => ('tokens' in token ? (token.tokens ?? []) : [])));
  return {name: heading, deeds: deedsOf(steps.flat())};
}

const PLAYGROUND = 'demo/docs/playground.md';
/** What a reader does, one after the other. */
const WALK = [
  stepsOf('README.md', 'Try it'),
  stepsOf(PLAYGROUND, 'Take a refund'),
  stepsOf(PLAYGROUND, 'Pay with bitcoin'),
];

describe('“Try it” in the README, and the steps on the page of the playground', () => {
  let demo: RunningDemo;
  let browser: TestBrowser;
  let page: Page;
  let amount = '';

  before(async () => {
    [demo, browser] = await Promise.all([startDemo(9500), openBrowser()]);
    ({page} = await browser.openPage(demo.page));
    await page.setViewport({width: 1280, height: 1000});
  });
  after(async () => {
    await Promise.all([demo.close(), browser.close()]);
  });

  /** The first usable element with a line of these words, through all shadow roots; in a dialog first. */
  async function find(selector: string, {word, on}: Pick<Deed, 'word' | 'on'>): Promise<ElementHandle<HTMLElement>> {
    const find = (selector: string, word: string, on: string) => {
      const hasWord = ({innerText, ariaLabel}: HTMLElement) =>
        (ariaLabel === word && !on) ||
        ((ariaLabel ?? '').endsWith(on && ` on ${on}`) && innerText.split('\n').some(line => line.trim() === word));
      const found = everything().filter(
        element =>
          element.matches(selector) &&
          element.checkVisibility() &&
          element.ariaDisabled !== 'true' &&
          !element.matches(':disabled') &&
          hasWord(element),
      );
      return found.find(element => element.closest('dialog')) ?? found[0];
    };
    try {
      const found = await page.waitForFunction(find, TIMEOUT, selector, word, on);
      return found as ElementHandle<HTMLElement>;
    } catch (cause) {
      const shown = await page.$eval('swap-widget', widget => {
        const {stage, shadowRoot} = widget as HTMLElement & {stage?: string};
        const texts = [...(shadowRoot?.children ?? [])].map(child =>
          child.shadowRoot?.textContent.replace(/\s+/g, ' '),
        );
        return `at ${String(stage)} and says: ${texts.join(' ')}`;
      });
      throw new Error(`“${word}” is not there for ${selector}. The widget is ${shown}`, {cause});
    }
  }

  async function write(selector: string, text: string) {
    const field = await page.waitForSelector(selector, {...TIMEOUT, visible: true});
    await field!.click({count: 3});
    await field!.type(text);
  }

  /** An address on the page, without the spaces that group it. */
  async function textOf(selector: string): Promise<string> {
    const found = await page.waitForSelector(selector, {...TIMEOUT, visible: true});
    return found!.evaluate(element => element.textContent.replace(/\s|Copy/g, ''));
  }

  async function act(deed: Deed): Promise<void> {
    const {verb, word} = deed;
    switch (verb) {
      case 'open':
        return (await find('[role=tab]', deed)).click();
      case 'press':
        if (word === 'Send') {
          const form = '[aria-label="Send from Harbor"]';
          await write(`${form} [name=address]`, await textOf('swap-widget >>> .pay-to .groups'));
          await write(`${form} [name=amount]`, amount);
        }
        return (await find('button, summary', deed)).click();
      case 'choose':
        return (await find('button, [role=option]', deed)).click();
      case 'switch on':
      case 'switch off':
        return (await find('label, [role=switch]', deed)).click();
      case 'type':
        amount = word;
        return write('swap-widget >>> #amount', word);
      case 'copy':
        return write(
          `swap-widget >>> ::-p-aria([name="${word}"][role="textbox"])`,
          await textOf('[aria-label=Harbor] .whole'),
        );
      case 'says':
        await find('h2, p, output', deed);
        return;
      default:
        throw new Error(`What is to be done with “${word}”?`);
    }
  }

  it('names in the bar over the widget what the three steps of the README press and choose', async () => {
    const inBar = await page
      .waitForSelector('#steps li', TIMEOUT)
      .then(() =>
        page.$$eval('#steps li', steps =>
          steps.map(step => [...step.querySelectorAll('b')].map(bold => bold.innerText)),
        ),
      );
    const list = read(readDocument('README.md')).find(token => token.type === 'list' && (token as Tokens.List).ordered);
    const written = (list as Tokens.List).items.map(({text}) =>
      [...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, word]) => word),
    );
    equal(inBar.length, written.length);
    for (const [at, words] of inBar.entries()) {
      ok(words.length);
      deepEqual(words, written[at]!.slice(0, words.length));
    }
  });

  for (const {name, deeds} of WALK) {
    if (name !== 'Try it')
      it(`${name}: the playground shows these steps, and stays`, async () => {
        await (await find('#steps a', {word: name.toLowerCase(), on: ''})).click();
        await find('#guide h3', {word: name, on: ''});
        equal(new URL(page.url()).pathname, new URL(demo.page).pathname);
      });
    it(`${name}: ${deeds.map(({verb, word}) => `${verb} ${word}`).join(', ')}`, async () => {
      for (const deed of deeds) await act(deed);
    });
  }

  it('ends on an accessible page', async () => {
    ok(!(await axeViolations(page)).length);
  });
});
