/** Tests one wallet extension on a page with only the widget: step by step, to whole swaps. */
import {equal, ok} from 'node:assert/strict';
import {randomBytes} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {Mnemonic} from 'ethers';
import {giveCoins} from '../../demo/wallets/index.js';
import {createSandbox} from '../../demo/wallets/sandbox.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {openExtensions, type Answer, type Extension, type ExtensionBrowser} from './browser.js';
import type {Driver, Step} from './driver.js';
import {findAll, listed, PAIRS, pause, settle, type Place} from './finding.js';
import {Visit} from './visit.js';
import {WalletOwner} from './wallet.js';
import {scaled} from '../support/limits.js';

/** The result of a step: passed, failed, or not possible with this wallet. */
export interface Outcome {
  readonly family: ChainFamily | undefined;
  readonly step: string;
  readonly result: 'yes' | 'no' | 'not tried';
  readonly said: string;
}

type Tell = (outcome: Outcome) => void;

/** Thrown by a step that this wallet does not support, which is not a failure. */
class NotTried extends Error {}

/** Tests a wallet without a driver: only its entries in the lists. */
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

/** Tests a wallet with a driver: all steps for each of its families. */
export async function tryWallet(
  extension: Extension,
  driver: Driver,
  place: Place,
  families: readonly ChainFamily[],
  tell: Tell,
): Promise<void> {
  const nodes = Object.fromEntries([
    ...Object.entries(driver.nodes ?? {}).map(([start, chain]) => [start, playedBy(place, chain)] as const),
    ...Object.entries(driver.backEnds ?? {}).map(([start, backEnd]) => [start, backEnd(place.state)] as const),
  ]);
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
      return 'by its own screens';
    });
    if (!made) return;
    for (const family of families) await new Trial(new Visit(place, owner, family), {place, browser, tell}).run();
  } finally {
    await browser.close();
  }
}

/** Forwards a server's requests to one of the sandbox's chains, or to a path of its node. */
function playedBy({state}: Place, target: string): Answer {
  const [, chain = '', under = ''] = /^(\w+)(.*)$/.exec(target) ?? [];
  const {rpc} = state.chains[chain] ?? {};
  if (rpc === undefined) throw new Error(`The sandbox has no chain ${chain}.`);
  return (path, {method, body}) =>
    fetch(rpc + under + path, {
      method,
      ...(body === undefined ? {} : {body, headers: {'content-type': 'application/json'}}),
    });
}

interface Around {
  readonly place: Place;
  readonly browser: ExtensionBrowser;
  readonly tell: Tell;
}

/** Runs one step, and reports its result; returns whether the next ones can follow. */
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

/** All steps for a family, each of which continues from the one before. */
class Trial {
  readonly #visit: Visit;
  readonly #around: Around;

  constructor(visit: Visit, around: Around) {
    this.#visit = visit;
    this.#around = around;
  }

