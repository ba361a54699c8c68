/** One wallet extension, tried on a page with the widget and nothing else: step by step, to whole swaps. */
import {equal, ok} from 'node:assert/strict';
import {randomBytes} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {Mnemonic} from 'ethers';
import type {Page} from 'puppeteer-core';
import {giveCoins} from '../../demo/wallets/index.js';
import {createSandbox, type SandboxState} from '../../demo/wallets/sandbox.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {SandboxClient} from '../sandbox/client.js';
import {Visitor} from '../support/visitor.js';
import {openExtensions, type Answer, type Extension, type ExtensionBrowser} from './browser.js';
import type {Driver, Step} from './driver.js';
import {WalletOwner} from './wallet.js';

/** Where it is tried. */
export interface Place {
  /** The page with the widget; what is swapped stands in its query. */
  readonly page: string;
  /** The origin of the service and the sandbox's controls. */
  readonly origin: string;
  readonly state: SandboxState;
  /** A folder for pictures of every window after a step that failed. */
  readonly pictures?: string | undefined;
}

/** What a step came to: seen, failed, or not possible with this wallet. */
export interface Outcome {
  readonly family: ChainFamily | undefined;
  readonly step: string;
  readonly result: 'yes' | 'no' | 'not tried';
  readonly said: string;
}

type Tell = (outcome: Outcome) => void;

/** Thrown by a step for what is no failure: this wallet does not do it. */
class NotTried extends Error {}

/** What is paid with by each family, and what is asked for. */
const PAIRS: Readonly<Record<ChainFamily, {from: string; to: string; amount: string}>> = {
  bitcoin: {from: 'bitcoin_testnet:btc', to: 'base_sepolia:wbtc', amount: '0.001'},
  evm: {from: 'base_sepolia:wbtc', to: 'ethereum_sepolia:wbtc', amount: '0.01'},
  solana: {from: 'solana_testnet:sol', to: 'base_sepolia:wbtc', amount: '1'},
  starknet: {from: 'starknet_sepolia:wbtc', to: 'base_sepolia:wbtc', amount: '0.01'},
};
const FAMILIES = Object.keys(PAIRS) as ChainFamily[];
const NOBODY = '0x000000000000000000000000000000000000dEaD';
const LISTED = 'swap-widget >>> swap-widget-wallet-picker >>> button.wallet';

const addressOf = ({page}: Place, family: ChainFamily) => {
  const {from, to} = PAIRS[family];
  return `${page}?${String(new URLSearchParams({from, to}))}`;
};

/** The wallets in the widget's list, and whether each picture is shown. */
async function listed(page: Page): Promise<{name: string; hasPicture: boolean}[]> {
  await page.waitForSelector(LISTED, {timeout: 5_000, visible: true}).catch(() => null);
  // A broken picture is taken for a letter as soon as it is known to be broken.
  await new Promise(resolve => setTimeout(resolve, 500));
  const entries = await page.$$(LISTED);
  return Promise.all(
    entries.map(entry =>
      entry.evaluate(button => ({
        name: (button.querySelector('strong') ?? (button as HTMLElement)).innerText.replace(/\s+/g, ' ').trim(),
        hasPicture: [...button.querySelectorAll('img')].some(({naturalWidth}) => naturalWidth > 0),
      })),
    ),
  );
}

/** Most open a window of their own once they are installed. A page behind it draws nothing. */
async function settle(browser: ExtensionBrowser): Promise<void> {
  await pause(3_000 * browser.ids.length);
  await closeAll(browser);
}

async function closeAll({ids, windowsOf}: ExtensionBrowser): Promise<void> {
  for (const id of ids) for (const window of await windowsOf(id)) await window.close().catch(() => undefined);
}

/** Opens the list of each family's wallets; returns those that are there, by family. */
export async function findAll(place: Place, browser: ExtensionBrowser): Promise<ReadonlyMap<ChainFamily, string[]>> {
  const found = new Map<ChainFamily, string[]>();
  await settle(browser);
  for (const family of FAMILIES) {
    const page = await browser.openPage(addressOf(place, family));
    const visitor = new Visitor(page, new SandboxClient(place.origin, place.state.appId));
    await closeAll(browser);
    await page.bringToFront();
    await visitor.amount();
    await visitor.press('Connect a wallet to pay from');
    const wallets = await listed(page);
    found.set(
      family,
      wallets.map(({name, hasPicture}) => (hasPicture ? name : `${name} (no picture)`)),
    );
    await page.close();
  }
  return found;
}

