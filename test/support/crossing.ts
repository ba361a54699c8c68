/** A person who swaps from any chain to any other in the real widget, with wallets that have real keys, on the sandbox's chains. */
import {expect} from '@open-wc/testing';
import type {Approver, Prompt} from '../../demo/wallets/prompt.js';
import {createWallet, type DevelopmentWallet, type WalletSettings} from '../../demo/wallets/index.js';
import {createSandbox, settingsOf, type SandboxChain} from '../../demo/wallets/sandbox.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import {parseAmount} from '../../src/domain/amount.js';
import type {SwapErrorEvent, SwapEventMap, SwapStatusEvent} from '../../src/index.js';
import {SandboxClient, type OrderRead} from '../sandbox/client.js';
import {openWidget, waitUntil, type WidgetPage} from './page.js';
import {chainOf, Parties, type Pair, type Role} from './parties.js';
import {sandbox as shared} from './sandbox.js';

interface Remembered {
  readonly deposit: {readonly address?: string};
  readonly walletRequests: readonly {readonly kind: string; readonly state: string; readonly hash?: string}[];
}

export interface CrossingSettings extends Omit<Pair, 'amount'> {
  /** In whole units; 0.01 by default. */
  readonly amount?: string;
  /** The minimum to receive, in whole units: typed instead of the amount, which is more than enough. */
  readonly receive?: string;
  readonly on?: SandboxClient;
  /** Another service on the same chains; the sandbox's own by default. */
  readonly service?: string;
  /** The service's faults, for this person only. */
  readonly faults?: Readonly<Record<string, unknown>>;
  /** How often the wallet's owner rejects before approving. */
  readonly rejections?: number;
  readonly answer?: (prompt: Prompt, turn: number) => boolean | Promise<boolean> | undefined;
  readonly payer?: (settings: WalletSettings) => DevelopmentWallet;
  /** How the recipient's address is typed; by default as the wallet shows it. */
  readonly typed?: (address: string) => string;
  readonly withoutRpc?: boolean;
  readonly widget?: Readonly<Record<string, unknown>>;
}

const begun: Crossing[] = [];

/** Starts a swap: a new payer with coins of the source asset, a new receiver, and the widget's form. */
export async function beginCrossing(settings: CrossingSettings): Promise<Crossing> {
  const on = settings.on ?? shared;
  const client = SandboxClient.forAppOfItsOwn(on);
  const crossing = new Crossing(client, await createSandbox(on.url).read(), {amount: '0.01', ...settings});
  begun.push(crossing);
  await crossing.prepare();
  await crossing.open();
  return crossing;
}

/** Removes wallets and clears storage for the next swap. */
export function endCrossings(): void {
  for (const {payer, receiver} of begun.splice(0)) {
    payer.withdraw();
    receiver.withdraw();
  }
  localStorage.clear();
  sessionStorage.clear();
}

/** How long a person waits for the page. */
const PATIENCE_MS = 30_000;

export class Crossing extends Parties<CrossingSettings & Pair> {
  readonly asked: Prompt['kind'][] = [];
  readonly statuses: SwapStatusEvent[] = [];
  readonly errors: SwapErrorEvent[] = [];
  #rejections = this.options.rejections ?? 0;
  #turn = 0;
  #page: WidgetPage | undefined;

