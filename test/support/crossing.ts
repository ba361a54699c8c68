/** A person who swaps from any chain to any other, with wallets that have real keys, on the sandbox's chains. */
import {expect} from '@open-wc/testing';
import type {Approver, Prompt} from '../../demo/wallets/prompt.js';
import {createWallet, readBalances, type DevelopmentWallet, type WalletSettings} from '../../demo/wallets/index.js';
import {createSandbox, settingsOf, type SandboxChain, type SandboxState} from '../../demo/wallets/sandbox.js';
import {parseAmount} from '../../src/domain/amount.js';
import {SandboxClient, type OrderRead} from '../sandbox/client.js';
import {scaled} from './limits.js';
import {sandbox as shared, type TestSandbox} from './sandbox.js';
import {WidgetSwap} from './widget-swap.js';

export interface CrossingSettings {
  readonly from: string;
  readonly to: string;
  /** In whole units. */
  readonly amount: string;
  /** The minimum to receive, in whole units: typed instead of the amount, which is more than enough. */
  readonly receive?: string;
  /** The sandbox; the shared one by default. */
  readonly on?: TestSandbox;
  /** Another service on the same chains; the sandbox's own by default. */
  readonly service?: string;
  /** The service's faults, for this person only. */
  readonly faults?: Readonly<Record<string, unknown>>;
  /** The recipient's address; the receiver's wallet by default. */
  readonly recipient?: string;
  /** How often the wallet's owner rejects before approving. */
  readonly rejections?: number;
  /** Answers the payer's prompts to pay or sign, by turn from 0 on; undefined approves. */
  readonly answer?: (prompt: Prompt, turn: number) => boolean | Promise<boolean> | undefined;
  /** Creates another wallet for the payer. */
  readonly payer?: (settings: WalletSettings) => DevelopmentWallet;
  /** How the recipient's address is typed; by default as the wallet shows it. */
  readonly typed?: (address: string) => string;
  /** Whether the widget gets no RPC URLs of the chains. */
  readonly withoutRpc?: boolean;
  /** More settings of the widget. */
  readonly widget?: Readonly<Record<string, unknown>>;
}

const TIMEOUT = scaled(30_000);
const begun: Crossing[] = [];
let count = 0;