/** A wallet without a driver: as far as its place in the list. */
export async function tryFinding(extension: Extension, place: Place, tell: Tell): Promise<void> {
  const browser = await openExtensions([extension]);
  try {
    const found = await findAll(place, browser);
    const names = [...found].flatMap(([family, wallets]) => wallets.map(name => `${name} for ${family}`));
    tell({
      family: undefined,
      step: 'found and named',
      result: names.length ? 'yes' : 'no',
      said: names.join(', ') || 'nothing was announced to the page',
    });
    tell({family: undefined, step: 'all else', result: 'not tried', said: 'it has no driver'});
  } finally {
    await browser.close();
  }
}

/** A wallet with a driver, through all steps of each of its families. */
export async function tryWallet(
  extension: Extension,
  driver: Driver,
  place: Place,
  families: readonly ChainFamily[],
  tell: Tell,
): Promise<void> {
  const nodes = Object.fromEntries(
    Object.entries(driver.nodes ?? {}).map(([start, chain]) => [start, playedBy(place, chain)]),
  );
  const browser = await openExtensions([extension], nodes);
  const id = browser.ids[0] ?? '';
  const fill = (name: string) => {
    const [, chain = ''] = /^rpc (\w+)$/.exec(name) ?? [];
    return place.state.chains[chain]?.rpc;
  };
  const words = Mnemonic.fromEntropy(randomBytes(16)).phrase;
  const owner = new WalletOwner(browser, id, driver, {password: 'Correct-Horse-9-battery', words, fill});
  try {
    const made = await step(undefined, 'wallet made', driver, {place, browser, tell}, async () => {
      await settle(browser);
      await owner.perform(driver.setUp);
      await owner.closeWindows();
      return 'by its own screens, from twelve new words';
    });
    if (!made) return;
    for (const family of families) await new Trial(place, browser, owner, family, tell).run();
  } finally {
    await browser.close();
  }
}

/** Answers in the place of a server by one of the sandbox's chains. */
function playedBy({state}: Place, chain: string): Answer {
  const {rpc} = state.chains[chain] ?? {};
  if (rpc === undefined) throw new Error(`The sandbox has no chain ${chain}.`);
  return (path, {method, body}) =>
    fetch(rpc + path, {method, ...(body === undefined ? {} : {body, headers: {'content-type': 'application/json'}})});
}

interface Around {
  readonly place: Place;
  readonly browser: ExtensionBrowser;
  readonly tell: Tell;
}

/** Does one step, and tells what it came to; returns whether the next ones can follow. */
async function step(
  family: ChainFamily | undefined,
  name: Step,
  driver: Driver,
  {place, browser, tell}: Around,
  work: () => Promise<string>,
): Promise<boolean> {
  const reason = driver.cannot?.[name];
  if (reason !== undefined) {
    tell({family, step: name, result: 'not tried', said: reason});
    return true;
  }
  try {
    tell({family, step: name, result: 'yes', said: await work()});
    return true;
  } catch (error) {
    if (error instanceof NotTried) {
      tell({family, step: name, result: 'not tried', said: error.message});
      return true;
    }
    if (place.pictures) await takePictures(place.pictures, `${driver.name} ${family ?? ''} ${name}`, browser);
    tell({family, step: name, result: 'no', said: (error as Error).message.replace(/\s+/g, ' ')});
    return false;
  }
}

async function takePictures(folder: string, name: string, {browser}: ExtensionBrowser): Promise<void> {
  mkdirSync(folder, {recursive: true});
  let count = 0;
  for (const page of await browser.pages()) {
    const path = join(folder, `${name.replace(/\W+/g, '-')}-${String(count++)}.png`) as `${string}.png`;
    await page.screenshot({path}).catch(() => undefined);
  }
}

class Trial {
  readonly #place: Place;
  readonly #browser: ExtensionBrowser;
  readonly #owner: WalletOwner;
  readonly #family: ChainFamily;
  readonly #tell: Tell;
  readonly #client: SandboxClient;
  #visitor!: Visitor;
  #account = '';