  async run(): Promise<void> {
    await this.#visit.begin(this.#around.browser);
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
    for (const [name, work] of all) {
      const went = await step(this.#visit.family, name, this.#visit.owner.driver, this.#around, work);
      // The following steps depend on these.
      if (!went && (name === 'found and named' || name === 'connected')) break;
      if (!went) await this.#visit.recover().catch(() => undefined);
    }
    await this.#visit.page.close();
  }

  async #find(): Promise<string> {
    await this.#visit.visitor.amount();
    await this.#visit.openList();
    const wallets = await listed(this.#visit.page);
    const {name} = this.#visit.owner.driver;
    const own = wallets.find(wallet => wallet.name.startsWith(name));
    ok(own, `The list has ${wallets.map(({name}) => name).join(', ') || 'no wallet'}.`);
    return `as ${own.name}, ${own.hasPicture ? 'with its picture' : 'without a picture'}`;
  }

  async #refuseToConnect(): Promise<string> {
    await this.#visit.choose();
    await this.#visit.owner.refuse();
    await this.#visit.until(this.#visit.says(/You declined in your wallet\./));
    ok(!(await this.#visit.isConnected()));
    return 'the widget says so, and offers it again';
  }

  async #connect(): Promise<string> {
    await this.#visit.fresh();
    return this.#giveCoins();
  }

  /** Gives the connected account the coins that it needs; returns its address. */
  async #giveCoins(): Promise<string> {
    const {place, family} = this.#visit;
    const account = (await this.#visit.shownAccount()) ?? '';
    const sandbox = createSandbox(place.origin);
    await giveCoins(sandbox, place.state, family, account);
    // Real wallets do not send without the coin for fees, even if none is charged.
    if (family === 'starknet') await sandbox.give('starknet_sepolia:strk', account, 10n ** 20n);
    await pause((this.#visit.owner.driver.balanceKept ?? 0) * 1_000);
    return account;
  }

  async #refuseToPay(): Promise<string> {
    await this.#visit.order();
    await this.#visit.asked();
    // Network switches and approvals come before; the last prompt is the payment.
    let prompts = 0;
    for (;;) {
      await this.#visit.until(async () => (await this.#visit.owner.windows()).length > 0);
      const says = await this.#visit.visitor.text();
      prompts++;
      if (/change its network|Switch to|Switch networks/.test(says) && prompts < 3) {
        await this.#visit.owner.approve();
        continue;
      }
      await this.#visit.owner.refuse();
      break;
    }
    await this.#visit.until(this.#visit.says(/You declined in your wallet\.|didn’t switch networks/));
    const order = await this.#visit.visitor.order();
    equal(order.source_swap.initiate_tx_hash, '');
    const told = (await this.#visit.visitor.text()).match(/You declined[^.]*\./)?.[0] ?? '';
    return `“${told}”, nothing paid${prompts > 1 ? ', after the network was changed' : ''}`;
  }

  async #swap(way: 'signature' | 'transaction'): Promise<string> {
    const signs = this.#visit.family === 'evm' || this.#visit.family === 'starknet';
    if (way === 'signature' && !signs) throw new NotTried(`nothing is signed for ${this.#visit.family}`);
    await this.#visit.faults(way === 'transaction' && signs ? {noTypedData: true} : {});
    await this.#visit.fresh();
    await this.#visit.order();
    await this.#visit.payThrough();
    const order = await this.#visit.visitor.order();
    ok(order.destination_swap.redeem_tx_hash, 'nothing was paid out');
    await this.#visit.faults({});
    return 'complete';
  }

  async #batch(): Promise<string> {
    if (this.#visit.family !== 'evm') throw new NotTried(`${this.#visit.family} has none`);
    await this.#visit.fresh();
    await this.#visit.visitor.type(PAIRS.evm.amount);
    await this.#visit.visitor.press('Review swap');
    await this.#visit.visitor.button('Place swap');
    const says = await this.#visit.visitor.text();
    if (!/One confirmation for both/.test(says)) throw new NotTried('the wallet does not say that it can');
    await this.#visit.visitor.press('Place swap');
    await this.#visit.payThrough();
    return 'complete';
  }

  async #reloadMidway(): Promise<string> {
    await this.#visit.fresh();
    await this.#visit.order();
    await this.#visit.asked();
    const before = await this.#visit.visitor.order();
    await this.#visit.visitor.reload();
    await this.#visit.owner.dismiss();
    const after = await this.#visit.visitor.order();
    equal(after['order_id'], before['order_id']);
    if (this.#visit.family !== 'bitcoin') await this.#visit.goOn();
    await this.#visit.payThrough();
    return 'the same order goes on, complete';
  }

  async #otherNetwork(): Promise<string> {
    const {network} = this.#visit.owner.driver;
    if (!network) throw new NotTried('the driver does not know how');
    await this.#visit.fresh();
    await this.#visit.owner.perform(network);
    await this.#visit.owner.closeWindows();
    await this.#visit.page.bringToFront();
    await this.#visit.order();
    await this.#visit.payThrough();
    return 'brought back to the right one, complete';
  }

  async #otherAccount(): Promise<string> {
    const {account} = this.#visit.owner.driver;
    if (!account) throw new NotTried('the driver does not know how');
    await this.#visit.fresh();
    const before = await this.#visit.shownAccount();
    await this.#visit.owner.perform(account);
    await this.#visit.owner.closeWindows();
    await this.#visit.page.bringToFront();
    const followed = await this.#visit
      .until(async () => {
        const shown = await this.#visit.shownAccount();
        return shown !== undefined && shown !== before;
      }, scaled(10_000))
      .then(
        () => true,
        () => false,
      );
    if (!followed) {
      // Without permission for the new account, the page is connected to none.
      if (await this.#visit.isConnected()) await this.#visit.visitor.press('Change the wallet you pay from');
      else await this.#visit.openList();
      await this.#visit.choose();
      await this.#visit.answerUntil(
        async () => ![undefined, before].includes(await this.#visit.shownAccount()),
        scaled(40_000),
      );
    }
    await this.#giveCoins();
    await this.#visit.order();
    await this.#visit.payThrough();
    return `${followed ? 'followed by itself' : 'known once connected again'}, complete`;
  }

  async #lock(): Promise<string> {
    const {lock, unlock} = this.#visit.owner.driver;
    if (!lock || !unlock) throw new NotTried('the driver does not know how');
    await this.#visit.fresh();
    await this.#visit.order();
    await this.#visit.asked();
    await this.#visit.owner.refuse();
    await this.#visit.owner.perform(lock);
    await this.#visit.owner.closeWindows();
    await this.#visit.visitor.reload();
    await this.#visit.page.bringToFront();
    await this.#visit.goOn();
    await this.#visit.owner.perform(unlock);
    // A window that only had to be unlocked closes by itself, in its own time.
    await this.#visit
      .until(async () => !(await this.#visit.owner.windows()).length, scaled(15_000))
      .catch(() => undefined);
    if (this.#visit.family !== 'bitcoin' && !(await this.#visit.owner.windows()).length) await this.#visit.goOn();
    await this.#visit.payThrough();
    return 'unlocked in its window, complete';
  }

  async #refund(): Promise<string> {
    await this.#visit.faults({solverGone: true});
    await this.#visit.fresh();
    await this.#visit.order();
    await this.#visit.payThrough(['settling']);
    const orderId = (await this.#visit.visitor.order())['order_id'];
    await this.#visit.client.control('expire', {orderId});
    await this.#visit.until(this.#visit.stageIs('refunding', 'refunded'));
    if (this.#visit.family === 'bitcoin') {
      await createSandbox(this.#visit.place.origin).mine('bitcoin_testnet', 1);
      await this.#visit.until(this.#visit.stageIs('refunded'));
    } else {
      await this.#visit.goOn();
      await this.#visit.answerUntil(this.#visit.stageIs('refunded'));
    }
    await this.#visit.faults({});
    const said = (await this.#visit.visitor.text()).match(/You got back [\d.]+ \w+/)?.[0] ?? '';
    ok(said, 'the widget does not say what came back');
    return `“${said}”`;
  }
}