/** Starts a swap: a new payer with coins of the source asset, a new receiver, and the widget's form. */
export async function beginCrossing(settings: CrossingSettings): Promise<Crossing> {
  const on = settings.on ?? shared;
  const client = SandboxClient.forAppOfItsOwn(on);
  const crossing = new Crossing(client, await createSandbox(on.url).read(), settings);
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

export class Crossing extends WidgetSwap {
  readonly payer: DevelopmentWallet;
  readonly receiver: DevelopmentWallet;
  /** The source amount, in the smallest unit. */
  amount: bigint;
  /** The prompts so far, in order. */
  readonly asked: Prompt['kind'][] = [];
  #rejections: number;
  #before = {payer: 0n, receiver: 0n};

  constructor(
    client: SandboxClient,
    state: SandboxState,
    readonly settings: CrossingSettings,
  ) {
    super(client, state, TIMEOUT);
    const {from, to} = settings;
    this.#rejections = settings.rejections ?? 0;
    const number = String(++count);
    let turn = 0;
    const approver: Approver = async prompt => {
      const {kind} = prompt;
      this.asked.push(kind);
      if (kind !== 'sign' && kind !== 'send') return true;
      return (await settings.answer?.(prompt, turn++)) ?? this.#rejections-- <= 0;
    };
    const common = {id: `crossing${number}`, state, approver};
    const make = settings.payer ?? ((given: WalletSettings) => createWallet(this.chain(from).family, given));
    this.payer = make({...common, name: `Payer ${number}`, seedPhrase: `payer ${number} ${client.appId}`});
    this.receiver = createWallet(this.chain(to).family, {
      ...common,
      id: `receiver${number}`,
      name: `Receiver ${number}`,
      seedPhrase: `receiver ${number} ${client.appId}`,
    });
    const amount = parseAmount(settings.amount, this.chain(from).assets[from]?.decimals ?? 0);
    if (typeof amount === 'string') throw new Error(`${settings.amount} is not an amount`);
    this.amount = amount;
  }

  /** The recipient's address. */
  get recipient(): string {
    return this.settings.recipient ?? this.receiver.account;
  }

  chain(asset: string): SandboxChain {
    const chain = this.state.chains[nameOf(asset)];
    if (!chain) throw new Error(`the sandbox has no ${asset}`);
    return chain;
  }

  /** Funds the payer, and sets faults. */
  async prepare(): Promise<void> {
    const {client, payer, amount} = this;
    const {from, to, faults} = this.settings;
    const {family} = this.chain(from);
    await this.give(from, amount * 3n);
    if (family === 'evm') await this.give(`${nameOf(from)}:eth`, 10n ** 18n);
    // A token's payer pays its fee in SOL.
    if (family === 'solana' && !from.endsWith(':sol')) await this.give(`${nameOf(from)}:sol`, 10n ** 9n);
    if (family === 'bitcoin') await this.mine(1);
    if (faults) await client.faults(faults);
    this.#before = {
      payer: await this.balance(from, payer.account),
      receiver: await this.balance(to, this.recipient),
    };
  }

  give(asset: string, amount: bigint) {
    return this.client.control('faucet', {asset, address: this.payer.account, amount: String(amount)});
  }

  /** Mines blocks, by default on the source's chain. */
  async mine(blocks: number, chain = nameOf(this.settings.from)): Promise<void> {
    await this.client.control('mine', {chain, blocks});
  }

  async open(): Promise<void> {
    const {from, to, service, withoutRpc, widget} = this.settings;
    const {assets, chains} = settingsOf(this.state);
    await this.openWith({
      from,
      to,
      assets,
      chains: withoutRpc
        ? Object.fromEntries(Object.entries(chains).map(([name, {rpc: _rpc, ...chain}]) => [name, chain]))
        : chains,
      ...(service !== undefined && {'base-url': service}),
      ...widget,
    });
  }

  /** The order, from the service that was asked for it. */
  override read(): Promise<OrderRead> {
    const {service} = this.settings;
    return service === undefined ? super.read() : new SandboxClient(service, this.client.appId).read(this.orderId);
  }

  /** Waits until the page shows a text. */
  async untilSays(text: string | RegExp): Promise<void> {
    const says = () => (typeof text === 'string' ? this.page.text.includes(text) : text.test(this.page.text));
    await this.until(says, `it never said ${String(text)}`);
  }

  async untilStage(stage: string): Promise<void> {
    await this.until(() => this.page.stage === stage, `it never was ${stage}`);
  }

  /** Presses a button as soon as it is there. */
  async press(label: RegExp): Promise<void> {
    await this.until(() => this.page.button(label), `${String(label)} was never offered`);
    await this.page.press(label);
  }

  /** Chooses the payer's wallet in the open list. */
  chooseWallet(): Promise<void> {
    return this.press(new RegExp(`^${this.payer.name} `));
  }

  /** Connects the payer's wallet in the form. */
  async connect(): Promise<void> {
    await this.press(/^Connect a wallet to pay from$/);
    await this.chooseWallet();
    await this.until(() => this.page.button(/^Change the wallet you pay from/), 'the wallet was never connected');
  }

  /** Goes from the empty form to the review. */
  async review(): Promise<void> {
    const {page, payer} = this;
    if ('bumpFee' in payer) await page.typeRefundAddress(payer.account);
    else await this.connect();
    await this.#typeAmounts();
    await page.typeRecipient(this.settings.typed?.(this.recipient) ?? this.recipient);
    // If the payer's wallet could receive too, another address has to be confirmed.
    const [from, to] = [this.settings.from, this.settings.to].map(asset => this.chain(asset).family);
    if (from === to && !('bumpFee' in payer)) await this.next(/^Yes, send it there$/);
    await this.next(/^Review swap$/);
  }

  async #typeAmounts(): Promise<void> {
    const {page} = this;
    const {from, amount, receive} = this.settings;
    if (receive === undefined) return page.typeAmount(amount);
    await page.typeReceive(receive);
    await this.until(() => page.widget.quote, 'no amount was found');
    this.amount = page.widget.quote?.source.amount ?? 0n;
    expect(parseAmount(page.amount, this.chain(from).assets[from]?.decimals ?? 0)).to.equal(this.amount);
  }

  /** Goes from the empty form to the order. */
  async place(): Promise<void> {
    await this.review();
    await this.next(/^Place swap$/);
  }

  /** Waits for a prompt to sign or send. */
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

  async balance(asset: string, account: string): Promise<bigint> {
    const all = await readBalances(this.chain(asset), account);
    return all.find(each => each.asset === asset)?.amount ?? 0n;
  }

  /** What the payer has spent so far, with fees, and what the recipient got. */
  async moved(): Promise<{paid: bigint; received: bigint}> {
    const {from, to} = this.settings;
    return {
      paid: this.#before.payer - (await this.balance(from, this.payer.account)),
      received: (await this.balance(to, this.recipient)) - this.#before.receiver,
    };
  }

  /** Expects that no money has moved. */
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

  /** Expects this number of prompts to send or sign. */
  expectPrompts(count: number): void {
    expect(this.asked.filter(kind => kind === 'send' || kind === 'sign')).to.have.length(count);
  }

  /** Expects that the recipient got exactly the order's amount, and the payer spent it, plus a network fee in the same coin. */
  async expectSwapped(): Promise<void> {
    await this.untilStage('complete');
    const {from, to, receive, withoutRpc} = this.settings;
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

function nameOf(asset: string): string {
  return asset.slice(0, asset.indexOf(':'));
}
