/** The two people of a swap on the sandbox's chains: one pays, from a wallet with real keys, and the other receives. */
import {readBalances, type DevelopmentWallet, type WalletSettings} from '../../demo/wallets/index.js';
import type {SandboxChain, SandboxState} from '../../demo/wallets/sandbox.js';
import {parseAmount} from '../../src/domain/amount.js';
import type {ChainFamily} from '../../src/domain/asset.js';
import type {SandboxClient} from '../sandbox/client.js';

export interface Pair {
  /** `chain:name`. */
  readonly from: string;
  readonly to: string;
  /** In whole units. */
  readonly amount: string;
  /** The recipient's address; a new wallet's by default. */
  readonly recipient?: string;
  /** The recipient's coins of the destination asset before the swap, in the smallest unit; none by default. */
  readonly gift?: bigint;
}

export type Role = 'payer' | 'receiver';

export const chainName = (asset: string) => asset.slice(0, asset.indexOf(':'));

export function chainOf({chains}: Pick<SandboxState, 'chains'>, asset: string): SandboxChain {
  const chain = chains[chainName(asset)];
  if (!chain) throw new Error(`The sandbox has no ${asset}.`);
  return chain;
}

export async function balanceOf(state: Pick<SandboxState, 'chains'>, asset: string, account: string): Promise<bigint> {
  const all = await readBalances(chainOf(state, asset), account);
  return all.find(each => each.asset === asset)?.amount ?? 0n;
}

let people = 0;

export abstract class Parties<Options extends Pair = Pair> {
  readonly payer: DevelopmentWallet;
  readonly receiver: DevelopmentWallet;
  readonly recipient: string;
  /** The source amount, in the smallest unit. */
  amount: bigint;
  /** The transactions that funded payer and recipient. */
  readonly given = {payer: '', recipient: ''};
  readonly orderIds: string[] = [];
  readonly #number = String(++people);
  #before = {payer: 0n, recipient: 0n};

  constructor(
    /** With its own app id, so with its own faults. Reads orders as they are. */
    readonly client: SandboxClient,
    readonly state: SandboxState,
    readonly options: Options,
  ) {
    const {from, to} = options;
    const make = (role: Role, asset: string) => {
      const name = `${role} ${this.#number}`;
      const common = {name, id: name.replace(' ', ''), seedPhrase: this.seedOf(role), state};
      return this.wallet(role, chainOf(state, asset).family, common);
    };
    this.payer = make('payer', from);
    this.receiver = make('receiver', to);
    this.recipient = options.recipient ?? this.receiver.account;
    const amount = parseAmount(options.amount, chainOf(state, from).assets[from]?.decimals ?? 0);
    if (typeof amount === 'string') throw new Error(`${options.amount} is not an amount`);
    this.amount = amount;
  }

  protected abstract wallet(role: Role, family: ChainFamily, settings: WalletSettings): DevelopmentWallet;

  get orderId(): string {
    const id = this.orderIds.at(-1);
    if (id === undefined) throw new Error('No order was placed.');
    return id;
  }

  /** The seed of a wallet's keys, for the same wallet in another browser. */
  seedOf(role: Role): string {
    return `${role} ${this.#number} ${this.client.appId}`;
  }

  /** Gives the payer coins, and what fees are paid in, and notes what both have. */
  async prepare(): Promise<void> {
    const {state, payer, recipient, options} = this;
    const {from, to, gift} = options;
    const {family, assets} = chainOf(state, from);
    this.given.payer = await this.give(from, this.amount * 3n);
    if (gift) this.given.recipient = await this.give(to, gift, recipient);
    if (family === 'evm') await this.give(`${chainName(from)}:eth`, 10n ** 18n);
    // A token's payer pays its fee in SOL.
    if (family === 'solana' && assets[from]?.token) await this.give(`${chainName(from)}:sol`, 10n ** 9n);
    if (family === 'bitcoin') await this.mine(1);
    this.#before = {
      payer: await balanceOf(state, from, payer.account),
      recipient: await balanceOf(state, to, recipient),
    };
  }

  /** Gives somebody coins, the payer by default; returns the transaction's hash. */
  async give(asset: string, amount: bigint, address = this.payer.account): Promise<string> {
    return this.client.faucet(asset, address, amount);
  }

  /** Mines blocks, by default on the source's chain. */
  async mine(blocks: number, chain = chainName(this.options.from)): Promise<void> {
    await this.client.mine(chain, blocks);
  }

  /** What the payer has spent so far, fees included, and what the recipient got, from the chains. */
  async moved(): Promise<{readonly paid: bigint; readonly received: bigint}> {
    const {state, payer, recipient, options} = this;
    return {
      paid: this.#before.payer - (await balanceOf(state, options.from, payer.account)),
      received: (await balanceOf(state, options.to, recipient)) - this.#before.recipient,
    };
  }
}
