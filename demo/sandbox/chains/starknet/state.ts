/**
 * The chain's state: one felt per cell, with the value of each cell after each block. So calls can read any block, a
 * failed transaction has no effect, and a reorganization can restore earlier values.
 */

export interface Cell {
  readonly place: 'storage' | 'nonce' | 'class';
  readonly address: bigint;
  /** The address in the contract's storage; 0 otherwise. */
  readonly key: bigint;
}

interface History {
  readonly cell: Cell;
  /** Oldest first. */
  readonly versions: {readonly block: number; readonly value: bigint}[];
}

const nameOf = ({place, address, key}: Cell) => `${place} ${address} ${key}`;

export class State {
  readonly #cells = new Map<string, History>();
  readonly #touched = new Map<number, Set<History>>();

  /** The value of a cell after a block; 0 if it was never written. */
  read(cell: Cell, block: number): bigint {
    return this.#cells.get(nameOf(cell))?.versions.findLast(version => version.block <= block)?.value ?? 0n;
  }

  write(cell: Cell, block: number, value: bigint): void {
    const name = nameOf(cell);
    const history = this.#cells.get(name) ?? {cell, versions: []};
    this.#cells.set(name, history);
    if (history.versions.at(-1)?.block === block) history.versions.pop();
    history.versions.push({block, value});
    const touched = this.#touched.get(block) ?? new Set();
    this.#touched.set(block, touched.add(history));
  }

  forget(block: number): void {
    for (const {versions} of this.#touched.get(block) ?? []) versions.pop();
    this.#touched.delete(block);
  }

  changesOf(block: number): (Cell & {readonly value: bigint; readonly before: bigint})[] {
    return [...(this.#touched.get(block) ?? [])]
      .map(({cell}) => ({...cell, value: this.read(cell, block), before: this.read(cell, block - 1)}))
      .filter(({value, before}) => value !== before);
  }
}

/** The state after a block, with uncommitted changes. */
export class Draft {
  #changes = new Map<string, {readonly cell: Cell; readonly value: bigint}>();

  constructor(
    readonly state: State,
    readonly block: number,
  ) {}

  read(cell: Cell): bigint {
    return this.#changes.get(nameOf(cell))?.value ?? this.state.read(cell, this.block);
  }

  write(cell: Cell, value: bigint): void {
    this.#changes.set(nameOf(cell), {cell, value});
  }

  /** Runs work, and undoes its changes if it throws. */
  attempt<T>(work: () => T): T {
    const before = new Map(this.#changes);
    try {
      return work();
    } catch (error) {
      this.#changes = before;
      throw error;
    }
  }

  commit(): void {
    for (const {cell, value} of this.#changes.values()) this.state.write(cell, this.block, value);
    this.#changes.clear();
  }
}
