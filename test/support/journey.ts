/** A person who swaps in the real widget, on the sandbox's real chains, with a wallet that has real keys. */
import {expect} from '@open-wc/testing';
import {createEvmWallet, type EvmWallet} from '../../demo/wallets/evm.js';
import type {Approver, Prompt} from '../../demo/wallets/prompt.js';
import {toEvmChain} from '../../demo/wallets/index.js';
import {createSandbox, evmChain, evmChains, settingsOf, type SandboxState} from '../../demo/wallets/sandbox.js';
import {formatAmount, parseAmount} from '../../src/domain/amount.js';
import {balanceOf, Person, SandboxClient} from '../sandbox/client.js';
import {sandbox as shared, type TestSandbox} from './sandbox.js';
import {WidgetSwap} from './widget-swap.js';

export const BASE_WBTC = 'base_sepolia:wbtc';
export const BASE_USDT = 'base_sepolia:usdt';
export const ETHEREUM_WBTC = 'ethereum_sepolia:wbtc';
export const ETHEREUM_USDC = 'ethereum_sepolia:usdc';

/** The kinds of prompts, with transactions told apart by what they do. */
export type PromptKind = 'connect' | 'unlock' | 'switch' | 'add' | 'revoke' | 'approve' | 'sign' | 'send' | 'refund';

/**
 * How its owner answers: `vague` is a rejection with an unclear error; `mute` an approval whose result never reaches the
 * page.
 */
export type Answer = 'yes' | 'no' | 'vague' | 'mute';

export interface JourneySettings {
  /** The sandbox; the shared one by default. */
  readonly on?: TestSandbox;
  readonly from?: string;
  readonly to?: string;
  /** In whole units. */
  readonly amount?: string;
  /** The swap contract's initial allowance, in the smallest unit; `enough` is the amount. */
  readonly allowed?: bigint | 'enough';
  /** The answers to each kind of prompt, in order; after that all are approved. */
  readonly answers?: Partial<Record<PromptKind, readonly (Answer | (() => Promise<Answer>))[]>>;
  /** The service's faults, for this person only. */
  readonly faults?: Readonly<Record<string, unknown>>;
  /** The networks that the wallet knows, the active one first; by default all, starting with the source's. */
  readonly networks?: readonly string[];
  /** More settings of the widget. */
  readonly widget?: Readonly<Record<string, unknown>>;
}

/** The balances of payer and recipient on their chains. */
interface Balances {
  readonly payer: bigint;
  readonly recipient: bigint;
  /** The payer's native coins, for fees. */
  readonly coins: bigint;
}

const TIMEOUT = 10_000;
let journeys = 0;

/** Begins a journey: a new person with coins of the source asset, a wallet in this browser, and the widget's form. */
export async function beginJourney(settings: JourneySettings = {}): Promise<Journey> {
  const {on = shared, from = BASE_WBTC, answers = {}, faults, allowed} = settings;
  const client = SandboxClient.forAppOfItsOwn(on);
  const state = await createSandbox(on.url).read();
  const asset = Object.values(state.chains).flatMap(({assets}) => Object.entries(assets));
  const decimals = asset.find(([id]) => id === from)?.[1].decimals ?? 0;
  const text = settings.amount ?? (decimals === 8 ? '0.01' : '50');
  const amount = parseAmount(text, decimals);
  if (typeof amount === 'string') throw new Error(`${text} is no amount.`);
  const person = await Person.with(client, from, amount * 3n);
  if (allowed !== undefined) await person.approve(from, allowed === 'enough' ? amount : allowed);
  if (faults) await client.faults(faults);
  const journey = new Journey(client, state, person, {
    ...settings,
    from,
    to: settings.to ?? (from.startsWith('base') ? ETHEREUM_WBTC : BASE_WBTC),
    amount: text,
    answers,
  });
  await journey.open();
  return journey;
}

/** Removes wallets and clears storage for the next journey. */
export function endJourneys(): void {
  for (const wallet of wallets.splice(0)) wallet.withdraw();
  localStorage.clear();
  sessionStorage.clear();
}

const wallets: EvmWallet[] = [];

type Route = JourneySettings & Required<Pick<JourneySettings, 'from' | 'to' | 'amount' | 'answers'>>;

/** One person, one wallet, one widget, one swap. */
export class Journey extends WidgetSwap {
  readonly wallet: EvmWallet;
  /** The prompts so far, in order. */
  readonly asked: PromptKind[] = [];
  /** The recipient's address: the payer's, unless another one is typed. */
  recipient: string;
  #before: Balances | undefined;

  constructor(
    client: SandboxClient,
    state: SandboxState,
    readonly person: Person,
    readonly route: Route,
  ) {
    super(client, state, TIMEOUT);
    this.recipient = person.address;
    const home = this.chain(route.from);
    const networks = route.networks ?? [home, ...evmChains(state).flatMap(([name]) => (name === home ? [] : [name]))];
    const name = `Wallet ${String(++journeys)}`;
    this.wallet = createEvmWallet({
      name,
      rdns: `test.swap-widget.wallet-${String(journeys)}`,
      privateKey: person.wallet.privateKey,
      chains: networks.map(network => toEvmChain(network, evmChain(state, network))),
      approver: question => this.#answer(question),
    });
    this.#swallowMutedAnswers();
    wallets.push(this.wallet);
  }

  async open(): Promise<void> {
    this.#before ??= await this.#balances();
    const {from, to, widget} = this.route;
    await this.openWith({from, to, ...settingsOf(this.state), ...widget});
  }

