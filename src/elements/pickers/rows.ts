/** The number of rows that are rendered at once; the rest of a long list is empty space. */
const MOST = 40;
/** The number of rows that are rendered beyond the visible ones, on either side. */
const BEYOND = 6;
/** The estimated height of a row, in pixels, until one is measured. */
const USUAL = 56;

/** A section of a list: rows from `from` to before `to`, or the space that they would take, in pixels. */
export type Stretch = {readonly from: number; readonly to: number} | {readonly room: number};

/**
 * Which rows of a long list are rendered: the visible ones, a few around them, and the active one, however far away
 * that is. Rows may differ in height: each keeps its last measured one.
 */
export class Rows {
  #count = 0;
  #from = 0;
  #to = 0;
  /** How many are rendered at once: more if more are visible. */
  #most = MOST;
  #heights: number[] = [];
  #usual: number | undefined;

  /** Starts with another list, at its beginning. */
  begin(count: number): void {
    this.#count = count;
    this.#heights = [];
    this.#set(0);
  }

  /** Whether there are more of them than are rendered. */
  get isLong(): boolean {
    return this.#count > this.#most;
  }

  /** Renders the rows around one, before it is visible. */
  turnTo(row: number): void {
    if (row < this.#from || row >= this.#to) this.#set(row - this.#most / 2);
  }

  /** Renders the rows between two positions, in pixels from the beginning of the list. Returns whether they changed. */
  see(top: number, bottom: number): boolean {
    let row = 0;
    for (let end = this.#height(0); end <= top && row < this.#count - 1; end += this.#height(row)) row += 1;
    let last = row;
    for (let end = this.#height(row); end < bottom - top && last < this.#count - 1; end += this.#height(last))
      last += 1;
    const [from, to] = [Math.max(0, row - 1), Math.min(this.#count, last + 2)];
    if (from >= this.#from && to <= this.#to) return false;
    this.#most = Math.max(MOST, to - from + 2 * BEYOND);
    this.#set(from - (this.#most - (to - from)) / 2);
    return true;
  }

  /** Stores a row's height. Returns whether it becomes the estimate for all others: the first measured one does. */
  measure(row: number, height: number): boolean {
    this.#heights[row] = height;
    if (this.#usual !== undefined) return false;
    this.#usual = height;
    return true;
  }

  /** The rendered sections, in order, and the space between; `active` is the active row. */
  stretches(active: number): readonly Stretch[] {
    if (!this.isLong) return [{from: 0, to: this.#count}];
    const made = [{from: this.#from, to: this.#to}];
    if (active < this.#from) made.unshift({from: active, to: active + 1});
    else if (active >= this.#to) made.push({from: active, to: active + 1});
    const all: Stretch[] = [];
    let end = 0;
    for (const {from, to} of made) {
      if (from > end) all.push({room: this.#between(end, from)});
      all.push({from, to});
      end = to;
    }
    if (this.#count > end) all.push({room: this.#between(end, this.#count)});
    return all;
  }

  #set(from: number): void {
    this.#from = Math.max(0, Math.min(Math.floor(from), this.#count - this.#most));
    this.#to = Math.min(this.#count, this.#from + this.#most);
  }

  #height(row: number): number {
    return this.#heights[row] ?? this.#usual ?? USUAL;
  }

  #between(from: number, to: number): number {
    let sum = 0;
    for (let row = from; row < to; row++) sum += this.#height(row);
    return sum;
  }
}