  constructor(place: Place, browser: ExtensionBrowser, owner: WalletOwner, family: ChainFamily, tell: Tell) {
    this.#place = place;
    this.#browser = browser;
    this.#owner = owner;
    this.#family = family;
    this.#tell = tell;
    this.#client = SandboxClient.forAppOfItsOwn({url: place.origin, appId: ''});
  }

  async run(): Promise<void> {
    const page = await this.#browser.openPage(this.#address());
    this.#visitor = new Visitor(page, this.#client);
    const all: readonly (readonly [Step, () => Promise<string>])[] = [
      ['found and named', () => this.#find()],
      ['connect refused', () => this.#refuseToConnect()],
      ['connected', () => this.#connect()],
      ['payment refused', () => this.#refuseToPay()],
      ['by signature', () => this.#swap('signature')],
      ['by transaction', () => this.#swap('transaction')],
      ['batch', () => this.#batch()],
      ['reload', () => this.#reloadMidway()],
      ['network', () => this.#otherNetwork()],
      ['other account', () => this.#otherAccount()],
      ['locked', () => this.#lock()],
      ['refund', () => this.#refund()],
    ];
    const around = {place: this.#place, browser: this.#browser, tell: this.#tell};
    for (const [name, work] of all) {
      const went = await step(this.#family, name, this.#owner.driver, around, work);
      // What comes after it stands on these.
      if (!went && (name === 'found and named' || name === 'connected')) break;
      if (!went) await this.#recover().catch(() => undefined);
    }
    await page.close();
  }

  #address(): string {
    return `${addressOf(this.#place, this.#family)}&${String(new URLSearchParams({app: this.#client.appId}))}`;
  }

  get #page(): Page {
    return this.#visitor.page;
  }

  /** What a failed step may have left: open windows, and a service with faults. */
  async #recover(): Promise<void> {
    await this.#owner.dismiss();
    await this.#faults({});
  }

  /** The form as on a first visit, since an open order would be shown instead; with the wallet connected. */
  async #fresh(): Promise<void> {
    await this.#page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await this.#page.goto(this.#address());
    await this.#page.bringToFront();
    await this.#visitor.amount();
    await this.#openList();
    await this.#choose();
    await this.#answerUntil(() => this.#isConnected());
  }

  /** Has the service make these faults for this page, and no others. */
  #faults(faults: Readonly<Record<string, unknown>>): Promise<void> {
    return createSandbox(this.#place.origin).setFaults(this.#client.appId, faults);
  }

  async #openList(): Promise<void> {
    await this.#visitor.press('Connect a wallet to pay from');
  }

  /** Presses the wallet in the open list. */
  async #choose(): Promise<void> {
    await this.#visitor.pickWallet(this.#owner.driver.name);
  }

  async #isConnected(): Promise<boolean> {
    return (await this.#shownAccount()) !== undefined;
  }

  /** The address that the widget shows for the payer. */
  async #shownAccount(): Promise<string | undefined> {
    const field = await this.#page.$('swap-widget >>> swap-widget-address-field[side=pay]');
    return field?.evaluate(
      ({shadowRoot}) =>
        shadowRoot?.querySelector('.account[title]')?.getAttribute('title') ??
        (shadowRoot?.querySelector('input')?.title || undefined),
    );
  }

  /** Approves prompts, as they come, until something is so. */
  async #answerUntil(isSo: () => Promise<boolean>, patience = 90_000): Promise<void> {
    const end = performance.now() + patience;
    while (performance.now() < end) {
      if (await isSo()) return;
      if ((await this.#owner.windows()).length) {
        await this.#owner.approve();
      }
      await pause(200);
    }
    throw new Error(`It did not come to that. The page says: ${await this.#visitor.text()}`);
  }

  #stageIs(...stages: string[]): () => Promise<boolean> {
    return async () =>
      stages.includes(
        (await this.#page.evaluate(
          () => (document.querySelector('swap-widget') as (Element & {stage?: string}) | null)?.stage,
        )) ?? '',
      );
  }

  #says(pattern: RegExp): () => Promise<boolean> {
    return async () => pattern.test(await this.#visitor.text());
  }

  async #find(): Promise<string> {
    await this.#visitor.amount();
    await this.#openList();
    const wallets = await listed(this.#page);
    const {name} = this.#owner.driver;
    const own = wallets.find(wallet => wallet.name.startsWith(name));
    ok(own, `The list has ${wallets.map(({name}) => name).join(', ') || 'no wallet'}.`);
    return `as ${own.name}, ${own.hasPicture ? 'with its picture' : 'without a picture'}`;
  }

  async #refuseToConnect(): Promise<string> {
    await this.#choose();
    await this.#owner.refuse();
    await this.#until(this.#says(/You declined in your wallet\./));
    ok(!(await this.#isConnected()));
    return 'the widget says so, and offers it again';
  }

  async #connect(): Promise<string> {
    await this.#fresh();
    this.#account = (await this.#shownAccount()) ?? '';
    const {state, origin} = this.#place;
    await giveCoins(createSandbox(origin), state, this.#family, this.#account);
    return this.#account;
  }

  async #until(isSo: () => Promise<boolean>, patience = 30_000): Promise<void> {
    const end = performance.now() + patience;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`It was never so. The page says: ${await this.#visitor.text()}`);
      await pause(100);
    }
  }

  /** From the form to the placed order. */
  async #order(): Promise<void> {
    await this.#visitor.type(PAIRS[this.#family].amount);
    if (this.#family !== 'evm') await this.#visitor.typeAddress(NOBODY);
    await this.#visitor.press('Review swap');
    await this.#visitor.press('Place swap');
  }

  async #refuseToPay(): Promise<string> {
    await this.#order();
    if (this.#family === 'bitcoin') await this.#visitor.press(`Pay with ${this.#owner.driver.name}`);
    // Networks are switched and tokens released before; the last prompt is the payment.
    let prompts = 0;
    for (;;) {
      await this.#until(async () => (await this.#owner.windows()).length > 0);
      const says = await this.#visitor.text();
      prompts++;
      if (/change its network|Switch to|Switch networks/.test(says) && prompts < 3) {
        await this.#owner.approve();
        continue;
      }
      await this.#owner.refuse();
      break;
    }
    await this.#until(this.#says(/You declined in your wallet\.|didn’t switch networks/));
    const order = await this.#visitor.order();
    equal(order.source_swap.initiate_tx_hash, '');
    const told = (await this.#visitor.text()).match(/You declined[^.]*\./)?.[0] ?? '';
    return `“${told}”, nothing paid${prompts > 1 ? ', after the network was changed' : ''}`;
  }

  async #swap(way: 'signature' | 'transaction'): Promise<string> {
    const signs = this.#family === 'evm' || this.#family === 'starknet';
    if (way === 'signature' && !signs) throw new NotTried(`nothing is signed for ${this.#family}`);
    await this.#faults(way === 'transaction' && signs ? {noTypedData: true} : {});
    await this.#fresh();
    await this.#order();
    await this.#payThrough();
    const order = await this.#visitor.order();
    ok(order.destination_swap.redeem_tx_hash, 'nothing was paid out');
    await this.#faults({});
    return 'complete';
  }

  /** Answers all prompts until the swap is complete. */
  async #payThrough(stages: readonly string[] = ['complete']): Promise<void> {
    if (this.#family === 'bitcoin') {
      await this.#visitor.press(`Pay with ${this.#owner.driver.name}`);
      await this.#answerUntil(this.#stageIs('deposit-seen', ...stages));
      await createSandbox(this.#place.origin).mine('bitcoin_testnet', 2);
    }
    await this.#answerUntil(this.#stageIs(...stages));
  }

  async #batch(): Promise<string> {
    if (this.#family !== 'evm') throw new NotTried(`${this.#family} has none`);
    await this.#fresh();
    await this.#visitor.type(PAIRS.evm.amount);
    await this.#visitor.press('Review swap');
    await this.#visitor.button('Place swap');
    const says = await this.#visitor.text();
    if (!/One confirmation for both/.test(says)) throw new NotTried('the wallet does not say that it can');
    await this.#visitor.press('Place swap');
    await this.#payThrough();
    return 'complete';
  }

  async #reloadMidway(): Promise<string> {
    await this.#fresh();
    await this.#order();
    if (this.#family === 'bitcoin') {
      await this.#visitor.button(`Pay with ${this.#owner.driver.name}`);
    } else {
      await this.#until(async () => (await this.#owner.windows()).length > 0);
    }
    const before = await this.#visitor.order();
    await this.#visitor.reload();
    await this.#owner.dismiss();
    const after = await this.#visitor.order();
    equal(after['order_id'], before['order_id']);
    await this.#goOn();
    await this.#payThrough();
    return 'the same order goes on, complete';
  }

  /** Presses what an order offers after a reload or a no, until the wallet is asked. */
  async #goOn(): Promise<void> {
    if (this.#family === 'bitcoin') return;
    const {name} = this.#owner.driver;
    const wanted = [
      'No, I didn’t',
      'Connect a wallet',
      `Sign with ${name}`,
      `Sign with ${name} (free)`,
      `Pay with ${name}`,
      `Confirm in ${name}`,
      `Allow in ${name}`,
      'Pay from a wallet',
      'Try again',
      'Take your money back',
    ];
    const end = performance.now() + 60_000;
    while (performance.now() < end) {
      if ((await this.#owner.windows()).length) return;
      if (await this.#stageIs('complete', 'settling', 'confirming', 'refunded')()) return;
      const pressed = await this.#visitor.pressAny(wanted);
      if (pressed === 'Connect a wallet') await this.#choose();
      await pause(500);
    }
    throw new Error(`The wallet was not asked again. The page says: ${await this.#visitor.text()}`);
  }

  async #otherNetwork(): Promise<string> {
    const {network} = this.#owner.driver;
    if (!network) throw new NotTried('the driver does not know how');
    await this.#fresh();
    await this.#owner.perform(network);
    await this.#owner.closeWindows();
    await this.#page.bringToFront();
    await this.#order();
    await this.#payThrough();
    return 'brought back to the right one, complete';
  }

  async #otherAccount(): Promise<string> {
    const {account} = this.#owner.driver;
    if (!account) throw new NotTried('the driver does not know how');
    await this.#fresh();
    const before = await this.#shownAccount();
    await this.#owner.perform(account);
    await this.#owner.closeWindows();
    await this.#page.bringToFront();
    const followed = await this.#until(async () => {
      const shown = await this.#shownAccount();
      return shown !== undefined && shown !== before;
    }, 10_000).then(
      () => true,
      () => false,
    );
    if (!followed) {
      await this.#visitor.press('Change the wallet you pay from');
      await this.#choose();
      await this.#answerUntil(async () => ![undefined, before].includes(await this.#shownAccount()), 40_000);
    }
    const {state, origin} = this.#place;
    this.#account = (await this.#shownAccount()) ?? '';
    await giveCoins(createSandbox(origin), state, this.#family, this.#account);
    await this.#order();
    await this.#payThrough();
    return `${followed ? 'followed by itself' : 'known once connected again'}, complete`;
  }

  async #lock(): Promise<string> {
    const {lock, unlock} = this.#owner.driver;
    if (!lock || !unlock) throw new NotTried('the driver does not know how');
    await this.#fresh();
    await this.#order();
    await this.#until(async () => (await this.#owner.windows()).length > 0);
    await this.#owner.refuse();
    await this.#owner.perform(lock);
    await this.#owner.closeWindows();
    await this.#visitor.reload();
    await this.#page.bringToFront();
    await this.#goOn();
    await this.#owner.perform(unlock);
    if (!(await this.#owner.windows()).length) await this.#goOn();
    await this.#payThrough();
    return 'unlocked in its window, complete';
  }

  async #refund(): Promise<string> {
    await this.#faults({solverGone: true});
    await this.#fresh();
    await this.#order();
    await this.#payThrough(['settling']);
    const orderId = (await this.#visitor.order())['order_id'];
    await this.#client.control('expire', {orderId});
    await this.#until(this.#stageIs('refunding', 'refunded'));
    if (this.#family === 'bitcoin') {
      await createSandbox(this.#place.origin).mine('bitcoin_testnet', 1);
      await this.#until(this.#stageIs('refunded'));
    } else {
      await this.#goOn();
      await this.#answerUntil(this.#stageIs('refunded'));
    }
    await this.#faults({});
    const said = (await this.#visitor.text()).match(/You got back [\d.]+ \w+/)?.[0] ?? '';
    ok(said, 'the widget does not say what came back');
    return `“${said}”`;
  }
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
