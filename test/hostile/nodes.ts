/** A person's access to their chains' nodes, also through the wallet: any read can be made to fail or be slow. */
import {NodeFailure, type NodeGate, type NodeRead} from '../support/node-session.js';

/** A fault of chain reads. */
export interface Trouble {
  /** Which reads: by chain, by method, or from a number on, counted from 0 since the trouble started. */
  readonly chain?: string;
  readonly method?: string;
  readonly from?: number;
  /** How many of them; all by default. */
  readonly times?: number;
  /** Responds this many milliseconds later, instead of failing. */
  readonly late?: number;
}

export class Nodes {
  /** The reads since the last trouble started. */
  reads: NodeRead[] = [];
  #trouble: Trouble | undefined;
  #met = 0;
  #open = 0;
  #movedAt = Date.now();

  /** How many reads were affected. */
  get met(): number {
    return this.#met;
  }

  /** Starts a trouble, or ends all. */
  suffer(trouble?: Trouble): void {
    this.#trouble = trouble;
    this.#met = 0;
    this.reads = [];
  }

  /** Resolves once nothing has been read for a moment. */
  async quiet(milliseconds = 60, most = 8_000): Promise<void> {
    const end = Date.now() + most;
    while ((this.#open > 0 || Date.now() < this.#movedAt + milliseconds) && Date.now() < end) {
      await new Promise(resolve => setTimeout(resolve, 10));
    }
  }

  readonly gate: NodeGate = async (read, pass) => {
    const at = this.reads.push(read) - 1;
    this.#open += 1;
    this.#movedAt = Date.now();
    try {
      const {late} = this.#meets(read, at) ?? {late: 0};
      if (late === undefined) throw new NodeFailure(`429 for ${read.method}`);
      if (late > 0) await new Promise(resolve => setTimeout(resolve, late));
      return await pass();
    } finally {
      this.#open -= 1;
      this.#movedAt = Date.now();
    }
  };

  /** The trouble that affects a read, if any. */
  #meets({chain, method}: NodeRead, at: number): Trouble | undefined {
    const trouble = this.#trouble;
    if (!trouble || this.#met >= (trouble.times ?? Infinity) || at < (trouble.from ?? 0)) return undefined;
    if ((trouble.chain ?? chain) !== chain || (trouble.method ?? method) !== method) return undefined;
    this.#met += 1;
    return trouble;
  }
}
