/** One order at a lying service, and everything that its sessions report about it. */
import type {ChainFamily} from '../../src/domain/asset.js';
import {holds} from '../support/limits.js';
import type {NodeSwap, NodeWorld} from '../support/node-session.js';
import type {OrderRead} from '../sandbox/client.js';
import {demand} from './scenes.js';
import {beginHostile, PAIRS} from './judge.js';
import type {Lie, Man} from './man.js';
import {Nodes} from './nodes.js';
import {watch, type Deed} from './watch.js';

type Parts = ConstructorParameters<typeof Told>;

/** Begins a swap at a liar, whose payer has coins for several. */
export async function beginTold(
  world: NodeWorld,
  family: ChainFamily,
  {rpc, pair = PAIRS[family]}: {readonly rpc: boolean; readonly pair?: (typeof PAIRS)[ChainFamily] | undefined},
): Promise<Parts> {
  const nodes = new Nodes();
  const owner = {refuses: false};
  const {swap, man} = await beginHostile(world, family, {
    rpc,
    pair,
    nodes: nodes.gate,
    answers: ({kind}) => kind === 'connect' || !owner.refuses,
    // Without a node, an allowance on Starknet takes as long as a node may lag.
    ...(family === 'starknet' && !rpc && {way: 'transaction'}),
  });
  await swap.give(pair.from, 8n * swap.amount);
  return [world, swap, man, nodes, owner];
}

export class Told {
  /** The lies that were believed. */
  readonly said: string[] = [];
  /** What is true. */
  truth: ReadonlySet<Deed> = new Set();
  #told = 'the truth';
  #stops: (() => void)[] = [];
  #answers = 0;

  constructor(
    readonly world: NodeWorld,
    readonly swap: NodeSwap,
    readonly man: Man,
    readonly nodes: Nodes,
    /** While it refuses, the wallet signs and sends nothing. */
    readonly owner: {refuses: boolean},
  ) {}

  get orderId(): string {
    return this.man.orderIds.at(-1) ?? '';
  }

  truly(): Promise<OrderRead> {
    return this.swap.client.read(this.orderId);
  }

  /** Watches from now on what all tabs report about the order. */
  listen(): void {
    this.#stops.forEach(stop => stop());
    this.#stops = this.swap.tabs.map(tab =>
      watch(tab, (orderId, deed, where) => {
        if (orderId !== this.orderId || this.truth.has(deed)) return;
        this.#note(
          `${where}${this.swap.tabs.indexOf(tab) === 0 ? ' (first tab)' : ''} has it as seen that it was ${deed}`,
        );
      }),
    );
  }

  #note(text: string): void {
    const line = `${text}, told of ${this.#told}`;
    if (!this.said.includes(line)) this.said.push(line);
  }

  /** Makes the service report something, and lets all tabs read it, and the chains. */
  async tell(what: string, lie: Lie): Promise<void> {
    const {swap, man, nodes} = this;
    this.#told = what;
    const before = (this.#answers = 0);
    man.lie = {
      ...lie,
      read: (order, asked) => {
        const changed = asked.url.includes(this.orderId) ? lie.read?.(order, asked) : undefined;
        this.#answers += 1;
        return changed;
      },
    };
    const open = swap.tabs.filter(({host}) => !host.isClosed);
    for (const {session} of open) session.refresh();
    await holds(() => this.#answers >= before + open.length, 3_000);
    await nodes.quiet();
  }

  /** Records a claim of the session that it must not make. */
  demand(isSo: unknown, otherwise: string): void {
    if (!isSo) this.#note(otherwise);
  }

  end(): void {
    this.#stops.forEach(stop => stop());
    this.swap.end();
  }

  /** The result. Throws if a lie was believed. */
  verdict(count: number): string {
    demand(!this.said.length, `${String(this.said.length)} believed: ${this.said.join('; ')}`);
    return `${String(count)} lies, none believed`;
  }
}
