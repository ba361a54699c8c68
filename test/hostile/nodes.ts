/** A person's access to their chains' nodes, also through the wallet: any read can be made to fail or be slow. */
import {NodeFailure, type NodeGate} from '../support/node-session.js';

export class Nodes {
  #reads = 0;
  #trouble = {from: 0, times: 0, late: 0};
  #open = 0;
  #movedAt = Date.now();

  /** From the read with this number on, counted from 0, so many fail, or are answered `late` milliseconds later. */
  suffer({from, times, late = 0}: {readonly from: number; readonly times: number; readonly late?: number}): void {
    this.#reads = 0;
    this.#trouble = {from, times, late};
  }

  /** Resolves once nothing has been read for a moment. */
  async quiet(milliseconds = 60): Promise<void> {
    const end = Date.now() + 8_000;
    while ((this.#open > 0 || Date.now() < this.#movedAt + milliseconds) && Date.now() < end) {
      await new Promise(resolve => setTimeout(resolve, 10));
    }
  }

  readonly gate: NodeGate = async ({method}, pass) => {
    const {from, times, late} = this.#trouble;
    const at = this.#reads++;
    this.#open += 1;
    this.#movedAt = Date.now();
    try {
      const isMet = at >= from && at < from + times;
      if (isMet && !late) throw new NodeFailure(`429 for ${method}`);
      if (isMet) await new Promise(resolve => setTimeout(resolve, late));
      return await pass();
    } finally {
      this.#open -= 1;
      this.#movedAt = Date.now();
    }
  };
}