  /** Chooses this person's wallet. */
  async connect(): Promise<void> {
    await this.page.press('Connect a wallet to pay from');
    await this.chooseWallet();
    await this.until(() => this.page.button('Change the wallet you pay from'), 'the wallet was never connected');
  }

  async chooseWallet(): Promise<void> {
    const wallet = new RegExp(`^${this.wallet.name} `);
    await this.until(() => this.page.button(wallet), 'the wallet was never offered');
    await this.page.press(wallet);
  }

  /** Goes from the empty form to the review. */
  async review(): Promise<void> {
    await this.connect();
    await this.page.typeAmount(this.route.amount);
    await this.next('Review swap');
    await this.page.until('reviewing');
    await this.until(() => this.page.find('swap-widget-review-view'), 'the review never came');
  }

  /** Goes from the empty form to the first wallet request after the order. */
  async place(): Promise<void> {
    await this.review();
    await this.next('Place swap');
  }

  /** Opens the swap from the list of this browser's swaps. */
  async openFromList(): Promise<void> {
    await this.until(() => this.page.button(/^Your swaps/), 'there is no list of swaps');
    await this.page.press(/^Your swaps/);
    const swap = new RegExp(`^${this.route.amount} `);
    await this.until(() => this.page.button(swap), 'the swap is in no list');
    await this.page.press(swap);
  }

  /** Waits until the order is complete. */
  async complete(): Promise<void> {
    await this.page.until('complete');
    await this.until(() => this.page.primary === 'New swap', 'the end was never shown');
  }

  /** Adds faults to the service. */
  async worsen(faults: Readonly<Record<string, unknown>>): Promise<void> {
    await this.client.faults(faults);
  }

  /** The recipient got and the payer spent exactly the order's amounts, and the page shows them. */
  async expectSwapped(): Promise<void> {
    await this.complete();
    const {source_swap: source, destination_swap: destination} = await this.read();
    const before = this.#before!;
    const after = await this.#balances();
    expect(after.recipient - before.recipient, 'what the recipient got').to.equal(BigInt(destination.amount));
    expect(before.payer - after.payer, 'what the payer gave').to.equal(BigInt(source.amount));
    expect(formatAmount(BigInt(source.amount), this.decimals(this.route.from))).to.equal(this.route.amount);
    const {text} = this.page;
    expect(text).to.include(`You paid ${this.route.amount}`);
    expect(text).to.include(`You received ${formatAmount(BigInt(destination.amount), this.decimals(this.route.to))}`);
    await this.expectAccessible();
  }

  /** All balances are unchanged. */
  async expectUntouched(): Promise<void> {
    const {payer, recipient} = await this.#balances();
    expect([payer, recipient]).to.deep.equal([this.#before!.payer, this.#before!.recipient]);
    await this.expectAccessible();
  }

  /** The swap contract's allowance of the payer's token, in the smallest unit. */
  async allowed(): Promise<bigint> {
    const {token, contracts} = this.person.asset(this.route.from);
    // allowance(address,address)
    const words = [this.person.address, contracts[0]].map(word => word.slice(2).toLowerCase().padStart(64, '0'));
    const call = {to: token, data: `0xdd62ed3e${words.join('')}`};
    return BigInt(await this.person.rpc<string>('eth_call', call, 'latest'));
  }

  /** The fees that the payer has spent so far. */
  async fees(): Promise<bigint> {
    return this.#before!.coins - (await this.#balances()).coins;
  }

  decimals(asset: string): number {
    return this.state.chains[this.chain(asset)]?.assets[asset]?.decimals ?? 0;
  }

  chain(asset: string): string {
    return asset.slice(0, asset.indexOf(':'));
  }

  async #balances(): Promise<Balances> {
    const {chains} = await this.client.info();
    const of = (asset: string, address: string) => balanceOf(chains[this.chain(asset)]!, asset, address);
    const [payer, recipient, coins] = await Promise.all([
      of(this.route.from, this.person.address),
      of(this.route.to, this.recipient),
      this.person.rpc<string>('eth_getBalance', this.person.address, 'latest'),
    ]);
    return {payer, recipient, coins: BigInt(coins)};
  }

  #answer: Approver = async prompt => {
    const kind = promptKindOf(prompt);
    const turn = this.asked.filter(asked => asked === kind).length;
    this.asked.push(kind);
    const given = this.route.answers[kind]?.[turn] ?? 'yes';
    const answer = typeof given === 'string' ? given : await given();
    if (answer === 'vague') throw new Error('Something went wrong in the wallet.');
    if (answer === 'mute') this.#isMuted = true;
    return answer !== 'no';
  };

  #isMuted = false;

  /** Keeps the page from getting the result of a request that is answered `mute`. */
  #swallowMutedAnswers() {
    const {provider} = this.wallet;
    const {request} = provider;
    provider.request = async call => {
      const answer = await request(call);
      if (!this.#isMuted || !/^eth_(?:sendTransaction|signTypedData_v4)$/.test(call.method)) return answer;
      this.#isMuted = false;
      throw new Error('The wallet’s window was closed.');
    };
  }
}

function promptKindOf({kind, title}: Prompt): PromptKind {
  switch (kind) {
    case 'send':
      if (title.startsWith('Allow')) return 'approve';
      if (title.startsWith('Revoke the allowance')) return 'revoke';
      return title.startsWith('Refund') ? 'refund' : 'send';
    case 'message':
      throw new Error(`Unexpected prompt: “${title}”.`);
    default:
      return kind;
  }
}