  protected wallet(role: Role, family: ChainFamily, settings: WalletSettings): DevelopmentWallet {
    const {payer, answer} = this.options;
    const approver: Approver = async prompt => {
      const {kind} = prompt;
      this.asked.push(kind);
      if (kind !== 'sign' && kind !== 'send') return true;
      return (await answer?.(prompt, this.#turn++)) ?? this.#rejections-- <= 0;
    };
    return role === 'payer' && payer ? payer({...settings, approver}) : createWallet(family, {...settings, approver});
  }

  chain(asset: string): SandboxChain {
    return chainOf(this.state, asset);
  }

  override async prepare(): Promise<void> {
    const {faults} = this.options;
    await super.prepare();
    if (faults) await this.client.faults(faults);
  }

  get page(): WidgetPage {
    if (!this.#page) throw new Error('There is no page yet.');
    return this.#page;
  }

  async open(): Promise<void> {
    const {from, to, service, withoutRpc, widget} = this.options;
    const {assets, chains} = settingsOf(this.state);
    const page = await openWidget({
      'base-url': service ?? this.client.url,
      'app-id': this.client.appId,
      // Colors in transition can fail the contrast check.
      style: '--swap-speed: 0',
      from,
      to,
      assets,
      chains: withoutRpc
        ? Object.fromEntries(Object.entries(chains).map(([name, {rpc: _rpc, ...chain}]) => [name, chain]))
        : chains,
      ...widget,
    });
    const listen = <K extends keyof SwapEventMap>(type: K, heard: (event: SwapEventMap[K]) => void) => {
      page.widget.addEventListener(type, heard);
    };
    listen('swap-order', ({orderId}) => this.orderIds.push(orderId));
    listen('swap-status', event => this.statuses.push(event));
    listen('swap-error', event => this.errors.push(event));
    this.#page = page;
    // Object settings are read by a late chunk. Until then the form has no assets.
    const hasAssets = () => page.findAll('.chain-name bdi').every(element => element.textContent.trim());
    await this.until(hasAssets, 'the settings were never read');
  }

  /** Reloads: replaces the widget with a new one, which only has the browser's storage. */
  async reload(): Promise<void> {
    this.page.widget.remove();
    await this.open();
  }

  async until(isSo: () => unknown, what: string): Promise<void> {
    try {
      await waitUntil(isSo, what, PATIENCE_MS);
    } catch (cause) {
      throw new Error(`${what}. It is ${this.page.stage} and says: ${this.page.text}`, {cause});
    }
    await this.page.settled();
  }

  /** Waits until the primary button has this label and is enabled, then presses it. */
  async next(label: string | RegExp, times = 1): Promise<void> {
    const {page} = this;
    const says = () => (typeof label === 'string' ? page.primary === label : label.test(page.primary));
    await this.until(() => says() && page.canGoOn, `the next step never was ${String(label)}`);
    const button = page.primaryButton;
    for (let time = 0; time < times; time++) button?.click();
    await page.settled();
  }

  read(): Promise<OrderRead> {
    const {url, appId} = this.client;
    return new SandboxClient(this.options.service ?? url, appId).read(this.orderId);
  }

  /** The stored entry of an order, by default the last one: the prepared deposit, and its wallet requests. */
  remembered(orderId = this.orderId): Remembered {
    const key = Object.keys(localStorage).find(name => name.endsWith(`/order/${orderId}`));
    return JSON.parse(localStorage.getItem(key ?? '') ?? '{"walletRequests":[]}') as Remembered;
  }

  walletRequests(orderId = this.orderId): string[] {
    return this.remembered(orderId).walletRequests.map(({kind, state}) => `${kind} ${state}`);
  }

  async expectAccessible(): Promise<void> {
    await expect(this.page.widget).to.be.accessible();
  }

  async untilSays(text: string | RegExp): Promise<void> {
    const says = () => (typeof text === 'string' ? this.page.text.includes(text) : text.test(this.page.text));
    await this.until(says, `it never said ${String(text)}`);
  }

  async untilStage(stage: string): Promise<void> {
    await this.until(() => this.page.stage === stage, `it never was ${stage}`);
  }

  async press(label: RegExp): Promise<void> {
    await this.until(() => this.page.button(label), `${String(label)} was never offered`);
    await this.page.press(label);
  }

  chooseWallet(): Promise<void> {
    return this.press(new RegExp(`^${this.payer.name} `));
  }

  async connect(): Promise<void> {
    await this.press(/^Connect a wallet to pay from$/);
    await this.chooseWallet();
    await this.until(() => this.page.button(/^Change the wallet you pay from/), 'the wallet was never connected');
  }

  async review(): Promise<void> {
    const {page, payer} = this;
    if ('bumpFee' in payer) await page.typeRefundAddress(payer.account);
    else await this.connect();
    await this.#typeAmounts();
    await page.typeRecipient(this.options.typed?.(this.recipient) ?? this.recipient);
    // If the payer's wallet could receive too, another address has to be confirmed.
    const [from, to] = [this.options.from, this.options.to].map(asset => this.chain(asset).family);
    if (from === to && !('bumpFee' in payer)) await this.next(/^Yes, send it there$/);
    await this.next(/^Review swap$/);
  }

  async #typeAmounts(): Promise<void> {
    const {page} = this;
    const {from, amount, receive} = this.options;
    if (receive === undefined) return page.typeAmount(amount);
    await page.typeReceive(receive);
    await this.until(() => page.widget.quote, 'no amount was found');
    this.amount = page.widget.quote?.source.amount ?? 0n;
    expect(parseAmount(page.amount, this.chain(from).assets[from]?.decimals ?? 0)).to.equal(this.amount);
  }

  async place(): Promise<void> {
    await this.review();
    await this.next(/^Place swap$/);
  }

  async untilAsked(kind: Prompt['kind']): Promise<void> {
    await this.until(() => this.asked.at(-1) === kind, `the wallet was never asked to ${kind}`);
  }

  /** The address and amount in the payment link (BIP 21), once it is shown. */
  async untilAddress(): Promise<{address: string; amount: bigint}> {
    const link = () => this.page.find<HTMLAnchorElement>('a[href^="bitcoin:"]')?.getAttribute('href') ?? '';
    await this.until(() => link() !== '', 'the address was never shown');
    const [, address, text] = /^bitcoin:([a-z0-9]+)\?amount=([\d.]+)$/i.exec(link()) ?? [];
    const amount = parseAmount(text ?? '', 8);
    if (address === undefined || typeof amount === 'string') throw new Error(`“${link()}” is not a payment link`);
    return {address, amount};
  }

  /** Pays the displayed address, or a remembered one, from a wallet that the page does not know. */
  async send(given?: bigint, remembered?: {address: string; amount: bigint}): Promise<string> {
    if (!('bumpFee' in this.payer)) throw new Error('Only bitcoin can be paid by address.');
    const {address, amount} = remembered ?? (await this.untilAddress());
    return this.payer.send(address, given ?? amount);
  }

  /** Waits until the payment was seen. While the wallet is still prompting, a block would be mined without it. */
  async untilSeen(): Promise<void> {
    await this.until(() => !/awaiting|funding/.test(this.page.stage), 'it was never seen');
  }

  async expectUntouched(): Promise<void> {
    const {paid, received} = await this.moved();
    expect([paid, received]).to.deep.equal([0n, 0n]);
  }

  /** Expects that the page has found the mismatch and reports it, without a wallet request, and that no money has moved. */
  async expectStopped(says: string): Promise<void> {
    await this.untilStage('stopped');
    await this.untilSays(says);
    expect(this.page.primary).to.equal('Start again');
    expect(this.asked).to.deep.equal('bumpFee' in this.payer ? [] : ['connect']);
    expect(this.errors.map(({code}) => code)).to.deep.equal(['deposit-mismatch']);
    await this.expectUntouched();
  }

  expectPrompts(count: number): void {
    expect(this.asked.filter(kind => kind === 'send' || kind === 'sign')).to.have.length(count);
  }

  /** Expects that the recipient got exactly the order's amount, and the payer spent it, plus a network fee in the same coin. */
  async expectSwapped(): Promise<void> {
    await this.untilStage('complete');
    const {from, to, receive, withoutRpc} = this.options;
    if (!withoutRpc) expect(this.page.widget.order?.witness, 'who says so').to.equal('chain');
    const {source_swap: source, destination_swap: destination} = await this.read();
    const {paid, received} = await this.moved();
    expect(received, 'what the recipient got').to.equal(BigInt(destination.amount));
    if (receive !== undefined) {
      const least = parseAmount(receive, this.chain(to).assets[to]?.decimals ?? 0);
      if (typeof least === 'string') throw new Error(`${receive} is not an amount`);
      expect(received >= least && received - least <= least / 1000n, `${String(received)} for ${receive}`).to.equal(
        true,
      );
    }
    expect(BigInt(source.amount), 'what was agreed').to.equal(this.amount);
    if (this.chain(from).assets[from]?.token !== undefined) {
      expect(paid, 'what the payer gave').to.equal(this.amount);
    } else {
      // Network fees come from the same balance if the source is a native coin.
      expect(paid >= this.amount && paid < this.amount + this.amount / 20n, `${String(paid)} were paid`).to.equal(true);
    }
    expect(this.#rejections, 'rejections that were never used').to.be.at.most(0);
  }
}
