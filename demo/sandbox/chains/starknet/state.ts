/**
 * All that the chain holds, one felt for each cell, and what each cell held after each block: so a call can ask for any
 * block, a failed transaction leaves nothing, and a reorganisation forgets what it takes back.
 */

/** Where a felt is kept: in a contract's storage, or beside it as its nonce or its class. */
export interface Cell {
  readonly place: 'storage' | 'nonce' | 'class';
  readonly address: bigint;
  /** The place in the contract's storage; 0 elsewhere. */
  readonly key: bigint;
}

interface History {
  readonly cell: Cell;
  /** The oldest first. */
  readonly versions: {readonly block: number; readonly value: bigint}[];
}

const nameOf = ({place, address, key}: Cell) => `${place} ${address} ${key}`;

export class State {
  readonly #cells = new Map<string, History>();
  readonly #touched = new Map<number, Set<History>>();

  /** What a cell held after a block; what was never written is 0. */
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

  /** Forgets a block, which is the youngest. */
  forget(block: number): void {
    for (const {versions} of this.#touched.get(block) ?? []) versions.pop();
    this.#touched.delete(block);
  }

  /** What a block changed. */
  changesOf(block: number): (Cell & {readonly value: bigint; readonly before: bigint})[] {
    return [...(this.#touched.get(block) ?? [])]
      .map(({cell}) => ({...cell, value: this.read(cell, block), before: this.read(cell, block - 1)}))
      .filter(({value, before}) => value !== before);
  }
}

/** The state after a block, with changes of its own that are written down only when they are to stay. */
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

  /** Does something whole or not at all. */
  attempt<T>(work: () => T): T {
    const before = new Map(this.#changes);
    try {
      return work();
    } catch (error) {
      this.#changes = before;
      throw error;
    }
  }

  /** Writes the changes down as those of the block that the draft is for. */
  commit(): void {
    for (const {cell, value} of this.#changes.values()) this.state.write(cell, this.block, value);
    this.#changes.clear();
  }
}
