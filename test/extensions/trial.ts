/** Tests one wallet extension on a page with only the widget: step by step, to whole swaps. */
import {equal, ok} from 'node:assert/strict';
import {randomBytes} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {Mnemonic} from 'ethers';
import {giveCoins} from '../../demo/wallets/index.js';
import {createSandbox} from '../../demo/wallets/sandbox.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {CONNECTED} from '../support/visitor.js';
import {openExtensions, type Answer, type Extension, type ExtensionBrowser} from './browser.js';
import type {Driver} from './driver.js';
import {DRIVERS} from './drivers.js';
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

/** Whether the lists of the widget have the entries that are expected, or any. */
export async function tryFinding(extensions: readonly Extension[], place: Place, tell: Tell): Promise<void> {
  const browser = await openExtensions(extensions);
  const step = 'found and named';
  try {
    for (const [family, wallets] of await findAll(place, browser)) {
      const expected = DRIVERS.filter(
        ({manifest, families}) => families.includes(family) && extensions.some(({name}) => manifest.test(name)),
      );
      const missing = expected.filter(({name}) => !wallets.some(wallet => wallet.startsWith(name)));
      tell({
        family,
        step,
        result: missing.length ? 'no' : wallets.length ? 'yes' : 'not tried',
        said: `${wallets.join(', ') || 'none'}${missing.map(({name}) => `; not ${name}`).join('')}`,
      });
    }
  } catch (error) {
    tell({family: undefined, step, result: 'no', said: String(error)});
  } finally {
    await browser.close();
  }
}

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
  const around = {place, browser, tell};
  try {
    const made = await step(undefined, 'wallet made', around, async () => {
      await settle(browser);
      await owner.perform(driver.setUp);
      await owner.closeWindows();
      return 'by its own screens';
    });
    if (!made) return;
    for (const family of families) await new Trial(place, owner, family).run(around);
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

async function step(
  family: ChainFamily | undefined,
  name: string,
  {place, browser, tell}: Around,
  work: () => Promise<string>,
): Promise<boolean> {
  try {
    tell({family, step: name, result: 'yes', said: await work()});
    return true;
  } catch (error) {
    if (error instanceof NotTried) {
      tell({family, step: name, result: 'not tried', said: error.message});
      return true;
    }
    if (place.pictures) await takePictures(place.pictures, `${family ?? ''} ${name}`, browser);
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
class Trial extends Visit {
  async run(around: Around): Promise<void> {
    await this.begin(around.browser);
    const all: readonly (readonly [step: string, () => Promise<string>])[] = [
      ['found and named', () => this.#find()],
      ['connect refused', () => this.#refuseToConnect()],
      ['connected', () => this.#connect()],
      ['payment refused', () => this.#refuseToPay()],
      ['by signature', () => this.#swap('signature')],
      ['by transaction', () => this.#swap('transaction')],
      ['batch', () => this.#batch()],
      ['reload', () => this.#reloadMidway()],
      ['other account', () => this.#otherAccount()],
      ['locked', () => this.#lock()],
      ['refund', () => this.#refund()],
    ];
    for (const [name, work] of all) {
      const went = await step(this.family, name, around, work);
      // The following steps depend on these.
      if (!went && (name === 'found and named' || name === 'connected')) break;
      if (!went) await this.recover().catch(() => undefined);
    }
    await this.page.close();
  }

  async #find(): Promise<string> {
    await this.visitor.amount();
    await this.openList();
    const wallets = await listed(this.page);
    const {name} = this.owner.driver;
    const own = wallets.find(wallet => wallet.name.startsWith(name));
    ok(own, `The list has ${wallets.map(({name}) => name).join(', ') || 'no wallet'}.`);
    return `as ${own.name}, ${own.hasPicture ? 'with its picture' : 'without a picture'}`;
  }

  async #refuseToConnect(): Promise<string> {
    await this.choose();
    await this.owner.refuse();
    await this.until(this.says(/You declined in your wallet\./));
    ok(!(await this.isConnected()));
    return 'the widget says so, and offers it again';
  }

  async #connect(): Promise<string> {
    await this.fresh();
    return this.#giveCoins();
  }

  /** Gives the connected account the coins that it needs; returns its address. */
  async #giveCoins(): Promise<string> {
    const {place, family} = this;
    const account = (await this.shownAccount()) ?? '';
    const sandbox = createSandbox(place.origin);
    await giveCoins(sandbox, place.state, family, account);
    // Real wallets do not send without the coin for fees, even if none is charged.
    if (family === 'starknet') await sandbox.give('starknet_sepolia:strk', account, 10n ** 20n);
    await pause((this.owner.driver.balanceKept ?? 0) * 1_000);
    return account;
  }

  async #refuseToPay(): Promise<string> {
    await this.order();
    await this.asked();
    // Network switches and approvals come before; the last prompt is the payment.
    let prompts = 0;
    for (;;) {
      await this.until(async () => (await this.owner.windows()).length > 0);
      const says = await this.visitor.text();
      prompts++;
      if (/change its network|Switch to|Switch networks/.test(says) && prompts < 3) {
        await this.owner.approve();
        continue;
      }
      await this.owner.refuse();
      break;
    }
    await this.until(this.says(/You declined in your wallet\.|didn’t switch networks/));
    const order = await this.visitor.order();
    equal(order.source_swap.initiate_tx_hash, '');
    const told = (await this.visitor.text()).match(/You declined[^.]*\./)?.[0] ?? '';
    return `“${told}”, nothing paid${prompts > 1 ? ', after the network was changed' : ''}`;
  }

  async #swap(way: 'signature' | 'transaction'): Promise<string> {
    const signs = this.family === 'evm' || this.family === 'starknet';
    if (way === 'signature' && !signs) throw new NotTried(`nothing is signed for ${this.family}`);
    await this.faults(way === 'transaction' && signs ? {noTypedData: true} : {});
    await this.fresh();
    await this.order();
    await this.payThrough();
    const order = await this.visitor.order();
    ok(order.destination_swap.redeem_tx_hash, 'nothing was paid out');
    await this.faults({});
    return 'complete';
  }

  async #batch(): Promise<string> {
    if (this.family !== 'evm') throw new NotTried(`${this.family} has none`);
    await this.fresh();
    await this.visitor.type(PAIRS.evm.amount);
    await this.visitor.press('Review swap');
    await this.visitor.button('Place swap');
    const says = await this.visitor.text();
    if (!/One confirmation for both/.test(says)) throw new NotTried('the wallet does not say that it can');
    await this.visitor.press('Place swap');
    await this.payThrough();
    return 'complete';
  }

  async #reloadMidway(): Promise<string> {
    await this.fresh();
    await this.order();
    await this.asked();
    const before = await this.visitor.order();
    await this.visitor.reload();
    await this.owner.dismiss();
    const after = await this.visitor.order();
    equal(after['order_id'], before['order_id']);
    if (this.family !== 'bitcoin') await this.goOn();
    await this.payThrough();
    return 'the same order goes on, complete';
  }

  async #otherAccount(): Promise<string> {
    const {account} = this.owner.driver;
    if (!account) throw new NotTried('the driver does not know how');
    await this.fresh();
    const before = await this.shownAccount();
    await this.owner.perform(account);
    await this.owner.closeWindows();
    await this.page.bringToFront();
    const followed = await this.until(async () => {
      const shown = await this.shownAccount();
      return shown !== undefined && shown !== before;
    }, scaled(10_000)).then(
      () => true,
      () => false,
    );
    if (!followed) {
      // Without permission for the new account, the page is connected to none.
      if (await this.isConnected()) await (await this.visitor.page.waitForSelector(CONNECTED))?.click();
      else await this.openList();
      await this.choose();
      await this.answerUntil(async () => ![undefined, before].includes(await this.shownAccount()), scaled(40_000));
    }
    await this.#giveCoins();
    await this.order();
    await this.payThrough();
    return `${followed ? 'followed by itself' : 'known once connected again'}, complete`;
  }

  async #lock(): Promise<string> {
    const {lock, unlock} = this.owner.driver;
    if (!lock || !unlock) throw new NotTried('the driver does not know how');
    await this.fresh();
    await this.order();
    await this.asked();
    await this.owner.refuse();
    await this.owner.perform(lock);
    await this.owner.closeWindows();
    await this.visitor.reload();
    await this.page.bringToFront();
    await this.goOn();
    await this.owner.perform(unlock);
    // A window that only had to be unlocked closes by itself, in its own time.
    await this.until(async () => !(await this.owner.windows()).length, scaled(15_000)).catch(() => undefined);
    if (this.family !== 'bitcoin' && !(await this.owner.windows()).length) await this.goOn();
    await this.payThrough();
    return 'unlocked in its window, complete';
  }

  async #refund(): Promise<string> {
    await this.faults({solverGone: true});
    await this.fresh();
    await this.order();
    await this.payThrough(['settling']);
    const orderId = (await this.visitor.order())['order_id'];
    await this.client.control('expire', {orderId});
    await this.until(this.stageIs('refunding', 'refunded'));
    if (this.family === 'bitcoin') {
      await createSandbox(this.place.origin).mine('bitcoin_testnet', 1);
      await this.until(this.stageIs('refunded'));
    } else {
      await this.goOn();
      await this.answerUntil(this.stageIs('refunded'));
    }
    await this.faults({});
    const said = (await this.visitor.text()).match(/You got back [\d.]+ \w+/)?.[0] ?? '';
    ok(said, 'the widget does not say what came back');
    return `“${said}”`;
  }
}
